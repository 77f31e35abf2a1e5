/* Files that appear whole or not at all, and files read whole. */
#ifndef RCITY_BASE_FILE_H
#define RCITY_BASE_FILE_H

#include <stddef.h>

#include "base/base.h"

/* A file being written beside its final place. */
typedef struct rcity_new_file rcity_new_file;

/* Start writing `path`: a hidden neighbour in the same folder is opened. Fails when the folder is not writable or
   `path` is a folder, so that a long computation can ask before it starts. A link is followed; an old file's mode is
   kept. */
rcity_status rcity_new_file_open(rcity_context *context, const char *path, rcity_new_file **file);

rcity_status rcity_new_file_write(rcity_new_file *file, const void *data, size_t bytes);

/* Flush to the disk and rename into place. The handle is gone afterwards, also on failure, when nothing is
   left behind. */
rcity_status rcity_new_file_commit(rcity_new_file **file);

/* Give up and remove what was written; accepts a pointer to NULL. */
void rcity_new_file_discard(rcity_new_file **file);

/* Write one block of bytes as a whole file. */
rcity_status rcity_file_save(rcity_context *context, const char *path, const void *data, size_t bytes);

/* Read a whole file; `*data` is released with rcity_release() and has a terminating 0 past its end. */
rcity_status rcity_file_load(rcity_context *context, const char *path, char **data, size_t *bytes);

#endif
