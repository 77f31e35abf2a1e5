/* `beams` where the answer is known: an empty plain, one wall, a street between two walls, a courtyard. */
#include "rcity_test.h"

#include <complex.h>

#define PI           3.14159265358979323846
#define FREQUENCY_HZ 947e6
#define LIGHT_M_S    299792458.0
#define WAVE_M       (LIGHT_M_S / FREQUENCY_HZ)
#define RX_HEIGHT_M  1.5

typedef double complex phasor;
#define PHASOR_J ((phasor)I)

/* A scene with its device, in which links are asked for one by one. */
typedef struct truth {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    double tx[3];
    const char *name[10], *value[10];
    int option_count;
} truth;

static void truth_ask(truth *t, const char *name, const char *value)
{
    t->name[t->option_count] = name;
    t->value[t->option_count++] = value;
}

static void truth_open(truth *t)
{
    memset(t, 0, sizeof *t);
    t->context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    assert_ok(t->context, rcity_scene_create(t->context, &options, &t->scene));
    assert_ok(t->context, rcity_device_open(t->context, "host", &t->device));
    truth_ask(t, "over-roofs", "off");
}

static void truth_close(truth *t)
{
    test_close(&t->context, &t->scene, &t->device);
}

/* A building of one or two rings of four corners. */
static void add_building(truth *t, int64_t id, int ring_count, const double *xy_m, double height_m,
                         const char *material)
{
    static const int counts[] = {4, 4};
    rcity_building building = rcity_building_default();
    building.id = id;
    building.ring_count = ring_count;
    building.ring_point_count = counts;
    building.xy_m = xy_m;
    building.height_m = height_m;
    building.material = material;
    assert_ok(t->context, rcity_scene_add_building(t->scene, &building));
}

static rcity_request request_of(const truth *t)
{
    rcity_request request = rcity_request_default();
    request.method = "beams";
    request.transmitter.x_m = t->tx[0];
    request.transmitter.y_m = t->tx[1];
    request.transmitter.height_m = t->tx[2];
    request.transmitter.frequency_hz = FREQUENCY_HZ;
    request.option_count = t->option_count;
    request.option_name = t->name;
    request.option_value = t->value;
    return request;
}

static rcity_receiver_summary find_paths(truth *t, double x_m, double y_m)
{
    const double xyh_m[3] = {x_m, y_m, RX_HEIGHT_M};
    rcity_request request = request_of(t);
    request.receivers.point_count = 1;
    request.receivers.xyh_m = xyh_m;
    rcity_rays *rays = NULL;
    rcity_receiver_summary summary;
    assert_ok(t->context, rcity_rays_find(t->context, t->scene, t->device, &request, &rays));
    assert_int_equal(rcity_rays_get_receiver(rays, 0, &summary), RCITY_OK);
    rcity_rays_destroy(&rays);
    return summary;
}

/* The cell of a map with its centre at a place. */
static float find_cell(truth *t, const char *name, double x_m, double y_m)
{
    rcity_request request = request_of(t);
    request.receivers.x_min_m = x_m - 0.5;
    request.receivers.y_min_m = y_m - 0.5;
    request.receivers.x_max_m = x_m + 0.5;
    request.receivers.y_max_m = y_m + 0.5;
    request.receivers.cell_m = 1.0;
    t->name[t->option_count] = "surroundings"; /* of maps */
    t->value[t->option_count] = "off";
    request.option_count++;
    rcity_map *map = NULL;
    float value = NAN;
    assert_ok(t->context, rcity_predict(t->context, t->scene, t->device, &request, &map));
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band;
        assert_int_equal(rcity_map_get_band(map, i, &band), RCITY_OK);
        value = strcmp(band.name, name) == 0 ? band.value[0] : value;
    }
    rcity_map_destroy(&map);
    return value;
}

/* The field of a ray in free space, over the power into the antenna. */
static phasor free_space(double length_m)
{
    return WAVE_M / (4.0 * PI * length_m) * cexp(-PHASOR_J * 2.0 * PI * fmod(length_m, WAVE_M) / WAVE_M);
}

