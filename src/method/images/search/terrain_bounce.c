/* Bounces off terrain: the image in each triangle's plane, and whether the straight line to it meets the triangle.
   Triangles are left out only when they provably cannot reflect. Let a and b lead from the point P of the bounce to
   both ends, and N = (-gx, -gy, 1) be normal to a plane with the slopes g. Then A = N . a and B = N . b are positive,
   and along the plane a / A = -b / B. Seen along the line between the ends, u, and across it, v, where a and b have the
   same part:

       across   a_v + g_v (a share of a_z and the rest of b_z) = 0
       along    (a_u + g_u a_z) B + (b_u + g_u b_z) A = 0

   Ranges of the places, heights and slopes of a block give ranges of these: where 0 lies outside one of them, nothing
   reflects. */
#include "method/images/search/terrain_bounce.h"

#include <math.h>

#include "base/order.h"
#include "method/path_ends.h"

#define MARGIN_M     1e-5 /* slack of places: far more than rounding, far less than a cell */
#define MARGIN_PART  1e-9 /* relative slack of sums: likewise */
#define MARGIN_SLOPE 1e-12

/* A range of numbers. */
typedef struct range {
    double low, high;
} range;

static range range_sum(range a, range b)
{
    return (range){a.low + b.low, a.high + b.high};
}

static range range_product(range a, range b)
{
    double p = a.low * b.low;
    double q = a.low * b.high;
    double r = a.high * b.low;
    double s = a.high * b.high;
    return (range){fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s))};
}

static range range_scaled(range a, double factor)
{
    return factor >= 0.0 ? (range){a.low * factor, a.high * factor} : (range){a.high * factor, a.low * factor};
}

/* The differences from a place to the places of a range. */
static range range_from(double value, range a)
{
    return (range){value - a.high, value - a.low};
}

static bool may_be_zero(range a, range b)
{
    double size = fmax(fmax(fabs(a.low), fabs(a.high)), fmax(fabs(b.low), fabs(b.high)));
    range sum = range_sum(a, b);
    return sum.low <= MARGIN_PART * size && sum.high >= -MARGIN_PART * size;
}

/* A search for bounces between two ends, both moved aside. */
typedef struct bounce_search {
    const rcity_facet_table *world;
    const rcity_terrain_tree *tree;
    rcity_place3 tx, rx;
    double along_x, along_y; /* unit vector of the plan from tx to rx */
    double unit_m, rise_to_slope;
    int32_t *objects; /* triangles that the path meets */
    size_t count, capacity;
} bounce_search;

