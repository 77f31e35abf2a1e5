/* Free-space loss from one transmitter to the cells of a raster. */
#ifndef RCITY_KERNEL_FREE_SPACE_H
#define RCITY_KERNEL_FREE_SPACE_H

#include "kernel/portable.h"
#include "kernel/vector.h"

/* Nearer than this the far field does not exist and the formula would run to minus infinity. */
#define RCITY_FREE_SPACE_DISTANCE_MIN_M 0.1f

/* Free-space basic transmission loss, ITU-R P.525-4 equation (4), P.525-5 equation (5):
   20 log10(4 pi d / lambda). */
RCITY_KERNEL float rcity_free_space_loss_db(float distance_m, float wavelength_m)
{
    float d = distance_m < RCITY_FREE_SPACE_DISTANCE_MIN_M ? RCITY_FREE_SPACE_DISTANCE_MIN_M : distance_m;
    return 20.0f * rcity_log10(4.0f * RCITY_PI * d / wavelength_m);
}

/* Numbers only, so that it travels as a kernel argument. Rows run from north to south. */
typedef struct rcity_free_space_job {
    rcity_i64 column_count;
    float west_m, north_m; /* centre of cell 0 in the local frame */
    float cell_m;
    float wavelength_m;
    rcity_vec3 tx_m;
    float padding; /* the struct has the same size for every compiler */
} rcity_free_space_job;

/* One cell of the raster; z_m is the receiver's height, NaN where there is none. */
RCITY_KERNEL float rcity_free_space_cell(rcity_free_space_job job, float z_m, rcity_i64 cell)
{
    rcity_vec3 rx_m;
    if (rcity_isnan(z_m)) {
        return RCITY_NAN;
    }
    rx_m.x = job.west_m + job.cell_m * (float)(cell % job.column_count);
    rx_m.y = job.north_m - job.cell_m * (float)(cell / job.column_count);
    rx_m.z = z_m;
    return rcity_free_space_loss_db(rcity_distance(job.tx_m, rx_m), job.wavelength_m);
}

/* One receiver of a list of points. */
RCITY_KERNEL float rcity_free_space_point(rcity_free_space_job job, rcity_vec3 rx_m)
{
    if (rcity_isnan(rx_m.z)) {
        return RCITY_NAN;
    }
    return rcity_free_space_loss_db(rcity_distance(job.tx_m, rx_m), job.wavelength_m);
}

#endif
