/* What all paths of a part of a beam share. */
#include <math.h>
#include <string.h>

#include "method/beams/fast/fast_plane.h"

#define LOSS_MAX_DB 300.0

/* The walls of a leaf, as kernels take them. */
static rcity_status add_walls(const rcity_fast_plane *plane, rcity_fast_leaves *made, rcity_beam_leaf *leaf)
{
    const rcity_fast_chain *chain = &made->chain;
    RCITY_TRY(rcity_reserve(plane->job->context, made->wall_count + chain->wall_count + 1, sizeof *made->walls,
                            &made->wall_capacity, "walls of beams", &made->walls));
    leaf->wall_first = (int32_t)made->wall_count;
    leaf->wall_count = (int32_t)chain->wall_count;
    leaf->code_times = 1;
    leaf->code_plus = 0;
    for (size_t k = 0; k < chain->wall_count; k++) {
        const rcity_fast_wall *wall = &chain->walls[k];
        int32_t material = wall->is_passed ? RCITY_BEAM_PASSED : plane->facets->mirrors[wall->wall].material_index;
        made->walls[made->wall_count++] = (rcity_beam_wall){
            (float)wall->x, (float)wall->y, (float)wall->ahead_m, (float)wall->bottom_m, (float)wall->top_m, material,
        };
        if (!wall->is_passed) {
            leaf->code_times *= RCITY_BEAM_CODE_TIMES;
            leaf->code_plus = rcity_fast_code_next(leaf->code_plus, plane->tables.plane_code[wall->wall]);
        }
    }
    return RCITY_OK;
}

/* The ways to the edge of a leaf's tree that leave enough reflections; those with few come first. */
static void find_ways(const rcity_fast_plane *plane, int32_t tree, rcity_beam_leaf *leaf)
{
    int32_t max_reflections = plane->forest->orders.max_reflections;
    int32_t first = plane->forest->arrival_first[tree];
    int32_t end = plane->forest->arrival_first[tree + 1];
    leaf->way_first = first;
    leaf->limit = plane->tables.limits[tree];
    leaf->way_count = leaf->bouncing_count = 0;
    for (int32_t k = first; k < end && plane->tables.ways[k].reflections + leaf->depth <= max_reflections; k++) {
        leaf->way_count++;
        leaf->bouncing_count +=
            plane->ground_reflects && plane->tables.ways[k].reflections + leaf->depth < max_reflections;
    }
}

static void fill_edge_frame(const rcity_facet_edge *edge, const rcity_fast_chain *chain, rcity_beam_leaf *leaf)
{
    leaf->along_x = (float)(chain->back[0][0] * edge->in_face_o.x + chain->back[1][0] * edge->in_face_o.y);
    leaf->along_y = (float)(chain->back[0][1] * edge->in_face_o.x + chain->back[1][1] * edge->in_face_o.y);
    leaf->off_x = (float)(chain->back[0][0] * edge->normal_o.x + chain->back[1][0] * edge->normal_o.y);
    leaf->off_y = (float)(chain->back[0][1] * edge->normal_o.x + chain->back[1][1] * edge->normal_o.y);
}

rcity_status rcity_fast_leaves_add(const rcity_fast_plane *plane, const rcity_beams_way_end *end,
                                   rcity_fast_leaves *made)
{
    rcity_context *context = plane->job->context;
    const rcity_beams_tree *tree = &plane->forest->trees[end->tree];
    const rcity_beams_node *node = &tree->nodes[end->node];
    const rcity_beam_part *part = &tree->parts[end->part];
    RCITY_TRY(rcity_reserve(context, made->leaf_count + 1, sizeof *made->leaves, &made->leaf_capacity, "ends of beams",
                            &made->leaves));
    rcity_beam_leaf *leaf = &made->leaves[made->leaf_count];
    memset(leaf, 0, sizeof *leaf);
    RCITY_TRY(rcity_fast_chain_fill(context, plane->forest, tree, end->node, part->passed_first, part->passed_count,
                                    &made->chain));
    leaf->x = llround(node->x * RCITY_BEAM_UNITS_PER_M);
    leaf->y = llround(node->y * RCITY_BEAM_UNITS_PER_M);
    for (int i = 0; i < 4; i++) {
        leaf->back[i] = (float)made->chain.back[i / 2][i % 2];
    }
    leaf->least_loss = (float)pow(10.0, 0.1 * fmin((double)node->loss_db, LOSS_MAX_DB));
    leaf->depth = node->depth;
    if (tree->facet_edge >= 0) {
        fill_edge_frame(&plane->facets->edges[tree->facet_edge], &made->chain, leaf);
        find_ways(plane, end->tree, leaf);
    } else {
        leaf->way_first = -1;
        leaf->way_count = 1;
        leaf->bouncing_count = plane->ground_reflects && leaf->depth < plane->forest->orders.max_reflections;
    }
    RCITY_TRY(add_walls(plane, made, leaf));
    made->leaf_count++;
    return RCITY_OK;
}

void rcity_fast_leaves_deinit(rcity_context *context, rcity_fast_leaves *leaves)
{
    rcity_release(context, leaves->chain.walls);
    rcity_release(context, leaves->leaves);
    rcity_release(context, leaves->walls);
    memset(leaves, 0, sizeof *leaves);
}
