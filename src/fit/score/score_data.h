/* A score while it is made: models with their predicted losses, then groups of measurements with the figures of each.
   */
#ifndef RCITY_FIT_SCORE_SCORE_DATA_H
#define RCITY_FIT_SCORE_SCORE_DATA_H

#include "base/base.h"
#include "radiocity/fit.h"

/* A list of sentences. */
typedef struct rcity_score_texts {
    size_t count, capacity;
    char **list;
} rcity_score_texts;

typedef struct rcity_score_model_data {
    char *name, *fitted_on;
    bool is_extrapolated;
    double *predicted_db; /* one value for each measurement */
} rcity_score_model_data;

typedef struct rcity_score_group_data {
    const char *kind; /* static */
    char *name;
    int64_t count;
    rcity_score_figures *figures; /* one for each model */
} rcity_score_group_data;

struct rcity_score {
    rcity_context *context; /* Borrowed. */
    int64_t point_count;
    double *measured_db;
    rcity_score_point *points; /* their texts are static */
    size_t model_count, model_capacity;
    rcity_score_model_data *models;
    size_t group_count, group_capacity;
    rcity_score_group_data *groups;
    rcity_score_texts warnings, remarks;
};

/* A score of this many measurements, without models; measured losses are 0. Release with rcity_score_destroy(). */
rcity_status rcity_score_open(rcity_context *context, int64_t point_count, rcity_score **score);

/* Add a model whose values are all NAN. `predicted_db` may be NULL; `*predicted_db` is the array to fill. */
rcity_status rcity_score_add_model(rcity_score *score, const char *name, const char *fitted_on, double **predicted_db);

/* Remove a model. */
void rcity_score_drop_model(rcity_score *score, size_t model_index);

/* Add the groups of a kind with their figures: measurement i belongs to the group named names[key[i]], or to none if
   its key is below 0. Groups without measurements are left out. Models and points must be complete. */
rcity_status rcity_score_add_groups(rcity_score *score, const char *kind, int name_count, const char *const *names,
                                    const int32_t *key);

rcity_status rcity_score_warn(rcity_score *score, const char *format, ...) RCITY_PRINTF(2, 3);
rcity_status rcity_score_say(rcity_score *score, const char *format, ...) RCITY_PRINTF(2, 3);

#endif
