/* The distance along routes and averages over it, against a plain reference on random drives that stop, jump and
   pause. */
#include "rcity_test.h"

#include "random_number.h"
#include "result/measurements.h"
#include "route_plain.h"

enum { SAMPLE_MAX = 600 };

static void add(rcity_context *context, rcity_measurements *measurements, double x_m, double y_m, double value,
                double time_s, int route, int transmitter)
{
    rcity_measurement sample = {.x_m = x_m,
                                .y_m = y_m,
                                .height_m = 1.5 + 0.01 * x_m,
                                .value = value,
                                .time_s = time_s,
                                .route = route,
                                .transmitter = transmitter,
                                .sample_count = 1,
                                .row = rcity_measurements_count(measurements) + 2};
    assert_ok(context, rcity_measurements_add(measurements, &sample));
}

/* A drive with stops, jumps and pauses. */
static rcity_measurements *make_drive(rcity_context *context, uint64_t seed, rcity_measured_kind kind)
{
    rcity_measurements *made = NULL;
    random_state = seed;
    assert_ok(context, rcity_measurements_create(context, kind, &made));
    int route_count = 1 + (int)random_number(0, 3);
    bool has_time = random_number(0, 1) < 0.7;
    int transmitter_count = 1 + (int)random_number(0, 2);
    int sample_count = 2 + (int)random_number(0, SAMPLE_MAX - 2);
    for (int i = 0; i < route_count; i++) {
        int index;
        char name[16];
        snprintf(name, sizeof name, "R%d", i);
        assert_ok(context, rcity_measurements_add_route(made, name, &index));
        assert_int_equal(index, i);
    }
    double usual_m = random_number(0, 1) < 0.5 ? 0.4 : 6.0;
    double usual_s = random_number(0, 1) < 0.5 ? 0.05 : 8.0; /* longer than a pause of those that come often */
    double x_m = 690000.0;
    double y_m = 5330000.0;
    double time_s = 1e9;
    bool is_standing = false;
    for (int i = 0; i < sample_count; i++) {
        is_standing = random_number(0, 1) < 0.1 ? !is_standing : is_standing;
        double chance = random_number(0, 1);
        double step_m = is_standing ? 0.0 : usual_m * random_number(0.5, 1.5);
        step_m = chance < 0.02 ? random_number(4, 200) : step_m;
        double angle = random_number(0, 6.28);
        x_m += step_m * cos(angle);
        y_m += step_m * sin(angle);
        time_s += usual_s * random_number(0.9, 1.1) + (chance < 0.05 ? random_number(0, 200 * usual_s) : 0.0);
        /* routes take turns, as rows of a file may */
        add(context, made, x_m, y_m, kind == RCITY_MEASURED_LOSS ? random_number(60, 160) : random_number(-120, -40),
            has_time ? time_s : (double)NAN, (int)random_number(0, route_count) % route_count,
            chance > 0.97 ? (int)random_number(0, transmitter_count) : 0);
    }
    assert_ok(context, rcity_measurements_arrange(made));
    return made;
}

/* Order, gaps and travelled distance of every route. */
static void check_travel(const rcity_measurements *drive)
{
    static double step_m[SAMPLE_MAX];
    static double pause_s[SAMPLE_MAX];
    const rcity_measurement *all = rcity_measurements_all(drive);
    size_t count = (size_t)rcity_measurements_count(drive);
    for (size_t begin = 0, end; begin < count; begin = end) {
        size_t step_count = 0;
        size_t pause_count = 0;
        for (end = begin + 1; end < count && all[end].route == all[begin].route; end++) {
            assert_true(all[end].row > all[end - 1].row); /* in the order they came */
            double step = hypot(all[end].x_m - all[end - 1].x_m, all[end].y_m - all[end - 1].y_m);
            double pause = all[end].time_s - all[end - 1].time_s;
            if (step > 0.0) {
                step_m[step_count++] = step;
            }
            if (pause > 0.0) {
                pause_s[pause_count++] = pause;
            }
        }
        double usual_m = route_plain_ranked(step_m, step_count, step_count / 2);
        double usual_s = route_plain_ranked(pause_s, pause_count, pause_count / 2);
        double travelled_m = 0.0;
        for (size_t i = begin; i < end; i++) {
            bool is_gap = i == begin || route_plain_is_gap(&all[i - 1], &all[i], usual_m, usual_s);
            travelled_m += is_gap ? 0.0 : hypot(all[i].x_m - all[i - 1].x_m, all[i].y_m - all[i - 1].y_m);
            assert_int_equal(all[i].is_after_gap, is_gap);
            assert_near(all[i].travelled_m, travelled_m, 1e-6);
        }
        assert_true(end == count || all[end].route > all[begin].route);
    }
}

/* Does sample i start a stretch that is known? */
static bool is_start(const rcity_measurement *all, size_t i)
{
    return i == 0 || all[i].is_after_gap || all[i].route != all[i - 1].route ||
           all[i].transmitter != all[i - 1].transmitter;
}

/* The first sample behind the piece that starts with `begin`. */
static size_t find_end(const rcity_measurement *all, size_t count, size_t begin, double length_m)
{
    size_t end = begin + 1;
    while (end < count && !is_start(all, end) && !(all[end].travelled_m >= all[begin].travelled_m + length_m)) {
        end++;
    }
    return end;
}

