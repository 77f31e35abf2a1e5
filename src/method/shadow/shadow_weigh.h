/* From traced ways to losses: coefficients and the antenna are weights, nothing is traced. */
#ifndef RCITY_METHOD_SHADOW_WEIGH_H
#define RCITY_METHOD_SHADOW_WEIGH_H

#include "kernel/shadow/shadow_loss.h"
#include "method/shadow/canyon.h"
#include "method/shadow/roof_trace.h"

/* What the straight line to a pixel passes. */
typedef struct rcity_shadow_walls {
    int32_t wall_count;
    float building_m;
} rcity_shadow_walls;

/* What was traced of one source. `roofs` and `walls` may be NULL: then they do not count. */
typedef struct rcity_shadow_ways {
    const rcity_los_plane *plane;
    rcity_grid_point3 source;
    const uint64_t *lit;
    const rcity_canyon *canyon;
    const rcity_shadow_roof *roofs;
    const rcity_shadow_walls *walls;
} rcity_shadow_ways;

/* The gain of the transmitting antenna, dB, into a direction: of length 1 in plan, and the elevation. */
typedef float (*rcity_shadow_gain_function)(const void *user, float dx, float dy, float elevation_rad);

typedef struct rcity_shadow_weights {
    rcity_shadow_law law;
    bool adds_powers;                /* of all ways; else the strongest counts */
    rcity_shadow_gain_function gain; /* NULL: isotropic */
    const void *gain_user;
} rcity_shadow_weights;

/* What a pixel gets. NAN and -1 where nothing arrives or it is inside a building. */
typedef struct rcity_shadow_pixel {
    float loss_db;        /* of the strongest way, or of all: isotropic antennas, so that the strongest is the least */
    float gained_loss_db; /* the same with the antenna's gain taken off, which may choose another way */
    int8_t mechanism;     /* of the strongest way with the antenna */
    int8_t turn_count;
} rcity_shadow_pixel;

/* Weigh all pixels. The result does not depend on the number of threads. */
void rcity_shadow_weigh(rcity_context *context, const rcity_shadow_ways *ways, const rcity_shadow_weights *weights,
                        rcity_shadow_pixel *pixels);

#endif
