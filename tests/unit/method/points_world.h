/* A scene, its sight and random places in it. */
#ifndef RCITY_TEST_POINTS_WORLD_H
#define RCITY_TEST_POINTS_WORLD_H

#include "rcity_test.h"

#include "method/shadow/trace/shadow_points.h"
#include "scene/place/terrain.h"

typedef struct points_world {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_sight *sight;
    rcity_device *device;
} points_world;

/* Takes the scene over. */
static inline void points_world_open(rcity_context *context, rcity_scene *scene, points_world *w)
{
    memset(w, 0, sizeof *w);
    w->context = context;
    w->scene = scene;
    w->shapes = rcity_scene_shapes(scene);
    assert_ok(context, rcity_sight_create(context, w->shapes, &w->sight));
    assert_ok(context, rcity_device_open(context, "host", &w->device));
}

static inline void points_world_close(points_world *w)
{
    rcity_device_close(&w->device);
    rcity_sight_destroy(w->context, &w->sight);
    rcity_scene_destroy(&w->scene);
}

/* A random place at a height above ground. */
static inline rcity_grid_point3 draw_point(const points_world *w, uint64_t seed, uint64_t at, double height_m)
{
    const rcity_shapes *shapes = w->shapes;
    rcity_grid_point3 place = {(int32_t)test_uniform(seed, at, shapes->x_min, shapes->x_max),
                               (int32_t)test_uniform(seed, at + 1, shapes->y_min, shapes->y_max), 0};
    place.z = rcity_terrain_snap_height(&shapes->terrain, place.x, place.y,
                                        rcity_terrain_height(&shapes->terrain, place.x, place.y) +
                                            height_m * RCITY_HEIGHT_UNITS_PER_M);
    return place;
}

/* Outside of buildings. */
static inline rcity_grid_point3 draw_outdoors(const points_world *w, uint64_t seed, uint64_t at, double height_m)
{
    rcity_grid_point3 place = draw_point(w, seed, at, height_m);
    while (rcity_los_locate(w->sight, place) != RCITY_PLACE_OUTSIDE) {
        at += 100000;
        place = draw_point(w, seed, at, height_m);
    }
    return place;
}

#endif
