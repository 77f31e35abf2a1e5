/* Which part of rasters becomes terrain, and at which nodes. */
#ifndef RCITY_IO_RASTER_TERRAIN_PLAN_H
#define RCITY_IO_RASTER_TERRAIN_PLAN_H

#include "io/raster/raster_region.h"

/* What is found out before a height is read. */
typedef struct rcity_terrain_plan {
    rcity_raster_set set;  /* closed by the caller with rcity_raster_set_close() */
    rcity_lattice lattice; /* the nodes; cell and position are multiples of the scene's plan unit, unless is_exact */
    bool is_exact;         /* nodes are pixel centres: heights come through untouched */
    bool has_buildings;
    double buildings_m[4]; /* their box: west, south, east, north */
    bool has_cover;        /* the rasters' box is known */
    double cover_m[4];     /* in the scene's CRS */
} rcity_terrain_plan;

/* Open the rasters and choose. `plan` is all zero before; its set is to be closed after, also on failure.
   The nodes reach as far as rasters do, or options->terrain_margin_m around the buildings; they lie under all buildings
   unless the scene drops those outside. @return as rcity_scene_import(). */
rcity_status rcity_terrain_plan_make(rcity_import *import, rcity_terrain_plan *plan);

#endif
