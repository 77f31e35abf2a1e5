/* Metres in buildings on the straight line to every pixel of a flat plane, by the same shadows as the counts. */
#ifndef RCITY_VISIBILITY_WALLS_WALL_METRES_H
#define RCITY_VISIBILITY_WALLS_WALL_METRES_H

#include "visibility/walls/wall_shadows.h"

/* The fraction of each line that is inside buildings; 0 for visible pixels. Adds to the number of tested pixels. */
void rcity_wall_shadows_measure(rcity_context *context, rcity_wall_shadows *shadows, rcity_grid_point3 source,
                                const uint64_t *visible, float *in_buildings, int64_t *asked_count);

#endif
