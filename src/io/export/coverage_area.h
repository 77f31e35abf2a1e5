/* The area where a band reaches a threshold, for the writers of GeoJSON and KMZ. */
#ifndef RCITY_IO_EXPORT_COVERAGE_AREA_H
#define RCITY_IO_EXPORT_COVERAGE_AREA_H

#include "io/export/regions.h"
#include "radiocity/map.h"

#define RCITY_AREA_THRESHOLD_MAX 64 /* largest number of thresholds in one file */

typedef struct rcity_coverage_area {
    double threshold;
    double area_km2; /* of its cells; NAN when their unit is not the metre on the ground */
    double fraction; /* of the cells with a value; NAN when there are none */
    rcity_regions regions;
    rcity_outlines outlines;
} rcity_coverage_area;

/* Check thresholds and put them in the order of drawing: the largest area first, so that smaller ones are drawn over
   it. `sorted` has room for RCITY_AREA_THRESHOLD_MAX. */
rcity_status rcity_coverage_sort(rcity_context *context, const rcity_band *band, int threshold_count,
                                 const double *thresholds, double *sorted);

/* Longitude and latitude, or the map's own coordinates when it has no CRS. */
rcity_status rcity_coverage_area_make(rcity_context *context, const rcity_map *map, const rcity_band *band,
                                      double threshold, rcity_coverage_area *area);
void rcity_coverage_area_deinit(rcity_coverage_area *area);

#endif
