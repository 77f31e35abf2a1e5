#include "visibility/walls/wall_counts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "embedded/wall_counts_cl.h"

static void run_clear(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    (void)job;
    memset((uint32_t *)buffers[0].out + begin, 0, (size_t)(end - begin) * sizeof(uint32_t));
}

static void run_draw(const void *job_bytes, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_count_job job;
    memcpy(&job, job_bytes, sizeof job);
    const rcity_count_source *sources = buffers[5].in;
    rcity_count_border borders[RCITY_COUNT_BLOCK];
    for (int64_t i = begin; i < end; i++) {
        int64_t index = i / rcity_count_block_count(&job);
        uint32_t *sheet = (uint32_t *)buffers[4].out + index * rcity_count_sheet_words(&job);
        rcity_count_view view = {buffers[0].in, buffers[1].in, buffers[2].in, buffers[3].in, sheet};
        uint32_t border_count = 0;
        rcity_count_job_choose(sources[index], &job);
        rcity_count_find(&job, &view, i % rcity_count_block_count(&job), 0, 1, borders, &border_count);
        rcity_count_draw(&job, &view, 0, 1, borders, border_count);
    }
}

static void run_sum(const void *job_bytes, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_count_job job;
    memcpy(&job, job_bytes, sizeof job);
    uint32_t words[2];
    for (int64_t i = begin; i < end; i++) {
        int64_t index = i / job.row_count;
        int32_t row = (int32_t)(i % job.row_count);
        const uint32_t *sheet = (const uint32_t *)buffers[0].in + index * rcity_count_sheet_words(&job);
        rcity_count_sum_lane(&job, sheet, row, 0, 1, words);
        rcity_count_write_lane(&job, sheet, row, 0, 1, words, index * job.column_count * job.row_count, buffers[1].out,
                               buffers[2].out);
    }
}

static const rcity_kernel clear_kernel = {
    .name = "rcity_wall_counts_clear",
    .source = rcity_wall_counts_cl,
    .job_bytes = sizeof(rcity_count_job),
    .buffer_count = 1,
    .buffer = {{RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)}},
    .host_run = run_clear,
};

static const rcity_kernel draw_kernel = {
    .name = "rcity_wall_counts_draw",
    .source = rcity_wall_counts_cl,
    .job_bytes = sizeof(rcity_count_job),
    .group_items = RCITY_COUNT_LANES,
    .buffer_count = 6,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_count_piece)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_count_corner)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_count_source)}},
    .host_run = run_draw,
};

static const rcity_kernel sum_kernel = {
    .name = "rcity_wall_counts_sum",
    .source = rcity_wall_counts_cl,
    .job_bytes = sizeof(rcity_count_job),
    .group_items = RCITY_COUNT_LANES,
    .buffer_count = 3,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(int32_t)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(uint32_t)}},
    .host_run = run_sum,
};

static rcity_i64 fraction_of(double at)
{
    return llround(at * (double)RCITY_COUNT_FRACTION_ONE);
}

