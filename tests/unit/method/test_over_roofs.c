/* Profiles of roofs and ground, and the string over them. */
#include "rcity_test.h"

#include "method/images/over_roofs.h"
#include "method/images/path_search.h"
#include "method/images/terrain_bounce.h"
#include "scene/shape/facades.h"

typedef struct made {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_trace_world world;
    rcity_plan_index prism_index;
    rcity_profile profile;
    rcity_trace_path path;
} made;

static void open_scene(made *m)
{
    memset(m, 0, sizeof *m);
    m->context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    options.gap_m = 0.0;
    assert_ok(m->context, rcity_scene_create(m->context, &options, &m->scene));
}

static void add_box(made *m, double x1, double y1, double x2, double y2, double height)
{
    int count = 4;
    double xy[] = {x1, y1, x2, y1, x2, y2, x1, y2};
    rcity_building building = rcity_building_default();
    building.ring_count = 1;
    building.ring_point_count = &count;
    building.xy_m = xy;
    building.height_m = height;
    assert_ok(m->context, rcity_scene_add_building(m->scene, &building));
}

static void finish_scene(made *m)
{
    assert_ok(m->context, rcity_scene_commit(m->scene));
    m->shapes = rcity_scene_shapes(m->scene);
    assert_ok(m->context, rcity_trace_world_init(m->context, m->scene, 1e9, &m->world));
    assert_ok(m->context, rcity_shapes_index_prisms(m->context, m->shapes, &m->prism_index));
}

static void close_scene(made *m)
{
    rcity_profile_deinit(m->context, &m->profile);
    rcity_plan_index_deinit(m->context, &m->prism_index);
    rcity_trace_world_deinit(m->context, &m->world);
    rcity_scene_destroy(&m->scene);
    rcity_context_destroy(&m->context);
}

static rcity_place3 place(const made *m, double x, double y, double z)
{
    return (rcity_place3){x - m->shapes->origin_x_m, y - m->shapes->origin_y_m, z};
}

static bool find(made *m, rcity_place3 tx, rcity_place3 rx, int max_diffractions)
{
    rcity_profile_point tops[4096];
    assert_ok(m->context, rcity_profile_build(m->context, &m->world, &m->prism_index, tx, rx, &m->profile));
    assert_true(m->profile.count + 2 <= 4096);
    for (size_t i = 1; i < m->profile.count; i++) {
        assert_true(m->profile.points[i].distance_m >= m->profile.points[i - 1].distance_m);
    }
    int count = rcity_over_roofs_gather(&m->world, &m->profile, tx, rx, tops);
    rcity_profile_point scratch[4096];
    m->path = rcity_over_roofs_chain(&m->world, tops, count, tx, rx, scratch);
    return rcity_over_roofs_needs_chain(tops, count, max_diffractions);
}

static void assert_top(const made *m, int index, double y, double z)
{
    assert_near(m->path.event[index].point.y + m->shapes->origin_y_m, y, 1e-9);
    assert_near(m->path.event[index].point.z, z, 1e-9);
}

/* Two rows, the second higher: its two edges bend the string. */
static void test_two_rows(void **state)
{
    (void)state;
    made m;
    open_scene(&m);
    add_box(&m, -100, 0, 100, 10, 5);
    add_box(&m, -100, 30, 100, 45, 20);
    finish_scene(&m);
    rcity_place3 tx = place(&m, 0, -20, 2);
    rcity_place3 rx = place(&m, 0, 60, 1.5);
    /* straight to the high front, 18 m over 50 m, the string passes 4.2 m over the low one: far outside its zone */
    assert_true(find(&m, tx, rx, 1));
    assert_int_equal(m.path.event_count, 2);
    assert_top(&m, 0, 30, 20);
    assert_top(&m, 1, 45, 20);
    assert_int_equal(m.path.event[0].kind, RCITY_EVENT_OVER_ROOFS);
    assert_int_equal(m.path.event[0].object, RCITY_TRACE_ROOF);
    assert_false(find(&m, tx, rx, 2)); /* two edges tell it */
    /* in the light */
    assert_false(find(&m, place(&m, 0, -20, 50), place(&m, 0, 60, 50), 0));
    close_scene(&m);
}

/* Rows of one height are all tops, though the string only touches those between; walls inside a row are none. */
static void test_level_rows(void **state)
{
    (void)state;
    made m;
    open_scene(&m);
    for (int i = 0; i < 4; i++) {
        add_box(&m, -100, 40 * i, 100, 40 * i + 5, 10);
        add_box(&m, -100, 40 * i + 5, 100, 40 * i + 15, 10);
    }
    finish_scene(&m);
    assert_true(find(&m, place(&m, 0, -30, 1.5), place(&m, 3, 165, 1.5), 2));
    assert_int_equal(m.path.event_count, 8);
    for (int i = 0; i < 4; i++) {
        assert_near(m.path.event[2 * i].point.z, 10, 0.0);
        assert_near(m.path.event[2 * i].point.y + m.shapes->origin_y_m, 40 * i, 1e-9);
        assert_near(m.path.event[2 * i + 1].point.y + m.shapes->origin_y_m, 40 * i + 15, 1e-9);
    }
    close_scene(&m);
}

