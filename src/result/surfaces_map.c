/* The ground tiles of surfaces as a map: each cell takes the values of one tile. */
#include <math.h>

#include "base/abi.h"
#include "result/map_data.h"
#include "result/surfaces_data.h"

#define GROUND_HEIGHT_M 0.0  /* of the map's bands above ground */
#define INSIDE_SLACK    1e-6 /* of a tile's half side: tiles lie side by side in single precision */
#define CELL_COUNT_MAX  1e15 /* a map of more would overflow; nothing of that size can run */

/* The tile of a cell; no tile has a rank above that of another for the same cell without being farther away. */
typedef struct cell_choice {
    double rank;
    int64_t tile_index; /* -1: none */
} cell_choice;

/* A ground tile in plan. */
typedef struct plan_tile {
    double x_m, y_m;
    double ux, uy, vx, vy; /* half sides as vectors, in metres */
    double reach_m;        /* half its diagonal */
} plan_tile;

typedef struct ground_work {
    rcity_raster raster;
    double rank_outside; /* added to the rank of a tile that does not contain the cell's centre */
    cell_choice *choices;
} ground_work;

static plan_tile place_in_plan(const rcity_surface_tile *tile)
{
    double first_m[3];
    double second_m[3];
    rcity_surface_tile_halves(tile, first_m, second_m);
    return (plan_tile){.x_m = tile->centre.x_m,
                       .y_m = tile->centre.y_m,
                       .ux = first_m[0],
                       .uy = first_m[1],
                       .vx = second_m[0],
                       .vy = second_m[1],
                       .reach_m = hypot((double)tile->half_side_m[0], (double)tile->half_side_m[1])};
}

static bool is_inside(const plan_tile *tile, double x_m, double y_m)
{
    double dx = x_m - tile->x_m;
    double dy = y_m - tile->y_m;
    double area = tile->ux * tile->vy - tile->uy * tile->vx;
    double along_u = (dx * tile->vy - dy * tile->vx) / area;
    double along_v = (tile->ux * dy - tile->uy * dx) / area;
    return fabs(along_u) <= 1.0 + INSIDE_SLACK && fabs(along_v) <= 1.0 + INSIDE_SLACK; /* not where the area is 0 */
}

/* The raster over all ground tiles, and the longest reach of one. */
static rcity_status find_raster(rcity_context *context, const rcity_surfaces *surfaces, double cell_m,
                                rcity_raster *raster, double *reach_max_m)
{
    const rcity_surface_tile *tiles = rcity_surfaces_tiles(surfaces);
    double low[2] = {HUGE_VAL, HUGE_VAL};
    double high[2] = {-HUGE_VAL, -HUGE_VAL};
    *reach_max_m = 0.0;
    for (int64_t i = 0; i < rcity_surfaces_tile_count(surfaces); i++) {
        if (tiles[i].kind == RCITY_SURFACE_GROUND) {
            plan_tile tile = place_in_plan(&tiles[i]);
            double half_x = fabs(tile.ux) + fabs(tile.vx);
            double half_y = fabs(tile.uy) + fabs(tile.vy);
            low[0] = fmin(low[0], tile.x_m - half_x);
            low[1] = fmin(low[1], tile.y_m - half_y);
            high[0] = fmax(high[0], tile.x_m + half_x);
            high[1] = fmax(high[1], tile.y_m + half_y);
            *reach_max_m = fmax(*reach_max_m, tile.reach_m);
        }
    }
    RCITY_CHECK(context, low[0] <= high[0], RCITY_ERR_ARGUMENT,
                "the surfaces have no ground tile to make a map of, among %lld tiles",
                (long long)rcity_surfaces_tile_count(surfaces));
    double west = floor(low[0] / cell_m);
    double south = floor(low[1] / cell_m);
    double columns = fmax(ceil(high[0] / cell_m - west - INSIDE_SLACK), 1.0);
    double rows = fmax(ceil(high[1] / cell_m - south - INSIDE_SLACK), 1.0);
    RCITY_CHECK(context, columns * rows < CELL_COUNT_MAX, RCITY_ERR_MEMORY,
                "the map of the ground has %.3g cells; use a larger `cell`", columns * rows);
    *raster = (rcity_raster){.column_count = (int64_t)columns,
                             .row_count = (int64_t)rows,
                             .west_m = west * cell_m,
                             .north_m = (south + rows) * cell_m,
                             .cell_m = cell_m};
    return RCITY_OK;
}

static int64_t clamp_index(double index, int64_t count)
{
    return index < 0.0 ? 0 : index >= (double)count ? count - 1 : (int64_t)index;
}

