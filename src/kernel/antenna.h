/* The gain of an antenna towards a direction. */
#ifndef RCITY_KERNEL_ANTENNA_H
#define RCITY_KERNEL_ANTENNA_H

#include "kernel/portable.h"
#include "kernel/vector.h"

/* Kinds of pattern. The first three are formulas; the others look into the antenna's table. */
#define RCITY_ANTENNA_KIND_ISOTROPIC  0
#define RCITY_ANTENNA_KIND_DIPOLE     1 /* half-wave, vertical */
#define RCITY_ANTENNA_KIND_3GPP       2 /* element of TR 38.901, table 7.3-1 */
#define RCITY_ANTENNA_KIND_PROJECTION 3 /* two cuts, horizontal projection interpolation */
#define RCITY_ANTENNA_KIND_SUM        4 /* two cuts, losses added */

/* The table of the kinds with cuts, losses in dB below the strongest direction: the horizontal cut at azimuth 0, 1, ...
   359 degrees clockwise; the vertical cut at 0, 1, ... 359 degrees below the horizon in front, by straight down and the
   horizon behind; then the loss of the vertical cut where it meets the horizontal one, in front and behind. */
#define RCITY_ANTENNA_TABLE_VERTICAL     360
#define RCITY_ANTENNA_TABLE_FRONT        720
#define RCITY_ANTENNA_TABLE_BACK         721
#define RCITY_ANTENNA_TABLE_COUNT        722
#define RCITY_ANTENNA_LOSS_MAX_DB        100.0f /* no direction has more loss: nulls stay finite */
#define RCITY_ANTENNA_DEGREES_PER_RADIAN 57.2957795130823209f

/* An antenna as it is mounted. Numbers only, so that it can be a kernel argument. */
typedef struct rcity_antenna_job {
    rcity_i32 kind;
    float gain_dbi;                 /* of the strongest direction */
    float tilt_rad;                 /* electrical tilt beyond what the pattern contains, down positive */
    float sin_azimuth, cos_azimuth; /* main direction, clockwise from the y axis of the frame */
    float sin_tilt, cos_tilt;       /* mechanical tilt, down positive */
    float padding;                  /* the struct has the same size for every compiler */
} rcity_antenna_job;

/* An instruction each, where fmin() of C is a call; the first number may be NaN. */
RCITY_KERNEL float rcity_antenna_at_most(float x, float limit)
{
    return x < limit ? x : limit;
}

RCITY_KERNEL float rcity_antenna_at_least(float x, float limit)
{
    return x > limit ? x : limit;
}

/* A cut at an angle in degrees; linear between whole degrees. */
RCITY_KERNEL float rcity_antenna_cut_loss_db(RCITY_GLOBAL const float *cut, float angle_deg)
{
    float turned_deg = angle_deg - 360.0f * rcity_floor(angle_deg / 360.0f);
    rcity_i32 below = (rcity_i32)turned_deg;
    float fraction = turned_deg - (float)below;
    below = below >= 360 ? 0 : below; /* an angle just below 0 rounds to 360 */
    rcity_i32 above = below + 1 >= 360 ? 0 : below + 1;
    return cut[below] + fraction * (cut[above] - cut[below]);
}

/* Half-wave dipole: field (cos(pi/2 cos t) / sin t), t from its axis; Balanis, Antenna Theory, 3rd ed., eq. 4-84.
   Written with the half angle h between direction and axis, cos(pi/2 cos t) = sin(pi sin^2 h) and sin t = 2 sin h cos
   h, it keeps its digits near the axis, where the first form subtracts nearly equal numbers. */
RCITY_KERNEL float rcity_antenna_dipole_loss_db(float elevation_rad)
{
    float half_angle_rad = 0.25f * RCITY_PI - 0.5f * rcity_fabs(elevation_rad);
    float s = rcity_sin(half_angle_rad);
    float c = rcity_cos(half_angle_rad);
    if (s <= 1e-6f) {
        return RCITY_ANTENNA_LOSS_MAX_DB;
    }
    return -20.0f * rcity_log10(rcity_sin(RCITY_PI * s * s) / (2.0f * s * c));
}

/* 3GPP TR 38.901, table 7.3-1: the vertical cut, the horizontal cut and their sum are each limited to 30 dB. */
RCITY_KERNEL float rcity_antenna_3gpp_loss_db(float azimuth_deg, float elevation_deg)
{
    float vertical = elevation_deg / 65.0f;
    float horizontal = azimuth_deg / 65.0f;
    float vertical_db = rcity_antenna_at_most(12.0f * vertical * vertical, 30.0f);
    float horizontal_db = rcity_antenna_at_most(12.0f * horizontal * horizontal, 30.0f);
    return rcity_antenna_at_most(vertical_db + horizontal_db, 30.0f);
}

