/* What first-order tools get wrong: screens, houses, blocks and hills in the way; and what no tool may get wrong: energy, and
   that a house is the same in one piece and in four. Through the public interface. */
#include "rcity_test.h"

#define PI         3.14159265358979323846
#define POINTS_MAX 4000

typedef struct trial {
    rcity_context *context;
    rcity_scene *scene;
    double tx[3];
    double frequency_hz;
    const char *reflections, *diffractions, *transmissions, *over_roofs, *ground;
    bool is_horizontal;
} trial;

static trial open_trial(void)
{
    trial t = {test_context(2), NULL, {0, 0, 0}, 1e9, "0", "2", "0", "off", "off", false};
    rcity_scene_options options = rcity_scene_options_default();
    options.gap_m = 0.0;
    assert_ok(t.context, rcity_scene_create(t.context, &options, &t.scene));
    return t;
}

static void add_box_of(trial *t, double x1, double y1, double x2, double y2, double height, const char *material)
{
    int count = 4;
    double xy[] = {x1, y1, x2, y1, x2, y2, x1, y2};
    rcity_building building = rcity_building_default();
    building.ring_count = 1;
    building.ring_point_count = &count;
    building.xy_m = xy;
    building.height_m = height;
    building.material = material;
    assert_ok(t->context, rcity_scene_add_building(t->scene, &building));
}

static void add_box(trial *t, double x1, double y1, double x2, double y2, double height)
{
    add_box_of(t, x1, y1, x2, y2, height, NULL);
}

static void close_trial(trial *t)
{
    rcity_scene_destroy(&t->scene);
    rcity_context_destroy(&t->context);
}

/* Paths to points x, y, height. */
static rcity_rays *find(trial *t, int64_t count, const double *points)
{
    const char *names[] = {"max-reflections", "max-diffractions", "max-transmissions",
                           "over-roofs",      "ground",           "rx-polarization"};
    const char *values[] = {t->reflections, t->diffractions, t->transmissions,
                            t->over_roofs,  t->ground,       t->is_horizontal ? "horizontal" : "vertical"};
    rcity_request request = rcity_request_default();
    request.method = "images";
    request.transmitter.x_m = t->tx[0];
    request.transmitter.y_m = t->tx[1];
    request.transmitter.height_m = t->tx[2];
    request.transmitter.frequency_hz = t->frequency_hz;
    request.transmitter.polarization = t->is_horizontal ? RCITY_POLARIZATION_HORIZONTAL : RCITY_POLARIZATION_VERTICAL;
    request.receivers.point_count = count;
    request.receivers.xyh_m = points;
    request.option_count = 6;
    request.option_name = names;
    request.option_value = values;
    rcity_rays *rays = NULL;
    assert_ok(t->context, rcity_rays_find(t->context, t->scene, &request, &rays));
    return rays;
}

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

/* A house 12 m deep: the first edge alone is silence. Over both boundaries, of the direct ray and of the first edge's. */
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

/* In steps of a millimetre over the boundaries: what stands in the light and what in the shadow fit together, though sight knows
   no millimetres. The direct ray and one off a wall, past a corner, past a roof. */
static void test_millimetres(void **state)
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
        assert_true(step_db <
                    0.3); /* edges at the border of what two reflections would light make steps of their own */
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

/* Over rows of houses, from the street up into the light: more tops than a formula takes, none counted twice. */
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
            assert_true(level_db[i] > level_db[i - 1] - 0.1 || level_db[i] > -3.0); /* lighter on the way up */
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

/* Behind a hill, from its shadow into the light. */
static void test_hill(void **state)
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
    print_message("behind a hill: %.2f dB (knife edge %.2f), in the light %.2f dB, largest step in 5 cm %.3f dB\n",
                  level_db[0], -knife_edge_db(v), level_db[count - 1], largest_step(level_db, count));
    assert_near(level_db[0], -knife_edge_db(v), 1.0);
    assert_near(level_db[count - 1], 0.0, 1.0);
    assert_true(largest_step(level_db, count) < 0.25);
    close_trial(&t);
}

