/* radiocity predict */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "command.h"
#include "exit_status.h"
#include "json.h"
#include "outputs.h"
#include "scene_files.h"
#include "session.h"

/* Everything the command line said. */
typedef struct predict_input {
    const char *scene_path, *device, *map_path, *picture_path;
    int picture_width_px;
    number_list tx, heights, area;
    double frequency_mhz;
    bool is_dry_run, wants_json;
    rcity_request request;
    extra_options extra;
} predict_input;

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
    char line[400];
    snprintf(text, room, "%s",
             "Predict the coverage of one transmitter and write it as GeoTIFF and picture.\n\nMethods:\n");
    for (int i = 0; rcity_method_get(i, &info); i++) {
        snprintf(line, sizeof line, "  %-12s %s\n", info.name, info.text);
        append(text, room, line);
        for (int k = 0; k < info.option_count; k++) {
            const rcity_method_option *option = &info.options[k];
            snprintf(line, sizeof line, "    --%s %s   %s (%s unless given)\n", option->name,
                     option->choices != NULL ? option->choices : option->unit, option->text, option->default_value);
            append(text, room, line);
        }
    }
    append(text, room,
           "\nExamples:\n"
           "  radiocity predict --scene munich.rcity --tx 1281.36,1381.27,13 --frequency-mhz 947 -o map.tif --png "
           "map.png\n"
           "  radiocity predict --scene city.rcity --tx 500,500,30 --frequency-mhz 3500 --rx-height 1.5,10 --dry-run");
}

/* Names of the output files, before anything is read. */
static int check_names(const predict_input *input)
{
    const char *map = input->map_path;
    const char *picture = input->picture_path;
    if (map != NULL && picture != NULL && strcmp(map, picture) == 0) {
        return usage_error("predict", "-o and --png are the same file '%s'", map);
    }
    if (map != NULL && !path_ends_with(map, ".tif") && !path_ends_with(map, ".tiff")) {
        return usage_error("predict", "the map is GeoTIFF; let '%s' end in .tif", map);
    }
    if (picture != NULL && !path_ends_with(picture, ".png")) {
        return usage_error("predict", "the picture is PNG; let '%s' end in .png", picture);
    }
    if (input->picture_width_px < RCITY_PICTURE_WIDTH_MIN_PX || input->picture_width_px > RCITY_PICTURE_WIDTH_MAX_PX) {
        return usage_error("predict", "--png-width is %d, must be %d to %d", input->picture_width_px,
                           RCITY_PICTURE_WIDTH_MIN_PX, RCITY_PICTURE_WIDTH_MAX_PX);
    }
    rcity_build_features features = rcity_build_features_get();
    if ((map != NULL && !features.has_geotiff) || (picture != NULL && !features.has_pictures)) {
        bool lacks_gdal = map != NULL && !features.has_geotiff;
        fprintf(stderr, "radiocity: this build has no %s and cannot write '%s'; build it with that library\n",
                lacks_gdal ? "GDAL" : "Cairo", lacks_gdal ? map : picture);
        return EXIT_UNSUPPORTED;
    }
    return 0;
}

/* Can both be written? */
static int check_outputs(rcity_context *context, const predict_input *input)
{
    int result = 0;
    if (input->map_path != NULL) {
        result = output_check(context, "predict", input->map_path, input->scene_path);
    }
    if (result == 0 && input->picture_path != NULL) {
        result = output_check(context, "predict", input->picture_path, input->scene_path);
    }
    return result;
}

static int check_input(predict_input *input)
{
    if (input->scene_path == NULL) {
        return usage_error("predict", "the scene is missing; give --scene FILE");
    }
    if (input->tx.count != 3) {
        return usage_error("predict", "the transmitter is missing or incomplete; give --tx X,Y,HEIGHT in metres");
    }
    if (isnan(input->frequency_mhz)) {
        return usage_error("predict", "the frequency is missing; give --frequency-mhz");
    }
    if (input->area.count != 0 && input->area.count != 4) {
        return usage_error("predict", "--area takes XMIN,YMIN,XMAX,YMAX");
    }
    if (input->map_path == NULL && input->picture_path == NULL && !input->is_dry_run && !input->wants_json) {
        return usage_error("predict",
                           "nothing would come of it; give -o FILE.tif, --png FILE.png, --json or --dry-run");
    }
    return check_names(input);
}

