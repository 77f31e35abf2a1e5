/* The baseline: maximum coverage over a list of candidates. Greedy covers at least 1 - 1/e of what the best choice of as
   many candidates covers: G. L. Nemhauser, L. A. Wolsey, M. L. Fisher, "An analysis of approximations for maximizing
   submodular set functions", Mathematical Programming 14 (1978). Their argument also gives a bound from any choice S:
   none of k candidates covers more than S does, and the k largest gains beside S. */
#include <math.h>
#include <string.h>

#include "plan/siting/siting_search.h"

#define PREDICT_COUNT 256 /* candidates that are predicted together */
#define SWAP_ROUNDS   20  /* exchanges per station, at most; each of them helps, so that few are needed */

typedef struct greedy_run {
    rcity_siting_search *search;
    const rcity_siting_task *task;
    rcity_siting_state *state; /* the baseline */
    int64_t candidate_count;
    const rcity_siting_setting *candidates;
    int32_t power; /* of stations that are tried */
    bool keeps_power;
    float *level_dbm;
    rcity_siting_rest rest;
    double *gain; /* of the bound */
    bool *is_covered;
} greedy_run;

/* Is this a task of maximum coverage: a point counts when one site reaches it, and sites cost nothing? */
static bool is_coverage(const rcity_siting_task *task)
{
    bool is_plain = task->soft_db <= 0.0 && task->spacing_m <= 0.0 && task->station_cost <= 0.0 &&
                    task->power_cost_per_db <= 0.0 && task->height_count == 1 && task->azimuth_count == 1 &&
                    task->tilt_count == 1;
    for (int64_t i = 0; i < task->point_count && is_plain; i++) {
        is_plain = task->needs[i].server_count == 1 && (!task->has_sinr || isnan(task->needs[i].least_sinr_db));
    }
    return is_plain;
}

static rcity_status predict_all(greedy_run *run)
{
    const rcity_siting_task *task = run->task;
    for (int64_t i = 0; i < run->candidate_count; i += PREDICT_COUNT) {
        int64_t count = run->candidate_count - i < PREDICT_COUNT ? run->candidate_count - i : PREDICT_COUNT;
        RCITY_TRY(rcity_progress(task->context, "siting: candidates", (double)i, (double)run->candidate_count));
        RCITY_TRY(rcity_siting_store_get(run->search->store, (int)count, run->candidates + i, NULL));
    }
    return rcity_progress(task->context, "siting: candidates", 1.0, 1.0);
}

/* The value with a station as it would be; its levels are those fetched last. */
static rcity_siting_value value_with(greedy_run *run, int station, const rcity_siting_station *to)
{
    if (!run->task->has_sinr) {
        return rcity_siting_rest_value(run->task, &run->rest, to->power, run->level_dbm);
    }
    rcity_siting_state_set(run->task, run->state, station, to, run->level_dbm);
    return rcity_siting_value_of(run->task, run->state);
}

/* The best candidate for a station, the others as they are; the first of equal ones. `is_found` is false when none may
   stand there. */
static rcity_status find_best(greedy_run *run, int station, rcity_siting_station *best, rcity_siting_value *value,
                              bool *is_found)
{
    const rcity_siting_task *task = run->task;
    *is_found = false;
    if (!task->has_sinr) {
        rcity_siting_rest_fill(task, run->state, station, &run->rest);
    }
    for (int64_t i = 0; i < run->candidate_count; i++) {
        rcity_siting_station made = {run->candidates[i], run->power, 1};
        if (!rcity_siting_is_apart(task, run->state, station, &made.at)) {
            continue;
        }
        RCITY_TRY(rcity_siting_store_get(run->search->store, 1, &made.at, &run->level_dbm));
        rcity_siting_value valued = value_with(run, station, &made);
        if (!*is_found || rcity_siting_is_better(valued, *value)) {
            *is_found = true;
            *value = valued;
            *best = made;
        }
    }
    return RCITY_OK;
}

