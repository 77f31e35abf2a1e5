/* The field of paths without edges: free space, the ground, walls, corners; what holds for any path whatever it
   meets. */
#include "rcity_test.h"

#include "path_world.h"

static const uint64_t seed = 20240611;

static rcity_place3 random_place(uint64_t *draw, double size)
{
    double x = test_uniform(seed, (*draw)++, -size, size);
    double y = test_uniform(seed, (*draw)++, -size, size);
    return place_make(x, y, test_uniform(seed, (*draw)++, -size, size));
}

/* The frames of the ends, from angles: polar angle from the zenith and azimuth of the direction of travel. */
static void frame_by_angles(rcity_place3 travel, rcity_place3 axis[2])
{
    double polar = acos(travel.z);
    double azimuth = atan2(travel.y, travel.x);
    axis[0] = place_make(cos(polar) * cos(azimuth), cos(polar) * sin(azimuth), -sin(polar));
    axis[1] = place_make(-sin(azimuth), cos(azimuth), 0.0);
}

static void test_free_space(void **state)
{
    (void)state;
    path_world world;
    path_world_init(&world, 0.1);
    uint64_t draw = 0;
    for (int trial = 0; trial < 200; trial++) {
        rcity_place3 tx = random_place(&draw, 100.0);
        rcity_place3 rx = random_place(&draw, 100.0);
        if (trial < 2) { /* straight up, straight down */
            rx = place_make(tx.x, tx.y, tx.z + (trial == 0 ? 20.0 : -20.0));
        }
        double distance_m = place_distance(tx, rx);
        phasor expected = phasor_free_space(distance_m, 0.1);
        rcity_channel channel = path_world_channel(&world, tx, rx, NULL, 0);
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                assert_phasor(channel_get(channel, i, j), i == j ? expected : 0.0, 1e-9 * cabs(expected));
            }
        }
    }
}

/* 25 km at 100 GHz are 8.3 million waves: the phase must keep its digits. */
static void test_long_phase(void **state)
{
    (void)state;
    double wavelength_m = 299792458.0 / 100e9;
    path_world world;
    path_world_init(&world, wavelength_m);
    rcity_channel channel =
        path_world_channel(&world, place_make(0.0, 0.0, 0.0), place_make(15000.0, 20000.0, 0.0), NULL, 0);
    phasor expected = phasor_free_space(25000.0, wavelength_m);
    assert_near(carg(channel_get(channel, 0, 0) / expected), 0.0, 1e-6);
    assert_near(cabs(channel_get(channel, 0, 0)), wavelength_m / (4.0 * PI * 25000.0), 1e-15);
}

/* Fresnel's coefficients as text books print them for the electric field across and in the plane of incidence, the
   latter +1 for a conductor: the far end of the ray's own theta^. */
static phasor fresnel(phasor permittivity, double sin_elevation, bool is_across)
{
    phasor root = csqrt(permittivity - (1.0 - sin_elevation * sin_elevation));
    return is_across ? (sin_elevation - root) / (sin_elevation + root)
                     : (permittivity * sin_elevation - root) / (permittivity * sin_elevation + root);
}

/* Two rays over flat ground: direct, and image with the ground's coefficient; from straight down to grazing. */
static void test_two_rays(void **state)
{
    (void)state;
    const double wavelength_m = 0.3;
    const phasor permittivity = 15.0 - 0.9 * PHASOR_J;
    path_world world;
    path_world_init(&world, wavelength_m);
    int32_t material_index = path_world_add_material(&world, creal(permittivity), cimag(permittivity), 0.0);
    int32_t ground =
        path_world_add_mirror(&world, place_make(0.0, 0.0, 0.0), place_make(0.0, 0.0, 1.0), material_index);
    const path_step step = {RCITY_EVENT_REFLECTION, ground};
    const double tx_m = 30.0;
    const double rx_m = 1.5;
    for (double plan_m = 0.1; plan_m < 3e5; plan_m *= 1.1) {
        double turn = 0.3 + plan_m;
        rcity_place3 tx = place_make(5.0, -3.0, tx_m);
        rcity_place3 rx = place_make(5.0 + plan_m * cos(turn), -3.0 + plan_m * sin(turn), rx_m);
        double direct_m = hypot(plan_m, tx_m - rx_m);
        double image_m = hypot(plan_m, tx_m + rx_m);
        rcity_channel straight = path_world_channel(&world, tx, rx, NULL, 0);
        rcity_channel bounced = path_world_channel(&world, tx, rx, &step, 1);
        for (int i = 0; i < 2; i++) {
            phasor coefficient = fresnel(permittivity, (tx_m + rx_m) / image_m, i == 1);
            phasor expected =
                phasor_free_space(direct_m, wavelength_m) + coefficient * phasor_free_space(image_m, wavelength_m);
            phasor actual = channel_get(straight, i, i) + channel_get(bounced, i, i);
            /* far out the two rays all but cancel: what is left is compared with itself, down to the phase's digits */
            double floor = 1e-8 * cabs(phasor_free_space(direct_m, wavelength_m));
            assert_phasor(actual, expected, 1e-7 * cabs(expected) + floor);
            assert_true(cabs(channel_get(bounced, i, 1 - i)) < 1e-12);
        }
    }
    /* the law of the plane earth: field over free space is 2 k h1 h2 / d, since the coefficient goes to -1 */
    double far_m = 3e5;
    rcity_place3 tx = place_make(0.0, 0.0, tx_m);
    rcity_place3 rx = place_make(far_m, 0.0, rx_m);
    phasor sum = channel_get(path_world_channel(&world, tx, rx, NULL, 0), 1, 1) +
                 channel_get(path_world_channel(&world, tx, rx, &step, 1), 1, 1);
    double law = 2.0 * (2.0 * PI / wavelength_m) * tx_m * rx_m / far_m;
    assert_near(cabs(sum) / cabs(phasor_free_space(far_m, wavelength_m)), law, 0.02 * law);
}

