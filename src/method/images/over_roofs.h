/* The way over everything in the vertical plane: a string pulled tight from the transmitter to the receiver over roofs and
   hills. Where it bends more often than edges may be met one by one, two diffractions would be silence, not truth. */
#ifndef RCITY_METHOD_IMAGES_OVER_ROOFS_H
#define RCITY_METHOD_IMAGES_OVER_ROOFS_H

#include "method/images/trace_path.h"
#include "scene/shape/plan_index.h"

#define RCITY_OVER_ROOFS_TOP_MAX 16 /* of a chain */

#define RCITY_PROFILE_GROUND (-1)
#define RCITY_PROFILE_END    (-2) /* transmitter or receiver */

/* A point of the profile. */
typedef struct rcity_profile_point {
    double distance_m; /* from the transmitter, in plan */
    double z;
    int32_t prism; /* whose roof ends there; RCITY_PROFILE_GROUND, or RCITY_PROFILE_END */
} rcity_profile_point;

/* A stretch of the line under one roof. */
typedef struct rcity_profile_roof {
    double z;
    double from_m, to_m; /* from the transmitter, in plan */
    int32_t from_prism, to_prism;
} rcity_profile_roof;

/* Working memory: the profile, grown as needed. */
typedef struct rcity_profile {
    rcity_profile_point *points;
    size_t count, capacity;
    rcity_profile_roof *roofs;
    size_t roof_count, roof_capacity;
    double *crossings; /* of one prism */
    size_t crossing_capacity;
} rcity_profile;

void rcity_profile_deinit(rcity_context *context, rcity_profile *profile);

/* Where roofs and ground begin, end and bend under the straight line, sorted by distance; the ends are not among them. */
rcity_status rcity_profile_build(rcity_context *context, const rcity_trace_world *world,
                                 const rcity_plan_index *prism_index, rcity_place3 tx, rcity_place3 rx,
                                 rcity_profile *profile);

/* The tops that count: those the tight string bends over or touches, and those below it that reach into its zone, as
   kernel/wave/roof_chain.h weighs them; with both ends. `tops` has room for all points of the profile and two more.
   @return how many, the ends included. */
int rcity_over_roofs_gather(const rcity_trace_world *world, const rcity_profile *profile, rcity_place3 tx,
                            rcity_place3 rx, rcity_profile_point *tops);

/* Do these tops need a chain? Not when there is no hill among them, and so few roofs that `max_diffractions` edges tell it. Hills
   have no edges of their own, they always need one. */
bool rcity_over_roofs_needs_chain(const rcity_profile_point *tops, int count, int max_diffractions);

/* The chain: a path whose events are tops; of more than RCITY_OVER_ROOFS_TOP_MAX those that bend it most. `scratch` has room for
   all tops. Where the straight line is free all tops lie below it. */
rcity_trace_path rcity_over_roofs_chain(const rcity_trace_world *world, const rcity_profile_point *tops, int count,
                                        rcity_place3 tx, rcity_place3 rx, rcity_profile_point *scratch);

/* Do the tops tell what a path over one or two roof edges tells: are its edges all among them? Where tops stand in each other's
   zone, such a path may be free and yet wrong: it knows nothing of the others. */
bool rcity_over_roofs_tells(const rcity_trace_world *world, const rcity_profile_point *tops, int count,
                            const rcity_trace_path *path);

#endif
