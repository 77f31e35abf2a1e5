/* What transmitters see, against the plain test of every line. */
#include "visibility/tiles/tile_first.h"

#include "sight_cases.h"
#include "tile_world.h"

#define POINT_MAX 600
#define FROM_MAX  12

/* A scene, its receivers, places of transmitters, and what these see. */
typedef struct first_stage {
    tile_world world;
    int64_t receiver_count;
    rcity_tile_place receivers[POINT_MAX], from[FROM_MAX];
    rcity_tile_first *first;
    rcity_tile_first_answer *answers;
} first_stage;

static first_stage stage;

static void stage_init(rcity_context *context, rcity_scene *scene, double tile_m2, uint64_t seed,
                       int64_t receiver_count)
{
    memset(&stage, 0, sizeof stage);
    tile_world_init(&stage.world, context, scene, tile_m2);
    stage.receiver_count = receiver_count;
    for (int64_t i = 0; i < receiver_count; i++) {
        stage.receivers[i] = tile_world_point(&stage.world, seed, (uint64_t)i);
    }
    for (int i = 0; i < FROM_MAX; i++) { /* also covered ones, and at tiles */
        stage.from[i] = tile_world_point(&stage.world, seed + 100, (uint64_t)i);
    }
}

static rcity_status stage_run(void)
{
    tile_world *world = &stage.world;
    RCITY_TRY(rcity_tile_first_open(world->context, world->device, world->sight, &world->tiling, stage.receiver_count,
                                    stage.receivers, &stage.first));
    size_t words = (size_t)rcity_tile_first_words(stage.first);
    assert_true(rcity_tile_first_most(stage.first) >= FROM_MAX);
    RCITY_TRY(
        rcity_alloc(world->context, FROM_MAX * words, sizeof *stage.answers, "what transmitters see", &stage.answers));
    return rcity_tile_first_run(world->context, stage.first, NULL, FROM_MAX, stage.from, stage.answers);
}

static void stage_deinit(void)
{
    rcity_release(stage.world.context, stage.answers);
    rcity_tile_first_close(&stage.first);
    tile_world_deinit(&stage.world);
}

static bool sees(int from, int64_t word_first, int64_t place)
{
    const rcity_tile_first_answer *answers = stage.answers + (int64_t)from * rcity_tile_first_words(stage.first);
    return (answers[word_first + place / RCITY_TILE_BLOCK].sees >> place % RCITY_TILE_BLOCK & 1) != 0;
}

/* Every bit. @return how many tiles and receivers are seen. */
static int64_t check_bits(void)
{
    tile_world *world = &stage.world;
    int64_t tile_words = rcity_tile_first_tile_words(stage.first);
    int64_t seen = 0;
    int64_t bits = 0;
    for (int k = 0; k < FROM_MAX; k++) {
        for (int64_t tile = 0; tile < world->tiling.tile_count; tile++) {
            assert_int_equal(sees(k, 0, tile), tile_world_sees_point(world, tile, stage.from[k], 0.0));
            seen += sees(k, 0, tile);
        }
        for (int64_t i = 0; i < stage.receiver_count; i++) {
            assert_int_equal(sees(k, tile_words, i), tile_world_is_free(world, stage.from[k], stage.receivers[i]));
            seen += sees(k, tile_words, i);
        }
    }
    for (int64_t i = 0; i < (int64_t)FROM_MAX * rcity_tile_first_words(stage.first); i++) {
        bits += __builtin_popcount(stage.answers[i].sees);
        assert_int_equal(stage.answers[i].deferred, 0);
    }
    assert_int_equal(bits, seen);
    return seen;
}

/* A scene, which is given away. @return how many tiles and receivers are seen. */
static int64_t check_scene(rcity_context *context, rcity_scene *scene, double tile_m2, uint64_t seed,
                           int64_t receiver_count)
{
    stage_init(context, scene, tile_m2, seed, receiver_count);
    assert_ok(context, stage_run());
    int64_t seen = check_bits();
    stage_deinit();
    return seen;
}

static void test_bits_equal_the_plain_test(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    int64_t seen = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        seen += check_scene(context, sight_messy_scene(context, seed), seed % 3 == 0 ? 4.0 : 25.0, seed, 400);
    }
    for (int kind = 0; kind < RCITY_CITY_KIND_COUNT; kind++) {
        seen += check_scene(context, sight_city(context, (rcity_city_kind)kind, 30, 0.1), 100.0, 30, POINT_MAX);
    }
    print_message("%lld tiles and receivers are seen\n", (long long)seen);
    assert_true(seen > 10000);
    rcity_context_destroy(&context);
}

/* Counts around those of a word. */
static void test_any_number_of_receivers(void **state)
{
    (void)state;
    static const int64_t counts[] = {0, 1, 31, 32, 33, 63, 64, 65};
    rcity_context *context = test_context(2);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        (void)check_scene(context, sight_messy_scene(context, 2), 100.0, 77, counts[i]);
    }
    rcity_context_destroy(&context);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    const test_box box = {0.0, 0.0, 40.0, 20.0, 20.0};
    rcity_status status = RCITY_ERR_MEMORY;
    for (long n = 1; status != RCITY_OK; n++) {
        failing_allocator failing = {0};
        rcity_context *context = test_context_failing(&failing, 1);
        stage_init(context, test_scene(context, &box, 1), 25.0, 3, 100);
        failing.fail_at = failing.call_count + n;
        status = stage_run();
        failing.fail_at = 0;
        assert_true(status == RCITY_OK ? n > 4 : status == RCITY_ERR_MEMORY);
        stage_deinit();
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
    }
}

TEST_SUITE(tile_first)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits_equal_the_plain_test),
        cmocka_unit_test(test_any_number_of_receivers),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests_name("tile_first", tests, NULL, NULL);
}
