/* Messages of the library in the terms of the command line: fields become options. */
#ifndef CLI_OPTION_WORDS_H
#define CLI_OPTION_WORDS_H

#include <stddef.h>

#define OPTION_WORDS_BYTES 2048 /* more than any message of the library */

/* Copy `text`, with each `name` as --name and each `name=value` as --name value; other text in backquotes is unchanged.
   The copy is as long as the text; it is cut to `bytes`. @return `words`. */
const char *option_words(const char *text, char *words, size_t bytes);

#endif
