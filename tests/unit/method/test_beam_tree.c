/* Trees of beams: on many threads as on one, and with a filter exactly the meetings that the filter lets pass. */
#include "rcity_test.h"

#include <stdlib.h>

#include "method/images/search/beam_tree.h"
#include "random_number.h"

#define BLOCKS 5

typedef struct town {
    rcity_context *context;
    rcity_scene *scene;
    rcity_facet_table world;
    rcity_reach_world reach_world;
    rcity_reach reach;
} town;

/* Blocks on a lattice, turned and moved at random. */
static void open_town(town *t, int thread_count, uint64_t seed)
{
    memset(t, 0, sizeof *t);
    random_state = seed;
    t->context = test_context(thread_count);
    rcity_scene_options options = rcity_scene_options_default();
    options.gap_m = 0.0;
    assert_ok(t->context, rcity_scene_create(t->context, &options, &t->scene));
    for (int i = 0; i < BLOCKS * BLOCKS; i++) {
        const int count = 4;
        double x = 40.0 * (i % BLOCKS) + random_number(0.0, 8.0);
        double y = 40.0 * (i / BLOCKS) + random_number(0.0, 8.0);
        double skew = random_number(-3.0, 3.0);
        double xy[] = {x, y, x + 20.0, y + skew, x + 20.0 - skew, y + 20.0, x - skew, y + 20.0 - skew};
        rcity_building building = rcity_building_default();
        building.id = i;
        building.ring_count = 1;
        building.ring_point_count = &count;
        building.xy_m = xy;
        building.height_m = random_number(8.0, 25.0);
        assert_ok(t->context, rcity_scene_add_building(t->scene, &building));
    }
    assert_ok(t->context, rcity_scene_commit(t->scene));
    assert_ok(t->context, rcity_facet_table_init(t->context, t->scene, 2e9, &t->world));
    assert_ok(t->context, rcity_reach_world_init(t->context, &t->world, false, &t->reach_world));
    assert_ok(t->context, rcity_reach_init(t->context, &t->reach_world, &t->reach));
}

static void close_town(town *t)
{
    rcity_reach_deinit(t->context, &t->reach);
    rcity_reach_world_deinit(t->context, &t->reach_world);
    rcity_facet_table_deinit(t->context, &t->world);
    rcity_scene_destroy(&t->scene);
    rcity_context_destroy(&t->context);
}

/* In a street of the middle. */
static rcity_plan_segment source_of(const town *t)
{
    double x = 73.0 - t->world.shapes->origin_x_m;
    double y = 90.0 - t->world.shapes->origin_y_m;
    return (rcity_plan_segment){x, y, x, y};
}

static void assert_same_trees(const rcity_reach *a, const rcity_reach *b)
{
    assert_int_equal(a->beam_count, b->beam_count);
    assert_int_equal(a->meeting_count, b->meeting_count);
    for (size_t i = 0; i < a->beam_count; i++) {
        assert_memory_equal(&a->beams[i].source, &b->beams[i].source, sizeof a->beams[i].source);
        assert_memory_equal(&a->beams[i].window, &b->beams[i].window, sizeof a->beams[i].window);
        assert_int_equal(a->beams[i].wall, b->beams[i].wall);
        assert_int_equal(a->beams[i].parent, b->beams[i].parent);
        assert_int_equal(a->beams[i].depth, b->beams[i].depth);
    }
    for (size_t i = 0; i < a->meeting_count; i++) {
        assert_int_equal(a->meetings[i].facet_edge, b->meetings[i].facet_edge);
        assert_int_equal(a->meetings[i].beam, b->meetings[i].beam);
    }
}

