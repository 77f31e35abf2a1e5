/* The horizons of both ends, the heights over a smooth surface and the roughness of the ground (ITU-R P.1812-6,
   attachment 1 to annex 1). */
#ifndef RCITY_KERNEL_TERRAIN_P1812_P1812_HORIZONS_H
#define RCITY_KERNEL_TERRAIN_P1812_P1812_HORIZONS_H

#include "kernel/terrain/profile_shape.h"

typedef struct rcity_p1812_horizons {
    rcity_real tx_km, rx_km;       /* to the horizons, or to the ground that comes nearest to the line of sight */
    rcity_real tx_mrad, rx_mrad;   /* their elevation as the ends see it */
    rcity_real angle_mrad;         /* the bend of a ray over both */
    rcity_real fit_tx_m, fit_rx_m; /* the smooth surface at the ends, above the sea */
    rcity_real effective_tx_m, effective_rx_m; /* antennas above it */
    rcity_real roughness_m;                    /* the most that the ground between the horizons stands over it */
    rcity_i32 is_beyond;                       /* without line of sight over the bare ground */
} rcity_p1812_horizons;

/* The angle in milliradians of a slope in metres per kilometre. */
RCITY_KERNEL rcity_real rcity_p1812_mrad(rcity_real slope)
{
    return RCITY_REAL(1000.0) * rcity_real_atan2(slope, RCITY_REAL(1000.0));
}

/* Equation (93): a second look at the points from one horizon to the other; one point where there is sight. */
RCITY_KERNEL rcity_real rcity_p1812_roughness_m(const rcity_ground_profile *ground, rcity_i32 first, rcity_i32 last,
                                                rcity_real fit_tx_m, rcity_real slope)
{
    rcity_real most_m = RCITY_PROFILE_NOTHING;
    for (rcity_i32 i = first; i <= last; i++) {
        rcity_real over_m = rcity_profile_height_m(ground, i) - fit_tx_m - slope * rcity_profile_km(ground, i);
        most_m = rcity_terrain_max(most_m, over_m);
    }
    return most_m;
}

/* Equations (76) to (93). `bulge` is that of the first Earth of the shape. */
RCITY_KERNEL rcity_p1812_horizons rcity_p1812_horizons_of(const rcity_ground_profile *ground,
                                                          const rcity_profile_shape *shape, rcity_real bulge)
{
    rcity_p1812_horizons at;
    rcity_real d = shape->distance_km;
    rcity_real slope = (shape->rx_m - shape->tx_m) / d;
    rcity_i32 first = shape->nearest;
    rcity_i32 last = shape->nearest;
    at.is_beyond = shape->bare.up_m_per_km > slope - bulge * d;
    if (at.is_beyond) {
        first = shape->tx_horizon;
        last = shape->rx_horizon;
        at.tx_mrad = rcity_p1812_mrad(shape->bare.up_m_per_km);
        at.rx_mrad = rcity_p1812_mrad(shape->bare.down_m_per_km);
        at.tx_km = rcity_profile_km(ground, first);
        at.rx_km = d - rcity_profile_km(ground, last);
    } else {
        at.tx_mrad = rcity_p1812_mrad(slope - bulge * d);
        at.rx_mrad = rcity_p1812_mrad(-slope - bulge * d);
        at.tx_km = first > 0 ? rcity_profile_km(ground, first) : RCITY_REAL(0.5) * d;
        at.rx_km = d - at.tx_km;
    }
    at.angle_mrad = RCITY_REAL(2.0) * bulge * d + at.tx_mrad + at.rx_mrad;
    at.fit_tx_m = rcity_terrain_min(shape->fit_tx_m, shape->tx_ground_m);
    at.fit_rx_m = rcity_terrain_min(shape->fit_rx_m, shape->rx_ground_m);
    at.effective_tx_m = shape->tx_m - at.fit_tx_m;
    at.effective_rx_m = shape->rx_m - at.fit_rx_m;
    at.roughness_m = rcity_p1812_roughness_m(ground, first, last, at.fit_tx_m, (at.fit_rx_m - at.fit_tx_m) / d);
    return at;
}

#endif
