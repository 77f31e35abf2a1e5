/* Walls are taken from the tree, or by narrow beams from cells, near ones first, and held against what is known so far. Those that stop the beam are
   kept as spans, each with the nearest wall; lower walls are sorted in afterwards, in front of them. */
#include "method/beams/tree/beam_sight.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/portable.h"
#include "method/beams/tree/beam_across.h"
#include "method/beams/tree/beam_divide.h"

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
    if (!(fabs(b.across - a.across) > RCITY_BEAM_ACROSS_MIN)) {
        return false;
    }
    rcity_beam_view right = is_turned ? b : a;
    rcity_beam_view left = is_turned ? a : b;
    seen->line = rcity_beam_line_through(right, left);
    seen->right = rcity_beam_greater(right.across, 0.0);
    seen->left = rcity_beam_lesser(left.across, 1.0);
    seen->wall = index;
    seen->right_end = is_turned ? to.end : from.end;
    seen->left_end = is_turned ? from.end : to.end;
    double at = rcity_beam_middle(seen->right, seen->left);
    return rcity_beam_line_at(seen->line, at) < rcity_beam_line_at(frame->base, at) * (1.0 - BASE_MARGIN);
}

/* What is least near of all that stops the beam: 0 while something is open. */
static void measure_closed(rcity_beam_sight *sight)
{
    double least = RCITY_BEAM_NEARNESS_MAX;
    for (size_t i = 0; i < sight->span_count; i++) {
        const rcity_beam_span *span = &sight->spans[i];
        double at_right = rcity_beam_span_nearness(sight, span, span->right);
        double at_left = rcity_beam_span_nearness(sight, span, span->left);
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
        double at = rcity_beam_middle(right, left);
        right = right - span.right > RCITY_BEAM_ACROSS_MIN ? right
                                                           : span.right; /* no stretch is left open that is rounding */
        left = span.left - left > RCITY_BEAM_ACROSS_MIN ? left : span.left;
        if (!(left - right > RCITY_BEAM_ACROSS_MIN) ||
            rcity_beam_line_at(seen->line, at) <= rcity_beam_span_nearness(sight, &span, at)) {
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
        double at_right = rcity_beam_span_nearness(sight, span, span->right > right ? span->right : right);
        double at_left = rcity_beam_span_nearness(sight, span, span->left < left ? span->left : left);
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
        if (rcity_beam_span_nearness(sight, span, span->right) * forward_m < 1.0 ||
            rcity_beam_span_nearness(sight, span, span->left) * forward_m < 1.0) {
            *right = rcity_beam_lesser(*right, span->right);
            *left = rcity_beam_greater(*left, span->left);
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
    double low = rcity_beam_lesser(rcity_beam_lesser(near_u * right_slope, near_u * left_slope),
                                   rcity_beam_lesser(far_u * right_slope, far_u * left_slope));
    double high = rcity_beam_greater(rcity_beam_greater(near_u * right_slope, near_u * left_slope),
                                     rcity_beam_greater(far_u * right_slope, far_u * left_slope));
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
    double from_u = walk.u + (is_up ? rcity_beam_lesser(from_right, from_left) - WALK_RIM_M
                                    : rcity_beam_greater(from_right, from_left) + WALK_RIM_M);
    double start = floor((from_u - walk.origin_u) / cells->cell_m);
    start = is_up ? rcity_beam_greater(start, 0.0) : rcity_beam_lesser(start, walk.count_u - 1);
    double end = is_up ? walk.count_u - 1 : 0;
    for (double slab = start; is_up ? slab <= end : slab >= end; slab += is_up ? 1.0 : -1.0) {
        double near_u = walk.origin_u + (is_up ? slab : slab + 1.0) * cells->cell_m - walk.u;
        double far_u = walk.origin_u + (is_up ? slab + 1.0 : slab) * cells->cell_m - walk.u;
        near_u = is_up ? rcity_beam_greater(near_u, 0.0) : rcity_beam_lesser(near_u, 0.0);
        double near_m = rcity_beam_lesser(near_u * per_right_u, near_u * per_left_u); /* forward, at least */
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
        RCITY_TRY(rcity_beam_divide(context, world, limits, &sight->spans[i], sight));
    }
    return RCITY_OK;
}
