/* What the ground takes from a line, where no map says what covers it. */
#ifndef RCITY_KERNEL_SURROUNDINGS_SURROUNDINGS_GROUND_H
#define RCITY_KERNEL_SURROUNDINGS_SURROUNDINGS_GROUND_H

#include "kernel/decibels.h"

/* What the ground takes from a free line beyond a breakpoint, from where the ray that the ground reflects cancels the
   direct one. Over open ground that is the two-ray model: far away the field is 4 pi h h' / (wavelength d) of that in
   free space; nearer, from where this is 1, the two rays interfere, and their mean counts. In a town (`town` is 1)
   traffic and street furniture cover the ground, and it is the median of ITU-R P.1411-11, section 4.2.1, with the
   breakpoint 4 h h' / wavelength. The heights of the ends are above the ground of the other end, or their own where
   that is more. */
RCITY_KERNEL float rcity_surroundings_ground_db(float wavelength_m, float length_m, float source_m, float receiver_m,
                                                float rise_m, float town)
{
    float high_m = rcity_max(source_m, receiver_m - rise_m);
    float low_m = rcity_max(receiver_m, source_m + rise_m);
    float heights_m2 = rcity_max(high_m, 0.1f) * rcity_max(low_m, 0.1f);
    float reach = length_m * wavelength_m / (4.0f * heights_m2); /* in breakpoints */
    float square = reach * reach;
    float plane = square * (1.0f / (RCITY_PI * RCITY_PI));
    return rcity_decibels((1.0f - town) * rcity_sqrt(1.0f + plane * plane) + town * (1.0f + square));
}

/* What a hill between two places takes from the diffuse path between them: J(v) of ITU-R P.526-15, equation (31), from v
   times the root of the wavelength. */
RCITY_KERNEL float rcity_surroundings_hill_db(float hill_root_m, float per_root_wavelength)
{
    float v = hill_root_m * per_root_wavelength;
    float w = rcity_max(v, -0.78f) - 0.1f; /* below, the root is small and J is 0 */
    float edge_db = 6.9f + 2.0f * rcity_decibels(rcity_sqrt(w * w + 1.0f) + w);
    return v > -0.78f ? edge_db : 0.0f;
}

#endif
