/* From options and demand to the task of a search. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/siting_run.h"
#include "base/abi.h"
#include "base/sha256.h"
#include "plan/siting/demand.h"
#include "radiocity/plan.h"
#include "scene/place/scene_distance.h"

#define MOVES_PER_STATION 2000

static const char *const place_names[] = {"anywhere", "roofs", "streets", "walls", "candidates"};

const char *rcity_siting_place_name(rcity_siting_place place)
{
    int index = (int)place;
    return index >= 0 && index < (int)(sizeof place_names / sizeof place_names[0]) ? place_names[index] : NULL;
}

void rcity_siting_options_init(rcity_siting_options *options, size_t struct_bytes)
{
    rcity_siting_options made;
    memset(&made, 0, sizeof made);
    made.station = rcity_transmitter_default();
    made.station_count = 1;
    made.x_min_m = made.y_min_m = made.x_max_m = made.y_max_m = (double)NAN;
    made.step_m = 1.0;
    made.least_dbm = -95.0;
    made.least_sinr_db = (double)NAN;
    made.server_count = 1;
    made.noise_figure_db = 7.0;
    made.load = 1.0;
    made.handover_db = 6.0;
    made.seed = 1;
    made.batch_count = 16;
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

static rcity_status check_range(rcity_context *context, const char *name, double value, double low, double high)
{
    RCITY_CHECK(context, value >= low && value <= high, RCITY_ERR_ARGUMENT, "`%s` is %g, must be %g to %g", name, value,
                low, high);
    return RCITY_OK;
}

static rcity_status check_counts(rcity_context *context, const rcity_siting_options *options)
{
    RCITY_TRY(check_range(context, "stations", options->station_count, 1, RCITY_SITING_STATION_MAX));
    RCITY_TRY(check_range(context, "stations-least", options->station_count_least, 0, options->station_count));
    RCITY_TRY(check_range(context, "heights", options->height_count, 0, RCITY_SITING_LIST_MAX));
    RCITY_TRY(check_range(context, "powers-db", options->power_count, 0, RCITY_SITING_LIST_MAX));
    RCITY_TRY(check_range(context, "tilts-deg", options->tilt_count, 0, RCITY_SITING_LIST_MAX));
    RCITY_TRY(check_range(context, "existing", options->existing_count, 0, RCITY_SITING_STATION_MAX));
    RCITY_NEED_SOME(context, options->height_m, options->height_count);
    RCITY_NEED_SOME(context, options->power_db, options->power_count);
    RCITY_NEED_SOME(context, options->tilt_deg, options->tilt_count);
    RCITY_NEED_SOME(context, options->candidate_xyh_m, options->candidate_count);
    RCITY_NEED_SOME(context, options->forbidden_point_count, options->forbidden_count);
    RCITY_NEED_SOME(context, options->forbidden_xy_m, options->forbidden_count);
    for (int i = 0; i < options->forbidden_count; i++) {
        RCITY_CHECK(context, options->forbidden_point_count[i] >= 3, RCITY_ERR_ARGUMENT,
                    "forbidden area %d has %d corners, must have 3 or more", i + 1, options->forbidden_point_count[i]);
    }
    for (int i = 0; i < options->power_count; i++) {
        RCITY_TRY(check_range(context, "powers-db", options->power_db[i], -100.0, 100.0));
        RCITY_CHECK(context, i == 0 || options->power_db[i] > options->power_db[i - 1], RCITY_ERR_ARGUMENT,
                    "`powers-db` must rise: %g dB stands behind %g dB", options->power_db[i],
                    options->power_db[i > 0 ? i - 1 : 0]);
    }
    RCITY_CHECK(context, rcity_siting_place_name(options->place) != NULL, RCITY_ERR_ARGUMENT,
                "`place` is %d, no kind of place", (int)options->place);
    for (int64_t i = 0; i < options->candidate_count; i++) {
        const double *at = options->candidate_xyh_m + 3 * i;
        RCITY_CHECK(context, isfinite(at[0]) && isfinite(at[1]) && !isinf(at[2]), RCITY_ERR_ARGUMENT,
                    "candidate %lld lies at (%g, %g), must be numbers", (long long)i + 1, at[0], at[1]);
    }
    return RCITY_OK;
}

rcity_status rcity_siting_check(rcity_context *context, const rcity_siting_options *options)
{
    RCITY_TRY(RCITY_CHECK_FIXED(context, rcity_transmitter, &options->station));
    RCITY_CHECK_FIXED_ALL(context, rcity_transmitter, options->existing, options->existing_count);
    RCITY_TRY(check_counts(context, options));
    RCITY_CHECK(context, !isnan(options->station.power_dbm), RCITY_ERR_ARGUMENT,
                "the power of the stations is unknown; give EIRP, ERP or power");
    for (int i = 0; i < options->existing_count; i++) {
        RCITY_CHECK(context, !isnan(options->existing[i].power_dbm), RCITY_ERR_ARGUMENT,
                    "the power of existing site %d is unknown; give EIRP, ERP or power", i + 1);
    }
    RCITY_TRY(check_range(context, "step-m", options->step_m, 0.01, 1e4));
    RCITY_TRY(check_range(context, "spacing-m", options->spacing_m, 0.0, 1e6));
    RCITY_TRY(check_range(context, "site-cost", options->station_cost, 0.0, 1e15));
    RCITY_TRY(check_range(context, "power-cost-per-db", options->power_cost_per_db, 0.0, 1e15));
    RCITY_TRY(check_range(context, "azimuth-step-deg", options->azimuth_step_deg, 0.0, 180.0));
    RCITY_TRY(check_range(context, "least-dbm", options->least_dbm, -300.0, 300.0));
    RCITY_TRY(check_range(context, "servers", options->server_count, 1, RCITY_DEMAND_SERVER_MAX));
    RCITY_TRY(check_range(context, "soft-db", options->soft_db, 0.0, 100.0));
    RCITY_TRY(check_range(context, "handover-db", options->handover_db, 0.0, 100.0));
    RCITY_TRY(check_range(context, "load-fraction", options->load, 0.0, 1.0));
    RCITY_TRY(check_range(context, "moves", (double)options->move_count, 0.0, RCITY_SITING_MOVE_MAX));
    RCITY_TRY(check_range(context, "batch", options->batch_count, 1, RCITY_SITING_BATCH_MAX));
    RCITY_TRY(check_range(context, "baseline-grid-m", options->baseline_m, 0.0, 1e6));
    RCITY_TRY(check_range(context, "noise-figure-db", options->noise_figure_db, 0.0, RCITY_NOISE_FIGURE_MAX_DB));
    RCITY_CHECK(context,
                options->bandwidth_hz == 0.0 || (options->bandwidth_hz >= RCITY_BANDWIDTH_MIN_HZ &&
                                                 options->bandwidth_hz <= RCITY_BANDWIDTH_MAX_HZ),
                RCITY_ERR_ARGUMENT, "`bandwidth-mhz` is %g, must be %g to %g", options->bandwidth_hz * 1e-6,
                RCITY_BANDWIDTH_MIN_HZ * 1e-6, RCITY_BANDWIDTH_MAX_HZ * 1e-6);
    RCITY_CHECK(context, isnan(options->least_sinr_db) || options->bandwidth_hz > 0.0, RCITY_ERR_ARGUMENT,
                "`least-sinr-db` needs the width of a channel; give `bandwidth-mhz`");
    RCITY_CHECK(context, !options->resumes || options->checkpoint_path != NULL, RCITY_ERR_ARGUMENT,
                "`resume` needs the file of a search; give `checkpoint`");
    return RCITY_OK;
}

/* Demand that no station can serve: outside the scene, or under roofs, where methods know no level. */
static rcity_status check_demand(const rcity_siting_run_data *run)
{
    const rcity_demand *demand = run->demand;
    rcity_scene_info info;
    RCITY_TRY(rcity_scene_describe(run->scene, &info));
    int64_t outside_count = 0;
    int64_t indoor_count = 0;
    double outside = 0.0;
    double indoor = 0.0;
    for (int64_t i = 0; i < demand->count; i++) {
        const rcity_demand_point *point = &demand->points[i];
        const double xy_m[2] = {point->x_m, point->y_m};
        rcity_cover cover = {.is_covered = false};
        if (rcity_scene_distance_m(&info, xy_m) > 0.0) {
            outside_count++;
            outside += point->weight;
            continue;
        }
        RCITY_TRY(rcity_scene_get_cover(run->context, run->scene, point->x_m, point->y_m, &cover));
        indoor_count += cover.is_covered ? 1 : 0;
        indoor += cover.is_covered ? point->weight : 0.0;
    }
    RCITY_CHECK(run->context, outside_count < demand->count, RCITY_ERR_ARGUMENT,
                "all %lld points of the demand lie outside the scene, (%.2f, %.2f) to (%.2f, %.2f); the first is at "
                "(%.2f, %.2f)",
                (long long)demand->count, info.x_min_m, info.y_min_m, info.x_max_m, info.y_max_m, demand->points[0].x_m,
                demand->points[0].y_m);
    if (outside_count > 0) {
        rcity_log(run->context, RCITY_LOG_WARNING,
                  "%lld of %lld points of the demand, %.3g %% of its weight, lie outside the scene",
                  (long long)outside_count, (long long)demand->count, 100.0 * outside / demand->weight);
    }
    if (indoor_count > 0) {
        rcity_log(run->context, RCITY_LOG_WARNING,
                  "%lld of %lld points of the demand, %.3g %% of its weight, lie inside buildings, where most methods "
                  "give no level",
                  (long long)indoor_count, (long long)demand->count, 100.0 * indoor / demand->weight);
    }
    return RCITY_OK;
}

