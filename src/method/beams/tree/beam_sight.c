/* Walls are taken from the tree, or by narrow beams from cells, near ones first, and held against what is known so far. Those that stop the beam are
   kept as spans, each with the nearest wall; lower walls are sorted in afterwards, in front of them. */
#include "method/beams/tree/beam_sight.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/portable.h"

#define ACROSS_MIN    1e-14 /* a narrower stretch is rounding */
#define FORWARD_MIN_M 1e-6  /* a box nearer than this is opened, whatever hides it */
#define NARROW_SCALE  4.0   /* 1 over the difference of the tangents of its edges: narrower beams go through cells */
#define WALK_RIM_M    1e-6  /* more than rounding moves an edge of a beam */
#define BASE_MARGIN   1e-12 /* of nearness: a wall must begin beyond the window */

void rcity_beam_sight_deinit(rcity_context *context, rcity_beam_sight *sight)
{
    rcity_release(context, sight->looks);
    rcity_release(context, sight->moved);
    rcity_release(context, sight->open_hits);
    rcity_release(context, sight->order);
    rcity_release(context, sight->ends);
    rcity_release(context, sight->spans);
    rcity_release(context, sight->low);
    rcity_release(context, sight->sightings);
    rcity_release(context, sight->passed);
    rcity_release(context, sight->hits);
    rcity_release(context, sight->parts);
    memset(sight, 0, sizeof *sight);
}

static inline double lesser(double a, double b) /* fmin() is a call */
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

/* Are two directions across a beam one, but for rounding? */
static inline bool is_same(double a, double b)
{
    return fabs(a - b) <= ACROSS_MIN;
}

static double middle(double right, double left)
{
    return 0.5 * (right + left);
}

/* One end of a wall after clipping. */
typedef struct wall_end {
    rcity_beam_offset at;
    int8_t end;  /* of the wall; -1 after clipping */
    int8_t edge; /* of the beam where it was clipped: 0 or 1; -1: neither */
} wall_end;

/* Cut off what lies beyond an edge of the beam: `a` and `b` are how far inside the ends lie, not both outside. */
static inline void clip(double a, double b, int8_t edge, wall_end *from, wall_end *to)
{
    if (a < 0.0 || b < 0.0) {
        double part = a / (a - b);
        wall_end cut = {{from->at.forward + part * (to->at.forward - from->at.forward),
                         from->at.left + part * (to->at.left - from->at.left)},
                        -1,
                        edge};
        *(a < 0.0 ? from : to) = cut;
    }
}

/* What was clipped at an edge of the beam ends there, to the last bit: else a stretch would stay open beside it. */
static inline rcity_beam_view view_end(const rcity_beam_frame *frame, const wall_end *end)
{
    rcity_beam_view view = rcity_beam_frame_view(frame, end->at);
    view.across = end->edge < 0 ? view.across : (double)end->edge;
    return view;
}

/* See a wall: the part of it in the beam. @return false when there is none. */
static inline bool see_wall(const rcity_beam_frame *frame, const rcity_plan_segment *wall, int32_t index,
                            rcity_beam_sighting *seen)
{
    wall_end from = {rcity_beam_frame_offset(frame, wall->x1, wall->y1), 0, -1};
    wall_end to = {rcity_beam_frame_offset(frame, wall->x2, wall->y2), 1, -1};
    double from_right = rcity_beam_frame_from_right(frame, from.at);
    double to_right = rcity_beam_frame_from_right(frame, to.at);
    double from_left = rcity_beam_frame_from_left(frame, from.at);
    double to_left = rcity_beam_frame_from_left(frame, to.at);
    if ((from_right <= 0.0 && to_right <= 0.0) || (from_left <= 0.0 && to_left <= 0.0) ||
        (from.at.forward <= 0.0 && to.at.forward <= 0.0)) {
        return false;
    }
    clip(from_right, to_right, 0, &from, &to);
    from_left = from.edge < 0 ? from_left : rcity_beam_frame_from_left(frame, from.at);
    to_left = to.edge < 0 ? to_left : rcity_beam_frame_from_left(frame, to.at);
    if (from_left <= 0.0 && to_left <= 0.0) {
        return false;
    }
    clip(from_left, to_left, 1, &from, &to);
    if (!(from.at.forward > 1e-9 && to.at.forward > 1e-9)) {
        return false;
    }
    rcity_beam_view a = view_end(frame, &from);
    rcity_beam_view b = view_end(frame, &to);
    bool is_turned = a.across > b.across;
    if (!(fabs(b.across - a.across) > ACROSS_MIN)) {
        return false;
    }
    rcity_beam_view right = is_turned ? b : a;
    rcity_beam_view left = is_turned ? a : b;
    seen->line = rcity_beam_line_through(right, left);
    seen->right = greater(right.across, 0.0);
    seen->left = lesser(left.across, 1.0);
    seen->wall = index;
    seen->right_end = is_turned ? to.end : from.end;
    seen->left_end = is_turned ? from.end : to.end;
    double at = middle(seen->right, seen->left);
    return rcity_beam_line_at(seen->line, at) < rcity_beam_line_at(frame->base, at) * (1.0 - BASE_MARGIN);
}

