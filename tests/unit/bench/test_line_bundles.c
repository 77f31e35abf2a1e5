/* Bundles of lines: every cell of the square is in one of them, and each line takes the cells that rounding gives it. */
#include "bench/bench_data.h"
#include "bench/line_bundles.h"

#include "rcity_test.h"

/* floor((2 step across + along) / (2 along)), with the sign of the direction across: half-way cases to the greater
   coordinate. */
static int64_t place_of(int64_t step, int64_t along, int64_t across)
{
    int64_t numerator = 2 * step * across + along;
    int64_t place = numerator / (2 * along);
    return place * 2 * along > numerator ? place - 1 : place;
}

static void check_line(const rcity_line_bundle *bundle, int index)
{
    static const rcity_float4 values[4];
    static const float filled[4];
    int32_t along = (int32_t)(bundle->target[index] & 0xffff);
    int32_t across = (int32_t)(bundle->target[index] >> 16);
    int32_t sign = bundle->octant & RCITY_OCTANT_ACROSS_DOWN ? -1 : 1;
    assert_true(along >= bundle->common && along <= bundle->longest && bundle->length[index] == (float)along);
    for (int32_t step = 1; step <= along; step++) {
        int32_t low = (step * bundle->band + 128 - (sign < 0)) >> 8;
        rcity_line_view view = {values, filled, NULL, NULL, NULL};
        rcity_line_strides strides = {1 - low * sign, 0,
                                      sign}; /* so that a few values do: the threshold alone counts */
        rcity_line_pair pair = rcity_line_pair_read(view, strides, bundle->band, step);
        int32_t place = low + (pair.step * bundle->slope[index] >= pair.threshold);
        if (sign * place != place_of(step, along, sign * across)) {
            print_error("octant %d, band %d, line to (%d, %d), step %d: %d, expected %lld\n", bundle->octant,
                        bundle->band, along, across, step, sign * place,
                        (long long)place_of(step, along, sign * across));
            fail();
        }
    }
}

static void check_square(rcity_context *context, int32_t reach, int line_step)
{
    rcity_line_bundle *bundles = NULL;
    int64_t bundle_count = 0;
    size_t side = 2 * (size_t)reach;
    rcity_line_job job = {.reach = reach, .source_count = 1};
    uint8_t *is_found = calloc(2 * side * side, 1);
    assert_non_null(is_found);
    assert_ok(context, rcity_line_bundles_make(context, reach, &bundles, &bundle_count));
    int64_t line_count = 0;
    for (int64_t i = 0; i < bundle_count; i++) {
        for (int k = 0; k < RCITY_LINE_BUNDLE; k++) {
            int32_t target = (int32_t)bundles[i].target[k];
            if (target != 0) {
                is_found[rcity_line_result(job, 0, bundles[i].octant, target & 0xffff, target >> 16)]++;
                if (line_count++ % line_step == 0) {
                    check_line(&bundles[i], k);
                }
            }
        }
    }
    assert_int_equal(line_count, side * side - 1);
    for (size_t i = 0; i < side * side; i++) { /* each in one of the two orders, and once */
        int column = (int)(i % side) - reach;
        int row = (int)(i / side) - reach;
        size_t turned = side * side + i % side * side + i / side;
        bool is_along_x = abs(column) >= abs(row);
        bool is_source = column == 0 && row == 0;
        assert_int_equal(is_found[i], !is_along_x);
        assert_int_equal(is_found[turned], is_along_x && !is_source);
    }
    free(is_found);
    rcity_release(context, bundles);
}

static void test_bundles_have_every_line_with_its_own_cells(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (int32_t reach = 1; reach <= 20; reach++) {
        check_square(context, reach, 1);
    }
    check_square(context, 97, 1);
    check_square(context, RCITY_LINE_BUNDLE_STEPS, 11);
    rcity_line_bundle *bundles = NULL;
    int64_t bundle_count = 0;
    assert_status(context, rcity_line_bundles_make(context, 257, &bundles, &bundle_count), RCITY_ERR_ARGUMENT);
    assert_null(bundles);
    test_close(&context, NULL, NULL);
}

static void count_result(void *user, const rcity_bench_result *result)
{
    int *count = user;
    *count += result->value > 0.0;
}

/* The benchmark compares every sum with plain loops itself and fails where one differs. */
static void test_sums_of_the_benchmark_are_those_of_plain_loops(void **state)
{
    (void)state;
    static const char *const items[] = {"100", "200-batch", "200-super", "90-super-batch", "512-super"};
    rcity_context *context = test_context(2);
    rcity_bench_options options = rcity_bench_options_default();
    int count = 0;
    options.device = "host";
    options.repeat_count = 1;
    rcity_bench_run_data run = {context, &options, count_result, &count};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        rcity_bench_info info = {"lines", items[i], ""};
        assert_ok(context, rcity_bench_lines(&run, &info));
    }
    assert_int_equal(count, 5);
    test_close(&context, NULL, NULL);
}

TEST_SUITE(line_bundles)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bundles_have_every_line_with_its_own_cells),
        cmocka_unit_test(test_sums_of_the_benchmark_are_those_of_plain_loops),
    };
    return cmocka_run_group_tests_name("line_bundles", tests, NULL, NULL);
}
