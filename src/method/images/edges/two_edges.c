/* Matching: each beam against the receiver's edges in its region. Cheap tests come first, then the route is
   proposed. */
#include "method/images/edges/two_edges.h"

#include <math.h>
#include <string.h>

#include "method/images/search/level_table.h"

#define PAUSE_TREES   64 /* trees between two pauses: some milliseconds */
#define NARROW_ROUNDS 2
#define SOLID_RIM_RAD 1e-4 /* a place this near to a face counts as in the air */
#define RIM_M         1e-3 /* slack of heights at vertical edges: far more than rounding */

static rcity_status add_end(rcity_context *context, const rcity_edge_end *end, rcity_edge_ends *list)
{
    RCITY_TRY(
        rcity_reserve(context, list->count + 1, sizeof *list->ends, &list->capacity, "images at edges", &list->ends));
    list->ends[list->count++] = *end;
    return RCITY_OK;
}

/* The directions of an edge's faces: the solid lies clockwise of face o and counter-clockwise of face n. */
typedef struct edge_solid {
    const rcity_facet_edge *facet_edge;
    double n_cosine, n_sine; /* direction of face n, measured from face o */
} edge_solid;

static edge_solid solid_of(const rcity_facet_edge *facet_edge)
{
    return (edge_solid){facet_edge, cos(facet_edge->exterior_rad), sin(facet_edge->exterior_rad)};
}

/* Does a place certainly lie in the solid of an edge? No ray comes from there. */
static bool lies_in_solid(const edge_solid *solid, double x, double y, double z)
{
    const rcity_facet_edge *facet_edge = solid->facet_edge;
    double dx = x - facet_edge->a.x;
    double dy = y - facet_edge->a.y;
    double dz = z - facet_edge->a.z;
    double off_face = dx * facet_edge->normal_o.x + dy * facet_edge->normal_o.y + dz * facet_edge->normal_o.z;
    double along_face = dx * facet_edge->in_face_o.x + dy * facet_edge->in_face_o.y + dz * facet_edge->in_face_o.z;
    double rim = SOLID_RIM_RAD * (fabs(dx) + fabs(dy) + fabs(dz));
    return off_face < -rim && solid->n_cosine * off_face - solid->n_sine * along_face > rim;
}

/* The same for a whole part: the solid is convex, since its angle is below pi. */
static bool part_lies_in_solid(const edge_solid *solid, const rcity_edge_part *part)
{
    return lies_in_solid(solid, part->plan.x1, part->plan.y1, part->z_high) &&
           lies_in_solid(solid, part->plan.x2, part->plan.y2, part->z_high);
}

rcity_status rcity_two_edges_list(rcity_context *context, rcity_place3 end, const rcity_reach *reach,
                                  const rcity_level_table *levels, const rcity_facet_table *world,
                                  rcity_edge_ends *list)
{
    list->count = 0;
    for (size_t i = 0; i < reach->meeting_count; i++) {
        const rcity_beam *beam = &reach->beams[reach->meetings[i].beam];
        rcity_edge_end image = {{beam->source.x1, beam->source.y1, end.z},
                                reach->meetings[i].facet_edge,
                                reach->meetings[i].beam,
                                -1,
                                beam->depth};
        edge_solid solid = solid_of(&world->edges[image.facet_edge]);
        if (!lies_in_solid(&solid, image.image.x, image.image.y, image.image.z)) {
            RCITY_TRY(add_end(context, &image, list));
        }
        for (size_t k = levels->first[i]; k < levels->first[i + 1]; k++) {
            image.level = levels->level[k];
            image.image.z = 2.0 * world->mirrors[image.level].offset - end.z;
            image.spent = beam->depth + 1;
            if (!lies_in_solid(&solid, image.image.x, image.image.y, image.image.z)) {
                RCITY_TRY(add_end(context, &image, list));
            }
        }
    }
    return RCITY_OK;
}

