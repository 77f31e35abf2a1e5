/* Measurements from files: formats, columns by name, times, routes, transmitters. */
#include "measurement_stage.h"

static bool has_gdal(void)
{
    return rcity_build_features_get().has_geotiff;
}

static void test_measurements_are_read_from_columns(void **state)
{
    (void)state;
    measurement_stage stage;
    open_stage(&stage);
    assert_ok(stage.context, load_text(&stage, "drive.csv",
                                       "x,y,path_loss_db,height_m,time_s\n100,200,90.5,2.5,10\n103,204,91,,10.5\n"));
    assert_int_equal(rcity_measurements_kind(stage.list), RCITY_MEASURED_LOSS);
    assert_tally(&stage, 2, 0, 0, 0, 0, 0, 0, 2);
    const rcity_measurement *all = rcity_measurements_all(stage.list);
    assert_near(all[0].x_m, 100.0, 0.0);
    assert_near(all[0].y_m, 200.0, 0.0);
    assert_near(all[0].height_m, 2.5, 0.0);
    assert_near(all[1].height_m, 1.5, 0.0);
    assert_near(all[0].value, 90.5, 0.0);
    assert_near(all[1].time_s, 10.5, 0.0);
    assert_near(all[1].travelled_m, 5.0, 1e-12);
    assert_true(all[0].is_after_gap);
    assert_false(all[1].is_after_gap);
    assert_int_equal(all[1].row, 3);
    assert_int_equal(all[0].transmitter, -1);
    assert_int_equal(all[0].sample_count, 1);
    assert_int_equal(rcity_measurements_transmitter_count(stage.list), 0);
    assert_int_equal(rcity_measurements_route_count(stage.list), 1);
    assert_string_equal(rcity_measurements_route_name(stage.list, 0), "drive");
    assert_int_equal(stage.heard.count, 0);
    close_stage(&stage);
}

/* A byte-order mark, semicolons, decimal commas, old line ends, quotes, comments, other names. */
static void test_common_dialects_and_offsets_are_read(void **state)
{
    (void)state;
    measurement_stage stage;
    open_stage(&stage);
    stage.options.height_m = 2.82;
    assert_ok(stage.context, load_text(&stage, "habits.txt",
                                       "\xef\xbb\xbf# a drive\r\nEasting;Northing;\"RSRP\";Owner\r\n\r\n"
                                       "100,25;200,5;-90,75;me\r\n  101 ; 200,5 ;\"-91\";\r\n"));
    assert_int_equal(rcity_measurements_kind(stage.list), RCITY_MEASURED_POWER);
    const rcity_measurement *all = rcity_measurements_all(stage.list);
    assert_near(all[0].x_m, 100.25, 0.0);
    assert_near(all[0].value, -90.75, 0.0);
    assert_near(all[0].height_m, 2.82, 0.0);
    assert_true(isnan(all[0].time_s));
    assert_int_equal(all[0].row, 4);
    assert_non_null(strstr(stage.heard.text, "Owner"));
    stage.options.value_offset_db = 3.0;
    stage.options.x_offset_m = 10.0;
    stage.options.y_offset_m = -20.0;
    assert_ok(stage.context, load_text(&stage, "habits.tsv", "X\tY\tRx_Level\n100\t200\t-90\n"));
    all = rcity_measurements_all(stage.list);
    assert_near(all[0].x_m, 110.0, 0.0);
    assert_near(all[0].y_m, 180.0, 0.0);
    assert_near(all[0].value, -87.0, 0.0);
    close_stage(&stage);
}

