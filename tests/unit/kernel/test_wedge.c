/* The wedge against what is known exactly: Sommerfeld's half-plane, the series of the right-angled conductor,
   Maliuzhinets' wedge of given impedance; and the total field in space, continuous and the same both ways. */
#include "wedge_test.h"

#define SEED 1974u
#define TIE  ((double)RCITY_WEDGE_TIE_RAD)

/* sqrt(j / pi) times the integral from -infinity to x of exp(-j t^2) dt, along rotated paths; Simpson's rule. */
static double complex lit_share(double x)
{
    const int steps = 4000;
    double step = 7.0 / (1.0 + 0.3 * fabs(x)) / steps;
    double complex slope = -2.0 * fabs(x) * cexp(J * PI / 4.0);
    double complex sum = 0.0;
    for (int i = 0; i <= steps; i++) {
        double y = i * step;
        double weight = i == 0 || i == steps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        sum += weight * cexp(slope * y - y * y);
    }
    double complex shadow = sum * step / (3.0 * sqrt(PI)) * cexp(-J * x * x);
    return x < 0.0 ? shadow : 1.0 - shadow;
}

/* The field of a plane wave from phi_in around a conducting half-plane (Sommerfeld 1896), exp(+j omega t). */
static double complex half_plane_truth(bool is_hard, double kr, double phi_in, double phi)
{
    double difference = phi - phi_in;
    double sum = phi + phi_in;
    double complex incident = cexp(J * kr * cos(difference)) * lit_share(sqrt(2.0 * kr) * cos(0.5 * difference));
    double complex mirrored = cexp(J * kr * cos(sum)) * lit_share(sqrt(2.0 * kr) * cos(0.5 * sum));
    return is_hard ? incident + mirrored : incident - mirrored;
}

/* Geometrical optics and the diffracted ray of a plane wave at a conductor, k = 1. Rays that touch are there. */
static double complex ray_field(double exterior, bool is_hard, double kr, double phi_in, double phi)
{
    rcity_wedge wedge = wedge_of(exterior, conducting_face(), conducting_face());
    rcity_dyad d = rcity_wedge_diffract(wedge, ray_of(1.0, 0.5 * PI, phi_in, phi, kr));
    double sign = is_hard ? 1.0 : -1.0;
    double complex field = -from_kernel(d.m[is_hard][is_hard]) * cexp(-J * kr) / sqrt(kr);
    assert_complex_near(d.m[0][1], 0.0, 0.0);
    assert_complex_near(d.m[1][0], 0.0, 0.0);
    if (fabs(phi - phi_in) <= PI + TIE) {
        field += cexp(J * kr * cos(phi - phi_in));
    }
    if (phi + phi_in <= PI + TIE) {
        field += sign * cexp(J * kr * cos(phi + phi_in));
    }
    if (phi + phi_in >= 2.0 * exterior - PI - TIE) {
        field += sign * cexp(J * kr * cos(2.0 * exterior - phi - phi_in));
    }
    return field;
}

static void test_half_plane(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int i = 0; i < 4000; i++) {
        uint64_t at = 4 * (uint64_t)i;
        double kr = pow(10.0, test_uniform(SEED, at, -1.0, 3.0));
        double phi_in = test_uniform(SEED, at + 1, 0.0, 2.0 * PI);
        double phi = test_uniform(SEED, at + 2, 0.0, 2.0 * PI);
        if (i % 3 == 0) { /* near a boundary */
            double off = pow(10.0, test_uniform(SEED, at + 3, EITHER(-5.0, -7.0), -1.0)) * (i % 2 == 0 ? 1.0 : -1.0);
            phi = i % 4 < 2 ? fmod(phi_in + PI, 2.0 * PI) + off : fabs(PI - phi_in) + off;
            phi = fmin(fmax(phi, 0.0), 2.0 * PI);
        }
        kr = (double)(rcity_real)kr;
        phi_in = (double)(rcity_real)phi_in;
        phi = (double)(rcity_real)phi;
        for (int hard = 0; hard < 2; hard++) {
            double complex truth = half_plane_truth(hard, kr, phi_in, phi);
            double error = cabs(ray_field(2.0 * PI, hard, kr, phi_in, phi) - truth);
            worst = fmax(worst, error);
            if (!(error <= EITHER(1e-4, 1e-10))) {
                print_error("kr %.9g, from %.9g to %.9g, %s: off by %g\n", kr, phi_in, phi, hard ? "hard" : "soft",
                            error);
                fail();
            }
        }
    }
    print_message("half-plane, " PRECISION ": within %.2g of the incident field (seed %u)\n", worst, SEED);
}

