/* What a user may have meant by an option that does not exist. */
#ifndef CLI_SUGGESTION_H
#define CLI_SUGGESTION_H

#include "arguments.h"

#define SUGGESTION_BYTES 300

/* Options like `name`, at most three, as "--a, --b or --c": those it begins, those that share a word with it or with
   what it means (--crs, --resolution), else the one with the most similar spelling. "" where there is none. */
const char *suggestion_find(const command_line *line, const char *name, char text[SUGGESTION_BYTES]);

#endif
