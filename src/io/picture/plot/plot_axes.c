/* Axes of plots: ranges that end in round numbers, grids, labels. */
#include "io/picture/plot/plot_page.h"
#include "io/picture/ticks.h"

void rcity_plot_cover(double range[2], int64_t count, const double *values)
{
    for (int64_t i = 0; values != NULL && i < count; i++) {
        if (rcity_plot_is_value(values[i])) {
            range[0] = fmin(range[0], values[i]);
            range[1] = fmax(range[1], values[i]);
        }
    }
}

void rcity_plot_round_range(double range[2], double least)
{
    if (!(range[0] <= range[1])) {
        range[0] = 0.0;
        range[1] = least;
    }
    double air = fmax(0.03 * (range[1] - range[0]), 0.5 * (least - (range[1] - range[0])));
    double step = rcity_tick_step(range[1] - range[0] + 2.0 * air, 12.0);
    range[0] = floor((range[0] - air) / step) * step;
    range[1] = ceil((range[1] + air) / step) * step;
}

static void stroke_grid(const rcity_plot_page *page, double x0, double y0, double x1, double y1)
{
    cairo_t *cairo = page->cairo;
    cairo_move_to(cairo, x0, y0);
    cairo_line_to(cairo, x1, y1);
    cairo_set_line_width(cairo, 1.0);
    rcity_plot_set_ink(cairo, RCITY_PLOT_GRID_RGB, 1.0);
    cairo_stroke(cairo);
}

/* Align lines to whole pixels, so that they are sharp. */
static double crisp(double place)
{
    return floor(place) + 0.5;
}

void rcity_plot_draw_y_axis(const rcity_plot_page *page, const rcity_plot_frame *frame, double step_max_count)
{
    rcity_text_style style = {.size_px = 0.85 * page->em, .rgb = RCITY_PLOT_INK, .anchor = RCITY_TEXT_RIGHT};
    double step = rcity_tick_step(frame->y_max - frame->y_min, step_max_count);
    double first = rcity_tick_first(frame->y_min, step);
    for (int i = 0; first + i * step <= frame->y_max + 1e-6 * step; i++) {
        char text[RCITY_TICK_BYTES];
        double y = crisp(rcity_plot_y(frame, first + i * step));
        stroke_grid(page, frame->left, y, frame->right, y);
        rcity_text_draw(page->cairo, &style, frame->left - 0.5 * page->em, y + 0.3 * page->em,
                        rcity_tick_format(first + i * step, step, text));
    }
}

void rcity_plot_draw_x_axis(const rcity_plot_page *page, const rcity_plot_frame *frame, double scale, bool has_words)
{
    rcity_text_style style = {.size_px = 0.85 * page->em, .rgb = RCITY_PLOT_INK, .anchor = RCITY_TEXT_MIDDLE};
    double low = frame->x_min * scale;
    double high = frame->x_max * scale;
    double step = rcity_tick_step(high - low, RCITY_PLOT_STEP_COUNT(page, frame));
    double first = rcity_tick_first(low, step);
    for (int i = 0; first + i * step <= high + 1e-6 * step; i++) {
        char text[RCITY_TICK_BYTES];
        double x = crisp(rcity_plot_x(frame, (first + i * step) / scale));
        stroke_grid(page, x, frame->top, x, frame->bottom);
        if (has_words) {
            rcity_text_draw(page->cairo, &style, x, frame->bottom + 1.25 * page->em,
                            rcity_tick_format(first + i * step, step, text));
        }
    }
}

void rcity_plot_draw_border(const rcity_plot_page *page, const rcity_plot_frame *frame)
{
    cairo_rectangle(page->cairo, crisp(frame->left), crisp(frame->top), floor(frame->right) - floor(frame->left),
                    floor(frame->bottom) - floor(frame->top));
    cairo_set_line_width(page->cairo, 1.0);
    rcity_plot_set_ink(page->cairo, RCITY_PLOT_FAINT_INK, 1.0);
    cairo_stroke(page->cairo);
}

void rcity_plot_draw_side_words(const rcity_plot_page *page, double x, double y, const char *text)
{
    rcity_text_style style = {.size_px = 0.85 * page->em, .rgb = RCITY_PLOT_FAINT_INK, .anchor = RCITY_TEXT_MIDDLE};
    cairo_save(page->cairo);
    cairo_translate(page->cairo, x, y);
    cairo_rotate(page->cairo, -1.57079632679489661923);
    rcity_text_draw(page->cairo, &style, 0.0, 0.0, text);
    cairo_restore(page->cairo);
}
