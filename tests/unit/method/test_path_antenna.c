/* Both antennas on a path: gains, polarizations, directions, and the power that follows. */
#include "rcity_test.h"

#include "base/angle.h"
#include "method/images/field/path_antenna.h"
#include "path_world.h"

#define WAVELENGTH_M 0.15

/* One transmitter in the origin and its receivers, as a job has them. */
typedef struct test_stage {
    rcity_job job;
    rcity_tx tx;
    rcity_receivers receivers;
    path_world world;
} test_stage;

static void stage_init(test_stage *stage)
{
    memset(stage, 0, sizeof *stage);
    stage->tx.stated = rcity_transmitter_default();
    stage->receivers = rcity_receivers_default();
    path_world_init(&stage->world, WAVELENGTH_M);
}

static rcity_path_weight weigh(test_stage *stage, rcity_rx_polarization polarization, const rcity_trace_path *path)
{
    stage->job.receivers = &stage->receivers;
    rcity_path_ends ends = rcity_path_ends_make(&stage->job, &stage->tx, polarization);
    rcity_channel channel = rcity_path_channel(&stage->world.world, path);
    rcity_path_course course = rcity_path_measure(path);
    return rcity_path_weigh(&ends, &course, &channel);
}

/* The straight line to a place. */
static rcity_path_weight weigh_line(test_stage *stage, rcity_rx_polarization polarization, rcity_place3 rx)
{
    rcity_trace_path path;
    memset(&path, 0, sizeof path);
    path.rx = rx;
    return weigh(stage, polarization, &path);
}

static rcity_path_course measure_line(rcity_place3 rx)
{
    rcity_trace_path path;
    memset(&path, 0, sizeof path);
    path.rx = rx;
    return rcity_path_measure(&path);
}

static double free_space_gain(double distance_m)
{
    return pow(WAVELENGTH_M / (4.0 * PI * distance_m), 2.0);
}

/* Each polarization into each receiver on a line of sight. Upright and level ones match their like, a slant the other
   slant that faces it; crossed ones hear nothing, slant and straight ones half; a receiver for both loses nothing. */
static void test_polarizations(void **state)
{
    (void)state;
    static const double share[4][5] = {
        {1.0, 0.0, 0.5, 0.5, 1.0}, {0.0, 1.0, 0.5, 0.5, 1.0}, {0.5, 0.5, 0.0, 1.0, 1.0}, {0.5, 0.5, 1.0, 0.0, 1.0}};
    test_stage stage;
    stage_init(&stage);
    for (int trial = 0; trial < 20; trial++) {
        double turn = 0.3 * trial;
        rcity_place3 rx = place_make(60.0 * cos(turn), 60.0 * sin(turn), -80.0 + 10.0 * trial);
        double full = free_space_gain(place_distance(rx, place_make(0.0, 0.0, 0.0)));
        for (int tx = 0; tx < 4; tx++) {
            for (int kind = 0; kind < 5; kind++) {
                stage.tx.stated.polarization = (rcity_polarization)tx;
                rcity_path_weight weight = weigh_line(&stage, (rcity_rx_polarization)kind, rx);
                assert_near(weight.gain / full, share[tx][kind], 1e-9);
                assert_true((weight.gain == 0.0) == (share[tx][kind] == 0.0)); /* nothing is nothing, not rounding */
                assert_near(weight.isotropic_gain / full, share[tx][kind], 1e-9);
                double cross = hypot(weight.cross_amplitude.re, weight.cross_amplitude.im);
                double straight = hypot(weight.amplitude.re, weight.amplitude.im);
                bool is_both = kind == RCITY_RX_POLARIZATION_BOTH;
                assert_near(cross * cross / full, is_both ? share[tx][1] : 0.0, 1e-9);
                assert_near(straight * straight / full, share[tx][is_both ? 0 : kind], 1e-9);
            }
        }
    }
}

/* The phase of the amplitude is that of the way. */
static void test_phase(void **state)
{
    (void)state;
    test_stage stage;
    stage_init(&stage);
    phasor leg = phasor_free_space(50.0, WAVELENGTH_M);
    for (int kind = 0; kind < 5; kind++) {
        stage.tx.stated.polarization = kind == 1 ? RCITY_POLARIZATION_HORIZONTAL : RCITY_POLARIZATION_VERTICAL;
        rcity_path_weight weight = weigh_line(&stage, (rcity_rx_polarization)kind, place_make(30.0, 40.0, 0.0));
        phasor amplitude = weight.amplitude.re + weight.amplitude.im * PHASOR_J;
        assert_near(carg(amplitude / leg), 0.0, 1e-9);
    }
}

