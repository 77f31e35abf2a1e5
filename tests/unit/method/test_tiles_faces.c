/* Waves along a face: from an edge to the tiles beside it, and over a roof from edge to edge. */
#include "tiles_trial.h"

/* A building of metal over one ring of corners. */
static rcity_scene *make_building(rcity_context *context, int corner_count, const double *xy_m, double height_m)
{
    rcity_scene *scene = NULL;
    rcity_scene_options options = rcity_scene_options_default();
    rcity_building building = rcity_building_default();
    building.id = 1;
    building.ring_count = 1;
    building.ring_point_count = &corner_count;
    building.xy_m = xy_m;
    building.height_m = height_m;
    building.material = "metal";
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_add_building(scene, &building));
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

/* The loss of the roof tile nearest to a place. */
static double roof_loss_db(rcity_context *context, const rcity_scene *scene, const ask *asked, double x_m, double y_m)
{
    rcity_surfaces *surfaces = ask_surfaces(context, scene, asked);
    const float *tile_loss_db = surface_band(surfaces, "path_loss");
    double nearest_m = HUGE_VAL;
    double loss_db = (double)NAN;
    for (int64_t i = 0; i < rcity_surfaces_tile_count(surfaces); i++) {
        rcity_surface_tile tile;
        assert_int_equal(rcity_surfaces_get_tile(surfaces, i, &tile), RCITY_OK);
        double off_m = hypot(tile.centre.x_m - x_m, tile.centre.y_m - y_m);
        if (tile.kind == RCITY_SURFACE_ROOF && off_m < nearest_m) {
            nearest_m = off_m;
            loss_db = (double)tile_loss_db[i];
        }
    }
    assert_true(nearest_m < 0.1);
    rcity_surfaces_destroy(&surfaces);
    return loss_db;
}

/* A transmitter below a roof reaches it over the front edge alone. On a conductor, with the field upright on it, the
   whole field at the face is twice what comes in, and the tile has what comes in: 6.02 dB less than `images` just above
   it. */
static void test_roofs_are_reached_over_their_own_edge(void **state)
{
    (void)state;
    static const double xy_m[] = {0, -310, 20, -310, 20, 310, 0, 310};
    static const double over_m[] = {10.0, 0.0, 10.0 + 1.0 / 64.0};
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_building(context, 4, xy_m, 10.0);
    ask tiles = ask_make("tiles", -150.0, 0.0, 6.0, 1e9);
    ask images = ask_make("images", -150.0, 0.0, 6.0, 1e9);
    float exact_db;
    ask_orders(&tiles, "1", "0", "1");
    ask_orders(&images, "1", "0", "1");
    ask_set(&tiles, "tile-area-m2", "400");
    ask_set(&tiles, "roof-tile-area-m2", "400");
    ask_set(&images, "sum", "power");
    ask_points(context, scene, &images, 1, over_m, &exact_db, NULL);
    double made_db = roof_loss_db(context, scene, &tiles, 10.0, 0.0);
    print_message("images %.2f dB, tiles %.2f dB\n", (double)exact_db, made_db);
    assert_near(made_db - (double)exact_db, 6.02, 0.15);
    test_close(&context, &scene, NULL);
}

/* Over the roof of a house with an inner corner, by two edges: as `images`, and none twice, though edges of walls that
   face each other are seen through the tiles below them too. */
static void test_roofs_are_crossed_from_edge_to_edge(void **state)
{
    (void)state;
    static const double xy_m[] = {0, 0, 60, 0, 60, 20, 20, 20, 20, 60, 0, 60};
    static const double behind_m[] = {30.0, 70.0, 1.5, 45.0, 30.0, 1.5, -25.0, 31.0, 1.5, 26.0, 25.0, 5.0};
    enum { POINTS = 4 };
    float made_db[POINTS];
    float exact_db[POINTS];
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_building(context, 6, xy_m, 12.0);
    ask tiles = ask_make("tiles", 31.0, -40.0, 4.0, 1e9);
    ask images = ask_make("images", 31.0, -40.0, 4.0, 1e9);
    ask_orders(&tiles, "2", "0", "2");
    ask_orders(&images, "2", "0", "2");
    ask_set(&tiles, "tile-area-m2", "9");
    ask_set(&images, "sum", "power");
    ask_points(context, scene, &images, POINTS, behind_m, exact_db, NULL);
    ask_points(context, scene, &tiles, POINTS, behind_m, made_db, NULL);
    for (int i = 0; i < POINTS; i++) {
        print_message("images %.2f dB, tiles %.2f dB\n", (double)exact_db[i], (double)made_db[i]);
        assert_near((double)made_db[i], (double)exact_db[i], 0.3);
    }
    test_close(&context, &scene, NULL);
}

TEST_SUITE(tiles_faces)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roofs_are_reached_over_their_own_edge),
        cmocka_unit_test(test_roofs_are_crossed_from_edge_to_edge),
    };
    return cmocka_run_group_tests_name("tiles_faces", tests, NULL, NULL);
}
