/* Pairs of blocks of tiles on the host's threads. */
#ifndef RCITY_VISIBILITY_TILES_TILE_PAIRS_HOST_H
#define RCITY_VISIBILITY_TILES_TILE_PAIRS_HOST_H

#include "visibility/sight_arrays.h"

/* Buffers of the kernel: pairs, answers, and those that stay on the device: places, fronts, the sight structure,
   occluders, and which of them are near. */
#define RCITY_TILE_PAIRS_RESIDENT_FIRST 2
#define RCITY_TILE_PAIRS_RESIDENT_SIGHT 2
#define RCITY_TILE_PAIRS_RESIDENT_COUNT (RCITY_TILE_PAIRS_RESIDENT_SIGHT + RCITY_SIGHT_ARRAY_COUNT + 2)

/* The host_run of the kernel rcity_tile_pairs. */
void rcity_tile_pairs_run_host(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end);

#endif
