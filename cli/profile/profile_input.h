/* The command line of `profile`, and its meaning in a scene. */
#ifndef CLI_PROFILE_INPUT_H
#define CLI_PROFILE_INPUT_H

#include "arguments.h"
#include "radiocity/radiocity.h"
#include "transmitter_input.h"

#define PROFILE_LOSS_OPTION "loss" /* of the method that knows several losses over one profile */

/* The command line. NAN and NULL: not given. */
typedef struct profile_input {
    const char *scene_path;
    transmitter_input tx; /* its place is that of --from */
    number_list to, to_lonlat;
    bool to_is_absolute;
    double rx_gain_dbi, rx_sensitivity_dbm;
    const char *k_factor_word; /* NULL: not given */
    double k_factor, fresnel_share;
    bool extrapolates;
    const char *picture_path, *table_path, *title;
    const char *horizon_path; /* of the transmitter's horizon; then there need be no receiver */
    int horizon_count;
    int picture_width_px;
    bool wants_json;
    extra_options extra;
    int method_index; /* that knows the losses */
} profile_input;

/* Read and check the words after the command. @return as arguments_read(). */
int profile_input_read(profile_input *input, int count, char **words);

/* Is a link asked for, and not only a horizon? */
bool profile_has_link(const profile_input *input);

/* Index of an option of the method by its name; -1: it has none of that name. */
int profile_method_option(const profile_input *input, const char *name, rcity_method_option *option);

/* The link in a scene. The caller destroys the antenna, if one is named. */
rcity_status profile_input_locate(rcity_context *context, const rcity_scene *scene, const profile_input *input,
                                  rcity_antenna **antenna, rcity_link_profile_options *options);

#endif
