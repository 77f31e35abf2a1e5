/* From measurements to coefficients. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/calibrate_offset.h"
#include "api/calibrate_run.h"
#include "base/abi.h"
#include "fit/score/baselines.h"
#include "fit/score/measurement_sanity.h"

#define ROUTES_ROOM 240 /* of the names of what was fitted on */

void rcity_calibrate_options_init(rcity_calibrate_options *options, size_t struct_bytes)
{
    rcity_calibrate_options made = {
        .offset_max_db = 100.0, .is_robust = true, .block_count = 10, .level_spread_db = (double)NAN};
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

/* Names of the routes, as far as they fit. */
static void name_routes(const rcity_measurements *measurements, char text[ROUTES_ROOM])
{
    int count = rcity_measurements_route_count(measurements);
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used < ROUTES_ROOM - 40; i++) {
        used += (size_t)snprintf(text + used, ROUTES_ROOM - used, "%s%.100s", i > 0 ? "; " : "",
                                 rcity_measurements_route_name(measurements, i));
        used = used < ROUTES_ROOM ? used : ROUTES_ROOM - 1;
        if (i + 1 < count && used >= ROUTES_ROOM - 40) {
            snprintf(text + (used < ROUTES_ROOM - 24 ? used : ROUTES_ROOM - 24), 24, " and %d more", count - 1 - i);
        }
    }
}

static rcity_status check_options(rcity_context *context, const rcity_calibrate_options *options)
{
    RCITY_CHECK(context, options->offset_max_db > 0.0 && options->offset_max_db <= 300.0, RCITY_ERR_ARGUMENT,
                "the largest offset is %g dB, must be above 0 and at most 300", options->offset_max_db);
    RCITY_CHECK(context, options->position_max_m >= 0.0 && options->position_max_m <= 1000.0, RCITY_ERR_ARGUMENT,
                "the transmitter may be moved by %g m, must be 0 to 1000", options->position_max_m);
    RCITY_CHECK(context, options->height_max_m >= 0.0 && options->height_max_m <= 500.0, RCITY_ERR_ARGUMENT,
                "the transmitter may be raised by %g m, must be 0 to 500", options->height_max_m);
    RCITY_CHECK(context, options->block_count == 0 || (options->block_count >= 2 && options->block_count <= 1000),
                RCITY_ERR_ARGUMENT, "there are %d blocks to cross-validate with, must be 0 or 2 to 1000",
                options->block_count);
    RCITY_CHECK(
        context,
        isnan(options->level_spread_db) || (options->level_spread_db >= 0.0 && options->level_spread_db <= 30.0),
        RCITY_ERR_ARGUMENT, "the levels of transmitters differ by %g dB, must be 0 to 30", options->level_spread_db);
    return RCITY_OK;
}

static rcity_status check_powers(const rcity_calibration *run)
{
    for (int i = 0; run->world.with_antenna && i < run->world.part_count; i++) {
        const rcity_transmitter *transmitter = &run->world.parts[i].request.transmitter;
        RCITY_CHECK(run->context, run->options->fits_offset || !isnan(transmitter->power_dbm), RCITY_ERR_ARGUMENT,
                    "received powers were measured, but the power of transmitter '%s' is not known; state it "
                    "(`eirp-dbm`, or in the sites) or fit an offset (`fit-offset`)",
                    transmitter->name != NULL ? transmitter->name : "Tx");
    }
    return RCITY_OK;
}

#define OUTSIDE_DOUBTED 0.2 /* share of points outside the scene */

/* Outside the scene no buildings are known, so that only the straight path is found. */
static rcity_status warn_outside(rcity_calibration *run)
{
    const rcity_calibrate_world *world = &run->world;
    rcity_scene_info info;
    int64_t outside = 0;
    RCITY_TRY(rcity_scene_describe(world->scene, &info));
    for (int64_t i = 0; i < world->count; i++) {
        const double *at = &world->xyh_m[3 * i];
        bool is_inside =
            at[0] >= info.x_min_m && at[0] <= info.x_max_m && at[1] >= info.y_min_m && at[1] <= info.y_max_m;
        outside += is_inside ? 0 : 1;
    }
    if ((double)outside > OUTSIDE_DOUBTED * (double)world->count) {
        return rcity_coefficients_warn(
            run->made,
            "%lld of %lld measurements lie outside the scene: no building is known there, and "
            "coefficients must make up for it",
            (long long)outside, (long long)world->count);
    }
    return RCITY_OK;
}

/* Doubts about the measurements, before anything is fitted to them. */
static rcity_status check_sense(rcity_calibration *run)
{
    rcity_calibrate_world *world = &run->world;
    double start[RCITY_FIT_PARAMETER_MAX];
    for (int k = 0; k < world->parameter_count; k++) {
        start[k] = world->parameters[k].start;
    }
    rcity_calibrate_world_evaluate(world, start, run->values_db, NULL);
    const rcity_sanity_points points = {
        .count = world->count,
        .measured_db = world->straight_db,
        .predicted_db = run->values_db,
        .free_space_db = world->free_space_db,
        .distance_m = world->distance_m,
        .fitted_count = world->free_count + (world->fits_offset ? world->part_count : 0),
        .offset_max_db = world->fits_offset ? run->options->offset_max_db : 0.0,
    };
    rcity_sanity_warnings warnings;
    RCITY_TRY(rcity_sanity_find(run->context, &points, &warnings));
    for (int i = 0; i < warnings.count; i++) {
        RCITY_TRY(rcity_coefficients_warn(run->made, "%s", warnings.sentences[i]));
    }
    return rcity_score_figures_make(run->context, world->count, world->measured_db, run->values_db,
                                    &run->made->summary.before);
}

