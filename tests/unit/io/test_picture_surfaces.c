/* Pictures of tiles: which faces are seen, that what is nearer hides what is farther, and the colours. */
#include "picture_stage.h"

#include "io/picture/surfaces/picture_surfaces.h"
#include "result/surfaces_data.h"

enum { GROUND, SOUTH, EAST, NORTH, WEST, ROOF, FAR_GROUND, TILE_COUNT };

#define BOX_M    10.0 /* its sides; in the middle of a tile of the ground, which is far larger */
#define GROUND_M 40.0
#define LEFT_M   691000.0 /* of the middle */
#define LOW_DB   60.0
#define HIGH_DB  110.0

static rcity_surface_tile wall(double normal_x, double normal_y)
{
    return (rcity_surface_tile){
        .centre = {LEFT_M + 0.5 * BOX_M * normal_x, 0.5 * BOX_M * normal_y, 0.5 * BOX_M},
        .normal = {(float)normal_x, (float)normal_y, 0.0f},
        .side = {(float)-normal_y, (float)normal_x, 0.0f},
        .half_side_m = {(float)(0.5 * BOX_M), (float)(0.5 * BOX_M)},
        .kind = RCITY_SURFACE_WALL,
        .building_id = 7,
    };
}

static rcity_surface_tile level_tile(double x_m, double z_m, double side_m, rcity_surface kind)
{
    return (rcity_surface_tile){
        .centre = {LEFT_M + x_m, 0.0, z_m},
        .normal = {0.0f, 0.0f, 1.0f},
        .side = {1.0f, 0.0f, 0.0f},
        .half_side_m = {(float)(0.5 * side_m), (float)(0.5 * side_m)},
        .kind = kind,
        .building_id = kind == RCITY_SURFACE_ROOF ? 7 : -1,
    };
}

/* A box on the ground, a value a face; the far ground has none. */
static rcity_surfaces *make_box(rcity_context *context, rcity_point tx)
{
    const rcity_surface_tile tiles[TILE_COUNT] = {
        [GROUND] = level_tile(0.0, 0.0, GROUND_M, RCITY_SURFACE_GROUND),
        [SOUTH] = wall(0.0, -1.0),
        [EAST] = wall(1.0, 0.0),
        [NORTH] = wall(0.0, 1.0),
        [WEST] = wall(-1.0, 0.0),
        [ROOF] = level_tile(0.0, BOX_M, BOX_M, RCITY_SURFACE_ROOF),
        [FAR_GROUND] = level_tile(GROUND_M, 0.0, GROUND_M, RCITY_SURFACE_GROUND),
    };
    const rcity_surfaces_setup setup = {
        .transmitter = tx, .frequency_hz = 2.1e9, .tile_count = TILE_COUNT, .tiles = tiles};
    rcity_surfaces *surfaces = NULL;
    float *loss_db = NULL;
    if (rcity_surfaces_create(context, &setup, &surfaces) != RCITY_OK) {
        return NULL;
    }
    if (rcity_surfaces_add_band(surfaces, RCITY_BAND_LOSS, "path_loss", "dB", NULL, &loss_db) != RCITY_OK ||
        rcity_notes_add(rcity_surfaces_notes(surfaces), "method", "%s", "by hand") != RCITY_OK) {
        rcity_surfaces_destroy(&surfaces);
        return NULL;
    }
    for (int i = 0; i < TILE_COUNT; i++) {
        loss_db[i] = i == FAR_GROUND ? NAN : (float)(65.0 + 7.0 * i);
    }
    return surfaces;
}

static const rcity_point high_tx = {LEFT_M - 18.0, -18.0, 3.0};

typedef struct box_picture {
    rcity_context *context;
    rcity_surfaces *surfaces;
    rcity_surfaces_draw_options options;
    rcity_picture_surfaces content; /* as it is measured before drawing */
    rcity_picture measured;
    seen drawn;
} box_picture;

