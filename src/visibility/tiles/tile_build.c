/* Making a matrix: pairs of blocks are listed, tested and turned into rows, a few block rows at a time. */
#include "visibility/tiles/tile_build.h"

#include <assert.h>
#include <string.h>

#include "base/parallel.h"
#include "visibility/tiles/tile_file.h"
#include "visibility/tiles/tile_pairs.h"

/* Memory of a strip: this share of the context's limit, and at most so much. Not of what is free, so that the bytes of a
   file do not depend on what else is in memory. */
#define STRIP_SHARE     8
#define STRIP_MAX_BYTES ((uint64_t)256 << 20)

/* Pairs of blocks that are listed together, and tested together: as many as take a tenth of a second. */
#define LIST_MAX     ((int64_t)1 << 20)
#define TEST_MIN     64
#define TEST_MAX     ((int64_t)1 << 18)
#define TEST_FIRST   ((int64_t)1 << 12)
#define TEST_SHARE   16 /* of the limit */
#define TEST_SLOW_S  0.2
#define TEST_QUICK_S 0.05

static const char task[] = "visibility of tiles";

/* Block row of the list. */
typedef struct list_row {
    int64_t begin, count; /* its pairs */
    rcity_tile_cull cull;
} list_row;

typedef struct builder {
    rcity_context *context;
    rcity_tile_blocks blocks;
    rcity_tile_pairs *pairs;
    rcity_tile_rows rows;
    rcity_store_grow *file; /* NULL: in memory */
    uint16_t *column;       /* entries in memory, all of them or those of a strip */
    size_t column_capacity;
    uint64_t column_count;
    uint64_t strip_bytes;
    int64_t strip_count;

    rcity_tile_pair *list; /* pairs of blocks, those of block rows list_first ... list_end */
    int64_t list_room, list_count;
    int32_t list_first, list_end;
    list_row *list_rows;
    rcity_tile_pair_answer *answers;
    int64_t test_most, test_count; /* at most, and next time */
    rcity_tile_matrix_effort effort;
} builder;

/* Pairs of block a with itself and those after it. */
static int64_t row_pairs(const builder *build, int32_t a)
{
    return build->blocks.block_count - a;
}

/* Pairs of all blocks before `a` with those after them. */
static double pairs_before(const builder *build, int32_t a)
{
    return (double)a * ((double)build->blocks.block_count - ((double)a - 1.0) / 2.0);
}

/* An rcity_parallel_function over the block rows of the list. */
static void list_block_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    builder *build = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        list_row *row = &build->list_rows[i];
        memset(&row->cull, 0, sizeof row->cull);
        row->count = rcity_tile_blocks_pair(&build->blocks, build->list_first + (int32_t)i, build->list + row->begin,
                                            &row->cull);
    }
}

static void add_cull(rcity_tile_cull *sum, const rcity_tile_cull *part)
{
    sum->facing += part->facing;
    sum->range += part->range;
    sum->horizon += part->horizon;
    sum->left += part->left;
}

/* List the pairs of the next block rows. Each row is listed where it would begin if no pair were left out; then the gaps
   are closed. */
static void list_pairs(builder *build)
{
    int64_t room = 0;
    int32_t row_count = 0;
    build->list_first = build->list_end;
    while (build->list_end < build->blocks.block_count &&
           room + row_pairs(build, build->list_end) <= build->list_room) {
        build->list_rows[row_count++].begin = room;
        room += row_pairs(build, build->list_end++);
    }
    rcity_parallel(build->context, row_count, 1, list_block_rows, build);
    build->list_count = 0;
    for (int32_t i = 0; i < row_count; i++) {
        const list_row *row = &build->list_rows[i];
        memmove(build->list + build->list_count, build->list + row->begin, (size_t)row->count * sizeof *build->list);
        build->list_count += row->count;
        add_cull(&build->effort.cull, &row->cull);
    }
    build->effort.block_pair_count += room;
}

