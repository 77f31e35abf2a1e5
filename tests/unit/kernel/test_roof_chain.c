/* Chains of knife edges: against closed forms for edges in line, against Huygens' principle summed up plane by plane,
   and continuous in every height. */
#include "profile_test.h"

#include "kernel/wave/knife_edge.h"
#include "kernel/wave/roof_chain.h"

#define SEED 1982u

static rcity_roof_chain chain_of(int edge_count, const double *range_m, const double *height_m, double wavenumber_per_m)
{
    rcity_roof_chain chain;
    memset(&chain, 0, sizeof chain);
    chain.edge_count = edge_count;
    chain.wavenumber_per_m = (rcity_real)wavenumber_per_m;
    for (int i = 0; i < edge_count + 2; i++) {
        chain.range_m[i] = (rcity_real)range_m[i];
        chain.height_m[i] = (rcity_real)height_m[i];
    }
    return chain;
}

static double complex field_of(int edge_count, const double *range_m, const double *height_m, double wavenumber_per_m)
{
    return from_kernel(rcity_roof_chain_field(chain_of(edge_count, range_m, height_m, wavenumber_per_m)).field);
}

/* N edges in line, N + 1 equal legs: 1 / (N + 1) (S. W. Lee, J. Math. Phys. 19, 1978; Vogler 1982). */
static void test_in_line(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int n = 1; n <= RCITY_ROOF_CHAIN_MAX; n++) {
        double range_m[RCITY_ROOF_CHAIN_MAX + 2], height_m[RCITY_ROOF_CHAIN_MAX + 2];
        for (int i = 0; i < n + 2; i++) {
            range_m[i] = 64.0 * i;
            height_m[i] = 16.0 * i; /* the line may rise */
        }
        worst = fmax(worst, cabs(field_of(n, range_m, height_m, 20.0) * (n + 1.0) - 1.0));
    }
    print_message("edges in line, " PRECISION ": 1 / (N + 1) within %.2g up to %d edges\n", worst,
                  RCITY_ROOF_CHAIN_MAX);
    assert_true(worst <= EITHER(1e-4, 1e-7));
}

/* Three edges in line, any legs: 1/8 + (asin r12 + asin r13 + asin r23) / (4 pi), r_ij the share of their Fresnel zones
   in common, sqrt of (source to i) (j to receiver) / ((source to j) (i to receiver)). */
static void test_three_in_line(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t i = 0; i < 500; i++) {
        double range_m[5] = {0.0};
        const double height_m[5] = {0.0};
        for (int j = 1; j < 5; j++) {
            range_m[j] = range_m[j - 1] + pow(10.0, test_uniform(SEED, 8 * i + (uint64_t)j, 0.7, 3.0));
        }
        double sum = 0.0;
        for (int a = 1; a <= 3; a++) {
            for (int b = a + 1; b <= 3; b++) {
                sum += asin(sqrt(range_m[a] * (range_m[4] - range_m[b]) / (range_m[b] * (range_m[4] - range_m[a]))));
            }
        }
        double truth = 0.125 + sum / (4.0 * PI);
        worst = fmax(worst, cabs(field_of(3, range_m, height_m, 20.0) / truth - 1.0));
    }
    print_message("three edges in line, " PRECISION ": within %.2g of the closed form (seed %u)\n", worst, SEED);
    assert_true(worst <= EITHER(1e-4, 1e-5));
}

/* Edges almost at the same place are one. */
static void test_edges_close_together_act_as_one(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        double b = 100.0 * pow(0.4, i);
        const double range_m[4] = {0.0, 5000.0, 5000.0 + b, 10000.0 + b};
        const double height_m[4] = {0.0};
        double truth = 0.25 + asin(5000.0 / (5000.0 + b)) / (2.0 * PI);
        assert_near(20.0 * log10(cabs(field_of(2, range_m, height_m, 20.0)) / truth), 0.0, b > 3.0 ? 0.001 : 0.1);
    }
}

