/* Building entry loss: the inverse of the normal distribution against its integral, the formula against double
   precision, and the laws that it keeps. */
#include "rcity_test.h"

#include "kernel/building_entry.h"

#define SEED        2109u
#define TRIAL_COUNT 20000
#define PI          3.14159265358979323846

static double draw(uint64_t trial, int which, double low, double high)
{
    return test_uniform(SEED, 4 * trial + (uint64_t)which, low, high);
}

/* Probability that a standard normal variable does not exceed z; its upper twin by the sign. */
static double normal_integral(double z)
{
    return 0.5 * erfc(-z / sqrt(2.0));
}

/* How far z is from the quantile: the error of its probability over the density there. */
static double quantile_error(float probability)
{
    double z = (double)rcity_normal_quantile(probability);
    double density = exp(-0.5 * z * z) / sqrt(2.0 * PI);
    double error = probability < 0.5f ? normal_integral(z) - (double)probability
                                      : (1.0 - (double)probability) - normal_integral(-z);
    return error / density;
}

static void test_quantile_inverts_the_normal_distribution(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t i = 0; i < TRIAL_COUNT; i++) {
        float tail = (float)pow(10.0, draw(i, 0, -37.0, log10(0.5)));
        const float probabilities[] = {tail, 1.0f - tail, (float)draw(i, 1, 0.0, 1.0)};
        for (int k = 0; k < 3; k++) {
            float p = probabilities[k];
            if (p <= 0.0f || p >= 1.0f) {
                continue;
            }
            double error = fabs(quantile_error(p)) / (1.0 + fabs((double)rcity_normal_quantile(p)));
            worst = fmax(worst, error);
            if (!(error <= 1e-6)) {
                print_error("seed %u, trial %d: probability %.9g\n", SEED, (int)i, (double)p);
                assert_near(error, 0.0, 1e-6);
            }
        }
    }
    print_message("quantile within %.2g of 1 + |z|\n", worst);
    assert_true(rcity_normal_quantile(0.5f) == 0.0f);
    /* the two places where one rational function hands over to the next */
    const double joints[] = {0.075, exp(-25.0)};
    for (int i = 0; i < 2; i++) {
        float above = rcity_normal_quantile((float)(joints[i] * (1.0 + 1e-6)));
        float below = rcity_normal_quantile((float)(joints[i] * (1.0 - 1e-6)));
        assert_near((double)(above - below), 0.0, 4e-6);
    }
}

static void test_quantile_limits(void **state)
{
    (void)state;
    const float bad[] = {0.0f, 1.0f, -0.1f, 1.1f, -INFINITY, INFINITY, NAN};
    for (int i = 0; i < (int)(sizeof bad / sizeof bad[0]); i++) {
        assert_true(isnan(rcity_normal_quantile(bad[i])));
        assert_true(isnan(rcity_building_entry_loss_db(1.0f, RCITY_P2109_TRADITIONAL, bad[i], 0.0f)));
    }
    for (uint64_t i = 0; i < 1000; i++) {
        float p = (float)draw(i, 0, 0.5, 1.0); /* 1 - p is exact */
        assert_true(rcity_normal_quantile(p) == -rcity_normal_quantile(1.0f - p));
    }
}

/* z of a probability in double precision, by halving; the formula again from the printed equations. */
static double halving_quantile(double probability)
{
    double low = -40.0;
    double high = 40.0;
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (low + high);
        if (normal_integral(middle) < probability) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static double entry_db(double f, int building, double p, double elevation_deg)
{
    static const double letters[9][2] = {{12.64, 28.19}, {3.72, -3.0}, {0.96, 8.48}, {9.6, 13.5}, {2.0, 3.8},
                                         {9.1, 27.8},    {-3.0, -2.9}, {4.5, 9.4},   {-2.0, -2.1}};
    double c[9];
    for (int i = 0; i < 9; i++) {
        c[i] = letters[i][building];
    }
    double lf = log(f) / log(10.0);
    double z = halving_quantile(p);
    double mu1 = c[0] + lf * (c[1] + lf * c[2]) + 0.212 * fabs(elevation_deg);
    double a = mu1 + z * (c[3] + c[4] * lf);
    double b = c[5] + c[6] * lf + z * (c[7] + c[8] * lf);
    double sum = exp(log(10.0) * a / 10.0) + exp(log(10.0) * b / 10.0) + exp(log(10.0) * -0.3);
    return 10.0 / log(10.0) * log(sum);
}

typedef struct entry_case {
    float frequency_ghz;
    rcity_i32 building;
    float probability;
    float elevation_rad;
} entry_case;

static entry_case draw_case(uint64_t i)
{
    double low = log10(RCITY_P2109_FREQUENCY_MIN_HZ * 1e-9);
    double high = log10(RCITY_P2109_FREQUENCY_MAX_HZ * 1e-9);
    return (entry_case){(float)pow(10.0, draw(i, 0, low, high)), (rcity_i32)(i % 2), (float)draw(i, 1, 0.001, 0.999),
                        (float)draw(i, 2, -RCITY_P2109_ELEVATION_MAX_RAD, RCITY_P2109_ELEVATION_MAX_RAD)};
}

static double loss_of(entry_case c)
{
    return (double)rcity_building_entry_loss_db(c.frequency_ghz, c.building, c.probability, c.elevation_rad);
}

static void test_entry_loss_agrees_with_double_precision(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t i = 0; i < 4000; i++) {
        entry_case c = draw_case(i);
        double truth =
            entry_db((double)c.frequency_ghz, c.building, (double)c.probability, (double)c.elevation_rad * 180.0 / PI);
        worst = fmax(worst, fabs(loss_of(c) - truth));
        assert_near(loss_of(c), truth, 1e-4);
    }
    print_message("single precision within %.2g dB\n", worst);
}

