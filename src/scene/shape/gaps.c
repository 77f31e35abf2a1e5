/* Closing small gaps in three steps: corner to corner, corner to wall, then each prism is rebuilt and checked. Corners
   of several prisms at one place move together, led by the lowest of them, so that prisms that touch keep touching. */
#include "scene/shape/gaps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/shape/plan_index.h"
#include "scene/shape/prism.h"

typedef struct gap_work {
    rcity_context *context;
    const rcity_outline *outline;
    int32_t *point_prism;
    int32_t *point_next;      /* next point of the ring */
    rcity_grid_point *moved;  /* where each corner goes */
    int32_t *leader;          /* lowest corner at the same place; itself where it is the only one */
    int32_t *next_same;       /* next corner at the same place, or -1 */
    int32_t *prism_first;     /* first point of each prism, and the end */
    bool *is_settled;         /* leaders that already lie on another prism, or were moved */
    rcity_ring_pairs inserts; /* corners that walls receive */
    rcity_ring_pairs pins;    /* corners that lie on walls already: a wall that changes direction must keep them */
    bool *is_bent;            /* walls that are no longer straight between their old ends */
    rcity_plan_index index;   /* of edges */
    int32_t reach;
} gap_work;

static rcity_plan_box edge_box(const void *user, int32_t edge)
{
    const gap_work *work = user;
    rcity_grid_point p = work->outline->points[edge].at;
    rcity_grid_point q = work->outline->points[work->point_next[edge]].at;
    return rcity_edge_box(p, q);
}

/* A corner and its place, for sorting. */
typedef struct placed_point {
    rcity_grid_point at;
    int32_t point;
} placed_point;

static int compare_places(const void *left, const void *right)
{
    const placed_point *a = left;
    const placed_point *b = right;
    if (a->at.x != b->at.x) {
        return a->at.x < b->at.x ? -1 : 1;
    }
    if (a->at.y != b->at.y) {
        return a->at.y < b->at.y ? -1 : 1;
    }
    return (a->point > b->point) - (a->point < b->point);
}

/* Find which corners share a place. */
static rcity_status find_leaders(gap_work *work)
{
    size_t count = work->outline->point_count;
    placed_point *sorted = NULL;
    RCITY_TRY(rcity_alloc(work->context, count, sizeof *sorted, "closing gaps", &sorted));
    for (size_t i = 0; i < count; i++) {
        sorted[i].at = work->outline->points[i].at;
        sorted[i].point = (int32_t)i;
    }
    qsort(sorted, count, sizeof *sorted, compare_places);
    for (size_t i = 0; i < count; i++) {
        bool is_same = i > 0 && rcity_grid_point_equal(sorted[i - 1].at, sorted[i].at);
        work->leader[sorted[i].point] = is_same ? work->leader[sorted[i - 1].point] : sorted[i].point;
        work->next_same[sorted[i].point] = -1;
        if (is_same) {
            work->next_same[sorted[i - 1].point] = sorted[i].point;
        }
    }
    rcity_release(work->context, sorted);
    return RCITY_OK;
}

static rcity_status gap_work_init(rcity_context *context, const rcity_prism_rings *rings, int32_t reach, gap_work *work)
{
    memset(work, 0, sizeof *work);
    work->context = context;
    work->outline = &rings->outline;
    work->reach = reach;
    size_t count = rings->outline.point_count;
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->point_prism, "closing gaps", &work->point_prism));
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->point_next, "closing gaps", &work->point_next));
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->moved, "closing gaps", &work->moved));
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->is_settled, "closing gaps", &work->is_settled));
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->is_bent, "closing gaps", &work->is_bent));
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->leader, "closing gaps", &work->leader));
    RCITY_TRY(rcity_alloc(context, count, sizeof *work->next_same, "closing gaps", &work->next_same));
    size_t prism_count = (size_t)rings->ring_prism[rings->outline.ring_count - 1] + 1;
    RCITY_TRY(rcity_alloc(context, prism_count + 1, sizeof *work->prism_first, "closing gaps", &work->prism_first));
    for (size_t ring = rings->outline.ring_count; ring > 0; ring--) {
        work->prism_first[rings->ring_prism[ring - 1]] = rings->outline.ring_first[ring - 1];
    }
    work->prism_first[prism_count] = (int32_t)count;
    for (size_t ring = 0; ring < rings->outline.ring_count; ring++) {
        for (int32_t point = rings->outline.ring_first[ring]; point < rings->outline.ring_first[ring + 1]; point++) {
            work->point_prism[point] = rings->ring_prism[ring];
            work->point_next[point] = rcity_ring_next(rings->outline.ring_first, (int32_t)ring, point);
            work->moved[point] = rings->outline.points[point].at;
        }
    }
    RCITY_TRY(find_leaders(work));
    return rcity_plan_index_build(context, (int32_t)count, edge_box, work, &work->index);
}

