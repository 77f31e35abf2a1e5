/* The help of a command: short, of one group of options, of one method, or all of it. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "arguments.h"

/* A row of an option table that starts a group: the rows before the first one are in the short help, this one's are in
   `--help KEY` and in `--help all`. */
#define OPTION_GROUP(key, heading)                                                                                     \
    {                                                                                                                  \
        "", OPTION_FLAG, NULL, key, heading                                                                            \
    }

/* Print the help. `topic` is the word behind --help: NULL, "all", the key of a group, "methods" or the name of a method.
   @return false for another word: then the short help is printed. */
bool help_print(const command_line *line, const char *topic);

#endif
