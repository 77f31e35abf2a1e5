/* A part is a polygon of three or four corners. Its rows are cut to what lies in it, and each cell there is tested by the
   beam's own edges, so that a centre lies in exactly one of two neighbouring parts. */
#include "method/beams/raster/beam_bins.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "kernel/portable.h"

#define RIM_M      1e-6 /* more than rounding moves a border */
#define LEVEL_RIMS 4.0  /* a side that rises less is level */

#define CORNERS 4

/* One side of a part: where it may cross a row. */
typedef struct part_side {
    double y_min, y_max, x_min, x_max;
    double x_at_0, slope; /* x by y; of a level side 0: it may be anywhere between its ends */
    double reach;         /* how far x moves over RIM_M */
} part_side;

/* A part as a polygon, and what decides about a place in it. */
typedef struct part_shape {
    rcity_beam_frame frame;
    double right, left;
    rcity_beam_line end;           /* where the part ends */
    double x[CORNERS], y[CORNERS]; /* corners, around */
    double y_min, y_max;
    part_side sides[CORNERS];
} part_shape;

static inline double lesser(double a, double b) /* fmin() is a call */
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

/* How far the raster reaches from a place. */
static double reach_m(const rcity_beams_grid *grid, double x, double y)
{
    double east_m = grid->west_m + (double)grid->column_count * grid->cell_m;
    double south_m = grid->north_m - (double)grid->row_count * grid->cell_m;
    return rcity_beam_length_m(fmax(fabs(x - grid->west_m), fabs(x - east_m)),
                               fmax(fabs(y - grid->north_m), fabs(y - south_m)));
}

static inline bool shape_init(const rcity_beams_forest *forest, const rcity_beams_grid *grid,
                              const rcity_beams_node *node, const rcity_beam_part *part, part_shape *shape)
{
    if (!rcity_beams_node_frame(node, &shape->frame)) {
        return false;
    }
    const rcity_beam_frame *frame = &shape->frame;
    shape->right = part->right;
    shape->left = part->left;
    shape->end = (rcity_beam_line){1.0 / (fmin(reach_m(grid, node->x, node->y), node->reach_m) + 1.0), 0.0};
    if (part->wall >= 0) {
        const rcity_mirror *wall = &forest->growth.world->facets->mirrors[part->wall];
        /* along a direction the wall's plane lies at (offset - n . source) / (n . direction) */
        double distance = wall->offset - wall->normal.x * frame->x - wall->normal.y * frame->y;
        double ahead = wall->normal.x * frame->axis_x + wall->normal.y * frame->axis_y;
        double aside = wall->normal.y * frame->axis_x - wall->normal.x * frame->axis_y;
        shape->end.at_right = (ahead + frame->right * aside) / distance;
        shape->end.slope = aside / (frame->scale * distance);
    }
    const double across[4] = {part->right, part->right, part->left, part->left};
    for (int i = 0; i < 4; i++) {
        bool is_near = i == 0 || i == 3;
        double nearness = rcity_beam_line_at(is_near ? frame->base : shape->end, across[i]);
        rcity_beam_frame_place(frame, across[i], nearness, &shape->x[i], &shape->y[i]);
    }
    shape->y_min = lesser(lesser(shape->y[0], shape->y[1]), lesser(shape->y[2], shape->y[3]));
    shape->y_max = greater(greater(shape->y[0], shape->y[1]), greater(shape->y[2], shape->y[3]));
    return true;
}

/* What rows are cut by. */
static inline void make_sides(part_shape *shape)
{
    for (int i = 0; i < CORNERS; i++) {
        int next = (i + 1) % CORNERS;
        part_side *side = &shape->sides[i];
        double rise = shape->y[next] - shape->y[i];
        side->y_min = lesser(shape->y[i], shape->y[next]) - RIM_M;
        side->y_max = greater(shape->y[i], shape->y[next]) + RIM_M;
        side->x_min = lesser(shape->x[i], shape->x[next]);
        side->x_max = greater(shape->x[i], shape->x[next]);
        bool is_level = fabs(rise) <= LEVEL_RIMS * RIM_M;
        side->slope = is_level ? 0.0 : (shape->x[next] - shape->x[i]) / rise;
        side->x_at_0 = shape->x[i] - side->slope * shape->y[i];
        side->reach = is_level ? side->x_max - side->x_min
                               : fabs(side->slope) * RIM_M + RIM_M; /* and rounding of places far away */
    }
}

