/* Lossy wedges: the total field in space is continuous over every boundary, the same both ways, and in the shadow it is
   that of Maliuzhinets' exact solution for faces of a given impedance. */
#include "wedge_test.h"

#define SEED 1984u

/* An edge along z in space, a point source and a receiver on Keller's cone. */
typedef struct space_case {
    rcity_wedge wedge;
    double exterior, wavenumber_per_m, beta, phi_in, before_m, after_m;
} space_case;

static point3 cone_point(double phi, double along_m, double across_m)
{
    return point3_of(across_m * cos(phi), across_m * sin(phi), along_m);
}

/* A field with the given component along `axis` and across the ray, of a source at a distance. */
static field3 source_field(point3 ray, point3 axis, double wavenumber_per_m, double distance_m)
{
    point3 across = point3_unit(point3_cross(axis, ray));
    point3 along = point3_cross(ray, across);
    double complex value = cexp(-J * wavenumber_per_m * distance_m) / distance_m;
    return field3_make(value * point3_dot(along, axis), along, 0.0, across);
}

/* The ray reflected by a plane through the edge with a normal, from the vectors of the plane of incidence. */
static field3 reflected_field(space_case at, rcity_face face, point3 normal, point3 source, point3 receiver,
                              point3 axis)
{
    double off = 2.0 * point3_dot(source, normal);
    point3 image = point3_less(source, point3_of(off * normal.x, off * normal.y, off * normal.z));
    point3 out = point3_unit(point3_less(receiver, image));
    double turn = 2.0 * point3_dot(out, normal);
    point3 in = point3_less(out, point3_of(turn * normal.x, turn * normal.y, turn * normal.z));
    double distance_m = sqrt(point3_dot(point3_less(receiver, image), point3_less(receiver, image)));
    field3 incident = source_field(in, axis, at.wavenumber_per_m, distance_m);
    point3 e = point3_unit(point3_cross(in, normal));
    rcity_face_response response =
        rcity_face_reflect(face, (rcity_real)at.wavenumber_per_m, (rcity_real)fabs(point3_dot(in, normal)));
    return field3_make(from_kernel(response.te) * field3_along(incident, e), e,
                       from_kernel(response.tm) * field3_along(incident, point3_cross(e, in)), point3_cross(e, out));
}

/* All rays together at an angle phi; `shown` says which rays of geometrical optics are there. */
static field3 total_field(space_case at, double phi, const bool shown[4], point3 axis)
{
    double sine = sin(at.beta);
    double cosine = cos(at.beta);
    point3 source = cone_point(at.phi_in, -at.before_m * cosine, at.before_m * sine);
    point3 receiver = cone_point(phi, at.after_m * cosine, at.after_m * sine);
    point3 zero = point3_of(0.0, 0.0, 0.0);
    point3 t = point3_of(0.0, 0.0, 1.0);
    point3 in = point3_unit(point3_less(zero, source));
    point3 out = point3_unit(receiver);
    point3 phi_in = point3_unit(point3_cross(in, t));
    point3 phi_out = point3_unit(point3_cross(t, out));
    field3 incident = source_field(in, axis, at.wavenumber_per_m, at.before_m);
    double sum_m = at.before_m + at.after_m;
    rcity_dyad d = rcity_wedge_diffract(
        at.wedge, ray_of(at.wavenumber_per_m, at.beta, at.phi_in, phi, at.before_m * at.after_m * sine * sine / sum_m));
    double complex beta_part = field3_along(incident, point3_cross(phi_in, in));
    double complex phi_part = field3_along(incident, phi_in);
    double complex spread = sqrt(at.before_m / (at.after_m * sum_m)) * cexp(-J * at.wavenumber_per_m * at.after_m);
    field3 total = field3_make(
        spread * (from_kernel(d.m[0][0]) * beta_part + from_kernel(d.m[0][1]) * phi_part), point3_cross(phi_out, out),
        spread * (from_kernel(d.m[1][0]) * beta_part + from_kernel(d.m[1][1]) * phi_part), phi_out);
    if (shown[RCITY_WEDGE_PAST_N] && shown[RCITY_WEDGE_PAST_O]) {
        point3 leg = point3_less(receiver, source);
        double distance_m = sqrt(point3_dot(leg, leg));
        total = field3_add(total, source_field(point3_unit(leg), axis, at.wavenumber_per_m, distance_m));
    }
    if (shown[RCITY_WEDGE_MIRROR_O]) {
        total =
            field3_add(total, reflected_field(at, at.wedge.face_o, point3_of(0.0, 1.0, 0.0), source, receiver, axis));
    }
    if (shown[RCITY_WEDGE_MIRROR_N]) {
        point3 normal = point3_of(sin(at.exterior), -cos(at.exterior), 0.0);
        total = field3_add(total, reflected_field(at, at.wedge.face_n, normal, source, receiver, axis));
    }
    return total;
}

