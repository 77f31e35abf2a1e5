/* Rows of views with what the tiles at their sides see: a merge of up to five rows. */
#include <assert.h>

#include "base/parallel.h"
#include "kernel/tiles/tile_row.h"
#include "visibility/tiles/tile_views.h"

#define TILES_AT_ONCE 256
#define ROW_COUNT     (RCITY_TILE_SIDE_COUNT + 1)

typedef struct widen_work {
    const rcity_tiling *tiling;
    const rcity_tile_views *views;
    uint64_t *row_first; /* counts, then sums of them */
    int32_t *receiver;   /* NULL: entries are counted only */
} widen_work;

/* Merge the rows of a tile and of those at its sides. @return how many entries that makes. */
static uint64_t merge_rows(const widen_work *work, int64_t tile, int32_t *entries)
{
    const rcity_tile_views *views = work->views;
    uint64_t at[ROW_COUNT];
    uint64_t end[ROW_COUNT];
    uint64_t count = 0;
    for (int k = 0; k < ROW_COUNT; k++) {
        int32_t row = k == 0 ? (int32_t)tile : work->tiling->beside[tile][k - 1];
        at[k] = row >= 0 ? views->row_first[row] : 0;
        end[k] = row >= 0 ? views->row_first[row + 1] : 0;
    }
    for (;;) {
        int32_t least = INT32_MAX;
        bool is_own = false;
        for (int k = 0; k < ROW_COUNT; k++) {
            least = at[k] < end[k] && views->receiver[at[k]] < least ? views->receiver[at[k]] : least;
        }
        if (least == INT32_MAX) {
            return count;
        }
        for (int k = 0; k < ROW_COUNT; k++) {
            bool is_taken = at[k] < end[k] && views->receiver[at[k]] == least;
            is_own = is_own || (k == 0 && is_taken);
            at[k] += is_taken;
        }
        if (entries != NULL) {
            entries[count] = is_own ? least : least | RCITY_TILE_VIEW_BESIDE;
        }
        count++;
    }
}

/* An rcity_parallel_function over tiles. */
static void widen_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    widen_work *work = user;
    (void)thread_index;
    for (int64_t tile = begin; tile < end; tile++) {
        if (work->receiver == NULL) {
            work->row_first[tile + 1] = merge_rows(work, tile, NULL);
        } else {
            (void)merge_rows(work, tile, work->receiver + work->row_first[tile]);
        }
    }
}

rcity_status rcity_tile_views_widen(rcity_context *context, const rcity_tiling *tiling, rcity_tile_views *views)
{
    widen_work work = {.tiling = tiling, .views = views};
    int32_t *receiver = NULL;
    rcity_status status;
    assert(views->receiver_count <= RCITY_TILE_VIEW_RECEIVERS_MAX);
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)tiling->tile_count + 1, sizeof *work.row_first,
                               "receivers that tiles see", &work.row_first));
    rcity_parallel(context, tiling->tile_count, TILES_AT_ONCE, widen_rows, &work);
    for (int64_t i = 0; i < tiling->tile_count; i++) {
        work.row_first[i + 1] += work.row_first[i];
    }
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)work.row_first[tiling->tile_count] + 1, sizeof *receiver,
                               "receivers that tiles see", &receiver));
    work.receiver = receiver;
    rcity_parallel(context, tiling->tile_count, TILES_AT_ONCE, widen_rows, &work);
    rcity_release(context, views->receiver);
    rcity_release(context, views->row_first);
    views->receiver = receiver;
    views->row_first = work.row_first;
    return RCITY_OK;
done:
    rcity_release(context, work.row_first);
    return status;
}
