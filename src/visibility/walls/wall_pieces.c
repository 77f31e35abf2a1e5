/* Cutting walls. Along each wall it is known exactly, stretch by stretch, which prisms lie on its left and which on its
   right (rcity_side_cover()). A line across a stretch passes from under the highest roof of one side to under that of
   the other. Where walls run along each other, only one of them has the stretch: that of the first prism. */
#include "visibility/walls/wall_pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/shape/exact.h"
#include "scene/shape/facades.h"
#include "scene/shape/prism.h"
#include "visibility/sight/sight_data.h"

/* A stretch of a wall with a prism on one side. */
typedef struct wall_cover {
    rcity_span span;
    int32_t prism;
    rcity_side side;
} wall_cover;

/* One wall while it is cut. */
typedef struct cut_work {
    rcity_context *context;
    const rcity_shapes *shapes;
    const rcity_sight *sight;
    rcity_plan_index index;
    rcity_span *spans; /* of one prism */
    wall_cover *covers;
    size_t cover_count, cover_capacity;
    rcity_span *doubles; /* where an earlier wall of the same prism runs along this one */
    size_t double_count, double_capacity;
    rcity_ratio *touches; /* where corners of prisms lie on it */
    size_t touch_count, touch_capacity;
    rcity_ratio *cuts;
    size_t cut_capacity;
    rcity_wall_pieces *pieces;
} cut_work;

void rcity_wall_pieces_deinit(rcity_context *context, rcity_wall_pieces *pieces)
{
    rcity_release(context, pieces->ends);
    rcity_release(context, pieces->corners);
    rcity_release(context, pieces->pieces);
    memset(pieces, 0, sizeof *pieces);
}

static rcity_status add_cover(cut_work *work, rcity_span span, int32_t prism, rcity_side side)
{
    RCITY_TRY(rcity_reserve(work->context, work->cover_count + 1, sizeof *work->covers, &work->cover_capacity,
                            "pieces of walls", &work->covers));
    work->covers[work->cover_count++] = (wall_cover){span, prism, side};
    return RCITY_OK;
}

/* Where a point lies along a wall, as a fraction. */
static rcity_ratio place_along(rcity_grid_point p, rcity_grid_point q, rcity_grid_point at)
{
    return llabs((int64_t)q.x - p.x) >= llabs((int64_t)q.y - p.y)
               ? rcity_ratio_make((int64_t)at.x - p.x, (int64_t)q.x - p.x)
               : rcity_ratio_make((int64_t)at.y - p.y, (int64_t)q.y - p.y);
}

/* Corners of a prism on a wall. Pieces end there even if nothing else changes: a line through such a corner meets
   both. */
static rcity_status find_touches(cut_work *work, const rcity_prism *prism, rcity_grid_point p, rcity_grid_point q)
{
    const rcity_shapes *shapes = work->shapes;
    int32_t end = shapes->ring_first[prism->first_ring + prism->ring_count];
    for (int32_t i = shapes->ring_first[prism->first_ring]; i < end; i++) {
        rcity_grid_point at = shapes->points[i];
        if (rcity_orient(p, q, at) == 0 && rcity_strictly_between(p, q, at)) {
            RCITY_TRY(rcity_reserve(work->context, work->touch_count + 1, sizeof *work->touches, &work->touch_capacity,
                                    "pieces of walls", &work->touches));
            work->touches[work->touch_count++] = place_along(p, q, at);
        }
    }
    return RCITY_OK;
}

static rcity_status cover_by(cut_work *work, int32_t prism, rcity_grid_point p, rcity_grid_point q)
{
    for (int side = 0; side < 2; side++) {
        bool touches = false;
        int count =
            rcity_side_cover(work->shapes, &work->shapes->prisms[prism], p, q, (rcity_side)side, work->spans, &touches);
        for (int i = 0; i < count; i++) {
            RCITY_TRY(add_cover(work, work->spans[i], prism, (rcity_side)side));
        }
    }
    return find_touches(work, &work->shapes->prisms[prism], p, q);
}

