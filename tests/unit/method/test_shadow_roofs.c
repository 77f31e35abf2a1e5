/* Over-roof paths against the plain hull, edge by edge, and against what can be said of them by hand. */
#include "munich.h"
#include "rcity_test.h"

#include "kernel/visibility/roofs/roof_hull.h"
#include "radiocity/city.h"
#include "roof_plain.h"
#include "scene/place/terrain.h"
#include "sight_cases.h"
#include "visibility/los/los_raster.h"

static int source_count = 10; /* a scene */
static int pixel_count = 150; /* looked at plainly, a source */

typedef struct stage {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_sight *sight;
    rcity_los_plane plane;
    rcity_los_worker worker;
    rcity_device *device;
    rcity_roofs *roofs;
    uint64_t *visible;
    rcity_shadow_roof *paths;
} stage;

static size_t pixels_of(const stage *s)
{
    return (size_t)s->plane.column_count * (size_t)s->plane.row_count;
}

/* Opens the context's own things for a scene, which stays the caller's. */
static void open_stage(stage *s, rcity_context *context, rcity_scene *scene, double cell_m)
{
    memset(s, 0, sizeof *s);
    s->context = context;
    s->scene = scene;
    s->shapes = rcity_scene_shapes(scene);
    assert_ok(context, rcity_sight_create(context, s->shapes, &s->sight));
    rcity_receivers receivers = rcity_receivers_default();
    receivers.cell_m = cell_m;
    rcity_raster raster;
    assert_ok(context, rcity_receivers_get_raster(context, scene, &receivers, &raster));
    assert_ok(context, rcity_los_plane_init(context, s->shapes, s->sight, &raster, 1.5, &s->plane));
    assert_ok(context, rcity_los_worker_init(context, &s->plane, &s->worker));
    assert_ok(context, rcity_device_open(context, "host", &s->device));
    assert_ok(context, rcity_roofs_open(context, s->device, &s->plane, &s->roofs));
    s->visible = calloc(s->plane.row_words * (size_t)s->plane.row_count, sizeof *s->visible);
    s->paths = calloc(pixels_of(s), sizeof *s->paths);
}

static void close_stage(stage *s)
{
    free(s->paths);
    free(s->visible);
    rcity_roofs_close(&s->roofs);
    rcity_device_close(&s->device);
    rcity_los_worker_deinit(s->context, &s->worker);
    rcity_los_plane_deinit(s->context, &s->plane);
    rcity_sight_destroy(s->context, &s->sight);
}

static bool is_set(const stage *s, const uint64_t *mask, int32_t column, int32_t row)
{
    return rcity_los_plane_bit(&s->plane, mask, column, row);
}

/* Sources anywhere, on corners, on pixels, in line with corners; low and high. */
static rcity_grid_point3 draw_source(const stage *s, uint64_t seed, int i)
{
    static const double heights_m[] = {13.0, 40.0, 1.5, 6.0, 25.0, 90.0};
    const rcity_shapes *shapes = s->shapes;
    uint64_t at = 100 * (uint64_t)i;
    rcity_grid_point3 source = {(int32_t)test_uniform(seed, at, shapes->x_min - 2000, shapes->x_max + 2000),
                                (int32_t)test_uniform(seed, at + 1, shapes->y_min - 2000, shapes->y_max + 2000), 0};
    int kind = i % 4;
    if (kind == 1 && shapes->point_count > 0) {
        rcity_grid_point corner = shapes->points[test_random(seed, at + 2) % (uint64_t)shapes->point_count];
        source.x = corner.x;
        source.y = corner.y;
    } else if (kind == 2) {
        source.x = s->plane.x[test_random(seed, at + 3) % (uint64_t)s->plane.column_count];
        source.y = s->plane.y[test_random(seed, at + 4) % (uint64_t)s->plane.row_count];
    } else if (kind == 3 && shapes->point_count > 0) {
        source.x = shapes->points[test_random(seed, at + 5) % (uint64_t)shapes->point_count].x;
        source.y = shapes->points[test_random(seed, at + 6) % (uint64_t)shapes->point_count].y;
    }
    if (shapes->terrain.column_count > 0) { /* only where there is ground */
        source.x = source.x < shapes->x_min ? shapes->x_min : source.x > shapes->x_max ? shapes->x_max : source.x;
        source.y = source.y < shapes->y_min ? shapes->y_min : source.y > shapes->y_max ? shapes->y_max : source.y;
    }
    double ground = shapes->terrain.column_count > 0 ? rcity_terrain_height(&shapes->terrain, source.x, source.y) : 0.0;
    source.z = (int32_t)(ceil(ground) + heights_m[i % 6] * RCITY_HEIGHT_UNITS_PER_M);
    return source;
}