/* Places on a fine raster around the corner of a box, outside of it and farther from the transmitter than a wavelength. */
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

/* Near an edge no more arrives than was sent, and no more than mirrors can bring together. One mirror adds one image of the
   transmitter, farther away than itself: fields added are below twice those of free space, 6 dB. A wall and the ground,
   upright on each other, make three images: below four times, 12 dB. A mirror that ends lets the field swing over that by
   what Fresnel's integral swings over 1, less than 1.4 dB. Powers added are below half of that in dB, but for the power
   of the edge's own ray, a quarter of each image's on its boundary: below 1.25 times, 1 dB. */
static void test_energy(void **state)
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

/* One house, or the same in four pieces: the same paths. */
static void test_one_is_four(void **state)
{
    (void)state;
    static double points[3 * 50];
    rcity_receiver_summary one[50], four[50];
    for (int i = 0; i < 50; i++) {
        double angle = 2.0 * PI * (i + 0.37) / 50.0;
        points[3 * i] = 10.0 + 31.3 * cos(angle);
        points[3 * i + 1] = 5.0 + 27.1 * sin(angle);
        points[3 * i + 2] = 1.5 + 0.3 * i;
    }
    for (int turn = 0; turn < 2; turn++) {
        trial t = open_trial();
        if (turn == 0) {
            add_box(&t, 0, 0, 20, 10, 9);
        } else {
            add_box(&t, 0, 0, 7, 4, 9);
            add_box(&t, 7, 0, 20, 4, 9);
            add_box(&t, 0, 4, 7, 10, 9);
            add_box(&t, 7, 4, 20, 10, 9);
        }
        assert_ok(t.context, rcity_scene_commit(t.scene));
        t.tx[0] = -17.3;
        t.tx[1] = -11.1;
        t.tx[2] = 14.2;
        t.reflections = "2";
        t.ground = "on";
        t.over_roofs = "on";
        rcity_rays *rays = find(&t, 50, points);
        for (int i = 0; i < 50; i++) {
            assert_ok(t.context, rcity_rays_get_receiver(rays, i, turn == 0 ? &one[i] : &four[i]));
        }
        rcity_rays_destroy(&rays);
        close_trial(&t);
    }
    for (int i = 0; i < 50; i++) {
        assert_int_equal(one[i].path_count, four[i].path_count);
        assert_true(one[i].path_count > 3);
        assert_near(one[i].gain_db, four[i].gain_db, 1e-6);
        assert_near(one[i].coherent_gain_db, four[i].coherent_gain_db, 1e-6);
        assert_near(one[i].delay_spread_s, four[i].delay_spread_s, 1e-14);
    }
}

/* A tower on a podium, as one map or another has it. */
typedef enum tower_encoding {
    TOWER_INSIDE,   /* the tower's footprint inside the podium's, two buildings */
    TOWER_PART,     /* the same as parts of one building */
    TOWER_STACKED,  /* the tower stands on the podium's roof */
    TOWER_IN_HOLE,  /* the podium has a hole that the tower fills */
    TOWER_IN_PIECES /* the podium in four pieces around the tower */
} tower_encoding;

#define TOWER_ENCODINGS 5
#define TOWER_POINTS    60

static void add_tower(trial *t, tower_encoding encoding)
{
    static const double podium_m = 8.0;
    static const double top_m = 25.0;
    static const int hole_counts[2] = {4, 4};
    static const double with_hole[16] = {0, 0, 40, 0, 40, 30, 0, 30, 10, 8, 26, 8, 26, 22, 10, 22};
    rcity_building building = rcity_building_default();
    building.ring_point_count = hole_counts;
    building.ring_count = 1;
    building.xy_m = with_hole;
    building.height_m = podium_m;
    if (encoding == TOWER_IN_PIECES) {
        add_box(t, 0, 0, 40, 8, podium_m);
        add_box(t, 0, 22, 40, 30, podium_m);
        add_box(t, 0, 8, 10, 22, podium_m);
        add_box(t, 26, 8, 40, 22, podium_m);
    } else {
        building.ring_count = encoding == TOWER_IN_HOLE ? 2 : 1;
        assert_ok(t->context, rcity_scene_add_building(t->scene, &building));
    }
    building.id = encoding == TOWER_PART ? 0 : 1;
    building.ring_count = 1;
    building.xy_m = with_hole + 8;
    building.ground_m = encoding == TOWER_STACKED ? podium_m : 0.0;
    building.height_m = top_m - building.ground_m;
    assert_ok(t->context, rcity_scene_add_building(t->scene, &building));
}

