/* Grids over walls, roofs and ground, and their cells as tiles. */
#include "scene/tiles/tile_grid.h"

#include <math.h>
#include <string.h>

#include "scene/place/terrain.h"
#include "scene/scene_data.h"
#include "scene/shape/prism.h"

int64_t rcity_tile_side_count(double side_m, double tile_m)
{
    double quotient = floor(side_m / tile_m);
    double rest_m = side_m - quotient * tile_m;
    double count = rest_m <= 0.5 * tile_m ? quotient : quotient + 1.0;
    return count < 1.0 ? 1 : (int64_t)count;
}

/* Cut a grid's sides, and number its cells. */
static rcity_status divide(rcity_context *context, rcity_tile_grids *grids, rcity_tile_grid *grid, double area_m2)
{
    double tile_m = sqrt(area_m2);
    int64_t count_u = rcity_tile_side_count(grid->length_u, tile_m);
    int64_t count_v = rcity_tile_side_count(grid->length_v, tile_m);
    grid->first = grids->cell_count;
    grids->cell_count += count_u * count_v;
    RCITY_CHECK(context, grids->cell_count <= INT32_MAX, RCITY_ERR_ARGUMENT,
                "tiles of %g m2 would be more than %d; take larger ones", area_m2, INT32_MAX);
    grid->count_u = (int32_t)count_u;
    grid->count_v = (int32_t)count_v;
    return RCITY_OK;
}

static rcity_status lay_wall(rcity_context *context, rcity_tile_grids *grids, int32_t mirror, rcity_tiling *tiling)
{
    const rcity_mirror *wall = &grids->world->mirrors[mirror];
    rcity_tile_grid *grid = &grids->grids[mirror];
    grid->kind = RCITY_MIRROR_WALL;
    grid->surface = mirror;
    grid->prism = wall->prism;
    grid->corner = (rcity_place3){wall->x1, wall->y1, wall->bottom};
    grid->along_u = (rcity_place3){-wall->normal.y, wall->normal.x, 0.0}; /* air on the right */
    grid->along_v = (rcity_place3){0.0, 0.0, 1.0};
    grid->length_u = hypot(wall->x2 - wall->x1, wall->y2 - wall->y1);
    grid->length_v = wall->top - wall->bottom;
    double area_m2 = grid->length_u * grid->length_v;
    if (rcity_smaller(grid->length_u, grid->length_v) < grids->options->wall_width_min_m ||
        area_m2 < grids->options->wall_area_min_m2) {
        tiling->dropped_wall_count++;
        tiling->dropped_wall_area_m2 += area_m2;
        return RCITY_OK;
    }
    return divide(context, grids, grid, grids->options->wall_area_m2);
}

static rcity_status lay_roof(rcity_context *context, rcity_tile_grids *grids, int32_t mirror, rcity_grid_point *room)
{
    const rcity_mirror *roof = &grids->world->mirrors[mirror];
    const rcity_shapes *shapes = grids->shapes;
    const rcity_prism *prism = &shapes->prisms[roof->prism];
    rcity_tile_grid *grid = &grids->grids[mirror];
    double unit_m = 1.0 / shapes->units_per_m;
    rcity_plan_rectangle box = {
        prism->x_min, prism->y_min, 1.0, 0.0, (double)prism->x_max - prism->x_min, (double)prism->y_max - prism->y_min};
    if (grids->options->follows_outlines) {
        int32_t first = shapes->ring_first[prism->first_ring];
        box = rcity_smallest_rectangle(shapes->points + first, shapes->ring_first[prism->first_ring + 1] - first, room);
    }
    grid->kind = RCITY_MIRROR_ROOF;
    grid->surface = mirror;
    grid->prism = roof->prism;
    grid->corner = (rcity_place3){box.x * unit_m, box.y * unit_m, roof->top};
    grid->along_u = (rcity_place3){box.along_x, box.along_y, 0.0};
    grid->along_v = (rcity_place3){-box.along_y, box.along_x, 0.0};
    grid->length_u = box.length * unit_m;
    grid->length_v = box.width * unit_m;
    return divide(context, grids, grid, grids->options->roof_area_m2);
}

