#include "visibility/tiles/tile_file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* The key of a file: what its matrix belongs to. */
#define KEY_COUNT 4

typedef struct file_key {
    char scene[65], tiling[65];
    int64_t tile_count;
    double range_m;
    rcity_store_block block[KEY_COUNT];
} file_key;

static void make_key(const rcity_tiling *tiling, const rcity_tile_matrix_options *options, file_key *key)
{
    memset(key, 0, sizeof *key);
    memcpy(key->scene, tiling->world->shapes->hash, sizeof key->scene);
    memcpy(key->tiling, tiling->hash, sizeof key->tiling);
    key->tile_count = tiling->tile_count;
    key->range_m = options->range_m;
    key->block[0] = (rcity_store_block){"scene", key->scene, sizeof key->scene, 1};
    key->block[1] = (rcity_store_block){"tiling", key->tiling, sizeof key->tiling, 1};
    key->block[2] = (rcity_store_block){"tiles", &key->tile_count, 1, sizeof key->tile_count};
    key->block[3] = (rcity_store_block){"range_m", &key->range_m, 1, sizeof key->range_m};
}

static void name_blocks(int64_t strip, char ends[RCITY_STORE_NAME_BYTES], char columns[RCITY_STORE_NAME_BYTES])
{
    unsigned number = (unsigned)strip % 10000000u;
    snprintf(ends, RCITY_STORE_NAME_BYTES, "ends %u", number);
    snprintf(columns, RCITY_STORE_NAME_BYTES, "columns %u", number);
}

/* Does the file begin with this key? */
static rcity_status has_key(rcity_store_grow *file, const file_key *key, bool *is_same)
{
    *is_same = rcity_store_grow_count(file) >= KEY_COUNT;
    for (int i = 0; i < KEY_COUNT && *is_same; i++) {
        rcity_store_grown found;
        RCITY_TRY(rcity_store_grow_get(file, i, &found));
        const rcity_store_block *wanted = &key->block[i];
        *is_same = strcmp(found.name, wanted->name) == 0 && found.count == wanted->count &&
                   found.element_bytes == wanted->element_bytes &&
                   memcmp(found.data, wanted->data, (size_t)(wanted->count * wanted->element_bytes)) == 0;
    }
    return RCITY_OK;
}

static rcity_status update_columns(rcity_store_grow *file, rcity_tile_rows *rows)
{
    const void *bytes = NULL;
    RCITY_TRY(rcity_store_grow_map(file, &bytes));
    rows->column = bytes;
    return RCITY_OK;
}

/* Take the strips that stand behind the key. */
static rcity_status take_strips(rcity_store_grow *file, rcity_tile_rows *rows, int64_t *strip_count)
{
    RCITY_TRY(update_columns(file, rows));
    int64_t strip = 0;
    bool is_good = true;
    for (; is_good && KEY_COUNT + 2 * strip + 1 < rcity_store_grow_count(file); strip += is_good) {
        char names[2][RCITY_STORE_NAME_BYTES];
        rcity_store_grown ends, columns;
        name_blocks(strip, names[0], names[1]);
        RCITY_TRY(rcity_store_grow_get(file, KEY_COUNT + 2 * strip, &ends));
        RCITY_TRY(rcity_store_grow_get(file, KEY_COUNT + 2 * strip + 1, &columns));
        is_good =
            strcmp(ends.name, names[0]) == 0 && strcmp(columns.name, names[1]) == 0 &&
            ends.element_bytes == sizeof(uint32_t) && columns.element_bytes == sizeof(uint16_t) &&
            rcity_tile_rows_take_strip(rows, ends.data, ends.count, columns.offset / sizeof(uint16_t), columns.count);
    }
    *strip_count = strip;
    return RCITY_OK;
}

static rcity_status start(rcity_store_grow *file, const file_key *key)
{
    RCITY_TRY(rcity_store_grow_cut(file, 0));
    for (int i = 0; i < KEY_COUNT; i++) {
        RCITY_TRY(rcity_store_grow_append(file, &key->block[i]));
    }
    return RCITY_OK;
}

rcity_status rcity_tile_file_begin(rcity_context *context, const char *path, const rcity_tiling *tiling,
                                   const rcity_tile_matrix_options *options, rcity_tile_rows *rows,
                                   rcity_store_grow **file, int64_t *strip_count)
{
    file_key key;
    make_key(tiling, options, &key);
    rcity_store_grow *made = NULL;
    bool is_same = false;
    rcity_status status;
    *strip_count = 0;
    RCITY_TRY_DONE(rcity_store_grow_open(context, path, RCITY_TILE_MATRIX_KIND, RCITY_TILE_MATRIX_VERSION, &made));
    RCITY_TRY_DONE(has_key(made, &key, &is_same));
    if (!is_same) {
        RCITY_TRY_DONE(start(made, &key));
    } else {
        RCITY_TRY_DONE(take_strips(made, rows, strip_count));
        if (!rcity_tile_rows_are_ordered(rows)) {
            status = rcity_fail(context, RCITY_ERR_FORMAT, "'%s.part' is not a matrix; remove it", path);
            goto done;
        }
        RCITY_TRY_DONE(rcity_store_grow_cut(made, KEY_COUNT + 2 * *strip_count));
        RCITY_TRY_DONE(update_columns(made, rows));
        rcity_tile_rows_count_mirrored(rows);
    }
    *file = made;
    made = NULL;
done:
    rcity_store_grow_close(&made);
    return status;
}

