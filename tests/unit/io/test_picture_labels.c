/* What pictures say: a stranger must learn what is shown, where and in which unit. */
#include "rcity_test.h"

#include <string.h>

#include "io/picture/picture_data.h"
#include "output_folder.h"

/* A scene of one house, a map over it, and a picture that shows them. */
typedef struct stage {
    rcity_context *context;
    rcity_scene *scene;
    rcity_map *map;
    float *loss_db; /* the values of its first band */
    rcity_picture_options options;
    rcity_picture picture;
} stage;

static void open_stage(stage *made, const char *crs, const char *height_from, const char *line_of_sight)
{
    static const int point_count = 4;
    static const double xy_m[] = {0, 0, 1500, 0, 1500, 800, 0, 800};
    *made = (stage){.context = make_context(NULL, 1, 0), .options = rcity_picture_options_default()};
    rcity_scene_options scene_options = rcity_scene_options_default();
    scene_options.crs = crs;
    rcity_building building = rcity_building_default();
    building.ring_count = 1;
    building.ring_point_count = &point_count;
    building.xy_m = xy_m;
    building.height_m = 10.0;
    assert_int_equal(rcity_scene_create(made->context, &scene_options, &made->scene), RCITY_OK);
    assert_int_equal(rcity_scene_add_building(made->scene, &building), RCITY_OK);
    assert_int_equal(rcity_scene_set_source(made->scene, "one house"), RCITY_OK);
    assert_int_equal(rcity_scene_commit(made->scene), RCITY_OK);
    rcity_raster raster = {1500, 80, 0.0, 800.0, 10.0};
    assert_int_equal(rcity_map_create(made->context, &raster, crs, &made->map), RCITY_OK);
    assert_int_equal(rcity_map_add_band(made->map, RCITY_BAND_LOSS, "path_loss", "dB", "", 1.5, &made->loss_db),
                     RCITY_OK);
    assert_int_equal(rcity_map_add_note(made->map, "version", "9.8.7"), RCITY_OK);
    assert_int_equal(rcity_map_add_note(made->map, "method", "free-space"), RCITY_OK);
    assert_int_equal(rcity_map_add_note(made->map, "frequency_mhz", "947"), RCITY_OK);
    assert_int_equal(rcity_map_add_note(made->map, "tx_height_m", "13"), RCITY_OK);
    assert_int_equal(rcity_map_add_note(made->map, "tx_height_from", height_from), RCITY_OK);
    assert_int_equal(rcity_map_add_note(made->map, "line_of_sight", line_of_sight), RCITY_OK);
    made->picture = (rcity_picture){.context = made->context,
                                    .options = &made->options,
                                    .scene = made->scene,
                                    .shapes = rcity_scene_shapes(made->scene),
                                    .map = made->map,
                                    .raster = raster,
                                    .bounds = {0.0, 0.0, 15000.0, 800.0}};
    assert_int_equal(rcity_map_get_band(made->map, 0, &made->picture.band), RCITY_OK);
}

static void close_stage(stage *ended)
{
    rcity_map_destroy(&ended->map);
    rcity_scene_destroy(&ended->scene);
    rcity_context_destroy(&ended->context);
}

static void test_map_labels_say_what_is_shown(void **state)
{
    (void)state;
    stage on;
    open_stage(&on, "EPSG:32632", "ground", "ignore");
    rcity_picture_make_words(&on.picture);
    const rcity_picture_words *words = &on.picture.words;
    assert_string_equal(words->title, "Path loss \u00b7 free-space \u00b7 947 MHz \u00b7 transmitter 13 m, "
                                      "receivers 1.5 m above ground");
    assert_string_equal(words->facts, "");
    assert_string_equal(words->subtitle, "one house \u00b7 15000 \u00d7 800 m \u00b7 1,500 \u00d7 80 cells of 10 m");
    assert_string_equal(words->heading, "Path loss, dB");
    assert_string_equal(words->crs, "EPSG:32632");
    assert_non_null(strstr(words->footer, "radiocity 9.8.7"));
    assert_non_null(strstr(words->footer, "line_of_sight: ignore"));
    assert_null(strstr(words->footer, "947"));
    close_stage(&on);
}

static void test_given_title_keeps_the_facts(void **state)
{
    (void)state;
    stage on;
    open_stage(&on, NULL, "datum", "exact");
    on.options.title = "Candidate 12";
    rcity_picture_make_words(&on.picture);
    const rcity_picture_words *words = &on.picture.words;
    assert_string_equal(words->title, "Candidate 12");
    assert_non_null(strstr(words->facts, "transmitter 13 m above datum, receivers 1.5 m above ground"));
    assert_string_equal(words->crs, "none");
    close_stage(&on);
}

static void test_scene_labels_say_what_is_shown(void **state)
{
    (void)state;
    stage on;
    open_stage(&on, "PROJCS[\"WGS 84 / UTM zone 32N\",GEOGCS[\"WGS 84\"]]", "ground", "ignore");
    on.picture.map = NULL;
    rcity_picture_make_words(&on.picture);
    const rcity_picture_words *words = &on.picture.words;
    assert_string_equal(words->title, "one house");
    assert_non_null(strstr(words->subtitle, "1 building, 4 walls"));
    assert_non_null(strstr(words->subtitle, "flat ground"));
    assert_string_equal(words->heading, "Building height, m");
    assert_string_equal(words->crs, "WGS 84 / UTM zone 32N");
    assert_non_null(strstr(words->footer, rcity_version()));
    close_stage(&on);
}

