/* Which part of a lattice rasters cover: a coarse scan, and the largest rectangle in it. */
#include "io/raster/raster_region.h"

#include <math.h>
#include <string.h>

#define LINE_COUNT 400   /* lines of a scan, in each direction */
#define RIM_PX     0.499 /* nodes lie between pixel centres: half a pixel inside, minus rounding */
#define NEXT_PX    1.0   /* layers no farther apart than this are adjacent */
#define ROUNDING   1e-9  /* of a cell */

rcity_lattice_box rcity_lattice_inside(const rcity_lattice *lattice, const double box_m[4])
{
    return (rcity_lattice_box){.column_begin = (int64_t)ceil((box_m[0] - lattice->x_m) / lattice->cell_m - ROUNDING),
                               .row_begin = (int64_t)ceil((box_m[1] - lattice->y_m) / lattice->cell_m - ROUNDING),
                               .column_end = (int64_t)floor((box_m[2] - lattice->x_m) / lattice->cell_m + ROUNDING),
                               .row_end = (int64_t)floor((box_m[3] - lattice->y_m) / lattice->cell_m + ROUNDING)};
}

rcity_lattice_box rcity_lattice_around(const rcity_lattice *lattice, const double box_m[4])
{
    return (rcity_lattice_box){.column_begin = (int64_t)floor((box_m[0] - lattice->x_m) / lattice->cell_m + ROUNDING),
                               .row_begin = (int64_t)floor((box_m[1] - lattice->y_m) / lattice->cell_m + ROUNDING),
                               .column_end = (int64_t)ceil((box_m[2] - lattice->x_m) / lattice->cell_m - ROUNDING),
                               .row_end = (int64_t)ceil((box_m[3] - lattice->y_m) / lattice->cell_m - ROUNDING)};
}

/* Lines of the scan in one direction. */
typedef struct line_list {
    int64_t at[LINE_COUNT + 4]; /* ascending */
    int count;
    int needed_begin, needed_end; /* lines at the bounds of what is needed */
} line_list;

static void add_line(line_list *lines, int64_t at)
{
    if (lines->count == 0 || lines->at[lines->count - 1] < at) {
        lines->at[lines->count++] = at;
    }
}

/* Equal steps from begin to end, including both ends of what is needed. */
static void list_lines(int64_t begin, int64_t end, int64_t needed_begin, int64_t needed_end, line_list *lines)
{
    int64_t step = (end - begin) / LINE_COUNT + 1;
    lines->count = 0;
    for (int64_t at = begin; at < end; at += step) {
        if (needed_begin <= at) {
            add_line(lines, needed_begin);
        }
        if (needed_end <= at) {
            add_line(lines, needed_end);
        }
        add_line(lines, at);
    }
    add_line(lines, needed_begin);
    add_line(lines, needed_end);
    add_line(lines, end);
    for (int i = 0; i < lines->count; i++) {
        lines->needed_begin = lines->at[i] == needed_begin ? i : lines->needed_begin;
        lines->needed_end = lines->at[i] == needed_end ? i : lines->needed_end;
    }
}

/* The result of a scan. */
typedef struct region_look {
    const rcity_lattice *lattice;
    line_list columns, rows;
    bool *is_covered; /* rows.count x columns.count */
} region_look;

/* A place in the margin of a layer is also covered if another layer begins there: only the outermost margin is cut off,
   not the one between adjacent layers, even if their pixel sizes differ. */
static rcity_status look(rcity_import *import, const rcity_raster_set *set, region_look *seen)
{
    double x[LINE_COUNT + 4];
    double y[LINE_COUNT + 4];
    int near_count[LINE_COUNT + 4];
    bool is_held[LINE_COUNT + 4];
    const rcity_lattice *lattice = seen->lattice;
    for (int row = 0; row < seen->rows.count; row++) {
        bool *is_covered = seen->is_covered + (size_t)row * (size_t)seen->columns.count;
        memset(near_count, 0, sizeof near_count);
        memset(is_held, 0, sizeof is_held);
        for (int layer = 0; layer < set->layer_count; layer++) {
            for (int i = 0; i < seen->columns.count; i++) {
                x[i] = lattice->x_m + (double)seen->columns.at[i] * lattice->cell_m;
                y[i] = lattice->y_m + (double)seen->rows.at[row] * lattice->cell_m;
            }
            rcity_raster_locate(&set->layers[layer], seen->columns.count, x, y);
            for (int i = 0; i < seen->columns.count; i++) {
                is_covered[i] = is_covered[i] || rcity_raster_holds(&set->layers[layer], x[i], y[i], RIM_PX);
                is_held[i] = is_held[i] || rcity_raster_holds(&set->layers[layer], x[i], y[i], 0.0);
                near_count[i] += rcity_raster_holds(&set->layers[layer], x[i], y[i], -NEXT_PX) ? 1 : 0;
            }
        }
        for (int i = 0; i < seen->columns.count; i++) {
            is_covered[i] = is_covered[i] || (is_held[i] && near_count[i] >= 2);
        }
        RCITY_TRY(rcity_progress(import->context, "look at rasters", row + 1.0, (double)seen->rows.count));
    }
    return RCITY_OK;
}

