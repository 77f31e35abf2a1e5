#include "api/calibrate_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "kernel/antenna.h"
#include "kernel/free_space.h"
#include "result/fitted_span.h"
#include "scene/antenna_data.h"

#define BLOCK_M 50.0 /* shadowing in cities hangs together over some tens of metres */

/* Memory of all arrays of points. */
static rcity_status make_room(rcity_calibrate_world *world)
{
    size_t count = (size_t)world->count + 1;
    rcity_context *context = world->context;
    const char *what = "measurements to calibrate with";
    RCITY_TRY(rcity_alloc(context, 3 * count, sizeof *world->xyh_m, what, &world->xyh_m));
    RCITY_TRY(rcity_alloc(context, count, sizeof *world->measured_db, what, &world->measured_db));
    RCITY_TRY(rcity_alloc(context, count, sizeof *world->straight_db, what, &world->straight_db));
    RCITY_TRY(rcity_alloc(context, count, sizeof *world->distance_m, what, &world->distance_m));
    RCITY_TRY(rcity_alloc(context, count, sizeof *world->elevation_deg, what, &world->elevation_deg));
    RCITY_TRY(rcity_alloc(context, count, sizeof *world->free_space_db, what, &world->free_space_db));
    RCITY_TRY(rcity_alloc(context, count, sizeof *world->block, what, &world->block));
    RCITY_TRY(rcity_alloc(context, count, sizeof *world->group, what, &world->group));
    return rcity_alloc(context, count * (size_t)world->method->fit->coefficient_count, sizeof *world->all_slopes, what,
                       &world->all_slopes);
}

/* Copy the measurements of one transmitter behind the others; values are turned into losses later. */
static void take_points(const rcity_measurements *measurements, int transmitter_index, rcity_calibrate_world *world,
                        rcity_calibrate_part *part)
{
    const rcity_measurement *all = rcity_measurements_all(measurements);
    int64_t total = rcity_measurements_count(measurements);
    const rcity_measurement *start = NULL; /* of the block */
    part->first = world->count;
    for (int64_t i = 0; i < total; i++) {
        const rcity_measurement *at = &all[i];
        if (at->transmitter != transmitter_index) {
            continue;
        }
        bool is_near = start != NULL && start->route == at->route &&
                       fabs(at->travelled_m - start->travelled_m) < BLOCK_M &&
                       hypot(at->x_m - start->x_m, at->y_m - start->y_m) < BLOCK_M;
        if (!is_near) {
            start = at;
            world->block_count++;
        }
        int64_t k = world->count++;
        world->xyh_m[3 * k] = at->x_m;
        world->xyh_m[3 * k + 1] = at->y_m;
        world->xyh_m[3 * k + 2] = at->height_m;
        world->measured_db[k] = at->value;
        world->block[k] = world->block_count - 1;
    }
    part->count = world->count - part->first;
}

/* Distances as the crow flies, what free space takes over them, and what antennas that give the same everywhere would
   have measured. */
static rcity_status measure_distances(rcity_calibrate_world *world, const rcity_calibrate_part *part)
{
    const rcity_tx *from = &part->predictor->slots[RCITY_PREDICTOR_ONLY].tx;
    const rcity_transmitter *transmitter = &from->stated;
    float wavelength_m = (float)((double)RCITY_LIGHT_M_PER_S / transmitter->frequency_hz);
    rcity_antenna_job antenna;
    int64_t table_count;
    const float *table = rcity_antenna_table(transmitter->antenna, &table_count);
    rcity_antenna_mount(transmitter->antenna, from->azimuth_rad, rcity_angle_rad(transmitter->mechanical_tilt_deg),
                        rcity_angle_rad(transmitter->electrical_tilt_deg), &antenna);
    for (int64_t i = part->first; i < part->first + part->count; i++) {
        const double *at = &world->xyh_m[3 * i];
        double ground_m = 0.0;
        rcity_status status = rcity_scene_get_ground(world->context, world->scene, at[0], at[1], &ground_m);
        if (status != RCITY_OK && status != RCITY_ERR_ARGUMENT) {
            return status; /* off the terrain there is no ground, and no prediction */
        }
        rcity_point tx = from->position;
        rcity_vec3 travel_m = {(float)(at[0] - tx.x_m), (float)(at[1] - tx.y_m), (float)(ground_m + at[2] - tx.z_m)};
        double gain_db = world->with_antenna ? (double)rcity_antenna_gain(antenna, table, travel_m) : 0.0;
        world->straight_db[i] = world->measured_db[i] + gain_db;
        world->distance_m[i] = hypot(hypot(at[0] - tx.x_m, at[1] - tx.y_m), ground_m + at[2] - tx.z_m);
        world->elevation_deg[i] =
            rcity_span_elevation_deg(hypot(at[0] - tx.x_m, at[1] - tx.y_m), tx.z_m - ground_m - at[2]);
        world->free_space_db[i] =
            (double)rcity_free_space_loss_db((float)fmax(world->distance_m[i], 1.0), wavelength_m);
    }
    return RCITY_OK;
}

