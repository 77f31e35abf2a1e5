/* Pictures, decoded and looked at: colours at known places, the same bytes each time, odd shapes, bad options. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <cairo.h>
#include <math.h>
#include <zlib.h>

#include "io/picture/colour.h"
#include "io/picture/picture_data.h"
#include "output_folder.h"
#include "radiocity/io.h"
#include "result/map_data.h"

/* ---- a town of 200 m x 200 m: a block with a courtyard in the west, a low house in the east ---- */

static void add_building(rcity_scene *scene, int64_t id, int ring_count, const double *xy_m, double height_m)
{
    static const int four[2] = {4, 4};
    rcity_building building = rcity_building_default();
    building.id = id;
    building.ring_count = ring_count;
    building.ring_point_count = four;
    building.xy_m = xy_m;
    building.height_m = height_m;
    assert_int_equal(rcity_scene_add_building(scene, &building), RCITY_OK);
}

static rcity_scene *make_town(rcity_context *context)
{
    static const double block[] = {20, 80, 60, 80, 60, 140, 20, 140, 35, 100, 45, 100, 45, 120, 35, 120};
    static const double house[] = {150, 20, 180, 20, 180, 50, 150, 50};
    static const double corners[2][8] = {{0, 0, 2, 0, 2, 2, 0, 2}, {198, 198, 200, 198, 200, 200, 198, 200}};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_int_equal(rcity_scene_create(context, &options, &scene), RCITY_OK);
    add_building(scene, 1, 2, block, 25.0);
    add_building(scene, 2, 1, house, 6.0);
    add_building(scene, 3, 1, corners[0], 3.0);
    add_building(scene, 4, 1, corners[1], 3.0);
    assert_int_equal(rcity_scene_set_source(scene, "a town for tests"), RCITY_OK);
    assert_int_equal(rcity_scene_commit(scene), RCITY_OK);
    return scene;
}

/* A ridge that runs from south-west to north-east: one flank faces the light, the other does not. */
static rcity_scene *make_ridge(rcity_context *context)
{
    static float height_m[21 * 21];
    for (int row = 0; row < 21; row++) {
        for (int column = 0; column < 21; column++) {
            height_m[row * 21 + column] = 60.0f - 3.0f * fabsf((float)(row - column));
        }
    }
    rcity_terrain terrain = {21, 21, 0.0, 0.0, 10.0, height_m};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_int_equal(rcity_scene_create(context, &options, &scene), RCITY_OK);
    assert_int_equal(rcity_scene_set_terrain(scene, &terrain), RCITY_OK);
    assert_int_equal(rcity_scene_commit(scene), RCITY_OK);
    return scene;
}

/* Loss grows with the distance from (100, 100); cells x 140..180, y 140..180 have no value. Then yes and no by
   halves. */
static rcity_map *make_map(rcity_context *context, int64_t columns, int64_t rows, double cell_m)
{
    rcity_raster raster = {columns, rows, 0.0, (double)rows * cell_m, cell_m};
    rcity_map *map = NULL;
    float *loss_db = NULL;
    float *sight = NULL;
    assert_int_equal(rcity_map_create(context, &raster, NULL, &map), RCITY_OK);
    assert_int_equal(rcity_map_add_band(map, "path_loss", "dB", "Loss between isotropic antennas", 1.5, &loss_db),
                     RCITY_OK);
    assert_int_equal(rcity_map_add_band(map, "line_of_sight", "", "1 where the line is free", 1.5, &sight), RCITY_OK);
    for (int64_t i = 0; i < columns * rows; i++) {
        double x_m = ((double)(i % columns) + 0.5) * cell_m;
        int64_t row = i / columns;
        double y_m = ((double)(rows - 1 - row) + 0.5) * cell_m;
        bool is_missing = x_m > 140.0 && x_m < 180.0 && y_m > 140.0 && y_m < 180.0;
        loss_db[i] = is_missing ? NAN : (float)(60.0 + hypot(x_m - 100.0, y_m - 100.0));
        sight[i] = is_missing ? NAN : x_m < 100.0 ? 1.0f : 0.0f;
    }
    assert_int_equal(rcity_map_add_note(map, "method", "%s", "free-space"), RCITY_OK);
    assert_int_equal(rcity_map_add_note(map, "frequency_mhz", "%g", 947.0), RCITY_OK);
    assert_int_equal(rcity_map_add_note(map, "tx_x_m", "%g", 100.0), RCITY_OK);
    assert_int_equal(rcity_map_add_note(map, "tx_y_m", "%g", 100.0), RCITY_OK);
    return map;
}