static double nearness_of(const rcity_beam_sight *sight, const rcity_beam_span *span, double across)
{
    return span->sighting < 0 ? 0.0 : rcity_beam_line_at(sight->sightings[span->sighting].line, across);
}

/* What is least near of all that stops the beam: 0 while something is open. */
static void measure_closed(rcity_beam_sight *sight)
{
    double least = RCITY_BEAM_NEARNESS_MAX;
    for (size_t i = 0; i < sight->span_count; i++) {
        const rcity_beam_span *span = &sight->spans[i];
        double at_right = nearness_of(sight, span, span->right);
        double at_left = nearness_of(sight, span, span->left);
        least = at_right < least ? at_right : least;
        least = at_left < least ? at_left : least;
    }
    sight->closed_nearness = least;
}

/* Put `count` spans in the place of one. */
static rcity_status replace_span(rcity_context *context, rcity_beam_sight *sight, size_t at, int count,
                                 const rcity_beam_span *spans)
{
    RCITY_TRY(rcity_reserve(context, sight->span_count + (size_t)count, sizeof *sight->spans, &sight->span_capacity,
                            "the parts of a beam", &sight->spans));
    memmove(sight->spans + at + count, sight->spans + at + 1, (sight->span_count - at - 1) * sizeof *spans);
    memcpy(sight->spans + at, spans, (size_t)count * sizeof *spans);
    sight->span_count += (size_t)count - 1;
    return RCITY_OK;
}

/* Neighbouring spans of one wall are one. */
static void join_spans(rcity_beam_sight *sight)
{
    size_t count = 0;
    for (size_t i = 0; i < sight->span_count; i++) {
        if (count > 0 && sight->spans[count - 1].sighting == sight->spans[i].sighting) {
            sight->spans[count - 1].left = sight->spans[i].left;
        } else {
            sight->spans[count++] = sight->spans[i];
        }
    }
    sight->span_count = count;
}

/* A wall that stops the beam, where it is the nearest so far. */
static rcity_status stop_by(rcity_context *context, const rcity_beam_sighting *seen, rcity_beam_sight *sight)
{
    RCITY_TRY(rcity_reserve(context, sight->sighting_count + 1, sizeof *sight->sightings, &sight->sighting_capacity,
                            "the walls that a beam meets", &sight->sightings));
    int32_t index = (int32_t)sight->sighting_count;
    sight->sightings[sight->sighting_count] = *seen;
    bool is_seen = false;
    for (size_t i = 0; i < sight->span_count && sight->spans[i].right < seen->left; i++) {
        rcity_beam_span span = sight->spans[i];
        double right = span.right > seen->right ? span.right : seen->right;
        double left = span.left < seen->left ? span.left : seen->left;
        double at = middle(right, left);
        right = right - span.right > ACROSS_MIN ? right : span.right; /* no stretch is left open that is rounding */
        left = span.left - left > ACROSS_MIN ? left : span.left;
        if (!(left - right > ACROSS_MIN) || rcity_beam_line_at(seen->line, at) <= nearness_of(sight, &span, at)) {
            continue;
        }
        rcity_beam_span pieces[3];
        int count = 0;
        if (right > span.right) {
            pieces[count++] = (rcity_beam_span){span.right, right, span.sighting};
        }
        pieces[count++] = (rcity_beam_span){right, left, index};
        if (left < span.left) {
            pieces[count++] = (rcity_beam_span){left, span.left, span.sighting};
        }
        RCITY_TRY(replace_span(context, sight, i, count, pieces));
        i += (size_t)count - 1;
        is_seen = true;
    }
    if (is_seen) {
        sight->sighting_count++;
        join_spans(sight);
        measure_closed(sight);
    }
    return RCITY_OK;
}

