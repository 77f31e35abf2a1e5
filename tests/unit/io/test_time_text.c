/* Times as files have them, against the C library's calendar. */
#include "rcity_test.h"

#include <time.h>

#include "io/measurements/time_text.h"

static void test_times_are_read_in_every_form(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"12.5", 12.5},
                {"-3", -3.0},
                {"1689000000.25", 1689000000.25},
                {"1970-01-01T00:00:00Z", 0.0},
                {"1970-01-01 00:00", 0.0},
                {"1970/01/01 00:00:30", 30.0},
                {"2000-03-01T00:00:00Z", 951868800.0}, /* POSIX: 11017 days */
                {"2023-07-10T14:03:05.25Z", 1688997785.25},
                {"2023-07-10T16:03:05+02:00", 1688997785.0},
                {"2023-07-10T16:03:05+0200", 1688997785.0},
                {"2023-07-10T08:33:05-05:30", 1688997785.0},
                {"2023-07-10t16:03:05+02", 1688997785.0},
                {"1969-12-31T23:59:59Z", -1.0},
                {"14:03:05", 50585.0},
                {"14:03", 50580.0},
                {"23:59:60.5", 86400.5}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double seconds = (double)NAN;
        print_message("%s\n", good[i].text);
        assert_true(rcity_time_read(good[i].text, false, &seconds));
        assert_near(seconds, good[i].seconds, 1e-6);
    }
    static const char *const bad[] = {"",
                                      "noon",
                                      "nan",
                                      "inf",
                                      "12,5",
                                      "2023-07-10",
                                      "2023-13-01T00:00",
                                      "2023-00-01T00:00",
                                      "2023-01-32T00:00",
                                      "2023-01-01T25:00",
                                      "2023-01-01T00:60",
                                      "2023-01-01T00:00:00X",
                                      "2023-01-01T00:00:00+2",
                                      "14:3",
                                      "14:03:5",
                                      "14:03:05x",
                                      "14:03:05Z",
                                      "23-07-10T00:00"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double seconds;
        print_message("'%s'\n", bad[i]);
        assert_false(rcity_time_read(bad[i], false, &seconds));
    }
    double seconds;
    assert_true(rcity_time_read("12,5", true, &seconds));
    assert_near(seconds, 12.5, 0.0);
}

/* Days of four centuries, leap years and all. */
static void test_dates_agree_with_the_c_library(void **state)
{
    (void)state;
    for (int day = -60000; day < 100000; day += 13) {
        time_t moment = (time_t)day * 86400 + 3723;
        struct tm parts;
        char text[40];
        double seconds;
        assert_non_null(gmtime_r(&moment, &parts));
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
        assert_true(rcity_time_read(text, false, &seconds));
        assert_near(seconds, (double)moment, 0.0);
    }
}

TEST_SUITE(time_text)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_are_read_in_every_form),
        cmocka_unit_test(test_dates_agree_with_the_c_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
