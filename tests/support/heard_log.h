/* A context whose warnings are kept, for tests of what is said beside the result. */
#ifndef HEARD_LOG_H
#define HEARD_LOG_H

#include "rcity_test.h"

typedef struct heard_log {
    int count;
    char text[600]; /* the last warning */
} heard_log;

static inline void heard_log_hear(void *user, rcity_log_level level, const char *text)
{
    heard_log *heard = user;
    if (level == RCITY_LOG_WARNING) {
        heard->count++;
        snprintf(heard->text, sizeof heard->text, "%s", text);
    }
}

static inline rcity_context *heard_log_context(heard_log *heard)
{
    memset(heard, 0, sizeof *heard);
    rcity_context_options options = rcity_context_options_default();
    options.log = heard_log_hear;
    options.log_user = heard;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    return context;
}

#endif
