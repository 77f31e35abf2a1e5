/* Files that appear whole or not at all, and files read whole. */
#ifndef RCITY_BASE_FILE_H
#define RCITY_BASE_FILE_H

#include <stddef.h>

#include "base/base.h"

/* A file being written beside its final path. */
typedef struct rcity_new_file rcity_new_file;

/* Start writing `path`: opens a hidden file in the same folder. Fails when the folder is not writable or `path` is a
   folder, so that a long computation can test this before it starts. A link is followed; the mode of an old file is
   kept, and a read-only one is not replaced. */
rcity_status rcity_new_file_open(rcity_context *context, const char *path, rcity_new_file **file);

rcity_status rcity_new_file_write(rcity_new_file *file, const void *data, size_t bytes);

/* Flush to the disk and rename into place, or hold it back until rcity_outputs_commit(). The handle is released, also on failure, when no file is left behind. */
rcity_status rcity_new_file_commit(rcity_new_file **file);

/* Cancel and remove what was written; accepts a pointer to NULL. */
void rcity_new_file_discard(rcity_new_file **file);

/* Write one block of bytes as a whole file. */
rcity_status rcity_file_save(rcity_context *context, const char *path, const void *data, size_t bytes);

/* Read a whole file; release `*data` with rcity_release(). A terminating 0 follows its last byte. */
rcity_status rcity_file_load(rcity_context *context, const char *path, char **data, size_t *bytes);

#endif
