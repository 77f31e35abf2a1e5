/* A coarser elevation grid: every k-th node, or the mean around it. */
#include "method/terrain/rays/rays_grid.h"

#include <math.h>

static int32_t clamp_node(int64_t node, int32_t count)
{
    return (int32_t)(node < 0 ? 0 : node >= count ? count - 1 : node);
}

/* Mean of the nodes up to `reach` away to each side, as far as there are any. */
static int32_t mean_around(const rcity_terrain_grid *terrain, int64_t column, int64_t row, int reach)
{
    int32_t west = clamp_node(column - reach, terrain->column_count);
    int32_t east = clamp_node(column + reach, terrain->column_count);
    int32_t south = clamp_node(row - reach, terrain->row_count);
    int32_t north = clamp_node(row + reach, terrain->row_count);
    int64_t sum = 0;
    for (int32_t r = south; r <= north; r++) {
        for (int32_t c = west; c <= east; c++) {
            sum += terrain->height[(int64_t)r * terrain->column_count + c];
        }
    }
    return (int32_t)lround((double)sum / ((double)(north - south + 1) * (double)(east - west + 1)));
}

rcity_status rcity_rays_grid_init(rcity_context *context, const rcity_terrain_grid *terrain, int coarsen,
                                  rcity_terrain_rays_coarsening coarsening, rcity_terrain_grid *grid)
{
    *grid = *terrain;
    if (coarsen == 1) {
        return RCITY_OK;
    }
    grid->column_count = (terrain->column_count - 1) / coarsen + 1;
    grid->row_count = (terrain->row_count - 1) / coarsen + 1;
    grid->cell = terrain->cell * coarsen;
    grid->height = NULL;
    RCITY_CHECK(context, grid->column_count > 1 && grid->row_count > 1, RCITY_ERR_ARGUMENT,
                "%d x %d nodes of terrain are too few for cells of %d to each side", (int)terrain->column_count,
                (int)terrain->row_count, coarsen);
    RCITY_TRY(rcity_alloc(context, (size_t)grid->column_count * (size_t)grid->row_count, sizeof *grid->height,
                          "coarse terrain", &grid->height));
    for (int32_t row = 0; row < grid->row_count; row++) {
        for (int32_t column = 0; column < grid->column_count; column++) {
            int64_t c = (int64_t)column * coarsen;
            int64_t r = (int64_t)row * coarsen;
            int32_t *height = &grid->height[(int64_t)row * grid->column_count + column];
            *height = coarsening == RCITY_TERRAIN_RAYS_MEAN ? mean_around(terrain, c, r, coarsen / 2)
                                                            : terrain->height[r * terrain->column_count + c];
        }
    }
    return RCITY_OK;
}

void rcity_rays_grid_deinit(rcity_context *context, const rcity_terrain_grid *terrain, rcity_terrain_grid *grid)
{
    if (grid->height != terrain->height) {
        rcity_release(context, grid->height);
    }
    grid->height = NULL;
}
