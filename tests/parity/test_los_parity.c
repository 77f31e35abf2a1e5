/* Rasters of sight in batches: the same bits on every device, for any number of threads and strips, and those of the
   host's sweep, which test_los_raster holds against the segment test. */
#include "visibility/los/los_batch.h"
#include "visibility/los/los_views.h"

#include "los_cases.h"
#include "sight_cases.h"

#define DEVICE_MAX 32

static const uint64_t seed = 11;
static int source_count = 36; /* a scene */
static uint64_t messy_last = 11;

/* Sources of a scene and what the host sees of them. */
typedef struct parity_set {
    los_stage stage;
    rcity_grid_point3 *sources;
    uint64_t *expected, *actual;
} parity_set;

static void fill_set(rcity_context *context, rcity_scene *scene, double cell_m, parity_set *set)
{
    los_stage_open(context, scene, cell_m, &set->stage);
    size_t words = set->stage.mask_words;
    set->sources = calloc((size_t)source_count, sizeof *set->sources);
    set->expected = calloc((size_t)source_count * words, sizeof *set->expected);
    set->actual = calloc((size_t)source_count * words, sizeof *set->actual);
    for (int i = 0; i < source_count; i++) {
        set->sources[i] = los_source(&set->stage, seed, i);
        assert_ok(context, rcity_los_trace(context, &set->stage.plane, &set->stage.worker, set->sources[i],
                                           set->expected + (size_t)i * words));
    }
}

static void free_set(parity_set *set)
{
    free(set->actual);
    free(set->expected);
    free(set->sources);
    los_stage_close(&set->stage);
}

/* Local memory of 0 leaves it to the device. @return how many pixels are visible. */
static int64_t check_device(rcity_context *context, const char *id, size_t local_bytes, parity_set *set)
{
    rcity_device *device = NULL;
    rcity_los_batch *batch = NULL;
    size_t words = set->stage.mask_words;
    int64_t visible = 0;
    assert_ok(context, rcity_device_open(context, id, &device));
    assert_ok(context, rcity_los_batch_open(context, device, &set->stage.plane, &batch));
    if (local_bytes > 0) {
        rcity_los_batch_limit_local(batch, local_bytes);
        assert_true(rcity_los_batch_get_effort(batch).strip_count > 0);
    }
    memset(set->actual, 0x55, (size_t)source_count * words * sizeof *set->actual);
    assert_ok(context, rcity_los_batch_trace(batch, 0, NULL, NULL));
    assert_ok(context, rcity_los_batch_trace(batch, source_count, set->sources, set->actual));
    for (int i = 0; i < source_count; i++) {
        char what[120];
        rcity_los_effort effort = rcity_los_batch_get_effort(batch);
        snprintf(what, sizeof what, "%s, source %d, %d strips", id, i, effort.strip_count);
        visible += los_compare(&set->stage, set->sources[i], what, set->actual + (size_t)i * words,
                               set->expected + (size_t)i * words);
    }
    rcity_los_batch_close(&batch);
    rcity_device_close(&device);
    return visible;
}

/* The same masks as they stay on a device. @return how many pixels were tested one by one. */
static int64_t check_views(rcity_context *context, const char *id, parity_set *set)
{
    rcity_device *device = NULL;
    rcity_los_views views;
    bool is_lost = false;
    int64_t words = (int64_t)set->stage.mask_words;
    int64_t asked = 0;
    assert_ok(context, rcity_device_open(context, id, &device));
    assert_ok(context, rcity_los_views_init(context, device, &set->stage.plane, &views));
    assert_ok(context, rcity_los_views_reserve(&views, source_count, &is_lost));
    views.ground.room = 7; /* several launches for a call */
    for (int i = 0; i < source_count; i++) {
        rcity_los_views_place(&views, i, set->sources[i]);
    }
    for (int first = 0, count = 1; first < source_count; first += count, count = source_count - first) {
        assert_ok(context, rcity_los_views_trace(&views, first, count)); /* one view, then all others */
        assert_ok(context, rcity_los_views_fetch(&views));
        assert_ok(context, rcity_device_finish(context, device));
        assert_ok(context, rcity_los_views_decide(&views));
        assert_ok(context, rcity_device_finish(context, device));
        for (int64_t i = 0; i < count * views.strip_count; i++) {
            asked += views.tallies[i].asked_count;
        }
    }
    memset(set->actual, 0x55, (size_t)(source_count * words) * sizeof *set->actual);
    assert_ok(context, rcity_resident_read(context, views.masks_dev, 0, 2 * source_count * words, set->actual));
    assert_ok(context, rcity_device_finish(context, device));
    for (int i = 0; i < source_count; i++) {
        char what[120];
        snprintf(what, sizeof what, "%s, view %d", id, i);
        (void)los_compare(&set->stage, set->sources[i], what, set->actual + i * words, set->expected + i * words);
    }
    rcity_los_views_deinit(&views);
    rcity_device_close(&device);
    return asked;
}

