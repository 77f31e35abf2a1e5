/* Drawing the legend: a heading, then a colour bar with numbers, or a sample and a name for each class. */
#include "io/globe/legend.h"

#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/globe/kml.h"
#include "io/globe/png.h"
#include "io/picture/picture_text.h"
#include "io/picture/ticks.h"
#include "result/map_data.h"

#define WIDTH_PX    230
#define MARGIN_PX   12.0
#define TEXT_PX     13.0
#define LINE_PX     20.0
#define BAR_PX      220.0 /* height of the colour bar */
#define BAR_WIDTH   22.0
#define CLASS_LINES 24 /* classes shown; the rest is counted */
#define INK         0x26262b

/* What is drawn, and the current line. */
typedef struct legend_pen {
    cairo_t *cairo;
    const rcity_picture_values *values;
    double y;
} legend_pen;

/* Sectors up to the highest that occurs; of other classes those with a name. */
static int class_count(const rcity_picture_values *values)
{
    int named_count = 0;
    for (int i = 0; i < values->class_count; i++) {
        named_count += rcity_picture_class_name(values, i) != NULL ? 1 : 0;
    }
    return values->is_yes_no ? 2 : values->is_class ? named_count : (int)values->high;
}

static bool has_classes(const rcity_picture_values *values)
{
    return values->is_server || values->is_class || values->is_yes_no;
}

static int line_count(const rcity_picture_values *values)
{
    int count = class_count(values);
    return count > CLASS_LINES ? CLASS_LINES + 1 : count;
}

static int legend_height(const rcity_picture_values *values)
{
    double body = has_classes(values) ? LINE_PX * line_count(values) : BAR_PX + TEXT_PX;
    return (int)ceil(2.0 * MARGIN_PX + LINE_PX + body);
}

static void set_colour(cairo_t *cairo, rcity_colour colour)
{
    cairo_set_source_rgb(cairo, colour.red, colour.green, colour.blue);
}

static void draw_heading(legend_pen *pen, const rcity_band *band)
{
    char heading[256];
    rcity_kml_make_heading(band, heading, sizeof heading);
    rcity_text_style bold = {.size_px = TEXT_PX, .is_bold = true, .rgb = INK};
    rcity_text_draw_fitted(pen->cairo, &bold, MARGIN_PX, pen->y + TEXT_PX, WIDTH_PX - 2.0 * MARGIN_PX, heading);
    pen->y += LINE_PX + 0.5 * TEXT_PX;
}

/* The strong end is on top, as in the pictures. */
static void draw_bar(legend_pen *pen)
{
    const rcity_picture_values *values = pen->values;
    cairo_t *cairo = pen->cairo;
    double top = values->is_low_strong ? values->low : values->high;
    double bottom = values->is_low_strong ? values->high : values->low;
    for (int i = 0; i < (int)BAR_PX; i++) {
        double share = ((double)i + 0.5) / BAR_PX;
        set_colour(cairo, rcity_picture_value_colour(values, top + (bottom - top) * share));
        cairo_rectangle(cairo, MARGIN_PX, pen->y + (double)i, BAR_WIDTH, 1.0);
        cairo_fill(cairo);
    }
    double step = rcity_tick_step(values->high - values->low, 8.0);
    int count = (int)floor((rcity_tick_last(values->high, step) - rcity_tick_first(values->low, step)) / step + 0.5);
    rcity_text_style style = {.size_px = TEXT_PX, .rgb = INK};
    for (int i = 0; i <= count; i++) {
        double value = rcity_tick_first(values->low, step) + step * (double)i;
        double y = pen->y + BAR_PX * (value - top) / (bottom - top);
        char text[RCITY_TICK_BYTES];
        set_colour(cairo, rcity_colour_unpack(INK));
        cairo_rectangle(cairo, MARGIN_PX + BAR_WIDTH, floor(y), 5.0, 1.0);
        cairo_fill(cairo);
        rcity_text_draw(cairo, &style, MARGIN_PX + BAR_WIDTH + 9.0, y + 0.35 * TEXT_PX,
                        rcity_tick_format(value, step, text));
    }
}

