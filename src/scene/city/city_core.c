/* European centre: the blocks of the plan's quarters and what is built on them. */
#include "scene/city/city_plan.h"

#include "scene/city/city_block.h"
#include "scene/city/city_landmark.h"
#include "scene/city/city_noise.h"
#include "scene/city/city_random.h"

enum { KEY_QUARTER = 20, KEY_HEIGHT, KEY_SIZE };

#define DIVISION_MAX 8
#define STOREY_M     3.3

/* State while one quarter is built. */
typedef struct core_maker {
    rcity_city_draft *draft;
    rcity_city_point centre; /* of the city */
    bool is_old;             /* small blocks, narrow streets: the old town, or a village within the city */
    double storeys;          /* of the current block */
} core_maker;

static rcity_status build_core_house(void *user, const rcity_city_house *house)
{
    const core_maker *maker = user;
    double storeys = maker->storeys + rcity_city_between(house->key, 0, -1.2, 1.2);
    if (house->place == RCITY_CITY_PLACE_CORNER) {
        storeys += rcity_city_uniform(house->key, 1);
    } else if (house->place == RCITY_CITY_PLACE_YARD) {
        storeys = rcity_city_between(house->key, 1, 1.2, 3.2);
    }
    storeys = floor(storeys + 0.5);
    double height_m = (storeys < 1.0 ? 1.0 : storeys) * STOREY_M + rcity_city_between(house->key, 2, 0.5, 3.0);
    return rcity_city_add(maker->draft, rcity_city_next_id(maker->draft), house->outline, house->hole, height_m);
}

static rcity_city_style core_style(core_maker *maker, uint64_t key)
{
    bool is_old = maker->is_old;
    rcity_city_style style = {
        .lot_min_m = is_old ? 9.0 : 13.0,
        .lot_max_m = is_old ? 17.0 : 24.0,
        .depth_m = (is_old ? 10 : 11) + rcity_city_pick(key, 50, 3),
        .depth_less_m = 2,
        .depth_more_m = 3,
        .bend_m = rcity_city_chance(key, 51, is_old ? 0.8 : 0.35) ? 3.0 : 0.0,
        .vacant_chance = 0.02,
        .passage_chance = 0.07,
        .setback_chance = 0.02,
        .wing_chance = is_old ? 0.30 : 0.42,
        .recess_chance = is_old ? 0.14 : 0.08,
        .yard_chance = rcity_city_between(key, 52, 0.1, 0.75),
        .build = build_core_house,
        .maker = maker,
    };
    return style;
}

/* Does a cell touch a corner of the city? Such cells are always built up, so that the scene has the requested size. */
static bool is_at_city_corner(const core_maker *maker, const rcity_city_polygon *cell)
{
    double side = maker->draft->side_m;
    for (int i = 0; i < cell->count; i++) {
        rcity_city_point corner = cell->corner[i];
        if ((corner.x <= 0.0 || corner.x >= side) && (corner.y <= 0.0 || corner.y >= side)) {
            return true;
        }
    }
    return false;
}

static rcity_status build_block(core_maker *maker, const rcity_city_polygon *cell, uint64_t key)
{
    rcity_city_polygon block = rcity_city_polygon_inset(cell, 0.0);
    bool is_at_corner = is_at_city_corner(maker, cell);
    bool is_built = false;
    double use = is_at_corner ? 1.0 : rcity_city_uniform(key, 60);
    if (!maker->is_old && !is_at_corner && rcity_city_chance(key, 61, 0.12)) {
        rcity_city_polygon_chamfer(&block, -0.2, 10.0);
    }
    rcity_city_block_tidy(&block);
    if (block.count == 0) {
        return RCITY_OK;
    }
    if (!is_at_corner && rcity_city_polygon_contains(cell, maker->centre)) {
        return rcity_city_church_build(maker->draft, &block, 92.0, key);
    }
    if (use < (maker->is_old ? 0.04 : 0.02)) {
        return RCITY_OK; /* a square */
    }
    if (use < (maker->is_old ? 0.065 : 0.035)) {
        return rcity_city_church_build(maker->draft, &block, rcity_city_between(key, 62, 38.0, 62.0), key);
    }
    if (use < 0.11) {
        RCITY_TRY(rcity_city_palace_build(maker->draft, &block, key, &is_built));
    } else if (use < 0.15 && !maker->is_old) {
        return rcity_city_slabs_build(maker->draft, &block, key);
    }
    if (is_built) {
        return RCITY_OK;
    }
    rcity_city_point at = rcity_city_polygon_centroid(&block);
    double noise = rcity_city_noise(rcity_city_key(maker->draft->seed, KEY_HEIGHT), at.x / 350.0, at.y / 350.0);
    maker->storeys = (maker->is_old ? 3.9 : 4.9) + 1.6 * noise + rcity_city_between(key, 63, -0.5, 0.5);
    rcity_city_style style = core_style(maker, key);
    return rcity_city_block_build(&block, &style, key);
}

