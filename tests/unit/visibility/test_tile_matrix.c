/* The visibility matrix of tiles: equal to the plain test between all pairs, however it is made. */
#include "sight_cases.h"
#include "tile_world.h"

/* Rows increase, name tiles, and hold as many entries as the matrix says. */
static void check_form(const rcity_tile_matrix *matrix)
{
    int64_t entry_count = 0;
    for (int32_t row = 0; row < matrix->tile_count; row++) {
        const uint32_t *ends = &matrix->chunk_end[(size_t)row * (size_t)matrix->chunk_count];
        const uint16_t *column = matrix->column + matrix->row_first[row];
        uint32_t k = 0;
        int64_t last = -1;
        for (int32_t chunk = 0; chunk < matrix->chunk_count; chunk++) {
            for (; k < ends[chunk]; k++) {
                int64_t tile = (int64_t)chunk * RCITY_TILE_CHUNK + column[k];
                assert_true(tile > last && tile < matrix->tile_count && tile != row);
                last = tile;
            }
        }
        entry_count += k;
    }
    assert_int_equal(entry_count, matrix->entry_count);
}

/* Every pair of tiles against the plain test. @return how many see each other. */
static int64_t check_all_pairs(tile_world *world, const rcity_tile_matrix *matrix, double range_m)
{
    int32_t count = (int32_t)world->tiling.tile_count;
    int64_t seen = 0;
    bool *row = calloc((size_t)count + 1, sizeof *row);
    assert_int_equal(matrix->tile_count, count);
    check_form(matrix);
    for (int32_t a = 0; a < count; a++) {
        memset(row, 0, (size_t)count);
        for (uint32_t k = 0; k < rcity_tile_matrix_row_count(matrix, a); k++) {
            row[matrix->column[matrix->row_first[a] + k]] = true; /* one chunk */
        }
        for (int32_t b = 0; b < a; b++) {
            if (row[b] != tile_world_sees(world, a, b, range_m) || tile_matrix_holds(matrix, b, a) != row[b]) {
                print_error("tiles %d and %d: %d, mirrored %d\n", a, b, row[b], tile_matrix_holds(matrix, b, a));
                fail();
            }
            seen += row[b];
        }
    }
    free(row);
    assert_int_equal(2 * seen, matrix->entry_count);
    return seen;
}

/* A scene, which is given away: its matrix in memory, with a range. */
static void check_scene(rcity_context *context, rcity_scene *scene, double tile_m2, double range_m, uint64_t seed)
{
    tile_world world;
    rcity_tile_matrix *matrix = NULL;
    rcity_tile_matrix_options options = rcity_tile_matrix_options_default();
    tile_world_init(&world, context, scene, tile_m2);
    options.range_m = range_m;
    assert_ok(context, tile_world_build(&world, &options, NULL, &matrix));
    int64_t seen = check_all_pairs(&world, matrix, range_m);
    print_message("seed %d: %d tiles of %g m2, range %g m: %lld pairs see each other\n", (int)seed, matrix->tile_count,
                  tile_m2, range_m, (long long)seen);
    rcity_tile_matrix_close(context, &matrix);
    tile_world_deinit(&world);
}

/* Polygons that overlap and touch, on terrain for every second seed. */
static void test_messy_scenes_equal_the_plain_test(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    for (uint64_t seed = 1; seed <= 16; seed++) {
        double tile_m2 = seed % 4 < 2 ? 25.0 : 9.0;
        check_scene(context, sight_messy_scene(context, seed), tile_m2, seed % 5 == 0 ? 15.0 : 0.0, seed);
    }
    rcity_context_destroy(&context);
}

static void test_cities_equal_the_plain_test(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    for (int kind = 0; kind < RCITY_CITY_KIND_COUNT; kind++) {
        uint64_t seed = 40 + (uint64_t)kind;
        check_scene(context, sight_city(context, (rcity_city_kind)kind, seed, 0.1), 400.0, 0.0, seed);
        check_scene(context, sight_city(context, (rcity_city_kind)kind, seed, 0.1), 400.0, 90.0, seed);
    }
    rcity_context_destroy(&context);
}

/* Fewer tiles than a block, and counts around one. */
static void test_few_tiles(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    for (double side_m = 1.0; side_m < 60.0; side_m *= 1.3) {
        const test_box box = {0.0, 0.0, side_m, 12.0, 8.0};
        check_scene(context, test_scene(context, &box, 1), 100.0, 0.0, 0);
    }
    rcity_context_destroy(&context);
}

