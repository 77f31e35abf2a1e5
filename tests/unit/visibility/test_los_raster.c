/* Rasters of sight by shadows against the segment test, pixel by pixel. */
#include "los_cases.h"
#include "sight_cases.h"

#include "radiocity/city.h"

static const uint64_t seed = 5;
static int source_count = 27; /* a scene */
static uint64_t messy_count = 12;

static void compare_many(los_stage *stage, const char *what)
{
    int64_t visible = 0;
    uint64_t *fast = calloc(stage->mask_words, sizeof *fast);
    uint64_t *plain = calloc(stage->mask_words, sizeof *plain);
    for (int i = 0; i < source_count; i++) {
        rcity_grid_point3 source = los_source(stage, seed, i);
        assert_ok(stage->context, rcity_los_trace(stage->context, &stage->plane, &stage->worker, source, fast));
        rcity_los_trace_plainly(&stage->plane, source, plain);
        visible += los_compare(stage, source, what, fast, plain);
    }
    print_message("%s, seed %llu: %d sources, %lld pixels of them visible\n", what, (unsigned long long)seed,
                  source_count, (long long)visible);
    assert_true(visible > 1000);
    free(plain);
    free(fast);
    los_stage_close(stage);
}

static void test_raster_equals_segment_test_in_cities(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (int kind = 0; kind < 4; kind++) { /* towers stand on hills, and hills have no buildings */
        los_stage stage;
        rcity_scene *scene = sight_city(context, (rcity_city_kind)kind, 3, 0.2);
        los_stage_open(context, scene, kind == 0 ? 4.0 : 3.3, &stage);
        assert_true((stage.plane.ground_y != NULL) == (kind >= 2)); /* what the ground hides is found at once */
        compare_many(&stage, rcity_city_kind_name((rcity_city_kind)kind));
    }
    rcity_context_destroy(&context);
}

/* Buildings that overlap, share walls, touch themselves, with corners on whole metres and pixels in line with them. */
static void test_messy_scenes(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t i = 1; i <= messy_count; i++) {
        los_stage stage;
        los_stage_open(context, sight_messy_scene(context, i), i % 3 == 0 ? 0.7 : 0.5, &stage);
        compare_many(&stage, "messy");
    }
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
        assert_ok(context, rcity_los_trace(context, &stage.plane, &stage.worker, source, mask));
        los_knot_check(&stage, source, mask);
        free(mask);
        los_stage_close(&stage);
    }
    rcity_context_destroy(&context);
}

TEST_SUITE(los_raster)
{
    if (test_is_called_with("long")) {
        source_count = 200;
        messy_count = 60;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_raster_equals_segment_test_in_cities),
        cmocka_unit_test(test_sight_passes_where_corners_touch),
        cmocka_unit_test(test_messy_scenes),
    };
    return cmocka_run_group_tests_name("los_raster", tests, NULL, NULL);
}
