/* Measured and predicted loss along routes, one panel for each: curves, a ribbon of categories, errors. */
#include <stdio.h>
#include <string.h>

#include "base/abi.h"
#include "io/picture/plot/plot_page.h"

/* Heights in em. */
#define HEAD_EM         2.6 /* with a title */
#define LEGEND_EM       2.2
#define PANEL_TITLE_EM  2.4
#define CURVES_EM       15.0
#define RIBBON_EM       0.7
#define RIBBON_GAP_EM   0.35
#define ERRORS_EM       6.0
#define PANEL_FOOT_EM   3.4 /* numbers and text below the errors */
#define FOOT_EM         2.2
#define LEFT_EM         4.6
#define KEY_MARK_EM     3.4 /* of the legend: a line with the space around its name */
#define RIGHT_EM        1.6
#define ERROR_LEAST_DB  5.0   /* the axis of errors extends at least to this, */
#define ERROR_MOST_DB   120.0 /* and at most to this */
#define ERROR_FINE_DB   20.0  /* up to here in steps of 5 dB, beyond of 10 */
#define SPAN_LEAST_DB   20.0
#define KILOMETRES_FROM 2000.0
#define DOT             " \u00b7 "

typedef struct routes_plot {
    int route_count, panel_count;
    const rcity_plot_route *routes;
    bool has_baseline, has_category;
} routes_plot;

static double panel_height_em(const routes_plot *plot)
{
    return PANEL_TITLE_EM + CURVES_EM + RIBBON_GAP_EM + (plot->has_category ? RIBBON_EM + RIBBON_GAP_EM : 0.0) +
           ERRORS_EM + PANEL_FOOT_EM;
}

static double head_em(const rcity_plot_page *page)
{
    return page->options->title != NULL ? HEAD_EM : 0.6;
}

/* An entry of the legend: a line, or the swatch of a category. */
typedef struct legend_key {
    uint32_t rgb;
    bool is_swatch;
    const char *name;
} legend_key;

#define KEY_MAX (3 + RCITY_PLOT_CATEGORY_MAX)

static int list_keys(const rcity_plot_options *options, const routes_plot *plot, legend_key keys[KEY_MAX])
{
    int count = 0;
    keys[count++] = (legend_key){RCITY_PLOT_MEASURED_RGB, false, "measured"};
    keys[count++] = (legend_key){RCITY_PLOT_PREDICTED_RGB, false,
                                 options->predicted_name != NULL ? options->predicted_name : "predicted"};
    if (plot->has_baseline) {
        keys[count++] = (legend_key){RCITY_PLOT_BASELINE_RGB, false,
                                     options->baseline_name != NULL ? options->baseline_name : "baseline"};
    }
    for (int i = 0; plot->has_category && i < options->category_count; i++) {
        keys[count++] = (legend_key){rcity_plot_category_rgb(i), true, options->category_name[i]};
    }
    return count;
}

/* Keys in one row; if it is too narrow, each name gets the same space. */
static void draw_legend(const rcity_plot_page *page, const routes_plot *plot)
{
    legend_key keys[KEY_MAX];
    int count = list_keys(page->options, plot, keys);
    rcity_text_style style = {.size_px = 0.9 * page->em, .rgb = RCITY_PLOT_INK};
    double em = page->em;
    double x = LEFT_EM * em;
    double y = (head_em(page) + 1.2) * em;
    double room = (double)page->width_px - (LEFT_EM + RIGHT_EM + KEY_MARK_EM * count) * em;
    double needed = 0.0;
    for (int i = 0; i < count; i++) {
        needed += rcity_text_width(page->cairo, &style, keys[i].name);
    }
    for (int i = 0; i < count; i++) {
        char shown[RCITY_TEXT_BYTES];
        rcity_text_cut(page->cairo, &style, needed <= room ? room : room / count, keys[i].name, shown);
        bool is_swatch = keys[i].is_swatch;
        rcity_plot_set_ink(page->cairo, keys[i].rgb, 1.0);
        cairo_rectangle(page->cairo, x, y - (is_swatch ? 0.65 : 0.4) * em, (is_swatch ? 0.9 : 1.6) * em,
                        (is_swatch ? 0.7 : 0.16) * em);
        cairo_fill(page->cairo);
        double text_x = x + (is_swatch ? 1.3 : 2.0) * em;
        rcity_text_draw(page->cairo, &style, text_x, y, shown);
        x = text_x + rcity_text_width(page->cairo, &style, shown) + 1.4 * em;
    }
}

