/* `beams --beam-range-m`: the paths are those without it that are no longer in plan, or straight; a generous one changes
   nothing; what is cut is counted. */
#include "rcity_test.h"

#include <stdlib.h>

#define POINT_COUNT 40
#define TIE_M       0.01 /* ends are moved by less */

static const uint64_t seed = 20261123;

typedef struct range_trial {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    double xyh_m[3 * POINT_COUNT];
    rcity_request request;
} range_trial;

/* Nine houses in rows and columns, each elsewhere in its square of 30 m, on flat ground or on hills. */
static void open_trial(uint64_t number, int threads, bool has_hills, range_trial *t)
{
    enum { SIDE = 16 };
    float height_m[SIDE * SIDE];
    memset(t, 0, sizeof *t);
    t->context = test_context(threads);
    rcity_scene_options options = rcity_scene_options_default();
    assert_ok(t->context, rcity_scene_create(t->context, &options, &t->scene));
    for (int i = 0; i < SIDE * SIDE; i++) {
        height_m[i] = (float)test_uniform(seed, 1000 * number + 500 + (uint64_t)i, 0.0, 4.0);
    }
    rcity_terrain terrain = {SIDE, SIDE, -30.0, -30.0, 10.0, height_m};
    if (has_hills) {
        assert_ok(t->context, rcity_scene_set_terrain(t->scene, &terrain));
    }
    for (int i = 0; i < 9; i++) {
        uint64_t draw = 1000 * number + 10 * (uint64_t)i;
        double west_m = 30.0 * (i % 3) + test_uniform(seed, draw, 2.0, 8.0);
        double south_m = 30.0 * (i / 3) + test_uniform(seed, draw + 1, 2.0, 8.0);
        test_box box = {west_m, south_m, west_m + test_uniform(seed, draw + 2, 8.0, 18.0),
                        south_m + test_uniform(seed, draw + 3, 8.0, 18.0), test_uniform(seed, draw + 4, 6.0, 20.0)};
        test_add_box(t->context, t->scene, i + 1, box);
    }
    assert_ok(t->context, rcity_scene_commit(t->scene));
    assert_ok(t->context, rcity_device_open(t->context, "host", &t->device));
    for (int i = 0; i < POINT_COUNT; i++) {
        t->xyh_m[3 * i] = test_uniform(seed, 1000 * number + 200 + 2 * (uint64_t)i, -10.0, 100.0);
        t->xyh_m[3 * i + 1] = test_uniform(seed, 1000 * number + 201 + 2 * (uint64_t)i, -10.0, 100.0);
        t->xyh_m[3 * i + 2] = 1.5;
    }
    t->request = rcity_request_default();
    t->request.method = "beams";
    t->request.transmitter.x_m = test_uniform(seed, 1000 * number + 300, -5.0, 95.0);
    t->request.transmitter.y_m = -4.0;
    t->request.transmitter.height_m = test_uniform(seed, 1000 * number + 301, 3.0, 15.0);
    t->request.transmitter.frequency_hz = 2.1e9;
}

static void close_trial(range_trial *t)
{
    test_close(&t->context, &t->scene, &t->device);
}

static rcity_rays *find(range_trial *t, const char *diffractions, const char *range)
{
    static const char *const names[] = {"max-reflections", "max-diffractions", "beam-range-m"};
    const char *values[] = {"2", diffractions, range};
    rcity_rays *rays = NULL;
    rcity_request request = t->request;
    request.option_count = 3;
    request.option_name = names;
    request.option_value = values;
    request.receivers.point_count = POINT_COUNT;
    request.receivers.xyh_m = t->xyh_m;
    assert_ok(t->context, rcity_rays_find(t->context, t->scene, t->device, &request, &rays));
    return rays;
}

static const char *find_note(const rcity_rays *rays, const char *key)
{
    for (int i = 0; i < rcity_rays_note_count(rays); i++) {
        const char *at, *value;
        assert_int_equal(rcity_rays_get_note(rays, i, &at, &value), RCITY_OK);
        if (strncmp(at, key, strlen(key)) == 0) { /* notes of a transmitter say which */
            return value;
        }
    }
    return NULL;
}

