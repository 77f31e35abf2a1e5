/* The device's side of a stage: what is found stays there until levels are asked for. */
#ifndef RCITY_METHOD_SHADOW_TRACE_SHADOW_DEVICE_H
#define RCITY_METHOD_SHADOW_TRACE_SHADOW_DEVICE_H

#include "method/shadow/trace/shadow_tracer.h"

/* Sources that are traced together, at most: enough to fill the largest devices in every launch. */
#define RCITY_SHADOW_DEVICE_SOURCE_MAX 32

/* As the functions of shadow_tracer.h; on the host's device too, for tests. */
typedef struct rcity_shadow_device rcity_shadow_device;
typedef struct rcity_shadow_device_paths rcity_shadow_device_paths;

/* @return RCITY_ERR_MEMORY where the device has no room for the plane, RCITY_ERR_NO_DEVICE. */
rcity_status rcity_shadow_device_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                      const rcity_shadow_choice *choice, rcity_shadow_device **stage);
void rcity_shadow_device_close(rcity_shadow_device **stage);

/* How many sources should be traced together: as many as fill the device, and take little of its memory. */
int rcity_shadow_device_source_max(const rcity_shadow_device *stage);

/* Trace sources together, in the same launches; on failure there are no traces. Room is given back with the last of them.
   @return RCITY_ERR_MEMORY where the device has no room for what views see or for paths; else as rcity_device_run(). */
rcity_status rcity_shadow_device_trace(rcity_shadow_device *stage, int count, const rcity_grid_point3 *sources,
                                       rcity_shadow_device_paths **traces);
void rcity_shadow_device_paths_destroy(rcity_shadow_device_paths **trace);
void rcity_shadow_device_forget(rcity_shadow_device *stage);

/* Queue levels; after rcity_shadow_device_finish() they are there. Bands that are NULL stay on the device. */
rcity_status rcity_shadow_device_weigh(const rcity_shadow_device_paths *trace, const rcity_shadow_weights *weights,
                                       const float *pattern, int64_t pattern_count, const rcity_shadow_bands *bands);
rcity_status rcity_shadow_device_finish(const rcity_shadow_device_paths *trace);
const uint64_t *rcity_shadow_device_visible(const rcity_shadow_device_paths *trace);
rcity_shadow_effort rcity_shadow_device_effort(const rcity_shadow_device_paths *trace);

#endif
