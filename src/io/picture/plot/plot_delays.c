/* The histogram of delays of one place: gain over delay, the mean and the spread around it. */
#include <stdio.h>
#include <string.h>

#include "base/abi.h"
#include "io/picture/plot/plot_page.h"
#include "result/delays_data.h"

/* In em. */
#define TOP_EM       4.6 /* title and figures */
#define LEFT_EM      5.2
#define RIGHT_EM     1.6
#define FRAME_EM     34.0 /* height of the frame */
#define FOOT_EM      5.4
#define WIDTH_EM     78.0
#define SHOWN_DB     60.0 /* at least so far below the strongest bin, if anything is there */
#define BELOW_DB     10.0 /* and so far below the threshold */
#define STEP_DB      10.0
#define SPAN_BINS    10.0     /* the frame is at least as wide */
#define REACHES_RGB  0x0072b2 /* of bins that reach the threshold; of Okabe and Ito, as the mean's */
#define WEAK_RGB     0xa9c9dd
#define MEAN_RGB     RCITY_PLOT_PREDICTED_RGB
#define SPREAD_RGB   RCITY_PLOT_BAND_RGB
#define MICRO        "\u00b5s"
#define MINUS_SIGN   "\u2212"
#define PLUS_MINUS   "\u00b1"
#define DOT          " \u00b7 "
#define FIGURE_BYTES 400

typedef struct delays_plot {
    const rcity_delays *delays;
    rcity_delays_info info;
    rcity_delay_cell cell;
    rcity_delay_summary summary;
    rcity_plot_frame frame; /* microseconds and decibels */
} delays_plot;

static double start_us(const delays_plot *plot, double bin)
{
    return 1e6 * (plot->info.first_s + bin * plot->info.bin_s);
}

static double gain_db(const delays_plot *plot, int64_t entry)
{
    return 10.0 * log10((double)plot->cell.gain[entry]); /* -HUGE_VAL for a gain of 0, which no axis shows */
}

static void find_axes(const rcity_plot_page *page, double top_em, delays_plot *plot)
{
    const rcity_delay_cell *cell = &plot->cell;
    const rcity_delay_summary *summary = &plot->summary;
    double span_db = fmax(SHOWN_DB, summary->threshold_db + BELOW_DB);
    double low_db = summary->strongest_db;
    for (int64_t i = 0; i < cell->entry_count; i++) {
        low_db = fmin(low_db, gain_db(plot, i));
    }
    low_db = fmin(fmax(low_db, summary->strongest_db - span_db), summary->strongest_db - STEP_DB);
    double range_us[2] = {start_us(plot, cell->bin[0]), start_us(plot, (double)cell->bin[cell->entry_count - 1] + 1.0)};
    range_us[0] = fmin(range_us[0], 1e6 * (summary->mean_delay_s - summary->delay_spread_s));
    range_us[1] = fmax(range_us[1], 1e6 * (summary->mean_delay_s + summary->delay_spread_s));
    rcity_plot_round_range(range_us, SPAN_BINS * 1e6 * plot->info.bin_s);
    plot->frame = (rcity_plot_frame){.left = LEFT_EM * page->em,
                                     .top = top_em * page->em,
                                     .right = (double)page->width_px - RIGHT_EM * page->em,
                                     .bottom = (top_em + FRAME_EM) * page->em,
                                     .x_min = range_us[0],
                                     .x_max = range_us[1],
                                     .y_min = floor((low_db - 1.0) / STEP_DB) * STEP_DB,
                                     .y_max = ceil((summary->strongest_db + 1.0) / STEP_DB) * STEP_DB};
}

static void fill_box(const rcity_plot_page *page, double x0, double y0, double x1, double y1, uint32_t rgb, double part)
{
    cairo_rectangle(page->cairo, x0, y0, x1 - x0, y1 - y0);
    rcity_plot_set_ink(page->cairo, rgb, part);
    cairo_fill(page->cairo);
}

static void draw_spread(const rcity_plot_page *page, const delays_plot *plot)
{
    const rcity_delay_summary *summary = &plot->summary;
    const rcity_plot_frame *frame = &plot->frame;
    fill_box(page, rcity_plot_x(frame, 1e6 * (summary->mean_delay_s - summary->delay_spread_s)), frame->top,
             rcity_plot_x(frame, 1e6 * (summary->mean_delay_s + summary->delay_spread_s)), frame->bottom, SPREAD_RGB,
             1.0);
}

