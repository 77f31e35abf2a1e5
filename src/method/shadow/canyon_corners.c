/* Where waves can bend: corners of the city that are open to the air, known before any source is. */
#include "method/shadow/canyon_corners.h"

#include <math.h>
#include <string.h>

#include "kernel/shadow/corner_item.h"

int32_t rcity_canyon_height(rcity_grid_point3 source, int32_t roof)
{
    return rcity_corner_height(source.z, roof);
}

bool rcity_canyon_is_corner(const rcity_sight *sight, rcity_grid_point3 source, rcity_grid_point before,
                            rcity_grid_point at, rcity_grid_point after, int32_t height)
{
    rcity_corner_place corner = {before.x, before.y, at.x, at.y, after.x, after.y, height, 0};
    return rcity_corner_bends(&corner, source.x, source.y) &&
           rcity_sight_is_free(sight, source, (rcity_grid_point3){at.x, at.y, height});
}

/* How near an end of a facade is to a corner, which it was cut from in single precision. */
#define SAME_M 1e-2

static bool is_at(const rcity_shapes *shapes, float x_m, float y_m, int32_t point)
{
    double dx = (double)x_m - (double)shapes->points[point].x / shapes->units_per_m;
    double dy = (double)y_m - (double)shapes->points[point].y / shapes->units_per_m;
    return fabs(dx) < SAME_M && fabs(dy) < SAME_M;
}

/* A corner is open where the facades of both its walls reach it. Along a row of houses walls meet in line: the walls between
   them are no facades. */
static void open_corners(rcity_canyon_corners *corners)
{
    const rcity_shapes *shapes = corners->plane->shapes;
    const uint8_t starts = 1, ends = 2;
    for (int64_t i = 0; i < shapes->facade_count; i++) {
        const rcity_facade *facade = &shapes->facades[i];
        int32_t wall = corners->wall_after[facade->edge];
        double above = (double)facade->bottom_m * RCITY_HEIGHT_UNITS_PER_M - shapes->prisms[facade->prism].ground;
        if (wall < 0 || above > corners->plane->level) {
            continue; /* a strip over a neighbour's roof */
        }
        int32_t a = facade->edge;
        int32_t b = corners->plane->walls[wall].b;
        if (is_at(shapes, facade->x1_m, facade->y1_m, a)) {
            corners->is_open[a] |= starts;
        }
        if (b >= 0 && is_at(shapes, facade->x2_m, facade->y2_m, b)) {
            corners->is_open[b] |= ends;
        }
    }
    for (int64_t i = 0; i < shapes->point_count; i++) {
        corners->is_open[i] = corners->is_open[i] == (starts | ends);
    }
}

rcity_status rcity_canyon_corners_init(rcity_context *context, const rcity_los_plane *plane,
                                       rcity_canyon_corners *corners)
{
    size_t points = (size_t)plane->shapes->point_count + 1;
    memset(corners, 0, sizeof *corners);
    corners->plane = plane;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, points, sizeof *corners->view_of, "corners", &corners->view_of));
    RCITY_TRY_DONE(rcity_alloc(context, points, sizeof *corners->wall_before, "corners", &corners->wall_before));
    RCITY_TRY_DONE(rcity_alloc(context, points, sizeof *corners->wall_after, "corners", &corners->wall_after));
    RCITY_TRY_DONE(rcity_alloc(context, points, sizeof *corners->is_open, "corners", &corners->is_open));
    memset(corners->view_of, -1, points * sizeof *corners->view_of);
    memset(corners->wall_before, -1, points * sizeof *corners->wall_before);
    memset(corners->wall_after, -1, points * sizeof *corners->wall_after);
    for (int32_t i = 0; i < plane->wall_count; i++) {
        if (plane->walls[i].a >= 0) { /* where a building touches itself there is no corner */
            corners->wall_after[plane->walls[i].a] = i;
        }
        if (plane->walls[i].b >= 0) {
            corners->wall_before[plane->walls[i].b] = i;
        }
    }
    open_corners(corners);
done:
    if (status != RCITY_OK) {
        rcity_canyon_corners_deinit(context, corners);
    }
    return status;
}

void rcity_canyon_corners_deinit(rcity_context *context, rcity_canyon_corners *corners)
{
    rcity_release(context, corners->is_open);
    rcity_release(context, corners->wall_after);
    rcity_release(context, corners->wall_before);
    rcity_release(context, corners->view_of);
    memset(corners, 0, sizeof *corners);
}
