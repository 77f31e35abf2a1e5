/* The n-th allocation fails, for every n, in load, commit, predict, paths and save: each time the status says so, the
   output is untouched, and not a byte stays behind. */
#include "rcity_test.h"

#include <unistd.h>

#include "io/res.h"

static const char wall_list[] =
    "0 0 30 0 9 1 1 0\n30 0 30 30 9 1 1 0\n30 30 0 30 9 1 1 0\n0 30 0 0 9 1 1 0\n"
    "10 10 10 20 9 1 1 0\n10 20 20 20 9 1 1 0\n20 20 20 10 9 1 1 0\n20 10 10 10 9 1 1 0\n"
    "30.2 5 50 5 12 2 1 0\n50 5 50 25 12 2 1 0\n50 25 30.3 25 12 2 1 0\n30.3 25 30.2 5 12 2 1 0\n"
    "12 12 18 12 20 3 1 0\n18 12 18 18 20 3 1 0\n18 18 12 12 20 3 1 0\n";

/* One piece of work; leaves nothing alive on failure. */
typedef rcity_status (*work_function)(rcity_context *context);

static char scene_path[256];

static rcity_status read_walls(rcity_context *context)
{
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    rcity_status status = rcity_res_read(context, "walls", wall_list, sizeof wall_list - 1, &options, &scene);
    assert_true((status == RCITY_OK) == (scene != NULL));
    rcity_scene_destroy(&scene);
    return status;
}

static rcity_status commit_with_terrain(rcity_context *context)
{
    static const float height_m[9] = {0, 5, 10, 0, 5, 10, 3, 5, 12};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    rcity_status status = rcity_scene_create(context, &options, &scene);
    if (status == RCITY_OK) {
        rcity_terrain terrain = {3, 3, 0, 0, 50, height_m};
        status = rcity_scene_set_terrain(scene, &terrain);
    }
    for (int i = 0; i < 20 && status == RCITY_OK; i++) {
        const double x = 4 * (i % 5) * 4.5 + 2;
        const double y = (i / 5) * 20.0 + 2;
        const double xy_m[] = {x, y, x + 18, y, x + 18, y + 15, x, y + 15};
        const int count[] = {4};
        rcity_building building = rcity_building_default();
        building.ring_count = 1;
        building.ring_point_count = count;
        building.xy_m = xy_m;
        building.height_m = 5 + i;
        status = rcity_scene_add_building(scene, &building);
    }
    if (status == RCITY_OK) {
        status = rcity_scene_commit(scene);
        if (status != RCITY_OK) {
            rcity_scene_info info;
            assert_int_equal(rcity_scene_describe(scene, &info), RCITY_ERR_STATE); /* it stayed open */
            status = RCITY_ERR_MEMORY;
        }
    }
    rcity_scene_destroy(&scene);
    return status;
}

static rcity_status fill_with_clutter(rcity_scene *scene)
{
    static const float height_m[4] = {0, 5, 10, 0};
    static const double xy_m[16] = {0, 0, 60, 5, 50, 40, 2, 30, 10, 10, 20, 10, 20, 20, 10, 20};
    static const int point_count[2] = {4, 4};
    static const uint8_t code[4] = {1, 7, 7, 1};
    static const rcity_land_class classes[2] = {{1, "grass", 0.3, 0}, {7, "forest", 18, 11.5}};
    rcity_terrain terrain = {2, 2, -10, -10, 100, height_m};
    rcity_vegetation wood = {3, 2, point_count, xy_m, 18};
    rcity_land_cover land = {2, 2, -5, -5, 40, code, 2, classes};
    rcity_building building = rcity_building_default();
    building.ring_count = 1;
    building.ring_point_count = point_count;
    building.xy_m = xy_m + 8;
    building.height_m = 5;
    building.material = "larch";
    rcity_material material;
    assert_true(rcity_material_find("wood", &material));
    strcpy(material.name, "larch");
    rcity_status status = rcity_scene_set_terrain(scene, &terrain);
    status = status == RCITY_OK ? rcity_scene_add_building(scene, &building) : status;
    status = status == RCITY_OK ? rcity_scene_set_land_cover(scene, &land) : status;
    status = status == RCITY_OK ? rcity_scene_set_land_cover(scene, &land) : status;
    status = status == RCITY_OK ? rcity_scene_add_material(scene, &material) : status;
    for (int i = 0; i < 3 && status == RCITY_OK; i++) {
        status = rcity_scene_add_vegetation(scene, &wood);
    }
    return status;
}

