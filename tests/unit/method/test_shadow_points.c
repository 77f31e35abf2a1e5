/* Paths to points: against pixels of a stage at the same places, and by hand. */
#include "los_cases.h"
#include "munich.h"
#include "points_world.h"
#include "sight_cases.h"
#include "sight_plain.h"

#include "method/shadow/trace/shadow_tracer.h"
#include "radiocity/city.h"

static const uint64_t seed = 31;
static int source_count = 5; /* a plane */
static uint64_t messy_count = 4;

typedef struct tallies {
    int64_t compared_count, mechanism_count[RCITY_SHADOW_MECHANISM_COUNT], indoors_count;
} tallies;

static tallies sums; /* of a scene */

static rcity_shadow_turn_law random_law(uint64_t at)
{
    return (rcity_shadow_turn_law){
        (float)test_uniform(seed, at + 40, -5.0, 10.0), (float)test_uniform(seed, at, 0.0, 10.0),
        (float)test_uniform(seed, at + 1, 0.0, 10.0), (float)test_uniform(seed, at + 2, -5.0, 20.0),
        (float)test_uniform(seed, at + 3, -5.0, 20.0)};
}

static rcity_shadow_weights random_weights(uint64_t trial)
{
    uint64_t at = 1000000 + 50 * trial;
    rcity_shadow_weights weights;
    memset(&weights, 0, sizeof weights);
    weights.law.corner = random_law(at);
    weights.law.roof = random_law(at + 4);
    weights.law.first_wall_db = (float)test_uniform(seed, at + 8, 0.0, 20.0);
    weights.law.wall_db = (float)test_uniform(seed, at + 9, 3.0, 15.0);
    weights.law.metre_db = (float)test_uniform(seed, at + 10, 0.0, 1.0);
    weights.law.direct_db = (float)test_uniform(seed, at + 11, -4.0, 2.0);
    weights.law.log_wavenumber = 1.5f;
    weights.law.free_space_db = 38.0f;
    double azimuth = test_uniform(seed, at + 12, 0.0, 6.28);
    weights.antenna = (rcity_antenna_job){.kind = RCITY_ANTENNA_KIND_3GPP,
                                          .gain_dbi = 8.0f,
                                          .sin_azimuth = (float)sin(azimuth),
                                          .cos_azimuth = (float)cos(azimuth),
                                          .cos_tilt = 1.0f};
    weights.level_dbm = 30.0f;
    weights.adds_powers = trial % 2;
    return weights;
}

/* Four floats a receiver. */
typedef struct levels {
    rcity_shadow_bands bands;
    float *memory;
} levels;

static levels make_levels(size_t count)
{
    levels made = {.memory = calloc(4 * count + 1, sizeof(float))};
    made.bands =
        (rcity_shadow_bands){made.memory, made.memory + count, made.memory + 2 * count, made.memory + 3 * count};
    return made;
}

/* Metres in buildings are rounded, to 3e-6 of the line each way: many of them make many dB. */
static bool is_same(float a, float b, double line_m)
{
    return (isnan(a) && isnan(b)) || a == b ||
           fabs((double)a - (double)b) <= 1e-4 + 1e-6 * fabs((double)b) + 6e-6 * line_m;
}

/* Points come in another order than pixels. */
static size_t shuffle(size_t i, size_t count)
{
    return (i * 7919 + 5) % count;
}

