/** @file context.h  The handle everything hangs on: error text, memory, threads, log and progress.
 *
 *  There is no global state. Use one context per thread at a time; objects made with a context must be destroyed before
 *  it, and its callbacks run on the thread that called into the library. */
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
    RCITY_LOG_DEBUG = 0,   /**< for people who write methods */
    RCITY_LOG_INFO = 1,    /**< what is being done, such as the device that was chosen */
    RCITY_LOG_WARNING = 2, /**< valid, but careful: a counted repair, a value near a limit */
} rcity_log_level;

/** Receives one line of log, without a line end. `text` is borrowed until the function returns. */
typedef void (*rcity_log_function)(void *user, rcity_log_level level, const char *text);

/** Hears how far a long task has come; `done` counts up to `total` in units of the task (cells, buildings).
 *  @return false to stop the task: the call in progress then fails with RCITY_ERR_CANCELLED. */
typedef bool (*rcity_progress_function)(void *user, const char *task, double done, double total);

/** Where memory comes from. All three functions are given, or none (then malloc, realloc and free are used). */
typedef struct rcity_allocator {
    void *(*allocate)(void *user, size_t bytes);             /**< NULL when there is none */
    void *(*resize)(void *user, void *memory, size_t bytes); /**< like realloc; on NULL the old block stays */
    void (*release)(void *user, void *memory);               /**< accepts NULL */
    void *user;
} rcity_allocator;

/** Options for rcity_context_create(). Start from rcity_context_options_default(). */
typedef struct rcity_context_options {
    int thread_count;                 /**< host threads; 0 takes all the machine offers; at most 1024 */
    uint64_t memory_bytes;            /**< the library allocates no more than this; 0 takes 3/4 of the machine's */
    rcity_allocator allocator;        /**< all NULL for malloc */
    rcity_log_function log;           /**< NULL for silence */
    void *log_user;                   /**< handed to `log` */
    rcity_progress_function progress; /**< NULL for none */
    void *progress_user;              /**< handed to `progress` */
} rcity_context_options;

RCITY_API rcity_context_options rcity_context_options_default(void);

/** Create a context. Owned by the caller; release with rcity_context_destroy().
 *  @return RCITY_ERR_ARGUMENT for a bad option, RCITY_ERR_MEMORY. `*context` is untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_context_create(const rcity_context_options *options,
                                                             rcity_context **context);

/** Destroy a context and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_context_destroy(rcity_context **context);

/** The sentence of the last failure: what, with which value, what to do. Borrowed until the next failing call with this
 *  context; empty when nothing failed yet. Messages and log lines name fields and options in backquotes, `name` or
 *  `name=value`, so that a program can put its own words for them; the command line says --name value. */
RCITY_API const char *rcity_context_message(const rcity_context *context);

/** Host threads this context uses, at least 1. */
RCITY_API int rcity_context_thread_count(const rcity_context *context);

/** The limit on memory, in bytes. */
RCITY_API uint64_t rcity_context_memory_limit(const rcity_context *context);

/** Bytes the library holds now through this context. */
RCITY_API uint64_t rcity_context_memory_used(const rcity_context *context);

/** The most bytes the library ever held through this context. */
RCITY_API uint64_t rcity_context_memory_peak(const rcity_context *context);

/** Version of the library, such as "0.1.0". */
RCITY_API const char *rcity_version(void);

#ifdef __cplusplus
}
#endif

#endif