/* Commit, save and load a scene with vegetation, land cover and a material of its own. */
static rcity_status commit_with_clutter(rcity_context *context)
{
    const char *path = test_path("clutter.rcity");
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    rcity_scene *loaded = NULL;
    rcity_status status = rcity_scene_create(context, &options, &scene);
    status = status == RCITY_OK ? fill_with_clutter(scene) : status;
    if (status == RCITY_OK) {
        status = rcity_scene_commit(scene);
        rcity_scene_info info;
        assert_int_equal(rcity_scene_describe(scene, &info), status == RCITY_OK ? RCITY_OK : RCITY_ERR_STATE);
        status = status == RCITY_OK ? RCITY_OK : RCITY_ERR_MEMORY;
    }
    status = status == RCITY_OK ? rcity_scene_save(context, scene, path) : status;
    status = status == RCITY_OK ? rcity_scene_load(context, path, &loaded) : status;
    assert_true((status == RCITY_OK) == (loaded != NULL));
    rcity_scene_destroy(&loaded);
    rcity_scene_destroy(&scene);
    unlink(path);
    return status;
}

static rcity_status load_scene(rcity_context *context)
{
    rcity_scene *scene = NULL;
    rcity_status status = rcity_scene_load(context, scene_path, &scene);
    assert_true((status == RCITY_OK) == (scene != NULL));
    rcity_scene_destroy(&scene);
    return status;
}

static rcity_status load_predict_and_save(rcity_context *context)
{
    static const char *const names[] = {"line-of-sight"};
    static const char *const values[] = {"exact"};
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    rcity_map *map = NULL;
    rcity_request request = rcity_request_default();
    request.method = "free-space";
    request.transmitter.x_m = 5;
    request.transmitter.y_m = 28;
    request.transmitter.height_m = 30;
    request.receivers.cell_m = 4;
    request.option_count = 1;
    request.option_name = names;
    request.option_value = values;
    rcity_status status = rcity_scene_load(context, scene_path, &scene);
    if (status == RCITY_OK) {
        status = rcity_device_open(context, "host", &device);
    }
    if (status == RCITY_OK) {
        status = rcity_predict(context, scene, device, &request, &map);
        assert_true((status == RCITY_OK) == (map != NULL));
    }
    if (status == RCITY_OK) {
        status = rcity_scene_save(context, scene, test_path("again.rcity"));
    }
    rcity_map_destroy(&map);
    rcity_device_close(&device);
    rcity_scene_destroy(&scene);
    return status;
}

/* Walls, corners, roofs and indoor levels into a map, then the same at points. */
static rcity_status predict_shadow(rcity_context *context)
{
    static const char *const names[] = {"indoor"};
    static const char *const values[] = {"p2109"};
    static const double xyh_m[] = {55, 15, 1.5, 25, 40, 2, 15, 15, 1.5};
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    rcity_map *map = NULL;
    rcity_request request = rcity_request_default();
    request.transmitter.x_m = -20;
    request.transmitter.y_m = 15;
    request.transmitter.height_m = 6;
    request.receivers.cell_m = 4;
    request.option_count = 1;
    request.option_name = names;
    request.option_value = values;
    rcity_status status = rcity_scene_load(context, scene_path, &scene);
    if (status == RCITY_OK) {
        status = rcity_device_open(context, "host", &device);
    }
    if (status == RCITY_OK) {
        status = rcity_predict(context, scene, device, &request, &map);
        assert_true((status == RCITY_OK) == (map != NULL));
    }
    if (status == RCITY_OK) {
        float loss_db[3], received_dbm[3];
        request.option_count = 0; /* points have no P.2109 */
        request.receivers.point_count = 3;
        request.receivers.xyh_m = xyh_m;
        status = rcity_predict_points(context, scene, device, &request, loss_db, received_dbm);
    }
    rcity_map_destroy(&map);
    rcity_device_close(&device);
    rcity_scene_destroy(&scene);
    return status;
}

