/* A uniform grid over the plan: counted, summed, filled. */
#include "scene/shape/plan_index.h"

#include <math.h>
#include <string.h>

/* More cells than this gain nothing and cost memory. */
#define CELL_COUNT_MAX (1 << 24)

/* Cells an item lies in, on average. */
#define ENTRIES_PER_ITEM_MAX 16.0

static rcity_plan_box bounds_of_all(int32_t item_count, rcity_plan_box_function box, const void *user)
{
    rcity_plan_box bounds = {0, 0, 0, 0};
    for (int32_t item = 0; item < item_count; item++) {
        rcity_plan_box at = box(user, item);
        if (item == 0) {
            bounds = at;
            continue;
        }
        bounds.x_min = at.x_min < bounds.x_min ? at.x_min : bounds.x_min;
        bounds.y_min = at.y_min < bounds.y_min ? at.y_min : bounds.y_min;
        bounds.x_max = at.x_max > bounds.x_max ? at.x_max : bounds.x_max;
        bounds.y_max = at.y_max > bounds.y_max ? at.y_max : bounds.y_max;
    }
    return bounds;
}

static int32_t clamp(int64_t value, int32_t last)
{
    return value < 0 ? 0 : value > last ? last : (int32_t)value;
}

static int32_t column_of(const rcity_plan_index *index, int32_t x)
{
    return clamp(((int64_t)x - index->bounds.x_min) / index->cell, index->column_count - 1);
}

static int32_t row_of(const rcity_plan_index *index, int32_t y)
{
    return clamp(((int64_t)y - index->bounds.y_min) / index->cell, index->row_count - 1);
}

/* In how many cells the items lie, in total. */
static double entry_count(const rcity_plan_index *index, int32_t item_count, rcity_plan_box_function box,
                          const void *user)
{
    double count = 0.0;
    for (int32_t item = 0; item < item_count; item++) {
        rcity_plan_box at = box(user, item);
        count += (double)(column_of(index, at.x_max) - column_of(index, at.x_min) + 1) *
                 (double)(row_of(index, at.y_max) - row_of(index, at.y_min) + 1);
    }
    return count;
}

static void set_cell(rcity_plan_index *index, int32_t cell)
{
    index->cell = cell;
    index->column_count = (index->bounds.x_max - index->bounds.x_min) / cell + 1;
    index->row_count = (index->bounds.y_max - index->bounds.y_min) / cell + 1;
}

static void lay_out(rcity_plan_index *index, int32_t item_count, rcity_plan_box_function box, const void *user)
{
    double width = (double)index->bounds.x_max - index->bounds.x_min + 1.0;
    double height = (double)index->bounds.y_max - index->bounds.y_min + 1.0;
    double cell_count = fmin(fmax(item_count, 1.0), CELL_COUNT_MAX);
    double cell = ceil(fmax(sqrt(width * height / cell_count), fmax(width, height) / CELL_COUNT_MAX * 64.0));
    set_cell(index, (int32_t)fmax(cell, 1.0));
    /* boxes much larger than a cell: coarser cells keep memory and traversals in proportion to the items */
    while (index->column_count * (int64_t)index->row_count > 1 &&
           entry_count(index, item_count, box, user) > ENTRIES_PER_ITEM_MAX * (double)item_count) {
        set_cell(index, 2 * index->cell);
    }
}

rcity_status rcity_plan_index_build(rcity_context *context, int32_t item_count, rcity_plan_box_function box,
                                    const void *user, rcity_plan_index *index)
{
    memset(index, 0, sizeof *index);
    index->bounds = bounds_of_all(item_count, box, user);
    lay_out(index, item_count, box, user);
    size_t cell_count = (size_t)index->column_count * (size_t)index->row_count;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, cell_count + 1, sizeof *index->cell_first, "the index", &index->cell_first));
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t item = 0; item < item_count; item++) {
            rcity_plan_box at = box(user, item);
            int32_t column_end = column_of(index, at.x_max);
            int32_t row_end = row_of(index, at.y_max);
            for (int32_t row = row_of(index, at.y_min); row <= row_end; row++) {
                for (int32_t column = column_of(index, at.x_min); column <= column_end; column++) {
                    int64_t cell = (int64_t)row * index->column_count + column;
                    if (pass == 0) {
                        index->cell_first[cell + 1]++;
                    } else {
                        index->items[index->cell_first[cell]++] = item;
                    }
                }
            }
        }
        if (pass == 0) {
            for (size_t cell = 0; cell < cell_count; cell++) {
                index->cell_first[cell + 1] += index->cell_first[cell];
            }
            RCITY_TRY_DONE(rcity_alloc(context, (size_t)index->cell_first[cell_count], sizeof *index->items,
                                       "the index", &index->items));
        }
    }
    /* Filling moved each start to its end: shift them back. */
    memmove(index->cell_first + 1, index->cell_first, cell_count * sizeof *index->cell_first);
    index->cell_first[0] = 0;
    status = RCITY_OK;
done:
    if (status != RCITY_OK) {
        rcity_plan_index_deinit(context, index);
    }
    return status;
}

void rcity_plan_index_deinit(rcity_context *context, rcity_plan_index *index)
{
    rcity_release(context, index->cell_first);
    rcity_release(context, index->items);
    memset(index, 0, sizeof *index);
}

static void enter_cell(rcity_plan_walk *walk)
{
    int64_t cell = (int64_t)walk->row * walk->index->column_count + walk->column;
    walk->next = walk->index->cell_first[cell];
    walk->end = walk->index->cell_first[cell + 1];
}

void rcity_plan_walk_init(const rcity_plan_index *index, rcity_plan_box box, rcity_plan_walk *walk)
{
    memset(walk, 0, sizeof *walk);
    walk->index = index;
    if (!rcity_plan_boxes_meet(box, index->bounds)) {
        walk->row = 0;
        walk->row_end = -1;
        return;
    }
    walk->column_begin = column_of(index, box.x_min);
    walk->column_end = column_of(index, box.x_max);
    walk->row_begin = row_of(index, box.y_min);
    walk->row_end = row_of(index, box.y_max);
    walk->column = walk->column_begin;
    walk->row = walk->row_begin;
    enter_cell(walk);
}

int32_t rcity_plan_walk_next(rcity_plan_walk *walk)
{
    while (walk->row <= walk->row_end) {
        if (walk->next < walk->end) {
            return walk->index->items[walk->next++];
        }
        if (walk->column < walk->column_end) {
            walk->column++;
        } else {
            walk->column = walk->column_begin;
            walk->row++;
        }
        if (walk->row <= walk->row_end) {
            enter_cell(walk);
        }
    }
    return -1;
}

bool rcity_plan_walk_is_first(const rcity_plan_walk *walk, rcity_plan_box item_box)
{
    int32_t item_column = column_of(walk->index, item_box.x_min);
    int32_t item_row = row_of(walk->index, item_box.y_min);
    int32_t first_column = item_column > walk->column_begin ? item_column : walk->column_begin;
    int32_t first_row = item_row > walk->row_begin ? item_row : walk->row_begin;
    return walk->column == first_column && walk->row == first_row;
}
