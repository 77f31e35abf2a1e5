/* Log-distance path loss: free space up to a reference distance, a chosen exponent beyond it. */
#ifndef RCITY_KERNEL_LOG_DISTANCE_H
#define RCITY_KERNEL_LOG_DISTANCE_H

#include "kernel/link.h"

/* T. S. Rappaport, Wireless Communications, 2nd ed., 2002, section 4.9.1: L(d) = L(d0) + 10 n log10(d / d0) for
   d >= d0. The reference loss is that of free space, so between the antenna and d0 the exponent is 2. */
RCITY_KERNEL float rcity_log_distance_loss_db(float distance_m, float exponent, float reference_distance_m,
                                              float reference_loss_db)
{
    float d = rcity_fmax(distance_m, RCITY_LINK_DISTANCE_MIN_M);
    float n = d < reference_distance_m ? 2.0f : exponent;
    return reference_loss_db + 10.0f * n * rcity_log10(d / reference_distance_m);
}

/* Numbers only, so that it can be a kernel argument. */
typedef struct rcity_log_distance_job {
    rcity_link_frame frame;
    float exponent;
    float reference_distance_m;
    float reference_loss_db;
    float padding; /* the struct has the same size for every compiler */
} rcity_log_distance_job;

RCITY_KERNEL float rcity_log_distance_link(rcity_log_distance_job job, rcity_link link)
{
    return rcity_log_distance_loss_db(link.distance_m, job.exponent, job.reference_distance_m, job.reference_loss_db);
}

/* One cell of a raster; z_m is the receiver's height, NaN where there is none. */
RCITY_KERNEL float rcity_log_distance_cell(rcity_log_distance_job job, float z_m, rcity_i64 cell)
{
    return rcity_isnan(z_m) ? RCITY_NAN : rcity_log_distance_link(job, rcity_link_to_cell(job.frame, z_m, cell));
}

/* One receiver of a list of points. */
RCITY_KERNEL float rcity_log_distance_point(rcity_log_distance_job job, rcity_link_point rx)
{
    return rcity_isnan(rx.z_m) ? RCITY_NAN : rcity_log_distance_link(job, rcity_link_to_point(job.frame, rx));
}

#endif
