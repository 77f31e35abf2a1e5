/* Numbers of walls by added shadows against the exact measure at every pixel, and against plain stretches at some. */
#include "los_cases.h"
#include "sight_cases.h"
#include "sight_plain.h"

#include "method/shadow/wall_raster.h"
#include "radiocity/city.h"
#include "radiocity/io.h"

static const uint64_t seed = 7;
static int source_count = 27; /* a scene */
static uint64_t messy_count = 12;
static int plain_count = 40; /* pixels looked at plainly, a source */

/* A plane with its walls. */
typedef struct wall_stage {
    los_stage los;
    rcity_device *device;
    rcity_walls *walls;
    size_t pixel_count;
    uint64_t *lit;
    int32_t *count, *expected;
    float *building_m, *foliage_m;
} wall_stage;

static void open_stage(rcity_context *context, rcity_scene *scene, double cell_m, wall_stage *stage)
{
    memset(stage, 0, sizeof *stage);
    los_stage_open(context, scene, cell_m, &stage->los);
    assert_ok(context, rcity_device_open(context, "host", &stage->device));
    assert_ok(context, rcity_walls_open(context, stage->device, &stage->los.plane, &stage->walls));
    stage->pixel_count = (size_t)stage->los.plane.column_count * (size_t)stage->los.plane.row_count;
    stage->lit = calloc(stage->los.mask_words, sizeof *stage->lit);
    stage->count = calloc(stage->pixel_count, sizeof *stage->count);
    stage->expected = calloc(stage->pixel_count, sizeof *stage->expected);
    stage->building_m = calloc(stage->pixel_count, sizeof *stage->building_m);
    stage->foliage_m = calloc(stage->pixel_count, sizeof *stage->foliage_m);
}

static void close_stage(wall_stage *stage)
{
    free(stage->foliage_m);
    free(stage->building_m);
    free(stage->expected);
    free(stage->count);
    free(stage->lit);
    rcity_walls_close(&stage->walls);
    rcity_device_close(&stage->device);
    los_stage_close(&stage->los);
}

/* Every count; returns how many walls there are. */
static int64_t compare_counts(const wall_stage *stage, rcity_grid_point3 source, const char *what)
{
    int32_t columns = stage->los.plane.column_count;
    int64_t sum = 0;
    for (size_t i = 0; i < stage->pixel_count; i++) {
        sum += stage->expected[i];
        if (stage->count[i] != stage->expected[i]) {
            print_error("%s: source %d %d %d, pixel %d of %d, %d of %d: %d walls, expected %d\n", what, source.x,
                        source.y, source.z, (int)i % columns, columns, (int)i / columns, stage->los.plane.row_count,
                        stage->count[i], stage->expected[i]);
            fail();
        }
    }
    return sum;
}

/* Some pixels against what shares nothing with the walk. */
static void compare_plainly(const wall_stage *stage, rcity_grid_point3 source, int number, int pixels)
{
    const rcity_los_plane *plane = &stage->los.plane;
    for (int k = 0; k < pixels; k++) {
        size_t i = test_random(seed, 100000 + 1000 * (uint64_t)number + (uint64_t)k) % stage->pixel_count;
        rcity_grid_point3 at =
            rcity_los_plane_pixel(plane, (int32_t)i % plane->column_count, (int32_t)i / plane->column_count);
        sight_plain plain = sight_plain_measure(stage->los.shapes, source, at);
        assert_int_equal(stage->count[i], plain.wall_count);
        double unit_m = 1.0 / stage->los.shapes->units_per_m;
        double length_m =
            sqrt(pow(unit_m * ((double)at.x - source.x), 2.0) + pow(unit_m * ((double)at.y - source.y), 2.0) +
                 pow(((double)at.z - source.z) / RCITY_HEIGHT_UNITS_PER_M, 2.0));
        assert_near((double)stage->building_m[i], plain.in_buildings * length_m, 1e-5 * length_m + 1e-4);
        assert_near((double)stage->foliage_m[i], plain.in_foliage * length_m,
                    (plain.in_foliage_tolerance + 1e-5) * length_m + 1e-4);
    }
}

static void compare_many(wall_stage *stage, int sources, const char *what)
{
    int64_t sum = 0;
    int32_t *metres_count = calloc(stage->pixel_count, sizeof *metres_count);
    for (int i = 0; i < sources; i++) {
        rcity_grid_point3 source = los_source(&stage->los, seed, i);
        rcity_walls_trace_plainly(stage->walls, source, NULL, stage->expected, NULL, NULL);
        assert_ok(stage->los.context, rcity_walls_trace(stage->walls, source, NULL, stage->count, NULL, NULL));
        sum += compare_counts(stage, source, what);
        if (i % 3 == 0) {
            assert_ok(stage->los.context,
                      rcity_walls_trace(stage->walls, source, NULL, metres_count, stage->building_m, stage->foliage_m));
            assert_memory_equal(metres_count, stage->count, stage->pixel_count * sizeof *metres_count);
            compare_plainly(stage, source, i, plain_count);
        }
    }
    rcity_walls_effort effort = rcity_walls_get_effort(stage->walls);
    print_message("%s, seed %llu: %d sources, %.2f walls a pixel, %.3f %% of them asked\n", what,
                  (unsigned long long)seed, sources, (double)sum / ((double)stage->pixel_count * sources),
                  100.0 * (double)effort.asked_count / ((double)stage->pixel_count * sources));
    assert_true(sum > 1000);
    assert_true(2 * effort.asked_count < (int64_t)stage->pixel_count * sources);
    free(metres_count);
}

static void test_cities(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    for (int kind = 0; kind < 3; kind++) {
        wall_stage stage;
        rcity_scene *scene = sight_city(context, (rcity_city_kind)kind, 3, 0.2);
        open_stage(context, scene, kind == 0 ? 4.0 : 3.3, &stage);
        compare_many(&stage, source_count, rcity_city_kind_name((rcity_city_kind)kind));
        close_stage(&stage);
    }
    rcity_context_destroy(&context);
}

/* Buildings that overlap, share walls, touch themselves, with corners on whole metres and pixels in line with them;
   every second scene on terrain. */
static void test_messy_scenes(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t i = 1; i <= messy_count; i++) {
        wall_stage stage;
        open_stage(context, sight_messy_scene(context, i), i % 3 == 0 ? 0.7 : 0.5, &stage);
        compare_many(&stage, source_count, "messy");
        close_stage(&stage);
    }
    rcity_context_destroy(&context);
}

static void test_munich(void **state)
{
    (void)state;
    const char *path = test_data("munich_cost231/Munich_buildings.res");
    if (path == NULL) {
        skip();
    }
    rcity_context *context = test_context(2);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_res_load(context, path, &options, &scene));
    wall_stage stage;
    open_stage(context, scene, 20.0, &stage);
    compare_many(&stage, source_count / 3, "Munich");
    close_stage(&stage);
    rcity_context_destroy(&context);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "long") == 0) {
        source_count = 200;
        messy_count = 60;
        plain_count = 400;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cities),
        cmocka_unit_test(test_messy_scenes),
        cmocka_unit_test(test_munich),
    };
    return cmocka_run_group_tests_name("wall_raster", tests, NULL, NULL);
}
