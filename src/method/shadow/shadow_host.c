/* Rasters of sight, corners and walls on its threads, roofs where the device is. */
#include "method/shadow/shadow_host.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "method/shadow/wall_raster.h"

struct rcity_shadow_host {
    rcity_context *context; /* Borrowed, as the next. */
    const rcity_los_plane *plane;
    rcity_shadow_choice choice;
    rcity_canyon_tracer tracer;
    rcity_roofs *roofs;
    rcity_walls *walls;
};

struct rcity_shadow_host_ways {
    rcity_context *context; /* Borrowed, as the next. */
    const rcity_los_plane *plane;
    size_t count; /* pixels */
    uint64_t *lit;
    uint8_t *states;
    float *log_lengths;
    rcity_shadow_line *lines;
    rcity_canyon canyon;
    rcity_shadow_roof *roofs;
    float *roof_log_lengths;
    rcity_shadow_walls walls;
    bool reaches_indoor;
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

void rcity_shadow_host_close(rcity_shadow_host **stage)
{
    if (stage == NULL || *stage == NULL) {
        return;
    }
    rcity_shadow_host *old = *stage;
    rcity_walls_close(&old->walls);
    rcity_roofs_close(&old->roofs);
    rcity_canyon_tracer_deinit(old->context, &old->tracer);
    rcity_release(old->context, old);
    *stage = NULL;
}

static rcity_status reserve(const rcity_shadow_host *stage, rcity_shadow_host_ways *trace)
{
    rcity_context *context = stage->context;
    const rcity_los_plane *plane = stage->plane;
    const char *what = "ways to receivers";
    size_t count = trace->count;
    RCITY_TRY(rcity_alloc(context, plane->row_words * (size_t)plane->row_count, sizeof *trace->lit, what, &trace->lit));
    RCITY_TRY(rcity_alloc(context, count, sizeof *trace->states, what, &trace->states));
    RCITY_TRY(rcity_alloc(context, count, sizeof *trace->log_lengths, what, &trace->log_lengths));
    RCITY_TRY(rcity_alloc(context, count, sizeof *trace->lines, what, &trace->lines));
    if (stage->roofs != NULL) {
        RCITY_TRY(rcity_alloc(context, count, sizeof *trace->roofs, what, &trace->roofs));
        RCITY_TRY(rcity_alloc(context, count, sizeof *trace->roof_log_lengths, what, &trace->roof_log_lengths));
    }
    if (stage->walls != NULL) {
        RCITY_TRY(rcity_alloc(context, count, sizeof *trace->walls.count, what, &trace->walls.count));
    }
    if (stage->choice.walls == RCITY_SHADOW_WALLS_METRES) {
        RCITY_TRY(rcity_alloc(context, count, sizeof(float), what, &trace->walls.building_m));
        RCITY_TRY(rcity_alloc(context, count, sizeof(float), what, &trace->walls.foliage_m));
    }
    return RCITY_OK;
}

typedef struct line_work {
    rcity_shadow_host_ways *trace;
    rcity_grid_point3 source;
} line_work;

/* An rcity_parallel_function: what the straight lines are, row by row. */
static void make_lines(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const line_work *work = user;
    rcity_shadow_host_ways *trace = work->trace;
    const rcity_los_plane *plane = trace->plane;
    const float unit_m = 1.0f / (float)plane->shapes->units_per_m;
    for (int32_t row = (int32_t)begin; row < end; row++) {
        float dy = (float)(plane->y[row] - work->source.y) * unit_m;
        for (int32_t column = 0; column < plane->column_count; column++) {
            size_t i = (size_t)row * (size_t)plane->column_count + (size_t)column;
            float dx = (float)(plane->x[column] - work->source.x) * unit_m;
            float rise_m =
                (float)(rcity_los_plane_pixel(plane, column, row).z - work->source.z) / (float)RCITY_HEIGHT_UNITS_PER_M;
            trace->lines[i] = rcity_shadow_line_make(dx, dy, rise_m);
            trace->log_lengths[i] = rcity_shadow_line_log_length(dx, dy, rise_m);
            bool is_sealed = rcity_los_plane_bit(plane, plane->sealed, column, row);
            bool is_lit = rcity_los_plane_bit(plane, trace->lit, column, row);
            trace->states[i] = (uint8_t)(is_sealed ? RCITY_SHADOW_SEALED
                                         : is_lit  ? RCITY_SHADOW_LIT
                                                   : RCITY_SHADOW_DARK);
            if (trace->roofs != NULL) {
                trace->roof_log_lengths[i] = log10f(trace->roofs[i].turns.length_m);
            }
        }
    }
}

static rcity_status trace_ways(rcity_shadow_host *stage, rcity_grid_point3 source, rcity_shadow_host_ways *trace)
{
    RCITY_TRY(reserve(stage, trace));
    RCITY_TRY(
        rcity_canyon_trace(stage->context, &stage->tracer, source, stage->choice.order, trace->lit, &trace->canyon));
    if (stage->roofs != NULL) {
        rcity_roof_mode mode = stage->choice.roofs == RCITY_SHADOW_ROOFS_COUNT ? RCITY_ROOF_COUNT : RCITY_ROOF_STRING;
        RCITY_TRY(rcity_roofs_trace(stage->roofs, source, mode, trace->lit, trace->roofs));
    }
    if (stage->walls != NULL) {
        /* foliage weakens free lines too */
        const uint64_t *lit = trace->walls.foliage_m != NULL ? NULL : trace->lit;
        RCITY_TRY(rcity_walls_trace(stage->walls, source, lit, trace->walls.count, trace->walls.building_m,
                                    trace->walls.foliage_m));
    }
    line_work work = {trace, source};
    rcity_parallel(stage->context, stage->plane->row_count, 8, make_lines, &work);
    return RCITY_OK;
}

rcity_status rcity_shadow_host_trace(rcity_shadow_host *stage, rcity_grid_point3 source, rcity_shadow_host_ways **trace)
{
    rcity_shadow_host_ways *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(stage->context, 1, sizeof *made, "ways to receivers", &made));
    made->context = stage->context;
    made->plane = stage->plane;
    made->count = (size_t)stage->plane->row_count * (size_t)stage->plane->column_count;
    made->reaches_indoor = stage->choice.reaches_indoor;
    RCITY_TRY_DONE(trace_ways(stage, source, made));
    *trace = made;
    made = NULL;
done:
    rcity_shadow_host_ways_destroy(&made);
    return status;
}

