/* Two edges in a row: against the closed form in line with both, against the integral over two screens, and continuous
   and the same both ways for wedges, lossy faces, twisted edges and buildings. */
#include "profile_test.h"

#define SEED 1997u

/* Two screens of one height in line with source and receiver: 1/4 + asin(sqrt(ac / ((a+b)(b+c)))) / (2 pi). */
static void test_edges_in_line_follow_the_closed_form(void **state)
{
    (void)state;
    const double abc[][3] = {{100, 100, 100},  {1000, 10, 1000}, {500, 50, 30},   {30, 300, 2000},   {200, 5, 60},
                             {5000, 20, 5000}, {40, 40, 1000},   {2000, 200, 20}, {1000, 1000, 1000}};
    const rcity_face faces[] = {conducting_face(), lossy_face(1.0, 0.0), lossy_face(CMPLX(5.31, -0.3), 0.0)};
    double worst_db = 0.0;
    for (size_t i = 0; i < sizeof abc / sizeof abc[0]; i++) {
        double a = abc[i][0], b = abc[i][1], c = abc[i][2];
        double truth = 0.25 + asin(sqrt(a * c / ((a + b) * (b + c)))) / (2.0 * PI);
        for (int face = 0; face < 3; face++) {
            for (int pol = 0; pol < 2; pol++) {
                two_edges at = {.source = {0, 0},
                                .edge = {{a, 0}, {a + b, 0}},
                                .receiver = {a + b + c, 0},
                                .face = faces[face],
                                .wavenumber_per_m = 20.0};
                double error_db = fabs(20.0 * log10(cabs(all_rays(&at, pol)) / truth));
                worst_db = fmax(worst_db, error_db);
            }
        }
    }
    print_message("two screens in line, " PRECISION ": within %.3f dB of the closed form\n", worst_db);
    assert_true(worst_db <= 0.5);
}

/* Screens that absorb, at angles small enough for the integral, of heights that put each ray on each side. */
static void test_absorbing_screens_agree_with_the_integral(void **state)
{
    (void)state;
    double worst = 0.0;
    int behind_both = 0, before_both = 0, mixed = 0;
    for (uint64_t i = 0; i < 300; i++) {
        double a = pow(10.0, test_uniform(SEED, 8 * i, 1.7, 3.0));
        double b = pow(10.0, test_uniform(SEED, 8 * i + 1, 1.3, 3.0));
        double c = pow(10.0, test_uniform(SEED, 8 * i + 2, 1.7, 3.0));
        double span = 0.04 * fmin(a, fmin(b, c));
        two_edges at = {.source = {0, test_uniform(SEED, 8 * i + 3, -span, span)},
                        .edge = {{a, test_uniform(SEED, 8 * i + 4, -span, span)},
                                 {a + b, test_uniform(SEED, 8 * i + 5, -span, span)}},
                        .receiver = {a + b + c, test_uniform(SEED, 8 * i + 6, -span, span)},
                        .face = lossy_face(1.0, 0.0),
                        .wavenumber_per_m = 20.0};
        double v1 =
            rise(at.source, at.edge[0], at.receiver) * sqrt(0.5 * at.wavenumber_per_m * (1.0 / a + 1.0 / (b + c)));
        double v2 =
            rise(at.source, at.edge[1], at.receiver) * sqrt(0.5 * at.wavenumber_per_m * (1.0 / (a + b) + 1.0 / c));
        double complex truth = openings_truth(v1, v2, sqrt(a * c / ((a + b) * (b + c))));
        double error = cabs(all_rays(&at, (int)(i % 2)) - truth) / cabs(truth);
        bool first = rise(at.source, at.edge[0], at.edge[1]) > 0.0;
        bool second = rise(at.edge[0], at.edge[1], at.receiver) > 0.0;
        behind_both += first && second;
        before_both += !first && !second;
        mixed += first != second;
        worst = fmax(worst, error);
        if (!(error <= 0.04)) {
            print_error("case %llu: %g of the field off, a %g b %g c %g, v %g %g\n", (unsigned long long)i, error, a, b,
                        c, v1, v2);
            fail();
        }
    }
    print_message("two screens, " PRECISION
                  ": within %.2g of the integral; %d behind both, %d before both, %d mixed (seed %u)\n",
                  worst, behind_both, before_both, mixed, SEED);
    assert_true(behind_both > 30 && before_both > 30 && mixed > 30);
}

