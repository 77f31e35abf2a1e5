/* What a method is: one row of one table, and the stages that its owner (api/predictor.h) calls. */
#ifndef RCITY_METHOD_METHOD_H
#define RCITY_METHOD_METHOD_H

#include "base/base.h"
#include "device/device.h"
#include "radiocity/delays.h"
#include "radiocity/mechanism.h"
#include "radiocity/method.h"
#include "radiocity/rays.h"
#include "radiocity/surfaces.h"
#include "radiocity/tile_visibility.h"
#include "result/map_data.h"
#include "result/notes.h"
#include "scene/shapes.h"

#define RCITY_METHOD_OPTION_MAX 64

/* The request, resolved and checked, for any transmitter. Borrowed by the method's functions. */
typedef struct rcity_job {
    rcity_context *context; /* of the calling thread */
    const rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_device *device; /* NULL while only estimating */
    const struct rcity_method *method;

    const rcity_receivers *receivers;
    rcity_raster raster; /* of raster receivers */
    const float *roof_m; /* highest roof over each cell of it, from rcity_raster_cover(); NULL while only estimating */
    rcity_range_policy range_policy;
    bool is_quiet;          /* remarks go only to the result's notes, not to the log: the job runs beside another */
    const char *visibility; /* the file of a visibility matrix; NULL: none */
    struct rcity_stages *stages; /* where benchmarks want the time of each stage noted; NULL: nowhere */
    bool traces_are_reused;      /* a trace will be evaluated more than once, so expensive results are worth keeping */

    const char *option[RCITY_METHOD_OPTION_MAX]; /* values in the order of the method's list */
    double number[RCITY_METHOD_OPTION_MAX];      /* of options that are numbers; NAN where a word was given */
} rcity_job;

/* Are the receivers a raster, and not points or surfaces? */
static inline bool rcity_job_is_raster(const rcity_job *job)
{
    return job->receivers->point_count == 0 && !job->receivers->on_surfaces;
}

/* A transmitter of a job. */
typedef struct rcity_tx {
    rcity_transmitter stated;
    rcity_point position; /* where its antenna stands, in scene height */
    double azimuth_rad;   /* clockwise from the y axis; 0 where it does not matter */
    bool has_latitude;    /* for methods that take it, where the scene's CRS and the build know it */
    double latitude_deg;
} rcity_tx;

/* The note in which a method says what it extrapolated. */
#define RCITY_NOTE_EXTRAPOLATED "extrapolated"

/* What a trace depends on besides the transmitter's position. */
#define RCITY_TRACE_NEEDS_FREQUENCY 1u

/* An option in a set of options. */
#define RCITY_OPTION_BIT(option_index) ((uint64_t)1 << (option_index))

/* What a method says about a job's points: arrays with one value per point, and remarks. */
typedef struct rcity_point_levels {
    float *loss_db;
    float *received_dbm; /* NULL unless the method knows antennas; NAN where the power is unknown */
    float *mechanism;    /* of the strongest path, an rcity_mechanism; NAN without a path; may be NULL */
    rcity_notes *notes;  /* where a map has its notes; NULL: remarks go to the log only */
} rcity_point_levels;

/* A method as a baseline: what scores hold other methods against, with the defaults of its options. Methods with the
   same place stand in for each other by frequency. Place 1 has an answer for every link, and offsets are fitted to it.
   */
#define RCITY_BASELINE_PLACE_MAX 8

typedef struct rcity_method_baseline {
    int place;               /* in the table of a score, from 1; 0: the method is no baseline */
    const char *label;       /* in that table */
    double frequency_max_hz; /* above it the next method with this place takes over; 0: at any frequency */
} rcity_method_baseline;

/* A method. Its stages:
     prepare   the scene and the receivers, for any transmitter. The result is read-only from then on: any number of
               threads may use it at the same time.
     workspace memory and device buffers that tracing writes to. Its owner lets one thread at a time trace with it.
     trace     a batch of transmitters. A trace depends on their positions, on what `trace_needs` names and on
               `trace_options`, and on nothing else of a transmitter. It is read-only too, and stays valid until it is
               released, which comes before the workspace is closed.
     evaluate  one transmitter by its trace: antenna, power and all other options. On the host any number of threads
               may evaluate at the same time, each with a context of its own; a device serves one thread at a time.
   Members that may be NULL say so. */