/* Every band of every pixel, for two sets of weights. */
static void compare_levels(const points_world *w, const rcity_los_plane *plane, const rcity_shadow_trace *trace,
                           const rcity_shadow_points *points, rcity_grid_point3 source)
{
    size_t count = (size_t)plane->row_count * (size_t)plane->column_count;
    levels expected = make_levels(count), actual = make_levels(count);
    for (uint64_t trial = 0; trial < 2; trial++) {
        rcity_shadow_weights weights = random_weights(trial);
        assert_ok(w->context, rcity_shadow_trace_weigh(trace, &weights, NULL, 0, &expected.bands));
        assert_ok(w->context, rcity_shadow_points_weigh(points, &weights, NULL, &actual.bands));
        for (size_t i = 0; i < count; i++) {
            size_t pixel = shuffle(i, count);
            const float *e = expected.memory + pixel, *a = actual.memory + i;
            double line_m = pow(10.0, (double)rcity_shadow_points_paths(points)->log_lengths[i]);
            if (!is_same(a[0], e[0], line_m) || !is_same(a[count], e[count], line_m) ||
                !is_same(a[2 * count], e[2 * count], 0.0) || !is_same(a[3 * count], e[3 * count], 0.0)) {
                print_error("source %d %d %d, pixel %zu of %d columns: %g dB, %g dBm, path %g, %g turns; expected %g, "
                            "%g, %g, %g\n",
                            source.x, source.y, source.z, pixel, plane->column_count, (double)a[0], (double)a[count],
                            (double)a[2 * count], (double)a[3 * count], (double)e[0], (double)e[count],
                            (double)e[2 * count], (double)e[3 * count]);
                fail();
            }
            if (!isnan(a[0])) {
                sums.mechanism_count[(int)a[2 * count]]++;
            }
        }
        sums.compared_count += (int64_t)count;
    }
    free(expected.memory);
    free(actual.memory);
}

static void compare_source(const points_world *w, const rcity_los_plane *plane, const rcity_shadow_choice *choice,
                           rcity_grid_point3 source)
{
    size_t count = (size_t)plane->row_count * (size_t)plane->column_count;
    rcity_grid_point3 *places = calloc(count, sizeof *places);
    for (size_t i = 0; i < count; i++) {
        int32_t pixel = (int32_t)shuffle(i, count);
        places[i] = rcity_los_plane_pixel(plane, pixel % plane->column_count, pixel / plane->column_count);
    }
    rcity_shadow_tracer *stage = NULL;
    rcity_shadow_trace *trace = NULL;
    rcity_shadow_points *points = NULL;
    assert_ok(w->context, rcity_shadow_tracer_open(w->context, w->device, plane, choice, &stage));
    assert_ok(w->context, rcity_shadow_tracer_trace(stage, 1, &source, &trace));
    assert_ok(w->context, rcity_shadow_points_trace(w->context, w->shapes, w->sight, choice, source, (int64_t)count,
                                                    places, &points));
    const rcity_shadow_paths *paths = rcity_shadow_points_paths(points);
    assert_int_equal(paths->corner_paths->path_count, rcity_shadow_trace_effort(trace).path_count);
    for (size_t i = 0; i < count; i++) {
        sums.indoors_count += paths->states[i] == RCITY_SHADOW_INDOORS;
    }
    compare_levels(w, plane, trace, points, source);
    rcity_shadow_points_destroy(&points);
    rcity_shadow_trace_destroy(&trace);
    rcity_shadow_tracer_close(&stage);
    free(places);
}

/* The sources of los_cases.h, on terrain above the ground. */
static rcity_grid_point3 draw_source(const points_world *w, const rcity_los_plane *plane, int i)
{
    los_stage los = {.shapes = w->shapes, .plane = *plane};
    rcity_grid_point3 source = los_source(&los, seed, i);
    const rcity_terrain_grid *terrain = &w->shapes->terrain;
    if (terrain->column_count > 0 && rcity_terrain_contains(terrain, source.x, source.y)) {
        source.z += (int32_t)ceil(rcity_terrain_height(terrain, source.x, source.y));
    }
    return source;
}

static const rcity_shadow_choice choices[] = {
    {2, RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_WALLS_METRES, true, NULL},
    {2, RCITY_SHADOW_ROOFS_COUNT, RCITY_SHADOW_WALLS_COUNT, false, NULL},
    {1, RCITY_SHADOW_ROOFS_OFF, RCITY_SHADOW_WALLS_OFF, false, NULL},
    {0, RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_WALLS_OFF, false, NULL},
};

