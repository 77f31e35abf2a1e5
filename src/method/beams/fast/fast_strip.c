/* Which leaves hold which cells of a strip, and where their paths are written: those of a cell one after the other, in the
   order of leaves. */
#include <math.h>
#include <string.h>

#include "method/beams/fast/fast_chain.h"
#include "method/beams/fast/fast_plane.h"
#include "method/beams/tree/beam_loss.h"
#include "method/receiver_plane.h"

#define LOSS_MAX_DB 300.0

/* Which cells of a strip have a receiver that rays can come to. */
static rcity_status mark_wanted(const rcity_fast_plane *plane, rcity_fast_strip *strip)
{
    rcity_context *context = plane->job->context;
    int64_t cell_count = strip->found.cell_count;
    RCITY_TRY(rcity_reserve(context, (size_t)cell_count + 1, sizeof *strip->is_wanted, &strip->wanted_capacity,
                            "receivers", &strip->is_wanted));
    RCITY_TRY(rcity_reserve(context, (size_t)cell_count + 1, sizeof *strip->positions, &strip->position_capacity,
                            "receivers", &strip->positions));
    const rcity_shapes *shapes = plane->job->shapes;
    const rcity_place3 *tx = &plane->traced->tx;
    strip->near_count = 0;
    for (int64_t cell = 0; cell < cell_count; cell++) {
        rcity_receiver_state state;
        rcity_receiver_cell_locate(plane->job, plane->height_m, strip->found.cell_first + cell, &strip->positions[cell],
                                   &state);
        rcity_point position = strip->positions[cell];
        double plan_m =
            rcity_beam_length_m(position.x_m - shapes->origin_x_m - tx->x, position.y_m - shapes->origin_y_m - tx->y);
        bool is_near = state == RCITY_RECEIVER_NO_PATH &&
                       rcity_beam_length_m(plan_m, position.z_m - tx->z) < plane->facets->wavelength_m;
        strip->is_wanted[cell] = state == RCITY_RECEIVER_NO_PATH && !is_near;
        strip->near_count += is_near;
    }
    return RCITY_OK;
}

