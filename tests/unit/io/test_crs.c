/* Coordinate reference systems: places against published ones, true north against its formula. */
#include "rcity_test.h"

#include "radiocity/crs.h"

static void test_unusable_crs_is_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    assert_ok(context, rcity_crs_check(context, "EPSG:32632"));
    assert_ok(context, rcity_crs_check(context, "EPSG:31468"));
    assert_ok(context, rcity_crs_check(context, "none"));
    assert_ok(context, rcity_crs_check(context, "+proj=utm +zone=12 +datum=NAD83 +units=m"));
    static const struct {
        const char *crs;
        const char *message;
    } cases[] = {
        {"EPSG:999999", "'EPSG:999999' is not known"},
        {"somewhere", "'somewhere' is not known"},
        {"", "is not known"},
        {"EPSG:4326", "does not count in metres"},
        {"EPSG:2263", "does not count in metres"}, /* New York in feet */
        {"EPSG:4978", "does not count in metres"}, /* geocentric */
        {"EPSG:5773", "is not projected"},         /* heights alone */
        {"LOCAL_CS[\"site\",UNIT[\"metre\",1]]", "is not projected"},
        {"ENGCRS[\"site\",EDATUM[\"\"],CS[Cartesian,2],AXIS[\"x\",east],AXIS[\"y\",north],LENGTHUNIT[\"metre\",1]]",
         "is not projected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_status(context, rcity_crs_check(context, cases[i].crs), RCITY_ERR_ARGUMENT);
        assert_message(context, cases[i].message);
    }
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* A scene's plane has x to the east, y to the north and true metres. */
static void test_swapped_axes_and_false_metres_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static const char *const good[] = {
        "EPSG:5514",  /* Krovak with x east and y north */
        "EPSG:2193",  /* northing first on paper */
        "EPSG:31468", /* Gauss-Krueger, the same */
        "EPSG:3035",
        "EPSG:2154",
        "EPSG:27700",
        "EPSG:2056",
        "EPSG:28992",
        "EPSG:3031",
        "EPSG:3413", /* round the poles */
        "EPSG:3571",
        "EPSG:32661",
        "EPSG:5555", /* with heights */
        "+proj=lcc +lat_1=-20 +lat_2=-23 +lat_0=-21.5 +lon_0=166 +ellps=GRS80",
        "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +datum=WGS84",
        "+proj=merc +lat_ts=56 +datum=WGS84",
        "+proj=tmerc +lat_0=48 +lon_0=11.5 +ellps=GRS80",
        "http://www.opengis.net/def/crs/EPSG/0/32632",
        "urn:ogc:def:crs:EPSG::32632",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_ok(context, rcity_crs_check(context, good[i]));
    }
    static const struct {
        const char *crs;
        const char *message;
    } cases[] = {
        {"EPSG:5513", "its x axis runs south and its y axis west"}, /* Krovak as it was first drawn up */
        {"EPSG:2065", "its x axis runs south and its y axis west"},
        {"EPSG:5513", "EPSG:5514"},
        {"EPSG:2048", "its x axis runs west and its y axis south"}, /* South Africa: turned by half */
        {"+proj=utm +zone=33 +datum=WGS84 +axis=wnu", "its x axis runs west and its y axis north"},
        {"EPSG:3857",
         "at latitude 45, for example, a metre of it is 0.70"}, /* its cosine, and the Earth's flattening */
        {"EPSG:3857", "; give `crs` one for the place"},
        {"EPSG:3395", "a metre of it is 0.70"},
        {"+proj=merc +a=6378137 +b=6378137 +units=m", "a metre of it is 0.70"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_status(context, rcity_crs_check(context, cases[i].crs), RCITY_ERR_ARGUMENT);
        assert_message(context, cases[i].message);
    }
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* No text of a CRS makes the library open a file or ask the network. */
static void test_no_files(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = test_path("zone.prj");
    assert_ok(context, rcity_text_save(context, path, "EPSG:32632"));
    char prefixed[400];
    snprintf(prefixed, sizeof prefixed, "  ESRI::%s", path);
    const char *cases[] = {
        path,
        prefixed,
        "/vsimem/zone.prj",
        "/vsicurl/http://127.0.0.1:9/zone.prj",
        "http://127.0.0.1:9/zone.prj",
        "HTTPS://127.0.0.1:9/zone.prj",
        "DICT:zone.prj,32632",
        ".", /* a name of something there */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_status(context, rcity_crs_check(context, cases[i]), RCITY_ERR_ARGUMENT);
        assert_message(context, "is a file or an address, which is not opened");
        assert_message(context, "EPSG:32632");
        double xy[2] = {11.0, 48.0};
        assert_status(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, cases[i], 1, xy), RCITY_ERR_ARGUMENT);
    }
    rcity_context_destroy(&context);
}

/* Published examples. */
static void test_transformations_match_published_examples(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    /* Snyder, Map Projections: A Working Manual (USGS 1395, 1987), page 269: 40 30 N, 73 30 W on the Clarke 1866
       ellipsoid, central meridian 75 W: x = 127106.5 m, y = 4484124.4 m */
    double snyder[2] = {-73.5, 40.5};
    assert_ok(context, rcity_crs_transform(context, "+proj=longlat +ellps=clrk66", "+proj=utm +zone=18 +ellps=clrk66",
                                           1, snyder));
    assert_near(snyder[0], 500000.0 + 127106.5, 0.1);
    assert_near(snyder[1], 4484124.4, 0.1);
    /* IOGP Guidance Note 7-2, Transverse Mercator: 50 30 N, 0 30 E on OSGB 1936: E = 577274.99, N = 69740.50 */
    double britain[2] = {0.5, 50.5};
    assert_ok(context, rcity_crs_transform(context, "EPSG:4277", "EPSG:27700", 1, britain));
    assert_near(britain[0], 577274.99, 0.01);
    assert_near(britain[1], 69740.50, 0.01);
    /* the other way */
    double back[2] = {577274.99, 69740.50};
    assert_ok(context, rcity_crs_transform(context, "EPSG:27700", "EPSG:4277", 1, back));
    assert_near(back[0], 0.5, 2e-7);
    assert_near(back[1], 50.5, 2e-7);
    /* on the central meridian x is 500 km; on the equator y is 0 in the north and 10000 km in the south */
    double middle[4] = {9.0, 0.0, 9.0, -1e-12};
    assert_ok(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, "EPSG:32632", 2, middle));
    assert_near(middle[0], 500000.0, 1e-6);
    assert_near(middle[1], 0.0, 1e-6);
    double south[2] = {9.0, 0.0};
    assert_ok(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, "EPSG:32732", 1, south));
    assert_near(south[1], 10e6, 1e-6);
    rcity_context_destroy(&context);
}