/* A made city in a context of its own. */
static void open_city(tile_world *world, rcity_city_kind kind, double tile_m2, int thread_count, uint64_t memory_bytes)
{
    rcity_context_options options = rcity_context_options_default();
    rcity_context *context = NULL;
    options.thread_count = thread_count;
    options.memory_bytes = memory_bytes;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    tile_world_init(world, context, sight_city(context, kind, 7, 0.1), tile_m2);
}

static void close_city(tile_world *world)
{
    rcity_context *context = world->context;
    tile_world_deinit(world);
    rcity_context_destroy(&context);
}

/* Strips, threads and the limit on memory cut the work; the rows stay the same. */
static void test_pieces_and_threads_change_nothing(void **state)
{
    (void)state;
    tile_world whole;
    rcity_tile_matrix *expected = NULL;
    rcity_tile_matrix_options options = rcity_tile_matrix_options_default();
    open_city(&whole, RCITY_CITY_CORE, 100.0, 1, 0);
    assert_ok(whole.context, tile_world_build(&whole, &options, NULL, &expected));
    assert_int_equal(expected->effort.strip_count, 1);
    uint64_t peak = rcity_context_memory_peak(whole.context);
    for (int round = 0; round < 6; round++) {
        tile_world world;
        rcity_tile_matrix *matrix = NULL;
        open_city(&world, RCITY_CITY_CORE, 100.0, 1 + round % 3, round < 3 ? 0 : peak + ((uint64_t)4 << 20));
        options.strip_bytes = round % 2 == 0 ? 0 : 20000;
        assert_ok(world.context,
                  tile_world_build(&world, &options, round % 3 == 0 ? test_path("pieces.vis") : NULL, &matrix));
        assert_true(round % 2 == 0 || matrix->effort.strip_count > 10);
        assert_same_matrix(matrix, expected);
        rcity_tile_matrix_close(world.context, &matrix);
        close_city(&world);
    }
    rcity_tile_matrix_close(whole.context, &expected);
    close_city(&whole);
}

/* What the limits leave out, what is tested, and what is found add up. */
static void test_effort_adds_up(void **state)
{
    (void)state;
    tile_world world;
    rcity_tile_matrix *matrix = NULL;
    rcity_tile_matrix_options options = rcity_tile_matrix_options_default();
    open_city(&world, RCITY_CITY_GRID, 100.0, 2, 0);
    options.range_m = 100.0;
    assert_ok(world.context, tile_world_build(&world, &options, NULL, &matrix));
    const rcity_tile_matrix_effort *effort = &matrix->effort;
    int64_t pairs = (int64_t)matrix->tile_count * (matrix->tile_count - 1) / 2;
    assert_true(effort->cull.range > 0 && effort->cull.facing > 0 && effort->cull.horizon > 0);
    assert_true(effort->ray_count >= matrix->entry_count / 2);
    assert_true(effort->cull.range + effort->cull.facing + effort->cull.horizon + effort->ray_count <= pairs);
    assert_true(effort->tested_block_pair_count <= effort->block_pair_count);
    assert_true(matrix->byte_count >= 2 * matrix->entry_count);
    rcity_tile_matrix_close(world.context, &matrix);
    close_city(&world);
}

/* The rays of a city that skylines leave out are those that are blocked: the rows are the same without skylines. Small
   tiles are seen at all heights. */
static void test_skylines_change_nothing(void **state)
{
    (void)state;
    static const double tiles_m2[] = {100.0, 25.0};
    for (int kind = 0; kind < RCITY_CITY_KIND_COUNT; kind++) {
        for (int i = 0; i < (test_is_called_with("long") ? 2 : 1); i++) {
            tile_world world;
            rcity_tile_matrix *matrix = NULL;
            rcity_tile_matrix *plain = NULL;
            rcity_tile_matrix_options options = rcity_tile_matrix_options_default();
            open_city(&world, (rcity_city_kind)kind, tiles_m2[i], 2, 0);
            assert_true(options.uses_horizon);
            assert_ok(world.context, tile_world_build(&world, &options, NULL, &matrix));
            options.uses_horizon = false;
            assert_ok(world.context, tile_world_build(&world, &options, NULL, &plain));
            assert_same_matrix(matrix, plain);
            print_message("%s: %lld rays, %lld without skylines; %lld pairs of tiles below one\n",
                          rcity_city_kind_name((rcity_city_kind)kind), (long long)matrix->effort.ray_count,
                          (long long)plain->effort.ray_count, (long long)matrix->effort.cull.horizon);
            int64_t saved = plain->effort.ray_count - matrix->effort.ray_count;
            assert_int_equal(plain->effort.cull.horizon, 0);
            assert_true(kind == RCITY_CITY_HILLS ? saved == 0
                                                 : saved > plain->effort.ray_count / 20); /* no buildings */
            assert_true(matrix->effort.cull.horizon >= saved);
            rcity_tile_matrix_close(world.context, &plain);
            rcity_tile_matrix_close(world.context, &matrix);
            close_city(&world);
        }
    }
}

