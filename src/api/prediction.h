/* One prediction while it is prepared and run: shared by single transmitters and networks. */
#ifndef RCITY_API_PREDICTION_H
#define RCITY_API_PREDICTION_H

#include "method/method.h"

/* A job with what it borrows. It points into itself: do not copy it. */
typedef struct rcity_prediction {
    rcity_job job;
    rcity_transmitter transmitter;
    rcity_point tx_position;
    double tx_azimuth_rad;
    float *roof_m; /* of raster jobs that run; owned */
} rcity_prediction;

/* Everything that can be said about a request before work starts. `device` is NULL while only estimating. Nothing needs
   releasing before rcity_prediction_open(). */
rcity_status rcity_prediction_init(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                   const rcity_request *request, const rcity_transmitter *transmitter,
                                   rcity_prediction *prediction);

/* What it costs: the map with its bands included, the scene not. */
rcity_status rcity_prediction_estimate(const rcity_prediction *prediction, rcity_estimate *estimate);

/* Refuse before hours of work what would fail at their end. */
rcity_status rcity_prediction_check_memory(const rcity_prediction *prediction, const rcity_estimate *estimate);

/* Make what all of a raster's runs share; released by rcity_prediction_close(), which accepts one never opened. */
rcity_status rcity_prediction_open(rcity_prediction *prediction);
void rcity_prediction_close(rcity_prediction *prediction);

/* Say in a map's notes how it was made: what is the same for all transmitters, then the transmitter. */
rcity_status rcity_prediction_note_request(const rcity_prediction *prediction, rcity_map *map);
rcity_status rcity_prediction_note_transmitter(const rcity_prediction *prediction, rcity_map *map);

/* The whole map of an opened raster prediction. `twin` may be the map of a transmitter that differs in power and antenna
   only, or NULL: a method that knows no antennas then takes its losses from there. */
rcity_status rcity_prediction_run(const rcity_prediction *prediction, const rcity_map *twin, rcity_map **map);

/* Losses, and received power unless that is NULL, at the points. */
rcity_status rcity_prediction_run_points(const rcity_prediction *prediction, float *loss_db, float *received_dbm);

#endif
