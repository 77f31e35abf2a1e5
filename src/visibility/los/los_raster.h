/* Which pixels of a plane a source sees: exactly those to which the straight line is free (rcity_sight_is_free()). */
#ifndef RCITY_VISIBILITY_LOS_LOS_RASTER_H
#define RCITY_VISIBILITY_LOS_LOS_RASTER_H

#include "kernel/visibility/los/los_board.h"
#include "visibility/los/los_finite.h"
#include "visibility/los/los_hidden.h"

/* Working memory of a thread. */
typedef struct rcity_los_worker {
    uint32_t *seen; /* of each wall: the last half of a source it was met in */
    uint32_t half;
    bool looks_beyond;        /* meet the walls in all open directions, those outside of the raster too */
    rcity_los_shade *endless; /* walls as high as the source, that the sweep has met and not passed */
    int32_t endless_count;
    rcity_los_darks darks;
    int32_t *met; /* numbers of the other walls that the sweep has met: lower ones, and doubtful ones */
    int32_t met_count;

    rcity_los_shade *finite; /* these as shadows, walls of a ring one after the other */
    int32_t finite_count;
    rcity_los_chain *chains;
    int32_t chain_count;
    int32_t *rings;                           /* first chain of each */
    rcity_los_reach *reaches, *chain_reaches; /* of each bin */

    int32_t *ties; /* pixels exactly behind a corner, or in doubt: what is true of them, the segment test says */
    size_t tie_count, tie_capacity;
} rcity_los_worker;

rcity_status rcity_los_worker_init(rcity_context *context, const rcity_los_plane *plane, rcity_los_worker *worker);
void rcity_los_worker_deinit(rcity_context *context, rcity_los_worker *worker);

/* Fill a mask, a bit a pixel, rows of row_words words: 1 where the source sees the pixel. Threads may share the plane.
   */
rcity_status rcity_los_trace(rcity_context *context, const rcity_los_plane *plane, rcity_los_worker *worker,
                             rcity_grid_point3 source, uint64_t *mask);

/* How a source is answered: RCITY_LOS_SHADOWS, RCITY_LOS_PLAIN or RCITY_LOS_HIDDEN. */
int32_t rcity_los_choose_mode(const rcity_los_plane *plane, rcity_grid_point3 source);

/* Set or clear the bit of one pixel, by the segment test. */
void rcity_los_decide(const rcity_los_plane *plane, rcity_grid_point3 source, int32_t pixel, uint64_t *mask);

/* The same as rcity_los_trace(), pixel by pixel. */
void rcity_los_trace_plainly(const rcity_los_plane *plane, rcity_grid_point3 source, uint64_t *mask);

#endif
