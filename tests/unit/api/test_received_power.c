/* From loss to received power: what power means, where antennas look, what tilts do, on a grid whose north is not the
   true one. */
#include "rcity_test.h"

#define PI 3.14159265358979323846

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_antenna *antenna;
} world;

/* A plain of some 2 km with a small building in two of its corners, around the point (x, y). */
static world make_world(const char *crs, double x_m, double y_m)
{
    world made = {test_context(2), NULL, NULL, NULL};
    const test_box boxes[] = {{x_m - 1000, y_m - 1000, x_m - 990, y_m - 990, 5},
                              {x_m + 990, y_m + 990, x_m + 1000, y_m + 1000, 5}};
    made.scene = test_scene_in(made.context, crs, boxes, 2);
    assert_ok(made.context, rcity_device_open(made.context, "host", &made.device));
    assert_ok(made.context, rcity_antenna_create(made.context, "3gpp", &made.antenna));
    return made;
}

static void end_world(world *made)
{
    rcity_antenna_destroy(&made->antenna);
    test_close(&made->context, &made->scene, &made->device);
}

static rcity_request make_request(double x_m, double y_m)
{
    rcity_request request = rcity_request_default();
    request.method = "free-space";
    request.transmitter.x_m = x_m;
    request.transmitter.y_m = y_m;
    request.transmitter.height_m = 50;
    request.transmitter.frequency_hz = 2e9;
    request.transmitter.power_dbm = 60;
    request.receivers.cell_m = 20;
    return request;
}

static rcity_map *predict(const world *made, const rcity_request *request, const float **loss_db,
                          const float **received_dbm)
{
    rcity_map *map = NULL;
    assert_ok(made->context, rcity_predict(made->context, made->scene, made->device, request, &map));
    assert_int_equal(rcity_map_band_count(map), 2);
    rcity_band band;
    assert_ok(made->context, rcity_map_get_band(map, 0, &band));
    assert_string_equal(band.name, "path_loss");
    *loss_db = band.value;
    assert_ok(made->context, rcity_map_get_band(map, 1, &band));
    assert_string_equal(band.name, "received_power");
    assert_string_equal(band.unit, "dBm");
    *received_dbm = band.value;
    return map;
}

static void test_power_kinds(void **state)
{
    (void)state;
    world made = make_world(NULL, 0, 0);
    const struct {
        rcity_power_kind kind;
        double power_dbm, cable_loss_db, eirp_dbm;
        bool has_antenna;
    } cases[] = {
        {RCITY_POWER_EIRP, 60, 3, 60, false},
        {RCITY_POWER_EIRP, 60, 3, 60, true},
        {RCITY_POWER_ERP, 57.85, 3, 60, false},
        {RCITY_POWER_ERP, 57.85, 0, 60, true},
        {RCITY_POWER_CONDUCTED, 43, 3, 40, false},
        {RCITY_POWER_CONDUCTED, 43, 2.5, 48.5, true}, /* the element has 8 dBi */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rcity_request request = make_request(0, 0);
        request.transmitter.power_kind = cases[i].kind;
        request.transmitter.power_dbm = cases[i].power_dbm;
        request.transmitter.cable_loss_db = cases[i].cable_loss_db;
        request.transmitter.antenna = cases[i].has_antenna ? made.antenna : NULL;
        request.receivers.gain_dbi = 3.0;
        assert_near(rcity_transmitter_eirp_dbm(&request.transmitter), cases[i].eirp_dbm, 1e-9);
        const float *loss_db, *received_dbm;
        rcity_map *map = predict(&made, &request, &loss_db, &received_dbm);
        double strongest_db = -HUGE_VAL; /* what the antenna adds, best case */
        for (int64_t cell = 0; cell < 100 * 100; cell++) {
            if (!isnan(loss_db[cell])) {
                double added_db = (double)received_dbm[cell] + (double)loss_db[cell] - cases[i].eirp_dbm - 3.0;
                strongest_db = fmax(strongest_db, added_db);
                assert_true(cases[i].has_antenna ? added_db < 1e-4 : fabs(added_db) < 1e-4);
            }
        }
        assert_near(strongest_db, 0.0, 0.1);
        rcity_map_destroy(&map);
    }
    rcity_request request = make_request(0, 0);
    request.transmitter.power_dbm = (double)NAN; /* unknown: no band */
    rcity_map *map = NULL;
    assert_ok(made.context, rcity_predict(made.context, made.scene, made.device, &request, &map));
    assert_int_equal(rcity_map_band_count(map), 1);
    rcity_map_destroy(&map);
    end_world(&made);
}

