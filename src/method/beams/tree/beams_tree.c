/* Growing a tree, depth by depth. What a group of nodes yields is written to a list of its own and then appended in the
   order of the nodes, so that threads do not matter. */
#include "method/beams/tree/beams_tree.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "method/beams/tree/beam_loss.h"
#include "method/beams/tree/beam_trim.h"
#include "method/beams/tree/beams_along.h"
#include "method/beams/tree/beams_compact.h"

#define SECTOR_RAD    1.6   /* the widest beam: a little more than a quarter of a turn */
#define FRONT_MIN_M   1e-6  /* a source nearer than this to a wall's plane only grazes it */
#define WIDTH_MIN_RAD 1e-10 /* a narrower beam is rounding, and no beam */
#define GROUP_NODES   64    /* grown by a thread at a time */

bool rcity_beams_node_frame(const rcity_beams_node *node, rcity_beam_frame *frame)
{
    return rcity_beam_frame_init(node->x, node->y, &node->window, node->wall >= 0, frame);
}

int rcity_beams_node_walls(const rcity_beams_tree *tree, int32_t node, int32_t walls[RCITY_BEAMS_REFLECTION_MAX])
{
    int depth = tree->nodes[node].depth;
    for (int i = depth - 1; i >= 0; node = tree->nodes[node].parent) {
        if (!tree->nodes[node].passes) {
            walls[i--] = tree->nodes[node].wall;
        }
    }
    return depth;
}

void rcity_beams_tree_deinit(rcity_context *context, rcity_beams_tree *tree)
{
    rcity_release(context, tree->strength);
    rcity_release(context, tree->meetings);
    rcity_release(context, tree->passed);
    rcity_release(context, tree->hits);
    rcity_release(context, tree->parts);
    rcity_release(context, tree->nodes);
    memset(tree, 0, sizeof *tree);
}

static rcity_status add_node(rcity_context *context, const rcity_beams_node *node, rcity_beams_tree *tree)
{
    RCITY_TRY(rcity_reserve(context, tree->node_count + 1, sizeof *tree->nodes, &tree->node_capacity,
                            "the tree of beams", &tree->nodes));
    tree->nodes[tree->node_count++] = *node;
    return RCITY_OK;
}

/* Sectors around a source, counter-clockwise from a direction on, that fill an angle. Their windows lie a metre away. */
static rcity_status plant_sectors(rcity_context *context, double from_rad, double angle_rad, double stop_m,
                                  rcity_beams_tree *tree)
{
    int count = (int)ceil(angle_rad / SECTOR_RAD);
    for (int i = 0; i < count; i++) {
        double right = from_rad + angle_rad * i / count;
        double left = from_rad + angle_rad * (i + 1) / count;
        rcity_beams_node node;
        memset(&node, 0, sizeof node);
        node.x = tree->x;
        node.y = tree->y;
        node.window =
            (rcity_plan_segment){tree->x + cos(right), tree->y + sin(right), tree->x + cos(left), tree->y + sin(left)};
        node.parent = node.hit = node.wall = -1;
        node.stop_m = stop_m;
        node.reach_m = HUGE_VAL;
        node.from_rad = (float)(right - from_rad);
        node.to_rad = (float)(left - from_rad);
        if (i > 0) { /* the same bits, so that nothing falls between */
            node.window.x1 = tree->nodes[tree->node_count - 1].window.x2;
            node.window.y1 = tree->nodes[tree->node_count - 1].window.y2;
        }
        RCITY_TRY(add_node(context, &node, tree));
    }
    if (angle_rad >= 2.0 * RCITY_TRACE_PI) { /* the last one ends where the first one begins */
        tree->nodes[tree->node_count - 1].window.x2 = tree->nodes[0].window.x1;
        tree->nodes[tree->node_count - 1].window.y2 = tree->nodes[0].window.y1;
    }
    return RCITY_OK;
}

