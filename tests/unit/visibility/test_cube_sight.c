/* Supercubes against direct lines, cube by cube; what a source is limited to; threads, bad input, memory. */
#include "cube_world.h"
#include "visibility/cubes/cube_sight.h"

static int scaled(int quick, int full)
{
    return test_is_called_with("long") ? full : quick;
}

static rcity_device *open_host(rcity_context *context)
{
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    return device;
}

static rcity_cube_sight *open_sight(rcity_context *context, rcity_device *device, const cube_world *world)
{
    rcity_cube_sight *sight = NULL;
    assert_ok(context, rcity_cube_sight_open(context, device, &world->map, world->words, &sight));
    return sight;
}

static int bit(const rcity_cube_map *map, const uint32_t *words, int column, int row, int layer)
{
    return rcity_cube_is_filled(*map, words, (rcity_cube){column, row, layer});
}

/* Does the visible region of a layer end at a cube or beside it? */
static bool is_at_edge(const rcity_cube_map *map, const uint32_t *visible, int column, int row, int layer)
{
    int seen_count = 0;
    int count = 0;
    for (int y = row - 1; y <= row + 1; y++) {
        for (int x = column - 1; x <= column + 1; x++) {
            if (x >= 0 && x < map->column_count && y >= 0 && y < map->row_count) {
                seen_count += bit(map, visible, x, y, layer);
                count++;
            }
        }
    }
    return seen_count > 0 && seen_count < count;
}

typedef struct comparison {
    int64_t visible_count, different_count, off_edge_count;
} comparison;

static void compare(const rcity_cube_map *map, const uint32_t *expected, const uint32_t *actual, comparison *sum)
{
    for (int row = 0; row < map->row_count; row++) {
        for (int column = 0; column < map->column_count; column++) {
            for (int layer = 0; layer < map->layer_count; layer++) {
                int is_visible = bit(map, expected, column, row, layer);
                sum->visible_count += is_visible;
                if (is_visible != bit(map, actual, column, row, layer)) {
                    sum->different_count++;
                    sum->off_edge_count += !is_at_edge(map, expected, column, row, layer);
                }
            }
        }
    }
}

/* Sources in corners and in the middle, on the ground, on a roof, in a filled cube. */
static void draw_sources(cube_world *world, int count, rcity_cube_source *sources)
{
    for (int i = 0; i < count; i++) {
        rcity_cube cube = cube_world_cube(world);
        if (i == 0) {
            cube = (rcity_cube){0, 0, 0};
        } else if (i == 1) {
            cube = (rcity_cube){world->map.column_count / 2, world->map.row_count / 2, world->map.layer_count - 1};
        }
        sources[i] = rcity_cube_source_make(cube);
    }
}

#define SOURCE_COUNT 4

static void compare_modes(rcity_context *context, rcity_device *device, cube_world *world, int32_t mode, int32_t edge,
                          comparison *sum)
{
    rcity_cube_sight *sight = open_sight(context, device, world);
    rcity_cube_source sources[SOURCE_COUNT];
    draw_sources(world, SOURCE_COUNT, sources);
    size_t word_count = cube_world_word_count(&world->map);
    uint32_t *masks[2];
    for (int i = 0; i < 2; i++) {
        rcity_cube_sight_options options = {i == 0 ? RCITY_LINES_PLAIN : mode, edge};
        masks[i] = malloc(SOURCE_COUNT * word_count * sizeof *masks[i]);
        assert_non_null(masks[i]);
        assert_ok(context,
                  rcity_cube_sight_layers(sight, &options, 0, world->map.layer_count, SOURCE_COUNT, sources, masks[i]));
    }
    for (size_t i = 0; i < SOURCE_COUNT; i++) {
        compare(&world->map, masks[0] + i * word_count, masks[1] + i * word_count, sum);
    }
    free(masks[0]);
    free(masks[1]);
    rcity_cube_sight_close(&sight);
}

static cube_world world_of(int shape)
{
    static const double shares[] = {0.05, 0.3, -0.002, -0.05, 0.15};
    int side = 40 + 37 * (shape % 5);
    return cube_world_make(1000 + (uint64_t)shape, side, shape % 3 == 2 ? 30 : side + 11,
                           shape % 4 == 0 ? 1 : 3 + shape % 9, shares[shape % 5]);
}

