/* The host's threads as a device: items in chunks of a fixed size, taken by threads as they become free. */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/parallel.h"
#include "device/device_data.h"

/* Enough that 64 threads finish together, few enough that distributing them costs under a millisecond. */
#define CHUNK_COUNT  1024
#define REPORT_COUNT 64

/* One launch while threads work on it. */
typedef struct host_work {
    rcity_context *context;
    const rcity_launch *launch;
    atomic_int_fast64_t done_count; /* items */
    atomic_bool is_stopped;
    int64_t report_step, next_report; /* these and `status` belong to the calling thread */
    rcity_status status;
} host_work;

/* Callbacks must run on the thread that called into the library, so only that thread reports. */
static void report(host_work *work, int64_t done_count)
{
    const rcity_launch *launch = work->launch;
    if (launch->task == NULL || work->status != RCITY_OK || done_count < work->next_report) {
        return;
    }
    work->next_report = done_count + work->report_step;
    work->status = rcity_progress(work->context, launch->task, (double)done_count, (double)launch->item_count);
    if (work->status != RCITY_OK) {
        atomic_store(&work->is_stopped, true);
    }
}

/* An rcity_parallel_function; thread 0 is the calling one. */
static void run_chunk(void *user, int64_t begin, int64_t end, int thread_index)
{
    host_work *work = user;
    const rcity_launch *launch = work->launch;
    if (atomic_load(&work->is_stopped)) {
        return;
    }
    launch->kernel->host_run(launch->job, launch->buffer, begin, end);
    int64_t done_count = atomic_fetch_add(&work->done_count, end - begin) + end - begin;
    if (thread_index == 0 && done_count < launch->item_count) {
        report(work, done_count);
    }
}

/* The size of a chunk depends on the number of items only: any number of threads gets the same ranges. */
static rcity_status host_run(rcity_context *context, rcity_device *device, const rcity_launch *launch)
{
    double start_s = rcity_clock_s();
    host_work work = {.context = context, .launch = launch, .status = RCITY_OK};
    atomic_init(&work.done_count, 0);
    atomic_init(&work.is_stopped, false);
    work.report_step = (launch->item_count - 1) / REPORT_COUNT + 1;
    work.next_report = work.report_step;
    int64_t chunk_items = (launch->item_count - 1) / CHUNK_COUNT + 1;
    rcity_parallel(context, launch->item_count, chunk_items, run_chunk, &work);
    if (work.status == RCITY_OK) {
        work.next_report = 0;
        report(&work, launch->item_count);
    }
    double kernel_s = rcity_clock_s() - start_s;
    while (atomic_flag_test_and_set(&device->times_lock)) {
    }
    device->times.kernel_s += kernel_s;
    device->times.launch_count++;
    atomic_flag_clear(&device->times_lock);
    return work.status;
}

/* Data in memory are used in place. */
static rcity_status host_keep(rcity_context *context, rcity_resident *resident)
{
    (void)context;
    if (resident->is_empty) {
        RCITY_TRY(rcity_alloc(resident->device->context, (size_t)resident->count, resident->element_bytes,
                              resident->what, &resident->own));
        resident->data = resident->own;
    }
    return RCITY_OK;
}

static void host_forget(rcity_resident *resident)
{
    rcity_release(resident->device->context, resident->own);
}

static rcity_status host_write(rcity_context *context, rcity_resident *resident, int64_t first, int64_t count,
                               const void *from)
{
    (void)context;
    char *to = (char *)resident->own + (size_t)first * resident->element_bytes;
    memcpy(to, from, (size_t)count * resident->element_bytes);
    return RCITY_OK;
}

static rcity_status host_read(rcity_context *context, const rcity_resident *resident, int64_t first, int64_t count,
                              void *to)
{
    (void)context;
    const char *from = (const char *)resident->own + (size_t)first * resident->element_bytes;
    memcpy(to, from, (size_t)count * resident->element_bytes);
    return RCITY_OK;
}

/* All threads have finished when a launch returns. */
static rcity_status host_finish(rcity_context *context, rcity_device *device)
{
    (void)context;
    (void)device;
    return RCITY_OK;
}

static int host_kernel_times(const rcity_device *device, int capacity, rcity_kernel_times *times)
{
    (void)device;
    (void)capacity;
    (void)times;
    return 0;
}

static void host_close(rcity_device *device)
{
    (void)device;
}

/* Copy the value of a line "key : value"; keeps `value` when there is no such line. */
static void find_cpu_value(const char *text, const char *key, char *value, size_t value_bytes)
{
    const char *line = strstr(text, key);
    const char *colon = line != NULL ? strchr(line, ':') : NULL;
    if (colon != NULL) {
        colon += 1 + strspn(colon + 1, " \t");
        size_t length = strcspn(colon, "\n");
        if (length > 0) {
            snprintf(value, value_bytes, "%.*s", (int)length, colon);
        }
    }
}

/* The first lines of /proc/cpuinfo have the model on x86; elsewhere the machine's architecture is used. */
static void name_cpu(rcity_device_info *info)
{
    struct utsname machine;
    bool has_machine = uname(&machine) == 0;
    snprintf(info->name, sizeof info->name, "%.64s processor", has_machine ? machine.machine : "unknown");
    snprintf(info->vendor, sizeof info->vendor, "unknown");
    char text[4096];
    int descriptor = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return;
    }
    ssize_t got = read(descriptor, text, sizeof text - 1);
    close(descriptor);
    text[got > 0 ? got : 0] = '\0';
    find_cpu_value(text, "model name", info->name, sizeof info->name);
    find_cpu_value(text, "vendor_id", info->vendor, sizeof info->vendor);
}

void rcity_host_device_describe(const rcity_context *context, rcity_device_info *info)
{
    memset(info, 0, sizeof *info);
    snprintf(info->id, sizeof info->id, "host");
    snprintf(info->kind, sizeof info->kind, "host");
    name_cpu(info);
#ifdef _OPENMP
    snprintf(info->driver, sizeof info->driver, "OpenMP %d", _OPENMP);
    info->compute_units = rcity_context_thread_count(context);
#else
    (void)context;
    snprintf(info->driver, sizeof info->driver, "one thread: built without OpenMP");
    info->compute_units = 1;
#endif
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_bytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_bytes > 0) {
        info->memory_bytes = (uint64_t)pages * (uint64_t)page_bytes;
    }
    info->buffer_max_bytes = info->memory_bytes;
    info->has_fp64 = true;
    info->has_int64_atomics = true;
    info->is_usable = true;
}

void rcity_host_device_open(rcity_device *device)
{
    static const rcity_device_ops host_ops = {host_run,    host_keep,   host_forget,       host_write, host_read,
                                              host_finish, host_finish, host_kernel_times, host_close};
    device->ops = &host_ops;
    device->has_minimum64 = true;
    rcity_host_device_describe(device->context, &device->info);
}
