/* Paths as GeoJSON (RFC 7946): the transmitter and the receivers as points, every path as a line in space. Longitude
   and latitude; without a CRS the plan's metres, which RFC 7946 has no word for but every GIS reads. Heights are the
   scene's. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/file.h"
#include "io/export/text_block.h"
#include "io/rays_save.h"
#include "radiocity/crs.h"
#include "result/rays_data.h"

#define DEGREE_DECIMALS 8 /* about a millimetre */
#define METRE_DECIMALS  4
#define PORTION_BYTES   1048576 /* of text that is held before it goes to the file */

/* A file while it is written. Positions are taken one after the other, in the order they were listed. */
typedef struct ray_lines {
    const rcity_rays *rays;
    rcity_text_block text;
    rcity_new_file *file;
    double *xy;
    size_t next;
    int decimals;
    bool has_feature;
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
    rcity_text_block *text = &lines->text;
    rcity_text_add(text, "[");
    rcity_text_add_fixed(text, lines->xy[2 * place], lines->decimals);
    rcity_text_add(text, ",");
    rcity_text_add_fixed(text, lines->xy[2 * place + 1], lines->decimals);
    if (isfinite(z_m)) {
        rcity_text_add(text, ",");
        rcity_text_add_fixed(text, z_m, METRE_DECIMALS);
    }
    rcity_text_add(text, "]");
}

static void add_number(rcity_text_block *text, const char *key, double value)
{
    rcity_text_add(text, ",\"%s\":", key);
    rcity_text_add_number(text, value);
}

static void add_word(rcity_text_block *text, const char *key, const char *value)
{
    rcity_text_add(text, ",\"%s\":", key);
    rcity_text_add_json(text, value);
}

/* What was written so far leaves the memory once there is enough of it. */
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
    rcity_text_add(&lines->text, "%s{\"type\":\"Feature\",\"geometry\":{\"type\":\"%s\",\"coordinates\":",
                   lines->has_feature ? ",\n" : "", geometry);
    lines->has_feature = true;
}

static void add_transmitter(ray_lines *lines)
{
    rcity_text_block *text = &lines->text;
    rcity_point tx = rcity_rays_transmitter(lines->rays);
    begin_feature(lines, "Point");
    add_position(lines, 0, tx.z_m);
    const char *name = rcity_rays_find_note(lines->rays, "tx_name");
    rcity_text_add(text, "},\"properties\":{\"kind\":\"transmitter\"");
    add_word(text, "name", name != NULL ? name : "Tx");
    add_number(text, "x_m", tx.x_m);
    add_number(text, "y_m", tx.y_m);
    add_number(text, "z_m", tx.z_m);
    add_number(text, "frequency_mhz", rcity_rays_frequency_hz(lines->rays) * 1e-6);
    rcity_text_add(text, "}}");
}

static rcity_status add_receiver(ray_lines *lines, int64_t i)
{
    rcity_text_block *text = &lines->text;
    rcity_receiver_summary receiver;
    char number[24];
    RCITY_TRY(rcity_rays_get_receiver(lines->rays, i, &receiver));
    begin_feature(lines, "Point");
    add_position(lines, 1 + (size_t)i, receiver.position.z_m);
    rcity_text_add(text, "},\"properties\":{\"kind\":\"receiver\"");
    add_word(text, "name", rcity_rays_label(lines->rays, i, number));
    add_word(text, "state", rcity_receiver_state_name(receiver.state));
    rcity_text_add(text, ",\"path_count\":%lld", (long long)receiver.path_count);
    add_number(text, "x_m", receiver.position.x_m);
    add_number(text, "y_m", receiver.position.y_m);
    add_number(text, "z_m", receiver.position.z_m);
    add_number(text, "gain_db", receiver.gain_db);
    add_number(text, "coherent_gain_db", receiver.coherent_gain_db);
    add_number(text, "path_loss_db", receiver.loss_db);
    add_number(text, "coherent_path_loss_db", receiver.coherent_loss_db);
    add_number(text, "received_power_dbm", receiver.received_dbm);
    add_number(text, "mean_delay_ns", receiver.mean_delay_s * 1e9);
    add_number(text, "delay_spread_ns", receiver.delay_spread_s * 1e9);
    add_number(text, "departure_azimuth_spread_deg", receiver.departure_azimuth_spread_deg);
    add_number(text, "departure_elevation_spread_deg", receiver.departure_elevation_spread_deg);
    add_number(text, "arrival_azimuth_spread_deg", receiver.arrival_azimuth_spread_deg);
    add_number(text, "arrival_elevation_spread_deg", receiver.arrival_elevation_spread_deg);
    add_number(text, "k_factor_db", receiver.k_factor_db);
    rcity_text_add(text, "}}");
    return RCITY_OK;
}

