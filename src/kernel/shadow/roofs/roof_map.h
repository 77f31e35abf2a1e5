/* The roofs of a city as a walk over them sees it: for each cell of kernel/visibility/sight how high the highest is, and its
   walls from the highest down, side by side in memory. A walk reads few cells, and of those the first walls. */
#ifndef RCITY_KERNEL_SHADOW_ROOFS_ROOF_MAP_H
#define RCITY_KERNEL_SHADOW_ROOFS_ROOF_MAP_H

#include "kernel/visibility/sight/sight_walls.h"

/* Cells along the side of a patch, the coarser level of the walk. */
#define RCITY_ROOF_PATCH_SHIFT 2

/* Where a wall before another one of its ring starts. */
typedef struct rcity_roof_corner {
    rcity_i32 x, y;
} rcity_roof_corner;

/* Everything a walk reads. Made where it is used, never a kernel argument. */
typedef struct rcity_roof_view {
    rcity_sight_map map;
    rcity_i32
        level_shift; /* a level l is the height map.floor + (l << level_shift), which no roof there exceeds; 0: none */
    rcity_i32 patch_first;                         /* of the patches among the levels */
    RCITY_GLOBAL const rcity_u16 *levels;          /* of cells, of patches */
    RCITY_GLOBAL const rcity_u32 *first;           /* of each cell, and one more: its first wall */
    RCITY_GLOBAL const rcity_sight_wall *walls;    /* once for every cell that they come near */
    RCITY_GLOBAL const rcity_roof_corner *corners; /* of each of these walls: its start's neighbour on the other side */
    RCITY_GLOBAL const rcity_i32 *ground;          /* as of rcity_sight_view */
} rcity_roof_view;

#endif