/* A conductor leaves 2 n (n . E) - E; what arrives seems to come from the image. */
static void test_conducting_wall(void **state)
{
    (void)state;
    uint64_t draw = 1000;
    for (int trial = 0; trial < 200; trial++) {
        path_world world;
        path_world_init(&world, 0.125);
        int32_t metal = path_world_add_conductor(&world);
        rcity_place3 normal = place_unit(random_place(&draw, 1.0));
        int32_t wall = path_world_add_mirror(&world, random_place(&draw, 20.0), normal, metal);
        const path_step step = {RCITY_EVENT_REFLECTION, wall};
        rcity_place3 tx = random_place(&draw, 50.0);
        rcity_place3 rx = random_place(&draw, 50.0);
        rcity_trace_path path;
        if (!path_world_solve(&world, tx, rx, &step, 1, &path)) {
            continue;
        }
        rcity_channel channel = rcity_path_channel(&world.world, &path);
        rcity_place3 image = place_mirrored(tx, &world.mirrors[wall]);
        rcity_place3 leaving[2];
        rcity_place3 coming[2];
        frame_by_angles(place_unit(place_add(path.event[0].point, tx, -1.0)), leaving);
        frame_by_angles(place_unit(place_add(rx, image, -1.0)), coming);
        phasor carrier = phasor_free_space(place_distance(image, rx), 0.125);
        for (int j = 0; j < 2; j++) {
            rcity_place3 zero = place_make(0.0, 0.0, 0.0);
            rcity_place3 field =
                place_add(place_add(zero, normal, 2.0 * place_dot(normal, leaving[j])), leaving[j], -1.0);
            for (int i = 0; i < 2; i++) {
                phasor expected = carrier * place_dot(coming[i], field);
                assert_phasor(channel_get(channel, i, j), expected, 1e-9 * cabs(carrier));
            }
        }
    }
}

/* Three conducting planes at right angles turn any ray around and, with three changes of sign and the inversion of
   space, give the field back as it was: it arrives from the image in the corner. */
static void test_corner_reflector(void **state)
{
    (void)state;
    path_world world;
    path_world_init(&world, 0.1);
    int32_t metal = path_world_add_conductor(&world);
    rcity_place3 zero = place_make(0.0, 0.0, 0.0);
    path_step steps[3] = {{RCITY_EVENT_REFLECTION, 0}, {RCITY_EVENT_REFLECTION, 1}, {RCITY_EVENT_REFLECTION, 2}};
    path_world_add_mirror(&world, zero, place_make(1.0, 0.0, 0.0), metal);
    path_world_add_mirror(&world, zero, place_make(0.0, 1.0, 0.0), metal);
    path_world_add_mirror(&world, zero, place_make(0.0, 0.0, 1.0), metal);
    uint64_t draw = 2000;
    int found = 0;
    for (int trial = 0; trial < 300; trial++) {
        rcity_place3 tx = random_place(&draw, 20.0);
        rcity_place3 rx = random_place(&draw, 20.0);
        tx = place_make(fabs(tx.x), fabs(tx.y), fabs(tx.z));
        rx = place_make(fabs(rx.x), fabs(rx.y), fabs(rx.z));
        rcity_trace_path path;
        if (!path_world_solve(&world, tx, rx, steps, 3, &path)) {
            continue;
        }
        found++;
        rcity_place3 image = place_add(zero, tx, -1.0);
        rcity_place3 arrival = place_unit(place_add(rx, image, -1.0));
        rcity_place3 leaving[2];
        rcity_place3 coming[2];
        frame_by_angles(place_add(zero, arrival, -1.0), leaving);
        frame_by_angles(arrival, coming);
        phasor carrier = phasor_free_space(place_distance(image, rx), 0.1);
        rcity_channel channel = rcity_path_channel(&world.world, &path);
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                phasor expected = carrier * place_dot(coming[i], leaving[j]);
                assert_phasor(channel_get(channel, i, j), expected, 1e-9 * cabs(carrier));
            }
        }
    }
    assert_true(found > 10);
}