/* Low, wide houses around a tower, whose tiles look down on them: lines fall behind roofs, or just miss them. */
static void test_towers_look_over_low_roofs(void **state)
{
    (void)state;
    enum { BOXES = 12 };
    int64_t below = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        rcity_context *context = test_context(2);
        test_box boxes[BOXES] = {{90, 90, 105, 105, 60}};
        for (uint64_t i = 1; i < BOXES; i++) {
            double x = 200.0 * (double)(i % 4) / 4.0 + test_uniform(seed, 5 * i, 0.0, 12.0);
            double y = 200.0 * (double)(i / 4) / 3.0 + test_uniform(seed, 5 * i + 1, 0.0, 12.0);
            double width = test_uniform(seed, 5 * i + 2, 8.0, 35.0);
            double depth = test_uniform(seed, 5 * i + 3, 4.0, 40.0);
            boxes[i] = (test_box){x, y, x + width, y + depth, test_uniform(seed, 5 * i + 4, 3.0, 12.0)};
        }
        tile_world world;
        rcity_tile_matrix *matrix = NULL;
        rcity_tile_matrix *plain = NULL;
        rcity_tile_matrix_options options = rcity_tile_matrix_options_default();
        tile_world_init(&world, context, test_scene(context, boxes, BOXES), 20.0);
        assert_ok(context, tile_world_build(&world, &options, NULL, &matrix));
        options.uses_horizon = false;
        assert_ok(context, tile_world_build(&world, &options, NULL, &plain));
        assert_same_matrix(matrix, plain);
        below += plain->effort.ray_count - matrix->effort.ray_count;
        rcity_tile_matrix_close(context, &plain);
        rcity_tile_matrix_close(context, &matrix);
        tile_world_deinit(&world);
        rcity_context_destroy(&context);
    }
    assert_true(below > 40000);
}

/* More tiles than 16 bits number: entries of a row lie in several chunks. Rows are sampled; the range keeps them
   short. */
static void test_many_chunks(void **state)
{
    (void)state;
    enum { ROWS = 150 };
    const double range_m = 7.0;
    tile_world world;
    rcity_tile_matrix *matrix = NULL;
    rcity_tile_matrix_options options = rcity_tile_matrix_options_default();
    open_city(&world, RCITY_CITY_CORE, 1.0, 2, 0);
    options.range_m = range_m;
    options.strip_bytes = 4 << 20;
    assert_ok(world.context, tile_world_build(&world, &options, test_path("chunks.vis"), &matrix));
    assert_true(matrix->chunk_count >= 3 && matrix->effort.strip_count > 2);
    check_form(matrix);
    int64_t other_chunk = 0;
    for (uint64_t i = 0; i < ROWS; i++) {
        /* half of the rows near the ends of chunks */
        int32_t row = (int32_t)(test_random(3, i) % (uint64_t)matrix->tile_count);
        row = i % 2 == 0 ? row : RCITY_TILE_CHUNK * (1 + (int32_t)(i / 2 % 2)) - 20 + (int32_t)(i % 41);
        for (int32_t tile = 0; tile < matrix->tile_count; tile++) {
            rcity_tile_place from = world.tiling.places[row];
            rcity_tile_place to = world.tiling.places[tile];
            if (abs(from.x - to.x) > 8 * 128 || abs(from.y - to.y) > 8 * 128) {
                continue;
            }
            bool sees = tile != row && tile_world_sees(&world, row, tile, range_m);
            assert_int_equal(tile_matrix_holds(matrix, row, tile), sees);
            other_chunk += sees && row / RCITY_TILE_CHUNK != tile / RCITY_TILE_CHUNK;
        }
    }
    print_message("%d tiles, %lld entries, %lld sampled ones in another chunk\n", matrix->tile_count,
                  (long long)matrix->entry_count, (long long)other_chunk);
    assert_true(other_chunk > 0);
    rcity_tile_matrix_close(world.context, &matrix);
    close_city(&world);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    const test_box box = {0.0, 0.0, 40.0, 20.0, 20.0};
    for (int with_file = 0; with_file < 2; with_file++) {
        const char *path = with_file ? test_path("failing.vis") : NULL;
        rcity_status status = RCITY_ERR_MEMORY;
        for (long n = 1; status != RCITY_OK; n++) {
            failing_allocator failing = {0};
            rcity_context *context = test_context_failing(&failing, 1);
            tile_world world;
            tile_world_init(&world, context, test_scene(context, &box, 1), 25.0);
            long live = failing.live_count;
            rcity_tile_matrix *matrix = NULL;
            rcity_tile_matrix_options options = rcity_tile_matrix_options_default();
            options.strip_bytes = 2000;
            failing.fail_at = failing.call_count + n;
            status = tile_world_build(&world, &options, path, &matrix);
            failing.fail_at = 0;
            if (status != RCITY_OK) {
                assert_int_equal(status, RCITY_ERR_MEMORY);
                assert_null(matrix);
            } else {
                assert_true(n > 10);
                check_all_pairs(&world, matrix, 0.0);
                rcity_tile_matrix_close(context, &matrix);
            }
            assert_int_equal(failing.live_count, live);
            tile_world_deinit(&world);
            rcity_context_destroy(&context);
        }
    }
}

