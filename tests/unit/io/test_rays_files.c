/* Paths as GeoJSON and receivers as CSV: text by text, in portions, in every locale, and when things go wrong. */
#include "rays_stage.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "comma_locale.h"

static char *read_text(rcity_context *context, const char *path)
{
    char *text = NULL;
    size_t bytes = 0;
    assert_ok(context, rcity_file_load(context, path, &text, &bytes));
    assert_int_equal(strlen(text), bytes);
    return text;
}

static void assert_in(const char *text, const char *words)
{
    if (strstr(text, words) == NULL) {
        print_error("expected '%s' in:\n%.4000s\n", words, text);
        fail();
    }
}

static int count_words(const char *text, const char *words)
{
    size_t length = strlen(words); /* strstr() would measure the rest of the text at each hit under a sanitizer */
    size_t bytes = strlen(text);
    int count = 0;
    for (size_t i = 0; i + length <= bytes; i++) {
        count += text[i] == words[0] && memcmp(text + i, words, length) == 0;
    }
    return count;
}

static void test_lines_in_metres(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_rays *rays = stage_rays(context, &plain_stage);
    const char *path = test_path("rays.geojson");
    assert_ok(context, rcity_rays_save(context, rays, path));
    char *text = read_text(context, path);
    assert_int_equal(count_words(text, "\"type\":\"Feature\","), 1 + STAGE_RECEIVERS + STAGE_PATHS);
    assert_int_equal(count_words(text, "\"LineString\""), STAGE_PATHS);
    assert_in(text, "\"method\":\"images\"");
    assert_in(text, "scene without CRS");
    assert_in(text, "\"coordinates\":[100.0000,100.0000,25.0000]},\"properties\":{\"kind\":\"transmitter\",\"name\":"
                    "\"Tower \\\"A\\\"\"");
    assert_in(text, "\"coordinates\":[190.0000,190.0000]},\"properties\":{\"kind\":\"receiver\",\"name\":\"3\","
                    "\"state\":\"off the terrain\",\"path_count\":0"); /* it has no height */
    assert_in(text, "\"z_m\":null,\"gain_db\":null");
    assert_in(text, "[[100.0000,100.0000,25.0000],[140.0000,80.0000,18.0000],[160.0000,70.0000,8.0000],"
                    "[180.0000,60.0000,1.5000]]},\"properties\":{\"kind\":\"path\",\"receiver\":\"1\",\"rank\":3,"
                    "\"interactions\":\"D-T\",\"places\":\"roof edge, wall\",\"buildings\":\"9, 9\",\"length_m\":120,");
    assert_in(text, "\"interactions\":\"direct\",\"places\":\"\",\"buildings\":\"\",\"length_m\":100,");
    assert_in(text, "\"receiver\":\"caf\xc3\xa9 \\\"Zur, Post\\\"\",\"rank\":1,\"interactions\":\"O\",\"places\":"
                    "\"terrain edge\",\"buildings\":\"-\"");
    assert_in(text, "\"departure_azimuth_deg\":12,\"departure_elevation_deg\":-3,\"arrival_azimuth_deg\":192,"
                    "\"arrival_elevation_deg\":3");
    assert_in(text, "\"delay_ns\":333.5640952,\"departure_azimuth_deg\":10"); /* 100 m over the speed of light */
    assert_in(text, "\"gain_db\":-80,\"path_loss_db\":83,\"received_power_dbm\":-50,\"phase_deg\":57.29577951");
    rcity_release(context, text);
    rcity_rays_destroy(&rays);
    rcity_context_destroy(&context);
}

