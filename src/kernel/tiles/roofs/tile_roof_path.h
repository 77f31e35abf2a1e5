/* A path over roofs from a source to a target, with one layout on host and devices. */
#ifndef RCITY_KERNEL_TILES_ROOFS_TILE_ROOF_PATH_H
#define RCITY_KERNEL_TILES_ROOFS_TILE_ROOF_PATH_H

#include "kernel/portable.h"

/* Directions are those of travel, of length 1; x and y in the scene's plan. */
typedef struct rcity_tile_roof_path {
    float excess_db; /* loss over that of free space at length_m, 0 or more; NaN: there is no path */
    float length_m;  /* of the shortest path over everything */
    float departure_x, departure_y, departure_z;
    float arrival_x, arrival_y, arrival_z;
} rcity_tile_roof_path;

#endif
