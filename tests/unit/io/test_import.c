/* Buildings and vegetation out of vector files: formats, heights, shapes, CRS. */
#include "import_test.h"

#include <cpl_error.h>

/* Two boxes, one with a courtyard, and a building of two parts, in UTM 32. */
static const char city[] = JSON(
    JSON_CRS("32632"), BOX("\"height\":12.5", "691000", "5334000", "691020", "5334015") "," ITEM(
                           "\"height\":20", "Polygon",
                           "[" RING("691030", "5334000", "691070", "5334040") "," RING(
                               "691040", "5334010", "691060",
                               "5334030") "]") "," ITEM("\"height\":9.25", "MultiPolygon",
                                                        "[[" RING("691000", "5334050", "691010", "5334060") "],[" RING(
                                                            "691020", "5334050", "691030", "5334060") "]]"));

static void test_every_format_gives_the_same_city(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *paths[5] = {save_text("city.geojson", city)};
    paths[1] = convert(paths[0], "GPKG", "city.gpkg");
    paths[2] = convert(paths[0], "ESRI Shapefile", "city.shp");
    paths[3] = convert(paths[0], "FlatGeobuf", "city.fgb");
    paths[4] = convert(paths[0], "GML", "city.gml");
    char hash[65] = "";
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        rcity_scene *scene = NULL;
        rcity_import_report report = {0};
        rcity_scene_info info = {0};
        assert_ok(context, import_file(context, paths[i], NULL, &scene, &report));
        assert_ok(context, rcity_scene_describe(scene, &info));
        assert_int_equal(report.feature_count, 3);
        assert_int_equal(report.part_count, 4);
        assert_int_equal(info.building_count, 4);
        assert_int_equal(info.wall_count, 4 + 8 + 4 + 4);
        assert_near(info.built_area_km2, (300 + 1600 - 400 + 200) * 1e-6, 1e-12);
        assert_near(info.height_max_m, 20.0, 0.0);
        assert_near(info.height_min_m, 9.25, 0.0);
        assert_string_equal(info.crs, "EPSG:32632");
        assert_string_equal(report.height_field, "height");
        assert_non_null(strstr(info.source, "city."));
        for (int repair = 0; repair < RCITY_REPAIR_COUNT; repair++) {
            assert_int_equal(info.repair_count[repair], 0); /* the way rings run in a format is no defect */
        }
        if (i == 0) {
            snprintf(hash, sizeof hash, "%s", info.hash);
        }
        if (i < 3) { /* the other two may sort features as they like */
            assert_string_equal(info.hash, hash);
        }
        rcity_scene_destroy(&scene);
    }
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Values of every type and spelling. */
static void test_heights_are_read_in_every_spelling(void **state)
{
    (void)state;
    static const struct {
        const char *properties;
        double height_m;
        const char *field;
        int floors_count;
    } cases[] = {
        {"\"height\":7", 7.0, "height", 0},
        {"\"HEIGHT\":7.5", 7.5, "HEIGHT", 0},
        {"\"Height\":\"7.5\"", 7.5, "Height", 0},
        {"\"height\":\"7.5 m\"", 7.5, "height", 0},
        {"\"height\":\"25 ft\"", 7.62, "height", 0},
        {"\"MEANHEIGHT\":31.25", 31.25, "MEANHEIGHT", 0},
        {"\"bldg_height\":31.25", 31.25, "bldg_height", 0},
        {"\"measuredHeight\":31.25", 31.25, "measuredHeight", 0},
        {"\"elevation\":500,\"relh2\":11", 11.0, "relh2", 0},
        {"\"h\":99,\"building_height\":11", 11.0, "building_height", 0},
        {"\"height\":null,\"building:levels\":4", 12.0, "height", 1},
        {"\"height\":0,\"levels\":\"2,5\"", 7.5, "height", 1},
        {"\"height\":-9999,\"num_floors\":5", 15.0, "height", 1},
        {"\"height\":\"\",\"floors\":3", 9.0, "height", 1},
        {"\"stories\":3", 9.0, "", 1},
        {"\"height\":[\"a\",\"b\"],\"levels\":3", 9.0, "", 1}, /* a list is no number */
        {"\"height\":8,\"floors\":30", 8.0, "height", 0},
    };
    rcity_context *context = test_context(1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text, JSON(JSON_CRS("32632"), BOX("%s", "691000", "5334000", "691020", "5334015")),
                 cases[i].properties);
        rcity_scene_info info = {0};
        rcity_import_report report = {0};
        assert_ok(context, import_text(context, text, NULL, &info, &report));
        assert_near(info.height_max_m, cases[i].height_m, 1.0 / 128.0); /* snapped to 1/64 m */
        assert_string_equal(report.height_field, cases[i].field);
        assert_int_equal(report.without_height_count, 0);
        assert_int_equal(report.floors_count, cases[i].floors_count);
    }
    rcity_context_destroy(&context);
}

