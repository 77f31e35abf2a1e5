/* Vector sources: layers, fields, broken and wrong files, OpenStreetMap. */
#include "import_test.h"

#include <cpl_error.h>

#include "heard_log.h"
#include "io/import/vector/vector.h"

static void test_osm_tags_are_found_by_key(void **state)
{
    (void)state;
    static const struct {
        const char *tags, *key, *value;
    } cases[] = {
        {"\"height\"=>\"12.5\"", "height", "12.5"},
        {"\"name\"=>\"height\",\"height\"=>\"9\"", "height", "9"}, /* a value is not a key */
        {"\"a\"=>\"1\", \"building:levels\"=>\"4\"", "building:levels", "4"},
        {"\"a\\\"b\"=>\"c\\\\d\\\"e\"", "a\"b", "c\\d\"e"},
        {"\"a\"=>NULL,\"height\"=>\"3\"", "height", "3"},
        {"\"a\"=>NULL,\"height\"=>\"3\"", "a", ""},
        {"\"Height\"=>\"3\"", "height", "3"},
        {"\"height\"=>\"\"", "height", ""},
        {"\"a\"=>\"b\"", "height", ""},
        {"", "height", ""},
        {"\"height", "height", ""},
        {"\"height\"=>\"3", "height", "3"},
        {"\"height\\", "height", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[16] = "old";
        rcity_tags_get(cases[i].tags, cases[i].key, text, sizeof text);
        assert_string_equal(text, cases[i].value);
    }
    char small[3];
    rcity_tags_get("\"a\"=>\"12345\"", "a", small, sizeof small);
    assert_string_equal(small, "12");
}

/* A GeoPackage with several layers; kinds are OGR's. */
static const char *make_layers(const char *name, int layer_count, const char *const *names,
                               const OGRwkbGeometryType *kinds)
{
    GDALAllRegister();
    const char *path = test_path(name);
    OGRSpatialReferenceH crs = OSRNewSpatialReference(NULL);
    OSRImportFromEPSG(crs, 32632);
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName("GPKG"), path, 0, 0, 0, GDT_Unknown, NULL);
    for (int i = 0; i < layer_count; i++) {
        OGRLayerH layer = GDALDatasetCreateLayer(dataset, names[i], crs, kinds[i], NULL);
        OGRFieldDefnH field = OGR_Fld_Create("height", OFTReal);
        OGR_L_CreateField(layer, field, TRUE);
        OGR_Fld_Destroy(field);
        OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
        OGRGeometryH geometry = NULL;
        char polygon[] = "POLYGON((0 0,10 0,10 10,0 10,0 0))";
        char point[] = "POINT(0 0)";
        char *text = kinds[i] == wkbPoint ? point : polygon;
        assert_int_equal(OGR_G_CreateFromWkt(&text, NULL, &geometry), OGRERR_NONE);
        OGR_F_SetGeometryDirectly(feature, geometry);
        OGR_F_SetFieldDouble(feature, 0, 10.0 + i);
        assert_int_equal(OGR_L_CreateFeature(layer, feature), OGRERR_NONE);
        OGR_F_Destroy(feature);
    }
    GDALClose(dataset);
    OSRDestroySpatialReference(crs);
    return path;
}

