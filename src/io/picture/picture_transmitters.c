/* Transmitters on the map, with labels that do not overlap. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "io/picture/picture_data.h"
#include "io/picture/picture_text.h"
#include "result/map_data.h"

#define LABEL_COUNT_MAX  256 /* with more transmitters only marks are drawn: labels would not fit */
#define LABEL_TAIL_BYTES 48  /* of the text after a name */

typedef struct label_box {
    double left, top, right, bottom;
} label_box;

/* Labels and marks that are placed already. */
typedef struct label_list {
    int count;
    label_box boxes[2 * LABEL_COUNT_MAX];
} label_list;

static bool boxes_meet(const label_box *a, const label_box *b)
{
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static rcity_text_style label_style(const rcity_picture *picture)
{
    return (rcity_text_style){.size_px = picture->layout.em_px, .is_bold = true, .has_halo = true, .rgb = 0x111114};
}

/* The transmitter of the map's notes. */
static bool find_noted(const rcity_picture *picture, rcity_transmitter *transmitter)
{
    const char *x = picture->map != NULL ? rcity_map_find_note(picture->map, "tx_x_m") : NULL;
    const char *y = picture->map != NULL ? rcity_map_find_note(picture->map, "tx_y_m") : NULL;
    if (x == NULL || y == NULL) {
        return false;
    }
    *transmitter = (rcity_transmitter){.name = NULL};
    return rcity_number_read(&x, x + strlen(x), &transmitter->x_m) &&
           rcity_number_read(&y, y + strlen(y), &transmitter->y_m) &&
           fabs(transmitter->x_m) <= RCITY_COORDINATE_MAX_M && fabs(transmitter->y_m) <= RCITY_COORDINATE_MAX_M;
}

int rcity_picture_transmitter_count(const rcity_picture *picture)
{
    rcity_transmitter noted;
    if (picture->options->transmitter_count > 0) {
        return picture->options->transmitter_count;
    }
    return find_noted(picture, &noted) ? 1 : 0;
}

void rcity_picture_draw_transmitter_mark(cairo_t *cairo, double x, double y, double em_px)
{
    static const struct {
        double radius_em;
        uint32_t rgb;
    } discs[] = {{0.66, 0xffffff}, {0.52, 0x111114}, {0.30, 0xffffff}, {0.17, 0x111114}};
    cairo_new_path(cairo);
    for (size_t i = 0; i < sizeof discs / sizeof discs[0]; i++) {
        rcity_colour colour = rcity_colour_unpack(discs[i].rgb);
        cairo_set_source_rgb(cairo, colour.red, colour.green, colour.blue);
        cairo_arc(cairo, x, y, discs[i].radius_em * em_px, 0.0, 6.283185307179586);
        cairo_fill(cairo);
    }
}

/* A wedge at the edge of the frame that points to a transmitter outside it. */
static void draw_pointer(cairo_t *cairo, double x, double y, double direction_x, double direction_y, double em_px)
{
    double length = hypot(direction_x, direction_y);
    double ux = direction_x / length * 0.75 * em_px;
    double uy = direction_y / length * 0.75 * em_px;
    cairo_move_to(cairo, x + ux, y + uy);
    cairo_line_to(cairo, x - 0.6 * ux - 0.7 * uy, y - 0.6 * uy + 0.7 * ux);
    cairo_line_to(cairo, x - 0.6 * ux + 0.7 * uy, y - 0.6 * uy - 0.7 * ux);
    cairo_close_path(cairo);
    cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_width(cairo, 0.3 * em_px);
    cairo_stroke_preserve(cairo);
    cairo_set_source_rgb(cairo, 0.07, 0.07, 0.08);
    cairo_fill(cairo);
}

static bool is_free(const rcity_picture_layout *layout, const label_list *labels, const label_box *box)
{
    if (box->left < (double)layout->frame_x || box->top < (double)layout->frame_y ||
        box->right > (double)(layout->frame_x + layout->frame_width) ||
        box->bottom > (double)(layout->frame_y + layout->frame_height)) {
        return false;
    }
    for (int i = 0; i < labels->count; i++) {
        if (boxes_meet(box, &labels->boxes[i])) {
            return false;
        }
    }
    return true;
}

/* Draw a text at the first free side of its mark: right, left, above, below, then the corners. */
static bool place_label(const rcity_picture *picture, label_list *labels, double x, double y, const char *text)
{
    static const double sides[8][2] = {{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}};
    double em = picture->layout.em_px;
    rcity_text_style style = label_style(picture);
    double half_width = 0.5 * rcity_text_width(picture->cairo, &style, text);
    for (int i = 0; i < 8; i++) {
        double middle_x = x + sides[i][0] * (half_width + (sides[i][1] != 0.0 ? 0.3 : 0.95) * em);
        double middle_y = y + sides[i][1] * 1.25 * em;
        label_box box = {middle_x - half_width - 0.15 * em, middle_y - 0.6 * em, middle_x + half_width + 0.15 * em,
                         middle_y + 0.6 * em};
        if (is_free(&picture->layout, labels, &box) && labels->count < 2 * LABEL_COUNT_MAX) {
            labels->boxes[labels->count++] = box;
            rcity_text_draw(picture->cairo, &style, middle_x - half_width, middle_y + 0.36 * em, text);
            return true;
        }
    }
    return false;
}

/* Draw a name, and a text after it, beside a mark: complete if there is room, else with the name cut shorter and
   shorter; not at all if even that does not fit. */
static void draw_label(const rcity_picture *picture, label_list *labels, double x, double y, const char *name,
                       const char *tail)
{
    static const double widths_em[] = {1e9, 30.0, 20.0, 12.0, 7.0};
    rcity_text_style style = label_style(picture);
    double whole_px = rcity_text_width(picture->cairo, &style, name);
    for (size_t i = 0; i < sizeof widths_em / sizeof widths_em[0]; i++) {
        double width_px = widths_em[i] * picture->layout.em_px;
        char shown[RCITY_TEXT_BYTES];
        char text[RCITY_TEXT_BYTES + LABEL_TAIL_BYTES];
        if (i > 0 && width_px >= whole_px) {
            continue; /* was tried already */
        }
        rcity_text_cut(picture->cairo, &style, width_px, name, shown);
        snprintf(text, sizeof text, "%s%s", shown, tail);
        if (place_label(picture, labels, x, y, text)) {
            return;
        }
    }
}

/* Distance from a place to the nearest point of the area shown. */
static double distance_off_m(const rcity_picture_bounds *bounds, double x_m, double y_m)
{
    double x_off_m = fmax(fmax(bounds->west_m - x_m, x_m - bounds->east_m), 0.0);
    double y_off_m = fmax(fmax(bounds->south_m - y_m, y_m - bounds->north_m), 0.0);
    return hypot(x_off_m, y_off_m);
}

static void draw_one(const rcity_picture *picture, label_list *labels, const rcity_transmitter *transmitter)
{
    const rcity_picture_layout *layout = &picture->layout;
    double em = layout->em_px;
    double true_x = rcity_picture_x(layout, transmitter->x_m);
    double true_y = rcity_picture_y(layout, transmitter->y_m);
    double left = (double)layout->frame_x;
    double top = (double)layout->frame_y;
    double right = left + (double)layout->frame_width;
    double bottom = top + (double)layout->frame_height;
    const char *name = transmitter->name != NULL ? transmitter->name : "Tx";
    if (true_x >= left && true_x <= right && true_y >= top && true_y <= bottom) {
        rcity_picture_draw_transmitter_mark(picture->cairo, true_x, true_y, em);
        draw_label(picture, labels, true_x, true_y, name, "");
        return;
    }
    double x = fmin(fmax(true_x, left + em), right - em);
    double y = fmin(fmax(true_y, top + em), bottom - em);
    draw_pointer(picture->cairo, x, y, true_x - x, true_y - y, em);
    char distance[RCITY_PICTURE_DISTANCE_BYTES];
    char tail[LABEL_TAIL_BYTES];
    rcity_picture_format_distance(distance_off_m(&picture->bounds, transmitter->x_m, transmitter->y_m), distance);
    snprintf(tail, sizeof tail, ", %s off", distance);
    draw_label(picture, labels, x, y, name, tail);
}

/* Marks are obstacles for every label, including labels drawn before them. */
static void note_mark(const rcity_picture *picture, label_list *labels, const rcity_transmitter *transmitter)
{
    double reach = 0.66 * picture->layout.em_px;
    double x = rcity_picture_x(&picture->layout, transmitter->x_m);
    double y = rcity_picture_y(&picture->layout, transmitter->y_m);
    if (labels->count < LABEL_COUNT_MAX) {
        labels->boxes[labels->count++] = (label_box){x - reach, y - reach, x + reach, y + reach};
    }
}

void rcity_picture_draw_transmitters(const rcity_picture *picture)
{
    rcity_transmitter noted;
    const rcity_transmitter *transmitters = picture->options->transmitters;
    int count = rcity_picture_transmitter_count(picture);
    if (picture->options->transmitter_count == 0) {
        if (!find_noted(picture, &noted)) {
            return;
        }
        transmitters = &noted;
    }
    label_list labels = {.count = 0};
    for (int i = 0; i < count; i++) {
        note_mark(picture, &labels, &transmitters[i]);
    }
    for (int i = 0; i < count; i++) {
        draw_one(picture, &labels, &transmitters[i]);
    }
}
