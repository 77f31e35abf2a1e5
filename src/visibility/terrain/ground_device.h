/* Sight over terrain on a device: bounds of directions, then lines; what is left is a list for the host. */
#ifndef RCITY_VISIBILITY_TERRAIN_GROUND_DEVICE_H
#define RCITY_VISIBILITY_TERRAIN_GROUND_DEVICE_H

#include "visibility/terrain/ground_sight.h"

/* Fill `seen`; RCITY_GROUND_UNDECIDED where exact numbers are needed. `walked` counts the lines of the second kernel. */
rcity_status rcity_ground_device_run(rcity_ground_device *opened, const rcity_ground_job *job,
                                     const rcity_ground_targets *targets, uint8_t *seen, int64_t *walked);

#endif
