/* Ridges in place of roof ends. */
#include "method/images/roofs/roof_form.h"

#include <string.h>

/* The end of the roof that begins at a point: roofs of one height do not overlap, so it is the next end that high.
   @return profile->count when the profile does not show it. */
static size_t find_end(const rcity_profile *profile, size_t start)
{
    const rcity_profile_point *points = profile->points;
    for (size_t i = start + 1; i < profile->count; i++) {
        if (points[i].prism >= 0 && points[i].z == points[start].z) {
            return points[i].starts_roof ? profile->count : i;
        }
    }
    return profile->count;
}

static void remove_point(rcity_profile *profile, size_t index)
{
    profile->count--;
    memmove(&profile->points[index], &profile->points[index + 1], (profile->count - index) * sizeof *profile->points);
}

/* Move a point towards the end of the profile, to its distance. */
static void move_back(rcity_profile *profile, size_t index, double distance_m)
{
    rcity_profile_point moved = profile->points[index];
    moved.distance_m = distance_m;
    for (; index + 1 < profile->count && profile->points[index + 1].distance_m < distance_m; index++) {
        profile->points[index] = profile->points[index + 1];
    }
    profile->points[index] = moved;
}

void rcity_roof_form_ridges(rcity_profile *profile)
{
    for (size_t i = 0; i < profile->count;) {
        rcity_profile_point *start = &profile->points[i];
        size_t end = start->prism >= 0 && start->starts_roof ? find_end(profile, i) : profile->count;
        if (end == profile->count) {
            i++;
            continue;
        }
        double middle_m = 0.5 * (start->distance_m + profile->points[end].distance_m);
        start->starts_roof = false; /* a ridge: it is not taken for a start again */
        remove_point(profile, end);
        move_back(profile, i, middle_m);
    }
}

bool rcity_roof_form_joins(const rcity_profile_point *edge, const rcity_profile_point *next)
{
    return edge->prism >= 0 && next->prism >= 0 && edge->starts_roof && !next->starts_roof && edge->z == next->z;
}