static void measure_box(box_picture *on)
{
    rcity_surfaces_save_options colours = rcity_surfaces_save_options_default();
    memset(&on->content, 0, sizeof on->content);
    memset(&on->measured, 0, sizeof on->measured);
    on->content.surfaces = on->surfaces;
    on->content.options = &on->options;
    on->content.view = rcity_surface_view_make(rcity_surfaces_tiles(on->surfaces)[0].centre, on->options.azimuth_deg,
                                               on->options.elevation_deg);
    colours.value_min = LOW_DB;
    colours.value_max = HIGH_DB;
    assert_ok(on->context, rcity_surface_paint_init(on->context, on->surfaces, &colours, &on->content.paint));
    on->measured.context = on->context;
    on->measured.surfaces = &on->content;
    assert_ok(on->context, rcity_picture_measure_surfaces(&on->measured));
}

static box_picture open_box(rcity_point tx)
{
    box_picture made = {.context = make_context(NULL, 0, 0), .options = rcity_surfaces_draw_options_default()};
    made.surfaces = make_box(made.context, tx);
    assert_non_null(made.surfaces);
    made.options.value_min = LOW_DB;
    made.options.value_max = HIGH_DB;
    return made;
}

static void draw_box(box_picture *on)
{
    measure_box(on);
    assert_ok(on->context, rcity_surfaces_draw(on->context, on->surfaces, &on->options, output_path("box.png")));
    on->drawn = look_at(output_path("box.png"));
}

static void close_box(box_picture *ended)
{
    if (ended->drawn.surface != NULL) {
        cairo_surface_destroy(ended->drawn.surface);
    }
    rcity_surfaces_destroy(&ended->surfaces);
    assert_int_equal(rcity_context_memory_used(ended->context), 0);
    rcity_context_destroy(&ended->context);
    count_outputs(true);
}

/* The colour where a place in space is drawn: the bounds lie in the middle of the frame with 1 % of air. */
static uint32_t seen_at(const box_picture *on, double x_m, double y_m, double z_m)
{
    const rcity_picture_bounds *bounds = &on->measured.bounds;
    const seen *drawn = &on->drawn;
    const rcity_point place = {LEFT_M + x_m, y_m, z_m};
    double placed_m[3];
    rcity_surface_view_place(&on->content.view, &place, placed_m);
    double width_m = bounds->east_m - bounds->west_m;
    double height_m = bounds->north_m - bounds->south_m;
    double air_m = 0.02 * fmax(width_m, height_m);
    double width = (double)(drawn->right - drawn->left - 1);
    double height = (double)(drawn->bottom - drawn->top - 1);
    double pixel_m = fmax((width_m + air_m) / width, (height_m + air_m) / height);
    double x = drawn->left + 1.0 + 0.5 * width + (placed_m[0] - 0.5 * (bounds->west_m + bounds->east_m)) / pixel_m;
    double y = drawn->top + 1.0 + 0.5 * height - (placed_m[1] - 0.5 * (bounds->south_m + bounds->north_m)) / pixel_m;
    return pixel_at(drawn, (int)x, (int)y);
}

static rcity_colour value_colour(int tile)
{
    return rcity_colour_at(RCITY_COLOUR_SIGNAL, 1.0 - (65.0 + 7.0 * tile - LOW_DB) / (HIGH_DB - LOW_DB));
}

static bool is_near(uint32_t pixel, rcity_colour expected)
{
    rcity_colour found = rcity_colour_unpack(pixel);
    return fabs(found.red - expected.red) < 0.006 && fabs(found.green - expected.green) < 0.006 &&
           fabs(found.blue - expected.blue) < 0.006;
}

