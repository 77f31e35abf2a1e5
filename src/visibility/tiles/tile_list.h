/* Pairs of blocks that are to be tested: listed for a few blocks of tiles at a time, tested a few pairs at a time. */
#ifndef RCITY_VISIBILITY_TILES_TILE_LIST_H
#define RCITY_VISIBILITY_TILES_TILE_LIST_H

#include "visibility/tiles/tile_horizon.h"
#include "visibility/tiles/tile_pairs.h"

/* A block row of the list. */
typedef struct rcity_tile_list_row {
    int64_t begin, count; /* its pairs */
    rcity_tile_cull cull;
} rcity_tile_list_row;

typedef struct rcity_tile_list {
    rcity_context *context; /* Borrowed, as the blocks. */
    const rcity_tile_blocks *blocks;
    rcity_tile_pairs *tests;
    rcity_tile_horizon horizon; /* leaves nothing out unless asked for */
    int32_t first, end;         /* the block rows that are listed */
    int64_t room, count;
    rcity_tile_pair *pairs; /* in order of a, then of b */
    rcity_tile_list_row *rows;
    rcity_tile_pair_answer *answers; /* of those that were tested last */
    int64_t test_most, test_count;   /* at most, and next time */
    double cull_s, test_s;
} rcity_tile_list;

/* Memory for pairs and answers, within the limit of the context, and skylines if `uses_horizon`. Blocks of tiles are
   paired with themselves and those after them, or, where `blocks` has points, with these. */
rcity_status rcity_tile_list_init(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                  const rcity_tile_blocks *blocks, bool uses_horizon, rcity_tile_list *list);

/* The memory of a list and of its tests, about, for so many tiles and points; without what grows with the scene. */
double rcity_tile_list_bytes(const rcity_context *context, double tile_count, double point_count);

void rcity_tile_list_deinit(rcity_tile_list *list);

/* How many pairs of blocks there are before those of block row `a`. */
double rcity_tile_list_before(const rcity_tile_list *list, int32_t a);

/* List the next block rows, from list->end on. @return how many pairs of blocks they have, with those left out. */
int64_t rcity_tile_list_next(rcity_tile_list *list, rcity_tile_cull *cull);

/* Test pairs of the list from `begin` on; their answers are in list->answers. `*tested` is how many. */
rcity_status rcity_tile_list_test(rcity_tile_list *list, int64_t begin, int64_t *tested);

/* Report how far the work is when the pairs of the list up to `done` were tested. */
rcity_status rcity_tile_list_progress(const rcity_tile_list *list, const char *task, int64_t done);

#endif
