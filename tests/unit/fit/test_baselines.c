/* Baselines against plain formulas and against what least squares promises: no other numbers meet the points better. */
#include "fit/score/baselines.h"
#include "rcity_test.h"

#define POINT_COUNT 300

/* Random points around a line over the logarithm of the distance. */
typedef struct cloud {
    double measured_db[POINT_COUNT], free_space_db[POINT_COUNT], distance_m[POINT_COUNT];
} cloud;

static cloud make_cloud(uint64_t seed, double noise_db)
{
    cloud made;
    for (uint64_t i = 0; i < POINT_COUNT; i++) {
        made.distance_m[i] = pow(10.0, test_uniform(seed, 3 * i, 1.3, 3.8));
        made.free_space_db[i] = 38.0 + 20.0 * log10(made.distance_m[i]) + test_uniform(seed, 3 * i + 1, 0.0, 3.0);
        made.measured_db[i] =
            17.0 + 41.0 * log10(made.distance_m[i]) + noise_db * test_uniform(seed, 3 * i + 2, -1.0, 1.0);
    }
    return made;
}

static double sum_of_squares(const cloud *points, const rcity_baseline_fit *fit, rcity_baseline baseline)
{
    double sum = 0.0;
    for (int i = 0; i < POINT_COUNT; i++) {
        double error = points->measured_db[i] -
                       rcity_baseline_value_db(fit, baseline, points->free_space_db[i], points->distance_m[i]);
        sum += error * error;
    }
    return sum;
}

static void fit_cloud(const cloud *points, rcity_baseline_fit *fit)
{
    rcity_baselines_fit(POINT_COUNT, points->measured_db, points->free_space_db, points->distance_m, fit);
}

/* The mean, the mean beyond free space, and the line by the two normal equations, solved by Cramer's rule on raw
   sums. */
static void test_plain_formulas(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cloud points = make_cloud(seed, 12.0);
        rcity_baseline_fit fit;
        fit_cloud(&points, &fit);
        long double n = POINT_COUNT;
        long double y = 0.0L;
        long double f = 0.0L;
        long double x = 0.0L;
        long double xx = 0.0L;
        long double xy = 0.0L;
        for (int i = 0; i < POINT_COUNT; i++) {
            long double decades = log10l((long double)points.distance_m[i]);
            y += (long double)points.measured_db[i];
            f += (long double)points.free_space_db[i];
            x += decades;
            xx += decades * decades;
            xy += decades * (long double)points.measured_db[i];
        }
        long double determinant = n * xx - x * x;
        print_message("seed %llu\n", (unsigned long long)seed);
        assert_near(fit.constant_db, (double)(y / n), 1e-9);
        assert_near(fit.offset_db, (double)((y - f) / n), 1e-9);
        assert_near(fit.log_decade_db, (double)((n * xy - x * y) / determinant), 1e-8);
        assert_near(fit.log_db, (double)((xx * y - x * xy) / determinant), 1e-8);
    }
}

/* Any other numbers are worse. */
static void test_nothing_is_better(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cloud points = make_cloud(100 + seed, 20.0);
        rcity_baseline_fit fit;
        fit_cloud(&points, &fit);
        for (uint64_t trial = 0; trial < 50; trial++) {
            rcity_baseline_fit other = fit;
            other.constant_db += test_uniform(seed, 1000 + 4 * trial, -1.0, 1.0);
            other.offset_db += test_uniform(seed, 1001 + 4 * trial, -1.0, 1.0);
            other.log_db += test_uniform(seed, 1002 + 4 * trial, -1.0, 1.0);
            other.log_decade_db += test_uniform(seed, 1003 + 4 * trial, -0.5, 0.5);
            for (int k = 0; k < RCITY_BASELINE_COUNT; k++) {
                assert_true(sum_of_squares(&points, &other, (rcity_baseline)k) >
                            sum_of_squares(&points, &fit, (rcity_baseline)k));
            }
        }
    }
}

static void test_exact_line(void **state)
{
    (void)state;
    cloud points = make_cloud(7, 0.0);
    rcity_baseline_fit fit;
    fit_cloud(&points, &fit);
    assert_near(fit.log_db, 17.0, 1e-9);
    assert_near(fit.log_decade_db, 41.0, 1e-9);
    assert_near(rcity_baseline_value_db(&fit, RCITY_BASELINE_LOG_DISTANCE, (double)NAN, 100.0), 99.0, 1e-9);
}

/* What has no value does not count; a receiver at the mast has a finite logarithm. */
static void test_missing_values_are_left_out_of_baselines(void **state)
{
    (void)state;
    const double nothing = (double)NAN;
    const double measured_db[] = {100.0, nothing, 120.0, 500.0, 900.0};
    const double free_space_db[] = {80.0, 80.0, 90.0, nothing, 70.0};
    const double distance_m[] = {100.0, 100.0, 1000.0, 10.0, nothing};
    rcity_baseline_fit fit;
    rcity_baselines_fit(5, measured_db, free_space_db, distance_m, &fit);
    assert_near(fit.constant_db, 110.0, 1e-12);
    assert_near(fit.offset_db, 25.0, 1e-12);
    assert_near(fit.log_decade_db, 20.0, 1e-12);
    assert_near(fit.log_db, 60.0, 1e-12);
    assert_near(rcity_baseline_value_db(&fit, RCITY_BASELINE_LOG_DISTANCE, 0.0, 0.0), 60.0, 1e-12);
    assert_true(isnan(rcity_baseline_value_db(&fit, RCITY_BASELINE_OFFSET, nothing, 10.0)));
}

static void test_one_distance_and_none(void **state)
{
    (void)state;
    const double measured_db[] = {100.0, 104.0, 108.0};
    const double free_space_db[] = {80.0, 80.0, 80.0};
    const double distance_m[] = {123.4, 123.4, 123.4};
    rcity_baseline_fit fit;
    rcity_baselines_fit(3, measured_db, free_space_db, distance_m, &fit);
    assert_near(fit.log_decade_db, 0.0, 0.0);
    assert_near(fit.log_db, 104.0, 1e-12);
    rcity_baselines_fit(0, measured_db, free_space_db, distance_m, &fit);
    assert_true(isnan(fit.constant_db) && isnan(fit.offset_db) && isnan(fit.log_db) && isnan(fit.log_decade_db));
}

TEST_SUITE(baselines)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_formulas),
        cmocka_unit_test(test_nothing_is_better),
        cmocka_unit_test(test_exact_line),
        cmocka_unit_test(test_missing_values_are_left_out_of_baselines),
        cmocka_unit_test(test_one_distance_and_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
