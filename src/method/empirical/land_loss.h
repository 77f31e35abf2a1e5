/* What the land cover at the receivers adds to their loss. */
#ifndef RCITY_METHOD_LAND_LOSS_H
#define RCITY_METHOD_LAND_LOSS_H

#include "method/method.h"

/* Fail when the land cover is to be added and the scene has none. */
rcity_status rcity_land_loss_check(const rcity_job *job);

/* Add the loss of each receiver's land class to the losses of a raster or of the job's points; NAN stays NAN. Receivers
   beyond the land cover get nothing and are counted. */
void rcity_land_loss_add(const rcity_job *job, float *loss_db, int64_t *missing_count);

#endif
