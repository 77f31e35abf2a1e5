/* How the antennas at both ends weigh a path's channel.

   The amplitude is the ratio of fields between the two antennas' ports: sqrt(G_tx) p_tx into the direction of
   departure, through the channel, on to sqrt(G_rx) p_rx. Gains are absolute (over isotropic), p are unit vectors of
   polarization. So the arriving power is the power into the transmitting antenna times the gain. */
#ifndef RCITY_METHOD_IMAGES_FIELD_PATH_ANTENNA_H
#define RCITY_METHOD_IMAGES_FIELD_PATH_ANTENNA_H

#include "method/images/path/trace_path.h"
#include "method/link_ends.h"

/* A path as it is received. */
typedef struct rcity_path_weight {
    rcity_phasor amplitude;
    rcity_phasor cross_amplitude; /* second port of RCITY_RX_POLARIZATION_BOTH, else 0; ports add in power */
    double gain;                  /* |amplitude|^2 + |cross_amplitude|^2; exactly 0 where polarizations are crossed */
    double isotropic_gain;        /* the same without the gains of both antennas, but with their polarizations */
} rcity_path_weight;

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
