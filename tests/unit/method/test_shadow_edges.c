/* The default law of `shadow`, piece by piece: its arithmetic against libm, knife edges against ITU-R P.526, the nearest
   edge of a free line against all walls, streets against ITU-R P.1411, what is built around a place against areas by hand. */
#include "rcity_test.h"

#include "kernel/shadow/shadow_take.h"
#include "kernel/terrain/delta_bullington.h"
#include "kernel/terrain/delta_bullington.h"
#include "method/shadow/trace/shadow_points.h"
#include "method/surroundings/built_up.h"
#include "points_world.h"

static void test_decibels_and_ratios_equal_libm(void **state)
{
    (void)state;
    double worst_db = 0.0, worst_ratio = 0.0;
    for (uint64_t i = 0; i < 200000; i++) {
        float x = (float)pow(10.0, test_uniform(3, i, -30.0, 30.0));
        worst_db = fmax(worst_db, fabs((double)rcity_decibels(x) - 10.0 * log10((double)x)));
        float db = (float)test_uniform(4, i, -350.0, 350.0);
        worst_ratio = fmax(worst_ratio, fabs((double)rcity_decibel_ratio(db) / pow(10.0, 0.1 * (double)db) - 1.0));
    }
    print_message("decibels within %.2g dB, ratios within %.2g\n", worst_db, worst_ratio);
    assert_true(worst_db < 4e-5); /* a unit in the last place of 300 dB is 3e-5 */
    assert_true(worst_ratio < 2e-5);
    assert_true(rcity_decibels(1.0f) == 0.0f && rcity_decibel_ratio(0.0f) == 1.0f);
    assert_true(rcity_decibel_ratio(-1e30f) > 0.0f && rcity_decibel_ratio(-1e30f) < 1e-36f);
}

/* ITU-R P.526-15, equation 31, written out. */
static double knife_edge_db(double v)
{
    return v > -0.78 ? fmax(6.9 + 20.0 * log10(sqrt((v - 0.1) * (v - 0.1) + 1.0) + v - 0.1), 0.0) : 0.0;
}

static void test_knife_edge_is_that_of_p526(void **state)
{
    (void)state;
    for (double v = -3.0; v < 200.0; v += 0.0101) { /* -0.78 itself is not among them */
        double found_db = (double)rcity_decibels(rcity_shadow_edge_ratio((float)v));
        assert_near(found_db, knife_edge_db((double)(float)v), 2e-4);
    }
    assert_near(knife_edge_db(0.0), 6.02, 0.02); /* half of the field, whatever the formula */
}

/* ITU-R P.1411-12, section 4.1.3.2, urban: 20 dB within 30 m of the corner, with the logarithm of the metres. */
static void test_street_corner_loses_what_p1411_says(void **state)
{
    (void)state;
    assert_near((double)rcity_corner_street(1.7f, 0.0f), 1.0, 1e-6); /* nothing at the edge of sight */
    for (double angle = 0.05; angle < 3.14; angle += 0.1) {
        for (double leg_m = 2.0; leg_m < 200.0; leg_m *= 1.5) {
            double metres = 1.0 + 2.0 * leg_m * sin(0.5 * angle);
            double published_db = 20.0 / log10(31.0) * log10(metres);
            double found_db = 10.0 * log10((double)rcity_corner_street((float)log10(leg_m), (float)angle));
            assert_true(metres > 31.0 || fabs(found_db - published_db) < 0.6);
            assert_near(found_db, 13.75 * log10(metres), 0.01);
        }
    }
}

/* In a street a corner costs the same on both sides of the edge of sight, and less than its knife edge behind it; where
   there is no city it is the knife edge. */
static void test_street_has_no_step_at_the_edge_of_sight(void **state)
{
    (void)state;
    rcity_shadow_law law = {.has_knife_edges = 1, .wavelength_m = 0.1f, .per_root_wavelength = 3.16227766f};
    const rcity_shadow_chain_loss none = {1.0f, 1.0f, 0.0f};
    for (float street = 0.0f; street <= 1.0f; street += 0.25f) {
        rcity_shadow_nearest nearest = {0.0f, 1, 0.0f, RCITY_SHADOW_CLEAR_ROOT_M};
        rcity_corner_path last = {.street = 1.0f};
        float before = rcity_shadow_nearest_ratio(&law, street, nearest);
        assert_near((double)rcity_shadow_corner_edges(&law, none, &last, street), (double)before, 1e-5);
        nearest.is_corner = 0; /* a roof is no street corner */
        assert_near(10.0 * log10((double)rcity_shadow_nearest_ratio(&law, street, nearest)), knife_edge_db(0.0), 1e-3);
        last = (rcity_corner_path){.grazing_root_m = 3.0f, .street = rcity_corner_street(1.0f, 0.67f)};
        double edge_db = knife_edge_db(3.0 * sqrt(10.0));
        double found_db = 10.0 * log10((double)rcity_shadow_corner_edges(&law, none, &last, street));
        assert_true(street > 0.0f ? found_db < edge_db - 3.0 : fabs(found_db - edge_db) < 1e-3);
    }
}

