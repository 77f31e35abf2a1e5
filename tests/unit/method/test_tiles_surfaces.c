/* Levels on tiles themselves, which have what comes in without what their own surface reflects: two-ray theory up a
   facade, and the power on the ground beside that of exact paths. */
#include "two_ray_theory.h"

#define NEAR_M 0.05 /* above a tile, where `images` has a receiver that stands for it */

static const uint64_t seed = 20270302;

/* A facade at x = 0 that faces west, 60 m wide and 30 m high, and two boxes of half a metre that mark how far the flat
   ground extends. */
static rcity_scene *make_facade(rcity_context *context)
{
    const test_box boxes[] = {{0, -30, 12, 30, 30}, {-160, -80, -159.5, -79.5, 0.5}, {39.5, 79.5, 40, 80, 0.5}};
    return test_scene(context, boxes, 3);
}

/* Largest differences from theory, and the number of tiles. */
typedef struct two_ray_error {
    int tile_count;
    double share_min;       /* of the field of theory over the direct one: how deep the fades are */
    double level_db, field; /* outside of fades; of the direct field, everywhere */
} two_ray_error;

static void compare_facade(rcity_context *context, const rcity_scene *scene, const ask *a, bool is_horizontal,
                           two_ray_error *error)
{
    rcity_facet_table table;
    rcity_surfaces *surfaces = ask_surfaces(context, scene, a);
    const float *loss_db = surface_band(surfaces, "coherent_path_loss");
    const float *ray_count = surface_band(surfaces, "ray_count");
    assert_ok(context, rcity_facet_table_init(context, scene, a->tx.frequency_hz, &table));
    for (int64_t i = 0; i < rcity_surfaces_tile_count(surfaces); i++) {
        rcity_surface_tile tile;
        assert_int_equal(rcity_surfaces_get_tile(surfaces, i, &tile), RCITY_OK);
        if (tile.kind != RCITY_SURFACE_WALL || tile.normal[0] > -0.99f || fabs(tile.centre.x_m) > 0.1) {
            continue;
        }
        double plan_m = hypot(tile.centre.x_m - a->tx.x_m, tile.centre.y_m - a->tx.y_m);
        double free_db = free_space_db(hypot(plan_m, tile.centre.z_m - a->tx.height_m), a->tx.frequency_hz);
        double made = pow(10.0, -0.05 * ((double)loss_db[i] - free_db));
        double share = two_ray_share(&table, plan_m, a->tx.height_m, tile.centre.z_m, is_horizontal);
        assert_int_equal((int)ray_count[i], 2);
        error->tile_count++;
        error->share_min = fmin(error->share_min, share);
        error->field = fmax(error->field, fabs(made - share));
        if (share > 0.2) {
            error->level_db = fmax(error->level_db, fabs(20.0 * log10(made / share)));
        }
    }
    rcity_facet_table_deinit(context, &table);
    rcity_surfaces_destroy(&surfaces);
}

/* Every tile of the facade has the direct ray and the one off the ground, and their sum at its centre is that of two-ray
   theory with the ground's Fresnel coefficient, maxima and fades, for large and small tiles. */
static void test_a_facade_has_two_ray_theory_at_tile_centres(void **state)
{
    (void)state;
    static const double frequencies_hz[] = {9e8, 1.8e9, 3.5e9};
    static const char *const areas[] = {"100", "25", "4"};
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_facade(context);
    two_ray_error error = {0, 1.0, 0.0, 0.0};
    for (int k = 0; k < 6; k++) {
        bool is_horizontal = k % 2 == 1;
        ask a = ask_make("tiles", -110.0, 7.0, k < 3 ? 25.0 : 8.0, frequencies_hz[k % 3]);
        ask_orders(&a, "1", "1", "0");
        ask_set(&a, "tile-area-m2", areas[k / 2]);
        ask_set(&a, "rx-polarization", is_horizontal ? "horizontal" : "vertical");
        a.tx.polarization = is_horizontal ? RCITY_POLARIZATION_HORIZONTAL : RCITY_POLARIZATION_VERTICAL;
        compare_facade(context, scene, &a, is_horizontal, &error);
    }
    print_message("two-ray theory on %d tiles of a facade, down to %.2f of the direct field: within %.3f dB, in fades "
                  "within %.4f of the direct field\n",
                  error.tile_count, error.share_min, error.level_db, error.field);
    assert_true(error.tile_count > 1000 && error.share_min < 0.1);
    assert_true(error.level_db < 0.06 && error.field < 0.003);
    test_close(&context, &scene, NULL);
}

/* Differences in dB, tiles less images. */
typedef struct ground_error {
    int count, missed, extra; /* with a path in both, in images alone, in tiles alone */
    double sum_db, square_sum_db2;
} ground_error;

