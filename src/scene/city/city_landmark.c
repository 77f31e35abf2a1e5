/* Churches, palaces, slabs, cross-shaped towers. */
#include "scene/city/city_landmark.h"

#include "scene/city/city_random.h"

/* Distance of inner structures from the walls of the building around them. */
#define INNER_DISTANCE_M 1.0

/* A cross-shaped church in units of half its nave's width: along the axis from the west front at 0, and across. The
   apse starts at 1 and is stretched to the church's length. */
typedef struct church_corner {
    double along_nave, along_choir, across; /* parts of the length of nave and choir; half widths of the nave */
} church_corner;

static const church_corner church_corners[] = {
    {0.00, 0.00, -1.0}, {1.00, 0.00, -1.0}, {1.00, 0.00, -1.8}, {1.00, 0.30, -1.8},
    {1.00, 0.30, -1.0}, {1.00, 0.70, -1.0}, {1.00, 0.92, -0.7}, {1.00, 1.00, -0.25},
    {1.00, 1.00, 0.25}, {1.00, 0.92, 0.7},  {1.00, 0.70, 1.0},  {1.00, 0.30, 1.0},
    {1.00, 0.30, 1.8},  {1.00, 0.00, 1.8},  {1.00, 0.00, 1.0},  {0.00, 0.00, 1.0},
};

#define CHURCH_CORNER_COUNT ((int)(sizeof church_corners / sizeof church_corners[0]))

typedef struct church {
    rcity_city_point west; /* middle of the west front */
    rcity_city_point axis;
    double length_m, half_width_m;
} church;

static rcity_city_point church_point(const church *c, double along_m, double across_m)
{
    rcity_city_point point = rcity_city_point_move(c->west, c->axis, along_m);
    return rcity_city_point_move(point, rcity_city_point_left(c->axis), across_m);
}

/* Lay the church out around the block's centroid. @return false when it leaves the block. */
static bool lay_out_church(const church *c, const rcity_city_polygon *room, rcity_city_outline *outline)
{
    outline->count = 0;
    for (int i = 0; i < CHURCH_CORNER_COUNT; i++) {
        const church_corner *corner = &church_corners[i];
        double along = c->length_m * (0.58 * corner->along_nave + 0.42 * corner->along_choir);
        rcity_city_point point = church_point(c, along, corner->across * c->half_width_m);
        if (!rcity_city_polygon_contains(room, point)) {
            return false;
        }
        rcity_city_outline_push(outline, point);
    }
    return true;
}

/* The largest church that fits, along the parallel if possible (choirs face east), else along an edge of the block. */
static bool fit_church(church *c, const rcity_city_polygon *block, double length_m, rcity_city_outline *outline)
{
    rcity_city_polygon room = rcity_city_polygon_shrink(block, 3.0);
    rcity_city_point centre = rcity_city_polygon_centroid(block);
    for (int sixteenths = 16; sixteenths >= 7; sixteenths--) {
        for (int i = -1; i < block->count; i++) {
            c->axis = i < 0 ? rcity_city_point_unit(1.0, 0.12) : rcity_city_polygon_direction(block, i);
            c->length_m = length_m * sixteenths / 16.0;
            c->half_width_m = c->length_m * 0.15;
            c->west = rcity_city_point_move(centre, c->axis, -0.5 * c->length_m);
            if (lay_out_church(c, &room, outline)) {
                return true;
            }
        }
    }
    return false;
}

