/* Traces regions. The edges between inside and outside are followed with the inside on the left. Where two inside cells
   touch in a corner, the trace turns left, around the cell it comes from: a corner does not connect cells. A trace that
   passes one corner twice closes a loop there; the loops are cut apart, so that every ring is simple. The result is one
   outer ring for each connected set of cells, and its holes. */
#include "io/export/regions.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INSIDE 1u
#define WALKED 2u /* the southern side of the cell is part of a ring already */

typedef enum heading { EAST, NORTH, WEST, SOUTH } heading;

/* The data of the trace. */
typedef struct region_work {
    rcity_context *context;
    int64_t columns, rows;
    unsigned char *cell; /* INSIDE, WALKED */
    int32_t *label;      /* of cells inside */
    int32_t *parent;     /* of labels: labels of the same set share a root */
    size_t label_count, label_capacity;
    size_t *polygon; /* of root labels; SIZE_MAX: none yet */
    int32_t *chain;  /* corners of the trace, as pairs */
    size_t chain_count, chain_capacity;
    size_t *loop; /* for cutting: stack of corners whose loop is not closed */
    size_t loop_capacity;
    size_t *order; /* for cutting: corners sorted by place */
    size_t order_capacity;
    size_t corner_capacity, ring_capacity;
} region_work;

static bool is_inside(const region_work *work, int64_t column, int64_t row)
{
    return column >= 0 && column < work->columns && row >= 0 && row < work->rows &&
           (work->cell[row * work->columns + column] & INSIDE) != 0;
}

static int32_t find_root(const region_work *work, int32_t label)
{
    while (work->parent[label] != label) {
        work->parent[label] = work->parent[work->parent[label]];
        label = work->parent[label];
    }
    return label;
}

static void join(const region_work *work, int32_t a, int32_t b)
{
    a = find_root(work, a);
    b = find_root(work, b);
    work->parent[a > b ? a : b] = a > b ? b : a;
}

/* Labels for sets of cells that are connected by their sides. */
static rcity_status label_cells(region_work *work)
{
    for (int64_t row = 0; row < work->rows; row++) {
        for (int64_t column = 0; column < work->columns; column++) {
            int64_t i = row * work->columns + column;
            if ((work->cell[i] & INSIDE) == 0) {
                continue;
            }
            bool has_west = is_inside(work, column - 1, row);
            bool has_north = is_inside(work, column, row - 1);
            if (has_west || has_north) {
                work->label[i] = has_west ? work->label[i - 1] : work->label[i - work->columns];
            } else {
                RCITY_TRY(rcity_reserve(work->context, work->label_count + 1, sizeof *work->parent,
                                        &work->label_capacity, "the labels of regions", &work->parent));
                work->label[i] = (int32_t)work->label_count;
                work->parent[work->label_count++] = work->label[i];
            }
            if (has_west && has_north) {
                join(work, work->label[i], work->label[i - work->columns]);
            }
        }
    }
    return RCITY_OK;
}

static rcity_status mark_cells(region_work *work, const float *value, double threshold, bool is_loss,
                               rcity_regions *regions)
{
    size_t count = (size_t)(work->columns * work->rows);
    RCITY_TRY(rcity_alloc(work->context, count, 1, "the cells of regions", &work->cell));
    RCITY_TRY(rcity_alloc(work->context, count, sizeof *work->label, "the labels of regions", &work->label));
    for (size_t i = 0; i < count; i++) {
        bool is_in = is_loss ? (double)value[i] <= threshold : (double)value[i] >= threshold; /* NAN is neither */
        work->cell[i] = is_in ? INSIDE : 0;
        regions->cell_count += is_in ? 1 : 0;
        regions->value_count += isnan(value[i]) ? 0 : 1;
    }
    return RCITY_OK;
}

/* The cells ahead of a corner, left and right of the direction. */
static void look_ahead(const region_work *work, heading direction, int64_t column, int64_t row, bool *left, bool *right)
{
    static const int left_step[4][2] = {{0, -1}, {-1, -1}, {-1, 0}, {0, 0}};
    static const int right_step[4][2] = {{0, 0}, {0, -1}, {-1, -1}, {-1, 0}};
    *left = is_inside(work, column + left_step[direction][0], row + left_step[direction][1]);
    *right = is_inside(work, column + right_step[direction][0], row + right_step[direction][1]);
}

