/* OpenCL drivers of kernel/cubes: the blocks of a map, borders of supercubes, columns of cubes, lists of cubes. */
#include "kernel/cubes/supercube.h"

__kernel void rcity_cube_blocks(rcity_cube_map map, long item_begin, long item_count, __global const uint *words,
                                __global uint *block_words)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_cube_block_item(map, words, item_begin + i, block_words);
    }
}

__kernel void rcity_cube_borders(rcity_cube_sight_job job, long item_begin, long item_count,
                                 __global const rcity_cube_source *sources, __global const uint *words,
                                 __global const uint *block_words, __global uchar *borders)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_cube_sight_view view = {words, block_words, borders};
        rcity_supercube_border_item(&job, view, sources, item_begin + i);
    }
}

__kernel void rcity_cube_columns(rcity_cube_sight_job job, long item_begin, long item_count,
                                 __global const rcity_cube_source *sources, __global const uint *words,
                                 __global const uint *block_words, __global uchar *borders, __global uint *visible)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_cube_sight_view view = {words, block_words, borders};
        rcity_cube_sight_column(&job, view, sources, item_begin + i, visible + i * job.map.word_count);
    }
}

__kernel void rcity_cube_lists(rcity_cube_sight_job job, long item_begin, long item_count,
                               __global const rcity_cube_source *sources, __global const uint *words,
                               __global const uint *block_words, __global uchar *borders, __global uchar *visible,
                               __global const rcity_cube *cubes)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_cube_sight_view view = {words, block_words, borders};
        visible[i] = (uchar)rcity_cube_sight_listed(&job, view, sources, cubes, item_begin + i);
    }
}
