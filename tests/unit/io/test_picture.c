/* Pictures, decoded and looked at: colours at known places of maps and scenes. */
#include "picture_stage.h"

static void test_map_colours(void **state)
{
    (void)state;
    stage on = open_stage(200, 1.0);
    assert_int_equal(rcity_picture_save(on.context, on.scene, on.map, &on.options, output_path("map.png")), RCITY_OK);
    seen picture = look_at(output_path("map.png"));
    assert_int_equal(picture.width, 1600);
    rcity_colour near_tx = colour_at(&picture, 100.0, 108.0);
    rcity_colour middle = colour_at(&picture, 100.0, 150.0);
    rcity_colour far_off = colour_at(&picture, 195.0, 5.0);
    assert_true(near_tx.red > 0.9 && near_tx.red > near_tx.blue + 0.1); /* strong is warm and bright, */
    assert_true(lightness(near_tx) > lightness(middle) + 0.1);
    assert_true(lightness(middle) > lightness(far_off) + 0.1);
    assert_true(far_off.blue > far_off.red); /* weak is cool and dark */
    rcity_colour block = colour_at(&picture, 28.0, 110.0);
    rcity_colour house = colour_at(&picture, 165.0, 35.0);
    assert_true(is_grey(block) && is_grey(house));
    assert_true(lightness(block) < lightness(house) - 0.1);  /* the block is higher */
    assert_false(is_grey(colour_at(&picture, 40.0, 110.0))); /* the courtyard is a hole */
    assert_int_equal(rcity_colour_pack(colour_at(&picture, 160.0, 160.0)), RCITY_PICTURE_GROUND);
    rcity_colour mark = colour_at(&picture, 100.0, 100.0);
    assert_true(lightness(mark) < 0.1); /* the dot in the transmitter's mark */
    cairo_surface_destroy(picture.surface);
    close_stage(&on);
}

static void test_given_range(void **state)
{
    (void)state;
    stage on = open_stage(200, 1.0);
    on.options.value_min = 60.0;
    on.options.value_max = 90.0;
    assert_int_equal(rcity_picture_save(on.context, on.scene, on.map, &on.options, output_path("map.png")), RCITY_OK);
    seen picture = look_at(output_path("map.png"));
    uint32_t beyond = rcity_colour_pack(colour_at(&picture, 100.0, 145.0)); /* 105 dB and 160 dB: both past the end */
    assert_int_equal(beyond, rcity_colour_pack(colour_at(&picture, 100.0, 190.0)));
    cairo_surface_destroy(picture.surface);
    close_stage(&on);
}

static void test_yes_and_no(void **state)
{
    (void)state;
    stage on = open_stage(100, 2.0);
    on.options.band_index = 1;
    assert_int_equal(rcity_picture_save(on.context, on.scene, on.map, &on.options, output_path("sight.png")), RCITY_OK);
    seen picture = look_at(output_path("sight.png"));
    rcity_colour yes = colour_at(&picture, 80.0, 20.0);
    rcity_colour no = colour_at(&picture, 120.0, 20.0);
    assert_true(lightness(yes) > lightness(no) + 0.4);
    assert_int_equal(rcity_colour_pack(yes), rcity_colour_pack(colour_at(&picture, 20.0, 190.0)));
    assert_int_equal(rcity_colour_pack(no), rcity_colour_pack(colour_at(&picture, 190.0, 100.0)));
    cairo_surface_destroy(picture.surface);
    close_stage(&on);
}

/* A colour as it looks to one who lacks red cones, or green ones: both see the mean of red and green, and blue. */
static double difference_without_red_or_green(rcity_colour a, rcity_colour b)
{
    double yellow = 0.5 * fabs(a.red + a.green - b.red - b.green);
    return fmax(yellow, fabs(a.blue - b.blue));
}

/* Mechanisms: a swatch each and no bar; told apart in grey and by the colour-blind; the same where only two of them
   occur. */