static void fill_request(predict_input *input)
{
    rcity_request *request = &input->request;
    request->transmitter.x_m = input->tx.value[0];
    request->transmitter.y_m = input->tx.value[1];
    request->transmitter.height_m = input->tx.value[2];
    request->transmitter.frequency_hz = input->frequency_mhz * 1e6;
    request->receivers.height_count = input->heights.count;
    request->receivers.height_m = input->heights.value;
    if (input->area.count == 4) {
        request->receivers.x_min_m = input->area.value[0];
        request->receivers.y_min_m = input->area.value[1];
        request->receivers.x_max_m = input->area.value[2];
        request->receivers.y_max_m = input->area.value[3];
    }
    request->option_count = input->extra.count;
    request->option_name = input->extra.name;
    request->option_value = input->extra.value;
}

/* Most memory the output files take while they are made, beside the map: a GeoTIFF that does not compress has its
   bands, its overviews, and these once more; a picture four bytes a pixel for itself and its file. */
static double writing_bytes(const predict_input *input, const rcity_estimate *estimate)
{
    double bytes = input->map_path != NULL ? 2.0 * sizeof(float) * (double)estimate->receiver_count * 5.0 / 3.0 : 0.0;
    double width_px = input->picture_width_px;
    return bytes + (input->picture_path != NULL ? 8.0 * width_px * width_px * 1.5 : 0.0);
}

/* Does all of it fit, the writing included? */
static bool fits_memory(const rcity_context *context, const predict_input *input, const rcity_estimate *estimate)
{
    double needed = (double)rcity_context_memory_used(context) + (double)estimate->memory_bytes;
    return needed + writing_bytes(input, estimate) <= (double)rcity_context_memory_limit(context);
}

/* Said before the work, not after it. */
static int check_memory(const rcity_context *context, const predict_input *input, const rcity_estimate *estimate)
{
    if (fits_memory(context, input, estimate)) {
        return 0;
    }
    fprintf(stderr,
            "radiocity: the scene takes %.1f MB, the prediction %.1f MB and writing up to %.1f MB, the limit is "
            "%.1f MB; use a larger --cell, a smaller area or raise --memory\n",
            (double)rcity_context_memory_used(context) * 1e-6, (double)estimate->memory_bytes * 1e-6,
            writing_bytes(input, estimate) * 1e-6, (double)rcity_context_memory_limit(context) * 1e-6);
    return EXIT_MEMORY;
}

static int dry_run(rcity_context *context, const rcity_scene *scene, const predict_input *input)
{
    rcity_estimate estimate;
    rcity_status status = rcity_predict_estimate(context, scene, &input->request, &estimate);
    if (status != RCITY_OK) {
        return session_fail(context, status);
    }
    if (input->wants_json) {
        json_writer json = json_writer_make(stdout);
        json_begin_object(&json, NULL);
        json_text(&json, "method", input->request.method);
        json_integer(&json, "columns", estimate.raster.column_count);
        json_integer(&json, "rows", estimate.raster.row_count);
        json_integer(&json, "receivers", estimate.receiver_count);
        json_integer(&json, "memory_bytes", (int64_t)estimate.memory_bytes);
        json_integer(&json, "writing_bytes", (int64_t)writing_bytes(input, &estimate));
        json_number(&json, "seconds", estimate.seconds);
        json_boolean(&json, "fits_memory", fits_memory(context, input, &estimate));
        json_end_object(&json);
        json_end_line(&json);
        return EXIT_FINE;
    }
    int result = check_memory(context, input, &estimate);
    if (result != 0) {
        return result;
    }
    printf("would predict %" PRId64 " receivers (%" PRId64 " x %" PRId64
           " cells, heights: %d) by %s: %.1f MB beside the "
           "scene, about %.2g s on the host; writing takes up to %.1f MB more\n",
           estimate.receiver_count, estimate.raster.column_count, estimate.raster.row_count,
           input->request.receivers.height_count, input->request.method, (double)estimate.memory_bytes * 1e-6,
           estimate.seconds, writing_bytes(input, &estimate) * 1e-6);
    return EXIT_FINE;
}

