/* Predictions held against measurements: the method, the baselines, and how well each does where. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/score_run.h"
#include "base/abi.h"
#include "fit/score/baselines.h"
#include "method/method.h"
#include "result/coefficients.h"

#define FITTED_HERE "these points"
#define LABEL_BYTES 128

static rcity_status check_inputs(rcity_context *context, const rcity_request *request,
                                 const rcity_coefficients *coefficients, const rcity_measurements *measurements)
{
    const rcity_measurement *all = rcity_measurements_all(measurements);
    RCITY_CHECK(context, rcity_measurements_count(measurements) > 0, RCITY_ERR_ARGUMENT, "there are no measurements");
    for (int64_t i = 0; i < rcity_measurements_count(measurements); i++) {
        RCITY_CHECK(context, all[i].transmitter >= 0, RCITY_ERR_ARGUMENT,
                    "nothing says which transmitter was measured: the file has no columns of one, and none is given");
    }
    RCITY_CHECK(context, coefficients == NULL || strcmp(coefficients->method, request->method) == 0, RCITY_ERR_ARGUMENT,
                "the coefficients are of method '%s', asked for is '%s'", coefficients->method, request->method);
    return RCITY_OK;
}

/* Options of the coefficients first, so that those of the request win. */
static rcity_status join_options(rcity_score_run *run, const rcity_request *request)
{
    int coefficient_count = run->coefficients != NULL ? rcity_coefficients_option_count(run->coefficients) : 0;
    int count = coefficient_count + request->option_count;
    RCITY_TRY(rcity_alloc(run->context, (size_t)count + 1, sizeof *run->option_name, "options", &run->option_name));
    RCITY_TRY(rcity_alloc(run->context, (size_t)count + 1, sizeof *run->option_value, "options", &run->option_value));
    for (int i = 0; i < coefficient_count; i++) {
        RCITY_TRY(rcity_coefficients_get_option(run->coefficients, i, &run->option_name[i], &run->option_value[i]));
    }
    for (int i = 0; i < request->option_count; i++) {
        run->option_name[coefficient_count + i] = request->option_name[i];
        run->option_value[coefficient_count + i] = request->option_value[i];
    }
    run->request.option_count = count;
    run->request.option_name = run->option_name;
    run->request.option_value = run->option_value;
    return RCITY_OK;
}

static bool was_fitted(const rcity_coefficients *coefficients, const char *name, const char *value)
{
    bool is_coefficient = false;
    bool is_theirs = false;
    for (size_t i = 0; i < coefficients->count; i++) {
        is_coefficient =
            is_coefficient || (coefficients->list[i].is_fitted && strcmp(coefficients->list[i].name, name) == 0);
    }
    for (size_t i = 0; i < coefficients->options.count; i++) {
        const rcity_note *option = &coefficients->options.pairs[i];
        is_theirs = is_theirs || (strcmp(option->key, name) == 0 && strcmp(option->value, value) == 0);
    }
    return is_coefficient && is_theirs;
}

/* The same options without the numbers that were fitted: what the method says uncalibrated. */
static rcity_status plain_options(rcity_score_run *run)
{
    size_t room = (size_t)run->request.option_count + 1;
    RCITY_TRY(rcity_alloc(run->context, room, sizeof *run->plain_name, "options", &run->plain_name));
    RCITY_TRY(rcity_alloc(run->context, room, sizeof *run->plain_value, "options", &run->plain_value));
    for (int i = 0; i < run->request.option_count; i++) {
        if (!was_fitted(run->coefficients, run->option_name[i], run->option_value[i])) {
            run->plain_name[run->plain_count] = run->option_name[i];
            run->plain_value[run->plain_count++] = run->option_value[i];
        }
    }
    return RCITY_OK;
}

static bool is_called_for(const rcity_score_run *run, int place, const rcity_method *method)
{
    const rcity_transmitter *transmitters = rcity_measurements_transmitters(run->measurements);
    for (int i = 0; i < rcity_measurements_transmitter_count(run->measurements); i++) {
        if (rcity_method_choose_baseline(place, transmitters[i].frequency_hz) == method) {
            return true;
        }
    }
    return false;
}