/* An edge that the receiver meets, with the receiver's images there. */
typedef struct far_edge {
    int32_t facet_edge;
    size_t end_first, end_count;
    int least_spent;
    edge_solid solid;
} far_edge;

/* State of one search. */
typedef struct match_run {
    rcity_context *context;
    const rcity_search *search;
    rcity_searcher *searcher;
    rcity_place3 rx;
    rcity_path_list *list;
    int32_t far_count;
    far_edge *far;
    rcity_edge_cone *cones; /* for each image of the receiver */
    rcity_plan_segment *segments, *listed_segments;
    float *tops, *listed_tops;
    /* for each number of reflections: the edges that the receiver meets with at most that many */
    rcity_plan_tree trees[RCITY_REFLECTION_MAX + 1];
    int32_t *listed[RCITY_REFLECTION_MAX + 1]; /* each tree's edges */
    double lowest;                             /* of all levels and of the receiver's edges */
    int8_t *sight; /* sight from the first edge to each edge of the receiver: 0 unknown, 1 hidden, 2 not certain */
} match_run;

/* One of the receiver's edges in a beam. */
typedef struct far_side {
    const far_edge *far;
    const rcity_facet_edge *facet_edge;
    rcity_edge_part edge;
    double from, to;         /* the part of it in the beam's region, as fractions */
    rcity_edge_part visible; /* the same part */
} far_side;

/* A beam and one image of the transmitter, ready to be matched. */
typedef struct near_side {
    const rcity_edge_tree *tree;
    size_t beam;
    const rcity_facet_edge *facet_edge;
    edge_solid solid;
    const rcity_edge_end *end;
    rcity_edge_cone cone;
    rcity_edge_part edge;
    int left; /* reflections left after the beam */
} near_side;

static rcity_edge_cone cone_of_edge(const rcity_facet_edge *facet_edge)
{
    if (facet_edge->is_vertical) {
        return rcity_edge_cone_vertical(facet_edge->a, facet_edge->b.z - facet_edge->a.z);
    }
    rcity_plan_segment segment = {facet_edge->a.x, facet_edge->a.y, facet_edge->b.x, facet_edge->b.y};
    return rcity_edge_cone_level(segment, facet_edge->a.z);
}

/* One tree for each number of reflections that may be left: most beams have none left, and few edges need none. */
static rcity_status plant_trees(match_run *run, size_t count)
{
    rcity_context *context = run->context;
    size_t room = count + 1;
    RCITY_TRY(rcity_alloc(context, room, sizeof *run->listed_segments, "the receiver's edges", &run->listed_segments));
    RCITY_TRY(rcity_alloc(context, room, sizeof *run->listed_tops, "the receiver's edges", &run->listed_tops));
    for (int left = 0; left <= run->search->orders.max_reflections; left++) {
        int32_t *listed;
        RCITY_TRY(rcity_alloc(context, room, sizeof *listed, "the receiver's edges", &run->listed[left]));
        listed = run->listed[left];
        int32_t listed_count = 0;
        for (int32_t i = 0; i < run->far_count; i++) {
            if (run->far[i].least_spent <= left) {
                run->listed_segments[listed_count] = run->segments[i];
                run->listed_tops[listed_count] = run->tops[i];
                listed[listed_count++] = i;
            }
        }
        RCITY_TRY(
            rcity_plan_tree_init(context, listed_count, run->listed_segments, run->listed_tops, &run->trees[left]));
    }
    return RCITY_OK;
}

