/* What first-order tools get wrong: screens, houses, blocks and hills in between; and what no tool may get wrong:
   energy. Through the public interface. */
#include "rays_trial.h"

#define POINTS_MAX 4000

/* Fields added, over the field of free space, in dB, at points on a straight line. */
static void levels_along(trial *t, const double from[3], const double to[3], int count, double *level_db)
{
    static double points[3 * POINTS_MAX];
    assert_true(count <= POINTS_MAX);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            points[3 * i + k] = from[k] + (to[k] - from[k]) * i / (count - 1.0);
        }
    }
    rcity_rays *rays = find(t, count, points);
    rcity_point tx = rcity_rays_transmitter(rays);
    for (int i = 0; i < count; i++) {
        rcity_receiver_summary at;
        assert_ok(t->context, rcity_rays_get_receiver(rays, i, &at));
        double d = sqrt(pow(at.position.x_m - tx.x_m, 2) + pow(at.position.y_m - tx.y_m, 2) +
                        pow(at.position.z_m - tx.z_m, 2));
        level_db[i] = at.coherent_gain_db + 20.0 * log10(4.0 * PI * d * t->frequency_hz / 299792458.0);
        assert_true(isfinite(level_db[i]));
    }
    rcity_rays_destroy(&rays);
}

static double largest_step(const double *level_db, int count)
{
    double largest = 0.0;
    for (int i = 1; i < count; i++) {
        largest = fmax(largest, fabs(level_db[i] - level_db[i - 1]));
    }
    return largest;
}

/* Loss of a knife edge, ITU-R P.526-15, equation (31). */
static double knife_edge_db(double v)
{
    return 6.9 + 20.0 * log10(sqrt((v - 0.1) * (v - 0.1) + 1.0) + v - 0.1);
}

/* A wall of 12 cm: behind it, two edges so near each other are one knife edge. */
static void test_thin_screen(void **state)
{
    (void)state;
    static double level_db[POINTS_MAX];
    for (int turn = 0; turn < 2; turn++) {
        trial t = open_trial();
        add_box(&t, -300, 0, 300, 0.125, 10);
        assert_ok(t.context, rcity_scene_commit(t.scene));
        t.tx[1] = -50;
        t.tx[2] = 5;
        t.is_horizontal = turn == 1;
        const double from[3] = {0, 20, 0.5};
        const double to[3] = {0, 20, 30.5};
        const int count = 1501;
        levels_along(&t, from, to, count, level_db);
        double worst_db = 0.0;
        for (int i = 0; from[2] + 0.02 * i < 11.5; i++) {
            double z = from[2] + 0.02 * i;
            double rise = 10.0 - (5.0 + (z - 5.0) * 50.0 / 70.0);
            double v = rise * sqrt(2.0 * t.frequency_hz / 299792458.0 * (1.0 / 50.0 + 1.0 / 20.0));
            worst_db = fmax(worst_db, fabs(level_db[i] + knife_edge_db(v)));
        }
        print_message("thin screen, %s: against a knife edge %.2f dB, largest step in 2 cm %.3f dB\n",
                      turn == 1 ? "horizontal" : "vertical", worst_db, largest_step(level_db, count));
        assert_true(worst_db < (turn == 0 ? 1.0 : 5.0)); /* E along the edges is weaker in the deep shadow of a wall */
        assert_true(largest_step(level_db, count) < 0.25);
        close_trial(&t);
    }
}

/* A house 12 m deep: the first edge alone is silence. Over both boundaries, of the direct ray and of the first
   edge's. */
static void test_two_edges(void **state)
{
    (void)state;
    static double level_db[POINTS_MAX];
    for (int turn = 0; turn < 2; turn++) {
        trial t = open_trial();
        add_box(&t, -300, 0, 300, 12, 10);
        assert_ok(t.context, rcity_scene_commit(t.scene));
        t.tx[1] = -50;
        t.tx[2] = 5;
        t.is_horizontal = turn == 1;
        const double from[3] = {0, 40, 0.5};
        const double to[3] = {0, 40, 30.5};
        const int count = 3001;
        levels_along(&t, from, to, count, level_db);
        print_message("two edges, %s: %.1f dB at 0.5 m, %.1f dB at 10 m, largest step in 1 cm %.3f dB\n",
                      turn == 1 ? "horizontal" : "vertical", level_db[0], level_db[950], largest_step(level_db, count));
        /* more than one knife edge's loss at the far edge, less than the sum of two as deep */
        double one_db =
            knife_edge_db((10 - 5 + 4.5 * 62 / 90) * sqrt(2.0 * t.frequency_hz / 299792458.0 * (1 / 62.0 + 1 / 28.0)));
        assert_true(level_db[0] < -one_db && level_db[0] > -2.0 * one_db - 12.0);
        assert_true(largest_step(level_db, count) < 0.3);
        close_trial(&t);
    }
}

