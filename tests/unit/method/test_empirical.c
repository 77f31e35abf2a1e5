/* What the empirical methods make of a scene: sight, terrain, land cover, streets, and the words of their options. */
#include "empirical_world.h"

#include "kernel/hata.h"
#include "kernel/tr38901.h"
#include "kernel/walfisch_ikegami.h"
#include "method/empirical/surroundings.h"

/* Every method gives a cell's centre as a point what it gives the cell. */
static void test_points_against_raster(void **state)
{
    (void)state;
    world made;
    begin(&made, 2);
    static const char *const methods[] = {"free-space",       "log-distance", "hata",     "cost231-hata",
                                          "walfisch-ikegami", "3gpp-uma",     "3gpp-umi", "p1411"};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        rcity_request request = raster_request(methods[m], 1800e6, 24);
        static const char *const names[] = {"line-of-sight"};
        static const char *const values[] = {"exact"};
        bool is_free_space = m == 0;
        request.option_count = is_free_space ? 1 : 0;
        request.option_name = names;
        request.option_value = values;
        request.range_policy = RCITY_RANGE_EXTRAPOLATE;
        rcity_map *map = NULL;
        assert_ok(made.context, rcity_predict(made.context, made.scene, made.device, &request, &map));
        rcity_raster raster = rcity_map_raster(map);
        rcity_band band;
        assert_ok(made.context, rcity_map_get_band(map, 0, &band));
        int64_t count = raster.column_count * raster.row_count;
        double *xyh_m = malloc((size_t)count * 3 * sizeof *xyh_m);
        float *loss_db = malloc((size_t)count * sizeof *loss_db);
        assert_non_null(xyh_m);
        assert_non_null(loss_db);
        for (int64_t cell = 0; cell < count; cell++) {
            xyh_m[3 * cell] = raster.west_m + raster.cell_m * ((double)(cell % raster.column_count) + 0.5);
            xyh_m[3 * cell + 1] = raster.north_m - raster.cell_m * ((double)(cell / raster.column_count) + 0.5);
            xyh_m[3 * cell + 2] = 1.5;
        }
        request.receivers.point_count = count;
        request.receivers.xyh_m = xyh_m;
        assert_ok(made.context, rcity_predict_points(made.context, made.scene, made.device, &request, loss_db, NULL));
        int value_count = 0;
        for (int64_t cell = 0; cell < count; cell++) {
            assert_int_equal(isnan(loss_db[cell]) != 0, isnan(band.value[cell]) != 0);
            if (!isnan(loss_db[cell])) {
                value_count++;
                assert_near((double)loss_db[cell], (double)band.value[cell], 0.001);
            }
        }
        assert_true(value_count > count / 2);
        free(loss_db);
        free(xyh_m);
        rcity_map_destroy(&map);
    }
    end(&made);
}

/* Line of sight is that of the exact segment test, and decides between the two formulas. */
static void test_exact_sight_chooses_between_the_formulas(void **state)
{
    (void)state;
    world made;
    begin(&made, 2);
    static const char *const names[] = {"line-of-sight"};
    static const char *const words[] = {"exact", "los", "nlos", "probability"};
    rcity_map *maps[4] = {NULL, NULL, NULL, NULL};
    rcity_request request = raster_request("3gpp-umi", 3.5e9, 10);
    request.range_policy = RCITY_RANGE_EXTRAPOLATE;
    request.option_count = 1;
    request.option_name = names;
    rcity_band loss[4];
    for (int i = 0; i < 4; i++) {
        request.option_value = &words[i];
        assert_ok(made.context, rcity_predict(made.context, made.scene, made.device, &request, &maps[i]));
        assert_int_equal(rcity_map_band_count(maps[i]), i == 0 ? 2 : 1);
        assert_ok(made.context, rcity_map_get_band(maps[i], 0, &loss[i]));
    }
    rcity_raster raster = rcity_map_raster(maps[0]);
    int seen = 0;
    int hidden = 0;
    for (int64_t cell = 0; cell < raster.column_count * raster.row_count; cell++) {
        if (isnan(loss[0].value[cell])) {
            continue;
        }
        rcity_point tx = {20, 50, 10};
        rcity_point rx = {raster.west_m + raster.cell_m * ((double)(cell % raster.column_count) + 0.5),
                          raster.north_m - raster.cell_m * ((double)(cell / raster.column_count) + 0.5), 1.5};
        bool is_free;
        assert_ok(made.context, rcity_scene_test_segment(made.context, made.scene, &tx, &rx, &is_free));
        assert_true(loss[0].value[cell] == loss[is_free ? 1 : 2].value[cell]);
        assert_true(loss[1].value[cell] <= loss[2].value[cell]);
        assert_true(loss[3].value[cell] >= loss[1].value[cell] && loss[3].value[cell] <= loss[2].value[cell]);
        seen += is_free;
        hidden += !is_free;
    }
    assert_true(seen > 1000 && hidden > 200);
    for (int i = 0; i < 4; i++) {
        rcity_map_destroy(&maps[i]);
    }
    end(&made);
}

