/* Receivers that tiles see, against the plain test between all pairs. */
#include "visibility/tiles/tile_views.h"

#include "kernel/tiles/tile_row.h"
#include "sight_cases.h"
#include "tile_world.h"

#define POINT_MAX 3000

/* Every row against the plain answer to each of its receivers. */
static void check_rows(tile_world *world, double range_m, int64_t count, const rcity_tile_place *points,
                       const rcity_tile_views *views)
{
    assert_int_equal(views->tile_count, world->tiling.tile_count);
    assert_int_equal(views->receiver_count, count);
    for (int64_t tile = 0; tile < world->tiling.tile_count; tile++) {
        uint64_t next = views->row_first[tile];
        for (int64_t i = 0; i < count; i++) {
            bool is_listed = next < views->row_first[tile + 1] && views->receiver[next] == i;
            if (is_listed != tile_world_sees_point(world, tile, points[i], range_m)) {
                print_error("tile %lld, receiver %lld: listed %d\n", (long long)tile, (long long)i, is_listed);
                fail();
            }
            next += is_listed;
        }
        assert_int_equal(next, views->row_first[tile + 1]);
    }
}

static void check_scene(rcity_scene *scene, rcity_context *context, double tile_m2, uint64_t seed, double range_m,
                        int64_t count)
{
    tile_world world;
    static rcity_tile_place points[POINT_MAX];
    tile_world_init(&world, context, scene, tile_m2);
    for (int64_t i = 0; i < count; i++) {
        points[i] = tile_world_point(&world, seed, (uint64_t)i);
    }
    rcity_tile_views views;
    assert_ok(context, rcity_tile_views_build(context, world.device, world.sight, &world.tiling, range_m, count, points,
                                              &views));
    check_rows(&world, range_m, count, points, &views);
    print_message("seed %d: %lld tiles, %lld receivers, %lld covered, range %g m: %llu views\n", (int)seed,
                  (long long)world.tiling.tile_count, (long long)count, (long long)views.effort.covered_count, range_m,
                  (unsigned long long)views.row_first[views.tile_count]);
    rcity_tile_views_deinit(context, &views);
    tile_world_deinit(&world);
}

/* Widened rows against the ones they were made of. @return how many receivers only tiles at the side see. */
static int64_t check_wide_rows(const rcity_tiling *tiling, const rcity_tile_views *plain, const rcity_tile_views *wide)
{
    int64_t beside_count = 0;
    for (int32_t tile = 0; tile < plain->tile_count; tile++) {
        uint64_t next = wide->row_first[tile];
        for (int32_t receiver = 0; receiver < plain->receiver_count; receiver++) {
            bool is_own =
                rcity_tile_views_have(plain->receiver, plain->row_first[tile], plain->row_first[tile + 1], receiver);
            bool is_any = is_own;
            for (int k = 0; k < RCITY_TILE_SIDE_COUNT; k++) {
                int32_t side = tiling->beside[tile][k];
                is_any |= side >= 0 && rcity_tile_views_have(plain->receiver, plain->row_first[side],
                                                             plain->row_first[side + 1], receiver);
            }
            if (is_any) {
                assert_true(next < wide->row_first[tile + 1]);
                assert_int_equal(rcity_tile_view_receiver(wide->receiver[next]), receiver);
                assert_int_equal(rcity_tile_view_is_beside(wide->receiver[next]), !is_own);
                next++;
                beside_count += !is_own;
            }
            assert_int_equal(
                rcity_tile_views_have(wide->receiver, wide->row_first[tile], wide->row_first[tile + 1], receiver),
                is_any);
        }
        assert_int_equal(next, wide->row_first[tile + 1]);
    }
    return beside_count;
}

static void test_wide_rows_have_those_of_the_sides(void **state)
{
    (void)state;
    static rcity_tile_place points[POINT_MAX];
    rcity_context *context = test_context(2);
    for (int kind = 0; kind < RCITY_CITY_KIND_COUNT; kind++) {
        tile_world world;
        rcity_tile_views plain;
        rcity_tile_views wide;
        tile_world_init(&world, context, sight_city(context, (rcity_city_kind)kind, 33, 0.1), 400.0);
        for (int64_t i = 0; i < 500; i++) {
            points[i] = tile_world_point(&world, 8, (uint64_t)i);
        }
        assert_ok(context,
                  rcity_tile_views_build(context, world.device, world.sight, &world.tiling, 0.0, 500, points, &plain));
        assert_ok(context,
                  rcity_tile_views_build(context, world.device, world.sight, &world.tiling, 0.0, 500, points, &wide));
        assert_ok(context, rcity_tile_views_widen(context, &world.tiling, &wide));
        int64_t beside_count = check_wide_rows(&world.tiling, &plain, &wide);
        print_message("%s: %llu views, %lld more by the tiles beside\n", rcity_city_kind_name((rcity_city_kind)kind),
                      (unsigned long long)plain.row_first[plain.tile_count], (long long)beside_count);
        assert_true(beside_count > 0);
        rcity_tile_views_deinit(context, &wide);
        rcity_tile_views_deinit(context, &plain);
        tile_world_deinit(&world);
    }
    rcity_context_destroy(&context);
}