/* In the streets all around, and on the podium's roof. */
static void place_around_tower(double *points)
{
    for (int i = 0; i < TOWER_POINTS; i++) {
        double angle = 2.0 * PI * (i + 0.37) / (TOWER_POINTS / 2);
        bool is_on_roof = i >= TOWER_POINTS / 2;
        points[3 * i] = 20.0 + (is_on_roof ? 17.3 : 41.3) * cos(angle);
        points[3 * i + 1] = 15.0 + (is_on_roof ? 12.1 : 33.7) * sin(angle);
        points[3 * i + 2] = (is_on_roof ? 8.9 : 1.5) + 0.4 * (i % 7);
    }
}

/* However the map says it, the same paths. */
static void test_tower_on_podium(void **state)
{
    (void)state;
    static double points[3 * TOWER_POINTS];
    static rcity_receiver_summary found[TOWER_ENCODINGS][TOWER_POINTS];
    int64_t path_count = 0;
    place_around_tower(points);
    for (int encoding = 0; encoding < TOWER_ENCODINGS; encoding++) {
        trial t = open_trial();
        add_tower(&t, (tower_encoding)encoding);
        assert_ok(t.context, rcity_scene_commit(t.scene));
        t.tx[0] = -21.3;
        t.tx[1] = -17.1;
        t.tx[2] = 14.2;
        t.reflections = "1";
        t.diffractions = "2";
        t.ground = "on";
        t.over_roofs = "on";
        rcity_rays *rays = find(&t, TOWER_POINTS, points);
        path_count = rcity_rays_path_count(rays);
        for (int i = 0; i < TOWER_POINTS; i++) {
            assert_ok(t.context, rcity_rays_get_receiver(rays, i, &found[encoding][i]));
        }
        rcity_rays_destroy(&rays);
        close_trial(&t);
    }
    for (int encoding = 1; encoding < TOWER_ENCODINGS; encoding++) {
        for (int i = 0; i < TOWER_POINTS; i++) {
            const rcity_receiver_summary *one = &found[0][i];
            const rcity_receiver_summary *other = &found[encoding][i];
            if (one->path_count != other->path_count || !(fabs(one->gain_db - other->gain_db) < 1e-6) ||
                !(fabs(one->coherent_gain_db - other->coherent_gain_db) < 1e-6)) {
                print_error("encoding %d, point %d: %lld paths of %.6f (%.6f) dB, expected %lld of %.6f (%.6f)\n",
                            encoding, i, (long long)other->path_count, other->gain_db, other->coherent_gain_db,
                            (long long)one->path_count, one->gain_db, one->coherent_gain_db);
                fail();
            }
        }
    }
    print_message("tower on a podium: %lld paths to %d points in %d encodings\n", (long long)path_count, TOWER_POINTS,
                  TOWER_ENCODINGS);
    assert_true(path_count > 3 * TOWER_POINTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thin_screen),    cmocka_unit_test(test_two_edges),
        cmocka_unit_test(test_around_a_block), cmocka_unit_test(test_millimetres),
        cmocka_unit_test(test_many_roofs),     cmocka_unit_test(test_hard_cities),
        cmocka_unit_test(test_hill),           cmocka_unit_test(test_energy),
        cmocka_unit_test(test_one_is_four),    cmocka_unit_test(test_tower_on_podium),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
