#include "visibility/tiles/tile_lanes.h"

#include <string.h>

void rcity_tile_lanes_gather(const rcity_tile_place *places, const rcity_tile_front *fronts, uint32_t tiles,
                             rcity_tile_lanes *lanes)
{
    memset(lanes, 0, sizeof *lanes);
    for (int i = 0; i < RCITY_TILE_BLOCK; i++) {
        if ((tiles >> i & 1) != 0) {
            rcity_tile_front front = fronts != NULL ? fronts[i] : rcity_tile_front_all();
            lanes->x[i] = places[i].x;
            lanes->y[i] = places[i].y;
            lanes->z[i] = places[i].z;
            lanes->nx[i] = front.nx;
            lanes->ny[i] = front.ny;
            lanes->nz[i] = front.nz;
            lanes->all_m[i] = front.all_m;
        }
    }
}

RCITY_WIDE static uint32_t facing(const rcity_tile_lanes *from, int i, const rcity_tile_lanes *lanes)
{
    int32_t x = from->x[i];
    int32_t y = from->y[i];
    int32_t z = from->z[i];
    float nx = from->nx[i];
    float ny = from->ny[i];
    float nz = from->nz[i];
    float all_m = from->all_m[i];
    uint32_t bits = 0;
    for (int j = 0; j < RCITY_TILE_BLOCK; j++) {
        float dx = (float)(lanes->x[j] - x);
        float dy = (float)(lanes->y[j] - y);
        float dz = (float)(lanes->z[j] - z);
        float there = dx * nx + dy * ny + dz * nz + all_m;
        float back = -dx * lanes->nx[j] + -dy * lanes->ny[j] + -dz * lanes->nz[j] + lanes->all_m[j];
        bits |= (uint32_t)((there > RCITY_TILE_FRONT_M) & (back > RCITY_TILE_FRONT_M)) << j;
    }
    return bits;
}

RCITY_WIDE static uint32_t hidden(const rcity_sight_occluder *occluder, rcity_tile_place at,
                                  const rcity_tile_lanes *lanes)
{
    rcity_sight_shadow shadow = rcity_sight_shadow_make(*occluder, at.x, at.y, at.z);
    uint32_t bits = 0;
    for (int j = 0; j < RCITY_TILE_BLOCK; j++) {
        bits |= (uint32_t)rcity_sight_shadow_hides(shadow, (float)(lanes->x[j] - at.x), (float)(lanes->y[j] - at.y),
                                                   (float)(lanes->z[j] - at.z))
                << j;
    }
    return bits;
}

/* What is compiled twice would be visible outside the library. */
uint32_t rcity_tile_lanes_facing(const rcity_tile_lanes *from, int i, const rcity_tile_lanes *lanes)
{
    return facing(from, i, lanes);
}

uint32_t rcity_tile_lanes_hidden(const rcity_sight_occluder *occluder, rcity_tile_place at,
                                 const rcity_tile_lanes *lanes)
{
    return hidden(occluder, at, lanes);
}