rcity_status rcity_beams_tree_plant(rcity_context *context, const rcity_beams_growth *growth, double x, double y,
                                    double height_m, rcity_beams_tree *tree)
{
    memset(tree, 0, sizeof *tree);
    tree->x = x;
    tree->y = y;
    tree->height_m = height_m;
    tree->facet_edge = -1;
    tree->depth = -1;
    for (int depth = 0; depth <= RCITY_BEAMS_REFLECTION_MAX; depth++) {
        tree->before[depth].most_m = HUGE_VAL;
    }
    tree->cuts.least_db = HUGE_VAL;
    return plant_sectors(context, 0.1, 2.0 * RCITY_TRACE_PI, growth->height_max_m, tree);
}

/* The height that no ray of a beam exceeds once it has met something with this top. */
static double lower_stop(const rcity_beams_growth *growth, double stop_m, double top_m)
{
    return fmax(growth->rx_max_m, fmin(stop_m, top_m));
}

rcity_status rcity_beams_tree_plant_edge(rcity_context *context, const rcity_beams_growth *growth, int32_t facet_edge,
                                         rcity_beams_tree *tree)
{
    const rcity_facet_edge *edge = &growth->world->facets->edges[facet_edge];
    memset(tree, 0, sizeof *tree);
    tree->x = edge->a.x;
    tree->y = edge->a.y;
    tree->height_m = fmin(edge->b.z, growth->height_max_m);
    tree->facet_edge = facet_edge;
    tree->depth = -1;
    tree->cuts.least_db = HUGE_VAL;
    double from_rad =
        atan2(edge->in_face_o.y, edge->in_face_o.x); /* phi counts counter-clockwise, the edge points up */
    return plant_sectors(context, from_rad, edge->exterior_rad, lower_stop(growth, growth->height_max_m, edge->b.z),
                         tree);
}

/* Does an edge stand at an end of the window of a beam that goes through a wall? The beam before the wall meets it. */
static bool stands_in_window(const rcity_beams_node *node, const rcity_facet_edge *edge)
{
    const double rim_m = 1e-6;
    return node->passes && (rcity_beam_length_m(edge->a.x - node->window.x1, edge->a.y - node->window.y1) < rim_m ||
                            rcity_beam_length_m(edge->a.x - node->window.x2, edge->a.y - node->window.y2) < rim_m);
}

/* A beam meets an edge; each edge once for a beam. Of the walls that end there one may lie behind another, which the ray to
   the edge does not pass over: the hit that passes over the fewest is that of the edge. */
static rcity_status meet_edge(rcity_context *context, int32_t facet_edge, int32_t node, int32_t hit,
                              size_t first_meeting, rcity_beams_tree *grown)
{
    for (size_t i = first_meeting; i < grown->meeting_count; i++) {
        rcity_beams_meeting *known = &grown->meetings[i];
        if (known->facet_edge == facet_edge) {
            known->hit = grown->hits[hit].passed_count < grown->hits[known->hit].passed_count ? hit : known->hit;
            return RCITY_OK;
        }
    }
    RCITY_TRY(rcity_reserve(context, grown->meeting_count + 1, sizeof *grown->meetings, &grown->meeting_capacity,
                            "the edges that beams meet", &grown->meetings));
    grown->meetings[grown->meeting_count++] = (rcity_beams_meeting){facet_edge, node, hit};
    return RCITY_OK;
}

/* The edges at one end of a wall that a beam meets. */
static rcity_status meet_edges(rcity_context *context, const rcity_beams_world *world, const rcity_beams_node *beam,
                               int32_t node, int32_t hit, int end, size_t first_meeting, rcity_beams_tree *grown)
{
    const int32_t *edges;
    int32_t count = end < 0 ? 0 : rcity_beams_world_edges(world, grown->hits[hit].wall, end, &edges);
    for (int32_t i = 0; i < count; i++) {
        if (!stands_in_window(beam, &world->facets->edges[edges[i]])) {
            RCITY_TRY(meet_edge(context, edges[i], node, hit, first_meeting, grown));
        }
    }
    return RCITY_OK;
}

