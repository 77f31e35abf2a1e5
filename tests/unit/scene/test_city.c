/* Synthetic cities: plausible, whole, in need of no repair, and the same for the same seed. */
#include "rcity_test.h"

#include "scene/city/city_polygon.h"
#include "scene/city/city_random.h"
#include "scene/shapes.h"

/* What every city of a kind keeps to. */
typedef struct kind_limits {
    rcity_city_kind kind;
    double density_min, density_max; /* buildings on a square kilometre */
    double share_min, share_max;     /* of the ground built up; towers count again on their podium */
    double walls_min, walls_max;     /* of a building, on average */
    double height_max_m;
    bool has_terrain;
} kind_limits;

static const kind_limits kinds[] = {
    {RCITY_CITY_GRID, 900.0, 2400.0, 0.38, 0.85, 4.2, 6.0, 201.0, false},
    {RCITY_CITY_CORE, 1300.0, 3200.0, 0.30, 0.60, 4.6, 8.0, 90.0, false},
    {RCITY_CITY_HIGHRISE, 400.0, 2200.0, 0.22, 0.65, 4.2, 6.0, 262.0, true},
    {RCITY_CITY_HILLS, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, true},
};

#define KIND_COUNT ((int)(sizeof kinds / sizeof kinds[0]))

static const double areas_km2[] = {0.1, 0.5, 2.0};
static const uint64_t seeds[] = {1, 7, 20260};

static rcity_scene *make_city(rcity_context *context, rcity_city_kind kind, uint64_t seed, double area_km2,
                              rcity_scene_info *info)
{
    rcity_city_options options = rcity_city_options_default();
    options.kind = kind;
    options.seed = seed;
    options.area_km2 = area_km2;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_city_make(context, &options, &scene));
    assert_ok(context, rcity_scene_describe(scene, info));
    return scene;
}

static void check_city(const kind_limits *limits, double area_km2, const rcity_scene_info *info)
{
    double side_m = 1000.0 * sqrt(area_km2);
    double slack_m = limits->has_terrain ? info->terrain_cell_m : 1.0 / 128.0;
    assert_near(info->x_min_m, 0.0, 0.0);
    assert_near(info->y_min_m, 0.0, 0.0);
    assert_near(info->x_max_m, side_m, slack_m);
    assert_near(info->y_max_m, side_m, slack_m);
    for (int i = 0; i < RCITY_REPAIR_COUNT; i++) {
        assert_int_equal(info->repair_count[i], 0);
    }
    assert_int_equal(info->has_terrain, limits->has_terrain);
    if (limits->kind == RCITY_CITY_HILLS) {
        assert_int_equal(info->building_count, 0);
        assert_true(info->ground_max_m - info->ground_min_m >= 95.0);
        assert_true(info->ground_max_m - info->ground_min_m <= 425.0);
        return;
    }
    double density = (double)info->building_count / area_km2;
    double share = info->built_area_km2 / area_km2;
    double walls = (double)info->wall_count / (double)info->building_count;
    print_message("  %s: %.0f buildings/km2, %.2f built, %.2f walls a building, up to %.0f m\n", info->source, density,
                  share, walls, info->height_max_m);
    assert_true(density >= limits->density_min && density <= limits->density_max);
    assert_true(share >= limits->share_min && share <= limits->share_max);
    assert_true(walls >= limits->walls_min && walls <= limits->walls_max);
    assert_true(info->height_min_m >= 3.0 && info->height_max_m <= limits->height_max_m);
}