static rcity_status take_wall(rcity_context *context, const rcity_beams_world *world, const rcity_beam_frame *frame,
                              const rcity_beam_limits *limits, int32_t wall, rcity_beam_sight *sight)
{
    rcity_beam_sighting seen;
    if (wall == limits->except_wall || !see_wall(frame, &world->walls[wall], wall, &seen)) {
        return RCITY_OK;
    }
    double top_m = world->facets->mirrors[wall].top;
    if (top_m >= limits->stop_m) {
        return stop_by(context, &seen, sight);
    }
    double near_m = rcity_beam_frame_near_m(frame, seen.line, seen.right, seen.left);
    if (rcity_beam_heights_least_m(&limits->heights, near_m, top_m) > limits->reach_m) {
        return stop_by(context, &seen, sight);
    }
    double far_m = rcity_beam_frame_far_m(frame, seen.line, seen.right, seen.left);
    if (near_m > limits->reach_m || rcity_beam_heights_most_m(&limits->heights, far_m, top_m) < limits->least_m) {
        return RCITY_OK; /* too far away, or all rays are higher there */
    }
    RCITY_TRY(rcity_reserve(context, sight->low_count + 1, sizeof *sight->low, &sight->low_capacity,
                            "the walls that a beam meets", &sight->low));
    sight->low[sight->low_count++] = seen;
    return RCITY_OK;
}

/* Do walls hide all that lies between two directions and farther than a distance? */
static bool are_closed(const rcity_beam_sight *sight, double right, double left, double near_m)
{
    for (size_t i = 0; i < sight->span_count && sight->spans[i].right < left; i++) {
        const rcity_beam_span *span = &sight->spans[i];
        if (span->left <= right) {
            continue;
        }
        double at_right = nearness_of(sight, span, span->right > right ? span->right : right);
        double at_left = nearness_of(sight, span, span->left < left ? span->left : left);
        if (at_right * near_m < 1.0 || at_left * near_m < 1.0) {
            return false;
        }
    }
    return true;
}

/* Is a box that lies wholly in front of the source hidden by what is seen so far? */
static bool is_hidden(const rcity_beam_frame *frame, const rcity_plan_tree_node *node, const rcity_beam_sight *sight,
                      double near_m)
{
    double right = 1.0;
    double left = 0.0;
    for (int i = 0; i < 4; i++) {
        rcity_beam_offset at = rcity_beam_frame_offset(frame, (double)(i % 2 == 0 ? node->x_min : node->x_max),
                                                       (double)(i / 2 == 0 ? node->y_min : node->y_max));
        double across = (at.left / at.forward - frame->right) * frame->scale;
        right = across < right ? across : right;
        left = across > left ? across : left;
    }
    return are_closed(sight, right, left, near_m);
}

/* A box: may it hold something of the beam that can be seen? And its distance forward, for the order. */
static bool may_be_seen(const rcity_beam_frame *frame, const rcity_plan_tree_node *node, const rcity_beam_sight *sight,
                        double reach_m, double *near_m)
{
    double half_x = 0.5 * ((double)node->x_max - (double)node->x_min);
    double half_y = 0.5 * ((double)node->y_max - (double)node->y_min);
    rcity_beam_offset at = rcity_beam_frame_offset(frame, (double)node->x_min + half_x, (double)node->y_min + half_y);
    double forward = half_x * fabs(frame->axis_x) + half_y * fabs(frame->axis_y);
    *near_m = at.forward - forward;
    if (at.forward + forward <= 0.0 || *near_m > reach_m ||
        (*near_m > 0.0 && *near_m * sight->closed_nearness >= 1.0)) {
        return false;
    }
    /* the directions that point into the beam from its edges, and how far the box reaches along them */
    double left_tangent = frame->right + 1.0 / frame->scale;
    double right_x = -frame->axis_y - frame->right * frame->axis_x;
    double right_y = frame->axis_x - frame->right * frame->axis_y;
    double left_x = left_tangent * frame->axis_x + frame->axis_y;
    double left_y = left_tangent * frame->axis_y - frame->axis_x;
    return rcity_beam_frame_from_right(frame, at) + half_x * fabs(right_x) + half_y * fabs(right_y) >= 0.0 &&
           rcity_beam_frame_from_left(frame, at) + half_x * fabs(left_x) + half_y * fabs(left_y) >= 0.0;
}

