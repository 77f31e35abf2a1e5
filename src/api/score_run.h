/* A score while it is made: what one transmitter's measurements are held against. */
#ifndef RCITY_API_SCORE_RUN_H
#define RCITY_API_SCORE_RUN_H

#include "fit/score/score_data.h"
#include "radiocity/fit.h"

/* Models that are run as methods: the request's, then baselines by their published defaults, beyond their ranges too. */
typedef enum rcity_score_method {
    RCITY_SCORE_METHOD,
    RCITY_SCORE_FREE_SPACE,
    RCITY_SCORE_HATA, /* COST 231-Hata above what Hata was published for */
    RCITY_SCORE_WALFISCH,
    RCITY_SCORE_METHOD_COUNT
} rcity_score_method;

#define RCITY_SCORE_REMARK_BYTES 700

typedef struct rcity_score_run {
    rcity_context *context;
    const rcity_scene *scene;
    rcity_device *device;
    rcity_request request; /* with the options of the coefficients, where there are some */
    const rcity_coefficients *coefficients;
    const rcity_measurements *measurements;
    rcity_score *score;
    const char **option_name, **option_value;                        /* owned */
    bool is_failed[RCITY_SCORE_METHOD_COUNT];                        /* a baseline that could not be run */
    char remark[RCITY_SCORE_METHOD_COUNT][RCITY_SCORE_REMARK_BYTES]; /* what was extrapolated; "" for nothing */
} rcity_score_run;

/* The name of the method that stands for a model at a frequency. */
const char *rcity_score_method_name(const rcity_score_run *run, rcity_score_method model, double frequency_hz);

/* Predict at the measurements of one transmitter by all these models, and see where they stand. */
rcity_status rcity_score_run_transmitter(rcity_score_run *run, int tx_index);

/* Add the warnings, and what else is worth knowing, to a score that is complete. */
rcity_status rcity_score_add_warnings(rcity_score_run *run);
rcity_status rcity_score_add_remarks(rcity_score_run *run);

#endif
