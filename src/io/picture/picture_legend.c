/* The panel beside the frame: colour bar with its labels, the meaning of the other colours, north and scale. */
#include <math.h>
#include <stdio.h>

#include "io/picture/picture_data.h"
#include "io/picture/picture_text.h"
#include "io/picture/surfaces/picture_surfaces.h"
#include "io/picture/ticks.h"
#include "result/map_data.h"

#define LINE_EM   1.25 /* from line to line of small text */
#define SMALL_EM  0.86 /* size of small text */
#define SWATCH_EM 1.9  /* width of a colour sample */
#define BAR_EM    1.5  /* width of the colour bar */
#define POINT_EM  0.8  /* height of the pointed ends, which mean "and beyond" */

#define RELIEF_DARK   0.78 /* brightness of a slope that faces away from the light ... */
#define RELIEF_BRIGHT 1.07 /* ... and of one that faces it, as samples */

/* The current position in the panel. */
typedef struct panel {
    const rcity_picture *picture;
    cairo_t *cairo;
    double em, x, y, width;
} panel;

static void set_source(cairo_t *cairo, rcity_colour colour)
{
    cairo_set_source_rgb(cairo, colour.red, colour.green, colour.blue);
}

static rcity_text_style small_style(const panel *pen)
{
    return (rcity_text_style){.size_px = SMALL_EM * pen->em, .rgb = RCITY_PICTURE_FAINT_INK};
}

/* A value's colour as it appears in the frame: values of a map are drawn over pale ground. */
static rcity_colour shown_colour(const rcity_picture *picture, const rcity_picture_values *values, double value)
{
    rcity_colour colour = rcity_picture_value_colour(values, value);
    if (values != &picture->map_values) {
        return colour;
    }
    return rcity_colour_mix(rcity_colour_unpack(RCITY_PICTURE_GROUND), colour, RCITY_PICTURE_MAP_PART);
}

static void stroke_outline(const panel *pen)
{
    set_source(pen->cairo, rcity_colour_unpack(RCITY_PICTURE_INK));
    cairo_set_line_width(pen->cairo, fmax(0.06 * pen->em, 0.7));
    cairo_stroke(pen->cairo);
}

static void draw_heading(panel *pen)
{
    const rcity_picture *picture = pen->picture;
    rcity_text_style bold = {.size_px = 1.05 * pen->em, .is_bold = true, .rgb = RCITY_PICTURE_INK};
    rcity_text_style small = small_style(pen);
    int lines = rcity_text_draw_wrapped(pen->cairo, &bold, pen->x, pen->y + 0.85 * pen->em, pen->width, 1.3 * pen->em,
                                        2, picture->words.heading);
    pen->y += (1.3 * (double)lines + 0.1) * pen->em;
    if (picture->band.text != NULL && picture->band.text[0] != '\0') {
        lines = rcity_text_draw_wrapped(pen->cairo, &small, pen->x, pen->y + 0.8 * pen->em, pen->width,
                                        LINE_EM * pen->em, 4, picture->band.text);
        pen->y += LINE_EM * (double)lines * pen->em;
    }
    pen->y += 0.7 * pen->em;
}

/* The bar's body, one strip for each pixel row, `top_value` at its upper end. */
static void fill_bar(const panel *pen, const rcity_picture_values *values, double top, double height)
{
    int count = (int)ceil(height);
    double top_value = values->is_low_strong ? values->low : values->high;
    double bottom_value = values->is_low_strong ? values->high : values->low;
    cairo_set_antialias(pen->cairo, CAIRO_ANTIALIAS_NONE);
    for (int i = 0; i < count; i++) {
        double share = ((double)i + 0.5) / (double)count;
        set_source(pen->cairo, shown_colour(pen->picture, values, top_value + (bottom_value - top_value) * share));
        cairo_rectangle(pen->cairo, pen->x, top + (double)i, BAR_EM * pen->em, 1.0);
        cairo_fill(pen->cairo);
    }
    cairo_set_antialias(pen->cairo, CAIRO_ANTIALIAS_DEFAULT);
}

/* A pointed end of the bar: values beyond it have the same colour. */
static void draw_point(const panel *pen, rcity_colour colour, double base, double tip)
{
    cairo_move_to(pen->cairo, pen->x, base);
    cairo_line_to(pen->cairo, pen->x + 0.5 * BAR_EM * pen->em, tip);
    cairo_line_to(pen->cairo, pen->x + BAR_EM * pen->em, base);
    cairo_close_path(pen->cairo);
    set_source(pen->cairo, colour);
    cairo_fill_preserve(pen->cairo);
    stroke_outline(pen);
}