/* Which rays are there at phi. */
static void set_shown(space_case at, double phi, bool shown[4])
{
    shown[RCITY_WEDGE_PAST_N] = phi < at.phi_in + PI;
    shown[RCITY_WEDGE_PAST_O] = phi > at.phi_in - PI;
    shown[RCITY_WEDGE_MIRROR_O] = phi + at.phi_in < PI;
    shown[RCITY_WEDGE_MIRROR_N] = phi + at.phi_in > 2.0 * at.exterior - PI;
}

static space_case draw_case(uint64_t i)
{
    const double betas_deg[] = {30.0, 60.0, 90.0, 120.0, 150.0};
    const double exteriors[] = {1.5 * PI, 2.0 * PI, 1.25 * PI, 1.75 * PI};
    const rcity_face faces[] = {lossy_face(CMPLX(5.31, -0.3), 0.0), lossy_face(CMPLX(3.75, -0.02), 0.2),
                                lossy_face(CMPLX(20.0, -5.0), 0.0), conducting_face()};
    space_case at;
    uint64_t place = 16 * i;
    at.exterior = exteriors[i % 4];
    at.wedge = wedge_of(at.exterior, faces[test_random(SEED, place) % 4], faces[test_random(SEED, place + 1) % 4]);
    at.wavenumber_per_m = 2.0 * PI / pow(10.0, test_uniform(SEED, place + 2, -1.3, 0.0));
    at.beta = betas_deg[i % 5] * PI / 180.0;
    at.phi_in = test_uniform(SEED, place + 3, 0.02, at.exterior - 0.02);
    at.before_m = pow(10.0, test_uniform(SEED, place + 4, 0.5, EITHER(2.0, 3.0)));
    at.after_m = pow(10.0, test_uniform(SEED, place + 5, 0.5, EITHER(2.0, 3.0)));
    return at;
}

static void test_field_is_continuous_at_every_boundary(void **state)
{
    (void)state;
    double worst_db = 0.0;
    long count[4] = {0};
    for (uint64_t i = 0; i < 3000; i++) {
        space_case at = draw_case(i);
        const double boundary[4] = {at.phi_in + PI, at.phi_in - PI, PI - at.phi_in, 2.0 * at.exterior - PI - at.phi_in};
        for (int term = 0; term < 4; term++) {
            double off = EITHER(5e-6, 1e-8);
            if (!(boundary[term] > 0.01 && boundary[term] < at.exterior - 0.01)) {
                continue;
            }
            count[term]++;
            for (int axis = 0; axis < 2; axis++) {
                point3 along = axis == 0 ? point3_of(0.1, 0.2, 1.0) : point3_of(1.0, -0.7, 0.3);
                bool before[4], behind[4];
                set_shown(at, boundary[term] - off, before);
                set_shown(at, boundary[term] + off, behind);
                assert_int_not_equal(before[term], behind[term]);
                field3 low = total_field(at, boundary[term] - off, before, along);
                field3 high = total_field(at, boundary[term] + off, behind, along);
                field3 on = total_field(at, boundary[term] + 3.0 * off, behind, along); /* its own slope taken out */
                field3 jump = {2.0 * high.x - low.x - on.x, 2.0 * high.y - low.y - on.y, 2.0 * high.z - low.z - on.z};
                double jump_db = 20.0 * log10(1.0 + field3_size(jump) / field3_size(low));
                worst_db = fmax(worst_db, jump_db);
                if (!(jump_db <= EITHER(0.1, 1e-4))) {
                    print_error("case %llu, term %d: jump of %g dB\n", (unsigned long long)i, term, jump_db);
                    fail();
                }
            }
        }
    }
    print_message("total field, " PRECISION ": jumps up to %.2g dB over %ld, %ld, %ld, %ld boundaries (seed %u)\n",
                  worst_db, count[0], count[1], count[2], count[3], SEED);
    assert_true(count[0] > 500 && count[1] > 500 && count[2] > 500 && count[3] > 500);
}

/* Swap the ends: beta and the phis of both, phi^ stays, beta^ changes sign. */
static void test_exchanged_ends_have_the_same_field(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t i = 0; i < 20000; i++) {
        space_case at = draw_case(i);
        double beta = test_uniform(SEED, 16 * i + 6, 0.05, PI - 0.05);
        double phi = test_uniform(SEED, 16 * i + 7, 0.0, at.exterior);
        rcity_wedge_ray forth = ray_of(at.wavenumber_per_m, beta, at.phi_in, phi, at.before_m);
        rcity_wedge_ray back = forth;
        back.beta_rad = RCITY_REAL_PI - forth.beta_rad;
        back.phi_in_rad = forth.phi_out_rad;
        back.phi_out_rad = forth.phi_in_rad;
        rcity_dyad d = rcity_wedge_diffract(at.wedge, forth);
        rcity_dyad e = rcity_wedge_diffract(at.wedge, back);
        double size = cabs(from_kernel(d.m[0][0])) + cabs(from_kernel(d.m[1][1]));
        for (int j = 0; j < 2; j++) {
            for (int k = 0; k < 2; k++) {
                double sign = j == k ? 1.0 : -1.0;
                worst = fmax(worst, cabs(from_kernel(d.m[j][k]) - sign * from_kernel(e.m[k][j])) / size);
            }
        }
    }
    print_message("wedge, " PRECISION ": the same both ways within %.2g (seed %u)\n", worst, SEED);
    assert_true(worst <= EITHER(1e-3, 1e-11));
}

