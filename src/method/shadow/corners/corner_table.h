/* The corners of a plane's buildings, and which of them bend a source's waves. */
#ifndef RCITY_METHOD_SHADOW_CORNERS_CORNER_TABLE_H
#define RCITY_METHOD_SHADOW_CORNERS_CORNER_TABLE_H

#include "visibility/los/los_plane.h"

/* What the trace of every source of a plane needs to know of corners; a corner has the number of its point. */
typedef struct rcity_corner_table {
    const rcity_los_plane *plane;      /* Borrowed. */
    int32_t *wall_before, *wall_after; /* of each corner: the wall that ends there, the one that begins; -1: too low */
    uint8_t *is_open; /* of each corner: both walls are open to the air there, at the receivers' height */
    int32_t *foot;    /* of each corner: height at which it counts for sources that look over its roof */
} rcity_corner_table;

rcity_status rcity_corner_table_init(rcity_context *context, const rcity_los_plane *plane, rcity_corner_table *corners);
void rcity_corner_table_deinit(rcity_context *context, rcity_corner_table *corners);

/* A number for each corner, the view it has in a trace: -1, none, as every trace begins and ends. For the caller to release. */
rcity_status rcity_corner_corners_alloc_views(rcity_context *context, const rcity_corner_table *corners,
                                              int32_t **view_of);

/* Heights above ground at which corners count that a source looks over: 2, 4, 8 ... metres, the first above the receivers, so
   that receivers of similar heights share them. A unit or more above the receivers, shadows of falling lines are found
   fast. */
#define RCITY_CORNER_RUNG_MAX (1024 * RCITY_HEIGHT_UNITS_PER_M)
int32_t rcity_corner_rung(int32_t level);

/* The height of a source at a corner: that of the first source where the roof there is as high, its foot else. */
int32_t rcity_corner_table_height(const rcity_corner_table *corners, rcity_grid_point3 source, int32_t corner);

/* Does a source see a corner past which its waves bend: one wall at it faces the source, the other turns away, and the line is
   free? The corner is given with the points before and after it on its outline. Where a neighbour's wall goes on from it
   there is no corner; that is for the caller to know. Lines do not rise: a corner that counts higher is looked at from as
   high as the source. */
bool rcity_corner_table_has(const rcity_sight *sight, rcity_grid_point3 source, rcity_grid_point before,
                            rcity_grid_point at, rcity_grid_point after, int32_t height);

#endif
