/* A matrix that is finished: from its file, or taken over from the rows that were built. */
#include "visibility/tiles/tile_matrix.h"

#include <string.h>

#include "visibility/tiles/tile_build.h"
#include "visibility/tiles/tile_file.h"

struct rcity_tile_store {
    rcity_tile_rows rows;
    uint16_t *column; /* in memory; NULL with a file */
    rcity_store *file;
};

rcity_tile_matrix_options rcity_tile_matrix_options_default(void)
{
    return (rcity_tile_matrix_options){.range_m = 0.0, .uses_horizon = true};
}

/* An empty matrix with its store. */
static rcity_status make(rcity_context *context, rcity_tile_matrix **matrix)
{
    rcity_tile_matrix *made = NULL;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "the visibility matrix", &made));
    rcity_status status = rcity_alloc(context, 1, sizeof *made->store, "the visibility matrix", &made->store);
    if (status != RCITY_OK) {
        rcity_release(context, made);
        return status;
    }
    made->store->rows.context = context;
    *matrix = made;
    return RCITY_OK;
}

static void show_rows(rcity_tile_matrix *matrix)
{
    const rcity_tile_rows *rows = &matrix->store->rows;
    matrix->tile_count = rows->tile_count;
    matrix->chunk_count = rows->chunk_count;
    matrix->row_first = rows->row_first;
    matrix->chunk_end = rows->chunk_end;
    matrix->column = rows->column;
    matrix->entry_count = 0;
    for (int32_t row = 0; row < matrix->tile_count; row++) {
        matrix->entry_count += rcity_tile_matrix_row_count(matrix, row);
    }
    size_t row_bytes = sizeof *rows->row_first + (size_t)rows->chunk_count * sizeof *rows->chunk_end;
    matrix->byte_count = (int64_t)row_bytes * matrix->tile_count + matrix->entry_count * (int64_t)sizeof *rows->column;
}

rcity_status rcity_tile_matrix_take(rcity_context *context, rcity_tile_rows *rows, uint16_t *column,
                                    rcity_tile_matrix **matrix)
{
    rcity_tile_matrix *made = NULL;
    RCITY_TRY(make(context, &made));
    rcity_release(context, rows->records); /* of the last strip */
    rows->records = NULL;
    made->store->rows = *rows;
    made->store->column = column;
    memset(rows, 0, sizeof *rows);
    show_rows(made);
    *matrix = made;
    return RCITY_OK;
}

rcity_status rcity_tile_matrix_open(rcity_context *context, const rcity_tiling *tiling,
                                    const rcity_tile_matrix_options *options, const char *path,
                                    rcity_tile_matrix **matrix)
{
    rcity_tile_matrix *made = NULL;
    rcity_status status;
    RCITY_TRY(make(context, &made));
    RCITY_TRY_DONE(
        rcity_store_open(context, path, RCITY_TILE_MATRIX_KIND, RCITY_TILE_MATRIX_VERSION, &made->store->file));
    RCITY_TRY_DONE(rcity_tile_rows_init(context, (int32_t)tiling->tile_count, &made->store->rows));
    RCITY_TRY_DONE(rcity_tile_file_read(context, path, made->store->file, tiling, options, &made->store->rows));
    show_rows(made);
    *matrix = made;
    made = NULL;
done:
    rcity_tile_matrix_close(context, &made);
    return status;
}

void rcity_tile_matrix_close(rcity_context *context, rcity_tile_matrix **matrix)
{
    rcity_tile_matrix *ended = *matrix;
    if (ended == NULL) {
        return;
    }
    rcity_store_close(&ended->store->file);
    rcity_release(context, ended->store->column);
    ended->store->rows.context = context;
    rcity_tile_rows_deinit(&ended->store->rows);
    rcity_release(context, ended->store);
    rcity_release(context, ended);
    *matrix = NULL;
}
