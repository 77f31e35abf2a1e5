/* Reflection and transmission at faces: against the boundary conditions themselves, and what physics asks of them. */
#include "wave_test.h"

#include "kernel/wave/face.h"

#define SEED        20250u
#define CASE_COUNT  3000
#define LIGHT_M_GHZ 0.299792458

static rcity_face make_face(double complex permittivity, double thickness_m)
{
    rcity_face face;
    face.permittivity = to_kernel(permittivity);
    face.thickness_m = (rcity_real)thickness_m;
    face.is_conductor = 0;
    face.rough_loss = 0;
    return face;
}

/* One random wall and ray: half of them without loss; inputs as the kernel rounds them. */
typedef struct wall_case {
    rcity_face face;
    double complex permittivity;
    double thickness_m, wavenumber_per_m, cosine;
} wall_case;

static wall_case draw(uint64_t i, double thickest_m)
{
    wall_case wall;
    double loss = i % 2 == 0 ? 0.0 : pow(10.0, test_uniform(SEED, 5 * i, -3.0, 0.7));
    wall.permittivity = CMPLX(test_uniform(SEED, 5 * i + 1, 1.0, 10.0), -loss);
    wall.thickness_m = pow(10.0, test_uniform(SEED, 5 * i + 2, -4.0, log10(thickest_m)));
    wall.wavenumber_per_m = 2.0 * PI * pow(10.0, test_uniform(SEED, 5 * i + 3, -0.5, 1.0)) / LIGHT_M_GHZ;
    wall.cosine = test_uniform(SEED, 5 * i + 4, 0.02, 1.0);
    wall.face = make_face(wall.permittivity, wall.thickness_m);
    wall.permittivity = from_kernel(wall.face.permittivity);
    wall.thickness_m = (double)wall.face.thickness_m;
    wall.wavenumber_per_m = (double)(rcity_real)wall.wavenumber_per_m;
    wall.cosine = (double)(rcity_real)wall.cosine;
    return wall;
}

static rcity_face_response reflect(wall_case wall)
{
    return rcity_face_reflect(wall.face, (rcity_real)wall.wavenumber_per_m, (rcity_real)wall.cosine);
}

static rcity_face_response transmit(wall_case wall)
{
    return rcity_face_transmit(wall.face, (rcity_real)wall.wavenumber_per_m, (rcity_real)wall.cosine);
}

/* The truth: tangential E and H are continuous at both surfaces of the wall. Unknown are the waves R, forth, back, T;
   the wall is at 0 < z < d, waves go as exp(-j kz z). `load` is the ratio of tangential H to E over its value in air: n
   / c across the plane of incidence, eta c / n in it. Tangential E of the tm wave has the sign of cos, so R of H is
   that of E turned round. */
typedef struct wall_truth {
    double complex reflected, passed;
} wall_truth;

static wall_truth solve_wall(wall_case wall, bool is_tm)
{
    double c = wall.cosine;
    double complex n = csqrt(wall.permittivity - (1.0 - c * c));
    double complex load = is_tm ? wall.permittivity * c / n : n / c;
    double complex forth = cexp(-J * wall.wavenumber_per_m * wall.thickness_m * n); /* one way through */
    /* 1 + R = A + B;  1 - R = load (A - B);  A p + B / p = T;  load (A p - B / p) = T, with p = forth: from the last
       two B = A p^2 (load - 1) / (load + 1) */
    double complex ratio = forth * forth * (load - 1.0) / (load + 1.0);
    double complex into = 2.0 / ((1.0 + ratio) + load * (1.0 - ratio));
    wall_truth truth;
    truth.reflected = into * (1.0 + ratio) - 1.0;
    truth.passed = into * (forth + ratio / forth);
    truth.passed *= cexp(J * wall.wavenumber_per_m * wall.thickness_m * c); /* the air's phase taken out */
    if (is_tm) {
        truth.reflected = -truth.reflected;
    }
    return truth;
}

static void test_slab_meets_boundary_conditions(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t i = 0; i < CASE_COUNT; i++) {
        wall_case wall = draw(i, 0.3);
        wall_truth te = solve_wall(wall, false);
        wall_truth tm = solve_wall(wall, true);
        worst = fmax(worst, cabs(from_kernel(reflect(wall).te) - te.reflected));
        worst = fmax(worst, cabs(from_kernel(reflect(wall).tm) - tm.reflected));
        worst = fmax(worst, cabs(from_kernel(transmit(wall).te) - te.passed));
        worst = fmax(worst, cabs(from_kernel(transmit(wall).tm) - tm.passed));
        assert_true(isfinite(worst));
    }
    print_message("%d walls within %.2g in %s precision (seed %u)\n", CASE_COUNT, worst, PRECISION, SEED);
    assert_true(worst <= EITHER(1e-4, 1e-12));
}