/* A box that waits to be opened. */
typedef struct waiting_node {
    int32_t node;
    double near_m;
} waiting_node;

static rcity_status take_walls(rcity_context *context, const rcity_beams_world *world, const rcity_beam_frame *frame,
                               const rcity_beam_limits *limits, rcity_beam_sight *sight)
{
    const rcity_plan_tree *tree = &world->wall_tree;
    waiting_node stack[RCITY_PLAN_TREE_STACK];
    int depth = 0;
    double near_m;
    if (tree->node_count > 0 && may_be_seen(frame, &tree->nodes[0], sight, limits->reach_m, &near_m)) {
        stack[depth++] = (waiting_node){0, near_m};
    }
    while (depth > 0) {
        waiting_node next = stack[--depth];
        const rcity_plan_tree_node *node = &tree->nodes[next.node];
        if (next.near_m > FORWARD_MIN_M &&
            (next.near_m * sight->closed_nearness >= 1.0 || is_hidden(frame, node, sight, next.near_m))) {
            continue;
        }
        for (int32_t i = 0; i < node->count; i++) {
            RCITY_TRY(take_wall(context, world, frame, limits, tree->items[node->first + i], sight));
        }
        if (node->count > 0) {
            continue;
        }
        waiting_node child[2];
        int count = 0;
        for (int k = 0; k < 2; k++) {
            if (may_be_seen(frame, &tree->nodes[node->first + k], sight, limits->reach_m, &near_m)) {
                child[count++] = (waiting_node){node->first + k, near_m};
            }
        }
        if (count == 2 && child[0].near_m < child[1].near_m) { /* the nearer one is taken first */
            waiting_node swap = child[0];
            child[0] = child[1];
            child[1] = swap;
        }
        for (int k = 0; k < count; k++) {
            stack[depth++] = child[k];
        }
    }
    return RCITY_OK;
}

/* A narrow beam on its way through cells, along the axis of the plan that it follows: x, or y with both exchanged. */
typedef struct cell_walk {
    bool is_y;
    double u, v;            /* the source */
    double right_u, left_u; /* along the axis for each metre forward, at both edges of the beam */
    double origin_u, origin_v;
    int32_t count_u, count_v;
} cell_walk;

static cell_walk start_walk(const rcity_beams_cells *cells, const rcity_beam_frame *frame)
{
    cell_walk walk;
    double left = frame->right + 1.0 / frame->scale;
    double right_x = frame->axis_x - frame->right * frame->axis_y;
    double right_y = frame->axis_y + frame->right * frame->axis_x;
    double left_x = frame->axis_x - left * frame->axis_y;
    double left_y = frame->axis_y + left * frame->axis_x;
    walk.is_y = fabs(frame->axis_y) > fabs(frame->axis_x);
    walk.u = walk.is_y ? frame->y : frame->x;
    walk.v = walk.is_y ? frame->x : frame->y;
    walk.right_u = walk.is_y ? right_y : right_x;
    walk.left_u = walk.is_y ? left_y : left_x;
    walk.origin_u = walk.is_y ? cells->south_m : cells->west_m;
    walk.origin_v = walk.is_y ? cells->west_m : cells->south_m;
    walk.count_u = walk.is_y ? cells->row_count : cells->column_count;
    walk.count_v = walk.is_y ? cells->column_count : cells->row_count;
    return walk;
}

