/* Polarization of mounted antennas: against the angle psi that 3GPP TR 38.901 writes out. */
#include "wave_test.h"

#include "kernel/wave/polarization.h"

#define SEED 901u

static rcity_real3 direction(double theta_rad, double phi_rad)
{
    return rcity_real3_make((rcity_real)(sin(theta_rad) * cos(phi_rad)), (rcity_real)(sin(theta_rad) * sin(phi_rad)),
                            (rcity_real)cos(theta_rad));
}

/* theta^ points down, phi^ counter-clockwise, and with r they are a right-handed frame. */
static void test_upright_frame_is_right_handed(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 300; i++) {
        double theta = i < 3 ? 0.5 * PI * (double)i : acos(test_uniform(SEED, 2 * i, -1.0, 1.0));
        double phi = test_uniform(SEED, 2 * i + 1, -PI, PI);
        rcity_real3 r = direction(theta, phi);
        rcity_upright frame = rcity_upright_of(r);
        rcity_real3 back = rcity_real3_cross(frame.theta, frame.phi);
        double tolerance = EITHER(1e-6, 1e-15);
        assert_near((double)rcity_real3_length(rcity_real3_subtract(back, r)), 0.0, tolerance);
        assert_near((double)rcity_real3_length(frame.theta), 1.0, tolerance);
        assert_near((double)rcity_real3_length(frame.phi), 1.0, tolerance);
        assert_near((double)frame.phi.z, 0.0, 0.0);
        assert_true((double)frame.theta.z <= 0.0);
    }
    rcity_upright east = rcity_upright_of(rcity_real3_make(1, 0, 0));
    assert_near((double)east.theta.z, -1.0, 0.0);
    assert_near((double)east.phi.y, 1.0, 0.0);
    rcity_upright overhead = rcity_upright_of(rcity_real3_make(0, 0, 1));
    assert_near((double)overhead.theta.x, 1.0, 0.0);
    assert_near((double)overhead.phi.y, 1.0, 0.0);
}

/* TR 38.901, equation (7.1-15) without slant of the mast: psi from bearing alpha, downtilt beta and the direction. The
   bearing counts counter-clockwise from the x axis, our azimuth clockwise from the y axis. */
static double psi_of_3gpp(double alpha, double beta, double theta, double phi)
{
    return atan2(sin(beta) * sin(phi - alpha), cos(beta) * sin(theta) - sin(beta) * cos(theta) * cos(phi - alpha));
}

static void test_against_3gpp(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t i = 0; i < 2000; i++) {
        double azimuth = test_uniform(SEED, 5 * i, -PI, PI);
        double tilt = test_uniform(SEED, 5 * i + 1, -0.6, 0.6);
        double slant = (double)(i % 3) * PI / 4.0;
        double theta = acos(test_uniform(SEED, 5 * i + 2, -0.7, 0.7)); /* away from both frames' poles */
        double phi = test_uniform(SEED, 5 * i + 3, -PI, PI);
        double psi = psi_of_3gpp(PI / 2.0 - azimuth, tilt, theta, phi);
        rcity_mount mount = rcity_mount_make((rcity_real)azimuth, (rcity_real)tilt, (rcity_real)slant);
        rcity_jones jones = rcity_mount_jones(mount, direction(theta, phi));
        /* (7.1-11): the antenna's own (cos zeta, sin zeta) turned by psi */
        worst = fmax(worst, fabs((double)jones.theta - cos(psi + slant)));
        worst = fmax(worst, fabs((double)jones.phi - sin(psi + slant)));
    }
    print_message("polarization within %.2g of TR 38.901 (seed %u)\n", worst, SEED);
    assert_true(worst <= EITHER(5e-6, 1e-13));
}

/* An upright antenna has one polarization everywhere. A tilted one has it straight ahead and behind, and to the sides
   its field leans by the tilt. */
