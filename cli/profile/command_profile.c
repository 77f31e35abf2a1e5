/* radiocity profile: what stands between the two ends of a link, and what it costs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "csv_text.h"
#include "exit_status.h"
#include "output_set.h"
#include "outputs.h"
#include "profile_horizon.h"
#include "profile_report.h"
#include "scene_files.h"
#include "session.h"
#include "unusual_values.h"

static rcity_status write_table(rcity_context *context, const profile_link *link)
{
    csv_text made = {0};
    csv_add(&made, "distance_m,x_m,y_m,ground_m,top_m,bulge_m,line_m,fresnel_m,what,building_id\n");
    rcity_point from = link->info.transmitter;
    rcity_point to = link->info.receiver;
    for (int64_t i = 0; i < link->info.point_count; i++) {
        rcity_link_profile_point point;
        if (rcity_link_profile_get_point(link->profile, i, &point) != RCITY_OK) {
            continue;
        }
        double part = point.distance_m / link->info.plan_m;
        const double values[] = {from.x_m + part * (to.x_m - from.x_m),
                                 from.y_m + part * (to.y_m - from.y_m),
                                 point.ground_m,
                                 point.top_m,
                                 point.bulge_m,
                                 point.line_m,
                                 point.fresnel_m};
        csv_add(&made, "%.3f", point.distance_m);
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            csv_add_value(&made, values[k]);
        }
        csv_add(&made, ",%s,", rcity_profile_top_name(point.top));
        if (point.building_id >= 0) {
            csv_add(&made, "%lld", (long long)point.building_id);
        }
        csv_add(&made, "\n");
    }
    rcity_status status =
        made.is_broken ? RCITY_ERR_MEMORY : rcity_text_save(context, link->input->table_path, made.text);
    free(made.text);
    return status;
}

static rcity_status draw(rcity_context *context, const profile_link *link)
{
    char state[PROFILE_STATE_BYTES];
    char budget[PROFILE_BUDGET_BYTES];
    char losses[PROFILE_BUDGET_BYTES] = "";
    const char *lines[3] = {profile_write_state(link, state), losses, profile_write_budget(link, budget)};
    size_t used = 0;
    for (int i = 0; i < link->losses.count && used < sizeof losses; i++) {
        const profile_loss *loss = &link->losses.loss[i];
        if (!isnan(loss->loss_db)) {
            int added = snprintf(losses + used, sizeof losses - used, "%s%s %.1f",
                                 used > 0 ? ", " : "loss in dB: ", loss->word, loss->loss_db);
            used += added > 0 ? (size_t)added : 0;
        }
    }
    rcity_link_profile_draw_options options = rcity_link_profile_draw_options_default();
    options.width_px = link->input->picture_width_px >= 0 ? link->input->picture_width_px : options.width_px;
    options.title = link->input->title;
    options.line_count = budget[0] != '\0' ? 3 : losses[0] != '\0' ? 2 : 1;
    options.line = lines;
    return rcity_link_profile_draw(context, link->profile, &options, link->input->picture_path);
}

/* Both files, or none. */
static rcity_status write_files(rcity_context *context, const profile_link *link)
{
    output_set set;
    rcity_status status = RCITY_OK;
    memset(&set, 0, sizeof set);
    if (link->input->picture_path != NULL) {
        status = output_set_add(&set, link->input->picture_path) ? draw(context, link) : RCITY_ERR_MEMORY;
    }
    if (status == RCITY_OK && link->input->table_path != NULL) {
        status = output_set_add(&set, link->input->table_path) ? write_table(context, link) : RCITY_ERR_MEMORY;
    }
    status = output_set_finish(context, &set, status);
    return status;
}

static rcity_status show_link(rcity_context *context, const rcity_scene *scene, const profile_input *input,
                              const rcity_link_profile_options *options)
{
    rcity_link_profile *profile = NULL;
    profile_link link;
    memset(&link, 0, sizeof link);
    link.input = input;
    rcity_status status = rcity_link_profile_create(context, scene, options, &profile);
    if (status == RCITY_OK) {
        link.profile = profile;
        link.transmitter = options->transmitter;
        status = rcity_link_profile_describe(profile, &link.info);
    }
    if (status == RCITY_OK) {
        status = profile_losses_find(context, scene, input, options, &link.info, &link.losses);
    }
    if (status == RCITY_OK) {
        status = write_files(context, &link);
    }
    if (status == RCITY_OK) {
        profile_report(&link);
    }
    rcity_link_profile_destroy(&profile);
    return status;
}

static int show(rcity_context *context, const profile_input *input)
{
    rcity_scene *scene = NULL;
    rcity_antenna *antenna = NULL;
    rcity_link_profile_options options;
    rcity_status status = scene_file_load(context, input->scene_path, &scene);
    if (status == RCITY_OK) {
        status = profile_input_locate(context, scene, input, &antenna, &options);
    }
    int unusual = status == RCITY_OK ? unusual_values_check("profile", 1, &options.transmitter) : 0;
    if (status == RCITY_OK && unusual == 0 && profile_has_link(input)) {
        status = show_link(context, scene, input, &options);
    }
    if (status == RCITY_OK && unusual == 0 && input->horizon_path != NULL) {
        status = profile_horizon_write(context, scene, input, &options.transmitter);
    }
    int result = status == RCITY_OK ? unusual : session_fail(context, status);
    rcity_antenna_destroy(&antenna);
    rcity_scene_destroy(&scene);
    return result;
}

int command_profile(int count, char **words)
{
    static profile_input input;
    int result = profile_input_read(&input, count, words);
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    rcity_context *context = NULL;
    const char *const inputs[] = {input.scene_path, input.tx.antenna};
    result = session_open(&context);
    result = result == 0 ? output_check_all(context, "profile", input.picture_path, 2, inputs) : result;
    result = result == 0 ? output_check_all(context, "profile", input.table_path, 2, inputs) : result;
    result = result == 0 ? output_check_all(context, "profile", input.horizon_path, 2, inputs) : result;
    if (result == 0) {
        result = show(context, &input);
    }
    session_close(&context);
    return result;
}
