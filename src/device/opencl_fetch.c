/* Copies between host and device. Drivers copy into ordinary memory through a small buffer of their own, at a fraction
   of the speed of the bus (1.2 of some 25 GB/s on an H200). So large blocks go through windows of pinned memory here,
   on a separate queue, so that kernels run meanwhile. The host's threads empty a window when it is needed again, or at
   the end. */
#include <string.h>

#include "base/parallel.h"
#include "device/opencl_device.h"
#include "device/opencl_error.h"

#define WINDOW_BYTES ((size_t)4 << 20)
#define COPY_BYTES   ((size_t)128 << 10) /* per thread at a time */

/* On a GPU, blocks from this size on take the separate queue, which waits for the main queue. A CPU device uses the
   host's memory anyway. */
#define FETCH_MIN_BYTES ((size_t)1 << 20)

typedef struct copy_work {
    char *to;
    const char *from;
} copy_work;

/* An rcity_parallel_function. */
static void copy_part(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const copy_work *work = user;
    memcpy(work->to + begin, work->from + begin, (size_t)(end - begin));
}

void rcity_opencl_close_windows(rcity_opencl_device *state)
{
    for (int i = 0; i < RCITY_OPENCL_WINDOW_COUNT; i++) {
        rcity_opencl_window *window = &state->windows[i];
        if (window->bytes != NULL) {
            (void)state->cl.clEnqueueUnmapMemObject(state->queue, window->memory, window->bytes, 0, NULL, NULL);
        }
        if (window->memory != NULL) {
            state->cl.clReleaseMemObject(window->memory);
        }
        *window = (rcity_opencl_window){NULL, NULL, NULL, NULL, NULL, 0, NULL};
    }
}

/* @return false where the driver has no such memory; copies then do without windows. */
static bool open_windows(rcity_opencl_device *state)
{
    const rcity_opencl *cl = &state->cl;
    for (int i = 0; i < RCITY_OPENCL_WINDOW_COUNT && !state->has_no_windows; i++) {
        rcity_opencl_window *window = &state->windows[i];
        cl_int error = CL_SUCCESS;
        if (window->bytes != NULL) {
            continue;
        }
        window->memory =
            cl->clCreateBuffer(state->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, WINDOW_BYTES, NULL, &error);
        if (window->memory != NULL) {
            window->bytes = cl->clEnqueueMapBuffer(state->queue, window->memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                                   WINDOW_BYTES, 0, NULL, NULL, &error);
        }
        state->has_no_windows = window->memory == NULL || window->bytes == NULL;
    }
    if (state->has_no_windows) {
        rcity_opencl_close_windows(state);
    }
    return !state->has_no_windows;
}

/* Wait for a window's copy and empty it. */
static cl_int empty_window(rcity_context *context, rcity_device *device, rcity_opencl_window *window)
{
    rcity_opencl_device *state = device->state;
    if (window->event == NULL) {
        return CL_SUCCESS;
    }
    double start_s = rcity_clock_s();
    cl_int error = state->cl.clWaitForEvents(1, &window->event);
    device->load.wait_s += rcity_clock_s() - start_s;
    if (error == CL_SUCCESS) {
        rcity_opencl_take_time(&state->cl, window->event, window->seconds);
        copy_work work = {window->to, window->bytes};
        if (window->to != NULL) {
            rcity_parallel(context, (int64_t)window->byte_count, (int64_t)COPY_BYTES, copy_part, &work);
        }
    }
    state->cl.clReleaseEvent(window->event);
    window->event = NULL;
    return error;
}

cl_int rcity_opencl_empty_windows(rcity_context *context, rcity_device *device)
{
    rcity_opencl_device *state = device->state;
    cl_int error = CL_SUCCESS;
    for (int i = 0; i < RCITY_OPENCL_WINDOW_COUNT; i++) { /* also after a failure: no copy may be pending */
        int index = (state->next_window + i) % RCITY_OPENCL_WINDOW_COUNT;
        cl_int last = empty_window(context, device, &state->windows[index]);
        error = error == CL_SUCCESS ? last : error;
    }
    return error;
}

void rcity_opencl_abandon_windows(rcity_opencl_device *state)
{
    bool is_waited_for = false;
    for (int i = 0; i < RCITY_OPENCL_WINDOW_COUNT; i++) {
        if (state->windows[i].event != NULL) {
            if (!is_waited_for) {
                (void)state->cl.clFinish(state->copy_queue);
                (void)state->cl.clFinish(state->queue);
                is_waited_for = true;
            }
            state->cl.clReleaseEvent(state->windows[i].event);
            state->windows[i].event = NULL;
        }
    }
}

cl_uint rcity_opencl_find_copies(const rcity_opencl_device *state, cl_mem memory, cl_uint count, cl_event *events)
{
    for (int i = 0; i < RCITY_OPENCL_WINDOW_COUNT; i++) {
        bool is_known = state->windows[i].event == NULL || state->windows[i].from != memory;
        for (cl_uint k = 0; k < count && !is_known; k++) {
            is_known = events[k] == state->windows[i].event;
        }
        if (!is_known) {
            events[count++] = state->windows[i].event;
        }
    }
    return count;
}

/* The oldest window, empty. */
static cl_int take_window(rcity_context *context, rcity_device *device, rcity_opencl_window **window)
{
    rcity_opencl_device *state = device->state;
    *window = &state->windows[state->next_window];
    state->next_window = (state->next_window + 1) % RCITY_OPENCL_WINDOW_COUNT;
    return empty_window(context, device, *window);
}