static void print_edges(const char *name, int count, const int32_t *place, const int32_t *height)
{
    print_error("%s:", name);
    for (int i = 0; i < count; i++) {
        print_error(" (%d %d)", place[i], height[i]);
    }
    print_error("\n");
}

/* The edges themselves, equal one by one; only without terrain, whose heights are rounded. */
static void compare_edges(const stage *s, rcity_grid_point3 source, int32_t column, int32_t row,
                          const roof_plain *plain)
{
    int32_t place[1024], height[1024], plain_place[1024], plain_height[1024];
    int count = rcity_roofs_find_edges(s->roofs, source, column, row, 1024, place, height);
    bool is_same = count == plain->count;
    assert_true(plain->count <= 1024);
    for (int i = 0; i < plain->count; i++) {
        plain_place[i] = plain->edges[i].place;
        plain_height[i] = plain->edges[i].height;
        is_same = is_same && place[i] == plain_place[i] && height[i] == plain_height[i];
    }
    if (!is_same) {
        print_error("source %d %d %d, pixel %d %d\n", source.x, source.y, source.z, column, row);
        print_edges("fast", count, place, height);
        print_edges("plain", plain->count, plain_place, plain_height);
        fail();
    }
}

/* On the ground places and heights are rounded, and near to each other or nearly on a line it is rounding that
   decides. */
static bool is_close_call(const stage *s, const roof_plain *plain)
{
    if (s->shapes->terrain.column_count == 0) {
        return false;
    }
    for (int i = 1; i + 1 < plain->count; i++) {
        const roof_plain_edge *a = &plain->edges[i - 1], *b = &plain->edges[i], *c = &plain->edges[i + 1];
        double part = (double)(b->place - a->place) / fmax(c->place - a->place, 1.0);
        double over = b->height - (a->height + part * ((double)c->height - a->height));
        if (over < 32.0 || b->place - a->place < 4 * 64 * 8) {
            return true;
        }
    }
    return false;
}

static void compare_sums(const rcity_shadow_roof *path, const roof_plain *plain, double tolerance)
{
    assert_int_equal(path->turns.count, plain->turn_count);
    assert_near((double)path->turns.length_m, plain->length_m,
                roof_plain_float_error_m(plain) + (tolerance > 1e-4 ? 2e-4 : 0.0)); /* a place is some 0.1 mm */
    assert_near((double)path->turns.angle_sum_rad, plain->angle_sum, tolerance);
    assert_near((double)path->turns.angle_square_sum_rad2, plain->angle_square_sum, 2.0 * tolerance);
    assert_near((double)path->turns.log_distance_sum, plain->log_distance_sum,
                10.0 * tolerance * (1 + plain->turn_count));
    assert_near((double)path->elevation_rad, plain->elevation, tolerance);
}

/* What was seen, so that a test cannot pass by having looked at nothing. */
typedef struct tally {
    int64_t bent, turns, visible, indoors, grazed, close;
} tally;

static bool is_inside(const stage *s, rcity_grid_point3 source)
{
    rcity_grid_point3 sky = {source.x, source.y, 1000000};
    return !rcity_sight_is_free(s->sight, source, sky);
}

