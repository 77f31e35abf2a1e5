/* An offset and the first terms of all paths, shifted against it, predict nearly the same: only where a law is cut off
   at 0 do points tell them apart. There slopes deceive, since they are those of the side that the fit came to lie on;
   so the offset is held elsewhere and the rest fitted again, as far as that costs too much. */
#include "api/calibrate_offset.h"

#include <math.h>
#include <string.h>

#include "fit/fit_robust.h"

#define RISE_95       1.92 /* of a log likelihood: half of the square of 1.96 */
#define NORMAL_95     1.96
#define FIRST_STEP_DB 2.0
#define HALVING_COUNT 4

typedef struct offset_walk {
    rcity_calibrate_world *world;
    bool is_robust;
    double *values_db;
    int index; /* of the offset among the parameters */
    double scale_db, widening;
    double best_cost;
    double parameters[RCITY_FIT_PARAMETER_MAX]; /* where the last fit went */
} offset_walk;

/* As a log likelihood, with what is known beforehand; errors that hang together count as fewer. */
static double cost_of(const offset_walk *walk)
{
    rcity_calibrate_world *world = walk->world;
    rcity_fit_loss loss = walk->is_robust ? RCITY_FIT_BIWEIGHT : RCITY_FIT_SQUARES;
    double cost_db2 = 0.0;
    double prior = 0.0;
    rcity_calibrate_world_evaluate(world, walk->parameters, walk->values_db, NULL);
    for (int64_t i = 0; i < world->count; i++) {
        double error_db = world->measured_db[i] - walk->values_db[i];
        cost_db2 += isnan(error_db) ? 0.0 : rcity_fit_cost(loss, error_db, walk->scale_db);
    }
    for (int k = 0; k < world->free_count; k++) {
        double away = (walk->parameters[k] - world->parameters[k].start) / world->parameters[k].spread;
        prior += 0.5 * away * away;
    }
    return cost_db2 / (walk->scale_db * walk->scale_db * walk->widening) + prior;
}

/* Hold the offset there and fit the rest, from where it was. @return through `is_near` whether it is as good as the
   best. */
static rcity_status hold_offset(offset_walk *walk, double offset_db, bool *is_near)
{
    rcity_fit_solution solution;
    rcity_fit_parameter parameters[RCITY_FIT_PARAMETER_MAX];
    double near[RCITY_FIT_PARAMETER_MAX];
    rcity_fit_problem problem = rcity_calibrate_world_problem(walk->world, walk->is_robust);
    memcpy(parameters, walk->world->parameters, sizeof parameters);
    memcpy(near, walk->parameters, sizeof near);
    rcity_fit_parameter *held = &parameters[walk->index];
    held->start = held->low = held->high = near[walk->index] = offset_db;
    problem.parameters = parameters;
    problem.group = NULL; /* only where the fit goes counts here */
    problem.near = near;
    problem.widening = walk->widening;
    RCITY_TRY(rcity_fit_solve(walk->world->context, &problem, &solution));
    for (int k = 0; k < problem.parameter_count; k++) {
        walk->parameters[k] = solution.numbers[k].value;
    }
    *is_near = cost_of(walk) - walk->best_cost <= RISE_95;
    return RCITY_OK;
}

/* Include what a coefficient or another offset is with the offset held there. */
static void include(const offset_walk *walk, rcity_fit_solution *solution)
{
    for (int k = 0; k < walk->world->parameter_count; k++) {
        rcity_fit_number *number = &solution->numbers[k];
        double spread = walk->world->parameters[k].spread;
        number->low = fmin(number->low, walk->parameters[k]);
        number->high = fmax(number->high, walk->parameters[k]);
        bool is_wide = number->high - number->low > 2.0 * NORMAL_95 * RCITY_FIT_KNOWN_SHARE * spread;
        number->is_known = number->is_known && !is_wide;
    }
}

/* Walk from the found offset to one side, by longer and longer steps, then halve the last one. */
static rcity_status walk_side(offset_walk *walk, const rcity_fit_solution *found, double side,
                              rcity_fit_solution *wider)
{
    const rcity_fit_parameter *parameter = &walk->world->parameters[walk->index];
    double inside_db = found->numbers[walk->index].value;
    double step_db = FIRST_STEP_DB;
    int halvings = 0;
    for (int k = 0; k < walk->world->parameter_count; k++) {
        walk->parameters[k] = found->numbers[k].value;
    }
    while (halvings < HALVING_COUNT) {
        double offset_db = fmin(fmax(inside_db + side * step_db, parameter->low), parameter->high);
        double before[RCITY_FIT_PARAMETER_MAX];
        bool is_near = false;
        memcpy(before, walk->parameters, sizeof before);
        if (offset_db == inside_db) {
            break; /* at a bound */
        }
        RCITY_TRY(hold_offset(walk, offset_db, &is_near));
        if (is_near) {
            include(walk, wider);
            inside_db = offset_db;
        } else {
            memcpy(walk->parameters, before, sizeof before);
        }
        halvings += halvings > 0 || !is_near ? 1 : 0;
        step_db *= halvings > 0 ? 0.5 : 2.0;
    }
    return RCITY_OK;
}

rcity_status rcity_calibrate_widen_offsets(rcity_calibrate_world *world, bool is_robust, double *values_db,
                                           rcity_fit_solution *solution)
{
    const rcity_fit_solution found = *solution;
    offset_walk walk = {.world = world,
                        .is_robust = is_robust,
                        .values_db = values_db,
                        .scale_db = found.scale_db,
                        .widening = found.widening};
    for (int k = world->free_count; k < world->parameter_count; k++) {
        walk.index = k;
        for (int i = 0; i < world->parameter_count; i++) {
            walk.parameters[i] = found.numbers[i].value;
        }
        walk.best_cost = cost_of(&walk);
        RCITY_TRY(walk_side(&walk, &found, -1.0, solution));
        RCITY_TRY(walk_side(&walk, &found, 1.0, solution));
    }
    return RCITY_OK;
}
