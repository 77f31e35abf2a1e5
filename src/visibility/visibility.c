/* The public interface to lines of sight: points in metres go in, answers and metres come out. */
#include "radiocity/sight.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/abi.h"
#include "base/parallel.h"
#include "visibility/sight_batch.h"

/* Segments processed at a time: enough for any device, few enough to keep the memory small. */
#define CHUNK_ITEMS ((int64_t)1 << 20)
#define SNAP_ITEMS  4096

struct rcity_visibility {
    rcity_context *context; /* Borrowed, as the next two. */
    const rcity_shapes *shapes;
    rcity_device *device;
    rcity_sight *sight, *trees;
    rcity_sight_batch *batch;
};

const char *rcity_hit_kind_name(rcity_hit_kind kind)
{
    switch (kind) {
#define RCITY_HIT_CASE(value, name)                                                                                    \
    case value:                                                                                                        \
        return name;
        RCITY_HIT_LIST(RCITY_HIT_CASE)
#undef RCITY_HIT_CASE
    case RCITY_HIT_KIND_COUNT:
        break;
    }
    return NULL;
}

rcity_status rcity_visibility_open(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                   rcity_visibility **visibility)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, device);
    RCITY_NEED(context, visibility);
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    RCITY_CHECK(context, shapes != NULL, RCITY_ERR_STATE, "the scene is not committed yet");
    rcity_visibility *made = NULL;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "lines of sight", &made));
    made->context = context;
    made->shapes = shapes;
    made->device = device;
    rcity_status status;
    RCITY_TRY_DONE(rcity_sight_create(context, shapes, &made->sight));
    RCITY_TRY_DONE(rcity_sight_create_trees(context, shapes, &made->trees));
    RCITY_TRY_DONE(rcity_sight_batch_open(context, device, made->sight, made->trees, &made->batch));
    *visibility = made;
    made = NULL;
done:
    rcity_visibility_close(&made);
    return status;
}

void rcity_visibility_close(rcity_visibility **visibility)
{
    if (visibility == NULL || *visibility == NULL) {
        return;
    }
    rcity_context *context = (*visibility)->context;
    rcity_sight_batch_close(&(*visibility)->batch);
    rcity_sight_destroy(context, &(*visibility)->trees);
    rcity_sight_destroy(context, &(*visibility)->sight);
    rcity_release(context, *visibility);
    *visibility = NULL;
}

/* Points being snapped to the grid. */
typedef struct snap_work {
    const rcity_shapes *shapes;
    const rcity_point *from, *to;
    rcity_sight_segment *segments;
    atomic_int_fast64_t bad; /* the first segment with a point that does not fit */
} snap_work;

/* An rcity_parallel_function. */
static void snap_segments(void *user, int64_t begin, int64_t end, int thread_index)
{
    snap_work *work = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_grid_point3 a;
        rcity_grid_point3 b;
        if (rcity_shapes_snap(NULL, work->shapes, &work->from[i], &a) != RCITY_OK ||
            rcity_shapes_snap(NULL, work->shapes, &work->to[i], &b) != RCITY_OK) {
            int_fast64_t bad = atomic_load(&work->bad);
            while (i < bad && !atomic_compare_exchange_weak(&work->bad, &bad, i)) {
            }
            return;
        }
        rcity_sight_segment segment = {a.x, a.y, a.z, b.x, b.y, b.z};
        work->segments[i] = segment;
    }
}

/* Snap the points of one chunk, from `begin` on; a failure names the first that does not fit. */
static rcity_status snap_chunk(const rcity_visibility *visibility, const rcity_point *from, const rcity_point *to,
                               int64_t begin, int64_t count, rcity_sight_segment *segments)
{
    rcity_context *context = visibility->context;
    snap_work work = {visibility->shapes, from + begin, to + begin, segments, 0};
    atomic_init(&work.bad, count);
    rcity_parallel(context, count, SNAP_ITEMS, snap_segments, &work);
    int64_t bad = atomic_load(&work.bad);
    if (bad < count) {
        rcity_grid_point3 unused;
        rcity_status status = rcity_shapes_snap(context, visibility->shapes, &work.from[bad], &unused);
        if (status == RCITY_OK) {
            status = rcity_shapes_snap(context, visibility->shapes, &work.to[bad], &unused);
        }
        return rcity_fail_prefix(context, status, "line %lld: ", (long long)begin + bad);
    }
    return RCITY_OK;
}