static void compare_pixel(const stage *s, rcity_grid_point3 source, int32_t column, int32_t row,
                          const rcity_shadow_roof *counted, tally *seen)
{
    roof_plain plain = {0};
    rcity_grid_point3 at = rcity_los_plane_pixel(&s->plane, column, row);
    size_t pixel = (size_t)row * (size_t)s->plane.column_count + (size_t)column;
    const rcity_shadow_roof *path = &s->paths[pixel];
    if (is_set(s, s->plane.indoors, column, row)) {
        seen->indoors++;
        assert_true(path->turns.length_m == 0.0f && path->turns.count == 0);
        return;
    }
    if (at.x == source.x && at.y == source.y) {
        return;
    }
    bool is_flat = s->shapes->terrain.column_count == 0;
    roof_plain_find(s->shapes, source, at, &plain);
    if (is_flat) {
        compare_edges(s, source, column, row, &plain);
    }
    if (is_set(s, s->visible, column, row)) {
        seen->visible++;
        assert_int_equal(path->turns.count, 0);
        assert_int_equal(counted[pixel].turns.count, 0);
    } else {
        if (!is_close_call(s, &plain)) {
            compare_sums(path, &plain, is_flat ? 1e-5 : 3e-4);
        } else {
            seen->close++;
            assert_near((double)path->turns.angle_sum_rad, plain.angle_sum, 1e-3);
        }
        if (counted[pixel].turns.count != plain.roof_count) {
            print_error("source %d %d %d, pixel at %d %d %d: %d roofs counted, expected %d\n", source.x, source.y,
                        source.z, at.x, at.y, at.z, counted[pixel].turns.count, plain.roof_count);
            fail();
        }
        assert_true(counted[pixel].turns.angle_sum_rad == 0.0f && counted[pixel].turns.length_m > 0.0f);
        seen->bent++;
        seen->turns += plain.turn_count;
        seen->grazed += plain.turn_count == 0;
    }
    roof_plain_free(&plain);
}

static void compare_scene(rcity_context *context, rcity_scene *scene, double cell_m, const char *what, uint64_t seed)
{
    stage s;
    tally seen = {0, 0, 0, 0, 0, 0};
    open_stage(&s, context, scene, cell_m);
    rcity_shadow_roof *counted = calloc(pixels_of(&s), sizeof *counted);
    for (int i = 0; i < source_count; i++) {
        rcity_grid_point3 source = draw_source(&s, seed, i);
        assert_ok(context, rcity_los_trace(context, &s.plane, &s.worker, source, s.visible));
        assert_ok(context, rcity_roofs_trace(s.roofs, source, RCITY_ROOF_EDGES, s.visible, s.paths));
        assert_ok(context, rcity_roofs_trace(s.roofs, source, RCITY_ROOF_COUNT, s.visible, counted));
        if (is_inside(&s, source)) {
            for (size_t k = 0; k < pixels_of(&s); k++) {
                assert_true(s.paths[k].turns.length_m == 0.0f && counted[k].turns.length_m == 0.0f);
            }
            continue;
        }
        for (int k = 0; k < pixel_count; k++) {
            uint64_t at = 1000 * (uint64_t)i + 2 * (uint64_t)k;
            compare_pixel(&s, source, (int32_t)(test_random(seed + 1, at) % (uint64_t)s.plane.column_count),
                          (int32_t)(test_random(seed + 1, at + 1) % (uint64_t)s.plane.row_count), counted, &seen);
        }
    }
    print_message("%s, seed %llu: %lld paths over roofs with %lld turns, %lld visible, %lld inside, %lld grazed, %lld "
                  "close calls\n",
                  what, (unsigned long long)seed, (long long)seen.bent, (long long)seen.turns, (long long)seen.visible,
                  (long long)seen.indoors, (long long)seen.grazed, (long long)seen.close);
    assert_true(seen.turns >= seen.bent && seen.bent > 10 && seen.visible > 0 && 2 * seen.close < seen.bent);
    free(counted);
    close_stage(&s);
}

static void test_over_roof_paths_equal_plain_hulls(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    for (int kind = 0; kind <= RCITY_CITY_HILLS; kind++) {
        rcity_scene *scene = sight_city(context, (rcity_city_kind)kind, 3, 0.2);
        compare_scene(context, scene, kind == 0 ? 4.0 : 3.3, rcity_city_kind_name((rcity_city_kind)kind), 5);
        rcity_scene_destroy(&scene);
    }
    rcity_context_destroy(&context);
}

