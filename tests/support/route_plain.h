/* The distance along a route and averages over it, plainly: for each sample and each piece by itself, from the words of
   measure.h. */
#ifndef ROUTE_PLAIN_H
#define ROUTE_PLAIN_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "radiocity/measure.h"

/* The number with exactly `rank` numbers that come before it (equal ones by their places). */
static inline double route_plain_ranked(const double *number, size_t count, size_t rank)
{
    for (size_t i = 0; i < count; i++) {
        size_t before = 0;
        for (size_t k = 0; k < count; k++) {
            before += number[k] < number[i] || (number[k] == number[i] && k < i);
        }
        if (before == rank) {
            return number[i];
        }
    }
    return 0.0;
}

/* Is there a gap between two samples that follow each other, when a usual step and a usual pause are these? */
static inline bool route_plain_is_gap(const rcity_measurement *a, const rcity_measurement *b, double usual_m,
                                      double usual_s)
{
    double step_m = sqrt((b->x_m - a->x_m) * (b->x_m - a->x_m) + (b->y_m - a->y_m) * (b->y_m - a->y_m));
    double pause_s = b->time_s - a->time_s;
    bool is_jump = step_m > 10.0 * usual_m && step_m > 30.0;
    bool is_pause = !isnan(pause_s) && pause_s > 5.0 && pause_s > 10.0 * usual_s && step_m > 5.0;
    return is_jump || is_pause;
}

/* Mean of the values of samples in the linear domain. */
static inline double route_plain_mean(const rcity_measurement *sample, size_t count, bool is_loss)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += pow(10.0, (is_loss ? -1.0 : 1.0) * sample[i].value / 10.0);
    }
    double mean = 10.0 * log10(sum / (double)count);
    return is_loss ? -mean : mean;
}

#endif