/* Every name that the guide lists is found, as what it is. */
static void test_value_names(void **state)
{
    (void)state;
    static const char *const losses[] = {
        "path_loss_db",     "Path_Loss", "loss", "Loss_dB", "L_btl__db", "L_meas__db", "basic_transmission_loss",
        "measured_loss_db", "pathloss"};
    static const char *const powers[] = {
        "received_power_dbm", "received_power", "rx_power",           "power", "level", "rssi", "RSRP",
        "rsrp_dbm",           "signal",         "signal_strength_dbm"};
    measurement_stage stage;
    open_stage(&stage);
    char text[200];
    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++) {
        snprintf(text, sizeof text, "x,y,%s\n1,2,99\n", losses[i]);
        assert_ok(stage.context, load_text(&stage, "names.csv", text));
        assert_int_equal(rcity_measurements_kind(stage.list), RCITY_MEASURED_LOSS);
    }
    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        snprintf(text, sizeof text, "x,y,%s\n1,2,-99\n", powers[i]);
        assert_ok(stage.context, load_text(&stage, "names.csv", text));
        assert_int_equal(rcity_measurements_kind(stage.list), RCITY_MEASURED_POWER);
    }
    close_stage(&stage);
}

/* Which column is meant, and what it is: by name, by option, or not at all. */
static void test_value_choice(void **state)
{
    (void)state;
    measurement_stage stage;
    open_stage(&stage);
    const char *both = "x,y,rsrp,rssi,loss,E\n1,2,-99,-70,130,40\n";
    assert_status(stage.context, load_text(&stage, "both.csv", both), RCITY_ERR_ARGUMENT);
    assert_message(stage.context, "rsrp");
    assert_message(stage.context, "rssi");
    assert_message(stage.context, "`value-column`");
    stage.options.kind = RCITY_MEASURED_LOSS; /* one of them is */
    assert_ok(stage.context, load_text(&stage, "both.csv", both));
    assert_near(rcity_measurements_all(stage.list)[0].value, 130.0, 0.0);
    stage.options.kind = RCITY_MEASURED_POWER;
    assert_status(stage.context, load_text(&stage, "both.csv", both), RCITY_ERR_ARGUMENT);
    stage.options.kind = RCITY_MEASURED_AUTO;
    stage.options.value_column = "RSSI";
    assert_ok(stage.context, load_text(&stage, "both.csv", both));
    assert_near(rcity_measurements_all(stage.list)[0].value, -70.0, 0.0);
    stage.options.value_column = "E";
    assert_status(stage.context, load_text(&stage, "both.csv", both), RCITY_ERR_ARGUMENT);
    assert_message(stage.context, "`kind=");
    stage.options.kind = RCITY_MEASURED_LOSS;
    assert_ok(stage.context, load_text(&stage, "both.csv", both));
    assert_near(rcity_measurements_all(stage.list)[0].value, 40.0, 0.0);
    stage.options.value_column = "absent";
    assert_status(stage.context, load_text(&stage, "both.csv", both), RCITY_ERR_ARGUMENT);
    assert_message(stage.context, "'absent'");
    assert_message(stage.context, "x, y, rsrp, rssi, loss, E");
    stage.options.value_column = NULL;
    stage.options.kind = RCITY_MEASURED_AUTO;
    assert_status(stage.context, load_text(&stage, "none.csv", "x,y,speed\n1,2,99\n"), RCITY_ERR_ARGUMENT);
    assert_message(stage.context, "x, y, speed");
    assert_message(stage.context, "`value-column`");
    stage.options.height_column = "speed";
    assert_ok(stage.context, load_text(&stage, "given.csv", "x,y,loss,speed,height\n1,2,99,7,3\n"));
    assert_near(rcity_measurements_all(stage.list)[0].height_m, 7.0, 0.0);
    stage.options.height_column = "";
    assert_ok(stage.context, load_text(&stage, "given.csv", "x,y,loss,speed,height\n1,2,99,7,3\n"));
    assert_near(rcity_measurements_all(stage.list)[0].height_m, 1.5, 0.0);
    close_stage(&stage);
}

