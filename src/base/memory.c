/* The context's memory: every block is counted, the limit is kept, failures are named. Threads of one loop may allocate
   at the same time; the account is updated by one at a time, and so are memory functions of the caller called. malloc()
   and the clearing of new blocks, which take far longer, run outside the lock. */
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/context_data.h"

/* Each block starts with its size; 16 bytes keep what follows aligned for every type. */
#define HEADER_BYTES 16

static void lock(const rcity_context *context)
{
    while (atomic_flag_test_and_set_explicit(&context->account->memory_lock, memory_order_acquire)) {
    }
}

static void unlock(const rcity_context *context)
{
    atomic_flag_clear_explicit(&context->account->memory_lock, memory_order_release);
}

static size_t block_bytes(const void *memory)
{
    size_t bytes;
    memcpy(&bytes, (const char *)memory - HEADER_BYTES, sizeof bytes);
    return bytes;
}

/* Count `bytes` more and `freed` less. Locked. */
static void count_bytes(rcity_context *account, uint64_t bytes, uint64_t freed)
{
    account->memory_used += bytes;
    account->memory_used -= freed;
    if (account->memory_used > account->memory_peak) {
        account->memory_peak = account->memory_used;
    }
}

static rcity_status check_room(rcity_context *context, size_t count, size_t size, uint64_t freed, const char *what)
{
    char need_text[32];
    char limit_text[32];
    char used_text[32];
    if (size != 0 && count > (SIZE_MAX - HEADER_BYTES) / size) {
        return rcity_fail(context, RCITY_ERR_MEMORY, "%s: %s needed, more than any machine has", what,
                          rcity_format_bytes((double)count * (double)size, need_text));
    }
    uint64_t limit = context->account->memory_limit;
    uint64_t kept = context->account->memory_used - freed;
    if (kept > limit || count * size > limit - kept) {
        return rcity_fail(
            context, RCITY_ERR_MEMORY,
            "%s: %s needed beside the %s in use, the limit is %s; raise `memory` or make the task smaller", what,
            rcity_format_bytes((double)count * (double)size, need_text), rcity_format_bytes((double)kept, used_text),
            rcity_format_bytes((double)limit, limit_text));
    }
    return RCITY_OK;
}

static rcity_status fail_memory(rcity_context *context, size_t bytes, const char *what)
{
    char need_text[32];
    return rcity_fail(context, RCITY_ERR_MEMORY, "the machine has no %s left for %s",
                      rcity_format_bytes((double)bytes, need_text), what);
}

rcity_status rcity_check_machine_memory(rcity_context *context, size_t bytes, const char *what)
{
    rcity_context *account = context->account;
    lock(context);
    void *trial = account->allocator.allocate(account->allocator.user, bytes);
    if (trial != NULL) {
        account->allocator.release(account->allocator.user, trial);
    }
    unlock(context);
    return trial != NULL ? RCITY_OK : fail_memory(context, bytes, what);
}

/* A new block, or a larger one for `old`; NULL when there is no memory. */
static char *get_block(const rcity_allocator *allocator, void *old, size_t bytes)
{
    return old == NULL ? allocator->allocate(allocator->user, bytes + HEADER_BYTES)
                       : allocator->resize(allocator->user, (char *)old - HEADER_BYTES, bytes + HEADER_BYTES);
}

/* Resize a block, NULL for none yet. Called locked, returns unlocked. */
static rcity_status resize_and_unlock(rcity_context *context, size_t count, size_t size, const char *what, void *memory)
{
    void *old;
    memcpy(&old, memory, sizeof old);
    size_t old_bytes = old != NULL ? block_bytes(old) : 0;
    rcity_context *account = context->account;
    rcity_status status = check_room(context, count, size, old_bytes, what);
    size_t bytes = status == RCITY_OK ? count * size : 0;
    char *block = NULL;
    if (status == RCITY_OK) {
        count_bytes(account, bytes, old_bytes);
        block = account->is_malloc ? NULL : get_block(&account->allocator, old, bytes);
    }
    unlock(context);
    if (status != RCITY_OK) {
        return status;
    }
    bool is_clear =
        account->is_malloc && old == NULL; /* by calloc(): who writes to large blocks first gets their pages */
    if (account->is_malloc) {
        block = is_clear ? calloc(1, bytes + HEADER_BYTES) : get_block(&account->allocator, old, bytes);
    }
    if (block == NULL) {
        lock(context);
        count_bytes(account, old_bytes, bytes);
        status = fail_memory(context, bytes, what);
        unlock(context);
        return status;
    }
    if (old == NULL && !is_clear) {
        memset(block, 0, bytes + HEADER_BYTES);
    }
    memcpy(block, &bytes, sizeof bytes);
    void *usable = block + HEADER_BYTES;
    memcpy(memory, &usable, sizeof usable);
    return RCITY_OK;
}

