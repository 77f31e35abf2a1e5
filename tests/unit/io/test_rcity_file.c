/* Compiled scenes: what is saved is loaded; files with right checksums and wrong numbers are refused. */
#include "rcity_test.h"

#include <unistd.h>

#include "io/rcity_file.h"
#include "scene/scene_data.h"

static rcity_scene *make_city(rcity_context *context, rcity_city_kind kind)
{
    rcity_city_options options = rcity_city_options_default();
    options.kind = kind;
    options.area_km2 = 0.1;
    options.crs = "EPSG:32632";
    options.origin_x_m = 691000;
    options.origin_y_m = 5334000;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_city_make(context, &options, &scene));
    return scene;
}

static void test_round_trip(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (int kind = 0; kind < RCITY_CITY_KIND_COUNT; kind++) {
        const char *path = test_path("city.rcity");
        rcity_scene *saved = make_city(context, (rcity_city_kind)kind);
        rcity_scene *loaded = NULL;
        assert_ok(context, rcity_scene_save(context, saved, path));
        assert_ok(context, rcity_scene_load(context, path, &loaded));
        rcity_scene_info a;
        rcity_scene_info b;
        assert_ok(context, rcity_scene_describe(saved, &a));
        assert_ok(context, rcity_scene_describe(loaded, &b));
        assert_string_equal(a.crs, b.crs);
        assert_string_equal(a.source, b.source);
        a.crs = b.crs = a.source = b.source = NULL;
        assert_memory_equal(&a, &b, sizeof a);
        const rcity_shapes *x = rcity_scene_shapes(saved);
        const rcity_shapes *y = rcity_scene_shapes(loaded);
        if (x->facade_count > 0) {
            assert_memory_equal(x->facades, y->facades, (size_t)x->facade_count * sizeof *x->facades);
            assert_memory_equal(x->buildings, y->buildings, (size_t)x->building_count * sizeof *x->buildings);
        }
        for (uint64_t i = 0; i < 200; i++) {
            rcity_point from = {691000 + test_uniform(1, 6 * i, 0, 300), 5334000 + test_uniform(1, 6 * i + 1, 0, 300),
                                test_uniform(1, 6 * i + 2, 0, 100)};
            rcity_point to = {691000 + test_uniform(1, 6 * i + 3, 0, 300), 5334000 + test_uniform(1, 6 * i + 4, 0, 300),
                              test_uniform(1, 6 * i + 5, 0, 100)};
            bool is_free[2];
            assert_ok(context, rcity_scene_test_segment(context, saved, &from, &to, &is_free[0]));
            assert_ok(context, rcity_scene_test_segment(context, loaded, &from, &to, &is_free[1]));
            assert_int_equal(is_free[0], is_free[1]);
        }
        rcity_scene_destroy(&saved);
        rcity_scene_destroy(&loaded);
        unlink(path);
    }
    rcity_context_destroy(&context);
}

/* A scene with one of everything: a wood with a clearing, land cover, a material of its own. */
static rcity_scene *make_clutter(rcity_context *context)
{
    static const double xy_m[16] = {0, 0, 60, 5, 50, 40, 2, 30, 10, 10, 20, 10, 20, 20, 10, 20};
    static const int point_count[2] = {4, 4};
    static const uint8_t code[6] = {1, 7, 7, 1, 200, 1};
    static const rcity_land_class classes[3] = {{1, "grass", 0.3, 0}, {7, "forest", 18, 11.5}, {200, "", 0, -2}};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_building building = rcity_building_default();
    rcity_vegetation wood = {3, 2, point_count, xy_m, 18};
    rcity_land_cover land = {3, 2, -5.5, -5.25, 40.125, code, 3, classes};
    rcity_material material;
    assert_true(rcity_material_find("wood", &material));
    strcpy(material.name, "larch");
    building.id = 5;
    building.ring_count = 1;
    building.ring_point_count = point_count;
    building.xy_m = xy_m + 8;
    building.height_m = 5;
    building.material = "larch";
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_add_building(scene, &building));
    assert_ok(context, rcity_scene_add_vegetation(scene, &wood));
    wood.id = 4;
    wood.ring_count = 1;
    wood.height_m = 150;
    assert_ok(context, rcity_scene_add_vegetation(scene, &wood));
    assert_ok(context, rcity_scene_set_land_cover(scene, &land));
    assert_ok(context, rcity_scene_add_material(scene, &material));
    strcpy(material.name, "pine");
    assert_ok(context, rcity_scene_add_material(scene, &material));
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