/* J of any order, by Schlaefli's integral (DLMF 10.9.6); panels of Simpson's rule. */
static double bessel(double order, double x)
{
    const int steps = 1200;
    double first = 0.0;
    double second = 0.0;
    for (int i = 0; i <= steps; i++) {
        double weight = i == 0 || i == steps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        double t = PI * i / steps;
        first += weight * cos(order * t - x * sin(t));
        double u = 4.0 * i / steps;
        second += weight * exp(-x * sinh(u) - order * u);
    }
    return first / (3.0 * steps) - sin(order * PI) / PI * second * 4.0 / (3.0 * steps);
}

#define SERIES_MAX 120

/* The series for a plane wave at a conducting wedge: (1/n) sum of e_m j^(m/n) J_m/n(kr) (cos(m(phi - phi')/n) -+ ...).
   */
static double complex wedge_truth(double exterior, bool is_hard, const double *j_of, double phi_in, double phi)
{
    double n = exterior / PI;
    double complex sum = 0.0;
    for (int m = 0; m < SERIES_MAX; m++) {
        double shape = cos(m * (phi - phi_in) / n) + (is_hard ? 1.0 : -1.0) * cos(m * (phi + phi_in) / n);
        sum += (m == 0 ? 1.0 : 2.0) * cexp(J * 0.5 * PI * m / n) * j_of[m] * shape;
    }
    return sum / n;
}

static void test_right_angle(void **state)
{
    (void)state;
    const double exterior = 1.5 * PI;
    const double radius[] = {1.0, 1.3, 1.7, 2.5, 4.0, 7.0}; /* wavelengths */
    double worst = 0.0;
    double worst_db = 0.0;
    for (int r = 0; r < 6; r++) {
        double kr = 2.0 * PI * radius[r];
        double j_of[SERIES_MAX];
        for (int m = 0; m < SERIES_MAX; m++) {
            j_of[m] = bessel(m / 1.5, kr);
        }
        for (int i = 0; i <= 45; i++) {
            for (int o = 0; o <= 90; o++) {
                double phi_in = i * 6.0 * PI / 180.0;
                double phi = o * 3.0 * PI / 180.0;
                for (int hard = 0; hard < 2; hard++) {
                    double complex truth = wedge_truth(exterior, hard, j_of, phi_in, phi);
                    double complex field = ray_field(exterior, hard, kr, phi_in, phi);
                    worst = fmax(worst, cabs(field - truth));
                    if (fabs(phi - phi_in) > PI + TIE && cabs(truth) > 1e-3) {
                        worst_db = fmax(worst_db, fabs(20.0 * log10(cabs(field) / cabs(truth))));
                    }
                }
            }
        }
    }
    print_message("right angle, " PRECISION ": within %.3f %% of the incident field, %.3f dB in the shadow\n",
                  100.0 * worst, worst_db);
    assert_true(worst <= 0.006);
    assert_true(worst_db <= 0.1);
}

/* The slope coefficient is the derivative of D, and for a half-plane the derivative of the exact field: a plane wave
   that turns by a small angle has, at the edge, the slope j k sin(beta) times the angle. */
static void test_slope_is_the_derivative_of_diffraction(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t i = 0; i < 2000; i++) {
        double exterior = i % 2 == 0 ? 2.0 * PI : 1.5 * PI;
        double complex permittivity =
            CMPLX(test_uniform(SEED, 8 * i, 2.0, 10.0), -test_uniform(SEED, 8 * i + 1, 0.0, 1.0));
        rcity_face face = i % 3 == 0 ? lossy_face(permittivity, 0.0) : conducting_face();
        rcity_wedge wedge = wedge_of(exterior, face, face);
        double k = pow(10.0, test_uniform(SEED, 8 * i + 2, 0.0, 2.0));
        double beta = test_uniform(SEED, 8 * i + 3, 0.3, PI - 0.3);
        double length_m = pow(10.0, test_uniform(SEED, 8 * i + 4, 0.0, 2.0));
        double phi_in = test_uniform(SEED, 8 * i + 5, 0.1, exterior - 0.1);
        double phi = test_uniform(SEED, 8 * i + 6, 0.1, exterior - 0.1);
        double step = EITHER(2e-3, 1e-5);
        double edge = fabs(phi - phi_in);
        if (fabs(edge - PI) < 0.02 || fabs(phi + phi_in - PI) < 0.02 ||
            fabs(phi + phi_in - 2.0 * exterior + PI) < 0.02 || edge < 0.02 || fabs(phi_in - PI) < 0.02 ||
            fabs(phi_in - exterior + PI) < 0.02) {
            continue; /* D itself jumps, or has a kink */
        }
        rcity_dyad slope = rcity_wedge_slope(wedge, ray_of(k, beta, phi_in, phi, length_m));
        rcity_dyad low = rcity_wedge_diffract(wedge, ray_of(k, beta, phi_in - step, phi, length_m));
        rcity_dyad high = rcity_wedge_diffract(wedge, ray_of(k, beta, phi_in + step, phi, length_m));
        double size = (cabs(from_kernel(low.m[0][0])) + cabs(from_kernel(low.m[1][1]))) / (k * sin(beta));
        for (int j = 0; j < 4; j++) {
            double complex change = from_kernel(high.m[j / 2][j % 2]) - from_kernel(low.m[j / 2][j % 2]);
            double complex truth = change / (2.0 * step * J * k * sin(beta));
            double error = cabs(from_kernel(slope.m[j / 2][j % 2]) - truth) / (size + cabs(truth));
            worst = fmax(worst, error);
            if (!(error <= EITHER(0.02, 1e-5))) {
                print_error("case %llu, %d: off by %g\n", (unsigned long long)i, j, error);
                fail();
            }
        }
    }
    print_message("slope, " PRECISION ": the derivative within %.2g (seed %u)\n", worst, SEED);
}

