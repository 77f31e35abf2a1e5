/* How much of a demand the map of a network covers. */
#ifndef CLI_PREDICT_DEMAND_H
#define CLI_PREDICT_DEMAND_H

#include "json.h"
#include "predict_input.h"

/* Of one threshold, at the first receiver height. */
typedef struct demand_row {
    double threshold_dbm;
    double covered_weight; /* of points in cells that reach it */
    double overlap_weight; /* of those whose second server is within the handover margin of the first */
} demand_row;

typedef struct predict_demand {
    bool is_given;
    int64_t point_count;
    double weight, handover_db;
    double valued_weight; /* of points in cells with a value */
    int row_count;
    demand_row rows[NUMBER_LIST_MAX];
} predict_demand;

/* Load the demand that the input names, and look its points up in the map; does nothing without one. */
rcity_status predict_demand_find(rcity_context *context, const rcity_scene *scene, const predict_input *input,
                                 const rcity_map *map, predict_demand *demand);

void predict_demand_json(json_writer *json, const predict_demand *demand);
void predict_demand_print(const predict_demand *demand);

#endif
