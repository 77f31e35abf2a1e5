/* Listing, choosing, opening and closing devices; everything else goes through the device's table. */
#include "device/device.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/abi.h"
#include "device/device_data.h"
#include "device/opencl_device.h"
#include "device/opencl_list.h"

/* Write one element of a list whose elements have the size that the caller knows. */
static void give_info(const rcity_device_info *info, bool is_default, size_t index, size_t info_bytes, char *infos)
{
    rcity_device_info made = *info;
    made.is_default = is_default;
    memcpy(infos + index * info_bytes, &made, info_bytes);
}

static rcity_status device_list(rcity_context *context, int capacity, size_t info_bytes, char *infos, int *count)
{
    rcity_opencl cl;
    rcity_opencl_list list = {0};
    rcity_status status;
    RCITY_TRY_DONE(rcity_opencl_list_load(context, NULL, &cl, &list));
    const rcity_opencl_entry *best = rcity_opencl_list_choose(&list);
    if (capacity > 0) {
        rcity_device_info host;
        rcity_host_device_describe(context, &host);
        give_info(&host, best == NULL, 0, info_bytes, infos);
    }
    for (size_t i = 0; i < list.count && i + 1 < (size_t)capacity; i++) {
        give_info(&list.entry[i].info, &list.entry[i] == best, i + 1, info_bytes, infos);
    }
    *count = (int)list.count + 1;
done:
    rcity_opencl_list_deinit(context, &list);
    return status;
}

rcity_status rcity_device_list_sized(rcity_context *context, int capacity, size_t info_bytes, rcity_device_info *infos,
                                     int *count)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, count);
    RCITY_NEED_SOME(context, infos, capacity);
    RCITY_CHECK_BYTES(context, rcity_device_info, info_bytes);
    return device_list(context, capacity, info_bytes, (char *)infos, count);
}

/* The best device. A GPU that is listed but does not open gives a warning, and the host is used. */
static rcity_status open_best(rcity_context *context, const rcity_opencl *cl, const rcity_opencl_list *list,
                              rcity_device *device)
{
    const rcity_opencl_entry *best = rcity_opencl_list_choose(list);
    if (best != NULL) {
        rcity_status status = rcity_opencl_device_open(cl, best, device);
        if (status == RCITY_OK || status == RCITY_ERR_MEMORY) {
            return status;
        }
        rcity_log(context, RCITY_LOG_WARNING, "the host is used instead of a GPU: %s", rcity_context_message(context));
    }
    rcity_host_device_open(device);
    return RCITY_OK;
}

/* Can there be a GPU? Where its kernel driver shows none, OpenCL is not loaded to look for it: that takes 60 MB for nothing.
   Elsewhere than on Linux, and where the user names drivers, it is loaded. */
static bool may_have_gpu(void)
{
#ifdef __linux__
    static const char *const nodes[] = {"/dev/dri", "/dev/nvidiactl", "/dev/nvidia0",
                                        "/dev/kfd", "/dev/dxg",       "/dev/mali0"};
    bool is_there = getenv("OCL_ICD_VENDORS") != NULL || getenv("OCL_ICD_FILENAMES") != NULL;
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        is_there = is_there || access(nodes[i], F_OK) == 0;
    }
    return is_there;
#else
    return true;
#endif
}

static rcity_status open_any(rcity_context *context, const char *id, rcity_device *device)
{
    bool is_host = id != NULL ? strcmp(id, "host") == 0 : !may_have_gpu();
    if (is_host) {
        rcity_host_device_open(device);
        return RCITY_OK;
    }
    rcity_opencl cl;
    rcity_opencl_list list = {0};
    rcity_status status;
    RCITY_TRY_DONE(rcity_opencl_list_load(context, NULL, &cl, &list));
    if (id == NULL) {
        RCITY_TRY_DONE(open_best(context, &cl, &list, device));
    } else {
        const rcity_opencl_entry *entry = NULL;
        RCITY_TRY_DONE(rcity_opencl_list_find(context, &list, id, &entry));
        RCITY_TRY_DONE(rcity_opencl_device_open(&cl, entry, device));
    }
done:
    rcity_opencl_list_deinit(context, &list);
    return status;
}

