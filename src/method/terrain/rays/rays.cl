/* OpenCL driver of kernel/terrain/rays: a work item does one azimuth. */
#include "kernel/terrain/rays/ray_item.h"

__kernel void rcity_rays_azimuths(rcity_ray_job job, long item_begin, long item_count, __global const rcity_ray *rays,
                                  __global const int *height, __global uint *strongest, __global uint *seen)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_ray_view view;
        view.height = height;
        view.strongest = strongest;
        view.seen = seen;
        rcity_ray_item(job, view, rays[i]);
    }
}
