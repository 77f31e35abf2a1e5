/* Finding and drawing borders.

   Errors. Plan coordinates stay below 2^23, sources included, so differences below 2^24; corners are multiples of
   2^-20, exact in doubles. A ray's x is sx + (y - sy) dx / dy: three roundings of a number below 2^24, together 2^-27.
   A copy's x is sx + k a / ey + (y - sy) ex / ey, which grows with the slope, and its error with it; measured across
   the border the error is below 2^-24. RCITY_WALL_SLACK is 16 times that. A corner that was rounded, by
   RCITY_WALL_ROUNDING / 2 along each axis, moves what lies k times as far away by k times as much. */
#include "visibility/walls/wall_border.h"

#include <math.h>

/* The columns at which a border crosses rows are computed in units of 2^-32 of a column. */
#define FRACTION_BITS 32
#define FRACTION_ONE  4294967296.0
#define FINE_MAX      0.25 /* of a column: borders with a larger error are drawn row by row */
#define STEEP_MAX     1e6  /* columns per row, likewise */

/* A border between two places, before it is cut to the raster. */
typedef struct border_line {
    double ax, ay, bx, by;
    double offset, slope;
    double error; /* across it */
    int32_t step;
    bool is_exact; /* pixels on it have the number of its lower side, except at its ends */
    int32_t line;  /* as in rcity_wall_border */
} border_line;

/* Rows just beyond an end of the border, from one row on northward or southward, may be so near that rounding has left
   them out. */
static void ask_beyond(const rcity_wall_sheet *sheet, const border_line *line, double end_y, int32_t row, int32_t next)
{
    const rcity_los_plane *plane = sheet->lattice->plane;
    for (; row >= 0 && row < plane->row_count && fabs(plane->y[row] - end_y) <= line->error; row += next) {
        double west = fmin(line->ax, line->bx) - line->error;
        double east = fmax(line->ax, line->bx) + line->error;
        if (line->ay != line->by) {
            double x = line->offset + line->slope * ((double)plane->y[row] - sheet->source.y);
            double reach = line->error * (1.0 + fabs(line->slope));
            west = fmax(west, x - reach);
            east = fmin(east, x + reach);
        }
        rcity_wall_ask(sheet, row, west, east);
    }
}

/* The first of rows begin .. end - 1 in which a border that runs east (or, mirrored, west) is beyond a column. */
static int32_t row_beyond(double first, double slope, double bound, int32_t begin, int32_t end)
{
    double guess = (bound - first) / slope;
    int32_t row = guess <= begin ? begin : guess >= end ? end : (int32_t)guess;
    while (row > begin && first + slope * (row - 1) > bound) {
        row--;
    }
    while (row < end && first + slope * row <= bound) {
        row++;
    }
    return row;
}

/* Which rows have the border among their columns, and which have it west of them. */
static void cut_rows(const rcity_wall_sheet *sheet, rcity_wall_border *border, int32_t begin, int32_t end)
{
    const rcity_wall_lattice *lattice = sheet->lattice;
    double margin =
        1.0 + ((double)border->error + lattice->blur_x + lattice->blur_y * fabs(border->slope)) / lattice->width;
    double slope = -border->slope * lattice->depth / lattice->width;
    double first = (border->offset + border->slope * (lattice->y - sheet->source.y) - lattice->x) / lattice->width;
    double west = -margin;
    double east = lattice->plane->column_count - 1 + margin;
    double ends[2] = {first + slope * begin, first + slope * (end - 1)};
    bool is_in[2] = {ends[0] >= west && ends[0] <= east, ends[1] >= west && ends[1] <= east};
    border->begin = begin;
    border->end = end;
    border->west_begin = border->west_end = begin;
    if (is_in[0] && is_in[1]) {
        return;
    }
    if (slope == 0.0) {
        border->end = begin;
        border->west_end = first < west ? end : begin;
    } else if (slope > 0.0) {
        border->begin = row_beyond(first, slope, west, begin, end);
        border->end = row_beyond(first, slope, east, border->begin, end);
        border->west_end = border->begin;
    } else {
        border->begin = row_beyond(-first, -slope, -east, begin, end);
        border->end = row_beyond(-first, -slope, -west, border->begin, end);
        border->west_begin = border->end;
        border->west_end = end;
    }
}

