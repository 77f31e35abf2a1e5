/* The elevation grid as triangles: each cell is split along its south-west to north-east diagonal, so height is linear
   between crossings of a line with rows, columns and diagonals. */
#include "scene/place/terrain.h"

#include <math.h>

#include "base/parallel.h"
#include "scene/shape/prism.h"

bool rcity_terrain_contains(const rcity_terrain_grid *terrain, int32_t x, int32_t y)
{
    int64_t east = terrain->west + (int64_t)(terrain->column_count - 1) * terrain->cell;
    int64_t north = terrain->south + (int64_t)(terrain->row_count - 1) * terrain->cell;
    return x >= terrain->west && x <= east && y >= terrain->south && y <= north;
}

#define BOUND_PIECES 64

typedef struct bound_job {
    const int32_t *height;
    int64_t piece;
    int32_t lowest[BOUND_PIECES], highest[BOUND_PIECES];
} bound_job;

/* An rcity_parallel_function: one piece of the nodes. */
static void bound_piece(void *user, int64_t begin, int64_t end, int thread_index)
{
    bound_job *job = user;
    (void)thread_index;
    int32_t lowest = job->height[begin];
    int32_t highest = lowest;
    for (int64_t node = begin; node < end; node++) {
        lowest = job->height[node] < lowest ? job->height[node] : lowest;
        highest = job->height[node] > highest ? job->height[node] : highest;
    }
    job->lowest[begin / job->piece] = lowest;
    job->highest[begin / job->piece] = highest;
}

void rcity_terrain_bound(rcity_context *context, const rcity_terrain_grid *terrain, int32_t *lowest, int32_t *highest)
{
    int64_t node_count = (int64_t)terrain->column_count * terrain->row_count;
    bound_job job = {.height = terrain->height, .piece = (node_count + BOUND_PIECES - 1) / BOUND_PIECES};
    rcity_parallel(context, node_count, job.piece, bound_piece, &job);
    int64_t piece_count = (node_count + job.piece - 1) / job.piece;
    *lowest = job.lowest[0];
    *highest = job.highest[0];
    for (int64_t i = 1; i < piece_count; i++) {
        *lowest = job.lowest[i] < *lowest ? job.lowest[i] : *lowest;
        *highest = job.highest[i] > *highest ? job.highest[i] : *highest;
    }
}

/* The cell of a coordinate; the last one for the far border. */
static int64_t cell_of(rcity_i128 offset, rcity_i128 cell, int32_t node_count)
{
    int64_t index = (int64_t)(offset / cell);
    return index < node_count - 1 ? index : node_count - 2;
}

/* Ground height times cell * den at the place (x_num, y_num) / den, which lies inside the grid. */
static rcity_i128 scaled_height(const rcity_terrain_grid *terrain, rcity_i128 x_num, rcity_i128 y_num, int64_t den)
{
    rcity_i128 cell = (rcity_i128)terrain->cell * den;
    rcity_i128 x_offset = x_num - (rcity_i128)terrain->west * den;
    rcity_i128 y_offset = y_num - (rcity_i128)terrain->south * den;
    int64_t column = cell_of(x_offset, cell, terrain->column_count);
    int64_t row = cell_of(y_offset, cell, terrain->row_count);
    rcity_i128 fx = x_offset - column * cell;
    rcity_i128 fy = y_offset - row * cell;
    const int32_t *south = terrain->height + row * terrain->column_count + column;
    const int32_t *north = south + terrain->column_count;
    int64_t south_west = south[0];
    int64_t north_east = north[1];
    if (fx >= fy) {
        int64_t south_east = south[1];
        return south_west * cell + (south_east - south_west) * fx + (north_east - south_east) * fy;
    }
    int64_t north_west = north[0];
    return south_west * cell + (north_west - south_west) * fy + (north_east - north_west) * fx;
}

double rcity_terrain_height(const rcity_terrain_grid *terrain, int32_t x, int32_t y)
{
    if (terrain->column_count == 0) {
        return 0.0;
    }
    return (double)scaled_height(terrain, x, y, 1) / terrain->cell;
}

int32_t rcity_terrain_snap_height(const rcity_terrain_grid *terrain, int32_t x, int32_t y, double z)
{
    int32_t rounded = (int32_t)lround(z);
    if (terrain->column_count == 0 || !rcity_terrain_contains(terrain, x, y)) {
        return rounded;
    }
    double ground = rcity_terrain_height(terrain, x, y);
    return z >= ground && rounded < ground ? (int32_t)ceil(ground) : rounded;
}

/* Does the line, at the fraction t = num / den of its length, run below the ground? */
static bool is_below(const rcity_terrain_grid *terrain, rcity_grid_point3 from, rcity_grid_point3 to, int64_t num,
                     int64_t den)
{
    rcity_i128 x = (rcity_i128)from.x * den + ((rcity_i128)to.x - from.x) * num;
    rcity_i128 y = (rcity_i128)from.y * den + ((rcity_i128)to.y - from.y) * num;
    rcity_i128 z = (rcity_i128)from.z * den + ((rcity_i128)to.z - from.z) * num;
    rcity_i128 x_end = (rcity_i128)terrain->west + (rcity_i128)(terrain->column_count - 1) * terrain->cell;
    rcity_i128 y_end = (rcity_i128)terrain->south + (rcity_i128)(terrain->row_count - 1) * terrain->cell;
    if (x < (rcity_i128)terrain->west * den || x > x_end * den || y < (rcity_i128)terrain->south * den ||
        y > y_end * den) {
        return false;
    }
    return z * terrain->cell < scaled_height(terrain, x, y, den);
}