static inline bool shape_holds(const part_shape *shape, double x, double y)
{
    rcity_beam_offset at = rcity_beam_frame_offset(&shape->frame, x, y);
    if (at.forward <= 0.0) {
        return false;
    }
    rcity_beam_view view = rcity_beam_frame_view(&shape->frame, at);
    return view.across >= shape->right && view.across < shape->left &&
           view.nearness < rcity_beam_line_at(shape->frame.base, view.across) &&
           view.nearness > rcity_beam_line_at(shape->end, view.across);
}

/* The rows of a raster that a shape may reach into. @return false for none. */
static inline bool find_rows(const rcity_beams_grid *grid, const part_shape *shape, int64_t *first, int64_t *last)
{
    double from = ceil((grid->north_m - shape->y_max - RIM_M) / grid->cell_m - 0.5);
    double to = floor((grid->north_m - shape->y_min + RIM_M) / grid->cell_m - 0.5);
    *first = from < 0.0 ? 0 : (int64_t)lesser(from, (double)grid->row_count);
    *last = to >= (double)grid->row_count ? grid->row_count - 1 : (int64_t)greater(to, -1.0);
    return *first <= *last;
}

/* The columns of a row at `y` whose centres may lie in a shape. */
static inline bool find_columns(const rcity_beams_grid *grid, const part_shape *shape, double y, double west_m,
                                double cells_per_m, int64_t *first, int64_t *last)
{
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (int i = 0; i < CORNERS; i++) {
        const part_side *side = &shape->sides[i];
        if (y < side->y_min || y > side->y_max) {
            continue;
        }
        double at = side->x_at_0 + side->slope * y;
        low = lesser(low, greater(at - side->reach, side->x_min));
        high = greater(high, lesser(at + side->reach, side->x_max));
    }
    double from = ceil((low - RIM_M - west_m) * cells_per_m);
    double to = floor((high + RIM_M - west_m) * cells_per_m);
    *first = from < 0.0 ? 0 : (int64_t)lesser(from, (double)grid->column_count);
    *last = to >= (double)grid->column_count ? grid->column_count - 1 : (int64_t)greater(to, -1.0);
    return *first <= *last;
}

void rcity_beams_bins_deinit(rcity_context *context, rcity_beams_bins *bins)
{
    rcity_release(context, bins->ends);
    rcity_release(context, bins->first);
    memset(bins, 0, sizeof *bins);
}

/* The rows that each part may reach into, tree by tree on all threads. */
typedef struct rows_run {
    const rcity_beams_forest *forest;
    const rcity_beams_grid *grid;
    int64_t strip_rows;
    const int64_t *part_first; /* of each tree */
    int32_t (*strips)[2];      /* of each part: the first strip and the last; none: the first is after the last */
} rows_run;

/* An rcity_parallel_function over trees. */
static void find_strips(void *user, int64_t begin, int64_t end, int thread_index)
{
    const rows_run *run = user;
    (void)thread_index;
    for (int64_t t = begin; t < end; t++) {
        const rcity_beams_tree *tree = &run->forest->trees[t];
        for (size_t n = 0; n < tree->node_count; n++) {
            const rcity_beams_node *node = &tree->nodes[n];
            for (int32_t k = node->part_first; k < node->part_first + node->part_count; k++) {
                part_shape shape;
                int64_t first, last;
                int32_t *strips = run->strips[run->part_first[t] + k];
                strips[0] = 0;
                strips[1] = -1;
                if (shape_init(run->forest, run->grid, node, &tree->parts[k], &shape) &&
                    find_rows(run->grid, &shape, &first, &last)) {
                    strips[0] = (int32_t)(first / run->strip_rows);
                    strips[1] = (int32_t)(last / run->strip_rows);
                }
            }
        }
    }
}

