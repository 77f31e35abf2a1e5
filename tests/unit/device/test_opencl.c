/* What other machines and bad days bring: a loader, drivers and devices that refuse, and OpenCL calls that fail. */
#include "rcity_test.h"

#include <limits.h>

#include "device/device_data.h"
#include "device/opencl_device.h"
#include "device/opencl_error.h"
#include "device/opencl_list.h"
#include "device/opencl_loader.h"
#include "mix_kernel.h"

/* ---- the loader ---- */

static void test_missing_loader(void **state)
{
    (void)state;
    static const char *const absent[] = {"libradiocity-absent.so.1", "libradiocity-absent.so", NULL};
    static const char *const foreign[] = {"libradiocity-absent.so.1", "libc.so.6", NULL};
    rcity_context *context = make_context(1);
    rcity_opencl cl;
    rcity_opencl_list list = {0};
    assert_int_equal(rcity_opencl_list_load(context, absent, &cl, &list), RCITY_OK);
    assert_int_equal(list.count, 1);
    const rcity_device_info *info = &list.entry[0].info;
    assert_string_equal(info->id, "opencl");
    assert_string_equal(info->kind, "loader");
    assert_false(info->is_usable);
    assert_non_null(strstr(info->refusal, "libradiocity-absent.so.1: cannot open"));
    assert_non_null(strstr(info->refusal, "install ocl-icd-libopencl1"));
    assert_null(rcity_opencl_list_choose(&list));
    const rcity_opencl_entry *entry = NULL;
    assert_int_equal(rcity_opencl_list_find(context, &list, "opencl:0", &entry), RCITY_ERR_NO_DEVICE);
    assert_non_null(strstr(rcity_context_message(context), "no OpenCL loader"));
    assert_non_null(strstr(rcity_context_message(context), "radiocity devices"));
    assert_null(entry);
    rcity_opencl_list_deinit(context, &list);
    assert_int_equal(rcity_opencl_list_load(context, foreign, &cl, &list), RCITY_OK);
    assert_int_equal(list.count, 1);
    assert_non_null(strstr(list.entry[0].info.refusal, "libc.so.6 has no clGetPlatformIDs"));
    rcity_opencl_list_deinit(context, &list);
    rcity_context_destroy(&context);
}

/* ---- drivers made up ---- */

/* What the made-up drivers answer: platform 0 has no devices when there are two. */
typedef struct fake_machine {
    cl_int platform_error, device_error;
    cl_uint platform_count, device_count;
    cl_bool is_available, has_compiler, is_little_endian;
    const char *version, *c_version, *profile;
    cl_device_info silent_query; /* is answered with CL_INVALID_VALUE */
    cl_uint compute_units[4];
} fake_machine;

static const fake_machine good_machine = {
    .platform_count = 1,
    .device_count = 1,
    .is_available = CL_TRUE,
    .has_compiler = CL_TRUE,
    .is_little_endian = CL_TRUE,
    .version = "OpenCL 3.0 fake",
    .c_version = "OpenCL C 1.2 fake",
    .profile = "FULL_PROFILE",
    .compute_units = {4, 8, 8, 2},
};

static fake_machine fake;
static char fake_ids[4]; /* their addresses stand for platforms and devices */

static cl_int CL_API_CALL fake_platform_ids(cl_uint capacity, cl_platform_id *platforms, cl_uint *count)
{
    for (cl_uint i = 0; i < capacity && i < fake.platform_count; i++) {
        platforms[i] = (cl_platform_id)(void *)&fake_ids[i];
    }
    if (count != NULL) {
        *count = fake.platform_count;
    }
    return fake.platform_error;
}

static cl_int CL_API_CALL fake_device_ids(cl_platform_id platform, cl_device_type type, cl_uint capacity,
                                          cl_device_id *devices, cl_uint *count)
{
    (void)type;
    if (fake.platform_count == 2 && (void *)platform == (void *)&fake_ids[0]) {
        return CL_DEVICE_NOT_FOUND;
    }
    for (cl_uint i = 0; i < capacity && i < fake.device_count; i++) {
        devices[i] = (cl_device_id)(void *)&fake_ids[i];
    }
    if (count != NULL) {
        *count = fake.device_count;
    }
    return fake.device_error;
}

