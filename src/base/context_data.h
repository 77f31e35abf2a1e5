/* What a context holds. Only src/base looks inside. */
#ifndef RCITY_BASE_CONTEXT_DATA_H
#define RCITY_BASE_CONTEXT_DATA_H

#include <stdatomic.h>

#include "radiocity/context.h"

#define RCITY_MESSAGE_BYTES 1024

struct rcity_context {
    rcity_context *account; /* whose memory is used: its own, or that of the context it was made from */
    rcity_allocator allocator;
    int thread_count;
    atomic_flag memory_lock;
    uint64_t memory_limit;
    uint64_t memory_used;
    uint64_t memory_peak;
    rcity_log_function log;
    void *log_user;
    rcity_progress_function progress;
    void *progress_user;
    char message[RCITY_MESSAGE_BYTES];
};

#endif
