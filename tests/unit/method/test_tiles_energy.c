/* Power through the tiles of a yard: what arrives is what was sent, what is scattered arrives, whatever the size of
   tiles, and nothing becomes more. */
#include "tiles_trial.h"

#include "method/tiles/tiles.h"
#include "method/tiles/tiles_run.h"
#include "scene/scene_data.h"

static const uint64_t seed = 20270118;

/* A building around a yard. */
static rcity_scene *make_yard(rcity_context *context, double width_m, double depth_m, double height_m,
                              const char *material)
{
    rcity_scene *scene = NULL;
    rcity_scene_options options = rcity_scene_options_default();
    const double xy_m[] = {-20, -20, width_m + 20, -20,     width_m + 20, depth_m + 20, -20, depth_m + 20, 0,
                           0,   0,   depth_m,      width_m, depth_m,      width_m,      0};
    const int point_count[] = {4, 4};
    rcity_building building = rcity_building_default();
    building.ring_count = 2;
    building.ring_point_count = point_count;
    building.xy_m = xy_m;
    building.height_m = height_m;
    building.material = material;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_add_building(scene, &building));
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

/* The whole run of one transmitter on the tiles themselves. @return the power that passes through all tiles, over that
   which the transmitter sends. */
static double power_on_tiles(rcity_context *context, const rcity_scene *scene, const ask *a)
{
    rcity_receivers receivers = rcity_receivers_default();
    rcity_job job;
    rcity_tx tx;
    rcity_device *device = NULL;
    void *prepared = NULL;
    void *trace = NULL;
    rcity_tiles_run run;
    memset(&job, 0, sizeof job);
    memset(&tx, 0, sizeof tx);
    assert_ok(context, rcity_device_open(context, "host", &device));
    job.context = context;
    job.scene = scene;
    job.shapes = rcity_scene_shapes(scene);
    job.device = device;
    job.method = &rcity_tiles_method;
    job.receivers = &receivers;
    assert_ok(context, rcity_method_read_options(&job, a->option_count, a->name, a->value));
    tx.stated = a->tx;
    assert_ok(context, rcity_transmitter_locate(context, scene, &a->tx, &tx.position));
    assert_ok(context, rcity_tiles_prepare(&job, &prepared));
    assert_ok(context, rcity_tiles_trace(&job, prepared, NULL, 1, &tx, &trace));
    assert_ok(context, rcity_tiles_run_init(&job, trace, &tx, false, true, &run));
    assert_ok(context, rcity_tiles_run_all(&run));
    double sum = 0.0;
    for (int64_t i = 0; i < run.prepared->tiling.tile_count; i++) {
        const rcity_tile *tile = &run.prepared->tiling.tiles[i];
        const rcity_i64 *arrival = run.tile_sums[i].arrival;
        double through = -((double)arrival[0] * (double)tile->nx + (double)arrival[1] * (double)tile->ny +
                           (double)arrival[2] * (double)tile->nz) /
                         (double)run.tile_scale[i].power;
        sum += through * 4.0 * (double)tile->half_u * (double)tile->half_v;
    }
    rcity_tiles_run_deinit(&run);
    rcity_tiles_release_trace(context, trace);
    rcity_tiles_release_prepared(context, prepared);
    rcity_device_close(&device);
    return sum / (4.0 * PI);
}

/* A yard so deep that next to nothing leaves it: all that is sent arrives, S^2 of it arrives once more, and so it does
   for tiles of all sizes. */
static void test_a_deep_yard_keeps_what_is_scattered(void **state)
{
    (void)state;
    static const char *const areas[] = {"100", "25", "4"};
    static const char *const models[] = {"lambertian", "directive"};
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_yard(context, 20.0, 30.0, 200.0, NULL);
    ask a = ask_make("tiles", 8.0, 13.0, 100.0, 1e9);
    ask_set(&a, "ground-margin-m", "0");
    ask_set(&a, "rx-polarization", "both");
    ask_set(&a, "scattering-coefficient", "0.6");
    for (int i = 0; i < (test_is_called_with("long") ? 3 : 2); i++) {
        ask_set(&a, "tile-area-m2", areas[i]);
        ask_set(&a, "scattering", "off");
        ask_orders(&a, "0", "0", "0");
        double direct = power_on_tiles(context, scene, &a);
        assert_near(direct, 1.0, 0.01);
        for (int k = 0; k < 2; k++) {
            ask_set(&a, "scattering", models[k]);
            ask_orders(&a, "1", "0", "0");
            double again = power_on_tiles(context, scene, &a) / direct - 1.0;
            print_message("tiles of %s m2: %.4f of the power arrives, and %.4f again by %s scattering of 0.36\n",
                          areas[i], direct, again, models[k]);
            assert_near(again / 0.36, 1.0, k == 0 ? 0.01 : 0.03);
        }
    }
    test_close(&context, &scene, NULL);
}

