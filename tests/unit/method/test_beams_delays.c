/* Histograms of `beams` and the map that is made beside them, from the same paths, against the map alone. */
#include "delays_stage.h"

#define BIN_S        2e-8
#define OPTION_MAX   8
#define BOTH_HEIGHTS 2

typedef struct trial {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
} trial;

static const double heights_m[BOTH_HEIGHTS] = {1.5, 12.0};

static void open_city(trial *on)
{
    rcity_city_options options = rcity_city_options_default();
    options.kind = RCITY_CITY_CORE;
    options.area_km2 = 0.1;
    options.seed = 5;
    on->scene = NULL;
    on->device = NULL;
    assert_ok(on->context, rcity_city_make(on->context, &options, &on->scene));
    assert_ok(on->context, rcity_device_open(on->context, "host", &on->device));
}

/* `words`: names and values of options in turn, NULL after the last. */
static rcity_request ask(const char *const *words, const char **names, const char **values)
{
    rcity_request request = rcity_request_default();
    request.method = "beams";
    request.transmitter.x_m = 151.3;
    request.transmitter.y_m = 148.7;
    request.transmitter.height_m = 10.0;
    request.transmitter.frequency_hz = 9e10; /* outside the range of materials: a remark in the notes */
    request.transmitter.power_dbm = 30.0;
    request.receivers.cell_m = 9.7;
    request.receivers.height_count = BOTH_HEIGHTS;
    request.receivers.height_m = heights_m;
    request.option_name = names;
    request.option_value = values;
    for (; words[2 * request.option_count] != NULL; request.option_count++) {
        names[request.option_count] = words[2 * request.option_count];
        values[request.option_count] = words[2 * request.option_count + 1];
    }
    return request;
}

/* Both maps have the same bands and notes, bit by bit. */
static void compare_maps(rcity_context *context, const rcity_map *a, const rcity_map *b)
{
    rcity_raster raster = rcity_map_raster(a);
    size_t cell_count = (size_t)(raster.column_count * raster.row_count);
    assert_int_equal(rcity_map_band_count(a), rcity_map_band_count(b));
    for (int i = 0; i < rcity_map_band_count(a); i++) {
        rcity_band one, other;
        assert_ok(context, rcity_map_get_band(a, i, &one));
        assert_ok(context, rcity_map_get_band(b, i, &other));
        assert_string_equal(one.name, other.name);
        assert_true(one.rx_height_m == other.rx_height_m);
        assert_memory_equal(one.value, other.value, cell_count * sizeof *one.value);
    }
    assert_int_equal(rcity_map_note_count(a), rcity_map_note_count(b));
    for (int i = 0; i < rcity_map_note_count(a); i++) {
        const char *keys[2];
        const char *values[2];
        assert_ok(context, rcity_map_get_note(a, i, &keys[0], &values[0]));
        assert_ok(context, rcity_map_get_note(b, i, &keys[1], &values[1]));
        assert_string_equal(keys[0], keys[1]);
        assert_string_equal(values[0], values[1]);
    }
}

static rcity_band find_band(const rcity_map *map, const char *name, double height_m)
{
    rcity_band band;
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        assert_int_equal(rcity_map_get_band(map, i, &band), RCITY_OK);
        if (strcmp(band.name, name) == 0 && band.rx_height_m == height_m) {
            return band;
        }
    }
    fail_msg("no band %s at %g m", name, height_m);
    return band;
}

/* Where powers are added and nothing is drawn toward a mean, what is in a cell's bins is what it receives. */
static long compare_power(rcity_context *context, const rcity_map *map, const rcity_delays *delays, double height_m)
{
    rcity_band power = find_band(map, "received_power", height_m);
    rcity_band spread = find_band(map, "delay_spread", height_m);
    rcity_delays_info info;
    long count = 0;
    assert_ok(context, rcity_delays_describe(delays, &info));
    assert_true(info.rx_height_m == height_m && info.bin_s == BIN_S);
    for (int64_t i = 0; i < info.cell_count; i++) {
        rcity_delay_summary at;
        assert_ok(context, rcity_delays_summarize(context, delays, i, (double)NAN, &at));
        assert_int_equal(isnan(at.gain_db), isnan(power.value[i]));
        if (!isnan(at.gain_db)) {
            assert_near(30.0 + at.gain_db, power.value[i], 0.01);
        }
        if (!isnan(spread.value[i])) { /* none where a path over roofs is all that is known */
            assert_near(1e9 * at.delay_spread_s, spread.value[i], 1e9 * BIN_S);
            count++;
        }
    }
    return count;
}