static void test_mechanisms_have_distinct_colours(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL, 0, 0);
    rcity_scene *scene = make_town(context);
    rcity_raster raster = {100, 100, 0.0, 200.0, 2.0};
    rcity_picture_options options = rcity_picture_options_default();
    rcity_colour colours[4];
    for (int kind_count = 2; kind_count <= 4; kind_count += 2) {
        rcity_map *map = NULL;
        float *value = NULL;
        assert_int_equal(rcity_map_create(context, &raster, NULL, &map), RCITY_OK);
        static const char *const names[] = {"direct", "through walls", "around corners", "over roofs"};
        assert_int_equal(rcity_map_add_band(map, RCITY_BAND_CLASS, "mechanism", "", "", 30.0, &value), RCITY_OK);
        assert_int_equal(rcity_map_set_classes(map, 0, 4, names), RCITY_OK);
        for (int i = 0; i < 10000; i++) { /* strips 50 m wide */
            value[i] = (float)(i % 100 / 25 % kind_count);
        }
        assert_int_equal(rcity_picture_save(context, scene, map, &options, output_path("mechanisms.png")), RCITY_OK);
        seen picture = look_at(output_path("mechanisms.png"));
        for (int k = 0; k < kind_count; k++) {
            rcity_colour colour = colour_at(&picture, 25.0 + 50.0 * k, 195.0);
            assert_true(kind_count == 2 || k >= 2 || rcity_colour_pack(colour) == rcity_colour_pack(colours[k]));
            colours[k] = colour;
            assert_true(lightness(colours[k]) > 0.2);
        }
        for (int a = 0; a < kind_count; a++) {
            for (int b = 0; b < a; b++) {
                assert_true(fabs(lightness(colours[a]) - lightness(colours[b])) > 0.06);
                assert_true(difference_without_red_or_green(colours[a], colours[b]) > 0.2);
            }
        }
        cairo_surface_destroy(picture.surface);
        rcity_map_destroy(&map);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* The legend has the names of the band's classes: another name is another picture, and one more class one more
   swatch. */
static void test_class_names_in_legend(void **state)
{
    (void)state;
    static const char *const names[][3] = {
        {"grass", "water", "sand"}, {"grass", "waves", "sand"}, {"grass", "", "sand"}};
    rcity_context *context = make_context(NULL, 0, 0);
    rcity_scene *scene = make_town(context);
    rcity_raster raster = {100, 100, 0.0, 200.0, 2.0};
    rcity_picture_options options = rcity_picture_options_default();
    long differing_count[3] = {0, 0, 0}; /* pixels right of the frame that are not those of the first */
    seen first;
    memset(&first, 0, sizeof first);
    for (int i = 0; i < 3; i++) {
        rcity_map *map = NULL;
        float *value = NULL;
        assert_int_equal(rcity_map_create(context, &raster, NULL, &map), RCITY_OK);
        assert_int_equal(rcity_map_add_band(map, RCITY_BAND_CLASS, "ground", "", "", 30.0, &value), RCITY_OK);
        assert_int_equal(rcity_map_set_classes(map, 0, 3, names[i]), RCITY_OK);
        value[0] = 2.0f;
        assert_int_equal(rcity_picture_save(context, scene, map, &options, output_path("classes.png")), RCITY_OK);
        seen picture = look_at(output_path("classes.png"));
        const unsigned char *bytes = cairo_image_surface_get_data(picture.surface);
        int stride = cairo_image_surface_get_stride(picture.surface);
        int height = cairo_image_surface_get_height(picture.surface);
        for (int k = 0; i > 0 && k < stride * height; k++) {
            differing_count[i] += bytes[k] != cairo_image_surface_get_data(first.surface)[k];
        }
        if (i == 0) {
            first = picture;
        } else {
            cairo_surface_destroy(picture.surface);
        }
        rcity_map_destroy(&map);
    }
    assert_true(differing_count[1] > 20);
    assert_true(differing_count[2] > 2 * differing_count[1]); /* swatch and name are gone, what follows moves up */
    cairo_surface_destroy(first.surface);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Receivers above a roof: its values are seen. */
static void test_values_above_roofs(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL, 0, 0);
    rcity_scene *scene = make_town(context);
    rcity_raster raster = {100, 100, 0.0, 200.0, 2.0};
    rcity_map *map = NULL;
    float *value = NULL;
    assert_int_equal(rcity_map_create(context, &raster, NULL, &map), RCITY_OK);
    assert_int_equal(rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB", "", 10.0, &value), RCITY_OK);
    for (int i = 0; i < 10000; i++) {
        value[i] = 80.0f + 0.001f * (float)i;
    }
    rcity_picture_options options = rcity_picture_options_default();
    assert_int_equal(rcity_picture_save(context, scene, map, &options, output_path("map.png")), RCITY_OK);
    seen picture = look_at(output_path("map.png"));
    assert_true(is_grey(colour_at(&picture, 28.0, 110.0)));
    assert_false(is_grey(colour_at(&picture, 165.0, 35.0)));
    cairo_surface_destroy(picture.surface);
    rcity_map_destroy(&map);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
    count_outputs(true);
}

static void test_scene_alone(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL, 0, 0);
    rcity_scene *town = make_town(context);
    rcity_scene *ridge = make_ridge(context);
    rcity_picture_options options = rcity_picture_options_default();
    assert_int_equal(rcity_picture_save(context, town, NULL, &options, output_path("town.png")), RCITY_OK);
    assert_int_equal(rcity_picture_save(context, ridge, NULL, &options, output_path("ridge.png")), RCITY_OK);
    seen picture = look_at(output_path("town.png"));
    rcity_colour block = colour_at(&picture, 28.0, 110.0);
    rcity_colour house = colour_at(&picture, 165.0, 35.0);
    assert_false(is_grey(block));
    assert_true(lightness(block) < lightness(house) - 0.2); /* 25 m against 6 m */
    assert_int_equal(rcity_colour_pack(colour_at(&picture, 100.0, 20.0)), RCITY_PICTURE_GROUND);
    cairo_surface_destroy(picture.surface);
    picture = look_at(output_path("ridge.png"));
    assert_true(lightness(colour_at(&picture, 85.0, 115.0)) > lightness(colour_at(&picture, 115.0, 85.0)) + 0.1);
    cairo_surface_destroy(picture.surface);
    rcity_scene_destroy(&ridge);
    rcity_scene_destroy(&town);
    rcity_context_destroy(&context);
    count_outputs(true);
}

/* Two woods that overlap, one with a clearing, and a house in it. */
static void test_overlapping_vegetation_has_one_green(void **state)
{
    (void)state;
    static const int point_count[2] = {4, 4};
    static const double wood_m[16] = {20, 20, 140, 20, 140, 140, 20, 140, 40, 40, 60, 40, 60, 60, 40, 60};
    static const double other_m[8] = {100, 100, 190, 100, 190, 190, 100, 190};
    static const double house[8] = {80, 30, 95, 30, 95, 50, 80, 50};
    static const double corners[2][8] = {{0, 0, 2, 0, 2, 2, 0, 2}, {198, 198, 200, 198, 200, 200, 198, 200}};
    rcity_context *context = make_context(NULL, 0, 0);
    rcity_scene_options scene_options = rcity_scene_options_default();
    rcity_picture_options options = rcity_picture_options_default();
    rcity_scene *scene = NULL;
    const rcity_vegetation woods[2] = {{1, 2, point_count, wood_m, 12}, {2, 1, point_count, other_m, 30}};
    assert_int_equal(rcity_scene_create(context, &scene_options, &scene), RCITY_OK);
    add_building(scene, 1, 1, house, 4.0);
    add_building(scene, 2, 1, corners[0], 3.0);
    add_building(scene, 3, 1, corners[1], 3.0);
    assert_int_equal(rcity_scene_add_vegetation(scene, &woods[0]), RCITY_OK);
    assert_int_equal(rcity_scene_add_vegetation(scene, &woods[1]), RCITY_OK);
    assert_int_equal(rcity_scene_commit(scene), RCITY_OK);
    assert_int_equal(rcity_picture_save(context, scene, NULL, &options, output_path("woods.png")), RCITY_OK);
    seen picture = look_at(output_path("woods.png"));
    rcity_colour green = colour_at(&picture, 30, 100);
    assert_true(green.green > green.red + 0.05 && green.green > green.blue + 0.05);
    assert_int_equal(rcity_colour_pack(colour_at(&picture, 120, 120)), rcity_colour_pack(green)); /* both, no greener */
    assert_int_equal(rcity_colour_pack(colour_at(&picture, 170, 170)), rcity_colour_pack(green));
    assert_int_equal(rcity_colour_pack(colour_at(&picture, 50, 50)), RCITY_PICTURE_GROUND); /* the clearing */
    assert_int_equal(rcity_colour_pack(colour_at(&picture, 10, 180)), RCITY_PICTURE_GROUND);
    rcity_colour roof = colour_at(&picture, 88, 40);
    assert_false(roof.green > roof.red + 0.05 && roof.green > roof.blue + 0.05); /* over the trees */
    cairo_surface_destroy(picture.surface);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
    count_outputs(true);
}

/* A thousand buildings a few pixels wide, and cells coarser than they are: a cell with a value shows it all over. */
static void test_small_buildings_give_way(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL, 1, 0);
    rcity_scene_options scene_options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_int_equal(rcity_scene_create(context, &scene_options, &scene), RCITY_OK);
    for (int i = 0; i < 1600; i++) {
        double x = 5.0 * (double)(i % 40);
        double y = 5.0 * (double)(i / 40);
        double xy_m[] = {x + 3.2, y + 3.2, x + 4.2, y + 3.2, x + 4.2, y + 4.2, x + 3.2, y + 4.2};
        add_building(scene, i, 1, xy_m, 20.0);
    }
    assert_int_equal(rcity_scene_commit(scene), RCITY_OK);
    rcity_map *map = make_map(context, 20, 20, 10.0);
    rcity_picture_options options = rcity_picture_options_default();
    options.width_px = 800;
    assert_int_equal(rcity_picture_save(context, scene, map, &options, output_path("map.png")), RCITY_OK);
    seen picture = look_at(output_path("map.png"));
    rcity_colour street = colour_at(&picture, 51.5, 51.5);
    rcity_colour house = colour_at(&picture, 53.7, 53.7);
    assert_true(fabs(lightness(street) - lightness(house)) < 0.1);
    assert_false(is_grey(house));
    rcity_colour without_value = colour_at(&picture, 158.7, 158.7); /* seen still, but pale */
    assert_true(is_grey(without_value) || lightness(without_value) > 0.7);
    assert_true(lightness(without_value) < lightness(rcity_colour_unpack(RCITY_PICTURE_GROUND)) - 0.03);
    cairo_surface_destroy(picture.surface);
    rcity_map_destroy(&map);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
    count_outputs(true);
}

