/* Scattering between tiles at receivers: against that of images, which sums over small elements of walls, and for tiles
   of all sizes; and links in both directions. */
#include "tiles_trial.h"

#define CITIES 4

static const uint64_t seed = 20270120;

enum { POINTS = CITY_POINTS - 1 };

static void find_scattered(rcity_context *context, const rcity_scene *scene, const ask *a, const double *xyh_m,
                           double *scattered_db)
{
    rcity_rays *rays = ask_rays(context, scene, a, POINTS, xyh_m);
    for (int i = 0; i < POINTS; i++) {
        rcity_receiver_summary at;
        assert_ok(context, rcity_rays_get_receiver(rays, i, &at));
        scattered_db[i] = at.scattered_gain_db;
    }
    rcity_rays_destroy(&rays);
}

/* One scattering, no other event: that of images with elements of a metre. */
static void test_single_scattering_is_that_of_images(void **state)
{
    (void)state;
    static const char *const areas[] = {"100", "25", "4"};
    static const char *const models[] = {"lambertian", "directive"};
    double sum[2][3] = {{0}}, square[2][3] = {{0}}, worst[2][3] = {{0}};
    int count[2][3] = {{0}};
    static const double limits_db[2][3] = {{0.8, 0.4, 0.15}, {0.9, 0.5, 0.2}};
    bool is_long = test_is_called_with("long");
    int area_count = is_long ? 3 : 2;
    for (uint64_t city = 0; city < (is_long ? CITIES : 1); city++) {
        rcity_context *context = test_context(2);
        double xyh_m[3 * CITY_POINTS];
        double made_db[POINTS], exact_db[POINTS];
        rcity_scene *scene = trial_city(context, seed + city, 5, xyh_m);
        for (int k = 0; k < 2; k++) {
            ask images = ask_make("images", xyh_m[0], xyh_m[1], 10.0, 2e9);
            ask tiles = ask_make("tiles", xyh_m[0], xyh_m[1], 10.0, 2e9);
            ask_orders(&images, "1", "0", "0");
            ask_orders(&tiles, "1", "0", "0");
            ask_set(&images, "scattering", models[k]);
            ask_set(&images, "scattering-tile-m", "1");
            ask_set(&tiles, "scattering", models[k]);
            find_scattered(context, scene, &images, xyh_m + 3, exact_db);
            for (int a = 0; a < area_count; a++) {
                ask_set(&tiles, "tile-area-m2", areas[a]);
                find_scattered(context, scene, &tiles, xyh_m + 3, made_db);
                for (int i = 0; i < POINTS; i++) {
                    double off = made_db[i] - exact_db[i];
                    if (!isnan(off) && exact_db[i] > -150.0) {
                        count[k][a]++;
                        sum[k][a] += off;
                        square[k][a] += off * off;
                        worst[k][a] = fmax(worst[k][a], fabs(off));
                    }
                }
            }
        }
        test_close(&context, &scene, NULL);
    }
    for (int k = 0; k < 2; k++) {
        for (int a = 0; a < area_count; a++) {
            double mean = sum[k][a] / count[k][a];
            double sd = sqrt(fmax(square[k][a] / count[k][a] - mean * mean, 0.0));
            print_message("%s, tiles of %3s m2: %+.2f dB, standard deviation %.2f dB, worst %.2f dB, at %d receivers\n",
                          models[k], areas[a], mean, sd, worst[k][a], count[k][a]);
            assert_true(fabs(mean) < 0.5 && sd < limits_db[k][a]);
        }
    }
}

/* Losses of links in both directions, without scattering: what is exact is the same, and what tiles decide near shadows
   differs. */
static void test_links_are_alike_both_ways(void **state)
{
    (void)state;
    static const char *const areas[] = {"100", "25"};
    double square[2] = {0};
    int count = 0;
    for (uint64_t city = 0; city < (test_is_called_with("long") ? CITIES : 1); city++) {
        rcity_context *context = test_context(2);
        double xyh_m[3 * CITY_POINTS];
        rcity_scene *scene = trial_city(context, seed + 50 + city, 5, xyh_m);
        for (int i = 0; i < 4; i++) {
            const double *from = xyh_m + (size_t)3 * (size_t)i;
            const double *to = from + 12;
            for (int a = 0; a < 2; a++) {
                float there_db, back_db;
                ask tiles = ask_make("tiles", from[0], from[1], from[2], 1e9);
                ask_orders(&tiles, "2", "1", "1");
                ask_set(&tiles, "ground-margin-m", "20");
                ask_set(&tiles, "tile-area-m2", areas[a]);
                ask_points(context, scene, &tiles, 1, to, &there_db, NULL);
                tiles.tx.x_m = to[0];
                tiles.tx.y_m = to[1];
                tiles.tx.height_m = to[2];
                ask_points(context, scene, &tiles, 1, from, &back_db, NULL);
                square[a] += pow((double)there_db - (double)back_db, 2);
            }
            count++;
        }
        test_close(&context, &scene, NULL);
    }
    for (int a = 0; a < 2; a++) {
        print_message("tiles of %3s m2: %.3f dB between both ways of %d links, root mean square\n", areas[a],
                      sqrt(square[a] / count), count);
        assert_true(sqrt(square[a] / count) < 0.5);
    }
}

TEST_SUITE(tiles_scatter)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_scattering_is_that_of_images),
        cmocka_unit_test(test_links_are_alike_both_ways),
    };
    return cmocka_run_group_tests_name("tiles_scatter", tests, NULL, NULL);
}
