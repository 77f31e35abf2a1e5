/* The close test: crossings by the rule of the plain test, in 128-bit fractions. */
#include "visibility/sight/sight_look.h"

rcity_sight_look rcity_sight_look_make(const rcity_sight *sight, rcity_sight_segment segment)
{
    rcity_sight_look look = {
        .sight = sight, .shapes = sight->shapes, .line = rcity_sight_line_make(segment), .at = {0, 1}};
    look.a.x = look.line.ax;
    look.a.y = look.line.ay;
    look.b.x = look.line.ax + look.line.dx;
    look.b.y = look.line.ay + look.line.dy;
    return look;
}

bool rcity_sight_look_visit(rcity_sight_look *look, rcity_sight_prism_function visit)
{
    const rcity_sight *sight = look->sight;
    const rcity_sight_view *view = &sight->view;
    if (sight->cell_count == 0) {
        return false;
    }
    for (rcity_sight_steps steps = rcity_sight_steps_begin(&look->line, &view->map.cells, 1); steps.left >= 0;
         steps = rcity_sight_steps_next(steps)) {
        uint32_t cell = (uint32_t)steps.cell;
        if (view->raster[(uint32_t)view->map.offset_first + cell] == 0) {
            continue;
        }
        uint32_t place = rcity_sight_list(view, cell);
        uint32_t end = place + view->lists[place] / RCITY_SIGHT_REFERENCE_COUNT;
        while (place < end) {
            uint32_t entry = view->lists[++place];
            int32_t prism = sight->wall_prism[RCITY_SIGHT_ENTRY_WALL(entry)];
            if ((entry & RCITY_SIGHT_ENTRY_BEGINS_PRISM) != 0 && visit(look, prism)) {
                return true;
            }
        }
    }
    return false;
}

/* Does wall p -> q cross the line, shifted slightly to one side, and where? */
static bool crosses(const rcity_sight_look *look, rcity_grid_point p, rcity_grid_point q, rcity_side side,
                    rcity_ratio *where)
{
    int64_t p_side = rcity_orient(look->a, look->b, p);
    int64_t q_side = rcity_orient(look->a, look->b, q);
    int64_t threshold = side == RCITY_SIDE_LEFT ? 0 : -1;
    if ((p_side > threshold) == (q_side > threshold)) {
        return false;
    }
    int64_t ex = (int64_t)q.x - p.x;
    int64_t ey = (int64_t)q.y - p.y;
    *where = rcity_ratio_make(((int64_t)p.x - look->a.x) * ey - ((int64_t)p.y - look->a.y) * ex,
                              look->line.dx * ey - look->line.dy * ex);
    return true;
}

bool rcity_sight_look_cross(rcity_sight_look *look, int32_t prism, rcity_side side, rcity_sight_crossing_function visit)
{
    const rcity_shapes *shapes = look->shapes;
    int32_t ring_end = shapes->prisms[prism].first_ring + shapes->prisms[prism].ring_count;
    for (int32_t ring = shapes->prisms[prism].first_ring; ring < ring_end; ring++) {
        for (int32_t wall = shapes->ring_first[ring]; wall < shapes->ring_first[ring + 1]; wall++) {
            rcity_grid_point q = shapes->points[rcity_ring_next(shapes->ring_first, ring, wall)];
            rcity_ratio where;
            if (crosses(look, shapes->points[wall], q, side, &where) && visit(look, prism, wall, where)) {
                return true;
            }
        }
    }
    return false;
}

bool rcity_sight_look_covers(rcity_sight_look *look, int32_t prism, rcity_side side)
{
    const rcity_shapes *shapes = look->shapes;
    int32_t ring_end = shapes->prisms[prism].first_ring + shapes->prisms[prism].ring_count;
    bool is_inside = false;
    for (int32_t ring = shapes->prisms[prism].first_ring; ring < ring_end; ring++) {
        for (int32_t wall = shapes->ring_first[ring]; wall < shapes->ring_first[ring + 1]; wall++) {
            rcity_grid_point q = shapes->points[rcity_ring_next(shapes->ring_first, ring, wall)];
            rcity_ratio where;
            if (crosses(look, shapes->points[wall], q, side, &where) && rcity_ratio_compare(where, look->at) <= 0) {
                is_inside = !is_inside;
            }
        }
    }
    return is_inside;
}

bool rcity_sight_look_is_below(const rcity_sight_look *look, int32_t roof)
{
    rcity_i128 above =
        (rcity_i128)((int64_t)look->line.az - roof) * look->at.den + (rcity_i128)look->line.dz * look->at.num;
    return above < 0;
}
