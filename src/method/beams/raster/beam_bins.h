/* Which parts of beams hold the centres of a raster's cells. Parts are listed by strips of rows, strips are rasterised one
   at a time. */
#ifndef RCITY_METHOD_BEAMS_RASTER_BEAM_BINS_H
#define RCITY_METHOD_BEAMS_RASTER_BEAM_BINS_H

#include "method/beams/points/beams_ways.h"

/* A raster in the frame of the shapes; rows run from north to south. */
typedef struct rcity_beams_grid {
    double west_m, north_m, cell_m;
    int64_t column_count, row_count;
} rcity_beams_grid;

typedef struct rcity_beams_bins {
    const rcity_beams_forest *forest;
    rcity_beams_grid grid;
    double dx, dy; /* where in a cell, beside its centre, places are tested */
    int64_t strip_rows, strip_count;
    int64_t *first;            /* of each strip, and one more */
    rcity_beams_way_end *ends; /* the parts that may hold places of a strip, in the order of trees, nodes and parts */
} rcity_beams_bins;

/* List the parts of all beams by strips. The forest is borrowed. `dx`, `dy`: where in a cell, beside its centre, places are
   tested. */
rcity_status rcity_beams_bins_init(rcity_context *context, const rcity_beams_forest *forest,
                                   const rcity_beams_grid *grid, double dx, double dy, int64_t strip_rows,
                                   rcity_beams_bins *bins);
void rcity_beams_bins_deinit(rcity_context *context, rcity_beams_bins *bins);

/* The parts that hold the cells of one strip: those of cell i, from the strip's first on, are end[list[first[i]]] and so
   on. Grows as needed, kept between strips; zeroed before the first. */
typedef struct rcity_beams_strip {
    int64_t cell_first, cell_count;
    int64_t *first;
    size_t first_capacity;
    int64_t *list; /* numbers of ends */
    size_t list_capacity;
    int64_t *found; /* pairs of cell and end, as found */
    size_t found_count, found_capacity;
} rcity_beams_strip;

/* Find the cells of a strip that parts hold: pairs of cell and end in `found`, in the order of ends. */
rcity_status rcity_beams_bins_find(rcity_context *context, const rcity_beams_bins *bins, int64_t strip_index,
                                   rcity_beams_strip *strip);

/* Find and list them. */
rcity_status rcity_beams_bins_rasterise(rcity_context *context, const rcity_beams_bins *bins, int64_t strip_index,
                                        rcity_beams_strip *strip);
void rcity_beams_strip_deinit(rcity_context *context, rcity_beams_strip *strip);

#endif
