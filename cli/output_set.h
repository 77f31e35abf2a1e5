/* Files that appear all or not at all: before one is written, what stands in its place gets a second name,
   "folder/.name.kept-PID"; when the set is complete those names go, when not the old files come back. */
#ifndef CLI_OUTPUT_SET_H
#define CLI_OUTPUT_SET_H

#include <stdbool.h>

#define OUTPUT_PATH_BYTES 4200

typedef struct output_file {
    char path[OUTPUT_PATH_BYTES];
    char kept[OUTPUT_PATH_BYTES];
    bool is_kept; /* there was a file to keep */
} output_file;

typedef struct output_set {
    output_file *files;
    int count, capacity;
} output_set;

/* Call before a file is written. @return false when memory is out. */
bool output_set_add(output_set *set, const char *path);

/* End the set: keep the new files, or bring the old ones back and leave none where there was none. */
void output_set_finish(output_set *set, bool is_complete);

#endif