static rcity_status print_json(const rcity_map *map, const rcity_band_summary *summaries,
                               const rcity_device_info *device)
{
    json_writer json = json_writer_make(stdout);
    json_begin_object(&json, NULL);
    const char *key;
    const char *value;
    for (int i = 0; rcity_map_get_note(map, i, &key, &value); i++) {
        char *end;
        double number = strtod(value, &end);
        bool is_number = end != value && *end == '\0' && strlen(value) < 20; /* a hash of digits stays a text */
        if (is_number) {
            json_number(&json, key, number);
        } else {
            json_text(&json, key, value);
        }
    }
    json_text(&json, "device", device->id);
    rcity_raster raster = rcity_map_raster(map);
    json_integer(&json, "columns", raster.column_count);
    json_integer(&json, "rows", raster.row_count);
    json_begin_array(&json, "bands");
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band;
        rcity_status status = rcity_map_get_band(map, i, &band);
        if (status != RCITY_OK) {
            return status;
        }
        json_begin_object(&json, NULL);
        json_text(&json, "name", band.name);
        json_text(&json, "unit", band.unit);
        json_number(&json, "rx_height_m", band.rx_height_m);
        json_integer(&json, "values", summaries[i].value_count);
        json_number(&json, "minimum", summaries[i].minimum);
        json_number(&json, "median", summaries[i].median);
        json_number(&json, "maximum", summaries[i].maximum);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    json_end_line(&json);
    return RCITY_OK;
}

static rcity_status print_text(const rcity_map *map, const rcity_band_summary *summaries, const predict_input *input)
{
    rcity_raster raster = rcity_map_raster(map);
    printf("%s at %.10g MHz, %" PRId64 " x %" PRId64 " cells of %.10g m\n", input->request.method, input->frequency_mhz,
           raster.column_count, raster.row_count, raster.cell_m);
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band;
        rcity_status status = rcity_map_get_band(map, i, &band);
        if (status != RCITY_OK) {
            return status;
        }
        const char *gap = band.unit[0] != '\0' ? " " : "";
        if (summaries[i].value_count == 0) {
            printf("  %s at %.10g m: no cell has a value\n", band.name, band.rx_height_m);
        } else {
            printf("  %s at %.10g m: %.1f to %.1f%s%s, median %.1f, %" PRId64 " cells\n", band.name, band.rx_height_m,
                   summaries[i].minimum, summaries[i].maximum, gap, band.unit, summaries[i].median,
                   summaries[i].value_count);
        }
    }
    if (input->map_path != NULL) {
        printf("%s\n", input->map_path);
    }
    if (input->picture_path != NULL) {
        printf("%s\n", input->picture_path);
    }
    return RCITY_OK;
}

static rcity_status write_picture(rcity_context *context, const rcity_scene *scene, const rcity_map *map,
                                  const predict_input *input)
{
    rcity_picture_options options = rcity_picture_options_default();
    options.width_px = input->picture_width_px;
    options.transmitter_count = 1;
    options.transmitters = &input->request.transmitter;
    return rcity_picture_save(context, scene, map, &options, input->picture_path);
}

/* Both files or none: a picture that fails takes the new map with it and brings the old one back. */
static rcity_status write_outputs(rcity_context *context, const rcity_scene *scene, const rcity_map *map,
                                  const predict_input *input)
{
    if (input->map_path == NULL) {
        return input->picture_path != NULL ? write_picture(context, scene, map, input) : RCITY_OK;
    }
    if (input->picture_path == NULL) {
        return rcity_map_save_geotiff(context, map, input->map_path);
    }
    static char kept[KEPT_PATH_BYTES];
    bool is_kept = output_keep(input->map_path, kept);
    rcity_status status = rcity_map_save_geotiff(context, map, input->map_path);
    if (status == RCITY_OK) {
        status = write_picture(context, scene, map, input);
        if (status != RCITY_OK) {
            output_restore(input->map_path, is_kept, kept);
        }
    }
    unlink(kept);
    return status;
}

#define BAND_MAX (2 * RCITY_RX_HEIGHT_COUNT_MAX)

static rcity_status summarize(const rcity_map *map, rcity_band_summary summaries[BAND_MAX])
{
    for (int i = 0; i < rcity_map_band_count(map) && i < BAND_MAX; i++) {
        rcity_status status = rcity_map_summarize(map, i, &summaries[i]);
        if (status != RCITY_OK) {
            return status;
        }
    }
    return RCITY_OK;
}

static rcity_status report(const rcity_map *map, const rcity_band_summary *summaries, const rcity_device *device,
                           const predict_input *input)
{
    if (!input->wants_json) {
        return print_text(map, summaries, input);
    }
    rcity_device_info info;
    rcity_device_describe(device, &info);
    return print_json(map, summaries, &info);
}

