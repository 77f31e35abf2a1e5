/* The raster of solid surroundings. A cell that no open wall crosses gets the lowest roof in it; then each cell takes
   the minimum of the cells around it. */
#include "method/images/edges/solid_core.h"

#include <math.h>
#include <string.h>

#include "base/order.h"
#include "visibility/horizon.h"

#define CELL_M        1.0
#define AROUND_CELLS  2    /* places in a cell are at least this many cells away from those not looked at */
#define CELLS_MAX     4e7  /* larger scenes get wider cells */
#define WALL_RIM      2.56 /* grid units; walls count as wider: rounding, and corners that facades lose to it */
#define HEIGHT_RIM_M  0.05 /* a line must pass this far below a roof */
#define STEP_M        0.25 /* of heights */
#define SAMPLE_CELLS  2.0  /* between two samples along a line */
#define SAMPLE_STRIDE 16   /* distant samples first: most blocked lines are blocked in several places */

enum { CELL_HAS_WALL = 1, CELL_IS_OPEN = 2, CELL_IS_HELD = 4 /* a prism contains its centre */ };

/* State while the raster is made. */
typedef struct core_work {
    const rcity_shapes *shapes;
    rcity_solid_core *core;
    uint8_t *marks;
    double unit_m;
} core_work;

static int32_t clamp_cell(double cell, int32_t count)
{
    return cell < 0.0 ? 0 : cell >= count ? count - 1 : (int32_t)cell;
}

static void note_low(uint8_t *height, uint8_t roof)
{
    *height = *height == 0 || roof < *height ? roof : *height;
}

static uint8_t height_of(const rcity_solid_core *core, int32_t roof)
{
    double above_m = (double)roof / RCITY_HEIGHT_UNITS_PER_M - core->lowest_m;
    return (uint8_t)rcity_smaller(rcity_larger(floor(above_m / core->step_m), 1.0), UINT8_MAX);
}

/* Mark every cell near a segment. If the segment belongs to a wall, its roof may be the lowest of the cell. */
static void mark_segment(const core_work *work, const double end[4], uint8_t mark, uint8_t roof)
{
    rcity_solid_core *core = work->core;
    double rim_m = WALL_RIM * work->unit_m;
    double y_low = rcity_smaller(end[1], end[3]) - rim_m;
    double y_high = rcity_larger(end[1], end[3]) + rim_m;
    double slope = end[3] != end[1] ? (end[2] - end[0]) / (end[3] - end[1]) : 0.0;
    int32_t first = clamp_cell(floor((y_low - core->south_m) / core->cell_m), core->row_count);
    int32_t last = clamp_cell(floor((y_high - core->south_m) / core->cell_m), core->row_count);
    for (int32_t row = first; row <= last; row++) {
        double x_low = rcity_smaller(end[0], end[2]);
        double x_high = rcity_larger(end[0], end[2]);
        if (end[3] != end[1]) {
            double at[2];
            for (int i = 0; i < 2; i++) {
                double y = core->south_m + (row + i) * core->cell_m + (i == 0 ? -rim_m : rim_m);
                at[i] = end[0] + slope * (rcity_smaller(rcity_larger(y, rcity_smaller(end[1], end[3])),
                                                        rcity_larger(end[1], end[3])) -
                                          end[1]);
            }
            x_low = rcity_smaller(at[0], at[1]);
            x_high = rcity_larger(at[0], at[1]);
        }
        int32_t west = clamp_cell(floor((x_low - rim_m - core->west_m) / core->cell_m), core->column_count);
        int32_t east = clamp_cell(floor((x_high + rim_m - core->west_m) / core->cell_m), core->column_count);
        for (int32_t column = west; column <= east; column++) {
            int64_t cell = (int64_t)row * core->column_count + column;
            work->marks[cell] |= mark;
            if (roof > 0) {
                note_low(&core->height[cell], roof);
            }
        }
    }
}

static void mark_walls(const core_work *work)
{
    const rcity_shapes *shapes = work->shapes;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
            for (int32_t edge = shapes->ring_first[ring]; edge < shapes->ring_first[ring + 1]; edge++) {
                rcity_grid_point p = shapes->points[edge];
                rcity_grid_point q = shapes->points[rcity_ring_next(shapes->ring_first, ring, edge)];
                const double end[4] = {p.x * work->unit_m, p.y * work->unit_m, q.x * work->unit_m, q.y * work->unit_m};
                mark_segment(work, end, CELL_HAS_WALL, height_of(work->core, prism->roof));
            }
        }
    }
    for (int64_t i = 0; i < shapes->facade_count; i++) {
        const rcity_facade *facade = &shapes->facades[i];
        double ground_m = (double)shapes->prisms[facade->prism].ground / RCITY_HEIGHT_UNITS_PER_M;
        if ((double)facade->bottom_m <= ground_m + 1e-3) { /* else a lower building stands in front of it */
            const double end[4] = {(double)facade->x1_m, (double)facade->y1_m, (double)facade->x2_m,
                                   (double)facade->y2_m};
            mark_segment(work, end, CELL_IS_OPEN, 0);
        }
    }
}

