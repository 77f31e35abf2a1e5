/* Reading numbers, against strtod. */
#include "rcity_test.h"

#include "base/number.h"
#include "comma_locale.h"

static void check(const char *text)
{
    const char *at = text;
    double value = -1.0;
    char *end;
    double expected = strtod(text, &end);
    assert_true(rcity_number_read(&at, text + strlen(text), &value));
    assert_int_equal(at - text, end - text);
    if (value != expected) {
        print_error("'%s' gave %.17g, strtod %.17g\n", text, value, expected);
        fail();
    }
}

static void test_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",      "-0",    "1",    "-1.5",  "+2",  "1e3",   "1E-3",   "1281.36",         ".5",
        "5.",     "1e",    "1e+",  "12abc", "3 4", "1e400", "1e-400", "123456789012345", "0.001",
        "-1e-10", "00012", "1.5.2"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        check(texts[i]);
    }
    for (uint64_t i = 0; i < 20000; i++) {
        char text[64];
        int decimals = (int)(test_random(5, 2 * i) % 8);
        snprintf(text, sizeof text, "%.*f", decimals, test_uniform(5, 2 * i + 1, -9e6, 9e6));
        check(text);
    }
}

static void test_no_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "-", "+", ".", "e5", "nan", "inf", "-.", "abc", " 1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *at = texts[i];
        double value = 7.0;
        assert_false(rcity_number_read(&at, texts[i] + strlen(texts[i]), &value));
        assert_ptr_equal(at, texts[i]);
        assert_near(value, 7.0, 0.0);
    }
    const char *digits = "12345";
    const char *at = digits;
    double value;
    assert_true(rcity_number_read(&at, digits + 2, &value)); /* never past the end */
    assert_near(value, 12.0, 0.0);
    char many[2000];
    memset(many, '9', sizeof many);
    at = many;
    assert_true(rcity_number_read(&at, many + sizeof many, &value));
    assert_true(isinf(value));
}

static void check_print(void)
{
    char text[32];
    assert_int_equal(rcity_number_print(text, sizeof text, "%g, %.2f %s", 1.5, -0.25, "a,b"), 14);
    assert_string_equal(text, "1.5, -0.25 a,b");
    assert_int_equal(rcity_number_print(text, 4, "%.10g", 12.375), 6); /* cut, and its whole length told */
    assert_string_equal(text, "12.");
    assert_int_equal(rcity_number_print(NULL, 0, "%d", 12345), 5);
}

static void test_print(void **state)
{
    (void)state;
    check_print();
    if (comma_locale_enter()) {
        check_print();
        char text[8];
        snprintf(text, sizeof text, "%.1f", 2.5); /* the caller's locale is as it was */
        assert_string_equal(text, "2,5");
        comma_locale_leave();
    }
}

TEST_SUITE(number)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_no_numbers),
        cmocka_unit_test(test_print),
    };
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
