/* Delays: rows of bins and gains over a raster, and the notes that say how they were made. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "result/delays_data.h"

struct rcity_delays {
    rcity_context *context;
    char *crs;
    rcity_raster raster;
    double rx_height_m, first_s, bin_s;
    int64_t cell_count;
    int64_t next_cell; /* the first one that is not added yet; first[next_cell] is the number of entries */
    size_t bin_capacity, gain_capacity;
    rcity_delay_rows rows;
    rcity_notes notes;
};

static rcity_status check_setup(rcity_context *context, const rcity_raster *raster, double rx_height_m, double first_s,
                                double bin_s)
{
    RCITY_CHECK(context, raster->column_count >= 1 && raster->row_count >= 1, RCITY_ERR_ARGUMENT,
                "delays of %lld x %lld cells are empty; at least 1 x 1 is needed", (long long)raster->column_count,
                (long long)raster->row_count);
    RCITY_CHECK(context, raster->row_count <= INT64_MAX / (int64_t)sizeof(int64_t) / raster->column_count,
                RCITY_ERR_ARGUMENT, "delays of %lld x %lld cells are larger than any machine; use a larger cell",
                (long long)raster->column_count, (long long)raster->row_count);
    RCITY_CHECK(context,
                isfinite(raster->west_m) && isfinite(raster->north_m) && isfinite(raster->cell_m) &&
                    raster->cell_m > 0.0,
                RCITY_ERR_ARGUMENT, "delays need a finite corner and a cell above 0, not (%g, %g) and %g m",
                raster->west_m, raster->north_m, raster->cell_m);
    double east_m = raster->west_m + (double)raster->column_count * raster->cell_m;
    double south_m = raster->north_m - (double)raster->row_count * raster->cell_m;
    RCITY_CHECK(context, isfinite(east_m) && isfinite(south_m), RCITY_ERR_ARGUMENT,
                "delays of %lld x %lld cells of %g m from (%g, %g) on end beyond all numbers; use a smaller cell",
                (long long)raster->column_count, (long long)raster->row_count, raster->cell_m, raster->west_m,
                raster->north_m);
    RCITY_CHECK(context, isfinite(rx_height_m), RCITY_ERR_ARGUMENT, "delays need a finite receiver height, not %g m",
                rx_height_m);
    RCITY_CHECK(context, isfinite(first_s) && bin_s >= RCITY_DELAY_BIN_MIN_S && bin_s <= RCITY_DELAY_BIN_MAX_S,
                RCITY_ERR_ARGUMENT, "bins of delays from %g s on are %g s wide, must be finite and %g to %g s wide",
                first_s, bin_s, RCITY_DELAY_BIN_MIN_S, RCITY_DELAY_BIN_MAX_S);
    return RCITY_OK;
}

rcity_status rcity_delays_create(rcity_context *context, const rcity_raster *raster, const char *crs,
                                 double rx_height_m, double first_s, double bin_s, rcity_delays **delays)
{
    rcity_delays *made = NULL;
    rcity_status status;
    RCITY_TRY(check_setup(context, raster, rx_height_m, first_s, bin_s));
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "delays", &made));
    made->context = context;
    made->raster = *raster;
    made->rx_height_m = rx_height_m;
    made->first_s = first_s;
    made->bin_s = bin_s;
    rcity_notes_init(context, &made->notes);
    RCITY_TRY_DONE(rcity_copy_text(context, crs != NULL ? crs : "none", &made->crs));
    made->cell_count = raster->column_count * raster->row_count;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)made->cell_count + 1, sizeof *made->rows.first, "the cells of delays",
                               &made->rows.first));
    *delays = made;
    return RCITY_OK;
done:
    rcity_delays_destroy(&made);
    return status;
}

void rcity_delays_destroy(rcity_delays **delays)
{
    if (delays == NULL || *delays == NULL) {
        return;
    }
    rcity_delays *ended = *delays;
    rcity_context *context = ended->context;
    rcity_notes_deinit(&ended->notes);
    rcity_release(context, ended->rows.gain);
    rcity_release(context, ended->rows.bin);
    rcity_release(context, ended->rows.first);
    rcity_release(context, ended->crs);
    rcity_release(context, ended);
    *delays = NULL;
}