/* Ground that rises to the east by one metre in ten. */
static rcity_scene *sloped_scene(rcity_context *context)
{
    enum { COLUMNS = 41, ROWS = 11 };
    static float height_m[COLUMNS * ROWS];
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        height_m[i] = 100.0f + 10.0f * (float)(i % COLUMNS);
    }
    rcity_terrain terrain = {.column_count = COLUMNS, .row_count = ROWS, .cell_m = 100.0, .height_m = height_m};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    test_add_box(context, scene, 1, (test_box){3000, 480, 3010, 520, 12});
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

/* Waves of ground, with a house or without. */
static rcity_scene *wavy_scene(rcity_context *context, bool has_house)
{
    enum { SIDE = 41 };
    static float height_m[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        height_m[i] = 20.0f * sinf(0.4f * (float)(i % SIDE)) * cosf(0.3f * (float)(i / SIDE)) + 0.7f * (float)(i % 7);
    }
    rcity_terrain terrain = {.column_count = SIDE, .row_count = SIDE, .cell_m = 25.0, .height_m = height_m};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    if (has_house) {
        test_add_box(context, scene, 1, (test_box){300, 480, 340, 520, 12});
    }
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

/* Over terrain a whole raster has the sight that each of its receivers has as a point. */
static void test_raster_over_terrain_has_the_sight_of_points(void **state)
{
    (void)state;
    static const char *const names[] = {"line-of-sight"};
    static const char *const values[] = {"exact"};
    for (int has_house = 0; has_house < 2; has_house++) {
        rcity_context *context = test_context(2);
        rcity_scene *scene = wavy_scene(context, has_house);
        rcity_device *device = NULL;
        assert_ok(context, rcity_device_open(context, "host", &device));
        rcity_request request = rcity_request_default();
        request.method = "3gpp-umi";
        request.range_policy = RCITY_RANGE_EXTRAPOLATE;
        request.transmitter.x_m = 411;
        request.transmitter.y_m = 523;
        request.transmitter.height_m = 10;
        request.transmitter.frequency_hz = 3.5e9;
        request.receivers.cell_m = 13.0;
        request.option_count = 1;
        request.option_name = names;
        request.option_value = values;
        rcity_map *map = NULL;
        rcity_band loss;
        rcity_band sight;
        assert_ok(context, rcity_predict(context, scene, device, &request, &map));
        assert_ok(context, rcity_map_get_band(map, 0, &loss));
        assert_ok(context, rcity_map_get_band(map, 1, &sight));
        rcity_raster raster = rcity_map_raster(map);
        int64_t count = raster.column_count * raster.row_count;
        double *xyh_m = calloc((size_t)count * 3, sizeof *xyh_m);
        float *loss_db = calloc((size_t)count, sizeof *loss_db);
        for (int64_t cell = 0; cell < count; cell++) {
            xyh_m[3 * cell] = raster.west_m + raster.cell_m * ((double)(cell % raster.column_count) + 0.5);
            xyh_m[3 * cell + 1] = raster.north_m - raster.cell_m * ((double)(cell / raster.column_count) + 0.5);
            xyh_m[3 * cell + 2] = 1.5;
        }
        request.receivers.point_count = count;
        request.receivers.xyh_m = xyh_m;
        assert_ok(context, rcity_predict_points(context, scene, device, &request, loss_db, NULL));
        int kinds[2] = {0, 0};
        for (int64_t cell = 0; cell < count; cell++) {
            if (!isnan(loss.value[cell])) {
                assert_near((double)loss_db[cell], (double)loss.value[cell], 0.01);
                kinds[sight.value[cell] == 1.0f]++;
            }
        }
        assert_true(kinds[0] > 500 && kinds[1] > 500);
        free(loss_db);
        free(xyh_m);
        rcity_map_destroy(&map);
        test_close(&context, &scene, &device);
    }
}

/* Heights are those above the ground at each end; differences of height are those in space. */
static void test_heights_are_taken_above_local_ground(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = sloped_scene(context);
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    const double xyh_m[] = {2500, 500, 2.0, 3300, 500, 2.0}; /* in sight; behind the house */
    rcity_request request = rcity_request_default();
    request.transmitter.x_m = 500;
    request.transmitter.y_m = 500;
    request.transmitter.height_m = 40;
    request.transmitter.frequency_hz = 900e6;
    request.receivers.point_count = 2;
    request.receivers.xyh_m = xyh_m;
    request.method = "hata";
    float loss_db[2];
    assert_ok(context, rcity_predict_points(context, scene, device, &request, loss_db, NULL));
    assert_near((double)loss_db[0], (double)rcity_hata_loss_db(900.0f, 2000.0f, 40.0f, 2.0f, RCITY_HATA_URBAN), 0.001);
    request.transmitter.is_absolute = true; /* the same place counted from the datum: the ground is at 150 m */
    request.transmitter.height_m = 190;
    float same_db[2];
    assert_ok(context, rcity_predict_points(context, scene, device, &request, same_db, NULL));
    assert_near((double)same_db[0], (double)loss_db[0], 1e-6);

    request.method = "walfisch-ikegami";
    static const char *const names[] = {"street-width-m", "building-separation-m", "roof-height-m",
                                        "street-orientation-deg"};
    static const char *const values[] = {"20", "40", "12", "90"};
    request.option_count = 4;
    request.option_name = names;
    request.option_value = values;
    assert_ok(context, rcity_predict_points(context, scene, device, &request, loss_db, NULL));
    assert_near((double)loss_db[0], (double)rcity_walfisch_sight_loss_db(900.0f, 2000.0f), 0.001);
    /* the ground at the second receiver is at 430 m, its mean roof at 442 m, the antenna at 190 m: lower than the
       street, so it counts as high as the street */
    rcity_walfisch_path path = {900.0f, 2800.0f, -12.0f, 10.0f, 12.0f, 20.0f, 40.0f, (float)(3.14159265358979 / 2.0)};
    assert_near((double)loss_db[1], (double)rcity_walfisch_shadow_loss_db(path, 0), 0.001);

    request.method = "3gpp-uma";
    request.option_count = 0;
    request.transmitter.height_m = 175;
    assert_ok(context, rcity_predict_points(context, scene, device, &request, loss_db, NULL));
    rcity_tr38901_path uma = {0.9f, 2000.0f, 175.0f - 352.0f, 25.0f, 2.0f};
    assert_near((double)loss_db[0], (double)rcity_tr38901_sight_loss_db(uma, RCITY_TR38901_UMA), 0.001);
    test_close(&context, &scene, &device);
}

/* Beyond the terrain a height above the datum counts from the nearest ground, on every side and at every corner. */
static void test_outside_terrain(void **state)
{
    (void)state;
    enum { COLUMNS = 6, ROWS = 11 }; /* 500 m by 1000 m; up by 1 m in 10 to the north, by 1 m in 100 to the east */
    static float height_m[COLUMNS * ROWS];
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        height_m[i] = 100.0f + 10.0f * (float)(i / COLUMNS) + (float)(i % COLUMNS);
    }
    static const struct {
        double x_m, y_m, ground_m;
    } places[] = {
        {250, 1700, 202.5}, {250, -800, 102.5}, {-900, 450, 145.0}, {1400, 450, 150.0},
        {-900, 1700, 200},  {1400, 1700, 205},  {-900, -800, 100},  {1400, -800, 105},
    };
    rcity_context *context = test_context(1);
    rcity_terrain terrain = {.column_count = COLUMNS, .row_count = ROWS, .cell_m = 100.0, .height_m = height_m};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    assert_ok(context, rcity_scene_commit(scene));
    assert_ok(context, rcity_device_open(context, "host", &device));
    const double xyh_m[] = {250, 450, 2.0};
    rcity_request request = rcity_request_default();
    request.method = "hata";
    request.range_policy = RCITY_RANGE_EXTRAPOLATE; /* some are nearer than 1 km */
    request.transmitter.frequency_hz = 900e6;
    request.transmitter.is_absolute = true;
    request.transmitter.height_m = 250;
    request.receivers.point_count = 1;
    request.receivers.xyh_m = xyh_m;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        request.transmitter.x_m = places[i].x_m;
        request.transmitter.y_m = places[i].y_m;
        float loss_db;
        assert_ok(context, rcity_predict_points(context, scene, device, &request, &loss_db, NULL));
        float plan_m = (float)hypot(places[i].x_m - 250.0, places[i].y_m - 450.0);
        float over_m = (float)(250.0 - places[i].ground_m);
        assert_near((double)loss_db, (double)rcity_hata_loss_db(900.0f, plan_m, over_m, 2.0f, RCITY_HATA_URBAN), 0.001);
    }
    test_close(&context, &scene, &device);
}

