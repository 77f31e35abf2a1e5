/* The command line of `rays`. */
#include "rays_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exit_status.h"
#include "method_help.h"
#include "outputs.h"

#define SHOW_PATHS    10
#define SHOW_PATH_MAX 1000000

/* The first method that finds paths, from a number on; -1: none. */
static int path_method_from(int method_index)
{
    rcity_method_info info;
    for (int i = method_index; rcity_method_get(i, &info) == RCITY_OK; i++) {
        if ((info.serves & RCITY_SERVES_PATHS) != 0) {
            return i;
        }
    }
    return -1;
}

/* Names of these methods' options that affect paths. */
static const char *rays_option_at(int index)
{
    for (int m = path_method_from(0); m >= 0; m = path_method_from(m + 1)) {
        rcity_method_option option;
        for (int i = 0; rcity_method_get_option(m, i, &option) == RCITY_OK; i++) {
            if ((rcity_method_option_uses(m, i) & RCITY_OPTION_OF_MAPS) == 0 && index-- == 0) {
                return option.name;
            }
        }
    }
    return NULL;
}

static bool is_method_option(const char *name)
{
    for (int i = 0; rays_option_at(i) != NULL; i++) {
        if (strcmp(rays_option_at(i), name) == 0) {
            return true;
        }
    }
    return false;
}

static const char about[] =
    "Find every path between a transmitter and each receiver, and say what arrives.\n"
    "\nKinds of paths: direct, or the interactions from the transmitter on: R reflection, D diffraction, T\n"
    "transmission, O an edge of a chain over roofs.\n"
    "\nExamples:\n"
    "  radiocity rays --scene munich.rcity --tx 1281.36,1381.27,13 --rx 1200,1400,1.5 --frequency-mhz 947\n"
    "  radiocity rays --scene city.rcity --tx 500,500,30 --rx 560,470,1.5 --rx 610,520,1.5 \\\n"
    "      --frequency-mhz 3500 --power-dbm 30 --antenna 3gpp --azimuth-deg 90 --max-reflections 3 --png rays.png\n"
    "  radiocity rays --scene slc.rcity --tx-lonlat -111.8885,40.7911,20 --rx-file route.csv \\\n"
    "      --frequency-mhz 3475 -o rays.geojson -o paths.h5 -o receivers.csv --json";

/* The options of the method come from the library's own table. */
static void describe(char *text, size_t room)
{
    snprintf(text, room, "Methods, their options and what these are unless given:\n");
    for (int m = path_method_from(0); m >= 0; m = path_method_from(m + 1)) {
        help_append_method(text, room, m, RCITY_OPTION_OF_MAPS);
    }
}

/* The library that this build lacks for an output, or NULL. */
static const char *missing_library(const char *path)
{
    rcity_build_features features = rcity_build_features_get();
    if (path_ends_with(path, ".h5") && !features.has_hdf5) {
        return "HDF5";
    }
    return path_ends_with(path, ".png") && !features.has_pictures ? "Cairo" : NULL;
}

static int check_output(const rays_input *input, const char *path)
{
    const char *library = missing_library(path);
    if (library != NULL) {
        return output_fail_build(library, path);
    }
    int same_count = 0;
    for (int i = 0; i < input->outputs.count; i++) {
        same_count += strcmp(input->outputs.value[i], path) == 0;
    }
    return same_count <= 1 ? 0 : usage_error("rays", "'%s' is named twice; give each output a name of its own", path);
}

/* The picture and what belongs to it. */
static int check_picture(const rays_input *input)
{
    if (input->picture_path == NULL) {
        const char *alone = input->picture_receiver >= 0      ? "--png-receiver"
                            : !isnan(input->picture_floor_db) ? "--png-floor-db"
                            : input->picture_width_px >= 0    ? "--png-width"
                                                              : NULL;
        return alone == NULL ? 0 : usage_error("rays", "%s is of a picture; give --png FILE with it", alone);
    }
    if (input->picture_receiver == 0) {
        return usage_error("rays", "--png-receiver is 0; receivers count from 1, and without it all are drawn");
    }
    if (!path_ends_with(input->picture_path, ".png")) {
        return usage_error("rays", "a picture ends in .png; let '%s' do so", input->picture_path);
    }
    if (input->picture_width_px >= 0 && (input->picture_width_px < RCITY_PICTURE_WIDTH_MIN_PX ||
                                         input->picture_width_px > RCITY_PICTURE_WIDTH_MAX_PX)) {
        return usage_error("rays", "--png-width is %d, must be %d to %d", input->picture_width_px,
                           RCITY_PICTURE_WIDTH_MIN_PX, RCITY_PICTURE_WIDTH_MAX_PX);
    }
    if (input->picture_floor_db <= 0.0 || input->picture_floor_db > 1000.0) {
        return usage_error("rays", "--png-floor-db is %g, must be above 0 and at most 1000", input->picture_floor_db);
    }
    return check_output(input, input->picture_path);
}

