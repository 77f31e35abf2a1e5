#include "method/beams/raster/beam_chunks.h"

#define CHUNK_NODES 1024

rcity_status rcity_beams_chunks_list(rcity_context *context, const rcity_beams_forest *forest,
                                     rcity_beams_chunk **chunks, int64_t *chunk_count)
{
    int64_t count = 0;
    for (int32_t t = 0; t < forest->tree_count; t++) {
        count += ((int64_t)forest->trees[t].node_count + CHUNK_NODES - 1) / CHUNK_NODES;
    }
    RCITY_TRY(rcity_alloc(context, (size_t)count + 1, sizeof **chunks, "beams in pieces", chunks));
    *chunk_count = count;
    count = 0;
    for (int32_t t = 0; t < forest->tree_count; t++) {
        int32_t node_count = (int32_t)forest->trees[t].node_count;
        for (int32_t n = 0; n < node_count; n += CHUNK_NODES) {
            int32_t end = node_count - n < CHUNK_NODES ? node_count : n + CHUNK_NODES;
            (*chunks)[count++] = (rcity_beams_chunk){t, n, end};
        }
    }
    return RCITY_OK;
}
