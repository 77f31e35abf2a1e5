/* A line against the walls of one cell, decided by signs of 64-bit integers. */
#ifndef RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_WALLS_H
#define RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_WALLS_H

#include "kernel/visibility/sight/sight_line.h"

/* Below this a denominator times a difference of heights (under 2^22) fits 64 bits. */
#define RCITY_SIGHT_NARROW ((rcity_i64)1 << 40)

/* The roof over a wall. */
RCITY_KERNEL rcity_i32 rcity_sight_roof(rcity_i32 floor, rcity_sight_wall wall)
{
    return floor + ((wall.px & 255) | (wall.py & 255) << 8 | (wall.qx & 255) << 16);
}

/* Where the list of a cell that has one starts. */
RCITY_KERNEL rcity_u32 rcity_sight_list(const rcity_sight_view *view, rcity_u32 cell)
{
    rcity_u32 base = view->lists[cell >> RCITY_SIGHT_RUN_SHIFT];
    rcity_u32 offset = view->raster[(rcity_u32)view->map.offset_first + cell];
    return offset != RCITY_SIGHT_FAR_LIST ? base + offset - 1
                                          : view->lists[base + (cell & (RCITY_SIGHT_RUN_CELLS - 1))];
}

/* Is the line at the fraction num / den below a roof? 0 <= num <= den. */
RCITY_KERNEL int rcity_sight_is_below(const rcity_sight_line *line, rcity_i64 num, rcity_i64 den, rcity_i32 roof)
{
    rcity_i64 room = (rcity_i64)roof - line->az;
    if (den < RCITY_SIGHT_NARROW) {
        return line->dz * num < room * den;
    }
    return rcity_product_is_less(line->dz, num, room, den);
}

/* On which side of the line a point lies, given relative to the line's start: positive on the left. */
RCITY_KERNEL rcity_i64 rcity_sight_side(const rcity_sight_line *line, rcity_i32 x, rcity_i32 y)
{
    return (rcity_i64)line->dx * y - (rcity_i64)line->dy * x;
}

/* How far along the line a point on it lies: in units of its longer axis, whose length is *whole. */
RCITY_KERNEL rcity_i64 rcity_sight_along(const rcity_sight_line *line, rcity_i32 x, rcity_i32 y, rcity_i64 *whole)
{
    rcity_i64 width = rcity_sight_size(line->dx);
    rcity_i64 depth = rcity_sight_size(line->dy);
    *whole = width >= depth ? width : depth;
    if (width >= depth) {
        return line->dx >= 0 ? x : -(rcity_i64)x;
    }
    return line->dy >= 0 ? y : -(rcity_i64)y;
}

/* For a wall along the line: is it a seam, with the line inside it and below the lower roof anywhere? */
RCITY_KERNEL int rcity_sight_seams_block(const rcity_sight_view *view, const rcity_sight_line *line, rcity_i32 seam,
                                         rcity_i32 count)
{
    for (rcity_i32 i = 0; i < count; i++) {
        RCITY_GLOBAL const rcity_i32 *piece = view->details + seam + i * RCITY_SIGHT_SEAM_COUNT;
        rcity_i64 whole = 1;
        rcity_i64 p = rcity_sight_along(line, piece[0] - line->ax, piece[1] - line->ay, &whole);
        rcity_i64 q = rcity_sight_along(line, piece[2] - line->ax, piece[3] - line->ay, &whole);
        rcity_i64 begin = p < q ? p : q;
        rcity_i64 end = p < q ? q : p;
        begin = begin > 0 ? begin : 0;
        end = end < whole ? end : whole;
        if (begin < end && rcity_sight_is_below(line, begin, whole, piece[4])) {
            return 1;
        }
    }
    return 0;
}

/* The line passes exactly through the start of a wall, at (px, py) from the line's start; q_side is the side of the
   wall's end. The prism covers both sides of the line beyond that corner if the line's direction points into the
   corner's solid angle, which runs from the wall itself counter-clockwise to the wall before it. */