static rcity_status trace_part(rcity_calibrate_world *world, rcity_calibrate_part *part)
{
    void *listed = NULL;
    RCITY_TRY(rcity_predictor_list_fit(part->predictor, world->context, RCITY_PREDICTOR_ONLY, &listed));
    if (part->listed != NULL) {
        world->method->fit->release(world->context, part->listed);
    }
    part->listed = listed;
    return measure_distances(world, part);
}

/* A part's predictor, and what arrives at its points. */
static rcity_status open_part(rcity_calibrate_world *world, rcity_calibrate_part *part)
{
    part->request.receivers.point_count = part->count;
    part->request.receivers.xyh_m = world->xyh_m + 3 * part->first;
    RCITY_TRY(rcity_predictor_open_once(world->context, world->scene, world->device, &part->request, &part->predictor));
    part->predictor->job.is_quiet = world->is_quiet;
    return trace_part(world, part);
}

/* Powers become losses by what is known of the transmitter, the antenna's gain into each direction still in them;
   without its power as if it radiated 0 dBm, and an offset must be fitted, which is less the radiated power then. */
static void turn_powers(rcity_calibrate_world *world, const rcity_calibrate_part *part)
{
    const rcity_transmitter *transmitter = &part->request.transmitter;
    rcity_antenna_job antenna;
    rcity_antenna_mount(transmitter->antenna, 0.0, 0.0, 0.0, &antenna);
    double eirp_dbm = isnan(transmitter->power_dbm) ? 0.0 : rcity_transmitter_eirp_dbm(transmitter);
    double level_dbm = eirp_dbm - (double)antenna.gain_dbi + part->request.receivers.gain_dbi;
    for (int64_t i = part->first; world->with_antenna && i < part->first + part->count; i++) {
        world->measured_db[i] = level_dbm - world->measured_db[i];
    }
}

/* Each transmitter is a group; of more than RCITY_FIT_GROUP_MAX every so many are one. */
static void group_transmitters(rcity_calibrate_world *world)
{
    world->group_count = world->part_count < RCITY_FIT_GROUP_MAX ? world->part_count : RCITY_FIT_GROUP_MAX;
    for (int p = 0; p < world->part_count; p++) {
        const rcity_calibrate_part *part = &world->parts[p];
        for (int64_t i = part->first; i < part->first + part->count; i++) {
            world->group[i] = p % world->group_count;
        }
    }
}

