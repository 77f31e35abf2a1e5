/* Levels over a raster by tables: the same beams and paths as beams_raster.h, over flat ground and with one diffraction at
   most, many times as fast. */
#ifndef RCITY_METHOD_BEAMS_FAST_FAST_RASTER_H
#define RCITY_METHOD_BEAMS_FAST_FAST_RASTER_H

#include "method/beams/beams_raster.h"

/* Can it serve a job? Where the fields of all paths are added, small errors of tables show in fades. */
bool rcity_fast_raster_serves(const rcity_job *job);

/* As rcity_beams_raster_run(). */
rcity_status rcity_fast_raster_run(const rcity_beams_levels *own, int height_index, rcity_beams_output *output);

#endif