/* List the parts of each strip; with `fills` they are put down, else counted in first[strip + 1]. */
static void go_through(const rows_run *run, bool fills, rcity_beams_bins *bins)
{
    for (int32_t t = 0; t < run->forest->tree_count; t++) {
        const rcity_beams_tree *tree = &run->forest->trees[t];
        for (size_t n = 0; n < tree->node_count; n++) {
            const rcity_beams_node *node = &tree->nodes[n];
            for (int32_t k = node->part_first; k < node->part_first + node->part_count; k++) {
                const int32_t *strips = run->strips[run->part_first[t] + k];
                for (int32_t strip = strips[0]; strip <= strips[1]; strip++) {
                    if (fills) {
                        bins->ends[bins->first[strip]++] = (rcity_beams_way_end){t, (int32_t)n, k};
                    } else {
                        bins->first[strip + 1]++;
                    }
                }
            }
        }
    }
}

/* The strips of all parts, into `bins`, which has room for the first of each. */
static rcity_status list_parts(rcity_context *context, rows_run *run, rcity_beams_bins *bins)
{
    go_through(run, false, bins);
    for (int64_t i = 0; i < bins->strip_count; i++) {
        bins->first[i + 1] += bins->first[i];
    }
    RCITY_TRY(rcity_alloc(context, (size_t)bins->first[bins->strip_count] + 1, sizeof *bins->ends,
                          "beams by strips of rows", &bins->ends));
    go_through(run, true, bins);
    for (int64_t i = bins->strip_count; i > 0; i--) { /* each first has moved to the next one's place */
        bins->first[i] = bins->first[i - 1];
    }
    bins->first[0] = 0;
    return RCITY_OK;
}

rcity_status rcity_beams_bins_init(rcity_context *context, const rcity_beams_forest *forest,
                                   const rcity_beams_grid *grid, int64_t strip_rows, rcity_beams_bins *bins)
{
    int64_t *part_first = NULL;
    rows_run run = {forest, grid, strip_rows, NULL, NULL};
    memset(bins, 0, sizeof *bins);
    bins->forest = forest;
    bins->grid = *grid;
    bins->strip_rows = strip_rows;
    bins->strip_count = (grid->row_count + strip_rows - 1) / strip_rows;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)bins->strip_count + 1, sizeof *bins->first, "beams by strips of rows",
                               &bins->first));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)forest->tree_count + 1, sizeof *part_first, "beams by strips of rows",
                               &part_first));
    for (int32_t t = 0; t < forest->tree_count; t++) {
        part_first[t + 1] = part_first[t] + (int64_t)forest->trees[t].part_count;
    }
    run.part_first = part_first;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)part_first[forest->tree_count] + 1, sizeof *run.strips,
                               "beams by strips of rows", &run.strips));
    rcity_parallel(context, forest->tree_count, 1, find_strips, &run);
    status = list_parts(context, &run, bins);
done:
    rcity_release(context, run.strips);
    rcity_release(context, part_first);
    if (status != RCITY_OK) {
        rcity_beams_bins_deinit(context, bins);
    }
    return status;
}

void rcity_beams_strip_deinit(rcity_context *context, rcity_beams_strip *strip)
{
    rcity_release(context, strip->found);
    rcity_release(context, strip->list);
    rcity_release(context, strip->first);
    memset(strip, 0, sizeof *strip);
}

