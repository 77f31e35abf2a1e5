/* Received power for methods that yield a loss: the antenna's gain along the straight line is added. */
#ifndef RCITY_METHOD_RECEIVED_POWER_H
#define RCITY_METHOD_RECEIVED_POWER_H

#include "method/method.h"

/* Add a band received_power for every band path_loss of a map; none when the transmitter's power is unknown. */
rcity_status rcity_received_power_add_bands(const rcity_job *job, const rcity_tx *tx, rcity_map *map);

/* The same at the job's points. `received_dbm` is all NAN when the power is unknown. */
rcity_status rcity_received_power_fill_points(const rcity_job *job, const rcity_tx *tx, const float *loss_db,
                                              float *received_dbm);

/* The level that would arrive without any loss: the power sent along the straight line to each place, with the
   receivers' gain. `positions` lie in the scene's CRS with z in scene height; where z is NAN, so is the level. All NAN
   when the power is unknown. */
rcity_status rcity_received_power_fill_levels(const rcity_job *job, const rcity_tx *tx, const rcity_point *positions,
                                              float *level_dbm);

#endif
