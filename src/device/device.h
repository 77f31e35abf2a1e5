/* Running one kernel over many items, on the host's threads or an OpenCL device, behind one call. */
#ifndef RCITY_DEVICE_DEVICE_H
#define RCITY_DEVICE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "radiocity/device.h"

#define RCITY_KERNEL_BUFFER_MAX 16

/* Data that stay on a device between launches; see rcity_resident_create(). */
typedef struct rcity_resident rcity_resident;

/* How a buffer relates to the items of a launch. */
typedef enum rcity_buffer_use {
    RCITY_BUFFER_ITEM_IN,   /* element i is read by item i; split with the items */
    RCITY_BUFFER_ITEM_OUT,  /* element i is written by item i; split with the items */
    RCITY_BUFFER_SHARED_IN, /* read by all items; must fit the device's largest buffer */
    RCITY_BUFFER_ON_DEVICE, /* read and written by all items, not split; from rcity_resident_create_empty() */
} rcity_buffer_use;

/* The host's side of a buffer. Item and shared buffers that are read have `in`, those that are written `out`; what is
   on the device may be used by both. */
typedef struct rcity_launch_buffer {
    const void *in;
    void *out;
} rcity_launch_buffer;

/* A kernel: one function in two forms, from one source. The OpenCL form is __kernel void NAME(JOB job, long item_begin,
   long item_count, __global ...buffers) where work item i < item_count does item item_begin + i and finds its elements
   at index i of the item buffers; buffers shared by all items are not split. There are up to a work-group more work
   items than items: the kernel returns at once when i >= item_count. The job has types of fixed size and no hidden
   padding, so that it has one layout for both compilers; with the buffers it stays under 1024 bytes, which is all a
   device must accept.

   With `group_items` a whole work-group does one item, item_begin + get_group_id(0); there are as many groups as items,
   of up to that many work items each. Such a kernel has one more argument, after the buffers: __local uint *, as much
   of the device's local memory as the launch asks for. */
typedef struct rcity_kernel {
    const char *name;
    const char *source; /* flattened OpenCL C; must not change while devices are open */
    size_t job_bytes;
    size_t group_items; /* 0: one work item does one item */
    int buffer_count;
    struct {
        rcity_buffer_use use;
        size_t element_bytes;
    } buffer[RCITY_KERNEL_BUFFER_MAX];

    /* Do items [begin, end); buffers are not split, so element i belongs to item i. Called from several threads at once
       with disjoint ranges. */
    void (*host_run)(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end);
} rcity_kernel;

/* One launch: job, items, and the host's side of each buffer in the kernel's order. */
typedef struct rcity_launch {
    const rcity_kernel *kernel;
    const void *job;
    int64_t item_count;
    size_t local_bytes; /* of each work-group; see rcity_device_local_bytes() */
    rcity_launch_buffer buffer[RCITY_KERNEL_BUFFER_MAX];
    int64_t shared_count[RCITY_KERNEL_BUFFER_MAX]; /* elements of SHARED_IN buffers */
    const rcity_resident
        *resident[RCITY_KERNEL_BUFFER_MAX]; /* required for ON_DEVICE, optional for SHARED_IN, else NULL */
    const char *task;                       /* name in the progress report; NULL for none */
} rcity_launch;

/* Run a launch to its end. Items are cut into pieces that fit the device's largest buffer; progress is reported between
   pieces, the last time with all items done. `context` is the one the device was opened with; a device serves one
   thread at a time. No items is no work. On failure the output buffers hold undefined values.

   A launch that has residents for all of its buffers and no task is queued: it may run after this call returns, in the
   order of the calls. A later failure is reported by rcity_device_finish() or the next call that waits. The caller need
   not keep anything of the launch. After a failure no command is pending.
   @return RCITY_ERR_MEMORY when a part that cannot be split does not fit, RCITY_ERR_UNSUPPORTED with the compiler's
   words when the kernel cannot be built, RCITY_ERR_NO_DEVICE when the device went away, RCITY_ERR_CANCELLED. */