static void test_over_roof_paths_are_exact_in_munich(void **state)
{
    (void)state;
    rcity_scene *scene;
    rcity_context *context = test_munich_open(2, &scene);
    int usual = source_count;
    source_count = (source_count + 4) / 5;
    compare_scene(context, scene, 20.0, "Munich", 9);
    source_count = usual;
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Polygons that overlap, share walls and touch themselves, on whole metres; so are the pixels. */
static void test_over_roof_paths_cross_overlapping_buildings(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        rcity_scene *scene = sight_messy_scene(context, seed);
        compare_scene(context, scene, 1.0, "messy", seed);
        rcity_scene_destroy(&scene);
    }
    rcity_context_destroy(&context);
}

/* Walls and lines of many kilometres, whose products take more than 64 bits. */
static void test_over_roof_paths_span_many_kilometres(void **state)
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
    rcity_scene *scene = test_scene(context, boxes, 40);
    compare_scene(context, scene, 97.0, "kilometres", 31);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* One house, 10 to 20 m along the line and 12 m high: turns at its two edges, by hand. */
static void test_one_house(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    test_box boxes[] = {{10.0, 0.0, 20.0, 10.0, 12.0}, {0.0, 0.0, 1.0, 1.0, 3.0}, {39.0, 9.0, 40.0, 10.0, 3.0}};
    rcity_scene *scene = test_scene(context, boxes, 3);
    stage s;
    open_stage(&s, context, scene, 1.0);
    rcity_grid_point3 source = {s.plane.x[2], s.plane.y[5], 8 * RCITY_HEIGHT_UNITS_PER_M};
    int32_t column = 30;
    double start_m = (double)source.x / s.shapes->units_per_m;
    double end_m = (double)s.plane.x[column] / s.shapes->units_per_m;
    double house_m = (double)s.shapes->points[0].x / s.shapes->units_per_m; /* its west */
    assert_ok(context, rcity_roofs_trace(s.roofs, source, RCITY_ROOF_EDGES, NULL, s.paths));
    const rcity_shadow_roof *path = &s.paths[5 * s.plane.column_count + column];
    double up = atan2(12.0 - 8.0, house_m - start_m);
    double down = atan2(12.0 - 1.5, end_m - house_m - 10.0);
    double first_m = hypot(4.0, house_m - start_m);
    double last_m = hypot(10.5, end_m - house_m - 10.0);
    assert_int_equal(path->turns.count, 2);
    assert_near((double)path->elevation_rad, up, 1e-6);
    assert_near((double)path->turns.angle_sum_rad, up + down, 1e-6);
    assert_near((double)path->turns.angle_square_sum_rad2, up * up + down * down, 1e-6);
    assert_near((double)path->turns.length_m, first_m + 10.0 + last_m, 1e-5);
    assert_near((double)path->turns.log_distance_sum,
                log10(first_m * 10.0 / (first_m + 10.0)) + log10(last_m * 10.0 / (last_m + 10.0)), 1e-6);
    assert_ok(context, rcity_roofs_trace(s.roofs, source, RCITY_ROOF_COUNT, NULL, s.paths));
    assert_int_equal(path->turns.count, 1);
    close_stage(&s);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* The height by which a walk passes roofs is never above the path, and hardly below it. */
static void test_path_height(void **state)
{
    (void)state;
    const uint64_t seed = 21;
    for (uint64_t i = 0; i < 20000; i++) {
        int32_t most = 1 << (10 + test_random(seed, 6 * i + 5) % 20); /* heights of all sizes */
        rcity_sight_segment segment = {0, 0, 0, 1 + (int32_t)test_uniform(seed, 6 * i, 0, 1 << 23), 0, 0};
        segment.az = (int32_t)test_uniform(seed, 6 * i + 1, -most, most) / 256;
        segment.bz = (int32_t)test_uniform(seed, 6 * i + 2, -most, most) / 256;
        rcity_roof_line line = rcity_roof_line_make(segment);
        rcity_roof_hull hull;
        rcity_roof_hull_begin(&line, &hull);
        rcity_roof_hull_add(&hull, (int32_t)test_uniform(seed, 6 * i + 3, 0, line.end),
                            (int32_t)test_uniform(seed, 6 * i + 4, 0, most), 0);
        rcity_roof_leg leg = rcity_roof_leg_begin();
        for (int k = 0; k <= 16; k++) {
            int32_t place = (int32_t)((int64_t)line.end * k / 16);
            int32_t height = rcity_roof_leg_height(&hull, &leg, place);
            int top = hull.count == 3 && place >= hull.place[1] ? 1 : 0;
            int64_t room = hull.place[top + 1] - hull.place[top];
            int64_t rise = hull.height[top + 1] - hull.height[top];
            int64_t over = (place - hull.place[top]) * rise - ((int64_t)height - hull.height[top]) * room;
            if (over < 0 || over > (4 + (llabs(rise) >> 19)) * room) {
                print_error("seed %llu, case %llu: at %d the path is taken to be at %d\n", (unsigned long long)seed,
                            (unsigned long long)i, place, height);
                fail();
            }
        }
    }
}

/* The same bytes for any number of threads, and for any cut of the work. */
static void test_paths_are_equal_for_any_thread_count(void **state)
{
    (void)state;
    rcity_context *maker = test_context(1);
    rcity_scene *scene = sight_city(maker, RCITY_CITY_CORE, 7, 0.1);
    rcity_shadow_roof *first = NULL;
    for (int threads = 1; threads <= 4; threads++) {
        rcity_context *context = test_context(threads);
        stage s;
        open_stage(&s, context, scene, 3.0);
        rcity_grid_point3 source = draw_source(&s, 11, 0);
        assert_ok(context, rcity_roofs_trace(s.roofs, source, RCITY_ROOF_EDGES, NULL, s.paths));
        if (first == NULL) {
            first = malloc(pixels_of(&s) * sizeof *first);
            memcpy(first, s.paths, pixels_of(&s) * sizeof *first);
        }
        assert_memory_equal(first, s.paths, pixels_of(&s) * sizeof *first);
        close_stage(&s);
        rcity_context_destroy(&context);
    }
    free(first);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&maker);
}

