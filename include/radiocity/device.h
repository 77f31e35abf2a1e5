/** @file device.h  Where kernels run: the host's threads, or any OpenCL 1.2 device. */
#ifndef RADIOCITY_DEVICE_H
#define RADIOCITY_DEVICE_H

#include "radiocity/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An open device. Opaque; see rcity_device_open(). */
typedef struct rcity_device rcity_device;

/** A device of this machine. Texts are stored in the struct. */
typedef struct rcity_device_info {
    char id[32];    /**< what --device takes: "host", "opencl:0" */
    char kind[16];  /**< "host", "gpu", "cpu", "accelerator", "other", or "loader" when the OpenCL library is missing */
    char name[128]; /**< such as "NVIDIA H200" */
    char vendor[128];
    char driver[192]; /**< platform and driver version */
    int compute_units;
    uint64_t memory_bytes;     /**< 0 when unknown */
    uint64_t buffer_max_bytes; /**< largest single buffer; larger arrays are split */
    bool has_fp64;
    bool has_int64_atomics;
    bool is_usable;
    bool is_default;   /**< used when no device is named */
    char refusal[256]; /**< why it cannot be used; empty when it can */
} rcity_device_info;

/** List devices, usable or not, into `infos` (which may be NULL when capacity is 0); the first is always the host.
 *  @return RCITY_ERR_MEMORY. `*count` is the number of devices, which may exceed `capacity`. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_device_list_sized(rcity_context *context, int capacity, size_t info_bytes,
                                                                rcity_device_info *infos, int *count);
RCITY_MUST_CHECK static inline rcity_status rcity_device_list(rcity_context *context, int capacity,
                                                              rcity_device_info *infos, int *count)
{
    return rcity_device_list_sized(context, capacity, sizeof *infos, infos, count);
}

/** Open a device by id; NULL opens the best device (a GPU, else the host) and logs its name. Owned by the caller.
 *  @return RCITY_ERR_NO_DEVICE with the reason when the named one is absent or refused, RCITY_ERR_ARGUMENT for text
 *  that is not a device id, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_device_open(rcity_context *context, const char *id,
                                                          rcity_device **device);

/** Close a device and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_device_close(rcity_device **device);

/** Describe an open device. */
RCITY_API void rcity_device_describe_sized(const rcity_device *device, size_t info_bytes, rcity_device_info *info);
static inline void rcity_device_describe(const rcity_device *device, rcity_device_info *info)
{
    rcity_device_describe_sized(device, sizeof *info, info);
}

/** Time and traffic since the device was opened. On OpenCL, kernel and copy times come from the device's own clock. */
typedef struct rcity_device_times {
    double build_s; /**< time to compile programs or read them from the cache */
    double kernel_s;
    double upload_s;
    double download_s;
    uint64_t upload_bytes;
    uint64_t download_bytes;
    int64_t launch_count;
    int64_t program_cache_hits;
} rcity_device_times;

RCITY_API void rcity_device_get_times_sized(const rcity_device *device, size_t times_bytes, rcity_device_times *times);
static inline void rcity_device_get_times(const rcity_device *device, rcity_device_times *times)
{
    rcity_device_get_times_sized(device, sizeof *times, times);
}

#ifdef __cplusplus
}
#endif

#endif