/* Seconds, time stamps, milliseconds; a word is an error, and --time-column "" a way out. */
static void test_times_are_read_in_every_form(void **state)
{
    (void)state;
    measurement_stage stage;
    open_stage(&stage);
    assert_ok(stage.context, load_text(&stage, "time.csv", "x,y,loss,timeOffset__sec\n1,2,99,0.5\n2,2,99,\n"));
    assert_near(rcity_measurements_all(stage.list)[0].time_s, 0.5, 0.0);
    assert_true(isnan(rcity_measurements_all(stage.list)[1].time_s));
    assert_ok(stage.context,
              load_text(&stage, "time.csv", "x,y,loss,Timestamp\n1,2,99,1970-01-02T00:00:01.5Z\n2,2,99,90000\n"));
    assert_near(rcity_measurements_all(stage.list)[0].time_s, 86401.5, 1e-9);
    assert_ok(stage.context, load_text(&stage, "time.csv", "x,y,loss,time_ms\n1,2,99,1500\n"));
    assert_near(rcity_measurements_all(stage.list)[0].time_s, 1.5, 1e-12);
    const char *words = "x,y,loss,time\n1,2,99,noon\n";
    assert_status(stage.context, load_text(&stage, "time.csv", words), RCITY_ERR_FORMAT);
    assert_message(stage.context, "line 2");
    assert_message(stage.context, "noon");
    stage.options.time_column = "";
    assert_ok(stage.context, load_text(&stage, "time.csv", words));
    close_stage(&stage);
}

/* Routes come one after the other, in the order of their first rows. */
static void test_routes_keep_the_order_of_rows(void **state)
{
    (void)state;
    measurement_stage stage;
    open_stage(&stage);
    assert_ok(stage.context,
              load_text(&stage, "routes.csv", "route,x,y,loss\nB,0,0,91\nA,5,5,92\nB,3,4,93\n,9,9,94\nA,5,8,95\n"));
    static const char *const names[] = {"B", "A", "routes"};
    static const double values[] = {91, 93, 92, 95, 94};
    static const int routes[] = {0, 0, 1, 1, 2};
    assert_int_equal(rcity_measurements_route_count(stage.list), 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(rcity_measurements_route_name(stage.list, i), names[i]);
    }
    const rcity_measurement *all = rcity_measurements_all(stage.list);
    for (int i = 0; i < 5; i++) {
        assert_near(all[i].value, values[i], 0.0);
        assert_int_equal(all[i].route, routes[i]);
    }
    assert_near(all[1].travelled_m, 5.0, 1e-12);
    assert_near(all[3].travelled_m, 3.0, 1e-12);
    close_stage(&stage);
}