/* The diffuse path: 20 dB a decade of metres over buildings or of elevation, the same both ways, and a single house is
   no city. */
static void test_diffuse_path_follows_roofs_and_elevation(void **state)
{
    (void)state;
    const rcity_surroundings_law law = {.least_db = 20.0f, .roof_m = 50.0f, .per_elevation = 10.0f};
    const rcity_surroundings_end street = {1.5f, {0.4f, 20.0f}};
    rcity_surroundings_end mast = {10.0f, {0.4f, 20.0f}};
    double low_db = (double)rcity_surroundings_mean_db(&law, mast, street, 500.0f, 1000.0f, -8.5f);
    assert_near(low_db, 20.0 + 5.0 * log10(1.0 + 1e4), 1e-3); /* below the roofs the elevation does not count */
    assert_near((double)rcity_surroundings_mean_db(&law, mast, street, 5000.0f, 10000.0f, -8.5f) - low_db, 20.0, 1e-3);
    mast.height_m = 40.0f; /* 20 m over the roofs: 0.02 of 1 km, a fifth of 1 / per_elevation */
    double high_db = (double)rcity_surroundings_mean_db(&law, mast, street, 5000.0f, 1000.0f, -38.5f);
    assert_near(high_db, 20.0 + 5.0 * log10(1.0 + 1.0 / (pow(0.2, 4.0) + 1e-8)), 1e-2);
    assert_near((double)rcity_surroundings_mean_db(&law, street, mast, 5000.0f, 1000.0f, 38.5f), high_db, 1e-4);
    const rcity_surroundings_end field = {1.5f, {0.02f, 8.0f}}, level = {1.5f, {0.4f, 20.0f}};
    assert_true(rcity_surroundings_city_weight(mast, field, 0.0f, 1000.0f) < 0.02f);
    assert_true(rcity_surroundings_city_weight(mast, street, 0.0f, 1000.0f) > 0.98f);
    assert_near((double)rcity_surroundings_city_weight(field, level, 0.0f, 1000.0f),
                (double)rcity_surroundings_city_weight(level, field, 0.0f, 1000.0f), 1e-6);
    assert_near((double)rcity_surroundings_street_weight(mast, street, 1.0f),
                (double)rcity_surroundings_street_weight(street, mast, 1.0f), 1e-6);
    mast.height_m = 181.0f;
    assert_true(rcity_surroundings_street_weight(mast, street, 1.0f) == 0.0f);
}

/* Two rays written out, the second off ground that turns its sign: beyond the last maximum the law follows them. In a
   town it follows the median of ITU-R P.1411-11, section 4.2.1: L_bp + 6 dB, and 40 dB a decade from the breakpoint on,
   with L_bp = |20 log10(wavelength^2 / (8 pi h h'))|. */
