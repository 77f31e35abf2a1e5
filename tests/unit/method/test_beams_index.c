/* Beams that the index lists for a place against all beams, asked one by one. */
#include "beams_trial.h"

#include "base/base.h"
#include "method/beams/beams_trace.h"

#define PLACES       60  /* that have lists, in each city */
#define LIST_SHARE   0.2 /* of all beams: longer lists would save nothing */
#define BESIDE_MAX_M 0.9 /* places so near to one that has a list have it too */

static const uint64_t seed = 20261125;

/* What all places together say. */
typedef struct index_count {
    long places, holding, listed, beams;
} index_count;

/* A place of any kind: in the open or in a building, at the end of a wall, on one, beside a source or an image of it. */
static void draw_place(const rcity_beams_traced *traced, uint64_t *next, double *x, double *y)
{
    const rcity_beams_world *world = &traced->prepared->world;
    const rcity_beams_forest *forest = &traced->forest;
    int kind = (int)test_uniform(seed, (*next)++, 0.0, 4.0);
    int32_t wall = (int32_t)test_uniform(seed, (*next)++, 0.0, (double)world->facets->wall_count);
    double along = test_uniform(seed, (*next)++, 0.0, 1.0);
    const rcity_plan_segment *segment = &world->walls[wall];
    if (kind == 0) {
        *x = test_uniform(seed, (*next)++, world->x_min - 50.0, world->x_max + 50.0);
        *y = test_uniform(seed, (*next)++, world->y_min - 50.0, world->y_max + 50.0);
    } else if (kind == 3) {
        const rcity_beams_tree *tree =
            &forest->trees[(int32_t)test_uniform(seed, (*next)++, 0.0, (double)forest->tree_count)];
        const rcity_beams_node *node =
            &tree->nodes[(size_t)test_uniform(seed, (*next)++, 0.0, (double)tree->node_count)];
        *x = node->x;
        *y = node->y;
    } else {
        along = kind == 1 ? along : along < 0.5 ? 0.0 : 1.0;
        *x = segment->x1 + along * (segment->x2 - segment->x1);
        *y = segment->y1 + along * (segment->y2 - segment->y1);
    }
    double aside_m = test_uniform(seed, (*next)++, 0.0, 1.0) < 0.5 ? 0.0 : 0.2;
    *x += test_uniform(seed, (*next)++, -aside_m, aside_m);
    *y += test_uniform(seed, (*next)++, -aside_m, aside_m);
}

/* The beams of a place's list that hold it are all beams that hold it, in the same order. */
static void check_place(const rcity_beams_traced *traced, const rcity_beams_index *index, double x, double y,
                        index_count *count)
{
    const rcity_beams_forest *forest = &traced->forest;
    const rcity_beams_index_beam *listed;
    int64_t listed_count, at = 0;
    double slack_m = rcity_beams_slack_m(traced->images.world.shapes);
    assert_true(rcity_beams_index_find(index, x, y, &listed, &listed_count));
    for (int32_t t = 0; t < forest->tree_count; t++) {
        const rcity_beams_tree *tree = &forest->trees[t];
        for (int32_t n = 0; n < (int32_t)tree->node_count; n++) {
            bool is_listed = at < listed_count && listed[at].tree == t && listed[at].node == n;
            bool is_held = rcity_beams_node_holds(tree, forest->growth.world, n, x, y, slack_m);
            if (is_held && !is_listed) {
                print_error("beam %d of tree %d holds (%.17g, %.17g) and is not listed\n", n, t, x, y);
                fail();
            }
            at += is_listed;
            count->holding += is_held;
        }
        count->beams += (long)tree->node_count;
    }
    assert_int_equal(at, listed_count); /* none is listed twice, or out of order */
    count->listed += (long)listed_count;
    count->places++;
}

