/* A search for sites, without the world around it: places and levels come from functions. All that the search decides
   on are whole numbers, so that it can be saved and repeated exactly. */
#ifndef RCITY_PLAN_SITING_TASK_H
#define RCITY_PLAN_SITING_TASK_H

#include "base/base.h"
#include "radiocity/siting.h"

/* What levels depend on: a place of the lattice, or the number of a candidate in `x`; and which of the heights,
   azimuths and tilts to choose from. */
typedef struct rcity_siting_setting {
    int32_t x, y, height, azimuth, tilt;
} rcity_siting_setting;

/* A station of a configuration. */
typedef struct rcity_siting_station {
    rcity_siting_setting at;
    int32_t power; /* which of the powers to choose from */
    int32_t is_on; /* 0: one station less */
} rcity_siting_station;

/* The world of a search. */
typedef struct rcity_siting_world {
    void *user;

    /* The allowed setting nearest to a place, with height, azimuth and tilt as in `*setting`. @return false when there is
       none near it. */
    bool (*snap)(void *user, double x_m, double y_m, rcity_siting_setting *setting);

    /* May a station have this setting? Asked where height or place change apart from snap. */
    bool (*is_allowed)(void *user, const rcity_siting_setting *setting);

    void (*locate)(void *user, const rcity_siting_setting *setting, double xy_m[2]);

    /* Received power at all points, at the first of the powers, for several settings: level_dbm[i] has a value for each
       point, -INFINITY where there is none. */
    rcity_status (*predict)(void *user, int count, const rcity_siting_setting *settings, float *const *level_dbm);
} rcity_siting_world;

/* What a point asks for. */
typedef struct rcity_siting_need {
    double x_m, y_m, weight;
    float least_dbm, least_sinr_db; /* the second NAN: none */
    int32_t server_count;
} rcity_siting_need;

/* The task. Everything is borrowed. */
typedef struct rcity_siting_task {
    rcity_context *context;
    rcity_siting_world world;

    int64_t point_count;
    const rcity_siting_need *needs;
    double weight; /* of all points */

    int existing_count;               /* sites that stand already */
    const float *const *existing_dbm; /* their levels */
    const double *existing_xy_m;      /* and their places, in pairs */
    const double *share;              /* shares of interference: [server * site_count + other], with load; NULL: 1 */

    int station_count, station_count_least;
    double station_cost, power_cost_per_db;
    int height_count, azimuth_count, tilt_count, power_count; /* choices, at least 1 of each */
    const double *power_db;                                   /* relative to the level that is predicted */

    double x_min_m, y_min_m, x_max_m, y_max_m; /* where stations may stand */
    int64_t candidate_count;                   /* settings have numbers below it; 0: places of the lattice */
    double step_m, spacing_m, soft_db, handover_db;
    bool has_sinr;
    double noise_dbm, load; /* of the stations */
    uint64_t seed;
    int64_t move_count;
    int batch_count;
} rcity_siting_task;

/* Sites of a configuration: those that stand already first. */
static inline int rcity_siting_site_count(const rcity_siting_task *task)
{
    return task->existing_count + task->station_count;
}

#endif