static void test_faces_toward_the_viewer_have_their_colours(void **state)
{
    (void)state;
    static const struct {
        double azimuth_deg;
        int left, right; /* the walls that are seen */
    } views[] = {{225.0, WEST, SOUTH}, {45.0, EAST, NORTH}, {135.0, SOUTH, EAST}, {-45.0, NORTH, WEST}};
    static const double middles[TILE_COUNT][2] = {
        [SOUTH] = {0.0, -5.0}, [EAST] = {5.0, 0.0}, [NORTH] = {0.0, 5.0}, [WEST] = {-5.0, 0.0}};
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        box_picture on = open_box(high_tx);
        on.options.azimuth_deg = views[i].azimuth_deg;
        on.options.width_px = 1000;
        draw_box(&on);
        assert_int_equal(on.drawn.width, 1000);
        assert_true(is_near(seen_at(&on, 0.0, 0.0, BOX_M), value_colour(ROOF)));
        double lean = sqrt(0.5);
        for (int face = SOUTH; face <= WEST; face++) {
            uint32_t pixel = seen_at(&on, middles[face][0], middles[face][1], 0.5 * BOX_M);
            bool is_left = is_near(pixel, rcity_picture_light_wall(value_colour(face), -lean));
            bool is_right = is_near(pixel, rcity_picture_light_wall(value_colour(face), lean));
            assert_true(is_left == (face == views[i].left));
            assert_true(is_right == (face == views[i].right));
        }
        close_box(&on);
    }
}

static void test_nearer_hides_farther(void **state)
{
    (void)state;
    box_picture on = open_box(high_tx);
    draw_box(&on);
    /* ground in front of the box and beside it, and behind it, where its centre is as near as in front */
    assert_true(is_near(seen_at(&on, -9.0, -9.0, 0.0), value_colour(GROUND)));
    assert_true(is_near(seen_at(&on, -12.0, 12.0, 0.0), value_colour(GROUND)));
    assert_false(is_near(seen_at(&on, 7.0, 7.0, 0.0), value_colour(GROUND)));
    assert_true(is_near(seen_at(&on, 19.0, 19.0, 0.0), value_colour(GROUND)));
    /* without a value: grey; beside all tiles: nothing */
    assert_true(is_near(seen_at(&on, GROUND_M, 0.0, 0.0), rcity_surface_paint_missing()));
    assert_int_equal(seen_at(&on, GROUND_M, GROUND_M, 0.0), RCITY_PICTURE_OUTSIDE);
    close_box(&on);
}

static void test_from_above_it_is_a_plan(void **state)
{
    (void)state;
    box_picture on = open_box(high_tx);
    on.options.azimuth_deg = 180.0;
    on.options.elevation_deg = 90.0;
    draw_box(&on);
    assert_true(is_near(seen_at(&on, 4.5, 4.5, 0.0), value_colour(ROOF)));
    assert_true(is_near(seen_at(&on, 5.5, 5.5, 0.0), value_colour(GROUND)));
    const double east[3] = {1.0, 0.0, 0.0};
    double turned[3];
    rcity_surface_view_turn(&on.content.view, east, turned);
    assert_near(turned[0], 1.0, 1e-12);
    assert_near(turned[1], 0.0, 1e-12);
    close_box(&on);
}

/* A tile of the ground whose middle is indoors is missing: its neighbours fill in, not beyond all tiles. */
static void test_gaps_of_the_ground_are_filled(void **state)
{
    (void)state;
    box_picture on = open_box(high_tx);
    rcity_surface_tile *tiles = rcity_surfaces_edit_tiles(on.surfaces);
    tiles[FAR_GROUND].centre.x_m = LEFT_M + GROUND_M + 10.0; /* a gap of 10 m, filled from both sides */
    draw_box(&on);
    assert_true(is_near(seen_at(&on, 0.5 * GROUND_M + 3.0, 0.0, 0.0), value_colour(GROUND)));
    assert_true(is_near(seen_at(&on, 0.5 * GROUND_M + 8.0, 0.0, 0.0), rcity_surface_paint_missing()));
    assert_int_equal(seen_at(&on, -0.5 * GROUND_M - 1.0, 5.0, 0.0), RCITY_PICTURE_OUTSIDE);
    close_box(&on);
}

