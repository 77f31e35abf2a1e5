/* The contents of an open device, and the table that each kind of device fills. Only src/device reads them. */
#ifndef RCITY_DEVICE_DEVICE_DATA_H
#define RCITY_DEVICE_DEVICE_DATA_H

#include <stdatomic.h>

#include "device/device.h"

/* Ends the message of every failure to find a device. */
#define RCITY_DEVICE_ADVICE "run `radiocity devices` to see what there is"

struct rcity_resident {
    rcity_device *device;
    const void *data; /* Borrowed; `own` of one that was created empty on the host. */
    void *own;
    int64_t count;
    size_t element_bytes;
    const char *what;
    bool is_empty;    /* from rcity_resident_create_empty(): kernels write it */
    void *data_dev;   /* the device's own handle; NULL on the host */
    size_t bytes_dev; /* of it, which may be more than the elements take */
};

/* What a kind of device does for device.c. No member is NULL. */
typedef struct rcity_device_ops {
    rcity_status (*run)(rcity_context *context, rcity_device *device, const rcity_launch *launch);
    rcity_status (*keep)(rcity_context *context, rcity_resident *resident); /* sets `data_dev`, or `data` and `own` */
    void (*forget)(rcity_resident *resident);                               /* releases it */
    rcity_status (*write)(rcity_context *context, rcity_resident *resident, int64_t first, int64_t count,
                          const void *from);
    rcity_status (*read)(rcity_context *context, const rcity_resident *resident, int64_t first, int64_t count,
                         void *to);
    rcity_status (*finish)(rcity_context *context, rcity_device *device);
    rcity_status (*finish_copies)(rcity_context *context, rcity_device *device);
    int (*kernel_times)(const rcity_device *device, int capacity, rcity_kernel_times *times);
    void (*close)(rcity_device *device); /* releases `state`; also after a failed open */
} rcity_device_ops;

struct rcity_device {
    rcity_context *context; /* Borrowed until close; memory that lives as long as the device is counted here. */
    const rcity_device_ops *ops;
    rcity_device_info info;
    rcity_device_times times;
    atomic_flag times_lock; /* on the host several threads may run launches at the same time */
    rcity_device_load load;
    uint64_t buffer_limit_bytes; /* set by tests; 0 for none */
    size_t fetch_min_bytes;      /* set by tests: blocks copied to the host through pinned memory; 0: the default */
    size_t local_bytes;          /* of a work-group; 0 on the host */
    bool has_minimum64;          /* rcity_device_has_minimum64() */
    void *state;                 /* Owned by the kind of device. */
};

/* host_device.c */
void rcity_host_device_describe(const rcity_context *context, rcity_device_info *info);
void rcity_host_device_open(rcity_device *device);

#endif
