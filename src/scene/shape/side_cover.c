/* Stretches of a line along which a prism lies beside it, in exact arithmetic. */
#include "scene/shape/side_cover.h"

#include <string.h>

/* Crossings are collected in the span array itself, two to a span. */
static void insert_crossing(rcity_ratio *crossings, int count, rcity_ratio crossing)
{
    int place = count;
    while (place > 0 && rcity_ratio_compare(crossings[place - 1], crossing) > 0) {
        crossings[place] = crossings[place - 1];
        place--;
    }
    crossings[place] = crossing;
}

/* Where the line a + t (b - a) meets the line through p and q. */
static rcity_ratio line_crossing(rcity_grid_point a, rcity_grid_point b, rcity_grid_point p, rcity_grid_point q)
{
    int64_t dx = (int64_t)b.x - a.x;
    int64_t dy = (int64_t)b.y - a.y;
    int64_t ex = (int64_t)q.x - p.x;
    int64_t ey = (int64_t)q.y - p.y;
    int64_t px = (int64_t)p.x - a.x;
    int64_t py = (int64_t)p.y - a.y;
    return rcity_ratio_make(px * ey - py * ex, dx * ey - dy * ex);
}

int rcity_side_cover(const rcity_shapes *shapes, const rcity_prism *prism, rcity_grid_point a, rcity_grid_point b,
                     rcity_side side, rcity_span *spans, bool *touches)
{
    rcity_ratio *crossings = (rcity_ratio *)spans; /* a span is two ratios */
    int crossing_count = 0;
    /* Relative to the line shifted to the left, corners with orientation 0 lie on the right; shifted to the right, on
       the left. */
    int64_t threshold = side == RCITY_SIDE_LEFT ? 0 : -1;
    for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
        int32_t first = shapes->ring_first[ring];
        int32_t end = shapes->ring_first[ring + 1];
        rcity_grid_point p = shapes->points[end - 1];
        int64_t p_side = rcity_orient(a, b, p);
        for (int32_t point = first; point < end; point++) {
            rcity_grid_point q = shapes->points[point];
            int64_t q_side = rcity_orient(a, b, q);
            *touches = *touches || q_side == 0;
            if ((p_side > threshold) != (q_side > threshold)) {
                insert_crossing(crossings, crossing_count, line_crossing(a, b, p, q));
                crossing_count++;
            }
            p = q;
            p_side = q_side;
        }
    }
    const rcity_ratio zero = {0, 1};
    const rcity_ratio one = {1, 1};
    int span_count = 0;
    for (int i = 0; i + 1 < crossing_count; i += 2) {
        rcity_span span = {rcity_ratio_max(crossings[i], zero), rcity_ratio_min(crossings[i + 1], one)};
        if (rcity_ratio_compare(span.begin, span.end) < 0) {
            spans[span_count++] = span;
        }
    }
    return span_count;
}
