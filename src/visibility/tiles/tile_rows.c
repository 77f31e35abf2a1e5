#include "visibility/tiles/tile_rows.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "visibility/tiles/tile_matrix.h"

/* Parts of a strip that each thread fills, so that all end together. Each reads through all that is mirrored. */
#define PARTS_PER_THREAD 3

rcity_status rcity_tile_rows_init(rcity_context *context, int32_t tile_count, rcity_tile_rows *rows)
{
    rcity_status status;
    memset(rows, 0, sizeof *rows);
    rows->context = context;
    rows->tile_count = tile_count;
    rows->chunk_count = (tile_count + RCITY_TILE_CHUNK - 1) / RCITY_TILE_CHUNK;
    size_t row_room = (size_t)tile_count + 1;
    RCITY_TRY_DONE(rcity_alloc(context, row_room, sizeof *rows->row_first, "rows of the matrix", &rows->row_first));
    RCITY_TRY_DONE(rcity_alloc(context, row_room * (size_t)rows->chunk_count, sizeof *rows->chunk_end,
                               "rows of the matrix", &rows->chunk_end));
done:
    if (status != RCITY_OK) {
        rcity_tile_rows_deinit(rows);
    }
    return status;
}

void rcity_tile_rows_deinit(rcity_tile_rows *rows)
{
    rcity_release(rows->context, rows->records);
    rcity_release(rows->context, rows->chunk_end);
    rcity_release(rows->context, rows->row_first);
    memset(rows, 0, sizeof *rows);
}

/* Swap rows and columns of a square of 32 bits: halves of it, then halves of these, down to single bits. */
static void transpose(uint32_t words[RCITY_TILE_BLOCK])
{
    uint32_t mask = 0x0000ffffu;
    for (int step = RCITY_TILE_BLOCK / 2; step > 0; step /= 2, mask ^= mask << step) {
        for (int k = 0; k < RCITY_TILE_BLOCK; k = (k + step + 1) & ~step) {
            uint32_t swapped = (words[k] >> step ^ words[k + step]) & mask;
            words[k] ^= swapped << step;
            words[k + step] ^= swapped;
        }
    }
}

/* Count the entries that block `from` has in the chunk of block `to`. */
static void count_entries(rcity_tile_rows *rows, int32_t from, int32_t to, const uint32_t words[RCITY_TILE_BLOCK])
{
    int32_t row = from * RCITY_TILE_BLOCK;
    size_t chunk = (size_t)(to * RCITY_TILE_BLOCK / RCITY_TILE_CHUNK);
    int32_t rest = rows->tile_count - row;
    for (int32_t i = 0; i < RCITY_TILE_BLOCK && i < rest; i++) {
        rows->chunk_end[(size_t)(row + i) * (size_t)rows->chunk_count + chunk] +=
            (uint32_t)__builtin_popcount(words[i]);
    }
}

rcity_status rcity_tile_rows_add(rcity_tile_rows *rows, const rcity_tile_pair *pair,
                                 const rcity_tile_pair_answer *answer)
{
    uint32_t any = 0;
    for (int i = 0; i < RCITY_TILE_BLOCK; i++) {
        any |= answer->sees[i];
    }
    if (any == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_reserve(rows->context, rows->record_count + 1, sizeof *rows->records, &rows->record_capacity,
                            "a strip of the matrix", &rows->records));
    rcity_tile_record *record = &rows->records[rows->record_count++];
    record->a = pair->a;
    record->b = pair->b;
    memcpy(record->sees, answer->sees, sizeof record->sees);
    count_entries(rows, pair->a, pair->b, record->sees);
    if (pair->a != pair->b) {
        uint32_t mirrored[RCITY_TILE_BLOCK];
        memcpy(mirrored, record->sees, sizeof mirrored);
        transpose(mirrored);
        count_entries(rows, pair->b, pair->a, mirrored);
    }
    return RCITY_OK;
}

void rcity_tile_rows_end_block(rcity_tile_rows *rows, int32_t a)
{
    int32_t end = (a + 1) * RCITY_TILE_BLOCK;
    end = end < rows->tile_count ? end : rows->tile_count;
    for (size_t i = (size_t)rows->strip_end * (size_t)rows->chunk_count; i < (size_t)end * (size_t)rows->chunk_count;
         i++) {
        rows->strip_entry_count += rows->chunk_end[i];
    }
    rows->strip_end = end;
}

uint64_t rcity_tile_rows_bytes(const rcity_tile_rows *rows)
{
    return rows->record_count * sizeof *rows->records + rows->strip_entry_count * sizeof *rows->column +
           (uint64_t)(rows->strip_end - rows->finished) * sizeof(uint64_t);
}

