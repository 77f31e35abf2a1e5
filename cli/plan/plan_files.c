/* Lists of sites and points, and the maps of the report. */
#include "plan_files.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "csv_text.h"
#include "exit_status.h"
#include "json.h"
#include "outputs.h"
#include "session.h"

#define MAP_CELLS  200  /* of a map's longer side, unless a cell is given */
#define MAP_MARGIN 0.05 /* of its longer side, around demand and sites */

static int make_folder(const char *folder)
{
    struct stat found;
    if (folder == NULL || (stat(folder, &found) == 0 && S_ISDIR(found.st_mode)) || mkdir(folder, 0777) == 0) {
        return 0;
    }
    fprintf(stderr, "radiocity: cannot make the folder '%s': %s\n", folder, strerror(errno));
    return EXIT_FILE;
}

int plan_files_check(rcity_context *context, const plan_input *input)
{
    const char *const outputs[] = {input->output_path, input->points_path,
                                   input->options.resumes ? NULL
                                                          : input->options.checkpoint_path}; /* it goes on there */
    const char *const inputs[] = {input->scene_path,      input->demand_path,      input->raster_path,
                                  input->candidates_path, input->existing_path,    input->forbidden_path,
                                  input->station.antenna, input->coefficients.path};
    int result = 0;
    for (size_t i = 0; result == 0 && i < sizeof outputs / sizeof outputs[0]; i++) {
        result = output_check_all(context, "plan", outputs[i], sizeof inputs / sizeof inputs[0], inputs);
    }
    return result != 0 ? result : make_folder(input->report_folder);
}

/* The antenna of a station as a list names it: built in, or a file from wherever the list lies. */
static void name_antenna(const plan_result *result, int site, char *text, size_t room)
{
    const rcity_transmitter *transmitter = &rcity_siting_transmitters(result->siting)[site];
    rcity_antenna_info info = {.name = "", .kind = ""};
    const char *given = result->input->station.antenna;
    if (transmitter->antenna != NULL) {
        rcity_antenna_describe(transmitter->antenna, &info);
    }
    if (strcmp(info.kind, "cuts") != 0 || given == NULL) {
        snprintf(text, room, "%s", transmitter->antenna != NULL ? info.kind : "");
        return;
    }
    char *path = realpath(given, NULL);
    snprintf(text, room, "%s", path != NULL ? path : given);
    free(path);
}

/* One power: of the station's kind, or EIRP. */
static const char *power_column(const rcity_transmitter *transmitter)
{
    return transmitter->power_kind == RCITY_POWER_EIRP  ? "eirp_dbm"
           : transmitter->power_kind == RCITY_POWER_ERP ? "erp_dbm"
                                                        : "power_dbm";
}

static void add_site_row(csv_text *made, const plan_result *result, int site)
{
    const rcity_transmitter *tx = &rcity_siting_transmitters(result->siting)[site];
    char antenna[4096];
    name_antenna(result, site, antenna, sizeof antenna);
    csv_add_name(made, tx->name);
    csv_add(made, ",%.3f,%.3f,%.3f,%s,%.3f,%.3f,", tx->x_m, tx->y_m, tx->height_m, tx->is_absolute ? "sea" : "ground",
            tx->azimuth_deg, tx->mechanical_tilt_deg);
    if (!isnan(tx->electrical_tilt_deg)) {
        csv_add(made, "%.3f", tx->electrical_tilt_deg);
    }
    csv_add(made, ",%.9g", tx->frequency_hz * 1e-6);
    for (rcity_power_kind kind = RCITY_POWER_EIRP; kind <= RCITY_POWER_CONDUCTED; kind++) {
        csv_add_value(made, tx->power_kind == kind ? tx->power_dbm : (double)NAN);
    }
    csv_add_value(made, tx->power_kind == RCITY_POWER_CONDUCTED ? tx->cable_loss_db : (double)NAN);
    csv_add_value(made, tx->load);
    csv_add(made, ",%s,", rcity_polarization_name(tx->polarization));
    csv_add_name(made, antenna);
    csv_add(made, "\n");
}

