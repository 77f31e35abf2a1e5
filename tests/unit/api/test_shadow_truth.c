/* The default law of `shadow` through the whole chain: a screen against knife edges written out, the edge of sight
   without a step, two-ray in the open, ends exchanged, higher masts. */
#include "rcity_test.h"

#define LIGHT_M_PER_S 299792458.0
#define POINT_MAX     700

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
} world;

static void open_boxes(world *w, const test_box *boxes, int count)
{
    w->context = test_context(2);
    w->scene = test_scene(w->context, boxes, count);
    assert_ok(w->context, rcity_device_open(w->context, "host", &w->device));
}

static void close_world(world *w)
{
    test_close(&w->context, &w->scene, &w->device);
}

/* Losses from a mast to points (x, y, height). */
static void predict(const world *w, double x, double y, double height, double frequency_hz, int count,
                    const double *xyh_m, float *loss_db)
{
    static const char *const name[] = {"through-walls"}, *const value[] = {"off"};
    rcity_request request = rcity_request_default();
    request.method = "shadow";
    request.transmitter.x_m = x;
    request.transmitter.y_m = y;
    request.transmitter.height_m = height;
    request.transmitter.frequency_hz = frequency_hz;
    request.receivers.point_count = count;
    request.receivers.xyh_m = xyh_m;
    request.option_count = 1;
    request.option_name = name;
    request.option_value = value;
    assert_ok(w->context, rcity_predict_points(w->context, w->scene, w->device, &request, loss_db, NULL));
}

static double free_space_db(double distance_m, double wavelength_m)
{
    return 20.0 * log10(4.0 * 3.14159265358979323846 * distance_m / wavelength_m);
}

/* ITU-R P.526-15, equation 31. */
static double knife_edge_db(double v)
{
    return v > -0.78 ? fmax(6.9 + 20.0 * log10(sqrt((v - 0.1) * (v - 0.1) + 1.0) + v - 0.1), 0.0) : 0.0;
}

static const double frequencies_hz[] = {450e6, 947e6, 2100e6, 28e9};

/* A screen of 10 m, a tenth of a metre thick and 400 m wide, between a mast of 20 m and receivers behind it: nothing
   goes around it, and nothing is built. */
static void test_screen_is_a_knife_edge_on_both_sides_of_grazing(void **state)
{
    (void)state;
    const test_box screen = {0, -200, 0.125, 200, 10};
    const double mast_m = 20.0, before_m = 300.0, low_m = 1.5;
    static double xyh_m[3 * POINT_MAX];
    static float loss_db[POINT_MAX];
    world w;
    open_boxes(&w, &screen, 1);
    for (int i = 0; i < POINT_MAX; i++) {
        xyh_m[3 * i] = 10.0 + i;
        xyh_m[3 * i + 1] = 0.3;
        xyh_m[3 * i + 2] = low_m;
    }
    for (int k = 0; k < 4; k++) {
        double wavelength_m = LIGHT_M_PER_S / frequencies_hz[k];
        predict(&w, -before_m, 0.3, mast_m, frequencies_hz[k], POINT_MAX, xyh_m, loss_db);
        double worst_db = 0.0, worst_step_db = 0.0;
        for (int i = 0; i < POINT_MAX; i++) {
            double behind_m = xyh_m[3 * i], whole_m = before_m + behind_m;
            double line_m = mast_m + (low_m - mast_m) * before_m / whole_m; /* its height at the screen */
            double v = (10.0 - line_m) * sqrt(2.0 * whole_m / (wavelength_m * before_m * behind_m));
            double reach = whole_m * wavelength_m / (4.0 * 3.14159265358979323846 * mast_m * low_m);
            double ground_db = fmax(20.0 * log10(reach), 0.0), edge_db = knife_edge_db(v);
            ground_db *= fmin(1.0, pow(10.0, 0.1 * (6.0206 - edge_db)));
            double expected_db = free_space_db(hypot(whole_m, mast_m - low_m), wavelength_m) + edge_db + ground_db;
            double angle_rad = atan2(10.0 - low_m, behind_m) + atan2(mast_m - 10.0, before_m);
            if (angle_rad < 0.52) { /* 30 degrees */
                worst_db = fmax(worst_db, fabs((double)loss_db[i] - expected_db));
            }
            worst_step_db = i > 0 ? fmax(worst_step_db, fabs((double)(loss_db[i] - loss_db[i - 1]))) : 0.0;
        }
        print_message("%5.0f MHz: within %.2f dB of one knife edge up to 30 degrees, steps of a metre up to %.2f dB\n",
                      frequencies_hz[k] * 1e-6, worst_db, worst_step_db);
        assert_true(worst_db < 1.0);
        assert_true(worst_step_db < 3.0);
    }
    close_world(&w);
}

