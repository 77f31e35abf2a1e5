/* Along which stretches of a directed line does a prism lie on its left side, or on its right? */
#ifndef RCITY_SCENE_SIDE_COVER_H
#define RCITY_SCENE_SIDE_COVER_H

#include "scene/shape/exact.h"
#include "scene/shapes.h"

typedef enum rcity_side { RCITY_SIDE_LEFT, RCITY_SIDE_RIGHT } rcity_side;

/* A stretch of the line from a to b, as fractions of its length. */
typedef struct rcity_span {
    rcity_ratio begin, end;
} rcity_span;

/* Find the stretches with 0 <= begin < end <= 1 where `prism` covers the immediate neighbourhood of that side of the
   line from a to b (a != b), in order. `spans` has room for half the prism's edges plus one. The line is considered
   shifted sideways by less than any distance: then it meets no corner, and a prism that only touches it from the other
   side does not count. `*touches` becomes true when a corner of the prism lies on the line, in which case the two sides
   may differ; otherwise it is not changed. */
int rcity_side_cover(const rcity_shapes *shapes, const rcity_prism *prism, rcity_grid_point a, rcity_grid_point b,
                     rcity_side side, rcity_span *spans, bool *touches);

#endif