rcity_status rcity_city_church_build(rcity_city_draft *draft, const rcity_city_polygon *block, double length_m,
                                     uint64_t key)
{
    church c;
    rcity_city_outline outline;
    if (!fit_church(&c, block, length_m, &outline) || c.length_m < 22.0) {
        return RCITY_OK;
    }
    int64_t id = rcity_city_next_id(draft);
    double nave_m = 8.0 + 1.1 * c.half_width_m + rcity_city_between(key, 0, 0.0, 4.0);
    double tower_m = 16.0 + 0.6 * c.length_m + rcity_city_between(key, 1, 0.0, 14.0);
    RCITY_TRY(rcity_city_add(draft, id, &outline, NULL, nave_m));
    int tower_count = c.half_width_m > 8.0 ? 2 : 1;
    double half = tower_count == 2 ? 0.34 * c.half_width_m : 0.5 * c.half_width_m;
    for (int i = 0; i < tower_count; i++) {
        double across = tower_count == 1 ? 0.0 : (i == 0 ? 1.0 : -1.0) * (c.half_width_m - half - INNER_DISTANCE_M);
        rcity_city_point centre = church_point(&c, half + INNER_DISTANCE_M, across);
        rcity_city_polygon tower = rcity_city_polygon_rectangle(centre, c.axis, half, half, 0.0);
        rcity_city_outline tower_outline = rcity_city_outline_from(&tower);
        RCITY_TRY(rcity_city_add(draft, id, &tower_outline, NULL, tower_m + (i == 0 ? 0.0 : 2.5)));
    }
    return RCITY_OK;
}

rcity_status rcity_city_palace_build(rcity_city_draft *draft, const rcity_city_polygon *block, uint64_t key,
                                     bool *is_built)
{
    rcity_city_polygon outer = rcity_city_polygon_shrink(block, rcity_city_between(key, 0, 0.0, 4.0));
    rcity_city_polygon_simplify(&outer, 4.0);
    double depth_m = rcity_city_between(key, 1, 12.0, 16.0);
    rcity_city_polygon inner = rcity_city_polygon_shrink(&outer, depth_m);
    rcity_city_polygon_simplify(&inner, 3.0);
    rcity_city_polygon_chamfer(&inner, 0.6, 5.0);
    rcity_city_polygon_simplify(&inner, 1.5);
    if (rcity_city_polygon_width(&inner) < 9.0 || rcity_city_polygon_area(&inner) < 150.0) {
        return RCITY_OK;
    }
    *is_built = true;
    int64_t id = rcity_city_next_id(draft);
    double height_m = rcity_city_between(key, 2, 16.0, 26.0);
    rcity_city_outline outline = rcity_city_outline_from(&outer);
    rcity_city_outline hole = rcity_city_outline_from(&inner);
    RCITY_TRY(rcity_city_add(draft, id, &outline, &hole, height_m));
    if (!rcity_city_chance(key, 3, 0.4)) {
        return RCITY_OK;
    }
    int front = rcity_city_polygon_longest_edge(&outer);
    rcity_city_point axis = rcity_city_polygon_direction(&outer, front);
    rcity_city_point middle =
        rcity_city_point_move(outer.corner[front], axis, 0.5 * rcity_city_polygon_edge_length(&outer, front));
    middle = rcity_city_point_move(middle, rcity_city_point_left(axis), 0.5 * depth_m);
    rcity_city_polygon tower = rcity_city_polygon_rectangle(middle, axis, 4.0, 4.0, 0.0);
    rcity_city_outline tower_outline = rcity_city_outline_from(&tower);
    return rcity_city_add(draft, id, &tower_outline, NULL, height_m + rcity_city_between(key, 4, 10.0, 40.0));
}

/* The range across the axis of the polygon's section at `at_m`; empty (low above high) outside. */
static void find_section(const rcity_city_polygon *polygon, rcity_city_point axis, double at_m, double *low_m,
                         double *high_m)
{
    *low_m = HUGE_VAL;
    *high_m = -HUGE_VAL;
    for (int i = 0; i < polygon->count; i++) {
        rcity_city_point a = polygon->corner[i];
        rcity_city_point b = rcity_city_polygon_corner(polygon, i + 1);
        double at_a = rcity_city_point_dot(a, axis) - at_m;
        double at_b = rcity_city_point_dot(b, axis) - at_m;
        if ((at_a < 0.0) != (at_b < 0.0)) {
            rcity_city_point crossing = rcity_city_point_move(a, rcity_city_point_subtract(b, a), at_a / (at_a - at_b));
            double across = rcity_city_point_dot(crossing, rcity_city_point_left(axis));
            *low_m = across < *low_m ? across : *low_m;
            *high_m = across > *high_m ? across : *high_m;
        }
    }
}

