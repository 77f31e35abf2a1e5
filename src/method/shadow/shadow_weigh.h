/* From traced paths to levels: coefficients and the antenna are weights, nothing is traced. */
#ifndef RCITY_METHOD_SHADOW_WEIGH_H
#define RCITY_METHOD_SHADOW_WEIGH_H

#include "kernel/shadow/shadow_take.h"
#include "method/shadow/corners/corner_tracer.h"
#include "method/shadow/roofs/roof_trace.h"

/* What the straight lines pass; arrays, one element a receiver. */
typedef struct rcity_shadow_walls {
    int32_t *count;
    float *building_m; /* NULL: metres do not count */
    float *foliage_m;  /* NULL likewise */
} rcity_shadow_walls;

/* What was traced of one source to `count` receivers, all borrowed. What may be NULL says so: then it does not count. */
typedef struct rcity_shadow_paths {
    size_t count;
    const uint8_t *states;    /* rcity_shadow_state */
    const float *log_lengths; /* log10 of the straight line, in metres */
    const rcity_shadow_line *lines;
    const rcity_corner_paths *corner_paths;
    const rcity_shadow_roof *roofs; /* or NULL */
    const float *roof_log_lengths;  /* log10 of their lengths, with them */
    rcity_shadow_walls walls;       /* its arrays may be NULL */
    const float *heights_m;         /* above the ground, or NULL: all as the weights say */
    bool reaches_indoor;            /* what is inside gets the path through walls; else nothing */
} rcity_shadow_paths;

/* Where the levels go: one element a receiver, NAN where nothing arrives. Each may be NULL. */
typedef struct rcity_shadow_bands {
    float *loss_db;      /* of the strongest path, or of all: isotropic antennas, so that the strongest is the least */
    float *received_dbm; /* with the antenna, which may choose another way */
    float *mechanism;    /* rcity_shadow_mechanism of the strongest with the antenna */
    float *turn_count;   /* its deflections */
} rcity_shadow_bands;

/* Weigh all receivers. `pattern` is the antenna's table. The result does not depend on the number of threads. */
void rcity_shadow_weigh(rcity_context *context, const rcity_shadow_paths *paths, const rcity_shadow_weights *weights,
                        const float *pattern, const rcity_shadow_bands *bands);

#endif
