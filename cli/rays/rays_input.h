/* The command line of `rays`, and its meaning in a scene. */
#ifndef CLI_RAYS_INPUT_H
#define CLI_RAYS_INPUT_H

#include "arguments.h"
#include "radiocity/radiocity.h"
#include "transmitter_input.h"

/* The command line. NAN and NULL: not given. */
typedef struct rays_input {
    const char *scene_path;
    transmitter_input tx;
    place_list rx, rx_lonlat;
    const char *points_path;
    double rx_height_m; /* of points of the file without one */
    text_list outputs;  /* .geojson, .h5, .csv */
    const char *picture_path;
    int picture_width_px, picture_receiver; /* -1: not given; receivers count from 1 */
    double picture_floor_db;
    int shown_count; /* paths of a receiver that are printed */
    bool is_dry_run, wants_json;
    rcity_request request;
    extra_options extra;
} rays_input;

/* Read and check the words after the command. @return as arguments_read(). */
int rays_input_read(rays_input *input, int count, char **words);

/* Receivers and antenna of the input in a scene. Initialise with zeros; release with rays_world_deinit() in any
   case. */
typedef struct rays_world {
    rcity_antenna *antenna;
    rcity_points *points; /* of a file; NULL without a file */
    int64_t named_first;  /* index of the first receiver of the file, which has a name */
    double *xyh_m;
} rays_world;

/* Fill the request and the world. */
rcity_status rays_world_init(rcity_context *context, const rcity_scene *scene, rays_input *input, rays_world *world);
void rays_world_deinit(rays_world *world);

#endif
