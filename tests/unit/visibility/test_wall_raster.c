/* Numbers of walls by added shadows against the exact measure at every pixel, and against plain stretches at some. */
#include "los_cases.h"
#include "munich.h"
#include "sight_cases.h"
#include "sight_plain.h"

#include "radiocity/city.h"
#include "visibility/walls/wall_raster.h"

static const uint64_t seed = 7;
static int source_count = 9; /* a scene: one of each kind */
static uint64_t messy_count = 6;
static int plain_count = 40; /* pixels looked at plainly, a source */

/* A plane with its walls. */
typedef struct wall_stage {
    los_stage los;
    rcity_device *device;
    rcity_walls *walls;
    size_t pixel_count;
    uint64_t *visible;
    int32_t *count, *expected;
    float *building_m, *foliage_m, *expected_building_m, *expected_foliage_m;
} wall_stage;

static void open_stage(rcity_context *context, rcity_scene *scene, double cell_m, wall_stage *stage)
{
    memset(stage, 0, sizeof *stage);
    los_stage_open(context, scene, cell_m, &stage->los);
    assert_ok(context, rcity_device_open(context, "host", &stage->device));
    assert_ok(context, rcity_walls_open(context, stage->device, &stage->los.plane, &stage->walls));
    stage->pixel_count = (size_t)stage->los.plane.column_count * (size_t)stage->los.plane.row_count;
    stage->visible = calloc(stage->los.mask_words, sizeof *stage->visible);
    stage->count = calloc(stage->pixel_count, sizeof *stage->count);
    stage->expected = calloc(stage->pixel_count, sizeof *stage->expected);
    stage->building_m = calloc(stage->pixel_count, sizeof *stage->building_m);
    stage->foliage_m = calloc(stage->pixel_count, sizeof *stage->foliage_m);
    stage->expected_building_m = calloc(stage->pixel_count, sizeof *stage->expected_building_m);
    stage->expected_foliage_m = calloc(stage->pixel_count, sizeof *stage->expected_foliage_m);
}

