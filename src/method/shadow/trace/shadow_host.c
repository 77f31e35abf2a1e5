/* A tracer on the host: line-of-sight rasters, corners and walls on its threads, roofs on the device. */
#include "method/shadow/trace/shadow_host.h"

#include "base/parallel.h"
#include "method/shadow/trace/shadow_arrays.h"
#include "visibility/walls/wall_raster.h"

struct rcity_shadow_host {
    rcity_context *context; /* Borrowed, as the next. */
    const rcity_los_plane *plane;
    rcity_shadow_choice choice;
    rcity_corner_tracer tracer;
    rcity_roofs *roofs;
    rcity_walls *walls;
    rcity_surroundings_node *here;  /* around each pixel; NULL: nothing is known of the surroundings */
    rcity_shadow_host_paths *spare; /* memory of a released trace, for the next one; NULL: none */
};

struct rcity_shadow_host_paths {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_shadow_host *host;
    const rcity_los_plane *plane;
    uint64_t *visible;
    rcity_shadow_arrays arrays; /* of pixels */
};

/* What lies around each pixel. */
static rcity_status look_around(rcity_shadow_host *host)
{
    const rcity_los_plane *plane = host->plane;
    size_t count = (size_t)plane->row_count * (size_t)plane->column_count;
    RCITY_TRY(rcity_alloc(host->context, count, sizeof *host->here, "surroundings", &host->here));
    for (size_t i = 0; i < count; i++) {
        int32_t x = plane->x[i % (size_t)plane->column_count];
        int32_t y = plane->y[i / (size_t)plane->column_count];
        host->here[i] = rcity_built_up_at(host->choice.built_up, x, y);
    }
    return RCITY_OK;
}

rcity_status rcity_shadow_host_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                    const rcity_shadow_choice *choice, rcity_shadow_host **host)
{
    rcity_shadow_host *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "shadows", &made));
    made->context = context;
    made->plane = plane;
    made->choice = *choice;
    RCITY_TRY_DONE(rcity_corner_tracer_init(context, plane, &made->tracer));
    if (choice->built_up != NULL) {
        RCITY_TRY_DONE(look_around(made));
    }
    if (choice->roofs != RCITY_SHADOW_ROOFS_OFF) {
        RCITY_TRY_DONE(rcity_roofs_open(context, device, plane, &made->roofs));
    }
    if (choice->walls != RCITY_SHADOW_WALLS_OFF) {
        RCITY_TRY_DONE(rcity_walls_open(context, device, plane, &made->walls));
    }
    *host = made;
    made = NULL;
done:
    rcity_shadow_host_close(&made);
    return status;
}

static void release(rcity_shadow_host_paths *paths)
{
    if (paths != NULL) {
        rcity_shadow_arrays_deinit(paths->context, &paths->arrays);
        rcity_release(paths->context, paths->visible);
        rcity_release(paths->context, paths);
    }
}

void rcity_shadow_host_close(rcity_shadow_host **host)
{
    if (host == NULL || *host == NULL) {
        return;
    }
    rcity_shadow_host *old = *host;
    release(old->spare);
    rcity_release(old->context, old->here);
    rcity_walls_close(&old->walls);
    rcity_roofs_close(&old->roofs);
    rcity_corner_tracer_deinit(old->context, &old->tracer);
    rcity_release(old->context, old);
    *host = NULL;
}

typedef struct line_work {
    rcity_shadow_host_paths *paths;
    rcity_grid_point3 source;
} line_work;

/* An rcity_parallel_function: the straight lines, row by row. */
static void make_lines(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const line_work *work = user;
    const rcity_los_plane *plane = work->paths->plane;
    const rcity_built_up *built_up = work->paths->host->choice.built_up;
    const float unit_m = 1.0f / (float)plane->shapes->units_per_m;
    for (int32_t row = (int32_t)begin; row < end; row++) {
        for (int32_t column = 0; column < plane->column_count; column++) {
            size_t i = (size_t)row * (size_t)plane->column_count + (size_t)column;
            bool is_indoors = rcity_los_plane_bit(plane, plane->indoors, column, row);
            bool is_visible = rcity_los_plane_bit(plane, work->paths->visible, column, row);
            rcity_grid_point3 at = rcity_los_plane_pixel(plane, column, row);
            if (built_up != NULL) {
                rcity_shadow_arrays_set_built(&work->paths->arrays, built_up, i, at);
            }
            rcity_shadow_arrays_set_line(&work->paths->arrays, i, unit_m, work->source, at,
                                         is_indoors   ? RCITY_SHADOW_INDOORS
                                         : is_visible ? RCITY_SHADOW_VISIBLE
                                                      : RCITY_SHADOW_HIDDEN);
        }
    }
}