/* Where a prism's walls cross a line of constant y. @return how many crossings there are. */
static size_t cross_level(const core_work *work, const rcity_prism *prism, double y, double *x)
{
    const rcity_shapes *shapes = work->shapes;
    size_t count = 0;
    for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
        for (int32_t edge = shapes->ring_first[ring]; edge < shapes->ring_first[ring + 1]; edge++) {
            rcity_grid_point p = shapes->points[edge];
            rcity_grid_point q = shapes->points[rcity_ring_next(shapes->ring_first, ring, edge)];
            double from = p.y * work->unit_m;
            double to = q.y * work->unit_m;
            if ((from <= y) != (to <= y)) {
                x[count++] = work->unit_m * (p.x + (y - from) / (to - from) * ((double)q.x - p.x));
            }
        }
    }
    rcity_sort_doubles(x, count);
    return count;
}

/* The cells whose centre lies in a prism. A cell that no wall crosses lies wholly in the prism, and its highest roof
   counts. A cell that a wall crosses may be shared, and its lowest roof counts. A centre too near to a wall to decide
   lies in a cell with a wall. */
static void fill_prism(const core_work *work, const rcity_prism *prism, double *crossings)
{
    rcity_solid_core *core = work->core;
    uint8_t roof = height_of(core, prism->roof);
    int32_t first = clamp_cell(floor((prism->y_min * work->unit_m - core->south_m) / core->cell_m), core->row_count);
    int32_t last = clamp_cell(floor((prism->y_max * work->unit_m - core->south_m) / core->cell_m), core->row_count);
    for (int32_t row = first; row <= last; row++) {
        size_t count = cross_level(work, prism, core->south_m + (row + 0.5) * core->cell_m, crossings);
        for (size_t k = 0; k + 1 < count; k += 2) {
            if (crossings[k + 1] - crossings[k] < WALL_RIM * work->unit_m) {
                continue; /* a hole that runs along the outline leaves nothing between them */
            }
            double west = ceil((crossings[k] - core->west_m) / core->cell_m - 0.5);
            double east = floor((crossings[k + 1] - core->west_m) / core->cell_m - 0.5);
            for (double column = rcity_larger(west, 0.0); column <= rcity_smaller(east, core->column_count - 1.0);
                 column += 1.0) {
                int64_t cell = (int64_t)row * core->column_count + (int64_t)column;
                work->marks[cell] |= CELL_IS_HELD;
                if ((work->marks[cell] & CELL_HAS_WALL) != 0) {
                    note_low(&core->height[cell], roof);
                } else if (roof > core->height[cell]) {
                    core->height[cell] = roof;
                }
            }
        }
    }
}

/* The minimum of the cells around each cell, along one line: rows first, then columns. */
static void erode(uint8_t *height, int64_t count, int64_t stride, uint8_t *line)
{
    for (int64_t i = 0; i < count; i++) {
        line[i] = height[i * stride];
    }
    for (int64_t i = 0; i < count; i++) {
        uint8_t least = i >= AROUND_CELLS && i + AROUND_CELLS < count ? line[i] : 0;
        for (int64_t k = i - AROUND_CELLS; least > 0 && k <= i + AROUND_CELLS; k++) {
            least = line[k] < least ? line[k] : least;
        }
        height[i * stride] = least;
    }
}

