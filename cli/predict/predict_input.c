/* The command line of `predict`. */
#include "predict_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exit_status.h"
#include "outputs.h"

/* Options of all methods, one after the other. */
static const char *method_option_at(int index)
{
    rcity_method_info info;
    for (int i = 0; rcity_method_get(i, &info); i++) {
        if (index < info.option_count) {
            return info.options[index].name;
        }
        index -= info.option_count;
    }
    return NULL;
}

static bool is_method_option(const char *name)
{
    for (int i = 0; method_option_at(i) != NULL; i++) {
        if (strcmp(method_option_at(i), name) == 0) {
            return true;
        }
    }
    return false;
}

static void append(char *text, size_t room, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, room - used, "%s", more);
}

/* The help lists the methods and their options from the library's own table. */
static void describe_methods(char *text, size_t room)
{
    rcity_method_info info;
    char line[500];
    snprintf(text, room, "%s",
             "Predict the coverage of a transmitter, or of all sectors of a list, and write maps.\n\n"
             "Methods, their options and what these are unless given:\n");
    for (int i = 0; rcity_method_get(i, &info); i++) {
        snprintf(line, sizeof line, "  %-16s %s\n", info.name, info.text);
        append(text, room, line);
        for (int k = 0; k < info.option_count; k++) {
            const rcity_method_option *option = &info.options[k];
            bool takes_words = option->choices != NULL;
            bool takes_numbers = !takes_words || option->maximum > option->minimum;
            snprintf(line, sizeof line, "      --%s %s%s%s (%s%s%s)\n          %s\n", option->name,
                     takes_numbers ? "NUMBER" : "", takes_numbers && takes_words ? "|" : "",
                     takes_words ? option->choices : "", option->default_value, option->unit[0] != '\0' ? ", in " : "",
                     option->unit, option->text);
            append(text, room, line);
        }
    }
    append(
        text, room,
        "\nExamples:\n"
        "  radiocity predict --scene munich.rcity --tx 1281.36,1381.27,13 --frequency-mhz 947 -o map.tif --png "
        "map.png\n"
        "  radiocity predict --scene slc.rcity --tx-lonlat -111.8885,40.7911,20 --frequency-mhz 3475 --eirp-dbm 50 \\\n"
        "      --thresholds -95,-85,-75 -o map.tif --kmz map.kmz\n"
        "  radiocity predict --scene city.rcity --sites sites.csv --method walfisch-ikegami --thresholds -95,-85 \\\n"
        "      -o network.tif --sector-maps sectors --geojson coverage.geojson\n"
        "  radiocity predict --scene city.rcity --sites sites.csv --points route.csv -o levels.csv\n"
        "  radiocity predict --scene city.rcity --tx 500,500,30 --frequency-mhz 3500 --rx-height 1.5,10 --dry-run");
}

/* Output files: the option that names each, its ending, and what a build must have for it. */
typedef struct named_output {
    const char *option, *path, *ending, *what;
    bool needs_gdal, needs_cairo;
} named_output;

#define NAMED_OUTPUT_COUNT 5

static void list_outputs(const predict_input *input, named_output outputs[NAMED_OUTPUT_COUNT])
{
    bool has_points = input->points_path != NULL;
    const named_output all[NAMED_OUTPUT_COUNT] = {
        {"-o", input->output_path, has_points ? ".csv" : ".tif", has_points ? "a table of points" : "a map",
         !has_points, false},
        {"--png", input->picture_path, ".png", "a picture", false, true},
        {"--geojson", input->geojson_path, ".geojson", "a file of coverage areas", true, false},
        {"--sites-geojson", input->sites_geojson_path, ".geojson", "a file of transmitters", true, false},
        {"--kmz", input->kmz_path, ".kmz", "a file for globes", true, true},
    };
    memcpy(outputs, all, sizeof all);
}

/* Names of the output files, before anything is read. */
static int check_names(const predict_input *input)
{
    named_output outputs[NAMED_OUTPUT_COUNT];
    list_outputs(input, outputs);
    rcity_build_features features = rcity_build_features_get();
    for (int i = 0; i < NAMED_OUTPUT_COUNT; i++) {
        const named_output *output = &outputs[i];
        if (output->path == NULL) {
            continue;
        }
        bool is_tiff = strcmp(output->ending, ".tif") == 0 && path_ends_with(output->path, ".tiff");
        if (!is_tiff && !path_ends_with(output->path, output->ending)) {
            return usage_error("predict", "%s ends in %s; let '%s' do so", output->what, output->ending, output->path);
        }
        for (int k = 0; k < i; k++) {
            if (outputs[k].path != NULL && strcmp(outputs[k].path, output->path) == 0) {
                return usage_error("predict", "%s and %s are the same file '%s'", outputs[k].option, output->option,
                                   output->path);
            }
        }
        bool lacks_gdal = output->needs_gdal && !features.has_geotiff;
        if (lacks_gdal || (output->needs_cairo && !features.has_pictures)) {
            fprintf(stderr, "radiocity: this build has no %s and cannot write '%s'; build it with that library\n",
                    lacks_gdal ? "GDAL" : "Cairo", output->path);
            return EXIT_UNSUPPORTED;
        }
    }
    if (input->picture_width_px < RCITY_PICTURE_WIDTH_MIN_PX || input->picture_width_px > RCITY_PICTURE_WIDTH_MAX_PX) {
        return usage_error("predict", "--png-width is %d, must be %d to %d", input->picture_width_px,
                           RCITY_PICTURE_WIDTH_MIN_PX, RCITY_PICTURE_WIDTH_MAX_PX);
    }
    return 0;
}