/* In yards of all shapes and materials, open to the sky, no bounce brings more power than the one before: reflected and
   scattered power together come from what arrived. Single bounces may be counted too high by a few percent, since a
   tile stands for its centre. */
static void test_no_bounce_brings_more_than_the_one_before(void **state)
{
    (void)state;
    static const char *const models[] = {"off", "lambertian", "directive"};
    static const char *const bounces[] = {"0", "1", "2", "3"};
    double worst = 0.0;
    double first = 0.0;
    int yards = test_is_called_with("long") ? 12 : 4;
    for (int i = 0; i < yards; i++) {
        uint64_t next = (uint64_t)i * 100;
        double width_m = test_uniform(seed, next++, 15.0, 60.0);
        double depth_m = test_uniform(seed, next++, 15.0, 60.0);
        double height_m = test_uniform(seed, next++, 10.0, 40.0);
        rcity_context *context = test_context(2);
        rcity_scene *scene = make_yard(context, width_m, depth_m, height_m, i % 2 == 0 ? "metal" : NULL);
        double x = width_m * test_uniform(seed, next++, 0.2, 0.8);
        double y = depth_m * test_uniform(seed, next++, 0.2, 0.8);
        ask a = ask_make("tiles", x, y, height_m * test_uniform(seed, next++, 0.2, 0.8), 1e9);
        ask_set(&a, "tile-area-m2", "25");
        ask_set(&a, "ground-margin-m", "0");
        ask_set(&a, "rx-polarization", "both");
        ask_set(&a, "scattering", models[i % 3]);
        ask_set(&a, "scattering-of", i % 4 < 2 ? "incident" : "reflected");
        ask_set(&a, "scattering-coefficient", i % 2 == 0 ? "0.7" : "0.4");
        double whole[4];
        for (int k = 0; k < 4; k++) {
            ask_orders(&a, bounces[k], bounces[k], "0");
            whole[k] = power_on_tiles(context, scene, &a);
        }
        print_message("yard of %.0f x %.0f x %.0f m, %s: %.3f, then %.3f, %.3f, %.3f\n", width_m, depth_m, height_m,
                      models[i % 3], whole[0], whole[1] - whole[0], whole[2] - whole[1], whole[3] - whole[2]);
        first = fmax(first, whole[0]);
        for (int k = 1; k < 4; k++) {
            double before = k == 1 ? whole[0] : whole[k - 1] - whole[k - 2];
            worst = fmax(worst, (whole[k] - whole[k - 1]) / before);
        }
        test_close(&context, &scene, NULL);
    }
    print_message("at most %.3f of the power sent arrives, and %.3f times the power of the bounce before\n", first,
                  worst);
    assert_true(first <= 1.02 && worst <= 1.03);
}

/* A yard with a lower house across its middle. */
static rcity_scene *make_parted_yard(rcity_context *context, double width_m, double depth_m, double height_m,
                                     double house_m)
{
    rcity_scene *scene = NULL;
    rcity_scene_options options = rcity_scene_options_default();
    const double xy_m[] = {-20, -20, width_m + 20, -20,     width_m + 20, depth_m + 20, -20, depth_m + 20, 0,
                           0,   0,   depth_m,      width_m, depth_m,      width_m,      0};
    const int point_count[] = {4, 4};
    const test_box house = {0.45 * width_m, 0.2, 0.55 * width_m, depth_m - 0.2, house_m};
    rcity_building building = rcity_building_default();
    building.id = 1;
    building.ring_count = 2;
    building.ring_point_count = point_count;
    building.xy_m = xy_m;
    building.height_m = height_m;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_add_building(scene, &building));
    test_add_box(context, scene, 2, house);
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

