/* The inside of a scene. */
#ifndef RCITY_SCENE_SCENE_DATA_H
#define RCITY_SCENE_SCENE_DATA_H

#include "scene/draft.h"
#include "scene/shape/plan_index.h"

struct rcity_scene {
    rcity_context *context;
    char *crs;
    char *source;
    double gap_m;
    bool drop_invalid;
    bool is_committed;
    rcity_draft draft;
    rcity_shapes shapes;
    rcity_scene_info info; /* computed once, so that describing needs no memory and threads may share the scene */
    rcity_plan_index prism_index; /* of the committed prisms */
    rcity_plan_index wall_index;  /* of their edges */
    rcity_plan_index vegetation_index;
};

/* May the scene still be filled? @return RCITY_ERR_STATE after commit. */
rcity_status rcity_scene_check_open(const rcity_scene *scene);

/* Index the edges of shapes by their boxes. */
rcity_status rcity_shapes_index_walls(rcity_context *context, const rcity_shapes *shapes, rcity_plan_index *index);

/* Index vegetation by its boxes. */
rcity_status rcity_shapes_index_vegetation(rcity_context *context, const rcity_shapes *shapes, rcity_plan_index *index);

/* Summarise shapes; texts stay NULL. */
rcity_status rcity_scene_summarize(rcity_context *context, const rcity_shapes *shapes, rcity_scene_info *info);

/* SHA-256 over the whole geometry, the CRS included. */
void rcity_shapes_hash(const rcity_shapes *shapes, const char *crs, char hash[65]);

#endif
