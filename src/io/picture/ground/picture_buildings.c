/* Buildings from above, lower roofs first, so that the higher of two that overlap is seen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/picture/picture_data.h"
#include "result/map_data.h"

#define OUTLINE_MIN_PX  3.0  /* smaller buildings have no outline: it would cover them */
#define OUTLINE_FADE_PX 6.0  /* range of sizes over which outlines become opaque */
#define SHADOW_REACH    0.3  /* length of a shadow to the east and south, over the building's height */
#define FADE_PX         14.0 /* size of a typical building where fading under a map begins; ... */
#define FADED_PX        4.0  /* ... and where it is complete */
#define ON_TOP_PX       8.0  /* typical buildings smaller than this are drawn under the map */
#define FADE_PART       0.5  /* share of the ground's colour in a faded building */
#define RAY_FADE        0.5  /* under paths, whose weakest colours are dark */
#define RIM_CELL_MAX_M  12.0 /* with larger cells rims would cover the streets */
#define REPORT_COUNT    1024 /* buildings between reports of progress */

static double prism_height_m(const rcity_prism *prism)
{
    return (double)(prism->roof - prism->ground) / RCITY_HEIGHT_UNITS_PER_M;
}

rcity_status rcity_picture_measure_buildings(rcity_picture *picture)
{
    const rcity_shapes *shapes = picture->shapes;
    rcity_picture_values *values = &picture->building_values;
    values->scale = rcity_picture_is_scene_alone(picture) ? RCITY_COLOUR_BUILDING : RCITY_COLOUR_GREY;
    float *height_m = NULL;
    RCITY_TRY(rcity_alloc(picture->context, (size_t)shapes->prism_count, sizeof *height_m, "heights of buildings",
                          &height_m));
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        height_m[i] = (float)prism_height_m(&shapes->prisms[i]);
    }
    rcity_status status =
        rcity_picture_measure_values(picture->context, height_m, shapes->prism_count, 0.0, (double)NAN, values);
    rcity_release(picture->context, height_m);
    return status;
}

/* One building in the order of drawing. */
typedef struct drawn_prism {
    int32_t roof;
    int32_t prism;
} drawn_prism;

static int compare_roofs(const void *a, const void *b)
{
    const drawn_prism *first = a;
    const drawn_prism *second = b;
    if (first->roof != second->roof) {
        return first->roof < second->roof ? -1 : 1;
    }
    return first->prism < second->prism ? -1 : first->prism > second->prism ? 1 : 0;
}

/* Plan units to pixels. */
typedef struct plan_view {
    double x_px, y_px; /* of the local origin */
    double unit_px;
    double left, top, right, bottom; /* of the frame */
} plan_view;

static plan_view open_view(const rcity_picture *picture)
{
    const rcity_picture_layout *layout = &picture->layout;
    return (plan_view){.x_px = rcity_picture_x(layout, picture->shapes->origin_x_m),
                       .y_px = rcity_picture_y(layout, picture->shapes->origin_y_m),
                       .unit_px = 1.0 / (layout->pixel_m * (double)picture->shapes->units_per_m),
                       .left = (double)layout->frame_x,
                       .top = (double)layout->frame_y,
                       .right = (double)(layout->frame_x + layout->frame_width),
                       .bottom = (double)(layout->frame_y + layout->frame_height)};
}

static bool is_in_view(const plan_view *view, const rcity_prism *prism)
{
    return view->x_px + view->unit_px * (double)prism->x_max > view->left &&
           view->x_px + view->unit_px * (double)prism->x_min < view->right &&
           view->y_px - view->unit_px * (double)prism->y_min > view->top &&
           view->y_px - view->unit_px * (double)prism->y_max < view->bottom;
}

static double prism_size_px(const plan_view *view, const rcity_prism *prism)
{
    double width_px = view->unit_px * ((double)prism->x_max - (double)prism->x_min);
    double height_px = view->unit_px * ((double)prism->y_max - (double)prism->y_min);
    return sqrt(width_px * height_px);
}

/* Buildings of a few pixels would hide the cells with values: then they fade, and the map is drawn over them. The map
   has no values inside buildings, so they remain visible. */
