/* How the makers of cities add their buildings to the scene. */
#include "scene/city/city_draft.h"

#define HEIGHT_UNITS_PER_M 64.0

static bool is_same(rcity_city_point a, rcity_city_point b)
{
    return a.x == b.x && a.y == b.y;
}

void rcity_city_outline_push(rcity_city_outline *outline, rcity_city_point point)
{
    rcity_city_point snapped = rcity_city_point_snap(point);
    bool repeats = outline->count > 0 && is_same(outline->point[outline->count - 1], snapped);
    if (!repeats && outline->count < RCITY_CITY_OUTLINE_MAX) {
        outline->point[outline->count++] = snapped;
    }
}

rcity_city_outline rcity_city_outline_from(const rcity_city_polygon *polygon)
{
    rcity_city_outline outline;
    outline.count = 0;
    for (int i = 0; i < polygon->count; i++) {
        rcity_city_outline_push(&outline, polygon->corner[i]);
    }
    return outline;
}

int64_t rcity_city_next_id(rcity_city_draft *draft)
{
    return draft->next_id++;
}

/* Points of a ring without the closing one. */
static int open_count(const rcity_city_outline *outline)
{
    int count = outline->count;
    while (count > 1 && is_same(outline->point[0], outline->point[count - 1])) {
        count--;
    }
    return count;
}

rcity_status rcity_city_add(rcity_city_draft *draft, int64_t id, const rcity_city_outline *outline,
                            const rcity_city_outline *hole, double height_m)
{
    double xy_m[4 * RCITY_CITY_OUTLINE_MAX];
    int ring_point_count[2] = {open_count(outline), hole != NULL ? open_count(hole) : 0};
    if (ring_point_count[0] < 3) {
        return RCITY_OK;
    }
    int made = 0;
    for (int i = 0; i < ring_point_count[0]; i++) {
        xy_m[made++] = draft->origin_x_m + outline->point[i].x;
        xy_m[made++] = draft->origin_y_m + outline->point[i].y;
    }
    for (int i = ring_point_count[1] - 1; i >= 0; i--) { /* a hole runs in the opposite direction */
        xy_m[made++] = draft->origin_x_m + hole->point[i].x;
        xy_m[made++] = draft->origin_y_m + hole->point[i].y;
    }
    rcity_building building = rcity_building_default();
    building.id = id;
    building.ring_count = ring_point_count[1] >= 3 ? 2 : 1;
    building.ring_point_count = ring_point_count;
    building.xy_m = xy_m;
    building.height_m = floor(height_m * HEIGHT_UNITS_PER_M + 0.5) / HEIGHT_UNITS_PER_M;
    building.ground_m = (double)NAN;
    return rcity_scene_add_building(draft->scene, &building);
}

rcity_status rcity_city_add_polygon(rcity_city_draft *draft, const rcity_city_polygon *polygon, double height_m)
{
    rcity_city_outline outline = rcity_city_outline_from(polygon);
    return rcity_city_add(draft, rcity_city_next_id(draft), &outline, NULL, height_m);
}

rcity_status rcity_city_progress(rcity_city_draft *draft, double fraction)
{
    return rcity_progress(draft->context, "make city", fraction, 1.0);
}