/* There and back again, over more points than a block holds, in CRS of both axis orders. Well inside their areas: near
   the rim of one PROJ may choose one of several datum shifts there and another one back. */
static void test_round_trip(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    const uint64_t seed = 20241;
    print_message("seed %llu\n", (unsigned long long)seed);
    static const struct {
        const char *crs;
        double lon_deg, lat_deg;
    } cases[] = {{"EPSG:32632", 11.5, 48.1},
                 {"EPSG:31468", 12.0, 49.0},
                 {"EPSG:2193", 174.8, -41.3},
                 {"EPSG:3857", -70.0, 44.0}};
    rcity_context *context = test_context(1);
    static double lonlat[2 * COUNT];
    static double xy[2 * COUNT];
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (uint64_t i = 0; i < COUNT; i++) {
            lonlat[2 * i] = cases[c].lon_deg + test_uniform(seed, 2 * i, -0.5, 0.5);
            lonlat[2 * i + 1] = cases[c].lat_deg + test_uniform(seed, 2 * i + 1, -0.5, 0.5);
        }
        memcpy(xy, lonlat, sizeof xy);
        assert_ok(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, cases[c].crs, COUNT, xy));
        assert_ok(context, rcity_crs_transform(context, cases[c].crs, RCITY_CRS_LONLAT, COUNT, xy));
        for (int i = 0; i < 2 * COUNT; i++) {
            assert_near(xy[i], lonlat[i], 2e-8); /* some millimetres */
        }
    }
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_bad_points(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    double xy[4] = {11.0, 48.0, 11.0, 148.0};
    assert_status(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, "EPSG:32632", 2, xy), RCITY_ERR_ARGUMENT);
    assert_message(context, "point 2 at (11, 148)");
    assert_near(xy[0], 11.0, 0.0); /* the good one stayed, too */
    assert_status(context, rcity_crs_transform(context, "none", "EPSG:32632", 2, xy), RCITY_ERR_ARGUMENT);
    assert_message(context, "without CRS");
    assert_status(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, "EPSG:0", 2, xy), RCITY_ERR_ARGUMENT);
    assert_message(context, "EPSG:0");
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Convergence of a transverse Mercator: atan(tan(longitude from the central meridian) sin(latitude)), exact on a sphere
   and to some 1e-4 degrees within a zone on the ellipsoid. */