static rcity_status put(greedy_run *run, int station, const rcity_siting_station *to)
{
    RCITY_TRY(rcity_siting_store_get(run->search->store, 1, &to->at, &run->level_dbm));
    rcity_siting_state_set(run->task, run->state, station, to, run->level_dbm);
    return RCITY_OK;
}

/* One station after the other, while it pays or the number is not reached. */
static rcity_status choose_in_turn(greedy_run *run)
{
    const rcity_siting_task *task = run->task;
    rcity_siting_value value = rcity_siting_value_of(task, run->state);
    for (int i = 0; i < task->station_count; i++) {
        rcity_siting_station best;
        rcity_siting_value made;
        bool is_found;
        RCITY_TRY(rcity_progress(task->context, "siting: greedy", (double)i, (double)task->station_count));
        RCITY_TRY(find_best(run, i, &best, &made, &is_found));
        RCITY_CHECK(task->context, is_found || i >= task->station_count_least, RCITY_ERR_ARGUMENT,
                    "the baseline has room for %d of %d stations only; lower `baseline-grid-m` or `spacing-m`", i,
                    task->station_count_least);
        bool pays = is_found && (i < task->station_count_least || rcity_siting_is_better(made, value));
        if (!is_found) {
            best = (rcity_siting_station){run->candidates[0], task->power_count - 1, 0};
        }
        best.is_on = pays ? 1 : 0;
        RCITY_TRY(put(run, i, &best));
        value = pays ? made : value;
    }
    return rcity_progress(task->context, "siting: greedy", 1.0, 1.0);
}

/* One station after the other, until none gains. */
static rcity_status exchange(greedy_run *run, int round_count)
{
    const rcity_siting_task *task = run->task;
    int idle = 0;
    for (int k = 0; idle < task->station_count && k < round_count * task->station_count; k++) {
        int station = k % task->station_count;
        rcity_siting_station old = run->state->stations[station];
        rcity_siting_value value = rcity_siting_value_of(task, run->state);
        rcity_siting_station best;
        rcity_siting_value made;
        bool is_found = false;
        RCITY_TRY(rcity_progress(task->context, "siting: exchanges", (double)idle, (double)task->station_count));
        if (old.is_on) {
            run->power = run->keeps_power ? old.power : task->power_count - 1;
            RCITY_TRY(find_best(run, station, &best, &made, &is_found));
        }
        bool helps = is_found && (made.guided < value.guided);
        RCITY_TRY(put(run, station, helps ? &best : &old));
        idle = helps ? 0 : idle + 1;
    }
    return rcity_progress(task->context, "siting: exchanges", 1.0, 1.0);
}

rcity_status rcity_siting_exchange(rcity_siting_search *search, rcity_siting_state *state, int64_t candidate_count,
                                   const rcity_siting_setting *candidates, bool keeps_power, int round_count)
{
    const rcity_siting_task *task = search->task;
    greedy_run run = {.search = search,
                      .task = task,
                      .candidate_count = candidate_count,
                      .candidates = candidates,
                      .keeps_power = keeps_power};
    rcity_status status;
    RCITY_TRY_DONE(rcity_siting_state_create(task, &run.state));
    RCITY_TRY_DONE(rcity_siting_rest_create(task, &run.rest));
    RCITY_TRY_DONE(
        rcity_alloc(task->context, (size_t)task->point_count, sizeof *run.level_dbm, "exchanges", &run.level_dbm));
    rcity_siting_state_copy(task, state, run.state);
    RCITY_TRY_DONE(exchange(&run, round_count));
    rcity_siting_state_copy(task, run.state, state);
done:
    rcity_siting_rest_release(task, &run.rest);
    rcity_release(task->context, run.level_dbm);
    rcity_siting_state_destroy(task, &run.state);
    return status;
}