static void gap_work_deinit(gap_work *work)
{
    rcity_release(work->context, work->prism_first);
    rcity_release(work->context, work->next_same);
    rcity_release(work->context, work->leader);
    rcity_plan_index_deinit(work->context, &work->index);
    rcity_ring_pairs_deinit(work->context, &work->inserts);
    rcity_ring_pairs_deinit(work->context, &work->pins);
    rcity_release(work->context, work->is_bent);
    rcity_release(work->context, work->is_settled);
    rcity_release(work->context, work->moved);
    rcity_release(work->context, work->point_next);
    rcity_release(work->context, work->point_prism);
}

static int64_t distance2(rcity_grid_point a, rcity_grid_point b)
{
    int64_t dx = (int64_t)b.x - a.x;
    int64_t dy = (int64_t)b.y - a.y;
    return dx * dx + dy * dy;
}

static rcity_plan_walk walk_around(const gap_work *work, rcity_grid_point at)
{
    rcity_plan_box box = {at.x - work->reach, at.y - work->reach, at.x + work->reach, at.y + work->reach};
    rcity_plan_walk walk;
    rcity_plan_walk_init(&work->index, box, &walk);
    return walk;
}

/* Does the prism's outline contain the corner, its border excluded? A corner inside has no gap to close. */
static bool is_inside(const gap_work *work, int32_t prism, rcity_grid_point at)
{
    bool is_covered = false;
    for (int32_t edge = work->prism_first[prism]; edge < work->prism_first[prism + 1]; edge++) {
        rcity_grid_point p = work->outline->points[edge].at;
        rcity_grid_point q = work->outline->points[work->point_next[edge]].at;
        if (rcity_edge_crosses_level(p, q, at.y) && rcity_edge_is_west(p, q, at)) {
            is_covered = !is_covered;
        }
    }
    return is_covered;
}

/* Has a prism a corner among those that share the place of `leader`? */
static bool is_member(const gap_work *work, int32_t leader, int32_t prism)
{
    for (int32_t point = leader; point >= 0; point = work->next_same[point]) {
        if (work->point_prism[point] == prism) {
            return true;
        }
    }
    return false;
}

/* Step 1, for the leader of the corners that share a place: they stay when they lie exactly on a wall; else they move
   to the nearest corner of another prism whose leader comes before and has not moved itself. Ties go to the lower
   index. */
