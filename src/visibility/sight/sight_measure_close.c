/* Measuring a line closely: place by place, from each crossing to the next. For lines that have more prisms over them
   or more crossings in a cell than a sweep can hold, or that start where a prism touches itself. */
#include "kernel/visibility/sight/sight_measure.h"
#include "scene/place/terrain.h"
#include "scene/shape/prism.h"
#include "visibility/sight/sight_look.h"

/* What one round over the prisms of the line finds. */
typedef struct place_finding {
    int32_t roof[2]; /* the highest on each side just beyond the place */
    int32_t highest; /* of the prisms beyond the place, and a wall of that one; -1 for none */
    int32_t highest_wall;
    rcity_ratio next; /* the nearest crossing beyond the place, and the lowest number of a wall that crosses there */
    int32_t next_wall;
    bool is_relative;
    bool is_vertical;
} place_finding;

static bool note_crossing(rcity_sight_look *look, int32_t prism, int32_t wall, rcity_ratio where)
{
    place_finding *found = look->user;
    rcity_sight_look there = *look;
    there.at = where;
    if (where.num <= 0 || where.num >= where.den || rcity_ratio_compare(where, look->at) <= 0 ||
        (!found->is_relative && !rcity_sight_look_is_below(&there, look->shapes->prisms[prism].roof))) {
        return false;
    }
    int order = rcity_ratio_compare(where, found->next);
    if (order < 0 || (order == 0 && wall < found->next_wall)) {
        found->next_wall = wall;
        found->next = where;
    }
    return false;
}

static bool note_prism(rcity_sight_look *look, int32_t prism)
{
    place_finding *found = look->user;
    const rcity_prism *shape = &look->shapes->prisms[prism];
    bool covers = false;
    for (int side = 0; side < 2; side++) {
        bool covers_side = found->is_vertical ? rcity_prism_locate(look->shapes, shape, look->a) == RCITY_PLACE_INSIDE
                                              : rcity_sight_look_covers(look, prism, (rcity_side)side);
        covers = covers || covers_side;
        found->roof[side] = covers_side && shape->roof > found->roof[side] ? shape->roof : found->roof[side];
    }
    if (covers && (found->highest_wall < 0 || shape->roof > found->highest)) {
        found->highest = shape->roof;
        found->highest_wall = look->shapes->ring_first[shape->first_ring];
    }
    if (!found->is_vertical) {
        rcity_sight_look_cross(look, prism, RCITY_SIDE_LEFT, note_crossing);
        rcity_sight_look_cross(look, prism, RCITY_SIDE_RIGHT, note_crossing);
    }
    return false;
}

/* What lies just beyond the place being tested. */
static place_finding find_beyond(rcity_sight_look *look, int32_t lowest, bool is_relative)
{
    place_finding found = {.roof = {lowest, lowest}, .highest_wall = -1, .next = {1, 1}, .next_wall = INT32_MAX};
    found.is_relative = is_relative;
    found.is_vertical = look->line.dx == 0 && look->line.dy == 0;
    look->user = &found;
    rcity_sight_look_visit(look, note_prism);
    return found;
}

static int32_t roof_of(const place_finding *found)
{
    return found->roof[0] < found->roof[1] ? found->roof[0] : found->roof[1];
}

/* A sweep at the place, for code shared with the kernels. */
static rcity_sight_sweep sweep_at(const rcity_sight_look *look, const place_finding *found)
{
    rcity_sight_sweep sweep;
    sweep.at = rcity_sight_ratio_make(look->at.num, look->at.den);
    sweep.cover_count = found->highest_wall >= 0;
    sweep.covers[0].wall = found->highest_wall;
    sweep.covers[0].roof = found->highest;
    return sweep;
}

