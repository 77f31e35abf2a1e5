/* Times of stages: each since the one before, added up by name. */
#include "rcity_test.h"

#include "base/stages.h"

static void test_times_by_name(void **state)
{
    (void)state;
    rcity_stages stages;
    char text[200];
    rcity_stages_start(&stages);
    rcity_stages_describe(&stages, text, sizeof text);
    assert_string_equal(text, "");
    double start_s = stages.since_s;
    rcity_stages_end(&stages, "one");
    rcity_stages_end(&stages, "two");
    rcity_stages_end(&stages, "one");
    assert_int_equal(stages.count, 2);
    assert_true(stages.stage[0].seconds >= 0.0 && stages.stage[1].seconds >= 0.0);
    assert_near(stages.stage[0].seconds + stages.stage[1].seconds, stages.since_s - start_s, 1e-9);
    stages.stage[0].seconds = 0.25;
    stages.stage[1].seconds = 0.001;
    rcity_stages_describe(&stages, text, sizeof text);
    assert_string_equal(text, "one 0.25 s, two 0.001 s");
    rcity_stages_describe(&stages, text, 6);
    assert_string_equal(text, "one 0");
}

/* More names than there is room for are left out; nowhere to note is no error. */
static void test_too_many_and_none(void **state)
{
    (void)state;
    static const char names[RCITY_STAGE_MAX + 1][2] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
                                                       "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y"};
    rcity_stages stages;
    char text[8];
    rcity_stages_start(&stages);
    for (int i = 0; i <= RCITY_STAGE_MAX; i++) {
        rcity_stages_end(&stages, names[i]);
    }
    assert_int_equal(stages.count, RCITY_STAGE_MAX);
    rcity_stages_start(NULL);
    rcity_stages_end(NULL, "none");
    rcity_stages_describe(NULL, text, sizeof text);
    assert_string_equal(text, "");
}

TEST_SUITE(stages)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_by_name),
        cmocka_unit_test(test_too_many_and_none),
    };
    return cmocka_run_group_tests_name("stages", tests, NULL, NULL);
}
