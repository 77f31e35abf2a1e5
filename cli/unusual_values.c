/* Transmitters whose values are allowed and look like mistakes. */
#include "unusual_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "session.h"

#define FREQUENCY_LOW_HZ  30e6  /* below, no method but free space has a meaning */
#define FREQUENCY_HIGH_HZ 300e9 /* above is no band of the radio regulations */
#define EIRP_HIGH_DBM     95.0  /* 3 MW; the strongest broadcasters have 1 MW ERP, 92 dBm EIRP */
#define PATTERN_RATIO     1.25  /* a pattern is used this far from the frequency it was measured at */

/* The words are the same for a stop and for a warning. */
static int refuse(const char *command, const char *words)
{
    if (session_accepts_unusual()) {
        session_warn(words);
        return 0;
    }
    return usage_error(command, "%s; correct it, or go on with --accept-unusual", words);
}

static int check_frequency(const char *command, const char *name, double frequency_hz)
{
    char words[400];
    if (frequency_hz < FREQUENCY_LOW_HZ) {
        snprintf(words, sizeof words, "the frequency of '%.100s' is %.6g MHz; if %.6g GHz is meant, that is %.6g MHz",
                 name, frequency_hz * 1e-6, frequency_hz * 1e-6, frequency_hz * 1e-3);
        return refuse(command, words);
    }
    if (frequency_hz > FREQUENCY_HIGH_HZ) {
        snprintf(words, sizeof words, "the frequency of '%.100s' is %.6g MHz; if %.6g kHz is meant, that is %.6g MHz",
                 name, frequency_hz * 1e-6, frequency_hz * 1e-6, frequency_hz * 1e-9);
        return refuse(command, words);
    }
    return 0;
}

static int check_power(const char *command, const char *name, const rcity_transmitter *transmitter)
{
    char words[400];
    double eirp_dbm = rcity_transmitter_eirp_dbm(transmitter);
    if (isnan(eirp_dbm) || eirp_dbm <= EIRP_HIGH_DBM) {
        return 0;
    }
    snprintf(words, sizeof words, "'%.100s' radiates %.4g dBm EIRP, which are %.3g MW", name, eirp_dbm,
             pow(10.0, 0.1 * eirp_dbm) * 1e-9);
    return refuse(command, words);
}

static int check_pattern(const char *command, const char *name, const rcity_transmitter *transmitter,
                         const rcity_antenna_info *antenna)
{
    char words[400];
    double ratio = transmitter->frequency_hz / antenna->frequency_hz;
    if (isnan(ratio) || (ratio <= PATTERN_RATIO && ratio >= 1.0 / PATTERN_RATIO)) {
        return 0;
    }
    snprintf(words, sizeof words, "the antenna '%.80s' was measured at %.6g MHz and '%.100s' sends at %.6g MHz",
             antenna->name, antenna->frequency_hz * 1e-6, name, transmitter->frequency_hz * 1e-6);
    return refuse(command, words);
}

/* An isotropic antenna has neither direction nor tilt, an upright dipole no direction. */
static int check_direction(const char *command, const char *name, const rcity_transmitter *transmitter,
                           const rcity_antenna_info *antenna)
{
    char words[400];
    bool is_isotropic = strcmp(antenna->kind, "isotropic") == 0;
    bool is_dipole = strcmp(antenna->kind, "dipole") == 0;
    bool has_azimuth = fmod(transmitter->azimuth_deg, 360.0) != 0.0;
    bool has_tilt = transmitter->mechanical_tilt_deg != 0.0;
    bool has_electrical = !isnan(transmitter->electrical_tilt_deg) && transmitter->electrical_tilt_deg != 0.0;
    const char *what = is_isotropic && has_azimuth                    ? "azimuth"
                       : is_isotropic && (has_tilt || has_electrical) ? "tilt"
                       : is_dipole && has_azimuth && !has_tilt        ? "azimuth"
                                                                      : NULL;
    if (what == NULL) {
        return 0;
    }
    snprintf(words, sizeof words, "the %s of '%.100s' is without effect, since its antenna is %s", what, name,
             is_isotropic ? "isotropic (name one, such as 3gpp or a file)" : "an upright dipole");
    return refuse(command, words);
}

int unusual_values_check(const char *command, int transmitter_count, const rcity_transmitter *transmitters)
{
    int result = 0;
    for (int i = 0; result == 0 && i < transmitter_count; i++) {
        const rcity_transmitter *one = &transmitters[i];
        const char *name = one->name != NULL ? one->name : "Tx";
        rcity_antenna_info antenna = {.name = "isotropic", .kind = "isotropic", .frequency_hz = (double)NAN};
        if (one->antenna != NULL) {
            rcity_antenna_describe(one->antenna, &antenna);
        }
        bool is_allowed = one->frequency_hz >= RCITY_FREQUENCY_MIN_HZ && one->frequency_hz <= RCITY_FREQUENCY_MAX_HZ &&
                          !(fabs(one->power_dbm) > RCITY_POWER_MAX_DBM);
        if (!is_allowed) {
            continue;
        }
        result = check_frequency(command, name, one->frequency_hz);
        result = result != 0 ? result : check_power(command, name, one);
        result = result != 0 ? result : check_pattern(command, name, one, &antenna);
        result = result != 0 ? result : check_direction(command, name, one, &antenna);
    }
    return result;
}
