/* Histograms by insertion: a place has some hundred paths in some tens of bins. */
#include "method/beams/field/beams_histogram.h"

#include <math.h>
#include <string.h>

void rcity_beams_histogram_deinit(rcity_context *context, rcity_beams_histogram *histogram)
{
    rcity_release(context, histogram->gain);
    rcity_release(context, histogram->bin);
    rcity_release(context, histogram->end);
    memset(histogram, 0, sizeof *histogram);
}

/* The entry of a bin among those from `first` on; where there is none, where it belongs. */
static size_t find_bin(const rcity_beams_histogram *histogram, size_t first, int32_t bin)
{
    size_t low = first;
    size_t high = histogram->entry_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (histogram->bin[middle] < bin) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

rcity_status rcity_beams_histogram_take(rcity_context *context, int32_t bin, float power,
                                        rcity_beams_histogram *histogram)
{
    size_t first = histogram->cell_count > 0 ? (size_t)histogram->end[histogram->cell_count - 1] : 0;
    size_t at = find_bin(histogram, first, bin);
    if (at < histogram->entry_count && histogram->bin[at] == bin) {
        histogram->gain[at] += power;
        return RCITY_OK;
    }
    RCITY_TRY(rcity_reserve(context, histogram->entry_count + 1, sizeof *histogram->bin, &histogram->bin_capacity,
                            "histograms of delays", &histogram->bin));
    RCITY_TRY(rcity_reserve(context, histogram->entry_count + 1, sizeof *histogram->gain, &histogram->gain_capacity,
                            "histograms of delays", &histogram->gain));
    size_t behind = histogram->entry_count - at;
    memmove(histogram->bin + at + 1, histogram->bin + at, behind * sizeof *histogram->bin);
    memmove(histogram->gain + at + 1, histogram->gain + at, behind * sizeof *histogram->gain);
    histogram->bin[at] = bin;
    histogram->gain[at] = power;
    histogram->entry_count++;
    return RCITY_OK;
}

rcity_status rcity_beams_histogram_end_cell(rcity_context *context, rcity_beams_histogram *histogram)
{
    RCITY_TRY(rcity_reserve(context, histogram->cell_count + 1, sizeof *histogram->end, &histogram->cell_capacity,
                            "histograms of delays", &histogram->end));
    histogram->end[histogram->cell_count++] = (int64_t)histogram->entry_count;
    return RCITY_OK;
}

rcity_status rcity_beams_histogram_add(rcity_context *context, const rcity_beams_sums *sums, double bin_s,
                                       rcity_beams_histogram *histogram)
{
    for (size_t i = 0; i < sums->item_count; i++) {
        const rcity_beams_item *item = &sums->items[i];
        if (item->power > 0.0) {
            RCITY_TRY(rcity_beams_histogram_take(context, (int32_t)floor(item->delay_s / bin_s), (float)item->power,
                                                 histogram));
        }
    }
    return rcity_beams_histogram_end_cell(context, histogram);
}

static rcity_status hand_on_strip(const rcity_beams_histogram *histogram, int64_t cell_first, rcity_delays *delays)
{
    int64_t first = 0;
    for (size_t cell = 0; cell < histogram->cell_count; cell++) {
        int64_t count = histogram->end[cell] - first;
        if (count > 0) {
            RCITY_TRY(rcity_delays_add_cell(delays, cell_first + (int64_t)cell, count, histogram->bin + first,
                                            histogram->gain + first));
        }
        first = histogram->end[cell];
    }
    return RCITY_OK;
}

rcity_status rcity_beams_histograms_hand_on(const rcity_beams_histogram *strips, int64_t strip_count,
                                            int64_t strip_cells, rcity_delays *delays)
{
    for (int64_t i = 0; i < strip_count; i++) {
        RCITY_TRY(hand_on_strip(&strips[i], i * strip_cells, delays));
    }
    return rcity_delays_finish(delays);
}
