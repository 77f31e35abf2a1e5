/* Houses around a courtyard. Party lines run inward from the edges of the block, at right angles to them. Between two
   lines of one edge stands a house with a straight front, between lines of different edges one that goes around the
   corner. A point on a line depends on line and depth only, so two neighbours get the same bits, and each side wall has
   a corner wherever the neighbour's begins or ends. */
#include "scene/city/city_block.h"
#include "scene/city/city_random.h"

#define LINE_MAX 256

/* The smallest courtyard; blocks with less are cut into slices. */
#define YARD_WIDTH_MIN_M 6.0
#define YARD_AREA_MIN_M2 90.0

/* An edge of the courtyard shorter than this gets no party line. */
#define EDGE_MIN_M 4.0

/* The distance between houses of different edges where they reach into the courtyard. */
#define REACH_GAP_M 4.0

typedef enum wing_side { WING_NONE, WING_LEFT, WING_RIGHT, WING_MIDDLE } wing_side;

typedef struct party_line {
    int edge;      /* of the block */
    int yard_edge; /* of the courtyard */
    double at_m;   /* along the block's edge */
    double bend_m; /* of the facades that meet here, inward */
    bool is_yard_corner;
    rcity_city_point yard_corner; /* where the line ends at `depth_m`, if that is a corner */
} party_line;

/* What stands between a line and the next one, counter-clockwise around the block; depths are measured from its
   edge. */
typedef struct lot_plan {
    bool is_corner, is_vacant;
    double front_m;         /* of the facade, less the bend */
    double rear_m;          /* of the main part */
    double left_m, right_m; /* of the side walls on this line and on the next */
    wing_side wing;
    double wing_m, wing_width_m; /* depth and width of the wing */
    double recess_m;
} lot_plan;

typedef struct perimeter {
    const rcity_city_polygon *block;
    const rcity_city_style *style;
    uint64_t key;
    rcity_city_polygon yard;
    double depth_m, deepest_m;
    int line_count;
    party_line line[LINE_MAX];
    lot_plan lot[LINE_MAX];
} perimeter;

/* Shrink edges of the courtyard shorter than `edge_min_m` to their middle. */
static void close_short_edges(rcity_city_polygon *yard, double edge_min_m)
{
    for (int i = 0; i < yard->count && yard->count > 3;) {
        if (rcity_city_polygon_edge_length(yard, i) >= edge_min_m) {
            i++;
            continue;
        }
        int next = (i + 1) % yard->count;
        rcity_city_point a = yard->corner[i];
        rcity_city_point b = yard->corner[next];
        yard->corner[next] = rcity_city_point_at(0.5 * (a.x + b.x), 0.5 * (a.y + b.y));
        yard->count--;
        for (int k = i; k < yard->count; k++) {
            yard->corner[k] = yard->corner[k + 1];
            yard->source[k] = yard->source[k + 1];
        }
        i = 0;
    }
}

/* The courtyard without short edges and wedges. @return false when it is too small. */
static bool find_yard(perimeter *p)
{
    p->yard = rcity_city_polygon_shrink(p->block, p->depth_m);
    close_short_edges(&p->yard, 3.0);
    rcity_city_polygon_chamfer(&p->yard, 0.6, 4.0);
    close_short_edges(&p->yard, 1.5);
    return p->yard.count >= 3 && rcity_city_polygon_width(&p->yard) >= YARD_WIDTH_MIN_M &&
           rcity_city_polygon_area(&p->yard) >= YARD_AREA_MIN_M2;
}

/* A place in the block, from an edge's start along it and inward. */
static rcity_city_point place_at(const perimeter *p, int edge, double at_m, double depth_m)
{
    rcity_city_point along = rcity_city_polygon_direction(p->block, edge);
    rcity_city_point base = rcity_city_point_move(p->block->corner[edge], along, at_m);
    return rcity_city_point_move(base, rcity_city_point_left(along), depth_m);
}

