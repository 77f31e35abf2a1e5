/* A set of files of which all appear or none: before a file is written, an old file in its place gets a second name,
   "folder/.name.kept-PID". When the set is complete these names are removed, otherwise the old files are restored. */
#ifndef CLI_OUTPUT_SET_H
#define CLI_OUTPUT_SET_H

#include <stdbool.h>

#define OUTPUT_PATH_BYTES 4200

typedef struct output_file {
    char path[OUTPUT_PATH_BYTES];
    char kept[OUTPUT_PATH_BYTES];
    bool is_kept; /* there was an old file */
} output_file;

typedef struct output_set {
    output_file *files;
    int count, capacity;
} output_set;

/* Call before a file is written. @return false for lack of memory. */
bool output_set_add(output_set *set, const char *path);

/* End the set: keep the new files, or restore the old ones and remove the others. */
void output_set_finish(output_set *set, bool is_complete);

#endif