/* Crossings with one family of parallel lines: those where start + t * step is a multiple of the cell, for lines
   first .. last only. */
static bool family_blocks(const rcity_terrain_grid *terrain, rcity_grid_point3 from, rcity_grid_point3 to,
                          int64_t start, int64_t step, int64_t first, int64_t last)
{
    if (step == 0) {
        return false;
    }
    int64_t low = step > 0 ? start : start + step;
    int64_t high = step > 0 ? start + step : start;
    int64_t cell = terrain->cell;
    int64_t line_begin = low > 0 ? low / cell : -(-low / cell);
    int64_t line_end = high > 0 ? high / cell : -(-high / cell);
    line_begin = line_begin > first ? line_begin : first;
    line_end = line_end < last ? line_end : last;
    for (int64_t line = line_begin; line <= line_end; line++) {
        int64_t num = line * cell - start;
        int64_t den = step;
        if (den < 0) {
            num = -num;
            den = -den;
        }
        if (num > 0 && num < den && is_below(terrain, from, to, num, den)) {
            return true;
        }
    }
    return false;
}

bool rcity_terrain_blocks(const rcity_terrain_grid *terrain, rcity_grid_point3 from, rcity_grid_point3 to)
{
    if (terrain->column_count == 0) {
        return false;
    }
    if (is_below(terrain, from, to, 0, 1) || is_below(terrain, from, to, 1, 1)) {
        return true;
    }
    int64_t x = (int64_t)from.x - terrain->west;
    int64_t y = (int64_t)from.y - terrain->south;
    int64_t dx = (int64_t)to.x - from.x;
    int64_t dy = (int64_t)to.y - from.y;
    int64_t last_column = terrain->column_count - 1;
    int64_t last_row = terrain->row_count - 1;
    return family_blocks(terrain, from, to, x, dx, 0, last_column) ||
           family_blocks(terrain, from, to, y, dy, 0, last_row) ||
           family_blocks(terrain, from, to, x - y, dx - dy, -last_row, last_column);
}

/* Lowest ground along one edge: at its start and where it crosses rows, columns and diagonals. */
static double lowest_along(const rcity_terrain_grid *terrain, rcity_grid_point p, rcity_grid_point q)
{
    double lowest = rcity_terrain_height(terrain, p.x, p.y);
    double dx = (double)q.x - p.x;
    double dy = (double)q.y - p.y;
    double x_offset = (double)p.x - terrain->west;
    double y_offset = (double)p.y - terrain->south;
    const double starts[3] = {x_offset, y_offset, x_offset - y_offset};
    const double steps[3] = {dx, dy, dx - dy};
    for (int family = 0; family < 3; family++) {
        if (steps[family] == 0.0) {
            continue;
        }
        double a = starts[family] / terrain->cell;
        double b = (starts[family] + steps[family]) / terrain->cell;
        int64_t last_line = (int64_t)floor(fmax(a, b));
        for (int64_t line = (int64_t)ceil(fmin(a, b)); line <= last_line; line++) {
            double t = ((double)line - a) / (b - a);
            int32_t x = (int32_t)lround(p.x + t * dx);
            int32_t y = (int32_t)lround(p.y + t * dy);
            lowest = fmin(lowest, rcity_terrain_height(terrain, x, y));
        }
    }
    return lowest;
}

int32_t rcity_terrain_lowest_under(const rcity_terrain_grid *terrain, const rcity_shapes *shapes,
                                   const rcity_prism *prism)
{
    if (terrain->column_count == 0) {
        return 0;
    }
    double lowest = HUGE_VAL;
    for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
        int32_t end = shapes->ring_first[ring + 1];
        for (int32_t point = shapes->ring_first[ring]; point < end; point++) {
            int32_t next = rcity_ring_next(shapes->ring_first, ring, point);
            lowest = fmin(lowest, lowest_along(terrain, shapes->points[point], shapes->points[next]));
        }
    }
    int32_t cell = terrain->cell;
    int32_t column_begin = (prism->x_min - terrain->west + cell - 1) / cell;
    int32_t row_begin = (prism->y_min - terrain->south + cell - 1) / cell;
    int32_t column_end = (prism->x_max - terrain->west) / cell;
    int32_t row_end = (prism->y_max - terrain->south) / cell;
    for (int32_t row = row_begin; row <= row_end; row++) {
        for (int32_t column = column_begin; column <= column_end; column++) {
            rcity_grid_point at = {terrain->west + column * cell, terrain->south + row * cell};
            if (rcity_prism_locate(shapes, prism, at) == RCITY_PLACE_INSIDE) {
                lowest = fmin(lowest, terrain->height[(int64_t)row * terrain->column_count + column]);
            }
        }
    }
    return (int32_t)floor(lowest);
}
