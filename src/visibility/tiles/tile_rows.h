/* Compressed rows in the making: pairs of blocks come in by their order, rows go out strip by strip. The mirrored half
   of a strip is read from its own pairs and from the rows that are finished. */
#ifndef RCITY_VISIBILITY_TILES_TILE_ROWS_H
#define RCITY_VISIBILITY_TILES_TILE_ROWS_H

#include "visibility/tiles/tile_blocks.h"

/* Pairs of blocks in which tiles see each other. */
typedef struct rcity_tile_record {
    int32_t a, b;
    uint32_t sees[RCITY_TILE_BLOCK];
} rcity_tile_record;

typedef struct rcity_tile_rows {
    rcity_context *context;
    int32_t tile_count, chunk_count;
    int32_t finished; /* rows; a multiple of the block, or all */
    uint64_t *row_first;
    uint32_t *chunk_end;    /* of finished rows; of others the number of entries in each chunk that are known so far */
    const uint16_t *column; /* Borrowed: entries of finished rows */

    /* the strip that is being filled */
    int32_t strip_end; /* its rows end here */
    uint64_t strip_entry_count;
    rcity_tile_record *records;
    size_t record_count, record_capacity;
} rcity_tile_rows;

rcity_status rcity_tile_rows_init(rcity_context *context, int32_t tile_count, rcity_tile_rows *rows);
void rcity_tile_rows_deinit(rcity_tile_rows *rows);

/* Take an answer; a <= b, in order of a, then of b. */
rcity_status rcity_tile_rows_add(rcity_tile_rows *rows, const rcity_tile_pair *pair,
                                 const rcity_tile_pair_answer *answer);

/* All pairs of block `a` were added: its rows belong to the strip now. */
void rcity_tile_rows_end_block(rcity_tile_rows *rows, int32_t a);

/* Memory of the strip, with the entries that rcity_tile_rows_fill() writes. */
uint64_t rcity_tile_rows_bytes(const rcity_tile_rows *rows);

/* Write the entries of the strip, `strip_entry_count` of them, into `column`; the ends of its chunks become final. */
rcity_status rcity_tile_rows_fill(rcity_tile_rows *rows, uint16_t *column);

/* The strip is finished; its entries are at `first` and on in rows->column from now on. */
void rcity_tile_rows_finish_strip(rcity_tile_rows *rows, uint64_t first);

/* A strip from a file: its ends of chunks, and where its entries begin in rows->column. Call it strip by strip. False
   when they cannot be right. */
bool rcity_tile_rows_take_strip(rcity_tile_rows *rows, const uint32_t *chunk_end, uint64_t end_count, uint64_t first,
                                uint64_t entry_count);

/* Are the columns of all finished rows in their order and within the matrix? */
bool rcity_tile_rows_are_ordered(const rcity_tile_rows *rows);

/* After strips were taken: count what is mirrored into the rows that are not finished. */
void rcity_tile_rows_count_mirrored(rcity_tile_rows *rows);

#endif
