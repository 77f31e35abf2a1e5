/* Levels of `tiles` drawn toward the mean of their surroundings: the law that `shadow` has, and nothing without it. */
#include "rcity_test.h"

#include "base/angle.h"
#include "kernel/surroundings/surroundings_mean.h"
#include "method/surroundings/built_up.h"
#include "method/surroundings/mean_level.h"
#include "scene/place/segment_test.h"
#include "scene/scene_data.h"

#define POINT_COUNT  300
#define FREQUENCY_HZ 28e9 /* the breakpoint of the ground is far away */

static const uint64_t seed = 20261119;

/* The numbers of the law unless given, of all methods that have it. */
static const rcity_surroundings_law defaults = {23.5f, 72.0f, 7.1619724f, 0.65f, 400.0f};

static rcity_surroundings_end draw_end(uint64_t at)
{
    rcity_surroundings_end end;
    end.height_m = (float)test_uniform(seed, at, 0.5, 80.0);
    end.here.built_share = (float)test_uniform(seed, at + 1, 0.0, 0.5);
    end.here.roof_m = (float)test_uniform(seed, at + 2, 0.0, 40.0);
    return end;
}

/* Level and slopes in double precision are those of the kernel that shadow runs. */
static void test_host_law_is_the_kernels(void **state)
{
    (void)state;
    double worst_db = 0.0, worst_slope = 0.0;
    long drawn = 0, diffuse = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        uint64_t at = 100 * i;
        rcity_mean_link link = {.source = draw_end(at), .receiver = draw_end(at + 10), .doubt_left = 1.0f};
        link.length_m = (float)pow(10.0, test_uniform(seed, at + 20, 1.0, 4.0));
        link.rise_m = link.receiver.height_m - link.source.height_m;
        link.built_m = (float)test_uniform(seed, at + 21, 0.0, (double)link.length_m);
        link.free_db = 32.45f + 20.0f * log10f(link.length_m);
        link.gain_db = (float)test_uniform(seed, at + 22, -20.0, 15.0);
        link.weight = rcity_surroundings_city_weight(link.source, link.receiver, link.built_m, link.length_m);
        double map_db = (double)link.free_db + test_uniform(seed, at + 23, -5.0, 80.0);
        bool with_antenna = i % 2 == 0;
        rcity_mean_values values = {(double)defaults.least_db, (double)defaults.roof_m, (double)defaults.doubt};
        rcity_mean_level level = rcity_mean_level_of(&defaults, &link, values, with_antenna, map_db);
        rcity_surroundings_mean mean = rcity_surroundings_mean_make(
            &defaults, link.source, link.receiver, link.free_db, link.built_m, link.length_m, link.rise_m, link.weight);
        mean.loss_db -= with_antenna ? link.gain_db : 0.0f;
        int is_diffuse;
        double kernel_db = (double)rcity_surroundings_mean_blend(mean, (float)map_db, &is_diffuse);
        worst_db = link.weight > 0.0f ? fmax(worst_db, fabs(level.loss_db - kernel_db)) : worst_db;
        drawn += link.weight > 0.0f;
        diffuse += level.is_diffuse;
        /* the larger the step of the map, the smaller that of the result */
        double step_db = rcity_mean_level_of(&defaults, &link, values, with_antenna, map_db + 1e-3).loss_db;
        worst_slope = fmax(worst_slope, fabs((step_db - level.loss_db) / 1e-3 - level.map_share));
        assert_true(level.map_share >= 0.0 && level.map_share <= 1.0 && level.mean_share >= 0.0);
        assert_near(level.map_share + level.mean_share, 1.0, 1e-9);
    }
    print_message("law: %ld links, %ld with the diffuse path strongest, within %.5f dB of the kernel, slopes within "
                  "%.6f\n",
                  drawn, diffuse, worst_db, worst_slope);
    assert_true(worst_db < 2e-3 && worst_slope < 1e-3 && drawn > 1500 && diffuse > 100);
}