static void fill_measure(const rcity_visibility *visibility, rcity_sight_segment segment,
                         const rcity_sight_measure *found, rcity_line_measure *measure)
{
    const rcity_shapes *shapes = visibility->shapes;
    double dx_m = ((double)segment.bx - segment.ax) / shapes->units_per_m;
    double dy_m = ((double)segment.by - segment.ay) / shapes->units_per_m;
    double dz_m = ((double)segment.bz - segment.az) / RCITY_HEIGHT_UNITS_PER_M;
    measure->length_m = sqrt(dx_m * dx_m + dy_m * dy_m + dz_m * dz_m);
    measure->hit_kind = (rcity_hit_kind)found->hit.kind;
    measure->hit_m = found->hit.kind != RCITY_SIGHT_HIT_NONE ? (double)found->hit.at * measure->length_m : (double)NAN;
    measure->building_id = 0;
    if (found->hit.wall >= 0) {
        int32_t prism = visibility->sight->wall_prism[found->hit.wall];
        measure->building_id = shapes->buildings[shapes->prisms[prism].building].id;
    }
    measure->wall_count = found->wall_count;
    measure->buildings_m = (double)found->in_buildings * measure->length_m;
    measure->foliage_m = (double)found->in_foliage * measure->length_m;
}

/* What is asked about lines, one of the two; measures have the size that the caller knows. */
typedef struct line_output {
    bool *is_free;
    char *measures;
    size_t measure_bytes;
} line_output;

static rcity_status check_lines(const rcity_visibility *visibility, int64_t count, const rcity_point *from,
                                const rcity_point *to)
{
    RCITY_NEED_SOME(visibility->context, from, count);
    RCITY_NEED_SOME(visibility->context, to, count);
    return RCITY_OK;
}

/* Chunk by chunk. */
static rcity_status run_chunks(rcity_visibility *visibility, int64_t count, const rcity_point *from,
                               const rcity_point *to, const line_output *output)
{
    bool *is_free = output->is_free;
    rcity_context *context = visibility->context;
    size_t room = (size_t)(count < CHUNK_ITEMS ? count : CHUNK_ITEMS);
    size_t out_bytes = is_free != NULL ? sizeof(uint8_t) : sizeof(rcity_sight_measure);
    rcity_sight_segment *segments = NULL;
    void *out = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *segments, "lines of sight", &segments));
    RCITY_TRY_DONE(rcity_alloc(context, room, out_bytes, "lines of sight", &out));
    for (int64_t begin = 0; begin < count; begin += CHUNK_ITEMS) {
        int64_t items = count - begin < CHUNK_ITEMS ? count - begin : CHUNK_ITEMS;
        RCITY_TRY_DONE(snap_chunk(visibility, from, to, begin, items, segments));
        if (is_free != NULL) {
            const uint8_t *answers = out;
            RCITY_TRY_DONE(rcity_sight_batch_test(visibility->batch, items, segments, out));
            for (int64_t i = 0; i < items; i++) {
                is_free[begin + i] = answers[i] != 0;
            }
        } else {
            const rcity_sight_measure *found = out;
            RCITY_TRY_DONE(rcity_sight_batch_measure(visibility->batch, items, segments, out));
            for (int64_t i = 0; i < items; i++) {
                rcity_line_measure made;
                fill_measure(visibility, segments[i], &found[i], &made);
                memcpy(output->measures + (size_t)(begin + i) * output->measure_bytes, &made, output->measure_bytes);
            }
        }
        RCITY_TRY_DONE(rcity_progress(context, "lines of sight", (double)(begin + items), (double)count));
    }
done:
    rcity_release(context, out);
    rcity_release(context, segments);
    return status;
}

rcity_status rcity_visibility_test(rcity_visibility *visibility, int64_t count, const rcity_point *from,
                                   const rcity_point *to, bool *is_free)
{
    RCITY_NEED(NULL, visibility);
    RCITY_TRY(check_lines(visibility, count, from, to));
    RCITY_NEED_SOME(visibility->context, is_free, count);
    const line_output output = {.is_free = is_free};
    return count > 0 ? run_chunks(visibility, count, from, to, &output) : RCITY_OK;
}

rcity_status rcity_visibility_measure_sized(rcity_visibility *visibility, int64_t count, const rcity_point *from,
                                            const rcity_point *to, size_t measure_bytes, rcity_line_measure *measures)
{
    RCITY_NEED(NULL, visibility);
    RCITY_TRY(check_lines(visibility, count, from, to));
    RCITY_NEED_SOME(visibility->context, measures, count);
    RCITY_CHECK_BYTES(visibility->context, rcity_line_measure, measure_bytes);
    const line_output output = {.measures = (char *)measures, .measure_bytes = measure_bytes};
    return count > 0 ? run_chunks(visibility, count, from, to, &output) : RCITY_OK;
}

rcity_status rcity_scene_test_segments(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                       int64_t count, const rcity_point *from, const rcity_point *to, bool *is_free)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, device);
    rcity_visibility *visibility = NULL;
    RCITY_TRY(rcity_visibility_open(context, scene, device, &visibility));
    rcity_status status = rcity_visibility_test(visibility, count, from, to, is_free);
    rcity_visibility_close(&visibility);
    return status;
}
