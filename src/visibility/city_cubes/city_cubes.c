/* Filling cubes, on all threads; bounds, classes and figures of cubes. */
#include "visibility/city_cubes/city_cubes.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "scene/place/cover.h"
#include "scene/place/terrain.h"
#include "visibility/city_cubes/cube_sources.h"

#define PIECE_ROWS 16

rcity_cube_box rcity_city_cubes_bound(const rcity_shapes *shapes, rcity_cube_box also)
{
    double units = shapes->units_per_m;
    rcity_cube_box box = {shapes->x_min / units, shapes->y_min / units, shapes->x_max / units, shapes->y_max / units};
    if (also.east_m >= also.west_m) {
        bool is_empty = shapes->prism_count == 0 && shapes->terrain.column_count == 0;
        box.west_m = is_empty ? also.west_m : fmin(box.west_m, also.west_m);
        box.south_m = is_empty ? also.south_m : fmin(box.south_m, also.south_m);
        box.east_m = is_empty ? also.east_m : fmax(box.east_m, also.east_m);
        box.north_m = is_empty ? also.north_m : fmax(box.north_m, also.north_m);
    }
    return box;
}

/* Columns to a side: one more on each, so that walls on the border have air before them. */
static double count_side(double low_m, double high_m, double edge_m)
{
    return floor((high_m - low_m) / edge_m) + 3.0;
}

double rcity_city_cubes_count(rcity_cube_box box, double edge_m)
{
    return count_side(box.west_m, box.east_m, edge_m) * count_side(box.south_m, box.north_m, edge_m);
}

double rcity_city_cubes_bytes(const rcity_shapes *shapes, rcity_cube_box box, double edge_m)
{
    const double beside = 9.0;   /* columns that list an edge */
    const double words = 2.0;    /* of a column, about: 64 layers */
    const double piece_m = 10.0; /* of a wall, about */
    double walls = (double)shapes->facade_count;
    double wall_bytes = sizeof(rcity_cube_wall) + (2.0 + piece_m / edge_m) * sizeof(rcity_i32);
    double edge_bytes = sizeof(rcity_cube_edge) + beside * sizeof(rcity_i32);
    double column_bytes = sizeof(rcity_cube_column) + words * sizeof(rcity_u32);
    double making_bytes = 2.0 * sizeof(float); /* roofs and tops while cubes are filled */
    return rcity_city_cubes_count(box, edge_m) * (column_bytes + making_bytes) + walls * (wall_bytes + edge_bytes);
}

/* The work of filling. */
typedef struct fill_work {
    const rcity_shapes *shapes;
    rcity_city_cubes *cubes;
    const float *roof_m; /* row by row from the north */
    float *ground_m;     /* of each row the lowest ground */
    float *row_top_m;    /* and the highest top */
} fill_work;

static float ground_at(const fill_work *work, double x_m, double y_m)
{
    const rcity_terrain_grid *terrain = &work->shapes->terrain;
    double units = work->shapes->units_per_m;
    int32_t x = (int32_t)lround(x_m * units);
    int32_t y = (int32_t)lround(y_m * units);
    bool is_inside = terrain->column_count > 0 && rcity_terrain_contains(terrain, x, y);
    return is_inside ? (float)(rcity_terrain_height(terrain, x, y) / RCITY_HEIGHT_UNITS_PER_M) : 0.0f;
}

/* An rcity_parallel_function over rows from the south: the tops of columns. */
static void raise_tops(void *user, int64_t begin, int64_t end, int thread_index)
{
    const fill_work *work = user;
    const rcity_cube_map *map = &work->cubes->map;
    (void)thread_index;
    for (int64_t row = begin; row < end; row++) {
        float low_m = HUGE_VALF;
        float high_m = -HUGE_VALF;
        for (int64_t column = 0; column < map->column_count; column++) {
            float ground_m = ground_at(work, (double)map->west_m + ((double)column + 0.5) * (double)map->edge_m,
                                       (double)map->south_m + ((double)row + 0.5) * (double)map->edge_m);
            float roof_m = work->roof_m[(map->row_count - 1 - row) * map->column_count + column];
            float top_m = fmaxf(roof_m, ground_m);
            work->cubes->columns[row * map->column_count + column].top_m = top_m;
            low_m = fminf(low_m, ground_m);
            high_m = fmaxf(high_m, top_m);
        }
        work->ground_m[row] = low_m;
        work->row_top_m[row] = high_m;
    }
}

