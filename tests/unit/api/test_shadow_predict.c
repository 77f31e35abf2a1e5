/* The method `shadow` through the whole chain: each mechanism by hand on a scene of one or two blocks, bands, indoor
   levels, sectors of one mast, points, thread counts, refusals. */
#include "rcity_test.h"

/* One law for all tests, so that losses can be written out: name, value. test_shadow_edges.c has the other. */
static const char *const law_names[] = {
    "line-of-sight-offset-db", "corner-path-db", "corner-db",    "corner-db-per-decade",    "corner-db-per-rad",
    "corner-db-per-rad2",      "roof-path-db",   "roof-edge-db", "roof-edge-db-per-decade", "roof-edge-db-per-rad",
    "roof-edge-db-per-rad2",   "wall-db",        "wall-path-db", "building-db-per-m",       "law"};
static const char *const law_values[] = {"-2", "1", "3", "4", "5",   "6",    "2",    "4",
                                         "5",  "7", "8", "9", "1.5", "0.25", "paper"};
#define LAW_COUNT 15

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    const char *names[LAW_COUNT + 8], *values[LAW_COUNT + 8];
} world;

static void open_world(world *w, int thread_count, const test_box *boxes, int count)
{
    memset(w, 0, sizeof *w);
    w->context = test_context(thread_count);
    w->scene = test_scene(w->context, boxes, count);
    assert_ok(w->context, rcity_device_open(w->context, "host", &w->device));
}

static void close_world(world *w)
{
    test_close(&w->context, &w->scene, &w->device);
}

/* A request with the law and more options, pairs of name and value, NULL last. */
static rcity_request ask(world *w, double x, double y, double height, const char *const *more)
{
    rcity_request request = rcity_request_default();
    request.method = "shadow";
    request.transmitter.x_m = x;
    request.transmitter.y_m = y;
    request.transmitter.height_m = height;
    request.transmitter.frequency_hz = 1e9;
    request.transmitter.power_kind = RCITY_POWER_EIRP;
    request.transmitter.power_dbm = 40.0;
    request.receivers.cell_m = 2.0;
    memcpy(w->names, law_names, sizeof law_names);
    memcpy(w->values, law_values, sizeof law_values);
    request.option_count = LAW_COUNT;
    for (; more != NULL && *more != NULL; more += 2) {
        w->names[request.option_count] = more[0];
        w->values[request.option_count++] = more[1];
    }
    request.option_name = w->names;
    request.option_value = w->values;
    return request;
}

static rcity_map *run(world *w, const rcity_request *request)
{
    rcity_map *map = NULL;
    assert_ok(w->context, rcity_predict(w->context, w->scene, w->device, request, &map));
    return map;
}

/* The value of a band at the cell around a place, and the middle of that cell. */
static double value_at(const rcity_map *map, const char *name, double x, double y, double *cell_x, double *cell_y)
{
    rcity_raster raster = rcity_map_raster(map);
    int64_t column = (int64_t)((x - raster.west_m) / raster.cell_m),
            row = (int64_t)((raster.north_m - y) / raster.cell_m);
    assert_true(column >= 0 && column < raster.column_count && row >= 0 && row < raster.row_count);
    if (cell_x != NULL) {
        *cell_x = raster.west_m + raster.cell_m * ((double)column + 0.5);
        *cell_y = raster.north_m - raster.cell_m * ((double)row + 0.5);
    }
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band = {.name = ""};
        if (rcity_map_get_band(map, i, &band) == RCITY_OK && strcmp(band.name, name) == 0) {
            return (double)band.value[row * raster.column_count + column];
        }
    }
    fail_msg("no band %s", name);
    return 0.0;
}

/* k at 1 GHz, and free space there: ITU-R P.525 as 20 log10(2 k d). */
static const double k_per_m = 2.0 * 3.14159265358979323846 * 1e9 / 299792458.0;

static double free_db(double distance_m)
{
    return 20.0 * log10(2.0 * k_per_m * distance_m);
}

