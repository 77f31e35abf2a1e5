/* A stage on a device when memory is short: every allocation fails once; nothing is left behind, nothing that is under
   way writes into memory that was given back, and the next try goes well. */
#include "los_cases.h"
#include "sight_cases.h"

#include "method/shadow/trace/shadow_device.h"

static const uint64_t seed = 31;

/* Open, trace two sources together and one alone, weigh one, close. */
static rcity_status use_stage(rcity_context *context, rcity_device *device, const los_stage *los, float *loss_db)
{
    const rcity_shadow_choice choice = {2, RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_WALLS_COUNT, true, NULL};
    const rcity_shadow_bands bands = {loss_db, NULL, NULL, NULL};
    rcity_shadow_weights weights;
    memset(&weights, 0, sizeof weights);
    weights.law.wall_db = 5.0f;
    weights.law.corner.constant_db = 5.0f;
    rcity_shadow_device *stage = NULL;
    rcity_shadow_device_paths *paths[3] = {NULL, NULL, NULL};
    const rcity_grid_point3 sources[3] = {los_source(los, seed, 0), los_source(los, seed, 9), los_source(los, seed, 5)};
    rcity_status status = rcity_shadow_device_open(context, device, &los->plane, &choice, &stage);
    if (status == RCITY_OK) {
        status = rcity_shadow_device_trace(stage, 2, sources, paths);
    }
    if (status == RCITY_OK) {
        status = rcity_shadow_device_trace(stage, 1, &sources[2], &paths[2]);
    }
    if (status == RCITY_OK) {
        status = rcity_shadow_device_weigh(paths[0], &weights, NULL, 0, &bands);
    }
    if (status == RCITY_OK) {
        status = rcity_shadow_device_finish(paths[0]);
    }
    rcity_shadow_device_paths_destroy(&paths[2]);
    rcity_shadow_device_paths_destroy(&paths[1]);
    rcity_shadow_device_paths_destroy(&paths[0]);
    rcity_shadow_device_close(&stage);
    return status;
}

static void check_device(const char *id)
{
    failing_allocator failing = {0, 0, 0};
    rcity_context *context = test_context_failing(&failing, 1);
    los_stage los;
    rcity_device *device = NULL;
    los_stage_open(context, sight_messy_scene(context, 5), 1.0, &los);
    assert_ok(context, rcity_device_open(context, id, &device));
    size_t count = (size_t)los.plane.row_count * (size_t)los.plane.column_count;
    float *expected = calloc(count, sizeof *expected);
    float *found = calloc(count, sizeof *found);
    assert_ok(context, use_stage(context, device, &los, expected)); /* builds programs */
    long live_count = failing.live_count;
    long fail_at = 1;
    rcity_status status = RCITY_ERR_MEMORY;
    for (; status != RCITY_OK; fail_at++) {
        failing.call_count = 0;
        failing.fail_at = fail_at;
        status = use_stage(context, device, &los, found);
        failing.fail_at = 0;
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_int_equal(failing.live_count, live_count);
    }
    print_message("%s: %ld allocations failed one by one\n", id, fail_at - 2);
    assert_true(fail_at > 50);
    assert_memory_equal(found, expected, count * sizeof *found);
    free(found);
    free(expected);
    rcity_device_close(&device);
    los_stage_close(&los);
    rcity_context_destroy(&context);
}

static void test_failed_allocations_leave_nothing_behind(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_device_info infos[8];
    int count = 0;
    assert_ok(context, rcity_device_list(context, 8, infos, &count));
    for (int i = 0; i < count && i < 8; i++) {
        if (infos[i].is_usable) {
            check_device(infos[i].id);
        }
    }
    rcity_context_destroy(&context);
}

TEST_SUITE(shadow_memory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failed_allocations_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
