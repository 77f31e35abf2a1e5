/* A line through the cells with all its crossings in order: between two crossings the roofs on both sides of the line
   do not change. Exact, like the test of a segment. */
#ifndef RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_SWEEP_H
#define RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_SWEEP_H

#include "kernel/visibility/sight/sight_walls.h"

/* Limits for the crossings in one cell and the prisms over one point. Beyond them the host decides. */
#define RCITY_SIGHT_EVENT_MAX 32
#define RCITY_SIGHT_COVER_MAX 12

#define RCITY_SIGHT_LEFT  1
#define RCITY_SIGHT_RIGHT 2

/* A fraction of the line. */
typedef struct rcity_sight_ratio {
    rcity_i64 num, den;
} rcity_sight_ratio;

RCITY_KERNEL rcity_sight_ratio rcity_sight_ratio_make(rcity_i64 num, rcity_i64 den)
{
    rcity_sight_ratio ratio;
    ratio.num = den < 0 ? -num : num;
    ratio.den = den < 0 ? -den : den;
    return ratio;
}

RCITY_KERNEL int rcity_sight_ratio_is_less(rcity_sight_ratio a, rcity_sight_ratio b)
{
    return rcity_product_is_less(a.num, b.den, b.num, a.den);
}

RCITY_KERNEL float rcity_sight_ratio_value(rcity_sight_ratio ratio)
{
    return (float)ratio.num / (float)ratio.den;
}

/* Steps that also know where the line enters and leaves a cell. */
typedef struct rcity_sight_tour {
    rcity_sight_steps steps;
    rcity_sight_course course;
    rcity_i32 cell;
    rcity_i64 column_gap, row_gap; /* from the start of the line to the next borders */
    rcity_sight_ratio in;
} rcity_sight_tour;

RCITY_KERNEL rcity_sight_tour rcity_sight_tour_begin(const rcity_sight_line *line, const rcity_sight_grid *grid,
                                                     int is_shifted)
{
    rcity_sight_tour tour;
    tour.steps = rcity_sight_steps_begin(line, grid, is_shifted);
    tour.course = rcity_sight_course_of(line, grid);
    tour.cell = grid->cell;
    tour.in = rcity_sight_ratio_make(0, 1);
    if (tour.steps.left >= 0) {
        rcity_i32 row = (tour.steps.cell - grid->first) / grid->stride;
        rcity_i32 column = tour.steps.cell - grid->first - row * grid->stride;
        column = line->dx < 0 ? grid->column_count - 1 - column : column;
        row = line->dy < 0 ? grid->row_count - 1 - row : row;
        tour.column_gap = ((rcity_i64)column + 1) * grid->cell - tour.course.x;
        tour.row_gap = ((rcity_i64)row + 1) * grid->cell - tour.course.y;
    }
    return tour;
}

/* Where the line leaves the cell; in the last cell, beyond the line's end. */
RCITY_KERNEL rcity_sight_ratio rcity_sight_tour_out(const rcity_sight_tour *tour)
{
    if (tour->steps.left <= 0) {
        return rcity_sight_ratio_make(2, 1);
    }
    return tour->steps.balance < 0 ? rcity_sight_ratio_make(tour->column_gap, tour->course.dx)
                                   : rcity_sight_ratio_make(tour->row_gap, tour->course.dy);
}

RCITY_KERNEL void rcity_sight_tour_next(rcity_sight_tour *tour)
{
    tour->in = rcity_sight_tour_out(tour);
    tour->column_gap += tour->steps.balance < 0 ? tour->cell : 0;
    tour->row_gap += tour->steps.balance < 0 ? 0 : tour->cell;
    tour->steps = rcity_sight_steps_next(tour->steps);
}

/* A wall that crosses the line moved slightly to its left, to its right, or both. */
typedef struct rcity_sight_event {
    rcity_sight_ratio at;
    rcity_i32 wall, prism, roof, sides;
} rcity_sight_event;

/* A prism along one side of the line or both. */
typedef struct rcity_sight_cover {
    rcity_i32 prism, wall, roof, sides;
} rcity_sight_cover;

typedef struct rcity_sight_sweep {
    rcity_sight_tour tour;
    rcity_sight_event events[RCITY_SIGHT_EVENT_MAX]; /* of the cell, in order */
    int event_count, event_next;
    rcity_sight_cover covers[RCITY_SIGHT_COVER_MAX];
    int cover_count;
    rcity_sight_ratio at; /* position of the sweep */
    int is_relative;      /* heights are above ground: no wall is skipped for being below the line */
    int is_deferred;      /* more than the sweep has room for */
} rcity_sight_sweep;

