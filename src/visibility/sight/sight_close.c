/* The rule of the plain test, for a line whose walk met a place where a prism touches itself. Every stretch along which
   buildings cover both sides of the line begins at the line's start or at a crossing; just beyond each of these the
   roofs on both sides are compared with the line. No list is kept, so no memory is needed and threads may share
   everything; the time grows with the square of the number of walls along the line. */
#include "scene/shape/prism.h"
#include "visibility/sight/sight_look.h"

static bool covers_left(rcity_sight_look *look, int32_t prism)
{
    return rcity_sight_look_is_below(look, look->shapes->prisms[prism].roof) &&
           rcity_sight_look_covers(look, prism, RCITY_SIDE_LEFT);
}

static bool covers_right(rcity_sight_look *look, int32_t prism)
{
    return rcity_sight_look_is_below(look, look->shapes->prisms[prism].roof) &&
           rcity_sight_look_covers(look, prism, RCITY_SIDE_RIGHT);
}

static bool place_blocks(rcity_sight_look *look)
{
    return rcity_sight_look_visit(look, covers_left) && rcity_sight_look_visit(look, covers_right);
}

/* Test just beyond one crossing. */
static bool crossing_blocks(rcity_sight_look *look, int32_t prism, int32_t wall, rcity_ratio where)
{
    (void)wall;
    look->at = where;
    return where.num >= 0 && where.num < where.den &&
           rcity_sight_look_is_below(look, look->shapes->prisms[prism].roof) && place_blocks(look);
}

static bool crossings_block(rcity_sight_look *look, int32_t prism)
{
    return rcity_sight_look_cross(look, prism, RCITY_SIDE_LEFT, crossing_blocks) ||
           rcity_sight_look_cross(look, prism, RCITY_SIDE_RIGHT, crossing_blocks);
}

static bool contains_start(rcity_sight_look *look, int32_t prism)
{
    return look->shapes->prisms[prism].roof > look->line.az &&
           rcity_prism_locate(look->shapes, &look->shapes->prisms[prism], look->a) == RCITY_PLACE_INSIDE;
}

bool rcity_sight_buildings_block(const rcity_sight *sight, rcity_grid_point3 from, rcity_grid_point3 to)
{
    rcity_sight_segment segment = {from.x, from.y, from.z, to.x, to.y, to.z};
    rcity_sight_look look = rcity_sight_look_make(sight, segment);
    if (look.line.dx == 0 && look.line.dy == 0) {
        return rcity_sight_look_visit(&look, contains_start);
    }
    return place_blocks(&look) || rcity_sight_look_visit(&look, crossings_block);
}