static cl_int answer(const void *value, size_t value_bytes, size_t room, void *to, size_t *needed)
{
    if (needed != NULL) {
        *needed = value_bytes;
    }
    if (to != NULL) {
        if (room < value_bytes) {
            return CL_INVALID_VALUE;
        }
        memcpy(to, value, value_bytes);
    }
    return CL_SUCCESS;
}

static cl_int CL_API_CALL fake_platform_info(cl_platform_id platform, cl_platform_info what, size_t room, void *to,
                                             size_t *needed)
{
    (void)platform;
    const char *text = what == CL_PLATFORM_NAME ? "Fake Platform" : "OpenCL 3.0 fake";
    return answer(text, strlen(text) + 1, room, to, needed);
}

static const char *fake_text(cl_device_info what)
{
    switch (what) {
    case CL_DEVICE_NAME:
        return "  Fake GPU ";
    case CL_DEVICE_VERSION:
        return fake.version;
    case CL_DEVICE_OPENCL_C_VERSION:
        return fake.c_version;
    case CL_DEVICE_PROFILE:
        return fake.profile;
    case CL_DEVICE_EXTENSIONS:
        return "cl_khr_fp64_not cl_khr_int64_base_atomics";
    case CL_DEVICE_VENDOR:
    case CL_DRIVER_VERSION:
        return "1.0";
    default:
        return NULL;
    }
}

static cl_int CL_API_CALL fake_device_info(cl_device_id device, cl_device_info what, size_t room, void *to,
                                           size_t *needed)
{
    cl_bool flag = what == CL_DEVICE_AVAILABLE            ? fake.is_available
                   : what == CL_DEVICE_COMPILER_AVAILABLE ? fake.has_compiler
                                                          : fake.is_little_endian;
    cl_device_type type = CL_DEVICE_TYPE_GPU;
    cl_ulong bytes = 1 << 30;
    const char *text = fake_text(what);
    if (what == fake.silent_query) {
        return CL_INVALID_VALUE;
    }
    if (text != NULL) {
        return answer(text, strlen(text) + 1, room, to, needed);
    }
    switch (what) {
    case CL_DEVICE_TYPE:
        return answer(&type, sizeof type, room, to, needed);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        return answer(&fake.compute_units[(char *)(void *)device - fake_ids], sizeof(cl_uint), room, to, needed);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        return answer(&bytes, sizeof bytes, room, to, needed);
    default:
        return answer(&flag, sizeof flag, room, to, needed);
    }
}

static const rcity_opencl fake_cl = {
    .clGetPlatformIDs = fake_platform_ids,
    .clGetPlatformInfo = fake_platform_info,
    .clGetDeviceIDs = fake_device_ids,
    .clGetDeviceInfo = fake_device_info,
};

/* One entry, refused, with these words. */
static void check_refusal(rcity_context *context, fake_machine machine, const char *id, const char *words)
{
    rcity_opencl_list list = {0};
    fake = machine;
    assert_int_equal(rcity_opencl_list_build(context, &fake_cl, &list), RCITY_OK);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.entry[0].info.id, id);
    assert_false(list.entry[0].info.is_usable);
    if (strstr(list.entry[0].info.refusal, words) == NULL) {
        fail_msg("'%s' is not in '%s'", words, list.entry[0].info.refusal);
    }
    const rcity_opencl_entry *entry = NULL;
    assert_int_equal(rcity_opencl_list_find(context, &list, "opencl:0", &entry), RCITY_ERR_NO_DEVICE);
    assert_non_null(strstr(rcity_context_message(context), words));
    assert_null(rcity_opencl_list_choose(&list));
    rcity_opencl_list_deinit(context, &list);
}

#define CHECK_REFUSAL(id, words, ...)                                                                                  \
    do {                                                                                                               \
        fake_machine machine = good_machine;                                                                           \
        __VA_ARGS__;                                                                                                   \
        check_refusal(context, machine, (id), (words));                                                                \
    } while (0)

