/* The plan index finds what a plain loop finds, each item once. */
#include "rcity_test.h"

#include "scene/shape/plan_index.h"

#define ITEMS 500

static rcity_plan_box item_box(const void *user, int32_t item)
{
    return ((const rcity_plan_box *)user)[item];
}

static rcity_plan_box random_box(uint64_t seed, uint64_t i, int size)
{
    int32_t x = (int32_t)test_uniform(seed, 4 * i, -5000, 5000);
    int32_t y = (int32_t)test_uniform(seed, 4 * i + 1, 0, 90000);
    rcity_plan_box box = {x, y, x + (int32_t)(test_random(seed, 4 * i + 2) % (unsigned)size),
                          y + (int32_t)(test_random(seed, 4 * i + 3) % (unsigned)size)};
    return box;
}

static void test_against_loop(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rcity_plan_box boxes[ITEMS];
        for (uint64_t i = 0; i < ITEMS; i++) {
            boxes[i] = random_box(seed, i, seed % 2 == 0 ? 300 : 20000);
        }
        rcity_plan_index index;
        int32_t count = seed == 1 ? 0 : seed == 3 ? 1 : ITEMS;
        assert_ok(context, rcity_plan_index_build(context, count, item_box, boxes, &index));
        for (uint64_t q = 0; q < 200; q++) {
            rcity_plan_box query = random_box(seed + 100, q, q % 3 == 0 ? 1 : 30000);
            int found[ITEMS] = {0};
            rcity_plan_walk walk;
            rcity_plan_walk_init(&index, query, &walk);
            for (int32_t item = rcity_plan_walk_next(&walk); item >= 0; item = rcity_plan_walk_next(&walk)) {
                if (rcity_plan_boxes_meet(boxes[item], query) && rcity_plan_walk_is_first(&walk, boxes[item])) {
                    found[item]++;
                }
            }
            for (int32_t item = 0; item < count; item++) {
                assert_int_equal(found[item], rcity_plan_boxes_meet(boxes[item], query));
            }
        }
        rcity_plan_index_deinit(context, &index);
    }
    rcity_context_destroy(&context);
}

TEST_SUITE(plan_index)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_loop)};
    return cmocka_run_group_tests_name("plan_index", tests, NULL, NULL);
}