static rcity_status make_needs(rcity_siting_run_data *run)
{
    const rcity_siting_options *options = run->options;
    RCITY_TRY(rcity_alloc(run->context, (size_t)run->demand->count, sizeof *run->needs, "demand", &run->needs));
    int most = 0;
    for (int64_t i = 0; i < run->demand->count; i++) {
        const rcity_demand_point *point = &run->demand->points[i];
        double least_dbm = isnan(point->least_dbm) ? options->least_dbm : point->least_dbm;
        double least_db = isnan(point->least_sinr_db) ? options->least_sinr_db : point->least_sinr_db;
        int servers = point->server_count > 0 ? point->server_count : options->server_count;
        RCITY_CHECK(run->context, isnan(least_db) || options->bandwidth_hz > 0.0, RCITY_ERR_ARGUMENT,
                    "point %lld of the demand needs an SINR, which needs the width of a channel; give `bandwidth-mhz`",
                    (long long)i + 1);
        run->needs[i] = (rcity_siting_need){.x_m = point->x_m,
                                            .y_m = point->y_m,
                                            .weight = point->weight,
                                            .least_dbm = (float)least_dbm,
                                            .least_sinr_db = (float)least_db,
                                            .server_count = servers};
        most = servers > most ? servers : most;
    }
    RCITY_CHECK(run->context, most <= options->station_count + options->existing_count, RCITY_ERR_ARGUMENT,
                "the demand asks for %d servers at a point, but there are %d sites at most; raise `stations`", most,
                options->station_count + options->existing_count);
    return RCITY_OK;
}

