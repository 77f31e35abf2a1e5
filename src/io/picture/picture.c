/* Pictures of scenes, maps and paths: drawn layer by layer from the ground up, then the legend, then PNG. */
#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "base/file.h"
#include "io/picture/picture_data.h"
#include "io/picture/picture_text.h"
#include "io/picture/surfaces/picture_surfaces.h"

#define VALUE_MAX   1e30 /* largest end of a colour bar */
#define LAYER_COUNT 7    /* layers that report progress: ground, vegetation, rims, buildings (2), map, PNG */

rcity_status rcity_picture_report(const rcity_picture *picture, double share)
{
    return rcity_progress(picture->context, "draw", 100.0 * ((double)picture->layer + share) / LAYER_COUNT, 100.0);
}

/* A layer is done. */
static rcity_status end_layer(rcity_picture *picture)
{
    picture->layer++;
    return rcity_picture_report(picture, 0.0);
}

static rcity_status check_options(rcity_context *context, const rcity_map *map, const rcity_picture_options *options)
{
    RCITY_CHECK(context,
                options->width_px >= RCITY_PICTURE_WIDTH_MIN_PX && options->width_px <= RCITY_PICTURE_WIDTH_MAX_PX,
                RCITY_ERR_ARGUMENT, "a picture of %d pixels cannot be drawn; the width is %d to %d", options->width_px,
                RCITY_PICTURE_WIDTH_MIN_PX, RCITY_PICTURE_WIDTH_MAX_PX);
    RCITY_CHECK(context, map == NULL || (options->band_index >= 0 && options->band_index < rcity_map_band_count(map)),
                RCITY_ERR_ARGUMENT, "there is no band %d; the map has %d, counted from 0", options->band_index,
                map != NULL ? rcity_map_band_count(map) : 0);
    RCITY_CHECK(context, !(fabs(options->value_min) > VALUE_MAX) && !(fabs(options->value_max) > VALUE_MAX),
                RCITY_ERR_ARGUMENT,
                "the colour range %g to %g exceeds %g; give smaller ends, or NAN to have them chosen",
                options->value_min, options->value_max, VALUE_MAX);
    RCITY_CHECK(context,
                isnan(options->value_min) || isnan(options->value_max) || options->value_min < options->value_max,
                RCITY_ERR_ARGUMENT, "the colour range %g to %g is empty; value_min must be less than value_max",
                options->value_min, options->value_max);
    RCITY_CHECK(
        context, options->transmitter_count >= 0 && (options->transmitter_count == 0 || options->transmitters != NULL),
        RCITY_ERR_ARGUMENT, "transmitter_count %d does not fit the list of transmitters", options->transmitter_count);
    for (int i = 0; i < options->transmitter_count; i++) {
        const rcity_transmitter *transmitter = &options->transmitters[i];
        RCITY_CHECK(context,
                    fabs(transmitter->x_m) <= RCITY_COORDINATE_MAX_M &&
                        fabs(transmitter->y_m) <= RCITY_COORDINATE_MAX_M,
                    RCITY_ERR_ARGUMENT, "transmitter %d at (%g, %g) is nowhere; coordinates reach to %g m", i,
                    transmitter->x_m, transmitter->y_m, RCITY_COORDINATE_MAX_M);
    }
    return RCITY_OK;
}

/* The bounds of what is shown: the map's raster, or the whole scene; for paths they are already set. */
static void set_bounds(rcity_picture *picture)
{
    const rcity_shapes *shapes = picture->shapes;
    const rcity_raster *raster = &picture->raster;
    double unit_m = 1.0 / (double)shapes->units_per_m;
    picture->known = (rcity_picture_bounds){.west_m = shapes->origin_x_m + unit_m * (double)shapes->x_min,
                                            .south_m = shapes->origin_y_m + unit_m * (double)shapes->y_min,
                                            .east_m = shapes->origin_x_m + unit_m * (double)shapes->x_max,
                                            .north_m = shapes->origin_y_m + unit_m * (double)shapes->y_max};
    if (picture->map != NULL) {
        picture->known =
            (rcity_picture_bounds){.west_m = raster->west_m,
                                   .south_m = raster->north_m - raster->cell_m * (double)raster->row_count,
                                   .east_m = raster->west_m + raster->cell_m * (double)raster->column_count,
                                   .north_m = raster->north_m};
    }
    if (picture->rays == NULL) {
        picture->bounds = picture->known;
    }
}

static rcity_status measure(rcity_picture *picture)
{
    RCITY_TRY(rcity_picture_report(picture, 0.0));
    if (picture->surfaces != NULL) {
        return rcity_picture_measure_surfaces(picture);
    }
    if (picture->map != NULL) {
        RCITY_TRY(rcity_picture_measure_map(picture));
        RCITY_TRY(rcity_picture_report(picture, 0.0));
    }
    if (picture->rays != NULL) {
        RCITY_TRY(rcity_picture_measure_rays(picture));
    }
    rcity_picture_measure_ground(picture);
    RCITY_TRY(rcity_picture_measure_buildings(picture));
    picture->bar = picture->map != NULL               ? &picture->map_values
                   : picture->rays != NULL            ? &picture->ray_values
                   : picture->building_values.has_any ? &picture->building_values
                                                      : &picture->ground_values;
    set_bounds(picture);
    return RCITY_OK;
}

