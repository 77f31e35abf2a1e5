/* Maps by tables on an OpenCL device: the host finds which beams hold which cells, the device follows the paths, sums them
   up and fills histograms; paths never leave it. */
#ifndef RCITY_METHOD_BEAMS_FAST_FAST_DEVICE_H
#define RCITY_METHOD_BEAMS_FAST_FAST_DEVICE_H

#include "method/beams/fast/fast_plane.h"

/* Is the job's device one that kernels are sent to? */
bool rcity_fast_device_serves(const rcity_job *job);

/* All strips of a plane: levels, and the histograms of each strip where they are wanted, else NULL. Nothing has been
   written where it fails with RCITY_ERR_MEMORY because the device has no room. */
rcity_status rcity_fast_device_run(const rcity_fast_plane *plane, rcity_beams_level *levels,
                                   rcity_beams_histogram *histograms, int64_t *near_count);

#endif
