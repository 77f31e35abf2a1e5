/* Block files: what goes in comes out; every truncation and every flipped bit is noticed. */
#include "rcity_test.h"

#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "store/store.h"

static const int32_t numbers[5] = {1, 2, 3, 4, 5};
static const char words[] = "some words";

static void save(rcity_context *context, const char *path)
{
    const rcity_store_block blocks[] = {
        {"numbers", numbers, 5, sizeof numbers[0]}, {"words", words, sizeof words, 1}, {"nothing", NULL, 0, 8}};
    assert_ok(context, rcity_store_save(context, path, "test", 3, blocks, 3));
}

static void test_round_trip(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = test_path("a.store");
    save(context, path);
    rcity_store *store = NULL;
    assert_ok(context, rcity_store_open(context, path, "test", 3, &store));
    const void *data;
    uint64_t count;
    assert_ok(context, rcity_store_get(store, "numbers", sizeof numbers[0], &data, &count));
    assert_int_equal(count, 5);
    assert_int_equal((uintptr_t)data % 64, 0);
    assert_memory_equal(data, numbers, sizeof numbers);
    assert_ok(context, rcity_store_get(store, "words", 1, &data, &count));
    assert_string_equal(data, words);
    assert_ok(context, rcity_store_get(store, "nothing", 8, &data, &count));
    assert_int_equal(count, 0);
    assert_status(context, rcity_store_get(store, "other", 1, &data, &count), RCITY_ERR_FORMAT);
    assert_status(context, rcity_store_get(store, "numbers", 8, &data, &count), RCITY_ERR_FORMAT);
    rcity_store_close(&store);
    assert_null(store);
    unlink(path);
    rcity_context_destroy(&context);
}

static void test_wrong_kind_and_version(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = test_path("b.store");
    save(context, path);
    rcity_store *store = NULL;
    assert_status(context, rcity_store_open(context, path, "scene", 3, &store), RCITY_ERR_FORMAT);
    assert_message(context, "holds a test, not a scene");
    assert_status(context, rcity_store_open(context, path, "test", 4, &store), RCITY_ERR_FORMAT);
    assert_message(context, "version 3, this program reads version 4");
    assert_status(context, rcity_store_open(context, test_path("absent"), "test", 3, &store), RCITY_ERR_FILE);
    assert_ok(context, rcity_file_save(context, path, "", 0));
    assert_status(context, rcity_store_open(context, path, "test", 3, &store), RCITY_ERR_FORMAT);
    assert_ok(context,
              rcity_file_save(context, path, "not one of ours, but long enough to hold a header of the format", 64));
    assert_status(context, rcity_store_open(context, path, "test", 3, &store), RCITY_ERR_FORMAT);
    assert_message(context, "not a radiocity file");
    assert_null(store);
    unlink(path);
    rcity_context_destroy(&context);
}

/* Every bit is guarded, the fill between blocks too. */
static void test_every_truncation_and_flipped_bit_is_noticed(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = test_path("c.store");
    save(context, path);
    char *bytes = NULL;
    size_t size = 0;
    assert_ok(context, rcity_file_load(context, path, &bytes, &size));
    rcity_store *store = NULL;
    for (size_t length = 0; length < size; length++) {
        assert_status(context, rcity_store_open_bytes(context, "x", bytes, length, "test", 3, false, &store),
                      RCITY_ERR_FORMAT);
    }
    size_t unnoticed = 0;
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        rcity_status status = rcity_store_open_bytes(context, "x", bytes, size, "test", 3, false, &store);
        if (status == RCITY_OK) {
            unnoticed++;
            rcity_store_close(&store);
        } else {
            assert_int_equal(status, RCITY_ERR_FORMAT);
        }
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
    }
    assert_int_equal(unnoticed, 0);
    rcity_release(context, bytes);
    unlink(path);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Blocks around the size of a slice, which several threads check: the checksum is that of the whole, and a flipped bit
   anywhere is noticed by the name of its block. */
static void test_large_blocks(void **state)
{
    (void)state;
    static const size_t sizes[] = {((size_t)1 << 22) - 1, (size_t)1 << 22, ((size_t)1 << 22) + 1,
                                   3 * ((size_t)1 << 22) + 77};
    const char *path = test_path("l.store");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        rcity_context *context = test_context(1 + (int)i);
        char *large = NULL;
        char *bytes = NULL;
        size_t size = 0;
        rcity_store *store = NULL;
        assert_ok(context, rcity_alloc(context, sizes[i], 1, "a block", &large));
        for (size_t k = 0; k < sizes[i]; k += 5) {
            large[k] = (char)test_uniform(9, k, -128.0, 127.0);
        }
        const rcity_store_block blocks[] = {{"words", words, sizeof words, 1}, {"large", large, sizes[i], 1}};
        assert_ok(context, rcity_store_save(context, path, "test", 3, blocks, 2));
        assert_ok(context, rcity_store_open(context, path, "test", 3, &store));
        assert_true(rcity_store_is_mapped(store));
        rcity_store_close(&store);
        assert_ok(context, rcity_file_load(context, path, &bytes, &size));
        for (uint64_t k = 0; k < 12; k++) {
            size_t at = size - sizes[i] + (size_t)test_uniform(10 + i, k, 0.0, (double)(sizes[i] - 1));
            at = k == 0 ? size - 1 : k == 1 ? size - sizes[i] : at;
            bytes[at] = (char)(bytes[at] ^ 4);
            assert_status(context, rcity_store_open_bytes(context, "x", bytes, size, "test", 3, false, &store),
                          RCITY_ERR_FORMAT);
            assert_message(context, "block 'large' of 'x' is damaged");
            bytes[at] = (char)(bytes[at] ^ 4);
        }
        assert_ok(context, rcity_store_open_bytes(context, "x", bytes, size, "test", 3, false, &store));
        assert_false(rcity_store_is_mapped(store));
        rcity_store_close(&store);
        rcity_release(context, bytes);
        rcity_release(context, large);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
    }
    unlink(path);
}

TEST_SUITE(store)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_wrong_kind_and_version),
        cmocka_unit_test(test_every_truncation_and_flipped_bit_is_noticed),
        cmocka_unit_test(test_large_blocks),
    };
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
