/* Data that stay on an OpenCL device between launches. */
#include <stdio.h>

#include "device/opencl_device.h"
#include "device/opencl_error.h"

static rcity_status fail_call(rcity_context *context, const rcity_resident *resident, const char *call, cl_int error)
{
    rcity_status status = rcity_opencl_fail(context, resident->device->info.id, call, error);
    return rcity_fail_prefix(context, status, "%s: ", resident->what);
}

static rcity_status check_room(rcity_context *context, const rcity_resident *resident, double bytes)
{
    const rcity_device *device = resident->device;
    uint64_t most = rcity_device_buffer_bytes(device);
    char need_text[32];
    char most_text[32];
    RCITY_CHECK(context, bytes <= (double)most, RCITY_ERR_MEMORY,
                "%s: needs %s in one block, device %s offers %s; use `device=host` or a smaller scene", resident->what,
                rcity_format_bytes(bytes, need_text), device->info.id, rcity_format_bytes((double)most, most_text));
    return RCITY_OK;
}

/* Copy the data once, and wait for it: the caller may change them afterwards. */
static rcity_status send(rcity_context *context, rcity_resident *resident, size_t bytes)
{
    rcity_device *device = resident->device;
    const rcity_opencl_device *state = device->state;
    double start_s = rcity_clock_s();
    cl_event event = NULL;
    cl_int error = state->cl.clEnqueueWriteBuffer(state->queue, resident->data_dev, CL_TRUE, 0, bytes, resident->data,
                                                  0, NULL, &event);
    if (error != CL_SUCCESS) {
        rcity_opencl_forget(resident);
        return fail_call(context, resident, "clEnqueueWriteBuffer", error);
    }
    state->cl.clReleaseEvent(event);
    device->times.upload_s += rcity_clock_s() - start_s;
    device->times.upload_bytes += bytes;
    return RCITY_OK;
}

/* What kernels write takes memory that is there already. Where there is no more, spare memory may be what is missing. */
static cl_mem get_memory(rcity_resident *resident, size_t bytes, cl_int *error)
{
    rcity_opencl_device *state = resident->device->state;
    cl_mem_flags flags = resident->is_empty ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;
    cl_mem memory_dev = resident->is_empty ? rcity_opencl_take_spare(state, bytes, &resident->bytes_dev) : NULL;
    if (memory_dev != NULL) {
        resident->device->load.reused_bytes += bytes;
        return memory_dev;
    }
    resident->bytes_dev = bytes;
    memory_dev = state->cl.clCreateBuffer(state->context, flags, bytes, NULL, error);
    if ((memory_dev == NULL || *error != CL_SUCCESS) && state->spare_count > 0) {
        rcity_opencl_drop_spares(state);
        memory_dev = state->cl.clCreateBuffer(state->context, flags, bytes, NULL, error);
    }
    return memory_dev;
}

rcity_status rcity_opencl_keep(rcity_context *context, rcity_resident *resident)
{
    RCITY_TRY(check_room(context, resident, (double)resident->count * (double)resident->element_bytes));
    size_t bytes = (size_t)resident->count * resident->element_bytes;
    size_t room = bytes > 0 ? bytes : 16; /* an empty one is still an argument, and OpenCL has none of size 0 */
    cl_int error = CL_SUCCESS;
    cl_mem memory_dev = get_memory(resident, room, &error);
    if (memory_dev == NULL || error != CL_SUCCESS) {
        char need_text[32];
        char call[80];
        snprintf(call, sizeof call, "clCreateBuffer of %s", rcity_format_bytes((double)room, need_text));
        return fail_call(context, resident, call, error);
    }
    resident->data_dev = memory_dev;
    if (resident->is_empty || bytes == 0) {
        return RCITY_OK;
    }
    return send(context, resident, bytes);
}

void rcity_opencl_forget(rcity_resident *resident)
{
    const rcity_opencl_device *state = resident->device->state;
    if (resident->is_empty) {
        rcity_opencl_give_spare(resident->device, resident->data_dev, resident->bytes_dev);
    } else {
        state->cl.clReleaseMemObject(resident->data_dev);
    }
    resident->data_dev = NULL;
}

rcity_status rcity_opencl_write(rcity_context *context, rcity_resident *resident, int64_t first, int64_t count,
                                const void *from)
{
    rcity_device *device = resident->device;
    size_t bytes = (size_t)count * resident->element_bytes;
    RCITY_TRY(rcity_opencl_make_room(context, device));
    cl_int error =
        rcity_opencl_send(context, device, resident->data_dev, (size_t)first * resident->element_bytes, bytes, from);
    if (error != CL_SUCCESS) {
        rcity_opencl_abandon(device);
        return fail_call(context, resident, "clEnqueueWriteBuffer", error);
    }
    return RCITY_OK;
}

rcity_status rcity_opencl_read(rcity_context *context, const rcity_resident *resident, int64_t first, int64_t count,
                               void *to)
{
    rcity_device *device = resident->device;
    size_t bytes = (size_t)count * resident->element_bytes;
    RCITY_TRY(rcity_opencl_make_room(context, device));
    cl_int error =
        rcity_opencl_fetch(context, device, resident->data_dev, (size_t)first * resident->element_bytes, bytes, to);
    if (error != CL_SUCCESS) {
        rcity_opencl_abandon(device);
        return fail_call(context, resident, "clEnqueueReadBuffer", error);
    }
    return RCITY_OK;
}