/* The stretches that an earlier wall of the same prism has in common with this one. */
static rcity_status find_doubles(cut_work *work, const rcity_prism *prism, int32_t wall, rcity_grid_point p,
                                 rcity_grid_point q)
{
    const rcity_shapes *shapes = work->shapes;
    const rcity_ratio zero = {0, 1};
    const rcity_ratio one = {1, 1};
    for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
        for (int32_t other = shapes->ring_first[ring]; other < shapes->ring_first[ring + 1] && other < wall; other++) {
            rcity_grid_point r = shapes->points[other];
            rcity_grid_point s = shapes->points[rcity_ring_next(shapes->ring_first, ring, other)];
            if (rcity_orient(p, q, r) != 0 || rcity_orient(p, q, s) != 0) {
                continue;
            }
            rcity_ratio from = place_along(p, q, r);
            rcity_ratio to = place_along(p, q, s);
            rcity_span span = {rcity_ratio_max(zero, rcity_ratio_min(from, to)),
                               rcity_ratio_min(one, rcity_ratio_max(from, to))};
            if (rcity_ratio_compare(span.begin, span.end) < 0) {
                RCITY_TRY(rcity_reserve(work->context, work->double_count + 1, sizeof *work->doubles,
                                        &work->double_capacity, "pieces of walls", &work->doubles));
                work->doubles[work->double_count++] = span;
            }
        }
    }
    return RCITY_OK;
}

static bool holds(rcity_span span, rcity_ratio begin, rcity_ratio end)
{
    return rcity_ratio_compare(span.begin, begin) <= 0 && rcity_ratio_compare(span.end, end) >= 0;
}

/* The highest roofs on both sides of a stretch; where they are equal there is nothing to cross. */
typedef struct wall_opening {
    int32_t left, right;
} wall_opening;

/* For a stretch without a cut; empty when another wall has it. */
static wall_opening find_opening(const cut_work *work, int32_t own, rcity_ratio begin, rcity_ratio end)
{
    const wall_opening nothing = {0, 0};
    int32_t roof[2] = {INT32_MIN, INT32_MIN};
    int32_t owner = INT32_MAX; /* the first prism that lies on one side only */
    for (size_t i = 0; i < work->cover_count;) {
        int32_t prism = work->covers[i].prism;
        int32_t top = work->shapes->prisms[prism].roof;
        bool covers[2] = {false, false};
        for (; i < work->cover_count && work->covers[i].prism == prism; i++) {
            covers[work->covers[i].side] |= holds(work->covers[i].span, begin, end);
        }
        for (int side = 0; side < 2; side++) {
            roof[side] = covers[side] && top > roof[side] ? top : roof[side];
        }
        owner = covers[0] != covers[1] && prism < owner ? prism : owner;
    }
    for (size_t i = 0; i < work->double_count; i++) {
        if (holds(work->doubles[i], begin, end)) {
            return nothing;
        }
    }
    return owner == own ? (wall_opening){roof[RCITY_SIDE_LEFT], roof[RCITY_SIDE_RIGHT]} : nothing;
}

/* A place on a wall, rounded unless it is a corner. @return true when rounding moved it. */
static bool place_end(rcity_grid_point p, rcity_grid_point q, rcity_ratio at, double *x, double *y)
{
    double part = rcity_ratio_value(at);
    double exact_x = p.x + part * ((double)q.x - p.x);
    double exact_y = p.y + part * ((double)q.y - p.y);
    *x = floor(exact_x / RCITY_WALL_ROUNDING + 0.5) * RCITY_WALL_ROUNDING;
    *y = floor(exact_y / RCITY_WALL_ROUNDING + 0.5) * RCITY_WALL_ROUNDING;
    return at.num != 0 && at.num != at.den;
}

/* A stretch without an opening adds no piece. */
static rcity_status add_piece(cut_work *work, rcity_grid_point p, rcity_grid_point q, rcity_span span,
                              wall_opening opening)
{
    if (opening.left == opening.right) {
        return RCITY_OK;
    }
    rcity_wall_pieces *pieces = work->pieces;
    rcity_wall_piece piece = {.px = p.x, .py = p.y, .ex = q.x - p.x, .ey = q.y - p.y};
    bool is_begin_cut = place_end(p, q, span.begin, &piece.ax, &piece.ay);
    bool is_end_cut = place_end(p, q, span.end, &piece.bx, &piece.by);
    piece.is_cut = is_begin_cut || is_end_cut;
    piece.is_high_left = opening.left > opening.right;
    piece.low = piece.is_high_left ? opening.right : opening.left;
    piece.high = piece.is_high_left ? opening.left : opening.right;
    RCITY_TRY(rcity_reserve(work->context, pieces->piece_count + 1, sizeof piece, &pieces->piece_capacity,
                            "pieces of walls", &pieces->pieces));
    pieces->pieces[pieces->piece_count++] = piece;
    return RCITY_OK;
}

static int compare_cuts(const void *left, const void *right)
{
    return rcity_ratio_compare(*(const rcity_ratio *)left, *(const rcity_ratio *)right);
}

