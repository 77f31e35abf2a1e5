/* Values of a lattice of places out of rasters. */
#ifndef RCITY_IO_RASTER_SAMPLE_H
#define RCITY_IO_RASTER_SAMPLE_H

#include "io/raster/raster_region.h"

/* How values are taken. Either way a place within half a pixel of a layer's rim still has one. */
typedef struct rcity_sampling {
    bool is_bilinear;       /* between pixel centres, the rim's values going on beyond its centres; else of the pixel */
    double lowest, highest; /* values outside count as missing */
    const char *task;       /* name in the progress report */
} rcity_sampling;

/* What sampling met. Places without a value are NAN. */
typedef struct rcity_sampled {
    int64_t outside_count; /* places that lie in no raster */
    int64_t void_count;    /* places in a raster that has no value there, or not one of all that are needed */
    double outside_m[2];   /* the first of each, in the scene's CRS */
    double void_m[2];
    double beyond;       /* the largest value beyond the highest that is still one, and no usual mark of voids; 0 */
    double below;        /* the smallest below the lowest, likewise; 0 */
    int64_t below_count; /* places without a value because of such ones, among those of void_count */
} rcity_sampled;

/* The value of every place of the lattice, row by row from the south; where layers overlap, of the first that has
   one. */
rcity_status rcity_raster_sample(rcity_import *import, const rcity_raster_set *set, const rcity_lattice *lattice,
                                 const rcity_sampling *sampling, float *value, rcity_sampled *sampled);

#endif
