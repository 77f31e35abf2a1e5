/* The beams of a forest in pieces of some thousand, for loops over all of them on all threads. */
#ifndef RCITY_METHOD_BEAMS_RASTER_BEAM_CHUNKS_H
#define RCITY_METHOD_BEAMS_RASTER_BEAM_CHUNKS_H

#include "method/beams/tree/beams_forest.h"

/* Some nodes of a tree. */
typedef struct rcity_beams_chunk {
    int32_t tree, node_first, node_end;
} rcity_beams_chunk;

/* All of them, in the order of trees and nodes. `*chunks` is released by the caller. */
rcity_status rcity_beams_chunks_list(rcity_context *context, const rcity_beams_forest *forest,
                                     rcity_beams_chunk **chunks, int64_t *chunk_count);

#endif
