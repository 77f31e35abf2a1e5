/* What becomes of the rows of measurements: every count, every warning, every way to be wrong. */
#include "measurement_stage.h"

static void test_every_row_is_counted_once(void **state)
{
    (void)state;
    measurement_stage stage;
    open_stage(&stage);
    const char *text = "id,x,y,loss,time\n"
                       "1,1,2,99,0\n"
                       "2,1,2,99,0\n"        /* the same */
                       "3,1,2,99,1\n"        /* another time */
                       "4,1,2,,2\n"          /* no value */
                       "5,1,,98,3\n"         /* half a place */
                       "6,,,98,4\n"          /* none */
                       "7,1,2,150,5\n"       /* at the floor */
                       "8,1,2,151,6\n"       /* beyond it */
                       "9,1,2,149.9,7\n"     /* not yet */
                       "10,1,2,60,8\n"       /* saturated */
                       "11,1,2,60.1,9\n"     /* not yet */
                       "12,1000,800,97,10\n" /* on the bounds */
                       "13,1000.1,8,97,11\n" /* outside */
                       "14,5,-1,97,12\n"
                       "15,5,1,97,13\n"; /* beyond the condition */
    stage.options.weakest = 150.0;
    stage.options.strongest = 60.0;
    stage.options.where = "id<15";
    assert_ok(stage.context, load_text(&stage, "counts.csv", text));
    assert_tally(&stage, 15, 1, 3, 1, 2, 1, 2, 5);
    stage.options.keeps_outside = true;
    assert_ok(stage.context, load_text(&stage, "counts.csv", text));
    assert_tally(&stage, 15, 1, 3, 1, 2, 1, 2, 7);
    stage.options.keeps_outside = false;
    stage.options.value_offset_db = 100.0; /* ends are as the file has values */
    assert_ok(stage.context, load_text(&stage, "counts.csv", text));
    assert_tally(&stage, 15, 1, 3, 1, 2, 1, 2, 5);
    stage.options = rcity_measurements_options_default();
    stage.options.weakest = -110.0;
    stage.options.strongest = -30.0;
    assert_ok(stage.context,
              load_text(&stage, "powers.csv", "x,y,rsrp\n1,1,-110\n1,2,-111\n1,3,-109\n1,4,-30\n1,5,-29\n1,6,-31\n"));
    assert_tally(&stage, 6, 0, 0, 0, 2, 2, 0, 2);
    close_stage(&stage);
}

static void test_condition_chooses_rows(void **state)
{
    (void)state;
    static const struct {
        const char *where;
        int64_t kept;
    } cases[] = {{"n<3", 2},    {"n<=3", 3},     {"n>3", 2},       {" N >= 3 ", 3}, {"n=3", 1},     {"n==3", 1},
                 {"n != 3", 4}, {"band=LTE", 2}, {"band!=LTE", 2}, {"n<3.5", 3},    {"loss>=93", 3}};
    measurement_stage stage;
    open_stage(&stage);
    const char *text = "n,x,y,loss,band\n1,1,1,91,LTE\n2,2,2,92,NR\n3,3,3,93,LTE\n4,4,4,94,NR\n5,5,5,95,\n";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stage.options.where = cases[i].where;
        print_message("%s\n", cases[i].where);
        assert_ok(stage.context, load_text(&stage, "where.csv", text));
        assert_int_equal(rcity_measurements_count(stage.list), cases[i].kept);
    }
    static const char *const bad[] = {"", "n", "<3", "n<", "n~3", "absent<3", "band<LTE", "n|x<3", "n!3"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        stage.options.where = bad[i];
        print_message("'%s'\n", bad[i]);
        assert_status(stage.context, load_text(&stage, "where.csv", text), RCITY_ERR_ARGUMENT);
    }
    stage.options.where = "band<3";
    assert_status(stage.context, load_text(&stage, "where.csv", text), RCITY_ERR_FORMAT);
    assert_message(stage.context, "line 2");
    stage.options.where = "n>9"; /* rows that are left out may hold anything */
    assert_ok(stage.context, load_text(&stage, "where.csv", "n,x,y,loss\n1,nan,far,lost\n10,5,5,95\n"));
    stage.options.where = "n>99";
    assert_status(stage.context, load_text(&stage, "where.csv", text), RCITY_ERR_ARGUMENT);
    assert_message(stage.context, "left of 5: 5 that do not meet the condition");
    close_stage(&stage);
}

/* What programs write where they have no value is a gap. */
static void test_missing_values_are_gaps(void **state)
{
    (void)state;
    measurement_stage stage;
    open_stage(&stage);
    assert_ok(stage.context,
              load_text(&stage, "missing.csv", "x,y,loss\n1,2,90\n1,3,NaN\n1,4,NA\n1,5,-\n1,6,null\n1,7,\n1,8,91\n"));
    assert_int_equal(rcity_measurements_count(stage.list), 2);
    assert_int_equal(rcity_measurements_tally(stage.list).gap_count, 5);
    close_stage(&stage);
}

