/* Points and prisms in plan. */
#include "scene/shape/prism.h"

bool rcity_rings_own(const int32_t *ring_first, const rcity_grid_point *points, int32_t first_ring, int32_t ring_count,
                     rcity_grid_point at)
{
    bool is_inside = false;
    for (int32_t ring = first_ring; ring < first_ring + ring_count; ring++) {
        int32_t end = ring_first[ring + 1];
        rcity_grid_point p = points[end - 1];
        for (int32_t point = ring_first[ring]; point < end; point++) {
            rcity_grid_point q = points[point];
            if (rcity_edge_crosses_level(p, q, at.y) && rcity_edge_is_west(p, q, at)) {
                is_inside = !is_inside;
            }
            p = q;
        }
    }
    return is_inside;
}

bool rcity_prism_owns(const rcity_shapes *shapes, const rcity_prism *prism, rcity_grid_point at)
{
    return rcity_rings_own(shapes->ring_first, shapes->points, prism->first_ring, prism->ring_count, at);
}

static bool is_on_wall(const rcity_shapes *shapes, const rcity_prism *prism, rcity_grid_point at)
{
    for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
        int32_t end = shapes->ring_first[ring + 1];
        rcity_grid_point p = shapes->points[end - 1];
        for (int32_t point = shapes->ring_first[ring]; point < end; point++) {
            rcity_grid_point q = shapes->points[point];
            if (rcity_grid_point_equal(q, at) || (rcity_orient(p, q, at) == 0 && rcity_strictly_between(p, q, at))) {
                return true;
            }
            p = q;
        }
    }
    return false;
}

rcity_place rcity_prism_locate(const rcity_shapes *shapes, const rcity_prism *prism, rcity_grid_point at)
{
    if (is_on_wall(shapes, prism, at)) {
        return RCITY_PLACE_ON_WALL;
    }
    return rcity_prism_owns(shapes, prism, at) ? RCITY_PLACE_INSIDE : RCITY_PLACE_OUTSIDE;
}

int64_t rcity_shapes_largest_edge_count(const rcity_shapes *shapes)
{
    int64_t largest = 0;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        int64_t count =
            shapes->ring_first[prism->first_ring + prism->ring_count] - shapes->ring_first[prism->first_ring];
        largest = count > largest ? count : largest;
    }
    return largest;
}

double rcity_rings_area2(const int32_t *ring_first, const rcity_grid_point *points, int32_t first_ring,
                         int32_t ring_count)
{
    double area2 = 0.0;
    for (int32_t ring = first_ring; ring < first_ring + ring_count; ring++) {
        int32_t end = ring_first[ring + 1];
        rcity_grid_point p = points[end - 1];
        for (int32_t point = ring_first[ring]; point < end; point++) {
            rcity_grid_point q = points[point];
            area2 += (double)p.x * q.y - (double)q.x * p.y;
            p = q;
        }
    }
    return area2;
}

double rcity_prism_area2(const rcity_shapes *shapes, const rcity_prism *prism)
{
    return rcity_rings_area2(shapes->ring_first, shapes->points, prism->first_ring, prism->ring_count);
}
