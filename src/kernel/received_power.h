/* Received power from a loss and the straight line to the antenna, for methods that have no directions of departure. */
#ifndef RCITY_KERNEL_RECEIVED_POWER_H
#define RCITY_KERNEL_RECEIVED_POWER_H

#include "kernel/antenna.h"
#include "kernel/portable.h"
#include "kernel/vector.h"

/* The frame has the transmitting antenna in its origin. Rows run from north to south. */
typedef struct rcity_received_power_job {
    rcity_i64 column_count;
    float west_m, north_m; /* centre of cell 0 */
    float cell_m;
    float tx_z_m;    /* scene height of the antenna; raster receivers have scene heights too */
    float level_dbm; /* radiated power less the transmitting antenna's gain, plus the receiver's gain */
    float padding;   /* the struct has the same size for every compiler */
    rcity_antenna_job antenna;
} rcity_received_power_job;

/* At a receiver in a direction from the antenna; NaN where there is no loss. */
RCITY_KERNEL float rcity_received_power_point(rcity_received_power_job job, RCITY_GLOBAL const float *pattern,
                                              rcity_vec3 direction_m, float loss_db)
{
    if (rcity_isnan(loss_db)) {
        return RCITY_NAN;
    }
    return job.level_dbm + rcity_antenna_gain(job.antenna, pattern, direction_m) - loss_db;
}

/* At one cell of a raster; z_m is the receiver's scene height. */
RCITY_KERNEL float rcity_received_power_cell(rcity_received_power_job job, RCITY_GLOBAL const float *pattern, float z_m,
                                             float loss_db, rcity_i64 cell)
{
    rcity_vec3 direction_m;
    direction_m.x = job.west_m + job.cell_m * (float)(cell % job.column_count);
    direction_m.y = job.north_m - job.cell_m * (float)(cell / job.column_count);
    direction_m.z = z_m - job.tx_z_m;
    return rcity_received_power_point(job, pattern, direction_m, loss_db);
}

#endif