static rcity_status save_text(const plan_result *result, csv_text *made, const char *path, output_set *set)
{
    rcity_status status = made->is_broken || !output_set_add(set, path) ? RCITY_ERR_MEMORY : RCITY_OK;
    if (status == RCITY_OK) {
        status = rcity_text_save(result->context, path, made->text);
    }
    free(made->text);
    return status;
}

/* A list can name the antenna of a site unless it comes from a file that another list names. */
static bool is_listed(const plan_result *result, int site)
{
    const rcity_transmitter *tx = &rcity_siting_transmitters(result->siting)[site];
    rcity_antenna_info info = {.kind = ""};
    if (tx->antenna == NULL || tx->antenna == result->world->antenna) {
        return true;
    }
    rcity_antenna_describe(tx->antenna, &info);
    return strcmp(info.kind, "cuts") != 0;
}

static void warn_unlisted(const plan_result *result)
{
    int count = 0;
    for (int i = 0; i < rcity_siting_count(result->siting); i++) {
        count += is_listed(result, i) ? 0 : 1;
    }
    if (count > 0) {
        char text[200];
        snprintf(text, sizeof text, "%d sites of `existing` have antenna files, and stay in their own list alone",
                 count);
        session_warn(text);
    }
}

static rcity_status write_csv(const plan_result *result, output_set *set)
{
    csv_text made = {NULL, 0, 0, false};
    csv_add(&made, "site,x,y,height_m,height_above,azimuth_deg,mechanical_tilt_deg,electrical_tilt_deg,frequency_mhz,"
                   "eirp_dbm,erp_dbm,power_dbm,cable_loss_db,load,polarization,antenna\n");
    for (int i = 0; i < rcity_siting_count(result->siting); i++) {
        if (is_listed(result, i)) {
            add_site_row(&made, result, i);
        }
    }
    return save_text(result, &made, result->input->output_path, set);
}

static void write_feature(json_writer *json, const plan_result *result, int site, const double *xy)
{
    const rcity_transmitter *tx = &rcity_siting_transmitters(result->siting)[site];
    char antenna[4096];
    name_antenna(result, site, antenna, sizeof antenna);
    rcity_json_break_line(json);
    json_begin_object(json, NULL);
    json_text(json, "type", "Feature");
    json_begin_object(json, "geometry");
    json_text(json, "type", "Point");
    json_begin_array(json, "coordinates");
    rcity_json_fixed(json, NULL, xy[0], 9);
    rcity_json_fixed(json, NULL, xy[1], 9);
    json_end_array(json);
    json_end_object(json);
    json_begin_object(json, "properties");
    json_text(json, "site", tx->name);
    rcity_json_fixed(json, "x", tx->x_m, 3);
    rcity_json_fixed(json, "y", tx->y_m, 3);
    json_number(json, "height_m", tx->height_m);
    json_text(json, "height_above", tx->is_absolute ? "sea" : "ground");
    json_number(json, "azimuth_deg", tx->azimuth_deg);
    json_number(json, "mechanical_tilt_deg", tx->mechanical_tilt_deg);
    json_number(json, "electrical_tilt_deg", tx->electrical_tilt_deg);
    json_number(json, "frequency_mhz", tx->frequency_hz * 1e-6);
    json_number(json, power_column(tx), tx->power_dbm);
    json_number(json, "cable_loss_db", tx->power_kind == RCITY_POWER_CONDUCTED ? tx->cable_loss_db : (double)NAN);
    json_number(json, "load", tx->load);
    json_text(json, "polarization", rcity_polarization_name(tx->polarization));
    json_text(json, "antenna", antenna);
    json_end_object(json);
    json_end_object(json);
}

