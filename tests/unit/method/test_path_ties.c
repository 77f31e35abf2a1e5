/* Ties: corners, walls, heights and both ends on whole metres. The paths there are those of a neighbour, none twice,
   and the fields of edges and of the rays that end at them fit together. */
#include "rcity_test.h"

#include "method/images/search/shadow_boundary.h"
#include "method/path_ends.h"
#include "scene/shape/facades.h"

#define FREQUENCY_HZ 1e9

typedef struct town {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_facet_table world;
    rcity_reach_world reach_world;
    rcity_plan_index prism_index;
    rcity_sight *sight;
    rcity_search search;
    rcity_searcher searcher;
    rcity_path_list list;
    int box_count;
} town;

static void open_town(town *t)
{
    memset(t, 0, sizeof *t);
    t->context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    options.gap_m = 0.0;
    assert_ok(t->context, rcity_scene_create(t->context, &options, &t->scene));
}

static void add_box(town *t, double x1, double y1, double x2, double y2, double height)
{
    const int count = 4;
    double xy[] = {x1, y1, x2, y1, x2, y2, x1, y2};
    rcity_building building = rcity_building_default();
    building.id = t->box_count++;
    building.ring_count = 1;
    building.ring_point_count = &count;
    building.xy_m = xy;
    building.height_m = height;
    assert_ok(t->context, rcity_scene_add_building(t->scene, &building));
}

static rcity_place3 place(const town *t, double x, double y, double z)
{
    return (rcity_place3){x - t->shapes->origin_x_m, y - t->shapes->origin_y_m, z};
}

static void build_town(town *t, double tx_x, double tx_y, double tx_z, int max_reflections, int max_diffractions)
{
    assert_ok(t->context, rcity_scene_commit(t->scene));
    t->shapes = rcity_scene_shapes(t->scene);
    assert_ok(t->context, rcity_facet_table_init(t->context, t->scene, FREQUENCY_HZ, &t->world));
    assert_ok(t->context, rcity_reach_world_init(t->context, &t->world, false, &t->reach_world));
    assert_ok(t->context, rcity_shapes_index_prisms(t->context, t->shapes, &t->prism_index));
    assert_ok(t->context, rcity_sight_create(t->context, t->shapes, &t->sight));
    rcity_path_checker checker = {&t->world, t->sight, &t->prism_index, NULL, NULL, 0};
    rcity_search_orders orders = {max_reflections, max_diffractions, 0, true, true};
    rcity_place3 tx = rcity_path_end_in_air(&t->world, &t->prism_index, place(t, tx_x, tx_y, tx_z));
    assert_ok(t->context, rcity_search_init(t->context, &t->reach_world, &checker, &orders, tx, &t->search));
    assert_ok(t->context, rcity_searcher_init(t->context, &t->search, &t->searcher));
}

static void close_town(town *t)
{
    rcity_path_list_deinit(t->context, &t->list);
    rcity_searcher_deinit(t->context, &t->searcher);
    rcity_search_deinit(t->context, &t->search);
    rcity_sight_destroy(t->context, &t->sight);
    rcity_plan_index_deinit(t->context, &t->prism_index);
    rcity_reach_world_deinit(t->context, &t->reach_world);
    rcity_facet_table_deinit(t->context, &t->world);
    rcity_scene_destroy(&t->scene);
    rcity_context_destroy(&t->context);
}

/* All paths added, field by field, vertical to vertical, over the field of free space. */
typedef struct sum {
    double re, im;
    size_t path_count;
} sum;

static sum add_paths(town *t, rcity_place3 rx)
{
    assert_ok(t->context, rcity_boundary_search(t->context, &t->search, &t->searcher, &rx, &t->list));
    double dx = rx.x - t->search.tx.x;
    double dy = rx.y - t->search.tx.y;
    double dz = rx.z - t->search.tx.z;
    double free_space = t->world.wavelength_m / (4.0 * RCITY_TRACE_PI * sqrt(dx * dx + dy * dy + dz * dz));
    sum all = {0.0, 0.0, t->list.path_count};
    for (size_t i = 0; i < t->list.path_count; i++) {
        rcity_trace_path path;
        rcity_path_list_get(&t->list, i, t->search.tx, rx, &path);
        rcity_channel channel = rcity_path_channel(&t->world, &path);
        all.re += channel.transfer[0][0].re / free_space;
        all.im += channel.transfer[0][0].im / free_space;
    }
    return all;
}

