/* The fraction of a line inside buildings is the sum of the fractions at which it leaves buildings, less the sum of
   those at which it enters them, plus 1 if it ends inside.

   Through a wall: the line from the source to the pixel at P passes the wall at the fraction area / (P x wall), which
   changes from pixel to pixel: each piece's shadow is visited row by row. Through a roof: the line passes it at the
   fraction at which it has the roof's height, the same for all pixels; they lie in the copy of the roof scaled by the
   inverse of that fraction, whose borders are copies of the walls around it (rcity_wall_add_roofs()). Pixels near a
   border are tested. */
#include "visibility/walls/wall_metres.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "visibility/sight/sight_data.h"

/* A bound of a shadow in a row, v from the source: x = offset + slope v. */
typedef struct span_bound {
    double offset, slope;
} span_bound;

/* One source. */
typedef struct metre_work {
    rcity_wall_shadows *shadows;
    rcity_wall_sheet sheet;
    const uint64_t *visible;
    float *in_buildings;
    atomic_int_fast64_t asked_count;
} metre_work;

/* The rows of a piece's shadow, with the rows at its ends that rounding may have left out. */
static rcity_wall_rows find_rows(const rcity_wall_sheet *sheet, const rcity_wall_piece *piece)
{
    rcity_wall_rows rows = {0, 0, 0.0, 0.0, 0.0};
    double near, far;
    if (!rcity_wall_find_scales(sheet, piece->low, piece->high, &near, &far)) {
        return rows;
    }
    double sy = sheet->source.y;
    double near_a = rcity_wall_scaled(sy, piece->ay, near);
    double near_b = rcity_wall_scaled(sy, piece->by, near);
    double far_a = rcity_wall_scaled(sy, piece->ay, far);
    double far_b = rcity_wall_scaled(sy, piece->by, far);
    double reach = 0.0;
    if (piece->is_cut) {
        reach = fmax(rcity_wall_reach(sheet, piece->ax - sheet->source.x, piece->ay - sy, far),
                     rcity_wall_reach(sheet, piece->bx - sheet->source.x, piece->by - sy, far));
    }
    rows.north = fmax(fmax(near_a, near_b), fmax(far_a, far_b));
    rows.south = fmin(fmin(near_a, near_b), fmin(far_a, far_b));
    rows.error = 2.0 * RCITY_WALL_SLACK * (1.0 + reach);
    rows.begin = rcity_wall_first_row(sheet->lattice, rows.north + rows.error);
    rows.end = rcity_wall_first_row(sheet->lattice, rows.south - rows.error);
    return rows;
}

/* An rcity_parallel_function: the rows of shadows, and the borders of roofs. */
static void find_roofs(void *user, int64_t begin, int64_t end, int thread_index)
{
    metre_work *work = user;
    rcity_wall_shadows *shadows = work->shadows;
    rcity_wall_list *list = &shadows->lists[begin / RCITY_WALL_LIST_ITEMS];
    (void)thread_index;
    *list = (rcity_wall_list){shadows->borders + 2 * begin, 0};
    for (int64_t i = begin; i < end; i++) {
        const rcity_wall_rows none = {0, 0, 0.0, 0.0, 0.0};
        int side = rcity_wall_side(&work->sheet, (int32_t)i);
        shadows->sides[i] = (int8_t)side;
        shadows->rows[i] = side != 0 ? find_rows(&work->sheet, &shadows->pieces.pieces[i]) : none;
        rcity_wall_add_roofs(&work->sheet, (int32_t)i, list);
    }
}

/* The bounds of one shadow. */
typedef struct span_shape {
    span_bound west[4], east[4];
    int west_count, east_count;
} span_shape;

/* Keep the pixels at u with u * factor >= limit + v * rise, relative to the source. */
static void add_bound(double sx, double factor, double limit, double rise, span_shape *shape)
{
    if (factor != 0.0) {
        span_bound bound = {sx + limit / factor, rise / factor};
        if (factor > 0.0) {
            shape->west[shape->west_count++] = bound;
        } else {
            shape->east[shape->east_count++] = bound;
        }
    }
}