typedef struct rcity_method {
    rcity_method_info info;
    const rcity_method_option *options; /* info.option_count of them */
    bool uses_visibility;               /* takes the file of a visibility matrix */
    bool knows_antennas; /* adds the band received_power itself; else the loss and the straight line give it */
    bool takes_latitude; /* rcity_tx has it, where the scene can say it */
    int mechanism_count; /* how many it distinguishes, in the order of tables; 0: none */
    const rcity_mechanism *mechanisms;
    unsigned trace_needs; /* RCITY_TRACE_NEEDS_* */
    rcity_method_baseline baseline;

    /* Sets of options. The first two say what changing an option costs; all other options are weights, which only
       evaluate reads. */
    uint64_t prepare_options;    /* read by prepare: a change makes everything anew */
    uint64_t trace_options;      /* read by the workspace or by trace */
    uint64_t order_options;      /* numbers that cost more memory and time the larger they are */
    uint64_t map_options;        /* that do not affect paths */
    uint64_t visibility_options; /* that the visibility matrix depends on */

    /* Refuse what the method cannot do, beyond the caller's checks; may be NULL. */
    rcity_status (*check)(const rcity_job *job, const rcity_tx *tx);

    /* Refuse receivers that the method cannot serve; the job has its roofs already. Cheap compared with the work; may
       be NULL. */
    rcity_status (*check_receivers)(const rcity_job *job, const rcity_tx *tx);

    /* Bytes beyond the map itself, or beyond tiles and two bands of surfaces, and seconds, for one transmitter. The same
       for all transmitters of a job; its owner asks once. The bytes include what prepare and the workspace keep. */
    rcity_status (*estimate)(const rcity_job *job, uint64_t *memory_bytes, double *seconds);

    /* About how many tiles the scene has; cheap compared with cutting it. Needed for surfaces, else NULL. */
    rcity_status (*count_tiles)(const rcity_job *job, int64_t *tile_count);

    /* Each pair may be NULL: then there is nothing to pass on. `workspace` is NULL for a method without one. trace
       fills traces[i] for transmitters[i]; on failure none is left to release. */
    rcity_status (*prepare)(const rcity_job *job, void **prepared);
    void (*release_prepared)(rcity_context *context, void *prepared);
    rcity_status (*open_workspace)(const rcity_job *job, const void *prepared, void **workspace);
    void (*close_workspace)(rcity_context *context, void *workspace);
    rcity_status (*trace)(const rcity_job *job, const void *prepared, void *workspace, int count,
                          const rcity_tx *transmitters, void **traces);
    void (*release_trace)(rcity_context *context, void *trace);

    /* The number of transmitters that a trace in this workspace should take at once: a device has to be filled. May be
       NULL: one is as good as many. */
    int (*batch_size)(const void *workspace);

    /* Add the bands of one transmitter to a map. `trace` is NULL for a method that does not trace. */
    rcity_status (*evaluate_raster)(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    rcity_map *map);

    /* Levels at the receivers' points. */
    rcity_status (*evaluate_points)(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    const rcity_point_levels *levels);

    /* The tiles of all surfaces with their bands, received power included, and remarks in the notes; made with the job's
       context (result/surfaces_data.h). The caller puts before these notes how the job was made, and destroys what a
       failure leaves. NULL: the method does not serve surfaces. */
    rcity_status (*evaluate_surfaces)(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                      rcity_surfaces **surfaces);

    /* The histograms of delays of the raster's cells at one of the receivers' heights, with bins of `bin_s`, antennas
       included, and remarks in the notes; made with the job's context and finished (result/delays_data.h). In the same
       pass over the paths, all that evaluate_raster adds to a map; `map` may be NULL. The caller puts before the notes of
       the delays how the job was made, and destroys what a failure leaves. NULL: the method does not serve delays. */
    rcity_status (*evaluate_delays)(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    int height_index, double bin_s, rcity_map *map, rcity_delays **delays);

    /* Add the paths to those receivers of `rays` that wait for them, in the order of the receivers, and remarks to its
       notes. The caller finishes the rays. NULL: the method does not find paths. */
    rcity_status (*find_paths)(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                               rcity_rays *rays);

    /* Make the visibility matrix of a scene and write it to a file, or go on with one that was stopped there; without a
       path count the tiles only. The job has options, but neither receivers nor transmitters. NULL unless
       `uses_visibility`. */
    rcity_status (*build_visibility)(const rcity_job *job, const char *path, rcity_tile_visibility_info *info);

    const struct rcity_method_fit *fit; /* method/method_fit.h; NULL: nothing to calibrate */
} rcity_method;

/* The row with a name. @return RCITY_ERR_ARGUMENT with the list of names. */
rcity_status rcity_method_find(rcity_context *context, const char *name, const rcity_method **method);

/* The name of the method that is used where none is asked for. */
const char *rcity_method_default_name(void);

/* The method that makes visibility matrices. */
const rcity_method *rcity_method_get_visibility_builder(void);

/* Baselines: the number of places they take in a score; the methods of a place in order of frequency, NULL after the
   last; the method of a place for a frequency. */
int rcity_method_baseline_count(void);
const rcity_method *rcity_method_get_baseline(int place, int index);
const rcity_method *rcity_method_choose_baseline(int place, double frequency_hz);

/* Names of the methods that have coefficients to calibrate, that find paths, that serve surfaces or that
   serve delays, separated by commas; "" for none. */
void rcity_method_list_calibratable(char *names, size_t bytes);
void rcity_method_list_path_finders(char *names, size_t bytes);
void rcity_method_list_surface_servers(char *names, size_t bytes);
void rcity_method_list_delay_servers(char *names, size_t bytes);

/* Fill the job's options from defaults and the given pairs. */
rcity_status rcity_method_read_options(rcity_job *job, int option_count, const char *const *names,
                                       const char *const *values);

/* Name the classes of the band of mechanisms that was added last to a map, or to surfaces: those that the method
   distinguishes. */
rcity_status rcity_method_name_mechanisms(const rcity_method *method, rcity_map *map);
rcity_status rcity_method_name_surface_mechanisms(const rcity_method *method, rcity_surfaces *surfaces);

/* Index of an option in the method's list; the option must exist. */
int rcity_method_option_index(const rcity_method *method, const char *name);

#endif
