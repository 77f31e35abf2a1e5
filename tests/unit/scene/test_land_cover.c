/* Land cover and materials of a scene: found where they are, refused where they are wrong; what the hash takes in. */
#include "rcity_test.h"

static rcity_scene *open_scene(rcity_context *context, bool drop_invalid)
{
    rcity_scene_options options = rcity_scene_options_default();
    options.drop_invalid = drop_invalid;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    return scene;
}

/* A rectangle of trees, with a rectangular hole unless its east is not beyond its west. */
static rcity_status add_wood(rcity_scene *scene, int64_t id, test_box box, test_box hole)
{
    const int counts[2] = {4, 4};
    const double xy_m[16] = {box.x0_m,  box.y0_m,  box.x1_m,  box.y0_m,  box.x1_m,  box.y1_m,  box.x0_m,  box.y1_m,
                             hole.x0_m, hole.y0_m, hole.x1_m, hole.y0_m, hole.x1_m, hole.y1_m, hole.x0_m, hole.y1_m};
    rcity_vegetation vegetation = {id, hole.x1_m > hole.x0_m ? 2 : 1, counts, xy_m, box.height_m};
    return rcity_scene_add_vegetation(scene, &vegetation);
}

static const test_box no_hole = {0, 0, 0, 0, 0};

static const rcity_land_class classes[3] = {{2, "forest", 15, 12.5}, {0, "water", 0, -1}, {255, "inner city", 25, 20}};
static const uint8_t codes[6] = {0, 2, 2, 255, 0, 2};