/* The user's own fields, a floor of another height, ground, number and material. */
static void test_named_fields_are_used(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_import_options options = rcity_import_options_default();
    options.height_field = "TOP"; /* letters of either case */
    options.floors_field = "geschoss";
    options.floor_height_m = 4.0;
    options.ground_field = "base";
    options.id_field = "number";
    options.material_field = "fabric";
    const char *path = save_text(
        "fields.geojson",
        JSON(JSON_CRS("32632"),
             BOX("\"top\":10,\"height\":99,\"base\":0.5,\"number\":4711,\"fabric\":\"glass\"", "0", "0", "10",
                 "10") "," BOX("\"top\":null,\"geschoss\":2,\"base\":null,\"number\":\"4712\",\"fabric\":"
                               "\"gingerbread\"",
                               "20", "0", "30",
                               "10") "," BOX("\"top\":7,\"base\":\"0.25 m\",\"number\":null,\"fabric\":\"timber\"",
                                             "40", "0", "50", "10")));
    rcity_scene *scene = NULL;
    rcity_import_report report = {0};
    assert_ok(context, import_file(context, path, &options, &scene, &report));
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    assert_int_equal(shapes->prism_count, 3);
    assert_int_equal(shapes->buildings[0].id, 4711);
    assert_int_equal(shapes->buildings[1].id, 4712);
    assert_int_equal(shapes->buildings[2].id, 2); /* the number of the feature, counted from 0 in GeoJSON */
    assert_int_equal(shapes->buildings[0].height, 10 * 64);
    assert_int_equal(shapes->buildings[1].height, 8 * 64);
    assert_int_equal(shapes->prisms[0].ground, 32);
    assert_int_equal(shapes->prisms[0].roof, 10 * 64 + 32);
    assert_int_equal(shapes->prisms[1].ground, 0);
    assert_int_equal(shapes->prisms[2].ground, 16);
    assert_string_equal(shapes->buildings[0].material, "glass");
    assert_string_equal(shapes->buildings[1].material, "");
    assert_string_equal(shapes->buildings[2].material, "wood"); /* by the word map data use */
    assert_int_equal(report.unknown_material_count, 1);
    assert_string_equal(report.unknown_material, "gingerbread");
    assert_int_equal(report.floors_count, 1);
    assert_string_equal(report.floors_field, "geschoss");
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Buildings without height: refused with a count, given a default, or left out. */
static void test_without_height(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *text = JSON(JSON_CRS("32632"), BOX("\"height\":10", "0", "0", "10",
                                                   "10") "," BOX("\"height\":null", "20", "0", "30",
                                                                 "10") "," BOX("\"height\":0", "40", "0", "50", "10"));
    rcity_scene_info info = {0};
    rcity_import_report report = {0};
    assert_status(context, import_text(context, text, NULL, NULL, NULL), RCITY_ERR_FORMAT);
    assert_message(context, "2 of 3 buildings have no height");
    assert_message(context, "feature 1 of '");
    assert_message(context, "'height' is empty");
    assert_message(context, "`default-height-m=METRES`");
    assert_message(context, "`no-height=drop`");
    rcity_import_options options = rcity_import_options_default();
    options.default_height_m = 6.0;
    assert_ok(context, import_text(context, text, &options, &info, &report));
    assert_int_equal(info.building_count, 3);
    assert_near(info.height_min_m, 6.0, 0.0);
    assert_int_equal(report.without_height_count, 2);
    assert_int_equal(report.default_height_count, 2);
    assert_int_equal(report.dropped_count, 0);
    options = rcity_import_options_default();
    options.drop_without_height = true;
    assert_ok(context, import_text(context, text, &options, &info, &report));
    assert_int_equal(info.building_count, 1);
    assert_int_equal(report.feature_count, 3);
    assert_int_equal(report.dropped_count, 2);
    assert_int_equal(info.repair_count[RCITY_REPAIR_DROPPED_BUILDINGS], 0);
    /* left out for another reason, it is counted once: here the number of the second is none */
    const char *broken = JSON(JSON_CRS("32632"), BOX("\"height\":10,\"n\":\"1\"", "0", "0", "10", "10") "," BOX(
                                                     "\"height\":null,\"n\":\"two\"", "20", "0", "30", "10"));
    options.id_field = "n";
    options.scene.drop_invalid = true;
    assert_ok(context, import_text(context, broken, &options, &info, &report));
    assert_int_equal(report.feature_count, 2);
    assert_int_equal(report.without_height_count, 0);
    assert_int_equal(report.dropped_count, 0);
    assert_int_equal(info.repair_count[RCITY_REPAIR_DROPPED_BUILDINGS], 1);
    /* no field at all: a default alone is enough */
    const char *bare = JSON(JSON_CRS("32632"), BOX("\"name\":\"a\"", "0", "0", "10", "10"));
    options = rcity_import_options_default();
    options.default_height_m = 6.0;
    assert_ok(context, import_text(context, bare, &options, &info, &report));
    assert_near(info.height_max_m, 6.0, 0.0);
    rcity_context_destroy(&context);
}

/* Shapes of other kinds among the polygons, with heights in their coordinates, in collections. */
static void test_only_polygons_become_buildings(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_info info = {0};
    rcity_import_report report = {0};
    const char *text = JSON(
        JSON_CRS("32632"),
        ITEM("\"height\":10", "Polygon", "[[[0,0,5],[10,0,6],[10,10,7],[0,10,8],[0,0,5]]]") "," ITEM(
            "\"height\":10", "Point",
            "[3,3]") "," ITEM("\"height\":10", "LineString",
                              "[[3,3],[4,4]]") ","
                                               "{\"type\":\"Feature\",\"properties\":{\"height\":5},\"geometry\":null}"
                                               "," ITEM("\"height\":10", "Polygon",
                                                        "[]") ","
                                                              "{\"type\":\"Feature\",\"properties\":{\"height\":5},"
                                                              "\"geometry\":{\"type\":\"GeometryCollection\","
                                                              "\"geometries\":["
                                                              "{\"type\":\"Point\",\"coordinates\":[1,1]},{\"type\":"
                                                              "\"Polygon\",\"coordinates\":[" RING(
                                                                  "20", "0", "30",
                                                                  "10") "]},{\"type\":\"MultiPolygon\",\"coordinates\":"
                                                                        "[[" RING("40", "0", "50", "10") "]]}]}}");
    assert_ok(context, import_text(context, text, NULL, &info, &report));
    assert_int_equal(report.feature_count, 6);
    assert_int_equal(report.other_geometry_count, 4);
    assert_int_equal(report.part_count, 3);
    assert_int_equal(info.building_count, 3);
    assert_near(info.built_area_km2, 300e-6, 1e-12);
    rcity_context_destroy(&context);
}

/* A GeoPackage of surfaces, each 40 m high; a corner at 0, 0 becomes one that is no number. */
static const char *save_surfaces(const char *name, int count, const char *const *wkts)
{
    GDALAllRegister();
    const char *path = test_path(name);
    OGRSpatialReferenceH crs = OSRNewSpatialReference(NULL);
    assert_int_equal(OSRImportFromEPSG(crs, 32632), OGRERR_NONE);
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName("GPKG"), path, 0, 0, 0, GDT_Unknown, NULL);
    OGRLayerH layer = GDALDatasetCreateLayer(dataset, "towers", crs, wkbUnknown, NULL);
    OGRFieldDefnH field = OGR_Fld_Create("height", OFTInteger);
    OGR_L_CreateField(layer, field, TRUE);
    OGR_Fld_Destroy(field);
    for (int i = 0; i < count; i++) {
        OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
        char wkt[400];
        snprintf(wkt, sizeof wkt, "%s", wkts[i]);
        char *text = wkt;
        OGRGeometryH geometry = NULL;
        assert_int_equal(OGR_G_CreateFromWkt(&text, NULL, &geometry), OGRERR_NONE);
        bool is_plain = strncmp(wkts[i], "POLYGON", strlen("POLYGON")) == 0;
        OGRGeometryH ring = is_plain ? OGR_G_GetGeometryRef(geometry, 0) : NULL;
        for (int k = 0; is_plain && k < OGR_G_GetPointCount(ring); k++) {
            if (OGR_G_GetX(ring, k) == 0.0) {
                OGR_G_SetPoint_2D(ring, k, (double)NAN, (double)NAN);
            }
        }
        OGR_F_SetGeometryDirectly(feature, geometry);
        OGR_F_SetFieldInteger(feature, 0, 40);
        assert_int_equal(OGR_L_CreateFeature(layer, feature), OGRERR_NONE);
        OGR_F_Destroy(feature);
    }
    CPLPushErrorHandler(CPLQuietErrorHandler); /* the box around corners that are none */
    GDALClose(dataset);
    CPLPopErrorHandler();
    OSRDestroySpatialReference(crs);
    return path;
}

