/* Filling voids in a grid of heights. */
#include "io/raster/terrain_fill.h"

#include <math.h>

#include "base/nearest.h"

typedef struct void_grid {
    rcity_context *context;
    int column_count, row_count;
    float *height_m;
} void_grid;

static int64_t fill_value(void_grid *grid, double value_m)
{
    int64_t count = 0;
    int64_t node_count = (int64_t)grid->column_count * grid->row_count;
    for (int64_t node = 0; node < node_count; node++) {
        if (isnan(grid->height_m[node])) {
            grid->height_m[node] = (float)value_m;
            count++;
        }
    }
    return count;
}

/* The search uses the grid with rows and columns swapped: of equally near heights it takes that of the lowest column,
   and there of the lowest row. */
static rcity_status fill_nearest(void_grid *grid, int64_t *filled_count)
{
    rcity_context *context = grid->context;
    size_t columns = (size_t)grid->column_count;
    size_t rows = (size_t)grid->row_count;
    size_t line_words = (rows + 63) / 64;
    uint64_t *empty = NULL;
    int32_t *source = NULL;
    int64_t count = 0;
    rcity_status status;
    RCITY_TRY_DONE(rcity_progress(context, "fill voids", 0.0, 1.0));
    RCITY_TRY_DONE(rcity_alloc(context, columns * line_words, sizeof *empty, "filling voids", &empty));
    RCITY_TRY_DONE(rcity_alloc(context, columns * rows, sizeof *source, "filling voids", &source));
    for (size_t node = 0; node < columns * rows; node++) {
        size_t row = node / columns;
        uint64_t bit = isnan(grid->height_m[node]) ? 1u : 0u;
        empty[node % columns * line_words + row / 64] |= bit << (row % 64);
    }
    RCITY_TRY_DONE(rcity_nearest_given(context, grid->row_count, grid->column_count, line_words, empty, source));
    for (size_t node = 0; node < columns * rows; node++) { /* only voids change, and they are never a source */
        size_t from = (size_t)source[node % columns * rows + node / columns];
        if (isnan(grid->height_m[node])) {
            grid->height_m[node] = grid->height_m[from % rows * columns + from / rows];
            count++;
        }
    }
    *filled_count = count;
    status = rcity_progress(context, "fill voids", 1.0, 1.0);
done:
    rcity_release(context, source);
    rcity_release(context, empty);
    return status;
}

/* The weighted mean of the first heights around a node; NAN when there is none within the search distance. */
static float mean_around(const void_grid *grid, int column, int row)
{
    static const int steps[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    double sum = 0.0;
    double weight_sum = 0.0;
    for (int direction = 0; direction < 8; direction++) {
        int dx = steps[direction][0];
        int dy = steps[direction][1];
        for (int i = 1; i <= RCITY_FILL_REACH; i++) {
            int x = column + i * dx;
            int y = row + i * dy;
            if (x < 0 || y < 0 || x >= grid->column_count || y >= grid->row_count) {
                break;
            }
            float height_m = grid->height_m[(int64_t)y * grid->column_count + x];
            if (!isnan(height_m)) {
                double weight = 1.0 / ((double)i * i * (dx * dx + dy * dy));
                sum += weight * (double)height_m;
                weight_sum += weight;
                break;
            }
        }
    }
    return weight_sum > 0.0 ? (float)(sum / weight_sum) : NAN;
}

/* The number of voids, and their positions. */
static rcity_status list_voids(const void_grid *grid, int64_t **voids, int64_t *void_count)
{
    int64_t node_count = (int64_t)grid->column_count * grid->row_count;
    int64_t count = 0;
    for (int64_t node = 0; node < node_count; node++) {
        count += isnan(grid->height_m[node]) ? 1 : 0;
    }
    RCITY_TRY(rcity_alloc(grid->context, (size_t)count, sizeof **voids, "filling voids", voids));
    int64_t at = 0;
    for (int64_t node = 0; node < node_count; node++) {
        if (isnan(grid->height_m[node])) {
            (*voids)[at++] = node;
        }
    }
    *void_count = count;
    return RCITY_OK;
}

static rcity_status fill_interpolate(void_grid *grid, int64_t *filled_count)
{
    rcity_context *context = grid->context;
    int64_t *voids = NULL;
    float *filled_m = NULL;
    int64_t count = 0;
    rcity_status status;
    RCITY_TRY_DONE(list_voids(grid, &voids, &count));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count, sizeof *filled_m, "filling voids", &filled_m));
    for (int64_t i = 0; i < count; i++) {
        int column = (int)(voids[i] % grid->column_count);
        int row = (int)(voids[i] / grid->column_count);
        filled_m[i] = mean_around(grid, column, row);
        if (isnan(filled_m[i])) {
            status = rcity_fail(context, RCITY_ERR_ARGUMENT,
                                "the terrain's node (%d, %d) has no height within %d nodes in any of eight directions "
                                "to interpolate from; fill with the nearest height instead, or with a value",
                                column, row, RCITY_FILL_REACH);
            goto done;
        }
        if (i % 4096 == 0) {
            RCITY_TRY_DONE(rcity_progress(context, "fill voids", (double)i, (double)count));
        }
    }
    for (int64_t i = 0; i < count; i++) {
        grid->height_m[voids[i]] = filled_m[i];
    }
    *filled_count = count;
done:
    rcity_release(context, filled_m);
    rcity_release(context, voids);
    return status;
}

rcity_status rcity_terrain_fill(rcity_context *context, rcity_fill fill, double value_m, int column_count,
                                int row_count, float *height_m, int64_t *filled_count)
{
    void_grid grid = {context, column_count, row_count, height_m};
    switch (fill) {
    case RCITY_FILL_NEAREST:
        return fill_nearest(&grid, filled_count);
    case RCITY_FILL_INTERPOLATE:
        return fill_interpolate(&grid, filled_count);
    case RCITY_FILL_VALUE:
        *filled_count = fill_value(&grid, value_m);
        return RCITY_OK;
    case RCITY_FILL_FAIL:
        break;
    }
    return rcity_fail(context, RCITY_ERR_ARGUMENT, "the method %d to fill voids is unknown", (int)fill);
}