static double decibel(phasor field)
{
    return 20.0 * log10(cabs(field));
}

/* Fresnel's coefficient of the ground for the field in the plane of incidence; grazing angle by its sine. */
static phasor ground_reflection(truth *t, double sine)
{
    rcity_material material;
    assert_ok(t->context, rcity_scene_get_material(t->context, t->scene, "", RCITY_SURFACE_GROUND, &material));
    rcity_permittivity at = rcity_material_evaluate(&material, FREQUENCY_HZ);
    phasor eta = at.real - PHASOR_J * at.imaginary;
    phasor root = csqrt(eta - (1.0 - sine * sine));
    return (eta * sine - root) / (eta * sine + root);
}

/* One small building far away: a scene needs one. */
static void test_empty_plain(void **state)
{
    (void)state;
    static const double far_away[] = {200, -900, 201, -900, 201, -899, 200, -899};
    truth t;
    truth_open(&t);
    add_building(&t, 1, 1, far_away, 3.0, NULL);
    assert_ok(t.context, rcity_scene_commit(t.scene));
    t.tx[2] = 10.0;
    truth_ask(&t, "max-diffractions", "0");
    for (int i = 1; i < 30; i++) {
        double plan_m = 13.7 * i;
        double sine = (t.tx[2] + RX_HEIGHT_M) / hypot(plan_m, t.tx[2] + RX_HEIGHT_M);
        phasor direct = free_space(hypot(plan_m, t.tx[2] - RX_HEIGHT_M));
        phasor bounced = ground_reflection(&t, sine) * free_space(hypot(plan_m, t.tx[2] + RX_HEIGHT_M));
        rcity_receiver_summary found = find_paths(&t, plan_m, 0.0);
        assert_int_equal(found.path_count, 2);
        assert_near(found.coherent_gain_db, decibel(direct + bounced), 0.02);
        assert_near(found.gain_db, 10.0 * log10(pow(cabs(direct), 2.0) + pow(cabs(bounced), 2.0)), 0.001);
    }
    assert_near((double)find_cell(&t, "path_count", 137.0, 0.0), 2.0, 0.0);
    truth_close(&t);
}

/* A wall of metal of a building so long that its ends do not matter: the image of the transmitter. */
static void test_one_wall(void **state)
{
    (void)state;
    static const double wall[] = {-500, 20, 500, 20, 500, 30, -500, 30};
    truth t;
    truth_open(&t);
    add_building(&t, 1, 1, wall, 30.0, "metal");
    assert_ok(t.context, rcity_scene_commit(t.scene));
    t.tx[2] = RX_HEIGHT_M; /* level rays keep their polarization */
    truth_ask(&t, "ground", "off");
    truth_ask(&t, "max-diffractions", "0");
    truth_ask(&t, "sum", "coherent");
    for (int i = 1; i < 10; i++) {
        double x_m = 31.3 * i - 150.0;
        double y_m = 17.0 - 4.1 * i;
        phasor sum = free_space(hypot(x_m, y_m)) - free_space(hypot(x_m, 40.0 - y_m));
        t.option_count = 3; /* a sum is an option of maps */
        assert_int_equal(find_paths(&t, x_m, y_m).path_count, 2);
        t.option_count = 4;
        assert_near((double)find_cell(&t, "path_loss", x_m, y_m), -decibel(sum), 0.01);
    }
    assert_true(isnan(find_cell(&t, "path_loss", 40.0, 35.0))); /* behind the building */
    truth_close(&t);
}