static void test_clutter_round_trip(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = test_path("clutter.rcity");
    rcity_scene *saved = make_clutter(context);
    rcity_scene *loaded = NULL;
    assert_ok(context, rcity_scene_save(context, saved, path));
    assert_ok(context, rcity_scene_load(context, path, &loaded));
    rcity_scene_info a;
    rcity_scene_info b;
    assert_ok(context, rcity_scene_describe(saved, &a));
    assert_ok(context, rcity_scene_describe(loaded, &b));
    a.crs = b.crs = a.source = b.source = NULL;
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(b.vegetation_count, 2);
    assert_int_equal(b.land_class_count, 3);
    assert_int_equal(b.material_count, 2);
    char hash[65];
    memcpy(hash, b.hash, sizeof hash);
    rcity_shapes_hash(rcity_scene_shapes(loaded), "none", hash);
    assert_string_equal(hash, a.hash); /* what was loaded hashes to what was saved */
    for (int i = 0; i < 400; i++) {
        rcity_ground_cover x;
        rcity_ground_cover y;
        double x_m = test_uniform(3, 2 * (uint64_t)i, -20, 130);
        double y_m = test_uniform(3, 2 * (uint64_t)i + 1, -20, 90);
        assert_ok(context, rcity_scene_get_ground_cover(context, saved, x_m, y_m, &x));
        assert_ok(context, rcity_scene_get_ground_cover(context, loaded, x_m, y_m, &y));
        assert_near(x.vegetation_m, y.vegetation_m, 0);
        assert_int_equal(x.land_class_code, y.land_class_code);
        assert_string_equal(x.land_class_name, y.land_class_name);
        assert_near(x.land_class_loss_db, y.land_class_loss_db, 0);
    }
    rcity_material material;
    assert_ok(context, rcity_scene_get_material(context, loaded, "larch", RCITY_SURFACE_WALL, &material));
    assert_near(material.a, 1.99, 0);
    rcity_scene_destroy(&saved);
    rcity_scene_destroy(&loaded);
    unlink(path);
    rcity_context_destroy(&context);
}

static void refuse_saved(rcity_context *context, rcity_scene *scene, const char *what)
{
    const char *path = test_path("wrong.rcity");
    rcity_scene *loaded = NULL;
    assert_ok(context, rcity_scene_save(context, scene, path));
    assert_status(context, rcity_scene_load(context, path, &loaded), RCITY_ERR_FORMAT);
    assert_message(context, what);
    assert_null(loaded);
    unlink(path);
}

static void test_wrong_clutter(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_clutter(context);
    rcity_shapes *shapes = (rcity_shapes *)(uintptr_t)rcity_scene_shapes(scene);
    int32_t *const integers[] = {&shapes->vegetation_ring_first[1], &shapes->vegetation_points[3].x,
                                 &shapes->vegetation_points[0].y,   &shapes->vegetation[0].first_ring,
                                 &shapes->vegetation[1].ring_count, &shapes->vegetation[0].height,
                                 &shapes->vegetation[1].ground,     &shapes->vegetation[0].x_min,
                                 &shapes->vegetation[0].y_max,      &shapes->land_cover.classes[1].code};
    static const int32_t values[] = {-1000000000, INT32_MAX, INT32_MIN, 2000000000};
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            int32_t kept = *integers[i];
            *integers[i] = values[k];
            refuse_saved(context, scene, i < 9 ? "impossible vegetation" : "impossible land cover");
            *integers[i] = kept;
        }
    }
    double *const numbers[] = {&shapes->land_cover.west_m,
                               &shapes->land_cover.south_m,
                               &shapes->land_cover.cell_m,
                               &shapes->land_cover.classes[0].height_m,
                               &shapes->land_cover.classes[2].loss_db,
                               &shapes->materials[0].a,
                               &shapes->materials[1].frequency_max_hz,
                               &shapes->materials[1].scattering};
    const double wrong[] = {(double)NAN, HUGE_VAL, -1e9};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
            double kept = *numbers[i];
            *numbers[i] = wrong[k];
            refuse_saved(context, scene, i < 5 ? "impossible land cover" : "impossible materials");
            *numbers[i] = kept;
        }
    }
    double kept_m = shapes->land_cover.cell_m;
    shapes->land_cover.cell_m = 0.009; /* finer than a scene takes */
    refuse_saved(context, scene, "impossible land cover");
    shapes->land_cover.cell_m = kept_m;
    shapes->land_cover.code[4] = 2; /* no such class */
    refuse_saved(context, scene, "impossible land cover");
    shapes->land_cover.code[4] = 200;
    shapes->land_cover.classes[1].code = 1; /* twice */
    refuse_saved(context, scene, "impossible land cover");
    shapes->land_cover.classes[1].code = 7;
    shapes->land_cover.classes[1].name[2] = '\t';
    refuse_saved(context, scene, "impossible land cover");
    memset(shapes->land_cover.classes[1].name, 'x', sizeof shapes->land_cover.classes[1].name);
    refuse_saved(context, scene, "impossible land cover");
    memset(shapes->land_cover.classes[1].name, 0, sizeof shapes->land_cover.classes[1].name);
    strcpy(shapes->materials[1].name, "LARCH"); /* twice */
    refuse_saved(context, scene, "impossible materials");
    strcpy(shapes->materials[1].name, "pine");
    strcpy(shapes->buildings[0].material, "cheese");
    refuse_saved(context, scene, "impossible buildings");
    strcpy(shapes->buildings[0].material, "larch");
    shapes->vegetation_ring_first[1] = 2; /* a ring of two points */
    refuse_saved(context, scene, "impossible vegetation");
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Files of the version before say what to do. */
static void test_old_version(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = test_path("old.rcity");
    const char *text = "";
    const rcity_store_block block = {"crs", text, 1, 1};
    assert_ok(context, rcity_store_save(context, path, RCITY_SCENE_FILE_KIND, 1, &block, 1));
    rcity_scene *loaded = NULL;
    assert_status(context, rcity_scene_load(context, path, &loaded), RCITY_ERR_FORMAT);
    assert_message(context, "is a scene of version 1, this program reads version 2; make it again");
    unlink(path);
    rcity_context_destroy(&context);
}

