/* Ear clipping: holes are joined to the outline by a bridge, then corners are cut off one by one. */
#include "bench/roof_triangles.h"

#include <string.h>

void rcity_roof_triangles_deinit(rcity_roof_triangles *triangles)
{
    rcity_release(triangles->context, triangles->corner);
    rcity_release(triangles->context, triangles->ring);
}

/* Does the open segment from a to b cross the edge from p to q, or pass through p? */
static bool is_cut(rcity_grid_point a, rcity_grid_point b, rcity_grid_point p, rcity_grid_point q)
{
    int64_t p_side = rcity_orient(a, b, p);
    int64_t q_side = rcity_orient(a, b, q);
    int64_t a_side = rcity_orient(p, q, a);
    int64_t b_side = rcity_orient(p, q, b);
    bool is_proper = ((p_side > 0 && q_side < 0) || (p_side < 0 && q_side > 0)) &&
                     ((a_side > 0 && b_side < 0) || (a_side < 0 && b_side > 0));
    return is_proper || (p_side == 0 && rcity_strictly_between(a, b, p));
}

/* The roof so far, and the holes that are not yet in it. */
typedef struct open_roof {
    const rcity_shapes *shapes;
    const int32_t *ring;
    size_t count;
    int32_t hole_ring, ring_end; /* rings of the shapes; the first is the next hole to insert */
} open_roof;

static bool is_crossed(const open_roof *roof, rcity_grid_point a, rcity_grid_point b)
{
    const rcity_shapes *shapes = roof->shapes;
    for (size_t i = 0; i < roof->count; i++) {
        size_t next = i + 1 < roof->count ? i + 1 : 0;
        if (is_cut(a, b, shapes->points[roof->ring[i]], shapes->points[roof->ring[next]])) {
            return true;
        }
    }
    for (int32_t ring = roof->hole_ring; ring < roof->ring_end; ring++) {
        for (int32_t point = shapes->ring_first[ring]; point < shapes->ring_first[ring + 1]; point++) {
            int32_t next = rcity_ring_next(shapes->ring_first, ring, point);
            if (is_cut(a, b, shapes->points[point], shapes->points[next])) {
                return true;
            }
        }
    }
    return false;
}

/* Does the inner angle of a corner, counter-clockwise from the next to the previous corner, contain the direction to
   `to`? */
static bool points_inside(rcity_grid_point last, rcity_grid_point at, rcity_grid_point next, rcity_grid_point to)
{
    bool is_left_of_next = rcity_orient(at, next, to) > 0;
    bool is_left_of_last = rcity_orient(last, at, to) > 0;
    return rcity_orient(last, at, next) > 0 ? is_left_of_next && is_left_of_last : is_left_of_next || is_left_of_last;
}

/* The pair of corners, one of the roof so far and one of the next hole, with the shortest bridge that crosses no
   edge. */
static bool find_bridge(const open_roof *roof, size_t *on_ring, int32_t *on_hole)
{
    const rcity_shapes *shapes = roof->shapes;
    int64_t shortest = INT64_MAX;
    for (int32_t h = shapes->ring_first[roof->hole_ring]; h < shapes->ring_first[roof->hole_ring + 1]; h++) {
        rcity_grid_point b = shapes->points[h];
        for (size_t i = 0; i < roof->count; i++) {
            rcity_grid_point a = shapes->points[roof->ring[i]];
            int64_t dx = (int64_t)b.x - a.x;
            int64_t dy = (int64_t)b.y - a.y;
            rcity_grid_point last = shapes->points[roof->ring[i > 0 ? i - 1 : roof->count - 1]];
            rcity_grid_point next = shapes->points[roof->ring[i + 1 < roof->count ? i + 1 : 0]];
            if (dx * dx + dy * dy < shortest && points_inside(last, a, next, b) && !is_crossed(roof, a, b)) {
                shortest = dx * dx + dy * dy;
                *on_ring = i;
                *on_hole = h;
            }
        }
    }
    return shortest < INT64_MAX;
}

