/* Coordinate reference systems through GDAL and PROJ. */
#include <math.h>
#include <ogr_srs_api.h>
#include <stdio.h>
#include <string.h>

#include "io/gis/crs_plane.h"
#include "radiocity/crs.h"
#include "scene/place/scene_distance.h"
#include "scene/shapes.h"

rcity_status rcity_crs_check(rcity_context *context, const char *crs)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, crs);
    if (strcmp(crs, "none") == 0) {
        return RCITY_OK;
    }
    rcity_gdal_call call;
    rcity_gdal_open(context, NULL, &call);
    OGRSpatialReferenceH reference = NULL;
    rcity_status status = rcity_gdal_read_scene_crs(&call, crs, &reference);
    if (reference != NULL) {
        status = rcity_crs_check_somewhere(&call, reference, crs);
        OSRDestroySpatialReference(reference);
    }
    rcity_gdal_close(&call);
    return status;
}

static rcity_status open_transform(rcity_gdal_call *call, const char *from, const char *to,
                                   OGRCoordinateTransformationH *transform)
{
    RCITY_CHECK(call->context, strcmp(from, "none") != 0 && strcmp(to, "none") != 0, RCITY_ERR_ARGUMENT,
                "coordinates without CRS cannot be transformed into another CRS; give theirs");
    OGRSpatialReferenceH source = NULL;
    OGRSpatialReferenceH target = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_gdal_read_crs(call, from, &source));
    RCITY_TRY_DONE(rcity_gdal_read_crs(call, to, &target));
    *transform = OCTNewCoordinateTransformation(source, target);
    if (*transform == NULL) {
        status = rcity_fail(call->context, RCITY_ERR_ARGUMENT,
                            "there is no transformation from the CRS '%.100s' to '%.100s' (%s)", from, to,
                            call->text[0] != '\0' ? call->text : "no reason given");
    }
done:
    if (source != NULL) {
        OSRDestroySpatialReference(source);
    }
    if (target != NULL) {
        OSRDestroySpatialReference(target);
    }
    return status;
}

/* Points are transformed a block at a time; the caller's array is unchanged until all have succeeded. */
static rcity_status transform_points(rcity_gdal_call *call, OGRCoordinateTransformationH transform, const char *to,
                                     int64_t point_count, const double *xy, double *moved)
{
    enum { BLOCK = 1024 };
    double x[BLOCK];
    double y[BLOCK];
    int is_moved[BLOCK];
    for (int64_t first = 0; first < point_count; first += BLOCK) {
        int count = point_count - first < BLOCK ? (int)(point_count - first) : BLOCK;
        for (int i = 0; i < count; i++) {
            x[i] = xy[2 * (first + i)];
            y[i] = xy[2 * (first + i) + 1];
        }
        OCTTransformEx(transform, count, x, y, NULL, is_moved);
        for (int i = 0; i < count; i++) {
            RCITY_CHECK(call->context, is_moved[i] && isfinite(x[i]) && isfinite(y[i]), RCITY_ERR_ARGUMENT,
                        "point %lld at (%.10g, %.10g) has no place in the CRS '%.100s'; is x (or longitude) given "
                        "first, and is the CRS the right one?",
                        (long long)(first + i + 1), xy[2 * (first + i)], xy[2 * (first + i) + 1], to);
            moved[2 * (first + i)] = x[i];
            moved[2 * (first + i) + 1] = y[i];
        }
    }
    return RCITY_OK;
}

rcity_status rcity_crs_transform(rcity_context *context, const char *from, const char *to, int64_t point_count,
                                 double *xy)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, from);
    RCITY_NEED(context, to);
    RCITY_NEED_SOME(context, xy, point_count);
    rcity_gdal_call call;
    OGRCoordinateTransformationH transform = NULL;
    double *moved = NULL;
    rcity_status status;
    rcity_gdal_open(context, NULL, &call);
    RCITY_TRY_DONE(rcity_alloc(context, 2 * (size_t)point_count, sizeof *moved, "coordinates", &moved));
    RCITY_TRY_DONE(open_transform(&call, from, to, &transform));
    RCITY_TRY_DONE(transform_points(&call, transform, to, point_count, xy, moved));
    memcpy(xy, moved, 2 * (size_t)point_count * sizeof *xy);
done:
    if (transform != NULL) {
        OCTDestroyCoordinateTransformation(transform);
    }
    rcity_release(context, moved);
    rcity_gdal_close(&call);
    return status;
}

/* Computed numerically, which works for every projection: the grid direction of a short step to true north. A step to
   each side cancels the effect of the meridian's curvature. */
