/* Rasters of roofs, filled row by row between wall crossings. */
#include "scene/place/cover.h"

#include <math.h>

#include "scene/shape/prism.h"

int32_t rcity_raster_column_x(const rcity_shapes *shapes, const rcity_raster *raster, int64_t column)
{
    double x_m = raster->west_m + ((double)column + 0.5) * raster->cell_m;
    return (int32_t)lround((x_m - shapes->origin_x_m) * shapes->units_per_m);
}

int32_t rcity_raster_row_y(const rcity_shapes *shapes, const rcity_raster *raster, int64_t row)
{
    double y_m = raster->north_m - ((double)row + 0.5) * raster->cell_m;
    return (int32_t)lround((y_m - shapes->origin_y_m) * shapes->units_per_m);
}

/* First column whose centre lies at or east of where an edge crosses the row: guessed in floating point, decided
   exactly. */
static int64_t first_column_east(const rcity_shapes *shapes, const rcity_raster *raster, rcity_grid_point p,
                                 rcity_grid_point q, int32_t y)
{
    double x = p.x + ((double)y - p.y) * ((double)q.x - p.x) / ((double)q.y - p.y);
    double x_m = shapes->origin_x_m + x / shapes->units_per_m;
    double guess = floor((x_m - raster->west_m) / raster->cell_m - 0.5);
    int64_t column = (int64_t)fmin(fmax(guess, 0.0), (double)raster->column_count);
    while (column > 0) {
        rcity_grid_point at = {rcity_raster_column_x(shapes, raster, column - 1), y};
        if (!rcity_edge_is_west(p, q, at)) {
            break;
        }
        column--;
    }
    while (column < raster->column_count) {
        rcity_grid_point at = {rcity_raster_column_x(shapes, raster, column), y};
        if (rcity_edge_is_west(p, q, at)) {
            break;
        }
        column++;
    }
    return column;
}

/* Fill one row of a prism: the inside lies between its first and second crossing, its third and fourth, and so on.
   `columns` has room for all crossings. */
static void fill_row(const rcity_shapes *shapes, const rcity_raster *raster, const rcity_prism *prism, int64_t row,
                     int64_t *columns, float *cells)
{
    int32_t y = rcity_raster_row_y(shapes, raster, row);
    int count = 0;
    for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
        int32_t end = shapes->ring_first[ring + 1];
        rcity_grid_point p = shapes->points[end - 1];
        for (int32_t point = shapes->ring_first[ring]; point < end; point++) {
            rcity_grid_point q = shapes->points[point];
            if (rcity_edge_crosses_level(p, q, y)) {
                int64_t column = first_column_east(shapes, raster, p, q, y);
                int place = count++;
                for (; place > 0 && columns[place - 1] > column; place--) {
                    columns[place] = columns[place - 1];
                }
                columns[place] = column;
            }
            p = q;
        }
    }
    float roof_m = (float)prism->roof / RCITY_HEIGHT_UNITS_PER_M;
    for (int i = 0; i + 1 < count; i += 2) {
        for (int64_t column = columns[i]; column < columns[i + 1]; column++) {
            cells[column] = fmaxf(cells[column], roof_m);
        }
    }
}

rcity_status rcity_raster_cover(rcity_context *context, const rcity_shapes *shapes, const rcity_raster *raster,
                                float *roof_m)
{
    int64_t *columns = NULL;
    RCITY_TRY(rcity_alloc(context, (size_t)rcity_shapes_largest_edge_count(shapes), sizeof *columns, "the roof raster",
                          &columns));
    int64_t cell_count = raster->column_count * raster->row_count;
    for (int64_t cell = 0; cell < cell_count; cell++) {
        roof_m[cell] = -INFINITY;
    }
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        double north_m = shapes->origin_y_m + (double)prism->y_max / shapes->units_per_m;
        double south_m = shapes->origin_y_m + (double)prism->y_min / shapes->units_per_m;
        double row_begin = floor((raster->north_m - north_m) / raster->cell_m) - 1.0;
        double row_end = ceil((raster->north_m - south_m) / raster->cell_m) + 1.0;
        int64_t begin = (int64_t)fmin(fmax(row_begin, 0.0), (double)raster->row_count);
        int64_t end = (int64_t)fmin(fmax(row_end, 0.0), (double)raster->row_count);
        for (int64_t row = begin; row < end; row++) {
            fill_row(shapes, raster, prism, row, columns, roof_m + row * raster->column_count);
        }
    }
    rcity_release(context, columns);
    return RCITY_OK;
}