/* The plane, its pieces and corners as the kernels read them. */
static rcity_status build(rcity_wall_counts *counts)
{
    rcity_context *context = counts->context;
    const rcity_los_plane *plane = counts->plane;
    const rcity_wall_pieces *pieces = &counts->shadows.pieces;
    size_t columns = (size_t)plane->column_count;
    size_t rows = (size_t)plane->row_count;
    const char *what = "walls";
    RCITY_TRY(rcity_alloc(context, columns + rows, sizeof *counts->places, what, &counts->places));
    RCITY_TRY(rcity_alloc(context, pieces->piece_count + 1, sizeof *counts->pieces, what, &counts->pieces));
    RCITY_TRY(rcity_alloc(context, pieces->corner_count + 1, sizeof *counts->corners, what, &counts->corners));
    memcpy(counts->places, plane->x, columns * sizeof *counts->places);
    memcpy(counts->places + columns, plane->y, rows * sizeof *counts->places);
    for (size_t i = 0; i < pieces->piece_count; i++) {
        const rcity_wall_piece *piece = &pieces->pieces[i];
        counts->pieces[i] = (rcity_count_piece){.ax = fraction_of(piece->ax),
                                                .ay = fraction_of(piece->ay),
                                                .bx = fraction_of(piece->bx),
                                                .by = fraction_of(piece->by),
                                                .px = piece->px,
                                                .py = piece->py,
                                                .ex = piece->ex,
                                                .ey = piece->ey,
                                                .low = piece->low,
                                                .high = piece->high,
                                                .is_cut = piece->is_cut};
    }
    for (size_t i = 0; i < pieces->corner_count; i++) {
        const rcity_wall_corner *corner = &pieces->corners[i];
        counts->corners[i] = (rcity_count_corner){fraction_of(corner->x), fraction_of(corner->y), corner->low,
                                                  corner->high,           corner->first,          corner->is_cut};
    }
    counts->corners[pieces->corner_count].first = (int32_t)pieces->end_count;
    return RCITY_OK;
}

static rcity_count_job make_job(const rcity_wall_counts *counts, rcity_grid_point3 source)
{
    const rcity_los_plane *plane = counts->plane;
    int32_t wide[2] = {abs(plane->x[0] - source.x), abs(plane->x[plane->column_count - 1] - source.x)};
    int32_t deep[2] = {abs(plane->y[0] - source.y), abs(plane->y[plane->row_count - 1] - source.y)};
    rcity_count_job job;
    memset(&job, 0, sizeof job);
    job.scale = source.z != plane->level ? llabs((int64_t)source.z - plane->level) : 1;
    job.whole_max = RCITY_COUNT_FAR / job.scale - 1;
    job.source_x = source.x;
    job.source_y = source.y;
    job.source_z = source.z;
    job.level = plane->level;
    job.column_count = plane->column_count;
    job.row_count = plane->row_count;
    job.row_words = (int32_t)(2 * plane->row_words);
    job.corner_count = (int32_t)counts->shadows.pieces.corner_count;
    job.piece_count = (int32_t)counts->shadows.pieces.piece_count;
    job.wide = wide[0] > wide[1] ? wide[0] : wide[1];
    job.deep = deep[0] > deep[1] ? deep[0] : deep[1];
    job.columns_per_unit = (float)(1.0 / counts->shadows.lattice.width);
    return job;
}

static rcity_status send(rcity_wall_counts *counts)
{
    rcity_context *context = counts->context;
    rcity_device *device = counts->device;
    const rcity_wall_pieces *pieces = &counts->shadows.pieces;
    const char *what = "walls";
    int64_t place_count = (int64_t)counts->plane->column_count + counts->plane->row_count;
    RCITY_TRY(rcity_resident_create(context, device, counts->places, place_count, sizeof *counts->places, what,
                                    &counts->places_dev));
    RCITY_TRY(rcity_resident_create(context, device, counts->pieces, (int64_t)pieces->piece_count + 1,
                                    sizeof *counts->pieces, what, &counts->pieces_dev));
    RCITY_TRY(rcity_resident_create(context, device, counts->corners, (int64_t)pieces->corner_count + 1,
                                    sizeof *counts->corners, what, &counts->corners_dev));
    return rcity_resident_create(context, device, pieces->ends, (int64_t)pieces->end_count, sizeof *pieces->ends, what,
                                 &counts->ends_dev);
}

rcity_status rcity_wall_counts_init(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                                    rcity_wall_counts *counts)
{
    rcity_status status;
    assert(plane->z == NULL);
    memset(counts, 0, sizeof *counts);
    counts->context = context;
    counts->device = device;
    counts->plane = plane;
    counts->ask_max = RCITY_WALL_COUNTS_ASK_MAX;
    rcity_deferred_pixels_init(context, device, sizeof(int32_t), &counts->deferred);
    RCITY_TRY_DONE(rcity_wall_shadows_init(context, plane, &counts->shadows));
    RCITY_TRY_DONE(build(counts));
    RCITY_TRY_DONE(send(counts));
done:
    if (status != RCITY_OK) {
        rcity_wall_counts_deinit(counts);
    }
    return status;
}

