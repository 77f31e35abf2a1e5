/* Pictures of paths: lines where the paths run, in the colour of their power, what is chosen and nothing else. */
#include "picture_stage.h"
#include "rays_stage.h"

/* Where a place lies in a picture whose frame shows a box with a margin of 8 % of its longer side, at least 10 m, and 1
   % of air around that. */
static rcity_colour colour_in_box(const seen *picture, const double box[4], double x_m, double y_m)
{
    double margin_m = fmax(0.08 * fmax(box[2] - box[0], box[3] - box[1]), 10.0);
    double width_m = box[2] - box[0] + 2.0 * margin_m;
    double height_m = box[3] - box[1] + 2.0 * margin_m;
    double air_m = 0.02 * fmax(width_m, height_m);
    double width = (double)(picture->right - picture->left - 1);
    double height = (double)(picture->bottom - picture->top - 1);
    double pixel_m = fmax((width_m + air_m) / width, (height_m + air_m) / height);
    double x = (double)picture->left + 1.0 + 0.5 * width + (x_m - 0.5 * (box[0] + box[2])) / pixel_m;
    double y = (double)picture->top + 1.0 + 0.5 * height - (y_m - 0.5 * (box[1] + box[3])) / pixel_m;
    return rcity_colour_unpack(pixel_at(picture, (int)x, (int)y));
}

static bool is_like(rcity_colour a, rcity_colour b)
{
    return fabs(a.red - b.red) < 0.02 && fabs(a.green - b.green) < 0.02 && fabs(a.blue - b.blue) < 0.02;
}

typedef struct ray_picture {
    rcity_context *context;
    rcity_scene *scene;
    rcity_rays *rays;
    rcity_rays_draw_options options;
} ray_picture;

static ray_picture open_picture(const rays_stage *on)
{
    ray_picture made = {.context = make_context(NULL, 0, 0), .options = rcity_rays_draw_options_default()};
    made.scene = make_town(made.context);
    made.rays = stage_rays(made.context, on);
    return made;
}

static seen draw(const ray_picture *on)
{
    assert_ok(on->context, rcity_rays_draw(on->context, on->scene, on->rays, &on->options, output_path("rays.png")));
    return look_at(output_path("rays.png"));
}

static void close_picture(ray_picture *ended)
{
    rcity_rays_destroy(&ended->rays);
    rcity_scene_destroy(&ended->scene);
    assert_int_equal(rcity_context_memory_used(ended->context), 0);
    rcity_context_destroy(&ended->context);
    count_outputs(true);
}

/* All of the stage: receivers at (180, 60), (40, 110), (190, 190), (20, 80), a bounce at (120, 60). */
static const double whole_box[4] = {20.0, 60.0, 190.0, 190.0};

/* Received powers of the stage are 30 dBm - 80 dB - 20 log10(1 + i), so between -50 and -64; the bar runs from -65 to
   -50 in steps of 5 at most. */
static rcity_colour path_colour(int i)
{
    double power_dbm = -50.0 - 20.0 * log10(1.0 + i);
    return rcity_colour_at(RCITY_COLOUR_SIGNAL, (power_dbm + 65.0) / 15.0);
}

static void test_lines_have_their_colours(void **state)
{
    (void)state;
    ray_picture on = open_picture(&plain_stage);
    on.options.width_px = 2400;
    seen picture = draw(&on);
    assert_int_equal(picture.width, 2400);
    rcity_colour ground = rcity_colour_unpack(RCITY_PICTURE_GROUND);
    assert_true(is_like(colour_in_box(&picture, whole_box, 100.0, 150.0), ground));
    /* halfway from the bounce at (150, 120) to the transmitter, and from the edge at (60, 90) */
    assert_true(is_like(colour_in_box(&picture, whole_box, 125.0, 110.0), path_colour(1)));
    assert_true(is_like(colour_in_box(&picture, whole_box, 80.0, 95.0), path_colour(4)));
    /* the direct path is the strongest and lies on top of the others at the receiver */
    assert_true(is_like(colour_in_box(&picture, whole_box, 148.0, 76.0), path_colour(0)));
    cairo_surface_destroy(picture.surface);
    close_picture(&on);
}

