/* The search for sites in scenes: the same answer on any number of threads and after a stop, places that are allowed,
   and demand that makes no sense. */
#include <unistd.h>

#include "rcity_test.h"
#include "siting_stage.h"

static void assert_same(const rcity_siting *a, const rcity_siting *b)
{
    assert_int_equal(rcity_siting_count(a), rcity_siting_count(b));
    for (int i = 0; i < rcity_siting_count(a); i++) {
        const rcity_transmitter *left = &rcity_siting_transmitters(a)[i];
        const rcity_transmitter *right = &rcity_siting_transmitters(b)[i];
        assert_true(left->x_m == right->x_m && left->y_m == right->y_m && left->height_m == right->height_m &&
                    left->azimuth_deg == right->azimuth_deg && left->power_dbm == right->power_dbm);
    }
    assert_int_equal(rcity_siting_step_count(a), rcity_siting_step_count(b));
    assert_memory_equal(rcity_siting_steps(a), rcity_siting_steps(b),
                        (size_t)rcity_siting_step_count(a) * sizeof(rcity_siting_step));
}

/* Everything at once: SINR, directions, powers, a number of sites that is free. */
static void make_hard(stage *made)
{
    static const double powers_db[] = {-6.0, 0.0};
    static const double heights_m[] = {6.0, 12.0};
    made->options.power_count = 2;
    made->options.power_db = powers_db;
    made->options.height_count = 2;
    made->options.height_m = heights_m;
    made->options.azimuth_step_deg = 30.0;
    made->options.bandwidth_hz = 10e6;
    made->options.least_sinr_db = 0.0;
    made->options.station_count_least = 2;
    made->options.station_cost = 3.0;
    made->options.spacing_m = 40.0;
    made->options.soft_db = 3.0;
    made->options.baseline_m = 60.0;
    made->options.place = RCITY_SITING_STREETS;
}

static void test_any_number_of_threads_finds_the_same_sites(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        rcity_siting *found[2] = {NULL, NULL};
        rcity_context *contexts[2];
        for (int i = 0; i < 2; i++) {
            stage made;
            rcity_antenna *antenna = NULL;
            contexts[i] = test_context(i == 0 ? 1 : 3);
            open_stage(&made, contexts[i], kind == 0 ? RCITY_CITY_CORE : RCITY_CITY_HILLS);
            made.request.method = kind == 0 ? "shadow" : "terrain";
            made.options.least_dbm = -70.0;
            add_demand(&made);
            make_hard(&made);
            made.options.move_count = 40;
            made.options.baseline_m = kind == 0 ? 100.0 : 800.0;
            assert_ok(contexts[i], rcity_antenna_create(contexts[i], "3gpp", &antenna));
            made.options.station.antenna = antenna;
            run(&made, &found[i]);
            close_stage(&made);
            rcity_antenna_destroy(&antenna);
        }
        assert_same(found[0], found[1]);
        for (int i = 0; i < 2; i++) {
            rcity_siting_destroy(&found[i]);
            rcity_context_destroy(&contexts[i]);
        }
    }
}

/* Stops a search at its n-th progress. */
typedef struct stopper {
    int left;
} stopper;

static bool stop_there(void *user, const char *task, double done, double total)
{
    stopper *stop = user;
    (void)done;
    (void)total;
    bool is_search = strcmp(task, "siting") == 0;
    return !is_search || stop->left-- > 0;
}

static void test_a_stopped_search_goes_on_to_the_same_sites(void **state)
{
    (void)state;
    const char *path = "test_siting.checkpoint";
    stopper stop = {1 << 30};
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = 2;
    options.progress = stop_there;
    options.progress_user = &stop;
    rcity_context *context = NULL;
    assert_true(rcity_context_create(&options, &context) == RCITY_OK);
    stage made;
    open_stage(&made, context, RCITY_CITY_CORE);
    add_demand(&made);
    for (int kind = 0; kind < 2; kind++) {
        rcity_siting *whole = NULL;
        if (kind == 1) {
            make_hard(&made);
        }
        made.options.checkpoint_path = NULL;
        made.options.resumes = false;
        stop.left = 1 << 30;
        run(&made, &whole);
        made.options.checkpoint_path = path;
        for (int batches = 0; batches < 20; batches += 9) {
            rcity_siting *part = NULL;
            rcity_siting *rest = NULL;
            rcity_siting_info info;
            made.options.resumes = false;
            stop.left = batches;
            run(&made, &part);
            rcity_siting_describe(part, &info);
            assert_false(info.is_complete && batches < 18);
            assert_true(info.is_complete || info.move_count == 16 * batches);
            made.options.resumes = true;
            stop.left = 1 << 30;
            run(&made, &rest);
            rcity_siting_describe(rest, &info);
            assert_true(info.is_complete);
            assert_same(whole, rest);
            rcity_siting_destroy(&part);
            rcity_siting_destroy(&rest);
        }
        rcity_siting_destroy(&whole);
    }
    made.options.seed = 2;
    rcity_siting *other = NULL;
    assert_status(context,
                  rcity_siting_run(context, made.scene, made.device, &made.request, made.demand, &made.options, &other),
                  RCITY_ERR_STATE);
    assert_message(context, "another task");
    unlink(path);
    close_stage(&made);
    rcity_context_destroy(&context);
}