static void test_every_refusal_has_its_words(void **state)
{
    (void)state;
    rcity_context *context = make_context(1);
    CHECK_REFUSAL("opencl", "finds no platform", machine.platform_error = -1001);
    CHECK_REFUSAL("opencl", "finds no platform", machine.platform_count = 0);
    CHECK_REFUSAL("opencl", "does not list its platforms: CL_OUT_OF_HOST_MEMORY",
                  machine.platform_error = CL_OUT_OF_HOST_MEMORY);
    CHECK_REFUSAL("opencl", "'Fake Platform' has no devices", machine.device_error = CL_DEVICE_NOT_FOUND);
    CHECK_REFUSAL("opencl", "'Fake Platform' has no devices", machine.device_count = 0);
    CHECK_REFUSAL("opencl", "does not list its devices: CL_INVALID_PLATFORM",
                  machine.device_error = CL_INVALID_PLATFORM);
    CHECK_REFUSAL("opencl:0", "is not available now", machine.is_available = CL_FALSE);
    CHECK_REFUSAL("opencl:0", "has no compiler", machine.has_compiler = CL_FALSE);
    CHECK_REFUSAL("opencl:0", "offers 'OpenCL 1.1 old'", machine.version = "OpenCL 1.1 old");
    CHECK_REFUSAL("opencl:0", "offers 'nonsense'", machine.version = "nonsense");
    CHECK_REFUSAL("opencl:0", "compiles 'OpenCL C 1.0'", machine.c_version = "OpenCL C 1.0");
    CHECK_REFUSAL("opencl:0", "big-endian", machine.is_little_endian = CL_FALSE);
    CHECK_REFUSAL("opencl:0", "embedded profile", machine.profile = "EMBEDDED_PROFILE");
    CHECK_REFUSAL("opencl:0", "0 compute units", machine.compute_units[0] = 0);
    CHECK_REFUSAL("opencl:0", "does not answer CL_DEVICE_NAME: CL_INVALID_VALUE",
                  machine.silent_query = CL_DEVICE_NAME);
    CHECK_REFUSAL("opencl:0", "does not answer CL_DEVICE_MAX_MEM_ALLOC_SIZE",
                  machine.silent_query = CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_numbers_and_choice(void **state)
{
    (void)state;
    rcity_context *context = make_context(1);
    rcity_opencl_list list = {0};
    fake = good_machine;
    fake.platform_count = 2;
    fake.device_count = 4;
    fake.compute_units[3] = 0; /* refused, keeps its number */
    assert_int_equal(rcity_opencl_list_build(context, &fake_cl, &list), RCITY_OK);
    assert_int_equal(list.count, 5);
    assert_int_equal(list.device_count, 4);
    assert_string_equal(list.entry[0].info.kind, "loader");
    assert_string_equal(list.entry[4].info.id, "opencl:3");
    assert_false(list.entry[4].info.is_usable);
    assert_string_equal(list.entry[1].info.name, "Fake GPU");
    assert_false(list.entry[1].info.has_fp64); /* a longer word that starts the same is another extension */
    assert_true(list.entry[1].info.has_int64_atomics);
    assert_false(list.entry[1].has_minimum64); /* which is another extension too */
    const rcity_opencl_entry *entry = NULL;
    assert_int_equal(rcity_opencl_list_find(context, &list, "opencl:1", &entry), RCITY_OK);
    assert_ptr_equal(entry, &list.entry[2]);
    assert_ptr_equal(rcity_opencl_list_choose(&list), entry); /* most compute units, the first of equals */
    assert_int_equal(rcity_opencl_list_find(context, &list, "opencl:4", &entry), RCITY_ERR_NO_DEVICE);
    assert_non_null(strstr(rcity_context_message(context), "4 OpenCL devices were found"));
    rcity_opencl_list_deinit(context, &list);
    rcity_context_destroy(&context);
}

static void test_error_names(void **state)
{
    (void)state;
    assert_string_equal(rcity_opencl_error_name(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES");
    assert_string_equal(rcity_opencl_error_name(-1001), "CL_PLATFORM_NOT_FOUND_KHR");
    assert_string_equal(rcity_opencl_error_name(-9999), "an unknown OpenCL error");
    rcity_context *context = make_context(1);
    assert_int_equal(rcity_opencl_fail(context, "opencl:0", "clX", CL_OUT_OF_RESOURCES), RCITY_ERR_MEMORY);
    assert_int_equal(rcity_opencl_fail(context, "opencl:0", "clX", CL_DEVICE_NOT_AVAILABLE), RCITY_ERR_NO_DEVICE);
    assert_int_equal(rcity_opencl_fail(context, "opencl:0", "clX", CL_INVALID_KERNEL), RCITY_ERR_UNSUPPORTED);
    assert_non_null(strstr(rcity_context_message(context), "clX answers CL_INVALID_KERNEL (-48)"));
    rcity_context_destroy(&context);
}

/* ---- a real device whose n-th call fails ---- */

static rcity_opencl real_cl;
static int call_count, failing_call, live_count; /* live: objects created and not yet released */
static int first_launch_call_count;              /* calls until the first launch was done */

static bool is_failing(void)
{
    return ++call_count == failing_call;
}

/* A call that may fail, one that makes an object, one that releases it. The first two take their parameters twice:
   with types and without. */
#define FAULTY(name, parameters, arguments)                                                                            \
    static cl_int CL_API_CALL faulty_##name parameters                                                                 \
    {                                                                                                                  \
        return is_failing() ? CL_OUT_OF_RESOURCES : real_cl.name arguments;                                            \
    }

#define FAULTY_EVENT(name, parameters, arguments)                                                                      \
    static cl_int CL_API_CALL faulty_##name parameters                                                                 \
    {                                                                                                                  \
        cl_int error = is_failing() ? CL_OUT_OF_RESOURCES : real_cl.name arguments;                                    \
        live_count += error == CL_SUCCESS;                                                                             \
        return error;                                                                                                  \
    }

#define FAULTY_MAKER(type, name, parameters, arguments)                                                                \
    static type CL_API_CALL faulty_##name parameters                                                                   \
    {                                                                                                                  \
        if (is_failing()) {                                                                                            \
            *error = CL_OUT_OF_RESOURCES;                                                                              \
            return NULL;                                                                                               \
        }                                                                                                              \
        type made = real_cl.name arguments;                                                                            \
        live_count += made != NULL;                                                                                    \
        return made;                                                                                                   \
    }

#define COUNTED_RELEASE(type, name)                                                                                    \
    static cl_int CL_API_CALL faulty_##name(type object)                                                               \
    {                                                                                                                  \
        live_count--;                                                                                                  \
        return real_cl.name(object);                                                                                   \
    }

FAULTY(clGetDeviceInfo, (cl_device_id d, cl_device_info w, size_t b, void *v, size_t *n), (d, w, b, v, n))
FAULTY(clBuildProgram,
       (cl_program p, cl_uint n, const cl_device_id *d, const char *o, void(CL_CALLBACK *f)(cl_program, void *),
        void *u),
       (p, n, d, o, f, u))
FAULTY(clGetProgramInfo, (cl_program p, cl_program_info w, size_t b, void *v, size_t *n), (p, w, b, v, n))
FAULTY(clGetKernelWorkGroupInfo,
       (cl_kernel k, cl_device_id d, cl_kernel_work_group_info w, size_t b, void *v, size_t *n), (k, d, w, b, v, n))
FAULTY(clSetKernelArg, (cl_kernel k, cl_uint i, size_t b, const void *v), (k, i, b, v))
FAULTY(clWaitForEvents, (cl_uint n, const cl_event *e), (n, e))
FAULTY(clGetEventProfilingInfo, (cl_event e, cl_profiling_info w, size_t b, void *v, size_t *n), (e, w, b, v, n))
FAULTY_EVENT(clEnqueueWriteBuffer,
             (cl_command_queue q, cl_mem m, cl_bool w, size_t o, size_t b, const void *v, cl_uint n, const cl_event *l,
              cl_event *e),
             (q, m, w, o, b, v, n, l, e))
FAULTY_EVENT(clEnqueueReadBuffer,
             (cl_command_queue q, cl_mem m, cl_bool w, size_t o, size_t b, void *v, cl_uint n, const cl_event *l,
              cl_event *e),
             (q, m, w, o, b, v, n, l, e))
FAULTY_EVENT(clEnqueueNDRangeKernel,
             (cl_command_queue q, cl_kernel k, cl_uint d, const size_t *o, const size_t *g, const size_t *s, cl_uint n,
              const cl_event *l, cl_event *e),
             (q, k, d, o, g, s, n, l, e))
FAULTY_MAKER(cl_context, clCreateContext,
             (const cl_context_properties *p, cl_uint n, const cl_device_id *d,
              void(CL_CALLBACK *f)(const char *, const void *, size_t, void *), void *u, cl_int *error),
             (p, n, d, f, u, error))
FAULTY_MAKER(cl_command_queue, clCreateCommandQueue,
             (cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int *error), (c, d, p, error))
FAULTY_MAKER(cl_program, clCreateProgramWithSource,
             (cl_context c, cl_uint n, const char **s, const size_t *l, cl_int *error), (c, n, s, l, error))
FAULTY_MAKER(cl_program, clCreateProgramWithBinary,
             (cl_context c, cl_uint n, const cl_device_id *d, const size_t *l, const unsigned char **b, cl_int *s,
              cl_int *error),
             (c, n, d, l, b, s, error))
FAULTY_MAKER(cl_kernel, clCreateKernel, (cl_program p, const char *n, cl_int *error), (p, n, error))
FAULTY_MAKER(cl_mem, clCreateBuffer, (cl_context c, cl_mem_flags f, size_t b, void *v, cl_int *error),
             (c, f, b, v, error))
COUNTED_RELEASE(cl_context, clReleaseContext)
COUNTED_RELEASE(cl_command_queue, clReleaseCommandQueue)
COUNTED_RELEASE(cl_program, clReleaseProgram)
COUNTED_RELEASE(cl_kernel, clReleaseKernel)
COUNTED_RELEASE(cl_mem, clReleaseMemObject)
COUNTED_RELEASE(cl_event, clReleaseEvent)

#define TAKE_OVER(name) cl.name = faulty_##name

static rcity_opencl make_faulty(void)
{
    rcity_opencl cl = real_cl;
    TAKE_OVER(clGetDeviceInfo);
    TAKE_OVER(clBuildProgram);
    TAKE_OVER(clGetProgramInfo);
    TAKE_OVER(clGetKernelWorkGroupInfo);
    TAKE_OVER(clSetKernelArg);
    TAKE_OVER(clWaitForEvents);
    TAKE_OVER(clGetEventProfilingInfo);
    TAKE_OVER(clEnqueueWriteBuffer);
    TAKE_OVER(clEnqueueReadBuffer);
    TAKE_OVER(clEnqueueNDRangeKernel);
    TAKE_OVER(clCreateContext);
    TAKE_OVER(clCreateCommandQueue);
    TAKE_OVER(clCreateProgramWithSource);
    TAKE_OVER(clCreateProgramWithBinary);
    TAKE_OVER(clCreateKernel);
    TAKE_OVER(clCreateBuffer);
    TAKE_OVER(clReleaseContext);
    TAKE_OVER(clReleaseCommandQueue);
    TAKE_OVER(clReleaseProgram);
    TAKE_OVER(clReleaseKernel);
    TAKE_OVER(clReleaseMemObject);
    TAKE_OVER(clReleaseEvent);
    return cl;
}

/* A queued launch on what stays, sent and fetched. Memory of copies that may still be under way is given back too early
   if a failure leaves any: the sanitizer tells. */
static rcity_status use_kept(rcity_context *context, rcity_device *device, const rcity_resident *table)
{
    static const char double_source[] = "__kernel void test_double(long job, long item_begin, long item_count,\n"
                                        "    __global const int *table, __global int *kept)\n"
                                        "{\n"
                                        "    long i = get_global_id(0);\n"
                                        "    if (i < item_count) kept[item_begin + i] += (int)job + table[i % 5];\n"
                                        "}\n";
    const rcity_kernel kernel = {.name = "test_double",
                                 .source = double_source,
                                 .job_bytes = sizeof(int64_t),
                                 .buffer_count = 2,
                                 .buffer = {{RCITY_BUFFER_SHARED_IN, 4}, {RCITY_BUFFER_ON_DEVICE, 4}}};
    static const int32_t expected[TABLE_COUNT] = {11, 7, -5, 3, 2};
    const int64_t job = 1000;
    rcity_resident *kept = NULL;
    int32_t *data = calloc(10, sizeof *data);
    for (int i = 0; i < 10; i++) {
        data[i] = 7 * i;
    }
    rcity_launch launch = {.kernel = &kernel, .job = &job, .item_count = 10, .resident = {table, NULL}};
    rcity_status status = rcity_resident_create_empty(context, device, 10, 4, "numbers", &kept);
    launch.resident[1] = kept;
    if (status == RCITY_OK) {
        status = rcity_resident_write(context, kept, 0, 10, data);
    }
    for (int i = 0; i < 2 && status == RCITY_OK; i++) {
        status = rcity_device_run(context, device, &launch);
    }
    if (status == RCITY_OK) {
        status = rcity_resident_read(context, kept, 0, 10, data);
    }
    if (status == RCITY_OK) {
        status = rcity_device_finish(context, device);
    }
    for (int i = 0; i < 10 && status == RCITY_OK; i++) {
        assert_int_equal(data[i], 7 * i + 2 * (1000 + expected[i % TABLE_COUNT]));
    }
    rcity_resident_destroy(&kept);
    free(data);
    return status;
}

/* Open, run in pieces, close; what was computed is right whenever the run says so. */
static rcity_status use_faulty(rcity_context *context, const rcity_opencl *cl, const rcity_opencl_entry *entry)
{
    rcity_device *device = NULL;
    first_launch_call_count = INT_MAX;
    assert_int_equal(rcity_alloc(context, 1, sizeof *device, "a device", &device), RCITY_OK);
    device->context = context;
    rcity_status status = rcity_opencl_device_open(cl, entry, device);
    if (status != RCITY_OK) {
        rcity_release(context, device);
        return status;
    }
    rcity_device_limit_buffer(device, 320); /* 40 items of 8 bytes */
    mix_run run = mix_init(100);
    rcity_resident *table = NULL;
    status = mix_launch(context, device, &mix_kernel, &run);
    first_launch_call_count = call_count;
    if (status == RCITY_OK) {
        assert_mixed(&run);
        status = rcity_resident_create(context, device, run.table, TABLE_COUNT, sizeof run.table[0], "a table", &table);
    }
    run.resident = table;
    if (status == RCITY_OK) {
        status = mix_launch(context, device, &mix_kernel, &run);
    }
    if (status == RCITY_OK) {
        assert_mixed(&run);
        status = use_kept(context, device, table);
    }
    mix_deinit(&run);
    rcity_resident_destroy(&table);
    rcity_device_close(&device);
    return status;
}

/* Without the cache the calls differ as far as the first launch; those after it fail one by one in full size only. */
static void check_faults(rcity_context *context, const rcity_opencl *cl, const rcity_opencl_entry *entry,
                         bool is_cached)
{
    uint64_t used = rcity_context_memory_used(context);
    int failure_count = 0;
    for (failing_call = 1;; failing_call++) {
        if (!is_cached) {
            clear_cache();
        }
        call_count = 0;
        rcity_status status = use_faulty(context, cl, entry);
        assert_int_equal(live_count, 0);
        assert_int_equal(rcity_context_memory_used(context), used);
        if (call_count < failing_call) {
            assert_int_equal(status, RCITY_OK);
            break;
        }
        if (!is_cached && status != RCITY_OK && failing_call > first_launch_call_count &&
            !test_is_called_with("long")) {
            break;
        }
        if (status != RCITY_OK) { /* the cache, group sizes and times may fail and cost no more than time */
            failure_count++;
            assert_non_null(strstr(rcity_context_message(context), "CL_OUT_OF_RESOURCES"));
            assert_non_null(strstr(rcity_context_message(context), entry->info.id));
        }
    }
    print_message("%s the cache: %d of %d calls that fail end it\n", is_cached ? "with" : "without", failure_count,
                  failing_call - 1);
    assert_true(failure_count > 20);
}

static void test_failing_calls(void **state)
{
    (void)state;
    need_opencl();
    rcity_context *context = make_context(1);
    rcity_opencl_list list = {0};
    assert_int_equal(rcity_opencl_list_load(context, NULL, &real_cl, &list), RCITY_OK);
    const rcity_opencl_entry *entry = NULL;
    assert_int_equal(rcity_opencl_list_find(context, &list, usable_id[0], &entry), RCITY_OK);
    rcity_opencl cl = make_faulty();
    check_faults(context, &cl, entry, false);
    check_faults(context, &cl, entry, true);
    rcity_opencl_list_deinit(context, &list);
    rcity_context_destroy(&context);
}

TEST_SUITE(opencl)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_loader),     cmocka_unit_test(test_every_refusal_has_its_words),
        cmocka_unit_test(test_numbers_and_choice), cmocka_unit_test(test_error_names),
        cmocka_unit_test(test_failing_calls),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
