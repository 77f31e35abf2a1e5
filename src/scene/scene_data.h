/* The inside of a scene. */
#ifndef RCITY_SCENE_SCENE_DATA_H
#define RCITY_SCENE_SCENE_DATA_H

#include "scene/plan_index.h"
#include "scene/shapes.h"

/* A building as it was added. */
typedef struct rcity_draft_building {
    int64_t id;
    size_t first_ring, ring_count;
    double height_m, ground_m;
    char material[RCITY_MATERIAL_BYTES];
} rcity_draft_building;

/* Everything as it was added, until commit. */
typedef struct rcity_draft {
    rcity_draft_building *buildings;
    size_t building_count, building_capacity;
    size_t *ring_first; /* ring_count + 1 once there is one */
    size_t ring_count, ring_capacity;
    double *xy_m;
    size_t point_count, point_capacity; /* points; xy_m holds twice as many numbers */
    int64_t dropped_count;
    rcity_terrain terrain; /* column_count 0: none */
    float *terrain_height_m;
} rcity_draft;

struct rcity_scene {
    rcity_context *context;
    char *crs;
    char *source;
    double gap_m;
    bool drop_invalid;
    bool is_committed;
    rcity_draft draft;
    rcity_shapes shapes;
    rcity_scene_info info; /* worked out once, so that describing needs no memory and threads may share the scene */
    rcity_plan_index prism_index; /* of the committed prisms */
    rcity_plan_index wall_index;  /* of their edges */
};

void rcity_draft_deinit(rcity_context *context, rcity_draft *draft);

/* Index the edges of shapes by their boxes. */
rcity_status rcity_shapes_index_walls(rcity_context *context, const rcity_shapes *shapes, rcity_plan_index *index);

/* What there is to say about shapes; texts stay NULL. */
rcity_status rcity_scene_summarize(rcity_context *context, const rcity_shapes *shapes, rcity_scene_info *info);

/* SHA-256 over everything that is geometry, the CRS included. */
void rcity_shapes_hash(const rcity_shapes *shapes, const char *crs, char hash[65]);

#endif
