#include "visibility/terrain/ground_watch.h"

/* Between two reports: more often than anybody looks, and far less often than pieces end. */
#define REPORT_EVERY_S 0.05

rcity_status rcity_ground_watch_start(rcity_context *context, const char *task, int64_t total,
                                      rcity_ground_watch *watch)
{
    watch->context = context;
    watch->task = task;
    watch->total = (double)total;
    atomic_init(&watch->done, 0);
    atomic_init(&watch->status, (int)RCITY_OK);
    watch->reported_s = rcity_clock_s();
    return rcity_progress(context, task, 0.0, watch->total);
}

bool rcity_ground_watch_step(rcity_ground_watch *watch, int thread_index, int64_t count)
{
    if (count > 0) {
        atomic_fetch_add_explicit(&watch->done, count, memory_order_relaxed);
    }
    bool goes_on = atomic_load_explicit(&watch->status, memory_order_relaxed) == (int)RCITY_OK;
    if (thread_index != 0 || !goes_on) {
        return goes_on;
    }
    double now_s = rcity_clock_s();
    if (now_s < watch->reported_s + REPORT_EVERY_S) {
        return true;
    }
    watch->reported_s = now_s;
    rcity_status status = rcity_progress(watch->context, watch->task, (double)atomic_load(&watch->done), watch->total);
    atomic_store(&watch->status, (int)status);
    return status == RCITY_OK;
}

rcity_status rcity_ground_watch_end(rcity_ground_watch *watch)
{
    RCITY_TRY((rcity_status)atomic_load(&watch->status));
    return rcity_progress(watch->context, watch->task, watch->total, watch->total);
}
