/* What rough tiles scatter: from each tile that rays reached to all that it sees, and on through reflections. Scattered
   waves have no phase, so powers are followed. */
#include "method/tiles/tiles_glow.h"

#include "base/parallel.h"

#define PIECE 64 /* tiles of one thread at a time */

/* An rcity_parallel_function over tiles: the sources that they are. */
static void fill_glows(void *user, int64_t begin, int64_t end, int thread_index)
{
    const rcity_tiles_glow_work *glow = user;
    const rcity_tiles_run *run = glow->run;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        int32_t tile = (int32_t)i;
        rcity_tile_glows_fill(glow->job, run->prepared->tiling.tiles[i], tile, rcity_tiles_run_is_rough(run, tile),
                              rcity_tiles_run_lit(run, tile, 0), glow->glows, glow->whole);
    }
}

/* An rcity_parallel_function over tiles: what each receives straight from others. The matrix is symmetric. */
static void gather_straight(void *user, int64_t begin, int64_t end, int thread_index)
{
    const rcity_tiles_glow_work *glow = user;
    const rcity_tiles_run *run = glow->run;
    const rcity_tile *tiles = run->prepared->tiling.tiles;
    const rcity_tile_matrix *matrix = run->prepared->matrix;
    rcity_tile_rows_view rows = {matrix->chunk_count, matrix->row_first, matrix->chunk_end, matrix->column};
    for (int64_t number = begin; number < end; number++) {
        rcity_tile_units_of sum = rcity_tile_units_none();
        rcity_tile_row row = rcity_tile_row_of(rows, (int32_t)number);
        int64_t count = 0;
        int32_t chunk = 0;
        for (int32_t i = 0; i < row.count; i++) {
            int32_t from = rcity_tile_row_get(row, i, &chunk);
            if (glow->whole[from] > 0.0f) {
                count += rcity_tile_straight_to_tile(glow->job, glow->glows, tiles[from], from, tiles[number],
                                                     run->tile_scale[number], &sum);
            }
        }
        rcity_tile_sums_add(&run->tile_sums[number], RCITY_TILE_SCATTERED, sum, count);
        glow->glowers[thread_index].ray_count += count;
    }
}

/* An rcity_parallel_function over tiles: what each sends straight to receivers. */
static void send_straight(void *user, int64_t begin, int64_t end, int thread_index)
{
    const rcity_tiles_glow_work *glow = user;
    const rcity_tiles_run *run = glow->run;
    const rcity_tile_views *views = &run->prepared->views;
    for (int64_t number = begin; number < end; number++) {
        for (uint64_t i = views->row_first[number]; glow->whole[number] > 0.0f && i < views->row_first[number + 1];
             i++) {
            int32_t receiver = views->receiver[i];
            if (rcity_tile_view_is_beside(receiver)) {
                continue;
            }
            const float *at = &run->prepared->receivers.xyz_m[3 * (int64_t)receiver];
            rcity_tile_units_of sum = rcity_tile_units_none();
            int64_t count = rcity_tile_straight_to_place(glow->job, glow->glows, run->prepared->tiling.tiles[number],
                                                         (int32_t)number, rcity_real3_make(at[0], at[1], at[2]),
                                                         run->receiver_scale[receiver], &sum);
            rcity_tile_sums_add(&run->receiver_sums[receiver], RCITY_TILE_SCATTERED, sum, count);
            glow->glowers[thread_index].ray_count += count;
        }
    }
}

static rcity_status open_glow(rcity_tiles_run *run, rcity_tiles_glow_work *glow)
{
    rcity_context *context = run->context;
    *glow = (rcity_tiles_glow_work){.run = run, .job = rcity_tiles_run_glow_job(run)};
    size_t count = ((size_t)rcity_tile_glow_again_max(run->bounce) + 1) * (size_t)run->prepared->tiling.tile_count;
    size_t cells = (size_t)run->bounce.rough.cell_count;
    RCITY_TRY(rcity_alloc(context, count * cells + 1, sizeof *glow->glows, "scattering", &glow->glows));
    RCITY_TRY(rcity_alloc(context, count + 1, sizeof *glow->whole, "scattering", &glow->whole));
    glow->thread_count = rcity_context_thread_count(context);
    RCITY_TRY(rcity_alloc(context, (size_t)glow->thread_count, sizeof *glow->glowers, "scattering", &glow->glowers));
    for (int i = 0; i < glow->thread_count; i++) {
        RCITY_TRY(rcity_tile_outlook_init(context, run->prepared, &glow->glowers[i].outlook));
    }
    return RCITY_OK;
}

static void close_glow(rcity_tiles_glow_work *glow)
{
    rcity_context *context = glow->run->context;
    for (int i = 0; glow->glowers != NULL && i < glow->thread_count; i++) {
        rcity_release(context, glow->glowers[i].found.echoes);
        rcity_tile_outlook_deinit(context, &glow->glowers[i].outlook);
    }
    rcity_release(context, glow->glowers);
    rcity_release(context, glow->whole);
    rcity_release(context, glow->glows);
}

rcity_status rcity_tiles_glow(rcity_tiles_run *run)
{
    rcity_tiles_glow_work glow;
    int64_t tiles = run->prepared->tiling.tile_count;
    double start_s = rcity_clock_s();
    rcity_status status;
    if (run->lit == NULL) {
        return RCITY_OK;
    }
    RCITY_TRY_DONE(open_glow(run, &glow));
    rcity_parallel(run->context, tiles, PIECE, fill_glows, &glow);
    RCITY_TRY_DONE(rcity_progress(run->context, "scattering", 0.0, 1.0));
    if (run->tile_sums != NULL) {
        rcity_parallel(run->context, tiles, PIECE, gather_straight, &glow);
    }
    rcity_parallel(run->context, tiles, PIECE, send_straight, &glow);
    RCITY_TRY_DONE(rcity_tiles_follow_echoes(&glow));
    for (int i = 0; i < glow.thread_count; i++) {
        run->effort.scattered_count += glow.glowers[i].ray_count;
        run->effort.test_count += glow.glowers[i].test_count;
    }
    run->effort.scatter_s += rcity_clock_s() - start_s;
done:
    close_glow(&glow);
    return status;
}
