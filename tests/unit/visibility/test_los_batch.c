/* Batches of rasters of sight: what one box hides, threads and strips, too little memory. */
#include "visibility/los/los_batch.h"

#include "los_cases.h"
#include "sight_cases.h"

static const uint64_t seed = 21;

#define SOURCE_COUNT 18

static bool is_visible(const los_stage *stage, const uint64_t *mask, int32_t column, int32_t row)
{
    return rcity_los_plane_bit(&stage->plane, mask, column, row);
}

/* A box 10 m high from x = 40 to 50 m, 30 m to both sides of the source, which is 21.5 m up at x = 0; receivers are 20
   m lower. Lines come in by the front where |y| < x 30 / 40. They leave by the back where |y| < x 30 / 50, else by an
   end, and are blocked when lower than 10 m there. Pixels on the lines between are left to other tests. */
static void check_box(const los_stage *stage, const uint64_t *mask)
{
    double per_m = stage->shapes->units_per_m;
    int hidden_count = 0;
    for (int32_t row = 0; row < stage->plane.row_count; row++) {
        for (int32_t column = 0; column < stage->plane.column_count; column++) {
            double x = stage->plane.x[column] / per_m + stage->shapes->origin_x_m;
            double y = fabs(stage->plane.y[row] / per_m + stage->shapes->origin_y_m - 50.0);
            if (x < 2.0 || x > 150.0 || fabs(y - 0.75 * x) < 0.01 || fabs(y - 0.6 * x) < 0.01) {
                continue;
            }
            bool is_inside = x > 40.0 && x < 50.0 && y < 30.0;
            double out = y < 0.6 * x ? 50.0 : 30.0 * x / y;
            bool is_blocked = y < 0.75 * x && x > 40.0 && out < x && 21.5 - 20.0 * out / x < 10.0;
            bool expected = !is_inside && !is_blocked;
            hidden_count += !expected;
            if (is_visible(stage, mask, column, row) != expected) {
                print_error("x %g m, y %g m: expected %d\n", x, y, expected);
                fail();
            }
        }
    }
    assert_true(hidden_count > 1000);
}

static void trace(rcity_context *context, los_stage *stage, size_t local_bytes, const rcity_grid_point3 *sources,
                  int count, uint64_t *masks, int *strip_count)
{
    rcity_device *device = NULL;
    rcity_los_batch *batch = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    assert_ok(context, rcity_los_batch_open(context, device, &stage->plane, &batch));
    if (local_bytes > 0) {
        rcity_los_batch_limit_local(batch, local_bytes);
    }
    assert_ok(context, rcity_los_batch_trace(batch, count, sources, masks));
    *strip_count = rcity_los_batch_get_effort(batch).strip_count;
    rcity_los_batch_close(&batch);
    rcity_device_close(&device);
}

static void test_one_box(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static const test_box boxes[] = {{40, 20, 50, 80, 10}, {190, 95, 200, 100, 3}, {0, 0, 1, 1, 3}};
    los_stage stage;
    los_stage_open(context, test_scene(context, boxes, 3), 1.0, &stage);
    uint64_t *mask = calloc(stage.mask_words, sizeof *mask);
    rcity_grid_point3 source = {(int32_t)lround((0.0 - stage.shapes->origin_x_m) * stage.shapes->units_per_m),
                                (int32_t)lround((50.0 - stage.shapes->origin_y_m) * stage.shapes->units_per_m),
                                (int32_t)lround(21.5 * RCITY_HEIGHT_UNITS_PER_M)};
    int strip_count = -1;
    trace(context, &stage, 0, &source, 1, mask, &strip_count);
    assert_int_equal(strip_count, 0);
    check_box(&stage, mask);
    trace(context, &stage, 40000, &source, 1, mask, &strip_count);
    assert_int_equal(strip_count, 1);
    check_box(&stage, mask);
    free(mask);
    los_stage_close(&stage);
    rcity_context_destroy(&context);
}

static void test_sight_passes_where_corners_touch(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (int is_two = 0; is_two < 2; is_two++) {
        los_stage stage;
        rcity_grid_point3 source = los_knot_open(context, is_two != 0, &stage);
        uint64_t *mask = calloc(stage.mask_words, sizeof *mask);
        int strip_count = 0;
        trace(context, &stage, 40000, &source, 1, mask, &strip_count);
        los_knot_check(&stage, source, mask);
        free(mask);
        los_stage_close(&stage);
    }
    rcity_context_destroy(&context);
}

