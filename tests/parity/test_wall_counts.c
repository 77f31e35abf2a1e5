/* Walls counted by shadows that a device adds up: the same numbers as the host's, from sources that make trouble. */
#include "crossing_walls.h"
#include "los_cases.h"
#include "munich.h"
#include "sight_cases.h"

#include "radiocity/city.h"
#include "visibility/walls/wall_counts.h"
#include "visibility/walls/wall_raster.h"

#define DEVICE_MAX     32
#define SOURCE_COUNT   40
#define MESSY_COUNT    8
#define CROSSING_COUNT 24

static const uint64_t seed = 21;

/* A plane, what the host counts and what a device does. */
typedef struct count_stage {
    los_stage los;
    size_t pixel_count;
    rcity_device *host;
    rcity_walls *walls;
    int32_t *expected, *actual;
} count_stage;

static void open_stage(rcity_context *context, rcity_scene *scene, double cell_m, count_stage *stage)
{
    los_stage_open(context, scene, cell_m, &stage->los);
    stage->pixel_count = (size_t)stage->los.plane.column_count * (size_t)stage->los.plane.row_count;
    stage->expected = calloc(stage->pixel_count, sizeof *stage->expected);
    stage->actual = calloc(stage->pixel_count, sizeof *stage->actual);
    stage->host = NULL;
    stage->walls = NULL;
    assert_ok(context, rcity_device_open(context, "host", &stage->host));
    assert_ok(context, rcity_walls_open(context, stage->host, &stage->los.plane, &stage->walls));
}

static void close_stage(count_stage *stage)
{
    rcity_walls_close(&stage->walls);
    rcity_device_close(&stage->host);
    free(stage->actual);
    free(stage->expected);
    los_stage_close(&stage->los);
}

static void count_on(count_stage *stage, rcity_wall_counts *counts, rcity_grid_point3 source)
{
    rcity_context *context = stage->los.context;
    rcity_resident *numbers = NULL;
    memset(stage->actual, 0xff, stage->pixel_count * sizeof *stage->actual);
    assert_ok(context, rcity_resident_create_empty(context, counts->device, (int64_t)stage->pixel_count,
                                                   sizeof *stage->actual, "walls", &numbers));
    assert_ok(context, rcity_wall_counts_trace(counts, 1, &source, numbers));
    assert_ok(context, rcity_wall_counts_fetch(counts));
    assert_ok(context, rcity_device_finish(context, counts->device));
    assert_ok(context, rcity_wall_counts_decide(counts, numbers));
    assert_ok(context, rcity_resident_read(context, numbers, 0, (int64_t)stage->pixel_count, stage->actual));
    assert_ok(context, rcity_device_finish(context, counts->device));
    rcity_resident_destroy(&numbers);
}

static void compare(const count_stage *stage, rcity_grid_point3 source, const char *what)
{
    int columns = stage->los.plane.column_count;
    for (size_t i = 0; i < stage->pixel_count; i++) {
        if (stage->actual[i] != stage->expected[i]) {
            print_error("%s: source %d %d %d, pixel %d of %d, %d of %d: %d walls, expected %d\n", what, source.x,
                        source.y, source.z, (int)i % columns, columns, (int)i / columns, stage->los.plane.row_count,
                        stage->actual[i], stage->expected[i]);
            fail();
        }
    }
}

/* What a device left to the host. */
typedef struct left_over {
    int64_t asked_count, counted_count;
} left_over;

static left_over check_device(count_stage *stage, const char *id, int source_count, int64_t ask_max, const char *what)
{
    rcity_context *context = stage->los.context;
    rcity_device *device = NULL;
    rcity_wall_counts counts;
    assert_ok(context, rcity_device_open(context, id, &device));
    assert_ok(context, rcity_wall_counts_init(context, device, &stage->los.plane, &counts));
    counts.ask_max = ask_max;
    for (int i = 0; i < source_count; i++) {
        rcity_grid_point3 source = los_source(&stage->los, seed, i);
        assert_ok(context, rcity_walls_trace(stage->walls, source, NULL, stage->expected, NULL, NULL));
        count_on(stage, &counts, source);
        compare(stage, source, what);
    }
    left_over left = {counts.asked_count, counts.counted_count};
    rcity_wall_counts_deinit(&counts);
    rcity_device_close(&device);
    return left;
}

/* All devices, the host's threads as the first. Little more is asked than when the host counts, and few sources are
   left to it: those exactly where walls cross. */