/* The length of a path in plan. @return 0 for one that no wall and no edge turns. */
static double bounded_m(const range_trial *t, const rcity_path *path)
{
    double x_m = t->request.transmitter.x_m;
    double y_m = t->request.transmitter.y_m;
    double length_m = 0.0;
    bool is_turned = false;
    for (int i = 0; i <= path->event_count; i++) {
        bool is_end = i == path->event_count;
        double to_x_m = is_end ? t->xyh_m[3 * path->receiver_index] : path->events[i].position.x_m;
        double to_y_m = is_end ? t->xyh_m[3 * path->receiver_index + 1] : path->events[i].position.y_m;
        is_turned = is_turned || (!is_end && path->events[i].place != RCITY_PLACE_GROUND);
        length_m += hypot(to_x_m - x_m, to_y_m - y_m);
        x_m = to_x_m;
        y_m = to_y_m;
    }
    return is_turned ? length_m : 0.0;
}

static bool are_same(const rcity_path *a, const rcity_path *b)
{
    return a->receiver_index == b->receiver_index && a->event_count == b->event_count && a->length_m == b->length_m &&
           a->gain_db == b->gain_db && memcmp(a->transfer, b->transfer, sizeof a->transfer) == 0;
}

/* Which of the paths without a range are those with it, one by one. */
static void compare(const range_trial *t, const rcity_rays *all, const rcity_rays *some, double range_m, long *kept,
                    long *cut, long *ties)
{
    int64_t at = 0;
    for (int64_t i = 0; i < rcity_rays_path_count(all); i++) {
        rcity_path path, other;
        assert_int_equal(rcity_rays_get_path(all, i, &path), RCITY_OK);
        double length_m = bounded_m(t, &path);
        bool is_there = at < rcity_rays_path_count(some) && rcity_rays_get_path(some, at, &other) == RCITY_OK &&
                        are_same(&path, &other);
        at += is_there;
        if (fabs(length_m - range_m) < TIE_M) {
            (*ties)++;
            continue;
        }
        assert_int_equal(is_there, length_m < range_m);
        *kept += is_there;
        *cut += !is_there;
    }
    assert_int_equal(at, rcity_rays_path_count(some));
}

static void test_paths_are_those_no_longer(void **state)
{
    (void)state;
    static const char *const ranges[] = {"40", "75", "120"};
    long kept = 0;
    long cut = 0;
    long ties = 0;
    for (uint64_t number = 0; number < 8; number++) {
        range_trial t;
        open_trial(number, 2, number % 2 == 1, &t);
        const char *diffractions = number % 4 < 2 ? "1" : "2";
        rcity_rays *all = find(&t, diffractions, "unlimited");
        assert_null(find_note(all, "beams_cut_by_range"));
        for (int i = 0; i < 3; i++) {
            double range_m = strtod(ranges[i], NULL);
            rcity_rays *some = find(&t, diffractions, ranges[i]);
            compare(&t, all, some, range_m, &kept, &cut, &ties);
            const char *count = find_note(some, "beams_cut_by_range");
            assert_true(i > 0 || (count != NULL && strtol(count, NULL, 10) > 0));
            /* free space over the range, which all that was cut loses at least */
            const char *least = find_note(some, "cut_beams_lose_at_least");
            assert_non_null(least);
            assert_near(strtod(least, NULL), 20.0 * log10(4.0 * 3.14159265358979 * range_m * 2.1e9 / 299792458.0),
                        0.06);
            rcity_rays_destroy(&some);
        }
        rcity_rays_destroy(&all);
        close_trial(&t);
    }
    print_message("%ld paths within the range, %ld beyond, %ld ties\n", kept, cut, ties);
    assert_true(kept > 1000 && cut > 1000 && ties < 20);
}

