/* Measurements that make no sense are refused or cause a warning with the reason. */
#include "fit/score/measurement_sanity.h"

#include "fit_models.h"

#define COUNT 200

typedef struct drive {
    double measured_db[COUNT], predicted_db[COUNT], free_space_db[COUNT], distance_m[COUNT];
    rcity_sanity_points points;
} drive;

/* A drive that makes sense: 20 dB above free space, 8 dB around. */
static void drive_make(drive *made)
{
    for (int i = 0; i < COUNT; i++) {
        made->distance_m[i] = test_uniform(1, (uint64_t)i, 50.0, 1500.0);
        made->free_space_db[i] = 32.0 + 20.0 * log10(made->distance_m[i]);
        made->predicted_db[i] = made->free_space_db[i] + 15.0;
        made->measured_db[i] = made->free_space_db[i] + 20.0 + 8.0 * test_normal(2, (uint64_t)i);
    }
    rcity_sanity_points points = {
        COUNT, made->measured_db, made->predicted_db, made->free_space_db, made->distance_m, 6, 0.0};
    made->points = points;
}

static void expect_refusal(const drive *made, const char *words)
{
    rcity_context *context = test_context(1);
    rcity_sanity_warnings warnings = {.count = -5};
    assert_status(context, rcity_sanity_find(context, &made->points, &warnings), RCITY_ERR_ARGUMENT);
    assert_message(context, words);
    assert_int_equal(warnings.count, -5);
    rcity_context_destroy(&context);
}

/* `words` NULL: no warning. */
static void expect_warning(const drive *made, const char *words)
{
    rcity_context *context = test_context(1);
    rcity_sanity_warnings warnings;
    assert_ok(context, rcity_sanity_find(context, &made->points, &warnings));
    assert_int_equal(warnings.count, words != NULL);
    if (words != NULL && strstr(warnings.sentences[0], words) == NULL) {
        print_error("the warning is '%s', expected '%s' in it\n", warnings.sentences[0], words);
        fail();
    }
    rcity_context_destroy(&context);
}

static void test_sensible_measurements_cause_no_warning(void **state)
{
    (void)state;
    drive made;
    drive_make(&made);
    made.measured_db[4] = (double)NAN;
    made.predicted_db[5] = (double)NAN;
    made.distance_m[6] = 0.0;
    expect_warning(&made, NULL);
}

static void test_too_few(void **state)
{
    (void)state;
    drive made;
    drive_make(&made);
    made.points.count = 30;
    expect_warning(&made, NULL);
    made.points.count = 29;
    expect_refusal(&made, "29 measurements, of which 29 can be predicted, are too few to fit 6 numbers: 30 are needed");
    made.points.count = 50;
    made.points.fitted_count = 10;
    expect_warning(&made, NULL);
    made.points.fitted_count = 11;
    expect_refusal(&made, "55 are needed");
    made.points.count = 0;
    expect_refusal(&made, "0 measurements, of which 0 can be predicted, are too few");
    drive_make(&made);
    for (int i = 10; i < COUNT; i++) {
        made.predicted_db[i] = (double)NAN;
    }
    expect_refusal(&made, "only 10 of 200 measurements can be predicted");
}

static void test_all_the_same(void **state)
{
    (void)state;
    drive made;
    drive_make(&made);
    for (int i = 0; i < COUNT; i++) {
        made.measured_db[i] = 110.0 + (i % 2 ? 0.09 : -0.09);
    }
    expect_refusal(&made, "all 200 measured losses are the same (110.0 dB");
    for (int i = 0; i < COUNT; i++) {
        made.measured_db[i] = 110.0 + (i % 2 ? 0.11 : -0.11);
    }
    expect_warning(&made, NULL);
}

static void test_wrong_units(void **state)
{
    (void)state;
    drive made;
    drive_make(&made);
    for (int i = 0; i < COUNT; i++) {
        made.measured_db[i] = -made.measured_db[i]; /* a power read as a loss */
    }
    expect_refusal(&made, "below those of free space");
    drive_make(&made);
    for (int i = 0; i < COUNT; i++) {
        made.measured_db[i] += 110.0;
    }
    expect_refusal(&made, "above those of free space");
    made.points.offset_max_db = 60.0; /* an unknown power may explain that */
    expect_warning(&made, NULL);
    for (int i = 0; i < COUNT; i++) {
        made.measured_db[i] -= 60.0; /* 70 above: rare, but it has been seen */
    }
    made.points.offset_max_db = 0.0;
    expect_warning(&made, NULL);
}

/* The excess is a median: a few wild values do not hide wrong units, nor make them. */
static void test_wild_values(void **state)
{
    (void)state;
    drive made;
    drive_make(&made);
    for (int i = 0; i < COUNT; i += 5) {
        made.measured_db[i] += 2000.0;
    }
    expect_warning(&made, NULL);
}

static void test_wrong_sign_or_place(void **state)
{
    (void)state;
    drive made;
    drive_make(&made);
    for (int i = 0; i < COUNT; i++) {
        double toward_db = 30.0 * (3.0 - log10(made.distance_m[i]));
        made.measured_db[i] = 110.0 + toward_db + 2.0 * test_normal(3, (uint64_t)i);
    }
    expect_refusal(&made, "fall with the distance");
    for (int i = 0; i < COUNT; i++) {
        made.measured_db[i] += 14.0 * test_normal(4, (uint64_t)i);
    }
    expect_warning(&made, "fall with the distance");
    for (int i = 0; i < COUNT; i++) { /* around the transmitter: the distance says nothing */
        made.distance_m[i] = 500.0 + 0.01 * made.distance_m[i];
    }
    expect_warning(&made, NULL);
}

static void test_few_predicted(void **state)
{
    (void)state;
    drive made;
    drive_make(&made);
    for (int i = 0; i < 110; i++) {
        made.predicted_db[i] = (double)NAN;
    }
    expect_warning(&made, "55 % of the measurements have no prediction");
    drive_make(&made);
    for (int i = 0; i < 50; i++) {
        made.predicted_db[i] = (double)NAN;
    }
    expect_warning(&made, "25 % of the measurements have no prediction");
}

static void test_allocation_failure(void **state)
{
    (void)state;
    drive made;
    drive_make(&made);
    failing_allocator failing = {0, 0, 0};
    rcity_context *context = test_context_failing(&failing, 1);
    failing.fail_at = failing.call_count + 1;
    rcity_sanity_warnings warnings = {.count = -5};
    assert_status(context, rcity_sanity_find(context, &made.points, &warnings), RCITY_ERR_MEMORY);
    assert_int_equal(warnings.count, -5);
    rcity_context_destroy(&context);
}

TEST_SUITE(measurement_sanity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sensible_measurements_cause_no_warning),
        cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_all_the_same),
        cmocka_unit_test(test_wrong_units),
        cmocka_unit_test(test_wild_values),
        cmocka_unit_test(test_wrong_sign_or_place),
        cmocka_unit_test(test_few_predicted),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
