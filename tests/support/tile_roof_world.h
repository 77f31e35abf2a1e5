/* A scene whose paths over roofs are sought from any place to any other, one by one or many at once. */
#ifndef RCITY_TEST_TILE_ROOF_WORLD_H
#define RCITY_TEST_TILE_ROOF_WORLD_H

#include "rcity_test.h"

#include "method/over_roofs/tile_roofs.h"

typedef struct tile_roof_world {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_sight *sight;
    rcity_device *device;
} tile_roof_world;

static inline void tile_roof_world_open(rcity_context *context, rcity_scene *scene, const char *device,
                                        tile_roof_world *world)
{
    memset(world, 0, sizeof *world);
    world->context = context;
    world->scene = scene;
    world->shapes = rcity_scene_shapes(scene);
    assert_ok(context, rcity_sight_create(context, world->shapes, &world->sight));
    assert_ok(context, rcity_device_open(context, device, &world->device));
}

static inline void tile_roof_world_close(tile_roof_world *world)
{
    rcity_device_close(&world->device);
    rcity_sight_destroy(world->context, &world->sight);
    rcity_scene_destroy(&world->scene);
}

/* A place of the map on the scene's grid. */
static inline rcity_tile_place tile_roof_place(const tile_roof_world *world, double x_m, double y_m, double z_m)
{
    double units = world->shapes->units_per_m;
    return (rcity_tile_place){(int32_t)lround((x_m - world->shapes->origin_x_m) * units),
                              (int32_t)lround((y_m - world->shapes->origin_y_m) * units),
                              (int32_t)lround(z_m * RCITY_HEIGHT_UNITS_PER_M)};
}

/* The path from one place to another. */
static inline rcity_tile_roof_path tile_roof_find(const tile_roof_world *world, rcity_tile_place from,
                                                  rcity_tile_place to, double wavelength_m)
{
    rcity_tile_roofs *roofs = NULL;
    rcity_tile_roof_path path;
    assert_ok(world->context, rcity_tile_roofs_open(world->context, world->device, world->sight, 1, &to, &roofs));
    assert_ok(world->context, rcity_tile_roofs_find(world->context, roofs, from, wavelength_m, 0.0, 1, NULL, &path));
    rcity_tile_roofs_close(&roofs);
    return path;
}

/* A place outside of buildings, `height_m` above the ground or a roof there. */
static inline rcity_tile_place tile_roof_draw(const tile_roof_world *world, uint64_t seed, uint64_t *i, double height_m)
{
    const rcity_shapes *shapes = world->shapes;
    while (true) {
        rcity_tile_place place = {(int32_t)test_uniform(seed, (*i)++, shapes->x_min, shapes->x_max),
                                  (int32_t)test_uniform(seed, (*i)++, shapes->y_min, shapes->y_max),
                                  (int32_t)lround(height_m * RCITY_HEIGHT_UNITS_PER_M)};
        place.z += (int32_t)ceil(rcity_terrain_height(&shapes->terrain, place.x, place.y));
        rcity_grid_point3 at = {place.x, place.y, place.z};
        if (rcity_sight_is_free(world->sight, at, (rcity_grid_point3){place.x, place.y, 1200000})) {
            return place;
        }
    }
}

#endif