/* Turn the strip into rows. */
static rcity_status finish_strip(builder *build)
{
    rcity_tile_rows *rows = &build->rows;
    double start_s = rcity_clock_s();
    uint64_t first = build->file != NULL ? 0 : build->column_count;
    RCITY_TRY(rcity_reserve(build->context, (size_t)(first + rows->strip_entry_count), sizeof *build->column,
                            &build->column_capacity, "entries of the matrix", &build->column));
    rows->column = build->file != NULL ? rows->column : build->column;
    RCITY_TRY(rcity_tile_rows_fill(rows, build->column + first));
    build->column_count = first + rows->strip_entry_count;
    if (build->file != NULL) {
        RCITY_TRY(rcity_tile_file_append(build->file, rows, build->strip_count, build->column));
    } else {
        rcity_tile_rows_finish_strip(rows, first);
    }
    build->strip_count++;
    build->effort.row_s += rcity_clock_s() - start_s;
    return RCITY_OK;
}

/* All pairs of the block rows up to `end` were added. */
static rcity_status end_blocks(builder *build, int32_t end)
{
    while (build->rows.strip_end < build->rows.tile_count && build->rows.strip_end / RCITY_TILE_BLOCK < end) {
        rcity_tile_rows_end_block(&build->rows, build->rows.strip_end / RCITY_TILE_BLOCK);
        if (rcity_tile_rows_bytes(&build->rows) >= build->strip_bytes) {
            RCITY_TRY(finish_strip(build));
        }
    }
    return RCITY_OK;
}

/* Test pairs of the list and turn the answers into rows. */
static rcity_status test_pairs(builder *build, int64_t begin, int64_t count)
{
    double start_s = rcity_clock_s();
    const rcity_tile_pair *pairs = build->list + begin;
    RCITY_TRY(rcity_tile_pairs_test(build->pairs, count, pairs, build->answers));
    double seconds = rcity_clock_s() - start_s;
    build->effort.test_s += seconds;
    build->effort.tested_block_pair_count += count;
    if (seconds < TEST_QUICK_S && build->test_count < build->test_most) {
        build->test_count = 2 * build->test_count < build->test_most ? 2 * build->test_count : build->test_most;
    } else if (seconds > TEST_SLOW_S && build->test_count > TEST_MIN) {
        build->test_count /= 2;
    }
    for (int64_t i = 0; i < count; i++) {
        RCITY_TRY(end_blocks(build, pairs[i].a));
        RCITY_TRY(rcity_tile_rows_add(&build->rows, &pairs[i], &build->answers[i]));
        build->effort.ray_count += build->answers[i].ray_count;
    }
    return RCITY_OK;
}

static rcity_status run(builder *build)
{
    double total = pairs_before(build, build->blocks.block_count);
    while (build->list_end < build->blocks.block_count) {
        RCITY_TRY(rcity_progress(build->context, task, pairs_before(build, build->list_end), total));
        double start_s = rcity_clock_s();
        list_pairs(build);
        build->effort.cull_s += rcity_clock_s() - start_s;
        for (int64_t done = 0; done < build->list_count;) {
            int64_t rest = build->list_count - done;
            int64_t count = rest < build->test_count ? rest : build->test_count;
            RCITY_TRY(test_pairs(build, done, count));
            done += count;
            double share = (double)done / (double)build->list_count;
            double before = pairs_before(build, build->list_first);
            RCITY_TRY(rcity_progress(build->context, task,
                                     before + share * (pairs_before(build, build->list_end) - before), total));
        }
        RCITY_TRY(end_blocks(build, build->list_end));
    }
    if (build->rows.finished < build->rows.tile_count) {
        RCITY_TRY(finish_strip(build));
    }
    return rcity_progress(build->context, task, total, total);
}

