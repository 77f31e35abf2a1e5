/* Which part of a lattice of places rasters cover. */
#ifndef RCITY_IO_RASTER_REGION_H
#define RCITY_IO_RASTER_REGION_H

#include "io/raster/raster_source.h"

/* Places of the scene at (x + column * cell, y + row * cell) for whole columns and rows from the first on. */
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

/* The rectangle of places to keep out of `frame`: the largest one whose places all lie within the rectangle of some
   layer, half a pixel inside where no other layer follows, and that holds `needed` (NULL: that holds the covered place
   nearest to the middle of all that is covered). So the slanting corners that reprojection leaves are cut off; voids
   and missing tiles inside a layer are not. Places of `needed` count as covered. Looked at through some hundred lines
   each way: between them, layers have straight rims. `*is_empty` says that no place of the frame, or of `needed`, is
   covered. */
rcity_status rcity_region_choose(rcity_import *import, const rcity_raster_set *set, const rcity_lattice *lattice,
                                 rcity_lattice_box frame, const rcity_lattice_box *needed, rcity_lattice_box *kept,
                                 bool *is_empty);

#endif