static void check_average(rcity_context *context, const rcity_measurements *drive, double length_m)
{
    rcity_measurements *averaged = NULL;
    assert_ok(context, rcity_measurements_average(context, drive, length_m, &averaged));
    const rcity_measurement *all = rcity_measurements_all(drive);
    const rcity_measurement *piece = rcity_measurements_all(averaged);
    size_t count = (size_t)rcity_measurements_count(drive);
    int64_t piece_count = 0;
    for (size_t begin = 0, end; begin < count; begin = end, piece++, piece_count++) {
        double mean[5] = {0};
        end = find_end(all, count, begin, length_m);
        assert_true(piece_count < rcity_measurements_count(averaged));
        for (size_t i = begin; i < end; i++) {
            const double values[5] = {all[i].x_m, all[i].y_m, all[i].height_m, all[i].time_s, all[i].travelled_m};
            for (int k = 0; k < 5; k++) {
                mean[k] += values[k] / (double)(end - begin);
            }
        }
        assert_near(piece->x_m, mean[0], 1e-6);
        assert_near(piece->y_m, mean[1], 1e-5);
        assert_near(piece->height_m, mean[2], 1e-7);
        assert_true(isnan(piece->time_s) == isnan(mean[3]));
        assert_true(isnan(mean[3]) || fabs(piece->time_s - mean[3]) < 1e-3);
        assert_near(piece->travelled_m, mean[4], 1e-6);
        assert_near(piece->value,
                    route_plain_mean(all + begin, end - begin, rcity_measurements_kind(drive) == RCITY_MEASURED_LOSS),
                    1e-9);
        assert_int_equal(piece->sample_count, end - begin);
        assert_int_equal(piece->row, all[begin].row);
        assert_int_equal(piece->route, all[begin].route);
        assert_int_equal(piece->transmitter, all[begin].transmitter);
        assert_int_equal(piece->is_after_gap, all[begin].is_after_gap);
    }
    assert_int_equal(piece_count, rcity_measurements_count(averaged));
    assert_int_equal(rcity_measurements_route_count(averaged), rcity_measurements_route_count(drive));
    rcity_measurements_destroy(&averaged);
}

static void test_random_drives(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        print_message("seed %llu\n", (unsigned long long)seed);
        rcity_context *context = test_context(1);
        rcity_measurements *drive =
            make_drive(context, seed, seed % 2 == 0 ? RCITY_MEASURED_LOSS : RCITY_MEASURED_POWER);
        check_travel(drive);
        check_average(context, drive, 3.45);
        check_average(context, drive, 40.0);
        check_average(context, drive, 1e6);
        rcity_measurements_destroy(&drive);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
    }
}

/* Known by hand: 0, 10 and 20 dB at one place are 37 mW; a jump ends the piece; an average of averages keeps
   weights. */
static void test_by_hand(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_measurements *list = NULL;
    rcity_measurements *averaged = NULL;
    rcity_measurements *again = NULL;
    int index;
    assert_ok(context, rcity_measurements_create(context, RCITY_MEASURED_POWER, &list));
    assert_ok(context, rcity_measurements_add_route(list, "by hand", &index));
    const double x_m[] = {0, 0, 0, 4, 9, 10, 14, 100, 104};
    const double value[] = {0, 10, 20, 0, 0, 5, 5, 3, 3};
    for (int i = 0; i < 9; i++) {
        add(context, list, x_m[i], 0.0, value[i], (double)NAN, 0, -1);
    }
    assert_ok(context, rcity_measurements_arrange(list));
    assert_ok(context, rcity_measurements_average(context, list, 10.0, &averaged));
    const rcity_measurement *piece = rcity_measurements_all(averaged);
    assert_int_equal(rcity_measurements_count(averaged), 3);
    assert_near(piece[0].value, 10.0 * log10((1.0 + 10.0 + 100.0 + 1.0 + 1.0) / 5.0), 1e-12);
    assert_near(piece[0].x_m, 13.0 / 5.0, 1e-12);
    assert_int_equal(piece[0].sample_count, 5);
    assert_near(piece[1].value, 5.0, 1e-12);
    assert_near(piece[1].x_m, 12.0, 1e-12);
    assert_true(piece[2].is_after_gap);
    assert_false(piece[1].is_after_gap);
    assert_near(piece[2].travelled_m, 16.0, 1e-12); /* the jump from 14 to 100 does not count */
    assert_true(isnan(piece[2].time_s));
    assert_ok(context, rcity_measurements_average(context, averaged, 1000.0, &again));
    piece = rcity_measurements_all(again);
    assert_int_equal(rcity_measurements_count(again), 2);
    assert_near(piece[0].value, 10.0 * log10((113.0 + 2.0 * pow(10.0, 0.5)) / 7.0), 1e-12);
    assert_int_equal(piece[0].sample_count, 7);
    for (int i = 0; i < 4; i++) {
        const double bad_m[] = {0.0, -1.0, (double)NAN, (double)HUGE_VAL};
        rcity_measurements *none = NULL;
        assert_status(context, rcity_measurements_average(context, list, bad_m[i], &none), RCITY_ERR_ARGUMENT);
        assert_null(none);
    }
    assert_message(context, "above 0");
    rcity_measurements_destroy(&again);
    rcity_measurements_destroy(&averaged);
    rcity_measurements_destroy(&list);
    rcity_context_destroy(&context);
}

/* An empty list has an empty average. */
static void test_average_of_empty_list_is_empty(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_measurements *list = NULL;
    rcity_measurements *averaged = NULL;
    assert_ok(context, rcity_measurements_create(context, RCITY_MEASURED_LOSS, &list));
    assert_ok(context, rcity_measurements_arrange(list));
    assert_ok(context, rcity_measurements_average(context, list, 1.0, &averaged));
    assert_int_equal(rcity_measurements_count(averaged), 0);
    rcity_measurements_destroy(&averaged);
    rcity_measurements_destroy(&list);
    rcity_measurements_destroy(&list);
    rcity_measurements_destroy(NULL);
    rcity_context_destroy(&context);
}

TEST_SUITE(route_average)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_drives),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_average_of_empty_list_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
