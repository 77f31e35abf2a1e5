/* The terrain as a pyramid of blocks, each with the range of its heights and slopes, to prove where it cannot
   reflect. */
#ifndef RCITY_SCENE_FACETS_TERRAIN_TREE_H
#define RCITY_SCENE_FACETS_TERRAIN_TREE_H

#include "scene/shapes.h"

#define RCITY_TERRAIN_TREE_LEAF       4  /* cells along the side of a block of the lowest level */
#define RCITY_TERRAIN_TREE_LEVELS_MAX 32 /* each level halves the blocks of the one below */

/* Ranges over a block, in height units; a rise is measured over one cell, for all its triangles. */
typedef struct rcity_terrain_block {
    int32_t height[2], rise_x[2], rise_y[2];
} rcity_terrain_block;

typedef struct rcity_terrain_tree {
    int level_count; /* 0 without terrain; the last level is one block */
    int64_t column_count[RCITY_TERRAIN_TREE_LEVELS_MAX], row_count[RCITY_TERRAIN_TREE_LEVELS_MAX];
    int64_t first[RCITY_TERRAIN_TREE_LEVELS_MAX]; /* block of each level */
    rcity_terrain_block *blocks;
} rcity_terrain_tree;

/* Takes two bytes a cell. */
rcity_status rcity_terrain_tree_init(rcity_context *context, const rcity_terrain_grid *terrain,
                                     rcity_terrain_tree *tree);
void rcity_terrain_tree_deinit(rcity_context *context, rcity_terrain_tree *tree);

#endif