/* The power of all paths that a place just above a tile has, but those that the tile reflects; 0: none. */
static void find_exact(rcity_context *context, const rcity_scene *scene, const ask *images, int count,
                       const double *xyh_m, double *power)
{
    rcity_rays *rays = ask_rays(context, scene, images, count, xyh_m);
    for (int i = 0; i < count; i++) {
        rcity_receiver_summary at;
        assert_int_equal(rcity_rays_get_receiver(rays, i, &at), RCITY_OK);
        power[i] = 0.0;
        for (int64_t k = 0; k < at.path_count; k++) {
            rcity_path path;
            assert_int_equal(rcity_rays_get_path(rays, at.path_first + k, &path), RCITY_OK);
            power[i] += is_off_own_tile(&path, at.position) ? 0.0 : pow(10.0, 0.1 * path.gain_db);
        }
    }
    rcity_rays_destroy(&rays);
}

/* Tiles of the ground, drawn among all of them. @return how many. */
#define GROUND_TILES 60
static int draw_ground_tiles(const rcity_surfaces *surfaces, int64_t *numbers, double *xyh_m)
{
    int count = 0;
    for (uint64_t next = 0; count < GROUND_TILES; next++) {
        rcity_surface_tile tile;
        int64_t number = (int64_t)(test_random(seed, next) % (uint64_t)rcity_surfaces_tile_count(surfaces));
        assert_int_equal(rcity_surfaces_get_tile(surfaces, number, &tile), RCITY_OK);
        if (tile.kind == RCITY_SURFACE_GROUND) {
            xyh_m[3 * count] = tile.centre.x_m;
            xyh_m[3 * count + 1] = tile.centre.y_m;
            xyh_m[3 * count + 2] = NEAR_M;
            numbers[count++] = number;
        }
    }
    return count;
}

static void add_city(uint64_t city, const char *tile_m2, ground_error *error)
{
    double tx_m[3 * CITY_POINTS];
    double xyh_m[3 * GROUND_TILES];
    double power[GROUND_TILES];
    int64_t numbers[GROUND_TILES];
    rcity_context *context = test_context(2);
    rcity_scene *scene = trial_city(context, seed + city, CITY_BOX_MAX, tx_m);
    ask tiles = ask_make("tiles", tx_m[0], tx_m[1], 10.0, 1e9);
    ask images = ask_make("images", tx_m[0], tx_m[1], 10.0, 1e9);
    ask_orders(&tiles, "3", "2", "1");
    ask_orders(&images, "3", "2", "1");
    ask_set(&tiles, "tile-area-m2", tile_m2);
    ask_set(&tiles, "ground-margin-m", "10");
    ask_set(&tiles, "loss-limit-db", "250");
    rcity_surfaces *surfaces = ask_surfaces(context, scene, &tiles);
    const float *loss_db = surface_band(surfaces, "path_loss");
    int count = draw_ground_tiles(surfaces, numbers, xyh_m);
    find_exact(context, scene, &images, count, xyh_m, power);
    for (int i = 0; i < count; i++) {
        bool is_made = !isnan(loss_db[numbers[i]]);
        error->missed += !is_made && power[i] > 0.0;
        error->extra += is_made && power[i] <= 0.0;
        if (is_made && power[i] > 0.0) {
            double off_db = -(double)loss_db[numbers[i]] - 10.0 * log10(power[i]);
            error->count++;
            error->sum_db += off_db;
            error->square_sum_db2 += off_db * off_db;
        }
    }
    rcity_surfaces_destroy(&surfaces);
    test_close(&context, &scene, NULL);
}

/* The power on tiles of the ground converges to that of images with the same interactions: two reflections and one
   diffraction, powers added. */
static void test_power_on_the_ground_converges_to_images(void **state)
{
    (void)state;
    static const char *const areas[] = {"100", "25", "4"};
    static const double sd_limits_db[] = {1.2, 0.7, 0.3};
    static const double mean_limits_db[] = {0.2, 0.1, 0.05};
    double sd_before_db = HUGE_VAL;
    uint64_t cities = test_is_called_with("long") ? 8 : 3;
    for (int a = 0; a < 3; a++) {
        ground_error error = {0, 0, 0, 0.0, 0.0};
        for (uint64_t city = 0; city < cities; city++) {
            add_city(city, areas[a], &error);
        }
        double mean_db = error.sum_db / error.count;
        double sd_db = sqrt(fmax(error.square_sum_db2 / error.count - mean_db * mean_db, 0.0));
        print_message("ground tiles of %3s m2: mean %+.3f dB, standard deviation %.3f dB over %d with a path in both; "
                      "%d have one in images alone, %d in tiles alone\n",
                      areas[a], mean_db, sd_db, error.count, error.missed, error.extra);
        assert_true(sd_db < sd_limits_db[a] && sd_db < sd_before_db && fabs(mean_db) < mean_limits_db[a]);
        assert_true(error.count > 55 * (int)cities && error.missed + error.extra <= (int)cities);
        sd_before_db = sd_db;
    }
}

TEST_SUITE(tiles_surfaces)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_facade_has_two_ray_theory_at_tile_centres),
        cmocka_unit_test(test_power_on_the_ground_converges_to_images),
    };
    return cmocka_run_group_tests_name("tiles_surfaces", tests, NULL, NULL);
}
