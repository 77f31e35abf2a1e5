/* Elevations and what stands on them as rasters, and the profile that a link cuts out of them. */
#ifndef RCITY_KERNEL_TERRAIN_GROUND_GRID_H
#define RCITY_KERNEL_TERRAIN_GROUND_GRID_H

#include "kernel/link.h"
#include "kernel/terrain/ground_profile.h"

/* Points of a profile at most; on longer lines they lie farther apart. The host has them on its stack. */
#define RCITY_GROUND_PROFILE_MAX 4096

/* Points of a profile at least: its ends and two between them, which formulas with a fit need. */
#define RCITY_GROUND_PROFILE_MIN 4

/* Shorter lines have no profile. */
#define RCITY_GROUND_LINE_MIN_M 1.0f

/* Nodes row by row from the south: ground heights, or heights of what stands on the ground over cells around the nodes.
   No columns: 0 everywhere. */
typedef struct rcity_ground_grid {
    rcity_i32 column_count, row_count;
    float cells_per_m;
    float tx_column, tx_row; /* the antenna's place in cells from node 0 */
    rcity_i32 padding;       /* the struct has the same size for every compiler */
} rcity_ground_grid;

/* A place in cells from node 0, moved to the border where it lies beyond. */
typedef struct rcity_ground_place {
    float column, row;
} rcity_ground_place;

RCITY_KERNEL rcity_ground_place rcity_ground_place_make(const rcity_ground_grid *grid, float east_m, float north_m)
{
    rcity_ground_place place;
    place.column =
        rcity_fmin(rcity_fmax(grid->tx_column + east_m * grid->cells_per_m, 0.0f), (float)(grid->column_count - 1));
    place.row = rcity_fmin(rcity_fmax(grid->tx_row + north_m * grid->cells_per_m, 0.0f), (float)(grid->row_count - 1));
    return place;
}

/* Height of the ground: cells are split from south-west to north-east, as the scene has them (scene/place/terrain.c). */
RCITY_KERNEL float rcity_ground_grid_height_m(const rcity_ground_grid *grid, RCITY_GLOBAL const float *node_m,
                                              float east_m, float north_m)
{
    if (grid->column_count < 2) {
        return 0.0f;
    }
    rcity_ground_place place = rcity_ground_place_make(grid, east_m, north_m);
    rcity_i32 column = (rcity_i32)place.column;
    rcity_i32 row = (rcity_i32)place.row;
    column = column < grid->column_count - 2 ? column : grid->column_count - 2;
    row = row < grid->row_count - 2 ? row : grid->row_count - 2;
    float x = place.column - (float)column;
    float y = place.row - (float)row;
    RCITY_GLOBAL const float *south = node_m + (rcity_i64)row * grid->column_count + column;
    RCITY_GLOBAL const float *north = south + grid->column_count;
    float far = x >= y ? south[1] : north[0];
    float along = x >= y ? x : y;
    float across = x >= y ? y : x;
    return south[0] + (far - south[0]) * along + (north[1] - far) * across;
}

/* What stands on the ground at the nearest node; nothing beyond the border. */
RCITY_KERNEL float rcity_ground_grid_cover_m(const rcity_ground_grid *grid, RCITY_GLOBAL const float *node_m,
                                             float east_m, float north_m)
{
    float column = rcity_floor(grid->tx_column + east_m * grid->cells_per_m + 0.5f);
    float row = rcity_floor(grid->tx_row + north_m * grid->cells_per_m + 0.5f);
    if (!(column >= 0.0f && column < (float)grid->column_count && row >= 0.0f && row < (float)grid->row_count)) {
        return 0.0f;
    }
    return node_m[(rcity_i64)(rcity_i32)row * grid->column_count + (rcity_i32)column];
}

/* How many points the profile of a line has that are at most `step_m` apart, within the limits. */
RCITY_KERNEL rcity_i32 rcity_ground_profile_points(float plan_m, float step_m)
{
    float pieces = rcity_floor(plan_m / step_m) + 2.0f;
    pieces = rcity_fmin(rcity_fmax(pieces, (float)RCITY_GROUND_PROFILE_MIN), (float)RCITY_GROUND_PROFILE_MAX);
    return (rcity_i32)pieces;
}

/* The profile from the antenna to the receiver of a link, into memory for RCITY_GROUND_PROFILE_MAX heights with a
   stride, and as much for the cover unless the grid has none. The ends stand on bare ground. */
RCITY_KERNEL rcity_ground_profile rcity_ground_profile_fill(const rcity_ground_grid *ground,
                                                            RCITY_GLOBAL const float *ground_m,
                                                            const rcity_ground_grid *cover,
                                                            RCITY_GLOBAL const float *cover_m, const rcity_link *link,
                                                            float step_m, rcity_i64 stride,
                                                            RCITY_GLOBAL float *height_to, RCITY_GLOBAL float *cover_to)
{
    rcity_ground_profile profile;
    profile.count = rcity_ground_profile_points(link->plan_m, step_m);
    profile.step_m = link->plan_m / (float)(profile.count - 1);
    profile.stride = stride;
    profile.height_m = height_to;
    profile.distance_m = 0;
    profile.cover_m = 0;
    float east_m = link->east_m / (float)(profile.count - 1);
    float north_m = link->north_m / (float)(profile.count - 1);
    for (rcity_i32 i = 0; i < profile.count; i++) {
        height_to[stride * i] = rcity_ground_grid_height_m(ground, ground_m, east_m * (float)i, north_m * (float)i);
    }
    if (cover->column_count > 0) {
        profile.cover_m = cover_to;
        for (rcity_i32 i = 0; i < profile.count; i++) {
            int is_end = i == 0 || i == profile.count - 1;
            cover_to[stride * i] =
                is_end ? 0.0f : rcity_ground_grid_cover_m(cover, cover_m, east_m * (float)i, north_m * (float)i);
        }
    }
    return profile;
}

#endif
