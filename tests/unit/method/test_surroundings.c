/* Streets and roofs around a place: right by construction in a Manhattan grid, equal to plain loops in random
   cities. */
#include "rcity_test.h"

#include "api/predictor.h"
#include "method/empirical/surroundings.h"
#include "scene/scene_data.h"

#define PI 3.14159265358979323846

/* What the tests ask, in metres of the scene. */
typedef struct stage {
    rcity_context *context;
    rcity_scene *scene;
    rcity_street_finder finder;
    rcity_roof_window window;
} stage;

static void open_stage(stage *on, rcity_context *context, rcity_scene *scene)
{
    on->context = context;
    on->scene = scene;
    assert_ok(context, rcity_street_finder_init(context, rcity_scene_shapes(scene), &scene->wall_index, &on->finder));
    assert_ok(context, rcity_roof_window_init(context, rcity_scene_shapes(scene), &scene->prism_index, &on->window));
}

static void close_stage(stage *on)
{
    rcity_roof_window_deinit(on->context, &on->window);
    rcity_street_finder_deinit(on->context, &on->finder);
    rcity_scene_destroy(&on->scene);
    assert_int_equal(rcity_context_memory_used(on->context), 0);
    rcity_context_destroy(&on->context);
}

static rcity_grid_point snap(const stage *on, double x_m, double y_m)
{
    const rcity_shapes *shapes = rcity_scene_shapes(on->scene);
    rcity_grid_point at = {(int32_t)lround((x_m - shapes->origin_x_m) * shapes->units_per_m),
                           (int32_t)lround((y_m - shapes->origin_y_m) * shapes->units_per_m)};
    return at;
}

static rcity_street_place find(const stage *on, double x_m, double y_m)
{
    return rcity_street_find(&on->finder, snap(on, x_m, y_m));
}

static rcity_roof_view look(const stage *on, double x_m, double y_m)
{
    return rcity_roof_window_get(&on->window, x_m - on->scene->shapes.origin_x_m, y_m - on->scene->shapes.origin_y_m);
}

/* Blocks of 44 x 64 m, each of two houses that share a wall; streets of 16 m run north, of 20 m east. */
enum { GRID_COLUMNS = 10, GRID_ROWS = 8 };