void rcity_wall_counts_deinit(rcity_wall_counts *counts)
{
    rcity_deferred_pixels_deinit(&counts->deferred);
    rcity_resident_destroy(&counts->sheets_dev);
    rcity_resident_destroy(&counts->sources_dev);
    rcity_resident_destroy(&counts->ends_dev);
    rcity_resident_destroy(&counts->corners_dev);
    rcity_resident_destroy(&counts->pieces_dev);
    rcity_resident_destroy(&counts->places_dev);
    rcity_release(counts->context, counts->deferred_counts);
    rcity_release(counts->context, counts->sources);
    rcity_release(counts->context, counts->corners);
    rcity_release(counts->context, counts->pieces);
    rcity_release(counts->context, counts->places);
    rcity_release(counts->context, counts->host_counts);
    rcity_wall_shadows_deinit(counts->context, &counts->shadows);
    memset(counts, 0, sizeof *counts);
}

/* Make room for several sources, and send what the kernels need to know about each. */
static rcity_status send_sources(rcity_wall_counts *counts, int source_count, const rcity_grid_point3 *sources,
                                 const rcity_count_job *plane_job)
{
    rcity_context *context = counts->context;
    const char *what = "walls on the line";
    size_t count = (size_t)source_count;
    RCITY_TRY(rcity_reserve(context, count, sizeof *counts->sources, &counts->source_capacity, what, &counts->sources));
    RCITY_TRY(rcity_reserve(context, count, sizeof *counts->deferred_counts, &counts->deferred_count_capacity, what,
                            &counts->deferred_counts));
    RCITY_TRY(rcity_resident_reserve(context, counts->device, source_count, sizeof *counts->sources, what,
                                     &counts->sources_dev));
    RCITY_TRY(rcity_resident_reserve(context, counts->device, source_count * rcity_count_sheet_words(plane_job),
                                     sizeof(uint32_t), what, &counts->sheets_dev));
    counts->source_count = source_count;
    for (int i = 0; i < source_count; i++) {
        rcity_count_job job = make_job(counts, sources[i]);
        counts->sources[i] = (rcity_count_source){job.scale,    job.whole_max, job.source_x, job.source_y,
                                                  job.source_z, job.wide,      job.deep,     {0, 0, 0}};
    }
    return rcity_resident_write(context, counts->sources_dev, 0, source_count, counts->sources);
}

rcity_status rcity_wall_counts_trace(rcity_wall_counts *counts, int source_count, const rcity_grid_point3 *sources,
                                     rcity_resident *numbers)
{
    rcity_count_job job = make_job(counts, sources[0]);
    rcity_launch launch;
    RCITY_TRY(send_sources(counts, source_count, sources, &job));
    RCITY_TRY(rcity_deferred_pixels_begin(&counts->deferred, (int64_t)source_count * job.column_count * job.row_count));
    memset(&launch, 0, sizeof launch);
    launch.kernel = &clear_kernel;
    launch.job = &job;
    launch.item_count = source_count * rcity_count_sheet_words(&job);
    launch.resident[0] = counts->sheets_dev;
    RCITY_TRY(rcity_device_run(counts->context, counts->device, &launch));
    launch.kernel = &draw_kernel;
    launch.item_count = source_count * rcity_count_block_count(&job);
    launch.local_bytes = sizeof(uint32_t);
    launch.resident[0] = counts->places_dev;
    launch.resident[1] = counts->pieces_dev;
    launch.resident[2] = counts->corners_dev;
    launch.resident[3] = counts->ends_dev;
    launch.resident[4] = counts->sheets_dev;
    launch.resident[5] = counts->sources_dev;
    RCITY_TRY(rcity_device_run(counts->context, counts->device, &launch));
    memset(&launch.resident, 0, sizeof launch.resident);
    launch.kernel = &sum_kernel;
    launch.item_count = (int64_t)source_count * job.row_count;
    launch.local_bytes = RCITY_COUNT_SUM_WORDS * sizeof(uint32_t);
    launch.resident[0] = counts->sheets_dev;
    launch.resident[1] = numbers;
    launch.resident[2] = counts->deferred.list_dev;
    return rcity_device_run(counts->context, counts->device, &launch);
}

