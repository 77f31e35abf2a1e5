/* Histograms of delays as tables, saved and loaded: where the entries of a cell start, entries, notes. */
#include <math.h>
#include <string.h>

#include "io/hdf5/hdf5_input.h"
#include "result/delays_data.h"

#define FORMAT_NAME    "radiocity delays"
#define FORMAT_VERSION 1.0

#define FIRST_COLUMN "cells/first"
#define BIN_COLUMN   "entries/bin"
#define GAIN_COLUMN  "entries/gain"
#define KEY_COLUMN   "notes/key"
#define VALUE_COLUMN "notes/value"

/* ---- saving ---- */

static void note_number(rcity_hdf5 *file, const char *key, double number)
{
    rcity_hdf5_note_numbers(file, key, 1, &number);
}

static void add_attributes(rcity_hdf5 *file, const rcity_delays_info *info)
{
    rcity_hdf5_note_text(file, "format", FORMAT_NAME);
    note_number(file, "format_version", FORMAT_VERSION);
    rcity_hdf5_note_text(
        file, "text",
        "entries first[c] to before first[c + 1] are those of cell c, row by row from the north; a bin "
        "starts at first_s + bin * bin_s");
    rcity_hdf5_note_text(file, "crs", info->crs);
    note_number(file, "column_count", (double)info->raster.column_count);
    note_number(file, "row_count", (double)info->raster.row_count);
    note_number(file, "west_m", info->raster.west_m);
    note_number(file, "north_m", info->raster.north_m);
    note_number(file, "cell_m", info->raster.cell_m);
    note_number(file, "rx_height_m", info->rx_height_m);
    note_number(file, "first_s", info->first_s);
    note_number(file, "bin_s", info->bin_s);
}

static void add_rows(rcity_hdf5 *file, const rcity_delays *delays, const rcity_delays_info *info)
{
    rcity_delay_rows_view rows = rcity_delays_rows(delays);
    const rcity_hdf5_column columns[] = {
        {.name = FIRST_COLUMN,
         .unit = "",
         .text = "row of the cell's first entry in entries; one more row at the end",
         .type = RCITY_HDF5_INT64,
         .count = info->cell_count + 1,
         .is_compressed = true,
         .data = rows.first},
        {.name = BIN_COLUMN,
         .unit = "bin_s",
         .text = "number of the bin, ascending in a cell",
         .type = RCITY_HDF5_INT32,
         .count = info->entry_count,
         .is_compressed = true,
         .data = rows.bin},
        {.name = GAIN_COLUMN,
         .unit = "",
         .text = "received power over power into the transmitting antenna, linear",
         .type = RCITY_HDF5_FLOAT,
         .count = info->entry_count,
         .is_compressed = true,
         .data = rows.gain},
    };
    rcity_hdf5_add_group(file, "cells", "one row a cell");
    rcity_hdf5_add_column(file, &columns[0]);
    rcity_hdf5_add_group(file, "entries", "one row for each bin of a cell in which something arrives");
    rcity_hdf5_add_column(file, &columns[1]);
    rcity_hdf5_add_column(file, &columns[2]);
}

static const char *note_text(const rcity_delays *delays, int pair_index, bool is_key)
{
    const char *key = "";
    const char *value = "";
    rcity_status status = rcity_delays_get_note(delays, pair_index, &key, &value);
    (void)status; /* in range */
    return is_key ? key : value;
}

