/* Transmitters and receivers: where they stand, what is refused. */
#include "rcity_test.h"

static void test_transmitter_in_building_or_far_is_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{0, 0, 10, 10, 20}, {90, 90, 100, 100, 5}};
    rcity_scene *scene = test_scene(context, boxes, 2);
    rcity_transmitter transmitter = rcity_transmitter_default();
    rcity_point at;
    transmitter.x_m = 50;
    transmitter.y_m = 50;
    transmitter.height_m = 12;
    assert_ok(context, rcity_transmitter_locate(context, scene, &transmitter, &at));
    assert_near(at.z_m, 12.0, 0.0);
    transmitter.x_m = 101; /* a little outside: the line to the scene is free */
    assert_ok(context, rcity_transmitter_locate(context, scene, &transmitter, &at));
    assert_near(at.x_m, 101.0, 0.0);
    assert_near(at.z_m, 12.0, 0.0);
    transmitter.x_m = 100 + RCITY_TX_MARGIN_M + 1;
    assert_status(context, rcity_transmitter_locate(context, scene, &transmitter, &at), RCITY_ERR_ARGUMENT);
    assert_message(context, "outside the scene");
    transmitter.x_m = (double)NAN;
    assert_status(context, rcity_transmitter_locate(context, scene, &transmitter, &at), RCITY_ERR_ARGUMENT);
    assert_message(context, "no place");
    transmitter.x_m = 5;
    transmitter.y_m = 5;
    assert_status(context, rcity_transmitter_locate(context, scene, &transmitter, &at), RCITY_ERR_ARGUMENT);
    assert_message(context, "inside building 1");
    transmitter.height_m = 20; /* on the roof */
    assert_ok(context, rcity_transmitter_locate(context, scene, &transmitter, &at));
    transmitter.height_m = 0;
    assert_status(context, rcity_transmitter_locate(context, scene, &transmitter, &at), RCITY_ERR_ARGUMENT);
    transmitter.height_m = (double)NAN;
    assert_status(context, rcity_transmitter_locate(context, scene, &transmitter, &at), RCITY_ERR_ARGUMENT);
    transmitter.height_m = 30;
    transmitter.frequency_hz = 0;
    assert_status(context, rcity_transmitter_locate(context, scene, &transmitter, &at), RCITY_ERR_ARGUMENT);
    assert_message(context, "frequency");
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Where terrain ends the ground is unknown: heights must be absolute. */
static void test_outside_terrain(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const float height_m[4] = {100, 110, 120, 130};
    const rcity_terrain terrain = {2, 2, 0.0, 0.0, 100.0, height_m};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    assert_ok(context, rcity_scene_commit(scene));
    rcity_transmitter transmitter = rcity_transmitter_default();
    transmitter.x_m = 50;
    transmitter.y_m = 0;
    rcity_point at;
    assert_ok(context, rcity_transmitter_locate(context, scene, &transmitter, &at));
    assert_near(at.z_m, 105.0 + 10.0, 1e-9);
    transmitter.x_m = -300;
    assert_status(context, rcity_transmitter_locate(context, scene, &transmitter, &at), RCITY_ERR_ARGUMENT);
    assert_message(context, "300 m outside the terrain");
    assert_message(context, "`tx-absolute`");
    transmitter.is_absolute = true;
    transmitter.height_m = 140;
    assert_ok(context, rcity_transmitter_locate(context, scene, &transmitter, &at));
    assert_near(at.z_m, 140.0, 0.0);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_receiver_raster_covers_the_scene(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{0, 0, 10, 10, 20}, {90, 190, 100, 200, 5}};
    rcity_scene *scene = test_scene(context, boxes, 2);
    rcity_receivers receivers = rcity_receivers_default();
    rcity_raster raster;
    receivers.cell_m = 5;
    assert_ok(context, rcity_receivers_get_raster(context, scene, &receivers, &raster));
    assert_int_equal(raster.column_count, 20);
    assert_int_equal(raster.row_count, 40);
    assert_near(raster.west_m, 0.0, 0.0);
    assert_near(raster.north_m, 200.0, 0.0);
    receivers.cell_m = 7; /* the upper bounds are rounded up to whole cells */
    assert_ok(context, rcity_receivers_get_raster(context, scene, &receivers, &raster));
    assert_int_equal(raster.column_count, 15);
    assert_int_equal(raster.row_count, 29);
    assert_near(raster.north_m, 203.0, 1e-9);
    receivers.x_min_m = 50;
    receivers.x_max_m = 60;
    assert_ok(context, rcity_receivers_get_raster(context, scene, &receivers, &raster));
    assert_int_equal(raster.column_count, 2);
    receivers.x_max_m = 40;
    assert_status(context, rcity_receivers_get_raster(context, scene, &receivers, &raster), RCITY_ERR_ARGUMENT);
    receivers = rcity_receivers_default();
    receivers.cell_m = 0;
    assert_status(context, rcity_receivers_get_raster(context, scene, &receivers, &raster), RCITY_ERR_ARGUMENT);
    receivers.cell_m = (double)NAN;
    assert_status(context, rcity_receivers_get_raster(context, scene, &receivers, &raster), RCITY_ERR_ARGUMENT);
    receivers.cell_m = 5;
    const double heights_m[] = {1.5, -1.0};
    receivers.height_count = 2;
    receivers.height_m = heights_m;
    assert_status(context, rcity_receivers_get_raster(context, scene, &receivers, &raster), RCITY_ERR_ARGUMENT);
    assert_message(context, "-1");
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

TEST_SUITE(radio)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transmitter_in_building_or_far_is_refused),
        cmocka_unit_test(test_outside_terrain),
        cmocka_unit_test(test_receiver_raster_covers_the_scene),
    };
    return cmocka_run_group_tests_name("radio", tests, NULL, NULL);
}
