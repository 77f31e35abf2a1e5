/* Parts are listed on all threads, some beams at a time, and put down strip by strip in the order of trees, nodes and parts.
   Many are narrower than a cell: those that hold no place of a strip are not listed there. */
#include "method/beams/raster/beam_bins.h"

#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "method/beams/raster/beam_chunks.h"
#include "method/beams/raster/beam_shape.h"

#define RIM_M 1e-6 /* more than rounding moves a border */

static inline double place_west_m(const rcity_beams_bins *bins)
{
    return bins->grid.west_m + 0.5 * bins->grid.cell_m + bins->dx;
}

static inline double place_y_m(const rcity_beams_bins *bins, int64_t row)
{
    return bins->grid.north_m - ((double)row + 0.5) * bins->grid.cell_m + bins->dy;
}

/* A part that may hold a place of a strip. */
typedef struct strip_item {
    int32_t strip, node, part;
} strip_item;

/* What was found of some beams. */
typedef struct bins_found {
    strip_item *items;
    size_t item_count, item_capacity;
} bins_found;

typedef struct bins_run {
    rcity_context *context;
    rcity_beams_bins *bins;
    rcity_beams_chunk *chunks;
    bins_found *found; /* of each chunk */
    int64_t chunk_count;
    int64_t *place;    /* of each chunk and strip: how many items, then where they go */
    atomic_int status; /* the first failure of any thread */
} bins_run;

/* Does any of some rows have a column? */
static inline bool have_columns(const rcity_beam_rows *rows, int count)
{
    bool have = false;
    for (int i = 0; i < count; i++) {
        have = have || rows->from[i] <= rows->to[i];
    }
    return have;
}

/* The strips in which a part may hold places. */
RCITY_WIDE static rcity_status list_strips(const bins_run *run, const rcity_beam_shape *shape, int32_t node,
                                           int32_t part, bins_found *found)
{
    const rcity_beams_bins *bins = run->bins;
    const rcity_beams_grid *grid = &bins->grid;
    int64_t first, last;
    double west_m = place_west_m(bins);
    if (!rcity_beam_shape_rows(shape, grid, bins->dx, bins->dy, RIM_M, &first, &last)) {
        return RCITY_OK;
    }
    rcity_beam_sides sides;
    rcity_beam_rows rows;
    rcity_beam_sides_init(shape, west_m, grid->cell_m, &sides);
    int64_t strip_first = first / bins->strip_rows;
    int64_t strip_last = last / bins->strip_rows;
    RCITY_TRY(rcity_reserve(run->context, found->item_count + (size_t)(strip_last - strip_first + 1),
                            sizeof *found->items, &found->item_capacity, "beams by strips of rows", &found->items));
    for (int64_t strip = strip_first; strip <= strip_last; strip++) {
        int64_t end = (strip + 1) * bins->strip_rows - 1;
        end = end < last ? end : last;
        bool holds = false;
        for (int64_t row = strip > strip_first ? strip * bins->strip_rows : first; row <= end && !holds;
             row += RCITY_BEAM_SHAPE_ROWS) {
            int count = (int)(end - row + 1 < RCITY_BEAM_SHAPE_ROWS ? end - row + 1 : RCITY_BEAM_SHAPE_ROWS);
            rcity_beam_sides_cut(&sides, place_y_m(bins, row), grid->cell_m, (double)(grid->column_count - 1), count,
                                 &rows);
            holds = have_columns(&rows, count);
        }
        if (holds) {
            found->items[found->item_count++] = (strip_item){(int32_t)strip, node, part};
        }
    }
    return RCITY_OK;
}

static rcity_status list_chunk(const bins_run *run, const rcity_beams_chunk *chunk, bins_found *found)
{
    const rcity_beams_forest *forest = run->bins->forest;
    const rcity_beams_tree *tree = &forest->trees[chunk->tree];
    for (int32_t n = chunk->node_first; n < chunk->node_end; n++) {
        const rcity_beams_node *node = &tree->nodes[n];
        rcity_beam_frame frame;
        if (node->part_count == 0 || !rcity_beams_node_frame(node, &frame)) {
            continue;
        }
        double far_m = rcity_beams_grid_reach_m(&run->bins->grid, node);
        for (int32_t k = node->part_first; k < node->part_first + node->part_count; k++) {
            rcity_beam_shape shape;
            rcity_beam_shape_init(forest->growth.world->facets, node, &frame, &tree->parts[k], far_m, &shape);
            RCITY_TRY(list_strips(run, &shape, n, k, found));
        }
    }
    return RCITY_OK;
}