static double turn_db(double turn, double decade, double linear, double square, double alpha, double s, double s2)
{
    return turn + decade * log10(k_per_m * s * s2 / (s + s2)) + linear * alpha + square * alpha * alpha;
}

/* A block of 40 x 40 m, 20 m high; the transmitter to its west, a little south of its northern wall. Two small boxes
   far away make the scene wide. */
static const test_box block[] = {{100, 100, 140, 140, 20}, {0, 0, 4, 4, 3}, {300, 300, 304, 304, 3}};

static void test_each_mechanism_has_its_calculated_loss(void **state)
{
    (void)state;
    static const char *const no_roofs[] = {"over-roofs", "off", "through-walls", "off", NULL};
    static const char *const only_walls[] = {"over-roofs", "off", "max-corners", "0", NULL};
    static const char *const only_roofs[] = {"through-walls", "off", "max-corners", "0", NULL};
    world w;
    open_world(&w, 2, block, 3);
    double x, y;
    const double tx = 50.0, ty = 130.0, h = 10.0;
    /* in sight */
    rcity_request request = ask(&w, tx, ty, h, no_roofs);
    rcity_map *map = run(&w, &request);
    double loss = value_at(map, "path_loss", 60, 60, &x, &y);
    double distance = sqrt((x - tx) * (x - tx) + (y - ty) * (y - ty) + 8.5 * 8.5);
    assert_near(loss, free_db(distance) - 2.0, 1e-3);
    assert_near(value_at(map, "received_power", 60, 60, NULL, NULL), 40.0 - loss, 1e-3);
    assert_near(value_at(map, "line_of_sight", 60, 60, NULL, NULL), 1.0, 0.0);
    assert_near(value_at(map, "mechanism", 60, 60, NULL, NULL), 0.0, 0.0);
    assert_near(value_at(map, "deflections", 60, 60, NULL, NULL), 0.0, 0.0);
    assert_true(isnan(value_at(map, "path_loss", 120, 120, NULL, NULL)));
    assert_true(isnan(value_at(map, "line_of_sight", 120, 120, NULL, NULL)));
    /* around the corner at (100, 140): one turn; the wall to its east turns away at (140, 140) for lines from (100,
       140) only along itself, so the north-western corner reaches what lies straight east of it */
    loss = value_at(map, "path_loss", 131, 145, &x, &y);
    double s = hypot(100.0 - tx, 140.0 - ty), s2 = hypot(x - 100.0, y - 140.0);
    double alpha = fabs(atan2(140.0 - ty, 100.0 - tx) - atan2(y - 140.0, x - 100.0));
    if (value_at(map, "line_of_sight", 131, 145, NULL, NULL) == 0.0) {
        assert_near(loss, free_db(hypot(s + s2, 8.5)) + 1.0 + turn_db(3, 4, 5, 6, alpha, s, s2), 2e-3);
        assert_near(value_at(map, "mechanism", 131, 145, NULL, NULL), 2.0, 0.0);
        assert_near(value_at(map, "deflections", 131, 145, NULL, NULL), 1.0, 0.0);
    } else {
        fail_msg("(131, 145) should be out of sight");
    }
    rcity_map_destroy(&map);
    /* through two walls */
    request = ask(&w, tx, ty, h, only_walls);
    map = run(&w, &request);
    loss = value_at(map, "path_loss", 181, 131, &x, &y);
    distance = sqrt((x - tx) * (x - tx) + (y - ty) * (y - ty) + 8.5 * 8.5);
    assert_near(loss, free_db(distance) + 1.5 + 2.0 * 9.0 + 0.25 * 40.0 * distance / (x - tx), 2e-3);
    assert_near(value_at(map, "mechanism", 181, 131, NULL, NULL), 1.0, 0.0);
    assert_near(value_at(map, "line_of_sight", 181, 131, NULL, NULL), 0.0, 0.0);
    rcity_map_destroy(&map);
    /* over the roof: two diffracting edges, at both walls */
    request = ask(&w, tx, ty, h, only_roofs);
    map = run(&w, &request);
    loss = value_at(map, "path_loss", 181, 131, &x, &y);
    double slant = hypot(x - tx, y - ty) / (x - tx); /* metres along the line a metre east */
    double a = 50.0 * slant, b = 40.0 * slant, c = (x - 140.0) * slant;
    double leg = hypot(a, 10.0), last = hypot(c, 18.5);
    double over = free_db(leg + b + last) + 2.0 + turn_db(4, 5, 7, 8, atan2(10.0, a), leg, b) +
                  turn_db(4, 5, 7, 8, atan2(18.5, c), b, last);
    assert_near(loss, over, 2e-3);
    assert_near(value_at(map, "mechanism", 181, 131, NULL, NULL), 3.0, 0.0);
    assert_near(value_at(map, "deflections", 181, 131, NULL, NULL), 2.0, 0.0);
    rcity_map_destroy(&map);
    close_world(&w);
}

