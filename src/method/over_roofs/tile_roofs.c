/* Paths over roofs: the kernel on a device, the same on the host, and the few targets that a device defers. */
#define RCITY_ROOF_EDGE_MAX 1024 /* on the host */

#include "method/over_roofs/tile_roofs.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "embedded/tile_roofs_cl.h"
#include "kernel/tiles/roofs/tile_roof_item.h"
#include "kernel/visibility/roofs/roof_clearance.h"
#include "kernel/wave/knife_edge.h"
#include "visibility/los/los_plane.h"
#include "visibility/roofs/roof_map.h"

#define HINT_MAX       32                       /* walls that a target passes on to the next */
#define LOCATE_ITEMS   (1 << 10)                /* targets that a thread locates at a time */
#define DECIDE_ITEMS   (1 << 12)                /* and checks */
#define CLEAR_ITEMS    (1 << 9)                 /* free lines that it follows */
#define NEAR_V         (-RCITY_KNIFE_EDGE_FREE) /* an edge that clears the straight ray by -v takes nothing */
#define RESIDENT_COUNT 6
#define RESIDENT_FIRST 2

struct rcity_tile_roofs {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;
    const rcity_sight *sight;
    rcity_roof_map map;
    int64_t target_count;
    rcity_tile_roof_place *targets;
    rcity_resident *resident[RESIDENT_COUNT];
};

/* The walls that the last path went over: the next one mostly goes over the same. They change the time, never the
   path. */
typedef struct roof_hints {
    int32_t wall[HINT_MAX];
    int count;
} roof_hints;

RCITY_WIDE static float screens_power(const rcity_roof_screens *screens)
{
    return rcity_roof_screens_power(screens);
}

/* As rcity_tile_roof_run(), with hints. */
static rcity_tile_roof_path run_target(const rcity_roof_view *view, const rcity_tile_roof_job *job,
                                       rcity_tile_roof_place target, roof_hints *hints, rcity_tile_roof_work *work)
{
    if (rcity_tile_roof_is_out(job, target)) {
        return rcity_tile_roof_none();
    }
    rcity_tile_roof_begin(view, job, target, work);
    rcity_roof_hints_take(view, &work->line, hints->wall, hints->count, &work->hull);
    rcity_tile_roof_walk(view, job, target, 0, work);
    hints->count = rcity_roof_hints_leave(&work->hull, HINT_MAX, hints->wall);
    rcity_tile_roof_path path = rcity_tile_roof_lay_out(view, job, work);
    path.excess_db = rcity_tile_roof_excess_db(work, screens_power(&work->screens));
    return path;
}

static rcity_roof_view make_view(const rcity_tile_roof_job *job, const rcity_launch_buffer *buffers)
{
    return (rcity_roof_view){.map = job->map,
                             .level_shift = job->level_shift,
                             .patch_first = job->patch_first,
                             .levels = buffers[RESIDENT_FIRST + 1].in,
                             .first = buffers[RESIDENT_FIRST + 2].in,
                             .walls = buffers[RESIDENT_FIRST + 3].in,
                             .corners = buffers[RESIDENT_FIRST + 4].in,
                             .ground = buffers[RESIDENT_FIRST + 5].in};
}

static void run_targets(const void *job_bytes, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_tile_roof_job job;
    memcpy(&job, job_bytes, sizeof job);
    rcity_roof_view view = make_view(&job, buffers);
    rcity_tile_roof_path *paths = buffers[0].out;
    const int32_t *list = buffers[1].in;
    const rcity_tile_roof_place *targets = buffers[RESIDENT_FIRST].in;
    rcity_tile_roof_work work;
    roof_hints hints = {{0}, 0};
    for (int64_t i = begin; i < end; i++) {
        rcity_tile_roof_place target = rcity_tile_roof_ends(&job, list, targets, i);
        paths[i] = run_target(&view, &job, target, &hints, &work);
    }
}

/* One item a target. */
static const rcity_kernel tile_roofs_kernel = {
    .name = "rcity_tile_roof_targets",
    .source = rcity_tile_roofs_cl,
    .job_bytes = sizeof(rcity_tile_roof_job),
    .buffer_count = RESIDENT_FIRST + RESIDENT_COUNT,
    .buffer = {{RCITY_BUFFER_ITEM_OUT, sizeof(rcity_tile_roof_path)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_tile_roof_place)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint16_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_sight_wall)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_roof_corner)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)}},
    .host_run = run_targets,
};

static rcity_tile_roof_place locate(const rcity_sight *sight, rcity_tile_place at)
{
    rcity_place where = rcity_los_locate(sight, (rcity_grid_point3){at.x, at.y, at.z});
    int32_t kind = where == RCITY_PLACE_INSIDE    ? RCITY_TILE_ROOF_COVERED
                   : where == RCITY_PLACE_ON_WALL ? RCITY_TILE_ROOF_ON_WALL
                                                  : RCITY_TILE_ROOF_FREE;
    return (rcity_tile_roof_place){at.x, at.y, at.z, kind};
}