static int power_count(const predict_input *input)
{
    return !isnan(input->eirp_dbm) + !isnan(input->erp_dbm) + !isnan(input->power_dbm) + !isnan(input->power_w);
}

/* Where the transmitters come from. */
static int check_transmitter(const predict_input *input)
{
    bool has_tx = input->tx.count > 0;
    bool has_lonlat = input->tx_lonlat.count > 0;
    bool has_sites = input->sites_path != NULL;
    if (has_tx + has_lonlat + has_sites > 1) {
        return usage_error("predict", "give one of --tx, --tx-lonlat and --sites");
    }
    if (!has_lonlat && !has_sites && input->tx.count != 3) {
        return usage_error("predict", "the transmitter is missing or incomplete; give --tx X,Y,HEIGHT in metres, "
                                      "--tx-lonlat LON,LAT,HEIGHT or --sites FILE");
    }
    if (has_lonlat && input->tx_lonlat.count != 3) {
        return usage_error("predict", "--tx-lonlat takes LONGITUDE,LATITUDE,HEIGHT in degrees and metres");
    }
    if (!has_sites && isnan(input->frequency_mhz)) {
        return usage_error("predict", "the frequency is missing; give --frequency-mhz");
    }
    if (power_count(input) > 1) {
        return usage_error("predict", "give one of --eirp-dbm, --erp-dbm, --power-dbm and --power-w");
    }
    if (input->cable_loss_db != 0.0 && (!isnan(input->eirp_dbm) || !isnan(input->erp_dbm))) {
        return usage_error("predict", "EIRP and ERP are behind the cable: --cable-loss-db goes with --power-dbm or "
                                      "--power-w");
    }
    if (!isnan(input->power_w) && !(input->power_w > 0.0)) {
        return usage_error("predict", "--power-w is %g, must be above 0", input->power_w);
    }
    return 0;
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
    if (wants_levels && input->sites_path == NULL && power_count(input) == 0) {
        return usage_error("predict", "thresholds are received power; give --eirp-dbm, --erp-dbm, --power-dbm or "
                                      "--power-w");
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
    bool has_output = input->output_path != NULL || has_map_output || input->sites_geojson_path != NULL;
    if (!has_output && !input->is_dry_run && !input->wants_json) {
        return usage_error("predict",
                           "nothing would come of it; give -o FILE.tif, --png FILE.png, --json or --dry-run");
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
    if (strcmp(input->synthesis, "projection") != 0 && strcmp(input->synthesis, "sum") != 0) {
        return usage_error("predict", "--synthesis is '%s', must be projection or sum", input->synthesis);
    }
    result = check_wishes(input);
    return result != 0 ? result : check_names(input);
}

static void set_defaults(predict_input *input)
{
    memset(input, 0, sizeof *input);
    input->frequency_mhz = (double)NAN;
    input->eirp_dbm = input->erp_dbm = input->power_dbm = input->power_w = (double)NAN;
    input->electrical_tilt_deg = (double)NAN;
    input->synthesis = "projection";
    input->heights.count = 1;
    input->heights.value[0] = 1.5;
    input->request = rcity_request_default();
    input->picture_width_px = rcity_picture_options_default().width_px;
    input->extra.accepts = is_method_option;
    input->extra.name_at = method_option_at;
}

int predict_input_read(predict_input *input, int count, char **words)
{
    static char about[16384];
    describe_methods(about, sizeof about);
    set_defaults(input);
    const cli_option table[] = {
        {"--scene", OPTION_TEXT, &input->scene_path, "FILE", "compiled scene (.rcity), or a wall list (.res)"},
        {"--tx", OPTION_NUMBERS, &input->tx, "X,Y,H", "transmitter: position, height above ground in metres"},
        {"--tx-lonlat", OPTION_NUMBERS, &input->tx_lonlat, "LON,LAT,H",
         "the same by longitude and latitude in degrees"},
        {"--tx-name", OPTION_TEXT, &input->request.transmitter.name, "NAME", "name shown in the picture"},
        {"--tx-absolute", OPTION_FLAG, &input->request.transmitter.is_absolute, NULL, "H counts from height 0 instead"},
        {"--sites", OPTION_TEXT, &input->sites_path, "FILE",
         "many transmitters: CSV or any vector file (guide: sites)"},
        {"--sites-crs", OPTION_TEXT, &input->sites_crs, "CRS", "of x and y in FILE, where it states none; the scene's"},
        {"--frequency-mhz", OPTION_NUMBER, &input->frequency_mhz, "MHZ", "carrier frequency"},
        {"--eirp-dbm", OPTION_NUMBER, &input->eirp_dbm, "DBM", "radiated power against an isotropic antenna"},
        {"--erp-dbm", OPTION_NUMBER, &input->erp_dbm, "DBM", "the same against a half-wave dipole (2.15 dB less)"},
        {"--power-dbm", OPTION_NUMBER, &input->power_dbm, "DBM", "power into the cable"},
        {"--power-w", OPTION_NUMBER, &input->power_w, "W", "the same in watts"},
        {"--cable-loss-db", OPTION_NUMBER, &input->cable_loss_db, "DB", "with --power-dbm and --power-w; 0"},
        {"--antenna", OPTION_TEXT, &input->antenna, "NAME|FILE", "isotropic, dipole, 3gpp, or an MSI or CSV file"},
        {"--synthesis", OPTION_TEXT, &input->synthesis, "WORD", "projection or sum: pattern from two cuts; projection"},
        {"--azimuth", OPTION_NUMBER, &input->azimuth_deg, "DEG", "where it looks, clockwise from true north; 0"},
        {"--tilt", OPTION_NUMBER, &input->mechanical_tilt_deg, "DEG", "mechanical tilt, down is positive; 0"},
        {"--electrical-tilt", OPTION_NUMBER, &input->electrical_tilt_deg, "DEG",
         "whole electrical tilt; the pattern's"},
        {"--method", OPTION_TEXT, &input->request.method, "NAME", "see above; free-space unless given"},
        {"--extrapolate", OPTION_FLAG, &input->extrapolates, NULL, "use a model outside its published range"},
        {"--skip-out-of-range", OPTION_FLAG, &input->skips_out_of_range, NULL, "leave receivers outside it empty"},
        {"--cell", OPTION_NUMBER, &input->request.receivers.cell_m, "METRES", "edge of a receiver cell; 5"},
        {"--rx-height", OPTION_NUMBERS, &input->heights, "H[,H...]", "receiver heights above ground in metres; 1.5"},
        {"--rx-gain-dbi", OPTION_NUMBER, &input->request.receivers.gain_dbi, "DBI", "gain of the receivers; 0"},
        {"--area", OPTION_NUMBERS, &input->area, "X0,Y0,X1,Y1", "part of the scene to predict; all of it unless given"},
        {"--points", OPTION_TEXT, &input->points_path, "FILE", "receivers from CSV or any vector file instead"},
        {"--thresholds", OPTION_NUMBERS, &input->thresholds, "DBM[,DBM...]", "levels of received power to report"},
        {"--fade-db", OPTION_NUMBER, &input->fade_db, "DB", "log-normal fading: coverage as probability"},
        {"--device", OPTION_TEXT, &input->device, "ID",
         "host or opencl:N (see 'radiocity devices'); the best there is"},
        {"-o", OPTION_TEXT, &input->output_path, "FILE", "the map (.tif, with a QGIS style .qml), or points (.csv)"},
        {"--out-crs", OPTION_TEXT, &input->output_crs, "CRS", "of the GeoTIFFs; the scene's unless given"},
        {"--sector-maps", OPTION_TEXT, &input->sector_folder, "FOLDER", "one GeoTIFF for each sector of --sites"},
        {"--png", OPTION_TEXT, &input->picture_path, "FILE", "the picture to write"},
        {"--png-band", OPTION_TEXT, &input->picture_band, "NAME",
         "its band, NAME or NAME@HEIGHT, also of the style; received_power, else path_loss"},
        {"--png-width", OPTION_COUNT, &input->picture_width_px, "PIXELS", "its width, 400 to 8000"},
        {"--geojson", OPTION_TEXT, &input->geojson_path, "FILE", "areas where thresholds are reached, as polygons"},
        {"--sites-geojson", OPTION_TEXT, &input->sites_geojson_path, "FILE", "the transmitters as points"},
        {"--kmz", OPTION_TEXT, &input->kmz_path, "FILE", "map, areas and transmitters for a globe"},
        {"--dry-run", OPTION_FLAG, &input->is_dry_run, NULL, "say what would be done and how much memory it takes"},
        {"--json", OPTION_FLAG, &input->wants_json, NULL, "print the summary as one JSON object"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "predict",
        .usage = "Usage: radiocity predict --scene FILE --tx X,Y,H --frequency-mhz MHZ [options] -o map.tif --png "
                 "map.png\n"
                 "       radiocity predict --scene FILE --sites FILE [options] -o network.tif",
        .about = about,
        .options = table,
        .extra = &input->extra,
    };
    int result = arguments_read(&line, count, words);
    return result != 0 ? result : check_input(input);
}
