/* Pictures in a build without Cairo: an error message instead of a file. KMZ maps are written without a legend. */
#include "absent/absent.h"
#include "io/globe/legend.h"
#include "radiocity/delays.h"
#include "radiocity/io.h"
#include "radiocity/profile.h"
#include "radiocity/rays.h"
#include "radiocity/surfaces.h"

static rcity_status refuse(rcity_context *context, const char *path)
{
    return rcity_refuse_absent(context, "Cairo", "libcairo2-dev", "draw", path, NULL);
}

rcity_status rcity_legend_make(rcity_context *context, const rcity_band *band, const rcity_picture_values *values,
                               unsigned char **png, size_t *bytes)
{
    (void)context;
    (void)band;
    (void)values;
    *png = NULL;
    *bytes = 0;
    return RCITY_OK;
}

rcity_status rcity_picture_save(rcity_context *context, const rcity_scene *scene, const rcity_map *map,
                                const rcity_picture_options *options, const char *path)
{
    (void)scene;
    (void)map;
    (void)options;
    return refuse(context, path);
}

rcity_status rcity_antenna_draw(rcity_context *context, const rcity_antenna *antenna, double electrical_tilt_deg,
                                int width_px, const char *path)
{
    (void)antenna;
    (void)electrical_tilt_deg;
    (void)width_px;
    return refuse(context, path);
}

rcity_status rcity_rays_draw(rcity_context *context, const rcity_scene *scene, const rcity_rays *rays,
                             const rcity_rays_draw_options *options, const char *path)
{
    (void)scene;
    (void)rays;
    (void)options;
    return refuse(context, path);
}

rcity_status rcity_surfaces_draw(rcity_context *context, const rcity_surfaces *surfaces,
                                 const rcity_surfaces_draw_options *options, const char *path)
{
    (void)surfaces;
    (void)options;
    return refuse(context, path);
}

rcity_status rcity_plot_routes_save_sized(rcity_context *context, int route_count, size_t route_bytes,
                                          const rcity_plot_route *routes, const rcity_plot_options *options,
                                          const char *path)
{
    (void)route_bytes;
    (void)route_count;
    (void)routes;
    (void)options;
    return refuse(context, path);
}

rcity_status rcity_plot_scatter_save_sized(rcity_context *context, size_t points_bytes, const rcity_plot_points *points,
                                           const rcity_plot_options *options, const char *path)
{
    (void)points_bytes;
    (void)points;
    (void)options;
    return refuse(context, path);
}

rcity_status rcity_delays_draw(rcity_context *context, const rcity_delays *delays, int64_t cell_index,
                               const rcity_delays_draw_options *options, const char *path)
{
    (void)delays;
    (void)cell_index;
    (void)options;
    return refuse(context, path);
}

rcity_status rcity_link_profile_draw(rcity_context *context, const rcity_link_profile *profile,
                                     const rcity_link_profile_draw_options *options, const char *path)
{
    (void)profile;
    (void)options;
    return refuse(context, path);
}
