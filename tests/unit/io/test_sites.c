/* Lists of sites: CSV and vectors, units, aliases, every way to be wrong. */
#include "heard_log.h"

/* A city of 1 km2 in Munich's UTM zone, or without CRS. */
static rcity_scene *make_scene(rcity_context *context, const char *crs)
{
    const test_box boxes[] = {{691000.0, 5334000.0, 691020.0, 5334030.0, 20.0},
                              {691980.0, 5334970.0, 692000.0, 5335000.0, 15.0}};
    return test_scene_in(context, crs, boxes, 2);
}

static rcity_status load(rcity_context *context, const rcity_scene *scene, const char *path, rcity_sites **sites)
{
    rcity_sites_options options = rcity_sites_options_default();
    return rcity_sites_load(context, scene, path, &options, sites);
}

static bool has_gdal(void)
{
    return rcity_build_features_get().has_geotiff;
}

static void test_sites_are_read_from_columns(void **state)
{
    (void)state;
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    rcity_scene *scene = make_scene(context, NULL);
    const char *path = test_text(context, "sites.csv",
                                 "site,sector,x,y,height_m,azimuth_deg,mechanical_tilt_deg,electrical_tilt_deg,"
                                 "frequency_mhz,eirp_dbm,antenna,polarization,height_above,load\n"
                                 "North,1,691100,5334200,30,0,2,4,1800,60.5,3gpp,slant,ground,0.5\n"
                                 "North,2,691100,5334200,30,120,-3,,1800,60.5,3gpp,V,,\n"
                                 "South,,691500.5,5334900,545,,,,3500,,,-45,sea,0\n");
    rcity_sites *sites = NULL;
    assert_ok(context, load(context, scene, path, &sites));
    assert_int_equal(heard.count, 0);
    assert_int_equal(rcity_sites_count(sites), 3);
    const rcity_transmitter *tx = rcity_sites_transmitters(sites);
    assert_string_equal(tx[0].name, "North/1");
    assert_string_equal(tx[2].name, "South");
    assert_near(tx[0].x_m, 691100.0, 0.0);
    assert_near(tx[2].x_m, 691500.5, 0.0);
    assert_near(tx[0].height_m, 30.0, 0.0);
    assert_near(tx[1].azimuth_deg, 120.0, 0.0);
    assert_near(tx[0].mechanical_tilt_deg, 2.0, 0.0);
    assert_near(tx[1].mechanical_tilt_deg, -3.0, 0.0);
    assert_near(tx[0].electrical_tilt_deg, 4.0, 0.0);
    assert_true(isnan(tx[1].electrical_tilt_deg)); /* as the pattern has it */
    assert_near(tx[0].frequency_hz, 1.8e9, 1e-3);
    assert_int_equal(tx[0].power_kind, RCITY_POWER_EIRP);
    assert_near(tx[0].power_dbm, 60.5, 0.0);
    assert_true(isnan(tx[2].power_dbm));
    assert_int_equal(tx[0].polarization, RCITY_POLARIZATION_SLANT);
    assert_int_equal(tx[1].polarization, RCITY_POLARIZATION_VERTICAL);
    assert_int_equal(tx[2].polarization, RCITY_POLARIZATION_SLANT_MINUS);
    assert_false(tx[0].is_absolute);
    assert_true(tx[2].is_absolute);
    assert_near(tx[0].load, 0.5, 0.0);
    assert_true(isnan(tx[1].load)); /* as the network has it */
    assert_near(tx[2].load, 0.0, 0.0);
    assert_non_null(tx[0].antenna);
    assert_ptr_equal(tx[0].antenna, tx[1].antenna); /* opened once */
    assert_null(tx[2].antenna);
    rcity_sites_destroy(&sites);
    assert_null(sites);
    rcity_sites_destroy(&sites);
    rcity_sites_destroy(NULL);
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* The four ways to state a power come out as they should, antenna gain and cable included. */
static void test_every_kind_of_power_gives_eirp(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_scene(context, NULL);
    const char *path =
        test_text(context, "power.csv",
                  "site,x,y,height_m,frequency_mhz,eirp_dbm,erp_dbm,power_dbm,power_w,cable_loss_db,antenna\n"
                  "A,691100,5334200,30,900,60,,,,,3gpp\n"
                  "B,691100,5334200,30,900,,57.85,,,,3gpp\n"
                  "C,691100,5334200,30,900,,,46,,3,3gpp\n"
                  "D,691100,5334200,30,900,,,,20,2.5,3gpp\n"
                  "E,691100,5334200,30,900,,,,1,,\n");
    rcity_sites *sites = NULL;
    assert_ok(context, load(context, scene, path, &sites));
    const rcity_transmitter *tx = rcity_sites_transmitters(sites);
    assert_near(rcity_transmitter_eirp_dbm(&tx[0]), 60.0, 1e-9);
    assert_near(rcity_transmitter_eirp_dbm(&tx[1]), 60.0, 1e-9); /* ERP is EIRP less 2.15 dB */
    assert_near(rcity_transmitter_eirp_dbm(&tx[2]), 46.0 - 3.0 + 8.0, 1e-9);
    assert_near(rcity_transmitter_eirp_dbm(&tx[3]), 43.0103 - 2.5 + 8.0, 1e-4);
    assert_near(rcity_transmitter_eirp_dbm(&tx[4]), 30.0, 1e-9);
    assert_int_equal(tx[3].power_kind, RCITY_POWER_CONDUCTED);
    rcity_sites_destroy(&sites);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Names as other tools write them, quotes, a byte-order mark, semicolons, decimal commas; values from the options. */
static void test_common_names_and_defaults_are_read(void **state)
{
    (void)state;
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    rcity_scene *scene = make_scene(context, NULL);
    const char *path =
        test_text(context, "habits.csv",
                  "\xef\xbb\xbfSite_Name;Cell;Easting;Northing;Height;Bearing;DownTilt;E_Tilt;Freq_MHz;Power;"
                  "Loss_dB;Pattern;Owner;Vendor\r\n"
                  "\"Town; hall\";\"a\";691100,25;5334200;25,5;-90;1,5;2;947,4;43;1;dipole;x;y\r\n");
    rcity_sites *sites = NULL;
    assert_ok(context, load(context, scene, path, &sites));
    const rcity_transmitter *tx = rcity_sites_transmitters(sites);
    assert_string_equal(tx[0].name, "Town; hall/a");
    assert_near(tx[0].x_m, 691100.25, 0.0);
    assert_near(tx[0].height_m, 25.5, 0.0);
    assert_near(tx[0].azimuth_deg, -90.0, 0.0);
    assert_near(tx[0].mechanical_tilt_deg, 1.5, 0.0);
    assert_near(tx[0].electrical_tilt_deg, 2.0, 0.0);
    assert_near(tx[0].frequency_hz, 947.4e6, 1e-3);
    assert_near(rcity_transmitter_eirp_dbm(&tx[0]), 43.0 - 1.0 + 2.15, 1e-9);
    assert_int_equal(heard.count, 1);
    assert_non_null(strstr(heard.text, "2 columns are not used: Owner, Vendor"));
    rcity_sites_destroy(&sites);
    /* what the rows do not say comes from the options */
    path = test_text(context, "few.csv", "x,y\n691100,5334200\n691200,5334200\n");
    rcity_sites_options options = rcity_sites_options_default();
    rcity_antenna *antenna = NULL;
    assert_ok(context, rcity_antenna_create(context, "3gpp", &antenna));
    options.defaults.frequency_hz = 2.6e9;
    options.defaults.power_kind = RCITY_POWER_ERP;
    options.defaults.power_dbm = 50.0;
    options.defaults.height_m = 33.0;
    options.defaults.azimuth_deg = 7.0;
    options.defaults.antenna = antenna;
    assert_ok(context, rcity_sites_load(context, scene, path, &options, &sites));
    tx = rcity_sites_transmitters(sites);
    assert_string_equal(tx[1].name, "site-2");
    assert_near(tx[1].frequency_hz, 2.6e9, 0.0);
    assert_near(rcity_transmitter_eirp_dbm(&tx[1]), 52.15, 1e-9);
    assert_near(tx[1].height_m, 33.0, 0.0);
    assert_near(tx[1].azimuth_deg, 7.0, 0.0);
    assert_ptr_equal(tx[1].antenna, antenna);
    assert_int_equal(heard.count, 1);
    rcity_sites_destroy(&sites);
    rcity_antenna_destroy(&antenna);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Columns as people name them, with the units they state. Each row is one name of a column, its value, and what it means. */
static void test_names_nearly_ours_state_their_units(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_scene(context, NULL);
    enum { HEIGHT, AZIMUTH, M_TILT, E_TILT, FREQUENCY, EIRP, CABLE, LOAD };
    static const struct {
        const char *column, *value;
        int what;
        double expected;
    } cases[] = {
        {"Height (m)", "30", HEIGHT, 30.0},
        {"height_ft", "100", HEIGHT, 30.48},
        {"Antenna Height [ft]", "100", HEIGHT, 30.48},
        {"TowerHeight", "25", HEIGHT, 25.0},
        {"HEIGHT-AGL/feet", "10", HEIGHT, 3.048},
        {"Azimuth (deg)", "90", AZIMUTH, 90.0},
        {"Azimuth (\xc2\xb0)", "90", AZIMUTH, 90.0},
        {"Mech. Tilt", "3", M_TILT, 3.0},
        {"Electrical downtilt, degrees", "4", E_TILT, 4.0},
        {"Freq (MHz)", "1800", FREQUENCY, 1.8e9},
        {"Frequency [GHz]", "3.5", FREQUENCY, 3.5e9},
        {"Carrier frequency (kHz)", "900000", FREQUENCY, 9e8},
        {"EIRP (dBm)", "58", EIRP, 58.0},
        {"EIRP (W)", "1000", EIRP, 60.0},
        {"eirp_dbw", "20", EIRP, 50.0},
        {"ERP kW", "1", EIRP, 62.15},
        {"Tx Power (mW)", "100", EIRP, 20.0},
        {"Power (W)", "10", EIRP, 40.0},
        {"Output power, dBm", "43", EIRP, 43.0},
        {"Feeder loss (dB)", "2", CABLE, 2.0},
        {"Load (%)", "50", LOAD, 0.5},
        {"cell load percent", "25", LOAD, 0.25},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, "Site Name;X (m);Northing [m];%s%s\"%s\"\nA;691100;5334200;%s%s%s\n",
                 cases[i].what != HEIGHT ? "height;" : "", cases[i].what != FREQUENCY ? "freq;" : "", cases[i].column,
                 cases[i].what != HEIGHT ? "30;" : "", cases[i].what != FREQUENCY ? "900;" : "", cases[i].value);
        rcity_sites *sites = NULL;
        assert_ok(context, load(context, scene, test_text(context, "near.csv", text), &sites));
        const rcity_transmitter *tx = rcity_sites_transmitters(sites);
        assert_string_equal(tx->name, "A");
        const double found[] = {tx->height_m,
                                tx->azimuth_deg,
                                tx->mechanical_tilt_deg,
                                tx->electrical_tilt_deg,
                                tx->frequency_hz,
                                rcity_transmitter_eirp_dbm(tx),
                                tx->cable_loss_db,
                                tx->load};
        assert_near(found[cases[i].what], cases[i].expected, 1e-9 * fabs(cases[i].expected));
        rcity_sites_destroy(&sites);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Nothing is guessed: a unit or a name that is not known stops the load, unless the caller goes on. */
static void test_unknown_columns_stop(void **state)
{
    (void)state;
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    rcity_scene *scene = make_scene(context, NULL);
    static const char *const names[] = {"Height (yd)", "Hoehe", "Freq (rpm)", "beam", "EIRP (horses)", "gain_dbi"};
    rcity_sites_options options = rcity_sites_options_default();
    rcity_sites *sites = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, "site,x,y,height_m,frequency_mhz,%s,Owner\nA,1,2,30,900,5,me\n", names[i]);
        const char *path = test_text(context, "unknown.csv", text);
        assert_status(context, load(context, scene, path, &sites), RCITY_ERR_FORMAT);
        char message[100];
        snprintf(message, sizeof message, "1 column is not understood: %s; rename it", names[i]);
        assert_message(context, message);
        assert_null(sites);
        options.ignores_unknown_columns = true;
        assert_ok(context, rcity_sites_load(context, scene, path, &options, &sites));
        assert_non_null(strstr(heard.text, "2 columns are not used"));
        rcity_sites_destroy(&sites);
    }
    const char *path = test_text(context, "low.csv", "site,x,y,height_ft,freq\nA,1,2,100,900\nB,1,2,,900\n");
    assert_status(context, load(context, scene, path, &sites), RCITY_ERR_ARGUMENT);
    assert_message(context, "low.csv' line 3: 'B' has no height; fill the column height_m");
    path = test_text(context, "high.csv", "site,x,y,height_km,freq\nA,1,2,100,900\n");
    assert_status(context, load(context, scene, path, &sites), RCITY_ERR_FORMAT);
    assert_message(context, "column 'height_km': 100 (100000) is out of range, must be -10000 to 10000");
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void write_msi(rcity_context *context, const char *name)
{
    char text[4000];
    size_t length = (size_t)snprintf(text, sizeof text, "NAME made\nGAIN 12 dBi\n");
    for (int section = 0; section < 2; section++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s 72\n", section ? "VERTICAL" : "HORIZONTAL");
        for (int angle_deg = 0; angle_deg < 360; angle_deg += 5) {
            int off_deg = angle_deg <= 180 ? angle_deg : 360 - angle_deg;
            length += (size_t)snprintf(text + length, sizeof text - length, "%d %.1f\n", angle_deg, 0.1 * off_deg);
        }
    }
    assert_true(length < sizeof text);
    test_text(context, name, text);
}

/* Antenna files lie beside the list, whatever folder the program was started in. */
static void test_antenna_files(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_scene(context, NULL);
    write_msi(context, "made.msi");
    char text[1000];
    snprintf(text, sizeof text,
             "site,x,y,height_m,frequency_mhz,antenna\nA,1,2,3,900,made.msi\nB,1,2,3,900,%s\nC,1,2,3,900,made.msi\n",
             test_path("made.msi"));
    rcity_sites *sites = NULL;
    assert_ok(context, load(context, scene, test_text(context, "antennas.csv", text), &sites));
    const rcity_transmitter *tx = rcity_sites_transmitters(sites);
    assert_ptr_equal(tx[0].antenna, tx[2].antenna);
    assert_ptr_equal(tx[0].antenna, tx[1].antenna); /* the same file by its whole path */
    rcity_antenna_info info;
    rcity_antenna_describe(tx[0].antenna, &info);
    assert_string_equal(info.name, "made");
    rcity_sites_destroy(&sites);
    const char *path =
        test_text(context, "lost.csv", "site,x,y,height_m,frequency_mhz,antenna\nA,1,2,3,900,lost.msi\n");
    assert_status(context, load(context, scene, path, &sites), RCITY_ERR_FILE);
    assert_message(context,
                   "lost.csv' line 2: the antenna 'lost.msi' is neither built in (isotropic, dipole, 3gpp) nor "
                   "a file: cannot read");
    test_text(context, "broken.msi", "GAIN 12 dBi\nHORIZONTAL 360\n0 0\n");
    path = test_text(context, "broken.csv", "site,x,y,height_m,frequency_mhz,antenna\nA,1,2,3,900,broken.msi\n");
    assert_status(context, load(context, scene, path, &sites), RCITY_ERR_FORMAT);
    assert_message(context, "broken.csv' line 2: ");
    assert_message(context, "broken.msi' line 3: angles are missing");
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_bad_sites_are_refused_with_line(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_scene(context, NULL);
    static const struct {
        const char *text;
        rcity_status status;
        const char *message;
    } cases[] = {
        {"site,x,y\n", RCITY_ERR_FORMAT, "lists no sector"},
        {"site,x,y\nA,1,2\n", RCITY_ERR_ARGUMENT, "line 2: 'A' has no frequency; fill the column frequency_mhz"},
        {"site,sector,x,y,freq\nA,1,1,2,900\n\nB,7,1,2,\n", RCITY_ERR_ARGUMENT, "line 4: 'B/7' has no frequency"},
        {"site,freq\nA,900\n", RCITY_ERR_FORMAT,
         "has neither columns x and y nor lon and lat; its first line must name the columns, and has: site, freq"},
        {"site,freq,x,y\nA,900,,\n", RCITY_ERR_ARGUMENT, "line 2: there is no place; fill x and y, or lon and lat"},
        {"site,freq,x,y\nA,900,5,\n", RCITY_ERR_FORMAT, "line 2: 'x' is filled and y is not; give both"},
        {"site,freq,y\nA,900,5\n", RCITY_ERR_FORMAT, "must name the columns, and has: site, freq, y"},
        {"site,freq,x,y\nA,900,5,1e9\n", RCITY_ERR_FORMAT, "column 'y': 1e9 is out of range"},
        {"site,freq,x,y\nA,900,5,n5\n", RCITY_ERR_FORMAT, "line 2, column 'y': 'n5' is not a number"},
        {"site,freq,x,y,azimuth\nA,900,5,5,361\n", RCITY_ERR_FORMAT,
         "line 2, column 'azimuth': 361 is out of range, must be -360 to 360"},
        {"site,freq,x,y,mtilt\nA,900,5,5,-91\n", RCITY_ERR_FORMAT, "column 'mtilt': -91 is out of range"},
        {"site,freq,x,y,etilt\nA,900,5,5,95\n", RCITY_ERR_FORMAT, "column 'etilt': 95 is out of range"},
        {"site,freq,x,y,height\nA,900,5,5,20000\n", RCITY_ERR_FORMAT, "column 'height': 20000 is out of range"},
        {"site,freq,x,y,load\nA,900,5,5,50\n", RCITY_ERR_FORMAT, "column 'load': 50 is out of range, must be 0 to 1"},
        {"site,freq,x,y\nA,0.5,5,5\n", RCITY_ERR_FORMAT, "column 'freq': 0.5 is out of range, must be 1 to 1e+06"},
        {"site,freq,x,y,eirp\nA,900,5,5,121\n", RCITY_ERR_FORMAT, "column 'eirp': 121 is out of range"},
        {"site,freq,x,y,power_w\nA,900,5,5,0\n", RCITY_ERR_FORMAT, "column 'power_w': 0 is out of range"},
        {"site,freq,x,y,cable_loss\nA,900,5,5,-1\n", RCITY_ERR_FORMAT, "column 'cable_loss': -1 is out of range"},
        {"site,freq,x,y,eirp,power_w\nA,900,5,5,60,20\n", RCITY_ERR_FORMAT,
         "line 2: both 'eirp' and 'power_w' are filled; a sector has one power"},
        {"site,freq,x,y,height_above\nA,900,5,5,roof\n", RCITY_ERR_FORMAT, "'roof' is neither ground nor sea"},
        {"site,freq,x,y,polarization\nA,900,5,5,round\n", RCITY_ERR_FORMAT, "'round' is none of vertical"},
        {"site,sector,freq,x,y\n,2,900,5,5\n", RCITY_ERR_FORMAT, "line 2: sector '2' has no site"},
        {"site,sector,freq,x,y\nA,1,900,5,5\nB,1,900,5,5\nA,1,900,6,6\n", RCITY_ERR_FORMAT,
         "line 2 and line 4 are both called 'A/1'; give them different names"},
        {"site,freq,lon,lat\nA,900,11.5,48\n", RCITY_ERR_ARGUMENT, "the scene has no CRS"},
        {"site,site\nA,B\n", RCITY_ERR_FORMAT, "names the column 'site' twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *path = test_text(context, "bad.csv", cases[i].text);
        rcity_sites *sites = NULL;
        bool needs_gdal = strstr(cases[i].text, "lon,") != NULL;
        assert_status(context, load(context, scene, path, &sites),
                      needs_gdal && !has_gdal() ? RCITY_ERR_UNSUPPORTED : cases[i].status);
        assert_message(context, needs_gdal && !has_gdal() ? "GDAL" : cases[i].message);
        assert_message(context, "bad.csv'");
        assert_null(strchr(rcity_context_message(context), '\n'));
        assert_null(sites);
    }
    char name[300];
    char text[600];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text, "site,freq,x,y\n%s,900,1,2\n", name);
    rcity_sites *sites = NULL;
    assert_status(context, load(context, scene, test_text(context, "long.csv", text), &sites), RCITY_ERR_FORMAT);
    assert_message(context, "has 299 bytes, at most 199");
    assert_status(context, load(context, scene, test_path("absent.csv"), &sites), RCITY_ERR_FILE);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Longitude and latitude, another projected CRS for x and y; and those that are swapped. */
static void test_sites_are_brought_into_the_scene_crs(void **state)
{
    (void)state;
    if (!has_gdal()) {
        print_message("SKIPPED: a build without GDAL knows no CRS\n");
        skip();
    }
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_scene(context, "EPSG:32632");
    double expected[2] = {11.5755, 48.1374}; /* Munich, Marienplatz */
    assert_ok(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, "EPSG:32632", 1, expected));
    const char *path =
        test_text(context, "lonlat.csv",
                  "site,lat,lon,height_m,frequency_mhz\nA,48.1374,11.5755,30,900\nB,48.138,11.58,30,900\n");
    rcity_sites *sites = NULL;
    assert_ok(context, load(context, scene, path, &sites));
    assert_near(rcity_sites_transmitters(sites)[0].x_m, expected[0], 1e-6);
    assert_near(rcity_sites_transmitters(sites)[0].y_m, expected[1], 1e-6);
    rcity_sites_destroy(&sites);
    /* x and y in the neighbouring zone */
    double there[2] = {11.5755, 48.1374};
    assert_ok(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, "EPSG:32633", 1, there));
    char text[200];
    snprintf(text, sizeof text, "site,x,y,height_m,frequency_mhz\nA,%.4f,%.4f,30,900\n", there[0], there[1]);
    path = test_text(context, "zone33.csv", text);
    rcity_sites_options options = rcity_sites_options_default();
    options.input_crs = "EPSG:32633";
    assert_ok(context, rcity_sites_load(context, scene, path, &options, &sites));
    assert_near(rcity_sites_transmitters(sites)[0].x_m, expected[0], 1e-3);
    assert_near(rcity_sites_transmitters(sites)[0].y_m, expected[1], 1e-3);
    rcity_sites_destroy(&sites);
    options.input_crs = "EPSG:99999999";
    assert_status(context, rcity_sites_load(context, scene, path, &options, &sites), RCITY_ERR_ARGUMENT);
    assert_message(context, "zone33.csv' line 2: the CRS 'EPSG:99999999'");
    /* x and y that are longitude and latitude */
    options.input_crs = RCITY_CRS_LONLAT;
    path = test_text(context, "xy.csv", "site,x,y,height_m,frequency_mhz\nA,11.5755,48.1374,30,900\n");
    assert_ok(context, rcity_sites_load(context, scene, path, &options, &sites));
    assert_near(rcity_sites_transmitters(sites)[0].x_m, expected[0], 1e-6);
    rcity_sites_destroy(&sites);
    /* both ways filled: lon and lat count in a scene with CRS */
    path = test_text(context, "both.csv", "site,x,y,lon,lat,height_m,frequency_mhz\nA,5,6,11.5755,48.1374,30,900\n");
    assert_ok(context, load(context, scene, path, &sites));
    assert_near(rcity_sites_transmitters(sites)[0].x_m, expected[0], 1e-6);
    rcity_sites_destroy(&sites);
    path = test_text(context, "swapped.csv",
                     "site,lon,lat,height_m,frequency_mhz\nA,11.5755,48.1374,30,900\nB,48.1374,11.5755,30,900\n");
    assert_status(context, load(context, scene, path, &sites), RCITY_ERR_ARGUMENT);
    assert_message(context, "swapped.csv' line 3: longitude 48.1374, latitude 11.5755");
    assert_message(context, "longitude comes first");
    path = test_text(context, "nowhere.csv", "site,lon,lat,height_m,frequency_mhz\nA,11.5,148,30,900\n");
    assert_status(context, load(context, scene, path, &sites), RCITY_ERR_ARGUMENT);
    assert_message(context, "nowhere.csv' line 2: longitude 11.5, latitude 148");
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Points with fields: the place comes from the geometry, from columns only where there is none. */
static void test_sites_are_read_from_vector_points(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_scene(context, "EPSG:32632");
    const char *path = test_text(
        context, "sites.geojson",
        "{\"type\":\"FeatureCollection\",\"features\":["
        "{\"type\":\"Feature\",\"id\":1,\"properties\":{\"site\":\"A \\\"x\\\", y\",\"sector\":1,\"height_m\":30.5,"
        "\"azimuth_deg\":240,\"frequency_mhz\":1800,\"power_w\":20,\"note\":null},"
        "\"geometry\":{\"type\":\"Point\",\"coordinates\":[11.5755,48.1374]}},"
        "{\"type\":\"Feature\",\"id\":2,\"properties\":{\"site\":\"B\",\"height_m\":30,\"frequency_mhz\":900},"
        "\"geometry\":{\"type\":\"MultiPoint\",\"coordinates\":[[11.58,48.138]]}}]}");
    rcity_sites *sites = NULL;
    if (!has_gdal()) {
        assert_status(context, load(context, scene, path, &sites), RCITY_ERR_UNSUPPORTED);
        assert_message(context,
                       "sites.geojson': this build has no GDAL; install libgdal-dev and build again, or give a .csv");
    } else {
        double expected[2] = {11.5755, 48.1374};
        assert_ok(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, "EPSG:32632", 1, expected));
        assert_ok(context, load(context, scene, path, &sites));
        const rcity_transmitter *tx = rcity_sites_transmitters(sites);
        assert_int_equal(rcity_sites_count(sites), 2);
        assert_string_equal(tx[0].name, "A \"x\", y/1");
        assert_near(tx[0].x_m, expected[0], 1e-6);
        assert_near(tx[0].y_m, expected[1], 1e-6);
        assert_near(tx[0].height_m, 30.5, 0.0);
        assert_near(tx[0].power_dbm, 43.0103, 1e-4);
        assert_near(tx[1].frequency_hz, 900e6, 0.0);
        rcity_sites_destroy(&sites);
        /* fields may say anything: cells of a grid, another CRS, words */
        path = test_text(
            context, "fields.geojson",
            "{\"type\":\"FeatureCollection\",\"features\":["
            "{\"type\":\"Feature\",\"properties\":{\"x\":3,\"y\":4,\"lon\":\"east\",\"height_m\":30,\"frequency_mhz\":"
            "900},"
            "\"geometry\":{\"type\":\"Point\",\"coordinates\":[11.5755,48.1374]}},"
            "{\"type\":\"Feature\",\"properties\":{\"x\":691100.5,\"y\":5334200,\"height_m\":30,\"frequency_mhz\":900},"
            "\"geometry\":null}]}");
        assert_ok(context, load(context, scene, path, &sites));
        tx = rcity_sites_transmitters(sites);
        assert_near(tx[0].x_m, expected[0], 1e-6);
        assert_near(tx[0].y_m, expected[1], 1e-6);
        assert_near(tx[1].x_m, 691100.5, 0.0);
        rcity_sites_destroy(&sites);
        path = test_text(
            context, "twice.geojson",
            "{\"type\":\"Feature\",\"properties\":{\"frequency_mhz\":900,\"Frequency_MHz\":800},\"geometry\":{"
            "\"type\":\"Point\",\"coordinates\":[11.5755,48.1374]}}");
        assert_status(context, load(context, scene, path, &sites), RCITY_ERR_FORMAT);
        assert_message(context, "twice.geojson' has the field 'Frequency_MHz' twice");
        path = test_text(context, "swapped.geojson",
                         "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"id\":7,\"properties\":{"
                         "\"height_m\":30,\"frequency_mhz\":900},\"geometry\":{\"type\":\"Point\",\"coordinates\":[48."
                         "1374,11.5755]}}]}");
        assert_status(context, load(context, scene, path, &sites), RCITY_ERR_ARGUMENT);
        assert_message(context, "swapped.geojson' feature 7: longitude 48.1374");
        path = test_text(context, "line.geojson",
                         "{\"type\":\"Feature\",\"id\":3,\"properties\":{\"height_m\":30,\"frequency_mhz\":900},"
                         "\"geometry\":{\"type\":"
                         "\"LineString\",\"coordinates\":[[11,48],[12,48]]}}");
        assert_status(context, load(context, scene, path, &sites), RCITY_ERR_FORMAT);
        assert_message(context, "line.geojson' feature 3 is a Line String; a list of places needs points");
        path = test_text(context, "text.geojson",
                         "{\"type\":\"Feature\",\"id\":3,\"properties\":{\"height_m\":30,\"frequency_mhz\":900,"
                         "\"azimuth\":\"north\"},"
                         "\"geometry\":{\"type\":\"Point\",\"coordinates\":[11.5,48]}}");
        assert_status(context, load(context, scene, path, &sites), RCITY_ERR_FORMAT);
        assert_message(context, "text.geojson' feature 3, column 'azimuth': 'north' is not a number");
        path = test_text(
            context, "nowhere.geojson",
            "{\"type\":\"Feature\",\"id\":3,\"properties\":{\"height_m\":30,\"frequency_mhz\":900},\"geometry\":null}");
        assert_status(context, load(context, scene, path, &sites), RCITY_ERR_ARGUMENT);
        assert_message(context, "feature 3: there is no place; give it a point");
        assert_status(context, load(context, scene, test_text(context, "words.gpkg", "only words"), &sites),
                      RCITY_ERR_FORMAT);
        assert_message(context, "words.gpkg' is no vector file");
        assert_message(context, "CSV");
        assert_status(context, load(context, scene, test_path("absent.gpkg"), &sites), RCITY_ERR_FILE);
        assert_message(context, "absent.gpkg");
    }
    assert_null(sites);
    rcity_scene_destroy(&scene);
    /* local metres in a scene without CRS, written as GeoJSON */
    if (has_gdal()) {
        scene = make_scene(context, NULL);
        path = test_text(context, "metres.geojson",
                         "{\"type\":\"Feature\",\"properties\":{\"height_m\":30,\"frequency_mhz\":900},\"geometry\":{"
                         "\"type\":\"Point\","
                         "\"coordinates\":[691100,5334200]}}");
        assert_ok(context, load(context, scene, path, &sites));
        assert_near(rcity_sites_transmitters(sites)[0].x_m, 691100.0, 0.0);
        rcity_sites_destroy(&sites);
        /* degrees are of no use there, metres in fields are */
        path = test_text(
            context, "both.geojson",
            "{\"type\":\"Feature\",\"properties\":{\"x\":691300,\"y\":5334200,\"height_m\":30,\"frequency_mhz\":900},"
            "\"geometry\":{\"type\":\"Point\",\"coordinates\":[11.5755,48.1374]}}");
        assert_ok(context, load(context, scene, path, &sites));
        assert_near(rcity_sites_transmitters(sites)[0].x_m, 691300.0, 0.0);
        rcity_sites_destroy(&sites);
        rcity_scene_destroy(&scene);
    }
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* A dBase table, as a Shapefile has it, cuts names to ten letters. */
static void test_cut_names(void **state)
{
    (void)state;
    if (!has_gdal()) {
        print_message("SKIPPED: a build without GDAL reads no dBase tables\n");
        skip();
    }
    static const char *const fields[] = {"SITE",       "X",          "Y",          "HEIGHT_M",   "AZIMUTH_DE",
                                         "MECHANICAL", "ELECTRICAL", "FREQUENCY_", "CABLE_LOSS", "POWER_DBM"};
    static const char *const values[] = {"A", "691100.5", "5334200", "25", "120", "3", "4", "1800", "1.5", "43"};
    enum { FIELD_COUNT = 10, WIDTH = 12, HEADER = 32 + 32 * FIELD_COUNT + 1, RECORD = 1 + WIDTH * FIELD_COUNT };
    unsigned char bytes[HEADER + RECORD + 1];
    memset(bytes, 0, sizeof bytes);
    bytes[0] = 3;
    bytes[1] = 120; /* a date that a reader believes */
    bytes[2] = bytes[3] = 1;
    bytes[4] = 1; /* records */
    bytes[8] = HEADER & 255;
    bytes[9] = HEADER >> 8;
    bytes[10] = RECORD & 255;
    bytes[11] = RECORD >> 8;
    for (int i = 0; i < FIELD_COUNT; i++) {
        unsigned char *field = bytes + 32 + 32 * i;
        memcpy(field, fields[i], strlen(fields[i]));
        field[11] = 'C';
        field[16] = WIDTH;
        memset(bytes + HEADER + 1 + WIDTH * i, ' ', WIDTH);
        memcpy(bytes + HEADER + 1 + WIDTH * i, values[i], strlen(values[i]));
    }
    bytes[HEADER - 1] = 0x0d;
    bytes[HEADER] = ' ';
    bytes[HEADER + RECORD] = 0x1a;
    const char *path = test_path("sites.dbf");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, sizeof bytes, file), sizeof bytes);
    assert_int_equal(fclose(file), 0);
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    rcity_scene *scene = make_scene(context, NULL);
    rcity_sites *sites = NULL;
    assert_ok(context, load(context, scene, path, &sites));
    const rcity_transmitter *tx = rcity_sites_transmitters(sites);
    assert_near(tx[0].x_m, 691100.5, 0.0);
    assert_near(tx[0].azimuth_deg, 120.0, 0.0);
    assert_near(tx[0].mechanical_tilt_deg, 3.0, 0.0);
    assert_near(tx[0].electrical_tilt_deg, 4.0, 0.0);
    assert_near(tx[0].frequency_hz, 1.8e9, 0.0);
    assert_near(tx[0].cable_loss_db, 1.5, 0.0);
    assert_int_equal(heard.count, 0);
    rcity_sites_destroy(&sites);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_no_memory(void **state)
{
    (void)state;
    rcity_context *writer = test_context(1);
    write_msi(writer, "made.msi");
    const char *paths[2] = {
        test_text(
            writer, "memory.csv",
            "site,sector,x,y,height_m,frequency_mhz,antenna,note\nA,1,1,2,3,900,made.msi,x\nA,2,1,2,3,900,3gpp,\n"),
        test_text(writer, "memory.geojson",
                  "{\"type\":\"Feature\",\"properties\":{\"height_m\":30,\"frequency_mhz\":900},\"geometry\":{\"type\":"
                  "\"Point\","
                  "\"coordinates\":[11.5755,48.1374]}}")};
    rcity_context_destroy(&writer);
    for (int i = 0; i < (has_gdal() ? 2 : 1); i++) {
        bool is_done = false;
        for (long n = 1; !is_done; n++) {
            failing_allocator failing = {0};
            rcity_context *context = test_context_failing(&failing, 1);
            rcity_scene *scene = make_scene(context, i == 1 ? "EPSG:32632" : NULL);
            uint64_t before = rcity_context_memory_used(context);
            failing.fail_at = failing.call_count + n;
            rcity_sites *sites = NULL;
            rcity_status status = load(context, scene, paths[i], &sites);
            failing.fail_at = 0;
            is_done = status == RCITY_OK;
            assert_true(is_done || status == RCITY_ERR_MEMORY);
            assert_int_equal(sites != NULL, is_done);
            rcity_sites_destroy(&sites);
            assert_int_equal(rcity_context_memory_used(context), before);
            rcity_scene_destroy(&scene);
            rcity_context_destroy(&context);
            assert_int_equal(failing.live_count, 0);
            assert_true(!is_done || n > 8);
        }
    }
}

TEST_SUITE(sites)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sites_are_read_from_columns),
        cmocka_unit_test(test_every_kind_of_power_gives_eirp),
        cmocka_unit_test(test_common_names_and_defaults_are_read),
        cmocka_unit_test(test_names_nearly_ours_state_their_units),
        cmocka_unit_test(test_unknown_columns_stop),
        cmocka_unit_test(test_antenna_files),
        cmocka_unit_test(test_bad_sites_are_refused_with_line),
        cmocka_unit_test(test_sites_are_brought_into_the_scene_crs),
        cmocka_unit_test(test_sites_are_read_from_vector_points),
        cmocka_unit_test(test_cut_names),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("sites", tests, NULL, NULL);
}