/* The smaller of the two bounds, with the stations' own candidates among those that may gain: they gain nothing. */
static rcity_status find_bound(greedy_run *run, double greedy_weight)
{
    const rcity_siting_task *task = run->task;
    rcity_siting_position *position = &run->search->position;
    int kept = task->station_count;
    double covered = rcity_siting_cover(task, run->state).covered_weight;
    double top = task->power_db[task->power_count - 1];
    for (int64_t k = 0; k < task->point_count; k++) {
        rcity_siting_point served;
        (void)rcity_siting_serve(task, run->state, k, &served);
        run->is_covered[k] = served.is_covered;
    }
    memset(run->gain, 0, (size_t)kept * sizeof *run->gain);
    for (int64_t i = 0; i < run->candidate_count; i++) {
        RCITY_TRY(rcity_siting_store_get(run->search->store, 1, &run->candidates[i], &run->level_dbm));
        double gain = 0.0;
        for (int64_t k = 0; k < task->point_count; k++) {
            bool is_reached = run->level_dbm[k] + (float)top >= task->needs[k].least_dbm;
            gain += is_reached && !run->is_covered[k] ? task->needs[k].weight : 0.0;
        }
        for (int k = 0; k < kept; k++) { /* the largest ones, in falling order */
            if (gain > run->gain[k]) {
                double next = run->gain[k];
                run->gain[k] = gain;
                gain = next;
            }
        }
    }
    double bound = covered;
    for (int k = 0; k < kept; k++) {
        bound += run->gain[k];
    }
    rcity_siting_state *none = NULL; /* what stands already counts for every choice */
    double before = 0.0;
    RCITY_TRY(rcity_siting_state_create(task, &none));
    before = rcity_siting_cover(task, none).covered_weight;
    rcity_siting_state_destroy(task, &none);
    double by_share = before + (greedy_weight - before) / (1.0 - exp(-1.0));
    position->bound = fmin(fmin(bound, by_share), task->weight);
    position->is_bound = is_coverage(task) ? 1 : 0;
    return RCITY_OK;
}

rcity_status rcity_siting_search_greedy(rcity_siting_search *search, int64_t candidate_count,
                                        const rcity_siting_setting *candidates)
{
    const rcity_siting_task *task = search->task;
    RCITY_CHECK(task->context, candidate_count >= task->station_count_least, RCITY_ERR_ARGUMENT,
                "there are %lld candidates for %d stations; lower `stations` or `baseline-grid-m`",
                (long long)candidate_count, task->station_count_least);
    greedy_run run = {.search = search,
                      .task = task,
                      .state = search->baseline,
                      .power = task->power_count - 1,
                      .candidate_count = candidate_count,
                      .candidates = candidates};
    size_t points = (size_t)task->point_count;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(task->context, points, sizeof *run.level_dbm, "the baseline", &run.level_dbm));
    RCITY_TRY_DONE(
        rcity_alloc(task->context, (size_t)task->station_count, sizeof *run.gain, "the baseline", &run.gain));
    RCITY_TRY_DONE(rcity_alloc(task->context, points, sizeof *run.is_covered, "the baseline", &run.is_covered));
    RCITY_TRY_DONE(rcity_siting_rest_create(task, &run.rest));
    RCITY_TRY_DONE(predict_all(&run));
    RCITY_TRY_DONE(choose_in_turn(&run));
    search->position.greedy_weight = rcity_siting_cover(task, run.state).covered_weight;
    RCITY_TRY_DONE(exchange(&run, SWAP_ROUNDS));
    RCITY_TRY_DONE(find_bound(&run, search->position.greedy_weight));
    search->position.candidate_count = candidate_count;
    search->position.has_baseline = 1;
done:
    rcity_siting_rest_release(task, &run.rest);
    rcity_release(task->context, run.is_covered);
    rcity_release(task->context, run.gain);
    rcity_release(task->context, run.level_dbm);
    return status;
}
