/* Surfaces: options, files, report. */
#include "predict_surfaces.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "json.h"
#include "map_files.h"
#include "outputs.h"
#include "predict_files.h"

#define FACADE_DISTANCE_M 50.0
#define BAND_COUNT_GUESS  12   /* of a method, to estimate the files */
#define CELL_BYTES        16.0 /* of a street map while it is made, besides its bands */

void predict_surfaces_set_defaults(predict_surfaces_input *input)
{
    input->facade_distance_m = (double)NAN;
}

bool predict_input_wants_surfaces(const predict_input *input)
{
    const predict_surfaces_input *surfaces = &input->surfaces;
    return surfaces->paths.count > 0 || surfaces->facade_path != NULL || surfaces->street_path != NULL;
}

/* Options that mean nothing without others. */
static int check_lone_options(const predict_surfaces_input *surfaces)
{
    bool has_facade = surfaces->facade.count > 0;
    if (has_facade != (surfaces->facade_path != NULL)) {
        return usage_error("predict", "--facade X,Y and --facade-csv FILE belong together; give both");
    }
    if (!has_facade && !isnan(surfaces->facade_distance_m)) {
        return usage_error("predict", "--facade-distance-m is of a facade; give --facade X,Y and --facade-csv FILE");
    }
    bool has_picture = false;
    for (int i = 0; i < surfaces->paths.count; i++) {
        has_picture = has_picture || path_ends_with(surfaces->paths.value[i], ".png");
    }
    if (surfaces->view.count > 0 && !has_picture) {
        return usage_error("predict", "--surface-view is for a picture; give --surfaces FILE.png");
    }
    const char *alone = surfaces->band != NULL      ? "--surface-band"
                        : surfaces->range.count > 0 ? "--surface-range"
                                                    : NULL;
    return alone != NULL && surfaces->paths.count == 0
               ? usage_error("predict", "%s is for the colours of --surfaces; give --surfaces FILE.glb", alone)
               : 0;
}

static int check_numbers(const predict_input *input)
{
    const predict_surfaces_input *surfaces = &input->surfaces;
    double cell_m = input->request.receivers.cell_m;
    if (surfaces->street_path != NULL && !(cell_m >= RCITY_CELL_MIN_M && cell_m <= RCITY_CELL_MAX_M)) {
        return usage_error("predict", "--cell is %g, must be %g to %g", cell_m, RCITY_CELL_MIN_M, RCITY_CELL_MAX_M);
    }
    if (surfaces->facade.count != 0 && surfaces->facade.count != 2) {
        return usage_error("predict", "--facade takes X,Y");
    }
    if (surfaces->facade_distance_m < 0.0) {
        return usage_error("predict", "--facade-distance-m is %g, must be at least 0", surfaces->facade_distance_m);
    }
    const number_list *range = &surfaces->range;
    if (range->count != 0 && (range->count != 2 || range->value[0] >= range->value[1])) {
        return usage_error("predict", "--surface-range takes LOW,HIGH, the lower value first");
    }
    const number_list *view = &surfaces->view;
    if (view->count != 0 && view->count != 2) {
        return usage_error("predict", "--surface-view takes AZIMUTH,ELEVATION");
    }
    if (view->count == 2 && !(fabs(view->value[0]) <= 360.0)) {
        return usage_error("predict", "the azimuth of --surface-view is %g, must be -360 to 360", view->value[0]);
    }
    if (view->count == 2 && !(view->value[1] >= RCITY_SURFACES_ELEVATION_MIN_DEG && view->value[1] <= 90.0)) {
        return usage_error("predict", "the elevation of --surface-view is %g, must be %g to 90", view->value[1],
                           RCITY_SURFACES_ELEVATION_MIN_DEG);
    }
    return 0;
}

