/* What the command line of `predict` says, and what it means in a scene. */
#ifndef CLI_PREDICT_INPUT_H
#define CLI_PREDICT_INPUT_H

#include "arguments.h"
#include "coefficients_input.h"
#include "radiocity/radiocity.h"
#include "transmitter_input.h"

#define PREDICT_HEIGHT_M 1.5 /* of receivers above ground, unless given */

/* Of surfaces. NAN and NULL: not given. */
typedef struct predict_surfaces_input {
    text_list paths;
    const char *band;
    number_list range;
    number_list view;
    number_list facade;
    const char *facade_path;
    double facade_distance_m;
    const char *street_path;
} predict_surfaces_input;

/* Of delays. NAN and NULL: not given. */
typedef struct predict_delays_input {
    const char *path;
    double bin_ns;
} predict_delays_input;

/* Everything the command line said. NAN and NULL: not given. */
typedef struct predict_input {
    const char *scene_path, *device;

    transmitter_input tx;
    const char *sites_path, *sites_crs;
    double sites_height_m; /* NAN: not given */

    number_list heights, area;
    const char *points_path;
    bool extrapolates, skips_out_of_range;

    number_list thresholds;
    double fade_db;

    double bandwidth_mhz, noise_figure_db, load; /* of SINR, which a bandwidth asks for */
    number_list sinr_thresholds;
    const char *demand_path; /* whose covered weight is reported */
    double handover_db;

    const char *output_path;           /* .tif, or .csv with --points */
    text_list pictures, picture_bands; /* in pairs; without bands each has the usual one */
    /* picture_path and picture_band are the first of them */
    const char *output_crs, *sector_folder, *picture_path, *picture_band, *geojson_path, *sites_geojson_path, *kmz_path;
    int picture_width_px;
    bool is_dry_run, wants_json;
    predict_surfaces_input surfaces;
    predict_delays_input delays;

    const char *method; /* of the command line; the request has the one that counts */
    coefficients_input coefficients;
    rcity_request request;
    extra_options extra;
} predict_input;

/* Is SINR asked for? */
bool predict_input_wants_sinr(const predict_input *input);

/* Are tiles of surfaces asked for, instead of a map or points? */
bool predict_input_wants_surfaces(const predict_input *input);

/* Read and check the words after the command. @return as arguments_read(). */
int predict_input_read(predict_input *input, int count, char **words);

/* The transmitters and receivers the input means in a scene. Start from zeroed memory; release with
   predict_world_deinit() in any case. */
typedef struct predict_world {
    rcity_antenna *antenna;
    rcity_sites *sites;
    rcity_points *points;
    int transmitter_count;
    const rcity_transmitter *transmitters; /* of the sites, or the request's one */
} predict_world;

/* Fill the request and the world. */
rcity_status predict_world_init(rcity_context *context, const rcity_scene *scene, predict_input *input,
                                predict_world *world);
void predict_world_deinit(predict_world *world);

#endif