static void test_rows_equal_the_plain_test(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        check_scene(sight_messy_scene(context, seed), context, seed % 3 == 0 ? 4.0 : 25.0, seed, 0.0, 400);
    }
    for (int kind = 0; kind < RCITY_CITY_KIND_COUNT; kind++) {
        rcity_city_kind city = (rcity_city_kind)kind;
        check_scene(sight_city(context, city, 30, 0.1), context, 400.0, 30, 0.0, 1000);
        check_scene(sight_city(context, city, 31, 0.1), context, 400.0, 31, 120.0, 1000);
    }
    rcity_context_destroy(&context);
}

/* Counts around those of a block, of words of 64 bits, and none at all. */
static void test_any_number_of_receivers(void **state)
{
    (void)state;
    static const int64_t counts[] = {0, 1, 31, 32, 33, 63, 64, 65, 129, POINT_MAX};
    rcity_context *context = test_context(2);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        check_scene(sight_messy_scene(context, 2), context, 100.0, 77, 0.0, counts[i]);
    }
    rcity_context_destroy(&context);
}

static void assert_same(const rcity_tile_views *a, const rcity_tile_views *b)
{
    size_t row_bytes = ((size_t)a->tile_count + 1) * sizeof *a->row_first;
    assert_int_equal(a->tile_count, b->tile_count);
    assert_memory_equal(a->row_first, b->row_first, row_bytes);
    assert_memory_equal(a->receiver, b->receiver, (size_t)a->row_first[a->tile_count] * sizeof *a->receiver);
}

/* A made city and its views in a context of its own. */
typedef struct views_stage {
    rcity_context *context;
    tile_world world;
    rcity_tile_place points[POINT_MAX];
    rcity_tile_views views;
} views_stage;

static void stage_init(views_stage *stage, const rcity_context_options *options)
{
    assert_int_equal(rcity_context_create(options, &stage->context), RCITY_OK);
    tile_world_init(&stage->world, stage->context, sight_city(stage->context, RCITY_CITY_HIGHRISE, 5, 0.1), 100.0);
    for (uint64_t i = 0; i < POINT_MAX; i++) {
        stage->points[i] = tile_world_point(&stage->world, 9, i);
    }
}

static rcity_status stage_build(views_stage *stage)
{
    return rcity_tile_views_build(stage->context, stage->world.device, stage->world.sight, &stage->world.tiling, 0.0,
                                  POINT_MAX, stage->points, &stage->views);
}

static void stage_deinit(views_stage *stage)
{
    rcity_tile_views_deinit(stage->context, &stage->views);
    tile_world_deinit(&stage->world);
    rcity_context_destroy(&stage->context);
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    static views_stage first;
    static views_stage other;
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = 1;
    stage_init(&first, &options);
    assert_ok(first.context, stage_build(&first));
    for (options.thread_count = 2; options.thread_count <= 3; options.thread_count++) {
        stage_init(&other, &options);
        assert_ok(other.context, stage_build(&other));
        assert_same(&first.views, &other.views);
        stage_deinit(&other);
    }
    stage_deinit(&first);
}

/* Counts how often it is called. */
static bool count_calls(void *user, const char *what, double done, double total)
{
    int *calls = user;
    (void)what;
    assert_true(done >= 0.0 && done <= total);
    ++*calls;
    return true;
}

/* Little memory cuts the work into pieces; the rows are the same. */
static void test_pieces_change_nothing(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static rcity_tile_place points[COUNT];
    static const uint64_t limits[] = {0, (uint64_t)12 << 20};
    const test_box box = {0.0, 0.0, 40.0, 20.0, 20.0};
    tile_world world[2];
    rcity_context *context[2];
    rcity_tile_views views[2];
    int calls[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        rcity_context_options options = rcity_context_options_default();
        options.memory_bytes = limits[k];
        options.progress = count_calls;
        options.progress_user = &calls[k];
        assert_int_equal(rcity_context_create(&options, &context[k]), RCITY_OK);
        tile_world_init(&world[k], context[k], test_scene(context[k], &box, 1), 1.0);
        for (uint64_t i = 0; i < COUNT; i++) {
            points[i] = tile_world_point(&world[k], 5, i);
        }
        assert_ok(context[k], rcity_tile_views_build(context[k], world[k].device, world[k].sight, &world[k].tiling, 4.0,
                                                     COUNT, points, &views[k]));
    }
    assert_true(calls[0] > 0 && calls[1] > 2); /* how many more depends on the time that pieces take */
    assert_true(views[0].row_first[views[0].tile_count] > COUNT);
    assert_same(&views[0], &views[1]);
    for (int k = 0; k < 2; k++) {
        rcity_tile_views_deinit(context[k], &views[k]);
        tile_world_deinit(&world[k]);
        rcity_context_destroy(&context[k]);
    }
}