/* Six land classes, each with a loss of its own: a raster has every one in its place, none turned or mirrored. */
static void test_land_cover_raster(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    const uint8_t code[] = {1, 2, 3, 4, 5, 6}; /* three columns, rows from the south */
    const rcity_land_class classes[] = {{1, "sea", 0, 1.0}, {2, "field", 0, 2.0}, {3, "heath", 0, 4.0},
                                        {4, "bog", 0, 8.0}, {5, "wood", 0, 16.0}, {6, "town", 0, 32.0}};
    const rcity_land_cover cover = {3, 2, 100.0, 200.0, 100.0, code, 6, classes};
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    test_add_box(context, scene, 1, (test_box){130, 230, 150, 250, 12});
    assert_ok(context, rcity_scene_set_land_cover(scene, &cover));
    assert_ok(context, rcity_scene_commit(scene));
    assert_ok(context, rcity_device_open(context, "host", &device));
    static const char *const names[] = {"land-cover"};
    static const char *const words[] = {"ignore", "add"};
    rcity_request request = rcity_request_default();
    request.method = "log-distance";
    request.transmitter.x_m = 170;
    request.transmitter.y_m = 270;
    request.receivers.x_min_m = 55; /* some cells lie beyond the land cover */
    request.receivers.y_min_m = 155;
    request.receivers.x_max_m = 455;
    request.receivers.y_max_m = 435;
    request.receivers.cell_m = 20;
    request.option_count = 1;
    request.option_name = names;
    rcity_map *maps[2] = {NULL, NULL};
    rcity_band bands[2];
    for (int i = 0; i < 2; i++) {
        request.option_value = &words[i];
        assert_ok(context, rcity_predict(context, scene, device, &request, &maps[i]));
        assert_ok(context, rcity_map_get_band(maps[i], 0, &bands[i]));
    }
    rcity_raster raster = rcity_map_raster(maps[0]);
    int seen[7] = {0};
    for (int64_t cell = 0; cell < raster.column_count * raster.row_count; cell++) {
        double x = raster.west_m + raster.cell_m * ((double)(cell % raster.column_count) + 0.5);
        double y = raster.north_m - raster.cell_m * ((double)(cell / raster.column_count) + 0.5);
        if (isnan(bands[0].value[cell])) {
            assert_true(isnan(bands[1].value[cell])); /* indoors */
            continue;
        }
        bool is_on = x > 100.0 && x < 400.0 && y > 200.0 && y < 400.0;
        int class_index = is_on ? (int)((x - 100.0) / 100.0) + 3 * (int)((y - 200.0) / 100.0) : 6;
        double added_db = is_on ? classes[class_index].loss_db : 0.0;
        assert_near((double)bands[1].value[cell] - (double)bands[0].value[cell], added_db, 1e-4);
        seen[class_index]++;
    }
    for (int i = 0; i < 7; i++) {
        assert_true(seen[i] > 10);
    }
    for (int i = 0; i < 2; i++) {
        rcity_map_destroy(&maps[i]);
    }
    test_close(&context, &scene, &device);
}