/* More is exceeded less often; a steeper path loses more, up or down alike; never less than C; the probability of a
   half gives the sum of the three medians. */
static void test_entry_loss_grows_with_probability_and_elevation(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < TRIAL_COUNT; i++) {
        entry_case c = draw_case(i);
        double loss_db = loss_of(c);
        assert_true(loss_db > (double)RCITY_P2109_FLOOR_DB);
        entry_case likelier = c;
        likelier.probability = c.probability + 0.001f;
        if (likelier.probability < 1.0f) {
            assert_true(loss_of(likelier) > loss_db);
        }
        entry_case turned = c;
        turned.elevation_rad = -c.elevation_rad;
        assert_true(loss_of(turned) == loss_db);
        entry_case level = c;
        level.elevation_rad = 0.9f * c.elevation_rad;
        assert_true(loss_of(level) <= loss_db);
        entry_case median = c;
        median.probability = 0.5f;
        double lf = log10((double)c.frequency_ghz);
        double first_db = (double)rcity_p2109_horizontal_db(c.frequency_ghz, c.building) +
                          0.212 * fabs((double)c.elevation_rad) * 180.0 / PI;
        double second_db = c.building == RCITY_P2109_EFFICIENT ? 27.8 - 2.9 * lf : 9.1 - 3.0 * lf;
        double sum = pow(10.0, 0.1 * first_db) + pow(10.0, 0.1 * second_db) + pow(10.0, -0.3);
        assert_near(loss_of(median), 10.0 * log10(sum), 1e-4);
    }
}

/* Metal in the facade costs: at every frequency and probability of a half or more the efficient building loses more,
   and all values at the ends of the range are finite. */
static void test_entry_loss_is_finite_over_the_range(void **state)
{
    (void)state;
    const double ends_ghz[] = {RCITY_P2109_FREQUENCY_MIN_HZ * 1e-9, 1.0, RCITY_P2109_FREQUENCY_MAX_HZ * 1e-9};
    const float probabilities[] = {1e-7f, 0.01f, 0.5f, 0.99f, 1.0f - 1e-6f};
    for (int f = 0; f < 3; f++) {
        for (int p = 0; p < 5; p++) {
            for (int e = 0; e < 2; e++) {
                float elevation_rad = e == 0 ? 0.0f : (float)RCITY_P2109_ELEVATION_MAX_RAD;
                entry_case c = {(float)ends_ghz[f], RCITY_P2109_TRADITIONAL, probabilities[p], elevation_rad};
                double traditional_db = loss_of(c);
                c.building = RCITY_P2109_EFFICIENT;
                double efficient_db = loss_of(c);
                assert_true(isfinite(traditional_db) && isfinite(efficient_db));
                assert_true(p < 2 || efficient_db > traditional_db);
            }
        }
    }
}

TEST_SUITE(building_entry)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantile_inverts_the_normal_distribution),
        cmocka_unit_test(test_quantile_limits),
        cmocka_unit_test(test_entry_loss_agrees_with_double_precision),
        cmocka_unit_test(test_entry_loss_grows_with_probability_and_elevation),
        cmocka_unit_test(test_entry_loss_is_finite_over_the_range),
    };
    return cmocka_run_group_tests_name("building entry", tests, NULL, NULL);
}