/* The label of a tick: its number, or the name of the sector with that number. */
static const char *tick_label(const rcity_picture_values *values, double value, double step,
                              char text[RCITY_TICK_BYTES])
{
    const char *name = values->is_server ? rcity_picture_class_name(values, (int)floor(value + 0.5)) : NULL;
    return name != NULL ? name : rcity_tick_format(value, step, text);
}

static void draw_bar_ticks(const panel *pen, const rcity_picture_values *values, double top, double height)
{
    double span = values->high - values->low;
    double step = rcity_tick_step(span, fmax(height / (2.2 * pen->em), 2.0));
    step = values->is_server ? fmax(step, 1.0) : step; /* sectors have whole numbers */
    rcity_text_style style = {.size_px = 0.92 * pen->em, .rgb = RCITY_PICTURE_INK};
    int count = (int)floor((rcity_tick_last(values->high, step) - rcity_tick_first(values->low, step)) / step + 0.5);
    for (int i = 0; i <= count; i++) {
        double value = rcity_tick_first(values->low, step) + step * (double)i;
        double share = (value - values->low) / span;
        double y = top + height * (values->is_low_strong ? share : 1.0 - share);
        char text[RCITY_TICK_BYTES];
        cairo_move_to(pen->cairo, pen->x + BAR_EM * pen->em, y);
        cairo_rel_line_to(pen->cairo, 0.35 * pen->em, 0.0);
        stroke_outline(pen);
        rcity_text_draw_fitted(pen->cairo, &style, pen->x + (BAR_EM + 0.6) * pen->em, y + 0.33 * pen->em,
                               pen->width - (BAR_EM + 0.6) * pen->em, tick_label(values, value, step, text));
    }
}

static void draw_bar(panel *pen, double height)
{
    const rcity_picture_values *values = pen->picture->bar;
    double em = pen->em;
    bool has_upper = values->is_low_strong ? values->minimum < values->low : values->maximum > values->high;
    bool has_lower = values->is_low_strong ? values->maximum > values->high : values->minimum < values->low;
    double top = floor(pen->y + POINT_EM * em);
    double body = floor(height - 2.0 * POINT_EM * em);
    double upper_value = values->is_low_strong ? values->low : values->high;
    double lower_value = values->is_low_strong ? values->high : values->low;
    fill_bar(pen, values, top, body);
    cairo_rectangle(pen->cairo, pen->x, top, BAR_EM * em, body);
    stroke_outline(pen);
    if (has_upper) {
        draw_point(pen, shown_colour(pen->picture, values, upper_value), top, top - POINT_EM * em);
    }
    if (has_lower) {
        draw_point(pen, shown_colour(pen->picture, values, lower_value), top + body, top + body + POINT_EM * em);
    }
    draw_bar_ticks(pen, values, top, body);
    if (values->is_low_strong) {
        rcity_text_style small = small_style(pen);
        double x = pen->x + (BAR_EM + 4.2) * em;
        rcity_text_draw(pen->cairo, &small, x, top + 0.31 * em, "strong signal");
        rcity_text_draw(pen->cairo, &small, x, top + body + 0.31 * em, "weak signal");
    } else if (has_upper && rcity_picture_is_scene_alone(pen->picture)) {
        char text[48];
        rcity_text_style small = small_style(pen);
        snprintf(text, sizeof text, "and up to %.0f m", values->maximum);
        rcity_text_draw(pen->cairo, &small, pen->x + (BAR_EM + 3.2) * em, top + 0.31 * em, text);
    }
    pen->y += height + 0.9 * em;
}

/* One line of the legend: a sample, which the caller draws, and text beside it. */
static void draw_entry(panel *pen, const char *text)
{
    rcity_text_style style = small_style(pen);
    style.rgb = RCITY_PICTURE_INK;
    double indent = (SWATCH_EM + 0.6) * pen->em;
    int lines = rcity_text_draw_wrapped(pen->cairo, &style, pen->x + indent, pen->y + 0.88 * pen->em,
                                        pen->width - indent, 1.15 * pen->em, 3, text);
    pen->y += (1.15 * (double)(lines > 0 ? lines : 1) + 0.5) * pen->em;
}

