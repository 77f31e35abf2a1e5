/* Vegetation from above: one soft green over the ground, so that relief and contours stay visible through it. */
#include "io/picture/picture_data.h"

#define GREEN_PART   0.55 /* of the green over the ground */
#define REPORT_COUNT 1024 /* polygons between reports of progress */

rcity_colour rcity_picture_vegetation_colour(void)
{
    return rcity_colour_mix(rcity_colour_unpack(RCITY_PICTURE_GROUND), rcity_colour_unpack(RCITY_PICTURE_VEGETATION),
                            GREEN_PART);
}

static void trace(cairo_t *cairo, const rcity_picture *picture, const rcity_vegetation_record *record)
{
    const rcity_shapes *shapes = picture->shapes;
    const rcity_picture_layout *layout = &picture->layout;
    double x_px = rcity_picture_x(layout, shapes->origin_x_m);
    double y_px = rcity_picture_y(layout, shapes->origin_y_m);
    double unit_px = 1.0 / (layout->pixel_m * (double)shapes->units_per_m);
    for (int32_t ring = record->first_ring; ring < record->first_ring + record->ring_count; ring++) {
        int32_t first = shapes->vegetation_ring_first[ring];
        for (int32_t point = first; point < shapes->vegetation_ring_first[ring + 1]; point++) {
            rcity_grid_point at = shapes->vegetation_points[point];
            if (point == first) {
                cairo_move_to(cairo, x_px + unit_px * (double)at.x, y_px - unit_px * (double)at.y);
            } else {
                cairo_line_to(cairo, x_px + unit_px * (double)at.x, y_px - unit_px * (double)at.y);
            }
        }
        cairo_close_path(cairo);
    }
}

/* All polygons are drawn into one mask first, so that overlaps are not greener. */
rcity_status rcity_picture_draw_vegetation(rcity_picture *picture)
{
    const rcity_shapes *shapes = picture->shapes;
    const rcity_picture_layout *layout = &picture->layout;
    if (shapes->vegetation_count == 0) {
        return RCITY_OK;
    }
    int stride = cairo_format_stride_for_width(CAIRO_FORMAT_A8, layout->width_px);
    unsigned char *cover = NULL;
    RCITY_TRY(
        rcity_alloc(picture->context, (size_t)layout->height_px, (size_t)stride, "vegetation of a picture", &cover));
    cairo_surface_t *mask =
        cairo_image_surface_create_for_data(cover, CAIRO_FORMAT_A8, layout->width_px, layout->height_px, stride);
    cairo_t *cairo = cairo_create(mask);
    cairo_rectangle(cairo, (double)layout->frame_x, (double)layout->frame_y, (double)layout->frame_width,
                    (double)layout->frame_height);
    cairo_clip(cairo);
    rcity_status status = RCITY_OK;
    for (int64_t i = 0; i < shapes->vegetation_count && status == RCITY_OK; i++) {
        trace(cairo, picture, &shapes->vegetation[i]);
        cairo_fill(cairo);
        if (i % REPORT_COUNT == 0) {
            status = rcity_picture_report(picture, (double)i / (double)shapes->vegetation_count);
        }
    }
    cairo_destroy(cairo);
    rcity_colour green = rcity_colour_unpack(RCITY_PICTURE_VEGETATION);
    cairo_set_source_rgba(picture->cairo, green.red, green.green, green.blue, GREEN_PART);
    cairo_mask_surface(picture->cairo, mask, 0.0, 0.0);
    cairo_surface_destroy(mask);
    rcity_release(picture->context, cover);
    return status;
}
