/* Which pixels of a plane a source sees: exactly those to which the straight line is free (rcity_sight_is_free()). */
#ifndef RCITY_METHOD_SHADOW_LOS_RASTER_H
#define RCITY_METHOD_SHADOW_LOS_RASTER_H

#include "kernel/shadow/los_board.h"
#include "method/shadow/los_plane.h"

/* A direction in a half of the plan, and the corner it goes through. */
typedef struct rcity_los_ray {
    int64_t u, v;
    int32_t corner;
} rcity_los_ray;

/* Directions between two rays, both left out, that are dark for good; counter-clockwise from low to high. */
typedef struct rcity_los_dark {
    rcity_los_ray low, high;
} rcity_los_dark;

/* A wall as one source meets it in one half of the plan: from the source, the half turned so that v grows away from it, a
   the end on the right. It throws its shadow on what lies strictly between its ends and strictly beyond
   near_num / near_den of the way to its line, before far_num / far_den of it (far_den 0: however far). */
typedef struct rcity_los_shade {
    int64_t au, av, bu, bv;
    int64_t area; /* a x b: positive */
    int32_t a, b; /* corners */
    bool is_doubtful;
    int64_t near_num, near_den, far_num, far_den;

    /* The same roughly: in row v the shadow lies between columns west[i] + v west_slope[i] and east[i] + v east_slope[i],
       counted from the first. */
    double west[3], west_slope[3], east[3], east_slope[3];
    int west_count, east_count;
} rcity_los_shade;

/* Working memory of a thread. */
typedef struct rcity_los_worker {
    uint32_t *seen; /* of each wall: the last half of a source it was met in */
    uint32_t half;
    rcity_los_shade *endless; /* walls as high as the source, that the sweep has met and not passed */
    int32_t endless_count;
    rcity_los_shade *finite; /* lower ones */
    int32_t finite_count;
    rcity_los_dark *dark; /* sorted, apart from each other */
    int32_t dark_count;
    int32_t *ties; /* pixels exactly behind a corner: what is true of them, the plain test says */
    size_t tie_count, tie_capacity;
} rcity_los_worker;

rcity_status rcity_los_worker_init(rcity_context *context, const rcity_los_plane *plane, rcity_los_worker *worker);
void rcity_los_worker_deinit(rcity_context *context, rcity_los_worker *worker);

/* Fill a mask, a bit a pixel, rows of row_words words: 1 where the source sees the pixel. Threads may share the plane. */
rcity_status rcity_los_trace(rcity_context *context, const rcity_los_plane *plane, rcity_los_worker *worker,
                             rcity_grid_point3 source, uint64_t *mask);

/* How a source is answered: RCITY_LOS_SHADOWS, RCITY_LOS_PLAIN or RCITY_LOS_DARK. */
int32_t rcity_los_choose_mode(const rcity_los_plane *plane, rcity_grid_point3 source);

/* Set or clear the bit of one pixel, by the segment test. */
void rcity_los_decide(const rcity_los_plane *plane, rcity_grid_point3 source, int32_t pixel, uint64_t *mask);

/* The same, pixel by pixel. */
void rcity_los_trace_plainly(const rcity_los_plane *plane, rcity_grid_point3 source, uint64_t *mask);

#endif
