/* The profile of a link: the bulging ground with what stands on it, the line between the antennas, the first Fresnel zone
   and the part of it that should be free, obstacles. */
#include <stdio.h>
#include <string.h>

#include "base/abi.h"
#include "io/picture/plot/plot_page.h"
#include "radiocity/profile.h"
#include "result/link_profile_data.h"

/* In em. */
#define TITLE_EM 3.0 /* room of the title */
#define LINE_EM  1.4 /* of each line of text under it */
#define LEFT_EM  5.6
#define RIGHT_EM 1.8
#define FRAME_EM 34.0 /* height of the frame */
#define FOOT_EM  5.4
#define WIDTH_EM 84.0

#define GROUND_RGB     0xd8cdb4
#define GROUND_INK     0x8a7a55
#define BUILDING_RGB   0x9c8fa8
#define VEGETATION_RGB 0x9dc08b
#define FRESNEL_RGB    0x56b4e9
#define LINE_RGB       0x0072b2
#define OBSTACLE_RGB   0xd55e00
#define HEIGHT_LEAST_M 10.0 /* a lower range of heights would show nothing but noise */

typedef struct profile_plot {
    const rcity_link_profile *profile;
    const rcity_link_profile_draw_options *options;
    rcity_plot_frame frame;
    double top_em; /* of the frame */
} profile_plot;

static void find_frame(const rcity_plot_page *page, profile_plot *plot)
{
    const rcity_link_profile_info *info = &plot->profile->info;
    double range_m[2] = {HUGE_VAL, -HUGE_VAL};
    for (int64_t i = 0; i < info->point_count; i++) {
        const rcity_link_profile_point *point = &plot->profile->points[i];
        range_m[0] = fmin(range_m[0], fmin(point->ground_m + point->bulge_m, point->line_m - point->fresnel_m));
        range_m[1] = fmax(range_m[1], fmax(rcity_link_profile_point_top_m(point), point->line_m + point->fresnel_m));
    }
    rcity_plot_round_range(range_m, HEIGHT_LEAST_M);
    plot->frame = (rcity_plot_frame){.left = LEFT_EM * page->em,
                                     .top = plot->top_em * page->em,
                                     .right = (double)page->width_px - RIGHT_EM * page->em,
                                     .bottom = (plot->top_em + FRAME_EM) * page->em,
                                     .x_min = 0.0,
                                     .x_max = 1e-3 * info->plan_m,
                                     .y_min = range_m[0],
                                     .y_max = range_m[1]};
}

static double place_x(const profile_plot *plot, const rcity_link_profile_point *point)
{
    return rcity_plot_x(&plot->frame, 1e-3 * point->distance_m);
}

/* The area between ground and tops where something of a kind stands; of the ground itself, all below it. */
static void fill_tops(const rcity_plot_page *page, const profile_plot *plot, rcity_profile_top kind, uint32_t rgb)
{
    const rcity_link_profile_info *info = &plot->profile->info;
    for (int64_t i = 0; i + 1 < info->point_count; i++) {
        const rcity_link_profile_point *a = &plot->profile->points[i];
        const rcity_link_profile_point *b = a + 1;
        if (a->top != kind || b->top != kind || b->distance_m <= a->distance_m) {
            continue;
        }
        cairo_move_to(page->cairo, place_x(plot, a), rcity_plot_y(&plot->frame, a->ground_m + a->bulge_m));
        cairo_line_to(page->cairo, place_x(plot, a), rcity_plot_y(&plot->frame, rcity_link_profile_point_top_m(a)));
        cairo_line_to(page->cairo, place_x(plot, b), rcity_plot_y(&plot->frame, rcity_link_profile_point_top_m(b)));
        cairo_line_to(page->cairo, place_x(plot, b), rcity_plot_y(&plot->frame, b->ground_m + b->bulge_m));
        cairo_close_path(page->cairo);
    }
    rcity_plot_set_ink(page->cairo, rgb, 1.0);
    cairo_fill(page->cairo);
}

static void trace_ground(const rcity_plot_page *page, const profile_plot *plot)
{
    const rcity_link_profile_info *info = &plot->profile->info;
    for (int64_t i = 0; i < info->point_count; i++) {
        const rcity_link_profile_point *point = &plot->profile->points[i];
        cairo_line_to(page->cairo, place_x(plot, point), rcity_plot_y(&plot->frame, point->ground_m + point->bulge_m));
    }
}