/* The walls of one cell that this look has not taken yet. */
RCITY_KERNEL_WITHIN rcity_status take_cell(rcity_context *context, const rcity_beams_world *world,
                                           const rcity_beam_frame *frame, const rcity_beam_limits *limits, int64_t cell,
                                           rcity_beam_sight *sight)
{
    for (int32_t i = world->cells.first[cell]; i < world->cells.first[cell + 1]; i++) {
        int32_t wall = world->cells.walls[i];
        if (sight->looks[wall] != sight->look) {
            sight->looks[wall] = sight->look;
            RCITY_TRY(take_wall(context, world, frame, limits, wall, sight));
        }
    }
    return RCITY_OK;
}

/* The part of the beam across in which something farther than a distance may be seen. @return false for none. */
RCITY_KERNEL_WITHIN bool find_open(const rcity_beam_sight *sight, double forward_m, double *right, double *left)
{
    *right = 1.0;
    *left = 0.0;
    for (size_t i = 0; i < sight->span_count; i++) {
        const rcity_beam_span *span = &sight->spans[i];
        if (nearness_of(sight, span, span->right) * forward_m < 1.0 ||
            nearness_of(sight, span, span->left) * forward_m < 1.0) {
            *right = lesser(*right, span->right);
            *left = greater(*left, span->left);
        }
    }
    return *right < *left;
}

/* How far a direction of the beam moves across the axis for each metre along it. */
RCITY_KERNEL_WITHIN double slope_of(const cell_walk *walk, const rcity_beam_frame *frame, double across)
{
    double tangent = frame->right + across / frame->scale;
    double x = frame->axis_x - tangent * frame->axis_y;
    double y = frame->axis_y + tangent * frame->axis_x;
    return walk->is_y ? x / y : y / x;
}

/* The cells of one column or row between two places along the axis, seen from the source, in what is open of the beam. */
RCITY_KERNEL_WITHIN rcity_status take_slab(rcity_context *context, const rcity_beams_world *world,
                                           const rcity_beam_frame *frame, const rcity_beam_limits *limits,
                                           const cell_walk *walk, int64_t slab, double near_u, double far_u,
                                           double right_slope, double left_slope, rcity_beam_sight *sight)
{
    const rcity_beams_cells *cells = &world->cells;
    double low =
        lesser(lesser(near_u * right_slope, near_u * left_slope), lesser(far_u * right_slope, far_u * left_slope));
    double high =
        greater(greater(near_u * right_slope, near_u * left_slope), greater(far_u * right_slope, far_u * left_slope));
    double first = floor((walk->v + low - WALK_RIM_M - walk->origin_v) * cells->per_m);
    double last = floor((walk->v + high + WALK_RIM_M - walk->origin_v) * cells->per_m);
    if (!(last >= 0.0 && first <= walk->count_v - 1)) {
        return RCITY_OK;
    }
    int64_t from = first < 0.0 ? 0 : (int64_t)first;
    int64_t to = last > walk->count_v - 1 ? walk->count_v - 1 : (int64_t)last;
    for (int64_t across = from; across <= to; across++) {
        int64_t cell = walk->is_y ? slab * cells->column_count + across : across * cells->column_count + slab;
        RCITY_TRY(take_cell(context, world, frame, limits, cell, sight));
    }
    return RCITY_OK;
}