/* An rcity_parallel_function over rows: a bit for each layer whose centre lies below the column's top. */
static void fill_words(void *user, int64_t begin, int64_t end, int thread_index)
{
    const fill_work *work = user;
    const rcity_cube_map *map = &work->cubes->map;
    (void)thread_index;
    for (int64_t i = begin * map->column_count; i < end * map->column_count; i++) {
        double layers = ((double)work->cubes->columns[i].top_m - (double)map->bottom_m) / (double)map->height_m;
        int64_t filled = (int64_t)fmin(fmax(ceil(layers - 0.5), 0.0), (double)map->layer_count);
        for (int64_t word = 0; word < map->word_count; word++) {
            int64_t here = filled - word * RCITY_CUBE_WORD_LAYERS;
            work->cubes->words[i * map->word_count + word] = here <= 0                        ? 0u
                                                             : here >= RCITY_CUBE_WORD_LAYERS ? UINT32_MAX
                                                                                              : (1u << here) - 1u;
        }
    }
}

/* Layers from the lowest ground to above the highest top: whole words of them, none higher than the edge length. */
static void fit_layers(fill_work *work, rcity_cube_map *map)
{
    float low_m = HUGE_VALF;
    float high_m = -HUGE_VALF;
    for (int64_t row = 0; row < map->row_count; row++) {
        low_m = fminf(low_m, work->ground_m[row]);
        high_m = fmaxf(high_m, work->row_top_m[row]);
    }
    double range_m = fmax((double)(high_m - low_m), (double)map->edge_m);
    map->word_count = (rcity_i32)ceil(range_m / ((RCITY_CUBE_WORD_LAYERS - 1) * (double)map->edge_m));
    map->layer_count = map->word_count * RCITY_CUBE_WORD_LAYERS;
    map->height_m = (float)(range_m / (map->layer_count - 1));
    map->bottom_m = low_m;
    work->cubes->highest_m = high_m;
}

static rcity_status fill(rcity_context *context, const rcity_shapes *shapes, rcity_city_cubes *cubes)
{
    rcity_cube_map *map = &cubes->map;
    size_t count = (size_t)map->column_count * (size_t)map->row_count;
    fill_work work = {.shapes = shapes, .cubes = cubes};
    float *roof_m = NULL;
    rcity_status status;
    double edge_m = (double)map->edge_m;
    rcity_raster raster = {.west_m = (double)map->west_m + shapes->origin_x_m,
                           .north_m = (double)map->south_m + map->row_count * edge_m + shapes->origin_y_m,
                           .cell_m = edge_m,
                           .column_count = map->column_count,
                           .row_count = map->row_count};
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *roof_m, "the roofs over cubes", &roof_m));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)map->row_count, sizeof(float), "the cubes", &work.ground_m));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)map->row_count, sizeof(float), "the cubes", &work.row_top_m));
    RCITY_TRY_DONE(rcity_raster_cover(context, shapes, &raster, roof_m));
    work.roof_m = roof_m;
    rcity_parallel(context, map->row_count, PIECE_ROWS, raise_tops, &work);
    fit_layers(&work, map);
    RCITY_TRY_DONE(
        rcity_alloc(context, count * (size_t)map->word_count, sizeof *cubes->words, "the cubes", &cubes->words));
    rcity_parallel(context, map->row_count, PIECE_ROWS, fill_words, &work);
done:
    rcity_release(context, work.row_top_m);
    rcity_release(context, work.ground_m);
    rcity_release(context, roof_m);
    return status;
}

/* Columns lie on whole multiples of the edge length from the local origin, so that a box that grows moves none. */
static rcity_status lay_out(rcity_context *context, rcity_cube_box box, double edge_m, rcity_cube_map *map)
{
    double count = rcity_city_cubes_count(box, edge_m);
    RCITY_CHECK(context, count <= (double)RCITY_CITY_CUBES_COLUMN_MAX, RCITY_ERR_ARGUMENT,
                "cubes of %g m make %.3g columns over this scene, at most %lld can be; use cubes of %.2g m or more",
                edge_m, count, (long long)RCITY_CITY_CUBES_COLUMN_MAX,
                edge_m * sqrt(1.2 * count / (double)RCITY_CITY_CUBES_COLUMN_MAX));
    memset(map, 0, sizeof *map);
    map->edge_m = (float)edge_m;
    map->west_m = (float)((floor(box.west_m / edge_m) - 1.0) * edge_m);
    map->south_m = (float)((floor(box.south_m / edge_m) - 1.0) * edge_m);
    map->column_count = (rcity_i32)floor((box.east_m - (double)map->west_m) / edge_m) + 2;
    map->row_count = (rcity_i32)floor((box.north_m - (double)map->south_m) / edge_m) + 2;
    return RCITY_OK;
}

