#include "visibility/walls/wall_sheet.h"

#include <math.h>

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

int32_t rcity_wall_first_row(const rcity_wall_lattice *lattice, double y)
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

int32_t rcity_wall_first_column(const rcity_wall_lattice *lattice, double x)
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

void rcity_wall_ask(const rcity_wall_sheet *sheet, int32_t row, double west, double east)
{
    const rcity_los_plane *plane = sheet->lattice->plane;
    int32_t column = rcity_wall_first_column(sheet->lattice, west);
    column -= column > 0 && plane->x[column - 1] == west;
    for (; column < plane->column_count && plane->x[column] <= east; column++) {
        atomic_fetch_or_explicit(&sheet->asked[(size_t)row * plane->row_words + (size_t)column / 64],
                                 (uint64_t)1 << (column % 64), memory_order_relaxed);
    }
}

double rcity_wall_scale_of(const rcity_wall_sheet *sheet, int32_t height)
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

bool rcity_wall_find_scales(const rcity_wall_sheet *sheet, int32_t low, int32_t high, double *near, double *far)
{
    double from = rcity_wall_scale_of(sheet, low);
    double to = rcity_wall_scale_of(sheet, high);
    *near = fmin(from, to);
    *far = fmax(from, to);
    return *near < *far;
}

int rcity_wall_side(const rcity_wall_sheet *sheet, int32_t piece)
{
    int64_t area = rcity_wall_area(sheet, &sheet->pieces->pieces[piece]);
    return (area > 0) - (area < 0);
}

double rcity_wall_reach(const rcity_wall_sheet *sheet, double dx, double dy, double far)
{
    const rcity_los_plane *plane = sheet->lattice->plane;
    double wide = fmax(fabs((double)plane->x[0] - sheet->source.x),
                       fabs((double)plane->x[plane->column_count - 1] - sheet->source.x));
    double deep = fmax(fabs((double)plane->y[0] - sheet->source.y),
                       fabs((double)plane->y[plane->row_count - 1] - sheet->source.y));
    return fmin(far, fmin(dx != 0.0 ? wide / fabs(dx) : HUGE_VAL, dy != 0.0 ? deep / fabs(dy) : HUGE_VAL));
}
