/* The values of a band: one sample for each pixel. A cell has one colour: nothing is
   smoothed, so nothing is invented. */
#include <math.h>
#include <string.h>

#include "io/picture/picture_data.h"
#include "result/map_data.h"

#define SHADE_COUNT 1024 /* colours between the ends of the bar */

/* Whether a band is a plain yes or no. */
static bool is_yes_no(const rcity_band *band, int64_t cell_count)
{
    if (band->unit[0] != '\0') {
        return false;
    }
    for (int64_t i = 0; i < cell_count; i++) {
        float value = band->value[i];
        if (isfinite(value) && value != 0.0f && value != 1.0f) {
            return false;
        }
    }
    return true;
}

rcity_status rcity_picture_measure_map(rcity_picture *picture)
{
    const rcity_picture_options *options = picture->options;
    rcity_picture_values *values = &picture->map_values;
    RCITY_TRY(rcity_map_get_band(picture->map, options->band_index, &picture->band));
    picture->raster = rcity_map_raster(picture->map);
    int64_t cell_count = picture->raster.column_count * picture->raster.row_count;
    values->scale = RCITY_COLOUR_SIGNAL;
    values->is_low_strong = strstr(picture->band.name, "loss") != NULL;
    values->is_yes_no = is_yes_no(&picture->band, cell_count);
    double low = values->is_yes_no ? 0.0 : options->value_min;
    double high = values->is_yes_no ? 1.0 : options->value_max;
    return rcity_picture_measure_values(picture->context, picture->band.value, cell_count, low, high, values);
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

/* Column of the raster under the middle of each pixel of the frame; -1 beside it. */
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

rcity_status rcity_picture_draw_map(rcity_picture *picture)
{
    const rcity_picture_layout *layout = &picture->layout;
    const rcity_raster *raster = &picture->raster;
    int64_t *columns = NULL;
    RCITY_TRY(rcity_alloc(picture->context, (size_t)layout->frame_width, sizeof *columns, "the columns of a picture",
                          &columns));
    uint32_t shades[SHADE_COUNT];
    make_shades(&picture->map_values, shades);
    find_columns(picture, columns);
    cairo_surface_flush(picture->surface);
    for (int i = 0; i < layout->frame_height; i++) {
        double y_m = layout->view_north_m - ((double)i + 0.5) * layout->pixel_m;
        double row = floor((raster->north_m - y_m) / raster->cell_m);
        if (row >= 0.0 && row < (double)raster->row_count) {
            uint32_t *pixel =
                picture->pixels + (size_t)(layout->frame_y + i) * (size_t)layout->width_px + layout->frame_x;
            draw_row(picture, picture->band.value + (int64_t)row * raster->column_count, columns, shades, pixel);
        }
    }
    cairo_surface_mark_dirty(picture->surface);
    rcity_release(picture->context, columns);
    return RCITY_OK;
}