/* Where a hit begins or ends on its wall. */
static void place_on_wall(const rcity_beams_world *world, const rcity_beam_frame *frame, int32_t wall, int end,
                          double across, double *x, double *y)
{
    const rcity_plan_segment *segment = &world->walls[wall];
    if (end >= 0) {
        *x = end == 0 ? segment->x1 : segment->x2;
        *y = end == 0 ? segment->y1 : segment->y2;
        return;
    }
    const rcity_mirror *mirror = &world->facets->mirrors[wall];
    double direction_x = frame->axis_x - (frame->right + across / frame->scale) * frame->axis_y;
    double direction_y = frame->axis_y + (frame->right + across / frame->scale) * frame->axis_x;
    double ahead = mirror->normal.x * direction_x + mirror->normal.y * direction_y;
    double distance = mirror->offset - mirror->normal.x * frame->x - mirror->normal.y * frame->y;
    *x = frame->x + distance / ahead * direction_x;
    *y = frame->y + distance / ahead * direction_y;
}

/* The end of a wall where a hit ends. Beams of edges may be divided at a corner, exactly: then it is the beam that ends. */
static int end_of_hit(const rcity_beams_world *world, const rcity_beam_frame *frame, int32_t wall, int end,
                      double across)
{
    const double rim_m = 1e-6;
    const rcity_plan_segment *segment = &world->walls[wall];
    double x, y;
    if (end >= 0) {
        return end;
    }
    place_on_wall(world, frame, wall, end, across, &x, &y);
    return rcity_beam_length_m(x - segment->x1, y - segment->y1) < rim_m   ? 0
           : rcity_beam_length_m(x - segment->x2, y - segment->y2) < rim_m ? 1
                                                                           : -1;
}

/* The edges that a node's beam meets. */
static rcity_status meet_all(rcity_context *context, const rcity_beams_world *world, const rcity_beams_tree *tree,
                             int32_t index, const rcity_beam_frame *frame, const rcity_beam_sight *sight,
                             rcity_beams_tree *grown)
{
    const rcity_beams_node *node = &tree->nodes[index];
    bool is_edge = tree->facet_edge >= 0;
    size_t first_meeting = grown->meeting_count;
    for (int32_t i = 0; i < node->hit_count; i++) {
        const rcity_beam_hit *hit = &sight->hits[i];
        int right = is_edge ? end_of_hit(world, frame, hit->wall, hit->right_end, hit->right) : hit->right_end;
        int left = is_edge ? end_of_hit(world, frame, hit->wall, hit->left_end, hit->left) : hit->left_end;
        RCITY_TRY(meet_edges(context, world, node, index, node->hit_first + i, right, first_meeting, grown));
        RCITY_TRY(meet_edges(context, world, node, index, node->hit_first + i, left, first_meeting, grown));
    }
    return is_edge ? rcity_beams_along_meet(context, world, tree, index, first_meeting, grown) : RCITY_OK;
}

/* What is known of the heights of a tree's rays that reflect a number of times. */
static rcity_beam_heights heights_of(const rcity_beams_growth *growth, const rcity_beams_tree *tree, int depth)
{
    const rcity_beams_before *before = &tree->before[depth];
    return (rcity_beam_heights){growth->tx_height_m, growth->low_m, growth->high_m, before->shortest_m,
                                before->longest_m};
}

static rcity_beam_limits limits_of(const rcity_beams_growth *growth, const rcity_beams_tree *tree,
                                   const rcity_beams_node *node)
{
    return (rcity_beam_limits){node->stop_m,  tree->height_m, node->least_m,
                               node->reach_m, node->wall,     heights_of(growth, tree, node->depth)};
}

