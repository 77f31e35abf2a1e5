/* Sorting and medians, against what is plain to see. */
#include "rcity_test.h"

#include "base/order.h"

static void test_sorts_in_ascending_order(void **state)
{
    (void)state;
    double numbers[500];
    int32_t whole[500];
    for (size_t count = 0; count <= 500; count += 1 + count / 3) {
        double sum = 0.0;
        for (size_t i = 0; i < count; i++) {
            whole[i] = (int32_t)(uint32_t)test_random(3, 1000 * count + i);
            numbers[i] = (double)(whole[i] % 100); /* many stand there more than once */
            sum += numbers[i];
        }
        rcity_sort_doubles(numbers, count);
        rcity_sort_int32s(whole, count);
        for (size_t i = 1; i < count; i++) {
            assert_true(numbers[i - 1] <= numbers[i]);
            assert_true(whole[i - 1] <= whole[i]);
        }
        for (size_t i = 0; i < count; i++) {
            sum -= numbers[i];
        }
        assert_near(sum, 0.0, 0.0);
    }
    rcity_sort_doubles(NULL, 0);
    rcity_sort_int32s(NULL, 0);
    int32_t ends[3] = {INT32_MAX, INT32_MIN, 0}; /* their difference is no int32_t */
    rcity_sort_int32s(ends, 3);
    assert_int_equal(ends[0], INT32_MIN);
    assert_int_equal(ends[2], INT32_MAX);
}

static void test_median_of_even_and_odd_counts(void **state)
{
    (void)state;
    double odd[] = {5.0, -1.0, 3.0};
    assert_near(rcity_median(odd, 3), 3.0, 0.0);
    assert_near(rcity_upper_median(odd, 3), 3.0, 0.0);
    double even[] = {8.0, 1.0, 2.0, 4.0};
    assert_near(rcity_median(even, 4), 3.0, 0.0);
    assert_near(even[0], 1.0, 0.0); /* they are in order now */
    assert_near(rcity_median_of_sorted(even, 4), 3.0, 0.0);
    assert_near(rcity_upper_median(even, 4), 4.0, 0.0);
    double one = 7.0;
    assert_near(rcity_median(&one, 1), 7.0, 0.0);
    assert_near(rcity_upper_median(NULL, 0), 0.0, 0.0);
}

TEST_SUITE(order)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorts_in_ascending_order),
        cmocka_unit_test(test_median_of_even_and_odd_counts),
    };
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