/* Maliuzhinets' function psi for a wedge of exterior angle 2 half (Sov. Phys. Doklady 3, 1958):
   ln psi(z) = -1/2 integral from 0 to infinity of (cosh(z s) - 1) / (s cosh(pi s / 2) sinh(2 half s)) ds, and
   psi(z + pi/2) psi(z - pi/2) = psi(pi/2)^2 cos(pi z / (4 half)). */
static double complex psi_integral(double half, double complex z)
{
    const int steps = 6000;
    const double span = 30.0;
    double complex sum = 0.0;
    for (int i = 0; i < steps; i++) { /* midpoints: the integrand goes on smoothly to -s, and to 0 at the far end */
        double s = span * (i + 0.5) / steps;
        double fall = (0.5 * PI + 2.0 * half) * s;
        double complex above = cexp(z * s - fall) + cexp(-z * s - fall) - 2.0 * exp(-fall);
        sum += above / (0.5 * s * (1.0 + exp(-PI * s)) * (1.0 - exp(-4.0 * half * s)));
    }
    return cexp(-0.5 * sum * span / steps);
}

static double complex psi(double half, double complex z)
{
    double complex middle = psi_integral(half, 0.5 * PI);
    double complex factor = 1.0;
    z = creal(z) < 0.0 ? -z : z;
    bool is_below = false;
    while (creal(z) > half + 0.5) { /* psi(z) = middle^2 cos(pi (z - pi/2) / (4 half)) / psi(z - pi) */
        double complex step = middle * middle * ccos(PI * (z - 0.5 * PI) / (4.0 * half));
        factor = is_below ? factor / step : factor * step;
        is_below = !is_below;
        z -= PI;
        z = creal(z) < 0.0 ? -z : z;
    }
    double complex last = psi_integral(half, z);
    return is_below ? factor / last : factor * last;
}

static double complex psi_product(double half, double complex a, double complex brewster)
{
    return psi(half, a + half + 0.5 * PI - brewster) * psi(half, a + half - 0.5 * PI + brewster) *
           psi(half, a - half - 0.5 * PI + brewster) * psi(half, a - half + 0.5 * PI - brewster);
}

/* Keller's coefficient times 2 sqrt(2 pi k) exp(j pi / 4), both faces of impedance sin(brewster), exp(-j omega t). */
static double complex maliuzhinets(double exterior, double complex sine, double phi_in, double phi)
{
    double half = 0.5 * exterior;
    double mu = PI / exterior;
    double complex brewster = casin(sine);
    double complex below = psi_product(half, phi_in - half, brewster);
    double complex sum = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        double a = phi - half + side * PI;
        double spread = mu * cos(mu * (phi_in - half)) / (sin(mu * a) - sin(mu * (phi_in - half)));
        sum += side * psi_product(half, a, brewster) / below * spread;
    }
    return 2.0 * sum;
}

/* The material is dense, so that its faces answer all angles with nearly one impedance; far from every boundary. */
static void test_lossy_wedge_agrees_with_maliuzhinets(void **state)
{
    (void)state;
    const double complex permittivity = CMPLX(60.0, -20.0);
    const double exterior = 1.5 * PI;
    const double wavenumber_per_m = 20.0;
    double worst_db = 0.0;
    for (int pol = 0; pol < 2; pol++) { /* E along the edge, then across it */
        double complex sine = pol == 0 ? csqrt(permittivity) : 1.0 / csqrt(permittivity);
        for (int i = 0; i < 6; i++) {
            for (int o = 0; o < 6; o++) {
                double phi_in = (3.0 + 14.0 * i) * PI / 180.0;
                double phi = (267.0 - 14.0 * o) * PI / 180.0;
                if (phi - phi_in < PI + 0.2) {
                    continue;
                }
                rcity_wedge wedge = wedge_of(exterior, lossy_face(permittivity, 0.0), lossy_face(permittivity, 0.0));
                rcity_dyad d = rcity_wedge_diffract(wedge, ray_of(wavenumber_per_m, 0.5 * PI, phi_in, phi, 1e5));
                double actual = cabs(from_kernel(d.m[pol][pol])) * 2.0 * sqrt(2.0 * PI * wavenumber_per_m);
                double truth = cabs(maliuzhinets(exterior, conj(sine), phi_in, phi));
                worst_db = fmax(worst_db, fabs(20.0 * log10(actual / truth)));
            }
        }
    }
    print_message("lossy wedge, " PRECISION ": within %.3f dB of the exact solution in the shadow\n", worst_db);
    assert_true(worst_db <= 0.25);
}

TEST_SUITE(wedge_faces)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_field_is_continuous_at_every_boundary),
                                       cmocka_unit_test(test_exchanged_ends_have_the_same_field),
                                       cmocka_unit_test(test_lossy_wedge_agrees_with_maliuzhinets)};
    return cmocka_run_group_tests_name("wedge faces " PRECISION, tests, NULL, NULL);
}