/* In steps of a millimetre over the boundaries: what stands in the light and what in the shadow fit together, though
   sight knows no millimetres. The direct ray and one off a wall, past a corner, past a roof. */
static void test_level_is_continuous_from_millimetre_to_millimetre(void **state)
{
    (void)state;
    static double level_db[POINTS_MAX];
    static const double lines[4][2][3] = {
        {{-10.5004, 60, 1.5}, {-9.5004, 60, 1.5}},   /* the direct ray past a corner */
        {{-50, 60, 24.8}, {-50, 60, 25.8}},          /* and over a roof */
        {{-40, 9.5004, 1.5}, {-40, 10.5004, 1.5}},   /* the end of a wall that reflects */
        {{-25.5004, 45, 1.5}, {-24.5004, 45, 1.5}}}; /* and of another */
    for (int i = 0; i < 4; i++) {
        trial t = open_trial();
        add_box(&t, -20, 0, 20, 30, 40);
        add_box(&t, -60, 40, -44, 50, 20);
        add_box(&t, -90, -35, -85, -10, 40);
        assert_ok(t.context, rcity_scene_commit(t.scene));
        t.tx[0] = -40;
        t.tx[1] = -30;
        t.tx[2] = 1.5;
        t.reflections = "1";
        t.diffractions = "1";
        levels_along(&t, lines[i][0], lines[i][1], 1001, level_db);
        double step_db = largest_step(level_db, 1001);
        print_message("millimetres, line %d: largest step %.4f dB between %.1f and %.1f dB\n", i, step_db, level_db[0],
                      level_db[1000]);
        assert_true(step_db < 0.3); /* edges at the border of what two reflections reach make steps of their own */
        close_trial(&t);
    }
}

/* Around a block too high to go over: a receiver behind it is reached by two corners. */
static void test_around_a_block(void **state)
{
    (void)state;
    static double level_db[POINTS_MAX];
    trial t = open_trial();
    add_box(&t, -20, 0, 20, 30, 500);
    assert_ok(t.context, rcity_scene_commit(t.scene));
    t.tx[0] = 0;
    t.tx[1] = -40;
    t.tx[2] = 1.5;
    const double from[3] = {-80, 45, 1.5};
    const double to[3] = {80, 45, 1.5};
    const int count = 3201;
    levels_along(&t, from, to, count, level_db);
    double middle = level_db[count / 2];
    double side = fmax(level_db[0], level_db[count - 1]);
    print_message("around a block: %.1f dB in the middle, %.1f dB beside it\n", middle, side);
    for (int i = 0; i < count; i++) { /* a mirror image */
        assert_near(level_db[i], level_db[count - 1 - i], 0.05 + 1e-3 * fabs(level_db[i]));
    }
    assert_true(middle < -60.0 && middle > -130.0);
    assert_near(side, 0.0, 2.0);
    close_trial(&t);
}

/* Over rows of houses, from the street up into the line of sight: more edges than a formula takes, none counted
   twice. */
