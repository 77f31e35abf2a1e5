/* Sight over cubes: the same bits on every device as on the host, which test_cube_sight holds against direct lines. */
#include "bench/bench_data.h"
#include "cube_world.h"
#include "visibility/cubes/cube_sight.h"

#define SOURCE_COUNT 5
#define CUBE_COUNT   257 /* one more than a work-group */
#define DEVICE_MAX   32

/* All answers about one world: layers, then lists, for each mode. */
typedef struct answers {
    size_t word_count;
    uint32_t *masks;
    uint8_t lists[5][SOURCE_COUNT * CUBE_COUNT];
} answers;

static void ask(const char *id, const cube_world *world, int shape, uint64_t buffer_bytes, answers *given)
{
    rcity_context *context = test_context(2);
    rcity_device *device = NULL;
    rcity_cube_sight *sight = NULL;
    assert_ok(context, rcity_device_open(context, id, &device));
    assert_ok(context, rcity_cube_sight_open(context, device, &world->map, world->words, &sight));
    rcity_device_limit_buffer(device, buffer_bytes);
    cube_world draws = *world; /* the same cubes for every device */
    rcity_cube_source sources[SOURCE_COUNT];
    for (int i = 0; i < SOURCE_COUNT; i++) {
        const double axis[3] = {1.0, 0.3 * i, -0.1};
        sources[i] = rcity_cube_source_make(cube_world_cube(&draws));
        if (i % 2 == 1) {
            assert_ok(context, rcity_cube_source_limit(context, axis, 0.1 * i, 1.1, i == 3 ? 170.0 : 0.0, &sources[i]));
        }
    }
    rcity_cube cubes[CUBE_COUNT];
    for (int i = 0; i < CUBE_COUNT; i++) {
        cubes[i] = cube_world_cube(&draws);
    }
    given->word_count = cube_world_word_count(&world->map);
    given->masks = calloc(5 * SOURCE_COUNT * given->word_count, sizeof *given->masks);
    assert_non_null(given->masks);
    for (int32_t mode = RCITY_LINES_PLAIN; mode <= RCITY_SUPERCUBES_PAPER; mode++) {
        rcity_cube_sight_options options = {mode, shape % 2 ? 8 : 32};
        assert_ok(context, rcity_cube_sight_layers(sight, &options, 0, world->map.layer_count, SOURCE_COUNT, sources,
                                                   given->masks + (size_t)mode * SOURCE_COUNT * given->word_count));
        assert_ok(context, rcity_cube_sight_list(sight, &options, shape % 3 ? CUBE_COUNT : 1, cubes, SOURCE_COUNT,
                                                 sources, given->lists[mode]));
    }
    rcity_cube_sight_close(&sight);
    test_close(&context, NULL, &device);
}

static void check_device(const char *id)
{
    int64_t seen_count = 0;
    int shape_count = test_is_called_with("long") ? 60 : 6;
    for (int shape = 0; shape < shape_count; shape++) {
        int32_t side = 30 + 29 * (shape % 4);
        cube_world world = cube_world_make(500 + (uint64_t)shape, side, side + 3, shape % 3 == 0 ? 1 : 12 * (shape % 3),
                                           shape % 5 == 4 ? -0.01 : 0.1);
        answers host, other;
        memset(&host, 0, sizeof host);
        memset(&other, 0, sizeof other);
        uint64_t buffer_bytes = shape % 2 ? 0 : 1 << 20; /* some are cut into pieces */
        ask("host", &world, shape, 0, &host);
        ask(id, &world, shape, buffer_bytes, &other);
        size_t count = 5 * SOURCE_COUNT * host.word_count;
        for (size_t i = 0; i < count; i++) {
            if (host.masks[i] != other.masks[i]) {
                print_error("%s, seed %llu, mode %zu, word %zu: %08x, expected %08x\n", id,
                            (unsigned long long)world.seed, i / (SOURCE_COUNT * host.word_count),
                            i % (SOURCE_COUNT * host.word_count), other.masks[i], host.masks[i]);
                fail();
            }
            seen_count += host.masks[i] != 0;
        }
        assert_memory_equal(host.lists, other.lists, sizeof host.lists);
        free(host.masks);
        free(other.masks);
        cube_world_free(&world);
    }
    print_message("%s: %lld columns with visible cubes\n", id, (long long)seen_count);
    assert_true(seen_count > 10000);
}

static void test_devices_see_what_the_host_sees(void **state)
{
    (void)state;
    char id[DEVICE_MAX];
    if (!test_find_opencl(id)) {
        skip();
    }
    check_device(id);
}

static void count_result(void *user, const rcity_bench_result *result)
{
    int *count = user;
    *count += result->value > 0.0;
}

/* The benchmark `lines` compares the sums of a device with plain loops on the host, and fails where a bit differs. */
static void test_sums_of_lines_are_those_of_the_host(void **state)
{
    (void)state;
    static const char *const items[] = {"100-batch", "200", "90-super-batch", "300-super"};
    char id[DEVICE_MAX];
    if (!test_find_opencl(id)) {
        skip();
    }
    rcity_context *context = test_context(2);
    rcity_bench_options options = rcity_bench_options_default();
    int count = 0;
    options.device = id;
    options.repeat_count = 1;
    rcity_bench_run_data run = {context, &options, count_result, &count};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        rcity_bench_info info = {"lines", items[i], ""};
        assert_ok(context, rcity_bench_lines(&run, &info));
    }
    assert_int_equal(count, 8); /* with the copies and without */
    test_close(&context, NULL, NULL);
}

TEST_SUITE(cube_sight_parity)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_devices_see_what_the_host_sees),
                                       cmocka_unit_test(test_sums_of_lines_are_those_of_the_host)};
    return cmocka_run_group_tests_name("cube_sight_parity", tests, NULL, NULL);
}
