/* A score while it is made: what one transmitter's measurements are held against. */
#ifndef RCITY_API_SCORE_RUN_H
#define RCITY_API_SCORE_RUN_H

#include "fit/score/score_data.h"
#include "method/method.h"
#include "radiocity/fit.h"
#include "result/fitted_span.h"

/* Models that are run as methods: the request's, then the baselines in the order of their places, by their published
   defaults and beyond their ranges too, then with coefficients the request's method without them. */
#define RCITY_SCORE_METHOD    0
#define RCITY_SCORE_REFERENCE 1 /* place 1 of the baselines: what offsets are fitted to */
#define RCITY_SCORE_RUN_MAX   (2 + RCITY_BASELINE_PLACE_MAX)

#define RCITY_SCORE_REMARK_BYTES 700

typedef struct rcity_score_run {
    rcity_context *context;
    const rcity_scene *scene;
    rcity_device *device;
    rcity_request request; /* with the options of the coefficients, where there are some */
    const rcity_coefficients *coefficients;
    const rcity_measurements *measurements;
    rcity_score *score;
    const char **option_name, **option_value;                   /* owned */
    const char **plain_name, **plain_value;                     /* owned: options without what was fitted */
    int plain_count;                                            /* of these */
    int plain_model;                                            /* the method with them; 0: no coefficients */
    rcity_span_check span;                                      /* with coefficients: where they are used */
    int model_count;                                            /* that are run as methods */
    bool is_failed[RCITY_SCORE_RUN_MAX];                        /* a baseline that could not be run */
    char remark[RCITY_SCORE_RUN_MAX][RCITY_SCORE_REMARK_BYTES]; /* what was extrapolated; "" for nothing */
} rcity_score_run;

/* Predict at the measurements of one transmitter by all these models, and see where they stand. */
rcity_status rcity_score_run_transmitter(rcity_score_run *run, int tx_index);

/* Add the warnings, and what else is worth knowing, to a score that is complete. */
rcity_status rcity_score_add_warnings(rcity_score_run *run);
rcity_status rcity_score_add_remarks(rcity_score_run *run);

#endif
