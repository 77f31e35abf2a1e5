/* The file formats of surfaces, one writer each. Every file appears whole or not at all. */
#ifndef RCITY_IO_SURFACES_SURFACES_SAVE_H
#define RCITY_IO_SURFACES_SURFACES_SAVE_H

#include "base/base.h"
#include "io/surfaces/surface_paint.h"
#include "radiocity/surfaces.h"

#define RCITY_SURFACES_FORMAT         "radiocity surfaces" /* in files that say what they are */
#define RCITY_SURFACES_FORMAT_VERSION 1

/* A writer; `paint` says which colours tiles have. */
typedef rcity_status rcity_surfaces_writer(rcity_context *context, const rcity_surfaces *surfaces,
                                           const rcity_surface_paint *paint, const char *path);

rcity_surfaces_writer rcity_surfaces_save_csv;  /* surfaces_csv.c */
rcity_surfaces_writer rcity_surfaces_save_ply;  /* surfaces_ply.c */
rcity_surfaces_writer rcity_surfaces_save_glb;  /* surfaces_glb.c */
rcity_surfaces_writer rcity_surfaces_save_hdf5; /* surfaces_hdf5.c, or src/absent/hdf5.c */

/* The corners of a tile, counter-clockwise seen from the air. */
void rcity_surface_tile_corners(const rcity_surface_tile *tile, double corners_m[4][3]);

#endif
