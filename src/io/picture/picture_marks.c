/* The surroundings of the map: title lines, axes with coordinates, north and scale. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/picture/picture_data.h"
#include "io/picture/picture_text.h"
#include "io/picture/surfaces/picture_surfaces.h"
#include "io/picture/ticks.h"

static void set_ink(cairo_t *cairo, uint32_t rgb)
{
    rcity_colour colour = rcity_colour_unpack(rgb);
    cairo_set_source_rgb(cairo, colour.red, colour.green, colour.blue);
}

void rcity_picture_draw_headlines(const rcity_picture *picture)
{
    const rcity_picture_layout *layout = &picture->layout;
    const rcity_picture_words *words = &picture->words;
    double em = layout->em_px;
    double x = 1.2 * em;
    double width = (double)layout->width_px - 2.4 * em;
    rcity_text_style title = {.size_px = 1.4 * em, .is_bold = true, .rgb = RCITY_PICTURE_INK};
    rcity_text_style line = {.size_px = em, .rgb = RCITY_PICTURE_FAINT_INK};
    rcity_text_style footer = {.size_px = 0.78 * em, .rgb = RCITY_PICTURE_FAINT_INK};
    double y = 1.95 * em;
    rcity_text_draw_fitted(picture->cairo, &title, x, y, width, words->title);
    if (words->facts[0] != '\0') {
        y += 1.55 * em;
        rcity_text_draw_fitted(picture->cairo, &line, x, y, width, words->facts);
    }
    y += 1.5 * em;
    rcity_text_draw_fitted(picture->cairo, &line, x, y, width, words->subtitle);
    rcity_text_draw_fitted(picture->cairo, &footer, x, (double)layout->height_px - 0.8 * em, width, words->footer);
}

/* A tick outside the frame at each end of the line x or y = const. */
static void draw_tick_pair(const rcity_picture_layout *layout, cairo_t *cairo, bool is_x, double place)
{
    double left = (double)layout->frame_x;
    double top = (double)layout->frame_y;
    double right = left + (double)layout->frame_width;
    double bottom = top + (double)layout->frame_height;
    double length = 0.4 * layout->em_px;
    double crisp = floor(place) + 0.5;
    if (is_x) {
        cairo_move_to(cairo, crisp, bottom);
        cairo_line_to(cairo, crisp, bottom + length);
        cairo_move_to(cairo, crisp, top);
        cairo_line_to(cairo, crisp, top - 0.5 * length);
    } else {
        cairo_move_to(cairo, left, crisp);
        cairo_line_to(cairo, left - length, crisp);
        cairo_move_to(cairo, right, crisp);
        cairo_line_to(cairo, right + 0.5 * length, crisp);
    }
    cairo_stroke(cairo);
}

static void draw_x_axis(const rcity_picture *picture, double step)
{
    const rcity_picture_layout *layout = &picture->layout;
    double em = layout->em_px;
    double bottom = (double)(layout->frame_y + layout->frame_height);
    rcity_text_style style = {.size_px = 0.85 * em, .rgb = RCITY_PICTURE_INK, .anchor = RCITY_TEXT_MIDDLE};
    double west_m = layout->view_west_m;
    double east_m = west_m + layout->pixel_m * (double)layout->frame_width;
    double first_m = rcity_tick_first(west_m, step);
    int count = (int)floor((east_m - first_m) / step + 1e-6);
    for (int i = 0; i <= count; i++) {
        double value = first_m + step * (double)i;
        double x = rcity_picture_x(layout, value);
        char text[RCITY_TICK_BYTES];
        set_ink(picture->cairo, RCITY_PICTURE_INK);
        draw_tick_pair(layout, picture->cairo, true, x);
        rcity_text_draw(picture->cairo, &style, x, bottom + 1.35 * em, rcity_tick_format(value, step, text));
    }
}

