/* Words on a cairo surface: measured, cut, wrapped, haloed. Sizes in pixels; `y` is the base line. */
#ifndef RCITY_IO_PICTURE_TEXT_H
#define RCITY_IO_PICTURE_TEXT_H

#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>

#define RCITY_TEXT_BYTES 640 /* of one line; what is longer is cut */

typedef enum rcity_text_anchor {
    RCITY_TEXT_LEFT,
    RCITY_TEXT_MIDDLE,
    RCITY_TEXT_RIGHT,
} rcity_text_anchor;

typedef struct rcity_text_style {
    double size_px;
    bool is_bold;
    bool has_halo; /* white, for words on a map */
    uint32_t rgb;
    rcity_text_anchor anchor;
} rcity_text_style;

double rcity_text_width(cairo_t *cairo, const rcity_text_style *style, const char *text);

/* Texts look the same on every screen: grey edges, no colour fringes. */
void rcity_text_set_rendering(cairo_t *cairo);

/* Draw one line. Bytes that are no UTF-8 and control characters show as '?'. */
void rcity_text_draw(cairo_t *cairo, const rcity_text_style *style, double x, double y, const char *text);

/* What of a text fits a width, ending with an ellipsis where it is cut; `shown` has room for RCITY_TEXT_BYTES. */
void rcity_text_cut(cairo_t *cairo, const rcity_text_style *style, double width, const char *text, char *shown);

/* Draw one line no wider than `width`: first smaller, by a quarter at most, then cut with an ellipsis. */
void rcity_text_draw_fitted(cairo_t *cairo, const rcity_text_style *style, double x, double y, double width,
                            const char *text);

/* Draw words in lines no wider than `width`, at most `line_max` of them; returns how many lines it took. */
int rcity_text_draw_wrapped(cairo_t *cairo, const rcity_text_style *style, double x, double y, double width,
                            double line_height, int line_max, const char *text);

#endif
