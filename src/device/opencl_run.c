/* A launch on an OpenCL device: items in pieces that fit, each uploaded, run and downloaded. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "device/opencl_device.h"
#include "device/opencl_error.h"

/* Largest item buffer of a piece: enough to hide the cost of a launch, little enough to share the device. */
#define PIECE_MAX_BYTES ((uint64_t)256 << 20)
#define PIECE_MAX_ITEMS ((int64_t)1 << 30)

/* With progress to report, a launch is cut into about this many pieces, but never so small that the device is idle: a
   compute unit holds some 2048 items at a time, and the last of several waves ends with little waiting. */
#define REPORT_COUNT        64
#define BUSY_ITEMS_PER_UNIT 8192

/* Kernel arguments before the buffers: job, item_begin, item_count. */
#define FIRST_BUFFER_ARGUMENT 3

/* State of one launch. */
typedef struct opencl_work {
    rcity_context *context;
    rcity_device *device;
    const rcity_opencl_device *state;
    const rcity_launch *launch;
    const rcity_opencl_kernel *built;
    int64_t piece_items;
    bool is_queued; /* the call does not wait */
    cl_mem buffer_dev[RCITY_KERNEL_BUFFER_MAX];
} opencl_work;

static rcity_status fail_call(const opencl_work *work, const char *call, cl_int error)
{
    rcity_status status = rcity_opencl_fail(work->context, work->device->info.id, call, error);
    return rcity_fail_prefix(work->context, status, "kernel %s: ", work->launch->kernel->name);
}

/* Buffers shared by all items are not split. */
static bool is_whole(const rcity_kernel *kernel, int index)
{
    return kernel->buffer[index].use == RCITY_BUFFER_SHARED_IN || kernel->buffer[index].use == RCITY_BUFFER_ON_DEVICE;
}

static uint64_t shared_bytes(const rcity_launch *launch, int index)
{
    return (uint64_t)launch->shared_count[index] * launch->kernel->buffer[index].element_bytes;
}

/* A part that cannot be split must fit whole: a shared buffer, or one element of an item buffer. */
static rcity_status check_part(const opencl_work *work, int index, double bytes)
{
    char need_text[32];
    char most_text[32];
    uint64_t most = rcity_device_buffer_bytes(work->device);
    RCITY_CHECK(work->context, bytes <= (double)most, RCITY_ERR_MEMORY,
                "kernel %s: buffer %d needs %s in one block, device %s offers %s; use `device=host` or a smaller scene",
                work->launch->kernel->name, index, rcity_format_bytes(bytes, need_text), work->device->info.id,
                rcity_format_bytes((double)most, most_text));
    return RCITY_OK;
}

/* How many items go at once. */
static rcity_status plan_pieces(opencl_work *work)
{
    const rcity_launch *launch = work->launch;
    const rcity_kernel *kernel = launch->kernel;
    const rcity_device_info *info = &work->device->info;
    uint64_t most = rcity_device_buffer_bytes(work->device);
    most = most < PIECE_MAX_BYTES ? most : PIECE_MAX_BYTES;
    uint64_t items = launch->item_count < PIECE_MAX_ITEMS ? (uint64_t)launch->item_count : (uint64_t)PIECE_MAX_ITEMS;
    uint64_t item_bytes = 0;
    uint64_t whole_bytes = 0;
    for (int i = 0; i < kernel->buffer_count; i++) {
        uint64_t element_bytes = kernel->buffer[i].element_bytes;
        if (is_whole(kernel, i)) {
            assert(launch->shared_count[i] >= 0);
            RCITY_TRY(check_part(work, i, (double)launch->shared_count[i] * (double)element_bytes));
            whole_bytes += shared_bytes(launch, i);
            continue;
        }
        RCITY_TRY(check_part(work, i, (double)element_bytes));
        uint64_t fitting = most / element_bytes;
        fitting = fitting > 0 ? fitting : 1;
        items = items < fitting ? items : fitting;
        item_bytes += element_bytes;
    }
    /* leave a quarter of the device to the driver and to others */
    uint64_t room = info->memory_bytes / 4 * 3;
    if (room > 0 && item_bytes > 0) {
        uint64_t fitting = room > whole_bytes ? (room - whole_bytes) / item_bytes : 0;
        fitting = fitting > 0 ? fitting : 1;
        items = items < fitting ? items : fitting;
    }
    if (launch->task != NULL) {
        uint64_t busy = (uint64_t)info->compute_units * BUSY_ITEMS_PER_UNIT;
        uint64_t step = (uint64_t)((launch->item_count - 1) / REPORT_COUNT + 1);
        step = step > busy ? step : busy;
        items = items < step ? items : step;
    }
    work->piece_items = (int64_t)items;
    return RCITY_OK;
}