static void test_transmitter_and_its_mast(void **state)
{
    (void)state;
    static const struct {
        rcity_point tx;
        bool has_mast, is_hidden, is_foot_hidden;
        double foot_z_m;
    } cases[] = {
        {{LEFT_M + 1.0, 1.0, 16.0}, true, false, false, BOX_M}, {{LEFT_M - 12.0, -12.0, 8.0}, true, false, false, 0.0},
        {{LEFT_M + 6.0, 6.0, 2.0}, true, true, true, 0.0},      {{LEFT_M + 6.0, 6.0, 30.0}, true, false, true, 0.0},
        {{LEFT_M - 30.0, 0.0, 30.0}, false, false, false, 0.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        box_picture on = open_box(cases[i].tx);
        on.options.width_px = 400;
        draw_box(&on);
        assert_int_equal(on.content.has_mast, cases[i].has_mast);
        assert_int_equal(rcity_picture_is_mast_hidden(&on.measured), cases[i].is_hidden);
        assert_int_equal(on.content.is_hidden[0], cases[i].is_foot_hidden);
        assert_true(!cases[i].has_mast || fabs(on.content.foot_z_m - cases[i].foot_z_m) < 1e-6);
        uint32_t ring = seen_at(&on, cases[i].tx.x_m - LEFT_M, cases[i].tx.y_m, cases[i].tx.z_m);
        assert_true(lightness(rcity_colour_unpack(ring)) < 0.5); /* the dark middle of the mark */
        close_box(&on);
    }
}

static void test_labels_say_what_is_seen(void **state)
{
    (void)state;
    box_picture on = open_box(high_tx);
    rcity_picture_options plain = rcity_picture_options_default();
    measure_box(&on);
    on.measured.options = &plain;
    rcity_picture_make_words(&on.measured);
    const rcity_picture_words *words = &on.measured.words;
    assert_non_null(strstr(words->title, "Path loss on surfaces"));
    assert_non_null(strstr(words->title, "by hand"));
    assert_non_null(strstr(words->title, "2100 MHz"));
    assert_non_null(strstr(words->subtitle, "4 of walls, 1 of roofs, 2 of the ground"));
    assert_non_null(strstr(words->subtitle, "seen from the south-west, 40\u00b0 above the horizon"));
    assert_string_equal(words->heading, "Path loss, dB");
    on.options.azimuth_deg = -10.0;
    plain.title = "My box";
    rcity_picture_make_words(&on.measured);
    assert_non_null(strstr(words->subtitle, "seen from azimuth 350\u00b0"));
    assert_string_equal(words->title, "My box");
    assert_non_null(strstr(words->facts, "2100 MHz"));
    close_box(&on);
}

static void test_surfaces_give_the_same_bytes(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        rcity_context *context = make_context(NULL, 3 * i + 1, 0);
        rcity_surfaces *surfaces = make_box(context, high_tx);
        rcity_surfaces_draw_options options = rcity_surfaces_draw_options_default();
        assert_ok(context, rcity_surfaces_draw(context, surfaces, &options, output_path(i == 0 ? "a.png" : "b.png")));
        rcity_surfaces_destroy(&surfaces);
        rcity_context_destroy(&context);
    }
    assert_true(same_outputs(output_path("a.png"), output_path("b.png")));
    size_t bytes;
    unsigned char *png = read_output(output_path("a.png"), &bytes);
    static const char note[] = "iTXtradiocity method\0\0\0\0\0by hand";
    bool has_note = false;
    for (size_t i = 0; i + sizeof note < bytes && !has_note; i++) {
        has_note = memcmp(png + i, note, sizeof note - 1) == 0;
    }
    assert_true(has_note);
    free(png);
    count_outputs(true);
}

static void refuse(const box_picture *on, const rcity_surfaces_draw_options *wrong, const char *message)
{
    assert_status(on->context, rcity_surfaces_draw(on->context, on->surfaces, wrong, output_path("no.png")),
                  RCITY_ERR_ARGUMENT);
    assert_message(on->context, message);
}