static rcity_city_point line_point(const perimeter *p, const party_line *line, double depth_m)
{
    if (line->is_yard_corner && depth_m == p->depth_m) {
        return line->yard_corner;
    }
    return place_at(p, line->edge, line->at_m, depth_m);
}

/* Position of a corner of the courtyard along an edge of the block. */
static double yard_corner_at(const perimeter *p, int edge, int yard_corner)
{
    rcity_city_point corner = rcity_city_polygon_corner(&p->yard, yard_corner);
    return rcity_city_point_dot(rcity_city_point_subtract(corner, p->block->corner[edge]),
                                rcity_city_polygon_direction(p->block, edge));
}

/* How far from the courtyard's corner the next party line stands on an edge of the block. 0 at right angles: then the
   corner house is a rectangle, unless the courtyard's corner was moved. */
static double corner_reach(const perimeter *p, int edge, int yard_corner, uint64_t key, int step)
{
    rcity_city_point corner = rcity_city_polygon_corner(&p->yard, yard_corner);
    rcity_city_point a = rcity_city_polygon_direction(&p->yard, (yard_corner + p->yard.count - 1) % p->yard.count);
    rcity_city_point b = rcity_city_polygon_direction(&p->yard, yard_corner % p->yard.count);
    double cosine = rcity_city_point_dot(a, b);
    bool is_moved = fabs(rcity_city_polygon_edge_distance(p->block, edge, corner) - p->depth_m) > 1e-6;
    if (p->style->has_square_corners && !is_moved && cosine > -0.3 && cosine < 0.3) {
        return 0.0;
    }
    return rcity_city_between(key, step, 3.0, 6.5);
}

/* A reach with which the line is clear of the block's corner; without reach the line is `distance_m` from it. */
static double keep_clear(double distance_m, double reach_m)
{
    return distance_m + reach_m >= 1.0 ? reach_m : 3.0 + fabs(distance_m);
}

static void add_line(perimeter *p, int yard_edge, double at_m, int yard_corner, bool is_vacant)
{
    if (p->line_count == LINE_MAX) {
        return;
    }
    int edge = p->yard.source[yard_edge];
    double length = rcity_city_polygon_edge_length(p->block, edge);
    double fraction = at_m / length;
    double bend = 0.03 * length < p->style->bend_m ? 0.03 * length : p->style->bend_m;
    bend *= rcity_city_uniform(p->key, 100 + edge);
    party_line *line = &p->line[p->line_count];
    line->edge = edge;
    line->yard_edge = yard_edge;
    line->at_m = at_m;
    line->bend_m = 4.0 * bend * fraction * (1.0 - fraction);
    line->is_yard_corner = yard_corner >= 0;
    if (yard_corner >= 0) {
        line->yard_corner = rcity_city_polygon_corner(&p->yard, yard_corner);
    }
    p->lot[p->line_count].is_vacant = is_vacant;
    p->line_count++;
}

/* Divide an edge of the courtyard from `from_m` to `to_m` into lots. */
static void divide_edge(perimeter *p, int yard_edge, double from_m, double to_m, int from_corner, int to_corner)
{
    const rcity_city_style *style = p->style;
    uint64_t key = rcity_city_key(p->key, yard_edge);
    double mean = rcity_city_between(key, 0, style->lot_min_m, style->lot_max_m);
    int count = (int)((to_m - from_m) / mean + 0.5);
    count = count < 1 ? 1 : count;
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += rcity_city_between(key, 10 + i, 0.65, 1.35);
    }
    double at = from_m;
    for (int i = 0; i < count; i++) {
        double width = (to_m - from_m) * rcity_city_between(key, 10 + i, 0.65, 1.35) / sum;
        bool has_passage =
            i > 0 && width > style->lot_min_m + 3.5 && rcity_city_chance(key, 1000 + i, style->passage_chance);
        add_line(p, yard_edge, at, i == 0 ? from_corner : -1, has_passage);
        if (has_passage) {
            add_line(p, yard_edge, at + 3.5, -1, false);
        }
        at += width;
    }
    add_line(p, yard_edge, to_m, to_corner, false);
}