/* A place may have several methods, by frequency; the measurements may call for more than one. */
static void label_baseline(const rcity_score_run *run, int place, char *label, size_t room)
{
    size_t used = 0;
    label[0] = '\0';
    for (int i = 0; rcity_method_get_baseline(place, i) != NULL; i++) {
        const rcity_method *method = rcity_method_get_baseline(place, i);
        if (is_called_for(run, place, method) && used < room) {
            used += (size_t)snprintf(label + used, room - used, "%s%s", used > 0 ? ", " : "", method->baseline.label);
        }
    }
}

static rcity_status add_method_models(rcity_score_run *run)
{
    const char *fitted_on = run->coefficients != NULL ? run->coefficients->fitted_on : "";
    char label[LABEL_BYTES];
    RCITY_TRY(rcity_score_add_model(run->score, run->request.method, fitted_on, NULL));
    run->model_count = 1 + rcity_method_baseline_count();
    for (int place = 1; place < run->model_count; place++) {
        label_baseline(run, place, label, sizeof label);
        RCITY_TRY(rcity_score_add_model(run->score, label, "", NULL));
    }
    if (run->coefficients == NULL) {
        return RCITY_OK;
    }
    run->plain_model = run->model_count++;
    RCITY_TRY(plain_options(run));
    return rcity_score_add_model(run->score, run->request.method, "", NULL);
}

/* The method without coefficients is shown right below the method with them. */
static void move_plain(rcity_score *score)
{
    for (size_t i = 2; i < score->model_count; i++) {
        rcity_score_model_data moved = score->models[i];
        if (moved.fitted_on[0] == '\0' && strcmp(moved.name, score->models[0].name) == 0) {
            memmove(&score->models[2], &score->models[1], (i - 1) * sizeof moved);
            score->models[1] = moved;
            return;
        }
    }
}

static void drop_failed(rcity_score_run *run)
{
    for (int i = run->model_count - 1; i >= 0; i--) {
        if (run->is_failed[i]) {
            rcity_score_drop_model(run->score, (size_t)i);
        }
    }
}

/* Why a measurement does not count; "" when all models have a value. */
static const char *find_reason(const rcity_score_run *run, bool has_paths, int64_t i)
{
    const rcity_score *score = run->score;
    bool is_whole = isfinite(score->measured_db[i]);
    for (size_t model = 0; model < score->model_count; model++) {
        is_whole = is_whole && isfinite(score->models[model].predicted_db[i]);
    }
    if (is_whole) {
        return "";
    }
    if (score->points[i].is_in_building) {
        return "inside a building";
    }
    if (isnan(score->points[i].distance_m)) {
        return "outside the terrain";
    }
    return has_paths ? "no path" : "out of range";
}

/* Only what all models say something of counts, so that they are held against the same measurements. */
static rcity_status leave_out(rcity_score_run *run)
{
    rcity_score *score = run->score;
    const rcity_method *method = NULL;
    int64_t left_count = 0;
    int64_t in_building_count = 0;
    int64_t outside_count = 0;
    RCITY_TRY(rcity_method_find(run->context, run->request.method, &method));
    for (int64_t i = 0; i < score->point_count; i++) {
        const char *reason = find_reason(run, method->knows_antennas, i);
        score->points[i].left_out = reason;
        left_count += reason[0] != '\0';
        in_building_count += strcmp(reason, "inside a building") == 0;
        outside_count += strcmp(reason, "outside the terrain") == 0;
    }
    int64_t other_count = left_count - in_building_count - outside_count;
    RCITY_CHECK(run->context, left_count < score->point_count, RCITY_ERR_ARGUMENT,
                "none of the %lld measurements can be predicted: %lld lie inside buildings, %lld outside the terrain, "
                "%lld are %s; do scene and measurements belong together?",
                (long long)score->point_count, (long long)in_building_count, (long long)outside_count,
                (long long)other_count, method->knows_antennas ? "reached by no path" : "out of the method's range");
    return RCITY_OK;
}