/* All keys, or all values: texts of one length, without a terminating 0 in the longest. */
static rcity_status add_note_column(rcity_context *context, rcity_hdf5 *file, const rcity_delays *delays, bool is_key)
{
    int count = rcity_delays_note_count(delays);
    size_t longest = 1;
    char *texts = NULL;
    for (int i = 0; i < count; i++) {
        size_t length = strlen(note_text(delays, i, is_key));
        longest = length > longest ? length : longest;
    }
    RCITY_TRY(rcity_alloc(context, (size_t)count, longest, "notes of a file", &texts));
    for (int i = 0; i < count; i++) {
        const char *text = note_text(delays, i, is_key);
        for (size_t k = 0; text[k] != '\0'; k++) {
            texts[(size_t)i * longest + k] = text[k];
        }
    }
    const rcity_hdf5_column column = {.name = is_key ? KEY_COLUMN : VALUE_COLUMN,
                                      .unit = "",
                                      .text = is_key ? "what is told" : "what it is",
                                      .type = RCITY_HDF5_TEXT,
                                      .text_bytes = longest,
                                      .count = count,
                                      .is_compressed = true,
                                      .data = texts};
    rcity_hdf5_add_column(file, &column);
    rcity_release(context, texts);
    return RCITY_OK;
}

rcity_status rcity_delays_save_hdf5(rcity_context *context, const rcity_delays *delays, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, delays);
    RCITY_NEED(context, path);
    rcity_hdf5 *file = NULL;
    rcity_delays_info info;
    rcity_status status;
    RCITY_TRY_DONE(rcity_delays_describe(delays, &info));
    RCITY_TRY_DONE(rcity_hdf5_create(context, path, rcity_delays_hdf5_bytes(info.cell_count, info.entry_count), &file));
    add_attributes(file, &info);
    add_rows(file, delays, &info);
    rcity_hdf5_add_group(file, "notes", "how the delays were made, in order");
    RCITY_TRY_DONE(add_note_column(context, file, delays, true));
    RCITY_TRY_DONE(add_note_column(context, file, delays, false));
    RCITY_TRY_DONE(rcity_progress(context, "writing delays", 0.0, 1.0));
    status = rcity_hdf5_save_sealed(file);
done:
    rcity_hdf5_destroy(&file);
    return status;
}

/* ---- loading ---- */

static rcity_status read_setup(rcity_hdf5_input *input, rcity_delays_info *info)
{
    RCITY_TRY(rcity_hdf5_read_count(input, "column_count", 1, &info->raster.column_count));
    RCITY_TRY(rcity_hdf5_read_count(input, "row_count", 1, &info->raster.row_count));
    RCITY_TRY(rcity_hdf5_read_number(input, "west_m", &info->raster.west_m));
    RCITY_TRY(rcity_hdf5_read_number(input, "north_m", &info->raster.north_m));
    RCITY_TRY(rcity_hdf5_read_number(input, "cell_m", &info->raster.cell_m));
    RCITY_TRY(rcity_hdf5_read_number(input, "rx_height_m", &info->rx_height_m));
    RCITY_TRY(rcity_hdf5_read_number(input, "first_s", &info->first_s));
    return rcity_hdf5_read_number(input, "bin_s", &info->bin_s);
}

/* Values that cannot be are those of a file, not of a caller. */
static rcity_status create(rcity_context *context, const char *path, const char *crs, const rcity_delays_info *info,
                           rcity_delays **delays)
{
    rcity_status status =
        rcity_delays_create(context, &info->raster, crs, info->rx_height_m, info->first_s, info->bin_s, delays);
    return status == RCITY_ERR_ARGUMENT
               ? rcity_fail_prefix(context, RCITY_ERR_FORMAT, "'%s' does not follow its format: ", path)
               : status;
}

static rcity_status read_rows(rcity_context *context, rcity_hdf5_input *input, const char *path,
                              const rcity_delays_info *info, rcity_delays *delays)
{
    int64_t count = 0;
    size_t bytes = 0;
    rcity_delay_rows rows;
    RCITY_TRY(rcity_hdf5_count_rows(input, BIN_COLUMN, &count, &bytes));
    RCITY_TRY(rcity_delays_allot(delays, count, &rows));
    RCITY_TRY(rcity_hdf5_read_column(input, FIRST_COLUMN, RCITY_HDF5_INT64,
                                     info->raster.column_count * info->raster.row_count + 1, rows.first));
    RCITY_TRY(rcity_hdf5_read_column(input, BIN_COLUMN, RCITY_HDF5_INT32, count, rows.bin));
    RCITY_TRY(rcity_hdf5_read_column(input, GAIN_COLUMN, RCITY_HDF5_FLOAT, count, rows.gain));
    RCITY_CHECK(context, rows.first[info->raster.column_count * info->raster.row_count] == count, RCITY_ERR_FORMAT,
                "'%s' does not follow its format: " FIRST_COLUMN " ends at %lld, but there are %lld entries", path,
                (long long)rows.first[info->raster.column_count * info->raster.row_count], (long long)count);
    rcity_status status = rcity_delays_check_rows(delays);
    return status == RCITY_ERR_FORMAT ? rcity_fail_prefix(context, status, "'%s' does not follow its format: ", path)
                                      : status;
}