static rcity_status join_corner(gap_work *work, int32_t point)
{
    rcity_grid_point at = work->outline->points[point].at;
    int64_t best2 = (int64_t)work->reach * work->reach;
    int32_t best = -1;
    rcity_plan_walk walk = walk_around(work, at);
    for (int32_t edge = rcity_plan_walk_next(&walk); edge >= 0; edge = rcity_plan_walk_next(&walk)) {
        if (is_member(work, point, work->point_prism[edge])) {
            continue;
        }
        rcity_grid_point p = work->outline->points[edge].at;
        rcity_grid_point q = work->outline->points[work->point_next[edge]].at;
        if (rcity_orient(p, q, at) == 0 && rcity_strictly_between(p, q, at)) {
            work->is_settled[point] = true;
            RCITY_TRY(rcity_ring_pairs_add_insert(work->context, &work->pins, edge, p, q, at));
        }
        int32_t leader = work->leader[edge];
        int64_t d2 = distance2(p, at);
        bool can_lead = leader < point && rcity_grid_point_equal(work->moved[leader], p);
        if (can_lead && (d2 < best2 || (d2 == best2 && best >= 0 && leader < best)) &&
            !is_inside(work, work->point_prism[edge], at)) {
            best2 = d2;
            best = leader;
        }
    }
    if (best >= 0 && !work->is_settled[point]) {
        work->moved[point] = work->outline->points[best].at;
        work->is_settled[point] = true;
        work->is_settled[best] = true;
    }
    return RCITY_OK;
}

/* The nearest place on the edge p to q, when it lies between the ends and within reach. */
static bool project(rcity_grid_point p, rcity_grid_point q, rcity_grid_point at, double reach, double *distance,
                    rcity_grid_point *place)
{
    double dx = (double)q.x - p.x;
    double dy = (double)q.y - p.y;
    double length2 = dx * dx + dy * dy;
    double t = (((double)at.x - p.x) * dx + ((double)at.y - p.y) * dy) / length2;
    if (!(t > 0.0 && t < 1.0)) {
        return false;
    }
    double x = p.x + t * dx;
    double y = p.y + t * dy;
    *distance = hypot(x - at.x, y - at.y);
    place->x = (int32_t)lround(x);
    place->y = (int32_t)lround(y);
    return *distance < reach;
}

/* Step 2, for a leader: move the corners onto the nearest wall of another prism. */
static rcity_status join_wall(gap_work *work, int32_t point)
{
    rcity_grid_point at = work->outline->points[point].at;
    double best = work->reach;
    int32_t best_edge = -1;
    rcity_grid_point best_place = at;
    rcity_plan_walk walk = walk_around(work, at);
    for (int32_t edge = rcity_plan_walk_next(&walk); edge >= 0; edge = rcity_plan_walk_next(&walk)) {
        if (is_member(work, point, work->point_prism[edge])) {
            continue;
        }
        rcity_grid_point p = work->outline->points[edge].at;
        rcity_grid_point q = work->outline->points[work->point_next[edge]].at;
        double distance;
        rcity_grid_point place;
        if (project(p, q, at, work->reach, &distance, &place) &&
            (distance < best || (distance == best && best_edge >= 0 && edge < best_edge)) &&
            !is_inside(work, work->point_prism[edge], at)) {
            best = distance;
            best_edge = edge;
            best_place = place;
        }
    }
    if (best_edge < 0) {
        return RCITY_OK;
    }
    work->moved[point] = best_place;
    work->is_bent[best_edge] = true;
    return rcity_ring_pairs_add_insert(work->context, &work->inserts, best_edge, work->outline->points[best_edge].at,
                                       work->outline->points[work->point_next[best_edge]].at, best_place);
}

/* Corners go where their leader goes. */
static void follow_leaders(gap_work *work)
{
    for (size_t point = 0; point < work->outline->point_count; point++) {
        work->moved[point] = work->moved[work->leader[point]];
    }
}

/* Corners that lay on a wall keep it in its place; else closing one gap would open another. */
static rcity_status pin_walls(gap_work *work)
{
    for (size_t i = 0; i < work->pins.insert_count; i++) {
        int32_t edge = work->pins.inserts[i].edge;
        int32_t next = work->point_next[edge];
        rcity_grid_point p = work->outline->points[edge].at;
        rcity_grid_point q = work->outline->points[next].at;
        if (work->is_bent[edge] || !rcity_grid_point_equal(work->moved[edge], p) ||
            !rcity_grid_point_equal(work->moved[next], q)) {
            RCITY_TRY(rcity_ring_pairs_add_insert(work->context, &work->inserts, edge, p, q, work->pins.inserts[i].at));
        }
    }
    rcity_ring_pairs_sort_inserts(&work->inserts);
    return RCITY_OK;
}