void rcity_shadow_host_ways_destroy(rcity_shadow_host_ways **trace)
{
    if (trace == NULL || *trace == NULL) {
        return;
    }
    rcity_shadow_host_ways *old = *trace;
    rcity_release(old->context, old->walls.foliage_m);
    rcity_release(old->context, old->walls.building_m);
    rcity_release(old->context, old->walls.count);
    rcity_release(old->context, old->roof_log_lengths);
    rcity_release(old->context, old->roofs);
    rcity_canyon_deinit(old->context, &old->canyon);
    rcity_release(old->context, old->lines);
    rcity_release(old->context, old->log_lengths);
    rcity_release(old->context, old->states);
    rcity_release(old->context, old->lit);
    rcity_release(old->context, old);
    *trace = NULL;
}

void rcity_shadow_host_weigh(const rcity_shadow_host_ways *trace, const rcity_shadow_weights *weights,
                             const float *pattern, const rcity_shadow_bands *bands)
{
    rcity_shadow_ways ways = {
        .count = trace->count,
        .states = trace->states,
        .log_lengths = trace->log_lengths,
        .lines = trace->lines,
        .canyon = &trace->canyon,
        .roofs = trace->roofs,
        .roof_log_lengths = trace->roof_log_lengths,
        .walls = trace->walls,
        .reaches_indoor = trace->reaches_indoor,
    };
    rcity_shadow_weigh(trace->context, &ways, weights, pattern, bands);
}

const uint64_t *rcity_shadow_host_lit(const rcity_shadow_host_ways *trace)
{
    return trace->lit;
}

rcity_shadow_effort rcity_shadow_host_effort(const rcity_shadow_host_ways *trace)
{
    return (rcity_shadow_effort){(int64_t)trace->canyon.raster_count, (int64_t)trace->canyon.node_count,
                                 (int64_t)trace->canyon.way_count};
}
