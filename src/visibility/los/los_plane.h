/* A raster of receivers, prepared for many sources: where its pixels lie on the scene's grid, what does not depend on
   the source, and the walls that cast shadows on it. */
#ifndef RCITY_VISIBILITY_LOS_LOS_PLANE_H
#define RCITY_VISIBILITY_LOS_LOS_PLANE_H

#include "radiocity/radio.h"
#include "scene/shape/prism.h"
#include "visibility/sight/sight.h"
#include "visibility/terrain/ground_sight.h"

/* A wall of a prism in plan, the solid on the left of a -> b. */
typedef struct rcity_los_wall {
    int32_t ax, ay, bx, by;
    int32_t roof;
    int32_t a, b;     /* its corners' numbers; -1: the prism touches itself there, and lines may pass between */
    bool is_doubtful; /* its prism touches itself: pixels in its shadow may be visible, the segment test decides */
} rcity_los_wall;

/* Walls by square cells; each wall is in all cells that its box meets. */
typedef struct rcity_los_cells {
    int32_t west, south, cell;
    int32_t column_count, row_count;
    int32_t *first; /* for each cell, and one entry more */
    int32_t *walls;
} rcity_los_cells;

typedef struct rcity_los_plane {
    const rcity_shapes *shapes;
    const rcity_sight *sight;
    int32_t column_count, row_count;
    int32_t *x, *y; /* of columns, growing; of rows, falling: the first is the northernmost */
    int32_t *z;     /* of pixels on terrain; NULL: `level` for all */
    int32_t level;
    rcity_ground_sight ground; /* prepared for `ground_y`, the coordinates of rows, growing; NULL: not used */
    int32_t *ground_y;

    size_t row_words;
    uint64_t *indoors; /* a bit per pixel: strictly inside a prism, below its roof */
    int32_t *on_walls; /* pixels on a wall, which only the plain test decides */
    size_t on_wall_count, on_wall_capacity;

    int32_t wall_count;
    rcity_los_wall *walls; /* those that rise above the level, from the ground up */
    int32_t low_top;       /* no other wall is higher; they matter only to sources below it */
    rcity_los_cells cells;
} rcity_los_plane;

/* Prepare a raster at a height above ground. Borrows shapes and sight. */
rcity_status rcity_los_plane_init(rcity_context *context, const rcity_shapes *shapes, const rcity_sight *sight,
                                  const rcity_raster *raster, double height_m, rcity_los_plane *plane);
void rcity_los_plane_deinit(rcity_context *context, rcity_los_plane *plane);

/* Where a place lies relative to the prisms that rise above it: strictly inside one, else on the wall of one, else
   outside. The plane's `indoors` means strictly inside. */
rcity_place rcity_los_locate(const rcity_sight *sight, rcity_grid_point3 at);

/* The bit of a pixel in a mask. */
static inline bool rcity_los_plane_bit(const rcity_los_plane *plane, const uint64_t *mask, int32_t column, int32_t row)
{
    return (mask[(size_t)row * plane->row_words + (size_t)column / 64] >> (column % 64)) & 1;
}

/* The place of a pixel. */
static inline rcity_grid_point3 rcity_los_plane_pixel(const rcity_los_plane *plane, int32_t column, int32_t row)
{
    size_t at = (size_t)row * (size_t)plane->column_count + (size_t)column;
    return (rcity_grid_point3){plane->x[column], plane->y[row], plane->z == NULL ? plane->level : plane->z[at]};
}

#endif