/* With scattering over roofs too, what is scattered once is at most S^2 of what arrived, wherever it goes, and no bounce
   brings more than the one before. The transmitter stands low on one side of the house: walls above send over its roof
   to what they do not see behind it. */
static void test_what_goes_over_roofs_is_no_more(void **state)
{
    (void)state;
    static const char *const models[] = {"lambertian", "directive"};
    static const char *const bounces[] = {"0", "1", "2", "3"};
    int yards = test_is_called_with("long") ? 8 : 1;
    double worst_once = 0.0;
    double worst_bounce = 0.0;
    for (int i = 0; i < yards; i++) {
        uint64_t next = (uint64_t)(1000 + i * 100);
        double width_m = test_uniform(seed, next++, 30.0, 80.0);
        double depth_m = test_uniform(seed, next++, 15.0, 50.0);
        double height_m = test_uniform(seed, next++, 20.0, 40.0);
        double house_m = height_m * test_uniform(seed, next++, 0.3, 0.7);
        rcity_context *context = test_context(2);
        rcity_scene *scene = make_parted_yard(context, width_m, depth_m, height_m, house_m);
        double x = width_m * test_uniform(seed, next++, 0.1, 0.4);
        double y = depth_m * test_uniform(seed, next++, 0.2, 0.8);
        ask a = ask_make("tiles", x, y, house_m * test_uniform(seed, next++, 0.2, 0.8), 1e9);
        ask_set(&a, "tile-area-m2", "25");
        ask_set(&a, "ground-margin-m", "0");
        ask_set(&a, "rx-polarization", "both");
        ask_set(&a, "scattering-coefficient", "0.7");
        double arrived[2], again[2]; /* without and with paths over roofs */
        for (int k = 0; k < 2; k++) {
            ask_set(&a, "over-roofs", k == 0 ? "off" : "on");
            ask_set(&a, "scattering", "off");
            ask_orders(&a, "0", "0", "0");
            arrived[k] = power_on_tiles(context, scene, &a);
            ask_set(&a, "scattering", models[(i + 1) % 2]);
            ask_orders(&a, "1", "0", "0");
            again[k] = power_on_tiles(context, scene, &a) - arrived[k];
        }
        double whole[4];
        for (int k = 0; k < 4; k++) {
            ask_orders(&a, bounces[k], bounces[k], "0");
            whole[k] = power_on_tiles(context, scene, &a);
        }
        print_message("yard of %.0f x %.0f x %.0f m with a house of %.0f m, %s: %.3f arrives, %.4f over roofs; %.4f is "
                      "scattered to tiles that are seen, %.4f over roofs; all bounces %.3f, then %.3f, %.3f, %.3f\n",
                      width_m, depth_m, height_m, house_m, models[(i + 1) % 2], arrived[0], arrived[1] - arrived[0],
                      again[0], again[1] - again[0], whole[0], whole[1] - whole[0], whole[2] - whole[1],
                      whole[3] - whole[2]);
        assert_true(arrived[1] <= 1.02 && again[1] > again[0] + 1e-4);
        worst_once = fmax(worst_once, again[1] / arrived[1] / 0.49);
        for (int k = 1; k < 4; k++) {
            double before = k == 1 ? whole[0] : whole[k - 1] - whole[k - 2];
            worst_bounce = fmax(worst_bounce, (whole[k] - whole[k - 1]) / before);
        }
        test_close(&context, &scene, NULL);
    }
    print_message("with paths over roofs: at most %.3f of S^2 arrives, and %.3f times the power of the bounce before\n",
                  worst_once, worst_bounce);
    assert_true(worst_once <= 1.0 && worst_bounce <= 1.03);
}

TEST_SUITE(tiles_energy)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_deep_yard_keeps_what_is_scattered),
        cmocka_unit_test(test_no_bounce_brings_more_than_the_one_before),
        cmocka_unit_test(test_what_goes_over_roofs_is_no_more),
    };
    return cmocka_run_group_tests_name("tiles_energy", tests, NULL, NULL);
}
