/* The context's internal functions, and the macros that pass failures on. */
#ifndef RCITY_BASE_BASE_H
#define RCITY_BASE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "radiocity/context.h"
#include "radiocity/status.h"
#include "text/number_text.h" /* rcity_format_bytes() for messages */

/* Return a failure unchanged. */
#define RCITY_TRY(call)                                                                                                \
    do {                                                                                                               \
        rcity_status rcity_try_status_ = (call);                                                                       \
        if (rcity_try_status_ != RCITY_OK) {                                                                           \
            return rcity_try_status_;                                                                                  \
        }                                                                                                              \
    } while (0)

/* Pass a failure to the function's one exit label; needs `rcity_status status` and `done:`. */
#define RCITY_TRY_DONE(call)                                                                                           \
    do {                                                                                                               \
        status = (call);                                                                                               \
        if (status != RCITY_OK) {                                                                                      \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

/* Start a failure with a message that contains the values. */
#define RCITY_CHECK(context, condition, status_, ...)                                                                  \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            (void)rcity_fail((context), (status_), __VA_ARGS__);                                                       \
            return (status_);                                                                                          \
        }                                                                                                              \
    } while (0)

/* An argument that must not be NULL; the message names it. Without a context there is no message. */
#define RCITY_NEED(context, pointer)                                                                                   \
    RCITY_CHECK((context), (pointer) != NULL, RCITY_ERR_ARGUMENT, "`" #pointer "` is NULL")

/* The same for an array that must not be NULL when `count` is not 0. */
#define RCITY_NEED_SOME(context, pointer, count)                                                                       \
    do {                                                                                                               \
        RCITY_CHECK((context), (count) >= 0, RCITY_ERR_ARGUMENT, "`" #pointer "` has a count of %lld, below 0",        \
                    (long long)(count));                                                                               \
        RCITY_CHECK((context), (count) == 0 || (pointer) != NULL, RCITY_ERR_ARGUMENT,                                  \
                    "`" #pointer "` is NULL, but its count is %lld", (long long)(count));                              \
    } while (0)

#if defined(__GNUC__)
#define RCITY_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define RCITY_PRINTF(format_index, first_index)
#endif

/* Store the message of a failure and return `status`. A NULL context stores no message. */
rcity_status rcity_fail(rcity_context *context, rcity_status status, const char *format, ...) RCITY_PRINTF(3, 4);

/* Put text before the stored message, such as the file name; returns `status`. */
rcity_status rcity_fail_prefix(rcity_context *context, rcity_status status, const char *format, ...) RCITY_PRINTF(3, 4);

void rcity_log(rcity_context *context, rcity_log_level level, const char *format, ...) RCITY_PRINTF(3, 4);

/* Report progress; fails with RCITY_ERR_CANCELLED when the caller wants to stop. */
rcity_status rcity_progress(rcity_context *context, const char *task, double done, double total);

/* Memory. Every block is counted against the context's limit; the product count * size is checked. The memory is
   zeroed. Call from one thread at a time. `what` names the block in the message of a failure. */
rcity_status rcity_alloc(rcity_context *context, size_t count, size_t size, const char *what, void *memory);

/* Grow or shrink a block; `*memory` may point to NULL; on failure the block stays. New bytes are not zeroed. */
rcity_status rcity_resize(rcity_context *context, size_t count, size_t size, const char *what, void *memory);

/* Grow a block to hold `needed` elements, in steps that keep the number of copies small. */
rcity_status rcity_reserve(rcity_context *context, size_t needed, size_t size, size_t *capacity, const char *what,
                           void *memory);

/* Release a block; accepts NULL. */
void rcity_release(rcity_context *context, void *memory);

/* A copy of a text; NULL gives NULL. */
rcity_status rcity_copy_text(rcity_context *context, const char *text, char **copy);

/* A context for an object that several threads share. It has its own message, log and progress, and takes its memory
   from the account of its parent. While a thread calls into the object, under the object's lock, the child uses that
   thread's callbacks; afterwards the message of a failure is copied to the thread's own context. `parent` is borrowed
   until the child is destroyed. */
rcity_status rcity_context_create_child(rcity_context *parent, rcity_context **child);
void rcity_context_destroy_child(rcity_context **child);
void rcity_context_lend(const rcity_context *caller, rcity_context *child);
rcity_status rcity_context_hand_back(rcity_context *child, rcity_context *caller, rcity_status status);

/* May inputs lead to other files and to the network? */
bool rcity_allows_network(const rcity_context *context);

/* Seconds on a monotonic clock. */
double rcity_clock_s(void);

/* A count at the start of a sentence: "2 of 3 receivers are", "1 of 3 receivers is", "the only receiver is". `one` and
   `many` are the verb, such as "is" and "are". `text` holds at least 96 bytes; returns it. */
char *rcity_format_share(int64_t count, int64_t total, const char *noun, const char *one, const char *many, char *text);

/* Has the machine, or what the process may take of it, this much left? Libraries for fonts do not survive otherwise. What
   is tried is given back. @return RCITY_ERR_MEMORY. */
rcity_status rcity_check_machine_memory(rcity_context *context, size_t bytes, const char *what);

/* Is there room for the memory that another library will take, outside of the context's account, to make the file
   `path`? `advice` says what to do if not, such as "raise `memory`". @return RCITY_ERR_MEMORY. */
rcity_status rcity_check_output_memory(rcity_context *context, double need_bytes, const char *path, const char *advice);

#endif
