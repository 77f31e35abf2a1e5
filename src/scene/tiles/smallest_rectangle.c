/* The rectangle of least area around a polygon: one of its sides lies on a side of the convex hull. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/shape/exact.h"
#include "scene/tiles/tile_grid.h"

static int compare_points(const void *left, const void *right)
{
    const rcity_grid_point *a = left;
    const rcity_grid_point *b = right;
    if (a->x != b->x) {
        return a->x < b->x ? -1 : 1;
    }
    return a->y < b->y ? -1 : a->y > b->y;
}

/* The convex hull, counter-clockwise, of sorted points, by a monotone chain. */
static int32_t make_hull(const rcity_grid_point *sorted, int32_t count, rcity_grid_point *hull)
{
    int32_t made = 0;
    for (int32_t pass = 0; pass < 2; pass++) {
        int32_t first = made;
        for (int32_t i = 0; i < count; i++) {
            rcity_grid_point next = sorted[pass == 0 ? i : count - 1 - i];
            while (made >= first + 2 && rcity_orient(hull[made - 2], hull[made - 1], next) <= 0) {
                made--;
            }
            hull[made++] = next;
        }
        made--; /* the last point begins the other half */
    }
    return made;
}

rcity_plan_rectangle rcity_smallest_rectangle(const rcity_grid_point *points, int32_t count, rcity_grid_point *hull)
{
    rcity_grid_point *sorted = hull + count + 1;
    memcpy(sorted, points, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_points);
    int32_t corner_count = make_hull(sorted, count, hull);
    rcity_plan_rectangle best = {0};
    double best_area = HUGE_VAL;
    for (int32_t i = 0; i < corner_count; i++) {
        rcity_grid_point p = hull[i];
        rcity_grid_point q = hull[(i + 1) % corner_count];
        double dx = (double)q.x - p.x;
        double dy = (double)q.y - p.y;
        double size = hypot(dx, dy);
        double low = 0.0;
        double high = size;
        double width = 0.0;
        for (int32_t k = 0; k < corner_count; k++) {
            double x = (double)hull[k].x - p.x;
            double y = (double)hull[k].y - p.y;
            double along = (x * dx + y * dy) / size;
            low = rcity_smaller(low, along);
            high = rcity_larger(high, along);
            width = rcity_larger(width, (y * dx - x * dy) / size);
        }
        double area = (high - low) * width;
        if (area < best_area) { /* of equal ones the first, so that a square is cut from its first corner */
            best_area = area;
            best = (rcity_plan_rectangle){
                p.x + low * dx / size, p.y + low * dy / size, dx / size, dy / size, high - low, width};
        }
    }
    return best;
}