/* Turning the antenna by a quarter turns the map by a quarter, cell by cell. */
static void test_quarter_turns(void **state)
{
    (void)state;
    world made = make_world(NULL, 0, 0);
    rcity_request request = make_request(0, 0);
    request.transmitter.antenna = made.antenna;
    request.transmitter.mechanical_tilt_deg = 4;
    const int n = 100;
    const float *loss_db, *first_dbm, *turned_dbm;
    rcity_map *first = predict(&made, &request, &loss_db, &first_dbm);
    for (int quarter = 1; quarter < 4; quarter++) {
        request.transmitter.azimuth_deg = 90.0 * quarter;
        rcity_map *turned = predict(&made, &request, &loss_db, &turned_dbm);
        int compared = 0;
        for (int row = 0; row < n; row++) {
            for (int column = 0; column < n; column++) {
                int r = row, c = column; /* where this cell comes from: turned back, counter-clockwise */
                for (int i = 0; i < quarter; i++) {
                    int next = n - 1 - c;
                    c = r;
                    r = next;
                }
                float here = turned_dbm[row * n + column];
                float there = first_dbm[r * n + c];
                if (!isnan(here) && !isnan(there)) {
                    assert_near((double)here, (double)there, 2e-4);
                    compared++;
                }
            }
        }
        assert_true(compared > 9900);
        rcity_map_destroy(&turned);
    }
    rcity_map_destroy(&first);
    end_world(&made);
}

/* Azimuth from true north of a near point, on the WGS 84 ellipsoid: worked out from longitudes and latitudes alone,
   with the radii of curvature half way, so that neither grid nor convergence play a role. */
static double true_azimuth_deg(const double from[2], const double to[2])
{
    const double a = 6378137.0, e2 = 0.00669437999014;
    double lat = 0.5 * (from[1] + to[1]) * PI / 180.0;
    double w = sqrt(1.0 - e2 * sin(lat) * sin(lat));
    double north_m = (to[1] - from[1]) * PI / 180.0 * a * (1.0 - e2) / (w * w * w);
    double east_m = (to[0] - from[0]) * PI / 180.0 * a / w * cos(lat);
    /* half of the convergence of the meridians over the path lies between the two ends */
    double bend = 0.5 * (to[0] - from[0]) * sin(lat);
    return atan2(east_m, north_m) * 180.0 / PI - bend;
}

/* The antenna looks where its azimuth says, from true north, east and west of the central meridian, north and south of
   the equator: every receiver's gain equals the pattern at its geodetic azimuth. */