static void draw_bins(const rcity_plot_page *page, const delays_plot *plot)
{
    const rcity_plot_frame *frame = &plot->frame;
    double least_db = plot->summary.strongest_db - plot->summary.threshold_db - 1e-9;
    for (int64_t i = 0; i < plot->cell.entry_count; i++) {
        double value_db = gain_db(plot, i);
        double left = rcity_plot_x(frame, start_us(plot, plot->cell.bin[i]));
        double right = rcity_plot_x(frame, start_us(plot, (double)plot->cell.bin[i] + 1.0));
        double gap = right - left > 6.0 ? 1.0 : 0.0; /* neighbours stay apart where there is room */
        if (value_db > frame->y_min) {
            fill_box(page, left, rcity_plot_y(frame, value_db), fmax(right - gap, left + 1.5), frame->bottom,
                     value_db >= least_db ? REACHES_RGB : WEAK_RGB, 1.0);
        }
    }
}

static void stroke_line(const rcity_plot_page *page, double x0, double y0, double x1, double y1, uint32_t rgb,
                        bool is_dashed)
{
    const double dash = 0.5 * page->em;
    cairo_t *cairo = page->cairo;
    cairo_save(cairo);
    cairo_move_to(cairo, x0, y0);
    cairo_line_to(cairo, x1, y1);
    cairo_set_line_width(cairo, fmax(0.14 * page->em, 1.5));
    cairo_set_dash(cairo, &dash, is_dashed ? 1 : 0, 0.0);
    rcity_plot_set_ink(cairo, rgb, 1.0);
    cairo_stroke(cairo);
    cairo_restore(cairo);
}

static void draw_marks(const rcity_plot_page *page, const delays_plot *plot)
{
    const rcity_plot_frame *frame = &plot->frame;
    double mean_x = rcity_plot_x(frame, 1e6 * plot->summary.mean_delay_s);
    double least_y = rcity_plot_y(frame, plot->summary.strongest_db - plot->summary.threshold_db);
    if (least_y < frame->bottom) {
        stroke_line(page, frame->left, least_y, frame->right, least_y, RCITY_PLOT_FAINT_INK, true);
    }
    stroke_line(page, mean_x, frame->top, mean_x, frame->bottom, MEAN_RGB, false);
}

static void draw_axes(const rcity_plot_page *page, const delays_plot *plot)
{
    const rcity_plot_frame *frame = &plot->frame;
    rcity_text_style style = {.size_px = 0.95 * page->em, .rgb = RCITY_PLOT_FAINT_INK, .anchor = RCITY_TEXT_MIDDLE};
    rcity_plot_draw_x_axis(page, frame, 1.0, true);
    rcity_plot_draw_y_axis(page, frame, 12.0);
    rcity_text_draw(page->cairo, &style, 0.5 * (frame->left + frame->right), frame->bottom + 2.8 * page->em,
                    "delay, " MICRO);
    rcity_plot_draw_side_words(page, 1.5 * page->em, 0.5 * (frame->top + frame->bottom),
                               "gain, dB, both antennas included");
}

/* One line of the legend in the frame's upper right corner, where little arrives. */
static void draw_key(const rcity_plot_page *page, const delays_plot *plot, int line, uint32_t rgb, const char *words)
{
    rcity_text_style style = {
        .size_px = 0.9 * page->em, .rgb = RCITY_PLOT_INK, .anchor = RCITY_TEXT_RIGHT, .has_halo = true};
    double x = plot->frame.right - 2.2 * page->em;
    double y = plot->frame.top + (1.5 + 1.5 * line) * page->em;
    rcity_text_draw(page->cairo, &style, x, y, words);
    fill_box(page, x + 0.5 * page->em, y - 0.65 * page->em, x + 1.6 * page->em, y, rgb, 1.0);
}

static void draw_legend(const rcity_plot_page *page, const delays_plot *plot)
{
    char words[3][96];
    snprintf(words[0], sizeof words[0], "no weaker than %g dB below the strongest bin", plot->summary.threshold_db);
    snprintf(words[1], sizeof words[1], "mean delay, %.4g " MICRO, 1e6 * plot->summary.mean_delay_s);
    snprintf(words[2], sizeof words[2], PLUS_MINUS " RMS delay spread, %.4g ns", 1e9 * plot->summary.delay_spread_s);
    draw_key(page, plot, 0, REACHES_RGB, words[0]);
    draw_key(page, plot, 1, MEAN_RGB, words[1]);
    draw_key(page, plot, 2, 0xe2dcc2, words[2]); /* the band's colour, dark enough for a small patch */
}

/* One decimal with a true minus sign. */
static const char *format_db(double value_db, char text[32])
{
    snprintf(text, 32, "%s%.1f dB", value_db < -0.05 ? MINUS_SIGN : "", fabs(value_db));
    return text;
}