static rcity_status collect_cuts(cut_work *work, size_t *cut_count)
{
    size_t count = 0;
    RCITY_TRY(rcity_reserve(work->context, 2 * (work->cover_count + work->double_count) + work->touch_count + 2,
                            sizeof *work->cuts, &work->cut_capacity, "pieces of walls", &work->cuts));
    work->cuts[count++] = (rcity_ratio){0, 1};
    work->cuts[count++] = (rcity_ratio){1, 1};
    for (size_t i = 0; i < work->cover_count; i++) {
        work->cuts[count++] = work->covers[i].span.begin;
        work->cuts[count++] = work->covers[i].span.end;
    }
    for (size_t i = 0; i < work->double_count; i++) {
        work->cuts[count++] = work->doubles[i].begin;
        work->cuts[count++] = work->doubles[i].end;
    }
    for (size_t i = 0; i < work->touch_count; i++) {
        work->cuts[count++] = work->touches[i];
    }
    qsort(work->cuts, count, sizeof *work->cuts, compare_cuts);
    *cut_count = count;
    return RCITY_OK;
}

static bool is_touched(const cut_work *work, rcity_ratio at)
{
    for (size_t i = 0; i < work->touch_count; i++) {
        if (rcity_ratio_compare(work->touches[i], at) == 0) {
            return true;
        }
    }
    return false;
}

/* Consecutive stretches with the same opening are one piece, if no corner lies between them. */
static rcity_status cut_stretches(cut_work *work, int32_t own, rcity_grid_point p, rcity_grid_point q)
{
    size_t cut_count;
    RCITY_TRY(collect_cuts(work, &cut_count));
    rcity_span open = {{0, 1}, {0, 1}};
    wall_opening opening = {0, 0};
    for (size_t i = 0; i + 1 < cut_count; i++) {
        if (rcity_ratio_compare(work->cuts[i], work->cuts[i + 1]) >= 0) {
            continue;
        }
        wall_opening here = find_opening(work, own, work->cuts[i], work->cuts[i + 1]);
        if (here.left != opening.left || here.right != opening.right || is_touched(work, work->cuts[i])) {
            RCITY_TRY(add_piece(work, p, q, open, opening));
            open.begin = work->cuts[i];
            opening = here;
        }
        open.end = work->cuts[i + 1];
    }
    return add_piece(work, p, q, open, opening);
}

static rcity_status cut_wall(cut_work *work, int32_t own, int32_t wall, rcity_grid_point p, rcity_grid_point q)
{
    const rcity_shapes *shapes = work->shapes;
    const rcity_span whole = {{0, 1}, {1, 1}};
    rcity_plan_box box = rcity_edge_box(p, q);
    work->cover_count = 0;
    work->double_count = 0;
    work->touch_count = 0;
    if (work->sight->is_tangled[own]) {
        RCITY_TRY(cover_by(work, own, p, q));
        RCITY_TRY(find_doubles(work, &shapes->prisms[own], wall, p, q));
    } else {
        RCITY_TRY(add_cover(work, whole, own, RCITY_SIDE_LEFT));
        RCITY_TRY(find_touches(work, &shapes->prisms[own], p, q));
    }
    rcity_plan_walk walk;
    rcity_plan_walk_init(&work->index, box, &walk);
    for (int32_t other = rcity_plan_walk_next(&walk); other >= 0; other = rcity_plan_walk_next(&walk)) {
        const rcity_prism *prism = &shapes->prisms[other];
        rcity_plan_box other_box = {prism->x_min, prism->y_min, prism->x_max, prism->y_max};
        if (other != own && rcity_plan_boxes_meet(box, other_box) && rcity_plan_walk_is_first(&walk, other_box)) {
            RCITY_TRY(cover_by(work, other, p, q));
        }
    }
    return cut_stretches(work, own, p, q);
}

static rcity_status cut_walls(cut_work *work)
{
    const rcity_shapes *shapes = work->shapes;
    for (int32_t own = 0; own < shapes->prism_count; own++) {
        const rcity_prism *prism = &shapes->prisms[own];
        for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
            for (int32_t wall = shapes->ring_first[ring]; wall < shapes->ring_first[ring + 1]; wall++) {
                rcity_grid_point p = shapes->points[wall];
                rcity_grid_point q = shapes->points[rcity_ring_next(shapes->ring_first, ring, wall)];
                if (!rcity_grid_point_equal(p, q)) {
                    RCITY_TRY(cut_wall(work, own, wall, p, q));
                }
            }
        }
    }
    return RCITY_OK;
}

/* An end of a piece, to be assigned to its corner. */
typedef struct piece_end {
    double x, y;
    int32_t low, high, end;
    bool is_cut;
} piece_end;