static rcity_status add_to_chain(region_work *work, int64_t column, int64_t row)
{
    RCITY_TRY(rcity_reserve(work->context, 2 * (work->chain_count + 1), sizeof *work->chain, &work->chain_capacity,
                            "the corners of regions", &work->chain));
    work->chain[2 * work->chain_count] = (int32_t)column;
    work->chain[2 * work->chain_count + 1] = (int32_t)row;
    work->chain_count++;
    return RCITY_OK;
}

/* Trace once around, from the south-western corner of a cell to the east; keep the corners where the direction
   changes. */
static rcity_status walk(region_work *work, int64_t start_column, int64_t start_row)
{
    static const int step[4][2] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
    int64_t column = start_column;
    int64_t row = start_row + 1;
    heading direction = EAST;
    work->chain_count = 0;
    do {
        if (direction == EAST) {
            work->cell[(row - 1) * work->columns + column] |= WALKED;
        }
        column += step[direction][0];
        row += step[direction][1];
        bool left, right;
        look_ahead(work, direction, column, row, &left, &right);
        if (!left) {
            RCITY_TRY(add_to_chain(work, column, row));
            direction = (heading)((direction + 1) % 4);
        } else if (right) {
            RCITY_TRY(add_to_chain(work, column, row));
            direction = (heading)((direction + 3) % 4);
        }
    } while (column != start_column || row != start_row + 1 || direction != EAST);
    return RCITY_OK;
}

/* Twice the area inside a ring, with north up; below 0 for a hole. */
static int64_t doubled_area(const int32_t *corner, size_t count)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = (i + 1) % count;
        sum += (int64_t)corner[2 * k] * corner[2 * i + 1] - (int64_t)corner[2 * i] * corner[2 * k + 1];
    }
    return sum;
}

static rcity_status add_ring(region_work *work, const size_t *index, size_t count, int32_t root, rcity_regions *regions)
{
    RCITY_TRY(rcity_reserve(work->context, 2 * (regions->corner_count + count), sizeof *regions->corner,
                            &work->corner_capacity, "the corners of regions", &regions->corner));
    RCITY_TRY(rcity_reserve(work->context, regions->ring_count + 1, sizeof *regions->ring, &work->ring_capacity,
                            "the rings of regions", &regions->ring));
    int32_t *corner = regions->corner + 2 * regions->corner_count;
    for (size_t i = 0; i < count; i++) {
        corner[2 * i] = work->chain[2 * index[i]];
        corner[2 * i + 1] = work->chain[2 * index[i] + 1];
    }
    bool is_outer = doubled_area(corner, count) > 0;
    if (is_outer) {
        assert(work->polygon[root] == SIZE_MAX);
        work->polygon[root] = regions->polygon_count++;
    }
    /* a hole may come before its outer ring: the polygon is found at the end */
    regions->ring[regions->ring_count++] = (rcity_region_ring){
        .first = regions->corner_count, .count = count, .polygon = (size_t)root, .is_outer = is_outer};
    regions->corner_count += count;
    return RCITY_OK;
}

/* A corner of the chain with its place, which the comparison needs, since qsort passes no context. Corners are ordered
   by place, those of one place by their order in the trace. */
typedef struct placed_corner {
    int32_t column, row;
    size_t index;
} placed_corner;

static int compare_places(const void *a, const void *b)
{
    const placed_corner *left = a;
    const placed_corner *right = b;
    if (left->row != right->row) {
        return left->row < right->row ? -1 : 1;
    }
    if (left->column != right->column) {
        return left->column < right->column ? -1 : 1;
    }
    return left->index < right->index ? -1 : 1;
}

/* For each corner of the chain the earlier one at the same place, or itself. */
static rcity_status find_meetings(region_work *work)
{
    size_t count = work->chain_count;
    placed_corner *placed = NULL;
    RCITY_TRY(rcity_reserve(work->context, count, sizeof *work->order, &work->order_capacity, "the corners of regions",
                            &work->order));
    RCITY_TRY(rcity_alloc(work->context, count, sizeof *placed, "the corners of regions", &placed));
    for (size_t i = 0; i < count; i++) {
        placed[i] = (placed_corner){work->chain[2 * i], work->chain[2 * i + 1], i};
    }
    qsort(placed, count, sizeof *placed, compare_places);
    for (size_t i = 0; i < count; i++) {
        bool is_again = i > 0 && placed[i].row == placed[i - 1].row && placed[i].column == placed[i - 1].column;
        work->order[placed[i].index] = is_again ? placed[i - 1].index : placed[i].index;
    }
    rcity_release(work->context, placed);
    return RCITY_OK;
}

