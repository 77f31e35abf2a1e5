/* Filling voids in a grid of heights. */
#include "io/raster/terrain_fill.h"

#include <math.h>

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

/* For each node of the grid the row of the nearest height in its column; -1 where the column has none. */
static void find_in_columns(const void_grid *grid, int32_t *nearest_row)
{
    for (int column = 0; column < grid->column_count; column++) {
        int32_t above = -1;
        for (int row = 0; row < grid->row_count; row++) {
            int64_t node = (int64_t)row * grid->column_count + column;
            above = isnan(grid->height_m[node]) ? above : row;
            nearest_row[node] = above;
        }
        int32_t below = -1;
        for (int row = grid->row_count - 1; row >= 0; row--) {
            int64_t node = (int64_t)row * grid->column_count + column;
            below = isnan(grid->height_m[node]) ? below : row;
            bool is_nearer = below >= 0 && (nearest_row[node] < 0 || below - row < row - nearest_row[node]);
            nearest_row[node] = is_nearer ? below : nearest_row[node];
        }
    }
}

/* Working memory for one row. */
typedef struct nearest_row {
    float *height_m; /* the row filled: the old one is still asked */
    int32_t *column; /* parabolas of the lower envelope, by their column, ... */
    double *start;   /* ... and from where on each is the lowest */
} nearest_row;

/* Squared distances along a row: the lower envelope of the parabolas that the columns' own nearest heights open
   (Felzenszwalb and Huttenlocher, Theory of Computing 8, 2012), so that a row takes time in its length. */
static int64_t fill_row(const void_grid *grid, int row, const int32_t *column_row, nearest_row *work)
{
    int count = 0;
    for (int column = 0; column < grid->column_count; column++) {
        if (column_row[column] < 0) {
            continue;
        }
        double reach = (double)column_row[column] - row;
        double bend = reach * reach + (double)column * column;
        double start = -HUGE_VAL;
        while (count > 0) {
            int32_t before = work->column[count - 1];
            double reach_before = (double)column_row[before] - row;
            double bend_before = reach_before * reach_before + (double)before * before;
            start = (bend - bend_before) / (2.0 * ((double)column - before));
            if (start > work->start[count - 1]) {
                break;
            }
            count--;
            start = -HUGE_VAL;
        }
        work->column[count] = column;
        work->start[count++] = start;
    }
    int at = 0;
    int64_t filled = 0;
    for (int column = 0; column < grid->column_count; column++) {
        while (at + 1 < count && work->start[at + 1] < column) {
            at++;
        }
        int64_t node = (int64_t)row * grid->column_count + column;
        int32_t from = work->column[at];
        bool is_void = isnan(grid->height_m[node]);
        work->height_m[column] =
            is_void ? grid->height_m[(int64_t)column_row[from] * grid->column_count + from] : grid->height_m[node];
        filled += is_void ? 1 : 0;
    }
    return filled;
}

static rcity_status fill_nearest(void_grid *grid, int64_t *filled_count)
{
    rcity_context *context = grid->context;
    size_t column_count = (size_t)grid->column_count;
    int32_t *column_row = NULL;
    float *filled_m = NULL;
    nearest_row work = {NULL, NULL, NULL};
    rcity_status status;
    int64_t count = 0;
    RCITY_TRY_DONE(
        rcity_alloc(context, column_count * (size_t)grid->row_count, sizeof *column_row, "filling voids", &column_row));
    RCITY_TRY_DONE(
        rcity_alloc(context, column_count * (size_t)grid->row_count, sizeof *filled_m, "filling voids", &filled_m));
    RCITY_TRY_DONE(rcity_alloc(context, column_count, sizeof *work.column, "filling voids", &work.column));
    RCITY_TRY_DONE(rcity_alloc(context, column_count, sizeof *work.start, "filling voids", &work.start));
    find_in_columns(grid, column_row);
    for (int row = 0; row < grid->row_count; row++) {
        work.height_m = filled_m + (size_t)row * column_count;
        count += fill_row(grid, row, column_row + (size_t)row * column_count, &work);
        RCITY_TRY_DONE(rcity_progress(context, "fill voids", row + 1.0, (double)grid->row_count));
    }
    for (size_t node = 0; node < column_count * (size_t)grid->row_count; node++) {
        grid->height_m[node] = filled_m[node];
    }
    *filled_count = count;
done:
    rcity_release(context, work.start);
    rcity_release(context, work.column);
    rcity_release(context, filled_m);
    rcity_release(context, column_row);
    return status;
}

/* The weighted mean of the first heights around a node; NAN when there is none in reach. */
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

/* The number of voids, and where they are. */
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
    return rcity_fail(context, RCITY_ERR_ARGUMENT, "there is no way %d to fill voids", (int)fill);
}