/* A column of texts, each with a terminating 0, `*pitch` bytes apart. */
static rcity_status read_texts(rcity_context *context, rcity_hdf5_input *input, const char *name, int64_t *count,
                               size_t *pitch, char **texts)
{
    char *packed = NULL;
    size_t bytes = 0;
    rcity_status status;
    RCITY_TRY(rcity_hdf5_count_rows(input, name, count, &bytes));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)*count, bytes, "notes of a file", &packed));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)*count, bytes + 1, "notes of a file", texts));
    RCITY_TRY_DONE(rcity_hdf5_read_column(input, name, RCITY_HDF5_TEXT, *count, packed));
    *pitch = bytes + 1;
    for (int64_t i = 0; i < *count; i++) {
        memcpy(*texts + (size_t)i * *pitch, packed + (size_t)i * bytes, bytes);
    }
done:
    rcity_release(context, packed);
    return status;
}

static rcity_status read_notes(rcity_context *context, rcity_hdf5_input *input, const char *path, rcity_delays *delays)
{
    char *keys = NULL;
    char *values = NULL;
    int64_t key_count = 0;
    int64_t value_count = 0;
    size_t key_pitch = 0;
    size_t value_pitch = 0;
    rcity_status status;
    RCITY_TRY_DONE(read_texts(context, input, KEY_COLUMN, &key_count, &key_pitch, &keys));
    RCITY_TRY_DONE(read_texts(context, input, VALUE_COLUMN, &value_count, &value_pitch, &values));
    status = key_count == value_count ? RCITY_OK
                                      : rcity_fail(context, RCITY_ERR_FORMAT,
                                                   "'%s' does not follow its format: " KEY_COLUMN
                                                   " has %lld rows, but " VALUE_COLUMN " has %lld",
                                                   path, (long long)key_count, (long long)value_count);
    RCITY_TRY_DONE(status);
    for (int64_t i = 0; i < key_count; i++) {
        RCITY_TRY_DONE(rcity_notes_add(rcity_delays_notes(delays), keys + (size_t)i * key_pitch, "%s",
                                       values + (size_t)i * value_pitch));
    }
done:
    rcity_release(context, values);
    rcity_release(context, keys);
    return status;
}

rcity_status rcity_delays_load_hdf5(rcity_context *context, const char *path, rcity_delays **delays)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, path);
    RCITY_NEED(context, delays);
    rcity_hdf5_input *input = NULL;
    rcity_delays *made = NULL;
    rcity_delays_info info;
    char *crs = NULL;
    rcity_status status;
    memset(&info, 0, sizeof info);
    RCITY_TRY_DONE(rcity_hdf5_open(context, path, FORMAT_NAME, FORMAT_VERSION, &input));
    RCITY_TRY_DONE(rcity_hdf5_read_text(input, "crs", &crs));
    RCITY_TRY_DONE(read_setup(input, &info));
    RCITY_TRY_DONE(create(context, path, crs, &info, &made));
    RCITY_TRY_DONE(read_rows(context, input, path, &info, made));
    RCITY_TRY_DONE(read_notes(context, input, path, made));
    *delays = made;
    made = NULL;
done:
    rcity_delays_destroy(&made);
    rcity_release(context, crs);
    rcity_hdf5_close(&input);
    return status;
}
