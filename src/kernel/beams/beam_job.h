/* What all paths to one plane of receivers share. Of devices' precision: not for files whose physics is in doubles. */
#ifndef RCITY_KERNEL_BEAMS_BEAM_JOB_H
#define RCITY_KERNEL_BEAMS_BEAM_JOB_H

#include "kernel/antenna.h"
#include "kernel/beams/beam_length.h"
#include "kernel/wave/polarization.h"

typedef struct rcity_beam_job {
    rcity_i64 west, north, step; /* of the centres of cells, in 2^-RCITY_BEAM_FINE_BITS units */
    rcity_u64 turns_per_unit;    /* of the phase, times 2^64 */
    rcity_i32 column_count;
    rcity_i32 ground_material;
    rcity_i32 into_shadow_only;
    rcity_i32 rx_polarization;
    rcity_i32 is_paper;                                         /* the law of the paper */
    rcity_u32 ground_code;                                      /* of the group of what bounces off the ground */
    float exponent, constant_db, reflection_db, diffraction_db; /* of that law */
    float tx_height_m, rx_height_m;
    float wavelength_m, wavenumber_per_m;
    float rx_gain;
    float most_loss;   /* of a path by spreading and reflections, power over power */
    float range;       /* paths weaker than this times the strongest do not count; 0: all do */
    float limit_scale; /* of limits: free space over a metre, and a margin; infinite: they are not known */
    float longest_m;   /* of a path off walls and edges, in plan */
    float padding;     /* the struct has the same size for every compiler */
    rcity_antenna_job antenna;
    rcity_mount mount;
} rcity_beam_job;

/* A launch over cells from this one of a strip on; with the first record and visit that are on the device, and the number of
   the strip's first cell in the raster. */
typedef struct rcity_beam_follow_job {
    rcity_beam_job path;
    rcity_i64 cell_base, record_base, visit_base;
    rcity_i64 cell_first;
} rcity_beam_follow_job;

#endif
