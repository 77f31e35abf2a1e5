/* Calibrated coefficients of a method, with what is known about their origin. */
#ifndef RCITY_RESULT_COEFFICIENTS_H
#define RCITY_RESULT_COEFFICIENTS_H

#include "radiocity/fit.h"
#include "result/notes.h"

/* Very simple models that are fitted along, as baselines for a score elsewhere. */
typedef struct rcity_baseline_fit {
    double constant_db;           /* the same loss everywhere */
    double offset_db;             /* above free space */
    double log_db, log_decade_db; /* loss at 1 m, and per decade of distance */
} rcity_baseline_fit;

struct rcity_coefficients {
    rcity_context *context; /* Borrowed. */
    char *method;
    size_t count, capacity;
    rcity_coefficient *list; /* names and units are owned */
    rcity_notes options;     /* options of the method: those of the calibration that differ from their defaults, then
                                the coefficients among the options, with enough digits to be read back */
    rcity_notes sources;     /* what it was fitted on: scene, routes, transmitters, as pairs for people */
    size_t warning_count, warning_capacity;
    char **warnings;
    char *fitted_on;
    rcity_fit_summary summary; /* its text is fitted_on */
    rcity_baseline_fit baselines;
};

/* An empty set. Owned by the caller; release with rcity_coefficients_destroy(). */
rcity_status rcity_coefficients_create(rcity_context *context, const char *method, const char *fitted_on,
                                       rcity_coefficients **coefficients);

/* Append one; name and unit are copied. */
rcity_status rcity_coefficients_add(rcity_coefficients *coefficients, const rcity_coefficient *coefficient);
rcity_status rcity_coefficients_warn(rcity_coefficients *coefficients, const char *format, ...) RCITY_PRINTF(2, 3);

#endif