/* Names of the output files, before anything is read. */
static int check_names(const rays_input *input)
{
    for (int i = 0; i < input->outputs.count; i++) {
        const char *path = input->outputs.value[i];
        if (!path_ends_with(path, ".geojson") && !path_ends_with(path, ".h5") && !path_ends_with(path, ".csv")) {
            return usage_error(
                "rays", "'%s' ends in none of .geojson (lines), .h5 (tables of paths) and .csv (receivers)", path);
        }
        int result = check_output(input, path);
        if (result != 0) {
            return result;
        }
    }
    return check_picture(input);
}

static int check_input(const rays_input *input)
{
    if (input->scene_path == NULL) {
        return usage_error("rays", "the scene is missing; give --scene FILE");
    }
    if (input->tx.place.count > 0 && input->tx.lonlat.count > 0) {
        return usage_error("rays", "give one of --tx and --tx-lonlat");
    }
    int result = transmitter_input_check_place("rays", &input->tx, "");
    if (result == 0) {
        result = transmitter_input_check("rays", &input->tx);
    }
    if (result != 0) {
        return result;
    }
    if (input->rx.count + input->rx_lonlat.count == 0 && input->points_path == NULL) {
        return usage_error("rays", "there is no receiver; give --rx X,Y,HEIGHT in metres, --rx-lonlat LON,LAT,HEIGHT "
                                   "or --rx-file FILE");
    }
    if (input->points_path == NULL && !isnan(input->rx_height_m)) {
        return usage_error("rays", "--rx-height is for receivers of --rx-file FILE; --rx has its height with it");
    }
    if (input->shown_count > SHOW_PATH_MAX) {
        return usage_error("rays", "--show is %d, must be at most %d", input->shown_count, SHOW_PATH_MAX);
    }
    return check_names(input);
}

static void set_defaults(rays_input *input)
{
    memset(input, 0, sizeof *input);
    input->tx = transmitter_input_default();
    input->rx_height_m = (double)NAN;
    input->request = rcity_request_default();
    rcity_method_info info;
    input->request.method = rcity_method_get(path_method_from(0), &info) == RCITY_OK ? info.name : "";
    input->shown_count = SHOW_PATHS;
    input->picture_width_px = input->picture_receiver = -1;
    input->picture_floor_db = (double)NAN;
    input->extra.accepts = is_method_option;
    input->extra.name_at = rays_option_at;
}

int rays_input_read(rays_input *input, int count, char **words)
{
    static char methods[8192];
    describe(methods, sizeof methods);
    set_defaults(input);
    const cli_option table[] = {
        {"--scene", OPTION_TEXT, &input->scene_path, "FILE", "compiled scene (.rcity), or a wall list (.res)"},
        TRANSMITTER_PLACE_OPTIONS(&input->tx),
        {"--rx", OPTION_PLACES, &input->rx, "X,Y,H", "a receiver: position, height above ground; may come again"},
        {"--rx-lonlat", OPTION_PLACES, &input->rx_lonlat, "LON,LAT,H", "the same by longitude and latitude in degrees"},
        {"--rx-file", OPTION_TEXT, &input->points_path, "FILE", "receivers from CSV or any vector file (guide: sites)"},
        {"--rx-height", OPTION_NUMBER, &input->rx_height_m, "H", "of those in FILE that have none, in metres; 1.5"},
        {"--method", OPTION_TEXT, &input->request.method, "NAME", "one that finds paths, see below"},
        {"--rx-gain-dbi", OPTION_NUMBER, &input->request.receivers.gain_dbi, "DBI", "gain of the receivers; 0"},
        TRANSMITTER_RADIO_OPTIONS(&input->tx),
        {"--show", OPTION_COUNT, &input->shown_count, "N", "paths of each receiver to print, strongest first; 10"},
        {"-o", OPTION_TEXTS, &input->outputs, "FILE",
         "lines (.geojson), tables of all paths (.h5), receivers (.csv); may come again"},
        {"--png", OPTION_TEXT, &input->picture_path, "FILE", "the picture to write"},
        {"--png-receiver", OPTION_COUNT, &input->picture_receiver, "N", "only paths of receiver N, from 1; all"},
        {"--png-floor-db", OPTION_NUMBER, &input->picture_floor_db, "DB",
         "leave out paths weaker than their receiver's strongest by more; 40"},
        {"--png-width", OPTION_COUNT, &input->picture_width_px, "PIXELS", "its width, 400 to 8000"},
        {"--dry-run", OPTION_FLAG, &input->is_dry_run, NULL, "say what would be done and how much memory it takes"},
        {"--json", OPTION_FLAG, &input->wants_json, NULL, "print everything as one JSON object"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "rays",
        .usage = "Usage: radiocity rays --scene FILE --tx X,Y,H --rx X,Y,H [--rx ...] --frequency-mhz MHZ [options]",
        .about = about,
        .more = methods,
        .options = table,
        .extra = &input->extra,
    };
    int result = arguments_read(&line, count, words);
    return result != 0 ? result : check_input(input);
}
