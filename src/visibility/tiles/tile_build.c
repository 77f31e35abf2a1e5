/* Making a matrix: pairs of blocks are listed, tested and turned into rows, a few block rows at a time. */
#include "visibility/tiles/tile_build.h"

#include <assert.h>
#include <string.h>

#include "base/parallel.h"
#include "visibility/tiles/tile_file.h"
#include "visibility/tiles/tile_list.h"

/* Memory of a strip: this share of the context's limit, and at most so much. Not of what is free, so that the bytes of a
   file do not depend on what else is in memory. */
#define STRIP_SHARE     8
#define STRIP_MAX_BYTES ((uint64_t)256 << 20)

static const char task[] = "visibility of tiles";

typedef struct builder {
    rcity_context *context;
    rcity_tile_blocks blocks;
    rcity_tile_list list;
    rcity_tile_rows rows;
    rcity_store_grow *file; /* NULL: in memory */
    uint16_t *column;       /* entries in memory, all of them or those of a strip */
    size_t column_capacity;
    uint64_t column_count;
    uint64_t strip_bytes;
    int64_t strip_count;
    rcity_tile_matrix_effort effort;
} builder;

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
static rcity_status test_pairs(builder *build, int64_t begin, int64_t *tested)
{
    RCITY_TRY(rcity_tile_list_test(&build->list, begin, tested));
    build->effort.tested_block_pair_count += *tested;
    for (int64_t i = 0; i < *tested; i++) {
        const rcity_tile_pair *pair = &build->list.pairs[begin + i];
        const rcity_tile_pair_answer *answer = &build->list.answers[i];
        RCITY_TRY(end_blocks(build, pair->a));
        RCITY_TRY(rcity_tile_rows_add(&build->rows, pair, answer));
        build->effort.ray_count += answer->ray_count;
        build->effort.walk_count += answer->walk_count;
    }
    return RCITY_OK;
}

static rcity_status run(builder *build)
{
    rcity_tile_list *list = &build->list;
    while (list->end < build->blocks.block_count) {
        build->effort.block_pair_count += rcity_tile_list_next(list, &build->effort.cull);
        RCITY_TRY(rcity_tile_list_progress(list, task, 0));
        int64_t tested = 0;
        for (int64_t done = 0; done < list->count; done += tested) {
            RCITY_TRY(test_pairs(build, done, &tested));
            RCITY_TRY(rcity_tile_list_progress(list, task, done + tested));
        }
        RCITY_TRY(end_blocks(build, list->end));
    }
    if (build->rows.finished < build->rows.tile_count) {
        RCITY_TRY(finish_strip(build));
    }
    build->effort.cull_s = list->cull_s;
    build->effort.test_s = list->test_s;
    return rcity_tile_list_progress(list, task, list->count);
}

static void end_build(builder *build)
{
    rcity_release(build->context, build->column);
    build->column = NULL;
    rcity_store_grow_close(&build->file);
    rcity_tile_rows_deinit(&build->rows);
    rcity_tile_list_deinit(&build->list);
    rcity_tile_blocks_deinit(build->context, &build->blocks);
}

static uint64_t default_strip_bytes(const rcity_context *context)
{
    uint64_t share = rcity_context_memory_limit(context) / STRIP_SHARE;
    return share < STRIP_MAX_BYTES ? share : STRIP_MAX_BYTES;
}

rcity_status rcity_tile_matrix_build(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                     const rcity_tiling *tiling, const rcity_tile_matrix_options *options,
                                     const char *path, rcity_tile_matrix **matrix)
{
    double start_s = rcity_clock_s();
    rcity_tile_matrix *made = NULL;
    builder build;
    rcity_status status;
    memset(&build, 0, sizeof build);
    build.context = context;
    build.rows.context = context;
    build.list.context = context;
    RCITY_TRY_DONE(rcity_tile_blocks_init(context, tiling, options->range_m, 0, NULL, &build.blocks));
    RCITY_TRY_DONE(rcity_tile_rows_init(context, build.blocks.tile_count, &build.rows));
    if (path != NULL) {
        RCITY_TRY_DONE(
            rcity_tile_file_begin(context, path, tiling, options, &build.rows, &build.file, &build.strip_count));
    }
    build.effort.kept_row_count = build.rows.finished;
    if (build.rows.finished > 0) {
        rcity_log(context, RCITY_LOG_INFO,
                  "'%s.part' has %d of %d tiles from a run that was stopped; going on from there", path,
                  build.rows.finished, build.rows.tile_count);
    }
    RCITY_TRY_DONE(rcity_tile_list_init(context, device, sight, &build.blocks, options->uses_horizon, &build.list));
    build.list.end = (build.rows.finished + RCITY_TILE_BLOCK - 1) / RCITY_TILE_BLOCK;
    build.strip_bytes = options->strip_bytes > 0 ? options->strip_bytes : default_strip_bytes(context);
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
    if (status == RCITY_ERR_CANCELLED && build.file != NULL) {
        status = rcity_fail(context, status, "stopped; '%s.part' has %d of %d tiles, run it again to go on from there",
                            path, build.rows.finished, build.rows.tile_count);
    }
    end_build(&build);
    return status;
}