RCITY_KERNEL_APART rcity_sight_answer rcity_sight_corner(const rcity_sight_view *view, const rcity_sight_line *line,
                                                         rcity_u32 wall, rcity_i32 px, rcity_i32 py, rcity_i64 q_side,
                                                         rcity_i32 roof)
{
    RCITY_GLOBAL const rcity_i32 *detail = view->details + wall * RCITY_SIGHT_DETAIL_COUNT;
    rcity_i64 whole = 1;
    rcity_i64 along = rcity_sight_along(line, px, py, &whole);
    if (along >= 0 && along < whole && rcity_sight_is_below(line, along, whole, roof)) {
        rcity_i32 turn = detail[RCITY_SIGHT_DETAIL_TURN];
        if (turn == RCITY_SIGHT_TURN_KNOT) {
            return RCITY_SIGHT_LOOK_CLOSELY;
        }
        rcity_i64 before_side =
            rcity_sight_side(line, detail[RCITY_SIGHT_DETAIL_X] - line->ax, detail[RCITY_SIGHT_DETAIL_Y] - line->ay);
        int is_inside = turn > 0    ? before_side > 0 && q_side < 0
                        : turn == 0 ? q_side < 0
                                    : before_side > 0 || q_side < 0;
        if (is_inside) {
            return RCITY_SIGHT_BLOCKED;
        }
    }
    if (q_side == 0 &&
        rcity_sight_seams_block(view, line, detail[RCITY_SIGHT_DETAIL_SEAM], detail[RCITY_SIGHT_DETAIL_SEAM_COUNT])) {
        return RCITY_SIGHT_BLOCKED;
    }
    return RCITY_SIGHT_FREE;
}

/* Does the line, which is not vertical, enter the prism through this wall below its roof? It does if the wall's ends
   lie strictly on both sides of the line, the first on the left (the line enters), and the line's ends lie on both
   sides of the wall, the lower one on the outer side or on the wall itself. */
RCITY_KERNEL int rcity_sight_wall_blocks(const rcity_sight_line *line, rcity_sight_wall wall, rcity_i32 roof)
{
    rcity_i32 px = (wall.px >> 8) - line->ax;
    rcity_i32 py = (wall.py >> 8) - line->ay;
    rcity_i32 qx = (wall.qx >> 8) - line->ax;
    rcity_i32 qy = (wall.qy >> 8) - line->ay;
    rcity_i64 p_side = rcity_sight_side(line, px, py);
    rcity_i64 q_side = rcity_sight_side(line, qx, qy);
    rcity_i64 den = p_side - q_side;
    rcity_i64 num = (rcity_i64)qx * py - (rcity_i64)qy * px; /* how far the start is on the outer side */
    return p_side > 0 && q_side < 0 && num >= 0 && num < den && rcity_sight_is_below(line, num, den, roof);
}

/* The walls of one cell that has a list: one by one, with corners and long lines. */
RCITY_KERNEL_APART rcity_sight_answer rcity_sight_cell_closely(const rcity_sight_view *view,
                                                               const rcity_sight_line *line, rcity_u32 cell)
{
    rcity_u32 place = rcity_sight_list(view, cell);
    rcity_u32 end = place + view->lists[place] / RCITY_SIGHT_REFERENCE_COUNT;
    rcity_sight_answer answer = RCITY_SIGHT_FREE;
    while (place < end && answer == RCITY_SIGHT_FREE) {
        rcity_u32 entry = view->lists[++place];
        rcity_u32 index = RCITY_SIGHT_ENTRY_WALL(entry);
        rcity_sight_wall wall = view->walls[index];
        rcity_i32 roof = rcity_sight_roof(view->map.floor, wall);
        rcity_i32 px = (wall.px >> 8) - line->ax;
        rcity_i32 py = (wall.py >> 8) - line->ay;
        if ((entry & RCITY_SIGHT_ENTRY_IS_TANGLED) != 0) {
            answer = RCITY_SIGHT_LOOK_CLOSELY;
        } else if ((entry & RCITY_SIGHT_ENTRY_IS_COVER) != 0) {
            break; /* no walls follow; the line has entered that prism elsewhere */
        } else if (rcity_sight_side(line, px, py) == 0) {
            rcity_i64 q_side = rcity_sight_side(line, (wall.qx >> 8) - line->ax, (wall.qy >> 8) - line->ay);
            answer = rcity_sight_corner(view, line, index, px, py, q_side, roof);
        } else if (rcity_sight_wall_blocks(line, wall, roof)) {
            answer = RCITY_SIGHT_BLOCKED;
        }
    }
    return answer;
}

/* The same for a line whose products fit 64 bits (map.narrow), which does for most cells: without a branch per wall,
   which no processor predicts. A corner on the line or an entry that is not a plain wall sends the cell to the function
   above. */
