/* radiocity predict: from the command line to files and a summary. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "exit_status.h"
#include "map_files.h"
#include "method_help.h"
#include "predict_delays.h"
#include "predict_files.h"
#include "predict_input.h"
#include "predict_measure.h"
#include "predict_report.h"
#include "predict_surfaces.h"
#include "scene_files.h"
#include "session.h"
#include "text/number_text.h"
#include "unusual_values.h"

/* What one run holds. */
typedef struct predict_run {
    rcity_context *context;
    const predict_input *input;
    predict_world world;
    rcity_scene *scene;
    rcity_device *device;
    rcity_map *map;
    rcity_surfaces *surfaces;
    rcity_delays *delays;
    float *loss_db, *received_dbm; /* of points */
    predict_report report;
    output_set files;
    int result; /* exit status of a failure whose words are said already; 0: none */
} predict_run;

/* Most memory that writing takes. */
static double writing_bytes(const predict_run *run, const rcity_estimate *estimate)
{
    return predict_files_bytes(run->input, estimate) + predict_surfaces_bytes(run->input, run->scene, estimate);
}

/* Does all of it fit, the writing included? */
static bool fits_memory(const predict_run *run, const rcity_estimate *estimate)
{
    double needed = (double)rcity_context_memory_used(run->context) + (double)estimate->memory_bytes;
    needed += writing_bytes(run, estimate);
    return needed <= (double)rcity_context_memory_limit(run->context);
}

static int fail_memory(const predict_run *run, const rcity_estimate *estimate)
{
    char need[32];
    char scene[32];
    char writing[32];
    char limit[32];
    bool on_surfaces = predict_input_wants_surfaces(run->input);
    fprintf(
        stderr,
        "radiocity: the prediction of %.4g %s needs %s beside the scene's %s and up to %s for writing, the limit is "
        "%s; use %s or raise --memory\n",
        (double)estimate->receiver_count, on_surfaces ? "tiles of surfaces" : "receivers",
        rcity_format_bytes((double)estimate->memory_bytes, need),
        rcity_format_bytes((double)rcity_context_memory_used(run->context), scene),
        rcity_format_bytes(writing_bytes(run, estimate), writing),
        rcity_format_bytes((double)rcity_context_memory_limit(run->context), limit),
        on_surfaces ? "larger tiles" : "a larger --cell, a smaller area");
    return EXIT_MEMORY;
}

static rcity_network_options network_options(const predict_run *run)
{
    rcity_network_options options = rcity_network_options_default();
    options.threshold_count = run->input->thresholds.count;
    options.threshold_dbm = run->input->thresholds.value;
    options.fade_sigma_db = run->input->fade_db;
    if (predict_input_wants_sinr(run->input)) {
        options.bandwidth_hz = run->input->bandwidth_mhz * 1e6;
        options.noise_figure_db =
            isnan(run->input->noise_figure_db) ? options.noise_figure_db : run->input->noise_figure_db;
        options.load = isnan(run->input->load) ? options.load : run->input->load;
    }
    return options;
}

/* What all transmitters together take. */
static rcity_status estimate_all(const predict_run *run, rcity_estimate *estimate)
{
    const predict_input *input = run->input;
    if (input->sites_path != NULL && input->points_path == NULL) {
        rcity_network_options options = network_options(run);
        return rcity_predict_network_estimate(run->context, run->scene, &input->request, run->world.transmitter_count,
                                              run->world.transmitters, &options, estimate);
    }
    rcity_request request = input->request;
    double seconds = 0.0;
    for (int i = 0; i < run->world.transmitter_count; i++) {
        request.transmitter = run->world.transmitters[i];
        rcity_status status = rcity_predict_estimate(run->context, run->scene, &request, estimate);
        if (status != RCITY_OK) {
            return status;
        }
        seconds += estimate->seconds;
    }
    estimate->seconds = seconds;
    if (input->fade_db > 0.0) { /* the chances of reaching the thresholds become bands */
        estimate->memory_bytes +=
            (uint64_t)((double)input->thresholds.count * sizeof(float) * (double)estimate->receiver_count);
    }
    return RCITY_OK;
}

static void warn_outside(const predict_run *run)
{
    for (int i = 0; i < run->world.transmitter_count; i++) {
        transmitter_warn_outside(run->scene, &run->world.transmitters[i]);
    }
}

static rcity_status keep_sector(void *user, int sector_index, const rcity_map *map)
{
    predict_run *run = user;
    return run->input->sector_folder == NULL
               ? RCITY_OK
               : predict_files_write_sector(run->context, map, run->input, &run->world, sector_index, &run->files);
}

/* Chances of reaching the thresholds, as further bands of the map of one transmitter. */
static rcity_status add_probabilities(const predict_run *run)
{
    rcity_status status = RCITY_OK;
    int band_count = rcity_map_band_count(run->map);
    for (int i = 0; status == RCITY_OK && run->input->fade_db > 0.0 && i < band_count; i++) {
        rcity_band band;
        status = rcity_map_get_band(run->map, i, &band);
        for (int k = 0; status == RCITY_OK && band.kind == RCITY_BAND_POWER && k < run->input->thresholds.count; k++) {
            status = rcity_map_add_probability(run->map, i, run->input->thresholds.value[k], run->input->fade_db);
        }
    }
    return status;
}