static int count_doubles(const town *t)
{
    int doubles = 0;
    rcity_trace_path a, b;
    rcity_place3 none = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < t->list.path_count; i++) {
        rcity_path_list_get(&t->list, i, none, none, &a);
        for (size_t k = 0; k < i; k++) {
            rcity_path_list_get(&t->list, k, none, none, &b);
            bool is_same = a.event_count == b.event_count;
            for (int e = 0; e < a.event_count && is_same; e++) {
                double d = fabs(a.event[e].point.x - b.event[e].point.x) +
                           fabs(a.event[e].point.y - b.event[e].point.y) +
                           fabs(a.event[e].point.z - b.event[e].point.z);
                is_same = a.event[e].kind == b.event[e].kind && d < 1e-6;
            }
            doubles += is_same;
        }
    }
    return doubles;
}

/* Receivers on a raster of whole metres in a town on whole metres: two houses that touch, one apart, streets in line.
   The field is that of one of the eight neighbours a hair beside. */
static void test_tied_receivers_agree_with_a_neighbour(void **state)
{
    (void)state;
    static const double sides[8][3] = {{1, -0.4, 0.6},  {-1, -0.4, 0.6},  {1, 0.4, 0.6},  {-1, 0.4, 0.6},
                                       {1, -0.4, -0.6}, {-1, -0.4, -0.6}, {1, 0.4, -0.6}, {-1, 0.4, -0.6}};
    town t;
    open_town(&t);
    add_box(&t, 0, 0, 20, 20, 20);
    add_box(&t, 20, 0, 40, 20, 10);
    add_box(&t, 0, 40, 20, 60, 20);
    add_box(&t, 60, 0, 80, 20, 20);
    build_town(&t, 50, 30, 10, 2, 1);
    int compared = 0;
    int odd = 0;
    int doubles = 0;
    double worst = 0.0;
    for (int y = -20; y <= 80; y += 5) {
        for (int x = -20; x <= 100; x += 5) {
            bool is_at_house = (x >= 0 && x <= 40 && y >= 0 && y <= 20) || (x >= 0 && x <= 20 && y >= 40 && y <= 60) ||
                               (x >= 60 && x <= 80 && y >= 0 && y <= 20);
            if (is_at_house || (x == 50 && y == 30)) {
                continue;
            }
            rcity_place3 rx = place(&t, x, y, 2.0);
            sum here = add_paths(&t, rx);
            doubles += count_doubles(&t);
            double nearest = HUGE_VAL;
            for (int side = 0; side < 8; side++) {
                rcity_place3 beside = {rx.x + 2e-4 * sides[side][0], rx.y + 2e-4 * sides[side][1],
                                       rx.z + 2e-4 * sides[side][2]};
                sum there = add_paths(&t, beside);
                nearest = fmin(nearest, hypot(here.re - there.re, here.im - there.im));
            }
            compared++;
            odd += nearest > 0.02;
            worst = fmax(worst, nearest);
        }
    }
    print_message("%d receivers: %d unlike all neighbours, by %.4f of free space at most; %d paths twice\n", compared,
                  odd, worst, doubles);
    close_town(&t);
    assert_int_equal(doubles, 0);
    assert_int_equal(odd, 0);
}

/* A ray that meets the very end of a wall, where its corner's ray is half of it: with both the field lies between the
   neighbours'. */
static void test_end_of_wall(void **state)
{
    (void)state;
    for (int leg = 0; leg < 4; leg++) { /* either end of the wall, both orders of the ends */
        town t;
        open_town(&t);
        add_box(&t, 0, 0, 20, 10, 30);
        double end_x = leg % 2 == 0 ? 20.0 : 0.0;
        double out = leg % 2 == 0 ? 1.0 : -1.0;
        double a_x = end_x + out * (leg < 2 ? 10.0 : -10.0);
        double b_x = end_x - out * (leg < 2 ? 10.0 : -10.0);
        build_town(&t, a_x, -10, 5, 1, 1);
        sum at = add_paths(&t, place(&t, b_x, -10, 5));
        sum before = add_paths(&t, place(&t, b_x - 2e-4, -10, 5));
        sum after = add_paths(&t, place(&t, b_x + 2e-4, -10, 5));
        print_message("path %d: %.4f %+.4f j, beside %.4f %+.4f j and %.4f %+.4f j\n", leg, at.re, at.im, before.re,
                      before.im, after.re, after.im);
        assert_near(hypot(at.re - before.re, at.im - before.im), 0.0, 0.01);
        assert_near(hypot(at.re - after.re, at.im - after.im), 0.0, 0.01);
        close_town(&t);
    }
}

/* On the ground the direct ray and the bounce meet: for E across a ground of high contrast they nearly cancel at
   grazing, as they do a centimetre above. */
static void test_on_the_ground(void **state)
{
    (void)state;
    town t;
    open_town(&t);
    add_box(&t, 0, 0, 20, 10, 30);
    build_town(&t, -30, -20, 3, 2, 1);
    rcity_place3 low = place(&t, 70, -20, 0.0);
    sum on = add_paths(&t, rcity_path_end_in_air(&t.world, &t.prism_index, low));
    low.z = 0.01;
    sum over = add_paths(&t, low);
    print_message("on the ground %zu paths, %.4f %+.4f j; a centimetre above %zu, %.4f %+.4f j\n", on.path_count, on.re,
                  on.im, over.path_count, over.re, over.im);
    close_town(&t);
    assert_true(over.path_count > 2);
    assert_int_equal(on.path_count, over.path_count);
    assert_near(hypot(on.re - over.re, on.im - over.im), 0.0, 0.02);
}

