/* The straight line between two places of tiles, as tests of sight take it. */
#ifndef RCITY_KERNEL_TILES_TILE_SEGMENT_H
#define RCITY_KERNEL_TILES_TILE_SEGMENT_H

#include "kernel/tiles/tile.h"
#include "kernel/visibility/sight/sight_map.h"

RCITY_KERNEL rcity_sight_segment rcity_tile_segment(rcity_tile_place a, rcity_tile_place b)
{
    rcity_sight_segment segment;
    segment.ax = a.x;
    segment.ay = a.y;
    segment.az = a.z;
    segment.bx = b.x;
    segment.by = b.y;
    segment.bz = b.z;
    return segment;
}

#endif