RCITY_KERNEL_APART rcity_sight_answer rcity_sight_cell_blocks(const rcity_sight_view *view,
                                                              const rcity_sight_line *line, rcity_u32 cell)
{
    rcity_u32 place = rcity_sight_list(view, cell);
    rcity_u32 end = place + view->lists[place] / RCITY_SIGHT_REFERENCE_COUNT;
    rcity_i64 dx = line->dx;
    rcity_i64 dy = line->dy;
    rcity_i64 dz = line->dz;
    rcity_i32 start = line->az - view->map.floor;
    int is_blocked = 0;
    int is_special = 0;
    while (place < end) {
        rcity_u32 entry = view->lists[++place];
        rcity_sight_wall wall = view->walls[RCITY_SIGHT_ENTRY_WALL(entry)];
        rcity_i64 px = (wall.px >> 8) - line->ax;
        rcity_i64 py = (wall.py >> 8) - line->ay;
        rcity_i64 qx = (wall.qx >> 8) - line->ax;
        rcity_i64 qy = (wall.qy >> 8) - line->ay;
        rcity_i64 p_side = dx * py - dy * px;
        rcity_i64 q_side = dx * qy - dy * qx;
        rcity_i64 den = p_side - q_side;
        rcity_i64 num = qx * py - qy * px;
        rcity_i64 room = ((wall.px & 255) | (wall.py & 255) << 8 | (wall.qx & 255) << 16) - start;
        is_blocked |= (p_side > 0) & (q_side < 0) & (num >= 0) & (num < den) & (dz * num < room * den);
        is_special |= (p_side == 0) | ((entry & (RCITY_SIGHT_ENTRY_IS_TANGLED | RCITY_SIGHT_ENTRY_IS_COVER)) != 0);
    }
    if (is_special) {
        return rcity_sight_cell_closely(view, line, cell);
    }
    return is_blocked ? RCITY_SIGHT_BLOCKED : RCITY_SIGHT_FREE;
}

/* A wall of a cell that has a list through which the line enters a prism below its roof, or -1. */
RCITY_KERNEL_APART rcity_i32 rcity_sight_cell_wall(const rcity_sight_view *view, const rcity_sight_line *line,
                                                   rcity_u32 cell)
{
    rcity_u32 place = rcity_sight_list(view, cell);
    rcity_u32 end = place + view->lists[place] / RCITY_SIGHT_REFERENCE_COUNT;
    while (place < end) {
        rcity_u32 entry = view->lists[++place];
        rcity_u32 index = RCITY_SIGHT_ENTRY_WALL(entry);
        rcity_sight_wall wall = view->walls[index];
        if ((entry & (RCITY_SIGHT_ENTRY_IS_TANGLED | RCITY_SIGHT_ENTRY_IS_COVER)) == 0 &&
            rcity_sight_wall_blocks(line, wall, rcity_sight_roof(view->map.floor, wall))) {
            return (rcity_i32)index;
        }
    }
    return -1;
}

/* The reference point of a cell, doubled so that it lies between grid points. */
RCITY_KERNEL rcity_i32 rcity_sight_reference(rcity_i32 corner, rcity_i32 cell_shift, rcity_i32 number, rcity_i32 step)
{
    return 2 * (corner + ((number * step + (step << 1)) & ((1 << cell_shift) - 1))) + 1;
}

#define RCITY_SIGHT_REFERENCE_STEP_X 37
#define RCITY_SIGHT_REFERENCE_STEP_Y 101

/* How a wall lies between the reference point and the line's start (to_x2, to_y2 from it, all doubled): 1 when it lies
   between them, which changes from outside to inside or back; 2 when the start is on it; otherwise 0. The reference
   point is on the line of no wall. A segment from it through corners is treated as moved to its left: then it meets
   none. */