/* The size from which blocks take the separate queue. */
static size_t large_bytes(const rcity_device *device)
{
    return device->fetch_min_bytes != 0 ? device->fetch_min_bytes : FETCH_MIN_BYTES;
}

/* On a GPU all copies use the windows, since a driver may wait for a copy of ordinary memory as soon as it is
   enqueued. */
static bool takes_windows(rcity_device *device)
{
    bool is_wanted = device->fetch_min_bytes != 0 || strcmp(device->info.kind, "gpu") == 0;
    return is_wanted && open_windows(device->state);
}

/* After everything queued so far. Large blocks take the separate queue, so that kernels queued later do not wait. */
static cl_int fetch_through_windows(rcity_context *context, rcity_device *device, cl_mem from, size_t offset,
                                    size_t bytes, char *to)
{
    rcity_opencl_device *state = device->state;
    bool is_large = bytes >= large_bytes(device);
    cl_command_queue queue = is_large ? state->copy_queue : state->queue;
    const cl_event *last =
        is_large && state->pending_count > 0 ? &state->pending[state->pending_count - 1].event : NULL;
    cl_int error = CL_SUCCESS;
    (void)state->cl.clFlush(state->queue); /* the other queue waits for this one */
    for (size_t done = 0; done < bytes && error == CL_SUCCESS;) {
        rcity_opencl_window *window = NULL;
        error = take_window(context, device, &window);
        if (error != CL_SUCCESS) {
            break;
        }
        window->from = from;
        window->to = to + done;
        window->byte_count = bytes - done < WINDOW_BYTES ? bytes - done : WINDOW_BYTES;
        window->seconds = &device->times.download_s;
        cl_event before[RCITY_OPENCL_WINDOW_COUNT + 1];
        cl_uint before_count = 0;
        if (is_large) { /* the other queue: what runs there does not wait for this one by itself */
            if (last != NULL) {
                before[before_count++] = *last;
            }
            before_count = rcity_opencl_find_copies(state, from, before_count, before);
        }
        error = state->cl.clEnqueueReadBuffer(queue, from, CL_FALSE, offset + done, window->byte_count, window->bytes,
                                              before_count, before_count > 0 ? before : NULL, &window->event);
        if (error != CL_SUCCESS) {
            window->event = NULL;
        } else {
            (void)state->cl.clFlush(queue);
        }
        done += window->byte_count;
    }
    return error;
}

cl_int rcity_opencl_fetch(rcity_context *context, rcity_device *device, cl_mem from, size_t offset, size_t bytes,
                          void *to)
{
    rcity_opencl_device *state = device->state;
    device->times.download_bytes += bytes;
    if (takes_windows(device)) {
        return fetch_through_windows(context, device, from, offset, bytes, to);
    }
    cl_event event = NULL;
    cl_int error = state->cl.clEnqueueReadBuffer(state->queue, from, CL_FALSE, offset, bytes, to, 0, NULL, &event);
    if (error == CL_SUCCESS) {
        rcity_opencl_note(device, event, &device->times.download_s);
    }
    return error;
}

/* One block through a window; a larger one would wait for the driver's copy of ordinary memory. */
static cl_int send_through_window(rcity_context *context, rcity_device *device, cl_mem to, size_t offset, size_t bytes,
                                  const char *from)
{
    rcity_opencl_device *state = device->state;
    rcity_opencl_window *window = NULL;
    cl_event event = NULL;
    cl_event copies[RCITY_OPENCL_WINDOW_COUNT];
    cl_int error = take_window(context, device, &window);
    if (error != CL_SUCCESS) {
        return error;
    }
    copy_work work = {window->bytes, from};
    rcity_parallel(context, (int64_t)bytes, (int64_t)COPY_BYTES, copy_part, &work);
    cl_uint copy_count = rcity_opencl_find_copies(state, to, 0, copies);
    error = state->cl.clEnqueueWriteBuffer(state->queue, to, CL_FALSE, offset, bytes, window->bytes, copy_count,
                                           copy_count > 0 ? copies : NULL, &event);
    if (error == CL_SUCCESS) {
        *window = (rcity_opencl_window){window->memory, window->bytes, event, to, NULL, bytes, &device->times.upload_s};
        (void)state->cl.clFlush(state->queue); /* the next window is filled meanwhile */
    }
    return error;
}

cl_int rcity_opencl_send(rcity_context *context, rcity_device *device, cl_mem to, size_t offset, size_t bytes,
                         const void *from)
{
    rcity_opencl_device *state = device->state;
    cl_event event = NULL;
    cl_event copies[RCITY_OPENCL_WINDOW_COUNT];
    cl_int error = CL_SUCCESS;
    device->times.upload_bytes += bytes;
    if (takes_windows(device)) {
        for (size_t done = 0; done < bytes && error == CL_SUCCESS; done += WINDOW_BYTES) {
            size_t part = bytes - done < WINDOW_BYTES ? bytes - done : WINDOW_BYTES;
            error = send_through_window(context, device, to, offset + done, part, (const char *)from + done);
        }
        return error;
    }
    cl_uint copy_count = rcity_opencl_find_copies(state, to, 0, copies); /* of windows that are not reused meanwhile */
    error = state->cl.clEnqueueWriteBuffer(state->queue, to, CL_FALSE, offset, bytes, from, copy_count,
                                           copy_count > 0 ? copies : NULL, &event);
    if (error == CL_SUCCESS) {
        rcity_opencl_note(device, event, &device->times.upload_s);
    }
    return error;
}