static void draw_ground(const rcity_plot_page *page, const profile_plot *plot)
{
    cairo_t *cairo = page->cairo;
    cairo_new_path(cairo);
    cairo_move_to(cairo, plot->frame.left, plot->frame.bottom);
    trace_ground(page, plot);
    cairo_line_to(cairo, plot->frame.right, plot->frame.bottom);
    cairo_close_path(cairo);
    rcity_plot_set_ink(cairo, GROUND_RGB, 1.0);
    cairo_fill(cairo);
    trace_ground(page, plot);
    rcity_plot_set_ink(cairo, GROUND_INK, 1.0);
    cairo_set_line_width(cairo, fmax(0.12 * page->em, 1.0));
    cairo_stroke(cairo);
}

/* The outline of a part of the first Fresnel zone. */
static void trace_zone(const rcity_plot_page *page, const profile_plot *plot, double share)
{
    const rcity_link_profile_info *info = &plot->profile->info;
    cairo_new_path(page->cairo);
    for (int64_t i = 0; i < 2 * info->point_count; i++) {
        bool is_back = i >= info->point_count;
        const rcity_link_profile_point *point = &plot->profile->points[is_back ? 2 * info->point_count - 1 - i : i];
        double z_m = point->line_m + (is_back ? -share : share) * point->fresnel_m;
        cairo_line_to(page->cairo, place_x(plot, point), rcity_plot_y(&plot->frame, z_m));
    }
    cairo_close_path(page->cairo);
}

static void draw_zone(const rcity_plot_page *page, const profile_plot *plot)
{
    trace_zone(page, plot, plot->profile->info.fresnel_share);
    rcity_plot_set_ink(page->cairo, FRESNEL_RGB, 0.30);
    cairo_fill(page->cairo);
    trace_zone(page, plot, 1.0);
    rcity_plot_set_ink(page->cairo, FRESNEL_RGB, 1.0);
    cairo_set_line_width(page->cairo, fmax(0.1 * page->em, 1.0));
    cairo_stroke(page->cairo);
}

static void draw_mast(const rcity_plot_page *page, const profile_plot *plot, double at_km, double ground_m, double z_m)
{
    const double pi = 3.14159265358979323846;
    double x = rcity_plot_x(&plot->frame, at_km);
    double y = rcity_plot_y(&plot->frame, z_m);
    cairo_move_to(page->cairo, x, rcity_plot_y(&plot->frame, ground_m));
    cairo_line_to(page->cairo, x, y);
    rcity_plot_set_ink(page->cairo, RCITY_PLOT_INK, 1.0);
    cairo_set_line_width(page->cairo, fmax(0.3 * page->em, 2.0));
    cairo_stroke(page->cairo);
    cairo_arc(page->cairo, x, y, 0.4 * page->em, 0.0, 2.0 * pi);
    cairo_fill(page->cairo);
}

static void draw_line(const rcity_plot_page *page, const profile_plot *plot)
{
    const rcity_link_profile_info *info = &plot->profile->info;
    double end_km = 1e-3 * info->plan_m;
    cairo_move_to(page->cairo, rcity_plot_x(&plot->frame, 0.0), rcity_plot_y(&plot->frame, info->transmitter.z_m));
    cairo_line_to(page->cairo, rcity_plot_x(&plot->frame, end_km), rcity_plot_y(&plot->frame, info->receiver.z_m));
    rcity_plot_set_ink(page->cairo, LINE_RGB, 1.0);
    cairo_set_line_width(page->cairo, fmax(0.16 * page->em, 1.5));
    cairo_stroke(page->cairo);
    draw_mast(page, plot, 0.0, info->tx_ground_m, info->transmitter.z_m);
    draw_mast(page, plot, end_km, info->rx_ground_m, info->receiver.z_m);
}

/* The place on the bulging ground's top where an obstacle is. */
static void draw_obstacles(const rcity_plot_page *page, const profile_plot *plot)
{
    const double pi = 3.14159265358979323846;
    const rcity_link_profile_info *info = &plot->profile->info;
    for (int64_t i = 0; i < info->obstacle_count; i++) {
        const rcity_link_profile_obstacle *obstacle = &plot->profile->obstacles[i];
        double bulge_m = rcity_link_profile_bulge_m(info, obstacle->distance_m, info->plan_m - obstacle->distance_m);
        double x = rcity_plot_x(&plot->frame, 1e-3 * obstacle->distance_m);
        double y = rcity_plot_y(&plot->frame, obstacle->top_m + bulge_m);
        rcity_plot_set_ink(page->cairo, OBSTACLE_RGB, 1.0);
        cairo_arc(page->cairo, x, y, 0.45 * page->em, 0.0, 2.0 * pi);
        if (obstacle->touches_string) {
            cairo_fill(page->cairo);
        } else {
            cairo_set_line_width(page->cairo, fmax(0.14 * page->em, 1.5));
            cairo_stroke(page->cairo);
        }
    }
}

