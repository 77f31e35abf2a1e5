/* Growing lists of rings. */
#include "scene/shape/outline.h"

#include <string.h>

void rcity_outline_deinit(rcity_context *context, rcity_outline *outline)
{
    rcity_release(context, outline->points);
    rcity_release(context, outline->ring_first);
    memset(outline, 0, sizeof *outline);
}

void rcity_outline_clear(rcity_outline *outline)
{
    outline->point_count = 0;
    outline->ring_count = 0;
}

rcity_status rcity_outline_add_ring(rcity_context *context, rcity_outline *outline, const rcity_outline_point *points,
                                    size_t count)
{
    RCITY_CHECK(context, count <= (size_t)INT32_MAX - outline->point_count, RCITY_ERR_ARGUMENT,
                "the scene has more than %d corners; split it", INT32_MAX);
    RCITY_TRY(rcity_reserve(context, outline->point_count + count, sizeof *outline->points, &outline->point_capacity,
                            "outlines", &outline->points));
    RCITY_TRY(rcity_reserve(context, outline->ring_count + 2, sizeof *outline->ring_first, &outline->ring_capacity,
                            "outlines", &outline->ring_first));
    memcpy(outline->points + outline->point_count, points, count * sizeof *points);
    outline->ring_first[outline->ring_count] = (int32_t)outline->point_count;
    outline->point_count += count;
    outline->ring_count++;
    outline->ring_first[outline->ring_count] = (int32_t)outline->point_count;
    return RCITY_OK;
}

int64_t rcity_ring_area2(const rcity_outline_point *points, size_t count)
{
    int64_t area2 = 0;
    for (size_t i = 0; i < count; i++) {
        rcity_grid_point p = points[i].at;
        rcity_grid_point q = points[i + 1 < count ? i + 1 : 0].at;
        area2 += (int64_t)p.x * q.y - (int64_t)q.x * p.y;
    }
    return area2;
}
