/* Discrete lines that jump over empty space: a second map has one bit for each block of 8 x 8 x 8 cubes that has anything
   filled. The answers are those of kernel/cubes/cube_line.h.

   The line goes by slabs, the 8 layers of cubes of a block along its longest direction. In a slab it passes at most two
   blocks in each of the other directions, those of its first and of its last cube, for its coordinates are monotonic; if
   all of them are empty it goes on with the next slab, 8 steps at once. */
#ifndef RCITY_KERNEL_CUBES_CUBE_SKIP_H
#define RCITY_KERNEL_CUBES_CUBE_SKIP_H

#include "kernel/cubes/cube_line.h"

#define RCITY_CUBE_BLOCK 8 /* cubes along the edge of a block */

/* The map of the blocks of a map. */
RCITY_KERNEL rcity_cube_map rcity_cube_map_of_blocks(rcity_cube_map map)
{
    rcity_cube_map blocks = map;
    blocks.column_count = (map.column_count + RCITY_CUBE_BLOCK - 1) / RCITY_CUBE_BLOCK;
    blocks.row_count = (map.row_count + RCITY_CUBE_BLOCK - 1) / RCITY_CUBE_BLOCK;
    blocks.layer_count = (map.layer_count + RCITY_CUBE_BLOCK - 1) / RCITY_CUBE_BLOCK;
    blocks.word_count = (blocks.layer_count + RCITY_CUBE_WORD_LAYERS - 1) / RCITY_CUBE_WORD_LAYERS;
    blocks.edge_m = RCITY_CUBE_BLOCK * map.edge_m;
    blocks.height_m = RCITY_CUBE_BLOCK * map.height_m;
    return blocks;
}

/* The columns of blocks, one word after another: has a block of its layers anything filled? */
RCITY_KERNEL rcity_u32 rcity_cube_block_word(rcity_cube_map map, RCITY_GLOBAL const rcity_u32 *words, rcity_cube block,
                                             rcity_i32 word)
{
    rcity_u32 found = 0;
    rcity_i32 column_end = (block.column + 1) * RCITY_CUBE_BLOCK, row_end = (block.row + 1) * RCITY_CUBE_BLOCK;
    column_end = column_end < map.column_count ? column_end : map.column_count;
    row_end = row_end < map.row_count ? row_end : map.row_count;
    for (rcity_i32 row = block.row * RCITY_CUBE_BLOCK; row < row_end; row++) {
        for (rcity_i32 column = block.column * RCITY_CUBE_BLOCK; column < column_end; column++) {
            rcity_i64 first = ((rcity_i64)row * map.column_count + column) * map.word_count;
            for (rcity_i32 i = 0; i < RCITY_CUBE_WORD_LAYERS; i++) {
                rcity_i32 layer = (word * RCITY_CUBE_WORD_LAYERS + i) * RCITY_CUBE_BLOCK;
                if (layer < map.layer_count) {
                    rcity_u32 bits = words[first + layer / RCITY_CUBE_WORD_LAYERS] >> (layer % RCITY_CUBE_WORD_LAYERS);
                    found |= (rcity_u32)((bits & 0xff) != 0) << i;
                }
            }
        }
    }
    return found;
}

/* One word of the map of blocks, by its index. */
RCITY_KERNEL void rcity_cube_block_item(rcity_cube_map map, RCITY_GLOBAL const rcity_u32 *words, rcity_i64 item,
                                        RCITY_GLOBAL rcity_u32 *block_words)
{
    rcity_cube_map blocks = rcity_cube_map_of_blocks(map);
    rcity_i32 place = (rcity_i32)(item / blocks.word_count);
    rcity_cube block;
    block.column = place % blocks.column_count;
    block.row = place / blocks.column_count;
    block.layer = 0;
    block_words[item] = rcity_cube_block_word(map, words, block, (rcity_i32)(item % blocks.word_count));
}

/* How far an axis gets in `count` steps. */
typedef struct rcity_cube_leap {
    rcity_i32 whole, part;
} rcity_cube_leap;