static void make_map(range_trial *t, const char *range, float **loss_db, float **paths, rcity_raster *raster)
{
    static const char *const names[] = {"beam-range-m", "surroundings", "over-roofs", "ground"};
    const char *values[] = {range, "off", "off", "off"};
    rcity_map *map = NULL;
    rcity_request request = t->request;
    request.option_count = 4;
    request.option_name = names;
    request.option_value = values;
    request.receivers.cell_m = 3.0;
    assert_ok(t->context, rcity_predict(t->context, t->scene, t->device, &request, &map));
    *raster = rcity_map_raster(map);
    size_t count = (size_t)(raster->column_count * raster->row_count);
    *loss_db = malloc(count * sizeof **loss_db);
    *paths = malloc(count * sizeof **paths);
    assert_true(*loss_db != NULL && *paths != NULL);
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band;
        assert_ok(t->context, rcity_map_get_band(map, i, &band));
        float *to = strcmp(band.name, "path_loss") == 0    ? *loss_db
                    : strcmp(band.name, "path_count") == 0 ? *paths
                                                           : NULL;
        if (to != NULL) {
            memcpy(to, band.value, count * sizeof *to);
        }
    }
    rcity_map_destroy(&map);
}

/* By tables and path by path, on one thread and on three. */
static void test_maps_end_at_the_range(void **state)
{
    (void)state;
    const double range_m = 60.0;
    long within = 0;
    long beyond = 0;
    for (uint64_t number = 0; number < 4; number++) {
        float *all_db, *some_db, *generous_db, *all_count, *some_count, *generous_count;
        rcity_raster raster;
        range_trial t;
        open_trial(number, number < 2 ? 1 : 3, number % 2 == 1, &t);
        make_map(&t, "unlimited", &all_db, &all_count, &raster);
        make_map(&t, "60", &some_db, &some_count, &raster);
        make_map(&t, "100000", &generous_db, &generous_count, &raster);
        size_t bytes = (size_t)(raster.column_count * raster.row_count) * sizeof(float);
        assert_memory_equal(all_db, generous_db, bytes);
        assert_memory_equal(all_count, generous_count, bytes);
        for (int64_t i = 0; i < raster.column_count * raster.row_count; i++) {
            double x_m = raster.west_m + ((double)(i % raster.column_count) + 0.5) * raster.cell_m;
            double y_m = raster.north_m - ((double)(i / raster.column_count) + 0.5) * raster.cell_m;
            double away_m = hypot(x_m - t.request.transmitter.x_m, y_m - t.request.transmitter.y_m);
            float some = isnan(some_count[i]) ? 0.0f : some_count[i];
            float all = isnan(all_count[i]) ? 0.0f : all_count[i];
            if (away_m > range_m + TIE_M) { /* only the direct ray */
                assert_true(some <= 1.0f);
                beyond += all > some;
            } else {
                assert_true(some <= all);
                within += some > 1.0f;
            }
        }
        float *made[] = {all_db, some_db, generous_db, all_count, some_count, generous_count};
        for (int i = 0; i < 6; i++) {
            free(made[i]);
        }
        close_trial(&t);
    }
    print_message("%ld cells with reflected or diffracted paths, %ld lost theirs\n", within, beyond);
    assert_true(within > 500 && beyond > 500);
}

static void test_bad_ranges_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"0", "-5", "far", "2000000"};
    range_trial t;
    open_trial(1, 1, false, &t);
    const char *name = "beam-range-m";
    for (int i = 0; i < 4; i++) {
        rcity_map *map = NULL;
        t.request.option_count = 1;
        t.request.option_name = &name;
        t.request.option_value = &bad[i];
        assert_int_equal(rcity_predict(t.context, t.scene, t.device, &t.request, &map), RCITY_ERR_ARGUMENT);
        assert_non_null(strstr(rcity_context_message(t.context), name));
    }
    close_trial(&t);
}

TEST_SUITE(beams_range)
{
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths_are_those_no_longer),
        cmocka_unit_test(test_maps_end_at_the_range),
        cmocka_unit_test(test_bad_ranges_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
