/* The horizon of a place, for callers of the library. */
#include <math.h>

#include "base/base.h"
#include "radiocity/sight.h"
#include "visibility/terrain/ground_sight.h"

#define DEG_PER_RAD  57.29577951308232
#define K_FACTOR_MIN 0.3

static rcity_status find_horizon(rcity_context *context, const rcity_shapes *shapes, const rcity_point *place,
                                 double k_factor, int count, float *elevation_deg, float *distance_m)
{
    rcity_ground_sight sight = {.context = context};
    rcity_grid_point3 source;
    rcity_status status;
    RCITY_TRY(rcity_shapes_snap(context, shapes, place, &source));
    RCITY_TRY_DONE(rcity_ground_sight_init(context, shapes, isinf(k_factor) ? 0.0 : k_factor, &sight));
    RCITY_TRY_DONE(rcity_ground_sight_horizon(&sight, source, count, elevation_deg, distance_m));
    for (int i = 0; i < count; i++) {
        elevation_deg[i] = (float)((double)elevation_deg[i] * DEG_PER_RAD);
    }
done:
    rcity_ground_sight_deinit(&sight);
    return status;
}

rcity_status rcity_scene_get_horizon(rcity_context *context, const rcity_scene *scene, const rcity_point *place,
                                     double k_factor, int count, float *elevation_deg, float *distance_m)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, place);
    RCITY_NEED(context, elevation_deg);
    RCITY_NEED(context, distance_m);
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    RCITY_CHECK(context, shapes != NULL, RCITY_ERR_STATE, "the scene is not committed yet");
    RCITY_CHECK(context, shapes->terrain.column_count > 0, RCITY_ERR_ARGUMENT,
                "the scene has no terrain, so there is no horizon to find");
    RCITY_CHECK(context, count >= 1 && count <= RCITY_HORIZON_COUNT_MAX, RCITY_ERR_ARGUMENT,
                "a horizon in %d directions cannot be found, must be 1 to %d", count, RCITY_HORIZON_COUNT_MAX);
    RCITY_CHECK(context, k_factor >= K_FACTOR_MIN, RCITY_ERR_ARGUMENT, "`k-factor=%g` must be at least %g", k_factor,
                K_FACTOR_MIN);
    return find_horizon(context, shapes, place, k_factor, count, elevation_deg, distance_m);
}
