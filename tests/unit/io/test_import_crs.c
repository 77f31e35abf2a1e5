/* Which CRS an imported scene gets, data without one, and axes that are swapped. */
#include "import_test.h"

static rcity_status import_crs(rcity_context *context, const char *text, const char *input_crs, const char *scene_crs,
                               char crs[RCITY_CRS_BYTES])
{
    rcity_import_options options = rcity_import_options_default();
    options.input_crs = input_crs;
    options.scene.crs = scene_crs;
    rcity_scene *scene = NULL;
    rcity_status status = import_file(context, save_text("test.geojson", text), &options, &scene, NULL);
    if (status == RCITY_OK) {
        rcity_scene_info info = {0};
        assert_ok(context, rcity_scene_describe(scene, &info));
        snprintf(crs, RCITY_CRS_BYTES, "%s", info.crs);
        assert_near(info.built_area_km2 * 1e6, 10000.0, 60.0); /* every test's house, in true metres */
    }
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    return status;
}

/* A house of 100 x 100 m in UTM 32 and the same in other CRS. */
#define HOUSE_32632 JSON(JSON_CRS("32632"), BOX("\"height\":9", "691000", "5334000", "691100", "5334100"))
#define HOUSE_4326                                                                                                     \
    JSON("", ITEM("\"height\":9", "Polygon",                                                                           \
                  "[[[11.5670529,48.1305704],[11.5683955,48.1305404],"                                                 \
                  "[11.5684403,48.1314392],[11.5670977,48.1314692],[11.5670529,48.1305704]]]"))

static void test_scene_takes_crs_of_data_or_utm(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    char crs[RCITY_CRS_BYTES];
    assert_ok(context, import_crs(context, HOUSE_32632, NULL, NULL, crs));
    assert_string_equal(crs, "EPSG:32632");
    /* said again, in the same or in other words */
    assert_ok(context, import_crs(context, HOUSE_32632, "EPSG:32632", NULL, crs));
    assert_ok(context, import_crs(context, HOUSE_32632, "+proj=utm +zone=32 +datum=WGS84", NULL, crs));
    assert_string_equal(crs, "EPSG:32632");
    /* the scene's own */
    assert_ok(context, import_crs(context, HOUSE_32632, NULL, "EPSG:31468", crs));
    assert_string_equal(crs, "EPSG:31468");
    assert_ok(context, import_crs(context, HOUSE_32632, NULL, "epsg:25832", crs));
    assert_string_equal(crs, "EPSG:25832");
    /* degrees go to UTM */
    assert_ok(context, import_crs(context, HOUSE_4326, NULL, NULL, crs));
    assert_string_equal(crs, "EPSG:32632");
    assert_ok(context, import_crs(context, HOUSE_4326, "EPSG:4326", NULL, crs));
    assert_string_equal(crs, "EPSG:32632");
    /* so do metres that are none on the ground (Web Mercator: half as long again here) and feet */
    const char *mercator =
        JSON(JSON_CRS("3857"), BOX("\"height\":9", "1288000", "6128000", "1288149.83", "6128149.83"));
    assert_ok(context, import_crs(context, mercator, NULL, NULL, crs));
    assert_string_equal(crs, "EPSG:32632");
    const char *feet = JSON(JSON_CRS("2263"), BOX("\"height\":9", "987000", "211000", "987328.08", "211328.08"));
    assert_ok(context, import_crs(context, feet, NULL, NULL, crs));
    assert_string_equal(crs, "EPSG:32618");
    /* and axes that run elsewhere: a mirrored UTM, Krovak with its x to the south */
    const char *west = JSON("", BOX("\"height\":9", "-500100", "5550000", "-500000", "5550100"));
    assert_ok(context, import_crs(context, west, "+proj=utm +zone=33 +datum=WGS84 +axis=wnu", NULL, crs));
    assert_string_equal(crs, "EPSG:32633");
    const char *krovak = JSON("", BOX("\"height\":9", "1043000", "743000", "1043100", "743100")); /* Prague */
    assert_ok(context, import_crs(context, krovak, "EPSG:5513", NULL, crs));
    assert_string_equal(crs, "EPSG:32633");
    assert_ok(context, import_crs(context, krovak, "EPSG:5513", "EPSG:5514", crs));
    assert_string_equal(crs, "EPSG:5514");
    /* the southern half of the world */
    const char *south = JSON("", BOX("\"height\":9", "151.2", "-33.9", "151.201081", "-33.899098"));
    assert_ok(context, import_crs(context, south, NULL, NULL, crs));
    assert_string_equal(crs, "EPSG:32756");
    rcity_context_destroy(&context);
}