static void test_ground_is_two_ray_in_the_open_and_p1411_in_a_town(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846, high_m = 20.0, low_m = 1.5;
    for (int k = 0; k < 3; k++) {
        double wavelength_m = 0.7 / (1 << k), breakpoint_m = 4.0 * high_m * low_m / wavelength_m;
        float wave_m = (float)wavelength_m;
        for (double reach = 0.1; reach < 100.0; reach *= 1.1) {
            double d_m = reach * breakpoint_m, line_m = hypot(d_m, high_m - low_m);
            double free_db = 20.0 * log10(4.0 * pi * line_m / wavelength_m);
            double more_m = 4.0 * high_m * low_m / (line_m + hypot(d_m, high_m + low_m)); /* of the reflected ray */
            double two_ray_db = -20.0 * log10(2.0 * fabs(sin(pi * more_m / wavelength_m)));
            double breakpoint_db = -20.0 * log10(wavelength_m * wavelength_m / (8.0 * pi * high_m * low_m));
            double median_db = breakpoint_db + 6.0206 + 40.0 * log10(reach) - free_db;
            double open_db = (double)rcity_surroundings_ground_db(
                rcity_surroundings_flat_make(wave_m, (float)line_m, (float)high_m, (float)low_m,
                                             (float)(low_m - high_m)),
                0.0f);
            double back_db = (double)rcity_surroundings_ground_db(
                rcity_surroundings_flat_make(wave_m, (float)line_m, (float)low_m, (float)high_m,
                                             (float)(high_m - low_m)),
                0.0f);
            double town_db = (double)rcity_surroundings_ground_db(
                rcity_surroundings_flat_make(wave_m, (float)line_m, (float)high_m, (float)low_m,
                                             (float)(low_m - high_m)),
                1.0f);
            assert_true(open_db == back_db);
            assert_true(reach > 0.5 || (open_db < 0.1 && town_db < 1.0));
            if (reach > pi) {
                assert_near(open_db, two_ray_db, reach > 10.0 ? 0.1 : 1.3);
            }
            if (reach > 1.0) {
                assert_near(town_db, median_db, reach > 5.0 ? 0.2 : 3.02);
            }
        }
    }
}

/* What hills take more than an edge is Bullington's of the method over terrain, and the edge of flat ground too. */
static void test_hills_are_those_of_terrain(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        float root_m = (float)test_uniform(11, 3 * (uint64_t)i, -3.0, 40.0);
        float length_m = (float)test_uniform(11, 3 * (uint64_t)i + 1, 100.0, 60000.0);
        float wave_m = (float)test_uniform(11, 3 * (uint64_t)i + 2, 0.05, 0.7);
        rcity_bullington_extremes extremes = {-1e6f, -1e6f, root_m * sqrtf(500.0f / (0.001f * length_m))};
        float bullington_db = rcity_bullington_extremes_db(extremes, 0.0f, 0.001f * length_m, 0.0f, wave_m);
        float edge_db = rcity_surroundings_edge_db(root_m, 1.0f / sqrtf(wave_m));
        assert_near((double)rcity_surroundings_hill_db(edge_db, length_m), (double)bullington_db, 0.02);
        assert_true(rcity_surroundings_beside_db(5.0f, 0.0f, 7.0f, edge_db, length_m, 0.5f) == 3.5f);
    }
    /* the clearance of flat ground, point by point */
    const double tx_m = 30.0, rx_m = 1.5, d_m = 4000.0, wave_m = 0.333;
    double worst = -HUGE_VAL;
    for (double x_m = 0.5; x_m < d_m; x_m += 0.5) {
        double line_m = tx_m + (rx_m - tx_m) * x_m / d_m;
        worst = fmax(worst, -line_m * sqrt(2.0 * d_m / (wave_m * x_m * (d_m - x_m))));
    }
    double w = worst - 0.1;
    rcity_surroundings_flat flat =
        rcity_surroundings_flat_make((float)wave_m, (float)d_m, (float)tx_m, (float)rx_m, (float)(rx_m - tx_m));
    assert_near((double)rcity_surroundings_flat_edge_db(flat), 6.9 + 20.0 * log10(sqrt(w * w + 1.0) + w), 1e-3);
}

/* The part of a place that a wall's corner or top takes of the line: v times the root of the wavelength. */
static double edge_root(double length_m, double at_m, double away_m)
{
    return at_m > 0.0 && at_m < length_m ? -away_m * sqrt(2.0 * length_m / (at_m * (length_m - at_m))) : -HUGE_VAL;
}

/* All walls, one by one: those that the line passes over, and corners no farther from it in plan than `reach_m`. In plan
   all of them are as high as the line. */
