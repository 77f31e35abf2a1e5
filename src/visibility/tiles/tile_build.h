/* What the parts of the build share. */
#ifndef RCITY_VISIBILITY_TILES_TILE_BUILD_H
#define RCITY_VISIBILITY_TILES_TILE_BUILD_H

#include "visibility/tiles/tile_matrix.h"
#include "visibility/tiles/tile_rows.h"

/* A matrix in memory from finished rows, whose arrays it takes over, and from their entries. On failure both stay. */
rcity_status rcity_tile_matrix_take(rcity_context *context, rcity_tile_rows *rows, uint16_t *column,
                                    rcity_tile_matrix **matrix);

#endif
