/* Coverage outdoors and in buildings apart, for maps that have levels in both. */
#ifndef CLI_PREDICT_INDOOR_SHARES_H
#define CLI_PREDICT_INDOOR_SHARES_H

#include "predict_report.h"

/* Does the request ask for levels in buildings? */
bool indoor_is_wanted(const rcity_request *request);

/* Split each row of a table, whose bands are those of `kind` at `threshold_count` thresholds in their order: `coverage`
   becomes that of the cells outdoors, `indoor` that of the cells under a roof higher than their receivers. Without cells
   in buildings, nothing changes. */
rcity_status indoor_split(rcity_context *context, const rcity_scene *scene, const rcity_map *map,
                          const predict_report *report, rcity_band_kind kind, int threshold_count, double fade_db,
                          coverage_table *table);

#endif