static rcity_status check_arguments(const opencl_work *work)
{
    const rcity_kernel *kernel = work->launch->kernel;
    size_t bytes = kernel->job_bytes + 2 * sizeof(cl_long) + (size_t)kernel->buffer_count * sizeof(cl_ulong);
    RCITY_CHECK(work->context, bytes <= work->state->parameter_max_bytes, RCITY_ERR_UNSUPPORTED,
                "kernel %s: its arguments take %zu bytes, device %s allows %zu; use `device=host`", kernel->name, bytes,
                work->device->info.id, work->state->parameter_max_bytes);
    return RCITY_OK;
}

static rcity_status create_buffers(opencl_work *work)
{
    const rcity_kernel *kernel = work->launch->kernel;
    const rcity_opencl *cl = &work->state->cl;
    for (int i = 0; i < kernel->buffer_count; i++) {
        if (work->launch->resident[i] != NULL) {
            work->buffer_dev[i] = work->launch->resident[i]->data_dev;
            continue;
        }
        uint64_t bytes = is_whole(kernel, i) ? shared_bytes(work->launch, i)
                                             : (uint64_t)work->piece_items * kernel->buffer[i].element_bytes;
        bytes = bytes > 0 ? bytes : 16; /* an empty shared buffer is still an argument, and OpenCL has none of size 0 */
        cl_mem_flags flags = kernel->buffer[i].use == RCITY_BUFFER_ITEM_OUT ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;
        cl_int error = CL_SUCCESS;
        work->buffer_dev[i] = cl->clCreateBuffer(work->state->context, flags, (size_t)bytes, NULL, &error);
        if (work->buffer_dev[i] == NULL || error != CL_SUCCESS) {
            char need_text[32];
            char call[80];
            snprintf(call, sizeof call, "clCreateBuffer of %s", rcity_format_bytes((double)bytes, need_text));
            work->buffer_dev[i] = NULL;
            return fail_call(work, call, error);
        }
    }
    return RCITY_OK;
}

static rcity_status set_argument(const opencl_work *work, int index, size_t bytes, const void *value)
{
    cl_int error = work->state->cl.clSetKernelArg(work->built->kernel, (cl_uint)index, bytes, value);
    if (error != CL_SUCCESS) {
        char call[80];
        snprintf(call, sizeof call, "clSetKernelArg of argument %d with %zu bytes", index, bytes);
        return fail_call(work, call, error);
    }
    return RCITY_OK;
}

/* What is the same for all pieces. */
static rcity_status set_arguments(const opencl_work *work)
{
    const rcity_kernel *kernel = work->launch->kernel;
    RCITY_TRY(set_argument(work, 0, kernel->job_bytes, work->launch->job));
    for (int i = 0; i < kernel->buffer_count; i++) {
        RCITY_TRY(set_argument(work, FIRST_BUFFER_ARGUMENT + i, sizeof(cl_mem), &work->buffer_dev[i]));
    }
    if (work->built->does_item) {
        RCITY_TRY(set_argument(work, FIRST_BUFFER_ARGUMENT + kernel->buffer_count, work->launch->local_bytes, NULL));
    }
    return RCITY_OK;
}

/* Wait for everything that was enqueued. */
static rcity_status await(const opencl_work *work)
{
    rcity_status status = rcity_opencl_finish(work->context, work->device);
    return status == RCITY_OK ? RCITY_OK
                              : rcity_fail_prefix(work->context, status, "kernel %s: ", work->launch->kernel->name);
}

/* Enqueue the upload of `count` elements of a buffer from `begin` on. */
static rcity_status upload(opencl_work *work, int index, int64_t begin, int64_t count)
{
    size_t element_bytes = work->launch->kernel->buffer[index].element_bytes;
    const char *from = (const char *)work->launch->buffer[index].in + (size_t)begin * element_bytes;
    size_t bytes = (size_t)count * element_bytes;
    cl_event event = NULL;
    RCITY_TRY(rcity_opencl_make_room(work->context, work->device));
    cl_int error = work->state->cl.clEnqueueWriteBuffer(work->state->queue, work->buffer_dev[index], CL_FALSE, 0, bytes,
                                                        from, 0, NULL, &event);
    if (error != CL_SUCCESS) {
        return fail_call(work, "clEnqueueWriteBuffer", error);
    }
    work->device->times.upload_bytes += bytes;
    rcity_opencl_note(work->device, event, &work->device->times.upload_s);
    return RCITY_OK;
}

static rcity_status download(opencl_work *work, int index, int64_t begin, int64_t count)
{
    size_t element_bytes = work->launch->kernel->buffer[index].element_bytes;
    char *to = (char *)work->launch->buffer[index].out + (size_t)begin * element_bytes;
    size_t bytes = (size_t)count * element_bytes;
    RCITY_TRY(rcity_opencl_make_room(work->context, work->device));
    cl_int error = rcity_opencl_fetch(work->context, work->device, work->buffer_dev[index], 0, bytes, to);
    return error == CL_SUCCESS ? RCITY_OK : fail_call(work, "clEnqueueReadBuffer", error);
}