/* Lay out the page; a surface of one pixel measures the text. */
static void lay_out(rcity_picture *picture)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1);
    cairo_t *cairo = cairo_create(surface);
    rcity_text_set_rendering(cairo);
    rcity_picture_make_layout(picture, cairo);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
}

static rcity_status open_surface(rcity_picture *picture)
{
    const rcity_picture_layout *layout = &picture->layout;
    size_t pixel_count = (size_t)layout->width_px * (size_t)layout->height_px;
    RCITY_TRY(rcity_alloc(picture->context, pixel_count, sizeof *picture->pixels, "a picture", &picture->pixels));
    for (size_t i = 0; i < pixel_count; i++) {
        picture->pixels[i] = RCITY_PICTURE_PAGE;
    }
    picture->surface = cairo_image_surface_create_for_data((unsigned char *)picture->pixels, CAIRO_FORMAT_RGB24,
                                                           layout->width_px, layout->height_px, 4 * layout->width_px);
    picture->cairo = cairo_create(picture->surface);
    rcity_text_set_rendering(picture->cairo);
    return RCITY_OK;
}

/* What lies in the frame, but for transmitters. */
static rcity_status draw_contents(rcity_picture *picture)
{
    if (picture->surfaces != NULL) {
        return rcity_picture_draw_surfaces(picture);
    }
    RCITY_TRY(rcity_picture_draw_ground(picture));
    RCITY_TRY(end_layer(picture));
    RCITY_TRY(rcity_picture_draw_vegetation(picture));
    RCITY_TRY(end_layer(picture));
    if (picture->map != NULL) {
        RCITY_TRY(rcity_picture_draw_rims(picture));
        RCITY_TRY(end_layer(picture));
        RCITY_TRY(rcity_picture_draw_buildings(picture, false));
        RCITY_TRY(end_layer(picture));
        RCITY_TRY(rcity_picture_draw_map(picture));
        RCITY_TRY(end_layer(picture));
    }
    RCITY_TRY(rcity_picture_draw_buildings(picture, true));
    picture->layer = LAYER_COUNT - 1;
    RCITY_TRY(rcity_picture_report(picture, 0.0));
    if (picture->rays != NULL) {
        RCITY_TRY(rcity_picture_draw_rays(picture));
        rcity_picture_draw_receivers(picture);
    }
    return RCITY_OK;
}

static rcity_status draw(rcity_picture *picture)
{
    RCITY_TRY(draw_contents(picture));
    rcity_picture_draw_transmitters(picture);
    if (picture->surfaces != NULL) {
        rcity_picture_draw_frame(picture);
    } else {
        rcity_picture_draw_axes(picture);
    }
    rcity_picture_draw_headlines(picture);
    rcity_picture_draw_legend(picture, picture->cairo);
    cairo_surface_flush(picture->surface);
    cairo_status_t drawn = cairo_status(picture->cairo);
    drawn = drawn == CAIRO_STATUS_SUCCESS ? cairo_surface_status(picture->surface) : drawn;
    RCITY_CHECK(picture->context, drawn == CAIRO_STATUS_SUCCESS,
                drawn == CAIRO_STATUS_NO_MEMORY ? RCITY_ERR_MEMORY : RCITY_ERR_UNSUPPORTED,
                "cairo cannot draw the picture: %s", cairo_status_to_string(drawn));
    return RCITY_OK;
}

rcity_status rcity_picture_make(rcity_picture *picture, const char *path)
{
    rcity_context *context = picture->context;
    RCITY_TRY(check_options(context, picture->map, picture->options));
    picture->shapes = picture->scene != NULL ? rcity_scene_shapes(picture->scene) : NULL;
    RCITY_CHECK(context, picture->shapes != NULL || picture->surfaces != NULL, RCITY_ERR_STATE,
                "cannot draw '%s': the scene is not committed", path);
    rcity_new_file *file = NULL;
    unsigned char *png = NULL;
    size_t bytes = 0;
    rcity_status status;
    RCITY_TRY(rcity_new_file_open(context, path, &file));
    RCITY_TRY_DONE(measure(picture));
    RCITY_TRY_DONE(rcity_check_machine_memory(context, RCITY_DRAWING_BYTES, "drawing"));
    rcity_picture_make_words(picture);
    lay_out(picture);
    RCITY_TRY_DONE(open_surface(picture));
    RCITY_TRY_DONE(draw(picture));
    RCITY_TRY_DONE(rcity_picture_encode(picture, &png, &bytes));
    RCITY_TRY_DONE(rcity_new_file_write(file, png, bytes));
    RCITY_TRY_DONE(end_layer(picture));
    status = rcity_new_file_commit(&file);
done:
    rcity_release(context, png);
    if (picture->cairo != NULL) {
        cairo_destroy(picture->cairo);
        cairo_surface_destroy(picture->surface);
    }
    rcity_release(context, picture->pixels);
    rcity_new_file_discard(&file);
    return status;
}

rcity_status rcity_picture_save(rcity_context *context, const rcity_scene *scene, const rcity_map *map,
                                const rcity_picture_options *options, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    rcity_picture_options known;
    RCITY_TAKE(context, rcity_picture_options, transmitters, options, &known);
    options = &known;
    RCITY_NEED(context, path);
    RCITY_CHECK_FIXED_ALL(context, rcity_transmitter, options->transmitters, options->transmitter_count);
    rcity_picture picture;
    memset(&picture, 0, sizeof picture);
    picture.context = context;
    picture.options = options;
    picture.scene = scene;
    picture.map = map;
    return rcity_picture_make(&picture, path);
}
