/* The contents of a context. Only src/base reads them. */
#ifndef RCITY_BASE_CONTEXT_DATA_H
#define RCITY_BASE_CONTEXT_DATA_H

#include <stdatomic.h>

#include "radiocity/context.h"

#define RCITY_MESSAGE_BYTES 1024

struct rcity_context {
    rcity_context *account; /* whose memory is counted: its own, or that of its parent */
    rcity_allocator allocator;
    bool is_malloc; /* the allocator: threads may call it at the same time */
    int thread_count;
    bool allows_network;
    atomic_flag memory_lock;
    uint64_t memory_limit;
    uint64_t memory_used;
    uint64_t memory_peak;
    rcity_log_function log;
    void *log_user;
    rcity_progress_function progress;
    void *progress_user;
    _Atomic(struct rcity_pending *) pending; /* of an account: files that are not in place yet */
    atomic_int pending_serial, pending_open;
    atomic_bool holds_outputs, is_committing;
    uint64_t cleaned_inode, cleaned_device; /* the folder that was last looked through for leftovers */
    char message[RCITY_MESSAGE_BYTES];
};

#endif