static void draw_y_axis(const rcity_picture *picture, double step)
{
    const rcity_picture_layout *layout = &picture->layout;
    double em = layout->em_px;
    rcity_text_style style = {.size_px = 0.85 * em, .rgb = RCITY_PICTURE_INK, .anchor = RCITY_TEXT_RIGHT};
    double north_m = layout->view_north_m;
    double first_m = rcity_tick_first(north_m - layout->pixel_m * (double)layout->frame_height, step);
    int count = (int)floor((north_m - first_m) / step + 1e-6);
    for (int i = 0; i <= count; i++) {
        double value = first_m + step * (double)i;
        double y = rcity_picture_y(layout, value);
        char text[RCITY_TICK_BYTES];
        set_ink(picture->cairo, RCITY_PICTURE_INK);
        draw_tick_pair(layout, picture->cairo, false, y);
        rcity_text_draw(picture->cairo, &style, (double)layout->frame_x - 0.65 * em, y + 0.3 * em,
                        rcity_tick_format(value, step, text));
    }
}

static void draw_axis_names(const rcity_picture *picture)
{
    const rcity_picture_layout *layout = &picture->layout;
    cairo_t *cairo = picture->cairo;
    double em = layout->em_px;
    bool has_crs = strcmp(picture->words.crs, "none") != 0;
    char text[160];
    snprintf(text, sizeof text, "%s, m \u00b7 %s", has_crs ? "Easting" : "x",
             has_crs ? picture->words.crs : "local grid, no CRS");
    rcity_text_style style = {.size_px = 0.9 * em, .rgb = RCITY_PICTURE_FAINT_INK, .anchor = RCITY_TEXT_MIDDLE};
    double middle_x = (double)layout->frame_x + 0.5 * (double)layout->frame_width;
    double middle_y = (double)layout->frame_y + 0.5 * (double)layout->frame_height;
    rcity_text_draw_fitted(cairo, &style, middle_x, (double)(layout->frame_y + layout->frame_height) + 2.9 * em,
                           (double)layout->frame_width, text);
    cairo_save(cairo);
    cairo_translate(cairo, 1.9 * em, middle_y);
    cairo_rotate(cairo, -1.5707963267948966);
    rcity_text_draw(cairo, &style, 0.0, 0.0, has_crs ? "Northing, m" : "y, m");
    cairo_restore(cairo);
}

void rcity_picture_draw_frame(const rcity_picture *picture)
{
    const rcity_picture_layout *layout = &picture->layout;
    cairo_t *cairo = picture->cairo;
    cairo_set_line_width(cairo, fmax(floor(layout->em_px / 16.0 + 0.5), 1.0));
    set_ink(cairo, RCITY_PICTURE_INK);
    cairo_rectangle(cairo, (double)layout->frame_x - 0.5, (double)layout->frame_y - 0.5,
                    (double)layout->frame_width + 1.0, (double)layout->frame_height + 1.0);
    cairo_stroke(cairo);
}

void rcity_picture_draw_axes(const rcity_picture *picture)
{
    const rcity_picture_layout *layout = &picture->layout;
    rcity_picture_draw_frame(picture);
    draw_x_axis(picture, layout->axis_step_m);
    draw_y_axis(picture, layout->axis_step_m);
    draw_axis_names(picture);
}

static void draw_north(cairo_t *cairo, double em, double x, double bottom)
{
    double tip = bottom - 2.6 * em;
    set_ink(cairo, RCITY_PICTURE_INK);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_MITER);
    cairo_set_line_width(cairo, fmax(0.07 * em, 0.8));
    cairo_move_to(cairo, x, tip);
    cairo_line_to(cairo, x + 0.6 * em, bottom);
    cairo_line_to(cairo, x, bottom - 0.55 * em);
    cairo_line_to(cairo, x - 0.6 * em, bottom);
    cairo_close_path(cairo);
    cairo_stroke(cairo);
    cairo_move_to(cairo, x, tip);
    cairo_line_to(cairo, x, bottom - 0.55 * em);
    cairo_line_to(cairo, x - 0.6 * em, bottom);
    cairo_close_path(cairo);
    cairo_fill(cairo);
    rcity_text_style style = {.size_px = em, .is_bold = true, .rgb = RCITY_PICTURE_INK, .anchor = RCITY_TEXT_MIDDLE};
    rcity_text_draw(cairo, &style, x, tip - 0.35 * em, "N");
}