static void test_convergence_follows_its_formula(void **state)
{
    (void)state;
    const double rad = acos(-1.0) / 180.0;
    static const struct {
        const char *crs;
        double central_deg, lon_deg, lat_deg;
    } cases[] = {
        {"EPSG:32632", 9.0, 9.0, 48.0},       {"EPSG:32632", 9.0, 11.57, 48.14},   {"EPSG:32632", 9.0, 6.5, 48.14},
        {"EPSG:32612", -111.0, -111.9, 40.8}, {"EPSG:32756", 153.0, 151.2, -33.9}, {"EPSG:32756", 153.0, 154.5, -33.9},
        {"EPSG:32721", -57.0, -55.0, -34.9},
    };
    rcity_context *context = test_context(1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double xy[2] = {cases[i].lon_deg, cases[i].lat_deg};
        double convergence_deg = 777.0;
        assert_ok(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, cases[i].crs, 1, xy));
        assert_ok(context, rcity_crs_get_convergence(context, cases[i].crs, xy[0], xy[1], &convergence_deg));
        double expected_deg =
            atan(tan((cases[i].lon_deg - cases[i].central_deg) * rad) * sin(cases[i].lat_deg * rad)) / rad;
        assert_near(convergence_deg, expected_deg, 1e-3);
        /* east of the central meridian grid north lies east of true north in the northern half of the world */
        double side = (cases[i].lon_deg - cases[i].central_deg) * cases[i].lat_deg;
        assert_true(side == 0.0 || (side > 0.0) == (convergence_deg > 0.0));
    }
    double none_deg = 777.0;
    assert_ok(context, rcity_crs_get_convergence(context, "none", 5.0, 5.0, &none_deg));
    assert_near(none_deg, 0.0, 0.0);
    assert_status(context, rcity_crs_get_convergence(context, "EPSG:999999", 5.0, 5.0, &none_deg), RCITY_ERR_ARGUMENT);
    rcity_context_destroy(&context);
}

static void test_choose_utm(void **state)
{
    (void)state;
    static const struct {
        double lon_deg, lat_deg;
        const char *crs;
    } cases[] = {
        {11.57, 48.14, "EPSG:32632"},
        {-111.89, 40.79, "EPSG:32612"},
        {151.2, -33.9, "EPSG:32756"},
        {0.0, 0.0, "EPSG:32631"},
        {-0.001, -0.001, "EPSG:32730"},
        {-180.0, 10.0, "EPSG:32601"},
        {180.0, 10.0, "EPSG:32660"},
        {5.999, 50.0, "EPSG:32631"},
        {6.0, 50.0, "EPSG:32632"},
        /* the wide zones of Norway and Svalbard */
        {5.32, 60.39, "EPSG:32632"},
        {2.9, 60.0, "EPSG:32631"},
        {5.0, 64.0, "EPSG:32631"},
        {15.6, 78.2, "EPSG:32633"},
        {21.0, 78.0, "EPSG:32635"},
        {8.99, 78.0, "EPSG:32631"},
        {33.0, 80.0, "EPSG:32637"},
        {42.0, 80.0, "EPSG:32638"},
    };
    rcity_context *context = test_context(1);
    char crs[RCITY_CRS_BYTES];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_ok(context, rcity_crs_choose_utm(context, cases[i].lon_deg, cases[i].lat_deg, crs));
        assert_string_equal(crs, cases[i].crs);
    }
    static const double bad[][2] = {
        {11.0, 85.0}, {11.0, -81.0}, {181.0, 40.0}, {(double)NAN, 40.0}, {11.0, (double)NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(crs, sizeof crs, "untouched");
        assert_status(context, rcity_crs_choose_utm(context, bad[i][0], bad[i][1], crs), RCITY_ERR_ARGUMENT);
        assert_string_equal(crs, "untouched");
    }
    rcity_context_destroy(&context);
}