rcity_status rcity_city_cubes_init(rcity_context *context, const rcity_facet_table *facets, rcity_cube_box box,
                                   double edge_m, rcity_city_cubes *cubes)
{
    rcity_status status;
    memset(cubes, 0, sizeof *cubes);
    RCITY_TRY(lay_out(context, box, edge_m, &cubes->map));
    size_t count = (size_t)cubes->map.column_count * (size_t)cubes->map.row_count;
    RCITY_TRY_DONE(rcity_alloc(context, count + 1, sizeof *cubes->columns, "the cubes", &cubes->columns));
    RCITY_TRY_DONE(fill(context, facets->shapes, cubes));
    status = rcity_cube_sources_list(context, facets, cubes);
done:
    if (status != RCITY_OK) {
        rcity_city_cubes_deinit(context, cubes);
    }
    return status;
}

void rcity_city_cubes_deinit(rcity_context *context, rcity_city_cubes *cubes)
{
    rcity_release(context, cubes->column_edges);
    rcity_release(context, cubes->column_walls);
    rcity_release(context, cubes->edges);
    rcity_release(context, cubes->walls);
    rcity_release(context, cubes->columns);
    rcity_release(context, cubes->words);
    memset(cubes, 0, sizeof *cubes);
}

int64_t rcity_city_cubes_column(const rcity_city_cubes *cubes, double x_m, double y_m)
{
    const rcity_cube_map *map = &cubes->map;
    double column = floor((x_m - (double)map->west_m) / (double)map->edge_m);
    double row = floor((y_m - (double)map->south_m) / (double)map->edge_m);
    bool is_inside = column >= 0.0 && column < map->column_count && row >= 0.0 && row < map->row_count;
    return is_inside ? (int64_t)row * map->column_count + (int64_t)column : -1;
}

/* Does a piece from bottom to top reach into a layer? */
static bool reaches(const rcity_cube_map *map, rcity_i32 layer, float bottom_m, float top_m)
{
    float low_m = map->bottom_m + (float)layer * map->height_m;
    return top_m >= low_m && bottom_m <= low_m + map->height_m;
}

unsigned rcity_city_cubes_class(const rcity_city_cubes *cubes, rcity_cube cube)
{
    const rcity_cube_map *map = &cubes->map;
    int64_t at = (int64_t)cube.row * map->column_count + cube.column;
    const rcity_cube_column *column = &cubes->columns[at];
    unsigned found = rcity_cube_is_filled(*map, cubes->words, cube) ? RCITY_CUBE_FILLED : 0;
    for (rcity_i32 i = column->wall_first; i < column[1].wall_first; i++) {
        const rcity_cube_wall *wall = &cubes->walls[cubes->column_walls[i]];
        found |= reaches(map, cube.layer, wall->bottom_m, wall->top_m) ? RCITY_CUBE_REFLECTS : 0;
        found |= reaches(map, cube.layer, wall->top_m, wall->top_m) ? RCITY_CUBE_HORIZONTAL : 0;
    }
    for (rcity_i32 i = column->edge_first; i < column[1].edge_first; i++) {
        const rcity_cube_edge *edge = &cubes->edges[cubes->column_edges[i]];
        bool is_here = rcity_city_cubes_column(cubes, (double)edge->x, (double)edge->y) == at;
        found |= is_here && reaches(map, cube.layer, edge->bottom_m, edge->top_m) ? RCITY_CUBE_VERTICAL : 0;
    }
    return found;
}

double rcity_city_cubes_narrow_share(const rcity_city_cubes *cubes)
{
    const rcity_cube_map *map = &cubes->map;
    const float step_m = 2.0f; /* a building is higher than that */
    int64_t columns = map->column_count;
    int64_t open_count = 0;
    int64_t narrow_count = 0;
    for (int64_t row = 1; row + 1 < map->row_count; row++) {
        for (int64_t column = 1; column + 1 < columns; column++) {
            const rcity_cube_column *at = &cubes->columns[row * columns + column];
            float over_m = at->top_m + step_m;
            bool west = at[-1].top_m > over_m, east = at[1].top_m > over_m;
            bool south = at[-columns].top_m > over_m, north = at[columns].top_m > over_m;
            open_count += west || east || south || north;
            narrow_count += (west && east) || (south && north);
        }
    }
    return open_count > 0 ? (double)narrow_count / (double)open_count : 0.0;
}
