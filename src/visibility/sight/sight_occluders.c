/* A prism's widest diagonals, each wholly inside of it. Prisms that touch themselves have none, and no walls either. */
#include "visibility/sight/sight_occluders.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"

/* Outlines with more points have walls only: the time for diagonals grows with the cube of the points. */
#define DIAGONAL_POINTS_MAX 48

/* A prism while its occluders are chosen. */
typedef struct occluder_work {
    const rcity_shapes *shapes;
    const rcity_prism *prism;
    rcity_sight_occluder *wide;                                /* by direction of lines */
    double across[RCITY_SIGHT_WAY_COUNT];                      /* how wide they are across it */
    double x[RCITY_SIGHT_WAY_COUNT], y[RCITY_SIGHT_WAY_COUNT]; /* the directions */
} occluder_work;

static rcity_sight_occluder occluder_over(const rcity_prism *prism, rcity_grid_point p, rcity_grid_point q)
{
    return (rcity_sight_occluder){p.x, p.y, q.x, q.y, prism->roof};
}

/* Does the segment p - q start into the solid at p, which lies between two neighbours? */
static bool starts_inside(rcity_grid_point before, rcity_grid_point p, rcity_grid_point next, rcity_grid_point q)
{
    if (rcity_orient(before, p, next) >= 0) {
        return rcity_orient(p, q, before) > 0 && rcity_orient(q, p, next) > 0;
    }
    return rcity_orient(p, q, next) < 0 || rcity_orient(q, p, before) < 0;
}

/* Is a point on the segment p - q? */
static bool is_on(rcity_grid_point p, rcity_grid_point q, rcity_grid_point point)
{
    int64_t past_p = ((int64_t)point.x - p.x) * ((int64_t)q.x - p.x) + ((int64_t)point.y - p.y) * ((int64_t)q.y - p.y);
    int64_t past_q = ((int64_t)point.x - q.x) * ((int64_t)p.x - q.x) + ((int64_t)point.y - q.y) * ((int64_t)p.y - q.y);
    return rcity_orient(p, q, point) == 0 && past_p >= 0 && past_q >= 0;
}

/* Do two segments cross between their ends? */
static bool crosses(rcity_grid_point p, rcity_grid_point q, rcity_grid_point r, rcity_grid_point s)
{
    int64_t r_side = rcity_orient(p, q, r);
    int64_t s_side = rcity_orient(p, q, s);
    int64_t p_side = rcity_orient(r, s, p);
    int64_t q_side = rcity_orient(r, s, q);
    return ((r_side > 0 && s_side < 0) || (r_side < 0 && s_side > 0)) &&
           ((p_side > 0 && q_side < 0) || (p_side < 0 && q_side > 0));
}

/* Is the diagonal from point i of the outline to point j inside of the prism, and clear of its other points? */
static bool is_inside(const occluder_work *work, int32_t i, int32_t j)
{
    const rcity_grid_point *points = work->shapes->points;
    const int32_t *ring_first = work->shapes->ring_first;
    int32_t ring = work->prism->first_ring;
    int32_t begin = ring_first[ring];
    int32_t end = ring_first[ring + 1];
    rcity_grid_point p = points[i];
    rcity_grid_point q = points[j];
    if (!starts_inside(points[i > begin ? i - 1 : end - 1], p, points[i + 1 < end ? i + 1 : begin], q)) {
        return false;
    }
    for (; ring < work->prism->first_ring + work->prism->ring_count; ring++) {
        for (int32_t k = ring_first[ring]; k < ring_first[ring + 1]; k++) {
            rcity_grid_point next = points[rcity_ring_next(ring_first, ring, k)];
            if ((k != i && k != j && is_on(p, q, points[k])) || crosses(p, q, points[k], next)) {
                return false;
            }
        }
    }
    return true;
}

