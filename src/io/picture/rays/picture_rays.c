/* Paths over the plan: lines coloured by power, the weakest first, so that the strongest are on top. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "io/picture/picture_data.h"
#include "io/picture/ticks.h"
#include "result/rays_data.h"

#define MARGIN_PART    0.08 /* margin around everything that is shown, of its longer side */
#define MARGIN_MIN_M   10.0
#define VALUE_STEPS    6.0
#define RANGE_MIN_DB   10.0 /* least range of the colours */
#define LINE_EM        0.11 /* width of the weakest line; ... */
#define STRONG_LINE_EM 0.20 /* ... and of the strongest */
#define FEW_COUNT      12.0 /* with more paths, weak ones fade; ... */
#define CROWD_COUNT    80.0 /* ... fully with this many */
#define CROWD_FADE     0.85 /* reduction of a line's opacity, ... */
#define CROWD_THIN     0.6  /* ... of its width, and of its marks */
#define CASING_EM      0.10 /* dark outline of a line, both sides together: bright colours need it on pale ground */
#define REPORT_COUNT   1024 /* paths between reports of progress */

static double value_of(const rcity_picture_rays *view, const rcity_path *path)
{
    return view->has_power ? path->received_dbm : path->gain_db;
}

/* The receivers that are drawn: all, or the chosen one. */
static bool is_chosen(const rcity_picture_rays *view, int64_t receiver_index)
{
    return view->options->receiver_index < 0 || view->options->receiver_index == receiver_index;
}

/* The least gain of a path that is drawn, relative to the receiver's strongest path, which is its first. So a far
   receiver shows as many of its paths as a near one. */
static double floor_of(const rcity_picture_rays *view, int64_t receiver_index)
{
    rcity_receiver_summary receiver;
    rcity_path strongest;
    if (rcity_rays_get_receiver(view->rays, receiver_index, &receiver) != RCITY_OK || receiver.path_count == 0 ||
        rcity_rays_get_path(view->rays, receiver.path_first, &strongest) != RCITY_OK) {
        return HUGE_VAL;
    }
    double value = value_of(view, &strongest);
    return isfinite(value) ? value - view->options->floor_db : HUGE_VAL;
}

static bool is_shown(const rcity_picture_rays *view, const rcity_path *path)
{
    return is_chosen(view, path->receiver_index) && value_of(view, path) >= floor_of(view, path->receiver_index);
}

static void grow_bounds(rcity_picture_bounds *bounds, const rcity_point *place)
{
    bounds->west_m = fmin(bounds->west_m, place->x_m);
    bounds->south_m = fmin(bounds->south_m, place->y_m);
    bounds->east_m = fmax(bounds->east_m, place->x_m);
    bounds->north_m = fmax(bounds->north_m, place->y_m);
}

static void add_margin(rcity_picture_bounds *bounds)
{
    double longer_m = fmax(bounds->east_m - bounds->west_m, bounds->north_m - bounds->south_m);
    double margin_m = fmax(MARGIN_PART * longer_m, MARGIN_MIN_M);
    bounds->west_m -= margin_m;
    bounds->south_m -= margin_m;
    bounds->east_m += margin_m;
    bounds->north_m += margin_m;
}

/* Transmitter and receivers are in the picture whether there are paths or not. */
static rcity_status bound_ends(rcity_picture *picture)
{
    rcity_picture_rays *view = picture->rays;
    rcity_point tx = rcity_rays_transmitter(view->rays);
    picture->bounds = (rcity_picture_bounds){tx.x_m, tx.y_m, tx.x_m, tx.y_m};
    for (int64_t i = 0; i < rcity_rays_receiver_count(view->rays); i++) {
        rcity_receiver_summary receiver;
        RCITY_TRY(rcity_rays_get_receiver(view->rays, i, &receiver));
        if (is_chosen(view, i)) {
            grow_bounds(&picture->bounds, &receiver.position);
            view->receiver_count++;
            view->reached_count += receiver.state == RCITY_RECEIVER_REACHED;
        }
    }
    return RCITY_OK;
}

/* Ends that are round numbers around all values; paths of similar strength have similar colours. */
static void choose_scale(double weakest, double strongest, rcity_picture_values *values)
{
    double step = rcity_tick_step(fmax(strongest - weakest, RANGE_MIN_DB), VALUE_STEPS);
    values->scale = RCITY_COLOUR_SIGNAL;
    values->high = values->maximum = rcity_tick_first(strongest, step);
    values->low = values->minimum = fmin(rcity_tick_last(weakest, step), values->high - RANGE_MIN_DB);
}

