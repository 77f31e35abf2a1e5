/* The command line of `plan`. */
#ifndef CLI_PLAN_PLAN_INPUT_H
#define CLI_PLAN_PLAN_INPUT_H

#include "arguments.h"
#include "coefficients_input.h"
#include "radiocity/radiocity.h"
#include "transmitter_input.h"

typedef struct plan_input {
    const char *scene_path, *method, *device;
    const char *demand_path, *raster_path, *raster_band;
    bool uses_buildings;
    double cluster_m, rx_height_m;
    transmitter_input station;
    double height_m; /* of stations */
    number_list heights, powers_db, tilts_deg, area;
    const char *place, *candidates_path, *existing_path, *forbidden_path;
    bool extrapolates, skips_out_of_range;
    double bandwidth_mhz, noise_figure_db, load;
    rcity_siting_options options;
    rcity_request request;
    extra_options extra;
    coefficients_input coefficients;
    const char *output_path, *report_folder, *points_path;
    double report_cell_m;
    bool wants_json;
} plan_input;

/* @return 0 to go on, EXIT_USAGE after a message, or -1 when help was printed. */
int plan_input_read(plan_input *input, int count, char **words);

/* What the input means in a scene. Release with plan_world_deinit() in any case. */
typedef struct plan_world {
    rcity_antenna *antenna;
    rcity_demand *demand;
    rcity_sites *existing;
    double *candidate_xyh_m;
    int *forbidden_point_count;
    double *forbidden_xy_m;
} plan_world;

/* Fills input->options too. @return 0, or an exit status after a message. */
int plan_world_init(rcity_context *context, const rcity_scene *scene, plan_input *input, plan_world *world);
void plan_world_deinit(plan_world *world);

#endif
