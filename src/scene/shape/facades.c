/* Cutting facades: for each edge, the stretches along which another prism stands, and how high it is there. */
#include "scene/shape/facades.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/shape/prism.h"
#include "scene/shape/side_cover.h"

/* A stretch of an edge covered up to a roof. */
typedef struct cover {
    rcity_span span;
    int32_t roof;
    bool is_nested; /* the other prism lies on both sides: the edge runs inside it */
} cover;

typedef struct facade_work {
    rcity_context *context;
    const rcity_plan_index *prism_index;
    rcity_shapes *shapes;
    rcity_span *left, *right;
    size_t span_capacity;
    cover *covers;
    size_t cover_count, cover_capacity;
    int32_t touching_roof, nested_roof; /* of covers of the whole edge, INT32_MIN for none */
    rcity_ratio *cuts;
    size_t cut_capacity;
    size_t facade_capacity;
    struct edge_ends *ends; /* of one prism, for finding edges it has twice */
    size_t end_capacity;
    bool *is_void; /* edges without a solid behind them */
    bool *wall_is_outer;
    bool *wall_is_exposed;
} facade_work;

static rcity_plan_box prism_box(const void *user, int32_t item)
{
    const rcity_prism *prism = &((const rcity_shapes *)user)->prisms[item];
    rcity_plan_box box = {prism->x_min, prism->y_min, prism->x_max, prism->y_max};
    return box;
}

rcity_status rcity_shapes_index_prisms(rcity_context *context, const rcity_shapes *shapes, rcity_plan_index *index)
{
    return rcity_plan_index_build(context, (int32_t)shapes->prism_count, prism_box, shapes, index);
}

/* An edge in either direction, and where it starts. */
typedef struct edge_ends {
    rcity_grid_point low, high;
    int32_t edge;
} edge_ends;

