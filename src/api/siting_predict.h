/* Levels of many stations at the points of demand. A device traces a batch of stations at once. On the host each thread
   has a predictor of its own and does whole stations, so that threads never wait for each other within one. */
#ifndef RCITY_API_SITING_PREDICT_H
#define RCITY_API_SITING_PREDICT_H

#include "api/predictor.h"
#include "api/siting_places.h"

/* A transmitter of the predictor, by where it stands. */
typedef struct rcity_siting_slot {
    int index;      /* in the predictor; -1: not added yet */
    float *loss_db; /* of methods that know no antennas, where stations turn: the losses of this place; NULL: none */
    bool has_loss;
    uint64_t last_use;
    rcity_transmitter transmitter;
} rcity_siting_slot;

/* What one thread works with. */
typedef struct rcity_siting_worker {
    rcity_predictor *predictor;
    rcity_context *context; /* without log and progress */
    float *loss_db;
    rcity_siting_slot *slots;
    uint64_t use_count;
    rcity_status status; /* its first failure in a batch */
} rcity_siting_worker;

typedef struct rcity_siting_predictor {
    rcity_context *context;
    const rcity_siting_places *places;
    int64_t point_count;
    double *xyh_m;
    int batch_count, slot_count; /* slots of each worker */
    int worker_count;            /* 1 on a device */
    rcity_siting_worker *workers;
    bool is_device;
    bool keeps_place; /* a place belongs to one worker, which has its trace when a station there is turned */
    bool keeps_loss;  /* turned stations need no new prediction: the antenna's gain is added to losses */
    bool has_spoken;  /* the method has said what it has to say */
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
