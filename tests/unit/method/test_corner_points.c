/* Paths around corners to points of mixed heights against a plain recursion over all corners. */
#include "corners_plain.h"
#include "points_world.h"
#include "sight_cases.h"

#include "radiocity/city.h"

static const uint64_t seed = 31;
static int source_count = 5; /* a city */

/* Points of three heights, mixed. */
enum { HEIGHTS = 3, EACH = 60, MIXED = HEIGHTS * EACH };

/* A chain is its parent and a leg more. */
static void check_chains(const points_world *w, const rcity_corner_paths *corner_paths, rcity_grid_point3 source)
{
    for (size_t i = 0; i < corner_paths->node_count; i++) {
        const rcity_corner_node *node = &corner_paths->nodes[i];
        assert_true(node->parent < (int64_t)i);
        const rcity_corner_node *before = node->parent >= 0 ? &corner_paths->nodes[node->parent] : NULL;
        rcity_grid_point3 from = before != NULL ? before->at : source;
        double leg_m = hypot((double)node->at.x - from.x, (double)node->at.y - from.y) / w->shapes->units_per_m;
        assert_int_equal(node->order, before != NULL ? before->order + 1 : 1);
        assert_near((double)node->turns.length_m, (before != NULL ? (double)before->turns.length_m : 0.0) + leg_m,
                    1e-5 * (double)node->turns.length_m);
    }
}

/* Those of each height are as the recursion finds them; adds their numbers to `totals`. */
static void compare_recursion(const points_world *w, const double *heights_m, const rcity_grid_point3 *places,
                              rcity_grid_point3 source, int order, size_t *totals)
{
    rcity_grid_point3 own[EACH];
    int64_t numbers[EACH];
    rcity_shadow_choice choice = {.order = order};
    rcity_shadow_points *points = NULL;
    assert_ok(w->context,
              rcity_shadow_points_trace(w->context, w->shapes, w->sight, &choice, source, MIXED, places, &points));
    const rcity_corner_paths *corner_paths = rcity_shadow_points_paths(points)->corner_paths;
    corners_plain plain = {.sight = w->sight, .shapes = w->shapes, .receiver_count = EACH, .receivers = own};
    for (int h = 0; h < HEIGHTS; h++) {
        for (int k = 0; k < EACH; k++) {
            numbers[k] = k * HEIGHTS + h;
            own[k] = places[numbers[k]];
        }
        plain.level = (int32_t)lround(heights_m[h] * RCITY_HEIGHT_UNITS_PER_M);
        corners_plain_find(&plain, source, order);
        corners_plain_compare(&plain, corner_paths, numbers);
        totals[h] += plain.path_count;
    }
    check_chains(w, corner_paths, source);
    free(plain.paths);
    rcity_shadow_points_destroy(&points);
}

static void test_corner_paths_to_points_equal_plain_recursion(void **state)
{
    (void)state;
    const double heights_m[HEIGHTS] = {1.5, 11.0, 23.0};
    for (int kind = 0; kind < 3; kind++) {
        rcity_context *context = test_context(2);
        points_world w;
        points_world_open(context, sight_city(context, (rcity_city_kind)kind, 4, 0.1), &w);
        rcity_grid_point3 places[MIXED];
        size_t totals[HEIGHTS] = {0};
        for (uint64_t i = 0; i < MIXED; i++) {
            places[i] = draw_point(&w, seed, 500000 + 10 * i, heights_m[i % HEIGHTS]);
        }
        for (int i = 0; i < source_count; i++) {
            rcity_grid_point3 source = draw_outdoors(&w, seed, 900000 + 10 * (uint64_t)i, i % 2 == 0 ? 6.0 : 14.0);
            compare_recursion(&w, heights_m, places, source, 1 + i % 2, totals);
        }
        print_message("%s, seed %llu: %zu, %zu, %zu paths\n", rcity_city_kind_name((rcity_city_kind)kind),
                      (unsigned long long)seed, totals[0], totals[1], totals[2]);
        assert_true(totals[0] > 50 && totals[1] > 10);
        points_world_close(&w);
        rcity_context_destroy(&context);
    }
}

/* Corners that open over a low house between two high ones, and corners that end at the roof of another. */
static void test_corner_paths_respect_the_heights_of_houses(void **state)
{
    (void)state;
    const double heights_m[HEIGHTS] = {5.0, 9.0, 15.0};
    const test_box boxes[] = {{0, 0, 10, 10, 20}, {10, 0, 20, 10, 8}, {20, 0, 30, 10, 20}, {50, 0, 60, 10, 12}};
    rcity_context *context = test_context(2);
    points_world w;
    points_world_open(context, test_scene(context, boxes, 4), &w);
    rcity_grid_point3 places[MIXED];
    size_t totals[HEIGHTS] = {0};
    for (uint64_t i = 0; i < MIXED; i++) {
        bool is_over = i % 2 == 0; /* the low house */
        rcity_point place = {is_over ? test_uniform(seed, 10 * i, 10.0, 20.0) : test_uniform(seed, 10 * i, -40.0, 90.0),
                             is_over ? test_uniform(seed, 10 * i + 1, 0.0, 20.0)
                                     : test_uniform(seed, 10 * i + 1, -40.0, 60.0),
                             heights_m[i % HEIGHTS]};
        assert_ok(context, rcity_shapes_snap(context, w.shapes, &place, &places[i]));
    }
    for (uint64_t i = 0; i < 12; i++) {
        rcity_point place = {test_uniform(seed, 3000 + 10 * i, -40.0, 90.0),
                             test_uniform(seed, 3001 + 10 * i, -40.0, -5.0), i % 2 == 0 ? 10.5 : 4.0};
        rcity_grid_point3 source;
        assert_ok(context, rcity_shapes_snap(context, w.shapes, &place, &source));
        compare_recursion(&w, heights_m, places, source, 2, totals);
    }
    print_message("boxes, seed %llu: %zu, %zu, %zu paths\n", (unsigned long long)seed, totals[0], totals[1], totals[2]);
    assert_true(totals[0] > 100 && totals[1] > 100 && totals[2] > 100);
    points_world_close(&w);
    rcity_context_destroy(&context);
}

