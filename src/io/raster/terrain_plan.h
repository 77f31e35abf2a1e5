/* Which part of rasters becomes terrain, and at which nodes. */
#ifndef RCITY_IO_RASTER_TERRAIN_PLAN_H
#define RCITY_IO_RASTER_TERRAIN_PLAN_H

#include "io/raster/raster_region.h"

/* What is decided before heights are read. */
typedef struct rcity_terrain_plan {
    rcity_raster_set set;  /* closed by the caller with rcity_raster_set_close() */
    rcity_lattice lattice; /* the nodes; cell and position are multiples of the scene's plan unit, unless is_exact */
    bool is_exact;         /* nodes are pixel centres: heights are used unchanged */
    bool has_buildings;
    double buildings_m[4]; /* their box: west, south, east, north */
    bool has_cover;        /* the rasters' box is known */
    double cover_m[4];     /* in the scene's CRS */
} rcity_terrain_plan;

/* Open the rasters and choose the nodes. `plan` must be all zero before; its set must be closed afterwards, also on
   failure. The nodes cover the rasters, or options->terrain_margin_m around the buildings; they cover all buildings
   unless the scene drops those outside. @return as rcity_scene_import(). */
rcity_status rcity_terrain_plan_make(rcity_import *import, rcity_terrain_plan *plan);

#endif