/* An rcity_parallel_function over chunks. */
static void list_chunks(void *user, int64_t begin, int64_t end, int thread_index)
{
    bins_run *run = user;
    (void)thread_index;
    for (int64_t i = begin; i < end && atomic_load(&run->status) == RCITY_OK; i++) {
        int none = RCITY_OK;
        rcity_status status = list_chunk(run, &run->chunks[i], &run->found[i]);
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&run->status, &none, (int)status);
        }
        for (size_t k = 0; k < run->found[i].item_count; k++) {
            run->place[i * run->bins->strip_count + run->found[i].items[k].strip]++;
        }
    }
}

/* An rcity_parallel_function over chunks. */
static void put_chunks(void *user, int64_t begin, int64_t end, int thread_index)
{
    bins_run *run = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        const bins_found *found = &run->found[i];
        int64_t *place = run->place + i * run->bins->strip_count;
        for (size_t k = 0; k < found->item_count; k++) {
            const strip_item *item = &found->items[k];
            run->bins->ends[place[item->strip]++] = (rcity_beams_way_end){run->chunks[i].tree, item->node, item->part};
        }
    }
}

/* Where the items of each chunk go in each strip. */
static void find_places(bins_run *run)
{
    rcity_beams_bins *bins = run->bins;
    int64_t next = 0;
    for (int64_t strip = 0; strip < bins->strip_count; strip++) {
        bins->first[strip] = next;
        for (int64_t i = 0; i < run->chunk_count; i++) {
            int64_t *place = &run->place[i * bins->strip_count + strip];
            int64_t count = *place;
            *place = next;
            next += count;
        }
    }
    bins->first[bins->strip_count] = next;
}

rcity_status rcity_beams_bins_init(rcity_context *context, const rcity_beams_forest *forest,
                                   const rcity_beams_grid *grid, double dx, double dy, int64_t strip_rows,
                                   rcity_beams_bins *bins)
{
    bins_run run;
    rcity_status status;
    memset(bins, 0, sizeof *bins);
    bins->forest = forest;
    bins->grid = *grid;
    bins->dx = dx;
    bins->dy = dy;
    bins->strip_rows = strip_rows;
    bins->strip_count = (grid->row_count + strip_rows - 1) / strip_rows;
    memset(&run, 0, sizeof run);
    run.context = context;
    run.bins = bins;
    atomic_init(&run.status, RCITY_OK);
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)bins->strip_count + 1, sizeof *bins->first, "beams by strips of rows",
                               &bins->first));
    RCITY_TRY_DONE(rcity_beams_chunks_list(context, forest, &run.chunks, &run.chunk_count));
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)run.chunk_count + 1, sizeof *run.found, "beams by strips of rows", &run.found));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)(run.chunk_count * bins->strip_count) + 1, sizeof *run.place,
                               "beams by strips of rows", &run.place));
    rcity_parallel(context, run.chunk_count, 1, list_chunks, &run);
    RCITY_TRY_DONE((rcity_status)atomic_load(&run.status));
    find_places(&run);
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)bins->first[bins->strip_count] + 1, sizeof *bins->ends,
                               "beams by strips of rows", &bins->ends));
    rcity_parallel(context, run.chunk_count, 1, put_chunks, &run);
done:
    for (int64_t i = 0; run.found != NULL && i < run.chunk_count; i++) {
        rcity_release(context, run.found[i].items);
    }
    rcity_release(context, run.place);
    rcity_release(context, run.found);
    rcity_release(context, run.chunks);
    if (status != RCITY_OK) {
        rcity_beams_bins_deinit(context, bins);
    }
    return status;
}

void rcity_beams_bins_deinit(rcity_context *context, rcity_beams_bins *bins)
{
    rcity_release(context, bins->ends);
    rcity_release(context, bins->first);
    memset(bins, 0, sizeof *bins);
}

void rcity_beams_strip_deinit(rcity_context *context, rcity_beams_strip *strip)
{
    rcity_release(context, strip->found);
    rcity_release(context, strip->list);
    rcity_release(context, strip->first);
    memset(strip, 0, sizeof *strip);
}