/* Columns of transmitters: distinct ones, routes of each, defaults, names alone. */
static void test_transmitters_are_read_from_columns(void **state)
{
    (void)state;
    measurement_stage stage;
    open_stage(&stage);
    stage.options.defaults.frequency_hz = 9e8;
    stage.options.defaults.height_m = 33.0;
    assert_ok(stage.context, load_text(&stage, "tx.csv",
                                       "x,y,loss,tx_x,tx_y,tx_height_m,frequency_mhz,eirp_dbm,tx_name\n"
                                       "1,2,99,500,600,25,1800,60,A\n1,2,98,10,20,,,,\n1,3,97,500,600,25,1800,60,A\n"
                                       "5000,2,97,11,20,,,,far\n1,4,96,10,20,,,,\n1,5,95,,,,,,\n"));
    assert_int_equal(rcity_measurements_transmitter_count(stage.list), 2); /* that of the row outside is not there */
    const rcity_transmitter *tx = rcity_measurements_transmitters(stage.list);
    assert_string_equal(tx[0].name, "A");
    assert_near(tx[0].x_m, 500.0, 0.0);
    assert_near(tx[0].y_m, 600.0, 0.0);
    assert_near(tx[0].height_m, 25.0, 0.0);
    assert_near(tx[0].frequency_hz, 1.8e9, 1e-3);
    assert_near(tx[0].power_dbm, 60.0, 0.0);
    assert_int_equal(tx[0].power_kind, RCITY_POWER_EIRP);
    assert_string_equal(tx[1].name, "Tx 2");
    assert_near(tx[1].height_m, 33.0, 0.0);
    assert_near(tx[1].frequency_hz, 9e8, 0.0);
    assert_true(isnan(tx[1].power_dbm));
    /* a route with several transmitters is one for each */
    assert_int_equal(rcity_measurements_route_count(stage.list), 3);
    assert_string_equal(rcity_measurements_route_name(stage.list, 0), "tx, A");
    assert_string_equal(rcity_measurements_route_name(stage.list, 1), "tx, Tx 2");
    assert_string_equal(rcity_measurements_route_name(stage.list, 2), "tx");
    const rcity_measurement *all = rcity_measurements_all(stage.list);
    static const double values[] = {99, 97, 98, 96, 95};
    static const int transmitters[] = {0, 0, 1, 1, -1};
    for (int i = 0; i < 5; i++) {
        assert_near(all[i].value, values[i], 0.0);
        assert_int_equal(all[i].transmitter, transmitters[i]);
    }
    /* names alone: "SITE/SECTOR" as site lists have it */
    assert_ok(stage.context, load_text(&stage, "site.csv", "x,y,rsrp,site,sector\n1,2,-99,North,1\n1,3,-98,North,2\n"));
    tx = rcity_measurements_transmitters(stage.list);
    assert_int_equal(rcity_measurements_transmitter_count(stage.list), 2);
    assert_string_equal(tx[1].name, "North/2");
    assert_true(isnan(tx[1].x_m));
    assert_status(stage.context, load_text(&stage, "two.csv", "x,y,rsrp,site,eirp_dbm,erp_dbm\n1,2,-99,North,60,50\n"),
                  RCITY_ERR_FORMAT);
    assert_message(stage.context, "one power");
    assert_ok(stage.context, load_text(&stage, "low.csv", "x,y,rsrp,tx_x,tx_y\n1,2,-99,3,4\n"));
    assert_string_equal(rcity_measurements_transmitters(stage.list)[0].name, "Tx");
    assert_near(rcity_measurements_transmitters(stage.list)[0].height_m, 33.0, 0.0);
    stage.options.defaults.height_m = (double)NAN;
    assert_status(stage.context, load_text(&stage, "none.csv", "x,y,rsrp,tx_x,tx_y\n1,2,-99,3,4\n"),
                  RCITY_ERR_ARGUMENT);
    assert_message(stage.context, "none.csv' states where the transmitter 'Tx' is, but not its height");
    assert_ok(stage.context,
              load_text(&stage, "feet.csv", "x,y,rsrp,tx_x,tx_y,Tx Height (ft),rx_height_ft\n1,2,-99,3,4,100,5\n"));
    assert_near(rcity_measurements_transmitters(stage.list)[0].height_m, 30.48, 1e-9);
    assert_near(rcity_measurements_all(stage.list)[0].height_m, 1.524, 1e-9);
    stage.options.defaults.height_m = 33.0;
    assert_status(stage.context, load_text(&stage, "two.csv", "x,y,rsrp,site,frequency_mhz\n1,2,-99,North,0\n"),
                  RCITY_ERR_FORMAT);
    assert_message(stage.context, "frequency_mhz");
    close_stage(&stage);
}

