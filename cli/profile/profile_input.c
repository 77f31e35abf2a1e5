/* The command line of `profile`. */
#include "profile_input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "method_help.h"
#include "outputs.h"

/* The method with several losses. */
static int find_method(void)
{
    rcity_method_info info;
    for (int m = 0; rcity_method_get(m, &info) == RCITY_OK; m++) {
        rcity_method_option option;
        for (int i = 0; rcity_method_get_option(m, i, &option) == RCITY_OK; i++) {
            if (strcmp(option.name, PROFILE_LOSS_OPTION) == 0) {
                return m;
            }
        }
    }
    return -1;
}

static const char *profile_option_at(int index)
{
    rcity_method_option option;
    return rcity_method_get_option(find_method(), index, &option) == RCITY_OK ? option.name : NULL;
}

static bool is_method_option(const char *name)
{
    for (int i = 0; profile_option_at(i) != NULL; i++) {
        if (strcmp(profile_option_at(i), name) == 0) {
            return true;
        }
    }
    return false;
}

int profile_method_option(const profile_input *input, const char *name, rcity_method_option *option)
{
    for (int i = 0; rcity_method_get_option(input->method_index, i, option) == RCITY_OK; i++) {
        if (strcmp(option->name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static void describe(char *text, size_t room)
{
    snprintf(
        text, room, "%s",
        "Show what stands between the two ends of a link: ground, buildings and trees under the straight line, the\n"
        "bulge of the earth, the first Fresnel zone, obstacles, the losses of several models, and the link budget.\n"
        "\nThe losses and their options:\n");
    help_append_method(text, room, find_method(), 0);
    help_append(
        text, room,
        "\nExamples:\n"
        "  radiocity profile --scene hills.rcity --from 500,700,30 --to 4200,3900,10 --frequency-mhz 1800\n"
        "  radiocity profile --scene alps.rcity --from-lonlat 11.57,47.98,25 --to-lonlat 11.38,47.26,10 \\\n"
        "      --frequency-mhz 7000 --power-dbm 20 --antenna dish.msi --rx-gain-dbi 38 --rx-sensitivity-dbm -75 \\\n"
        "      --png link.png --csv link.csv");
}

static int check_end(const char *end, const number_list *place, const number_list *lonlat)
{
    if (place->count > 0 && lonlat->count > 0) {
        return usage_error("profile", "give one of --%s and --%s-lonlat", end, end);
    }
    if (place->count + lonlat->count == 0) {
        return usage_error("profile",
                           "an end of the link is missing; give --%s X,Y,HEIGHT in metres or --%s-lonlat "
                           "LON,LAT,HEIGHT",
                           end, end);
    }
    if (place->count + lonlat->count != 3) {
        return usage_error("profile",
                           lonlat->count > 0 ? "--%s-lonlat takes LONGITUDE,LATITUDE,HEIGHT"
                                             : "--%s takes X,Y,HEIGHT, in metres",
                           end);
    }
    return 0;
}

/* 4/3 and 1.33 are k factors; the earth is flat with `flat`. */
static int read_k_factor(profile_input *input)
{
    char *end = NULL;
    if (input->k_factor_word == NULL) {
        input->k_factor = RCITY_K_FACTOR_STANDARD;
        return 0;
    }
    if (strcmp(input->k_factor_word, "flat") == 0) {
        input->k_factor = HUGE_VAL;
        return 0;
    }
    input->k_factor = strtod(input->k_factor_word, &end);
    if (end == input->k_factor_word || *end != '\0' || !isfinite(input->k_factor)) {
        return usage_error("profile", "--k-factor is '%s', must be a number such as 1.333, or flat",
                           input->k_factor_word);
    }
    return 0;
}

bool profile_has_link(const profile_input *input)
{
    return input->horizon_path == NULL || input->to.count + input->to_lonlat.count > 0;
}

/* Is the loss of the budget one that the method has? */
static int check_loss(const profile_input *input)
{
    rcity_method_option option;
    if (profile_method_option(input, PROFILE_LOSS_OPTION, &option) < 0) {
        return 0;
    }
    for (int i = 0; i < input->extra.count; i++) {
        const char *word = input->extra.value[i];
        size_t length = strlen(word);
        bool is_known = strcmp(input->extra.name[i], PROFILE_LOSS_OPTION) != 0;
        for (const char *at = option.choices; !is_known && at != NULL;
             at = strchr(at, '|') != NULL ? strchr(at, '|') + 1 : NULL) {
            is_known = length > 0 && strncmp(at, word, length) == 0 && (at[length] == '|' || at[length] == '\0');
        }
        if (!is_known) {
            return usage_error("profile", "--loss is '%s', must be one of %s", word, option.choices);
        }
    }
    return 0;
}

static int check_horizon(const profile_input *input)
{
    if (input->horizon_path == NULL) {
        return input->horizon_count < 0
                   ? 0
                   : usage_error("profile", "--horizon-count is of a horizon; give --horizon FILE with it");
    }
    if (input->horizon_count == 0 || input->horizon_count > RCITY_HORIZON_COUNT_MAX) {
        return usage_error("profile", "--horizon-count is %d, must be 1 to %d", input->horizon_count,
                           RCITY_HORIZON_COUNT_MAX);
    }
    if (!profile_has_link(input) && (input->picture_path != NULL || input->table_path != NULL || input->wants_json)) {
        return usage_error("profile", "%s is of a link; give its other end with --to",
                           input->picture_path != NULL ? "--png"
                           : input->table_path != NULL ? "--csv"
                                                       : "--json");
    }
    return 0;
}

static int check_input(profile_input *input)
{
    const output_name outputs[] = {
        {"--png", input->picture_path, ".png", "a picture", false, true},
        {"--csv", input->table_path, ".csv", "a table of points", false, false},
        {"--horizon", input->horizon_path, ".csv", "a table of directions", false, false},
    };
    if (input->scene_path == NULL) {
        return usage_error("profile", "the scene is missing; give --scene FILE");
    }
    int result = check_end("from", &input->tx.place, &input->tx.lonlat);
    result = result == 0 && profile_has_link(input) ? check_end("to", &input->to, &input->to_lonlat) : result;
    result = result == 0 ? check_horizon(input) : result;
    result = result == 0 ? check_loss(input) : result;
    if (result != 0) {
        return result;
    }
    if (profile_has_link(input) && isnan(input->tx.frequency_mhz)) {
        return usage_error("profile", "the frequency is missing; give --frequency-mhz");
    }
    if (input->picture_path == NULL && (input->title != NULL || input->picture_width_px >= 0)) {
        return usage_error("profile", "%s is of a picture; give --png FILE with it",
                           input->title != NULL ? "--title" : "--png-width");
    }
    if (input->picture_width_px >= 0 && (input->picture_width_px < RCITY_PICTURE_WIDTH_MIN_PX ||
                                         input->picture_width_px > RCITY_PICTURE_WIDTH_MAX_PX)) {
        return usage_error("profile", "--png-width is %d, must be %d to %d", input->picture_width_px,
                           RCITY_PICTURE_WIDTH_MIN_PX, RCITY_PICTURE_WIDTH_MAX_PX);
    }
    if (fabs(input->rx_gain_dbi) > RCITY_RX_GAIN_MAX_DBI) {
        return usage_error("profile", "--rx-gain-dbi is %g, must be %g to %g", input->rx_gain_dbi,
                           -RCITY_RX_GAIN_MAX_DBI, RCITY_RX_GAIN_MAX_DBI);
    }
    if (!isnan(input->rx_sensitivity_dbm) && transmitter_input_power_count(&input->tx) == 0) {
        return usage_error("profile", "--rx-sensitivity-dbm needs a power: give --eirp-dbm, --erp-dbm, --power-dbm or "
                                      "--power-w");
    }
    result = read_k_factor(input);
    result = result == 0 ? transmitter_input_check("profile", &input->tx) : result;
    return result == 0 ? output_check_names("profile", sizeof outputs / sizeof outputs[0], outputs) : result;
}

static void set_defaults(profile_input *input)
{
    memset(input, 0, sizeof *input);
    input->tx = transmitter_input_default();
    input->rx_sensitivity_dbm = (double)NAN;
    input->fresnel_share = RCITY_FRESNEL_SHARE;
    input->picture_width_px = input->horizon_count = -1;
    input->method_index = find_method();
    input->extra.accepts = is_method_option;
    input->extra.name_at = profile_option_at;
}

int profile_input_read(profile_input *input, int count, char **words)
{
    static char about[8192];
    describe(about, sizeof about);
    set_defaults(input);
    const cli_option table[] = {
        {"--scene", OPTION_TEXT, &input->scene_path, "FILE", "compiled scene (.rcity), or a wall list (.res)"},
        {"--from", OPTION_NUMBERS, &input->tx.place, "X,Y,H", "transmitter: position, height above ground in metres"},
        {"--from-lonlat", OPTION_NUMBERS, &input->tx.lonlat, "LON,LAT,H",
         "the same by longitude and latitude in degrees"},
        {"--from-name", OPTION_TEXT, &input->tx.name, "NAME", "name shown in the picture"},
        {"--from-absolute", OPTION_FLAG, &input->tx.is_absolute, NULL, "its H counts from height 0 instead"},
        {"--to", OPTION_NUMBERS, &input->to, "X,Y,H", "receiver: position, height above ground in metres"},
        {"--to-lonlat", OPTION_NUMBERS, &input->to_lonlat, "LON,LAT,H",
         "the same by longitude and latitude in degrees"},
        {"--to-absolute", OPTION_FLAG, &input->to_is_absolute, NULL, "its H counts from height 0 instead"},
        TRANSMITTER_RADIO_OPTIONS(&input->tx),
        {"--rx-gain-dbi", OPTION_NUMBER, &input->rx_gain_dbi, "DBI", "gain of the receiver; 0"},
        {"--rx-sensitivity-dbm", OPTION_NUMBER, &input->rx_sensitivity_dbm, "DBM",
         "the weakest power it can use, for the margin"},
        {"--k-factor", OPTION_TEXT, &input->k_factor_word, "K",
         "effective over true radius of the earth, or flat; 4/3, and of losses their own"},
        {"--fresnel-share", OPTION_NUMBER, &input->fresnel_share, "SHARE",
         "part of the first Fresnel zone's radius to keep free; 0.6"},
        {"--extrapolate", OPTION_FLAG, &input->extrapolates, NULL, "losses outside their published ranges too"},
        {"--png", OPTION_TEXT, &input->picture_path, "FILE", "the profile as a picture"},
        {"--png-width", OPTION_COUNT, &input->picture_width_px, "PIXELS", "its width, 400 to 8000; 1200"},
        {"--title", OPTION_TEXT, &input->title, "TEXT", "its title; made from the link unless given"},
        {"--csv", OPTION_TEXT, &input->table_path, "FILE", "the points of the profile as a table"},
        {"--horizon", OPTION_TEXT, &input->horizon_path, "FILE",
         "the transmitter's horizon over bare ground as a table; without --to nothing else"},
        {"--horizon-count", OPTION_COUNT, &input->horizon_count, "N", "directions of it, to 36000; 360"},
        {"--json", OPTION_FLAG, &input->wants_json, NULL, "print everything as one JSON object"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "profile",
        .usage = "Usage: radiocity profile --scene FILE --from X,Y,H --to X,Y,H --frequency-mhz MHZ [options]",
        .about = about,
        .options = table,
        .extra = &input->extra,
    };
    int result = arguments_read(&line, count, words);
    return result != 0 ? result : check_input(input);
}

rcity_status profile_input_locate(rcity_context *context, const rcity_scene *scene, const profile_input *input,
                                  rcity_antenna **antenna, rcity_link_profile_options *options)
{
    *options = rcity_link_profile_options_default();
    options->k_factor = input->k_factor;
    options->fresnel_share = input->fresnel_share;
    options->rx_is_absolute = input->to_is_absolute;
    const number_list *to = input->to_lonlat.count > 0 ? &input->to_lonlat : &input->to;
    options->rx_x_m = to->value[0];
    options->rx_y_m = to->value[1];
    options->rx_height_m = to->value[2];
    rcity_status status = transmitter_input_fill(context, &input->tx, antenna, &options->transmitter);
    if (isnan(input->tx.frequency_mhz)) { /* a horizon has none */
        options->transmitter.frequency_hz = rcity_transmitter_default().frequency_hz;
    }
    if (status == RCITY_OK) {
        status = transmitter_input_locate(context, scene, &input->tx, &options->transmitter);
    }
    if (status == RCITY_OK && input->to_lonlat.count > 0) {
        status =
            rcity_scene_place_lonlat(context, scene, to->value[0], to->value[1], &options->rx_x_m, &options->rx_y_m);
    }
    return status;
}
