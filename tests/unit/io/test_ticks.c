/* Round numbers for axes and bars. */
#include "rcity_test.h"

#include <math.h>

#include "io/picture/ticks.h"

static void test_steps_are_round(void **state)
{
    (void)state;
    assert_true(rcity_tick_step(100.0, 5.0) == 20.0);
    assert_true(rcity_tick_step(101.0, 5.0) == 50.0);
    assert_true(rcity_tick_step(1e6, 1.0) == 1e6);
    assert_true(fabs(rcity_tick_step(0.7, 10.0) - 0.1) < 1e-12);
    assert_true(rcity_tick_round_down(499.0) == 200.0);
    assert_true(rcity_tick_round_down(500.0) == 500.0);
    double span = 1e-6;
    for (int i = 0; i < 110; i++) { /* never more steps than asked for, never needlessly few */
        span *= 1.37;
        double steps = span / rcity_tick_step(span, 6.0);
        assert_true(steps <= 6.0 + 1e-6 && steps > 2.3);
        double bar = rcity_tick_round_down(span);
        assert_true(bar <= span * (1.0 + 1e-6) && bar > 0.39 * span);
    }
}

static void test_ends_are_kept(void **state)
{
    (void)state;
    assert_true(rcity_tick_first(61.0, 20.0) == 80.0 && rcity_tick_first(60.0, 20.0) == 60.0);
    assert_true(rcity_tick_last(-61.0, 20.0) == -80.0 && rcity_tick_last(79.0, 20.0) == 60.0);
    assert_true(fabs(rcity_tick_first(0.1 + 0.2, 0.1) - 0.3) < 1e-12);
}

static void test_decimals_follow_the_step(void **state)
{
    (void)state;
    char text[RCITY_TICK_BYTES];
    assert_string_equal(rcity_tick_format(5338000.0, 500.0, text), "5338000");
    assert_string_equal(rcity_tick_format(0.1 + 0.2, 0.1, text), "0.3");
    assert_string_equal(rcity_tick_format(-1e-18, 0.05, text), "0.00");
    assert_string_equal(rcity_tick_format(-120.0, 20.0, text), "-120");
}

TEST_SUITE(ticks)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_are_round),
        cmocka_unit_test(test_ends_are_kept),
        cmocka_unit_test(test_decimals_follow_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
