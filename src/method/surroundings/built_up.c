/* Roofs on a raster, their sums over squares from a table of sums, and those at the nodes of a lattice. Sums are whole
   numbers, so they do not depend on the order. */
#include "method/surroundings/built_up.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "scene/place/cover.h"
#include "scene/place/terrain.h"

#define CELL_M     8.0  /* of the raster of roofs, in cities of usual size */
#define CELLS_MAX  4096 /* along an edge of it; cells are larger where a scene is */
#define NODE_CELLS 4    /* from one node to the next */

/* Sums over all cells south and west of a corner of cells. */
typedef struct roof_sums {
    int64_t column_count, row_count; /* of cells */
    int64_t *built;                  /* number of cells under a roof */
    int64_t *height;                 /* of their roofs above the ground, in height units */
} roof_sums;

static int64_t corner_index(const roof_sums *sums, int64_t column, int64_t row)
{
    return row * (sums->column_count + 1) + column;
}

static double ground_at(const rcity_shapes *shapes, int32_t x, int32_t y)
{
    const rcity_terrain_grid *terrain = &shapes->terrain;
    bool has_ground = terrain->column_count > 0 && rcity_terrain_contains(terrain, x, y);
    return has_ground ? rcity_terrain_height(terrain, x, y) : 0.0;
}

float rcity_built_up_height(const rcity_shapes *shapes, int32_t x, int32_t y, int32_t z)
{
    return (float)((z - ground_at(shapes, x, y)) / RCITY_HEIGHT_UNITS_PER_M);
}

/* The height of a roof above the ground at a cell's centre, in height units. */
static int64_t roof_height(const rcity_shapes *shapes, const rcity_raster *raster, int64_t column, int64_t row,
                           float roof_m)
{
    int32_t x = rcity_raster_column_x(shapes, raster, column);
    int32_t y = rcity_raster_row_y(shapes, raster, row);
    double height = (double)roof_m * RCITY_HEIGHT_UNITS_PER_M - ground_at(shapes, x, y);
    return height > 0.0 ? (int64_t)lround(height) : 0;
}

/* `roof_m` is a raster from the north, the sums are from the south. */
static void add_up(const rcity_shapes *shapes, const rcity_raster *raster, const float *roof_m, roof_sums *sums)
{
    for (int64_t row = 0; row < sums->row_count; row++) {
        int64_t built = 0;
        int64_t height = 0;
        int64_t from_north = sums->row_count - 1 - row;
        for (int64_t column = 0; column < sums->column_count; column++) {
            float roof = roof_m[from_north * sums->column_count + column];
            if (roof > -HUGE_VALF) {
                built++;
                height += roof_height(shapes, raster, column, from_north, roof);
            }
            int64_t below = corner_index(sums, column + 1, row);
            int64_t at = corner_index(sums, column + 1, row + 1);
            sums->built[at] = sums->built[below] + built;
            sums->height[at] = sums->height[below] + height;
        }
    }
}

static int64_t sum_over(const roof_sums *sums, const int64_t *table, int64_t west, int64_t south, int64_t east,
                        int64_t north)
{
    return table[corner_index(sums, east, north)] - table[corner_index(sums, west, north)] -
           table[corner_index(sums, east, south)] + table[corner_index(sums, west, south)];
}

