/* Output files: asked for before work starts, so that hours are not lost to a wrong folder. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include <stdbool.h>

/* Can a file be written there, and is it not the input (NULL for none)? @return 0, or an exit status after a message. */
int output_check(const char *command, const char *path, const char *input_path);

/* A pair of files that appear both or not at all: each is made under a staged name beside its place, then all are
 * renamed. */
#define STAGED_PATH_BYTES 4200

/* "folder/.name.staged-PID" for "folder/name"; the ending is kept in front so that nothing mistakes it for a finished
 * file. */
void output_stage(const char *path, char staged[STAGED_PATH_BYTES]);

/* Put a staged file in its place. @return 0, or an exit status after a message. */
int output_publish(const char *staged, const char *path);

/* Does the path end so (".tif")? Letters of either case. */
bool path_ends_with(const char *path, const char *ending);

#endif