/* A prism begins or ceases to lie along some sides of the line. */
RCITY_KERNEL void rcity_sight_sweep_turn(rcity_sight_sweep *sweep, rcity_i32 prism, rcity_i32 wall, rcity_i32 roof,
                                         rcity_i32 sides)
{
    int place = 0;
    while (place < sweep->cover_count && sweep->covers[place].prism != prism) {
        place++;
    }
    if (place == RCITY_SIGHT_COVER_MAX) {
        sweep->is_deferred = 1;
        return;
    }
    if (place == sweep->cover_count) {
        sweep->covers[place].prism = prism;
        sweep->covers[place].roof = roof;
        sweep->covers[place].sides = 0;
        sweep->cover_count++;
    }
    sweep->covers[place].wall = wall;
    sweep->covers[place].sides ^= sides;
    if (sweep->covers[place].sides == 0) {
        sweep->covers[place] = sweep->covers[--sweep->cover_count];
    }
}

/* The roof over the line: the lower of the highest roofs on its two sides; `lowest` where one side is open air. */
RCITY_KERNEL rcity_i32 rcity_sight_sweep_roof(const rcity_sight_sweep *sweep, rcity_i32 lowest)
{
    rcity_i32 left = lowest;
    rcity_i32 right = lowest;
    for (int i = 0; i < sweep->cover_count; i++) {
        rcity_sight_cover cover = sweep->covers[i];
        left = (cover.sides & RCITY_SIGHT_LEFT) != 0 && cover.roof > left ? cover.roof : left;
        right = (cover.sides & RCITY_SIGHT_RIGHT) != 0 && cover.roof > right ? cover.roof : right;
    }
    return left < right ? left : right;
}

/* A wall of the highest prism along the line; -1 without any. */
RCITY_KERNEL rcity_i32 rcity_sight_sweep_wall(const rcity_sight_sweep *sweep)
{
    rcity_i32 wall = -1;
    rcity_i32 highest = 0;
    for (int i = 0; i < sweep->cover_count; i++) {
        if (wall < 0 || sweep->covers[i].roof > highest) {
            wall = sweep->covers[i].wall;
            highest = sweep->covers[i].roof;
        }
    }
    return wall;
}

/* Does a direction turned slightly from (dx, dy), to the left when `turn` is 1 and to the right when it is -1, point to
   the left of (x, y)? */
RCITY_KERNEL int rcity_sight_points_left_of(const rcity_sight_line *line, rcity_i64 x, rcity_i64 y, int turn)
{
    rcity_i64 cross = x * line->dy - y * line->dx;
    rcity_i64 along = x * line->dx + y * line->dy;
    return cross != 0 ? cross > 0 : (turn > 0 ? along > 0 : along < 0);
}

/* The sides of the line, just beyond its start, that are covered by the prism whose wall `index` starts where the line
   does. */
RCITY_KERNEL rcity_i32 rcity_sight_corner_sides(const rcity_sight_view *view, const rcity_sight_line *line,
                                                rcity_u32 index, rcity_sight_wall wall)
{
    RCITY_GLOBAL const rcity_i32 *detail = view->details + index * RCITY_SIGHT_DETAIL_COUNT;
    rcity_i64 qx = (wall.qx >> 8) - line->ax;
    rcity_i64 qy = (wall.qy >> 8) - line->ay;
    rcity_i64 ux = (rcity_i64)detail[RCITY_SIGHT_DETAIL_X] - line->ax;
    rcity_i64 uy = (rcity_i64)detail[RCITY_SIGHT_DETAIL_Y] - line->ay;
    rcity_i32 sides = 0;
    for (int turn = 1; turn >= -1; turn -= 2) {
        int is_left_of_q = rcity_sight_points_left_of(line, qx, qy, turn);
        int is_right_of_u = !rcity_sight_points_left_of(line, ux, uy, turn);
        int is_inside = detail[RCITY_SIGHT_DETAIL_TURN] > 0    ? is_left_of_q && is_right_of_u
                        : detail[RCITY_SIGHT_DETAIL_TURN] == 0 ? is_left_of_q
                                                               : is_left_of_q || is_right_of_u;
        sides |= is_inside ? (turn > 0 ? RCITY_SIGHT_LEFT : RCITY_SIGHT_RIGHT) : 0;
    }
    return sides;
}

