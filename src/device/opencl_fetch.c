/* What a device made, copied to the host. Drivers copy into ordinary memory through a small window of their own, at a fraction of
   what the bus can do (1.2 of some 25 GB/s on an H200): large blocks go through windows of pinned memory here, on a queue of
   their own, so that kernels run meanwhile. A window is emptied by the host's threads when it is needed again, or at the
   end. */
#include <string.h>

#include "base/parallel.h"
#include "device/opencl_device.h"
#include "device/opencl_error.h"

#define WINDOW_BYTES ((size_t)2 << 20)
#define COPY_BYTES   ((size_t)128 << 10) /* that a thread takes at a time */

/* On a GPU blocks from here on take the windows; a CPU's memory is ours. */
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
        *window = (rcity_opencl_window){NULL, NULL, NULL, NULL, NULL, 0};
    }
}

/* @return false where the driver has no such memory: there are other ways. */
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
        rcity_opencl_take_time(&state->cl, window->event, &device->times.download_s);
        copy_work work = {window->to, window->bytes};
        rcity_parallel(context, (int64_t)window->byte_count, (int64_t)COPY_BYTES, copy_part, &work);
    }
    state->cl.clReleaseEvent(window->event);
    window->event = NULL;
    return error;
}

cl_int rcity_opencl_empty_windows(rcity_context *context, rcity_device *device)
{
    rcity_opencl_device *state = device->state;
    cl_int error = CL_SUCCESS;
    for (int i = 0; i < RCITY_OPENCL_WINDOW_COUNT; i++) { /* also after a failure: nothing may be under way */
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

/* Behind all that is queued, on the other queue: kernels that are queued later do not wait. */
static cl_int fetch_through_windows(rcity_context *context, rcity_device *device, cl_mem from, size_t offset,
                                    size_t bytes, char *to)
{
    rcity_opencl_device *state = device->state;
    const cl_event *last = state->pending_count > 0 ? &state->pending[state->pending_count - 1].event : NULL;
    cl_int error = CL_SUCCESS;
    (void)state->cl.clFlush(state->queue); /* one queue waits for the other */
    for (size_t done = 0; done < bytes && error == CL_SUCCESS;) {
        rcity_opencl_window *window = &state->windows[state->next_window];
        error = empty_window(context, device, window);
        if (error != CL_SUCCESS) {
            break;
        }
        window->from = from;
        window->to = to + done;
        window->byte_count = bytes - done < WINDOW_BYTES ? bytes - done : WINDOW_BYTES;
        error = state->cl.clEnqueueReadBuffer(state->copy_queue, from, CL_FALSE, offset + done, window->byte_count,
                                              window->bytes, last != NULL, last, &window->event);
        if (error != CL_SUCCESS) {
            window->event = NULL;
        } else {
            (void)state->cl.clFlush(state->copy_queue);
        }
        done += window->byte_count;
        state->next_window = (state->next_window + 1) % RCITY_OPENCL_WINDOW_COUNT;
    }
    return error;
}

cl_int rcity_opencl_fetch(rcity_context *context, rcity_device *device, cl_mem from, size_t offset, size_t bytes,
                          void *to)
{
    rcity_opencl_device *state = device->state;
    bool is_gpu = strcmp(device->info.kind, "gpu") == 0;
    size_t least = device->fetch_min_bytes != 0 ? device->fetch_min_bytes : is_gpu ? FETCH_MIN_BYTES : SIZE_MAX;
    device->times.download_bytes += bytes;
    if (bytes >= least && open_windows(state)) {
        return fetch_through_windows(context, device, from, offset, bytes, to);
    }
    cl_event event = NULL;
    cl_int error = state->cl.clEnqueueReadBuffer(state->queue, from, CL_FALSE, offset, bytes, to, 0, NULL, &event);
    if (error == CL_SUCCESS) {
        rcity_opencl_note(device, event, &device->times.download_s);
    }
    return error;
}