static void test_supercubes_see_what_direct_lines_see(void **state)
{
    (void)state;
    static const int32_t edges[] = {32, 1, 7, 16, 3, 64};
    rcity_context *context = test_context(2);
    rcity_device *device = open_host(context);
    comparison sum = {0, 0, 0};
    for (int shape = 0; shape < scaled(18, 300); shape++) {
        cube_world world = world_of(shape);
        comparison before = sum;
        compare_modes(context, device, &world, RCITY_SUPERCUBES, edges[shape % 6], &sum);
        if (sum.different_count != before.different_count) {
            print_error("seed %llu: %lld cubes differ\n", (unsigned long long)world.seed,
                        (long long)(sum.different_count - before.different_count));
        }
        cube_world_free(&world);
    }
    print_message("supercubes: %lld visible cubes, %lld differ\n", (long long)sum.visible_count,
                  (long long)sum.different_count);
    assert_true(sum.visible_count > 100000);
    assert_int_equal(sum.different_count, 0);
    test_close(&context, NULL, &device);
}

/* What the paper's rule costs, for docs/methods/cubes-lines.md: it is no part of the answers by default. */
static void test_neighbouring_lines_of_the_paper_differ_at_edges_of_shadows(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_device *device = open_host(context);
    for (int side = 128; side <= scaled(256, 512); side *= 2) {
        comparison sum = {0, 0, 0};
        for (uint64_t i = 0; i < 3; i++) {
            cube_world world = cube_world_make(77 + i, side, side, 6, 0.1);
            compare_modes(context, device, &world, RCITY_SUPERCUBES_PAPER, 32, &sum);
            cube_world_free(&world);
        }
        print_message(
            "the paper's rule, %d x %d x 6: %lld visible cubes, %.3f %% differ, %lld of %lld not beside an edge\n",
            side, side, (long long)sum.visible_count, 100.0 * (double)sum.different_count / (double)sum.visible_count,
            (long long)sum.off_edge_count, (long long)sum.different_count);
        assert_true(sum.different_count > 0); /* or it would not be another rule */
        assert_true(sum.different_count < sum.visible_count / 3);
    }
    test_close(&context, NULL, &device);
}

static void test_touched_cubes_and_skipping_are_the_kernels(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_device *device = open_host(context);
    cube_world world = cube_world_make(5, 70, 60, 40, 0.1);
    comparison skip = {0, 0, 0};
    comparison touched = {0, 0, 0};
    compare_modes(context, device, &world, RCITY_LINES_SKIP, 32, &skip);
    compare_modes(context, device, &world, RCITY_LINES_TOUCHED, 32, &touched);
    assert_int_equal(skip.different_count, 0);
    assert_true(touched.different_count > 0 && touched.different_count < touched.visible_count / 2);
    cube_world_free(&world);
    test_close(&context, NULL, &device);
}

static void test_chosen_layers_alone_are_answered(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_device *device = open_host(context);
    cube_world world = cube_world_make(6, 80, 50, 40, 0.1);
    rcity_cube_sight *sight = open_sight(context, device, &world);
    rcity_cube_source source = rcity_cube_source_make((rcity_cube){40, 25, 39});
    size_t word_count = cube_world_word_count(&world.map);
    uint32_t *all = calloc(word_count, sizeof *all);
    uint32_t *some = malloc(word_count * sizeof *some);
    assert_non_null(all);
    assert_non_null(some);
    memset(some, 0xff, word_count * sizeof *some);
    rcity_cube_sight_options plain = {RCITY_LINES_PLAIN, 32};
    rcity_cube_sight_options super = {RCITY_SUPERCUBES, 8};
    assert_ok(context, rcity_cube_sight_layers(sight, &plain, 0, 40, 1, &source, all));
    assert_ok(context, rcity_cube_sight_layers(sight, &super, 31, 34, 1, &source, some));
    int visible_count = 0;
    for (int row = 0; row < 50; row++) {
        for (int column = 0; column < 80; column++) {
            for (int layer = 0; layer < 40; layer++) {
                int expected = layer >= 31 && layer < 34 && bit(&world.map, all, column, row, layer);
                assert_int_equal(bit(&world.map, some, column, row, layer), expected);
                visible_count += expected;
            }
        }
    }
    assert_true(visible_count > 1000);
    free(some);
    free(all);
    rcity_cube_sight_close(&sight);
    cube_world_free(&world);
    test_close(&context, NULL, &device);
}

