/* What a configuration is worth: the weight it misses, what its sites cost, and a gentle slope towards points that are
   out of reach, so that the search knows where to go. */
#ifndef RCITY_PLAN_SITING_COST_H
#define RCITY_PLAN_SITING_COST_H

#include "plan/siting/siting_task.h"

/* A configuration with its levels: rows of the sites that stand already, then of the stations. */
typedef struct rcity_siting_state {
    int site_count;
    rcity_siting_station *stations; /* task->station_count */
    const float **level_dbm;        /* of all sites, at the first of the powers; borrowed */
    float **spare_dbm;              /* of the stations: where those levels lie */
    double **power_mw;              /* with SINR: all sites, as they interfere; owned */
} rcity_siting_state;

typedef struct rcity_siting_value {
    double cost;   /* missed weight, and what the sites cost */
    double guided; /* the same with the slope: what the search goes by */
} rcity_siting_value;

rcity_status rcity_siting_state_create(const rcity_siting_task *task, rcity_siting_state **state);
void rcity_siting_state_destroy(const rcity_siting_task *task, rcity_siting_state **state);

/* Copy stations and levels. */
void rcity_siting_state_copy(const rcity_siting_task *task, const rcity_siting_state *from, rcity_siting_state *to);

/* Replace a station. `level_dbm` are the levels of its setting. */
void rcity_siting_state_set(const rcity_siting_task *task, rcity_siting_state *state, int station,
                            const rcity_siting_station *to, const float *level_dbm);

rcity_siting_value rcity_siting_value_of(const rcity_siting_task *task, const rcity_siting_state *state);

/* A configuration without one of its stations, so that trying many places for that station takes one pass over the points
   each. Not for tasks with SINR. */
typedef struct rcity_siting_rest {
    float *level_dbm; /* for each point, of the others: the n-1-th, n-th and n+1-th strongest, where n are needed */
    double others;    /* what the other stations cost */
} rcity_siting_rest;

rcity_status rcity_siting_rest_create(const rcity_siting_task *task, rcity_siting_rest *rest);
void rcity_siting_rest_release(const rcity_siting_task *task, rcity_siting_rest *rest);
void rcity_siting_rest_fill(const rcity_siting_task *task, const rcity_siting_state *state, int station,
                            rcity_siting_rest *rest);

/* The value with a station that is on: the same bits as rcity_siting_value_of() gives for that configuration, up to the
   order in which costs of stations are added. */
rcity_siting_value rcity_siting_rest_value(const rcity_siting_task *task, const rcity_siting_rest *rest, int32_t power,
                                           const float *level_dbm);

/* Is `a` the better one? */
bool rcity_siting_is_better(rcity_siting_value a, rcity_siting_value b);

/* What a point gets, and which share of its weight counts as served, 0 to 1. */
double rcity_siting_serve(const rcity_siting_task *task, const rcity_siting_state *state, int64_t point,
                          rcity_siting_point *served);

/* The whole coverage. */
rcity_siting_coverage rcity_siting_cover(const rcity_siting_task *task, const rcity_siting_state *state);

/* May this station stand there beside the others that are on? */
bool rcity_siting_is_apart(const rcity_siting_task *task, const rcity_siting_state *state, int station,
                           const rcity_siting_setting *setting);

#endif
