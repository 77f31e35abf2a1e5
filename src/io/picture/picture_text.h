/* Text on a cairo surface: measured, cut, wrapped, with a halo. Sizes in pixels; `y` is the base line. */
#ifndef RCITY_IO_PICTURE_TEXT_H
#define RCITY_IO_PICTURE_TEXT_H

#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>

#define RCITY_TEXT_BYTES 640 /* of one line; longer text is cut */

/* What the machine should have left before fonts are loaded. */
#define RCITY_DRAWING_BYTES ((size_t)1 << 25)

typedef enum rcity_text_anchor {
    RCITY_TEXT_LEFT,
    RCITY_TEXT_MIDDLE,
    RCITY_TEXT_RIGHT,
} rcity_text_anchor;

typedef struct rcity_text_style {
    double size_px;
    bool is_bold;
    bool has_halo; /* a white outline, for text on a map */
    uint32_t rgb;
    rcity_text_anchor anchor;
} rcity_text_style;

double rcity_text_width(cairo_t *cairo, const rcity_text_style *style, const char *text);

/* Use grey antialiasing without colour fringes, the same for every screen. */
void rcity_text_set_rendering(cairo_t *cairo);

/* Draw one line. Bytes that are no UTF-8 and control characters show as '?'. */
void rcity_text_draw(cairo_t *cairo, const rcity_text_style *style, double x, double y, const char *text);

/* The part of a text that fits a width, with an ellipsis if it is cut; `shown` has room for RCITY_TEXT_BYTES. */
void rcity_text_cut(cairo_t *cairo, const rcity_text_style *style, double width, const char *text, char *shown);

/* Draw one line no wider than `width`: first up to a quarter smaller, then cut with an ellipsis. */
void rcity_text_draw_fitted(cairo_t *cairo, const rcity_text_style *style, double x, double y, double width,
                            const char *text);

/* Draw text in lines no wider than `width`, at most `line_max` of them; returns how many lines it took. */
int rcity_text_draw_wrapped(cairo_t *cairo, const rcity_text_style *style, double x, double y, double width,
                            double line_height, int line_max, const char *text);

#endif