/* Column by column, or row by row, away from the source, until nothing farther can be seen. */
RCITY_WIDE static rcity_status walk_cells(rcity_context *context, const rcity_beams_world *world,
                                          const rcity_beam_frame *frame, const rcity_beam_limits *limits,
                                          rcity_beam_sight *sight)
{
    const rcity_beams_cells *cells = &world->cells;
    cell_walk walk = start_walk(cells, frame);
    bool is_up = walk.right_u > 0.0;
    double open_right = -1.0; /* of the last slab, with their slopes */
    double open_left = -1.0;
    double right_slope = 0.0;
    double left_slope = 0.0;
    double per_right_u = 1.0 / walk.right_u;
    double per_left_u = 1.0 / walk.left_u;
    double from_right = walk.right_u / rcity_beam_line_at(frame->base, 0.0);
    double from_left = walk.left_u / rcity_beam_line_at(frame->base, 1.0);
    double from_u =
        walk.u + (is_up ? lesser(from_right, from_left) - WALK_RIM_M : greater(from_right, from_left) + WALK_RIM_M);
    double start = floor((from_u - walk.origin_u) / cells->cell_m);
    start = is_up ? greater(start, 0.0) : lesser(start, walk.count_u - 1);
    double end = is_up ? walk.count_u - 1 : 0;
    for (double slab = start; is_up ? slab <= end : slab >= end; slab += is_up ? 1.0 : -1.0) {
        double near_u = walk.origin_u + (is_up ? slab : slab + 1.0) * cells->cell_m - walk.u;
        double far_u = walk.origin_u + (is_up ? slab + 1.0 : slab) * cells->cell_m - walk.u;
        near_u = is_up ? greater(near_u, 0.0) : lesser(near_u, 0.0);
        double near_m = lesser(near_u * per_right_u, near_u * per_left_u); /* forward, at least */
        double right, left;
        if (near_m > limits->reach_m || !find_open(sight, near_m, &right, &left)) {
            break;
        }
        if (right != open_right) {
            open_right = right;
            right_slope = slope_of(&walk, frame, right);
        }
        if (left != open_left) {
            open_left = left;
            left_slope = slope_of(&walk, frame, left);
        }
        RCITY_TRY(take_slab(context, world, frame, limits, &walk, (int64_t)slab, near_u, far_u, right_slope, left_slope,
                            sight));
    }
    return RCITY_OK;
}

/* Each wall is taken once in a look. */
static rcity_status begin_look(rcity_context *context, const rcity_beams_world *world, rcity_beam_sight *sight)
{
    size_t wall_count = (size_t)world->facets->wall_count;
    if (sight->look_capacity < wall_count || sight->look == UINT32_MAX) {
        RCITY_TRY(rcity_reserve(context, wall_count, sizeof *sight->looks, &sight->look_capacity,
                                "the walls that a beam meets", &sight->looks));
        memset(sight->looks, 0, sight->look_capacity * sizeof *sight->looks);
        sight->look = 0;
    }
    sight->look++;
    return RCITY_OK;
}

/* A wall between two directions, met after the first `passed_count` of some lower walls. */
static rcity_status add_hit(rcity_context *context, const rcity_beam_sighting *seen, double right, double left,
                            int32_t passed_first, int32_t passed_count, rcity_beam_sight *sight)
{
    RCITY_TRY(rcity_reserve(context, sight->hit_count + 1, sizeof *sight->hits, &sight->hit_capacity,
                            "the walls that a beam meets", &sight->hits));
    sight->hits[sight->hit_count++] = (rcity_beam_hit){right,
                                                       left,
                                                       seen->wall,
                                                       passed_first,
                                                       passed_count,
                                                       is_same(right, seen->right) ? seen->right_end : (int8_t)-1,
                                                       is_same(left, seen->left) ? seen->left_end : (int8_t)-1};
    return RCITY_OK;
}

/* A part of the beam with the lower walls of `order`, and the hit at its end. */
static rcity_status add_part(rcity_context *context, const rcity_beam_span *span, double right, double left,
                             int32_t low_count, rcity_beam_sight *sight)
{
    int32_t first = (int32_t)sight->passed_count;
    RCITY_TRY(rcity_reserve(context, sight->part_count + 1, sizeof *sight->parts, &sight->part_capacity,
                            "the parts of a beam", &sight->parts));
    RCITY_TRY(rcity_reserve(context, sight->passed_count + (size_t)low_count, sizeof *sight->passed,
                            &sight->passed_capacity, "the walls that a beam passes", &sight->passed));
    for (int32_t i = 0; i < low_count; i++) {
        sight->passed[sight->passed_count++] = sight->low[sight->order[i]].wall;
    }
    int32_t wall = span->sighting < 0 ? -1 : sight->sightings[span->sighting].wall;
    sight->parts[sight->part_count++] = (rcity_beam_part){right, left, wall, first, low_count};
    if (wall < 0) {
        return RCITY_OK;
    }
    return add_hit(context, &sight->sightings[span->sighting], right, left, first, low_count, sight);
}

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The part of a lower wall in a span and in front of it. */
static bool lies_before(const rcity_beam_sight *sight, const rcity_beam_span *span, const rcity_beam_sighting *low,
                        double *right, double *left)
{
    *right = low->right > span->right ? low->right : span->right;
    *left = low->left < span->left ? low->left : span->left;
    double at = middle(*right, *left);
    return *left - *right > ACROSS_MIN && rcity_beam_line_at(low->line, at) > nearness_of(sight, span, at);
}

