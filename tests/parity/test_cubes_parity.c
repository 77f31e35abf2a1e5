/* Rays through cubes on every device: the paths of the host, in launches of any size, and the same bits each time. */
#include "rcity_test.h"

#include "device/device.h"
#include "method/cubes/cubes.h"
#include "method/cubes/cubes_device.h"

#define DEVICE_MAX  32
#define OPTION_MAX  8
#define POINT_COUNT 400
#define SIDE_M      300.0
#define DIFFER_MAX  0.002 /* of the paths: ties that rounding decides */

/* A trace: its options, its receivers. */
typedef struct trial {
    const char *name;
    const char *option[OPTION_MAX], *value[OPTION_MAX];
    int option_count;
    bool is_raster, is_hilly;
    double x_m, y_m, height_m; /* of the transmitter */
} trial;

static const trial trials[] = {
    {"street", {"cube-edge-m"}, {"5"}, 1, true, false, 100.0, 148.0, 10.0},
    {"roof", {"cube-edge-m"}, {"4"}, 1, true, false, 60.0, 60.0, 32.0},
    {"points", {"cube-edge-m", "max-reflections"}, {"3", "4"}, 2, false, false, 100.0, 148.0, 6.0},
    {"two corners",
     {"max-vertical", "max-horizontal", "max-reflections"},
     {"2", "2", "1"},
     3,
     true,
     false,
     148.0,
     99.0,
     8.0},
    {"no edges", {"max-vertical"}, {"0"}, 1, true, false, 100.0, 148.0, 10.0},
    {"straight",
     {"max-vertical", "max-horizontal", "max-reflections"},
     {"0", "0", "0"},
     3,
     true,
     false,
     100.0,
     148.0,
     10.0},
    {"hills", {"cube-edge-m"}, {"5"}, 1, true, true, 100.0, 148.0, 10.0},
};

#define TRIAL_COUNT ((int)(sizeof trials / sizeof trials[0]))

