/* Manhattan: avenues, streets, one diagonal avenue, a park; lots of many heights. */
#include "scene/city/city_landmark.h"
#include "scene/city/city_noise.h"
#include "scene/city/city_random.h"
#include "scene/city/city_tower.h"

enum { KEY_AVENUE = 30, KEY_STREET, KEY_BROADWAY, KEY_CENTRE, KEY_PARK, KEY_BLOCK, KEY_DENSITY };

#define STRIP_MAX  128
#define CENTRE_MAX 3
#define STOREY_M   3.3
#define BROADWAY_M 26.0

/* Parallel streets: strip i lies between lines i and i + 1, the outer lines are the border of the city. */
typedef struct grid_strips {
    int count;
    double line_m[STRIP_MAX + 1];
    double half_street_m[STRIP_MAX + 1];
} grid_strips;

typedef struct grid_maker {
    rcity_city_draft *draft;
    grid_strips avenues, streets; /* avenues run north, streets east */
    rcity_city_half_plane broadway;
    int park_west, park_east, park_south, park_north; /* strips; the last ones are outside */
    int centre_count;
    rcity_city_point centre[CENTRE_MAX];
    double centre_reach_m[CENTRE_MAX];
    double density; /* of the current block: 0 where houses are low, 1 where towers stand */
} grid_maker;

static void make_strips(grid_strips *strips, double side_m, double pitch_m, double street_m, int wide_every,
                        uint64_t key)
{
    double sum = 0.0;
    double weight[STRIP_MAX];
    strips->count = (int)(side_m / pitch_m + 0.5);
    strips->count = strips->count < 2 ? 2 : strips->count > STRIP_MAX ? STRIP_MAX : strips->count;
    for (int i = 0; i < strips->count; i++) {
        bool is_border = i == 0 || i + 1 == strips->count;
        weight[i] =
            rcity_city_between(key, i, 0.87, 1.13) * (is_border ? rcity_city_between(key, 500 + i, 0.6, 1.0) : 1.0);
        sum += weight[i];
    }
    int phase = rcity_city_pick(key, 1000, wide_every);
    double at = 0.0;
    for (int i = 0; i <= strips->count; i++) {
        bool is_border = i == 0 || i == strips->count;
        bool is_wide = i % wide_every == phase;
        strips->line_m[i] = i == strips->count ? side_m : at;
        strips->half_street_m[i] = is_border ? 0.0 : 0.5 * (is_wide ? 30.0 : street_m);
        at += i < strips->count ? side_m * weight[i] / sum : 0.0;
    }
}

static void make_streets(grid_maker *maker)
{
    double side = maker->draft->side_m;
    uint64_t seed = maker->draft->seed;
    make_strips(&maker->avenues, side, 268.0, 26.0, 2, rcity_city_key(seed, KEY_AVENUE));
    make_strips(&maker->streets, side, 88.0, 18.0, 8, rcity_city_key(seed, KEY_STREET));
    uint64_t key = rcity_city_key(seed, KEY_BROADWAY);
    rcity_city_point along = rcity_city_point_unit(rcity_city_between(key, 0, -0.6, -0.25), 1.0);
    rcity_city_point through = {side * rcity_city_between(key, 1, 0.4, 0.65), 0.5 * side};
    maker->broadway = rcity_city_half_plane_left(through, along);
}

static void make_centres(grid_maker *maker)
{
    double side = maker->draft->side_m;
    uint64_t key = rcity_city_key(maker->draft->seed, KEY_CENTRE);
    maker->centre_count = side > 3000.0 ? 3 : side > 1500.0 ? 2 : 1;
    for (int i = 0; i < maker->centre_count; i++) {
        double reach = side * (i == 0 ? 0.42 : 0.22);
        double spread = i == 0 ? 0.15 : 0.4;
        maker->centre[i] = rcity_city_point_at(side * rcity_city_between(key, 4 * i, 0.5 - spread, 0.5 + spread),
                                               side * rcity_city_between(key, 4 * i + 1, 0.5 - spread, 0.5 + spread));
        maker->centre_reach_m[i] = reach > 1300.0 ? 1300.0 : reach;
    }
}

static void make_park(grid_maker *maker)
{
    uint64_t key = rcity_city_key(maker->draft->seed, KEY_PARK);
    int width = maker->avenues.count / 6;
    int height = width > 0 ? 3 * width + 2 : 0;
    if (width == 0 && maker->avenues.count >= 3) { /* in a small city a square of a few blocks */
        width = 1;
        height = 2;
    }
    if (height + 2 > maker->streets.count) {
        width = 0;
    }
    maker->park_west = 1 + rcity_city_pick(key, 0, maker->avenues.count - width - 1);
    maker->park_south = 1 + rcity_city_pick(key, 1, maker->streets.count - height - 1);
    maker->park_east = maker->park_west + width;
    maker->park_north = maker->park_south + height;
}