/* Cells up to before this one have all their entries. */
static void skip_to(rcity_delays *delays, int64_t cell_index)
{
    int64_t entry_count = delays->rows.first[delays->next_cell];
    while (delays->next_cell < cell_index) {
        delays->next_cell++;
        delays->rows.first[delays->next_cell] = entry_count;
    }
}

rcity_status rcity_delays_add_cell(rcity_delays *delays, int64_t cell_index, int64_t count, const int32_t *bins,
                                   const float *gains)
{
    assert(cell_index >= delays->next_cell && cell_index < delays->cell_count && count >= 0);
    rcity_context *context = delays->context;
    size_t used = (size_t)delays->rows.first[delays->next_cell];
    size_t needed = used + (size_t)count;
    RCITY_TRY(rcity_reserve(context, needed, sizeof *delays->rows.bin, &delays->bin_capacity, "bins of delays",
                            &delays->rows.bin));
    RCITY_TRY(rcity_reserve(context, needed, sizeof *delays->rows.gain, &delays->gain_capacity, "gains of delays",
                            &delays->rows.gain));
    skip_to(delays, cell_index);
    for (int64_t i = 0; i < count; i++) {
        assert(bins[i] >= 0 && (i == 0 || bins[i] > bins[i - 1]));
        assert(gains[i] >= 0.0f && isfinite(gains[i]));
        delays->rows.bin[used + (size_t)i] = bins[i];
        delays->rows.gain[used + (size_t)i] = gains[i];
    }
    delays->next_cell++;
    delays->rows.first[delays->next_cell] = (int64_t)needed;
    return RCITY_OK;
}

rcity_status rcity_delays_add_cells(rcity_delays *delays, int64_t cell_index, int64_t cell_count, const int32_t *counts,
                                    rcity_delay_rows *rows)
{
    assert(cell_index >= delays->next_cell && cell_count >= 0 && cell_count <= delays->cell_count - cell_index);
    int64_t used = delays->rows.first[delays->next_cell];
    int64_t needed = used;
    for (int64_t i = 0; i < cell_count; i++) {
        assert(counts[i] >= 0);
        needed += counts[i];
    }
    RCITY_TRY(rcity_reserve(delays->context, (size_t)needed, sizeof *delays->rows.bin, &delays->bin_capacity,
                            "bins of delays", &delays->rows.bin));
    RCITY_TRY(rcity_reserve(delays->context, (size_t)needed, sizeof *delays->rows.gain, &delays->gain_capacity,
                            "gains of delays", &delays->rows.gain));
    skip_to(delays, cell_index);
    int64_t *first = delays->rows.first + cell_index;
    for (int64_t i = 0; i < cell_count; i++) {
        first[i + 1] = first[i] + counts[i];
    }
    delays->next_cell += cell_count;
    *rows = (rcity_delay_rows){first, NULL, NULL};
    if (needed > used) { /* else there may be no memory yet */
        rows->bin = delays->rows.bin + used;
        rows->gain = delays->rows.gain + used;
    }
    return RCITY_OK;
}

void rcity_delays_cut(rcity_delays *delays, int64_t cell_index)
{
    if (delays->next_cell > cell_index) {
        delays->next_cell = cell_index;
    }
}

rcity_status rcity_delays_finish(rcity_delays *delays)
{
    size_t used = (size_t)delays->rows.first[delays->next_cell];
    if (used > 0 && delays->bin_capacity > used) {
        RCITY_TRY(rcity_resize(delays->context, used, sizeof *delays->rows.bin, "bins of delays", &delays->rows.bin));
        delays->bin_capacity = used;
    }
    if (used > 0 && delays->gain_capacity > used) {
        RCITY_TRY(
            rcity_resize(delays->context, used, sizeof *delays->rows.gain, "gains of delays", &delays->rows.gain));
        delays->gain_capacity = used;
    }
    skip_to(delays, delays->cell_count);
    return RCITY_OK;
}

