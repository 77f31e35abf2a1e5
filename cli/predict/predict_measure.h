/* How long a prediction will take, measured on this machine instead of counted. */
#ifndef CLI_PREDICT_MEASURE_H
#define CLI_PREDICT_MEASURE_H

#include "predict_input.h"

/* Predict coarser rasters of the same area, with the same method and options, for a few seconds at most, and extend their
   times to the raster that is asked for: what does not depend on the cells, and what each cell takes. `*seconds` are of
   all transmitters, each taken like the one in the middle of the list; it stays as it is where nothing could be measured in that time, and
   `*is_least` then says that it takes at least so long. */
rcity_status predict_measure_seconds(rcity_context *context, const rcity_scene *scene, const predict_input *input,
                                     const predict_world *world, double *seconds, bool *is_least);

#endif