static void test_every_kind_is_plausible(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (int k = 0; k < KIND_COUNT; k++) {
        for (size_t a = 0; a < sizeof areas_km2 / sizeof areas_km2[0]; a++) {
            for (size_t s = 0; s < sizeof seeds / sizeof seeds[0]; s++) {
                rcity_scene_info info;
                rcity_scene *scene = make_city(context, kinds[k].kind, seeds[s], areas_km2[a], &info);
                check_city(&kinds[k], areas_km2[a], &info);
                rcity_scene_destroy(&scene);
            }
        }
    }
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_same_seed_same_city(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_context *other_context = test_context(2);
    for (int k = 0; k < KIND_COUNT; k++) {
        rcity_scene_info first, again, other;
        rcity_scene *first_scene = make_city(context, kinds[k].kind, 7, 0.5, &first);
        rcity_scene *again_scene = make_city(other_context, kinds[k].kind, 7, 0.5, &again);
        rcity_scene *other_scene = make_city(context, kinds[k].kind, 8, 0.5, &other);
        assert_string_equal(first.hash, again.hash);
        assert_string_not_equal(first.hash, other.hash);
        rcity_scene_destroy(&first_scene);
        rcity_scene_destroy(&again_scene);
        rcity_scene_destroy(&other_scene);
    }
    rcity_context_destroy(&other_context);
    rcity_context_destroy(&context);
}

static void test_source_and_origin(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_city_options options = rcity_city_options_default();
    assert_int_equal(options.kind, RCITY_CITY_CORE);
    assert_int_equal(options.seed, 1);
    assert_near(options.area_km2, 1.0, 0.0);
    assert_null(options.crs);
    options.seed = 7;
    options.area_km2 = 0.25;
    options.origin_x_m = 691000.5;
    options.origin_y_m = 5335000.25;
    options.crs = "EPSG:25832";
    rcity_scene *scene = NULL;
    rcity_scene_info info;
    assert_ok(context, rcity_city_make(context, &options, &scene));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_string_equal(info.source, "synthetic core, 0.25 km2, seed 7");
    assert_string_equal(info.crs, "EPSG:25832");
    assert_near(info.x_min_m, 691000.5, 0.0);
    assert_near(info.y_min_m, 5335000.25, 0.0);
    assert_near(info.x_max_m, 691500.5, 0.0);
    assert_near(info.y_max_m, 5335500.25, 0.0);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static double edge_distance(rcity_grid_point p, rcity_grid_point q, rcity_grid_point at)
{
    double dx = (double)q.x - p.x;
    double dy = (double)q.y - p.y;
    double t = (((double)at.x - p.x) * dx + ((double)at.y - p.y) * dy) / (dx * dx + dy * dy);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return hypot(p.x + t * dx - at.x, p.y + t * dy - at.y);
}

/* Every corner lies on a corner of its neighbour or 0.6 m and more from it. */
static void check_distances(const rcity_shapes *shapes)
{
    double least = 0.6 * shapes->units_per_m;
    for (int64_t a = 0; a < shapes->prism_count; a++) {
        const rcity_prism *prism = &shapes->prisms[a];
        int32_t reach = shapes->units_per_m;
        for (int64_t b = 0; b < shapes->prism_count; b++) {
            const rcity_prism *near = &shapes->prisms[b];
            if (a == b || near->x_min > prism->x_max + reach || near->x_max < prism->x_min - reach ||
                near->y_min > prism->y_max + reach || near->y_max < prism->y_min - reach) {
                continue;
            }
            for (int32_t r = near->first_ring; r < near->first_ring + near->ring_count; r++) {
                for (int32_t i = shapes->ring_first[r]; i < shapes->ring_first[r + 1]; i++) {
                    rcity_grid_point p = shapes->points[i];
                    rcity_grid_point q = shapes->points[rcity_ring_next(shapes->ring_first, r, i)];
                    int32_t end = shapes->ring_first[prism->first_ring + prism->ring_count];
                    for (int32_t k = shapes->ring_first[prism->first_ring]; k < end; k++) {
                        rcity_grid_point at = shapes->points[k];
                        bool is_shared = (at.x == p.x && at.y == p.y) || (at.x == q.x && at.y == q.y);
                        assert_true(is_shared || edge_distance(p, q, at) >= least);
                    }
                }
            }
        }
    }
}

/* Towers share the number of the building they stand in, and nothing else lies within another building. */
static void check_nesting(const rcity_shapes *shapes)
{
    int64_t tower_count = 0;
    for (int64_t i = 1; i < shapes->building_count; i++) {
        tower_count += shapes->buildings[i].id == shapes->buildings[i - 1].id;
    }
    assert_int_equal(shapes->nested_building_count, tower_count);
}

static void test_houses_share_corners_or_keep_apart(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (int k = 0; k < KIND_COUNT; k++) {
        for (uint64_t seed = 100; seed < 112; seed++) {
            rcity_scene_info info;
            rcity_scene *scene = make_city(context, kinds[k].kind, seed, 0.3, &info);
            check_distances(rcity_scene_shapes(scene));
            check_nesting(rcity_scene_shapes(scene));
            rcity_scene_destroy(&scene);
        }
    }
    rcity_context_destroy(&context);
}

static void test_buildings_stand_within_the_terrain(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_info info;
    rcity_scene *scene = make_city(context, RCITY_CITY_HIGHRISE, 3, 0.7, &info);
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    const rcity_terrain_grid *terrain = &shapes->terrain;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        assert_true(prism->x_min >= terrain->west + terrain->cell);
        assert_true(prism->y_min >= terrain->south + terrain->cell);
        assert_true(prism->x_max <= terrain->west + (terrain->column_count - 2) * terrain->cell);
        assert_true(prism->y_max <= terrain->south + (terrain->row_count - 2) * terrain->cell);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void check_refused(rcity_context *context, const rcity_city_options *options, const char *words)
{
    rcity_scene *scene = NULL;
    assert_status(context, rcity_city_make(context, options, &scene), RCITY_ERR_ARGUMENT);
    assert_message(context, words);
    assert_null(scene);
}

static void test_bad_options_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const double bad_areas[] = {0.0, -1.0, 0.0999, 50.001, (double)NAN, HUGE_VAL};
    const double bad_origins[] = {1e8, -1e8, (double)NAN, -HUGE_VAL};
    rcity_city_options options = rcity_city_options_default();
    for (size_t i = 0; i < sizeof bad_areas / sizeof bad_areas[0]; i++) {
        options.area_km2 = bad_areas[i];
        check_refused(context, &options, "must be 0.1 to 50");
    }
    for (size_t i = 0; i < sizeof bad_origins / sizeof bad_origins[0]; i++) {
        options = rcity_city_options_default();
        options.origin_x_m = bad_origins[i];
        check_refused(context, &options, "the origin's x");
        options.origin_x_m = 0.0;
        options.origin_y_m = bad_origins[i];
        check_refused(context, &options, "the origin's y");
    }
    options = rcity_city_options_default();
    options.kind = (rcity_city_kind)RCITY_CITY_KIND_COUNT;
    check_refused(context, &options, "kind");
    rcity_context_destroy(&context);
}

/* A region has ranges of mountains, whatever its nodes are apart, and the same bits from any number of threads. */
static void test_hills_of_a_region(void **state)
{
    (void)state;
    char hash[3][65];
    for (int threads = 1; threads <= 3; threads++) {
        rcity_context *context = test_context(threads);
        rcity_city_options options = rcity_city_options_default();
        options.kind = RCITY_CITY_HILLS;
        options.area_km2 = 14400.0;
        options.terrain_cell_m = 240.0;
        rcity_scene *scene = NULL;
        rcity_scene_info info;
        assert_ok(context, rcity_city_make(context, &options, &scene));
        assert_ok(context, rcity_scene_describe(scene, &info));
        assert_near(info.terrain_cell_m, 240.0, 0.0);
        assert_near(info.x_max_m, 120000.0, 0.0);
        assert_near(info.y_max_m, 120000.0, 0.0);
        assert_true(info.ground_max_m - info.ground_min_m > 1700.0);
        memcpy(hash[threads - 1], info.hash, sizeof hash[0]);
        rcity_scene_destroy(&scene);
        rcity_context_destroy(&context);
    }
    assert_string_equal(hash[0], hash[1]);
    assert_string_equal(hash[0], hash[2]);
}

/* Nodes of another distance lie on the same ground: where two grids share a place, what differs is how the heights of
   each are stretched between its own lowest and highest node. */
static void test_cell_of_hills(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_city_options options = rcity_city_options_default();
    options.kind = RCITY_CITY_HILLS;
    options.area_km2 = 100.0;
    rcity_scene *scenes[2] = {NULL, NULL};
    const double cells_m[2] = {(double)NAN, 60.0};
    for (int i = 0; i < 2; i++) {
        options.terrain_cell_m = cells_m[i];
        assert_ok(context, rcity_city_make(context, &options, &scenes[i]));
    }
    const rcity_terrain_grid *fine = &rcity_scene_shapes(scenes[0])->terrain;
    const rcity_terrain_grid *coarse = &rcity_scene_shapes(scenes[1])->terrain;
    assert_int_equal(coarse->cell, 2 * fine->cell);
    for (int32_t row = 0; 2 * row < fine->row_count; row++) {
        for (int32_t column = 0; 2 * column < fine->column_count; column++) {
            double a = fine->height[2 * row * fine->column_count + 2 * column] / 64.0;
            double b = coarse->height[row * coarse->column_count + column] / 64.0;
            assert_near(a, b, 10.0);
        }
    }
    rcity_scene_destroy(&scenes[0]);
    rcity_scene_destroy(&scenes[1]);
    rcity_context_destroy(&context);
}

static void test_bad_regions_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_city_options options = rcity_city_options_default();
    options.area_km2 = 50.001;
    check_refused(context, &options, "`kind=hills` may be larger");
    options.area_km2 = 1.0;
    options.terrain_cell_m = 30.0;
    check_refused(context, &options, "`terrain-cell-m` is for `kind=hills`, not for `kind=core`");
    options.kind = RCITY_CITY_HILLS;
    const double bad_cells[] = {0.0, -30.0, 0.999, 1000.1, HUGE_VAL};
    for (size_t i = 0; i < sizeof bad_cells / sizeof bad_cells[0]; i++) {
        options.terrain_cell_m = bad_cells[i];
        check_refused(context, &options, "must be 1 to 1000 m");
    }
    options.terrain_cell_m = 30.01;
    check_refused(context, &options, "must be a multiple of 1/128 m");
    options.area_km2 = 14400.0;
    options.terrain_cell_m = 30.03125; /* half a unit of this wide scene */
    check_refused(context, &options, "must be a multiple of 1/16 m");
    options.area_km2 = RCITY_CITY_HILLS_MAX_KM2;
    options.terrain_cell_m = 5.0;
    check_refused(context, &options, "63247 x 63247 nodes");
    options.area_km2 = 100000.1;
    check_refused(context, &options, "must be 0.1 to 100000");
    rcity_context_destroy(&context);
}

static void test_city_kinds_have_names(void **state)
{
    (void)state;
    assert_string_equal(rcity_city_kind_name(RCITY_CITY_GRID), "grid");
    assert_string_equal(rcity_city_kind_name(RCITY_CITY_CORE), "core");
    assert_string_equal(rcity_city_kind_name(RCITY_CITY_HIGHRISE), "highrise");
    assert_string_equal(rcity_city_kind_name(RCITY_CITY_HILLS), "hills");
    for (int i = 0; i < RCITY_CITY_KIND_COUNT; i++) {
        assert_true(strlen(rcity_city_kind_text((rcity_city_kind)i)) > 10);
    }
    assert_null(rcity_city_kind_name((rcity_city_kind)RCITY_CITY_KIND_COUNT));
    assert_null(rcity_city_kind_text((rcity_city_kind)RCITY_CITY_KIND_COUNT));
}

/* The n-th allocation fails: the call says so, gives nothing, and leaves nothing behind. */
static void test_failing_allocations(void **state)
{
    (void)state;
    for (int k = 0; k < KIND_COUNT; k++) {
        rcity_status status = RCITY_ERR_MEMORY;
        for (long n = 1; status != RCITY_OK; n += 1 + n / 6) {
            failing_allocator failing = {0};
            rcity_context *context = test_context_failing(&failing, 1);
            failing.fail_at = n;
            long live_count = failing.live_count;
            rcity_city_options options = rcity_city_options_default();
            options.kind = kinds[k].kind;
            options.area_km2 = 0.1;
            rcity_scene *scene = NULL;
            status = rcity_city_make(context, &options, &scene);
            assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
            assert_int_equal(scene != NULL, status == RCITY_OK);
            rcity_scene_destroy(&scene);
            assert_int_equal(rcity_context_memory_used(context), 0);
            assert_int_equal(failing.live_count, live_count);
            rcity_context_destroy(&context);
        }
    }
}

/* Stops a task when it is half done. */
static bool stop_at_half(void *user, const char *task, double done, double total)
{
    int *call_count = user;
    (*call_count)++;
    assert_non_null(task);
    return done < 0.5 * total;
}

static void test_stopped_by_the_caller(void **state)
{
    (void)state;
    for (int k = 0; k < KIND_COUNT; k++) {
        int call_count = 0;
        rcity_context_options context_options = rcity_context_options_default();
        context_options.progress = stop_at_half;
        context_options.progress_user = &call_count;
        rcity_context *context = NULL;
        assert_int_equal(rcity_context_create(&context_options, &context), RCITY_OK);
        rcity_city_options options = rcity_city_options_default();
        options.kind = kinds[k].kind;
        rcity_scene *scene = NULL;
        assert_status(context, rcity_city_make(context, &options, &scene), RCITY_ERR_CANCELLED);
        assert_null(scene);
        assert_true(call_count >= 2);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
    }
}

static void test_polygon_operations_give_known_areas(void **state)
{
    (void)state;
    rcity_city_polygon square =
        rcity_city_polygon_rectangle(rcity_city_point_at(5.0, 5.0), rcity_city_point_at(1.0, 0.0), 5.0, 5.0, 2.0);
    assert_near(rcity_city_polygon_area(&square), 100.0, 1e-12);
    assert_near(rcity_city_polygon_width(&square), 10.0, 1e-12);
    rcity_city_polygon inner = rcity_city_polygon_inset(&square, 1.0);
    assert_int_equal(inner.count, 4);
    assert_near(rcity_city_polygon_area(&inner), 16.0, 1e-9);
    inner = rcity_city_polygon_shrink(&square, 5.5);
    assert_int_equal(inner.count, 0);

    rcity_city_half_plane lower =
        rcity_city_half_plane_left(rcity_city_point_at(0.0, 4.0), rcity_city_point_at(-1.0, 0.0));
    rcity_city_polygon part = square;
    rcity_city_polygon_clip(&part, &lower, 7.0, 3);
    assert_near(rcity_city_polygon_area(&part), 40.0, 1e-9);
    int found_count = 0;
    for (int i = 0; i < part.count; i++) {
        found_count += part.margin_m[i] == 7.0 && part.source[i] == 3 && part.corner[i].y == 4.0;
    }
    assert_int_equal(found_count, 1);

    rcity_city_polygon octagon = square;
    rcity_city_polygon_chamfer(&octagon, -0.1, sqrt(2.0));
    assert_int_equal(octagon.count, 8);
    assert_near(rcity_city_polygon_area(&octagon), 98.0, 1e-9);
    rcity_city_polygon_simplify(&octagon, 2.0);
    assert_true(octagon.count < 8);
    assert_true(rcity_city_polygon_area(&octagon) <= 98.0);
}

static void test_random_numbers(void **state)
{
    (void)state;
    double sum = 0.0;
    int count_of[8] = {0};
    for (int i = 0; i < 8000; i++) {
        double value = rcity_city_uniform(rcity_city_key(5, i), 3);
        assert_true(value >= 0.0 && value < 1.0);
        sum += value;
        count_of[rcity_city_pick(rcity_city_key(5, i), 4, 8)]++;
    }
    assert_near(sum / 8000.0, 0.5, 0.02);
    for (int i = 0; i < 8; i++) {
        assert_true(count_of[i] > 850 && count_of[i] < 1150);
    }
}

TEST_SUITE(city)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_city_kinds_have_names),
        cmocka_unit_test(test_random_numbers),
        cmocka_unit_test(test_polygon_operations_give_known_areas),
        cmocka_unit_test(test_every_kind_is_plausible),
        cmocka_unit_test(test_same_seed_same_city),
        cmocka_unit_test(test_source_and_origin),
        cmocka_unit_test(test_houses_share_corners_or_keep_apart),
        cmocka_unit_test(test_buildings_stand_within_the_terrain),
        cmocka_unit_test(test_bad_options_are_refused),
        cmocka_unit_test(test_hills_of_a_region),
        cmocka_unit_test(test_cell_of_hills),
        cmocka_unit_test(test_bad_regions_are_refused),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_stopped_by_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
