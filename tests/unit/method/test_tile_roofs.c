/* Paths over roofs to tiles: what they lose, where they leave and arrive, both ways, and near the edge of sight. */
#include "scene/place/terrain.h"
#include "sight_cases.h"
#include "tile_roof_world.h"

#include "kernel/wave/knife_edge.h"

static const uint64_t seed = 1991;

static void open_boxes(tile_roof_world *world, const test_box *boxes, int count)
{
    rcity_context *context = test_context(1);
    tile_roof_world_open(context, test_scene(context, boxes, count), "host", world);
}

static void close_world(tile_roof_world *world)
{
    rcity_context *context = world->context;
    tile_roof_world_close(world);
    rcity_context_destroy(&context);
}

/* A thin wall is one knife edge: from far below the line, where it takes nothing, to 40 dB. From v = -0.68 down the edge
   fades out; the exact field swings around that of free space there. */
static void test_thin_wall_is_a_knife_edge(void **state)
{
    (void)state;
    tile_roof_world world;
    test_box wall = {200.0, -400.0, 200.03, 400.0, 20.0};
    open_boxes(&world, &wall, 1);
    double worst = 0.0;
    for (int k = 0; k < 3; k++) {
        double wavelength_m = k == 0 ? 0.32 : k == 1 ? 0.14 : 0.0107;
        for (double above_m = -2.5; above_m < 12.0; above_m += above_m < 0.5 ? 0.0625 : 0.5) {
            double end_m = round((20.0 - 1.5 * above_m) * 64.0) / 64.0;
            rcity_tile_roof_path path = tile_roof_find(&world, tile_roof_place(&world, 0.0, 0.0, 20.0),
                                                       tile_roof_place(&world, 300.0, 0.0, end_m), wavelength_m);
            float v = rcity_knife_edge_parameter((float)((20.0 - end_m) / 1.5), 200.0f, 100.0f, (float)wavelength_m);
            double expected = (double)rcity_knife_edge_exact_loss_db(v);
            if (v > -0.67f) {
                worst = fmax(worst, fabs((double)path.excess_db - expected));
            } else {
                assert_true(path.excess_db < 0.8f);
                assert_true(v > -0.9f || path.excess_db == 0.0f);
            }
        }
    }
    print_message("one edge against the exact knife edge: at most %.3f dB\n", worst);
    assert_true(worst < 0.2);
    close_world(&world);
}

/* Of a flat roof both edges count: more than one, less than twice one. The path touches both or one of them. */
static void test_flat_roof_has_two_edges(void **state)
{
    (void)state;
    tile_roof_world world;
    test_box boxes[2] = {{100.0, -300.0, 120.0, 300.0, 15.0}, {1000.0, -300.0, 1000.03, 300.0, 15.0}};
    open_boxes(&world, boxes, 2);
    rcity_tile_roof_path house =
        tile_roof_find(&world, tile_roof_place(&world, 0.0, 0.0, 5.0), tile_roof_place(&world, 220.0, 0.0, 5.0), 0.32);
    /* in line with both edges: 1/4 + asin(rho) / (2 pi) */
    rcity_tile_roof_path level = tile_roof_find(&world, tile_roof_place(&world, 0.0, 0.0, 15.0),
                                                tile_roof_place(&world, 220.0, 0.0, 15.0), 0.32);
    double rho = sqrt(100.0 * 100.0 / (120.0 * 120.0));
    assert_near((double)level.excess_db, -20.0 * log10(0.25 + asin(rho) / (2.0 * 3.14159265358979)), 0.1);
    /* far in the shadow: the product of both, by Millington's correction of the spreading */
    double turn = atan(0.1);
    double single = 0.32 / (4.0 * 3.14159265358979 * 3.14159265358979 * turn * turn);
    double slant = hypot(100.0, 10.0);
    double power = single * single * (slant + 20.0 + slant) / (slant * 20.0 * slant);
    assert_near((double)house.excess_db, -10.0 * log10(power), 1.5); /* p is 2.2 only */
    assert_near((double)house.length_m, 2.0 * slant + 20.0, 0.01);
    assert_near((double)house.departure_z, 10.0 / slant, 1e-4);
    assert_near((double)house.arrival_z, -10.0 / slant, 1e-4);
    close_world(&world);
}

