/* Transmitters as GeoJSON points, with all their properties, under names that src/io/list/site_fields.c reads. */
#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "base/file.h"
#include "io/export/geojson.h"
#include "io/export/relative_path.h"
#include "io/export/text_block.h"
#include "radiocity/crs.h"
#include "radiocity/io.h"

static void add_power(rcity_json_writer *json, const rcity_transmitter *transmitter)
{
    static const char *const kinds[] = {
        [RCITY_POWER_EIRP] = "eirp", [RCITY_POWER_ERP] = "erp", [RCITY_POWER_CONDUCTED] = "conducted"};
    bool is_known = !isnan(transmitter->power_dbm);
    rcity_json_text(json, "power_kind", is_known ? kinds[transmitter->power_kind] : NULL);
    rcity_json_number(json, "power_dbm", transmitter->power_dbm);
    rcity_json_number(json, "cable_loss_db",
                      transmitter->power_kind == RCITY_POWER_CONDUCTED ? transmitter->cable_loss_db : (double)NAN);
    rcity_json_number(json, "eirp_dbm", rcity_transmitter_eirp_dbm(transmitter));
}

/* The antenna by what a list of sites calls it: the name of a built-in one, or the file it came from. */
static void add_antenna(rcity_json_writer *json, const rcity_transmitter *transmitter, const char *path)
{
    rcity_antenna_info info = {.name = "isotropic"};
    if (transmitter->antenna != NULL) {
        rcity_antenna_describe(transmitter->antenna, &info);
    }
    char file[RCITY_RELATIVE_PATH_BYTES];
    rcity_json_text(json, "antenna", info.name);
    rcity_json_text(json, "antenna_file",
                    info.path != NULL && rcity_relative_path(path, info.path, file) ? file : NULL);
    rcity_json_number(json, "antenna_gain_dbi", info.gain_dbi);
    rcity_json_number(json, "azimuth_deg", transmitter->azimuth_deg);
    rcity_json_number(json, "mechanical_tilt_deg", transmitter->mechanical_tilt_deg);
    rcity_json_number(json, "electrical_tilt_deg", transmitter->electrical_tilt_deg);
    rcity_json_text(json, "polarization", rcity_polarization_name(transmitter->polarization));
    rcity_json_number(json, "load", transmitter->load);
}

static void add_feature(rcity_json_writer *json, const rcity_transmitter *transmitter, const double *xy, int decimals,
                        const char *path)
{
    rcity_json_break_line(json);
    rcity_geojson_begin_feature(json, "Point");
    rcity_geojson_position(json, xy, (double)NAN, decimals);
    rcity_json_end_object(json);
    rcity_json_begin_object(json, "properties");
    rcity_json_text(json, "name", transmitter->name != NULL ? transmitter->name : "Tx");
    rcity_json_number(json, "x_m", transmitter->x_m);
    rcity_json_number(json, "y_m", transmitter->y_m);
    rcity_json_number(json, "height_m", transmitter->height_m);
    rcity_json_text(json, "height_from", transmitter->is_absolute ? "datum" : "ground");
    rcity_json_number(json, "frequency_mhz", transmitter->frequency_hz * 1e-6);
    add_power(json, transmitter);
    add_antenna(json, transmitter, path);
    rcity_json_end_object(json);
    rcity_json_end_object(json);
}

static rcity_status write_transmitters(rcity_text_block *text, const char *crs, int transmitter_count,
                                       const rcity_transmitter *transmitters, const char *path, double *xy)
{
    bool has_crs = strcmp(crs, "none") != 0;
    for (int i = 0; i < transmitter_count; i++) {
        xy[2 * i] = transmitters[i].x_m;
        xy[2 * i + 1] = transmitters[i].y_m;
    }
    if (has_crs && transmitter_count > 0) {
        RCITY_TRY(rcity_crs_transform(text->context, crs, RCITY_CRS_LONLAT, transmitter_count, xy));
    }
    rcity_json_writer json = rcity_text_block_json(text);
    rcity_geojson_begin(&json);
    rcity_json_begin_array(&json, "features");
    for (int i = 0; i < transmitter_count; i++) {
        add_feature(&json, &transmitters[i], xy + 2 * i, rcity_geojson_decimals(crs), path);
    }
    rcity_geojson_end(&json);
    return text->status;
}

rcity_status rcity_transmitters_save(rcity_context *context, const char *crs, int transmitter_count,
                                     const rcity_transmitter *transmitters, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, crs);
    RCITY_NEED(context, path);
    RCITY_CHECK_FIXED_ALL(context, rcity_transmitter, transmitters, transmitter_count);
    double *xy = NULL;
    rcity_text_block text;
    rcity_text_block_init(context, &text);
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, 2 * (size_t)transmitter_count + 2, sizeof *xy, "positions", &xy));
    RCITY_TRY_DONE(write_transmitters(&text, crs, transmitter_count, transmitters, path, xy));
    status = rcity_file_save(context, path, text.text, text.length);
done:
    rcity_text_block_deinit(&text);
    rcity_release(context, xy);
    return status;
}
