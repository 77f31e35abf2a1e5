/* The method over terrain with rays: its map and points against the tracer itself, and what it refuses. */
#include "terrain_stage.h"

#include "method/terrain/rays/terrain_rays.h"

#define NODES  61
#define CELL_M 30.0

static const terrain_hills hills = {NODES, CELL_M, 50.0, 0.2, 0.15, 5.0, 85};

static rcity_request ask(int count, const char *const *names, const char *const *values)
{
    rcity_request request = rcity_request_default();
    request.method = "terrain";
    request.transmitter.x_m = 907.0;
    request.transmitter.y_m = 881.0;
    request.transmitter.height_m = 12.0;
    request.transmitter.frequency_hz = 900e6;
    request.receivers.cell_m = 13.0;
    request.option_count = count;
    request.option_name = names;
    request.option_value = values;
    return request;
}

/* What the tracer itself says with the options below. */
static void trace(const terrain_stage *at, rcity_terrain_rays_field *field)
{
    const rcity_shapes *shapes = rcity_scene_shapes(at->scene);
    rcity_terrain_rays_options options = rcity_terrain_rays_options_default();
    rcity_terrain_rays *rays = NULL;
    double ground_m = 0.0;
    rcity_grid_point3 source;
    options.frequency_hz = 900e6;
    options.receiver_height_m = 1.5;
    options.coarsen = 2;
    options.knife_edge = true;
    options.reflections = 1;
    options.earth_factor = 4.0 / 3.0;
    assert_ok(at->context, rcity_scene_get_ground(at->context, at->scene, 907.0, 881.0, &ground_m));
    const rcity_point antenna = {907.0, 881.0, ground_m + 12.0};
    assert_ok(at->context, rcity_shapes_snap(at->context, shapes, &antenna, &source));
    assert_ok(at->context, rcity_terrain_rays_open(at->context, at->device, shapes, &options, &rays));
    assert_ok(at->context, rcity_terrain_rays_trace(rays, source, field));
    field->grid.height = NULL;
    rcity_terrain_rays_close(&rays);
}

static void test_map_and_points_have_the_rays_losses(void **state)
{
    (void)state;
    static const char *names[] = {"search", "loss", "triangle-cells", "max-reflections"};
    static const char *values[] = {"rays", "knife-edge", "2", "1"};
    terrain_stage at = terrain_stage_open(2, &hills);
    const rcity_shapes *shapes = rcity_scene_shapes(at.scene);
    rcity_request request = ask(4, names, values);
    rcity_terrain_rays_field field;
    rcity_map *map = NULL;
    trace(&at, &field);
    assert_ok(at.context, rcity_predict(at.context, at.scene, at.device, &request, &map));
    const float *loss_db = terrain_stage_band(&at, map, "path_loss");
    const float *sight = terrain_stage_band(&at, map, "line_of_sight");
    rcity_raster raster;
    assert_ok(at.context, rcity_receivers_get_raster(at.context, at.scene, &request.receivers, &raster));
    long count[2] = {0, 0};
    double xyh_m[3 * 3] = {0};
    for (int64_t cell = 0; cell < raster.column_count * raster.row_count; cell++) {
        double x_m = raster.west_m + ((double)(cell % raster.column_count) + 0.5) * raster.cell_m;
        double y_m = raster.north_m - ((double)(cell / raster.column_count) + 0.5) * raster.cell_m;
        bool is_seen = false;
        float expected =
            rcity_terrain_rays_loss_db(&field, (int32_t)lround((x_m - shapes->origin_x_m) * shapes->units_per_m),
                                       (int32_t)lround((y_m - shapes->origin_y_m) * shapes->units_per_m), &is_seen);
        if (isnan(loss_db[cell])) {
            continue;
        }
        assert_true(loss_db[cell] == expected && sight[cell] == (float)is_seen);
        xyh_m[3 * is_seen] = x_m;
        xyh_m[3 * is_seen + 1] = y_m;
        xyh_m[3 * is_seen + 2] = 1.5;
        count[is_seen ? 1 : 0]++;
    }
    print_message("seed %llu: %ld cells in sight, %ld hidden\n", (unsigned long long)hills.seed, count[1], count[0]);
    assert_true(count[0] > 1000 && count[1] > 1000);
    assert_non_null(test_find_note(map, "rays"));
    assert_null(test_find_note(map, "profile_step"));
    float at_points[3];
    xyh_m[6] = xyh_m[3]; /* the same place, high up */
    xyh_m[7] = xyh_m[4];
    xyh_m[8] = 300.0;
    request.receivers.point_count = 3;
    request.receivers.xyh_m = xyh_m;
    assert_ok(at.context, rcity_predict_points(at.context, at.scene, at.device, &request, at_points, NULL));
    for (int i = 0; i < 2; i++) {
        assert_true(at_points[i] ==
                    rcity_terrain_rays_loss_db(
                        &field, (int32_t)lround((xyh_m[3 * i] - shapes->origin_x_m) * shapes->units_per_m),
                        (int32_t)lround((xyh_m[3 * i + 1] - shapes->origin_y_m) * shapes->units_per_m), NULL));
    }
    assert_true(at_points[2] > at_points[1]); /* farther from the antenna */
    rcity_terrain_rays_field_deinit(at.context, &field);
    rcity_map_destroy(&map);
    test_close(&at.context, &at.scene, &at.device);
}

static void test_what_has_no_rays_is_refused(void **state)
{
    (void)state;
    static const char *names[] = {"search", "loss", "max-reflections"};
    static const char *losses[] = {"rays", "hata", "0"};
    static const char *parts[] = {"rays", "free-space", "1.5"};
    terrain_stage at = terrain_stage_open(2, &hills);
    rcity_map *map = NULL;
    rcity_request request = ask(3, names, losses);
    assert_status(at.context, rcity_predict(at.context, at.scene, at.device, &request, &map), RCITY_ERR_ARGUMENT);
    assert_message(at.context, "`search=rays` has no `loss=hata`");
    request = ask(3, names, parts);
    assert_status(at.context, rcity_predict(at.context, at.scene, at.device, &request, &map), RCITY_ERR_ARGUMENT);
    assert_message(at.context, "whole number");
    assert_null(map);
    test_close(&at.context, &at.scene, &at.device);
}

TEST_SUITE(terrain_rays_search)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_and_points_have_the_rays_losses),
        cmocka_unit_test(test_what_has_no_rays_is_refused),
    };
    return cmocka_run_group_tests_name("terrain_rays_search", tests, NULL, NULL);
}
