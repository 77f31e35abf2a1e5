/* What a calibration is worth where it has not been: on transmitters left out, or with one on pieces of its route. */
#include <math.h>

#include "api/calibrate_run.h"

/* Pieces of each transmitter's route, in its order. */
static void cut_routes(const rcity_calibrate_world *world, int fold_count, int32_t *fold)
{
    for (int p = 0; p < world->part_count; p++) {
        const rcity_calibrate_part *part = &world->parts[p];
        for (int64_t i = 0; i < part->count; i++) {
            fold[part->first + i] = (int32_t)(i * fold_count / part->count);
        }
    }
}

/* The unknown power of a transmitter that was left out is known only from its own points: the mean of their errors. */
static void set_offsets(const rcity_calibrate_world *world, double *predicted_db)
{
    for (int p = 0; world->fits_offset && p < world->part_count; p++) {
        const rcity_calibrate_part *part = &world->parts[p];
        double sum_db = 0.0;
        int64_t count = 0;
        for (int64_t i = part->first; i < part->first + part->count; i++) {
            double error_db = world->measured_db[i] - predicted_db[i];
            sum_db += isnan(error_db) ? 0.0 : error_db;
            count += isnan(error_db) ? 0 : 1;
        }
        for (int64_t i = part->first; i < part->first + part->count; i++) {
            predicted_db[i] += count > 0 ? sum_db / (double)count : 0.0;
        }
    }
}

rcity_status rcity_calibrate_cross(rcity_calibration *run, const rcity_fit_problem *problem, const double *found)
{
    rcity_calibrate_world *world = &run->world;
    rcity_fit_summary *summary = &run->made->summary;
    int fold_count = run->options->block_count;
    int32_t *fold = NULL;
    double *predicted_db = NULL;
    int left_out_count = 0;
    rcity_status status = RCITY_OK;
    rcity_fit_problem quick = *problem;
    quick.near = found; /* which valley it is, all points have told */
    quick.widening = run->solution.widening;
    RCITY_TRY_DONE(rcity_alloc(run->context, (size_t)world->count, sizeof *fold, "blocks of the route", &fold));
    RCITY_TRY_DONE(
        rcity_alloc(run->context, (size_t)world->count, sizeof *predicted_db, "cross-validation", &predicted_db));
    if (quick.group != NULL) {
        RCITY_TRY_DONE(rcity_fit_groups(run->context, &quick, predicted_db, &run->solution, &left_out_count));
        set_offsets(world, predicted_db);
    }
    bool is_by_transmitter = left_out_count > 1;
    summary->left_out_count = is_by_transmitter ? left_out_count : 0;
    if (!is_by_transmitter && fold_count > 0) {
        cut_routes(world, fold_count, fold);
        RCITY_TRY_DONE(rcity_fit_cross(run->context, &quick, fold_count, fold, predicted_db, NULL));
    }
    if (fold_count > 0) {
        RCITY_TRY_DONE(
            rcity_score_figures_make(run->context, world->count, world->measured_db, predicted_db, &summary->crossed));
    }
done:
    rcity_release(run->context, predicted_db);
    rcity_release(run->context, fold);
    return status;
}

/* Sum and number of the measured losses from `first` on that belong to a group; of all for group -1. */
static double add_losses(const rcity_calibration *run, int64_t first, int64_t count, int32_t group, double *sum_db)
{
    double number = 0.0;
    *sum_db = 0.0;
    for (int64_t i = first; i < first + count; i++) {
        bool is_counted = !isnan(run->values_db[i]) && (group < 0 || run->world.group[i] == group);
        *sum_db += is_counted ? run->values_db[i] : 0.0;
        number += is_counted ? 1.0 : 0.0;
    }
    return number;
}

double rcity_calibrate_constant_rmse_db(const rcity_calibration *run)
{
    const rcity_calibrate_world *world = &run->world;
    double all_db = 0.0;
    double all_count = add_losses(run, 0, world->count, -1, &all_db);
    double squares = 0.0;
    for (int p = 0; p < world->part_count; p++) {
        const rcity_calibrate_part *part = &world->parts[p];
        double sum_db = 0.0;
        double count = 0.0;
        double constant_db = all_db / fmax(all_count, 1.0);
        if (run->made->summary.left_out_count > 0 && world->fits_offset) {
            count = add_losses(run, part->first, part->count, -1, &sum_db);
            constant_db = sum_db / fmax(count, 1.0);
        } else if (run->made->summary.left_out_count > 0) {
            count = add_losses(run, 0, world->count, world->group[part->first], &sum_db);
            constant_db = (all_db - sum_db) / fmax(all_count - count, 1.0);
        }
        for (int64_t i = part->first; i < part->first + part->count; i++) {
            double error_db = run->values_db[i] - constant_db;
            squares += isnan(error_db) ? 0.0 : error_db * error_db;
        }
    }
    return sqrt(squares / fmax(all_count, 1.0));
}
