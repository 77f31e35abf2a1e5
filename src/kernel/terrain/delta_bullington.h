/* Diffraction by terrain: Bullington's one edge for all, and the delta-Bullington loss, which adds what a smooth Earth
   loses more than Bullington's edge over it (ITU-R P.1812-6, section 4.3; ITU-R P.526-15, section 4.5). */
#ifndef RCITY_KERNEL_TERRAIN_DELTA_BULLINGTON_H
#define RCITY_KERNEL_TERRAIN_DELTA_BULLINGTON_H

#include "kernel/terrain/profile_shape.h"
#include "kernel/terrain/smooth_earth.h"
#include "kernel/wave/knife_edge.h"

/* What the losses depend on beside the profile. */
typedef struct rcity_diffraction_link {
    rcity_real tx_height_m, rx_height_m; /* above the ground */
    rcity_real frequency_ghz;
    rcity_real radius_km; /* of the effective Earth */
    rcity_real sea_share; /* of the path: its ground is the sea's */
    rcity_real clear_m;   /* what stands nearer than this to an end does not count */
    rcity_i32 is_vertical;
} rcity_diffraction_link;

/* A path with the three parts of its loss. */
typedef struct rcity_diffraction {
    rcity_real bullington_db; /* over the profile */
    rcity_real smooth_db;     /* Bullington's over a smooth Earth */
    rcity_real spherical_db;  /* over a smooth Earth */
    rcity_real loss_db;
} rcity_diffraction;

RCITY_KERNEL rcity_real rcity_wavelength_of_ghz(rcity_real frequency_ghz)
{
    return RCITY_REAL(0.299792458) / frequency_ghz;
}

/* Equations (13) to (21) from the extremes of a profile whose straight line climbs `slope` metres a kilometre. In the
   shadow the steepest lines stand A and B over the straight line at the ends; they meet at an edge whose v is
   sqrt(0.002 d A B / wavelength), which is equations (17) to (20) without differences of heights above the sea. */
RCITY_KERNEL rcity_real rcity_bullington_extremes_db(rcity_bullington_extremes extremes, rcity_real slope,
                                                     rcity_real distance_km, rcity_real bulge, rcity_real wavelength_m)
{
    rcity_real first = extremes.up_m_per_km + bulge * distance_km - slope;
    rcity_real second = extremes.down_m_per_km + bulge * distance_km + slope;
    rcity_real scale = rcity_real_sqrt(RCITY_REAL(0.002) * distance_km / wavelength_m);
    rcity_real v = extremes.worst * scale;
    if (first >= RCITY_REAL(0.0)) {
        v = scale * rcity_real_sqrt(first * rcity_terrain_max(second, RCITY_REAL(0.0)));
    }
    rcity_real edge_db = rcity_knife_edge_loss_db(v);
    return edge_db - rcity_real_expm1(edge_db / RCITY_REAL(-6.0)) * (RCITY_REAL(10.0) + RCITY_REAL(0.02) * distance_km);
}

/* The slope of the line from an antenna over the bulge at `km` from it, without bulge * distance. */
RCITY_KERNEL rcity_real rcity_bulge_slope(rcity_real height_m, rcity_real bulge, rcity_real km)
{
    return -height_m / km - bulge * km;
}