/* Half-space by Snell's law and Fresnel's formulas with the angle inside. */
static void test_half_space(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < CASE_COUNT; i++) {
        wall_case wall = draw(i, 0.3);
        wall.face.thickness_m = 0;
        double complex index = csqrt(wall.permittivity);
        double complex sine_inside = sqrt(1.0 - wall.cosine * wall.cosine) / index;
        double complex cosine_inside = csqrt(1.0 - sine_inside * sine_inside);
        double complex te = (wall.cosine - index * cosine_inside) / (wall.cosine + index * cosine_inside);
        double complex tm = (index * wall.cosine - cosine_inside) / (index * wall.cosine + cosine_inside);
        assert_complex_near(reflect(wall).te, te, EITHER(1e-6, 1e-14));
        assert_complex_near(reflect(wall).tm, tm, EITHER(1e-6, 1e-14));
        assert_complex_near(transmit(wall).te, 0.0, 0.0);
        assert_complex_near(transmit(wall).tm, 0.0, 0.0);
    }
}

static void test_conductor_reflects_everything(void **state)
{
    (void)state;
    rcity_face face = make_face(CMPLX(3.0, -1.0), 0.1);
    face.is_conductor = 1;
    for (int i = 0; i <= 10; i++) {
        rcity_face_response back = rcity_face_reflect(face, 20, (rcity_real)(0.1 * i));
        rcity_face_response through = rcity_face_transmit(face, 20, (rcity_real)(0.1 * i));
        assert_complex_near(back.te, -1.0, 0.0);
        assert_complex_near(back.tm, 1.0, 0.0);
        assert_complex_near(through.te, 0.0, 0.0);
        assert_complex_near(through.tm, 0.0, 0.0);
    }
    /* a very good conductor comes near: sqrt(eta) is 1.3e5 */
    rcity_face metal = make_face(CMPLX(1.0, -1.8e10), 0.0);
    assert_complex_near(rcity_face_reflect(metal, 20, 1).te, -1.0, 2e-5);
    assert_complex_near(rcity_face_reflect(metal, 20, 1).tm, 1.0, 2e-5);
}

/* Straight on there is no plane of incidence: te and tm differ by the sign of e x s alone. */
static void test_straight_on(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        wall_case wall = draw(i, 0.3);
        wall.cosine = 1.0;
        rcity_face_response back = reflect(wall);
        rcity_face_response through = transmit(wall);
        assert_complex_near(back.tm, -from_kernel(back.te), EITHER(1e-5, 1e-12));
        assert_complex_near(through.tm, from_kernel(through.te), EITHER(1e-5, 1e-12));
    }
}

/* At grazing everything reflects with -1 and nothing passes, whatever the wall; air in its place is no wall. */
static void test_grazing_wave_is_reflected_with_minus_one(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 500; i++) {
        wall_case wall = draw(i, 0.3);
        wall.permittivity += 0.5; /* thinner, and grazing begins later */
        wall.face = make_face(wall.permittivity, i % 3 == 0 ? 0.0 : wall.thickness_m);
        wall.cosine = 0.0;
        assert_complex_near(reflect(wall).te, -1.0, 5e-7);
        assert_complex_near(reflect(wall).tm, -1.0, 5e-7);
        assert_complex_near(transmit(wall).te, 0.0, 1e-6);
        assert_complex_near(transmit(wall).tm, 0.0, 1e-6);
    }
    for (int i = 0; i <= 4; i++) {
        rcity_real cosine = (rcity_real)(0.25 * i);
        for (int thick = 0; thick < 2; thick++) {
            rcity_face air = make_face(1.0, 0.3 * thick);
            assert_complex_near(rcity_face_reflect(air, 20, cosine).te, 0.0, 0.0);
            assert_complex_near(rcity_face_reflect(air, 20, cosine).tm, 0.0, 0.0);
            assert_complex_near(rcity_face_transmit(air, 20, cosine).te, thick, EITHER(1e-6, 1e-15));
            assert_complex_near(rcity_face_transmit(air, 20, cosine).tm, thick, EITHER(1e-6, 1e-15));
        }
    }
    /* a half-wave window is clear up to grazing: 0 / 0 if done carelessly */
    rcity_face window = make_face(2.0, PI / 20.0);
    assert_true(isfinite(rcity_face_transmit(window, 20, 0).te.re));
    assert_true(isfinite(rcity_face_reflect(window, 20, 0).te.re));
}