/* Take a wall or a diagonal for the directions that it is widest across. */
static void consider(occluder_work *work, int32_t i, int32_t j, bool is_wall)
{
    rcity_grid_point p = work->shapes->points[i];
    rcity_grid_point q = work->shapes->points[j];
    bool is_known = is_wall;
    for (int way = 0; way < RCITY_SIGHT_WAY_COUNT; way++) {
        double across = fabs(work->x[way] * ((double)q.y - p.y) - work->y[way] * ((double)q.x - p.x));
        if (across <= work->across[way]) {
            continue;
        }
        if (!is_known && !is_inside(work, i, j)) {
            return;
        }
        is_known = true;
        work->across[way] = across;
        work->wide[way] = occluder_over(work->prism, p, q);
    }
}

static bool touches_itself(const rcity_sight *sight, int32_t prism, int32_t begin, int32_t end)
{
    bool is_knotted = sight->is_tangled[prism];
    for (int32_t point = begin; point < end && !is_knotted; point++) {
        is_knotted = rcity_sight_is_knot(sight, point);
    }
    return is_knotted;
}

static void choose(const rcity_sight *sight, int32_t prism, rcity_sight_occluders *occluders)
{
    occluder_work work = {.shapes = sight->shapes, .prism = &sight->shapes->prisms[prism]};
    const int32_t *ring_first = work.shapes->ring_first;
    int32_t ring_end = work.prism->first_ring + work.prism->ring_count;
    work.wide = occluders->items + (size_t)prism * RCITY_SIGHT_WAY_COUNT;
    if (touches_itself(sight, prism, ring_first[work.prism->first_ring], ring_first[ring_end])) {
        return;
    }
    for (int way = 0; way < RCITY_SIGHT_WAY_COUNT; way++) {
        double angle_rad = (way + 0.5) * (double)RCITY_PI / RCITY_SIGHT_WAY_COUNT;
        work.x[way] = cos(angle_rad);
        work.y[way] = sin(angle_rad);
    }
    for (int32_t ring = work.prism->first_ring; ring < ring_end; ring++) {
        for (int32_t wall = ring_first[ring]; wall < ring_first[ring + 1]; wall++) {
            int32_t next = rcity_ring_next(ring_first, ring, wall);
            occluders->items[occluders->wall_first + wall] =
                occluder_over(work.prism, work.shapes->points[wall], work.shapes->points[next]);
            consider(&work, wall, next, true);
        }
    }
    int32_t begin = ring_first[work.prism->first_ring];
    int32_t end = ring_first[work.prism->first_ring + 1];
    for (int32_t i = begin; i < end && end - begin <= DIAGONAL_POINTS_MAX; i++) {
        for (int32_t j = i + 2; j < end; j++) {
            consider(&work, i, j, false);
        }
    }
}

typedef struct choice_work {
    const rcity_sight *sight;
    rcity_sight_occluders *occluders;
} choice_work;

/* An rcity_parallel_function. */
static void choose_all(void *user, int64_t begin, int64_t end, int thread_index)
{
    const choice_work *work = user;
    (void)thread_index;
    for (int64_t prism = begin; prism < end; prism++) {
        choose(work->sight, (int32_t)prism, work->occluders);
    }
}

rcity_status rcity_sight_occluders_init(rcity_context *context, const rcity_sight *sight,
                                        rcity_sight_occluders *occluders)
{
    const rcity_shapes *shapes = sight->shapes;
    int64_t wall_first = shapes->prism_count * RCITY_SIGHT_WAY_COUNT;
    rcity_sight_occluder *items = NULL;
    RCITY_TRY(rcity_alloc(context, (size_t)(wall_first + shapes->point_count), sizeof *items, "occluders", &items));
    occluders->items = items;
    occluders->wall_first = (int32_t)wall_first;
    occluders->count = (int32_t)(wall_first + shapes->point_count);
    choice_work work = {sight, occluders};
    rcity_parallel(context, shapes->prism_count, 64, choose_all, &work);
    return RCITY_OK;
}

void rcity_sight_occluders_deinit(rcity_context *context, rcity_sight_occluders *occluders)
{
    rcity_release(context, occluders->items);
    memset(occluders, 0, sizeof *occluders);
}
