/* The ground: one colour where it is flat, else coloured by height, shaded by a light from the north-west, and with
   contour lines when the scene is drawn alone. */
#include <math.h>

#include "io/picture/picture_data.h"
#include "io/picture/ticks.h"

#define CONTOUR_COUNT_MAX 20.0
#define LIGHT_SLOPE       0.3 /* heights are exaggerated until the typical slope is this, ... */
#define EXAGGERATION_MAX  6.0 /* ... but no more than so many times */
#define REPORT_ROWS       64  /* between reports of progress */

static double unit_height_m(int32_t units)
{
    return (double)units / RCITY_HEIGHT_UNITS_PER_M;
}

void rcity_picture_measure_ground(rcity_picture *picture)
{
    const rcity_terrain_grid *terrain = &picture->shapes->terrain;
    int64_t count = (int64_t)terrain->column_count * terrain->row_count;
    if (count == 0) {
        return;
    }
    int32_t low = terrain->height[0];
    int32_t high = terrain->height[0];
    for (int64_t i = 1; i < count; i++) {
        low = terrain->height[i] < low ? terrain->height[i] : low;
        high = terrain->height[i] > high ? terrain->height[i] : high;
    }
    picture->ground_values =
        (rcity_picture_values){.scale = picture->shapes->prism_count > 0 ? RCITY_COLOUR_GROUND : RCITY_COLOUR_RELIEF,
                               .low = unit_height_m(low),
                               .high = fmax(unit_height_m(high), unit_height_m(low) + 1.0),
                               .minimum = unit_height_m(low),
                               .maximum = unit_height_m(high),
                               .has_any = true};
    if (rcity_picture_is_scene_alone(picture) && high - low >= RCITY_HEIGHT_UNITS_PER_M) {
        picture->contour_m = rcity_tick_step(unit_height_m(high) - unit_height_m(low), CONTOUR_COUNT_MAX);
    }
}

/* The elevation grid as a continuous surface. */
typedef struct relief {
    const rcity_terrain_grid *grid;
    double west_m, south_m, cell_m;
    double reach_m;      /* distance over which slopes are computed: a cell, or a pixel if that is wider */
    double exaggeration; /* of heights, for the light only */
} relief;

/* Bilinear height, in the grid's units; beyond the edge, the edge's height. */
static double sample_height(const relief *ground, double x_m, double y_m)
{
    const rcity_terrain_grid *grid = ground->grid;
    double column = fmin(fmax((x_m - ground->west_m) / ground->cell_m, 0.0), (double)(grid->column_count - 1));
    double row = fmin(fmax((y_m - ground->south_m) / ground->cell_m, 0.0), (double)(grid->row_count - 1));
    int32_t i = (int32_t)column < grid->column_count - 1 ? (int32_t)column : grid->column_count - 2;
    int32_t k = (int32_t)row < grid->row_count - 1 ? (int32_t)row : grid->row_count - 2;
    const int32_t *south = grid->height + (int64_t)k * grid->column_count + i;
    const int32_t *north = south + grid->column_count;
    double u = column - (double)i;
    double v = row - (double)k;
    return ((double)south[0] * (1.0 - u) + (double)south[1] * u) * (1.0 - v) +
           ((double)north[0] * (1.0 - u) + (double)north[1] * u) * v;
}

/* Height and slopes at a place, in metres. */
typedef struct relief_point {
    double height_m, slope_x, slope_y;
} relief_point;

static relief_point sample_relief(const relief *ground, double x_m, double y_m)
{
    double reach_m = ground->reach_m;
    double per_unit = 1.0 / (2.0 * reach_m * RCITY_HEIGHT_UNITS_PER_M);
    double east = sample_height(ground, x_m + reach_m, y_m);
    double west = sample_height(ground, x_m - reach_m, y_m);
    double north = sample_height(ground, x_m, y_m + reach_m);
    double south = sample_height(ground, x_m, y_m - reach_m);
    return (relief_point){.height_m = sample_height(ground, x_m, y_m) / RCITY_HEIGHT_UNITS_PER_M,
                          .slope_x = (east - west) * per_unit,
                          .slope_y = (north - south) * per_unit};
}

/* Exaggerate gentle slopes, by the root mean square of the slopes on a coarse lattice. */
static double choose_exaggeration(const relief *ground)
{
    double width_m = ground->cell_m * (double)(ground->grid->column_count - 1);
    double height_m = ground->cell_m * (double)(ground->grid->row_count - 1);
    double sum = 0.0;
    for (int k = 0; k < 64; k++) {
        for (int i = 0; i < 64; i++) {
            relief_point point = sample_relief(ground, ground->west_m + width_m * ((double)i + 0.5) / 64.0,
                                               ground->south_m + height_m * ((double)k + 0.5) / 64.0);
            sum += point.slope_x * point.slope_x + point.slope_y * point.slope_y;
        }
    }
    double typical = sqrt(sum / 4096.0);
    return fmin(fmax(LIGHT_SLOPE / fmax(typical, 1e-6), 1.0), EXAGGERATION_MAX);
}

