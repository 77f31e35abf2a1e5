/* Profiles of roofs and ground, and the over-roof path. */
#include "roof_world.h"

#include "method/images/roofs/over_roofs.h"
#include "method/images/search/path_search.h"
#include "method/images/search/terrain_bounce.h"

#define EDGE_ROOM 4096

/* What was found last. */
static rcity_place3 from, to;
static int edge_count; /* the ends included */
static rcity_profile_point edges[EDGE_ROOM];

/* The edges between two places, without those ends; how many. */
static int find(roof_world *m, rcity_place3 tx, rcity_place3 rx)
{
    assert_ok(m->context, rcity_profile_build(m->context, &m->world, &m->prism_index, tx, rx, &m->profile));
    assert_true(m->profile.count + 2 <= EDGE_ROOM);
    for (size_t i = 1; i < m->profile.count; i++) {
        assert_true(m->profile.points[i].distance_m >= m->profile.points[i - 1].distance_m);
    }
    rcity_roof_span span = {0.0, hypot(rx.x - tx.x, rx.y - tx.y), tx.z, rx.z};
    int count = rcity_over_roofs_gather(&m->world, &m->profile, &span, edges);
    assert_true(count >= 2);
    assert_near(edges[count - 1].distance_m, span.length_m, 0.0);
    from = tx;
    to = rx;
    edge_count = count;
    return count - 2;
}

static void assert_edge(const roof_world *m, int index, double y, double z)
{
    const rcity_profile_point *edge = &edges[index + 1];
    double part = edge->distance_m / edges[edge_count - 1].distance_m;
    assert_near(from.y + part * (to.y - from.y) + m->shapes->origin_y_m, y, 1e-9);
    assert_near(edge->z, z, 1e-9);
}

/* Two rows, the second higher: its two edges diffract the path. */
static void test_two_rows(void **state)
{
    (void)state;
    roof_world m;
    open_scene(&m);
    add_box(&m, -100, 0, 100, 10, 2);
    add_box(&m, -100, 30, 100, 45, 20);
    finish_scene(&m);
    rcity_place3 tx = place(&m, 0, -20, 2);
    rcity_place3 rx = place(&m, 0, 60, 1.5);
    /* straight to the high front, 18 m over 50 m, the path passes 7.2 m over the low one: far outside its zone */
    assert_int_equal(find(&m, tx, rx), 2);
    assert_edge(&m, 0, 30, 20);
    assert_edge(&m, 1, 45, 20);
    assert_true(rcity_over_roofs_edges(edges, edge_count));
    assert_true(edges[1].prism >= 0 && edges[1].prism == edges[2].prism);
    /* in the light */
    assert_int_equal(find(&m, place(&m, 0, -20, 50), place(&m, 0, 60, 50)), 0);
    assert_false(rcity_over_roofs_edges(edges, edge_count));
    close_scene(&m);
}

/* Rows of one height are all edges, though the path only touches those between; walls inside a row are none. */
static void test_level_rows(void **state)
{
    (void)state;
    roof_world m;
    open_scene(&m);
    for (int i = 0; i < 4; i++) {
        add_box(&m, -100, 40 * i, 100, 40 * i + 5, 10);
        add_box(&m, -100, 40 * i + 5, 100, 40 * i + 15, 10);
    }
    finish_scene(&m);
    assert_int_equal(find(&m, place(&m, 0, -30, 1.5), place(&m, 3, 165, 1.5)), 8);
    for (int i = 0; i < 4; i++) {
        assert_edge(&m, 2 * i, 40 * i, 10);
        assert_edge(&m, 2 * i + 1, 40 * i + 15, 10);
    }
    close_scene(&m);
}

/* More edges than the formula takes: those with the largest turns stay. */
static void test_many_rows(void **state)
{
    (void)state;
    roof_world m;
    open_scene(&m);
    for (int i = 0; i < 14; i++) {
        add_box(&m, -100, 40 * i, 100, 40 * i + 15, i == 5 ? 12 : 10);
    }
    finish_scene(&m);
    assert_int_equal(find(&m, place(&m, 0, -30, 1.5), place(&m, 3, 560, 1.5)), 28);
    int count = rcity_over_roofs_limit(&m.world, edges, edge_count) - 2;
    bool has_tower = false;
    for (int i = 1; i <= count; i++) {
        has_tower = has_tower || edges[i].z == 12.0;
    }
    assert_true(has_tower);
    assert_int_equal(count, RCITY_TRACE_EDGE_MAX);
    close_scene(&m);
}