/* Where two roofs of one height touch there is no edge: the houses cost what one long house costs. */
static void test_touching_roofs_are_one(void **state)
{
    (void)state;
    static const test_box boxes[2][3] = {
        {{100.0, -300.0, 120.0, 300.0, 15.0}},
        {{100.0, -300.0, 107.0, 300.0, 15.0}, {107.0, -300.0, 113.0, 300.0, 15.0}, {113.0, -300.0, 120.0, 300.0, 15.0}},
    };
    double excess_db[2][4];
    for (int k = 0; k < 2; k++) {
        tile_roof_world world;
        open_boxes(&world, boxes[k], k == 0 ? 1 : 3);
        for (int i = 0; i < 4; i++) {
            rcity_tile_place to = tile_roof_place(&world, 220.0, 0.0, 12.0 + i);
            excess_db[k][i] =
                (double)tile_roof_find(&world, tile_roof_place(&world, 0.0, 7.0, 16.0), to, 0.32).excess_db;
        }
        close_world(&world);
    }
    for (int i = 0; i < 4; i++) {
        assert_near(excess_db[1][i], excess_db[0][i], 0.01);
    }
    assert_true(excess_db[0][0] > 8.0);
}

/* A tile on a wall: from the front nothing hides it, on the other side of the house the path comes over its own roof. */
static void test_own_house_hides_only_its_back(void **state)
{
    (void)state;
    tile_roof_world world;
    test_box house = {100.0, -30.0, 120.0, 30.0, 15.0};
    open_boxes(&world, &house, 1);
    rcity_tile_place source = tile_roof_place(&world, 0.0, 2.0, 10.0);
    double lift_m = (double)RCITY_TILE_LIFT_M;
    rcity_tile_roof_path front =
        tile_roof_find(&world, source, tile_roof_place(&world, 100.0 - lift_m, 0.0, 6.0), 0.32);
    rcity_tile_roof_path back = tile_roof_find(&world, source, tile_roof_place(&world, 120.0 + lift_m, 0.0, 6.0), 0.32);
    rcity_tile_roof_path top = tile_roof_find(&world, tile_roof_place(&world, 0.0, 2.0, 25.0),
                                              tile_roof_place(&world, 110.0, 0.0, 15.0 + lift_m), 0.32);
    assert_near((double)front.excess_db, 0.0, 0.01);
    assert_near((double)top.excess_db, 0.0, 0.01);
    assert_true(back.excess_db > 25.0f && back.excess_db < 60.0f);
    assert_near((double)back.arrival_z, -1.0, 1e-3); /* down along the wall */
    assert_near((double)back.length_m, hypot(100.0, 5.0) + 20.0 + 9.0, 0.2);
    assert_near(hypot((double)back.departure_x, (double)back.departure_y), 100.0 / hypot(100.0, 5.0), 1e-3);
    close_world(&world);
}