static void draw_figures(const rcity_plot_page *page, const delays_plot *plot)
{
    const rcity_delay_summary *summary = &plot->summary;
    rcity_text_style style = {.size_px = 0.95 * page->em, .rgb = RCITY_PLOT_FAINT_INK};
    char line[FIGURE_BYTES];
    char gain[32];
    char k_factor[32];
    int used = snprintf(line, sizeof line, "gain %s" DOT "excess delay %.4g ns (%g dB)",
                        format_db(summary->gain_db, gain), 1e9 * summary->excess_delay_s, summary->threshold_db);
    if (!isnan(summary->k_factor_db)) {
        used += snprintf(line + used, sizeof line - (size_t)used, DOT "K %s" DOT "coherence bandwidth %.4g MHz",
                         format_db(summary->k_factor_db, k_factor), 1e-6 * summary->coherence_hz);
    }
    snprintf(line + used, sizeof line - (size_t)used, DOT "%lld %s of %.4g ns", (long long)summary->entry_count,
             summary->entry_count == 1 ? "bin" : "bins", 1e9 * plot->info.bin_s);
    rcity_text_draw_fitted(page->cairo, &style, 1.2 * page->em, plot->frame.top - 1.0 * page->em,
                           (double)page->width_px - 2.4 * page->em, line);
}

/* How they were made, in a few words. */
static void draw_origin(const rcity_plot_page *page, const delays_plot *plot)
{
    static const char *const keys[] = {"method", "tx_name", "frequency_mhz"};
    static const char *const units[] = {"", "", " MHz"};
    char line[FIGURE_BYTES] = "";
    size_t used = 0;
    for (int i = 0; i < 3; i++) {
        const char *value = rcity_delays_find_note(plot->delays, keys[i]);
        if (value != NULL) {
            int added = snprintf(line + used, sizeof line - used, "%s%.100s%s", used > 0 ? DOT : "", value, units[i]);
            used += added > 0 ? (size_t)added : 0;
        }
    }
    rcity_plot_draw_footer(page, line);
}

static rcity_status draw_plot(rcity_plot_page *page, void *user)
{
    const delays_plot *plot = user;
    draw_spread(page, plot);
    draw_axes(page, plot);
    draw_bins(page, plot);
    draw_marks(page, plot);
    rcity_plot_draw_border(page, &plot->frame);
    draw_legend(page, plot);
    draw_figures(page, plot);
    draw_origin(page, plot);
    return RCITY_OK;
}

static rcity_status draw_delays(rcity_context *context, const rcity_delays_draw_options *options, delays_plot *plot,
                                const char *path)
{
    char title[160];
    rcity_plot_options look = rcity_plot_options_default();
    bool has_crs = strcmp(plot->info.crs, "none") != 0;
    snprintf(title, sizeof title, "Delays at %.10g, %.10g%s%.40s%s, %.10g m above ground", plot->cell.x_m,
             plot->cell.y_m, has_crs ? " (" : "", has_crs ? plot->info.crs : "", has_crs ? ")" : "",
             plot->info.rx_height_m);
    look.width_px = options->width_px;
    look.title = options->title != NULL ? options->title : title;
    RCITY_TRY(rcity_plot_check(context, &look));
    rcity_plot_page page = {.context = context, .options = &look, .width_px = look.width_px};
    page.em = (double)page.width_px / WIDTH_EM;
    page.height_px = (int)ceil(page.em * (TOP_EM + FRAME_EM + FOOT_EM));
    find_axes(&page, TOP_EM, plot);
    return rcity_plot_save(&page, draw_plot, plot, path);
}

rcity_status rcity_delays_draw(rcity_context *context, const rcity_delays *delays, int64_t cell_index,
                               const rcity_delays_draw_options *options, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, delays);
    RCITY_NEED(context, path);
    rcity_delays_draw_options known = rcity_delays_draw_options_default();
    if (options != NULL) {
        RCITY_TAKE(context, rcity_delays_draw_options, threshold_db, options, &known);
    }
    delays_plot plot;
    memset(&plot, 0, sizeof plot);
    plot.delays = delays;
    RCITY_TRY(rcity_delays_describe(delays, &plot.info));
    RCITY_TRY(rcity_delays_summarize(context, delays, cell_index, known.threshold_db, &plot.summary));
    RCITY_TRY(rcity_delays_get_cell(delays, cell_index, &plot.cell));
    RCITY_CHECK(context, !isnan(plot.summary.gain_db), RCITY_ERR_ARGUMENT,
                "nothing arrives at %.10g, %.10g: there is no histogram to draw; choose another place", plot.cell.x_m,
                plot.cell.y_m);
    return draw_delays(context, &known, &plot, path);
}