/* What else the command line asks for that surfaces do not have. */
static int check_others(const predict_input *input)
{
    if (input->sites_path != NULL) {
        return usage_error("predict", "surfaces are of one transmitter; give --tx or --tx-lonlat instead of --sites");
    }
    if (input->points_path != NULL) {
        return usage_error("predict", "--points and surfaces are different receivers; give one of them");
    }
    bool has_heights = input->heights.count != 1 || input->heights.value[0] != PREDICT_HEIGHT_M;
    const char *of_maps = input->output_path != NULL          ? "-o"
                          : input->picture_path != NULL       ? "--png"
                          : input->picture_band != NULL       ? "--png-band"
                          : input->kmz_path != NULL           ? "--kmz"
                          : input->geojson_path != NULL       ? "--geojson"
                          : input->sites_geojson_path != NULL ? "--sites-geojson"
                          : input->thresholds.count > 0       ? "--thresholds"
                          : input->area.count > 0             ? "--area"
                          : has_heights                       ? "--rx-height"
                                                              : NULL;
    return of_maps == NULL
               ? 0
               : usage_error("predict", "%s is for maps; --surfaces, --facade-csv and --street-map are not", of_maps);
}

static int check_ending(const char *path)
{
    static const char *const endings[] = {".h5", ".glb", ".ply", ".csv", ".png"};
    bool is_known = false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        is_known = is_known || path_ends_with(path, endings[i]);
    }
    if (!is_known) {
        return usage_error("predict",
                           "'%s' ends in none of .h5 (tables), .glb (3-D viewers), .ply (3-D programs), .csv (a line a "
                           "tile) and .png (a picture)",
                           path);
    }
    if (path_ends_with(path, ".png") && !rcity_build_features_get().has_pictures) {
        return output_fail_build("Cairo", path);
    }
    return path_ends_with(path, ".h5") && !rcity_build_features_get().has_hdf5 ? output_fail_build("HDF5", path) : 0;
}

static int check_names(const predict_surfaces_input *surfaces)
{
    const output_name outputs[] = {
        {"--facade-csv", surfaces->facade_path, ".csv", "a table of a facade", false, false},
        {"--street-map", surfaces->street_path, ".tif", "a map of streets", true, false},
    };
    for (int i = 0; i < surfaces->paths.count; i++) {
        const char *path = surfaces->paths.value[i];
        int result = check_ending(path);
        if (result != 0) {
            return result;
        }
        bool is_twice = surfaces->facade_path != NULL && strcmp(surfaces->facade_path, path) == 0;
        for (int k = 0; k < i; k++) {
            is_twice = is_twice || strcmp(surfaces->paths.value[k], path) == 0;
        }
        if (is_twice) {
            return usage_error("predict", "'%s' is named twice; give each output a name of its own", path);
        }
    }
    return output_check_names("predict", sizeof outputs / sizeof outputs[0], outputs);
}

int predict_surfaces_check(const predict_input *input)
{
    int result = check_lone_options(&input->surfaces);
    result = result != 0 ? result : check_numbers(input);
    if (result != 0 || !predict_input_wants_surfaces(input)) {
        return result;
    }
    result = check_others(input);
    return result != 0 ? result : check_names(&input->surfaces);
}

int predict_surfaces_check_files(rcity_context *context, const predict_input *input)
{
    const predict_surfaces_input *surfaces = &input->surfaces;
    const char *const inputs[] = {input->scene_path, input->coefficients.path};
    char style[OUTPUT_PATH_BYTES] = "";
    if (surfaces->street_path != NULL) {
        predict_files_name_style(surfaces->street_path, style);
    }
    const char *const others[] = {surfaces->facade_path, surfaces->street_path, style[0] != '\0' ? style : NULL};
    const int other_count = sizeof others / sizeof others[0];
    for (int i = 0; i < other_count + surfaces->paths.count; i++) {
        const char *path = i < other_count ? others[i] : surfaces->paths.value[i - other_count];
        int result = output_check_all(context, "predict", path, sizeof inputs / sizeof inputs[0], inputs);
        if (result != 0) {
            return result;
        }
    }
    return 0;
}

double predict_surfaces_bytes(const predict_input *input, const rcity_scene *scene, const rcity_estimate *estimate)
{
    double bytes = 0.0;
    rcity_scene_info info;
    if (!predict_input_wants_surfaces(input)) {
        return 0.0;
    }
    for (int i = 0; i < input->surfaces.paths.count; i++) {
        if (path_ends_with(input->surfaces.paths.value[i], ".h5")) { /* the others are written piece by piece */
            bytes = fmax(bytes, rcity_surfaces_hdf5_bytes(estimate->receiver_count, BAND_COUNT_GUESS));
        }
        if (path_ends_with(input->surfaces.paths.value[i], ".png")) {
            bytes = fmax(bytes, rcity_picture_bytes(input->picture_width_px));
        }
    }
    if (input->surfaces.street_path != NULL && rcity_scene_describe(scene, &info) == RCITY_OK) {
        double cell_m = input->request.receivers.cell_m;
        double cells = (info.x_max_m - info.x_min_m) / cell_m * ((info.y_max_m - info.y_min_m) / cell_m);
        double bands = BAND_COUNT_GUESS * cells * sizeof(float);
        bytes = fmax(bytes,
                     bands + CELL_BYTES * cells +
                         rcity_geotiff_bytes((int64_t)fmin(cells, 1e15), BAND_COUNT_GUESS, input->output_crs != NULL));
    }
    return bytes;
}

