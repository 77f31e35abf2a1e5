/* The path over roofs and hills from one source to one target: a tile or a receiver. */
#ifndef RCITY_KERNEL_TILES_ROOFS_TILE_ROOF_ITEM_H
#define RCITY_KERNEL_TILES_ROOFS_TILE_ROOF_ITEM_H

#include "kernel/surroundings/surroundings_ground.h"
#include "kernel/tiles/roofs/roof_unroll.h"
#include "kernel/tiles/roofs/tile_roof_path.h"
#include "kernel/visibility/roofs/roof_bare.h"
#include "kernel/visibility/roofs/roof_end.h"
#include "kernel/visibility/roofs/roof_hints.h"

/* A source or target on the scene's grid, and where it lies. */
typedef struct RCITY_ALIGNED(16) rcity_tile_roof_place {
    rcity_i32 x, y, z; /* plan units, height units */
    rcity_i32 kind;
} rcity_tile_roof_place;

#define RCITY_TILE_ROOF_FREE    0
#define RCITY_TILE_ROOF_ON_WALL 1
#define RCITY_TILE_ROOF_COVERED 2 /* inside a building: there is no path */

/* Numbers only, so that it can be a kernel argument. */
typedef struct rcity_tile_roof_job {
    rcity_sight_map map;
    rcity_tile_roof_place source;
    rcity_i32 level_shift, patch_first; /* as in rcity_roof_view */
    float unit_m, height_unit_m;
    float wavelength_m;
    float range_m;     /* no paths farther; 0: any distance */
    rcity_i32 listing; /* what the list has: RCITY_TILE_ROOF_LIST_... */
    rcity_i32 spare;   /* 0 */
} rcity_tile_roof_job;

#define RCITY_TILE_ROOF_LIST_NONE    0 /* there is none: items are targets */
#define RCITY_TILE_ROOF_LIST_TARGETS 1
#define RCITY_TILE_ROOF_LIST_PAIRS   2 /* two targets for each item, the first one the source */

/* length_m of a path with too many edges for the device: the host has room for them. */
#define RCITY_TILE_ROOF_DEFERRED -1.0f

/* Memory of a path in progress. */
typedef struct rcity_tile_roof_work {
    rcity_roof_line line;
    rcity_roof_hull hull;
    rcity_roof_trail trail;
    rcity_roof_near near;
    rcity_roof_screens screens;
    float hill_db; /* what hills take more than an edge does */
} rcity_tile_roof_work;

/* An edge that clears the straight line by so much, as v times the root of a wavelength of 2.5 m, takes nothing. */
#define RCITY_TILE_ROOF_NEAR_ROOT_M 1.25f

RCITY_KERNEL rcity_tile_roof_path rcity_tile_roof_none(void)
{
    rcity_tile_roof_path path;
    path.excess_db = RCITY_NAN;
    path.length_m = 0.0f;
    path.departure_x = 0.0f;
    path.departure_y = 0.0f;
    path.departure_z = 0.0f;
    path.arrival_x = 0.0f;
    path.arrival_y = 0.0f;
    path.arrival_z = 0.0f;
    return path;
}

/* Is there no path to look for? */
RCITY_KERNEL int rcity_tile_roof_is_out(const rcity_tile_roof_job *job, rcity_tile_roof_place target)
{
    float dx = (float)(target.x - job->source.x) * job->unit_m;
    float dy = (float)(target.y - job->source.y) * job->unit_m;
    float dz = (float)(target.z - job->source.z) * job->height_unit_m;
    float square = dx * dx + dy * dy + dz * dz;
    return target.kind == RCITY_TILE_ROOF_COVERED || job->source.kind == RCITY_TILE_ROOF_COVERED || square == 0.0f ||
           (job->range_m > 0.0f && square > job->range_m * job->range_m);
}

/* The target of item `i`; for pairs the job gets its source. */
RCITY_KERNEL rcity_tile_roof_place rcity_tile_roof_ends(rcity_tile_roof_job *job, RCITY_GLOBAL const rcity_i32 *list,
                                                        RCITY_GLOBAL const rcity_tile_roof_place *targets, rcity_i64 i)
{
    if (job->listing == RCITY_TILE_ROOF_LIST_PAIRS) {
        job->source = targets[list[2 * i]];
        return targets[list[2 * i + 1]];
    }
    return targets[job->listing == RCITY_TILE_ROOF_LIST_TARGETS ? list[i] : i];
}

