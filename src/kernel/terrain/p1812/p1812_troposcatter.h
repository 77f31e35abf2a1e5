/* Scatter by the troposphere (ITU-R P.1812-6, section 4.4). */
#ifndef RCITY_KERNEL_TERRAIN_P1812_P1812_TROPOSCATTER_H
#define RCITY_KERNEL_TERRAIN_P1812_P1812_TROPOSCATTER_H

#include "kernel/terrain/terrain_math.h"

/* Equations (44) and (45). The angle is that of a ray over both horizons; the time is at most half of all. */
RCITY_KERNEL rcity_real rcity_p1812_troposcatter_db(rcity_real frequency_ghz, rcity_real distance_km,
                                                    rcity_real angle_mrad, rcity_real refractivity,
                                                    rcity_real time_percent)
{
    rcity_real log_f = rcity_real_log10(frequency_ghz);
    rcity_real over_2_ghz = log_f - RCITY_REAL(0.30102999566398119521);
    rcity_real rare = rcity_terrain_max(rcity_real_log10(RCITY_REAL(50.0) / time_percent), RCITY_REAL(0.0));
    return RCITY_REAL(190.1) + RCITY_REAL(25.0) * log_f - RCITY_REAL(2.5) * over_2_ghz * over_2_ghz +
           RCITY_REAL(20.0) * rcity_real_log10(distance_km) + RCITY_REAL(0.573) * angle_mrad -
           RCITY_REAL(0.15) * refractivity - RCITY_REAL(10.125) * rcity_real_pow(rare, RCITY_REAL(0.7));
}

#endif
