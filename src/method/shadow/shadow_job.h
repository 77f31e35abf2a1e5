/* What a job of the method `shadow` requests, and what is kept of it. */
#ifndef RCITY_METHOD_SHADOW_JOB_H
#define RCITY_METHOD_SHADOW_JOB_H

#include "method/shadow/shadow.h"
#include "method/shadow/trace/shadow_tracer.h"
#include "method/surroundings/built_up.h"

/* How levels inside buildings are computed. */
typedef enum rcity_shadow_indoor {
    RCITY_SHADOW_INDOOR_OFF,         /* no value */
    RCITY_SHADOW_INDOOR_WALLS,       /* the path through walls */
    RCITY_SHADOW_INDOOR_TRADITIONAL, /* ITU-R P.2109, from the nearest receiver outside */
    RCITY_SHADOW_INDOOR_EFFICIENT,   /* the same with thermally efficient walls and windows */
} rcity_shadow_indoor;

rcity_shadow_indoor rcity_shadow_read_indoor(const rcity_job *job);

/* Are turns knife edges, with a diffuse path and the mean of the surroundings? */
bool rcity_shadow_has_edges(const rcity_job *job);

/* The value of a coefficient, where its word leaves it to the law. */
double rcity_shadow_coefficient(const rcity_job *job, rcity_shadow_option option);

/* The paths that the job's options request; the surroundings are not set. */
rcity_shadow_choice rcity_shadow_read_choice(const rcity_job *job);

/* The job's options and transmitter as weights; `pattern` is the antenna's table, borrowed from it. */
rcity_status rcity_shadow_make_weights(const rcity_job *job, const rcity_tx *tx, rcity_shadow_weights *weights,
                                       const float **pattern, int64_t *pattern_count);

/* What the method prepares from a scene and its receivers. Read-only once made. */
typedef struct rcity_shadow_prepared {
    rcity_sight *sight;
    rcity_built_up *built_up;
    int plane_count; /* of raster receivers: one for each height */
    rcity_los_plane *planes;
} rcity_shadow_prepared;

/* What tracing works with: a tracer on the job's device for each plane. */
typedef struct rcity_shadow_workspace {
    int tracer_count;
    rcity_shadow_tracer **tracers;
} rcity_shadow_workspace;

/* The job's points, with positions on the grid and their paths. */
typedef struct rcity_shadow_receivers {
    bool *is_served; /* false: off the terrain, or indoors when indoor levels are not requested */
    float *heights_m;
    struct rcity_shadow_points *points;
} rcity_shadow_receivers;

/* What is kept of one transmitter's position: either planes or points. */
typedef struct rcity_shadow_traced {
    int plane_count;
    rcity_shadow_trace **planes;
    rcity_shadow_receivers receivers;
} rcity_shadow_traced;

/* The steps of the method's row. */
rcity_status rcity_shadow_prepare(const rcity_job *job, void **prepared);
void rcity_shadow_release_prepared(rcity_context *context, void *prepared);
rcity_status rcity_shadow_open_workspace(const rcity_job *job, const void *prepared, void **workspace);
void rcity_shadow_close_workspace(rcity_context *context, void *workspace);
int rcity_shadow_batch_size(const void *workspace);
rcity_status rcity_shadow_trace_batch(const rcity_job *job, const void *prepared, void *workspace, int count,
                                      const rcity_tx *transmitters, void **traces);
void rcity_shadow_release_trace(rcity_context *context, void *trace);

rcity_status rcity_shadow_receivers_init(const rcity_job *job, const rcity_shadow_prepared *prepared,
                                         rcity_grid_point3 source, rcity_shadow_receivers *receivers);
void rcity_shadow_receivers_deinit(rcity_context *context, rcity_shadow_receivers *receivers);

/* Levels at the job's points. */
rcity_status rcity_shadow_evaluate_points(const rcity_job *job, const rcity_shadow_traced *traced, const rcity_tx *tx,
                                          const rcity_point_levels *levels);

#endif