/* A place without a city: nothing is added, and nothing drawn. */
static void test_open_land_has_no_mean(void **state)
{
    (void)state;
    rcity_mean_link link = {.source = {20.0f, {0.0f, 0.0f}}, .receiver = {1.5f, {0.0f, 0.0f}}, .length_m = 1000.0f};
    rcity_mean_values values = {20.0, 50.0, 0.5};
    rcity_mean_level level = rcity_mean_level_of(&defaults, &link, values, false, 100.0);
    assert_true(level.loss_db == 100.0 && level.map_share == 1.0 && level.mean_share == 0.0 && !level.is_diffuse);
}

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_antenna *antenna;
    double xyh_m[3 * POINT_COUNT];
} world;

static void open_world(world *w)
{
    memset(w, 0, sizeof *w);
    w->context = test_context(2);
    rcity_city_options options = rcity_city_options_default();
    options.seed = 5;
    options.area_km2 = 0.1;
    assert_ok(w->context, rcity_city_make(w->context, &options, &w->scene));
    assert_ok(w->context, rcity_device_open(w->context, "host", &w->device));
    assert_ok(w->context, rcity_antenna_create(w->context, "3gpp", &w->antenna));
    for (int i = 0; i < POINT_COUNT; i++) {
        w->xyh_m[3 * i] = test_uniform(seed, 900000 + (uint64_t)(3 * i), -30.0, 330.0);
        w->xyh_m[3 * i + 1] = test_uniform(seed, 900000 + (uint64_t)(3 * i + 1), -30.0, 330.0);
        w->xyh_m[3 * i + 2] = 1.5;
    }
}

static void close_world(world *w)
{
    rcity_antenna_destroy(&w->antenna);
    test_close(&w->context, &w->scene, &w->device);
}

static rcity_request ask(world *w, const char *const *names, const char *const *values, int count)
{
    rcity_request request = rcity_request_default();
    rcity_transmitter *tx = &request.transmitter;
    request.method = "tiles";
    request.receivers.point_count = POINT_COUNT;
    request.receivers.xyh_m = w->xyh_m;
    request.option_name = names;
    request.option_value = values;
    request.option_count = count;
    tx->x_m = tx->y_m = 150.0;
    tx->height_m = 45.0;
    tx->is_absolute = true;
    tx->frequency_hz = FREQUENCY_HZ;
    tx->power_kind = RCITY_POWER_CONDUCTED; /* 40 dBm into the antenna */
    tx->power_dbm = 40.0;
    tx->antenna = w->antenna;
    tx->azimuth_deg = 30.0;
    return request;
}

/* The loss of the rays alone, where `bare_db` is that with the diffuse path of a mean. */
static float loss_of_rays(float bare_db, rcity_surroundings_mean mean)
{
    double whole = pow(10.0, -0.1 * (double)bare_db);
    double left = whole - (double)(mean.weight * mean.weight) * pow(10.0, -0.1 * (double)mean.loss_db);
    return left > 1e-4 * whole ? (float)(-10.0 * log10(left)) : 1e30f;
}