/* Straight up and straight down the two frames meet in the same convention. */
static void test_vertical_ray(void **state)
{
    (void)state;
    test_stage stage;
    stage_init(&stage);
    for (int side = -1; side <= 1; side += 2) {
        for (int tx = 0; tx < 4; tx++) {
            static const rcity_rx_polarization match[4] = {
                RCITY_RX_POLARIZATION_VERTICAL, RCITY_RX_POLARIZATION_HORIZONTAL, RCITY_RX_POLARIZATION_SLANT_MINUS,
                RCITY_RX_POLARIZATION_SLANT};
            stage.tx.stated.polarization = (rcity_polarization)tx;
            rcity_path_weight weight = weigh_line(&stage, match[tx], place_make(0.0, 0.0, 30.0 * side));
            assert_phasor(weight.amplitude.re + weight.amplitude.im * PHASOR_J, phasor_free_space(30.0, WAVELENGTH_M),
                          1e-12);
            rcity_path_course course = measure_line(place_make(0.0, 0.0, 30.0 * side));
            assert_near(course.departure_elevation_deg, 90.0 * side, 1e-9);
            assert_near(course.arrival_elevation_deg, -90.0 * side, 1e-9);
        }
    }
}

/* Azimuths run clockwise from the y axis; the arrival looks back. */
static void test_angles(void **state)
{
    (void)state;
    test_stage stage;
    stage_init(&stage);
    int32_t metal = path_world_add_conductor(&stage.world);
    path_world_add_mirror(&stage.world, place_make(10.0, 0.0, 0.0), place_make(-1.0, 0.0, 0.0), metal);
    const path_step step = {RCITY_EVENT_REFLECTION, 0};
    rcity_trace_path path;
    assert_true(
        path_world_solve(&stage.world, place_make(0.0, 0.0, 0.0), place_make(0.0, 20.0, 20.0), &step, 1, &path));
    rcity_path_course course = rcity_path_measure(&path);
    assert_near(course.departure_azimuth_deg, 45.0, 1e-9);
    assert_near(course.arrival_azimuth_deg, 135.0, 1e-9);
    assert_near(tan(rcity_angle_rad(course.departure_elevation_deg)), sqrt(0.5), 1e-9);
    assert_near(tan(rcity_angle_rad(course.arrival_elevation_deg)), -sqrt(0.5), 1e-9);
    assert_near(course.length_m, sqrt(20.0 * 20.0 * 3.0), 1e-9);
    rcity_path_course west = measure_line(place_make(-5.0, 0.0, 0.0));
    assert_near(west.departure_azimuth_deg, 270.0, 1e-9);
    assert_near(west.arrival_azimuth_deg, 90.0, 1e-9);
}

/* The gain is the antenna's in the direction of departure, whatever direction the receiver lies in. */
static void test_gains(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_antenna *antenna = NULL;
    assert_ok(context, rcity_antenna_create(context, "3gpp", &antenna));
    test_stage stage;
    stage_init(&stage);
    stage.tx.stated.antenna = antenna;
    stage.tx.stated.mechanical_tilt_deg = 0.0;
    stage.tx.azimuth_rad = rcity_angle_rad(70.0);
    stage.receivers.gain_dbi = 3.0;
    for (int degree = 0; degree < 360; degree += 15) {
        double azimuth_rad = rcity_angle_rad(degree);
        rcity_place3 rx = place_make(90.0 * sin(azimuth_rad), 90.0 * cos(azimuth_rad), 10.0);
        double distance_m = place_distance(rx, place_make(0.0, 0.0, 0.0));
        double gain_dbi =
            rcity_antenna_gain_dbi(antenna, (double)NAN, degree - 70.0, rcity_angle_deg(asin(10.0 / distance_m)));
        rcity_path_weight weight = weigh_line(&stage, RCITY_RX_POLARIZATION_VERTICAL, rx);
        double expected_db = gain_dbi + 3.0 + 10.0 * log10(free_space_gain(distance_m));
        assert_near(10.0 * log10(weight.gain), expected_db, 1e-3);
        assert_near(weight.isotropic_gain / free_space_gain(distance_m), 1.0, 1e-6);
    }
    rcity_antenna_destroy(&antenna);
    rcity_context_destroy(&context);
}

TEST_SUITE(path_antenna)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polarizations), cmocka_unit_test(test_phase), cmocka_unit_test(test_vertical_ray),
        cmocka_unit_test(test_angles),        cmocka_unit_test(test_gains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
