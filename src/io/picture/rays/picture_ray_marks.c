/* Marks of paths: one shape for each kind of interaction, and the receivers with their names. */
#include <math.h>

#include "io/picture/picture_data.h"
#include "io/picture/picture_text.h"
#include "result/rays_data.h"

#define RECEIVER_LABEL_MAX 24 /* with more receivers names would cover the paths */

static const double full_turn_rad = 6.283185307179586;

/* A polygon with corners on a circle, the first one at the top. */
static void trace_corners(cairo_t *cairo, int count, double x, double y, double radius)
{
    for (int i = 0; i < count; i++) {
        double angle_rad = full_turn_rad * (double)i / (double)count;
        cairo_line_to(cairo, x + radius * sin(angle_rad), y - radius * cos(angle_rad));
    }
    cairo_close_path(cairo);
}

static void trace_event(cairo_t *cairo, rcity_event_kind kind, double x, double y, double em_px)
{
    cairo_new_path(cairo);
    switch (kind) {
    case RCITY_EVENT_REFLECTION:
        cairo_arc(cairo, x, y, 0.21 * em_px, 0.0, full_turn_rad);
        cairo_close_path(cairo);
        break;
    case RCITY_EVENT_DIFFRACTION:
        trace_corners(cairo, 4, x, y, 0.34 * em_px);
        break;
    case RCITY_EVENT_TRANSMISSION:
        cairo_rectangle(cairo, x - 0.19 * em_px, y - 0.19 * em_px, 0.38 * em_px, 0.38 * em_px);
        break;
    case RCITY_EVENT_OVER_ROOFS:
        trace_corners(cairo, 3, x, y + 0.06 * em_px, 0.36 * em_px);
        break;
    }
}

void rcity_picture_draw_event_mark(cairo_t *cairo, rcity_event_kind kind, double x, double y, double em_px)
{
    static const uint32_t fills[] = {[RCITY_EVENT_REFLECTION] = 0xffffff,
                                     [RCITY_EVENT_DIFFRACTION] = 0xe8542f,
                                     [RCITY_EVENT_TRANSMISSION] = 0x9adcf2,
                                     [RCITY_EVENT_OVER_ROOFS] = 0xffb000};
    rcity_colour fill = rcity_colour_unpack(fills[kind]);
    trace_event(cairo, kind, x, y, em_px);
    cairo_set_source_rgb(cairo, fill.red, fill.green, fill.blue);
    cairo_fill_preserve(cairo);
    cairo_set_source_rgb(cairo, 0.07, 0.07, 0.08);
    cairo_set_line_width(cairo, fmax(0.08 * em_px, 0.8));
    cairo_stroke(cairo);
}

const char *rcity_picture_event_words(rcity_event_kind kind)
{
    switch (kind) {
    case RCITY_EVENT_REFLECTION:
        return "reflection";
    case RCITY_EVENT_DIFFRACTION:
        return "diffraction at an edge";
    case RCITY_EVENT_TRANSMISSION:
        return "through a wall or roof";
    case RCITY_EVENT_OVER_ROOFS:
        return "edge of a chain over roofs";
    }
    return "";
}

void rcity_picture_draw_receiver_mark(cairo_t *cairo, bool is_reached, double x, double y, double em_px)
{
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_MITER);
    cairo_new_path(cairo);
    cairo_rectangle(cairo, x - 0.40 * em_px, y - 0.40 * em_px, 0.80 * em_px, 0.80 * em_px);
    cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
    cairo_set_line_width(cairo, 0.34 * em_px);
    cairo_stroke_preserve(cairo);
    cairo_fill_preserve(cairo);
    cairo_set_source_rgb(cairo, 0.07, 0.07, 0.08);
    cairo_set_line_width(cairo, 0.14 * em_px);
    cairo_stroke(cairo);
    if (is_reached) {
        cairo_rectangle(cairo, x - 0.20 * em_px, y - 0.20 * em_px, 0.40 * em_px, 0.40 * em_px);
        cairo_fill(cairo);
        return;
    }
    cairo_move_to(cairo, x - 0.40 * em_px, y - 0.40 * em_px);
    cairo_line_to(cairo, x + 0.40 * em_px, y + 0.40 * em_px);
    cairo_move_to(cairo, x - 0.40 * em_px, y + 0.40 * em_px);
    cairo_line_to(cairo, x + 0.40 * em_px, y - 0.40 * em_px);
    cairo_stroke(cairo);
}

/* The name to the right of its mark; to the left at the edge of the frame. */
static void draw_name(const rcity_picture *picture, double x, double y, const char *name)
{
    const rcity_picture_layout *layout = &picture->layout;
    double em = layout->em_px;
    rcity_text_style style = {.size_px = 0.95 * em, .is_bold = true, .has_halo = true, .rgb = 0x111114};
    double width = rcity_text_width(picture->cairo, &style, name);
    double right = (double)(layout->frame_x + layout->frame_width) - 0.3 * em;
    bool is_left = x + 0.8 * em + width > right;
    style.anchor = is_left ? RCITY_TEXT_RIGHT : RCITY_TEXT_LEFT;
    rcity_text_draw_fitted(picture->cairo, &style, is_left ? x - 0.8 * em : x + 0.8 * em, y + 0.33 * em, 20.0 * em,
                           name);
}

void rcity_picture_draw_receivers(const rcity_picture *picture)
{
    const rcity_picture_rays *view = picture->rays;
    const rcity_picture_layout *layout = &picture->layout;
    for (int64_t i = 0; i < rcity_rays_receiver_count(view->rays); i++) {
        rcity_receiver_summary receiver;
        bool is_chosen = view->options->receiver_index < 0 || view->options->receiver_index == i;
        if (!is_chosen || rcity_rays_get_receiver(view->rays, i, &receiver) != RCITY_OK) {
            continue;
        }
        double x = rcity_picture_x(layout, receiver.position.x_m);
        double y = rcity_picture_y(layout, receiver.position.y_m);
        char number[24];
        rcity_picture_draw_receiver_mark(picture->cairo, receiver.state == RCITY_RECEIVER_REACHED, x, y, layout->em_px);
        if (view->receiver_count <= RECEIVER_LABEL_MAX) {
            draw_name(picture, x, y, rcity_rays_label(view->rays, i, number));
        }
    }
}
