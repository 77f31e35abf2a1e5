/* The page around a picture, and its file: notes, words, odd shapes, the same bytes each time, refusals, stopping. */
#include "picture_stage.h"

/* Every chunk of the PNG is whole, and the notes are among them. */
static rcity_transmitter mark_at(const char *name, double x_m, double y_m)
{
    rcity_transmitter made = rcity_transmitter_default();
    made.name = name;
    made.x_m = x_m;
    made.y_m = y_m;
    return made;
}

static void test_notes_travel_inside(void **state)
{
    (void)state;
    stage on = open_stage(10, 20.0);
    assert_int_equal(rcity_picture_save(on.context, on.scene, on.map, &on.options, output_path("map.png")), RCITY_OK);
    size_t bytes;
    unsigned char *png = read_output(output_path("map.png"), &bytes);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    bool has_method = false;
    size_t at = 8;
    while (at + 12 <= bytes) {
        size_t length = (size_t)png[at] << 24 | (size_t)png[at + 1] << 16 | (size_t)png[at + 2] << 8 | png[at + 3];
        const unsigned char *end = png + at + 8 + length;
        uint32_t sum = (uint32_t)end[0] << 24 | (uint32_t)end[1] << 16 | (uint32_t)end[2] << 8 | end[3];
        assert_int_equal(sum, crc32(0, png + at + 4, (uInt)length + 4));
        static const char method[] = "iTXtradiocity method\0\0\0\0\0free-space";
        has_method = has_method || (length + 4 == sizeof method - 1 && memcmp(png + at + 4, method, length + 4) == 0);
        at += 12 + length;
    }
    assert_int_equal(at, bytes);
    assert_true(has_method);
    free(png);
    close_stage(&on);
}

static void test_same_bytes(void **state)
{
    (void)state;
    for (int run = 0; run < 2; run++) {
        rcity_context *context = make_context(NULL, run + 1, 0);
        rcity_scene *scene = make_town(context);
        rcity_map *map = make_map(context, 200, 200, 1.0);
        rcity_picture_options options = rcity_picture_options_default();
        assert_int_equal(rcity_picture_save(context, scene, map, &options, output_path(run == 0 ? "a.png" : "b.png")),
                         RCITY_OK);
        rcity_map_destroy(&map);
        rcity_scene_destroy(&scene);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
    }
    assert_true(same_outputs(output_path("a.png"), output_path("b.png")));
    count_outputs(true);
}

/* Long, narrow, tiny and empty maps at every width still make a picture of bearable shape. */
static void test_odd_shapes(void **state)
{
    (void)state;
    static const struct {
        int64_t columns, rows;
        double cell_m;
        int width_px;
    } shapes[] = {{1000, 10, 1.0, 1600}, {10, 1000, 1.0, 1600}, {1, 1, 0.01, 400}, {1, 1, 1e5, 1600},
                  {100, 100, 2.0, 400},  {100, 100, 2.0, 2400}, {3, 3, 13.0, 800}};
    rcity_context *context = make_context(NULL, 0, 0);
    rcity_scene *scene = make_town(context);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        rcity_map *map = make_map(context, shapes[i].columns, shapes[i].rows, shapes[i].cell_m);
        rcity_picture_options options = rcity_picture_options_default();
        options.width_px = shapes[i].width_px;
        assert_int_equal(rcity_picture_save(context, scene, map, &options, output_path("odd.png")), RCITY_OK);
        cairo_surface_t *surface = cairo_image_surface_create_from_png(output_path("odd.png"));
        assert_int_equal(cairo_image_surface_get_width(surface), shapes[i].width_px);
        int height = cairo_image_surface_get_height(surface);
        assert_true(3 * height > shapes[i].width_px && height < 2 * shapes[i].width_px);
        cairo_surface_destroy(surface);
        rcity_map_destroy(&map);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
    count_outputs(true);
}

/* Words that are no UTF-8, too long, or empty; transmitters in a heap, beyond the frame and without a name. */
static void test_odd_titles_and_names_are_drawn(void **state)
{
    (void)state;
    char endless[2000];
    memset(endless, 'W', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    const char *const titles[] = {"", "M\xfcnchen \xff\xc3", "M\u00fcnchen \u2014 \u4e2d\u6587", endless,
                                  "two\nlines\t\x01"};
    rcity_transmitter transmitters[40] = {mark_at("M\xfcnchen", 0.0, 0.0), mark_at(endless, 1e8, -1e8),
                                          mark_at(NULL, 100.0, 0.0)};
    for (int i = 3; i < 40; i++) {
        transmitters[i] = mark_at("crowd", 100.0 + 0.5 * (double)i, 100.0);
    }
    stage on = open_stage(100, 2.0);
    on.options.transmitters = transmitters;
    on.options.transmitter_count = 40;
    on.options.width_px = 500;
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        on.options.title = titles[i];
        assert_int_equal(rcity_picture_save(on.context, on.scene, on.map, &on.options, output_path("words.png")),
                         RCITY_OK);
    }
    close_stage(&on);
}