/* Any number of threads, and strips down to a row each, give the same bytes. */
static void test_strips_give_the_same_raster(void **state)
{
    (void)state;
    rcity_context *context = test_context(3);
    los_stage stage;
    los_stage_open(context, sight_city(context, RCITY_CITY_CORE, 4, 0.1), 6.0, &stage);
    rcity_grid_point3 sources[SOURCE_COUNT];
    for (int i = 0; i < SOURCE_COUNT; i++) {
        sources[i] = los_source(&stage, seed, i);
    }
    uint64_t *expected = calloc(SOURCE_COUNT * stage.mask_words, sizeof *expected);
    uint64_t *actual = calloc(SOURCE_COUNT * stage.mask_words, sizeof *actual);
    int strip_count = 0;
    trace(context, &stage, 0, sources, SOURCE_COUNT, expected, &strip_count);
    size_t row_bytes = 2 * stage.plane.row_words * sizeof(uint32_t);
    size_t fixed_bytes = RCITY_LOS_LOCAL_WORDS * sizeof(uint32_t);
    size_t row_count = (size_t)stage.plane.row_count;
    const size_t rows[] = {1, 2, 7, row_count - 1, row_count, row_count + 3};
    for (int i = 0; i < 6; i++) {
        trace(context, &stage, fixed_bytes + rows[i] * row_bytes, sources, SOURCE_COUNT, actual, &strip_count);
        assert_int_equal(strip_count, (int)((row_count + rows[i] - 1) / rows[i]));
        for (int k = 0; k < SOURCE_COUNT; k++) {
            size_t first = (size_t)k * stage.mask_words;
            (void)los_compare(&stage, sources[k], "strips", actual + first, expected + first);
        }
    }
    trace(context, &stage, fixed_bytes + row_bytes - 1, sources, SOURCE_COUNT, actual, &strip_count);
    assert_int_equal(strip_count, 0); /* not even a row: the host's own code */
    assert_memory_equal(actual, expected, SOURCE_COUNT * stage.mask_words * sizeof *actual);
    free(actual);
    free(expected);
    los_stage_close(&stage);
    rcity_context_destroy(&context);
}

/* Every allocation fails once; nothing is left behind, the next try goes well. */
static void test_tracing_survives_failed_allocations(void **state)
{
    (void)state;
    for (int path = 0; path < 2; path++) {
        long fail_at = 1;
        rcity_status status = RCITY_ERR_MEMORY;
        for (; status != RCITY_OK; fail_at++) {
            failing_allocator failing = {0, 0, 0};
            rcity_context *context = test_context_failing(&failing, 1);
            los_stage stage;
            los_stage_open(context, sight_messy_scene(context, 1), 1.0, &stage);
            uint64_t *masks = calloc(SOURCE_COUNT * stage.mask_words, sizeof *masks);
            rcity_grid_point3 sources[SOURCE_COUNT];
            for (int i = 0; i < SOURCE_COUNT; i++) {
                sources[i] = los_source(&stage, seed, i);
            }
            rcity_device *device = NULL;
            rcity_los_batch *batch = NULL;
            assert_ok(context, rcity_device_open(context, "host", &device));
            long live_count = failing.live_count;
            failing.call_count = 0;
            failing.fail_at = fail_at;
            status = rcity_los_batch_open(context, device, &stage.plane, &batch);
            if (status == RCITY_OK) {
                rcity_los_batch_limit_local(batch, path == 0 ? 0 : 2000 + RCITY_LOS_LOCAL_WORDS * sizeof(uint32_t));
                assert_int_equal(rcity_los_batch_get_effort(batch).strip_count > 0, path);
                status = rcity_los_batch_trace(batch, SOURCE_COUNT, sources, masks);
            }
            assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
            failing.fail_at = 0;
            rcity_los_batch_close(&batch);
            assert_int_equal(failing.live_count, live_count);
            free(masks);
            rcity_device_close(&device);
            los_stage_close(&stage);
            rcity_context_destroy(&context);
        }
        print_message("variant %d: %ld allocations failed one by one\n", path, fail_at - 2);
        assert_true(fail_at > 10);
    }
}

TEST_SUITE(los_batch)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_box),
        cmocka_unit_test(test_sight_passes_where_corners_touch),
        cmocka_unit_test(test_strips_give_the_same_raster),
        cmocka_unit_test(test_tracing_survives_failed_allocations),
    };
    return cmocka_run_group_tests_name("los_batch", tests, NULL, NULL);
}
