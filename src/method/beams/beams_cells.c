/* Cells are as large as the share of the plan that a wall has. */
#include "method/beams/beams_cells.h"

#include <math.h>
#include <string.h>

#define CELL_MIN_M 4.0
#define CELL_MAX   (1 << 22)
#define RIM_PART   1e-6 /* of a cell: walls this near to a border are on both sides */
#define SIDE_MIN_M 1e-3

/* The cells between two places of an axis; within the grid. */
static void span_of(double from_m, double to_m, double origin_m, double cell_m, int32_t count, int32_t *first,
                    int32_t *last)
{
    double low = floor((fmin(from_m, to_m) - origin_m) / cell_m - RIM_PART);
    double high = floor((fmax(from_m, to_m) - origin_m) / cell_m + RIM_PART);
    *first = (int32_t)fmin(fmax(low, 0.0), count - 1);
    *last = (int32_t)fmin(fmax(high, 0.0), count - 1);
}

/* Count the walls of each cell one place on, or put them in their places. */
static void go_through(int32_t wall_count, const rcity_plan_segment *walls, bool fills, rcity_beams_cells *cells)
{
    for (int32_t i = 0; i < wall_count; i++) {
        const rcity_plan_segment *wall = &walls[i];
        int32_t row_first, row_last;
        span_of(wall->y1, wall->y2, cells->south_m, cells->cell_m, cells->row_count, &row_first, &row_last);
        for (int32_t row = row_first; row <= row_last; row++) {
            double rim_m = RIM_PART * cells->cell_m;
            double low_y = cells->south_m + row * cells->cell_m - rim_m;
            double high_y = low_y + cells->cell_m + 2.0 * rim_m;
            double part_1 = 0.0;
            double part_2 = 1.0;
            double rise_m = wall->y2 - wall->y1;
            if (fabs(rise_m) > rim_m) { /* the part of the wall in this row */
                double a = (low_y - wall->y1) / rise_m;
                double b = (high_y - wall->y1) / rise_m;
                part_1 = fmin(fmax(fmin(a, b), 0.0), 1.0);
                part_2 = fmin(fmax(fmax(a, b), 0.0), 1.0);
            }
            int32_t column_first, column_last;
            span_of(wall->x1 + part_1 * (wall->x2 - wall->x1), wall->x1 + part_2 * (wall->x2 - wall->x1), cells->west_m,
                    cells->cell_m, cells->column_count, &column_first, &column_last);
            for (int32_t column = column_first; column <= column_last; column++) {
                int64_t cell = (int64_t)row * cells->column_count + column;
                if (fills) {
                    cells->walls[cells->first[cell]++] = i;
                } else {
                    cells->first[cell + 1]++;
                }
            }
        }
    }
}

static void measure(int32_t wall_count, const rcity_plan_segment *walls, rcity_beams_cells *cells)
{
    double x_min = HUGE_VAL;
    double y_min = HUGE_VAL;
    double x_max = -HUGE_VAL;
    double y_max = -HUGE_VAL;
    for (int32_t i = 0; i < wall_count; i++) {
        x_min = fmin(x_min, fmin(walls[i].x1, walls[i].x2));
        y_min = fmin(y_min, fmin(walls[i].y1, walls[i].y2));
        x_max = fmax(x_max, fmax(walls[i].x1, walls[i].x2));
        y_max = fmax(y_max, fmax(walls[i].y1, walls[i].y2));
    }
    double area_m2 = fmax(x_max - x_min, SIDE_MIN_M) * fmax(y_max - y_min, SIDE_MIN_M);
    cells->cell_m = fmax(fmax(sqrt(area_m2 / wall_count), sqrt(area_m2 / CELL_MAX)), CELL_MIN_M);
    cells->per_m = 1.0 / cells->cell_m;
    cells->west_m = x_min;
    cells->south_m = y_min;
    cells->column_count = (int32_t)floor((x_max - x_min) / cells->cell_m) + 1;
    cells->row_count = (int32_t)floor((y_max - y_min) / cells->cell_m) + 1;
}

rcity_status rcity_beams_cells_init(rcity_context *context, int32_t wall_count, const rcity_plan_segment *walls,
                                    rcity_beams_cells *cells)
{
    memset(cells, 0, sizeof *cells);
    if (wall_count == 0) {
        return RCITY_OK;
    }
    measure(wall_count, walls, cells);
    int64_t count = (int64_t)cells->column_count * cells->row_count;
    rcity_status status;
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)count + 1, sizeof *cells->first, "the plan of walls by cells", &cells->first));
    go_through(wall_count, walls, false, cells);
    for (int64_t i = 0; i < count; i++) {
        cells->first[i + 1] += cells->first[i];
    }
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)cells->first[count] + 1, sizeof *cells->walls,
                               "the plan of walls by cells", &cells->walls));
    go_through(wall_count, walls, true, cells);
    for (int64_t i = count; i > 0; i--) { /* each first has moved to the next one's place */
        cells->first[i] = cells->first[i - 1];
    }
    cells->first[0] = 0;
done:
    if (status != RCITY_OK) {
        rcity_beams_cells_deinit(context, cells);
    }
    return status;
}

void rcity_beams_cells_deinit(rcity_context *context, rcity_beams_cells *cells)
{
    rcity_release(context, cells->walls);
    rcity_release(context, cells->first);
    memset(cells, 0, sizeof *cells);
}
