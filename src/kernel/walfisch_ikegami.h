/* COST 231-Walfisch-Ikegami: over the roofs and down into the street, or along it.
   Equations are those of the COST 231 final report, "Digital mobile radio towards future generation systems", 1999,
   chapter 4. */
#ifndef RCITY_KERNEL_WALFISCH_IKEGAMI_H
#define RCITY_KERNEL_WALFISCH_IKEGAMI_H

#include "kernel/link.h"

/* Published range, COST 231, chapter 4. */
#define RCITY_WALFISCH_FREQUENCY_MIN_HZ 800e6
#define RCITY_WALFISCH_FREQUENCY_MAX_HZ 2000e6
#define RCITY_WALFISCH_TX_HEIGHT_MIN_M  4.0
#define RCITY_WALFISCH_TX_HEIGHT_MAX_M  50.0
#define RCITY_WALFISCH_RX_HEIGHT_MIN_M  1.0
#define RCITY_WALFISCH_RX_HEIGHT_MAX_M  3.0
#define RCITY_WALFISCH_DISTANCE_MIN_M   20.0
#define RCITY_WALFISCH_DISTANCE_MAX_M   5e3

#define RCITY_WALFISCH_DEGREES_PER_RADIAN 57.2957795130823209f

/* The street a receiver stands in and the roofs around it. */
typedef struct rcity_street {
    float width_m;
    float axis_rad; /* direction of the street, counter-clockwise from the x axis; NaN where there is no street */
    float building_separation_m;
    float roof_height_m; /* mean above ground; 0 where there are none */
    float town;          /* 1 among the buildings, decreasing to 0 in the country around them */
} rcity_street;

/* Everything the formula over the roofs needs of one link. */
typedef struct rcity_walfisch_path {
    float frequency_mhz;
    float plan_m;
    float base_over_roof_m; /* height of the transmitter above the mean roof; negative below */
    float roof_over_rx_m;   /* height of the mean roof above the receiver */
    float roof_height_m;    /* height of the mean roof above the ground */
    float street_width_m;
    float building_separation_m;
    float orientation_rad; /* between the direction of the wave and the street axis, 0 to pi/2 */
} rcity_walfisch_path;

/* Free space in the form of the model, equation (4.4.7). */
RCITY_KERNEL float rcity_walfisch_free_space_db(float frequency_mhz, float plan_m)
{
    float d_km = 1e-3f * rcity_fmax(plan_m, RCITY_LINK_DISTANCE_MIN_M);
    return 32.4f + 20.0f * rcity_log10(d_km) + 20.0f * rcity_log10(frequency_mhz);
}

/* Line of sight along a street canyon, equation (4.4.5), for d >= 20 m, where it meets free space. Nearer it would be
   below free space, so free space is used there. */
RCITY_KERNEL float rcity_walfisch_sight_loss_db(float frequency_mhz, float plan_m)
{
    float d_km = 1e-3f * rcity_fmax(plan_m, RCITY_LINK_DISTANCE_MIN_M);
    float canyon_db = 42.6f + 26.0f * rcity_log10(d_km) + 20.0f * rcity_log10(frequency_mhz);
    return rcity_fmax(canyon_db, rcity_walfisch_free_space_db(frequency_mhz, plan_m));
}

/* Street orientation, equation (4.4.9). */
RCITY_KERNEL float rcity_walfisch_orientation_loss_db(float orientation_rad)
{
    float phi_deg = orientation_rad * RCITY_WALFISCH_DEGREES_PER_RADIAN;
    if (phi_deg < 35.0f) {
        return -10.0f + 0.354f * phi_deg;
    }
    if (phi_deg < 55.0f) {
        return 2.5f + 0.075f * (phi_deg - 35.0f);
    }
    return 4.0f - 0.114f * (phi_deg - 55.0f);
}

/* From the last roof down to the street, equation (4.4.8); 0 where the receiver is above the mean roof. */
RCITY_KERNEL float rcity_walfisch_rooftop_loss_db(rcity_walfisch_path path)
{
    if (path.roof_over_rx_m <= 0.0f) {
        return 0.0f;
    }
    return -16.9f - 10.0f * rcity_log10(path.street_width_m) + 10.0f * rcity_log10(path.frequency_mhz) +
           20.0f * rcity_log10(path.roof_over_rx_m) + rcity_walfisch_orientation_loss_db(path.orientation_rad);
}

/* Over the rows of roofs, equations (4.4.12) to (4.4.16). The formulas were made for flat ground, where the antenna is
   never lower than the street: on slopes the antenna is taken to be at least as high as the ground at the receiver. */
