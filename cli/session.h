/* The context of one run of the program: options every command knows, log, progress bar, messages. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "arguments.h"
#include "radiocity/radiocity.h"

/* Options that every command knows. */
const cli_option *session_options(void);

/* Make the context from them. @return 0 or an exit status after a message. */
int session_open(rcity_context **context);

/* Destroy the context; wipes a progress bar that is still there. */
void session_close(rcity_context **context);

/* Say on stderr, in one line, what failed. @return the exit status that belongs to it. */
int session_fail(const rcity_context *context, rcity_status status);

/* Say a warning of the library on stderr, unless the user wants results only. */
void session_warn(const char *text);

/* Does the user want results only? */
bool session_is_quiet(void);

#endif
