/* Lists of points. */
#include "heard_log.h"

#include "base/base.h"
#include "io/list/records.h"

static rcity_scene *make_scene(rcity_context *context, const char *crs)
{
    const test_box boxes[] = {{424000.0, 4514000.0, 424020.0, 4514030.0, 20.0},
                              {426000.0, 4516000.0, 426020.0, 4516030.0, 20.0}};
    return test_scene_in(context, crs, boxes, 2);
}

static void test_points_are_read_from_columns(void **state)
{
    (void)state;
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    rcity_scene *scene = make_scene(context, NULL);
    const char *path = test_text(context, "points.csv", "x,y,name,h\n1,2,first,3.5\n4,5,,\n7,8,third,0\n");
    rcity_points *points = NULL;
    assert_ok(context, rcity_points_load(context, scene, path, 1.5, &points));
    const double expected[] = {1.0, 2.0, 3.5, 4.0, 5.0, 1.5, 7.0, 8.0, 0.0};
    assert_int_equal(rcity_points_count(points), 3);
    for (int i = 0; i < 9; i++) {
        assert_near(rcity_points_xyh(points)[i], expected[i], 0.0);
    }
    assert_string_equal(rcity_points_name(points, 0), "first");
    assert_string_equal(rcity_points_name(points, 1), "2");
    assert_string_equal(rcity_points_name(points, 2), "third");
    assert_int_equal(heard.count, 0);
    rcity_points_destroy(&points);
    assert_null(points);
    rcity_points_destroy(&points);
    rcity_points_destroy(NULL);
    /* no names, no heights; columns of no use are named in one line */
    path = test_text(context, "more.csv", "Easting;Northing;rsrp;pci\n1,5;2;-90;7\n");
    assert_ok(context, rcity_points_load(context, scene, path, 2.0, &points));
    assert_near(rcity_points_xyh(points)[0], 1.5, 0.0);
    assert_near(rcity_points_xyh(points)[2], 2.0, 0.0);
    assert_string_equal(rcity_points_name(points, 0), "1");
    assert_int_equal(heard.count, 1);
    assert_non_null(strstr(heard.text, "2 columns are not used: rsrp, pci"));
    rcity_points_destroy(&points);
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_bad_points_are_refused_with_line(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_scene(context, NULL);
    static const struct {
        const char *text;
        rcity_status status;
        const char *message;
    } cases[] = {
        {"x,y\n", RCITY_ERR_FORMAT, "lists no point"},
        {"a,b\n1,2\n", RCITY_ERR_FORMAT,
         "has neither columns x and y nor lon and lat; its first line must name the columns, and has: a, b"},
        {"x,y\n1,2\n3,\n", RCITY_ERR_FORMAT, "line 3: 'x' is filled and y is not"},
        {"x,y,height_m\n1,2,-1\n", RCITY_ERR_FORMAT, "column 'height_m': -1 is out of range, must be 0 to 2000"},
        {"x,y,height_m\n1,2,high\n", RCITY_ERR_FORMAT, "'high' is not a number"},
    };
    rcity_points *points = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *path = test_text(context, "bad.csv", cases[i].text);
        assert_status(context, rcity_points_load(context, scene, path, 1.5, &points), cases[i].status);
        assert_message(context, cases[i].message);
        assert_message(context, "bad.csv'");
        assert_null(points);
    }
    const char *path = test_text(context, "good.csv", "x,y\n1,2\n");
    assert_status(context, rcity_points_load(context, scene, path, -1.0, &points), RCITY_ERR_ARGUMENT);
    assert_message(context, "receiver height is -1 m");
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Drive tests: many rows of RxLon, RxLat, brought over at once and each to its own place. */
static void test_lonlat_points_keep_their_places(void **state)
{
    (void)state;
    if (!rcity_build_features_get().has_geotiff) {
        print_message("SKIPPED: a build without GDAL knows no CRS\n");
        skip();
    }
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_scene(context, "EPSG:26912");
    enum { COUNT = 3000 };
    static char text[COUNT * 40];
    size_t length = (size_t)snprintf(text, sizeof text, "RxLat,RxLon\n");
    for (int i = 0; i < COUNT; i++) {
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%.6f,%.6f\n", 40.77 + 1e-5 * i, -111.88 - 2e-5 * i);
    }
    rcity_points *points = NULL;
    assert_ok(context, rcity_points_load(context, scene, test_text(context, "route.csv", text), 1.5, &points));
    assert_int_equal(rcity_points_count(points), COUNT);
    for (int i = 0; i < COUNT; i += 499) {
        double x_m;
        double y_m;
        assert_ok(context, rcity_scene_place_lonlat(context, scene, -111.88 - 2e-5 * i, 40.77 + 1e-5 * i, &x_m, &y_m));
        assert_near(rcity_points_xyh(points)[3 * i], x_m, 1e-6);
        assert_near(rcity_points_xyh(points)[3 * i + 1], y_m, 1e-6);
    }
    rcity_points_destroy(&points);
    const char *path = test_text(context, "swapped.csv", "lon,lat\n-111.88,40.77\n40.77,-111.88\n");
    assert_status(context, rcity_points_load(context, scene, path, 1.5, &points), RCITY_ERR_ARGUMENT);
    assert_message(context, "swapped.csv' line 3: longitude 40.77, latitude -111.88");
    assert_null(points);
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* A measured route of a drive test: tens of thousands of points, with a byte-order mark. */
static void test_measured_route_is_read_whole(void **state)
{
    (void)state;
    const char *path = test_data("saltlakecity/SaltLakeCity_Urban_CityCreek_3475_20230710.csv");
    if (path == NULL || !rcity_build_features_get().has_geotiff) {
        skip();
    }
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_scene(context, "EPSG:26912");
    rcity_points *points = NULL;
    double start_s = rcity_clock_s();
    assert_ok(context, rcity_points_load(context, scene, path, 2.0, &points));
    print_message("%lld points in %.2f s\n", (long long)rcity_points_count(points), rcity_clock_s() - start_s);
    assert_int_equal(rcity_points_count(points), 66987);
    assert_string_equal(rcity_points_name(points, 0), "1");
    double x_m;
    double y_m;
    assert_ok(context, rcity_scene_place_lonlat(context, scene, -111.885664, 40.779643, &x_m, &y_m));
    assert_near(rcity_points_xyh(points)[0], x_m, 1e-6);
    assert_near(rcity_points_xyh(points)[1], y_m, 1e-6);
    assert_near(rcity_points_xyh(points)[2], 2.0, 0.0);
    rcity_points_destroy(&points);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Points as GDAL reads them: their CRS is known by its code, and a long list can be given up. */
static bool say_no(void *user, const char *task, double done, double total)
{
    (void)task;
    int *count = user;
    (*count)++;
    assert_true(done <= total);
    return false;
}

static void test_vector_points_are_read_and_cancelled(void **state)
{
    (void)state;
    if (!rcity_build_features_get().has_geotiff) {
        print_message("SKIPPED: a build without GDAL reads no vectors\n");
        skip();
    }
    enum { COUNT = 5000 };
    static char text[COUNT * 120];
    size_t length =
        (size_t)snprintf(text, sizeof text,
                         "{\"type\":\"FeatureCollection\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":"
                         "\"urn:ogc:def:crs:EPSG::26912\"}},\"features\":[");
    for (int i = 0; i < COUNT; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "%s{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"Point\","
                                   "\"coordinates\":[%d,4515000]}}",
                                   i > 0 ? "," : "", 424000 + i);
    }
    snprintf(text + length, sizeof text - length, "]}");
    rcity_context *context = test_context(1);
    const char *path = test_text(context, "many.geojson", text);
    rcity_records records;
    assert_ok(context, rcity_records_load(context, path, &records));
    assert_int_equal(rcity_records_count(&records), COUNT);
    assert_string_equal(records.crs, "EPSG:26912");
    assert_near(records.xy[2 * (COUNT - 1)], 424000.0 + COUNT - 1, 0.0);
    rcity_records_deinit(&records);
    rcity_context_destroy(&context);
    int asked_count = 0;
    rcity_context_options options = rcity_context_options_default();
    options.progress = say_no;
    options.progress_user = &asked_count;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    assert_status(context, rcity_records_load(context, path, &records), RCITY_ERR_CANCELLED);
    assert_int_equal(asked_count, 1);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* GeoJSON without a CRS is in degrees, and people write metres into it all the same: what was made of them is said. */
static void test_unsaid_degrees(void **state)
{
    (void)state;
    if (!rcity_build_features_get().has_geotiff) {
        print_message("SKIPPED: a build without GDAL reads no vectors\n");
        skip();
    }
    static const struct {
        const char *crs;
        const char *coordinates; /* of a second point */
        rcity_status status;
        const char *words; /* of the message, or of the one warning */
    } cases[] = {
        {NULL, "100,20", RCITY_ERR_ARGUMENT,
         "feature 1: GeoJSON that states no CRS is in degrees (RFC 7946), metres go into a CSV with columns x and y: "
         "longitude 100, latitude 20: the scene has no CRS"},
        {NULL, "425000,4515000", RCITY_OK, "points.geojson' states no CRS, which means degrees in GeoJSON"},
        {"EPSG:26912", "-111.888,40.784", RCITY_OK, NULL},
        {"EPSG:26912", "425000,4515000", RCITY_ERR_ARGUMENT,
         "GeoJSON that states no CRS is in degrees (RFC 7946), metres go into a CSV with columns x and y: longitude "
         "425000, latitude 4515000 is no place on Earth"},
        {"EPSG:26912", "40.784,-111.888", RCITY_ERR_ARGUMENT,
         "feature 1: longitude 40.784, latitude -111.888 lies far"},
        {"EPSG:26912", "100,20", RCITY_ERR_ARGUMENT, "km from the scene; correct it or leave it out"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        heard_log heard;
        char text[600];
        rcity_context *context = heard_log_context(&heard);
        rcity_scene *scene = make_scene(context, cases[i].crs);
        snprintf(
            text, sizeof text,
            "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"id\":0,\"properties\":{\"x\":424100,"
            "\"y\":4514200},\"geometry\":null},{\"type\":\"Feature\",\"id\":1,\"properties\":{},"
            "\"geometry\":{\"type\":\"Point\",\"coordinates\":[%s]}}]}",
            cases[i].coordinates);
        rcity_points *points = NULL;
        const char *path = test_text(context, "points.geojson", text);
        assert_status(context, rcity_points_load(context, scene, path, 1.5, &points), cases[i].status);
        if (cases[i].status != RCITY_OK) {
            assert_message(context, cases[i].words);
        } else {
            assert_int_equal(heard.count, cases[i].words != NULL ? 1 : 0);
            assert_non_null(strstr(heard.text, cases[i].words != NULL ? cases[i].words : ""));
        }
        rcity_points_destroy(&points);
        rcity_scene_destroy(&scene);
        rcity_context_destroy(&context);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    rcity_context *writer = test_context(1);
    const char *path = test_text(writer, "memory.csv", "x,y,name\n1,2,a\n3,4,b\n");
    rcity_context_destroy(&writer);
    bool is_done = false;
    for (long n = 1; !is_done; n++) {
        failing_allocator failing = {0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_scene *scene = make_scene(context, NULL);
        uint64_t before = rcity_context_memory_used(context);
        failing.fail_at = failing.call_count + n;
        rcity_points *points = NULL;
        rcity_status status = rcity_points_load(context, scene, path, 1.5, &points);
        failing.fail_at = 0;
        is_done = status == RCITY_OK;
        assert_true(is_done || status == RCITY_ERR_MEMORY);
        rcity_points_destroy(&points);
        assert_int_equal(rcity_context_memory_used(context), before);
        rcity_scene_destroy(&scene);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
        assert_true(!is_done || n > 8);
    }
}

TEST_SUITE(points)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_are_read_from_columns),
        cmocka_unit_test(test_bad_points_are_refused_with_line),
        cmocka_unit_test(test_lonlat_points_keep_their_places),
        cmocka_unit_test(test_measured_route_is_read_whole),
        cmocka_unit_test(test_vector_points_are_read_and_cancelled),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_unsaid_degrees),
    };
    return cmocka_run_group_tests_name("points", tests, NULL, NULL);
}
