/* Progress of a loop over threads, which stops soon after the caller wants it to. */
#ifndef RCITY_VISIBILITY_TERRAIN_GROUND_WATCH_H
#define RCITY_VISIBILITY_TERRAIN_GROUND_WATCH_H

#include <stdatomic.h>

#include "base/base.h"

typedef struct rcity_ground_watch {
    rcity_context *context; /* Borrowed, as the next. */
    const char *task;
    double total;
    atomic_llong done;
    atomic_int status; /* RCITY_OK, or why to stop */
    double reported_s; /* when the caller's thread reported last */
} rcity_ground_watch;

/* Report that `total` pieces of work begin. @return RCITY_ERR_CANCELLED. */
rcity_status rcity_ground_watch_start(rcity_context *context, const char *task, int64_t total,
                                      rcity_ground_watch *watch);

/* Called by a thread of rcity_parallel(): `count` pieces are done, or 0 within a long one. Thread 0 is the caller's, which
   reports now and then. @return false: leave the rest undone. */
bool rcity_ground_watch_step(rcity_ground_watch *watch, int thread_index, int64_t count);

/* After the loops: were they stopped? @return RCITY_ERR_CANCELLED. */
rcity_status rcity_ground_watch_end(rcity_ground_watch *watch);

#endif
