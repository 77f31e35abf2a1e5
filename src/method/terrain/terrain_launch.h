/* Launches of the kernels over terrain, with memory for profiles. */
#ifndef RCITY_METHOD_TERRAIN_LAUNCH_H
#define RCITY_METHOD_TERRAIN_LAUNCH_H

#include "kernel/terrain/terrain_loss.h"
#include "method/terrain/terrain_ground.h"

/* Results of a launch, one value a receiver; NAN where there is none. */
typedef struct rcity_terrain_bands {
    float *loss_db, *diffraction_db, *is_visible, *mechanism;
} rcity_terrain_bands;

/* Run the kernel over `count` receivers, which are scene heights of the raster's cells, or rcity_link_points if
   `is_points`. `numbers` needs what describes the link and the loss; what depends on the device is set here. */
rcity_status rcity_terrain_launch(const rcity_job *job, const rcity_terrain_ground *ground,
                                  const rcity_terrain_job *numbers, bool is_points, int64_t count,
                                  const void *receivers, const rcity_terrain_bands *bands);

#endif
