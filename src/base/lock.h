/* A lock that many threads may hold to read, or one to write. */
#ifndef RCITY_BASE_LOCK_H
#define RCITY_BASE_LOCK_H

#include "base/base.h"

typedef struct rcity_lock rcity_lock;

rcity_status rcity_lock_create(rcity_context *context, rcity_lock **lock);
void rcity_lock_destroy(rcity_context *context, rcity_lock **lock);

/* Wait for the lock and hold it until rcity_lock_release(). A thread holds it once. */
void rcity_lock_read(rcity_lock *lock);
void rcity_lock_write(rcity_lock *lock);
void rcity_lock_release(rcity_lock *lock);

#endif
