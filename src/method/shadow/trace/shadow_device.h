/* A tracer on a device: its results stay there until levels are requested. */
#ifndef RCITY_METHOD_SHADOW_TRACE_SHADOW_DEVICE_H
#define RCITY_METHOD_SHADOW_TRACE_SHADOW_DEVICE_H

#include "method/shadow/trace/shadow_tracer.h"

/* Largest number of sources that are traced together: enough to fill the largest devices in every launch. */
#define RCITY_SHADOW_DEVICE_SOURCE_MAX 32

/* As the functions of shadow_tracer.h; on the host's device too, for tests. */
typedef struct rcity_shadow_device rcity_shadow_device;
typedef struct rcity_shadow_device_paths rcity_shadow_device_paths;

/* @return RCITY_ERR_MEMORY where the device has no room for the plane, RCITY_ERR_NO_DEVICE. */
rcity_status rcity_shadow_device_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                      const rcity_shadow_choice *choice, rcity_shadow_device **tracer);
void rcity_shadow_device_close(rcity_shadow_device **tracer);

/* How many sources should be traced together: enough to fill the device, with little of its memory. */
int rcity_shadow_device_source_max(const rcity_shadow_device *tracer);

/* Traces sources together, in the same launches; on failure there are no traces. The memory is released with the last
   of them. @return RCITY_ERR_MEMORY where the device has no room for masks or paths; otherwise as
   rcity_device_run(). */
rcity_status rcity_shadow_device_trace(rcity_shadow_device *tracer, int count, const rcity_grid_point3 *sources,
                                       rcity_shadow_device_paths **traces);
void rcity_shadow_device_paths_destroy(rcity_shadow_device_paths **trace);
void rcity_shadow_device_forget(rcity_shadow_device *tracer);

/* Queues levels; they are complete after rcity_shadow_device_finish(). Bands that are NULL stay on the device. */
rcity_status rcity_shadow_device_weigh(const rcity_shadow_device_paths *trace, const rcity_shadow_weights *weights,
                                       const float *pattern, int64_t pattern_count, const rcity_shadow_bands *bands);
rcity_status rcity_shadow_device_finish(const rcity_shadow_device_paths *trace);
const uint64_t *rcity_shadow_device_visible(const rcity_shadow_device_paths *trace);
rcity_shadow_effort rcity_shadow_device_effort(const rcity_shadow_device_paths *trace);

#endif
