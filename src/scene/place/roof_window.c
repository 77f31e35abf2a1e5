/* Roofs around a place: a summed-area table of integers, so that the order of adding does not matter. */
#include "scene/place/roof_window.h"

#include <math.h>
#include <string.h>

#include "scene/place/cover.h"
#include "scene/place/terrain.h"

/* Finer cells gain nothing in a window of 200 m; more cells cost memory. */
#define CELL_MIN_M     2.0
#define CELL_COUNT_MAX (1 << 20)

static void lay_out(const rcity_shapes *shapes, const rcity_plan_index *prism_index, rcity_roof_window *window)
{
    double unit_m = 1.0 / shapes->units_per_m;
    memset(window, 0, sizeof *window);
    if (shapes->prism_count == 0) {
        return;
    }
    window->west_m = prism_index->bounds.x_min * unit_m;
    window->south_m = prism_index->bounds.y_min * unit_m;
    double width_m = prism_index->bounds.x_max * unit_m - window->west_m;
    double depth_m = prism_index->bounds.y_max * unit_m - window->south_m;
    window->cell_m = CELL_MIN_M;
    do {
        window->column_count = (int64_t)fmax(ceil(width_m / window->cell_m), 1.0);
        window->row_count = (int64_t)fmax(ceil(depth_m / window->cell_m), 1.0);
        window->cell_m *= 2.0;
    } while (window->column_count * window->row_count > CELL_COUNT_MAX);
    window->cell_m *= 0.5;
}

uint64_t rcity_roof_window_bytes(const rcity_shapes *shapes, const rcity_plan_index *prism_index)
{
    rcity_roof_window window;
    lay_out(shapes, prism_index, &window);
    uint64_t cell_count = (uint64_t)(window.column_count * window.row_count);
    uint64_t node_count = (uint64_t)((window.column_count + 1) * (window.row_count + 1));
    return cell_count * sizeof(float) + node_count * (sizeof(int64_t) + sizeof(int32_t));
}

/* Height of a roof above the ground under the centre of a cell, in height units. */
static int64_t height_above_ground(const rcity_shapes *shapes, const rcity_raster *raster, int64_t column, int64_t row,
                                   float roof_m)
{
    double roof = (double)roof_m * RCITY_HEIGHT_UNITS_PER_M;
    int32_t x = rcity_raster_column_x(shapes, raster, column);
    int32_t y = rcity_raster_row_y(shapes, raster, row);
    if (shapes->terrain.column_count > 0 && rcity_terrain_contains(&shapes->terrain, x, y)) {
        roof -= rcity_terrain_height(&shapes->terrain, x, y);
    }
    return (int64_t)lround(fmax(roof, 0.0));
}

static void fill_sums(const rcity_shapes *shapes, const rcity_raster *raster, const float *roof_m,
                      rcity_roof_window *window)
{
    int64_t stride = window->column_count + 1;
    for (int64_t row = 0; row < window->row_count; row++) {
        int64_t row_height = 0;
        int32_t row_built = 0;
        int64_t raster_row = window->row_count - 1 - row; /* rasters start in the north */
        for (int64_t column = 0; column < window->column_count; column++) {
            float roof = roof_m[raster_row * window->column_count + column];
            if (!isinf(roof)) {
                row_height += height_above_ground(shapes, raster, column, raster_row, roof);
                row_built++;
            }
            int64_t node = (row + 1) * stride + column + 1;
            window->height_sum[node] = window->height_sum[node - stride] + row_height;
            window->built_sum[node] = window->built_sum[node - stride] + row_built;
        }
    }
}