rcity_plan_rectangle rcity_tile_ground_rectangle(const rcity_scene *scene, const rcity_tiling_options *options)
{
    const rcity_shapes *shapes = &scene->shapes;
    const rcity_terrain_grid *terrain = &shapes->terrain;
    double unit_m = 1.0 / shapes->units_per_m;
    double margin = options->ground_margin_m * shapes->units_per_m;
    rcity_plan_box around = {shapes->x_min, shapes->y_min, shapes->x_max, shapes->y_max};
    if (shapes->prism_count > 0) {
        around = scene->prism_index.bounds;
    }
    double box[4] = {around.x_min - margin, around.y_min - margin, around.x_max + margin, around.y_max + margin};
    if (terrain->column_count > 0) {
        box[0] = rcity_larger(box[0], terrain->west);
        box[1] = rcity_larger(box[1], terrain->south);
        box[2] = rcity_smaller(box[2], terrain->west + (terrain->column_count - 1.0) * terrain->cell);
        box[3] = rcity_smaller(box[3], terrain->south + (terrain->row_count - 1.0) * terrain->cell);
    }
    double cosine = cos(options->ground_axis_rad);
    double sine = sin(options->ground_axis_rad);
    double wide_m = (box[2] - box[0]) * unit_m;
    double deep_m = (box[3] - box[1]) * unit_m;
    rcity_plan_rectangle ground = {
        0.5 * (box[0] + box[2]) * unit_m, 0.5 * (box[1] + box[3]) * unit_m, cosine, sine, 0.0, 0.0};
    if (wide_m > 0.0 && deep_m > 0.0) { /* the rectangle in the direction of the axis around the box */
        ground.length = wide_m * fabs(cosine) + deep_m * fabs(sine);
        ground.width = wide_m * fabs(sine) + deep_m * fabs(cosine);
    }
    ground.x = ground.x - 0.5 * ground.length * cosine + 0.5 * ground.width * sine;
    ground.y = ground.y - 0.5 * ground.length * sine - 0.5 * ground.width * cosine;
    return ground;
}

static rcity_status lay_ground(rcity_context *context, const rcity_scene *scene, rcity_tile_grids *grids)
{
    rcity_tile_grid *grid = &grids->grids[grids->grid_count - 1];
    rcity_plan_rectangle ground = rcity_tile_ground_rectangle(scene, grids->options);
    grid->kind = RCITY_MIRROR_GROUND;
    grid->prism = -1;
    grid->surface =
        grids->shapes->terrain.column_count > 0 ? RCITY_TILE_TERRAIN : (int32_t)(grids->world->mirror_count - 1);
    grid->corner = (rcity_place3){ground.x, ground.y, 0.0};
    grid->along_u = (rcity_place3){ground.along_x, ground.along_y, 0.0};
    grid->along_v = (rcity_place3){-ground.along_y, ground.along_x, 0.0};
    grid->length_u = ground.length;
    grid->length_v = ground.width;
    bool is_empty = ground.length == 0.0;
    return is_empty ? RCITY_OK : divide(context, grids, grid, grids->options->ground_area_m2);
}

rcity_status rcity_tile_grids_init(rcity_context *context, const rcity_scene *scene, const rcity_facet_table *world,
                                   const rcity_tiling_options *options, rcity_tiling *tiling, rcity_tile_grids *grids)
{
    memset(grids, 0, sizeof *grids);
    grids->shapes = world->shapes;
    grids->prism_index = &scene->prism_index;
    grids->world = world;
    grids->options = options;
    grids->grid_count = world->wall_count + world->roof_count + 1;
    rcity_grid_point *room = NULL;
    size_t room_count = 2 * (size_t)rcity_shapes_largest_edge_count(world->shapes) + 1;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)grids->grid_count, sizeof *grids->grids, "the tiles", &grids->grids));
    RCITY_TRY_DONE(rcity_alloc(context, room_count, sizeof *room, "the tiles", &room));
    for (int32_t i = 0; i < world->wall_count; i++) {
        RCITY_TRY_DONE(lay_wall(context, grids, i, tiling));
    }
    for (int32_t i = 0; i < world->roof_count; i++) {
        RCITY_TRY_DONE(lay_roof(context, grids, (int32_t)world->wall_count + i, room));
    }
    RCITY_TRY_DONE(lay_ground(context, scene, grids));
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)grids->cell_count + 1, sizeof *grids->cell_tile, "the tiles", &grids->cell_tile));
    memset(grids->cell_tile, 0xff, (size_t)grids->cell_count * sizeof *grids->cell_tile);
    status = RCITY_OK;
done:
    rcity_release(context, room);
    if (status != RCITY_OK) {
        rcity_tile_grids_deinit(context, grids);
    }
    return status;
}

void rcity_tile_grids_deinit(rcity_context *context, rcity_tile_grids *grids)
{
    rcity_release(context, grids->cell_tile);
    rcity_release(context, grids->grids);
    memset(grids, 0, sizeof *grids);
}