void rcity_picture_choose_building_look(rcity_picture *picture)
{
    if (picture->map == NULL) {
        picture->building_fade = picture->rays != NULL ? RAY_FADE : 0.0;
        return;
    }
    plan_view view = open_view(picture);
    double sum_px = 0.0;
    int64_t count = 0;
    for (int64_t i = 0; i < picture->shapes->prism_count; i++) {
        const rcity_prism *prism = &picture->shapes->prisms[i];
        if (is_in_view(&view, prism)) {
            sum_px += prism_size_px(&view, prism);
            count++;
        }
    }
    double typical_px = count > 0 ? sum_px / (double)count : FADE_PX;
    picture->building_fade = fmin(fmax((FADE_PX - typical_px) / (FADE_PX - FADED_PX), 0.0), 1.0);
    picture->is_map_on_top = typical_px < ON_TOP_PX;
    picture->has_rims = count > 0 && picture->map_values.has_any && picture->map_values.has_missing &&
                        picture->raster.cell_m <= RIM_CELL_MAX_M && picture->raster.cell_m >= picture->layout.pixel_m;
}

rcity_colour rcity_picture_building_colour(const rcity_picture *picture, double height_m)
{
    rcity_colour colour = rcity_picture_value_colour(&picture->building_values, height_m);
    return rcity_colour_mix(colour, rcity_colour_unpack(RCITY_PICTURE_GROUND), FADE_PART * picture->building_fade);
}

/* Visible buildings above or below the receivers, the lowest roof first. */
static rcity_status list_prisms(const rcity_picture *picture, const plan_view *view, bool is_over_map,
                                drawn_prism **list, size_t *count)
{
    const rcity_shapes *shapes = picture->shapes;
    drawn_prism *made = NULL;
    RCITY_TRY(
        rcity_alloc(picture->context, (size_t)shapes->prism_count, sizeof *made, "the buildings of a picture", &made));
    size_t filled = 0;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        bool is_over =
            picture->map == NULL || (!picture->is_map_on_top && prism_height_m(prism) > picture->band.rx_height_m);
        if (is_over == is_over_map && is_in_view(view, prism)) {
            made[filled++] = (drawn_prism){prism->roof, (int32_t)i};
        }
    }
    qsort(made, filled, sizeof *made, compare_roofs);
    *list = made;
    *count = filled;
    return RCITY_OK;
}

static void trace_prism(cairo_t *cairo, const rcity_shapes *shapes, const plan_view *view, const rcity_prism *prism,
                        double shift_px)
{
    for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
        for (int32_t point = shapes->ring_first[ring]; point < shapes->ring_first[ring + 1]; point++) {
            double x = view->x_px + view->unit_px * (double)shapes->points[point].x + shift_px;
            double y = view->y_px - view->unit_px * (double)shapes->points[point].y + shift_px;
            if (point == shapes->ring_first[ring]) {
                cairo_move_to(cairo, x, y);
            } else {
                cairo_line_to(cairo, x, y);
            }
        }
        cairo_close_path(cairo);
    }
}

/* The area that one wall sweeps in the direction of the shadow, always with the same orientation: overlapping pieces
   then add up under the winding rule and never cancel. */
static void trace_sweep(cairo_t *cairo, double x1, double y1, double x2, double y2, double shift_px)
{
    bool is_turned = (x2 - x1) < (y2 - y1);
    double from_x = is_turned ? x2 : x1;
    double from_y = is_turned ? y2 : y1;
    double to_x = is_turned ? x1 : x2;
    double to_y = is_turned ? y1 : y2;
    cairo_move_to(cairo, from_x, from_y);
    cairo_line_to(cairo, from_x + shift_px, from_y + shift_px);
    cairo_line_to(cairo, to_x + shift_px, to_y + shift_px);
    cairo_line_to(cairo, to_x, to_y);
    cairo_close_path(cairo);
}

static void trace_shadow(cairo_t *cairo, const rcity_shapes *shapes, const plan_view *view, const rcity_prism *prism,
                         double shift_px)
{
    for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
        for (int32_t i = shapes->ring_first[ring]; i < shapes->ring_first[ring + 1]; i++) {
            rcity_grid_point from = shapes->points[i];
            rcity_grid_point to = shapes->points[rcity_ring_next(shapes->ring_first, ring, i)];
            trace_sweep(cairo, view->x_px + view->unit_px * (double)from.x, view->y_px - view->unit_px * (double)from.y,
                        view->x_px + view->unit_px * (double)to.x, view->y_px - view->unit_px * (double)to.y, shift_px);
        }
    }
    trace_prism(cairo, shapes, view, prism, shift_px);
}