static rcity_status write_facade(rcity_context *context, const rcity_surfaces *surfaces,
                                 const predict_surfaces_input *input, output_set *set)
{
    rcity_surfaces *profile = NULL;
    double distance_m = isnan(input->facade_distance_m) ? FACADE_DISTANCE_M : input->facade_distance_m;
    rcity_status status =
        rcity_surfaces_profile(context, surfaces, input->facade.value[0], input->facade.value[1], distance_m, &profile);
    if (status == RCITY_OK && !output_set_add(set, input->facade_path)) {
        status = RCITY_ERR_MEMORY;
    }
    if (status == RCITY_OK) {
        status = rcity_surfaces_save(context, profile, NULL, input->facade_path);
    }
    rcity_surfaces_destroy(&profile);
    return status;
}

static rcity_status write_street_map(rcity_context *context, const rcity_surfaces *surfaces, const predict_input *input,
                                     output_set *set)
{
    rcity_map *map = NULL;
    int band_index = 0;
    rcity_status status = rcity_surfaces_to_map(context, surfaces, input->request.receivers.cell_m, &map);
    if (status == RCITY_OK && map_band_find("predict", map, "the map", input->surfaces.band, &band_index) != 0) {
        band_index = 0;
    }
    if (status == RCITY_OK) {
        status = predict_files_write_map(context, map, band_index, input, input->surfaces.street_path, set);
    }
    rcity_map_destroy(&map);
    return status;
}

static rcity_status draw_picture(rcity_context *context, const rcity_surfaces *surfaces, const predict_input *input,
                                 const rcity_surfaces_save_options *colours, const char *path)
{
    const number_list *view = &input->surfaces.view;
    rcity_surfaces_draw_options options = rcity_surfaces_draw_options_default();
    options.width_px = input->picture_width_px;
    options.band = colours->band;
    options.value_min = colours->value_min;
    options.value_max = colours->value_max;
    if (view->count == 2) {
        options.azimuth_deg = view->value[0];
        options.elevation_deg = view->value[1];
    }
    return rcity_surfaces_draw(context, surfaces, &options, path);
}

rcity_status predict_surfaces_write(rcity_context *context, const rcity_surfaces *surfaces, const predict_input *input,
                                    output_set *set)
{
    const predict_surfaces_input *wanted = &input->surfaces;
    rcity_surfaces_save_options options = rcity_surfaces_save_options_default();
    rcity_status status = RCITY_OK;
    options.band = wanted->band;
    if (wanted->range.count == 2) {
        options.value_min = wanted->range.value[0];
        options.value_max = wanted->range.value[1];
    }
    for (int i = 0; status == RCITY_OK && i < wanted->paths.count; i++) {
        const char *path = wanted->paths.value[i];
        status = output_set_add(set, path) ? RCITY_OK : RCITY_ERR_MEMORY;
        if (status == RCITY_OK) {
            status = path_ends_with(path, ".png") ? draw_picture(context, surfaces, input, &options, path)
                                                  : rcity_surfaces_save(context, surfaces, &options, path);
        }
    }
    if (status == RCITY_OK && wanted->facade_path != NULL) {
        status = write_facade(context, surfaces, wanted, set);
    }
    if (status == RCITY_OK && wanted->street_path != NULL) {
        status = write_street_map(context, surfaces, input, set);
    }
    return status;
}

/* Tiles of each kind. */
static void count_kinds(const rcity_surfaces *surfaces, int64_t counts[RCITY_SURFACE_COUNT])
{
    rcity_surface_tile tile;
    memset(counts, 0, RCITY_SURFACE_COUNT * sizeof *counts);
    for (int64_t i = 0; rcity_surfaces_get_tile(surfaces, i, &tile) == RCITY_OK; i++) {
        counts[tile.kind]++;
    }
}

