/* The diffuse path, and the mean of the surroundings. Whatever the map says, some power arrives: walls, trees and
   vehicles scatter it into every street. And the less a map can be trusted, the less of the difference between a place
   and its surroundings is real. Both follow from means alone: how far the receiver is, how many metres of the line lie
   over buildings, and how high it passes over them. docs/methods/shadow.md says where the numbers come from. */
#ifndef RCITY_KERNEL_SURROUNDINGS_SURROUNDINGS_MEAN_H
#define RCITY_KERNEL_SURROUNDINGS_SURROUNDINGS_MEAN_H

#include "kernel/decibels.h"
#include "kernel/surroundings/surroundings_lattice.h"

#define RCITY_SURROUNDINGS_CLEAR_M    5.0f   /* an end so far above the roofs around it sees out over them */
#define RCITY_SURROUNDINGS_STREET_M   160.0f /* an end so far above them is in no street any more */
#define RCITY_SURROUNDINGS_LEVEL_M    1.0f   /* an end that is twice as much lower than the other counts alone */
#define RCITY_SURROUNDINGS_WEIGHT_MIN 1e-4f  /* below it nothing is built */

/* The diffuse path, and how much of a loss comes from the mean of the surroundings instead of the map.
   Numbers only, so that it can be part of a kernel argument. */
typedef struct rcity_surroundings_law {
    float least_db;       /* of the diffuse path beyond free space, with no roofs to pass */
    float roof_m;         /* metres over buildings from which on its field falls with their number */
    float per_elevation;  /* 1 over the elevation in radians at which roofs no longer matter */
    float doubt, doubt_m; /* largest share, and the distance at which half of it is reached */
} rcity_surroundings_law;

/* An end of a line, and what lies around it. */
typedef struct rcity_surroundings_end {
    float height_m; /* above the ground */
    rcity_surroundings_node here;
} rcity_surroundings_end;

#define RCITY_SURROUNDINGS_TOWN_SHARE 0.06f /* of built ground, between open land with a house and the edge of a town */

/* Is it a town where so much of the ground is built on? From 0 to 1. */
RCITY_KERNEL float rcity_surroundings_town(float share)
{
    float part = share * (1.0f / RCITY_SURROUNDINGS_TOWN_SHARE);
    float fourth = part * part * part * part;
    return fourth / (fourth + 1.0f);
}

/* A mean of the surroundings at the lower end of a line, where it dives between the buildings; at ends of about the
   same height the mean of both. The same both ways, and without a step. */
RCITY_KERNEL float rcity_surroundings_at_lower_end(rcity_surroundings_end source, rcity_surroundings_end receiver,
                                                   float at_source, float at_receiver)
{
    float share = 0.5f + 0.25f * (source.height_m - receiver.height_m) / RCITY_SURROUNDINGS_LEVEL_M;
    share = rcity_min(rcity_max(share, 0.0f), 1.0f);
    return at_source + share * (at_receiver - at_source);
}

/* How much of a city a line runs through, by the share of built ground around its lower end or on its way, whichever
   is more: 0 in the open, near 1 in a town. */
RCITY_KERNEL float rcity_surroundings_city_weight(rcity_surroundings_end source, rcity_surroundings_end receiver,
                                                  float built_m, float length_m)
{
    float share = rcity_surroundings_at_lower_end(source, receiver, source.here.built_share, receiver.here.built_share);
    return rcity_surroundings_town(rcity_max(share, built_m / length_m));
}

/* How much an end sees out over the roofs around it: 0 below them, 1 well above. */
RCITY_KERNEL float rcity_surroundings_clear(rcity_surroundings_end end)
{
    return rcity_min(rcity_max((end.height_m - end.here.roof_m) / RCITY_SURROUNDINGS_CLEAR_M, 0.0f), 1.0f);
}

/* How much the walls of streets guide between two ends: in a city, with streets at both ends, the less the higher an
   end stands above the roofs around it. */
