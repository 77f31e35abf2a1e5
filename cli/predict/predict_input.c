/* The command line of `predict`. */
#include "predict_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "help.h"
#include "method_help.h"
#include "outputs.h"
#include "predict_delays.h"
#include "predict_surfaces.h"

static const char about[] =
    "Predict the coverage of a transmitter, or of all sectors of a list, and write maps.\n"
    "\nExamples:\n"
    "  radiocity predict --scene munich.rcity --tx 1281.36,1381.27,13 --frequency-mhz 947 -o map.tif --png "
    "map.png\n"
    "  radiocity predict --scene slc.rcity --tx-lonlat -111.8885,40.7911,20 --frequency-mhz 3475 --eirp-dbm 50 \\\n"
    "      --thresholds -95,-85,-75 -o map.tif --kmz map.kmz\n"
    "  radiocity predict --scene city.rcity --sites sites.csv --method walfisch-ikegami --thresholds -95,-85 \\\n"
    "      -o network.tif --sector-maps sectors --geojson coverage.geojson\n"
    "  radiocity predict --scene city.rcity --sites sites.csv --bandwidth-mhz 10 --load-fraction 0.5 --png "
    "sinr.png \\\n"
    "      --png-band sinr\n"
    "  radiocity predict --scene city.rcity --sites sites.csv --points route.csv -o levels.csv\n"
    "  radiocity predict --scene city.rcity --tx 500,500,30 --frequency-mhz 3500 --rx-height 1.5,10 --dry-run";

/* The help lists the methods and their options from the library's own table. */
static void describe_methods(char *text, size_t room)
{
    snprintf(text, room, "Methods, their options and what these are unless given:\n");
    help_append_methods(text, room);
}

/* Names of the output files, before anything is read. */
static int check_names(const predict_input *input)
{
    bool has_points = input->points_path != NULL;
    bool is_vector = has_points && input->output_path != NULL &&
                     (path_ends_with(input->output_path, ".gpkg") || path_ends_with(input->output_path, ".geojson"));
    const output_name outputs[] = {
        {"-o", input->output_path,
         !has_points  ? ".tif"
         : !is_vector ? ".csv"
                      : strrchr(input->output_path, '.'),
         has_points ? "a table of points (or a vector of them in .gpkg or .geojson)" : "a map",
         !has_points || is_vector, false},
        {"--geojson", input->geojson_path, ".geojson", "a file of coverage areas", true, false},
        {"--sites-geojson", input->sites_geojson_path, ".geojson", "a file of transmitters", true, false},
        {"--kmz", input->kmz_path, ".kmz", "a file for globes", true, true},
        {"--delays", input->delays.path, ".h5", "a file of delays", false, false},
    };
    int result = output_check_names("predict", sizeof outputs / sizeof outputs[0], outputs);
    for (int i = 0; i < input->pictures.count && result == 0; i++) {
        const output_name picture = {"--png", input->pictures.value[i], ".png", "a picture", false, true};
        result = output_check_names("predict", 1, &picture);
        for (int k = 0; k < i && result == 0; k++) {
            if (strcmp(input->pictures.value[k], input->pictures.value[i]) == 0) {
                result = usage_error("predict", "--png names '%s' twice; give each picture its own name", picture.path);
            }
        }
    }
    if (result != 0) {
        return result;
    }
    if (input->picture_bands.count > 1 && input->picture_bands.count != input->pictures.count) {
        return usage_error("predict",
                           "there are %d --png and %d --png-band; give each picture its band, in their order",
                           input->pictures.count, input->picture_bands.count);
    }
    if (input->picture_bands.count == 1 && input->pictures.count > 1) {
        return usage_error("predict",
                           "there are %d --png and one --png-band; give each picture its band, in their order",
                           input->pictures.count);
    }
    if (input->picture_width_px < RCITY_PICTURE_WIDTH_MIN_PX || input->picture_width_px > RCITY_PICTURE_WIDTH_MAX_PX) {
        return usage_error("predict", "--png-width is %d, must be %d to %d", input->picture_width_px,
                           RCITY_PICTURE_WIDTH_MIN_PX, RCITY_PICTURE_WIDTH_MAX_PX);
    }
    return 0;
}

