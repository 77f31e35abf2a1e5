/* Where a tracer works: completely on the device, or on the host's threads, which also replace a device without enough
   memory. */
#include "method/shadow/trace/shadow_tracer.h"

#include <string.h>

#include "method/shadow/corners/corner_table.h"
#include "method/shadow/trace/shadow_device.h"
#include "method/shadow/trace/shadow_host.h"

struct rcity_shadow_tracer {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;
    const rcity_los_plane *plane;
    rcity_shadow_choice choice;
    rcity_shadow_device *on_device; /* or NULL */
    rcity_shadow_host *on_host;     /* NULL until it is needed */
    rcity_device *host;             /* the host's threads, where they replace the device; otherwise NULL */
};

/* Either on the device or on the host. */
struct rcity_shadow_trace {
    rcity_context *context;
    rcity_shadow_device_paths *on_device;
    rcity_shadow_host_paths *on_host;
};

static bool is_host(const rcity_device *device)
{
    rcity_device_info info;
    rcity_device_describe(device, &info);
    return strcmp(info.kind, "host") == 0;
}

static rcity_status open_host(rcity_shadow_tracer *tracer)
{
    if (tracer->on_host != NULL) {
        return RCITY_OK;
    }
    if (!is_host(tracer->device)) {
        RCITY_TRY(rcity_device_open(tracer->context, "host", &tracer->host));
    }
    rcity_device *device = tracer->host != NULL ? tracer->host : tracer->device;
    return rcity_shadow_host_open(tracer->context, device, tracer->plane, &tracer->choice, &tracer->on_host);
}

static void warn_of_room(const rcity_shadow_tracer *tracer)
{
    rcity_log(tracer->context, RCITY_LOG_WARNING, "the host does what the device has no room for: %s",
              rcity_context_message(tracer->context));
}

static rcity_status open_sides(rcity_shadow_tracer *tracer)
{
    if (is_host(tracer->device)) {
        return open_host(tracer);
    }
    rcity_status status =
        rcity_shadow_device_open(tracer->context, tracer->device, tracer->plane, &tracer->choice, &tracer->on_device);
    if (status != RCITY_ERR_MEMORY) {
        return status;
    }
    warn_of_room(tracer);
    return open_host(tracer);
}

rcity_status rcity_shadow_tracer_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                      const rcity_shadow_choice *choice, rcity_shadow_tracer **tracer)
{
    rcity_shadow_tracer *made = NULL;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "shadows", &made));
    made->context = context;
    made->device = device;
    made->plane = plane;
    made->choice = *choice;
    rcity_status status = open_sides(made);
    if (status != RCITY_OK) {
        rcity_shadow_tracer_close(&made);
        return status;
    }
    *tracer = made;
    return RCITY_OK;
}

void rcity_shadow_tracer_close(rcity_shadow_tracer **tracer)
{
    if (tracer == NULL || *tracer == NULL) {
        return;
    }
    rcity_context *context = (*tracer)->context;
    rcity_shadow_host_close(&(*tracer)->on_host);
    rcity_device_close(&(*tracer)->host);
    rcity_shadow_device_close(&(*tracer)->on_device);
    rcity_release(context, *tracer);
    *tracer = NULL;
}

int rcity_shadow_tracer_batch_size(const rcity_shadow_tracer *tracer)
{
    return tracer->on_device != NULL ? rcity_shadow_device_source_max(tracer->on_device) : 1;
}

/* Traces sources together on the device. If there is no room, fewer are tried; a single one is tried a second time,
   since cached data has been released by then. */
static rcity_status trace_on_device(rcity_shadow_tracer *tracer, int count, const rcity_grid_point3 *sources,
                                    rcity_shadow_device_paths **paths, int *done_count)
{
    int most = rcity_shadow_device_source_max(tracer->on_device);
    count = count < most ? count : most;
    rcity_status status = rcity_shadow_device_trace(tracer->on_device, count, sources, paths);
    while (status == RCITY_ERR_MEMORY && count > 1) {
        count = (count + 1) / 2;
        status = rcity_shadow_device_trace(tracer->on_device, count, sources, paths);
    }
    if (status == RCITY_ERR_MEMORY) {
        status = rcity_shadow_device_trace(tracer->on_device, count, sources, paths);
    }
    *done_count = count;
    return status;
}

/* Is a source lower than the receivers, so that it needs corners of its own? Devices have those of the receivers. */
static bool is_low(const rcity_shadow_tracer *tracer, rcity_grid_point3 source)
{
    return tracer->choice.order > 0 && rcity_corner_level(tracer->plane->shapes, source) < tracer->plane->level;
}