static void place_lines(perimeter *p)
{
    for (int i = 0; i < p->yard.count; i++) {
        int edge = p->yard.source[i];
        uint64_t key = rcity_city_key(p->key, 500 + i);
        if (edge < 0) {
            continue;
        }
        double from = yard_corner_at(p, edge, i);
        double to = yard_corner_at(p, edge, i + 1);
        double length = rcity_city_polygon_edge_length(p->block, edge);
        double from_reach = keep_clear(from, corner_reach(p, edge, i, key, 0));
        double to_reach = keep_clear(length - to, corner_reach(p, edge, i + 1, key, 1));
        if (to - from < EDGE_MIN_M) {
            continue;
        }
        if (to - from < from_reach + to_reach + 0.8 * p->style->lot_min_m) {
            add_line(p, i, from + (to - from) * rcity_city_between(key, 2, 0.42, 0.58), -1, false);
            continue;
        }
        divide_edge(p, i, from + from_reach, to - to_reach, from_reach > 0.0 ? -1 : i, to_reach > 0.0 ? -1 : i + 1);
    }
}

/* May a house of an edge reach this deep here? Only if every other edge of the block is farther away. */
static bool can_reach(const perimeter *p, int edge, double at_m, double depth_m)
{
    rcity_city_point point = place_at(p, edge, at_m, depth_m);
    for (int i = 0; i < p->block->count; i++) {
        if (i != edge && rcity_city_polygon_edge_distance(p->block, i, point) < depth_m + REACH_GAP_M) {
            return false;
        }
    }
    return true;
}

static void choose_wing(const perimeter *p, lot_plan *lot, int edge, double from_m, double to_m, uint64_t key)
{
    double width = to_m - from_m;
    if (width < 9.0 || !rcity_city_chance(key, 10, p->style->wing_chance)) {
        return;
    }
    wing_side chosen = (wing_side)(1 + rcity_city_pick(key, 11, width >= 13.0 ? 3 : 2));
    double depth = lot->rear_m + 4.0 + rcity_city_pick(key, 12, 7);
    double wing_width = (0.35 + 0.15 * rcity_city_uniform(key, 13)) * width;
    double from = chosen == WING_LEFT    ? from_m
                  : chosen == WING_RIGHT ? to_m - wing_width
                                         : 0.5 * (from_m + to_m - wing_width);
    if (!can_reach(p, edge, from, depth) || !can_reach(p, edge, from + wing_width, depth)) {
        return;
    }
    lot->wing = chosen;
    lot->wing_m = depth;
    lot->wing_width_m = wing_width;
    lot->left_m = chosen == WING_LEFT ? depth : lot->rear_m;
    lot->right_m = chosen == WING_RIGHT ? depth : lot->rear_m;
}

/* A house between two lines of one edge. */
static void choose_straight(const perimeter *p, int index, const party_line *a, const party_line *b, lot_plan *lot)
{
    const rcity_city_style *style = p->style;
    uint64_t key = rcity_city_key(p->key, 2000 + index);
    int depth =
        style->depth_m - style->depth_less_m + rcity_city_pick(key, 0, style->depth_less_m + style->depth_more_m + 1);
    bool is_free =
        depth <= style->depth_m || (can_reach(p, a->edge, a->at_m, depth) && can_reach(p, a->edge, b->at_m, depth));
    lot->rear_m = is_free ? depth : p->depth_m;
    lot->left_m = lot->rear_m;
    lot->right_m = lot->rear_m;
    lot->is_vacant = lot->is_vacant || rcity_city_chance(key, 1, style->vacant_chance);
    if (rcity_city_chance(key, 2, style->setback_chance)) {
        lot->front_m = 1.5 * (1 + rcity_city_pick(key, 3, 2)); /* in steps, so that fronts are equal or clearly apart */
    } else if (b->at_m - a->at_m > 8.0 && rcity_city_chance(key, 4, style->recess_chance)) {
        lot->recess_m = rcity_city_between(key, 5, 0.8, 2.0);
    }
    choose_wing(p, lot, a->edge, a->at_m, b->at_m, key);
}