static double find_nearest(const points_world *w, rcity_grid_point3 from, rcity_grid_point3 to, double reach_m,
                           bool in_plan)
{
    const rcity_shapes *shapes = w->shapes;
    double unit_m = 1.0 / shapes->units_per_m;
    double ax = from.x * unit_m, ay = from.y * unit_m, az = from.z / 64.0;
    double dx = to.x * unit_m - ax, dy = to.y * unit_m - ay, length_m = hypot(dx, dy);
    double rise = (to.z / 64.0 - az) / length_m, best = -HUGE_VAL;
    for (int64_t p = 0; p < shapes->prism_count; p++) {
        const rcity_prism *prism = &shapes->prisms[p];
        double roof_m = in_plan ? HUGE_VAL : prism->roof / 64.0;
        int32_t first = shapes->ring_first[prism->first_ring], end = shapes->ring_first[prism->first_ring + 1];
        for (int32_t i = first; i < end; i++) {
            rcity_grid_point u = shapes->points[i > first ? i - 1 : end - 1], q = shapes->points[i];
            rcity_grid_point n = shapes->points[i + 1 < end ? i + 1 : first];
            double ux = u.x * unit_m - ax, uy = u.y * unit_m - ay, qx = q.x * unit_m - ax, qy = q.y * unit_m - ay;
            double nx = n.x * unit_m - ax, ny = n.y * unit_m - ay;
            double along = (qx * dx + qy * dy) / length_m, across = fabs(qx * dy - qy * dx) / length_m;
            double came = dx * (qy - uy) - dy * (qx - ux), toward = dx * (ny - qy) - dy * (nx - qx);
            if (came * toward <= 0.0 && across <= reach_m) {
                double over_m = fmax(az + rise * along - roof_m, 0.0);
                best = fmax(best, edge_root(length_m, along, hypot(across, over_m)));
            }
            double q_side = dx * qy - dy * qx, n_side = dx * ny - dy * nx;
            if ((q_side > 0.0) != (n_side > 0.0)) {
                double part = q_side / (q_side - n_side);
                double at_m = ((qx + part * (nx - qx)) * dx + (qy + part * (ny - qy)) * dy) / length_m;
                best = fmax(best, edge_root(length_m, at_m, fmax(az + rise * at_m - roof_m, 0.0)));
            }
        }
    }
    return best;
}

/* A cell of the search is 8 m wide, and the line's own cell has one more on either side: all corners within 8 m are
   found, and none that is not there. */
static void test_nearest_edge_of_a_free_line_equals_all_walls(void **state)
{
    (void)state;
    const uint64_t seed = 20261118;
    rcity_context *context = test_context(2);
    rcity_city_options options = rcity_city_options_default();
    options.kind = RCITY_CITY_CORE;
    options.seed = 5;
    options.area_km2 = 0.1;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_city_make(context, &options, &scene));
    points_world w;
    points_world_open(context, scene, &w);
    enum { COUNT = 600 };
    rcity_grid_point3 places[COUNT];
    const rcity_shadow_choice choice = {0, RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_WALLS_OFF, false, NULL};
    long visible = 0, near = 0, in_street = 0, over_roofs = 0;
    for (uint64_t turn = 0; turn < 6; turn++) {
        rcity_grid_point3 source = draw_outdoors(&w, seed, 10000 * turn, turn % 2 == 0 ? 8.0 : 45.0);
        for (uint64_t i = 0; i < COUNT; i++) {
            places[i] = draw_outdoors(&w, seed, 10000 * turn + 10 * i + 10, 1.5);
        }
        rcity_shadow_points *points = NULL;
        assert_ok(context,
                  rcity_shadow_points_trace(context, w.shapes, w.sight, &choice, source, COUNT, places, &points));
        const rcity_shadow_paths *paths = rcity_shadow_points_paths(points);
        for (size_t i = 0; i < COUNT; i++) {
            if (paths->states[i] == RCITY_SHADOW_VISIBLE) {
                double found = (double)paths->roofs[i].grazing_root_m;
                double low = find_nearest(&w, source, places[i], 8.0, false);
                double high = find_nearest(&w, source, places[i], 1e9, false);
                assert_true(found <= 0.0 && found <= fmax(high, -1.25) + 1e-3);
                assert_true(found >= fmax(low, -1.25) - 1e-3);
                visible++;
                near += found > -1.2;
                double street = (double)rcity_shadow_paths_nearest(paths, i).street_root_m;
                assert_true(street >= fmin(-find_nearest(&w, source, places[i], 1e9, true), 1.25) - 1e-3);
                assert_true(street <= fmin(-find_nearest(&w, source, places[i], 8.0, true), 1.25) + 1e-3);
                in_street += street > 0.1;
                over_roofs += street == 0.0;
            }
        }
        rcity_shadow_points_destroy(&points);
    }
    print_message("seed %llu: %ld visible, %ld near an edge, %ld along streets, %ld over roofs\n",
                  (unsigned long long)seed, visible, near, in_street, over_roofs);
    assert_true(visible > 200 && near > 50 && in_street > 50 && over_roofs > 50);
    points_world_close(&w);
    rcity_context_destroy(&context);
}