/* After the horizontal projection interpolation of Gil, Claro, Ferreira, Pardelinha, Correia, "A 3D interpolation
   method for base-station-antenna radiation patterns", IEEE Antennas and Propagation Magazine 43(2), 2001. The
   horizontal cut is the base; the vertical cut corrects it, its front half in front, its back half behind, in
   proportion to the azimuth between. The corrections count from the elevation at which the horizontal cut goes through
   the beam (see scene/antenna.c). The published form subtracts the horizontal cut's values in front and behind; this
   one subtracts the vertical cut's own at that elevation, so that there the horizontal cut is met exactly even where
   the cuts contradict each other. Where both agree in the points they share, the two forms are the same and the
   vertical cut is met as well. */
RCITY_KERNEL float rcity_antenna_projection_loss_db(RCITY_GLOBAL const float *table, float azimuth_deg, float below_deg)
{
    RCITY_GLOBAL const float *vertical = table + RCITY_ANTENNA_TABLE_VERTICAL;
    float behind = rcity_fabs(azimuth_deg) / 180.0f;
    float front_db = rcity_antenna_cut_loss_db(vertical, below_deg) - table[RCITY_ANTENNA_TABLE_FRONT];
    float back_db = rcity_antenna_cut_loss_db(vertical, 180.0f - below_deg) - table[RCITY_ANTENNA_TABLE_BACK];
    return rcity_antenna_cut_loss_db(table, azimuth_deg) + (1.0f - behind) * front_db + behind * back_db;
}

/* Gain towards an azimuth (-pi to pi, clockwise) and elevation (-pi/2 to pi/2, up) of the antenna's own frame. */
RCITY_KERNEL float rcity_antenna_pattern_gain(rcity_antenna_job job, RCITY_GLOBAL const float *table, float azimuth_rad,
                                              float elevation_rad)
{
    /* electrical tilt lowers the pattern by the same angle at every azimuth, but not beyond straight up or down */
    float raised_rad =
        rcity_antenna_at_least(rcity_antenna_at_most(elevation_rad + job.tilt_rad, 0.5f * RCITY_PI), -0.5f * RCITY_PI);
    float azimuth_deg = azimuth_rad * RCITY_ANTENNA_DEGREES_PER_RADIAN;
    float below_deg = -raised_rad * RCITY_ANTENNA_DEGREES_PER_RADIAN;
    float loss_db = 0.0f;
    if (job.kind == RCITY_ANTENNA_KIND_DIPOLE) {
        loss_db = rcity_antenna_dipole_loss_db(raised_rad);
    } else if (job.kind == RCITY_ANTENNA_KIND_3GPP) {
        loss_db = rcity_antenna_3gpp_loss_db(azimuth_deg, -below_deg);
    } else if (job.kind == RCITY_ANTENNA_KIND_PROJECTION) {
        loss_db = rcity_antenna_projection_loss_db(table, azimuth_deg, below_deg);
    } else if (job.kind == RCITY_ANTENNA_KIND_SUM) {
        loss_db = rcity_antenna_cut_loss_db(table, azimuth_deg) +
                  rcity_antenna_cut_loss_db(table + RCITY_ANTENNA_TABLE_VERTICAL, below_deg);
    }
    return job.gain_dbi - rcity_antenna_at_least(rcity_antenna_at_most(loss_db, RCITY_ANTENNA_LOSS_MAX_DB), 0.0f);
}

/* Gain in dBi towards a direction (x east, y north, z up; any length; length zero gives the strongest gain). `table`
   belongs to the antenna. */
RCITY_KERNEL float rcity_antenna_gain(rcity_antenna_job job, RCITY_GLOBAL const float *table, rcity_vec3 direction)
{
    if (job.kind == RCITY_ANTENNA_KIND_ISOTROPIC) {
        return job.gain_dbi;
    }
    /* ahead along the azimuth, to the right of it, and up; then rotated back by the mechanical tilt, which lowers the
       front and raises the back about the axis that points to the right */
    float ahead = direction.x * job.sin_azimuth + direction.y * job.cos_azimuth;
    float right = direction.x * job.cos_azimuth - direction.y * job.sin_azimuth;
    float front = ahead * job.cos_tilt - direction.z * job.sin_tilt;
    float up = ahead * job.sin_tilt + direction.z * job.cos_tilt;
    float level = rcity_sqrt(front * front + right * right);
    if (level == 0.0f && up == 0.0f) {
        return job.gain_dbi;
    }
    return rcity_antenna_pattern_gain(job, table, rcity_atan2(right, front), rcity_atan2(up, level));
}

#endif
