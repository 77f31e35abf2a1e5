#include "method/shadow/corners/corner_chains.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Corners in line with each other do not turn a path: the logarithm needs a number. */
#define GRAZING_MIN 1e-6

/* Adds a corner's view, if it is new. */
static rcity_status add_view(rcity_corner_chains *chains, int32_t corner)
{
    if (chains->view_of[corner] >= 0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_reserve(chains->context, chains->view_count + 1, sizeof *chains->views, &chains->view_capacity,
                            "corners", &chains->views));
    rcity_chain_view view; /* what it sees is found together with the others of its round */
    memset(&view, 0, sizeof view);
    view.corner = corner;
    view.outline = rcity_corner_table_place(chains->corners, corner);
    view.at = (rcity_grid_point3){view.outline.x, view.outline.y,
                                  rcity_corner_height(view.outline.ground, view.outline.top, chains->step)};
    chains->view_of[corner] = (int32_t)chains->view_count;
    chains->views[chains->view_count++] = view;
    return RCITY_OK;
}

static double metres_between(const rcity_shapes *shapes, rcity_grid_point3 a, rcity_grid_point3 b, double *dx,
                             double *dy)
{
    double x = ((double)b.x - a.x) / shapes->units_per_m;
    double y = ((double)b.y - a.y) / shapes->units_per_m;
    double length = hypot(x, y);
    *dx = length > 0.0 ? x / length : 0.0;
    *dy = length > 0.0 ? y / length : 0.0;
    return length;
}

/* Adds a chain: to a corner that the end of another chain sees; parent -1: that the source sees. */
static rcity_status add_node(const rcity_corner_chains *chains, int32_t parent, int32_t corner,
                             rcity_corner_paths *corner_paths)
{
    RCITY_TRY(rcity_reserve(chains->context, corner_paths->node_count + 1, sizeof *corner_paths->nodes,
                            &corner_paths->node_capacity, "chains of corners", &corner_paths->nodes));
    assert(corner_paths->nodes != NULL);
    const rcity_corner_node *before = parent >= 0 ? &corner_paths->nodes[parent] : NULL;
    rcity_corner_node node;
    memset(&node, 0, sizeof node);
    node.parent = parent;
    node.corner = corner;
    node.at = chains->views[chains->view_of[corner]].at;
    node.outline = chains->views[chains->view_of[corner]].outline;
    node.leg_m = metres_between(chains->corners->plane->shapes, before != NULL ? before->at : chains->source, node.at,
                                &node.dx, &node.dy);
    if (before == NULL) {
        node.order = 1;
        node.turns.length_m = (float)node.leg_m;
        node.azimuth_dx = (float)node.dx;
        node.azimuth_dy = (float)node.dy;
    } else {
        double angle = acos(fmin(fmax(before->dx * node.dx + before->dy * node.dy, -1.0), 1.0));
        node.order = before->order + 1;
        node.turns = before->turns;
        node.turns.length_m += (float)node.leg_m;
        node.turns.count++;
        node.turns.angle_sum_rad += (float)angle;
        node.turns.angle_square_sum_rad2 += (float)(angle * angle);
        double distance_m = before->leg_m * node.leg_m / (before->leg_m + node.leg_m);
        node.turns.log_distance_sum += (float)log10(distance_m);
        double grazing = 2.0 * sin(0.5 * angle) * sqrt(2.0 * distance_m);
        node.log_grazing_sum = before->log_grazing_sum + log10(fmax(grazing, GRAZING_MIN));
        node.grazing_root_m = (float)pow(10.0, node.log_grazing_sum / node.turns.count);
        node.azimuth_dx = before->azimuth_dx;
        node.azimuth_dy = before->azimuth_dy;
    }
    corner_paths->nodes[corner_paths->node_count++] = node;
    return RCITY_OK;
}

/* Does a chain's last corner diffract waves that come from another corner? It does so the other way around, so that a
   chain is the same in both directions. */
static bool is_mutual(const rcity_corner_chains *chains, const rcity_corner_node *node, int32_t corner)
{
    const rcity_los_wall *wall = &chains->corners->plane->walls[chains->corners->wall_after[corner]];
    return rcity_corner_diffracts(&node->outline, wall->ax, wall->ay);
}

