/* Over roofs, through the public interface: the same roofs are reported alike for any orders, and levels have
   no steps where diffracting edges come and go. */
#include "rays_trial.h"

#define POINTS_MAX 801

static double coherent_db(trial *t, const double point[3])
{
    rcity_rays *rays = find(t, 1, point);
    rcity_receiver_summary at;
    assert_ok(t->context, rcity_rays_get_receiver(rays, 0, &at));
    rcity_rays_destroy(&rays);
    return at.path_count > 0 ? at.coherent_gain_db : -400.0;
}

/* More diffractions add paths, they take none away: behind a house two edges as wedges would be 24 dB darker. */
static void test_more_orders(void **state)
{
    (void)state;
    trial t = open_trial();
    add_box(&t, 0, 0, 40, 40, 20);
    assert_ok(t.context, rcity_scene_commit(t.scene));
    t.tx[0] = -100;
    t.tx[1] = 20.3;
    t.tx[2] = 10;
    t.frequency_hz = 2e9;
    t.over_roofs = "on";
    for (int i = 0; i < 12; i++) {
        double point[3] = {43.0 + 11.0 * i, 21.1, 1.5};
        double gain_db[3];
        for (int order = 0; order < 3; order++) {
            static const char *orders[] = {"0", "1", "2"};
            t.diffractions = orders[order];
            rcity_rays *rays = find(&t, 1, point);
            rcity_receiver_summary at;
            assert_ok(t.context, rcity_rays_get_receiver(rays, 0, &at));
            gain_db[order] = at.gain_db;
            rcity_rays_destroy(&rays);
        }
        assert_true(gain_db[1] >= gain_db[0] - 1e-6);
        assert_true(gain_db[2] >= gain_db[1] - 1e-6);
    }
    close_trial(&t);
}

/* The transmitter rises: first two edges of the roof diffract the path, then one, and the other leaves its zone. */
static void test_level_is_continuous_as_transmitter_rises(void **state)
{
    (void)state;
    static const double points[][3] = {{41, 21.1, 1.5}, {50, 21.1, 1.5}, {80, 21.1, 1.5}, {80, 21.1, 12}};
    trial t = open_trial();
    add_box(&t, 0, 0, 40, 40, 20);
    assert_ok(t.context, rcity_scene_commit(t.scene));
    t.tx[0] = -100;
    t.tx[1] = 20.3;
    t.frequency_hz = 2e9;
    t.diffractions = "1";
    t.over_roofs = "on";
    double worst_db = 0.0;
    for (int k = 0; k < 4; k++) {
        double last_db = (double)NAN;
        for (int i = 0; i <= 150; i++) {
            t.tx[2] = 15.0 + 0.2 * i;
            double here_db = coherent_db(&t, points[k]);
            worst_db = fmax(worst_db, isnan(last_db) ? 0.0 : fabs(here_db - last_db));
            last_db = here_db;
        }
    }
    print_message("a transmitter rises behind a house: largest step in 20 cm %.2f dB\n", worst_db);
    assert_true(worst_db < 0.5);
    close_trial(&t);
}

/* Behind the corner of a house whose edge the shortest path misses: something takes its place. */
static void test_past_a_corner(void **state)
{
    (void)state;
    static double points[3 * POINTS_MAX];
    trial t = open_trial();
    add_box(&t, 0, 0, 12, 12, 30);
    assert_ok(t.context, rcity_scene_commit(t.scene));
    t.tx[0] = -200;
    t.tx[1] = -150;
    t.tx[2] = 120;
    t.frequency_hz = 2e9;
    t.diffractions = "1";
    t.over_roofs = "on";
    for (int i = 0; i < POINTS_MAX; i++) {
        points[3 * i] = 14.0;
        points[3 * i + 1] = -4.0 + 0.03 * i;
        points[3 * i + 2] = 1.5;
    }
    rcity_rays *rays = find(&t, POINTS_MAX, points);
    double least_db = 0.0, worst_db = 0.0, last_db = (double)NAN;
    for (int i = 0; i < POINTS_MAX; i++) {
        rcity_receiver_summary at;
        assert_ok(t.context, rcity_rays_get_receiver(rays, i, &at));
        assert_true(at.path_count > 0);
        least_db = fmin(least_db, at.gain_db);
        worst_db = fmax(worst_db, isnan(last_db) ? 0.0 : fabs(at.gain_db - last_db));
        last_db = at.gain_db;
    }
    print_message("past a corner: at least %.1f dB, largest step in 3 cm %.2f dB\n", least_db, worst_db);
    assert_true(least_db > -150.0); /* free space has -86 dB there */
    rcity_rays_destroy(&rays);
    close_trial(&t);
}

TEST_SUITE(rays_roofs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_more_orders),
        cmocka_unit_test(test_level_is_continuous_as_transmitter_rises),
        cmocka_unit_test(test_past_a_corner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
