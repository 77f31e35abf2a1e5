/* Paths as GeoJSON (RFC 7946): the transmitter and the receivers as points, every path as a line in space. Longitude
   and latitude; without a CRS the plan's metres, which RFC 7946 does not define but every GIS reads. Heights are the
   scene's. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/file.h"
#include "io/export/geojson.h"
#include "io/export/text_block.h"
#include "io/rays/rays_save.h"
#include "radiocity/crs.h"
#include "result/rays_data.h"

#define PORTION_BYTES 1048576 /* of text that is buffered before it is written */

/* A file while it is written. Positions are used one after the other, in the order of the list. */
typedef struct ray_lines {
    const rcity_rays *rays;
    rcity_text_block text;
    rcity_json_writer json; /* into the text */
    rcity_new_file *file;
    double *xy;
    size_t next;
    int decimals;
} ray_lines;

/* Transmitter, receivers, then the interactions path by path. */
static rcity_status list_places(ray_lines *lines)
{
    const rcity_rays *rays = lines->rays;
    rcity_context *context = lines->text.context;
    int64_t receiver_count = rcity_rays_receiver_count(rays);
    int64_t place_count = 1 + receiver_count + rcity_rays_event_count(rays);
    RCITY_TRY(rcity_alloc(context, 2 * (size_t)place_count, sizeof *lines->xy, "positions", &lines->xy));
    double *xy = lines->xy;
    rcity_point tx = rcity_rays_transmitter(rays);
    *xy++ = tx.x_m;
    *xy++ = tx.y_m;
    for (int64_t i = 0; i < receiver_count; i++) {
        rcity_receiver_summary receiver;
        RCITY_TRY(rcity_rays_get_receiver(rays, i, &receiver));
        *xy++ = receiver.position.x_m;
        *xy++ = receiver.position.y_m;
    }
    for (int64_t i = 0; i < rcity_rays_path_count(rays); i++) {
        rcity_path path;
        RCITY_TRY(rcity_rays_get_path(rays, i, &path));
        for (int k = 0; k < path.event_count; k++) {
            *xy++ = path.events[k].position.x_m;
            *xy++ = path.events[k].position.y_m;
        }
    }
    if (strcmp(rcity_rays_crs(rays), "none") == 0) {
        return RCITY_OK;
    }
    return rcity_crs_transform(context, rcity_rays_crs(rays), RCITY_CRS_LONLAT, place_count, lines->xy);
}

/* A receiver off the terrain has no height. */
static void add_position(ray_lines *lines, size_t place, double z_m)
{
    rcity_geojson_position(&lines->json, lines->xy + 2 * place, z_m, lines->decimals);
}

/* Write the buffered text to the file once there is enough of it. */
static rcity_status pass_on(ray_lines *lines, size_t enough)
{
    RCITY_TRY(lines->text.status);
    if (lines->text.length >= enough && lines->text.length > 0) {
        RCITY_TRY(rcity_new_file_write(lines->file, lines->text.text, lines->text.length));
        lines->text.length = 0;
    }
    return RCITY_OK;
}

static void begin_feature(ray_lines *lines, const char *geometry)
{
    rcity_json_break_line(&lines->json);
    rcity_geojson_begin_feature(&lines->json, geometry);
}

/* End the geometry and begin the properties. */
static void begin_properties(rcity_json_writer *json, const char *kind)
{
    rcity_json_end_object(json);
    rcity_json_begin_object(json, "properties");
    rcity_json_text(json, "kind", kind);
}

static void end_feature(rcity_json_writer *json)
{
    rcity_json_end_object(json);
    rcity_json_end_object(json);
}

static void add_transmitter(ray_lines *lines)
{
    rcity_json_writer *json = &lines->json;
    rcity_point tx = rcity_rays_transmitter(lines->rays);
    const char *name = rcity_rays_find_note(lines->rays, "tx_name");
    begin_feature(lines, "Point");
    add_position(lines, 0, tx.z_m);
    begin_properties(json, "transmitter");
    rcity_json_text(json, "name", name != NULL ? name : "Tx");
    rcity_json_number(json, "x_m", tx.x_m);
    rcity_json_number(json, "y_m", tx.y_m);
    rcity_json_number(json, "z_m", tx.z_m);
    rcity_json_number(json, "frequency_mhz", rcity_rays_frequency_hz(lines->rays) * 1e-6);
    end_feature(json);
}

