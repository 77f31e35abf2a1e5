/* The list of OpenCL 1.2 errors (cl.h, "Error Codes") and what they mean to a caller. */
#include "device/opencl_error.h"

#include "device/device_data.h"

#define OPENCL_ERROR_LIST(X)                                                                                           \
    X(CL_SUCCESS)                                                                                                      \
    X(CL_DEVICE_NOT_FOUND)                                                                                             \
    X(CL_DEVICE_NOT_AVAILABLE)                                                                                         \
    X(CL_COMPILER_NOT_AVAILABLE)                                                                                       \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE)                                                                                \
    X(CL_OUT_OF_RESOURCES)                                                                                             \
    X(CL_OUT_OF_HOST_MEMORY)                                                                                           \
    X(CL_PROFILING_INFO_NOT_AVAILABLE)                                                                                 \
    X(CL_MEM_COPY_OVERLAP)                                                                                             \
    X(CL_IMAGE_FORMAT_MISMATCH)                                                                                        \
    X(CL_IMAGE_FORMAT_NOT_SUPPORTED)                                                                                   \
    X(CL_BUILD_PROGRAM_FAILURE)                                                                                        \
    X(CL_MAP_FAILURE)                                                                                                  \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET)                                                                                 \
    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)                                                                    \
    X(CL_COMPILE_PROGRAM_FAILURE)                                                                                      \
    X(CL_LINKER_NOT_AVAILABLE)                                                                                         \
    X(CL_LINK_PROGRAM_FAILURE)                                                                                         \
    X(CL_DEVICE_PARTITION_FAILED)                                                                                      \
    X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)                                                                                \
    X(CL_INVALID_VALUE)                                                                                                \
    X(CL_INVALID_DEVICE_TYPE)                                                                                          \
    X(CL_INVALID_PLATFORM)                                                                                             \
    X(CL_INVALID_DEVICE)                                                                                               \
    X(CL_INVALID_CONTEXT)                                                                                              \
    X(CL_INVALID_QUEUE_PROPERTIES)                                                                                     \
    X(CL_INVALID_COMMAND_QUEUE)                                                                                        \
    X(CL_INVALID_HOST_PTR)                                                                                             \
    X(CL_INVALID_MEM_OBJECT)                                                                                           \
    X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)                                                                              \
    X(CL_INVALID_IMAGE_SIZE)                                                                                           \
    X(CL_INVALID_SAMPLER)                                                                                              \
    X(CL_INVALID_BINARY)                                                                                               \
    X(CL_INVALID_BUILD_OPTIONS)                                                                                        \
    X(CL_INVALID_PROGRAM)                                                                                              \
    X(CL_INVALID_PROGRAM_EXECUTABLE)                                                                                   \
    X(CL_INVALID_KERNEL_NAME)                                                                                          \
    X(CL_INVALID_KERNEL_DEFINITION)                                                                                    \
    X(CL_INVALID_KERNEL)                                                                                               \
    X(CL_INVALID_ARG_INDEX)                                                                                            \
    X(CL_INVALID_ARG_VALUE)                                                                                            \
    X(CL_INVALID_ARG_SIZE)                                                                                             \
    X(CL_INVALID_KERNEL_ARGS)                                                                                          \
    X(CL_INVALID_WORK_DIMENSION)                                                                                       \
    X(CL_INVALID_WORK_GROUP_SIZE)                                                                                      \
    X(CL_INVALID_WORK_ITEM_SIZE)                                                                                       \
    X(CL_INVALID_GLOBAL_OFFSET)                                                                                        \
    X(CL_INVALID_EVENT_WAIT_LIST)                                                                                      \
    X(CL_INVALID_EVENT)                                                                                                \
    X(CL_INVALID_OPERATION)                                                                                            \
    X(CL_INVALID_GL_OBJECT)                                                                                            \
    X(CL_INVALID_BUFFER_SIZE)                                                                                          \
    X(CL_INVALID_MIP_LEVEL)                                                                                            \
    X(CL_INVALID_GLOBAL_WORK_SIZE)                                                                                     \
    X(CL_INVALID_PROPERTY)                                                                                             \
    X(CL_INVALID_IMAGE_DESCRIPTOR)                                                                                     \
    X(CL_INVALID_COMPILER_OPTIONS)                                                                                     \
    X(CL_INVALID_LINKER_OPTIONS)                                                                                       \
    X(CL_INVALID_DEVICE_PARTITION_COUNT)

const char *rcity_opencl_error_name(cl_int error)
{
    switch (error) {
#define OPENCL_ERROR_CASE(name)                                                                                        \
    case name:                                                                                                         \
        return #name;
        OPENCL_ERROR_LIST(OPENCL_ERROR_CASE)
#undef OPENCL_ERROR_CASE
    case -1001: /* cl_khr_icd; named in cl_ext.h, which not every installation has */
        return "CL_PLATFORM_NOT_FOUND_KHR";
    default:
        return "an unknown OpenCL error";
    }
}

rcity_status rcity_opencl_fail(rcity_context *context, const char *device_id, const char *call, cl_int error)
{
    rcity_status status = RCITY_ERR_UNSUPPORTED;
    const char *advice = "try `device=host`, and report it with the driver's version";
    switch (error) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_INVALID_BUFFER_SIZE:
        status = RCITY_ERR_MEMORY;
        advice = "the device has no room for it; close other programs that use it, or try `device=host`";
        break;
    case CL_DEVICE_NOT_FOUND:
    case CL_DEVICE_NOT_AVAILABLE:
    case CL_INVALID_DEVICE:
    case CL_INVALID_PLATFORM:
        status = RCITY_ERR_NO_DEVICE;
        advice = RCITY_DEVICE_ADVICE;
        break;
    default:
        break;
    }
    return rcity_fail(context, status, "device %s: %s answers %s (%d); %s", device_id, call,
                      rcity_opencl_error_name(error), (int)error, advice);
}