rcity_status rcity_roof_window_init(rcity_context *context, const rcity_shapes *shapes,
                                    const rcity_plan_index *prism_index, rcity_roof_window *window)
{
    lay_out(shapes, prism_index, window);
    size_t cell_count = (size_t)(window->column_count * window->row_count);
    if (cell_count == 0) {
        return RCITY_OK;
    }
    size_t node_count = (size_t)((window->column_count + 1) * (window->row_count + 1));
    rcity_raster raster;
    raster.column_count = window->column_count;
    raster.row_count = window->row_count;
    raster.cell_m = window->cell_m;
    raster.west_m = shapes->origin_x_m + window->west_m;
    raster.north_m = shapes->origin_y_m + window->south_m + (double)window->row_count * window->cell_m;
    float *roof_m = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, cell_count, sizeof *roof_m, "roofs", &roof_m));
    RCITY_TRY_DONE(rcity_alloc(context, node_count, sizeof *window->height_sum, "sums of roofs", &window->height_sum));
    RCITY_TRY_DONE(rcity_alloc(context, node_count, sizeof *window->built_sum, "sums of roofs", &window->built_sum));
    RCITY_TRY_DONE(rcity_raster_cover(context, shapes, &raster, roof_m));
    fill_sums(shapes, &raster, roof_m, window);
done:
    rcity_release(context, roof_m);
    if (status != RCITY_OK) {
        rcity_roof_window_deinit(context, window);
    }
    return status;
}

void rcity_roof_window_deinit(rcity_context *context, rcity_roof_window *window)
{
    rcity_release(context, window->height_sum);
    rcity_release(context, window->built_sum);
    memset(window, 0, sizeof *window);
}

/* First and last + 1 of the cells whose centres lie within a window, along one axis. */
static void find_cells(double place_m, double half_m, double start_m, double cell_m, int64_t count, int64_t *begin,
                       int64_t *end)
{
    double first = ceil((place_m - half_m - start_m) / cell_m - 0.5);
    double last = floor((place_m + half_m - start_m) / cell_m - 0.5) + 1.0;
    *begin = (int64_t)fmin(fmax(first, 0.0), (double)count);
    *end = (int64_t)fmin(fmax(last, 0.0), (double)count);
}

/* What one window holds. */
typedef struct window_sum {
    int64_t height, built, cell_count;
} window_sum;

static window_sum sum_window(const rcity_roof_window *window, double x_m, double y_m, double half_m)
{
    int64_t west;
    int64_t east;
    int64_t south;
    int64_t north;
    find_cells(x_m, half_m, window->west_m, window->cell_m, window->column_count, &west, &east);
    find_cells(y_m, half_m, window->south_m, window->cell_m, window->row_count, &south, &north);
    int64_t stride = window->column_count + 1;
    const int64_t *height = window->height_sum;
    const int32_t *built = window->built_sum;
    window_sum sum;
    sum.height = height[north * stride + east] - height[north * stride + west] - height[south * stride + east] +
                 height[south * stride + west];
    sum.built = (int64_t)built[north * stride + east] - built[north * stride + west] - built[south * stride + east] +
                built[south * stride + west];
    sum.cell_count = (east - west) * (north - south);
    return sum;
}

rcity_roof_view rcity_roof_window_get(const rcity_roof_window *window, double x_m, double y_m)
{
    rcity_roof_view view = {0.0, 0.0, 0.0};
    if (window->column_count == 0) {
        return view;
    }
    double east_m = window->west_m + (double)window->column_count * window->cell_m;
    double north_m = window->south_m + (double)window->row_count * window->cell_m;
    double dx = fmax(fmax(window->west_m - x_m, x_m - east_m), 0.0);
    double dy = fmax(fmax(window->south_m - y_m, y_m - north_m), 0.0);
    view.town = fmax(1.0 - hypot(dx, dy) / RCITY_TOWN_EDGE_M, 0.0);
    double height = 0.0;
    double built = 0.0;
    double weight = 1.0;
    double half_m = RCITY_ROOF_WINDOW_HALF_M;
    for (int i = 0; i < RCITY_ROOF_WINDOW_COUNT; i++) {
        window_sum sum = sum_window(window, x_m, y_m, half_m);
        if (i == 0 && sum.built > 0) {
            view.built_fraction = (double)sum.built / (double)sum.cell_count;
        }
        height += weight * (double)sum.height;
        built += weight * (double)sum.built;
        weight /= RCITY_ROOF_WINDOW_FADE;
        half_m *= 2.0;
    }
    view.height_m = built > 0.0 ? height / built / RCITY_HEIGHT_UNITS_PER_M : 0.0;
    return view;
}