static void test_bad_options_of_surfaces_leave_no_file(void **state)
{
    (void)state;
    box_picture on = open_box(high_tx);
    rcity_surfaces_draw_options wrong = on.options;
    wrong.width_px = 8001;
    refuse(&on, &wrong, "a picture of 8001 pixels");
    wrong = on.options;
    wrong.azimuth_deg = 361.0;
    refuse(&on, &wrong, "azimuth 361 degrees; must be -360 to 360");
    wrong.azimuth_deg = (double)NAN;
    refuse(&on, &wrong, "must be -360 to 360");
    wrong = on.options;
    wrong.elevation_deg = 4.0;
    refuse(&on, &wrong, "4 degrees above the horizon; must be 5 to 90");
    wrong.elevation_deg = 91.0;
    refuse(&on, &wrong, "must be 5 to 90");
    wrong = on.options;
    wrong.band = "delay";
    refuse(&on, &wrong, "no band 'delay'; they have: path_loss");
    wrong = on.options;
    wrong.value_min = wrong.value_max;
    refuse(&on, &wrong, "are no range");
    wrong = on.options;
    wrong.struct_bytes = 8;
    refuse(&on, &wrong, "rcity_surfaces_draw_options");
    assert_status(on.context, rcity_surfaces_draw(on.context, on.surfaces, &on.options, "/nowhere/no.png"),
                  RCITY_ERR_FILE);
    rcity_surface_tile *tiles = rcity_surfaces_edit_tiles(on.surfaces);
    for (int i = 0; i < TILE_COUNT; i++) {
        tiles[i] = wall(0.0, 1.0);
    }
    refuse(&on, &on.options, "none of 7 tiles faces azimuth 225");
    rcity_surfaces_destroy(&on.surfaces);
    const rcity_surfaces_setup nothing = {.frequency_hz = 1e9};
    assert_ok(on.context, rcity_surfaces_create(on.context, &nothing, &on.surfaces));
    refuse(&on, &on.options, "the surfaces have no tiles");
    assert_int_equal(count_outputs(false), 0);
    close_box(&on);
}

static void test_surfaces_without_values_are_drawn(void **state)
{
    (void)state;
    box_picture on = open_box(high_tx);
    const rcity_surface_tile tile = level_tile(0.0, 0.0, GROUND_M, RCITY_SURFACE_GROUND);
    const rcity_surfaces_setup setup = {.frequency_hz = 1e9, .tile_count = 1, .tiles = &tile};
    rcity_surfaces_destroy(&on.surfaces);
    assert_ok(on.context, rcity_surfaces_create(on.context, &setup, &on.surfaces));
    rcity_surfaces_edit_tiles(on.surfaces)->centre.x_m = 0.0;
    assert_ok(on.context, rcity_surfaces_draw(on.context, on.surfaces, &on.options, output_path("box.png")));
    on.drawn = look_at(output_path("box.png"));
    int x = on.drawn.left + (on.drawn.right - on.drawn.left) / 2;
    int y = on.drawn.top + (on.drawn.bottom - on.drawn.top) / 2;
    assert_true(is_near(pixel_at(&on.drawn, x - 60, y), rcity_surface_paint_missing()));
    close_box(&on);
}

static void test_surfaces_with_short_memory(void **state)
{
    (void)state;
    rcity_status status = RCITY_ERR_MEMORY;
    int blocks = 0;
    while (status != RCITY_OK) {
        short_memory memory = {.left = -1};
        rcity_context *context = make_context(&memory, 1, 0);
        rcity_surfaces *surfaces = make_box(context, high_tx);
        rcity_surfaces_draw_options options = rcity_surfaces_draw_options_default();
        options.width_px = 400;
        memory.left = blocks++;
        assert_true(blocks < 200);
        status = rcity_surfaces_draw(context, surfaces, &options, output_path("short.png"));
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_int_equal(count_outputs(true), status == RCITY_OK ? 1 : 0);
        rcity_surfaces_destroy(&surfaces);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
    }
    assert_true(blocks > 5);
}

TEST_SUITE(picture_surfaces)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faces_toward_the_viewer_have_their_colours),
        cmocka_unit_test(test_nearer_hides_farther),
        cmocka_unit_test(test_from_above_it_is_a_plan),
        cmocka_unit_test(test_gaps_of_the_ground_are_filled),
        cmocka_unit_test(test_transmitter_and_its_mast),
        cmocka_unit_test(test_labels_say_what_is_seen),
        cmocka_unit_test(test_surfaces_give_the_same_bytes),
        cmocka_unit_test(test_bad_options_of_surfaces_leave_no_file),
        cmocka_unit_test(test_surfaces_without_values_are_drawn),
        cmocka_unit_test(test_surfaces_with_short_memory),
    };
    return cmocka_run_group_tests(tests, open_output_folder, close_output_folder);
}
