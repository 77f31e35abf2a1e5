/* Loops over the host's threads. */
#ifndef RCITY_BASE_PARALLEL_H
#define RCITY_BASE_PARALLEL_H

#include <stdint.h>

#include "base/base.h"

/* Does items [begin, end) on thread `thread_index` (0 .. thread count - 1). */
typedef void (*rcity_parallel_function)(void *user, int64_t begin, int64_t end, int thread_index);

/* Cut [0, item_count) into pieces of `piece` items and distribute them over the context's threads. Which thread does
   which piece varies; the result of a piece must not depend on it. */
void rcity_parallel(rcity_context *context, int64_t item_count, int64_t piece, rcity_parallel_function function,
                    void *user);

#endif