/* Streets of 20 m between blocks of 30 m, some left out. */
static rcity_scene *make_city(rcity_context *context, bool is_hilly)
{
    static float height_m[41 * 41];
    rcity_scene *scene = NULL;
    rcity_scene_options options = rcity_scene_options_default();
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    if (is_hilly) {
        for (int i = 0; i < 41 * 41; i++) {
            height_m[i] = (float)(5.0 * sin(0.3 * (i % 41)) + 0.3 * (i / 41));
        }
        rcity_terrain terrain = {41, 41, -50, -50, 10, height_m};
        assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    }
    for (int i = 0; i < 36; i++) {
        double x_m = 50.0 * (i % 6);
        double y_m = 50.0 * (i / 6);
        test_box box = {x_m + 10.3, y_m + 9.7, x_m + 40.1, y_m + 39.2, test_uniform(7, (uint64_t)i, 8.0, 30.0)};
        if (i % 7 != 3) {
            test_add_box(context, scene, i + 1, box);
        }
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

/* A trace, and what it was made with. */
typedef struct outcome {
    rcity_job job;
    rcity_receivers receivers;
    double xyh_m[3 * POINT_COUNT], receiver_height_m;
    rcity_device *device;
    void *prepared, *workspace, *trace;
    float *roof_m;
    bool was_on_device;
} outcome;

static void prepare_trial(rcity_context *context, const rcity_scene *scene, const trial *asked, const char *id,
                          outcome *made)
{
    memset(made, 0, sizeof *made);
    made->receiver_height_m = 1.5;
    made->receivers = rcity_receivers_default();
    made->receivers.height_m = &made->receiver_height_m;
    made->receivers.cell_m = 5.0;
    for (uint64_t i = 0; i < POINT_COUNT; i++) {
        made->xyh_m[3 * i] = test_uniform(5, 3 * i, 1.0, SIDE_M - 1.0);
        made->xyh_m[3 * i + 1] = test_uniform(5, 3 * i + 1, 1.0, SIDE_M - 1.0);
        made->xyh_m[3 * i + 2] = test_uniform(5, 3 * i + 2, 1.0, 25.0);
    }
    made->receivers.point_count = asked->is_raster ? 0 : POINT_COUNT;
    made->receivers.xyh_m = asked->is_raster ? NULL : made->xyh_m;
    rcity_job *job = &made->job;
    assert_ok(context, rcity_device_open(context, id, &made->device));
    job->context = context;
    job->scene = scene;
    job->shapes = rcity_scene_shapes(scene);
    job->device = made->device;
    job->method = &rcity_cubes_method;
    job->receivers = &made->receivers;
    if (asked->is_raster) {
        assert_ok(context, rcity_receivers_get_raster(context, scene, &made->receivers, &job->raster));
    }
    assert_ok(context, rcity_method_read_options(job, asked->option_count, asked->option, asked->value));
    made->roof_m = calloc((size_t)(job->raster.column_count * job->raster.row_count) + 1, sizeof *made->roof_m);
    assert_non_null(made->roof_m);
    job->roof_m = made->roof_m;
    assert_ok(context, rcity_cubes_prepare(job, &made->prepared));
}

static rcity_tx make_tx(rcity_context *context, const rcity_scene *scene, const trial *asked)
{
    rcity_tx tx;
    memset(&tx, 0, sizeof tx);
    tx.stated = rcity_transmitter_default();
    tx.stated.x_m = asked->x_m;
    tx.stated.y_m = asked->y_m;
    tx.stated.height_m = asked->height_m;
    tx.stated.frequency_hz = 2e9;
    assert_ok(context, rcity_transmitter_locate(context, scene, &tx.stated, &tx.position));
    return tx;
}

static void run_trial(rcity_context *context, const rcity_scene *scene, const trial *asked, const char *id,
                      outcome *made)
{
    rcity_tx tx = make_tx(context, scene, asked);
    prepare_trial(context, scene, asked, id, made);
    assert_ok(context, rcity_cubes_open_workspace(&made->job, made->prepared, &made->workspace));
    made->was_on_device = rcity_cubes_device_traces(made->workspace);
    assert_ok(context, rcity_cubes_trace(&made->job, made->prepared, made->workspace, 1, &tx, &made->trace));
}

static void end_trial(rcity_context *context, outcome *made)
{
    rcity_cubes_release_trace(context, made->trace);
    rcity_cubes_close_workspace(context, made->workspace);
    rcity_cubes_release_prepared(context, made->prepared);
    rcity_device_close(&made->device);
    free(made->roof_m);
}

static bool is_near(float a, float b, float share)
{
    return fabsf(a - b) <= share * fmaxf(1.0f, fmaxf(fabsf(a), fabsf(b)));
}

/* The same path, but for rounding. */
static bool is_same(const rcity_cube_path *a, const rcity_cube_path *b)
{
    const float share = 1e-3f;
    return a->reflections == b->reflections && a->corners == b->corners && a->roofs == b->roofs &&
           is_near(a->length_m, b->length_m, share) && is_near(a->reflect_sum, b->reflect_sum, share) &&
           is_near(a->departure_x, b->departure_x, share) && is_near(a->departure_y, b->departure_y, share) &&
           is_near(a->corner_angle, b->corner_angle, share) && is_near(a->roof_angle, b->roof_angle, share);
}

/* How many paths of a trace the other lacks, or has otherwise. */
static int64_t count_different(const rcity_cubes_traced *a, const rcity_cubes_traced *b)
{
    int64_t count = 0;
    for (int64_t i = 0; i < a->prepared->receivers.open_count; i++) {
        for (int64_t k = a->path_first[i]; k < a->path_first[i + 1]; k++) {
            bool is_found = false;
            for (int64_t m = b->path_first[i]; m < b->path_first[i + 1]; m++) {
                is_found = is_found || (a->path_class[k] == b->path_class[m] && is_same(&a->paths[k], &b->paths[m]));
            }
            count += !is_found;
        }
    }
    return count;
}

static int list_devices(rcity_context *context, rcity_device_info infos[DEVICE_MAX])
{
    int count = 0;
    int usable = 0;
    assert_ok(context, rcity_device_list(context, DEVICE_MAX, infos, &count));
    for (int i = 1; i < count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            infos[usable++] = infos[i];
        }
    }
    if (usable == 0) {
        print_message("SKIPPED: no OpenCL device here\n");
    }
    return usable;
}

static void test_devices_find_the_paths_of_the_host(void **state)
{
    (void)state;
    static rcity_device_info infos[DEVICE_MAX];
    static outcome expected, actual;
    rcity_context *context = test_context(2);
    int device_count = list_devices(context, infos);
    for (int t = 0; t < TRIAL_COUNT && device_count > 0; t++) {
        rcity_scene *scene = make_city(context, trials[t].is_hilly);
        run_trial(context, scene, &trials[t], "host", &expected);
        assert_false(expected.was_on_device);
        const rcity_cubes_traced *host = expected.trace;
        int64_t total = host->path_first[host->prepared->receivers.open_count];
        assert_true(total > 100);
        for (int d = 0; d < device_count; d++) {
            run_trial(context, scene, &trials[t], infos[d].id, &actual);
            assert_true(actual.was_on_device);
            const rcity_cubes_traced *other = actual.trace;
            int64_t lacking = count_different(host, other);
            int64_t added = count_different(other, host);
            print_message("%s on %s: %lld paths, %lld differ, %lld more; %lld and %lld sources\n", trials[t].name,
                          infos[d].id, (long long)total, (long long)lacking, (long long)added,
                          (long long)host->source_count, (long long)other->source_count);
            assert_true((double)lacking <= DIFFER_MAX * (double)total + 1.0);
            assert_true((double)added <= DIFFER_MAX * (double)total + 1.0);
            assert_true(fabs((double)(host->source_count - other->source_count)) <=
                        DIFFER_MAX * (double)host->source_count + 1.0);
            end_trial(context, &actual);
        }
        end_trial(context, &expected);
        rcity_scene_destroy(&scene);
    }
    rcity_context_destroy(&context);
}

/* Twice in one workspace, with another transmitter between. */
static void test_traces_repeat(void **state)
{
    (void)state;
    static rcity_device_info infos[DEVICE_MAX];
    static outcome made;
    rcity_context *context = test_context(2);
    int device_count = list_devices(context, infos);
    rcity_scene *scene = make_city(context, false);
    rcity_tx between = make_tx(context, scene, &trials[3]);
    rcity_tx tx = make_tx(context, scene, &trials[0]);
    for (int d = 0; d < device_count; d++) {
        void *again = NULL;
        void *other = NULL;
        run_trial(context, scene, &trials[0], infos[d].id, &made);
        assert_ok(context, rcity_cubes_trace(&made.job, made.prepared, made.workspace, 1, &between, &other));
        assert_ok(context, rcity_cubes_trace(&made.job, made.prepared, made.workspace, 1, &tx, &again));
        const rcity_cubes_traced *a = made.trace;
        const rcity_cubes_traced *b = again;
        size_t receivers = (size_t)a->prepared->receivers.open_count;
        size_t count = (size_t)a->path_first[receivers];
        assert_memory_equal(a->path_first, b->path_first, (receivers + 1) * sizeof *a->path_first);
        assert_memory_equal(a->paths, b->paths, count * sizeof *a->paths);
        assert_memory_equal(a->path_class, b->path_class, count);
        assert_true(count_different(a, other) > 0);
        rcity_cubes_release_trace(context, other);
        rcity_cubes_release_trace(context, again);
        end_trial(context, &made);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A device without room leaves the work to the host, which finds all. */
static void test_small_devices_leave_it_to_the_host(void **state)
{
    (void)state;
    static rcity_device_info infos[DEVICE_MAX];
    static outcome expected, actual;
    rcity_context *context = test_context(2);
    int device_count = list_devices(context, infos);
    rcity_scene *scene = make_city(context, false);
    rcity_tx tx = make_tx(context, scene, &trials[0]);
    run_trial(context, scene, &trials[0], "host", &expected);
    const rcity_cubes_traced *host = expected.trace;
    for (int d = 0; d < device_count; d++) {
        static const uint64_t limits[] = {1000, 100000}; /* none for the scene; none for the paths */
        for (int k = 0; k < 2; k++) {
            prepare_trial(context, scene, &trials[0], infos[d].id, &actual);
            rcity_device_limit_buffer(actual.device, limits[k]);
            assert_ok(context, rcity_cubes_open_workspace(&actual.job, actual.prepared, &actual.workspace));
            assert_int_equal(rcity_cubes_device_traces(actual.workspace), k == 1);
            assert_ok(context,
                      rcity_cubes_trace(&actual.job, actual.prepared, actual.workspace, 1, &tx, &actual.trace));
            assert_int_equal(count_different(host, actual.trace), 0);
            end_trial(context, &actual);
        }
    }
    end_trial(context, &expected);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Says no after so many reports of rays. */
typedef struct patience {
    long report_count, most;
} patience;

static bool hear(void *user, const char *task, double done, double total)
{
    patience *p = user;
    assert_true(done >= 0.0 && done <= total);
    return strcmp(task, "rays") != 0 || ++p->report_count <= p->most;
}

/* Cancelled between any two launches: nothing is left, and the device serves on. */
static void test_cancelled_traces_leave_nothing(void **state)
{
    (void)state;
    static rcity_device_info infos[DEVICE_MAX];
    static outcome made;
    patience p = {0, 1000000};
    rcity_context *context = NULL;
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = 2;
    options.progress = hear;
    options.progress_user = &p;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    int device_count = list_devices(context, infos);
    rcity_scene *scene = make_city(context, false);
    rcity_tx tx = make_tx(context, scene, &trials[0]);
    for (int d = 0; d < device_count; d++) {
        p = (patience){0, 1000000};
        run_trial(context, scene, &trials[0], infos[d].id, &made);
        long reports = p.report_count;
        assert_true(reports >= 4); /* two generations of two passes */
        uint64_t used = rcity_context_memory_used(context);
        for (long n = 0; n < 4; n++) {
            void *none = NULL;
            p = (patience){0, n};
            assert_status(context, rcity_cubes_trace(&made.job, made.prepared, made.workspace, 1, &tx, &none),
                          RCITY_ERR_CANCELLED);
            assert_null(none);
            assert_int_equal(rcity_context_memory_used(context), used);
        }
        void *again = NULL;
        p = (patience){0, 1000000};
        assert_ok(context, rcity_cubes_trace(&made.job, made.prepared, made.workspace, 1, &tx, &again));
        assert_int_equal(count_different(made.trace, again), 0);
        rcity_cubes_release_trace(context, again);
        end_trial(context, &made);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

TEST_SUITE(cubes_parity)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_devices_find_the_paths_of_the_host),
                                       cmocka_unit_test(test_traces_repeat),
                                       cmocka_unit_test(test_small_devices_leave_it_to_the_host),
                                       cmocka_unit_test(test_cancelled_traces_leave_nothing)};
    return cmocka_run_group_tests_name("cubes_parity", tests, NULL, NULL);
}
