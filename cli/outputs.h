/* Output files: asked for before work starts, so that hours are not lost to a wrong folder. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include <stdbool.h>

#include "radiocity/radiocity.h"

/* Can a file be written there, and is it not the input (NULL for none)? @return 0, or an exit status after a
   message. */
int output_check(rcity_context *context, const char *command, const char *path, const char *input_path);

/* The same against several inputs; nothing to check without a path. */
int output_check_all(rcity_context *context, const char *command, const char *path, int input_count,
                     const char *const *input_paths);

/* Does the path end so (".tif")? Letters of either case. */
bool path_ends_with(const char *path, const char *ending);

#endif