static void test_land_cover(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    test_add_box(context, scene, 1, (test_box){0, 0, 10, 10, 12});
    const uint8_t code[] = {1, 2, 2, 1}; /* rows from the south */
    const rcity_land_class classes[] = {{1, "field", 0.0, 0.0}, {2, "forest", 15.0, 12.5}};
    const rcity_land_cover cover = {2, 2, 0.0, 0.0, 1000.0, code, 2, classes};
    assert_ok(context, rcity_scene_set_land_cover(scene, &cover));
    assert_ok(context, rcity_scene_commit(scene));
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    const double xyh_m[] = {500, 500, 1.5, 1500, 500, 1.5, 500, 1500, 1.5, 1500, 1500, 1.5, 2500, 500, 1.5};
    rcity_request request = rcity_request_default();
    request.transmitter.x_m = 100;
    request.transmitter.y_m = 100;
    request.method = "log-distance";
    request.receivers.point_count = 5;
    request.receivers.xyh_m = xyh_m;
    static const char *const names[] = {"land-cover"};
    static const char *const values[] = {"add"};
    float without_db[5];
    float with_db[5];
    assert_ok(context, rcity_predict_points(context, scene, device, &request, without_db, NULL));
    request.option_count = 1;
    request.option_name = names;
    request.option_value = values;
    assert_ok(context, rcity_predict_points(context, scene, device, &request, with_db, NULL));
    const double added_db[] = {0.0, 12.5, 12.5, 0.0, 0.0};
    for (int i = 0; i < 5; i++) {
        assert_near((double)with_db[i] - (double)without_db[i], added_db[i], 1e-4);
    }
    test_close(&context, &scene, &device);
    world made;
    begin(&made, 1);
    assert_status(made.context, rcity_predict_points(made.context, made.scene, made.device, &request, with_db, NULL),
                  RCITY_ERR_ARGUMENT);
    assert_message(made.context, "the scene has no land cover");
    end(&made);
}

