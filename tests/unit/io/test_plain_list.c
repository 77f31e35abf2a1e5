/* Plain lists of x, y and value: separators, comments, what is none. */
#include "measurement_stage.h"

#include "io/measurements/plain_list.h"

static void test_plain_lists_are_read_in_every_form(void **state)
{
    (void)state;
    static const char *const good[] = {
        "100.5 200 90\n101 200.25 91\n",
        "100.5\t200\t90\n\n101\t200.25\t91\n",
        "100.5,200,90\n101,200.25,91\n",
        "100.5 , 200 , 90\n101, 200.25, 91",
        "100,5;200;90\r\n101;200,25;91\r\n",
        "100,5 200 90\n101 200,25 91\n",
        "\xef\xbb\xbf# METRO\n%x y loss\n// and so on\n  100.5   200 90  \n101 200.25 91\n\x1a",
        "100.5 200 90 \n101 200.25 +9.1e1\n",
        "100.5;200;90;\n101;200.25;91;\n",
    };
    measurement_stage stage;
    open_stage(&stage);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        print_message("form %zu\n", i);
        assert_ok(stage.context, load_text(&stage, "metro.txt", good[i]));
        assert_tally(&stage, 2, 0, 0, 0, 0, 0, 0, 2);
        const rcity_measurement *all = rcity_measurements_all(stage.list);
        assert_int_equal(rcity_measurements_kind(stage.list), RCITY_MEASURED_LOSS);
        assert_near(all[0].x_m, 100.5, 0.0);
        assert_near(all[1].x_m, 101.0, 0.0);
        assert_near(all[0].y_m, 200.0, 0.0);
        assert_near(all[1].y_m, 200.25, 0.0);
        assert_near(all[0].value, 90.0, 0.0);
        assert_near(all[1].value, 91.0, 0.0);
        assert_near(all[0].height_m, 1.5, 0.0);
        assert_string_equal(rcity_measurements_route_name(stage.list, 0), "metro");
    }
    close_stage(&stage);
}

/* Any ending, a height, a kind, offsets, gaps, lines as the file has them. */
static void test_rows_take_height_kind_and_offsets(void **state)
{
    (void)state;
    measurement_stage stage;
    open_stage(&stage);
    stage.options.kind = RCITY_MEASURED_POWER;
    stage.options.x_offset_m = 100.0;
    stage.options.y_offset_m = 200.0;
    stage.options.value_offset_db = -1.0;
    assert_ok(stage.context, load_text(&stage, "route.dat", "# head\n1 2 -90 3.5\n\n2 2\n3 2 -91 2\n"));
    assert_tally(&stage, 3, 0, 1, 0, 0, 0, 0, 2);
    const rcity_measurement *all = rcity_measurements_all(stage.list);
    assert_int_equal(rcity_measurements_kind(stage.list), RCITY_MEASURED_POWER);
    assert_near(all[0].x_m, 101.0, 0.0);
    assert_near(all[0].y_m, 202.0, 0.0);
    assert_near(all[0].value, -91.0, 0.0);
    assert_near(all[0].height_m, 3.5, 0.0);
    assert_int_equal(all[0].row, 2);
    assert_int_equal(all[1].row, 5);
    stage.options = rcity_measurements_options_default();
    stage.options.where = "value<100";
    assert_ok(stage.context, load_text(&stage, "route.dat", "1 2 90\n2 2 110\n"));
    assert_tally(&stage, 2, 1, 0, 0, 0, 0, 0, 1);
    close_stage(&stage);
}

static void test_bad_rows_are_refused_with_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"1 2 90\n1 2 90 4\n", "line 2 has 4 values"},
        {"1 2 90\n1 x 91\n", "line 2, column 'y': 'x' is not a number"},
        {"1 2 90\n1 2 lost\n", "line 2, column 'value': 'lost' is not a number"},
        {"1 2 90\n#c\n1 2;3 91\n", "line 3: '2;3' is not a number"},
        {"1 2 90\n1 \"2 91\n", "line 2"},
        {"1 2 9000\n", "line 1, column 'value'"},
        {"1 2 3 4 5\n", "neither columns x and y"}, /* taken for names of columns */
    };
    measurement_stage stage;
    open_stage(&stage);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        print_message("case %zu\n", i);
        rcity_status status = load_text(&stage, "bad.txt", cases[i].text);
        assert_true(status == RCITY_ERR_FORMAT || (i == 6 && status == RCITY_ERR_ARGUMENT));
        if (i < 6) {
            assert_message(stage.context, cases[i].words);
        }
    }
    close_stage(&stage);
}

static void test_plain_lists_are_recognized(void **state)
{
    (void)state;
    assert_true(rcity_plain_list_is("1 2 3", 5));
    assert_true(rcity_plain_list_is("1 2 3 4\nx", 9));
    static const char *const other[] = {"",          "\n\n",        "# only\n", "x y z\n1 2 3\n",
                                        "1 2\n",     "1 2 3 4 5\n", "1;;3\n",   "x,y,loss\n1,2,3\n",
                                        "1 2 nan\n", "GIF89a"};
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        assert_false(rcity_plain_list_is(other[i], strlen(other[i])));
    }
    assert_false(rcity_plain_list_is_file("/nowhere/at/all"));
    assert_false(rcity_plain_list_is_file("/"));
    /* long comments come before the numbers */
    rcity_context *context = test_context(1);
    static char text[9000];
    memset(text, 'c', sizeof text - 1);
    text[0] = '#';
    text[5000] = '\n';
    memcpy(text + 5001, "1 2 3\n", 6);
    text[5007] = '1';
    assert_true(rcity_plain_list_is_file(test_text(context, "long.txt", text)));
    rcity_context_destroy(&context);
}

TEST_SUITE(plain_list)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_lists_are_read_in_every_form),
        cmocka_unit_test(test_rows_take_height_kind_and_offsets),
        cmocka_unit_test(test_bad_rows_are_refused_with_line),
        cmocka_unit_test(test_plain_lists_are_recognized),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