static int predict(rcity_context *context, predict_input *input)
{
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    rcity_map *map = NULL;
    static rcity_band_summary summaries[BAND_MAX];
    rcity_estimate estimate;
    int result = EXIT_FINE;
    rcity_status status = scene_file_load(context, input->scene_path, &scene);
    if (status == RCITY_OK && input->is_dry_run) {
        result = dry_run(context, scene, input);
        rcity_scene_destroy(&scene);
        return result;
    }
    if (status == RCITY_OK) { /* what is wrong with the request is said before a device is opened for it */
        status = rcity_predict_check(context, scene, &input->request);
    }
    if (status == RCITY_OK) {
        status = rcity_predict_estimate(context, scene, &input->request, &estimate);
    }
    if (status == RCITY_OK && check_memory(context, input, &estimate) != 0) {
        rcity_scene_destroy(&scene);
        return EXIT_MEMORY;
    }
    if (status == RCITY_OK) {
        status = rcity_device_open(context, input->device, &device);
    }
    if (status == RCITY_OK) {
        status = rcity_predict(context, scene, device, &input->request, &map);
    }
    if (status == RCITY_OK) {
        status = summarize(map, summaries);
    }
    if (status == RCITY_OK) {
        status = write_outputs(context, scene, map, input);
    }
    if (status == RCITY_OK) {
        status = report(map, summaries, device, input);
    }
    if (status != RCITY_OK) {
        result = session_fail(context, status);
    }
    rcity_map_destroy(&map);
    rcity_device_close(&device);
    rcity_scene_destroy(&scene);
    return result;
}

int command_predict(int count, char **words)
{
    static char about[4096];
    describe_methods(about, sizeof about);
    predict_input input;
    memset(&input, 0, sizeof input);
    input.frequency_mhz = (double)NAN;
    input.heights.count = 1;
    input.heights.value[0] = 1.5;
    input.request = rcity_request_default();
    input.picture_width_px = rcity_picture_options_default().width_px;
    input.extra.accepts = is_method_option;
    input.extra.name_at = method_option_at;
    const cli_option table[] = {
        {"--scene", OPTION_TEXT, &input.scene_path, "FILE", "compiled scene (.rcity), or a file that can be imported"},
        {"--tx", OPTION_NUMBERS, &input.tx, "X,Y,H", "transmitter: position, height above ground in metres"},
        {"--tx-name", OPTION_TEXT, &input.request.transmitter.name, "NAME", "name shown in the picture"},
        {"--tx-absolute", OPTION_FLAG, &input.request.transmitter.is_absolute, NULL, "H counts from height 0 instead"},
        {"--frequency-mhz", OPTION_NUMBER, &input.frequency_mhz, "MHZ", "carrier frequency"},
        {"--method", OPTION_TEXT, &input.request.method, "NAME", "see above; free-space unless given"},
        {"--cell", OPTION_NUMBER, &input.request.receivers.cell_m, "METRES", "edge of a receiver cell; 5"},
        {"--rx-height", OPTION_NUMBERS, &input.heights, "H[,H...]", "receiver heights above ground in metres; 1.5"},
        {"--area", OPTION_NUMBERS, &input.area, "X0,Y0,X1,Y1", "part of the scene to predict; all of it unless given"},
        {"--device", OPTION_TEXT, &input.device, "ID", "host or opencl:N (see 'radiocity devices'); the best there is"},
        {"-o", OPTION_TEXT, &input.map_path, "FILE", "the map (.tif, cloud-optimised GeoTIFF) to write"},
        {"--png", OPTION_TEXT, &input.picture_path, "FILE", "the picture to write"},
        {"--png-width", OPTION_COUNT, &input.picture_width_px, "PIXELS", "its width, 400 to 8000"},
        {"--dry-run", OPTION_FLAG, &input.is_dry_run, NULL, "say what would be done and how much memory it takes"},
        {"--json", OPTION_FLAG, &input.wants_json, NULL, "print the summary as one JSON object"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "predict",
        .usage =
            "Usage: radiocity predict --scene FILE --tx X,Y,H --frequency-mhz MHZ [options] -o map.tif --png map.png",
        .about = about,
        .options = table,
        .extra = &input.extra,
    };
    int result = arguments_read(&line, count, words);
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    result = check_input(&input);
    rcity_context *context = NULL;
    if (result == 0) {
        result = session_open(&context);
    }
    if (result == 0) {
        result = check_outputs(context, &input);
    }
    if (result == 0) {
        fill_request(&input);
        result = predict(context, &input);
    }
    session_close(&context);
    return result;
}
