/* OpenCL's error numbers as names and as statuses. */
#ifndef RCITY_DEVICE_OPENCL_ERROR_H
#define RCITY_DEVICE_OPENCL_ERROR_H

#include "base/base.h"
#include "device/opencl_loader.h"

/* Such as "CL_OUT_OF_RESOURCES"; never NULL. */
const char *rcity_opencl_error_name(cl_int error);

/* Start a failure from an OpenCL call: RCITY_ERR_MEMORY when the device has no room, RCITY_ERR_NO_DEVICE when it went
   away, else RCITY_ERR_UNSUPPORTED. `device_id` and `call` say where. */
rcity_status rcity_opencl_fail(rcity_context *context, const char *device_id, const char *call, cl_int error);

#endif