static void test_places_without_a_path_have_none(void **state)
{
    (void)state;
    tile_roof_world world;
    test_box house = {100.0, -30.0, 120.0, 30.0, 15.0};
    open_boxes(&world, &house, 1);
    rcity_tile_place outside = tile_roof_place(&world, 0.0, 2.0, 10.0);
    rcity_tile_place inside = tile_roof_place(&world, 110.0, 0.0, 6.0);
    assert_true(isnan(tile_roof_find(&world, outside, inside, 0.32).excess_db));
    assert_true(isnan(tile_roof_find(&world, inside, outside, 0.32).excess_db));
    assert_true(isnan(tile_roof_find(&world, outside, outside, 0.32).excess_db));
    rcity_tile_place targets[3] = {tile_roof_place(&world, 50.0, 0.0, 6.0), inside,
                                   tile_roof_place(&world, 130.0, 0.0, 6.0)};
    int32_t list[2] = {2, 0};
    rcity_tile_roofs *roofs = NULL;
    rcity_tile_roof_path paths[3];
    assert_ok(world.context, rcity_tile_roofs_open(world.context, world.device, world.sight, 3, targets, &roofs));
    assert_ok(world.context, rcity_tile_roofs_find(world.context, roofs, outside, 0.32, 100.0, 3, NULL, paths));
    assert_true(paths[0].excess_db == 0.0f && isnan(paths[1].excess_db) && isnan(paths[2].excess_db));
    assert_ok(world.context, rcity_tile_roofs_find(world.context, roofs, outside, 0.32, 0.0, 2, list, paths));
    assert_true(paths[0].excess_db > 10.0f && paths[1].excess_db == 0.0f);
    assert_ok(world.context, rcity_tile_roofs_find(world.context, roofs, outside, 0.32, 0.0, 0, list, paths));
    rcity_tile_roofs_close(&roofs);
    close_world(&world);
}

/* A mast that rises behind two rows until it sees the target: no step above 0.5 dB, and 6 dB where it grazes the last
   edge that it passes. */
static void test_edge_of_sight_has_no_step(void **state)
{
    (void)state;
    tile_roof_world world;
    test_box rows[4] = {{60.0, -300.0, 72.0, 300.0, 14.0},
                        {100.0, -300.0, 112.0, 300.0, 12.0},
                        {140.0, -300.0, 152.0, 300.0, 15.0},
                        {152.0, -300.0, 160.0, 300.0, 11.0}};
    open_boxes(&world, rows, 4);
    rcity_tile_place target = tile_roof_place(&world, 0.0, 0.0, 1.5);
    double worst = 0.0;
    for (int k = 0; k < 2; k++) {
        double last = (double)NAN;
        for (int32_t z = 5 * RCITY_HEIGHT_UNITS_PER_M; z < 90 * RCITY_HEIGHT_UNITS_PER_M; z += 4) {
            rcity_tile_place source = tile_roof_place(&world, 300.0, 20.0, 0.0);
            source.z = z;
            bool is_visible = rcity_sight_is_free(world.sight, (rcity_grid_point3){source.x, source.y, source.z},
                                                  (rcity_grid_point3){target.x, target.y, target.z});
            double excess_db = (double)tile_roof_find(&world, source, target, k == 0 ? 0.32 : 0.0857).excess_db;
            worst = fmax(worst, isnan(last) ? 0.0 : fabs(excess_db - last));
            assert_true(excess_db <= 6.1 || !is_visible);
            assert_true(excess_db >= 5.9 || is_visible);
            last = excess_db;
        }
        assert_near(last, 0.0, 1e-6);
    }
    print_message("a mast that rises by 6 cm: steps of at most %.3f dB\n", worst);
    assert_true(worst < 0.5);
    close_world(&world);
}

