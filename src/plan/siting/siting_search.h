/* The search: its state between two batches, which a file can hold, and the baseline it is held against. */
#ifndef RCITY_PLAN_SITING_SEARCH_H
#define RCITY_PLAN_SITING_SEARCH_H

#include "plan/siting/siting_cost.h"
#include "plan/siting/siting_store.h"

#define RCITY_SITING_STEP_COUNT 400  /* points of the curve */
#define RCITY_SITING_SEEN_MAX   4096 /* places that are tried again in exchanges */

/* Where a search stands: numbers only. With the task they decide all that follows. */
typedef struct rcity_siting_position {
    int64_t move_count, accept_count, evaluated_count;
    int64_t station_sum; /* of all configurations that were valued: what predicting each anew would take */
    int32_t has_baseline, is_bound, is_done, reserved; /* the last: 0 */
    int64_t candidate_count;
    double greedy_weight, bound;
    rcity_siting_value best;
    rcity_siting_coverage start;
    int64_t step_count;
    int64_t seen_count;
} rcity_siting_position;

typedef struct rcity_siting_search {
    const rcity_siting_task *task;
    rcity_siting_store *store;
    rcity_siting_position position;
    rcity_siting_state *now, *best, *baseline; /* the last one counts with `has_baseline` */
    rcity_siting_step *steps;                  /* RCITY_SITING_STEP_COUNT + 2 */
    rcity_siting_setting *seen; /* some of all places that were predicted, for exchanges; RCITY_SITING_SEEN_MAX */

    /* Called after a batch, to save the search; NULL: never. */
    rcity_status (*on_batch)(void *user, const struct rcity_siting_search *search);
    void *user;
} rcity_siting_search;

/* Make room for a search; `kept_count`: settings whose levels are kept. */
rcity_status rcity_siting_search_init(const rcity_siting_task *task, int64_t kept_count, rcity_siting_search *search);
void rcity_siting_search_deinit(rcity_siting_search *search);

/* Place the first stations and predict them. */
rcity_status rcity_siting_search_begin(rcity_siting_search *search);

/* After the position and the stations of all configurations were read from a file: predict them again. */
rcity_status rcity_siting_search_restore(rcity_siting_search *search);

/* Search to the end. RCITY_ERR_CANCELLED leaves the search as it was after the last whole batch; it can go on. */
rcity_status rcity_siting_search_run(rcity_siting_search *search);

/* Move one station of a configuration at a time to its best place among some, until that helps no more or `round_count`
   times each. RCITY_ERR_CANCELLED leaves the configuration as it was. */
rcity_status rcity_siting_exchange(rcity_siting_search *search, rcity_siting_state *state, int64_t candidate_count,
                                   const rcity_siting_setting *candidates, bool keeps_power, int round_count);

/* Maximum coverage over candidates: greedy, then exchanges of one station until none helps. Fills `baseline` and the
   bound. @return RCITY_ERR_ARGUMENT for fewer candidates than stations. */
rcity_status rcity_siting_search_greedy(rcity_siting_search *search, int64_t candidate_count,
                                        const rcity_siting_setting *candidates);

#endif
