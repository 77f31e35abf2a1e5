/* By how much the levels of transmitters differ. The points of a transmitter share what is particular to it: a level that
   is drawn for each, with a standard deviation that is known from elsewhere or that several transmitters tell. */
#include <math.h>

#include "api/calibrate_run.h"

#define TRANSMITTERS_MIN 3   /* fewer tell nothing: what is known from elsewhere stays */
#define KNOWN_COUNT      4.0 /* what is known from elsewhere weighs like so many transmitters */
#define ROUND_MAX        20
#define CONVERGED_SHARE  0.01 /* of the spread */

/* Points that tell the level of each part. */
static double count_predicted(const rcity_calibration *run, const rcity_calibrate_part *part)
{
    double count = 0.0;
    for (int64_t i = part->first; i < part->first + part->count; i++) {
        count += isnan(run->values_db[i]) ? 0.0 : 1.0;
    }
    return count;
}

/* A round of expectation and maximisation (A. P. Dempster, N. M. Laird, D. B. Rubin, J. R. Stat. Soc. B 39, 1977): the
   expected squares of the levels, given the measurements and the present spread. The common level is fitted to the same
   transmitters, which costs one of them (restricted maximum likelihood). */
static double estimate_spread_db(const rcity_calibration *run, double spread_db)
{
    const rcity_calibrate_world *world = &run->world;
    const rcity_fit_solution *solution = &run->solution;
    double known_db = RCITY_CALIBRATE_LEVEL_SPREAD_DB;
    double squares = KNOWN_COUNT * known_db * known_db;
    for (int p = 0; p < world->part_count; p++) {
        double level_db = solution->numbers[world->free_count + p].value;
        double point_db2 = solution->scale_db * solution->scale_db * solution->widening;
        double told = count_predicted(run, &world->parts[p]) / point_db2;
        squares += level_db * level_db + 1.0 / (told + 1.0 / (spread_db * spread_db));
    }
    return sqrt(squares / (KNOWN_COUNT + world->part_count - 1.0));
}

rcity_status rcity_calibrate_estimate_levels(rcity_calibration *run, const rcity_fit_problem *problem)
{
    rcity_calibrate_world *world = &run->world;
    bool is_stated = !isnan(run->options->level_spread_db);
    if (world->level_spread_db == 0.0 || is_stated || world->part_count < TRANSMITTERS_MIN) {
        return RCITY_OK;
    }
    world->is_level_estimated = true;
    double found[RCITY_FIT_PARAMETER_MAX];
    rcity_fit_problem again = *problem; /* its parameters are the world's */
    again.near = found;
    again.widening = run->solution.widening;
    for (int round = 0; round < ROUND_MAX; round++) {
        double spread_db = estimate_spread_db(run, world->level_spread_db);
        bool has_converged = fabs(spread_db - world->level_spread_db) <= CONVERGED_SHARE * spread_db;
        world->level_spread_db = spread_db;
        for (int k = 0; k < world->parameter_count; k++) {
            found[k] = run->solution.numbers[k].value;
            world->parameters[k].spread = k < world->free_count ? world->parameters[k].spread : spread_db;
        }
        RCITY_TRY(rcity_fit_solve(run->context, &again, &run->solution));
        if (has_converged) {
            break;
        }
    }
    return RCITY_OK;
}
