/* What a job of the method `shadow` asks for, and what is kept of it. */
#ifndef RCITY_METHOD_SHADOW_JOB_H
#define RCITY_METHOD_SHADOW_JOB_H

#include "method/shadow/shadow.h"
#include "method/shadow/trace/shadow_tracer.h"

/* How levels inside buildings come about. */
typedef enum rcity_shadow_indoor {
    RCITY_SHADOW_INDOOR_OFF,         /* they are nodata */
    RCITY_SHADOW_INDOOR_WALLS,       /* the path through walls */
    RCITY_SHADOW_INDOOR_TRADITIONAL, /* ITU-R P.2109 beyond the nearest receiver outside */
    RCITY_SHADOW_INDOOR_EFFICIENT,   /* the same with thermally efficient walls and windows */
} rcity_shadow_indoor;

rcity_shadow_indoor rcity_shadow_read_indoor(const rcity_job *job);

/* Which paths the job's options ask for. */
rcity_shadow_choice rcity_shadow_read_choice(const rcity_job *job);

/* The job's options and transmitter as weights; `pattern` is the antenna's table, borrowed from it. */
rcity_status rcity_shadow_make_weights(const rcity_job *job, const rcity_tx *tx, rcity_shadow_weights *weights,
                                       const float **pattern, int64_t *pattern_count);

/* What the method prepares of a scene and its receivers. Read-only once made. */
typedef struct rcity_shadow_prepared {
    rcity_sight *sight;
    int plane_count; /* of raster receivers: one a height */
    rcity_los_plane *planes;
} rcity_shadow_prepared;

/* What tracing works with: each plane on the job's device. */
typedef struct rcity_shadow_workspace {
    int stage_count;
    rcity_shadow_tracer **stages;
} rcity_shadow_workspace;

/* The job's points, placed and traced. */
typedef struct rcity_shadow_receivers {
    bool *is_served; /* false: off the terrain, or inside while indoor levels are not asked for */
    float *heights_m;
    struct rcity_shadow_points *points;
} rcity_shadow_receivers;

/* What is kept of one transmitter's position: one of the two. */
typedef struct rcity_shadow_traced {
    int plane_count;
    rcity_shadow_trace **planes;
    rcity_shadow_receivers receivers;
} rcity_shadow_traced;

/* The stages of the method's row. */
rcity_status rcity_shadow_prepare(const rcity_job *job, void **prepared);
void rcity_shadow_release_prepared(rcity_context *context, void *prepared);
rcity_status rcity_shadow_open_workspace(const rcity_job *job, const void *prepared, void **workspace);
void rcity_shadow_close_workspace(rcity_context *context, void *workspace);
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