static void test_stations_stand_where_they_may(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    stage made;
    rcity_scene_info info;
    open_stage(&made, context, RCITY_CITY_CORE);
    add_demand(&made);
    assert_ok(context, rcity_scene_describe(made.scene, &info));
    double west_m = info.x_min_m;
    double middle_m = 0.5 * (info.x_min_m + info.x_max_m);
    const double corners[] = {west_m - 1, info.y_min_m - 1, middle_m,   info.y_min_m - 1,
                              middle_m,   info.y_max_m + 1, west_m - 1, info.y_max_m + 1};
    const int corner_count = 4;
    made.options.forbidden_count = 1;
    made.options.forbidden_point_count = &corner_count;
    made.options.forbidden_xy_m = corners;
    made.options.spacing_m = 60.0;
    for (int place = RCITY_SITING_ANYWHERE; place < RCITY_SITING_CANDIDATES; place++) {
        rcity_siting *found = NULL;
        made.options.place = (rcity_siting_place)place;
        made.options.station.height_m = place == RCITY_SITING_ANYWHERE ? 60.0 : 3.0;
        run(&made, &found);
        for (int i = 0; i < rcity_siting_count(found); i++) {
            const rcity_transmitter *tx = &rcity_siting_transmitters(found)[i];
            rcity_cover cover;
            rcity_point at;
            assert_ok(context, rcity_scene_get_cover(context, made.scene, tx->x_m, tx->y_m, &cover));
            assert_ok(context, rcity_transmitter_locate(context, made.scene, tx, &at));
            assert_true(tx->x_m >= middle_m);
            assert_true(place == RCITY_SITING_ANYWHERE || cover.is_covered == (place == RCITY_SITING_ROOFS));
            assert_true(!cover.is_covered || at.z_m > cover.roof_m);
            for (int k = 0; k < i; k++) {
                const rcity_transmitter *other = &rcity_siting_transmitters(found)[k];
                assert_true(hypot(tx->x_m - other->x_m, tx->y_m - other->y_m) >= 60.0);
            }
        }
        rcity_siting_destroy(&found);
    }
    close_stage(&made);
    rcity_context_destroy(&context);
}

static void expect_refused(stage *made, const char *words)
{
    rcity_siting *found = NULL;
    assert_status(made->context,
                  rcity_siting_run(made->context, made->scene, made->device, &made->request, made->demand,
                                   &made->options, &found),
                  RCITY_ERR_ARGUMENT);
    assert_message(made->context, words);
    assert_null(found);
}

static void test_senseless_demand_is_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    stage made;
    rcity_demand *none = NULL;
    rcity_demand_point points[2] = {rcity_demand_point_default(), rcity_demand_point_default()};
    open_stage(&made, context, RCITY_CITY_CORE);
    assert_status(context, rcity_demand_create(context, 0, points, &none), RCITY_ERR_ARGUMENT);
    assert_message(context, "has 0 points");
    points[0].weight = points[1].weight = 0.0;
    assert_status(context, rcity_demand_create(context, 2, points, &none), RCITY_ERR_ARGUMENT);
    assert_message(context, "weighs 0 in all");
    points[1].weight = -1.0;
    assert_status(context, rcity_demand_create(context, 2, points, &none), RCITY_ERR_ARGUMENT);
    assert_message(context, "point 2 of the demand weighs -1");
    points[1].weight = 1.0;
    points[0].x_m = points[1].x_m = 1e6;
    assert_ok(context, rcity_demand_create(context, 2, points, &made.demand));
    expect_refused(&made, "all 2 points of the demand lie outside the scene");
    rcity_demand_destroy(&made.demand);
    add_demand(&made);
    made.options.server_count = 4;
    expect_refused(&made, "asks for 4 servers at a point, but there are 3 sites");
    made.options.server_count = 1;
    made.options.spacing_m = 500.0;
    expect_refused(&made, "room for 1 of 3 stations");
    made.options.spacing_m = 0.0;
    const double candidates[] = {10.0, 10.0, NAN, 1e6, 0.0, 5.0};
    made.options.place = RCITY_SITING_CANDIDATES;
    made.options.candidate_count = 2;
    made.options.candidate_xyh_m = candidates;
    expect_refused(&made, "fewer than the 3 stations");
    made.options.candidate_count = 0;
    expect_refused(&made, "there are no candidates");
    made.options.place = RCITY_SITING_ANYWHERE;
    made.options.station.power_dbm = NAN;
    expect_refused(&made, "power of the stations is unknown");
    made.options.station.power_dbm = 30.0;
    made.options.least_sinr_db = 3.0;
    expect_refused(&made, "`bandwidth-mhz`");
    close_stage(&made);
    rcity_context_destroy(&context);
}

