#include "method/shadow/corners/corner_span.h"

#include <math.h>

/* Largest distance between the end of a facade and its corner: facades are cut in single precision. */
#define SAME_M 1e-2

static bool is_at(const rcity_shapes *shapes, float x_m, float y_m, int32_t point)
{
    double dx = (double)x_m - (double)shapes->points[point].x / shapes->units_per_m;
    double dy = (double)y_m - (double)shapes->points[point].y / shapes->units_per_m;
    return fabs(dx) < SAME_M && fabs(dy) < SAME_M;
}

/* The point where a wall of a prism ends. */
static int32_t end_of(const rcity_shapes *shapes, const rcity_prism *prism, int32_t wall)
{
    int32_t ring = prism->first_ring;
    while (wall >= shapes->ring_first[ring + 1]) {
        ring++;
    }
    return rcity_ring_next(shapes->ring_first, ring, wall);
}

/* The lowest level from which the walls that begin and end at each point are facades there. */
static void open_walls(const rcity_shapes *shapes, int32_t *begins, int32_t *ends)
{
    for (int64_t i = 0; i < shapes->facade_count; i++) {
        const rcity_facade *facade = &shapes->facades[i];
        const rcity_prism *prism = &shapes->prisms[facade->prism];
        int32_t a = facade->edge;
        int32_t b = end_of(shapes, prism, a);
        /* a strip over a neighbour's roof begins there */
        int32_t from = (int32_t)ceil((double)facade->bottom_m * RCITY_HEIGHT_UNITS_PER_M - prism->ground);
        if (from < begins[a] && is_at(shapes, facade->x1_m, facade->y1_m, a)) {
            begins[a] = from;
        }
        if (from < ends[b] && is_at(shapes, facade->x2_m, facade->y2_m, b)) {
            ends[b] = from;
        }
    }
}

rcity_status rcity_corner_spans_make(rcity_context *context, const rcity_sight *sight, rcity_corner_span **spans)
{
    const rcity_shapes *shapes = sight->shapes;
    size_t count = (size_t)shapes->point_count + 1;
    rcity_corner_span *made = NULL;
    int32_t *begins = NULL;
    int32_t *ends = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *begins, "corners", &begins));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *ends, "corners", &ends));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *made, "corners", &made));
    for (size_t i = 0; i < count; i++) {
        begins[i] = INT32_MAX;
        ends[i] = INT32_MAX;
    }
    open_walls(shapes, begins, ends);
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        int32_t last_ring = prism->first_ring + prism->ring_count - 1;
        for (int32_t k = shapes->ring_first[prism->first_ring]; k < shapes->ring_first[last_ring + 1]; k++) {
            int32_t from = begins[k] > ends[k] ? begins[k] : ends[k];
            made[k].from = rcity_sight_is_knot(sight, k) ? INT32_MAX : from;
            made[k].end = prism->roof - prism->ground;
        }
    }
    *spans = made;
done:
    rcity_release(context, ends);
    rcity_release(context, begins);
    return status;
}
