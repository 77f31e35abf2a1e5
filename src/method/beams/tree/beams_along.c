/* From corner to corner along walls that lie in one plane. */
#include "method/beams/tree/beams_along.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BEND_UNITS 2.0  /* corners lie on the scene's grid: this far from its line a wall still follows another */
#define FACE_RAD   1e-6 /* an edge of a beam this near to a face runs along it: directions are floats */
#define CORNER_MAX 64   /* of one line; the walls of real streets bend after a few */

/* A straight line of the plan from a corner on. */
typedef struct plan_line {
    double x, y;
    double along_x, along_y; /* unit vector */
    double bend_m;
} plan_line;

/* Corners of walls along a line, in the order in which they are found. */
typedef struct corner_list {
    int count;
    rcity_grid_point corners[CORNER_MAX];
} corner_list;

static bool add_corner(rcity_grid_point corner, corner_list *list)
{
    for (int i = 0; i < list->count; i++) {
        if (list->corners[i].x == corner.x && list->corners[i].y == corner.y) {
            return true;
        }
    }
    if (list->count < CORNER_MAX) {
        list->corners[list->count++] = corner;
    }
    return false;
}

/* Does a place lie on a line? Its beginning does. */
static bool lies_along(const plan_line *line, double x, double y)
{
    double dx = x - line->x;
    double dy = y - line->y;
    return dx * line->along_x + dy * line->along_y > -line->bend_m &&
           fabs(dx * line->along_y - dy * line->along_x) <= line->bend_m;
}

static rcity_status add_meeting(rcity_context *context, int32_t facet_edge, int32_t node, size_t first_meeting,
                                rcity_beams_tree *grown)
{
    for (size_t k = first_meeting; k < grown->meeting_count; k++) {
        if (grown->meetings[k].facet_edge == facet_edge) {
            return RCITY_OK;
        }
    }
    RCITY_TRY(rcity_reserve(context, grown->meeting_count + 1, sizeof *grown->meetings, &grown->meeting_capacity,
                            "the edges that beams meet", &grown->meetings));
    grown->meetings[grown->meeting_count++] = (rcity_beams_meeting){facet_edge, node, -1};
    return RCITY_OK;
}

/* Meet the edges at all further corners along a line that begins at a corner. */
static rcity_status meet_line(rcity_context *context, const rcity_beams_world *world, const plan_line *line,
                              int32_t node, size_t first_meeting, rcity_beams_tree *grown)
{
    const rcity_facet_table *facets = world->facets;
    double units_per_m = facets->shapes->units_per_m;
    corner_list list = {.count = 0};
    add_corner((rcity_grid_point){(int32_t)lround(line->x * units_per_m), (int32_t)lround(line->y * units_per_m)},
               &list);
    for (int i = 0; i < list.count; i++) {
        const rcity_beams_corner *ends;
        int64_t count = rcity_beams_world_ends(world, list.corners[i], &ends);
        for (int64_t k = 0; k < count; k++) {
            int32_t wall = ends[k].item / 2;
            int end = ends[k].item % 2;
            const rcity_mirror *mirror = &facets->mirrors[wall];
            rcity_grid_point other = end == 0 ? mirror->corner_q : mirror->corner_p;
            if (!lies_along(line, other.x / units_per_m, other.y / units_per_m)) {
                continue;
            }
            add_corner(other, &list);
            const int32_t *edges;
            int32_t edge_count = i > 0 ? rcity_beams_world_edges(world, wall, end, &edges) : 0;
            for (int32_t j = 0; j < edge_count; j++) {
                RCITY_TRY(add_meeting(context, edges[j], node, first_meeting, grown));
            }
        }
    }
    return RCITY_OK;
}

/* Meet the edges along a face of the tree's edge, which bounds a sector in a direction `phi_rad` from face o. */
static rcity_status meet_face(rcity_context *context, const rcity_beams_world *world, const rcity_beams_tree *tree,
                              double phi_rad, int32_t sector, size_t first_meeting, rcity_beams_tree *grown)
{
    const rcity_facet_edge *edge = &world->facets->edges[tree->facet_edge];
    plan_line line = {tree->x, tree->y, cos(phi_rad) * edge->in_face_o.x + sin(phi_rad) * edge->normal_o.x,
                      cos(phi_rad) * edge->in_face_o.y + sin(phi_rad) * edge->normal_o.y,
                      BEND_UNITS / world->facets->shapes->units_per_m};
    return meet_line(context, world, &line, sector, first_meeting, grown);
}

/* Meet the edges along a face again that lie on an edge of a beam, from its source through (x, y): what has left the tree's
   edge along the face, and has been reflected back. */
