/* An antenna's two cuts as polar plots: seen from above with the front at the top, and from the side with the front to
   the right. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/picture/page.h"
#include "io/picture/picture_data.h"
#include "io/picture/picture_text.h"
#include "scene/antenna_data.h"

#define CENTRE_DB       (-40.0) /* the level at the centre of a plot; weaker levels are not shown */
#define SAMPLE_STEP_DEG 0.25
#define SAMPLE_COUNT    1440
#define LABEL_STEP_DEG  30
#define PATTERN_RGB     0x3b3f9e
#define RING_RGB        0xc9c7c0
#define AXIS_RGB        0xa9a7a0
#define HALF_POWER_RGB  0xc2603a
#define DEGREE_SIGN     "\u00b0"
#define MINUS_SIGN      "\u2212"
#define DOT             " \u00b7 "

static const double pi = 3.14159265358979323846;

typedef struct antenna_page {
    const rcity_antenna *antenna;
    rcity_antenna_info info;
    double electrical_tilt_deg; /* NAN: as the pattern has it */
    double beam_deg;            /* elevation of the horizontal cut: that of the beam */
    cairo_t *cairo;
    int width_px, height_px;
    double em; /* the size of plain text; everything scales with it */
    double radius;
} antenna_page;

static void set_ink(cairo_t *cairo, uint32_t rgb, double part)
{
    rcity_colour colour = rcity_colour_unpack(rgb);
    cairo_set_source_rgba(cairo, colour.red, colour.green, colour.blue, part);
}

/* Position of an angle on the page, clockwise from the top. */
static void place(double x, double y, double radius, double clockwise_deg, double at[2])
{
    at[0] = x + radius * sin(clockwise_deg * pi / 180.0);
    at[1] = y - radius * cos(clockwise_deg * pi / 180.0);
}

static double radius_of_db(const antenna_page *page, double relative_db)
{
    return page->radius * fmax(0.0, 1.0 - relative_db / CENTRE_DB);
}

static void draw_rings(const antenna_page *page, double x, double y)
{
    static const double ring_db[] = {0.0, -3.0, -10.0, -20.0, -30.0};
    cairo_t *cairo = page->cairo;
    cairo_arc(cairo, x, y, page->radius, 0.0, 2.0 * pi);
    set_ink(cairo, 0xfbfaf7, 1.0);
    cairo_fill(cairo);
    for (size_t i = 0; i < sizeof ring_db / sizeof ring_db[0]; i++) {
        bool is_half_power = ring_db[i] == -3.0;
        double dash[2] = {0.35 * page->em, 0.3 * page->em};
        cairo_set_dash(cairo, dash, is_half_power ? 2 : 0, 0.0);
        cairo_set_line_width(cairo, fmax((i == 0 ? 0.1 : 0.07) * page->em, 0.8));
        set_ink(cairo, is_half_power ? HALF_POWER_RGB : i == 0 ? AXIS_RGB : RING_RGB, 1.0);
        cairo_new_sub_path(cairo);
        cairo_arc(cairo, x, y, radius_of_db(page, ring_db[i]), 0.0, 2.0 * pi);
        cairo_stroke(cairo);
    }
    cairo_set_dash(cairo, NULL, 0, 0.0);
}

/* Labels of the rings, in a direction where patterns are usually weak. */
static void draw_ring_labels(const antenna_page *page, double x, double y, double clockwise_deg)
{
    static const double ring_db[] = {0.0, -3.0, -10.0, -20.0, -30.0};
    rcity_text_style style = {
        .size_px = 0.78 * page->em, .has_halo = true, .rgb = RCITY_PICTURE_FAINT_INK, .anchor = RCITY_TEXT_MIDDLE};
    for (size_t i = 0; i < sizeof ring_db / sizeof ring_db[0]; i++) {
        char text[32];
        double at[2];
        style.rgb = ring_db[i] == -3.0 ? HALF_POWER_RGB : RCITY_PICTURE_FAINT_INK;
        snprintf(text, sizeof text, i == 0 ? "%s%g dB" : "%s%g", i == 0 ? "" : MINUS_SIGN, fabs(ring_db[i]));
        place(x, y, radius_of_db(page, ring_db[i]), clockwise_deg + (i == 0 ? 9.0 : 0.0),
              at); /* beside the previous label */
        rcity_text_draw(page->cairo, &style, at[0], at[1] + 0.28 * page->em, text);
    }
}

