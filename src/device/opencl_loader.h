/* The OpenCL functions in use, found at run time: the library is not linked, so that a machine without OpenCL can run
   the program. */
#ifndef RCITY_DEVICE_OPENCL_LOADER_H
#define RCITY_DEVICE_OPENCL_LOADER_H

#define CL_TARGET_OPENCL_VERSION          120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* older headers know no target version */
#include <CL/cl.h>

#include <stdbool.h>
#include <stddef.h>

/* Every function of OpenCL 1.2 that src/device calls; each exists in all later versions too. */
#define RCITY_OPENCL_FUNCTION_LIST(X)                                                                                  \
    X(clGetPlatformIDs)                                                                                                \
    X(clGetPlatformInfo)                                                                                               \
    X(clGetDeviceIDs)                                                                                                  \
    X(clGetDeviceInfo)                                                                                                 \
    X(clCreateContext)                                                                                                 \
    X(clReleaseContext)                                                                                                \
    X(clCreateCommandQueue)                                                                                            \
    X(clReleaseCommandQueue)                                                                                           \
    X(clCreateProgramWithSource)                                                                                       \
    X(clCreateProgramWithBinary)                                                                                       \
    X(clBuildProgram)                                                                                                  \
    X(clGetProgramInfo)                                                                                                \
    X(clGetProgramBuildInfo)                                                                                           \
    X(clReleaseProgram)                                                                                                \
    X(clCreateKernel)                                                                                                  \
    X(clGetKernelWorkGroupInfo)                                                                                        \
    X(clSetKernelArg)                                                                                                  \
    X(clReleaseKernel)                                                                                                 \
    X(clCreateBuffer)                                                                                                  \
    X(clReleaseMemObject)                                                                                              \
    X(clEnqueueWriteBuffer)                                                                                            \
    X(clEnqueueReadBuffer)                                                                                             \
    X(clEnqueueMapBuffer)                                                                                              \
    X(clEnqueueUnmapMemObject)                                                                                         \
    X(clEnqueueNDRangeKernel)                                                                                          \
    X(clWaitForEvents)                                                                                                 \
    X(clFlush)                                                                                                         \
    X(clFinish)                                                                                                        \
    X(clGetEventProfilingInfo)                                                                                         \
    X(clReleaseEvent)

typedef struct rcity_opencl {
#define RCITY_OPENCL_MEMBER(name) __typeof__(&(name)) name; /* NOLINT: not every vendor's headers have pointer types */
    RCITY_OPENCL_FUNCTION_LIST(RCITY_OPENCL_MEMBER)
#undef RCITY_OPENCL_MEMBER
} rcity_opencl;

/* Open the first library of `library_names` (ends with NULL) that exists and look up every function; NULL takes the
   system's loader. The library stays loaded until the process ends: drivers keep threads and do not survive being
   unloaded.
   @return false with the reason in `refusal` when there is no such library or it lacks a function. */
bool rcity_opencl_load(const char *const *library_names, rcity_opencl *cl, char *refusal, size_t refusal_bytes);

#endif
