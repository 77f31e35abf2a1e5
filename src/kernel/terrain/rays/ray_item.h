/* All triangles that the rays of one azimuth reach. Rays are aimed at the middles between crossings, as in the fast ray
   tracing that the Adaptive Base Station Positioning Algorithm uses (algorithm 2 there), but found in one walk. The slope of
   the horizon so far says whether a middle is hit; a ray to a hidden one ends on a segment before, whose far end looks
   higher from the transmitter than all before it. Segments of that kind whose own middle is hidden wait for such a ray. */
#ifndef RCITY_KERNEL_TERRAIN_RAYS_RAY_ITEM_H
#define RCITY_KERNEL_TERRAIN_RAYS_RAY_ITEM_H

#include "kernel/terrain/rays/ray_bounce.h"

/* Segments that wait; for more the walk is done again. */
#ifndef RCITY_RAY_WAIT_MAX
#define RCITY_RAY_WAIT_MAX 8
#endif

/* A segment with its middle on the ground. */
typedef struct rcity_ray_segment {
    rcity_ray_point middle;
    rcity_i32 triangle; /* -1: none */
    rcity_i32 padding;
} rcity_ray_segment;

/* A segment that a ray at least as high as `low` and lower than `high` ends on, if nothing before stops it. */
typedef struct rcity_ray_waiting {
    rcity_ray_point low, high;
    rcity_ray_segment segment;
} rcity_ray_waiting;

/* What all of an azimuth's rays work with. */
typedef struct rcity_ray_view {
    RCITY_GLOBAL const rcity_i32 *height;
    RCITY_GLOBAL rcity_u32 *strongest; /* a code for each triangle */
    RCITY_GLOBAL rcity_u32 *seen;      /* a bit for each triangle */
} rcity_ray_view;

/* Below everything. */
RCITY_KERNEL rcity_ray_point rcity_ray_nadir(void)
{
    rcity_ray_point point;
    point.time = 0;
    point.height = -1;
    return point;
}

/* The ground at the crossing that was found, on an earth that falls away from the transmitter. */
RCITY_KERNEL rcity_ray_point rcity_ray_meet(rcity_ray_job job, rcity_ray_view view, rcity_ray ray,
                                            const rcity_ray_walk *walk)
{
    rcity_ray_point point;
    point.time = walk->time;
    point.height = rcity_ray_ground_at(job.grid, view.height, walk) -
                   (rcity_i64)((float)walk->time * (float)walk->time * ray.drop_per_time2);
    return point;
}

/* The segment from `from` to the crossing that was found, on the ground. */
RCITY_KERNEL rcity_ray_segment rcity_ray_segment_make(rcity_ray_job job, const rcity_ray_walk *walk,
                                                      rcity_ray_point from, rcity_ray_point to)
{
    rcity_ray_segment segment;
    segment.middle.time = (from.time + to.time) >> 1;
    segment.middle.height = (from.height + to.height) >> 1;
    segment.triangle = rcity_ray_triangle(job.grid, walk);
    segment.padding = 0;
    return segment;
}

/* The point over the middle that is aimed at. */
RCITY_KERNEL rcity_ray_point rcity_ray_target(rcity_ray_job job, rcity_ray_segment segment)
{
    rcity_ray_point target = segment.middle;
    target.height += job.raise;
    return target;
}

/* A ray comes down on a segment: its triangle is seen, and has the field of the segment's middle. */
RCITY_KERNEL void rcity_ray_hit(rcity_ray_job job, rcity_ray_view view, rcity_ray ray, rcity_ray_segment segment)
{
    rcity_ray_point target = rcity_ray_target(job, segment);
    if (job.effects & RCITY_RAYS_DIRECT) {
        float loss_db = rcity_ray_direct_db(job, (float)target.time * ray.metres_per_time,
                                            (float)target.height * RCITY_RAY_HEIGHT_UNIT_M);
        rcity_global_or(&view.seen[segment.triangle >> 5], 1u << (segment.triangle & 31));
        rcity_ray_keep(job, view.strongest, segment.triangle, loss_db);
    }
    if (job.depth > 0) {
        rcity_ray_bounce(job, view.height, ray, segment.middle, segment.triangle, view.strongest);
    }
}

/* A hidden middle behind its horizon. */
RCITY_KERNEL void rcity_ray_diffract(rcity_ray_job job, rcity_ray_view view, rcity_ray ray, rcity_ray_point horizon,
                                     rcity_ray_segment segment)
{
    if (job.effects & RCITY_RAYS_KNIFE_EDGE) {
        rcity_ray_point target = rcity_ray_target(job, segment);
        float plan_m = (float)target.time * ray.metres_per_time;
        float rise_m = (float)target.height * RCITY_RAY_HEIGHT_UNIT_M;
        float loss_db = rcity_ray_free_space_db(rcity_sqrt(plan_m * plan_m + rise_m * rise_m), job.wavelength_m) +
                        rcity_ray_edge_db(job, ray.metres_per_time, horizon, target);
        rcity_ray_keep(job, view.strongest, segment.triangle, loss_db);
    }
}