/* Cells inside buildings show beside walls; cells that are not reached do not. */
static void test_indoor_cells_show_beside_walls(void **state)
{
    (void)state;
    stage on = open_stage(20, 10.0);
    on.loss_db[16 * 20 + 17] = NAN; /* x 170 to 180, y 30 to 40: inside the house */
    on.loss_db[16 * 20 + 18] = NAN; /* beside it, in the open */
    assert_int_equal(rcity_picture_save(on.context, on.scene, on.map, &on.options, output_path("map.png")), RCITY_OK);
    seen picture = look_at(output_path("map.png"));
    assert_true(is_grey(colour_at(&picture, 175.0, 35.0)));
    assert_int_equal(rcity_colour_pack(colour_at(&picture, 182.0, 35.0)), RCITY_PICTURE_GROUND);
    cairo_surface_destroy(picture.surface);
    close_stage(&on);
}

TEST_SUITE(picture)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_colours),
        cmocka_unit_test(test_given_range),
        cmocka_unit_test(test_yes_and_no),
        cmocka_unit_test(test_mechanisms_have_distinct_colours),
        cmocka_unit_test(test_class_names_in_legend),
        cmocka_unit_test(test_values_above_roofs),
        cmocka_unit_test(test_scene_alone),
        cmocka_unit_test(test_overlapping_vegetation_has_one_green),
        cmocka_unit_test(test_small_buildings_give_way),
        cmocka_unit_test(test_indoor_cells_show_beside_walls),
    };
    return cmocka_run_group_tests(tests, open_output_folder, close_output_folder);
}
