/* Both antennas on a path: gains, polarizations, directions, and the power that follows. */
#include "rcity_test.h"

#include "api/predictor.h"
#include "base/angle.h"
#include "method/images/field/path_antenna.h"
#include "path_world.h"

#define WAVELENGTH_M 0.15

/* One transmitter and its receiver, as a request has them; paths start in the origin of a world of their own. */
typedef struct test_stage {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_request request;
    path_world world;
} test_stage;

static void stage_open(test_stage *stage)
{
    static const test_box box = {1000.0, 1000.0, 1010.0, 1010.0, 10.0};
    static const double xyh_m[] = {50.0, 0.0, 1.5};
    memset(stage, 0, sizeof *stage);
    stage->context = test_context(1);
    stage->scene = test_scene(stage->context, &box, 1);
    assert_ok(stage->context, rcity_device_open(stage->context, "host", &stage->device));
    stage->request = rcity_request_default();
    stage->request.method = "images";
    stage->request.transmitter.height_m = 20.0;
    stage->request.receivers.point_count = 1;
    stage->request.receivers.xyh_m = xyh_m;
    path_world_init(&stage->world, WAVELENGTH_M);
}

static void stage_close(test_stage *stage)
{
    test_close(&stage->context, &stage->scene, &stage->device);
}

static rcity_path_weight weigh(test_stage *stage, rcity_rx_polarization polarization, const rcity_trace_path *path)
{
    rcity_predictor *predictor = NULL;
    assert_ok(stage->context,
              rcity_predictor_open_once(stage->context, stage->scene, stage->device, &stage->request, &predictor));
    const rcity_tx *tx = &predictor->slots[RCITY_PREDICTOR_ONLY].tx;
    rcity_path_ends ends = rcity_path_ends_make(&predictor->job, tx, polarization);
    rcity_predictor_close(&predictor);
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
static void test_polarizations_share_power_as_expected(void **state)
{
    (void)state;
    static const double share[4][5] = {
        {1.0, 0.0, 0.5, 0.5, 1.0}, {0.0, 1.0, 0.5, 0.5, 1.0}, {0.5, 0.5, 0.0, 1.0, 1.0}, {0.5, 0.5, 1.0, 0.0, 1.0}};
    test_stage stage;
    stage_open(&stage);
    for (int trial = 0; trial < 20; trial++) {
        double turn = 0.3 * trial;
        rcity_place3 rx = place_make(60.0 * cos(turn), 60.0 * sin(turn), -80.0 + 10.0 * trial);
        double full = free_space_gain(place_distance(rx, place_make(0.0, 0.0, 0.0)));
        for (int tx = 0; tx < 4; tx++) {
            for (int kind = 0; kind < 5; kind++) {
                stage.request.transmitter.polarization = (rcity_polarization)tx;
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
    stage_close(&stage);
}

/* The phase of the amplitude is that of the path. */
static void test_amplitude_has_the_phase_of_the_path(void **state)
{
    (void)state;
    test_stage stage;
    stage_open(&stage);
    phasor leg = phasor_free_space(50.0, WAVELENGTH_M);
    for (int kind = 0; kind < 5; kind++) {
        stage.request.transmitter.polarization =
            kind == 1 ? RCITY_POLARIZATION_HORIZONTAL : RCITY_POLARIZATION_VERTICAL;
        rcity_path_weight weight = weigh_line(&stage, (rcity_rx_polarization)kind, place_make(30.0, 40.0, 0.0));
        phasor amplitude = weight.amplitude.re + weight.amplitude.im * PHASOR_J;
        assert_near(carg(amplitude / leg), 0.0, 1e-9);
    }
    stage_close(&stage);
}

/* Straight up and straight down the two frames meet in the same convention. */
static void test_vertical_ray(void **state)
{
    (void)state;
    test_stage stage;
    stage_open(&stage);
    for (int side = -1; side <= 1; side += 2) {
        for (int tx = 0; tx < 4; tx++) {
            static const rcity_rx_polarization match[4] = {
                RCITY_RX_POLARIZATION_VERTICAL, RCITY_RX_POLARIZATION_HORIZONTAL, RCITY_RX_POLARIZATION_SLANT_MINUS,
                RCITY_RX_POLARIZATION_SLANT};
            stage.request.transmitter.polarization = (rcity_polarization)tx;
            rcity_path_weight weight = weigh_line(&stage, match[tx], place_make(0.0, 0.0, 30.0 * side));
            assert_phasor(weight.amplitude.re + weight.amplitude.im * PHASOR_J, phasor_free_space(30.0, WAVELENGTH_M),
                          1e-12);
            rcity_path_course course = measure_line(place_make(0.0, 0.0, 30.0 * side));
            assert_near(course.departure_elevation_deg, 90.0 * side, 1e-9);
            assert_near(course.arrival_elevation_deg, -90.0 * side, 1e-9);
        }
    }
    stage_close(&stage);
}

/* Azimuths run clockwise from the y axis; the arrival looks back. */
static void test_azimuths_run_clockwise_from_the_y_axis(void **state)
{
    (void)state;
    test_stage stage;
    stage_open(&stage);
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
    stage_close(&stage);
}

/* The gain is the antenna's in the direction of departure, whatever direction the receiver lies in. */
static void test_gain_is_that_of_the_departure_direction(void **state)
{
    (void)state;
    test_stage stage;
    stage_open(&stage);
    rcity_antenna *antenna = NULL;
    assert_ok(stage.context, rcity_antenna_create(stage.context, "3gpp", &antenna));
    stage.request.transmitter.antenna = antenna;
    stage.request.transmitter.mechanical_tilt_deg = 0.0;
    stage.request.transmitter.azimuth_deg = 70.0;
    stage.request.receivers.gain_dbi = 3.0;
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
    stage_close(&stage);
}

TEST_SUITE(path_antenna)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polarizations_share_power_as_expected),
        cmocka_unit_test(test_amplitude_has_the_phase_of_the_path),
        cmocka_unit_test(test_vertical_ray),
        cmocka_unit_test(test_azimuths_run_clockwise_from_the_y_axis),
        cmocka_unit_test(test_gain_is_that_of_the_departure_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
