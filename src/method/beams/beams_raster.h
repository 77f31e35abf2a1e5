/* Levels of `beams` at the cells of a raster. */
#ifndef RCITY_METHOD_BEAMS_RASTER_H
#define RCITY_METHOD_BEAMS_RASTER_H

#include "method/beams/beams_trace.h"
#include "method/beams/field/beams_sums.h"

/* The levels of all cells at one height of the job; those of cells without a receiver have no paths. `levels` has one
   for each cell. `near_count`: receivers in the transmitter's near field are added to it. */
rcity_status rcity_beams_raster_run(const rcity_job *job, const rcity_beams_traced *traced, const rcity_tx *tx,
                                    int height_index, rcity_beams_level *levels, int64_t *near_count);

#endif