RCITY_KERNEL rcity_cube_leap rcity_cube_leap_make(rcity_cube_axis axis, rcity_i32 denominator, rcity_i32 count)
{
    rcity_cube_leap leap;
    rcity_i32 part = count * axis.part;
    leap.whole = count * axis.whole + part / denominator;
    leap.part = part % denominator;
    return leap;
}

RCITY_KERNEL rcity_cube rcity_cube_block_of(rcity_i32 column, rcity_i32 row, rcity_i32 layer)
{
    rcity_cube block;
    block.column = column / RCITY_CUBE_BLOCK;
    block.row = row / RCITY_CUBE_BLOCK;
    block.layer = layer / RCITY_CUBE_BLOCK;
    return block;
}

/* Are all blocks from one to another, at most two in each direction, empty? */
RCITY_KERNEL int rcity_cube_blocks_are_empty(rcity_cube_map blocks, RCITY_GLOBAL const rcity_u32 *block_words,
                                             rcity_cube a, rcity_cube b)
{
    for (int i = 0; i < 8; i++) {
        rcity_cube block;
        block.column = i & 1 ? b.column : a.column;
        block.row = i & 2 ? b.row : a.row;
        block.layer = i & 4 ? b.layer : a.layer;
        int is_new = ((i & 1) == 0 || a.column != b.column) && ((i & 2) == 0 || a.row != b.row) &&
                     ((i & 4) == 0 || a.layer != b.layer);
        if (is_new && rcity_cube_is_filled(blocks, block_words, block)) {
            return 0;
        }
    }
    return 1;
}

/* Is a coordinate that goes up, or down, the first of a block? */
RCITY_KERNEL int rcity_cube_begins_block(rcity_i32 place, int goes_up)
{
    return place % RCITY_CUBE_BLOCK == (goes_up ? 0 : RCITY_CUBE_BLOCK - 1);
}

RCITY_KERNEL int rcity_cube_skip_is_free(rcity_cube_map map, RCITY_GLOBAL const rcity_u32 *words, rcity_cube_map blocks,
                                         RCITY_GLOBAL const rcity_u32 *block_words, rcity_cube from, rcity_cube to)
{
    rcity_cube_line line = rcity_cube_line_start(from, to, 0);
    rcity_cube_leap x = rcity_cube_leap_make(line.x, line.denominator, RCITY_CUBE_BLOCK);
    rcity_cube_leap y = rcity_cube_leap_make(line.y, line.denominator, RCITY_CUBE_BLOCK);
    rcity_cube_leap z = rcity_cube_leap_make(line.z, line.denominator, RCITY_CUBE_BLOCK);
    int along_x = rcity_cube_magnitude(to.column - from.column) == line.length;
    int along_y = !along_x && rcity_cube_magnitude(to.row - from.row) == line.length;
    int goes_up = along_x ? to.column > from.column : along_y ? to.row > from.row : to.layer > from.layer;
    rcity_cube_line_next(&line);
    while (line.step < line.length) {
        rcity_i32 main = along_x ? line.x.place : along_y ? line.y.place : line.z.place;
        if (line.step + RCITY_CUBE_BLOCK <= line.length && rcity_cube_begins_block(main, goes_up)) {
            /* The step after the slab is in the next one, along the line; in the other directions it takes in all. */
            rcity_cube_line after = line;
            rcity_cube_axis_move(&after.x, x.whole, x.part, line.denominator);
            rcity_cube_axis_move(&after.y, y.whole, y.part, line.denominator);
            rcity_cube_axis_move(&after.z, z.whole, z.part, line.denominator);
            rcity_cube first = rcity_cube_block_of(line.x.place, line.y.place, line.z.place);
            rcity_cube last =
                rcity_cube_block_of(along_x ? line.x.place : after.x.place, along_y ? line.y.place : after.y.place,
                                    along_x || along_y ? after.z.place : line.z.place);
            if (rcity_cube_blocks_are_empty(blocks, block_words, first, last)) {
                line = after;
                line.step += RCITY_CUBE_BLOCK;
                continue;
            }
        }
        if (rcity_cube_is_filled(map, words, rcity_cube_line_cube(&line))) {
            return 0;
        }
        rcity_cube_line_next(&line);
    }
    return 1;
}

#endif