rcity_status rcity_tile_file_append(rcity_store_grow *file, rcity_tile_rows *rows, int64_t strip,
                                    const uint16_t *column)
{
    char names[2][RCITY_STORE_NAME_BYTES];
    name_blocks(strip, names[0], names[1]);
    size_t chunk_count = (size_t)rows->chunk_count;
    uint64_t end_count = (uint64_t)(rows->strip_end - rows->finished) * chunk_count;
    const rcity_store_block ends = {names[0], &rows->chunk_end[(size_t)rows->finished * chunk_count], end_count,
                                    sizeof *rows->chunk_end};
    const rcity_store_block columns = {names[1], column, rows->strip_entry_count, sizeof *column};
    RCITY_TRY(rcity_store_grow_append(file, &ends));
    RCITY_TRY(rcity_store_grow_append(file, &columns));
    rcity_store_grown last;
    RCITY_TRY(rcity_store_grow_get(file, rcity_store_grow_count(file) - 1, &last));
    rcity_tile_rows_finish_strip(rows, last.offset / sizeof *column);
    return update_columns(file, rows);
}

/* Does the file belong to this tiling? */
static rcity_status check_key(rcity_context *context, const char *path, const rcity_store *store,
                              const rcity_tiling *tiling, const rcity_tile_matrix_options *options)
{
    file_key key;
    make_key(tiling, options, &key);
    const void *data[KEY_COUNT];
    for (int i = 0; i < KEY_COUNT; i++) {
        uint64_t count = 0;
        RCITY_TRY(rcity_store_get(store, key.block[i].name, key.block[i].element_bytes, &data[i], &count));
        RCITY_CHECK(context, count == key.block[i].count, RCITY_ERR_FORMAT,
                    "block '%s' of '%s' has %llu elements, expected %llu; make it again", key.block[i].name, path,
                    (unsigned long long)count, (unsigned long long)key.block[i].count);
    }
    RCITY_CHECK(context, memcmp(data[0], key.scene, sizeof key.scene) == 0, RCITY_ERR_FORMAT,
                "the matrix '%s' belongs to another scene (%.12s, this one is %.12s); make it again", path,
                (const char *)data[0], key.scene);
    RCITY_CHECK(context,
                memcmp(data[1], key.tiling, sizeof key.tiling) == 0 &&
                    memcmp(data[2], &key.tile_count, sizeof key.tile_count) == 0,
                RCITY_ERR_FORMAT,
                "the matrix '%s' belongs to another tiling of this scene (%.12s, this one is %.12s); make it again, or "
                "use the tiles that it was made with",
                path, (const char *)data[1], key.tiling);
    double range_m;
    memcpy(&range_m, data[3], sizeof range_m);
    RCITY_CHECK(
        context, range_m == key.range_m, RCITY_ERR_FORMAT,
        "the matrix '%s' was made with `tile-range-m=%g` m, not %g m (0: no limit); make it again, or use its range",
        path, range_m, key.range_m);
    return RCITY_OK;
}

rcity_status rcity_tile_file_read(rcity_context *context, const char *path, const rcity_store *store,
                                  const rcity_tiling *tiling, const rcity_tile_matrix_options *options,
                                  rcity_tile_rows *rows)
{
    RCITY_TRY(check_key(context, path, store, tiling, options));
    for (int64_t strip = 0; rows->finished < rows->tile_count; strip++) {
        char names[2][RCITY_STORE_NAME_BYTES];
        const void *ends = NULL;
        const void *entries = NULL;
        uint64_t end_count = 0;
        uint64_t entry_count = 0;
        name_blocks(strip, names[0], names[1]);
        RCITY_TRY(rcity_store_get(store, names[0], sizeof(uint32_t), &ends, &end_count));
        RCITY_TRY(rcity_store_get(store, names[1], sizeof(uint16_t), &entries, &entry_count));
        const uint16_t *column = entries;
        rows->column = strip == 0 ? column : rows->column;
        RCITY_CHECK(context, column >= rows->column, RCITY_ERR_FORMAT,
                    "block '%s' of '%s' stands before the first one; make it again", names[1], path);
        uint64_t first = (uint64_t)(column - rows->column);
        RCITY_CHECK(context, rcity_tile_rows_take_strip(rows, ends, end_count, first, entry_count), RCITY_ERR_FORMAT,
                    "block '%s' of '%s' does not fit its entries; make it again", names[0], path);
    }
    RCITY_CHECK(context, rcity_tile_rows_are_ordered(rows), RCITY_ERR_FORMAT,
                "columns of '%s' are out of order or name no tile; make it again", path);
    return RCITY_OK;
}
