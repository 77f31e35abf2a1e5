/* The values of a band: one sample for each pixel. A cell has one colour: values are not smoothed. */
#include <math.h>
#include <string.h>

#include "io/picture/picture_data.h"
#include "result/map_data.h"
#include "scene/place/cover.h"

#define SHADE_COUNT 1024 /* colours between the ends of the bar */
#define REPORT_ROWS 64   /* between reports of progress */

rcity_status rcity_picture_measure_map(rcity_picture *picture)
{
    const rcity_picture_options *options = picture->options;
    RCITY_TRY(rcity_map_find_band(picture->context, picture->map, options->band_index, &picture->band));
    picture->raster = rcity_map_raster(picture->map);
    int64_t cell_count = picture->raster.column_count * picture->raster.row_count;
    return rcity_picture_measure_band(picture->context, &picture->band, cell_count, options->value_min,
                                      options->value_max, &picture->map_values);
}

static uint32_t mix_byte(uint32_t under, uint32_t over, int shift, uint32_t part)
{
    uint32_t low = under >> shift & 0xff;
    uint32_t high = over >> shift & 0xff;
    return ((low * (256 - part) + high * part + 128) >> 8) << shift;
}

static uint32_t mix_pixel(uint32_t under, uint32_t over)
{
    uint32_t part = (uint32_t)(256.0 * RCITY_PICTURE_MAP_PART);
    return mix_byte(under, over, 16, part) | mix_byte(under, over, 8, part) | mix_byte(under, over, 0, part);
}

static void make_shades(const rcity_picture_values *values, uint32_t *shades)
{
    for (int i = 0; i < SHADE_COUNT; i++) {
        double value = values->low + (values->high - values->low) * ((double)i + 0.5) / SHADE_COUNT;
        shades[i] = rcity_colour_pack(rcity_picture_value_colour(values, value));
    }
}

/* Column of the raster at the middle of each pixel of the frame; -1 outside. */
static void find_columns(const rcity_picture *picture, int64_t *columns)
{
    const rcity_picture_layout *layout = &picture->layout;
    for (int i = 0; i < layout->frame_width; i++) {
        double x_m = layout->view_west_m + ((double)i + 0.5) * layout->pixel_m;
        double column = floor((x_m - picture->raster.west_m) / picture->raster.cell_m);
        columns[i] = column >= 0.0 && column < (double)picture->raster.column_count ? (int64_t)column : -1;
    }
}

static void draw_row(const rcity_picture *picture, const float *value, const int64_t *columns, const uint32_t *shades,
                     uint32_t *pixel)
{
    float low = (float)picture->map_values.low;
    float scale = (float)((double)SHADE_COUNT / (picture->map_values.high - picture->map_values.low));
    for (int i = 0; i < picture->layout.frame_width; i++) {
        if (columns[i] < 0 || !isfinite(value[columns[i]])) {
            continue;
        }
        float place = (value[columns[i]] - low) * scale;
        int shade = place <= 0.0f ? 0 : place >= (float)SHADE_COUNT ? SHADE_COUNT - 1 : (int)place;
        pixel[i] = mix_pixel(pixel[i], shades[shade]);
    }
}

/* Row of the raster at the middle of a row of pixels; -1 outside. */
static int64_t find_row(const rcity_picture *picture, int pixel_row)
{
    double y_m = picture->layout.view_north_m - ((double)pixel_row + 0.5) * picture->layout.pixel_m;
    double row = floor((picture->raster.north_m - y_m) / picture->raster.cell_m);
    return row >= 0.0 && row < (double)picture->raster.row_count ? (int64_t)row : -1;
}

static uint32_t *pixels_of_row(const rcity_picture *picture, int pixel_row)
{
    const rcity_picture_layout *layout = &picture->layout;
    return picture->pixels + (size_t)(layout->frame_y + pixel_row) * (size_t)layout->width_px + layout->frame_x;
}

rcity_status rcity_picture_draw_map(rcity_picture *picture)
{
    const rcity_picture_layout *layout = &picture->layout;
    int64_t *columns = NULL;
    RCITY_TRY(rcity_alloc(picture->context, (size_t)layout->frame_width, sizeof *columns, "the columns of a picture",
                          &columns));
    rcity_status status = RCITY_OK;
    uint32_t shades[SHADE_COUNT];
    make_shades(&picture->map_values, shades);
    find_columns(picture, columns);
    cairo_surface_flush(picture->surface);
    for (int i = 0; i < layout->frame_height && status == RCITY_OK; i++) {
        int64_t row = find_row(picture, i);
        if (row >= 0) {
            draw_row(picture, picture->band.value + row * picture->raster.column_count, columns, shades,
                     pixels_of_row(picture, i));
        }
        if (i % REPORT_ROWS == 0) {
            status = rcity_picture_report(picture, (double)i / (double)layout->frame_height);
        }
    }
    cairo_surface_mark_dirty(picture->surface);
    rcity_release(picture->context, columns);
    return status;
}

static void draw_rim_row(const rcity_picture *picture, const float *value, const float *roof_m, const int64_t *columns,
                         uint32_t *pixel)
{
    uint32_t rim = rcity_colour_pack(rcity_picture_building_colour(picture, picture->building_values.low));
    for (int i = 0; i < picture->layout.frame_width; i++) {
        if (columns[i] >= 0 && !isfinite(value[columns[i]]) && isfinite(roof_m[columns[i]])) {
            pixel[i] = rim;
        }
    }
}

/* A cell whose centre is inside a building has no value but may extend outside it. That part gets the colour of low
   buildings, since specks of pale ground beside walls would look like the highest values. */
rcity_status rcity_picture_draw_rims(rcity_picture *picture)
{
    if (!picture->has_rims) {
        return RCITY_OK;
    }
    const rcity_picture_layout *layout = &picture->layout;
    const rcity_raster *raster = &picture->raster;
    int64_t *columns = NULL;
    float *roof_m = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(picture->context, (size_t)layout->frame_width, sizeof *columns,
                               "the columns of a picture", &columns));
    RCITY_TRY_DONE(rcity_alloc(picture->context, (size_t)(raster->column_count * raster->row_count), sizeof *roof_m,
                               "the roofs of a picture", &roof_m));
    RCITY_TRY_DONE(rcity_raster_cover(picture->context, picture->shapes, raster, roof_m));
    find_columns(picture, columns);
    cairo_surface_flush(picture->surface);
    for (int i = 0; i < layout->frame_height; i++) {
        int64_t row = find_row(picture, i);
        if (row >= 0) {
            int64_t first = row * raster->column_count;
            draw_rim_row(picture, picture->band.value + first, roof_m + first, columns, pixels_of_row(picture, i));
        }
    }
    cairo_surface_mark_dirty(picture->surface);
done:
    rcity_release(picture->context, roof_m);
    rcity_release(picture->context, columns);
    return status;
}