/* Memory for the lists and the answers, within the limit. */
static rcity_status make_room(builder *build)
{
    uint64_t limit = rcity_context_memory_limit(build->context);
    int64_t block_count = build->blocks.block_count;
    int64_t all = (int64_t)pairs_before(build, build->blocks.block_count);
    int64_t room = (int64_t)(limit / TEST_SHARE / sizeof *build->list);
    room = room < LIST_MAX ? room : LIST_MAX;
    room = room < all ? room : all;
    build->list_room = room > block_count ? room : block_count;
    int64_t most = (int64_t)(limit / TEST_SHARE / sizeof *build->answers);
    most = most < TEST_MAX ? most : TEST_MAX;
    most = most < build->list_room ? most : build->list_room;
    build->test_most = most > TEST_MIN ? most : TEST_MIN;
    build->test_count = build->test_most < TEST_FIRST ? build->test_most : TEST_FIRST;
    build->strip_bytes = limit / STRIP_SHARE < STRIP_MAX_BYTES ? limit / STRIP_SHARE : STRIP_MAX_BYTES;
    RCITY_TRY(
        rcity_alloc(build->context, (size_t)build->list_room, sizeof *build->list, "pairs of tiles", &build->list));
    RCITY_TRY(rcity_alloc(build->context, (size_t)block_count, sizeof *build->list_rows, "pairs of tiles",
                          &build->list_rows));
    return rcity_alloc(build->context, (size_t)build->test_most, sizeof *build->answers, "pairs of tiles",
                       &build->answers);
}

static void end_build(builder *build)
{
    rcity_release(build->context, build->answers);
    rcity_release(build->context, build->list_rows);
    rcity_release(build->context, build->list);
    rcity_release(build->context, build->column);
    rcity_store_grow_close(&build->file);
    rcity_tile_rows_deinit(&build->rows);
    rcity_tile_pairs_close(&build->pairs);
    rcity_tile_blocks_deinit(build->context, &build->blocks);
    build->answers = NULL;
    build->list_rows = NULL;
    build->list = NULL;
    build->column = NULL;
}

static rcity_status check_options(rcity_context *context, const rcity_tile_matrix_options *options)
{
    RCITY_CHECK(context,
                options->range_m == 0.0 ||
                    (options->range_m >= RCITY_TILE_RANGE_MIN_M && options->range_m <= RCITY_TILE_RANGE_MAX_M),
                RCITY_ERR_ARGUMENT, "`tile-range-m` is %g m, must be 0 (no limit) or %g to %g m", options->range_m,
                RCITY_TILE_RANGE_MIN_M, RCITY_TILE_RANGE_MAX_M);
    return RCITY_OK;
}

rcity_status rcity_tile_matrix_build(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                     const rcity_tiling *tiling, const rcity_tile_matrix_options *options,
                                     const char *path, rcity_tile_matrix **matrix)
{
    RCITY_TRY(check_options(context, options));
    double start_s = rcity_clock_s();
    rcity_tile_matrix *made = NULL;
    builder build;
    rcity_status status;
    memset(&build, 0, sizeof build);
    build.context = context;
    build.rows.context = context;
    RCITY_TRY_DONE(rcity_tile_blocks_init(context, tiling, options->range_m, &build.blocks));
    RCITY_TRY_DONE(rcity_tile_rows_init(context, build.blocks.tile_count, &build.rows));
    if (path != NULL) {
        RCITY_TRY_DONE(
            rcity_tile_file_begin(context, path, tiling, options, &build.rows, &build.file, &build.strip_count));
    }
    build.effort.kept_row_count = build.rows.finished;
    build.list_end = (build.rows.finished + RCITY_TILE_BLOCK - 1) / RCITY_TILE_BLOCK;
    RCITY_TRY_DONE(make_room(&build));
    RCITY_TRY_DONE(rcity_tile_pairs_open(context, device, sight, &build.blocks, &build.pairs));
    RCITY_TRY_DONE(run(&build));
    build.effort.strip_count = build.strip_count;
    if (path != NULL) {
        RCITY_TRY_DONE(rcity_store_grow_commit(&build.file));
        end_build(&build);
        RCITY_TRY_DONE(rcity_tile_matrix_open(context, tiling, options, path, &made));
    } else {
        RCITY_TRY_DONE(rcity_tile_matrix_take(context, &build.rows, build.column, &made));
        build.column = NULL;
    }
    made->effort = build.effort;
    made->effort.seconds = rcity_clock_s() - start_s;
    *matrix = made;
done:
    end_build(&build);
    return status;
}
