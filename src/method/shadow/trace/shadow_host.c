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

#define PIECE_ROWS 8 /* that a thread takes at a time */

/* An rcity_parallel_function: what lies around each pixel, row by row. */
static void look_around_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    rcity_shadow_host *host = user;
    const rcity_los_plane *plane = host->plane;
    for (int64_t row = begin; row < end; row++) {
        rcity_surroundings_node *here = host->here + (size_t)row * (size_t)plane->column_count;
        for (int32_t column = 0; column < plane->column_count; column++) {
            here[column] = rcity_built_up_at(host->choice.built_up, plane->x[column], plane->y[row]);
        }
    }
}

static rcity_status look_around(rcity_shadow_host *host)
{
    const rcity_los_plane *plane = host->plane;
    size_t count = (size_t)plane->row_count * (size_t)plane->column_count;
    RCITY_TRY(rcity_alloc(host->context, count, sizeof *host->here, "surroundings", &host->here));
    rcity_parallel(host->context, plane->row_count, PIECE_ROWS, look_around_rows, host);
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

#define CHUNK_PIXELS 128

/* The straight lines to pixels of a row, from `first` on. */
static void make_chunk(const line_work *work, int32_t row, int32_t first, int32_t count)
{
    const rcity_los_plane *plane = work->paths->plane;
    const rcity_built_up *built_up = work->paths->host->choice.built_up;
    rcity_shadow_arrays *arrays = &work->paths->arrays;
    size_t first_pixel = (size_t)row * (size_t)plane->column_count + (size_t)first;
    rcity_grid_point3 places[CHUNK_PIXELS];
    for (int32_t i = 0; i < count; i++) {
        bool is_indoors = rcity_los_plane_bit(plane, plane->indoors, first + i, row);
        bool is_visible = rcity_los_plane_bit(plane, work->paths->visible, first + i, row);
        places[i] = rcity_los_plane_pixel(plane, first + i, row);
        arrays->states[first_pixel + (size_t)i] = is_indoors   ? RCITY_SHADOW_INDOORS
                                                  : is_visible ? RCITY_SHADOW_VISIBLE
                                                               : RCITY_SHADOW_HIDDEN;
    }
    for (int32_t i = 0; i < count && built_up != NULL; i++) {
        rcity_shadow_arrays_set_built(arrays, built_up, first_pixel + (size_t)i, places[i]);
    }
    rcity_shadow_arrays_set_lines(arrays, 1.0f / (float)plane->shapes->units_per_m, work->source, first_pixel,
                                  (size_t)count, places);
}

/* An rcity_parallel_function: the straight lines, row by row. */
static void make_lines(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const line_work *work = user;
    int32_t column_count = work->paths->plane->column_count;
    for (int32_t row = (int32_t)begin; row < end; row++) {
        for (int32_t first = 0; first < column_count; first += CHUNK_PIXELS) {
            int32_t left = column_count - first;
            make_chunk(work, row, first, left < CHUNK_PIXELS ? left : CHUNK_PIXELS);
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
    rcity_parallel(host->context, plane->row_count, PIECE_ROWS, make_lines, &work);
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
