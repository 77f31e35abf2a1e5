/* The exact profile of ground and roofs, made into points that lie close enough for drawing and for vegetation. */
#include "api/link_ground.h"

#include <math.h>
#include <string.h>

#include "base/order.h"
#include "scene/scene_data.h"
#include "visibility/profile.h"

#define SAMPLES_LEAST 400   /* a curve of so many points looks round */
#define SAMPLES_MOST  50000 /* of vegetation, on long links */
#define VEGETATION_M  2.0   /* crowns are not narrower */
#define TOUCH_M       1e-6  /* places nearer to each other than this are one */

/* A link's plan while its points are made. */
typedef struct link_plan {
    rcity_context *context;
    const rcity_scene *scene;
    rcity_link_profile *profile;
    rcity_profile exact;
    double *places; /* from the transmitter, sorted */
    size_t place_count, place_capacity;
    size_t next_ground;             /* of the exact profile, behind the place that is looked at */
    double ground_at_m, ground_z_m; /* the last known place of the ground before it */
    bool has_vegetation;
} link_plan;

static rcity_status add_place(link_plan *plan, double distance_m)
{
    RCITY_TRY(rcity_reserve(plan->context, plan->place_count + 1, sizeof *plan->places, &plan->place_capacity,
                            "the profile of a link", &plan->places));
    plan->places[plan->place_count++] = distance_m;
    return RCITY_OK;
}

static rcity_status list_places(link_plan *plan)
{
    double plan_m = plan->profile->info.plan_m;
    double count =
        plan->has_vegetation ? fmin(fmax(plan_m / VEGETATION_M, SAMPLES_LEAST), SAMPLES_MOST) : SAMPLES_LEAST;
    for (int64_t i = 0; i <= (int64_t)count; i++) {
        RCITY_TRY(add_place(plan, plan_m * (double)i / floor(count)));
    }
    for (size_t i = 0; i < plan->exact.count; i++) {
        RCITY_TRY(add_place(plan, fmin(fmax(plan->exact.points[i].distance_m, 0.0), plan_m)));
    }
    rcity_sort_doubles(plan->places, plan->place_count);
    size_t kept = 1;
    for (size_t i = 1; i < plan->place_count; i++) {
        if (plan->places[i] > plan->places[kept - 1] + TOUCH_M) {
            plan->places[kept++] = plan->places[i];
        }
    }
    plan->places[kept - 1] = plan_m;
    plan->place_count = kept;
    return RCITY_OK;
}

/* Height of the ground at a place; places come in order. The ground is linear between its points. */
static double ground_m(link_plan *plan, double distance_m)
{
    const rcity_link_profile_info *info = &plan->profile->info;
    double next_m = info->plan_m;
    double next_z_m = info->rx_ground_m;
    for (; plan->next_ground < plan->exact.count; plan->next_ground++) {
        const rcity_profile_point *point = &plan->exact.points[plan->next_ground];
        if (point->prism != RCITY_PROFILE_GROUND) {
            continue;
        }
        if (point->distance_m > distance_m) {
            next_m = point->distance_m;
            next_z_m = point->z;
            break;
        }
        plan->ground_at_m = point->distance_m;
        plan->ground_z_m = point->z;
    }
    double stretch_m = next_m - plan->ground_at_m;
    return stretch_m > 0.0
               ? plan->ground_z_m + (next_z_m - plan->ground_z_m) * (distance_m - plan->ground_at_m) / stretch_m
               : next_z_m;
}

/* The highest roof over a place, or NULL: of those that end there the ones before it count, with `is_behind` those that
   begin there. */
static const rcity_profile_roof *find_roof(const link_plan *plan, double distance_m, bool is_behind)
{
    const rcity_profile_roof *highest = NULL;
    for (size_t i = 0; i < plan->exact.roof_count; i++) {
        const rcity_profile_roof *roof = &plan->exact.roofs[i];
        bool is_over = is_behind ? roof->from_m <= distance_m + TOUCH_M && roof->to_m > distance_m + TOUCH_M
                                 : roof->from_m < distance_m - TOUCH_M && roof->to_m >= distance_m - TOUCH_M;
        if (is_over && (highest == NULL || roof->z > highest->z)) {
            highest = roof;
        }
    }
    return highest;
}

