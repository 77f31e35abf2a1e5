/* Elevation grids for tests of rays over terrain: shapes with nothing but the grid. */
#ifndef RCITY_TEST_RAY_HILLS_H
#define RCITY_TEST_RAY_HILLS_H

#include "rcity_test.h"

#include "method/terrain/rays/terrain_rays.h"
#include "scene/place/terrain.h"

#define RAY_HILLS_UNITS_PER_M 16

/* A height in metres for a node. */
typedef double (*ray_hills_height)(const void *user, int column, int row);

static inline rcity_shapes ray_hills_make(int columns, int rows, int cell_m, ray_hills_height height, const void *user)
{
    rcity_shapes shapes;
    memset(&shapes, 0, sizeof shapes);
    shapes.units_per_m = RAY_HILLS_UNITS_PER_M;
    rcity_terrain_grid *grid = &shapes.terrain;
    *grid = (rcity_terrain_grid){columns, rows, -700, 300, cell_m * RAY_HILLS_UNITS_PER_M, NULL};
    grid->height = malloc((size_t)columns * (size_t)rows * sizeof *grid->height);
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            grid->height[row * columns + column] =
                (int32_t)lround(height(user, column, row) * RCITY_HEIGHT_UNITS_PER_M);
        }
    }
    shapes.x_min = grid->west;
    shapes.y_min = grid->south;
    shapes.x_max = grid->west + (columns - 1) * grid->cell;
    shapes.y_max = grid->south + (rows - 1) * grid->cell;
    return shapes;
}

static inline void ray_hills_free(rcity_shapes *shapes)
{
    free(shapes->terrain.height);
    shapes->terrain.height = NULL;
}

static inline double ray_hills_flat(const void *user, int column, int row)
{
    (void)column;
    (void)row;
    return user == NULL ? 0.0 : *(const double *)user;
}

/* Waves of several lengths, in cells, and noise. */
typedef struct ray_hills_waves {
    uint64_t seed;
    double size_m;  /* of the longest wave */
    double noise_m; /* from node to node */
} ray_hills_waves;

static inline double ray_hills_rough(const void *user, int column, int row)
{
    const ray_hills_waves *waves = user;
    double z = 500.0 + test_uniform(waves->seed, 1000 + (uint64_t)row * 65536 + (uint64_t)column, 0.0, waves->noise_m);
    for (uint64_t k = 0; k < 5; k++) {
        double turn = test_uniform(waves->seed, 3 * k, 0.0, 6.283);
        double phase = test_uniform(waves->seed, 3 * k + 1, 0.0, 6.283);
        double length = 64.0 / (double)(1 << k);
        z += waves->size_m / (double)(1 << k) * sin(6.283 / length * (cos(turn) * column + sin(turn) * row) + phase);
    }
    return z;
}

/* A place over the ground, anywhere or on nodes and lines of the grid. */
static inline rcity_grid_point3 ray_hills_source(const rcity_shapes *shapes, uint64_t seed, double antenna_m)
{
    const rcity_terrain_grid *grid = &shapes->terrain;
    int64_t wide = (int64_t)(grid->column_count - 1) * grid->cell;
    int64_t high = (int64_t)(grid->row_count - 1) * grid->cell;
    int64_t x = (int64_t)(test_random(seed, 1) % (uint64_t)(wide + 1));
    int64_t y = (int64_t)(test_random(seed, 2) % (uint64_t)(high + 1));
    x -= test_random(seed, 3) % 3 == 0 ? x % grid->cell : 0;
    y -= test_random(seed, 4) % 3 == 0 ? y % grid->cell : 0;
    if (test_random(seed, 5) % 4 == 0) { /* on a diagonal */
        y = y - y % grid->cell + x % grid->cell;
        y = y > high ? high : y;
    }
    rcity_grid_point3 at = {grid->west + (int32_t)x, grid->south + (int32_t)y, 0};
    double ground = rcity_terrain_height(grid, at.x, at.y);
    at.z = (int32_t)ceil(ground + antenna_m * RCITY_HEIGHT_UNITS_PER_M);
    return at;
}

static inline rcity_device *ray_hills_device(rcity_context *context, const char *id)
{
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, id, &device));
    return device;
}

/* Corners of a triangle: columns and rows of nodes. */
static inline void ray_hills_corners(const rcity_terrain_grid *grid, int64_t triangle, int32_t corner[3][2])
{
    int64_t cell = triangle / 2;
    int32_t row = (int32_t)(cell / (grid->column_count - 1));
    int32_t column = (int32_t)(cell % (grid->column_count - 1));
    bool is_above = triangle % 2 == 1;
    corner[0][0] = column;
    corner[0][1] = row;
    corner[1][0] = column + 1;
    corner[1][1] = row + 1;
    corner[2][0] = is_above ? column : column + 1;
    corner[2][1] = is_above ? row + 1 : row;
}

static inline bool ray_hills_is_seen(const rcity_terrain_rays_field *field, int64_t triangle)
{
    return (field->seen[triangle / 32] >> (triangle % 32) & 1u) != 0;
}

#endif
