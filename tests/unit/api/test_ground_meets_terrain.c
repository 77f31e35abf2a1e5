/* Where there are no buildings, the methods of cities have the levels of the method over terrain: over flat ground, on a
   flat elevation grid and without one, and behind hills. */
#include "rcity_test.h"

#define PLACES 20

/* A shed, since methods of cities want a building, far from all lines; and an elevation grid, flat or with a ridge across
   the east. */
static rcity_scene *make_scene(rcity_context *context, int columns, double top_m)
{
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    if (columns > 0) {
        enum { ROWS = 41 };
        float *height_m = malloc((size_t)columns * ROWS * sizeof *height_m);
        assert_non_null(height_m);
        for (int i = 0; i < columns * ROWS; i++) {
            double from_ridge = (30.0 * (i % columns) - 2000.0) / 250.0;
            height_m[i] = (float)(top_m * exp(-from_ridge * from_ridge));
        }
        const rcity_terrain terrain = {
            .column_count = columns, .row_count = ROWS, .cell_m = 30.0, .height_m = height_m};
        assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
        free(height_m);
    }
    test_add_box(context, scene, 1, (test_box){5.0, 5.0, 6.0, 6.0, 1.0});
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

typedef struct trial {
    double mast_m, frequency_hz;
    double from_m, to_m; /* from the mast, in the east */
} trial;

static double distance_of(const trial *asked, int i)
{
    return asked->from_m * pow(asked->to_m / asked->from_m, (double)i / (PLACES - 1));
}

static void predict(rcity_context *context, rcity_device *device, const rcity_scene *scene, const char *method,
                    const trial *asked, float loss_db[])
{
    double xyh_m[3 * PLACES];
    rcity_request request = rcity_request_default();
    for (int i = 0; i < PLACES; i++) {
        xyh_m[3 * i] = 300.0 + distance_of(asked, i);
        xyh_m[3 * i + 1] = 600.0;
        xyh_m[3 * i + 2] = 1.5;
    }
    request.method = method;
    request.transmitter.x_m = 300.0;
    request.transmitter.y_m = 600.0;
    request.transmitter.height_m = asked->mast_m;
    request.transmitter.frequency_hz = asked->frequency_hz;
    request.receivers.point_count = PLACES;
    request.receivers.xyh_m = xyh_m;
    assert_ok(context, rcity_predict_points(context, scene, device, &request, loss_db, NULL));
}

/* The largest difference of a method from terrain. */
static double compare(rcity_context *context, rcity_device *device, const rcity_scene *scene, const char *method,
                      const trial *asked)
{
    float city_db[PLACES], terrain_db[PLACES];
    double worst_db = 0.0;
    int worst = 0;
    predict(context, device, scene, method, asked, city_db);
    predict(context, device, scene, "terrain", asked, terrain_db);
    for (int i = 0; i < PLACES; i++) {
        double difference_db = (double)city_db[i] - (double)terrain_db[i];
        if (fabs(difference_db) > fabs(worst_db)) {
            worst_db = difference_db;
            worst = i;
        }
    }
    print_message("%s, %.0f MHz, mast %.0f m: %.2f dB at %.0f m (%.1f, terrain %.1f)\n", method,
                  asked->frequency_hz * 1e-6, asked->mast_m, worst_db, distance_of(asked, worst),
                  (double)city_db[worst], (double)terrain_db[worst]);
    return worst_db;
}

static void test_flat_ground(void **state)
{
    (void)state;
    const double masts_m[] = {10.0, 20.0, 30.0, 60.0};
    const double frequencies_hz[] = {450e6, 900e6, 2100e6, 3500e6, 6000e6};
    rcity_context *context = test_context(2);
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    for (int has_grid = 0; has_grid < 2; has_grid++) {
        rcity_scene *scene = make_scene(context, has_grid ? 1701 : 0, 0.0);
        for (int i = 0; i < 20; i += has_grid ? 7 : 1) {
            trial asked = {masts_m[i % 4], frequencies_hz[i / 4], 100.0, 50000.0};
            assert_near(compare(context, device, scene, "shadow", &asked), 0.0, 1.0);
        }
        rcity_scene_destroy(&scene);
    }
    rcity_device_close(&device);
    rcity_context_destroy(&context);
}

/* Behind a high ridge both are alike; a low one, which hardly reaches up to the line, raises the smooth surface of P.1812,
   which flat ground is here. */
static void test_behind_a_ridge(void **state)
{
    (void)state;
    const double tops_m[] = {20.0, 40.0, 100.0};
    const double frequencies_hz[] = {450e6, 900e6, 3500e6};
    rcity_context *context = test_context(2);
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    for (int i = 0; i < 9; i++) {
        rcity_scene *scene = make_scene(context, 301, tops_m[i % 3]);
        trial asked = {30.0, frequencies_hz[i / 3], 2500.0, 8000.0};
        assert_near(compare(context, device, scene, "shadow", &asked), 0.0, tops_m[i % 3] < 100.0 ? 3.0 : 1.0);
        rcity_scene_destroy(&scene);
    }
    rcity_device_close(&device);
    rcity_context_destroy(&context);
}

/* The same in methods that look for rays; a few places, which they take longer for. */
static void test_tiles_and_beams(void **state)
{
    (void)state;
    static const char *const methods[] = {"tiles", "beams"};
    rcity_context *context = test_context(2);
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    for (int i = 0; i < 4; i++) {
        bool has_ridge = i % 2 == 1;
        rcity_scene *scene = make_scene(context, 301, has_ridge ? 100.0 : 0.0);
        trial asked = {30.0, 900e6, has_ridge ? 2500.0 : 150.0, 6000.0};
        assert_near(compare(context, device, scene, methods[i / 2], &asked), 0.0, 1.0);
        rcity_scene_destroy(&scene);
    }
    rcity_device_close(&device);
    rcity_context_destroy(&context);
}

TEST_SUITE(ground_meets_terrain)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat_ground),
        cmocka_unit_test(test_behind_a_ridge),
        cmocka_unit_test(test_tiles_and_beams),
    };
    return cmocka_run_group_tests_name("ground_meets_terrain", tests, NULL, NULL);
}