/* What most tests need: the town, and a map over it. */
typedef struct stage {
    rcity_context *context;
    rcity_scene *scene;
    rcity_map *map;
    rcity_picture_options options;
} stage;

static stage open_stage(int64_t cell_count, double cell_m)
{
    stage made = {.context = make_context(NULL, 0, 0), .options = rcity_picture_options_default()};
    made.scene = make_town(made.context);
    made.map = make_map(made.context, cell_count, cell_count, cell_m);
    return made;
}

static void close_stage(stage *ended)
{
    rcity_map_destroy(&ended->map);
    rcity_scene_destroy(&ended->scene);
    assert_int_equal(rcity_context_memory_used(ended->context), 0);
    rcity_context_destroy(&ended->context);
    count_outputs(true);
}

/* ---- pictures taken apart ---- */

typedef struct seen {
    cairo_surface_t *surface;
    int width, height;
    int left, top, right, bottom; /* the lines of the frame */
} seen;

static uint32_t pixel_at(const seen *picture, int x, int y)
{
    const unsigned char *row = cairo_image_surface_get_data(picture->surface) +
                               (ptrdiff_t)y * cairo_image_surface_get_stride(picture->surface);
    uint32_t pixel;
    memcpy(&pixel, row + 4 * (ptrdiff_t)x, sizeof pixel);
    return pixel & 0xffffff;
}

/* How much of a column or row is drawn in ink: the frame's lines are the longest. */
static bool is_line(const seen *picture, bool is_column, int place)
{
    int length = is_column ? picture->height : picture->width;
    int count = 0;
    for (int i = 0; i < length; i++) {
        uint32_t pixel = is_column ? pixel_at(picture, place, i) : pixel_at(picture, i, place);
        count += pixel == RCITY_PICTURE_INK ? 1 : 0;
    }
    return 3 * count > length;
}

static seen look_at(const char *path)
{
    seen picture = {.surface = cairo_image_surface_create_from_png(path)};
    assert_int_equal(cairo_surface_status(picture.surface), CAIRO_STATUS_SUCCESS);
    picture.width = cairo_image_surface_get_width(picture.surface);
    picture.height = cairo_image_surface_get_height(picture.surface);
    while (picture.left < picture.width && !is_line(&picture, true, picture.left)) {
        picture.left++;
    }
    while (picture.top < picture.height && !is_line(&picture, false, picture.top)) {
        picture.top++;
    }
    picture.right = picture.width - 1;
    picture.bottom = picture.height - 1;
    while (picture.right > picture.left && !is_line(&picture, true, picture.right)) {
        picture.right--;
    }
    while (picture.bottom > picture.top && !is_line(&picture, false, picture.bottom)) {
        picture.bottom--;
    }
    assert_true(picture.right - picture.left > picture.width / 3);
    return picture;
}

/* The pixel at a place of a scene or map of 200 m x 200 m, which lies in the middle of the frame with 1 % of air. */
static rcity_colour colour_at(const seen *picture, double x_m, double y_m)
{
    double width = (double)(picture->right - picture->left - 1);
    double height = (double)(picture->bottom - picture->top - 1);
    double pixel_m = fmax(204.0 / width, 204.0 / height);
    double x = (double)picture->left + 1.0 + 0.5 * width + (x_m - 100.0) / pixel_m;
    double y = (double)picture->top + 1.0 + 0.5 * height - (y_m - 100.0) / pixel_m;
    return rcity_colour_unpack(pixel_at(picture, (int)x, (int)y));
}

