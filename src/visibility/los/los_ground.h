/* Rasters of sight over terrain: what the ground hides is found at once, and the rest is tested line by line. */
#ifndef RCITY_VISIBILITY_LOS_LOS_GROUND_H
#define RCITY_VISIBILITY_LOS_LOS_GROUND_H

#include "visibility/los/los_plane.h"

/* Prepare the terrain for a plane whose pixels have places and heights. Flat planes, and terrain much larger than the
   raster, have none: `plane->ground_y` stays NULL. */
rcity_status rcity_los_ground_init(rcity_context *context, rcity_los_plane *plane);
void rcity_los_ground_deinit(rcity_context *context, rcity_los_plane *plane);

/* Fill a mask like rcity_los_trace_plainly(). `seen` has room for a byte for each pixel.
   @return false, with the mask untouched, if the plane has no terrain prepared or the source is not on it. */
bool rcity_los_ground_trace(const rcity_los_plane *plane, rcity_grid_point3 source, uint8_t *seen, uint64_t *mask);

#endif
