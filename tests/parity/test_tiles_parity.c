/* Matrices of tiles, views of receivers and what transmitters see on every device: the answers of the host, for small
   and large launches. */
#include "visibility/tiles/tile_first.h"
#include "visibility/tiles/tile_views.h"

#include "device/device.h"
#include "sight_cases.h"
#include "tile_world.h"

#define DEVICE_MAX  32
#define POINT_COUNT 2000
#define FROM_COUNT  40 /* transmitters: some of the points */

/* What the host found. */
typedef struct parity_set {
    tile_world world;
    rcity_tile_matrix_options options;
    rcity_tile_matrix *matrix;
    rcity_tile_place points[POINT_COUNT];
    rcity_tile_views views;
    rcity_tile_first_answer *first; /* what transmitters see */
    int64_t first_count;
} parity_set;

static rcity_status find_views(parity_set *set, rcity_tile_views *views)
{
    tile_world *world = &set->world;
    return rcity_tile_views_build(world->context, world->device, world->sight, &world->tiling, set->options.range_m,
                                  POINT_COUNT, set->points, views);
}

/* What transmitters see; the caller frees it. One launch, and of copies no more than places and answers. */
static rcity_tile_first_answer *look_around(parity_set *set, int64_t *count)
{
    tile_world *world = &set->world;
    rcity_tile_first *first = NULL;
    rcity_tile_first_buffers buffers = {NULL, NULL};
    rcity_device_times before;
    rcity_device_times after;
    rcity_device_info info;
    assert_ok(world->context, rcity_tile_first_open(world->context, world->device, world->sight, &world->tiling,
                                                    POINT_COUNT, set->points, &first));
    *count = (int64_t)FROM_COUNT * rcity_tile_first_words(first);
    rcity_tile_first_answer *answers = calloc((size_t)*count + 1, sizeof *answers);
    assert_non_null(answers);
    rcity_device_get_times(world->device, &before);
    assert_ok(world->context, rcity_tile_first_run(world->context, first, &buffers, FROM_COUNT, set->points, answers));
    rcity_device_get_times(world->device, &after);
    rcity_device_describe(world->device, &info);
    if (strcmp(info.kind, "host") != 0) {
        assert_int_equal(after.launch_count - before.launch_count, 1);
        assert_int_equal(after.upload_bytes - before.upload_bytes, FROM_COUNT * sizeof *set->points);
        assert_int_equal(after.download_bytes - before.download_bytes, (size_t)*count * sizeof *answers);
    }
    rcity_tile_first_buffers_deinit(&buffers);
    rcity_tile_first_close(&first);
    return answers;
}

static void set_init(parity_set *set, rcity_context *context, rcity_scene *scene, double tile_m2, double range_m)
{
    tile_world_init(&set->world, context, scene, tile_m2);
    set->options = rcity_tile_matrix_options_default();
    set->options.range_m = range_m;
    for (uint64_t i = 0; i < POINT_COUNT; i++) {
        set->points[i] = tile_world_point(&set->world, 21, i);
    }
    assert_ok(context, tile_world_build(&set->world, &set->options, NULL, &set->matrix));
    assert_ok(context, find_views(set, &set->views));
    set->first = look_around(set, &set->first_count);
}

static void set_deinit(parity_set *set)
{
    rcity_context *context = set->world.context;
    free(set->first);
    rcity_tile_views_deinit(context, &set->views);
    rcity_tile_matrix_close(context, &set->matrix);
    tile_world_deinit(&set->world);
}

/* `limit_bytes` of a buffer cuts launches into small pieces; 0: the device's own. */
static void check_device(parity_set *set, const char *id, uint64_t limit_bytes)
{
    rcity_context *context = set->world.context;
    rcity_tile_matrix *matrix = NULL;
    rcity_tile_views views;
    tile_world_use_device(&set->world, id);
    rcity_device_limit_buffer(set->world.device, limit_bytes);
    assert_ok(context, tile_world_build(&set->world, &set->options, NULL, &matrix));
    assert_same_matrix(matrix, set->matrix);
    rcity_tile_matrix_close(context, &matrix);
    assert_ok(context, find_views(set, &views));
    assert_memory_equal(views.row_first, set->views.row_first,
                        ((size_t)views.tile_count + 1) * sizeof *views.row_first);
    assert_memory_equal(views.receiver, set->views.receiver,
                        (size_t)views.row_first[views.tile_count] * sizeof *views.receiver);
    rcity_tile_views_deinit(context, &views);
    int64_t count = 0;
    rcity_tile_first_answer *first = look_around(set, &count);
    assert_int_equal(count, set->first_count);
    assert_memory_equal(first, set->first, (size_t)count * sizeof *first);
    free(first);
}

/* A scene, which is given away, on all devices. */
static void check_scene(rcity_context *context, rcity_scene *scene, double tile_m2, double range_m)
{
    parity_set set;
    rcity_device_info infos[DEVICE_MAX];
    int device_count = 0;
    set_init(&set, context, scene, tile_m2, range_m);
    assert_ok(context, rcity_device_list(context, DEVICE_MAX, infos, &device_count));
    for (int i = 1; i < device_count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            check_device(&set, infos[i].id, 0);
            print_message("%d tiles, %lld entries, %llu views agree on %s\n", set.matrix->tile_count,
                          (long long)set.matrix->entry_count,
                          (unsigned long long)set.views.row_first[set.views.tile_count], infos[i].id);
        }
    }
    set_deinit(&set);
}

static void test_devices_agree(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        check_scene(context, sight_messy_scene(context, seed), 9.0, seed == 3 ? 20.0 : 0.0);
    }
    for (int kind = 0; kind < RCITY_CITY_KIND_COUNT; kind++) {
        check_scene(context, sight_city(context, (rcity_city_kind)kind, 50, 0.1), 400.0, kind == 1 ? 80.0 : 0.0);
    }
    rcity_context_destroy(&context);
}

/* Pieces cut small: some pairs of blocks a launch. What all items share must still fit. */
static void test_small_launches(void **state)
{
    (void)state;
    char id[32];
    if (!test_find_opencl(id)) {
        skip();
    }
    rcity_context *context = test_context(2);
    parity_set set;
    set_init(&set, context, sight_messy_scene(context, 2), 4.0, 0.0);
    check_device(&set, id, (uint64_t)64 << 10);
    set_deinit(&set);
    rcity_context_destroy(&context);
}

TEST_SUITE(tiles_parity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices_agree),
        cmocka_unit_test(test_small_launches),
    };
    return cmocka_run_group_tests_name("tiles_parity", tests, NULL, NULL);
}
