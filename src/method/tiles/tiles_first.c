/* First-level visibility: the tiles, edges and receivers that a transmitter sees directly. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "method/path_ends.h"
#include "method/tiles/tiles_prepare.h"
#include "scene/place/terrain.h"

#define PIECE 1024 /* tiles or receivers of one thread at a time */

typedef struct first_run {
    const rcity_tiles_prepared *prepared;
    rcity_grid_point3 from;
    rcity_tile_place from_place;
    uint8_t *sees_tile;
    uint8_t *sees_receiver;
} first_run;

static rcity_grid_point3 to_point(rcity_tile_place place)
{
    return (rcity_grid_point3){place.x, place.y, place.z};
}

/* An rcity_parallel_function over tiles. */
static void look_at_tiles(void *user, int64_t begin, int64_t end, int thread_index)
{
    const first_run *run = user;
    const rcity_tiling *tiling = &run->prepared->tiling;
    float plan_m = 1.0f / (float)tiling->world->shapes->units_per_m;
    float height_m = 1.0f / (float)RCITY_HEIGHT_UNITS_PER_M;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_tile_place place = tiling->places[i];
        run->sees_tile[i] =
            rcity_tile_faces(rcity_tile_front_make(tiling->tiles[i], plan_m, height_m), place, run->from_place) &&
            rcity_sight_is_free(run->prepared->sight, run->from, to_point(place));
    }
}

/* An rcity_parallel_function over open receivers. */
static void look_at_receivers(void *user, int64_t begin, int64_t end, int thread_index)
{
    const first_run *run = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        run->sees_receiver[i] =
            rcity_sight_is_free(run->prepared->sight, run->from, to_point(run->prepared->receivers.places[i]));
    }
}

static bool sees_edge(const first_run *run, const rcity_tile_edge *edge)
{
    return (edge->tile_o >= 0 && run->sees_tile[edge->tile_o]) || (edge->tile_n >= 0 && run->sees_tile[edge->tile_n]);
}

/* The numbers of the tiles and of the edges that are seen. */
static rcity_status list_seen(rcity_context *context, const first_run *run, rcity_tiles_traced *made)
{
    const rcity_tiling *tiling = &run->prepared->tiling;
    for (int64_t i = 0; i < tiling->tile_count; i++) {
        made->tile_count += run->sees_tile[i];
    }
    for (int64_t i = 0; i < tiling->edge_count; i++) {
        made->edge_count += sees_edge(run, &tiling->edges[i]);
    }
    RCITY_TRY(rcity_alloc(context, (size_t)made->tile_count + 1, sizeof *made->tiles, "tiles in sight", &made->tiles));
    RCITY_TRY(rcity_alloc(context, (size_t)made->edge_count + 1, sizeof *made->edges, "edges in sight", &made->edges));
    int32_t listed = 0;
    for (int32_t i = 0; i < tiling->tile_count; i++) {
        if (run->sees_tile[i]) {
            made->tiles[listed++] = i;
        }
    }
    listed = 0;
    for (int32_t i = 0; i < tiling->edge_count; i++) {
        if (sees_edge(run, &tiling->edges[i])) {
            made->edges[listed++] = i;
        }
    }
    return RCITY_OK;
}

static rcity_status look_around(rcity_context *context, const rcity_shapes *shapes, rcity_tiles_traced *made)
{
    const rcity_tiles_prepared *prepared = made->prepared;
    first_run run;
    memset(&run, 0, sizeof run);
    run.prepared = prepared;
    run.from.x = (int32_t)lround(made->from.x * shapes->units_per_m);
    run.from.y = (int32_t)lround(made->from.y * shapes->units_per_m);
    double ground = rcity_terrain_height(&shapes->terrain, run.from.x, run.from.y);
    run.from.z = rcity_terrain_snap_height(&shapes->terrain, run.from.x, run.from.y,
                                           fmax(made->from.z * RCITY_HEIGHT_UNITS_PER_M, ground));
    made->place = run.from_place = (rcity_tile_place){run.from.x, run.from.y, run.from.z};
    run.sees_receiver = made->sees_receiver;
    RCITY_TRY(rcity_alloc(context, (size_t)prepared->tiling.tile_count + 1, 1, "tiles in sight", &run.sees_tile));
    rcity_parallel(context, prepared->tiling.tile_count, PIECE, look_at_tiles, &run);
    rcity_parallel(context, prepared->receivers.open_count, PIECE, look_at_receivers, &run);
    rcity_status status = list_seen(context, &run, made);
    rcity_release(context, run.sees_tile);
    return status;
}

static rcity_status trace_one(const rcity_job *job, const rcity_tiles_prepared *prepared, const rcity_tx *tx,
                              void **trace)
{
    rcity_context *context = job->context;
    const rcity_shapes *shapes = job->shapes;
    const rcity_point *at = &tx->position;
    rcity_place3 from = {at->x_m - shapes->origin_x_m, at->y_m - shapes->origin_y_m, at->z_m};
    rcity_tiles_traced *made = NULL;
    rcity_status status;
    double start_s = rcity_clock_s();
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "what a transmitter sees", &made));
    made->prepared = prepared;
    made->from = rcity_path_end_in_air(&prepared->world, &prepared->prism_index, from);
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)prepared->receivers.open_count + 1, 1, "receivers in sight",
                               &made->sees_receiver));
    RCITY_TRY_DONE(look_around(context, shapes, made));
    made->seconds = rcity_clock_s() - start_s;
    *trace = made;
    made = NULL;
done:
    rcity_tiles_release_trace(context, made);
    return status;
}

rcity_status rcity_tiles_trace(const rcity_job *job, const void *prepared, void *workspace, int count,
                               const rcity_tx *transmitters, void **traces)
{
    (void)workspace;
    for (int i = 0; i < count; i++) {
        rcity_status status = trace_one(job, prepared, &transmitters[i], &traces[i]);
        if (status != RCITY_OK) {
            for (int k = 0; k < i; k++) {
                rcity_tiles_release_trace(job->context, traces[k]);
            }
            return status;
        }
    }
    return RCITY_OK;
}

void rcity_tiles_release_trace(rcity_context *context, void *trace)
{
    rcity_tiles_traced *made = trace;
    if (made != NULL) {
        rcity_release(context, made->sees_receiver);
        rcity_release(context, made->edges);
        rcity_release(context, made->tiles);
        rcity_release(context, made);
    }
}