static void test_one_receiver(void **state)
{
    (void)state;
    ray_picture on = open_picture(&plain_stage);
    on.options.receiver_index = 3;
    on.options.width_px = 2000;
    const double box[4] = {20.0, 80.0, 100.0, 100.0};
    seen picture = draw(&on);
    /* alone it is the strongest: bright */
    rcity_colour line = colour_in_box(&picture, box, 80.0, 95.0);
    assert_true(line.red > 0.8 && line.red > line.blue + 0.2);
    cairo_surface_destroy(picture.surface);
    close_picture(&on);
}

static void test_weak_paths_are_left_out(void **state)
{
    (void)state;
    ray_picture on = open_picture(&plain_stage);
    /* the first receiver's paths are 0, 6.02, 9.5 and 12 dB below its strongest, the last one's only path lies 14 dB
       below that: each receiver counts from its own */
    static const double floors_db[2] = {40.0, 7.0};
    on.options.width_px = 2400;
    rcity_colour ground = rcity_colour_unpack(RCITY_PICTURE_GROUND);
    for (int i = 0; i < 2; i++) {
        on.options.floor_db = floors_db[i];
        seen picture = draw(&on);
        assert_false(is_like(colour_in_box(&picture, whole_box, 125.0, 110.0), ground)); /* 6.02 dB */
        assert_false(is_like(colour_in_box(&picture, whole_box, 80.0, 95.0), ground));   /* the last receiver's */
        /* by way of the ground, 12 dB: the frame shows all receivers and this place either way */
        assert_true(is_like(colour_in_box(&picture, whole_box, 110.0, 80.0), ground) == (i == 1));
        cairo_surface_destroy(picture.surface);
    }
    close_picture(&on);
}

static void test_nothing_to_draw(void **state)
{
    (void)state;
    static const rcity_point positions[2] = {{50.0, 50.0, 1.0}, {150.0, 90.0, 1.0}};
    ray_picture on = {.context = make_context(NULL, 0, 0), .options = rcity_rays_draw_options_default()};
    on.scene = make_town(on.context);
    rcity_rays_setup setup = {.transmitter = {100.0, 100.0, 20.0},
                              .frequency_hz = 1e9,
                              .input_dbm = (double)NAN,
                              .receiver_count = 2,
                              .positions = positions};
    assert_ok(on.context, rcity_rays_create(on.context, &setup, &on.rays));
    rcity_path nothing = {.length_m = 70.0, .loss_db = HUGE_VAL}; /* there, but without power */
    assert_ok(on.context, rcity_rays_add_paths(on.rays, 0, 1, &nothing));
    assert_ok(on.context, rcity_rays_finish(on.rays));
    seen picture = draw(&on);
    cairo_surface_destroy(picture.surface);
    close_picture(&on);
}

static void test_labels_describe_the_paths_drawn(void **state)
{
    (void)state;
    ray_picture on = open_picture(&plain_stage);
    on.options.floor_db = 7.0;
    rcity_picture_rays view = {.rays = on.rays, .options = &on.options};
    rcity_picture picture = {.context = on.context, .scene = on.scene, .rays = &view};
    picture.shapes = rcity_scene_shapes(on.scene);
    assert_ok(on.context, rcity_picture_measure_rays(&picture));
    rcity_picture_make_words(&picture);
    assert_non_null(strstr(picture.words.title, "947 MHz"));
    assert_non_null(strstr(picture.words.title, "up to 2 reflections"));
    assert_null(strstr(picture.words.title, "diffraction"));
    assert_non_null(strstr(picture.words.subtitle, "a town for tests"));
    assert_non_null(strstr(picture.words.subtitle, "3 paths to 4 receivers"));
    assert_non_null(strstr(picture.words.subtitle, "2 more than 7 dB below the strongest of their receiver left out"));
    assert_non_null(strstr(picture.words.heading, "dBm"));
    on.options.receiver_index = 3;
    memset(&view, 0, sizeof view);
    view.rays = on.rays;
    view.options = &on.options;
    assert_ok(on.context, rcity_picture_measure_rays(&picture));
    rcity_picture_make_words(&picture);
    assert_non_null(strstr(picture.words.subtitle, "1 path to receiver caf"));
    close_picture(&on);
    const rays_stage without = {NULL, 0.0, 0.0, (double)NAN};
    on = open_picture(&without);
    view = (rcity_picture_rays){.rays = on.rays, .options = &on.options};
    picture = (rcity_picture){.context = on.context, .scene = on.scene, .rays = &view};
    picture.shapes = rcity_scene_shapes(on.scene);
    assert_ok(on.context, rcity_picture_measure_rays(&picture));
    rcity_picture_make_words(&picture);
    assert_non_null(strstr(picture.words.heading, "Gain of a path, dB"));
    close_picture(&on);
}

