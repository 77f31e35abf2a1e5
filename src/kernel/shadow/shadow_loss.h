/* The loss of a path: free space over its length, its turns, walls. Two laws for turns: knife edges, right by
   construction from grazing on, and the polynomials of Rick and Kuhlen (equations 19 and 20, with a constant term that
   depends on distance and frequency), which calibration may also add to the knife edges. */
#ifndef RCITY_KERNEL_SHADOW_SHADOW_LOSS_H
#define RCITY_KERNEL_SHADOW_SHADOW_LOSS_H

#include "kernel/decibels.h"
#include "kernel/surroundings/surroundings_ground.h"
#include "kernel/surroundings/surroundings_mean.h"

/* The loss of a path with turns in dB: first_db once, and at each turn by alpha radians
       constant + per_decade log10(k L) + linear alpha + square alpha^2,
   L is s s' / (s + s') with the lengths before and after the turn. */
typedef struct rcity_shadow_turn_law {
    float first_db, constant_db, per_decade_db, linear_db, square_db;
} rcity_shadow_turn_law;

/* Numbers only, so that it can be a kernel argument. */
typedef struct rcity_shadow_law {
    rcity_shadow_turn_law corner, roof;
    rcity_surroundings_law mean;
    rcity_i32 has_knife_edges; /* 1: turns are knife edges, the ground reflects, there is a diffuse path */
    float wavelength_m, per_root_wavelength; /* and 1 over its square root */
    float direct_db; /* beyond free space where the line is free: the effect of walls and ground */
    float first_wall_db, wall_db, metre_db; /* through walls: at the first, at each, for each metre inside */
    float foliage_scale;    /* of rcity_shadow_foliage_db(): frequency in GHz to the power 0.284, or 0 */
    float free_space_db;    /* at 1 m */
    float log_wavenumber;   /* log10(k 1 m) */
    float clutter_height_m; /* height of unmapped clutter above the ground */
    float clutter_metre_db, clutter_limit_db; /* of rcity_shadow_clutter_db(); 0 a metre: no clutter */
} rcity_shadow_law;

/* The sums of a path, as in method/shadow/shadow_candidate.h. */
RCITY_KERNEL float rcity_shadow_turns_db(rcity_shadow_turn_law law, float log_wavenumber, float count,
                                         float log_distance_sum, float angle_sum, float square_sum)
{
    return law.first_db + count * (law.constant_db + law.per_decade_db * log_wavenumber) +
           law.per_decade_db * log_distance_sum + law.linear_db * angle_sum + law.square_db * square_sum;
}

/* J(v), the loss of a knife edge (ITU-R P.526-15, equation 31), as a ratio of powers: 4 at grazing, 1 below v = -0.78,
   where the line is free. */
RCITY_KERNEL float rcity_shadow_edge_ratio(float v)
{
    float w = v - 0.1f;
    float root = rcity_sqrt(w * w + 1.0f) + w;
    return v > -0.78f ? rcity_max(4.89778819f * root * root, 1.0f) : 1.0f; /* 6.9 dB */
}

/* The same from v times the square root of the wavelength, which does not depend on the frequency. */
RCITY_KERNEL float rcity_shadow_grazing_ratio(const rcity_shadow_law *law, float grazing_root_m)
{
    return rcity_shadow_edge_ratio(grazing_root_m * law->per_root_wavelength);
}

/* Free-space loss over a length, given as its logarithm. */
RCITY_KERNEL float rcity_shadow_free_db(const rcity_shadow_law *law, float log_length)
{
    return law->free_space_db + 20.0f * log_length;
}

#define RCITY_SHADOW_FOLIAGE_EXPONENT 0.284 /* of the frequency in GHz */

/* The loss of foliage on a line, after the modified exponential decay of Weissberger (ESD-TR-81-101, 1982): 0.45
   f^0.284 dB for each of the first 14 metres, 1.33 f^0.284 d^0.588 beyond; published for 0.23 to 95 GHz and up to 400
   m. */
RCITY_KERNEL float rcity_shadow_foliage_db(const rcity_shadow_law *law, float metres)
{
    if (metres <= 14.0f) {
        return law->foliage_scale * 0.45f * metres;
    }
    return law->foliage_scale * 1.33f * rcity_pow(metres, 0.588f);
}

/* The loss of trees, masts and traffic that are on no map, for a path that ends among them, from the metres below their
   tops. With one end in a wood (ITU-R P.833, section 2) the loss first grows by a constant rate per metre and then
   tends to a limit, since the field also arrives by other paths. */
RCITY_KERNEL float rcity_shadow_clutter_db(const rcity_shadow_law *law, float metres)
{
    float limit_db = law->clutter_limit_db;
    return limit_db * (1.0f - rcity_exp(-law->clutter_metre_db * metres / limit_db));
}

RCITY_KERNEL float rcity_shadow_walls_db(const rcity_shadow_law *law, float wall_count, float metres)
{
    return law->first_wall_db + law->wall_db * wall_count + law->metre_db * metres;
}

#endif
