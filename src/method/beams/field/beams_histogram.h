/* Power over delay at the cells of a strip of a raster, as results keep it (result/delays_data.h). */
#ifndef RCITY_METHOD_BEAMS_FIELD_BEAMS_HISTOGRAM_H
#define RCITY_METHOD_BEAMS_FIELD_BEAMS_HISTOGRAM_H

#include "method/beams/field/beams_sums.h"
#include "result/delays_data.h"

/* Histograms of cells, one after the other. Zeroed before the first. */
typedef struct rcity_beams_histogram {
    int64_t *end; /* of each cell: the end of its entries */
    size_t cell_count, cell_capacity;
    int32_t *bin;
    float *gain;
    size_t entry_count, bin_capacity, gain_capacity;
} rcity_beams_histogram;

void rcity_beams_histogram_deinit(rcity_context *context, rcity_beams_histogram *histogram);

/* Add a cell: the powers of all paths that `sums` holds, by their delays from 0 on. */
rcity_status rcity_beams_histogram_add(rcity_context *context, const rcity_beams_sums *sums, double bin_s,
                                       rcity_beams_histogram *histogram);

/* The same power by power: all of a cell's, then its end. */
rcity_status rcity_beams_histogram_take(rcity_context *context, int32_t bin, float power,
                                        rcity_beams_histogram *histogram);
rcity_status rcity_beams_histogram_end_cell(rcity_context *context, rcity_beams_histogram *histogram);

/* Pass on the cells of all strips of a raster, each of so many cells but the last. */
rcity_status rcity_beams_histograms_hand_on(const rcity_beams_histogram *strips, int64_t strip_count,
                                            int64_t strip_cells, rcity_delays *delays);

#endif