/* The distance of a window from the source that sees it. */
static double nearest_m(const rcity_beams_node *node, const rcity_beams_node *child)
{
    double dx = child->window.x2 - child->window.x1;
    double dy = child->window.y2 - child->window.y1;
    double along = (node->x - child->window.x1) * dx + (node->y - child->window.y1) * dy;
    along = fmin(fmax(along / fmax(dx * dx + dy * dy, 1e-18), 0.0), 1.0);
    return rcity_beam_length_m(child->window.x1 + along * dx - node->x, child->window.y1 + along * dy - node->y);
}

/* How a ray of a beam left the source, in a direction across the beam. */
static double departure_rad(const rcity_beams_node *node, const rcity_beam_frame *frame, double across)
{
    double inside_rad = rcity_beam_frame_angle(frame, 0.0, across);
    return (double)node->from_rad + (node->to_rad > node->from_rad ? inside_rad : -inside_rad);
}

/* The least loss of a beam: of what leaves its tree's source between its edges, and comes at least to its window and to
   where the nearest receivers may be. */
static double least_loss_db(const rcity_beams_growth *growth, const rcity_beams_tree *tree,
                            const rcity_beams_node *node)
{
    const rcity_beams_before *before = &tree->before[node->depth];
    double after_m = fmax((double)node->near_m, node->least_m);
    double loss_db = before->loss_db + rcity_beam_spread_db(growth->facets, before->shortest_m + after_m);
    if (tree->strength != NULL) {
        loss_db = fmax(loss_db, rcity_beam_strength_loss_db(&tree->strength[node->depth], growth->facets,
                                                            (double)node->from_rad, (double)node->to_rad, after_m));
    }
    return (double)node->loss_db + loss_db;
}

/* How near to its source the receivers of a reflected beam may be, and how far: of `far_m` it meets its wall at most. */
static void limit_child(const rcity_beams_growth *growth, const rcity_beams_tree *tree, const rcity_beams_node *node,
                        const rcity_beam_frame *frame, const rcity_beam_hit *hit, double far_m, rcity_beams_node *child)
{
    const rcity_mirror *wall = &growth->world->facets->mirrors[hit->wall];
    const rcity_beams_before *before = &tree->before[child->depth];
    rcity_beam_limits limits = limits_of(growth, tree, node);
    limits.heights = heights_of(growth, tree, child->depth);
    double most_m = rcity_beam_heights_most_m(&limits.heights, far_m, wall->top);
    child->reach_m = fmin(fmin(node->reach_m, before->most_m), most_m);
    double over_m = rcity_beam_trim_least_m(growth->world, frame, &limits, tree->passed + hit->passed_first,
                                            hit->passed_count, hit->right, hit->left);
    double above_m = rcity_beam_heights_least_m(&limits.heights, (double)child->near_m, wall->bottom);
    child->least_m = fmax(fmax(over_m, above_m), before->least_m);
}

/* The beam that a wall reflects. @return false where it does not: from behind, or edge on. */
static bool reflect(const rcity_beams_growth *growth, const rcity_beams_tree *tree, const rcity_beams_node *node,
                    const rcity_beam_frame *frame, const rcity_beam_hit *hit, rcity_beams_node *child)
{
    const rcity_beams_world *world = growth->world;
    const rcity_mirror *wall = &world->facets->mirrors[hit->wall];
    double distance = wall->normal.x * node->x + wall->normal.y * node->y - wall->offset;
    if (distance <= FRONT_MIN_M) {
        return false;
    }
    child->x = node->x - 2.0 * distance * wall->normal.x;
    child->y = node->y - 2.0 * distance * wall->normal.y;
    /* mirrored, right and left change places */
    place_on_wall(world, frame, hit->wall, hit->left_end, hit->left, &child->window.x1, &child->window.y1);
    place_on_wall(world, frame, hit->wall, hit->right_end, hit->right, &child->window.x2, &child->window.y2);
    child->wall = hit->wall;
    child->passes = false;
    child->depth = node->depth + 1;
    child->transmissions = node->transmissions;
    child->stop_m = lower_stop(growth, node->stop_m, wall->top);
    child->part_first = child->part_count = child->hit_first = child->hit_count = 0;
    double right_m = rcity_beam_length_m(child->window.x2 - node->x, child->window.y2 - node->y);
    double left_m = rcity_beam_length_m(child->window.x1 - node->x, child->window.y1 - node->y);
    child->near_m = (float)nearest_m(node, child);
    child->from_rad = (float)departure_rad(node, frame, hit->left);
    child->to_rad = (float)departure_rad(node, frame, hit->right);
    limit_child(growth, tree, node, frame, hit, fmax(right_m, left_m), child);
    child->reach_m = fmin(child->reach_m, growth->range_m - tree->before[0].shortest_m);
    child->loss_db = node->loss_db +
                     (float)rcity_beam_reflection_db(growth->facets, hit->wall, distance / right_m, distance / left_m);
    return true;
}

