/* Free-space loss from one transmitter to its receivers. */
#ifndef RCITY_KERNEL_FREE_SPACE_H
#define RCITY_KERNEL_FREE_SPACE_H

#include "kernel/link.h"
#include "kernel/portable.h"

/* At a smaller distance there is no far field, and the formula tends to minus infinity. */
#define RCITY_FREE_SPACE_DISTANCE_MIN_M 0.1f

/* Free-space basic transmission loss, ITU-R P.525-5 (11/2024), equation (5): 20 log10(4 pi d / lambda). */
RCITY_KERNEL float rcity_free_space_loss_db(float distance_m, float wavelength_m)
{
    float d = distance_m < RCITY_FREE_SPACE_DISTANCE_MIN_M ? RCITY_FREE_SPACE_DISTANCE_MIN_M : distance_m;
    return 20.0f * rcity_log10(4.0f * RCITY_PI * d / wavelength_m);
}

/* Numbers only, so that it can be a kernel argument. */
typedef struct rcity_free_space_job {
    rcity_link_frame frame;
    float wavelength_m;
    float padding; /* the struct has the same size for every compiler */
} rcity_free_space_job;

RCITY_KERNEL float rcity_free_space_link(rcity_free_space_job job, rcity_link link)
{
    return rcity_free_space_loss_db(link.distance_m, job.wavelength_m);
}

/* One cell of the raster; z_m is the receiver's height, NaN where there is none. */
RCITY_KERNEL float rcity_free_space_cell(rcity_free_space_job job, float z_m, rcity_i64 cell)
{
    return rcity_isnan(z_m) ? RCITY_NAN : rcity_free_space_link(job, rcity_link_to_cell(job.frame, z_m, cell));
}

/* One receiver of a list of points. */
RCITY_KERNEL float rcity_free_space_point(rcity_free_space_job job, rcity_link_point rx)
{
    return rcity_isnan(rx.z_m) ? RCITY_NAN : rcity_free_space_link(job, rcity_link_to_point(job.frame, rx));
}

#endif
