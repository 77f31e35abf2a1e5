#define _POSIX_C_SOURCE 200809L
#include "base/lock.h"

#include <pthread.h>

struct rcity_lock {
    pthread_rwlock_t held;
};

rcity_status rcity_lock_create(rcity_context *context, rcity_lock **lock)
{
    rcity_lock *made = NULL;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "a lock", &made));
    if (pthread_rwlock_init(&made->held, NULL) != 0) {
        rcity_release(context, made);
        return rcity_fail(context, RCITY_ERR_MEMORY, "the machine has no lock left");
    }
    *lock = made;
    return RCITY_OK;
}

void rcity_lock_destroy(rcity_context *context, rcity_lock **lock)
{
    if (lock == NULL || *lock == NULL) {
        return;
    }
    (void)pthread_rwlock_destroy(&(*lock)->held);
    rcity_release(context, *lock);
    *lock = NULL;
}

void rcity_lock_read(rcity_lock *lock)
{
    (void)pthread_rwlock_rdlock(&lock->held);
}

void rcity_lock_write(rcity_lock *lock)
{
    (void)pthread_rwlock_wrlock(&lock->held);
}

void rcity_lock_release(rcity_lock *lock)
{
    (void)pthread_rwlock_unlock(&lock->held);
}