/* Set what is needed to the covered place nearest to the middle of the covered area; false when there is none. */
static bool seed_middle(region_look *seen)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (int row = 0; row < seen->rows.count; row++) {
        for (int column = 0; column < seen->columns.count; column++) {
            if (seen->is_covered[row * seen->columns.count + column]) {
                sum[0] += (double)column;
                sum[1] += (double)row;
                sum[2] += 1.0;
            }
        }
    }
    double best = HUGE_VAL;
    for (int row = 0; row < seen->rows.count && sum[2] > 0.0; row++) {
        for (int column = 0; column < seen->columns.count; column++) {
            double distance = hypot(column - sum[0] / sum[2], row - sum[1] / sum[2]);
            if (seen->is_covered[row * seen->columns.count + column] && distance < best) {
                best = distance;
                seen->columns.needed_begin = seen->columns.needed_end = column;
                seen->rows.needed_begin = seen->rows.needed_end = row;
            }
        }
    }
    return sum[2] > 0.0;
}

/* Count what is needed as covered; false when none of it is. */
static bool force_needed(region_look *seen)
{
    bool has_any = false;
    for (int row = seen->rows.needed_begin; row <= seen->rows.needed_end; row++) {
        for (int column = seen->columns.needed_begin; column <= seen->columns.needed_end; column++) {
            bool *is_covered = &seen->is_covered[row * seen->columns.count + column];
            has_any = has_any || *is_covered;
            *is_covered = true;
        }
    }
    return has_any;
}

/* How far a row is covered on both sides of what is needed; false when it is not covered there. */
static bool measure_row(const region_look *seen, int row, int *left, int *right)
{
    const bool *is_covered = seen->is_covered + (size_t)row * (size_t)seen->columns.count;
    for (int column = seen->columns.needed_begin; column <= seen->columns.needed_end; column++) {
        if (!is_covered[column]) {
            return false;
        }
    }
    *left = seen->columns.needed_begin;
    *right = seen->columns.needed_end;
    while (*left > 0 && is_covered[*left - 1]) {
        (*left)--;
    }
    while (*right + 1 < seen->columns.count && is_covered[*right + 1]) {
        (*right)++;
    }
    return true;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Every pair of a first and a last row around what is needed, with the columns that all rows between them share. */
static void find_largest(const region_look *seen, rcity_lattice_box *kept)
{
    int left[LINE_COUNT + 4];
    int right[LINE_COUNT + 4];
    bool is_open[LINE_COUNT + 4];
    for (int row = 0; row < seen->rows.count; row++) {
        is_open[row] = measure_row(seen, row, &left[row], &right[row]);
    }
    int first_left = 0;
    int first_right = seen->columns.count - 1;
    for (int row = seen->rows.needed_begin; row <= seen->rows.needed_end; row++) {
        first_left = larger(first_left, left[row]);
        first_right = smaller(first_right, right[row]);
    }
    double best = -1.0;
    for (int begin = seen->rows.needed_begin; begin >= 0 && is_open[begin]; begin--) {
        first_left = larger(first_left, left[begin]);
        first_right = smaller(first_right, right[begin]);
        int now_left = first_left;
        int now_right = first_right;
        for (int end = seen->rows.needed_end; end < seen->rows.count && is_open[end]; end++) {
            now_left = larger(now_left, left[end]);
            now_right = smaller(now_right, right[end]);
            double area = ((double)(seen->columns.at[now_right] - seen->columns.at[now_left]) + 1.0) *
                          ((double)(seen->rows.at[end] - seen->rows.at[begin]) + 1.0);
            if (area > best) {
                best = area;
                *kept = (rcity_lattice_box){.column_begin = seen->columns.at[now_left],
                                            .row_begin = seen->rows.at[begin],
                                            .column_end = seen->columns.at[now_right],
                                            .row_end = seen->rows.at[end]};
            }
        }
    }
}

rcity_status rcity_region_choose(rcity_import *import, const rcity_raster_set *set, const rcity_lattice *lattice,
                                 rcity_lattice_box frame, const rcity_lattice_box *needed, rcity_lattice_box *kept,
                                 bool *is_empty)
{
    *is_empty = true;
    if (frame.column_begin > frame.column_end || frame.row_begin > frame.row_end) {
        return RCITY_OK;
    }
    region_look *seen = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(import->context, 1, sizeof *seen, "a look at rasters", &seen));
    const rcity_lattice_box *wanted = needed != NULL ? needed : &frame;
    seen->lattice = lattice;
    list_lines(frame.column_begin, frame.column_end, wanted->column_begin, wanted->column_end, &seen->columns);
    list_lines(frame.row_begin, frame.row_end, wanted->row_begin, wanted->row_end, &seen->rows);
    RCITY_TRY_DONE(rcity_alloc(import->context, (size_t)seen->rows.count * (size_t)seen->columns.count,
                               sizeof *seen->is_covered, "a look at rasters", &seen->is_covered));
    RCITY_TRY_DONE(look(import, set, seen));
    *is_empty = needed != NULL ? !force_needed(seen) : !seed_middle(seen);
    if (!*is_empty) {
        find_largest(seen, kept);
    }
done:
    rcity_release(import->context, seen->is_covered);
    rcity_release(import->context, seen);
    return status;
}