static void close_stage(wall_stage *stage)
{
    free(stage->expected_foliage_m);
    free(stage->expected_building_m);
    free(stage->foliage_m);
    free(stage->building_m);
    free(stage->expected);
    free(stage->count);
    free(stage->visible);
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

static double length_of(const wall_stage *stage, rcity_grid_point3 from, rcity_grid_point3 to)
{
    double unit_m = 1.0 / stage->los.shapes->units_per_m;
    double plan_m = unit_m * hypot((double)to.x - from.x, (double)to.y - from.y);
    return hypot(plan_m, ((double)to.z - from.z) / RCITY_HEIGHT_UNITS_PER_M);
}

/* Metres of every pixel against the exact measure; some of them, and their walls, against what shares nothing with
   it. */
static void compare_metres(const wall_stage *stage, rcity_grid_point3 source, int number, const char *what)
{
    const rcity_los_plane *plane = &stage->los.plane;
    for (size_t i = 0; i < stage->pixel_count; i++) {
        rcity_grid_point3 at =
            rcity_los_plane_pixel(plane, (int32_t)i % plane->column_count, (int32_t)i / plane->column_count);
        double error_m = 1e-4 + 3e-6 * length_of(stage, source, at); /* the measure adds up floats */
        if (fabs((double)stage->building_m[i] - (double)stage->expected_building_m[i]) > error_m) {
            print_error("%s: source %d %d %d, pixel at %d %d: %g m, expected %g m\n", what, source.x, source.y,
                        source.z, at.x, at.y, (double)stage->building_m[i], (double)stage->expected_building_m[i]);
            fail();
        }
        assert_near((double)stage->foliage_m[i], (double)stage->expected_foliage_m[i], 1e-5);
    }
    for (int k = 0; k < plain_count; k++) {
        size_t i = test_random(seed, 100000 + 1000 * (uint64_t)number + (uint64_t)k) % stage->pixel_count;
        rcity_grid_point3 at =
            rcity_los_plane_pixel(plane, (int32_t)i % plane->column_count, (int32_t)i / plane->column_count);
        sight_plain plain = sight_plain_measure(stage->los.shapes, source, at);
        double length_m = length_of(stage, source, at);
        assert_int_equal(stage->count[i], plain.wall_count);
        assert_near((double)stage->building_m[i], plain.in_buildings * length_m, 1e-4 + 3e-6 * length_m);
    }
}

static void compare_many(wall_stage *stage, int sources, const char *what)
{
    rcity_context *context = stage->los.context;
    int64_t sum = 0;
    int32_t *walked = calloc(stage->pixel_count, sizeof *walked);
    for (int i = 0; i < sources; i++) {
        rcity_grid_point3 source = los_source(&stage->los, seed, i);
        rcity_walls_trace_plainly(stage->walls, source, NULL, stage->expected, stage->expected_building_m,
                                  stage->expected_foliage_m);
        assert_ok(context, rcity_walls_trace(stage->walls, source, NULL, stage->count, NULL, NULL));
        sum += compare_counts(stage, source, what);
        if (i % 2 == 0) {
            assert_ok(context,
                      rcity_walls_trace(stage->walls, source, NULL, walked, stage->building_m, stage->foliage_m));
            assert_memory_equal(walked, stage->count, stage->pixel_count * sizeof *walked);
            compare_metres(stage, source, i, what);
        }
    }
    rcity_walls_effort effort = rcity_walls_get_effort(stage->walls);
    double pixels = (double)stage->pixel_count * sources;
    print_message("%s, seed %llu: %d sources, %.2f walls a pixel, %.0f borders, %.3f %% of the pixels asked\n", what,
                  (unsigned long long)seed, sources, (double)sum / pixels, (double)effort.border_count / sources,
                  100.0 * (double)effort.asked_count / pixels);
    assert_true(sum > 1000);
    assert_true((effort.border_count > 0) == (stage->los.plane.z == NULL)); /* by shadows where it is flat */
    assert_true((double)effort.asked_count < 0.3 * pixels);
    free(walked);
}

static void test_wall_counts_are_exact_in_cities(void **state)
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

/* Buildings that overlap, share walls, touch themselves, with corners on whole metres and pixels in line with them, and
   on them where cells are 2 m wide. Scenes of even seeds stand on terrain. */
static void test_messy_scenes(void **state)
{
    (void)state;
    static const double cells_m[] = {0.7, 0.5, 2.0, 2.0};
    rcity_context *context = test_context(1);
    for (uint64_t i = 1; i <= messy_count; i++) {
        wall_stage stage;
        open_stage(context, sight_messy_scene(context, i % 5 == 0 ? 2 * i : 2 * i - 1), cells_m[i % 4], &stage);
        compare_many(&stage, cells_m[i % 4] > 1.0 ? 4 * source_count : source_count, "messy");
        close_stage(&stage);
    }
    rcity_context_destroy(&context);
}

/* A house with the same hole twice, at its west wall: three walls run along each other, and count as one. */
static void test_hole_twice(void **state)
{
    (void)state;
    static const double house_m[] = {0, 0, 10, 0, 10, 10, 0, 10, 0, 2, 0, 4, 5, 4, 5, 2, 0, 2, 0, 4, 5, 4, 5, 2};
    static const int counts[] = {4, 4, 4};
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    rcity_building house = rcity_building_default();
    house.id = 1;
    house.ring_count = 3;
    house.ring_point_count = counts;
    house.xy_m = house_m;
    house.height_m = 5.0;
    assert_ok(context, rcity_scene_add_building(scene, &house));
    test_add_box(context, scene, 2, (test_box){20, 20, 21, 21, 3});
    assert_ok(context, rcity_scene_commit(scene));
    wall_stage stage;
    open_stage(context, scene, 0.5, &stage);
    assert_int_equal(stage.los.shapes->prisms[0].ring_count, 3);
    compare_many(&stage, source_count, "a hole twice");
    close_stage(&stage);
    rcity_context_destroy(&context);
}

/* Walls and rays of many kilometres, across each other far from the grid's points; rows and columns unevenly
   rounded. */
static void test_wall_counts_are_exact_over_kilometres(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    test_box boxes[40];
    for (uint64_t i = 0; i < 40; i++) { /* strips along both axes, across each other */
        double x = test_uniform(31, 4 * i, 0.0, 12000.0);
        double y = test_uniform(31, 4 * i + 1, 0.0, 3000.0);
        boxes[i] = (test_box){x, y, x + 3.0, y + test_uniform(31, 4 * i + 2, 9000.0, 12000.0),
                              test_uniform(31, 4 * i + 3, 5.0, 300.0)};
        if (i % 2 == 1) {
            boxes[i] = (test_box){y, x, boxes[i].y1_m, x + 3.0, boxes[i].height_m};
        }
    }
    wall_stage stage;
    open_stage(context, test_scene(context, boxes, 40), 197.1, &stage);
    compare_many(&stage, source_count, "kilometres");
    close_stage(&stage);
    rcity_context_destroy(&context);
}

/* A raster of one pixel. */
static void test_one_pixel(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    wall_stage stage;
    open_stage(context, sight_messy_scene(context, 7), 50.0, &stage);
    assert_int_equal(stage.pixel_count, 1);
    int64_t sum = 0;
    for (int i = 0; i < 300; i++) {
        rcity_grid_point3 source = los_source(&stage.los, seed, i);
        rcity_walls_trace_plainly(stage.walls, source, NULL, stage.expected, NULL, NULL);
        assert_ok(context, rcity_walls_trace(stage.walls, source, NULL, stage.count, NULL, NULL));
        sum += compare_counts(&stage, source, "one pixel");
    }
    assert_true(sum > 100);
    close_stage(&stage);
    rcity_context_destroy(&context);
}

/* By hand: a wall 10 m high between x = 10 and 12 m, 8 m of it 20 m high, a park behind it, the source 13 m up at
   x = 0 in the middle: lines to receivers 1.5 m up are 10 m up at 3 / 11.5 of their length. */
static void test_by_hand(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    const double park_m[] = {30, 0, 40, 0, 40, 100, 30, 100};
    const int park_count = 4;
    rcity_vegetation park = {
        .id = 3, .ring_count = 1, .ring_point_count = &park_count, .xy_m = park_m, .height_m = 20.0};
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    test_add_box(context, scene, 1, (test_box){10, 10, 12, 90, 10});
    test_add_box(context, scene, 2, (test_box){10, 46, 12, 54, 20});
    test_add_box(context, scene, 4, (test_box){99, 99, 100, 100, 1});
    assert_ok(context, rcity_scene_add_vegetation(scene, &park));
    assert_ok(context, rcity_scene_commit(scene));
    wall_stage stage;
    open_stage(context, scene, 1.0, &stage);
    const rcity_los_plane *plane = &stage.los.plane;
    double per_m = stage.los.shapes->units_per_m;
    rcity_grid_point3 source = {(int32_t)lround((0.0 - stage.los.shapes->origin_x_m) * per_m),
                                (int32_t)lround((50.0 - stage.los.shapes->origin_y_m) * per_m),
                                13 * RCITY_HEIGHT_UNITS_PER_M};
    assert_ok(context, rcity_walls_trace(stage.walls, source, NULL, stage.count, stage.building_m, stage.foliage_m));
    assert_ok(context, rcity_walls_trace(stage.walls, source, NULL, stage.expected, NULL, NULL));
    assert_memory_equal(stage.count, stage.expected, stage.pixel_count * sizeof *stage.count);
    int kinds[3] = {0, 0, 0};
    for (int32_t row = 0; row < plane->row_count; row++) {
        for (int32_t column = 0; column < plane->column_count; column++) {
            size_t i = (size_t)row * (size_t)plane->column_count + (size_t)column;
            double x_m = plane->x[column] / per_m + stage.los.shapes->origin_x_m;
            double y_m = fabs(plane->y[row] / per_m + stage.los.shapes->origin_y_m - 50.0);
            double low_m = x_m * 3.0 / 11.5; /* where the line is 10 m up */
            if (x_m > 99.0 || fabs(low_m - 10.0) < 0.1 || fabs(low_m - 12.0) < 0.1 || y_m > 3.2 * x_m) {
                continue; /* past the ends of the wall, and on its roof's edges */
            }
            double length_m = sqrt(x_m * x_m + y_m * y_m + 11.5 * 11.5);
            double tower = fmin(fmax((x_m - 10.0) / 2.0, 0.0), 1.0);
            bool is_tower = y_m * 12.0 / x_m < 3.9;
            bool is_low = y_m * 10.0 / x_m > 4.1;
            int expected = (x_m > 10.0 && low_m < 10.0) + (x_m > 12.0 && low_m < 12.0);
            if (is_tower) {
                kinds[0]++;
                assert_int_equal(stage.count[i], (x_m > 10.0) + (x_m > 12.0));
                assert_near((double)stage.building_m[i], tower * 2.0 * length_m / x_m, 1e-3);
            } else if (is_low) {
                kinds[1 + (low_m > 10.0)]++;
                assert_int_equal(stage.count[i], expected);
            }
            double park_part = fmin(fmax(x_m - 30.0, 0.0), 10.0) / x_m;
            assert_near((double)stage.foliage_m[i], park_part * length_m, 1e-3);
        }
    }
    assert_true(kinds[0] > 1000 && kinds[1] > 10 && kinds[2] > 10);
    close_stage(&stage);
    rcity_context_destroy(&context);
}

/* The part of a line in plan that is within a box. */
static double part_within(test_box box, double x_m, double y_m, double to_x_m, double to_y_m)
{
    const double from[2] = {x_m, y_m};
    const double path[2] = {to_x_m - x_m, to_y_m - y_m};
    const double low[2] = {box.x0_m, box.y0_m};
    const double high[2] = {box.x1_m, box.y1_m};
    double begin = 0.0;
    double end = 1.0;
    for (int i = 0; i < 2; i++) {
        double a = (low[i] - from[i]) / path[i];
        double b = (high[i] - from[i]) / path[i];
        begin = fmax(begin, fmin(a, b));
        end = fmin(end, fmax(a, b));
    }
    return fmax(end - begin, 0.0);
}

/* Receivers in the plane of a roof: lines that rise to them run in the building to its far wall or to their end; lines
   that fall to them, or are level, stay on the roof. */
static void test_level_roof(void **state)
{
    (void)state;
    static const test_box boxes[] = {{10, 10, 30, 25, 1.5}, {34, 5, 36, 40, 9.0}, {60, 59, 61, 60, 1.0}};
    static const double heights_m[] = {0.5, 1.25, 1.5, 3.0};
    rcity_context *context = test_context(1);
    wall_stage stage;
    open_stage(context, test_scene(context, boxes, 3), 0.9, &stage);
    const rcity_los_plane *plane = &stage.los.plane;
    const rcity_shapes *shapes = stage.los.shapes;
    double per_m = shapes->units_per_m;
    assert_int_equal(plane->level, shapes->prisms[0].roof);
    for (int k = 0; k < 4; k++) {
        const double from_m[2] = {3.25, 13.125}; /* on the grid, and no pixel has its x or y */
        rcity_grid_point3 source = {(int32_t)lround((from_m[0] - shapes->origin_x_m) * per_m),
                                    (int32_t)lround((from_m[1] - shapes->origin_y_m) * per_m),
                                    (int32_t)lround(heights_m[k] * RCITY_HEIGHT_UNITS_PER_M)};
        int ended_count = 0;
        assert_ok(context,
                  rcity_walls_trace(stage.walls, source, NULL, stage.count, stage.building_m, stage.foliage_m));
        for (size_t i = 0; i < stage.pixel_count; i++) {
            rcity_grid_point3 at =
                rcity_los_plane_pixel(plane, (int32_t)i % plane->column_count, (int32_t)i / plane->column_count);
            double x_m = at.x / per_m + shapes->origin_x_m;
            double y_m = at.y / per_m + shapes->origin_y_m;
            double low = part_within(boxes[0], from_m[0], from_m[1], x_m, y_m);
            double high = part_within(boxes[1], from_m[0], from_m[1], x_m, y_m);
            double part = (heights_m[k] < 1.5 ? low : 0.0) + high;
            assert_near((double)stage.building_m[i], part * length_of(&stage, source, at), 1e-3);
            ended_count += low > 0.0 && x_m < 30.0 && y_m < 25.0 && y_m > 10.0;
        }
        assert_true(ended_count > 200);
    }
    close_stage(&stage);
    rcity_context_destroy(&context);
}

static void test_wall_counts_are_exact_in_munich(void **state)
{
    (void)state;
    rcity_scene *scene;
    rcity_context *context = test_munich_open(2, &scene);
    wall_stage stage;
    open_stage(context, scene, 20.0, &stage);
    compare_many(&stage, source_count / 4, "Munich");
    close_stage(&stage);
    rcity_context_destroy(&context);
}

/* Visible pixels have no walls, whatever stands there; the others what they have without a mask. */
static void test_visible_pixels_have_no_walls(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    wall_stage stage;
    open_stage(context, sight_messy_scene(context, 5), 0.5, &stage); /* it has trees */
    for (int i = 0; i < 9; i++) {
        rcity_grid_point3 source = los_source(&stage.los, seed, i);
        for (size_t k = 0; k < stage.los.mask_words; k++) {
            stage.visible[k] = test_random(seed, 1000 * (uint64_t)i + k);
        }
        assert_ok(context, rcity_walls_trace(stage.walls, source, NULL, stage.expected, NULL, NULL));
        for (size_t k = 0; k < stage.pixel_count; k++) {
            int32_t column = (int32_t)k % stage.los.plane.column_count;
            int32_t row = (int32_t)k / stage.los.plane.column_count;
            stage.expected[k] =
                rcity_los_plane_bit(&stage.los.plane, stage.visible, column, row) ? 0 : stage.expected[k];
        }
        assert_ok(context, rcity_walls_trace(stage.walls, source, stage.visible, stage.count, NULL, NULL));
        compare_counts(&stage, source, "visible, counts alone");
        assert_ok(context, rcity_walls_trace(stage.walls, source, stage.visible, stage.count, stage.building_m,
                                             stage.foliage_m));
        compare_counts(&stage, source, "visible, metres");
        for (size_t k = 0; k < stage.pixel_count; k++) {
            int32_t column = (int32_t)k % stage.los.plane.column_count;
            int32_t row = (int32_t)k / stage.los.plane.column_count;
            bool is_visible = rcity_los_plane_bit(&stage.los.plane, stage.visible, column, row);
            assert_true(!is_visible || (stage.building_m[k] == 0.0f && stage.foliage_m[k] == 0.0f));
        }
        rcity_walls_trace_plainly(stage.walls, source, stage.visible, stage.count, NULL, NULL);
        compare_counts(&stage, source, "visible, plainly");
        /* what the source sees has no walls */
        assert_ok(context, rcity_los_trace(context, &stage.los.plane, &stage.los.worker, source, stage.visible));
        assert_ok(context, rcity_walls_trace(stage.walls, source, NULL, stage.expected, NULL, NULL));
        assert_ok(context, rcity_walls_trace(stage.walls, source, stage.visible, stage.count, NULL, NULL));
        compare_counts(&stage, source, "visible, as seen");
    }
    close_stage(&stage);
    rcity_context_destroy(&context);
}

/* The same bytes for any number of threads. */
static void test_thread_count_changes_no_wall_count(void **state)
{
    (void)state;
    int32_t *first = NULL;
    float *first_m = NULL;
    for (int threads = 1; threads <= 4; threads++) {
        rcity_context *context = test_context(threads);
        wall_stage stage;
        open_stage(context, sight_city(context, RCITY_CITY_CORE, 7, 0.1), 3.0, &stage);
        rcity_grid_point3 source = los_source(&stage.los, seed, 0);
        assert_ok(context,
                  rcity_walls_trace(stage.walls, source, NULL, stage.expected, stage.building_m, stage.foliage_m));
        assert_ok(context, rcity_walls_trace(stage.walls, source, NULL, stage.count, NULL, NULL));
        if (first == NULL) {
            first = malloc(stage.pixel_count * sizeof *first);
            first_m = malloc(stage.pixel_count * sizeof *first_m);
            memcpy(first, stage.count, stage.pixel_count * sizeof *first);
            memcpy(first_m, stage.building_m, stage.pixel_count * sizeof *first_m);
        }
        assert_memory_equal(first, stage.count, stage.pixel_count * sizeof *first);
        assert_memory_equal(first, stage.expected, stage.pixel_count * sizeof *first);
        assert_memory_equal(first_m, stage.building_m, stage.pixel_count * sizeof *first_m);
        close_stage(&stage);
        rcity_context_destroy(&context);
    }
    free(first_m);
    free(first);
}

static void test_tracing_survives_failed_allocations(void **state)
{
    (void)state;
    rcity_context *maker = test_context(1);
    wall_stage stage;
    open_stage(maker, sight_messy_scene(maker, 3), 1.0, &stage);
    rcity_grid_point3 source = los_source(&stage.los, seed, 0);
    bool is_done = false;
    for (long n = 1; !is_done; n++) {
        failing_allocator failing = {0, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_device *device = NULL;
        rcity_walls *walls = NULL;
        assert_ok(context, rcity_device_open(context, "host", &device));
        long live = failing.live_count;
        failing.fail_at = failing.call_count + n;
        rcity_status status = rcity_walls_open(context, device, &stage.los.plane, &walls);
        if (status == RCITY_OK) {
            status = rcity_walls_trace(walls, source, NULL, stage.count, stage.building_m, stage.foliage_m);
        } else {
            assert_null(walls);
        }
        is_done = status == RCITY_OK;
        assert_true(is_done || status == RCITY_ERR_MEMORY);
        rcity_walls_close(&walls);
        assert_int_equal(failing.live_count, live);
        rcity_device_close(&device);
        rcity_context_destroy(&context);
        assert_true(n < 200);
    }
    close_stage(&stage);
    rcity_context_destroy(&maker);
}

TEST_SUITE(wall_raster)
{
    if (test_is_called_with("long")) {
        source_count = 60;
        messy_count = 40;
        plain_count = 200;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_level_roof),
        cmocka_unit_test(test_one_pixel),
        cmocka_unit_test(test_wall_counts_are_exact_in_cities),
        cmocka_unit_test(test_messy_scenes),
        cmocka_unit_test(test_hole_twice),
        cmocka_unit_test(test_wall_counts_are_exact_over_kilometres),
        cmocka_unit_test(test_wall_counts_are_exact_in_munich),
        cmocka_unit_test(test_visible_pixels_have_no_walls),
        cmocka_unit_test(test_thread_count_changes_no_wall_count),
        cmocka_unit_test(test_tracing_survives_failed_allocations),
    };
    return cmocka_run_group_tests_name("wall_raster", tests, NULL, NULL);
}