/* Where the transmitters come from. */
static int check_transmitter(const predict_input *input)
{
    bool has_sites = input->sites_path != NULL;
    int result = 0;
    if ((input->tx.place.count > 0) + (input->tx.lonlat.count > 0) + has_sites > 1) {
        return usage_error("predict", "give one of --tx, --tx-lonlat and --sites");
    }
    if (!has_sites) {
        result = transmitter_input_check_place("predict", &input->tx, " or --sites FILE");
    }
    return result != 0 ? result : transmitter_input_check("predict", &input->tx);
}

bool predict_input_wants_sinr(const predict_input *input)
{
    return !isnan(input->bandwidth_mhz);
}

/* Interference is among the sectors of a network; the other options mean nothing without a channel. */
static int check_sinr(const predict_input *input)
{
    if (!predict_input_wants_sinr(input)) {
        const char *lone = !isnan(input->noise_figure_db)     ? "--noise-figure-db"
                           : !isnan(input->load)              ? "--load-fraction"
                           : input->sinr_thresholds.count > 0 ? "--sinr-thresholds"
                                                              : NULL;
        return lone == NULL ? 0 : usage_error("predict", "%s is for maps of SINR; give --bandwidth-mhz", lone);
    }
    if (input->bandwidth_mhz * 1e6 < RCITY_BANDWIDTH_MIN_HZ || input->bandwidth_mhz * 1e6 > RCITY_BANDWIDTH_MAX_HZ) {
        return usage_error("predict", "--bandwidth-mhz is %.10g, must be %g to %g", input->bandwidth_mhz,
                           RCITY_BANDWIDTH_MIN_HZ * 1e-6, RCITY_BANDWIDTH_MAX_HZ * 1e-6);
    }
    if (input->sites_path == NULL || input->points_path != NULL) {
        return usage_error("predict", "--bandwidth-mhz makes a map of SINR from the sectors of --sites%s",
                           input->sites_path == NULL ? "; for one transmitter give a list of one line"
                                                     : ", not a table of --points");
    }
    if (input->sinr_thresholds.count > RCITY_THRESHOLD_COUNT_MAX) {
        return usage_error("predict", "there are %d thresholds of SINR, must be at most %d",
                           input->sinr_thresholds.count, RCITY_THRESHOLD_COUNT_MAX);
    }
    return 0;
}

/* Thresholds of SINR that are not given: where LTE and NR just hold on, where signal and disturbance are equal, and
   where service is good. */
static void choose_sinr_thresholds(predict_input *input)
{
    static const double usual_db[] = {-6.0, 0.0, 10.0};
    if (predict_input_wants_sinr(input) && input->sinr_thresholds.count == 0) {
        input->sinr_thresholds.count = sizeof usual_db / sizeof usual_db[0];
        memcpy(input->sinr_thresholds.value, usual_db, sizeof usual_db);
    }
}

static int check_wishes(const predict_input *input)
{
    bool wants_levels = input->thresholds.count > 0 || input->geojson_path != NULL;
    if (input->thresholds.count > RCITY_THRESHOLD_COUNT_MAX) {
        return usage_error("predict", "there are %d thresholds, must be at most %d", input->thresholds.count,
                           RCITY_THRESHOLD_COUNT_MAX);
    }
    if (input->geojson_path != NULL && input->thresholds.count == 0) {
        return usage_error("predict", "--geojson draws where thresholds are reached; give --thresholds");
    }
    if (input->fade_db > 0.0 && input->thresholds.count == 0) {
        return usage_error("predict", "--fade-db is for thresholds; give --thresholds");
    }
    if (wants_levels && input->sites_path == NULL && transmitter_input_power_count(&input->tx) == 0) {
        return usage_error("predict", "thresholds are received power; give --eirp-dbm, --erp-dbm, --power-dbm or "
                                      "--power-w");
    }
    if (input->demand_path != NULL && (input->sites_path == NULL || input->thresholds.count == 0)) {
        return usage_error("predict", "--demand says how much a network covers; give --sites and --thresholds");
    }
    if (!(input->handover_db >= 0.0 && input->handover_db <= 100.0)) {
        return usage_error("predict", "--handover-db is %g, must be 0 to 100", input->handover_db);
    }
    if (input->sector_folder != NULL && input->sites_path == NULL) {
        return usage_error("predict", "--sector-maps is for --sites; the map of one transmitter is -o");
    }
    bool has_map_output = input->picture_path != NULL || input->geojson_path != NULL || input->kmz_path != NULL ||
                          input->sector_folder != NULL || input->thresholds.count > 0;
    if (input->points_path != NULL && has_map_output) {
        return usage_error("predict",
                           "--points yields a table; --png, --kmz, --geojson, --sector-maps and --thresholds "
                           "are for maps");
    }
    bool has_output = input->output_path != NULL || has_map_output || input->sites_geojson_path != NULL ||
                      predict_input_wants_surfaces(input) || input->delays.path != NULL;
    if (!has_output && !input->is_dry_run && !input->wants_json) {
        return usage_error("predict", "no output requested; give -o FILE.tif, --png FILE.png, --json or --dry-run");
    }
    return 0;
}