/* The same the other way, in made cities. */
static void test_both_ways_lose_the_same(void **state)
{
    (void)state;
    for (int city = 0; city < 3; city++) {
        rcity_context *context = test_context(1);
        static const rcity_city_kind kinds[3] = {RCITY_CITY_CORE, RCITY_CITY_GRID, RCITY_CITY_HILLS};
        tile_roof_world world;
        tile_roof_world_open(context, sight_city(context, kinds[city], seed + (uint64_t)city, 0.25), "host", &world);
        double worst = 0.0;
        int count = 0;
        uint64_t i = 0;
        for (int k = 0; k < 150; k++) {
            rcity_tile_place a = tile_roof_draw(&world, seed, &i, k % 3 == 0 ? 30.0 : 1.5);
            rcity_tile_place b = tile_roof_draw(&world, seed, &i, k % 2 == 0 ? 12.0 : 3.0);
            rcity_tile_roof_path there = tile_roof_find(&world, a, b, k % 2 == 0 ? 0.32 : 0.1);
            rcity_tile_roof_path back = tile_roof_find(&world, b, a, k % 2 == 0 ? 0.32 : 0.1);
            worst = fmax(worst, fabs((double)there.excess_db - (double)back.excess_db));
            assert_near((double)there.length_m, (double)back.length_m, 0.01);
            assert_near((double)there.departure_z, -(double)back.arrival_z, 1e-4);
            assert_near((double)there.arrival_x, -(double)back.departure_x, 1e-4);
            count += there.excess_db > 6.0f;
        }
        print_message("both ways, seed %llu, city %d: at most %.4f dB apart, %d of 150 hidden\n",
                      (unsigned long long)seed, city, worst, count);
        assert_true(worst < 0.1 && count > 20);
        close_world(&world);
    }
}

/* Rows in line settle: N edges cost 20 log10(N + 1), by Vogler; and a wave 30 times shorter costs hardly more. */
static void test_rows_cost_the_logarithm_of_their_number(void **state)
{
    (void)state;
    for (int rows = 1; rows <= 16; rows *= 2) {
        test_box boxes[16];
        for (int i = 0; i < rows; i++) {
            boxes[i] = (test_box){40.0 * (i + 1), -300.0, 40.0 * (i + 1) + 0.03, 300.0, 12.0};
        }
        tile_roof_world world;
        open_boxes(&world, boxes, rows);
        for (int k = 0; k < 2; k++) {
            rcity_tile_roof_path path =
                tile_roof_find(&world, tile_roof_place(&world, 0.0, 0.0, 12.0),
                               tile_roof_place(&world, 40.0 * (rows + 1), 0.0, 12.0), k == 0 ? 0.32 : 0.0107);
            assert_near((double)path.excess_db, 20.0 * log10(rows + 1.0), 0.2);
        }
        close_world(&world);
    }
}

/* What is found from a source to every place of a list. */
static void find_all(const tile_roof_world *world, int64_t count, const rcity_tile_place *places,
                     rcity_tile_roof_path *paths)
{
    rcity_tile_roofs *roofs = NULL;
    assert_ok(world->context,
              rcity_tile_roofs_open(world->context, world->device, world->sight, count, places, &roofs));
    assert_ok(world->context, rcity_tile_roofs_find(world->context, roofs, places[0], 0.32, 0.0, count, NULL, paths));
    rcity_tile_roofs_close(&roofs);
}

static void test_thread_count_changes_nothing(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    rcity_tile_place *places = calloc(COUNT, sizeof *places);
    rcity_tile_roof_path *paths[2] = {calloc(COUNT, sizeof *paths[0]), calloc(COUNT, sizeof *paths[1])};
    for (int k = 0; k < 2; k++) {
        rcity_context *context = test_context(k == 0 ? 1 : 5);
        tile_roof_world world;
        tile_roof_world_open(context, sight_city(context, RCITY_CITY_CORE, seed, 0.1), "host", &world);
        uint64_t at = 0;
        for (int i = 0; i < COUNT; i++) {
            places[i] = tile_roof_draw(&world, seed, &at, 1.0 + i % 20);
        }
        find_all(&world, COUNT, places, paths[k]);
        close_world(&world);
    }
    assert_memory_equal(paths[0], paths[1], COUNT * sizeof *paths[0]);
    free(paths[1]);
    free(paths[0]);
    free(places);
}

/* A dome of terrain with more edges than there is room for. Who looks for paths is told so, not who prepared the roofs:
   several threads may look at the same time. */