static void check_scene(rcity_context *context, rcity_scene *scene, const char *what, double cell_m, int source_count)
{
    count_stage stage;
    rcity_device_info infos[DEVICE_MAX];
    int device_count = 0;
    int checked_count = 0;
    open_stage(context, scene, cell_m, &stage);
    assert_null(stage.los.plane.z);
    assert_ok(context, rcity_device_list(context, DEVICE_MAX, infos, &device_count));
    for (int i = 0; i < device_count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            left_over left = check_device(&stage, infos[i].id, source_count, RCITY_WALL_COUNTS_ASK_MAX, what);
            double pixels = (double)stage.pixel_count * source_count;
            double part = (double)left.asked_count / pixels;
            double host_part = (double)rcity_walls_get_effort(stage.walls).asked_count / (pixels * ++checked_count);
            print_message("%s, seed %llu: %d sources, %d x %d pixels agree on %s; %.4f %% asked, %.4f %% when the host "
                          "counts, which it did for %lld\n",
                          what, (unsigned long long)seed, source_count, stage.los.plane.column_count,
                          stage.los.plane.row_count, infos[i].id, 100.0 * part, 100.0 * host_part,
                          (long long)left.counted_count);
            assert_true(stage.pixel_count <= RCITY_WALL_COUNTS_ASK_MAX || part <= 1.1 * host_part + 1e-4);
            assert_true(left.counted_count <= source_count / 4);
        }
    }
    close_stage(&stage);
}

static void test_wall_counts_agree_in_cities(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    check_scene(context, sight_city(context, RCITY_CITY_GRID, 5, 0.1), "grid", 3.3, SOURCE_COUNT);
    check_scene(context, sight_city(context, RCITY_CITY_CORE, 6, 0.1), "core", 4.0, SOURCE_COUNT);
    rcity_context_destroy(&context);
}

/* Polygons that overlap and touch themselves and each other, with corners between grid points; pixels in line with
   walls and corners, and on them where cells are 2 m wide. Scenes of odd seeds are flat. */
static void test_messy_scenes(void **state)
{
    (void)state;
    static const double cells_m[] = {0.7, 0.5, 2.0, 2.0};
    rcity_context *context = test_context(2);
    for (uint64_t i = 0; i < MESSY_COUNT; i++) {
        bool is_coarse = cells_m[i % 4] > 1.0;
        check_scene(context, sight_messy_scene(context, 2 * i + 1), "messy", cells_m[i % 4],
                    is_coarse ? 4 * SOURCE_COUNT : SOURCE_COUNT);
    }
    rcity_context_destroy(&context);
}

/* Walls and rays of many kilometres, across each other far from the grid's points; rows and columns unevenly
   rounded. */
static void test_wall_counts_agree_over_many_kilometres(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    test_box boxes[40];
    for (uint64_t i = 0; i < 40; i++) { /* strips along both axes, across each other */
        double x = test_uniform(seed, 4 * i, 0.0, 12000.0);
        double y = test_uniform(seed, 4 * i + 1, 0.0, 3000.0);
        boxes[i] = (test_box){x, y, x + 3.0, y + test_uniform(seed, 4 * i + 2, 9000.0, 12000.0),
                              test_uniform(seed, 4 * i + 3, 5.0, 300.0)};
        if (i % 2 == 1) {
            boxes[i] = (test_box){y, x, boxes[i].y1_m, x + 3.0, boxes[i].height_m};
        }
    }
    check_scene(context, test_scene(context, boxes, 40), "kilometres", 197.1, SOURCE_COUNT);
    rcity_context_destroy(&context);
}

static void test_wall_counts_agree_in_munich(void **state)
{
    (void)state;
    rcity_scene *scene;
    rcity_context *context = test_munich_open(2, &scene);
    check_scene(context, scene, "Munich", 10.0, SOURCE_COUNT / 4);
    rcity_context_destroy(&context);
}

/* Two triangles whose walls cross beside a point of the grid; @return that point. */
static rcity_grid_point open_crossing(rcity_context *context, uint64_t i, int32_t miss, count_stage *stage)
{
    static const int corner_count = 3;
    const rcity_grid_point at = {0, 0};
    crossing_walls walls = crossing_walls_make(seed, i, 30000, miss, at);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    for (int k = 0; k < 2; k++) {
        double xy_m[6];
        for (int j = 0; j < 3; j++) {
            xy_m[2 * j] = walls.corners[k][j].x / 128.0;
            xy_m[2 * j + 1] = walls.corners[k][j].y / 128.0;
        }
        rcity_building building = rcity_building_default();
        building.id = k + 1;
        building.ring_count = 1;
        building.ring_point_count = &corner_count;
        building.xy_m = xy_m;
        building.height_m = 12.0;
        assert_ok(context, rcity_scene_add_building(scene, &building));
    }
    assert_ok(context, rcity_scene_commit(scene));
    open_stage(context, scene, 4.3, stage);
    const rcity_shapes *shapes = stage->los.shapes;
    rcity_grid_point moved = {(int32_t)lround(-shapes->origin_x_m * 128.0),
                              (int32_t)lround(-shapes->origin_y_m * 128.0)};
    assert_int_equal(shapes->units_per_m, 128);
    assert_int_equal(shapes->point_count, 6);
    for (int k = 0; k < 6; k++) { /* the grid has the walls as they were made */
        bool is_there = false;
        for (int j = 0; j < 6; j++) {
            is_there = is_there || (shapes->points[j].x == walls.corners[k / 3][k % 3].x + moved.x &&
                                    shapes->points[j].y == walls.corners[k / 3][k % 3].y + moved.y);
        }
        assert_true(is_there);
    }
    return moved;
}

