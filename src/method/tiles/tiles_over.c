/* Paths over many roofs, to receivers and to tiles that scatter them on: what the paper names as missing. They are
   powers without a phase. */
#include "base/parallel.h"
#include "kernel/tiles/tile_over.h"
#include "method/tiles/tiles_run.h"

#define PIECE 4096 /* targets of one thread at a time */

/* The hidden targets of a transmitter, numbered as those of the prepared roofs: tiles, then receivers. */
typedef struct over_run {
    rcity_tiles_run *run;
    int64_t count;
    int32_t *list;
    rcity_tile_roof_path *paths;
} over_run;

/* A tile is a target where it scatters, or where its own sums are asked for. */
static bool wants_tile(const rcity_tiles_run *run, int32_t tile)
{
    return run->tile_sums != NULL || rcity_tiles_run_is_rough(run, tile);
}

rcity_status rcity_tiles_list_hidden(const rcity_tiles_run *run, int32_t **list, int64_t *count)
{
    const rcity_tiles_traced *traced = run->traced;
    int32_t tile_count = (int32_t)run->prepared->tiling.tile_count;
    int64_t receiver_count = run->prepared->receivers.open_count;
    size_t room = (size_t)tile_count + (size_t)receiver_count + 1;
    RCITY_TRY(rcity_alloc(run->context, room, sizeof **list, "paths over roofs", list));
    *count = 0;
    int32_t seen = 0;
    for (int32_t i = 0; i < tile_count; i++) {
        bool is_seen = seen < traced->tile_count && traced->tiles[seen] == i;
        seen += is_seen;
        if (!is_seen && wants_tile(run, i)) {
            (*list)[(*count)++] = i;
        }
    }
    for (int64_t i = 0; i < receiver_count; i++) {
        if (!traced->sees_receiver[i]) {
            (*list)[(*count)++] = tile_count + (int32_t)i;
        }
    }
    return RCITY_OK;
}

/* An rcity_parallel_function over the list. */
static void take_paths(void *user, int64_t begin, int64_t end, int thread_index)
{
    const over_run *over = user;
    const rcity_tiles_run *run = over->run;
    int32_t tile_count = (int32_t)run->prepared->tiling.tile_count;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        const rcity_tile_roof_path *path = &over->paths[i];
        int32_t target = over->list[i];
        rcity_tile_over brought;
        if (!rcity_tile_over_make(run->bounce, run->ends.tx_table, *path, &brought)) {
            continue;
        }
        if (target >= tile_count) {
            rcity_tile_over_add(&run->receiver_sums[target - tile_count], run->receiver_scale[target - tile_count],
                                &brought, run->rx_share[0], run->rx_share[1]);
            continue;
        }
        if (run->tile_sums != NULL) {
            rcity_tile_over_add(&run->tile_sums[target], run->tile_scale[target], &brought, run->rx_share[0],
                                run->rx_share[1]);
        }
        if (rcity_tiles_run_is_rough(run, target)) {
            rcity_tile_over_light(run->bounce, run->faces[run->prepared->tile_face[target]],
                                  run->prepared->tiling.tiles[target], run->tile_scale[target], &brought,
                                  rcity_tiles_run_lit(run, target, 0));
        }
    }
}

rcity_status rcity_tiles_go_over_roofs(rcity_tiles_run *run)
{
    over_run over = {.run = run};
    double start_s = rcity_clock_s();
    rcity_status status;
    RCITY_TRY_DONE(rcity_tiles_list_hidden(run, &over.list, &over.count));
    RCITY_TRY_DONE(
        rcity_alloc(run->context, (size_t)over.count + 1, sizeof *over.paths, "paths over roofs", &over.paths));
    RCITY_TRY_DONE(rcity_tile_roofs_find(run->context, run->prepared->roofs, run->traced->place,
                                         run->world.wavelength_m, 0.0, over.count, over.list, over.paths));
    rcity_parallel(run->context, over.count, PIECE, take_paths, &over);
    run->effort.over_s += rcity_clock_s() - start_s;
done:
    rcity_release(run->context, over.paths);
    rcity_release(run->context, over.list);
    return status;
}