/* Behind a half-plane, soft, a wave that vanishes at the edge: u = -d/dphi' of Sommerfeld's field, on the boundary too.
   */
static void test_slope_half_plane(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int i = 0; i <= 200; i++) {
        double kr = 40.0;
        double phi_in = 1.0;
        double phi = PI + phi_in + (i - 100) * 0.01;
        double step = 1e-4;
        rcity_wedge wedge = wedge_of(2.0 * PI, conducting_face(), conducting_face());
        rcity_dyad slope = rcity_wedge_slope(wedge, ray_of(1.0, 0.5 * PI, phi_in, phi, kr));
        for (int hard = 0; hard < 2; hard++) {
            double complex truth =
                (half_plane_truth(hard, kr, phi_in + step, phi) - half_plane_truth(hard, kr, phi_in - step, phi)) /
                (2.0 * step);
            double complex field = -from_kernel(slope.m[hard][hard]) * J * cexp(-J * kr) / sqrt(kr);
            if (phi <= phi_in + PI + TIE) {
                field += J * kr * sin(phi - phi_in) * cexp(J * kr * cos(phi - phi_in));
            }
            worst = fmax(worst, cabs(field - truth));
        }
    }
    print_message("slope at a half-plane, " PRECISION ": within %.2g\n", worst);
    assert_true(worst <= EITHER(1e-3, 2e-4)); /* of up to 40; the truth's difference has 1e-4 */
}

/* On a face nothing jumps, and what cancels there does. */
static void test_field_is_continuous_on_the_faces(void **state)
{
    (void)state;
    rcity_face concrete = lossy_face(CMPLX(5.31, -0.3), 0.0);
    rcity_wedge soft = wedge_of(1.5 * PI, conducting_face(), conducting_face());
    rcity_wedge lossy = wedge_of(1.5 * PI, concrete, concrete);
    for (int i = 1; i < 20; i++) {
        double phi = i * 0.23;
        for (int side = 0; side < 2; side++) {
            double face = side == 0 ? 0.0 : 1.5 * PI;
            double near = side == 0 ? 1e-5 : 1.5 * PI - 1e-5;
            rcity_dyad on = rcity_wedge_diffract(soft, ray_of(20.0, 1.2, face, phi, 30.0));
            rcity_dyad off = rcity_wedge_diffract(soft, ray_of(20.0, 1.2, near, phi, 30.0));
            assert_complex_near(on.m[0][0], 0.0, EITHER(2e-6, 1e-13) * sqrt(30.0));
            assert_complex_near(on.m[1][1], from_kernel(off.m[1][1]), 2e-2 * cabs(from_kernel(on.m[1][1])));
            rcity_dyad dead = rcity_wedge_diffract(lossy, ray_of(20.0, 1.2, face, phi, 30.0));
            for (int j = 0; j < 4; j++) {
                assert_complex_near(dead.m[j / 2][j % 2], 0.0, EITHER(1e-5, 1e-10) * sqrt(30.0));
            }
        }
    }
}

TEST_SUITE(wedge)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_half_plane), cmocka_unit_test(test_right_angle),
                                       cmocka_unit_test(test_slope_is_the_derivative_of_diffraction),
                                       cmocka_unit_test(test_slope_half_plane),
                                       cmocka_unit_test(test_field_is_continuous_on_the_faces)};
    return cmocka_run_group_tests_name("wedge " PRECISION, tests, NULL, NULL);
}
