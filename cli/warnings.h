/* Warnings of one run: each is said once, and at the end how often it came. */
#ifndef CLI_WARNINGS_H
#define CLI_WARNINGS_H

#include <stdbool.h>

/* Is this warning new? A run of many sectors would say the same of each. */
bool warning_is_new(const char *text);

/* Say of those that came again how often they came, and forget all. */
void warnings_finish(bool is_quiet);

#endif
