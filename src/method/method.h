/* What a method is: one row of one table. */
#ifndef RCITY_METHOD_METHOD_H
#define RCITY_METHOD_METHOD_H

#include "base/base.h"
#include "device/device.h"
#include "radiocity/mechanism.h"
#include "radiocity/method.h"
#include "result/map_data.h"
#include "result/notes.h"
#include "scene/shapes.h"

#define RCITY_METHOD_OPTION_MAX 32

/* One prediction while it runs: what was asked, worked out and checked. Borrowed by the method's functions. */
typedef struct rcity_job {
    rcity_context *context;
    const rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_device *device; /* NULL while only estimating */
    const struct rcity_method *method;

    int transmitter_count;
    const rcity_transmitter *transmitters;
    const rcity_point *tx_position; /* where their antennas stand */
    const double *tx_azimuth_rad;   /* where they look, clockwise from the y axis; 0 where it plays no role */

    const rcity_receivers *receivers;
    rcity_raster raster; /* of raster receivers */
    const float *roof_m; /* highest roof over each cell of it, from rcity_raster_cover(); NULL while only estimating */
    rcity_range_policy range_policy;
    bool is_quiet;        /* remarks go to the result's notes only, not to the log: runs beside another */
    const void *prepared; /* what the method's prepare handed on; NULL before */

    const char *option[RCITY_METHOD_OPTION_MAX]; /* values in the order of the method's list */
    double number[RCITY_METHOD_OPTION_MAX];      /* of options that are numbers; NAN where a word was given */
} rcity_job;

/* What a method says of a job's points: arrays with a value a point, and remarks. */
typedef struct rcity_point_levels {
    float *loss_db;
    float *received_dbm; /* NULL unless the method knows antennas; NAN where the power is unknown */
    float *mechanism;    /* of the strongest way, an rcity_mechanism; NAN without; may be NULL */
    rcity_notes *notes;  /* what a map would have in its notes; NULL: only the log hears it */
} rcity_point_levels;

/* A method. prepare works on the scene and the receivers, whatever the transmitter, trace on a batch of transmitters,
   evaluate on receivers and weights; what they hand on is the method's own. Members that may be NULL say so. */
typedef struct rcity_method {
    rcity_method_info info;
    bool knows_antennas; /* adds the band received_power itself; else it follows from the loss and the straight line */
    int mechanism_count; /* that it tells apart, in the order of tables; 0: none */
    const rcity_mechanism *mechanisms;
    const char *keeps; /* what lies between trace and evaluate, in words: "nothing", "candidates", "paths" */

    /* Refuse what the method cannot do, beyond what the caller has checked; may be NULL. */
    rcity_status (*check)(const rcity_job *job);

    /* Refuse receivers that the method cannot serve; the job has its roofs by now. Cheap beside the work; may be
       NULL. */
    rcity_status (*check_receivers)(const rcity_job *job);

    /* Bytes beyond the map itself, and seconds. */
    rcity_status (*estimate)(const rcity_job *job, uint64_t *memory_bytes, double *seconds);

    /* All four may be NULL: then nothing is handed on. Without trace, evaluate gets what prepare handed on. */
    rcity_status (*prepare)(const rcity_job *job, void **prepared);
    void (*release_prepared)(rcity_context *context, void *prepared);
    rcity_status (*trace)(const rcity_job *job, const void *prepared, void **traced);
    void (*release_traced)(rcity_context *context, void *traced);

    const struct rcity_method_fit *fit; /* method/method_fit.h; NULL: it has nothing to calibrate */

    /* Add the bands of one transmitter to a map. */
    rcity_status (*evaluate_raster)(const rcity_job *job, const void *traced, int tx_index, rcity_map *map);

    /* Levels at the receivers' points. */
    rcity_status (*evaluate_points)(const rcity_job *job, const void *traced, int tx_index,
                                    const rcity_point_levels *levels);
} rcity_method;

/* The row with a name. @return RCITY_ERR_ARGUMENT with the list of names. */
rcity_status rcity_method_find(rcity_context *context, const char *name, const rcity_method **method);

/* Names of the methods that have coefficients to calibrate, with commas between. */
void rcity_method_list_calibratable(char *names, size_t bytes);

/* Name the classes of the band of mechanisms that was added last to a map: those that the method tells apart. */
rcity_status rcity_method_name_mechanisms(const rcity_method *method, rcity_map *map);

/* Fill the job's options from defaults and the request's pairs. */
rcity_status rcity_method_read_options(rcity_job *job, const rcity_request *request);

/* Index of an option in the method's list; the option must exist. */
int rcity_method_option_index(const rcity_method *method, const char *name);

#endif
