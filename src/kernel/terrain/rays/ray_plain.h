/* The triangles of one azimuth as the paper finds them: a ray for each middle, followed from the transmitter. The reference of
   ray_item.h; its work grows with the square of the crossings. */
#ifndef RCITY_KERNEL_TERRAIN_RAYS_RAY_PLAIN_H
#define RCITY_KERNEL_TERRAIN_RAYS_RAY_PLAIN_H

#include "kernel/terrain/rays/ray_item.h"

RCITY_KERNEL void rcity_ray_plain_item(rcity_ray_job job, rcity_ray_view view, rcity_ray ray)
{
    rcity_ray_walk walk = rcity_ray_start(job, ray);
    rcity_ray_point last;
    last.time = 0;
    last.height = job.foot;
    while (rcity_ray_walk_is_inside(&walk, job.grid.column_count, job.grid.row_count)) {
        rcity_ray_point horizon;
        rcity_ray_walk_find(&walk);
        rcity_ray_point at = rcity_ray_meet(job, view, ray, &walk);
        rcity_ray_segment segment = rcity_ray_segment_make(job, &walk, last, at);
        if (segment.middle.time >= ray.end_time) {
            return;
        }
        rcity_ray_segment stop = rcity_ray_follow(job, view, ray, segment, &horizon);
        if (stop.triangle < 0) {
            rcity_ray_hit(job, view, ray, segment);
        } else {
            rcity_ray_diffract(job, view, ray, horizon, segment);
            rcity_ray_hit(job, view, ray, stop);
        }
        rcity_ray_walk_pass(&walk);
        last = at;
    }
}

#endif