/* Area of a block and its share of the streets, below which it is not divided. */
static double block_area_m2(const core_maker *maker, const rcity_city_polygon *cell, uint64_t key)
{
    if (rcity_city_polygon_contains(cell, maker->centre)) {
        return 11000.0;
    }
    rcity_city_point at = rcity_city_polygon_centroid(cell);
    double noise = rcity_city_noise(rcity_city_key(maker->draft->seed, KEY_SIZE), at.x / 500.0, at.y / 500.0);
    double area =
        maker->is_old ? rcity_city_between(key, 0, 1700.0, 4200.0) : rcity_city_between(key, 0, 5500.0, 12500.0);
    return area * (0.7 + 0.6 * noise);
}

/* How much a piece looks like a block: compact, without sharp corners. */
static double piece_quality(const rcity_city_polygon *piece)
{
    double length = 0.0;
    double sharpest = 0.0;
    for (int i = 0; i < piece->count; i++) {
        double cosine = rcity_city_polygon_cosine(piece, i);
        length += rcity_city_polygon_edge_length(piece, i);
        sharpest = cosine > sharpest ? cosine : sharpest;
    }
    return piece->count == 0 ? -1.0 : 16.0 * rcity_city_polygon_area(piece) / (length * length) - 0.6 * sharpest;
}

/* The two parts of a cell on either side of a street. */
static void cut_cell(const rcity_city_polygon *cell, rcity_city_point axis, double at_m, double street_m,
                     rcity_city_polygon piece[2])
{
    rcity_city_half_plane half_plane[2] = {{axis, at_m}, {rcity_city_point_at(-axis.x, -axis.y), -at_m}};
    for (int i = 0; i < 2; i++) {
        piece[i] = *cell;
        rcity_city_polygon_clip(&piece[i], &half_plane[i], 0.5 * street_m, 0);
    }
}

/* Divide a cell by a street: the best of several that leave one of its edges nearly at a right angle. */
static void divide_cell(const core_maker *maker, const rcity_city_polygon *cell, uint64_t key,
                        rcity_city_polygon piece[2])
{
    bool is_old = maker->is_old;
    double street_m = is_old ? rcity_city_between(key, 1, 8.0, 10.5) : rcity_city_between(key, 1, 11.0, 15.0);
    double slant_max = is_old ? 0.25 : 0.08;
    double best = -HUGE_VAL;
    for (int i = 0; i < (is_old ? 6 : 10); i++) {
        rcity_city_polygon tried[2];
        uint64_t try_key = rcity_city_key(key, 10 + i);
        rcity_city_point axis = rcity_city_polygon_direction(cell, rcity_city_pick(try_key, 0, cell->count));
        double slant = rcity_city_between(try_key, 1, -slant_max, slant_max);
        axis = rcity_city_point_unit(axis.x - slant * axis.y, axis.y + slant * axis.x);
        double low, high;
        rcity_city_polygon_extent(cell, axis, &low, &high);
        cut_cell(cell, axis, low + (high - low) * rcity_city_between(try_key, 2, 0.38, 0.62), street_m, tried);
        double quality =
            piece_quality(&tried[0]) < piece_quality(&tried[1]) ? piece_quality(&tried[0]) : piece_quality(&tried[1]);
        if (quality > best) {
            best = quality;
            piece[0] = tried[0];
            piece[1] = tried[1];
        }
    }
}

/* Divide a quarter until the pieces are blocks, and build them up. */
static rcity_status build_cell(core_maker *maker, const rcity_city_polygon *cell, uint64_t key, int depth)
{
    if (cell->count == 0) {
        return RCITY_OK;
    }
    if (depth == DIVISION_MAX || rcity_city_polygon_area(cell) < block_area_m2(maker, cell, key)) {
        return build_block(maker, cell, key);
    }
    rcity_city_polygon piece[2];
    divide_cell(maker, cell, key, piece);
    RCITY_TRY(build_cell(maker, &piece[0], rcity_city_key(key, 2), depth + 1));
    return build_cell(maker, &piece[1], rcity_city_key(key, 3), depth + 1);
}

rcity_status rcity_city_make_core(rcity_city_draft *draft)
{
    rcity_city_plan plan;
    rcity_status status = rcity_city_plan_init(draft, &plan);
    for (int i = 0; i < plan.quarter_count && status == RCITY_OK; i++) {
        uint64_t key = rcity_city_key(rcity_city_key(draft->seed, KEY_QUARTER), i);
        int zone = plan.quarters[i].zone;
        core_maker maker = {.draft = draft, .centre = plan.centre};
        maker.is_old = zone == 0 || (zone > 1 && rcity_city_chance(key, 41, 0.06));
        rcity_city_polygon cell = rcity_city_plan_cell(draft, &plan, i);
        bool is_park = zone > 0 && rcity_city_chance(key, 40, 0.05) && !is_at_city_corner(&maker, &cell);
        if (!is_park) {
            status = build_cell(&maker, &cell, key, 0);
        }
        if (status == RCITY_OK && i % 16 == 0) {
            status = rcity_city_progress(draft, (double)i / plan.quarter_count);
        }
    }
    rcity_city_plan_deinit(draft, &plan);
    return status;
}