/* One edge is the knife edge of P.526, down to where its share begins to fade. */
static void test_one_edge_is_the_p526_knife_edge(void **state)
{
    (void)state;
    for (int i = -14; i <= 200; i++) {
        double p = 0.05 * i;
        const double range_m[3] = {0.0, 4000.0, 10000.0};
        double height_m[3] = {0.0, p / sqrt(0.5 * 20.0 * (1.0 / 4000.0 + 1.0 / 6000.0)), 0.0};
        rcity_complex truth = rcity_knife_edge_field((rcity_real)(p / sqrt(0.5 * PI)));
        double complex field = field_of(1, range_m, height_m, 20.0);
        assert_near(cabs(field) / cabs(from_kernel(truth)), 1.0, 1e-3); /* angles up to 0.07 */
    }
}

/* A steep path down from a roof: the mean of both polarizations behind a conducting half-plane. */
static void test_steep_descent_matches_conducting_half_plane(void **state)
{
    (void)state;
    rcity_wedge screen = wedge_of(2.0 * PI, conducting_face(), conducting_face());
    for (int i = 1; i <= 8; i++) {
        double turn_rad = i * PI / 18.0;
        const double range_m[3] = {0.0, 300.0, 300.0 + 30.0 * cos(turn_rad)};
        const double height_m[3] = {20.0, 20.0, 20.0 - 30.0 * sin(turn_rad)};
        double length_m = 300.0 * 30.0 / 330.0;
        rcity_dyad d = rcity_wedge_diffract(screen, ray_of(20.0, 0.5 * PI, 0.5 * PI, 1.5 * PI + turn_rad, length_m));
        double complex mean = -0.5 * (from_kernel(d.m[0][0]) + from_kernel(d.m[1][1])) / sqrt(length_m);
        assert_near(20.0 * log10(cabs(field_of(1, range_m, height_m, 20.0)) / cabs(mean)), 0.0, 0.02);
    }
}

/* Two edges of any height, as far as they count in full. */
static void test_two_edges_agree_with_the_integral(void **state)
{
    (void)state;
    double worst = 0.0;
    long count = 0;
    for (uint64_t i = 0; i < 600; i++) {
        double a = pow(10.0, test_uniform(SEED, 8 * i, 2.0, 3.5));
        double b = pow(10.0, test_uniform(SEED, 8 * i + 1, 1.5, 3.5));
        double c = pow(10.0, test_uniform(SEED, 8 * i + 2, 2.0, 3.5));
        double span = 0.012 * fmin(a, fmin(b, c));
        const double range_m[4] = {0.0, a, a + b, a + b + c};
        const double height_m[4] = {0.0, test_uniform(SEED, 8 * i + 3, -0.3 * span, span),
                                    test_uniform(SEED, 8 * i + 4, -0.3 * span, span),
                                    test_uniform(SEED, 8 * i + 5, -span, span)};
        rcity_roof_chain chain = chain_of(2, range_m, height_m, 20.0);
        rcity_roof_line line = rcity_roof_line_make(chain);
        if ((double)rcity_roof_share(chain, line, 1) < 1.0 || (double)rcity_roof_share(chain, line, 2) < 1.0) {
            continue;
        }
        count++;
        spot at[4];
        for (int j = 0; j < 4; j++) {
            at[j] = (spot){range_m[j], height_m[j]};
        }
        double v1 = rise(at[0], at[1], at[3]) * sqrt(0.5 * 20.0 * (1.0 / a + 1.0 / (b + c)));
        double v2 = rise(at[0], at[2], at[3]) * sqrt(0.5 * 20.0 * (1.0 / (a + b) + 1.0 / c));
        double complex truth = openings_truth(v1, v2, sqrt(a * c / ((a + b) * (b + c))));
        rcity_roof_field made = rcity_roof_chain_field(chain);
        if (EITHER(true, false)) { /* single precision cannot hold the phase of kilometres */
            worst = fmax(worst, fabs(cabs(from_kernel(made.field)) / cabs(truth) - 1.0));
            continue;
        }
        double complex leg = cexp(-J * 20.0 * ((double)made.length_m - spot_distance(at[0], at[3])));
        worst = fmax(worst, cabs(from_kernel(made.field) * leg / truth - 1.0));
    }
    print_message("two edges, " PRECISION ": within %.2g of the integral, %ld cases (seed %u)\n", worst, count, SEED);
    assert_true(count > 100);
    assert_true(worst <= 5e-3); /* angles up to 0.04 */
}

#define PLANE_MAX 2400

/* Huygens' principle: the field in the plane of each edge, from that in the plane before, summed over the heights above
   the edge there; far up it fades out. Fresnel's approximation; in the vertical plane, over the field without edges. */
