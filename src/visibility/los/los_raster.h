/* Which pixels of a plane a source sees: exactly those to which the straight line is free (rcity_sight_is_free()). */
#ifndef RCITY_VISIBILITY_LOS_LOS_RASTER_H
#define RCITY_VISIBILITY_LOS_LOS_RASTER_H

#include "kernel/visibility/los/los_board.h"
#include "visibility/los/los_finite.h"
#include "visibility/los/los_hidden.h"

/* Working memory of a thread. */
typedef struct rcity_los_worker {
    uint32_t *seen; /* for each wall: the last half of a source in which it was met */
    uint32_t half;
    bool looks_beyond;        /* also meet walls outside of the raster, in all visible directions */
    rcity_los_shade *endless; /* walls as high as the source that the sweep has met and not passed */
    int32_t endless_count;
    rcity_los_hidden_sectors hidden_sectors;
    int32_t *met; /* numbers of the other walls that the sweep has met: lower and doubtful ones */
    int32_t met_count;

    rcity_los_shade *finite; /* their shadows; walls of one building ring are consecutive */
    int32_t finite_count;
    rcity_los_chain *chains;
    int32_t chain_count;
    int32_t *rings;                           /* first chain of each ring of distance */
    rcity_los_reach *reaches, *chain_reaches; /* for each bin */

    uint8_t *ground; /* over terrain: what the ground hides, a byte for each pixel; else NULL */

    int32_t *ties; /* pixels exactly behind a corner or otherwise undecided, for the segment test */
    size_t tie_count, tie_capacity;
} rcity_los_worker;

rcity_status rcity_los_worker_init(rcity_context *context, const rcity_los_plane *plane, rcity_los_worker *worker);
void rcity_los_worker_deinit(rcity_context *context, rcity_los_worker *worker);

/* Fill a mask, a bit per pixel, rows of row_words words: 1 where the source sees the pixel. Threads may share the
   plane. */
rcity_status rcity_los_trace(rcity_context *context, const rcity_los_plane *plane, rcity_los_worker *worker,
                             rcity_grid_point3 source, uint64_t *mask);

/* How a source is processed: RCITY_LOS_SHADOWS, RCITY_LOS_PLAIN or RCITY_LOS_HIDDEN. */
int32_t rcity_los_choose_mode(const rcity_los_plane *plane, rcity_grid_point3 source);

/* Set or clear the bit of one pixel by the segment test. */
void rcity_los_decide(const rcity_los_plane *plane, rcity_grid_point3 source, int32_t pixel, uint64_t *mask);

/* The same as rcity_los_trace(), pixel by pixel. */
void rcity_los_trace_plainly(const rcity_los_plane *plane, rcity_grid_point3 source, uint64_t *mask);

#endif