static rcity_status write_geojson(const plan_result *result, output_set *set)
{
    int count = rcity_siting_count(result->siting);
    const char *path = result->input->output_path;
    double *xy = calloc(2 * (size_t)count + 2, sizeof *xy);
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = xy != NULL ? open_memstream(&text, &bytes) : NULL;
    rcity_status status = file != NULL ? RCITY_OK : RCITY_ERR_MEMORY;
    for (int i = 0; i < count && status == RCITY_OK; i++) {
        xy[2 * i] = rcity_siting_transmitters(result->siting)[i].x_m;
        xy[2 * i + 1] = rcity_siting_transmitters(result->siting)[i].y_m;
    }
    if (status == RCITY_OK && strcmp(result->scene_info.crs, "none") != 0) {
        status = rcity_crs_transform(result->context, result->scene_info.crs, RCITY_CRS_LONLAT, count, xy);
    }
    if (file != NULL) {
        json_writer json = json_writer_make(file);
        json_begin_object(&json, NULL);
        json_text(&json, "type", "FeatureCollection");
        json_begin_array(&json, "features");
        for (int i = 0; i < count && status == RCITY_OK; i++) {
            if (is_listed(result, i)) {
                write_feature(&json, result, i, xy + 2 * i);
            }
        }
        rcity_json_break_line(&json);
        json_end_array(&json);
        json_end_object(&json);
        json_end_line(&json);
        status = fclose(file) == 0 ? status : RCITY_ERR_MEMORY;
    }
    if (status == RCITY_OK) {
        status = output_set_add(set, path) ? rcity_text_save(result->context, path, text) : RCITY_ERR_MEMORY;
    }
    free(text);
    free(xy);
    return status;
}

static void add_site_name(csv_text *made, const plan_result *result, int site)
{
    csv_add(made, ",");
    if (site >= 0) {
        csv_add_name(made, rcity_siting_transmitters(result->siting)[site].name);
    }
}

static rcity_status write_points(const plan_result *result, output_set *set)
{
    csv_text made = {NULL, 0, 0, false};
    csv_add(&made, "x,y,height_m,weight,covered,server,received_dbm,second,second_dbm,margin_db,sinr_db,servers\n");
    for (int64_t i = 0; i < rcity_demand_count(result->world->demand); i++) {
        rcity_demand_point point;
        rcity_siting_point got;
        if (rcity_demand_get_point(result->world->demand, i, &point) != RCITY_OK ||
            rcity_siting_get_point(result->siting, i, &got) != RCITY_OK) {
            continue;
        }
        csv_add(&made, "%.3f,%.3f,%.10g,%.10g,%d", point.x_m, point.y_m, point.height_m, point.weight,
                got.is_covered ? 1 : 0);
        add_site_name(&made, result, got.server);
        csv_add_value(&made, (double)got.received_dbm);
        add_site_name(&made, result, got.second);
        csv_add_value(&made, (double)got.second_dbm);
        csv_add_value(&made, (double)(got.received_dbm - got.second_dbm));
        csv_add_value(&made, (double)got.sinr_db);
        csv_add(&made, ",%d\n", got.server_count);
    }
    return save_text(result, &made, result->input->points_path, set);
}

/* The area of demand and sites with a margin, within the scene: a map shows no more. */
static void choose_area(const plan_result *result, rcity_receivers *receivers)
{
    const rcity_scene_info *scene = &result->scene_info;
    double box[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int64_t i = 0; i < rcity_demand_count(result->world->demand); i++) {
        rcity_demand_point point;
        if (rcity_demand_get_point(result->world->demand, i, &point) == RCITY_OK) {
            plan_widen_box(box, point.x_m, point.y_m);
        }
    }
    for (int i = 0; i < rcity_siting_count(result->siting); i++) {
        const rcity_transmitter *tx = &rcity_siting_transmitters(result->siting)[i];
        plan_widen_box(box, tx->x_m, tx->y_m);
    }
    double margin_m = MAP_MARGIN * fmax(box[2] - box[0], box[3] - box[1]);
    receivers->x_min_m = fmax(box[0] - margin_m, scene->x_min_m);
    receivers->y_min_m = fmax(box[1] - margin_m, scene->y_min_m);
    receivers->x_max_m = fmin(box[2] + margin_m, scene->x_max_m);
    receivers->y_max_m = fmin(box[3] + margin_m, scene->y_max_m);
}

