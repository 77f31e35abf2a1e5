/* The page of a plot: from options to a file, and the texts and colours that all plots share. */
#include "io/picture/plot/plot_page.h"

#include <stdio.h>
#include <string.h>

#include "io/picture/colour.h"
#include "io/picture/page.h"

#define MINUS_SIGN "\u2212"
#define DOT        " \u00b7 "

rcity_status rcity_plot_check(rcity_context *context, const rcity_plot_options *options)
{
    RCITY_CHECK(context,
                options->width_px >= RCITY_PICTURE_WIDTH_MIN_PX && options->width_px <= RCITY_PICTURE_WIDTH_MAX_PX,
                RCITY_ERR_ARGUMENT, "a plot of %d pixels cannot be drawn; the width is %d to %d", options->width_px,
                RCITY_PICTURE_WIDTH_MIN_PX, RCITY_PICTURE_WIDTH_MAX_PX);
    RCITY_CHECK(context, options->category_count >= 0 && options->category_count <= RCITY_PLOT_CATEGORY_MAX,
                RCITY_ERR_ARGUMENT, "a plot of %d categories of points cannot be drawn; there are at most %d",
                options->category_count, RCITY_PLOT_CATEGORY_MAX);
    RCITY_CHECK(context, !(options->gap_m <= 0.0), RCITY_ERR_ARGUMENT,
                "the gap that breaks a line is %g m, must be above 0", options->gap_m);
    return RCITY_OK;
}

void rcity_plot_set_ink(cairo_t *cairo, uint32_t rgb, double part)
{
    rcity_colour colour = rcity_colour_unpack(rgb);
    cairo_set_source_rgba(cairo, colour.red, colour.green, colour.blue, part);
}

/* Okabe and Ito, "Color universal design" (2008), less the vermilion of the predicted curve and black; then two dark
   colours of Tol's schemes. */
uint32_t rcity_plot_category_rgb(int category)
{
    static const uint32_t rgb[RCITY_PLOT_CATEGORY_MAX] = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
                                                          0x56b4e9, 0xf0e442, 0x332288, 0x882255};
    return category >= 0 && category < RCITY_PLOT_CATEGORY_MAX ? rgb[category] : 0x8f8f96;
}

int rcity_plot_category(const rcity_plot_page *page, const int *category, int64_t point_index)
{
    bool has_one =
        category != NULL && category[point_index] >= 0 && category[point_index] < page->options->category_count;
    return has_one ? category[point_index] : -1;
}

/* One decimal with a true minus sign, never "-0.0". */
static void write_db(char *text, const char *name, double value_db)
{
    bool is_below = value_db < -0.05;
    snprintf(text, RCITY_PLOT_FIGURE_BYTES, "%s %s%.1f dB", name, is_below ? MINUS_SIGN : "", fabs(value_db));
}

int rcity_plot_write_figures(const rcity_score_figures *figures,
                             char text[RCITY_PLOT_FIGURE_COUNT][RCITY_PLOT_FIGURE_BYTES])
{
    const double value_db[] = {figures->mean_db, figures->rmse_db, figures->standard_deviation_db,
                               figures->median_absolute_db};
    static const char *const names[] = {"mean", "rmse", "std. dev.", "median abs."};
    int count = 0;
    if (figures->count <= 0) {
        return 0;
    }
    for (int i = 0; i < 4; i++) {
        if (rcity_plot_is_value(value_db[i])) {
            write_db(text[count++], names[i], value_db[i]);
        }
    }
    if (rcity_plot_is_value(figures->correlation)) {
        snprintf(text[count++], RCITY_PLOT_FIGURE_BYTES, "correlation %s%.2f",
                 figures->correlation < -0.005 ? MINUS_SIGN : "", fabs(figures->correlation));
    }
    snprintf(text[count++], RCITY_PLOT_FIGURE_BYTES, "%lld %s", (long long)figures->count,
             figures->count == 1 ? "point" : "points");
    return count;
}

void rcity_plot_draw_footer(const rcity_plot_page *page, const char *note)
{
    char line[RCITY_TEXT_BYTES];
    rcity_text_style style = {.size_px = 0.78 * page->em, .rgb = RCITY_PLOT_FAINT_INK};
    snprintf(line, sizeof line, "%.400s%sradiocity %s", note, note[0] != '\0' ? DOT : "", rcity_version());
    rcity_text_draw_fitted(page->cairo, &style, 1.2 * page->em, (double)page->height_px - 0.7 * page->em,
                           (double)page->width_px - 2.4 * page->em, line);
}

static void start_page(const rcity_plot_page *page)
{
    rcity_plot_set_ink(page->cairo, 0xffffff, 1.0);
    cairo_paint(page->cairo);
    if (page->options->title != NULL) {
        rcity_text_style title = {.size_px = 1.4 * page->em, .is_bold = true, .rgb = RCITY_PLOT_INK};
        rcity_text_draw_fitted(page->cairo, &title, 1.2 * page->em, 2.0 * page->em,
                               (double)page->width_px - 2.4 * page->em, page->options->title);
    }
}

/* A page and what to draw on it. */
typedef struct plot_work {
    rcity_plot_page *page;
    rcity_status (*draw)(rcity_plot_page *page, void *user);
    void *user;
} plot_work;

static rcity_status draw_plot(cairo_t *cairo, void *user)
{
    const plot_work *work = user;
    work->page->cairo = cairo;
    start_page(work->page);
    rcity_status status = work->draw(work->page, work->user);
    work->page->cairo = NULL;
    return status;
}

rcity_status rcity_plot_save(rcity_plot_page *page, rcity_status (*draw)(rcity_plot_page *page, void *user), void *user,
                             const char *path)
{
    plot_work work = {page, draw, user};
    return rcity_page_save(page->context, page->width_px, page->height_px, "the plot", draw_plot, &work, path);
}
