/* Rasters of sight, corners and walls on its threads, roofs where the device is. */
#include "method/shadow/shadow_host.h"

#include "base/parallel.h"
#include "method/shadow/shadow_arrays.h"
#include "method/shadow/walls/wall_raster.h"

struct rcity_shadow_host {
    rcity_context *context; /* Borrowed, as the next. */
    const rcity_los_plane *plane;
    rcity_shadow_choice choice;
    rcity_canyon_tracer tracer;
    rcity_roofs *roofs;
    rcity_walls *walls;
    rcity_shadow_host_ways *spare; /* room of a trace that is no longer needed, for the next; NULL: none */
};

struct rcity_shadow_host_ways {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_shadow_host *stage;
    const rcity_los_plane *plane;
    uint64_t *lit;
    rcity_shadow_arrays arrays; /* of pixels */
};

rcity_status rcity_shadow_host_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                    const rcity_shadow_choice *choice, rcity_shadow_host **stage)
{
    rcity_shadow_host *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "shadows", &made));
    made->context = context;
    made->plane = plane;
    made->choice = *choice;
    RCITY_TRY_DONE(rcity_canyon_tracer_init(context, plane, &made->tracer));
    if (choice->roofs != RCITY_SHADOW_ROOFS_OFF) {
        RCITY_TRY_DONE(rcity_roofs_open(context, device, plane, &made->roofs));
    }
    if (choice->walls != RCITY_SHADOW_WALLS_OFF) {
        RCITY_TRY_DONE(rcity_walls_open(context, device, plane, &made->walls));
    }
    *stage = made;
    made = NULL;
done:
    rcity_shadow_host_close(&made);
    return status;
}

static void release(rcity_shadow_host_ways *ways)
{
    if (ways != NULL) {
        rcity_shadow_arrays_deinit(ways->context, &ways->arrays);
        rcity_release(ways->context, ways->lit);
        rcity_release(ways->context, ways);
    }
}

void rcity_shadow_host_close(rcity_shadow_host **stage)
{
    if (stage == NULL || *stage == NULL) {
        return;
    }
    rcity_shadow_host *old = *stage;
    release(old->spare);
    rcity_walls_close(&old->walls);
    rcity_roofs_close(&old->roofs);
    rcity_canyon_tracer_deinit(old->context, &old->tracer);
    rcity_release(old->context, old);
    *stage = NULL;
}

typedef struct line_work {
    rcity_shadow_host_ways *ways;
    rcity_grid_point3 source;
} line_work;

/* An rcity_parallel_function: what the straight lines are, row by row. */
static void make_lines(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const line_work *work = user;
    const rcity_los_plane *plane = work->ways->plane;
    const float unit_m = 1.0f / (float)plane->shapes->units_per_m;
    for (int32_t row = (int32_t)begin; row < end; row++) {
        for (int32_t column = 0; column < plane->column_count; column++) {
            size_t i = (size_t)row * (size_t)plane->column_count + (size_t)column;
            bool is_sealed = rcity_los_plane_bit(plane, plane->sealed, column, row);
            bool is_lit = rcity_los_plane_bit(plane, work->ways->lit, column, row);
            rcity_shadow_arrays_set_line(&work->ways->arrays, i, unit_m, work->source,
                                         rcity_los_plane_pixel(plane, column, row),
                                         is_sealed ? RCITY_SHADOW_SEALED
                                         : is_lit  ? RCITY_SHADOW_LIT
                                                   : RCITY_SHADOW_DARK);
        }
    }
}

static rcity_status reserve(const rcity_shadow_host *stage, rcity_shadow_host_ways *ways)
{
    const rcity_los_plane *plane = stage->plane;
    RCITY_TRY(rcity_alloc(stage->context, plane->row_words * (size_t)plane->row_count, sizeof *ways->lit,
                          "ways to receivers", &ways->lit));
    return rcity_shadow_arrays_init(stage->context, &stage->choice,
                                    (size_t)plane->row_count * (size_t)plane->column_count, &ways->arrays);
}

static rcity_status trace_ways(rcity_shadow_host *stage, rcity_grid_point3 source, rcity_shadow_host_ways *ways)
{
    const rcity_los_plane *plane = stage->plane;
    rcity_shadow_arrays *arrays = &ways->arrays;
    RCITY_TRY(
        rcity_canyon_trace(stage->context, &stage->tracer, source, stage->choice.order, ways->lit, &arrays->canyon));
    if (stage->roofs != NULL) {
        rcity_roof_mode mode = stage->choice.roofs == RCITY_SHADOW_ROOFS_COUNT ? RCITY_ROOF_COUNT : RCITY_ROOF_STRING;
        RCITY_TRY(rcity_roofs_trace(stage->roofs, source, mode, ways->lit, arrays->roofs));
    }
    if (stage->walls != NULL) {
        /* foliage weakens free lines too */
        const uint64_t *lit = arrays->walls.foliage_m != NULL ? NULL : ways->lit;
        RCITY_TRY(rcity_walls_trace(stage->walls, source, lit, arrays->walls.count, arrays->walls.building_m,
                                    arrays->walls.foliage_m));
    }
    line_work work = {ways, source};
    rcity_parallel(stage->context, plane->row_count, 8, make_lines, &work);
    return RCITY_OK;
}

/* Every element is written anew, so the room of the last trace will do. */
rcity_status rcity_shadow_host_trace(rcity_shadow_host *stage, rcity_grid_point3 source, rcity_shadow_host_ways **trace)
{
    rcity_shadow_host_ways *made = stage->spare;
    rcity_status status;
    stage->spare = NULL;
    if (made == NULL) {
        RCITY_TRY(rcity_alloc(stage->context, 1, sizeof *made, "ways to receivers", &made));
        made->context = stage->context;
        made->stage = stage;
        made->plane = stage->plane;
        RCITY_TRY_DONE(reserve(stage, made));
    }
    RCITY_TRY_DONE(trace_ways(stage, source, made));
    *trace = made;
    made = NULL;
done:
    release(made);
    return status;
}

void rcity_shadow_host_ways_destroy(rcity_shadow_host_ways **trace)
{
    if (trace == NULL || *trace == NULL) {
        return;
    }
    rcity_shadow_host *stage = (*trace)->stage;
    release(stage->spare);
    stage->spare = *trace;
    *trace = NULL;
}

void rcity_shadow_host_weigh(const rcity_shadow_host_ways *trace, const rcity_shadow_weights *weights,
                             const float *pattern, const rcity_shadow_bands *bands)
{
    rcity_shadow_ways ways = rcity_shadow_arrays_ways(&trace->arrays);
    rcity_shadow_weigh(trace->context, &ways, weights, pattern, bands);
}

const uint64_t *rcity_shadow_host_lit(const rcity_shadow_host_ways *trace)
{
    return trace->lit;
}

rcity_shadow_effort rcity_shadow_host_effort(const rcity_shadow_host_ways *trace)
{
    const rcity_canyon *canyon = &trace->arrays.canyon;
    return (rcity_shadow_effort){(int64_t)canyon->raster_count, (int64_t)canyon->node_count,
                                 (int64_t)canyon->way_count};
}
