/* The tiles of a block array by array, on the host: one place is held against all of them at once. */
#ifndef RCITY_VISIBILITY_TILES_TILE_LANES_H
#define RCITY_VISIBILITY_TILES_TILE_LANES_H

#include "kernel/tiles/tile_pair.h"

/* Places and fronts of up to RCITY_TILE_BLOCK tiles or points; the others are zero. */
typedef struct rcity_tile_lanes {
    int32_t x[RCITY_TILE_BLOCK], y[RCITY_TILE_BLOCK], z[RCITY_TILE_BLOCK];
    float nx[RCITY_TILE_BLOCK], ny[RCITY_TILE_BLOCK], nz[RCITY_TILE_BLOCK], all_m[RCITY_TILE_BLOCK];
} rcity_tile_lanes;

/* Take those of consecutive tiles that `tiles` has bits for. Without `fronts` they are points in the air. */
void rcity_tile_lanes_gather(const rcity_tile_place *places, const rcity_tile_front *fronts, uint32_t tiles,
                             rcity_tile_lanes *lanes);

static inline rcity_tile_place rcity_tile_lanes_place(const rcity_tile_lanes *lanes, int i)
{
    return (rcity_tile_place){lanes->x[i], lanes->y[i], lanes->z[i]};
}

/* rcity_tile_faces() both ways, for lane i of a block and all of another: a bit for each of these. */
uint32_t rcity_tile_lanes_facing(const rcity_tile_lanes *from, int i, const rcity_tile_lanes *lanes);

/* Those that an occluder hides from a place. */
uint32_t rcity_tile_lanes_hidden(const rcity_sight_occluder *occluder, rcity_tile_place at,
                                 const rcity_tile_lanes *lanes);

#endif