/* How much of the change a prism takes; each level takes less. */
enum { TAKE_ALL, TAKE_INSERTS, TAKE_NOTHING, LEVEL_COUNT };

/* One ring with its corners moved and its walls' new corners put in. */
static rcity_status rebuild_ring(rcity_ring_cleaner *cleaner, const gap_work *work, size_t ring, int level,
                                 size_t *next_insert, rcity_outline *rebuilt)
{
    size_t made;
    RCITY_TRY(rcity_ring_weave(cleaner, work->outline, ring, level == TAKE_ALL ? work->moved : NULL, &work->inserts,
                               level != TAKE_NOTHING, next_insert, &made));
    int64_t unused[2] = {0, 0}; /* corners that meet are one corner in reality: this is no separate repair */
    made = rcity_ring_tidy(cleaner->ring, made, &unused[0], &unused[1]);
    return rcity_outline_add_ring(work->context, rebuilt, cleaner->ring, made);
}

static bool keeps_orientation(const rcity_outline *before, size_t first_ring, const rcity_outline *after)
{
    for (size_t ring = 0; ring < after->ring_count; ring++) {
        const int32_t *old = before->ring_first + first_ring + ring;
        int64_t old_area2 = rcity_ring_area2(before->points + old[0], (size_t)(old[1] - old[0]));
        const int32_t *made = after->ring_first + ring;
        int64_t new_area2 = rcity_ring_area2(after->points + made[0], (size_t)(made[1] - made[0]));
        if ((old_area2 > 0) != (new_area2 > 0)) {
            return false;
        }
    }
    return true;
}

static int64_t count_moves(const gap_work *work, size_t ring_begin, size_t ring_end)
{
    int64_t count = 0;
    const int32_t *first = work->outline->ring_first;
    for (int32_t point = first[ring_begin]; point < first[ring_end]; point++) {
        count += !rcity_grid_point_equal(work->moved[point], work->outline->points[point].at);
    }
    return count;
}

/* The rings of one prism at a level, and whether they are valid. An unchanged prism is. */
static rcity_status build_level(rcity_ring_cleaner *cleaner, const gap_work *work, size_t ring_begin, size_t ring_end,
                                int level, size_t *next_insert, rcity_outline *rebuilt, bool *is_sound)
{
    size_t first_insert = *next_insert;
    rcity_outline_clear(rebuilt);
    for (size_t ring = ring_begin; ring < ring_end; ring++) {
        RCITY_TRY(rebuild_ring(cleaner, work, ring, level, next_insert, rebuilt));
    }
    *is_sound = true;
    bool is_changed = *next_insert > first_insert || count_moves(work, ring_begin, ring_end) > 0;
    if (is_changed && level != TAKE_NOTHING) {
        RCITY_TRY(rcity_rings_are_simple(cleaner, rebuilt, is_sound));
        *is_sound = *is_sound && keeps_orientation(work->outline, ring_begin, rebuilt);
    }
    return RCITY_OK;
}

static size_t end_of_prism(const gap_work *work, const int32_t *ring_prism, size_t ring)
{
    size_t end = ring + 1;
    while (end < work->outline->ring_count && ring_prism[end] == ring_prism[ring]) {
        end++;
    }
    return end;
}

/* A prism that would become invalid keeps its corners, and so do all that share a place with one of them. That may make
   others invalid, so this repeats until none is. Every round holds corners that moved before, so it ends. */
