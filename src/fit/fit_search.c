/* Where the strongest path changes, the cost has several local minima: descend from several starts and continue from
   the best. The scale of errors comes from the first part, whose cost function has one minimum in a linear model
   (Huber's). It is fixed in the last part (Tukey's), in which outliers lose all weight: an MM-estimate (Yohai 1987)
   with the scale from medians. How far errors are correlated shows in the result: the search is repeated
   with the prior weighing against that many fewer points. */
#include "fit/fit_search.h"

#include <string.h>

#include "fit/fit_widening.h"

#define START_COUNT 5

/* Starts differ by up to this many spreads, or by this share of the range for a parameter without a spread. */
#define START_SPREADS    1.5
#define START_RANGE_PART 0.3

/* A model that deviates less than this from a linear one has one minimum. */
#define STRAIGHT_DB 1e-3

/* Rounds end when they predict a decrease below the first share of scale^2, or when the actual decrease is below the
   second and far below the prediction. A decrease of 0.005 is a tenth of a standard error. */
#define CONVERGED_ROUGHLY 1e-3
#define STUCK_ROUGHLY     1e-2
#define CONVERGED         1e-12
#define STUCK             1e-5

/* A number in [-1, 1) that depends only on the arguments: splitmix64. */
static double scatter(int start, int parameter)
{
    uint64_t z = ((uint64_t)start * RCITY_FIT_PARAMETER_MAX + (uint64_t)parameter + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) / 4503599627370496.0 - 1.0;
}

/* The first start is the given one. */
static rcity_status choose_start(rcity_fit_work *work, int start, double *parameters)
{
    for (int i = 0; i < work->n; i++) {
        const rcity_fit_parameter *parameter = &work->problem->parameters[i];
        double width = parameter->high - parameter->low;
        double reach = isfinite(parameter->spread) ? START_SPREADS * parameter->spread
                       : isfinite(width)           ? START_RANGE_PART * width
                                                   : 0.0;
        double from = work->problem->near != NULL ? work->problem->near[i] : parameter->start;
        double value = from + (start > 0 ? reach * scatter(start, i) : 0.0);
        parameters[i] = fmin(fmax(value, parameter->low), parameter->high);
    }
    return rcity_fit_make_feasible(work, parameters);
}

/* Is the model linear between the two places? Both are evaluated. */
static bool is_straight(const rcity_fit_work *work)
{
    for (int64_t k = 0; k < work->used_count; k++) {
        int64_t point = work->used[k];
        double straight_db = work->now->values_db[point];
        for (int i = 0; i < work->n; i++) {
            straight_db +=
                work->now->slopes[point * work->n + i] * (work->next->parameters[i] - work->now->parameters[i]);
        }
        if (!(fabs(work->next->values_db[point] - straight_db) <= STRAIGHT_DB)) {
            return false;
        }
    }
    return true;
}

typedef struct valley {
    bool is_found;
    double parameters[RCITY_FIT_PARAMETER_MAX];
    rcity_fit_descent descent;
} valley;

/* Descend from a start. */
static rcity_status explore(rcity_fit_work *work, int start, valley *found)
{
    found->descent.loss = work->problem->is_robust ? RCITY_FIT_HUBER : RCITY_FIT_SQUARES;
    found->descent.converged_share = CONVERGED_ROUGHLY;
    found->descent.stuck_share = STUCK_ROUGHLY;
    RCITY_TRY(choose_start(work, start, work->now->parameters));
    rcity_fit_work_evaluate(work, work->now);
    RCITY_TRY(rcity_fit_descend(work, (double)start / (START_COUNT + 1), &found->descent));
    memcpy(found->parameters, work->now->parameters, sizeof found->parameters);
    double cost_db2 = rcity_fit_total_cost(work, work->now, found->descent.loss, found->descent.scale_db);
    found->is_found = start == 0 || isfinite(cost_db2); /* a descent on which the model loses points is not used */
    return RCITY_OK;
}

/* The best minimum by the cost function of the last part, with the least scale of all. It becomes work->now. */
static double choose_valley(rcity_fit_work *work, rcity_fit_loss loss, const valley *valleys)
{
    double scale_db = HUGE_VAL;
    for (int start = 0; start < START_COUNT; start++) {
        scale_db = valleys[start].is_found ? fmin(scale_db, valleys[start].descent.scale_db) : scale_db;
    }
    int best = -1;
    double best_db2 = HUGE_VAL;
    for (int start = 0; start < START_COUNT; start++) {
        if (valleys[start].is_found) {
            memcpy(work->next->parameters, valleys[start].parameters, sizeof work->next->parameters);
            rcity_fit_work_evaluate(work, work->next);
            double cost_db2 = rcity_fit_total_cost(work, work->next, loss, scale_db);
            if (best < 0 || cost_db2 < best_db2) {
                best = start;
                best_db2 = cost_db2;
            }
        }
    }
    memcpy(work->now->parameters, valleys[best].parameters, sizeof work->now->parameters);
    rcity_fit_work_evaluate(work, work->now);
    return valleys[best].descent.scale_db;
}

static rcity_fit_loss last_loss(const rcity_fit_work *work)
{
    return work->problem->is_robust ? RCITY_FIT_BIWEIGHT : RCITY_FIT_SQUARES;
}

static rcity_status search_once(rcity_fit_work *work, rcity_fit_descent *last)
{
    valley valleys[START_COUNT];
    bool is_elsewhere[START_COUNT] = {false};
    memset(valleys, 0, sizeof valleys);
    RCITY_TRY(explore(work, 0, &valleys[0]));
    for (int start = 1; start < START_COUNT && work->problem->near == NULL; start++) {
        RCITY_TRY(choose_start(work, start, work->next->parameters));
        rcity_fit_work_evaluate(work, work->next);
        is_elsewhere[start] = !is_straight(work);
    }
    for (int start = 1; start < START_COUNT; start++) {
        if (is_elsewhere[start]) {
            RCITY_TRY(explore(work, start, &valleys[start]));
        }
    }
    memset(last, 0, sizeof *last);
    last->loss = last_loss(work);
    last->scale_is_fixed = true;
    last->converged_share = CONVERGED;
    last->stuck_share = STUCK;
    last->scale_db = choose_valley(work, last->loss, valleys);
    for (int start = 0; start < START_COUNT; start++) {
        last->round_count += valleys[start].descent.round_count;
    }
    return rcity_fit_descend(work, (double)START_COUNT / (START_COUNT + 1), last);
}

rcity_status rcity_fit_search(rcity_fit_work *work, rcity_fit_descent *last)
{
    RCITY_TRY(search_once(work, last));
    if (work->problem->widening > 0.0) {
        return RCITY_OK;
    }
    int round_count = last->round_count;
    RCITY_TRY(rcity_fit_find_widening(work, last_loss(work), last->scale_db, &work->widening));
    if (work->widening > 1.0) {
        RCITY_TRY(search_once(work, last));
        last->round_count += round_count;
    }
    return RCITY_OK;
}
