/* The area of a threshold: its cells, outlines and figures. */
#include "io/export/coverage_area.h"

#include <math.h>
#include <string.h>

#include "radiocity/crs.h"
#include "result/map_data.h"

rcity_status rcity_coverage_sort(rcity_context *context, const rcity_band *band, int threshold_count,
                                 const double *thresholds, double *sorted)
{
    RCITY_CHECK(context, threshold_count >= 1 && threshold_count <= RCITY_AREA_THRESHOLD_MAX, RCITY_ERR_ARGUMENT,
                "there are %d thresholds, must be 1 to %d", threshold_count, RCITY_AREA_THRESHOLD_MAX);
    double sign = rcity_band_is_loss(band) ? -1.0 : 1.0;
    for (int i = 0; i < threshold_count; i++) {
        RCITY_CHECK(context, isfinite(thresholds[i]), RCITY_ERR_ARGUMENT, "threshold %d is %g, must be a number", i + 1,
                    thresholds[i]);
        int place = i;
        while (place > 0 && sign * sorted[place - 1] > sign * thresholds[i]) {
            sorted[place] = sorted[place - 1];
            place--;
        }
        sorted[place] = thresholds[i];
    }
    return RCITY_OK;
}

rcity_status rcity_coverage_area_make(rcity_context *context, const rcity_map *map, const rcity_band *band,
                                      double threshold, rcity_coverage_area *area)
{
    rcity_raster raster = rcity_map_raster(map);
    const char *crs = rcity_map_crs(map);
    const char *to_crs = strcmp(crs, "none") != 0 ? RCITY_CRS_LONLAT : NULL;
    rcity_coverage_area made = {.threshold = threshold};
    RCITY_TRY(rcity_regions_find(context, band->value, raster.column_count, raster.row_count, threshold,
                                 rcity_band_is_loss(band), &made.regions));
    rcity_status status = rcity_outlines_make(context, &made.regions, &raster, crs, to_crs, &made.outlines);
    if (status != RCITY_OK) {
        rcity_regions_deinit(&made.regions);
        return status;
    }
    made.area_km2 = (double)made.regions.cell_count * rcity_map_cell_km2(map);
    made.fraction =
        made.regions.value_count > 0 ? (double)made.regions.cell_count / (double)made.regions.value_count : (double)NAN;
    *area = made;
    return RCITY_OK;
}

void rcity_coverage_area_deinit(rcity_coverage_area *area)
{
    rcity_outlines_deinit(&area->outlines);
    rcity_regions_deinit(&area->regions);
}