static rcity_status run_map(predict_run *run)
{
    const predict_input *input = run->input;
    int band_indices[TEXT_LIST_MAX] = {0};
    rcity_status status;
    if (input->sites_path != NULL) {
        rcity_network_options options = network_options(run);
        options.on_sector = keep_sector;
        options.user = run;
        status = rcity_predict_network(run->context, run->scene, run->device, &input->request,
                                       run->world.transmitter_count, run->world.transmitters, &options, &run->map);
    } else {
        status = input->delays.path != NULL
                     ? predict_delays_run(run->context, run->scene, run->device, input, &run->map, &run->delays)
                     : rcity_predict(run->context, run->scene, run->device, &input->request, &run->map);
        status = status == RCITY_OK ? add_probabilities(run) : status;
    }
    for (int i = 0; status == RCITY_OK && (i == 0 || i < input->pictures.count); i++) {
        const char *wish = i < input->picture_bands.count ? input->picture_bands.value[i] : NULL;
        if (map_band_find("predict", run->map, "the map", wish, &band_indices[i]) != 0) {
            run->result = EXIT_USAGE; /* the words are said */
            return RCITY_ERR_ARGUMENT;
        }
    }
    if (status == RCITY_OK) {
        status = predict_report_init(run->context, run->scene, run->map, input, &run->world, &run->report);
    }
    if (status == RCITY_OK) {
        status = predict_demand_find(run->context, run->scene, input, run->map, &run->report.demand);
    }
    if (status == RCITY_OK) {
        status = predict_files_write(run->context, run->scene, run->map, band_indices, input, &run->world, &run->files);
    }
    if (status == RCITY_OK) {
        status = predict_delays_write(run->context, run->delays, input, &run->files);
    }
    if (status == RCITY_OK) {
        predict_report_map(&run->report, run->map, input, &run->world, run->device);
    }
    return status;
}

static rcity_status run_points(predict_run *run)
{
    const predict_input *input = run->input;
    rcity_request request = input->request;
    size_t count = (size_t)request.receivers.point_count;
    size_t total = count * (size_t)run->world.transmitter_count;
    run->loss_db = malloc(total * sizeof *run->loss_db);
    run->received_dbm = malloc(total * sizeof *run->received_dbm);
    rcity_status status = run->loss_db != NULL && run->received_dbm != NULL ? RCITY_OK : RCITY_ERR_MEMORY;
    for (int i = 0; status == RCITY_OK && i < run->world.transmitter_count; i++) {
        request.transmitter = run->world.transmitters[i];
        status = rcity_predict_points(run->context, run->scene, run->device, &request, run->loss_db + (size_t)i * count,
                                      run->received_dbm + (size_t)i * count);
    }
    if (status == RCITY_OK && input->output_path != NULL) {
        status = predict_files_write_points(run->context, run->scene, run->device, input, &run->world, run->loss_db,
                                            run->received_dbm, &run->files);
    }
    if (status == RCITY_OK) {
        predict_report_points(input, &run->world, run->loss_db);
    }
    return status;
}

static rcity_status run_surfaces(predict_run *run)
{
    const predict_input *input = run->input;
    rcity_band_summary *summaries = NULL;
    rcity_status status =
        rcity_predict_surfaces(run->context, run->scene, run->device, &input->request, &run->surfaces);
    if (status == RCITY_OK) {
        status = predict_surfaces_summarize(run->context, run->surfaces, &summaries);
    }
    if (status == RCITY_OK) {
        status = predict_surfaces_write(run->context, run->surfaces, input, &run->files);
    }
    if (status == RCITY_OK) {
        predict_surfaces_report(run->surfaces, summaries, input, run->device);
    }
    free(summaries);
    return status;
}

/* Receivers beyond the scene stand on open land, for all the scene knows. */
static void warn_receivers(const predict_run *run)
{
    rcity_scene_info info;
    const rcity_receivers *receivers = &run->input->request.receivers;
    if (session_is_quiet() || rcity_scene_describe(run->scene, &info) != RCITY_OK) {
        return;
    }
    double slack_m = receivers->cell_m;
    if (receivers->x_min_m < info.x_min_m - slack_m || receivers->y_min_m < info.y_min_m - slack_m ||
        receivers->x_max_m > info.x_max_m + slack_m || receivers->y_max_m > info.y_max_m + slack_m) {
        fprintf(stderr, "radiocity: warning: --area reaches beyond the scene; there the land is taken as open\n");
    }
    int64_t outside_count = 0;
    int64_t swapped_count = 0;
    for (int64_t i = 0; i < receivers->point_count; i++) {
        const double *xyh_m = receivers->xyh_m + 3 * i;
        outside_count +=
            xyh_m[0] < info.x_min_m || xyh_m[0] > info.x_max_m || xyh_m[1] < info.y_min_m || xyh_m[1] > info.y_max_m;
        swapped_count += xyh_m[1] >= info.x_min_m && xyh_m[1] <= info.x_max_m && xyh_m[0] >= info.y_min_m &&
                         xyh_m[0] <= info.y_max_m;
    }
    if (outside_count > 0) {
        fprintf(stderr, "radiocity: warning: %lld of %lld %s outside the scene; there the land is %s%s\n",
                (long long)outside_count, (long long)receivers->point_count,
                outside_count == 1 ? (receivers->point_count == 1 ? "point lies" : "points lies") : "points lie",
                !info.has_terrain    ? "taken as open"
                : outside_count == 1 ? "unknown, it gets no value"
                                     : "unknown, they get no value",
                outside_count == receivers->point_count && swapped_count == outside_count
                    ? " (with x and y swapped they would lie in the scene)"
                    : "");
    }
}