static int compare_ends(const void *left, const void *right)
{
    const piece_end *a = left;
    const piece_end *b = right;
    if (a->x != b->x) {
        return a->x < b->x ? -1 : 1;
    }
    if (a->y != b->y) {
        return a->y < b->y ? -1 : 1;
    }
    return (a->end > b->end) - (a->end < b->end);
}

/* The next height above a given one at which a piece begins or ends. */
static int32_t next_height(const piece_end *ends, size_t count, int32_t height)
{
    int32_t next = INT32_MAX;
    for (size_t i = 0; i < count; i++) {
        next = ends[i].low > height && ends[i].low < next ? ends[i].low : next;
        next = ends[i].high > height && ends[i].high < next ? ends[i].high : next;
    }
    return next;
}

/* The corners at one place: one for each range of heights in which the same pieces end there. */
static rcity_status add_corners(rcity_context *context, const piece_end *ends, size_t count, rcity_wall_pieces *pieces)
{
    bool is_cut = false;
    int32_t low = INT32_MIN;
    for (size_t i = 0; i < count; i++) {
        is_cut = is_cut || ends[i].is_cut;
    }
    for (int32_t high = next_height(ends, count, low); high < INT32_MAX; high = next_height(ends, count, low)) {
        rcity_wall_corner corner = {ends[0].x, ends[0].y, low, high, (int32_t)pieces->end_count, is_cut};
        RCITY_TRY(rcity_reserve(context, pieces->end_count + count, sizeof *pieces->ends, &pieces->end_capacity,
                                "pieces of walls", &pieces->ends));
        for (size_t i = 0; i < count; i++) {
            if (ends[i].low <= low && ends[i].high >= high) {
                pieces->ends[pieces->end_count++] = ends[i].end;
            }
        }
        if (pieces->end_count > (size_t)corner.first) {
            RCITY_TRY(rcity_reserve(context, pieces->corner_count + 2, sizeof corner, &pieces->corner_capacity,
                                    "pieces of walls", &pieces->corners));
            pieces->corners[pieces->corner_count++] = corner;
            pieces->corners[pieces->corner_count].first = (int32_t)pieces->end_count;
        }
        low = high;
    }
    return RCITY_OK;
}

static rcity_status find_corners(rcity_context *context, rcity_wall_pieces *pieces)
{
    piece_end *ends = NULL;
    rcity_status status;
    size_t count = 2 * pieces->piece_count;
    RCITY_TRY(rcity_alloc(context, count + 1, sizeof *ends, "pieces of walls", &ends));
    for (size_t i = 0; i < count; i++) {
        const rcity_wall_piece *piece = &pieces->pieces[i / 2];
        bool is_end = i % 2 != 0;
        ends[i] = (piece_end){is_end ? piece->bx : piece->ax,
                              is_end ? piece->by : piece->ay,
                              piece->low,
                              piece->high,
                              (int32_t)i,
                              piece->is_cut};
    }
    qsort(ends, count, sizeof *ends, compare_ends);
    for (size_t begin = 0; begin < count;) {
        size_t end = begin + 1;
        while (end < count && ends[end].x == ends[begin].x && ends[end].y == ends[begin].y) {
            end++;
        }
        RCITY_TRY_DONE(add_corners(context, ends + begin, end - begin, pieces));
        begin = end;
    }
    status = RCITY_OK;
done:
    rcity_release(context, ends);
    return status;
}

rcity_status rcity_wall_pieces_init(rcity_context *context, const rcity_shapes *shapes, const rcity_sight *sight,
                                    rcity_wall_pieces *pieces)
{
    cut_work work = {.context = context, .shapes = shapes, .sight = sight, .pieces = pieces};
    size_t span_count = (size_t)rcity_shapes_largest_edge_count(shapes) / 2 + 1;
    memset(pieces, 0, sizeof *pieces);
    rcity_status status;
    RCITY_TRY_DONE(rcity_shapes_index_prisms(context, shapes, &work.index));
    RCITY_TRY_DONE(rcity_alloc(context, span_count, sizeof *work.spans, "pieces of walls", &work.spans));
    RCITY_TRY_DONE(cut_walls(&work));
    RCITY_TRY_DONE(find_corners(context, pieces));
done:
    rcity_release(context, work.cuts);
    rcity_release(context, work.touches);
    rcity_release(context, work.doubles);
    rcity_release(context, work.covers);
    rcity_release(context, work.spans);
    rcity_plan_index_deinit(context, &work.index);
    if (status != RCITY_OK) {
        rcity_wall_pieces_deinit(context, pieces);
    }
    return status;
}
