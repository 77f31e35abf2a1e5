/* Hills and roofs of a profile as knife edges over the effective earth. */
#ifndef RCITY_KERNEL_TERRAIN_PROFILE_EDGE_H
#define RCITY_KERNEL_TERRAIN_PROFILE_EDGE_H

#include "kernel/terrain/ground_profile.h"
#include "kernel/wave/knife_edge.h"

/* A place over a profile: one of its points, with the height above the sea of an antenna or of an edge there. */
typedef struct rcity_profile_place {
    rcity_i32 index;
    rcity_real z_m;
} rcity_profile_place;

/* The strongest edge between two places. */
typedef struct rcity_profile_edge {
    rcity_real v;    /* of ITU-R P.526, equation (26); -100 where there is no point between the places */
    rcity_i32 index; /* of its point; that of the first place where there is none */
} rcity_profile_edge;

#define RCITY_PROFILE_NO_EDGE RCITY_REAL(-100.0)

RCITY_KERNEL rcity_real rcity_ground_profile_top_m(const rcity_ground_profile *profile, rcity_i32 i)
{
    return (rcity_real)rcity_ground_profile_height_m(profile, i) + (rcity_real)rcity_ground_profile_cover_m(profile, i);
}

/* The edge with the largest v between two places. `curvature_per_m` is 1 over the effective earth's radius: an edge rises
   by d1 d2 / 2 of it over the chord, ITU-R P.526-15, section 4.1. The squares of v are compared, which needs no root a
   point. */
RCITY_KERNEL rcity_profile_edge rcity_profile_edge_find(const rcity_ground_profile *profile, rcity_profile_place from,
                                                        rcity_profile_place to, rcity_real curvature_per_m,
                                                        rcity_real wavelength_m)
{
    rcity_real start_m = (rcity_real)rcity_ground_profile_distance_m(profile, from.index);
    rcity_real length_m = (rcity_real)rcity_ground_profile_distance_m(profile, to.index) - start_m;
    rcity_real slope = (to.z_m - from.z_m) / length_m;
    rcity_real bulge_per_m = RCITY_REAL(0.5) * curvature_per_m;
    rcity_real most = RCITY_REAL(0.0);
    rcity_profile_edge edge;
    edge.v = RCITY_PROFILE_NO_EDGE;
    edge.index = from.index;
    for (rcity_i32 i = from.index + 1; i < to.index; i++) {
        rcity_real before_m = (rcity_real)rcity_ground_profile_distance_m(profile, i) - start_m;
        rcity_real behind_m = length_m - before_m;
        rcity_real room = before_m * behind_m;
        rcity_real rise_m = rcity_ground_profile_top_m(profile, i) + bulge_per_m * room - (from.z_m + slope * before_m);
        rcity_real measure = rise_m * rcity_real_fabs(rise_m) / room;
        if (edge.index == from.index || measure > most) {
            most = measure;
            edge.index = i;
        }
    }
    if (edge.index > from.index) {
        rcity_real size = rcity_real_sqrt(RCITY_REAL(2.0) * length_m * rcity_real_fabs(most) / wavelength_m);
        edge.v = most < RCITY_REAL(0.0) ? -size : size;
    }
    return edge;
}

/* Loss of several edges: the construction of Deygout with at most three of them, as ITU-R P.526-11 (10/2009), section
   4.4.2, "cascaded knife edge method", has it: the main edge p, the strongest on each side of it, t and r, and an
   empirical correction; L = J(p) + T (J(t) + J(r) + 10 + 0.04 D), T = 1 - exp(-J(p) / 6), D in km. The correction was
   fitted to measured paths: behind one edge alone, on otherwise flat ground, it gives up to 10 dB more than that edge. */
RCITY_KERNEL rcity_real rcity_deygout_loss_db(const rcity_ground_profile *profile, rcity_profile_place tx,
                                              rcity_profile_place rx, rcity_profile_edge edge,
                                              rcity_real curvature_per_m, rcity_real wavelength_m)
{
    rcity_real main_db = rcity_knife_edge_loss_db(edge.v);
    if (!(main_db > RCITY_REAL(0.0))) {
        return RCITY_REAL(0.0);
    }
    rcity_profile_place top;
    top.index = edge.index;
    top.z_m = rcity_ground_profile_top_m(profile, edge.index);
    rcity_real before_v = rcity_profile_edge_find(profile, tx, top, curvature_per_m, wavelength_m).v;
    rcity_real behind_v = rcity_profile_edge_find(profile, top, rx, curvature_per_m, wavelength_m).v;
    rcity_real path_km = RCITY_REAL(1e-3) * ((rcity_real)rcity_ground_profile_distance_m(profile, rx.index) -
                                             (rcity_real)rcity_ground_profile_distance_m(profile, tx.index));
    rcity_real more_db = rcity_knife_edge_loss_db(before_v) + rcity_knife_edge_loss_db(behind_v) + RCITY_REAL(10.0) +
                         RCITY_REAL(0.04) * path_km;
    return main_db - rcity_real_expm1(main_db * (-RCITY_REAL(1.0) / RCITY_REAL(6.0))) * more_db;
}

#endif
