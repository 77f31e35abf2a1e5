/* Lines through many values. */

#include "io/picture/plot/plot_page.h"

#include "base/order.h"

#define GAP_STEPS 10.0

typedef struct place {
    double x, y;
    int64_t index;
} place;

/* A line while it is drawn. Within a column of pixels only the ends and the extremes of its values are visible; drawing
   the others would take time and darken the line. */
typedef struct curve_pen {
    cairo_t *cairo;
    int64_t place_count; /* of this piece of line */
    place first;         /* of it */
    double column;
    place lowest, highest, last; /* in the column */
} curve_pen;

static void leave_column(curve_pen *pen)
{
    bool is_low_first = pen->lowest.index < pen->highest.index;
    const place order[3] = {is_low_first ? pen->lowest : pen->highest, is_low_first ? pen->highest : pen->lowest,
                            pen->last};
    for (int i = 0; i < 3; i++) {
        if (i == 0 || order[i].index != order[i - 1].index) {
            cairo_line_to(pen->cairo, order[i].x, order[i].y);
        }
    }
}

static void add_place(curve_pen *pen, place next)
{
    bool is_new = pen->place_count == 0 || floor(next.x) != pen->column;
    if (pen->place_count == 0) {
        cairo_move_to(pen->cairo, next.x, next.y);
        pen->first = next;
    } else if (is_new) {
        leave_column(pen);
        cairo_line_to(pen->cairo, next.x, next.y);
    }
    if (is_new) {
        pen->column = floor(next.x);
        pen->lowest = pen->highest = next;
    }
    pen->lowest = next.y > pen->lowest.y ? next : pen->lowest;
    pen->highest = next.y < pen->highest.y ? next : pen->highest;
    pen->last = next;
    pen->place_count++;
}

static void lift(curve_pen *pen, const rcity_plot_curve *curve)
{
    const double pi = 3.14159265358979323846;
    if (pen->place_count > 1) {
        leave_column(pen);
        cairo_stroke(pen->cairo);
    } else if (pen->place_count == 1) {
        cairo_new_path(pen->cairo);
        cairo_arc(pen->cairo, pen->first.x, pen->first.y, 1.3 * curve->width_px, 0.0, 2.0 * pi);
        cairo_fill(pen->cairo);
    }
    pen->place_count = 0;
}

void rcity_plot_draw_curve(const rcity_plot_page *page, const rcity_plot_frame *frame, const rcity_plot_curve *curve)
{
    cairo_t *cairo = page->cairo;
    curve_pen pen = {.cairo = cairo};
    double before = 0.0;
    cairo_save(cairo);
    cairo_rectangle(cairo, frame->left, frame->top, frame->right - frame->left, frame->bottom - frame->top);
    cairo_clip(cairo);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_width(cairo, curve->width_px);
    rcity_plot_set_ink(cairo, curve->rgb, 1.0);
    for (int64_t i = 0; i < curve->count; i++) {
        double value = curve->less == NULL                   ? curve->first[i]
                       : rcity_plot_is_value(curve->less[i]) ? curve->first[i] - curve->less[i]
                                                             : (double)NAN;
        bool is_there = rcity_plot_is_value(value) && rcity_plot_is_value(curve->x[i]);
        double step = curve->x[i] - before;
        if (!is_there || step < 0.0 || step > curve->gap || (curve->is_start != NULL && curve->is_start[i])) {
            lift(&pen, curve);
        }
        if (is_there) {
            add_place(&pen, (place){rcity_plot_x(frame, curve->x[i]), rcity_plot_y(frame, value), i});
            before = curve->x[i];
        }
    }
    lift(&pen, curve);
    cairo_restore(cairo);
}

rcity_status rcity_plot_find_gap(rcity_context *context, int64_t count, const double *x, double *gap)
{
    double *steps = NULL;
    size_t step_count = 0;
    RCITY_TRY(rcity_alloc(context, (size_t)count + 1, sizeof *steps, "a plot", &steps));
    for (int64_t i = 1; i < count; i++) {
        double step = x[i] - x[i - 1];
        if (rcity_plot_is_value(x[i]) && rcity_plot_is_value(x[i - 1]) && step > 0.0) {
            steps[step_count++] = step;
        }
    }
    *gap = step_count > 0 ? GAP_STEPS * rcity_upper_median(steps, step_count) : (double)HUGE_VAL;
    rcity_release(context, steps);
    return RCITY_OK;
}
