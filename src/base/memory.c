/* The context's memory: every block is counted, the limit is kept, failures are named. Threads of one loop may allocate
   at the same time; the account is updated by one at a time. */
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
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

static void note_block(rcity_context *account, void *block, size_t bytes)
{
    memcpy(block, &bytes, sizeof bytes);
    account->memory_used += bytes;
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

static rcity_status alloc_locked(rcity_context *context, size_t count, size_t size, const char *what, void *memory)
{
    RCITY_TRY(check_room(context, count, size, 0, what));
    size_t bytes = count * size;
    rcity_context *account = context->account;
    char *block = account->allocator.allocate(account->allocator.user, bytes + HEADER_BYTES);
    if (block == NULL) {
        return fail_memory(context, bytes, what);
    }
    memset(block, 0, bytes + HEADER_BYTES);
    note_block(account, block, bytes);
    void *usable = block + HEADER_BYTES;
    memcpy(memory, &usable, sizeof usable);
    return RCITY_OK;
}

static rcity_status resize_locked(rcity_context *context, size_t count, size_t size, const char *what, void *memory)
{
    void *old;
    memcpy(&old, memory, sizeof old);
    if (old == NULL) {
        return alloc_locked(context, count, size, what, memory);
    }
    size_t old_bytes = block_bytes(old);
    RCITY_TRY(check_room(context, count, size, old_bytes, what));
    size_t bytes = count * size;
    rcity_context *account = context->account;
    char *block = account->allocator.resize(account->allocator.user, (char *)old - HEADER_BYTES, bytes + HEADER_BYTES);
    if (block == NULL) {
        return fail_memory(context, bytes, what);
    }
    account->memory_used -= old_bytes;
    note_block(account, block, bytes);
    void *usable = block + HEADER_BYTES;
    memcpy(memory, &usable, sizeof usable);
    return RCITY_OK;
}

rcity_status rcity_alloc(rcity_context *context, size_t count, size_t size, const char *what, void *memory)
{
    lock(context);
    rcity_status status = alloc_locked(context, count, size, what, memory);
    unlock(context);
    return status;
}

rcity_status rcity_resize(rcity_context *context, size_t count, size_t size, const char *what, void *memory)
{
    lock(context);
    rcity_status status = resize_locked(context, count, size, what, memory);
    unlock(context);
    return status;
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
    rcity_status status = resize_locked(context, wanted, size, what, memory);
    unlock(context);
    if (status == RCITY_OK) {
        *capacity = wanted;
    }
    return status;
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
    account->allocator.release(account->allocator.user, (char *)memory - HEADER_BYTES);
    unlock(context);
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
