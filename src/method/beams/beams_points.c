/* Levels at points: the paths that `images` finds along the routes of beams, summed up as in maps. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "method/beams/beams.h"
#include "method/beams/beams_levels.h"
#include "method/images/images_paths.h"
#include "method/images/images_receivers.h"
#include "method/link_ends.h"
#include "method/path_ends.h"

/* Working memory of a thread. */
typedef struct point_worker {
    rcity_path_finder finder;
    rcity_found_paths found;
    rcity_beams_sums sums;
} point_worker;

typedef struct point_run {
    const rcity_beams_levels *levels;
    rcity_tile_roof_path *over;
    point_worker *workers;
    rcity_beams_point_listener listener;
    void *user;
    atomic_llong done;
    atomic_int status; /* the first failure of any thread */
} point_run;

static bool is_near(const rcity_beams_levels *levels, const rcity_point *position)
{
    const rcity_point *from = &levels->position;
    return hypot(hypot(position->x_m - from->x_m, position->y_m - from->y_m), position->z_m - from->z_m) <
           levels->traced->images.world.wavelength_m;
}

static rcity_status sum_point(const point_run *run, point_worker *own, int64_t open)
{
    const rcity_beams_levels *levels = run->levels;
    const rcity_beams_traced *traced = levels->traced;
    const rcity_open_receivers *receivers = &traced->prepared->around.receivers;
    const rcity_shapes *shapes = levels->job->shapes;
    int64_t point = receivers->number[open];
    const rcity_point *position = &receivers->positions[point];
    if (is_near(levels, position)) {
        return RCITY_OK;
    }
    rcity_place3 at = {position->x_m - shapes->origin_x_m, position->y_m - shapes->origin_y_m, position->z_m};
    at = rcity_path_end_in_air(&traced->images.world, &traced->prepared->images->prism_index, at);
    RCITY_TRY(
        rcity_path_finder_run(levels->job->context, &traced->images.search, false, at, &own->finder, &own->found));
    const rcity_ray_event *events = own->found.events;
    for (size_t i = 0; i < own->found.path_count; i++) {
        RCITY_TRY(rcity_beams_sums_add_found(&own->sums, &own->found.paths[i], events));
        events += own->found.paths[i].event_count;
    }
    rcity_beams_point made = {.number = point};
    made.link = rcity_beams_levels_link(levels, position, &run->over[point]);
    RCITY_TRY(rcity_beams_levels_close(levels, &made.link, &own->sums, &made.level, &made.form));
    made.path_count = own->sums.closed_count;
    made.paths = own->sums.items;
    return run->listener(run->user, &made);
}

/* An rcity_parallel_function over the open points. */
static void sum_points(void *user, int64_t begin, int64_t end, int thread_index)
{
    point_run *run = user;
    const rcity_beams_levels *levels = run->levels;
    for (int64_t i = begin; i < end && atomic_load(&run->status) == RCITY_OK; i++) {
        rcity_status status = sum_point(run, &run->workers[thread_index], i);
        long long done = atomic_fetch_add(&run->done, 1) + 1;
        if (status == RCITY_OK && thread_index == 0) { /* the caller's thread */
            status = rcity_progress(levels->job->context, "receivers", (double)done,
                                    (double)levels->traced->prepared->around.receivers.open_count);
        }
        int none = RCITY_OK;
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&run->status, &none, (int)status);
        }
    }
}

rcity_status rcity_beams_points_list(const rcity_beams_levels *levels, rcity_beams_point_listener listener, void *user)
{
    const rcity_beams_traced *traced = levels->traced;
    rcity_context *context = levels->job->context;
    int64_t point_count = levels->job->receivers->point_count;
    int thread_count = rcity_context_thread_count(context);
    point_run run = {.levels = levels, .listener = listener, .user = user};
    rcity_status status;
    atomic_init(&run.done, 0);
    atomic_init(&run.status, RCITY_OK);
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)point_count + 1, sizeof *run.over, "paths over roofs", &run.over));
    RCITY_TRY_DONE(rcity_beams_levels_go_over(levels, 0, point_count, run.over));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)thread_count, sizeof *run.workers, "beams", &run.workers));
    for (int i = 0; i < thread_count; i++) {
        point_worker *own = &run.workers[i];
        own->sums.context = context;
        own->sums.world = &traced->images.world;
        own->sums.ends = &levels->ends;
        own->sums.rules = &levels->rules;
        RCITY_TRY_DONE(rcity_path_finder_init(context, &traced->images.search, &own->finder));
    }
    rcity_parallel(context, traced->prepared->around.receivers.open_count, 1, sum_points, &run);
    status = (rcity_status)atomic_load(&run.status);
