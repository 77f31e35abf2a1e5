/* Measured over predicted loss, one dot for each point. */
#include <stdio.h>
#include <string.h>

#include "base/abi.h"
#include "io/picture/plot/plot_page.h"

#define TOP_EM         3.2
#define LEFT_EM        5.2
#define SIDE_EM        52.0 /* of the square */
#define FOOT_EM        5.4
#define SPAN_LEAST_DB  20.0
#define BIN_COUNT      48  /* bins of the square in each direction; dots fade by how many share a bin */
#define CLEAR_COUNT    4.0 /* up to this many dots of a bin are drawn in full colour */
#define FAINTEST       0.18
#define REPORT_COUNT   50000
#define MEASURED_WORDS "measured loss, dB"

typedef struct scatter_plot {
    const rcity_plot_points *points;
    rcity_plot_frame frame;
    uint32_t *bins;
    int64_t category_count[RCITY_PLOT_CATEGORY_MAX + 1]; /* the last: points without a category */
} scatter_plot;

/* Bin of a point; -1 if it lies outside. */
static int find_bin(const scatter_plot *plot, int64_t index)
{
    const rcity_plot_frame *frame = &plot->frame;
    double x = plot->points->predicted_db[index];
    double y = plot->points->measured_db[index];
    if (!rcity_plot_is_value(x) || !rcity_plot_is_value(y)) {
        return -1;
    }
    double across = (x - frame->x_min) / (frame->x_max - frame->x_min) * BIN_COUNT;
    double up = (y - frame->y_min) / (frame->y_max - frame->y_min) * BIN_COUNT;
    int column = (int)fmin(fmax(across, 0.0), BIN_COUNT - 1.0);
    int row = (int)fmin(fmax(up, 0.0), BIN_COUNT - 1.0);
    return row * BIN_COUNT + column;
}

static void count_points(const rcity_plot_page *page, scatter_plot *plot)
{
    for (int64_t i = 0; i < plot->points->count; i++) {
        int bin = find_bin(plot, i);
        if (bin >= 0) {
            int category = rcity_plot_category(page, plot->points->category, i);
            plot->bins[bin]++;
            plot->category_count[category < 0 ? RCITY_PLOT_CATEGORY_MAX : category]++;
        }
    }
}

static void draw_diagonal(const rcity_plot_page *page, const rcity_plot_frame *frame)
{
    cairo_t *cairo = page->cairo;
    const double off[2] = {RCITY_PLOT_BAND_DB, -RCITY_PLOT_BAND_DB};
    cairo_move_to(cairo, frame->left, rcity_plot_y(frame, frame->x_min + off[0]));
    cairo_line_to(cairo, frame->right, rcity_plot_y(frame, frame->x_max + off[0]));
    cairo_line_to(cairo, frame->right, rcity_plot_y(frame, frame->x_max + off[1]));
    cairo_line_to(cairo, frame->left, rcity_plot_y(frame, frame->x_min + off[1]));
    cairo_close_path(cairo);
    rcity_plot_set_ink(cairo, RCITY_PLOT_BAND_RGB, 1.0);
    cairo_fill(cairo);
}

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A step through all points that mixes them, so that no category covers the others. */
static int64_t mixing_step(int64_t count)
{
    int64_t step = (int64_t)(0.6180339887498949 * (double)count) | 1;
    while (greatest_divisor(count, step) != 1) {
        step += 2;
    }
    return step;
}

static rcity_status draw_dots(const rcity_plot_page *page, const scatter_plot *plot)
{
    const double pi = 3.14159265358979323846;
    const rcity_plot_points *points = plot->points;
    double few = fmax(0.0, 1.0 - (double)points->count / 1000.0); /* fewer points are drawn larger */
    double radius = fmax((0.17 + 0.12 * few) * page->em, 1.0);
    int64_t step = points->count > 0 ? mixing_step(points->count) : 1;
    int64_t index = 0;
    for (int64_t i = 0; i < points->count; i++) {
        if (i % REPORT_COUNT == 0) {
            RCITY_TRY(rcity_progress(page->context, "plot", (double)i, (double)points->count));
        }
        int bin = find_bin(plot, index);
        if (bin >= 0) {
            double part = fmax(FAINTEST, fmin(0.9, 0.9 * sqrt(CLEAR_COUNT / (double)plot->bins[bin])));
            int category = rcity_plot_category(page, points->category, index);
            bool has_one_colour = page->options->category_count == 0 || points->category == NULL;
            rcity_plot_set_ink(page->cairo, rcity_plot_category_rgb(has_one_colour ? 0 : category), part);
            cairo_arc(page->cairo, rcity_plot_x(&plot->frame, points->predicted_db[index]),
                      rcity_plot_y(&plot->frame, points->measured_db[index]), radius, 0.0, 2.0 * pi);
            cairo_fill(page->cairo);
        }
        index = (index + step) % points->count;
    }
    return RCITY_OK;
}

