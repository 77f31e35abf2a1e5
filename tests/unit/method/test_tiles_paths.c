/* The paths of `tiles` against those of `images`, which are exact: none is false, and with finer tiles none is missed. */
#include "tiles_trial.h"

#define CITIES 6

static const uint64_t seed = 20270117;

/* What of the paths of one is also in the other. */
typedef struct path_match {
    int64_t path_count, found_count; /* of the first */
    double power, found_power;
    double strongest_missed; /* relative to its receiver */
} path_match;

static void match_paths(const rcity_rays *first, const rcity_rays *second, double gain_db, path_match *match)
{
    for (int64_t i = 0; i < rcity_rays_receiver_count(first); i++) {
        rcity_receiver_summary a, b;
        assert_int_equal(rcity_rays_get_receiver(first, i, &a), RCITY_OK);
        assert_int_equal(rcity_rays_get_receiver(second, i, &b), RCITY_OK);
        for (int64_t k = 0; k < a.path_count; k++) {
            rcity_path path, other;
            bool is_found = false;
            assert_int_equal(rcity_rays_get_path(first, a.path_first + k, &path), RCITY_OK);
            for (int64_t m = 0; m < b.path_count && !is_found; m++) {
                assert_int_equal(rcity_rays_get_path(second, b.path_first + m, &other), RCITY_OK);
                is_found = is_same_path(&path, &other, gain_db);
            }
            double share = pow(10.0, 0.1 * (path.gain_db - a.gain_db)); /* each receiver counts the same */
            match->path_count++;
            match->power += share;
            match->found_count += is_found;
            match->found_power += is_found ? share : 0.0;
            match->strongest_missed = is_found ? match->strongest_missed : fmax(match->strongest_missed, share);
        }
    }
}

/* Paths of a receiver that are there twice. */
static int64_t count_twins(const rcity_rays *rays)
{
    int64_t count = 0;
    for (int64_t i = 0; i < rcity_rays_receiver_count(rays); i++) {
        rcity_receiver_summary at;
        assert_int_equal(rcity_rays_get_receiver(rays, i, &at), RCITY_OK);
        for (int64_t k = 0; k < at.path_count; k++) {
            rcity_path path, other;
            assert_int_equal(rcity_rays_get_path(rays, at.path_first + k, &path), RCITY_OK);
            for (int64_t m = k + 1; m < at.path_count; m++) {
                assert_int_equal(rcity_rays_get_path(rays, at.path_first + m, &other), RCITY_OK);
                count += is_same_path(&path, &other, 0.01);
            }
        }
    }
    return count;
}

static void compare_city(uint64_t city, const char *reflections, const char *diffractions, const char *bounces,
                         const char *tile_m2, path_match *true_ones, path_match *found_ones)
{
    rcity_context *context = test_context(2);
    double xyh_m[3 * CITY_POINTS];
    rcity_scene *scene = trial_city(context, city, 3 + (int)(city % 3), xyh_m);
    ask tiles = ask_make("tiles", xyh_m[0], xyh_m[1], 10.0, 1e9);
    ask images = ask_make("images", xyh_m[0], xyh_m[1], 10.0, 1e9);
    ask_orders(&tiles, bounces, reflections, diffractions);
    ask_orders(&images, bounces, reflections, diffractions);
    ask_set(&tiles, "tile-area-m2", tile_m2);
    ask_set(&tiles, "loss-limit-db", "250");
    rcity_rays *made = ask_rays(context, scene, &tiles, CITY_POINTS - 1, xyh_m + 3);
    rcity_rays *exact = ask_rays(context, scene, &images, CITY_POINTS - 1, xyh_m + 3);
    match_paths(made, exact, 0.1, true_ones);
    assert_int_equal(count_twins(made), 0);
    match_paths(exact, made, 0.1, found_ones);
    rcity_rays_destroy(&exact);
    rcity_rays_destroy(&made);
    test_close(&context, &scene, NULL);
}

/* Where a path is, it is exact: the same points and the same gain as that of images, and its legs are free. Which paths
   are looked for is decided between centres of tiles, so that some are missed; less the finer the tiles are. No path is
   there twice. */
static void test_paths_are_those_of_images(void **state)
{
    (void)state;
    static const struct {
        const char *reflections, *diffractions, *bounces, *tile_m2;
        double true_min, found_min; /* of the power, each receiver counting as 1 */
        bool is_long;
    } cases[] = {
        {"0", "0", "0", "100", 1.0, 1.0, false},     {"2", "0", "2", "100", 1.0, 0.995, false},
        {"2", "0", "2", "25", 1.0, 0.997, false},    {"1", "1", "2", "100", 1.0, 0.996, false},
        {"1", "1", "2", "25", 1.0, 0.999, false},    {"1", "1", "2", "4", 1.0, 0.999, true},
        {"2", "1", "3", "100", 0.9999, 0.992, true}, {"2", "1", "3", "25", 0.9999, 0.998, true},
        {"1", "2", "3", "100", 0.9997, 0.997, true}, {"1", "2", "3", "25", 0.9997, 0.999, true},
    };
    bool is_long = test_is_called_with("long");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        path_match true_ones, found_ones;
        if (cases[k].is_long && !is_long) {
            continue;
        }
        memset(&true_ones, 0, sizeof true_ones);
        memset(&found_ones, 0, sizeof found_ones);
        for (uint64_t city = 0; city < (is_long ? CITIES : 3); city++) {
            compare_city(seed + city, cases[k].reflections, cases[k].diffractions, cases[k].bounces, cases[k].tile_m2,
                         &true_ones, &found_ones);
        }
        print_message("R%s D%s, tiles of %s m2: %lld of %lld paths are true, %.5f of the power; %lld of %lld are "
                      "found, %.5f\n",
                      cases[k].reflections, cases[k].diffractions, cases[k].tile_m2, (long long)true_ones.found_count,
                      (long long)true_ones.path_count, true_ones.found_power / true_ones.power,
                      (long long)found_ones.found_count, (long long)found_ones.path_count,
                      found_ones.found_power / found_ones.power);
        assert_true(true_ones.found_power >= cases[k].true_min * true_ones.power);
        assert_true(found_ones.found_power >= cases[k].found_min * found_ones.power);
    }
}