/* The needle as it lies on the ground of a view, around its middle. */
static void draw_viewed_north(const rcity_picture *picture, cairo_t *cairo, double x, double y)
{
    static const double needle_em[4][2] = {{0.0, 1.3}, {0.6, -1.3}, {0.0, -0.75}, {-0.6, -1.3}};
    const rcity_surface_view *view = &picture->surfaces->view;
    double em = picture->layout.em_px;
    for (int half = 0; half < 2; half++) { /* the outline, then the filled half */
        set_ink(cairo, RCITY_PICTURE_INK);
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_MITER);
        cairo_set_line_width(cairo, fmax(0.07 * em, 0.8));
        for (int k = 0; k < 4; k++) {
            const double place[3] = {needle_em[k][0], needle_em[k][1], 0.0};
            double turned[3];
            rcity_surface_view_turn(view, place, turned);
            if (half == 0 || k != 1) {
                cairo_line_to(cairo, x + turned[0] * em, y - turned[1] * em);
            }
        }
        cairo_close_path(cairo);
        if (half == 0) {
            cairo_stroke(cairo);
        } else {
            cairo_fill(cairo);
        }
    }
    static const double letter[3] = {0.0, 2.15, 0.0};
    double turned[3];
    rcity_surface_view_turn(view, letter, turned);
    rcity_text_style style = {.size_px = em, .is_bold = true, .rgb = RCITY_PICTURE_INK, .anchor = RCITY_TEXT_MIDDLE};
    rcity_text_draw(cairo, &style, x + turned[0] * em, y - turned[1] * em + 0.36 * em, "N");
}

static void draw_scale_bar(const rcity_picture *picture, cairo_t *cairo, double x, double bottom, double width)
{
    double em = picture->layout.em_px;
    double pixel_m = picture->layout.pixel_m;
    double length_m = rcity_tick_round_down(width * pixel_m);
    double length_px = length_m / pixel_m;
    double height = 0.5 * em;
    set_ink(cairo, RCITY_PICTURE_INK);
    cairo_set_line_width(cairo, fmax(0.07 * em, 0.8));
    cairo_rectangle(cairo, x, bottom - height, length_px, height);
    cairo_stroke(cairo);
    cairo_rectangle(cairo, x, bottom - height, 0.25 * length_px, height);
    cairo_rectangle(cairo, x + 0.5 * length_px, bottom - height, 0.25 * length_px, height);
    cairo_fill(cairo);
    rcity_text_style style = {.size_px = 0.88 * em, .rgb = RCITY_PICTURE_INK};
    char text[64];
    if (length_m >= 1000.0) {
        snprintf(text, sizeof text, "%g km", length_m / 1000.0);
    } else {
        snprintf(text, sizeof text, "%g m", length_m);
    }
    if (picture->surfaces != NULL) { /* away from the viewer and upwards a metre is shorter */
        strcat(text, " across");
    }
    rcity_text_draw(cairo, &style, x, bottom - height - 0.5 * em, text);
}

double rcity_picture_draw_scale(const rcity_picture *picture, cairo_t *cairo, double x, double y, double width)
{
    const rcity_picture_layout *layout = &picture->layout;
    double em = layout->em_px;
    double height = 4.4 * em;
    double bottom = fmax((double)(layout->frame_y + layout->frame_height), y + height);
    if (picture->surfaces != NULL) {
        draw_viewed_north(picture, cairo, x + 1.9 * em, bottom - 1.7 * em);
        draw_scale_bar(picture, cairo, x + 4.8 * em, bottom - 0.05 * em, width - 4.8 * em);
        return height;
    }
    draw_north(cairo, em, x + 0.95 * em, bottom);
    draw_scale_bar(picture, cairo, x + 3.2 * em, bottom - 0.05 * em, width - 3.2 * em);
    return height;
}