rcity_status rcity_picture_measure_rays(rcity_picture *picture)
{
    rcity_picture_rays *view = picture->rays;
    double strongest = -HUGE_VAL;
    double weakest = HUGE_VAL;
    view->has_power = rcity_rays_find_note(view->rays, "tx_eirp_dbm") != NULL;
    RCITY_TRY(bound_ends(picture));
    for (int64_t i = 0; i < rcity_rays_path_count(view->rays); i++) {
        rcity_path path;
        RCITY_TRY(rcity_rays_get_path(view->rays, i, &path));
        if (!is_shown(view, &path)) {
            view->left_count += is_chosen(view, path.receiver_index);
            continue;
        }
        view->shown_count++;
        weakest = fmin(weakest, value_of(view, &path));
        strongest = fmax(strongest, value_of(view, &path));
        for (int k = 0; k < path.event_count; k++) {
            grow_bounds(&picture->bounds, &path.events[k].position);
            view->has_kind[path.events[k].kind] = true;
        }
    }
    add_margin(&picture->bounds);
    picture->ray_values.has_any = view->shown_count > 0;
    if (view->shown_count > 0) {
        choose_scale(weakest, strongest, &picture->ray_values);
    }
    return RCITY_OK;
}

/* One path in the order of drawing. */
typedef struct drawn_path {
    double value;
    int64_t index;
} drawn_path;

static int compare_values(const void *a, const void *b)
{
    const drawn_path *first = a;
    const drawn_path *second = b;
    if (first->value != second->value) {
        return first->value < second->value ? -1 : 1;
    }
    return first->index > second->index ? -1 : first->index < second->index ? 1 : 0;
}

static rcity_status list_paths(const rcity_picture *picture, drawn_path **list)
{
    const rcity_picture_rays *view = picture->rays;
    drawn_path *made = NULL;
    RCITY_TRY(
        rcity_alloc(picture->context, (size_t)view->shown_count + 1, sizeof *made, "the paths of a picture", &made));
    size_t count = 0;
    for (int64_t i = 0; i < rcity_rays_path_count(view->rays); i++) {
        rcity_path path;
        rcity_status status = rcity_rays_get_path(view->rays, i, &path);
        if (status == RCITY_OK && is_shown(view, &path)) {
            made[count++] = (drawn_path){value_of(view, &path), i};
        }
    }
    qsort(made, count, sizeof *made, compare_values);
    *list = made;
    return RCITY_OK;
}

static void trace_path(const rcity_picture *picture, const rcity_path *path, const rcity_point *rx)
{
    const rcity_picture_layout *layout = &picture->layout;
    rcity_point tx = rcity_rays_transmitter(picture->rays->rays);
    cairo_move_to(picture->cairo, rcity_picture_x(layout, tx.x_m), rcity_picture_y(layout, tx.y_m));
    for (int i = 0; i < path->event_count; i++) {
        const rcity_point *place = &path->events[i].position;
        cairo_line_to(picture->cairo, rcity_picture_x(layout, place->x_m), rcity_picture_y(layout, place->y_m));
    }
    cairo_line_to(picture->cairo, rcity_picture_x(layout, rx->x_m), rcity_picture_y(layout, rx->y_m));
}

/* The place of a path on the scale, and how much it fades: many weak paths would hide the strong ones. */
typedef struct path_look {
    double share, back;
} path_look;

static path_look look_of(const rcity_picture *picture, const rcity_path *path)
{
    const rcity_picture_values *values = &picture->ray_values;
    double share = (value_of(picture->rays, path) - values->low) / (values->high - values->low);
    double crowd = ((double)picture->rays->shown_count - FEW_COUNT) / (CROWD_COUNT - FEW_COUNT);
    crowd = fmin(fmax(crowd, 0.0), 1.0);
    return (path_look){share, crowd * (1.0 - share)};
}