rcity_status rcity_calibrate_world_init(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                        const rcity_request *request, const rcity_measurements *measurements,
                                        rcity_calibrate_world *world)
{
    memset(world, 0, sizeof *world);
    world->context = context;
    world->scene = scene;
    world->device = device;
    RCITY_TRY(rcity_method_find(context, request->method, &world->method));
    char names[256];
    rcity_method_list_calibratable(names, sizeof names);
    RCITY_CHECK(context, world->method->fit != NULL, RCITY_ERR_UNSUPPORTED,
                "method '%s' has no coefficients to calibrate; these have: %s", request->method, names);
    int transmitter_count = rcity_measurements_transmitter_count(measurements);
    RCITY_CHECK(context, transmitter_count > 0, RCITY_ERR_ARGUMENT,
                "the measurements have no transmitter; give `tx`, `tx-lonlat` or `sites`");
    world->with_antenna = rcity_measurements_kind(measurements) == RCITY_MEASURED_POWER;
    RCITY_TRY(rcity_alloc(context, (size_t)transmitter_count, sizeof *world->parts, "transmitters", &world->parts));
    world->count = rcity_measurements_count(measurements);
    RCITY_TRY(make_room(world));
    world->count = 0;
    for (int i = 0; i < transmitter_count; i++) {
        rcity_calibrate_part *part = &world->parts[world->part_count];
        part->request = *request;
        part->request.transmitter = rcity_measurements_transmitters(measurements)[i];
        take_points(measurements, i, world, part);
        if (part->count > 0) {
            world->part_count++;
            turn_powers(world, part);
            RCITY_TRY(open_part(world, part));
        }
    }
    RCITY_CHECK(context, world->count > 0, RCITY_ERR_ARGUMENT, "there is no measurement to calibrate with");
    group_transmitters(world);
    rcity_method_start start = {world->coefficients, 0};
    RCITY_TRY(rcity_predictor_start_fit(world->parts[0].predictor, context, RCITY_PREDICTOR_ONLY, &start));
    world->on_request = start.on_request;
    return RCITY_OK;
}

rcity_status rcity_calibrate_world_thin(const rcity_calibrate_world *from, int64_t stride, rcity_calibrate_world *world)
{
    rcity_context *context = from->context;
    *world = *from;
    world->xyh_m = world->measured_db = world->straight_db = world->distance_m = world->free_space_db = NULL;
    world->elevation_deg = NULL;
    world->all_slopes = NULL;
    world->block = world->group = NULL;
    world->parts = NULL;
    world->part_count = 0;
    world->is_quiet = true;
    RCITY_TRY(rcity_alloc(context, (size_t)from->part_count, sizeof *world->parts, "transmitters", &world->parts));
    RCITY_TRY(make_room(world));
    world->count = 0;
    for (int i = 0; i < from->part_count; i++) {
        const rcity_calibrate_part *whole = &from->parts[i];
        rcity_calibrate_part *part = &world->parts[i];
        part->request = whole->request;
        part->first = world->count;
        for (int64_t k = whole->first; k < whole->first + whole->count; k += stride) {
            int64_t to = world->count++;
            memcpy(world->xyh_m + 3 * to, from->xyh_m + 3 * k, 3 * sizeof *world->xyh_m);
            world->measured_db[to] = from->measured_db[k];
            world->block[to] = from->block[k];
            world->group[to] = from->group[k];
        }
        part->count = world->count - part->first;
        world->part_count = i + 1;
        RCITY_TRY(open_part(world, part));
    }
    return RCITY_OK;
}

void rcity_calibrate_world_deinit(rcity_calibrate_world *world)
{
    rcity_context *context = world->context;
    for (int i = world->part_count - 1; i >= 0; i--) {
        rcity_calibrate_part *part = &world->parts[i];
        if (part->listed != NULL) {
            world->method->fit->release(context, part->listed);
        }
        rcity_predictor_close(&part->predictor);
    }
    rcity_release(context, world->parts);
    rcity_release(context, world->xyh_m);
    rcity_release(context, world->measured_db);
    rcity_release(context, world->straight_db);
    rcity_release(context, world->distance_m);
    rcity_release(context, world->elevation_deg);
    rcity_release(context, world->free_space_db);
    rcity_release(context, world->group);
    rcity_release(context, world->block);
    rcity_release(context, world->all_slopes);
    memset(world, 0, sizeof *world);
}