static void test_true_north(void **state)
{
    (void)state;
    if (!rcity_build_features_get().has_geotiff) {
        print_message("SKIPPED: true north needs GDAL\n");
        return;
    }
    const struct {
        const char *crs;
        double lon_deg, lat_deg;
    } places[] = {{"EPSG:32632", 11.5723, 48.1474},
                  {"EPSG:32632", 6.2, 60.0},
                  {"EPSG:26912", -111.8885, 40.7911},
                  {"EPSG:32756", 151.2, -33.87},
                  {"EPSG:3035", 25.0, 60.0}}; /* an equal-area one: not conformal, north turned by many degrees */
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        double tx[2] = {places[k].lon_deg, places[k].lat_deg};
        world probe = {test_context(1), NULL, NULL, NULL};
        assert_ok(probe.context, rcity_crs_transform(probe.context, RCITY_CRS_LONLAT, places[k].crs, 1, tx));
        rcity_context_destroy(&probe.context);
        world made = make_world(places[k].crs, floor(tx[0]), floor(tx[1]));
        rcity_request request = make_request(tx[0], tx[1]);
        request.transmitter.antenna = made.antenna;
        request.transmitter.azimuth_deg = 70.0;
        const float *loss_db, *received_dbm;
        rcity_map *map = predict(&made, &request, &loss_db, &received_dbm);
        rcity_raster raster = rcity_map_raster(map);
        const double from[2] = {places[k].lon_deg, places[k].lat_deg};
        int compared = 0;
        double worst_deg = 0.0;
        for (uint64_t i = 0; i < 400; i++) {
            int64_t cell = (int64_t)(test_random(k + 1, i) % (uint64_t)(raster.column_count * raster.row_count));
            double to[2] = {raster.west_m + raster.cell_m * ((double)(cell % raster.column_count) + 0.5),
                            raster.north_m - raster.cell_m * ((double)(cell / raster.column_count) + 0.5)};
            double distance_m = hypot(to[0] - tx[0], to[1] - tx[1]);
            if (isnan(received_dbm[cell]) || distance_m < 100.0) {
                continue;
            }
            assert_ok(made.context, rcity_crs_transform(made.context, places[k].crs, RCITY_CRS_LONLAT, 1, to));
            double off_deg = remainder(true_azimuth_deg(from, to) - 70.0, 360.0);
            double elevation_deg = atan2(1.5 - 50.0, distance_m) * 180.0 / PI;
            double expected_dbm = 60.0 - (double)loss_db[cell] - 8.0 +
                                  rcity_antenna_gain_dbi(made.antenna, (double)NAN, off_deg, elevation_deg);
            /* the slope of the pattern turns dB into degrees: at most 2 * 12 / 65 * off / 65 */
            double slope = fmax(2.0 * 12.0 / 65.0 * fabs(off_deg) / 65.0, 0.01);
            double error_db = fabs((double)received_dbm[cell] - expected_dbm);
            if (strncmp(places[k].crs, "EPSG:3035", 9) != 0) {
                assert_true(error_db < 0.003);
            } else {
                assert_true(error_db < 0.05 * fmax(fabs(off_deg), 10.0)); /* its angles are its own */
            }
            worst_deg = fmax(worst_deg, error_db / slope);
            compared++;
        }
        print_message("%s: %d receivers, worst difference %.4f degrees\n", places[k].crs, compared, worst_deg);
        assert_true(compared > 300);
        rcity_map_destroy(&map);
        end_world(&made);
    }
}

/* What the antenna adds at the cell around a place east or west of the mast. */
static double added_db(const world *made, const rcity_request *request, double x_m)
{
    const double xyh_m[3] = {x_m, 0.0, 1.5};
    rcity_request points = *request;
    points.receivers.point_count = 1;
    points.receivers.xyh_m = xyh_m;
    float loss_db, received_dbm;
    assert_ok(made->context,
              rcity_predict_points(made->context, made->scene, made->device, &points, &loss_db, &received_dbm));
    return (double)received_dbm + (double)loss_db - 60.0;
}

/* Tilted down, near receivers in front gain and those behind lose; electrically all around gains. */
static void test_tilt_turns_the_pattern_down(void **state)
{
    (void)state;
    world made = make_world(NULL, 0, 0);
    rcity_request request = make_request(0, 0);
    request.transmitter.antenna = made.antenna;
    request.transmitter.azimuth_deg = 90.0; /* east */
    /* 48.5 m below the antenna: 20 degrees under the horizon */
    double near_m = 48.5 / tan(20.0 * PI / 180.0);
    double level_front = added_db(&made, &request, near_m);
    double level_back = added_db(&made, &request, -near_m);
    assert_near(level_front, -12.0 * pow(20.0 / 65.0, 2.0), 0.001); /* TR 38.901 table 7.3-1 */
    assert_near(level_back, -30.0, 0.001);
    request.transmitter.mechanical_tilt_deg = 20.0;
    assert_near(added_db(&made, &request, near_m), 0.0, 0.001); /* it looks there now */
    request.transmitter.mechanical_tilt_deg = -20.0;
    assert_near(added_db(&made, &request, near_m), -12.0 * pow(40.0 / 65.0, 2.0), 0.001);
    request.transmitter.mechanical_tilt_deg = 0.0;
    request.transmitter.electrical_tilt_deg = 20.0;
    assert_near(added_db(&made, &request, near_m), 0.0, 0.001);
    request.transmitter.electrical_tilt_deg = 10.0;
    assert_near(added_db(&made, &request, near_m), -12.0 * pow(10.0 / 65.0, 2.0), 0.001);
    /* a dipole leaning over by 20 degrees: down in front means up behind */
    rcity_antenna *dipole = NULL;
    assert_ok(made.context, rcity_antenna_create(made.context, "dipole", &dipole));
    request.transmitter.antenna = dipole;
    request.transmitter.electrical_tilt_deg = (double)NAN;
    request.transmitter.mechanical_tilt_deg = 20.0;
    assert_near(added_db(&made, &request, near_m), 0.0, 0.001);
    double steep = cos(PI / 2.0 * sin(40.0 * PI / 180.0)) / cos(40.0 * PI / 180.0);
    assert_near(added_db(&made, &request, -near_m), 20.0 * log10(steep), 0.001);
    rcity_antenna_destroy(&dipole);
    end_world(&made);
}

