/* The shadows of walls lower than the source, which end somewhere. They are drawn from the farthest wall to the
   nearest, each only up to where those behind it have hidden everything already. In a city that is about the next
   building, not the shadow's end. */
#ifndef RCITY_VISIBILITY_LOS_LOS_FINITE_H
#define RCITY_VISIBILITY_LOS_LOS_FINITE_H

#include "visibility/los/los_shade.h"

/* Directions of a half, counted along the square |u| + v = 1. */
#define RCITY_LOS_HALF_BINS 1024

/* The range of |u| + v in which everything is hidden along all directions of a bin; empty when to <= from. */
typedef struct rcity_los_reach {
    double from, to;
} rcity_los_reach;

/* Consecutive walls of one building whose shadows lie side by side. */
typedef struct rcity_los_chain {
    int32_t first, end; /* range in the finite walls */
    int32_t next;       /* next chain at this distance; -1: none */
    double low, high;   /* directions, in bins */
} rcity_los_chain;

#define RCITY_LOS_RING_COUNT 1024 /* rings of distance, to sort by */

struct rcity_los_worker;

/* Call before a half is swept, and when the sweep has passed a wall as high as the source: everything behind that is
   hidden. */
void rcity_los_finite_begin(struct rcity_los_worker *worker);
void rcity_los_finite_close(struct rcity_los_worker *worker, const rcity_los_shade *shade);

/* Draw the shadows of worker->finite in rows first_row to last_row, the latter excluded. */
void rcity_los_finite_draw(rcity_los_half *half, int32_t first_row, int32_t row_step, int32_t last_row);

#endif