static rcity_status meet_again(rcity_context *context, const rcity_beams_world *world, const rcity_beams_tree *tree,
                               int32_t node, double x, double y, size_t first_meeting, rcity_beams_tree *grown)
{
    const rcity_beams_node *at = &tree->nodes[node];
    double length_m = rcity_beam_length_m(x - at->x, y - at->y);
    plan_line line = {x, y, (x - at->x) / length_m, (y - at->y) / length_m,
                      BEND_UNITS / world->facets->shapes->units_per_m};
    for (size_t i = 0; i < tree->meeting_count && tree->nodes[tree->meetings[i].node].parent < 0; i++) {
        int32_t facet_edge = tree->meetings[i].facet_edge;
        if (facet_edge >= 0 && tree->meetings[i].hit < 0 &&
            lies_along(&line, world->facets->edges[facet_edge].a.x, world->facets->edges[facet_edge].a.y)) {
            RCITY_TRY(add_meeting(context, facet_edge, node, first_meeting, grown));
        }
    }
    return RCITY_OK;
}

/* Both edges of a beam: do they run along a face, or did they before they were reflected? */
static rcity_status meet_faces(rcity_context *context, const rcity_beams_world *world, const rcity_beams_tree *tree,
                               int32_t node, size_t first_meeting, rcity_beams_tree *grown)
{
    const rcity_beams_node *at = &tree->nodes[node];
    double exterior_rad = world->facets->edges[tree->facet_edge].exterior_rad;
    for (int side = 0; side < 2; side++) {
        double left_rad = (double)(side == 0 ? at->from_rad : at->to_rad);
        bool is_face_o = fabs(left_rad) < FACE_RAD;
        if (!is_face_o && fabs(left_rad - exterior_rad) >= FACE_RAD) {
            continue;
        }
        if (at->parent < 0) {
            RCITY_TRY(meet_face(context, world, tree, is_face_o ? 0.0 : exterior_rad, node, first_meeting, grown));
        } else {
            RCITY_TRY(meet_again(context, world, tree, node, side == 0 ? at->window.x1 : at->window.x2,
                                 side == 0 ? at->window.y1 : at->window.y2, first_meeting, grown));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_beams_along_meet(rcity_context *context, const rcity_beams_world *world,
                                    const rcity_beams_tree *tree, int32_t node, size_t first_meeting,
                                    rcity_beams_tree *grown)
{
    const rcity_beams_node *at = &tree->nodes[node];
    RCITY_TRY(meet_faces(context, world, tree, node, first_meeting, grown));
    size_t end = grown->meeting_count; /* lines reach as far as walls follow each other */
    for (size_t i = first_meeting; i < end; i++) {
        const rcity_facet_edge *edge = &world->facets->edges[grown->meetings[i].facet_edge];
        double length_m = rcity_beam_length_m(edge->a.x - at->x, edge->a.y - at->y);
        plan_line line = {edge->a.x, edge->a.y, (edge->a.x - at->x) / length_m, (edge->a.y - at->y) / length_m,
                          BEND_UNITS / world->facets->shapes->units_per_m};
        if (length_m > line.bend_m) {
            RCITY_TRY(meet_line(context, world, &line, node, first_meeting, grown));
        }
    }
    return RCITY_OK;
}

/* A meeting as it is compared with others. */
typedef struct met_edge {
    int32_t facet_edge;
    bool has_no_hit;
    size_t meeting;
    int wall_count;
    int32_t walls[RCITY_BEAMS_REFLECTION_MAX]; /* the rest is 0 */
} met_edge;

static int compare_walls(const met_edge *a, const met_edge *b)
{
    return a->facet_edge != b->facet_edge   ? (a->facet_edge < b->facet_edge ? -1 : 1)
           : a->wall_count != b->wall_count ? (a->wall_count < b->wall_count ? -1 : 1)
                                            : memcmp(a->walls, b->walls, sizeof a->walls);
}

/* Meetings by the same walls side by side, those with hits first. */
static int compare_met(const void *left, const void *right)
{
    const met_edge *a = left;
    const met_edge *b = right;
    int order = compare_walls(a, b);
    return order != 0                       ? order
           : a->has_no_hit != b->has_no_hit ? (a->has_no_hit ? 1 : -1)
                                            : (a->meeting > b->meeting) - (a->meeting < b->meeting);
}

rcity_status rcity_beams_along_drop_repeated(rcity_context *context, size_t first_meeting, rcity_beams_tree *tree)
{
    size_t count = tree->meeting_count - first_meeting;
    met_edge *met = NULL;
    RCITY_TRY(rcity_alloc(context, count + 1, sizeof *met, "the edges that beams meet", &met));
    for (size_t i = 0; i < count; i++) {
        const rcity_beams_meeting *meeting = &tree->meetings[first_meeting + i];
        met[i].facet_edge = meeting->facet_edge;
        met[i].has_no_hit = meeting->hit < 0;
        met[i].meeting = first_meeting + i;
        met[i].wall_count = rcity_beams_node_walls(tree, meeting->node, met[i].walls);
    }
    qsort(met, count, sizeof *met, compare_met);
    for (size_t i = 1; i < count; i++) {
        if (compare_walls(&met[i - 1], &met[i]) == 0) {
            tree->meetings[met[i].meeting].facet_edge = -1;
        }
    }
    rcity_release(context, met);
    return RCITY_OK;
}
