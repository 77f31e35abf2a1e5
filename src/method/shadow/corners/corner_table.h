/* The corners of a plane's buildings, and which of them diffract a source's waves. */
#ifndef RCITY_METHOD_SHADOW_CORNERS_CORNER_TABLE_H
#define RCITY_METHOD_SHADOW_CORNERS_CORNER_TABLE_H

#include "visibility/los/los_plane.h"

/* What the trace of every source of a plane needs to know of corners; a corner has the index of its point. */
typedef struct rcity_corner_table {
    const rcity_los_plane *plane;      /* Borrowed. */
    int32_t *wall_before, *wall_after; /* of each corner: the walls that end and begin there; -1: too low */
    uint8_t *is_open;                  /* of each corner: both walls are facades there, at the receivers' height */
    int32_t *foot;                     /* of each corner: its height for sources above its roof */
} rcity_corner_table;

rcity_status rcity_corner_table_init(rcity_context *context, const rcity_los_plane *plane, rcity_corner_table *corners);
void rcity_corner_table_deinit(rcity_context *context, rcity_corner_table *corners);

/* An index for each corner, its view in a trace: -1, none, when a trace begins and ends. Released by the caller. */
rcity_status rcity_corner_corners_alloc_views(rcity_context *context, const rcity_corner_table *corners,
                                              int32_t **view_of);

/* The reference height above ground of a corner whose roof is below the source: the first of 2, 4, 8 ... metres above
   the receivers' level, so that receivers of similar heights share it. A unit or more above the receivers, shadows of
   descending lines are computed fast. */
#define RCITY_CORNER_HEIGHT_STEP_MAX (1024 * RCITY_HEIGHT_UNITS_PER_M)
int32_t rcity_corner_height_step(int32_t level);

/* The height of a secondary source at a corner: that of the first source if the roof there is as high, otherwise the
   corner's foot. */
int32_t rcity_corner_table_height(const rcity_corner_table *corners, rcity_grid_point3 source, int32_t corner);

/* Does a source see a corner that diffracts its waves: one wall at it faces the source, the other turns away, and the
   line is free? The corner is given with the points before and after it on its outline. Where a neighbour's wall
   continues from it there is no corner; the caller must check that. Lines do not rise: a corner whose height is above
   the source is tested at the source's height. */
bool rcity_corner_table_has(const rcity_sight *sight, rcity_grid_point3 source, rcity_grid_point before,
                            rcity_grid_point at, rcity_grid_point after, int32_t height);

#endif
