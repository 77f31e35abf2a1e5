/* Fading probabilities against printed tables and plain integration; the inverse there and back. */
#include "rcity_test.h"

/* M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, table 26.1: P(x) to 15 decimals. */
static const double table_26_1[][2] = {
    {0.0, 0.5},
    {0.5, 0.691462461274013},
    {1.0, 0.841344746068543},
    {1.5, 0.933192798731142},
    {2.0, 0.977249868051821},
    {3.0, 0.998650101968370},
};

/* The points that 90, 95, 97.5, 99 and 99.9 percent lie below; the same handbook, table 26.5, with more decimals from
   any table of percentage points. */
static const double percentage_points[][2] = {
    {0.90, 1.2815515655446}, {0.95, 1.6448536269515},  {0.975, 1.9599639845401},
    {0.99, 2.3263478740408}, {0.999, 3.0902323061678},
};

static void test_probability_follows_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof table_26_1 / sizeof table_26_1[0]; i++) {
        for (double sigma_db = 0.5; sigma_db < 20.0; sigma_db *= 2.0) {
            double margin_db = sigma_db * table_26_1[i][0];
            assert_near(rcity_fade_probability(margin_db, sigma_db), table_26_1[i][1], 6e-16);
            assert_near(rcity_fade_probability(-margin_db, sigma_db), 1.0 - table_26_1[i][1], 6e-16);
        }
    }
}

static void test_margin_follows_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof percentage_points / sizeof percentage_points[0]; i++) {
        double z = percentage_points[i][1];
        assert_near(rcity_fade_margin_db(percentage_points[i][0], 1.0), z, 6e-14);
        assert_near(rcity_fade_margin_db(percentage_points[i][0], 8.0), 8.0 * z, 5e-13);
        assert_near(rcity_fade_margin_db(1.0 - percentage_points[i][0], 8.0), -8.0 * z, 3e-12);
    }
}

/* The density summed up by Simpson's rule: another way to the same integral. */
static double integrate_density(double z)
{
    const int count = 2000;
    double step = z / count;
    double sum = 0.0;
    for (int i = 0; i <= count; i++) {
        double t = step * i;
        double weight = i == 0 || i == count ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        sum += weight * exp(-0.5 * t * t);
    }
    return 0.5 + sum * step / 3.0 / sqrt(2.0 * acos(-1.0));
}

static void test_probability_is_the_integral(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        double sigma_db = test_uniform(seed, 0, 0.1, 15.0);
        double z = test_uniform(seed, 1, -6.0, 6.0);
        double expected = integrate_density(z);
        if (!(fabs(rcity_fade_probability(sigma_db * z, sigma_db) - expected) <= 1e-12)) {
            print_error("seed %llu: z = %g gives %.15g, expected %.15g\n", (unsigned long long)seed, z,
                        rcity_fade_probability(sigma_db * z, sigma_db), expected);
            fail();
        }
    }
}

/* Far down the tail the asymptotic series takes over as the yardstick: Q(z) = density(z) / z * (1 - 1/z^2 + 3/z^4 -
   ...), its error below the first term left out. */
static void test_tail_follows_the_series(void **state)
{
    (void)state;
    for (double z = 12.0; z <= 37.0; z += 2.5) {
        double square = z * z;
        double series = 1.0 - 1.0 / square * (1.0 - 3.0 / square * (1.0 - 5.0 / square * (1.0 - 7.0 / square)));
        double log_expected = -0.5 * square - log(z * sqrt(2.0 * acos(-1.0))) + log(series);
        assert_near(log(rcity_fade_probability(-z, 1.0)), log_expected, 2e-8);
        assert_near(rcity_fade_margin_db(exp(log_expected), 1.0), -z, 1e-8);
    }
}

static void test_inverse_comes_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5000; seed++) {
        double sigma_db = test_uniform(seed, 0, 0.1, 15.0);
        double z = test_uniform(seed, 1, -37.0, 5.0); /* above 5 a probability holds too few digits of its margin */
        double probability = rcity_fade_probability(sigma_db * z, sigma_db);
        double found_db = rcity_fade_margin_db(probability, sigma_db);
        /* the last bit of a probability near 1 moves the margin by its size over the density */
        double blur = 2.3e-16 * fmax(1.0, sqrt(2.0 * acos(-1.0)) * exp(0.5 * fmax(z, 0.0) * fmax(z, 0.0)));
        double tolerance = sigma_db * fmax(1e-12, 2.0 * blur);
        if (!(fabs(found_db - sigma_db * z) <= tolerance)) {
            print_error("seed %llu: %.17g dB of %.17g came back as %.17g\n", (unsigned long long)seed, sigma_db * z,
                        sigma_db, found_db);
            fail();
        }
    }
    for (uint64_t seed = 1; seed <= 5000; seed++) {
        double probability = test_uniform(seed, 0, 0.0, 1.0);
        double margin_db = rcity_fade_margin_db(probability, 7.0);
        assert_near(rcity_fade_probability(margin_db, 7.0), probability, 1e-12);
    }
}

static void test_extreme_fades_have_exact_limits(void **state)
{
    (void)state;
    assert_true(rcity_fade_probability(0.1, 0.0) == 1.0);
    assert_true(rcity_fade_probability(-0.1, 0.0) == 0.0);
    assert_true(rcity_fade_probability(0.0, 0.0) == 0.5);
    assert_true(rcity_fade_probability(0.0, 8.0) == 0.5);
    assert_true(rcity_fade_probability(1e9, 8.0) == 1.0);
    assert_true(rcity_fade_probability(-1e9, 8.0) == 0.0);
    assert_true(isnan(rcity_fade_probability((double)NAN, 8.0)));
    assert_true(isnan(rcity_fade_probability((double)NAN, 0.0)));
    assert_true(isnan(rcity_fade_probability(1.0, -1.0)));
    assert_true(rcity_fade_margin_db(0.5, 8.0) == 0.0);
    assert_true(rcity_fade_margin_db(0.0, 8.0) == -HUGE_VAL);
    assert_true(rcity_fade_margin_db(1.0, 8.0) == HUGE_VAL);
    assert_true(rcity_fade_margin_db(0.9, 0.0) == 0.0);
    assert_true(isnan(rcity_fade_margin_db(-0.1, 8.0)));
    assert_true(isnan(rcity_fade_margin_db(1.1, 8.0)));
    assert_true(isnan(rcity_fade_margin_db((double)NAN, 8.0)));
    assert_true(isnan(rcity_fade_margin_db(0.9, -1.0)));
    double smallest = rcity_fade_margin_db(4.94e-324, 1.0); /* the smallest number there is: finite, and far out */
    assert_true(isfinite(smallest) && smallest < -38.0 && smallest > -39.0);
}

TEST_SUITE(fade)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probability_follows_the_table),
        cmocka_unit_test(test_margin_follows_the_table),
        cmocka_unit_test(test_probability_is_the_integral),
        cmocka_unit_test(test_tail_follows_the_series),
        cmocka_unit_test(test_inverse_comes_back),
        cmocka_unit_test(test_extreme_fades_have_exact_limits),
    };
    return cmocka_run_group_tests_name("fade", tests, NULL, NULL);
}
