#include "visibility/los/los_plane.h"

#include <math.h>
#include <string.h>

#include "scene/place/cover.h"
#include "scene/place/terrain.h"
#include "visibility/los/los_ground.h"
#include "visibility/sight/sight_look.h"

#define CELL_M 32 /* width of the walls' cells: some rows of a usual raster */

void rcity_los_plane_deinit(rcity_context *context, rcity_los_plane *plane)
{
    rcity_los_ground_deinit(context, plane);
    rcity_release(context, plane->cells.walls);
    rcity_release(context, plane->cells.first);
    rcity_release(context, plane->walls);
    rcity_release(context, plane->on_walls);
    rcity_release(context, plane->indoors);
    rcity_release(context, plane->z);
    rcity_release(context, plane->y);
    rcity_release(context, plane->x);
    memset(plane, 0, sizeof *plane);
}

static rcity_status place_pixels(rcity_context *context, const rcity_raster *raster, double height_m,
                                 rcity_los_plane *plane)
{
    const rcity_shapes *shapes = plane->shapes;
    RCITY_TRY(rcity_alloc(context, (size_t)plane->column_count, sizeof *plane->x, "a plane of receivers", &plane->x));
    RCITY_TRY(rcity_alloc(context, (size_t)plane->row_count, sizeof *plane->y, "a plane of receivers", &plane->y));
    for (int32_t i = 0; i < plane->column_count; i++) {
        plane->x[i] = rcity_raster_column_x(shapes, raster, i);
    }
    for (int32_t i = 0; i < plane->row_count; i++) {
        plane->y[i] = rcity_raster_row_y(shapes, raster, i);
    }
    plane->level = (int32_t)lround(height_m * RCITY_HEIGHT_UNITS_PER_M);
    if (shapes->terrain.column_count == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_alloc(context, (size_t)plane->column_count * (size_t)plane->row_count, sizeof *plane->z,
                          "a plane of receivers", &plane->z));
    for (int32_t row = 0; row < plane->row_count; row++) {
        for (int32_t column = 0; column < plane->column_count; column++) {
            int32_t x = plane->x[column];
            int32_t y = plane->y[row];
            bool has_ground = rcity_terrain_contains(&shapes->terrain, x, y);
            double ground = has_ground ? rcity_terrain_height(&shapes->terrain, x, y) : 0.0;
            plane->z[(size_t)row * (size_t)plane->column_count + (size_t)column] =
                rcity_terrain_snap_height(&shapes->terrain, x, y, ground + height_m * RCITY_HEIGHT_UNITS_PER_M);
        }
    }
    return RCITY_OK;
}

/* Index of the first value not before a bound; values may grow or fall. */
static int32_t first_from(const int32_t *values, int32_t count, bool grows, int32_t bound)
{
    int32_t low = 0;
    int32_t high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (grows ? values[middle] < bound : values[middle] > bound) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Where a place lies relative to a prism that rises above it; a lower prism is ignored. */
static rcity_place locate(const rcity_shapes *shapes, const rcity_prism *prism, rcity_grid_point3 at)
{
    return at.z < prism->roof ? rcity_prism_locate(shapes, prism, (rcity_grid_point){at.x, at.y}) : RCITY_PLACE_OUTSIDE;
}

/* Mark the pixels inside a prism and below its roof, and note those on its walls. */
static rcity_status mark_indoors(rcity_context *context, const rcity_prism *prism, rcity_los_plane *plane)
{
    int32_t column_begin = first_from(plane->x, plane->column_count, true, prism->x_min);
    int32_t column_end = first_from(plane->x, plane->column_count, true, prism->x_max + 1);
    int32_t row_end = first_from(plane->y, plane->row_count, false, prism->y_min - 1);
    for (int32_t row = first_from(plane->y, plane->row_count, false, prism->y_max); row < row_end; row++) {
        for (int32_t column = column_begin; column < column_end; column++) {
            rcity_place place = locate(plane->shapes, prism, rcity_los_plane_pixel(plane, column, row));
            if (place == RCITY_PLACE_INSIDE) {
                plane->indoors[(size_t)row * plane->row_words + (size_t)column / 64] |= (uint64_t)1 << (column % 64);
            } else if (place == RCITY_PLACE_ON_WALL) {
                RCITY_TRY(rcity_reserve(context, plane->on_wall_count + 1, sizeof *plane->on_walls,
                                        &plane->on_wall_capacity, "a plane of receivers", &plane->on_walls));
                plane->on_walls[plane->on_wall_count++] = row * plane->column_count + column;
            }
        }
    }
    return RCITY_OK;
}

static rcity_status seal_pixels(rcity_context *context, rcity_los_plane *plane)
{
    plane->row_words = ((size_t)plane->column_count + 63) / 64;
    RCITY_TRY(rcity_alloc(context, plane->row_words * (size_t)plane->row_count, sizeof *plane->indoors,
                          "a plane of receivers", &plane->indoors));
    for (int64_t i = 0; i < plane->shapes->prism_count; i++) {
        RCITY_TRY(mark_indoors(context, &plane->shapes->prisms[i], plane));
    }
    return RCITY_OK;
}

/* An rcity_sight_prism_function: records a prism around the place. */
static bool note_prism(rcity_sight_look *look, int32_t prism)
{
    rcity_place *place = look->user;
    rcity_grid_point3 at = {look->line.ax, look->line.ay, look->line.az};
    rcity_place there = locate(look->shapes, &look->shapes->prisms[prism], at);
    *place = there > *place ? there : *place;
    return *place == RCITY_PLACE_INSIDE;
}

rcity_place rcity_los_locate(const rcity_sight *sight, rcity_grid_point3 at)
{
    rcity_sight_look look = rcity_sight_look_make(sight, (rcity_sight_segment){at.x, at.y, at.z, at.x, at.y, at.z});
    rcity_place place = RCITY_PLACE_OUTSIDE;
    look.user = &place;
    rcity_sight_look_visit(&look, note_prism);
    return place;
}

/* The number of a corner; none where its prism touches itself. */
static int32_t name_corner(const rcity_los_plane *plane, int32_t point)
{
    return rcity_sight_is_knot(plane->sight, point) ? -1 : point;
}

static rcity_status list_walls(rcity_context *context, rcity_los_plane *plane)
{
    const rcity_shapes *shapes = plane->shapes;
    RCITY_TRY(rcity_alloc(context, (size_t)shapes->point_count + 1, sizeof *plane->walls, "walls", &plane->walls));
    plane->low_top = INT32_MIN;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        if (prism->roof - prism->ground <= plane->level) {
            plane->low_top = prism->roof > plane->low_top ? prism->roof : plane->low_top;
            continue;
        }
        for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
            for (int32_t a = shapes->ring_first[ring]; a < shapes->ring_first[ring + 1]; a++) {
                int32_t b = rcity_ring_next(shapes->ring_first, ring, a);
                rcity_grid_point p = shapes->points[a];
                rcity_grid_point q = shapes->points[b];
                rcity_los_wall wall = {p.x,
                                       p.y,
                                       q.x,
                                       q.y,
                                       prism->roof,
                                       name_corner(plane, a),
                                       name_corner(plane, b),
                                       plane->sight->is_tangled[i]};
                plane->walls[plane->wall_count++] = wall;
            }
        }
    }
    return RCITY_OK;
}