/* Offer a tile to all cells within its reach; the nearest of those that contain a centre wins, then the nearest. */
static void offer_tile(const ground_work *work, const plan_tile *tile, int64_t tile_index)
{
    const rcity_raster *raster = &work->raster;
    double cell_m = raster->cell_m;
    double column = (tile->x_m - raster->west_m) / cell_m;
    double row = (raster->north_m - tile->y_m) / cell_m;
    double reach = tile->reach_m / cell_m + 1.0;
    int64_t column_last = clamp_index(column + reach, raster->column_count);
    int64_t row_last = clamp_index(row + reach, raster->row_count);
    for (int64_t i = clamp_index(row - reach, raster->row_count); i <= row_last; i++) {
        for (int64_t k = clamp_index(column - reach, raster->column_count); k <= column_last; k++) {
            double x_m = raster->west_m + ((double)k + 0.5) * cell_m;
            double y_m = raster->north_m - ((double)i + 0.5) * cell_m;
            double dx = x_m - tile->x_m;
            double dy = y_m - tile->y_m;
            double rank = dx * dx + dy * dy;
            bool is_in = is_inside(tile, x_m, y_m);
            if (!is_in && rank > tile->reach_m * tile->reach_m) {
                continue;
            }
            rank += is_in ? 0.0 : work->rank_outside;
            cell_choice *choice = &work->choices[i * raster->column_count + k];
            if (choice->tile_index < 0 || rank < choice->rank) {
                *choice = (cell_choice){rank, tile_index};
            }
        }
    }
}

static void choose_tiles(const rcity_surfaces *surfaces, const ground_work *work)
{
    const rcity_surface_tile *tiles = rcity_surfaces_tiles(surfaces);
    for (int64_t i = 0; i < work->raster.column_count * work->raster.row_count; i++) {
        work->choices[i].tile_index = -1;
    }
    for (int64_t i = 0; i < rcity_surfaces_tile_count(surfaces); i++) {
        if (tiles[i].kind == RCITY_SURFACE_GROUND) {
            plan_tile tile = place_in_plan(&tiles[i]);
            offer_tile(work, &tile, i);
        }
    }
}

static rcity_status add_bands(const rcity_surfaces *surfaces, const ground_work *work, rcity_map *map)
{
    rcity_band band;
    int64_t cell_count = work->raster.column_count * work->raster.row_count;
    for (int k = 0; rcity_surfaces_get_band(surfaces, k, &band) == RCITY_OK; k++) {
        float *value = NULL;
        rcity_band on_ground = band;
        on_ground.rx_height_m = GROUND_HEIGHT_M;
        RCITY_TRY(rcity_map_add_like(map, &on_ground, &value));
        for (int64_t i = 0; i < cell_count; i++) {
            if (work->choices[i].tile_index >= 0) {
                value[i] = band.value[work->choices[i].tile_index];
            }
        }
    }
    return RCITY_OK;
}

rcity_status rcity_surfaces_to_map(rcity_context *context, const rcity_surfaces *surfaces, double cell_m,
                                   rcity_map **map)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, surfaces);
    RCITY_NEED(context, map);
    RCITY_CHECK(context, cell_m >= RCITY_CELL_MIN_M && cell_m <= RCITY_CELL_MAX_M, RCITY_ERR_ARGUMENT,
                "the cell is %g m, must be %g to %g m", cell_m, RCITY_CELL_MIN_M, RCITY_CELL_MAX_M);
    ground_work work = {.choices = NULL};
    double reach_max_m = 0.0;
    RCITY_TRY(find_raster(context, surfaces, cell_m, &work.raster, &reach_max_m));
    work.rank_outside = 4.0 * reach_max_m * reach_max_m; /* above the rank of any tile that contains a centre */
    rcity_map *made = NULL;
    rcity_status status;
    size_t cell_count = (size_t)work.raster.column_count * (size_t)work.raster.row_count;
    RCITY_TRY_DONE(rcity_map_create(context, &work.raster, rcity_surfaces_crs(surfaces), &made));
    RCITY_TRY_DONE(rcity_alloc(context, cell_count, sizeof *work.choices, "the tiles of cells", &work.choices));
    choose_tiles(surfaces, &work);
    RCITY_TRY_DONE(rcity_surfaces_copy_notes(surfaces, rcity_map_notes(made)));
    RCITY_TRY_DONE(rcity_map_note(made, "cell_m", "%.10g", cell_m));
    RCITY_TRY_DONE(rcity_map_note(made, "made_from", "ground tiles"));
    RCITY_TRY_DONE(add_bands(surfaces, &work, made));
    *map = made;
    made = NULL;
done:
    rcity_release(context, work.choices);
    rcity_map_destroy(&made);
    return status;
}