static void test_same_bytes_with_notes(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        rcity_context *context = make_context(NULL, i + 1, 0);
        rcity_scene *scene = make_town(context);
        rcity_rays *rays = stage_rays(context, &plain_stage);
        rcity_rays_draw_options options = rcity_rays_draw_options_default();
        assert_ok(context, rcity_rays_draw(context, scene, rays, &options, output_path(i == 0 ? "a.png" : "b.png")));
        rcity_rays_destroy(&rays);
        rcity_scene_destroy(&scene);
        rcity_context_destroy(&context);
    }
    assert_true(same_outputs(output_path("a.png"), output_path("b.png")));
    size_t bytes;
    unsigned char *png = read_output(output_path("a.png"), &bytes);
    static const char note[] = "iTXtradiocity max_reflections\0\0\0\0\0"
                               "2";
    bool has_note = false;
    for (size_t i = 0; i + sizeof note < bytes && !has_note; i++) {
        has_note = memcmp(png + i, note, sizeof note - 1) == 0;
    }
    assert_true(has_note);
    free(png);
    count_outputs(true);
}

static void test_bad_drawing_options_leave_no_file(void **state)
{
    (void)state;
    ray_picture on = open_picture(&plain_stage);
    rcity_rays_draw_options wrong = on.options;
    wrong.receiver_index = 4;
    assert_status(on.context, rcity_rays_draw(on.context, on.scene, on.rays, &wrong, output_path("no.png")),
                  RCITY_ERR_ARGUMENT);
    assert_message(on.context, "there is no receiver 4; there are 4");
    wrong = on.options;
    wrong.width_px = 399;
    assert_status(on.context, rcity_rays_draw(on.context, on.scene, on.rays, &wrong, output_path("no.png")),
                  RCITY_ERR_ARGUMENT);
    wrong = on.options;
    wrong.floor_db = 0.0;
    assert_status(on.context, rcity_rays_draw(on.context, on.scene, on.rays, &wrong, output_path("no.png")),
                  RCITY_ERR_ARGUMENT);
    assert_status(on.context, rcity_rays_draw(on.context, on.scene, on.rays, &on.options, "/nowhere/no.png"),
                  RCITY_ERR_FILE);
    assert_int_equal(count_outputs(false), 0);
    close_picture(&on);
}

static void test_short_memory(void **state)
{
    (void)state;
    rcity_status status = RCITY_ERR_MEMORY;
    int blocks = 0;
    while (status != RCITY_OK) {
        short_memory memory = {.left = -1};
        rcity_context *context = make_context(&memory, 1, 0);
        rcity_scene *scene = make_town(context);
        rcity_rays *rays = stage_rays(context, &plain_stage);
        rcity_rays_draw_options options = rcity_rays_draw_options_default();
        options.width_px = 400;
        memory.left = blocks++;
        assert_true(blocks < 200);
        status = rcity_rays_draw(context, scene, rays, &options, output_path("short.png"));
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_int_equal(count_outputs(true), status == RCITY_OK ? 1 : 0);
        rcity_rays_destroy(&rays);
        rcity_scene_destroy(&scene);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
    }
    assert_true(blocks > 6);
}

TEST_SUITE(picture_rays)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_have_their_colours),          cmocka_unit_test(test_one_receiver),
        cmocka_unit_test(test_weak_paths_are_left_out),           cmocka_unit_test(test_nothing_to_draw),
        cmocka_unit_test(test_labels_describe_the_paths_drawn),   cmocka_unit_test(test_same_bytes_with_notes),
        cmocka_unit_test(test_bad_drawing_options_leave_no_file), cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, open_output_folder, close_output_folder);
}