/* The rows in which the border is exact: not where it meets other borders. */
static void set_exact(const rcity_wall_sheet *sheet, const border_line *line, int32_t begin, int32_t end,
                      rcity_wall_border *border)
{
    const int32_t *y = sheet->lattice->plane->y;
    double north = fmax(line->ay, line->by);
    double south = fmin(line->ay, line->by);
    border->exact_begin = begin + (north - y[begin] <= line->error);
    border->exact_end = line->is_exact ? end - (y[end - 1] - south <= line->error) : begin;
}

static void add_border(const rcity_wall_sheet *sheet, const border_line *line, rcity_wall_list *list)
{
    double north = fmax(line->ay, line->by);
    double south = fmin(line->ay, line->by);
    int32_t begin = rcity_wall_first_row(sheet->lattice, north);
    int32_t end = rcity_wall_first_row(sheet->lattice, south);
    ask_beyond(sheet, line, north, begin - 1, -1);
    ask_beyond(sheet, line, south, end, 1);
    if (begin >= end) {
        return;
    }
    rcity_wall_border *border = &list->borders[list->count];
    border->offset = line->offset;
    border->slope = line->slope;
    border->step = line->step;
    border->line = line->line;
    set_exact(sheet, line, begin, end, border);
    border->error = (float)(line->error * (1.0 + fabs(line->slope)) * 1.0001);
    cut_rows(sheet, border, begin, end);
    list->count += border->begin < border->end || border->west_begin < border->west_end;
}

static void add_copy(const rcity_wall_sheet *sheet, int32_t index, double scale, int32_t step, rcity_wall_list *list)
{
    const rcity_wall_piece *piece = &sheet->pieces->pieces[index];
    double sx = sheet->source.x;
    double sy = sheet->source.y;
    border_line line;
    line.ax = rcity_wall_scaled(sx, piece->ax, scale);
    line.ay = rcity_wall_scaled(sy, piece->ay, scale);
    line.bx = rcity_wall_scaled(sx, piece->bx, scale);
    line.by = rcity_wall_scaled(sy, piece->by, scale);
    line.error = RCITY_WALL_SLACK * (piece->is_cut ? 1.0 + scale : 1.0);
    line.offset = line.slope = 0.0;
    if (piece->ey != 0) {
        line.slope = (double)piece->ex / piece->ey;
        line.offset = sx + scale * (double)rcity_wall_area(sheet, piece) / piece->ey;
    }
    line.step = line.by > line.ay ? step : -step;
    line.line = index;
    line.is_exact = scale == 1.0; /* a line that ends on a wall does not cross it */
    add_border(sheet, &line, list);
}

/* A copy that is infinitely far away matters to the rows that have it in the west. */
static void add_horizon(const rcity_wall_sheet *sheet, const rcity_wall_piece *piece, int32_t step,
                        rcity_wall_list *list)
{
    double ay = rcity_wall_scaled(sheet->source.y, piece->ay, HUGE_VAL);
    double by = rcity_wall_scaled(sheet->source.y, piece->by, HUGE_VAL);
    if (ay == by || (rcity_wall_area(sheet, piece) > 0) == (piece->ey > 0)) {
        return;
    }
    rcity_wall_border *border = &list->borders[list->count++];
    border->offset = border->slope = 0.0;
    border->error = 0.0f;
    border->line = 0;
    border->exact_begin = border->exact_end = 0;
    border->step = by > ay ? step : -step;
    border->begin = border->end = 0;
    border->west_begin = rcity_wall_first_row(sheet->lattice, fmax(ay, by));
    border->west_end = rcity_wall_first_row(sheet->lattice, fmin(ay, by));
}