/* What the kernel makes of the losses without doubt and nearly without the diffuse path. */
static void expect_levels(world *w, const float *bare_db, const float *bare_dbm, float *loss_db, float *received_dbm)
{
    const rcity_shapes *shapes = rcity_scene_shapes(w->scene);
    const rcity_point mast = {150.0, 150.0, 45.0};
    rcity_grid_point3 from;
    rcity_built_up *built_up = NULL;
    assert_ok(w->context, rcity_built_up_create(w->context, shapes, &built_up));
    assert_ok(w->context, rcity_shapes_snap(w->context, shapes, &mast, &from));
    rcity_surroundings_line *lines = malloc(rcity_built_up_node_count(built_up) * sizeof *lines);
    assert_non_null(lines);
    rcity_built_up_measure(w->context, built_up, from, lines);
    rcity_surroundings_end source = {45.0f, rcity_built_up_at(built_up, from.x, from.y)};
    for (int i = 0; i < POINT_COUNT; i++) {
        const rcity_point position = {w->xyh_m[3 * i], w->xyh_m[3 * i + 1], 1.5};
        rcity_grid_point3 at;
        assert_ok(w->context, rcity_shapes_snap(w->context, shapes, &position, &at));
        rcity_surroundings_place place = rcity_surroundings_locate(&built_up->lattice, at.x, at.y);
        rcity_surroundings_end receiver = {1.5f, rcity_built_up_at(built_up, at.x, at.y)};
        float built_m = rcity_surroundings_line_at(&built_up->lattice, lines, place).built_m;
        double length_m = hypot(hypot(position.x_m - mast.x_m, position.y_m - mast.y_m), 43.5);
        float weight = rcity_surroundings_city_weight(source, receiver, built_m, (float)length_m);
        double free_db = 20.0 * log10(4.0 * 3.14159265358979 * length_m * FREQUENCY_HZ / 299792458.0);
        rcity_surroundings_mean mean = rcity_surroundings_mean_make(&defaults, source, receiver, (float)free_db,
                                                                    built_m, (float)length_m, -43.5f, weight);
        rcity_surroundings_mean weak = mean;
        weak.loss_db += 80.0f - defaults.least_db;
        int is_diffuse;
        loss_db[i] = rcity_surroundings_mean_blend(mean, loss_of_rays(bare_db[i], weak), &is_diffuse);
        double azimuth_rad = atan2(position.x_m - mast.x_m, position.y_m - mast.y_m);
        double elevation_rad = asin(-43.5 / length_m);
        float gain_db = (float)rcity_antenna_gain_dbi(w->antenna, (double)NAN, rcity_angle_deg(azimuth_rad) - 30.0,
                                                      rcity_angle_deg(elevation_rad));
        mean.loss_db -= gain_db;
        weak.loss_db -= gain_db;
        float rays_db = loss_of_rays(40.0f - bare_dbm[i], weak);
        received_dbm[i] = 40.0f - rcity_surroundings_mean_blend(mean, rays_db, &is_diffuse);
    }
    free(lines);
    rcity_built_up_destroy(w->context, &built_up);
}

static void test_predictions_follow_the_law(void **state)
{
    (void)state;
    static float bare_db[POINT_COUNT], bare_dbm[POINT_COUNT], on_db[POINT_COUNT], on_dbm[POINT_COUNT];
    static float expected_db[POINT_COUNT], expected_dbm[POINT_COUNT];
    static const char *const names[] = {"max-bounces", "tile-area-m2", "map-doubt", "diffuse-db"};
    static const char *const bare[] = {"2", "200", "0", "80"}, *const on[] = {"2", "200"};
    world w;
    open_world(&w);
    rcity_request request = ask(&w, names, bare, 4);
    assert_ok(w.context, rcity_predict_points(w.context, w.scene, w.device, &request, bare_db, bare_dbm));
    request = ask(&w, names, on, 2);
    assert_ok(w.context, rcity_predict_points(w.context, w.scene, w.device, &request, on_db, on_dbm));
    expect_levels(&w, bare_db, bare_dbm, expected_db, expected_dbm);
    long inside = 0, moved = 0;
    double worst_db = 0.0;
    for (int i = 0; i < POINT_COUNT; i++) {
        if (isnan(on_db[i])) {
            assert_true(isnan(bare_db[i]) && isnan(on_dbm[i])); /* in buildings there is no diffuse path */
            inside++;
            continue;
        }
        worst_db = fmax(worst_db, fabs((double)on_db[i] - (double)expected_db[i]));
        worst_db = fmax(worst_db, fabs((double)on_dbm[i] - (double)expected_dbm[i]));
        moved += fabs((double)on_db[i] - (double)bare_db[i]) > 1.0;
    }
    print_message("predictions: %ld in buildings, %ld moved by more than 1 dB, all within %.4f dB of the law\n", inside,
                  moved, worst_db);
    assert_true(worst_db < 0.01 && inside > 50 && moved > 50);
    close_world(&w);
}