/* The beam that goes on behind a wall, from the same source: outside or inside a building. Where the wall stands on a
   lower building it is no surface to rays below it, and costs nothing here. @return false for a wall seen edge on, or one
   too many. */
static bool pass_through(const rcity_beams_growth *growth, const rcity_beams_tree *tree, const rcity_beams_node *node,
                         const rcity_beam_frame *frame, const rcity_beam_hit *hit, rcity_beams_node *child)
{
    const rcity_beams_world *world = growth->world;
    const rcity_mirror *wall = &world->facets->mirrors[hit->wall];
    double distance = fabs(wall->normal.x * node->x + wall->normal.y * node->y - wall->offset);
    bool is_surface = rcity_beams_world_is_grounded(world, hit->wall);
    if (distance <= FRONT_MIN_M || node->transmissions + is_surface > tree->max_transmissions) {
        return false;
    }
    *child = *node;
    place_on_wall(world, frame, hit->wall, hit->right_end, hit->right, &child->window.x1, &child->window.y1);
    place_on_wall(world, frame, hit->wall, hit->left_end, hit->left, &child->window.x2, &child->window.y2);
    child->wall = hit->wall;
    child->passes = true;
    child->transmissions = (int16_t)(node->transmissions + is_surface);
    child->stop_m = lower_stop(growth, node->stop_m, wall->top);
    child->part_first = child->part_count = child->hit_first = child->hit_count = 0;
    double right_m = rcity_beam_length_m(child->window.x1 - node->x, child->window.y1 - node->y);
    double left_m = rcity_beam_length_m(child->window.x2 - node->x, child->window.y2 - node->y);
    child->near_m = (float)nearest_m(node, child);
    child->from_rad = (float)departure_rad(node, frame, hit->right);
    child->to_rad = (float)departure_rad(node, frame, hit->left);
    limit_child(growth, tree, node, frame, hit, fmax(right_m, left_m), child);
    if (is_surface) {
        child->loss_db +=
            (float)rcity_beam_transmission_db(growth->facets, hit->wall, distance / fmax(right_m, left_m),
                                              fmin(distance / fmax((double)child->near_m, distance), 1.0));
    }
    return true;
}

