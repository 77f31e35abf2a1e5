/* All receivers of a job as places on the scene's grid, for methods that serve many at once. */
#ifndef RCITY_METHOD_OPEN_RECEIVERS_H
#define RCITY_METHOD_OPEN_RECEIVERS_H

#include "kernel/tiles/tile.h"
#include "method/method.h"
#include "radiocity/rays.h"
#include "scene/facets/facet_table.h"

/* The receivers of a job: points, or the cells of its raster, plane by plane; none on surfaces. */
typedef struct rcity_open_receivers {
    int64_t count; /* of the job */
    rcity_point *positions;
    rcity_receiver_state *states; /* NO_PATH: paths are looked for */
    int64_t open_count;           /* those of them that are open to paths, in their order */
    int64_t *number;              /* of each open one: its number in the job */
    rcity_tile_place *places;     /* of open ones */
    float *xyz_m;                 /* of open ones, local, three each */
} rcity_open_receivers;

/* Zeroed before; on failure call rcity_open_receivers_deinit() as well. @return as rcity_receiver_points_locate(). */
rcity_status rcity_open_receivers_init(const rcity_job *job, rcity_open_receivers *receivers);
void rcity_open_receivers_deinit(rcity_context *context, rcity_open_receivers *receivers);

/* Where an end of a link, local, stands on the scene's grid; not under the ground. */
rcity_tile_place rcity_place_snap(const rcity_shapes *shapes, rcity_place3 position);

#endif