/* Two boxes far apart, and nothing between: free space near the mast, and far away the plane earth, whose loss is d^2 /
   (h h') in field at any frequency. */
static void test_open_ground_is_two_ray(void **state)
{
    (void)state;
    const test_box boxes[] = {{-4000, -4000, -3996, -3996, 3}, {4000, 4000, 4004, 4004, 3}};
    const double mast_m = 15.0, low_m = 1.5;
    double xyh_m[9] = {30.0, 0.0, low_m, 2000.0, 0.0, low_m, 3600.0, 0.0, low_m};
    float loss_db[3];
    world w;
    open_boxes(&w, boxes, 2);
    for (int k = 0; k < 2; k++) {
        double wavelength_m = LIGHT_M_PER_S / frequencies_hz[k];
        predict(&w, 0.0, 0.0, mast_m, frequencies_hz[k], 3, xyh_m, loss_db);
        assert_near((double)loss_db[0], free_space_db(hypot(xyh_m[0], mast_m - low_m), wavelength_m), 0.05);
        for (int i = 1; i < 3; i++) {
            double two_ray_db = 40.0 * log10(xyh_m[3 * i]) - 20.0 * log10(mast_m * low_m);
            assert_near((double)loss_db[i], two_ray_db, 0.35);
        }
    }
    close_world(&w);
}

/* Places outside of buildings in a made city. */
static int draw_places(const world *w, uint64_t seed, double height_m, int count, double *xyh_m)
{
    rcity_scene_info info;
    assert_ok(w->context, rcity_scene_describe(w->scene, &info));
    int made = 0;
    for (uint64_t i = 0; made < count; i++) {
        double x = test_uniform(seed, 2 * i, info.x_min_m, info.x_max_m);
        double y = test_uniform(seed, 2 * i + 1, info.y_min_m, info.y_max_m);
        rcity_cover cover;
        assert_ok(w->context, rcity_scene_get_cover(w->context, w->scene, x, y, &cover));
        if (!cover.is_covered) {
            xyh_m[3 * made] = x;
            xyh_m[3 * made + 1] = y;
            xyh_m[3 * made++ + 2] = height_m;
        }
    }
    return made;
}

static void open_city(world *w, rcity_city_kind kind)
{
    rcity_city_options options = rcity_city_options_default();
    options.kind = kind;
    options.seed = 4;
    options.area_km2 = 0.5;
    w->context = test_context(2);
    assert_ok(w->context, rcity_city_make(w->context, &options, &w->scene));
    assert_ok(w->context, rcity_device_open(w->context, "host", &w->device));
}

/* A tower beside the line: around its front corner, and farther behind it around two. */
static const test_box tower = {-6, -7.5, 6, 7.5, 100};

/* Across the shadow in steps of 5 cm there is no jump, neither where sight ends nor where a second corner comes in: J(v)
   grows by at most 8.69 dB for each unit of v, and a step moves the line past the corners by 5 cm times 294 m / 356 m
   and by 5 cm times 12 m / 62 m. */
static void test_second_corner_comes_in_without_a_step(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    static double xyh_m[3 * COUNT];
    static float loss_db[COUNT];
    world w;
    open_boxes(&w, &tower, 1);
    for (int i = 0; i < COUNT; i++) {
        xyh_m[3 * i] = 56.0;
        xyh_m[3 * i + 1] = 0.02 + 0.05 * i;
        xyh_m[3 * i + 2] = 1.5;
    }
    for (int k = 0; k < 4; k++) {
        double wavelength_m = LIGHT_M_PER_S / frequencies_hz[k];
        double front = 0.05 * 294.0 / 356.0 * sqrt(2.0 * 356.0 / (wavelength_m * 294.0 * 62.0));
        double back = 0.05 * 12.0 / 62.0 * sqrt(2.0 * 62.0 / (wavelength_m * 12.0 * 50.0));
        predict(&w, -300.0, 0.0, 5.0, frequencies_hz[k], COUNT, xyh_m, loss_db);
        double worst_db = 0.0;
        for (int i = 1; i < COUNT; i++) {
            worst_db = fmax(worst_db, fabs((double)(loss_db[i] - loss_db[i - 1])));
        }
        print_message("%5.0f MHz: steps of 5 cm across a tower's shadow up to %.2f dB\n", frequencies_hz[k] * 1e-6,
                      worst_db);
        assert_true(worst_db < 8.69 * (front + back));
    }
    close_world(&w);
}