/* All paths together: the strongest is the least of each alone; powers add up. */
static void test_paths_combine_as_strongest_or_power_sum(void **state)
{
    (void)state;
    static const char *const alone[3][6] = {{"over-roofs", "off", "through-walls", "off", NULL},
                                            {"over-roofs", "off", "max-corners", "0", NULL},
                                            {"through-walls", "off", "max-corners", "0", NULL}};
    static const char *const added[] = {"sum", "power", NULL};
    static const char *const added_corners[] = {"sum", "power", "over-roofs", "off", "through-walls", "off", NULL};
    world w;
    open_world(&w, 1, block, 3);
    double least[3], power = 0.0;
    double x = 181, y = 131;
    for (int i = 0; i < 3; i++) {
        rcity_request request = ask(&w, 50, 130, 10, alone[i]);
        rcity_map *map = run(&w, &request);
        least[i] = value_at(map, "path_loss", x, y, NULL, NULL);
        rcity_map_destroy(&map);
        if (i > 0) {
            power += pow(10.0, -0.1 * least[i]);
        }
    }
    rcity_request request = ask(&w, 50, 130, 10, NULL);
    rcity_map *map = run(&w, &request);
    double expected = fmin(isnan(least[0]) ? HUGE_VAL : least[0], fmin(least[1], least[2]));
    assert_near(value_at(map, "path_loss", x, y, NULL, NULL), expected, 1e-4);
    rcity_map_destroy(&map);
    request = ask(&w, 50, 130, 10, added_corners);
    map = run(&w, &request);
    double corners = value_at(map, "path_loss", x, y, NULL, NULL);
    power += isnan(corners) ? 0.0 : pow(10.0, -0.1 * corners);
    rcity_map_destroy(&map);
    request = ask(&w, 50, 130, 10, added);
    map = run(&w, &request);
    assert_near(value_at(map, "path_loss", x, y, NULL, NULL), -10.0 * log10(power), 1e-3);
    rcity_map_destroy(&map);
    close_world(&w);
}

