/* Blocks: cleaning, the choice between courtyard and rows, and what stands in courtyards. */
#include "scene/city/city_block.h"

#include "scene/city/city_random.h"

/* A block smaller than this stays empty. */
#define BLOCK_WIDTH_MIN_M 9.0
#define BLOCK_AREA_MIN_M2 140.0

/* Courtyard buildings: the distance between two, and the size below which a place is not divided further. */
#define YARD_GAP_M        3.0
#define YARD_PIECE_M2     400.0
#define YARD_DIVISION_MAX 5

void rcity_city_block_tidy(rcity_city_polygon *block)
{
    rcity_city_polygon_simplify(block, 5.0);
    rcity_city_polygon_chamfer(block, 0.55, 7.5); /* 0.55: sharper than 57 degrees */
    rcity_city_polygon_simplify(block, 4.0);
    bool is_sliver =
        rcity_city_polygon_width(block) < BLOCK_WIDTH_MIN_M || rcity_city_polygon_area(block) < BLOCK_AREA_MIN_M2;
    for (int i = 0; i < block->count; i++) {
        is_sliver = is_sliver || rcity_city_polygon_cosine(block, i) > 0.9; /* still sharper than 26 degrees */
    }
    if (is_sliver) {
        block->count = 0;
    }
}

rcity_status rcity_city_block_build(const rcity_city_polygon *block, const rcity_city_style *style, uint64_t key)
{
    bool is_built = false;
    if (block->count == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_city_perimeter_build(block, style, key, &is_built));
    return is_built ? RCITY_OK : rcity_city_slices_build(block, style, key);
}

/* A rectangle or an L along the longest edge of the piece, as large as fits around its centroid. */
static bool lay_out_yard_house(const rcity_city_polygon *piece, uint64_t key, rcity_city_outline *outline)
{
    rcity_city_point axis = rcity_city_polygon_direction(piece, rcity_city_polygon_longest_edge(piece));
    rcity_city_point centre = rcity_city_polygon_centroid(piece);
    double length = rcity_city_between(key, 1, 8.0, 30.0);
    double width = rcity_city_between(key, 2, 6.0, 13.0);
    bool is_inside = false;
    rcity_city_polygon footprint;
    for (; !is_inside && length >= 6.0 && width >= 4.5; length *= 0.85, width *= 0.93) {
        footprint = rcity_city_polygon_rectangle(centre, axis, 0.5 * length, 0.5 * width, 0.0);
        is_inside = true;
        for (int i = 0; i < footprint.count; i++) {
            is_inside = is_inside && rcity_city_polygon_contains(piece, footprint.corner[i]);
        }
    }
    if (!is_inside) {
        return false;
    }
    *outline = rcity_city_outline_from(&footprint);
    if (length > 9.0 && width > 6.0 && rcity_city_chance(key, 3, 0.35)) { /* corner 2 is replaced by a notch */
        rcity_city_point notch = rcity_city_point_move(footprint.corner[2], axis, -0.45 * length);
        outline->count = 2;
        rcity_city_outline_push(outline,
                                rcity_city_point_move(footprint.corner[2], rcity_city_point_left(axis), -0.4 * width));
        rcity_city_outline_push(outline, rcity_city_point_move(notch, rcity_city_point_left(axis), -0.4 * width));
        rcity_city_outline_push(outline, notch);
        rcity_city_outline_push(outline, footprint.corner[3]);
    }
    return true;
}

static rcity_status build_yard_piece(const rcity_city_polygon *piece, const rcity_city_style *style, uint64_t key)
{
    rcity_city_outline outline;
    if (!rcity_city_chance(key, 0, style->yard_chance) || !lay_out_yard_house(piece, key, &outline)) {
        return RCITY_OK;
    }
    rcity_city_house house = {.key = key, .place = RCITY_CITY_PLACE_YARD, .outline = &outline};
    return style->build(style->maker, &house);
}

/* Divide the room across its longer side until the pieces are small; some of them are built up. */
static rcity_status divide_yard(const rcity_city_polygon *room, const rcity_city_style *style, uint64_t key, int depth)
{
    double area = rcity_city_polygon_area(room);
    if (area < YARD_PIECE_M2 || depth == YARD_DIVISION_MAX) {
        return build_yard_piece(room, style, key);
    }
    rcity_city_point axis = rcity_city_polygon_direction(room, rcity_city_polygon_longest_edge(room));
    double low, high;
    rcity_city_polygon_extent(room, axis, &low, &high);
    double across_low, across_high;
    rcity_city_polygon_extent(room, rcity_city_point_left(axis), &across_low, &across_high);
    if (across_high - across_low > high - low + 1e-6) {
        axis = rcity_city_point_left(axis);
        low = across_low;
        high = across_high;
    }
    double cut = low + (high - low) * rcity_city_between(key, 1, 0.35, 0.65);
    for (int side = 0; side < 2; side++) {
        rcity_city_polygon piece = *room;
        rcity_city_half_plane half_plane = {axis, cut + 0.5 * YARD_GAP_M};
        if (side == 1) {
            half_plane.normal = rcity_city_point_at(-axis.x, -axis.y);
            half_plane.offset_m = -cut + 0.5 * YARD_GAP_M;
        }
        rcity_city_polygon_clip(&piece, &half_plane, 0.0, 0);
        if (piece.count > 0) {
            RCITY_TRY(divide_yard(&piece, style, rcity_city_key(key, 2 + side), depth + 1));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_city_yard_build(const rcity_city_polygon *room, const rcity_city_style *style, uint64_t key)
{
    if (room->count == 0 || style->yard_chance <= 0.0) {
        return RCITY_OK;
    }
    return divide_yard(room, style, key, 0);
}