static rcity_status upload_shared(opencl_work *work)
{
    const rcity_launch *launch = work->launch;
    for (int i = 0; i < launch->kernel->buffer_count; i++) {
        if (launch->kernel->buffer[i].use == RCITY_BUFFER_SHARED_IN && launch->resident[i] == NULL &&
            launch->shared_count[i] > 0) {
            RCITY_TRY(upload(work, i, 0, launch->shared_count[i]));
        }
    }
    return work->is_queued ? RCITY_OK : await(work);
}

static rcity_status run_piece(opencl_work *work, int64_t begin, int64_t count)
{
    const rcity_kernel *kernel = work->launch->kernel;
    for (int i = 0; i < kernel->buffer_count; i++) {
        if (kernel->buffer[i].use == RCITY_BUFFER_ITEM_IN) {
            RCITY_TRY(upload(work, i, begin, count));
        }
    }
    cl_long item_begin = begin;
    cl_long item_count = count;
    RCITY_TRY(set_argument(work, 1, sizeof item_begin, &item_begin));
    RCITY_TRY(set_argument(work, 2, sizeof item_count, &item_count));
    size_t group_items = work->built->group_items;
    size_t group_count = work->built->does_item ? (size_t)count : ((size_t)count + group_items - 1) / group_items;
    size_t all_items = group_count * group_items;
    cl_event event = NULL;
    cl_event copies[RCITY_OPENCL_WINDOW_COUNT];
    cl_uint copy_count = 0;
    RCITY_TRY(rcity_opencl_make_room(work->context, work->device));
    for (int i = 0; i < kernel->buffer_count; i++) {
        if (kernel->buffer[i].use == RCITY_BUFFER_ON_DEVICE || kernel->buffer[i].use == RCITY_BUFFER_ITEM_OUT) {
            copy_count = rcity_opencl_find_copies(work->state, work->buffer_dev[i], copy_count, copies);
        }
    }
    cl_int error =
        work->state->cl.clEnqueueNDRangeKernel(work->state->queue, work->built->kernel, 1, NULL, &all_items,
                                               &group_items, copy_count, copy_count > 0 ? copies : NULL, &event);
    if (error != CL_SUCCESS) {
        return fail_call(work, "clEnqueueNDRangeKernel", error);
    }
    work->device->times.launch_count++;
    rcity_opencl_note_kernel(work->device, event, work->built);
    for (int i = 0; i < kernel->buffer_count; i++) {
        if (kernel->buffer[i].use == RCITY_BUFFER_ITEM_OUT) {
            RCITY_TRY(download(work, i, begin, count));
        }
    }
    if (work->is_queued) {
        (void)work->state->cl.clFlush(work->state->queue); /* a driver may otherwise wait for more before it starts */
        return RCITY_OK;
    }
    return await(work);
}

static rcity_status run_pieces(opencl_work *work)
{
    const rcity_launch *launch = work->launch;
    for (int64_t begin = 0; begin < launch->item_count; begin += work->piece_items) {
        int64_t rest = launch->item_count - begin;
        int64_t count = rest < work->piece_items ? rest : work->piece_items;
        RCITY_TRY(run_piece(work, begin, count));
        if (launch->task != NULL) {
            RCITY_TRY(rcity_progress(work->context, launch->task, (double)(begin + count), (double)launch->item_count));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_opencl_run(rcity_context *context, rcity_device *device, const rcity_launch *launch)
{
    opencl_work work = {.context = context, .device = device, .state = device->state, .launch = launch};
    const rcity_opencl *cl = &work.state->cl;
    work.is_queued = launch->task == NULL;
    for (int i = 0; i < launch->kernel->buffer_count; i++) {
        work.is_queued = work.is_queued && launch->resident[i] != NULL;
    }
    rcity_status status;
    RCITY_TRY_DONE(check_arguments(&work));
    RCITY_TRY_DONE(plan_pieces(&work));
    RCITY_TRY_DONE(rcity_opencl_kernel_get(context, device, launch->kernel, &work.built));
    RCITY_TRY_DONE(create_buffers(&work));
    RCITY_TRY_DONE(set_arguments(&work));
    RCITY_TRY_DONE(upload_shared(&work));
    RCITY_TRY_DONE(run_pieces(&work));
done:
    if (status != RCITY_OK) {
        rcity_opencl_abandon(device);
    }
    for (int i = 0; i < launch->kernel->buffer_count; i++) {
        if (work.buffer_dev[i] != NULL && launch->resident[i] == NULL) {
            cl->clReleaseMemObject(work.buffer_dev[i]);
        }
    }
    return status;
}
