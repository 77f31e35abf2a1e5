/* The city as a walk along a line reads it: a raster over the plan with the presence and height of walls, the walls of
   each cell, the terrain. Flat arrays of integers, the same on host and device, kept small: a walk waits for memory
   more than for arithmetic. Why it is exact: docs/adr/0017-sight.md. */
#ifndef RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_MAP_H
#define RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_MAP_H

#include "kernel/portable.h"

/* Cells along the side of a block, the coarser level of both rasters. */
#define RCITY_SIGHT_BLOCK_SHIFT 4
#define RCITY_SIGHT_BLOCK_CELLS (1 << RCITY_SIGHT_BLOCK_SHIFT)

/* Cells that share a base in the lists. */
#define RCITY_SIGHT_RUN_SHIFT 5
#define RCITY_SIGHT_RUN_CELLS (1 << RCITY_SIGHT_RUN_SHIFT)

/* A grid of square cells, numbered from `first`, row by row with `stride` between rows. */
typedef struct rcity_sight_grid {
    rcity_i32 west, south;
    rcity_i32 cell;
    rcity_i32 shift; /* of a cell that is a power of two, else -1 */
    rcity_i32 column_count, row_count;
    rcity_i32 width, depth; /* of the whole grid */
    rcity_i32 stride, first;
    float gain; /* slightly less than a cell's width times 65536: see rcity_sight_steps_begin() */
    rcity_i32 padding;
} rcity_sight_grid;

/* Numbers only, so that it can be a kernel argument. In plan units and height units; |plan| < 2^23, |height| < 2^21. */
typedef struct rcity_sight_map {
    rcity_sight_grid cells, blocks, probes;       /* over the buildings; 0 columns without any */
    rcity_sight_grid ground_cells, ground_blocks; /* of the terrain; 0 columns without any */
    rcity_i32 floor, level_shift; /* level l of the raster is the height floor + (l << level_shift); 0: nothing */
    rcity_i32 top;                /* no roof is higher */
    rcity_i32 ground_top;         /* no node is higher */
    rcity_i32 offset_first;       /* index of the offsets in the raster */
    rcity_i32 crowd;              /* the roofs of most blocks are not higher */
    /* The longest |dx| + |dy| of a line, times a cell's width, whose tests against walls fit 64 bits. */
    rcity_i64 narrow;
} rcity_sight_map;

/* The raster has two bytes for each cell: the level that no roof over one of its walls exceeds, 0 without walls; and
   where its list starts, counted from the base of its run, plus 1. The latter is 0 without a list (neither walls nor a
   roof over all of it), and RCITY_SIGHT_FAR_LIST when the index is in the lists themselves, at the base plus the cell's
   number in the run. A block has the highest level of its cells. A cell of the probes has the level up to which it, and
   a few units around it, is inside one prism. */
#define RCITY_SIGHT_FAR_LIST 255

/* A list is a header, the number of its entries times RCITY_SIGHT_REFERENCE_COUNT plus the number of the cell's
   reference point, followed by the entries: walls sorted by prism, then the prisms that cover the whole cell. */
#define RCITY_SIGHT_REFERENCE_COUNT    256u
#define RCITY_SIGHT_ENTRY_BEGINS_PRISM 0x80000000u /* the first wall of a prism */
#define RCITY_SIGHT_ENTRY_HAS_POINT    0x40000000u /* with the first wall: the prism covers the reference point */
#define RCITY_SIGHT_ENTRY_IS_TANGLED   0x20000000u /* only the plain test handles how the prism touches itself */
#define RCITY_SIGHT_ENTRY_IS_COVER     0x10000000u /* a prism over the whole cell, given by one of its walls */
#define RCITY_SIGHT_ENTRY_WALL(entry)  ((entry)&0x0fffffffu)

/* A wall; the solid is on the left of p -> q. Coordinates times 256, plus a part of the roof's height above the floor
   of the levels: the lowest 8 bits with px, then py, then qx. */
typedef struct RCITY_ALIGNED(16) rcity_sight_wall {
    rcity_i32 px, py, qx, qy;
} rcity_sight_wall;

/* What is read where a line passes exactly through the start of a wall. */
#define RCITY_SIGHT_DETAIL_X          0 /* start of the wall before it */
#define RCITY_SIGHT_DETAIL_Y          1
#define RCITY_SIGHT_DETAIL_TURN       2 /* at its start: 1 left, 0 straight, -1 right, or RCITY_SIGHT_TURN_KNOT */
#define RCITY_SIGHT_DETAIL_SEAM       3 /* index of its first seam in the details, and how many: common walls */
#define RCITY_SIGHT_DETAIL_SEAM_COUNT 4
#define RCITY_SIGHT_DETAIL_PRISM      5
#define RCITY_SIGHT_DETAIL_COUNT      6
#define RCITY_SIGHT_TURN_KNOT         2 /* the prism touches itself here */

/* A seam: px, py, qx, qy, and the height up to which both sides are solid. */
#define RCITY_SIGHT_SEAM_COUNT 5

/* A segment on the scene's grid. */
typedef struct rcity_sight_segment {
    rcity_i32 ax, ay, az, bx, by, bz;
} rcity_sight_segment;

/* Everything a walk reads. Made where it is used, never a kernel argument. */
typedef struct rcity_sight_view {
    rcity_sight_map map;
    RCITY_GLOBAL const rcity_u8 *raster;        /* levels of cells, of blocks; offsets of cells; levels of probes */
    RCITY_GLOBAL const rcity_u32 *lists;        /* the base of each run of cells, then lists */
    RCITY_GLOBAL const rcity_sight_wall *walls; /* in the order of the scene's points where they start */
    RCITY_GLOBAL const rcity_i32 *details;      /* of each wall, then the seams */
    RCITY_GLOBAL const rcity_i32 *ground;       /* highest nodes of cells, of blocks; then all nodes */
} rcity_sight_view;

RCITY_KERNEL rcity_sight_view rcity_sight_view_make(rcity_sight_map map, RCITY_GLOBAL const rcity_u8 *raster,
                                                    RCITY_GLOBAL const rcity_u32 *lists,
                                                    RCITY_GLOBAL const rcity_sight_wall *walls,
                                                    RCITY_GLOBAL const rcity_i32 *details,
                                                    RCITY_GLOBAL const rcity_i32 *ground)
{
    rcity_sight_view view;
    view.map = map;
    view.raster = raster;
    view.lists = lists;
    view.walls = walls;
    view.details = details;
    view.ground = ground;
    return view;
}

typedef enum rcity_sight_answer {
    RCITY_SIGHT_FREE = 0,
    RCITY_SIGHT_BLOCKED = 1,
    RCITY_SIGHT_LOOK_CLOSELY = 2, /* deferred: the host's plain test decides */
} rcity_sight_answer;

#endif
