/* Warnings of one run: each is printed once, and at the end how often it occurred. */
#ifndef CLI_WARNINGS_H
#define CLI_WARNINGS_H

#include <stdbool.h>

/* Is this warning new? A run of many sectors would repeat it for each. */
bool warning_is_new(const char *text);

/* Print how often repeated warnings occurred, and forget all. */
void warnings_finish(bool is_quiet);

#endif
