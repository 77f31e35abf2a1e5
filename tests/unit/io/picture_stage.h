/* What the tests of pictures share: a town, a ridge, a map over them, and pictures taken apart. */
#ifndef RCITY_TEST_PICTURE_STAGE_H
#define RCITY_TEST_PICTURE_STAGE_H

#include "rcity_test.h"

#include <cairo.h>
#include <math.h>
#include <zlib.h>

#include "io/picture/colour.h"
#include "io/picture/picture_data.h"
#include "output_folder.h"
#include "radiocity/io.h"

/* ---- a town of 200 m x 200 m: a block with a courtyard in the west, a low house in the east ---- */

static inline void add_building(rcity_scene *scene, int64_t id, int ring_count, const double *xy_m, double height_m)
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

static inline rcity_scene *make_town(rcity_context *context)
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
static inline rcity_scene *make_ridge(rcity_context *context)
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
   halves. `*loss` is the array of losses, for changes. */
static inline rcity_map *make_map_and_losses(rcity_context *context, int64_t columns, int64_t rows, double cell_m,
                                             float **loss)
{
    rcity_raster raster = {columns, rows, 0.0, (double)rows * cell_m, cell_m};
    rcity_map *map = NULL;
    float *loss_db = NULL;
    float *sight = NULL;
    assert_int_equal(rcity_map_create(context, &raster, NULL, &map), RCITY_OK);
    assert_int_equal(
        rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB", "Loss between isotropic antennas", 1.5, &loss_db),
        RCITY_OK);
    assert_int_equal(
        rcity_map_add_band(map, RCITY_BAND_SIGHT, "line_of_sight", "", "1 where the line is free", 1.5, &sight),
        RCITY_OK);
    for (int64_t i = 0; i < columns * rows; i++) {
        double x_m = ((double)(i % columns) + 0.5) * cell_m;
        int64_t row = i / columns;
        double y_m = ((double)(rows - 1 - row) + 0.5) * cell_m;
        bool is_missing = x_m > 140.0 && x_m < 180.0 && y_m > 140.0 && y_m < 180.0;
        loss_db[i] = is_missing ? NAN : (float)(60.0 + hypot(x_m - 100.0, y_m - 100.0));
        sight[i] = is_missing ? NAN : x_m < 100.0 ? 1.0f : 0.0f;
    }
    assert_int_equal(rcity_map_add_note(map, "method", "free-space"), RCITY_OK);
    assert_int_equal(rcity_map_add_note(map, "frequency_mhz", "947"), RCITY_OK);
    assert_int_equal(rcity_map_add_note(map, "tx_x_m", "100"), RCITY_OK);
    assert_int_equal(rcity_map_add_note(map, "tx_y_m", "100"), RCITY_OK);
    *loss = loss_db;
    return map;
}

static inline rcity_map *make_map(rcity_context *context, int64_t columns, int64_t rows, double cell_m)
{
    float *loss_db = NULL;
    return make_map_and_losses(context, columns, rows, cell_m, &loss_db);
}

/* What most tests need: the town, and a map over it. */
typedef struct stage {
    rcity_context *context;
    rcity_scene *scene;
    rcity_map *map;
    float *loss_db; /* the values of its first band */
    rcity_picture_options options;
} stage;

static inline stage open_stage(int64_t cell_count, double cell_m)
{
    stage made = {.context = make_context(NULL, 0, 0), .options = rcity_picture_options_default()};
    made.scene = make_town(made.context);
    made.map = make_map_and_losses(made.context, cell_count, cell_count, cell_m, &made.loss_db);
    return made;
}

static inline void close_stage(stage *ended)
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

static inline uint32_t pixel_at(const seen *picture, int x, int y)
{
    const unsigned char *row = cairo_image_surface_get_data(picture->surface) +
                               (ptrdiff_t)y * cairo_image_surface_get_stride(picture->surface);
    uint32_t pixel;
    memcpy(&pixel, row + 4 * (ptrdiff_t)x, sizeof pixel);
    return pixel & 0xffffff;
}

/* How much of a column or row is drawn in ink: the frame's lines are the longest. */
static inline bool is_line(const seen *picture, bool is_column, int place)
{
    int length = is_column ? picture->height : picture->width;
    int count = 0;
    for (int i = 0; i < length; i++) {
        uint32_t pixel = is_column ? pixel_at(picture, place, i) : pixel_at(picture, i, place);
        count += pixel == RCITY_PICTURE_INK ? 1 : 0;
    }
    return 3 * count > length;
}

static inline seen look_at(const char *path)
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
static inline rcity_colour colour_at(const seen *picture, double x_m, double y_m)
{
    double width = (double)(picture->right - picture->left - 1);
    double height = (double)(picture->bottom - picture->top - 1);
    double pixel_m = fmax(204.0 / width, 204.0 / height);
    double x = (double)picture->left + 1.0 + 0.5 * width + (x_m - 100.0) / pixel_m;
    double y = (double)picture->top + 1.0 + 0.5 * height - (y_m - 100.0) / pixel_m;
    return rcity_colour_unpack(pixel_at(picture, (int)x, (int)y));
}

static inline double lightness(rcity_colour colour)
{
    return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue;
}

static inline bool is_grey(rcity_colour colour)
{
    return fabs(colour.red - colour.green) < 0.03 && fabs(colour.green - colour.blue) < 0.03 &&
           lightness(colour) > 0.35 && lightness(colour) < 0.85;
}

#endif
