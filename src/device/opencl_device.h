/* An open OpenCL device: its queue, the programs built for it, and the run in pieces. */
#ifndef RCITY_DEVICE_OPENCL_DEVICE_H
#define RCITY_DEVICE_OPENCL_DEVICE_H

#include "device/device_data.h"
#include "device/opencl_list.h"
#include "device/opencl_loader.h"

/* Both are kept until the device closes, so that a second run builds nothing. */
typedef struct rcity_opencl_program {
    const char *origin; /* address of the source text: borrowed, to recognise it without comparing */
    char *source;
    cl_program program;
} rcity_opencl_program;

typedef struct rcity_opencl_kernel {
    cl_program program; /* Borrowed from the rcity_opencl_program. */
    char *name;
    cl_kernel kernel;
    size_t group_items; /* size of a work-group */
    bool does_item;     /* a whole group does one item */
    double seconds;     /* total run time */
    int64_t launch_count;
} rcity_opencl_kernel;

/* Commands that may be pending at a time; their times are recorded when they are waited for. */
#define RCITY_OPENCL_PENDING_MAX 128

/* Pinned memory that large blocks are copied to the host through: opencl_fetch.c. */
#define RCITY_OPENCL_WINDOW_COUNT 12

typedef struct rcity_opencl_window {
    cl_mem memory;
    void *bytes;    /* where it is mapped; NULL: not yet */
    cl_event event; /* of the copy into or out of it; NULL: none */
    cl_mem from;    /* the memory that it is a copy of */
    char *to;       /* destination on the host; NULL: the copy goes to the device */
    size_t byte_count;
    double *seconds; /* where the copy's time is added */
} rcity_opencl_window;

/* Memory that no resident has any more: opencl_spare.c. */
#define RCITY_OPENCL_SPARE_COUNT 64

typedef struct rcity_opencl_spare {
    cl_mem memory;
    size_t bytes;
} rcity_opencl_spare;

/* rcity_device.state */
typedef struct rcity_opencl_device {
    rcity_opencl cl;
    cl_device_id device;
    char identity[65];
    cl_context context;
    cl_command_queue queue;
    cl_command_queue copy_queue; /* for large copies to the host, which run beside kernels */
    size_t parameter_max_bytes;  /* all arguments of a kernel together */
    rcity_opencl_program *program;
    size_t program_count, program_capacity;
    rcity_opencl_kernel *kernel;
    size_t kernel_count, kernel_capacity;
    struct {
        cl_event event;
        double *seconds; /* where its time is added */
        int kernel;      /* the kernel that the time belongs to as well; -1: none */
    } pending[RCITY_OPENCL_PENDING_MAX];
    int pending_count;
    rcity_opencl_window windows[RCITY_OPENCL_WINDOW_COUNT];
    int next_window;     /* the oldest */
    bool has_no_windows; /* the driver gave none */
    rcity_opencl_spare spares[RCITY_OPENCL_SPARE_COUNT];
    int spare_count;
    uint64_t spare_bytes;
} rcity_opencl_device;

/* Open a listed device into `device`, whose context is set. The table and the entry are copied.
   @return RCITY_ERR_MEMORY, RCITY_ERR_NO_DEVICE with the driver's error; nothing is held on failure. */
rcity_status rcity_opencl_device_open(const rcity_opencl *cl, const rcity_opencl_entry *entry, rcity_device *device);

/* opencl_program.c: find or build a kernel. Borrowed until the next call; failures are reported to `context`. */
rcity_status rcity_opencl_kernel_get(rcity_context *context, rcity_device *device, const rcity_kernel *kernel,
                                     const rcity_opencl_kernel **built);

/* The kernel_times of rcity_device_ops. */
int rcity_opencl_kernel_times(const rcity_device *device, int capacity, rcity_kernel_times *times);

/* Release all programs and kernels. */
void rcity_opencl_programs_deinit(rcity_device *device);

/* opencl_queue.c: pending commands. Make room for one more, which may mean waiting; then register the event of what was
   enqueued, and where its time is added. */
rcity_status rcity_opencl_make_room(rcity_context *context, rcity_device *device);
void rcity_opencl_note(rcity_device *device, cl_event event, double *seconds);
void rcity_opencl_note_kernel(rcity_device *device, cl_event event, const rcity_opencl_kernel *kernel);

void rcity_opencl_take_time(const rcity_opencl *cl, cl_event event, double *seconds);

/* Wait for everything that was enqueued and record the device's own times: the finish of rcity_device_ops. */
rcity_status rcity_opencl_finish(rcity_context *context, rcity_device *device);

/* The same for the copies only: kernels enqueued after them may still run. */
rcity_status rcity_opencl_finish_copies(rcity_context *context, rcity_device *device);

/* Wait, ignoring errors, and forget all pending commands; and spare memory, the lack of which may be the reason. */
void rcity_opencl_abandon(rcity_device *device);

/* opencl_fetch.c: enqueue a copy to the host. Needs room for one more command. */
cl_int rcity_opencl_fetch(rcity_context *context, rcity_device *device, cl_mem from, size_t offset, size_t bytes,
                          void *to);

/* Enqueue a copy to the device; `from` is borrowed until it was waited for. Needs room likewise. */
cl_int rcity_opencl_send(rcity_context *context, rcity_device *device, cl_mem to, size_t offset, size_t bytes,
                         const void *from);

/* Wait for all windows and copy out their contents; or wait and discard them. */
cl_int rcity_opencl_empty_windows(rcity_context *context, rcity_device *device);
void rcity_opencl_abandon_windows(rcity_opencl_device *state);
void rcity_opencl_close_windows(rcity_opencl_device *state);

/* Add the pending copies out of some memory to `events`, which has room for one per window: a command that writes there
   has to wait for them. @return how many there are then. */
cl_uint rcity_opencl_find_copies(const rcity_opencl_device *state, cl_mem memory, cl_uint count, cl_event *events);

/* opencl_spare.c: memory to be written, of this size or somewhat more, which `*found_bytes` becomes; NULL: there is none. And
   memory that will not be used any more, by commands that are not queued yet. */
cl_mem rcity_opencl_take_spare(rcity_opencl_device *state, size_t bytes, size_t *found_bytes);
void rcity_opencl_give_spare(const rcity_device *device, cl_mem memory, size_t bytes);
void rcity_opencl_drop_spares(rcity_opencl_device *state);

/* opencl_run.c: the run of rcity_device_ops. */
rcity_status rcity_opencl_run(rcity_context *context, rcity_device *device, const rcity_launch *launch);

/* opencl_resident.c: its keep, forget, write and read. `data_dev` is a cl_mem. */
rcity_status rcity_opencl_keep(rcity_context *context, rcity_resident *resident);
void rcity_opencl_forget(rcity_resident *resident);
rcity_status rcity_opencl_write(rcity_context *context, rcity_resident *resident, int64_t first, int64_t count,
                                const void *from);
rcity_status rcity_opencl_read(rcity_context *context, const rcity_resident *resident, int64_t first, int64_t count,
                               void *to);

#endif
