/* Work of `tiles` that does not come to its end: memory that fails at any place, and a user who has enough. Nothing is
   written then, and nothing is left. */
#include "tiles_trial.h"

static rcity_scene *make_corner(rcity_context *context)
{
    const test_box boxes[] = {{0, 0, 30, 20, 15}, {45, 5, 70, 35, 20}};
    return test_scene(context, boxes, 2);
}

static ask ask_corner(void)
{
    ask a = ask_make("tiles", 38.0, -6.0, 6.0, 2e9);
    ask_orders(&a, "2", "1", "1");
    ask_set(&a, "scattering", "directive");
    ask_set(&a, "over-roofs", "on");
    ask_set(&a, "ground-margin-m", "10");
    a.has_surroundings = true;
    a.tx.power_dbm = 30.0;
    return a;
}

static const double points[] = {37.0, 30.0, 1.5, 60.0, -8.0, 1.5, 10.0, 10.0, 1.5};

typedef rcity_status (*work_function)(rcity_context *context, const rcity_scene *scene, rcity_device *device);

static rcity_status predict_points(rcity_context *context, const rcity_scene *scene, rcity_device *device)
{
    float loss_db[3] = {-7.0f, -7.0f, -7.0f};
    float received_dbm[3] = {-7.0f, -7.0f, -7.0f};
    ask a = ask_corner();
    ask levels = ask_levels(&a);
    rcity_request request = ask_request(&levels, 3, points);
    rcity_status status = rcity_predict_points(context, scene, device, &request, loss_db, received_dbm);
    for (int i = 0; i < 3; i++) {
        assert_true((status == RCITY_OK) == (loss_db[i] != -7.0f));
        assert_true((status == RCITY_OK) == (received_dbm[i] != -7.0f));
    }
    return status;
}

static rcity_status predict_raster(rcity_context *context, const rcity_scene *scene, rcity_device *device)
{
    rcity_map *map = NULL;
    ask a = ask_corner();
    ask levels = ask_levels(&a);
    rcity_request request = ask_request(&levels, 0, NULL);
    request.receivers.cell_m = 15.0;
    rcity_status status = rcity_predict(context, scene, device, &request, &map);
    assert_true((status == RCITY_OK) == (map != NULL));
    rcity_map_destroy(&map);
    return status;
}

static rcity_status find_rays(rcity_context *context, const rcity_scene *scene, rcity_device *device)
{
    rcity_rays *rays = NULL;
    ask a = ask_corner();
    rcity_request request = ask_request(&a, 3, points);
    rcity_status status = rcity_rays_find(context, scene, device, &request, &rays);
    assert_true((status == RCITY_OK) == (rays != NULL));
    rcity_rays_destroy(&rays);
    return status;
}

static const struct {
    const char *name;
    work_function run;
} works[] = {{"points", predict_points}, {"raster", predict_raster}, {"rays", find_rays}};

enum { WORKS = (int)(sizeof works / sizeof works[0]) };

/* The n-th allocation fails, for every n until the work succeeds. */
static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    for (int k = 0; k < WORKS; k++) {
        failing_allocator failing = {0, 0, 0};
        rcity_context *context = test_context_failing(&failing, 2);
        rcity_scene *scene = make_corner(context);
        rcity_device *device = NULL;
        assert_ok(context, rcity_device_open(context, "host", &device));
        long live = failing.live_count;
        uint64_t used = rcity_context_memory_used(context);
        rcity_status status = RCITY_ERR_MEMORY;
        long n = 0;
        while (status != RCITY_OK) {
            failing.call_count = 0;
            failing.fail_at = ++n;
            status = works[k].run(context, scene, device);
            if (status != RCITY_OK) {
                assert_status(context, status, RCITY_ERR_MEMORY);
            }
            assert_int_equal(failing.live_count, live);
            assert_int_equal(rcity_context_memory_used(context), used);
        }
        print_message("%s: %ld allocations, each failed once\n", works[k].name, n - 1);
        assert_true(n > 40);
        failing.fail_at = 0;
        test_close(&context, &scene, &device);
    }
}

