/* Which tiles see each other: the visibility matrix of a tiling, symmetric, in compressed rows. Tile i sees tile j if
   each lies in front of the other and the straight line between their places is free. */
#ifndef RCITY_VISIBILITY_TILES_TILE_MATRIX_H
#define RCITY_VISIBILITY_TILES_TILE_MATRIX_H

#include "device/device.h"
#include "scene/tiles/tiling.h"

/* Tiles in a chunk: an entry names a tile by the lower 16 bits of its number. */
#define RCITY_TILE_CHUNK 65536

typedef struct rcity_tile_matrix {
    int32_t tile_count;
    int32_t chunk_count;       /* chunks of tiles, RCITY_TILE_CHUNK each */
    const uint64_t *row_first; /* tile_count + 1: where the entries of a row begin */
    const uint32_t *chunk_end; /* [row * chunk_count + c]: entries of the row in chunks 0 ... c */
    const uint16_t *column;    /* entries, row by row, increasing: tile c * RCITY_TILE_CHUNK + column */
} rcity_tile_matrix;

#endif
