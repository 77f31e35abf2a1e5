/* One search in a scene: what it is made of. */
#ifndef RCITY_API_SITING_RUN_H
#define RCITY_API_SITING_RUN_H

#include "api/siting_checkpoint.h"
#include "api/siting_places.h"
#include "api/siting_predict.h"

#define RCITY_SITING_NAME_BYTES 208 /* of sites from lists, and more */

struct rcity_siting {
    rcity_context *context;
    rcity_siting_info info;
    int site_count;
    rcity_transmitter *transmitters;
    char (*names)[RCITY_SITING_NAME_BYTES];
    int64_t point_count;
    rcity_siting_point *points;
    int step_count;
    rcity_siting_step *steps;
};

typedef struct rcity_siting_run_data {
    rcity_context *context;
    const rcity_scene *scene;
    rcity_device *device;
    const rcity_request *request;
    const rcity_demand *demand;
    const rcity_siting_options *options;
    rcity_siting_places places;
    rcity_siting_predictor predictor;
    rcity_siting_need *needs;
    float **existing_dbm;
    double *existing_xy_m, *share;
    rcity_siting_task task;
    rcity_siting_search search;
    char hash[RCITY_SITING_HASH_BYTES];
    double saved_s; /* when a checkpoint was written last */
} rcity_siting_run_data;

/* siting_task.c: check options and demand, and make the task. */
rcity_status rcity_siting_check(rcity_context *context, const rcity_siting_options *options);
rcity_status rcity_siting_run_prepare(rcity_siting_run_data *run);
void rcity_siting_run_release(rcity_siting_run_data *run);

#endif