rcity_status rcity_alloc(rcity_context *context, size_t count, size_t size, const char *what, void *memory)
{
    void *made = NULL;
    lock(context);
    RCITY_TRY(resize_and_unlock(context, count, size, what, &made));
    memcpy(memory, &made, sizeof made);
    return RCITY_OK;
}

rcity_status rcity_resize(rcity_context *context, size_t count, size_t size, const char *what, void *memory)
{
    lock(context);
    return resize_and_unlock(context, count, size, what, memory);
}

rcity_status rcity_reserve(rcity_context *context, size_t needed, size_t size, size_t *capacity, const char *what,
                           void *memory)
{
    if (needed <= *capacity) {
        return RCITY_OK;
    }
    size_t grown = *capacity + *capacity / 2;
    size_t wanted = grown > needed ? grown : needed;
    wanted = wanted < 16 ? 16 : wanted;
    lock(context);
    /* near the limit there is no room for reserves */
    double left = (double)context->account->memory_limit - (double)context->account->memory_used;
    wanted = (double)wanted * (double)size > left ? needed : wanted;
    RCITY_TRY(resize_and_unlock(context, wanted, size, what, memory));
    *capacity = wanted;
    return RCITY_OK;
}

void rcity_release(rcity_context *context, void *memory)
{
    if (memory == NULL) {
        return;
    }
    size_t bytes = block_bytes(memory);
    lock(context);
    rcity_context *account = context->account;
    assert(account->memory_used >= bytes);
    account->memory_used -= bytes;
    if (!account->is_malloc) {
        account->allocator.release(account->allocator.user, (char *)memory - HEADER_BYTES);
    }
    unlock(context);
    if (account->is_malloc) {
        account->allocator.release(account->allocator.user, (char *)memory - HEADER_BYTES);
    }
}

rcity_status rcity_copy_text(rcity_context *context, const char *text, char **copy)
{
    if (text == NULL) {
        *copy = NULL;
        return RCITY_OK;
    }
    size_t bytes = strlen(text) + 1;
    char *made = NULL;
    RCITY_TRY(rcity_alloc(context, bytes, 1, "a text", &made));
    assert(made != NULL);
    memcpy(made, text, bytes);
    *copy = made;
    return RCITY_OK;
}

uint64_t rcity_context_memory_limit(const rcity_context *context)
{
    return context != NULL ? context->account->memory_limit : 0;
}

/* Another thread may count at this moment. */
static uint64_t read_count(const rcity_context *context, const uint64_t *count)
{
    lock(context->account);
    uint64_t value = *count;
    unlock(context->account);
    return value;
}

uint64_t rcity_context_memory_used(const rcity_context *context)
{
    return context != NULL ? read_count(context, &context->account->memory_used) : 0;
}

uint64_t rcity_context_memory_peak(const rcity_context *context)
{
    return context != NULL ? read_count(context, &context->account->memory_peak) : 0;
}

rcity_status rcity_check_output_memory(rcity_context *context, double need_bytes, const char *path, const char *advice)
{
    double used_bytes = (double)rcity_context_memory_used(context);
    double limit_bytes = (double)rcity_context_memory_limit(context);
    char need_text[32], used_text[32], limit_text[32];
    RCITY_CHECK(context, used_bytes + need_bytes <= limit_bytes, RCITY_ERR_MEMORY,
                "making '%s' may take %s beside the %s in use, the limit is %s; %s", path,
                rcity_format_bytes(need_bytes, need_text), rcity_format_bytes(used_bytes, used_text),
                rcity_format_bytes(limit_bytes, limit_text), advice);
    return RCITY_OK;
}
