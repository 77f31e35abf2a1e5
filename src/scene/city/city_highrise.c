/* San Francisco: two street grids that meet at a diagonal avenue, low houses over steep hills, towers downtown. */
#include "scene/city/city_landmark.h"
#include "scene/city/city_noise.h"
#include "scene/city/city_random.h"
#include "scene/city/city_terrain.h"
#include "scene/city/city_tower.h"

enum { KEY_LAYOUT = 50, KEY_GROUND, KEY_GRID, KEY_DENSITY };

#define STOREY_M       3.2
#define TERRAIN_CELL_M 10.0
#define BORDER_M       12.0 /* terrain beyond the last building: more than one cell */
#define AVENUE_M       36.0
#define SLOPE_MAX      0.28

/* One of the two street grids. Line i runs near i * pitch. */
typedef struct highrise_grid {
    uint64_t key;
    rcity_city_polygon region;
    rcity_city_point origin, axis;
    double pitch_m[2]; /* along the axis and across */
} highrise_grid;

typedef struct highrise_maker {
    rcity_city_draft *draft;
    rcity_city_hills hills;
    rcity_city_point downtown;
    double downtown_reach_m;
    double density; /* of the current block, 1 in the middle of downtown */
    double slope;   /* of the current block */
} highrise_maker;

static double find_density(const highrise_maker *maker, rcity_city_point at)
{
    double part = rcity_city_point_distance(at, maker->downtown) / maker->downtown_reach_m;
    double density = part < 1.0 ? (1.0 - part * part) * (1.0 - part * part) : 0.0;
    double noise = rcity_city_noise(rcity_city_key(maker->draft->seed, KEY_DENSITY), at.x / 300.0, at.y / 300.0);
    density = 1.05 * density + 0.3 * noise * noise - 0.05;
    return density < 0.0 ? 0.0 : density > 1.0 ? 1.0 : density;
}

static rcity_status build_highrise_house(void *user, const rcity_city_house *house)
{
    const highrise_maker *maker = user;
    uint64_t key = house->key;
    double density = maker->density;
    double kind = rcity_city_uniform(key, 0);
    double height_m = 7.0 + 5.0 * rcity_city_uniform(key, 1);
    if (house->place == RCITY_CITY_PLACE_YARD) {
        height_m = rcity_city_between(key, 1, 3.0, 6.0);
    } else if (density > 0.3 && kind < 0.85 * density) {
        height_m = 60.0 / (1.0 - 0.765 * rcity_city_uniform(key, 1)); /* 60 to 255, few of them high */
    } else if (density > 0.12 && kind < 0.3 + density) {
        height_m = STOREY_M * (4 + rcity_city_pick(key, 1, 9)) + 2.0;
    } else if (house->place == RCITY_CITY_PLACE_CORNER || kind > 0.93) {
        height_m = STOREY_M * (3 + rcity_city_pick(key, 1, 3)) + 1.0;
    }
    /* Houses stand on the lowest ground under them; on a slope they must be higher to have their storeys on the uphill
       side. */
    height_m += 9.0 * maker->slope;
    double podium_m = rcity_city_between(key, 2, 10.0, 26.0);
    return rcity_city_tower_build(maker->draft, house, height_m, podium_m, 90.0);
}

static rcity_city_style highrise_style(highrise_maker *maker, const rcity_city_polygon *block, uint64_t key)
{
    double size = maker->density + rcity_city_between(key, 50, -0.05, 0.05);
    double depth = size < 0.15  ? 18 + rcity_city_pick(key, 51, 5)
                   : size < 0.4 ? 22 + rcity_city_pick(key, 51, 5)
                                : 40.0;
    double room = floor(0.5 * rcity_city_polygon_width(block) - 4.0);
    depth = depth > room && room >= 12.0 ? room : depth;
    rcity_city_style style = {
        .lot_min_m = size < 0.15  ? 7.5
                     : size < 0.4 ? 11.0
                                  : 24.0,
        .lot_max_m = size < 0.15  ? 11.0
                     : size < 0.4 ? 22.0
                                  : 46.0,
        .depth_m = (int)depth,
        .depth_less_m = 4,
        .depth_more_m = size < 0.15 ? 5 : 1,
        .has_square_corners = true,
        .vacant_chance = size < 0.15 ? 0.03 : 0.04,
        .passage_chance = 0.02,
        .setback_chance = size < 0.15 ? 0.15 : 0.0,
        .wing_chance = size < 0.15 ? 0.15 : 0.05,
        .yard_chance = size < 0.15 ? 0.06 : 0.0,
        .build = build_highrise_house,
        .maker = maker,
    };
    return style;
}

