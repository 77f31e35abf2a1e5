/* Exact integer geometry. Plan coordinates stay below 2^23 in size, heights below 2^21, so every product here fits well
   into the 128-bit integer. */
#ifndef RCITY_SCENE_EXACT_H
#define RCITY_SCENE_EXACT_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/shape/plan_index.h"
#include "scene/shapes.h"

__extension__ typedef __int128 rcity_i128;

/* Largest plan coordinate that predicates take, in units. */
#define RCITY_PLAN_LIMIT (1 << 23)

/* A fraction with a positive denominator. */
typedef struct rcity_ratio {
    int64_t num, den;
} rcity_ratio;

/* Twice the signed area of triangle a, b, c: positive when c lies to the left of a -> b. */
static inline int64_t rcity_orient(rcity_grid_point a, rcity_grid_point b, rcity_grid_point c)
{
    return ((int64_t)b.x - a.x) * ((int64_t)c.y - a.y) - ((int64_t)b.y - a.y) * ((int64_t)c.x - a.x);
}

static inline bool rcity_grid_point_equal(rcity_grid_point a, rcity_grid_point b)
{
    return a.x == b.x && a.y == b.y;
}

/* The box around an edge. */
static inline rcity_plan_box rcity_edge_box(rcity_grid_point p, rcity_grid_point q)
{
    rcity_plan_box box = {p.x < q.x ? p.x : q.x, p.y < q.y ? p.y : q.y, p.x < q.x ? q.x : p.x, p.y < q.y ? q.y : p.y};
    return box;
}

static inline rcity_ratio rcity_ratio_make(int64_t num, int64_t den)
{
    rcity_ratio ratio = {den < 0 ? -num : num, den < 0 ? -den : den};
    return ratio;
}

/* Negative, zero or positive as a is less than, equal to or greater than b. */
static inline int rcity_ratio_compare(rcity_ratio a, rcity_ratio b)
{
    rcity_i128 left = (rcity_i128)a.num * b.den;
    rcity_i128 right = (rcity_i128)b.num * a.den;
    return (left > right) - (left < right);
}

static inline rcity_ratio rcity_ratio_max(rcity_ratio a, rcity_ratio b)
{
    return rcity_ratio_compare(a, b) >= 0 ? a : b;
}

static inline rcity_ratio rcity_ratio_min(rcity_ratio a, rcity_ratio b)
{
    return rcity_ratio_compare(a, b) <= 0 ? a : b;
}

static inline double rcity_ratio_value(rcity_ratio ratio)
{
    return (double)ratio.num / (double)ratio.den;
}

/* Does point p, known to be on the line through a and b, lie strictly between them? */
static inline bool rcity_strictly_between(rcity_grid_point a, rcity_grid_point b, rcity_grid_point p)
{
    int64_t dx = (int64_t)b.x - a.x;
    int64_t dy = (int64_t)b.y - a.y;
    int64_t along = ((int64_t)p.x - a.x) * dx + ((int64_t)p.y - a.y) * dy;
    return along > 0 && along < dx * dx + dy * dy;
}

#endif
