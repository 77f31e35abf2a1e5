/* What proves that edges are hidden or out of reach, against the plain truth: many random rays and paths. */
#include "random_number.h"
#include "rcity_test.h"

#include "method/images/edges/edge_cone.h"
#include "method/images/edges/solid_core.h"
#include "scene/place/segment_test.h"

static void add_building(rcity_context *context, rcity_scene *scene, int64_t id, const double *xy, int count,
                         double height)
{
    rcity_building building = rcity_building_default();
    building.id = id;
    building.ring_count = 1;
    building.ring_point_count = &count;
    building.xy_m = xy;
    building.height_m = height;
    assert_ok(context, rcity_scene_add_building(scene, &building));
}

/* Rows of houses that share walls, some turned, some overlapping, some lower than everything around them. */
static void make_city(rcity_context *context, rcity_scene **scene)
{
    rcity_scene_options options = rcity_scene_options_default();
    options.gap_m = 0.0;
    assert_ok(context, rcity_scene_create(context, &options, scene));
    int64_t id = 0;
    for (int row = 0; row < 3; row++) {
        double x = random_number(0, 10);
        for (int i = 0; i < 6; i++) {
            double wide = random_number(4, 15);
            double lean = random_number(-3, 3);
            double y = 30.0 * row;
            double deep = random_number(5, 14);
            double xy[8] = {x, y, x + wide, y, x + wide + lean, y + deep, x + lean, y + deep};
            add_building(context, *scene, id++, xy, 4, random_number(2, 25));
            x += random_number(0, 1) < 0.8 ? wide : wide + random_number(0.1, 6);
        }
    }
    assert_ok(context, rcity_scene_commit(*scene));
}

static rcity_grid_point3 snapped(rcity_context *context, const rcity_shapes *shapes, rcity_place3 p)
{
    rcity_point at = {p.x + shapes->origin_x_m, p.y + shapes->origin_y_m, p.z};
    rcity_grid_point3 on_grid;
    assert_ok(context, rcity_shapes_snap(context, shapes, &at, &on_grid));
    return on_grid;
}

/* A place in the disc around another, no higher. */
static rcity_place3 place_in_disc(rcity_place3 middle, double radius)
{
    double angle = random_number(0, 2.0 * RCITY_TRACE_PI);
    double off = radius * sqrt(random_number(0, 1));
    return (rcity_place3){middle.x + off * cos(angle), middle.y + off * sin(angle), middle.z - random_number(0, 2)};
}

/* Where the core says blocked, no line between the discs is free. */
static void test_core_hides_only_what_is_hidden(void **state)
{
    (void)state;
    long blocked = 0;
    long wrong = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        random_state = seed;
        rcity_context *context = test_context(1);
        rcity_scene *scene = NULL;
        make_city(context, &scene);
        const rcity_shapes *shapes = rcity_scene_shapes(scene);
        rcity_solid_core core;
        rcity_segment_scratch scratch;
        assert_ok(context, rcity_solid_core_init(context, shapes, &core));
        assert_ok(context, rcity_segment_scratch_init(context, shapes, &scratch));
        for (int i = 0; i < 400; i++) {
            rcity_place3 from = {random_number(-10, 90), random_number(-10, 85), random_number(3, 20)};
            rcity_place3 to = {random_number(-10, 90), random_number(-10, 85), random_number(3, 20)};
            if (!rcity_solid_core_blocks(&core, from, to, 0.0)) {
                continue;
            }
            blocked++;
            for (int k = 0; k < 40; k++) {
                rcity_grid_point3 a = snapped(context, shapes, place_in_disc(from, core.reach_m));
                rcity_grid_point3 b = snapped(context, shapes, place_in_disc(to, core.reach_m));
                if (rcity_segment_is_free(shapes, &scratch, a, b)) {
                    print_message("seed %llu: free from %d %d %d to %d %d %d\n", (unsigned long long)seed, a.x, a.y,
                                  a.z, b.x, b.y, b.z);
                    wrong++;
                }
            }
        }
        rcity_segment_scratch_deinit(context, &scratch);
        rcity_solid_core_deinit(context, &core);
        rcity_scene_destroy(&scene);
        rcity_context_destroy(&context);
    }
    print_message("%ld pairs of discs blocked, %ld free lines between them\n", blocked, wrong);
    assert_true(blocked > 1000);
    assert_int_equal(wrong, 0);
}

