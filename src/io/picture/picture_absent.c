/* Pictures in a build without Cairo: a sentence instead of a file. */
#include "base/base.h"
#include "radiocity/io.h"
#include "radiocity/rays.h"

rcity_status rcity_picture_save(rcity_context *context, const rcity_scene *scene, const rcity_map *map,
                                const rcity_picture_options *options, const char *path)
{
    (void)scene;
    (void)map;
    (void)options;
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED,
                      "cannot draw '%s': this build has no Cairo; install libcairo2-dev and build again", path);
}

rcity_status rcity_antenna_draw(rcity_context *context, const rcity_antenna *antenna, double electrical_tilt_deg,
                                int width_px, const char *path)
{
    (void)antenna;
    (void)electrical_tilt_deg;
    (void)width_px;
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED,
                      "cannot draw '%s': this build has no Cairo; install libcairo2-dev and build again", path);
}

rcity_status rcity_rays_draw(rcity_context *context, const rcity_scene *scene, const rcity_rays *rays,
                             const rcity_rays_draw_options *options, const char *path)
{
    (void)scene;
    (void)rays;
    (void)options;
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED,
                      "cannot draw '%s': this build has no Cairo; install libcairo2-dev and build again", path);
}

rcity_status rcity_plot_routes_save(rcity_context *context, int route_count, const rcity_plot_route *routes,
                                    const rcity_plot_options *options, const char *path)
{
    (void)route_count;
    (void)routes;
    (void)options;
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED,
                      "cannot draw '%s': this build has no Cairo; install libcairo2-dev and build again", path);
}

rcity_status rcity_plot_scatter_save(rcity_context *context, const rcity_plot_points *points,
                                     const rcity_plot_options *options, const char *path)
{
    (void)points;
    (void)options;
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED,
                      "cannot draw '%s': this build has no Cairo; install libcairo2-dev and build again", path);
}
