/* The formulas over terrain on random ground: single against double precision on the host, and every OpenCL device
   against the host. */
#include "rcity_test.h"

#include "device/device.h"
#include "embedded/terrain_cl.h"
#include "random_ground.h"
#include "terrain.cl"
#include "terrain_double.h"

#define DEVICE_MAX      32
#define ITEM_COUNT      3000
#define SINGLE_DB       0.02
#define DEVICE_DB       0.005
#define SIDE_BY_SIDE(i) ((uint64_t)ITEM_COUNT * (uint64_t)(i))

typedef struct ground_set {
    float in[ITEM_COUNT * RCITY_TERRAIN_IN];
    float height_m[ITEM_COUNT * GROUND_POINT_MAX];
    float cover_m[ITEM_COUNT * GROUND_POINT_MAX];
    float distance_m[ITEM_COUNT * GROUND_POINT_MAX];
    float out[ITEM_COUNT * RCITY_TERRAIN_OUT];
} ground_set;

static void draw_link(uint64_t trial, float *in)
{
    bool has_sea = trial % 4 == 0;
    in[0] = (float)ground_draw_log(trial, 50, 0.03, 6.0);
    in[1] = (float)ground_draw_log(trial, 51, 1.0, 1000.0);
    in[2] = (float)ground_draw_log(trial, 52, 1.0, 100.0);
    in[3] = (float)ground_draw_log(trial, 53, 1.0, 50.0);
    in[4] = (float)ground_draw(trial, 60, 1.0, 99.0);
    in[5] = trial % 3 == 0 ? 0.0f : 100.0f;
    in[6] = (float)ground_draw(trial, 54, 25.0, 75.0);
    in[7] = (float)ground_draw(trial, 61, 280.0, 380.0);
    in[8] = (float)ground_draw(trial, 55, -90.0, 90.0);
    in[9] = has_sea ? (float)ground_draw(trial, 56, 0.0, 1.0) : 0.0f;
    in[10] = has_sea ? (float)ground_draw(trial, 57, 0.0, 50.0) : 3000.0f;
    in[11] = has_sea ? 0.5f * in[10] : 3000.0f;
    in[12] = has_sea ? (float)ground_draw(trial, 58, 0.0, 10.0) : 500.0f;
    in[13] = has_sea ? (float)ground_draw(trial, 59, 0.0, 10.0) : 500.0f;
    in[14] = trial % 5 == 0 ? 50.0f : 0.0f;
    in[15] = trial % 2 == 0 ? 1.0f : 0.0f;
}

static ground_set *draw_set(void)
{
    static random_ground ground;
    ground_set *set = calloc(1, sizeof *set);
    assert_non_null(set);
    for (uint64_t item = 0; item < ITEM_COUNT; item++) {
        float *in = set->in + RCITY_TERRAIN_IN * item;
        random_ground_make(&ground, item);
        draw_link(item, in);
        in[16] = (float)ground.profile.count;
        in[17] = ground.profile.step_m;
        in[18] = ground.profile.distance_m == NULL ? 1.0f : 0.0f;
        in[19] = ground.profile.cover_m != NULL ? 1.0f : 0.0f;
        for (int i = 0; i < ground.profile.count; i++) {
            set->height_m[SIDE_BY_SIDE(i) + item] = ground.height_m[i];
            set->cover_m[SIDE_BY_SIDE(i) + item] = ground.cover_m[i];
            set->distance_m[SIDE_BY_SIDE(i) + item] = ground.distance_m[i];
        }
    }
    return set;
}

static void host_run(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    const float *in = buffers[0].in;
    float *out = buffers[4].out;
    for (int64_t item = begin; item < end; item++) {
        rcity_ground_profile ground =
            rcity_terrain_profile(*(const rcity_terrain_job *)job, in + RCITY_TERRAIN_IN * item, buffers[1].in,
                                  buffers[2].in, buffers[3].in, item);
        rcity_terrain_item(rcity_terrain_link(in + RCITY_TERRAIN_IN * item), ground, out + RCITY_TERRAIN_OUT * item);
    }
}

static const rcity_kernel terrain_kernel = {
    .name = "rcity_terrain",
    .source = rcity_terrain_cl,
    .job_bytes = sizeof(rcity_terrain_job),
    .buffer_count = 5,
    .buffer = {{RCITY_BUFFER_ITEM_IN, RCITY_TERRAIN_IN * sizeof(float)},
               {RCITY_BUFFER_SHARED_IN, sizeof(float)},
               {RCITY_BUFFER_SHARED_IN, sizeof(float)},
               {RCITY_BUFFER_SHARED_IN, sizeof(float)},
               {RCITY_BUFFER_ITEM_OUT, RCITY_TERRAIN_OUT * sizeof(float)}},
    .host_run = host_run,
};