static void draw_path(const rcity_picture *picture, const rcity_path *path, const rcity_point *rx)
{
    path_look look = look_of(picture, path);
    double em = picture->layout.em_px;
    double width_em = (LINE_EM + (STRONG_LINE_EM - LINE_EM) * look.share) * (1.0 - CROWD_THIN * look.back);
    double width_px = fmax(width_em * em, 0.8);
    double strength = 1.0 - CROWD_FADE * look.back;
    rcity_colour colour = rcity_picture_value_colour(&picture->ray_values, value_of(picture->rays, path));
    trace_path(picture, path, rx);
    cairo_set_source_rgba(picture->cairo, 0.10, 0.09, 0.14, 0.75 * strength * strength);
    cairo_set_line_width(picture->cairo, width_px + fmax(CASING_EM * em, 0.8));
    cairo_stroke_preserve(picture->cairo);
    cairo_set_source_rgba(picture->cairo, colour.red, colour.green, colour.blue, strength);
    cairo_set_line_width(picture->cairo, width_px);
    cairo_stroke(picture->cairo);
}

static void draw_events(const rcity_picture *picture, const rcity_path *path)
{
    const rcity_picture_layout *layout = &picture->layout;
    double size_px = layout->em_px * (1.0 - CROWD_THIN * look_of(picture, path).back);
    for (int i = 0; i < path->event_count; i++) {
        const rcity_ray_event *event = &path->events[i];
        rcity_picture_draw_event_mark(picture->cairo, event->kind, rcity_picture_x(layout, event->position.x_m),
                                      rcity_picture_y(layout, event->position.y_m), size_px);
    }
}

static rcity_status draw_listed(const rcity_picture *picture, const drawn_path *list)
{
    const rcity_rays *rays = picture->rays->rays;
    int64_t count = picture->rays->shown_count;
    for (int64_t i = 0; i < 2 * count; i++) { /* all lines, then all marks */
        rcity_path path;
        rcity_receiver_summary receiver;
        RCITY_TRY(rcity_rays_get_path(rays, list[i % count].index, &path));
        RCITY_TRY(rcity_rays_get_receiver(rays, path.receiver_index, &receiver));
        if (i < count) {
            draw_path(picture, &path, &receiver.position);
        } else {
            draw_events(picture, &path);
        }
        if (i % REPORT_COUNT == 0) {
            RCITY_TRY(rcity_picture_report(picture, 0.5 * (double)i / (double)count));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_picture_draw_rays(const rcity_picture *picture)
{
    const rcity_picture_layout *layout = &picture->layout;
    drawn_path *list = NULL;
    RCITY_TRY(list_paths(picture, &list));
    cairo_save(picture->cairo);
    cairo_rectangle(picture->cairo, layout->frame_x, layout->frame_y, layout->frame_width, layout->frame_height);
    cairo_clip(picture->cairo);
    cairo_set_line_join(picture->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(picture->cairo, CAIRO_LINE_CAP_ROUND);
    rcity_status status = draw_listed(picture, list);
    cairo_restore(picture->cairo);
    rcity_release(picture->context, list);
    return status;
}

rcity_status rcity_rays_draw(rcity_context *context, const rcity_scene *scene, const rcity_rays *rays,
                             const rcity_rays_draw_options *options, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, rays);
    rcity_rays_draw_options known;
    RCITY_TAKE(context, rcity_rays_draw_options, floor_db, options, &known);
    options = &known;
    RCITY_NEED(context, path);
    int64_t receiver_count = rcity_rays_receiver_count(rays);
    RCITY_CHECK(context, options->receiver_index >= -1 && options->receiver_index < receiver_count, RCITY_ERR_ARGUMENT,
                "there is no receiver %lld; there are %lld, counted from 0, and -1 draws all",
                (long long)options->receiver_index, (long long)receiver_count);
    RCITY_CHECK(context, options->floor_db > 0.0 && options->floor_db <= 1000.0, RCITY_ERR_ARGUMENT,
                "paths weaker by %g dB are to be left out; must be above 0 and at most 1000", options->floor_db);
    rcity_point tx = rcity_rays_transmitter(rays);
    rcity_transmitter mark = {.name = rcity_rays_find_note(rays, "tx_name"), .x_m = tx.x_m, .y_m = tx.y_m};
    rcity_picture_options plain = rcity_picture_options_default();
    plain.width_px = options->width_px;
    plain.transmitter_count = 1;
    plain.transmitters = &mark;
    rcity_picture_rays view = {.rays = rays, .options = options};
    rcity_picture picture;
    memset(&picture, 0, sizeof picture);
    picture.context = context;
    picture.options = &plain;
    picture.scene = scene;
    picture.rays = &view;
    return rcity_picture_make(&picture, path);
}