/* The angle and distance of a cube in double precision. */
static bool is_within(const rcity_cube_map *map, rcity_cube from, rcity_cube to, const double axis[3], double low,
                      double high, double range_m, bool *is_close_call)
{
    double x = (double)map->edge_m * (to.column - from.column);
    double y = (double)map->edge_m * (to.row - from.row);
    double z = (double)map->height_m * (to.layer - from.layer);
    double distance = sqrt(x * x + y * y + z * z);
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    double cosine = distance > 0.0 ? (x * axis[0] + y * axis[1] + z * axis[2]) / (length * distance) : 0.0;
    double angle = acos(fmax(-1.0, fmin(1.0, cosine)));
    bool is_inside = distance == 0.0 || (angle >= low && angle <= high);
    *is_close_call = fabs(angle - low) < 1e-3 || fabs(angle - high) < 1e-3 || fabs(distance - range_m) < 1e-3;
    return is_inside && (range_m <= 0.0 || distance <= range_m);
}

static void test_source_sees_only_its_cone_and_range(void **state)
{
    (void)state;
    static const double limits[][3] = {{0.0, 0.5, 0.0}, {0.9, 1.2, 150.0}, {0.0, 3.15, 100.0}, {2.0, 3.15, 0.0}};
    rcity_context *context = test_context(2);
    rcity_device *device = open_host(context);
    cube_world world = cube_world_make(8, 90, 90, 9, 0.08);
    rcity_cube_sight *sight = open_sight(context, device, &world);
    static rcity_cube cubes[4000];
    static uint8_t all[4000], some[4000];
    for (int i = 0; i < 4000; i++) {
        cubes[i] = cube_world_cube(&world);
    }
    rcity_cube_source everywhere = rcity_cube_source_make((rcity_cube){41, 47, 8});
    rcity_cube_sight_options options = {RCITY_LINES_PLAIN, 32};
    assert_ok(context, rcity_cube_sight_list(sight, &options, 4000, cubes, 1, &everywhere, all));
    options = (rcity_cube_sight_options){RCITY_SUPERCUBES, 8};
    for (int k = 0; k < 4; k++) {
        const double axis[3] = {1.0 - k, 2.0, -0.2 * k};
        int seen_count = 0;
        rcity_cube_source source = everywhere;
        assert_ok(context, rcity_cube_source_limit(context, axis, limits[k][0], limits[k][1], limits[k][2], &source));
        assert_ok(context, rcity_cube_sight_list(sight, &options, 4000, cubes, 1, &source, some));
        for (int i = 0; i < 4000; i++) {
            bool is_close_call = false;
            bool is_inside = is_within(&world.map, source.cube, cubes[i], axis, limits[k][0], limits[k][1],
                                       limits[k][2], &is_close_call);
            assert_true(is_close_call || some[i] == (all[i] && is_inside));
            seen_count += some[i];
        }
        assert_true(seen_count > 20);
    }
    rcity_cube_sight_close(&sight);
    cube_world_free(&world);
    test_close(&context, NULL, &device);
}

static void test_any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    cube_world world = cube_world_make(9, 150, 130, 12, 0.1);
    size_t word_count = cube_world_word_count(&world.map);
    uint32_t *masks[3];
    rcity_cube_source sources[3];
    draw_sources(&world, 3, sources);
    for (int i = 0; i < 3; i++) {
        rcity_context *context = test_context(1 + 2 * i);
        rcity_device *device = open_host(context);
        rcity_cube_sight *sight = open_sight(context, device, &world);
        rcity_cube_sight_options options = rcity_cube_sight_options_default();
        masks[i] = calloc(3 * word_count, sizeof *masks[i]);
        assert_non_null(masks[i]);
        assert_ok(context, rcity_cube_sight_layers(sight, &options, 0, 12, 3, sources, masks[i]));
        assert_memory_equal(masks[i], masks[0], 3 * word_count * sizeof *masks[i]);
        rcity_cube_sight_close(&sight);
        test_close(&context, NULL, &device);
    }
    for (int i = 0; i < 3; i++) {
        free(masks[i]);
    }
    cube_world_free(&world);
}