/* On a boundary of each edge at once, direct or reflected: the edges cut the same side of the ray, or opposite sides. A
   mirror makes an image: of the source for the first edge, of the receiver for the second; seen from there the boundary
   is one of the incident ray, on the side that `sense` names. */
static void test_both_boundaries(void **state)
{
    (void)state;
    const int sense[2][4] = {{1, -1, 1, -1}, {1, -1, -1, 1}};
    const double a = 500.0, b = 200.0, c = 300.0;
    const double turn = asin(sqrt(a * c / ((a + b) * (b + c)))) / (2.0 * PI);
    rcity_wedge screen = wedge_of(2.0 * PI, conducting_face(), conducting_face());
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            const double from[4] = {1.2, 2.0 * PI - 1.2, 1.2, 2.0 * PI - 1.2};
            const double to[4] = {1.2 + PI, PI - 1.2, PI - 1.2, PI + 1.2};
            rcity_wedge_pair pair;
            pair.first = screen;
            pair.second = screen;
            pair.at_first = ray_of(50.0, 0.5 * PI, from[i], to[i], 0.0);
            pair.at_second = ray_of(50.0, 0.5 * PI, from[j], to[j], 0.0);
            pair.before_m = (rcity_real)a;
            pair.between_m = (rcity_real)b;
            pair.after_m = (rcity_real)c;
            pair.between = rcity_wedge_nothing();
            pair.between.m[0][0] = rcity_complex_make(RCITY_REAL(-1.0), RCITY_REAL(0.0));
            pair.between.m[1][1] = pair.between.m[0][0];
            pair.cos_twist = RCITY_REAL(-1.0);
            pair.is_joined = 0;
            rcity_dyad p = rcity_wedge_pair_diffract(pair);
            for (int pol = 0; pol < 2; pol++) {
                assert_near(cabs(from_kernel(p.m[pol][pol])), 0.25 + sense[0][i] * sense[1][j] * turn, 0.01);
            }
        }
    }
}

/* A random pair in space; `between` is the rotation of a free leg. */
static rcity_wedge_pair draw_pair(uint64_t i, bool is_joined)
{
    const double exteriors[] = {1.5 * PI, 2.0 * PI, 1.25 * PI, 1.75 * PI};
    const rcity_face faces[] = {lossy_face(CMPLX(5.31, -0.3), 0.0), lossy_face(CMPLX(3.75, -0.02), 0.2),
                                lossy_face(CMPLX(20.0, -5.0), 0.0), conducting_face()};
    rcity_wedge_pair pair;
    uint64_t at = 32 * i;
    rcity_face shared = faces[test_random(SEED, at) % 4];
    pair.first = wedge_of(exteriors[test_random(SEED, at + 1) % 4], shared, faces[test_random(SEED, at + 2) % 4]);
    pair.second = wedge_of(exteriors[test_random(SEED, at + 3) % 4], faces[test_random(SEED, at + 4) % 4], shared);
    double k = 2.0 * PI / pow(10.0, test_uniform(SEED, at + 5, -1.0, 0.0));
    double phi[4], beta[2];
    for (int j = 0; j < 2; j++) {
        double exterior = (double)(j == 0 ? pair.first : pair.second).exterior_rad;
        beta[j] = test_uniform(SEED, at + 6 + (uint64_t)j, 0.4, PI - 0.4);
        phi[2 * j] = test_uniform(SEED, at + 8 + (uint64_t)j, 0.05, exterior - 0.05);
        phi[2 * j + 1] = test_uniform(SEED, at + 10 + (uint64_t)j, 0.05, exterior - 0.05);
    }
    double twist = test_uniform(SEED, at + 12, -PI, PI);
    if (is_joined) {
        phi[1] = 0.0;
        phi[2] = (double)pair.second.exterior_rad;
        twist = PI;
    }
    pair.at_first = ray_of(k, beta[0], phi[0], phi[1], 0.0);
    pair.at_second = ray_of(k, beta[1], phi[2], phi[3], 0.0);
    pair.before_m = (rcity_real)pow(10.0, test_uniform(SEED, at + 13, 0.5, 2.5));
    pair.between_m = (rcity_real)pow(10.0, test_uniform(SEED, at + 14, 0.0, 2.5));
    pair.after_m = (rcity_real)pow(10.0, test_uniform(SEED, at + 15, 0.5, 2.5));
    pair.cos_twist = (rcity_real)cos(twist);
    pair.between.m[0][0] = to_kernel(cos(twist));
    pair.between.m[1][1] = to_kernel(cos(twist));
    pair.between.m[0][1] = to_kernel(is_joined ? 0.0 : sin(twist));
    pair.between.m[1][0] = to_kernel(is_joined ? 0.0 : -sin(twist));
    pair.is_joined = is_joined;
    return pair;
}