/* A progress callback that ends the work at its n-th call. */
static bool count_down(void *user, const char *what, double done, double total)
{
    int *left = user;
    (void)what;
    assert_true(done >= 0.0 && done <= total);
    return --*left != 0;
}

static void test_work_can_be_cancelled(void **state)
{
    (void)state;
    static views_stage stage;
    int left = 1 << 30;
    rcity_context_options options = rcity_context_options_default();
    options.progress = count_down;
    options.progress_user = &left;
    stage_init(&stage, &options);
    uint64_t used = rcity_context_memory_used(stage.context);
    for (int n = 1; n <= 2; n++) {
        left = n;
        assert_status(stage.context, stage_build(&stage), RCITY_ERR_CANCELLED);
        assert_null(stage.views.row_first);
        assert_null(stage.views.receiver);
        assert_int_equal(rcity_context_memory_used(stage.context), used);
    }
    stage_deinit(&stage);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    const test_box box = {0.0, 0.0, 40.0, 20.0, 20.0};
    rcity_status status = RCITY_ERR_MEMORY;
    for (long n = 1; status != RCITY_OK; n++) {
        failing_allocator failing = {0};
        rcity_context *context = test_context_failing(&failing, 1);
        tile_world world;
        tile_world_init(&world, context, test_scene(context, &box, 1), 25.0);
        rcity_tile_place points[100];
        for (uint64_t i = 0; i < 100; i++) {
            points[i] = tile_world_point(&world, 3, i);
        }
        long live = failing.live_count;
        failing.fail_at = failing.call_count + n;
        rcity_tile_views views;
        status = rcity_tile_views_build(context, world.device, world.sight, &world.tiling, 0.0, 100, points, &views);
        bool is_built = status == RCITY_OK;
        if (is_built) {
            status = rcity_tile_views_widen(context, &world.tiling, &views);
        }
        failing.fail_at = 0;
        if (status != RCITY_OK) {
            assert_int_equal(status, RCITY_ERR_MEMORY);
            assert_int_equal(views.row_first != NULL, is_built);
        }
        rcity_tile_views_deinit(context, &views);
        assert_int_equal(failing.live_count, live);
        tile_world_deinit(&world);
        rcity_context_destroy(&context);
        assert_true(status != RCITY_OK || n > 10);
    }
}

static void test_bad_ranges_are_refused(void **state)
{
    (void)state;
    const test_box box = {0.0, 0.0, 40.0, 20.0, 20.0};
    rcity_context *context = test_context(1);
    tile_world world;
    tile_world_init(&world, context, test_scene(context, &box, 1), 25.0);
    static const double ranges_m[] = {-1.0, 0.5, 2e5, (double)NAN};
    for (size_t i = 0; i < sizeof ranges_m / sizeof *ranges_m; i++) {
        rcity_tile_views views;
        assert_status(
            context,
            rcity_tile_views_build(context, world.device, world.sight, &world.tiling, ranges_m[i], 0, NULL, &views),
            RCITY_ERR_ARGUMENT);
        assert_message(context, "`tile-range-m` is");
    }
    tile_world_deinit(&world);
    rcity_context_destroy(&context);
}

/* Refused before any of them is looked at. */
static void test_too_many_receivers_are_refused(void **state)
{
    (void)state;
    const test_box box = {0.0, 0.0, 40.0, 20.0, 20.0};
    rcity_context *context = test_context(1);
    tile_world world;
    rcity_tile_views views;
    tile_world_init(&world, context, test_scene(context, &box, 1), 25.0);
    assert_status(context,
                  rcity_tile_views_build(context, world.device, world.sight, &world.tiling, 0.0,
                                         (int64_t)RCITY_TILE_VIEW_RECEIVERS_MAX + 1, NULL, &views),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "1073741825 receivers are more than 1073741824; use a larger `cell`");
    assert_null(views.row_first);
    tile_world_deinit(&world);
    rcity_context_destroy(&context);
}

TEST_SUITE(tile_views)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_equal_the_plain_test),
        cmocka_unit_test(test_any_number_of_receivers),
        cmocka_unit_test(test_wide_rows_have_those_of_the_sides),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_pieces_change_nothing),
        cmocka_unit_test(test_work_can_be_cancelled),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_bad_ranges_are_refused),
        cmocka_unit_test(test_too_many_receivers_are_refused),
    };
    return cmocka_run_group_tests_name("tile_views", tests, NULL, NULL);
}
