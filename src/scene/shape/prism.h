/* Points and prisms in plan. */
#ifndef RCITY_SCENE_PRISM_H
#define RCITY_SCENE_PRISM_H

#include "scene/shape/exact.h"

typedef enum rcity_place { RCITY_PLACE_OUTSIDE, RCITY_PLACE_ON_WALL, RCITY_PLACE_INSIDE } rcity_place;

/* Where a point lies relative to a prism's footprint, exactly. */
rcity_place rcity_prism_locate(const rcity_shapes *shapes, const rcity_prism *prism, rcity_grid_point at);

/* Does the footprint own the point? A point on a wall belongs to the side north or east of it, so that footprints that
   meet share no point and leave none out. */
bool rcity_prism_owns(const rcity_shapes *shapes, const rcity_prism *prism, rcity_grid_point at);

/* The same for any rings: ring r holds points ring_first[r] .. ring_first[r + 1] - 1. */
bool rcity_rings_own(const int32_t *ring_first, const rcity_grid_point *points, int32_t first_ring, int32_t ring_count,
                     rcity_grid_point at);

/* Twice the area within rings, without holes. */
double rcity_rings_area2(const int32_t *ring_first, const rcity_grid_point *points, int32_t first_ring,
                         int32_t ring_count);

/* Twice the area of the footprint, without holes, in plan units squared. */
double rcity_prism_area2(const rcity_shapes *shapes, const rcity_prism *prism);

/* The largest number of edges of a prism; 0 without prisms. */
int64_t rcity_shapes_largest_edge_count(const rcity_shapes *shapes);

/* Does the edge from p to q cross the line of constant `y`? Half-open, so that a corner counts once. */
static inline bool rcity_edge_crosses_level(rcity_grid_point p, rcity_grid_point q, int32_t y)
{
    return (p.y <= y) != (q.y <= y);
}

/* Does an edge that crosses the line of constant y through `at` do so at or west of it? */
static inline bool rcity_edge_is_west(rcity_grid_point p, rcity_grid_point q, rcity_grid_point at)
{
    int64_t side = rcity_orient(p, q, at);
    return q.y > p.y ? side <= 0 : side >= 0;
}

#endif
