/* The program cache only ever helps; and no memory is lost when there is none, with the cache or without. */
#include "rcity_test.h"

#include "mix_kernel.h"

/* ---- the program cache ---- */

/* Open, run, close; returns how often the cache served. */
static int64_t run_and_count_hits(void)
{
    rcity_context *context = make_context(1);
    rcity_device *device = open_device(context, usable_id[0]);
    mix_run run = mix_init(100);
    assert_int_equal(mix_launch(context, device, &mix_kernel, &run), RCITY_OK);
    assert_mixed(&run);
    rcity_device_times first = times_of(device);
    assert_true(first.build_s > 0.0);
    assert_int_equal(mix_launch(context, device, &mix_kernel, &run), RCITY_OK);
    assert_mixed(&run);
    assert_true(times_of(device).build_s == first.build_s); /* the second run builds nothing */
    mix_deinit(&run);
    rcity_device_close(&device);
    rcity_context_destroy(&context);
    return first.program_cache_hits;
}

static void test_cache_serves_the_second_open(void **state)
{
    (void)state;
    need_opencl();
    clear_cache();
    assert_int_equal(run_and_count_hits(), 0);
    char path[512];
    assert_int_equal(visit_cache(false, path, sizeof path), 1);
    assert_int_equal(run_and_count_hits(), 1);
}

/* Flip one byte (offset from the end when negative), or cut the file at `length`. */
static void damage(const char *path, long offset, long length)
{
    if (length >= 0) {
        assert_int_equal(truncate(path, length), 0);
        return;
    }
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, offset, offset < 0 ? SEEK_END : SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, -1, SEEK_CUR), 0);
    fputc(byte ^ 1, file);
    assert_int_equal(fclose(file), 0);
}

static void test_cache_survives_damage(void **state)
{
    (void)state;
    need_opencl();
    static const struct {
        long offset, length;
    } damages[] = {{0, -1}, {30, -1}, {100, -1}, {120, -1}, {-1, -1}, {500, -1}, {0, 0}, {0, 100}, {0, 171}, {0, 1000}};
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        char path[512];
        clear_cache();
        assert_int_equal(run_and_count_hits(), 0);
        assert_int_equal(visit_cache(false, path, sizeof path), 1);
        damage(path, damages[i].offset, damages[i].length);
        assert_int_equal(run_and_count_hits(), 0);
        assert_int_equal(run_and_count_hits(), 1); /* and was written anew */
    }
}

static void test_cache_may_be_missing(void **state)
{
    (void)state;
    need_opencl();
    clear_cache();
    char blocked[128];
    char deep[160];
    cache_path("file", blocked, sizeof blocked);
    FILE *file = fopen(blocked, "wb");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    snprintf(deep, sizeof deep, "%s/a/b", blocked); /* below a file there is no folder */
    assert_int_equal(setenv("RADIOCITY_CACHE_DIR", deep, 1), 0);
    assert_int_equal(run_and_count_hits(), 0);
    assert_non_null(strstr(logged.debug, "is not kept"));
    assert_int_equal(run_and_count_hits(), 0);
    assert_int_equal(setenv("RADIOCITY_CACHE_DIR", cache_folder, 1), 0);
}

/* ---- allocation failure ---- */

/* List, open, run, close, stopping at the first failure; everything is given back either way. */
static rcity_status use_device(rcity_context *context, const char *id)
{
    rcity_device_info infos[DEVICE_MAX];
    int count = -1;
    RCITY_TRY(rcity_device_list(context, DEVICE_MAX, infos, &count));
    rcity_device *device = NULL;
    rcity_status status = rcity_device_open(context, id, &device);
    if (status != RCITY_OK) {
        assert_null(device);
        return status;
    }
    mix_run run = mix_init(65);
    status = mix_launch(context, device, &mix_kernel, &run);
    if (status == RCITY_OK) {
        assert_mixed(&run);
    }
    mix_deinit(&run);
    rcity_device_close(&device);
    return status;
}

static void check_allocation_failures(const char *id, bool is_cached)
{
    failing_allocator allocator = {0};
    rcity_context *context = test_context_failing(&allocator, 1);
    assert_int_equal(use_device(context, id), RCITY_OK); /* fills the cache */
    int n = 1;
    for (;; n++) {
        if (!is_cached) {
            clear_cache();
        }
        allocator.call_count = 0;
        allocator.fail_at = n;
        rcity_status status = use_device(context, id);
        assert_int_equal(rcity_context_memory_used(context), 0);
        if (status == RCITY_OK) {
            break;
        }
        assert_int_equal(status, RCITY_ERR_MEMORY);
        assert_true(rcity_context_message(context)[0] != '\0');
    }
    assert_true(allocator.call_count < n); /* success came because nothing failed, not because it was overlooked */
    rcity_context_destroy(&context);
}

static void test_allocation_failures(void **state)
{
    (void)state;
    check_allocation_failures("host", true);
    for (int i = 0; i < usable_count; i++) {
        check_allocation_failures(usable_id[i], true);
        check_allocation_failures(usable_id[i], false);
    }
}

TEST_SUITE(program_cache)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cache_serves_the_second_open),
        cmocka_unit_test(test_cache_survives_damage),
        cmocka_unit_test(test_cache_may_be_missing),
        cmocka_unit_test(test_allocation_failures),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