static void draw_figures(const rcity_plot_page *page, const scatter_plot *plot)
{
    char text[RCITY_PLOT_FIGURE_COUNT][RCITY_PLOT_FIGURE_BYTES];
    rcity_text_style style = {.size_px = 0.95 * page->em, .rgb = RCITY_PLOT_INK};
    int count = rcity_plot_write_figures(&plot->points->figures, text);
    double em = page->em;
    double width = 0.0;
    for (int i = 0; i < count; i++) {
        width = fmax(width, rcity_text_width(page->cairo, &style, text[i]));
    }
    if (count == 0) {
        return;
    }
    double x = plot->frame.left + 0.8 * em;
    double y = plot->frame.top + 0.8 * em;
    cairo_rectangle(page->cairo, x, y, width + 1.2 * em, (1.35 * count + 0.7) * em);
    rcity_plot_set_ink(page->cairo, 0xffffff, 0.85);
    cairo_fill(page->cairo);
    for (int i = 0; i < count; i++) {
        rcity_text_draw(page->cairo, &style, x + 0.6 * em, y + (1.35 * i + 1.35) * em, text[i]);
    }
}

static double draw_key(const rcity_plot_page *page, double x, double y, uint32_t rgb, const char *name, int64_t count)
{
    rcity_text_style style = {.size_px = 0.95 * page->em, .rgb = RCITY_PLOT_INK};
    char line[RCITY_TEXT_BYTES];
    snprintf(line, sizeof line, "%.200s (%lld)", name, (long long)count);
    cairo_arc(page->cairo, x + 0.4 * page->em, y - 0.32 * page->em, 0.34 * page->em, 0.0, 6.283185307179586);
    rcity_plot_set_ink(page->cairo, rgb, 0.9);
    cairo_fill(page->cairo);
    rcity_text_draw_fitted(page->cairo, &style, x + 1.2 * page->em, y, (double)page->width_px - x - 2.0 * page->em,
                           line);
    return y + 1.6 * page->em;
}

/* A sample of a line or an area with its label. */
static double draw_mark(const rcity_plot_page *page, double x, double y, uint32_t rgb, double height, const char *words)
{
    rcity_text_style style = {.size_px = 0.95 * page->em, .rgb = RCITY_PLOT_FAINT_INK};
    cairo_rectangle(page->cairo, x, y - 0.35 * page->em - 0.5 * height, 0.9 * page->em, height);
    rcity_plot_set_ink(page->cairo, rgb, 1.0);
    cairo_fill(page->cairo);
    rcity_text_draw_fitted(page->cairo, &style, x + 1.2 * page->em, y, (double)page->width_px - x - 2.0 * page->em,
                           words);
    return y + 1.6 * page->em;
}

static void draw_legend(const rcity_plot_page *page, const scatter_plot *plot)
{
    const rcity_plot_options *options = page->options;
    double x = plot->frame.right + 1.6 * page->em;
    double y = plot->frame.top + 1.2 * page->em;
    bool has_categories = plot->points->category != NULL && options->category_count > 0;
    for (int i = 0; has_categories && i < options->category_count; i++) {
        y = draw_key(page, x, y, rcity_plot_category_rgb(i), options->category_name[i], plot->category_count[i]);
    }
    int64_t rest_count = plot->category_count[RCITY_PLOT_CATEGORY_MAX];
    if (!has_categories || rest_count > 0) {
        y = draw_key(page, x, y, rcity_plot_category_rgb(has_categories ? -1 : 0), has_categories ? "other" : "points",
                     rest_count);
    }
    y += 0.6 * page->em;
    y = draw_mark(page, x, y, RCITY_PLOT_FAINT_INK, 1.5, "measured = predicted");
    draw_mark(page, x, y, 0xe2dcc2, 0.8 * page->em, "within 6 dB of it");
}