/* Between two walls of metal the images of the transmitter stand in a row: the waves of a guide, from their rays. */
static void test_street_canyon(void **state)
{
    (void)state;
    static const double north[] = {-3000, 10, 3000, 10, 3000, 20, -3000, 20};
    static const double south[] = {-3000, -20, 3000, -20, 3000, -10, -3000, -10};
    const double width_m = 20.0;
    truth t;
    truth_open(&t);
    add_building(&t, 1, 1, north, 30.0, "metal");
    add_building(&t, 2, 1, south, 25.0, "metal");
    assert_ok(t.context, rcity_scene_commit(t.scene));
    t.tx[1] = 2.5;
    t.tx[2] = RX_HEIGHT_M;
    truth_ask(&t, "ground", "off");
    truth_ask(&t, "max-diffractions", "0");
    truth_ask(&t, "max-reflections", "6");
    for (int i = 1; i < 8; i++) {
        double x_m = 40.0 * i;
        double y_m = 2.3 * i - 9.1;
        double power = 0.0;
        double delay = 0.0;
        for (int n = -6; n <= 6; n++) { /* after n reflections, the first one north for n > 0 */
            double image_m = n * width_m + (n % 2 == 0 ? t.tx[1] : -t.tx[1]);
            double length_m = hypot(x_m, y_m - image_m);
            double ray = pow(cabs(free_space(length_m)), 2.0);
            power += ray;
            delay += ray * length_m / LIGHT_M_S;
        }
        rcity_receiver_summary found = find_paths(&t, x_m, y_m);
        assert_int_equal(found.path_count, 13);
        assert_near(found.gain_db, 10.0 * log10(power), 1e-4);
        assert_near(found.mean_delay_s * 1e9, delay / power * 1e9, 1e-3);
        assert_near((double)find_cell(&t, "path_count", x_m, y_m), 13.0, 0.0);
        assert_near((double)find_cell(&t, "mean_delay", x_m, y_m), delay / power * 1e9, 0.01);
    }
    truth_close(&t);
}

/* Nothing enters a courtyard but from above its roofs. */
static void test_courtyard(void **state)
{
    (void)state;
    static const double rings[] = {0, 0, 60, 0, 60, 60, 0, 60, 15, 15, 15, 45, 45, 45, 45, 15};
    truth t;
    truth_open(&t);
    add_building(&t, 1, 2, rings, 15.0, NULL);
    assert_ok(t.context, rcity_scene_commit(t.scene));
    t.tx[0] = -80.0;
    t.tx[1] = 31.0;
    t.tx[2] = 12.0;
    truth_ask(&t, "max-reflections", "4");
    truth_ask(&t, "max-diffractions", "2");
    for (int i = 0; i < 9; i++) {
        double x_m = 18.3 + 11.0 * (i % 3);
        double y_m = 17.9 + 11.0 * (double)(i / 3);
        assert_int_equal(find_paths(&t, x_m, y_m).path_count, 0);
        assert_true(isnan(find_cell(&t, "path_loss", x_m, y_m)));
    }
    t.tx[0] = 30.0; /* over the roof, and seen from the floor of the yard */
    t.tx[1] = -20.0;
    t.tx[2] = 60.0;
    assert_true(find_paths(&t, 30.3, 40.1).path_count > 0);
    assert_true(!isnan(find_cell(&t, "path_loss", 30.3, 40.1)));
    truth_close(&t);
}

/* What a slab lets through of a level ray with its field upright, over what free space would: ITU-R P.2040, equation (43b). */
static phasor slab_transmission(const truth *t, const char *name, double cosine)
{
    rcity_material material;
    assert_ok(t->context, rcity_scene_get_material(t->context, t->scene, name, RCITY_SURFACE_WALL, &material));
    rcity_permittivity at = rcity_material_evaluate(&material, FREQUENCY_HZ);
    phasor root = csqrt(at.real - PHASOR_J * at.imaginary - (1.0 - cosine * cosine));
    phasor reflected = (cosine - root) / (cosine + root);
    phasor depth = 2.0 * PI / WAVE_M * material.thickness_m * root;
    phasor air = 2.0 * PI / WAVE_M * material.thickness_m * cosine;
    return (1.0 - reflected * reflected) * cexp(-PHASOR_J * (depth - air)) /
           (1.0 - reflected * reflected * cexp(-PHASOR_J * 2.0 * depth));
}