/* The beams that go on from a hit, reflected or behind the wall: a wide one as two. */
static rcity_status add_children(rcity_context *context, const rcity_beams_growth *growth, const rcity_beams_node *node,
                                 const rcity_beam_frame *frame, int32_t hit_index, int32_t node_index, bool passes,
                                 rcity_beams_tree *tree)
{
    rcity_beam_hit hit = tree->hits[hit_index];
    rcity_beam_hit half[2] = {hit, hit};
    int count = 1;
    if (rcity_beam_frame_angle(frame, hit.right, hit.left) > SECTOR_RAD) {
        half[0].left = half[1].right = 0.5 * (hit.right + hit.left);
        half[0].left_end = half[1].right_end = -1;
        count = 2;
    }
    for (int i = 0; i < count; i++) {
        rcity_beams_node child;
        bool is_made = passes ? pass_through(growth, tree, node, frame, &half[i], &child)
                              : reflect(growth, tree, node, frame, &half[i], &child);
        if (!is_made) {
            continue;
        }
        double loss_db = least_loss_db(growth, tree, &child);
        double width_rad = rcity_beam_frame_angle(frame, half[i].right, half[i].left);
        bool is_far = (child.depth > 0 || tree->facet_edge >= 0) &&
                      tree->before[0].shortest_m + (double)child.near_m > growth->range_m;
        if (width_rad < WIDTH_MIN_RAD || (!is_far && fmax((double)child.near_m, child.least_m) > child.reach_m)) {
            continue; /* no beam */
        }
        if (is_far) {
            tree->cuts.by_range++;
            continue;
        }
        bool is_narrow = width_rad < growth->width_min_rad;
        if (is_narrow || loss_db > growth->loss_limit_db || tree->node_count >= growth->node_max) {
            tree->cuts.by_width += is_narrow;
            tree->cuts.by_loss += !is_narrow && loss_db > growth->loss_limit_db;
            tree->cuts.by_count += !is_narrow && loss_db <= growth->loss_limit_db;
            rcity_beams_cuts_note(&tree->cuts, loss_db);
            continue;
        }
        child.parent = node_index;
        child.hit = hit_index;
        RCITY_TRY(add_node(context, &child, tree));
    }
    return RCITY_OK;
}

/* Add parts, hits and passed walls to a tree that has room for them. */
static void append_parts(const rcity_beam_part *parts, size_t part_count, const rcity_beam_hit *hits, size_t hit_count,
                         const int32_t *passed, size_t passed_count, rcity_beams_tree *tree)
{
    int32_t passed_first = (int32_t)tree->passed_count;
    for (size_t i = 0; i < part_count; i++) {
        tree->parts[tree->part_count] = parts[i];
        tree->parts[tree->part_count++].passed_first += passed_first;
    }
    for (size_t i = 0; i < hit_count; i++) {
        tree->hits[tree->hit_count] = hits[i];
        tree->hits[tree->hit_count++].passed_first += passed_first;
    }
    for (size_t i = 0; i < passed_count; i++) {
        tree->passed[tree->passed_count++] = passed[i];
    }
}

/* What one node sees, appended to what its group has grown. */
static rcity_status look(rcity_context *context, const rcity_beams_growth *growth, const rcity_beams_tree *tree,
                         bool is_last, int32_t index, rcity_beam_sight *sight, rcity_beams_tree *grown)
{
    rcity_beams_node *node = &tree->nodes[index];
    rcity_beam_frame frame;
    node->part_first = (int32_t)grown->part_count;
    node->hit_first = (int32_t)grown->hit_count;
    node->part_count = node->hit_count = 0;
    if (!rcity_beams_node_frame(node, &frame)) {
        return RCITY_OK;
    }
    rcity_beam_limits limits = limits_of(growth, tree, node);
    RCITY_TRY(rcity_beam_sight_run(context, growth->world, &frame, &limits, sight));
    if (tree->max_transmissions == 0) { /* else rays go on behind every wall */
        rcity_beam_heights next = heights_of(growth, tree, is_last ? 0 : node->depth + 1);
        RCITY_TRY(rcity_beam_trim(context, growth->world, &frame, &limits, is_last ? NULL : &next, growth->meets_edges,
                                  sight));
    }
    RCITY_TRY(rcity_reserve(context, grown->part_count + sight->part_count, sizeof *grown->parts, &grown->part_capacity,
                            "the tree of beams", &grown->parts));
    RCITY_TRY(rcity_reserve(context, grown->hit_count + sight->hit_count, sizeof *grown->hits, &grown->hit_capacity,
                            "the tree of beams", &grown->hits));
    RCITY_TRY(rcity_reserve(context, grown->passed_count + sight->passed_count, sizeof *grown->passed,
                            &grown->passed_capacity, "the tree of beams", &grown->passed));
    append_parts(sight->parts, sight->part_count, sight->hits, sight->hit_count, sight->passed, sight->passed_count,
                 grown);
    node->part_count = (int32_t)sight->part_count;
    node->hit_count = (int32_t)sight->hit_count;
    return growth->meets_edges ? meet_all(context, growth->world, tree, index, &frame, sight, grown) : RCITY_OK;
}