done:
    for (int i = 0; run.workers != NULL && i < thread_count; i++) {
        point_worker *own = &run.workers[i];
        own->sums.context = context;
        rcity_beams_sums_deinit(&own->sums);
        rcity_release(context, own->found.paths);
        rcity_release(context, own->found.events);
        rcity_path_finder_deinit(context, &own->finder);
    }
    rcity_release(context, run.workers);
    rcity_release(context, run.over);
    return status;
}

/* Where levels of points go. */
typedef struct point_target {
    const rcity_point_levels *levels;
    double input_dbm;
} point_target;

/* An rcity_beams_point_listener. */
static rcity_status take_level(void *user, const rcity_beams_point *point)
{
    const point_target *target = user;
    const rcity_beams_level *level = &point->level;
    target->levels->loss_db[point->number] = rcity_images_value(-10.0 * log10(level->isotropic_gain));
    if (target->levels->received_dbm != NULL) {
        target->levels->received_dbm[point->number] = rcity_images_value(target->input_dbm + 10.0 * log10(level->gain));
    }
    if (target->levels->mechanism != NULL && level->mechanism >= 0) {
        target->levels->mechanism[point->number] = (float)level->mechanism;
    }
    return RCITY_OK;
}

static int64_t count_near(const rcity_beams_levels *levels)
{
    const rcity_open_receivers *receivers = &levels->traced->prepared->around.receivers;
    int64_t count = 0;
    for (int64_t i = 0; i < receivers->open_count; i++) {
        count += is_near(levels, &receivers->positions[receivers->number[i]]);
    }
    return count;
}

rcity_status rcity_beams_points_run(const rcity_job *job, const rcity_beams_traced *traced, const rcity_tx *tx,
                                    const rcity_point_levels *levels)
{
    int64_t count = job->receivers->point_count;
    point_target target = {levels, rcity_link_input_dbm(tx)};
    rcity_beams_levels made;
    rcity_notes notes;
    rcity_status status;
    rcity_notes_init(job->context, &notes);
    for (int64_t i = 0; i < count; i++) {
        levels->loss_db[i] = NAN;
        if (levels->received_dbm != NULL) {
            levels->received_dbm[i] = NAN;
        }
        if (levels->mechanism != NULL) {
            levels->mechanism[i] = NAN;
        }
    }
    RCITY_TRY_DONE(rcity_beams_levels_init(job, traced, tx, &made));
    RCITY_TRY_DONE(rcity_images_report_materials(job, tx, levels->notes != NULL ? levels->notes : &notes));
    RCITY_TRY_DONE(rcity_images_report_near(job, tx, count_near(&made), count, levels->notes));
    status = rcity_beams_points_list(&made, take_level, &target);
done:
    rcity_beams_levels_deinit(&made);
    rcity_notes_deinit(&notes);
    return status;
}

rcity_status rcity_beams_points_add_over(const rcity_job *job, const rcity_beams_traced *traced, const rcity_tx *tx,
                                         rcity_rays *rays)
{
    const rcity_open_receivers *receivers = &traced->prepared->around.receivers;
    rcity_tile_roof_path *over = NULL;
    rcity_beams_levels levels;
    rcity_status status;
    RCITY_TRY_DONE(rcity_beams_levels_init(job, traced, tx, &levels));
    levels.rules.has_law = false; /* a path list is what the map says */
    RCITY_TRY_DONE(rcity_alloc(job->context, (size_t)receivers->count + 1, sizeof *over, "paths over roofs", &over));
    RCITY_TRY_DONE(rcity_beams_levels_go_over(&levels, 0, receivers->count, over));
    for (int64_t i = 0; i < receivers->open_count; i++) {
        int64_t point = receivers->number[i];
        const rcity_point *position = &receivers->positions[point];
        rcity_beams_link link = rcity_beams_levels_link(&levels, position, &over[point]);
        rcity_beams_item item;
        if (link.beside.over > 0.0 && !is_near(&levels, position) &&
            rcity_beams_over_item(&traced->images.world, &levels.ends, &levels.rules, &link.beside, &item)) {
            rcity_rays_set_scattered(rays, point, item.power, item.isotropic);
        }
    }
done:
    rcity_release(job->context, over);
    rcity_beams_levels_deinit(&levels);
    return status;
}
