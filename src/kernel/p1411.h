/* ITU-R P.1411, site-general models of short outdoor links: sections 4.1.1 and 4.2.1. */
#ifndef RCITY_KERNEL_P1411_H
#define RCITY_KERNEL_P1411_H

#include "kernel/link.h"

/* One row of the tables of coefficients. */
typedef struct rcity_p1411_coefficients {
    float distance;  /* alpha: 10 alpha dB a decade of distance */
    float offset_db; /* beta: the loss at 1 m and 1 GHz */
    float frequency; /* gamma: 10 gamma dB a decade of frequency */
} rcity_p1411_coefficients;

/* Median basic transmission loss, ITU-R P.1411-12, section 4.1.1, equation (1); section 4.2.1 has the same form:
   10 alpha log10(d) + beta + 10 gamma log10(f), d in metres in space, f in GHz. */
RCITY_KERNEL float rcity_p1411_loss_db(rcity_p1411_coefficients row, float distance_m, float frequency_ghz)
{
    float log_d = rcity_log10(rcity_fmax(distance_m, RCITY_LINK_DISTANCE_MIN_M));
    return 10.0f * row.distance * log_d + row.offset_db + 10.0f * row.frequency * rcity_log10(frequency_ghz);
}

/* Numbers only, so that it can be a kernel argument. */
typedef struct rcity_p1411_job {
    rcity_link_frame frame;
    rcity_p1411_coefficients sight;
    rcity_p1411_coefficients hidden;
    float frequency_ghz;
    float padding; /* the struct has the same size for every compiler */
} rcity_p1411_job;

RCITY_KERNEL float rcity_p1411_link(rcity_p1411_job job, rcity_link link, float is_visible)
{
    return is_visible != 0.0f ? rcity_p1411_loss_db(job.sight, link.distance_m, job.frequency_ghz)
                              : rcity_p1411_loss_db(job.hidden, link.distance_m, job.frequency_ghz);
}

/* One cell of a raster; z_m is the receiver's height, NaN where there is none. */
RCITY_KERNEL float rcity_p1411_cell(rcity_p1411_job job, float z_m, float is_visible, rcity_i64 cell)
{
    return rcity_isnan(z_m) ? RCITY_NAN : rcity_p1411_link(job, rcity_link_to_cell(job.frame, z_m, cell), is_visible);
}

/* One receiver of a list of points. */
RCITY_KERNEL float rcity_p1411_point(rcity_p1411_job job, rcity_link_point rx, float is_visible)
{
    return rcity_isnan(rx.z_m) ? RCITY_NAN : rcity_p1411_link(job, rcity_link_to_point(job.frame, rx), is_visible);
}

#endif
