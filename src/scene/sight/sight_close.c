/* Looking closely: the rule of the plain test, for a line whose walk met a place where a prism touches itself. Every
   stretch along which buildings cover both sides of the line begins at the line's start or at a crossing; just beyond
   each of these the roofs on both sides are compared with the line. No list is kept, so no memory is needed and
   threads may share everything; the time grows with the square of the walls along the line. */
#include "scene/shape/prism.h"
#include "scene/sight/sight_data.h"

/* A line as looked at: from its lower end, cut into the cells it passes. */
typedef struct close_look {
    const rcity_sight *sight;
    const rcity_shapes *shapes;
    rcity_sight_line line;
    rcity_grid_point a, b;
    rcity_ratio at; /* the place looked at */
} close_look;

/* Calls `visit` for every prism with something in the cells of the line, some more than once, until it says true. */
typedef bool (*prism_visit)(close_look *look, const rcity_prism *prism);

static bool visit_prisms(close_look *look, prism_visit visit)
{
    const rcity_sight *sight = look->sight;
    const rcity_sight_view *view = &sight->view;
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
            const rcity_prism *prism = &look->shapes->prisms[sight->wall_prism[RCITY_SIGHT_ENTRY_WALL(entry)]];
            if ((entry & RCITY_SIGHT_ENTRY_BEGINS_PRISM) != 0 && prism->roof > look->line.az && visit(look, prism)) {
                return true;
            }
        }
    }
    return false;
}

/* Does wall p -> q cross the line moved a little to one side? */
static bool crosses(const close_look *look, rcity_grid_point p, rcity_grid_point q, rcity_side side, rcity_ratio *where)
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

static bool is_below(const close_look *look, int32_t roof)
{
    rcity_i128 above =
        (rcity_i128)((int64_t)look->line.az - roof) * look->at.den + (rcity_i128)look->line.dz * look->at.num;
    return above < 0;
}

/* Does the prism cover one side of the line just beyond the place, above the line? */
static bool covers_side(const close_look *look, const rcity_prism *prism, rcity_side side)
{
    const rcity_shapes *shapes = look->shapes;
    bool is_inside = false;
    for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
        int32_t end = shapes->ring_first[ring + 1];
        rcity_grid_point p = shapes->points[end - 1];
        for (int32_t point = shapes->ring_first[ring]; point < end; point++) {
            rcity_grid_point q = shapes->points[point];
            rcity_ratio where;
            if (crosses(look, p, q, side, &where) && rcity_ratio_compare(where, look->at) <= 0) {
                is_inside = !is_inside;
            }
            p = q;
        }
    }
    return is_inside && is_below(look, prism->roof);
}

static bool covers_left(close_look *look, const rcity_prism *prism)
{
    return covers_side(look, prism, RCITY_SIDE_LEFT);
}

static bool covers_right(close_look *look, const rcity_prism *prism)
{
    return covers_side(look, prism, RCITY_SIDE_RIGHT);
}

static bool place_blocks(close_look *look)
{
    return visit_prisms(look, covers_left) && visit_prisms(look, covers_right);
}

/* Look beyond every crossing of a prism. */
static bool crossings_block(close_look *look, const rcity_prism *prism)
{
    const rcity_shapes *shapes = look->shapes;
    const rcity_ratio zero = {0, 1};
    const rcity_ratio one = {1, 1};
    for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
        int32_t end = shapes->ring_first[ring + 1];
        rcity_grid_point p = shapes->points[end - 1];
        for (int32_t point = shapes->ring_first[ring]; point < end; point++) {
            rcity_grid_point q = shapes->points[point];
            for (int side = 0; side < 2; side++) {
                if (crosses(look, p, q, (rcity_side)side, &look->at) && rcity_ratio_compare(look->at, zero) >= 0 &&
                    rcity_ratio_compare(look->at, one) < 0 && is_below(look, prism->roof) && place_blocks(look)) {
                    return true;
                }
            }
            p = q;
        }
    }
    return false;
}

static bool contains_start(close_look *look, const rcity_prism *prism)
{
    return rcity_prism_locate(look->shapes, prism, look->a) == RCITY_PLACE_INSIDE;
}

bool rcity_sight_buildings_block(const rcity_sight *sight, rcity_grid_point3 from, rcity_grid_point3 to)
{
    rcity_sight_segment segment = {from.x, from.y, from.z, to.x, to.y, to.z};
    close_look look = {.sight = sight, .shapes = sight->shapes, .line = rcity_sight_line_make(segment), .at = {0, 1}};
    look.a.x = look.line.ax;
    look.a.y = look.line.ay;
    look.b.x = look.line.ax + look.line.dx;
    look.b.y = look.line.ay + look.line.dy;
    if (sight->cell_count == 0) {
        return false;
    }
    if (look.line.dx == 0 && look.line.dy == 0) {
        return visit_prisms(&look, contains_start);
    }
    return place_blocks(&look) || visit_prisms(&look, crossings_block);
}
