/* How the antennas at both ends weigh a path's channel.

   The amplitude is the ratio of fields between the two antennas' ports: sqrt(G_tx) p_tx into the direction of
   departure, through the channel, on to sqrt(G_rx) p_rx. Gains are absolute (over isotropic), p are unit vectors of
   polarization. So the arriving power is the power into the transmitting antenna times the gain. */
#ifndef RCITY_METHOD_IMAGES_FIELD_PATH_ANTENNA_H
#define RCITY_METHOD_IMAGES_FIELD_PATH_ANTENNA_H

#include "method/images/path/trace_path.h"
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

/* The antennas of a link. Borrows the transmitter's antenna. */
typedef struct rcity_path_ends {
    rcity_antenna_job tx_antenna;
    const float *tx_table;
    double tx_azimuth_rad, tx_tilt_rad; /* as mounted */
    double tx_slant_rad;                /* of the polarization: 0 vertical, pi / 2 horizontal */
    rcity_rx_polarization rx_polarization;
    double rx_gain_dbi;
} rcity_path_ends;

/* A path as it is received. */
typedef struct rcity_path_weight {
    rcity_phasor amplitude;
    rcity_phasor cross_amplitude; /* second port of RCITY_RX_POLARIZATION_BOTH, else 0; ports add in power */
    double gain;                  /* |amplitude|^2 + |cross_amplitude|^2; exactly 0 where polarizations are crossed */
    double isotropic_gain;        /* the same without the gains of both antennas, but with their polarizations */
} rcity_path_weight;

/* The antennas of a job's transmitter and its receivers. */
rcity_path_ends rcity_path_ends_make(const rcity_job *job, const rcity_tx *tx, rcity_rx_polarization rx_polarization);

/* What antennas need to know about a path besides its channel. Angles as in rcity_direction_angles(). */
typedef struct rcity_path_course {
    double length_m;
    double departure_azimuth_deg, departure_elevation_deg;
    double arrival_azimuth_deg, arrival_elevation_deg; /* the direction it arrives from */
    rcity_place3 departure, arrival;                   /* unit vectors of the same, 0 where the path has no length */
} rcity_path_course;

/* Measure a path; a chain over roofs is measured along its over-roof path (path_chain.h). */
rcity_path_course rcity_path_measure(const rcity_trace_path *path);

/* Weigh a path by its course and channel. */
rcity_path_weight rcity_path_weigh(const rcity_path_ends *ends, const rcity_path_course *course,
                                   const rcity_channel *channel);

#endif
