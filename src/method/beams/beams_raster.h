/* Levels of `beams` at the cells of a raster. */
#ifndef RCITY_METHOD_BEAMS_RASTER_H
#define RCITY_METHOD_BEAMS_RASTER_H

#include "method/beams/beams_levels.h"
#include "method/beams/field/beams_histogram.h"

/* What a run over a raster fills. */
typedef struct rcity_beams_output {
    rcity_beams_level *levels; /* of each cell; those without a receiver have no paths */
    int64_t near_count;        /* receivers in the transmitter's near field are added to it */
    rcity_delays *delays;      /* power over delay, to be finished by the run; NULL: none */
    double bin_s;              /* of its bins, from 0 on */
} rcity_beams_output;

/* The cells at one height of the job, which `own` stands for. */
rcity_status rcity_beams_raster_run(const rcity_beams_levels *own, int height_index, rcity_beams_output *output);

#endif