/* A ray through both walls of a building: two slabs, and metres inside that take their share and are slow. */
static void test_through_a_building(void **state)
{
    (void)state;
    static const double building[] = {20, -900, 40, -900, 40, 900, 20, 900};
    const double inside_db_per_m = 0.4;
    truth t;
    truth_open(&t);
    add_building(&t, 1, 1, building, 30.0, "concrete");
    assert_ok(t.context, rcity_scene_commit(t.scene));
    t.tx[2] = RX_HEIGHT_M;
    truth_ask(&t, "ground", "off");
    truth_ask(&t, "max-diffractions", "0");
    truth_ask(&t, "max-transmissions", "2");
    for (int i = 0; i < 8; i++) {
        double x_m = 41.7 + 3.1 * i;
        double y_m = 13.0 * i;
        double length_m = hypot(x_m, y_m);
        double inside_m = 20.0 * length_m / x_m;
        phasor slab = slab_transmission(&t, "concrete", x_m / length_m);
        double loss_db = -decibel(free_space(length_m) * slab * slab);
        t.option_count = 4;
        rcity_receiver_summary found = find_paths(&t, x_m, y_m);
        assert_int_equal(found.path_count, 1);
        assert_near(found.coherent_gain_db, -loss_db, 1e-3);
        assert_near((double)find_cell(&t, "path_loss", x_m, y_m), loss_db, 1e-3);
        assert_near((double)find_cell(&t, "mean_delay", x_m, y_m), length_m / LIGHT_M_S * 1e9, 1e-3);
        assert_near((double)find_cell(&t, "mechanism", x_m, y_m), 1.0, 0.0);
        truth_ask(&t, "inside-db-per-m", "0.4");
        truth_ask(&t, "inside-index", "1.5");
        assert_near((double)find_cell(&t, "path_loss", x_m, y_m), loss_db + inside_db_per_m * inside_m, 1e-3);
        assert_near((double)find_cell(&t, "mean_delay", x_m, y_m), (length_m + 0.5 * inside_m) / LIGHT_M_S * 1e9, 1e-3);
        truth_ask(&t, "law", "paper");
        truth_ask(&t, "constant-db", "32");
        truth_ask(&t, "transmission-loss-db", "7");
        assert_near((double)find_cell(&t, "path_loss", x_m, y_m),
                    20.0 * log10(length_m) + 32.0 + 2.0 * 7.0 + inside_db_per_m * inside_m, 1e-3);
        t.option_count = 3;
        truth_ask(&t, "max-transmissions", "1");
        double way = 29.0 / x_m; /* part of it, up to a place inside */
        inside_m = 9.0 * length_m / x_m;
        assert_true(isnan(find_cell(&t, "path_loss", 29.0, way * y_m)));
        truth_ask(&t, "inside-db-per-m", "0.4");
        truth_ask(&t, "indoor", "walls");
        loss_db = -decibel(free_space(way * length_m) * slab) + inside_db_per_m * inside_m;
        assert_near((double)find_cell(&t, "path_loss", 29.0, way * y_m), loss_db, 1e-3);
        t.option_count = 4;
        assert_int_equal(find_paths(&t, x_m, y_m).path_count, 0);
        assert_true(isnan(find_cell(&t, "path_loss", x_m, y_m)));
        t.option_count = 3;
        truth_ask(&t, "max-transmissions", "2");
    }
    truth_close(&t);
}

/* Two rays through a building, one of which is reflected behind it by a wall of metal: with an index the metres inside turn
   their phases by different angles. */