static double load_of(const rcity_siting_options *options, const rcity_transmitter *transmitter)
{
    return isnan(transmitter->load) ? options->load : transmitter->load;
}

/* Shares of interference between all pairs of sites. */
static rcity_status make_shares(rcity_siting_run_data *run)
{
    const rcity_siting_options *options = run->options;
    int existing = options->existing_count;
    int count = existing + options->station_count;
    if (options->bandwidth_hz <= 0.0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_alloc(run->context, (size_t)count * (size_t)count, sizeof *run->share, "shares", &run->share));
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++) {
            const rcity_transmitter *server = i < existing ? &options->existing[i] : &options->station;
            const rcity_transmitter *other = k < existing ? &options->existing[k] : &options->station;
            double apart = fabs(server->frequency_hz - other->frequency_hz) / options->bandwidth_hz;
            run->share[i * count + k] = apart < 1.0 ? (1.0 - apart) * load_of(options, other) : 0.0;
        }
    }
    return RCITY_OK;
}

static rcity_status predict_existing(rcity_siting_run_data *run)
{
    const rcity_siting_options *options = run->options;
    size_t count = (size_t)options->existing_count;
    RCITY_TRY(rcity_alloc(run->context, count + 1, sizeof *run->existing_dbm, "existing sites", &run->existing_dbm));
    RCITY_TRY(
        rcity_alloc(run->context, count + 1, 2 * sizeof *run->existing_xy_m, "existing sites", &run->existing_xy_m));
    for (size_t i = 0; i < count; i++) {
        RCITY_TRY(rcity_alloc(run->context, (size_t)run->demand->count, sizeof(float), "existing sites",
                              &run->existing_dbm[i]));
        run->existing_xy_m[2 * i] = options->existing[i].x_m;
        run->existing_xy_m[2 * i + 1] = options->existing[i].y_m;
    }
    for (size_t i = 0; i < count; i++) { /* named, before a batch of them fails */
        const char *name = options->existing[i].name;
        rcity_point position;
        rcity_status status = rcity_transmitter_locate(run->context, run->scene, &options->existing[i], &position);
        if (status != RCITY_OK) {
            return rcity_fail_prefix(run->context, status, "existing site %zu ('%.60s'): ", i + 1,
                                     name != NULL ? name : "");
        }
    }
    return count > 0 ? rcity_siting_predictor_run(&run->predictor, (int)count, options->existing, run->existing_dbm)
                     : RCITY_OK;
}