static void test_bad_transmitter_fields_are_refused(void **state)
{
    (void)state;
    world made = make_world(NULL, 0, 0);
    const struct {
        size_t offset;
        double value;
        const char *words;
    } cases[] = {
        {offsetof(rcity_transmitter, power_dbm), 130, "the transmitter's power is 130 dBm, must be -100 to 120 dBm"},
        {offsetof(rcity_transmitter, cable_loss_db), -1, "the cable loss is -1 dB"},
        {offsetof(rcity_transmitter, azimuth_deg), 400, "the azimuth is 400 degrees, must be -360 to 360"},
        {offsetof(rcity_transmitter, azimuth_deg), (double)NAN, "the azimuth is"},
        {offsetof(rcity_transmitter, mechanical_tilt_deg), 91, "the mechanical tilt is 91 degrees"},
        {offsetof(rcity_transmitter, electrical_tilt_deg), -91, "the electrical tilt is -91 degrees"},
        {offsetof(rcity_transmitter, load), 2, "the transmitter's load is 2, must be 0 to 1"},
        {offsetof(rcity_transmitter, x_m), 22000, "lies 21.0 km outside the scene"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rcity_request request = make_request(0, 0);
        memcpy((char *)&request.transmitter + cases[i].offset, &cases[i].value, sizeof(double));
        rcity_map *map = NULL;
        assert_status(made.context, rcity_predict(made.context, made.scene, made.device, &request, &map),
                      RCITY_ERR_ARGUMENT);
        assert_message(made.context, cases[i].words);
        assert_null(map);
    }
    rcity_request request = make_request(0, 0);
    request.receivers.gain_dbi = 61;
    rcity_map *map = NULL;
    assert_status(made.context, rcity_predict(made.context, made.scene, made.device, &request, &map),
                  RCITY_ERR_ARGUMENT);
    assert_message(made.context, "the receivers' gain is 61 dBi");
    end_world(&made);
}

/* A transmitter outside the scene: free space to the receivers, and the map says so. */
static void test_transmitter_outside_the_scene_is_noted(void **state)
{
    (void)state;
    world made = make_world(NULL, 0, 0);
    rcity_request request = make_request(-5000, 3000);
    const float *loss_db, *received_dbm;
    rcity_map *map = predict(&made, &request, &loss_db, &received_dbm);
    rcity_raster raster = rcity_map_raster(map);
    double x = raster.west_m + 30.5 * raster.cell_m + 5000;
    double y = raster.north_m - 40.5 * raster.cell_m - 3000;
    double distance_km = sqrt(x * x + y * y + 48.5 * 48.5) * 1e-3;
    assert_near((double)loss_db[40 * raster.column_count + 30],
                32.447783 + 20.0 * log10(2000.0) + 20.0 * log10(distance_km), 0.001);
    bool is_said = false;
    const char *key, *value;
    for (int i = 0; rcity_map_get_note(map, i, &key, &value) == RCITY_OK; i++) {
        is_said = is_said || strcmp(key, "tx_outside_scene") == 0;
    }
    assert_true(is_said);
    rcity_map_destroy(&map);
    end_world(&made);
}

TEST_SUITE(received_power)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power_kinds),
        cmocka_unit_test(test_quarter_turns),
        cmocka_unit_test(test_true_north),
        cmocka_unit_test(test_tilt_turns_the_pattern_down),
        cmocka_unit_test(test_bad_transmitter_fields_are_refused),
        cmocka_unit_test(test_transmitter_outside_the_scene_is_noted),
    };
    return cmocka_run_group_tests_name("received_power", tests, NULL, NULL);
}