/* The loss at one point 1500 m east, in the open, with one option set. */
static double loss_with(const world *made, const char *method, double frequency_hz, double tx_height_m,
                        const char *name, const char *value)
{
    const double xyh_m[] = {1520, 50, 2.0};
    rcity_request request = raster_request(method, frequency_hz, tx_height_m);
    request.receivers.point_count = 1;
    request.receivers.xyh_m = xyh_m;
    request.option_count = 1;
    request.option_name = &name;
    request.option_value = &value;
    float loss_db;
    assert_ok(made->context, rcity_predict_points(made->context, made->scene, made->device, &request, &loss_db, NULL));
    return (double)loss_db;
}

/* Each word of each option reaches its formula. */
static void test_option_words_reach_their_formulas(void **state)
{
    (void)state;
    world made;
    begin(&made, 1);
    static const struct {
        const char *method, *word;
        double frequency_hz;
        rcity_i32 environment;
    } words[] = {
        {"hata", "urban-large", 900e6, RCITY_HATA_URBAN_LARGE},
        {"hata", "urban", 900e6, RCITY_HATA_URBAN},
        {"hata", "suburban", 900e6, RCITY_HATA_SUBURBAN},
        {"hata", "open", 900e6, RCITY_HATA_OPEN},
        {"cost231-hata", "urban", 1800e6, RCITY_COST231_URBAN},
        {"cost231-hata", "metropolitan", 1800e6, RCITY_COST231_METROPOLIS},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        double actual = loss_with(&made, words[i].method, words[i].frequency_hz, 40, "environment", words[i].word);
        float f = (float)(words[i].frequency_hz * 1e-6);
        assert_near(actual, (double)rcity_hata_loss_db(f, 1500.0f, 40.0f, 2.0f, words[i].environment), 1e-4);
    }
    rcity_tr38901_path uma = {2.0f, 1500.0f, 23.0f, 25.0f, 2.0f};
    rcity_tr38901_path umi = {2.0f, 1500.0f, 8.0f, 10.0f, 2.0f};
    assert_near(loss_with(&made, "3gpp-uma", 2e9, 25, "line-of-sight", "los"),
                (double)rcity_tr38901_sight_loss_db(uma, RCITY_TR38901_UMA), 1e-4);
    assert_near(loss_with(&made, "3gpp-uma", 2e9, 25, "line-of-sight", "nlos"),
                (double)rcity_tr38901_shadow_loss_db(uma, RCITY_TR38901_UMA), 1e-4);
    assert_near(loss_with(&made, "3gpp-umi", 2e9, 10, "line-of-sight", "los"),
                (double)rcity_tr38901_sight_loss_db(umi, RCITY_TR38901_UMI), 1e-4);
    double p = (double)rcity_tr38901_sight_probability(1500.0f, 2.0f, RCITY_TR38901_UMI);
    assert_near(loss_with(&made, "3gpp-umi", 2e9, 10, "line-of-sight", "probability"),
                p * (double)rcity_tr38901_sight_loss_db(umi, RCITY_TR38901_UMI) +
                    (1.0 - p) * (double)rcity_tr38901_shadow_loss_db(umi, RCITY_TR38901_UMI),
                1e-3);
    /* log-distance from the printed formula, 20 log10(4 pi 100 x 1e9 / c) = 72.4478 dB at 100 m, 3-D distance */
    double decades = log10(sqrt(1500.0 * 1500.0 + 38.0 * 38.0) / 100.0);
    assert_near(loss_with(&made, "log-distance", 1e9, 40, "exponent", "3.5"), 72.4478 + 35.0 * decades, 0.001);
    assert_near(loss_with(&made, "log-distance", 1e9, 40, "exponent", "4"), 72.4478 + 40.0 * decades, 0.001);
    assert_near(loss_with(&made, "log-distance", 1e9, 40, "reference-loss-db", "80"), 80.0 + 35.0 * decades, 0.001);
    assert_near(loss_with(&made, "log-distance", 1e9, 40, "reference-distance-m", "10"),
                52.4478 + 35.0 * (decades + 1.0), 0.001);
    end(&made);
}