static rcity_status open_run(match_run *run)
{
    const rcity_edge_ends *ends = &run->searcher->rx_ends;
    rcity_context *context = run->context;
    int32_t count = 0;
    for (size_t i = 0; i < ends->count; i++) {
        count += i == 0 || ends->ends[i].facet_edge != ends->ends[i - 1].facet_edge;
    }
    RCITY_TRY(rcity_alloc(context, (size_t)count + 1, sizeof *run->far, "the receiver's edges", &run->far));
    RCITY_TRY(rcity_alloc(context, (size_t)count + 1, sizeof *run->segments, "the receiver's edges", &run->segments));
    RCITY_TRY(rcity_alloc(context, (size_t)count + 1, sizeof *run->tops, "the receiver's edges", &run->tops));
    RCITY_TRY(rcity_alloc(context, (size_t)count + 1, sizeof *run->sight, "the receiver's edges", &run->sight));
    RCITY_TRY(rcity_alloc(context, ends->count + 1, sizeof *run->cones, "the receiver's edges", &run->cones));
    for (size_t i = 0; i < ends->count; i++) {
        const rcity_edge_end *end = &ends->ends[i];
        const rcity_facet_edge *facet_edge = &run->search->world->edges[end->facet_edge];
        run->cones[i] = cone_of_edge(facet_edge);
        rcity_edge_cone_set_eye(&run->cones[i], end->image);
        if (i == 0 || end->facet_edge != end[-1].facet_edge) {
            run->far[run->far_count] = (far_edge){end->facet_edge, i, 0, end->spent, solid_of(facet_edge)};
            run->segments[run->far_count] =
                (rcity_plan_segment){facet_edge->a.x, facet_edge->a.y, facet_edge->b.x, facet_edge->b.y};
            run->tops[run->far_count++] = nextafterf((float)facet_edge->b.z, HUGE_VALF);
            run->lowest = rcity_smaller(run->lowest, facet_edge->a.z);
        }
        far_edge *far = &run->far[run->far_count - 1];
        far->end_count++;
        far->least_spent = end->spent < far->least_spent ? end->spent : far->least_spent;
    }
    return plant_trees(run, (size_t)count);
}

static void close_run(match_run *run)
{
    for (int left = 0; left <= RCITY_REFLECTION_MAX; left++) {
        rcity_plan_tree_deinit(run->context, &run->trees[left]);
        rcity_release(run->context, run->listed[left]);
    }
    rcity_release(run->context, run->listed_tops);
    rcity_release(run->context, run->listed_segments);
    rcity_release(run->context, run->tops);
    rcity_release(run->context, run->segments);
    rcity_release(run->context, run->cones);
    rcity_release(run->context, run->sight);
    rcity_release(run->context, run->far);
}

/* Between vertical edges heights change linearly along the path: they are known before the path is solved. */
static bool fix_heights(const near_side *near, const rcity_edge_end *rx_end, double twice_level,
                        rcity_edge_part *near_part, rcity_edge_part *far_part)
{
    const rcity_plan_segment *p = &near_part->plan;
    const rcity_plan_segment *q = &far_part->plan;
    double before = near->cone.eye_off;
    double between = hypot(p->x1 - q->x1, p->y1 - q->y1);
    double after = hypot(rx_end->image.x - q->x1, rx_end->image.y - q->y1);
    bool is_mirrored = !isnan(twice_level);
    double z_from = near->end->image.z;
    double z_to = is_mirrored ? twice_level - rx_end->image.z : rx_end->image.z;
    double slope = (z_to - z_from) / (before + between + after);
    double at_near = z_from + slope * before;
    double at_far = z_from + slope * (before + between);
    at_far = is_mirrored ? twice_level - at_far : at_far;
    if (!(at_near >= near_part->z_low - RIM_M && at_near <= near_part->z_high + RIM_M &&
          at_far >= far_part->z_low - RIM_M && at_far <= far_part->z_high + RIM_M)) {
        return false;
    }
    near_part->z_low = at_near - RIM_M;
    near_part->z_high = at_near + RIM_M;
    far_part->z_low = at_far - RIM_M;
    far_part->z_high = at_far + RIM_M;
    return true;
}

/* Narrow an edge to the part between two fractions over which its eye reaches another. @return false when no part is
   left. */
