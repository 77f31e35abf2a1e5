/* Where a stage works: all on the device, or on the host's threads, which also stand in for a device without room for it. */
#include "method/shadow/shadow_stage.h"

#include <string.h>

#include "method/shadow/shadow_device.h"
#include "method/shadow/shadow_host.h"

struct rcity_shadow_stage {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;
    const rcity_los_plane *plane;
    rcity_shadow_choice choice;
    rcity_shadow_device *on_device; /* or NULL */
    rcity_shadow_host *on_host;     /* NULL until it is needed */
    rcity_device *host;             /* the host's threads, where they stand in for the device; NULL else */
};

/* One of the two. */
struct rcity_shadow_trace {
    rcity_context *context;
    rcity_shadow_device_ways *on_device;
    rcity_shadow_host_ways *on_host;
};

static bool is_host(const rcity_device *device)
{
    rcity_device_info info;
    rcity_device_describe(device, &info);
    return strcmp(info.kind, "host") == 0;
}

static rcity_status open_host(rcity_shadow_stage *stage)
{
    if (stage->on_host != NULL) {
        return RCITY_OK;
    }
    if (!is_host(stage->device)) {
        RCITY_TRY(rcity_device_open(stage->context, "host", &stage->host));
    }
    rcity_device *device = stage->host != NULL ? stage->host : stage->device;
    return rcity_shadow_host_open(stage->context, device, stage->plane, &stage->choice, &stage->on_host);
}

static void warn_of_room(const rcity_shadow_stage *stage)
{
    rcity_log(stage->context, RCITY_LOG_WARNING, "the host does what the device has no room for: %s",
              rcity_context_message(stage->context));
}

static rcity_status open_sides(rcity_shadow_stage *stage)
{
    if (is_host(stage->device)) {
        return open_host(stage);
    }
    rcity_status status =
        rcity_shadow_device_open(stage->context, stage->device, stage->plane, &stage->choice, &stage->on_device);
    if (status != RCITY_ERR_MEMORY) {
        return status;
    }
    warn_of_room(stage);
    return open_host(stage);
}

rcity_status rcity_shadow_stage_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                     const rcity_shadow_choice *choice, rcity_shadow_stage **stage)
{
    rcity_shadow_stage *made = NULL;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "shadows", &made));
    made->context = context;
    made->device = device;
    made->plane = plane;
    made->choice = *choice;
    rcity_status status = open_sides(made);
    if (status != RCITY_OK) {
        rcity_shadow_stage_close(&made);
        return status;
    }
    *stage = made;
    return RCITY_OK;
}

void rcity_shadow_stage_close(rcity_shadow_stage **stage)
{
    if (stage == NULL || *stage == NULL) {
        return;
    }
    rcity_context *context = (*stage)->context;
    rcity_shadow_host_close(&(*stage)->on_host);
    rcity_device_close(&(*stage)->host);
    rcity_shadow_device_close(&(*stage)->on_device);
    rcity_release(context, *stage);
    *stage = NULL;
}

static rcity_status trace_side(rcity_shadow_stage *stage, rcity_grid_point3 source, rcity_shadow_trace *trace)
{
    if (stage->on_device != NULL) {
        rcity_status status = rcity_shadow_device_trace(stage->on_device, source, &trace->on_device);
        if (status != RCITY_ERR_MEMORY) {
            return status;
        }
        warn_of_room(stage);
    }
    RCITY_TRY(open_host(stage));
    return rcity_shadow_host_trace(stage->on_host, source, &trace->on_host);
}

rcity_status rcity_shadow_stage_trace(rcity_shadow_stage *stage, rcity_grid_point3 source, rcity_shadow_trace **trace)
{
    rcity_shadow_trace *made = NULL;
    RCITY_TRY(rcity_alloc(stage->context, 1, sizeof *made, "ways to receivers", &made));
    made->context = stage->context;
    rcity_status status = trace_side(stage, source, made);
    if (status != RCITY_OK) {
        rcity_release(stage->context, made);
        return status;
    }
    *trace = made;
    return RCITY_OK;
}

void rcity_shadow_trace_destroy(rcity_shadow_trace **trace)
{
    if (trace == NULL || *trace == NULL) {
        return;
    }
    rcity_context *context = (*trace)->context;
    rcity_shadow_host_ways_destroy(&(*trace)->on_host);
    rcity_shadow_device_ways_destroy(&(*trace)->on_device);
    rcity_release(context, *trace);
    *trace = NULL;
}

rcity_status rcity_shadow_trace_weigh(const rcity_shadow_trace *trace, const rcity_shadow_weights *weights,
                                      const float *pattern, int64_t pattern_count, const rcity_shadow_bands *bands)
{
    if (trace->on_device != NULL) {
        return rcity_shadow_device_weigh(trace->on_device, weights, pattern, pattern_count, bands);
    }
    rcity_shadow_host_weigh(trace->on_host, weights, pattern, bands);
    return RCITY_OK;
}

const uint64_t *rcity_shadow_trace_lit(const rcity_shadow_trace *trace)
{
    return trace->on_device != NULL ? rcity_shadow_device_lit(trace->on_device) : rcity_shadow_host_lit(trace->on_host);
}

rcity_shadow_effort rcity_shadow_trace_effort(const rcity_shadow_trace *trace)
{
    return trace->on_device != NULL ? rcity_shadow_device_effort(trace->on_device)
                                    : rcity_shadow_host_effort(trace->on_host);
}