/* Index of a coefficient by the name of its option; -1 for none. */
static int find_coefficient(const rcity_method *method, const char *name)
{
    for (int i = 0; i < method->fit->coefficient_count; i++) {
        if (strcmp(method->options[method->fit->coefficients[i].option].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* The names of all coefficients as text "a, b, c", cut where there is no more room; returns it. */
static char *list_coefficients(const rcity_method *method, char *text, size_t bytes)
{
    text[0] = '\0';
    for (int i = 0; i < method->fit->coefficient_count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, bytes - used, "%s%s", i > 0 ? ", " : "",
                 method->options[method->fit->coefficients[i].option].name);
    }
    return text;
}

/* Growth of laws, as far as all of a law's terms are free. */
static void take_constraints(rcity_calibrate_world *world, const int *parameter_of)
{
    const rcity_method_fit *fit = world->method->fit;
    for (int i = 0; i < fit->constraint_count; i++) {
        const rcity_method_constraint *from = &fit->constraints[i];
        rcity_fit_constraint made = {.term_count = 0, .least = 0.0};
        for (int k = 0; k < from->term_count; k++) {
            int parameter = parameter_of[from->coefficient[k]];
            if (parameter < 0) {
                made.least -= from->factor[k] * world->coefficients[from->coefficient[k]];
            } else {
                made.parameter[made.term_count] = parameter;
                made.factor[made.term_count++] = from->factor[k];
            }
        }
        if (made.term_count > 0) {
            world->constraints[world->constraint_count++] = made;
        }
    }
}

static double clamp(double value, double low, double high)
{
    return fmin(fmax(value, low), high);
}

/* Set the flag of each coefficient that is named. */
static rcity_status mark_names(const rcity_calibrate_world *world, int count, const char *const *list, bool *is_named)
{
    for (int i = 0; i < count; i++) {
        int k = find_coefficient(world->method, list[i]);
        char names[512];
        RCITY_CHECK(world->context, k >= 0, RCITY_ERR_ARGUMENT, "'%.40s' is no coefficient of %s; it has: %s", list[i],
                    world->method->info.name, list_coefficients(world->method, names, sizeof names));
        is_named[k] = true;
    }
    return RCITY_OK;
}

/* A constant for each transmitter: its offset, of which nothing is known, or its level, which lies around 0. */
static rcity_status choose_constants(rcity_calibrate_world *world, const rcity_calibrate_options *options)
{
    double stated_db = options->level_spread_db;
    bool has_levels = !options->fits_offset && world->part_count <= RCITY_CALIBRATE_LEVEL_MAX && stated_db != 0.0;
    world->fits_offset = options->fits_offset;
    world->level_spread_db = !has_levels ? 0.0 : isnan(stated_db) ? RCITY_CALIBRATE_LEVEL_SPREAD_DB : stated_db;
    world->parameter_count = world->free_count;
    RCITY_CHECK(world->context, world->free_count > 0 || world->fits_offset, RCITY_ERR_ARGUMENT,
                "all coefficients are fixed: there is nothing to calibrate");
    for (int i = 0; (world->fits_offset || has_levels) && i < world->part_count; i++) {
        RCITY_CHECK(world->context, world->parameter_count < RCITY_FIT_PARAMETER_MAX, RCITY_ERR_ARGUMENT,
                    "offsets of %d transmitters are too many to fit", world->part_count);
        const char *name = world->parts[i].request.transmitter.name;
        char *text = world->constant_name[world->parameter_count];
        snprintf(text, sizeof world->constant_name[0], "%s %.50s", has_levels ? "level" : "offset",
                 name != NULL ? name : "Tx");
        world->parameters[world->parameter_count++] =
            (rcity_fit_parameter){.name = text,
                                  .low = -options->offset_max_db,
                                  .high = options->offset_max_db,
                                  .spread = has_levels ? world->level_spread_db : HUGE_VAL,
                                  .is_effect = has_levels};
    }
    return RCITY_OK;
}

rcity_status rcity_calibrate_world_choose(rcity_calibrate_world *world, const rcity_calibrate_options *options)
{
    const rcity_method_fit *fit = world->method->fit;
    bool is_fixed[RCITY_FIT_PARAMETER_MAX] = {false};
    bool is_requested[RCITY_FIT_PARAMETER_MAX] = {false};
    int parameter_of[RCITY_FIT_PARAMETER_MAX];
    RCITY_TRY(mark_names(world, options->fixed_count, options->fixed, is_fixed));
    RCITY_TRY(mark_names(world, options->requested_count, options->requested, is_requested));
    for (int k = 0; k < fit->coefficient_count; k++) {
        RCITY_CHECK(world->context, !is_fixed[k] || !is_requested[k], RCITY_ERR_ARGUMENT,
                    "'%s' is both to be fitted (`fit`) and to stay as it is (`fix`)",
                    world->method->options[fit->coefficients[k].option].name);
        is_fixed[k] = is_fixed[k] || ((world->on_request >> k & 1) != 0 && !is_requested[k]);
    }
    world->parameter_count = world->free_count = world->constraint_count = 0;
    for (int k = 0; k < fit->coefficient_count; k++) {
        const rcity_method_coefficient *info = &fit->coefficients[k];
        parameter_of[k] = is_fixed[k] ? -1 : world->free_count;
        if (!is_fixed[k]) {
            double start = clamp(world->coefficients[k], info->low, info->high);
            world->free_index[world->free_count] = k;
            world->parameters[world->free_count++] =
                (rcity_fit_parameter){.name = world->method->options[info->option].name,
                                      .start = start,
                                      .low = info->low,
                                      .high = info->high,
                                      .spread = info->spread};
        }
    }
    take_constraints(world, parameter_of);
    return choose_constants(world, options);
}

rcity_status rcity_calibrate_world_move(rcity_calibrate_world *world, int part_index, const rcity_transmitter *from,
                                        const double shift[3])
{
    rcity_calibrate_part *part = &world->parts[part_index];
    rcity_transmitter moved = *from;
    moved.x_m += shift[0];
    moved.y_m += shift[1];
    moved.height_m += shift[2];
    RCITY_TRY(rcity_predictor_set_transmitter(part->predictor, world->context, RCITY_PREDICTOR_ONLY, &moved));
    part->request.transmitter = moved;
    part->predictor->job.is_quiet = true; /* its first place had its remarks */
    return trace_part(world, part);
}

void rcity_calibrate_world_evaluate(void *user, const double *parameters, double *values_db, double *slopes)
{
    rcity_calibrate_world *world = user;
    const rcity_method_fit *fit = world->method->fit;
    int all = fit->coefficient_count;
    double coefficients[RCITY_FIT_PARAMETER_MAX];
    memcpy(coefficients, world->coefficients, sizeof coefficients);
    for (int k = 0; k < world->free_count; k++) {
        coefficients[world->free_index[k]] = parameters[k];
    }
    for (int p = 0; p < world->part_count; p++) {
        const rcity_calibrate_part *part = &world->parts[p];
        double *part_slopes = slopes != NULL ? world->all_slopes + part->first * all : NULL;
        bool has_constant = world->parameter_count > world->free_count;
        double constant_db = has_constant ? parameters[world->free_count + p] : 0.0;
        fit->weigh(part->listed, coefficients, world->with_antenna, values_db + part->first, part_slopes, NULL);
        for (int64_t i = part->first; i < part->first + part->count; i++) {
            values_db[i] += constant_db;
            if (slopes == NULL) {
                continue;
            }
            double *row = slopes + i * world->parameter_count;
            for (int k = 0; k < world->free_count; k++) {
                row[k] = world->all_slopes[i * all + world->free_index[k]];
            }
            for (int k = world->free_count; k < world->parameter_count; k++) {
                row[k] = k - world->free_count == p ? 1.0 : 0.0;
            }
        }
    }
}

double rcity_calibrate_world_widening(const rcity_calibrate_world *world, const double *values_db, double limit_db)
{
    double single = 0.0;
    double together = 0.0;
    double sum = 0.0;
    for (int64_t i = 0; i < world->count; i++) {
        if (i > 0 && world->block[i] != world->block[i - 1]) {
            together += sum * sum;
            sum = 0.0;
        }
        double error_db = world->measured_db[i] - values_db[i];
        if (!isnan(error_db) && fabs(error_db) < limit_db) {
            single += error_db * error_db;
            sum += error_db;
        }
    }
    together += sum * sum;
    return single > 0.0 ? fmax(together / single, 1.0) : 1.0;
}

rcity_fit_problem rcity_calibrate_world_problem(rcity_calibrate_world *world, bool is_robust)
{
    return (rcity_fit_problem){
        .parameter_count = world->parameter_count,
        .parameters = world->parameters,
        .constraint_count = world->constraint_count,
        .constraints = world->constraints,
        .point_count = world->count,
        .measured_db = world->measured_db,
        .block = world->block,
        .block_count = world->block_count,
        .group = world->group_count > 1 ? world->group : NULL,
        .group_count = world->group_count,
        .is_robust = is_robust,
        .evaluate = rcity_calibrate_world_evaluate,
        .user = world,
    };
}
