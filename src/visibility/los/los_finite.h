/* The shadows of walls lower than the source, which end somewhere: drawn from the furthest wall to the nearest, each
   only up to where those behind it have made it hidden already. In a city that is about the next house, not the shadow's
   end. */
#ifndef RCITY_VISIBILITY_LOS_LOS_FINITE_H
#define RCITY_VISIBILITY_LOS_LOS_FINITE_H

#include "visibility/los/los_shade.h"

/* Directions of a half, counted along the square |u| + v = 1. */
#define RCITY_LOS_HALF_BINS 1024

/* From where to where along all directions of a bin everything is hidden, in |u| + v; nothing when to <= from. */
typedef struct rcity_los_reach {
    double from, to;
} rcity_los_reach;

/* Walls of one building that follow each other and throw shadows side by side. */
typedef struct rcity_los_chain {
    int32_t first, end; /* of the finite walls */
    int32_t next;       /* of those as far away; -1: none */
    double low, high;   /* directions, in bins */
} rcity_los_chain;

#define RCITY_LOS_RING_COUNT 1024 /* of distance, to sort by */

struct rcity_los_worker;

/* Before a half is swept; and when the sweep has passed a wall that is as high as the source: behind it all is hidden. */
void rcity_los_finite_begin(struct rcity_los_worker *worker);
void rcity_los_finite_close(struct rcity_los_worker *worker, const rcity_los_shade *shade);

/* Draw the shadows of worker->finite in the rows first_row to last_row, the latter left out. */
void rcity_los_finite_draw(rcity_los_half *half, int32_t first_row, int32_t row_step, int32_t last_row);

#endif
