/* dlopen and dlsym of the OpenCL loader. */
#include "device/opencl_loader.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char *const system_names[] = {"libOpenCL.so.1", "libOpenCL.so", NULL};

static const struct {
    const char *name;
    size_t offset; /* offset of the member in rcity_opencl */
} functions[] = {
#define RCITY_OPENCL_ROW(name) {#name, offsetof(rcity_opencl, name)},
    RCITY_OPENCL_FUNCTION_LIST(RCITY_OPENCL_ROW)
#undef RCITY_OPENCL_ROW
};

bool rcity_opencl_load(const char *const *library_names, rcity_opencl *cl, char *refusal, size_t refusal_bytes)
{
    const char *const *name = library_names != NULL ? library_names : system_names;
    void *library = NULL;
    char reason[128] = ""; /* for the first name, which is the usual one */
    for (; *name != NULL; name++) {
        library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
        if (library != NULL) {
            break;
        }
        const char *error = dlerror();
        if (reason[0] == '\0' && error != NULL) {
            snprintf(reason, sizeof reason, "%s", error);
        }
    }
    if (library == NULL) {
        snprintf(refusal, refusal_bytes,
                 "no OpenCL loader (%s); install ocl-icd-libopencl1 and a driver: the GPU vendor's or pocl-opencl-icd",
                 reason);
        return false;
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *function = dlsym(library, functions[i].name);
        if (function == NULL) {
            snprintf(refusal, refusal_bytes, "the OpenCL loader %s has no %s; install one for OpenCL 1.2 or later",
                     *name, functions[i].name);
            return false;
        }
        /* ISO C has no cast from an object pointer to a function pointer; POSIX promises equal representation. */
        memcpy((char *)cl + functions[i].offset, &function, sizeof function);
    }
    return true;
}