static bool may_reflect(const bounce_search *search, int level, int64_t column, int64_t row)
{
    const rcity_terrain_tree *tree = search->tree;
    const rcity_terrain_grid *terrain = &search->world->shapes->terrain;
    const rcity_terrain_block *block = &tree->blocks[tree->first[level] + row * tree->column_count[level] + column];
    double side_m = ldexp(RCITY_TERRAIN_TREE_LEAF, level) * terrain->cell * search->unit_m;
    double west = terrain->west * search->unit_m + (double)column * side_m;
    double south = terrain->south * search->unit_m + (double)row * side_m;
    range x = {west - MARGIN_M, west + side_m + MARGIN_M};
    range y = {south - MARGIN_M, south + side_m + MARGIN_M};
    range z = {(double)block->height[0] / RCITY_HEIGHT_UNITS_PER_M - MARGIN_M,
               (double)block->height[1] / RCITY_HEIGHT_UNITS_PER_M + MARGIN_M};
    range gx = {block->rise_x[0] * search->rise_to_slope - MARGIN_SLOPE,
                block->rise_x[1] * search->rise_to_slope + MARGIN_SLOPE};
    range gy = {block->rise_y[0] * search->rise_to_slope - MARGIN_SLOPE,
                block->rise_y[1] * search->rise_to_slope + MARGIN_SLOPE};
    double ux = search->along_x;
    double uy = search->along_y;
    range g_u = range_sum(range_scaled(gx, ux), range_scaled(gy, uy));
    range g_v = range_sum(range_scaled(gx, -uy), range_scaled(gy, ux));
    range to_x = range_from(search->tx.x, x);
    range to_y = range_from(search->tx.y, y);
    range a_v = range_sum(range_scaled(to_x, -uy), range_scaled(to_y, ux));
    range a_z = range_from(search->tx.z, z);
    range b_z = range_from(search->rx.z, z);
    range any_z = {fmin(a_z.low, b_z.low), fmax(a_z.high, b_z.high)};
    if (!may_be_zero(a_v, range_product(g_v, any_z))) {
        return false;
    }
    range a_u = range_sum(range_scaled(to_x, ux), range_scaled(to_y, uy));
    range b_u = range_sum(range_scaled(range_from(search->rx.x, x), ux), range_scaled(range_from(search->rx.y, y), uy));
    range sideways = range_scaled(range_product(g_v, a_v), -1.0);
    range over_a = range_sum(range_sum(a_z, range_scaled(range_product(g_u, a_u), -1.0)), sideways);
    range over_b = range_sum(range_sum(b_z, range_scaled(range_product(g_u, b_u), -1.0)), sideways);
    if (over_a.high <= 0.0 || over_b.high <= 0.0) {
        return false;
    }
    over_a.low = fmax(over_a.low, 0.0);
    over_b.low = fmax(over_b.low, 0.0);
    return may_be_zero(range_product(range_sum(a_u, range_product(g_u, a_z)), over_b),
                       range_product(range_sum(b_u, range_product(g_u, b_z)), over_a));
}

/* Where the path between two ends bounces off a plane that both are above. */
static bool find_bounce(const rcity_mirror *mirror, rcity_place3 tx, rcity_place3 rx, rcity_place3 *at)
{
    double tx_over = rcity_mirror_distance(mirror, tx);
    double rx_over = rcity_mirror_distance(mirror, rx);
    if (tx_over <= 0.0 || rx_over <= 0.0) {
        return false;
    }
    double part = tx_over / (tx_over + rx_over);
    rcity_place3 image = {tx.x - 2.0 * tx_over * mirror->normal.x, tx.y - 2.0 * tx_over * mirror->normal.y,
                          tx.z - 2.0 * tx_over * mirror->normal.z};
    *at = (rcity_place3){image.x + part * (rx.x - image.x), image.y + part * (rx.y - image.y),
                         image.z + part * (rx.z - image.z)};
    return true;
}

/* Half-open at the diagonal and the upper borders, so that no place belongs to two triangles. */
static bool lies_in_triangle(const rcity_facet_table *world, int64_t column, int64_t row, bool is_upper,
                             rcity_place3 at)
{
    const rcity_terrain_grid *terrain = &world->shapes->terrain;
    double u = (at.x * world->shapes->units_per_m - terrain->west) / terrain->cell - (double)column;
    double v = (at.y * world->shapes->units_per_m - terrain->south) / terrain->cell - (double)row;
    return u >= 0.0 && v >= 0.0 && u < 1.0 && v < 1.0 && (is_upper ? v > u : v <= u);
}

