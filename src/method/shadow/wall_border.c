/* Finding and drawing borders.

   Errors. Plan coordinates stay below 2^23, sources included, so differences below 2^24; corners are multiples of
   2^-20, exact in doubles. A ray's x is sx + (y - sy) dx / dy: three roundings of a number below 2^24, 2^-27 in all. A
   copy's x is sx + k a / ey + (y - sy) ex / ey, which grows with the slope and so does its error; measured across the
   border it is below 2^-24. SLACK is 16 times that. Corners that were rounded, by RCITY_WALL_ROUNDING / 2 along each
   axis, move what lies k times as far by k times as much. */
#include "method/shadow/wall_border.h"

#include <math.h>

#define SLACK (1.0 / 1048576.0) /* plan units across a border */

/* Steps of a row are found in 2^-32 of a column. */
#define FRACTION_BITS 32
#define FRACTION_ONE  4294967296.0
#define FINE_MAX      0.25 /* of a column: borders with a larger error are found row by row */
#define STEEP_MAX     1e6  /* columns a row, for the same */

rcity_wall_lattice rcity_wall_lattice_make(const rcity_los_plane *plane)
{
    int32_t columns = plane->column_count;
    int32_t rows = plane->row_count;
    rcity_wall_lattice lattice = {plane, plane->x[0], plane->y[0], 1.0, 1.0, 0.0, 0.0};
    if (columns > 1) {
        lattice.width = ((double)plane->x[columns - 1] - plane->x[0]) / (columns - 1);
    }
    if (rows > 1) {
        lattice.depth = ((double)plane->y[0] - plane->y[rows - 1]) / (rows - 1);
    }
    for (int32_t i = 0; i < columns; i++) {
        lattice.blur_x = fmax(lattice.blur_x, fabs(plane->x[i] - (lattice.x + i * lattice.width)));
    }
    for (int32_t i = 0; i < rows; i++) {
        lattice.blur_y = fmax(lattice.blur_y, fabs(plane->y[i] - (lattice.y - i * lattice.depth)));
    }
    return lattice;
}

/* The first row that is not north of a place. */
static int32_t first_row(const rcity_wall_lattice *lattice, double y)
{
    const rcity_los_plane *plane = lattice->plane;
    double guess = (lattice->y - y) / lattice->depth;
    int32_t row = guess <= 0.0 ? 0 : guess >= plane->row_count ? plane->row_count : (int32_t)guess;
    while (row > 0 && plane->y[row - 1] <= y) {
        row--;
    }
    while (row < plane->row_count && plane->y[row] > y) {
        row++;
    }
    return row;
}

/* The first column east of a place. */
static int32_t first_column(const rcity_wall_lattice *lattice, double x)
{
    const rcity_los_plane *plane = lattice->plane;
    double guess = (x - lattice->x) / lattice->width;
    int32_t column = guess <= 0.0 ? 0 : guess >= plane->column_count ? plane->column_count : (int32_t)guess;
    while (column > 0 && plane->x[column - 1] > x) {
        column--;
    }
    while (column < plane->column_count && plane->x[column] <= x) {
        column++;
    }
    return column;
}

/* Ask the pixels of a row from west to east, both included. */
static void ask_pixels(const rcity_wall_sheet *sheet, int32_t row, double west, double east)
{
    const rcity_los_plane *plane = sheet->lattice->plane;
    int32_t column = first_column(sheet->lattice, west);
    column -= column > 0 && plane->x[column - 1] == west;
    for (; column < plane->column_count && plane->x[column] <= east; column++) {
        atomic_fetch_or_explicit(&sheet->asked[(size_t)row * plane->row_words + (size_t)column / 64],
                                 (uint64_t)1 << (column % 64), memory_order_relaxed);
    }
}

/* A coordinate, scaled about the source. */
static double scaled(double source, double at, double scale)
{
    return at == source ? source : source + scale * (at - source);
}

