/* A plot while it is drawn: the page, axes, curves. Pixels count from the top left. */
#ifndef RCITY_IO_PICTURE_PLOT_PLOT_PAGE_H
#define RCITY_IO_PICTURE_PLOT_PLOT_PAGE_H

#include <cairo.h>
#include <math.h>

#include "base/base.h"
#include "io/picture/picture_text.h"
#include "radiocity/io.h"

#define RCITY_PLOT_INK           0x26262b
#define RCITY_PLOT_FAINT_INK     0x5c5c66
#define RCITY_PLOT_GRID_RGB      0xe4e3de
#define RCITY_PLOT_MEASURED_RGB  0x26262b
#define RCITY_PLOT_PREDICTED_RGB 0xd55e00
#define RCITY_PLOT_BASELINE_RGB  0xa3a3ab
#define RCITY_PLOT_BAND_RGB      0xf3f0e4 /* range of errors of a good model */
#define RCITY_PLOT_BAND_DB       6.0
#define RCITY_PLOT_VALUE_MAX     1e9 /* larger numbers are neither losses nor distances */

typedef struct rcity_plot_page {
    rcity_context *context;
    const rcity_plot_options *options;
    cairo_t *cairo;
    int width_px, height_px;
    double em; /* the size of plain text; everything scales with it */
} rcity_plot_page;

/* A frame with two axes: its edges on the page, and their values. */
typedef struct rcity_plot_frame {
    double left, top, right, bottom;
    double x_min, x_max, y_min, y_max;
} rcity_plot_frame;

static inline double rcity_plot_x(const rcity_plot_frame *frame, double x)
{
    return frame->left + (x - frame->x_min) / (frame->x_max - frame->x_min) * (frame->right - frame->left);
}

static inline double rcity_plot_y(const rcity_plot_frame *frame, double y)
{
    return frame->bottom - (y - frame->y_min) / (frame->y_max - frame->y_min) * (frame->bottom - frame->top);
}

/* NAN fails the comparison. */
static inline bool rcity_plot_is_value(double value)
{
    return fabs(value) <= RCITY_PLOT_VALUE_MAX;
}

/* plot_page.c: refuse options that cannot be drawn. */
rcity_status rcity_plot_check(rcity_context *context, const rcity_plot_options *options);

/* Draw a page with `draw`, which gets `user`, and save it. The page has everything set except its surface. */
rcity_status rcity_plot_save(rcity_plot_page *page, rcity_status (*draw)(rcity_plot_page *page, void *user), void *user,
                             const char *path);

void rcity_plot_set_ink(cairo_t *cairo, uint32_t rgb, double part);

/* The colour of a category, distinct for colour-blind readers too; grey outside 0 to RCITY_PLOT_CATEGORY_MAX - 1. */
uint32_t rcity_plot_category_rgb(int category);

/* The category of a point; -1 if it is not one of the plot's. */
int rcity_plot_category(const rcity_plot_page *page, const int *category, int64_t point_index);

/* "mean -1.2 dB, rmse 7.4 dB, ..." in pieces, each of RCITY_PLOT_FIGURE_BYTES; returns how many. */
#define RCITY_PLOT_FIGURE_COUNT 6
#define RCITY_PLOT_FIGURE_BYTES 48
int rcity_plot_write_figures(const rcity_score_figures *figures,
                             char text[RCITY_PLOT_FIGURE_COUNT][RCITY_PLOT_FIGURE_BYTES]);

/* The line at the bottom of the page; `note` comes first unless it is "". */
void rcity_plot_draw_footer(const rcity_plot_page *page, const char *note);

/* plot_axes.c: extend a range to contain the finite ones of `count` values; the range starts as HUGE_VAL, -HUGE_VAL. */
void rcity_plot_cover(double range[2], int64_t count, const double *values);

/* Round numbers around a range, at least `least` apart; an empty one becomes 0 to `least`. */
void rcity_plot_round_range(double range[2], double least);

/* Grid lines with numbers left of the frame. */
void rcity_plot_draw_y_axis(const rcity_plot_page *page, const rcity_plot_frame *frame, double step_max_count);

/* Number of steps for which the numbers along the x axis have room. */
#define RCITY_PLOT_STEP_COUNT(page, frame) (((frame)->right - (frame)->left) / (5.5 * (page)->em))

/* Grid lines, and if `has_words` numbers below the frame: the values times `scale`. */
void rcity_plot_draw_x_axis(const rcity_plot_page *page, const rcity_plot_frame *frame, double scale, bool has_words);

/* The border, drawn over the contents. */
void rcity_plot_draw_border(const rcity_plot_page *page, const rcity_plot_frame *frame);

/* Text along the left side, from bottom to top. */
void rcity_plot_draw_side_words(const rcity_plot_page *page, double x, double y, const char *text);

/* plot_curve.c: values over places. */
typedef struct rcity_plot_curve {
    int64_t count;
    const double *x;
    const double *first;  /* the values, */
    const double *less;   /* minus these; NULL: unchanged */
    const bool *is_start; /* as of rcity_plot_route */
    double gap;           /* a longer step breaks the line */
    uint32_t rgb;
    double width_px;
} rcity_plot_curve;

/* Draw the curve within the frame; values without neighbours are dots. A column of pixels gets only a few lines,
   however many values it has. */
void rcity_plot_draw_curve(const rcity_plot_page *page, const rcity_plot_frame *frame, const rcity_plot_curve *curve);

/* Ten times the median step of a route, or HUGE_VAL if it has none. @return RCITY_ERR_MEMORY. */
rcity_status rcity_plot_find_gap(rcity_context *context, int64_t count, const double *x, double *gap);

#endif