static void compare_raster(const points_world *w, const rcity_receivers *receivers, double height_m, int first, int end)
{
    rcity_raster raster;
    rcity_los_plane plane;
    assert_ok(w->context, rcity_receivers_get_raster(w->context, w->scene, receivers, &raster));
    assert_ok(w->context, rcity_los_plane_init(w->context, w->shapes, w->sight, &raster, height_m, &plane));
    for (int i = first; i < end; i++) {
        compare_source(w, &plane, &choices[i % 4], draw_source(w, &plane, i));
    }
    rcity_los_plane_deinit(w->context, &plane);
}

static void report(const char *what)
{
    print_message("%s, seed %llu: %lld levels; direct %lld, walls %lld, corners %lld, roofs %lld; %lld indoors\n", what,
                  (unsigned long long)seed, (long long)sums.compared_count, (long long)sums.mechanism_count[0],
                  (long long)sums.mechanism_count[1], (long long)sums.mechanism_count[2],
                  (long long)sums.mechanism_count[3], (long long)sums.indoors_count);
}

static void test_points_equal_pixels_at_the_same_places(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        rcity_context *context = test_context(2);
        points_world w;
        points_world_open(context, sight_city(context, (rcity_city_kind)kind, 4, 0.1), &w);
        memset(&sums, 0, sizeof sums);
        rcity_receivers receivers = rcity_receivers_default();
        receivers.cell_m = 11.0;
        compare_raster(&w, &receivers, 1.5, 0, 2 * source_count);
        compare_raster(&w, &receivers, 12.25, 100, 100 + source_count);
        report(rcity_city_kind_name((rcity_city_kind)kind));
        for (int i = 0; i < RCITY_SHADOW_MECHANISM_COUNT; i++) {
            assert_true(sums.mechanism_count[i] > 50);
        }
        assert_true(sums.indoors_count > 50);
        points_world_close(&w);
        rcity_context_destroy(&context);
    }
}

/* Polygons that overlap and touch, pixels on walls and corners, beyond the terrain. */
static void test_points_equal_pixels_among_touching_buildings(void **state)
{
    (void)state;
    for (uint64_t scene = 1; scene <= messy_count; scene++) {
        rcity_context *context = test_context(2);
        points_world w;
        points_world_open(context, sight_messy_scene(context, scene), &w);
        memset(&sums, 0, sizeof sums);
        rcity_receivers receivers = rcity_receivers_default();
        receivers.cell_m = 1.0;
        int first = 1000 * (int)scene;
        compare_raster(&w, &receivers, scene % 3 == 0 ? 5.0 : 1.5, first, first + source_count + 3);
        const double unit_m = 1.0 / w.shapes->units_per_m;
        receivers.x_min_m = w.shapes->origin_x_m + w.shapes->x_min * unit_m - 7.5;
        receivers.y_min_m = w.shapes->origin_y_m + w.shapes->y_min * unit_m - 7.5;
        receivers.x_max_m = w.shapes->origin_x_m + w.shapes->x_max * unit_m + 7.5;
        receivers.y_max_m = w.shapes->origin_y_m + w.shapes->y_max * unit_m + 7.5;
        compare_raster(&w, &receivers, 1.5, first, first + 2);
        report("messy");
        points_world_close(&w);
        rcity_context_destroy(&context);
    }
}

static void test_points_equal_pixels_in_munich(void **state)
{
    (void)state;
    rcity_scene *scene;
    rcity_context *context = test_munich_open(2, &scene);
    points_world w;
    points_world_open(context, scene, &w);
    memset(&sums, 0, sizeof sums);
    rcity_receivers receivers = rcity_receivers_default();
    receivers.cell_m = 5.0;
    receivers.x_min_m = 1200.0;
    receivers.x_max_m = 1400.0;
    receivers.y_min_m = 1300.0;
    receivers.y_max_m = 1500.0;
    compare_raster(&w, &receivers, 1.5, 0, (source_count + 1) / 2);
    report("Munich");
    points_world_close(&w);
    rcity_context_destroy(&context);
}

