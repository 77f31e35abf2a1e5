/* A set of files of which all appear or none: from the first on, all files of the run are held back under hidden names,
   and put in their places at once when the set ends. */
#ifndef CLI_OUTPUT_SET_H
#define CLI_OUTPUT_SET_H

#include <stdbool.h>

#include "radiocity/radiocity.h"

#define OUTPUT_PATH_BYTES 4200

typedef struct output_set {
    int count;
} output_set;

/* Call before a file is written. @return true. */
bool output_set_add(output_set *set, const char *path);

/* End the set: put all files in their places if `status` is RCITY_OK and nobody has stopped the run, remove them otherwise.
   @return `status`, RCITY_ERR_CANCELLED, or why they cannot be put there. */
rcity_status output_set_finish(rcity_context *context, output_set *set, rcity_status status);

#endif