/* Inside: through the wall, or from the nearest place outside. */
static void test_indoor_loss_follows_walls_or_p2109(void **state)
{
    (void)state;
    static const char *const walls[] = {"indoor", "walls", NULL};
    static const char *const entry[] = {"indoor", "p2109", NULL};
    world w;
    open_world(&w, 2, block, 3);
    double x, y;
    rcity_request request = ask(&w, 50, 130, 10, walls);
    rcity_map *map = run(&w, &request);
    /* near the wall that looks at the transmitter: from the cell before it, through it, and six cells of 2 m */
    double loss = value_at(map, "path_loss", 111, 121, &x, &y);
    double outside = value_at(map, "path_loss", 99, 121, NULL, NULL);
    assert_near(loss, outside + 1.5 + 9.0 + 0.25 * 12.0, 2e-3);
    /* near the far wall, which is hidden: the straight line is better */
    loss = value_at(map, "path_loss", 135, 121, &x, &y);
    double distance = sqrt((x - 50) * (x - 50) + (y - 130) * (y - 130) + 8.5 * 8.5);
    assert_near(loss, free_db(distance) + 1.5 + 9.0 + 0.25 * (x - 100.0) * distance / (x - 50.0), 2e-3);
    assert_true(isnan(value_at(map, "line_of_sight", 111, 121, NULL, NULL)));
    rcity_map_destroy(&map);
    request = ask(&w, 50, 130, 10, entry);
    map = run(&w, &request);
    /* the western wall is the nearest: the cell beside it, in the same row */
    loss = value_at(map, "path_loss", 103, 121, &x, &y);
    outside = value_at(map, "path_loss", 99, y, NULL, NULL);
    assert_true(isnan(outside) == 0);
    assert_near(loss - outside, 14.31,
                0.02); /* ITU-R P.2109, traditional, 1 GHz, by hand: 12.64, 9.1 and -3 dB added */
    rcity_map_destroy(&map);
    close_world(&w);
}

/* Sectors of one mast share their paths; each is as if alone. Points are as the map. */
static void test_sectors_and_points(void **state)
{
    (void)state;
    world w;
    open_world(&w, 2, block, 3);
    rcity_antenna *antenna = NULL;
    assert_ok(w.context, rcity_antenna_create(w.context, "3gpp", &antenna));
    rcity_request request = ask(&w, 50, 130, 10, NULL);
    rcity_transmitter sectors[3];
    rcity_map *alone[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3; i++) {
        sectors[i] = request.transmitter;
        sectors[i].antenna = antenna;
        sectors[i].azimuth_deg = 120.0 * i + 10.0;
        sectors[i].mechanical_tilt_deg = 4.0;
        request.transmitter = sectors[i];
        alone[i] = run(&w, &request);
    }
    rcity_network_options options = rcity_network_options_default();
    rcity_map *network = NULL;
    assert_ok(w.context, rcity_predict_network(w.context, w.scene, w.device, &request, 3, sectors, &options, &network));
    rcity_band best = {.name = ""};
    assert_ok(w.context, rcity_map_get_band(network, 0, &best));
    rcity_raster raster = rcity_map_raster(network);
    long different = 0;
    for (int64_t i = 0; i < raster.column_count * raster.row_count; i++) {
        double strongest = -HUGE_VAL;
        for (int k = 0; k < 3; k++) {
            for (int b = 0; b < rcity_map_band_count(alone[k]); b++) {
                rcity_band band = {.name = ""};
                assert_ok(w.context, rcity_map_get_band(alone[k], b, &band));
                if (strcmp(band.name, "received_power") == 0 && !isnan(band.value[i])) {
                    strongest = fmax(strongest, (double)band.value[i]);
                }
            }
        }
        different += isnan(best.value[i]) ? strongest > -HUGE_VAL : fabs((double)best.value[i] - strongest) > 0.0;
    }
    assert_string_equal(best.name, "received_power");
    assert_int_equal(different, 0);
    /* points at the middle of cells */
    request.transmitter = sectors[1];
    double places[3 * 200];
    double on_map[200], level_on_map[200];
    for (int i = 0; i < 200; i++) {
        double x, y;
        double px = 5.0 + 1.45 * i, py = 20.0 + (double)((i * 37) % 270);
        on_map[i] = value_at(alone[1], "path_loss", px, py, &x, &y);
        level_on_map[i] = value_at(alone[1], "received_power", px, py, NULL, NULL);
        places[3 * i] = x;
        places[3 * i + 1] = y;
        places[3 * i + 2] = 1.5;
    }
    request.receivers.point_count = 200;
    request.receivers.xyh_m = places;
    float loss[200], level[200];
    assert_ok(w.context, rcity_predict_points(w.context, w.scene, w.device, &request, loss, level));
    int inside = 0;
    for (int i = 0; i < 200; i++) {
        assert_int_equal(isnan(loss[i]) != 0, isnan(on_map[i]) != 0);
        inside += isnan(loss[i]) != 0;
        if (!isnan(loss[i])) {
            assert_near((double)loss[i], on_map[i], 1e-3);
            assert_near((double)level[i], level_on_map[i], 1e-3);
        }
    }
    assert_true(inside > 0 && inside < 100);
    for (int i = 0; i < 3; i++) {
        rcity_map_destroy(&alone[i]);
    }
    rcity_map_destroy(&network);
    rcity_antenna_destroy(&antenna);
    close_world(&w);
}

