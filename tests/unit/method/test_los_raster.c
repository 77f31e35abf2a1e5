/* Rasters of sight by shadows against the segment test, pixel by pixel. */
#include "los_cases.h"
#include "sight_cases.h"

#include "radiocity/city.h"

static const uint64_t seed = 5;
static int source_count = 27; /* a scene */
static uint64_t messy_count = 12;

static void compare_many(los_stage *stage, const char *what)
{
    int64_t lit = 0;
    uint64_t *fast = calloc(stage->mask_words, sizeof *fast);
    uint64_t *plain = calloc(stage->mask_words, sizeof *plain);
    for (int i = 0; i < source_count; i++) {
        rcity_grid_point3 source = los_source(stage, seed, i);
        assert_ok(stage->context, rcity_los_trace(stage->context, &stage->plane, &stage->worker, source, fast));
        rcity_los_trace_plainly(&stage->plane, source, plain);
        lit += los_compare(stage, source, what, fast, plain);
    }
    print_message("%s, seed %llu: %d sources, %lld pixels of them lit\n", what, (unsigned long long)seed, source_count,
                  (long long)lit);
    assert_true(lit > 1000);
    free(plain);
    free(fast);
    los_stage_close(stage);
}

static void test_cities(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (int kind = 0; kind < 3; kind++) {
        los_stage stage;
        rcity_scene *scene = sight_city(context, (rcity_city_kind)kind, 3, 0.2);
        los_stage_open(context, scene, kind == 0 ? 4.0 : 3.3, &stage);
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

/* A courtyard that touches the north front in one point, (10.5, 20): from within, the street is seen through that point, and
   nothing else of it, though both walls beside the point are walls of one building. */
static void test_knot(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    double xy_m[] = {0, 0, 21, 0, 21, 20, 10.5, 20, 0, 20, 10.5, 20, 8, 10, 13, 10};
    int counts[] = {5, 3};
    rcity_building building = rcity_building_default();
    building.id = 1;
    building.ring_count = 2;
    building.ring_point_count = counts;
    building.xy_m = xy_m;
    building.height_m = 10.0;
    assert_ok(context, rcity_scene_add_building(scene, &building));
    test_add_box(context, scene, 2, (test_box){0, 39, 1, 40, 3});
    assert_ok(context, rcity_scene_commit(scene));
    los_stage stage;
    los_stage_open(context, scene, 1.0, &stage);
    uint64_t *mask = calloc(stage.mask_words, sizeof *mask);
    double per_m = stage.shapes->units_per_m;
    rcity_grid_point3 source = {(int32_t)lround((10.5 - stage.shapes->origin_x_m) * per_m),
                                (int32_t)lround((12.0 - stage.shapes->origin_y_m) * per_m),
                                2 * RCITY_HEIGHT_UNITS_PER_M};
    assert_ok(context, rcity_los_trace(context, &stage.plane, &stage.worker, source, mask));
    int through = 0;
    for (int32_t row = 0; row < stage.plane.row_count; row++) {
        for (int32_t column = 0; column < stage.plane.column_count; column++) {
            bool is_beyond = stage.plane.y[row] / per_m + stage.shapes->origin_y_m > 20.5;
            bool is_lit = (mask[(size_t)row * stage.plane.row_words + (size_t)column / 64] >> (column % 64)) & 1;
            bool is_in_line = stage.plane.x[column] == source.x;
            assert_true(!is_beyond || is_lit == is_in_line);
            through += is_beyond && is_lit;
        }
    }
    assert_true(through > 10);
    free(mask);
    los_stage_close(&stage);
    rcity_context_destroy(&context);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "long") == 0) {
        source_count = 200;
        messy_count = 60;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cities),
        cmocka_unit_test(test_knot),
        cmocka_unit_test(test_messy_scenes),
    };
    return cmocka_run_group_tests_name("los_raster", tests, NULL, NULL);
}
