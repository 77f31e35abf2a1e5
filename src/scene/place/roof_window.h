/* How dense and how high the buildings around a place are. */
#ifndef RCITY_SCENE_ROOF_WINDOW_H
#define RCITY_SCENE_ROOF_WINDOW_H

#include "scene/shape/plan_index.h"
#include "scene/shapes.h"

/* The window reaches this far to each side. Mean heights come from windows that reach 1, 2, 4 and 8 times as far, each
   with 1/16 of the weight of the one before: near roofs dominate, and where there are none those farther away take over
   gradually. */
#define RCITY_ROOF_WINDOW_HALF_M 100.0
#define RCITY_ROOF_WINDOW_COUNT  4
#define RCITY_ROOF_WINDOW_FADE   16.0
#define RCITY_TOWN_EDGE_M        200.0 /* distance over which a town ends, beyond the bounds of its buildings */

/* Sums over a coarse raster of roofs: any window costs four lookups. */
typedef struct rcity_roof_window {
    double west_m, south_m, cell_m; /* in the local frame */
    int64_t column_count, row_count;
    int64_t *height_sum; /* height units over all cells south-west of a node; (columns + 1) * (rows + 1) */
    int32_t *built_sum;  /* built cells south-west of a node */
} rcity_roof_window;

/* The roofs in the window around a place. */
typedef struct rcity_roof_view {
    double built_fraction; /* of the part of the innermost window that the buildings' bounds cover; 0 outside them */
    double town;           /* 1 within the bounds of the buildings, falling to 0 over RCITY_TOWN_EDGE_M around them */
    double height_m;       /* mean roof above the ground below it, weighted by area; 0 where there is none for 800 m */
} rcity_roof_view;

/* Bytes a window takes while it is built. */
uint64_t rcity_roof_window_bytes(const rcity_shapes *shapes, const rcity_plan_index *prism_index);

/* Build the sums over the bounds of the prism index. */
rcity_status rcity_roof_window_init(rcity_context *context, const rcity_shapes *shapes,
                                    const rcity_plan_index *prism_index, rcity_roof_window *window);
void rcity_roof_window_deinit(rcity_context *context, rcity_roof_window *window);

/* The roofs around a place of the local frame, in metres. A cell counts if its centre lies within a window. */
rcity_roof_view rcity_roof_window_get(const rcity_roof_window *window, double x_m, double y_m);

#endif