/* Models whose few numbers were fitted, here or where the coefficients were; those without numbers are left out. */
static rcity_status add_fitted_models(rcity_score *score, const rcity_baseline_fit *fit, const char *fitted_on)
{
    for (int i = 0; i < RCITY_BASELINE_COUNT; i++) {
        double *predicted_db = NULL;
        if (!isfinite(rcity_baseline_value_db(fit, (rcity_baseline)i, 0.0, RCITY_BASELINE_DISTANCE_MIN_M))) {
            continue;
        }
        RCITY_TRY(rcity_score_add_model(score, rcity_baseline_name((rcity_baseline)i), fitted_on, &predicted_db));
        const double *free_space_db = score->models[RCITY_SCORE_REFERENCE].predicted_db;
        for (int64_t k = 0; k < score->point_count; k++) {
            predicted_db[k] =
                rcity_baseline_value_db(fit, (rcity_baseline)i, free_space_db[k], score->points[k].distance_m);
        }
    }
    return RCITY_OK;
}

static rcity_status fit_baselines(rcity_score *score, rcity_baseline_fit *fit)
{
    size_t count = (size_t)score->point_count;
    double *measured_db = NULL;
    double *distance_m = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(score->context, count, sizeof *measured_db, "baselines", &measured_db));
    RCITY_TRY_DONE(rcity_alloc(score->context, count, sizeof *distance_m, "baselines", &distance_m));
    for (size_t i = 0; i < count; i++) {
        measured_db[i] = score->points[i].left_out[0] == '\0' ? score->measured_db[i] : (double)NAN;
        distance_m[i] = score->points[i].distance_m;
    }
    rcity_baselines_fit(score->point_count, measured_db, score->models[RCITY_SCORE_REFERENCE].predicted_db, distance_m,
                        fit);
done:
    rcity_release(score->context, distance_m);
    rcity_release(score->context, measured_db);
    return status;
}

static rcity_status add_baselines(rcity_score_run *run)
{
    rcity_baseline_fit fit;
    RCITY_TRY(fit_baselines(run->score, &fit));
    RCITY_TRY(add_fitted_models(run->score, &fit, FITTED_HERE));
    const rcity_coefficients *coefficients = run->coefficients;
    return coefficients == NULL ? RCITY_OK
                                : add_fitted_models(run->score, &coefficients->baselines, coefficients->fitted_on);
}

static rcity_status add_routes(rcity_score_run *run, const char **names, int32_t *key)
{
    const rcity_measurement *all = rcity_measurements_all(run->measurements);
    int count = rcity_measurements_route_count(run->measurements);
    for (int i = 0; i < count; i++) {
        names[i] = rcity_measurements_route_name(run->measurements, i);
    }
    for (int64_t i = 0; i < run->score->point_count; i++) {
        key[i] = all[i].route;
    }
    return count > 1 ? rcity_score_add_groups(run->score, "route", count, names, key) : RCITY_OK;
}

static rcity_status add_transmitters(rcity_score_run *run, const char **names, int32_t *key)
{
    const rcity_measurement *all = rcity_measurements_all(run->measurements);
    const rcity_transmitter *transmitters = rcity_measurements_transmitters(run->measurements);
    int count = rcity_measurements_transmitter_count(run->measurements);
    for (int i = 0; i < count; i++) {
        names[i] = transmitters[i].name != NULL ? transmitters[i].name : "Tx";
    }
    for (int64_t i = 0; i < run->score->point_count; i++) {
        key[i] = all[i].transmitter;
    }
    return count > 1 ? rcity_score_add_groups(run->score, "transmitter", count, names, key) : RCITY_OK;
}