/* The cells of a part between some rows, all in one strip. */
RCITY_WIDE static rcity_status take_rows(rcity_context *context, const rcity_beams_bins *bins, int64_t end,
                                         const rcity_beam_shape *shape, int64_t first, int64_t last,
                                         rcity_beams_strip *strip)
{
    const rcity_beams_grid *grid = &bins->grid;
    rcity_beam_sides sides;
    rcity_beam_rows rows;
    double west_m = place_west_m(bins);
    rcity_beam_sides_init(shape, west_m, grid->cell_m, &sides);
    for (int64_t row = first; row <= last; row += RCITY_BEAM_SHAPE_ROWS) {
        int count = (int)(last - row + 1 < RCITY_BEAM_SHAPE_ROWS ? last - row + 1 : RCITY_BEAM_SHAPE_ROWS);
        rcity_beam_sides_cut(&sides, place_y_m(bins, row), grid->cell_m, (double)(grid->column_count - 1), count,
                             &rows);
        for (int i = 0; i < count; i++) {
            if (!(rows.from[i] <= rows.to[i])) {
                continue;
            }
            int64_t from = (int64_t)rows.from[i];
            int64_t to = (int64_t)rows.to[i];
            double y = place_y_m(bins, row + i);
            RCITY_TRY(rcity_reserve(context, strip->found_count + 2 * (size_t)(to - from + 1), sizeof *strip->found,
                                    &strip->found_capacity, "beams of a strip", &strip->found));
            for (int64_t column = from; column <= to; column++) {
                if (rcity_beam_shape_holds(shape, west_m + (double)column * grid->cell_m, y)) {
                    strip->found[strip->found_count++] = (row + i) * grid->column_count + column - strip->cell_first;
                    strip->found[strip->found_count++] = end;
                }
            }
        }
    }
    return RCITY_OK;
}

/* Sort what was found by cells, in the order of ends. */
static rcity_status sort_found(rcity_context *context, rcity_beams_strip *strip)
{
    RCITY_TRY(rcity_reserve(context, (size_t)strip->cell_count + 2, sizeof *strip->first, &strip->first_capacity,
                            "beams of a strip", &strip->first));
    RCITY_TRY(rcity_reserve(context, strip->found_count / 2 + 1, sizeof *strip->list, &strip->list_capacity,
                            "beams of a strip", &strip->list));
    memset(strip->first, 0, ((size_t)strip->cell_count + 2) * sizeof *strip->first);
    for (size_t i = 0; i < strip->found_count; i += 2) {
        strip->first[strip->found[i] + 2]++;
    }
    for (int64_t i = 0; i < strip->cell_count; i++) {
        strip->first[i + 2] += strip->first[i + 1];
    }
    for (size_t i = 0; i < strip->found_count; i += 2) {
        strip->list[strip->first[strip->found[i] + 1]++] = strip->found[i + 1];
    }
    return RCITY_OK;
}

rcity_status rcity_beams_bins_find(rcity_context *context, const rcity_beams_bins *bins, int64_t strip_index,
                                   rcity_beams_strip *strip)
{
    const rcity_beams_forest *forest = bins->forest;
    int64_t row_first = strip_index * bins->strip_rows;
    int64_t row_last = row_first + bins->strip_rows - 1;
    row_last = row_last < bins->grid.row_count ? row_last : bins->grid.row_count - 1;
    strip->cell_first = row_first * bins->grid.column_count;
    strip->cell_count = (row_last - row_first + 1) * bins->grid.column_count;
    strip->found_count = 0;
    const rcity_beams_node *framed = NULL; /* the node of `frame`: its parts follow each other */
    rcity_beam_frame frame;
    for (int64_t i = bins->first[strip_index]; i < bins->first[strip_index + 1]; i++) {
        const rcity_beams_tree *tree = &forest->trees[bins->ends[i].tree];
        const rcity_beams_node *node = &tree->nodes[bins->ends[i].node];
        if (node != framed && !rcity_beams_node_frame(node, &frame)) {
            continue;
        }
        framed = node;
        rcity_beam_shape shape;
        int64_t first, last;
        rcity_beam_shape_init(forest->growth.world->facets, node, &frame, &tree->parts[bins->ends[i].part],
                              rcity_beams_grid_reach_m(&bins->grid, node), &shape);
        if (rcity_beam_shape_rows(&shape, &bins->grid, bins->dx, bins->dy, RIM_M, &first, &last)) {
            RCITY_TRY(take_rows(context, bins, i, &shape, first > row_first ? first : row_first,
                                last < row_last ? last : row_last, strip));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_beams_bins_rasterise(rcity_context *context, const rcity_beams_bins *bins, int64_t strip_index,
                                        rcity_beams_strip *strip)
{
    RCITY_TRY(rcity_beams_bins_find(context, bins, strip_index, strip));
    return sort_found(context, strip);
}