/* Words for numbers are errors with their line, never a value. */
static void test_bad_numbers_are_refused_with_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"x,y,loss\n1,2,90\n1,3,lost\n", "line 3, column 'loss': 'lost' is not a number"},
        {"x,y,loss\n1,2,inf\n", "'inf' is not a number"},
        {"x,y,loss\n1,2,-inf\n", "line 2"},
        {"x,y,loss\n1,2,1e999\n", "line 2"},
        {"x,y,loss\n1,NaN,90\n", "line 2, column 'y': 'NaN' is not a number"},
        {"x,y,loss\n1,2,5000\n", "5000 is out of range"},
        {"x,y,loss,height_m\n1,2,90,-1\n", "column 'height_m'"},
        {"x,y,loss,height_m\n1,2,90,tall\n", "'tall'"},
        {"loss\n90\n", "neither columns x and y nor lon and lat"},
        {"x,y,loss\n", "lists no measurement"},
        {"x,y,loss\n1,2,90,4\n", "line 2 has 4 values"},
    };
    measurement_stage stage;
    open_stage(&stage);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_status(stage.context, load_text(&stage, "bad.csv", cases[i].text), RCITY_ERR_FORMAT);
        assert_message(stage.context, cases[i].words);
        assert_message(stage.context, "bad.csv");
    }
    assert_status(
        stage.context,
        rcity_measurements_load(stage.context, stage.scene, test_path("absent.csv"), &stage.options, &stage.list),
        RCITY_ERR_FILE);
    stage.options.height_m = -1.0;
    assert_status(stage.context, load_text(&stage, "bad.csv", "x,y,loss\n1,2,90\n"), RCITY_ERR_ARGUMENT);
    stage.options = rcity_measurements_options_default();
    stage.options.value_offset_db = (double)NAN;
    assert_status(stage.context, load_text(&stage, "bad.csv", "x,y,loss\n1,2,90\n"), RCITY_ERR_ARGUMENT);
    stage.options = rcity_measurements_options_default();
    stage.options.x_offset_m = (double)INFINITY;
    assert_status(stage.context, load_text(&stage, "bad.csv", "x,y,loss\n1,2,90\n"), RCITY_ERR_ARGUMENT);
    close_stage(&stage);
}

/* A route that misses the city, and one with x and y exchanged. */
static void test_route_outside_the_scene_is_refused(void **state)
{
    (void)state;
    measurement_stage stage;
    open_stage_at(&stage, NULL, 3000.0, 100.0);
    assert_status(stage.context, load_text(&stage, "far.csv", "x,y,loss\n50000,2,90\n50001,2,90\n"),
                  RCITY_ERR_ARGUMENT);
    assert_message(stage.context, "2 outside the scene");
    assert_message(stage.context, "(50000.00, 2.00)");
    assert_message(stage.context, "x 3000.00 to 4000.00");
    assert_status(stage.context, load_text(&stage, "swapped.csv", "x,y,loss\n200,3100,90\n201,3100,90\n"),
                  RCITY_ERR_ARGUMENT);
    assert_message(stage.context, "exchange");
    close_stage(&stage);
}

/* Rows with values from a function of their number, one metre apart. */
static char *make_rows(const char *column, int count, double (*value)(int))
{
    static char text[200000];
    size_t used = (size_t)snprintf(text, sizeof text, "x,y,%s\n", column);
    for (int i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%g,10,", 0.5 * i);
        used += (size_t)snprintf(text + used, sizeof text - used, isnan(value(i)) ? "\n" : "%.10g\n", value(i));
    }
    return text;
}

static double ramp(int i)
{
    return 90.0 + 0.01 * i;
}

static double pile_high(int i)
{
    return i % 40 == 0 ? 150.0 : ramp(i); /* 25 of 1000 */
}

static double pile_small(int i)
{
    return i % 50 == 0 ? 150.0 : ramp(i); /* 20 of 1000, not more than 2 % */
}

static double pile_few(int i)
{
    return i % 53 == 0 ? 150.0 : ramp(i); /* 19 of 1000 */
}

static double pile_of_few(int i)
{
    return i > 980 ? 150.0 : i > 40 ? (double)NAN : ramp(i); /* 19 of 60, the others are gaps */
}

static double pile_low(int i)
{
    return i % 40 == 0 ? 30.0 : ramp(i);
}

static double minus_high(int i)
{
    return -pile_high(i);
}

static double minus_ramp(int i)
{
    return -ramp(i);
}

static double constant(int i)
{
    (void)i;
    return 100.0;
}

static double watts(int i)
{
    return 1e-9 * (i + 1);
}

static double small(int i)
{
    return 5.0 + 0.01 * i;
}

static double some_small(int i)
{
    return i == 7 ? 12.0 : ramp(i);
}

static double huge(int i)
{
    return 400.0 + i;
}

static double microvolts(int i)
{
    return 20.0 + 0.001 * i;
}

