/* Lengths as map data write them. */
#include "rcity_test.h"

#include "io/import/measure.h"
#include "io/import/osm_value.h"

static void test_lengths_are_read_in_every_unit(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value_m;
    } cases[] =
        {
            {"12", 12.0},
            {"12.5", 12.5},
            {" 12.5\t", 12.5},
            {"-3", -3.0},
            {"+3", 3.0},
            {"1e2", 100.0},
            {"12.5 m", 12.5},
            {"12.5m", 12.5},
            {"12 M", 12.0},
            {"12 m.", 12.0},
            {"12 metres", 12.0},
            {"1 meter", 1.0},
            {"12,5", 12.5},
            {"12,50 m", 12.5},
            {"-12,5", -12.5},
            {"0,125", 0.125},
            {"1234,5678", 1234.5678},
            {"40 ft", 12.192}, /* a foot is 0.3048 m, an inch 0.0254 m, exactly */
            {"40ft", 12.192},
            {"40 feet", 12.192},
            {"1 foot", 0.3048},
            {"40'", 12.192},
            {"6'2\"", 1.8796},
            {"6' 2\"", 1.8796},
            {"6'2''", 1.8796},
            {"6 ft 2 in", 1.8796},
            {"6'2.5\"", 1.8923},
        };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value_m = 777.0;
        if (!rcity_measure_read(cases[i].text, true, 1.0, &value_m)) {
            print_error("'%s' was refused\n", cases[i].text);
            fail();
        }
        assert_near(value_m, cases[i].value_m, 1e-12);
    }
}

/* Heights as mappers write them. */
static void test_values_of_openstreetmap(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value_m;
    } cases[] = {
        {"12.5 m", 12.5},
        {"~3", 3.0},
        {"~ 3 m", 3.0},
        {"ca. 20", 20.0},
        {"ca 20m", 20.0},
        {"approx. 9", 9.0},
        {"about 40 ft", 12.192},
        {"\xe2\x89\x88 7", 7.0},
        {"3;4", 4.0},
        {"4; 3;", 4.0},
        {"10-12", 11.0},
        {"10 - 12 m", 11.0},
        {"10 m-12 m", 11.0},
        {"30-40 ft", 10.668},
        {"10\xe2\x80\x93"
         "12",
         11.0},
        {"10..14", 12.0},
        {"10 to 14 m", 12.0},
        {"8;10-12", 11.0},
        {"6'2\"", 1.8796},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value_m = 777.0;
        if (!rcity_osm_value_read(cases[i].text, true, &value_m)) {
            print_error("'%s' was refused\n", cases[i].text);
            fail();
        }
        assert_near(value_m, cases[i].value_m, 1e-9);
    }
    static const char *const bad[] = {"",  ";",     "~",       "tall", "3;tall", "3-",
                                      "-", "3 x 4", "10-tall", "G+4",  "ca.",    "12 mm"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double value_m = 777.0;
        if (rcity_osm_value_read(bad[i], true, &value_m)) {
            print_error("'%s' was read as %g\n", bad[i], value_m);
            fail();
        }
        assert_near(value_m, 777.0, 0.0);
    }
}

static void test_bad_lengths_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        " ",
        "tall",
        "12 k",
        "12 mm",
        "m",
        "12m5",
        "12..5",
        "1,234",
        "1,234 m",
        "1.234,5",
        "1,2,3",
        "12,",
        ",5",
        "~12",
        "12-15",
        "3;4",
        "nan",
        "inf",
        "12 ft 3 cows",
        "12 m m",
        "6'2",
        "0x10",
        "1e999",
        "12\"",
        "2020-01-01",
        "12345678901234567890123456789012345678901234567890",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value_m = 777.0;
        if (rcity_measure_read(cases[i], true, 1.0, &value_m)) {
            print_error("'%s' was read as %g\n", cases[i], value_m);
            fail();
        }
        assert_near(value_m, 777.0, 0.0);
    }
}

/* Where no unit belongs, none is taken. */
static void test_number_without_unit_takes_the_given(void **state)
{
    (void)state;
    double value = 0.0;
    /* a number without a unit of its own is in the one given, whatever is allowed */
    assert_true(rcity_measure_read("10", true, 0.3048, &value));
    assert_near(value, 3.048, 1e-12);
    assert_true(rcity_measure_read("10 m", true, 0.3048, &value));
    assert_near(value, 10.0, 0.0);
    assert_true(rcity_measure_read("10 ft", true, 7.0, &value));
    assert_near(value, 3.048, 1e-12);
    assert_true(rcity_measure_read("4", false, 1.0, &value));
    assert_near(value, 4.0, 0.0);
    assert_true(rcity_measure_read("2,5", false, 1.0, &value));
    assert_near(value, 2.5, 0.0);
    assert_false(rcity_measure_read("4 m", false, 1.0, &value));
    assert_false(rcity_measure_read("4'", false, 1.0, &value));
}

/* Any text of the letters that matter is read or refused, and what is read is a number. */
static void test_any_text(void **state)
{
    (void)state;
    static const char letters[] = "0123456789.,+-eE mMfFtT'\"in";
    const uint64_t seed = 31;
    print_message("seed %llu\n", (unsigned long long)seed);
    int read_count = 0;
    for (uint64_t i = 0; i < 200000; i++) {
        char text[64];
        size_t length = test_random(seed, 2 * i) % 12;
        for (size_t k = 0; k < length; k++) {
            text[k] = letters[test_random(seed + 1 + k, i) % (sizeof letters - 1)];
        }
        text[length] = '\0';
        double value_m = 777.0;
        if (rcity_measure_read(text, true, 1.0, &value_m)) {
            assert_true(isfinite(value_m));
            read_count++;
        } else {
            assert_near(value_m, 777.0, 0.0);
        }
    }
    assert_true(read_count > 100);
}

TEST_SUITE(measure)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths_are_read_in_every_unit),
        cmocka_unit_test(test_values_of_openstreetmap),
        cmocka_unit_test(test_bad_lengths_are_refused),
        cmocka_unit_test(test_number_without_unit_takes_the_given),
        cmocka_unit_test(test_any_text),
    };
    return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
