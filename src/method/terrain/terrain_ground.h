/* The ground of a scene, and what stands on it, as the kernels read them. */
#ifndef RCITY_METHOD_TERRAIN_GROUND_H
#define RCITY_METHOD_TERRAIN_GROUND_H

#include "kernel/terrain/ground_grid.h"
#include "method/method.h"

/* A raster of heights in metres; node (column, row) at (west_m + column * cell_m, south_m + row * cell_m) in the scene's
   CRS, row by row from the south. Without columns there is one node, of height 0. */
typedef struct rcity_terrain_raster {
    int32_t column_count, row_count;
    double west_m, south_m, cell_m;
    float *node_m;
} rcity_terrain_raster;

/* Read-only once made. */
typedef struct rcity_terrain_ground {
    rcity_terrain_raster ground; /* the nodes of the elevation grid */
    rcity_terrain_raster cover;  /* above the ground, over cells around its nodes */
} rcity_terrain_ground;

/* The scene's elevation grid, and with `has_cover` the roofs, trees and heights of land classes, as the highest of them
   over the middle of a cell. */
rcity_status rcity_terrain_ground_create(const rcity_job *job, bool has_cover, rcity_terrain_ground **ground);
void rcity_terrain_ground_destroy(rcity_context *context, rcity_terrain_ground *ground);

/* The bytes that this takes at its peak. */
double rcity_terrain_ground_bytes(const rcity_job *job, bool has_cover);

/* A raster as seen from an antenna. */
rcity_ground_grid rcity_terrain_raster_from(const rcity_terrain_raster *raster, const rcity_point *antenna);

/* The distance between points of profiles where none is asked for: a cell of the elevation grid, and of the cover where
   there is no grid. */
double rcity_terrain_default_step_m(const rcity_job *job);

#endif