/* A ridge: in its shadow, and where it lies just below the line; far below it does not count. */
static void test_ridge_near_the_line_is_an_edge(void **state)
{
    (void)state;
    static float height_m[41 * 41];
    roof_world m;
    open_scene(&m);
    for (int row = 0; row < 41; row++) {
        for (int column = 0; column < 41; column++) {
            height_m[41 * row + column] = (float)(40.0 - 0.2 * fabs(row - 20.0) * 10.0);
        }
    }
    rcity_terrain terrain = {41, 41, -200, -200, 10, height_m};
    assert_ok(m.context, rcity_scene_set_terrain(m.scene, &terrain));
    finish_scene(&m);
    assert_int_equal(find(&m, place(&m, 0, -150, 20), place(&m, 7, 150, 20)), 1);
    assert_int_equal(edges[1].prism, RCITY_PROFILE_GROUND);
    assert_edge(&m, 0, 0, 40);
    assert_true(rcity_over_roofs_edges(edges, edge_count));
    assert_int_equal(find(&m, place(&m, 0, -150, 40.5), place(&m, 7, 150, 40.5)), 1);
    assert_false(rcity_over_roofs_edges(edges, edge_count));
    assert_int_equal(find(&m, place(&m, 0, -150, 80), place(&m, 7, 150, 80)), 0);
    close_scene(&m);
}

/* A round back of many cells is one edge, where the tangents meet: those from both ends to the steepest points, found
   here by looking at all of them. */
static void test_round_hill(void **state)
{
    (void)state;
    static float height_m[101 * 101];
    roof_world m;
    open_scene(&m);
    for (int row = 0; row < 101; row++) {
        for (int column = 0; column < 101; column++) {
            double off_m = (row - 50.0) * 10.0;
            height_m[101 * row + column] = (float)fmax(60.0 - off_m * off_m / 2000.0, 0.0);
        }
    }
    rcity_terrain terrain = {101, 101, -500, -500, 10, height_m};
    assert_ok(m.context, rcity_scene_set_terrain(m.scene, &terrain));
    finish_scene(&m);
    const double tx_z = 12.0, rx_z = 3.0, length_m = 900.0;
    assert_int_equal(find(&m, place(&m, 0, -450, tx_z), place(&m, 0, 450, rx_z)), 1);
    double rise = 0.0, fall = 0.0;
    for (int row = 6; row < 95; row++) {
        double at_m = (row - 5.0) * 10.0;
        rise = fmax(rise, ((double)height_m[101 * row] - tx_z) / at_m);
        fall = fmax(fall, ((double)height_m[101 * row] - rx_z) / (length_m - at_m));
    }
    double at_m = (rx_z - tx_z + fall * length_m) / (rise + fall);
    assert_int_equal(edges[1].prism, RCITY_PROFILE_GROUND);
    assert_near(edges[1].distance_m, at_m, 0.05); /* heights stand on a grid of 1/64 m */
    assert_near(edges[1].z, tx_z + rise * at_m, 0.05);
    assert_true(edges[1].z > 60.0);
    close_scene(&m);
}

/* A plain is no row of edges, whether it lies level or leans. */
static void test_flat_ground_has_no_diffracting_edges(void **state)
{
    (void)state;
    static float height_m[101 * 101];
    for (int turn = 0; turn < 2; turn++) {
        roof_world m;
        open_scene(&m);
        for (int i = 0; i < 101 * 101; i++) {
            height_m[i] = (float)(100.0 + (turn == 0 ? 0.0 : 0.5 * (i % 101) + 0.25 * (i / 101)));
        }
        rcity_terrain terrain = {101, 101, -500, -500, 10, height_m};
        assert_ok(m.context, rcity_scene_set_terrain(m.scene, &terrain));
        finish_scene(&m);
        double lean = turn == 0 ? 0.0 : 0.05 * 900.0 + 0.025 * 900.0;
        double foot = turn == 0 ? 100.0 : 100.0 + 0.05 * 50.0 + 0.025 * 50.0;
        assert_int_equal(find(&m, place(&m, -450, -450, foot + 3.0), place(&m, 450, 450, foot + lean + 1.5)), 0);
        close_scene(&m);
    }
}

/* A tilted plane as terrain reflects as the plane does: one path, at the image's point. */
static void test_tilted_ground(void **state)
{
    (void)state;
    static float height_m[21 * 21];
    roof_world m;
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
    /* heights over the plane divide the distance between the feet of the perpendiculars */
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

TEST_SUITE(over_roofs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_rows),      cmocka_unit_test(test_level_rows),
        cmocka_unit_test(test_many_rows),     cmocka_unit_test(test_ridge_near_the_line_is_an_edge),
        cmocka_unit_test(test_round_hill),    cmocka_unit_test(test_flat_ground_has_no_diffracting_edges),
        cmocka_unit_test(test_tilted_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
