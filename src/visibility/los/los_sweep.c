/* The sweep. A wall as high as the source hides all directions between its ends once the sweep has passed it. The sweep
   tests only walls in directions that are still visible, and ends when there are none. Lower walls, whose shadows end
   somewhere, are only collected. */
#include "visibility/los/los_sweep.h"

#include <math.h>

#include "base/order.h"
#include "visibility/los/los_bits.h"
#include "visibility/los/los_raster.h"

/* Where a ray crosses a row, in units of u; far outside for the axis itself. */
static double along(const rcity_los_ray *ray, double v)
{
    return ray->v > 0 ? (double)ray->u * v / (double)ray->v : ray->u > 0 ? 1e18 : -1e18;
}

/* Set the visible pixels of a row, as far as passed walls decide. @return false when no gap can reach the raster from
   here on. */
static bool mark_visible_row(rcity_los_half *half, int64_t v, int32_t row)
{
    const rcity_los_plane *plane = half->plane;
    const rcity_los_hidden_sectors *sectors = &half->worker->hidden_sectors;
    uint64_t *words = half->mask + (size_t)row * plane->row_words;
    double west = (double)plane->x[0] - half->source.x;
    double east = (double)plane->x[plane->column_count - 1] - half->source.x;
    bool is_open = false;
    for (int32_t i = 0; i <= sectors->count; i++) {
        rcity_los_ray low, high;
        if (!rcity_los_hidden_sectors_get_gap(sectors, i, &low, &high)) {
            continue;
        }
        bool is_past = (along(&high, (double)v) > east + 1.0 && high.u >= 0) ||
                       (along(&low, (double)v) < west - 1.0 && low.u <= 0);
        if (is_past) {
            continue;
        }
        is_open = true;
        int32_t begin = 0;
        int32_t end = plane->column_count;
        if (high.v > 0) {
            begin = rcity_los_first_beyond(half, high.u * v, high.v);
            if (rcity_los_is_at(half, begin - 1, high.u * v, high.v)) {
                rcity_los_note_undecided(half, --begin, row);
            }
        }
        if (low.v > 0) {
            end = rcity_los_first_beyond(half, low.u * v, low.v);
            if (rcity_los_is_at(half, end - 1, low.u * v, low.v)) {
                rcity_los_note_undecided(half, end - 1, row);
            }
        }
        rcity_los_set_bits(words, begin, end);
    }
    return is_open;
}

static void meet_wall(rcity_los_half *half, int32_t index)
{
    rcity_los_worker *worker = half->worker;
    const rcity_los_wall *wall = &half->plane->walls[index];
    if (worker->seen[index] == worker->half) {
        return;
    }
    worker->seen[index] = worker->half;
    bool is_endless = wall->roof >= half->source.z || half->source.z <= half->plane->level;
    if (!is_endless || wall->is_doubtful) {
        worker->met[worker->met_count++] = index;
    } else if (rcity_los_shade_make(half, wall, &worker->endless[worker->endless_count])) {
        worker->endless_count++;
    }
}

/* Meet the walls of one row of cells that lie in visible directions; the row reaches from v to v_end. */
static void meet_cells(rcity_los_half *half, int32_t cell_row, double v, double v_end)
{
    const rcity_los_hidden_sectors *sectors = &half->worker->hidden_sectors;
    const rcity_los_cells *cells = &half->plane->cells;
    int32_t next = 0; /* columns before it are done */
    double offset = (double)half->source.x - cells->west;
    for (int32_t i = sectors->count; i >= 0; i--) { /* from west to east */
        rcity_los_ray low, high;
        if (!rcity_los_hidden_sectors_get_gap(sectors, i, &low, &high)) {
            continue;
        }
        double west = fmin(along(&high, v), along(&high, v_end));
        double east = fmax(along(&low, v), along(&low, v_end));
        double first = floor((west - 2.0 + offset) / cells->cell);
        double last = floor((east + 2.0 + offset) / cells->cell);
        int32_t column = first <= next ? next : first >= cells->column_count ? cells->column_count : (int32_t)first;
        for (; column < cells->column_count && column <= last; column++) {
            const int32_t *range = &cells->first[(size_t)cell_row * (size_t)cells->column_count + (size_t)column];
            for (int32_t k = range[0]; k < range[1]; k++) {
                meet_wall(half, cells->walls[k]);
            }
            next = column + 1;
        }
    }
}

