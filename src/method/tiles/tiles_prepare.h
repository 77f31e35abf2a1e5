/* The stages of `tiles` before antennas: the scene as tiles, which of them see each other and the receivers; and what a
   transmitter sees directly. */
#ifndef RCITY_METHOD_TILES_PREPARE_H
#define RCITY_METHOD_TILES_PREPARE_H

#include "method/method.h"
#include "method/open_receivers.h"
#include "method/over_roofs/tile_roofs.h"
#include "method/surroundings/built_up.h"
#include "scene/shape/plan_index.h"
#include "visibility/tiles/tile_first.h"
#include "visibility/tiles/tile_matrix.h"
#include "visibility/tiles/tile_views.h"

/* What depends on the scene and the receivers only. */
typedef struct rcity_tiles_prepared {
    rcity_facet_table world; /* its materials at no frequency in particular */
    rcity_plan_index prism_index;
    rcity_sight *sight;
    rcity_tiling tiling;
    rcity_tile_matrix *matrix;
    rcity_open_receivers receivers;
    rcity_tile_first *first; /* what transmitters see */
    rcity_tile_views views;
    rcity_tile_roofs *roofs; /* its targets: all tiles, then the open receivers */
    rcity_built_up *built_up;
    float *centre_x, *centre_y, *centre_z; /* of tiles, array by array */
    int32_t *tile_face, *edge_face;        /* of each tile its face, of each edge two: rcity_tiles_ground_face() */
    struct rcity_tiles_device *device;     /* NULL: all is done on the host */
} rcity_tiles_prepared;

/* The faces of a run: rough ones of all materials, then smooth ones, for edges of the ground; then one for its tiles. */
static inline int32_t rcity_tiles_ground_face(const rcity_facet_table *world)
{
    return 2 * (int32_t)world->material_count;
}

static inline size_t rcity_tiles_face_count(const rcity_facet_table *world)
{
    return 2 * (size_t)world->material_count + 1;
}

/* What a transmitter sees. */
typedef struct rcity_tiles_traced {
    const rcity_tiles_prepared *prepared;
    rcity_place3 from;      /* local; moved off what it touches */
    rcity_tile_place place; /* the same on the scene's grid */
    int32_t tile_count, edge_count;
    int32_t *tiles, *edges; /* that it sees, in their order; edges by either parent */
    uint8_t *sees_receiver; /* of open receivers */
    double seconds;
} rcity_tiles_traced;

rcity_tiling_options rcity_tiles_read_tiling(const rcity_job *job);

/* The tiles of a scene and the file of their matrix; without a path the tiles alone. */
rcity_status rcity_tiles_build_visibility(const rcity_job *job, const char *path, rcity_tile_visibility_info *info);

/* What rcity_tiles_trace() needs: no matrix, no views. */
rcity_status rcity_tiles_prepare_first(const rcity_job *job, rcity_tiles_prepared **prepared);

rcity_status rcity_tiles_prepare(const rcity_job *job, void **prepared);
void rcity_tiles_release_prepared(rcity_context *context, void *prepared);

/* The buffers of a device that a trace writes; on the host a trace needs none, and NULL will do. */
rcity_status rcity_tiles_open_workspace(const rcity_job *job, const void *prepared, void **workspace);
void rcity_tiles_close_workspace(rcity_context *context, void *workspace);
rcity_status rcity_tiles_trace(const rcity_job *job, const void *prepared, void *workspace, int count,
                               const rcity_tx *transmitters, void **traces);
void rcity_tiles_release_trace(rcity_context *context, void *trace);

#endif