void rcity_wall_add_copies(const rcity_wall_sheet *sheet, int32_t index, int side, rcity_wall_list *list)
{
    const rcity_wall_piece *piece = &sheet->pieces->pieces[index];
    double near, far;
    if (!rcity_wall_find_scales(sheet, piece->low, piece->high, &near, &far)) {
        return;
    }
    add_copy(sheet, index, near, side, list);
    if (far < HUGE_VAL) {
        add_copy(sheet, index, far, -side, list);
    } else {
        add_horizon(sheet, piece, -side, list);
    }
}

/* One of a piece's two roofs: where lines pass through it. */
static void add_roof(const rcity_wall_sheet *sheet, int32_t index, int32_t roof, bool is_left, rcity_wall_list *list)
{
    double scale = rcity_wall_scale_of(sheet, roof);
    if (scale > 1.0 && scale < HUGE_VAL) {
        int32_t path = (int32_t)lround(RCITY_WALL_FRACTION_ONE / scale);
        bool is_entered = sheet->source.z > sheet->lattice->plane->level; /* from above */
        add_copy(sheet, index, scale, is_left == is_entered ? path : -path, list);
    }
}

void rcity_wall_add_roofs(const rcity_wall_sheet *sheet, int32_t index, rcity_wall_list *list)
{
    const rcity_wall_piece *piece = &sheet->pieces->pieces[index];
    add_roof(sheet, index, piece->high, piece->is_high_left, list);
    if (piece->low != INT32_MIN) {
        add_roof(sheet, index, piece->low, !piece->is_high_left, list);
    }
}

void rcity_wall_add_ray(const rcity_wall_sheet *sheet, const int8_t *sides, int32_t index, rcity_wall_list *list)
{
    const rcity_wall_pieces *pieces = sheet->pieces;
    const rcity_wall_corner *corner = &pieces->corners[index];
    int32_t step = 0;
    /* Two pieces, one to the left of the line and one to its right, are passed like one wall. Where more pieces meet,
       buildings touch in a point; where the source is in line with a piece, its line runs along the piece. Then only a
       test of the pixel tells what is true exactly behind the corner. */
    bool is_plain = corner[1].first - corner->first == 2;
    for (int32_t i = corner->first; i < corner[1].first; i++) {
        const int8_t side = sides[pieces->ends[i] / 2];
        step += pieces->ends[i] % 2 == 0 ? side : -side;
        is_plain = is_plain && side != 0;
    }
    double dx = corner->x - sheet->source.x;
    double dy = corner->y - sheet->source.y;
    double near, far;
    if ((step == 0 && is_plain) || (dx == 0.0 && dy == 0.0) ||
        !rcity_wall_find_scales(sheet, corner->low, corner->high, &near, &far)) {
        return;
    }
    border_line line;
    line.ax = rcity_wall_scaled(sheet->source.x, corner->x, near);
    line.ay = rcity_wall_scaled(sheet->source.y, corner->y, near);
    line.bx = rcity_wall_scaled(sheet->source.x, corner->x, far);
    line.by = rcity_wall_scaled(sheet->source.y, corner->y, far);
    line.offset = sheet->source.x;
    line.slope = dy != 0.0 ? dx / dy : 0.0;
    line.error = RCITY_WALL_SLACK * (corner->is_cut ? 1.0 + rcity_wall_reach(sheet, dx, dy, far) : 1.0);
    line.step = dy < 0.0 ? step : -step;
    line.line = ~index;
    line.is_exact = is_plain && !corner->is_cut;
    add_border(sheet, &line, list);
}