static rcity_status reserve(const rcity_shadow_host *host, rcity_shadow_host_paths *paths)
{
    const rcity_los_plane *plane = host->plane;
    RCITY_TRY(rcity_alloc(host->context, plane->row_words * (size_t)plane->row_count, sizeof *paths->visible,
                          "paths to receivers", &paths->visible));
    return rcity_shadow_arrays_init(host->context, &host->choice,
                                    (size_t)plane->row_count * (size_t)plane->column_count, &paths->arrays);
}

static rcity_status trace_paths(rcity_shadow_host *host, rcity_grid_point3 source, rcity_shadow_host_paths *paths)
{
    const rcity_los_plane *plane = host->plane;
    rcity_shadow_arrays *arrays = &paths->arrays;
    rcity_shadow_arrays_begin(host->context, plane->shapes, &host->choice, source, arrays);
    RCITY_TRY(rcity_corner_tracer_trace(host->context, &host->tracer, source, host->choice.order, paths->visible,
                                        &arrays->corner_paths));
    if (host->roofs != NULL) {
        rcity_roof_mode mode = host->choice.roofs == RCITY_SHADOW_ROOFS_COUNT ? RCITY_ROOF_COUNT : RCITY_ROOF_EDGES;
        RCITY_TRY(rcity_roofs_trace(host->roofs, source, mode, paths->visible, arrays->roofs));
    }
    if (host->walls != NULL) {
        /* foliage weakens free lines too */
        const uint64_t *visible = arrays->walls.foliage_m != NULL ? NULL : paths->visible;
        RCITY_TRY(rcity_walls_trace(host->walls, source, visible, arrays->walls.count, arrays->walls.building_m,
                                    arrays->walls.foliage_m));
    }
    line_work work = {paths, source};
    rcity_parallel(host->context, plane->row_count, 8, make_lines, &work);
    return RCITY_OK;
}

/* Every element is written again, so the memory of the last trace can be reused. */
rcity_status rcity_shadow_host_trace(rcity_shadow_host *host, rcity_grid_point3 source, rcity_shadow_host_paths **trace)
{
    rcity_shadow_host_paths *made = host->spare;
    rcity_status status;
    host->spare = NULL;
    if (made == NULL) {
        RCITY_TRY(rcity_alloc(host->context, 1, sizeof *made, "paths to receivers", &made));
        made->context = host->context;
        made->host = host;
        made->plane = host->plane;
        RCITY_TRY_DONE(reserve(host, made));
    }
    RCITY_TRY_DONE(trace_paths(host, source, made));
    *trace = made;
    made = NULL;
done:
    release(made);
    return status;
}

void rcity_shadow_host_paths_destroy(rcity_shadow_host_paths **trace)
{
    if (trace == NULL || *trace == NULL) {
        return;
    }
    rcity_shadow_host *host = (*trace)->host;
    release(host->spare);
    host->spare = *trace;
    *trace = NULL;
}

rcity_status rcity_shadow_host_weigh(const rcity_shadow_host_paths *trace, const rcity_shadow_weights *weights,
                                     const float *pattern, const rcity_shadow_bands *bands)
{
    rcity_shadow_paths paths = rcity_shadow_arrays_paths(&trace->arrays, trace->host->here);
    return rcity_shadow_weigh(trace->context, &paths, weights, pattern, bands);
}

const uint64_t *rcity_shadow_host_visible(const rcity_shadow_host_paths *trace)
{
    return trace->visible;
}

rcity_shadow_effort rcity_shadow_host_effort(const rcity_shadow_host_paths *trace)
{
    const rcity_corner_paths *corner_paths = &trace->arrays.corner_paths;
    return (rcity_shadow_effort){(int64_t)corner_paths->raster_count, (int64_t)corner_paths->node_count,
                                 (int64_t)corner_paths->path_count};
}