rcity_status predict_surfaces_summarize(rcity_context *context, const rcity_surfaces *surfaces,
                                        rcity_band_summary **summaries)
{
    int band_count = rcity_surfaces_band_count(surfaces);
    rcity_status status = RCITY_OK;
    *summaries = calloc((size_t)band_count + 1, sizeof **summaries);
    if (*summaries == NULL) {
        return RCITY_ERR_MEMORY;
    }
    for (int i = 0; status == RCITY_OK && i < band_count; i++) {
        status = rcity_surfaces_summarize(context, surfaces, i, &(*summaries)[i]);
    }
    return status;
}

static void print_json_band(json_writer *json, const rcity_band *band, const rcity_band_summary *summary)
{
    json_begin_object(json, NULL);
    json_text(json, "name", band->name);
    json_text(json, "unit", band->unit);
    json_integer(json, "values", summary->value_count);
    json_number(json, "minimum", summary->minimum);
    json_number(json, "median", summary->median);
    json_number(json, "maximum", summary->maximum);
    json_end_object(json);
}

static void print_json(const rcity_surfaces *surfaces, const rcity_band_summary *summaries, const rcity_device *device)
{
    json_writer json = json_writer_make(stdout);
    int64_t counts[RCITY_SURFACE_COUNT];
    const char *key;
    const char *value;
    rcity_device_info info;
    rcity_band band;
    count_kinds(surfaces, counts);
    rcity_device_describe(device, &info);
    json_begin_object(&json, NULL);
    for (int i = 0; rcity_surfaces_get_note(surfaces, i, &key, &value) == RCITY_OK; i++) {
        json_note(&json, key, value);
    }
    json_text(&json, "device", info.id);
    json_integer(&json, "tile_count", rcity_surfaces_tile_count(surfaces));
    json_begin_object(&json, "tile_count_of");
    for (int k = 0; k < RCITY_SURFACE_COUNT; k++) {
        json_integer(&json, rcity_surface_name((rcity_surface)k), counts[k]);
    }
    json_end_object(&json);
    json_begin_array(&json, "bands");
    for (int i = 0; rcity_surfaces_get_band(surfaces, i, &band) == RCITY_OK; i++) {
        print_json_band(&json, &band, &summaries[i]);
    }
    json_end_array(&json);
    json_end_object(&json);
    json_end_line(&json);
}

static void print_band(const rcity_band *band, const rcity_band_summary *summary)
{
    const char *gap = band->unit[0] != '\0' ? " " : "";
    if (summary->value_count == 0) {
        printf("  %s: no tile has a value\n", band->name);
    } else {
        printf("  %s: %.1f to %.1f%s%s, median %.1f, %" PRId64 " tiles\n", band->name, summary->minimum,
               summary->maximum, gap, band->unit, summary->median, summary->value_count);
    }
}

void predict_surfaces_report(const rcity_surfaces *surfaces, const rcity_band_summary *summaries,
                             const predict_input *input, const rcity_device *device)
{
    const predict_surfaces_input *wanted = &input->surfaces;
    int64_t counts[RCITY_SURFACE_COUNT];
    rcity_band band;
    if (input->wants_json) {
        print_json(surfaces, summaries, device);
        return;
    }
    count_kinds(surfaces, counts);
    printf("%s at %.10g MHz, %" PRId64 " tiles: %" PRId64 " of walls, %" PRId64 " of roofs, %" PRId64
           " of the ground\n",
           input->request.method, input->tx.frequency_mhz, rcity_surfaces_tile_count(surfaces),
           counts[RCITY_SURFACE_WALL], counts[RCITY_SURFACE_ROOF], counts[RCITY_SURFACE_GROUND]);
    for (int i = 0; rcity_surfaces_get_band(surfaces, i, &band) == RCITY_OK; i++) {
        print_band(&band, &summaries[i]);
    }
    for (int i = 0; i < wanted->paths.count; i++) {
        printf("%s\n", wanted->paths.value[i]);
    }
    const char *const others[] = {wanted->facade_path, wanted->street_path};
    for (int i = 0; i < 2; i++) {
        if (others[i] != NULL) {
            printf("%s\n", others[i]);
        }
    }
}