static double lightness(rcity_colour colour)
{
    return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue;
}

static bool is_grey(rcity_colour colour)
{
    return fabs(colour.red - colour.green) < 0.03 && fabs(colour.green - colour.blue) < 0.03 &&
           lightness(colour) > 0.35 && lightness(colour) < 0.85;
}

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
    assert_int_equal(rcity_map_add_band(map, "path_loss", "dB", "", 10.0, &value), RCITY_OK);
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

/* Every chunk of the PNG is whole, and the notes are among them. */
/* Two woods that overlap, one with a clearing, and a house in it. */
static void test_vegetation(void **state)
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
static void test_odd_words(void **state)
{
    (void)state;
    char endless[2000];
    memset(endless, 'W', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    const char *const titles[] = {"", "M\xfcnchen \xff\xc3", "M\u00fcnchen \u2014 \u4e2d\u6587", endless,
                                  "two\nlines\t\x01"};
    rcity_transmitter transmitters[40] = {
        {.name = "M\xfcnchen"}, {.name = endless, .x_m = 1e8, .y_m = -1e8}, {.x_m = 100.0}};
    for (int i = 3; i < 40; i++) {
        transmitters[i] = (rcity_transmitter){.name = "crowd", .x_m = 100.0 + 0.5 * (double)i, .y_m = 100.0};
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

static void test_refusals(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL, 0, 0);
    rcity_scene *scene = make_town(context);
    rcity_map *map = make_map(context, 10, 10, 20.0);
    rcity_transmitter nowhere = {.x_m = (double)NAN};
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

static void test_cancelling(void **state)
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
static void test_rims(void **state)
{
    (void)state;
    stage on = open_stage(20, 10.0);
    rcity_band band;
    assert_int_equal(rcity_map_get_band(on.map, 0, &band), RCITY_OK);
    float *loss_db = (float *)(uintptr_t)band.value;
    loss_db[16 * 20 + 17] = NAN; /* x 170 to 180, y 30 to 40: inside the house */
    loss_db[16 * 20 + 18] = NAN; /* beside it, in the open */
    assert_int_equal(rcity_picture_save(on.context, on.scene, on.map, &on.options, output_path("map.png")), RCITY_OK);
    seen picture = look_at(output_path("map.png"));
    assert_true(is_grey(colour_at(&picture, 175.0, 35.0)));
    assert_int_equal(rcity_colour_pack(colour_at(&picture, 182.0, 35.0)), RCITY_PICTURE_GROUND);
    cairo_surface_destroy(picture.surface);
    close_stage(&on);
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
    rcity_transmitter transmitter = {.x_m = 100.0, .y_m = 100.0, .name = ""};
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
    assert_int_equal(rcity_map_add_band(map, "path_loss", "dB", "", 1.5, &value), RCITY_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_colours),
        cmocka_unit_test(test_given_range),
        cmocka_unit_test(test_yes_and_no),
        cmocka_unit_test(test_values_above_roofs),
        cmocka_unit_test(test_scene_alone),
        cmocka_unit_test(test_vegetation),
        cmocka_unit_test(test_notes_travel_inside),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_odd_shapes),
        cmocka_unit_test(test_odd_words),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_cancelling),
        cmocka_unit_test(test_small_buildings_give_way),
        cmocka_unit_test(test_rims),
        cmocka_unit_test(test_long_name),
        cmocka_unit_test(test_axis_labels_keep_clear),
        cmocka_unit_test(test_memory_gives_out),
    };
    return cmocka_run_group_tests(tests, open_output_folder, close_output_folder);
}
