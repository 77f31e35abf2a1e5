/* What options of `beams` ask of the scene: roofs and the mean of the surroundings are prepared where they are wanted, and
   made where they are wanted later. */
#include "beams_trial.h"

#include "method/beams/beams_trace.h"

#define OPTION_COUNT 3

static const char *const names[OPTION_COUNT] = {"max-reflections", "over-roofs", "surroundings"};
static const char *const with[OPTION_COUNT] = {"1", "on", "on"};
static const char *const without[OPTION_COUNT] = {"1", "off", "off"};
static const char *const roofs_alone[OPTION_COUNT] = {"1", "on", "off"};

static rcity_request ask(const char *const *values)
{
    rcity_request request = rcity_request_default();
    request.method = "beams";
    request.transmitter.x_m = 38.0;
    request.transmitter.y_m = -6.0;
    request.transmitter.height_m = 6.0;
    request.transmitter.frequency_hz = 2.1e9;
    request.option_count = OPTION_COUNT;
    request.option_name = names;
    request.option_value = values;
    return request;
}

static rcity_scene *make_scene(rcity_context *context)
{
    const test_box boxes[] = {{0, 0, 30, 20, 15}, {45, 5, 70, 35, 20}};
    return test_scene(context, boxes, 2);
}

/* The losses of a map, to be freed. */
static float *losses(rcity_context *context, rcity_predictor *predictor, size_t *count)
{
    rcity_map *map = NULL;
    rcity_band band;
    assert_ok(context, rcity_predictor_evaluate_raster(predictor, context, 0, &map));
    rcity_raster raster = rcity_map_raster(map);
    *count = (size_t)(raster.column_count * raster.row_count);
    assert_ok(context, rcity_map_get_band(map, 0, &band));
    float *made = calloc(*count, sizeof *made);
    assert_non_null(made);
    memcpy(made, band.value, *count * sizeof *made);
    rcity_map_destroy(&map);
    return made;
}

/* Opened with one choice and changed to another, a map is as if it had been opened with that, and nothing is traced again. */
static void change(const char *const *first, const char *const *second)
{
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_scene(context);
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    const char *const *choices[2] = {first, second};
    float *fresh[2];
    size_t count = 0;
    int index = 0;
    rcity_predictor *predictor = NULL;
    for (int i = 0; i < 2; i++) {
        rcity_request request = ask(choices[i]);
        assert_ok(context, rcity_predictor_open(context, scene, device, &request, &predictor));
        assert_ok(context, rcity_predictor_add_transmitter(predictor, context, &request.transmitter, &index));
        fresh[i] = losses(context, predictor, &count);
        rcity_predictor_close(&predictor);
    }
    assert_memory_not_equal(fresh[0], fresh[1], count * sizeof *fresh[0]);
    rcity_request request = ask(first);
    assert_ok(context, rcity_predictor_open(context, scene, device, &request, &predictor));
    assert_ok(context, rcity_predictor_add_transmitter(predictor, context, &request.transmitter, &index));
    for (int i = 0; i < 4; i++) {
        assert_ok(context, rcity_predictor_set_options(predictor, context, OPTION_COUNT, names, choices[i % 2], NULL));
        float *made = losses(context, predictor, &count);
        assert_memory_equal(made, fresh[i % 2], count * sizeof *made);
        free(made);
    }
    rcity_predictor_effort effort = rcity_predictor_get_effort(predictor);
    assert_int_equal(effort.prepare_count, 1);
    assert_int_equal(effort.trace_count, 1);
    rcity_predictor_close(&predictor);
    free(fresh[1]);
    free(fresh[0]);
    test_close(&context, &scene, &device);
}

static void test_changed_options(void **state)
{
    (void)state;
    change(without, with);
    change(with, without);
    change(without, roofs_alone);
    change(roofs_alone, with);
}

static void test_prepared_where_wanted(void **state)
{
    (void)state;
    static const char *const words[] = {"over-roofs", "surroundings", "sum", "law"};
    static const struct {
        const char *values[4];
        bool has_roofs;
    } cases[] = {
        {{"on", "on", "grouped", "fields"}, true},    {{"off", "on", "grouped", "fields"}, true},
        {{"on", "off", "grouped", "fields"}, true},   {{"off", "off", "grouped", "fields"}, false},
        {{"off", "on", "coherent", "fields"}, false}, {{"on", "on", "coherent", "fields"}, true},
        {{"on", "on", "grouped", "paper"}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        beams_trial t;
        double x_m;
        double y_m;
        beams_trial_open(&t, RCITY_CITY_CORE, 1);
        beams_trial_find_place(&t, 1, &x_m, &y_m);
        beams_trial_prepare(&t, "host", x_m, y_m, 10.0, words, cases[i].values, 4);
        const rcity_beams_prepared *prepared = t.prepared;
        assert_int_equal(prepared->around.roofs != NULL, cases[i].has_roofs);
        assert_int_equal(prepared->around.built_up != NULL, cases[i].has_roofs);
        assert_int_equal(prepared->around.receivers.open_count > 0, cases[i].has_roofs);
        beams_trial_finish(&t);
    }
}

/* Roofs that are wanted later are made whole or not at all, and go with what they were made for. */
static void test_memory_gives_out(void **state)
{
    (void)state;
    rcity_status status = RCITY_ERR_MEMORY;
    long n = 0;
    while (status != RCITY_OK) {
        failing_allocator failing = {.fail_at = 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_scene *scene = make_scene(context);
        rcity_device *device = NULL;
        rcity_predictor *predictor = NULL;
        rcity_map *map = NULL;
        int index = 0;
        rcity_request request = ask(without);
        assert_ok(context, rcity_device_open(context, "host", &device));
        assert_ok(context, rcity_predictor_open(context, scene, device, &request, &predictor));
        assert_ok(context, rcity_predictor_add_transmitter(predictor, context, &request.transmitter, &index));
        assert_ok(context, rcity_predictor_trace(predictor, context));
        assert_ok(context, rcity_predictor_set_options(predictor, context, OPTION_COUNT, names, with, NULL));
        failing.fail_at = failing.call_count + ++n;
        status = rcity_predictor_evaluate_raster(predictor, context, index, &map);
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_int_equal(status == RCITY_OK, map != NULL);
        failing.fail_at = 0;
        rcity_map_destroy(&map);
        rcity_predictor_close(&predictor);
        test_close(&context, &scene, &device);
        assert_int_equal(failing.live_count, 0);
        assert_true(n < 2000);
    }
    assert_true(n > 20);
}

TEST_SUITE(beams_options)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changed_options),
        cmocka_unit_test(test_prepared_where_wanted),
        cmocka_unit_test(test_memory_gives_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
