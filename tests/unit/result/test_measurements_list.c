/* Lists of measurements put together: appended, given transmitters, given them by name. */
#include "rcity_test.h"

#include "result/measurements.h"

/* A list with one route and a transmitter for each measurement, named by a letter. */
static rcity_measurements *make_list(rcity_context *context, rcity_measured_kind kind, const char *letters)
{
    rcity_measurements *made = NULL;
    int index;
    assert_ok(context, rcity_measurements_create(context, kind, &made));
    assert_ok(context, rcity_measurements_add_route(made, letters, &index));
    for (size_t i = 0; i < strlen(letters); i++) {
        char name[2] = {letters[i], '\0'};
        rcity_transmitter tx = rcity_transmitter_default();
        rcity_measurement sample = {.x_m = (double)i, .value = 100.0 + (double)i, .sample_count = 1};
        tx.name = name;
        assert_ok(context, rcity_measurements_find_transmitter(made, &tx, &sample.transmitter));
        assert_ok(context, rcity_measurements_add(made, &sample));
    }
    made->tally = (rcity_measurement_tally){20, 1, 2, 3, 4, 5, 6, (int64_t)strlen(letters)};
    assert_ok(context, rcity_measurements_arrange(made));
    return made;
}

static void test_appended_lists_share_transmitters(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_measurements *all = NULL;
    rcity_measurements *first = make_list(context, RCITY_MEASURED_LOSS, "ABA");
    rcity_measurements *second = make_list(context, RCITY_MEASURED_LOSS, "CB");
    rcity_measurements *powers = make_list(context, RCITY_MEASURED_POWER, "A");
    assert_ok(context, rcity_measurements_append(context, &all, first));
    assert_ok(context, rcity_measurements_append(context, &all, second));
    assert_int_equal(rcity_measurements_count(all), 5);
    assert_int_equal(rcity_measurements_route_count(all), 2);
    assert_string_equal(rcity_measurements_route_name(all, 1), "CB");
    assert_int_equal(rcity_measurements_transmitter_count(all), 3); /* B is one */
    static const char *const names[] = {"A", "B", "A", "C", "B"};
    const rcity_measurement *list = rcity_measurements_all(all);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(rcity_measurements_transmitters(all)[list[i].transmitter].name, names[i]);
        assert_int_equal(list[i].route, i >= 3);
    }
    rcity_measurement_tally tally = rcity_measurements_tally(all);
    const int64_t counts[] = {tally.row_count,   tally.left_out_count,  tally.gap_count,     tally.duplicate_count,
                              tally.floor_count, tally.saturated_count, tally.outside_count, tally.kept_count};
    static const int64_t expected[] = {40, 2, 4, 6, 8, 10, 12, 5};
    assert_memory_equal(counts, expected, sizeof counts);
    assert_status(context, rcity_measurements_append(context, &all, powers), RCITY_ERR_ARGUMENT);
    assert_message(context, "powers");
    assert_int_equal(rcity_measurements_count(all), 5);
    rcity_measurements_destroy(&powers);
    rcity_measurements_destroy(&second);
    rcity_measurements_destroy(&first);
    rcity_measurements_destroy(&all);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_one_transmitter_replaces_all_others(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_measurements *list = make_list(context, RCITY_MEASURED_LOSS, "ABA");
    char name[] = "hill";
    rcity_transmitter tx = rcity_transmitter_default();
    tx.name = name;
    tx.x_m = 77.0;
    assert_ok(context, rcity_measurements_set_transmitter(list, &tx));
    name[0] = '?'; /* it was copied */
    assert_int_equal(rcity_measurements_transmitter_count(list), 1);
    assert_string_equal(rcity_measurements_transmitters(list)[0].name, "hill");
    assert_near(rcity_measurements_transmitters(list)[0].x_m, 77.0, 0.0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rcity_measurements_all(list)[i].transmitter, 0);
    }
    tx.name = NULL;
    assert_ok(context, rcity_measurements_set_transmitter(list, &tx));
    assert_null(rcity_measurements_transmitters(list)[0].name);
    rcity_measurements_destroy(&list);
    rcity_context_destroy(&context);
}

static void test_transmitters_are_found_by_name(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_measurements *list = make_list(context, RCITY_MEASURED_LOSS, "BAB");
    rcity_transmitter known[3] = {rcity_transmitter_default(), rcity_transmitter_default(),
                                  rcity_transmitter_default()};
    known[0].name = "A";
    known[0].x_m = 1.0;
    known[1].name = "C";
    known[2].name = "B";
    known[2].x_m = 2.0;
    assert_status(context, rcity_measurements_name_transmitters(context, list, 2, known), RCITY_ERR_ARGUMENT);
    assert_message(context, "not known: B; known are: A, C");
    assert_near(rcity_measurements_transmitters(list)[0].x_m, 0.0, 0.0); /* untouched */
    assert_ok(context, rcity_measurements_name_transmitters(context, list, 3, known));
    assert_int_equal(rcity_measurements_transmitter_count(list), 2);
    static const double x_m[] = {2.0, 1.0, 2.0};
    for (int i = 0; i < 3; i++) {
        const rcity_measurement *one = &rcity_measurements_all(list)[i];
        assert_near(rcity_measurements_transmitters(list)[one->transmitter].x_m, x_m[i], 0.0);
    }
    rcity_measurements_destroy(&list);
    /* two that the file tells apart by their heights, and the list does not */
    list = make_list(context, RCITY_MEASURED_LOSS, "AB");
    rcity_transmitter other = rcity_measurements_transmitters(list)[0];
    rcity_measurement sample = rcity_measurements_all(list)[0];
    other.height_m += 1.0;
    assert_ok(context, rcity_measurements_find_transmitter(list, &other, &sample.transmitter));
    assert_int_equal(sample.transmitter, 2);
    assert_ok(context, rcity_measurements_add(list, &sample));
    assert_ok(context, rcity_measurements_name_transmitters(context, list, 3, known));
    assert_int_equal(rcity_measurements_transmitter_count(list), 2);
    assert_int_equal(rcity_measurements_all(list)[2].transmitter, 0);
    rcity_measurements_destroy(&list);
    list = make_list(context, RCITY_MEASURED_LOSS, "");
    assert_status(context, rcity_measurements_name_transmitters(context, list, 3, known), RCITY_ERR_ARGUMENT);
    assert_message(context, "site");
    rcity_measurements_destroy(&list);
    list = make_list(context, RCITY_MEASURED_LOSS, "A");
    sample = (rcity_measurement){.transmitter = -1, .row = 12, .sample_count = 1};
    assert_ok(context, rcity_measurements_add(list, &sample));
    assert_status(context, rcity_measurements_name_transmitters(context, list, 3, known), RCITY_ERR_ARGUMENT);
    assert_message(context, "row 12");
    rcity_measurements_destroy(&list);
    rcity_context_destroy(&context);
}

TEST_SUITE(measurements_list)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_appended_lists_share_transmitters),
        cmocka_unit_test(test_one_transmitter_replaces_all_others),
        cmocka_unit_test(test_transmitters_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