static void check_refused(rcity_context *context, const rcity_scene *scene, const rcity_map *map,
                          const rcity_picture_options *options, const char *path, rcity_status expected)
{
    assert_int_equal(rcity_picture_save(context, scene, map, options, path), expected);
    assert_true(rcity_context_message(context)[0] != '\0');
    assert_int_equal(count_outputs(false), 0);
}

static void test_bad_picture_options_leave_no_file(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL, 0, 0);
    rcity_scene *scene = make_town(context);
    rcity_map *map = make_map(context, 10, 10, 20.0);
    rcity_transmitter nowhere = mark_at(NULL, (double)NAN, 0.0);
    rcity_picture_options bad[8];
    for (int i = 0; i < 8; i++) {
        bad[i] = rcity_picture_options_default();
    }
    bad[0].width_px = RCITY_PICTURE_WIDTH_MIN_PX - 1;
    bad[1].width_px = RCITY_PICTURE_WIDTH_MAX_PX + 1;
    bad[2].band_index = 2;
    bad[3].band_index = -1;
    bad[4].value_min = bad[4].value_max = 5.0;
    bad[5].value_max = (double)INFINITY;
    bad[6].transmitter_count = 1;
    bad[7].transmitter_count = 1;
    bad[7].transmitters = &nowhere;
    for (int i = 0; i < 8; i++) {
        check_refused(context, scene, map, &bad[i], output_path("map.png"), RCITY_ERR_ARGUMENT);
    }
    rcity_picture_options good = rcity_picture_options_default();
    check_refused(context, scene, map, &good, output_path("absent/map.png"), RCITY_ERR_FILE);
    check_refused(context, scene, map, &good, output_folder, RCITY_ERR_FILE);
    rcity_scene *open_scene = NULL;
    rcity_scene_options scene_options = rcity_scene_options_default();
    assert_int_equal(rcity_scene_create(context, &scene_options, &open_scene), RCITY_OK);
    check_refused(context, open_scene, NULL, &good, output_path("map.png"), RCITY_ERR_STATE);
    rcity_scene_destroy(&open_scene);
    rcity_map_destroy(&map);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Says yes so many times, then no. */
typedef struct patience {
    int left;
    int call_count;
    double done;
} patience;

static bool count_patience(void *user, const char *task, double done, double total)
{
    patience *caller = user;
    assert_string_equal(task, "draw");
    assert_true(done >= caller->done && done <= total);
    caller->done = done;
    caller->call_count++;
    return caller->left < 0 || caller->left-- > 0;
}

/* Stop at every report there is, with and without a map: no file, no memory, and a sentence. */
static void check_cancelling(rcity_context *context, patience *caller, const rcity_scene *scene, const rcity_map *map,
                             const rcity_picture_options *options)
{
    uint64_t used = rcity_context_memory_used(context);
    *caller = (patience){.left = -1};
    assert_int_equal(rcity_picture_save(context, scene, map, options, output_path("whole.png")), RCITY_OK);
    assert_true(caller->done == 100.0);
    int report_count = caller->call_count;
    assert_true(report_count > 10);
    assert_int_equal(count_outputs(true), 1);
    for (int i = 0; i < report_count; i++) {
        *caller = (patience){.left = i};
        check_refused(context, scene, map, options, output_path("map.png"), RCITY_ERR_CANCELLED);
        assert_int_equal(caller->call_count, i + 1); /* nobody is asked again after a no */
        assert_int_equal(rcity_context_memory_used(context), used);
    }
}

static void test_cancelled_picture_leaves_no_file(void **state)
{
    (void)state;
    patience caller = {.left = 0};
    rcity_context_options context_options = rcity_context_options_default();
    rcity_context *context = NULL;
    rcity_context *quiet = make_context(NULL, 1, 0);
    context_options.progress = count_patience;
    context_options.progress_user = &caller;
    context_options.thread_count = 1;
    assert_int_equal(rcity_context_create(&context_options, &context), RCITY_OK);
    rcity_scene *scene = make_town(quiet);
    rcity_map *map = make_map(quiet, 20, 20, 10.0);
    rcity_picture_options options = rcity_picture_options_default();
    options.width_px = 400;
    check_cancelling(context, &caller, scene, map, &options);
    check_cancelling(context, &caller, scene, NULL, &options);
    rcity_map_destroy(&map);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&quiet);
    rcity_context_destroy(&context);
}