static int64_t limit(int64_t value, int64_t most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* The mean over the square around the corner (column, row) of cells; what lies beyond the raster is not built. */
static rcity_surroundings_node mean_around(const roof_sums *sums, int64_t column, int64_t row, int64_t reach)
{
    int64_t west = limit(column - reach, sums->column_count);
    int64_t east = limit(column + reach, sums->column_count);
    int64_t south = limit(row - reach, sums->row_count);
    int64_t north = limit(row + reach, sums->row_count);
    int64_t built = sum_over(sums, sums->built, west, south, east, north);
    int64_t height = sum_over(sums, sums->height, west, south, east, north);
    rcity_surroundings_node node = {(float)built / (float)(4 * reach * reach), 0.0f};
    if (built > 0) {
        node.roof_m = (float)((double)height / (double)built / RCITY_HEIGHT_UNITS_PER_M);
    }
    return node;
}

static rcity_raster make_raster(const rcity_shapes *shapes)
{
    double unit_m = 1.0 / shapes->units_per_m;
    double width_m = ((double)shapes->x_max - shapes->x_min) * unit_m;
    double height_m = ((double)shapes->y_max - shapes->y_min) * unit_m;
    rcity_raster raster;
    memset(&raster, 0, sizeof raster);
    raster.cell_m = fmax(CELL_M, ceil(fmax(width_m, height_m) / CELLS_MAX));
    raster.column_count = (int64_t)fmax(ceil(width_m / raster.cell_m), 1.0);
    raster.row_count = (int64_t)fmax(ceil(height_m / raster.cell_m), 1.0);
    raster.west_m = shapes->origin_x_m + shapes->x_min * unit_m;
    raster.north_m = shapes->origin_y_m + shapes->y_min * unit_m + (double)raster.row_count * raster.cell_m;
    return raster;
}

/* The lattice reaches beyond the raster until nothing built is in reach. */
static void place_lattice(const rcity_shapes *shapes, const rcity_raster *raster, int64_t margin, rcity_built_up *made)
{
    double cell_units = raster->cell_m * shapes->units_per_m;
    rcity_surroundings_lattice *lattice = &made->lattice;
    lattice->west = (int32_t)lround(shapes->x_min - (double)(margin * NODE_CELLS) * cell_units);
    lattice->south = (int32_t)lround(shapes->y_min - (double)(margin * NODE_CELLS) * cell_units);
    lattice->column_count = (int32_t)((raster->column_count + NODE_CELLS - 1) / NODE_CELLS + 1 + 2 * margin);
    lattice->row_count = (int32_t)((raster->row_count + NODE_CELLS - 1) / NODE_CELLS + 1 + 2 * margin);
    lattice->nodes_per_unit = (float)(1.0 / (NODE_CELLS * cell_units));
}

static rcity_status fill(rcity_context *context, const rcity_shapes *shapes, rcity_built_up *made)
{
    const char *what = "surroundings";
    rcity_raster raster = make_raster(shapes);
    roof_sums sums = {raster.column_count, raster.row_count, NULL, NULL};
    size_t corners = (size_t)((sums.column_count + 1) * (sums.row_count + 1));
    int64_t reach = (int64_t)ceil(RCITY_BUILT_UP_REACH_M / raster.cell_m);
    int64_t margin = (reach + NODE_CELLS - 1) / NODE_CELLS + 1;
    float *roof_m = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)(sums.column_count * sums.row_count), sizeof *roof_m, what, &roof_m));
    RCITY_TRY_DONE(rcity_alloc(context, corners, sizeof *sums.built, what, &sums.built));
    RCITY_TRY_DONE(rcity_alloc(context, corners, sizeof *sums.height, what, &sums.height));
    RCITY_TRY_DONE(rcity_raster_cover(context, shapes, &raster, roof_m));
    add_up(shapes, &raster, roof_m, &sums);
    place_lattice(shapes, &raster, margin, made);
    RCITY_TRY_DONE(rcity_alloc(context, rcity_built_up_node_count(made), sizeof *made->nodes, what, &made->nodes));
    for (int32_t row = 0; row < made->lattice.row_count; row++) {
        for (int32_t column = 0; column < made->lattice.column_count; column++) {
            made->nodes[row * made->lattice.column_count + column] =
                mean_around(&sums, (column - margin) * NODE_CELLS, (row - margin) * NODE_CELLS, reach);
        }
    }
done:
    rcity_release(context, sums.height);
    rcity_release(context, sums.built);
    rcity_release(context, roof_m);
    return status;
}

rcity_status rcity_built_up_create(rcity_context *context, const rcity_shapes *shapes, rcity_built_up **built_up)
{
    rcity_built_up *made = NULL;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "surroundings", &made));
    made->shapes = shapes;
    rcity_status status = fill(context, shapes, made);
    if (status != RCITY_OK) {
        rcity_built_up_destroy(context, &made);
        return status;
    }
    *built_up = made;
    return RCITY_OK;
}

void rcity_built_up_destroy(rcity_context *context, rcity_built_up **built_up)
{
    if (built_up != NULL && *built_up != NULL) {
        rcity_release(context, (*built_up)->nodes);
        rcity_release(context, *built_up);
        *built_up = NULL;
    }
}

size_t rcity_built_up_node_count(const rcity_built_up *built_up)
{
    return (size_t)built_up->lattice.column_count * (size_t)built_up->lattice.row_count;
}

rcity_surroundings_node rcity_built_up_at(const rcity_built_up *built_up, int32_t x, int32_t y)
{
    return rcity_surroundings_node_at(&built_up->lattice, built_up->nodes,
                                      rcity_surroundings_locate(&built_up->lattice, x, y));
}

typedef struct measure_work {
    const rcity_built_up *built_up;
    rcity_grid_point3 from;
    double from_m; /* height of the source, or of the roofs around it */
    rcity_surroundings_line *lines;
} measure_work;

/* The share of built ground between nodes; nothing is built beyond them. `column` and `row` count nodes. */
static double share_at(const rcity_built_up *built_up, double column, double row)
{
    const rcity_surroundings_lattice *lattice = &built_up->lattice;
    if (!(column >= 0.0 && row >= 0.0 && column < lattice->column_count - 1 && row < lattice->row_count - 1)) {
        return 0.0;
    }
    int32_t i = (int32_t)column;
    int32_t k = (int32_t)row;
    rcity_surroundings_place place = {k * lattice->column_count + i, (float)(column - i), (float)(row - k)};
    return (double)rcity_surroundings_node_at(lattice, built_up->nodes, place).built_share;
}