/* Insert a hole into the ring: over the bridge, around the hole, back over the bridge. */
static void insert_hole(int32_t *ring, size_t *count, size_t on_ring, int32_t hole_first, int32_t hole_end,
                        int32_t on_hole)
{
    size_t hole_count = (size_t)(hole_end - hole_first);
    int32_t *place = ring + on_ring + 1;
    memmove(place + hole_count + 2, place, (*count - on_ring - 1) * sizeof *ring);
    for (size_t k = 0; k <= hole_count; k++) {
        place[k] = hole_first + (int32_t)(((size_t)(on_hole - hole_first) + k) % hole_count);
    }
    place[hole_count + 1] = ring[on_ring];
    *count += hole_count + 2;
}

/* Is the triangle at ring[i] an ear: convex, and no corner of the ring in it? With `margin` 1 corners on its edges are
   ignored. */
static bool is_ear(const rcity_shapes *shapes, const int32_t *ring, size_t count, size_t i, int64_t margin)
{
    rcity_grid_point a = shapes->points[ring[i > 0 ? i - 1 : count - 1]];
    rcity_grid_point b = shapes->points[ring[i]];
    rcity_grid_point c = shapes->points[ring[i + 1 < count ? i + 1 : 0]];
    if (rcity_orient(a, b, c) <= 0) {
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        rcity_grid_point p = shapes->points[ring[k]];
        if (!rcity_grid_point_equal(p, a) && !rcity_grid_point_equal(p, b) && !rcity_grid_point_equal(p, c) &&
            rcity_orient(a, b, p) >= margin && rcity_orient(b, c, p) >= margin && rcity_orient(c, a, p) >= margin) {
            return false;
        }
    }
    return true;
}

static rcity_status clip_ears(rcity_roof_triangles *triangles, const rcity_shapes *shapes, size_t count)
{
    int32_t *ring = triangles->ring;
    RCITY_TRY(rcity_reserve(triangles->context, triangles->corner_count + 3 * count, sizeof *triangles->corner,
                            &triangles->corner_capacity, "roofs", &triangles->corner));
    size_t i = 0;
    for (size_t tries = 0; count >= 3 && tries <= 2 * count; tries++, i++) { /* the second round is less strict */
        i = i < count ? i : 0;
        size_t last = i > 0 ? i - 1 : count - 1;
        size_t next = i + 1 < count ? i + 1 : 0;
        bool is_flat =
            rcity_orient(shapes->points[ring[last]], shapes->points[ring[i]], shapes->points[ring[next]]) == 0;
        if (!is_flat && !is_ear(shapes, ring, count, i, tries > count)) {
            continue;
        }
        if (!is_flat) {
            int32_t *corner = triangles->corner + triangles->corner_count;
            corner[0] = ring[last];
            corner[1] = ring[i];
            corner[2] = ring[next];
            triangles->corner_count += 3;
        }
        memmove(ring + i, ring + i + 1, (count - i - 1) * sizeof *ring);
        count--;
        tries = 0;
    }
    return RCITY_OK;
}

rcity_status rcity_roof_triangles_add(rcity_roof_triangles *triangles, const rcity_shapes *shapes,
                                      const rcity_prism *prism)
{
    int32_t first = shapes->ring_first[prism->first_ring];
    int32_t end = shapes->ring_first[prism->first_ring + prism->ring_count];
    size_t room = (size_t)(end - first) + 2 * (size_t)prism->ring_count;
    RCITY_TRY(rcity_reserve(triangles->context, room, sizeof *triangles->ring, &triangles->ring_capacity, "roofs",
                            &triangles->ring));
    size_t count = 0;
    for (int32_t point = first; point < shapes->ring_first[prism->first_ring + 1]; point++) {
        triangles->ring[count++] = point;
    }
    int32_t ring_end = prism->first_ring + prism->ring_count;
    for (int32_t ring = prism->first_ring + 1; ring < ring_end; ring++) {
        open_roof roof = {shapes, triangles->ring, count, ring, ring_end};
        size_t on_ring = 0;
        int32_t on_hole = 0;
        if (find_bridge(&roof, &on_ring, &on_hole)) {
            insert_hole(triangles->ring, &count, on_ring, shapes->ring_first[ring], shapes->ring_first[ring + 1],
                        on_hole);
        }
    }
    return clip_ears(triangles, shapes, count);
}
