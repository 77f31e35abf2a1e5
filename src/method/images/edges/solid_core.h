/* Where buildings are solid all around: for each cell of a raster, how high the buildings stand everywhere within a
   reach of it. This proves that an extended object is hidden. Take two discs no wider than the reach: every line from
   one to the other stays within the reach of the line between their centres. Where that centre line passes a cell whose
   surroundings stand higher than it, all of these lines are blocked. */
#ifndef RCITY_METHOD_IMAGES_EDGES_SOLID_CORE_H
#define RCITY_METHOD_IMAGES_EDGES_SOLID_CORE_H

#include "base/base.h"
#include "method/images/path/trace_path.h"
#include "scene/shapes.h"

typedef struct rcity_solid_core {
    double west_m, south_m, cell_m;  /* local frame */
    double reach_m;                  /* radius of the discs, less what snapping moves */
    int32_t column_count, row_count; /* 0 where there are no buildings */
    double lowest_m, step_m;         /* the height and the step that `height` counts in */
    uint8_t *height;                 /* in steps, rounded down; 0 for none */
} rcity_solid_core;

rcity_status rcity_solid_core_init(rcity_context *context, const rcity_shapes *shapes, rcity_solid_core *core);
void rcity_solid_core_deinit(rcity_context *context, rcity_solid_core *core);

/* Are all lines between the discs around two places blocked, on their part from `begin` (0 to 1) on? The heights are
   the highest of each disc. False means that this is not proven. */
bool rcity_solid_core_blocks(const rcity_solid_core *core, rcity_place3 from, rcity_place3 to, double begin);

#endif