/* Traces some of the sources, from the first on: `*done_count` of them. */
static rcity_status trace_some(rcity_shadow_tracer *tracer, int count, const rcity_grid_point3 *sources,
                               rcity_shadow_trace **traces, int *done_count)
{
    int high_count = 0;
    while (high_count < count && !is_low(tracer, sources[high_count])) {
        high_count++;
    }
    count = high_count > 0 ? high_count : count;
    if (tracer->on_device != NULL && high_count > 0) {
        rcity_shadow_device_paths *paths[RCITY_SHADOW_DEVICE_SOURCE_MAX];
        rcity_status status = trace_on_device(tracer, count, sources, paths, done_count);
        for (int i = 0; i < *done_count && status == RCITY_OK; i++) {
            traces[i]->on_device = paths[i];
        }
        if (status != RCITY_ERR_MEMORY) {
            return status;
        }
        warn_of_room(tracer);
    }
    RCITY_TRY(open_host(tracer));
    *done_count = 1;
    return rcity_shadow_host_trace(tracer->on_host, sources[0], &traces[0]->on_host);
}

rcity_status rcity_shadow_tracer_trace(rcity_shadow_tracer *tracer, int count, const rcity_grid_point3 *sources,
                                       rcity_shadow_trace **traces)
{
    int made_count = 0;
    int done_count = 0;
    rcity_status status = RCITY_OK;
    for (; made_count < count && status == RCITY_OK; made_count++) {
        traces[made_count] = NULL;
        status = rcity_alloc(tracer->context, 1, sizeof **traces, "paths to receivers", &traces[made_count]);
        if (status == RCITY_OK) {
            traces[made_count]->context = tracer->context;
        }
    }
    for (int first = 0; first < count && status == RCITY_OK; first += done_count) {
        status = trace_some(tracer, count - first, sources + first, traces + first, &done_count);
    }
    for (int i = 0; i < made_count && status != RCITY_OK; i++) {
        rcity_shadow_trace_destroy(&traces[i]);
    }
    return status;
}

void rcity_shadow_tracer_forget(rcity_shadow_tracer *tracer)
{
    if (tracer->on_device != NULL) {
        rcity_shadow_device_forget(tracer->on_device);
    }
}

void rcity_shadow_trace_destroy(rcity_shadow_trace **trace)
{
    if (trace == NULL || *trace == NULL) {
        return;
    }
    rcity_context *context = (*trace)->context;
    rcity_shadow_host_paths_destroy(&(*trace)->on_host);
    rcity_shadow_device_paths_destroy(&(*trace)->on_device);
    rcity_release(context, *trace);
    *trace = NULL;
}

rcity_status rcity_shadow_traces_weigh(int count, const rcity_shadow_weighing *weighings)
{
    const rcity_shadow_device_paths *last = NULL;
    rcity_status status = RCITY_OK;
    for (int i = 0; i < count && status == RCITY_OK; i++) {
        const rcity_shadow_weighing *one = &weighings[i];
        if (one->trace->on_device != NULL) {
            last = one->trace->on_device;
            status = rcity_shadow_device_weigh(last, &one->weights, one->pattern, one->pattern_count, &one->bands);
        } else {
            status = rcity_shadow_host_weigh(one->trace->on_host, &one->weights, one->pattern, &one->bands);
        }
    }
    if (last != NULL) { /* also after a failure: pending copies write into the bands */
        rcity_status finished = rcity_shadow_device_finish(last);
        status = status == RCITY_OK ? finished : status;
    }
    return status;
}

rcity_status rcity_shadow_trace_weigh(const rcity_shadow_trace *trace, const rcity_shadow_weights *weights,
                                      const float *pattern, int64_t pattern_count, const rcity_shadow_bands *bands)
{
    const rcity_shadow_weighing one = {trace, *weights, pattern, pattern_count, *bands};
    return rcity_shadow_traces_weigh(1, &one);
}

const uint64_t *rcity_shadow_trace_visible(const rcity_shadow_trace *trace)
{
    return trace->on_device != NULL ? rcity_shadow_device_visible(trace->on_device)
                                    : rcity_shadow_host_visible(trace->on_host);
}

rcity_shadow_effort rcity_shadow_trace_effort(const rcity_shadow_trace *trace)
{
    return trace->on_device != NULL ? rcity_shadow_device_effort(trace->on_device)
                                    : rcity_shadow_host_effort(trace->on_host);
}