static rcity_status add_sight(rcity_score *score, int32_t *key)
{
    static const char *const names[] = {"line of sight", "no line of sight"};
    for (int64_t i = 0; i < score->point_count; i++) {
        bool is_placed = !isnan(score->points[i].distance_m);
        key[i] = !is_placed ? -1 : score->points[i].is_in_sight ? 0 : 1;
    }
    return rcity_score_add_groups(score, "sight", 2, names, key);
}

static rcity_status add_mechanisms(rcity_score_run *run, int32_t *key)
{
    const rcity_method *method = NULL;
    const char *names[RCITY_MECHANISM_COUNT];
    RCITY_TRY(rcity_method_find(run->context, run->request.method, &method));
    for (int k = 0; k < method->mechanism_count; k++) {
        names[k] = rcity_mechanism_name(method->mechanisms[k]);
    }
    for (int64_t i = 0; i < run->score->point_count; i++) {
        key[i] = -1;
        for (int k = 0; k < method->mechanism_count; k++) {
            key[i] = strcmp(run->score->points[i].mechanism, names[k]) == 0 ? k : key[i];
        }
    }
    return method->mechanism_count > 0
               ? rcity_score_add_groups(run->score, "mechanism", method->mechanism_count, names, key)
               : RCITY_OK;
}

static rcity_status add_groups(rcity_score_run *run)
{
    static const char *const all_name[] = {"all"};
    int route_count = rcity_measurements_route_count(run->measurements);
    int tx_count = rcity_measurements_transmitter_count(run->measurements);
    const char **names = NULL;
    int32_t *key = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(run->context, (size_t)(route_count + tx_count), sizeof *names, "groups", &names));
    RCITY_TRY_DONE(rcity_alloc(run->context, (size_t)run->score->point_count, sizeof *key, "groups", &key));
    RCITY_TRY_DONE(rcity_score_add_groups(run->score, "all", 1, all_name, key));
    RCITY_TRY_DONE(add_routes(run, names, key));
    RCITY_TRY_DONE(add_transmitters(run, names, key));
    RCITY_TRY_DONE(add_sight(run->score, key));
    status = add_mechanisms(run, key);
done:
    rcity_release(run->context, key);
    rcity_release(run->context, names);
    return status;
}

static rcity_status run_score(rcity_score_run *run, const rcity_request *request)
{
    RCITY_TRY(join_options(run, request));
    RCITY_TRY(rcity_score_open(run->context, rcity_measurements_count(run->measurements), &run->score));
    RCITY_TRY(add_method_models(run));
    if (run->coefficients != NULL) {
        rcity_span_open(&run->coefficients->summary, &run->span);
    }
    for (int i = 0; i < rcity_measurements_transmitter_count(run->measurements); i++) {
        RCITY_TRY(rcity_score_run_transmitter(run, i));
    }
    RCITY_TRY(rcity_score_add_remarks(run));
    drop_failed(run);
    RCITY_TRY(leave_out(run));
    RCITY_TRY(add_baselines(run));
    move_plain(run->score);
    RCITY_TRY(add_groups(run));
    return rcity_score_add_warnings(run);
}

rcity_status rcity_score_create(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                const rcity_request *request, const rcity_coefficients *coefficients,
                                const rcity_measurements *measurements, rcity_score **score)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, device);
    rcity_request known_request;
    RCITY_TAKE(context, rcity_request, coefficients, request, &known_request);
    request = &known_request;
    RCITY_NEED(context, measurements);
    RCITY_NEED(context, score);
    rcity_score_run run;
    memset(&run, 0, sizeof run);
    RCITY_TRY(check_inputs(context, request, coefficients, measurements));
    run.context = context;
    run.scene = scene;
    run.device = device;
    run.request = *request;
    run.coefficients = coefficients;
    run.measurements = measurements;
    rcity_status status = run_score(&run, request);
    if (status == RCITY_OK) {
        *score = run.score;
        run.score = NULL;
    }
    rcity_score_destroy(&run.score);
    rcity_release(context, run.option_name);
    rcity_release(context, run.option_value);
    rcity_release(context, run.plain_name);
    rcity_release(context, run.plain_value);
    return status;
}