static int check_input(const predict_input *input)
{
    if (input->scene_path == NULL) {
        return usage_error("predict", "the scene is missing; give --scene FILE");
    }
    int result = check_transmitter(input);
    if (result != 0) {
        return result;
    }
    if (input->area.count != 0 && input->area.count != 4) {
        return usage_error("predict", "--area takes XMIN,YMIN,XMAX,YMAX");
    }
    if (input->extrapolates && input->skips_out_of_range) {
        return usage_error("predict", "give one of --extrapolate and --skip-out-of-range");
    }
    result = predict_surfaces_check(input);
    result = result != 0 ? result : predict_delays_check(input);
    result = result != 0 ? result : check_wishes(input);
    result = result != 0 ? result : check_sinr(input);
    return result != 0 ? result : check_names(input);
}

static void set_defaults(predict_input *input)
{
    memset(input, 0, sizeof *input);
    input->tx = transmitter_input_default();
    input->heights.count = 1;
    input->heights.value[0] = PREDICT_HEIGHT_M;
    input->request = rcity_request_default();
    input->sites_height_m = (double)NAN;
    input->bandwidth_mhz = input->noise_figure_db = input->load = (double)NAN;
    input->picture_width_px = rcity_picture_options_default().width_px;
    input->handover_db = rcity_siting_options_default().handover_db;
    predict_surfaces_set_defaults(&input->surfaces);
    predict_delays_set_defaults(&input->delays);
    input->extra.accepts = method_option_exists;
    input->extra.name_at = method_option_at;
}

