/* What a reader of a result must know to make it again; nothing that varies from run to run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/predictor.h"

/* All receiver heights, separated by commas. */
static rcity_status note_heights(const rcity_job *job, rcity_notes *notes)
{
    char text[32 * RCITY_RX_HEIGHT_COUNT_MAX] = "";
    size_t used = 0;
    for (int i = 0; i < job->receivers->height_count; i++) {
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%.10g", i > 0 ? "," : "", job->receivers->height_m[i]);
    }
    return rcity_notes_add(notes, "rx_height_m", "%s", text);
}

/* Options are noted under their names, with underscores as in all notes. */
static rcity_status note_option(const rcity_job *job, int option_index, rcity_notes *notes)
{
    char key[64];
    snprintf(key, sizeof key, "%s", job->method->options[option_index].name);
    for (char *letter = strchr(key, '-'); letter != NULL; letter = strchr(letter, '-')) {
        *letter = '_';
    }
    return rcity_notes_add(notes, key, "%s", job->option[option_index]);
}

static const char *policy_word(rcity_range_policy policy)
{
    switch (policy) {
    case RCITY_RANGE_EXTRAPOLATE:
        return "extrapolate";
    case RCITY_RANGE_SKIP:
        return "skip";
    case RCITY_RANGE_FAIL:
        break;
    }
    return "fail";
}

/* Does the raster reach farther than the last whole cell makes it? */
static bool reaches_out(const rcity_job *job)
{
    const rcity_shapes *shapes = job->shapes;
    const rcity_raster *raster = &job->raster;
    double unit_m = 1.0 / shapes->units_per_m;
    double slack_m = raster->cell_m;
    double east_m = raster->west_m + (double)raster->column_count * raster->cell_m;
    double south_m = raster->north_m - (double)raster->row_count * raster->cell_m;
    return raster->west_m < shapes->origin_x_m + shapes->x_min * unit_m - slack_m ||
           east_m > shapes->origin_x_m + shapes->x_max * unit_m + slack_m ||
           south_m < shapes->origin_y_m + shapes->y_min * unit_m - slack_m ||
           raster->north_m > shapes->origin_y_m + shapes->y_max * unit_m + slack_m;
}

rcity_status rcity_predictor_note_request(const rcity_predictor *predictor, uint64_t unused, rcity_notes *notes)
{
    const rcity_job *job = &predictor->job;
    RCITY_TRY(rcity_notes_add(notes, "version", "%s", rcity_version()));
    RCITY_TRY(rcity_notes_add(notes, "method", "%s", job->method->info.name));
    for (int i = 0; i < job->method->info.option_count; i++) {
        if ((unused & RCITY_OPTION_BIT(i)) == 0) {
            RCITY_TRY(note_option(job, i, notes));
        }
    }
    if (predictor->options.coefficients != NULL) {
        RCITY_TRY(rcity_notes_add(notes, "coefficients", "%s", predictor->options.coefficients));
    }
    if (job->range_policy != RCITY_RANGE_FAIL) {
        RCITY_TRY(rcity_notes_add(notes, "out_of_range", "%s", policy_word(job->range_policy)));
    }
    bool is_raster = rcity_job_is_raster(job);
    if (is_raster) {
        RCITY_TRY(note_heights(job, notes));
    }
    if (job->receivers->gain_dbi != 0.0) {
        RCITY_TRY(rcity_notes_add(notes, "rx_gain_dbi", "%.10g", job->receivers->gain_dbi));
    }
    if (is_raster) {
        RCITY_TRY(rcity_notes_add(notes, "cell_m", "%.10g", job->raster.cell_m));
    }
    if (is_raster && reaches_out(job)) {
        RCITY_TRY(rcity_notes_add(notes, "rx_outside_scene", "cells outside the scene are taken as open land"));
    }
    RCITY_TRY(rcity_notes_add(notes, "scene_source", "%s", rcity_scene_source(job->scene)));
    return rcity_notes_add(notes, "scene_hash", "%s", job->shapes->hash);
}

/* The antenna and where it looks. */
static rcity_status note_antenna(const rcity_transmitter *transmitter, rcity_notes *notes)
{
    if (transmitter->antenna == NULL) {
        return RCITY_OK;
    }
    rcity_antenna_info info;
    rcity_antenna_describe(transmitter->antenna, &info);
    double electrical_deg =
        isnan(transmitter->electrical_tilt_deg) ? info.electrical_tilt_deg : transmitter->electrical_tilt_deg;
    RCITY_TRY(rcity_notes_add_scoped(notes, RCITY_NOTE_TRANSMITTER, "tx_antenna", "%s", info.name));
    RCITY_TRY(rcity_notes_add_scoped(notes, RCITY_NOTE_TRANSMITTER, "tx_antenna_gain_dbi", "%.10g", info.gain_dbi));
    RCITY_TRY(
        rcity_notes_add_scoped(notes, RCITY_NOTE_TRANSMITTER, "tx_azimuth_deg", "%.10g", transmitter->azimuth_deg));
    RCITY_TRY(rcity_notes_add_scoped(notes, RCITY_NOTE_TRANSMITTER, "tx_mechanical_tilt_deg", "%.10g",
                                     transmitter->mechanical_tilt_deg));
    return rcity_notes_add_scoped(notes, RCITY_NOTE_TRANSMITTER, "tx_electrical_tilt_deg", "%.10g", electrical_deg);
}