/* Sources on a crossing as the device rounds it, beside it, and hardly above the roof there, against the exact
   measure. */
static void test_wall_counts_agree_at_crossings(void **state)
{
    (void)state;
    static const int32_t misses[] = {1, -1, 3, -40};
    rcity_context *context = test_context(2);
    rcity_device_info infos[DEVICE_MAX];
    int device_count = 0;
    int64_t counted_count = 0;
    assert_ok(context, rcity_device_list(context, DEVICE_MAX, infos, &device_count));
    for (uint64_t i = 0; i < CROSSING_COUNT; i++) {
        count_stage stage;
        rcity_grid_point at = open_crossing(context, i, misses[i % 4], &stage);
        int32_t roof = stage.los.shapes->prisms[0].roof;
        const rcity_grid_point3 sources[] = {
            {at.x, at.y, roof / 2}, {at.x, at.y, roof + 1}, {at.x + 1, at.y, roof + 1}, {at.x - 1, at.y + 1, roof / 2}};
        for (int k = 0; k < 4; k++) {
            rcity_walls_trace_plainly(stage.walls, sources[k], NULL, stage.expected, NULL, NULL);
            assert_ok(context, rcity_walls_trace(stage.walls, sources[k], NULL, stage.actual, NULL, NULL));
            compare(&stage, sources[k], "crossing, the host's own borders");
        }
        for (int d = 0; d < device_count && d < DEVICE_MAX; d++) {
            if (!infos[d].is_usable) {
                continue;
            }
            rcity_device *device = NULL;
            rcity_wall_counts counts;
            assert_ok(context, rcity_device_open(context, infos[d].id, &device));
            assert_ok(context, rcity_wall_counts_init(context, device, &stage.los.plane, &counts));
            for (int k = 0; k < 4; k++) {
                rcity_walls_trace_plainly(stage.walls, sources[k], NULL, stage.expected, NULL, NULL);
                count_on(&stage, &counts, sources[k]);
                compare(&stage, sources[k], "crossing");
            }
            counted_count += counts.counted_count;
            rcity_wall_counts_deinit(&counts);
            rcity_device_close(&device);
        }
        close_stage(&stage);
    }
    print_message("seed %llu: %d crossings agree, the host counted for %lld sources\n", (unsigned long long)seed,
                  CROSSING_COUNT, (long long)counted_count);
    assert_true(counted_count > 0);
    rcity_context_destroy(&context);
}

/* A raster of one pixel. */
static void test_wall_counts_agree_on_one_pixel(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box box = {0.0, 0.0, 10.0, 10.0, 5.0};
    check_scene(context, test_scene(context, &box, 1), "one box", 100.0, SOURCE_COUNT);
    rcity_context_destroy(&context);
}

/* More open pixels than are asked: the host counts, and numbers stay the same. */
static void test_host_counts(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    count_stage stage;
    rcity_device_info infos[DEVICE_MAX];
    int device_count = 0;
    open_stage(context, sight_messy_scene(context, 3), 1.0, &stage);
    assert_ok(context, rcity_device_list(context, DEVICE_MAX, infos, &device_count));
    for (int i = 0; i < device_count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            left_over left = check_device(&stage, infos[i].id, SOURCE_COUNT, 2, "few are asked");
            print_message("seed %llu: the host counted for %lld of %d sources, asked %lld pixels\n",
                          (unsigned long long)seed, (long long)left.counted_count, SOURCE_COUNT,
                          (long long)left.asked_count);
            assert_true(left.counted_count > 0 && left.counted_count < SOURCE_COUNT);
        }
    }
    close_stage(&stage);
    rcity_context_destroy(&context);
}

TEST_SUITE(wall_counts)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wall_counts_agree_in_cities),
        cmocka_unit_test(test_messy_scenes),
        cmocka_unit_test(test_wall_counts_agree_over_many_kilometres),
        cmocka_unit_test(test_wall_counts_agree_at_crossings),
        cmocka_unit_test(test_wall_counts_agree_in_munich),
        cmocka_unit_test(test_wall_counts_agree_on_one_pixel),
        cmocka_unit_test(test_host_counts),
    };
    return cmocka_run_group_tests_name("wall_counts", tests, NULL, NULL);
}