/* Find paths over hills and around houses, with every kind of interaction, name a receiver and save them all. */
static rcity_status find_rays_and_save(rcity_context *context)
{
    static const char *const names[] = {"max-reflections", "max-diffractions", "max-transmissions", "rx-polarization"};
    static const char *const values[] = {"1", "2", "2", "both"};
    static const double xyh_m[] = {55, 15, 1.5, 25, 40, 2, 15, 15, 1.5};
    static const char *const files[] = {"failing.geojson", "failing.h5", "failing.csv"};
    rcity_scene *scene = NULL;
    rcity_rays *rays = NULL;
    rcity_request request = rcity_request_default();
    request.method = "images";
    request.transmitter.x_m = -20;
    request.transmitter.y_m = 15;
    request.transmitter.height_m = 6;
    request.transmitter.name = "mast";
    request.receivers.point_count = 3;
    request.receivers.xyh_m = xyh_m;
    request.option_count = 4;
    request.option_name = names;
    request.option_value = values;
    rcity_status status = rcity_scene_load(context, scene_path, &scene);
    if (status == RCITY_OK) {
        status = rcity_rays_find(context, scene, NULL, &request, &rays);
        assert_true((status == RCITY_OK) == (rays != NULL));
    }
    if (status == RCITY_OK) {
        assert_true(rcity_rays_path_count(rays) > 2);
        status = rcity_rays_set_name(rays, 1, "corner");
        const char *name = rcity_rays_name(rays, 1);
        assert_true((status == RCITY_OK) == (name != NULL));
    }
    rcity_build_features features = rcity_build_features_get();
    for (int i = 0; i < 3 && status == RCITY_OK; i++) {
        const char *path = test_path(files[i]);
        if (i != 1 || features.has_hdf5) {
            unlink(path);
            status = rcity_rays_save(context, rays, path);
            assert_int_equal(access(path, F_OK) == 0, status == RCITY_OK); /* whole or not at all */
            unlink(path);
        }
    }
    rcity_rays_destroy(&rays);
    rcity_scene_destroy(&scene);
    return status;
}

/* The same into a map; over hills, which have paths of their own. */
static rcity_status predict_images(rcity_context *context)
{
    static const float height_m[9] = {0, 0, 0, 0, 20, 0, 0, 0, 0};
    static const double xy_m[8] = {10, 10, 30, 10, 30, 30, 10, 30};
    static const int point_count[1] = {4};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    rcity_map *map = NULL;
    rcity_terrain terrain = {3, 3, 0, 0, 50, height_m};
    rcity_building building = rcity_building_default();
    building.ring_count = 1;
    building.ring_point_count = point_count;
    building.xy_m = xy_m;
    building.height_m = 8;
    rcity_request request = rcity_request_default();
    request.method = "images";
    request.transmitter.x_m = 5;
    request.transmitter.y_m = 50;
    request.transmitter.height_m = 5;
    request.transmitter.power_dbm = 30;
    request.receivers.cell_m = 25;
    rcity_status status = rcity_scene_create(context, &options, &scene);
    status = status == RCITY_OK ? rcity_scene_set_terrain(scene, &terrain) : status;
    status = status == RCITY_OK ? rcity_scene_add_building(scene, &building) : status;
    status = status == RCITY_OK ? rcity_scene_commit(scene) : status;
    status = status == RCITY_OK ? rcity_device_open(context, "host", &device) : status;
    if (status == RCITY_OK) {
        status = rcity_predict(context, scene, device, &request, &map);
        assert_true((status == RCITY_OK) == (map != NULL));
    }
    rcity_map_destroy(&map);
    rcity_device_close(&device);
    rcity_scene_destroy(&scene);
    return status;
}