static void test_land_cover(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = open_scene(context, false);
    test_add_box(context, scene, 1, (test_box){0, 0, 10, 10, 5});
    rcity_land_cover land = {3, 2, -20.5, -30.25, 12.3, codes, 3, classes};
    assert_ok(context, rcity_scene_set_land_cover(scene, &land));
    assert_ok(context, rcity_scene_set_land_cover(scene, &land)); /* replaces */
    assert_ok(context, rcity_scene_commit(scene));
    for (int row = 0; row < 2; row++) {
        for (int column = 0; column < 3; column++) {
            for (int part = 0; part < 4; part++) {
                double x_m = land.west_m + land.cell_m * (column + (part % 2 ? 0.01 : 0.99));
                double y_m = land.south_m + land.cell_m * (row + (part / 2 ? 0.01 : 0.99));
                rcity_ground_cover cover;
                assert_ok(context, rcity_scene_get_ground_cover(context, scene, x_m, y_m, &cover));
                int code = codes[3 * row + column];
                const rcity_land_class *expected = code == 2 ? &classes[0] : code == 0 ? &classes[1] : &classes[2];
                assert_int_equal(cover.land_class_code, code);
                assert_string_equal(cover.land_class_name, expected->name);
                assert_near(cover.land_class_height_m, expected->height_m, 0);
                assert_near(cover.land_class_loss_db, expected->loss_db, 0);
            }
        }
    }
    static const double outside[][2] = {{-21, 0}, {-20.5 + 37, -20}, {-10, -31}, {-10, -5.6}};
    for (int i = 0; i < 4; i++) {
        rcity_ground_cover cover;
        assert_ok(context, rcity_scene_get_ground_cover(context, scene, outside[i][0], outside[i][1], &cover));
        assert_int_equal(cover.land_class_code, -1);
        assert_string_equal(cover.land_class_name, "");
    }
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.land_class_count, 3);
    assert_int_equal(info.land_cover_column_count, 3);
    assert_int_equal(info.land_cover_row_count, 2);
    assert_near(info.land_cover_cell_m, 12.3, 0);
    assert_status(context, rcity_scene_set_land_cover(scene, &land), RCITY_ERR_STATE);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_bad_land_cover(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = open_scene(context, false);
    const rcity_land_cover good = {3, 2, 0, 0, 10, codes, 3, classes};
    rcity_land_cover bad = good;
    bad.row_count = 0;
    assert_status(context, rcity_scene_set_land_cover(scene, &bad), RCITY_ERR_ARGUMENT);
    bad = good;
    bad.cell_m = (double)NAN;
    assert_status(context, rcity_scene_set_land_cover(scene, &bad), RCITY_ERR_ARGUMENT);
    bad = good;
    bad.west_m = 2e8;
    assert_status(context, rcity_scene_set_land_cover(scene, &bad), RCITY_ERR_ARGUMENT);
    bad = good;
    bad.class_count = 2; /* without 255 */
    assert_status(context, rcity_scene_set_land_cover(scene, &bad), RCITY_ERR_ARGUMENT);
    assert_message(context, "cell (0, 1) has the code 255");
    rcity_land_class rows[3];
    bad = good;
    bad.classes = rows;
    memcpy(rows, classes, sizeof rows);
    rows[1].code = 2;
    assert_status(context, rcity_scene_set_land_cover(scene, &bad), RCITY_ERR_ARGUMENT);
    assert_message(context, "2 stands in the table twice");
    memcpy(rows, classes, sizeof rows);
    rows[0].code = 256;
    assert_status(context, rcity_scene_set_land_cover(scene, &bad), RCITY_ERR_ARGUMENT);
    assert_message(context, "'forest' has the code 256");
    memcpy(rows, classes, sizeof rows);
    rows[2].loss_db = 101;
    assert_status(context, rcity_scene_set_land_cover(scene, &bad), RCITY_ERR_ARGUMENT);
    assert_message(context, "101 dB");
    memcpy(rows, classes, sizeof rows);
    rows[2].height_m = -1;
    assert_status(context, rcity_scene_set_land_cover(scene, &bad), RCITY_ERR_ARGUMENT);
    memcpy(rows, classes, sizeof rows);
    rows[2].name = "a name of more than thirty-one bytes";
    assert_status(context, rcity_scene_set_land_cover(scene, &bad), RCITY_ERR_ARGUMENT);
    rows[2].name = "two\nlines";
    assert_status(context, rcity_scene_set_land_cover(scene, &bad), RCITY_ERR_ARGUMENT);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static rcity_status add_made_of(rcity_scene *scene, int64_t id, double x_m, const char *material)
{
    const int count = 4;
    const double xy_m[8] = {x_m, 0, x_m + 10, 0, x_m + 10, 10, x_m, 10};
    rcity_building building = rcity_building_default();
    building.id = id;
    building.ring_count = 1;
    building.ring_point_count = &count;
    building.xy_m = xy_m;
    building.height_m = 8;
    building.material = material;
    return rcity_scene_add_building(scene, &building);
}

static void test_scene_materials_replace_the_built_in(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = open_scene(context, false);
    rcity_material larch;
    assert_true(rcity_material_find("wood", &larch));
    larch.a = 2.5;
    rcity_material own = larch;
    strcpy(own.name, "Larch Wall");
    assert_ok(context, add_made_of(scene, 1, 0, "brick"));
    assert_ok(context, add_made_of(scene, 2, 20, NULL));
    assert_ok(context, add_made_of(scene, 77, 40, "larch_wall"));
    assert_status(context, rcity_scene_commit(scene), RCITY_ERR_ARGUMENT);
    assert_message(context, "building 77");
    assert_message(context, "'larch_wall'");
    assert_ok(context, rcity_scene_add_material(scene, &own)); /* still open */
    assert_status(context, rcity_scene_add_material(scene, &own), RCITY_ERR_ARGUMENT);
    assert_message(context, "added already");
    assert_ok(context, rcity_scene_add_material(scene, &larch)); /* in the place of the built-in wood */
    rcity_material got;
    assert_status(context, rcity_scene_get_material(context, scene, "", RCITY_SURFACE_WALL, &got), RCITY_ERR_STATE);
    own.scattering = 2;
    strcpy(own.name, "other");
    assert_status(context, rcity_scene_add_material(scene, &own), RCITY_ERR_ARGUMENT);
    assert_message(context, "'other' is 2");
    assert_ok(context, rcity_scene_commit(scene));
    assert_ok(context, rcity_scene_get_material(context, scene, "LARCH-wall", RCITY_SURFACE_WALL, &got));
    assert_string_equal(got.name, "Larch Wall");
    assert_near(got.a, 2.5, 0);
    assert_ok(context, rcity_scene_get_material(context, scene, "timber", RCITY_SURFACE_WALL, &got));
    assert_near(got.a, 2.5, 0); /* the word stands for wood, and the scene's wood counts */
    assert_ok(context, rcity_scene_get_material(context, scene, "brick", RCITY_SURFACE_ROOF, &got));
    assert_near(got.a, 3.91, 0);
    assert_ok(context, rcity_scene_get_material(context, scene, "", RCITY_SURFACE_WALL, &got));
    assert_string_equal(got.name, "concrete");
    assert_ok(context, rcity_scene_get_material(context, scene, "", RCITY_SURFACE_GROUND, &got));
    assert_string_equal(got.name, "medium_dry_ground");
    assert_status(context, rcity_scene_get_material(context, scene, "cheese", RCITY_SURFACE_WALL, &got),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "'cheese'");
    assert_string_equal(got.name, "medium_dry_ground"); /* untouched */
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    assert_int_equal(info.material_count, 2);
    assert_status(context, rcity_scene_add_material(scene, &larch), RCITY_ERR_STATE);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* One scene with a choice of additions; its hash. */
static void hash_of(rcity_context *context, int additions, char hash[65])
{
    rcity_scene *scene = open_scene(context, false);
    test_add_box(context, scene, 1, (test_box){0, 0, 10, 10, 5});
    if (additions & 1) {
        assert_ok(context, add_wood(scene, 1, (test_box){0, 0, 30, 10, 5}, no_hole));
    }
    if (additions & 2) {
        assert_ok(context, add_wood(scene, 1, (test_box){0, 0, 30, 10, 6}, no_hole));
    }
    if (additions & 4) {
        rcity_land_cover land = {3, 2, 0, 0, 10, codes, 3, classes};
        land.cell_m = additions & 8 ? 11 : 10;
        assert_ok(context, rcity_scene_set_land_cover(scene, &land));
    }
    if (additions & 16) {
        rcity_material material;
        assert_true(rcity_material_find("glass", &material));
        memset(material.name + 6, additions & 32 ? 'x' : 0, sizeof material.name - 7); /* bytes behind the end */
        assert_ok(context, rcity_scene_add_material(scene, &material));
    }
    assert_ok(context, rcity_scene_commit(scene));
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    memcpy(hash, info.hash, 65);
    rcity_scene_destroy(&scene);
}

static void test_hash_covers_land_cover_and_materials(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static const int choices[] = {0, 1, 2, 3, 4, 4 | 8, 16, 1 | 4 | 16};
    enum { CHOICE_COUNT = sizeof choices / sizeof choices[0] };
    char hashes[CHOICE_COUNT][65];
    for (int i = 0; i < CHOICE_COUNT; i++) {
        hash_of(context, choices[i], hashes[i]);
        char again[65];
        hash_of(context, choices[i], again);
        assert_string_equal(hashes[i], again);
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(hashes[i], hashes[k]);
        }
    }
    char padded[65];
    hash_of(context, 16 | 32, padded);
    assert_string_equal(padded, hashes[6]); /* what stands behind a name's end does not count */
    rcity_context_destroy(&context);
}

TEST_SUITE(land_cover)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_land_cover),
        cmocka_unit_test(test_bad_land_cover),
        cmocka_unit_test(test_scene_materials_replace_the_built_in),
        cmocka_unit_test(test_hash_covers_land_cover_and_materials),
    };
    return cmocka_run_group_tests_name("land_cover", tests, NULL, NULL);
}
