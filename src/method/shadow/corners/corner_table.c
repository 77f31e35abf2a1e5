/* The corners of the city that can diffract: those with open air around them, known before any source is. */
#include "method/shadow/corners/corner_table.h"

#include <math.h>
#include <string.h>

#include "method/shadow/corners/corner_span.h"
#include "scene/place/terrain.h"

int32_t rcity_corner_height_step(int32_t level)
{
    int32_t height = 2 * RCITY_HEIGHT_UNITS_PER_M;
    while (height <= level && height < RCITY_CORNER_HEIGHT_STEP_MAX) {
        height *= 2;
    }
    return height;
}

int32_t rcity_corner_level(const rcity_shapes *shapes, rcity_grid_point3 at)
{
    const rcity_terrain_grid *terrain = &shapes->terrain;
    if (terrain->column_count == 0 || !rcity_terrain_contains(terrain, at.x, at.y)) {
        return at.z;
    }
    return (int32_t)lround(at.z - rcity_terrain_height(terrain, at.x, at.y));
}

rcity_status rcity_corner_plane_init(rcity_context *context, const rcity_sight *sight, int32_t level,
                                     rcity_los_plane *plane)
{
    const rcity_shapes *shapes = sight->shapes;
    double unit_m = 1.0 / shapes->units_per_m;
    rcity_raster raster;
    memset(&raster, 0, sizeof raster);
    raster.west_m = shapes->origin_x_m + shapes->x_min * unit_m;
    raster.north_m = shapes->origin_y_m + shapes->y_max * unit_m;
    raster.cell_m = 2.0 * unit_m;
    raster.column_count = 1;
    raster.row_count = 1;
    return rcity_los_plane_init(context, shapes, sight, &raster, (double)level / RCITY_HEIGHT_UNITS_PER_M, plane);
}

int32_t rcity_corner_table_step(const rcity_corner_table *corners, rcity_grid_point3 source)
{
    int32_t level = rcity_corner_level(corners->plane->shapes, source);
    return rcity_corner_height_step(level < corners->plane->level ? level : corners->plane->level);
}

rcity_corner_place rcity_corner_table_place(const rcity_corner_table *corners, int32_t corner)
{
    const rcity_los_wall *last = &corners->plane->walls[corners->wall_before[corner]];
    const rcity_los_wall *next = &corners->plane->walls[corners->wall_after[corner]];
    return (rcity_corner_place){
        last->ax, last->ay, next->ax, next->ay, next->bx, next->by, corners->ground[corner], next->roof - 1};
}

bool rcity_corner_table_has(const rcity_sight *sight, rcity_grid_point3 source, const rcity_corner_place *corner,
                            int32_t height)
{
    return rcity_corner_diffracts(corner, source.x, source.y) &&
           rcity_sight_is_free(sight, source, (rcity_grid_point3){corner->x, corner->y, height});
}

/* Marks the corners that are open at the height of the plane's receivers. */
static rcity_status open_corners(rcity_context *context, rcity_corner_table *corners)
{
    const rcity_los_plane *plane = corners->plane;
    rcity_corner_span *spans = NULL;
    RCITY_TRY(rcity_corner_spans_make(context, plane->sight, &spans));
    for (int64_t i = 0; i < plane->shapes->point_count; i++) {
        corners->is_open[i] = rcity_corner_is_open(spans[i], plane->level);
    }
    rcity_release(context, spans);
    return RCITY_OK;
}

/* The ground at a corner; a height above it is never put below the terrain. */
static int32_t find_ground(const rcity_los_plane *plane, const rcity_los_wall *wall)
{
    const rcity_terrain_grid *terrain = &plane->shapes->terrain;
    if (plane->z != NULL && rcity_terrain_contains(terrain, wall->ax, wall->ay)) {
        double ground = rcity_terrain_height(terrain, wall->ax, wall->ay);
        return rcity_terrain_snap_height(terrain, wall->ax, wall->ay, ground);
    }
    return 0;
}

/* The walls at each corner; where a building touches itself there is no corner. */
static void join_walls(rcity_corner_table *corners)
{
    const rcity_los_plane *plane = corners->plane;
    for (int32_t i = 0; i < plane->wall_count; i++) {
        const rcity_los_wall *wall = &plane->walls[i];
        if (wall->a >= 0) {
            corners->wall_after[wall->a] = i;
            corners->ground[wall->a] = find_ground(plane, wall);
        }
        if (wall->b >= 0) {
            corners->wall_before[wall->b] = i;
        }
    }
}

rcity_status rcity_corner_table_init(rcity_context *context, const rcity_los_plane *plane, rcity_corner_table *corners)
{
    size_t points = (size_t)plane->shapes->point_count + 1;
    memset(corners, 0, sizeof *corners);
    corners->plane = plane;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, points, sizeof *corners->wall_before, "corners", &corners->wall_before));
    RCITY_TRY_DONE(rcity_alloc(context, points, sizeof *corners->wall_after, "corners", &corners->wall_after));
    RCITY_TRY_DONE(rcity_alloc(context, points, sizeof *corners->is_open, "corners", &corners->is_open));
    RCITY_TRY_DONE(rcity_alloc(context, points, sizeof *corners->ground, "corners", &corners->ground));
    memset(corners->wall_before, -1, points * sizeof *corners->wall_before);
    memset(corners->wall_after, -1, points * sizeof *corners->wall_after);
    join_walls(corners);
    RCITY_TRY_DONE(open_corners(context, corners));
done:
    if (status != RCITY_OK) {
        rcity_corner_table_deinit(context, corners);
    }
    return status;
}

rcity_status rcity_corner_corners_alloc_views(rcity_context *context, const rcity_corner_table *corners,
                                              int32_t **view_of)
{
    size_t points = (size_t)corners->plane->shapes->point_count + 1;
    RCITY_TRY(rcity_alloc(context, points, sizeof **view_of, "corners", view_of));
    memset(*view_of, -1, points * sizeof **view_of);
    return RCITY_OK;
}

void rcity_corner_table_deinit(rcity_context *context, rcity_corner_table *corners)
{
    rcity_release(context, corners->ground);
    rcity_release(context, corners->is_open);
    rcity_release(context, corners->wall_after);
    rcity_release(context, corners->wall_before);
    memset(corners, 0, sizeof *corners);
}
