/* Moving ends aside, and off what they touch. */
#include "method/path_ends.h"

#include <math.h>

#include "scene/shape/prism.h"

#define OFF_SURFACE_M 1e-3

/* More than rounding anywhere in a scene, a hundredth of what the grid resolves, in no simple ratio. */
rcity_place3 rcity_path_end_tx_aside(rcity_place3 tx)
{
    return (rcity_place3){tx.x + 17.3e-6, tx.y + 29.7e-6, tx.z + 11.9e-6};
}

rcity_place3 rcity_path_end_rx_aside(rcity_place3 rx, int side)
{
    rx.x += side % 2 == 0 ? 31.1e-6 : -31.1e-6;
    rx.y += side / 2 % 2 == 0 ? -13.7e-6 : 13.7e-6;
    rx.z += side / 4 == 0 ? 19.3e-6 : -19.3e-6;
    return rx;
}

/* Move an end away from the walls of one ring that it touches; the solid is on their left. Whether an end is in a building
   is decided on the scene's grid, so one that is in the open may lie behind a wall by up to a unit of it. */
static void leave_walls(const rcity_shapes *shapes, int32_t ring, rcity_place3 *end)
{
    double unit_m = 1.0 / shapes->units_per_m;
    for (int32_t i = shapes->ring_first[ring]; i < shapes->ring_first[ring + 1]; i++) {
        rcity_grid_point p = shapes->points[i];
        rcity_grid_point q = shapes->points[rcity_ring_next(shapes->ring_first, ring, i)];
        double dx = ((double)q.x - p.x) * unit_m;
        double dy = ((double)q.y - p.y) * unit_m;
        double length = hypot(dx, dy);
        double to_x = end->x - p.x * unit_m;
        double to_y = end->y - p.y * unit_m;
        double along = (to_x * dx + to_y * dy) / length;
        double off = (to_x * dy - to_y * dx) / length;
        if (off < OFF_SURFACE_M && off > -fmax(OFF_SURFACE_M, unit_m) && along > -OFF_SURFACE_M && along < length + OFF_SURFACE_M) {
            end->x += (OFF_SURFACE_M - off) * dy / length;
            end->y -= (OFF_SURFACE_M - off) * dx / length;
        }
    }
}

/* Move an end up from a surface, to a minimum distance. */
static void rise_over(const rcity_mirror *surface, rcity_place3 *end)
{
    double over = rcity_mirror_distance(surface, *end);
    if (over < OFF_SURFACE_M) {
        end->z += (OFF_SURFACE_M - over) / surface->normal.z;
    }
}

static void leave_ground(const rcity_facet_table *world, rcity_place3 *end)
{
    const rcity_terrain_grid *terrain = &world->shapes->terrain;
    rcity_mirror ground;
    if (terrain->column_count == 0) {
        rise_over(&world->mirrors[world->wall_count + world->roof_count], end);
        return;
    }
    double u = (end->x * world->shapes->units_per_m - terrain->west) / terrain->cell;
    double v = (end->y * world->shapes->units_per_m - terrain->south) / terrain->cell;
    double column = floor(u);
    double row = floor(v);
    if (column >= 0.0 && row >= 0.0 && column + 1.0 < terrain->column_count && row + 1.0 < terrain->row_count) {
        bool is_upper = v - row > u - column;
        rcity_trace_mirror(world, rcity_trace_terrain_object(world, (int64_t)column, (int64_t)row, is_upper), &ground);
        rise_over(&ground, end);
    }
}

rcity_place3 rcity_path_end_in_air(const rcity_facet_table *world, const rcity_plan_index *prism_index,
                                   rcity_place3 end)
{
    const rcity_shapes *shapes = world->shapes;
    rcity_grid_point at = {(int32_t)round(end.x * shapes->units_per_m), (int32_t)round(end.y * shapes->units_per_m)};
    rcity_plan_box box = {at.x - 1, at.y - 1, at.x + 1, at.y + 1};
    rcity_plan_walk walk;
    leave_ground(world, &end);
    rcity_plan_walk_init(prism_index, box, &walk);
    for (int32_t i = rcity_plan_walk_next(&walk); i >= 0; i = rcity_plan_walk_next(&walk)) {
        const rcity_prism *prism = &shapes->prisms[i];
        rcity_plan_box prism_box = {prism->x_min, prism->y_min, prism->x_max, prism->y_max};
        const rcity_mirror *roof = &world->mirrors[world->wall_count + i];
        if (!rcity_plan_walk_is_first(&walk, prism_box)) {
            continue;
        }
        for (int32_t ring = 0; ring < prism->ring_count && end.z < roof->offset; ring++) {
            leave_walls(shapes, prism->first_ring + ring, &end);
        }
        if (end.z >= roof->offset && rcity_prism_owns(shapes, prism, at)) {
            rise_over(roof, &end);
        }
    }
    return end;
}
