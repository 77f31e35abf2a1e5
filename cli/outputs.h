/* Output files: checked before work starts, so that a long run does not fail for a wrong folder. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include <stdbool.h>

#include "radiocity/radiocity.h"

/* An output as the command line names it; without a path there is nothing to check. */
typedef struct output_name {
    const char *option, *path, *ending;
    const char *what; /* for the message about a wrong ending: "a map" */
    bool needs_gdal, needs_cairo;
} output_name;

/* Do all have the right ending (.tiff also for .tif) and different names, and can this build write them? Checked before
   anything is read. @return 0, or an exit status after a message. */
int output_check_names(const char *command, int count, const output_name *outputs);

/* Print that the build lacks a library. @return the exit status. */
int output_fail_build(const char *library, const char *path);

/* Is an output different from all inputs (NULL for none)? @return 0, or an exit status after a message. */
int output_check_inputs(const char *command, const char *path, int input_count, const char *const *input_paths);

/* Is there no file yet, or may it be replaced? Devices and pipes are written to. @return 0, or an exit status after a
   message. */
int output_check_new(const char *path);

/* Both, and can a file be written there? Without a path there is nothing to check. */
int output_check_all(rcity_context *context, const char *command, const char *path, int input_count,
                     const char *const *input_paths);

/* The same with one input. */
int output_check(rcity_context *context, const char *command, const char *path, const char *input_path);

/* Does the path have this ending (".tif")? Case is ignored. */
bool path_ends_with(const char *path, const char *ending);

#endif