static rcity_status add_point(link_plan *plan, double distance_m, double ground, double vegetation_m,
                              const rcity_profile_roof *roof)
{
    rcity_link_profile *profile = plan->profile;
    rcity_link_profile_point point = {.distance_m = distance_m,
                                      .ground_m = ground,
                                      .top_m = ground,
                                      .top = RCITY_PROFILE_TOP_GROUND,
                                      .building_id = -1};
    if (vegetation_m > 0.0) {
        point.top_m = ground + vegetation_m;
        point.top = RCITY_PROFILE_TOP_VEGETATION;
    }
    if (roof != NULL && roof->z > point.top_m) {
        const rcity_shapes *shapes = &plan->scene->shapes;
        point.top_m = roof->z;
        point.top = RCITY_PROFILE_TOP_BUILDING;
        point.building_id = shapes->buildings[shapes->prisms[roof->from_prism].building].id;
    }
    RCITY_TRY(rcity_reserve(plan->context, (size_t)profile->info.point_count + 1, sizeof *profile->points,
                            &profile->point_capacity, "the profile of a link", &profile->points));
    profile->points[profile->info.point_count++] = point;
    return RCITY_OK;
}

static rcity_status add_points(link_plan *plan)
{
    const rcity_link_profile_info *info = &plan->profile->info;
    double dx = info->receiver.x_m - info->transmitter.x_m;
    double dy = info->receiver.y_m - info->transmitter.y_m;
    for (size_t i = 0; i < plan->place_count; i++) {
        double at_m = plan->places[i];
        double ground = ground_m(plan, at_m);
        const rcity_profile_roof *before = find_roof(plan, at_m, false);
        const rcity_profile_roof *behind = find_roof(plan, at_m, true);
        rcity_ground_cover cover = {.vegetation_m = 0.0};
        if (plan->has_vegetation) {
            double part = at_m / info->plan_m;
            RCITY_TRY(rcity_scene_get_ground_cover(plan->context, plan->scene, info->transmitter.x_m + part * dx,
                                                   info->transmitter.y_m + part * dy, &cover));
        }
        RCITY_TRY(add_point(plan, at_m, ground, cover.vegetation_m, i > 0 ? before : behind));
        if (i > 0 && i + 1 < plan->place_count && before != behind) {
            RCITY_TRY(add_point(plan, at_m, ground, cover.vegetation_m, behind));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_link_ground_fill(rcity_context *context, const rcity_scene *scene, rcity_link_profile *profile)
{
    const rcity_shapes *shapes = &scene->shapes;
    const rcity_link_profile_info *info = &profile->info;
    rcity_facet_table world; /* the profile reads nothing else of it */
    rcity_place3 from = {info->transmitter.x_m - shapes->origin_x_m, info->transmitter.y_m - shapes->origin_y_m, 0.0};
    rcity_place3 to = {info->receiver.x_m - shapes->origin_x_m, info->receiver.y_m - shapes->origin_y_m, 0.0};
    link_plan plan = {.context = context,
                      .scene = scene,
                      .profile = profile,
                      .ground_z_m = info->tx_ground_m,
                      .has_vegetation = shapes->vegetation_count > 0};
    rcity_status status;
    memset(&world, 0, sizeof world);
    world.shapes = shapes;
    RCITY_TRY_DONE(rcity_profile_build(context, &world, &scene->prism_index, from, to, &plan.exact));
    RCITY_TRY_DONE(list_places(&plan));
    status = add_points(&plan);
done:
    rcity_release(context, plan.places);
    rcity_profile_deinit(context, &plan.exact);
    return status;
}