rcity_status rcity_predictor_note_transmitter(const rcity_job *job, const rcity_tx *tx, rcity_notes *notes)
{
    const rcity_transmitter *transmitter = &tx->stated;
    if (transmitter->name != NULL) {
        RCITY_TRY(rcity_notes_add_scoped(notes, RCITY_NOTE_TRANSMITTER, "tx_name", "%s", transmitter->name));
    }
    RCITY_TRY(rcity_notes_add_scoped(notes, RCITY_NOTE_TRANSMITTER, "frequency_mhz", "%.10g",
                                     transmitter->frequency_hz * 1e-6));
    RCITY_TRY(rcity_notes_add_scoped(notes, RCITY_NOTE_TRANSMITTER, "tx_x_m", "%.10g", transmitter->x_m));
    RCITY_TRY(rcity_notes_add_scoped(notes, RCITY_NOTE_TRANSMITTER, "tx_y_m", "%.10g", transmitter->y_m));
    RCITY_TRY(rcity_notes_add_scoped(notes, RCITY_NOTE_TRANSMITTER, "tx_height_m", "%.10g", transmitter->height_m));
    RCITY_TRY(rcity_notes_add_scoped(notes, RCITY_NOTE_TRANSMITTER, "tx_height_from", "%s",
                                     transmitter->is_absolute ? "datum" : "ground"));
    const rcity_shapes *shapes = job->shapes;
    double x = (transmitter->x_m - shapes->origin_x_m) * shapes->units_per_m;
    double y = (transmitter->y_m - shapes->origin_y_m) * shapes->units_per_m;
    if (x < shapes->x_min || x > shapes->x_max || y < shapes->y_min || y > shapes->y_max) {
        RCITY_TRY(rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, "tx_outside_scene",
                                         "the path to the scene is taken as free"));
    }
    bool has_power = !isnan(transmitter->power_dbm);
    bool knows_antennas = job->method->knows_antennas;
    if (has_power) {
        RCITY_TRY(rcity_notes_add_scoped(notes, RCITY_NOTE_TRANSMITTER, "tx_eirp_dbm", "%.10g",
                                         rcity_transmitter_eirp_dbm(transmitter)));
    }
    if (knows_antennas) {
        RCITY_TRY(rcity_notes_add_scoped(notes, RCITY_NOTE_TRANSMITTER, "tx_polarization", "%s",
                                         rcity_polarization_name(transmitter->polarization)));
    }
    /* without a power nothing depends on the antenna, but where a method follows the field */
    return has_power || knows_antennas ? note_antenna(transmitter, notes) : RCITY_OK;
}

rcity_status rcity_predictor_note_before(const rcity_predictor *predictor, const rcity_job *job, const rcity_tx *tx,
                                         rcity_notes *own)
{
    rcity_notes notes;
    rcity_status status;
    rcity_notes_init(job->context, &notes);
    RCITY_TRY_DONE(rcity_predictor_note_request(predictor, 0, &notes));
    RCITY_TRY_DONE(rcity_predictor_note_transmitter(job, tx, &notes));
    RCITY_TRY_DONE(rcity_notes_copy(own, &notes));
    rcity_notes old = *own;
    *own = notes;
    notes = old;
done:
    rcity_notes_deinit(&notes);
    return status;
}

void rcity_predictor_describe_transmitter(const rcity_tx *tx, char *text, size_t room)
{
    const rcity_transmitter *transmitter = &tx->stated;
    int used =
        snprintf(text, room, "x %.10g, y %.10g, height %.10g m above %s, %.10g MHz, EIRP %.10g dBm", transmitter->x_m,
                 transmitter->y_m, transmitter->height_m, transmitter->is_absolute ? "datum" : "ground",
                 transmitter->frequency_hz * 1e-6, rcity_transmitter_eirp_dbm(transmitter));
    if (transmitter->antenna == NULL || used < 0 || (size_t)used >= room) {
        return;
    }
    rcity_antenna_info info;
    rcity_antenna_describe(transmitter->antenna, &info);
    double electrical_deg =
        isnan(transmitter->electrical_tilt_deg) ? info.electrical_tilt_deg : transmitter->electrical_tilt_deg;
    snprintf(text + used, room - (size_t)used,
             ", antenna %.80s, azimuth %.10g, mechanical tilt %.10g, electrical tilt %.10g degrees", info.name,
             transmitter->azimuth_deg, transmitter->mechanical_tilt_deg, electrical_deg);
}
