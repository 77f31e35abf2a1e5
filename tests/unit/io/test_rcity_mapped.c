/* Compiled scenes of large terrain: its heights are used in the mapped file, checked before, and kept while the scene
   lives. */
#include "rcity_test.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "io/rcity_file.h"
#include "scene/scene_data.h"

enum { COLUMNS = 2052, ROWS = 2048 }; /* a little above the least number of nodes that are mapped */

_Static_assert((uint64_t)COLUMNS *ROWS >= RCITY_MAPPED_NODES_MIN, "the terrain of the tests is mapped");

static rcity_scene *make_region(rcity_context *context, int rows)
{
    rcity_scene_options options = rcity_scene_options_default();
    float *height_m = malloc((size_t)COLUMNS * (size_t)rows * sizeof *height_m);
    assert_non_null(height_m);
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            height_m[row * COLUMNS + column] = 500.0F + (float)((column * 7 + row * 13) % 997) * 0.25F;
        }
    }
    rcity_terrain terrain = {.column_count = COLUMNS, .row_count = rows, .cell_m = 30.0, .height_m = height_m};
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    assert_ok(context, rcity_scene_commit(scene));
    free(height_m);
    return scene;
}

static void assert_same_heights(const rcity_scene *a, const rcity_scene *b)
{
    const rcity_terrain_grid *x = &rcity_scene_shapes(a)->terrain;
    const rcity_terrain_grid *y = &rcity_scene_shapes(b)->terrain;
    assert_int_equal(x->row_count, y->row_count);
    assert_memory_equal(x->height, y->height, (size_t)COLUMNS * (size_t)x->row_count * sizeof *x->height);
}

/* One region for all tests, and the file it was saved to: making it takes longer than all else. */
static rcity_context *region_context;
static rcity_scene *region;
static char region_path[256];

static int open_region(void **state)
{
    (void)state;
    region_context = test_context(1);
    region = make_region(region_context, ROWS);
    snprintf(region_path, sizeof region_path, "%s", test_path("region.rcity"));
    return rcity_scene_save(region_context, region, region_path) == RCITY_OK ? 0 : -1;
}

static int close_region(void **state)
{
    (void)state;
    unlink(region_path);
    rcity_scene_destroy(&region);
    rcity_context_destroy(&region_context);
    return 0;
}

static void test_heights_stay_in_the_file(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        rcity_context *context = test_context(threads);
        rcity_scene *loaded = NULL;
        rcity_scene_info a, b;
        assert_ok(context, rcity_scene_load(context, region_path, &loaded));
        assert_true(rcity_context_memory_used(context) < 65536);
        assert_same_heights(region, loaded);
        assert_ok(context, rcity_scene_describe(region, &a));
        assert_ok(context, rcity_scene_describe(loaded, &b));
        assert_string_equal(a.hash, b.hash);
        assert_near(a.ground_min_m, b.ground_min_m, 0.0);
        assert_near(a.ground_max_m, b.ground_max_m, 0.0);
        rcity_scene_destroy(&loaded);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
    }
}

/* Small terrain is copied. */
static void test_small_terrain_is_copied(void **state)
{
    (void)state;
    const char *path = test_path("small.rcity");
    rcity_context *context = test_context(1);
    rcity_scene *saved = make_region(context, 20);
    rcity_scene *loaded = NULL;
    assert_ok(context, rcity_scene_save(context, saved, path));
    uint64_t before = rcity_context_memory_used(context);
    assert_ok(context, rcity_scene_load(context, path, &loaded));
    assert_true(rcity_context_memory_used(context) - before >= (uint64_t)COLUMNS * 20 * sizeof(int32_t));
    assert_same_heights(saved, loaded);
    rcity_scene_destroy(&loaded);
    rcity_scene_destroy(&saved);
    unlink(path);
    rcity_context_destroy(&context);
}

/* This library replaces files by a rename, so a scene that is loaded keeps what it was loaded from. */
static void test_a_replaced_file_leaves_the_scene(void **state)
{
    (void)state;
    const char *path = test_path("replaced.rcity");
    rcity_context *context = test_context(2);
    rcity_scene *other = make_region(context, 20);
    rcity_scene *loaded = NULL;
    assert_ok(context, rcity_scene_save(context, region, path));
    assert_ok(context, rcity_scene_load(context, path, &loaded));
    assert_ok(context, rcity_scene_save(context, other, path));
    assert_same_heights(region, loaded);
    assert_ok(context, rcity_scene_save(context, loaded, path));
    rcity_scene_destroy(&loaded);
    assert_ok(context, rcity_scene_load(context, path, &loaded));
    assert_ok(context, rcity_scene_save(context, loaded, path)); /* onto the file that it is mapped from */
    unlink(path);
    assert_same_heights(region, loaded);
    rcity_scene_destroy(&loaded);
    rcity_scene_destroy(&other);
    rcity_context_destroy(&context);
}

static void test_damage_is_refused_by_name(void **state)
{
    (void)state;
    const char *path = test_path("damaged.rcity");
    rcity_context *context = test_context(2);
    rcity_scene *loaded = NULL;
    char *bytes = NULL;
    size_t size = 0;
    assert_ok(context, rcity_file_load(context, region_path, &bytes, &size));
    for (uint64_t i = 0; i < 3; i++) {
        size_t at = size - 1024 - (size_t)test_uniform(4, i, 0.0, (double)COLUMNS * ROWS * 4.0 - 2048.0);
        bytes[at] = (char)(bytes[at] ^ 1);
        assert_ok(context, rcity_file_save(context, path, bytes, size));
        assert_status(context, rcity_scene_load(context, path, &loaded), RCITY_ERR_FORMAT);
        assert_message(context, "block 'heights'");
        assert_null(loaded);
        bytes[at] = (char)(bytes[at] ^ 1);
    }
    rcity_release(context, bytes);
    rcity_shapes *shapes = (rcity_shapes *)(uintptr_t)rcity_scene_shapes(region);
    int32_t *height = &shapes->terrain.height[COLUMNS * ROWS - 3];
    int32_t kept = *height;
    *height = 40000 * RCITY_HEIGHT_UNITS_PER_M; /* a right checksum, a wrong number */
    assert_ok(context, rcity_scene_save(context, region, path));
    *height = kept;
    assert_status(context, rcity_scene_load(context, path, &loaded), RCITY_ERR_FORMAT);
    assert_message(context, "impossible terrain");
    unlink(path);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* The n-th allocation fails: nothing is left, the mapping neither, which the address sanitizer would not see. */
static void test_failing_allocations(void **state)
{
    (void)state;
    rcity_status status = RCITY_ERR_MEMORY;
    for (long n = 1; status != RCITY_OK; n++) {
        failing_allocator failing = {0};
        rcity_context *context = test_context_failing(&failing, 1);
        long live_count = failing.live_count;
        rcity_scene *loaded = NULL;
        failing.fail_at = n;
        status = rcity_scene_load(context, region_path, &loaded);
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_int_equal(loaded != NULL, status == RCITY_OK);
        rcity_scene_destroy(&loaded);
        assert_int_equal(rcity_context_memory_used(context), 0);
        assert_int_equal(failing.live_count, live_count);
        rcity_context_destroy(&context);
    }
}

TEST_SUITE(rcity_mapped)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heights_stay_in_the_file),
        cmocka_unit_test(test_small_terrain_is_copied),
        cmocka_unit_test(test_a_replaced_file_leaves_the_scene),
        cmocka_unit_test(test_damage_is_refused_by_name),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests_name("rcity_mapped", tests, open_region, close_region);
}
