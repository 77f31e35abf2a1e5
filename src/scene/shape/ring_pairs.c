/* Edges sorted from west to east, each compared with those that start before it ends. */
#include "scene/shape/ring_pairs.h"

#include <stdlib.h>
#include <string.h>

struct rcity_ring_edge {
    rcity_grid_point p, q;
    int32_t x_min, x_max;
    int32_t index;
};

void rcity_ring_pairs_deinit(rcity_context *context, rcity_ring_pairs *pairs)
{
    rcity_release(context, pairs->inserts);
    rcity_release(context, pairs->edges);
    memset(pairs, 0, sizeof *pairs);
}

rcity_status rcity_ring_pairs_add_insert(rcity_context *context, rcity_ring_pairs *pairs, int32_t edge,
                                         rcity_grid_point from, rcity_grid_point to, rcity_grid_point at)
{
    RCITY_TRY(rcity_reserve(context, pairs->insert_count + 1, sizeof *pairs->inserts, &pairs->insert_capacity,
                            "outlines", &pairs->inserts));
    int64_t along =
        ((int64_t)at.x - from.x) * ((int64_t)to.x - from.x) + ((int64_t)at.y - from.y) * ((int64_t)to.y - from.y);
    rcity_ring_insert insert = {edge, along, at};
    pairs->inserts[pairs->insert_count++] = insert;
    return RCITY_OK;
}

static int compare_inserts(const void *left, const void *right)
{
    const rcity_ring_insert *a = left;
    const rcity_ring_insert *b = right;
    if (a->edge != b->edge) {
        return a->edge < b->edge ? -1 : 1;
    }
    if (a->along != b->along) {
        return a->along < b->along ? -1 : 1;
    }
    if (a->at.x != b->at.x) {
        return a->at.x < b->at.x ? -1 : 1;
    }
    return (a->at.y > b->at.y) - (a->at.y < b->at.y);
}

void rcity_ring_pairs_sort_inserts(rcity_ring_pairs *pairs)
{
    if (pairs->insert_count == 0) {
        return;
    }
    qsort(pairs->inserts, pairs->insert_count, sizeof *pairs->inserts, compare_inserts);
    size_t kept = 1;
    for (size_t i = 1; i < pairs->insert_count; i++) {
        const rcity_ring_insert *last = &pairs->inserts[kept - 1];
        if (last->edge != pairs->inserts[i].edge || !rcity_grid_point_equal(last->at, pairs->inserts[i].at)) {
            pairs->inserts[kept++] = pairs->inserts[i];
        }
    }
    pairs->insert_count = kept;
}

static int compare_edges(const void *left, const void *right)
{
    const struct rcity_ring_edge *a = left;
    const struct rcity_ring_edge *b = right;
    if (a->x_min != b->x_min) {
        return a->x_min < b->x_min ? -1 : 1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

static rcity_status collect_edges(rcity_context *context, const rcity_outline *rings, rcity_ring_pairs *pairs)
{
    RCITY_TRY(rcity_reserve(context, rings->point_count, sizeof *pairs->edges, &pairs->edge_capacity, "outlines",
                            &pairs->edges));
    for (size_t ring = 0; ring < rings->ring_count; ring++) {
        for (int32_t point = rings->ring_first[ring]; point < rings->ring_first[ring + 1]; point++) {
            int32_t next = rcity_ring_next(rings->ring_first, (int32_t)ring, point);
            rcity_grid_point p = rings->points[point].at;
            rcity_grid_point q = rings->points[next].at;
            struct rcity_ring_edge edge = {p, q, p.x < q.x ? p.x : q.x, p.x < q.x ? q.x : p.x, point};
            pairs->edges[point] = edge;
        }
    }
    qsort(pairs->edges, rings->point_count, sizeof *pairs->edges, compare_edges);
    return RCITY_OK;
}

static bool boxes_miss_in_y(const struct rcity_ring_edge *a, const struct rcity_ring_edge *b)
{
    return (a->p.y < b->p.y && a->p.y < b->q.y && a->q.y < b->p.y && a->q.y < b->q.y) ||
           (a->p.y > b->p.y && a->p.y > b->q.y && a->q.y > b->p.y && a->q.y > b->q.y);
}

static int sign(int64_t value)
{
    return (value > 0) - (value < 0);
}

static rcity_status compare_pair(rcity_context *context, rcity_ring_pairs *pairs, const struct rcity_ring_edge *a,
                                 const struct rcity_ring_edge *b)
{
    int64_t b_p = rcity_orient(a->p, a->q, b->p);
    int64_t b_q = rcity_orient(a->p, a->q, b->q);
    int64_t a_p = rcity_orient(b->p, b->q, a->p);
    int64_t a_q = rcity_orient(b->p, b->q, a->q);
    if (sign(b_p) * sign(b_q) < 0 && sign(a_p) * sign(a_q) < 0) {
        pairs->has_crossing = true;
        pairs->crossing_at = a->p;
        return RCITY_OK;
    }
    if (b_p == 0 && rcity_strictly_between(a->p, a->q, b->p)) {
        RCITY_TRY(rcity_ring_pairs_add_insert(context, pairs, a->index, a->p, a->q, b->p));
    }
    if (b_q == 0 && rcity_strictly_between(a->p, a->q, b->q)) {
        RCITY_TRY(rcity_ring_pairs_add_insert(context, pairs, a->index, a->p, a->q, b->q));
    }
    if (a_p == 0 && rcity_strictly_between(b->p, b->q, a->p)) {
        RCITY_TRY(rcity_ring_pairs_add_insert(context, pairs, b->index, b->p, b->q, a->p));
    }
    if (a_q == 0 && rcity_strictly_between(b->p, b->q, a->q)) {
        RCITY_TRY(rcity_ring_pairs_add_insert(context, pairs, b->index, b->p, b->q, a->q));
    }
    return RCITY_OK;
}

rcity_status rcity_ring_pairs_find(rcity_context *context, const rcity_outline *rings, rcity_ring_pairs *pairs)
{
    pairs->has_crossing = false;
    pairs->insert_count = 0;
    RCITY_TRY(collect_edges(context, rings, pairs));
    for (size_t i = 0; i < rings->point_count && !pairs->has_crossing; i++) {
        const struct rcity_ring_edge *a = &pairs->edges[i];
        for (size_t j = i + 1; j < rings->point_count && pairs->edges[j].x_min <= a->x_max; j++) {
            if (!boxes_miss_in_y(a, &pairs->edges[j])) {
                RCITY_TRY(compare_pair(context, pairs, a, &pairs->edges[j]));
            }
        }
    }
    rcity_ring_pairs_sort_inserts(pairs);
    return RCITY_OK;
}
