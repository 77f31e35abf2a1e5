/* One plane of receivers on one device, ready for any sources; and the trace of a source, which can be weighed
   repeatedly. */
#ifndef RCITY_METHOD_SHADOW_TRACE_SHADOW_TRACER_H
#define RCITY_METHOD_SHADOW_TRACE_SHADOW_TRACER_H

#include "device/device.h"
#include "method/shadow/shadow_choice.h"
#include "method/shadow/shadow_weigh.h"
#include "visibility/los/los_plane.h"

typedef struct rcity_shadow_tracer rcity_shadow_tracer;
typedef struct rcity_shadow_trace rcity_shadow_trace;

/* Prepares a plane on a device; all are borrowed until close. One thread at a time uses a tracer and its traces.
   @return RCITY_ERR_MEMORY, RCITY_ERR_NO_DEVICE. */
rcity_status rcity_shadow_tracer_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                      const rcity_shadow_choice *choice, rcity_shadow_tracer **tracer);
void rcity_shadow_tracer_close(rcity_shadow_tracer **tracer);

/* Finds the paths from each of `count` sources to every pixel; `traces[i]` belongs to `sources[i]`. On a device many
   sources are traced together, as many as its memory has room for. The result stays where it was found, on the host or
   the device, until rcity_shadow_trace_destroy(), which must come before the tracer is closed; a device's memory is
   released with the last of the traces that were made together. A trace does not depend on the others. On failure there
   are none. @return as rcity_device_run(). */
rcity_status rcity_shadow_tracer_trace(rcity_shadow_tracer *tracer, int count, const rcity_grid_point3 *sources,
                                       rcity_shadow_trace **traces);
void rcity_shadow_trace_destroy(rcity_shadow_trace **trace);

/* The number of sources that are traced together, where there are so many; 1 on the host. */
int rcity_shadow_tracer_batch_size(const rcity_shadow_tracer *tracer);

/* Drops cached data of earlier traces, for benchmarks: on a device it is what corners see. */
void rcity_shadow_tracer_forget(rcity_shadow_tracer *tracer);

/* A trace and one set of weights; `pattern` is the antenna's table with `pattern_count` numbers. */
typedef struct rcity_shadow_weighing {
    const rcity_shadow_trace *trace;
    rcity_shadow_weights weights;
    const float *pattern;
    int64_t pattern_count;
    rcity_shadow_bands bands;
} rcity_shadow_weighing;

/* Levels of all pixels, row by row from the north, for each weighing; the traces belong to one tracer. On a device,
   levels are copied to the host while the next are computed. @return as rcity_device_run(); RCITY_OK on the host. */
rcity_status rcity_shadow_traces_weigh(int count, const rcity_shadow_weighing *weighings);

/* The same for one. */
rcity_status rcity_shadow_trace_weigh(const rcity_shadow_trace *trace, const rcity_shadow_weights *weights,
                                      const float *pattern, int64_t pattern_count, const rcity_shadow_bands *bands);

/* What the source sees, one bit per pixel as from rcity_los_trace(). */
const uint64_t *rcity_shadow_trace_visible(const rcity_shadow_trace *trace);

/* How much was found, for reports and benchmarks. */
typedef struct rcity_shadow_effort {
    int64_t raster_count; /* line-of-sight rasters: the source's and its corners' */
    int64_t chain_count;  /* of corners */
    int64_t path_count;   /* around corners, to all pixels; -1: not counted on a device */
} rcity_shadow_effort;

rcity_shadow_effort rcity_shadow_trace_effort(const rcity_shadow_trace *trace);

#endif
