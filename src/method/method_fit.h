/* What a calibration asks of a method: its coefficients, and losses with their slopes at traced points. */
#ifndef RCITY_METHOD_FIT_H
#define RCITY_METHOD_FIT_H

#include "method/method.h"

#define RCITY_METHOD_TERM_MAX 4

/* An option that is a number to calibrate. */
typedef struct rcity_method_coefficient {
    int option;       /* index in the method's list */
    double low, high; /* what physics allows, within the option's range */
    double spread;    /* how far it may plausibly lie from its default: one standard deviation of prior knowledge */
} rcity_method_coefficient;

/* Coefficients that depend on each other: the sum of factor times coefficient must not be below 0 (a law that grows
   with the angle). */
typedef struct rcity_method_constraint {
    int term_count;
    int coefficient[RCITY_METHOD_TERM_MAX];
    double factor[RCITY_METHOD_TERM_MAX];
} rcity_method_constraint;

/* Where a fit starts. */
typedef struct rcity_method_start {
    double *coefficients; /* the caller's, with room for all */
    uint64_t
        on_request; /* bit k: coefficient k is fitted only when it is asked for by name, because measurements of few
                             transmitters mistake other effects for it, or because the options make it no difference */
} rcity_method_start;

typedef struct rcity_method_fit {
    int coefficient_count;
    const rcity_method_coefficient *coefficients;
    int constraint_count;
    const rcity_method_constraint *constraints;

    /* Where a fit starts, from the job's options with words (such as materials) resolved. */
    rcity_status (*start)(const rcity_job *job, const rcity_tx *tx, rcity_method_start *start);

    /* List the paths that arrive at the job's points from a transmitter, ready for any coefficients. `prepared` and
       `trace` are those of the method's stages. */
    rcity_status (*list)(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                         void **listed);
    void (*release)(rcity_context *context, void *listed);

    /* Losses of all points with these coefficients; NAN where nothing arrives, which does not depend on the
       coefficients. `with_antenna` subtracts the transmitting antenna's gain in the direction of departure of each
       path; else antennas are isotropic. slopes[point * coefficient_count + k] may be NULL; mechanisms (-1: none)
       too. */
    void (*weigh)(const void *listed, const double *coefficients, bool with_antenna, double *loss_db, double *slopes,
                  int8_t *mechanisms);
} rcity_method_fit;

#endif