static void check_city(rcity_city_kind kind, uint64_t number, double height_m, const char *reflections,
                       index_count *count)
{
    static const char *const names[] = {"max-reflections", "max-diffractions"};
    const char *const values[] = {reflections, "1"};
    beams_trial t;
    rcity_beams_index index;
    double xy_m[2 * PLACES];
    double x_m, y_m;
    uint64_t next = 100000 * number;
    beams_trial_open(&t, kind, number);
    beams_trial_find_place(&t, number, &x_m, &y_m);
    beams_trial_prepare(&t, "host", x_m, y_m, height_m, names, values, 2);
    const rcity_beams_traced *traced = t.trace;
    assert_int_equal(traced->index.square_count, 0); /* rasters need none */
    for (int i = 0; i < PLACES; i++) {
        draw_place(traced, &next, &xy_m[2 * i], &xy_m[2 * i + 1]);
    }
    double slack_m = rcity_beams_slack_m(traced->images.world.shapes);
    assert_ok(t.context, rcity_beams_index_init(t.context, &traced->forest, slack_m, PLACES, xy_m, &index));
    for (int i = 0; i < PLACES; i++) {
        double dx = test_uniform(seed, next++, -BESIDE_MAX_M, BESIDE_MAX_M);
        double dy = test_uniform(seed, next++, -BESIDE_MAX_M, BESIDE_MAX_M);
        check_place(traced, &index, xy_m[2 * i], xy_m[2 * i + 1], count);
        check_place(traced, &index, xy_m[2 * i] + dx, xy_m[2 * i + 1] + dy, count);
    }
    const rcity_beams_index_beam *listed;
    int64_t listed_count;
    assert_false(rcity_beams_index_find(&index, -1e4, 0.0, &listed, &listed_count));
    rcity_beams_index_deinit(t.context, &index);
    beams_trial_finish(&t);
}

static void test_lists_hold_all_beams(void **state)
{
    (void)state;
    static const rcity_city_kind kinds[] = {RCITY_CITY_CORE, RCITY_CITY_HIGHRISE, RCITY_CITY_GRID};
    static const double heights_m[] = {6.0, 13.0, 27.0, 40.0};
    index_count count = {0, 0, 0, 0};
    for (uint64_t number = 0; number < 12; number++) {
        check_city(kinds[number % 3], number, heights_m[number % 4], number % 4 < 2 ? "3" : "2", &count);
    }
    print_message("%ld places, %.1f beams hold one, %.1f are listed, of %.0f\n", count.places,
                  (double)count.holding / (double)count.places, (double)count.listed / (double)count.places,
                  (double)count.beams / (double)count.places);
    assert_true(count.holding > 10 * count.places);
    assert_true((double)count.listed < LIST_SHARE * (double)count.beams);
}

/* One place, many at one place, and none. */
static void test_few_places(void **state)
{
    (void)state;
    beams_trial t;
    rcity_beams_index index;
    double x_m, y_m;
    double xy_m[2 * PLACES];
    index_count count = {0, 0, 0, 0};
    beams_trial_open(&t, RCITY_CITY_CORE, 3);
    beams_trial_find_place(&t, 3, &x_m, &y_m);
    beams_trial_prepare(&t, "host", x_m, y_m, 10.0, NULL, NULL, 0);
    const rcity_beams_traced *traced = t.trace;
    const rcity_shapes *shapes = traced->images.world.shapes;
    double slack_m = rcity_beams_slack_m(shapes);
    for (int i = 0; i < PLACES; i++) {
        xy_m[2 * i] = x_m - shapes->origin_x_m + 5.0;
        xy_m[2 * i + 1] = y_m - shapes->origin_y_m;
    }
    for (int places = 1; places <= PLACES; places += PLACES - 1) {
        assert_ok(t.context, rcity_beams_index_init(t.context, &traced->forest, slack_m, places, xy_m, &index));
        assert_in_range(index.square_count, 1, 4); /* it may lie near a corner of four */
        check_place(traced, &index, xy_m[0], xy_m[1], &count);
        rcity_beams_index_deinit(t.context, &index);
    }
    const rcity_beams_index_beam *listed;
    int64_t listed_count;
    assert_ok(t.context, rcity_beams_index_init(t.context, &traced->forest, slack_m, 0, NULL, &index));
    assert_false(rcity_beams_index_find(&index, xy_m[0], xy_m[1], &listed, &listed_count));
    rcity_beams_index_deinit(t.context, &index);
    beams_trial_finish(&t);
}

TEST_SUITE(beams_index)
{
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_hold_all_beams),
        cmocka_unit_test(test_few_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