/* 8,000 paths do not fit a portion; what was written before is not written again. */
static void test_lines_in_portions(void **state)
{
    (void)state;
    enum { COUNT = 8000 };
    static const rcity_point position = {3.0, 4.0, 1.0};
    rcity_context *context = test_context(1);
    rcity_rays_setup setup = {
        .frequency_hz = 1e9, .input_dbm = (double)NAN, .receiver_count = 1, .positions = &position};
    rcity_rays *rays = NULL;
    assert_ok(context, rcity_rays_create(context, &setup, &rays));
    for (int i = 0; i < COUNT; i++) {
        rcity_ray_event events[4];
        rcity_path path = stage_path(&plain_stage, 1, events);
        path.length_m = 1.0 + i;
        events[0].building_id = i;
        assert_ok(context, rcity_rays_add_paths(rays, 0, 1, &path));
    }
    assert_ok(context, rcity_rays_finish(rays));
    uint64_t before = rcity_context_memory_peak(context);
    const char *path = test_path("many.geojson");
    assert_ok(context, rcity_rays_save(context, rays, path));
    uint64_t more = rcity_context_memory_peak(context) - before;
    char *text = read_text(context, path);
    assert_true(strlen(text) > 3200000);
    assert_true(more < 2500000); /* never the whole text */
    assert_int_equal(count_words(text, "\"kind\":\"path\""), COUNT);
    assert_int_equal(count_words(text, "\"buildings\":\"7999\""), 1);
    assert_string_equal(text + strlen(text) - 6, "}}\n]}\n");
    rcity_release(context, text);
    rcity_rays_destroy(&rays);
    rcity_context_destroy(&context);
}

static void test_lines_on_earth(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_rays *rays = stage_rays(context, &placed_stage);
    const char *path = test_path("placed.geojson");
    if (!rcity_build_features_get().has_geotiff) {
        assert_status(context, rcity_rays_save(context, rays, path), RCITY_ERR_UNSUPPORTED);
        assert_message(context, "GDAL");
        assert_int_equal(access(path, F_OK), -1);
    } else {
        assert_ok(context, rcity_rays_save(context, rays, path));
        char *text = read_text(context, path);
        double bounce[2] = {placed_stage.x0_m + 150.0, placed_stage.y0_m + 120.0};
        assert_ok(context, rcity_crs_transform(context, placed_stage.crs, RCITY_CRS_LONLAT, 1, bounce));
        char words[100];
        snprintf(words, sizeof words, ",[%.8f,%.8f,12.5000],", bounce[0], bounce[1]);
        assert_in(text, words); /* in the line with one reflection */
        assert_true(bounce[0] > 11.0 && bounce[0] < 12.0 && bounce[1] > 48.0 && bounce[1] < 49.0);
        assert_in(text, "\"x_m\":691100,\"y_m\":5334100,\"z_m\":25");
        rcity_release(context, text);
    }
    rcity_rays_destroy(&rays);
    rcity_context_destroy(&context);
}

static void test_receivers_as_table(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const rays_stage *const stages[2] = {&plain_stage, &placed_stage};
    for (int i = 0; i < 2; i++) {
        rcity_rays *rays = stage_rays(context, stages[i]);
        bool has_lonlat = i == 1 && rcity_build_features_get().has_geotiff;
        const char *path = test_path("receivers.CSV"); /* letters of either case */
        assert_ok(context, rcity_rays_save(context, rays, path));
        char *text = read_text(context, path);
        assert_int_equal(count_words(text, "\n"), 1 + STAGE_RECEIVERS);
        assert_int_equal(strncmp(text, has_lonlat ? "name,x,y,lon,lat,z_m,state," : "name,x,y,z_m,state,", 19), 0);
        assert_in(text, "\n\"caf\xc3\xa9 \"\"Zur, Post\"\"\",");
        assert_in(text, ",1.500,in building,0,,,,,,,,,,,,\n");
        assert_in(text, ",,off the terrain,0,,,,,,,,,,,,\n");
        assert_in(text, ",2.000,reached,1,-93.979,-93.979,96.979,96.979,-63.979,466.9897,"
                        "0.0000,0.0000,0.0000,0.0000,0.0000,\n");
        rcity_release(context, text);
        rcity_rays_destroy(&rays);
    }
    rcity_context_destroy(&context);
}