/* A slab at right angles, as a Fabry-Perot of two boundaries; what goes through keeps its polarization. */
static void test_through_wall(void **state)
{
    (void)state;
    const double wavelength_m = 0.1;
    const phasor permittivity = 5.0 - 0.3 * PHASOR_J;
    const double thickness_m = 0.23;
    path_world world;
    path_world_init(&world, wavelength_m);
    int32_t material_index = path_world_add_material(&world, creal(permittivity), cimag(permittivity), thickness_m);
    int32_t wall = path_world_add_mirror(&world, place_make(3.0, 0.0, 0.0), place_make(1.0, 0.0, 0.0), material_index);
    const path_step step = {RCITY_EVENT_TRANSMISSION, wall};
    rcity_channel channel =
        path_world_channel(&world, place_make(10.0, 0.0, 5.0), place_make(-8.0, 0.0, 5.0), &step, 1);
    phasor index = csqrt(permittivity);
    phasor in = 2.0 / (1.0 + index);
    phasor out = 2.0 * index / (1.0 + index);
    phasor back = (index - 1.0) / (index + 1.0);
    phasor trip = cexp(-PHASOR_J * 2.0 * PI / wavelength_m * thickness_m * index);
    phasor slab = in * out * trip / (1.0 - back * back * trip * trip);
    phasor expected = slab * phasor_free_space(18.0 - thickness_m, wavelength_m) * (18.0 - thickness_m) / 18.0;
    assert_phasor(channel_get(channel, 0, 0), expected, 1e-9);
    assert_phasor(channel_get(channel, 1, 1), expected, 1e-9);
    assert_true(cabs(channel_get(channel, 0, 1)) < 1e-12 && cabs(channel_get(channel, 1, 0)) < 1e-12);
}

/* Pieces without length, as where a path passes two walls that touch, change nothing but what the walls do. */
static void assert_same(rcity_channel channel, rcity_channel expected, double tolerance)
{
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            assert_phasor(channel_get(channel, i, j), channel_get(expected, i, j),
                          tolerance * cabs(channel_get(expected, 0, 0)));
        }
    }
}

static void test_touching_events(void **state)
{
    (void)state;
    path_world world;
    path_world_init(&world, 0.1);
    int32_t material_index = path_world_add_material(&world, 3.0, -0.1, 0.1);
    rcity_place3 normal = place_make(1.0, 0.2, 0.1);
    int32_t wall = path_world_add_mirror(&world, place_make(3.0, 0.0, 0.0), normal, material_index);
    rcity_trace_path once;
    const path_step steps[2] = {{RCITY_EVENT_TRANSMISSION, wall}, {RCITY_EVENT_TRANSMISSION, wall}};
    assert_true(path_world_solve(&world, place_make(9.0, 1.0, 2.0), place_make(-7.0, 3.0, 4.0), steps, 1, &once));
    rcity_trace_path twice = once;
    twice.event_count = 2;
    twice.event[1] = once.event[0];
    rcity_trace_path apart = twice; /* the same walls with a little air between */
    apart.event[1].point = place_add(once.event[0].point, place_add(once.rx, once.tx, -1.0), 1e-4);
    assert_same(rcity_path_channel(&world.world, &twice), rcity_path_channel(&world.world, &apart), 1e-9);
    rcity_trace_path near_start = once;
    rcity_trace_path at_start = once;
    at_start.tx = once.event[0].point;
    near_start.tx = place_add(once.event[0].point, place_add(once.tx, once.rx, -1.0), 1e-8);
    assert_same(rcity_path_channel(&world.world, &at_start), rcity_path_channel(&world.world, &near_start), 1e-4);
}

TEST_SUITE(path_field)
{
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_space),       cmocka_unit_test(test_long_phase),
        cmocka_unit_test(test_two_rays),         cmocka_unit_test(test_conducting_wall),
        cmocka_unit_test(test_corner_reflector), cmocka_unit_test(test_through_wall),
        cmocka_unit_test(test_touching_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
