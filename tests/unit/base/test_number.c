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

static void test_numbers_are_read_like_strtod(void **state)
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

/* Numbers that take all digits of a double and more, of every size: the nearest double, as strtod has it. */
static void test_all_digits(void **state)
{
    (void)state;
    static const char *const texts[] = {"48.137154000000001",
                                        "11.576124000000000123",
                                        "9007199254740993",
                                        "9007199254740993.00000000000000000000000000001",
                                        "2.2250738585072014e-308",
                                        "4.9406564584124654e-324",
                                        "1.7976931348623157e308",
                                        "0.1e-7",
                                        "123e-20"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        check(texts[i]);
    }
    for (uint64_t i = 0; i < 20000; i++) {
        char text[64];
        double size = test_uniform(6, 3 * i + 1, -300.0, 300.0);
        snprintf(text, sizeof text, "%.*e", (int)(test_random(6, 3 * i) % 25), pow(10.0, size));
        check(text);
    }
    char many[1400]; /* zeros before and behind change nothing, wherever the point stands */
    memset(many, '0', sizeof many);
    memcpy(many + 1000, "12.5", 4);
    many[sizeof many - 1] = '\0';
    check(many);
    many[0] = '.';
    memcpy(many + 1000, "125e", 4);
    memcpy(many + 1004, "+1001", 6);
    check(many);
}

/* Words, hexadecimals and a decimal comma end a number or are none, as ever, in every locale. */
static void check_ends(void)
{
    static const struct {
        const char *text;
        size_t length; /* 0: no number */
        double value;
    } cases[] = {{"0x10", 1, 0.0},   {"0x1p3", 1, 0.0},  {"infinity", 0, 0.0}, {"-inf", 0, 0.0},
                 {"NAN(1)", 0, 0.0}, {"1,5", 1, 1.0},    {"1.5,2", 3, 1.5},    {",5", 0, 0.0},
                 {"1.5f", 3, 1.5},   {"1e5e5", 3, 1e5},  {"\t1", 0, 0.0},      {"+-1", 0, 0.0},
                 {"--1", 0, 0.0},    {"1.e2", 4, 100.0}, {"1e-", 1, 1.0},      {"1 000", 1, 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *at = cases[i].text;
        double value = 7.0;
        bool is_number = rcity_number_read(&at, at + strlen(at), &value);
        assert_int_equal(is_number, cases[i].length > 0);
        assert_int_equal(at - cases[i].text, cases[i].length);
        assert_near(value, is_number ? cases[i].value : 7.0, 0.0);
    }
}

static void test_reading_stops_at_the_numbers_end(void **state)
{
    (void)state;
    check_ends();
    if (comma_locale_enter()) {
        check_ends();
        comma_locale_leave();
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

static void test_printed_numbers_ignore_the_locale(void **state)
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
        cmocka_unit_test(test_numbers_are_read_like_strtod),      cmocka_unit_test(test_all_digits),
        cmocka_unit_test(test_reading_stops_at_the_numbers_end),  cmocka_unit_test(test_no_numbers),
        cmocka_unit_test(test_printed_numbers_ignore_the_locale),
    };
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