/* The first column east of an exact border in a row, or on it where the west side has the higher number. */
static int32_t first_exactly(const rcity_wall_sheet *sheet, const rcity_wall_border *border, int32_t row, int32_t guess)
{
    const rcity_los_plane *plane = sheet->lattice->plane;
    int64_t px = sheet->source.x;
    int64_t py = sheet->source.y;
    int64_t ex, ey;
    if (border->line >= 0) {
        const rcity_wall_piece *piece = &sheet->pieces->pieces[border->line];
        px = piece->px;
        py = piece->py;
        ex = piece->ex;
        ey = piece->ey;
    } else {
        const rcity_wall_corner *corner = &sheet->pieces->corners[~border->line];
        ex = (int64_t)corner->x - px;
        ey = (int64_t)corner->y - py;
    }
    ex = ey > 0 ? ex : -ex;
    ey = ey > 0 ? ey : -ey;
    int64_t bound = (plane->y[row] - py) * ex + (border->step > 0);
    int32_t column = guess;
    while (column > 0 && (plane->x[column - 1] - px) * ey >= bound) {
        column--;
    }
    while (column < plane->column_count && (plane->x[column] - px) * ey < bound) {
        column++;
    }
    return column;
}

/* One row, with the exact places of its columns. */
static void draw_row(const rcity_wall_sheet *sheet, const rcity_wall_border *border, int32_t row, int32_t *steps)
{
    const rcity_los_plane *plane = sheet->lattice->plane;
    double x = border->offset + border->slope * ((double)plane->y[row] - sheet->source.y);
    int32_t column = rcity_wall_first_column(sheet->lattice, x);
    double error = (double)border->error;
    if (row >= border->exact_begin && row < border->exact_end) {
        column = first_exactly(sheet, border, row, column);
    } else if ((column > 0 && x - plane->x[column - 1] <= error) ||
               (column < plane->column_count && plane->x[column] - x <= error)) {
        rcity_wall_ask(sheet, row, x - error, x + error);
    }
    steps[RCITY_WALL_MARGIN + column] += border->step;
}

static void draw_rows(const rcity_wall_sheet *sheet, const rcity_wall_border *border, int32_t begin, int32_t end,
                      int32_t row_begin, int32_t *steps)
{
    const rcity_wall_lattice *lattice = sheet->lattice;
    size_t stride = (size_t)lattice->plane->column_count + 2 * RCITY_WALL_MARGIN;
    double slope = -border->slope * lattice->depth / lattice->width;
    double error = ((double)border->error + lattice->blur_x + lattice->blur_y * fabs(border->slope)) / lattice->width +
                   (double)(end - begin + 2) / FRACTION_ONE;
    int32_t *row_steps = steps + (size_t)(begin - row_begin) * stride;
    if (error > FINE_MAX || fabs(slope) > STEEP_MAX) {
        for (int32_t row = begin; row < end; row++, row_steps += stride) {
            draw_row(sheet, border, row, row_steps);
        }
        return;
    }
    double y = lattice->y - begin * lattice->depth;
    double first = (border->offset + border->slope * (y - sheet->source.y) - lattice->x) / lattice->width;
    int64_t place = (int64_t)floor(first * FRACTION_ONE);
    int64_t advance = (int64_t)(slope * FRACTION_ONE);
    uint32_t near = (uint32_t)(error * FRACTION_ONE) + 1;
    for (int32_t row = begin; row < end; row++, row_steps += stride, place += advance) {
        if ((uint32_t)place + near <= 2 * near) {
            draw_row(sheet, border, row, row_steps);
        } else {
            row_steps[RCITY_WALL_MARGIN + 1 + (place >> FRACTION_BITS)] += border->step;
        }
    }
}

void rcity_wall_draw(const rcity_wall_sheet *sheet, const rcity_wall_border *border, int32_t row_begin, int32_t row_end,
                     int32_t *steps, int32_t *west)
{
    int32_t west_begin = border->west_begin > row_begin ? border->west_begin : row_begin;
    int32_t west_end = border->west_end < row_end ? border->west_end : row_end;
    int32_t begin = border->begin > row_begin ? border->begin : row_begin;
    int32_t end = border->end < row_end ? border->end : row_end;
    if (west_begin < west_end) {
        west[west_begin - row_begin] += border->step;
        west[west_end - row_begin] -= border->step;
    }
    if (begin < end) {
        draw_rows(sheet, border, begin, end, row_begin, steps);
    }
}