static void tally_buildings(rcity_sight_look *look, rcity_sight_tally *tally)
{
    int32_t lowest = look->sight->view.map.floor < look->line.az ? look->sight->view.map.floor : look->line.az;
    place_finding here = find_beyond(look, lowest, false);
    if (roof_of(&here) > look->line.az) {
        tally->first = rcity_sight_hit_make(0.0f, RCITY_SIGHT_HIT_INSIDE, here.highest_wall);
    }
    for (bool is_end = false; !is_end;) {
        is_end = here.next.num == here.next.den;
        rcity_sight_ratio to = rcity_sight_ratio_make(here.next.num, here.next.den);
        rcity_sight_sweep sweep = sweep_at(look, &here);
        rcity_sight_tally_stretch(&look->line, &sweep, to, roof_of(&here), is_end, tally);
        if (!is_end) {
            rcity_sight_hit hit =
                rcity_sight_hit_make(rcity_sight_ratio_value(to), RCITY_SIGHT_HIT_WALL, here.next_wall);
            look->at = here.next;
            bool is_inside = rcity_sight_look_is_below(look, roof_of(&here));
            here = find_beyond(look, lowest, false);
            bool is_inside_now = rcity_sight_look_is_below(look, roof_of(&here));
            tally->wall_count += is_inside != is_inside_now;
            tally->last = is_inside && !is_inside_now ? hit : tally->last;
            tally->first =
                is_inside_now && !is_inside && tally->first.kind == RCITY_SIGHT_HIT_NONE ? hit : tally->first;
        }
    }
}

static float measure_foliage(const rcity_sight *sight, rcity_sight_look *look)
{
    float sum = 0.0f;
    for (bool is_end = look->sight->cell_count == 0; !is_end;) {
        place_finding here = find_beyond(look, 0, true);
        is_end = here.next.num == here.next.den;
        if (roof_of(&here) > 0) {
            sum += rcity_sight_foliage(&sight->view, &look->line, (float)rcity_ratio_value(look->at),
                                       (float)rcity_ratio_value(here.next), (float)roof_of(&here));
        }
        look->at = here.next;
    }
    return sum;
}

rcity_sight_measure rcity_sight_measure_closely(const rcity_sight *sight, const rcity_sight *trees,
                                                rcity_sight_segment segment)
{
    rcity_sight_look look = rcity_sight_look_make(sight, segment);
    rcity_sight_look tree_look = rcity_sight_look_make(trees, segment);
    rcity_grid_point3 from = {segment.ax, segment.ay, segment.az};
    rcity_grid_point3 to = {segment.bx, segment.by, segment.bz};
    rcity_sight_tally tally;
    rcity_sight_tally ground;
    rcity_sight_tally_begin(&tally);
    rcity_sight_tally_begin(&ground);
    tally_buildings(&look, &tally);
    rcity_sight_tally_ground(&sight->view, &look.line, rcity_sight_ground_is_narrow(&sight->view, &look.line), &ground);
    if (rcity_terrain_blocks(&sight->shapes->terrain, from, to)) { /* else it was a rounding error of the float */
        rcity_sight_hit somewhere = rcity_sight_hit_make(0.0f, RCITY_SIGHT_HIT_GROUND, -1);
        bool is_found = ground.first.kind != RCITY_SIGHT_HIT_NONE;
        ground.first = is_found ? ground.first : somewhere;
        ground.last = is_found ? ground.last : somewhere;
        tally.first = ground.first.at < tally.first.at ? ground.first : tally.first;
        tally.last = ground.last.at > tally.last.at ? ground.last : tally.last;
    }
    float in_foliage = measure_foliage(sight, &tree_look);
    return rcity_sight_measure_make(&tally, in_foliage, rcity_sight_line_is_turned(&look.line, segment), 0);
}

rcity_sight_measure rcity_sight_measure_one(const rcity_sight *sight, const rcity_sight *trees,
                                            rcity_sight_segment segment)
{
    rcity_sight_measure measure = rcity_sight_measure_segment(&sight->view, &trees->view, segment);
    return measure.is_deferred ? rcity_sight_measure_closely(sight, trees, segment) : measure;
}