static void test_wide_tree_is_that_of_one_thread(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 5; threads += 2) {
        for (int depth = 0; depth <= 3; depth++) {
            town t;
            rcity_reach wide;
            open_town(&t, threads, 7);
            assert_ok(t.context, rcity_reach_init(t.context, &t.reach_world, &wide));
            for (int meets = 0; meets < 2; meets++) {
                assert_ok(t.context, rcity_reach_build(t.context, &t.reach_world, source_of(&t), 10.0, depth,
                                                       meets == 1, NULL, &t.reach));
                assert_ok(t.context, rcity_reach_build_wide(t.context, &t.reach_world, source_of(&t), 10.0, depth,
                                                            meets == 1, &wide));
                assert_same_trees(&t.reach, &wide);
                assert_true(depth < 3 || wide.beam_count > 100);
                assert_true((wide.meeting_count > 0) == (meets == 1));
            }
            rcity_reach_deinit(t.context, &wide);
            close_town(&t);
        }
    }
}

static rcity_status stop_at_once(void *user, double done, double total)
{
    (void)done;
    (void)total;
    ++*(int *)user;
    return RCITY_ERR_CANCELLED;
}

static void test_wide_tree_can_be_stopped(void **state)
{
    (void)state;
    town t;
    int calls = 0;
    open_town(&t, 2, 7);
    t.reach.pause = stop_at_once;
    t.reach.pause_user = &calls;
    assert_int_equal(rcity_reach_build_wide(t.context, &t.reach_world, source_of(&t), 10.0, 3, true, &t.reach),
                     RCITY_ERR_CANCELLED);
    assert_int_equal(calls, 1);
    close_town(&t);
}

/* The last beams of a filtered tree meet every wanted edge in their region: each edge tested by itself. */
static void test_filtered_tree_meets_the_wanted_edges(void **state)
{
    (void)state;
    enum { DEPTH = 2 };
    town t;
    rcity_plan_tree tree;
    open_town(&t, 1, 11);
    size_t edges = (size_t)t.world.edge_count;
    int8_t *depth = calloc(edges, sizeof *depth);
    int32_t *listed = calloc(edges, sizeof *listed);
    rcity_plan_segment *segments = calloc(edges, sizeof *segments);
    float *tops = calloc(edges, sizeof *tops);
    int32_t listed_count = 0;
    for (int32_t i = 0; i < t.world.edge_count; i++) {
        depth[i] = (int8_t)random_number(-1.0, 2.999);
        if (depth[i] >= 0) {
            segments[listed_count] = *rcity_reach_edge_plan(&t.reach_world, i);
            listed[listed_count++] = i;
        }
    }
    assert_ok(t.context, rcity_plan_tree_init(t.context, listed_count, segments, tops, &tree));
    rcity_reach_filter filter = {depth, listed, &tree};
    assert_ok(t.context,
              rcity_reach_build(t.context, &t.reach_world, source_of(&t), 10.0, DEPTH, true, &filter, &t.reach));
    size_t wanted = 0;
    for (size_t i = 0; i < t.reach.beam_count; i++) {
        rcity_region region = rcity_beam_region(&t.world, &t.reach.beams[i]);
        for (int32_t k = 0; k < listed_count && t.reach.beams[i].depth == DEPTH; k++) {
            double from, to;
            if (depth[listed[k]] == DEPTH && rcity_region_clip(&region, &segments[k], &from, &to)) {
                size_t first, end;
                rcity_reach_find(&t.reach, listed[k], &first, &end);
                size_t at = first;
                while (at < end && t.reach.meetings[at].beam != (int32_t)i) {
                    at++;
                }
                assert_true(at < end);
                wanted++;
            }
        }
    }
    size_t met = 0;
    for (size_t i = 0; i < t.reach.meeting_count; i++) {
        met += t.reach.beams[t.reach.meetings[i].beam].depth == DEPTH;
    }
    assert_true(wanted > 100);
    assert_int_equal(met, wanted);
    rcity_plan_tree_deinit(t.context, &tree);
    free(tops);
    free(segments);
    free(listed);
    free(depth);
    close_town(&t);
}

TEST_SUITE(beam_tree)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide_tree_is_that_of_one_thread),
        cmocka_unit_test(test_wide_tree_can_be_stopped),
        cmocka_unit_test(test_filtered_tree_meets_the_wanted_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
