/* How the antennas at both ends weigh a path's channel.

   The amplitude is the ratio of fields between the two antennas' ports: sqrt(G_tx) p_tx into the direction of
   departure, through the channel, on to sqrt(G_rx) p_rx. Gains are absolute (over isotropic), p are unit vectors of
   polarization. So the arriving power is the power into the transmitting antenna times the gain. */
#ifndef RCITY_METHOD_PATH_WEIGHT_H
#define RCITY_METHOD_PATH_WEIGHT_H

#include "method/link_ends.h"
#include "radiocity/rays.h"
#include "scene/facets/facet_table.h"

/* The channel of a path without antennas: arriving field over departing field, [out][in], 0 theta, 1 phi (as in
   rcity_path), between isotropic antennas: (lambda / 4 pi r) exp(-j k r) on the diagonal in free space. */
typedef struct rcity_channel {
    rcity_phasor transfer[2][2];
} rcity_channel;

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

/* Weigh a path by its course and channel. */
rcity_path_weight rcity_path_weigh(const rcity_path_ends *ends, const rcity_path_course *course,
                                   const rcity_channel *channel);

#endif
