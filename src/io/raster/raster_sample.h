/* Samples rasters at a lattice of places. */
#ifndef RCITY_IO_RASTER_SAMPLE_H
#define RCITY_IO_RASTER_SAMPLE_H

#include "io/raster/raster_region.h"

/* How values are sampled. A place within half a pixel of a layer's edge always has a value. */
typedef struct rcity_sampling {
    bool is_bilinear;       /* interpolate between pixel centres, constant beyond the outermost centres; else the value
                               of the pixel */
    double lowest, highest; /* values outside count as missing */
    const char *task;       /* name in the progress report */
} rcity_sampling;

/* What sampling found. Places without a value are NAN. */
typedef struct rcity_sampled {
    int64_t outside_count; /* places that lie in no raster */
    int64_t void_count;    /* places in a raster where one of the pixels needed has no value */
    double outside_m[2];   /* the first of each, in the scene's CRS */
    double void_m[2];
    double beyond;       /* the largest value above the highest valid one that is not a mark of voids; 0 for none */
    double below;        /* the smallest value below the lowest valid one, likewise; 0 for none */
    int64_t below_count; /* places of void_count that have no value because of `below` */
} rcity_sampled;

/* The value of every place of the lattice, row by row from the south; where layers overlap, that of the first layer
   that has one. */
rcity_status rcity_raster_sample(rcity_import *import, const rcity_raster_set *set, const rcity_lattice *lattice,
                                 const rcity_sampling *sampling, float *value, rcity_sampled *sampled);

#endif
