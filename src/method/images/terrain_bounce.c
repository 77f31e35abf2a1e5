/* Bounces off terrain: the image in each triangle's plane, and whether the straight way to it meets the triangle. */
#include "method/images/terrain_bounce.h"

#include <math.h>

/* Does the way from the image of `tx` in a mirror to `rx` pass the mirror's triangle? Half-open at the diagonal and the
   upper rims, so that no place belongs to two. */
static bool meets_triangle(const rcity_trace_world *world, const rcity_mirror *mirror, int64_t column, int64_t row,
                           bool is_upper, rcity_place3 tx, rcity_place3 rx, rcity_place3 *at)
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
    const rcity_terrain_grid *terrain = &world->shapes->terrain;
    double u = (at->x * world->shapes->units_per_m - terrain->west) / terrain->cell - (double)column;
    double v = (at->y * world->shapes->units_per_m - terrain->south) / terrain->cell - (double)row;
    return u >= 0.0 && v >= 0.0 && u < 1.0 && v < 1.0 && (is_upper ? v > u : v <= u);
}

rcity_status rcity_terrain_bounce_find(rcity_context *context, const rcity_search *search, int32_t *found,
                                       rcity_place3 rx, rcity_path_list *list)
{
    const rcity_trace_world *world = search->world;
    const rcity_terrain_grid *terrain = &world->shapes->terrain;
    rcity_trace_path path;
    path.tx = search->tx;
    path.rx = rx;
    for (int64_t row = 0; row + 1 < terrain->row_count; row++) {
        for (int64_t column = 0; column + 1 < terrain->column_count; column++) {
            for (int half = 0; half < 2; half++) {
                int32_t object = rcity_trace_terrain_object(world, column, row, half == 1);
                rcity_mirror mirror;
                rcity_trace_mirror(world, object, &mirror);
                path.event_count = 1;
                path.event[0].kind = RCITY_EVENT_REFLECTION;
                path.event[0].object = object;
                if (meets_triangle(world, &mirror, column, row, half == 1, search->tx, rx, &path.event[0].point) &&
                    rcity_path_check(&search->checker, found, &path)) {
                    RCITY_TRY(rcity_path_list_add(context, list, &path));
                }
            }
        }
    }
    return RCITY_OK;
}