rcity_status rcity_delays_allot(rcity_delays *delays, int64_t entry_count, rcity_delay_rows *rows)
{
    assert(delays->next_cell == 0 && entry_count >= 0);
    size_t count = (size_t)entry_count;
    RCITY_TRY(rcity_reserve(delays->context, count, sizeof *delays->rows.bin, &delays->bin_capacity, "bins of delays",
                            &delays->rows.bin));
    RCITY_TRY(rcity_reserve(delays->context, count, sizeof *delays->rows.gain, &delays->gain_capacity,
                            "gains of delays", &delays->rows.gain));
    delays->next_cell = delays->cell_count;
    delays->rows.first[delays->cell_count] = entry_count;
    *rows = delays->rows;
    return RCITY_OK;
}

/* What is wrong with a cell's row; NULL: nothing. */
static const char *find_fault(const rcity_delays *delays, int64_t cell, int64_t entry_count)
{
    const rcity_delay_rows *rows = &delays->rows;
    if (rows->first[cell] < 0 || rows->first[cell + 1] < rows->first[cell] || rows->first[cell + 1] > entry_count) {
        return "its entries start or end where they cannot";
    }
    for (int64_t i = rows->first[cell]; i < rows->first[cell + 1]; i++) {
        if (rows->bin[i] < 0 || (i > rows->first[cell] && rows->bin[i] <= rows->bin[i - 1])) {
            return "its bins do not ascend from 0 on";
        }
        if (!(rows->gain[i] >= 0.0f) || isinf(rows->gain[i])) {
            return "a gain is below 0 or no number";
        }
    }
    return NULL;
}

rcity_status rcity_delays_check_rows(rcity_delays *delays)
{
    int64_t entry_count = delays->rows.first[delays->cell_count];
    RCITY_CHECK(delays->context, delays->rows.first[0] == 0 && entry_count >= 0, RCITY_ERR_FORMAT,
                "the first cell's entries start at %lld and the last one's end at %lld, must be 0 and the number of "
                "entries",
                (long long)delays->rows.first[0], (long long)entry_count);
    for (int64_t cell = 0; cell < delays->cell_count; cell++) {
        const char *fault = find_fault(delays, cell, entry_count);
        RCITY_CHECK(delays->context, fault == NULL, RCITY_ERR_FORMAT, "cell %lld of %lld: %s", (long long)cell,
                    (long long)delays->cell_count, fault);
    }
    return RCITY_OK;
}

rcity_delay_rows_view rcity_delays_rows(const rcity_delays *delays)
{
    assert(delays->next_cell == delays->cell_count);
    return (rcity_delay_rows_view){delays->rows.first, delays->rows.bin, delays->rows.gain};
}

rcity_notes *rcity_delays_notes(rcity_delays *delays)
{
    return &delays->notes;
}

const char *rcity_delays_find_note(const rcity_delays *delays, const char *key)
{
    return rcity_notes_find(&delays->notes, key);
}

rcity_status rcity_delays_describe_sized(const rcity_delays *delays, size_t info_bytes, rcity_delays_info *info)
{
    RCITY_NEED(NULL, delays);
    RCITY_NEED(NULL, info);
    RCITY_CHECK_BYTES(NULL, rcity_delays_info, info_bytes);
    rcity_delay_rows_view rows = rcity_delays_rows(delays);
    rcity_delays_info made = {.raster = delays->raster,
                              .rx_height_m = delays->rx_height_m,
                              .first_s = delays->first_s,
                              .bin_s = delays->bin_s,
                              .cell_count = delays->cell_count,
                              .entry_count = rows.first[delays->cell_count],
                              .crs = delays->crs};
    for (int64_t cell = 0; cell < delays->cell_count; cell++) {
        bool is_reached = rows.first[cell + 1] > rows.first[cell];
        int64_t bin_count = is_reached ? (int64_t)rows.bin[rows.first[cell + 1] - 1] + 1 : 0;
        made.reached_count += is_reached;
        made.bin_count = bin_count > made.bin_count ? bin_count : made.bin_count;
    }
    rcity_copy_struct(&made, sizeof made, info_bytes, info);
    return RCITY_OK;
}