static void test_many_roofs(void **state)
{
    (void)state;
    static double level_db[POINTS_MAX];
    static const int row_counts[] = {5, 8, 12};
    for (int turn = 0; turn < 3; turn++) {
        int row_count = row_counts[turn];
        trial t = open_trial();
        for (int i = 0; i < row_count; i++) {
            add_box(&t, -800, 40 * i, 800, 40 * i + 15, 10);
        }
        assert_ok(t.context, rcity_scene_commit(t.scene));
        t.tx[1] = -60;
        t.tx[2] = 12;
        t.diffractions = "1";
        t.over_roofs = "on";
        const double from[3] = {0, 40.0 * row_count - 10.0, 0.5};
        const double to[3] = {0, 40.0 * row_count - 10.0, 25.5};
        levels_along(&t, from, to, 1001, level_db);
        print_message(
            "over %d rows: %.1f dB at 0.5 m, %.1f dB at 10 m, %.1f dB at 25 m, largest step in 2.5 cm %.3f dB\n",
            row_count, level_db[0], level_db[380], level_db[980], largest_step(level_db, 1001));
        for (int i = 1; i < 1001; i++) {
            assert_true(level_db[i] > level_db[i - 1] - 0.1 || level_db[i] > -3.0); /* stronger the higher */
            assert_true(level_db[i] < 3.0);
        }
        assert_true(level_db[0] > -60.0 && level_db[0] < -30.0);
        close_trial(&t);
    }
}

/* Cities that are hard on the search: long sheds around one middle, and walls that may be passed on terrain. */
static void test_hard_cities(void **state)
{
    (void)state;
    static float height_m[11 * 11];
    static const double points[] = {3.3, -40.0, 1.5, 2.0, 300.0, 1.5};
    for (int turn = 0; turn < 2; turn++) {
        trial t = open_trial();
        for (int i = 0; i < (turn == 0 ? 200 : 1); i++) {
            add_box(&t, -400 + i, 3 * i, 400 - i, 3 * i + 1, 5);
        }
        rcity_terrain terrain = {11, 11, -500, -500, 100, height_m};
        for (int i = 0; i < 121; i++) {
            height_m[i] = (float)(i % 7);
        }
        if (turn == 1) {
            assert_ok(t.context, rcity_scene_set_terrain(t.scene, &terrain));
        }
        assert_ok(t.context, rcity_scene_commit(t.scene));
        t.tx[1] = -60;
        t.tx[2] = 30;
        t.reflections = turn == 0 ? "0" : "1";
        t.diffractions = turn == 0 ? "0" : "1";
        t.transmissions = "2";
        t.ground = "on";
        rcity_rays *rays = find(&t, 2, points);
        assert_true(rcity_rays_path_count(rays) > 0);
        rcity_rays_destroy(&rays);
        close_trial(&t);
    }
}

/* Behind a hill, from its shadow until the line of sight is free. */
static void test_level_behind_a_hill_follows_knife_edge(void **state)
{
    (void)state;
    static double level_db[POINTS_MAX];
    static float height_m[101 * 101];
    trial t = open_trial();
    for (int row = 0; row < 101; row++) {
        for (int column = 0; column < 101; column++) {
            double y = (row - 50) * 10.0;
            height_m[row * 101 + column] = (float)fmax(60.0 - 0.4 * fabs(y), 0.0);
        }
    }
    rcity_terrain terrain = {101, 101, -500, -500, 10, height_m};
    assert_ok(t.context, rcity_scene_set_terrain(t.scene, &terrain));
    assert_ok(t.context, rcity_scene_commit(t.scene));
    t.tx[1] = -300;
    t.tx[2] = 20;
    t.over_roofs = "on";
    const double from[3] = {0, 300, 1.5};
    const double to[3] = {0, 300, 181.5};
    const int count = 3601;
    levels_along(&t, from, to, count, level_db);
    double rise = 60.0 - (20.0 + 1.5) / 2.0;
    double v = rise * sqrt(2.0 * t.frequency_hz / 299792458.0 * (2.0 / 300.0));
    print_message("behind a hill: %.2f dB (knife edge %.2f), in sight %.2f dB, largest step in 5 cm %.3f dB\n",
                  level_db[0], -knife_edge_db(v), level_db[count - 1], largest_step(level_db, count));
    assert_near(level_db[0], -knife_edge_db(v), 1.0);
    assert_near(level_db[count - 1], 0.0, 1.0);
    assert_true(largest_step(level_db, count) < 0.25);
    close_trial(&t);
}

/* Places on a fine raster around the corner of a box, outside of it and farther from the transmitter than a
   wavelength. */
