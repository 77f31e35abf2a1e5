/* Levels that a search for sites reports, against predictions of the sites it found: on the host, for stations that were
   turned, on a device. */
#include "rcity_test.h"
#include "siting_stage.h"

/* What the search says of each point is what predictions of the sites say. */
static void check_points(stage *made, double tolerance_db)
{
    rcity_siting *found = NULL;
    rcity_device *host = NULL;
    int64_t count = rcity_demand_count(made->demand);
    double xyh_m[3 * POINTS];
    float best_dbm[POINTS];
    assert_ok(made->context, rcity_device_open(made->context, "host", &host));
    run(made, &found);
    for (int64_t i = 0; i < count; i++) {
        rcity_demand_point point;
        assert_true(rcity_demand_get_point(made->demand, i, &point) == RCITY_OK);
        xyh_m[3 * i] = point.x_m;
        xyh_m[3 * i + 1] = point.y_m;
        xyh_m[3 * i + 2] = point.height_m;
        best_dbm[i] = -HUGE_VALF;
    }
    rcity_request request = made->request;
    request.receivers.point_count = count;
    request.receivers.xyh_m = xyh_m;
    for (int k = 0; k < rcity_siting_count(found); k++) {
        float loss_db[POINTS];
        float received_dbm[POINTS];
        request.transmitter = rcity_siting_transmitters(found)[k];
        assert_ok(made->context,
                  rcity_predict_points(made->context, made->scene, host, &request, loss_db, received_dbm));
        for (int64_t i = 0; i < count; i++) {
            best_dbm[i] = fmaxf(best_dbm[i], received_dbm[i]);
        }
    }
    double covered = 0.0;
    for (int64_t i = 0; i < count; i++) {
        rcity_siting_point got;
        rcity_demand_point point;
        assert_true(rcity_siting_get_point(found, i, &got) == RCITY_OK);
        assert_true(rcity_demand_get_point(made->demand, i, &point) == RCITY_OK);
        assert_true(isfinite(best_dbm[i]) ? fabs((double)got.received_dbm - (double)best_dbm[i]) <= tolerance_db
                                          : isnan(got.received_dbm));
        assert_true(got.is_covered == (got.received_dbm >= (float)made->options.least_dbm));
        covered += got.is_covered ? point.weight : 0.0;
    }
    rcity_siting_info info;
    rcity_siting_describe(found, &info);
    assert_near(info.found.covered_weight, covered, 1e-9);
    rcity_siting_destroy(&found);
    rcity_device_close(&host);
}

static void test_predictions_confirm_what_points_get(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    stage made;
    open_stage(&made, context, RCITY_CITY_CORE);
    made.request.method = "shadow";
    made.options.least_dbm = -60.0;
    made.options.move_count = 100;
    made.options.place = RCITY_SITING_WALLS;
    add_demand(&made);
    check_points(&made, 0.0);
    close_stage(&made);
    rcity_context_destroy(&context);
}

/* Turned stations get their levels from losses and traces that are at hand. */
static void test_predictions_confirm_turned_stations(void **state)
{
    (void)state;
    static const char *const methods[] = {"free-space", "shadow"};
    rcity_context *context = test_context(2);
    rcity_antenna *antenna = NULL;
    assert_ok(context, rcity_antenna_create(context, "3gpp", &antenna));
    for (int i = 0; i < 2; i++) {
        static const double tilts_deg[] = {0.0, 6.0};
        stage made;
        open_stage(&made, context, RCITY_CITY_CORE);
        made.request.method = methods[i];
        made.options.station.antenna = antenna;
        made.options.azimuth_step_deg = 45.0;
        made.options.tilt_count = 2;
        made.options.tilt_deg = tilts_deg;
        made.options.least_dbm = -45.0;
        made.options.move_count = i == 0 ? 400 : 60;
        made.options.place = RCITY_SITING_STREETS;
        add_demand(&made);
        check_points(&made, 0.0);
        close_stage(&made);
    }
    rcity_antenna_destroy(&antenna);
    rcity_context_destroy(&context);
}

static void test_a_device_predicts_batches(void **state)
{
    (void)state;
    char id[32];
    if (!test_find_opencl(id)) {
        skip();
    }
    rcity_context *context = test_context(2);
    stage made;
    open_stage(&made, context, RCITY_CITY_CORE);
    rcity_device_close(&made.device);
    assert_ok(context, rcity_device_open(context, id, &made.device));
    made.request.method = "shadow";
    made.options.least_dbm = -60.0;
    made.options.move_count = 24;
    made.options.batch_count = 8;
    add_demand(&made);
    check_points(&made, 0.05);
    close_stage(&made);
    rcity_context_destroy(&context);
}

TEST_SUITE(siting_points)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predictions_confirm_what_points_get),
        cmocka_unit_test(test_predictions_confirm_turned_stations),
        cmocka_unit_test(test_a_device_predicts_batches),
    };
    return cmocka_run_group_tests_name("siting_points", tests, NULL, NULL);
}