static rcity_status add_receiver(ray_lines *lines, int64_t i)
{
    rcity_json_writer *json = &lines->json;
    rcity_receiver_summary receiver;
    char number[24];
    RCITY_TRY(rcity_rays_get_receiver(lines->rays, i, &receiver));
    begin_feature(lines, "Point");
    add_position(lines, 1 + (size_t)i, receiver.position.z_m);
    begin_properties(json, "receiver");
    rcity_json_text(json, "name", rcity_rays_label(lines->rays, i, number));
    rcity_json_text(json, "state", rcity_receiver_state_name(receiver.state));
    rcity_json_integer(json, "path_count", receiver.path_count);
    rcity_json_number(json, "x_m", receiver.position.x_m);
    rcity_json_number(json, "y_m", receiver.position.y_m);
    rcity_json_number(json, "z_m", receiver.position.z_m);
    rcity_json_number(json, "gain_db", receiver.gain_db);
    rcity_json_number(json, "coherent_gain_db", receiver.coherent_gain_db);
    rcity_json_number(json, "path_loss_db", receiver.loss_db);
    rcity_json_number(json, "coherent_path_loss_db", receiver.coherent_loss_db);
    rcity_json_number(json, "received_power_dbm", receiver.received_dbm);
    rcity_json_number(json, "mean_delay_ns", receiver.mean_delay_s * 1e9);
    rcity_json_number(json, "delay_spread_ns", receiver.delay_spread_s * 1e9);
    rcity_json_number(json, "departure_azimuth_spread_deg", receiver.departure_azimuth_spread_deg);
    rcity_json_number(json, "departure_elevation_spread_deg", receiver.departure_elevation_spread_deg);
    rcity_json_number(json, "arrival_azimuth_spread_deg", receiver.arrival_azimuth_spread_deg);
    rcity_json_number(json, "arrival_elevation_spread_deg", receiver.arrival_elevation_spread_deg);
    rcity_json_number(json, "k_factor_db", receiver.k_factor_db);
    end_feature(json);
    return RCITY_OK;
}

/* "wall, roof edge" and "12, -"; "" for the direct path. The words are fixed and need no escapes. */
static void add_places(ray_lines *lines, const rcity_path *path)
{
    rcity_text_block *text = &lines->text;
    rcity_json_key(&lines->json, "places");
    rcity_text_add(text, "\"");
    for (int i = 0; i < path->event_count; i++) {
        rcity_text_add(text, "%s%s", i > 0 ? ", " : "", rcity_event_place_name(path->events[i].place));
    }
    rcity_text_add(text, "\",\"buildings\":\"");
    for (int i = 0; i < path->event_count; i++) {
        rcity_text_add(text, i > 0 ? ", " : "");
        if (path->events[i].building_id >= 0) {
            rcity_text_add(text, "%lld", (long long)path->events[i].building_id);
        } else {
            rcity_text_add(text, "-");
        }
    }
    rcity_text_add(text, "\"");
    lines->json.needs_comma = true;
}

static void add_path_properties(ray_lines *lines, const rcity_path *path, int64_t rank)
{
    rcity_json_writer *json = &lines->json;
    char word[RCITY_PATH_WORD_BYTES];
    char number[24];
    bool has_field = path->amplitude.re != 0.0 || path->amplitude.im != 0.0;
    double phase_rad = has_field ? atan2(path->amplitude.im, path->amplitude.re) : (double)NAN;
    begin_properties(json, "path");
    rcity_json_text(json, "receiver", rcity_rays_label(lines->rays, path->receiver_index, number));
    rcity_json_integer(json, "rank", rank);
    rcity_json_text(json, "interactions", rcity_path_describe(path, word));
    add_places(lines, path);
    rcity_json_number(json, "length_m", path->length_m);
    rcity_json_number(json, "delay_ns", path->delay_s * 1e9);
    rcity_json_number(json, "departure_azimuth_deg", path->departure_azimuth_deg);
    rcity_json_number(json, "departure_elevation_deg", path->departure_elevation_deg);
    rcity_json_number(json, "arrival_azimuth_deg", path->arrival_azimuth_deg);
    rcity_json_number(json, "arrival_elevation_deg", path->arrival_elevation_deg);
    rcity_json_number(json, "gain_db", path->gain_db);
    rcity_json_number(json, "path_loss_db", path->loss_db);
    rcity_json_number(json, "received_power_dbm", path->received_dbm);
    rcity_json_number(json, "phase_deg", rcity_angle_deg(phase_rad));
    end_feature(json);
}

