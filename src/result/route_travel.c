/* The distance along routes: the order of measurements, how far each is from the start, and where the course is not
   known. */
#include <math.h>
#include <string.h>

#include "result/measurements.h"

#include "base/order.h"

#define GAP_STEPS  10.0 /* a step is a gap from this many usual steps on */
#define GAP_STEP_M 30.0 /* and at least this long */
#define PAUSE_S    5.0  /* so is one after a pause of this length (or of GAP_STEPS usual ones) */
#define PAUSE_M    5.0  /* that leads farther than this */

static double step_m(const rcity_measurement *to)
{
    return hypot(to[0].x_m - to[-1].x_m, to[0].y_m - to[-1].y_m);
}

/* One route; `room` has space for as many numbers. */
static void travel_route(rcity_measurement *list, size_t count, double *room)
{
    size_t moving_count = 0;
    for (size_t i = 1; i < count; i++) {
        double step = step_m(&list[i]);
        if (step > 0.0) {
            room[moving_count++] = step;
        }
    }
    double gap_m = fmax(GAP_STEPS * rcity_upper_median(room, moving_count), GAP_STEP_M);
    size_t timed_count = 0;
    for (size_t i = 1; i < count; i++) {
        double pause_s = list[i].time_s - list[i - 1].time_s;
        if (pause_s > 0.0) {
            room[timed_count++] = pause_s;
        }
    }
    double gap_s = fmax(GAP_STEPS * rcity_upper_median(room, timed_count), PAUSE_S);
    for (size_t i = 0; i < count; i++) {
        list[i].is_after_gap = true;
        list[i].travelled_m = i > 0 ? list[i - 1].travelled_m : 0.0;
        if (i > 0) {
            double step = step_m(&list[i]);
            bool is_after_pause = list[i].time_s - list[i - 1].time_s > gap_s; /* never where a time is NAN */
            list[i].is_after_gap = step > gap_m || (is_after_pause && step > PAUSE_M);
            list[i].travelled_m += list[i].is_after_gap ? 0.0 : step;
        }
    }
}

/* Route after route, each in its own order. */
static rcity_status sort_by_route(rcity_measurements *measurements)
{
    rcity_context *context = measurements->context;
    size_t *first = NULL; /* index of the next measurement of each route */
    rcity_measurement *sorted = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, measurements->route_count + 1, sizeof *first, "measurements", &first));
    RCITY_TRY_DONE(rcity_alloc(context, measurements->count, sizeof *sorted, "measurements", &sorted));
    for (size_t i = 0; i < measurements->count; i++) {
        first[measurements->list[i].route + 1]++;
    }
    for (size_t i = 1; i <= measurements->route_count; i++) {
        first[i] += first[i - 1];
    }
    for (size_t i = 0; i < measurements->count; i++) {
        sorted[first[measurements->list[i].route]++] = measurements->list[i];
    }
    memcpy(measurements->list, sorted, measurements->count * sizeof *sorted);
done:
    rcity_release(context, sorted);
    rcity_release(context, first);
    return status;
}

rcity_status rcity_measurements_arrange(rcity_measurements *measurements)
{
    if (measurements->count == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(sort_by_route(measurements));
    double *room = NULL;
    RCITY_TRY(rcity_alloc(measurements->context, measurements->count, sizeof *room, "measurements", &room));
    for (size_t begin = 0, end; begin < measurements->count; begin = end) {
        end = begin + 1;
        while (end < measurements->count && measurements->list[end].route == measurements->list[begin].route) {
            end++;
        }
        travel_route(measurements->list + begin, end - begin, room);
    }
    rcity_release(measurements->context, room);
    return RCITY_OK;
}