/* Losses to points on open land with one box on it, of rays alone and with the law. */
static void predict_open_land(test_box box, double wave_m, const double *tx_xyh_m, int count, const double *xyh_m,
                              float *off_db, float *on_db)
{
    static const char *const names[] = {"scattering", "over-roofs", "ground-tile-area-m2", "ground-margin-m",
                                        "surroundings"};
    static const char *const off[] = {"off", "off", "2500", "1100", "off"};
    static const char *const on[] = {"off", "off", "2500", "1100", "on"};
    rcity_context *context = test_context(1);
    rcity_scene *scene = test_scene(context, &box, 1);
    rcity_device *device = NULL;
    float received_dbm[8];
    assert_ok(context, rcity_device_open(context, "host", &device));
    rcity_request request = rcity_request_default();
    request.method = "tiles";
    request.receivers.point_count = count;
    request.receivers.xyh_m = xyh_m;
    request.option_name = names;
    request.option_value = off;
    request.option_count = 5;
    request.transmitter.x_m = tx_xyh_m[0];
    request.transmitter.y_m = tx_xyh_m[1];
    request.transmitter.height_m = tx_xyh_m[2];
    request.transmitter.frequency_hz = 299792458.0 / wave_m;
    assert_ok(context, rcity_predict_points(context, scene, device, &request, off_db, received_dbm));
    request.option_value = on;
    assert_ok(context, rcity_predict_points(context, scene, device, &request, on_db, received_dbm));
    test_close(&context, &scene, &device);
}

static double free_db(double length_m, double wave_m)
{
    return 20.0 * log10(4.0 * 3.14159265358979 * length_m / wave_m);
}

/* A ray and its reflection off the ground are one wave. Over open land, where nothing else is to be said, rays alone are twice
   as strong as free space where the ground reflects well; the law begins from one ray, and takes from it what two-ray
   theory takes: far beyond the breakpoint its level is that of the plane earth. */
static void test_a_ray_and_its_ground_reflection_are_one_wave(void **state)
{
    (void)state;
    const double wave_m = 0.65, tx_xyh_m[] = {0.0, 0.0, 6.0};
    const double xyh_m[] = {30.0, 0.0, 1.5, 100.0, 0.0, 1.5, 300.0, 0.0, 1.5, 1000.0, 0.0, 1.5};
    float off_db[4], on_db[4];
    predict_open_land((test_box){-400.0, 0.0, -390.0, 10.0, 5.0}, wave_m, tx_xyh_m, 4, xyh_m, off_db, on_db);
    for (int i = 0; i < 4; i++) {
        double length_m = hypot(xyh_m[3 * i], 4.5);
        double reach = length_m * wave_m / (4.0 * 6.0 * 1.5);
        double plane = reach * reach / (3.14159265358979 * 3.14159265358979);
        assert_near((double)on_db[i], free_db(length_m, wave_m) + fmax(10.0 * log10(plane), 0.0), 0.1); /* the box */
    }
    double brighter_db = free_db(300.0, wave_m) - (double)off_db[2];
    print_message("rays alone, 300 m: %.2f dB above free space\n", brighter_db);
    assert_true(brighter_db > 1.5 && brighter_db < 3.1);
    assert_near((double)on_db[3], 40.0 * 3.0 - 20.0 * log10(6.0 * 1.5), 0.2);
}

/* In sight of an edge the straight ray and what the edge diffracts are one wave: what a knife edge leaves, 6 dB less than
   free space where the line touches the edge. Rays alone are brighter there than in free space. */
