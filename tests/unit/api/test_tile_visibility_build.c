/* The file of a visibility matrix through the public interface: what it counts, what it refuses, memory that gives out. */
#include "rcity_test.h"

#include <unistd.h>

#include "radiocity/radiocity.h"

static void make_scene(rcity_context *context, rcity_scene **scene, rcity_device **device)
{
    const double xy_m[] = {0, 0, 18, 0, 18, 15, 0, 15};
    const int count[] = {4};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_building building = rcity_building_default();
    building.ring_count = 1;
    building.ring_point_count = count;
    building.xy_m = xy_m;
    building.height_m = 12.0;
    assert_ok(context, rcity_scene_create(context, &options, scene));
    assert_ok(context, rcity_scene_add_building(*scene, &building));
    assert_ok(context, rcity_device_open(context, "host", device));
}

static rcity_tile_visibility_options coarse(void)
{
    static const char *const names[] = {"ground-margin-m", "tile-area-m2"};
    static const char *const values[] = {"10", "400"};
    rcity_tile_visibility_options options = rcity_tile_visibility_options_default();
    options.option_count = 2;
    options.option_name = names;
    options.option_value = values;
    return options;
}

static void test_counts_and_refusals(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    rcity_tile_visibility_info tiles;
    rcity_tile_visibility_info info;
    rcity_tile_visibility_options options = coarse();
    make_scene(context, &scene, &device);
    assert_status(context, rcity_tile_visibility_build(context, scene, device, &options, "never.vis", &info),
                  RCITY_ERR_STATE);
    assert_ok(context, rcity_scene_commit(scene));
    assert_status(context, rcity_tile_visibility_build(context, scene, device, &options, NULL, &info),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "`path` is NULL");
    assert_ok(context, rcity_tile_visibility_build(context, scene, device, &options, "unit.vis", &info));
    assert_true(info.tile_count > 0 && info.entry_count > 0 && info.file_bytes > 2 * info.entry_count);
    assert_int_equal(info.tile_count, info.wall_tile_count + info.roof_tile_count + info.ground_tile_count);
    assert_int_equal(unlink("unit.vis"), 0);
    options.only_tiles = true;
    assert_ok(context, rcity_tile_visibility_build(context, scene, device, &options, NULL, &tiles));
    assert_int_equal(tiles.tile_count, info.tile_count);
    assert_int_equal(tiles.edge_count, info.edge_count);
    assert_int_equal(tiles.entry_count, 0);
    const char *const names[] = {"max-bounces"};
    const char *const values[] = {"2"};
    options.option_count = 1;
    options.option_name = names;
    options.option_value = values;
    assert_status(context, rcity_tile_visibility_build(context, scene, device, &options, NULL, &tiles),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "does not depend on `max-bounces`");
    rcity_device_close(&device);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_memory_gives_out(void **state)
{
    (void)state;
    failing_allocator failing = {0};
    rcity_context *context = test_context_failing(&failing, 1);
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    rcity_tile_visibility_options options = coarse();
    make_scene(context, &scene, &device);
    assert_ok(context, rcity_scene_commit(scene));
    rcity_status status = RCITY_ERR_MEMORY;
    for (int n = 1; status != RCITY_OK; n++) {
        rcity_tile_visibility_info info = {.tile_count = -1};
        const int64_t before = failing.live_count;
        failing.fail_at = failing.call_count + n;
        status = rcity_tile_visibility_build(context, scene, device, &options, "memory.vis", &info);
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_int_equal(status == RCITY_OK, info.tile_count > 0);
        assert_int_equal(failing.live_count, before);
        failing.fail_at = 0;
        assert_true(n < 2000);
    }
    (void)unlink("memory.vis");
    rcity_device_close(&device);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

TEST_SUITE(tile_visibility_build)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_and_refusals),
        cmocka_unit_test(test_memory_gives_out),
    };
    return cmocka_run_group_tests_name("tile_visibility_build", tests, NULL, NULL);
}