rcity_status rcity_city_slabs_build(rcity_city_draft *draft, const rcity_city_polygon *block, uint64_t key)
{
    rcity_city_polygon room = rcity_city_polygon_shrink(block, 4.0);
    if (room.count == 0) {
        return RCITY_OK;
    }
    rcity_city_point axis = rcity_city_polygon_direction(&room, rcity_city_polygon_longest_edge(&room));
    double depth_m = rcity_city_between(key, 0, 10.5, 13.0);
    double pitch_m = depth_m + rcity_city_between(key, 1, 16.0, 24.0);
    double height_m = 3.0 * (4 + rcity_city_pick(key, 2, 6)) + 1.0;
    double low, high;
    rcity_city_polygon_extent(&room, axis, &low, &high);
    for (int i = 0; low + 0.5 + i * pitch_m + depth_m < high; i++) {
        double at = low + 0.5 + i * pitch_m;
        double from, to, far_from, far_to;
        find_section(&room, axis, at, &from, &to);
        find_section(&room, axis, at + depth_m, &far_from, &far_to);
        from = far_from > from ? far_from : from;
        to = far_to < to ? far_to : to;
        if (to - from < 18.0) {
            continue;
        }
        rcity_city_point across = rcity_city_point_left(axis);
        rcity_city_point centre = rcity_city_point_move(rcity_city_point_at(0.0, 0.0), axis, at + 0.5 * depth_m);
        centre = rcity_city_point_move(centre, across, 0.5 * (from + to));
        rcity_city_polygon slab = rcity_city_polygon_rectangle(centre, axis, 0.5 * depth_m, 0.5 * (to - from), 0.0);
        RCITY_TRY(rcity_city_add_polygon(draft, &slab, height_m));
    }
    return RCITY_OK;
}

/* A cross of four equal arms. */
static rcity_city_outline lay_out_cross(rcity_city_point centre, rcity_city_point axis, double arm_m, double half_m)
{
    rcity_city_outline outline;
    outline.count = 0;
    for (int i = 0; i < 4; i++) {
        rcity_city_point left = rcity_city_point_left(axis);
        rcity_city_point tip = rcity_city_point_move(centre, axis, arm_m);
        rcity_city_outline_push(&outline, rcity_city_point_move(tip, left, -half_m));
        rcity_city_outline_push(&outline, rcity_city_point_move(tip, left, half_m));
        rcity_city_outline_push(&outline,
                                rcity_city_point_move(rcity_city_point_move(centre, axis, half_m), left, half_m));
        axis = left;
    }
    return outline;
}

rcity_status rcity_city_crosses_build(rcity_city_draft *draft, const rcity_city_polygon *block, uint64_t key)
{
    double arm_m = rcity_city_between(key, 0, 15.0, 19.0);
    double half_m = rcity_city_between(key, 1, 5.5, 7.0);
    double height_m = 2.9 * (10 + rcity_city_pick(key, 2, 12));
    double pitch_m = 2.0 * arm_m + rcity_city_between(key, 3, 14.0, 24.0);
    rcity_city_polygon room = rcity_city_polygon_shrink(block, arm_m + 3.0);
    if (room.count == 0) {
        return RCITY_OK;
    }
    rcity_city_point axis = rcity_city_polygon_direction(&room, rcity_city_polygon_longest_edge(&room));
    double low, high, across_low, across_high;
    rcity_city_polygon_extent(&room, axis, &low, &high);
    rcity_city_polygon_extent(&room, rcity_city_point_left(axis), &across_low, &across_high);
    for (int i = 0; low + i * pitch_m <= high; i++) {
        double along = low + i * pitch_m;
        double across = rcity_city_between(key, 10 + i, across_low, across_high);
        rcity_city_point centre =
            rcity_city_point_at(axis.x * along - axis.y * across, axis.y * along + axis.x * across);
        if (rcity_city_polygon_contains(&room, centre)) {
            rcity_city_outline outline = lay_out_cross(centre, axis, arm_m, half_m);
            RCITY_TRY(rcity_city_add(draft, rcity_city_next_id(draft), &outline, NULL, height_m));
        }
    }
    return RCITY_OK;
}
