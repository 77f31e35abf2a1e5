/* Polygons as they are added: checked, copied, kept until commit. */
#include "scene/draft.h"

#include <math.h>
#include <string.h>

static void deinit_rings(rcity_context *context, rcity_draft_rings *rings)
{
    rcity_release(context, rings->ring_first);
    rcity_release(context, rings->xy_m);
}

void rcity_draft_deinit(rcity_context *context, rcity_draft *draft)
{
    rcity_release(context, draft->buildings);
    deinit_rings(context, &draft->building_rings);
    rcity_release(context, draft->vegetation);
    deinit_rings(context, &draft->vegetation_rings);
    rcity_release(context, draft->terrain_height_m);
    rcity_land_grid_deinit(context, &draft->land_cover);
    rcity_release(context, draft->materials);
    memset(draft, 0, sizeof *draft);
}

rcity_status rcity_draft_check_polygon(rcity_context *context, const rcity_draft_polygon *polygon)
{
    const char *noun = polygon->noun;
    long long id = (long long)polygon->id;
    RCITY_CHECK(context, polygon->ring_count >= 1, RCITY_ERR_GEOMETRY, "%s %lld has no outline", noun, id);
    size_t point = 0;
    for (int ring = 0; ring < polygon->ring_count; ring++) {
        RCITY_CHECK(
            context, polygon->ring_point_count[ring] >= 3, RCITY_ERR_GEOMETRY,
            "ring %d of %s %lld has %d points, needs 3; correct the data or leave it out with `bad-buildings=drop`",
            ring, noun, id, polygon->ring_point_count[ring]);
        for (int i = 0; i < polygon->ring_point_count[ring]; i++, point++) {
            double x_m = polygon->xy_m[2 * point];
            double y_m = polygon->xy_m[2 * point + 1];
            RCITY_CHECK(context, fabs(x_m) <= RCITY_COORDINATE_MAX_M && fabs(y_m) <= RCITY_COORDINATE_MAX_M,
                        RCITY_ERR_GEOMETRY,
                        "point %d of ring %d of %s %lld is (%g, %g), must be finite and within %g m; correct the data "
                        "or leave it out with `bad-buildings=drop`",
                        i, ring, noun, id, x_m, y_m, RCITY_COORDINATE_MAX_M);
        }
    }
    return RCITY_OK;
}

rcity_status rcity_draft_reserve_rings(rcity_context *context, const rcity_draft_polygon *polygon,
                                       rcity_draft_rings *rings)
{
    size_t point_count = 0;
    for (int ring = 0; ring < polygon->ring_count; ring++) {
        point_count += (size_t)polygon->ring_point_count[ring];
    }
    RCITY_CHECK(context, point_count <= INT32_MAX - rings->point_count, RCITY_ERR_ARGUMENT,
                "the scene has more than %d corners; split it", INT32_MAX);
    RCITY_TRY(rcity_reserve(context, rings->ring_count + (size_t)polygon->ring_count + 1, sizeof *rings->ring_first,
                            &rings->ring_capacity, polygon->noun, &rings->ring_first));
    return rcity_reserve(context, rings->point_count + point_count, 2 * sizeof *rings->xy_m, &rings->point_capacity,
                         polygon->noun, &rings->xy_m);
}

/* Points of a ring without the closing one. */
static size_t open_point_count(const double *xy_m, int count)
{
    const double *last = xy_m + 2 * (size_t)(count - 1);
    return xy_m[0] == last[0] && xy_m[1] == last[1] ? (size_t)count - 1 : (size_t)count;
}

void rcity_draft_add_rings(const rcity_draft_polygon *polygon, rcity_draft_rings *rings)
{
    const double *xy_m = polygon->xy_m;
    for (int ring = 0; ring < polygon->ring_count; ring++) {
        size_t count = open_point_count(xy_m, polygon->ring_point_count[ring]);
        rings->ring_first[rings->ring_count++] = rings->point_count;
        memcpy(rings->xy_m + 2 * rings->point_count, xy_m, 2 * count * sizeof *xy_m);
        rings->point_count += count;
        xy_m += 2 * (size_t)polygon->ring_point_count[ring];
    }
    rings->ring_first[rings->ring_count] = rings->point_count;
}
