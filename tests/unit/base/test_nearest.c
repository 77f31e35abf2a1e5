/* The nearest given pixel: against a look at every pixel, on masks of every kind, for any number of threads. */
#include "rcity_test.h"

#include "base/nearest.h"

#define SEED 331u

typedef struct mask {
    int32_t column_count, row_count;
    size_t row_words;
    uint64_t *empty;
} mask;

/* All given; what is behind the last column and the words beyond are noise, which nobody may read. */
static mask mask_make(int32_t column_count, int32_t row_count, size_t spare_words, uint64_t noise_seed)
{
    mask made = {column_count, row_count, ((size_t)column_count + 63) / 64 + spare_words, NULL};
    size_t words = (size_t)row_count * made.row_words;
    made.empty = malloc(words * sizeof *made.empty);
    assert_non_null(made.empty);
    for (size_t i = 0; i < words; i++) {
        int64_t left = column_count - (int64_t)(i % made.row_words) * 64;
        uint64_t ours = left >= 64 ? UINT64_MAX : left > 0 ? ((uint64_t)1 << left) - 1 : 0;
        made.empty[i] = test_random(noise_seed, i) & ~ours;
    }
    return made;
}

static bool mask_get(const mask *of, int32_t column, int32_t row)
{
    return (of->empty[(size_t)row * of->row_words + (size_t)column / 64] >> (column % 64)) & 1;
}

static void mask_set(mask *of, int32_t column, int32_t row, bool is_empty)
{
    uint64_t bit = (uint64_t)1 << (column % 64);
    uint64_t *word = &of->empty[(size_t)row * of->row_words + (size_t)column / 64];
    *word = is_empty ? *word | bit : *word & ~bit;
}

static void mask_fill(mask *of, bool is_empty)
{
    for (int32_t row = 0; row < of->row_count; row++) {
        for (int32_t column = 0; column < of->column_count; column++) {
            mask_set(of, column, row, is_empty);
        }
    }
}

/* The first of the nearest, in the order of indices. */
static int32_t look_at_all(const mask *of, int32_t column, int32_t row)
{
    int32_t found = -1;
    int64_t least = INT64_MAX;
    for (int32_t y = 0; y < of->row_count; y++) {
        for (int32_t x = 0; x < of->column_count; x++) {
            int64_t square = (int64_t)(x - column) * (x - column) + (int64_t)(y - row) * (y - row);
            if (!mask_get(of, x, y) && square < least) {
                least = square;
                found = y * of->column_count + x;
            }
        }
    }
    return found;
}

static int32_t *find_sources(rcity_context *context, const mask *of)
{
    size_t count = (size_t)of->column_count * (size_t)of->row_count;
    int32_t *source = malloc((count + 1) * sizeof *source);
    assert_non_null(source);
    for (size_t i = 0; i <= count; i++) {
        source[i] = -7;
    }
    assert_ok(context, rcity_nearest_given(context, of->column_count, of->row_count, of->row_words, of->empty, source));
    assert_int_equal(source[count], -7);
    return source;
}

static void check_pixel(const mask *of, const int32_t *source, int32_t column, int32_t row, int trial)
{
    int32_t actual = source[(size_t)row * (size_t)of->column_count + (size_t)column];
    int32_t expected = look_at_all(of, column, row);
    if (actual != expected) {
        print_error("seed %u, trial %d, %d x %d pixels: (%d, %d) has %d, expected %d\n", SEED, trial, of->column_count,
                    of->row_count, column, row, actual, expected);
        fail();
    }
}

static void check_all(const mask *of, const int32_t *source, int trial)
{
    for (int32_t row = 0; row < of->row_count; row++) {
        for (int32_t column = 0; column < of->column_count; column++) {
            check_pixel(of, source, column, row, trial);
        }
    }
}

/* Boxes that overlap, or single pixels at random with a density of their own; ties are frequent in both. */
static mask random_mask(int trial)
{
    uint64_t seed = SEED * 1000u + (uint64_t)trial;
    uint64_t next = 0;
    int32_t column_count = (int32_t)test_uniform(seed, next++, 1.0, trial % 3 == 0 ? 150.0 : 40.0);
    int32_t row_count = (int32_t)test_uniform(seed, next++, 1.0, 40.0);
    mask made = mask_make(column_count, row_count, (size_t)(trial % 2), seed);
    if (trial % 4 < 2) {
        double density = trial % 4 == 0 ? test_uniform(seed, next++, 0.0, 1.0) : test_uniform(seed, next++, 0.97, 1.0);
        for (int32_t row = 0; row < row_count; row++) {
            for (int32_t column = 0; column < column_count; column++) {
                mask_set(&made, column, row, test_uniform(seed, next++, 0.0, 1.0) < density);
            }
        }
        return made;
    }
    mask_fill(&made, trial % 4 == 3); /* boxes into a field, and holes into a block */
    int box_count = (int)test_uniform(seed, next++, 1.0, 12.0);
    for (int i = 0; i < box_count; i++) {
        int32_t x0 = (int32_t)test_uniform(seed, next++, 0.0, column_count);
        int32_t y0 = (int32_t)test_uniform(seed, next++, 0.0, row_count);
        int32_t x1 = x0 + (int32_t)test_uniform(seed, next++, 1.0, trial % 4 == 3 ? 4.0 : 25.0);
        int32_t y1 = y0 + (int32_t)test_uniform(seed, next++, 1.0, trial % 4 == 3 ? 4.0 : 25.0);
        for (int32_t row = y0; row < y1 && row < row_count; row++) {
            for (int32_t column = x0; column < x1 && column < column_count; column++) {
                mask_set(&made, column, row, trial % 4 == 2);
            }
        }
    }
    return made;
}