/* The cells of one part in a strip. */
RCITY_WIDE static rcity_status rasterise_part(rcity_context *context, const rcity_beams_bins *bins, int64_t end,
                                              int64_t row_first, int64_t row_last, double dx, double dy,
                                              rcity_beams_strip *strip)
{
    const rcity_beams_grid *grid = &bins->grid;
    const rcity_beams_tree *tree = &bins->forest->trees[bins->ends[end].tree];
    const rcity_beams_node *node = &tree->nodes[bins->ends[end].node];
    part_shape shape;
    int64_t first, last;
    if (!shape_init(bins->forest, grid, node, &tree->parts[bins->ends[end].part], &shape) ||
        !find_rows(grid, &shape, &first, &last)) {
        return RCITY_OK;
    }
    make_sides(&shape);
    double cells_per_m = 1.0 / grid->cell_m;
    double west_m = grid->west_m + 0.5 * grid->cell_m + dx; /* of the first column's places */
    first = first > row_first ? first - 1 : row_first;      /* places beside a centre may lie in the next row's shape */
    last = last < row_last ? last + 1 : row_last;
    for (int64_t row = first; row <= last; row++) {
        int64_t column_first, column_last;
        double y = grid->north_m - ((double)row + 0.5) * grid->cell_m + dy;
        if (!find_columns(grid, &shape, y, west_m, cells_per_m, &column_first, &column_last)) {
            continue;
        }
        RCITY_TRY(rcity_reserve(context, strip->found_count + 2 * (size_t)(column_last - column_first + 1),
                                sizeof *strip->found, &strip->found_capacity, "beams of a strip", &strip->found));
        for (int64_t column = column_first; column <= column_last; column++) {
            double x = grid->west_m + ((double)column + 0.5) * grid->cell_m + dx;
            if (shape_holds(&shape, x, y)) {
                strip->found[strip->found_count++] = row * grid->column_count + column - strip->cell_first;
                strip->found[strip->found_count++] = end;
            }
        }
    }
    return RCITY_OK;
}

/* Sort what was found by cells, in the order of ends. */
static rcity_status sort_found(rcity_context *context, rcity_beams_strip *strip)
{
    RCITY_TRY(rcity_reserve(context, (size_t)strip->cell_count + 2, sizeof *strip->first, &strip->first_capacity,
                            "beams of a strip", &strip->first));
    RCITY_TRY(rcity_reserve(context, strip->found_count / 2 + 1, sizeof *strip->list, &strip->list_capacity,
                            "beams of a strip", &strip->list));
    memset(strip->first, 0, ((size_t)strip->cell_count + 2) * sizeof *strip->first);
    for (size_t i = 0; i < strip->found_count; i += 2) {
        strip->first[strip->found[i] + 2]++;
    }
    for (int64_t i = 0; i < strip->cell_count; i++) {
        strip->first[i + 2] += strip->first[i + 1];
    }
    for (size_t i = 0; i < strip->found_count; i += 2) {
        strip->list[strip->first[strip->found[i] + 1]++] = strip->found[i + 1];
    }
    return RCITY_OK;
}

rcity_status rcity_beams_bins_find(rcity_context *context, const rcity_beams_bins *bins, int64_t strip_index, double dx,
                                   double dy, rcity_beams_strip *strip)
{
    int64_t row_first = strip_index * bins->strip_rows;
    int64_t row_last = row_first + bins->strip_rows - 1;
    row_last = row_last < bins->grid.row_count ? row_last : bins->grid.row_count - 1;
    strip->cell_first = row_first * bins->grid.column_count;
    strip->cell_count = (row_last - row_first + 1) * bins->grid.column_count;
    strip->found_count = 0;
    for (int64_t end = bins->first[strip_index]; end < bins->first[strip_index + 1]; end++) {
        RCITY_TRY(rasterise_part(context, bins, end, row_first, row_last, dx, dy, strip));
    }
    return RCITY_OK;
}

rcity_status rcity_beams_bins_rasterise(rcity_context *context, const rcity_beams_bins *bins, int64_t strip_index,
                                        double dx, double dy, rcity_beams_strip *strip)
{
    RCITY_TRY(rcity_beams_bins_find(context, bins, strip_index, dx, dy, strip));
    return sort_found(context, strip);
}
