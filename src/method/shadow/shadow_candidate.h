/* A way from the source to a pixel that some set of coefficients could make the strongest: its geometry, summed up so that
   any coefficients, antenna and power weigh it without tracing again. */
#ifndef RCITY_METHOD_SHADOW_CANDIDATE_H
#define RCITY_METHOD_SHADOW_CANDIDATE_H

#include <stdint.h>

/* What a way does. */
typedef enum rcity_shadow_mechanism {
    RCITY_SHADOW_DIRECT, /* a free line */
    RCITY_SHADOW_WALLS,  /* the straight line, through walls */
    RCITY_SHADOW_STREET, /* around corners */
    RCITY_SHADOW_ROOF,   /* over roofs, in the vertical plane */
    RCITY_SHADOW_MECHANISM_COUNT
} rcity_shadow_mechanism;

/* The loss of a way in dB is free space over its length plus, at each of its turns by alpha (radians, 0 straight on),
       a0 + b0 log10(k L) + a1 alpha + a2 alpha^2,   L = s s' / (s + s'),
   s and s' the lengths before and after that turn to its neighbours (turns or ends): sums of 1, log10(L), alpha, alpha^2
   over the turns are all that is kept of them. */
typedef struct rcity_shadow_turns {
    float length_m; /* of the whole way */
    float angle_sum_rad, angle_square_sum_rad2;
    float log_way_sum; /* of log10(L / 1 m) */
    int32_t count;
} rcity_shadow_turns;

#endif