RCITY_KERNEL rcity_ray_walk rcity_ray_start(rcity_ray_job job, rcity_ray ray)
{
    return rcity_ray_walk_start(job.source_x, job.source_y, job.cell, ray.dx, ray.dy, job.grid.column_count,
                                job.grid.row_count);
}

/* Follow the ray to `target` from the transmitter, crossing by crossing. @return the segment that stops it, of triangle -1 when
   none does. `horizon` is the highest crossing before the target. */
RCITY_KERNEL rcity_ray_segment rcity_ray_follow(rcity_ray_job job, rcity_ray_view view, rcity_ray ray,
                                                rcity_ray_segment aim, rcity_ray_point *horizon)
{
    rcity_ray_walk walk = rcity_ray_start(job, ray);
    rcity_ray_point target = rcity_ray_target(job, aim);
    rcity_ray_point last;
    rcity_ray_segment stop = aim;
    last.time = 0;
    last.height = job.foot;
    stop.triangle = -1;
    *horizon = rcity_ray_nadir();
    for (;;) { /* the target's own segment is the last */
        rcity_ray_walk_find(&walk);
        rcity_ray_point at = rcity_ray_meet(job, view, ray, &walk);
        rcity_ray_segment segment = rcity_ray_segment_make(job, &walk, last, at);
        if (segment.triangle == aim.triangle) {
            return stop;
        }
        if (stop.triangle < 0 && rcity_ray_is_higher(at, target)) {
            stop = segment;
        }
        if (rcity_ray_is_higher(at, *horizon)) {
            *horizon = at;
        }
        rcity_ray_walk_pass(&walk);
        last = at;
    }
}

/* Does a hidden ray to `target` end in the range of slopes from `low` to `high`? */
RCITY_KERNEL int rcity_ray_is_between(rcity_ray_point low, rcity_ray_point target, rcity_ray_point high)
{
    return !rcity_ray_is_higher(low, target) && rcity_ray_is_higher(high, target);
}

/* All triangles of one azimuth. */
RCITY_KERNEL void rcity_ray_item(rcity_ray_job job, rcity_ray_view view, rcity_ray ray)
{
    rcity_ray_waiting waiting[RCITY_RAY_WAIT_MAX];
    rcity_ray_waiting more; /* the range of those without a place */
    int count = 0;
    int has_more = 0;
    rcity_ray_walk walk = rcity_ray_start(job, ray);
    rcity_ray_point horizon = rcity_ray_nadir();
    rcity_ray_point last;
    last.time = 0;
    last.height = job.foot;
    more.low = horizon;
    more.high = horizon;
    while (rcity_ray_walk_is_inside(&walk, job.grid.column_count, job.grid.row_count)) {
        rcity_ray_walk_find(&walk);
        rcity_ray_point at = rcity_ray_meet(job, view, ray, &walk);
        rcity_ray_segment segment = rcity_ray_segment_make(job, &walk, last, at);
        rcity_ray_point target = rcity_ray_target(job, segment);
        if (target.time >= ray.end_time) {
            return;
        }
        int is_hidden = rcity_ray_is_higher(horizon, target);
        if (!is_hidden) {
            rcity_ray_hit(job, view, ray, segment);
        } else {
            rcity_ray_diffract(job, view, ray, horizon, segment);
            for (int i = count - 1; i >= 0; i--) {
                if (rcity_ray_is_between(waiting[i].low, target, waiting[i].high)) {
                    rcity_ray_hit(job, view, ray, waiting[i].segment);
                    waiting[i] = waiting[--count];
                }
            }
            if (has_more && rcity_ray_is_between(more.low, target, more.high)) {
                rcity_ray_point before;
                rcity_ray_hit(job, view, ray, rcity_ray_follow(job, view, ray, segment, &before));
            }
        }
        if (rcity_ray_is_higher(at, horizon)) {
            if (is_hidden && count < RCITY_RAY_WAIT_MAX) {
                waiting[count].low = horizon;
                waiting[count].high = at;
                waiting[count].segment = segment;
                count++;
            } else if (is_hidden) {
                more.low = has_more ? more.low : horizon;
                more.high = at;
                has_more = 1;
            }
            horizon = at;
        }
        rcity_ray_walk_pass(&walk);
        last = at;
    }
}

#endif