/* Says no after so many reports. */
typedef struct patience {
    long report_count, most;
    char tasks[8][64]; /* that were reported */
    int task_count;
} patience;

static bool hear(void *user, const char *task, double done, double total)
{
    patience *p = user;
    assert_true(done >= 0.0 && done <= total);
    if (p->task_count == 0 || strcmp(p->tasks[p->task_count - 1], task) != 0) {
        snprintf(p->tasks[p->task_count], sizeof p->tasks[0], "%s", task);
        p->task_count = p->task_count < 7 ? p->task_count + 1 : 7;
    }
    return ++p->report_count <= p->most;
}

/* Stopped at any report: the status says so. */
static void test_every_report_may_stop_the_work(void **state)
{
    (void)state;
    for (int k = 0; k < WORKS; k++) {
        patience p;
        rcity_context *context = NULL;
        rcity_device *device = NULL;
        rcity_context_options options = rcity_context_options_default();
        options.thread_count = 2;
        options.progress = hear;
        options.progress_user = &p;
        memset(&p, 0, sizeof p);
        p.most = 1000000;
        assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
        rcity_scene *scene = make_corner(context);
        assert_ok(context, rcity_device_open(context, "host", &device));
        uint64_t used = rcity_context_memory_used(context);
        memset(p.tasks, 0, sizeof p.tasks);
        p.task_count = 0;
        p.report_count = 0;
        assert_ok(context, works[k].run(context, scene, device));
        long reports = p.report_count;
        bool bounces = false, scatters = false;
        for (int i = 0; i < p.task_count; i++) {
            bounces = bounces || strcmp(p.tasks[i], "bouncing rays") == 0;
            scatters = scatters || strcmp(p.tasks[i], "scattering") == 0;
        }
        assert_true(bounces && scatters);
        for (long n = 0; n < reports; n++) {
            p.report_count = 0;
            p.most = n;
            assert_status(context, works[k].run(context, scene, device), RCITY_ERR_CANCELLED);
            assert_int_equal(rcity_context_memory_used(context), used);
        }
        print_message("%s: %ld reports, each stopped the work once\n", works[k].name, reports);
        p.most = 1000000;
        test_close(&context, &scene, &device);
    }
}

/* Options out of range are refused before any work, by name, value and limit. */
static void test_bad_options_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *words;
    } bad[] = {{"max-bounces", "7", "max-bounces"},
               {"max-bounces", "1.5", "`max-bounces` is 1.5, must be a whole number"},
               {"max-diffractions", "3", "max-diffractions"},
               {"loss-limit-db", "20", "loss-limit-db"},
               {"scattering", "some", "lambertian"},
               {"scattering-coefficient", "1.2", "scattering-coefficient"},
               {"scattering-exponent", "2.5", "whole number"},
               {"tile-area-m2", "0.5", "tile-area-m2"},
               {"wall-tile-area-m2", "none", "wall-tile-area-m2"},
               {"tile-range-m", "0.5", "must be 0 (no limit) or at least"},
               {"tile-size", "5", "tile-size"}};
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_corner(context);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ask a = ask_corner();
        rcity_rays *rays = NULL;
        ask_set(&a, bad[i].name, bad[i].value);
        rcity_request request = ask_request(&a, 3, points);
        assert_status(context, rcity_rays_find(context, scene, NULL, &request, &rays), RCITY_ERR_ARGUMENT);
        assert_message(context, bad[i].words);
        assert_null(rays);
    }
    test_close(&context, &scene, NULL);
}

TEST_SUITE(tiles_failure)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_every_report_may_stop_the_work),
        cmocka_unit_test(test_bad_options_are_refused_by_name),
    };
    return cmocka_run_group_tests_name("tiles_failure", tests, NULL, NULL);
}