/* How much a place belongs to a centre, 0 to 1. */
static double find_density(const grid_maker *maker, rcity_city_point at)
{
    double density = 0.0;
    for (int i = 0; i < maker->centre_count; i++) {
        double part = rcity_city_point_distance(at, maker->centre[i]) / maker->centre_reach_m[i];
        double bump = part < 1.0 ? (1.0 - part * part) * (1.0 - part * part) : 0.0;
        density = bump > density ? bump : density;
    }
    double noise = rcity_city_noise(rcity_city_key(maker->draft->seed, KEY_DENSITY), at.x / 420.0, at.y / 420.0);
    density = 0.75 * density + 0.35 * noise * noise + 0.04;
    return density > 1.0 ? 1.0 : density;
}

static rcity_status build_grid_house(void *user, const rcity_city_house *house)
{
    const grid_maker *maker = user;
    uint64_t key = house->key;
    double kind = rcity_city_uniform(key, 0);
    double area = house->core.count > 0 ? rcity_city_polygon_area(&house->core) : 0.0;
    double tower_chance = 0.6 * maker->density * maker->density * (area < 350.0 ? 0.15 : 1.0);
    double middle_chance = 0.06 + 0.55 * maker->density;
    if (house->place == RCITY_CITY_PLACE_WHOLE) {
        kind *= 0.5;
        middle_chance = 1.0;
    }
    double height_m = STOREY_M * (4 + rcity_city_pick(key, 1, 4)) + rcity_city_between(key, 2, 0.5, 2.5);
    if (house->place == RCITY_CITY_PLACE_YARD) {
        height_m = rcity_city_between(key, 1, 4.0, 9.0);
    } else if (kind < tower_chance) {
        height_m = 62.0 / (1.0 - 0.69 * rcity_city_uniform(key, 1)); /* 62 to 200, few of them high */
    } else if (kind < tower_chance + middle_chance) {
        height_m = STOREY_M * (8 + rcity_city_pick(key, 1, 10)) + 2.0;
    }
    double podium_m = STOREY_M * (4 + rcity_city_pick(key, 3, 7)) + 2.0;
    return rcity_city_tower_build(maker->draft, house, height_m, podium_m, 75.0);
}

static rcity_city_style grid_style(grid_maker *maker, const rcity_city_polygon *block, uint64_t key)
{
    double depth = floor(0.5 * rcity_city_polygon_width(block) - rcity_city_between(key, 50, 3.5, 8.0));
    double size = maker->density + rcity_city_between(key, 51, -0.15, 0.25);
    rcity_city_style style = {
        .lot_min_m = size < 0.2   ? 6.0
                     : size < 0.5 ? 9.0
                                  : 15.0,
        .lot_max_m = size < 0.2   ? 13.0
                     : size < 0.5 ? 22.0
                                  : 34.0,
        .depth_m = depth < 14.0   ? 14
                   : depth > 30.0 ? 30
                                  : (int)depth,
        .depth_less_m = 6,
        .depth_more_m = 2,
        .has_square_corners = true,
        .vacant_chance = 0.025,
        .passage_chance = 0.01,
        .setback_chance = size < 0.2 ? 0.05 : 0.02,
        .wing_chance = 0.12,
        .yard_chance = 0.04,
        .build = build_grid_house,
        .maker = maker,
    };
    return style;
}

static bool is_rectangle(const rcity_city_polygon *block)
{
    double west, east, south, north;
    rcity_city_polygon_extent(block, rcity_city_point_at(1.0, 0.0), &west, &east);
    rcity_city_polygon_extent(block, rcity_city_point_at(0.0, 1.0), &south, &north);
    return rcity_city_polygon_area(block) > 0.999 * (east - west) * (north - south);
}