/* The scale at which the line to a receiver passes a height where the wall stands: below 1 where none does. */
static double scale_of(const rcity_wall_sheet *sheet, int32_t height)
{
    double from = sheet->source.z;
    double to = sheet->lattice->plane->level;
    if (from > to) {
        return height < from ? fmax(1.0, (from - to) / (from - height)) : HUGE_VAL;
    }
    if (from < to) {
        return height > from ? fmax(1.0, (to - from) / (height - from)) : HUGE_VAL;
    }
    return height <= to ? 1.0 : HUGE_VAL;
}

/* Between which scales a wall between two heights is crossed; false for none. */
static bool find_scales(const rcity_wall_sheet *sheet, int32_t low, int32_t high, double *near, double *far)
{
    double from = scale_of(sheet, low);
    double to = scale_of(sheet, high);
    *near = fmin(from, to);
    *far = fmax(from, to);
    return *near < *far;
}

/* A border between two places, before it is cut to the raster. */
typedef struct border_line {
    double ax, ay, bx, by;
    double offset, slope;
    double error; /* across it */
    int32_t step;
    bool
        is_exact; /* pixels on it have the number of its lower side, but for its ends; line is as of rcity_wall_border */
    int32_t line;
} border_line;

/* Rows just beyond an end of the border, from one on northward or southward, may be so near that rounding has left
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
        ask_pixels(sheet, row, west, east);
    }
}

/* The first of rows begin .. end - 1 in which a border that goes east (or, mirrored, west) is beyond a column. */
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

/* Which rows see the border among their columns, and which west of them. */
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

/* The rows in which the border is exact: not where it meets others. */
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
    int32_t begin = first_row(sheet->lattice, north);
    int32_t end = first_row(sheet->lattice, south);
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

/* Twice the area of the triangle from the source to where the wall starts and where it ends. */
static int64_t find_area(const rcity_wall_sheet *sheet, const rcity_wall_piece *piece)
{
    return ((int64_t)piece->px - sheet->source.x) * piece->ey - ((int64_t)piece->py - sheet->source.y) * piece->ex;
}

int rcity_wall_side(const rcity_wall_sheet *sheet, int32_t piece)
{
    int64_t area = find_area(sheet, &sheet->pieces->pieces[piece]);
    return (area > 0) - (area < 0);
}

static void add_copy(const rcity_wall_sheet *sheet, int32_t index, double scale, int32_t step, rcity_wall_list *list)
{
    const rcity_wall_piece *piece = &sheet->pieces->pieces[index];
    double sx = sheet->source.x;
    double sy = sheet->source.y;
    border_line line;
    line.ax = scaled(sx, piece->ax, scale);
    line.ay = scaled(sy, piece->ay, scale);
    line.bx = scaled(sx, piece->bx, scale);
    line.by = scaled(sy, piece->by, scale);
    line.error = SLACK * (piece->is_cut ? 1.0 + scale : 1.0);
    line.offset = line.slope = 0.0;
    if (piece->ey != 0) {
        line.slope = (double)piece->ex / piece->ey;
        line.offset = sx + scale * (double)find_area(sheet, piece) / piece->ey;
    }
    line.step = line.by > line.ay ? step : -step;
    line.line = index;
    line.is_exact = scale == 1.0; /* a line that ends on a wall does not cross it */
    add_border(sheet, &line, list);
}

/* A copy that is infinitely far away: it matters to rows that see it in the west. */
static void add_horizon(const rcity_wall_sheet *sheet, const rcity_wall_piece *piece, int32_t step,
                        rcity_wall_list *list)
{
    double ay = scaled(sheet->source.y, piece->ay, HUGE_VAL);
    double by = scaled(sheet->source.y, piece->by, HUGE_VAL);
    if (ay == by || (find_area(sheet, piece) > 0) == (piece->ey > 0)) {
        return;
    }
    rcity_wall_border *border = &list->borders[list->count++];
    border->offset = border->slope = 0.0;
    border->error = 0.0f;
    border->line = 0;
    border->exact_begin = border->exact_end = 0;
    border->step = by > ay ? step : -step;
    border->begin = border->end = 0;
    border->west_begin = first_row(sheet->lattice, fmax(ay, by));
    border->west_end = first_row(sheet->lattice, fmin(ay, by));
}