static void choose_lots(perimeter *p)
{
    p->deepest_m = p->depth_m;
    for (int i = 0; i < p->line_count; i++) {
        const party_line *a = &p->line[i];
        const party_line *b = &p->line[(i + 1) % p->line_count];
        lot_plan chosen = {
            .is_vacant = p->lot[i].is_vacant, .rear_m = p->depth_m, .left_m = p->depth_m, .right_m = p->depth_m};
        chosen.is_corner = i + 1 == p->line_count || a->yard_edge != b->yard_edge;
        if (!chosen.is_corner) {
            choose_straight(p, i, a, b, &chosen);
        }
        double deepest = chosen.wing != WING_NONE ? chosen.wing_m : chosen.rear_m;
        if (!chosen.is_vacant && deepest > p->deepest_m) {
            p->deepest_m = deepest;
        }
        p->lot[i] = chosen;
    }
}

/* A side wall on a line between two depths, with a corner where the neighbour's side wall starts or ends. */
static void push_side(const perimeter *p, rcity_city_outline *outline, const party_line *line, double from_m,
                      double to_m, const lot_plan *neighbour, double neighbour_front_m, double neighbour_rear_m)
{
    double low = from_m < to_m ? from_m : to_m;
    double high = from_m < to_m ? to_m : from_m;
    double between[2] = {from_m < to_m ? neighbour_front_m : neighbour_rear_m,
                         from_m < to_m ? neighbour_rear_m : neighbour_front_m};
    rcity_city_outline_push(outline, line_point(p, line, from_m));
    for (int i = 0; i < 2; i++) {
        if (!neighbour->is_vacant && between[i] > low && between[i] < high) {
            rcity_city_outline_push(outline, line_point(p, line, between[i]));
        }
    }
    rcity_city_outline_push(outline, line_point(p, line, to_m));
}

/* The rear of a house without its ends, from the next line back to its own. */
static void push_rear(const perimeter *p, rcity_city_outline *outline, const party_line *a, const party_line *b,
                      const lot_plan *lot)
{
    if (lot->is_corner) {
        int corner = b->yard_edge;
        do {
            rcity_city_outline_push(outline, p->yard.corner[corner]);
            corner = (corner + p->yard.count - 1) % p->yard.count;
        } while (corner != a->yard_edge);
        return;
    }
    double left_at = lot->wing == WING_RIGHT ? b->at_m - lot->wing_width_m : a->at_m + lot->wing_width_m;
    double right_at = left_at;
    if (lot->wing == WING_MIDDLE) {
        left_at = 0.5 * (a->at_m + b->at_m - lot->wing_width_m);
        right_at = left_at + lot->wing_width_m;
    }
    if (lot->wing == WING_LEFT || lot->wing == WING_MIDDLE) {
        rcity_city_outline_push(outline, place_at(p, a->edge, right_at, lot->rear_m));
        rcity_city_outline_push(outline, place_at(p, a->edge, right_at, lot->wing_m));
    }
    if (lot->wing == WING_RIGHT || lot->wing == WING_MIDDLE) {
        rcity_city_outline_push(outline, place_at(p, a->edge, left_at, lot->wing_m));
        rcity_city_outline_push(outline, place_at(p, a->edge, left_at, lot->rear_m));
    }
}