static void test_too_many_edges_are_told_to_the_caller(void **state)
{
    (void)state;
    enum { COLUMNS = 1201, CELL_M = 4 };
    static float height_m[2 * COLUMNS];
    rcity_context *context = test_context(1);
    rcity_context *caller = test_context(1);
    rcity_scene *scene = NULL;
    rcity_scene_options options = rcity_scene_options_default();
    for (int i = 0; i < 2 * COLUMNS; i++) {
        double off = i % COLUMNS - 0.5 * (COLUMNS - 1);
        height_m[i] = (float)(8000.0 - off * off / 64.0);
    }
    rcity_terrain terrain = {COLUMNS, 2, 0.0, 0.0, CELL_M, height_m};
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    assert_ok(context, rcity_scene_commit(scene));
    tile_roof_world world;
    tile_roof_world_open(context, scene, "host", &world);
    double low_m = (double)height_m[0] + 3.0;
    rcity_tile_place to = tile_roof_place(&world, (COLUMNS - 1.5) * CELL_M, 2.0, low_m);
    rcity_tile_place from = tile_roof_place(&world, 0.5 * CELL_M, 2.0, low_m);
    rcity_tile_roof_pair pair = {0, 0};
    rcity_tile_roofs *roofs = NULL;
    rcity_tile_roof_path path;
    assert_ok(context, rcity_tile_roofs_open(context, world.device, world.sight, 1, &to, &roofs));
    assert_ok(caller, rcity_tile_roofs_find_pairs(caller, roofs, 0.32, 0.0, 1, &pair, &path));
    assert_status(caller, rcity_tile_roofs_find(caller, roofs, from, 0.32, 0.0, 1, NULL, &path), RCITY_ERR_UNSUPPORTED);
    assert_message(caller, "to target 1 has more than 1022 diffracting edges");
    assert_string_equal(rcity_context_message(context), "");
    rcity_tile_roofs_close(&roofs);
    close_world(&world);
    rcity_context_destroy(&caller);
}

static void test_failed_allocations_leave_nothing_behind(void **state)
{
    (void)state;
    failing_allocator failing = {0, 0, 0};
    rcity_context *context = test_context_failing(&failing, 1);
    tile_roof_world world;
    tile_roof_world_open(context, sight_messy_scene(context, 5), "host", &world);
    rcity_tile_place places[2] = {tile_roof_place(&world, 1.0, 1.0, 60.0), tile_roof_place(&world, 20.0, 9.0, 60.0)};
    long live_count = failing.live_count;
    long fail_at = 1;
    rcity_status status = RCITY_ERR_MEMORY;
    for (; status != RCITY_OK; fail_at++) {
        rcity_tile_roofs *roofs = NULL;
        rcity_tile_roof_path paths[2];
        failing.call_count = 0;
        failing.fail_at = fail_at;
        status = rcity_tile_roofs_open(context, world.device, world.sight, 2, places, &roofs);
        if (status == RCITY_OK) {
            status = rcity_tile_roofs_find(context, roofs, places[0], 0.32, 0.0, 2, NULL, paths);
        }
        failing.fail_at = 0;
        rcity_tile_roofs_close(&roofs);
        assert_int_equal(failing.live_count, live_count);
    }
    print_message("%ld allocations failed one by one\n", fail_at - 2);
    assert_true(fail_at > 6);
    close_world(&world);
}

TEST_SUITE(tile_roofs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thin_wall_is_a_knife_edge),
        cmocka_unit_test(test_flat_roof_has_two_edges),
        cmocka_unit_test(test_touching_roofs_are_one),
        cmocka_unit_test(test_own_house_hides_only_its_back),
        cmocka_unit_test(test_places_without_a_path_have_none),
        cmocka_unit_test(test_edge_of_sight_has_no_step),
        cmocka_unit_test(test_both_ways_lose_the_same),
        cmocka_unit_test(test_rows_cost_the_logarithm_of_their_number),
        cmocka_unit_test(test_thread_count_changes_nothing),
        cmocka_unit_test(test_too_many_edges_are_told_to_the_caller),
        cmocka_unit_test(test_failed_allocations_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("tile_roofs", tests, NULL, NULL);
}
