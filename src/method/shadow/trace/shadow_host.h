/* A tracer on the host: line-of-sight rasters, corners and walls on its threads, roofs on the device. */
#ifndef RCITY_METHOD_SHADOW_TRACE_SHADOW_HOST_H
#define RCITY_METHOD_SHADOW_TRACE_SHADOW_HOST_H

#include "method/shadow/trace/shadow_tracer.h"

/* As the functions of shadow_tracer.h. */
typedef struct rcity_shadow_host rcity_shadow_host;
typedef struct rcity_shadow_host_paths rcity_shadow_host_paths;

rcity_status rcity_shadow_host_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                    const rcity_shadow_choice *choice, rcity_shadow_host **host);
void rcity_shadow_host_close(rcity_shadow_host **host);

rcity_status rcity_shadow_host_trace(rcity_shadow_host *host, rcity_grid_point3 source,
                                     rcity_shadow_host_paths **trace);
void rcity_shadow_host_paths_destroy(rcity_shadow_host_paths **trace);
RCITY_MUST_CHECK rcity_status rcity_shadow_host_weigh(const rcity_shadow_host_paths *trace,
                                                      const rcity_shadow_weights *weights, const float *pattern,
                                                      const rcity_shadow_bands *bands);
const uint64_t *rcity_shadow_host_visible(const rcity_shadow_host_paths *trace);
rcity_shadow_effort rcity_shadow_host_effort(const rcity_shadow_host_paths *trace);

#endif