/* More tops than the formula takes: those that bend most stay. */
static void test_many_rows(void **state)
{
    (void)state;
    made m;
    open_scene(&m);
    for (int i = 0; i < 12; i++) {
        add_box(&m, -100, 40 * i, 100, 40 * i + 15, i == 5 ? 30 : 10);
    }
    finish_scene(&m);
    assert_true(find(&m, place(&m, 0, -30, 1.5), place(&m, 3, 480, 1.5), 2));
    bool has_tower = false;
    for (int i = 0; i < m.path.event_count; i++) {
        has_tower = has_tower || m.path.event[i].point.z == 30.0;
    }
    assert_true(has_tower);
    assert_true(m.path.event_count >= 2 && m.path.event_count <= RCITY_OVER_ROOFS_TOP_MAX);
    close_scene(&m);
}

/* A ridge: in its shadow, and where it lies just below the line; far below it does not count. */
static void test_ridge(void **state)
{
    (void)state;
    static float height_m[41 * 41];
    made m;
    open_scene(&m);
    for (int row = 0; row < 41; row++) {
        for (int column = 0; column < 41; column++) {
            height_m[41 * row + column] = (float)(40.0 - 0.2 * fabs(row - 20.0) * 10.0);
        }
    }
    rcity_terrain terrain = {41, 41, -200, -200, 10, height_m};
    assert_ok(m.context, rcity_scene_set_terrain(m.scene, &terrain));
    finish_scene(&m);
    assert_true(find(&m, place(&m, 0, -150, 20), place(&m, 7, 150, 20), 2));
    assert_int_equal(m.path.event_count, 1);
    assert_int_equal(m.path.event[0].object, RCITY_TRACE_TERRAIN);
    assert_top(&m, 0, 0, 40);
    assert_true(find(&m, place(&m, 0, -150, 40.5), place(&m, 7, 150, 40.5), 2));
    assert_int_equal(m.path.event_count, 1);
    assert_false(find(&m, place(&m, 0, -150, 80), place(&m, 7, 150, 80), 2));
    close_scene(&m);
}

/* A tilted plane as terrain reflects as the plane does: one path, at the image's point. */
static void test_tilted_ground(void **state)
{
    (void)state;
    static float height_m[21 * 21];
    made m;
    open_scene(&m);
    for (int row = 0; row < 21; row++) {
        for (int column = 0; column < 21; column++) {
            height_m[21 * row + column] = (float)(50.0 + 0.25 * (column * 8.0) - 0.125 * (row * 8.0));
        }
    }
    rcity_terrain terrain = {21, 21, 0, 0, 8, height_m};
    assert_ok(m.context, rcity_scene_set_terrain(m.scene, &terrain));
    finish_scene(&m);
    rcity_sight *sight = NULL;
    rcity_reach_world reach_world;
    assert_ok(m.context, rcity_sight_create(m.context, m.shapes, &sight));
    assert_ok(m.context, rcity_reach_world_init(m.context, &m.world, false, &reach_world));
    rcity_path_checker checker = {&m.world, sight, &m.prism_index, NULL, NULL, 0};
    rcity_search_orders orders = {1, 0, 0, true, true};
    rcity_search search;
    rcity_path_list list;
    memset(&list, 0, sizeof list);
    rcity_place3 tx = place(&m, 31.3, 42.7, 50.0 + 0.25 * 31.3 - 0.125 * 42.7 + 20.0);
    rcity_place3 rx = place(&m, 111.9, 95.1, 50.0 + 0.25 * 111.9 - 0.125 * 95.1 + 8.0);
    assert_ok(m.context, rcity_search_init(m.context, &reach_world, &checker, &orders, tx, &search));
    assert_ok(m.context, rcity_terrain_bounce_find(m.context, &search, NULL, rx, rx, &list));
    assert_int_equal(list.path_count, 1);
    /* heights over the plane divide the way between the feet of the perpendiculars */
    double size = sqrt(0.25 * 0.25 + 0.125 * 0.125 + 1.0);
    double n[3] = {-0.25 / size, 0.125 / size, 1.0 / size};
    double tx_over = 20.0 / size;
    double rx_over = 8.0 / size;
    double share = tx_over / (tx_over + rx_over);
    double x = (tx.x - tx_over * n[0]) * (1.0 - share) + (rx.x - rx_over * n[0]) * share;
    double y = (tx.y - tx_over * n[1]) * (1.0 - share) + (rx.y - rx_over * n[1]) * share;
    assert_near(list.events[0].point.x, x, 1e-6);
    assert_near(list.events[0].point.y, y, 1e-6);
    rcity_path_list_deinit(m.context, &list);
    rcity_search_deinit(m.context, &search);
    rcity_reach_world_deinit(m.context, &reach_world);
    rcity_sight_destroy(m.context, &sight);
    close_scene(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_rows), cmocka_unit_test(test_level_rows),    cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_ridge),    cmocka_unit_test(test_tilted_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