/* Degrees, another CRS, and both with offsets, against the plain transformation. */
static void test_places_are_brought_into_the_scene_crs(void **state)
{
    (void)state;
    if (!has_gdal()) {
        skip();
    }
    measurement_stage stage;
    open_stage_at(&stage, "EPSG:32632", 691000.0, 5334000.0);
    double lonlat[2] = {691400.0, 5334300.0};
    assert_ok(stage.context, rcity_crs_transform(stage.context, "EPSG:32632", RCITY_CRS_LONLAT, 1, lonlat));
    double gauss[2] = {691400.0, 5334300.0};
    assert_ok(stage.context, rcity_crs_transform(stage.context, "EPSG:32632", "EPSG:31468", 1, gauss));
    char text[300];
    snprintf(text, sizeof text, "RxLat,RxLon,loss,TxLat,TxLon,tx_height_m\n%.9f,%.9f,99,%.9f,%.9f,30\n", lonlat[1],
             lonlat[0], lonlat[1], lonlat[0]);
    assert_ok(stage.context, load_text(&stage, "degrees.csv", text));
    const rcity_measurement *all = rcity_measurements_all(stage.list);
    assert_near(all[0].x_m, 691400.0, 0.001);
    assert_near(all[0].y_m, 5334300.0, 0.001);
    assert_near(rcity_measurements_transmitters(stage.list)[0].x_m, 691400.0, 0.001);
    stage.options.x_offset_m = 5.0;
    assert_ok(stage.context, load_text(&stage, "degrees.csv", text));
    assert_near(rcity_measurements_all(stage.list)[0].x_m, 691405.0, 0.001);
    /* an offset belongs to x and y as they stand in the file: digits that were cut off */
    stage.options.input_crs = "EPSG:31468";
    stage.options.x_offset_m = 4000000.0;
    snprintf(text, sizeof text, "%.6f %.6f 99\n", gauss[0] - 4000000.0, gauss[1]);
    assert_ok(stage.context, load_text(&stage, "gauss.txt", text));
    assert_near(rcity_measurements_all(stage.list)[0].x_m, 691400.0, 0.001);
    stage.options.x_offset_m = 0.0;
    stage.options.input_crs = RCITY_CRS_LONLAT;
    snprintf(text, sizeof text, "%.9f %.9f 99\n", lonlat[0], lonlat[1]);
    assert_ok(stage.context, load_text(&stage, "degrees.txt", text));
    assert_near(rcity_measurements_all(stage.list)[0].x_m, 691400.0, 0.001);
    /* the wrong way round */
    snprintf(text, sizeof text, "%.9f %.9f 99\n", lonlat[1], lonlat[0]);
    assert_status(stage.context, load_text(&stage, "swapped.txt", text), RCITY_ERR_ARGUMENT);
    assert_message(stage.context, "longitude comes first");
    stage.options.input_crs = NULL;
    snprintf(text, sizeof text, "lon,lat,loss\n%.9f,%.9f,99\n", lonlat[1], lonlat[0]);
    assert_status(stage.context, load_text(&stage, "swapped.csv", text), RCITY_ERR_ARGUMENT);
    assert_message(stage.context, "longitude comes first");
    assert_status(stage.context, load_text(&stage, "pole.csv", "lon,lat,loss\n11.5,100,99\n"), RCITY_ERR_ARGUMENT);
    assert_message(stage.context, "line 2");
    close_stage(&stage);
}

/* Points of a vector, with a field whose name a Shapefile would cut. */
static void test_measurements_are_read_from_vector_points(void **state)
{
    (void)state;
    if (!has_gdal()) {
        skip();
    }
    measurement_stage stage;
    open_stage_at(&stage, "EPSG:32632", 691000.0, 5334000.0);
    double lonlat[2] = {691400.0, 5334300.0};
    assert_ok(stage.context, rcity_crs_transform(stage.context, "EPSG:32632", RCITY_CRS_LONLAT, 1, lonlat));
    char text[600];
    snprintf(text, sizeof text,
             "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"id\":7,\"properties\":"
             "{\"received_p\":-80.5,\"time_s\":3},\"geometry\":{\"type\":\"Point\",\"coordinates\":[%.9f,%.9f]}},"
             "{\"type\":\"Feature\",\"id\":8,\"properties\":{\"received_p\":null},\"geometry\":null}]}",
             lonlat[0], lonlat[1]);
    assert_ok(stage.context, load_text(&stage, "points.geojson", text));
    assert_tally(&stage, 2, 0, 1, 0, 0, 0, 0, 1);
    const rcity_measurement *all = rcity_measurements_all(stage.list);
    assert_near(all[0].x_m, 691400.0, 0.001);
    assert_near(all[0].value, -80.5, 0.0);
    assert_int_equal(all[0].row, 7);
    assert_int_equal(rcity_measurements_kind(stage.list), RCITY_MEASURED_POWER);
    close_stage(&stage);
}

TEST_SUITE(measurements)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_measurements_are_read_from_columns),
        cmocka_unit_test(test_common_dialects_and_offsets_are_read),
        cmocka_unit_test(test_value_names),
        cmocka_unit_test(test_value_choice),
        cmocka_unit_test(test_times_are_read_in_every_form),
        cmocka_unit_test(test_routes_keep_the_order_of_rows),
        cmocka_unit_test(test_transmitters_are_read_from_columns),
        cmocka_unit_test(test_places_are_brought_into_the_scene_crs),
        cmocka_unit_test(test_measurements_are_read_from_vector_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