/* A square of 800 m, all built on, 10 m high; half of the reach around its western border lies outside. */
static void test_built_share_and_metres_of_a_square(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    const test_box box = {0, 0, 800, 800, 10};
    rcity_scene *scene = test_scene(context, &box, 1);
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    rcity_built_up *built_up = NULL;
    assert_ok(context, rcity_built_up_create(context, shapes, &built_up));
    const struct {
        double x_m, y_m, share;
    } at[] = {{400, 400, 1.0}, {0, 400, 0.5}, {800, 800, 0.25}, {-200, 400, 0.0}, {-100, 400, 0.25}, {-5000, 400, 0.0}};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        rcity_point point = {at[i].x_m, at[i].y_m, 1.5};
        rcity_grid_point3 placed;
        assert_ok(context, rcity_shapes_snap(context, shapes, &point, &placed));
        rcity_surroundings_node node = rcity_built_up_at(built_up, placed.x, placed.y);
        assert_near((double)node.built_share, at[i].share, 0.02); /* nodes are 32 m apart */
        if (at[i].share > 0.5) {
            assert_near((double)node.roof_m, 10.0, 1e-3);
        }
        assert_near((double)rcity_built_up_height(shapes, placed.x, placed.y, placed.z), 1.5, 1.0 / 64.0);
    }
    /* from 1 km west of it to its middle: 400 m of the line are over it, however smooth its borders are made */
    rcity_surroundings_line *lines = malloc(rcity_built_up_node_count(built_up) * sizeof *lines);
    assert_non_null(lines);
    rcity_point far = {-1000, 400, 1.5}, middle = {400, 400, 1.5};
    rcity_grid_point3 source, to;
    assert_ok(context, rcity_shapes_snap(context, shapes, &far, &source));
    assert_ok(context, rcity_shapes_snap(context, shapes, &middle, &to));
    rcity_built_up_measure(context, built_up, source, lines);
    rcity_surroundings_place place = rcity_surroundings_locate(&built_up->lattice, to.x, to.y);
    rcity_surroundings_line line = rcity_surroundings_line_at(&built_up->lattice, lines, place);
    assert_near((double)line.built_m, 400.0, 8.0);
    assert_near((double)line.hill_root_m, (double)RCITY_SURROUNDINGS_NO_HILL, 0.0); /* there is no terrain */
    free(lines);
    rcity_built_up_destroy(context, &built_up);
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Without buildings nothing is diffuse; in a city the blend lies between the map and the mean. */
static void test_mean_draws_levels_toward_itself(void **state)
{
    (void)state;
    rcity_surroundings_mean mean = {120.0f, 0.95f, 0.5f};
    int is_diffuse;
    double far_db = (double)rcity_surroundings_mean_blend(mean, 300.0f, &is_diffuse);
    assert_true(is_diffuse);
    /* nothing but the diffuse path, 20 log10(0.95) weaker than the mean; half of that difference stays */
    assert_near(far_db, 120.0 - 0.5 * 20.0 * log10(0.95), 1e-3);
    double near_db = (double)rcity_surroundings_mean_blend(mean, 90.0f, &is_diffuse);
    assert_false(is_diffuse);
    assert_near(near_db, 105.0, 0.01);
    mean.doubt = 0.0f; /* powers added */
    assert_near((double)rcity_surroundings_mean_blend(mean, 120.0f, &is_diffuse),
                120.0 - 10.0 * log10(1.0 + 0.95 * 0.95), 1e-3);
}

TEST_SUITE(shadow_edges)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decibels_and_ratios_equal_libm),
        cmocka_unit_test(test_knife_edge_is_that_of_p526),
        cmocka_unit_test(test_street_corner_loses_what_p1411_says),
        cmocka_unit_test(test_street_has_no_step_at_the_edge_of_sight),
        cmocka_unit_test(test_diffuse_path_follows_roofs_and_elevation),
        cmocka_unit_test(test_ground_is_two_ray_in_the_open_and_p1411_in_a_town),
        cmocka_unit_test(test_hills_are_those_of_terrain),
        cmocka_unit_test(test_nearest_edge_of_a_free_line_equals_all_walls),
        cmocka_unit_test(test_built_share_and_metres_of_a_square),
        cmocka_unit_test(test_mean_draws_levels_toward_itself),
    };
    return cmocka_run_group_tests_name("shadow_edges", tests, NULL, NULL);
}