RCITY_KERNEL int rcity_sight_parts(rcity_sight_wall wall, rcity_i32 x2, rcity_i32 y2, rcity_i64 to_x2, rcity_i64 to_y2)
{
    rcity_i64 px = 2 * (wall.px >> 8) - x2;
    rcity_i64 py = 2 * (wall.py >> 8) - y2;
    rcity_i64 qx = 2 * (wall.qx >> 8) - x2;
    rcity_i64 qy = 2 * (wall.qy >> 8) - y2;
    rcity_i64 p_side = to_x2 * py - to_y2 * px;
    rcity_i64 q_side = to_x2 * qy - to_y2 * qx;
    rcity_i64 reference_side = qy * px - qx * py; /* of the wall: (q - p) x (reference - p) */
    rcity_i64 start_side = reference_side + (qx - px) * to_y2 - (qy - py) * to_x2;
    if (start_side == 0) {
        rcity_i64 past_p = (to_x2 - px) * (qx - px) + (to_y2 - py) * (qy - py);
        rcity_i64 past_q = (to_x2 - qx) * (px - qx) + (to_y2 - qy) * (py - qy);
        return past_p >= 0 && past_q >= 0 ? 2 : 0;
    }
    return (p_side > 0) != (q_side > 0) && (reference_side > 0) != (start_side > 0);
}

/* The entries of the cell that a line starts in, none outside of the grid or without a list, and the cell's reference
   point. */
typedef struct rcity_sight_cell_list {
    rcity_u32 begin, end;
    rcity_i32 x2, y2;
} rcity_sight_cell_list;

RCITY_KERNEL rcity_sight_cell_list rcity_sight_start_list(const rcity_sight_view *view, const rcity_sight_line *line)
{
    const rcity_sight_grid *cells = &view->map.cells;
    rcity_sight_cell_list list;
    rcity_i32 x = line->ax - cells->west;
    rcity_i32 y = line->ay - cells->south;
    rcity_i32 column = x >> cells->shift;
    rcity_i32 row = y >> cells->shift;
    rcity_u32 cell = (rcity_u32)row * (rcity_u32)cells->stride + (rcity_u32)column;
    list.begin = 0;
    list.end = 0;
    list.x2 = 0;
    list.y2 = 0;
    if (x < 0 || y < 0 || x >= cells->width || y >= cells->depth ||
        view->raster[(rcity_u32)view->map.offset_first + cell] == 0) {
        return list;
    }
    rcity_u32 place = rcity_sight_list(view, cell);
    rcity_u32 header = view->lists[place];
    rcity_i32 number = (rcity_i32)(header % RCITY_SIGHT_REFERENCE_COUNT);
    list.begin = place + 1;
    list.end = list.begin + header / RCITY_SIGHT_REFERENCE_COUNT;
    list.x2 =
        rcity_sight_reference(cells->west + column * cells->cell, cells->shift, number, RCITY_SIGHT_REFERENCE_STEP_X);
    list.y2 =
        rcity_sight_reference(cells->south + row * cells->cell, cells->shift, number, RCITY_SIGHT_REFERENCE_STEP_Y);
    return list;
}

/* Does a prism higher than the line's lower end strictly contain it? */
RCITY_KERNEL_APART rcity_sight_answer rcity_sight_start_blocks(const rcity_sight_view *view,
                                                               const rcity_sight_line *line)
{
    rcity_sight_cell_list list = rcity_sight_start_list(view, line);
    int is_inside = 0;
    int is_on_wall = 0;
    for (rcity_u32 place = list.begin; place < list.end; place++) {
        rcity_u32 entry = view->lists[place];
        rcity_sight_wall wall = view->walls[RCITY_SIGHT_ENTRY_WALL(entry)];
        if ((entry & RCITY_SIGHT_ENTRY_BEGINS_PRISM) != 0) {
            is_inside = (entry & RCITY_SIGHT_ENTRY_HAS_POINT) != 0;
            is_on_wall = 0;
        }
        if ((entry & RCITY_SIGHT_ENTRY_IS_TANGLED) != 0) {
            return RCITY_SIGHT_LOOK_CLOSELY;
        }
        if ((entry & RCITY_SIGHT_ENTRY_IS_COVER) == 0) {
            int parts = rcity_sight_parts(wall, list.x2, list.y2, 2 * line->ax - list.x2, 2 * line->ay - list.y2);
            is_inside ^= parts & 1;
            is_on_wall |= parts & 2;
        }
        int is_last = place + 1 == list.end || (view->lists[place + 1] & RCITY_SIGHT_ENTRY_BEGINS_PRISM) != 0;
        if (is_last && is_inside && is_on_wall == 0 && rcity_sight_roof(view->map.floor, wall) > line->az) {
            return RCITY_SIGHT_BLOCKED;
        }
    }
    return RCITY_SIGHT_FREE;
}

#endif