static double complex huygens(int edge_count, const double *range_m, const double *height_m, double wavenumber_per_m)
{
    static double complex now[PLANE_MAX], next[PLANE_MAX];
    const double step_m = 0.08;
    const double reach_m = step_m * PLANE_MAX;
    double whole_m = range_m[edge_count + 1];
    for (int plane = 1; plane <= edge_count + 1; plane++) {
        double leg_m = range_m[plane] - range_m[plane - 1];
        bool is_end = plane == edge_count + 1;
        for (int i = 0; i < (is_end ? 1 : PLANE_MAX); i++) {
            double z = height_m[plane] + (is_end ? 0.0 : (i + 0.5) * step_m);
            double complex sum = 0.0;
            if (plane == 1) {
                sum = cexp(-0.5 * J * wavenumber_per_m * pow(z - height_m[0], 2) / leg_m);
            }
            for (int k = 0; plane > 1 && k < PLANE_MAX; k++) {
                double from = height_m[plane - 1] + (k + 0.5) * step_m;
                sum += now[k] * cexp(-0.5 * J * wavenumber_per_m * (z - from) * (z - from) / leg_m);
            }
            double up = (i + 0.5) * step_m / reach_m;
            double fade = up < 0.4 || is_end ? 1.0 : 0.5 + 0.5 * cos(PI * (up - 0.4) / 0.6);
            next[i] = plane == 1 ? sum * fade : sum * fade * step_m * csqrt(J * wavenumber_per_m / (2.0 * PI * leg_m));
        }
        memcpy(now, next, sizeof now);
    }
    double drop_m = height_m[edge_count + 1] - height_m[0];
    return now[0] / (sqrt(range_m[1] / whole_m) * cexp(-0.5 * J * wavenumber_per_m * drop_m * drop_m / whole_m));
}

static void test_chain_agrees_with_huygens_principle(void **state)
{
    (void)state;
    double worst_db = 0.0;
    for (uint64_t i = 0; i < 3; i++) {
        int n = i == 0 ? 3 : 2 + (int)(i % 2);
        double range_m[6] = {0.0}, height_m[6] = {0.0};
        for (int j = 1; j < n + 2; j++) {
            range_m[j] = range_m[j - 1] + test_uniform(SEED, 16 * i + (uint64_t)j, 200.0, 500.0);
            height_m[j] = j == n + 1 ? test_uniform(SEED, 16 * i + 7, -8.0, 0.0)
                                     : test_uniform(SEED, 16 * i + 8 + (uint64_t)j, 0.0, 3.0);
        }
        double truth = cabs(huygens(n, range_m, height_m, 5.0));
        double actual = cabs(field_of(n, range_m, height_m, 5.0));
        worst_db = fmax(worst_db, fabs(20.0 * log10(actual / truth)));
    }
    print_message("Huygens' principle, " PRECISION ": within %.3f dB (seed %u)\n", worst_db, SEED);
    assert_true(worst_db <= 0.1);
}

/* A town: edges of about one height, source above or among them, receiver in the street. */
static rcity_roof_chain draw_town(uint64_t i)
{
    int n = 1 + (int)(test_random(SEED, 64 * i) % 10);
    double range_m[RCITY_ROOF_CHAIN_MAX + 2] = {0.0}, height_m[RCITY_ROOF_CHAIN_MAX + 2];
    height_m[0] = test_uniform(SEED, 64 * i + 1, 2.0, 40.0);
    for (int j = 1; j < n + 2; j++) {
        range_m[j] = range_m[j - 1] + pow(10.0, test_uniform(SEED, 64 * i + 2 + (uint64_t)j, 0.8, 2.3));
        height_m[j] = test_uniform(SEED, 64 * i + 20 + (uint64_t)j, 10.0, 20.0);
    }
    height_m[n + 1] = 1.5;
    return chain_of(n, range_m, height_m, pow(10.0, test_uniform(SEED, 64 * i + 40, 1.0, 2.0)));
}

