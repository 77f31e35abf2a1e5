/* The inside of a predictor: the owner of what methods prepare and trace. Everything that predicts stands on it. */
#ifndef RCITY_API_PREDICTOR_H
#define RCITY_API_PREDICTOR_H

#include "base/lock.h"
#include "method/method_fit.h"
#include "radiocity/predictor.h"

/* Owned copies of texts and numbers that a job points to. */
typedef struct rcity_predictor_options {
    int count;
    char **names, **values;
    char *coefficients; /* where they were calibrated; NULL: nowhere */
} rcity_predictor_options;

typedef struct rcity_predictor_slot {
    bool is_used;
    bool is_checked; /* its memory and its receivers were checked */
    rcity_tx tx;
    char *name; /* owned; tx.stated.name */
} rcity_predictor_slot;

/* What a method says of a job, the same for all transmitters. */
typedef struct rcity_job_estimate {
    bool is_known;
    uint64_t memory_bytes;
    double seconds;
    int64_t tile_count; /* of surfaces; else 0 */
} rcity_job_estimate;

/* What was traced, and what it depends on. */
typedef struct rcity_kept_trace {
    rcity_point position;
    double frequency_hz; /* 0 where the method's traces are good for all */
    void *trace;
    uint64_t last_use;
} rcity_kept_trace;

struct rcity_predictor {
    rcity_context *context; /* its own, a child of the one it was opened with */
    rcity_lock *lock;       /* to write: everything; to read: what the job points to, and traces */
    bool shares_device;     /* evaluations may run at the same time: the device is the host */
    rcity_job job;          /* with the predictor's own context; callers get a copy with theirs */
    rcity_receivers receivers;
    double *height_m, *xyh_m; /* owned; in `receivers` */
    char *visibility;         /* owned; in the job */
    rcity_predictor_options options;
    bool
        is_in_order; /* transmitters are asked for once, by number: a batch is traced ahead, and dropped before the next */

    rcity_job_estimate estimate; /* known until options or receivers are others */
    float *roof_m;               /* of raster jobs; NULL until needed */
    bool is_prepared;
    void *prepared, *workspace; /* by the method */
    uint64_t prepared_bytes;    /* of the first: a part of the estimate */

    size_t slot_count, slot_capacity;
    rcity_predictor_slot *slots;
    size_t trace_count, trace_capacity;
    rcity_kept_trace *traces;
    uint64_t use_count;
    rcity_predictor_effort effort;
};

/* A predictor for one question: opened for the request with its transmitter, whose trace nobody will use again. */
rcity_status rcity_predictor_open_once(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                       const rcity_request *request, rcity_predictor **predictor);
#define RCITY_PREDICTOR_ONLY 0 /* index of its transmitter */

/* Of those below, what takes a `caller` locks by itself; all others are called with the lock held to write, or by the
   only thread that knows the predictor. */

/* The transmitter of an index. @return RCITY_ERR_ARGUMENT, in the caller's context, when there is none. */
rcity_status rcity_predictor_find_slot(rcity_predictor *predictor, rcity_context *context, int index,
                                       rcity_predictor_slot **slot);

/* predictor_trace.c: what the stages before evaluation need. */

/* Bytes and seconds of one transmitter, the map with its bands included, the scene not. The method is asked once for
   all transmitters. */
rcity_status rcity_predictor_estimate_slot(rcity_predictor *predictor, const rcity_predictor_slot *slot,
                                           rcity_estimate *estimate);

/* Is there memory for it, beside what is in use? What was prepared counts once. And refuse before hours of work what
   would fail at their end. */
bool rcity_predictor_fits(const rcity_predictor *predictor, const rcity_estimate *estimate);
rcity_status rcity_predictor_check_memory(const rcity_predictor *predictor, const rcity_estimate *estimate);

/* Make the roofs of a raster, and let the method check the receivers of one transmitter. */
rcity_status rcity_predictor_check_receivers(rcity_predictor *predictor, rcity_predictor_slot *slot);

/* The trace that a transmitter's results come from; NULL where there is none yet. */
const rcity_kept_trace *rcity_predictor_find_trace(const rcity_predictor *predictor, const rcity_tx *tx);

/* Everything that evaluating this transmitter needs: memory judged, prepared, traced. */
rcity_status rcity_predictor_make_ready(rcity_predictor *predictor, rcity_predictor_slot *slot);
bool rcity_predictor_is_ready(const rcity_predictor *predictor, const rcity_predictor_slot *slot);

/* Trace all transmitters that are not traced yet. */
rcity_status rcity_predictor_trace_all(rcity_predictor *predictor);

/* Forget traces; traces and workspace; these, what was prepared and the roofs. */
void rcity_predictor_drop_traces(rcity_predictor *predictor);
void rcity_predictor_drop_workspace(rcity_predictor *predictor);
void rcity_predictor_drop_prepared(rcity_predictor *predictor);

/* What a failure of a method's stages means: where memory gave out, its orders are named, and that they may be lowered.
   */
rcity_status rcity_predictor_explain(const rcity_job *job, rcity_status status);

/* predictor_notes.c: say in a result's notes how it was made: what is the same for all transmitters, then the
   transmitter. Options of the set `unused` have no say in this result. */
rcity_status rcity_predictor_note_request(const rcity_predictor *predictor, uint64_t unused, rcity_notes *notes);
rcity_status rcity_predictor_note_transmitter(const rcity_job *job, const rcity_tx *tx, rcity_notes *notes);

/* Put both before the notes that the method made, as in maps. */
rcity_status rcity_predictor_note_before(const rcity_predictor *predictor, const rcity_job *job, const rcity_tx *tx,
                                         rcity_notes *own);

/* The transmitter in one line: where it stands, its frequency and power, where it looks. */
void rcity_predictor_describe_transmitter(const rcity_tx *tx, char *text, size_t room);

/* predictor_evaluate.c */

/* The whole map. `twin` may be the map of a transmitter that differs in power and antenna only, or NULL: a method that
   knows no antennas then takes its losses from there. */
rcity_status rcity_predictor_make_map(rcity_predictor *predictor, rcity_context *caller, int index,
                                      const rcity_map *twin, rcity_map **map);

/* A map of a raster before the method adds its bands, and what follows them. The caller destroys what a failure leaves. */
rcity_status rcity_predictor_open_map(const rcity_predictor *predictor, const rcity_job *job, const rcity_tx *tx,
                                      rcity_map **map);
rcity_status rcity_predictor_finish_map(const rcity_job *job, const rcity_tx *tx, rcity_map *map);

/* Levels at the points; of `levels` all but the losses may be NULL, whatever the method. The arrays are untouched on
   failure. */
rcity_status rcity_predictor_make_points(rcity_predictor *predictor, rcity_context *caller, int index,
                                         const rcity_point_levels *levels);

/* What arrives at the points, listed by the method's fit for any coefficients. Release with the fit's own function. */
rcity_status rcity_predictor_list_fit(rcity_predictor *predictor, rcity_context *caller, int index, void **listed);

/* Where a fit starts, as the options say. */
rcity_status rcity_predictor_start_fit(rcity_predictor *predictor, rcity_context *caller, int index,
                                       rcity_method_start *start);

/* Call `use` with all that evaluating a transmitter needs; the job has the caller's context. */
typedef rcity_status (*rcity_predictor_use)(void *user, const rcity_predictor *predictor, const rcity_job *job,
                                            const void *trace, const rcity_tx *tx);
rcity_status rcity_predictor_with(rcity_predictor *predictor, rcity_context *caller, int index, rcity_predictor_use use,
                                  void *user);

#endif