/* A map of the first `count` sites, drawn into the report's folder. */
static rcity_status draw_map(const plan_result *result, int count, const char *name, output_set *set)
{
    const plan_input *input = result->input;
    rcity_request request = input->request;
    rcity_network_options network = rcity_network_options_default();
    rcity_picture_options picture = rcity_picture_options_default();
    rcity_receivers *area = &request.receivers;
    choose_area(result, area);
    double extent_m = fmax(area->x_max_m - area->x_min_m, area->y_max_m - area->y_min_m);
    double heights[1] = {input->rx_height_m};
    char path[OUTPUT_PATH_BYTES];
    rcity_map *map = NULL;
    request.receivers.height_count = 1;
    request.receivers.height_m = heights;
    request.receivers.cell_m =
        isnan(input->report_cell_m) ? fmax(1.0, ceil(extent_m / MAP_CELLS)) : input->report_cell_m;
    if (request.range_policy == RCITY_RANGE_FAIL) {
        request.range_policy = RCITY_RANGE_SKIP; /* the map reaches farther than the demand */
    }
    snprintf(path, sizeof path, "%s/%s", input->report_folder, name);
    rcity_status status = rcity_predict_network(result->context, result->scene, result->device, &request, count,
                                                rcity_siting_transmitters(result->siting), &network, &map);
    if (status == RCITY_OK) {
        picture.title =
            count == rcity_siting_count(result->siting) ? "Received power, as planned" : "Received power before";
        picture.transmitter_count = count;
        picture.transmitters = rcity_siting_transmitters(result->siting);
        picture.value_min = input->options.least_dbm - 20.0;
        picture.value_max = input->options.least_dbm + 40.0;
        status = output_set_add(set, path) ? rcity_picture_save(result->context, result->scene, map, &picture, path)
                                           : RCITY_ERR_MEMORY;
    }
    rcity_map_destroy(&map);
    return status;
}

static rcity_status write_report(const plan_result *result, output_set *set)
{
    const plan_input *input = result->input;
    bool has_maps = rcity_build_features_get().has_pictures && result->info.is_complete && input->report_cell_m != 0.0;
    int existing = input->options.existing_count;
    rcity_status status = RCITY_OK;
    char path[OUTPUT_PATH_BYTES];
    if (has_maps) {
        status = draw_map(result, rcity_siting_count(result->siting), "map.png", set);
    }
    if (status == RCITY_OK && has_maps && existing > 0) {
        status = draw_map(result, existing, "map-before.png", set);
    }
    snprintf(path, sizeof path, "%s/report.json", input->report_folder);
    if (status == RCITY_OK) {
        char *text = NULL;
        size_t bytes = 0;
        FILE *file = open_memstream(&text, &bytes);
        if (file == NULL) {
            return RCITY_ERR_MEMORY;
        }
        plan_summary_json(result, file);
        status = fclose(file) == 0 && output_set_add(set, path) ? rcity_text_save(result->context, path, text)
                                                                : RCITY_ERR_MEMORY;
        free(text);
    }
    return status == RCITY_OK ? plan_page_write(result, has_maps, has_maps && existing > 0, set) : status;
}

rcity_status plan_files_write(const plan_result *result, output_set *set)
{
    const plan_input *input = result->input;
    rcity_status status = RCITY_OK;
    if (input->output_path != NULL) {
        warn_unlisted(result);
        status = path_ends_with(input->output_path, ".csv") ? write_csv(result, set) : write_geojson(result, set);
    }
    if (status == RCITY_OK && input->points_path != NULL) {
        status = write_points(result, set);
    }
    if (status == RCITY_OK && input->report_folder != NULL) {
        status = write_report(result, set);
    }
    return status;
}