/* A strip while its entries are written. */
typedef struct strip_work {
    const rcity_tile_rows *rows;
    uint16_t *column;
    uint64_t *next; /* where the next entry of each row goes */
} strip_work;

static void put(const strip_work *work, int32_t row, int32_t tile)
{
    work->column[work->next[row - work->rows->finished]++] = (uint16_t)(tile % RCITY_TILE_CHUNK);
}

/* The finished rows that see tiles of [begin, end): mirrored. */
static void mirror_finished(const strip_work *work, int32_t begin, int32_t end)
{
    const rcity_tile_rows *rows = work->rows;
    size_t chunk_count = (size_t)rows->chunk_count;
    for (int32_t row = 0; row < rows->finished; row++) {
        const uint32_t *ends = &rows->chunk_end[(size_t)row * chunk_count];
        for (int32_t chunk = begin / RCITY_TILE_CHUNK; chunk <= (end - 1) / RCITY_TILE_CHUNK; chunk++) {
            const uint16_t *column = rows->column + rows->row_first[row];
            uint32_t low = chunk > 0 ? ends[chunk - 1] : 0;
            uint32_t high = ends[chunk];
            uint32_t last = high;
            int32_t chunk_first = chunk * RCITY_TILE_CHUNK;
            while (low < high) {
                uint32_t middle = low + (high - low) / 2;
                bool is_before = chunk_first + column[middle] < begin;
                low = is_before ? middle + 1 : low;
                high = is_before ? high : middle;
            }
            for (; low < last && chunk_first + column[low] < end; low++) {
                put(work, chunk_first + column[low], row);
            }
        }
    }
}

/* Block `from` sees block `to` as these words say. */
static void put_words(const strip_work *work, int32_t from, int32_t to, const uint32_t words[RCITY_TILE_BLOCK])
{
    for (int32_t i = 0; i < RCITY_TILE_BLOCK; i++) {
        int32_t j = 0;
        for (uint32_t word = words[i]; word != 0; word >>= 1, j++) {
            if ((word & 1) != 0) {
                put(work, from * RCITY_TILE_BLOCK + i, to * RCITY_TILE_BLOCK + j);
            }
        }
    }
}

/* An rcity_parallel_function over the blocks of the strip: write their entries. Columns come in increasing order: of
   finished rows, of pairs whose second block it is, of its own pairs. */
static void fill_blocks(void *user, int64_t begin, int64_t end, int thread_index)
{
    const strip_work *work = user;
    const rcity_tile_rows *rows = work->rows;
    (void)thread_index;
    int32_t first = rows->finished / RCITY_TILE_BLOCK + (int32_t)begin;
    int32_t last = rows->finished / RCITY_TILE_BLOCK + (int32_t)end;
    int32_t last_tile = last * RCITY_TILE_BLOCK < rows->tile_count ? last * RCITY_TILE_BLOCK : rows->tile_count;
    mirror_finished(work, first * RCITY_TILE_BLOCK, last_tile);
    for (size_t k = 0; k < rows->record_count; k++) {
        const rcity_tile_record *record = &rows->records[k];
        if (record->a != record->b && record->b >= first && record->b < last) {
            uint32_t mirrored[RCITY_TILE_BLOCK];
            memcpy(mirrored, record->sees, sizeof mirrored);
            transpose(mirrored);
            put_words(work, record->b, record->a, mirrored);
        }
        if (record->a >= first && record->a < last) {
            put_words(work, record->a, record->b, record->sees);
        }
    }
}

rcity_status rcity_tile_rows_fill(rcity_tile_rows *rows, uint16_t *column)
{
    size_t chunk_count = (size_t)rows->chunk_count;
    strip_work work = {rows, column, NULL};
    RCITY_TRY(rcity_alloc(rows->context, (size_t)(rows->strip_end - rows->finished) + 1, sizeof *work.next,
                          "a strip of the matrix", &work.next));
    uint64_t first = 0;
    for (int32_t row = rows->finished; row < rows->strip_end; row++) {
        uint32_t *ends = &rows->chunk_end[(size_t)row * chunk_count];
        work.next[row - rows->finished] = first;
        for (size_t chunk = 1; chunk < chunk_count; chunk++) {
            ends[chunk] += ends[chunk - 1];
        }
        first += ends[chunk_count - 1];
    }
    assert(first == rows->strip_entry_count);
    int64_t block_count = (rows->strip_end - rows->finished + RCITY_TILE_BLOCK - 1) / RCITY_TILE_BLOCK;
    int64_t parts = (int64_t)rcity_context_thread_count(rows->context) * PARTS_PER_THREAD;
    rcity_parallel(rows->context, block_count, (block_count + parts - 1) / parts, fill_blocks, &work);
    rcity_release(rows->context, work.next);
    return RCITY_OK;
}

