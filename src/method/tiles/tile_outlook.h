/* A tile as a mirror: all that it sees, as windows take it, so that many sources can be held against it. */
#ifndef RCITY_METHOD_TILE_OUTLOOK_H
#define RCITY_METHOD_TILE_OUTLOOK_H

#include "kernel/tiles/tile_window.h"
#include "method/tiles/tiles_prepare.h"

typedef struct rcity_tile_outlook {
    rcity_tile_frame frame;
    int32_t tile_count, count; /* what the tile sees: tiles, then receivers */
    int32_t *target;           /* tiles have the first numbers, receivers those after them */
    float *u_high, *u_low, *v_high, *v_low;
    uint8_t *flags; /* of the last source */
} rcity_tile_outlook;

/* Memory for any tile. */
rcity_status rcity_tile_outlook_init(rcity_context *context, const rcity_tiles_prepared *prepared,
                                     rcity_tile_outlook *outlook);
void rcity_tile_outlook_deinit(rcity_context *context, rcity_tile_outlook *outlook);

/* Look at a tile. */
void rcity_tile_outlook_fill(rcity_tile_outlook *outlook, const rcity_tiles_prepared *prepared, int32_t tile);

/* What entry i of a mirror is as a source. */
static inline rcity_tile_view rcity_tile_outlook_view(const rcity_tile_outlook *outlook, int32_t i)
{
    return (rcity_tile_view){outlook->u_high[i], outlook->u_low[i], outlook->v_high[i], outlook->v_low[i]};
}

/* Set the flags of entries `begin` to `end` - 1: does the wave of a source reach them? */
void rcity_tile_outlook_meet(const rcity_tile_outlook *outlook, rcity_tile_view source, int32_t begin, int32_t end);

/* The next entry from i on that has its flag set; `end` if there is none. */
int32_t rcity_tile_outlook_next(const rcity_tile_outlook *outlook, int32_t i, int32_t end);

#endif