/* Do the source or the corners before a chain's last one see a corner? It is then reached by a shorter path, which is a
   chain of its own. */
static bool is_seen_before(const rcity_corner_chains *chains, const rcity_corner_paths *corner_paths,
                           const rcity_corner_node *node, int32_t corner)
{
    int32_t at = node->parent;
    for (int32_t turn = 0; turn < node->order; turn++) {
        const rcity_chain_view *earlier =
            at >= 0 ? &chains->views[chains->view_of[corner_paths->nodes[at].corner]] : &chains->views[0];
        for (size_t j = 0; j < earlier->corner_count; j++) {
            if (earlier->corners[j] == corner) {
                return true;
            }
        }
        at = at >= 0 ? corner_paths->nodes[at].parent : -1;
    }
    return false;
}

/* Adds the chains with one more corner. */
static rcity_status extend(rcity_corner_chains *chains, size_t first, size_t end, rcity_corner_paths *corner_paths)
{
    for (size_t i = first; i < end; i++) {
        const rcity_chain_view *view = &chains->views[chains->view_of[corner_paths->nodes[i].corner]];
        for (size_t k = 0; k < view->corner_count; k++) {
            const rcity_corner_node *node = &corner_paths->nodes[i];
            int32_t corner = view->corners[k];
            if (is_mutual(chains, node, corner) && !is_seen_before(chains, corner_paths, node, corner)) {
                RCITY_TRY(add_view(chains, corner));
                view = &chains->views[chains->view_of[node->corner]]; /* the list may have moved */
                RCITY_TRY(add_node(chains, (int32_t)i, corner, corner_paths));
            }
        }
    }
    return RCITY_OK;
}

rcity_status rcity_corner_chains_begin(rcity_context *context, const rcity_corner_table *corners, int32_t *view_of,
                                       rcity_grid_point3 source, rcity_corner_chains *chains)
{
    memset(chains, 0, sizeof *chains);
    chains->context = context;
    chains->corners = corners;
    chains->view_of = view_of;
    chains->source = source;
    chains->step = rcity_corner_table_step(corners, source);
    RCITY_TRY(rcity_reserve(context, 1, sizeof *chains->views, &chains->view_capacity, "corners", &chains->views));
    memset(&chains->views[0], 0, sizeof chains->views[0]);
    chains->views[0].corner = -1;
    chains->views[0].at = source;
    chains->view_count = 1;
    return RCITY_OK;
}

rcity_status rcity_corner_chains_see(rcity_corner_chains *chains, size_t view, int32_t corner)
{
    rcity_chain_view *from = &chains->views[view];
    RCITY_TRY(rcity_reserve(chains->context, from->corner_count + 1, sizeof *from->corners, &from->corner_capacity,
                            "corners", &from->corners));
    from->corners[from->corner_count++] = corner;
    return RCITY_OK;
}

rcity_status rcity_corner_chains_extend(rcity_corner_chains *chains, rcity_corner_paths *corner_paths)
{
    size_t end_node = corner_paths->node_count;
    if (end_node == 0) {
        for (size_t k = 0; k < chains->views[0].corner_count; k++) {
            RCITY_TRY(add_view(chains, chains->views[0].corners[k]));
            RCITY_TRY(add_node(chains, -1, chains->views[0].corners[k], corner_paths));
        }
        return RCITY_OK;
    }
    size_t first_node = chains->first_node;
    chains->first_node = end_node;
    return extend(chains, first_node, end_node, corner_paths);
}

void rcity_corner_chains_end(rcity_corner_chains *chains)
{
    for (size_t i = 0; i < chains->view_count; i++) {
        if (chains->views[i].corner_capacity > 0) {
            rcity_release(chains->context, chains->views[i].corners);
        }
        if (i > 0) { /* the first is the source's */
            chains->view_of[chains->views[i].corner] = -1;
        }
    }
    rcity_release(chains->context, chains->views);
    memset(chains, 0, sizeof *chains);
}