static void test_opening_survives_failed_allocations(void **state)
{
    (void)state;
    rcity_context *maker = test_context(1);
    rcity_scene *scene = sight_city(maker, RCITY_CITY_CORE, 7, 0.1);
    stage s;
    open_stage(&s, maker, scene, 5.0);
    bool is_done = false;
    for (long n = 1; !is_done; n++) {
        failing_allocator failing = {0, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_device *device = NULL;
        rcity_roofs *roofs = NULL;
        assert_ok(context, rcity_device_open(context, "host", &device));
        long live = failing.live_count;
        failing.fail_at = failing.call_count + n;
        rcity_status status = rcity_roofs_open(context, device, &s.plane, &roofs);
        is_done = status == RCITY_OK;
        if (!is_done) {
            assert_int_equal(status, RCITY_ERR_MEMORY);
            assert_null(roofs);
        }
        rcity_roofs_close(&roofs);
        assert_int_equal(failing.live_count, live);
        rcity_device_close(&device);
        rcity_context_destroy(&context);
        assert_true(n < 100);
    }
    close_stage(&s);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&maker);
}

TEST_SUITE(shadow_roofs)
{
    if (test_is_called_with("long")) {
        source_count = 60;
        pixel_count = 1000;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_house),
        cmocka_unit_test(test_over_roof_paths_equal_plain_hulls),
        cmocka_unit_test(test_over_roof_paths_are_exact_in_munich),
        cmocka_unit_test(test_over_roof_paths_cross_overlapping_buildings),
        cmocka_unit_test(test_over_roof_paths_span_many_kilometres),
        cmocka_unit_test(test_path_height),
        cmocka_unit_test(test_paths_are_equal_for_any_thread_count),
        cmocka_unit_test(test_opening_survives_failed_allocations),
    };
    return cmocka_run_group_tests_name("shadow_roofs", tests, NULL, NULL);
}