/* Far from grazing two edges lose (2 pi a)^2 (2 pi b)^2 p q r / (wavelength^2 (p + q + r)) in power (the product of two
   Keller coefficients, and how the wave spreads between them), with the turns as 2 sin(angle / 2). Both ways. */
static void test_two_corners_are_two_edges(void **state)
{
    (void)state;
    const double mast[3] = {-300.0, 0.0, 5.0}, pi = 3.14159265358979323846;
    const double wavelength_m = LIGHT_M_PER_S / frequencies_hz[3];
    world w;
    open_boxes(&w, &tower, 1);
    for (double behind_m = 4.0; behind_m < 70.0; behind_m *= 2.0) {
        const double receiver[3] = {6.0 + behind_m, 1.0, 1.5};
        double p = hypot(294.0, 7.5), q = 12.0, r = hypot(behind_m, 6.5);
        double a = 2.0 * sin(0.5 * atan2(7.5, 294.0)), b = 2.0 * sin(0.5 * atan2(6.5, behind_m));
        double edges = pow(4.0 * pi * pi * a * b / wavelength_m, 2.0) * p * q * r / (p + q + r);
        double expected_db = free_space_db(hypot(p + q + r, 3.5), wavelength_m) + 10.0 * log10(edges);
        float there_db, back_db;
        predict(&w, mast[0], mast[1], mast[2], frequencies_hz[3], 1, receiver, &there_db);
        predict(&w, receiver[0], receiver[1], receiver[2], frequencies_hz[3], 1, mast, &back_db);
        assert_near((double)there_db, expected_db, 0.6);
        assert_near((double)there_db, (double)back_db, 0.01);
    }
    close_world(&w);
}

/* A line half a metre beside a wall that begins near one end and stops in the middle: seen from either end another of
   its two corners is where the wall turns away, but the nearest edge is the same. */
static void test_nearest_edge_is_the_same_from_both_ends(void **state)
{
    (void)state;
    const test_box box = {5, 0.5, 50, 10, 10};
    const double near[3] = {0.0, 0.0, 3.0}, far[3] = {100.0, 0.0, 1.5};
    world w;
    open_boxes(&w, &box, 1);
    for (int k = 0; k < 4; k++) {
        double wavelength_m = LIGHT_M_PER_S / frequencies_hz[k];
        float there_db, back_db;
        predict(&w, near[0], near[1], near[2], frequencies_hz[k], 1, far, &there_db);
        predict(&w, far[0], far[1], far[2], frequencies_hz[k], 1, near, &back_db);
        assert_near((double)there_db, (double)back_db, 0.01);
        double edge_db = knife_edge_db(-0.5 * sqrt(2.0 * 100.0 / (wavelength_m * 50.0 * 50.0)));
        assert_true((double)there_db > free_space_db(hypot(100.0, 1.5), wavelength_m) + edge_db - 0.1);
    }
    close_world(&w);
}

/* Blocks of 40 x 40 m, 20 m high, and streets of 40 m, on a square of 960 m; a mast in the middle of a street and
   receivers along it. */
static void open_blocks(world *w)
{
    enum { SIDE = 12 };
    static test_box blocks[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = 80 * (i % SIDE), y = 80 * (i / SIDE);
        blocks[i] = (test_box){x, y, x + 40, y + 40, 20};
    }
    open_boxes(w, blocks, SIDE * SIDE);
}

/* Along a street the map hides nothing: the loss is the median of ITU-R P.1411, section 4.2.1, from a mast below the
   roofs and from one above them; a receiver that is as far and is seen over roofs loses more, as the map may be wrong. */
