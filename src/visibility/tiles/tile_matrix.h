/* Which tiles see each other: the visibility matrix of a tiling, symmetric, in compressed rows. Tile i sees tile j if
   each lies in front of the other and the straight line between their places is free. */
#ifndef RCITY_VISIBILITY_TILES_TILE_MATRIX_H
#define RCITY_VISIBILITY_TILES_TILE_MATRIX_H

#include "device/device.h"
#include "kernel/tiles/tile_row.h"
#include "scene/tiles/tiling.h"
#include "visibility/sight/sight.h"
#include "visibility/tiles/tile_blocks.h"

/* The file of a matrix. */
#define RCITY_TILE_MATRIX_KIND    "visibility"
#define RCITY_TILE_MATRIX_VERSION 1

typedef struct rcity_tile_matrix_options {
    double range_m;    /* tiles farther apart do not see each other; 0: no limit */
    bool uses_horizon; /* leave out what lies below the skyline of tiles; the matrix is the same without, but later */
    uint64_t strip_bytes; /* a strip is finished, and in a file, when it takes so much; 0: by the limit on memory */
} rcity_tile_matrix_options;

rcity_tile_matrix_options rcity_tile_matrix_options_default(void);

/* How a matrix was made. */
typedef struct rcity_tile_matrix_effort {
    rcity_tile_cull cull;     /* pairs of tiles, each counted once */
    int64_t block_pair_count; /* pairs of blocks, and those of them that were tested */
    int64_t tested_block_pair_count;
    int64_t ray_count;
    int64_t walk_count;     /* of these: that no occluder decided; may differ from run to run on a device */
    int64_t kept_row_count; /* rows that an earlier run had finished */
    int64_t strip_count;
    double seconds;
    double cull_s, test_s, row_s; /* parts of them */
} rcity_tile_matrix_effort;

typedef struct rcity_tile_matrix {
    int32_t tile_count;
    int32_t chunk_count;       /* chunks of tiles, RCITY_TILE_CHUNK each */
    const uint64_t *row_first; /* of each row: where its entries begin */
    const uint32_t *chunk_end; /* [row * chunk_count + c]: entries of the row in chunks 0 ... c */
    const uint16_t *column;    /* entries of a row, increasing: tile c * RCITY_TILE_CHUNK + column */
    int64_t entry_count;
    int64_t byte_count;              /* of the file, or in memory: all of it */
    rcity_tile_matrix_effort effort; /* 0 for one that was opened */
    struct rcity_tile_store *store;  /* Owned; behind the arrays. */
} rcity_tile_matrix;

/* How many tiles a tile sees. */
static inline uint32_t rcity_tile_matrix_row_count(const rcity_tile_matrix *matrix, int32_t row)
{
    return matrix->chunk_end[((size_t)row + 1) * (size_t)matrix->chunk_count - 1];
}

/* Make the matrix of a tiling; `sight` is that of its scene. With a path it is written to a file, strip by strip, and
   mapped; a run that was stopped there is continued. Without a path it is in memory. The same on every device and for
   every number of threads. Owned by the caller; release with rcity_tile_matrix_close().
   @return RCITY_ERR_ARGUMENT for an option out of range, RCITY_ERR_MEMORY, RCITY_ERR_FILE, RCITY_ERR_CANCELLED, and as
   rcity_device_run(). */
rcity_status rcity_tile_matrix_build(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                     const rcity_tiling *tiling, const rcity_tile_matrix_options *options,
                                     const char *path, rcity_tile_matrix **matrix);

/* Map the file of a matrix and check all of it. @return RCITY_ERR_FORMAT when it is damaged, or belongs to another
   scene, tiling or range; RCITY_ERR_FILE. */
rcity_status rcity_tile_matrix_open(rcity_context *context, const rcity_tiling *tiling,
                                    const rcity_tile_matrix_options *options, const char *path,
                                    rcity_tile_matrix **matrix);

void rcity_tile_matrix_close(rcity_context *context, rcity_tile_matrix **matrix);

#endif