/* All bands of a map of a small city, one after the other. */
static float *predict_city(int thread_count, size_t *count)
{
    world w;
    open_world(&w, thread_count, block, 3);
    rcity_scene_destroy(&w.scene);
    rcity_city_options city = rcity_city_options_default();
    city.area_km2 = 0.1;
    city.seed = 3;
    assert_ok(w.context, rcity_city_make(w.context, &city, &w.scene));
    rcity_request request = ask(&w, 150, 150, 30, NULL);
    rcity_map *map = run(&w, &request);
    rcity_raster raster = rcity_map_raster(map);
    size_t cells = (size_t)(raster.column_count * raster.row_count);
    *count = cells * (size_t)rcity_map_band_count(map);
    float *values = malloc(*count * sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band = {.name = ""};
        assert_ok(w.context, rcity_map_get_band(map, i, &band));
        memcpy(values + cells * (size_t)i, band.value, cells * sizeof *values);
    }
    rcity_map_destroy(&map);
    close_world(&w);
    return values;
}

static void test_map_is_equal_for_any_thread_count(void **state)
{
    (void)state;
    size_t one_count, four_count;
    float *one = predict_city(1, &one_count);
    float *four = predict_city(4, &four_count);
    assert_int_equal(one_count, four_count);
    assert_memory_equal(one, four, one_count * sizeof *one);
    free(four);
    free(one);
}

static void refuse(world *w, const char *const *more, const char *words)
{
    rcity_request request = ask(w, 50, 130, 10, more);
    rcity_map *map = NULL;
    assert_status(w->context, rcity_predict(w->context, w->scene, w->device, &request, &map), RCITY_ERR_ARGUMENT);
    assert_message(w->context, words);
    assert_null(map);
}

static void test_bad_options_and_frequency_are_refused(void **state)
{
    (void)state;
    world w;
    open_world(&w, 1, block, 3);
    refuse(&w, (const char *const[]){"max-corners", "1.5", NULL}, "whole number");
    refuse(&w, (const char *const[]){"max-corners", "7", NULL}, "max-corners");
    refuse(&w, (const char *const[]){"over-roofs", "maybe", NULL}, "edges");
    refuse(&w, (const char *const[]){"indoor", "walls", "through-walls", "off", NULL}, "`through-walls=off`");
    refuse(&w, (const char *const[]){"wall-db", "brick", NULL}, "wall-db");
    rcity_request request = ask(&w, 50, 130, 10, (const char *const[]){"indoor", "p2109", NULL});
    rcity_map *map = NULL;
    request.transmitter.frequency_hz = 60e6;
    assert_status(w.context, rcity_predict(w.context, w.scene, w.device, &request, &map), RCITY_ERR_ARGUMENT);
    assert_message(w.context, "P.2109");
    close_world(&w);
}

TEST_SUITE(shadow_predict)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_mechanism_has_its_calculated_loss),
        cmocka_unit_test(test_paths_combine_as_strongest_or_power_sum),
        cmocka_unit_test(test_indoor_loss_follows_walls_or_p2109),
        cmocka_unit_test(test_sectors_and_points),
        cmocka_unit_test(test_map_is_equal_for_any_thread_count),
        cmocka_unit_test(test_bad_options_and_frequency_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