static bool narrow(const rcity_edge_cone *cone, const rcity_edge_part *edge, double from, double to,
                   const rcity_edge_part *target, double twice_level, rcity_edge_part *part)
{
    double low = isnan(twice_level) ? target->z_low : twice_level - target->z_high;
    double high = isnan(twice_level) ? target->z_high : twice_level - target->z_low;
    double first, last;
    if (!rcity_edge_cone_narrow(cone, &target->plan, low, high, &first, &last)) {
        return false;
    }
    *part = *edge;
    if (cone->is_vertical) { /* a single place in plan, which no region cuts */
        part->z_low = edge->z_low + first * (edge->z_high - edge->z_low);
        part->z_high = edge->z_low + last * (edge->z_high - edge->z_low);
        return true;
    }
    first = rcity_larger(first, from);
    last = rcity_smaller(last, to);
    part->plan = rcity_plan_segment_part(&edge->plan, first, last);
    return first <= last;
}

/* Do building cores hide parts of two edges from each other? A path that bounces off a level between them runs
   lower. */
static bool is_hidden(const match_run *run, const near_side *near, const rcity_edge_part *near_part,
                      const rcity_edge_part *far_part)
{
    return rcity_beam_is_hidden(run->search->reach_world, &run->search->forest.core, &near->tree->beams[near->beam],
                                &near_part->plan, near_part->z_high, &far_part->plan, far_part->z_high);
}

/* May a path from one eye to the other pass both edges? Each edge narrows the other, several times. `near_part` is the
   part of the near edge that sees the whole far edge. */
static bool may_pass_both(const match_run *run, const near_side *near, rcity_edge_part near_part, const far_side *far,
                          size_t end_index, int32_t level, const rcity_stretch *between)
{
    double twice_level = level >= 0 ? 2.0 * run->search->world->mirrors[level].offset : (double)NAN;
    rcity_edge_part far_part;
    for (int i = 0; i < NARROW_ROUNDS; i++) {
        if (!narrow(&run->cones[end_index], &far->edge, far->from, far->to, &near_part, twice_level, &far_part) ||
            !narrow(&near->cone, &near->edge, 0.0, 1.0, &far_part, twice_level, &near_part)) {
            return false;
        }
    }
    if (near->facet_edge->is_vertical && far->facet_edge->is_vertical &&
        !fix_heights(near, &run->searcher->rx_ends.ends[end_index], twice_level, &near_part, &far_part)) {
        return false;
    }
    if (level >= 0 && !rcity_level_may_bounce(run->search, level, &near_part, between, &far_part)) {
        return false;
    }
    return !is_hidden(run, near, &near_part, &far_part);
}

/* Try all images of the receiver, with one level or none between the edges. */
static rcity_status match_level(const match_run *run, const near_side *near, const far_side *far, int32_t level,
                                rcity_route *route)
{
    double twice_level = level >= 0 ? 2.0 * run->search->world->mirrors[level].offset : (double)NAN;
    rcity_edge_part near_part;
    if (!narrow(&near->cone, &near->edge, 0.0, 1.0, &far->visible, twice_level, &near_part)) {
        return RCITY_OK;
    }
    int left = near->left - (level >= 0);
    for (size_t i = far->far->end_first; i < far->far->end_first + far->far->end_count; i++) {
        const rcity_edge_end *end = &run->searcher->rx_ends.ends[i];
        if (end->spent > left || !may_pass_both(run, near, near_part, far, i, level, &route->stretch[1])) {
            continue;
        }
        rcity_stretch_fill(run->search->tx_reach.beams, near->end->beam, true, &route->stretch[0]);
        rcity_stretch_fill(run->searcher->rx_reach.beams, end->beam, false, &route->stretch[2]);
        route->stretch[0].level = near->end->level;
        route->stretch[1].level = level;
        route->stretch[2].level = end->level;
        RCITY_TRY(rcity_search_propose(run->context, run->search, run->searcher, run->rx, route, run->list));
    }
    return RCITY_OK;
}

