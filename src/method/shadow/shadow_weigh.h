/* From traced paths to levels: coefficients and the antenna are weights, and nothing is traced. */
#ifndef RCITY_METHOD_SHADOW_WEIGH_H
#define RCITY_METHOD_SHADOW_WEIGH_H

#include "kernel/shadow/shadow_take.h"
#include "method/shadow/corners/corner_tracer.h"
#include "method/shadow/roofs/roof_trace.h"

/* What the straight lines pass through; arrays with one element per receiver. */
typedef struct rcity_shadow_walls {
    int32_t *count;
    float *building_m; /* NULL: metres are not used */
    float *foliage_m;  /* NULL likewise */
} rcity_shadow_walls;

/* What was traced from one source to `count` receivers, all borrowed. Members that may be NULL are then not used. */
typedef struct rcity_shadow_paths {
    size_t count;
    const uint8_t *states;    /* rcity_shadow_state */
    const float *log_lengths; /* log10 of the straight line, in metres */
    const rcity_shadow_line *lines;
    const rcity_corner_paths *corner_paths;
    const rcity_shadow_roof *roofs;      /* or NULL */
    const float *roof_log_lengths;       /* log10 of their lengths; NULL if roofs is */
    rcity_shadow_walls walls;            /* its arrays may be NULL */
    const float *heights_m;              /* above the ground, or NULL: the height in the weights for all */
    rcity_surroundings_end source;       /* where the paths begin */
    const rcity_surroundings_node *here; /* around receivers; NULL: nothing is known of it */
    const float *built_m;                /* of straight lines over buildings; NULL likewise */
    const float *hill_root_m;            /* of hills under them: rcity_surroundings_line; NULL likewise */
    const float *hill_slope;             /* the same */
    bool reaches_indoor;                 /* receivers inside buildings get the path through walls; otherwise nothing */
} rcity_shadow_paths;

/* A receiver in its surroundings, for weights whose source is that of the paths. In the header, to be inlined into loops
   over receivers. */
static inline rcity_shadow_receiver rcity_shadow_paths_receiver(const rcity_shadow_paths *paths,
                                                                const rcity_shadow_weights *weights, size_t i)
{
    const rcity_surroundings_node nothing = {0.0f, 0.0f};
    rcity_shadow_receiver receiver = rcity_shadow_receiver_make(
        weights, paths->lines[i], paths->log_lengths[i], (rcity_shadow_state)paths->states[i],
        paths->heights_m != NULL ? paths->heights_m[i] : weights->receiver_height_m,
        paths->here != NULL ? paths->here[i] : nothing, paths->built_m != NULL ? paths->built_m[i] : 0.0f,
        paths->hill_root_m != NULL ? paths->hill_root_m[i] : RCITY_SURROUNDINGS_NO_HILL,
        paths->hill_slope != NULL ? paths->hill_slope[i] : 0.0f);
    rcity_shadow_receiver_complete(weights, &receiver);
    return receiver;
}

/* How near a free line comes to an edge: rcity_shadow_roof. */
static inline rcity_shadow_nearest rcity_shadow_paths_nearest(const rcity_shadow_paths *paths, size_t i)
{
    if (paths->roofs == NULL) {
        return rcity_shadow_nearest_make(0, 0.0f, 0.0f, RCITY_SHADOW_CLEAR_ROOT_M);
    }
    const rcity_shadow_roof *roof = &paths->roofs[i];
    return rcity_shadow_nearest_make(paths->states[i] == RCITY_SHADOW_VISIBLE, roof->grazing_root_m, roof->pair_m,
                                     rcity_shadow_roof_ground_root(roof->turns.length_m, roof->ground_root_m));
}

/* Where the levels are written: one element per receiver, NaN where there is no path. Each may be NULL. */
typedef struct rcity_shadow_bands {
    float *loss_db;      /* of the strongest path, or of all, between isotropic antennas */
    float *received_dbm; /* with the antenna, for which another path may be the strongest */
    float *mechanism;    /* rcity_shadow_mechanism of the strongest with the antenna */
    float *turn_count;   /* its turns */
} rcity_shadow_bands;

/* The level of one receiver, path by path, for weights whose source is that of the paths: the plain form of what is
   done block by block, and what a device does. */
rcity_shadow_level rcity_shadow_weigh_receiver(const rcity_shadow_paths *paths, const rcity_shadow_weights *weights,
                                               const float *pattern, size_t i);

/* Weighs all receivers. `pattern` is the antenna's table. The result does not depend on the number of threads. @return
   RCITY_ERR_MEMORY. */
RCITY_MUST_CHECK rcity_status rcity_shadow_weigh(rcity_context *context, const rcity_shadow_paths *paths,
                                                 const rcity_shadow_weights *weights, const float *pattern,
                                                 const rcity_shadow_bands *bands);

#endif