static void lay_out(const rcity_shapes *shapes, rcity_solid_core *core)
{
    double unit_m = 1.0 / shapes->units_per_m;
    double box[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    int32_t lowest = INT32_MAX;
    int32_t highest = INT32_MIN;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        box[0] = rcity_smaller(box[0], prism->x_min * unit_m);
        box[1] = rcity_smaller(box[1], prism->y_min * unit_m);
        box[2] = rcity_larger(box[2], prism->x_max * unit_m);
        box[3] = rcity_larger(box[3], prism->y_max * unit_m);
        lowest = prism->roof < lowest ? prism->roof : lowest;
        highest = prism->roof > highest ? prism->roof : highest;
    }
    if (shapes->prism_count > 0) {
        double area = (box[2] - box[0]) * (box[3] - box[1]);
        core->cell_m = rcity_larger(CELL_M, sqrt(area / CELLS_MAX));
        core->west_m = box[0] - core->cell_m;
        core->south_m = box[1] - core->cell_m;
        core->column_count = (int32_t)ceil((box[2] - core->west_m) / core->cell_m) + 1;
        core->row_count = (int32_t)ceil((box[3] - core->south_m) / core->cell_m) + 1;
        /* the lowest roof is one step high, and the highest fits into a byte */
        double span_m = ((double)highest - lowest) / RCITY_HEIGHT_UNITS_PER_M;
        core->step_m = rcity_larger(STEP_M, span_m / (UINT8_MAX - 2));
        core->lowest_m = (double)lowest / RCITY_HEIGHT_UNITS_PER_M - core->step_m;
        core->reach_m = AROUND_CELLS * core->cell_m - rcity_horizon_slack_m(shapes);
    }
}

rcity_status rcity_solid_core_init(rcity_context *context, const rcity_shapes *shapes, rcity_solid_core *core)
{
    memset(core, 0, sizeof *core);
    lay_out(shapes, core);
    core_work work = {shapes, core, NULL, 1.0 / shapes->units_per_m};
    size_t cells = (size_t)core->column_count * (size_t)core->row_count;
    size_t longest = (size_t)(core->column_count > core->row_count ? core->column_count : core->row_count) + 1;
    double *crossings = NULL;
    uint8_t *line = NULL;
    rcity_status status = RCITY_OK;
    if (cells == 0) {
        return RCITY_OK;
    }
    RCITY_TRY_DONE(rcity_alloc(context, cells, sizeof *core->height, "the cores of houses", &core->height));
    RCITY_TRY_DONE(rcity_alloc(context, cells, sizeof *work.marks, "the cores of houses", &work.marks));
    RCITY_TRY_DONE(rcity_alloc(context, longest, sizeof *line, "the cores of houses", &line));
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)shapes->point_count + 1, sizeof *crossings, "the cores of houses", &crossings));
    mark_walls(&work);
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        fill_prism(&work, &shapes->prisms[i], crossings);
    }
    for (size_t i = 0; i < cells; i++) {
        int marks = work.marks[i] & (CELL_IS_OPEN | CELL_IS_HELD);
        core->height[i] = marks == CELL_IS_HELD ? core->height[i] : 0;
    }
    for (int32_t row = 0; row < core->row_count; row++) {
        erode(core->height + (int64_t)row * core->column_count, core->column_count, 1, line);
    }
    for (int32_t column = 0; column < core->column_count; column++) {
        erode(core->height + column, core->row_count, core->column_count, line);
    }
done:
    rcity_release(context, crossings);
    rcity_release(context, line);
    rcity_release(context, work.marks);
    if (status != RCITY_OK) {
        rcity_solid_core_deinit(context, core);
    }
    return status;
}

void rcity_solid_core_deinit(rcity_context *context, rcity_solid_core *core)
{
    rcity_release(context, core->height);
    memset(core, 0, sizeof *core);
}

bool rcity_solid_core_blocks(const rcity_solid_core *core, rcity_place3 from, rcity_place3 to, double begin)
{
    /* in cells and steps of height */
    double x = (from.x - core->west_m) / core->cell_m;
    double y = (from.y - core->south_m) / core->cell_m;
    double z = (from.z - core->lowest_m + HEIGHT_RIM_M) / core->step_m;
    double dx = (to.x - from.x) / core->cell_m;
    double dy = (to.y - from.y) / core->cell_m;
    double dz = (to.z - from.z) / core->step_m;
    int32_t count = (int32_t)(rcity_larger(fabs(dx), fabs(dy)) * (1.0 - begin) / SAMPLE_CELLS);
    double step = (1.0 - begin) / (count > 0 ? count : 1);
    for (int32_t stride = SAMPLE_STRIDE; stride > 0; stride /= 2) {
        /* all multiples of the first stride, then those that each halving adds */
        int32_t every = stride == SAMPLE_STRIDE ? stride : 2 * stride;
        for (int32_t i = stride == SAMPLE_STRIDE ? 0 : stride; i < count; i += every) {
            double part = begin + (i + 0.5) * step;
            double column = x + part * dx;
            double row = y + part * dy;
            if (column >= 0.0 && row >= 0.0 && column < core->column_count && row < core->row_count &&
                core->height[(int64_t)row * core->column_count + (int64_t)column] > rcity_larger(z + part * dz, 0.0)) {
                return true;
            }
        }
    }
    return false;
}