static void draw_panel_title(const rcity_plot_page *page, const rcity_plot_route *route, double y)
{
    char figures[RCITY_PLOT_FIGURE_COUNT][RCITY_PLOT_FIGURE_BYTES];
    char line[RCITY_TEXT_BYTES] = "";
    double em = page->em;
    double width = (double)page->width_px - (LEFT_EM + RIGHT_EM) * em;
    int count = rcity_plot_write_figures(&route->figures, figures);
    for (int i = 0; i < count; i++) {
        size_t used = strlen(line);
        snprintf(line + used, sizeof line - used, "%s%s", i > 0 ? DOT : "", figures[i]);
    }
    rcity_text_style plain = {.size_px = 0.9 * em, .rgb = RCITY_PLOT_FAINT_INK, .anchor = RCITY_TEXT_RIGHT};
    rcity_text_style bold = {.size_px = 1.1 * em, .is_bold = true, .rgb = RCITY_PLOT_INK};
    char shown[RCITY_TEXT_BYTES];
    rcity_text_cut(page->cairo, &plain, 0.8 * width, line, shown);
    double taken = rcity_text_width(page->cairo, &plain, shown);
    rcity_text_draw(page->cairo, &plain, LEFT_EM * em + width, y, shown);
    rcity_text_draw_fitted(page->cairo, &bold, LEFT_EM * em, y, fmax(width - taken - em, 4.0 * em),
                           route->name != NULL ? route->name : "");
}

/* Categories as one ribbon: each point covers half the distance to its neighbours. */
static void draw_ribbon(const rcity_plot_page *page, const rcity_plot_frame *frame, const rcity_plot_route *route,
                        double gap)
{
    for (int64_t i = 0; i < route->count; i++) {
        int category = rcity_plot_category(page, route->category, i);
        const double *x = route->travelled_m;
        if (category < 0 || !rcity_plot_is_value(x[i])) {
            continue;
        }
        double before = i > 0 ? x[i] - x[i - 1] : 0.0;
        double after = i + 1 < route->count ? x[i + 1] - x[i] : 0.0;
        double left = rcity_plot_x(frame, x[i] - (before > 0.0 && before <= gap ? 0.5 * before : 0.0));
        double right = rcity_plot_x(frame, x[i] + (after > 0.0 && after <= gap ? 0.5 * after : 0.0));
        left = floor(fmax(left, frame->left)); /* whole pixels: no seams between neighbours */
        right = ceil(fmin(fmax(right, left + 1.0), frame->right));
        cairo_rectangle(page->cairo, left, frame->top, right - left, frame->bottom - frame->top);
        rcity_plot_set_ink(page->cairo, rcity_plot_category_rgb(category), 1.0);
        cairo_fill(page->cairo);
    }
}

static void draw_curves(const rcity_plot_page *page, rcity_plot_frame *frame, const rcity_plot_route *route, double gap,
                        double scale)
{
    double range[2] = {(double)HUGE_VAL, -(double)HUGE_VAL};
    double thin = fmax(0.085 * page->em, 0.9);
    rcity_plot_cover(range, route->count, route->measured_db);
    rcity_plot_cover(range, route->count, route->predicted_db);
    rcity_plot_cover(range, route->count, route->baseline_db);
    rcity_plot_round_range(range, SPAN_LEAST_DB);
    frame->y_min = range[0];
    frame->y_max = range[1];
    rcity_plot_draw_x_axis(page, frame, scale, false);
    rcity_plot_draw_y_axis(page, frame, 8.0);
    rcity_plot_curve curve = {.count = route->count, .x = route->travelled_m, .is_start = route->is_start, .gap = gap};
    if (route->baseline_db != NULL) {
        curve.first = route->baseline_db;
        curve.rgb = RCITY_PLOT_BASELINE_RGB;
        curve.width_px = 1.2 * thin;
        rcity_plot_draw_curve(page, frame, &curve);
    }
    curve.first = route->measured_db;
    curve.rgb = RCITY_PLOT_MEASURED_RGB;
    curve.width_px = thin;
    rcity_plot_draw_curve(page, frame, &curve);
    curve.first = route->predicted_db;
    curve.rgb = RCITY_PLOT_PREDICTED_RGB;
    curve.width_px = 1.5 * thin;
    rcity_plot_draw_curve(page, frame, &curve);
    rcity_plot_draw_border(page, frame);
    rcity_plot_draw_side_words(page, 1.2 * page->em, 0.5 * (frame->top + frame->bottom),
                               "path loss, dB (up: more loss)");
}