static void test_polygon_layer_is_chosen(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = NULL;
    rcity_scene_info info = {0};
    static const char *const names[] = {"trees", "houses", "garages"};
    static const OGRwkbGeometryType kinds[] = {wkbPoint, wkbPolygon, wkbPolygon};
    /* the only one with polygons */
    assert_ok(context, import_file(context, make_layers("two.gpkg", 2, names, kinds), NULL, &scene, NULL));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_near(info.height_max_m, 11.0, 0.0);
    rcity_scene_destroy(&scene);
    /* two with polygons: one must be chosen */
    const char *path = make_layers("three.gpkg", 3, names, kinds);
    assert_status(context, import_file(context, path, NULL, &scene, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "trees (Point), houses (Polygon), garages (Polygon)");
    assert_message(context, "`layer`");
    rcity_import_options options = rcity_import_options_default();
    options.building_layer = "garages";
    assert_ok(context, import_file(context, path, &options, &scene, NULL));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_near(info.height_max_m, 12.0, 0.0);
    rcity_scene_destroy(&scene);
    options.building_layer = "castles";
    assert_status(context, import_file(context, path, &options, &scene, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "no layer 'castles'");
    assert_message(context, "houses (Polygon)");
    options.building_layer = "trees";
    assert_status(context, import_file(context, path, &options, &scene, NULL), RCITY_ERR_FORMAT);
    assert_message(context, "holds no polygons");
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Fields that are not there, and values that are no numbers. */
static void test_missing_fields_are_refused_by_name(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_import_options options = rcity_import_options_default();
    const char *text =
        JSON(JSON_CRS("32632"), BOX("\"MEANHEIGHT\":10,\"name\":\"a\",\"tags\":[\"x\"]", "0", "0", "10", "10"));
    options.height_field = "MEANHIGHT";
    assert_status(context, import_text(context, text, &options, NULL, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "test.geojson' has no field 'MEANHIGHT' for `height-field`");
    assert_message(context, "(did you mean 'MEANHEIGHT'?); it has");
    assert_message(context, "it has: MEANHEIGHT, name, tags");
    options.height_field = "roof";
    assert_status(context, import_text(context, text, &options, NULL, NULL), RCITY_ERR_ARGUMENT);
    assert_null(strstr(rcity_context_message(context), "did you mean"));
    options.height_field = "tags";
    assert_status(context, import_text(context, text, &options, NULL, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "StringList");
    options = rcity_import_options_default();
    options.id_field = "number";
    assert_status(context, import_text(context, text, &options, NULL, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "'number' for `id-field`");
    options = rcity_import_options_default();
    options.ground_field = "base";
    assert_status(context, import_text(context, text, &options, NULL, NULL), RCITY_ERR_ARGUMENT);
    options = rcity_import_options_default();
    options.material_field = "stuff";
    assert_status(context, import_text(context, text, &options, NULL, NULL), RCITY_ERR_ARGUMENT);
    /* none of the usual names */
    const char *nameless = JSON(JSON_CRS("32632"), BOX("\"name\":\"a\",\"elevation\":500", "0", "0", "10", "10"));
    options = rcity_import_options_default();
    options.drop_without_height = true; /* would leave nothing */
    assert_status(context, import_text(context, nameless, &options, NULL, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "`height-field`");
    assert_message(context, "it has: name, elevation");
    rcity_context_destroy(&context);
}

static void test_bad_values_are_refused_or_dropped(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *tall = JSON(JSON_CRS("32632"), BOX("\"height\":\"10\",\"n\":1", "0", "0", "10",
                                                   "10") "," BOX("\"height\":\"tall\",\"n\":2", "20", "0", "30", "10"));
    rcity_scene_info info = {0};
    rcity_import_options options = rcity_import_options_default();
    options.default_height_m = 9.0; /* does not help: the value is wrong, not missing */
    assert_status(context, import_text(context, tall, &options, NULL, NULL), RCITY_ERR_FORMAT);
    assert_message(context, "test.geojson' feature 1: 'tall' in the field 'height' is not a number");
    assert_message(context, "`bad-buildings=drop`");
    options.scene.drop_invalid = true;
    assert_ok(context, import_text(context, tall, &options, &info, NULL));
    assert_int_equal(info.building_count, 1);
    assert_int_equal(info.repair_count[RCITY_REPAIR_DROPPED_BUILDINGS], 1);
    /* heights outside the limits are for the scene to refuse */
    const char *high = JSON(JSON_CRS("32632"), BOX("\"height\":1200", "0", "0", "10", "10"));
    assert_status(context, import_text(context, high, NULL, NULL, NULL), RCITY_ERR_GEOMETRY);
    assert_message(context, "test.geojson': building 0 is 1200 m high");
    /* numbers of buildings */
    options = rcity_import_options_default();
    options.id_field = "n";
    const char *half = JSON(JSON_CRS("32632"), BOX("\"height\":12,\"n\":1.5", "0", "0", "10", "10"));
    assert_status(context, import_text(context, half, &options, NULL, NULL), RCITY_ERR_FORMAT);
    assert_message(context, "'1.5' in the field 'n' is not a whole number");
    const char *word = JSON(JSON_CRS("32632"), BOX("\"height\":12,\"n\":\"A7\"", "0", "0", "10", "10"));
    assert_status(context, import_text(context, word, &options, NULL, NULL), RCITY_ERR_FORMAT);
    assert_message(context, "'A7' in the field 'n' is not a whole number");
    rcity_context_destroy(&context);
}

/* Files that are none, of other kinds, empty, cut. */
static void test_other_files_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = NULL;
    static const struct {
        const char *name, *text;
        rcity_status status;
        const char *message;
    } cases[] = {
        {"words.shp", "this is no shapefile", RCITY_ERR_FORMAT, "is no vector file"},
        {"words.txt", "hello", RCITY_ERR_FORMAT, "is no vector file"},
        {"empty.gpkg", "", RCITY_ERR_FORMAT, "is no vector file"},
        {"cut.geojson", "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\"", RCITY_ERR_FORMAT,
         "cut.geojson"},
        {"none.geojson", JSON(JSON_CRS("32632"), ""), RCITY_ERR_FORMAT, "holds no feature"},
        {"points.geojson", JSON(JSON_CRS("32632"), ITEM("\"height\":5", "Point", "[691000,5334000]")), RCITY_ERR_FORMAT,
         "holds no polygons"},
        {"table.csv", "name,height\na,5\n", RCITY_ERR_FORMAT, "holds no polygons"},
        {"grid.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n3 4\n", RCITY_ERR_FORMAT,
         "is a raster (AAIGrid)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *path = save_text(cases[i].name, cases[i].text);
        assert_status(context, import_file(context, path, NULL, &scene, NULL), cases[i].status);
        assert_message(context, cases[i].message);
        assert_message(context, cases[i].name);
    }
    assert_status(context, import_file(context, "/nowhere/at.all", NULL, &scene, NULL), RCITY_ERR_FILE);
    assert_message(context, "'/nowhere/at.all'");
    rcity_import_options options = rcity_import_options_default();
    assert_status(context, rcity_scene_import(context, &options, &scene, NULL), RCITY_ERR_ARGUMENT);
    assert_message(context, "nothing to import");
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* A Shapefile whose end is missing: an error, not half a city. */
static void test_truncated_shapefile_is_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = NULL;
    const char *source =
        save_text("whole.geojson", JSON(JSON_CRS("32632"), BOX("\"height\":5", "0", "0", "10", "10") "," BOX(
                                                               "\"height\":5", "20", "0", "30",
                                                               "10") "," BOX("\"height\":5", "40", "0", "50", "10")));
    const char *path = convert(source, "ESRI Shapefile", "cut.shp");
    FILE *file = fopen(path, "rb");
    char bytes[4000];
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    file = fopen(path, "wb");
    fwrite(bytes, 1, length - 60, file);
    fclose(file);
    assert_status(context, import_file(context, path, NULL, &scene, NULL), RCITY_ERR_FORMAT);
    assert_message(context, "cut.shp' is broken after 2 features");
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

#define NODE(id, lat, lon) "<node id=\"" #id "\" lat=\"" #lat "\" lon=\"" #lon "\"/>"
#define WAY(id, a, b, c, d, tags)                                                                                      \
    "<way id=\"" #id "\"><nd ref=\"" #a "\"/><nd ref=\"" #b "\"/><nd ref=\"" #c "\"/><nd ref=\"" #d                    \
    "\"/><nd ref=\"" #a "\"/>" tags "</way>"
#define TAG(key, value) "<tag k=\"" key "\" v=\"" value "\"/>"

/* Some 37 m by 33 m each: one with a height, one with levels, one with neither, one with a courtyard, a wood and a car
   park that is no building. */
static const char osm[] = "<?xml version=\"1.0\"?><osm version=\"0.6\">" NODE(1, 48.1400, 11.5700)
    NODE(2, 48.1400, 11.5705) NODE(3, 48.1403, 11.5705) NODE(4, 48.1403, 11.5700) NODE(5, 48.1400, 11.5710)
        NODE(6, 48.1400, 11.5715) NODE(7, 48.1403, 11.5715) NODE(8, 48.1403, 11.5710) NODE(9, 48.1400, 11.5720) NODE(
            10, 48.1400, 11.5725) NODE(11, 48.1403, 11.5725) NODE(12, 48.1403, 11.5720) NODE(13, 48.1401, 11.5722)
            NODE(14, 48.1401, 11.5723) NODE(15, 48.1402, 11.5723) NODE(16, 48.1402, 11.5722)
                WAY(1, 1, 2, 3, 4, TAG("building", "yes") TAG("height", "21 m") TAG("building:material", "brick")) WAY(
                    2, 5, 6, 7, 8,
                    TAG("building", "apartments") TAG("building:levels", "5") TAG("building:material", "cheese"))
                    WAY(3, 9, 10, 11, 12, "") WAY(4, 13, 14, 15, 16, "") WAY(5, 1, 6, 7, 4, TAG("amenity", "parking"))
                        WAY(6, 5, 10, 11, 8, TAG("landuse", "forest") TAG("height", "15"))
                            WAY(7, 1, 2, 3, 4,
                                TAG("building",
                                    "no")) "<relation id=\"1\"><member type=\"way\" ref=\"3\" role=\"outer\"/><member "
                                           "type=\"way\" ref=\"4\" role=\"inner\"/>" TAG("type", "multipolygon")
                                               TAG("building", "yes") "</relation></osm>";

static void test_openstreetmap_buildings_are_read(void **state)
{
    (void)state;
    GDALAllRegister();
    if (GDALGetDriverByName("OSM") == NULL) {
        print_message("SKIPPED: this GDAL does not read OpenStreetMap\n");
        skip();
    }
    rcity_context *context = test_context(1);
    rcity_scene *scene = NULL;
    rcity_scene_info info = {0};
    rcity_import_report report = {0};
    const char *path = save_text("town.osm", osm);
    assert_status(context, import_file(context, path, NULL, &scene, &report), RCITY_ERR_FORMAT);
    assert_message(context, "1 of 3 buildings have no height");
    rcity_import_options options = rcity_import_options_default();
    options.default_height_m = 4.0;
    options.vegetation_path = path;
    assert_ok(context, import_file(context, path, &options, &scene, &report));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_string_equal(info.crs, "EPSG:32632"); /* UTM of the middle */
    assert_int_equal(report.feature_count, 3);
    assert_int_equal(report.floors_count, 1);
    assert_int_equal(report.default_height_count, 1);
    assert_int_equal(report.unknown_material_count, 1);
    assert_string_equal(report.unknown_material, "cheese");
    assert_string_equal(report.height_field, "height");
    assert_string_equal(report.floors_field, "building:levels");
    assert_int_equal(info.building_count, 3);
    assert_near(info.height_max_m, 21.0, 0.0);
    assert_near(info.height_median_m, 15.0, 0.0);
    assert_int_equal(report.vegetation_count, 1);
    /* 0.0005 degrees of longitude times 0.0003 of latitude at 48.14 N, three times, less a courtyard */
    double area_m2 = 0.0005 * 74400.0 * 0.0003 * 111200.0;
    assert_near(info.built_area_km2 * 1e6, 3.0 * area_m2 - area_m2 / 15.0, 0.01 * area_m2);
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* A tower block drawn as parts alone: closed ways that are no building but parts of one. */
static void test_osm_parts(void **state)
{
    (void)state;
    GDALAllRegister();
    if (GDALGetDriverByName("OSM") == NULL) {
        print_message("SKIPPED: this GDAL does not read OpenStreetMap\n");
        skip();
    }
    static const char parts[] = "<?xml version=\"1.0\"?><osm version=\"0.6\">" NODE(1, 48.1400, 11.5700)
        NODE(2, 48.1400, 11.5705) NODE(3, 48.1403, 11.5705) NODE(4, 48.1403, 11.5700) NODE(5, 48.1400, 11.5710)
            NODE(6, 48.1400, 11.5715) NODE(7, 48.1403, 11.5715) NODE(8, 48.1403, 11.5710)
                WAY(1, 1, 2, 3, 4, TAG("building:part", "yes") TAG("height", "60") TAG("min_height", "9"))
                    WAY(2, 5, 6, 7, 8, TAG("building:part", "no") TAG("height", "99"))
                        WAY(3, 5, 6, 7, 8, TAG("building", "yes") TAG("building:levels", "3")) "</osm>";
    rcity_context *context = test_context(1);
    rcity_scene *scene = NULL;
    rcity_scene_info info = {0};
    rcity_import_report report = {0};
    assert_ok(context, import_file(context, save_text("parts.osm", parts), NULL, &scene, &report));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(report.feature_count, 2);
    assert_int_equal(report.floors_count, 1);
    assert_int_equal(report.floating_count, 1); /* nothing is below the block of 60 m that begins at 9 m */
    assert_near(info.height_max_m, 9.0, 0.0);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A square of a town, some 37 m wide and 33 m deep: its corners are nodes 1 to 4, a half of it is 1, 5, 6, 4, the other
   half 5, 2, 3, 6; squares 11 to 14 and 21 to 24 lie to the east. */
#define TOWN(ways)                                                                                                     \
    "<?xml version=\"1.0\"?><osm version=\"0.6\">" NODE(1, 48.1400, 11.5700) NODE(2, 48.1400, 11.5706)                 \
        NODE(3, 48.1403, 11.5706) NODE(4, 48.1403, 11.5700) NODE(5, 48.1400, 11.5703) NODE(6, 48.1403, 11.5703)        \
            NODE(11, 48.1400, 11.5710) NODE(12, 48.1400, 11.5716) NODE(13, 48.1403, 11.5716)                           \
                NODE(14, 48.1403, 11.5710) NODE(21, 48.1400, 11.5720) NODE(22, 48.1400, 11.5726)                       \
                    NODE(23, 48.1403, 11.5726) NODE(24, 48.1403, 11.5720) ways "</osm>"
#define HOUSE(height) WAY(90, 21, 22, 23, 24, TAG("building", "yes") TAG("height", height))

/* What of a town becomes prisms, and how it is counted. The house to the east has 7 m in all of them. */
static void test_osm_buildings_that_do_not_stand_on_the_ground(void **state)
{
    (void)state;
    GDALAllRegister();
    if (GDALGetDriverByName("OSM") == NULL) {
        print_message("SKIPPED: this GDAL does not read OpenStreetMap\n");
        skip();
    }
    static const struct {
        const char *ways;
        int64_t building_count;
        double height_max_m;
        int64_t underground_count, open_roof_count, floating_count, replaced_count;
    } cases[] = {
        {WAY(1, 1, 2, 3, 4, TAG("building", "yes") TAG("height", "20") TAG("layer", "-1")), 1, 7.0, 1, 0, 0, 0},
        {WAY(1, 1, 2, 3, 4, TAG("building", "yes") TAG("height", "20") TAG("location", "underground")), 1, 7.0, 1, 0, 0,
         0},
        {WAY(1, 1, 2, 3, 4, TAG("building", "yes") TAG("height", "20") TAG("layer", "1")), 2, 20.0, 0, 0, 0, 0},
        {WAY(1, 1, 2, 3, 4, TAG("building", "roof") TAG("height", "9")), 1, 7.0, 0, 1, 0, 0},
        {WAY(1, 1, 2, 3, 4, TAG("building:part", "roof") TAG("height", "9")), 1, 7.0, 0, 1, 0, 0},
        /* a bridge between towers, stated in metres and in levels */
        {WAY(1, 1, 2, 3, 4, TAG("building", "yes") TAG("height", "20") TAG("min_height", "12")), 1, 7.0, 0, 0, 1, 0},
        {WAY(1, 1, 2, 3, 4, TAG("building", "yes") TAG("height", "20") TAG("building:min_level", "4")), 1, 7.0, 0, 0, 1,
         0},
        /* a tower on a base, and a spire on that tower */
        {WAY(1, 1, 2, 3, 4, TAG("building:part", "yes") TAG("height", "12"))
             WAY(2, 1, 5, 6, 4, TAG("building:part", "yes") TAG("height", "60") TAG("min_height", "12")),
         3, 60.0, 0, 0, 0, 0},
        {WAY(1, 1, 2, 3, 4, TAG("building:part", "yes") TAG("height", "12"))
             WAY(2, 1, 5, 6, 4, TAG("building:part", "yes") TAG("height", "80") TAG("min_height", "60"))
                 WAY(3, 1, 5, 6, 4, TAG("building:part", "yes") TAG("height", "60") TAG("min_height", "12 m")),
         4, 80.0, 0, 0, 0, 0},
        /* the same spire without the tower hangs in the air */
        {WAY(1, 1, 2, 3, 4, TAG("building:part", "yes") TAG("height", "12"))
             WAY(2, 1, 5, 6, 4, TAG("building:part", "yes") TAG("height", "80") TAG("min_height", "60")),
         2, 12.0, 0, 0, 1, 0},
        /* an outline with the height of its highest part: both halves, then only one, is drawn */
        {WAY(1, 1, 2, 3, 4, TAG("building", "yes") TAG("height", "50"))
             WAY(2, 1, 5, 6, 4, TAG("building:part", "yes") TAG("height", "50"))
                 WAY(3, 5, 2, 3, 6, TAG("building:part", "yes") TAG("height", "10")),
         3, 50.0, 0, 0, 0, 1},
        {WAY(1, 1, 2, 3, 4, TAG("building", "yes") TAG("height", "20"))
             WAY(2, 1, 5, 6, 4, TAG("building:part", "yes") TAG("height", "50")),
         3, 50.0, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rcity_context *context = test_context(1);
        rcity_scene *scene = NULL;
        rcity_scene_info info = {0};
        rcity_import_report report = {0};
        char text[4000];
        snprintf(text, sizeof text, TOWN("%s%s"), HOUSE("7"), cases[i].ways);
        assert_ok(context, import_file(context, save_text("town.osm", text), NULL, &scene, &report));
        assert_ok(context, rcity_scene_describe(scene, &info));
        assert_near(info.height_max_m, cases[i].height_max_m, 0.0);
        assert_int_equal(report.underground_count, cases[i].underground_count);
        assert_int_equal(report.open_roof_count, cases[i].open_roof_count);
        assert_int_equal(report.floating_count, cases[i].floating_count);
        assert_int_equal(report.replaced_count, cases[i].replaced_count);
        assert_int_equal(info.building_count, cases[i].building_count);
        rcity_scene_destroy(&scene);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
    }
}

/* One mapper's words do not refuse a town: they count as unknown. */
static void test_osm_heights_that_are_words(void **state)
{
    (void)state;
    GDALAllRegister();
    if (GDALGetDriverByName("OSM") == NULL) {
        print_message("SKIPPED: this GDAL does not read OpenStreetMap\n");
        skip();
    }
    rcity_context *context = test_context(1);
    rcity_scene *scene = NULL;
    rcity_scene_info info = {0};
    rcity_import_report report = {0};
    rcity_import_options options = rcity_import_options_default();
    const char *path =
        save_text("words.osm", TOWN(WAY(1, 1, 2, 3, 4, TAG("building", "yes") TAG("height", "~3"))
                                        WAY(2, 11, 12, 13, 14, TAG("building", "yes") TAG("building:levels", "3;4"))
                                            HOUSE("very tall")));
    assert_status(context, import_file(context, path, NULL, &scene, NULL), RCITY_ERR_FORMAT);
    assert_message(context, "'height' is very tall; give `default-height-m=METRES`");
    options.default_height_m = 6.0;
    assert_ok(context, import_file(context, path, &options, &scene, &report));
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_near(info.height_min_m, 3.0, 0.0);
    assert_near(info.height_median_m, 6.0, 0.0);
    assert_near(info.height_max_m, 12.0, 0.0);
    assert_int_equal(report.unread_value_count, 1);
    assert_string_equal(report.unread_value, "very tall");
    assert_int_equal(report.default_height_count, 1);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* The n-th allocation fails: nothing stays behind. */
static void test_osm_without_memory(void **state)
{
    (void)state;
    GDALAllRegister();
    if (GDALGetDriverByName("OSM") == NULL) {
        skip();
    }
    const char *path =
        save_text("memory.osm",
                  TOWN(WAY(1, 1, 2, 3, 4, TAG("building:part", "yes") TAG("height", "12"))
                           WAY(2, 1, 5, 6, 4, TAG("building:part", "yes") TAG("height", "60") TAG("min_height", "12"))
                               HOUSE("7")));
    bool is_done = false;
    for (long n = 1; !is_done; n++) {
        failing_allocator failing = {.fail_at = 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_scene *scene = NULL;
        failing.fail_at = failing.call_count + n;
        rcity_status status = import_file(context, path, NULL, &scene, NULL);
        is_done = status == RCITY_OK;
        assert_true(is_done || status == RCITY_ERR_MEMORY);
        assert_int_equal(scene != NULL, is_done);
        failing.fail_at = 0;
        rcity_scene_destroy(&scene);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    }
}

/* Of many warnings the first five are passed on. */
static void test_only_five_warnings_are_passed_on(void **state)
{
    (void)state;
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    rcity_gdal_call call;
    rcity_gdal_open(context, "test", &call);
    for (int i = 0; i < 100; i++) {
        CPLError(CE_Warning, CPLE_AppDefined, "number %d", i);
        assert_true(i >= 5 || heard.count == i + 1);
    }
    rcity_gdal_close(&call);
    assert_int_equal(heard.count, 6);
    assert_non_null(strstr(heard.text, "more warnings"));
    rcity_context_destroy(&context);
}

TEST_SUITE(vector)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_osm_tags_are_found_by_key),
        cmocka_unit_test(test_polygon_layer_is_chosen),
        cmocka_unit_test(test_missing_fields_are_refused_by_name),
        cmocka_unit_test(test_bad_values_are_refused_or_dropped),
        cmocka_unit_test(test_other_files_are_refused),
        cmocka_unit_test(test_truncated_shapefile_is_refused),
        cmocka_unit_test(test_openstreetmap_buildings_are_read),
        cmocka_unit_test(test_osm_parts),
        cmocka_unit_test(test_osm_buildings_that_do_not_stand_on_the_ground),
        cmocka_unit_test(test_osm_heights_that_are_words),
        cmocka_unit_test(test_osm_without_memory),
        cmocka_unit_test(test_only_five_warnings_are_passed_on),
    };
    return cmocka_run_group_tests_name("vector", tests, NULL, NULL);
}