/* Data that state no CRS. */
static void test_data_without_crs_need_the_option(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    char crs[RCITY_CRS_BYTES] = "";
    /* a GeoJSON without one means degrees, which these are not */
    const char *plain = JSON("", BOX("\"height\":9", "691000", "5334000", "691100", "5334100"));
    assert_status(context, import_crs(context, plain, NULL, NULL, crs), RCITY_ERR_ARGUMENT);
    assert_message(context, "no longitudes and latitudes");
    assert_message(context, "`crs`");
    assert_ok(context, import_crs(context, plain, "EPSG:25832", NULL, crs));
    assert_string_equal(crs, "EPSG:25832");
    assert_ok(context, import_crs(context, plain, "none", NULL, crs));
    assert_string_equal(crs, "none");
    /* even where they might be */
    const char *small = JSON("", BOX("\"height\":9", "-20", "-20", "80", "80"));
    assert_ok(context, import_crs(context, small, "none", NULL, crs));
    assert_string_equal(crs, "none");
    assert_status(context, import_crs(context, small, "none", "EPSG:32632", crs), RCITY_ERR_ARGUMENT);
    assert_message(context, "cannot be transformed into EPSG:32632");
    /* formats that can be silent */
    const char *source = save_text("plain.geojson", plain);
    const char *paths[2] = {convert(source, "ESRI Shapefile", "plain.shp"), convert(source, "GPKG", "plain.gpkg")};
    char prj[300];
    snprintf(prj, sizeof prj, "%.*s.prj", (int)strlen(paths[0]) - 4, paths[0]);
    assert_int_equal(remove(prj), 0);
    rcity_scene *scene = NULL;
    assert_status(context, import_file(context, paths[0], NULL, &scene, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "plain.shp' does not state its CRS");
    assert_message(context, "`crs=none`");
    rcity_import_options options = rcity_import_options_default();
    options.input_crs = "EPSG:25832";
    assert_ok(context, import_file(context, paths[0], &options, &scene, NULL));
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A GeoPackage has a CRS that says there is none. */
static void test_undefined_geopackage_crs_is_no_crs(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    GDALAllRegister();
    const char *path = test_path("undefined.gpkg");
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName("GPKG"), path, 0, 0, 0, GDT_Unknown, NULL);
    OGRLayerH layer = GDALDatasetCreateLayer(dataset, "a", NULL, wkbPolygon, NULL);
    OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
    char wkt[] = "POLYGON((0 0,10 0,10 10,0 10,0 0))";
    char *text = wkt;
    OGRGeometryH geometry = NULL;
    OGR_G_CreateFromWkt(&text, NULL, &geometry);
    OGR_F_SetGeometryDirectly(feature, geometry);
    assert_int_equal(OGR_L_CreateFeature(layer, feature), OGRERR_NONE);
    OGR_F_Destroy(feature);
    GDALClose(dataset);
    rcity_scene *scene = NULL;
    rcity_import_options options = rcity_import_options_default();
    options.default_height_m = 10.0;
    assert_status(context, import_file(context, path, &options, &scene, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "does not state its CRS");
    options.input_crs = "none";
    assert_ok(context, import_file(context, path, &options, &scene, NULL));
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_contradicting_crs_is_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    char crs[RCITY_CRS_BYTES];
    static const struct {
        const char *text, *input_crs, *scene_crs;
        const char *words[3];
    } cases[] = {
        {HOUSE_32632, "EPSG:25833", NULL, {"EPSG:32632", "`crs` says EPSG:25833", "`to-crs`"}},
        {HOUSE_32632, "none", NULL, {"EPSG:32632", "`crs` says none", "`to-crs`"}},
        {HOUSE_32632, "EPSG:99999", NULL, {"'EPSG:99999' is not known", "", ""}},
        {HOUSE_32632, NULL, "nowhere", {"'nowhere' is not known", "", ""}},
        {HOUSE_32632, NULL, "EPSG:4326", {"does not count in metres", "", ""}},
        {HOUSE_32632, NULL, "EPSG:5773", {"is not projected", "", ""}},
        {HOUSE_32632, NULL, "EPSG:3857", {"a metre of it is 0.66", "at longitude 11.5", "`to-crs`"}}, /* cos 48.13 */
        {HOUSE_4326, NULL, "EPSG:3395", {"a metre of it is 0.66", "on the ground", "`to-crs`"}},
        /* 33 degrees away, and 134: x runs west there, which tells nobody anything */
        {HOUSE_32632, NULL, "EPSG:32638", {"the data lie around longitude 11.5", "outside the area", "`to-crs`"}},
        {HOUSE_4326, NULL, "EPSG:32610", {"the data lie around longitude 11.5", "outside the area", "`to-crs`"}},
        {JSON("", BOX("\"height\":9", "20.0", "-85.0", "20.001", "-84.999")),
         NULL,
         NULL,
         {"lies in no UTM zone", "`to-crs`", "EPSG:3031"}},
        {JSON(JSON_CRS("32633"), BOX("\"height\":9", "460000", "5550000", "460100", "5550100")),
         NULL,
         "EPSG:5513",
         {"'EPSG:5513' cannot be a scene's", "runs south and its y axis west", "EPSG:5514"}},
        {HOUSE_32632, NULL, "none", {"has a CRS, but the scene has none", "`crs=none`", ""}},
        /* latitudes beyond 90 */
        {JSON("", BOX("\"height\":9", "40.79", "-111.89", "40.791", "-111.889")),
         NULL,
         NULL,
         {"beyond 90 degrees", "swapped", "longitude comes first"}},
        /* no such latitude, but the scene's CRS is made for where it would be */
        {JSON("", BOX("\"height\":9", "48.13", "11.566", "48.131", "11.567")),
         NULL,
         "EPSG:32632",
         {"outside the area", "swapped", "longitude comes first"}},
        /* northings first */
        {JSON(JSON_CRS("32632"), BOX("\"height\":9", "5334000", "691000", "5334100", "691100")),
         NULL,
         NULL,
         {"outside the area of its CRS", "x and y swapped", "order of the axes"}},
        {JSON(JSON_CRS("4326"), BOX("\"height\":9", "691000", "5334000", "691100", "5334100")),
         NULL,
         NULL,
         {"no longitudes and latitudes", "correct the CRS", ""}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_status(context, import_crs(context, cases[i].text, cases[i].input_crs, cases[i].scene_crs, crs),
                      RCITY_ERR_ARGUMENT);
        for (int k = 0; k < 3; k++) {
            assert_message(context, cases[i].words[k]);
        }
    }
    rcity_context_destroy(&context);
}

/* Two houses some 400 m apart with the date line between them. */
#define FIJI                                                                                                           \
    JSON("", BOX("\"height\":9", "179.998", "-17.0", "179.9982",                                                       \
                 "-16.9998") "," BOX("\"height\":9", "-179.998", "-17.0", "-179.9978", "-16.9998"))
static void test_date_line(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_import_options options = rcity_import_options_default();
    rcity_scene_info info = {0};
    assert_status(context, import_text(context, FIJI, &options, NULL, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "both sides of the date line");
    assert_message(context, "`to-crs`");
    options.scene.crs = "EPSG:32760";
    assert_ok(context, import_text(context, FIJI, &options, &info, NULL));
    /* 0.0042 degrees of longitude at 17 S are 447 m; 3 degrees off the meridian the grid is turned by 0.88 degrees */
    const double width_m = 0.0042 * 111320.0 * cos(17.0 * acos(-1.0) / 180.0);
    assert_near(info.x_max_m - info.x_min_m, width_m, 3.0);
    assert_near(info.y_max_m - info.y_min_m, 22.1 + width_m * tan(0.88 * acos(-1.0) / 180.0), 1.0);
    double west[2] = {179.998, -17.0};
    assert_ok(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, "EPSG:32760", 1, west));
    assert_near(info.x_min_m, west[0], 1.0);
    /* longitudes beyond 180 need no help, nor does one house across the line */
    const char *beyond = JSON("", BOX("\"height\":9", "179.9999", "-17.0", "180.0001", "-16.9998"));
    options.scene.crs = NULL;
    assert_ok(context, import_text(context, beyond, &options, &info, NULL));
    assert_near(info.x_max_m - info.x_min_m, 21.3, 1.0);
    const char *across = JSON("", BOX("\"height\":9", "179.9999", "-17.0", "-179.9999", "-16.9998"));
    assert_status(context, import_text(context, across, &options, NULL, NULL), RCITY_ERR_ARGUMENT);
    options.scene.crs = "EPSG:32760";
    assert_ok(context, import_text(context, across, &options, &info, NULL));
    assert_near(info.x_max_m - info.x_min_m, 21.3, 1.0);
    rcity_context_destroy(&context);
}

/* The same city in degrees lies where it lay, to the centimetre. */
static void test_city_in_degrees_keeps_its_place(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    GDALAllRegister();
    enum { COUNT = 100 };
    const uint64_t seed = 5;
    print_message("seed %llu\n", (unsigned long long)seed);
    double xy[2 * 4 * COUNT];
    for (uint64_t i = 0; i < COUNT; i++) {
        double x = 424500.0 + 40.0 * (double)(i % 10) + test_uniform(seed, 4 * i, 0, 10);
        double y = 4512300.0 + 40.0 * (double)(i / 10) + test_uniform(seed, 4 * i + 1, 0, 10);
        double width = test_uniform(seed, 4 * i + 2, 3, 25);
        double depth = test_uniform(seed, 4 * i + 3, 3, 25);
        const double box[8] = {x, y, x + width, y, x + width, y + depth, x, y + depth};
        memcpy(xy + 8 * i, box, sizeof box);
    }
    double degrees[2 * 4 * COUNT];
    memcpy(degrees, xy, sizeof degrees);
    assert_ok(context, rcity_crs_transform(context, "EPSG:26912", RCITY_CRS_LONLAT, 4LL * COUNT, degrees));
    rcity_scene *scenes[2] = {NULL, NULL};
    for (int kind = 0; kind < 2; kind++) {
        const double *at = kind == 0 ? xy : degrees;
        static char text[100000];
        size_t length = (size_t)snprintf(text, sizeof text, "{\"type\":\"FeatureCollection\",%s\"features\":[",
                                         kind == 0 ? JSON_CRS("26912") : "");
        for (int i = 0; i < COUNT; i++, at += 8) {
            length += (size_t)snprintf(text + length, sizeof text - length,
                                       "%s{\"type\":\"Feature\",\"properties\":{\"height\":9},\"geometry\":{\"type\":"
                                       "\"Polygon\",\"coordinates\":[[[%.10f,%.10f],[%.10f,%.10f],[%.10f,%.10f],[%.10f,"
                                       "%.10f],[%.10f,%.10f]]]}}",
                                       i > 0 ? "," : "", at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], at[0],
                                       at[1]);
        }
        snprintf(text + length, sizeof text - length, "]}");
        rcity_import_options options = rcity_import_options_default();
        options.scene.crs = kind == 0 ? NULL : "EPSG:26912";
        options.scene.gap_m = 0.0;
        const char *path = save_text(kind == 0 ? "metres.geojson" : "degrees.geojson", text);
        assert_ok(context, import_file(context, path, &options, &scenes[kind], NULL));
    }
    double farthest_m = compare_corners(scenes[0], scenes[1]);
    print_message("farthest corner %.4f m\n", farthest_m);
    assert_true(farthest_m < 0.01);
    rcity_scene_destroy(&scenes[0]);
    rcity_scene_destroy(&scenes[1]);
    rcity_context_destroy(&context);
}

/* Two files in two CRS make one scene; two that have nothing to do with each other do not. */
static void test_inputs_in_two_crs_make_one_scene(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *paths[2] = {save_text("first.geojson", HOUSE_32632)};
    paths[1] = save_text("second.geojson",
                         JSON(JSON_CRS("31468"), BOX("\"height\":12", "4468000", "5333000", "4468100", "5333100")));
    rcity_import_options options = rcity_import_options_default();
    options.building_path_count = 2;
    options.building_paths = paths;
    rcity_scene *scene = NULL;
    rcity_scene_info info = {0};
    rcity_import_report report = {0};
    assert_ok(context, rcity_scene_import(context, &options, &scene, &report));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.building_count, 2);
    assert_string_equal(info.crs, "EPSG:32632");
    assert_string_equal(info.source, "first.geojson, second.geojson");
    assert_true(info.x_max_m - info.x_min_m < 5000.0 && info.y_max_m - info.y_min_m < 5000.0);
    rcity_scene_destroy(&scene);
    /* --crs is for the silent one of two */
    paths[1] = save_text("silent.geojson", JSON("", BOX("\"height\":12", "4468000", "5333000", "4468100", "5333100")));
    options.input_crs = "EPSG:31468";
    assert_ok(context, rcity_scene_import(context, &options, &scene, &report));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_string_equal(info.crs, "EPSG:32632");
    assert_true(info.x_max_m - info.x_min_m < 5000.0 && info.y_max_m - info.y_min_m < 5000.0);
    rcity_scene_destroy(&scene);
    options.input_crs = "none";
    assert_status(context, rcity_scene_import(context, &options, &scene, &report), RCITY_ERR_ARGUMENT);
    options.input_crs = NULL;
    paths[1] = save_text("other.geojson",
                         JSON(JSON_CRS("26912"), BOX("\"height\":9", "424500", "4512300", "424600", "4512400")));
    assert_status(context, rcity_scene_import(context, &options, &scene, &report), RCITY_ERR_ARGUMENT);
    assert_message(context, "other.geojson");
    assert_message(context, "km from the inputs before it");
    assert_null(scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* A CRS nobody has numbered travels as text. */
static void test_crs_without_code_is_kept_as_text(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_import_options options = rcity_import_options_default();
    options.input_crs = "+proj=tmerc +lat_0=48.1 +lon_0=11.5 +k=1 +x_0=0 +y_0=0 +datum=WGS84 +units=m";
    rcity_scene *scene = NULL;
    rcity_scene_info info = {0};
    const char *path = save_text("local.geojson", JSON("", BOX("\"height\":9", "0", "0", "100", "100")));
    assert_ok(context, import_file(context, path, &options, &scene, NULL));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_non_null(strstr(info.crs, "PROJCRS["));
    assert_null(strchr(info.crs, '\n'));
    assert_ok(context, rcity_crs_check(context, info.crs));
    double lonlat[2] = {0.0, 0.0};
    assert_ok(context, rcity_crs_transform(context, info.crs, RCITY_CRS_LONLAT, 1, lonlat));
    assert_near(lonlat[0], 11.5, 1e-9);
    assert_near(lonlat[1], 48.1, 1e-9);
    rcity_scene_destroy(&scene);
    /* nor is one with a datum shift of its own the one it looks like */
    options.input_crs = "+proj=utm +zone=32 +ellps=intl +towgs84=-87,-98,-121 +units=m";
    path = save_text("shifted.geojson", JSON("", BOX("\"height\":9", "691000", "5334000", "691100", "5334100")));
    assert_ok(context, import_file(context, path, &options, &scene, NULL));
    assert_ok(context, rcity_scene_describe(scene, &info));
    double given[2] = {691000, 5334000};
    double kept[2] = {691000, 5334000};
    assert_ok(context, rcity_crs_transform(context, options.input_crs, RCITY_CRS_LONLAT, 1, given));
    assert_ok(context, rcity_crs_transform(context, info.crs, RCITY_CRS_LONLAT, 1, kept));
    assert_near(kept[0], given[0], 1e-9);
    assert_near(kept[1], given[1], 1e-9);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

TEST_SUITE(import_crs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scene_takes_crs_of_data_or_utm),
        cmocka_unit_test(test_data_without_crs_need_the_option),
        cmocka_unit_test(test_undefined_geopackage_crs_is_no_crs),
        cmocka_unit_test(test_contradicting_crs_is_refused),
        cmocka_unit_test(test_city_in_degrees_keeps_its_place),
        cmocka_unit_test(test_inputs_in_two_crs_make_one_scene),
        cmocka_unit_test(test_crs_without_code_is_kept_as_text),
        cmocka_unit_test(test_date_line),
    };
    return cmocka_run_group_tests_name("import crs", tests, NULL, NULL);
}