static void add_number(rcity_sha256 *hash, double number)
{
    rcity_sha256_add(hash, &number, sizeof number);
}

static void add_numbers(rcity_sha256 *hash, int64_t count, const double *numbers)
{
    add_number(hash, (double)count);
    if (count > 0) {
        rcity_sha256_add(hash, numbers, (size_t)count * sizeof *numbers);
    }
}

static void add_text(rcity_sha256 *hash, const char *text)
{
    rcity_sha256_add(hash, text != NULL ? text : "", text != NULL ? strlen(text) + 1 : 1);
}

static void add_transmitter(rcity_sha256 *hash, const rcity_transmitter *tx)
{
    rcity_antenna_info antenna = {.name = "isotropic"};
    if (tx->antenna != NULL) {
        rcity_antenna_describe(tx->antenna, &antenna);
    }
    const double numbers[] = {tx->x_m,
                              tx->y_m,
                              tx->height_m,
                              tx->is_absolute,
                              tx->frequency_hz,
                              rcity_transmitter_eirp_dbm(tx),
                              tx->azimuth_deg,
                              tx->mechanical_tilt_deg,
                              tx->electrical_tilt_deg,
                              (double)tx->polarization,
                              tx->load,
                              antenna.gain_dbi,
                              antenna.horizontal_width_deg,
                              antenna.vertical_width_deg};
    add_text(hash, antenna.name);
    add_numbers(hash, sizeof numbers / sizeof numbers[0], numbers);
}

/* Everything that decides the course of the search. */
static rcity_status hash_task(rcity_siting_run_data *run)
{
    const rcity_siting_options *o = run->options;
    const rcity_siting_task *task = &run->task;
    rcity_sha256 hash;
    rcity_scene_info info;
    RCITY_TRY(rcity_scene_describe(run->scene, &info));
    rcity_sha256_init(&hash);
    add_text(&hash, info.hash);
    add_text(&hash, run->request->method);
    add_number(&hash, (double)run->request->range_policy);
    add_number(&hash, run->request->receivers.gain_dbi);
    for (int i = 0; i < run->request->option_count; i++) {
        add_text(&hash, run->request->option_name[i]);
        add_text(&hash, run->request->option_value[i]);
    }
    add_transmitter(&hash, &o->station);
    add_number(&hash, o->existing_count);
    for (int i = 0; i < o->existing_count; i++) {
        add_transmitter(&hash, &o->existing[i]);
    }
    const double numbers[] = {o->station_count, o->station_count_least, o->station_cost,
                              (double)o->place, task->x_min_m,          task->y_min_m,
                              task->x_max_m,    task->y_max_m,          o->step_m,
                              o->spacing_m,     o->power_cost_per_db,   o->azimuth_step_deg,
                              o->soft_db,       o->bandwidth_hz,        o->noise_figure_db,
                              o->load,          o->baseline_m,          (double)task->move_count,
                              o->batch_count,   o->handover_db};
    add_numbers(&hash, sizeof numbers / sizeof numbers[0], numbers);
    rcity_sha256_add(&hash, &o->seed, sizeof o->seed);
    add_numbers(&hash, o->height_count, o->height_m);
    add_numbers(&hash, o->power_count, o->power_db);
    add_numbers(&hash, o->tilt_count, o->tilt_deg);
    add_numbers(&hash, 3 * run->places.candidate_count, run->places.candidate_xyh_m);
    const double *corners = o->forbidden_xy_m;
    for (int i = 0; i < o->forbidden_count; i++) {
        add_numbers(&hash, 2 * o->forbidden_point_count[i], corners);
        corners += 2 * o->forbidden_point_count[i];
    }
    for (int64_t i = 0; i < task->point_count; i++) {
        const rcity_siting_need *need = &task->needs[i];
        const double values[] = {need->x_m,
                                 need->y_m,
                                 run->demand->points[i].height_m,
                                 need->weight,
                                 (double)need->least_dbm,
                                 (double)need->least_sinr_db,
                                 need->server_count};
        add_numbers(&hash, sizeof values / sizeof values[0], values);
    }
    rcity_sha256_finish(&hash, run->hash);
    return RCITY_OK;
}