/* Cut the chain where it meets itself. The corners not yet in a loop lie on a stack; when a place occurs again, the
   corners since its first occurrence are a loop. Loops never cross, so the first occurrence is still on the stack. */
static rcity_status cut_chain(region_work *work, int32_t root, rcity_regions *regions)
{
    RCITY_TRY(find_meetings(work));
    RCITY_TRY(rcity_reserve(work->context, work->chain_count, sizeof *work->loop, &work->loop_capacity,
                            "the corners of regions", &work->loop));
    size_t open = 0;
    for (size_t i = 0; i < work->chain_count; i++) {
        if (work->order[i] != i) {
            size_t first = open;
            do {
                assert(first > 0);
                first--;
            } while (work->loop[first] != work->order[i]);
            RCITY_TRY(add_ring(work, work->loop + first, open - first, root, regions));
            open = first;
        }
        work->loop[open++] = i;
    }
    return add_ring(work, work->loop, open, root, regions);
}

static rcity_status trace(region_work *work, rcity_regions *regions)
{
    RCITY_TRY(rcity_alloc(work->context, work->label_count, sizeof *work->polygon, "the polygons of regions",
                          &work->polygon));
    for (size_t i = 0; i < work->label_count; i++) {
        work->polygon[i] = SIZE_MAX;
    }
    for (int64_t row = 0; row < work->rows; row++) {
        for (int64_t column = 0; column < work->columns; column++) {
            int64_t i = row * work->columns + column;
            if (work->cell[i] == INSIDE && !is_inside(work, column, row + 1)) {
                RCITY_TRY(walk(work, column, row));
                RCITY_TRY(cut_chain(work, find_root(work, work->label[i]), regions));
            }
        }
    }
    return RCITY_OK;
}

/* Polygon by polygon, the outer ring first, then the holes in their order. */
static int compare_rings(const void *a, const void *b)
{
    const rcity_region_ring *left = a;
    const rcity_region_ring *right = b;
    if (left->polygon != right->polygon) {
        return left->polygon < right->polygon ? -1 : 1;
    }
    if (left->is_outer != right->is_outer) {
        return left->is_outer ? -1 : 1;
    }
    return left->first < right->first ? -1 : 1;
}

static void sort_rings(const region_work *work, rcity_regions *regions)
{
    for (size_t i = 0; i < regions->ring_count; i++) {
        regions->ring[i].polygon = work->polygon[regions->ring[i].polygon];
        assert(regions->ring[i].polygon < regions->polygon_count);
    }
    if (regions->ring_count > 0) {
        qsort(regions->ring, regions->ring_count, sizeof *regions->ring, compare_rings);
    }
}

rcity_status rcity_regions_find(rcity_context *context, const float *value, int64_t column_count, int64_t row_count,
                                double threshold, bool is_loss, rcity_regions *regions)
{
    RCITY_CHECK(context, column_count < INT32_MAX && row_count < INT32_MAX && column_count <= INT32_MAX / row_count,
                RCITY_ERR_ARGUMENT, "areas of a map of %lld x %lld cells are not offered; use a larger cell",
                (long long)column_count, (long long)row_count);
    region_work work = {.context = context, .columns = column_count, .rows = row_count};
    rcity_regions made = {.context = context};
    rcity_status status;
    RCITY_TRY_DONE(mark_cells(&work, value, threshold, is_loss, &made));
    RCITY_TRY_DONE(label_cells(&work));
    if (made.cell_count > 0) {
        RCITY_TRY_DONE(trace(&work, &made));
    }
    sort_rings(&work, &made);
    *regions = made;
    made = (rcity_regions){.context = context};
done:
    rcity_regions_deinit(&made);
    rcity_release(context, work.order);
    rcity_release(context, work.loop);
    rcity_release(context, work.chain);
    rcity_release(context, work.polygon);
    rcity_release(context, work.parent);
    rcity_release(context, work.label);
    rcity_release(context, work.cell);
    return status;
}

void rcity_regions_deinit(rcity_regions *regions)
{
    rcity_release(regions->context, regions->ring);
    rcity_release(regions->context, regions->corner);
    regions->ring = NULL;
    regions->corner = NULL;
    regions->ring_count = regions->corner_count = regions->polygon_count = 0;
}