/* Between the rays, beyond the near copy, and before the far one. */
static span_shape find_shape(const rcity_wall_sheet *sheet, const rcity_wall_piece *piece, int side)
{
    span_shape shape = {.west_count = 0, .east_count = 0};
    double sx = sheet->source.x;
    double sy = sheet->source.y;
    double area = (double)rcity_wall_area(sheet, piece);
    double near, far;
    rcity_wall_find_scales(sheet, piece->low, piece->high, &near, &far);
    add_bound(sx, -side * (piece->ay - sy), 0.0, -side * (piece->ax - sx), &shape);
    add_bound(sx, side * (piece->by - sy), 0.0, side * (piece->bx - sx), &shape);
    add_bound(sx, (double)side * piece->ey, side * near * area, (double)side * piece->ex, &shape);
    if (far < HUGE_VAL) {
        add_bound(sx, -(double)side * piece->ey, -side * far * area, -(double)side * piece->ex, &shape);
    }
    return shape;
}

/* The first column east of a bound; pixels that are too near to it are noted for a test. */
static int32_t find_column(const rcity_wall_sheet *sheet, int32_t row, double x, double error)
{
    const rcity_wall_lattice *lattice = sheet->lattice;
    const rcity_los_plane *plane = lattice->plane;
    double place = (x - lattice->x) / lattice->width;
    double blur = (error + lattice->blur_x) / lattice->width;
    if (place + blur < 0.0) {
        return 0;
    }
    if (place - blur >= plane->column_count - 1) {
        if (place - blur > plane->column_count - 1) {
            return plane->column_count;
        }
    } else if ((int32_t)(place + blur) == (int32_t)(place - blur) && place - blur > 0.0) {
        return (int32_t)place + 1;
    }
    int32_t column = rcity_wall_first_column(lattice, x);
    if ((column > 0 && x - plane->x[column - 1] <= error) ||
        (column < plane->column_count && plane->x[column] - x <= error)) {
        rcity_wall_ask(sheet, row, x - error, x + error);
    }
    return column;
}

/* One row of a shadow: its columns, and the fractions there. */
static void add_row(const rcity_wall_sheet *sheet, const rcity_wall_piece *piece, const rcity_wall_rows *rows,
                    const span_shape *shape, int side, int32_t row, double *sums)
{
    const rcity_los_plane *plane = sheet->lattice->plane;
    double v = (double)plane->y[row] - sheet->source.y;
    span_bound west = {-HUGE_VAL, 0.0};
    span_bound east = {HUGE_VAL, 0.0};
    for (int i = 0; i < shape->west_count; i++) {
        double x = shape->west[i].offset + shape->west[i].slope * v;
        west = x > west.offset ? (span_bound){x, shape->west[i].slope} : west;
    }
    for (int i = 0; i < shape->east_count; i++) {
        double x = shape->east[i].offset + shape->east[i].slope * v;
        east = x < east.offset ? (span_bound){x, shape->east[i].slope} : east;
    }
    double west_error = rows->error * (1.0 + fabs(west.slope));
    double east_error = rows->error * (1.0 + fabs(east.slope));
    if (west.offset - west_error > east.offset + east_error) {
        return;
    }
    if (rows->north - plane->y[row] <= rows->error || plane->y[row] - rows->south <= rows->error) {
        rcity_wall_ask(sheet, row, west.offset - west_error, east.offset + east_error);
        return;
    }
    int32_t begin = find_column(sheet, row, west.offset, west_error);
    int32_t end = find_column(sheet, row, east.offset, east_error);
    double area = (double)rcity_wall_area(sheet, piece);
    double gain = (side > 0) == piece->is_high_left ? area : -area; /* the line leaves the building, or enters it */
    double rise = v * piece->ex;
    for (int32_t column = begin; column < end; column++) {
        sums[column] += gain / (((double)plane->x[column] - sheet->source.x) * piece->ey - rise);
    }
}

/* Add the shadows of all pieces in a band. */
static void add_shadows(metre_work *work, int32_t begin, int32_t end, double *sums)
{
    const rcity_wall_shadows *shadows = work->shadows;
    for (size_t i = 0; i < shadows->pieces.piece_count; i++) {
        const rcity_wall_rows *rows = &shadows->rows[i];
        int32_t first = rows->begin > begin ? rows->begin : begin;
        int32_t last = rows->end < end ? rows->end : end;
        if (first >= last) {
            continue;
        }
        const rcity_wall_piece *piece = &shadows->pieces.pieces[i];
        span_shape shape = find_shape(&work->sheet, piece, shadows->sides[i]);
        for (int32_t row = first; row < last; row++) {
            add_row(&work->sheet, piece, rows, &shape, shadows->sides[i], row,
                    sums + (size_t)(row - begin) * (size_t)shadows->plane->column_count);
        }
    }
}