/* Elevation of an angle of the vertical plot: 0 to the right and to the left, 90 up. */
static int elevation_label(int clockwise_deg)
{
    int from_right_deg = 90 - clockwise_deg; /* counter-clockwise from the right */
    from_right_deg = from_right_deg < -180 ? from_right_deg + 360 : from_right_deg;
    return from_right_deg > 90 ? 180 - from_right_deg : from_right_deg < -90 ? -180 - from_right_deg : from_right_deg;
}

static void draw_rays(const antenna_page *page, double x, double y, bool is_vertical)
{
    cairo_t *cairo = page->cairo;
    rcity_text_style style = {.size_px = 0.85 * page->em, .rgb = RCITY_PICTURE_INK, .anchor = RCITY_TEXT_MIDDLE};
    for (int angle_deg = 0; angle_deg < 360; angle_deg += LABEL_STEP_DEG) {
        double at[2];
        char text[32];
        place(x, y, page->radius, angle_deg, at);
        cairo_move_to(cairo, x, y);
        cairo_line_to(cairo, at[0], at[1]);
        cairo_set_line_width(cairo, fmax(0.06 * page->em, 0.7));
        set_ink(cairo, angle_deg % 90 == 0 ? AXIS_RGB : RING_RGB, 1.0);
        cairo_stroke(cairo);
        int label_deg = is_vertical ? elevation_label(angle_deg) : angle_deg;
        snprintf(text, sizeof text, "%s%d%s", label_deg < 0 ? MINUS_SIGN : "", label_deg < 0 ? -label_deg : label_deg,
                 DEGREE_SIGN);
        place(x, y, page->radius + 1.35 * page->em, angle_deg, at);
        rcity_text_draw(cairo, &style, at[0], at[1] + 0.31 * page->em, text);
    }
}

/* The cut as a filled area with an outline. */
static void draw_cut(const antenna_page *page, double x, double y, bool is_vertical)
{
    cairo_t *cairo = page->cairo;
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        double clockwise_deg = SAMPLE_STEP_DEG * i;
        double gain_dbi =
            is_vertical
                ? rcity_antenna_gain_dbi(page->antenna, page->electrical_tilt_deg, 0.0, 90.0 - clockwise_deg)
                : rcity_antenna_gain_dbi(page->antenna, page->electrical_tilt_deg, clockwise_deg, page->beam_deg);
        double at[2];
        place(x, y, radius_of_db(page, gain_dbi - page->info.gain_dbi), clockwise_deg, at);
        cairo_line_to(cairo, at[0], at[1]);
    }
    cairo_close_path(cairo);
    set_ink(cairo, PATTERN_RGB, 0.16);
    cairo_fill_preserve(cairo);
    set_ink(cairo, PATTERN_RGB, 1.0);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_width(cairo, fmax(0.15 * page->em, 1.2));
    cairo_stroke(cairo);
}

static void draw_plot(const antenna_page *page, double x, double y, bool is_vertical)
{
    char caption[160];
    if (is_vertical) {
        snprintf(caption, sizeof caption, "Vertical, azimuth 0%s: front to the right", DEGREE_SIGN);
    } else {
        double shown_deg = fabs(page->beam_deg) < 0.05 ? 0.0 : page->beam_deg;
        snprintf(caption, sizeof caption, "Horizontal, elevation %s%g%s: front at the top",
                 shown_deg < 0.0 ? MINUS_SIGN : "", round(10.0 * fabs(shown_deg)) / 10.0, DEGREE_SIGN);
    }
    rcity_text_style style = {
        .size_px = page->em, .is_bold = true, .rgb = RCITY_PICTURE_INK, .anchor = RCITY_TEXT_MIDDLE};
    rcity_text_draw_fitted(page->cairo, &style, x, y - page->radius - 2.6 * page->em,
                           2.0 * page->radius + 4.0 * page->em, caption);
    draw_rings(page, x, y);
    draw_rays(page, x, y, is_vertical);
    draw_cut(page, x, y, is_vertical);
    draw_ring_labels(page, x, y, is_vertical ? 315.0 : 135.0);
}

/* "65°", or "all around". */
static const char *format_width(double width_deg, char text[32])
{
    if (width_deg >= 360.0) {
        return "all around";
    }
    snprintf(text, 32, "%.*f%s", width_deg < 20.0 ? 1 : 0, width_deg, DEGREE_SIGN);
    return text;
}

