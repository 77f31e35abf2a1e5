/* Changes that the search tries. */
#ifndef RCITY_PLAN_SITING_MOVE_H
#define RCITY_PLAN_SITING_MOVE_H

#include "plan/siting/siting_cost.h"

/* A station as it would be. */
typedef struct rcity_siting_move {
    bool is_valid; /* a place was found for it */
    int station;
    rcity_siting_station to;
} rcity_siting_move;

/* The configuration that the search starts with: stations near points of demand, heavy ones first. Levels are not set.
   @return RCITY_ERR_ARGUMENT when no place is allowed, or not enough of them. */
rcity_status rcity_siting_place_first(const rcity_siting_task *task, rcity_siting_state *state);

/* The change number `number`, from a configuration; `reach_m` is how far shifts go. */
rcity_siting_move rcity_siting_propose(const rcity_siting_task *task, const rcity_siting_state *state, int64_t number,
                                       double reach_m);

#endif
