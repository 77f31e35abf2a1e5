/* The context: creation, the message of the last failure, log and progress. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/abi.h"
#include "base/base.h"
#include "base/context_data.h"
#include "base/pending.h"

#define THREAD_COUNT_MAX 1024

static void *plain_allocate(void *user, size_t bytes)
{
    (void)user;
    return malloc(bytes);
}

static void *plain_resize(void *user, void *memory, size_t bytes)
{
    (void)user;
    return realloc(memory, bytes);
}

static void plain_release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static int machine_thread_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > THREAD_COUNT_MAX ? THREAD_COUNT_MAX : (int)count;
}

static uint64_t machine_memory_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_bytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page_bytes <= 0) {
        return (uint64_t)1 << 32;
    }
    return (uint64_t)pages * (uint64_t)page_bytes;
}

void rcity_context_options_init(rcity_context_options *options, size_t struct_bytes)
{
    rcity_context_options made;
    memset(&made, 0, sizeof made);
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

rcity_status rcity_context_create(const rcity_context_options *options, rcity_context **context)
{
    rcity_context_options known;
    RCITY_NEED(NULL, context);
    RCITY_TAKE(NULL, rcity_context_options, progress_user, options, &known);
    options = &known;
    if (options->thread_count < 0 || options->thread_count > THREAD_COUNT_MAX) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_allocator allocator = options->allocator;
    if (allocator.allocate == NULL && allocator.resize == NULL && allocator.release == NULL) {
        allocator.allocate = plain_allocate;
        allocator.resize = plain_resize;
        allocator.release = plain_release;
    }
    if (allocator.allocate == NULL || allocator.resize == NULL || allocator.release == NULL) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_context *made = allocator.allocate(allocator.user, sizeof *made);
    if (made == NULL) {
        return RCITY_ERR_MEMORY;
    }
    memset(made, 0, sizeof *made);
    made->account = made;
    made->allocator = allocator;
    made->is_malloc = allocator.allocate == plain_allocate;
    made->thread_count = options->thread_count > 0 ? options->thread_count : machine_thread_count();
    made->memory_limit = options->memory_bytes > 0 ? options->memory_bytes : machine_memory_bytes() / 4 * 3;
    made->allows_network = options->allow_network;
    made->log = options->log;
    made->log_user = options->log_user;
    made->progress = options->progress;
    made->progress_user = options->progress_user;
    *context = made;
    return RCITY_OK;
}

rcity_status rcity_context_create_child(rcity_context *parent, rcity_context **child)
{
    rcity_context *made = NULL;
    RCITY_TRY(rcity_alloc(parent, 1, sizeof *made, "a context", &made));
    made->account = parent->account;
    made->thread_count = parent->thread_count;
    *child = made;
    return RCITY_OK;
}

void rcity_context_destroy_child(rcity_context **child)
{
    if (child == NULL || *child == NULL) {
        return;
    }
    rcity_release((*child)->account, *child);
    *child = NULL;
}

void rcity_context_lend(const rcity_context *caller, rcity_context *child)
{
    child->message[0] = '\0';
    child->log = caller != NULL ? caller->log : NULL;
    child->log_user = caller != NULL ? caller->log_user : NULL;
    child->progress = caller != NULL ? caller->progress : NULL;
    child->progress_user = caller != NULL ? caller->progress_user : NULL;
}

rcity_status rcity_context_hand_back(rcity_context *child, rcity_context *caller, rcity_status status)
{
    if (status != RCITY_OK && child->message[0] != '\0') {
        memcpy(caller->message, child->message, sizeof caller->message);
    }
    rcity_context_lend(NULL, child);
    return status;
}

void rcity_context_destroy(rcity_context **context)
{
    if (context == NULL || *context == NULL) {
        return;
    }
    assert((*context)->memory_used == 0 && "an object outlived its context");
    rcity_pending_release(*context);
    rcity_allocator allocator = (*context)->allocator;
    allocator.release(allocator.user, *context);
    *context = NULL;
}

const char *rcity_context_message(const rcity_context *context)
{
    return context != NULL ? context->message : "";
}

int rcity_context_thread_count(const rcity_context *context)
{
    if (context == NULL) {
        return 0;
    }
    return context->thread_count;
}

bool rcity_allows_network(const rcity_context *context)
{
    return context->account->allows_network;
}

/* A message is one line that a terminal can show, whatever text from a file it contains. */
static void clean_message(rcity_context *context)
{
    for (char *letter = context->message; *letter != '\0'; letter++) {
        if ((unsigned char)*letter < 0x20 || *letter == 0x7f) {
            *letter = '?';
        }
    }
}

rcity_status rcity_fail(rcity_context *context, rcity_status status, const char *format, ...)
{
    if (context != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(context->message, sizeof context->message, format, arguments);
        va_end(arguments);
        clean_message(context);
    }
    return status;
}

rcity_status rcity_fail_prefix(rcity_context *context, rcity_status status, const char *format, ...)
{
    if (context != NULL) {
        char rest[RCITY_MESSAGE_BYTES];
        memcpy(rest, context->message, sizeof rest);
        va_list arguments;
        va_start(arguments, format);
        int length = vsnprintf(context->message, sizeof context->message, format, arguments);
        va_end(arguments);
        if (length >= 0 && (size_t)length < sizeof context->message) {
            snprintf(context->message + length, sizeof context->message - (size_t)length, "%s", rest);
        }
        clean_message(context);
    }
    return status;
}

void rcity_log(rcity_context *context, rcity_log_level level, const char *format, ...)
{
    if (context == NULL || context->log == NULL) {
        return;
    }
    char text[RCITY_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    context->log(context->log_user, level, text);
}

rcity_status rcity_progress(rcity_context *context, const char *task, double done, double total)
{
    if (context->progress != NULL && !context->progress(context->progress_user, task, done, total)) {
        return rcity_fail(context, RCITY_ERR_CANCELLED, "%s stopped at %.0f of %.0f", task, done, total);
    }
    return RCITY_OK;
}

double rcity_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

char *rcity_format_share(int64_t count, int64_t total, const char *noun, const char *one, const char *many, char *text)
{
    if (total == 1 && count == 1) {
        snprintf(text, 96, "the only %s %s", noun, one);
    } else {
        snprintf(text, 96, "%lld of %lld %s%s %s", (long long)count, (long long)total, noun, total == 1 ? "" : "s",
                 count == 1 ? one : many);
    }
    return text;
}

const char *rcity_version(void)
{
    return RCITY_VERSION;
}
