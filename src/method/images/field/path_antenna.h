/* What the antennas at both ends make of a path's channel.

   The amplitude is field over field between the two antennas' ports: sqrt(G_tx) p_tx into the direction of departure,
   through the channel, on to sqrt(G_rx) p_rx; gains are absolute (over isotropic), p are unit vectors of polarization.
   So the power that arrives is the power into the transmitting antenna times the gain. */
#ifndef RCITY_METHOD_IMAGES_FIELD_PATH_ANTENNA_H
#define RCITY_METHOD_IMAGES_FIELD_PATH_ANTENNA_H

#include "method/images/path/trace_path.h"
#include "method/method.h"
#include "scene/antenna_data.h"

/* What a receiver listens to. It has no front and looks along every ray back to where it comes from, polarised as a
   transmitting antenna of the same word would send there: exchanging two antennas changes no power. So vertical takes
   theta^ of whatever arrives and horizontal phi^ (the sign, which turns the phase by half a turn, is that of the way of
   travel), equal words of these two match on a line of sight, and slant matches slant-minus: two antennas that lean to
   their right face each other crossed. 3GPP TR 38.901, equation (7.5-29), has the same. */
typedef enum rcity_rx_polarization {
    RCITY_RX_POLARIZATION_VERTICAL,
    RCITY_RX_POLARIZATION_HORIZONTAL,
    RCITY_RX_POLARIZATION_SLANT,
    RCITY_RX_POLARIZATION_SLANT_MINUS,
    RCITY_RX_POLARIZATION_BOTH /* two ports, vertical first, whose powers add */
} rcity_rx_polarization;

/* The antennas of a link. Borrows the transmitter's antenna. */
typedef struct rcity_path_ends {
    rcity_antenna_job tx_antenna;
    const float *tx_table;
    double tx_azimuth_rad, tx_tilt_rad; /* as mounted */
    double tx_slant_rad;                /* of the polarization: 0 vertical, pi / 2 horizontal */
    rcity_rx_polarization rx_polarization;
    double rx_gain_dbi;
} rcity_path_ends;

/* A path as the receiver hears it. */
typedef struct rcity_path_weight {
    rcity_phasor amplitude;
    rcity_phasor cross_amplitude; /* at the second port of RCITY_RX_POLARIZATION_BOTH; else 0. Fields of paths add port
                                     by port, then the powers of the ports */
    double gain;                  /* |amplitude|^2 + |cross_amplitude|^2; 0 exactly where polarizations are crossed */
    double isotropic_gain;        /* the same with the gains of both antennas taken out, not their polarizations */
} rcity_path_weight;

/* The antennas of a job's transmitter and its receivers. */
rcity_path_ends rcity_path_ends_make(const rcity_job *job, const rcity_tx *tx, rcity_rx_polarization rx_polarization);

/* What antennas need to know of a path beside its channel. Angles as of rcity_direction_angles(). */
typedef struct rcity_path_course {
    double length_m;
    double departure_azimuth_deg, departure_elevation_deg;
    double arrival_azimuth_deg, arrival_elevation_deg; /* where it comes from */
    rcity_place3 departure;                            /* unit vector; 0 where the path has no length */
} rcity_path_course;

/* Measure a path; of a chain over roofs the over-roof path (path_chain.h). */
rcity_path_course rcity_path_measure(const rcity_trace_path *path);

/* Weigh a path by its course and channel. */
rcity_path_weight rcity_path_weigh(const rcity_path_ends *ends, const rcity_path_course *course,
                                   const rcity_channel *channel);

#endif