/* What straight lines pass, trees too. */
static void test_lines_pass_the_measured_metres(void **state)
{
    (void)state;
    int64_t walled = 0, leafy = 0;
    for (uint64_t scene = 1; scene <= messy_count; scene++) {
        enum { COUNT = 300 };
        rcity_context *context = test_context(2);
        points_world w;
        points_world_open(context, sight_messy_scene(context, scene), &w);
        rcity_grid_point3 places[COUNT];
        for (uint64_t i = 0; i < COUNT; i++) {
            places[i] =
                draw_point(&w, seed, 10000 * scene + 10 * i, test_uniform(seed, 10000 * scene + 10 * i + 2, 0.5, 9.0));
        }
        rcity_grid_point3 source = draw_point(&w, seed, 700000 + 10 * scene, 4.0);
        rcity_shadow_choice choice = {.walls = RCITY_SHADOW_WALLS_METRES};
        rcity_shadow_points *points = NULL;
        assert_ok(context,
                  rcity_shadow_points_trace(context, w.shapes, w.sight, &choice, source, COUNT, places, &points));
        const rcity_shadow_walls *walls = &rcity_shadow_points_paths(points)->walls;
        for (int i = 0; i < COUNT; i++) {
            sight_plain plain = sight_plain_measure(w.shapes, source, places[i]);
            double length_m =
                hypot(hypot((double)places[i].x - source.x, (double)places[i].y - source.y) / w.shapes->units_per_m,
                      (places[i].z - source.z) / (double)RCITY_HEIGHT_UNITS_PER_M);
            assert_int_equal(walls->count[i], plain.wall_count);
            assert_near((double)walls->building_m[i], plain.in_buildings * length_m, 1e-3);
            assert_near((double)walls->foliage_m[i], plain.in_foliage * length_m,
                        plain.in_foliage_tolerance * length_m + 1e-3);
            walled += plain.wall_count > 0;
            leafy += plain.in_foliage > 0.0;
        }
        rcity_shadow_points_destroy(&points);
        points_world_close(&w);
        rcity_context_destroy(&context);
    }
    print_message("metres, seed %llu: %lld lines through walls, %lld through trees\n", (unsigned long long)seed,
                  (long long)walled, (long long)leafy);
    assert_true(walled > 100 && leafy > 100);
}