/* A row of touching houses hides as one: the walls they share leave no gap. */
static void test_core_closes_shared_walls(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = NULL;
    rcity_scene_options options = rcity_scene_options_default();
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    for (int i = 0; i < 4; i++) {
        double x = 8.0 * i;
        double xy[8] = {x, 0, x + 8, 0, x + 8, 10, x, 10};
        add_building(context, scene, i, xy, 4, 10.0 + i);
    }
    assert_ok(context, rcity_scene_commit(scene));
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    rcity_solid_core core;
    assert_ok(context, rcity_solid_core_init(context, shapes, &core));
    for (double x = 4.0; x <= 28.0; x += 0.5) {
        rcity_place3 from = {x - shapes->origin_x_m, -20.0 - shapes->origin_y_m, 9.0};
        rcity_place3 to = {x - shapes->origin_x_m, 30.0 - shapes->origin_y_m, 9.0};
        assert_true(rcity_solid_core_blocks(&core, from, to, 0.0));
        from.z = 15.0;
        to.z = 15.0;
        assert_false(rcity_solid_core_blocks(&core, from, to, 0.0));
    }
    rcity_solid_core_deinit(context, &core);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* The shortest path over a line by golden section: no formula of the tracer. */
static double pass_at(rcity_place3 origin, rcity_place3 along, rcity_place3 from, rcity_place3 to)
{
    double low = -1000.0;
    double high = 1000.0;
    const double golden = 0.6180339887498949;
    for (int i = 0; i < 120; i++) {
        double t[2] = {high - golden * (high - low), low + golden * (high - low)};
        double f[2];
        for (int k = 0; k < 2; k++) {
            rcity_place3 p = {origin.x + t[k] * along.x, origin.y + t[k] * along.y, origin.z + t[k] * along.z};
            f[k] = sqrt(pow(p.x - from.x, 2) + pow(p.y - from.y, 2) + pow(p.z - from.z, 2)) +
                   sqrt(pow(p.x - to.x, 2) + pow(p.y - to.y, 2) + pow(p.z - to.z, 2));
        }
        if (f[0] < f[1]) {
            high = t[1];
        } else {
            low = t[0];
        }
    }
    return 0.5 * (low + high);
}

/* Where the shortest path passes an edge between its ends, the cone holds the target, its box, and the place it
   passes. */
static void test_cone_holds_every_shortest_path(void **state)
{
    (void)state;
    random_state = 77;
    long passed = 0;
    long refused = 0;
    for (int i = 0; i < 20000; i++) {
        bool is_vertical = i % 2 == 0;
        rcity_place3 origin = {random_number(-50, 50), random_number(-50, 50), random_number(0, 20)};
        double angle = random_number(0, 2.0 * RCITY_TRACE_PI);
        double length = random_number(0.5, 20);
        rcity_place3 along = {is_vertical ? 0.0 : cos(angle), is_vertical ? 0.0 : sin(angle), is_vertical ? 1.0 : 0.0};
        rcity_place3 eye = {random_number(-90, 90), random_number(-90, 90), random_number(-20, 30)};
        rcity_plan_segment edge = {origin.x, origin.y, origin.x + length * along.x, origin.y + length * along.y};
        rcity_edge_cone cone =
            is_vertical ? rcity_edge_cone_vertical(origin, length) : rcity_edge_cone_level(edge, origin.z);
        rcity_edge_cone_set_eye(&cone, eye);
        double x = random_number(-90, 90);
        double y = random_number(-90, 90);
        rcity_plan_segment target = {x, y, x + random_number(-15, 15), y + random_number(-15, 15)};
        double low = random_number(-20, 25);
        double high = low + (i % 3 == 0 ? 0.0 : random_number(0, 15));
        rcity_plan_tree_node box = {(float)(fmin(target.x1, target.x2) - 1e-3),
                                    (float)(fmin(target.y1, target.y2) - 1e-3),
                                    (float)(fmax(target.x1, target.x2) + 1e-3),
                                    (float)(fmax(target.y1, target.y2) + 1e-3),
                                    (float)high,
                                    0,
                                    1};
        double from = 0.0;
        double to = 0.0;
        bool meets = rcity_edge_cone_meets(&cone, &target, low, high);
        assert_int_equal(meets, rcity_edge_cone_narrow(&cone, &target, low, high, &from, &to));
        refused += !meets;
        for (int k = 0; k < 5; k++) {
            double part = random_number(0, 1);
            rcity_place3 p = {target.x1 + part * (target.x2 - target.x1), target.y1 + part * (target.y2 - target.y1),
                              random_number(low, high)};
            double t = pass_at(origin, along, eye, p);
            if (t >= 0.0 && t <= length) {
                passed++;
                assert_true(meets);
                assert_true(rcity_edge_cone_meets_box(&cone, &box, low, high));
                assert_true(t >= from * length - 1e-5 && t <= to * length + 1e-5);
            }
        }
    }
    print_message("%ld paths pass their edges; %ld of 20000 targets refused\n", passed, refused);
    assert_true(passed > 5000);
    assert_true(refused > 5000); /* a test that refuses nothing is no test */
}

TEST_SUITE(edge_sight)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_core_hides_only_what_is_hidden),
        cmocka_unit_test(test_core_closes_shared_walls),
        cmocka_unit_test(test_cone_holds_every_shortest_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
