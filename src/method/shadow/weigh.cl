/* OpenCL driver of kernel/shadow: a work item does one pixel of a word. */
#include "kernel/shadow/weigh_item.h"

__kernel void rcity_weigh_pixels(rcity_weigh_job job, long item_begin, long item_count, __global const int *places,
                                 __global const uint *indoors, __global const uint *visible,
                                 __global const rcity_corner_list *lists,
                                 __global const rcity_corner_list_entry *entries,
                                 __global const rcity_corner_chain *chains, __global const rcity_shadow_roof *roofs,
                                 __global const rcity_wall_path *walls, __global const int *wall_counts,
                                 __global const float *pattern, __global const rcity_surroundings_node *nodes,
                                 __global const rcity_surroundings_line *lines, __global float *bands)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_weigh_view view;
        view.places = places;
        view.indoors = indoors;
        view.visible = visible;
        view.lists = lists;
        view.entries = entries;
        view.chains = chains;
        view.roofs = roofs;
        view.walls = walls;
        view.wall_counts = wall_counts;
        view.pattern = pattern;
        view.nodes = nodes;
        view.lines = lines;
        rcity_weigh_view_choose(&job, &view);
        rcity_weigh_item(&job, &view, item_begin + i, bands);
    }
}
