/* Messages of the library in the words of the command line: its fields become options. */
#ifndef CLI_OPTION_WORDS_H
#define CLI_OPTION_WORDS_H

#include <stddef.h>

#define OPTION_WORDS_BYTES 2048 /* more than any message of the library */

/* Copy `text`, with each `name` as --name and each `name=value` as --name value; anything else in backquotes stays as it
   is. The copy is as long as the text; what does not fit into `bytes` is cut off. @return `words`. */
const char *option_words(const char *text, char *words, size_t bytes);

#endif