static rcity_status make_city(rcity_context *context)
{
    rcity_city_options options = rcity_city_options_default();
    options.kind = RCITY_CITY_HILLS;
    options.area_km2 = 0.1;
    rcity_scene *scene = NULL;
    rcity_status status = rcity_city_make(context, &options, &scene);
    assert_true((status == RCITY_OK) == (scene != NULL));
    rcity_scene_destroy(&scene);
    return status;
}

static void fail_every_allocation(work_function work, const char *name)
{
    long n = 0;
    bool has_failed;
    do {
        n++;
        failing_allocator failing = {n, 0, 0};
        rcity_context *context = test_context_failing(&failing, 2);
        rcity_status status = work(context);
        if (status != RCITY_OK && status != RCITY_ERR_MEMORY) {
            print_error("%s, allocation %ld: %s (%s)\n", name, n, rcity_status_name(status),
                        rcity_context_message(context));
            fail();
        }
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
        has_failed = failing.call_count >= n;
        assert_int_equal(status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
        assert_true(n < 100000);
    } while (has_failed);
    print_message("%s: each of %ld allocations failed once\n", name, n - 1);
    assert_true(n > 3);
}

static void test_reading_walls_survives_failed_allocations(void **state)
{
    (void)state;
    fail_every_allocation(read_walls, "read a wall list");
}

static void test_commit_survives_failed_allocations(void **state)
{
    (void)state;
    fail_every_allocation(commit_with_terrain, "commit");
}

static void test_commit_with_clutter_survives_failed_allocations(void **state)
{
    (void)state;
    fail_every_allocation(commit_with_clutter, "commit, save and load with clutter");
}

static void test_loading_a_scene_survives_failed_allocations(void **state)
{
    (void)state;
    fail_every_allocation(load_scene, "load");
}

static void test_predicting_and_saving_survives_failed_allocations(void **state)
{
    (void)state;
    fail_every_allocation(load_predict_and_save, "load, predict and save");
}

static void test_finding_paths_survives_failed_allocations(void **state)
{
    (void)state;
    fail_every_allocation(find_rays_and_save, "find paths and save them");
}

static void test_shadow_prediction_survives_failed_allocations(void **state)
{
    (void)state;
    fail_every_allocation(predict_shadow, "predict by shadow");
}

static void test_images_prediction_survives_failed_allocations(void **state)
{
    (void)state;
    fail_every_allocation(predict_images, "predict by images");
}

static void test_making_a_city_survives_failed_allocations(void **state)
{
    (void)state;
    fail_every_allocation(make_city, "make hills");
}

static int save_scene(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_res_read(context, "walls", wall_list, sizeof wall_list - 1, &options, &scene));
    snprintf(scene_path, sizeof scene_path, "%s", test_path("failing.rcity"));
    assert_ok(context, rcity_scene_save(context, scene, scene_path));
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
    return 0;
}

TEST_SUITE(allocation_failure)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading_walls_survives_failed_allocations),
        cmocka_unit_test(test_commit_survives_failed_allocations),
        cmocka_unit_test(test_commit_with_clutter_survives_failed_allocations),
        cmocka_unit_test(test_loading_a_scene_survives_failed_allocations),
        cmocka_unit_test(test_predicting_and_saving_survives_failed_allocations),
        cmocka_unit_test(test_finding_paths_survives_failed_allocations),
        cmocka_unit_test(test_images_prediction_survives_failed_allocations),
        cmocka_unit_test(test_shadow_prediction_survives_failed_allocations),
        cmocka_unit_test(test_making_a_city_survives_failed_allocations),
    };
    return cmocka_run_group_tests_name("allocation failure", tests, save_scene, NULL);
}
