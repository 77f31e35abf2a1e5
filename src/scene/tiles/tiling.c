/* Walls, roofs and ground into tiles: which cells of the grids are tiles, and in which order. */
#include "scene/tiles/tiling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/interleave.h"
#include "base/parallel.h"
#include "base/sha256.h"
#include "scene/tiles/tile_edges.h"
#include "scene/tiles/tile_grid.h"

#define GRIDS_AT_ONCE 64 /* surfaces that a thread cuts at a time */

rcity_tiling_options rcity_tiling_options_default(void)
{
    rcity_tiling_options options;
    memset(&options, 0, sizeof options);
    options.wall_area_m2 = 100.0;
    options.roof_area_m2 = 100.0;
    options.ground_area_m2 = 100.0;
    options.wall_width_min_m = 0.5;
    options.wall_area_min_m2 = 2.0;
    options.ground_margin_m = 50.0;
    options.follows_outlines = true;
    options.ridge_min_rad = 0.05;
    return options;
}

static rcity_status check_area(rcity_context *context, const char *name, double area_m2)
{
    RCITY_CHECK(context, area_m2 >= RCITY_TILE_AREA_MIN_M2 && area_m2 <= RCITY_TILE_AREA_MAX_M2, RCITY_ERR_ARGUMENT,
                "`%s` is %g m2, must be %g to %g", name, area_m2, RCITY_TILE_AREA_MIN_M2, RCITY_TILE_AREA_MAX_M2);
    return RCITY_OK;
}

static rcity_status check_options(rcity_context *context, const rcity_tiling_options *options)
{
    RCITY_TRY(check_area(context, "wall-tile-area-m2", options->wall_area_m2));
    RCITY_TRY(check_area(context, "roof-tile-area-m2", options->roof_area_m2));
    RCITY_TRY(check_area(context, "ground-tile-area-m2", options->ground_area_m2));
    RCITY_CHECK(context, options->ground_margin_m >= 0.0 && options->ground_margin_m <= 10000.0, RCITY_ERR_ARGUMENT,
                "`ground-margin-m` is %g m, must be 0 to 10000", options->ground_margin_m);
    RCITY_CHECK(context, options->wall_width_min_m >= 0.0, RCITY_ERR_ARGUMENT,
                "`wall-width-min-m` is %g m, must be 0 or more", options->wall_width_min_m);
    RCITY_CHECK(context, options->wall_area_min_m2 >= 0.0, RCITY_ERR_ARGUMENT,
                "`wall-area-min-m2` is %g m2, must be 0 or more", options->wall_area_min_m2);
    return RCITY_OK;
}

/* A tile before it has its number. */
typedef struct cut_tile {
    uint64_t key; /* by which tiles are sorted */
    int64_t cell;
    rcity_tile tile;
    rcity_tile_place place;
} cut_tile;

/* What a cell became. */
enum { CELL_NONE, CELL_TILE, CELL_COVERED };

typedef struct cut_work {
    const rcity_tile_grids *grids;
    uint8_t *became; /* for each cell */
} cut_work;

/* An rcity_parallel_function over grids: which cells are tiles. */
static void find_tiles(void *user, int64_t begin, int64_t end, int thread_index)
{
    const cut_work *work = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        const rcity_tile_grid *grid = &work->grids->grids[i];
        for (int32_t v = 0; v < grid->count_v; v++) {
            for (int32_t u = 0; u < grid->count_u; u++) {
                rcity_tile tile;
                rcity_tile_place place;
                bool is_covered;
                bool is_tile = rcity_tile_grids_cut(work->grids, grid, u, v, &tile, &place, &is_covered);
                work->became[grid->first + (int64_t)v * grid->count_u + u] = is_tile      ? CELL_TILE
                                                                             : is_covered ? CELL_COVERED
                                                                                          : CELL_NONE;
            }
        }
    }
}

/* Tiles are sorted by squares of some 64 m (for tiles of 100 m2), in these by what they face, then by place: 32 tiles
   that follow each other mostly lie close together and look into one direction, so that blocks of them see, or do not
   see, other blocks as a whole. */
