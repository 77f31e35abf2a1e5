/* Which tiles, edges and receivers a tube reaches among those that its last tile or edge sees. */
#ifndef RCITY_METHOD_TILES_TILE_SCAN_H
#define RCITY_METHOD_TILES_TILE_SCAN_H

#include "kernel/tiles/tile_row.h"
#include "kernel/tiles/tile_window.h"
#include "method/tiles/tiles_prepare.h"

/* Takes what was reached. A tile or receiver has its number, an edge too. */
typedef void (*rcity_tile_taker)(void *user, const rcity_tube *tube, int32_t number);

typedef struct rcity_tile_takers {
    void *user;
    rcity_tile_taker tile, edge, receiver; /* NULL: these are not looked for */
} rcity_tile_takers;

/* Memory for a scan; one for each level of a chain, since takers scan again. */
typedef struct rcity_tile_scan {
    const rcity_tiles_prepared *prepared;
    uint8_t *flags; /* as many as the longest row */
    int64_t test_count;
} rcity_tile_scan;

/* Room for flags: the longest row of the matrix and of the views. */
int64_t rcity_tile_scan_room(const rcity_tiles_prepared *prepared);

/* Hand everything that a tube reaches to its taker; the tube has at least one event. Each thing once, in a fixed
   order. */
void rcity_tile_scan_run(rcity_tile_scan *scan, const rcity_tube *tube, const rcity_tile_takers *takers);

#endif
