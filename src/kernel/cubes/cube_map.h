/* A city as cubes: which are filled, one bit each, a column of cubes in whole words. */
#ifndef RCITY_KERNEL_CUBES_CUBE_MAP_H
#define RCITY_KERNEL_CUBES_CUBE_MAP_H

#include "kernel/portable.h"

#define RCITY_CUBE_WORD_LAYERS 32

typedef struct rcity_cube_map {
    rcity_i32 column_count, row_count, layer_count;
    rcity_i32 word_count; /* of a column: 32 layers each */
    float west_m, south_m, bottom_m;
    float edge_m;   /* in plan */
    float height_m; /* of a layer */
} rcity_cube_map;

typedef struct rcity_cube {
    rcity_i32 column, row, layer; /* from the west, the south, the bottom on */
} rcity_cube;

RCITY_KERNEL rcity_i64 rcity_cube_word_index(rcity_cube_map map, rcity_cube cube)
{
    return ((rcity_i64)cube.row * map.column_count + cube.column) * map.word_count +
           cube.layer / RCITY_CUBE_WORD_LAYERS;
}

/* Is a cube of the map filled? */
RCITY_KERNEL int rcity_cube_is_filled(rcity_cube_map map, RCITY_GLOBAL const rcity_u32 *words, rcity_cube cube)
{
    return (int)(words[rcity_cube_word_index(map, cube)] >> (cube.layer % RCITY_CUBE_WORD_LAYERS) & 1);
}

#endif