static uint64_t make_key(const rcity_tile_grids *grids, const rcity_tile *tile)
{
    const rcity_shapes *shapes = grids->shapes;
    double square_m = 6.4 * sqrt(grids->options->wall_area_m2);
    double margin_m = grids->options->ground_margin_m + 16.0 * square_m;
    double x = ((double)tile->x - (double)shapes->x_min / shapes->units_per_m + margin_m) / square_m;
    double y = ((double)tile->y - (double)shapes->y_min / shapes->units_per_m + margin_m) / square_m;
    uint64_t column = (uint64_t)rcity_smaller(rcity_larger(x, 0.0), 65535.0);
    uint64_t row = (uint64_t)rcity_smaller(rcity_larger(y, 0.0), 65535.0);
    uint64_t facing = 0; /* the ground */
    if (fabsf(tile->nz) < 0.5f) {
        facing = 2 + (uint64_t)floor((atan2((double)tile->ny, (double)tile->nx) / RCITY_TRACE_PI + 1.0) * 4.0) % 8;
    } else if (tile->surface >= 0 && grids->world->mirrors[tile->surface].kind == RCITY_MIRROR_ROOF) {
        facing = 1;
    }
    uint64_t fine_x = (uint64_t)(rcity_smaller(rcity_larger(x - (double)column, 0.0), 0.9999) * 512.0);
    uint64_t fine_y = (uint64_t)(rcity_smaller(rcity_larger(y - (double)row, 0.0), 0.9999) * 512.0);
    uint64_t fine_z = (uint64_t)(rcity_smaller(rcity_larger((double)tile->z / square_m + 4.0, 0.0), 7.999) * 64.0);
    return rcity_spread_bits(column, 16, 2) << 32 | rcity_spread_bits(row, 16, 2) << 33 | facing << 28 |
           (rcity_spread_bits(fine_x, 9, 3) | rcity_spread_bits(fine_y, 9, 3) << 1 |
            rcity_spread_bits(fine_z, 9, 3) << 2);
}

static int compare_cut_tiles(const void *left, const void *right)
{
    const cut_tile *a = left;
    const cut_tile *b = right;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

/* Number the tiles that were found, and put them into the tiling. */
static rcity_status number_tiles(rcity_context *context, const uint8_t *became, rcity_tile_grids *grids,
                                 rcity_tiling *tiling)
{
    cut_tile *cut = NULL;
    size_t room = (size_t)tiling->tile_count + 1;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *cut, "the tiles", &cut));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *tiling->tiles, "the tiles", &tiling->tiles));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *tiling->places, "the tiles", &tiling->places));
    int64_t made = 0;
    for (int64_t i = 0; i < grids->grid_count; i++) {
        const rcity_tile_grid *grid = &grids->grids[i];
        for (int64_t cell = 0; cell < (int64_t)grid->count_u * grid->count_v; cell++) {
            if (became[grid->first + cell] == CELL_TILE) {
                bool is_covered;
                cut_tile *next = &cut[made++];
                (void)rcity_tile_grids_cut(grids, grid, (int32_t)(cell % grid->count_u),
                                           (int32_t)(cell / grid->count_u), &next->tile, &next->place, &is_covered);
                next->cell = grid->first + cell;
                next->key = make_key(grids, &next->tile);
            }
        }
    }
    qsort(cut, (size_t)made, sizeof *cut, compare_cut_tiles);
    for (int64_t i = 0; i < made; i++) {
        tiling->tiles[i] = cut[i].tile;
        tiling->places[i] = cut[i].place;
        grids->cell_tile[cut[i].cell] = (int32_t)i;
    }
    status = RCITY_OK;
done:
    rcity_release(context, cut);
    return status;
}

/* The tile of a cell; -1 beyond the sides of its grid. */
static int32_t tile_at(const rcity_tile_grids *grids, const rcity_tile_grid *grid, int32_t u, int32_t v)
{
    bool is_within = u >= 0 && u < grid->count_u && v >= 0 && v < grid->count_v;
    return is_within ? grids->cell_tile[grid->first + (int64_t)v * grid->count_u + u] : -1;
}

static rcity_status find_beside(rcity_context *context, const rcity_tile_grids *grids, rcity_tiling *tiling)
{
    RCITY_TRY(
        rcity_alloc(context, (size_t)tiling->tile_count + 1, sizeof *tiling->beside, "the tiles", &tiling->beside));
    for (int64_t i = 0; i < grids->grid_count; i++) {
        const rcity_tile_grid *grid = &grids->grids[i];
        for (int32_t v = 0; v < grid->count_v; v++) {
            for (int32_t u = 0; u < grid->count_u; u++) {
                int32_t tile = tile_at(grids, grid, u, v);
                if (tile >= 0) {
                    const int32_t sides[RCITY_TILE_SIDE_COUNT] = {
                        tile_at(grids, grid, u - 1, v), tile_at(grids, grid, u + 1, v), tile_at(grids, grid, u, v - 1),
                        tile_at(grids, grid, u, v + 1)};
                    memcpy(tiling->beside[tile], sides, sizeof sides);
                }
            }
        }
    }
    return RCITY_OK;
}

