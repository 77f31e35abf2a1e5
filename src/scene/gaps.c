/* Closing small gaps in three steps: corner to corner, corner to wall, then each prism is rebuilt and checked. */
#include "scene/gaps.h"

#include <math.h>
#include <string.h>

#include "scene/plan_index.h"

typedef struct gap_work {
    rcity_context *context;
    const rcity_outline *outline;
    int32_t *point_prism;
    int32_t *point_next;      /* next point of the ring */
    rcity_grid_point *moved;  /* where each corner goes */
    bool *is_settled;         /* corners that already lie on another prism, or were moved */
    rcity_ring_pairs inserts; /* corners that walls receive */
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
    for (size_t ring = 0; ring < rings->outline.ring_count; ring++) {
        for (int32_t point = rings->outline.ring_first[ring]; point < rings->outline.ring_first[ring + 1]; point++) {
            work->point_prism[point] = rings->ring_prism[ring];
            work->point_next[point] = rcity_ring_next(rings->outline.ring_first, (int32_t)ring, point);
            work->moved[point] = rings->outline.points[point].at;
        }
    }
    return rcity_plan_index_build(context, (int32_t)count, edge_box, work, &work->index);
}

static void gap_work_deinit(gap_work *work)
{
    rcity_plan_index_deinit(work->context, &work->index);
    rcity_ring_pairs_deinit(work->context, &work->inserts);
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

/* Step 1: settle a corner that shares its place with a corner of another prism or lies exactly on its wall; else move
   it to the nearest corner of an earlier prism, unless that one has moved itself. Ties go to the lower index. */
static void join_corner(gap_work *work, int32_t point)
{
    rcity_grid_point at = work->outline->points[point].at;
    int64_t best2 = (int64_t)work->reach * work->reach;
    int32_t best = -1;
    rcity_plan_walk walk = walk_around(work, at);
    for (int32_t edge = rcity_plan_walk_next(&walk); edge >= 0; edge = rcity_plan_walk_next(&walk)) {
        if (work->point_prism[edge] == work->point_prism[point]) {
            continue;
        }
        rcity_grid_point p = work->outline->points[edge].at;
        rcity_grid_point q = work->outline->points[work->point_next[edge]].at;
        if (rcity_grid_point_equal(p, at) || (rcity_orient(p, q, at) == 0 && rcity_strictly_between(p, q, at))) {
            work->is_settled[point] = true;
            return;
        }
        int64_t d2 = distance2(p, at);
        bool is_leader =
            work->point_prism[edge] < work->point_prism[point] && rcity_grid_point_equal(work->moved[edge], p);
        if (is_leader && (d2 < best2 || (d2 == best2 && best >= 0 && edge < best))) {
            best2 = d2;
            best = edge;
        }
    }
    if (best >= 0) {
        work->moved[point] = work->outline->points[best].at;
        work->is_settled[point] = true;
        work->is_settled[best] = true;
    }
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

/* Step 2: move a corner onto the nearest wall of another prism. */
static rcity_status join_wall(gap_work *work, int32_t point)
{
    rcity_grid_point at = work->outline->points[point].at;
    double best = work->reach;
    int32_t best_edge = -1;
    rcity_grid_point best_place = at;
    rcity_plan_walk walk = walk_around(work, at);
    for (int32_t edge = rcity_plan_walk_next(&walk); edge >= 0; edge = rcity_plan_walk_next(&walk)) {
        if (work->point_prism[edge] == work->point_prism[point]) {
            continue;
        }
        rcity_grid_point p = work->outline->points[edge].at;
        rcity_grid_point q = work->outline->points[work->point_next[edge]].at;
        double distance;
        rcity_grid_point place;
        if (project(p, q, at, work->reach, &distance, &place) &&
            (distance < best || (distance == best && best_edge >= 0 && edge < best_edge))) {
            best = distance;
            best_edge = edge;
            best_place = place;
        }
    }
    if (best_edge < 0) {
        return RCITY_OK;
    }
    work->moved[point] = best_place;
    return rcity_ring_pairs_add_insert(work->context, &work->inserts, best_edge, work->outline->points[best_edge].at,
                                       work->outline->points[work->point_next[best_edge]].at, best_place);
}

/* How much of the change a prism takes; each level takes less. */
enum { TAKE_ALL, TAKE_INSERTS, TAKE_NOTHING, LEVEL_COUNT };

/* One ring with its corners moved and its walls' new corners put in. */
static rcity_status rebuild_ring(rcity_ring_cleaner *cleaner, const gap_work *work, size_t ring, int level,
                                 size_t *next_insert, rcity_outline *rebuilt)
{
    const rcity_outline *outline = work->outline;
    size_t made = 0;
    for (int32_t point = outline->ring_first[ring]; point < outline->ring_first[ring + 1]; point++) {
        size_t insert_end = *next_insert;
        while (insert_end < work->inserts.insert_count && work->inserts.inserts[insert_end].edge == point) {
            insert_end++;
        }
        RCITY_TRY(rcity_reserve(work->context, made + 1 + (insert_end - *next_insert), sizeof *cleaner->ring,
                                &cleaner->ring_capacity, "closing gaps", &cleaner->ring));
        rcity_outline_point corner = outline->points[point];
        corner.at = level == TAKE_ALL ? work->moved[point] : corner.at;
        cleaner->ring[made++] = corner;
        for (; *next_insert < insert_end; (*next_insert)++) {
            if (level != TAKE_NOTHING) {
                rcity_outline_point inserted = {work->inserts.inserts[*next_insert].at, corner.wall};
                cleaner->ring[made++] = inserted;
            }
        }
    }
    int64_t unused[2] = {0, 0}; /* corners that meet were one corner in truth: no repair of its own */
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

/* Step 3, for the rings of one prism: take as much of the change as leaves it sound, and append it to `all`. */
static rcity_status rebuild_prism(rcity_ring_cleaner *cleaner, const gap_work *work, size_t ring_begin, size_t ring_end,
                                  size_t *next_insert, rcity_outline *rebuilt, rcity_outline *all)
{
    int64_t move_count = count_moves(work, ring_begin, ring_end);
    size_t first_insert = *next_insert;
    for (int level = TAKE_ALL; level < LEVEL_COUNT; level++) {
        *next_insert = first_insert;
        rcity_outline_clear(rebuilt);
        for (size_t ring = ring_begin; ring < ring_end; ring++) {
            RCITY_TRY(rebuild_ring(cleaner, work, ring, level, next_insert, rebuilt));
        }
        bool is_changed = move_count > 0 || *next_insert > first_insert;
        bool is_simple = true;
        if (is_changed && level != TAKE_NOTHING) {
            RCITY_TRY(rcity_rings_are_simple(cleaner, rebuilt, &is_simple));
            is_simple = is_simple && keeps_orientation(work->outline, ring_begin, rebuilt);
        }
        if (is_simple) {
            cleaner->repair_count[RCITY_REPAIR_CLOSED_GAPS] += level == TAKE_ALL ? move_count : 0;
            cleaner->repair_count[RCITY_REPAIR_KEPT_GAPS] += level != TAKE_ALL;
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
        size_t ring_end = ring + 1;
        while (ring_end < work->outline->ring_count && ring_prism[ring_end] == ring_prism[ring]) {
            ring_end++;
        }
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
        join_corner(&work, point);
    }
    for (int32_t point = 0; point < count; point++) {
        if (!work.is_settled[point]) {
            RCITY_TRY_DONE(join_wall(&work, point));
        }
    }
    rcity_ring_pairs_sort_inserts(&work.inserts);
    RCITY_TRY_DONE(rebuild_all(cleaner, &work, rings->ring_prism, &all));
    rcity_outline swap = rings->outline;
    rings->outline = all;
    all = swap;
done:
    gap_work_deinit(&work);
    rcity_outline_deinit(cleaner->context, &all);
    return status;
}
