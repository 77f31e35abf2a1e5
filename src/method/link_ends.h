/* The antennas at both ends of a link, for methods that follow fields. */
#ifndef RCITY_METHOD_LINK_ENDS_H
#define RCITY_METHOD_LINK_ENDS_H

#include "method/method.h"
#include "scene/antenna_data.h"

/* The polarization of a receiver. It is omnidirectional: it looks back along every ray, and is polarized as a
   transmitting antenna of the same name would be in that direction, so that exchanging two antennas changes no power.
   Vertical therefore takes theta^ of the arriving field and horizontal phi^ (the sign, which shifts the phase by half a
   turn, is that of the direction of travel). Equal names of these two match on a line of sight, and slant matches
   slant-minus: two antennas that lean to their right are crossed when they face each other. 3GPP TR 38.901, equation
   (7.5-29), has the same convention. */
typedef enum rcity_rx_polarization {
    RCITY_RX_POLARIZATION_VERTICAL, /* the numbers are those of kernel/wave/polarization.h */
    RCITY_RX_POLARIZATION_HORIZONTAL,
    RCITY_RX_POLARIZATION_SLANT,
    RCITY_RX_POLARIZATION_SLANT_MINUS,
    RCITY_RX_POLARIZATION_BOTH /* two ports, vertical first, whose powers add */
} rcity_rx_polarization;

/* The option of methods that know it, and what its word means. */
#define RCITY_RX_POLARIZATION_WORDS "vertical|horizontal|slant|slant-minus|both"
rcity_rx_polarization rcity_rx_polarization_read(const char *word);

/* The shares of arriving power, of theta and of phi, that a receiver takes of waves without a fixed phase. */
void rcity_rx_polarization_share(rcity_rx_polarization polarization, double share[2]);

/* The antennas of a link. Borrows the transmitter's antenna. */
typedef struct rcity_path_ends {
    rcity_antenna_job tx_antenna;
    const float *tx_table;
    int64_t tx_table_count;
    double tx_azimuth_rad, tx_tilt_rad; /* as mounted */
    double tx_slant_rad;                /* of the polarization: 0 vertical, pi / 2 horizontal */
    rcity_rx_polarization rx_polarization;
    double rx_gain_dbi;
} rcity_path_ends;

/* Power into the antenna: the power in its strongest direction less its gain there. NAN where it is not known. */
double rcity_link_input_dbm(const rcity_tx *tx);

/* The antennas of a job's transmitter and its receivers. */
rcity_path_ends rcity_path_ends_make(const rcity_job *job, const rcity_tx *tx, rcity_rx_polarization rx_polarization);

#endif
