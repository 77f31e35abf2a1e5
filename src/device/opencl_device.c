/* Opening and closing an OpenCL device. */
#include "device/opencl_device.h"

#include <string.h>

#include "device/opencl_error.h"

static void opencl_close(rcity_device *device)
{
    rcity_opencl_device *state = device->state;
    rcity_opencl_abandon(device);
    rcity_opencl_programs_deinit(device);
    if (state->queue != NULL) {
        rcity_opencl_close_windows(state);
        state->cl.clReleaseCommandQueue(state->queue);
    }
    if (state->copy_queue != NULL) {
        state->cl.clReleaseCommandQueue(state->copy_queue);
    }
    if (state->context != NULL) {
        state->cl.clReleaseContext(state->context);
    }
    rcity_release(device->context, state);
    device->state = NULL;
}

/* A device that does not open counts as absent, whatever the driver's error. */
static rcity_status fail_open(rcity_context *context, const rcity_opencl_entry *entry, const char *call, cl_int error)
{
    (void)rcity_opencl_fail(context, entry->info.id, call, error);
    return rcity_fail_prefix(context, RCITY_ERR_NO_DEVICE, "%s does not open: ", entry->info.name);
}

static rcity_status open_queue(rcity_context *context, const rcity_opencl_entry *entry, rcity_opencl_device *state,
                               cl_ulong *local_bytes)
{
    const rcity_opencl *cl = &state->cl;
    cl_int error = cl->clGetDeviceInfo(state->device, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof state->parameter_max_bytes,
                                       &state->parameter_max_bytes, NULL);
    if (error == CL_SUCCESS) {
        error = cl->clGetDeviceInfo(state->device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof *local_bytes, local_bytes, NULL);
    }
    if (error != CL_SUCCESS) {
        return fail_open(context, entry, "clGetDeviceInfo", error);
    }
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)entry->platform, 0};
    state->context = cl->clCreateContext(properties, 1, &state->device, NULL, NULL, &error);
    if (state->context == NULL) {
        return fail_open(context, entry, "clCreateContext", error);
    }
    state->queue = cl->clCreateCommandQueue(state->context, state->device, CL_QUEUE_PROFILING_ENABLE, &error);
    if (state->queue != NULL) {
        state->copy_queue = cl->clCreateCommandQueue(state->context, state->device, CL_QUEUE_PROFILING_ENABLE, &error);
    }
    if (state->queue == NULL || state->copy_queue == NULL) {
        return fail_open(context, entry, "clCreateCommandQueue", error);
    }
    return RCITY_OK;
}

rcity_status rcity_opencl_device_open(const rcity_opencl *cl, const rcity_opencl_entry *entry, rcity_device *device)
{
    static const rcity_device_ops opencl_ops = {
        rcity_opencl_run,           rcity_opencl_keep,         rcity_opencl_forget,
        rcity_opencl_write,         rcity_opencl_read,         rcity_opencl_finish,
        rcity_opencl_finish_copies, rcity_opencl_kernel_times, opencl_close};
    rcity_opencl_device *state = NULL;
    RCITY_TRY(rcity_alloc(device->context, 1, sizeof *state, "an OpenCL device", &state));
    state->cl = *cl;
    state->device = entry->device;
    memcpy(state->identity, entry->identity, sizeof state->identity);
    device->state = state;
    cl_ulong local_bytes = 0;
    rcity_status status = open_queue(device->context, entry, state, &local_bytes);
    if (status != RCITY_OK) {
        opencl_close(device);
        return status;
    }
    device->ops = &opencl_ops;
    device->info = entry->info;
    device->has_minimum64 = entry->has_minimum64;
    device->local_bytes = (size_t)local_bytes;
    return RCITY_OK;
}
