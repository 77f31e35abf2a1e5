/* The wave physics in single against double precision on the host, and on every OpenCL device against the host. */
#include "rcity_test.h"

#include "device/device.h"
#include "embedded/wave_cl.h"
#include "wave_cases.h"

#define DEVICE_MAX 32
#define ITEM_COUNT 4000
#define SEED       4711u

/* As wave.cl has it; that file is not included here, for it would bring one of the precisions. */
typedef struct wave_job {
    int32_t function;
    int32_t padding;
} wave_job;

static void host_run(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    const float *in = buffers[0].in;
    float *out = buffers[1].out;
    for (int64_t item = begin; item < end; item++) {
        wave_single((wave_function)((const wave_job *)job)->function, in + WAVE_IN * item, out + WAVE_OUT * item);
    }
}

static const rcity_kernel wave_kernel = {
    .name = "rcity_wave",
    .source = rcity_wave_cl,
    .job_bytes = sizeof(wave_job),
    .buffer_count = 2,
    .buffer = {{RCITY_BUFFER_ITEM_IN, WAVE_IN * sizeof(float)}, {RCITY_BUFFER_ITEM_OUT, WAVE_OUT * sizeof(float)}},
    .host_run = host_run,
};

static void check_item(const wave_case *wave, const float *in, const double *actual, const double *expected,
                       double tolerance, const char *what, double *worst)
{
    double error = wave_case_error(wave, actual, expected);
    *worst = fmax(*worst, error);
    if (!(error <= tolerance)) {
        print_error("%s, %s: error %g, allowed %g; inputs", wave->name, what, error, tolerance);
        for (int i = 0; i < WAVE_IN; i++) {
            print_error(" %.9g", (double)in[i]);
        }
        print_error("; got and expected");
        for (int i = 0; i < wave->out_count; i++) {
            print_error(" %.9g %.9g,", actual[i], expected[i]);
        }
        print_error("\n");
        fail();
    }
}

static void test_single_precision_agrees_with_double(void **state)
{
    (void)state;
    for (int c = 0; c < wave_case_count(); c++) {
        const wave_case *wave = wave_case_get(c);
        double worst = 0.0;
        for (int64_t item = 0; item < ITEM_COUNT; item++) {
            float in[WAVE_IN], out[WAVE_OUT];
            double in_double[WAVE_IN], out_double[WAVE_OUT], actual[WAVE_OUT];
            wave_case_draw(wave, SEED + (unsigned)c, item, in);
            for (int i = 0; i < WAVE_IN; i++) {
                in_double[i] = (double)in[i];
            }
            wave_single(wave->function, in, out);
            wave_double(wave->function, in_double, out_double);
            for (int i = 0; i < WAVE_OUT; i++) {
                actual[i] = (double)out[i];
            }
            check_item(wave, in, actual, out_double, wave->single_tolerance, "single against double", &worst);
        }
        print_message("single against double: %s within %.2g (seed %u)\n", wave->name, worst, SEED + (unsigned)c);
    }
}

static void run(rcity_context *context, rcity_device *device, const wave_case *wave, const float *in, float *out,
                int64_t count)
{
    wave_job job = {.function = (int32_t)wave->function};
    rcity_launch launch = {
        .kernel = &wave_kernel, .job = &job, .item_count = count, .buffer = {{.in = in}, {.out = out}}};
    assert_ok(context, rcity_device_run(context, device, &launch));
}

static void check_device(rcity_context *context, rcity_device *device, const char *id)
{
    float *in = calloc(ITEM_COUNT * WAVE_IN, sizeof *in);
    float *out = calloc(ITEM_COUNT * WAVE_OUT, sizeof *out);
    assert_true(in != NULL && out != NULL);
    for (int c = 0; c < wave_case_count(); c++) {
        const wave_case *wave = wave_case_get(c);
        double worst = 0.0;
        const int64_t counts[] = {0, 1, 65, ITEM_COUNT};
        for (int64_t item = 0; item < ITEM_COUNT; item++) {
            wave_case_draw(wave, SEED + (unsigned)c, item, in + WAVE_IN * item);
        }
        for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
            run(context, device, wave, in, out, counts[n]);
            for (int64_t item = 0; item < counts[n]; item++) {
                float host[WAVE_OUT];
                double actual[WAVE_OUT], expected[WAVE_OUT];
                wave_single(wave->function, in + WAVE_IN * item, host);
                for (int i = 0; i < WAVE_OUT; i++) {
                    actual[i] = (double)out[WAVE_OUT * item + i];
                    expected[i] = (double)host[i];
                }
                check_item(wave, in + WAVE_IN * item, actual, expected, wave->device_tolerance, id, &worst);
            }
        }
        print_message("%s: %s within %.2g (seed %u)\n", id, wave->name, worst, SEED + (unsigned)c);
    }
    free(out);
    free(in);
}

static void test_every_device_agrees_with_the_host(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    int checked = 0;
    for (int i = -1; i < DEVICE_MAX; i++) {
        char id[32];
        snprintf(id, sizeof id, i < 0 ? "host" : "opencl:%d", i);
        rcity_device *device = NULL;
        if (rcity_device_open(context, id, &device) == RCITY_OK) {
            check_device(context, device, id);
            rcity_device_close(&device);
            checked += i >= 0;
        }
    }
    print_message("%d OpenCL devices\n", checked);
    rcity_context_destroy(&context);
}

TEST_SUITE(wave_parity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_precision_agrees_with_double),
        cmocka_unit_test(test_every_device_agrees_with_the_host),
    };
    return cmocka_run_group_tests_name("wave parity", tests, NULL, NULL);
}