static void test_sight_along_a_street_is_the_median_of_p1411(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    static double xyh_m[3 * COUNT];
    float loss_db[COUNT], over_roofs_db;
    world w;
    open_blocks(&w);
    for (int i = 0; i < COUNT; i++) {
        xyh_m[3 * i] = 120.0 + 10.0 * i;
        xyh_m[3 * i + 1] = 460.0;
        xyh_m[3 * i + 2] = 1.5;
    }
    for (int k = 0; k < 4; k++) {
        double wavelength_m = LIGHT_M_PER_S / frequencies_hz[k];
        for (double mast_m = 10.0; mast_m < 50.0; mast_m += 25.0) {
            double worst_db = 0.0;
            predict(&w, 20.0 + 40.0, 460.0, mast_m, frequencies_hz[k], COUNT, xyh_m, loss_db);
            for (int i = 0; i < COUNT; i++) {
                double line_m = hypot(xyh_m[3 * i] - 60.0, mast_m - 1.5);
                double reach = line_m * wavelength_m / (4.0 * mast_m * 1.5);
                double median_db = free_space_db(line_m, wavelength_m) + 10.0 * log10(1.0 + reach * reach);
                worst_db = fmax(worst_db, fabs((double)loss_db[i] - median_db));
            }
            print_message("%5.0f MHz, mast %g m: within %.2f dB of the median\n", frequencies_hz[k] * 1e-6, mast_m,
                          worst_db);
            assert_true(worst_db < (mast_m < 20.0 ? 0.5 : 1.5)); /* above the roofs a little doubt is left */
        }
    }
    const double behind[3] = {459.0, 540.0, 1.5}; /* in the middle of a crossing two streets away */
    predict(&w, 60.0, 380.0, 120.0, 2100e6, 1, behind, &over_roofs_db);
    double line_m = hypot(hypot(399.0, 160.0), 118.5);
    assert_true((double)over_roofs_db > free_space_db(line_m, LIGHT_M_PER_S / 2100e6) + 5.0);
    close_world(&w);
}

static void test_exchanged_ends_have_the_same_loss(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    const uint64_t seed = 20261118;
    const double mast_m[2] = {13.0, 40.0};
    static double masts[3 * COUNT], streets[3 * COUNT];
    for (int kind = 0; kind < 2; kind++) {
        world w;
        open_city(&w, kind == 0 ? RCITY_CITY_CORE : RCITY_CITY_GRID);
        double worst_db = 0.0;
        draw_places(&w, seed, 1.5, COUNT, streets);
        draw_places(&w, seed + 1, mast_m[kind], COUNT, masts);
        for (int i = 0; i < COUNT; i++) {
            float there_db, back_db;
            predict(&w, masts[3 * i], masts[3 * i + 1], masts[3 * i + 2], 947e6, 1, streets + 3 * i, &there_db);
            predict(&w, streets[3 * i], streets[3 * i + 1], 1.5, 947e6, 1, masts + 3 * i, &back_db);
            worst_db = fmax(worst_db, fabs((double)(there_db - back_db)));
        }
        print_message("seed %llu, mast %g m: %d links, at most %.3f dB between both directions\n",
                      (unsigned long long)seed, mast_m[kind], COUNT, worst_db);
        assert_true(worst_db < 0.1);
        close_world(&w);
    }
}

/* A higher mast sees more: hardly a place gets darker, other than by its distance. */
static void test_higher_mast_darkens_hardly_a_place(void **state)
{
    (void)state;
    enum { COUNT = 600 };
    const double heights_m[] = {13.0, 18.0, 28.0, 43.0, 73.0};
    static double streets[3 * COUNT];
    static float loss_db[5][COUNT];
    world w;
    open_city(&w, RCITY_CITY_CORE);
    double mast[3];
    draw_places(&w, 77, 1.5, COUNT, streets);
    draw_places(&w, 78, 1.5, 1, mast);
    for (int k = 0; k < 5; k++) {
        predict(&w, mast[0], mast[1], heights_m[k], 2100e6, COUNT, streets, loss_db[k]);
    }
    for (int k = 1; k < 5; k++) {
        int darker = 0;
        for (int i = 0; i < COUNT; i++) {
            double plan_m = hypot(streets[3 * i] - mast[0], streets[3 * i + 1] - mast[1]);
            double farther_db = 20.0 * log10(hypot(plan_m, heights_m[k] - 1.5) / hypot(plan_m, heights_m[0] - 1.5));
            darker += (double)loss_db[k][i] > (double)loss_db[0][i] + farther_db + 3.0;
        }
        print_message("raised by %g m: %d of %d places darker by more than 3 dB\n", heights_m[k] - heights_m[0], darker,
                      COUNT);
        assert_true(darker * 200 <= COUNT);
    }
    close_world(&w);
}

TEST_SUITE(shadow_truth)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_screen_is_a_knife_edge_on_both_sides_of_grazing),
        cmocka_unit_test(test_open_ground_is_two_ray),
        cmocka_unit_test(test_second_corner_comes_in_without_a_step),
        cmocka_unit_test(test_two_corners_are_two_edges),
        cmocka_unit_test(test_nearest_edge_is_the_same_from_both_ends),
        cmocka_unit_test(test_sight_along_a_street_is_the_median_of_p1411),
        cmocka_unit_test(test_exchanged_ends_have_the_same_loss),
        cmocka_unit_test(test_higher_mast_darkens_hardly_a_place),
    };
    return cmocka_run_group_tests_name("shadow_truth", tests, NULL, NULL);
}