static void test_by_hand(void **state)
{
    (void)state;
    rcity_mount upright = rcity_mount_make((rcity_real)0.7, 0, (rcity_real)(PI / 4.0));
    for (int i = 1; i < 12; i++) {
        rcity_jones jones = rcity_mount_jones(upright, direction(0.25 * i, 0.5 * i));
        assert_near((double)jones.theta, sqrt(0.5), EITHER(1e-6, 1e-15));
        assert_near((double)jones.phi, sqrt(0.5), EITHER(1e-6, 1e-15));
    }
    double tilt = 0.2;
    rcity_mount north = rcity_mount_make(0, (rcity_real)tilt, 0); /* vertical, looks along y, leans forward */
    rcity_jones ahead = rcity_mount_jones(north, rcity_real3_make(0, 1, 0));
    assert_near((double)ahead.theta, 1.0, EITHER(1e-6, 1e-15));
    assert_near((double)ahead.phi, 0.0, EITHER(1e-6, 1e-15));
    /* to the east its own "down" is (0, -sin tilt, -cos tilt): phi^ there is +y */
    rcity_jones east = rcity_mount_jones(north, rcity_real3_make(1, 0, 0));
    assert_near((double)east.theta, cos(tilt), EITHER(1e-6, 1e-15));
    assert_near((double)east.phi, -sin(tilt), EITHER(1e-6, 1e-15));
    /* to the west phi^ is -y */
    rcity_jones west = rcity_mount_jones(north, rcity_real3_make(-1, 0, 0));
    assert_near((double)west.phi, sin(tilt), EITHER(1e-6, 1e-15));
    rcity_mount level = rcity_mount_make(0, 0, (rcity_real)(PI / 2.0)); /* horizontal */
    assert_near((double)rcity_mount_jones(level, rcity_real3_make(0, 1, 0)).phi, 1.0, EITHER(1e-6, 1e-15));
    assert_true(isfinite(rcity_mount_jones(north, rcity_real3_make(0, 0, 1)).theta));
    assert_true(isfinite(rcity_mount_jones(level, rcity_real3_make(0, 0, -1)).theta));
}

/* The field squared is the antenna's gain, and its direction the polarization. */
static void test_squared_field_is_the_antenna_gain(void **state)
{
    (void)state;
    static const float no_cuts[1 + 720] = {0.0f}; /* these kinds have none, but the compiler cannot know */
    for (uint64_t i = 0; i < 500; i++) {
        double azimuth = test_uniform(SEED, 4 * i, -PI, PI);
        double tilt = test_uniform(SEED, 4 * i + 1, -0.3, 0.3);
        rcity_mount mount = rcity_mount_make((rcity_real)azimuth, (rcity_real)tilt, (rcity_real)0.3);
        rcity_antenna_job antenna = {.kind = (rcity_i32)(i % 3),
                                     .gain_dbi = 8.0f,
                                     .sin_azimuth = (float)sin(azimuth),
                                     .cos_azimuth = (float)cos(azimuth),
                                     .sin_tilt = (float)sin(tilt),
                                     .cos_tilt = (float)cos(tilt)};
        rcity_real3 r =
            direction(acos(test_uniform(SEED, 4 * i + 2, -0.95, 0.95)), test_uniform(SEED, 4 * i + 3, -PI, PI));
        rcity_vec3 single = {(float)r.x, (float)r.y, (float)r.z};
        rcity_jones field = rcity_mount_field(mount, antenna, no_cuts, r);
        rcity_jones jones = rcity_mount_jones(mount, r);
        double power = (double)(field.theta * field.theta + field.phi * field.phi);
        assert_near(10.0 * log10(power), (double)rcity_antenna_gain(antenna, no_cuts, single), 1e-5);
        assert_near((double)(field.theta * jones.phi - field.phi * jones.theta), 0.0, 1e-5);
        assert_true((double)(field.theta * jones.theta + field.phi * jones.phi) > 0.0);
    }
}

TEST_SUITE(polarization)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_upright_frame_is_right_handed),
        cmocka_unit_test(test_against_3gpp),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_squared_field_is_the_antenna_gain),
    };
    return cmocka_run_group_tests_name("polarization", tests, NULL, NULL);
}