/* Append what a group of nodes has grown to the tree. */
static rcity_status append_group(rcity_context *context, size_t first, size_t end, const rcity_beams_tree *grown,
                                 rcity_beams_tree *tree)
{
    RCITY_TRY(rcity_reserve(context, tree->part_count + grown->part_count, sizeof *tree->parts, &tree->part_capacity,
                            "the tree of beams", &tree->parts));
    RCITY_TRY(rcity_reserve(context, tree->hit_count + grown->hit_count, sizeof *tree->hits, &tree->hit_capacity,
                            "the tree of beams", &tree->hits));
    RCITY_TRY(rcity_reserve(context, tree->passed_count + grown->passed_count, sizeof *tree->passed,
                            &tree->passed_capacity, "the tree of beams", &tree->passed));
    RCITY_TRY(rcity_reserve(context, tree->meeting_count + grown->meeting_count, sizeof *tree->meetings,
                            &tree->meeting_capacity, "the edges that beams meet", &tree->meetings));
    for (size_t i = first; i < end; i++) {
        tree->nodes[i].part_first += (int32_t)tree->part_count;
        tree->nodes[i].hit_first += (int32_t)tree->hit_count;
    }
    for (size_t i = 0; i < grown->meeting_count; i++) {
        tree->meetings[tree->meeting_count] = grown->meetings[i];
        tree->meetings[tree->meeting_count].hit += grown->meetings[i].hit >= 0 ? (int32_t)tree->hit_count : 0;
        tree->meeting_count++;
    }
    append_parts(grown->parts, grown->part_count, grown->hits, grown->hit_count, grown->passed, grown->passed_count,
                 tree);
    rcity_beams_cuts_add(&tree->cuts, &grown->cuts);
    return RCITY_OK;
}

/* The beams that the nodes of a range send on: reflected, or behind the walls that they meet. */
static rcity_status add_level(rcity_context *context, const rcity_beams_growth *growth, size_t first, bool passes,
                              rcity_beams_tree *tree)
{
    size_t end = tree->node_count;
    for (size_t i = first; i < end; i++) {
        rcity_beams_node node = tree->nodes[i];
        rcity_beam_frame frame;
        if (node.hit_count == 0 || !rcity_beams_node_frame(&node, &frame)) {
            continue;
        }
        for (int32_t k = node.hit_first; k < node.hit_first + node.hit_count; k++) {
            RCITY_TRY(add_children(context, growth, &node, &frame, k, (int32_t)i, passes, tree));
        }
    }
    return RCITY_OK;
}

/* Growing one depth on several threads. */
typedef struct level_run {
    rcity_context *context;
    const rcity_beams_growth *growth;
    rcity_beams_tree *tree;
    size_t first;             /* of the nodes that look */
    bool is_last;             /* no beams go on from these */
    rcity_beam_sight *sights; /* one for each thread */
    rcity_beams_tree *groups; /* of GROUP_NODES nodes each */
    atomic_int status;        /* the first failure of any thread */
} level_run;

static void look_group(void *user, int64_t begin, int64_t end, int thread_index)
{
    level_run *run = user;
    for (int64_t group = begin; group < end; group++) {
        size_t first = run->first + (size_t)group * GROUP_NODES;
        size_t last = first + GROUP_NODES < run->tree->node_count ? first + GROUP_NODES : run->tree->node_count;
        for (size_t i = first; i < last && atomic_load(&run->status) == RCITY_OK; i++) {
            rcity_status status = look(run->context, run->growth, run->tree, run->is_last, (int32_t)i,
                                       &run->sights[thread_index], &run->groups[group]);
            int none = RCITY_OK;
            if (status != RCITY_OK) {
                atomic_compare_exchange_strong(&run->status, &none, (int)status);
            }
        }
    }
}