static void test_reversed_chain_has_the_same_field(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t i = 0; i < 150; i++) {
        rcity_roof_chain forth = draw_town(i);
        rcity_roof_chain back = forth;
        int last = forth.edge_count + 1;
        for (int j = 0; j <= last; j++) {
            back.range_m[j] = forth.range_m[last] - forth.range_m[last - j];
            back.height_m[j] = forth.height_m[last - j];
        }
        double complex a = from_kernel(rcity_roof_chain_field(forth).field);
        double complex b = from_kernel(rcity_roof_chain_field(back).field);
        worst = fmax(worst, cabs(a - b) / cabs(a));
    }
    print_message("chain, " PRECISION ": the same both ways within %.2g (seed %u)\n", worst, SEED);
    assert_true(worst <= EITHER(0.05, 1e-6)); /* the phase of a long detour in single precision */
}

static double level_db(rcity_roof_chain town, int moved, double height_m)
{
    town.height_m[moved] = (rcity_real)height_m;
    return 20.0 * log10(cabs(from_kernel(rcity_roof_chain_field(town).field)));
}

/* One edge moves through all heights, from far below the others to high above; edges enter and leave the path.
   Where the level changes most between two heights, the halves of the step are looked at, again and again: a jump would
   stay. */
static void test_no_jump(void **state)
{
    (void)state;
    double worst_db = 0.0, worst_step_db = 0.0;
    long partial = 0;
    for (uint64_t i = 0; i < 12; i++) {
        rcity_roof_chain town = draw_town(1000 + i);
        int moved = 1 + (int)(test_random(SEED, 9000 + i) % (uint64_t)town.edge_count);
        double before_db = level_db(town, moved, 5.0);
        for (int step = 0; step < 150; step++) {
            double low_m = 5.0 + 0.1 * step, high_m = low_m + 0.1;
            double low_db = before_db, high_db = level_db(town, moved, high_m);
            before_db = high_db;
            worst_step_db = fmax(worst_step_db, fabs(high_db - low_db));
            for (int halving = 0; fabs(high_db - low_db) > 0.01 && halving < EITHER(9, 20); halving++) {
                double middle_m = 0.5 * (low_m + high_m);
                double middle_db = level_db(town, moved, middle_m);
                if (fabs(middle_db - low_db) > fabs(high_db - middle_db)) {
                    high_m = middle_m;
                    high_db = middle_db;
                } else {
                    low_m = middle_m;
                    low_db = middle_db;
                }
            }
            worst_db = fmax(worst_db, fabs(high_db - low_db));
            town.height_m[moved] = (rcity_real)low_m;
            rcity_roof_line line = rcity_roof_line_make(town);
            for (int j = 1; j <= town.edge_count; j++) {
                double share = (double)rcity_roof_share(town, line, j);
                partial += share > 0.0 && share < 1.0;
            }
        }
    }
    print_message("an edge moves, " PRECISION
                  ": by 10 cm %.2f dB, in the end jumps of %.3f dB, %ld edges in part (seed %u)\n",
                  worst_step_db, worst_db, partial, SEED);
    assert_true(partial > 100);
    assert_true(worst_db <= 0.02);
}

/* Edges far below the line change nothing. */
static void test_far_below(void **state)
{
    (void)state;
    const double range_m[5] = {0.0, 100.0, 250.0, 400.0, 600.0};
    const double alone_m[3] = {0.0, 250.0, 600.0};
    const double height_m[5] = {10.0, 2.0, 20.0, 3.0, 1.5};
    const double alone_height_m[3] = {10.0, 20.0, 1.5};
    double complex alone = field_of(1, alone_m, alone_height_m, 20.0);
    assert_near(cabs(field_of(3, range_m, height_m, 20.0) - alone) / cabs(alone), 0.0, EITHER(1e-5, 1e-12));
    const double low_m[5] = {30.0, 2.0, 4.0, 3.0, 30.0};
    assert_true(field_of(3, range_m, low_m, 20.0) == 1.0);
}

