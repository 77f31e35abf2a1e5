/* Paths over many roofs to what a transmitter does not see. */
#ifndef RCITY_METHOD_TILES_OVER_H
#define RCITY_METHOD_TILES_OVER_H

#include "method/tiles/tiles_run.h"

/* Hidden targets, numbered as those of the prepared roofs: tiles, then receivers; and the path to each. */
typedef struct rcity_tiles_over {
    int64_t count;
    int32_t *list;
    rcity_tile_roof_path *paths;
} rcity_tiles_over;

/* Find them, on the device of the prepared roofs. Released by rcity_tiles_over_deinit(). */
rcity_status rcity_tiles_over_find(rcity_tiles_run *run, rcity_tiles_over *over);
void rcity_tiles_over_deinit(rcity_context *context, rcity_tiles_over *over);

/* Add them to what tiles will scatter, after all bounces; and to the sums of tiles and receivers, which hold the
   diffracted rays by then. */
void rcity_tiles_over_light(rcity_tiles_run *run, const rcity_tiles_over *over);
void rcity_tiles_over_add(rcity_tiles_run *run, const rcity_tiles_over *over);

#endif
