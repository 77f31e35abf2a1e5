/* Building the pyramid: blocks of cells, then blocks of blocks. */
#include "scene/facets/terrain_tree.h"

#include <string.h>

static void widen(int32_t range[2], int32_t value)
{
    range[0] = value < range[0] ? value : range[0];
    range[1] = value > range[1] ? value : range[1];
}

static rcity_terrain_block empty_block(void)
{
    rcity_terrain_block block = {{INT32_MAX, INT32_MIN}, {INT32_MAX, INT32_MIN}, {INT32_MAX, INT32_MIN}};
    return block;
}

/* Both triangles of a cell: the lower rises along its south and east sides, the upper along its north and west. */
static void add_cell(const rcity_terrain_grid *terrain, int64_t column, int64_t row, rcity_terrain_block *block)
{
    const int32_t *low = &terrain->height[row * terrain->column_count + column];
    const int32_t *high = low + terrain->column_count;
    for (int i = 0; i < 2; i++) {
        widen(block->height, low[i]);
        widen(block->height, high[i]);
        widen(block->rise_y, high[i] - low[i]);
    }
    widen(block->rise_x, low[1] - low[0]);
    widen(block->rise_x, high[1] - high[0]);
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void fill_lowest(const rcity_terrain_grid *terrain, rcity_terrain_tree *tree)
{
    for (int64_t i = 0; i < tree->column_count[0] * tree->row_count[0]; i++) {
        int64_t column = i % tree->column_count[0] * RCITY_TERRAIN_TREE_LEAF;
        int64_t row = i / tree->column_count[0] * RCITY_TERRAIN_TREE_LEAF;
        tree->blocks[i] = empty_block();
        for (int64_t y = row; y < smaller(row + RCITY_TERRAIN_TREE_LEAF, terrain->row_count - 1); y++) {
            for (int64_t x = column; x < smaller(column + RCITY_TERRAIN_TREE_LEAF, terrain->column_count - 1); x++) {
                add_cell(terrain, x, y, &tree->blocks[i]);
            }
        }
    }
}

static void fill_level(rcity_terrain_tree *tree, int level)
{
    const rcity_terrain_block *below = tree->blocks + tree->first[level - 1];
    rcity_terrain_block *blocks = tree->blocks + tree->first[level];
    for (int64_t i = 0; i < tree->column_count[level] * tree->row_count[level]; i++) {
        blocks[i] = empty_block();
    }
    for (int64_t i = 0; i < tree->column_count[level - 1] * tree->row_count[level - 1]; i++) {
        int64_t column = i % tree->column_count[level - 1] / 2;
        int64_t row = i / tree->column_count[level - 1] / 2;
        rcity_terrain_block *block = &blocks[row * tree->column_count[level] + column];
        for (int k = 0; k < 2; k++) {
            widen(block->height, below[i].height[k]);
            widen(block->rise_x, below[i].rise_x[k]);
            widen(block->rise_y, below[i].rise_y[k]);
        }
    }
}

rcity_status rcity_terrain_tree_init(rcity_context *context, const rcity_terrain_grid *terrain,
                                     rcity_terrain_tree *tree)
{
    memset(tree, 0, sizeof *tree);
    if (terrain->column_count < 2 || terrain->row_count < 2) {
        return RCITY_OK;
    }
    int64_t columns = (terrain->column_count - 2) / RCITY_TERRAIN_TREE_LEAF + 1;
    int64_t rows = (terrain->row_count - 2) / RCITY_TERRAIN_TREE_LEAF + 1;
    int64_t count = 0;
    for (bool is_last = false; !is_last; columns = (columns + 1) / 2, rows = (rows + 1) / 2) {
        int level = tree->level_count++;
        tree->column_count[level] = columns;
        tree->row_count[level] = rows;
        tree->first[level] = count;
        count += columns * rows;
        is_last = columns == 1 && rows == 1;
    }
    rcity_status status =
        rcity_alloc(context, (size_t)count, sizeof *tree->blocks, "the terrain's slopes", &tree->blocks);
    if (status != RCITY_OK) {
        memset(tree, 0, sizeof *tree);
        return status;
    }
    fill_lowest(terrain, tree);
    for (int level = 1; level < tree->level_count; level++) {
        fill_level(tree, level);
    }
    return RCITY_OK;
}

void rcity_terrain_tree_deinit(rcity_context *context, rcity_terrain_tree *tree)
{
    rcity_release(context, tree->blocks);
    memset(tree, 0, sizeof *tree);
}
