/* One prediction while it is prepared and run: shared by single transmitters and networks. */
#ifndef RCITY_API_PREDICTION_H
#define RCITY_API_PREDICTION_H

#include "method/method.h"

/* A job with what it borrows. It points into itself: do not copy it. */
typedef struct rcity_prediction {
    rcity_job job;
    rcity_transmitter transmitter;
    const char *coefficients; /* as of the request; borrowed */
    rcity_point tx_position;
    double tx_azimuth_rad;
    float *roof_m;  /* of raster jobs that run; owned */
    void *prepared; /* by the method; owned */
} rcity_prediction;

/* Everything that can be said about a request before work starts. `device` is NULL while only estimating. Nothing needs
   releasing before rcity_prediction_open(). */
rcity_status rcity_prediction_init(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                   const rcity_request *request, const rcity_transmitter *transmitter,
                                   rcity_prediction *prediction);

/* What it costs: the map with its bands included, the scene not. */
rcity_status rcity_prediction_estimate(const rcity_prediction *prediction, rcity_estimate *estimate);

/* Is there memory for it? */
bool rcity_prediction_fits(const rcity_prediction *prediction, const rcity_estimate *estimate);

/* Refuse before hours of work what would fail at their end. */
rcity_status rcity_prediction_check_memory(const rcity_prediction *prediction, const rcity_estimate *estimate);

/* Make the roofs of a raster and let the method look at the receivers; then let it prepare. Both are released by
   rcity_prediction_close(), which accepts one never opened. */
rcity_status rcity_prediction_open(rcity_prediction *prediction);
rcity_status rcity_prediction_prepare(rcity_prediction *prediction);
void rcity_prediction_close(rcity_prediction *prediction);

/* Everything before the run of one transmitter: init, memory, open, prepare. Nothing needs closing on failure. */
rcity_status rcity_prediction_start(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                    const rcity_request *request, rcity_prediction *prediction);

/* Borrow what does not depend on the transmitter, roofs and what was prepared, from an open prediction of the same
   request. */
void rcity_prediction_share(const rcity_prediction *from, rcity_prediction *prediction);

/* Let the method look at the receivers, once there are roofs. */
rcity_status rcity_prediction_check_receivers(const rcity_prediction *prediction);

/* Open and close it, so that what would be refused later is refused now; only where there is memory for it. */
rcity_status rcity_prediction_look(rcity_prediction *prediction, const rcity_estimate *estimate);

/* Say in a result's notes how it was made: what is the same for all transmitters, then the transmitter. `unused` is an
   option of the method that this result does not depend on, or NULL. */
rcity_status rcity_prediction_note_request(const rcity_prediction *prediction, const char *unused, rcity_notes *notes);
rcity_status rcity_prediction_note_transmitter(const rcity_prediction *prediction, rcity_notes *notes);

/* The transmitter in one line: where it stands, its frequency and power, where it looks. */
void rcity_prediction_describe_transmitter(const rcity_prediction *prediction, char *text, size_t room);

/* What a failure of a method's stages means: where memory gave out, its orders are named, and that they may be
   lowered. */
rcity_status rcity_prediction_explain(const rcity_job *job, rcity_status status);

/* The whole map of an opened raster prediction. `twin` may be the map of a transmitter that differs in power and
   antenna only, or NULL: a method that knows no antennas then takes its losses from there. */
rcity_status rcity_prediction_run(const rcity_prediction *prediction, const rcity_map *twin, rcity_map **map);

/* Levels at the points; of `levels` all but the losses may be NULL, whatever the method. The arrays are untouched on
   failure. */
rcity_status rcity_prediction_run_points(const rcity_prediction *prediction, const rcity_point_levels *levels);

#endif
