/* What the ground takes from a line, for all methods of cities: flat ground where no map says what covers it, the
   curvature of the earth, hills. Over empty ground it is within 1 dB of ITU-R P.1812 (kernel/terrain). */
#ifndef RCITY_KERNEL_SURROUNDINGS_SURROUNDINGS_GROUND_H
#define RCITY_KERNEL_SURROUNDINGS_SURROUNDINGS_GROUND_H

#include "kernel/decibels.h"
#include "kernel/terrain/p1812/p1812_link.h"
#include "kernel/terrain/p1812/p1812_troposcatter.h"
#include "kernel/terrain/smooth_earth.h"

/* Two ends over flat ground. */
typedef struct rcity_surroundings_flat {
    float
        heights_m2; /* the product of their heights: above the ground of the other end, or their own where that is more */
    float high_m, low_m;
    float length_m, wavelength_m;
} rcity_surroundings_flat;

RCITY_KERNEL_WITHIN rcity_surroundings_flat rcity_surroundings_flat_make(float wavelength_m, float length_m,
                                                                         float source_m, float receiver_m, float rise_m)
{
    rcity_surroundings_flat flat;
    flat.high_m = rcity_max(rcity_max(source_m, receiver_m - rise_m), 0.1f);
    flat.low_m = rcity_max(rcity_max(receiver_m, source_m + rise_m), 0.1f);
    flat.heights_m2 = flat.high_m * flat.low_m;
    flat.length_m = length_m;
    flat.wavelength_m = wavelength_m;
    return flat;
}

/* What flat ground takes from a free line beyond a breakpoint, from where the ray that it reflects cancels the direct
   one. Over open ground that is plane earth: far away the field is 4 pi h h' / (wavelength d) of that in free space;
   nearer, from where this is 1, the two rays interfere, and their mean counts. In a town (`town` is 1) traffic and
   street furniture cover the ground, and it is the median of ITU-R P.1411-11, section 4.2.1, with the breakpoint
   4 h h' / wavelength. */
RCITY_KERNEL_WITHIN float rcity_surroundings_ground_db(rcity_surroundings_flat flat, float town)
{
    float reach = flat.length_m * flat.wavelength_m / (4.0f * flat.heights_m2); /* in breakpoints */
    float square = reach * reach;
    float plane = rcity_max(square * (1.0f / (RCITY_PI * RCITY_PI)), 1.0f);
    return rcity_decibels((1.0f - town) * plane + town * (1.0f + square));
}

/* Nearer than this times the root of the higher end's height the earth is flat: it bulges by less than a thirtieth of
   that height. */
#define RCITY_SURROUNDINGS_FLAT_ROOT_M 714.0f

/* As much is left of the difference between two formulas for a flat earth. */
#define RCITY_SURROUNDINGS_FLAT_DB 0.25f

RCITY_KERNEL int rcity_surroundings_is_flat(float source_m, float receiver_m, float rise_m, float length_m)
{
    float high_m = rcity_max(rcity_max(source_m, receiver_m - rise_m), rcity_max(receiver_m, source_m + rise_m));
    return length_m * length_m <
           RCITY_SURROUNDINGS_FLAT_ROOT_M * RCITY_SURROUNDINGS_FLAT_ROOT_M * rcity_max(high_m, 1.0f);
}

/* What the curvature of the earth takes beyond that: as much as diffraction over a smooth earth, or scatter in the
   troposphere where that is stronger, lose more than plane earth (ITU-R P.1812-6, sections 4.3.2, 4.3.3 and 4.4, half
   the time, in the climate of the method over terrain). Not for loops that become vectors. */
