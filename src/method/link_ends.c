/* The antennas of a link, from its transmitter and the options of a method. */
#include "method/link_ends.h"

#include <string.h>

#include "base/angle.h"

#define HALF_PI 1.57079632679489661923

static double slant_rad(rcity_polarization polarization)
{
    switch (polarization) {
    case RCITY_POLARIZATION_VERTICAL:
        return 0.0;
    case RCITY_POLARIZATION_HORIZONTAL:
        return HALF_PI;
    case RCITY_POLARIZATION_SLANT:
        return 0.5 * HALF_PI;
    case RCITY_POLARIZATION_SLANT_MINUS:
        break;
    }
    return -0.5 * HALF_PI;
}

rcity_rx_polarization rcity_rx_polarization_read(const char *word)
{
    return strcmp(word, "vertical") == 0      ? RCITY_RX_POLARIZATION_VERTICAL
           : strcmp(word, "horizontal") == 0  ? RCITY_RX_POLARIZATION_HORIZONTAL
           : strcmp(word, "slant") == 0       ? RCITY_RX_POLARIZATION_SLANT
           : strcmp(word, "slant-minus") == 0 ? RCITY_RX_POLARIZATION_SLANT_MINUS
                                              : RCITY_RX_POLARIZATION_BOTH;
}

void rcity_rx_polarization_share(rcity_rx_polarization polarization, double share[2])
{
    share[0] = polarization == RCITY_RX_POLARIZATION_HORIZONTAL ? 0.0 : 1.0;
    share[1] = polarization == RCITY_RX_POLARIZATION_VERTICAL ? 0.0 : 1.0;
    if (polarization == RCITY_RX_POLARIZATION_SLANT || polarization == RCITY_RX_POLARIZATION_SLANT_MINUS) {
        share[0] = share[1] = 0.5;
    }
}

rcity_path_ends rcity_path_ends_make(const rcity_job *job, const rcity_tx *tx, rcity_rx_polarization rx_polarization)
{
    const rcity_transmitter *transmitter = &tx->stated;
    rcity_path_ends ends;
    memset(&ends, 0, sizeof ends);
    ends.tx_table = rcity_antenna_table(transmitter->antenna, &ends.tx_table_count);
    ends.tx_azimuth_rad = tx->azimuth_rad;
    ends.tx_tilt_rad = rcity_angle_rad(transmitter->mechanical_tilt_deg);
    ends.tx_slant_rad = slant_rad(transmitter->polarization);
    rcity_antenna_mount(transmitter->antenna, ends.tx_azimuth_rad, ends.tx_tilt_rad,
                        rcity_angle_rad(transmitter->electrical_tilt_deg), &ends.tx_antenna);
    ends.rx_polarization = rx_polarization;
    ends.rx_gain_dbi = job->receivers->gain_dbi;
    return ends;
}

double rcity_link_input_dbm(const rcity_tx *tx)
{
    const rcity_transmitter *transmitter = &tx->stated;
    rcity_antenna_job mounted;
    rcity_antenna_mount(transmitter->antenna, tx->azimuth_rad, rcity_angle_rad(transmitter->mechanical_tilt_deg),
                        rcity_angle_rad(transmitter->electrical_tilt_deg), &mounted);
    return rcity_transmitter_eirp_dbm(transmitter) - (double)mounted.gain_dbi;
}