/* With bins at this height, the map beside is the map alone, and the delays are those without one. */
static void compare(const char *const *words, int height_index, bool adds_powers)
{
    const char *names[OPTION_MAX];
    const char *values[OPTION_MAX];
    trial on = {.context = test_context(2)};
    rcity_map *alone = NULL;
    rcity_map *beside = NULL;
    rcity_delays *delays = NULL;
    rcity_delays *without = NULL;
    rcity_request request = ask(words, names, values);
    open_city(&on);
    assert_ok(on.context, rcity_predict(on.context, on.scene, on.device, &request, &alone));
    assert_ok(on.context,
              rcity_predict_delays(on.context, on.scene, on.device, &request, height_index, BIN_S, &beside, &delays));
    assert_ok(on.context,
              rcity_predict_delays(on.context, on.scene, on.device, &request, height_index, BIN_S, NULL, &without));
    compare_maps(on.context, alone, beside);
    stage_compare(on.context, delays, without);
    if (adds_powers) {
        assert_true(compare_power(on.context, beside, delays, heights_m[height_index]) > 100);
    }
    rcity_delays_destroy(&without);
    rcity_delays_destroy(&delays);
    rcity_map_destroy(&beside);
    rcity_map_destroy(&alone);
    test_close(&on.context, &on.scene, &on.device);
}

static void test_map_beside_is_the_map_alone(void **state)
{
    (void)state;
    compare((const char *const[]){"max-reflections", "2", NULL}, 0, false);
    compare((const char *const[]){"max-reflections", "2", "sum", "power", "surroundings", "off", NULL}, 1, true);
    compare((const char *const[]){"max-reflections", "1", "sum", "coherent", NULL}, 1, false); /* path by path */
}

/* What a caller hears. */
typedef struct heard {
    int pass_count; /* over all receivers of a height */
    int warning_count;
} heard;

static bool hear_progress(void *user, const char *stage, double done, double total)
{
    heard *own = user;
    own->pass_count += strcmp(stage, "receivers") == 0 && done == total;
    return true;
}

static void hear_warning(void *user, rcity_log_level level, const char *text)
{
    heard *own = user;
    (void)text;
    own->warning_count += level == RCITY_LOG_WARNING;
}

/* The cells of a height are gone through once for both, and what is to be said is said once. */
static void test_one_pass(void **state)
{
    (void)state;
    heard own = {0, 0};
    const char *names[OPTION_MAX];
    const char *values[OPTION_MAX];
    trial on;
    rcity_map *map = NULL;
    rcity_delays *delays = NULL;
    rcity_context_options options = rcity_context_options_default();
    rcity_request request = ask((const char *const[]){"max-reflections", "1", NULL}, names, values);
    options.thread_count = 1;
    options.progress = hear_progress;
    options.progress_user = &own;
    options.log = hear_warning;
    options.log_user = &own;
    assert_int_equal(rcity_context_create(&options, &on.context), RCITY_OK);
    open_city(&on);
    own = (heard){0, 0};
    assert_ok(on.context, rcity_predict_delays(on.context, on.scene, on.device, &request, 1, BIN_S, &map, &delays));
    assert_int_equal(own.pass_count, BOTH_HEIGHTS);
    assert_int_equal(own.warning_count, 1);
    rcity_delays_destroy(&delays);
    rcity_map_destroy(&map);
    own = (heard){0, 0};
    assert_ok(on.context, rcity_predict_delays(on.context, on.scene, on.device, &request, 1, BIN_S, NULL, &delays));
    assert_int_equal(own.pass_count, 1); /* the other height is not needed */
    rcity_delays_destroy(&delays);
    test_close(&on.context, &on.scene, &on.device);
}

TEST_SUITE(beams_delays)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_beside_is_the_map_alone),
        cmocka_unit_test(test_one_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