/* Is the place in a building, or is another roof there, as high as the roof of `prism` and listed before it? */
static bool is_in_building(const rcity_tile_grids *grids, rcity_tile_place place, int32_t prism, bool is_roof)
{
    const rcity_shapes *shapes = grids->shapes;
    rcity_grid_point at = {place.x, place.y};
    rcity_plan_box box = {at.x, at.y, at.x, at.y};
    rcity_plan_walk walk;
    rcity_plan_walk_init(grids->prism_index, box, &walk);
    for (int32_t i = rcity_plan_walk_next(&walk); i >= 0; i = rcity_plan_walk_next(&walk)) {
        const rcity_prism *other = &shapes->prisms[i];
        bool is_twin = is_roof && other->roof == shapes->prisms[prism].roof && i < prism;
        if ((other->roof > place.z || is_twin) && rcity_prism_owns(shapes, other, at)) {
            return true;
        }
    }
    return false;
}

/* Height of the terrain at a place of the plan, in metres. @return false off the terrain. */
static bool find_ground(const rcity_tile_grids *grids, double x_m, double y_m, double *height_m)
{
    const rcity_shapes *shapes = grids->shapes;
    int32_t x = (int32_t)lround(x_m * shapes->units_per_m);
    int32_t y = (int32_t)lround(y_m * shapes->units_per_m);
    if (!rcity_terrain_contains(&shapes->terrain, x, y)) {
        return false;
    }
    *height_m = rcity_terrain_height(&shapes->terrain, x, y) / RCITY_HEIGHT_UNITS_PER_M;
    return true;
}

/* Put a ground tile onto the terrain: through the height at its centre, with the slopes between the middles of
   opposite sides. */
static bool lean_on_terrain(const rcity_tile_grids *grids, const rcity_tile_grid *grid, double half_u, double half_v,
                            rcity_place3 *centre, rcity_place3 *u, rcity_place3 *v)
{
    double end[4];
    rcity_place3 east = rcity_place3_add(*centre, half_u, grid->along_u);
    rcity_place3 west = rcity_place3_add(*centre, -half_u, grid->along_u);
    rcity_place3 north = rcity_place3_add(*centre, half_v, grid->along_v);
    rcity_place3 south = rcity_place3_add(*centre, -half_v, grid->along_v);
    if (!find_ground(grids, centre->x, centre->y, &centre->z) || !find_ground(grids, west.x, west.y, &end[0]) ||
        !find_ground(grids, east.x, east.y, &end[1]) || !find_ground(grids, south.x, south.y, &end[2]) ||
        !find_ground(grids, north.x, north.y, &end[3])) {
        return false;
    }
    u->z = 0.5 * (end[1] - end[0]) / half_u;
    v->z = 0.5 * (end[3] - end[2]) / half_v;
    return true;
}

/* A wall's cell whose lower part is under the terrain becomes the part above it.
   @return false where less than RCITY_TILE_OPEN_MIN_M is above. */
static bool rise_from_terrain(const rcity_tile_grids *grids, rcity_place3 *centre, double *half_v)
{
    double ground_m;
    double top_m = centre->z + *half_v;
    if (grids->shapes->terrain.column_count > 0 && find_ground(grids, centre->x, centre->y, &ground_m) &&
        ground_m > centre->z - *half_v) {
        centre->z = 0.5 * (ground_m + top_m);
        *half_v = 0.5 * (top_m - ground_m);
        return top_m - ground_m >= RCITY_TILE_OPEN_MIN_M;
    }
    return true;
}

static rcity_tile_place lift(const rcity_tile_grids *grids, rcity_place3 centre, rcity_place3 normal)
{
    const rcity_shapes *shapes = grids->shapes;
    double lift_m = rcity_larger((double)RCITY_TILE_LIFT_M, 4.0 / shapes->units_per_m);
    rcity_place3 at = rcity_place3_add(centre, lift_m, normal);
    rcity_tile_place place = {(rcity_i32)lround(at.x * shapes->units_per_m),
                              (rcity_i32)lround(at.y * shapes->units_per_m),
                              (rcity_i32)lround(at.z * RCITY_HEIGHT_UNITS_PER_M)};
    return place;
}

/* Where the surface of a tile ends: for walls the whole wall of the plan, of which the grid may be a piece; for roofs
   the rectangle around them. */
static void find_ends(const rcity_tile_grids *grids, const rcity_tile_grid *grid, rcity_place3 centre, rcity_tile *tile)
{
    rcity_place3 off = rcity_place3_add(grid->corner, -1.0, centre);
    double u = rcity_place3_dot(off, grid->along_u);
    double v = rcity_place3_dot(off, grid->along_v);
    double low_u = u;
    double high_u = u + grid->length_u;
    if (grid->kind == RCITY_MIRROR_WALL) {
        const rcity_mirror *wall = &grids->world->mirrors[grid->surface];
        double unit_m = 1.0 / grids->shapes->units_per_m;
        const rcity_grid_point *ends[2] = {&wall->corner_p, &wall->corner_q};
        for (int i = 0; i < 2; i++) {
            rcity_place3 end = {ends[i]->x * unit_m, ends[i]->y * unit_m, centre.z};
            double at = rcity_place3_dot(rcity_place3_add(end, -1.0, centre), grid->along_u);
            low_u = rcity_smaller(low_u, at);
            high_u = rcity_larger(high_u, at);
        }
    }
    tile->low_u = (float)low_u;
    tile->high_u = (float)high_u;
    tile->low_v = (float)v;
    tile->high_v = (float)(v + grid->length_v);
}

