/* The inside of delays: what a method fills. Create, add cells in ascending order, one by one or many at once, finish; or
   allot all rows and fill them from many threads. */
#ifndef RCITY_RESULT_DELAYS_DATA_H
#define RCITY_RESULT_DELAYS_DATA_H

#include "base/base.h"
#include "radiocity/delays.h"
#include "result/notes.h"

/* Delays without entries over a raster; `crs` is copied, NULL: none. @return RCITY_ERR_ARGUMENT for a raster without
   cells, corner or size and for bins that have no width, RCITY_ERR_MEMORY. */
rcity_status rcity_delays_create(rcity_context *context, const rcity_raster *raster, const char *crs,
                                 double rx_height_m, double first_s, double bin_s, rcity_delays **delays);

/* Append the entries of a cell: `count` bins from 0 on, each above the one before, and their gains, finite and not below
   0; what breaks this is an error of the caller. `cell_index` is above that of the cell before; cells between have no
   entries. On failure nothing has changed. */
rcity_status rcity_delays_add_cell(rcity_delays *delays, int64_t cell_index, int64_t count, const int32_t *bins,
                                   const float *gains);

/* The rows: entries first[c] to before first[c + 1] are those of cell c; there are cell_count + 1 of these. */
typedef struct rcity_delay_rows {
    int64_t *first;
    int32_t *bin;
    float *gain;
} rcity_delay_rows;

/* Append `cell_count` cells from `cell_index` on, each with so many entries, which the caller fills: `first` points to where
   the first of these cells begins among all entries, and so on, `bin` and `gain` to its entries. They are borrowed until
   more is added. On failure nothing has changed. */
rcity_status rcity_delays_add_cells(rcity_delays *delays, int64_t cell_index, int64_t cell_count, const int32_t *counts,
                                    rcity_delay_rows *rows);

/* Forget all entries of cells from this one on; they may be added again. */
void rcity_delays_cut(rcity_delays *delays, int64_t cell_index);

/* After the last cell: all others have no entries, and memory that was reserved is given back. */
rcity_status rcity_delays_finish(rcity_delays *delays);

/* Instead of adding cells: rows for so many entries, to be filled whole. `first` is 0 but for its last, `entry_count`.
   The rows belong to the delays. Then rcity_delays_check_rows(). */
rcity_status rcity_delays_allot(rcity_delays *delays, int64_t entry_count, rcity_delay_rows *rows);

/* Are filled rows in order? @return RCITY_ERR_FORMAT with the first cell that is not, and what is wrong with it. */
rcity_status rcity_delays_check_rows(rcity_delays *delays);

/* The rows, for reading. */
typedef struct rcity_delay_rows_view {
    const int64_t *first;
    const int32_t *bin;
    const float *gain;
} rcity_delay_rows_view;

rcity_delay_rows_view rcity_delays_rows(const rcity_delays *delays);

/* The figures of one histogram, whose bins start at `first_s`; maps of delays take them from here too. `threshold_db` is
   in its range. */
void rcity_delay_summary_fill(double first_s, double bin_s, int64_t count, const int32_t *bins, const float *gains,
                              double threshold_db, rcity_delay_summary *summary);

/* The notes, for writing. Borrowed until the delays are destroyed. */
rcity_notes *rcity_delays_notes(rcity_delays *delays);
const char *rcity_delays_find_note(const rcity_delays *delays, const char *key);

#endif
