/* The transmitter on a command line. */
#include "transmitter_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "session.h"

transmitter_input transmitter_input_default(void)
{
    transmitter_input input;
    memset(&input, 0, sizeof input);
    input.frequency_mhz = (double)NAN;
    input.eirp_dbm = input.erp_dbm = input.power_dbm = input.power_w = (double)NAN;
    input.electrical_tilt_deg = (double)NAN;
    input.synthesis = "projection";
    input.polarization = "vertical";
    return input;
}

int transmitter_input_power_count(const transmitter_input *input)
{
    return !isnan(input->eirp_dbm) + !isnan(input->erp_dbm) + !isnan(input->power_dbm) + !isnan(input->power_w);
}

/* @return the polarization of a word, or -1. */
static int find_polarization(const char *word)
{
    for (int i = RCITY_POLARIZATION_VERTICAL; i <= RCITY_POLARIZATION_SLANT_MINUS; i++) {
        if (strcmp(word, rcity_polarization_name((rcity_polarization)i)) == 0) {
            return i;
        }
    }
    return -1;
}

/* A power in milliwatts given as dBm is refused by the library; here it is also told what was meant. */
static int check_levels(const char *command, const transmitter_input *input)
{
    const double level_dbm[] = {input->eirp_dbm, input->erp_dbm, input->power_dbm};
    static const char *const options[] = {"--eirp-dbm", "--erp-dbm", "--power-dbm"};
    for (int i = 0; i < 3; i++) {
        if (level_dbm[i] > RCITY_POWER_MAX_DBM) {
            return usage_error(command, "%s is %.10g, must be %g to %g dBm; %.10g mW are %.4g dBm", options[i],
                               level_dbm[i], RCITY_POWER_MIN_DBM, RCITY_POWER_MAX_DBM, level_dbm[i],
                               10.0 * log10(level_dbm[i]));
        }
    }
    return 0;
}

int transmitter_input_check(const char *command, const transmitter_input *input)
{
    if (transmitter_input_power_count(input) > 1) {
        return usage_error(command, "give one of --eirp-dbm, --erp-dbm, --power-dbm and --power-w");
    }
    if (input->cable_loss_db != 0.0 && (!isnan(input->eirp_dbm) || !isnan(input->erp_dbm))) {
        return usage_error(command, "EIRP and ERP are behind the cable: --cable-loss-db goes with --power-dbm or "
                                    "--power-w");
    }
    if (!isnan(input->power_w) && !(input->power_w > 0.0)) {
        return usage_error(command, "--power-w is %g, must be above 0", input->power_w);
    }
    if (strcmp(input->synthesis, "projection") != 0 && strcmp(input->synthesis, "sum") != 0) {
        return usage_error(command, "--pattern-synthesis is '%s', must be projection or sum", input->synthesis);
    }
    if (find_polarization(input->polarization) < 0) {
        return usage_error(command, "--polarization is '%s', must be vertical, horizontal, slant or slant-minus",
                           input->polarization);
    }
    return check_levels(command, input);
}

int transmitter_input_check_place(const char *command, const transmitter_input *input, const char *others)
{
    bool has_lonlat = input->lonlat.count > 0;
    if (!has_lonlat && input->place.count != 3) {
        return usage_error(command,
                           "the transmitter is missing or incomplete; give --tx X,Y,HEIGHT in metres%s "
                           "--tx-lonlat LON,LAT,HEIGHT%s",
                           others[0] != '\0' ? "," : " or", others);
    }
    if (has_lonlat && input->lonlat.count != 3) {
        return usage_error(command, "--tx-lonlat takes LONGITUDE,LATITUDE,HEIGHT in degrees and metres");
    }
    if (isnan(input->frequency_mhz)) {
        return usage_error(command, "the frequency is missing; give --frequency-mhz");
    }
    return 0;
}

rcity_antenna_synthesis transmitter_input_synthesis(const transmitter_input *input)
{
    return strcmp(input->synthesis, "sum") == 0 ? RCITY_SYNTHESIS_SUM : RCITY_SYNTHESIS_PROJECTION;
}

static void fill_power(const transmitter_input *input, rcity_transmitter *transmitter)
{
    if (!isnan(input->eirp_dbm)) {
        transmitter->power_kind = RCITY_POWER_EIRP;
        transmitter->power_dbm = input->eirp_dbm;
    } else if (!isnan(input->erp_dbm)) {
        transmitter->power_kind = RCITY_POWER_ERP;
        transmitter->power_dbm = input->erp_dbm;
    } else if (!isnan(input->power_dbm) || !isnan(input->power_w)) {
        transmitter->power_kind = RCITY_POWER_CONDUCTED;
        transmitter->power_dbm = !isnan(input->power_dbm) ? input->power_dbm : 10.0 * log10(1000.0 * input->power_w);
    }
    transmitter->cable_loss_db = input->cable_loss_db;
}

rcity_status transmitter_input_fill(rcity_context *context, const transmitter_input *input, rcity_antenna **antenna,
                                    rcity_transmitter *transmitter)
{
    transmitter->name = input->name;
    transmitter->is_absolute = input->is_absolute;
    transmitter->frequency_hz = input->frequency_mhz * 1e6;
    fill_power(input, transmitter);
    transmitter->azimuth_deg = input->azimuth_deg;
    transmitter->mechanical_tilt_deg = input->mechanical_tilt_deg;
    transmitter->electrical_tilt_deg = input->electrical_tilt_deg;
    transmitter->polarization = (rcity_polarization)find_polarization(input->polarization);
    if (input->antenna == NULL) {
        return RCITY_OK;
    }
    rcity_status status = rcity_antenna_open(context, input->antenna, transmitter_input_synthesis(input), antenna);
    transmitter->antenna = *antenna;
    return status;
}

rcity_status transmitter_input_locate(rcity_context *context, const rcity_scene *scene, const transmitter_input *input,
                                      rcity_transmitter *transmitter)
{
    if (input->lonlat.count == 3) {
        transmitter->height_m = input->lonlat.value[2];
        return rcity_scene_place_lonlat(context, scene, input->lonlat.value[0], input->lonlat.value[1],
                                        &transmitter->x_m, &transmitter->y_m);
    }
    transmitter->x_m = input->place.value[0];
    transmitter->y_m = input->place.value[1];
    transmitter->height_m = input->place.value[2];
    return RCITY_OK;
}

void transmitter_warn_outside(const rcity_scene *scene, const rcity_transmitter *transmitter)
{
    rcity_scene_info info;
    if (session_is_quiet() || rcity_scene_describe(scene, &info) != RCITY_OK) {
        return;
    }
    double dx = fmax(fmax(info.x_min_m - transmitter->x_m, transmitter->x_m - info.x_max_m), 0.0);
    double dy = fmax(fmax(info.y_min_m - transmitter->y_m, transmitter->y_m - info.y_max_m), 0.0);
    bool is_swapped = transmitter->y_m >= info.x_min_m && transmitter->y_m <= info.x_max_m &&
                      transmitter->x_m >= info.y_min_m && transmitter->x_m <= info.y_max_m;
    if (hypot(dx, dy) > 0.0) {
        fprintf(stderr,
                "radiocity: warning: the transmitter '%s' at (%.2f, %.2f) lies %.0f m outside the scene; the path to "
                "the scene is taken as free%s\n",
                transmitter->name != NULL ? transmitter->name : "Tx", transmitter->x_m, transmitter->y_m, hypot(dx, dy),
                is_swapped ? " (with x and y swapped it would lie in the scene)" : "");
    }
}
