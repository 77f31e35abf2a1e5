/* The spans that coefficients were fitted on, and what of a prediction lies outside them. */
#ifndef RCITY_RESULT_FITTED_SPAN_H
#define RCITY_RESULT_FITTED_SPAN_H

#include <math.h>

#include "base/angle.h"
#include "radiocity/fit.h"

#define RCITY_SPAN_TEXT_BYTES 300

typedef enum rcity_span_kind {
    RCITY_SPAN_FREQUENCY,
    RCITY_SPAN_TX_HEIGHT,
    RCITY_SPAN_DISTANCE,
    RCITY_SPAN_ELEVATION,
    RCITY_SPAN_COUNT,
} rcity_span_kind;

/* One quantity of a prediction: its values, and how many of them lie outside. */
typedef struct rcity_span_tally {
    int64_t count, outside_count;
    double least, most;
} rcity_span_tally;

typedef struct rcity_span_check {
    const rcity_fit_summary *fitted; /* Borrowed. */
    rcity_span_tally tally[RCITY_SPAN_COUNT];
} rcity_span_check;

void rcity_span_open(const rcity_fit_summary *fitted, rcity_span_check *check);
void rcity_span_add_transmitter(rcity_span_check *check, double frequency_hz, double height_m);
void rcity_span_add_receiver(rcity_span_check *check, double distance_m, double elevation_deg);

/* Does the quantity leave what was fitted on: for any transmitter, or for more than a fifth of the receivers? Spans
   that are not known contain everything. */
bool rcity_span_is_left(const rcity_span_check *check, rcity_span_kind kind);

/* "elevation angle" */
const char *rcity_span_name(rcity_span_kind kind);

/* A sentence with the quantity, its values and the span; returns `text`. */
char *rcity_span_describe(const rcity_span_check *check, rcity_span_kind kind, char text[RCITY_SPAN_TEXT_BYTES]);

/* Elevation of a transmitter that stands `rise_m` above a receiver, seen from there. */
static inline double rcity_span_elevation_deg(double across_m, double rise_m)
{
    return rcity_angle_deg(atan2(rise_m, across_m));
}

#endif
