/* What the straight line to a pixel passes through. Numbers only: one layout on host and devices. */
#ifndef RCITY_KERNEL_VISIBILITY_WALLS_WALL_PATH_H
#define RCITY_KERNEL_VISIBILITY_WALLS_WALL_PATH_H

#include "kernel/portable.h"

typedef struct rcity_wall_path {
    rcity_i32 count;             /* of walls */
    float building_m, foliage_m; /* inside buildings and foliage */
} rcity_wall_path;

#endif