static void draw_swatch(panel *pen, rcity_colour left, rcity_colour right, const char *text)
{
    cairo_t *cairo = pen->cairo;
    cairo_pattern_t *pattern = cairo_pattern_create_linear(pen->x, 0.0, pen->x + SWATCH_EM * pen->em, 0.0);
    cairo_pattern_add_color_stop_rgb(pattern, 0.0, left.red, left.green, left.blue);
    cairo_pattern_add_color_stop_rgb(pattern, 1.0, right.red, right.green, right.blue);
    cairo_rectangle(cairo, pen->x, pen->y, SWATCH_EM * pen->em, 1.1 * pen->em);
    cairo_set_source(cairo, pattern);
    cairo_fill_preserve(cairo);
    cairo_pattern_destroy(pattern);
    stroke_outline(pen);
    draw_entry(pen, text);
}

static void draw_yes_no(panel *pen)
{
    const rcity_picture *picture = pen->picture;
    rcity_colour yes = shown_colour(picture, picture->bar, 1.0);
    rcity_colour no = shown_colour(picture, picture->bar, 0.0);
    draw_swatch(pen, yes, yes, "yes");
    draw_swatch(pen, no, no, "no");
}

static void draw_classes(panel *pen)
{
    const rcity_picture_values *values = pen->picture->bar;
    for (int number = 0; number < values->class_count; number++) {
        const char *name = rcity_picture_class_name(values, number);
        if (name == NULL) {
            continue;
        }
        rcity_colour colour = shown_colour(pen->picture, values, number);
        draw_swatch(pen, colour, colour, name);
    }
}

static void draw_building_entry(panel *pen)
{
    const rcity_picture *picture = pen->picture;
    const rcity_picture_values *values = &picture->building_values;
    if (!values->has_any || rcity_picture_is_scene_alone(picture) || rcity_picture_has_indoor(picture)) {
        return;
    }
    char text[128];
    snprintf(text, sizeof text,
             values->maximum - values->minimum >= 1.0 ? "buildings, %.0f to %.0f m high, darker is higher"
                                                      : "buildings, %.0f m high",
             values->minimum, values->maximum);
    rcity_colour low = rcity_picture_building_colour(picture, values->low);
    draw_swatch(pen, low, rcity_picture_building_colour(picture, values->high), text);
    if (picture->has_rims) {
        draw_swatch(pen, low, low, "beside walls: rest of a cell inside a building");
    }
}

static void draw_vegetation_entry(panel *pen)
{
    const rcity_picture *picture = pen->picture;
    const rcity_shapes *shapes = picture->shapes;
    if (shapes == NULL || shapes->vegetation_count == 0 || (picture->map != NULL && !picture->map_values.has_missing)) {
        return;
    }
    int32_t low = shapes->vegetation[0].height;
    int32_t high = low;
    for (int64_t i = 1; i < shapes->vegetation_count; i++) {
        low = shapes->vegetation[i].height < low ? shapes->vegetation[i].height : low;
        high = shapes->vegetation[i].height > high ? shapes->vegetation[i].height : high;
    }
    double low_m = (double)low / RCITY_HEIGHT_UNITS_PER_M;
    double high_m = (double)high / RCITY_HEIGHT_UNITS_PER_M;
    char text[64];
    snprintf(text, sizeof text, high_m - low_m >= 1.0 ? "vegetation, %.0f to %.0f m high" : "vegetation, %.0f m high",
             low_m, high_m);
    rcity_colour green = rcity_picture_vegetation_colour();
    draw_swatch(pen, green, green, text);
}

/* Where there is no value the ground is visible, shaded if there is terrain. */
static void draw_missing_entry(panel *pen)
{
    const rcity_picture *picture = pen->picture;
    if (picture->map == NULL || !picture->map_values.has_missing) {
        return;
    }
    bool has_relief = picture->ground_values.has_any;
    rcity_colour ground = rcity_colour_unpack(RCITY_PICTURE_GROUND);
    char text[128];
    snprintf(text, sizeof text, "no value%s%s", has_relief ? " (ground shown)" : "",
             !picture->map_values.has_any       ? " anywhere"
             : picture->shapes->prism_count > 0 ? ": inside a building or not reached"
                                                : ": not reached");
    draw_swatch(pen, has_relief ? rcity_colour_shade(ground, RELIEF_DARK) : ground,
                has_relief ? rcity_colour_shade(ground, RELIEF_BRIGHT) : ground, text);
}

static void draw_ground_entry(panel *pen)
{
    const rcity_picture *picture = pen->picture;
    const rcity_picture_values *values = &picture->ground_values;
    if (!rcity_picture_is_scene_alone(picture) || !values->has_any || picture->bar == values) {
        return;
    }
    char text[128];
    snprintf(text, sizeof text, "ground, %.0f to %.0f m", values->minimum, values->maximum);
    draw_swatch(pen, rcity_picture_value_colour(values, values->low), rcity_picture_value_colour(values, values->high),
                text);
}

