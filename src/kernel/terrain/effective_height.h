/* Formulas over terrain that look at heights alone: plane earth, and Hata's effective height of the antenna. */
#ifndef RCITY_KERNEL_TERRAIN_EFFECTIVE_HEIGHT_H
#define RCITY_KERNEL_TERRAIN_EFFECTIVE_HEIGHT_H

#include "kernel/free_space.h"
#include "kernel/hata.h"
#include "kernel/terrain/ground_profile.h"

/* Ground farther away than this does not count for the effective height, and the first fifth of the way does not
   either: ITU-R P.1546-6 (08/2019), Annex 5, section 3: from 3 to 15 km, on shorter paths from 0.2 d to d. */
#define RCITY_EFFECTIVE_HEIGHT_FAR_M 15000.0f
#define RCITY_EFFECTIVE_HEIGHT_PART  0.2f
#define RCITY_EFFECTIVE_HEIGHT_MIN_M 1.0f

/* Height of an antenna, `tx_z_m` above the sea, over the mean ground between these distances. */
RCITY_KERNEL float rcity_effective_height_m(const rcity_ground_profile *profile, float tx_z_m)
{
    float length_m = rcity_ground_profile_distance_m(profile, profile->count - 1);
    float far_m = rcity_fmin(length_m, RCITY_EFFECTIVE_HEIGHT_FAR_M);
    float near_m = RCITY_EFFECTIVE_HEIGHT_PART * far_m;
    float base_m = rcity_ground_profile_height_m(profile, profile->count - 1);
    float sum_m = 0.0f;
    float weight = 0.0f;
    /* pieces of the profile, cut off at both limits: so the mean does not jump as the line grows */
    for (rcity_i32 i = 0; i + 1 < profile->count; i++) {
        float start_m = rcity_ground_profile_distance_m(profile, i);
        float size_m = rcity_ground_profile_distance_m(profile, i + 1) - start_m;
        float from = rcity_fmax((near_m - start_m) / size_m, 0.0f);
        float to = rcity_fmin((far_m - start_m) / size_m, 1.0f);
        if (to > from) {
            float before_m = rcity_ground_profile_height_m(profile, i) - base_m;
            float behind_m = rcity_ground_profile_height_m(profile, i + 1) - base_m;
            float middle_m = before_m + (behind_m - before_m) * 0.5f * (from + to);
            sum_m += middle_m * size_m * (to - from);
            weight += size_m * (to - from);
        }
    }
    float mean_m = weight > 0.0f ? sum_m / weight : 0.0f;
    return tx_z_m - base_m - mean_m;
}

/* Okumura-Hata with that height, and never less than free space. Heights below 1 m are raised to it. */
RCITY_KERNEL float rcity_hata_over_ground_db(const rcity_ground_profile *profile, rcity_link link, float tx_z_m,
                                             float frequency_mhz, float wavelength_m, rcity_i32 environment)
{
    float height_m = rcity_fmax(rcity_effective_height_m(profile, tx_z_m), RCITY_EFFECTIVE_HEIGHT_MIN_M);
    float loss_db = rcity_hata_loss_db(frequency_mhz, link.plan_m, height_m, link.rx_height_m, environment);
    return rcity_fmax(loss_db, rcity_free_space_loss_db(link.distance_m, wavelength_m));
}

/* Two rays over plane earth far beyond the break point, with heights above the ground at the feet of both ends:
   40 log d - 20 log (h1 h2) (J. D. Parsons, The Mobile Radio Propagation Channel, 2nd ed., 2000, equation (2.24)); nearer
   than 4 pi h1 h2 / lambda, where that would be less than free space, free space. The fringes there are left out: their
   mean is close to free space, and over real ground they are not where the formula has them. */
RCITY_KERNEL float rcity_plane_earth_loss_db(rcity_link link, float wavelength_m)
{
    float tx_m = rcity_fmax(link.tx_height_m, RCITY_LINK_HEIGHT_MIN_M);
    float rx_m = rcity_fmax(link.rx_height_m, RCITY_LINK_HEIGHT_MIN_M);
    float distance_m = rcity_fmax(link.distance_m, RCITY_LINK_DISTANCE_MIN_M);
    float free_db = rcity_free_space_loss_db(distance_m, wavelength_m);
    return rcity_fmax(free_db, 40.0f * rcity_log10(distance_m) - 20.0f * rcity_log10(tx_m * rx_m));
}

#endif