static void test_phases_inside(void **state)
{
    (void)state;
    static const double building[] = {20, -50, 40, -50, 40, 900, 20, 900};
    static const double wall[] = {-500, -70, 500, -70, 500, -60, -500, -60};
    truth t;
    truth_open(&t);
    add_building(&t, 1, 1, building, 30.0, "concrete");
    add_building(&t, 2, 1, wall, 30.0, "metal");
    assert_ok(t.context, rcity_scene_commit(t.scene));
    t.tx[2] = RX_HEIGHT_M;
    truth_ask(&t, "ground", "off");
    truth_ask(&t, "max-diffractions", "0");
    truth_ask(&t, "max-reflections", "1");
    truth_ask(&t, "max-transmissions", "2");
    truth_ask(&t, "sum", "coherent");
    for (int i = 0; i < 6; i++) {
        double x_m = 201.3 + 0.37 * i;
        double reflected_m = hypot(x_m, 120.0);
        phasor straight = slab_transmission(&t, "concrete", 1.0);
        phasor slanting = slab_transmission(&t, "concrete", x_m / reflected_m);
        phasor direct = free_space(x_m) * straight * straight;
        phasor reflected = -free_space(reflected_m) * slanting * slanting;
        t.option_count = 6;
        assert_near((double)find_cell(&t, "path_loss", x_m, 0.0), -decibel(direct + reflected), 0.01);
        truth_ask(&t, "inside-index", "1.7");
        direct *= cexp(-PHASOR_J * 2.0 * PI * 0.7 * 20.0 / WAVE_M);
        reflected *= cexp(-PHASOR_J * 2.0 * PI * 0.7 * 20.0 * reflected_m / x_m / WAVE_M);
        assert_near((double)find_cell(&t, "path_loss", x_m, 0.0), -decibel(direct + reflected), 0.01);
    }
    truth_close(&t);
}

/* Two buildings that touch: below the lower roof there is no wall between them, above it there is. */
static void test_touching_buildings(void **state)
{
    (void)state;
    static const double low[] = {20, -900, 30, -900, 30, 900, 20, 900};
    static const double high[] = {30, -900, 50, -900, 50, 900, 30, 900};
    truth t;
    truth_open(&t);
    add_building(&t, 1, 1, low, 5.0, "concrete");
    add_building(&t, 2, 1, high, 12.0, "concrete");
    assert_ok(t.context, rcity_scene_commit(t.scene));
    truth_ask(&t, "ground", "off");
    truth_ask(&t, "max-diffractions", "0");
    truth_ask(&t, "max-transmissions", "2");
    truth_ask(&t, "inside-index", "2"); /* of maps: delays tell the metres inside */
    static const struct {
        double tx_height_m, low_m, high_m;
    } cases[] = {{1.5, 10.0, 20.0}, {11.5, 0.0, 20.0}};
    for (int i = 0; i < 2; i++) {
        t.tx[2] = cases[i].tx_height_m;
        double x_m = 61.3;
        double length_m = hypot(x_m, t.tx[2] - RX_HEIGHT_M);
        double inside_m = (cases[i].low_m + cases[i].high_m) * length_m / x_m;
        assert_near((double)find_cell(&t, "path_count", x_m, 0.0), 1.0, 0.0);
        assert_near((double)find_cell(&t, "mean_delay", x_m, 0.0), (length_m + inside_m) / LIGHT_M_S * 1e9, 1e-3);
    }
    t.tx[2] = 24.0; /* over the roof of the low one, through that of the high one and its far wall */
    double fall = (24.0 - RX_HEIGHT_M) / 61.3;
    double inside_m = (50.0 - (24.0 - 12.0) / fall) * hypot(1.0, fall);
    double length_m = hypot(61.3, 24.0 - RX_HEIGHT_M);
    assert_near((double)find_cell(&t, "path_count", 61.3, 0.0), 1.0, 0.0);
    assert_near((double)find_cell(&t, "mean_delay", 61.3, 0.0), (length_m + inside_m) / LIGHT_M_S * 1e9, 1e-3);
    truth_close(&t);
}

TEST_SUITE(beams_truth)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_plain),        cmocka_unit_test(test_one_wall),
        cmocka_unit_test(test_street_canyon),      cmocka_unit_test(test_courtyard),
        cmocka_unit_test(test_through_a_building), cmocka_unit_test(test_phases_inside),
        cmocka_unit_test(test_touching_buildings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