/* tan(theta) = sqrt(eta): the tm part of a half-space without loss vanishes; on a slab of any thickness too. */
static void test_tm_reflection_vanishes_at_brewster_angle(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        double eta = (double)(rcity_real)test_uniform(SEED, i, 1.1, 80.0);
        rcity_real cosine = (rcity_real)(1.0 / sqrt(1.0 + eta));
        assert_complex_near(rcity_face_reflect(make_face(eta, 0.0), 20, cosine).tm, 0.0, EITHER(1e-6, 1e-15));
        assert_complex_near(rcity_face_reflect(make_face(eta, 0.07), 20, cosine).tm, 0.0, EITHER(1e-6, 1e-15));
        assert_true(rcity_complex_square(rcity_face_reflect(make_face(eta, 0.0), 20, cosine).te) > 0);
    }
}

/* k d n = m pi: nothing comes back, all goes through. k d n = (m + 1/2) pi, straight on: (eta - 1) / (eta + 1). */
static void test_half_and_quarter_wave(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 300; i++) {
        double eta = (double)(rcity_real)test_uniform(SEED, 3 * i, 1.5, 9.0);
        double cosine = test_uniform(SEED, 3 * i + 1, 0.1, 1.0);
        double n = sqrt(eta - 1.0 + cosine * cosine);
        double waves = 1.0 + floor(test_uniform(SEED, 3 * i + 2, 0.0, 4.0));
        rcity_face half_wave = make_face(eta, waves * PI / (40.0 * n));
        rcity_face_response back = rcity_face_reflect(half_wave, 40, (rcity_real)cosine);
        rcity_face_response through = rcity_face_transmit(half_wave, 40, (rcity_real)cosine);
        double tolerance = EITHER(1e-5, 1e-13);
        assert_complex_near(back.te, 0.0, tolerance * 10.0);
        assert_complex_near(back.tm, 0.0, tolerance * 10.0);
        double complex phase = cexp(-J * waves * PI * (1.0 - cosine / n));
        assert_complex_near(through.te, phase, tolerance * 10.0);
        assert_complex_near(through.tm, phase, tolerance * 10.0);
        rcity_face quarter_wave = make_face(eta, (waves + 0.5) * PI / (40.0 * sqrt(eta)));
        assert_complex_near(rcity_face_reflect(quarter_wave, 40, 1).te, -(eta - 1.0) / (eta + 1.0), tolerance);
    }
}

/* |R|^2 + |T|^2 is 1 without loss and less with it. */
static void test_reflected_and_transmitted_power_are_bounded(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < CASE_COUNT; i++) {
        wall_case wall = draw(i, 0.3);
        rcity_face_response back = reflect(wall);
        rcity_face_response through = transmit(wall);
        double te = (double)(rcity_complex_square(back.te) + rcity_complex_square(through.te));
        double tm = (double)(rcity_complex_square(back.tm) + rcity_complex_square(through.tm));
        double tolerance = EITHER(1e-5, 1e-13);
        if (cimag(wall.permittivity) == 0.0) {
            assert_near(te, 1.0, tolerance);
            assert_near(tm, 1.0, tolerance);
        } else {
            assert_true(te <= 1.0 + tolerance && tm <= 1.0 + tolerance);
        }
        assert_true((double)rcity_complex_square(rcity_face_reflect(wall.face, 1, (rcity_real)wall.cosine).te) <=
                    1.0 + 1e-6);
    }
}

/* A thick lossy wall is a half-space; nothing overflows on the way there. */
static void test_thick_lossy_wall_is_a_half_space(void **state)
{
    (void)state;
    for (int power = 0; power <= 8; power++) {
        double complex eta = CMPLX(5.0, -0.5 - pow(10.0, power));
        for (int i = 0; i <= 10; i++) {
            rcity_real cosine = (rcity_real)(0.1 * i);
            rcity_face_response thick = rcity_face_reflect(make_face(eta, 10.0), 1000, cosine);
            rcity_face_response whole = rcity_face_reflect(make_face(eta, 0.0), 1000, cosine);
            assert_complex_near(thick.te, from_kernel(whole.te), EITHER(1e-6, 1e-14));
            assert_complex_near(thick.tm, from_kernel(whole.tm), EITHER(1e-6, 1e-14));
            assert_complex_near(rcity_face_transmit(make_face(eta, 10.0), 1000, cosine).te, 0.0, 1e-30);
            assert_complex_near(rcity_face_transmit(make_face(eta, 10.0), 1000, cosine).tm, 0.0, 1e-30);
        }
    }
}