static int compare_ends(const void *left, const void *right)
{
    const edge_ends *a = left;
    const edge_ends *b = right;
    const int32_t keys[5][2] = {
        {a->low.x, b->low.x}, {a->low.y, b->low.y}, {a->high.x, b->high.x}, {a->high.y, b->high.y}, {a->edge, b->edge}};
    for (int i = 0; i < 5; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

/* A hole that shares a stretch with its outline leaves an edge in both rings and no solid on either side: no facade. */
static rcity_status mark_void_edges(facade_work *work, const rcity_prism *prism)
{
    const rcity_shapes *shapes = work->shapes;
    size_t count = 0;
    for (int32_t ring = prism->first_ring; prism->ring_count > 1 && ring < prism->first_ring + prism->ring_count;
         ring++) {
        for (int32_t edge = shapes->ring_first[ring]; edge < shapes->ring_first[ring + 1]; edge++) {
            rcity_grid_point p = shapes->points[edge];
            rcity_grid_point q = shapes->points[rcity_ring_next(shapes->ring_first, ring, edge)];
            bool is_forward = p.x < q.x || (p.x == q.x && p.y < q.y);
            RCITY_TRY(rcity_reserve(work->context, count + 1, sizeof *work->ends, &work->end_capacity, "facades",
                                    &work->ends));
            edge_ends ends = {is_forward ? p : q, is_forward ? q : p, edge};
            work->ends[count++] = ends;
        }
    }
    if (count > 0) {
        qsort(work->ends, count, sizeof *work->ends, compare_ends);
    }
    for (size_t i = 1; i < count; i++) {
        const edge_ends *a = &work->ends[i - 1];
        const edge_ends *b = &work->ends[i];
        if (rcity_grid_point_equal(a->low, b->low) && rcity_grid_point_equal(a->high, b->high)) {
            work->is_void[a->edge] = true;
            work->is_void[b->edge] = true;
        }
    }
    return RCITY_OK;
}

static bool is_whole_edge(rcity_span span)
{
    const rcity_ratio zero = {0, 1};
    const rcity_ratio one = {1, 1};
    return rcity_ratio_compare(span.begin, zero) <= 0 && rcity_ratio_compare(span.end, one) >= 0;
}

/* Of covers of the whole edge only the highest counts, one of each kind: many boxes on one place have no others. */
static rcity_status add_cover(facade_work *work, rcity_span span, int32_t roof, bool is_nested)
{
    int32_t *highest = is_nested ? &work->nested_roof : &work->touching_roof;
    if (is_whole_edge(span)) {
        *highest = roof > *highest ? roof : *highest;
        return RCITY_OK;
    }
    RCITY_TRY(rcity_reserve(work->context, work->cover_count + 1, sizeof *work->covers, &work->cover_capacity,
                            "facades", &work->covers));
    cover added = {span, roof, is_nested};
    work->covers[work->cover_count++] = added;
    return RCITY_OK;
}

static rcity_status reserve_spans(facade_work *work, const rcity_prism *prism)
{
    const int32_t *first = work->shapes->ring_first;
    size_t needed = (size_t)(first[prism->first_ring + prism->ring_count] - first[prism->first_ring]) / 2 + 1;
    if (needed <= work->span_capacity) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_resize(work->context, needed, sizeof *work->left, "facades", &work->left));
    RCITY_TRY(rcity_resize(work->context, needed, sizeof *work->right, "facades", &work->right));
    work->span_capacity = needed;
    return RCITY_OK;
}

static bool meets_any(rcity_span span, const rcity_span *others, int other_count)
{
    for (int i = 0; i < other_count; i++) {
        rcity_ratio begin = rcity_ratio_max(span.begin, others[i].begin);
        rcity_ratio end = rcity_ratio_min(span.end, others[i].end);
        if (rcity_ratio_compare(begin, end) < 0) {
            return true;
        }
    }
    return false;
}

/* What another prism hides of an edge: everything below its roof where it stands on the edge's outer side. Where two
   prisms have the same wall (the other lies on the left only), the higher one (or the earlier of two equals) keeps
   it. */
static rcity_status collect_covers(facade_work *work, int32_t own, int32_t other, rcity_grid_point p,
                                   rcity_grid_point q)
{
    const rcity_prism *owner = &work->shapes->prisms[own];
    const rcity_prism *neighbour = &work->shapes->prisms[other];
    RCITY_TRY(reserve_spans(work, neighbour));
    bool touches = false;
    int right_count = rcity_side_cover(work->shapes, neighbour, p, q, RCITY_SIDE_RIGHT, work->right, &touches);
    int left_count = rcity_side_cover(work->shapes, neighbour, p, q, RCITY_SIDE_LEFT, work->left, &touches);
    for (int i = 0; i < right_count; i++) {
        bool is_nested = meets_any(work->right[i], work->left, left_count);
        RCITY_TRY(add_cover(work, work->right[i], neighbour->roof, is_nested));
    }
    bool keeps_common_wall = neighbour->roof > owner->roof || (neighbour->roof == owner->roof && other < own);
    for (int i = 0; i < left_count && keeps_common_wall; i++) {
        if (!meets_any(work->left[i], work->right, right_count)) {
            RCITY_TRY(add_cover(work, work->left[i], neighbour->roof, false));
        }
    }
    return RCITY_OK;
}

static int compare_cuts(const void *left, const void *right)
{
    return rcity_ratio_compare(*(const rcity_ratio *)left, *(const rcity_ratio *)right);
}

/* Up to which height a stretch without a cut is covered; on request by touching neighbours only. */
static int32_t covered_up_to(const facade_work *work, rcity_ratio begin, rcity_ratio end, bool skips_nested)
{
    int32_t roof = work->touching_roof;
    roof = !skips_nested && work->nested_roof > roof ? work->nested_roof : roof;
    for (size_t i = 0; i < work->cover_count; i++) {
        const cover *candidate = &work->covers[i];
        if (!(skips_nested && candidate->is_nested) && rcity_ratio_compare(candidate->span.begin, begin) <= 0 &&
            rcity_ratio_compare(candidate->span.end, end) >= 0 && candidate->roof > roof) {
            roof = candidate->roof;
        }
    }
    return roof;
}

static rcity_status add_facade(facade_work *work, int32_t own, int32_t edge, rcity_grid_point p, rcity_grid_point q,
                               rcity_span span, int32_t bottom)
{
    rcity_shapes *shapes = work->shapes;
    double begin = rcity_ratio_value(span.begin);
    double end = rcity_ratio_value(span.end);
    double dx = (double)q.x - p.x;
    double dy = (double)q.y - p.y;
    if (hypot(dx, dy) * (end - begin) < 1.0) {
        return RCITY_OK; /* thinner than the grid */
    }
    const rcity_prism *prism = &shapes->prisms[own];
    double unit_m = 1.0 / shapes->units_per_m;
    rcity_facade facade = {0};
    facade.x1_m = (float)((p.x + begin * dx) * unit_m);
    facade.y1_m = (float)((p.y + begin * dy) * unit_m);
    facade.x2_m = (float)((p.x + end * dx) * unit_m);
    facade.y2_m = (float)((p.y + end * dy) * unit_m);
    facade.bottom_m = (float)(bottom > prism->ground ? bottom : prism->ground) / RCITY_HEIGHT_UNITS_PER_M;
    facade.top_m = (float)prism->roof / RCITY_HEIGHT_UNITS_PER_M;
    facade.prism = own;
    facade.edge = edge;
    RCITY_TRY(rcity_reserve(work->context, (size_t)shapes->facade_count + 1, sizeof *shapes->facades,
                            &work->facade_capacity, "facades", &shapes->facades));
    shapes->facades[shapes->facade_count++] = facade;
    return RCITY_OK;
}

/* Cut one edge at the ends of all covers and keep the pieces that reach above them; neighbouring pieces with the same
   bottom are joined. */
static rcity_status cut_edge(facade_work *work, int32_t own, int32_t edge, rcity_grid_point p, rcity_grid_point q,
                             bool *is_outer)
{
    const rcity_prism *prism = &work->shapes->prisms[own];
    const rcity_ratio zero = {0, 1};
    const rcity_ratio one = {1, 1};
    size_t cut_count = 0;
    RCITY_TRY(rcity_reserve(work->context, 2 * work->cover_count + 2, sizeof *work->cuts, &work->cut_capacity,
                            "facades", &work->cuts));
    work->cuts[cut_count++] = zero;
    work->cuts[cut_count++] = one;
    for (size_t i = 0; i < work->cover_count; i++) {
        work->cuts[cut_count++] = work->covers[i].span.begin;
        work->cuts[cut_count++] = work->covers[i].span.end;
    }
    qsort(work->cuts, cut_count, sizeof *work->cuts, compare_cuts);
    rcity_span open = {zero, zero};
    int32_t open_bottom = prism->roof; /* at the roof: nothing is open */
    for (size_t i = 0; i + 1 < cut_count; i++) {
        if (rcity_ratio_compare(work->cuts[i], work->cuts[i + 1]) >= 0) {
            continue;
        }
        *is_outer = *is_outer || covered_up_to(work, work->cuts[i], work->cuts[i + 1], true) < prism->roof;
        int32_t bottom = covered_up_to(work, work->cuts[i], work->cuts[i + 1], false);
        bottom = bottom < prism->roof ? bottom : prism->roof;
        if (bottom != open_bottom) {
            if (open_bottom < prism->roof) {
                RCITY_TRY(add_facade(work, own, edge, p, q, open, open_bottom));
            }
            open.begin = work->cuts[i];
            open_bottom = bottom;
        }
        open.end = work->cuts[i + 1];
    }
    return open_bottom < prism->roof ? add_facade(work, own, edge, p, q, open, open_bottom) : RCITY_OK;
}

static rcity_status build_edge(facade_work *work, int32_t own, int32_t ring, int32_t edge, const int32_t *point_wall)
{
    if (work->is_void[edge]) {
        return RCITY_OK;
    }
    rcity_shapes *shapes = work->shapes;
    rcity_grid_point p = shapes->points[edge];
    rcity_grid_point q = shapes->points[rcity_ring_next(shapes->ring_first, ring, edge)];
    rcity_plan_box box = rcity_edge_box(p, q);
    work->cover_count = 0;
    work->touching_roof = INT32_MIN;
    work->nested_roof = INT32_MIN;
    rcity_plan_walk walk;
    rcity_plan_walk_init(work->prism_index, box, &walk);
    int32_t roof = shapes->prisms[own].roof; /* covered up to it by a neighbour, an edge is neither outer nor a facade */
    for (int32_t other = rcity_plan_walk_next(&walk); other >= 0 && work->touching_roof < roof;
         other = rcity_plan_walk_next(&walk)) {
        rcity_plan_box other_box = prism_box(shapes, other);
        if (other != own && rcity_plan_boxes_meet(box, other_box) && rcity_plan_walk_is_first(&walk, other_box)) {
            RCITY_TRY(collect_covers(work, own, other, p, q));
        }
    }
    int64_t facades_before = shapes->facade_count;
    bool is_outer = false;
    RCITY_TRY(cut_edge(work, own, edge, p, q, &is_outer));
    int32_t wall = point_wall[edge];
    work->wall_is_outer[wall] = work->wall_is_outer[wall] || is_outer;
    work->wall_is_exposed[wall] = work->wall_is_exposed[wall] || shapes->facade_count > facades_before;
    return RCITY_OK;
}

/* Do all corners of one footprint lie in or on another? */
static bool lies_within(const rcity_shapes *shapes, const rcity_prism *inner, const rcity_prism *outer)
{
    if (inner->x_min < outer->x_min || inner->y_min < outer->y_min || inner->x_max > outer->x_max ||
        inner->y_max > outer->y_max) {
        return false;
    }
    for (int32_t point = shapes->ring_first[inner->first_ring]; point < shapes->ring_first[inner->first_ring + 1];
         point++) {
        if (rcity_prism_locate(shapes, outer, shapes->points[point]) == RCITY_PLACE_OUTSIDE) {
            return false;
        }
    }
    return true;
}

static bool is_nested(const facade_work *work, int32_t own)
{
    const rcity_shapes *shapes = work->shapes;
    const rcity_prism *prism = &shapes->prisms[own];
    double area2 = rcity_prism_area2(shapes, prism);
    rcity_plan_box box = prism_box(shapes, own);
    rcity_plan_walk walk;
    rcity_plan_walk_init(work->prism_index, box, &walk);
    for (int32_t other = rcity_plan_walk_next(&walk); other >= 0; other = rcity_plan_walk_next(&walk)) {
        const rcity_prism *outer = &shapes->prisms[other];
        if (other == own || !rcity_plan_walk_is_first(&walk, prism_box(shapes, other)) ||
            !lies_within(shapes, prism, outer)) {
            continue;
        }
        double outer_area2 = rcity_prism_area2(shapes, outer);
        if (outer_area2 > area2 || (outer_area2 == area2 && other < own)) {
            return true;
        }
    }
    return false;
}

rcity_status rcity_facades_build(rcity_context *context, const rcity_plan_index *prism_index, const int32_t *point_wall,
                                 rcity_shapes *shapes)
{
    facade_work work;
    memset(&work, 0, sizeof work);
    work.context = context;
    work.prism_index = prism_index;
    work.shapes = shapes;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)shapes->wall_count, 1, "facades", &work.wall_is_outer));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)shapes->wall_count, 1, "facades", &work.wall_is_exposed));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)shapes->point_count, 1, "facades", &work.is_void));
    for (int32_t own = 0; own < shapes->prism_count; own++) {
        const rcity_prism *prism = &shapes->prisms[own];
        RCITY_TRY_DONE(mark_void_edges(&work, prism));
        if (own % 1024 == 0) {
            RCITY_TRY_DONE(rcity_progress(context, "facades", (double)own, (double)shapes->prism_count));
        }
        for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
            for (int32_t edge = shapes->ring_first[ring]; edge < shapes->ring_first[ring + 1]; edge++) {
                RCITY_TRY_DONE(build_edge(&work, own, ring, edge, point_wall));
            }
        }
        shapes->nested_building_count += is_nested(&work, own);
    }
    for (int64_t wall = 0; wall < shapes->wall_count; wall++) {
        shapes->outer_wall_count += work.wall_is_outer[wall];
        shapes->exposed_wall_count += work.wall_is_exposed[wall];
    }
    status = rcity_progress(context, "facades", (double)shapes->prism_count, (double)shapes->prism_count);
done:
    rcity_release(context, work.ends);
    rcity_release(context, work.is_void);
    rcity_release(context, work.wall_is_exposed);
    rcity_release(context, work.wall_is_outer);
    rcity_release(context, work.cuts);
    rcity_release(context, work.covers);
    rcity_release(context, work.right);
    rcity_release(context, work.left);
    return status;
}