static void fill_task(rcity_siting_run_data *run)
{
    static const double no_change_db[1] = {0.0};
    const rcity_siting_options *o = run->options;
    const rcity_siting_places *places = &run->places;
    rcity_siting_task *task = &run->task;
    *task = (rcity_siting_task){
        .context = run->context,
        .point_count = run->demand->count,
        .needs = run->needs,
        .weight = run->demand->weight,
        .existing_count = o->existing_count,
        .existing_dbm = (const float *const *)run->existing_dbm,
        .existing_xy_m = run->existing_xy_m,
        .share = run->share,
        .station_count = o->station_count,
        .station_count_least = o->station_count_least > 0 ? o->station_count_least : o->station_count,
        .station_cost = o->station_cost,
        .power_cost_per_db = o->power_cost_per_db,
        .height_count = places->height_count,
        .azimuth_count = places->azimuth_count,
        .tilt_count = places->tilt_count,
        .power_count = o->power_count > 0 ? o->power_count : 1,
        .power_db = o->power_count > 0 ? o->power_db : no_change_db,
        .x_min_m = places->bounds[0],
        .y_min_m = places->bounds[1],
        .x_max_m = places->bounds[2],
        .y_max_m = places->bounds[3],
        .candidate_count = places->candidate_count,
        .step_m = o->step_m,
        .spacing_m = o->spacing_m,
        .soft_db = o->soft_db,
        .handover_db = o->handover_db,
        .has_sinr = o->bandwidth_hz > 0.0,
        .noise_dbm = o->bandwidth_hz > 0.0 ? rcity_thermal_noise_dbm(o->bandwidth_hz, o->noise_figure_db) : 0.0,
        .load = load_of(o, &o->station),
        .seed = o->seed,
        .move_count = o->move_count > 0 ? o->move_count : (int64_t)MOVES_PER_STATION * o->station_count,
        .batch_count = o->batch_count,
    };
}

/* The functions of the world: its user is the run. */
static bool snap(void *user, double x_m, double y_m, rcity_siting_setting *setting)
{
    rcity_siting_run_data *run = user;
    return rcity_siting_places_snap(&run->places, x_m, y_m, setting);
}

static bool allow(void *user, const rcity_siting_setting *setting)
{
    rcity_siting_run_data *run = user;
    return rcity_siting_places_allow(&run->places, setting);
}

static void locate(void *user, const rcity_siting_setting *setting, double xy_m[2])
{
    rcity_siting_run_data *run = user;
    rcity_siting_places_locate(&run->places, setting, xy_m);
}

static rcity_status predict(void *user, int count, const rcity_siting_setting *settings, float *const *level_dbm)
{
    rcity_siting_run_data *run = user;
    return rcity_siting_predictor_predict(&run->predictor, count, settings, level_dbm);
}

rcity_status rcity_siting_run_prepare(rcity_siting_run_data *run)
{
    RCITY_TRY(check_demand(run));
    RCITY_TRY(make_needs(run));
    RCITY_TRY(rcity_siting_places_init(run->context, run->scene, run->options, &run->places));
    RCITY_TRY(make_shares(run));
    RCITY_TRY(rcity_siting_predictor_init(run->context, run->scene, run->device, run->request, run->demand,
                                          &run->places, run->options->batch_count, &run->predictor));
    RCITY_TRY(predict_existing(run));
    fill_task(run);
    run->task.world =
        (rcity_siting_world){.user = run, .snap = snap, .is_allowed = allow, .locate = locate, .predict = predict};
    return hash_task(run);
}

void rcity_siting_run_release(rcity_siting_run_data *run)
{
    rcity_context *context = run->context;
    rcity_siting_search_deinit(&run->search);
    if (run->predictor.context != NULL) {
        rcity_siting_predictor_deinit(&run->predictor);
    }
    if (run->places.context != NULL) {
        rcity_siting_places_deinit(&run->places);
    }
    for (int i = 0; i < run->options->existing_count && run->existing_dbm != NULL; i++) {
        rcity_release(context, run->existing_dbm[i]);
    }
    rcity_release(context, run->existing_dbm);
    rcity_release(context, run->existing_xy_m);
    rcity_release(context, run->share);
    rcity_release(context, run->needs);
}