/* Targets to be located. */
typedef struct locate_work {
    const rcity_tile_roofs *roofs;
    const rcity_tile_place *targets;
} locate_work;

/* An rcity_parallel_function. */
static void locate_targets(void *user, int64_t begin, int64_t end, int thread_index)
{
    const locate_work *work = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        work->roofs->targets[i] = locate(work->roofs->sight, work->targets[i]);
    }
}

static rcity_status send(rcity_tile_roofs *roofs)
{
    const struct {
        const void *data;
        int64_t count;
    } kept[RESIDENT_COUNT] = {
        {roofs->targets, roofs->target_count},         {roofs->map.levels, roofs->map.level_count},
        {roofs->map.first, roofs->map.cell_count + 1}, {roofs->map.walls, roofs->map.wall_count},
        {roofs->map.corners, roofs->map.wall_count},   {roofs->sight->ground, roofs->sight->ground_count},
    };
    for (int i = 0; i < RESIDENT_COUNT; i++) {
        RCITY_TRY(rcity_resident_create(roofs->context, roofs->device, kept[i].data, kept[i].count,
                                        tile_roofs_kernel.buffer[RESIDENT_FIRST + i].element_bytes, "paths over roofs",
                                        &roofs->resident[i]));
    }
    return RCITY_OK;
}

rcity_status rcity_tile_roofs_open(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                   int64_t target_count, const rcity_tile_place *targets, rcity_tile_roofs **roofs)
{
    rcity_tile_roofs *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "paths over roofs", &made));
    made->context = context;
    made->device = device;
    made->sight = sight;
    made->target_count = target_count;
    RCITY_TRY_DONE(rcity_roof_map_init(context, sight, &made->map));
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)target_count + 1, sizeof *made->targets, "paths over roofs", &made->targets));
    locate_work work = {made, targets};
    rcity_parallel(context, target_count, LOCATE_ITEMS, locate_targets, &work);
    RCITY_TRY_DONE(send(made));
    *roofs = made;
    made = NULL;
done:
    rcity_tile_roofs_close(&made);
    return status;
}

void rcity_tile_roofs_close(rcity_tile_roofs **roofs)
{
    if (roofs == NULL || *roofs == NULL) {
        return;
    }
    for (int i = 0; i < RESIDENT_COUNT; i++) {
        rcity_resident_destroy(&(*roofs)->resident[i]);
    }
    rcity_release((*roofs)->context, (*roofs)->targets);
    rcity_roof_map_deinit((*roofs)->context, &(*roofs)->map);
    rcity_release((*roofs)->context, *roofs);
    *roofs = NULL;
}

/* Targets that a device has deferred. */
typedef struct decide_work {
    const rcity_tile_roofs *roofs;
    const rcity_tile_roof_job *job;
    const int32_t *list;
    rcity_tile_roof_path *paths;
    atomic_int_fast64_t bad; /* the first with more edges than the host has room for */
} decide_work;

/* An rcity_parallel_function. */
static void decide_targets(void *user, int64_t begin, int64_t end, int thread_index)
{
    decide_work *work = user;
    rcity_tile_roof_work memory;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        if (!(work->paths[i].length_m < 0.0f)) {
            continue;
        }
        roof_hints hints = {{0}, 0};
        rcity_tile_roof_job job = *work->job;
        rcity_tile_roof_place target = rcity_tile_roof_ends(&job, work->list, work->roofs->targets, i);
        work->paths[i] = run_target(&work->roofs->map.view, &job, target, &hints, &memory);
        int_fast64_t first = atomic_load(&work->bad);
        while (work->paths[i].length_m < 0.0f && i < first && !atomic_compare_exchange_weak(&work->bad, &first, i)) {
        }
    }
}

static rcity_status decide(rcity_context *context, const rcity_tile_roofs *roofs, const rcity_tile_roof_job *job,
                           int64_t count, const int32_t *list, rcity_tile_roof_path *paths)
{
    decide_work work = {.roofs = roofs, .job = job, .list = list, .paths = paths};
    atomic_init(&work.bad, count);
    rcity_parallel(context, count, DECIDE_ITEMS, decide_targets, &work);
    int64_t bad = atomic_load(&work.bad);
    int64_t target = list == NULL                                 ? bad
                     : job->listing == RCITY_TILE_ROOF_LIST_PAIRS ? list[2 * (bad < count ? bad : 0) + 1]
                                                                  : list[bad < count ? bad : 0];
    RCITY_CHECK(context, bad == count, RCITY_ERR_UNSUPPORTED,
                "the path over roofs and hills to target %lld has more than %d diffracting edges; give the terrain a "
                "wider cell",
                (long long)target + 1, RCITY_ROOF_EDGE_MAX - 2);
    return RCITY_OK;
}