static void run(rcity_context *context, rcity_device *device, ground_set *set, int64_t count)
{
    rcity_terrain_job job = {.profile_count = ITEM_COUNT};
    rcity_launch launch = {
        .kernel = &terrain_kernel,
        .job = &job,
        .item_count = count,
        .buffer = {
            {.in = set->in}, {.in = set->height_m}, {.in = set->cover_m}, {.in = set->distance_m}, {.out = set->out}}};
    for (int i = 1; i <= 3; i++) {
        launch.shared_count[i] = ITEM_COUNT * GROUND_POINT_MAX;
    }
    memset(set->out, 0, sizeof set->out);
    assert_ok(context, rcity_device_run(context, device, &launch));
}

/* Compare an item with what is expected; the largest difference so far. */
static double check_item(int64_t item, const float *actual, const double *expected, double tolerance, const char *what,
                         double worst)
{
    for (int i = 0; i < RCITY_TERRAIN_OUT; i++) {
        double error = fabs((double)actual[i] - expected[i]);
        if (!(error <= tolerance)) {
            print_error("%s, item %d, number %d: %.6f dB, expected %.6f dB\n", what, (int)item, i, (double)actual[i],
                        expected[i]);
            fail();
        }
        worst = fmax(worst, error);
    }
    return worst;
}

static void test_single_precision_agrees_with_double(void **state)
{
    (void)state;
    ground_set *set = draw_set();
    rcity_context *context = test_context(1);
    rcity_device *device = NULL;
    double worst_db = 0.0;
    assert_ok(context, rcity_device_open(context, "host", &device));
    run(context, device, set, ITEM_COUNT);
    for (int64_t item = 0; item < ITEM_COUNT; item++) {
        double in[RCITY_TERRAIN_IN], expected[RCITY_TERRAIN_OUT];
        for (int i = 0; i < RCITY_TERRAIN_IN; i++) {
            in[i] = (double)set->in[RCITY_TERRAIN_IN * item + i];
        }
        terrain_double(ITEM_COUNT, in, set->height_m, set->cover_m, set->distance_m, item, expected);
        worst_db = check_item(item, set->out + RCITY_TERRAIN_OUT * item, expected, SINGLE_DB, "single against double",
                              worst_db);
    }
    print_message("single against double: within %.2g dB\n", worst_db);
    rcity_device_close(&device);
    rcity_context_destroy(&context);
    free(set);
}

static void check_device(rcity_context *context, rcity_device *device, const char *id, ground_set *set,
                         const double *host)
{
    const int64_t counts[] = {0, 1, 65, ITEM_COUNT};
    double worst_db = 0.0;
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
        run(context, device, set, counts[n]);
        for (int64_t item = 0; item < counts[n]; item++) {
            worst_db = check_item(item, set->out + RCITY_TERRAIN_OUT * item, host + RCITY_TERRAIN_OUT * item, DEVICE_DB,
                                  id, worst_db);
        }
    }
    print_message("%s: within %.2g dB\n", id, worst_db);
}

static void test_every_device_agrees_with_the_host(void **state)
{
    (void)state;
    ground_set *set = draw_set();
    double *host = calloc(ITEM_COUNT * RCITY_TERRAIN_OUT, sizeof *host);
    rcity_context *context = test_context(2);
    int checked = 0;
    assert_non_null(host);
    for (int i = -1; i < DEVICE_MAX; i++) {
        char id[32];
        snprintf(id, sizeof id, i < 0 ? "host" : "opencl:%d", i);
        rcity_device *device = NULL;
        if (rcity_device_open(context, id, &device) == RCITY_OK) {
            if (i < 0) {
                run(context, device, set, ITEM_COUNT);
                for (int k = 0; k < ITEM_COUNT * RCITY_TERRAIN_OUT; k++) {
                    host[k] = (double)set->out[k];
                }
            }
            check_device(context, device, id, set, host);
            rcity_device_close(&device);
            checked += i >= 0;
        }
    }
    print_message("%d OpenCL devices\n", checked);
    rcity_context_destroy(&context);
    free(host);
    free(set);
}

TEST_SUITE(terrain_parity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_precision_agrees_with_double),
        cmocka_unit_test(test_every_device_agrees_with_the_host),
    };
    return cmocka_run_group_tests_name("terrain parity", tests, NULL, NULL);
}