static void draw_axes(const rcity_plot_page *page, const profile_plot *plot)
{
    const rcity_plot_frame *frame = &plot->frame;
    rcity_text_style style = {.size_px = 0.95 * page->em, .rgb = RCITY_PLOT_FAINT_INK, .anchor = RCITY_TEXT_MIDDLE};
    rcity_plot_draw_x_axis(page, frame, 1.0, true);
    rcity_plot_draw_y_axis(page, frame, 12.0);
    rcity_text_draw(page->cairo, &style, 0.5 * (frame->left + frame->right), frame->bottom + 2.8 * page->em,
                    "distance from the transmitter, km");
    rcity_plot_draw_side_words(page, 1.5 * page->em, 0.5 * (frame->top + frame->bottom),
                               isinf(plot->profile->info.k_factor) ? "height, m" : "height with the earth's bulge, m");
}

static void draw_lines(const rcity_plot_page *page, const profile_plot *plot)
{
    rcity_text_style style = {.size_px = 0.95 * page->em, .rgb = RCITY_PLOT_FAINT_INK};
    for (int i = 0; i < plot->options->line_count; i++) {
        rcity_text_draw_fitted(page->cairo, &style, 1.2 * page->em, (TITLE_EM + 0.6 + LINE_EM * i) * page->em,
                               (double)page->width_px - 2.4 * page->em, plot->options->line[i]);
    }
}

static void draw_footer(const rcity_plot_page *page, const profile_plot *plot)
{
    const rcity_link_profile_info *info = &plot->profile->info;
    char note[320];
    char earth[40] = "flat earth";
    if (!isinf(info->k_factor)) {
        snprintf(earth, sizeof earth, "k %.4g", info->k_factor);
    }
    snprintf(
        note, sizeof note,
        "%.10g MHz, %s; first Fresnel zone (outline) %.3g m halfway, shaded %.3g of it; dots: obstacles, filled where "
        "a tight string touches them",
        1e-6 * info->frequency_hz, earth, info->fresnel_max_m, info->fresnel_share);
    rcity_plot_draw_footer(page, note);
}

static rcity_status draw_plot(rcity_plot_page *page, void *user)
{
    const profile_plot *plot = user;
    cairo_t *cairo = page->cairo;
    draw_axes(page, plot);
    cairo_save(cairo);
    cairo_rectangle(cairo, plot->frame.left, plot->frame.top, plot->frame.right - plot->frame.left,
                    plot->frame.bottom - plot->frame.top);
    cairo_clip(cairo);
    draw_ground(page, plot);
    fill_tops(page, plot, RCITY_PROFILE_TOP_VEGETATION, VEGETATION_RGB);
    fill_tops(page, plot, RCITY_PROFILE_TOP_BUILDING, BUILDING_RGB);
    draw_zone(page, plot);
    cairo_restore(cairo);
    draw_line(page, plot);
    draw_obstacles(page, plot);
    rcity_plot_draw_border(page, &plot->frame);
    draw_lines(page, plot);
    draw_footer(page, plot);
    return RCITY_OK;
}

rcity_status rcity_link_profile_draw(rcity_context *context, const rcity_link_profile *profile,
                                     const rcity_link_profile_draw_options *options, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, profile);
    RCITY_NEED(context, path);
    rcity_link_profile_draw_options known = rcity_link_profile_draw_options_default();
    if (options != NULL) {
        RCITY_TAKE(context, rcity_link_profile_draw_options, line, options, &known);
    }
    RCITY_CHECK(context, known.line_count >= 0 && known.line_count <= RCITY_LINK_PROFILE_LINE_MAX, RCITY_ERR_ARGUMENT,
                "a picture with %d lines of text cannot be drawn; there are at most %d", known.line_count,
                RCITY_LINK_PROFILE_LINE_MAX);
    RCITY_NEED_SOME(context, known.line, known.line_count);
    char title[200];
    const rcity_link_profile_info *info = &profile->info;
    snprintf(title, sizeof title, "%.10g, %.10g to %.10g, %.10g: %.2f km", info->transmitter.x_m, info->transmitter.y_m,
             info->receiver.x_m, info->receiver.y_m, 1e-3 * info->plan_m);
    rcity_plot_options look = rcity_plot_options_default();
    look.width_px = known.width_px;
    look.title = known.title != NULL ? known.title : title;
    RCITY_TRY(rcity_plot_check(context, &look));
    profile_plot plot = {.profile = profile, .options = &known, .top_em = TITLE_EM + LINE_EM * known.line_count + 0.8};
    rcity_plot_page page = {.context = context, .options = &look, .width_px = look.width_px};
    page.em = (double)page.width_px / WIDTH_EM;
    page.height_px = (int)ceil(page.em * (plot.top_em + FRAME_EM + FOOT_EM));
    find_frame(&page, &plot);
    return rcity_plot_save(&page, draw_plot, &plot, path);
}
