/* Context and memory: the account, the limit, messages, progress. */
#include "rcity_test.h"

#include "base/base.h"
#include "base/parallel.h"

static void test_memory_account_keeps_its_limit(void **state)
{
    (void)state;
    rcity_context_options options = rcity_context_options_default();
    options.memory_bytes = 1000;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    char *a = NULL;
    char *b = NULL;
    assert_ok(context, rcity_alloc(context, 10, 60, "a", &a));
    for (int i = 0; i < 600; i++) {
        assert_int_equal(a[i], 0);
    }
    assert_int_equal(rcity_context_memory_used(context), 600);
    assert_status(context, rcity_alloc(context, 401, 1, "the second", &b), RCITY_ERR_MEMORY);
    assert_message(context, "the second: 401 B needed beside the 600 B in use, the limit is 1.0 kB");
    assert_null(b);
    assert_ok(context, rcity_alloc(context, 400, 1, "b", &b));
    assert_status(context, rcity_resize(context, 500, 1, "b", &b), RCITY_ERR_MEMORY);
    rcity_release(context, a);
    assert_ok(context, rcity_resize(context, 1000, 1, "b", &b));
    assert_int_equal(rcity_context_memory_used(context), 1000);
    assert_int_equal(rcity_context_memory_peak(context), 1000);
    assert_status(context, rcity_alloc(context, SIZE_MAX / 2, 4, "all", &a),
                  RCITY_ERR_MEMORY); /* the product overflows */
    rcity_release(context, b);
    rcity_release(context, NULL);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
    assert_null(context);
    rcity_context_destroy(&context);
}

static void release_nothing(void *user, void *memory)
{
    (void)user;
    (void)memory;
}

static void test_bad_options(void **state)
{
    (void)state;
    rcity_context *context = NULL;
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = -1;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_ERR_ARGUMENT);
    options.thread_count = 5000;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_ERR_ARGUMENT);
    options = rcity_context_options_default();
    options.allocator.release = release_nothing; /* one of three */
    assert_int_equal(rcity_context_create(&options, &context), RCITY_ERR_ARGUMENT);
    assert_null(context);
}

static bool stop_at_half(void *user, const char *task, double done, double total)
{
    (void)user;
    assert_string_equal(task, "work");
    return done < 0.5 * total;
}

static void test_messages_are_prefixed_and_cut(void **state)
{
    (void)state;
    rcity_context_options options = rcity_context_options_default();
    options.progress = stop_at_half;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    assert_string_equal(rcity_context_message(context), "");
    assert_int_equal(rcity_fail(context, RCITY_ERR_FILE, "x is %d", 7), RCITY_ERR_FILE);
    assert_int_equal(rcity_fail_prefix(context, RCITY_ERR_FILE, "line %d: ", 3), RCITY_ERR_FILE);
    assert_string_equal(rcity_context_message(context), "line 3: x is 7");
    char longer[3000];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    rcity_fail(context, RCITY_ERR_FILE, "%s", longer); /* cut, not overrun */
    rcity_fail_prefix(context, RCITY_ERR_FILE, "%s", longer);
    assert_int_equal(strlen(rcity_context_message(context)), 1023);
    assert_ok(context, rcity_progress(context, "work", 1, 10));
    assert_status(context, rcity_progress(context, "work", 5, 10), RCITY_ERR_CANCELLED);
    rcity_context_destroy(&context);
}

static void test_status_names(void **state)
{
    (void)state;
    assert_string_equal(rcity_status_name(RCITY_ERR_GEOMETRY), "RCITY_ERR_GEOMETRY");
    assert_string_equal(rcity_status_text(RCITY_OK), "success");
    assert_non_null(rcity_status_name((rcity_status)77));
    assert_non_null(rcity_status_text((rcity_status)77));
}

static void add_items(void *user, int64_t begin, int64_t end, int thread_index)
{
    assert_true(thread_index >= 0 && thread_index < 8);
    int *seen = user;
    for (int64_t i = begin; i < end; i++) {
        seen[i]++;
    }
}

static void test_parallel_work_covers_every_item_once(void **state)
{
    (void)state;
    const int64_t counts[] = {0, 1, 7, 64, 1000};
    for (int threads = 1; threads <= 8; threads *= 2) {
        rcity_context *context = test_context(threads);
        for (int i = 0; i < 5; i++) {
            int seen[1000] = {0};
            rcity_parallel(context, counts[i], 7, add_items, seen);
            for (int64_t k = 0; k < 1000; k++) {
                assert_int_equal(seen[k], k < counts[i]);
            }
        }
        rcity_context_destroy(&context);
    }
}

static void test_bytes_text(void **state)
{
    (void)state;
    char text[32];
    assert_string_equal(rcity_format_bytes(999, text), "999 B");
    assert_string_equal(rcity_format_bytes(1500, text), "1.5 kB");
    assert_string_equal(rcity_format_bytes(2.5e9, text), "2.5 GB");
}

static void test_share_text(void **state)
{
    (void)state;
    char text[96];
    assert_string_equal(rcity_format_share(1, 1, "receiver", "is", "are", text), "the only receiver is");
    assert_string_equal(rcity_format_share(1, 3, "receiver", "is", "are", text), "1 of 3 receivers is");
    assert_string_equal(rcity_format_share(3, 3, "point", "lies", "lie", text), "3 of 3 points lie");
    assert_string_equal(rcity_format_share(0, 1, "point", "lies", "lie", text), "0 of 1 point lie");
}

TEST_SUITE(context)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_account_keeps_its_limit),
        cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_messages_are_prefixed_and_cut),
        cmocka_unit_test(test_status_names),
        cmocka_unit_test(test_parallel_work_covers_every_item_once),
        cmocka_unit_test(test_bytes_text),
        cmocka_unit_test(test_share_text),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
