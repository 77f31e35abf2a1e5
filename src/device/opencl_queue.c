/* Pending commands of an OpenCL device. The queue keeps their order; events tell how long each took. */
#include <assert.h>
#include <string.h>

#include "device/opencl_device.h"
#include "device/opencl_error.h"

static void release_events(rcity_opencl_device *state)
{
    for (int i = 0; i < state->pending_count; i++) {
        state->cl.clReleaseEvent(state->pending[i].event);
    }
    state->pending_count = 0;
}

void rcity_opencl_take_time(const rcity_opencl *cl, cl_event event, double *seconds)
{
    cl_ulong start_ns = 0;
    cl_ulong end_ns = 0;
    if (cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start_ns, &start_ns, NULL) ==
            CL_SUCCESS &&
        cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end_ns, &end_ns, NULL) == CL_SUCCESS &&
        end_ns > start_ns) {
        *seconds += 1e-9 * (double)(end_ns - start_ns);
    }
}

/* Wait for the oldest pending commands. */
static rcity_status finish_some(rcity_context *context, rcity_device *device, int count)
{
    rcity_opencl_device *state = device->state;
    cl_event events[RCITY_OPENCL_PENDING_MAX];
    cl_int error = rcity_opencl_empty_windows(context, device);
    if (error == CL_SUCCESS && count == 0) {
        return RCITY_OK;
    }
    for (int i = 0; i < count; i++) {
        events[i] = state->pending[i].event;
    }
    double start_s = rcity_clock_s();
    error = error != CL_SUCCESS ? error : state->cl.clWaitForEvents((cl_uint)count, events);
    device->load.wait_s += rcity_clock_s() - start_s;
    device->load.wait_count++;
    if (error != CL_SUCCESS) {
        rcity_opencl_abandon(device);
        return rcity_opencl_fail(context, device->info.id, "clWaitForEvents", error);
    }
    for (int i = 0; i < count; i++) {
        double seconds = 0.0;
        rcity_opencl_take_time(&state->cl, events[i], &seconds);
        *state->pending[i].seconds += seconds;
        if (state->pending[i].kernel >= 0) {
            state->kernel[state->pending[i].kernel].seconds += seconds;
            state->kernel[state->pending[i].kernel].launch_count++;
        }
        state->cl.clReleaseEvent(events[i]);
    }
    state->pending_count -= count;
    memmove(state->pending, state->pending + count, (size_t)state->pending_count * sizeof state->pending[0]);
    return RCITY_OK;
}

rcity_status rcity_opencl_finish(rcity_context *context, rcity_device *device)
{
    const rcity_opencl_device *state = device->state;
    return finish_some(context, device, state->pending_count);
}

rcity_status rcity_opencl_finish_copies(rcity_context *context, rcity_device *device)
{
    const rcity_opencl_device *state = device->state;
    int count = state->pending_count;
    while (count > 0 && state->pending[count - 1].kernel >= 0) {
        count--;
    }
    return finish_some(context, device, count);
}

rcity_status rcity_opencl_make_room(rcity_context *context, rcity_device *device)
{
    const rcity_opencl_device *state = device->state;
    return state->pending_count < RCITY_OPENCL_PENDING_MAX ? RCITY_OK : rcity_opencl_finish(context, device);
}

void rcity_opencl_note(rcity_device *device, cl_event event, double *seconds)
{
    rcity_opencl_device *state = device->state;
    assert(state->pending_count < RCITY_OPENCL_PENDING_MAX);
    state->pending[state->pending_count].event = event;
    state->pending[state->pending_count].seconds = seconds;
    state->pending[state->pending_count].kernel = -1;
    state->pending_count++;
}

void rcity_opencl_note_kernel(rcity_device *device, cl_event event, const rcity_opencl_kernel *kernel)
{
    rcity_opencl_device *state = device->state;
    rcity_opencl_note(device, event, &device->times.kernel_s);
    state->pending[state->pending_count - 1].kernel = (int)(kernel - state->kernel);
}

void rcity_opencl_abandon(rcity_device *device)
{
    rcity_opencl_device *state = device->state;
    rcity_opencl_abandon_windows(state);
    if (state->pending_count > 0) {
        (void)state->cl.clFinish(state->queue); /* pending copies still use the caller's memory */
        release_events(state);
    }
    rcity_opencl_drop_spares(state);
}