/* Beside the foot of a corner, which the source sees over a low wall: the last leg is nearly vertical. At the foot itself
   the corner does not count, as it does not for a source there. */
static void test_corner_foot(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{-10, -10, 10, 10, 20}, {-12, -30, -11, 30, 1.5}};
    points_world w;
    points_world_open(context, test_scene(context, boxes, 2), &w);
    const rcity_point at[2] = {{-40, 0, 10}, {-10, 10, 1}};
    rcity_grid_point3 source, place;
    assert_ok(context, rcity_shapes_snap(context, w.shapes, &at[0], &source));
    assert_ok(context, rcity_shapes_snap(context, w.shapes, &at[1], &place));
    rcity_shadow_choice choice = {.order = 1};
    for (int32_t off = 0; off < 2; off++) { /* units of the grid, into the shadow */
        rcity_grid_point3 there = {place.x + off, place.y + off, place.z};
        rcity_shadow_points *points = NULL;
        assert_ok(context, rcity_shadow_points_trace(context, w.shapes, w.sight, &choice, source, 1, &there, &points));
        const rcity_corner_paths *corner_paths = rcity_shadow_points_paths(points)->corner_paths;
        double nearest_m = 1e9;
        for (size_t i = 0; i < corner_paths->path_count; i++) {
            assert_true(isfinite(corner_paths->paths[i].log_distance) && isfinite(corner_paths->paths[i].angle_rad));
            nearest_m = fmin(nearest_m, pow(10.0, (double)corner_paths->paths[i].log_distance));
        }
        double leg_m = fmax(sqrt(2.0) * off / w.shapes->units_per_m, 0.01);
        assert_true(off == 0 ? nearest_m > 1.0 : fabs(nearest_m - leg_m) < 1e-3);
        rcity_shadow_points_destroy(&points);
    }
    points_world_close(&w);
    rcity_context_destroy(&context);
}

/* The number and the lengths, added up, of the paths around up to two corners from one place to another. */
static size_t trace_link(const points_world *w, rcity_grid_point3 from, rcity_grid_point3 to, double *length_sum_m)
{
    rcity_shadow_choice choice = {.order = 2};
    rcity_shadow_points *points = NULL;
    assert_ok(w->context, rcity_shadow_points_trace(w->context, w->shapes, w->sight, &choice, from, 1, &to, &points));
    const rcity_corner_paths *corner_paths = rcity_shadow_points_paths(points)->corner_paths;
    *length_sum_m = 0.0;
    for (size_t i = 0; i < corner_paths->path_count; i++) {
        *length_sum_m += pow(10.0, (double)corner_paths->paths[i].log_length);
    }
    size_t count = corner_paths->path_count;
    rcity_shadow_points_destroy(&points);
    return count;
}

/* Ends exchanged, the paths around up to two corners are the same. */
static void test_exchanged_ends_have_the_same_corner_paths(void **state)
{
    (void)state;
    enum { LINKS = 100 };
    for (int kind = 0; kind < 3; kind++) {
        rcity_context *context = test_context(2);
        points_world w;
        points_world_open(context, sight_city(context, (rcity_city_kind)kind, 4, 0.1), &w);
        size_t total = 0;
        for (uint64_t i = 0; i < LINKS; i++) {
            rcity_grid_point3 mast = draw_outdoors(&w, seed, 2000000 + 20 * i, i % 2 == 0 ? 6.0 : 14.0);
            rcity_grid_point3 street = draw_outdoors(&w, seed, 2000010 + 20 * i, 1.5);
            double there_m, back_m;
            size_t there = trace_link(&w, mast, street, &there_m);
            assert_int_equal(trace_link(&w, street, mast, &back_m), there);
            assert_near(there_m, back_m, 1e-4 * (1.0 + there_m));
            total += there;
        }
        print_message("%s, seed %llu: %d links, %zu paths\n", rcity_city_kind_name((rcity_city_kind)kind),
                      (unsigned long long)seed, LINKS, total);
        assert_true(total > LINKS);
        points_world_close(&w);
        rcity_context_destroy(&context);
    }
}

TEST_SUITE(corner_points)
{
    if (test_is_called_with("long")) {
        source_count = 18;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corner_paths_to_points_equal_plain_recursion),
        cmocka_unit_test(test_corner_paths_respect_the_heights_of_houses),
        cmocka_unit_test(test_corner_foot),
        cmocka_unit_test(test_exchanged_ends_have_the_same_corner_paths),
    };
    return cmocka_run_group_tests_name("corner_points", tests, NULL, NULL);
}
