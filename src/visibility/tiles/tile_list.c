#include "visibility/tiles/tile_list.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"

/* Pairs of blocks that are listed together, and tested together: as many as take a tenth of a second, which is found by
   doubling. */
#define LIST_MAX     ((int64_t)1 << 20)
#define TEST_MIN     64
#define TEST_MAX     ((int64_t)1 << 18)
#define TEST_SHARE   16 /* of the limit */
#define TEST_SLOW_S  0.2
#define TEST_QUICK_S 0.05

#define HORIZON_SHARE 16 /* of the limit */

/* The first block that is paired with block a. */
static int32_t first_partner(const rcity_tile_blocks *blocks, int32_t a)
{
    return blocks->point_count > 0 ? blocks->tile_block_count : a;
}

static int64_t row_pairs(const rcity_tile_blocks *blocks, int32_t a)
{
    return blocks->block_count - first_partner(blocks, a);
}

double rcity_tile_list_before(const rcity_tile_list *list, int32_t a)
{
    const rcity_tile_blocks *blocks = list->blocks;
    if (blocks->point_count > 0) {
        return (double)a * (double)(blocks->block_count - blocks->tile_block_count);
    }
    return (double)a * ((double)blocks->block_count - ((double)a - 1.0) / 2.0);
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* How many pairs are listed, and tested, together, of `all`; a row has up to `longest`. */
static void plan_rooms(const rcity_context *context, double all, int64_t longest, int64_t *room, int64_t *test_most)
{
    uint64_t limit = rcity_context_memory_limit(context);
    int64_t fitting = lesser((int64_t)(limit / TEST_SHARE / sizeof(rcity_tile_pair)), LIST_MAX);
    *room = greater((double)fitting < all ? fitting : (int64_t)all, longest);
    int64_t most = lesser((int64_t)(limit / TEST_SHARE / sizeof(rcity_tile_pair_answer)), TEST_MAX);
    *test_most = greater(lesser(most, *room), TEST_MIN);
}

double rcity_tile_list_bytes(const rcity_context *context, double tile_count, double point_count)
{
    double blocks = ceil(tile_count / RCITY_TILE_BLOCK);
    double others = point_count > 0.0 ? ceil(point_count / RCITY_TILE_BLOCK) : 0.5 * (blocks + 1.0);
    double groups = blocks * RCITY_TILE_GROUPS_A_BLOCK;
    int64_t room = 0;
    int64_t test_most = 0;
    plan_rooms(context, blocks * others, (int64_t)fmax(blocks, others), &room, &test_most);
    double place = sizeof(rcity_tile_place) + sizeof(rcity_tile_front) + RCITY_SIGHT_SECTOR_COUNT * sizeof(int32_t);
    return (double)room * sizeof(rcity_tile_pair) + (double)test_most * sizeof(rcity_tile_pair_answer) +
           blocks * (sizeof(rcity_tile_list_row) + sizeof(rcity_tile_block)) + (tile_count + point_count) * place +
           groups * sizeof(rcity_tile_skyline);
}

rcity_status rcity_tile_list_init(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                  const rcity_tile_blocks *blocks, bool uses_horizon, rcity_tile_list *list)
{
    rcity_status status;
    memset(list, 0, sizeof *list);
    list->context = context;
    list->blocks = blocks;
    uint64_t limit = rcity_context_memory_limit(context);
    int64_t longest = blocks->tile_block_count > 0 ? row_pairs(blocks, 0) : 0;
    plan_rooms(context, rcity_tile_list_before(list, blocks->tile_block_count), longest, &list->room, &list->test_most);
    list->test_count = TEST_MIN;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)list->room, sizeof *list->pairs, "pairs of tiles", &list->pairs));
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)blocks->tile_block_count, sizeof *list->rows, "pairs of tiles", &list->rows));
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)list->test_most, sizeof *list->answers, "pairs of tiles", &list->answers));
    RCITY_TRY_DONE(rcity_tile_pairs_open(context, device, sight, blocks, &list->tests));
    if (uses_horizon) {
        RCITY_TRY_DONE(rcity_tile_horizon_init(context, sight, rcity_tile_pairs_occluders(list->tests), blocks,
                                               limit / HORIZON_SHARE, &list->horizon));
    }
