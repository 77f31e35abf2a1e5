/* A surface as a grid of equal rectangles, and which of them are tiles. */
#ifndef RCITY_SCENE_TILES_TILE_GRID_H
#define RCITY_SCENE_TILES_TILE_GRID_H

#include "scene/shape/plan_index.h"
#include "scene/tiles/tiling.h"

/* A wall's cell on terrain is a tile if so much of its height is above the ground. */
#define RCITY_TILE_OPEN_MIN_M 0.5

/* A rectangle cut into count_u by count_v cells; cell (u, v) has number first + v * count_u + u. */
typedef struct rcity_tile_grid {
    rcity_place3 corner;           /* where both sides begin */
    rcity_place3 along_u, along_v; /* unit vectors; the normal is along_u x along_v */
    double length_u, length_v;
    int32_t count_u, count_v; /* 0: the surface has no tiles */
    int32_t surface;          /* as in rcity_tile */
    int32_t prism;            /* of a wall or roof; -1 for the ground */
    rcity_mirror_kind kind;
    int64_t first;
} rcity_tile_grid;

/* All grids of a tiling while it is made: walls and roofs in the order of the mirrors, the ground last. */
typedef struct rcity_tile_grids {
    const rcity_shapes *shapes;
    const rcity_plan_index *prism_index;
    const rcity_facet_table *world;
    const rcity_tiling_options *options;
    int64_t grid_count;
    rcity_tile_grid *grids;
    int64_t cell_count;
    int32_t *cell_tile; /* for each cell its tile, or -1 */
} rcity_tile_grids;

static inline double rcity_place3_dot(rcity_place3 a, rcity_place3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline rcity_place3 rcity_place3_cross(rcity_place3 a, rcity_place3 b)
{
    return (rcity_place3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* a + factor b */
static inline rcity_place3 rcity_place3_add(rcity_place3 a, double factor, rcity_place3 b)
{
    return (rcity_place3){a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z};
}

/* A rectangle in plan: one of its corners, the direction of one side, both lengths. */
typedef struct rcity_plan_rectangle {
    double x, y;             /* the corner */
    double along_x, along_y; /* unit vector; the other side lies to its left */
    double length, width;
} rcity_plan_rectangle;

/* The rectangle of least area around points: at least three, not all in line. `hull` has room for twice as many and one
   more. */
rcity_plan_rectangle rcity_smallest_rectangle(const rcity_grid_point *points, int32_t count, rcity_grid_point *hull);

/* The rectangle that ground tiles are cut from, in metres: in the direction of their axis, around the buildings (or
   everything where there are none) with the margin, as far as there is terrain. Its corners may lie off the terrain.
   Both lengths are 0 where no ground is left. */
rcity_plan_rectangle rcity_tile_ground_rectangle(const rcity_scene *scene, const rcity_tiling_options *options);

/* Lay out the grids; no cell has a tile yet. */
rcity_status rcity_tile_grids_init(rcity_context *context, const rcity_scene *scene, const rcity_facet_table *world,
                                   const rcity_tiling_options *options, rcity_tiling *tiling, rcity_tile_grids *grids);
void rcity_tile_grids_deinit(rcity_context *context, rcity_tile_grids *grids);

/* The tile of a cell and its place; ground on terrain lies in the plane that touches it best.
   @return false where the cell is no tile: off its roof, in another building, under the ground. */
bool rcity_tile_grids_cut(const rcity_tile_grids *grids, const rcity_tile_grid *grid, int32_t u, int32_t v,
                          rcity_tile *tile, rcity_tile_place *place, bool *is_covered);

/* The tile of the cell that holds a place in the plane of a grid, or the nearest one around that cell; -1: none. */
int32_t rcity_tile_grid_find(const rcity_tile_grids *grids, const rcity_tile_grid *grid, rcity_place3 at);

#endif