/* Darkest pixels in a part of the page. */
static int count_ink(const seen *picture, int left, int top, int right, int bottom)
{
    int count = 0;
    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
            count += lightness(rcity_colour_unpack(pixel_at(picture, x, y))) < 0.2 ? 1 : 0;
        }
    }
    return count;
}

/* A name that is too long for the frame is shortened, not dropped. */
static void test_long_name(void **state)
{
    (void)state;
    stage on = open_stage(20, 10.0);
    rcity_transmitter transmitter = mark_at("", 100.0, 100.0);
    on.options.transmitters = &transmitter;
    on.options.transmitter_count = 1;
    on.options.value_max = 400.0; /* bright everywhere */
    char name[500];
    memset(name, 'M', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    int ink[2];
    for (int i = 0; i < 2; i++) {
        transmitter.name = i == 0 ? "" : name;
        assert_int_equal(rcity_picture_save(on.context, on.scene, on.map, &on.options, output_path("map.png")),
                         RCITY_OK);
        seen picture = look_at(output_path("map.png"));
        ink[i] = count_ink(&picture, picture.left + 2, picture.top + 2, picture.right - 1, picture.bottom - 1);
        cairo_surface_destroy(picture.surface);
    }
    assert_true(ink[1] > ink[0] + 500);
    close_stage(&on);
}

/* Labels with decimals leave the title of the axis alone. */
static void test_axis_labels_keep_clear(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL, 1, 0);
    rcity_scene *scene = make_town(context);
    rcity_raster raster = {20, 20, 100.0, 102.0, 0.1};
    rcity_map *map = NULL;
    float *value = NULL;
    assert_int_equal(rcity_map_create(context, &raster, NULL, &map), RCITY_OK);
    assert_int_equal(rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB", "", 1.5, &value), RCITY_OK);
    rcity_picture_options options = rcity_picture_options_default();
    assert_int_equal(rcity_picture_save(context, scene, map, &options, output_path("map.png")), RCITY_OK);
    seen picture = look_at(output_path("map.png"));
    int first_ink = picture.left; /* in the upper third, where there are labels but no title */
    for (int y = picture.top; y < picture.top + (picture.bottom - picture.top) / 3; y++) {
        int x = 0;
        while (x < first_ink && pixel_at(&picture, x, y) == RCITY_PICTURE_PAGE) {
            x++;
        }
        first_ink = x;
    }
    assert_true(first_ink < picture.left - 40); /* "101.5" */
    assert_true(first_ink > 36);                /* the title ends there: base line at 1.9 em of 16 px, and descenders */
    cairo_surface_destroy(picture.surface);
    rcity_map_destroy(&map);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
    count_outputs(true);
}

static void test_memory_gives_out(void **state)
{
    (void)state;
    short_memory memory = {.left = -1};
    rcity_context *context = make_context(&memory, 1, 0);
    rcity_scene *scene = make_town(context);
    rcity_map *map = make_map(context, 20, 20, 10.0);
    rcity_picture_options options = rcity_picture_options_default();
    options.width_px = 400;
    uint64_t used = rcity_context_memory_used(context);
    int failures = 0;
    for (;;) {
        memory.left = failures;
        rcity_status status = rcity_picture_save(context, scene, map, &options, output_path("map.png"));
        assert_int_equal(rcity_context_memory_used(context), used);
        if (status == RCITY_OK) {
            break;
        }
        assert_int_equal(status, RCITY_ERR_MEMORY);
        assert_int_equal(count_outputs(false), 0);
        failures++;
        assert_true(failures < 200);
    }
    assert_true(failures >= 8);
    memory.left = -1;
    rcity_map_destroy(&map);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
    count_outputs(true);
}

TEST_SUITE(picture_page)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notes_travel_inside),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_odd_shapes),
        cmocka_unit_test(test_odd_titles_and_names_are_drawn),
        cmocka_unit_test(test_bad_picture_options_leave_no_file),
        cmocka_unit_test(test_cancelled_picture_leaves_no_file),
        cmocka_unit_test(test_long_name),
        cmocka_unit_test(test_axis_labels_keep_clear),
        cmocka_unit_test(test_memory_gives_out),
    };
    return cmocka_run_group_tests(tests, open_output_folder, close_output_folder);
}
