/* Levels of `beams` at the cells of a raster. */
#ifndef RCITY_METHOD_BEAMS_RASTER_H
#define RCITY_METHOD_BEAMS_RASTER_H

#include "method/beams/beams_levels.h"

/* The levels of all cells at one height of the job, which `own` stands for; those of cells without a receiver have no paths. `levels` has one
   for each cell. `near_count`: receivers in the transmitter's near field are added to it. */
rcity_status rcity_beams_raster_run(const rcity_beams_levels *own, int height_index, rcity_beams_level *levels,
                                    int64_t *near_count);

#endif
