/* Maps by tables on an OpenCL device: the host finds which beams hold which cells, the device follows the paths, sums them
   up and fills histograms; paths never leave it. */
#ifndef RCITY_METHOD_BEAMS_FAST_FAST_DEVICE_H
#define RCITY_METHOD_BEAMS_FAST_FAST_DEVICE_H

#include "method/beams/fast/fast_plane.h"

/* Is the job's device one that kernels are sent to? */
bool rcity_fast_device_serves(const rcity_job *job);

/* All cells of a plane: levels, and their histograms where they are wanted, else NULL, which are finished. After a failure
   there are no histograms, and with RCITY_ERR_MEMORY, because the device has no room, the host may start afresh. */
rcity_status rcity_fast_device_run(rcity_fast_plane *plane, rcity_beams_level *levels, rcity_delays *delays,
                                   int64_t *near_count);

#endif