static void test_same_in_every_locale(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_rays *rays = stage_rays(context, &plain_stage);
    char *texts[2][2];
    static const char *const names[2] = {"one.geojson", "one.csv"};
    for (int k = 0; k < 2; k++) {
        assert_ok(context, rcity_rays_save(context, rays, test_path(names[k])));
        texts[0][k] = read_text(context, test_path(names[k]));
    }
    comma_locale_enter();
    for (int k = 0; k < 2; k++) {
        assert_ok(context, rcity_rays_save(context, rays, test_path(names[k])));
        texts[1][k] = read_text(context, test_path(names[k]));
    }
    comma_locale_leave();
    for (int k = 0; k < 2; k++) {
        assert_string_equal(texts[0][k], texts[1][k]);
        rcity_release(context, texts[0][k]);
        rcity_release(context, texts[1][k]);
    }
    rcity_rays_destroy(&rays);
    rcity_context_destroy(&context);
}

static void test_unknown_endings_and_folders_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_rays *rays = stage_rays(context, &plain_stage);
    assert_status(context, rcity_rays_save(context, rays, "rays.json"), RCITY_ERR_ARGUMENT);
    assert_message(context, ".geojson");
    assert_status(context, rcity_rays_save(context, rays, ".csv"), RCITY_ERR_ARGUMENT);
    assert_status(context, rcity_rays_save(context, rays, "/nowhere/rays.geojson"), RCITY_ERR_FILE);
    assert_message(context, "its folder does not exist");
    assert_status(context, rcity_rays_save(context, rays, "/nowhere/rays.csv"), RCITY_ERR_FILE);
    if (rcity_build_features_get().has_hdf5) {
        assert_status(context, rcity_rays_save(context, rays, "/nowhere/rays.h5"), RCITY_ERR_FILE);
    } else {
        assert_status(context, rcity_rays_save(context, rays, test_path("rays.h5")), RCITY_ERR_UNSUPPORTED);
        assert_message(context, "HDF5");
    }
    rcity_rays_destroy(&rays);
    rcity_context_destroy(&context);
}

static bool stop(void *user, const char *task, double done, double total)
{
    (void)user;
    (void)done;
    (void)total;
    return strcmp(task, "writing GeoJSON") != 0;
}

static void test_stopping_leaves_nothing(void **state)
{
    (void)state;
    rcity_context_options options = rcity_context_options_default();
    options.progress = stop;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    rcity_rays *rays = stage_rays(context, &plain_stage);
    const char *path = test_path("stopped.geojson");
    assert_status(context, rcity_rays_save(context, rays, path), RCITY_ERR_CANCELLED);
    assert_int_equal(access(path, F_OK), -1);
    rcity_rays_destroy(&rays);
    assert_true(rcity_context_memory_used(context) == 0);
    rcity_context_destroy(&context);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    static const char *const names[] = {"failing.geojson", "failing.csv", "failing.h5"};
    int format_count = rcity_build_features_get().has_hdf5 ? 3 : 2;
    for (int k = 0; k < format_count; k++) {
        rcity_status status = RCITY_ERR_MEMORY;
        long n = 0;
        while (status != RCITY_OK) {
            n++;
            assert_true(n < 400);
            failing_allocator failing = {.fail_at = n};
            rcity_context *context = test_context_failing(&failing, 1);
            rcity_rays *rays = NULL;
            const char *path = test_path(names[k]);
            unlink(path);
            status = stage_build(context, &plain_stage, &rays);
            status = status == RCITY_OK ? rcity_rays_save(context, rays, path) : status;
            assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
            assert_int_equal(access(path, F_OK), status == RCITY_OK ? 0 : -1);
            rcity_rays_destroy(&rays);
            assert_true(rcity_context_memory_used(context) == 0);
            failing.fail_at = 0;
            rcity_context_destroy(&context);
            assert_int_equal(failing.live_count, 0);
        }
        assert_true(n > 20);
    }
}

TEST_SUITE(rays_files)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_in_metres),         cmocka_unit_test(test_lines_in_portions),
        cmocka_unit_test(test_lines_on_earth),          cmocka_unit_test(test_receivers_as_table),
        cmocka_unit_test(test_same_in_every_locale),    cmocka_unit_test(test_unknown_endings_and_folders_are_refused),
        cmocka_unit_test(test_stopping_leaves_nothing), cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