static void draw_class(legend_pen *pen, int value, const char *name)
{
    rcity_text_style style = {.size_px = TEXT_PX, .rgb = INK};
    set_colour(pen->cairo, rcity_picture_value_colour(pen->values, value));
    cairo_rectangle(pen->cairo, MARGIN_PX, pen->y + 2.0, BAR_WIDTH, LINE_PX - 6.0);
    cairo_fill(pen->cairo);
    rcity_text_draw_fitted(pen->cairo, &style, MARGIN_PX + BAR_WIDTH + 9.0, pen->y + TEXT_PX,
                           WIDTH_PX - 2.0 * MARGIN_PX - BAR_WIDTH - 9.0, name);
    pen->y += LINE_PX;
}

static void draw_classes(legend_pen *pen)
{
    int count = class_count(pen->values);
    if (pen->values->is_yes_no) {
        draw_class(pen, 1, "yes");
        draw_class(pen, 0, "no");
        return;
    }
    int drawn_count = 0;
    for (int number = pen->values->is_server ? 1 : 0; drawn_count < count && drawn_count < CLASS_LINES; number++) {
        char text[32];
        const char *name = rcity_picture_class_name(pen->values, number);
        snprintf(text, sizeof text, "%d", number);
        if (name != NULL || pen->values->is_server) {
            draw_class(pen, number, name != NULL ? name : text);
            drawn_count++;
        }
    }
    if (count > CLASS_LINES) {
        char text[48];
        rcity_text_style style = {.size_px = TEXT_PX, .rgb = INK};
        snprintf(text, sizeof text, "and %d more", count - CLASS_LINES);
        rcity_text_draw(pen->cairo, &style, MARGIN_PX, pen->y + TEXT_PX, text);
    }
}

/* Cairo multiplies colours by alpha; PNG does not. */
static void divide_by_alpha(uint32_t *pixels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t alpha = pixels[i] >> 24;
        uint32_t made = alpha << 24;
        for (int shift = 0; shift <= 16 && alpha > 0; shift += 8) {
            uint32_t part = ((pixels[i] >> shift & 0xff) * 255 + alpha / 2) / alpha;
            made |= (part > 255 ? 255 : part) << shift;
        }
        pixels[i] = made;
    }
}

static rcity_status draw(rcity_context *context, const rcity_band *band, const rcity_picture_values *values, int height,
                         uint32_t *pixels)
{
    /* a row of 32-bit pixels is as long as Cairo wants it */
    cairo_surface_t *surface = cairo_image_surface_create_for_data((unsigned char *)pixels, CAIRO_FORMAT_ARGB32,
                                                                   WIDTH_PX, height, WIDTH_PX * (int)sizeof *pixels);
    cairo_t *cairo = cairo_create(surface);
    legend_pen pen = {.cairo = cairo, .values = values, .y = MARGIN_PX};
    cairo_set_source_rgba(cairo, 1.0, 1.0, 1.0, 0.85);
    cairo_paint(cairo);
    draw_heading(&pen, band);
    if (has_classes(values)) {
        draw_classes(&pen);
    } else {
        draw_bar(&pen);
    }
    cairo_status_t drawn = cairo_status(cairo);
    cairo_destroy(cairo);
    cairo_surface_flush(surface);
    cairo_surface_destroy(surface);
    RCITY_CHECK(context, drawn == CAIRO_STATUS_SUCCESS, RCITY_ERR_MEMORY, "cairo cannot draw the legend: %s",
                cairo_status_to_string(drawn));
    divide_by_alpha(pixels, (size_t)WIDTH_PX * (size_t)height);
    return RCITY_OK;
}

rcity_status rcity_legend_make(rcity_context *context, const rcity_band *band, const rcity_picture_values *values,
                               unsigned char **png, size_t *bytes)
{
    int height = legend_height(values);
    uint32_t *pixels = NULL;
    RCITY_TRY(rcity_alloc(context, (size_t)WIDTH_PX * (size_t)height, sizeof *pixels, "a legend", &pixels));
    rcity_status status = draw(context, band, values, height, pixels);
    if (status == RCITY_OK) {
        status = rcity_png_encode(context, WIDTH_PX, height, pixels, png, bytes);
    }
    rcity_release(context, pixels);
    return status;
}