/* Collect the triangles in a box of cells that the path meets. */
static rcity_status try_cells(rcity_context *context, bounce_search *search, int64_t column, int64_t row,
                              int64_t column_end, int64_t row_end)
{
    for (int64_t y = row; y < row_end; y++) {
        for (int64_t x = column; x < column_end; x++) {
            for (int half = 0; half < 2; half++) {
                int32_t object = rcity_trace_terrain_object(search->world, x, y, half == 1);
                rcity_mirror mirror;
                rcity_place3 at;
                rcity_trace_mirror(search->world, object, &mirror);
                if (find_bounce(&mirror, search->tx, search->rx, &at) &&
                    lies_in_triangle(search->world, x, y, half == 1, at)) {
                    RCITY_TRY(rcity_reserve(context, search->count + 1, sizeof *search->objects, &search->capacity,
                                            "bounces off terrain", &search->objects));
                    search->objects[search->count++] = object;
                }
            }
        }
    }
    return RCITY_OK;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* From a block down to the cells that may reflect. */
static rcity_status descend(rcity_context *context, bounce_search *search, int level, int64_t column, int64_t row)
{
    const rcity_terrain_tree *tree = search->tree;
    const rcity_terrain_grid *terrain = &search->world->shapes->terrain;
    if (!may_reflect(search, level, column, row)) {
        return RCITY_OK;
    }
    if (level == 0) {
        int64_t x = column * RCITY_TERRAIN_TREE_LEAF;
        int64_t y = row * RCITY_TERRAIN_TREE_LEAF;
        return try_cells(context, search, x, y, smaller(x + RCITY_TERRAIN_TREE_LEAF, terrain->column_count - 1),
                         smaller(y + RCITY_TERRAIN_TREE_LEAF, terrain->row_count - 1));
    }
    for (int64_t y = 2 * row; y < smaller(2 * row + 2, tree->row_count[level - 1]); y++) {
        for (int64_t x = 2 * column; x < smaller(2 * column + 2, tree->column_count[level - 1]); x++) {
            RCITY_TRY(descend(context, search, level - 1, x, y));
        }
    }
    return RCITY_OK;
}

/* Check the path over one triangle, and keep it as it runs between the original ends. */
static rcity_status keep_bounce(rcity_context *context, const rcity_search *search, const bounce_search *bounces,
                                int32_t object, int32_t *found, rcity_place3 rx, rcity_path_list *list)
{
    rcity_mirror mirror;
    rcity_trace_mirror(search->world, object, &mirror);
    rcity_trace_path path;
    path.event_count = 1;
    path.event[0].kind = RCITY_EVENT_REFLECTION;
    path.event[0].object = object;
    rcity_trace_path exact = path;
    path.tx = bounces->tx;
    path.rx = bounces->rx;
    exact.tx = search->tx;
    exact.rx = rx;
    if (!find_bounce(&mirror, path.tx, path.rx, &path.event[0].point) ||
        !rcity_path_check(&search->checker, found, &path)) {
        return RCITY_OK;
    }
    if (find_bounce(&mirror, exact.tx, exact.rx, &exact.event[0].point)) {
        (void)rcity_path_move(search->world, &exact, &path);
    }
    return rcity_path_list_add(context, list, &path);
}

rcity_status rcity_terrain_bounce_find(rcity_context *context, const rcity_search *search, int32_t *found,
                                       rcity_place3 rx_aside, rcity_place3 rx, rcity_path_list *list)
{
    const rcity_facet_table *world = search->world;
    const rcity_terrain_grid *terrain = &world->shapes->terrain;
    if (terrain->column_count < 2 || terrain->row_count < 2) {
        return RCITY_OK;
    }
    double dx = rx_aside.x - search->tx_aside.x;
    double dy = rx_aside.y - search->tx_aside.y;
    double distance = hypot(dx, dy);
    bounce_search bounces = {world, search->terrain_tree, search->tx_aside, rx_aside, 1.0, 0.0, 0.0, 0.0, NULL, 0, 0};
    if (distance > 0.0) {
        bounces.along_x = dx / distance;
        bounces.along_y = dy / distance;
    }
    bounces.unit_m = 1.0 / world->shapes->units_per_m;
    bounces.rise_to_slope = 1.0 / RCITY_HEIGHT_UNITS_PER_M / (terrain->cell * bounces.unit_m);
    rcity_status status;
    if (bounces.tree != NULL) {
        RCITY_TRY_DONE(descend(context, &bounces, bounces.tree->level_count - 1, 0, 0));
    } else {
        RCITY_TRY_DONE(try_cells(context, &bounces, 0, 0, terrain->column_count - 1, terrain->row_count - 1));
    }
    rcity_sort_int32s(bounces.objects, bounces.count);
    for (size_t i = 0; i < bounces.count; i++) {
        RCITY_TRY_DONE(keep_bounce(context, search, &bounces, bounces.objects[i], found, rx, list));
    }
    status = RCITY_OK;
done:
    rcity_release(context, bounces.objects);
    return status;
}
