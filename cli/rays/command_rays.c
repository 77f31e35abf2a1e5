/* radiocity rays: every path of a link, as a table, as files, as a picture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "exit_status.h"
#include "output_set.h"
#include "outputs.h"
#include "rays_input.h"
#include "rays_report.h"
#include "scene_files.h"
#include "session.h"
#include "unusual_values.h"

/* The data of one run. */
typedef struct rays_run {
    rcity_context *context;
    rays_input *input;
    rays_world world;
    rcity_scene *scene;
    rcity_rays *rays;
    output_set files;
} rays_run;

/* Can all files that are named be written? @return 0, or an exit status after a message. */
static int check_files(const rays_run *run)
{
    const rays_input *input = run->input;
    const char *const inputs[] = {input->scene_path, input->points_path, input->tx.antenna};
    for (int i = 0; i <= input->outputs.count; i++) {
        const char *path = i < input->outputs.count ? input->outputs.value[i] : input->picture_path;
        int result = output_check_all(run->context, "rays", path, sizeof inputs / sizeof inputs[0], inputs);
        if (result != 0) {
            return result;
        }
    }
    return 0;
}

/* Checks of the scene and the receiver number before the work. */
static int check_world(const rays_run *run)
{
    const rays_input *input = run->input;
    rcity_scene_info info;
    if (rcity_scene_describe(run->scene, &info) != RCITY_OK) {
        return EXIT_UNEXPECTED;
    }
    bool has_crs = strcmp(info.crs, "none") != 0;
    for (int i = 0; has_crs && i < input->outputs.count; i++) {
        if (path_ends_with(input->outputs.value[i], ".geojson") && !rcity_build_features_get().has_geotiff) {
            fprintf(stderr,
                    "radiocity: this build has no GDAL and cannot bring '%s' into longitude and latitude; write .h5 or "
                    ".csv, or build it with that library\n",
                    input->outputs.value[i]);
            return EXIT_UNSUPPORTED;
        }
    }
    if (input->picture_receiver > input->request.receivers.point_count) {
        return usage_error("rays", "--png-receiver is %d, and there %s %lld %s", input->picture_receiver,
                           input->request.receivers.point_count == 1 ? "is" : "are",
                           (long long)input->request.receivers.point_count,
                           input->request.receivers.point_count == 1 ? "receiver" : "receivers");
    }
    return 0;
}

/* @return -1 to continue. */
static int plan(const rays_run *run)
{
    rcity_estimate estimate;
    rcity_status status = rcity_predict_estimate(run->context, run->scene, &run->input->request, &estimate);
    if (status != RCITY_OK) {
        return session_fail(run->context, status);
    }
    if (!run->input->is_dry_run) {
        return -1;
    }
    double needed = (double)rcity_context_memory_used(run->context) + (double)estimate.memory_bytes;
    rays_report_plan(run->input, &estimate, needed <= (double)rcity_context_memory_limit(run->context));
    return EXIT_FINE;
}

/* Set the names of receivers from the file. */
static rcity_status name_receivers(rays_run *run)
{
    const rcity_points *points = run->world.points;
    for (int64_t i = 0; points != NULL && i < rcity_points_count(points); i++) {
        rcity_status status = rcity_rays_set_name(run->rays, run->world.named_first + i, rcity_points_name(points, i));
        if (status != RCITY_OK) {
            return status;
        }
    }
    return RCITY_OK;
}

static rcity_status draw_picture(rays_run *run)
{
    const rays_input *input = run->input;
    rcity_rays_draw_options options = rcity_rays_draw_options_default();
    options.width_px = input->picture_width_px >= 0 ? input->picture_width_px : options.width_px;
    options.receiver_index = input->picture_receiver > 0 ? input->picture_receiver - 1 : options.receiver_index;
    options.floor_db = isnan(input->picture_floor_db) ? options.floor_db : input->picture_floor_db;
    return rcity_rays_draw(run->context, run->scene, run->rays, &options, input->picture_path);
}

static rcity_status write_files(rays_run *run)
{
    const rays_input *input = run->input;
    rcity_status status = RCITY_OK;
    for (int i = 0; status == RCITY_OK && i < input->outputs.count; i++) {
        status = output_set_add(&run->files, input->outputs.value[i])
                     ? rcity_rays_save(run->context, run->rays, input->outputs.value[i])
                     : RCITY_ERR_MEMORY;
    }
    if (status == RCITY_OK && input->picture_path != NULL) {
        status = output_set_add(&run->files, input->picture_path) ? draw_picture(run) : RCITY_ERR_MEMORY;
    }
    return status;
}

static int find_rays(rays_run *run)
{
    rays_input *input = run->input;
    rcity_status status = scene_file_load(run->context, input->scene_path, &run->scene);
    if (status == RCITY_OK) {
        status = rays_world_init(run->context, run->scene, input, &run->world);
    }
    if (status != RCITY_OK) {
        return session_fail(run->context, status);
    }
    int result = unusual_values_check("rays", 1, &input->request.transmitter);
    result = result != 0 ? result : check_world(run);
    if (result != 0) {
        return result;
    }
    result = plan(run);
    if (result >= 0) {
        return result;
    }
    transmitter_warn_outside(run->scene, &input->request.transmitter);
    status = rcity_rays_find(run->context, run->scene, NULL, &input->request, &run->rays);
    if (status == RCITY_OK) {
        status = name_receivers(run);
    }
    if (status == RCITY_OK) {
        status = write_files(run);
    }
    status = output_set_finish(run->context, &run->files, status);
    if (status != RCITY_OK) {
        return session_fail(run->context, status);
    }
    rays_report(run->rays, input);
    return EXIT_FINE;
}

int command_rays(int count, char **words)
{
    static rays_input input;
    int result = rays_input_read(&input, count, words);
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    rays_run run;
    memset(&run, 0, sizeof run);
    run.input = &input;
    result = session_open(&run.context);
    if (result == 0) {
        result = check_files(&run);
    }
    if (result == 0) {
        result = find_rays(&run);
    }
    rcity_rays_destroy(&run.rays);
    rays_world_deinit(&run.world);
    rcity_scene_destroy(&run.scene);
    session_close(&run.context);
    return result;
}