/* The words of P.1411 choose rows of its tables; 3.5 GHz, 400 m apart on the map and 30 m in height. */
static void test_p1411_words_choose_rows(void **state)
{
    (void)state;
    world made;
    begin(&made, 1);
    static const struct {
        const char *environment, *sight;
        double alpha, beta, gamma; /* of tables 4 and 8 */
    } rows[] = {
        {"high-rise", "los", 2.12, 29.2, 2.11},   {"high-rise", "nlos", 4.00, 10.2, 2.36},
        {"low-rise", "los", 2.12, 29.2, 2.11},    {"low-rise", "nlos", 5.06, -4.68, 2.02},
        {"above-roofs", "los", 2.29, 28.6, 1.96}, {"above-roofs", "nlos", 4.39, -6.27, 2.30},
        {"high-rise", "exact", 2.12, 29.2, 2.11},
    };
    static const char *const names[] = {"environment", "line-of-sight"};
    const double xyh_m[] = {20, 50 - 400, 1.5};
    rcity_request request = raster_request("p1411", 3.5e9, 31.5);
    request.receivers.point_count = 1;
    request.receivers.xyh_m = xyh_m;
    request.option_count = 2;
    request.option_name = names;
    request.range_policy = RCITY_RANGE_EXTRAPOLATE;
    float loss_db;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *values[] = {rows[i].environment, rows[i].sight};
        request.option_value = values;
        assert_ok(made.context, rcity_predict_points(made.context, made.scene, made.device, &request, &loss_db, NULL));
        double expected = 10.0 * rows[i].alpha * log10(sqrt(400.0 * 400.0 + 30.0 * 30.0)) + rows[i].beta +
                          10.0 * rows[i].gamma * log10(3.5);
        assert_near((double)loss_db, expected, 0.001);
    }
    end(&made);
}

