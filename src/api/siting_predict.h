/* Levels of many stations at the points of demand, through one predictor: many are traced at once, and on the host many
   are evaluated at once. */
#ifndef RCITY_API_SITING_PREDICT_H
#define RCITY_API_SITING_PREDICT_H

#include "api/predictor.h"
#include "api/siting_places.h"

/* A transmitter of the predictor, by where it stands. */
typedef struct rcity_siting_slot {
    int index; /* in the predictor; -1: not added yet */
    uint64_t last_use;
    rcity_transmitter transmitter;
} rcity_siting_slot;

typedef struct rcity_siting_predictor {
    rcity_context *context;
    const rcity_siting_places *places;
    rcity_predictor *predictor;
    int64_t point_count;
    double *xyh_m;
    int batch_count, slot_count;
    rcity_siting_slot *slots;
    uint64_t use_count;
    int thread_count;        /* 1 on a device */
    rcity_context **threads; /* contexts without log and progress: one for each */
    float **loss_db;         /* room of each */
    bool has_spoken;         /* the method has said what it has to say */
} rcity_siting_predictor;

rcity_status rcity_siting_predictor_init(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                         const rcity_request *request, const rcity_demand *demand,
                                         const rcity_siting_places *places, int batch_count,
                                         rcity_siting_predictor *predictor);
void rcity_siting_predictor_deinit(rcity_siting_predictor *predictor);

/* Received power of transmitters at all points; -INFINITY where there is none. */
rcity_status rcity_siting_predictor_run(rcity_siting_predictor *predictor, int count,
                                        const rcity_transmitter *transmitters, float *const *level_dbm);

/* The same for settings: the function of an rcity_siting_world, whose user is the predictor. */
rcity_status rcity_siting_predictor_predict(void *user, int count, const rcity_siting_setting *settings,
                                            float *const *level_dbm);

#endif