/* From a node to the source, by the middles of equal steps of at most a node's distance. The steps are the same in both
   directions. */
static double measure_line(const rcity_built_up *built_up, double from_column, double from_row, double to_column,
                           double to_row)
{
    double length = hypot(to_column - from_column, to_row - from_row);
    int steps = (int)fmax(ceil(length), 1.0);
    double step_columns = (to_column - from_column) / steps;
    double step_rows = (to_row - from_row) / steps;
    double sum = 0.0;
    for (int i = 0; i < steps; i++) {
        sum += share_at(built_up, from_column + (i + 0.5) * step_columns, from_row + (i + 0.5) * step_rows);
    }
    return sum / steps * length;
}

/* Height of the roofs over the ground that a path to a place comes over, and of that ground; no less than this. */
#define ROOF_MIN_M 10.0

static double roofs_m(const rcity_built_up *built_up, double x, double y)
{
    int32_t at_x = (int32_t)lround(x);
    int32_t at_y = (int32_t)lround(y);
    double roof_m = (double)rcity_built_up_at(built_up, at_x, at_y).roof_m;
    return ground_at(built_up->shapes, at_x, at_y) / RCITY_HEIGHT_UNITS_PER_M + fmax(roof_m, ROOF_MIN_M);
}

/* The ground that rises highest over the line from the source to a node, and as the roofs there see it, at points a node's
   distance apart. */
static void measure_hills(const measure_work *work, double to_x, double to_y, double node_units,
                          rcity_surroundings_line *line)
{
    const rcity_shapes *shapes = work->built_up->shapes;
    double dx = to_x - work->from.x;
    double dy = to_y - work->from.y;
    double length = hypot(dx, dy);
    int steps = (int)fmax(ceil(length / node_units), 1.0);
    double length_m = length / shapes->units_per_m;
    double to_m = roofs_m(work->built_up, to_x, to_y);
    double most = -HUGE_VAL;
    double steepest = 0.0;
    for (int i = 1; i < steps; i++) {
        double part = (double)i / steps;
        int32_t x = (int32_t)lround(work->from.x + part * dx);
        int32_t y = (int32_t)lround(work->from.y + part * dy);
        if (rcity_terrain_contains(&shapes->terrain, x, y)) {
            double ground_m = rcity_terrain_height(&shapes->terrain, x, y) / RCITY_HEIGHT_UNITS_PER_M;
            double rise_m = ground_m - work->from_m - part * (to_m - work->from_m);
            most = fmax(most, rise_m * sqrt(2.0 / (part * (1.0 - part) * length_m)));
            steepest = fmax(steepest, (ground_m - to_m) / ((1.0 - part) * length_m));
        }
    }
    line->hill_root_m = fmaxf((float)most, RCITY_SURROUNDINGS_NO_HILL);
    line->hill_slope = (float)steepest;
}

/* An rcity_parallel_function: rows of nodes. */
static void measure_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const measure_work *work = user;
    const rcity_surroundings_lattice *lattice = &work->built_up->lattice;
    double nodes_per_unit = (double)lattice->nodes_per_unit;
    double from_column = ((double)work->from.x - lattice->west) * nodes_per_unit;
    double from_row = ((double)work->from.y - lattice->south) * nodes_per_unit;
    double node_m = 1.0 / (nodes_per_unit * work->built_up->shapes->units_per_m);
    bool has_terrain = work->built_up->shapes->terrain.column_count > 0;
    for (int64_t row = begin; row < end; row++) {
        for (int32_t column = 0; column < lattice->column_count; column++) {
            double length = measure_line(work->built_up, from_column, from_row, column, (double)row);
            rcity_surroundings_line *line = &work->lines[row * lattice->column_count + column];
            line->built_m = (float)(length * node_m);
            line->hill_root_m = RCITY_SURROUNDINGS_NO_HILL;
            line->hill_slope = 0.0f;
            if (has_terrain) {
                measure_hills(work, lattice->west + column / nodes_per_unit,
                              lattice->south + (double)row / nodes_per_unit, 1.0 / nodes_per_unit, line);
            }
        }
    }
}

void rcity_built_up_measure(rcity_context *context, const rcity_built_up *built_up, rcity_grid_point3 from,
                            rcity_surroundings_line *lines)
{
    double from_m = fmax((double)from.z / RCITY_HEIGHT_UNITS_PER_M, roofs_m(built_up, from.x, from.y));
    measure_work work = {built_up, from, from_m, lines};
    rcity_parallel(context, built_up->lattice.row_count, 1, measure_rows, &work);
}
