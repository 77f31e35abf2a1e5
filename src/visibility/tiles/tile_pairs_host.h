/* Pairs of blocks of tiles on the host's threads. */
#ifndef RCITY_VISIBILITY_TILES_TILE_PAIRS_HOST_H
#define RCITY_VISIBILITY_TILES_TILE_PAIRS_HOST_H

#include "device/device.h"

/* Buffers of the kernel: pairs, answers, and those that stay on the device. */
#define RCITY_TILE_PAIRS_RESIDENT_FIRST 2
#define RCITY_TILE_PAIRS_RESIDENT_COUNT 9

/* The host_run of the kernel rcity_tile_pairs. */
void rcity_tile_pairs_run_host(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end);

#endif