done:
    if (status != RCITY_OK) {
        rcity_tile_list_deinit(list);
    }
    return status;
}

void rcity_tile_list_deinit(rcity_tile_list *list)
{
    rcity_tile_horizon_deinit(list->context, &list->horizon);
    rcity_tile_pairs_close(&list->tests);
    rcity_release(list->context, list->answers);
    rcity_release(list->context, list->rows);
    rcity_release(list->context, list->pairs);
    memset(list, 0, sizeof *list);
}

/* Leave out of a row what is below a skyline. */
static void cut_row(const rcity_tile_list *list, rcity_tile_list_row *row)
{
    int64_t left = 0;
    for (int64_t i = row->begin; i < row->begin + row->count; i++) {
        rcity_tile_pair pair = list->pairs[i];
        int64_t all_count = (int64_t)__builtin_popcount(pair.tiles_a) * __builtin_popcount(pair.tiles_b);
        rcity_tile_horizon_cut(&list->horizon, &pair);
        int64_t left_count = (int64_t)__builtin_popcount(pair.tiles_a) * __builtin_popcount(pair.tiles_b);
        row->cull.horizon += all_count - left_count;
        if (left_count > 0) {
            list->pairs[row->begin + left++] = pair;
        }
    }
    row->count = left;
}

/* An rcity_parallel_function over the block rows of the list. */
static void list_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    rcity_tile_list *list = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_tile_list_row *row = &list->rows[i];
        int32_t a = list->first + (int32_t)i;
        memset(&row->cull, 0, sizeof row->cull);
        row->count = rcity_tile_blocks_pair(list->blocks, a, first_partner(list->blocks, a), list->blocks->block_count,
                                            list->pairs + row->begin, &row->cull);
        if (list->horizon.skylines != NULL) {
            cut_row(list, row);
        }
    }
}

/* Each row is listed where it would begin if no pair were left out; then the gaps are closed. */
int64_t rcity_tile_list_next(rcity_tile_list *list, rcity_tile_cull *cull)
{
    const rcity_tile_blocks *blocks = list->blocks;
    double start_s = rcity_clock_s();
    int64_t room = 0;
    int32_t row_count = 0;
    list->first = list->end;
    while (list->end < blocks->tile_block_count && room + row_pairs(blocks, list->end) <= list->room) {
        list->rows[row_count++].begin = room;
        room += row_pairs(blocks, list->end++);
    }
    rcity_parallel(list->context, row_count, 1, list_rows, list);
    list->count = 0;
    for (int32_t i = 0; i < row_count; i++) {
        rcity_tile_list_row *row = &list->rows[i];
        memmove(list->pairs + list->count, list->pairs + row->begin, (size_t)row->count * sizeof *list->pairs);
        row->begin = list->count;
        list->count += row->count;
        cull->facing += row->cull.facing;
        cull->range += row->cull.range;
        cull->horizon += row->cull.horizon;
    }
    list->cull_s += rcity_clock_s() - start_s;
    return room;
}

rcity_status rcity_tile_list_test(rcity_tile_list *list, int64_t begin, int64_t *tested)
{
    int64_t count = lesser(list->count - begin, list->test_count);
    double start_s = rcity_clock_s();
    RCITY_TRY(rcity_tile_pairs_test(list->tests, count, list->pairs + begin, list->answers));
    double seconds = rcity_clock_s() - start_s;
    list->test_s += seconds;
    if (seconds < TEST_QUICK_S) {
        list->test_count = lesser(2 * list->test_count, list->test_most);
    } else if (seconds > TEST_SLOW_S) {
        list->test_count = greater(list->test_count / 2, TEST_MIN);
    }
    *tested = count;
    return RCITY_OK;
}

rcity_status rcity_tile_list_progress(const rcity_tile_list *list, const char *task, int64_t done)
{
    double total = rcity_tile_list_before(list, list->blocks->tile_block_count);
    double before = rcity_tile_list_before(list, list->first);
    double after = rcity_tile_list_before(list, list->end);
    double share = list->count > 0 ? (double)done / (double)list->count : 1.0;
    return rcity_progress(list->context, task, before + share * (after - before), total);
}