static void make_outline(const perimeter *p, int index, rcity_city_outline *outline)
{
    int count = p->line_count;
    const party_line *a = &p->line[index];
    const party_line *b = &p->line[(index + 1) % count];
    const lot_plan *lot = &p->lot[index];
    const lot_plan *before = &p->lot[(index + count - 1) % count];
    const lot_plan *after = &p->lot[(index + 1) % count];
    double a_front = a->bend_m + lot->front_m;
    double b_front = b->bend_m + lot->front_m;
    outline->count = 0;
    push_side(p, outline, a, lot->left_m, a_front, before, a->bend_m + before->front_m, before->right_m);
    if (lot->is_corner) {
        int corner = a->edge;
        do {
            corner = (corner + 1) % p->block->count;
            rcity_city_outline_push(outline, p->block->corner[corner]);
        } while (corner != b->edge);
    } else if (lot->recess_m > 0.0) {
        double front = 0.5 * (a_front + b_front) + lot->recess_m;
        rcity_city_outline_push(outline, place_at(p, a->edge, 0.5 * (a->at_m + b->at_m), front));
    }
    push_side(p, outline, b, b_front, lot->right_m, after, b->bend_m + after->front_m, after->left_m);
    push_rear(p, outline, a, b, lot);
}

/* The part of a house that a tower may stand in: between the two lines, or in the corner of the block. */
static void find_core(const perimeter *p, int index, rcity_city_polygon *core)
{
    const party_line *a = &p->line[index];
    const party_line *b = &p->line[(index + 1) % p->line_count];
    const lot_plan *lot = &p->lot[index];
    core->count = 4;
    if (!lot->is_corner) {
        double front = lot->front_m + lot->recess_m + (a->bend_m > b->bend_m ? a->bend_m : b->bend_m);
        core->corner[0] = place_at(p, a->edge, a->at_m, front);
        core->corner[1] = place_at(p, a->edge, b->at_m, front);
        core->corner[2] = place_at(p, a->edge, b->at_m, lot->rear_m);
        core->corner[3] = place_at(p, a->edge, a->at_m, lot->rear_m);
    } else if (b->edge == (a->edge + 1) % p->block->count && b->yard_edge == (a->yard_edge + 1) % p->yard.count) {
        core->corner[0] = place_at(p, a->edge, yard_corner_at(p, a->edge, b->yard_edge), 0.0);
        core->corner[1] = p->block->corner[b->edge];
        core->corner[2] = place_at(p, b->edge, yard_corner_at(p, b->edge, b->yard_edge), 0.0);
        core->corner[3] = p->yard.corner[b->yard_edge];
    } else {
        core->count = 0;
    }
}

static rcity_status build_houses(perimeter *p)
{
    for (int i = 0; i < p->line_count; i++) {
        rcity_city_outline outline;
        if (p->lot[i].is_vacant) {
            continue;
        }
        make_outline(p, i, &outline);
        rcity_city_house house = {.key = rcity_city_key(p->key, 3000 + i), .outline = &outline};
        house.place = p->lot[i].is_corner ? RCITY_CITY_PLACE_CORNER : RCITY_CITY_PLACE_STREET;
        find_core(p, i, &house.core);
        RCITY_TRY(p->style->build(p->style->maker, &house));
    }
    rcity_city_polygon room = rcity_city_polygon_shrink(p->block, p->deepest_m + 2.5);
    return rcity_city_yard_build(&room, p->style, rcity_city_key(p->key, 4000));
}

rcity_status rcity_city_perimeter_build(const rcity_city_polygon *block, const rcity_city_style *style, uint64_t key,
                                        bool *is_built)
{
    perimeter p = {.block = block, .style = style, .key = key, .depth_m = style->depth_m};
    if (!find_yard(&p)) {
        return RCITY_OK;
    }
    *is_built = true;
    place_lines(&p);
    if (p.line_count >= 2) {
        choose_lots(&p);
        return build_houses(&p);
    }
    rcity_city_outline outline = rcity_city_outline_from(block);
    rcity_city_outline hole = rcity_city_outline_from(&p.yard);
    rcity_city_house house = {.key = key, .place = RCITY_CITY_PLACE_WHOLE, .outline = &outline, .hole = &hole};
    return style->build(style->maker, &house);
}