static void test_demand_of_buildings_is_their_floor_area(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    rcity_demand *demand = NULL;
    rcity_demand_point point;
    const double corners[] = {0,   0,  20,  0,  20, 10, 0,  10, 100, 0,   110, 0,
                              110, 10, 100, 10, 50, 90, 60, 90, 60,  100, 50,  100};
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    for (int i = 0; i < 3; i++) {
        rcity_building building = rcity_building_default();
        int ring = 4;
        building.id = i;
        building.ring_count = 1;
        building.ring_point_count = &ring;
        building.xy_m = corners + 8 * i;
        building.height_m = i == 0 ? 9.5 : 2.0;
        assert_ok(context, rcity_scene_add_building(scene, &building));
    }
    assert_ok(context, rcity_scene_commit(scene));
    assert_ok(context, rcity_demand_create_from_buildings(context, scene, 0.0, 1.5, &demand));
    assert_int_equal(rcity_demand_count(demand), 3);
    assert_ok(context, rcity_demand_get_point(demand, 0, &point));
    assert_near(point.weight, 600.0, 1e-6); /* 20 m x 10 m, three floors */
    assert_near(point.x_m, 10.0, 0.01);
    assert_near(point.y_m, 12.0, 0.01); /* the wall in the south looks out of the scene */
    assert_ok(context, rcity_demand_get_point(demand, 1, &point));
    assert_near(point.weight, 100.0, 1e-6);
    rcity_demand_destroy(&demand);
    assert_ok(context, rcity_demand_create_from_buildings(context, scene, 1000.0, 1.5, &demand));
    double weight = 0.0;
    for (int64_t i = 0; i < rcity_demand_count(demand); i++) {
        assert_ok(context, rcity_demand_get_point(demand, i, &point));
        weight += point.weight;
    }
    assert_near(weight, 800.0, 1e-6);
    rcity_demand_destroy(&demand);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A whole search with all that it may be asked for; nothing stays behind on failure. */
static rcity_status search_once(rcity_context *context)
{
    static const double corners[] = {10, 10, 30, 10, 30, 30, 10, 30};
    rcity_scene_options scene_options = rcity_scene_options_default();
    rcity_building building = rcity_building_default();
    rcity_demand_point points[4];
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    rcity_demand *demand = NULL;
    rcity_siting *found = NULL;
    int ring = 4;
    building.ring_count = 1;
    building.ring_point_count = &ring;
    building.xy_m = corners;
    building.height_m = 10.0;
    for (int i = 0; i < 4; i++) {
        points[i] = rcity_demand_point_default();
        points[i].x_m = 12.0 + 5.0 * i;
        points[i].y_m = 10.0;
    }
    rcity_request request = rcity_request_default();
    request.method = "free-space";
    rcity_siting_options options = rcity_siting_options_default();
    options.station.frequency_hz = 1e9;
    options.station.power_dbm = 0.0;
    options.station.height_m = 20.0;
    options.existing = &options.station;
    options.existing_count = 1;
    options.station_count = 2;
    options.move_count = 6;
    options.batch_count = 3;
    options.baseline_m = 10.0;
    options.bandwidth_hz = 1e6;
    rcity_status status = rcity_scene_create(context, &scene_options, &scene);
    status = status == RCITY_OK ? rcity_scene_add_building(scene, &building) : status;
    status = status == RCITY_OK ? rcity_scene_commit(scene) : status;
    options.station.x_m = options.station.y_m = 20.0;
    status = status == RCITY_OK ? rcity_device_open(context, "host", &device) : status;
    status = status == RCITY_OK ? rcity_demand_create(context, 4, points, &demand) : status;
    if (status == RCITY_OK) {
        status = rcity_siting_run(context, scene, device, &request, demand, &options, &found);
    }
    assert_true((status == RCITY_OK) == (found != NULL));
    rcity_siting_destroy(&found);
    rcity_demand_destroy(&demand);
    rcity_device_close(&device);
    rcity_scene_destroy(&scene);
    return status;
}

static void test_memory_that_runs_out_anywhere_is_given_back(void **state)
{
    (void)state;
    long n = 1;
    for (;; n += 1 + n / 40) {
        failing_allocator failing = {.fail_at = n};
        rcity_context *context = test_context_failing(&failing, 2);
        rcity_status status = context != NULL ? search_once(context) : RCITY_ERR_MEMORY;
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
        if (status == RCITY_OK) {
            break;
        }
    }
    assert_true(n > 100);
}

TEST_SUITE(siting)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number_of_threads_finds_the_same_sites),
        cmocka_unit_test(test_a_stopped_search_goes_on_to_the_same_sites),
        cmocka_unit_test(test_stations_stand_where_they_may),
        cmocka_unit_test(test_senseless_demand_is_refused),
        cmocka_unit_test(test_demand_of_buildings_is_their_floor_area),
        cmocka_unit_test(test_memory_that_runs_out_anywhere_is_given_back),
    };
    return cmocka_run_group_tests_name("siting", tests, NULL, NULL);
}