static double find_slope(const highrise_maker *maker, rcity_city_point at)
{
    double here = rcity_city_hills_height(&maker->hills, at);
    double dx = rcity_city_hills_height(&maker->hills, rcity_city_point_at(at.x + 30.0, at.y)) - here;
    double dy = rcity_city_hills_height(&maker->hills, rcity_city_point_at(at.x, at.y + 30.0)) - here;
    return sqrt(dx * dx + dy * dy) / 30.0;
}

/* Hilltops and some of the steepest slopes are parks, and so are a few other blocks. */
static bool is_park(const highrise_maker *maker, rcity_city_point at, uint64_t key)
{
    double here = rcity_city_hills_height(&maker->hills, at);
    double chance = here > 0.86 * maker->hills.top_m ? 0.75 : maker->slope > 0.24 ? 0.3 : 0.02;
    return maker->density < 0.3 && rcity_city_chance(key, 0, chance);
}

static rcity_status build_highrise_block(highrise_maker *maker, rcity_city_polygon *block, uint64_t key)
{
    bool is_built = false;
    rcity_city_block_tidy(block);
    if (block->count == 0) {
        return RCITY_OK;
    }
    rcity_city_point at = rcity_city_polygon_centroid(block);
    maker->density = find_density(maker, at);
    maker->slope = find_slope(maker, at);
    if (is_park(maker, at, key)) {
        return RCITY_OK;
    }
    if (maker->slope < 0.07 && rcity_city_chance(key, 2, 0.03)) {
        RCITY_TRY(rcity_city_palace_build(maker->draft, block, key, &is_built));
    }
    if (is_built) {
        return RCITY_OK;
    }
    rcity_city_style style = highrise_style(maker, block, key);
    return rcity_city_block_build(block, &style, key);
}

static double grid_line(const highrise_grid *grid, int axis, int index)
{
    return grid->pitch_m[axis] * (index + rcity_city_between(rcity_city_key(grid->key, axis), index, -0.07, 0.07));
}

static double grid_half_street(int axis, int index)
{
    return index % (axis == 0 ? 3 : 4) == 0 ? 12.5 : 9.0;
}

/* The ground between four streets of a grid, as far as it lies in the grid's region. */
static rcity_city_polygon grid_cell(const highrise_grid *grid, int column, int row)
{
    double low[2] = {grid_line(grid, 0, column), grid_line(grid, 1, row)};
    double high[2] = {grid_line(grid, 0, column + 1), grid_line(grid, 1, row + 1)};
    rcity_city_point centre = rcity_city_point_move(grid->origin, grid->axis, 0.5 * (low[0] + high[0]));
    centre = rcity_city_point_move(centre, rcity_city_point_left(grid->axis), 0.5 * (low[1] + high[1]));
    rcity_city_polygon cell =
        rcity_city_polygon_rectangle(centre, grid->axis, 0.5 * (high[0] - low[0]), 0.5 * (high[1] - low[1]), 0.0);
    cell.margin_m[0] = grid_half_street(1, row);
    cell.margin_m[1] = grid_half_street(0, column + 1);
    cell.margin_m[2] = grid_half_street(1, row + 1);
    cell.margin_m[3] = grid_half_street(0, column);
    for (int i = 0; i < grid->region.count; i++) {
        rcity_city_half_plane inside =
            rcity_city_half_plane_left(grid->region.corner[i], rcity_city_polygon_direction(&grid->region, i));
        rcity_city_polygon_clip(&cell, &inside, grid->region.margin_m[i], 0);
    }
    return cell;
}