/* What transmitters or pieces of route that were left out say of the whole. */
static rcity_status warn_worth(rcity_calibration *run)
{
    const rcity_score_figures *crossed = &run->made->summary.crossed;
    double rmse_db = rcity_calibrate_constant_rmse_db(run);
    if (crossed->count > 0 && !(crossed->rmse_db < rmse_db)) {
        return rcity_coefficients_warn(
            run->made,
            "on %s left out the error is %.1f dB, no better than a constant (%.1f dB): these measurements do not tell "
            "coefficients; check places and transmitters",
            run->made->summary.left_out_count > 0 ? "transmitters" : "pieces of the route", crossed->rmse_db, rmse_db);
    }
    return RCITY_OK;
}

/* Fit, look back, and write down. */
static rcity_status finish(rcity_calibration *run)
{
    rcity_calibrate_world *world = &run->world;
    rcity_fit_problem problem = rcity_calibrate_world_problem(world, run->options->is_robust);
    RCITY_TRY(rcity_fit_solve(run->context, &problem, &run->solution));
    RCITY_TRY(rcity_calibrate_estimate_levels(run, &problem));
    double found[RCITY_FIT_PARAMETER_MAX];
    for (int k = 0; k < world->parameter_count; k++) {
        found[k] = run->solution.numbers[k].value;
    }
    rcity_calibrate_world_evaluate(world, found, run->values_db, NULL);
    RCITY_TRY(rcity_score_figures_make(run->context, world->count, world->measured_db, run->values_db,
                                       &run->made->summary.training));
    RCITY_TRY(rcity_calibrate_cross(run, &problem, found));
    if (world->fits_offset) {
        RCITY_TRY(rcity_calibrate_widen_offsets(world, run->options->is_robust, run->values_db, &run->solution));
    }
    rcity_calibrate_world_evaluate(world, found, run->values_db, NULL);
    for (int64_t i = 0; i < world->count; i++) { /* baselines see the points that the method does */
        run->values_db[i] = isnan(run->values_db[i]) ? (double)NAN : world->straight_db[i];
    }
    rcity_baselines_fit(world->count, run->values_db, world->free_space_db, world->distance_m, &run->made->baselines);
    RCITY_TRY(warn_worth(run));
    return rcity_calibrate_write(run);
}

static rcity_status run_all(rcity_calibration *run, const rcity_scene *scene, rcity_device *device)
{
    RCITY_TRY(rcity_calibrate_world_init(run->context, scene, device, run->request, run->measurements, &run->world));
    RCITY_TRY(check_powers(run));
    RCITY_TRY(rcity_calibrate_world_choose(&run->world, run->options));
    RCITY_TRY(rcity_alloc(run->context, (size_t)run->world.count, sizeof *run->values_db, "predicted losses",
                          &run->values_db));
    RCITY_TRY(check_sense(run));
    RCITY_TRY(warn_outside(run));
    if (run->options->position_max_m > 0.0 || run->options->height_max_m > 0.0) {
        RCITY_TRY(rcity_alloc(run->context, (size_t)run->world.part_count, sizeof *run->shifts, "transmitters",
                              &run->shifts));
        RCITY_TRY(rcity_calibrate_place(&run->world, run->options, run->shifts));
    }
    return finish(run);
}

rcity_status rcity_calibrate(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                             const rcity_request *request, const rcity_measurements *measurements,
                             const rcity_calibrate_options *options, rcity_coefficients **coefficients)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, device);
    rcity_request known_request;
    RCITY_TAKE(context, rcity_request, coefficients, request, &known_request);
    request = &known_request;
    RCITY_NEED(context, measurements);
    rcity_calibrate_options known;
    RCITY_TAKE(context, rcity_calibrate_options, fixed, options, &known);
    options = &known;
    RCITY_NEED(context, coefficients);
    char routes[ROUTES_ROOM];
    RCITY_TRY(check_options(context, options));
    rcity_calibration *run = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *run, "a calibration", &run));
    run->context = context;
    run->request = request;
    run->measurements = measurements;
    run->options = options;
    run->world.context = context;
    name_routes(measurements, routes);
    RCITY_TRY_DONE(rcity_coefficients_create(context, request->method, routes, &run->made));
    RCITY_TRY_DONE(run_all(run, scene, device));
    *coefficients = run->made;
    run->made = NULL;
done:
    rcity_coefficients_destroy(&run->made);
    rcity_release(context, run->shifts);
    rcity_release(context, run->values_db);
    rcity_calibrate_world_deinit(&run->world);
    rcity_release(context, run);
    return status;
}