/* Two edges joined by a roof: the sum and the difference of the transition function over both signs. */
static void test_roof_between_edges_adds_both_signs(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        double drop_m = 0.25 * i;
        const double range_m[4] = {0.0, 200.0, 215.0, 500.0};
        const double height_m[4] = {20.0 - 0.3 * drop_m, 20.0, 20.0, 20.0 - drop_m};
        double k = 20.0;
        rcity_roof_chain chain = chain_of(2, range_m, height_m, k);
        double a = hypot(200.0, 0.3 * drop_m), b = 15.0, c = hypot(285.0, drop_m);
        double p1 = sqrt(0.5 * k * a * b / (a + b)) * atan2(0.3 * drop_m, 200.0);
        double p2 = sqrt(0.5 * k * b * c / (b + c)) * atan2(drop_m, 285.0);
        double rho = sqrt(a * c / ((a + b) * (b + c)));
        rcity_complex with =
            rcity_edge_pair_field((rcity_real)p1, (rcity_real)p2, (rcity_real)rho, (rcity_real)sqrt(1.0 - rho * rho));
        rcity_complex odd =
            rcity_edge_pair_odd((rcity_real)p1, (rcity_real)p2, (rcity_real)rho, (rcity_real)sqrt(1.0 - rho * rho));
        double complex hard = 2.0 * from_kernel(with) - from_kernel(odd);
        double size = cabs(from_kernel(with));
        assert_complex_near(rcity_roof_chain_field(chain).field, from_kernel(with), EITHER(1e-3, 1e-4) * size);
        chain.roof[1] = RCITY_REAL(-1.0);
        assert_complex_near(rcity_roof_chain_field(chain).field, from_kernel(odd), EITHER(1e-3, 1e-4) * size);
        chain.roof[1] = RCITY_REAL(1.0);
        assert_complex_near(rcity_roof_chain_field(chain).field, hard, EITHER(1e-3, 1e-4) * size);
    }
}

/* Anything that grows from left to right: edges beside each other, steep, far below, of all sizes. Never more than over
   one edge at its brightest (1.17), never no number: a low edge beside a high one once was. */
static void test_random_chains_stay_finite_and_bounded(void **state)
{
    (void)state;
    double most = 0.0;
    for (uint64_t i = 0; i < 3000; i++) {
        int n = 1 + (int)(test_random(SEED, 5000 + 100 * i) % RCITY_ROOF_CHAIN_MAX);
        double range_m[RCITY_ROOF_CHAIN_MAX + 2] = {0.0}, height_m[RCITY_ROOF_CHAIN_MAX + 2];
        double tall_m = pow(10.0, test_uniform(SEED, 5001 + 100 * i, 0.0, 2.0));
        height_m[0] = test_uniform(SEED, 5002 + 100 * i, 1.5, 100.0);
        for (int j = 1; j < n + 2; j++) {
            uint64_t at = 5003 + 100 * i + 3 * (uint64_t)j;
            range_m[j] = range_m[j - 1] + pow(10.0, test_uniform(SEED, at, -2.0, 2.5));
            bool is_level = test_uniform(SEED, at + 1, 0.0, 1.0) < 0.3;
            height_m[j] = is_level ? height_m[j - 1] : test_uniform(SEED, at + 2, 0.0, tall_m);
        }
        double k = pow(10.0, test_uniform(SEED, 5060 + 100 * i, 0.3, 2.8));
        double size = cabs(field_of(n, range_m, height_m, k));
        assert_true(isfinite(size));
        most = fmax(most, size);
    }
    const double range_m[6] = {0.0, 23.939, 39.983, 133.933, 134.026, 164.639};
    const double height_m[6] = {10.0, 114.922, 114.922, 54.797, 54.797, 1.5};
    assert_true(cabs(field_of(4, range_m, height_m, 73.3546)) < 1e-3);
    print_message("wild chains, " PRECISION ": at most %.3f (seed %u)\n", most, SEED);
    assert_true(most < 1.2);
}

TEST_SUITE(roof_chain)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_in_line),
                                       cmocka_unit_test(test_three_in_line),
                                       cmocka_unit_test(test_one_edge_is_the_p526_knife_edge),
                                       cmocka_unit_test(test_edges_close_together_act_as_one),
                                       cmocka_unit_test(test_steep_descent_matches_conducting_half_plane),
                                       cmocka_unit_test(test_two_edges_agree_with_the_integral),
                                       cmocka_unit_test(test_chain_agrees_with_huygens_principle),
                                       cmocka_unit_test(test_reversed_chain_has_the_same_field),
                                       cmocka_unit_test(test_no_jump),
                                       cmocka_unit_test(test_far_below),
                                       cmocka_unit_test(test_roof_between_edges_adds_both_signs),
                                       cmocka_unit_test(test_random_chains_stay_finite_and_bounded)};
    return cmocka_run_group_tests_name("roof chain " PRECISION, tests, NULL, NULL);
}