static rcity_status hold_what_breaks(rcity_ring_cleaner *cleaner, gap_work *work, const int32_t *ring_prism)
{
    rcity_outline rebuilt = {0};
    rcity_status status = RCITY_OK;
    bool has_held = true;
    while (has_held) {
        has_held = false;
        size_t next_insert = 0;
        for (size_t ring = 0; ring < work->outline->ring_count;) {
            size_t ring_end = end_of_prism(work, ring_prism, ring);
            bool is_sound;
            RCITY_TRY_DONE(build_level(cleaner, work, ring, ring_end, TAKE_ALL, &next_insert, &rebuilt, &is_sound));
            if (!is_sound && count_moves(work, ring, ring_end) > 0) {
                const int32_t *first = work->outline->ring_first;
                for (int32_t point = first[ring]; point < first[ring_end]; point++) {
                    int32_t leader = work->leader[point];
                    work->moved[leader] = work->outline->points[leader].at;
                }
                cleaner->repair_count[RCITY_REPAIR_KEPT_GAPS]++;
                follow_leaders(work);
                has_held = true;
            }
            ring = ring_end;
        }
    }
done:
    rcity_outline_deinit(work->context, &rebuilt);
    return status;
}

/* Step 3, for the rings of one prism: take as much of the change as leaves it valid, and append it to `all`. */
static rcity_status rebuild_prism(rcity_ring_cleaner *cleaner, const gap_work *work, size_t ring_begin, size_t ring_end,
                                  size_t *next_insert, rcity_outline *rebuilt, rcity_outline *all)
{
    size_t first_insert = *next_insert;
    for (int level = TAKE_ALL; level < LEVEL_COUNT; level++) {
        bool is_sound;
        *next_insert = first_insert;
        RCITY_TRY(build_level(cleaner, work, ring_begin, ring_end, level, next_insert, rebuilt, &is_sound));
        if (is_sound) {
            int64_t move_count = level == TAKE_ALL ? count_moves(work, ring_begin, ring_end) : 0;
            cleaner->repair_count[RCITY_REPAIR_CLOSED_GAPS] += move_count;
            break;
        }
    }
    for (size_t ring = 0; ring < rebuilt->ring_count; ring++) {
        const int32_t *first = rebuilt->ring_first + ring;
        RCITY_TRY(
            rcity_outline_add_ring(work->context, all, rebuilt->points + first[0], (size_t)(first[1] - first[0])));
    }
    return RCITY_OK;
}

static rcity_status rebuild_all(rcity_ring_cleaner *cleaner, const gap_work *work, const int32_t *ring_prism,
                                rcity_outline *all)
{
    rcity_outline rebuilt = {0};
    rcity_status status = RCITY_OK;
    size_t next_insert = 0;
    size_t ring = 0;
    while (ring < work->outline->ring_count) {
        size_t ring_end = end_of_prism(work, ring_prism, ring);
        RCITY_TRY_DONE(rebuild_prism(cleaner, work, ring, ring_end, &next_insert, &rebuilt, all));
        ring = ring_end;
    }
done:
    rcity_outline_deinit(work->context, &rebuilt);
    return status;
}

rcity_status rcity_gaps_close(rcity_ring_cleaner *cleaner, rcity_prism_rings *rings, int32_t reach)
{
    if (reach <= 0 || rings->outline.point_count == 0) {
        return RCITY_OK;
    }
    gap_work work;
    rcity_outline all = {0};
    rcity_status status;
    int32_t count = (int32_t)rings->outline.point_count;
    RCITY_TRY_DONE(gap_work_init(cleaner->context, rings, reach, &work));
    for (int32_t point = 0; point < count; point++) {
        if (work.leader[point] == point) {
            RCITY_TRY_DONE(join_corner(&work, point));
        }
    }
    for (int32_t point = 0; point < count; point++) {
        if (work.leader[point] == point && !work.is_settled[point]) {
            RCITY_TRY_DONE(join_wall(&work, point));
        }
    }
    follow_leaders(&work);
    RCITY_TRY_DONE(pin_walls(&work));
    RCITY_TRY_DONE(hold_what_breaks(cleaner, &work, rings->ring_prism));
    RCITY_TRY_DONE(rebuild_all(cleaner, &work, rings->ring_prism, &all));
    rcity_outline swap = rings->outline;
    rings->outline = all;
    all = swap;
done:
    gap_work_deinit(&work);
    rcity_outline_deinit(cleaner->context, &all);
    return status;
}