static void test_odd_values(void **state)
{
    (void)state;
    static const struct {
        const char *column;
        double (*value)(int);
        rcity_status status;
        const char *words; /* of the error or the warning; NULL: silence */
    } cases[] = {
        {"loss", ramp, RCITY_OK, NULL},
        {"rsrp", minus_ramp, RCITY_OK, NULL},
        {"loss", pile_high, RCITY_OK, "`weakest=150`"},
        {"loss", pile_small, RCITY_OK, NULL},
        {"loss", pile_few, RCITY_OK, NULL},
        {"loss", pile_of_few, RCITY_OK, NULL},
        {"loss", pile_low, RCITY_OK, "`strongest=30`"},
        {"rsrp", minus_high, RCITY_OK, "`weakest=-150`"},
        {"loss", constant, RCITY_OK, "constant"},
        {"loss", minus_ramp, RCITY_ERR_ARGUMENT, "`kind=power`"},
        {"loss", small, RCITY_ERR_ARGUMENT, "below 20 dB"},
        {"loss", huge, RCITY_ERR_ARGUMENT, "above 300 dB"},
        {"loss", some_small, RCITY_OK, "1 of 1000 losses"},
        {"rsrp", ramp, RCITY_ERR_ARGUMENT, "`kind=loss`"},
        {"rsrp", watts, RCITY_ERR_ARGUMENT, "watts"},
        {"rsrp", microvolts, RCITY_OK, "microvolt"},
    };
    measurement_stage stage;
    open_stage(&stage);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        print_message("case %zu\n", i);
        assert_status(stage.context,
                      load_text(&stage, "odd.csv",
                                make_rows(cases[i].column, cases[i].value == huge ? 500 : 1000, cases[i].value)),
                      cases[i].status);
        if (cases[i].status != RCITY_OK) {
            assert_message(stage.context, cases[i].words);
        } else if (cases[i].words == NULL) {
            assert_int_equal(stage.heard.count, 0);
        } else {
            assert_int_equal(stage.heard.count, 1);
            assert_non_null(strstr(stage.heard.text, cases[i].words));
        }
    }
    stage.options.weakest = 150.0; /* what the warning said */
    assert_ok(stage.context, load_text(&stage, "odd.csv", make_rows("loss", 1000, pile_high)));
    assert_int_equal(stage.heard.count, 0);
    assert_tally(&stage, 1000, 0, 0, 0, 25, 0, 0, 975);
    stage.options.weakest = (double)NAN;
    stage.options.value_offset_db = 5.0; /* the option is in the file's values */
    assert_ok(stage.context, load_text(&stage, "odd.csv", make_rows("loss", 1000, pile_high)));
    assert_non_null(strstr(stage.heard.text, "exactly 155"));
    assert_non_null(strstr(stage.heard.text, "`weakest=150`"));
    close_stage(&stage);
}

/* The n-th allocation fails: nothing stays behind. */
static void test_allocation_failure(void **state)
{
    (void)state;
    static const char *const text[] = {"x,y,loss,time,route,tx_name,tx_x,tx_y,tx_height_m\n1,1,99,0,A,T,5,5,9\n2,2,98,"
                                       "1,B,U,6,6,9\n2,2,97,2,A,T,5,5,9\n",
                                       "1 1 99\n2 2 98\n9 9 97\n"};
    for (int k = 0; k < 2; k++) {
        int success_count = 0;
        for (long n = 1; success_count == 0 && n < 1000; n++) {
            failing_allocator failing = {.fail_at = 0};
            rcity_context *context = test_context_failing(&failing, 1);
            const test_box boxes[] = {{0.0, 0.0, 10.0, 10.0, 5.0}};
            rcity_scene *scene = test_scene(context, boxes, 1);
            const char *path = test_text(context, "memory.csv", text[k]);
            rcity_measurements_options options = rcity_measurements_options_default();
            rcity_measurements *list = NULL;
            rcity_measurements *all = NULL;
            rcity_measurements *averaged = NULL;
            rcity_transmitter tx = rcity_transmitter_default();
            tx.name = "one";
            failing.fail_at = failing.call_count + n;
            rcity_status status = rcity_measurements_load(context, scene, path, &options, &list);
            status = status == RCITY_OK ? rcity_measurements_append(context, &all, list) : status;
            status = status == RCITY_OK ? rcity_measurements_append(context, &all, list) : status;
            status = status == RCITY_OK ? rcity_measurements_set_transmitter(all, &tx) : status;
            status = status == RCITY_OK ? rcity_measurements_name_transmitters(context, all, 1, &tx) : status;
            status = status == RCITY_OK ? rcity_measurements_average(context, all, 1.0, &averaged) : status;
            assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
            assert_true((status == RCITY_OK) == (averaged != NULL));
            success_count += status == RCITY_OK;
            rcity_measurements_destroy(&averaged);
            rcity_measurements_destroy(&all);
            rcity_measurements_destroy(&list);
            rcity_scene_destroy(&scene);
            rcity_context_destroy(&context);
            assert_int_equal(failing.live_count, 0);
        }
        assert_int_equal(success_count, 1);
    }
}

TEST_SUITE(measurements_clean)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_is_counted_once),
        cmocka_unit_test(test_condition_chooses_rows),
        cmocka_unit_test(test_missing_values_are_gaps),
        cmocka_unit_test(test_bad_numbers_are_refused_with_line),
        cmocka_unit_test(test_route_outside_the_scene_is_refused),
        cmocka_unit_test(test_odd_values),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