/* The worst clearance over the bulge: its derivative along the path falls from end to end, so that halving finds it. */
RCITY_KERNEL rcity_real rcity_bulge_worst(const rcity_ground_profile *ground, rcity_real tx_m, rcity_real rx_m,
                                          rcity_real distance_km, rcity_real bulge)
{
    rcity_real worst = RCITY_PROFILE_NOTHING;
    rcity_i32 low = 1;
    rcity_i32 high = ground->count - 2;
    while (high - low > 1) {
        rcity_i32 middle = low + (high - low) / 2;
        rcity_real s = rcity_profile_km(ground, middle) / distance_km;
        rcity_real t = RCITY_REAL(1.0) - s;
        rcity_real rise = bulge * distance_km * distance_km * (t - s) + tx_m / s - rx_m / t;
        if (rise > RCITY_REAL(0.0)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    for (rcity_i32 i = low; i <= high; i++) {
        rcity_real x = rcity_profile_km(ground, i);
        rcity_real y = distance_km - x;
        rcity_real over_m = bulge * x * y - (tx_m * y + rx_m * x) / distance_km;
        worst = rcity_terrain_max(worst, over_m / rcity_real_sqrt(rcity_terrain_max(x * y, RCITY_REAL(1e-12))));
    }
    return worst;
}

/* Bullington's extremes over a smooth Earth with antennas at these heights above it, at the points of a profile, without
   visiting all of them: each line is steepest at the point before or behind where it touches the bulge. */
RCITY_KERNEL rcity_bullington_extremes rcity_bulge_extremes(const rcity_ground_profile *ground, rcity_real tx_m,
                                                            rcity_real rx_m, rcity_real distance_km, rcity_real bulge)
{
    rcity_bullington_extremes extremes = rcity_bullington_no_extremes();
    if (ground->count < 3 || rcity_profile_km(ground, ground->count - 1) < RCITY_PROFILE_LEAST_KM) {
        return extremes;
    }
    rcity_real touch = rcity_real_sqrt(tx_m / bulge);
    rcity_i32 low = rcity_profile_find(ground, touch);
    rcity_i32 high = low + 1 < ground->count - 1 ? low + 1 : low;
    for (rcity_i32 i = low; i <= high; i++) {
        rcity_real slope = rcity_bulge_slope(tx_m, bulge, rcity_profile_km(ground, i));
        extremes.up_m_per_km = rcity_terrain_max(extremes.up_m_per_km, slope);
    }
    touch = distance_km - rcity_real_sqrt(rx_m / bulge);
    low = rcity_profile_find(ground, touch);
    high = low + 1 < ground->count - 1 ? low + 1 : low;
    for (rcity_i32 i = low; i <= high; i++) {
        rcity_real slope = rcity_bulge_slope(rx_m, bulge, distance_km - rcity_profile_km(ground, i));
        extremes.down_m_per_km = rcity_terrain_max(extremes.down_m_per_km, slope);
    }
    /* The clearance counts where the straight line clears the bulge only. */
    if (extremes.up_m_per_km + bulge * distance_km < (rx_m - tx_m) / distance_km) {
        extremes.worst = rcity_bulge_worst(ground, tx_m, rx_m, distance_km, bulge);
    }
    return extremes;
}

/* The smooth surface at the ends for diffraction, above the sea, equations (87) to (90): the fitted line, lowered by what
   the ground stands over the line between the antennas, and never over the ground at the ends. */
RCITY_KERNEL void rcity_profile_lower(const rcity_profile_shape *shape, rcity_real *tx_m, rcity_real *rx_m)
{
    rcity_real fit_tx_m = shape->fit_tx_m;
    rcity_real fit_rx_m = shape->fit_rx_m;
    if (shape->highest_m > RCITY_REAL(0.0)) {
        rcity_real share = shape->steepest_tx_m_per_km / (shape->steepest_tx_m_per_km + shape->steepest_rx_m_per_km);
        fit_tx_m -= shape->highest_m * share;
        fit_rx_m -= shape->highest_m * (RCITY_REAL(1.0) - share);
    }
    *tx_m = rcity_terrain_min(fit_tx_m, shape->tx_ground_m);
    *rx_m = rcity_terrain_min(fit_rx_m, shape->rx_ground_m);
}

/* The delta-Bullington loss over one Earth, equations (38) and (39), from the shape of a profile and its smooth surface;
   `earth` is 0 or 1, the extremes of that Earth. */
RCITY_KERNEL rcity_diffraction rcity_delta_bullington_of(const rcity_ground_profile *ground,
                                                         const rcity_profile_shape *shape,
                                                         const rcity_smooth_path *smooth, rcity_real radius_km,
                                                         rcity_i32 earth)
{
    rcity_diffraction loss;
    rcity_real d = shape->distance_km;
    rcity_real bulge = RCITY_REAL(500.0) / radius_km;
    rcity_bullington_extremes over = rcity_bulge_extremes(ground, smooth->tx_m, smooth->rx_m, d, bulge);
    loss.bullington_db = rcity_bullington_extremes_db(shape->over[earth], (shape->rx_m - shape->tx_m) / d, d, bulge,
                                                      smooth->wavelength_m);
    loss.smooth_db =
        rcity_bullington_extremes_db(over, (smooth->rx_m - smooth->tx_m) / d, d, bulge, smooth->wavelength_m);
    loss.spherical_db = rcity_smooth_earth_db(smooth, radius_km);
    loss.loss_db = loss.bullington_db + rcity_terrain_max(loss.spherical_db - loss.smooth_db, RCITY_REAL(0.0));
    return loss;
}

/* The path over the smooth surface of a profile. */
RCITY_KERNEL rcity_smooth_path rcity_profile_smooth_path(const rcity_profile_shape *shape, rcity_real frequency_ghz,
                                                         rcity_real sea_share, rcity_i32 is_vertical)
{
    rcity_smooth_path smooth;
    rcity_profile_lower(shape, &smooth.tx_m, &smooth.rx_m);
    smooth.tx_m = shape->tx_m - smooth.tx_m;
    smooth.rx_m = shape->rx_m - smooth.rx_m;
    smooth.distance_km = shape->distance_km;
    smooth.frequency_ghz = frequency_ghz;
    smooth.wavelength_m = rcity_wavelength_of_ghz(frequency_ghz);
    smooth.sea_share = sea_share;
    smooth.is_vertical = is_vertical;
    return smooth;
}

RCITY_KERNEL rcity_diffraction rcity_diffraction_loss(rcity_diffraction_link link, rcity_ground_profile ground)
{
    rcity_real bulge = RCITY_REAL(500.0) / link.radius_km;
    rcity_profile_shape shape =
        rcity_profile_shape_of(&ground, link.tx_height_m, link.rx_height_m, bulge, bulge, link.clear_m);
    rcity_smooth_path smooth = rcity_profile_smooth_path(&shape, link.frequency_ghz, link.sea_share, link.is_vertical);
    return rcity_delta_bullington_of(&ground, &shape, &smooth, link.radius_km, 0);
}

/* Bullington's loss in dB over free space. */
RCITY_KERNEL rcity_real rcity_bullington_loss_db(rcity_diffraction_link link, rcity_ground_profile ground)
{
    rcity_real bulge = RCITY_REAL(500.0) / link.radius_km;
    rcity_profile_shape shape =
        rcity_profile_shape_of(&ground, link.tx_height_m, link.rx_height_m, bulge, bulge, link.clear_m);
    return rcity_bullington_extremes_db(shape.over[0], (shape.rx_m - shape.tx_m) / shape.distance_km, shape.distance_km,
                                        bulge, rcity_wavelength_of_ghz(link.frequency_ghz));
}

/* The delta-Bullington loss in dB over free space. */
RCITY_KERNEL rcity_real rcity_delta_bullington_loss_db(rcity_diffraction_link link, rcity_ground_profile ground)
{
    return rcity_diffraction_loss(link, ground).loss_db;
}

#endif
