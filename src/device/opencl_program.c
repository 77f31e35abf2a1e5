/* Programs and kernels of an open OpenCL device: built once, from the cache on disk where possible. */
#include <stdio.h>
#include <string.h>

#include "device/driver_signals.h"
#include "device/opencl_device.h"
#include "device/opencl_error.h"
#include "device/program_cache.h"

/* No fast-math: what a kernel computes may differ from the host by rounding only. */
#define BUILD_OPTIONS "-cl-std=CL1.2"

/* A multiple of the vector widths of all GPUs; larger groups gain nothing for kernels without local memory. */
#define GROUP_ITEMS 64

/* How much of the compiler's log goes into a message. */
#define LOG_BYTES 600

static cl_int build(const rcity_opencl_device *state, cl_program program)
{
    rcity_driver_signals before;
    rcity_driver_signals_note(&before);
    cl_int error = state->cl.clBuildProgram(program, 1, &state->device, BUILD_OPTIONS, NULL, NULL);
    rcity_driver_signals_restore(&before);
    return error;
}

/* The first whole lines of the compiler's log, as many as fit. */
static void cut_log(char *log)
{
    if (strlen(log) > LOG_BYTES) {
        log[LOG_BYTES] = '\0';
        char *line_end = strrchr(log, '\n');
        if (line_end != NULL) {
            *line_end = '\0';
        }
    }
    size_t length = strlen(log);
    while (length > 0 && strchr("\n\r ", log[length - 1]) != NULL) {
        log[--length] = '\0';
    }
}

static rcity_status fail_build(rcity_context *context, const rcity_device *device, cl_program program, cl_int error)
{
    const rcity_opencl_device *state = device->state;
    size_t bytes = 0;
    char *log = NULL;
    if (state->cl.clGetProgramBuildInfo(program, state->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) != CL_SUCCESS) {
        bytes = 0;
    }
    RCITY_TRY(rcity_alloc(context, bytes + 1, 1, "the log of an OpenCL compiler", &log));
    if (bytes > 0 &&
        state->cl.clGetProgramBuildInfo(program, state->device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL) != CL_SUCCESS) {
        log[0] = '\0';
    }
    cut_log(log);
    const char *start = log + strspn(log, "\n\r ");
    rcity_status status =
        rcity_fail(context, RCITY_ERR_UNSUPPORTED, "device %s cannot compile its kernels: %s; the compiler says: %s",
                   device->info.id, rcity_opencl_error_name(error), *start != '\0' ? start : "nothing");
    rcity_release(context, log);
    return status;
}

/* A program from the driver's own binary; NULL when the driver does not accept it (any more). */
static cl_program build_from_binary(const rcity_opencl_device *state, const char *data, size_t bytes)
{
    const unsigned char *binary = (const unsigned char *)data;
    cl_int error = CL_SUCCESS;
    cl_int binary_status = CL_SUCCESS;
    cl_program program =
        state->cl.clCreateProgramWithBinary(state->context, 1, &state->device, &bytes, &binary, &binary_status, &error);
    if (program != NULL &&
        (error != CL_SUCCESS || binary_status != CL_SUCCESS || build(state, program) != CL_SUCCESS)) {
        state->cl.clReleaseProgram(program);
        program = NULL;
    }
    return program;
}

static rcity_status build_from_source(rcity_context *context, const rcity_device *device, const char *source,
                                      cl_program *built)
{
    const rcity_opencl_device *state = device->state;
    cl_int error = CL_SUCCESS;
    cl_program program = state->cl.clCreateProgramWithSource(state->context, 1, &source, NULL, &error);
    if (program == NULL || error != CL_SUCCESS) {
        return rcity_opencl_fail(context, device->info.id, "clCreateProgramWithSource", error);
    }
    error = build(state, program);
    if (error != CL_SUCCESS) {
        rcity_status status = fail_build(context, device, program, error);
        state->cl.clReleaseProgram(program);
        return status;
    }
    *built = program;
    return RCITY_OK;
}

/* Store a program built from source. A driver that does not return its binary has no cache. */
static rcity_status save_binary(rcity_context *context, const rcity_opencl_device *state, cl_program program,
                                const char *key)
{
    size_t bytes = 0;
    if (state->cl.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) != CL_SUCCESS ||
        bytes == 0) {
        return RCITY_OK;
    }
    unsigned char *binary = NULL;
    RCITY_TRY(rcity_alloc(context, bytes, 1, "a compiled program", &binary));
    rcity_status status = RCITY_OK;
    if (state->cl.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS) {
        status = rcity_program_cache_save(context, key, binary, bytes);
    }
    rcity_release(context, binary);
    return status;
}

static rcity_status build_program(rcity_context *context, rcity_device *device, const char *source, cl_program *built)
{
    const rcity_opencl_device *state = device->state;
    char key[65];
    char *data = NULL;
    size_t bytes = 0;
    cl_program program = NULL;
    rcity_program_cache_key(source, BUILD_OPTIONS, state->identity, key);
    RCITY_TRY(rcity_program_cache_load(context, key, &data, &bytes));
    if (data != NULL) {
        program = build_from_binary(state, data, bytes);
        rcity_release(context, data);
    }
    if (program != NULL) {
        device->times.program_cache_hits++;
    } else {
        rcity_log(context, RCITY_LOG_DEBUG, "device %s compiles program %.12s", device->info.id, key);
        RCITY_TRY(build_from_source(context, device, source, &program));
        rcity_status status = save_binary(context, state, program, key);
        if (status != RCITY_OK) {
            state->cl.clReleaseProgram(program);
            return status;
        }
    }
    *built = program;
    return RCITY_OK;
}