/* The attenuation of a good insulator, which a careless square root loses in single precision: straight through, T
   falls by exp(-k d Im n) against the lossless wall of a half-wave. */
static void test_small_loss(void **state)
{
    (void)state;
    double loss = 1e-3;
    double n = 2.0;
    double thickness_m = 200.0 * PI / (40.0 * n); /* 200 half-waves: interference helps nothing */
    rcity_face_response clear = rcity_face_transmit(make_face(CMPLX(4.0, 0.0), thickness_m), 40, 1);
    rcity_face_response dim = rcity_face_transmit(make_face(CMPLX(4.0, -loss), thickness_m), 40, 1);
    wall_case wall = {
        .permittivity = CMPLX(4.0, -loss), .thickness_m = thickness_m, .wavenumber_per_m = 40.0, .cosine = 1.0};
    double truth = cabs(solve_wall(wall, false).passed);
    assert_true(truth < 0.99);
    assert_near(sqrt((double)(rcity_complex_square(dim.te) / rcity_complex_square(clear.te))), truth,
                EITHER(2e-4, 1e-10));
}

/* ---- in space ---- */

/* Field vectors at a wall with normal z: what leaves for a field E on a ray s_in, without its length. */
typedef struct field3 {
    double complex v[3];
} field3;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static field3 leave(rcity_face_response face, const double s_in[3], const double s_out[3], field3 in)
{
    const double normal[3] = {0.0, 0.0, 1.0};
    double e[3], m_in[3], m_out[3];
    cross(normal, s_in, e);
    double length = sqrt(dot(e, e));
    for (int i = 0; i < 3; i++) {
        e[i] /= length;
    }
    cross(e, s_in, m_in);
    cross(e, s_out, m_out);
    double complex te = 0.0, tm = 0.0;
    for (int i = 0; i < 3; i++) {
        te += in.v[i] * e[i];
        tm += in.v[i] * m_in[i];
    }
    field3 out;
    for (int i = 0; i < 3; i++) {
        out.v[i] = te * from_kernel(face.te) * e[i] + tm * from_kernel(face.tm) * m_out[i];
    }
    return out;
}

/* Direction from a to b and its length. */
static double toward(const double a[3], const double b[3], double unit[3])
{
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        unit[i] = b[i] - a[i];
        square += unit[i] * unit[i];
    }
    for (int i = 0; i < 3; i++) {
        unit[i] /= sqrt(square);
    }
    return sqrt(square);
}

/* The far field of a dipole p along a ray. */
static field3 dipole(const double p[3], const double s[3])
{
    field3 field;
    for (int i = 0; i < 3; i++) {
        field.v[i] = p[i] - dot(p, s) * s[i];
    }
    return field;
}

static void draw_points(uint64_t i, double a[3], double b[3], double p[3], double q[3])
{
    for (uint64_t axis = 0; axis < 3; axis++) {
        a[axis] = test_uniform(SEED, 12 * i + axis, axis == 2 ? 1.0 : -50.0, 50.0);
        b[axis] = test_uniform(SEED, 12 * i + 3 + axis, axis == 2 ? 1.0 : -50.0, 50.0);
        p[axis] = test_uniform(SEED, 12 * i + 6 + axis, -1.0, 1.0);
        q[axis] = test_uniform(SEED, 12 * i + 9 + axis, -1.0, 1.0);
    }
}

/* Where a ray from a meets the wall z = 0 to go on to b: on the line to a's image. */
static void mirror_point(const double a[3], const double b[3], double point[3])
{
    double share = a[2] / (a[2] + b[2]);
    for (int i = 0; i < 2; i++) {
        point[i] = a[i] + share * (b[i] - a[i]);
    }
    point[2] = 0.0;
}

/* An infinite conducting wall: the reflected ray is the field of the image, whose dipole is turned along the wall and
   kept across it. */