static void test_bad_ranges_are_refused(void **state)
{
    (void)state;
    static const double ranges_m[] = {-1.0, 0.5, 2e5, (double)NAN};
    tile_world world;
    open_city(&world, RCITY_CITY_GRID, 400.0, 1, 0);
    for (size_t i = 0; i < sizeof ranges_m / sizeof *ranges_m; i++) {
        rcity_tile_matrix_options options = rcity_tile_matrix_options_default();
        rcity_tile_matrix *matrix = NULL;
        options.range_m = ranges_m[i];
        assert_status(world.context, tile_world_build(&world, &options, NULL, &matrix), RCITY_ERR_ARGUMENT);
        assert_message(world.context, "`tile-range-m` is");
        assert_null(matrix);
    }
    close_city(&world);
}

/* The city of the benchmark, in full: a million random pairs. */
static void test_full_size(void **state)
{
    (void)state;
    if (!test_is_called_with("long")) {
        return;
    }
    tile_world world;
    rcity_tile_matrix *matrix = NULL;
    rcity_tile_matrix_options options = rcity_tile_matrix_options_default();
    rcity_context *context = test_context(0);
    tile_world_init(&world, context, sight_city(context, RCITY_CITY_HIGHRISE, 1, 20.0), 100.0);
    assert_ok(context, tile_world_build(&world, &options, test_path("full.vis"), &matrix));
    uint64_t count = (uint64_t)matrix->tile_count;
    int64_t seen = 0;
    for (uint64_t i = 0; i < 1000000; i++) {
        int32_t a = (int32_t)(test_random(1, 2 * i) % count);
        int32_t b = (int32_t)(test_random(1, 2 * i + 1) % count);
        uint32_t row_count = rcity_tile_matrix_row_count(matrix, a);
        if (i % 2 == 0 && row_count > 0) { /* half of the pairs see each other */
            uint32_t k = (uint32_t)(test_random(2, i) % row_count);
            int32_t chunk = 0;
            while (matrix->chunk_end[(size_t)a * (size_t)matrix->chunk_count + (size_t)chunk] <= k) {
                chunk++;
            }
            b = chunk * RCITY_TILE_CHUNK + matrix->column[matrix->row_first[a] + k];
        }
        bool sees = a != b && tile_world_sees(&world, a, b, 0.0);
        assert_int_equal(tile_matrix_holds(matrix, a, b), sees);
        assert_int_equal(tile_matrix_holds(matrix, b, a), sees);
        seen += sees;
    }
    print_message("%d tiles, %.1f neighbours, %g s: %lld of a million sampled pairs see each other\n",
                  matrix->tile_count, (double)matrix->entry_count / (double)count, matrix->effort.seconds,
                  (long long)seen);
    rcity_tile_matrix_close(context, &matrix);
    tile_world_deinit(&world);
    rcity_context_destroy(&context);
}

TEST_SUITE(tile_matrix)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messy_scenes_equal_the_plain_test),
        cmocka_unit_test(test_cities_equal_the_plain_test),
        cmocka_unit_test(test_few_tiles),
        cmocka_unit_test(test_pieces_and_threads_change_nothing),
        cmocka_unit_test(test_effort_adds_up),
        cmocka_unit_test(test_skylines_change_nothing),
        cmocka_unit_test(test_towers_look_over_low_roofs),
        cmocka_unit_test(test_many_chunks),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_bad_ranges_are_refused),
        cmocka_unit_test(test_full_size),
    };
    return cmocka_run_group_tests_name("tile_matrix", tests, NULL, NULL);
}