/* Does a wall, seen from an eye, hide one behind it between two directions? The line of sight over its top passes the
   other top there if it does at both ends. */
static bool hides(const rcity_beams_world *world, const rcity_beam_sighting *near, const rcity_beam_sighting *far,
                  double eye_m, double right, double left)
{
    double near_rise = world->facets->mirrors[near->wall].top - eye_m;
    double far_rise = world->facets->mirrors[far->wall].top - eye_m;
    return near_rise * rcity_beam_line_at(near->line, right) >= far_rise * rcity_beam_line_at(far->line, right) &&
           near_rise * rcity_beam_line_at(near->line, left) >= far_rise * rcity_beam_line_at(far->line, left);
}

/* The lower walls between two directions, nearest first, into `order`. Those below the line from the eye over an earlier one
   are left out: rays that pass that one pass them too, and so do rays that start lower. */
static int32_t order_low(const rcity_beams_world *world, const rcity_beam_span *span, const rcity_beam_limits *limits,
                         double right, double left, rcity_beam_sight *sight)
{
    double at = middle(right, left);
    int32_t count = 0;
    for (size_t i = 0; i < sight->low_count; i++) {
        const rcity_beam_sighting *low = &sight->low[i];
        double nearness = rcity_beam_line_at(low->line, at);
        if (low->right > at || low->left < at || nearness <= nearness_of(sight, span, at)) {
            continue;
        }
        int32_t k = count++;
        for (; k > 0; k--) {
            const rcity_beam_sighting *before = &sight->low[sight->order[k - 1]];
            double other = rcity_beam_line_at(before->line, at);
            if (other > nearness || (other == nearness && before->wall < low->wall)) {
                break;
            }
            sight->order[k] = sight->order[k - 1];
        }
        sight->order[k] = (int32_t)i;
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t k = 0;
        while (k < kept &&
               !hides(world, &sight->low[sight->order[k]], &sight->low[sight->order[i]], limits->eye_m, right, left)) {
            k++;
        }
        if (k == kept) {
            sight->order[kept++] = sight->order[i];
        }
    }
    return kept;
}

/* The hits of the lower walls of the last part. A hit of the part before goes on where it met the same walls. */
static rcity_status hit_low(rcity_context *context, double right, double left, int32_t low_count,
                            rcity_beam_sight *sight)
{
    const rcity_beam_part *part = &sight->parts[sight->part_count - 1];
    for (int32_t i = 0; i < low_count; i++) {
        int32_t index = sight->order[i];
        const rcity_beam_sighting *low = &sight->low[index];
        int32_t open = sight->open_hits[index];
        rcity_beam_hit *before = open >= 0 ? &sight->hits[open] : NULL;
        if (before != NULL && before->left == right && before->passed_count == i &&
            memcmp(sight->passed + before->passed_first, sight->passed + part->passed_first,
                   (size_t)i * sizeof *sight->passed) == 0) {
            before->left = left;
            before->left_end = is_same(left, low->left) ? low->left_end : (int8_t)-1;
            continue;
        }
        sight->open_hits[index] = (int32_t)sight->hit_count;
        RCITY_TRY(add_hit(context, low, right, left, part->passed_first, i, sight));
    }
    return RCITY_OK;
}

/* Does the next part go on as the last one? */
static bool goes_on(const rcity_beam_sight *sight, size_t first_part, double right, int32_t low_count)
{
    if (sight->part_count == first_part) {
        return false;
    }
    const rcity_beam_part *last = &sight->parts[sight->part_count - 1];
    if (last->left != right || last->passed_count != low_count) {
        return false;
    }
    for (int32_t i = 0; i < low_count; i++) {
        if (sight->passed[last->passed_first + i] != sight->low[sight->order[i]].wall) {
            return false;
        }
    }
    return true;
}

