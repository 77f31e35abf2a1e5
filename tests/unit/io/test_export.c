/* Buildings out as vector files, and in again. */
#include "import_test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const endings[] = {".gpkg", ".shp", ".geojson"};

static const char *path_of(const char *stem, const char *ending)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", stem, ending);
    return test_path(name);
}

static rcity_scene *make_city(rcity_context *context, const char *crs, double x_m, double y_m)
{
    rcity_city_options options = rcity_city_options_default();
    options.kind = RCITY_CITY_CORE;
    options.area_km2 = 0.2;
    options.seed = 7;
    options.crs = crs;
    options.origin_x_m = x_m;
    options.origin_y_m = y_m;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_city_make(context, &options, &scene));
    return scene;
}

static void get_hash(rcity_context *context, const rcity_scene *scene, char hash[65])
{
    rcity_scene_info info = {0};
    assert_ok(context, rcity_scene_describe(scene, &info));
    memcpy(hash, info.hash, 65);
}

/* The same scene comes back, in every format; nothing is closed again (gap 0), all is where it was. */
static void test_round_trip(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static const struct {
        const char *crs;
        double x_m, y_m;
    } cases[] = {{"EPSG:32632", 691000, 5334000}, {"EPSG:31468", 4468000, 5333000}, {NULL, 0, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        rcity_scene *scene = make_city(context, cases[c].crs, cases[c].x_m, cases[c].y_m);
        char hash[65];
        get_hash(context, scene, hash);
        for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
            const char *path = path_of("city", endings[i]);
            assert_ok(context, rcity_scene_export(context, scene, NULL, path));
            rcity_import_options options = rcity_import_options_default();
            options.scene.gap_m = 0.0;
            options.id_field = "id";
            options.input_crs = cases[c].crs == NULL ? "none" : NULL;
            rcity_scene *again = NULL;
            rcity_import_report report = {0};
            char again_hash[65];
            assert_ok(context, import_file(context, path, &options, &again, &report));
            assert_string_equal(report.height_field, "height_m");
            assert_int_equal(report.unknown_material_count, 0);
            get_hash(context, again, again_hash);
            assert_string_equal(again_hash, hash);
            for (int64_t b = 0; b < rcity_scene_shapes(scene)->building_count; b++) {
                assert_int_equal(rcity_scene_shapes(again)->buildings[b].id,
                                 rcity_scene_shapes(scene)->buildings[b].id);
            }
            rcity_scene_destroy(&again);
        }
        rcity_scene_destroy(&scene);
    }
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* A corner a hair below a whole metre is snapped onto it, and so is the origin that corners are counted from. */
static void test_corner_near_a_metre_keeps_its_place(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{99.9999, 199.9999, 120, 220, 10}, {130, 199.9999, 140, 220, 10}};
    rcity_scene *scene = test_scene(context, boxes, 2);
    const char *path = test_path("origin.gpkg");
    assert_ok(context, rcity_scene_export(context, scene, NULL, path));
    rcity_import_options options = rcity_import_options_default();
    options.input_crs = "none";
    rcity_scene *again = NULL;
    char hash[65], again_hash[65];
    assert_ok(context, import_file(context, path, &options, &again, NULL));
    get_hash(context, scene, hash);
    get_hash(context, again, again_hash);
    assert_string_equal(again_hash, hash);
    rcity_scene_destroy(&again);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* A city in the hills goes out as buildings and ground and comes back the same. */
static void test_hills_come_back_the_same(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_city_options city = rcity_city_options_default();
    city.kind = RCITY_CITY_HIGHRISE;
    city.area_km2 = 0.2;
    city.seed = 4;
    static const char *const crs[] = {"EPSG:32632", NULL};
    for (int i = 0; i < 2; i++) {
        rcity_scene *scene = NULL;
        city.crs = crs[i];
        city.origin_x_m = crs[i] != NULL ? 691000 : 0;
        city.origin_y_m = crs[i] != NULL ? 5334000 : 0;
        assert_ok(context, rcity_city_make(context, &city, &scene));
        const char *ground = test_path("ground.tif");
        const char *buildings = test_path("hills.gpkg");
        assert_ok(context, rcity_scene_export(context, scene, NULL, buildings));
        assert_ok(context, rcity_scene_export_terrain(context, scene, ground));
        rcity_import_options options = rcity_import_options_default();
        options.scene.gap_m = 0.0;
        options.input_crs = crs[i] == NULL ? "none" : NULL;
        options.terrain_path_count = 1;
        options.terrain_paths = &ground;
        rcity_scene *again = NULL;
        char hash[65], again_hash[65];
        assert_ok(context, import_file(context, buildings, &options, &again, NULL));
        get_hash(context, scene, hash);
        get_hash(context, again, again_hash);
        assert_string_equal(again_hash, hash);
        rcity_scene_destroy(&again);
        rcity_scene_destroy(&scene);
    }
    /* a scene without ground has none to write */
    rcity_scene *flat = make_city(context, NULL, 0, 0);
    assert_status(context, rcity_scene_export_terrain(context, flat, test_path("flat.tif")), RCITY_ERR_ARGUMENT);
    assert_message(context, "no terrain");
    assert_int_not_equal(access(test_path("flat.tif"), F_OK), 0);
    rcity_scene_destroy(&flat);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Gaps that were closed stay closed, corners that walls received stay, and with a gap of 0 nothing else moves. */
static void test_closed_gaps(void **state)
{
    (void)state;
    const uint64_t seed = 4;
    print_message("seed %llu\n", (unsigned long long)seed);
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    options.crs = "EPSG:32632";
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    for (uint64_t i = 0; i < 100; i++) {
        double x = 691000.0 + 20.3 * (double)(i % 10) + test_uniform(seed, 2 * i, 0, 0.4);
        double y = 5334000.0 + 15.3 * (double)(i / 10) + test_uniform(seed, 2 * i + 1, 0, 0.4);
        test_add_box(context, scene, (int64_t)i, (test_box){x, y, x + 20, y + 15, 10 + (double)(i % 7)});
    }
    assert_ok(context, rcity_scene_commit(scene));
    assert_true(rcity_scene_shapes(scene)->repair_count[RCITY_REPAIR_CLOSED_GAPS] > 50);
    char hash[65];
    get_hash(context, scene, hash);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const char *path = path_of("gaps", endings[i]);
        assert_ok(context, rcity_scene_export(context, scene, NULL, path));
        rcity_import_options import = rcity_import_options_default();
        import.scene.gap_m = 0.0;
        rcity_scene *again = NULL;
        char again_hash[65];
        assert_ok(context, import_file(context, path, &import, &again, NULL));
        get_hash(context, again, again_hash);
        assert_string_equal(again_hash, hash);
        rcity_scene_destroy(&again);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Through longitude and latitude every corner comes back to the centimetre. */
static void test_corners_come_back_to_the_centimetre(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static const struct {
        const char *crs;
        double x_m, y_m;
    } cases[] = {{"EPSG:32632", 691000, 5334000}, {"EPSG:26912", 424565, 4512350}, {"EPSG:32756", 334000, 6250000}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        rcity_scene *scene = make_city(context, cases[c].crs, cases[c].x_m, cases[c].y_m);
        for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
            const char *path = path_of("lonlat", endings[i]);
            assert_ok(context, rcity_scene_export(context, scene, RCITY_CRS_LONLAT, path));
            rcity_import_options options = rcity_import_options_default();
            options.scene.gap_m = 0.0;
            options.scene.crs = cases[c].crs;
            rcity_scene *again = NULL;
            assert_ok(context, import_file(context, path, &options, &again, NULL));
            double farthest_m = compare_corners(scene, again);
            print_message("%s%s: farthest corner %.4f m\n", cases[c].crs, endings[i], farthest_m);
            assert_true(farthest_m < 0.01);
            rcity_scene_destroy(&again);
        }
        rcity_scene_destroy(&scene);
    }
    rcity_context_destroy(&context);
}

/* Ground, material, courtyards, and a building that touches itself and so has two parts. */
static void test_building_fields_come_back(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    options.crs = "EPSG:32632";
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    static const double hourglass[] = {0, 0, 10, 0, 5, 5, 10, 10, 0, 10, 5, 5};
    static const double ring[] = {20, 0, 40, 0, 40, 20, 20, 20, 25, 5, 25, 15, 35, 15, 35, 5};
    static const int one[] = {6};
    static const int two[] = {4, 4};
    rcity_building building = rcity_building_default();
    building.id = 9007199254740993; /* more digits than a double holds */
    building.ring_count = 1;
    building.ring_point_count = one;
    building.xy_m = hourglass;
    building.height_m = 12.25;
    building.ground_m = -0.5; /* without terrain not farther from 0 */
    building.material = "brick";
    assert_ok(context, rcity_scene_add_building(scene, &building));
    building = rcity_building_default();
    building.id = -5;
    building.ring_count = 2;
    building.ring_point_count = two;
    building.xy_m = ring;
    building.height_m = 30.0;
    assert_ok(context, rcity_scene_add_building(scene, &building));
    assert_ok(context, rcity_scene_commit(scene));
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const char *path = path_of("fields", endings[i]);
        assert_ok(context, rcity_scene_export(context, scene, NULL, path));
        rcity_import_options import = rcity_import_options_default();
        import.ground_field = "ground_m";
        import.id_field = "id";
        rcity_import_report report = {0};
        rcity_scene *again = NULL;
        assert_ok(context, import_file(context, path, &import, &again, &report));
        assert_int_equal(report.feature_count, 2); /* parts of one height in one feature */
        assert_int_equal(report.part_count, 3);
        const rcity_shapes *shapes = rcity_scene_shapes(again);
        assert_int_equal(shapes->prism_count, 3);
        assert_int_equal(shapes->buildings[0].id, 9007199254740993);
        assert_int_equal(shapes->buildings[2].id, -5);
        assert_int_equal(shapes->prisms[0].ground, -32);
        assert_int_equal(shapes->prisms[1].roof, 11 * 64 + 48);
        assert_string_equal(shapes->buildings[1].material, "brick");
        assert_string_equal(shapes->buildings[2].material, "");
        assert_near(compare_corners(scene, again), 0.0, 0.0);
        rcity_scene_destroy(&again);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(4 << 20);
    assert_non_null(bytes);
    *length = fread(bytes, 1, 4 << 20, file);
    fclose(file);
    return bytes;
}

/* The same bytes on every run, without a date of today. */
static void test_exported_bytes_are_reproducible(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_city(context, "EPSG:32632", 691000, 5334000);
    static const char *const files[] = {".gpkg", ".geojson", ".shp", ".shx", ".dbf", ".prj", ".cpg"};
    for (int run = 0; run < 2; run++) {
        for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
            assert_ok(context,
                      rcity_scene_export(context, scene, NULL, path_of(run == 0 ? "first" : "second", endings[i])));
        }
        if (run == 0) {
            sleep(1); /* GeoPackages carry a time of day */
        }
    }
    time_t now = time(NULL);
    char today[32];
    strftime(today, sizeof today, "%Y-%m-%d", gmtime(&now));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        size_t length[2];
        char *first = read_file(path_of("first", files[i]), &length[0]);
        char *second = read_file(path_of("second", files[i]), &length[1]);
        assert_true(length[0] > 0);
        assert_int_equal(length[0], length[1]);
        assert_memory_equal(first, second, length[0]);
        for (size_t k = 0; k + strlen(today) < length[0]; k++) {
            assert_false(memcmp(first + k, today, strlen(today)) == 0);
        }
        if (strcmp(files[i], ".dbf") == 0) {
            assert_memory_equal(first + 1, "\x64\x01\x01", 3); /* years since 1900, month, day */
        }
        free(second);
        free(first);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* What a folder holds, as one text. */
static int count_files(const char *folder)
{
    DIR *directory = opendir(folder);
    int count = 0;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(directory);
    return count;
}

static void test_impossible_exports_leave_no_file(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_city(context, "EPSG:32632", 691000, 5334000);
    rcity_scene *plain = make_city(context, NULL, 0, 0);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *open = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &open));
    test_add_box(context, open, 1, (test_box){0, 0, 10, 10, 10});
    static const float heights_m[4] = {1, 2, 3, 4};
    const rcity_terrain hill = {2, 2, 0, 0, 10, heights_m};
    rcity_scene *hills = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &hills));
    assert_ok(context, rcity_scene_set_terrain(hills, &hill));
    assert_ok(context, rcity_scene_commit(hills));
    options.crs = "+proj=tmerc +lat_0=48.1 +lon_0=11.5 +datum=WGS84 +units=m";
    rcity_scene *nameless = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &nameless));
    test_add_box(context, nameless, 1, (test_box){0, 0, 10, 10, 10});
    assert_ok(context, rcity_scene_commit(nameless));

    const char *folder = test_path("out");
    assert_int_equal(mkdir(folder, 0777), 0);
    const struct {
        const rcity_scene *scene;
        const char *crs, *name;
        rcity_status status;
        const char *message;
    } cases[] = {
        {open, NULL, "a.gpkg", RCITY_ERR_STATE, "commit"},
        {scene, NULL, "a.kml", RCITY_ERR_ARGUMENT, ".gpkg, .shp or .geojson"},
        {scene, NULL, "gpkg", RCITY_ERR_ARGUMENT, ".gpkg, .shp or .geojson"},
        {scene, "EPSG:99999", "a.gpkg", RCITY_ERR_ARGUMENT, "'EPSG:99999' is not known"},
        {scene, "none", "a.gpkg", RCITY_ERR_ARGUMENT, "has a CRS"},
        {plain, "EPSG:4326", "a.gpkg", RCITY_ERR_ARGUMENT, "has no CRS"},
        {hills, NULL, "a.gpkg", RCITY_ERR_ARGUMENT, "no buildings"},
        {nameless, NULL, "a.geojson", RCITY_ERR_ARGUMENT, "EPSG code"},
        {scene, NULL, "missing/a.gpkg", RCITY_ERR_FILE, "cannot write"},
        {scene, NULL, "missing/a.shp", RCITY_ERR_FILE, "cannot write"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[300];
        snprintf(path, sizeof path, "%s/%s", folder, cases[i].name);
        assert_status(context, rcity_scene_export(context, cases[i].scene, cases[i].crs, path), cases[i].status);
        assert_message(context, cases[i].message);
        assert_int_equal(count_files(folder), 0);
    }
    /* a nameless CRS travels in the other formats; a .prj of an older file does not outlive it */
    char path[300], prj[300];
    snprintf(path, sizeof path, "%s/a.shp", folder);
    snprintf(prj, sizeof prj, "%s/a.prj", folder);
    assert_ok(context, rcity_scene_export(context, nameless, NULL, path));
    assert_int_equal(access(prj, F_OK), 0);
    assert_ok(context, rcity_scene_export(context, plain, NULL, path));
    assert_int_not_equal(access(prj, F_OK), 0);
    assert_int_equal(count_files(folder), 4);
    static const char *const sidecars[] = {"a.shp", "a.shx", "a.dbf", "a.cpg"};
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, sidecars[i]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    rcity_scene_destroy(&nameless);
    rcity_scene_destroy(&hills);
    rcity_scene_destroy(&open);
    rcity_scene_destroy(&plain);
    rcity_scene_destroy(&scene);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Every allocation fails once, in import and in export. */
static void write_words(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("words\n", file);
    fclose(file);
}

/* What other programs put beside a Shapefile and would not fit the new one goes, but only once the new one is there. */
static void test_stale_files(void **state)
{
    (void)state;
    static const char *const stale[] = {".qix", ".sbn", ".sbx", ".qpj", ".shp.xml"};
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_city(context, "EPSG:32632", 691000, 5334000);
    for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++) {
        write_words(path_of("stale", stale[i]));
    }
    assert_int_equal(mkdir(path_of("stale", ".dbf"), 0777), 0); /* no file can take its place */
    assert_status(context, rcity_scene_export(context, scene, NULL, path_of("stale", ".shp")), RCITY_ERR_FILE);
    for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++) {
        assert_int_equal(access(path_of("stale", stale[i]), F_OK), 0);
    }
    assert_int_not_equal(access(path_of("stale", ".shp"), F_OK), 0);
    assert_int_equal(rmdir(path_of("stale", ".dbf")), 0);
    assert_ok(context, rcity_scene_export(context, scene, NULL, path_of("stale", ".shp")));
    for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++) {
        assert_int_not_equal(access(path_of("stale", stale[i]), F_OK), 0);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_import_and_export_survive_failed_allocations(void **state)
{
    (void)state;
    const char *source = save_text(
        "source.geojson",
        JSON(JSON_CRS("32632"), BOX("\"height\":10,\"material\":\"glass\"", "691000", "5334000", "691010",
                                    "5334010") "," BOX("\"height\":20", "691020", "5334000", "691030", "5334010")));
    const char *target = test_path("target.shp");
    long n = 0;
    bool has_failed = true;
    while (has_failed) {
        n++;
        failing_allocator failing = {n, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_import_options options = rcity_import_options_default();
        options.scene.crs = "EPSG:25833"; /* on the way through a transformation */
        options.vegetation_path = source;
        rcity_scene *scene = NULL;
        unlink(target);
        rcity_status status = import_file(context, source, &options, &scene, NULL);
        if (status == RCITY_OK) {
            status = rcity_scene_export(context, scene, RCITY_CRS_LONLAT, target);
            assert_true((status == RCITY_OK) == (access(target, F_OK) == 0));
        }
        has_failed = failing.call_count >= n;
        assert_status(context, status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
        rcity_scene_destroy(&scene);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
        assert_true(n < 10000);
    }
    print_message("each of %ld allocations failed once\n", n - 1);
    assert_true(n > 30);
}

TEST_SUITE(export)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_closed_gaps),
        cmocka_unit_test(test_hills_come_back_the_same),
        cmocka_unit_test(test_corner_near_a_metre_keeps_its_place),
        cmocka_unit_test(test_corners_come_back_to_the_centimetre),
        cmocka_unit_test(test_building_fields_come_back),
        cmocka_unit_test(test_exported_bytes_are_reproducible),
        cmocka_unit_test(test_impossible_exports_leave_no_file),
        cmocka_unit_test(test_import_and_export_survive_failed_allocations),
        cmocka_unit_test(test_stale_files),
    };
    return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
