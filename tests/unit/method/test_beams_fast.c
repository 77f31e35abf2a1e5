/* Maps of `beams` by tables against those by formulas, path by path. */
#include "beams_trial.h"

#include "base/base.h"
#include "method/beams/fast/fast_raster.h"

#define DEEP_DB 170.0 /* a single wave this weak is the rest of waves that nearly cancel */

static double loss_db(const rcity_beams_level *level)
{
    return -10.0 * log10(level->isotropic_gain);
}

/* Both maps of a trial. Where weak paths are left out, one that is weaker by a rounding may make up for the number of paths of a
   cell that has another tie: levels tell these. */
static void compare(beams_trial *t, const char *name, bool leaves_out)
{
    rcity_beams_level *plain = calloc((size_t)t->cell_count, sizeof *plain);
    rcity_beams_level *fast = calloc((size_t)t->cell_count, sizeof *fast);
    assert_true(plain != NULL && fast != NULL);
    rcity_beams_levels own;
    rcity_beams_output by_formulas = {plain, 0, NULL, 1.0};
    rcity_beams_output by_tables = {fast, 0, NULL, 1.0};
    assert_ok(t->context, rcity_beams_levels_init(&t->job, t->trace, &t->tx, &own));
    double start_s = rcity_clock_s();
    assert_ok(t->context, rcity_beams_raster_run(&own, 0, &by_formulas));
    double middle_s = rcity_clock_s();
    assert_true(rcity_fast_raster_serves(&t->job));
    assert_ok(t->context, rcity_fast_raster_run(&own, 0, &by_tables));
    double end_s = rcity_clock_s();
    rcity_beams_levels_deinit(&own);
    assert_int_equal(by_formulas.near_count, by_tables.near_count);
    double worst_db = 0.0;
    double worst_ns = 0.0;
    double square_db2 = 0.0;
    long both = 0;
    long other_count = 0;
    double paths = 0.0;
    for (int64_t i = 0; i < t->cell_count; i++) {
        assert_int_equal(plain[i].path_count > 0, fast[i].path_count > 0);
        paths += (double)fast[i].path_count;
        other_count += plain[i].path_count != fast[i].path_count;
        if (plain[i].path_count == 0 || plain[i].path_count != fast[i].path_count || loss_db(&plain[i]) > DEEP_DB) {
            continue;
        }
        double off_db = fabs(loss_db(&plain[i]) - loss_db(&fast[i]));
        double gain_db = fabs(10.0 * log10(plain[i].gain / fast[i].gain));
        if (leaves_out && fmax(off_db, gain_db) > 0.3) {
            other_count++;
            continue;
        }
        both++;
        worst_db = fmax(worst_db, fmax(off_db, gain_db));
        square_db2 += off_db * off_db;
        worst_ns = fmax(worst_ns, 1e9 * fabs(plain[i].delay_spread_s - fast[i].delay_spread_s));
    }
    print_message(
        "%s: %ld cells, %ld with other paths, %.3g paths; worst %.3f dB, rms %.4f dB, %.2g ns; %.2f s, %.2f s "
        "by tables\n",
        name, both, other_count, paths, worst_db, sqrt(square_db2 / (double)both), worst_ns, middle_s - start_s,
        end_s - middle_s);
    assert_true(both > 100 && other_count * 50 <= both);
    assert_true(worst_db < 0.3);
    assert_true(sqrt(square_db2 / (double)both) < 0.03);
    /* less than a bin of 20 ns; the law brings levels to cells where the rays are a weak rest, whose delays say nothing */
    assert_true(worst_ns < 15.0 || own.rules.has_law);
    free(fast);
    free(plain);
}

static void test_tables_equal_formulas(void **state)
{
    (void)state;
    static const char *const names[] = {"max-reflections", "max-diffractions", "sum",         "rx-polarization",
                                        "surroundings",    "path-range-db",    "beam-range-m"};
    static const char *const values[][7] = {
        {"3", "1", "grouped", "vertical", "off", "300", "unlimited"},
        {"2", "1", "power", "horizontal", "off", "300", "unlimited"},
        {"2", "1", "grouped", "slant", "off", "300", "unlimited"},
        {"4", "0", "grouped", "both", "off", "300", "unlimited"},
        {"2", "1", "power", "vertical", "off", "300", "110"},
        {"3", "1", "grouped", "vertical", "on", "300", "unlimited"},
        {"3", "1", "grouped", "vertical", "off", "40", "unlimited"},
        {"3", "1", "power", "vertical", "on", "40", "unlimited"},
    };
    for (uint64_t number = 0; number < 8; number++) {
        beams_trial t;
        beams_trial_open(&t, number % 2 == 0 ? RCITY_CITY_CORE : RCITY_CITY_GRID, number);
        if (number == 1) {
            t.tx.stated.polarization = RCITY_POLARIZATION_HORIZONTAL;
        } else if (number == 2) {
            assert_ok(t.context, rcity_antenna_create(t.context, "3gpp", &t.antenna));
            t.tx.stated.antenna = t.antenna;
            t.tx.stated.polarization = RCITY_POLARIZATION_SLANT;
        }
        double x_m;
        double y_m;
        beams_trial_find_place(&t, number, &x_m, &y_m);
        beams_trial_prepare(&t, "host", x_m, y_m, number == 3 || number == 4 ? 40.0 : 10.0, names, values[number], 7);
        compare(&t, values[number][2], number >= 6);
        beams_trial_finish(&t);
    }
}

TEST_SUITE(beams_fast)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_equal_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
