#include "fit/fit_place.h"

#include <assert.h>
#include <math.h>
#include <nlopt.h>
#include <string.h>

#define GLOBAL_PART 0.6  /* share of the evaluations */
#define DEAR        1e30 /* replaces an infinite cost, which the optimiser does not accept */
#define FINEST_M    0.05 /* smaller steps have no meaning */

typedef struct place_work {
    const rcity_fit_place_search *search;
    nlopt_opt optimiser;
    rcity_status status;
    double best[RCITY_FIT_PLACE_MAX];
    double best_cost;
} place_work;

/* The numbers are in units of their reach. */
static double ask(unsigned count, const double *parts, double *gradient, void *user)
{
    (void)gradient;
    place_work *work = user;
    double shift[RCITY_FIT_PLACE_MAX] = {0.0};
    double cost = DEAR;
    for (unsigned i = 0; i < count; i++) {
        shift[i] = parts[i] * work->search->reach[i];
    }
    if (work->status == RCITY_OK) {
        work->status = work->search->cost(work->search->user, shift, &cost);
    }
    if (work->status != RCITY_OK) {
        nlopt_force_stop(work->optimiser);
        return DEAR;
    }
    if (cost < work->best_cost) {
        work->best_cost = cost;
        memcpy(work->best, shift, sizeof work->best);
    }
    return isfinite(cost) ? cost : DEAR;
}

/* Run one optimiser, over the whole region or from the best point with steps of a tenth of the region. */
static rcity_status run(rcity_context *context, place_work *work, nlopt_algorithm algorithm, int try_count)
{
    const rcity_fit_place_search *search = work->search;
    double parts[RCITY_FIT_PLACE_MAX];
    double cost;
    work->optimiser = nlopt_create(algorithm, (unsigned)search->count);
    RCITY_CHECK(context, work->optimiser != NULL, RCITY_ERR_MEMORY, "no memory for the search of a place");
    nlopt_set_lower_bounds1(work->optimiser, -1.0);
    nlopt_set_upper_bounds1(work->optimiser, 1.0);
    nlopt_set_min_objective(work->optimiser, ask, work);
    nlopt_set_maxeval(work->optimiser, try_count);
    nlopt_set_initial_step1(work->optimiser, 0.1);
    for (int i = 0; i < search->count; i++) {
        parts[i] = work->best[i] / search->reach[i];
    }
    double smallest_reach = search->reach[0];
    for (int i = 1; i < search->count; i++) {
        smallest_reach = fmin(smallest_reach, search->reach[i]);
    }
    nlopt_set_xtol_abs1(work->optimiser, FINEST_M / smallest_reach);
    nlopt_optimize(work->optimiser, parts, &cost); /* its status does not matter: the best point is kept here */
    nlopt_destroy(work->optimiser);
    return work->status;
}

rcity_status rcity_fit_find_place(rcity_context *context, const rcity_fit_place_search *search,
                                  double shift[RCITY_FIT_PLACE_MAX], double *cost)
{
    assert(search->count >= 1 && search->count <= RCITY_FIT_PLACE_MAX && search->try_count >= 10);
    place_work work = {.search = search, .best_cost = HUGE_VAL};
    double none[RCITY_FIT_PLACE_MAX] = {0.0};
    RCITY_TRY(search->cost(search->user, none, &work.best_cost));
    int first = (int)(GLOBAL_PART * search->try_count);
    RCITY_TRY(run(context, &work, NLOPT_GN_DIRECT_L, first));
    RCITY_TRY(run(context, &work, NLOPT_LN_NELDERMEAD, search->try_count - first));
    memcpy(shift, work.best, sizeof work.best);
    *cost = work.best_cost;
    return RCITY_OK;
}

/* Step outward with growing steps, then interpolate linearly between the last two. */
static rcity_status find_bound(const rcity_fit_place_search *search, const double *shift, double cost, double rise,
                               int index, double direction, double *bound)
{
    double at[RCITY_FIT_PLACE_MAX];
    memcpy(at, shift, sizeof at);
    double limit = direction * search->reach[index];
    double last = shift[index];
    double last_rise = 0.0;
    for (double step = search->reach[index] / 20.0;; step *= 1.6) {
        double next = last + direction * step;
        bool is_last = direction * (next - limit) >= 0.0;
        at[index] = is_last ? limit : next;
        double there = HUGE_VAL;
        RCITY_TRY(search->cost(search->user, at, &there));
        double risen = there - cost;
        if (risen >= rise) {
            double part = isfinite(risen) && risen > last_rise ? (rise - last_rise) / (risen - last_rise) : 1.0;
            *bound = last + part * (at[index] - last);
            return RCITY_OK;
        }
        if (is_last) {
            *bound = limit;
            return RCITY_OK;
        }
        last = at[index];
        last_rise = fmax(risen, 0.0);
    }
}

rcity_status rcity_fit_place_bounds(const rcity_fit_place_search *search, const double shift[RCITY_FIT_PLACE_MAX],
                                    double cost, double rise, int index, double *low, double *high)
{
    RCITY_TRY(find_bound(search, shift, cost, rise, index, -1.0, low));
    return find_bound(search, shift, cost, rise, index, 1.0, high);
}
