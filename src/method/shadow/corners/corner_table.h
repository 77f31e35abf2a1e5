/* The corners of a plane's buildings, and which of them diffract a source's waves. */
#ifndef RCITY_METHOD_SHADOW_CORNERS_CORNER_TABLE_H
#define RCITY_METHOD_SHADOW_CORNERS_CORNER_TABLE_H

#include "kernel/shadow/corners/corner_item.h"
#include "visibility/los/los_plane.h"

/* What the trace of every source of a plane needs to know of corners; a corner has the index of its point. */
typedef struct rcity_corner_table {
    const rcity_los_plane *plane;      /* Borrowed. */
    int32_t *wall_before, *wall_after; /* of each corner: the walls that end and begin there; -1: too low */
    uint8_t *is_open;                  /* of each corner: both walls are facades there, at the receivers' height */
    int32_t *ground;                   /* of each corner: its height on the ground */
} rcity_corner_table;

rcity_status rcity_corner_table_init(rcity_context *context, const rcity_los_plane *plane, rcity_corner_table *corners);
void rcity_corner_table_deinit(rcity_context *context, rcity_corner_table *corners);

/* An index for each corner, its view in a trace: -1, none, when a trace begins and ends. Released by the caller. */
rcity_status rcity_corner_corners_alloc_views(rcity_context *context, const rcity_corner_table *corners,
                                              int32_t **view_of);

/* The height above ground at which corners count, from the height above ground of the lower end of a path: the first
   of 2, 4, 8 ... metres above it, so that receivers of similar heights share what corners see. A unit or more above the
   receivers, shadows of descending lines are computed fast. */
#define RCITY_CORNER_HEIGHT_STEP_MAX (1024 * RCITY_HEIGHT_UNITS_PER_M)
int32_t rcity_corner_height_step(int32_t level);

/* Height above ground in height units; on terrain within a unit, since heights are rounded there. */
int32_t rcity_corner_level(const rcity_shapes *shapes, rcity_grid_point3 at);

/* A plane of a single receiver at a level, for the corners there. */
rcity_status rcity_corner_plane_init(rcity_context *context, const rcity_sight *sight, int32_t level,
                                     rcity_los_plane *plane);

/* The height above ground at which corners count for a source and the plane's receivers. */
int32_t rcity_corner_table_step(const rcity_corner_table *corners, rcity_grid_point3 source);

/* A corner of the table with the points before and after it on its outline. */
rcity_corner_place rcity_corner_table_place(const rcity_corner_table *corners, int32_t corner);

/* Does a source see a corner that diffracts its waves: one wall at it faces the source, the other turns away, and the
   line to the corner at this height is free? Where a neighbour's wall continues from it there is no corner; the caller
   must check that. */
bool rcity_corner_table_has(const rcity_sight *sight, rcity_grid_point3 source, const rcity_corner_place *corner,
                            int32_t height);

#endif