/* Walls that the row has passed hide everything farther away; the others cast their shadow on the row. */
static void pass_walls(rcity_los_half *half, int64_t v, int32_t row, bool draws)
{
    rcity_los_worker *worker = half->worker;
    int32_t kept = 0;
    for (int32_t i = 0; i < worker->endless_count; i++) {
        const rcity_los_shade *shade = &worker->endless[i];
        int64_t far = shade->av > shade->bv ? shade->av : shade->bv;
        int64_t near = shade->av < shade->bv ? shade->av : shade->bv;
        if (!draws && v > far) {
            rcity_los_hidden_sectors_add(&worker->hidden_sectors, shade);
            rcity_los_finite_close(worker, shade);
            continue;
        }
        if (draws && v > near) {
            int32_t begin, end;
            rcity_los_shade_find(half, shade, v, row, &begin, &end);
            rcity_los_clear_bits(half->mask + (size_t)row * half->plane->row_words, begin, end);
        }
        worker->endless[kept++] = *shade;
    }
    worker->endless_count = kept;
}

/* The shadows of the collected walls, in the order of the plane, in which walls of one ring are consecutive. */
static void make_finite(rcity_los_half *half)
{
    rcity_los_worker *worker = half->worker;
    if (worker->met_count > half->plane->wall_count / 64) { /* with many, visiting all walls is faster than sorting */
        worker->met_count = 0;
        for (int32_t i = 0; i < half->plane->wall_count; i++) {
            const rcity_los_wall *wall = &half->plane->walls[i];
            bool is_met = worker->seen[i] == worker->half && (wall->roof < half->source.z || wall->is_doubtful);
            worker->met[worker->met_count] = i;
            worker->met_count += is_met;
        }
    } else {
        rcity_sort_int32s(worker->met, (size_t)worker->met_count);
    }
    worker->finite_count = 0;
    for (int32_t i = 0; i < worker->met_count; i++) {
        const rcity_los_wall *wall = &half->plane->walls[worker->met[i]];
        worker->finite_count += rcity_los_shade_make(half, wall, &worker->finite[worker->finite_count]);
    }
}

/* Meet the rows of cells that begin before v, from `cell_row` on. @return the next one. */
static int32_t meet_until(rcity_los_half *half, int32_t cell_row, double v, int32_t row)
{
    const rcity_los_cells *cells = &half->plane->cells;
    for (; cell_row >= 0 && cell_row < cells->row_count; cell_row += half->side) {
        double border = cells->south + (double)(half->side > 0 ? cell_row : cell_row + 1) * cells->cell;
        double begins = half->side * (border - half->source.y);
        if (begins > v) {
            break;
        }
        begins = begins > 0.0 ? begins : 0.0;
        pass_walls(half, (int64_t)begins, row, false);
        meet_cells(half, cell_row, begins, half->side * (border - half->source.y) + cells->cell);
    }
    return cell_row;
}

void rcity_los_sweep(rcity_los_half *half)
{
    const rcity_los_plane *plane = half->plane;
    const rcity_los_cells *cells = &plane->cells;
    rcity_los_worker *worker = half->worker;
    int32_t side = half->side;
    int32_t step = -side; /* the first row is the northernmost */
    int32_t row = side > 0 ? plane->row_count - 1 : 0;
    int32_t end = side > 0 ? -1 : plane->row_count;
    while (row != end && rcity_los_row_v(half, row) <= 0) {
        row += step;
    }
    worker->half++;
    worker->endless_count = 0;
    worker->met_count = 0;
    worker->hidden_sectors.count = 0;
    rcity_los_finite_begin(worker);
    int32_t first = row;
    /* rows of cells are met as the sweep reaches them; the source's own row is the first */
    double at = ((double)half->source.y - cells->south) / cells->cell;
    int32_t cell_row = at < 0.0 ? -1 : at >= cells->row_count ? cells->row_count : (int32_t)at;
    cell_row = side > 0 && cell_row < 0                   ? 0
               : side < 0 && cell_row >= cells->row_count ? cells->row_count - 1
                                                          : cell_row;
    for (; row != end; row += step) {
        int64_t v = rcity_los_row_v(half, row);
        cell_row = meet_until(half, cell_row, (double)v, row);
        pass_walls(half, v, row, false);
        if (!mark_visible_row(half, v, row)) {
            break;
        }
        pass_walls(half, v, row, true);
    }
    if (worker->looks_beyond) {
        meet_until(half, cell_row, HUGE_VAL, row);
    }
    if (first != row && worker->met_count > 0) {
        make_finite(half);
        rcity_los_finite_draw(half, first, step, row);
    }
}