/* S d^T S with S = diag(1, -1): how a dyad reads from the other end. */
static rcity_dyad turned(rcity_dyad d)
{
    rcity_complex keep = d.m[0][1];
    d.m[0][1] = rcity_complex_scale(d.m[1][0], RCITY_REAL(-1.0));
    d.m[1][0] = rcity_complex_scale(keep, RCITY_REAL(-1.0));
    return d;
}

static rcity_wedge_ray turned_ray(rcity_wedge_ray ray)
{
    rcity_real keep = ray.phi_in_rad;
    ray.phi_in_rad = ray.phi_out_rad;
    ray.phi_out_rad = keep;
    ray.beta_rad = RCITY_REAL_PI - ray.beta_rad;
    return ray;
}

static double dyad_size(rcity_dyad d)
{
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        sum += pow(cabs(from_kernel(d.m[i / 2][i % 2])), 2);
    }
    return sqrt(sum);
}

static rcity_dyad dyad_less(rcity_dyad a, rcity_dyad b)
{
    return rcity_wedge_add(a, rcity_complex_make(RCITY_REAL(-1.0), RCITY_REAL(0.0)), b);
}

static void test_exchanged_ends_have_the_same_field(void **state)
{
    (void)state;
    double worst[2] = {0.0, 0.0};
    for (uint64_t i = 0; i < 2000; i++) {
        rcity_wedge_pair forth = draw_pair(i, i % 2);
        rcity_wedge_pair back = forth;
        back.first = forth.second;
        back.second = forth.first;
        back.at_first = turned_ray(forth.at_second);
        back.at_second = turned_ray(forth.at_first);
        back.before_m = forth.after_m;
        back.after_m = forth.before_m;
        back.between = turned(forth.between);
        rcity_dyad p = rcity_wedge_pair_diffract(forth);
        rcity_dyad q = turned(rcity_wedge_pair_diffract(back));
        worst[i % 2] = fmax(worst[i % 2], dyad_size(dyad_less(p, q)) / dyad_size(p));
    }
    print_message("pair, " PRECISION ": the same both ways within %.2g, joined %.2g (seed %u)\n", worst[0], worst[1],
                  SEED);
    assert_true(worst[0] <= EITHER(2e-3, 1e-9));
    assert_true(worst[1] <= EITHER(0.05, 1e-6));
}

/* Where a boundary of the second edge is crossed, the pair jumps by the ray over the first edge alone that ends there:
   direct or reflected, over any twist. */