rcity_status rcity_device_open(rcity_context *context, const char *id, rcity_device **device)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, device);
    RCITY_CHECK(
        context, id == NULL || strcmp(id, "host") == 0 || rcity_opencl_list_is_id(id), RCITY_ERR_ARGUMENT,
        "the device is '%s', must be 'host' or 'opencl:N' with a number, such as 'opencl:0'; " RCITY_DEVICE_ADVICE, id);
    rcity_device *made = NULL;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "a device", &made));
    made->context = context;
    rcity_status status = open_any(context, id, made);
    if (status != RCITY_OK) {
        rcity_release(context, made);
        return status;
    }
    rcity_log(context, RCITY_LOG_INFO, "device %s: %s (%s), %d %s", made->info.id, made->info.name, made->info.driver,
              made->info.compute_units, strcmp(made->info.kind, "host") == 0 ? "threads" : "compute units");
    *device = made;
    return RCITY_OK;
}

void rcity_device_close(rcity_device **device)
{
    if (device == NULL || *device == NULL) {
        return;
    }
    rcity_context *context = (*device)->context;
    (*device)->ops->close(*device);
    rcity_release(context, *device);
    *device = NULL;
}

void rcity_device_describe_sized(const rcity_device *device, size_t info_bytes, rcity_device_info *info)
{
    if (device == NULL || info == NULL) {
        return;
    }
    rcity_copy_struct(&device->info, sizeof device->info, info_bytes, info);
}

void rcity_device_get_times_sized(const rcity_device *device, size_t times_bytes, rcity_device_times *times)
{
    if (device == NULL || times == NULL) {
        return;
    }
    rcity_copy_struct(&device->times, sizeof device->times, times_bytes, times);
}

void rcity_device_get_load(const rcity_device *device, rcity_device_load *load)
{
    *load = device->load;
}

int rcity_device_get_kernel_times(const rcity_device *device, int capacity, rcity_kernel_times *times)
{
    return device->ops->kernel_times(device, capacity, times);
}

rcity_status rcity_device_run(rcity_context *context, rcity_device *device, const rcity_launch *launch)
{
    assert(context != NULL && device != NULL && launch != NULL && launch->kernel != NULL);
    assert(launch->kernel->buffer_count >= 0 && launch->kernel->buffer_count <= RCITY_KERNEL_BUFFER_MAX);
    assert(launch->item_count >= 0);
    if (launch->item_count == 0) {
        return RCITY_OK;
    }
    rcity_launch whole = *launch;
    for (int i = 0; i < launch->kernel->buffer_count; i++) {
        const rcity_resident *resident = launch->resident[i];
        assert(launch->kernel->buffer[i].use != RCITY_BUFFER_ON_DEVICE || (resident != NULL && resident->is_empty));
        if (resident != NULL) {
            assert(resident->device == device && (launch->kernel->buffer[i].use == RCITY_BUFFER_SHARED_IN ||
                                                  launch->kernel->buffer[i].use == RCITY_BUFFER_ON_DEVICE));
            assert(resident->element_bytes == launch->kernel->buffer[i].element_bytes);
            whole.buffer[i] = (rcity_launch_buffer){.in = resident->data, .out = resident->own};
            whole.shared_count[i] = resident->count;
        }
    }
    return device->ops->run(context, device, &whole);
}

static rcity_status make_resident(rcity_context *context, rcity_resident like, rcity_resident **resident)
{
    rcity_device *device = like.device;
    rcity_resident *made = NULL;
    RCITY_TRY(rcity_alloc(device->context, 1, sizeof *made, like.what, &made));
    *made = like;
    rcity_status status = device->ops->keep(context, made);
    if (status != RCITY_OK) {
        rcity_release(device->context, made);
        return status;
    }
    rcity_device_load *load = &device->load;
    load->resident_bytes += (uint64_t)made->count * made->element_bytes;
    load->resident_peak_bytes =
        load->resident_bytes > load->resident_peak_bytes ? load->resident_bytes : load->resident_peak_bytes;
    *resident = made;
    return RCITY_OK;
}