/* All shadows are drawn into one mask first, so that overlaps are not darker. */
static rcity_status draw_shadows(const rcity_picture *picture, const plan_view *view, const drawn_prism *list,
                                 size_t count)
{
    const rcity_picture_layout *layout = &picture->layout;
    int stride = cairo_format_stride_for_width(CAIRO_FORMAT_A8, layout->width_px);
    unsigned char *cover = NULL;
    RCITY_TRY(rcity_alloc(picture->context, (size_t)layout->height_px, (size_t)stride, "shadows of a picture", &cover));
    cairo_surface_t *mask =
        cairo_image_surface_create_for_data(cover, CAIRO_FORMAT_A8, layout->width_px, layout->height_px, stride);
    cairo_t *cairo = cairo_create(mask);
    rcity_status status = RCITY_OK;
    for (size_t i = 0; i < count && status == RCITY_OK; i++) {
        const rcity_prism *prism = &picture->shapes->prisms[list[i].prism];
        double shift_px = SHADOW_REACH * prism_height_m(prism) / layout->pixel_m;
        if (shift_px > 0.5) {
            trace_shadow(cairo, picture->shapes, view, prism, shift_px);
            cairo_fill(cairo);
        }
        if (i % REPORT_COUNT == 0) {
            status = rcity_picture_report(picture, 0.5 * (double)i / (double)count);
        }
    }
    cairo_destroy(cairo);
    cairo_set_source_rgba(picture->cairo, 0.12, 0.10, 0.16, 0.22);
    cairo_mask_surface(picture->cairo, mask, 0.0, 0.0);
    cairo_surface_destroy(mask);
    rcity_release(picture->context, cover);
    return status;
}

/* If the map has levels inside buildings, buildings are drawn as outlines over it. */
bool rcity_picture_has_indoor(const rcity_picture *picture)
{
    const char *indoor = picture->map != NULL ? rcity_map_find_note(picture->map, "indoor") : NULL;
    return indoor != NULL && strcmp(indoor, "off") != 0;
}

static void draw_prism(const rcity_picture *picture, const plan_view *view, const rcity_prism *prism, bool is_filled)
{
    cairo_t *cairo = picture->cairo;
    rcity_colour fill = rcity_picture_building_colour(picture, prism_height_m(prism));
    trace_prism(cairo, picture->shapes, view, prism, 0.0);
    cairo_set_source_rgb(cairo, fill.red, fill.green, fill.blue);
    double size_px = prism_size_px(view, prism);
    if (is_filled && (size_px < OUTLINE_MIN_PX || picture->building_fade >= 1.0)) {
        cairo_fill(cairo);
        return;
    }
    if (is_filled) {
        cairo_fill_preserve(cairo);
    }
    rcity_colour wall = rcity_colour_mix(rcity_colour_unpack(RCITY_PICTURE_WALL), fill, 0.25);
    double strength = (1.0 - picture->building_fade) * fmin((size_px - OUTLINE_MIN_PX) / OUTLINE_FADE_PX + 0.25, 1.0);
    cairo_set_source_rgba(cairo, wall.red, wall.green, wall.blue, strength);
    cairo_set_line_width(cairo, fmin(fmax(0.04 * size_px, 0.3), 0.9) * fmax(picture->layout.em_px / 16.0, 0.6));
    cairo_stroke(cairo);
}

static void clip_to_frame(cairo_t *cairo, const plan_view *view)
{
    cairo_rectangle(cairo, view->left, view->top, view->right - view->left, view->bottom - view->top);
    cairo_clip(cairo);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
}

rcity_status rcity_picture_draw_buildings(rcity_picture *picture, bool is_over_map)
{
    plan_view view = open_view(picture);
    drawn_prism *list = NULL;
    size_t count = 0;
    RCITY_TRY(list_prisms(picture, &view, is_over_map, &list, &count));
    cairo_save(picture->cairo);
    clip_to_frame(picture->cairo, &view);
    rcity_status status = RCITY_OK;
    bool has_shadows = rcity_picture_is_scene_alone(picture);
    if (has_shadows) {
        status = draw_shadows(picture, &view, list, count);
    }
    double first_share = has_shadows ? 0.5 : 0.0; /* shadows are the first half */
    for (size_t i = 0; i < count && status == RCITY_OK; i++) {
        draw_prism(picture, &view, &picture->shapes->prisms[list[i].prism],
                   !is_over_map || !rcity_picture_has_indoor(picture));
        if (i % REPORT_COUNT == 0) {
            status = rcity_picture_report(picture, first_share + (1.0 - first_share) * (double)i / (double)count);
        }
    }
    cairo_restore(picture->cairo);
    rcity_release(picture->context, list);
    return status;
}