rcity_status rcity_delays_find_cell(rcity_context *context, const rcity_delays *delays, double x_m, double y_m,
                                    int64_t *cell_index)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, delays);
    RCITY_NEED(context, cell_index);
    const rcity_raster *raster = &delays->raster;
    double east_m = raster->west_m + (double)raster->column_count * raster->cell_m;
    double south_m = raster->north_m - (double)raster->row_count * raster->cell_m;
    RCITY_CHECK(context, x_m >= raster->west_m && x_m <= east_m && y_m >= south_m && y_m <= raster->north_m,
                RCITY_ERR_ARGUMENT,
                "the place %.10g, %.10g lies outside the delays, which reach from x %.10g to %.10g and from y %.10g to "
                "%.10g; choose one inside",
                x_m, y_m, raster->west_m, east_m, south_m, raster->north_m);
    int64_t column = (int64_t)((x_m - raster->west_m) / raster->cell_m);
    int64_t row = (int64_t)((raster->north_m - y_m) / raster->cell_m);
    column = column < raster->column_count ? column : raster->column_count - 1;
    row = row < raster->row_count ? row : raster->row_count - 1;
    *cell_index = row * raster->column_count + column;
    return RCITY_OK;
}

rcity_status rcity_delays_get_cell_sized(const rcity_delays *delays, int64_t cell_index, size_t cell_bytes,
                                         rcity_delay_cell *cell)
{
    RCITY_NEED(NULL, delays);
    RCITY_NEED(NULL, cell);
    RCITY_CHECK_BYTES(NULL, rcity_delay_cell, cell_bytes);
    if (cell_index < 0 || cell_index >= delays->cell_count) {
        return RCITY_ERR_ARGUMENT;
    }
    const rcity_raster *raster = &delays->raster;
    rcity_delay_rows_view rows = rcity_delays_rows(delays);
    rcity_delay_cell made = {.row = cell_index / raster->column_count, .column = cell_index % raster->column_count};
    made.x_m = raster->west_m + ((double)made.column + 0.5) * raster->cell_m;
    made.y_m = raster->north_m - ((double)made.row + 0.5) * raster->cell_m;
    made.entry_count = rows.first[cell_index + 1] - rows.first[cell_index];
    if (made.entry_count > 0) {
        made.bin = rows.bin + rows.first[cell_index];
        made.gain = rows.gain + rows.first[cell_index];
    }
    rcity_copy_struct(&made, sizeof made, cell_bytes, cell);
    return RCITY_OK;
}

rcity_status rcity_delays_summarize_sized(rcity_context *context, const rcity_delays *delays, int64_t cell_index,
                                          double threshold_db, size_t summary_bytes, rcity_delay_summary *summary)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, delays);
    RCITY_NEED(context, summary);
    RCITY_CHECK_BYTES(context, rcity_delay_summary, summary_bytes);
    double below_db = isnan(threshold_db) ? RCITY_DELAY_THRESHOLD_DB : threshold_db;
    RCITY_CHECK(context, below_db >= 0.0 && below_db <= RCITY_DELAY_THRESHOLD_MAX_DB, RCITY_ERR_ARGUMENT,
                "`threshold-db` is %g, must be 0 to %g", below_db, RCITY_DELAY_THRESHOLD_MAX_DB);
    rcity_delay_cell cell;
    rcity_delay_summary made;
    RCITY_CHECK(context, rcity_delays_get_cell(delays, cell_index, &cell) == RCITY_OK, RCITY_ERR_ARGUMENT,
                "there is no cell %lld; the delays have %lld, from 0", (long long)cell_index,
                (long long)delays->cell_count);
    rcity_delay_summary_fill(delays->first_s, delays->bin_s, cell.entry_count, cell.bin, cell.gain, below_db, &made);
    rcity_copy_struct(&made, sizeof made, summary_bytes, summary);
    return RCITY_OK;
}

int rcity_delays_note_count(const rcity_delays *delays)
{
    return delays != NULL ? (int)delays->notes.count : 0;
}

rcity_status rcity_delays_get_note(const rcity_delays *delays, int pair_index, const char **key, const char **value)
{
    RCITY_NEED(NULL, delays);
    RCITY_NEED(NULL, key);
    RCITY_NEED(NULL, value);
    return rcity_notes_get(&delays->notes, pair_index, key, value) ? RCITY_OK : RCITY_ERR_ARGUMENT;
}