/* Levels that a path may bounce off between the edges. A first test covers all of them at once. */
static rcity_status match_levels(const match_run *run, const near_side *near, const far_side *far, rcity_route *route)
{
    double highest = rcity_smaller(near->edge.z_high, far->edge.z_high);
    rcity_edge_part image = {far->visible.plan, 2.0 * run->lowest - far->edge.z_high, 2.0 * highest - far->edge.z_low};
    rcity_edge_part near_part;
    if (highest <= run->lowest || !narrow(&near->cone, &near->edge, 0.0, 1.0, &image, (double)NAN, &near_part)) {
        return RCITY_OK;
    }
    int32_t count =
        rcity_levels_between(run->search, &near_part, &route->stretch[1], &far->visible, run->searcher->levels);
    for (int32_t i = 0; i < count; i++) {
        RCITY_TRY(match_level(run, near, far, run->searcher->levels[i], route));
    }
    return RCITY_OK;
}

/* Between the ends of a path and its edges heights change linearly, and bounces only lower them. So at a vertical edge
   no path is higher than what comes before and after it. */
static void cap_heights(const match_run *run, rcity_edge_part *near_part, rcity_edge_part *far_part)
{
    bool near_is_free = near_part->z_high > near_part->z_low;
    bool far_is_free = far_part->z_high > far_part->z_low;
    double most_near = near_is_free ? run->search->tx_aside.z : near_part->z_high;
    double most_far = far_is_free ? run->rx.z : far_part->z_high;
    double most = rcity_larger(most_near, most_far) + RIM_M;
    near_part->z_high = near_is_free ? rcity_smaller(near_part->z_high, most) : near_part->z_high;
    far_part->z_high = far_is_free ? rcity_smaller(far_part->z_high, most) : far_part->z_high;
}

/* Is one of the receiver's edges hidden from a vertical edge, for every image of the transmitter? Tested once. */
static bool is_hidden_from_vertical_edge(const match_run *run, const near_side *near, const far_side *far)
{
    int8_t *sight = &run->sight[far->far - run->far];
    if (*sight == 0) {
        rcity_edge_part near_part = near->edge;
        rcity_edge_part far_part = far->edge;
        cap_heights(run, &near_part, &far_part);
        *sight = is_hidden(run, near, &near_part, &far_part) ? 1 : 2;
    }
    return *sight == 1;
}

/* The tests that need no image of the receiver: can a ray from the near edge reach the far one at all? */
static bool may_see(const match_run *run, const near_side *near, const far_side *far, bool has_levels)
{
    bool is_root = near->tree->beams[near->beam].depth == 0;
    if ((is_root && part_lies_in_solid(&near->solid, &far->edge)) ||
        part_lies_in_solid(&far->far->solid, &near->edge)) {
        return false;
    }
    rcity_edge_part reached = far->visible; /* over all levels at once, and over none */
    reached.z_low = has_levels ? 2.0 * run->lowest - reached.z_high : reached.z_low;
    rcity_edge_part near_part;
    if (!narrow(&near->cone, &near->edge, 0.0, 1.0, &reached, (double)NAN, &near_part)) {
        return false;
    }
    if (is_root) {
        return !near->facet_edge->is_vertical || !is_hidden_from_vertical_edge(run, near, far);
    }
    if (!has_levels) {
        return true; /* narrow both edges by the receiver's images first: the test is cheaper then */
    }
    rcity_edge_part far_part = far->visible;
    cap_heights(run, &near_part, &far_part);
    return !is_hidden(run, near, &near_part, &far_part);
}

static rcity_status match_edge(const match_run *run, const near_side *near, const far_edge *edge,
                               const rcity_region *region)
{
    far_side far = {.far = edge, .facet_edge = &run->search->world->edges[edge->facet_edge]};
    const rcity_plan_segment *whole = &run->segments[edge - run->far];
    if (!rcity_region_clip(region, whole, &far.from, &far.to)) {
        return RCITY_OK;
    }
    far.edge = (rcity_edge_part){*whole, far.facet_edge->a.z, far.facet_edge->b.z};
    far.visible =
        (rcity_edge_part){rcity_plan_segment_part(whole, far.from, far.to), far.facet_edge->a.z, far.facet_edge->b.z};
    bool has_levels = edge->least_spent < near->left;
    if (!may_see(run, near, &far, has_levels)) {
        return RCITY_OK;
    }
    rcity_route route;
    route.edge_count = 2;
    route.facet_edge[0] = near->end->facet_edge;
    route.facet_edge[1] = edge->facet_edge;
    rcity_stretch_fill(near->tree->beams, (int32_t)near->beam, true, &route.stretch[1]);
    if (route.facet_edge[0] != route.facet_edge[1] || near->tree->beams[near->beam].depth > 0) {
        RCITY_TRY(match_level(run, near, &far, -1, &route));
    }
    return has_levels ? match_levels(run, near, &far, &route) : RCITY_OK;
}