/* The walls of a leaf, as kernels take them. */
static rcity_status add_walls(const rcity_fast_plane *plane, rcity_fast_strip *strip, rcity_beam_leaf *leaf)
{
    const rcity_fast_chain *chain = &strip->chain;
    RCITY_TRY(rcity_reserve(plane->job->context, strip->wall_count + chain->wall_count + 1, sizeof *strip->walls,
                            &strip->wall_capacity, "walls of beams", &strip->walls));
    leaf->wall_first = (int32_t)strip->wall_count;
    leaf->wall_count = (int32_t)chain->wall_count;
    leaf->code_times = 1;
    leaf->code_plus = 0;
    for (size_t k = 0; k < chain->wall_count; k++) {
        const rcity_fast_wall *wall = &chain->walls[k];
        int32_t material = wall->is_passed ? RCITY_BEAM_PASSED : plane->facets->mirrors[wall->wall].material_index;
        strip->walls[strip->wall_count++] = (rcity_beam_wall){
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

static rcity_status add_leaf(const rcity_fast_plane *plane, const rcity_beams_way_end *end, rcity_fast_strip *strip)
{
    rcity_context *context = plane->job->context;
    const rcity_beams_tree *tree = &plane->forest->trees[end->tree];
    const rcity_beams_node *node = &tree->nodes[end->node];
    const rcity_beam_part *part = &tree->parts[end->part];
    RCITY_TRY(rcity_reserve(context, strip->leaf_count + 1, sizeof *strip->leaves, &strip->leaf_capacity,
                            "ends of beams", &strip->leaves));
    rcity_beam_leaf *leaf = &strip->leaves[strip->leaf_count];
    memset(leaf, 0, sizeof *leaf);
    RCITY_TRY(rcity_fast_chain_fill(context, plane->forest, tree, end->node, part->passed_first, part->passed_count,
                                    &strip->chain));
    leaf->x = llround(node->x * RCITY_BEAM_UNITS_PER_M);
    leaf->y = llround(node->y * RCITY_BEAM_UNITS_PER_M);
    for (int i = 0; i < 4; i++) {
        leaf->back[i] = (float)strip->chain.back[i / 2][i % 2];
    }
    leaf->least_loss = (float)pow(10.0, 0.1 * fmin((double)node->loss_db, LOSS_MAX_DB));
    leaf->depth = node->depth;
    if (tree->facet_edge >= 0) {
        fill_edge_frame(&plane->facets->edges[tree->facet_edge], &strip->chain, leaf);
        find_ways(plane, end->tree, leaf);
    } else {
        leaf->way_first = -1;
        leaf->way_count = 1;
        leaf->bouncing_count = plane->ground_reflects && leaf->depth < plane->forest->orders.max_reflections;
    }
    RCITY_TRY(add_walls(plane, strip, leaf));
    strip->leaf_count++;
    return RCITY_OK;
}

/* Leaves as found; pairs of cell and end become pairs of cell and leaf. The paths of each cell are counted one place on, its
   visits two. */
static rcity_status list_leaves(const rcity_fast_plane *plane, rcity_fast_strip *strip)
{
    rcity_beams_strip *found = &strip->found;
    int64_t last_end = -1;
    size_t kept = 0;
    strip->leaf_count = strip->wall_count = 0;
    for (size_t i = 0; i < found->found_count; i += 2) {
        int64_t cell = found->found[i];
        int64_t end = found->found[i + 1];
        if (!strip->is_wanted[cell]) {
            continue;
        }
        if (end != last_end) {
            RCITY_TRY(add_leaf(plane, &plane->bins.ends[end], strip));
            last_end = end;
        }
        const rcity_beam_leaf *leaf = &strip->leaves[strip->leaf_count - 1];
        strip->first[cell + 1] += leaf->way_count + leaf->bouncing_count;
        strip->visit_first[cell + 2]++;
        found->found[kept++] = cell;
        found->found[kept++] = (int64_t)strip->leaf_count - 1;
    }
    found->found_count = kept;
    return RCITY_OK;
}

rcity_status rcity_fast_strip_sort(const rcity_fast_plane *plane, rcity_fast_strip *strip)
{
    const rcity_beams_strip *found = &strip->found;
    RCITY_TRY(rcity_reserve(plane->job->context, found->found_count / 2 + 1, sizeof *strip->visits,
                            &strip->visit_capacity, "cells of beams", &strip->visits));
    for (int64_t cell = 0; cell < found->cell_count; cell++) {
        strip->first[cell + 1] += strip->first[cell];
        strip->visit_first[cell + 2] += strip->visit_first[cell + 1];
    }
    for (size_t i = 0; i < found->found_count; i += 2) {
        strip->visits[strip->visit_first[found->found[i] + 1]++].leaf = (int32_t)found->found[i + 1];
    }
    for (int64_t cell = 0; cell < found->cell_count; cell++) {
        int32_t slot = 0;
        for (int64_t i = strip->visit_first[cell]; i < strip->visit_first[cell + 1]; i++) {
            const rcity_beam_leaf *leaf = &strip->leaves[strip->visits[i].leaf];
            strip->visits[i].slot = slot;
            slot += leaf->way_count + leaf->bouncing_count;
        }
    }
    return RCITY_OK;
}

static rcity_status make_counts(rcity_context *context, size_t cell_count, rcity_fast_strip *strip)
{
    RCITY_TRY(rcity_reserve(context, cell_count + 2, sizeof *strip->first, &strip->first_capacity, "paths of a strip",
                            &strip->first));
    RCITY_TRY(rcity_reserve(context, cell_count + 2, sizeof *strip->visit_first, &strip->visit_first_capacity,
                            "cells of beams", &strip->visit_first));
    memset(strip->first, 0, (cell_count + 2) * sizeof *strip->first);
    memset(strip->visit_first, 0, (cell_count + 2) * sizeof *strip->visit_first);
    return RCITY_OK;
}

rcity_status rcity_fast_strip_fill(const rcity_fast_plane *plane, int64_t strip_index, rcity_fast_strip *strip)
{
    rcity_context *context = plane->job->context;
    RCITY_TRY(rcity_beams_bins_find(context, &plane->bins, strip_index, &strip->found));
    RCITY_TRY(mark_wanted(plane, strip));
    RCITY_TRY(make_counts(context, (size_t)strip->found.cell_count, strip));
    return list_leaves(plane, strip);
}

void rcity_fast_strip_deinit(rcity_context *context, rcity_fast_strip *strip)
{
    rcity_beams_strip_deinit(context, &strip->found);
    rcity_release(context, strip->chain.walls);
    rcity_release(context, strip->positions);
    rcity_release(context, strip->is_wanted);
    rcity_release(context, strip->leaves);
    rcity_release(context, strip->walls);
    rcity_release(context, strip->visits);
    rcity_release(context, strip->visit_first);
    rcity_release(context, strip->first);
    memset(strip, 0, sizeof *strip);
}