static rcity_scene *manhattan(rcity_context *context)
{
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    for (int i = 0; i < GRID_COLUMNS * GRID_ROWS; i++) {
        double x = 60.0 * (i % GRID_COLUMNS);
        double y = 84.0 * (i / GRID_COLUMNS);
        test_add_box(context, scene, 2 * i, (test_box){x, y, x + 44, y + 30, 18});
        test_add_box(context, scene, 2 * i + 1, (test_box){x, y + 30, x + 44, y + 64, 18});
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

static void test_street_width_and_axis_are_found(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    stage on;
    open_stage(&on, context, manhattan(context));
    for (int i = 0; i < 200; i++) {
        /* in a street that runs north, not at a crossing */
        double x = 60.0 * (1 + i % 8) + 44.0 + test_uniform(21, (uint64_t)i * 4, 0.1, 15.9);
        double y = 84.0 * (i % GRID_ROWS) + test_uniform(21, (uint64_t)i * 4 + 1, 0.1, 63.9);
        rcity_street_place place = find(&on, x, y);
        assert_true(place.has_wall && place.is_street);
        assert_near(place.width_m, 16.0, 1e-9);
        assert_near(place.axis_rad, PI / 2.0, 1e-9);
        double off_m = fmod(x, 60.0) - 44.0;
        assert_near(place.wall_m, fmin(off_m, 16.0 - off_m), 0.005);
        /* in a street that runs east */
        x = 60.0 * (i % GRID_COLUMNS) + test_uniform(21, (uint64_t)i * 4 + 2, 0.1, 43.9);
        y = 84.0 * (1 + i % 6) + 64.0 + test_uniform(21, (uint64_t)i * 4 + 3, 0.1, 19.9);
        place = find(&on, x, y);
        assert_true(place.is_street);
        assert_near(place.width_m, 20.0, 1e-9);
        assert_near(place.axis_rad, 0.0, 1e-9);
    }
    /* straight opposite the wall that two houses share: the facade counts, not the end of the common wall */
    rcity_street_place place = find(&on, 60.0 + 44.0 + 5.0, 84.0 + 30.0);
    assert_near(place.axis_rad, PI / 2.0, 1e-9);
    assert_near(place.wall_m, 5.0, 1e-9);
    assert_near(place.width_m, 16.0, 1e-9);
    place = find(&on, 60.0 - 5.0, 84.0 + 30.0);
    assert_near(place.axis_rad, PI / 2.0, 1e-9);
    assert_near(place.wall_m, 5.0, 1e-9);
    /* in the middle of a crossing: from corner to corner */
    place = find(&on, 60.0 - 8.0, 84.0 - 10.0);
    assert_near(place.wall_m, sqrt(8.0 * 8.0 + 10.0 * 10.0), 1e-9);
    assert_near(place.width_m, 2.0 * sqrt(8.0 * 8.0 + 10.0 * 10.0), 1e-9);
    /* on a wall: out of it, across the street */
    place = find(&on, 60.0 + 44.0, 84.0 + 20.0);
    assert_near(place.wall_m, 0.0, 0.0);
    assert_near(place.width_m, 16.0, 1e-9);
    /* roofs are all 18 m high; three whole periods of 60 m and two and a bit of 84 m in a window of 200 m */
    rcity_roof_view view = look(&on, 302.0, 326.0);
    assert_near(view.height_m, 18.0, 1e-9);
    assert_near(view.built_fraction, 44.0 * 64.0 / (60.0 * 84.0), 0.05);
    close_stage(&on);
}

static void test_building_separation_follows_width_and_density(void **state)
{
    (void)state;
    /* square blocks of 40 m in streets of 20 m repeat every 60 m */
    assert_near(rcity_building_separation_m(20.0, 40.0 * 40.0 / (60.0 * 60.0)), 60.0, 1e-9);
    assert_near(rcity_building_separation_m(15.0, 85.0 * 85.0 / (100.0 * 100.0)), 100.0, 1e-9);
    assert_near(rcity_building_separation_m(1.0, 0.2), RCITY_SEPARATION_MIN_M, 0.0);
    assert_near(rcity_building_separation_m(100.0, 0.9), RCITY_SEPARATION_MAX_M, 0.0);
    assert_near(rcity_building_separation_m(100.0, 0.0), 100.0, 0.0);
    assert_true(isfinite(rcity_building_separation_m(10.0, 1.0)));
}

static void test_open_country(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{0, 0, 20, 20, 10}, {3000, 3000, 3020, 3020, 30}};
    stage on;
    open_stage(&on, context, test_scene(context, boxes, 2));
    rcity_street_place place = find(&on, 20.0 + 99.0, 10.0); /* one wall, none across */
    assert_true(place.has_wall && !place.is_street);
    assert_near(place.wall_m, 99.0, 1e-9);
    assert_near(place.width_m, RCITY_STREET_REACH_M, 1e-9);
    place = find(&on, 20.0 + 101.0, 10.0);
    assert_false(place.has_wall);
    place = find(&on, -5000.0, -5000.0);
    assert_false(place.has_wall);
    rcity_roof_view view = look(&on, 20.0 + 300.0, 10.0); /* the house lies in the window of 400 m */
    assert_near(view.height_m, 10.0, 1e-9);
    assert_near(view.built_fraction, 0.0, 0.0);
    assert_near(view.town, 1.0, 0.0);
    assert_near(look(&on, -100.0, 10.0).town, 0.5, 0.1); /* the coarse raster of roofs may begin a cell earlier */
    assert_near(look(&on, -60.0, -80.0).town, 0.5, 0.1);
    assert_near(look(&on, 3500.0, 10.0).town, 0.0, 0.0);
    view = look(&on, 1500.0, 1500.0);
    assert_near(view.height_m, 0.0, 0.0);
    view = look(&on, -9000.0, 9000.0);
    assert_near(view.height_m, 0.0, 0.0);
    close_stage(&on);
    context = test_context(1); /* no building at all */
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    const float height_m[] = {1, 2, 3, 4};
    const rcity_terrain terrain = {2, 2, 0.0, 0.0, 1000.0, height_m};
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    assert_ok(context, rcity_scene_commit(scene));
    open_stage(&on, context, scene);
    assert_false(find(&on, 500, 500).has_wall);
    assert_near(look(&on, 500, 500).height_m, 0.0, 0.0);
    close_stage(&on);
}

/* Nearest point of a wall, in plan units. */
static double foot_of(const rcity_shapes *shapes, const int32_t *edge_end, int32_t edge, const double p[2],
                      double foot[2])
{
    double ax = shapes->points[edge].x;
    double ay = shapes->points[edge].y;
    double dx = shapes->points[edge_end[edge]].x - ax;
    double dy = shapes->points[edge_end[edge]].y - ay;
    double t = ((p[0] - ax) * dx + (p[1] - ay) * dy) / (dx * dx + dy * dy);
    t = fmin(fmax(t, 0.0), 1.0);
    foot[0] = ax + t * dx;
    foot[1] = ay + t * dy;
    return hypot(p[0] - foot[0], p[1] - foot[1]);
}

/* How far a ray from p away from a foot gets: all walls, one after the other. */
static double ray_length(const rcity_shapes *shapes, const int32_t *edge_end, const double p[2], const double foot[2],
                         double limit)
{
    double length = hypot(p[0] - foot[0], p[1] - foot[1]);
    double ux = (p[0] - foot[0]) / length;
    double uy = (p[1] - foot[1]) / length;
    double best = limit;
    for (int32_t edge = 0; edge < shapes->point_count; edge++) {
        double ax = shapes->points[edge].x - p[0];
        double ay = shapes->points[edge].y - p[1];
        double bx = shapes->points[edge_end[edge]].x - p[0];
        double by = shapes->points[edge_end[edge]].y - p[1];
        double side_a = ux * ay - uy * ax; /* left of the ray or right of it */
        double side_b = ux * by - uy * bx;
        if ((side_a > 0.0) == (side_b > 0.0) || side_a == side_b) {
            continue;
        }
        double share = side_a / (side_a - side_b);
        double along = ux * (ax + share * (bx - ax)) + uy * (ay + share * (by - ay));
        best = along > 1e-6 ? fmin(best, along) : best;
    }
    return best;
}

/* The answer is that of one of the walls that are nearest, and no wall is nearer. */
static void check_place(const stage *on, double x_m, double y_m, uint64_t seed)
{
    const rcity_shapes *shapes = rcity_scene_shapes(on->scene);
    rcity_grid_point at = snap(on, x_m, y_m);
    double p[2] = {at.x, at.y};
    double units = shapes->units_per_m;
    double nearest = HUGE_VAL;
    double foot[2];
    for (int32_t edge = 0; edge < shapes->point_count; edge++) {
        nearest = fmin(nearest, foot_of(shapes, on->finder.edge_end, edge, p, foot));
    }
    rcity_street_place place = rcity_street_find(&on->finder, at);
    assert_int_equal(place.has_wall, nearest <= RCITY_STREET_REACH_M * units);
    if (!place.has_wall || nearest == 0.0) {
        return;
    }
    assert_near(place.wall_m * units, nearest, 1e-6);
    bool is_one = false;
    for (int32_t edge = 0; edge < shapes->point_count; edge++) {
        if (foot_of(shapes, on->finder.edge_end, edge, p, foot) > nearest + 1e-6) {
            continue;
        }
        double dx = shapes->points[on->finder.edge_end[edge]].x - shapes->points[edge].x;
        double dy = shapes->points[on->finder.edge_end[edge]].y - shapes->points[edge].y;
        double turn = fabs(sin(atan2(dy, dx) - place.axis_rad));
        double limit = RCITY_STREET_REACH_M * units - nearest;
        double across = ray_length(shapes, on->finder.edge_end, p, foot, limit);
        is_one = is_one || (turn < 1e-9 && fabs(place.width_m * units - nearest - across) < 1e-3);
    }
    if (!is_one) {
        print_error("seed %llu, (%.3f, %.3f): width %.4f m, axis %.4f, wall at %.4f m is no wall's\n",
                    (unsigned long long)seed, x_m, y_m, place.width_m, place.axis_rad, place.wall_m);
        fail();
    }
}

/* The same sums over all cells of the coarse raster, one by one. */
static void check_roofs(const stage *on, double x_m, double y_m)
{
    const rcity_shapes *shapes = rcity_scene_shapes(on->scene);
    const rcity_roof_window *window = &on->window;
    double height = 0.0;
    double built = 0.0;
    double fraction = 0.0;
    double weight = 1.0;
    for (double half_m = 100.0; half_m < 1000.0; half_m *= 2.0) {
        int64_t count = 0;
        int64_t cell_count = 0;
        for (int64_t i = 0; i < window->column_count * window->row_count; i++) {
            double x =
                window->west_m + window->cell_m * ((double)(i % window->column_count) + 0.5) + shapes->origin_x_m;
            double y =
                window->south_m + window->cell_m * ((double)(i / window->column_count) + 0.5) + shapes->origin_y_m;
            if (fabs(x - x_m) > half_m || fabs(y - y_m) > half_m) {
                continue;
            }
            cell_count++;
            rcity_cover cover;
            double ground_m;
            assert_ok(on->context, rcity_scene_get_cover(on->context, on->scene, x, y, &cover));
            if (cover.is_covered) {
                assert_ok(on->context, rcity_scene_get_ground(on->context, on->scene, x, y, &ground_m));
                count++;
                height += weight * round(fmax(cover.roof_m - ground_m, 0.0) * 64.0) / 64.0;
            }
        }
        built += weight * (double)count;
        fraction = half_m == 100.0 && cell_count > 0 ? (double)count / (double)cell_count : fraction;
        weight /= 16.0;
    }
    rcity_roof_view view = look(on, x_m, y_m);
    assert_near(view.height_m, built > 0.0 ? height / built : 0.0, 1e-9);
    assert_near(view.built_fraction, fraction, 1e-12);
}

static void test_random_cities(void **state)
{
    (void)state;
    static const rcity_city_kind kinds[] = {RCITY_CITY_CORE, RCITY_CITY_GRID, RCITY_CITY_HIGHRISE};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        rcity_context *context = test_context(1);
        rcity_city_options options = rcity_city_options_default();
        options.kind = kinds[seed % 3];
        options.seed = seed;
        options.area_km2 = 0.15;
        rcity_scene *scene = NULL;
        assert_ok(context, rcity_city_make(context, &options, &scene));
        stage on;
        open_stage(&on, context, scene);
        rcity_scene_info info;
        assert_ok(context, rcity_scene_describe(scene, &info));
        for (uint64_t i = 0; i < 1500; i++) {
            double x = test_uniform(seed, 2 * i, info.x_min_m - 60.0, info.x_max_m + 60.0);
            double y = test_uniform(seed, 2 * i + 1, info.y_min_m - 60.0, info.y_max_m + 60.0);
            check_place(&on, x, y, seed);
        }
        for (uint64_t i = 0; i < 10; i++) {
            check_roofs(&on, test_uniform(seed, 9000 + 2 * i, info.x_min_m - 60.0, info.x_max_m + 60.0),
                        test_uniform(seed, 9001 + 2 * i, info.y_min_m - 60.0, info.y_max_m + 60.0));
        }
        close_stage(&on);
    }
    print_message("4500 streets, 30 windows, seeds 1 to 3\n");
}

