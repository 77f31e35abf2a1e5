/* A set of files of which all appear or none. */
#include "output_set.h"

#include "session.h"
#include "stop_signals.h"

bool output_set_add(output_set *set, const char *path)
{
    (void)path;
    set->count++;
    session_hold_outputs();
    return true;
}

rcity_status output_set_finish(rcity_context *context, output_set *set, rcity_status status)
{
    if (set->count == 0) {
        return status;
    }
    set->count = 0;
    if (status == RCITY_OK && session_is_stopped()) {
        status = RCITY_ERR_CANCELLED;
    }
    if (status != RCITY_OK) {
        rcity_outputs_discard(context);
        return status;
    }
    status = rcity_outputs_commit(context);
    if (status == RCITY_OK) {
        stop_signals_end_work();
    }
    return status;
}
