/* The files of a context that are not in place yet: under which hidden name each is written, and which are written but
   held back until all of a run are. What a signal handler needs to remove them is always there. */
#ifndef RCITY_BASE_PENDING_H
#define RCITY_BASE_PENDING_H

#include "base/base.h"

/* One file. Its memory stays with the context, so that a handler may read it at any time. */
typedef struct rcity_pending rcity_pending;

/* Note a file that will appear at `path`, and choose the hidden name under which it is written: in the same folder, so
   that renaming is one step. Removes what dead processes left in that folder, once a context and folder. */
rcity_status rcity_pending_open(rcity_context *context, const char *path, rcity_pending **pending);

/* The hidden name; stays valid until the file is placed, held or dropped. */
const char *rcity_pending_part_path(const rcity_pending *pending);

/* The file is written. Put it in its place, or hold it back if the context does so. On failure it is removed. Closes
   `descriptor`, at once or, to hold the lock on what is held back, at the end. */
rcity_status rcity_pending_place(rcity_context *context, rcity_pending *pending, int descriptor);

/* Remove what was written. */
void rcity_pending_drop(rcity_pending *pending);

/* Are complete files held back? */
bool rcity_outputs_are_held(const rcity_context *context);

/* Release the memory of all; when the context is destroyed. */
void rcity_pending_release(rcity_context *context);

#endif