static void test_an_edge_beside_the_ray_takes_from_it(void **state)
{
    (void)state;
    const double wave_m = 0.1, tx_xyh_m[] = {-300.0, 0.0, 100.0}, over_m[] = {0.05, 0.5, 1.5, 3.0, 8.0};
    double xyh_m[15];
    float off_db[5], on_db[5];
    for (int i = 0; i < 5;
         i++) { /* the line is so far above the edge of a wall of 60 m, 300 m and 100 m from its ends */
        xyh_m[3 * i] = 100.0;
        xyh_m[3 * i + 1] = 0.0;
        xyh_m[3 * i + 2] = 100.0 + (60.0 + over_m[i] - 100.0) * 4.0 / 3.0;
    }
    predict_open_land((test_box){0.0, -200.0, 0.05, 200.0, 60.0}, wave_m, tx_xyh_m, 5, xyh_m, off_db, on_db);
    for (int i = 0; i < 5; i++) {
        double length_m = hypot(400.0, 100.0 - xyh_m[3 * i + 2]);
        double v = -over_m[i] * sqrt(2.0 * 400.0 / (wave_m * 300.0 * 100.0));
        double w = v - 0.1;
        double edge_db = v > -0.78 ? 6.9 + 20.0 * log10(sqrt(w * w + 1.0) + w) : 0.0;
        assert_near((double)on_db[i] - free_db(length_m, wave_m), edge_db, 0.1);
    }
    assert_true((double)off_db[0] < free_db(400.0, wave_m));
}

/* Without the law a level is the sum of what the rays bring. */
static void test_off_is_the_sum_of_rays(void **state)
{
    (void)state;
    static float loss_db[POINT_COUNT], received_dbm[POINT_COUNT];
    static const char *const names[] = {"max-bounces", "tile-area-m2", "surroundings"};
    static const char *const values[] = {"2", "200", "off"};
    world w;
    rcity_rays *rays = NULL;
    long compared = 0;
    open_world(&w);
    rcity_request request = ask(&w, names, values, 3);
    assert_ok(w.context, rcity_predict_points(w.context, w.scene, w.device, &request, loss_db, received_dbm));
    request = ask(&w, names, values, 2); /* the law changes no ray, so that its options are refused there */
    assert_ok(w.context, rcity_rays_find(w.context, w.scene, w.device, &request, &rays));
    for (int i = 0; i < POINT_COUNT; i++) {
        rcity_receiver_summary summary;
        assert_ok(w.context, rcity_rays_get_receiver(rays, i, &summary));
        assert_int_equal(isnan(loss_db[i]), isnan(summary.loss_db));
        if (!isnan(loss_db[i])) {
            assert_near((double)loss_db[i], summary.loss_db, 0.02);
            compared++;
        }
    }
    assert_true(compared > 100);
    rcity_rays_destroy(&rays);
    close_world(&w);
}

/* Fields added with their phases are those of one map, whatever it is worth. */
static void test_coherent_sums_are_left_alone(void **state)
{
    (void)state;
    static float off_db[POINT_COUNT], on_db[POINT_COUNT], received_dbm[POINT_COUNT];
    static const char *const names[] = {"max-bounces", "tile-area-m2", "sum", "surroundings"};
    static const char *const off[] = {"1", "200", "coherent", "off"}, *const on[] = {"1", "200", "coherent", "on"};
    world w;
    open_world(&w);
    rcity_request request = ask(&w, names, off, 4);
    assert_ok(w.context, rcity_predict_points(w.context, w.scene, w.device, &request, off_db, received_dbm));
    request = ask(&w, names, on, 4);
    assert_ok(w.context, rcity_predict_points(w.context, w.scene, w.device, &request, on_db, received_dbm));
    assert_memory_equal(off_db, on_db, sizeof off_db);
    close_world(&w);
}

TEST_SUITE(tiles_mean)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_host_law_is_the_kernels),
        cmocka_unit_test(test_open_land_has_no_mean),
        cmocka_unit_test(test_predictions_follow_the_law),
        cmocka_unit_test(test_a_ray_and_its_ground_reflection_are_one_wave),
        cmocka_unit_test(test_an_edge_beside_the_ray_takes_from_it),
        cmocka_unit_test(test_off_is_the_sum_of_rays),
        cmocka_unit_test(test_coherent_sums_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