static void test_conductor_reflection_equals_the_image_source(void **state)
{
    (void)state;
    rcity_face metal = make_face(1.0, 0.0);
    metal.is_conductor = 1;
    for (uint64_t i = 0; i < 500; i++) {
        double a[3], b[3], p[3], q[3], point[3], s_in[3], s_out[3], s_image[3];
        draw_points(i, a, b, p, q);
        mirror_point(a, b, point);
        double leg_m = toward(a, point, s_in) + toward(point, b, s_out);
        const double image[3] = {a[0], a[1], -a[2]};
        const double image_p[3] = {-p[0], -p[1], p[2]};
        assert_near(toward(image, b, s_image), leg_m, 1e-10);
        field3 truth = dipole(image_p, s_image);
        field3 ray = leave(rcity_face_reflect(metal, 20, (rcity_real)-s_in[2]), s_in, s_out, dipole(p, s_in));
        for (int axis = 0; axis < 3; axis++) {
            assert_near(creal(ray.v[axis]), creal(truth.v[axis]), 1e-12);
        }
    }
}

/* q sees p as p sees q, by reflection and through the wall, whatever it is made of: the ray back has its own incidence,
   basis and side. */
static void test_exchanged_ends_have_the_same_response(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t i = 0; i < 500; i++) {
        double a[3], b[3], p[3], q[3], point[3], forth_in[3], forth_out[3], back_in[3], back_out[3];
        draw_points(i, a, b, p, q);
        wall_case wall = draw(i, 0.3);
        for (int is_through = 0; is_through < 2; is_through++) {
            double end[3] = {b[0], b[1], is_through ? -b[2] : b[2]};
            mirror_point(a, b, point);
            toward(a, point, forth_in);
            toward(point, end, forth_out);
            toward(end, point, back_in);
            toward(point, a, back_out);
            rcity_face_response (*face)(rcity_face, rcity_real, rcity_real) =
                is_through ? rcity_face_transmit : rcity_face_reflect;
            rcity_real k = (rcity_real)wall.wavenumber_per_m;
            field3 there = leave(face(wall.face, k, (rcity_real)forth_in[2]), forth_in, forth_out, dipole(p, forth_in));
            field3 here = leave(face(wall.face, k, (rcity_real)back_in[2]), back_in, back_out, dipole(q, back_in));
            double complex there_q = 0.0, here_p = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                there_q += there.v[axis] * q[axis];
                here_p += here.v[axis] * p[axis];
            }
            worst = fmax(worst, cabs(there_q - here_p));
        }
    }
    print_message("reciprocity within %.2g (seed %u)\n", worst, SEED);
    assert_true(worst <= EITHER(2e-5, 1e-12));
}

/* A rough face reflects a smooth one's field less the share that it scatters; a conductor too. */
static void test_rough_face_reflects_the_rest(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        rcity_face face = make_face(CMPLX(5.31, -0.3), i < 2 ? 0.0 : 0.2);
        face.is_conductor = i >= 4;
        rcity_real cosine = (rcity_real)(i % 2 == 0 ? 0.9 : 0.2);
        rcity_face_response smooth = rcity_face_reflect(face, (rcity_real)20.0, cosine);
        face.rough_loss = (rcity_real)0.25;
        rcity_face_response rough = rcity_face_reflect(face, (rcity_real)20.0, cosine);
        assert_complex_near(rough.te, 0.75 * from_kernel(smooth.te), 1e-7);
        assert_complex_near(rough.tm, 0.75 * from_kernel(smooth.tm), 1e-7);
    }
}

TEST_SUITE(face)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slab_meets_boundary_conditions),
        cmocka_unit_test(test_half_space),
        cmocka_unit_test(test_conductor_reflects_everything),
        cmocka_unit_test(test_straight_on),
        cmocka_unit_test(test_grazing_wave_is_reflected_with_minus_one),
        cmocka_unit_test(test_tm_reflection_vanishes_at_brewster_angle),
        cmocka_unit_test(test_half_and_quarter_wave),
        cmocka_unit_test(test_reflected_and_transmitted_power_are_bounded),
        cmocka_unit_test(test_thick_lossy_wall_is_a_half_space),
        cmocka_unit_test(test_small_loss),
        cmocka_unit_test(test_conductor_reflection_equals_the_image_source),
        cmocka_unit_test(test_exchanged_ends_have_the_same_response),
        cmocka_unit_test(test_rough_face_reflects_the_rest),
    };
    return cmocka_run_group_tests_name("face", tests, NULL, NULL);
}