/* "wall, roof edge"; "" for the direct path. */
static void add_places(rcity_text_block *text, const rcity_path *path)
{
    rcity_text_add(text, ",\"places\":\"");
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
}

static void add_path_properties(ray_lines *lines, const rcity_path *path, int64_t rank)
{
    rcity_text_block *text = &lines->text;
    char word[RCITY_PATH_WORD_BYTES];
    char number[24];
    bool has_field = path->amplitude.re != 0.0 || path->amplitude.im != 0.0;
    double phase_rad = has_field ? atan2(path->amplitude.im, path->amplitude.re) : (double)NAN;
    rcity_text_add(text, "},\"properties\":{\"kind\":\"path\"");
    add_word(text, "receiver", rcity_rays_label(lines->rays, path->receiver_index, number));
    rcity_text_add(text, ",\"rank\":%lld", (long long)rank);
    add_word(text, "interactions", rcity_path_describe(path, word));
    add_places(text, path);
    add_number(text, "length_m", path->length_m);
    add_number(text, "delay_ns", path->delay_s * 1e9);
    add_number(text, "departure_azimuth_deg", path->departure_azimuth_deg);
    add_number(text, "departure_elevation_deg", path->departure_elevation_deg);
    add_number(text, "arrival_azimuth_deg", path->arrival_azimuth_deg);
    add_number(text, "arrival_elevation_deg", path->arrival_elevation_deg);
    add_number(text, "gain_db", path->gain_db);
    add_number(text, "path_loss_db", path->loss_db);
    add_number(text, "received_power_dbm", path->received_dbm);
    add_number(text, "phase_deg", rcity_angle_deg(phase_rad));
    rcity_text_add(text, "}}");
}

static rcity_status add_path(ray_lines *lines, int64_t i)
{
    rcity_path path;
    rcity_receiver_summary receiver;
    RCITY_TRY(rcity_rays_get_path(lines->rays, i, &path));
    RCITY_TRY(rcity_rays_get_receiver(lines->rays, path.receiver_index, &receiver));
    begin_feature(lines, "LineString");
    rcity_text_add(&lines->text, "[");
    add_position(lines, 0, rcity_rays_transmitter(lines->rays).z_m);
    for (int k = 0; k < path.event_count; k++) {
        rcity_text_add(&lines->text, ",");
        add_position(lines, lines->next++, path.events[k].position.z_m);
    }
    rcity_text_add(&lines->text, ",");
    add_position(lines, 1 + (size_t)path.receiver_index, receiver.position.z_m);
    rcity_text_add(&lines->text, "]");
    add_path_properties(lines, &path, i - receiver.path_first + 1);
    return RCITY_OK;
}

/* How they were made, as a member of our own. */
static void add_notes(ray_lines *lines)
{
    rcity_text_block *text = &lines->text;
    bool has_crs = strcmp(rcity_rays_crs(lines->rays), "none") != 0;
    const char *key = NULL;
    const char *value = NULL;
    rcity_text_add(text, "\"radiocity\":{\"coordinates\":");
    rcity_text_add_json(text, has_crs ? "longitude, latitude, height in the scene; x_m, y_m, z_m in its CRS"
                                      : "metres in the plan of a scene without CRS, height in the scene");
    add_word(text, "crs", rcity_rays_crs(lines->rays));
    for (int i = 0; rcity_rays_get_note(lines->rays, i, &key, &value); i++) {
        rcity_text_add(text, ",");
        rcity_text_add_json(text, key);
        rcity_text_add(text, ":");
        rcity_text_add_json(text, value);
    }
    rcity_text_add(text, "}");
}

static rcity_status write_lines(ray_lines *lines)
{
    rcity_context *context = lines->text.context;
    int64_t receiver_count = rcity_rays_receiver_count(lines->rays);
    int64_t path_count = rcity_rays_path_count(lines->rays);
    RCITY_TRY(list_places(lines));
    lines->next = 1 + (size_t)receiver_count;
    rcity_text_add(&lines->text, "{\"type\":\"FeatureCollection\",");
    add_notes(lines);
    rcity_text_add(&lines->text, ",\n\"features\":[\n");
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
    rcity_text_add(&lines->text, "\n]}\n");
    RCITY_TRY(pass_on(lines, 0));
    return rcity_progress(context, "writing GeoJSON", 1.0, 1.0);
}

rcity_status rcity_rays_save_geojson(rcity_context *context, const rcity_rays *rays, const char *path)
{
    ray_lines lines = {.rays = rays};
    lines.decimals = strcmp(rcity_rays_crs(rays), "none") != 0 ? DEGREE_DECIMALS : METRE_DECIMALS;
    rcity_text_block_init(context, &lines.text);
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
