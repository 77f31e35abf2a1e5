/* The inside of demand. */
#ifndef RCITY_PLAN_SITING_DEMAND_H
#define RCITY_PLAN_SITING_DEMAND_H

#include "base/base.h"
#include "radiocity/siting.h"

struct rcity_demand {
    rcity_context *context;
    int64_t count;
    rcity_demand_point *points;
    double weight; /* of all points; above 0 */
};

/* Demand that is still spread: squares of `cluster_m` become one point each, at the place of their heaviest part, since
   the middle may lie under a roof. 0: each part is a point. Parts without weight are left out. */
typedef struct rcity_demand_part {
    double x_m, y_m, weight;
} rcity_demand_part;

rcity_status rcity_demand_gather(rcity_context *context, int64_t part_count, const rcity_demand_part *parts,
                                 double cluster_m, double height_m, rcity_demand **demand);

#endif