rcity_status rcity_wall_counts_fetch(rcity_wall_counts *counts)
{
    return rcity_deferred_pixels_fetch(&counts->deferred);
}

static int64_t pixels_of(const rcity_los_plane *plane)
{
    return (int64_t)plane->column_count * plane->row_count;
}

static rcity_grid_point3 place_of(const rcity_count_source *source)
{
    return (rcity_grid_point3){source->x, source->y, source->z};
}

/* The host counts for all pixels of a source; listed pixels get their numbers. */
static rcity_status count_all(rcity_wall_counts *counts, int index, int64_t listed_count)
{
    int64_t pixel_count = pixels_of(counts->plane);
    int64_t border_count = 0;
    int64_t asked_count = 0;
    int32_t *found = counts->deferred.found;
    if (counts->host_counts == NULL) {
        RCITY_TRY(rcity_alloc(counts->context, (size_t)pixel_count, sizeof *counts->host_counts, "walls on the line",
                              &counts->host_counts));
    }
    rcity_wall_shadows_trace(counts->context, &counts->shadows, place_of(&counts->sources[index]), NULL,
                             counts->host_counts, &border_count, &asked_count);
    counts->counted_count++;
    for (int64_t i = 0; i < listed_count; i++) {
        int64_t pixel = counts->deferred.list[1 + i];
        if (pixel / pixel_count == index) {
            found[i] = counts->host_counts[pixel % pixel_count];
        }
    }
    return RCITY_OK;
}

/* An rcity_parallel_function: deferred pixels of sources that have few of them. */
static void measure_deferred(void *user, int64_t begin, int64_t end, int thread_index)
{
    const rcity_wall_counts *counts = user;
    const rcity_los_plane *plane = counts->plane;
    int32_t *found = counts->deferred.found;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        int64_t index = counts->deferred.list[1 + i] / pixels_of(plane);
        int32_t pixel = (int32_t)(counts->deferred.list[1 + i] % pixels_of(plane));
        if (counts->deferred_counts[index] <= counts->ask_max) {
            rcity_grid_point3 at =
                rcity_los_plane_pixel(plane, pixel % plane->column_count, pixel / plane->column_count);
            found[i] = rcity_wall_measure_one(plane->sight, place_of(&counts->sources[index]), at).count;
        }
    }
}

rcity_status rcity_wall_counts_decide(rcity_wall_counts *counts, rcity_resident *numbers)
{
    int64_t count = 0;
    RCITY_TRY(rcity_deferred_pixels_count(&counts->deferred, &count));
    if (count == 0) {
        return RCITY_OK;
    }
    memset(counts->deferred_counts, 0, (size_t)counts->source_count * sizeof *counts->deferred_counts);
    for (int64_t i = 0; i < count; i++) {
        counts->deferred_counts[counts->deferred.list[1 + i] / pixels_of(counts->plane)]++;
    }
    rcity_parallel(counts->context, count, 16, measure_deferred, counts);
    for (int i = 0; i < counts->source_count; i++) {
        if (counts->deferred_counts[i] > counts->ask_max) {
            RCITY_TRY(count_all(counts, i, count));
        } else {
            counts->asked_count += counts->deferred_counts[i];
        }
    }
    return rcity_deferred_pixels_put(&counts->deferred, numbers);
}