/* Differences in dB, tiles less images. */
typedef struct spread {
    int count, missed, extra; /* with a path in both, in images alone, in tiles alone */
    double sum, square_sum;
} spread;

static double spread_mean(const spread *s)
{
    return s->sum / s->count;
}

static double spread_sd(const spread *s)
{
    return sqrt(fmax(s->square_sum / s->count - spread_mean(s) * spread_mean(s), 0.0));
}

/* Of hidden receivers alone: those of which `direct_db` is NAN. */
static void add_difference(const float *made_db, const float *exact_db, const float *direct_db, int64_t count,
                           spread *s)
{
    for (int64_t i = 0; i < count; i++) {
        double off = (double)exact_db[i] - (double)made_db[i];
        if (!isnan(direct_db[i])) {
            continue;
        }
        s->missed += isnan(made_db[i]) && !isnan(exact_db[i]);
        s->extra += isnan(exact_db[i]) && !isnan(made_db[i]);
        if (!isnan(off)) {
            s->count++;
            s->sum += off;
            s->square_sum += off * off;
        }
    }
}

static void print_spread(const char *tile_m2, const spread *s)
{
    print_message(
        "tiles of %3s m2: mean %+.3f dB, standard deviation %.3f dB over %d receivers in the shadow; %d have no "
        "path, %d have one that is not there\n",
        tile_m2, spread_mean(s), spread_sd(s), s->count, s->missed, s->extra);
}

/* The error of the power in the shadow shrinks with the tiles: two reflections and one diffraction, powers added. */
static void test_error_shrinks_with_the_tiles(void **state)
{
    (void)state;
    static const char *const areas[] = {"400", "100", "25", "4"};
    enum { POINTS = CITY_POINTS - 1 };
    bool is_long = test_is_called_with("long");
    int area_count = is_long ? 4 : 3;
    spread errors[4];
    memset(errors, 0, sizeof errors);
    for (uint64_t city = 0; city < (is_long ? 10 : 4); city++) {
        rcity_context *context = test_context(2);
        double xyh_m[3 * CITY_POINTS];
        float exact_db[POINTS], direct_db[POINTS], made_db[POINTS];
        rcity_scene *scene = trial_city(context, seed + 100 + city, CITY_BOX_MAX, xyh_m);
        ask images = ask_make("images", xyh_m[0], xyh_m[1], 4.0, 1e9);
        ask tiles = ask_make("tiles", xyh_m[0], xyh_m[1], 4.0, 1e9);
        ask_set(&images, "sum", "power");
        ask_orders(&images, "0", "0", "0");
        ask_set(&images, "ground", "off");
        ask_points(context, scene, &images, POINTS, xyh_m + 3, direct_db, NULL);
        ask_orders(&images, "3", "2", "1");
        ask_set(&images, "ground", "on");
        ask_points(context, scene, &images, POINTS, xyh_m + 3, exact_db, NULL);
        ask_orders(&tiles, "3", "2", "1");
        ask_set(&tiles, "ground-margin-m", "25");
        for (int a = 0; a < area_count; a++) {
            ask_set(&tiles, "tile-area-m2", areas[a]);
            ask_points(context, scene, &tiles, POINTS, xyh_m + 3, made_db, NULL);
            add_difference(made_db, exact_db, direct_db, POINTS, &errors[a]);
        }
        test_close(&context, &scene, NULL);
    }
    for (int a = 0; a < area_count; a++) {
        print_spread(areas[a], &errors[a]);
    }
    for (int a = 0; a < area_count; a++) {
        static const double sd_limits_db[] = {1.6, 0.85, 0.8, 0.6};
        static const double mean_limits_db[] = {0.65, 0.3, 0.2, 0.1};
        assert_true(spread_sd(&errors[a]) < sd_limits_db[a] && fabs(spread_mean(&errors[a])) < mean_limits_db[a]);
        assert_true(errors[a].missed == 0 && errors[a].extra == 0);
        assert_true(a == 0 || spread_sd(&errors[a]) < spread_sd(&errors[a - 1]));
    }
}

TEST_SUITE(tiles_paths)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths_are_those_of_images),
        cmocka_unit_test(test_error_shrinks_with_the_tiles),
    };
    return cmocka_run_group_tests_name("tiles_paths", tests, NULL, NULL);
}