void rcity_wall_add_copies(const rcity_wall_sheet *sheet, int32_t index, int side, rcity_wall_list *list)
{
    const rcity_wall_piece *piece = &sheet->pieces->pieces[index];
    double near, far;
    if (!find_scales(sheet, piece->low, piece->high, &near, &far)) {
        return;
    }
    add_copy(sheet, index, near, side, list);
    if (far < HUGE_VAL) {
        add_copy(sheet, index, far, -side, list);
    } else {
        add_horizon(sheet, piece, -side, list);
    }
}

/* How many times as far as a corner the raster's farthest pixel behind it is, at most. */
static double reach_of(const rcity_wall_sheet *sheet, double dx, double dy, double far)
{
    const rcity_los_plane *plane = sheet->lattice->plane;
    double wide = fmax(fabs((double)plane->x[0] - sheet->source.x),
                       fabs((double)plane->x[plane->column_count - 1] - sheet->source.x));
    double deep = fmax(fabs((double)plane->y[0] - sheet->source.y),
                       fabs((double)plane->y[plane->row_count - 1] - sheet->source.y));
    return fmin(far, fmin(dx != 0.0 ? wide / fabs(dx) : HUGE_VAL, dy != 0.0 ? deep / fabs(dy) : HUGE_VAL));
}

void rcity_wall_add_ray(const rcity_wall_sheet *sheet, const int8_t *sides, int32_t index, rcity_wall_list *list)
{
    const rcity_wall_pieces *pieces = sheet->pieces;
    const rcity_wall_corner *corner = &pieces->corners[index];
    int32_t step = 0;
    /* Two pieces, one to the left of the line and one to its right, are passed like one wall. Where more meet,
       buildings touch in a point, and where the source is in line with a piece, its line goes along it: then only
       asking tells what is true exactly behind the corner. */
    bool is_plain = corner[1].first - corner->first == 2;
    for (int32_t i = corner->first; i < corner[1].first; i++) {
        int side = sides[pieces->ends[i] / 2];
        step += pieces->ends[i] % 2 == 0 ? side : -side;
        is_plain = is_plain && side != 0;
    }
    double dx = corner->x - sheet->source.x;
    double dy = corner->y - sheet->source.y;
    double near, far;
    if ((step == 0 && is_plain) || (dx == 0.0 && dy == 0.0) ||
        !find_scales(sheet, corner->low, corner->high, &near, &far)) {
        return;
    }
    border_line line;
    line.ax = scaled(sheet->source.x, corner->x, near);
    line.ay = scaled(sheet->source.y, corner->y, near);
    line.bx = scaled(sheet->source.x, corner->x, far);
    line.by = scaled(sheet->source.y, corner->y, far);
    line.offset = sheet->source.x;
    line.slope = dy != 0.0 ? dx / dy : 0.0;
    line.error = SLACK * (corner->is_cut ? 1.0 + reach_of(sheet, dx, dy, far) : 1.0);
    line.step = dy < 0.0 ? step : -step;
    line.line = ~index;
    line.is_exact = is_plain && !corner->is_cut;
    add_border(sheet, &line, list);
}

/* The first column east of an exact border in a row, or on it where what lies in the west has the higher number. */
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

/* One row, with the places of its columns as they are. */
static void draw_row(const rcity_wall_sheet *sheet, const rcity_wall_border *border, int32_t row, int32_t *steps)
{
    const rcity_los_plane *plane = sheet->lattice->plane;
    double x = border->offset + border->slope * ((double)plane->y[row] - sheet->source.y);
    int32_t column = first_column(sheet->lattice, x);
    double error = (double)border->error;
    if (row >= border->exact_begin && row < border->exact_end) {
        column = first_exactly(sheet, border, row, column);
    } else if ((column > 0 && x - plane->x[column - 1] <= error) ||
               (column < plane->column_count && plane->x[column] - x <= error)) {
        ask_pixels(sheet, row, x - error, x + error);
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