/* A box 20 m high and 20 m wide around (0, 0); the source stands 40 m west, 10 m high. */
static void test_receiver_states_follow_their_places(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    const test_box box = {-10, -10, 10, 10, 20};
    points_world w;
    points_world_open(context, test_scene(context, &box, 1), &w);
    enum { OWN, INSIDE, ON_NEAR_WALL, ON_FAR_WALL, ON_CORNER, ON_ROOF, ABOVE, UNDER_OWN, OUTSIDE, BEHIND, COUNT };
    const double at_m[COUNT][3] = {
        [OWN] = {-40, 0, 10},      [INSIDE] = {0, 0, 5},      [ON_NEAR_WALL] = {-10, 0, 5}, [ON_FAR_WALL] = {10, 0, 5},
        [ON_CORNER] = {10, 10, 5}, [ON_ROOF] = {0, 0, 20},    [ABOVE] = {0, 0, 90},         [UNDER_OWN] = {-40, 0, 2},
        [OUTSIDE] = {-1040, 0, 2}, [BEHIND] = {1000, 0, 1.5},
    };
    rcity_grid_point3 places[COUNT];
    for (int i = 0; i < COUNT; i++) {
        rcity_point place = {at_m[i][0], at_m[i][1], at_m[i][2]};
        assert_ok(context, rcity_shapes_snap(context, w.shapes, &place, &places[i]));
    }
    rcity_shadow_choice choice = {2, RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_WALLS_METRES, false, NULL};
    rcity_shadow_points *points = NULL;
    assert_ok(context,
              rcity_shadow_points_trace(context, w.shapes, w.sight, &choice, places[OWN], COUNT, places, &points));
    const rcity_shadow_paths *paths = rcity_shadow_points_paths(points);
    const int states[COUNT] = {
        [OWN] = RCITY_SHADOW_VISIBLE,        [INSIDE] = RCITY_SHADOW_INDOORS,    [ON_NEAR_WALL] = RCITY_SHADOW_VISIBLE,
        [ON_FAR_WALL] = RCITY_SHADOW_HIDDEN, [ON_CORNER] = RCITY_SHADOW_HIDDEN,  [ON_ROOF] = RCITY_SHADOW_HIDDEN,
        [ABOVE] = RCITY_SHADOW_VISIBLE,      [UNDER_OWN] = RCITY_SHADOW_VISIBLE, [OUTSIDE] = RCITY_SHADOW_VISIBLE,
        [BEHIND] = RCITY_SHADOW_HIDDEN,
    };
    rcity_shadow_weights weights = random_weights(0);
    weights.antenna = (rcity_antenna_job){.kind = RCITY_ANTENNA_KIND_ISOTROPIC};
    weights.law.direct_db = 0.0f;
    levels found = make_levels(COUNT);
    assert_ok(context, rcity_shadow_points_weigh(points, &weights, NULL, &found.bands));
    for (int i = 0; i < COUNT; i++) {
        size_t path_count = paths->corner_paths->first[i + 1] - paths->corner_paths->first[i];
        double dx = at_m[i][0] + 40, dy = at_m[i][1], dz = at_m[i][2] - 10;
        assert_int_equal(paths->states[i], states[i]);
        assert_int_equal(isfinite(found.bands.loss_db[i]), i != INSIDE);
        assert_true(path_count == 0 || states[i] == RCITY_SHADOW_HIDDEN);
        if (states[i] == RCITY_SHADOW_VISIBLE && i != OWN) { /* free space */
            assert_near((double)found.bands.loss_db[i], 38.0 + 10.0 * log10(dx * dx + dy * dy + dz * dz), 1e-3);
        }
    }
    /* behind the box: around two corners on either side, through its two walls, over its roof */
    assert_int_equal(paths->corner_paths->first[BEHIND + 1] - paths->corner_paths->first[BEHIND], 2);
    assert_int_equal(paths->walls.count[BEHIND], 2);
    assert_near((double)paths->walls.building_m[BEHIND], 20.0, 1e-2);
    assert_int_equal(paths->roofs[BEHIND].turns.count, 2);
    assert_int_equal(paths->roofs[ON_FAR_WALL].turns.count, 2); /* the edge straight above it is one */
    assert_true(paths->corner_paths->first[ON_CORNER + 1] > paths->corner_paths->first[ON_CORNER]);
    free(found.memory);
    rcity_shadow_points_destroy(&points);
    assert_ok(context, rcity_shadow_points_trace(context, w.shapes, w.sight, &choice, places[OWN], 0, NULL, &points));
    assert_int_equal(rcity_shadow_points_paths(points)->count, 0);
    rcity_shadow_points_destroy(&points);
    points_world_close(&w);
    rcity_context_destroy(&context);
}

