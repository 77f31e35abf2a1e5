/* Logarithm and angle for loops, against double precision. */
#include "rcity_test.h"

#include "base/lane_math.h"

static void test_log10_agrees_with_double_precision(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int i = 0; i < 200000; i++) {
        float x = (float)pow(10.0, -6.0 + 16.0 * i / 200000.0);
        double expected = log10((double)x);
        worst = fmax(worst, fabs((double)rcity_lane_log10(x) - expected) / fmax(1.0, fabs(expected)));
    }
    print_message("log10: within %.2g of the larger of 1 and itself\n", worst);
    assert_true(worst < 3e-7);
    assert_near((double)rcity_lane_log10(1.0f), 0.0, 0.0);
}

static void test_angle_agrees_with_double_precision(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int i = 0; i <= 100000; i++) {
        double angle = 3.14159265358979 * i / 100000.0;
        for (int k = 0; k < 3; k++) {
            double length = k == 0 ? 1.0 : k == 1 ? 1e-3 : 4e4;
            float x = (float)(length * cos(angle)), y = (float)fmax(length * sin(angle), 0.0);
            worst = fmax(worst, fabs((double)rcity_lane_angle(y, x) - atan2((double)y, (double)x)));
        }
    }
    print_message("angle: within %.2g\n", worst);
    assert_true(worst < 6e-7);
    assert_near((double)rcity_lane_angle(0.0f, 1.0f), 0.0, 0.0);
    assert_near((double)rcity_lane_angle(0.0f, 0.0f), 0.0, 0.0);
}

TEST_SUITE(lane_math)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_log10_agrees_with_double_precision),
                                       cmocka_unit_test(test_angle_agrees_with_double_precision)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
