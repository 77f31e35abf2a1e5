/* The roofs of a city as a walk along a line reads them: for each cell of kernel/visibility/sight the height of the
   highest roof, and the cell's walls from the highest down, contiguous in memory. A walk reads few cells, and only the
   first walls of those. */
#ifndef RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_MAP_H
#define RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_MAP_H

#include "kernel/visibility/sight/sight_walls.h"

/* Cells along the side of a patch, the coarser level of the walk. */
#define RCITY_ROOF_PATCH_SHIFT 2

/* The start of the wall before another one in its ring. */
typedef struct rcity_roof_corner {
    rcity_i32 x, y;
} rcity_roof_corner;

/* Everything a walk reads. Made where it is used, never a kernel argument. */
typedef struct rcity_roof_view {
    rcity_sight_map map;
    /* Level l is the height map.floor + (l << level_shift), which no roof there exceeds; 0 means no roof. */
    rcity_i32 level_shift;
    rcity_i32 patch_first;                         /* index of the first patch among the levels */
    RCITY_GLOBAL const rcity_u16 *levels;          /* of cells, then of patches */
    RCITY_GLOBAL const rcity_u32 *first;           /* first wall of each cell, and one more entry */
    RCITY_GLOBAL const rcity_sight_wall *walls;    /* repeated for every cell that they come near */
    RCITY_GLOBAL const rcity_roof_corner *corners; /* for each of these walls: the start of the wall before it */
    RCITY_GLOBAL const rcity_i32 *ground;          /* as of rcity_sight_view */
} rcity_roof_view;

#endif