static rcity_scene *make_scene(rcity_context *context, const char *crs, double x_m, double y_m)
{
    rcity_scene_options options = rcity_scene_options_default();
    options.crs = crs;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    test_add_box(context, scene, 1, (test_box){x_m, y_m, x_m + 100, y_m + 100, 20});
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

static void test_swapped_longitude_and_latitude_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    double xy[2] = {11.5723, 48.1474};
    assert_ok(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, "EPSG:32632", 1, xy));
    rcity_scene *scene = make_scene(context, "EPSG:32632", xy[0], xy[1]);
    double x_m = 777.0;
    double y_m = 777.0;
    assert_ok(context, rcity_scene_place_lonlat(context, scene, 11.5723, 48.1474, &x_m, &y_m));
    assert_near(x_m, xy[0], 1e-6);
    assert_near(y_m, xy[1], 1e-6);
    /* far away but not the other way round: that is for others to judge */
    assert_ok(context, rcity_scene_place_lonlat(context, scene, 9.0, 40.0, &x_m, &y_m));
    static const struct {
        double lon_deg, lat_deg;
        const char *message;
    } cases[] = {
        {48.1474, 11.5723, "longitude comes first"},
        {11.0, 100.0, "no place on Earth"},
        {400.0, 10.0, "no place on Earth"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        x_m = y_m = 777.0;
        assert_status(context, rcity_scene_place_lonlat(context, scene, cases[i].lon_deg, cases[i].lat_deg, &x_m, &y_m),
                      RCITY_ERR_ARGUMENT);
        assert_message(context, cases[i].message);
        assert_near(x_m, 777.0, 0.0);
    }
    rcity_scene_destroy(&scene);
    /* Salt Lake City: a latitude of -111.9 is no latitude, and the sentence says what is wrong */
    double city[2] = {-111.888521, 40.791086};
    assert_ok(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, "EPSG:26912", 1, city));
    scene = make_scene(context, "EPSG:26912", city[0], city[1]);
    assert_status(context, rcity_scene_place_lonlat(context, scene, 40.791086, -111.888521, &x_m, &y_m),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "longitude comes first");
    rcity_scene_destroy(&scene);
    scene = make_scene(context, NULL, 0.0, 0.0);
    assert_status(context, rcity_scene_place_lonlat(context, scene, 11.0, 48.0, &x_m, &y_m), RCITY_ERR_ARGUMENT);
    assert_message(context, "has no CRS");
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Want of memory is not a place that does not exist. */
static void test_place_no_memory(void **state)
{
    (void)state;
    bool is_done = false;
    for (long n = 1; !is_done; n++) {
        failing_allocator failing = {0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_scene *scene = make_scene(context, "EPSG:32632", 691000.0, 5334000.0);
        failing.fail_at = failing.call_count + n;
        double xy_m[2];
        rcity_status status = rcity_scene_place_lonlat(context, scene, 11.5723, 48.1474, &xy_m[0], &xy_m[1]);
        failing.fail_at = 0;
        is_done = status == RCITY_OK;
        assert_true(is_done || status == RCITY_ERR_MEMORY);
        assert_true(!is_done || n > 2);
        rcity_scene_destroy(&scene);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    }
}

TEST_SUITE(crs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unusable_crs_is_refused),
        cmocka_unit_test(test_swapped_axes_and_false_metres_are_refused),
        cmocka_unit_test(test_no_files),
        cmocka_unit_test(test_transformations_match_published_examples),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_bad_points),
        cmocka_unit_test(test_convergence_follows_its_formula),
        cmocka_unit_test(test_choose_utm),
        cmocka_unit_test(test_swapped_longitude_and_latitude_are_refused),
        cmocka_unit_test(test_place_no_memory),
    };
    return cmocka_run_group_tests_name("crs", tests, NULL, NULL);
}