static void test_random_masks(void **state)
{
    (void)state;
    print_message("seed %u\n", SEED);
    rcity_context *context = test_context(1);
    for (int trial = 0; trial < 160; trial++) {
        mask made = random_mask(trial);
        int32_t *source = find_sources(context, &made);
        check_all(&made, source, trial);
        free(source);
        free(made.empty);
    }
    rcity_context_destroy(&context);
}

/* All emptys, none, and all but one or but the corners, down to a single row, column and pixel. */
static void test_plain_masks(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    static const int32_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {64, 1}, {65, 2}, {128, 3}, {1, 64}, {20, 20}};
    for (int i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++) {
        for (int kind = 0; kind < 5; kind++) {
            mask made = mask_make(sizes[i][0], sizes[i][1], 0, (uint64_t)i);
            int32_t right = made.column_count - 1;
            int32_t bottom = made.row_count - 1;
            mask_fill(&made, kind > 0);
            if (kind == 2) {
                mask_set(&made, made.column_count / 2, made.row_count / 2, false);
            } else if (kind == 3) {
                mask_set(&made, right, bottom, false);
            } else if (kind == 4) {
                mask_set(&made, 0, 0, false);
                mask_set(&made, right, 0, false);
                mask_set(&made, 0, bottom, false);
                mask_set(&made, right, bottom, false);
            }
            int32_t *source = find_sources(context, &made);
            check_all(&made, source, 10 * i + kind);
            for (int32_t k = 0; kind < 2 && k <= bottom * made.column_count + right; k++) {
                assert_int_equal(source[k], kind == 0 ? k : -1);
            }
            free(source);
            free(made.empty);
        }
    }
    rcity_context_destroy(&context);
}

/* A raster of many pieces of work has the same bytes for any number of threads; some of its pixels, looked at. */
static void test_nearest_is_equal_for_any_thread_count(void **state)
{
    (void)state;
    mask made = mask_make(700, 500, 1, 5);
    mask_fill(&made, false);
    for (uint64_t i = 0; i < 160; i++) {
        int32_t x0 = (int32_t)test_uniform(SEED, 4 * i, 0.0, 690.0);
        int32_t y0 = (int32_t)test_uniform(SEED, 4 * i + 1, 0.0, 490.0);
        int32_t x1 = x0 + (int32_t)test_uniform(SEED, 4 * i + 2, 10.0, 90.0);
        int32_t y1 = y0 + (int32_t)test_uniform(SEED, 4 * i + 3, 10.0, 90.0);
        for (int32_t row = y0; row < y1 && row < 500; row++) {
            for (int32_t column = x0; column < x1 && column < 700; column++) {
                mask_set(&made, column, row, true);
            }
        }
    }
    int32_t *expected = NULL;
    static const int thread_counts[] = {1, 2, 5, 16};
    for (int i = 0; i < 4; i++) {
        rcity_context *context = test_context(thread_counts[i]);
        int32_t *source = find_sources(context, &made);
        if (expected == NULL) {
            expected = source;
        } else {
            assert_memory_equal(source, expected, (size_t)700 * 500 * sizeof *source);
            free(source);
        }
        rcity_context_destroy(&context);
    }
    for (uint64_t i = 0; i < 60; i++) {
        check_pixel(&made, expected, (int32_t)test_uniform(SEED, 1000 + 2 * i, 0.0, 700.0),
                    (int32_t)test_uniform(SEED, 1001 + 2 * i, 0.0, 500.0), (int)i);
    }
    free(expected);
    free(made.empty);
}

/* Too many pixels, and too little memory: a sentence, and nothing written. */
static void test_too_many_pixels_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    uint64_t empty = 0;
    int32_t source = -7;
    assert_status(context, rcity_nearest_given(context, 65536, 32768, 1024, &empty, &source), RCITY_ERR_ARGUMENT);
    assert_message(context, "65536 x 32768 pixels");
    rcity_context_destroy(&context);
    failing_allocator failing = {0, 0, 0};
    context = test_context_failing(&failing, 3);
    long live_count = failing.live_count;
    failing.fail_at = failing.call_count + 1;
    assert_status(context, rcity_nearest_given(context, 1, 1, 1, &empty, &source), RCITY_ERR_MEMORY);
    assert_int_equal(source, -7);
    assert_ok(context, rcity_nearest_given(context, 1, 1, 1, &empty, &source));
    assert_int_equal(source, 0);
    assert_int_equal(failing.live_count, live_count);
    rcity_context_destroy(&context);
}

TEST_SUITE(nearest)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_masks),
        cmocka_unit_test(test_plain_masks),
        cmocka_unit_test(test_nearest_is_equal_for_any_thread_count),
        cmocka_unit_test(test_too_many_pixels_are_refused),
    };
    return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