/* All that can be said before a device is opened and hours are spent. @return -1 to go on. */
static int check_run(const predict_run *run)
{
    rcity_estimate estimate;
    memset(&estimate, 0, sizeof estimate);
    rcity_status status = estimate_all(run, &estimate);
    if (status != RCITY_OK) {
        return session_fail(run->context, status);
    }
    bool fits = fits_memory(run, &estimate);
    if (run->input->is_dry_run && (fits || run->input->wants_json)) {
        bool is_least = false;
        bool is_measured = fits && run->input->points_path == NULL && run->input->delays.path == NULL &&
                           !predict_input_wants_surfaces(run->input);
        status = is_measured ? predict_measure_seconds(run->context, run->scene, run->input, &run->world,
                                                       &estimate.seconds, &is_least)
                             : RCITY_OK;
        if (status != RCITY_OK) {
            return session_fail(run->context, status);
        }
        predict_report_plan(run->input, &run->world, &estimate, writing_bytes(run, &estimate), fits, is_least);
        return EXIT_FINE;
    }
    return fits ? -1 : fail_memory(run, &estimate);
}

/* Maps and points of a scene have its own method where none was named. */
static void choose_method(const predict_run *run, predict_input *input)
{
    bool is_named = input->method != NULL || input->coefficients.path != NULL;
    if (!is_named && input->delays.path == NULL && !predict_input_wants_surfaces(input)) {
        input->request.method = method_choose(run->scene);
    }
}

static int predict(predict_run *run, predict_input *input)
{
    rcity_status status = scene_file_load(run->context, input->scene_path, &run->scene);
    if (status == RCITY_OK) {
        choose_method(run, input);
        status = predict_world_init(run->context, run->scene, input, &run->world);
    }
    if (status != RCITY_OK) {
        predict_files_give_up(input);
        return session_fail(run->context, status);
    }
    int result = unusual_values_check("predict", run->world.transmitter_count, run->world.transmitters);
    result = result != 0 ? result : predict_files_check_world(input, &run->world, run->scene);
    result = result != 0 ? result : check_run(run);
    if (result >= 0) {
        predict_files_give_up(input);
        return result;
    }
    warn_outside(run);
    warn_receivers(run);
    status = coefficients_input_warn(run->context, &input->coefficients, run->scene, &input->request,
                                     run->world.transmitter_count, run->world.transmitters);
    if (status == RCITY_OK) {
        status = rcity_device_open(run->context, input->device, &run->device);
    }
    if (status == RCITY_OK) {
        status = predict_input_wants_surfaces(input) ? run_surfaces(run)
                 : input->points_path != NULL        ? run_points(run)
                                                     : run_map(run);
    }
    status = output_set_finish(run->context, &run->files, status);
    if (status != RCITY_OK) {
        predict_files_give_up(input);
        return run->result != 0 ? run->result : session_fail(run->context, status);
    }
    return EXIT_FINE;
}

int command_predict(int count, char **words)
{
    static predict_input input;
    int result = predict_input_read(&input, count, words);
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    predict_run run;
    memset(&run, 0, sizeof run);
    run.input = &input;
    result = session_open(&run.context);
    if (result == 0) {
        result = coefficients_input_load(run.context, "predict", &input.coefficients, input.method, &input.extra,
                                         &input.request);
    }
    if (result == 0) {
        coefficients_input_report(&input.coefficients);
        result = predict_delays_check_method(&input);
    }
    if (result == 0) {
        result = predict_files_check(run.context, &input);
    }
    if (result == 0) {
        result = predict(&run, &input);
    }
    free(run.received_dbm);
    free(run.loss_db);
    predict_report_deinit(&run.report);
    rcity_delays_destroy(&run.delays);
    rcity_surfaces_destroy(&run.surfaces);
    rcity_map_destroy(&run.map);
    rcity_device_close(&run.device);
    predict_world_deinit(&run.world);
    rcity_scene_destroy(&run.scene);
    coefficients_input_deinit(&input.coefficients);
    session_close(&run.context);
    return result;
}