/* A round tower: its curve becomes lines that enclose nearly its area. */
static void test_curves_become_lines(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *const tower =
        "CURVEPOLYGON(CIRCULARSTRING(690990 5334000,691000 5334010,691010 5334000,691000 5333990,690990 5334000))";
    rcity_scene *scene = NULL;
    rcity_scene_info info = {0};
    assert_ok(context, import_file(context, save_surfaces("curve.gpkg", 1, &tower), NULL, &scene, NULL));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_true(info.wall_count >= 60);
    assert_near(info.built_area_km2 * 1e6, acos(-1.0) * 100.0, 1.0);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Surfaces that may have arcs and have none: national data are delivered so. */
static void test_straight_curves(void **state)
{
    (void)state;
    static const char *const houses[] = {
        "MULTISURFACE(((691000 5334000,691010 5334000,691010 5334010,691000 5334010,691000 5334000)))",
        "CURVEPOLYGON((691020 5334000,691030 5334000,691030 5334010,691020 5334010,691020 5334000))",
        "CURVEPOLYGON(COMPOUNDCURVE((691040 5334000,691050 5334000,691050 5334010),(691050 5334010,691040 5334010,"
        "691040 5334000)))",
        "MULTISURFACE(CURVEPOLYGON((691060 5334000,691070 5334000,691070 5334010,691060 5334010,691060 5334000)),"
        "((691080 5334000,691090 5334000,691090 5334010,691080 5334010,691080 5334000)))",
        "GEOMETRYCOLLECTION(MULTISURFACE(((691100 5334000,691110 5334000,691110 5334010,691100 5334010,691100 "
        "5334000))))",
    };
    rcity_context *context = test_context(1);
    rcity_scene *scene = NULL;
    rcity_scene_info info = {0};
    rcity_import_report report = {0};
    assert_ok(context, import_file(context, save_surfaces("straight.gpkg", 5, houses), NULL, &scene, &report));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(report.other_geometry_count, 0);
    assert_int_equal(report.part_count, 6);
    assert_int_equal(info.wall_count, 24);
    assert_near(info.built_area_km2 * 1e6, 600.0, 1e-6);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A corner that is no number is a defect, not a sliver. */
static void test_not_finite(void **state)
{
    (void)state;
    static const char *const houses[] = {
        "POLYGON((691000 5334000,691010 5334000,691010 5334010,691000 5334010,691000 5334000))",
        "POLYGON((0 0,691030 5334000,691030 5334010,691020 5334010,0 0))",
    };
    rcity_context *context = test_context(1);
    rcity_scene *scene = NULL;
    rcity_scene_info info = {0};
    rcity_import_report report = {0};
    const char *path = save_surfaces("nan.gpkg", 2, houses);
    assert_status(context, import_file(context, path, NULL, &scene, &report), RCITY_ERR_GEOMETRY);
    assert_message(context, "nan.gpkg' feature 2: the corner (nan, nan) is not finite");
    rcity_import_options options = rcity_import_options_default();
    options.scene.drop_invalid = true;
    assert_ok(context, import_file(context, path, &options, &scene, &report));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(report.sliver_count, 0);
    assert_int_equal(info.repair_count[RCITY_REPAIR_DROPPED_BUILDINGS], 1);
    assert_int_equal(info.building_count, 1);
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Among the usual names one that means something else here is passed over: words, and heights of other things. */
static void test_usual_names(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_info info = {0};
    rcity_import_report report = {0};
    const char *words =
        JSON(JSON_CRS("32632"), BOX("\"height\":\"low\",\"h\":\"\",\"hgt\":\"7 m\"", "0", "0", "10",
                                    "10") "," BOX("\"height\":\"tall\",\"hgt\":\"9\"", "20", "0", "30", "10"));
    assert_ok(context, import_text(context, words, NULL, &info, &report));
    assert_string_equal(report.height_field, "hgt");
    assert_near(info.height_max_m, 9.0, 0.0);
    /* a mistake in a field of numbers stays one */
    const char *mistake = JSON(JSON_CRS("32632"), BOX("\"height\":\"tall\"", "0", "0", "10",
                                                      "10") "," BOX("\"height\":\"9\"", "20", "0", "30", "10"));
    assert_status(context, import_text(context, mistake, NULL, &info, &report), RCITY_ERR_FORMAT);
    assert_message(context, "feature 0: 'tall' in the field 'height' is not a number");
    /* of the roof alone (OpenStreetMap), above the sea */
    static const char *const others[] = {
        JSON(JSON_CRS("32632"), BOX("\"roof_height\":3", "0", "0", "10", "10")),
        JSON(JSON_CRS("32632"), BOX("\"z_mean\":519.5", "0", "0", "10", "10")),
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_status(context, import_text(context, others[i], NULL, &info, &report), RCITY_ERR_ARGUMENT);
        assert_message(context, "no field with a usual name");
    }
    rcity_context_destroy(&context);
}

/* The note of the sources is cut between letters, not inside one. */
static void test_source_letters(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    char letters[92] = "a";
    for (size_t i = 0; i < 45; i++) {
        memcpy(letters + 1 + 2 * i, "\xc3\xbc", 3); /* u with two dots */
    }
    char name[120];
    snprintf(name, sizeof name, "%s.geojson", letters);
    char expected[120];
    snprintf(expected, sizeof expected, "%.79s", letters); /* 80 bytes would end inside one */
    rcity_scene *scene = NULL;
    rcity_scene_info info = {0};
    const char *path = save_text(name, JSON(JSON_CRS("32632"), BOX("\"height\":9", "0", "0", "10", "10")));
    assert_ok(context, import_file(context, path, NULL, &scene, NULL));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_string_equal(info.source, expected);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Remains of cutting are left out and counted; what only looks like them is not. */
static void test_slivers_are_left_out_and_counted(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_info info = {0};
    rcity_import_report report = {0};
    const char *text =
        JSON(JSON_CRS("32632"),
             /* a house with a part of 1 mm x 10 m, a part of 3 mm x 3 mm, one that is a point, and one bent around its
           corner */
             ITEM("\"height\":10", "MultiPolygon",
                  "[[" RING("0", "0", "10", "10") "],[" RING("10.5", "0", "10.501", "10") "],[" RING(
                      "20", "0", "20.003",
                      "0.003") "],"
                               "[[[5,20],[5,20],[5,20],[5,20]]],"
                               "[[[30,0],[40,0],[40,10],[39.999,10],[39.999,0.001],[30,0.001],[30,0]]]]") ","
             /* a feature that is a sliver all over, and a courtyard that is one */
             ITEM("\"height\":10", "Polygon", "[[[50,0],[60,7],[60.001,7.002],[50,0]]]") "," ITEM(
                 "\"height\":10", "Polygon", "[" RING("70", "0", "80", "10") "," RING("75", "2", "75.002", "8") "]") ","
             /* a thin wall is a wall */
             ITEM("\"height\":10", "Polygon", "[" RING("90", "0", "90.05", "10") "]"));
    assert_ok(context, import_text(context, text, NULL, &info, &report));
    assert_int_equal(report.feature_count, 4);
    assert_int_equal(report.sliver_count, 4 + 1 + 1);
    assert_int_equal(report.part_count, 3);
    assert_int_equal(info.building_count, 3);
    assert_near(info.built_area_km2 * 1e6, 100 + 100 + 0.5, 0.05);
    /* a bow tie has no area either, but it is a mistake */
    const char *tie =
        JSON(JSON_CRS("32632"), ITEM("\"height\":10", "Polygon", "[[[0,0],[10,10],[10,0],[0,10],[0,0]]]"));
    assert_status(context, import_text(context, tie, NULL, NULL, NULL), RCITY_ERR_GEOMETRY);
    assert_message(context, "crosses itself");
    assert_message(context, "test.geojson");
    rcity_context_destroy(&context);
}

/* Slivers and spikes of millimetres at any angle do no harm to the house they belong to. */
static void test_random_slivers(void **state)
{
    (void)state;
    const uint64_t seed = 77;
    print_message("seed %llu\n", (unsigned long long)seed);
    rcity_context *context = test_context(1);
    static char text[200000];
    size_t length =
        (size_t)snprintf(text, sizeof text, "{\"type\":\"FeatureCollection\"," JSON_CRS("32632") "\"features\":[");
    enum { COUNT = 300 };
    for (uint64_t i = 0; i < COUNT; i++) {
        double x = 691000.0 + 30.0 * (double)(i % 20) + test_uniform(seed, 8 * i, 0, 1);
        double y = 5334000.0 + 30.0 * (double)(i / 20) + test_uniform(seed, 8 * i + 1, 0, 1);
        double angle = test_uniform(seed, 8 * i + 2, 0, 6.28);
        double along = test_uniform(seed, 8 * i + 3, 0.01, 8);
        double width = test_uniform(seed, 8 * i + 4, 0, 0.019);
        double dx = along * cos(angle);
        double dy = along * sin(angle);
        double wx = -width * sin(angle);
        double wy = width * cos(angle);
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "%s{\"type\":\"Feature\",\"properties\":{\"height\":9},\"geometry\":{\"type\":"
                                   "\"MultiPolygon\",\"coordinates\":[[[[%.6f,"
                                   "%.6f],[%.6f,%.6f],[%.6f,%.6f],[%.6f,%.6f]]],[[[%.6f,%.6f],[%.6f,%.6f],[%.6f,%.6f],["
                                   "%.6f,%.6f],[%.6f,%.6f]]]]}}",
                                   i > 0 ? "," : "", x, y, x + 5, y, x, y + 5, x, y, x + 9, y + 9, x + 9 + dx,
                                   y + 9 + dy, x + 9 + dx + wx, y + 9 + dy + wy, x + 9 + wx, y + 9 + wy, x + 9, y + 9);
    }
    snprintf(text + length, sizeof text - length, "]}");
    rcity_scene_info info = {0};
    rcity_import_report report = {0};
    assert_ok(context, import_text(context, text, NULL, &info, &report));
    assert_int_equal(info.building_count, COUNT);
    assert_int_equal(report.sliver_count, COUNT);
    rcity_context_destroy(&context);
}

TEST_SUITE(import)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_format_gives_the_same_city),
        cmocka_unit_test(test_heights_are_read_in_every_spelling),
        cmocka_unit_test(test_named_fields_are_used),
        cmocka_unit_test(test_without_height),
        cmocka_unit_test(test_only_polygons_become_buildings),
        cmocka_unit_test(test_curves_become_lines),
        cmocka_unit_test(test_straight_curves),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_usual_names),
        cmocka_unit_test(test_source_letters),
        cmocka_unit_test(test_slivers_are_left_out_and_counted),
        cmocka_unit_test(test_random_slivers),
    };
    return cmocka_run_group_tests_name("import", tests, NULL, NULL);
}