/* One row, from the sums of fractions; undecided lines are walked. */
static void finish_row(metre_work *work, int32_t row, const double *sums, const int32_t *steps, int32_t west)
{
    const rcity_los_plane *plane = work->shadows->plane;
    float *in_buildings = work->in_buildings + (size_t)row * (size_t)plane->column_count;
    int64_t asked_count = 0;
    int64_t roofs = west;
    for (int32_t i = 0; i < RCITY_WALL_MARGIN; i++) {
        roofs += steps[i];
    }
    for (int32_t column = 0; column < plane->column_count; column++) {
        size_t word = (size_t)row * plane->row_words + (size_t)column / 64;
        uint64_t asked = atomic_load_explicit(&work->sheet.asked[word], memory_order_relaxed);
        roofs += steps[RCITY_WALL_MARGIN + column];
        if (work->visible != NULL && rcity_los_plane_bit(plane, work->visible, column, row)) {
            in_buildings[column] = 0.0f;
        } else if (((asked >> (column % 64)) & 1) != 0) {
            rcity_grid_point3 at = rcity_los_plane_pixel(plane, column, row);
            in_buildings[column] = rcity_wall_measure_one(plane->sight, work->sheet.source, at).in_buildings;
            asked_count++;
        } else {
            double inside = rcity_los_plane_bit(plane, plane->indoors, column, row) ? 1.0 : 0.0;
            inside += sums[column] + (double)roofs / RCITY_WALL_FRACTION_ONE;
            in_buildings[column] = (float)fmin(fmax(inside, 0.0), 1.0);
        }
    }
    atomic_fetch_add_explicit(&work->asked_count, asked_count, memory_order_relaxed);
}

/* An rcity_parallel_function: one band. */
static void measure_band(void *user, int64_t band_begin, int64_t band_end, int thread_index)
{
    metre_work *work = user;
    const rcity_wall_shadows *shadows = work->shadows;
    size_t columns = (size_t)shadows->plane->column_count;
    size_t stride = columns + 2 * RCITY_WALL_MARGIN;
    int32_t begin = (int32_t)band_begin;
    int32_t end = (int32_t)band_end;
    double *sums = shadows->sums + (size_t)thread_index * (size_t)shadows->band_rows * columns;
    int32_t *steps = shadows->steps + (size_t)thread_index * (size_t)shadows->band_rows * stride;
    int32_t *west = shadows->west + (size_t)thread_index * ((size_t)shadows->band_rows + 1);
    memset(sums, 0, (size_t)(end - begin) * columns * sizeof *sums);
    rcity_wall_shadows_draw(shadows, rcity_wall_lists_for(shadows->pieces.piece_count), &work->sheet, begin, end, steps,
                            west);
    add_shadows(work, begin, end, sums);
    int32_t base = 0;
    for (int32_t row = begin; row < end; row++, sums += columns, steps += stride) {
        base += west[row - begin];
        finish_row(work, row, sums, steps, base);
    }
}

void rcity_wall_shadows_measure(rcity_context *context, rcity_wall_shadows *shadows, rcity_grid_point3 source,
                                const uint64_t *visible, float *in_buildings, int64_t *asked_count)
{
    const rcity_los_plane *plane = shadows->plane;
    metre_work work = {.shadows = shadows,
                       .sheet = {&shadows->lattice, &shadows->pieces, source, shadows->asked},
                       .visible = visible,
                       .in_buildings = in_buildings};
    atomic_init(&work.asked_count, 0);
    memset(shadows->asked, 0, plane->row_words * (size_t)plane->row_count * sizeof *shadows->asked);
    for (size_t i = 0; i < plane->on_wall_count; i++) { /* neither inside nor outside */
        int32_t column = plane->on_walls[i] % plane->column_count;
        rcity_wall_ask(&work.sheet, plane->on_walls[i] / plane->column_count, plane->x[column], plane->x[column]);
    }
    rcity_parallel(context, (int64_t)shadows->pieces.piece_count, RCITY_WALL_LIST_ITEMS, find_roofs, &work);
    rcity_parallel(context, plane->row_count, shadows->band_rows, measure_band, &work);
    *asked_count += atomic_load(&work.asked_count);
}
