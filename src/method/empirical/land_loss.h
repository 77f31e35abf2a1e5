/* What the land cover at the receivers adds to their loss. */
#ifndef RCITY_METHOD_LAND_LOSS_H
#define RCITY_METHOD_LAND_LOSS_H

#include "method/method.h"

/* Refuse to add what the scene does not have. */
rcity_status rcity_land_loss_check(const rcity_job *job);

/* Add the loss of each receiver's land class to the losses of a raster or of the job's points; NAN stays NAN. What lies
   beyond the land cover gets nothing and is counted. */
void rcity_land_loss_add(const rcity_job *job, float *loss_db, int64_t *missing_count);

#endif