/* The receivers of a job: scene, fallbacks and what the user knows better. */
static void test_streets_are_filled_with_scene_or_overrides(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    stage on;
    open_stage(&on, context, manhattan(context));
    const double xyh_m[] = {60.0 + 50.0, 84.0 + 40.0, 1.5, 260.0, 84.0 + 70.0, 1.5, 2000.0, 2000.0, 1.5};
    rcity_request request = rcity_request_default();
    request.method = "walfisch-ikegami";
    request.range_policy = RCITY_RANGE_EXTRAPOLATE;
    request.transmitter.x_m = 60.0 + 50.0; /* in a street */
    request.transmitter.y_m = 84.0 + 10.0;
    request.transmitter.height_m = 30.0;
    request.transmitter.frequency_hz = 900e6;
    request.receivers.point_count = 3;
    request.receivers.xyh_m = xyh_m;
    rcity_device *device = NULL;
    rcity_predictor *predictor = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    assert_ok(context, rcity_predictor_open_once(context, on.scene, device, &request, &predictor));
    const rcity_job *job = &predictor->job;
    rcity_street_override from_scene = {(double)NAN, (double)NAN, (double)NAN};
    rcity_street streets[3];
    assert_ok(context, rcity_surroundings_fill(job, &from_scene, streets));
    assert_near((double)streets[0].width_m, 16.0, 1e-5);
    assert_near((double)streets[0].axis_rad, PI / 2.0, 1e-6);
    assert_near((double)streets[0].roof_height_m, 18.0, 1e-5);
    rcity_roof_view view = look(&on, xyh_m[0], xyh_m[1]);
    assert_near((double)streets[0].building_separation_m, 16.0 / (1.0 - sqrt(view.built_fraction)), 1e-3);
    assert_near((double)streets[1].width_m, 20.0, 1e-5);
    assert_near((double)streets[1].axis_rad, 0.0, 1e-6);
    assert_near((double)streets[2].width_m, RCITY_STREET_REACH_M, 1e-5); /* nothing around */
    assert_true(isnan(streets[2].axis_rad));
    assert_near((double)streets[2].roof_height_m, 0.0, 0.0);
    assert_near((double)streets[0].town, 1.0, 0.0);
    assert_near((double)streets[2].town, 0.0, 0.0);
    assert_near((double)streets[2].building_separation_m, 100.0, 1e-5);
    rcity_street_override given = {25.0, 55.0, 9.0};
    assert_ok(context, rcity_surroundings_fill(job, &given, streets));
    for (int i = 0; i < 3; i++) {
        assert_near((double)streets[i].width_m, 25.0, 0.0);
        assert_near((double)streets[i].building_separation_m, 55.0, 0.0);
        assert_near((double)streets[i].roof_height_m, 9.0, 0.0);
        assert_near((double)streets[i].town, 1.0, 0.0);
    }
    rcity_predictor_close(&predictor);
    rcity_device_close(&device);
    close_stage(&on);
}

TEST_SUITE(surroundings)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_street_width_and_axis_are_found),
        cmocka_unit_test(test_building_separation_follows_width_and_density),
        cmocka_unit_test(test_open_country),
        cmocka_unit_test(test_random_cities),
        cmocka_unit_test(test_streets_are_filled_with_scene_or_overrides),
    };
    return cmocka_run_group_tests_name("surroundings", tests, NULL, NULL);
}