static void draw_words(const antenna_page *page)
{
    const rcity_antenna_info *info = &page->info;
    double em = page->em;
    double width = (double)page->width_px - 2.4 * em;
    char line[RCITY_TEXT_BYTES];
    char words[2][32];
    rcity_text_style title = {.size_px = 1.4 * em, .is_bold = true, .rgb = RCITY_PICTURE_INK};
    rcity_text_style plain = {.size_px = em, .rgb = RCITY_PICTURE_FAINT_INK};
    rcity_text_style footer = {.size_px = 0.78 * em, .rgb = RCITY_PICTURE_FAINT_INK};
    snprintf(line, sizeof line, "%.200s%s%.2f dBi", info->name, DOT, info->gain_dbi);
    rcity_text_draw_fitted(page->cairo, &title, 1.2 * em, 1.95 * em, width, line);
    double tilt_deg = isnan(page->electrical_tilt_deg) ? info->electrical_tilt_deg : page->electrical_tilt_deg;
    int length = snprintf(line, sizeof line,
                          "3 dB width: horizontal %s, vertical %s%sfront to back %.1f dB%selectrical tilt %s%g%s",
                          format_width(info->horizontal_width_deg, words[0]),
                          format_width(info->vertical_width_deg, words[1]), DOT, info->front_to_back_db, DOT,
                          tilt_deg < 0.0 ? MINUS_SIGN : "", fabs(round(tilt_deg * 100.0) / 100.0), DEGREE_SIGN);
    if (!isnan(info->frequency_hz)) {
        snprintf(line + length, sizeof line - (size_t)length, "%s%g MHz", DOT, info->frequency_hz * 1e-6);
    }
    rcity_text_draw_fitted(page->cairo, &plain, 1.2 * em, 3.5 * em, width, line);
    snprintf(line, sizeof line, "Rings: dB against the strongest direction; the middle is %s40 dB%sradiocity %s",
             MINUS_SIGN, DOT, rcity_version());
    rcity_text_draw_fitted(page->cairo, &footer, 1.2 * em, (double)page->height_px - 0.8 * em, width, line);
}

static void lay_out(antenna_page *page)
{
    page->em = (double)page->width_px / 72.0;
    page->radius = 0.25 * (double)page->width_px - 3.6 * page->em;
    page->height_px = (int)ceil(8.2 * page->em + 2.0 * page->radius + 4.6 * page->em);
}

static rcity_status draw_page(cairo_t *cairo, void *user)
{
    antenna_page *page = user;
    page->cairo = cairo;
    set_ink(page->cairo, RCITY_PICTURE_PAGE, 1.0);
    cairo_paint(page->cairo);
    draw_words(page);
    double y = 8.2 * page->em + page->radius;
    draw_plot(page, 0.25 * (double)page->width_px + 0.3 * page->em, y, false);
    draw_plot(page, 0.75 * (double)page->width_px - 0.3 * page->em, y, true);
    return RCITY_OK;
}

rcity_status rcity_antenna_draw(rcity_context *context, const rcity_antenna *antenna, double electrical_tilt_deg,
                                int width_px, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, antenna);
    RCITY_NEED(context, path);
    RCITY_CHECK(context, width_px >= RCITY_PICTURE_WIDTH_MIN_PX && width_px <= RCITY_PICTURE_WIDTH_MAX_PX,
                RCITY_ERR_ARGUMENT, "a picture of %d pixels cannot be drawn; the width is %d to %d", width_px,
                RCITY_PICTURE_WIDTH_MIN_PX, RCITY_PICTURE_WIDTH_MAX_PX);
    RCITY_CHECK(context, isnan(electrical_tilt_deg) || fabs(electrical_tilt_deg) <= 90.0, RCITY_ERR_ARGUMENT,
                "the electrical tilt is %g degrees, must be within 90", electrical_tilt_deg);
    antenna_page page;
    memset(&page, 0, sizeof page);
    page.antenna = antenna;
    page.electrical_tilt_deg = electrical_tilt_deg;
    page.width_px = width_px;
    rcity_antenna_describe(antenna, &page.info);
    double extra_deg = isnan(electrical_tilt_deg) ? 0.0 : electrical_tilt_deg - page.info.electrical_tilt_deg;
    page.beam_deg = -antenna->peak_rad * 180.0 / pi - extra_deg;
    lay_out(&page);
    return rcity_page_save(context, page.width_px, page.height_px, "the antenna", draw_page, &page, path);
}
