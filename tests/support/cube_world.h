/* Maps of cubes for tests: random cities of boxes over flat ground, some with a bridge, some of scattered cubes. */
#ifndef RCITY_TEST_CUBE_WORLD_H
#define RCITY_TEST_CUBE_WORLD_H

#include "kernel/cubes/cube_map.h"
#include "rcity_test.h"

typedef struct cube_world {
    rcity_cube_map map;
    uint32_t *words;
    uint64_t seed, next;
} cube_world;

static inline int32_t cube_world_draw(cube_world *world, int32_t low, int32_t high)
{
    return (int32_t)floor(test_uniform(world->seed, world->next++, low, high + 1.0));
}

static inline size_t cube_world_word_count(const rcity_cube_map *map)
{
    return (size_t)map->column_count * (size_t)map->row_count * (size_t)map->word_count;
}

static inline void cube_world_fill(cube_world *world, int32_t column, int32_t row, int32_t layer)
{
    const rcity_cube_map *map = &world->map;
    if (column >= 0 && column < map->column_count && row >= 0 && row < map->row_count && layer >= 0 &&
        layer < map->layer_count) {
        world->words[rcity_cube_word_index(*map, (rcity_cube){column, row, layer})] |=
            (uint32_t)1 << (layer % RCITY_CUBE_WORD_LAYERS);
    }
}

static inline void cube_world_fill_box(cube_world *world, int32_t bottom)
{
    const rcity_cube_map *map = &world->map;
    int32_t column = cube_world_draw(world, 0, map->column_count - 1);
    int32_t row = cube_world_draw(world, 0, map->row_count - 1);
    int32_t width = cube_world_draw(world, 2, 14);
    int32_t depth = cube_world_draw(world, 2, 14);
    int32_t top = cube_world_draw(world, bottom, map->layer_count - 1);
    for (int32_t y = row; y < row + depth; y++) {
        for (int32_t x = column; x < column + width; x++) {
            for (int32_t layer = bottom; layer < top; layer++) {
                cube_world_fill(world, x, y, layer);
            }
        }
    }
}

/* A city of boxes that cover `share` of the plan, about; a scatter of single cubes where it is negative. */
static inline cube_world cube_world_make(uint64_t seed, int32_t columns, int32_t rows, int32_t layers, double share)
{
    cube_world world;
    memset(&world, 0, sizeof world);
    world.seed = seed;
    world.map = (rcity_cube_map){columns, rows, layers, (layers - 1) / RCITY_CUBE_WORD_LAYERS + 1, -100.0f, 50.0f,
                                 0.0f,    5.0f, 4.0f};
    world.words = calloc(cube_world_word_count(&world.map), sizeof *world.words);
    assert_non_null(world.words);
    double cubes = (double)columns * rows;
    if (share < 0.0) {
        for (int32_t i = 0; i < (int32_t)(-share * cubes * layers); i++) {
            cube_world_fill(&world, cube_world_draw(&world, 0, columns - 1), cube_world_draw(&world, 0, rows - 1),
                            cube_world_draw(&world, 0, layers - 1));
        }
        return world;
    }
    int32_t box_count = (int32_t)(share * cubes / 64.0) + 1;
    for (int32_t i = 0; i < box_count; i++) {
        cube_world_fill_box(&world, layers > 2 && i % 9 == 8 ? 2 : 0); /* every ninth is a bridge */
    }
    return world;
}

static inline rcity_cube cube_world_cube(cube_world *world)
{
    int32_t column = cube_world_draw(world, 0, world->map.column_count - 1);
    int32_t row = cube_world_draw(world, 0, world->map.row_count - 1);
    return (rcity_cube){column, row, cube_world_draw(world, 0, world->map.layer_count - 1)};
}

static inline void cube_world_free(cube_world *world)
{
    free(world->words);
    world->words = NULL;
}

#endif