/* Levels that are sums of paths say of what; spreads and the like do not, they are of powers in any case. */
static void test_title_names_the_kind_of_sum(void **state)
{
    (void)state;
    static const char *const sums[3] = {"power", "coherent", "grouped"};
    static const char *const expected[3] = {"Path loss \u00b7 free-space, powers added \u00b7 947 MHz",
                                            "Path loss \u00b7 free-space, fields added \u00b7 947 MHz",
                                            "Path loss \u00b7 free-space, fields added in groups \u00b7 947 MHz"};
    for (int i = 0; i < 3; i++) {
        stage on;
        open_stage(&on, NULL, "ground", "ignore");
        assert_int_equal(rcity_map_add_note(on.map, "sum", sums[i]), RCITY_OK);
        rcity_picture_make_words(&on.picture);
        assert_non_null(strstr(on.picture.words.title, expected[i]));
        on.picture.band.name = "delay_spread";
        on.picture.band.kind = RCITY_BAND_DELAY;
        on.picture.words.title[0] = '\0';
        rcity_picture_make_words(&on.picture);
        assert_non_null(strstr(on.picture.words.title, "Delay spread \u00b7 free-space \u00b7 947 MHz"));
        close_stage(&on);
    }
}

/* The title of a map with what stands behind the method's name. */
static void assert_method_words(stage *on, const char *remark)
{
    char text[120];
    snprintf(text, sizeof text, "Path loss \u00b7 free-space%s \u00b7 947 MHz \u00b7 transmitter", remark);
    rcity_picture_make_words(&on->picture);
    assert_non_null(strstr(on->picture.words.title, text));
}

/* A map of line of sight alone says so in its title, once; the band that tells of the sight does not. What the map is,
   its values say: hidden cells have none. */
static void test_sight_only(void **state)
{
    (void)state;
    stage on;
    open_stage(&on, NULL, "ground", "exact");
    float *sight = NULL;
    float *other = NULL;
    float *loss_db = on.loss_db;
    assert_int_equal(rcity_map_add_band(on.map, RCITY_BAND_SIGHT, "line_of_sight", "", "", 10.0, &other), RCITY_OK);
    assert_method_words(&on, ""); /* the sight at another height says nothing */
    assert_int_equal(rcity_map_add_band(on.map, RCITY_BAND_SIGHT, "line_of_sight", "", "", 1.5, &sight), RCITY_OK);
    int64_t cell_count = on.picture.raster.column_count * on.picture.raster.row_count;
    for (int64_t i = 0; i < cell_count; i++) {
        other[i] = 0.0f;
        sight[i] = 1.0f;
        loss_db[i] = 80.0f;
    }
    assert_method_words(&on, ""); /* nothing is hidden, nothing left out */
    for (int64_t i = 0; i < cell_count; i++) {
        sight[i] = i % 3 == 0 ? 0.0f : i % 3 == 1 ? 1.0f : NAN;
        loss_db[i] = i % 3 == 1 ? 80.0f : NAN;
    }
    assert_method_words(&on, ", line of sight only");
    assert_null(strstr(on.picture.words.footer, "line_of_sight"));
    loss_db[cell_count / 3 * 3 - 3] = 120.0f;
    assert_method_words(&on, ""); /* one hidden cell has a loss: the method has one for hidden cells */
    assert_non_null(strstr(on.picture.words.footer, "line_of_sight: exact"));
    assert_int_equal(rcity_map_get_band(on.map, 2, &on.picture.band), RCITY_OK);
    rcity_picture_make_words(&on.picture);
    assert_non_null(strstr(on.picture.words.title, "Line of sight \u00b7 free-space \u00b7 947 MHz"));
    close_stage(&on);
}

/* Kilometres only where both sides have some. */
static void test_subtitle_gives_size_with_unit(void **state)
{
    (void)state;
    static const struct {
        double width_m, height_m;
        const char *text;
    } sizes[] = {{1000.0, 20.0, "\u00b7 1000 \u00d7 20 m \u00b7"},
                 {20.0, 123456.0, "\u00b7 20 \u00d7 123456 m \u00b7"},
                 {2.5, 0.5, "\u00b7 2.5 \u00d7 0.5 m \u00b7"},
                 {2400.0, 3395.0, "\u00b7 2.40 \u00d7 3.40 km \u00b7"}};
    stage on;
    open_stage(&on, NULL, "ground", "ignore");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        on.picture.bounds = (rcity_picture_bounds){0.0, 0.0, sizes[i].width_m, sizes[i].height_m};
        rcity_picture_make_words(&on.picture);
        assert_non_null(strstr(on.picture.words.subtitle, sizes[i].text));
    }
    close_stage(&on);
}

static void test_distances_are_rounded_with_unit(void **state)
{
    (void)state;
    static const struct {
        double distance_m;
        const char *text;
    } distances[] = {{0.46, "0.5 m"},    {9.96, "10 m"},      {499.2, "499 m"},    {999.4, "999 m"},
                     {999.6, "1.00 km"}, {1254.0, "1.25 km"}, {9996.0, "10.0 km"}, {1.5e8, "150000 km"}};
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++) {
        char text[RCITY_PICTURE_DISTANCE_BYTES];
        assert_string_equal(rcity_picture_format_distance(distances[i].distance_m, text), distances[i].text);
    }
}

TEST_SUITE(picture_labels)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_labels_say_what_is_shown),    cmocka_unit_test(test_given_title_keeps_the_facts),
        cmocka_unit_test(test_scene_labels_say_what_is_shown),  cmocka_unit_test(test_sight_only),
        cmocka_unit_test(test_title_names_the_kind_of_sum),     cmocka_unit_test(test_subtitle_gives_size_with_unit),
        cmocka_unit_test(test_distances_are_rounded_with_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
