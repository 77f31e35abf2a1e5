/* Spreads: closed forms, and those of azimuths against the annex of 3GPP TR 25.996 taken word by word. */
#include "rcity_test.h"

#include "result/spread.h"

static const double pi = 3.14159265358979323846;

static void test_spread_follows_the_closed_form(void **state)
{
    (void)state;
    double mean = 0.0;
    const rcity_weighted two[] = {{5.0, 1.0}, {9.0, 3.0}};
    assert_near(rcity_spread_plain(two, 2, &mean), sqrt(3.0), 1e-14); /* sqrt(w1 w2) / (w1 + w2) times the distance */
    assert_near(mean, 8.0, 1e-14);
    const rcity_weighted equal[] = {{0.1, 0.3}, {0.1, 0.7}, {0.1, 11.0}};
    assert_true(rcity_spread_plain(equal, 3, &mean) == 0.0);
    assert_true(mean == 0.1);
    const rcity_weighted far[] = {{1e9, 1.0}, {1e9 + 2.0, 1.0}};
    assert_near(rcity_spread_plain(far, 2, NULL), 1.0, 1e-12);
    const rcity_weighted none[] = {{3.0, 0.0}};
    assert_true(isnan(rcity_spread_plain(none, 1, &mean)) && isnan(mean));
    assert_true(isnan(rcity_spread_plain(none, 0, NULL)));
    const rcity_weighted partly[] = {{3.0, 0.0}, {4.0, 1.0}};
    assert_true(rcity_spread_plain(partly, 2, &mean) == 0.0);
    assert_true(mean == 4.0);
}

static void test_circle_by_hand(void **state)
{
    (void)state;
    rcity_weighted north[] = {{359.0 * pi / 180.0, 1.0}, {1.0 * pi / 180.0, 1.0}};
    assert_near(rcity_spread_circle(north, 2), pi / 180.0, 1e-14);
    rcity_weighted opposite[] = {{0.5, 1.0}, {0.5 + pi, 1.0}};
    assert_near(rcity_spread_circle(opposite, 2), 0.5 * pi, 1e-14);
    /* the four quarters: from any of them two lie 90 degrees away and one 180; best is the middle of a quarter */
    rcity_weighted quarters[] = {{0.0, 1.0}, {0.5 * pi, 1.0}, {pi, 1.0}, {1.5 * pi, 1.0}};
    assert_near(rcity_spread_circle(quarters, 4), pi * sqrt(5.0) / 4.0, 1e-14);
    rcity_weighted turned[] = {{-0.1, 2.0}, {0.1 + 6.0 * pi, 2.0}, {4.0 * pi, 0.0}};
    assert_near(rcity_spread_circle(turned, 3), 0.1, 1e-14);
    rcity_weighted equal[] = {{6.0, 1.0}, {6.0, 2.0}, {6.0, 0.5}};
    assert_true(rcity_spread_circle(equal, 3) == 0.0);
    rcity_weighted none[] = {{1.0, 0.0}};
    assert_true(isnan(rcity_spread_circle(none, 1)));
}

static double wrap(double angle_rad)
{
    return angle_rad - 2.0 * pi * floor((angle_rad + pi) / (2.0 * pi));
}

/* 3GPP TR 25.996, annex A: the spread after a turn by `turn_rad`, distances from the mean wrapped to half a turn. */
static double annex_spread(const rcity_weighted *items, size_t count, double turn_rad)
{
    double weight = 0.0;
    double mean = 0.0;
    for (size_t i = 0; i < count; i++) {
        weight += items[i].weight;
        mean += items[i].weight * wrap(items[i].value + turn_rad);
    }
    mean /= weight;
    double squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        double off = wrap(wrap(items[i].value + turn_rad) - mean);
        squares += items[i].weight * off * off;
    }
    return sqrt(squares / weight);
}

static double annex_smallest(const rcity_weighted *items, size_t count)
{
    double least = HUGE_VAL;
    for (int i = 0; i < 720; i++) {
        least = fmin(least, annex_spread(items, count, i * pi / 360.0));
    }
    for (size_t i = 0; i < count; i++) { /* turns that cut the circle right before and right behind each value */
        least = fmin(least, annex_spread(items, count, pi - items[i].value + 1e-9));
        least = fmin(least, annex_spread(items, count, pi - items[i].value - 1e-9));
    }
    return least;
}

static void test_circle_against_annex(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        rcity_weighted items[12];
        rcity_weighted turned[12];
        size_t count = 1 + (size_t)(test_random(seed, 0) % 12);
        double turn_rad = test_uniform(seed, 1, -10.0, 10.0);
        double width = seed % 3 == 0 ? 0.3 : 2.0 * pi; /* clusters as well */
        for (size_t i = 0; i < count; i++) {
            items[i].value = wrap(test_uniform(seed, 2 + 2 * i, 0.0, width)) + pi;
            items[i].weight = pow(10.0, test_uniform(seed, 3 + 2 * i, -6.0, 0.0));
            turned[count - 1 - i] = (rcity_weighted){items[i].value + turn_rad, items[i].weight};
        }
        double expected = annex_smallest(items, count);
        double found = rcity_spread_circle(items, count);
        double again = rcity_spread_circle(turned, count);
        if (!(fabs(found - expected) < 1e-7) || !(fabs(again - found) < 1e-9)) {
            print_error("seed %llu: %.12g, turned %.12g, annex %.12g\n", (unsigned long long)seed, found, again,
                        expected);
            fail();
        }
    }
}

TEST_SUITE(spread)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spread_follows_the_closed_form),
        cmocka_unit_test(test_circle_by_hand),
        cmocka_unit_test(test_circle_against_annex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
