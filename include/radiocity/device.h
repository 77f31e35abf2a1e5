/** @file device.h  Where kernels run: the host's threads, or any OpenCL 1.2 device. */
#ifndef RADIOCITY_DEVICE_H
#define RADIOCITY_DEVICE_H

#include "radiocity/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An open device. Opaque; see rcity_device_open(). */
typedef struct rcity_device rcity_device;

/** What there is on this machine. Texts are stored inside. */
typedef struct rcity_device_info {
    char id[32];    /**< what --device takes: "host", "opencl:0" */
    char kind[16];  /**< "host", "gpu", "cpu", "accelerator", "other", or "loader" for a missing OpenCL */
    char name[128]; /**< such as "NVIDIA H200" */
    char vendor[128];
    char driver[192]; /**< platform and driver version */
    int compute_units;
    uint64_t memory_bytes;     /**< 0 when unknown */
    uint64_t buffer_max_bytes; /**< largest single buffer; larger ones are split */
    bool has_fp64;
    bool has_int64_atomics;
    bool is_usable;
    bool is_default;   /**< taken when none is named */
    char refusal[256]; /**< why it is not usable; empty when it is */
} rcity_device_info;

/** List devices, usable or not, into `infos` (which may be NULL when capacity is 0); the first is always the host.
 *  @return RCITY_ERR_MEMORY. `*count` is how many there are, which may be more than `capacity`. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_device_list(rcity_context *context, int capacity,
                                                          rcity_device_info *infos, int *count);

/** Open a device by id; NULL opens the best there is (a GPU, else the host) and logs which. Owned by the caller.
 *  @return RCITY_ERR_NO_DEVICE with the reason when the named one is absent or refused, RCITY_ERR_ARGUMENT for an id
 *  that is none, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_device_open(rcity_context *context, const char *id,
                                                          rcity_device **device);

/** Close a device and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_device_close(rcity_device **device);

/** Describe an open device. */
RCITY_API void rcity_device_describe(const rcity_device *device, rcity_device_info *info);

/** Time and traffic since the device was opened. Kernel and copy times are the device's own clock on OpenCL. */
typedef struct rcity_device_times {
    double build_s; /**< compiling programs, or reading them from the cache */
    double kernel_s;
    double upload_s;
    double download_s;
    uint64_t upload_bytes;
    uint64_t download_bytes;
    int64_t launch_count;
    int64_t program_cache_hits;
} rcity_device_times;

RCITY_API void rcity_device_get_times(const rcity_device *device, rcity_device_times *times);

#ifdef __cplusplus
}
#endif

#endif
