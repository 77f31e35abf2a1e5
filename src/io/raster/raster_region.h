/* Which part of a lattice rasters cover. */
#ifndef RCITY_IO_RASTER_REGION_H
#define RCITY_IO_RASTER_REGION_H

#include "io/raster/raster_source.h"

/* Places of the scene at (x + column * cell, y + row * cell) for integer columns and rows from the first on. */
typedef struct rcity_lattice {
    double x_m, y_m, cell_m;
    int64_t column, row; /* the first; may be negative */
    int64_t column_count, row_count;
} rcity_lattice;

/* Columns and rows of a lattice, ends included. */
typedef struct rcity_lattice_box {
    int64_t column_begin, row_begin, column_end, row_end;
} rcity_lattice_box;

/* The places of a lattice within a box of metres (west, south, east, north), or all that are needed around it. */
rcity_lattice_box rcity_lattice_inside(const rcity_lattice *lattice, const double box_m[4]);
rcity_lattice_box rcity_lattice_around(const rcity_lattice *lattice, const double box_m[4]);

/* The rectangle of places to keep from `frame`: the largest one whose places all lie within the rectangle of a layer,
   half a pixel inside where no other layer is adjacent, and that contains `needed` (NULL: the covered place nearest to
   the middle of the covered area). This cuts off the slanted edges of reprojected rasters, but not voids and missing
   tiles inside a layer. Places of `needed` count as covered. Coverage is tested on some hundred lines in each
   direction; between them the edges of layers are taken as straight. `*is_empty`: no place of the frame, or of
   `needed`, is covered. */
rcity_status rcity_region_choose(rcity_import *import, const rcity_raster_set *set, const rcity_lattice *lattice,
                                 rcity_lattice_box frame, const rcity_lattice_box *needed, rcity_lattice_box *kept,
                                 bool *is_empty);

#endif