/* The cells that a wall's box meets. */
typedef struct cell_box {
    int32_t column, row, column_end, row_end; /* ends included */
} cell_box;

static cell_box find_cells(const rcity_los_cells *cells, const rcity_los_wall *wall)
{
    int32_t x_min = wall->ax < wall->bx ? wall->ax : wall->bx;
    int32_t y_min = wall->ay < wall->by ? wall->ay : wall->by;
    int32_t x_max = wall->ax < wall->bx ? wall->bx : wall->ax;
    int32_t y_max = wall->ay < wall->by ? wall->by : wall->ay;
    return (cell_box){(x_min - cells->west) / cells->cell, (y_min - cells->south) / cells->cell,
                      (x_max - cells->west) / cells->cell, (y_max - cells->south) / cells->cell};
}

/* Two passes over all walls, first counting, then filling. Filling leaves `first` one cell behind, so the count goes
   there. */
static rcity_status index_walls(rcity_context *context, rcity_los_plane *plane)
{
    const rcity_shapes *shapes = plane->shapes;
    rcity_los_cells *cells = &plane->cells;
    cells->cell = CELL_M * shapes->units_per_m;
    cells->west = shapes->x_min;
    cells->south = shapes->y_min;
    cells->column_count = (shapes->x_max - shapes->x_min) / cells->cell + 1;
    cells->row_count = (shapes->y_max - shapes->y_min) / cells->cell + 1;
    size_t cell_count = (size_t)cells->column_count * (size_t)cells->row_count;
    RCITY_TRY(rcity_alloc(context, cell_count + 2, sizeof *cells->first, "walls", &cells->first));
    for (int turn = 0; turn < 2; turn++) {
        for (int32_t i = 0; i < plane->wall_count; i++) {
            cell_box box = find_cells(cells, &plane->walls[i]);
            for (int32_t row = box.row; row <= box.row_end; row++) {
                for (int32_t column = box.column; column <= box.column_end; column++) {
                    int32_t *slot = &cells->first[(size_t)row * (size_t)cells->column_count + (size_t)column + 1];
                    if (turn == 0) {
                        slot[1]++;
                    } else {
                        cells->walls[(*slot)++] = i;
                    }
                }
            }
        }
        if (turn == 0) {
            for (size_t i = 2; i < cell_count + 2; i++) {
                cells->first[i] += cells->first[i - 1];
            }
            RCITY_TRY(rcity_alloc(context, (size_t)cells->first[cell_count + 1] + 1, sizeof *cells->walls, "walls",
                                  &cells->walls));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_los_plane_init(rcity_context *context, const rcity_shapes *shapes, const rcity_sight *sight,
                                  const rcity_raster *raster, double height_m, rcity_los_plane *plane)
{
    memset(plane, 0, sizeof *plane);
    plane->shapes = shapes;
    plane->sight = sight;
    plane->column_count = (int32_t)raster->column_count;
    plane->row_count = (int32_t)raster->row_count;
    rcity_status status;
    RCITY_TRY_DONE(place_pixels(context, raster, height_m, plane));
    RCITY_TRY_DONE(rcity_los_ground_init(context, plane));
    RCITY_TRY_DONE(seal_pixels(context, plane));
    RCITY_TRY_DONE(list_walls(context, plane));
    RCITY_TRY_DONE(index_walls(context, plane));
done:
    if (status != RCITY_OK) {
        rcity_los_plane_deinit(context, plane);
    }
    return status;
}