/* Blocks of a sound scene, each of which a case below spoils in one number. */
static void test_wrong_numbers(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_city(context, RCITY_CITY_HIGHRISE);
    const char *path = test_path("wrong.rcity");
    /* The shapes are the test's own to spoil: the scene is not used for anything else. */
    rcity_shapes *shapes = (rcity_shapes *)(uintptr_t)rcity_scene_shapes(scene);
    int32_t *const spoiled[] = {&shapes->ring_first[1],
                                &shapes->points[3].x,
                                &shapes->prisms[0].first_ring,
                                &shapes->prisms[1].building,
                                &shapes->prisms[0].ring_count,
                                &shapes->facades[0].prism,
                                &shapes->facades[2].edge,
                                &shapes->terrain.column_count,
                                &shapes->terrain.cell,
                                &shapes->units_per_m,
                                &shapes->x_max};
    static const int32_t values[] = {-1, INT32_MAX, INT32_MIN, 2000000000};
    for (size_t i = 0; i < sizeof spoiled / sizeof spoiled[0]; i++) {
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            int32_t kept = *spoiled[i];
            *spoiled[i] = values[k];
            if (spoiled[i] == &shapes->terrain.column_count) {
                shapes->terrain.column_count = kept + 1; /* what save itself can write */
                shapes->terrain.row_count--;
            }
            assert_ok(context, rcity_scene_save(context, scene, path));
            *spoiled[i] = kept;
            if (spoiled[i] == &shapes->terrain.column_count) {
                shapes->terrain.row_count++;
            }
            rcity_scene *loaded = NULL;
            rcity_status status = rcity_scene_load(context, path, &loaded);
            if (spoiled[i] == &shapes->terrain.column_count && status == RCITY_OK) {
                rcity_scene_destroy(&loaded); /* another grid of the same number of nodes may be sound */
                continue;
            }
            if (status != RCITY_ERR_FORMAT) {
                print_error("case %zu with %d: %s\n", i, values[k], rcity_status_name(status));
                fail();
            }
            assert_null(loaded);
        }
    }
    shapes->repair_count[RCITY_REPAIR_COUNT - 1] = -1;
    refuse_saved(context, scene, "impossible numbers in its frame");
    shapes->repair_count[RCITY_REPAIR_COUNT - 1] = 0;
    static const char wrong_letters[] = {'g', 'A', ' ', '\n', '\0', '\x1b'};
    for (size_t i = 0; i < sizeof wrong_letters; i++) {
        char kept = shapes->hash[63];
        shapes->hash[63] = wrong_letters[i];
        refuse_saved(context, scene, "impossible numbers in its frame");
        shapes->hash[63] = kept;
    }
    /* a ring of two points, its neighbour two longer */
    shapes->ring_first[1] = 2;
    assert_ok(context, rcity_scene_save(context, scene, path));
    rcity_scene *loaded = NULL;
    assert_status(context, rcity_scene_load(context, path, &loaded), RCITY_ERR_FORMAT);
    assert_message(context, "impossible rings");
    rcity_scene_destroy(&scene);
    unlink(path);
    rcity_context_destroy(&context);
}

TEST_SUITE(rcity_file)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),         cmocka_unit_test(test_wrong_numbers),
        cmocka_unit_test(test_clutter_round_trip), cmocka_unit_test(test_wrong_clutter),
        cmocka_unit_test(test_old_version),
    };
    return cmocka_run_group_tests_name("rcity_file", tests, NULL, NULL);
}
