/* An elevation grid alone, with rasters of targets and sources over it, for tests of sight over terrain. */
#ifndef RCITY_TEST_GROUND_WORLD_H
#define RCITY_TEST_GROUND_WORLD_H

#include "random_number.h"
#include "rcity_test.h"
#include "scene/place/terrain.h"
#include "visibility/terrain/ground_sight.h"

#define GROUND_SIDE_MAX 48

/* A made terrain. */
typedef struct ground_world {
    rcity_context *context;
    rcity_shapes shapes;
    int32_t height[GROUND_SIDE_MAX * GROUND_SIDE_MAX];
    int32_t x[3 * GROUND_SIDE_MAX], y[3 * GROUND_SIDE_MAX], z[9 * GROUND_SIDE_MAX * GROUND_SIDE_MAX];
    uint8_t seen[9 * GROUND_SIDE_MAX * GROUND_SIDE_MAX];
} ground_world;

static inline int32_t ground_pick(uint64_t *seed, int32_t low, int32_t high)
{
    random_state = *seed;
    int32_t number = (int32_t)floor(random_number(low, (double)high + 1.0));
    *seed = random_state;
    return number;
}

/* Nodes as rough as `relief`, some terrains smooth, some flat in parts so that lines touch the ground. */
static inline void ground_world_make(ground_world *world, uint64_t *seed, int32_t columns, int32_t rows, int32_t relief)
{
    memset(&world->shapes, 0, sizeof world->shapes);
    rcity_terrain_grid *terrain = &world->shapes.terrain;
    world->shapes.units_per_m = 128;
    terrain->column_count = columns;
    terrain->row_count = rows;
    terrain->cell = ground_pick(seed, 0, 1) ? 128 * ground_pick(seed, 1, 30) : ground_pick(seed, 2, 400);
    terrain->west = ground_pick(seed, -5000, 5000);
    terrain->south = ground_pick(seed, -5000, 5000);
    terrain->height = world->height;
    int is_smooth = ground_pick(seed, 0, 1);
    for (int32_t i = 0; i < columns * rows; i++) {
        world->height[i] = ground_pick(seed, 0, relief);
        if (is_smooth && i > 0) {
            world->height[i] = world->height[i - 1] + ground_pick(seed, -1, 1) * (relief / 8);
        }
        if (is_smooth && i >= columns) {
            world->height[i] = (world->height[i] + world->height[i - columns]) / 2;
        }
    }
}

static inline int32_t ground_at(const rcity_terrain_grid *terrain, int32_t x, int32_t y)
{
    return (int32_t)ceil(rcity_terrain_height(terrain, x, y));
}

/* Coordinates of targets: nodes, centres, or anything, some off the grid. */
static inline int32_t ground_line(uint64_t *seed, int kind, int32_t first, int32_t cell, int32_t node_count,
                                  int32_t *line)
{
    int32_t count = kind == 0 ? node_count : kind == 1 ? node_count - 1 : ground_pick(seed, 1, 2 * node_count);
    int32_t at = first - ground_pick(seed, 0, cell);
    for (int32_t i = 0; i < count; i++) {
        at += ground_pick(seed, 1, cell);
        line[i] = kind == 0 ? first + i * cell : kind == 1 ? first + i * cell + cell / 2 : at;
    }
    return count;
}

static inline rcity_grid_point3 ground_source(const ground_world *world, uint64_t *seed)
{
    const rcity_terrain_grid *terrain = &world->shapes.terrain;
    int32_t width = (terrain->column_count - 1) * terrain->cell;
    int32_t depth = (terrain->row_count - 1) * terrain->cell;
    rcity_grid_point3 source;
    source.x =
        terrain->west + (ground_pick(seed, 0, 2) ? ground_pick(seed, 0, terrain->column_count - 1) * terrain->cell
                                                 : ground_pick(seed, 0, width));
    source.y = terrain->south + (ground_pick(seed, 0, 2) ? ground_pick(seed, 0, terrain->row_count - 1) * terrain->cell
                                                         : ground_pick(seed, 0, depth));
    if (ground_pick(seed, 0, 4) == 0) { /* on a diagonal */
        int32_t part = ground_pick(seed, 0, terrain->cell);
        source.x = terrain->west + ground_pick(seed, 0, terrain->column_count - 2) * terrain->cell + part;
        source.y = terrain->south + ground_pick(seed, 0, terrain->row_count - 2) * terrain->cell + part;
    }
    source.z = ground_at(terrain, source.x, source.y) +
               (ground_pick(seed, 0, 3) ? ground_pick(seed, 0, 100) : ground_pick(seed, 0, 1));
    return source;
}

/* The nodes of the world as targets. */
static inline rcity_ground_targets ground_nodes(ground_world *world, int32_t height)
{
    const rcity_terrain_grid *terrain = &world->shapes.terrain;
    for (int32_t i = 0; i < terrain->column_count; i++) {
        world->x[i] = terrain->west + i * terrain->cell;
    }
    for (int32_t i = 0; i < terrain->row_count; i++) {
        world->y[i] = terrain->south + i * terrain->cell;
    }
    return (rcity_ground_targets){terrain->column_count, terrain->row_count, world->x, world->y, NULL, height, false};
}

/* Group fixtures. */
static inline int ground_world_setup(void **state)
{
    ground_world *world = calloc(1, sizeof *world);
    world->context = test_context(2);
    *state = world;
    return 0;
}

static inline int ground_world_teardown(void **state)
{
    ground_world *world = *state;
    rcity_context_destroy(&world->context);
    free(world);
    return 0;
}

#endif