RCITY_KERNEL float rcity_surroundings_earth_db(rcity_surroundings_flat flat)
{
    rcity_real radius_km = rcity_p1812_radius_km((rcity_real)RCITY_P1812_GRADIENT_DEFAULT);
    rcity_real d = (rcity_real)flat.length_m * RCITY_REAL(0.001);
    rcity_smooth_path path;
    path.distance_km = d;
    path.tx_m = (rcity_real)flat.high_m;
    path.rx_m = (rcity_real)flat.low_m;
    path.wavelength_m = (rcity_real)flat.wavelength_m;
    path.frequency_ghz = RCITY_REAL(0.299792458) / path.wavelength_m;
    path.sea_share = RCITY_REAL(0.0);
    path.is_vertical = 1;
    rcity_real smooth_db = rcity_smooth_earth_db(&path, radius_km);
    /* the ray over both horizons bends by this */
    rcity_real roots = rcity_real_sqrt(RCITY_REAL(0.002) * path.tx_m / radius_km) +
                       rcity_real_sqrt(RCITY_REAL(0.002) * path.rx_m / radius_km);
    rcity_real angle_mrad = RCITY_REAL(1000.0) * (d / radius_km - roots);
    rcity_real free_db = RCITY_REAL(92.4) + RCITY_REAL(20.0) * rcity_real_log10(path.frequency_ghz * d);
    rcity_real scatter_db =
        rcity_p1812_troposcatter_db(path.frequency_ghz, d, angle_mrad, (rcity_real)RCITY_P1812_REFRACTIVITY_DEFAULT,
                                    RCITY_REAL(50.0)) -
        free_db;
    float plane_db = rcity_surroundings_ground_db(flat, 0.0f);
    float both_db = (float)rcity_terrain_join_db(smooth_db, scatter_db, RCITY_REAL(5.0));
    return rcity_max(both_db - plane_db - RCITY_SURROUNDINGS_FLAT_DB, 0.0f);
}

/* J(v) of ITU-R P.526-15, equation (31), from v times the root of the wavelength. */
RCITY_KERNEL_WITHIN float rcity_surroundings_edge_db(float root_m, float per_root_wavelength)
{
    float v = root_m * per_root_wavelength;
    float w = rcity_max(v, -0.79f) - 0.1f; /* below, the root is small; it is 0 dB at -0.7806 */
    return rcity_max(6.9f + 2.0f * rcity_decibels(rcity_sqrt(w * w + 1.0f) + w), 0.0f);
}

/* What real ground takes more than the one knife edge that stands for it, and loses J: 10 dB and 0.02 dB a kilometre,
   less where the edge takes less (ITU-R P.526-15, equation 54; as kernel/terrain/delta_bullington.h). */
RCITY_KERNEL_WITHIN float rcity_surroundings_round_db(float edge_db, float length_m)
{
    return (1.0f - rcity_decibel_ratio(-0.723824137f * edge_db)) * (10.0f + 2e-5f * length_m);
}

/* What a hill between two places takes from the diffuse path between them. */
RCITY_KERNEL_WITHIN float rcity_surroundings_hill_db(float edge_db, float length_m)
{
    return edge_db + rcity_surroundings_round_db(edge_db, length_m);
}

/* What the one edge of flat ground under such a line takes: v is -sqrt(8 h h' / (wavelength d)), at the place of the
   reflection. */
RCITY_KERNEL_WITHIN float rcity_surroundings_flat_edge_db(rcity_surroundings_flat flat)
{
    return rcity_surroundings_edge_db(-rcity_sqrt(8.0f * flat.heights_m2 / (flat.wavelength_m * flat.length_m)), 1.0f);
}

#define RCITY_SURROUNDINGS_BESIDE_DB 3.0f /* edges that take so much more than the ground are not the ground's */

/* What the ground takes beyond `edge_db` of the strongest edges of a path, roofs or the ground (ITU-R P.526-15, section
   4.5.3): the loss of hills that is not that of an edge, and what smooth ground, `ground_db`, takes more than its own
   edge, `flat_edge_db`, of which `share` is left. `bare_edge_db` is that of the bare ground under the line. Without hills
   it is `ground_db` times `share`. */
RCITY_KERNEL_WITHIN float rcity_surroundings_beside_db(float edge_db, float bare_edge_db, float ground_db,
                                                       float flat_edge_db, float length_m, float share)
{
    float both_db = rcity_min(bare_edge_db, flat_edge_db);
    float flat_db = rcity_surroundings_round_db(both_db, length_m);
    float part = 1.0f - (edge_db - bare_edge_db) * (1.0f / RCITY_SURROUNDINGS_BESIDE_DB);
    part = rcity_min(rcity_max(part, 0.0f), 1.0f);
    float rest_db = rcity_max(ground_db, both_db + flat_db) - part * both_db;
    flat_db *= 1.0f - part * (1.0f - share); /* behind a hill nothing is flat */
    return rcity_surroundings_round_db(bare_edge_db, length_m) - flat_db + rest_db * share;
}

#endif