static void test_bad_input_is_refused_with_its_value(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_device *device = open_host(context);
    cube_world world = cube_world_make(10, 20, 20, 3, 0.1);
    rcity_cube_sight *sight = NULL;
    rcity_cube_map wrong = world.map;
    wrong.column_count = 20000;
    assert_status(context, rcity_cube_sight_open(context, device, &wrong, world.words, &sight), RCITY_ERR_ARGUMENT);
    assert_message(context, "20000 x 20");
    wrong = world.map;
    wrong.word_count = 2;
    assert_status(context, rcity_cube_sight_open(context, device, &wrong, world.words, &sight), RCITY_ERR_ARGUMENT);
    assert_message(context, "has 2 words");
    assert_null(sight);
    sight = open_sight(context, device, &world);
    uint32_t visible[400];
    rcity_cube_sight_options options = {RCITY_SUPERCUBES, 0};
    rcity_cube_source source = rcity_cube_source_make((rcity_cube){3, 3, 1});
    assert_status(context, rcity_cube_sight_layers(sight, &options, 0, 3, 1, &source, visible), RCITY_ERR_ARGUMENT);
    assert_message(context, "supercubes of 0 cubes");
    options = (rcity_cube_sight_options){9, 32};
    assert_status(context, rcity_cube_sight_layers(sight, &options, 0, 3, 1, &source, visible), RCITY_ERR_ARGUMENT);
    options = rcity_cube_sight_options_default();
    assert_status(context, rcity_cube_sight_layers(sight, &options, 1, 4, 1, &source, visible), RCITY_ERR_ARGUMENT);
    assert_message(context, "1 to 3");
    assert_status(context, rcity_cube_sight_layers(sight, &options, 0, 3, 1, NULL, visible), RCITY_ERR_ARGUMENT);
    source.cube.row = 20;
    assert_status(context, rcity_cube_sight_layers(sight, &options, 0, 3, 1, &source, visible), RCITY_ERR_ARGUMENT);
    assert_message(context, "(3, 20, 1)");
    uint8_t seen = 7;
    rcity_cube outside = {0, -1, 0};
    source.cube.row = 2;
    assert_status(context, rcity_cube_sight_list(sight, &options, 1, &outside, 1, &source, &seen), RCITY_ERR_ARGUMENT);
    assert_int_equal(seen, 7);
    assert_ok(context, rcity_cube_sight_list(sight, &options, 0, NULL, 1, &source, &seen));
    assert_ok(context, rcity_cube_sight_layers(sight, &options, 0, 3, 0, NULL, visible));
    const double none[3] = {0.0, 0.0, 0.0};
    const double up[3] = {0.0, 0.0, 1.0};
    assert_status(context, rcity_cube_source_limit(context, none, 0.0, 1.0, 0.0, &source), RCITY_ERR_ARGUMENT);
    assert_status(context, rcity_cube_source_limit(context, up, 1.0, 0.5, 0.0, &source), RCITY_ERR_ARGUMENT);
    assert_status(context, rcity_cube_source_limit(context, up, 0.0, 1.0, (double)NAN, &source), RCITY_ERR_ARGUMENT);
    rcity_cube_sight_close(&sight);
    rcity_cube_sight_close(&sight);
    cube_world_free(&world);
    test_close(&context, NULL, &device);
}

static void test_failing_allocations_leave_nothing(void **state)
{
    (void)state;
    cube_world world = cube_world_make(11, 90, 80, 4, 0.1);
    uint32_t *visible = calloc(cube_world_word_count(&world.map), sizeof *visible);
    assert_non_null(visible);
    rcity_cube_source source = rcity_cube_source_make((rcity_cube){3, 3, 1});
    rcity_cube_sight_options options = {RCITY_SUPERCUBES, 8};
    rcity_status status = RCITY_ERR_MEMORY;
    long fail_at = 3; /* the first are the context and the device */
    for (; status != RCITY_OK; fail_at++) {
        failing_allocator failing = {0, 0, 0};
        rcity_context *context = test_context_failing(&failing, 2);
        rcity_device *device = open_host(context);
        rcity_cube_sight *sight = NULL;
        long live_count = failing.live_count;
        failing.fail_at = failing.call_count + fail_at - 2;
        status = rcity_cube_sight_open(context, device, &world.map, world.words, &sight);
        if (status == RCITY_OK) {
            status = rcity_cube_sight_layers(sight, &options, 0, 4, 1, &source, visible);
        }
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        rcity_cube_sight_close(&sight);
        assert_int_equal(failing.live_count, live_count);
        rcity_device_close(&device);
        rcity_context_destroy(&context);
        assert_true(fail_at < 60);
    }
    assert_true(fail_at > 6); /* some did fail */
    free(visible);
    cube_world_free(&world);
}

TEST_SUITE(cube_sight)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_supercubes_see_what_direct_lines_see),
        cmocka_unit_test(test_neighbouring_lines_of_the_paper_differ_at_edges_of_shadows),
        cmocka_unit_test(test_touched_cubes_and_skipping_are_the_kernels),
        cmocka_unit_test(test_chosen_layers_alone_are_answered),
        cmocka_unit_test(test_source_sees_only_its_cone_and_range),
        cmocka_unit_test(test_any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(test_bad_input_is_refused_with_its_value),
        cmocka_unit_test(test_failing_allocations_leave_nothing),
    };
    return cmocka_run_group_tests_name("cube_sight", tests, NULL, NULL);
}
