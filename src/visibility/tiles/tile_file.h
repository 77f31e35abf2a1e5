/* The file of a visibility matrix: what it belongs to, then strips of rows, each as two blocks. */
#ifndef RCITY_VISIBILITY_TILES_TILE_FILE_H
#define RCITY_VISIBILITY_TILES_TILE_FILE_H

#include "store/store_grow.h"
#include "visibility/tiles/tile_matrix.h"
#include "visibility/tiles/tile_rows.h"

/* Begin a file, or go on with one that belongs to the same scene, tiling and range: its strips are taken into `rows`,
   which are new. `*strip_count` is how many there are. */
rcity_status rcity_tile_file_begin(rcity_context *context, const char *path, const rcity_tiling *tiling,
                                   const rcity_tile_matrix_options *options, rcity_tile_rows *rows,
                                   rcity_store_grow **file, int64_t *strip_count);

/* Append the strip of `rows` with these entries, and finish it. */
rcity_status rcity_tile_file_append(rcity_store_grow *file, rcity_tile_rows *rows, int64_t strip,
                                    const uint16_t *column);

/* Check a file and take all its strips into `rows`, which are new. */
rcity_status rcity_tile_file_read(rcity_context *context, const char *path, const rcity_store *store,
                                  const rcity_tiling *tiling, const rcity_tile_matrix_options *options,
                                  rcity_tile_rows *rows);

#endif