static void check_scene(rcity_context **contexts, rcity_scene *scene, double cell_m, const char *what)
{
    parity_set set;
    rcity_device_info infos[DEVICE_MAX];
    int device_count = 0;
    fill_set(contexts[0], scene, cell_m, &set);
    int64_t visible = 0;
    for (int i = 0; i < 3; i++) { /* threads */
        visible = check_device(contexts[i], "host", 0, &set);
    }
    /* the kernel, compiled for the host: sanitizers look at it there */
    size_t fixed_bytes = RCITY_LOS_LOCAL_WORDS * sizeof(uint32_t);
    size_t row_bytes = set.stage.plane.row_words * sizeof(uint64_t);
    (void)check_device(contexts[1], "host", 48 << 10, &set);
    (void)check_device(contexts[2], "host", fixed_bytes + 5 * row_bytes, &set);
    int64_t asked = check_views(contexts[2], "host", &set);
    if (set.stage.plane.ground_y != NULL) { /* the ground hides some pixels, which nobody has to test */
        int64_t pixels = (int64_t)source_count * set.stage.plane.column_count * set.stage.plane.row_count;
        print_message("%s: %lld of %lld pixels tested one by one\n", what, (long long)asked, (long long)pixels);
        assert_true(asked > 0 && asked < pixels * 9 / 10);
    }
    assert_ok(contexts[0], rcity_device_list(contexts[0], DEVICE_MAX, infos, &device_count));
    for (int i = 1; i < device_count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            (void)check_device(contexts[0], infos[i].id, 0, &set);
            (void)check_device(contexts[0], infos[i].id, fixed_bytes + 17 * row_bytes, &set);
            (void)check_views(contexts[0], infos[i].id, &set);
            print_message("%s, seed %llu: %d sources, %lld pixels of them visible, agree on %s\n", what,
                          (unsigned long long)seed, source_count, (long long)visible, infos[i].id);
        }
    }
    free_set(&set);
}

static void test_devices_agree(void **state)
{
    (void)state;
    rcity_context *contexts[3];
    for (int i = 0; i < 3; i++) {
        contexts[i] = test_context(i + 1);
    }
    check_scene(contexts, sight_city(contexts[0], RCITY_CITY_CORE, 5, 0.1), 4.0, "core");
    check_scene(contexts, sight_city(contexts[0], RCITY_CITY_CORE, 6, 0.1), 3.3, "core, columns off the grid");
    check_scene(contexts, sight_city(contexts[0], RCITY_CITY_HILLS, 7, 0.1), 7.0, "hills");
    check_scene(contexts, sight_city(contexts[0], RCITY_CITY_HIGHRISE, 8, 0.1), 5.0, "towers on hills");
    check_scene(contexts, sight_messy_scene(contexts[0], 2), 1.0, "messy, with terrain");
    for (uint64_t i = 1; i <= messy_last; i += 2) { /* flat */
        check_scene(contexts, sight_messy_scene(contexts[0], i), i < 4 ? 1.0 : 0.5, "messy");
    }
    for (int i = 0; i < 3; i++) {
        rcity_context_destroy(&contexts[i]);
    }
}

TEST_SUITE(los_parity)
{
    if (test_is_called_with("long")) {
        source_count = 200;
        messy_last = 47;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices_agree),
    };
    return cmocka_run_group_tests_name("los_parity", tests, NULL, NULL);
}
