/* The skyline around tiles: what lies below it is hidden, and need not be tested line by line. Groups of 8
   consecutive tiles have one skyline in common, the lowest of theirs. Buildings near a tile are held against sectors of
   directions; one counts only where it fills a whole sector. So no line that is free is ever left out. */
#ifndef RCITY_VISIBILITY_TILES_TILE_HORIZON_H
#define RCITY_VISIBILITY_TILES_TILE_HORIZON_H

#include "visibility/sight/sight_occluders.h"
#include "visibility/tiles/tile_blocks.h"

#define RCITY_TILE_GROUP           8 /* tiles */
#define RCITY_TILE_GROUPS_A_BLOCK  (RCITY_TILE_BLOCK / RCITY_TILE_GROUP)
#define RCITY_TILE_HORIZON_SECTORS 128
#define RCITY_TILE_HORIZON_MOST_M  255

/* The skyline of a group. By sector: lines from any of its tiles are blocked when they are longer than `beyond_m` in
   plan and less steep than `slope`, rise over distance. */
typedef struct rcity_tile_skyline {
    float slope[RCITY_TILE_HORIZON_SECTORS];
    uint8_t beyond_m[RCITY_TILE_HORIZON_SECTORS];
    rcity_tile_place least, most; /* bounds of the group */
} rcity_tile_skyline;

typedef struct rcity_tile_horizon {
    const rcity_tile_blocks *blocks; /* Borrowed. */
    double plan_m, height_m;         /* of a unit */
    rcity_tile_skyline *skylines;    /* of each group of the blocks of tiles; NULL: nothing is left out */
} rcity_tile_horizon;

/* Skylines take at most `most_bytes`; there are none where that is too little. @return RCITY_ERR_MEMORY. */
rcity_status rcity_tile_horizon_init(rcity_context *context, const rcity_sight *sight,
                                     const rcity_sight_occluders *occluders, const rcity_tile_blocks *blocks,
                                     uint64_t most_bytes, rcity_tile_horizon *horizon);
void rcity_tile_horizon_deinit(rcity_context *context, rcity_tile_horizon *horizon);

/* Take the tiles from a pair, of either block, for which all of the other block is below their skyline. */
void rcity_tile_horizon_cut(const rcity_tile_horizon *horizon, rcity_tile_pair *pair);

#endif
