/* Coordinate reference systems in a build without GDAL: a sentence instead of an answer. */
#include <string.h>

#include "base/base.h"
#include "radiocity/crs.h"

static rcity_status refuse(rcity_context *context, const char *what)
{
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED, "%s: this build has no GDAL; install libgdal-dev and build again",
                      what);
}

rcity_status rcity_crs_check(rcity_context *context, const char *crs)
{
    (void)context;
    (void)crs;
    return RCITY_OK;
}

rcity_status rcity_crs_transform(rcity_context *context, const char *from, const char *to, int64_t point_count,
                                 double *xy)
{
    (void)from;
    (void)to;
    (void)point_count;
    (void)xy;
    return refuse(context, "cannot move points between CRS");
}

rcity_status rcity_crs_get_convergence(rcity_context *context, const char *crs, double x_m, double y_m,
                                       double *convergence_deg)
{
    (void)x_m;
    (void)y_m;
    if (strcmp(crs, "none") == 0) {
        *convergence_deg = 0.0;
        return RCITY_OK;
    }
    return refuse(context, "cannot find true north for an antenna that has a direction");
}

rcity_status rcity_crs_choose_utm(rcity_context *context, double lon_deg, double lat_deg, char crs[RCITY_CRS_BYTES])
{
    (void)lon_deg;
    (void)lat_deg;
    (void)crs;
    return refuse(context, "cannot choose a UTM zone");
}

rcity_status rcity_scene_place_lonlat(rcity_context *context, const rcity_scene *scene, double lon_deg, double lat_deg,
                                      double *x_m, double *y_m)
{
    (void)scene;
    (void)lon_deg;
    (void)lat_deg;
    (void)x_m;
    (void)y_m;
    return refuse(context, "cannot place longitude and latitude");
}