bool rcity_tile_grids_cut(const rcity_tile_grids *grids, const rcity_tile_grid *grid, int32_t u, int32_t v,
                          rcity_tile *tile, rcity_tile_place *place, bool *is_covered)
{
    const rcity_shapes *shapes = grids->shapes;
    double half_u = 0.5 * grid->length_u / grid->count_u;
    double half_v = 0.5 * grid->length_v / grid->count_v;
    rcity_place3 centre = rcity_place3_add(rcity_place3_add(grid->corner, (2.0 * u + 1.0) * half_u, grid->along_u),
                                           (2.0 * v + 1.0) * half_v, grid->along_v);
    rcity_place3 along_u = grid->along_u;
    rcity_place3 along_v = grid->along_v;
    *is_covered = false;
    if (grid->surface == RCITY_TILE_TERRAIN &&
        !lean_on_terrain(grids, grid, half_u, half_v, &centre, &along_u, &along_v)) {
        return false;
    }
    bool is_below = grid->kind == RCITY_MIRROR_WALL && !rise_from_terrain(grids, &centre, &half_v);
    rcity_place3 normal = rcity_place3_cross(along_u, along_v);
    double plan_share = 1.0 / sqrt(rcity_place3_dot(normal, normal)); /* of the tile's area, seen from above */
    double size_u = sqrt(rcity_place3_dot(along_u, along_u));
    rcity_place3 none = {0.0, 0.0, 0.0};
    normal = rcity_place3_add(none, plan_share, normal);
    along_u = rcity_place3_add(none, 1.0 / size_u, along_u);
    *place = lift(grids, centre, normal);
    if (grid->kind == RCITY_MIRROR_ROOF) {
        rcity_grid_point at = {place->x, place->y};
        if (!rcity_prism_owns(shapes, &shapes->prisms[grid->prism], at)) {
            return false;
        }
    }
    if (is_below || is_in_building(grids, *place, grid->prism, grid->kind == RCITY_MIRROR_ROOF)) {
        *is_covered = grid->kind != RCITY_MIRROR_GROUND;
        return false;
    }
    *tile = (rcity_tile){(float)centre.x,
                         (float)centre.y,
                         (float)centre.z,
                         (float)normal.x,
                         (float)normal.y,
                         (float)normal.z,
                         (float)along_u.x,
                         (float)along_u.y,
                         (float)along_u.z,
                         (float)(half_u * size_u),
                         (float)(half_v / (plan_share * size_u)),
                         grid->surface,
                         -RCITY_TILE_ENDLESS_M,
                         RCITY_TILE_ENDLESS_M,
                         -RCITY_TILE_ENDLESS_M,
                         RCITY_TILE_ENDLESS_M};
    if (grid->kind != RCITY_MIRROR_GROUND) {
        find_ends(grids, grid, centre, tile);
    }
    return true;
}

int32_t rcity_tile_grid_find(const rcity_tile_grids *grids, const rcity_tile_grid *grid, rcity_place3 at)
{
    if (grid->count_u == 0) {
        return -1;
    }
    rcity_place3 from = rcity_place3_add(at, -1.0, grid->corner);
    double u = rcity_place3_dot(from, grid->along_u) / grid->length_u * grid->count_u;
    double v = rcity_place3_dot(from, grid->along_v) / grid->length_v * grid->count_v;
    int32_t column = (int32_t)floor(rcity_smaller(rcity_larger(u, 0.0), grid->count_u - 0.5));
    int32_t row = (int32_t)floor(rcity_smaller(rcity_larger(v, 0.0), grid->count_v - 0.5));
    int32_t found = grids->cell_tile[grid->first + (int64_t)row * grid->count_u + column];
    if (found >= 0) {
        return found;
    }
    double least = HUGE_VAL;
    for (int32_t j = row - 1; j <= row + 1; j++) {
        for (int32_t i = column - 1; i <= column + 1; i++) {
            if (i < 0 || j < 0 || i >= grid->count_u || j >= grid->count_v) {
                continue;
            }
            int32_t tile = grids->cell_tile[grid->first + (int64_t)j * grid->count_u + i];
            double away = (u - i - 0.5) * (u - i - 0.5) + (v - j - 0.5) * (v - j - 0.5);
            if (tile >= 0 && away < least) {
                least = away;
                found = tile;
            }
        }
    }
    return found;
}