RCITY_KERNEL float rcity_walfisch_screens_loss_db(rcity_walfisch_path path, rcity_i32 is_metropolitan)
{
    float d_km = 1e-3f * rcity_fmax(path.plan_m, RCITY_LINK_DISTANCE_MIN_M);
    float over_m = rcity_fmax(path.base_over_roof_m, -path.roof_height_m);
    float base_db = 0.0f;
    float ka = 54.0f;
    float kd = 18.0f;
    if (over_m > 0.0f) {
        base_db = -18.0f * rcity_log10(1.0f + over_m);
    } else if (over_m < 0.0f) {
        ka -= 0.8f * over_m * (d_km < 0.5f ? d_km / 0.5f : 1.0f);
        kd -= 15.0f * over_m / path.roof_height_m;
    }
    float kf = -4.0f + (is_metropolitan ? 1.5f : 0.7f) * (path.frequency_mhz / 925.0f - 1.0f);
    return base_db + ka + kd * rcity_log10(d_km) + kf * rcity_log10(path.frequency_mhz) -
           9.0f * rcity_log10(path.building_separation_m);
}

/* Without line of sight, equation (4.4.6): roofs may add to free-space loss, never reduce it. */
RCITY_KERNEL float rcity_walfisch_shadow_loss_db(rcity_walfisch_path path, rcity_i32 is_metropolitan)
{
    float roofs_db = rcity_walfisch_rooftop_loss_db(path) + rcity_walfisch_screens_loss_db(path, is_metropolitan);
    return rcity_walfisch_free_space_db(path.frequency_mhz, path.plan_m) + rcity_fmax(roofs_db, 0.0f);
}

/* The angle between a wave from the antenna and a street. Where there is no street it is 90 degrees, which COST 231
   recommends when nothing is known. */
RCITY_KERNEL float rcity_walfisch_orientation_rad(rcity_link link, float axis_rad)
{
    if (rcity_isnan(axis_rad)) {
        return 0.5f * RCITY_PI;
    }
    float x = rcity_cos(axis_rad);
    float y = rcity_sin(axis_rad);
    float along_m = rcity_fabs(x * link.east_m + y * link.north_m);
    float across_m = rcity_fabs(x * link.north_m - y * link.east_m);
    return rcity_atan2(across_m, along_m);
}

/* Numbers only, so that it can be a kernel argument. */
typedef struct rcity_walfisch_job {
    rcity_link_frame frame;
    float frequency_mhz;
    float orientation_rad; /* of all streets; NaN: each has its own */
    rcity_i32 is_metropolitan;
    rcity_i32 padding; /* the struct has the same size for every compiler */
} rcity_walfisch_job;

RCITY_KERNEL float rcity_walfisch_link(rcity_walfisch_job job, rcity_link link, float is_visible, rcity_street street)
{
    float sight_db = rcity_walfisch_sight_loss_db(job.frequency_mhz, link.plan_m);
    if (is_visible != 0.0f) {
        return sight_db;
    }
    rcity_walfisch_path path;
    path.frequency_mhz = job.frequency_mhz;
    path.plan_m = link.plan_m;
    path.roof_height_m = street.roof_height_m;
    path.roof_over_rx_m = street.roof_height_m - link.rx_height_m;
    path.base_over_roof_m = link.rise_m - path.roof_over_rx_m;
    path.street_width_m = street.width_m;
    path.building_separation_m = street.building_separation_m;
    path.orientation_rad =
        rcity_isnan(job.orientation_rad) ? rcity_walfisch_orientation_rad(link, street.axis_rad) : job.orientation_rad;
    /* As published, low roofs far below the antenna cost less than the visible street, which was measured in a canyon.
       A hidden receiver must not have less loss than a visible one. Outside of town there are no roofs on the path. */
    float shadow_db = rcity_fmax(rcity_walfisch_shadow_loss_db(path, job.is_metropolitan), sight_db);
    return sight_db + street.town * (shadow_db - sight_db);
}

/* One cell of a raster; z_m is the receiver's height, NaN where there is none. */
RCITY_KERNEL float rcity_walfisch_cell(rcity_walfisch_job job, float z_m, float is_visible, rcity_street street,
                                       rcity_i64 cell)
{
    return rcity_isnan(z_m) ? RCITY_NAN
                            : rcity_walfisch_link(job, rcity_link_to_cell(job.frame, z_m, cell), is_visible, street);
}

/* One receiver of a list of points. */
RCITY_KERNEL float rcity_walfisch_point(rcity_walfisch_job job, rcity_link_point rx, float is_visible,
                                        rcity_street street)
{
    return rcity_isnan(rx.z_m) ? RCITY_NAN
                               : rcity_walfisch_link(job, rcity_link_to_point(job.frame, rx), is_visible, street);
}

#endif