/* The same for a wall that the line starts on, away from its ends. */
RCITY_KERNEL rcity_i32 rcity_sight_wall_sides(const rcity_sight_line *line, rcity_sight_wall wall)
{
    rcity_i64 ex = (wall.qx >> 8) - (wall.px >> 8);
    rcity_i64 ey = (wall.qy >> 8) - (wall.py >> 8);
    return (rcity_sight_points_left_of(line, ex, ey, 1) ? RCITY_SIGHT_LEFT : 0) |
           (rcity_sight_points_left_of(line, ex, ey, -1) ? RCITY_SIGHT_RIGHT : 0);
}

/* The prisms along the line just beyond its start. For a vertical line: the prisms over it, not
   those that only touch it. */
RCITY_KERNEL_APART void rcity_sight_sweep_start(const rcity_sight_view *view, const rcity_sight_line *line,
                                                rcity_sight_sweep *sweep)
{
    rcity_sight_cell_list list = rcity_sight_start_list(view, line);
    int is_vertical = (line->dx | line->dy) == 0;
    int is_inside = 0;
    int is_on_wall = 0;
    rcity_i32 sides = 0;
    for (rcity_u32 place = list.begin; place < list.end; place++) {
        rcity_u32 entry = view->lists[place];
        rcity_u32 index = RCITY_SIGHT_ENTRY_WALL(entry);
        rcity_sight_wall wall = view->walls[index];
        if ((entry & RCITY_SIGHT_ENTRY_BEGINS_PRISM) != 0) {
            is_inside = (entry & RCITY_SIGHT_ENTRY_HAS_POINT) != 0;
            is_on_wall = 0;
            sides = 0;
        }
        sweep->is_deferred |= (entry & RCITY_SIGHT_ENTRY_IS_TANGLED) != 0;
        if ((entry & RCITY_SIGHT_ENTRY_IS_COVER) == 0) {
            int parts = rcity_sight_parts(wall, list.x2, list.y2, 2 * line->ax - list.x2, 2 * line->ay - list.y2);
            is_inside ^= parts & 1;
            if ((parts & 2) != 0) {
                int is_at_p = (wall.px >> 8) == line->ax && (wall.py >> 8) == line->ay;
                int is_at_q = (wall.qx >> 8) == line->ax && (wall.qy >> 8) == line->ay;
                is_on_wall = 1;
                sides |= is_at_p   ? rcity_sight_corner_sides(view, line, index, wall)
                         : is_at_q ? 0
                                   : rcity_sight_wall_sides(line, wall);
                sweep->is_deferred |=
                    is_at_p &&
                    view->details[index * RCITY_SIGHT_DETAIL_COUNT + RCITY_SIGHT_DETAIL_TURN] == RCITY_SIGHT_TURN_KNOT;
            }
        }
        int is_last = place + 1 == list.end || (view->lists[place + 1] & RCITY_SIGHT_ENTRY_BEGINS_PRISM) != 0;
        if (is_last) {
            sides = is_on_wall ? (is_vertical ? 0 : sides) : is_inside ? RCITY_SIGHT_LEFT | RCITY_SIGHT_RIGHT : 0;
        }
        if (is_last && sides != 0) {
            rcity_i32 prism = view->details[index * RCITY_SIGHT_DETAIL_COUNT + RCITY_SIGHT_DETAIL_PRISM];
            rcity_sight_sweep_turn(sweep, prism, (rcity_i32)index, rcity_sight_roof(view->map.floor, wall), sides);
        }
    }
}

RCITY_KERNEL void rcity_sight_sweep_begin(const rcity_sight_view *view, const rcity_sight_line *line, int is_relative,
                                          rcity_sight_sweep *sweep)
{
    sweep->event_count = 0;
    sweep->event_next = 0;
    sweep->cover_count = 0;
    sweep->is_relative = is_relative;
    sweep->is_deferred = 0;
    sweep->at = rcity_sight_ratio_make(0, 1);
    sweep->tour.steps.left = -1;
    if (view->map.cells.column_count > 0) {
        rcity_sight_sweep_start(view, line, sweep);
        if ((line->dx | line->dy) != 0) {
            sweep->tour = rcity_sight_tour_begin(line, &view->map.cells, 1);
        }
    }
}

RCITY_KERNEL void rcity_sight_sweep_note(rcity_sight_sweep *sweep, rcity_sight_event event)
{
    if (sweep->event_count == RCITY_SIGHT_EVENT_MAX) {
        sweep->is_deferred = 1;
        return;
    }
    int place = sweep->event_count++;
    for (; place > 0 && rcity_sight_ratio_is_less(event.at, sweep->events[place - 1].at); place--) {
        sweep->events[place] = sweep->events[place - 1];
    }
    sweep->events[place] = event;
}

/* The crossings of one wall that belong to the sweep's cell: between the line's ends, from where the line enters the
   cell to before it leaves it. A roof below the line there stays below it. */