rcity_status rcity_crs_get_convergence(rcity_context *context, const char *crs, double x_m, double y_m,
                                       double *convergence_deg)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, crs);
    RCITY_NEED(context, convergence_deg);
    if (strcmp(crs, "none") == 0) {
        *convergence_deg = 0.0;
        return RCITY_OK;
    }
    const double step_deg = 1e-4; /* about eleven metres */
    double place[2] = {x_m, y_m};
    RCITY_TRY(rcity_crs_transform(context, crs, RCITY_CRS_LONLAT, 1, place));
    double ends[4] = {place[0], place[1] - step_deg, place[0], place[1] + step_deg};
    RCITY_TRY(rcity_crs_transform(context, RCITY_CRS_LONLAT, crs, 2, ends));
    /* grid azimuth of true north, clockwise from the y axis, is minus the convergence */
    *convergence_deg = -atan2(ends[2] - ends[0], ends[3] - ends[1]) * 180.0 / acos(-1.0);
    return RCITY_OK;
}

/* Zones are six degrees wide, except in the west of Norway and in Svalbard, where some are wider. */
static int find_zone(double lon_deg, double lat_deg)
{
    if (lat_deg >= 56.0 && lat_deg < 64.0 && lon_deg >= 3.0 && lon_deg < 12.0) {
        return 32;
    }
    if (lat_deg >= 72.0 && lon_deg >= 0.0 && lon_deg < 42.0) {
        return lon_deg < 9.0 ? 31 : lon_deg < 21.0 ? 33 : lon_deg < 33.0 ? 35 : 37;
    }
    int zone = (int)floor((lon_deg + 180.0) / 6.0) + 1;
    return zone > 60 ? 60 : zone;
}

rcity_status rcity_crs_choose_utm(rcity_context *context, double lon_deg, double lat_deg, char crs[RCITY_CRS_BYTES])
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, crs);
    RCITY_CHECK(
        context, fabs(lon_deg) <= 180.0 && lat_deg >= -80.0 && lat_deg <= 84.0, RCITY_ERR_ARGUMENT,
        "longitude %.10g, latitude %.10g lies in no UTM zone (80 S to 84 N); give the scene's CRS with `to-crs`, "
        "such as %s",
        lon_deg, lat_deg, lat_deg < 0.0 ? "EPSG:3031" : "EPSG:3413");
    snprintf(crs, RCITY_CRS_BYTES, "EPSG:%d%02d", lat_deg >= 0.0 ? 326 : 327, find_zone(lon_deg, lat_deg));
    return RCITY_OK;
}

/* How far a longitude and latitude lie outside the scene; HUGE_VAL if they cannot be transformed. Fails only for lack
   of memory. */
static rcity_status find_distance(rcity_context *context, const rcity_scene_info *info, double lon_deg, double lat_deg,
                                  double xy_m[2], double *distance_m)
{
    xy_m[0] = lon_deg;
    xy_m[1] = lat_deg;
    *distance_m = HUGE_VAL;
    if (!(fabs(lat_deg) <= 90.0 && fabs(lon_deg) <= 360.0)) {
        return RCITY_OK;
    }
    rcity_status status = rcity_crs_transform(context, RCITY_CRS_LONLAT, info->crs, 1, xy_m);
    if (status == RCITY_OK) {
        *distance_m = rcity_scene_distance_m(info, xy_m);
    }
    return status == RCITY_ERR_MEMORY ? status : RCITY_OK;
}

rcity_status rcity_scene_place_lonlat(rcity_context *context, const rcity_scene *scene, double lon_deg, double lat_deg,
                                      double *x_m, double *y_m)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, x_m);
    RCITY_NEED(context, y_m);
    const double near_m = RCITY_SCENE_NEAR_M;
    rcity_scene_info info;
    RCITY_TRY(rcity_scene_find_info(context, scene, &info));
    RCITY_CHECK(
        context, strcmp(info.crs, "none") != 0, RCITY_ERR_ARGUMENT,
        "longitude %.10g, latitude %.10g: the scene has no CRS; give x and y in metres, or import it with `crs`",
        lon_deg, lat_deg);
    double here[2];
    double swapped[2];
    double distance_m;
    double swapped_m;
    RCITY_TRY(find_distance(context, &info, lon_deg, lat_deg, here, &distance_m));
    RCITY_TRY(find_distance(context, &info, lat_deg, lon_deg, swapped, &swapped_m));
    RCITY_CHECK(context, distance_m <= near_m || swapped_m > near_m, RCITY_ERR_ARGUMENT,
                "longitude %.10g, latitude %.10g lies far from the scene, but the other way round it lies in or near "
                "it: longitude comes first",
                lon_deg, lat_deg);
    RCITY_CHECK(context, fabs(lat_deg) <= 90.0 && fabs(lon_deg) <= 360.0, RCITY_ERR_ARGUMENT,
                "longitude %.10g, latitude %.10g is no place on Earth; longitude comes first, latitude within 90 "
                "degrees",
                lon_deg, lat_deg);
    RCITY_CHECK(context, distance_m < HUGE_VAL, RCITY_ERR_ARGUMENT,
                "longitude %.10g, latitude %.10g has no place in the scene's CRS '%.60s'", lon_deg, lat_deg, info.crs);
    *x_m = here[0];
    *y_m = here[1];
    return RCITY_OK;
}