RCITY_KERNEL float rcity_surroundings_street_weight(rcity_surroundings_end source, rcity_surroundings_end receiver,
                                                    float city)
{
    float above_m = rcity_max(source.height_m - source.here.roof_m, receiver.height_m - receiver.here.roof_m);
    float below = rcity_min(rcity_max(1.0f - above_m / RCITY_SURROUNDINGS_STREET_M, 0.0f), 1.0f);
    float share = rcity_min(source.here.built_share, receiver.here.built_share);
    return city * city * rcity_surroundings_town(share) * below;
}

/* How high an end that sees out over its roofs stands above those around the other end, `rise_m` below it. */
RCITY_KERNEL float rcity_surroundings_clearance_m(rcity_surroundings_end end, rcity_surroundings_end other,
                                                  float rise_m)
{
    return rcity_surroundings_clear(end) * rcity_max(rise_m + other.height_m - other.here.roof_m, 0.0f);
}

/* The loss beyond free space of the diffuse path in a city:
       least + 5 log10(1 + 1 / (e^4 + b^4)),
       e = elevation / elevation of no roofs,   b = roof_m / metres over buildings.
   The field over many roofs falls with their number where it grazes them, and is settled where it comes from above
   (Walfisch and Bertoni 1988): the larger of e and b decides. Into the street it is scattered. */
RCITY_KERNEL float rcity_surroundings_mean_db(const rcity_surroundings_law *law, rcity_surroundings_end source,
                                              rcity_surroundings_end receiver, float built_m, float length_m,
                                              float rise_m)
{
    float over_m = rcity_max(rcity_surroundings_clearance_m(source, receiver, -rise_m),
                             rcity_surroundings_clearance_m(receiver, source, rise_m));
    float e = over_m / length_m * law->per_elevation;
    float b = law->roof_m / rcity_max(built_m, 1e-2f);
    float e2 = rcity_min(e * e, 1e4f);
    float b2 = rcity_min(b * b, 1e4f);
    float power = rcity_max(e2 * e2 + b2 * b2, 1e-20f);
    return law->least_db + 0.5f * rcity_decibels(1.0f + 1.0f / power);
}

/* Metres over buildings for a path behind a hill: it comes down from the hill's top, and where that is steep roofs matter
   no more than at this elevation. `hill_db` is what the hill takes; without one all metres count. */
RCITY_KERNEL float rcity_surroundings_built_behind(const rcity_surroundings_law *law, float built_m, float hill_db,
                                                   float hill_slope)
{
    float steep = rcity_max(hill_slope * law->per_elevation * rcity_min(hill_db / 6.0f, 1.0f), 1e-3f);
    return rcity_min(built_m, law->roof_m / steep);
}

/* What the surroundings say of a receiver. */
typedef struct rcity_surroundings_mean {
    float loss_db; /* of the mean, free space included */
    float weight;  /* of the city: the diffuse path is so much weaker than the mean, at both of its ends */
    float doubt;   /* the share of the result that is the mean's */
} rcity_surroundings_mean;

RCITY_KERNEL rcity_surroundings_mean rcity_surroundings_mean_make(const rcity_surroundings_law *law,
                                                                  rcity_surroundings_end source,
                                                                  rcity_surroundings_end receiver, float free_db,
                                                                  float built_m, float length_m, float rise_m,
                                                                  float weight)
{
    rcity_surroundings_mean mean;
    mean.loss_db = free_db + rcity_surroundings_mean_db(law, source, receiver, built_m, length_m, rise_m);
    mean.weight = weight;
    mean.doubt = weight * law->doubt * length_m / (length_m + law->doubt_m);
    return mean;
}

/* The loss of the paths on the map with the diffuse one, their powers added, drawn toward the mean. `is_diffuse` is 1
   where the diffuse path is the stronger one. */
RCITY_KERNEL float rcity_surroundings_mean_blend(rcity_surroundings_mean mean, float loss_db, int *is_diffuse)
{
    float diffuse = mean.weight * mean.weight;
    float mapped = rcity_decibel_ratio(mean.loss_db - loss_db); /* relative to the mean's power */
    *is_diffuse = diffuse > mapped;
    return mean.loss_db - (1.0f - mean.doubt) * rcity_decibels(diffuse + mapped);
}

#endif