/* A path that has the ground. */
RCITY_KERNEL void rcity_tile_roof_begin(const rcity_roof_view *view, const rcity_tile_roof_job *job,
                                        rcity_tile_roof_place target, rcity_tile_roof_work *work)
{
    rcity_sight_segment segment;
    segment.ax = job->source.x;
    segment.ay = job->source.y;
    segment.az = job->source.z;
    segment.bx = target.x;
    segment.by = target.y;
    segment.bz = target.z;
    work->line = rcity_roof_line_make(segment);
    rcity_roof_hull_begin(&work->line, &work->hull);
    rcity_roof_scale scale = rcity_roof_scale_make(&work->line, job->unit_m, job->height_unit_m);
    float root_m =
        rcity_roof_bare_ground(view, work->line, scale, job->height_unit_m, RCITY_TILE_ROOF_NEAR_ROOT_M, &work->hull);
    float edge_db = rcity_surroundings_edge_db(root_m, 1.0f / rcity_sqrt(job->wavelength_m));
    work->hill_db = rcity_surroundings_round_db(edge_db, (float)work->line.end * scale.place_m);
}

/* The shortest path over all roofs, which has the ground already; `ahead` as in rcity_roof_walk_roofs(). */
RCITY_KERNEL void rcity_tile_roof_walk(const rcity_roof_view *view, const rcity_tile_roof_job *job,
                                       rcity_tile_roof_place target, int ahead, rcity_tile_roof_work *work)
{
    if (job->source.kind == RCITY_TILE_ROOF_ON_WALL) {
        rcity_roof_rise(view, &work->line, 1, &work->hull);
    }
    if (target.kind == RCITY_TILE_ROOF_ON_WALL) {
        rcity_roof_rise(view, &work->line, 0, &work->hull);
    }
    rcity_roof_walk_roofs(view, work->line, ahead, &work->hull);
}

/* The path in metres and its screens; all of `path` but what it loses. */
RCITY_KERNEL rcity_tile_roof_path rcity_tile_roof_lay_out(const rcity_roof_view *view, const rcity_tile_roof_job *job,
                                                          rcity_tile_roof_work *work)
{
    rcity_tile_roof_path path;
    rcity_roof_measure measure =
        rcity_roof_measure_make(&work->line, job->unit_m, job->height_unit_m, job->wavelength_m);
    rcity_roof_trail *trail = &work->trail;
    rcity_roof_trail_make(&work->hull, measure, trail);
    rcity_i32 last = trail->count - 1;
    float plan_m = trail->at_m[last];
    float dx = plan_m > 0.0f ? (float)work->line.dx * job->unit_m / plan_m : 0.0f;
    float dy = plan_m > 0.0f ? (float)work->line.dy * job->unit_m / plan_m : 0.0f;
    float first_m = trail->along_m[1];
    float final_m = trail->along_m[last] - trail->along_m[last - 1];
    float run_m = trail->at_m[1] / first_m;
    path.length_m = trail->along_m[last];
    path.departure_x = dx * run_m;
    path.departure_y = dy * run_m;
    path.departure_z = trail->z_m[1] / first_m;
    run_m = (plan_m - trail->at_m[last - 1]) / final_m;
    path.arrival_x = dx * run_m;
    path.arrival_y = dy * run_m;
    path.arrival_z = (trail->z_m[last] - trail->z_m[last - 1]) / final_m;
    path.excess_db = 0.0f;
    if (work->hull.is_full) {
        path.length_m = RCITY_TILE_ROOF_DEFERRED;
        work->screens.count = 0;
        return path;
    }
    rcity_roof_near_find(view, work->line, measure, &work->hull, trail, &work->near);
    rcity_roof_unroll(trail, &work->near, measure, work->hull.height[0], &work->screens);
    return path;
}

/* Decibels of a loss, from the power that screens leave. */
RCITY_KERNEL float rcity_tile_roof_excess_db(const rcity_tile_roof_work *work, float power)
{
    return rcity_fmax(-10.0f * rcity_log10(rcity_fmax(power, 1e-38f)), 0.0f) + work->hill_db;
}

RCITY_KERNEL rcity_tile_roof_path rcity_tile_roof_run(const rcity_roof_view *view, const rcity_tile_roof_job *job,
                                                      rcity_tile_roof_place target, rcity_tile_roof_work *work)
{
    if (rcity_tile_roof_is_out(job, target)) {
        return rcity_tile_roof_none();
    }
    rcity_tile_roof_begin(view, job, target, work);
    rcity_tile_roof_walk(view, job, target, RCITY_ROOF_AHEAD, work);
    rcity_tile_roof_path path = rcity_tile_roof_lay_out(view, job, work);
    path.excess_db = rcity_tile_roof_excess_db(work, rcity_roof_screens_power(&work->screens));
    return path;
}

#endif
