/* The profile of a link: its ends are placed, what stands between is listed, and what reaches into the Fresnel zone is
   found. */
#include "radiocity/profile.h"

#include <math.h>
#include <string.h>

#include "api/link_ground.h"
#include "api/link_obstacles.h"
#include "base/abi.h"
#include "scene/shapes.h"

#define DEG_PER_RAD 57.29577951308232
#define PLAN_MIN_M  1.0 /* ends that are nearer have no profile */

void rcity_link_profile_options_init(rcity_link_profile_options *options, size_t struct_bytes)
{
    rcity_link_profile_options made;
    memset(&made, 0, sizeof made);
    made.transmitter = rcity_transmitter_default();
    made.rx_height_m = 1.5;
    made.k_factor = RCITY_K_FACTOR_STANDARD;
    made.fresnel_share = RCITY_FRESNEL_SHARE;
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

static rcity_status check_options(rcity_context *context, const rcity_link_profile_options *options)
{
    RCITY_CHECK(context, options->k_factor >= RCITY_K_FACTOR_MIN, RCITY_ERR_ARGUMENT,
                "`k-factor=%g` must be at least %g; 4/3 is that of a standard atmosphere", options->k_factor,
                RCITY_K_FACTOR_MIN);
    RCITY_CHECK(context, options->fresnel_share >= 0.0 && options->fresnel_share <= 1.0, RCITY_ERR_ARGUMENT,
                "`fresnel-share=%g` must be 0 to 1, the part of the first Fresnel zone's radius that is kept free",
                options->fresnel_share);
    RCITY_CHECK(context, isfinite(options->rx_x_m) && isfinite(options->rx_y_m) && isfinite(options->rx_height_m),
                RCITY_ERR_ARGUMENT, "the receiver is at (%g, %g), %g m high, which is no place", options->rx_x_m,
                options->rx_y_m, options->rx_height_m);
    return RCITY_OK;
}

/* An end stands in the open, above the ground. The transmitter's own checks allow it outside the terrain, where there is
   nothing to draw. */
static rcity_status place_end(rcity_context *context, const rcity_scene *scene, const char *name,
                              rcity_transmitter *end, double *ground_m, rcity_point *position)
{
    RCITY_TRY(rcity_transmitter_locate(context, scene, end, position));
    rcity_scene_info info;
    RCITY_TRY(rcity_scene_find_info(context, scene, &info));
    bool is_inside =
        end->x_m >= info.x_min_m && end->x_m <= info.x_max_m && end->y_m >= info.y_min_m && end->y_m <= info.y_max_m;
    RCITY_CHECK(context, is_inside || !info.has_terrain, RCITY_ERR_ARGUMENT,
                "the %s at (%.2f, %.2f) lies outside the terrain, which spans (%.2f, %.2f) to (%.2f, %.2f): the ground "
                "of the link is not known",
                name, end->x_m, end->y_m, info.x_min_m, info.y_min_m, info.x_max_m, info.y_max_m);
    return rcity_scene_get_ground(context, scene, end->x_m, end->y_m, ground_m);
}

static double azimuth_deg(double dx, double dy)
{
    double azimuth = atan2(dx, dy) * DEG_PER_RAD;
    return azimuth < 0.0 ? azimuth + 360.0 : azimuth;
}

/* The ends, and what follows from them. */
static rcity_status place_link(rcity_context *context, const rcity_scene *scene,
                               const rcity_link_profile_options *options, rcity_link_profile_info *info)
{
    rcity_transmitter tx = options->transmitter;
    rcity_transmitter rx = rcity_transmitter_default();
    rx.x_m = options->rx_x_m;
    rx.y_m = options->rx_y_m;
    rx.height_m = options->rx_height_m;
    rx.is_absolute = options->rx_is_absolute;
    RCITY_TRY(place_end(context, scene, "transmitter", &tx, &info->tx_ground_m, &info->transmitter));
    RCITY_TRY(place_end(context, scene, "receiver", &rx, &info->rx_ground_m, &info->receiver));
    double dx = info->receiver.x_m - info->transmitter.x_m;
    double dy = info->receiver.y_m - info->transmitter.y_m;
    double rise_m = info->receiver.z_m - info->transmitter.z_m;
    info->plan_m = hypot(dx, dy);
    RCITY_CHECK(context, info->plan_m >= PLAN_MIN_M, RCITY_ERR_ARGUMENT,
                "the ends of the link are %.3g m apart on the map, must be at least %g m", info->plan_m, PLAN_MIN_M);
    info->distance_m = hypot(info->plan_m, rise_m);
    info->tx_azimuth_deg = azimuth_deg(dx, dy);
    info->rx_azimuth_deg = azimuth_deg(-dx, -dy);
    /* from the tangent at an end the other end lies lower by d^2 / (2 k a) */
    double drop_m = info->plan_m * info->plan_m / (2.0 * options->k_factor * RCITY_EARTH_RADIUS_M);
    info->tx_elevation_deg = atan2(rise_m - drop_m, info->plan_m) * DEG_PER_RAD;
    info->rx_elevation_deg = atan2(-rise_m - drop_m, info->plan_m) * DEG_PER_RAD;
    info->frequency_hz = tx.frequency_hz;
    info->k_factor = options->k_factor;
    info->fresnel_share = options->fresnel_share;
    info->fresnel_max_m =
        rcity_link_fresnel_m(RCITY_LIGHT_EXACT_M_PER_S / tx.frequency_hz, 0.5 * info->plan_m, 0.5 * info->plan_m);
    return RCITY_OK;
}

/* Line, bulge and Fresnel zone at each point. */
static void fill_line(rcity_link_profile *profile)
{
    const rcity_link_profile_info *info = &profile->info;
    double wavelength_m = RCITY_LIGHT_EXACT_M_PER_S / info->frequency_hz;
    for (int64_t i = 0; i < info->point_count; i++) {
        rcity_link_profile_point *point = &profile->points[i];
        double before_m = point->distance_m;
        double behind_m = info->plan_m - before_m;
        point->bulge_m = rcity_link_profile_bulge_m(info, before_m, behind_m);
        point->line_m = info->transmitter.z_m + (info->receiver.z_m - info->transmitter.z_m) * before_m / info->plan_m;
        point->fresnel_m = rcity_link_fresnel_m(wavelength_m, before_m, behind_m);
    }
}

rcity_status rcity_link_profile_create(rcity_context *context, const rcity_scene *scene,
                                       const rcity_link_profile_options *options, rcity_link_profile **profile)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    rcity_link_profile_options known;
    RCITY_TAKE(context, rcity_link_profile_options, fresnel_share, options, &known);
    RCITY_NEED(context, profile);
    rcity_link_profile *made = NULL;
    rcity_status status;
    RCITY_TRY(check_options(context, &known));
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "the profile of a link", &made));
    made->context = context;
    RCITY_TRY_DONE(rcity_copy_text(context, rcity_scene_crs(scene), &made->crs));
    RCITY_TRY_DONE(place_link(context, scene, &known, &made->info));
    RCITY_TRY_DONE(rcity_link_ground_fill(context, scene, made));
    fill_line(made);
    RCITY_TRY_DONE(rcity_link_profile_find_obstacles(made));
    *profile = made;
    made = NULL;
done:
    rcity_link_profile_destroy(&made);
    return status;
}