/* What the nodes from a number on see. */
static rcity_status look_level(rcity_context *context, const rcity_beams_growth *growth, bool is_last, bool is_wide,
                               size_t level_first, rcity_beams_tree *tree)
{
    int thread_count = is_wide ? rcity_context_thread_count(context) : 1;
    size_t count = tree->node_count - level_first;
    size_t group_count = (count + GROUP_NODES - 1) / GROUP_NODES;
    level_run run = {context, growth, tree, level_first, is_last, NULL, NULL, RCITY_OK};
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)thread_count, sizeof *run.sights, "beams", &run.sights));
    RCITY_TRY_DONE(rcity_alloc(context, group_count + 1, sizeof *run.groups, "beams", &run.groups));
    for (size_t group = 0; group < group_count; group++) {
        run.groups[group].cuts.least_db = HUGE_VAL;
    }
    if (is_wide) {
        rcity_parallel(context, (int64_t)group_count, 1, look_group, &run);
    } else {
        look_group(&run, 0, (int64_t)group_count, 0);
    }
    RCITY_TRY_DONE((rcity_status)atomic_load(&run.status));
    for (size_t group = 0; group < group_count; group++) {
        size_t first = level_first + group * GROUP_NODES;
        size_t end = first + GROUP_NODES < tree->node_count ? first + GROUP_NODES : tree->node_count;
        RCITY_TRY_DONE(append_group(context, first, end, &run.groups[group], tree));
        rcity_beams_tree_deinit(context, &run.groups[group]);
    }
done:
    for (size_t group = 0; run.groups != NULL && group < group_count; group++) {
        rcity_beams_tree_deinit(context, &run.groups[group]);
    }
    for (int i = 0; run.sights != NULL && i < thread_count; i++) {
        rcity_beam_sight_deinit(context, &run.sights[i]);
    }
    rcity_release(context, run.groups);
    rcity_release(context, run.sights);
    return status;
}

/* Leave out the beams of the last depth that hold no receiver, where nothing goes on from them. */
static void drop_empty(rcity_beams_tree *tree)
{
    size_t count = tree->level_first;
    for (size_t i = tree->level_first; i < tree->node_count; i++) {
        if (tree->nodes[i].part_count > 0) {
            tree->nodes[count++] = tree->nodes[i];
        }
    }
    tree->node_count = count;
}

rcity_status rcity_beams_tree_grow(rcity_context *context, const rcity_beams_growth *growth, int depth, bool is_wide,
                                   rcity_beams_tree *tree)
{
    if (tree->depth < 0 && tree->facet_edge >= 0) {
        for (size_t i = 0; i < tree->node_count; i++) {
            tree->nodes[i].least_m = tree->before[0].least_m;
            tree->nodes[i].reach_m = fmin(tree->before[0].most_m, growth->range_m - tree->before[0].shortest_m);
        }
    }
    size_t first_meeting = tree->meeting_count;
    while (tree->depth < depth) {
        size_t first = tree->depth >= 0 ? tree->node_count : 0;
        if (tree->depth >= 0) {
            RCITY_TRY(add_level(context, growth, tree->level_first, false, tree));
        }
        tree->level_first = first;
        bool is_last = growth->is_final && tree->depth + 1 == depth && tree->max_transmissions == 0;
        while (first < tree->node_count) { /* one more wall in each round */
            size_t end = tree->node_count;
            RCITY_TRY(look_level(context, growth, is_last, is_wide, first, tree));
            if (tree->max_transmissions > 0) {
                RCITY_TRY(add_level(context, growth, first, true, tree));
            }
            first = end;
        }
        if (is_last && !growth->meets_edges) {
            drop_empty(tree);
        }
        tree->depth++;
    }
    if (tree->facet_edge >= 0 && tree->meeting_count > first_meeting && tree->max_transmissions == 0) {
        RCITY_TRY(rcity_beams_along_drop_repeated(context, first_meeting, tree));
    }
    return growth->is_final ? rcity_beams_tree_compact(context, tree) : RCITY_OK;
}