/* Two corners nearly in line with the ends: one lights the direct ray and sight, on its grid, is too coarse for both.
   The second one, in front by millimetres, hides it: it must not come back for the first one's sake. */
static void test_two_corners_in_line(void **state)
{
    (void)state;
    for (int is_hidden = 0; is_hidden < 2; is_hidden++) {
        for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
            town t;
            open_town(&t);
            double over = is_hidden ? 1.0 / 128.0 : -1.0 / 128.0; /* a grid unit beyond the line x = 0 */
            add_box(&t, -20, is_swapped ? 40 : 20, -1.0 / 128.0, is_swapped ? 50 : 30, 30);
            add_box(&t, -20, is_swapped ? 20 : 40, over, is_swapped ? 30 : 50, 30);
            build_town(&t, 0, 0, 5, 0, 1);
            rcity_place3 rx = place(&t, 0, 70, 5);
            (void)add_paths(&t, rx);
            int direct = 0;
            for (size_t i = 0; i < t.list.path_count; i++) {
                direct += t.list.event_end[i] == (i > 0 ? t.list.event_end[i - 1] : 0);
            }
            assert_int_equal(direct, is_hidden ? 0 : 1);
            close_town(&t);
        }
    }
}

/* Corners on both sides: one lights the direct ray by three centimetres, the other hides it by two units of the grid,
   and a ray round the first slips past it. Whoever is asked last, hidden is hidden. */
static void test_corners_on_both_sides(void **state)
{
    (void)state;
    const double unit = 1.0 / 128.0;
    for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
        for (int is_reversed = 0; is_reversed < 2; is_reversed++) {
            town t;
            open_town(&t);
            double near_y = is_swapped ? 64.0 : 5.0; /* of the one that lights, at one of the ends */
            double far_y = is_swapped ? 58.0 : 10.0;
            if (is_reversed) {
                add_box(&t, -2.0 * unit, far_y, 20, far_y + 2, 30);
            }
            add_box(&t, -20, near_y, -4.0 * unit, near_y + 1, 30);
            if (!is_reversed) {
                add_box(&t, -2.0 * unit, far_y, 20, far_y + 2, 30);
            }
            build_town(&t, 0, 0, 5, 0, 1);
            rcity_place3 rx = place(&t, 0, 70, 5);
            (void)add_paths(&t, rx);
            int direct = 0;
            for (size_t i = 0; i < t.list.path_count; i++) {
                direct += t.list.event_end[i] == (i > 0 ? t.list.event_end[i - 1] : 0);
            }
            print_message("%zu paths, direct %d\n", t.list.path_count, direct);
            assert_true(t.list.path_count >= 2);
            assert_int_equal(direct, 0);
            close_town(&t);
        }
    }
}

/* What touches is moved off by a millimetre, anything else stays. */
static void test_in_air(void **state)
{
    (void)state;
    static const double cases[][6] = {
        {10, 0, 5, 10, -0.001, 5},      {20, 5, 5, 20.001, 5, 5},   {20, 10, 5, 20.001, 10, 5},
        {10, 5, 30, 10, 5, 30.001},     {50, 50, 0, 50, 50, 0.001}, {10, 0, 0, 10, -0.001, 0.001},
        {10, -0.002, 5, 10, -0.002, 5}, {50, 50, 1.5, 50, 50, 1.5}, {10, 5, 30.5, 10, 5, 30.5},
        {30, 0, 5, 30, 0, 5},           {10, 0, 30.5, 10, 0, 30.5}};
    town t;
    open_town(&t);
    add_box(&t, 0, 0, 20, 10, 30);
    build_town(&t, 50, 50, 5, 0, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double *c = cases[i];
        rcity_place3 at = rcity_path_end_in_air(&t.world, &t.prism_index, place(&t, c[0], c[1], c[2]));
        rcity_place3 wanted = place(&t, c[3], c[4], c[5]);
        assert_near(at.x, wanted.x, 1e-9);
        assert_near(at.y, wanted.y, 1e-9);
        assert_near(at.z, wanted.z, 1e-9);
    }
    close_town(&t);
}

TEST_SUITE(path_ties)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tied_receivers_agree_with_a_neighbour),
        cmocka_unit_test(test_end_of_wall),
        cmocka_unit_test(test_on_the_ground),
        cmocka_unit_test(test_two_corners_in_line),
        cmocka_unit_test(test_corners_on_both_sides),
        cmocka_unit_test(test_in_air),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
