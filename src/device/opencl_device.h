/* An open OpenCL device: its queue, the programs built for it, and the piece-wise run. */
#ifndef RCITY_DEVICE_OPENCL_DEVICE_H
#define RCITY_DEVICE_OPENCL_DEVICE_H

#include "device/device_data.h"
#include "device/opencl_list.h"
#include "device/opencl_loader.h"

/* Both are kept until the device closes, so that a second run builds nothing. */
typedef struct rcity_opencl_program {
    const char *origin; /* where the source was: borrowed, to know it again without reading it */
    char *source;
    cl_program program;
} rcity_opencl_program;

typedef struct rcity_opencl_kernel {
    cl_program program; /* Borrowed from the rcity_opencl_program. */
    char *name;
    cl_kernel kernel;
    size_t group_items; /* size of a work-group */
    bool does_item;     /* the whole group does one item */
    double seconds;     /* that it ran */
    int64_t launch_count;
} rcity_opencl_kernel;

/* Commands that may be under way at a time; their times are taken down when they are waited for. */
#define RCITY_OPENCL_PENDING_MAX 128

/* Pinned memory that large blocks are copied to the host through: opencl_fetch.c. */
#define RCITY_OPENCL_WINDOW_COUNT 12

typedef struct rcity_opencl_window {
    cl_mem memory;
    void *bytes;    /* where it is mapped; NULL: not yet */
    cl_event event; /* of the copy into it; NULL: none */
    cl_mem from;    /* that it is a copy of */
    char *to;       /* where it belongs */
    size_t byte_count;
} rcity_opencl_window;

/* rcity_device.state */
typedef struct rcity_opencl_device {
    rcity_opencl cl;
    cl_device_id device;
    char identity[65];
    cl_context context;
    cl_command_queue queue;
    cl_command_queue copy_queue; /* of large copies to the host, which run beside kernels */
    size_t parameter_max_bytes;  /* all arguments of a kernel together */
    rcity_opencl_program *program;
    size_t program_count, program_capacity;
    rcity_opencl_kernel *kernel;
    size_t kernel_count, kernel_capacity;
    struct {
        cl_event event;
        double *seconds; /* where its time is added */
        int kernel;      /* whose time it is, too; -1: none's */
    } pending[RCITY_OPENCL_PENDING_MAX];
    int pending_count;
    rcity_opencl_window windows[RCITY_OPENCL_WINDOW_COUNT];
    int next_window;     /* the oldest */
    bool has_no_windows; /* the driver would not give any */
} rcity_opencl_device;

/* Open a listed device into `device`, whose context is set. The table and the entry are copied.
   @return RCITY_ERR_MEMORY, RCITY_ERR_NO_DEVICE with the driver's error; nothing is held on failure. */
rcity_status rcity_opencl_device_open(const rcity_opencl *cl, const rcity_opencl_entry *entry, rcity_device *device);

/* opencl_program.c: find or build a kernel. Borrowed until the next call; failures are told to `context`. */
rcity_status rcity_opencl_kernel_get(rcity_context *context, rcity_device *device, const rcity_kernel *kernel,
                                     const rcity_opencl_kernel **built);

/* The kernel_times of rcity_device_ops. */
int rcity_opencl_kernel_times(const rcity_device *device, int capacity, rcity_kernel_times *times);

/* Release all programs and kernels. */
void rcity_opencl_programs_deinit(rcity_device *device);

/* opencl_queue.c: commands under way. Room for one more, which may mean to wait; then the event of what was enqueued, and
   where its time is added. */
rcity_status rcity_opencl_make_room(rcity_context *context, rcity_device *device);
void rcity_opencl_note(rcity_device *device, cl_event event, double *seconds);
void rcity_opencl_note_kernel(rcity_device *device, cl_event event, const rcity_opencl_kernel *kernel);

void rcity_opencl_take_time(const rcity_opencl *cl, cl_event event, double *seconds);

/* Wait for all that was enqueued and take down the device's own times: the finish of rcity_device_ops. */
rcity_status rcity_opencl_finish(rcity_context *context, rcity_device *device);

/* Wait, whatever happens, and forget. */
void rcity_opencl_abandon(rcity_device *device);

/* opencl_fetch.c: copy bytes to the host. They are on their way when this returns, which needs room for one more command. */
cl_int rcity_opencl_fetch(rcity_context *context, rcity_device *device, cl_mem from, size_t offset, size_t bytes,
                          void *to);

/* Wait for all large blocks and hand them over; or wait and forget them. */
cl_int rcity_opencl_empty_windows(rcity_context *context, rcity_device *device);
void rcity_opencl_abandon_windows(rcity_opencl_device *state);
void rcity_opencl_close_windows(rcity_opencl_device *state);

/* The copies under way out of some memory, which a command that writes there has to wait for, added to `events`, which has room
   for one a window. @return how many there are then. */
cl_uint rcity_opencl_find_copies(const rcity_opencl_device *state, cl_mem memory, cl_uint count, cl_event *events);

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