static void test_second_boundary(void **state)
{
    (void)state;
    double worst = 0.0;
    long count = 0;
    for (uint64_t i = 0; i < 3000; i++) {
        rcity_wedge_pair pair = draw_pair(i, false);
        double exterior = (double)pair.second.exterior_rad;
        double phi_in = (double)pair.at_second.phi_in_rad;
        const double boundary[4] = {phi_in + PI, phi_in - PI, PI - phi_in, 2.0 * exterior - PI - phi_in};
        int term = (int)(i % 4);
        if (!(boundary[term] > 0.05 && boundary[term] < exterior - 0.05)) {
            continue;
        }
        count++;
        double off = EITHER(1e-5, 1e-8) * (term == RCITY_WEDGE_PAST_O || term == RCITY_WEDGE_MIRROR_N ? -1.0 : 1.0);
        pair.at_second.phi_out_rad = (rcity_real)(boundary[term] - off);
        rcity_dyad visible = rcity_wedge_pair_diffract(pair);
        pair.at_second.phi_out_rad = (rcity_real)(boundary[term] + off);
        rcity_dyad hidden = rcity_wedge_pair_diffract(pair);
        rcity_wedge_ray alone = pair.at_first;
        rcity_real rest_m = pair.between_m + pair.after_m;
        rcity_real sum_m = pair.before_m + rest_m;
        rcity_real sine = rcity_real_sin(alone.beta_rad);
        alone.distance_m = pair.before_m * rest_m / sum_m * sine * sine;
        rcity_dyad ray = rcity_dyad_multiply(pair.between, rcity_wedge_diffract(pair.first, alone));
        if (term >= RCITY_WEDGE_MIRROR_O) {
            ray = rcity_dyad_multiply(rcity_wedge_weigh(pair.second, pair.at_second).of[term], ray);
        }
        double spread = -sqrt((double)(sum_m / (pair.before_m * rest_m))); /* over s1 / sum; straight on is -1 */
        ray = rcity_dyad_scale(ray, to_kernel(spread));
        double error = dyad_size(dyad_less(dyad_less(hidden, visible), ray)) / (dyad_size(ray) + dyad_size(visible));
        worst = fmax(worst, error);
    }
    print_message("pair, " PRECISION ": boundaries of the second edge close within %.2g, %ld of them (seed %u)\n",
                  worst, count, SEED);
    assert_true(count > 500);
    assert_true(worst <= EITHER(5e-3, 1e-5));
}

/* A building: its roof's plane is crossed by the receiver, or by the source, or by both at once. */
static void test_field_is_continuous_across_the_roof_plane(void **state)
{
    (void)state;
    const rcity_face faces[] = {conducting_face(), lossy_face(CMPLX(5.31, -0.3), 0.0),
                                lossy_face(CMPLX(20.0, -5.0), 0.0)};
    double worst_db = 0.0;
    for (uint64_t i = 0; i < 600; i++) {
        double a = pow(10.0, test_uniform(SEED, 8 * i, 1.0, 2.5));
        double b = pow(10.0, test_uniform(SEED, 8 * i + 1, 0.3, 2.0));
        double c = pow(10.0, test_uniform(SEED, 8 * i + 2, 1.0, 2.5));
        double below = test_uniform(SEED, 8 * i + 3, 0.0, 0.5);
        two_edges at = {.edge = {{a, 0.0}, {a + b, 0.0}},
                        .kind = {EDGE_FRONT, EDGE_BACK},
                        .face = faces[i % 3],
                        .wavenumber_per_m = 20.0};
        double off = EITHER(3e-5, 1e-7);
        for (int pol = 0; pol < 2; pol++) {
            double complex field[4];
            for (int j = 0; j < 4; j++) { /* the plane is crossed between 1 and 2 */
                double height = (2.0 * j - 3.0) * off;
                at.source = (spot){0.0, i % 2 == 0 ? -below * a : height * a};
                at.receiver = (spot){a + b + c, i % 2 == 0 ? height * c : -below * c};
                field[j] = all_rays(&at, pol);
            }
            double complex jump = field[2] - field[1] - 0.5 * (field[1] - field[0] + field[3] - field[2]);
            double jump_db = 20.0 * log10(1.0 + cabs(jump) / cabs(field[1]));
            worst_db = fmax(worst_db, jump_db);
            if (!(jump_db <= EITHER(0.1, 1e-3))) {
                print_error("case %llu, pol %d: jump of %g dB, a %g b %g c %g below %g: %g %g %g %g\n",
                            (unsigned long long)i, pol, jump_db, a, b, c, below, cabs(field[0]), cabs(field[1]),
                            cabs(field[2]), cabs(field[3]));
                fail();
            }
        }
    }
    print_message("building, " PRECISION ": jumps up to %.2g dB where its roof's plane is crossed (seed %u)\n",
                  worst_db, SEED);
}

TEST_SUITE(wedge_pair)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges_in_line_follow_the_closed_form),
                                       cmocka_unit_test(test_absorbing_screens_agree_with_the_integral),
                                       cmocka_unit_test(test_both_boundaries),
                                       cmocka_unit_test(test_exchanged_ends_have_the_same_field),
                                       cmocka_unit_test(test_second_boundary),
                                       cmocka_unit_test(test_field_is_continuous_across_the_roof_plane)};
    return cmocka_run_group_tests_name("wedge pair " PRECISION, tests, NULL, NULL);
}
