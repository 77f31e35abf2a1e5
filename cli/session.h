/* The context of one run of the program: the common options, log, progress bar, messages. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "arguments.h"
#include "radiocity/radiocity.h"

/* The options of every command. */
const cli_option *session_options(void);

/* Make the context from them. @return 0 or an exit status after a message. */
int session_open(rcity_context **context);

/* Stop what the library does after so many seconds, with RCITY_ERR_CANCELLED, and show no progress meanwhile; 0: never. */
void session_set_patience(double seconds);

/* Was that why something stopped? */
bool session_lost_patience(void);

/* Destroy the context; clears a visible progress bar. */
void session_close(rcity_context **context);

/* From now on hold back the files of the run; output_set.h puts them in their places. */
void session_hold_outputs(void);

/* Was the run asked to stop? */
bool session_is_stopped(void);

/* Print on stderr, in one line, what failed. @return its exit status. */
int session_fail(const rcity_context *context, rcity_status status);

/* Print a warning of the library on stderr, unless --quiet. */
void session_warn(const char *text);

/* Was --accept-unusual given? */
bool session_accepts_unusual(void);

/* Was --overwrite given? */
bool session_may_overwrite(void);

/* Was --quiet given? */
bool session_is_quiet(void);

#endif
