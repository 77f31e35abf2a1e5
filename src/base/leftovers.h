/* What processes that were killed left behind: recognised by name, by their number, and by a lock that ended with them. */
#ifndef RCITY_BASE_LEFTOVERS_H
#define RCITY_BASE_LEFTOVERS_H

#include "base/base.h"

/* Between the name of a file and the number of the process in the name of a hidden file: one being written, and an old
   one during a commit. */
#define RCITY_PART_MARK ".radiocity-part-"
#define RCITY_KEPT_MARK ".radiocity-kept-"

/* Remove the hidden files of dead processes in the folder of `path`, whose name takes `folder_length` bytes of it; a folder
   that the account knows is not read again. */
void rcity_leftovers_remove(rcity_context *account, const char *path, size_t folder_length);

/* Hold the lock that tells others, who may see other process numbers, that the file's process lives. */
void rcity_leftovers_lock(int descriptor);

#endif