RCITY_KERNEL void rcity_sight_sweep_add_wall(const rcity_sight_view *view, const rcity_sight_line *line,
                                             rcity_sight_sweep *sweep, rcity_u32 index, rcity_sight_ratio out)
{
    rcity_sight_wall wall = view->walls[index];
    rcity_i32 px = (wall.px >> 8) - line->ax;
    rcity_i32 py = (wall.py >> 8) - line->ay;
    rcity_i32 qx = (wall.qx >> 8) - line->ax;
    rcity_i32 qy = (wall.qy >> 8) - line->ay;
    rcity_i64 p_side = rcity_sight_side(line, px, py);
    rcity_i64 q_side = rcity_sight_side(line, qx, qy);
    rcity_sight_event event;
    event.sides = ((p_side > 0) != (q_side > 0) ? RCITY_SIGHT_LEFT : 0) |
                  ((p_side >= 0) != (q_side >= 0) ? RCITY_SIGHT_RIGHT : 0);
    if (event.sides == 0) {
        return;
    }
    event.at = rcity_sight_ratio_make((rcity_i64)qx * py - (rcity_i64)qy * px, p_side - q_side);
    event.roof = rcity_sight_roof(view->map.floor, wall);
    if (event.at.num > 0 && event.at.num < event.at.den && !rcity_sight_ratio_is_less(event.at, sweep->tour.in) &&
        rcity_sight_ratio_is_less(event.at, out) &&
        (sweep->is_relative || rcity_sight_is_below(line, event.at.num, event.at.den, event.roof))) {
        event.wall = (rcity_i32)index;
        event.prism = view->details[index * RCITY_SIGHT_DETAIL_COUNT + RCITY_SIGHT_DETAIL_PRISM];
        rcity_sight_sweep_note(sweep, event);
    }
}

/* Advances until a cell has crossings. */
RCITY_KERNEL void rcity_sight_sweep_fill(const rcity_sight_view *view, const rcity_sight_line *line,
                                         rcity_sight_sweep *sweep)
{
    rcity_i64 floor = (rcity_i64)view->map.floor * 65536;
    int shift = 16 + view->map.level_shift;
    sweep->event_count = 0;
    sweep->event_next = 0;
    while (sweep->tour.steps.left >= 0 && sweep->event_count == 0 && !sweep->is_deferred) {
        rcity_i32 level = view->raster[sweep->tour.steps.cell];
        if (level != 0 &&
            (sweep->is_relative || level > (rcity_sight_steps_height(sweep->tour.steps) - floor) >> shift)) {
            rcity_sight_ratio out = rcity_sight_tour_out(&sweep->tour);
            rcity_u32 place = rcity_sight_list(view, (rcity_u32)sweep->tour.steps.cell);
            rcity_u32 end = place + view->lists[place] / RCITY_SIGHT_REFERENCE_COUNT;
            while (place < end) {
                rcity_u32 entry = view->lists[++place];
                if ((entry & RCITY_SIGHT_ENTRY_IS_COVER) == 0) {
                    rcity_sight_sweep_add_wall(view, line, sweep, RCITY_SIGHT_ENTRY_WALL(entry), out);
                }
            }
        }
        rcity_sight_tour_next(&sweep->tour);
    }
}

/* The position of the next crossings, or of the line's end: returns 0 there. */
RCITY_KERNEL int rcity_sight_sweep_seek(const rcity_sight_view *view, const rcity_sight_line *line,
                                        rcity_sight_sweep *sweep, rcity_sight_ratio *to)
{
    if (sweep->event_next == sweep->event_count) {
        rcity_sight_sweep_fill(view, line, sweep);
    }
    int is_found = sweep->event_next < sweep->event_count;
    *to = is_found ? sweep->events[sweep->event_next].at : rcity_sight_ratio_make(1, 1);
    return is_found;
}

/* Passes the crossings at one point; returns the wall of one of them. */
RCITY_KERNEL rcity_i32 rcity_sight_sweep_cross(rcity_sight_sweep *sweep)
{
    rcity_sight_ratio at = sweep->events[sweep->event_next].at;
    rcity_i32 wall = sweep->events[sweep->event_next].wall;
    while (sweep->event_next < sweep->event_count &&
           !rcity_sight_ratio_is_less(at, sweep->events[sweep->event_next].at)) {
        rcity_sight_event event = sweep->events[sweep->event_next++];
        wall = event.wall < wall ? event.wall : wall;
        rcity_sight_sweep_turn(sweep, event.prism, event.wall, event.roof, event.sides);
    }
    sweep->at = at;
    return wall;
}

#endif
