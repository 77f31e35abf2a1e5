/* A path from the source to a pixel that some set of coefficients could make the strongest. Only sums over its geometry
   are kept, so that any coefficients, antenna and power can weigh it without a new trace. */
#ifndef RCITY_METHOD_SHADOW_CANDIDATE_H
#define RCITY_METHOD_SHADOW_CANDIDATE_H

#include "kernel/shadow/shadow_turns.h"
#include "radiocity/mechanism.h"

/* The mechanism of a path, numbered as in the public list. */
typedef enum rcity_shadow_mechanism {
    RCITY_SHADOW_DIRECT = RCITY_MECHANISM_DIRECT, /* a free line */
    RCITY_SHADOW_WALLS = RCITY_MECHANISM_WALLS,   /* the straight line, through walls */
    RCITY_SHADOW_CORNER = RCITY_MECHANISM_CORNER, /* around corners */
    RCITY_SHADOW_ROOF = RCITY_MECHANISM_ROOF,     /* over roofs, in the vertical plane */
    RCITY_SHADOW_MECHANISM_COUNT
} rcity_shadow_mechanism;

#endif