int predict_input_read(predict_input *input, int count, char **words)
{
    static char methods[32768];
    describe_methods(methods, sizeof methods);
    set_defaults(input);
    char method_text[METHOD_TEXT_BYTES];
    const cli_option table[] = {
        {"--scene", OPTION_TEXT, &input->scene_path, "FILE", "compiled scene (.rcity), or a wall list (.res)"},
        TRANSMITTER_PLACE_OPTIONS(&input->tx),
        {"--sites", OPTION_TEXT, &input->sites_path, "FILE",
         "many transmitters: CSV or any vector file (guide: sites)"},
        TRANSMITTER_FREQUENCY_OPTIONS(&input->tx),
        {"--method", OPTION_TEXT, &input->method, "NAME",
         help_describe_method("of --help methods", true, method_text, sizeof method_text)},
        {"--cell", OPTION_NUMBER, &input->request.receivers.cell_m, "METRES", "edge of a receiver cell; 5"},
        {"--rx-height", OPTION_NUMBERS, &input->heights, "H[,H...]", "receiver heights above ground in metres; 1.5"},
        {"--points", OPTION_TEXT, &input->points_path, "FILE", "receivers from CSV or any vector file instead"},
        {"--thresholds", OPTION_NUMBERS, &input->thresholds, "DBM[,DBM...]", "levels of received power to report"},
        {"-o", OPTION_TEXT, &input->output_path, "FILE",
         "the map (.tif, with a QGIS style .qml), or points (.csv, .gpkg, .geojson)"},
        {"--png", OPTION_TEXTS, &input->pictures, "FILE", "the picture to write; may come again, each with its band"},
        {"--dry-run", OPTION_FLAG, &input->is_dry_run, NULL, "say what would be done and how much memory it takes"},
        {"--json", OPTION_FLAG, &input->wants_json, NULL, "print the summary as one JSON object"},
        OPTION_GROUP("sites", "Of lists of sites and of points"),
        {"--sites-crs", OPTION_TEXT, &input->sites_crs, "CRS", "of x and y in FILE, where it states none; the scene's"},
        {"--sites-height-m", OPTION_NUMBER, &input->sites_height_m, "H",
         "above ground, of sectors in FILE without one"},
        OPTION_GROUP("transmitter", "Power, antenna and direction; with --sites what a sector does not state"),
        TRANSMITTER_ANTENNA_OPTIONS(&input->tx),
        OPTION_GROUP("method", "How and where to predict"),
        {"--visibility", OPTION_TEXT, &input->request.visibility, "FILE",
         "of radiocity visibility, for methods that use one"},
        {"--coefficients", OPTION_TEXT, &input->coefficients.path, "FILE",
         "method and options that calibrate found; those given here win"},
        {"--extrapolate", OPTION_FLAG, &input->extrapolates, NULL, "use a model outside its published range"},
        {"--skip-out-of-range", OPTION_FLAG, &input->skips_out_of_range, NULL, "leave receivers outside it empty"},
        {"--rx-gain-dbi", OPTION_NUMBER, &input->request.receivers.gain_dbi, "DBI", "gain of the receivers; 0"},
        {"--area", OPTION_NUMBERS, &input->area, "X0,Y0,X1,Y1", "part of the scene to predict; all of it unless given"},
        {"--device", OPTION_TEXT, &input->device, "ID",
         "host or opencl:N (see 'radiocity devices'); the best there is"},
        OPTION_GROUP("coverage", "Coverage, fading and interference"),
        {"--fade-db", OPTION_NUMBER, &input->fade_db, "DB", "log-normal fading: coverage as probability"},
        {"--bandwidth-mhz", OPTION_NUMBER, &input->bandwidth_mhz, "MHZ",
         "of a channel; makes a band sinr, with --sites"},
        {"--noise-figure-db", OPTION_NUMBER, &input->noise_figure_db, "DB", "of the receivers, for sinr; 7"},
        {"--load-fraction", OPTION_NUMBER, &input->load, "SHARE",
         "of the time that other sectors send, for sinr, 0 to 1; 1"},
        {"--sinr-thresholds", OPTION_NUMBERS, &input->sinr_thresholds, "DB[,DB...]", "to report; -6,0,10"},
        {"--demand", OPTION_TEXT, &input->demand_path, "FILE",
         "points with weights (guide: plan): how much --sites cover"},
        {"--handover-db", OPTION_NUMBER, &input->handover_db, "DB", "servers within this margin overlap there; 6"},
        OPTION_GROUP("outputs", "Further outputs"),
        {"--out-crs", OPTION_TEXT, &input->output_crs, "CRS", "of the GeoTIFFs; the scene's unless given"},
        {"--sector-maps", OPTION_TEXT, &input->sector_folder, "FOLDER", "one GeoTIFF for each sector of --sites"},
        {"--png-band", OPTION_TEXTS, &input->picture_bands, "NAME",
         "its band, NAME or NAME@HEIGHT, also of the style; received_power, else path_loss"},
        {"--png-width", OPTION_COUNT, &input->picture_width_px, "PIXELS", "its width, 400 to 8000"},
        {"--geojson", OPTION_TEXT, &input->geojson_path, "FILE", "areas where thresholds are reached, as polygons"},
        {"--sites-geojson", OPTION_TEXT, &input->sites_geojson_path, "FILE", "the transmitters as points"},
        {"--kmz", OPTION_TEXT, &input->kmz_path, "FILE", "map, areas and transmitters for a globe"},
        PREDICT_DELAYS_OPTIONS(&input->delays),
        OPTION_GROUP("surfaces", "Tiles of walls, roofs and streets"),
        PREDICT_SURFACES_OPTIONS(&input->surfaces),
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "predict",
        .usage =
            "Usage: radiocity predict --scene FILE --tx X,Y,H --frequency-mhz MHZ [options] -o map.tif --png "
            "map.png\n"
            "       radiocity predict --scene FILE --sites FILE [options] -o network.tif\n"
            "       radiocity predict --scene FILE --tx X,Y,H --frequency-mhz MHZ --method NAME --surfaces city.glb",
        .about = about,
        .more = methods,
        .options = table,
        .extra = &input->extra,
    };
    int result = arguments_read(&line, count, words);
    input->picture_path = input->pictures.count > 0 ? input->pictures.value[0] : NULL;
    input->picture_band = input->picture_bands.count > 0 ? input->picture_bands.value[0] : NULL;
    result = result != 0 ? result : check_input(input);
    if (result == 0) {
        input->request.method = input->method != NULL ? input->method : input->request.method;
        choose_sinr_thresholds(input);
    }
    return result;
}
