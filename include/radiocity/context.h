/** @file context.h  The handle that most functions take: error text, memory, threads, log and progress.
 *
 *  There is no global state. Use one context per thread at a time; objects made with a context must be destroyed before
 *  it, and its callbacks run on the thread that called into the library.
 *
 *  Threads may share a const object. A function that takes a const object and no context writes nothing, not even a
 *  message when it fails; a function that also takes a context writes its message there. An object that is not const
 *  may be used by one thread at a time, unless its header says otherwise.
 *
 *  A NULL where a value is required gives RCITY_ERR_ARGUMENT, and the message names the argument; without a context
 *  there is no message. Functions that return no status then return 0, NULL or NAN, and functions that return nothing
 *  do nothing. */
#ifndef RADIOCITY_CONTEXT_H
#define RADIOCITY_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "radiocity/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A context. Opaque; see rcity_context_create(). */
typedef struct rcity_context rcity_context;

typedef enum rcity_log_level {
    RCITY_LOG_DEBUG = 0,   /**< details for developers of methods */
    RCITY_LOG_INFO = 1,    /**< progress of the work, such as the device that was chosen */
    RCITY_LOG_WARNING = 2, /**< the result is valid but needs care: a counted repair, a value near a limit */
} rcity_log_level;

/** Receives one line of log, without a line end. `text` is borrowed until the function returns. */
typedef void (*rcity_log_function)(void *user, rcity_log_level level, const char *text);

/** Receives the progress of a long task; `done` counts up to `total` in units of the task (cells, buildings).
 *  @return false to stop the task: the call in progress then fails with RCITY_ERR_CANCELLED. */
typedef bool (*rcity_progress_function)(void *user, const char *task, double done, double total);

/** Where memory comes from. Set all three functions, or none (then malloc, realloc and free are used). They are
 *  called by one thread at a time. */
typedef struct rcity_allocator {
    void *(*allocate)(void *user, size_t bytes);             /**< returns NULL when there is no memory */
    void *(*resize)(void *user, void *memory, size_t bytes); /**< like realloc; on NULL the old block stays */
    void (*release)(void *user, void *memory);               /**< accepts NULL */
    void *user;
} rcity_allocator;

/** Options for rcity_context_create(). Start from rcity_context_options_default(). */
typedef struct rcity_context_options {
    size_t struct_bytes;              /**< size of this struct, set by rcity_context_options_default() */
    int thread_count;                 /**< host threads; 0: all that the machine has; at most 1024 */
    uint64_t memory_bytes;            /**< the library allocates no more than this; 0: 3/4 of the machine's memory */
    rcity_allocator allocator;        /**< all NULL for malloc */
    rcity_log_function log;           /**< NULL: no log */
    void *log_user;                   /**< passed to `log` */
    rcity_progress_function progress; /**< NULL for none */
    void *progress_user;              /**< passed to `progress` */
    bool allow_network;               /**< input files may lead to other files and to the network; 0.2.0 */
} rcity_context_options;

/** rcity_context_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_context_options_init(rcity_context_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_context_options)

/** Create a context. Owned by the caller; release with rcity_context_destroy().
 *  @return RCITY_ERR_ARGUMENT for a bad option, RCITY_ERR_MEMORY. `*context` is untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_context_create(const rcity_context_options *options,
                                                             rcity_context **context);

/** Destroy a context and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_context_destroy(rcity_context **context);

/** The message of the last failure: what is wrong, the value, what to do. Borrowed until the next failing call with
 *  this context; empty when nothing failed yet. Messages and log lines name fields and options in backquotes, `name` or
 *  `name=value`, so that a program can replace them by its own terms; the command line writes --name value. */
RCITY_API const char *rcity_context_message(const rcity_context *context);

/** Host threads this context uses, at least 1. */
RCITY_API int rcity_context_thread_count(const rcity_context *context);

/** The limit on memory, in bytes. */
RCITY_API uint64_t rcity_context_memory_limit(const rcity_context *context);

/** Bytes the library holds now through this context. */
RCITY_API uint64_t rcity_context_memory_used(const rcity_context *context);

/** The most bytes the library ever held through this context. */
RCITY_API uint64_t rcity_context_memory_peak(const rcity_context *context);

/** From now on files that are written with this context are held back: complete on the disk, but under hidden names in
 *  their folders, ".NAME.radiocity-part-PID-N". So all files of a run appear or none. */
RCITY_API void rcity_outputs_hold(rcity_context *context);

/** Put all files that were held back in their places, in one short step, and hold back no more. If one cannot be put
 *  there, the files that were there before are restored and all new ones are removed.
 *  @return RCITY_ERR_FILE. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_outputs_commit(rcity_context *context);

/** Remove all files that were held back, and hold back no more. */
RCITY_API void rcity_outputs_discard(rcity_context *context);

/** Remove what is on the disk of files that are not in their places yet, before the process ends. A signal handler may
 *  call this on any thread; nothing but the end of the process may follow if it returns true.
 *  @return false while rcity_outputs_commit() is at work: let it finish, then ask again. */
RCITY_API bool rcity_outputs_abandon(rcity_context *context);

/** Version of the library, such as "0.2.0". */
RCITY_API const char *rcity_version(void);

#ifdef __cplusplus
}
#endif

#endif
