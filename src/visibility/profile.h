/* What stands under a straight line over the plan: roofs and ground. */
#ifndef RCITY_VISIBILITY_PROFILE_H
#define RCITY_VISIBILITY_PROFILE_H

#include "scene/facets/facet_table.h"
#include "scene/shape/plan_index.h"

#define RCITY_PROFILE_GROUND (-1)
#define RCITY_PROFILE_END    (-2) /* transmitter or receiver */

/* A point of the profile. */
typedef struct rcity_profile_point {
    double distance_m; /* from the start, in plan */
    double z;
    int32_t prism;    /* whose roof ends there; RCITY_PROFILE_GROUND, or RCITY_PROFILE_END */
    double reach;     /* p of a diffracting edge (over_roofs.h), HUGE_VAL if the path touches it; 0 for other points */
    bool starts_roof; /* the roof begins there, as seen from the start of the line; else it ends */
} rcity_profile_point;

/* A stretch of the line under one roof. */
typedef struct rcity_profile_roof {
    double z;
    double from_m, to_m; /* from the start, in plan */
    int32_t from_prism, to_prism;
} rcity_profile_roof;

/* The profile, sorted by distance, and the memory to build it; grown as needed. */
typedef struct rcity_profile {
    rcity_profile_point *points;
    size_t count, capacity;
    rcity_profile_roof *roofs;
    size_t roof_count, roof_capacity;
    double *crossings; /* of one prism */
    size_t crossing_capacity;
} rcity_profile;

void rcity_profile_deinit(rcity_context *context, rcity_profile *profile);

/* Where roofs and ground begin, end and change slope under the line between two places, whose heights are ignored. The
   ends are not among the points. */
rcity_status rcity_profile_build(rcity_context *context, const rcity_facet_table *world,
                                 const rcity_plan_index *prism_index, rcity_place3 from, rcity_place3 to,
                                 rcity_profile *profile);

#endif