static int place_around_corner(const trial *t, double height_m, double *points)
{
    int count = 0;
    for (int i = 0; i < 60; i++) {
        for (int k = 0; k < 60; k++) {
            double x = -1.5 + 0.05 * i + 0.003;
            double y = -1.5 + 0.05 * k + 0.004;
            double plan_m = hypot(x - t->tx[0], y - t->tx[1]);
            bool is_inside = x > -0.01 && y > -0.01;
            if (!is_inside && hypot(plan_m, height_m - t->tx[2]) > 299792458.0 / t->frequency_hz) {
                points[3 * count] = x;
                points[3 * count + 1] = y;
                points[3 * count++ + 2] = height_m;
            }
        }
    }
    return count;
}

/* Near an edge no more arrives than was sent, and no more than mirrors can bring together. One mirror adds one image of
   the transmitter, farther away than itself: fields added are below twice those of free space, 6 dB. A wall and the
   ground, upright on each other, make three images: below four times, 12 dB. A mirror that ends lets the field swing
   over that by what Fresnel's integral swings over 1, less than 1.4 dB. Powers added are below half of that in dB, but
   for the power of the edge's own ray, a quarter of each image's on its boundary: below 1.25 times, 1 dB. */
static void test_received_power_stays_below_physical_bounds(void **state)
{
    (void)state;
    static double points[3 * POINTS_MAX];
    static const char *const materials[2] = {NULL, "metal"};
    for (int turn = 0; turn < 8; turn++) {
        int mirror_count = turn % 4 < 2 ? 1 : 2;
        const char *material = materials[turn / 4];
        trial t = open_trial();
        add_box_of(&t, 0, 0, 10, 10, 20, material);
        assert_ok(t.context, rcity_scene_commit(t.scene));
        t.tx[0] = -0.7;
        t.tx[1] = -0.4;
        t.tx[2] = mirror_count == 1 ? 10 : 0.9;
        t.is_horizontal = turn % 2 == 1;
        t.reflections = mirror_count == 1 ? "1" : "2";
        t.diffractions = mirror_count == 1 ? "2" : "1";
        t.ground = mirror_count == 1 ? "off" : "on";
        int count = place_around_corner(&t, mirror_count == 1 ? 10 : 0.7, points);
        rcity_rays *rays = find(&t, count, points);
        double most_db = -HUGE_VAL;
        double fields_db = -HUGE_VAL; /* over free space */
        double powers_db = -HUGE_VAL;
        for (int i = 0; i < count; i++) {
            rcity_receiver_summary at;
            assert_ok(t.context, rcity_rays_get_receiver(rays, i, &at));
            assert_true(at.path_count > 0);
            double d = hypot(hypot(at.position.x_m - t.tx[0], at.position.y_m - t.tx[1]), at.position.z_m - t.tx[2]);
            double free_db = -20.0 * log10(4.0 * PI * d * t.frequency_hz / 299792458.0);
            most_db = fmax(most_db, fmax(at.gain_db, at.coherent_gain_db));
            fields_db = fmax(fields_db, at.coherent_gain_db - free_db);
            powers_db = fmax(powers_db, at.gain_db - free_db);
        }
        print_message("energy, %s, %d mirror%s, %s: at most %.2f dB of the power sent; over free space fields %.2f dB, "
                      "powers %.2f dB, at %d points\n",
                      material != NULL ? material : "concrete", mirror_count, mirror_count == 1 ? "" : "s",
                      t.is_horizontal ? "horizontal" : "vertical", most_db, fields_db, powers_db, count);
        assert_true(count > 2000);
        assert_true(most_db < 0.0);
        assert_true(fields_db < 6.02 * mirror_count + 1.4);
        assert_true(powers_db < 3.01 * mirror_count + 1.0);
        assert_true(material == NULL || mirror_count > 1 || fields_db > 5.5); /* the bound is one that is met */
        rcity_rays_destroy(&rays);
        close_trial(&t);
    }
}

TEST_SUITE(rays_truth)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thin_screen),
        cmocka_unit_test(test_two_edges),
        cmocka_unit_test(test_around_a_block),
        cmocka_unit_test(test_level_is_continuous_from_millimetre_to_millimetre),
        cmocka_unit_test(test_many_roofs),
        cmocka_unit_test(test_hard_cities),
        cmocka_unit_test(test_level_behind_a_hill_follows_knife_edge),
        cmocka_unit_test(test_received_power_stays_below_physical_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