rcity_status rcity_device_run(rcity_context *context, rcity_device *device, const rcity_launch *launch);

/* Keep a copy of data on a device, for SHARED_IN buffers of many launches. The host's threads use the data in place, so
   they are borrowed until rcity_resident_destroy(), which comes before the device is closed. `what` names them in
   messages. @return RCITY_ERR_MEMORY when they do not fit, RCITY_ERR_NO_DEVICE when the device went away. */
rcity_status rcity_resident_create(rcity_context *context, rcity_device *device, const void *data, int64_t count,
                                   size_t element_bytes, const char *what, rcity_resident **resident);
void rcity_resident_destroy(rcity_resident **resident);

/* Room on a device for what kernels write and later kernels read: for ON_DEVICE and SHARED_IN buffers. On the host it
   is ordinary memory. Its contents are undefined until something is written. It must fit the device's largest buffer.
   @return as rcity_resident_create(). */
rcity_status rcity_resident_create_empty(rcity_context *context, rcity_device *device, int64_t count,
                                         size_t element_bytes, const char *what, rcity_resident **resident);

/* Make room for `count` elements in a resident created empty, or NULL; it grows by more than asked for. Its contents
   are lost when it grows, and `*resident` is NULL after a failure. */
rcity_status rcity_resident_reserve(rcity_context *context, rcity_device *device, int64_t count, size_t element_bytes,
                                    const char *what, rcity_resident **resident);

/* How many elements it has room for; 0 for NULL. */
int64_t rcity_resident_count(const rcity_resident *resident);

/* Queue a copy of `count` elements from `first` on, of a resident that was created empty. `from` and `to` are borrowed
   until rcity_device_finish(), when `to` is filled. Large blocks are copied to the host while later kernels run.
   @return as rcity_device_run(). */
rcity_status rcity_resident_write(rcity_context *context, rcity_resident *resident, int64_t first, int64_t count,
                                  const void *from);
rcity_status rcity_resident_read(rcity_context *context, const rcity_resident *resident, int64_t first, int64_t count,
                                 void *to);

/* Wait for everything that was queued. @return as rcity_device_run(), for what was queued. */
rcity_status rcity_device_finish(rcity_context *context, rcity_device *device);

/* Wait for the copies that were queued so far, in both directions; kernels queued after them may still run.
   @return as rcity_device_finish(). */
rcity_status rcity_device_finish_copies(rcity_context *context, rcity_device *device);

/* What the device did so far, in addition to rcity_device_get_times(). */
typedef struct rcity_device_load {
    double wait_s; /* time that the host waited for the device */
    int64_t wait_count;
    uint64_t resident_bytes, resident_peak_bytes; /* of residents, now and at most */
    uint64_t reused_bytes;                        /* that residents took over from others that were destroyed */
} rcity_device_load;

void rcity_device_get_load(const rcity_device *device, rcity_device_load *load);

/* The time of one kernel. */
typedef struct rcity_kernel_times {
    const char *name; /* borrowed until the device closes */
    double seconds;
    int64_t launch_count;
} rcity_kernel_times;

/* The kernels that an OpenCL device has run so far, into `times`. @return how many there are, which may be more than
   `capacity`; none on the host. */
int rcity_device_get_kernel_times(const rcity_device *device, int capacity, rcity_kernel_times *times);

/* Have kernels the minimum of 64-bit numbers in memory that all work items share, rcity_global_min64()? */
bool rcity_device_has_minimum64(const rcity_device *device);

/* The largest buffer: the device's own limit, or the one that a test has set. */
uint64_t rcity_device_buffer_bytes(const rcity_device *device);

/* Local memory of a work-group; 0 on the host, where kernels bring their own. */
size_t rcity_device_local_bytes(const rcity_device *device);

/* For tests: no buffer is larger than this, so that pieces are small; 0 restores the device's own limit. */
void rcity_device_limit_buffer(rcity_device *device, uint64_t bytes);

/* For tests: blocks from this size on are copied to the host through pinned memory on any OpenCL device; 0 restores the
   default. */
void rcity_device_pin_from(rcity_device *device, size_t bytes);

#endif
