/* The surfaces of a city cut into tiles: J. S. Lu et al., "A discrete environment-driven GPU-based ray launching
   algorithm", IEEE Transactions on Antennas and Propagation 67(2), 2019, section III.A. */
#ifndef RCITY_SCENE_TILES_TILING_H
#define RCITY_SCENE_TILES_TILING_H

#include "kernel/tiles/tile.h"
#include "scene/facets/facet_table.h"

#define RCITY_TILE_AREA_MIN_M2 1.0
#define RCITY_TILE_AREA_MAX_M2 10000.0

#define RCITY_TILE_SIDE_COUNT 4

typedef struct rcity_tiling_options {
    double wall_area_m2, roof_area_m2, ground_area_m2; /* the area that tiles shall have */
    double wall_width_min_m, wall_area_min_m2;         /* walls smaller than one of these are left out */
    double ground_margin_m;                            /* ground around the buildings that is cut too */
    double ground_axis_rad;                            /* direction of the ground's tiles, counter-clockwise from x */
    bool follows_outlines; /* roofs are cut along the smallest rectangle around them; else along the axes */
    double ridge_min_rad;  /* terrain turns at least by this much where it has an edge */
} rcity_tiling_options;

rcity_tiling_options rcity_tiling_options_default(void);

/* Tiles in an order in which neighbours are near each other. */
typedef struct rcity_tiling {
    const rcity_facet_table *world; /* Borrowed. */
    rcity_tiling_options options;
    int64_t tile_count;
    rcity_tile *tiles;
    rcity_tile_place *places;
    int64_t surface_row_count; /* of the next array */
    int32_t *surface_rows;     /* where the tiles of each mirror of the facet table begin in this array, one more; these
                                  tiles */
    int32_t (*beside)[RCITY_TILE_SIDE_COUNT]; /* the tiles at the sides of each on its surface; -1: none */
    int64_t edge_count;
    rcity_tile_edge *edges; /* in the order of their first parents */
    int32_t *
        edge_first; /* tile_count + 1: the edges on the border of tile t are edge_of[edge_first[t]] and those after it */
    int32_t *edge_of;

    int64_t wall_tile_count, roof_tile_count, ground_tile_count;
    int64_t dropped_wall_count; /* too small */
    double dropped_wall_area_m2;
    int64_t dropped_edge_count; /* neither face has a tile */
    int64_t
        covered_tile_count; /* their centres lie in another building, on a roof below another one, or under ground */
    char hash[65];          /* of the scene and of all tiles */
} rcity_tiling;

/* Cut the world of a committed scene; both stay borrowed. @return RCITY_ERR_ARGUMENT for options out of range, or more
   than 2^31 tiles. */
rcity_status rcity_tiling_init(rcity_context *context, const rcity_scene *scene, const rcity_facet_table *world,
                               const rcity_tiling_options *options, rcity_tiling *tiling);
void rcity_tiling_deinit(rcity_context *context, rcity_tiling *tiling);

/* The paper's equations 2 and 3: into how many segments a side is cut. */
int64_t rcity_tile_side_count(double side_m, double tile_m);

#endif
