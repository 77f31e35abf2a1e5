/* Which OpenCL devices there are, and for each that cannot be used, why. */
#ifndef RCITY_DEVICE_OPENCL_LIST_H
#define RCITY_DEVICE_OPENCL_LIST_H

#include "base/base.h"
#include "device/opencl_loader.h"
#include "radiocity/device.h"

/* A device, or the place where devices should have been: then `device` is NULL, info.id is "opencl" and info.kind is
   "loader". Devices are numbered across all platforms in the loader's order; refused ones keep their number. */
typedef struct rcity_opencl_entry {
    rcity_device_info info;
    cl_platform_id platform;
    cl_device_id device;
    char identity[65];  /* SHA-256 of platform, device and driver: a program built for one fits no other */
    bool has_minimum64; /* of 64-bit numbers, as an atomic operation */
} rcity_opencl_entry;

typedef struct rcity_opencl_list {
    rcity_opencl_entry *entry;
    size_t count, capacity;
    int device_count;
} rcity_opencl_list;

/* Add what the loader offers to a zeroed list. A device that cannot be used becomes an entry with the reason, not a
   failure.
   @return RCITY_ERR_MEMORY; release the list with rcity_opencl_list_deinit() in any case. */
rcity_status rcity_opencl_list_build(rcity_context *context, const rcity_opencl *cl, rcity_opencl_list *list);

/* The same after rcity_opencl_load(); a missing loader becomes the one entry of the list. */
rcity_status rcity_opencl_list_load(rcity_context *context, const char *const *library_names, rcity_opencl *cl,
                                    rcity_opencl_list *list);

void rcity_opencl_list_deinit(rcity_context *context, rcity_opencl_list *list);

/* The entry taken when none is named: the usable GPU with most compute units. NULL for the host. */
const rcity_opencl_entry *rcity_opencl_list_choose(const rcity_opencl_list *list);

/* Whether a text has the form "opencl:N". */
bool rcity_opencl_list_is_id(const char *id);

/* The entry of a device by its id, which has the right form.
   @return RCITY_ERR_NO_DEVICE with the reason when it is absent or refused. */
rcity_status rcity_opencl_list_find(rcity_context *context, const rcity_opencl_list *list, const char *id,
                                    const rcity_opencl_entry **entry);

#endif
