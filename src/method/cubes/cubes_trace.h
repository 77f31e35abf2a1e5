/* What `cubes` prepares of a scene, and the paths that rays find from a transmitter to all receivers. */
#ifndef RCITY_METHOD_CUBES_TRACE_H
#define RCITY_METHOD_CUBES_TRACE_H

#include "kernel/cubes/cube_launch.h"
#include "method/method.h"
#include "method/open_receivers.h"
#include "method/over_roofs/tile_roofs.h"
#include "method/surroundings/built_up.h"
#include "visibility/city_cubes/city_cubes.h"
#include "visibility/sight/sight.h"

/* Read-only once made; for any number of threads. */
typedef struct rcity_cubes_prepared {
    rcity_facet_table facets;
    rcity_city_cubes cubes;
    rcity_open_receivers receivers;
    int32_t *receiver_first; /* of each column, and the end: receivers in the order of columns */
    int32_t *receiver_open;  /* of each of these its number among the open ones */
    float *receiver_xyz_m;   /* and its place, local */
    float highest_m;         /* of all receivers */
    rcity_sight *sight;
    rcity_tile_roofs *roofs;
    rcity_built_up *built_up;
} rcity_cubes_prepared;

/* The paths of a transmitter: at most one of each class to a receiver. */
typedef struct rcity_cubes_traced {
    const rcity_cubes_prepared *prepared;
    rcity_tile_place place; /* of the transmitter on the scene's grid */
    rcity_place3 from;      /* in the local frame */
    int64_t *path_first;    /* of each open receiver, and the end */
    rcity_cube_path *paths;
    uint8_t *path_class;  /* RCITY_CUBE_CLASS_* */
    int64_t source_count; /* launched from, the transmitter included */
    int64_t ray_count;    /* launched */
} rcity_cubes_traced;

/* Where receivers and transmitters of a job may lie, as cubes cover it. */
rcity_cube_box rcity_cubes_job_box(const rcity_job *job);

/* How a trace launches its rays: from the transmitter so dense that neighbours are at most a cube apart at the farthest
   corner of the map, from edges likewise at their range. */
int64_t rcity_cubes_direction_count(double range_m, double edge_m);

/* The launches of a trace whose place is set: the first, with the transmitter as its source, zeroed before; those that
   follow, from what was reached. Then the number of rays, refused where it is too large. */
rcity_cube_job rcity_cubes_first_launch(const rcity_job *job, const rcity_cubes_traced *traced,
                                        rcity_cube_ray_source *source);
void rcity_cubes_next_launch(const rcity_job *job, const rcity_cubes_traced *traced, rcity_cube_job *launch);
rcity_status rcity_cubes_count_rays(const rcity_job *job, const rcity_cube_job *launch, int64_t source_count,
                                    int64_t *ray_count);

/* The slots of the arrivals that the next generation is launched from, in their order: of each edge those that are not
   much weaker than others with fewer reflections, and of all of them the strongest. `listed` has room for all slots. */
rcity_status rcity_cubes_list_sources(rcity_context *context, const rcity_u64 *edge_keys, int64_t edge_count,
                                      int32_t *listed, int64_t *count);

/* Stages of the method. The workspace is an rcity_cubes_device; a trace without one is made on the host. */
rcity_status rcity_cubes_prepare(const rcity_job *job, void **prepared);
void rcity_cubes_release_prepared(rcity_context *context, void *prepared);
rcity_status rcity_cubes_open_workspace(const rcity_job *job, const void *prepared, void **workspace);
void rcity_cubes_close_workspace(rcity_context *context, void *workspace);
rcity_status rcity_cubes_trace(const rcity_job *job, const void *prepared, void *workspace, int count,
                               const rcity_tx *transmitters, void **traces);
void rcity_cubes_release_trace(rcity_context *context, void *trace);

#endif