static void draw_contour_entry(panel *pen)
{
    if (pen->picture->contour_m == 0.0) {
        return;
    }
    char text[64];
    snprintf(text, sizeof text, "contours every %g m", pen->picture->contour_m);
    cairo_move_to(pen->cairo, pen->x, pen->y + 0.55 * pen->em);
    cairo_rel_line_to(pen->cairo, SWATCH_EM * pen->em, 0.0);
    set_source(pen->cairo, rcity_colour_unpack(RCITY_PICTURE_CONTOUR));
    cairo_set_line_width(pen->cairo, fmax(0.08 * pen->em, 0.8));
    cairo_stroke(pen->cairo);
    draw_entry(pen, text);
}

/* The interactions of paths, and the receivers. */
static void draw_ray_entries(panel *pen)
{
    const rcity_picture_rays *rays = pen->picture->rays;
    double x = pen->x + 0.5 * SWATCH_EM * pen->em;
    for (int i = 0; rays != NULL && i <= RCITY_EVENT_OVER_ROOFS; i++) {
        if (rays->has_kind[i]) {
            rcity_picture_draw_event_mark(pen->cairo, (rcity_event_kind)i, x, pen->y + 0.55 * pen->em, pen->em);
            draw_entry(pen, rcity_picture_event_words((rcity_event_kind)i));
        }
    }
    for (int is_reached = 1; rays != NULL && is_reached >= 0; is_reached--) {
        int64_t count = is_reached ? rays->reached_count : rays->receiver_count - rays->reached_count;
        if (count > 0) {
            rcity_picture_draw_receiver_mark(pen->cairo, is_reached != 0, x, pen->y + 0.55 * pen->em, pen->em);
            draw_entry(pen, is_reached ? (count > 1 ? "receivers" : "receiver")
                                       : (count > 1 ? "receivers without paths" : "receiver without paths"));
        }
    }
}

/* Tiles without a value, and the light on walls: the strongest and the weakest on the same value. */
static void draw_surface_entries(panel *pen)
{
    const rcity_picture *picture = pen->picture;
    if (picture->surfaces == NULL) {
        return;
    }
    if (picture->bar->has_missing || !picture->bar->has_any) {
        rcity_colour grey = rcity_surface_paint_missing();
        draw_swatch(pen, grey, grey, picture->bar->has_any ? "no value: not reached" : "no value anywhere");
    }
    if (picture->bar->has_any) {
        rcity_colour middle = rcity_picture_value_colour(picture->bar, 0.5 * (picture->bar->low + picture->bar->high));
        draw_swatch(pen, rcity_picture_light_wall(middle, -1.0), rcity_picture_light_wall(middle, 1.0),
                    "walls: lighter to the left, darker to the right; roofs and ground as in the bar");
    }
}

static void draw_entries(panel *pen)
{
    const rcity_picture *picture = pen->picture;
    draw_surface_entries(pen);
    draw_missing_entry(pen);
    draw_building_entry(pen);
    draw_vegetation_entry(pen);
    draw_ground_entry(pen);
    draw_contour_entry(pen);
    draw_ray_entries(pen);
    if (rcity_picture_transmitter_count(picture) > 0) {
        rcity_picture_draw_transmitter_mark(pen->cairo, pen->x + 0.5 * SWATCH_EM * pen->em, pen->y + 0.55 * pen->em,
                                            pen->em);
        draw_entry(pen, rcity_picture_transmitter_count(picture) > 1 ? "transmitters"
                        : rcity_picture_is_mast_hidden(picture)      ? "transmitter, behind a building"
                                                                     : "transmitter");
    }
}

double rcity_picture_draw_legend(const rcity_picture *picture, cairo_t *cairo)
{
    const rcity_picture_layout *layout = &picture->layout;
    panel pen = {.picture = picture,
                 .cairo = cairo,
                 .em = layout->em_px,
                 .x = layout->panel_x,
                 .y = (double)layout->frame_y,
                 .width = layout->panel_width};
    draw_heading(&pen);
    if (picture->bar->is_yes_no) {
        draw_yes_no(&pen);
    } else if (picture->bar->is_class) {
        draw_classes(&pen);
    } else if (picture->bar->has_any) {
        draw_bar(&pen, layout->bar_height);
    }
    draw_entries(&pen);
    double scale_height = rcity_picture_draw_scale(picture, cairo, pen.x, pen.y, pen.width);
    return pen.y + scale_height - (double)layout->frame_y;
}
