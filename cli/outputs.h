/* Output files: asked for before work starts, so that hours are not lost to a wrong folder. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include <stdbool.h>

#include "radiocity/radiocity.h"

/* Can a file be written there, and is it not the input (NULL for none)? @return 0, or an exit status after a
   message. */
int output_check(rcity_context *context, const char *command, const char *path, const char *input_path);

/* A pair of files that appear both or not at all: before the first is written, what stands in its place gets a second
   name, "folder/.name.kept-PID"; when the pair is complete that name goes, when not the old file comes back. */
#define KEPT_PATH_BYTES 4200

/* @return whether there was a file to keep. */
bool output_keep(const char *path, char kept[KEPT_PATH_BYTES]);

/* Bring the old file back, or leave none where there was none. */
void output_restore(const char *path, bool is_kept, const char *kept);

/* Does the path end so (".tif")? Letters of either case. */
bool path_ends_with(const char *path, const char *ending);

#endif