/* The range of the axis of errors. */
static double error_reach(const rcity_plot_route *route)
{
    double reach = ERROR_LEAST_DB;
    for (int64_t i = 0; i < route->count; i++) {
        double error = fabs(route->measured_db[i] - route->predicted_db[i]);
        reach = error > reach ? error : reach;
    }
    double step = reach <= ERROR_FINE_DB ? 5.0 : 10.0;
    return fmin(step * ceil(reach / step), ERROR_MOST_DB);
}

static void draw_errors(const rcity_plot_page *page, rcity_plot_frame *frame, const rcity_plot_route *route, double gap,
                        double scale)
{
    cairo_t *cairo = page->cairo;
    frame->y_max = error_reach(route);
    frame->y_min = -frame->y_max;
    cairo_rectangle(cairo, frame->left, rcity_plot_y(frame, RCITY_PLOT_BAND_DB), frame->right - frame->left,
                    rcity_plot_y(frame, -RCITY_PLOT_BAND_DB) - rcity_plot_y(frame, RCITY_PLOT_BAND_DB));
    rcity_plot_set_ink(cairo, RCITY_PLOT_BAND_RGB, 1.0);
    cairo_fill(cairo);
    rcity_plot_draw_x_axis(page, frame, scale, true);
    rcity_plot_draw_y_axis(page, frame, 4.0);
    double middle = floor(rcity_plot_y(frame, 0.0)) + 0.5;
    cairo_move_to(cairo, frame->left, middle);
    cairo_line_to(cairo, frame->right, middle);
    cairo_set_line_width(cairo, 1.0);
    rcity_plot_set_ink(cairo, RCITY_PLOT_BASELINE_RGB, 1.0);
    cairo_stroke(cairo);
    rcity_plot_curve curve = {.count = route->count,
                              .x = route->travelled_m,
                              .first = route->measured_db,
                              .less = route->predicted_db,
                              .is_start = route->is_start,
                              .gap = gap,
                              .rgb = RCITY_PLOT_FAINT_INK,
                              .width_px = fmax(0.085 * page->em, 0.9)};
    rcity_plot_draw_curve(page, frame, &curve);
    rcity_plot_draw_border(page, frame);
    rcity_plot_draw_side_words(page, 1.2 * page->em, 0.5 * (frame->top + frame->bottom), "error, dB");
}

static rcity_status draw_panel(const rcity_plot_page *page, const routes_plot *plot, const rcity_plot_route *route,
                               double top)
{
    double em = page->em;
    double range[2] = {(double)HUGE_VAL, -(double)HUGE_VAL};
    double gap = page->options->gap_m;
    if (isnan(gap)) {
        RCITY_TRY(rcity_plot_find_gap(page->context, route->count, route->travelled_m, &gap));
    }
    rcity_plot_cover(range, route->count, route->travelled_m);
    bool is_wide = range[1] - range[0] > 1e-6;
    rcity_plot_frame frame = {.left = LEFT_EM * em, .right = (double)page->width_px - RIGHT_EM * em};
    frame.x_min = is_wide ? range[0] : range[0] <= range[1] ? range[0] - 1.0 : 0.0;
    frame.x_max = is_wide ? range[1] : frame.x_min + 2.0;
    double scale = frame.x_max - frame.x_min >= KILOMETRES_FROM ? 1e-3 : 1.0;
    draw_panel_title(page, route, top + 1.7 * em);
    frame.top = top + PANEL_TITLE_EM * em;
    frame.bottom = frame.top + CURVES_EM * em;
    draw_curves(page, &frame, route, gap, scale);
    frame.top = frame.bottom + RIBBON_GAP_EM * em;
    if (plot->has_category) {
        frame.bottom = frame.top + RIBBON_EM * em;
        draw_ribbon(page, &frame, route, gap);
        frame.top = frame.bottom + RIBBON_GAP_EM * em;
    }
    frame.bottom = frame.top + ERRORS_EM * em;
    draw_errors(page, &frame, route, gap, scale);
    rcity_text_style style = {.size_px = 0.85 * em, .rgb = RCITY_PLOT_FAINT_INK, .anchor = RCITY_TEXT_MIDDLE};
    rcity_text_draw(page->cairo, &style, 0.5 * (frame.left + frame.right), frame.bottom + 2.4 * em,
                    scale == 1.0 ? "travelled, m" : "travelled, km");
    return RCITY_OK;
}

