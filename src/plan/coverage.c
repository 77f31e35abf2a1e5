/* How much of a map reaches a threshold, with and without fading. */
#include <math.h>

#include "base/abi.h"
#include "radiocity/plan.h"
#include "result/map_data.h"

/* Add one row. Probabilities are summed row by row, which keeps rounding errors small. */
static void count_row(const float *value, int64_t column_count, bool is_loss, double sigma_db, rcity_coverage *coverage)
{
    double probability_sum = 0.0;
    for (int64_t i = 0; i < column_count; i++) {
        if (isnan(value[i])) {
            continue;
        }
        double margin_db = is_loss ? coverage->threshold - (double)value[i] : (double)value[i] - coverage->threshold;
        coverage->receiver_count++;
        coverage->covered_count += margin_db >= 0.0 ? 1 : 0;
        probability_sum += sigma_db > 0.0 ? rcity_fade_probability(margin_db, sigma_db) : 0.0;
    }
    coverage->fading_fraction += probability_sum;
}

static rcity_status map_get_coverage(rcity_context *context, const rcity_map *map, int band_index, double threshold,
                                     double fade_sigma_db, rcity_coverage *coverage)
{
    rcity_band band = {.value = NULL};
    RCITY_TRY(rcity_map_find_band(context, map, band_index, &band));
    RCITY_CHECK(context, isfinite(threshold), RCITY_ERR_ARGUMENT, "the threshold is %g, must be a number", threshold);
    RCITY_CHECK(context, fade_sigma_db >= 0.0 && fade_sigma_db <= RCITY_FADE_SIGMA_MAX_DB, RCITY_ERR_ARGUMENT,
                "the standard deviation of fading is %g dB, must be 0 to %g dB", fade_sigma_db,
                RCITY_FADE_SIGMA_MAX_DB);
    rcity_raster raster = rcity_map_raster(map);
    rcity_coverage made = {.threshold = threshold};
    for (int64_t row = 0; row < raster.row_count; row++) {
        count_row(band.value + row * raster.column_count, raster.column_count, rcity_band_is_loss(&band), fade_sigma_db,
                  &made);
    }
    double cell_km2 = rcity_map_cell_km2(map);
    made.receiver_km2 = (double)made.receiver_count * cell_km2;
    made.covered_km2 = (double)made.covered_count * cell_km2;
    bool has_any = made.receiver_count > 0;
    made.covered_fraction = has_any ? (double)made.covered_count / (double)made.receiver_count : (double)NAN;
    made.fading_fraction =
        has_any && fade_sigma_db > 0.0 ? made.fading_fraction / (double)made.receiver_count : (double)NAN;
    *coverage = made;
    return RCITY_OK;
}

rcity_status rcity_map_get_coverage_sized(rcity_context *context, const rcity_map *map, int band_index,
                                          double threshold, double fade_sigma_db, size_t coverage_bytes,
                                          rcity_coverage *coverage)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, map);
    RCITY_NEED(context, coverage);
    RCITY_CHECK_BYTES(context, rcity_coverage, coverage_bytes);
    rcity_coverage made;
    RCITY_TRY(map_get_coverage(context, map, band_index, threshold, fade_sigma_db, &made));
    rcity_copy_struct(&made, sizeof made, coverage_bytes, coverage);
    return RCITY_OK;
}