/* All edges of the receiver in a beam. */
static rcity_status match_beam(const match_run *run, near_side *near)
{
    const rcity_beam *beam = &near->tree->beams[near->beam];
    rcity_region region = rcity_beam_region(run->search->world, beam);
    const rcity_plan_tree *tree = &run->trees[near->left];
    int32_t stack[RCITY_PLAN_TREE_STACK];
    int depth = 0;
    if (tree->node_count > 0) {
        stack[depth++] = 0;
    }
    while (depth > 0) {
        const rcity_plan_tree_node *node = &tree->nodes[stack[--depth]];
        double low = near->left > 0 ? 2.0 * run->lowest - (double)node->top : run->lowest;
        if (!rcity_plan_tree_may_meet(node, &region) ||
            !rcity_edge_cone_meets_box(&near->cone, node, rcity_smaller(low, run->lowest), (double)node->top)) {
            continue;
        }
        for (int32_t i = 0; i < node->count; i++) {
            RCITY_TRY(match_edge(run, near, &run->far[run->listed[near->left][tree->items[node->first + i]]], &region));
        }
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
        }
    }
    return RCITY_OK;
}

/* All beams of a tree. */
static rcity_status match_tree(const match_run *run, const rcity_edge_tree *tree)
{
    const rcity_edge_end *ends = &run->search->forest.tx_ends.ends[tree->end_first];
    const rcity_facet_edge *facet_edge = &run->search->world->edges[ends[0].facet_edge];
    memset(run->sight, 0, (size_t)run->far_count * sizeof *run->sight);
    near_side near = {.tree = tree, .facet_edge = facet_edge, .solid = solid_of(facet_edge), .end = ends - 1};
    for (size_t i = 0; i < tree->beam_count; i++) {
        near.beam = i;
        near.end += tree->beams[i].depth == 0;
        near.edge = (rcity_edge_part){tree->beams[i].source, facet_edge->a.z, facet_edge->b.z};
        near.cone = rcity_edge_tree_cone(tree, i, facet_edge, near.end);
        near.left = run->search->orders.max_reflections - near.end->spent - tree->beams[i].depth;
        RCITY_TRY(match_beam(run, &near));
    }
    return RCITY_OK;
}

rcity_status rcity_two_edges_find(rcity_context *context, const rcity_search *search, rcity_searcher *searcher,
                                  rcity_place3 rx, rcity_path_list *list)
{
    match_run run;
    memset(&run, 0, sizeof run);
    run.context = context;
    run.search = search;
    run.searcher = searcher;
    run.rx = rx;
    run.list = list;
    run.lowest = rcity_smaller(search->lowest_roof, 0.0);
    rcity_status status;
    RCITY_TRY(rcity_two_edges_list(context, rx, &searcher->rx_reach, &searcher->rx_levels, search->world,
                                   &searcher->rx_ends));
    RCITY_TRY_DONE(open_run(&run));
    for (size_t i = 0; i < search->forest.tree_count; i++) {
        if (i % PAUSE_TREES == 0 && searcher->pause != NULL) {
            RCITY_TRY_DONE(searcher->pause(searcher->pause_user));
        }
        RCITY_TRY_DONE(match_tree(&run, &search->forest.trees[i]));
    }
done:
    close_run(&run);
    return status;
}
