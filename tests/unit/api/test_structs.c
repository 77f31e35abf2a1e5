/* Structs in the size that the caller knows: what is accepted, filled up, refused; NULL; maps made by hand. */
#include <stddef.h>
#include <string.h>

#include "base/abi.h"
#include "radiocity/radiocity.h"
#include "rcity_test.h"

/* Options as version 2 of a library knows them, and as programs of version 1 do. */
typedef struct grown_options {
    size_t struct_bytes;
    double first;
    int second;
    double third; /* since version 2 */
} grown_options;

typedef struct old_options {
    size_t struct_bytes;
    double first;
    int second;
} old_options;

static void grown_options_init(grown_options *options, size_t struct_bytes)
{
    const grown_options made = {0, 1.0, 2, 3.0};
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

static rcity_status take(rcity_context *context, const void *options, grown_options *known)
{
    RCITY_TAKE(context, grown_options, second, options, known);
    return RCITY_OK;
}

static void test_old_options_get_new_defaults(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    struct {
        old_options options;
        unsigned char beyond[sizeof(grown_options)];
    } old;
    memset(&old, 0x55, sizeof old);
    grown_options_init((grown_options *)(void *)&old.options, sizeof old.options);
    for (size_t i = 0; i < sizeof old.beyond; i++) {
        assert_int_equal(old.beyond[i], 0x55); /* the library wrote no further than the program knows */
    }
    assert_int_equal(old.options.struct_bytes, sizeof old.options);
    assert_true(old.options.first == 1.0 && old.options.second == 2);
    old.options.first = 10.0;
    grown_options known;
    assert_ok(context, take(context, &old.options, &known));
    assert_int_equal(known.struct_bytes, sizeof known);
    assert_true(known.first == 10.0 && known.second == 2 && known.third == 3.0);
    rcity_context_destroy(&context);
}

static void test_sizes_that_are_none(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const size_t least = RCITY_END_OF(grown_options, second);
    for (size_t bytes = 0; bytes <= sizeof(grown_options) + 8; bytes++) {
        grown_options options = {bytes, 10.0, 20, 30.0};
        grown_options known;
        bool is_size = bytes >= least && bytes <= sizeof(grown_options);
        assert_int_equal(take(context, &options, &known), is_size ? RCITY_OK : RCITY_ERR_ARGUMENT);
        assert_true(is_size || strstr(rcity_context_message(context), "start from grown_options_default()") != NULL);
    }
    const void *options = NULL;
    grown_options known;
    assert_status(context, take(context, options, &known), RCITY_ERR_ARGUMENT);
    assert_message(context, "`options` is NULL");
    rcity_context_destroy(&context);
}

static void test_request_not_from_default(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{0, 0, 100, 100, 20}};
    rcity_scene *scene = test_scene(context, boxes, 1);
    rcity_estimate estimate;
    for (int i = 0; i < 7; i++) {
        rcity_request request = rcity_request_default();
        const char *word = "rcity_request_default()";
        if (i == 0) {
            request.struct_bytes = 0;
        } else if (i == 1) {
            request.struct_bytes++;
        } else if (i == 2) {
            request.struct_bytes = offsetof(rcity_request, coefficients);
        } else if (i == 3) {
            request.transmitter.struct_bytes = 0;
            word = "rcity_transmitter_default()";
        } else if (i == 4) {
            request.transmitter.reserved[11] = 1;
            word = "a reserved word of a rcity_transmitter is not 0";
        } else if (i == 5) {
            request.receivers.struct_bytes += 8;
            word = "rcity_receivers_default()";
        } else {
            request.receivers.reserved[0] = 1;
            word = "a reserved word of a rcity_receivers is not 0";
        }
        request.transmitter.height_m = 50.0;
        assert_status(context, rcity_predict_estimate(context, scene, &request, &estimate), RCITY_ERR_ARGUMENT);
        assert_message(context, word);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_results_no_larger_than_the_caller_knows(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const rcity_raster raster = {.column_count = 2, .row_count = 1, .cell_m = 1.0};
    rcity_map *map = NULL;
    float *value = NULL;
    assert_ok(context, rcity_map_create(context, &raster, NULL, &map));
    assert_ok(context, rcity_map_add_band(map, RCITY_BAND_CLASS, "land", NULL, NULL, 1.5, &value));
    rcity_band whole;
    assert_ok(context, rcity_map_get_band(map, 0, &whole));
    for (size_t bytes = 0; bytes <= sizeof(rcity_band) + 1; bytes++) {
        unsigned char given[sizeof(rcity_band) + 1];
        memset(given, 0x55, sizeof given);
        rcity_status status = rcity_map_get_band_sized(map, 0, bytes, (rcity_band *)(void *)given);
        bool is_size = bytes > 0 && bytes <= sizeof(rcity_band);
        assert_int_equal(status, is_size ? RCITY_OK : RCITY_ERR_ARGUMENT);
        assert_memory_equal(given, &whole,
                            is_size ? offsetof(rcity_band, unit) < bytes ? offsetof(rcity_band, unit) : bytes : 0);
        for (size_t i = is_size ? bytes : 0; i < sizeof given; i++) {
            assert_int_equal(given[i], 0x55);
        }
    }
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

static void test_map_made_by_hand(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_raster raster = {.column_count = 3, .row_count = 2, .west_m = 10.0, .north_m = 20.0, .cell_m = 5.0};
    rcity_map *map = NULL;
    float *value = NULL;
    static const char *const names[] = {"water", NULL, "forest"};
    assert_ok(context, rcity_map_create(context, &raster, "EPSG:32632", &map));
    assert_ok(context, rcity_map_add_band(map, RCITY_BAND_LOSS, "loss", "dB", "measured", 1.5, &value));
    for (int i = 0; i < 6; i++) {
        assert_true(isnan(value[i]));
        value[i] = (float)i;
    }
    assert_ok(context, rcity_map_add_band(map, RCITY_BAND_CLASS, "land", NULL, NULL, 0.0, &value));
    assert_ok(context, rcity_map_set_classes(map, 1, 3, names));
    assert_ok(context, rcity_map_add_note(map, "made_by", "hand, 100 %s"));
    rcity_band band;
    rcity_band_summary summary;
    assert_ok(context, rcity_map_get_band(map, 1, &band));
    assert_int_equal(band.class_count, 3);
    assert_string_equal(band.class_names[2], "forest");
    assert_string_equal(band.class_names[1], "");
    assert_ok(context, rcity_map_summarize(context, map, 0, &summary));
    assert_near(summary.median, 2.5, 0.0);
    const char *key = NULL;
    const char *text = NULL;
    assert_int_equal(rcity_map_note_count(map), 1);
    assert_ok(context, rcity_map_get_note(map, 0, &key, &text));
    assert_string_equal(text, "hand, 100 %s");
    assert_status(context, rcity_map_get_note(map, 1, &key, &text), RCITY_ERR_ARGUMENT);
    assert_status(context, rcity_map_set_classes(map, 2, 3, names), RCITY_ERR_ARGUMENT);
    assert_message(context, "there is no band 2");
    assert_status(context, rcity_map_set_classes(map, 1, 0, names), RCITY_ERR_ARGUMENT);
    assert_status(context, rcity_map_add_band(map, RCITY_BAND_LOSS, NULL, NULL, NULL, 0.0, &value), RCITY_ERR_ARGUMENT);
    assert_message(context, "`name` is NULL");
    raster.cell_m = 0.0;
    rcity_map *untouched = NULL;
    assert_status(context, rcity_map_create(context, &raster, NULL, &untouched), RCITY_ERR_ARGUMENT);
    assert_null(untouched);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

static void test_null_is_named(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_request request = rcity_request_default();
    rcity_map *map = NULL;
    assert_status(context, rcity_predict(context, NULL, NULL, &request, &map), RCITY_ERR_ARGUMENT);
    assert_message(context, "`scene` is NULL");
    assert_int_equal(rcity_predict(NULL, NULL, NULL, &request, &map), RCITY_ERR_ARGUMENT);
    assert_int_equal(rcity_map_get_band(NULL, 0, NULL), RCITY_ERR_ARGUMENT);
    int device_count = 0;
    assert_status(context, rcity_device_list(context, 3, NULL, &device_count), RCITY_ERR_ARGUMENT);
    assert_message(context, "`infos` is NULL, but its count is 3");
    assert_status(context, rcity_device_list(context, -1, NULL, &device_count), RCITY_ERR_ARGUMENT);
    assert_message(context, "`infos` has a count of -1, below 0");
    assert_int_equal(rcity_map_band_count(NULL), 0);
    assert_null(rcity_map_crs(NULL));
    assert_true(isnan(rcity_rays_frequency_hz(NULL)));
    rcity_context_destroy(&context);
}

TEST_SUITE(structs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_old_options_get_new_defaults),
        cmocka_unit_test(test_sizes_that_are_none),
        cmocka_unit_test(test_request_not_from_default),
        cmocka_unit_test(test_results_no_larger_than_the_caller_knows),
        cmocka_unit_test(test_map_made_by_hand),
        cmocka_unit_test(test_null_is_named),
    };
    return cmocka_run_group_tests_name("structs", tests, NULL, NULL);
}
