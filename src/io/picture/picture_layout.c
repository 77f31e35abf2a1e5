/* The page: title lines on top, the frame with its axes on the left, the legend on the right, one line at the bottom.
   The width is given, the height follows from the scene; the aspect ratio of the frame is limited. */
#include <math.h>
#include <stdio.h>

#include "io/picture/picture_data.h"
#include "io/picture/picture_text.h"
#include "io/picture/ticks.h"

#define ASPECT_MIN  0.40 /* height of the frame over its width */
#define ASPECT_MAX  1.75
#define PANEL_EM    15.5
#define BAR_MIN_EM  11.0
#define BAR_MAX_EM  24.0
#define VIEW_MARGIN 0.01 /* margin around the bounds, of the longer side */

static double widest_label(cairo_t *cairo, double em_px, double first, double last, double step)
{
    rcity_text_style style = {.size_px = 0.85 * em_px};
    char text[RCITY_TICK_BYTES];
    double first_width = rcity_text_width(cairo, &style, rcity_tick_format(first, step, text));
    double last_width = rcity_text_width(cairo, &style, rcity_tick_format(last, step, text));
    return first_width > last_width ? first_width : last_width;
}

/* One step for both axes: as fine as the labels allow when they have the decimals of `label_step_m`. */
static double choose_axis_step(cairo_t *cairo, const rcity_picture *picture, double label_step_m)
{
    const rcity_picture_layout *layout = &picture->layout;
    const rcity_picture_bounds *bounds = &picture->bounds;
    double width_m = layout->pixel_m * (double)layout->frame_width;
    double height_m = layout->pixel_m * (double)layout->frame_height;
    double label_px =
        widest_label(cairo, layout->em_px, bounds->west_m, bounds->east_m, label_step_m) + 2.5 * layout->em_px;
    double most_x = fmin(fmax((double)layout->frame_width / label_px, 2.0), 8.0);
    double most_y = fmin(fmax((double)layout->frame_height / (4.0 * layout->em_px), 2.0), 10.0);
    return fmax(rcity_tick_step(width_m, most_x), rcity_tick_step(height_m, most_y));
}

/* The view for a frame: the bounds in its middle, square pixels. */
static void place_view(rcity_picture *picture)
{
    rcity_picture_layout *layout = &picture->layout;
    const rcity_picture_bounds *bounds = &picture->bounds;
    double width_m = bounds->east_m - bounds->west_m;
    double height_m = bounds->north_m - bounds->south_m;
    double margin_m = VIEW_MARGIN * fmax(width_m, height_m);
    layout->pixel_m = fmax((width_m + 2.0 * margin_m) / (double)layout->frame_width,
                           (height_m + 2.0 * margin_m) / (double)layout->frame_height);
    layout->view_west_m = 0.5 * (bounds->west_m + bounds->east_m) - 0.5 * layout->pixel_m * (double)layout->frame_width;
    layout->view_north_m =
        0.5 * (bounds->south_m + bounds->north_m) + 0.5 * layout->pixel_m * (double)layout->frame_height;
}

/* Lay out the page with room for northings with the decimals of a step. */
static void lay_out_for_step(rcity_picture *picture, cairo_t *cairo, double label_step_m)
{
    rcity_picture_layout *layout = &picture->layout;
    const rcity_picture_bounds *bounds = &picture->bounds;
    layout->width_px = picture->options->width_px;
    double em = fmax((double)layout->width_px / 100.0, 7.5);
    layout->em_px = em;
    bool has_axes = picture->surfaces == NULL;
    double label_px = widest_label(cairo, em, bounds->south_m, bounds->north_m, label_step_m);
    layout->frame_x = (int)ceil(has_axes ? 1.0 * em + 1.5 * em + label_px + 0.9 * em : 1.2 * em);
    layout->frame_y = (int)ceil((picture->words.facts[0] != '\0' ? 5.9 : 4.5) * em);
    layout->panel_width = PANEL_EM * em;
    layout->panel_x = (double)layout->width_px - layout->panel_width - 1.2 * em;
    layout->frame_width = (int)floor(layout->panel_x - 1.5 * em) - layout->frame_x;

    double width_m = bounds->east_m - bounds->west_m;
    double height_m = bounds->north_m - bounds->south_m;
    double aspect = fmin(fmax(height_m / width_m, ASPECT_MIN), ASPECT_MAX);
    layout->frame_height = (int)ceil(aspect * (double)layout->frame_width);
    place_view(picture);
    rcity_picture_choose_building_look(picture);

    layout->bar_height = BAR_MIN_EM * em;
    double panel_height = rcity_picture_draw_legend(picture, cairo);
    if (panel_height > (double)layout->frame_height) {
        layout->frame_height = (int)ceil(panel_height);
        place_view(picture);
    }
    double spare = (double)layout->frame_height - panel_height;
    layout->bar_height = fmin(layout->bar_height + spare, BAR_MAX_EM * em);
    layout->axis_step_m = choose_axis_step(cairo, picture, label_step_m);
    layout->height_px = layout->frame_y + layout->frame_height + (int)ceil((has_axes ? 6.1 : 3.0) * em);
}

/* The width of labels depends on the step, and the step on the space that labels leave. Wider labels only make the step
   coarser, so two passes are enough. */
void rcity_picture_make_layout(rcity_picture *picture, cairo_t *cairo)
{
    lay_out_for_step(picture, cairo, 1.0);
    if (picture->layout.axis_step_m < 1.0) {
        lay_out_for_step(picture, cairo, picture->layout.axis_step_m);
    }
}
