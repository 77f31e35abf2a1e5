/* Where houses are solid all around: a raster of how high the houses stand everywhere within a reach of each of its
   cells. It proves that an extended thing is hidden. Of two discs no wider than the reach, every line from one to the
   other runs, at each part of its way, within the reach of the line between their middles; where that middle line
   passes a cell whose surroundings stand higher than it, all of them are blocked. */
#ifndef RCITY_METHOD_IMAGES_EDGES_SOLID_CORE_H
#define RCITY_METHOD_IMAGES_EDGES_SOLID_CORE_H

#include "base/base.h"
#include "method/images/path/trace_path.h"
#include "scene/shapes.h"

typedef struct rcity_solid_core {
    double west_m, south_m, cell_m;  /* local frame */
    double reach_m;                  /* radius of the discs; what snapping moves is taken off */
    int32_t column_count, row_count; /* 0 where there are no houses */
    double lowest_m, step_m;         /* what the heights count from, and in */
    uint8_t *height;                 /* in steps, rounded down; 0 for none */
} rcity_solid_core;

rcity_status rcity_solid_core_init(rcity_context *context, const rcity_shapes *shapes, rcity_solid_core *core);
void rcity_solid_core_deinit(rcity_context *context, rcity_solid_core *core);

/* Are all lines between the discs around two places blocked, on their part from `begin` (0 to 1) on? The heights are
   the highest of each disc. False: not proven. */
bool rcity_solid_core_blocks(const rcity_solid_core *core, rcity_place3 from, rcity_place3 to, double begin);

#endif