void rcity_tile_rows_finish_strip(rcity_tile_rows *rows, uint64_t first)
{
    for (int32_t row = rows->finished; row < rows->strip_end; row++) {
        rows->row_first[row] = first;
        first += rows->chunk_end[((size_t)row + 1) * (size_t)rows->chunk_count - 1];
    }
    rows->row_first[rows->strip_end] = first;
    rows->finished = rows->strip_end;
    rows->strip_entry_count = 0;
    rows->record_count = 0;
}

bool rcity_tile_rows_take_strip(rcity_tile_rows *rows, const uint32_t *chunk_end, uint64_t end_count, uint64_t first,
                                uint64_t entry_count)
{
    size_t chunk_count = (size_t)rows->chunk_count;
    uint64_t left = (uint64_t)(rows->tile_count - rows->finished) * chunk_count;
    if (end_count == 0 || end_count > left || end_count % chunk_count != 0 ||
        (end_count < left && end_count / chunk_count % RCITY_TILE_BLOCK != 0)) {
        return false;
    }
    int32_t strip_end = rows->finished + (int32_t)(end_count / chunk_count);
    uint64_t taken = 0;
    for (uint64_t i = 0; i < end_count; i++) {
        uint32_t before = i % chunk_count == 0 ? 0 : chunk_end[i - 1];
        taken += i % chunk_count == chunk_count - 1 ? chunk_end[i] : 0;
        if (chunk_end[i] < before || chunk_end[i] - before > RCITY_TILE_CHUNK || taken > entry_count) {
            return false;
        }
    }
    if (taken != entry_count) {
        return false;
    }
    memcpy(&rows->chunk_end[(size_t)rows->finished * chunk_count], chunk_end, (size_t)end_count * sizeof *chunk_end);
    rows->strip_end = strip_end;
    rcity_tile_rows_finish_strip(rows, first);
    return true;
}

/* Are the columns of a row in their order and within the matrix? */
static bool is_row_ordered(const rcity_tile_rows *rows, int32_t row)
{
    const uint32_t *ends = &rows->chunk_end[(size_t)row * (size_t)rows->chunk_count];
    const uint16_t *column = rows->column + rows->row_first[row];
    uint32_t k = 0;
    for (int32_t chunk = 0; chunk < rows->chunk_count; chunk++) {
        int32_t rest = rows->tile_count - chunk * RCITY_TILE_CHUNK;
        int32_t before = -1;
        bool is_ordered = true;
        for (; k < ends[chunk]; k++) {
            is_ordered = is_ordered && column[k] > before;
            before = column[k];
        }
        if (!is_ordered || before >= rest) {
            return false;
        }
    }
    return true;
}

/* Rows while they are checked. */
typedef struct check_work {
    const rcity_tile_rows *rows;
    atomic_bool is_wrong;
} check_work;

/* An rcity_parallel_function. */
static void check_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    check_work *work = user;
    (void)thread_index;
    for (int64_t row = begin; row < end; row++) {
        if (!is_row_ordered(work->rows, (int32_t)row)) {
            atomic_store(&work->is_wrong, true);
        }
    }
}

bool rcity_tile_rows_are_ordered(const rcity_tile_rows *rows)
{
    check_work work = {.rows = rows};
    atomic_init(&work.is_wrong, false);
    rcity_parallel(rows->context, rows->finished, 1024, check_rows, &work);
    return !atomic_load(&work.is_wrong);
}

void rcity_tile_rows_count_mirrored(rcity_tile_rows *rows)
{
    size_t chunk_count = (size_t)rows->chunk_count;
    for (int32_t row = 0; row < rows->finished; row++) {
        const uint32_t *ends = &rows->chunk_end[(size_t)row * chunk_count];
        const uint16_t *column = rows->column + rows->row_first[row];
        uint32_t k = 0;
        for (size_t chunk = 0; chunk < chunk_count; chunk++) {
            for (; k < ends[chunk]; k++) {
                size_t tile = chunk * RCITY_TILE_CHUNK + column[k];
                if (tile >= (size_t)rows->finished) {
                    rows->chunk_end[tile * chunk_count + (size_t)(row / RCITY_TILE_CHUNK)]++;
                }
            }
        }
    }
}