static relief open_relief(const rcity_picture *picture)
{
    const rcity_shapes *shapes = picture->shapes;
    double unit_m = 1.0 / (double)shapes->units_per_m;
    relief ground = {.grid = &shapes->terrain,
                     .west_m = shapes->origin_x_m + unit_m * (double)shapes->terrain.west,
                     .south_m = shapes->origin_y_m + unit_m * (double)shapes->terrain.south,
                     .cell_m = unit_m * (double)shapes->terrain.cell,
                     .exaggeration = 1.0};
    ground.reach_m = fmax(ground.cell_m, picture->layout.pixel_m);
    ground.exaggeration = choose_exaggeration(&ground);
    return ground;
}

/* How bright a slope is under a light from the north-west, 45 degrees high; flat ground is 1. */
static double light(const relief *ground, const relief_point *point)
{
    double x = -point->slope_x * ground->exaggeration;
    double y = -point->slope_y * ground->exaggeration;
    double facing = (1.0 + (y - x) * 0.70710678) / sqrt(1.0 + x * x + y * y); /* normal (x, y, 1), light (-a, a, 1) */
    return 0.55 + 0.45 * fmax(facing, 0.0);
}

/* The share of a pixel that a contour line covers: lines are about one pixel wide for any slope. */
static double contour_cover(const rcity_picture *picture, const relief_point *point)
{
    double slope = sqrt(point->slope_x * point->slope_x + point->slope_y * point->slope_y);
    if (picture->contour_m == 0.0 || slope < 1e-5) {
        return 0.0;
    }
    double nearest_m = floor(point->height_m / picture->contour_m + 0.5) * picture->contour_m;
    double away_px = fabs(point->height_m - nearest_m) / (slope * picture->layout.pixel_m);
    double width_px = fmax(picture->layout.em_px / 16.0, 0.8);
    return fmin(fmax(0.5 * width_px + 0.5 - away_px, 0.0), 1.0);
}

static uint32_t shade_relief(const rcity_picture *picture, const relief *ground, double x_m, double y_m)
{
    relief_point point = sample_relief(ground, x_m, y_m);
    rcity_colour colour = rcity_colour_unpack(RCITY_PICTURE_GROUND);
    if (rcity_picture_is_scene_alone(picture)) { /* under a map a tint would look like a value */
        colour = rcity_picture_value_colour(&picture->ground_values, point.height_m);
    }
    colour = rcity_colour_shade(colour, light(ground, &point));
    colour =
        rcity_colour_mix(colour, rcity_colour_unpack(RCITY_PICTURE_CONTOUR), 0.55 * contour_cover(picture, &point));
    return rcity_colour_pack(colour);
}

/* Terrain may be smaller than the map that is drawn over it. */
static bool is_on_relief(const relief *ground, double x_m, double y_m)
{
    const rcity_terrain_grid *grid = ground->grid;
    return grid != NULL && x_m >= ground->west_m && y_m >= ground->south_m &&
           x_m <= ground->west_m + ground->cell_m * (double)(grid->column_count - 1) &&
           y_m <= ground->south_m + ground->cell_m * (double)(grid->row_count - 1);
}

static uint32_t ground_pixel(const rcity_picture *picture, const relief *ground, double x_m, double y_m)
{
    const rcity_picture_bounds *bounds = &picture->known;
    if (x_m < bounds->west_m || x_m > bounds->east_m || y_m < bounds->south_m || y_m > bounds->north_m) {
        return RCITY_PICTURE_OUTSIDE;
    }
    return is_on_relief(ground, x_m, y_m) ? shade_relief(picture, ground, x_m, y_m) : RCITY_PICTURE_GROUND;
}

rcity_status rcity_picture_draw_ground(rcity_picture *picture)
{
    const rcity_picture_layout *layout = &picture->layout;
    relief ground = {.grid = NULL};
    if (picture->shapes->terrain.column_count > 0) {
        ground = open_relief(picture);
    }
    cairo_surface_flush(picture->surface);
    for (int row = 0; row < layout->frame_height; row++) {
        if (row % REPORT_ROWS == 0) {
            RCITY_TRY(rcity_picture_report(picture, (double)row / (double)layout->frame_height));
        }
        uint32_t *pixel =
            picture->pixels + (size_t)(layout->frame_y + row) * (size_t)layout->width_px + layout->frame_x;
        double y_m = layout->view_north_m - ((double)row + 0.5) * layout->pixel_m;
        for (int column = 0; column < layout->frame_width; column++) {
            double x_m = layout->view_west_m + ((double)column + 0.5) * layout->pixel_m;
            pixel[column] = ground_pixel(picture, &ground, x_m, y_m);
        }
    }
    cairo_surface_mark_dirty(picture->surface);
    return RCITY_OK;
}
