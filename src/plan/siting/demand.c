/* What stations compete for: points with weights and needs. */
#include "plan/siting/demand.h"

#include <math.h>
#include <string.h>

#include "base/abi.h"

void rcity_demand_point_init(rcity_demand_point *point, size_t struct_bytes)
{
    rcity_demand_point made;
    memset(&made, 0, sizeof made);
    made.height_m = 1.5;
    made.weight = 1.0;
    made.least_dbm = (double)NAN;
    made.least_sinr_db = (double)NAN;
    rcity_give_defaults(&made, sizeof made, struct_bytes, point);
}

static rcity_status check_point(rcity_context *context, int64_t number, const rcity_demand_point *point)
{
    long long n = (long long)number;
    RCITY_CHECK(context, isfinite(point->x_m) && isfinite(point->y_m), RCITY_ERR_ARGUMENT,
                "point %lld of the demand lies at (%g, %g), must be numbers", n, point->x_m, point->y_m);
    RCITY_CHECK(context, point->height_m >= 0.0 && point->height_m <= RCITY_RX_HEIGHT_MAX_M, RCITY_ERR_ARGUMENT,
                "point %lld of the demand is %g m above ground, must be 0 to %g m", n, point->height_m,
                RCITY_RX_HEIGHT_MAX_M);
    RCITY_CHECK(context, point->weight >= 0.0 && isfinite(point->weight), RCITY_ERR_ARGUMENT,
                "point %lld of the demand weighs %g, must be 0 or more", n, point->weight);
    RCITY_CHECK(context, !isinf(point->least_dbm) && !isinf(point->least_sinr_db), RCITY_ERR_ARGUMENT,
                "point %lld of the demand needs an infinite level", n);
    RCITY_CHECK(context, point->server_count >= 0 && point->server_count <= RCITY_DEMAND_SERVER_MAX, RCITY_ERR_ARGUMENT,
                "point %lld of the demand needs %d servers, must be 0 to %d", n, point->server_count,
                RCITY_DEMAND_SERVER_MAX);
    return RCITY_OK;
}

rcity_status rcity_demand_create(rcity_context *context, int64_t point_count, const rcity_demand_point *points,
                                 rcity_demand **demand)
{
    RCITY_NEED(context, context);
    RCITY_NEED_SOME(context, points, point_count);
    RCITY_NEED(context, demand);
    RCITY_CHECK(context, point_count >= 1 && point_count <= RCITY_SITING_POINT_MAX, RCITY_ERR_ARGUMENT,
                "the demand has %lld points, must be 1 to %d", (long long)point_count, RCITY_SITING_POINT_MAX);
    double weight = 0.0;
    for (int64_t i = 0; i < point_count; i++) {
        RCITY_TRY(RCITY_CHECK_FIXED(context, rcity_demand_point, &points[i]));
        RCITY_TRY(check_point(context, i + 1, &points[i]));
        weight += points[i].weight;
    }
    RCITY_CHECK(context, weight > 0.0 && isfinite(weight), RCITY_ERR_ARGUMENT,
                "the demand of %lld points weighs %g in all; some point must weigh more than 0", (long long)point_count,
                weight);
    rcity_demand *made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *made, "demand", &made));
    made->context = context;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)point_count, sizeof *made->points, "demand", &made->points));
    memcpy(made->points, points, (size_t)point_count * sizeof *points);
    made->count = point_count;
    made->weight = weight;
    *demand = made;
    made = NULL;
done:
    rcity_demand_destroy(&made);
    return status;
}

void rcity_demand_destroy(rcity_demand **demand)
{
    if (demand == NULL || *demand == NULL) {
        return;
    }
    rcity_demand *old = *demand;
    rcity_release(old->context, old->points);
    rcity_release(old->context, old);
    *demand = NULL;
}

int64_t rcity_demand_count(const rcity_demand *demand)
{
    return demand != NULL ? demand->count : 0;
}

rcity_status rcity_demand_get_point(const rcity_demand *demand, int64_t point_index, rcity_demand_point *point)
{
    if (demand == NULL || point == NULL || point_index < 0 || point_index >= demand->count) {
        return RCITY_ERR_ARGUMENT;
    }
    *point = demand->points[point_index];
    return RCITY_OK;
}
