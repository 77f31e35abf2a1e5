/* The elevation grid as a source sees it in one of eight directions: rings of nodes at growing distance along one axis, the
   nodes of a ring along the other. */
#ifndef RCITY_KERNEL_VISIBILITY_GROUND_GROUND_OCTANT_H
#define RCITY_KERNEL_VISIBILITY_GROUND_GROUND_OCTANT_H

#include "kernel/portable.h"

#define RCITY_GROUND_BLOCK   16 /* cells of a block along each axis */
#define RCITY_GROUND_LEAST   ((rcity_i32)0x80000000)
#define RCITY_GROUND_NOTHING (-1.0e30f) /* below every slope and height */

/* What a place sees of a target, and what a kernel has not decided. */
#define RCITY_GROUND_HIDDEN    0
#define RCITY_GROUND_VISIBLE   1
#define RCITY_GROUND_NOWHERE   2 /* the target lies off the grid */
#define RCITY_GROUND_UNDECIDED 3

/* The grid, one source on it, and the raster of its targets. */
typedef struct rcity_ground_job {
    rcity_i32 column_count, row_count;     /* nodes */
    rcity_i32 west, south, cell;           /* plan units */
    rcity_i32 block_columns, block_rows;   /* blocks of cells with their highest nodes */
    rcity_i32 x, y, z;                     /* the source */
    rcity_i32 bin_count;                   /* directions of an octant, a power of two, at least twice its rings */
    rcity_i32 target_columns, target_rows; /* their coordinates grow with their index */
    rcity_i32 is_north_first;              /* answers are ordered from the north, not from the south */
    rcity_i32 target_height;               /* above the ground, height units */
    rcity_i32 has_target_z;                /* each target has a height of its own instead */
    float steep;                           /* largest difference of neighbouring nodes, height units */
    float reach;                           /* largest difference of a node and the source, the fall included */
    float fall;                            /* of a curved earth over one cell's width, height units; 0 if flat */
} rcity_ground_job;

/* One of eight directions: bit 0 looks west, bit 1 south, bit 2 says that rings lie along the other axis. In the
   octant's own frame both coordinates are counted in cells from the base node, the last one not beyond the source; the
   first axis leads away from the source, the second one aside. */
typedef struct rcity_ground_octant {
    rcity_i32 base; /* index of the base node */
    rcity_i32 step_away, step_aside;
    rcity_i32 base_away, base_aside; /* the base node's column and row, or row and column */
    rcity_i32 sign_away, sign_aside;
    rcity_i32 ring_count;            /* nodes beyond the base, away */
    rcity_i32 side_count;            /* nodes beyond the base, aside */
    rcity_i32 left_away, left_aside; /* from the base to the source, plan units, below a cell */
    rcity_i32 is_along;              /* diagonals of cells lead away and aside, not back */
    rcity_i32 is_swapped;
} rcity_ground_octant;

/* One axis: the last node not beyond the source when looking up, or down, and how far beyond it the source is. */
RCITY_KERNEL rcity_i32 rcity_ground_base(rcity_i32 from_first, rcity_i32 cell, rcity_i32 node_count, int is_down,
                                         rcity_i32 *left)
{
    rcity_i32 node = from_first / cell + (is_down && from_first % cell != 0);
    node = node < node_count ? node : node_count - 1;
    *left = is_down ? node * cell - from_first : from_first - node * cell;
    return node;
}

/* The source must lie within the grid. */
RCITY_KERNEL rcity_ground_octant rcity_ground_octant_make(const rcity_ground_job *job, int number)
{
    int is_west = number & 1;
    int is_south = number >> 1 & 1;
    rcity_i32 left_x, left_y;
    rcity_i32 column = rcity_ground_base(job->x - job->west, job->cell, job->column_count, is_west, &left_x);
    rcity_i32 row = rcity_ground_base(job->y - job->south, job->cell, job->row_count, is_south, &left_y);
    rcity_i32 columns = is_west ? column : job->column_count - 1 - column;
    rcity_i32 rows = is_south ? row : job->row_count - 1 - row;
    rcity_i32 sign_x = is_west ? -1 : 1;
    rcity_i32 sign_y = is_south ? -1 : 1;
    rcity_ground_octant octant;
    octant.is_swapped = number >> 2;
    octant.is_along = is_west == is_south;
    octant.base = row * job->column_count + column;
    octant.step_away = octant.is_swapped ? sign_y * job->column_count : sign_x;
    octant.step_aside = octant.is_swapped ? sign_x : sign_y * job->column_count;
    octant.base_away = octant.is_swapped ? row : column;
    octant.base_aside = octant.is_swapped ? column : row;
    octant.sign_away = octant.is_swapped ? sign_y : sign_x;
    octant.sign_aside = octant.is_swapped ? sign_x : sign_y;
    octant.ring_count = octant.is_swapped ? rows : columns;
    octant.side_count = octant.is_swapped ? columns : rows;
    octant.left_away = octant.is_swapped ? left_y : left_x;
    octant.left_aside = octant.is_swapped ? left_x : left_y;
    return octant;
}

/* The octant of a target (dx, dy) from the source. Each place belongs to one. */
RCITY_KERNEL int rcity_ground_octant_of(rcity_i32 dx, rcity_i32 dy)
{
    rcity_i32 wide = dx < 0 ? -dx : dx;
    rcity_i32 deep = dy < 0 ? -dy : dy;
    return (dx < 0 ? 1 : 0) | (dy < 0 ? 2 : 0) | (deep > wide ? 4 : 0);
}

#endif
