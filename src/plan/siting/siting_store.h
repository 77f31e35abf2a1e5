/* Levels that were predicted, by the setting of the station: what is at hand is not predicted again. What it forgets for
   want of room costs time, and changes no result. */
#ifndef RCITY_PLAN_SITING_STORE_H
#define RCITY_PLAN_SITING_STORE_H

#include "plan/siting/siting_task.h"

typedef struct rcity_siting_store rcity_siting_store;

/* Room for up to `most` settings, taken as they come. */
rcity_status rcity_siting_store_create(const rcity_siting_task *task, int64_t most, rcity_siting_store **store);
void rcity_siting_store_destroy(rcity_siting_store **store);

/* Levels of several settings, copied to level_dbm[i], or only predicted where level_dbm is NULL. Those that are not at
   hand are predicted, together. */
rcity_status rcity_siting_store_get(rcity_siting_store *store, int count, const rcity_siting_setting *settings,
                                    float *const *level_dbm);

typedef struct rcity_siting_effort {
    int64_t predicted_count, reused_count;
    double predict_s;
} rcity_siting_effort;

rcity_siting_effort rcity_siting_store_effort(const rcity_siting_store *store);

#endif