rcity_status rcity_resident_create(rcity_context *context, rcity_device *device, const void *data, int64_t count,
                                   size_t element_bytes, const char *what, rcity_resident **resident)
{
    assert(context != NULL && device != NULL && (data != NULL || count == 0) && resident != NULL);
    rcity_resident like = {
        .device = device, .data = data, .count = count, .element_bytes = element_bytes, .what = what};
    return make_resident(context, like, resident);
}

rcity_status rcity_resident_create_empty(rcity_context *context, rcity_device *device, int64_t count,
                                         size_t element_bytes, const char *what, rcity_resident **resident)
{
    assert(context != NULL && device != NULL && count >= 0 && resident != NULL);
    rcity_resident like = {
        .device = device, .count = count, .element_bytes = element_bytes, .what = what, .is_empty = true};
    return make_resident(context, like, resident);
}

rcity_status rcity_resident_reserve(rcity_context *context, rcity_device *device, int64_t count, size_t element_bytes,
                                    const char *what, rcity_resident **resident)
{
    if (*resident != NULL && (*resident)->count >= count) {
        return RCITY_OK;
    }
    int64_t most = (int64_t)(rcity_device_buffer_bytes(device) / element_bytes);
    int64_t room = *resident != NULL ? count + count / 2 : count;
    room = room > most && count <= most ? most : room;
    rcity_resident_destroy(resident);
    return rcity_resident_create_empty(context, device, room, element_bytes, what, resident);
}

int64_t rcity_resident_count(const rcity_resident *resident)
{
    return resident != NULL ? resident->count : 0;
}

rcity_status rcity_resident_write(rcity_context *context, rcity_resident *resident, int64_t first, int64_t count,
                                  const void *from)
{
    assert(resident->is_empty && first >= 0 && count >= 0 && first + count <= resident->count);
    return count > 0 ? resident->device->ops->write(context, resident, first, count, from) : RCITY_OK;
}

rcity_status rcity_resident_read(rcity_context *context, const rcity_resident *resident, int64_t first, int64_t count,
                                 void *to)
{
    assert(resident->is_empty && first >= 0 && count >= 0 && first + count <= resident->count);
    return count > 0 ? resident->device->ops->read(context, resident, first, count, to) : RCITY_OK;
}

rcity_status rcity_device_finish(rcity_context *context, rcity_device *device)
{
    return device->ops->finish(context, device);
}

rcity_status rcity_device_finish_copies(rcity_context *context, rcity_device *device)
{
    return device->ops->finish_copies(context, device);
}

void rcity_resident_destroy(rcity_resident **resident)
{
    if (resident == NULL || *resident == NULL) {
        return;
    }
    rcity_device *device = (*resident)->device;
    device->load.resident_bytes -= (uint64_t)(*resident)->count * (*resident)->element_bytes;
    device->ops->forget(*resident);
    rcity_release(device->context, *resident);
    *resident = NULL;
}

bool rcity_device_has_minimum64(const rcity_device *device)
{
    return device->has_minimum64;
}

uint64_t rcity_device_buffer_bytes(const rcity_device *device)
{
    uint64_t most = device->info.buffer_max_bytes;
    return device->buffer_limit_bytes != 0 && device->buffer_limit_bytes < most ? device->buffer_limit_bytes : most;
}

size_t rcity_device_local_bytes(const rcity_device *device)
{
    return device->local_bytes;
}

void rcity_device_limit_buffer(rcity_device *device, uint64_t bytes)
{
    device->buffer_limit_bytes = bytes;
}

void rcity_device_pin_from(rcity_device *device, size_t bytes)
{
    device->fetch_min_bytes = bytes;
}