/* Large lots from street to street. */
static rcity_status build_through_lots(grid_maker *maker, const rcity_city_polygon *block, uint64_t key)
{
    rcity_city_point east = {1.0, 0.0};
    double low, high;
    rcity_city_polygon_extent(block, east, &low, &high);
    int count = (int)((high - low) / rcity_city_between(key, 60, 45.0, 90.0) + 0.5);
    count = count < 1 ? 1 : count;
    double from = low;
    for (int i = 0; i < count; i++) {
        double jitter = i + 1 < count ? rcity_city_between(key, 61 + i, -0.2, 0.2) : 0.0;
        double to = low + (high - low) * (i + 1 + jitter) / count;
        to = floor(to * 128.0 + 0.5) / 128.0; /* on the grid, so that both neighbours have exactly the same point */
        rcity_city_polygon lot = *block;
        rcity_city_half_plane after = {east, from};
        rcity_city_half_plane before = {rcity_city_point_at(-1.0, 0.0), -to};
        if (i > 0) {
            rcity_city_polygon_clip(&lot, &after, 0.0, 0);
        }
        if (i + 1 < count) {
            rcity_city_polygon_clip(&lot, &before, 0.0, 0);
        }
        rcity_city_outline outline = rcity_city_outline_from(&lot);
        rcity_city_house house = {.key = rcity_city_key(key, i), .place = RCITY_CITY_PLACE_WHOLE, .outline = &outline};
        house.core = lot;
        RCITY_TRY(build_grid_house(maker, &house));
        from = to;
    }
    return RCITY_OK;
}

static rcity_status build_grid_block(grid_maker *maker, rcity_city_polygon *block, bool is_at_corner, uint64_t key)
{
    bool is_built = false;
    rcity_city_block_tidy(block);
    if (block->count == 0) {
        return RCITY_OK;
    }
    maker->density = find_density(maker, rcity_city_polygon_centroid(block));
    double use = is_at_corner ? 1.0 : rcity_city_uniform(key, 0);
    if (use < 0.012) {
        return RCITY_OK; /* a plaza */
    }
    if (use < 0.03) {
        RCITY_TRY(rcity_city_palace_build(maker->draft, block, key, &is_built));
    } else if (use < 0.07 && maker->density < 0.35) {
        return rcity_city_crosses_build(maker->draft, block, key);
    } else if (is_rectangle(block) && use < 0.07 + 0.5 * maker->density * maker->density) {
        return build_through_lots(maker, block, key);
    }
    if (is_built) {
        return RCITY_OK;
    }
    rcity_city_style style = grid_style(maker, block, key);
    return rcity_city_block_build(block, &style, key);
}

/* The block between two avenues and two streets, in two parts where Broadway crosses it. */
static rcity_status build_grid_cell(grid_maker *maker, int column, int row)
{
    const grid_strips *avenues = &maker->avenues;
    const grid_strips *streets = &maker->streets;
    bool is_at_corner = (column == 0 || column + 1 == avenues->count) && (row == 0 || row + 1 == streets->count);
    uint64_t key = rcity_city_key(rcity_city_key(maker->draft->seed, KEY_BLOCK), (int64_t)row << 32 | column);
    double west = avenues->line_m[column] + avenues->half_street_m[column];
    double east = avenues->line_m[column + 1] - avenues->half_street_m[column + 1];
    double south = streets->line_m[row] + streets->half_street_m[row];
    double north = streets->line_m[row + 1] - streets->half_street_m[row + 1];
    rcity_city_point corner[4] = {{west, south}, {east, south}, {east, north}, {west, north}};
    rcity_city_polygon block = {.count = 4};
    for (int i = 0; i < 4; i++) {
        block.corner[i] = corner[i];
    }
    for (int side = 0; side < 2; side++) {
        rcity_city_polygon part = block;
        rcity_city_half_plane bank = maker->broadway;
        if (side == 1) {
            bank.normal = rcity_city_point_at(-bank.normal.x, -bank.normal.y);
            bank.offset_m = -bank.offset_m;
        }
        bank.offset_m += 0.5 * BROADWAY_M;
        rcity_city_polygon_clip(&part, &bank, 0.0, 0);
        RCITY_TRY(build_grid_block(maker, &part, is_at_corner, rcity_city_key(key, side)));
    }
    return RCITY_OK;
}

rcity_status rcity_city_make_grid(rcity_city_draft *draft)
{
    grid_maker maker = {.draft = draft};
    make_streets(&maker);
    make_centres(&maker);
    make_park(&maker);
    for (int row = 0; row < maker.streets.count; row++) {
        for (int column = 0; column < maker.avenues.count; column++) {
            bool is_park = column >= maker.park_west && column < maker.park_east && row >= maker.park_south &&
                           row < maker.park_north;
            if (!is_park) {
                RCITY_TRY(build_grid_cell(&maker, column, row));
            }
        }
        RCITY_TRY(rcity_city_progress(draft, (double)row / maker.streets.count));
    }
    return RCITY_OK;
}