static rcity_status draw_routes(rcity_plot_page *page, void *user)
{
    const routes_plot *plot = user;
    char note[256];
    draw_legend(page, plot);
    double top = (head_em(page) + LEGEND_EM) * page->em;
    for (int i = 0; i < plot->panel_count; i++) {
        RCITY_TRY(rcity_progress(page->context, "plot", (double)i, (double)plot->panel_count));
        RCITY_TRY(draw_panel(page, plot, &plot->routes[i], top));
        top += panel_height_em(plot) * page->em;
    }
    snprintf(note, sizeof note, "Error: measured less predicted loss, the band is %s%g dB", "\u00b1",
             RCITY_PLOT_BAND_DB);
    int left_count = plot->route_count - plot->panel_count;
    if (left_count > 0) {
        size_t used = strlen(note);
        snprintf(note + used, sizeof note - used, "%s%d more %s not shown", DOT, left_count,
                 left_count == 1 ? "route is" : "routes are");
    }
    rcity_plot_draw_footer(page, note);
    return RCITY_OK;
}

static rcity_status plot_routes_save(rcity_context *context, int route_count, const rcity_plot_route *routes,
                                     const rcity_plot_options *options, const char *path)
{
    RCITY_TRY(rcity_plot_check(context, options));
    RCITY_CHECK(context, route_count > 0, RCITY_ERR_ARGUMENT, "there is no route to draw into '%s'", path);
    routes_plot plot = {.route_count = route_count,
                        .panel_count = route_count < RCITY_PLOT_PANEL_MAX ? route_count : RCITY_PLOT_PANEL_MAX,
                        .routes = routes};
    for (int i = 0; i < plot.panel_count; i++) {
        plot.has_baseline = plot.has_baseline || routes[i].baseline_db != NULL;
        plot.has_category = plot.has_category || (routes[i].category != NULL && options->category_count > 0);
    }
    rcity_plot_page page = {.context = context, .options = options, .width_px = options->width_px};
    page.em = (double)page.width_px / 88.0;
    page.height_px =
        (int)ceil(page.em * (head_em(&page) + LEGEND_EM + plot.panel_count * panel_height_em(&plot) + FOOT_EM));
    return rcity_plot_save(&page, draw_routes, &plot, path);
}

rcity_status rcity_plot_routes_save_sized(rcity_context *context, int route_count, size_t route_bytes,
                                          const rcity_plot_route *routes, const rcity_plot_options *options,
                                          const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, path);
    rcity_plot_options known_options;
    RCITY_TAKE(context, rcity_plot_options, category_name, options, &known_options);
    RCITY_NEED_SOME(context, routes, route_count);
    RCITY_CHECK_BYTES(context, rcity_plot_route, route_bytes);
    rcity_plot_route known[RCITY_PLOT_PANEL_MAX];
    for (int i = 0; i < route_count && i < RCITY_PLOT_PANEL_MAX; i++) {
        rcity_copy_struct((const char *)routes + (size_t)i * route_bytes, route_bytes, sizeof known[i], &known[i]);
    }
    return plot_routes_save(context, route_count, known, &known_options, path);
}