static rcity_status build_grid(highrise_maker *maker, const highrise_grid *grid, double progress)
{
    double reach = 1.5 * maker->draft->side_m;
    int columns = (int)(reach / grid->pitch_m[0]) + 1;
    int rows = (int)(reach / grid->pitch_m[1]) + 1;
    for (int row = -rows; row < rows; row++) {
        for (int column = -columns; column < columns; column++) {
            rcity_city_polygon cell = grid_cell(grid, column, row);
            rcity_city_polygon block = rcity_city_polygon_inset(&cell, 0.0);
            uint64_t key = rcity_city_key(rcity_city_key(grid->key, 2 + row), column);
            RCITY_TRY(build_highrise_block(maker, &block, key));
        }
        RCITY_TRY(rcity_city_progress(maker->draft, progress + 0.25 * (row + rows) / (2.0 * rows)));
    }
    return RCITY_OK;
}

/* The city on one side of the avenue, which passes `through` along the unit vector `along`. */
static highrise_grid make_grid(const rcity_city_draft *draft, rcity_city_point through, rcity_city_point along,
                               int side)
{
    highrise_grid grid = {.key = rcity_city_key(rcity_city_key(draft->seed, KEY_GRID), side), .origin = through};
    double half = 0.5 * draft->side_m;
    grid.region = rcity_city_polygon_rectangle(rcity_city_point_at(half, half), rcity_city_point_at(1.0, 0.0),
                                               half - BORDER_M, half - BORDER_M, 0.0);
    rcity_city_half_plane bank = rcity_city_half_plane_left(through, along);
    if (side == 1) {
        bank.normal = rcity_city_point_at(-bank.normal.x, -bank.normal.y);
        bank.offset_m = -bank.offset_m;
    }
    rcity_city_polygon_clip(&grid.region, &bank, 0.5 * AVENUE_M, 0);
    grid.axis = side == 0 ? rcity_city_point_unit(1.0, rcity_city_between(grid.key, 1000, -0.17, 0.17)) : along;
    grid.pitch_m[0] = side == 0 ? 142.0 : 158.0;
    grid.pitch_m[1] = side == 0 ? 104.0 : 112.0;
    return grid;
}

rcity_status rcity_city_make_highrise(rcity_city_draft *draft)
{
    highrise_maker maker = {.draft = draft};
    double side = draft->side_m;
    uint64_t key = rcity_city_key(draft->seed, KEY_LAYOUT);
    maker.downtown = rcity_city_point_at(side * rcity_city_between(key, 0, 0.55, 0.75),
                                         side * rcity_city_between(key, 1, 0.5, 0.75));
    double reach = 0.33 * side;
    maker.downtown_reach_m = reach < 150.0 ? 150.0 : reach > 800.0 ? 800.0 : reach;
    maker.hills = rcity_city_hills_make(draft, rcity_city_key(draft->seed, KEY_GROUND), maker.downtown,
                                        1.5 * maker.downtown_reach_m, SLOPE_MAX);
    RCITY_TRY(rcity_city_terrain_set(draft, TERRAIN_CELL_M, rcity_city_hills_height, &maker.hills, 0.0, 0.0));
    rcity_city_point along = rcity_city_point_unit(1.0, rcity_city_between(key, 2, 0.6, 0.95));
    rcity_city_point through = rcity_city_point_move(maker.downtown, rcity_city_point_left(along),
                                                     -rcity_city_between(key, 3, 0.0, 0.3) * maker.downtown_reach_m);
    for (int i = 0; i < 2; i++) {
        highrise_grid grid = make_grid(draft, through, along, i);
        RCITY_TRY(build_grid(&maker, &grid, 0.5 + 0.25 * i));
    }
    return RCITY_OK;
}