/* The same bits for any number of threads. */
static void test_paths_are_equal_for_any_thread_count(void **state)
{
    (void)state;
    enum { COUNT = 3000, RUNS = 3 };
    rcity_grid_point3 *places = calloc(COUNT, sizeof *places);
    rcity_shadow_points *points[RUNS] = {NULL};
    rcity_context *contexts[RUNS];
    points_world w[RUNS];
    for (int run = 0; run < RUNS; run++) {
        contexts[run] = test_context(run == 2 ? 5 : 1 + run);
        points_world_open(contexts[run], sight_city(contexts[run], RCITY_CITY_CORE, 6, 0.1), &w[run]);
        for (uint64_t i = 0; i < COUNT; i++) {
            places[i] = draw_point(&w[run], seed, 10 * i, i % 3 == 0 ? 20.0 : 1.5);
        }
        assert_ok(contexts[run],
                  rcity_shadow_points_trace(contexts[run], w[run].shapes, w[run].sight, &choices[0],
                                            draw_outdoors(&w[run], seed, 77, 13.0), COUNT, places, &points[run]));
    }
    const rcity_shadow_paths *one = rcity_shadow_points_paths(points[0]);
    for (int run = 1; run < RUNS; run++) {
        const rcity_shadow_paths *many = rcity_shadow_points_paths(points[run]);
        assert_memory_equal(one->states, many->states, COUNT);
        assert_memory_equal(one->log_lengths, many->log_lengths, COUNT * sizeof(float));
        assert_memory_equal(one->lines, many->lines, COUNT * sizeof *one->lines);
        assert_memory_equal(one->roofs, many->roofs, COUNT * sizeof *one->roofs);
        assert_memory_equal(one->walls.count, many->walls.count, COUNT * sizeof *one->walls.count);
        assert_memory_equal(one->walls.building_m, many->walls.building_m, COUNT * sizeof(float));
        assert_memory_equal(one->corner_paths->first, many->corner_paths->first,
                            (COUNT + 1) * sizeof *one->corner_paths->first);
        assert_memory_equal(one->corner_paths->paths, many->corner_paths->paths,
                            one->corner_paths->path_count * sizeof *one->corner_paths->paths);
        assert_int_equal(one->corner_paths->node_count, many->corner_paths->node_count);
    }
    assert_true(one->corner_paths->path_count > 1000);
    for (int run = 0; run < RUNS; run++) {
        rcity_shadow_points_destroy(&points[run]);
        points_world_close(&w[run]);
        rcity_context_destroy(&contexts[run]);
    }
    free(places);
}

static void test_tracing_survives_failed_allocations(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    rcity_context *maker = test_context(1);
    points_world w;
    points_world_open(maker, sight_city(maker, RCITY_CITY_CORE, 7, 0.1), &w);
    rcity_grid_point3 places[COUNT];
    for (uint64_t i = 0; i < COUNT; i++) {
        places[i] = draw_point(&w, seed, 10 * i, i % 2 == 0 ? 1.5 : 20.0);
    }
    bool is_done = false;
    long n = 1;
    for (; !is_done; n++) {
        failing_allocator failing = {0, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_shadow_points *points = NULL;
        long live = failing.live_count;
        failing.fail_at = failing.call_count + n;
        rcity_status status = rcity_shadow_points_trace(context, w.shapes, w.sight, &choices[0],
                                                        draw_outdoors(&w, seed, 7, 13.0), COUNT, places, &points);
        is_done = status == RCITY_OK;
        if (!is_done) {
            assert_int_equal(status, RCITY_ERR_MEMORY);
            assert_null(points);
        }
        rcity_shadow_points_destroy(&points);
        assert_int_equal(failing.live_count, live);
        rcity_context_destroy(&context);
        assert_true(n < 2000);
    }
    print_message("%ld allocations failed one by one\n", n - 2);
    assert_true(n > 40);
    points_world_close(&w);
    rcity_context_destroy(&maker);
}

TEST_SUITE(shadow_points)
{
    if (test_is_called_with("long")) {
        source_count = 18;
        messy_count = 30;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_equal_pixels_at_the_same_places),
        cmocka_unit_test(test_points_equal_pixels_among_touching_buildings),
        cmocka_unit_test(test_points_equal_pixels_in_munich),
        cmocka_unit_test(test_lines_pass_the_measured_metres),
        cmocka_unit_test(test_receiver_states_follow_their_places),
        cmocka_unit_test(test_paths_are_equal_for_any_thread_count),
        cmocka_unit_test(test_tracing_survives_failed_allocations),
    };
    return cmocka_run_group_tests_name("shadow_points", tests, NULL, NULL);
}