static rcity_status add_path(ray_lines *lines, int64_t i)
{
    rcity_path path;
    rcity_receiver_summary receiver;
    RCITY_TRY(rcity_rays_get_path(lines->rays, i, &path));
    RCITY_TRY(rcity_rays_get_receiver(lines->rays, path.receiver_index, &receiver));
    begin_feature(lines, "LineString");
    rcity_json_begin_array(&lines->json, NULL);
    add_position(lines, 0, rcity_rays_transmitter(lines->rays).z_m);
    for (int k = 0; k < path.event_count; k++) {
        add_position(lines, lines->next++, path.events[k].position.z_m);
    }
    add_position(lines, 1 + (size_t)path.receiver_index, receiver.position.z_m);
    rcity_json_end_array(&lines->json);
    add_path_properties(lines, &path, i - receiver.path_first + 1);
    return RCITY_OK;
}

/* How the paths were made, as a foreign member. */
static void add_notes(ray_lines *lines)
{
    rcity_json_writer *json = &lines->json;
    bool has_crs = strcmp(rcity_rays_crs(lines->rays), "none") != 0;
    const char *key = NULL;
    const char *value = NULL;
    rcity_json_begin_object(json, "radiocity");
    rcity_json_text(json, "coordinates",
                    has_crs ? "longitude, latitude, height in the scene; x_m, y_m, z_m in its CRS"
                            : "metres in the plan of a scene without CRS, height in the scene");
    rcity_json_text(json, "crs", rcity_rays_crs(lines->rays));
    for (int i = 0; rcity_rays_get_note(lines->rays, i, &key, &value) == RCITY_OK; i++) {
        rcity_json_text(json, key, value);
    }
    rcity_json_end_object(json);
}

static rcity_status write_lines(ray_lines *lines)
{
    rcity_context *context = lines->text.context;
    int64_t receiver_count = rcity_rays_receiver_count(lines->rays);
    int64_t path_count = rcity_rays_path_count(lines->rays);
    RCITY_TRY(list_places(lines));
    lines->next = 1 + (size_t)receiver_count;
    rcity_geojson_begin(&lines->json);
    add_notes(lines);
    rcity_json_break_line(&lines->json);
    rcity_json_begin_array(&lines->json, "features");
    add_transmitter(lines);
    for (int64_t i = 0; i < receiver_count; i++) {
        RCITY_TRY(add_receiver(lines, i));
        RCITY_TRY(pass_on(lines, PORTION_BYTES));
    }
    for (int64_t i = 0; i < path_count; i++) {
        RCITY_TRY(add_path(lines, i));
        RCITY_TRY(pass_on(lines, PORTION_BYTES));
        if (i % 1024 == 0) {
            RCITY_TRY(rcity_progress(context, "writing GeoJSON", (double)i, (double)path_count));
        }
    }
    rcity_geojson_end(&lines->json);
    RCITY_TRY(pass_on(lines, 0));
    return rcity_progress(context, "writing GeoJSON", 1.0, 1.0);
}

rcity_status rcity_rays_save_geojson(rcity_context *context, const rcity_rays *rays, const char *path)
{
    ray_lines lines = {.rays = rays};
    lines.decimals = rcity_geojson_decimals(rcity_rays_crs(rays));
    rcity_text_block_init(context, &lines.text);
    lines.json = rcity_text_block_json(&lines.text);
    rcity_status status;
    RCITY_TRY_DONE(rcity_new_file_open(context, path, &lines.file));
    RCITY_TRY_DONE(write_lines(&lines));
    status = rcity_new_file_commit(&lines.file);
done:
    rcity_new_file_discard(&lines.file);
    rcity_release(context, lines.xy);
    rcity_text_block_deinit(&lines.text);
    return status;
}