/* A receiver between two rows of houses, hidden by the first: street, roofs and words reach the formula. */
static void test_walfisch_street(void **state)
{
    (void)state;
    world made;
    begin(&made, 1);
    const double xyh_m[] = {220, 180, 1.5};
    static const char *const names[] = {"environment"};
    static const char *const words[] = {"medium", "metropolitan"};
    rcity_request request = raster_request("walfisch-ikegami", 1800e6, 12);
    request.receivers.point_count = 1;
    request.receivers.xyh_m = xyh_m;
    request.option_count = 1;
    request.option_name = names;
    for (int i = 0; i < 2; i++) {
        request.option_value = &words[i];
        float loss_db;
        assert_ok(made.context, rcity_predict_points(made.context, made.scene, made.device, &request, &loss_db, NULL));
        /* 20 m from wall to wall, north to south; within 100 m two rows of 10 x 160 m; the base 3 m below roofs of 15
           m */
        double built = 2.0 * 10.0 * 160.0 / (200.0 * 200.0);
        rcity_walfisch_path path = {1800.0f,
                                    (float)hypot(200.0, 130.0),
                                    -3.0f,
                                    13.5f,
                                    15.0f,
                                    20.0f,
                                    (float)rcity_building_separation_m(20.0, built),
                                    (float)atan2(200.0, 130.0)};
        assert_near((double)loss_db, (double)rcity_walfisch_shadow_loss_db(path, i), 0.02);
    }
    end(&made);
}

/* Options that are a word or a number. */
static void test_bad_reference_loss_is_refused(void **state)
{
    (void)state;
    world made;
    begin(&made, 1);
    rcity_request request = raster_request("log-distance", 900e6, 20);
    static const char *const names[] = {"reference-loss-db"};
    static const char *const good[] = {"80", "free-space"};
    static const char *const bad[] = {"much", "-1", "301", "nan"};
    request.option_count = 1;
    request.option_name = names;
    rcity_estimate estimate;
    for (int i = 0; i < 2; i++) {
        request.option_value = &good[i];
        assert_ok(made.context, rcity_predict_estimate(made.context, made.scene, &request, &estimate));
    }
    for (int i = 0; i < 4; i++) {
        request.option_value = &bad[i];
        assert_status(made.context, rcity_predict_estimate(made.context, made.scene, &request, &estimate),
                      RCITY_ERR_ARGUMENT);
        assert_message(made.context, "must be free-space or a number from 0 to 300 dB");
    }
    end(&made);
}

TEST_SUITE(empirical)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points_against_raster),
                                       cmocka_unit_test(test_exact_sight_chooses_between_the_formulas),
                                       cmocka_unit_test(test_raster_over_terrain_has_the_sight_of_points),
                                       cmocka_unit_test(test_heights_are_taken_above_local_ground),
                                       cmocka_unit_test(test_outside_terrain),
                                       cmocka_unit_test(test_land_cover),
                                       cmocka_unit_test(test_land_cover_raster),
                                       cmocka_unit_test(test_option_words_reach_their_formulas),
                                       cmocka_unit_test(test_p1411_words_choose_rows),
                                       cmocka_unit_test(test_walfisch_street),
                                       cmocka_unit_test(test_bad_reference_loss_is_refused)};
    return cmocka_run_group_tests_name("empirical", tests, NULL, NULL);
}