static rcity_tile_roof_job make_job(const rcity_tile_roofs *roofs, double wavelength_m, double range_m, int listing)
{
    rcity_tile_roof_job job;
    memset(&job, 0, sizeof job);
    job.map = roofs->map.view.map;
    job.level_shift = roofs->map.view.level_shift;
    job.patch_first = roofs->map.view.patch_first;
    job.unit_m = 1.0f / (float)roofs->sight->shapes->units_per_m;
    job.height_unit_m = 1.0f / (float)RCITY_HEIGHT_UNITS_PER_M;
    job.wavelength_m = (float)wavelength_m;
    job.range_m = (float)range_m;
    job.listing = listing;
    return job;
}

/* The paths of `count` items; of the list there are `list_count` numbers. */
static rcity_status find(rcity_context *context, const rcity_tile_roofs *roofs, const rcity_tile_roof_job *job,
                         int64_t count, const int32_t *list, int64_t list_count, rcity_tile_roof_path *paths)
{
    static const int32_t no_list = 0;
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &tile_roofs_kernel;
    launch.job = job;
    launch.item_count = count;
    launch.buffer[0].out = paths;
    launch.buffer[1].in = list != NULL ? list : &no_list;
    launch.shared_count[1] = list != NULL ? list_count : 1;
    for (int i = 0; i < RESIDENT_COUNT; i++) {
        launch.resident[RESIDENT_FIRST + i] = roofs->resident[i];
    }
    RCITY_TRY(rcity_device_run(context, roofs->device, &launch));
    return decide(context, roofs, job, count, list, paths);
}

rcity_status rcity_tile_roofs_find(rcity_context *context, const rcity_tile_roofs *roofs, rcity_tile_place source,
                                   double wavelength_m, double range_m, int64_t count, const int32_t *list,
                                   rcity_tile_roof_path *paths)
{
    assert(list != NULL || count == roofs->target_count);
    rcity_tile_roof_job job =
        make_job(roofs, wavelength_m, range_m, list != NULL ? RCITY_TILE_ROOF_LIST_TARGETS : RCITY_TILE_ROOF_LIST_NONE);
    job.source = locate(roofs->sight, source);
    return find(context, roofs, &job, count, list, count, paths);
}

rcity_status rcity_tile_roofs_find_pairs(rcity_context *context, const rcity_tile_roofs *roofs, double wavelength_m,
                                         double range_m, int64_t count, const rcity_tile_roof_pair *pairs,
                                         rcity_tile_roof_path *paths)
{
    rcity_tile_roof_job job = make_job(roofs, wavelength_m, range_m, RCITY_TILE_ROOF_LIST_PAIRS);
    return count > 0 ? find(context, roofs, &job, count, &pairs[0].source, 2 * count, paths) : RCITY_OK;
}

/* Free lines from a source. */
typedef struct clear_work {
    const rcity_tile_roofs *roofs;
    rcity_tile_place source;
    float root; /* of the wavelength */
    const int32_t *list;
    float *left, *bare_db;
} clear_work;

/* An rcity_parallel_function. */
static void clear_targets(void *user, int64_t begin, int64_t end, int thread_index)
{
    const clear_work *work = user;
    const rcity_tile_roofs *roofs = work->roofs;
    float unit_m = 1.0f / (float)roofs->sight->shapes->units_per_m;
    float height_unit_m = 1.0f / (float)RCITY_HEIGHT_UNITS_PER_M;
    float near_root_m = NEAR_V * work->root;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_tile_roof_place at = roofs->targets[work->list[i]];
        rcity_sight_segment segment = {work->source.x, work->source.y, work->source.z, at.x, at.y, at.z};
        rcity_roof_line line = rcity_roof_line_make(segment);
        rcity_roof_scale scale = rcity_roof_scale_make(&line, unit_m, height_unit_m);
        float root_m = -near_root_m;
        float ground_root_m = RCITY_ROOF_BARE_CLEAR_ROOT_M;
        if (line.length > 0 && (float)line.end * scale.place_m > 0.0f) {
            rcity_roof_clearance clearance =
                rcity_roof_clearance_find(&roofs->map.view, &line, scale, unit_m, height_unit_m, near_root_m);
            root_m = clearance.root_m;
            if (clearance.ground_root_m > -near_root_m) {
                ground_root_m = clearance.ground_root_m;
            }
        }
        work->left[i] = powf(10.0f, -0.1f * rcity_knife_edge_loss_db(root_m / work->root));
        work->bare_db[i] = rcity_surroundings_edge_db(ground_root_m, 1.0f / work->root);
    }
}

void rcity_tile_roofs_leave(rcity_context *context, const rcity_tile_roofs *roofs, rcity_tile_place source,
                            float wavelength_m, int64_t count, const int32_t *list, float *left, float *bare_db)
{
    clear_work work = {roofs, source, sqrtf(wavelength_m), list, left, bare_db};
    rcity_parallel(context, count, CLEAR_ITEMS, clear_targets, &work);
}
