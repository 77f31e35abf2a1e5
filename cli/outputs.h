/* Output files: asked for before work starts, so that hours are not lost to a wrong folder. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include <stdbool.h>

#include "radiocity/radiocity.h"

/* An output as the command line names it; nothing to check without a path. */
typedef struct output_name {
    const char *option, *path, *ending;
    const char *what; /* the beginning of the sentence that tells the ending: "a map" */
    bool needs_gdal, needs_cairo;
} output_name;

/* Have all the right ending (.tiff for .tif too) and a name of their own, and can this build write them? Asked before
   anything is read. @return 0, or an exit status after a message. */
int output_check_names(const char *command, int count, const output_name *outputs);

/* Say that the build lacks a library. @return the exit status. */
int output_fail_build(const char *library, const char *path);

/* Is an output none of the inputs (NULL for none)? @return 0, or an exit status after a message. */
int output_check_inputs(const char *command, const char *path, int input_count, const char *const *input_paths);

/* The same, and can a file be written there? Nothing to check without a path. */
int output_check_all(rcity_context *context, const char *command, const char *path, int input_count,
                     const char *const *input_paths);

/* The same with one input. */
int output_check(rcity_context *context, const char *command, const char *path, const char *input_path);

/* Does the path end so (".tif")? Letters of either case. */
bool path_ends_with(const char *path, const char *ending);

#endif