static void draw_axes(const rcity_plot_page *page, const scatter_plot *plot)
{
    const rcity_plot_frame *frame = &plot->frame;
    const rcity_plot_options *options = page->options;
    char words[RCITY_TEXT_BYTES];
    rcity_text_style style = {.size_px = 0.95 * page->em, .rgb = RCITY_PLOT_FAINT_INK, .anchor = RCITY_TEXT_MIDDLE};
    rcity_plot_draw_x_axis(page, frame, 1.0, true);
    rcity_plot_draw_y_axis(page, frame, RCITY_PLOT_STEP_COUNT(page, frame)); /* the same steps as the x axis */
    snprintf(words, sizeof words, "loss predicted%s%.200s, dB", options->predicted_name != NULL ? " by " : "",
             options->predicted_name != NULL ? options->predicted_name : "");
    rcity_text_draw_fitted(page->cairo, &style, 0.5 * (frame->left + frame->right), frame->bottom + 2.8 * page->em,
                           frame->right - frame->left, words);
    rcity_plot_draw_side_words(page, 1.5 * page->em, 0.5 * (frame->top + frame->bottom), MEASURED_WORDS);
}

static rcity_status draw_scatter(rcity_plot_page *page, void *user)
{
    scatter_plot *plot = user;
    const rcity_plot_frame *frame = &plot->frame;
    cairo_t *cairo = page->cairo;
    count_points(page, plot);
    cairo_save(cairo);
    cairo_rectangle(cairo, frame->left, frame->top, frame->right - frame->left, frame->bottom - frame->top);
    cairo_clip(cairo);
    draw_diagonal(page, frame);
    cairo_restore(cairo);
    draw_axes(page, plot);
    cairo_move_to(cairo, frame->left, frame->bottom);
    cairo_line_to(cairo, frame->right, frame->top);
    cairo_set_line_width(cairo, fmax(0.09 * page->em, 1.0));
    rcity_plot_set_ink(cairo, RCITY_PLOT_FAINT_INK, 1.0);
    cairo_stroke(cairo);
    RCITY_TRY(draw_dots(page, plot));
    rcity_plot_draw_border(page, frame);
    draw_figures(page, plot);
    draw_legend(page, plot);
    int64_t missing_count = plot->points->count;
    for (int i = 0; i <= RCITY_PLOT_CATEGORY_MAX; i++) {
        missing_count -= plot->category_count[i];
    }
    char note[96] = "";
    if (missing_count > 0) {
        snprintf(note, sizeof note, "%lld %s without a value", (long long)missing_count,
                 missing_count == 1 ? "point is" : "points are");
    }
    rcity_plot_draw_footer(page, note);
    return RCITY_OK;
}

static rcity_status plot_scatter_save(rcity_context *context, const rcity_plot_points *points,
                                      const rcity_plot_options *options, const char *path)
{
    RCITY_TRY(rcity_plot_check(context, options));
    rcity_plot_page page = {.context = context, .options = options, .width_px = options->width_px};
    page.em = (double)page.width_px / 78.0;
    double top_em = options->title != NULL ? TOP_EM : 1.2;
    page.height_px = (int)ceil(page.em * (top_em + SIDE_EM + FOOT_EM));
    double range[2] = {(double)HUGE_VAL, -(double)HUGE_VAL};
    rcity_plot_cover(range, points->count, points->measured_db);
    rcity_plot_cover(range, points->count, points->predicted_db);
    rcity_plot_round_range(range, SPAN_LEAST_DB);
    scatter_plot plot;
    memset(&plot, 0, sizeof plot);
    plot.points = points;
    plot.frame = (rcity_plot_frame){LEFT_EM * page.em,
                                    top_em * page.em,
                                    (LEFT_EM + SIDE_EM) * page.em,
                                    (top_em + SIDE_EM) * page.em,
                                    range[0],
                                    range[1],
                                    range[0],
                                    range[1]};
    RCITY_TRY(rcity_alloc(context, (size_t)BIN_COUNT * BIN_COUNT, sizeof *plot.bins, "a plot", &plot.bins));
    rcity_status status = rcity_plot_save(&page, draw_scatter, &plot, path);
    rcity_release(context, plot.bins);
    return status;
}

rcity_status rcity_plot_scatter_save_sized(rcity_context *context, size_t points_bytes, const rcity_plot_points *points,
                                           const rcity_plot_options *options, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, path);
    rcity_plot_options known_options;
    RCITY_TAKE(context, rcity_plot_options, category_name, options, &known_options);
    rcity_plot_points known;
    RCITY_TAKE_SIZED(context, rcity_plot_points, points, points_bytes, &known);
    return plot_scatter_save(context, &known, &known_options, path);
}