/* The tiles of each surface but the terrain. */
static rcity_status list_surfaces(rcity_context *context, rcity_tiling *tiling)
{
    int64_t surfaces = tiling->world->mirror_count;
    tiling->surface_row_count = surfaces + 1 + tiling->tile_count;
    RCITY_TRY(rcity_alloc(context, (size_t)tiling->surface_row_count, sizeof *tiling->surface_rows, "the tiles",
                          &tiling->surface_rows));
    int32_t *first = tiling->surface_rows;
    for (int64_t i = 0; i < tiling->tile_count; i++) {
        int32_t surface = tiling->tiles[i].surface;
        if (surface >= 0) {
            first[surface + 1]++;
        }
    }
    first[0] = (int32_t)surfaces + 1;
    for (int64_t i = 0; i < surfaces; i++) {
        first[i + 1] += first[i];
    }
    for (int64_t i = 0; i < tiling->tile_count; i++) {
        int32_t surface = tiling->tiles[i].surface;
        if (surface >= 0) {
            tiling->surface_rows[first[surface]++] = (int32_t)i;
        }
    }
    memmove(first + 1, first, (size_t)surfaces * sizeof *first); /* each has become its row's end */
    first[0] = (int32_t)surfaces + 1;
    return RCITY_OK;
}

static void count_tiles(const rcity_tile_grids *grids, const uint8_t *became, rcity_tiling *tiling)
{
    for (int64_t i = 0; i < grids->grid_count; i++) {
        const rcity_tile_grid *grid = &grids->grids[i];
        int64_t count = 0;
        for (int64_t cell = 0; cell < (int64_t)grid->count_u * grid->count_v; cell++) {
            count += became[grid->first + cell] == CELL_TILE;
            tiling->covered_tile_count += became[grid->first + cell] == CELL_COVERED;
        }
        tiling->tile_count += count;
        tiling->wall_tile_count += grid->kind == RCITY_MIRROR_WALL ? count : 0;
        tiling->roof_tile_count += grid->kind == RCITY_MIRROR_ROOF ? count : 0;
        tiling->ground_tile_count += grid->kind == RCITY_MIRROR_GROUND ? count : 0;
    }
}

static void hash_tiling(rcity_tiling *tiling)
{
    rcity_sha256 sha;
    rcity_sha256_init(&sha);
    rcity_sha256_add(&sha, tiling->world->shapes->hash, sizeof tiling->world->shapes->hash);
    rcity_sha256_add(&sha, tiling->tiles, (size_t)tiling->tile_count * sizeof *tiling->tiles);
    rcity_sha256_add(&sha, tiling->places, (size_t)tiling->tile_count * sizeof *tiling->places);
    rcity_sha256_finish(&sha, tiling->hash);
}

rcity_status rcity_tiling_init(rcity_context *context, const rcity_scene *scene, const rcity_facet_table *world,
                               const rcity_tiling_options *options, rcity_tiling *tiling)
{
    RCITY_TRY(check_options(context, options));
    memset(tiling, 0, sizeof *tiling);
    tiling->world = world;
    tiling->options = *options;
    rcity_tile_grids grids;
    cut_work work = {&grids, NULL};
    rcity_status status;
    RCITY_TRY_DONE(rcity_tile_grids_init(context, scene, world, options, tiling, &grids));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)grids.cell_count + 1, 1, "the tiles", &work.became));
    rcity_parallel(context, grids.grid_count, GRIDS_AT_ONCE, find_tiles, &work);
    count_tiles(&grids, work.became, tiling);
    RCITY_TRY_DONE(number_tiles(context, work.became, &grids, tiling));
    RCITY_TRY_DONE(find_beside(context, &grids, tiling));
    RCITY_TRY_DONE(list_surfaces(context, tiling));
    RCITY_TRY_DONE(rcity_tile_edges_cut(context, &grids, tiling));
    hash_tiling(tiling);
done:
    rcity_release(context, work.became);
    rcity_tile_grids_deinit(context, &grids);
    if (status != RCITY_OK) {
        rcity_tiling_deinit(context, tiling);
    }
    return status;
}

void rcity_tiling_deinit(rcity_context *context, rcity_tiling *tiling)
{
    rcity_release(context, tiling->edge_of);
    rcity_release(context, tiling->edge_first);
    rcity_release(context, tiling->edges);
    rcity_release(context, tiling->beside);
    rcity_release(context, tiling->surface_rows);
    rcity_release(context, tiling->places);
    rcity_release(context, tiling->tiles);
    memset(tiling, 0, sizeof *tiling);
}
