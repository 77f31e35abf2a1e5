/* One plane of receivers on one device, ready for any source; and what was traced of a source, ready to be weighed again and
   again. */
#ifndef RCITY_METHOD_SHADOW_STAGE_H
#define RCITY_METHOD_SHADOW_STAGE_H

#include "device/device.h"
#include "method/shadow/los/los_plane.h"
#include "method/shadow/shadow_choice.h"
#include "method/shadow/shadow_weigh.h"

typedef struct rcity_shadow_stage rcity_shadow_stage;
typedef struct rcity_shadow_trace rcity_shadow_trace;

/* Make a plane ready on a device; all are borrowed until close. One source is traced at a time.
   @return RCITY_ERR_MEMORY, RCITY_ERR_NO_DEVICE. */
rcity_status rcity_shadow_stage_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                     const rcity_shadow_choice *choice, rcity_shadow_stage **stage);
void rcity_shadow_stage_close(rcity_shadow_stage **stage);

/* Find the ways from a source to every pixel. What is found stays where it was found, on the host or the device, until
   rcity_shadow_trace_destroy(), which comes before the stage is closed. @return as rcity_device_run(). */
rcity_status rcity_shadow_stage_trace(rcity_shadow_stage *stage, rcity_grid_point3 source, rcity_shadow_trace **trace);
void rcity_shadow_trace_destroy(rcity_shadow_trace **trace);

/* Levels of all pixels, row by row from the north, for one set of weights; `pattern` is the antenna's table with
   `pattern_count` numbers. @return as rcity_device_run(); RCITY_OK on the host. */
rcity_status rcity_shadow_trace_weigh(const rcity_shadow_trace *trace, const rcity_shadow_weights *weights,
                                      const float *pattern, int64_t pattern_count, const rcity_shadow_bands *bands);

/* What the source sees, a bit a pixel as of rcity_los_trace(). */
const uint64_t *rcity_shadow_trace_lit(const rcity_shadow_trace *trace);

/* What was found: for reports and benchmarks. */
typedef struct rcity_shadow_effort {
    int64_t raster_count; /* rasters of sight: the source's and its corners' */
    int64_t chain_count;  /* of corners */
    int64_t way_count;    /* around corners, over all pixels; -1: not counted on a device */
} rcity_shadow_effort;

rcity_shadow_effort rcity_shadow_trace_effort(const rcity_shadow_trace *trace);

#endif
