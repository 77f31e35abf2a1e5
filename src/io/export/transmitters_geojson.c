/* Transmitters as GeoJSON points, with all that is known of them. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "io/export/text_block.h"
#include "radiocity/crs.h"
#include "radiocity/io.h"

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

static void add_power(rcity_text_block *text, const rcity_transmitter *transmitter)
{
    static const char *const kinds[] = {
        [RCITY_POWER_EIRP] = "eirp", [RCITY_POWER_ERP] = "erp", [RCITY_POWER_CONDUCTED] = "conducted"};
    bool is_known = !isnan(transmitter->power_dbm);
    add_word(text, "power_kind", is_known ? kinds[transmitter->power_kind] : NULL);
    add_number(text, "power_dbm", transmitter->power_dbm);
    add_number(text, "cable_loss_db",
               transmitter->power_kind == RCITY_POWER_CONDUCTED ? transmitter->cable_loss_db : (double)NAN);
    add_number(text, "eirp_dbm", rcity_transmitter_eirp_dbm(transmitter));
}

static void add_antenna(rcity_text_block *text, const rcity_transmitter *transmitter)
{
    rcity_antenna_info info = {.name = "isotropic"};
    if (transmitter->antenna != NULL) {
        rcity_antenna_describe(transmitter->antenna, &info);
    }
    add_word(text, "antenna", info.name);
    add_number(text, "antenna_gain_dbi", info.gain_dbi);
    add_number(text, "azimuth_deg", transmitter->azimuth_deg);
    add_number(text, "mechanical_tilt_deg", transmitter->mechanical_tilt_deg);
    add_number(text, "electrical_tilt_deg", transmitter->electrical_tilt_deg);
    add_word(text, "polarization", rcity_polarization_name(transmitter->polarization));
    add_number(text, "load", transmitter->load);
}

static void add_feature(rcity_text_block *text, const rcity_transmitter *transmitter, const double *xy, int decimals)
{
    rcity_text_add(text, "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[");
    rcity_text_add_fixed(text, xy[0], decimals);
    rcity_text_add(text, ",");
    rcity_text_add_fixed(text, xy[1], decimals);
    rcity_text_add(text, "]},\"properties\":{\"name\":");
    rcity_text_add_json(text, transmitter->name != NULL ? transmitter->name : "Tx");
    add_number(text, "x_m", transmitter->x_m);
    add_number(text, "y_m", transmitter->y_m);
    add_number(text, "height_m", transmitter->height_m);
    add_word(text, "height_from", transmitter->is_absolute ? "datum" : "ground");
    add_number(text, "frequency_mhz", transmitter->frequency_hz * 1e-6);
    add_power(text, transmitter);
    add_antenna(text, transmitter);
    rcity_text_add(text, "}}");
}

static rcity_status write_transmitters(rcity_text_block *text, const char *crs, int transmitter_count,
                                       const rcity_transmitter *transmitters, double *xy)
{
    bool has_crs = strcmp(crs, "none") != 0;
    for (int i = 0; i < transmitter_count; i++) {
        xy[2 * i] = transmitters[i].x_m;
        xy[2 * i + 1] = transmitters[i].y_m;
    }
    if (has_crs && transmitter_count > 0) {
        RCITY_TRY(rcity_crs_transform(text->context, crs, RCITY_CRS_LONLAT, transmitter_count, xy));
    }
    rcity_text_add(text, "{\"type\":\"FeatureCollection\",\"features\":[\n");
    for (int i = 0; i < transmitter_count; i++) {
        add_feature(text, &transmitters[i], xy + 2 * i, has_crs ? 8 : 4);
        rcity_text_add(text, i + 1 < transmitter_count ? ",\n" : "\n");
    }
    rcity_text_add(text, "]}\n");
    return text->status;
}

rcity_status rcity_transmitters_save(rcity_context *context, const char *crs, int transmitter_count,
                                     const rcity_transmitter *transmitters, const char *path)
{
    double *xy = NULL;
    rcity_text_block text;
    rcity_text_block_init(context, &text);
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, 2 * (size_t)transmitter_count + 2, sizeof *xy, "positions", &xy));
    RCITY_TRY_DONE(write_transmitters(&text, crs, transmitter_count, transmitters, xy));
    status = rcity_file_save(context, path, text.text, text.length);
done:
    rcity_text_block_deinit(&text);
    rcity_release(context, xy);
    return status;
}
