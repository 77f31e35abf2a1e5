/* Traces on an OpenCL device: what depends on the scene stays there, and of a trace the paths that were kept are copied
   back. The paths are the host's but for rounding. */
#ifndef RCITY_METHOD_CUBES_DEVICE_H
#define RCITY_METHOD_CUBES_DEVICE_H

#include "method/cubes/cubes_trace.h"

typedef struct rcity_cubes_device rcity_cubes_device;

/* Send a scene to the job's device. Where the host does the work that is remembered: the device is the host, has no
   minimum of 64-bit numbers, or no room; the log says so. Job and prepared are borrowed until close.
   @return RCITY_ERR_NO_DEVICE, RCITY_ERR_MEMORY of the host. */
rcity_status rcity_cubes_device_open(const rcity_job *job, const rcity_cubes_prepared *prepared,
                                     rcity_cubes_device **device);
void rcity_cubes_device_close(rcity_cubes_device **device);

/* Does the device launch the rays? */
bool rcity_cubes_device_traces(const rcity_cubes_device *device);

/* Fill the paths and counts of a trace, whose place is set. @return as rcity_device_run(); RCITY_ERR_MEMORY also where
   the device has no room for this trace. */
rcity_status rcity_cubes_device_trace(rcity_cubes_device *device, const rcity_job *job, rcity_cubes_traced *traced);

#endif
