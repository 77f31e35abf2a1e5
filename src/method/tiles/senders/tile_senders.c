/* The list of senders. */
#include "method/tiles/senders/tile_senders.h"

#include <string.h>

#include "base/parallel.h"

#define PIECE 256 /* tiles of one thread at a time */

bool rcity_tile_senders_are_wanted(const rcity_tiles_run *run)
{
    return run->goes_over_roofs && run->bounce.rough_material_count > 0;
}

/* Glows that are being made. */
typedef struct list_work {
    const rcity_tiles_run *run;
    rcity_tile_glow *glows;
} list_work;

/* An rcity_parallel_function over tiles. */
static void make_glows(void *user, int64_t begin, int64_t end, int thread_index)
{
    const list_work *work = user;
    const rcity_tiles_run *run = work->run;
    rcity_tile_rough rough = run->bounce.rough;
    int64_t tiles = run->prepared->tiling.tile_count;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        for (int32_t cell = 0; cell < rough.cell_count; cell++) {
            rcity_tile_glow glow = rcity_tile_glow_none();
            if (rcity_tiles_run_is_rough(run, (int32_t)i)) {
                (void)rcity_tile_glow_make(rcity_tiles_run_lit(run, (int32_t)i, 0) + cell, rough.depth_count,
                                           rough.cell_count, run->tile_scale[i], rough, run->prepared->tiling.tiles[i],
                                           &glow);
            }
            work->glows[cell * tiles + i] = glow;
        }
    }
}

static bool is_illuminated(const rcity_tile_glow *glows, int64_t tile, int64_t tile_count, int32_t cell_count)
{
    bool illuminated = false;
    for (int32_t cell = 0; cell < cell_count; cell++) {
        illuminated = illuminated || rcity_tile_glow_is_lit(&glows[cell * tile_count + tile]);
    }
    return illuminated;
}

rcity_status rcity_tile_senders_pick(const rcity_tiles_run *run, const rcity_tile_glow *glows,
                                     rcity_tile_senders *senders)
{
    int64_t tiles = run->prepared->tiling.tile_count;
    int32_t cells = run->bounce.rough.cell_count;
    int64_t count = 0;
    rcity_status status;
    memset(senders, 0, sizeof *senders);
    for (int64_t i = 0; i < tiles; i++) {
        count += is_illuminated(glows, i, tiles, cells);
    }
    RCITY_TRY_DONE(
        rcity_alloc(run->context, (size_t)count + 1, sizeof *senders->tile, "scattering over roofs", &senders->tile));
    RCITY_TRY_DONE(rcity_alloc(run->context, (size_t)count * (size_t)cells + 1, sizeof *senders->glows,
                               "scattering over roofs", &senders->glows));
    for (int64_t i = 0; i < tiles; i++) {
        if (is_illuminated(glows, i, tiles, cells)) {
            for (int32_t cell = 0; cell < cells; cell++) {
                senders->glows[senders->count * cells + cell] = glows[cell * tiles + i];
            }
            senders->tile[senders->count++] = (int32_t)i;
        }
    }
done:
    if (status != RCITY_OK) {
        rcity_tile_senders_deinit(run->context, senders);
    }
    return status;
}

rcity_status rcity_tile_senders_list(const rcity_tiles_run *run, rcity_tile_senders *senders)
{
    list_work work = {.run = run};
    int64_t tiles = run->prepared->tiling.tile_count;
    size_t room = (size_t)tiles * (size_t)run->bounce.rough.cell_count + 1;
    rcity_status status;
    memset(senders, 0, sizeof *senders);
    RCITY_TRY_DONE(rcity_alloc(run->context, room, sizeof *work.glows, "scattering over roofs", &work.glows));
    rcity_parallel(run->context, tiles, PIECE, make_glows, &work);
    RCITY_TRY_DONE(rcity_tile_senders_pick(run, work.glows, senders));
done:
    rcity_release(run->context, work.glows);
    return status;
}

void rcity_tile_senders_deinit(rcity_context *context, rcity_tile_senders *senders)
{
    rcity_release(context, senders->glows);
    rcity_release(context, senders->tile);
    memset(senders, 0, sizeof *senders);
}