/* Extend the last part, the hit at its end, and those of its lower walls. */
static void extend_part(const rcity_beam_span *span, double left, int32_t low_count, size_t end_hit,
                        rcity_beam_sight *sight)
{
    sight->parts[sight->part_count - 1].left = left;
    if (span->sighting >= 0) {
        const rcity_beam_sighting *seen = &sight->sightings[span->sighting];
        sight->hits[end_hit].left = left;
        sight->hits[end_hit].left_end = is_same(left, seen->left) ? seen->left_end : (int8_t)-1;
    }
    for (int32_t i = 0; i < low_count; i++) {
        const rcity_beam_sighting *low = &sight->low[sight->order[i]];
        rcity_beam_hit *hit = &sight->hits[sight->open_hits[sight->order[i]]];
        hit->left = left;
        hit->left_end = is_same(left, low->left) ? low->left_end : (int8_t)-1;
    }
}

/* The parts of one span: it is cut where a lower wall begins or ends. */
static rcity_status divide_span(rcity_context *context, const rcity_beams_world *world, const rcity_beam_limits *limits,
                                const rcity_beam_span *span, rcity_beam_sight *sight)
{
    size_t end_count = 0;
    RCITY_TRY(rcity_reserve(context, 2 * sight->low_count + 2, sizeof *sight->ends, &sight->end_capacity,
                            "the parts of a beam", &sight->ends));
    for (size_t i = 0; i < sight->low_count; i++) {
        double right, left;
        if (lies_before(sight, span, &sight->low[i], &right, &left)) {
            sight->ends[end_count++] = right;
            sight->ends[end_count++] = left;
        }
    }
    sight->ends[end_count++] = span->right;
    sight->ends[end_count++] = span->left;
    qsort(sight->ends, end_count, sizeof *sight->ends, compare_numbers);
    size_t first_part = sight->part_count;
    size_t end_hit = 0;
    double right = span->right;
    for (size_t i = 1; i < end_count; i++) {
        double left = sight->ends[i];
        if (!(left - right > ACROSS_MIN) && i + 1 < end_count) {
            continue;
        }
        left = span->left - left > ACROSS_MIN ? left : span->left;
        int32_t count = order_low(world, span, limits, right, left, sight);
        if (goes_on(sight, first_part, right, count)) {
            extend_part(span, left, count, end_hit, sight);
        } else {
            end_hit = sight->hit_count;
            RCITY_TRY(add_part(context, span, right, left, count, sight));
            RCITY_TRY(hit_low(context, right, left, count, sight));
        }
        right = left;
        if (left == span->left) {
            break;
        }
    }
    return RCITY_OK;
}

rcity_status rcity_beam_sight_run(rcity_context *context, const rcity_beams_world *world, const rcity_beam_frame *frame,
                                  const rcity_beam_limits *limits, rcity_beam_sight *sight)
{
    sight->part_count = sight->hit_count = sight->passed_count = 0;
    sight->sighting_count = sight->low_count = 0;
    sight->closed_nearness = 0.0;
    RCITY_TRY(
        rcity_reserve(context, 1, sizeof *sight->spans, &sight->span_capacity, "the parts of a beam", &sight->spans));
    sight->spans[0] = (rcity_beam_span){0.0, 1.0, -1};
    sight->span_count = 1;
    if (frame->scale >= NARROW_SCALE && world->cells.first != NULL) {
        RCITY_TRY(begin_look(context, world, sight));
        RCITY_TRY(walk_cells(context, world, frame, limits, sight));
    } else {
        RCITY_TRY(take_walls(context, world, frame, limits, sight));
    }
    RCITY_TRY(rcity_reserve(context, sight->low_count + 1, sizeof *sight->order, &sight->order_capacity,
                            "the parts of a beam", &sight->order));
    RCITY_TRY(rcity_reserve(context, sight->low_count + 1, sizeof *sight->open_hits, &sight->open_capacity,
                            "the parts of a beam", &sight->open_hits));
    for (size_t i = 0; i < sight->low_count; i++) {
        sight->open_hits[i] = -1;
    }
    for (size_t i = 0; i < sight->span_count; i++) {
        RCITY_TRY(divide_span(context, world, limits, &sight->spans[i], sight));
    }
    return RCITY_OK;
}
