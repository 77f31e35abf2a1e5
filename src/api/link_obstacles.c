/* What reaches into the Fresnel zone of a link: the tops that a tight string touches, and the highest place of each other
   stretch. */
#include <math.h>

#define RCITY_REAL_IS_DOUBLE
#include "api/link_obstacles.h"
#include "kernel/wave/knife_edge.h"

#define END_SHARE  1e-6  /* places so near to an end, as a share of the length, have no Fresnel zone to speak of */
#define ONE_HILL_M 250.0 /* a string that touches the ground twice within this touches one hill */

double rcity_link_fresnel_m(double wavelength_m, double before_m, double behind_m)
{
    double plan_m = before_m + behind_m;
    return plan_m > 0.0 ? sqrt(fmax(wavelength_m * before_m * behind_m / plan_m, 0.0)) : 0.0;
}

/* How far a point rises above the line; negative below it. */
static double above_line_m(const rcity_link_profile_point *point)
{
    return rcity_link_profile_point_top_m(point) - point->line_m;
}

/* Is a point between the ends, where it can stand in the way? */
static bool is_between(const rcity_link_profile *profile, const rcity_link_profile_point *point)
{
    double rim_m = END_SHARE * profile->info.plan_m;
    return point->distance_m > rim_m && point->distance_m < profile->info.plan_m - rim_m;
}

static double free_share(const rcity_link_profile_point *point)
{
    return -above_line_m(point) / point->fresnel_m;
}

static void measure_clearance(rcity_link_profile *profile)
{
    rcity_link_profile_info *info = &profile->info;
    info->clearance_m = info->clearance_share = HUGE_VAL;
    info->clearance_at_m = 0.0;
    for (int64_t i = 0; i < info->point_count; i++) {
        const rcity_link_profile_point *point = &profile->points[i];
        if (!is_between(profile, point)) {
            continue;
        }
        info->clearance_m = fmin(info->clearance_m, -above_line_m(point));
        if (free_share(point) < info->clearance_share) {
            info->clearance_share = free_share(point);
            info->clearance_at_m = point->distance_m;
        }
    }
    info->is_in_sight = info->clearance_m >= 0.0;
    info->is_clear = info->clearance_share >= info->fresnel_share;
}

static rcity_status add_obstacle(rcity_link_profile *profile, const rcity_link_profile_point *point,
                                 bool touches_string)
{
    const rcity_link_profile_info *info = &profile->info;
    rcity_link_profile_obstacle obstacle = {.distance_m = point->distance_m,
                                            .top_m = point->top_m,
                                            .above_line_m = above_line_m(point),
                                            .fresnel_m = point->fresnel_m,
                                            .clearance_share = free_share(point),
                                            .touches_string = touches_string,
                                            .top = point->top,
                                            .building_id = point->building_id};
    obstacle.knife_edge_v =
        rcity_knife_edge_parameter(obstacle.above_line_m, point->distance_m, info->plan_m - point->distance_m,
                                   RCITY_LIGHT_EXACT_M_PER_S / info->frequency_hz);
    obstacle.knife_edge_db = rcity_knife_edge_loss_db(obstacle.knife_edge_v);
    RCITY_TRY(rcity_reserve(profile->context, (size_t)info->obstacle_count + 1, sizeof *profile->obstacles,
                            &profile->obstacle_capacity, "the obstacles of a link", &profile->obstacles));
    profile->obstacles[profile->info.obstacle_count++] = obstacle;
    return RCITY_OK;
}

/* The next point that a string from one point to the receiver touches: that of the steepest slope; of equally steep ones
   the last. `point_count` where it is the receiver itself. */
static int64_t next_on_string(const rcity_link_profile *profile, int64_t from, double from_m, double from_z_m)
{
    const rcity_link_profile_info *info = &profile->info;
    int64_t next = info->point_count;
    double steepest = (info->receiver.z_m - from_z_m) / (info->plan_m - from_m);
    for (int64_t i = from; i < info->point_count; i++) {
        const rcity_link_profile_point *point = &profile->points[i];
        double on_m = point->distance_m - from_m;
        if (is_between(profile, point) && on_m > 0.0) {
            double slope = (rcity_link_profile_point_top_m(point) - from_z_m) / on_m;
            if (slope > steepest || (slope >= steepest && next < info->point_count)) {
                steepest = slope;
                next = i;
            }
        }
    }
    return next;
}

/* Is a point on the building or the hill of the obstacle that was added last? */
static bool continues_last(const rcity_link_profile *profile, int64_t first_obstacle,
                           const rcity_link_profile_point *point)
{
    if (profile->info.obstacle_count <= first_obstacle) {
        return false;
    }
    const rcity_link_profile_obstacle *last = &profile->obstacles[profile->info.obstacle_count - 1];
    return last->top == point->top && last->building_id == point->building_id &&
           (point->building_id >= 0 || point->distance_m - last->distance_m < ONE_HILL_M);
}

/* The obstacles of the points from `first` up to `end`, which all reach into the zone: those on the string, or the highest. */
static rcity_status add_stretch(rcity_link_profile *profile, int64_t first, int64_t end, int64_t *on_string)
{
    int64_t highest = first;
    int64_t first_obstacle = profile->info.obstacle_count;
    for (int64_t i = first; i < end; i++) {
        const rcity_link_profile_point *point = &profile->points[i];
        highest = free_share(point) < free_share(&profile->points[highest]) ? i : highest;
        if (i != *on_string) {
            continue;
        }
        *on_string = next_on_string(profile, i + 1, point->distance_m, rcity_link_profile_point_top_m(point));
        if (!continues_last(profile, first_obstacle, point)) {
            RCITY_TRY(add_obstacle(profile, point, true));
        } else if (free_share(point) < profile->obstacles[profile->info.obstacle_count - 1].clearance_share) {
            profile->info.obstacle_count--; /* the more obstructive place of the same */
            RCITY_TRY(add_obstacle(profile, point, true));
        }
    }
    return profile->info.obstacle_count > first_obstacle ? RCITY_OK
                                                         : add_obstacle(profile, &profile->points[highest], false);
}

rcity_status rcity_link_profile_find_obstacles(rcity_link_profile *profile)
{
    rcity_link_profile_info *info = &profile->info;
    measure_clearance(profile);
    int64_t on_string = next_on_string(profile, 0, 0.0, info->transmitter.z_m);
    info->obstacle_count = 0;
    for (int64_t first = 0, end; first < info->point_count; first = end) {
        end = first + 1;
        if (!is_between(profile, &profile->points[first]) ||
            free_share(&profile->points[first]) >= info->fresnel_share) {
            continue;
        }
        while (end < info->point_count && is_between(profile, &profile->points[end]) &&
               free_share(&profile->points[end]) < info->fresnel_share) {
            end++;
        }
        RCITY_TRY(add_stretch(profile, first, end, &on_string));
    }
    return RCITY_OK;
}