static rcity_status get_program(rcity_context *context, rcity_device *device, const char *source, cl_program *program)
{
    rcity_opencl_device *state = device->state;
    for (size_t i = 0; i < state->program_count; i++) {
        if (state->program[i].origin == source) { /* a launch takes microseconds, and comparing texts would too */
            *program = state->program[i].program;
            return RCITY_OK;
        }
    }
    for (size_t i = 0; i < state->program_count; i++) {
        if (strcmp(state->program[i].source, source) == 0) {
            *program = state->program[i].program;
            return RCITY_OK;
        }
    }
    rcity_opencl_program made = {.origin = source};
    RCITY_TRY(rcity_reserve(device->context, state->program_count + 1, sizeof made, &state->program_capacity,
                            "the programs of a device", &state->program));
    RCITY_TRY(rcity_copy_text(device->context, source, &made.source));
    double start_s = rcity_clock_s();
    rcity_status status = build_program(context, device, source, &made.program);
    device->times.build_s += rcity_clock_s() - start_s;
    if (status != RCITY_OK) {
        rcity_release(device->context, made.source);
        return status;
    }
    state->program[state->program_count++] = made;
    *program = made.program;
    return RCITY_OK;
}

/* Large kernels may use so many registers that a full group does not fit. */
static size_t choose_group_items(const rcity_opencl_device *state, cl_kernel kernel, size_t wanted)
{
    size_t most = 0;
    if (state->cl.clGetKernelWorkGroupInfo(kernel, state->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most,
                                           NULL) != CL_SUCCESS) {
        return 1;
    }
    size_t items = wanted;
    while (items > most && items > 1) {
        items /= 2;
    }
    return items;
}

static rcity_status make_kernel(rcity_context *context, rcity_device *device, const rcity_kernel *kernel,
                                rcity_opencl_kernel *made)
{
    const rcity_opencl_device *state = device->state;
    cl_int error = CL_SUCCESS;
    made->kernel = state->cl.clCreateKernel(made->program, kernel->name, &error);
    if (made->kernel == NULL || error != CL_SUCCESS) {
        made->kernel = NULL;
        rcity_status status = rcity_opencl_fail(context, device->info.id, "clCreateKernel", error);
        return rcity_fail_prefix(context, status, "kernel %s: ", kernel->name);
    }
    made->does_item = kernel->group_items > 0;
    made->group_items =
        choose_group_items(state, made->kernel, made->does_item ? kernel->group_items : (size_t)GROUP_ITEMS);
    return RCITY_OK;
}

rcity_status rcity_opencl_kernel_get(rcity_context *context, rcity_device *device, const rcity_kernel *kernel,
                                     const rcity_opencl_kernel **built)
{
    rcity_opencl_device *state = device->state;
    rcity_opencl_kernel made = {0};
    RCITY_TRY(get_program(context, device, kernel->source, &made.program));
    for (size_t i = 0; i < state->kernel_count; i++) {
        if (state->kernel[i].program == made.program && strcmp(state->kernel[i].name, kernel->name) == 0) {
            *built = &state->kernel[i];
            return RCITY_OK;
        }
    }
    RCITY_TRY(rcity_reserve(device->context, state->kernel_count + 1, sizeof made, &state->kernel_capacity,
                            "the kernels of a device", &state->kernel));
    RCITY_TRY(rcity_copy_text(device->context, kernel->name, &made.name));
    rcity_status status = make_kernel(context, device, kernel, &made);
    if (status != RCITY_OK) {
        rcity_release(device->context, made.name);
        return status;
    }
    state->kernel[state->kernel_count++] = made;
    *built = &state->kernel[state->kernel_count - 1];
    return RCITY_OK;
}

void rcity_opencl_programs_deinit(rcity_device *device)
{
    rcity_opencl_device *state = device->state;
    for (size_t i = 0; i < state->kernel_count; i++) {
        state->cl.clReleaseKernel(state->kernel[i].kernel);
        rcity_release(device->context, state->kernel[i].name);
    }
    for (size_t i = 0; i < state->program_count; i++) {
        state->cl.clReleaseProgram(state->program[i].program);
        rcity_release(device->context, state->program[i].source);
    }
    rcity_release(device->context, state->kernel);
    rcity_release(device->context, state->program);
}

int rcity_opencl_kernel_times(const rcity_device *device, int capacity, rcity_kernel_times *times)
{
    const rcity_opencl_device *state = device->state;
    for (int i = 0; i < capacity && (size_t)i < state->kernel_count; i++) {
        const rcity_opencl_kernel *kernel = &state->kernel[i];
        times[i] = (rcity_kernel_times){kernel->name, kernel->seconds, kernel->launch_count};
    }
    return (int)state->kernel_count;
}
