/* Checks whether a CRS can be the plane of a scene, by short steps to the east and to the north: that works for every
   projection and for every order and direction of axes. */
#include "io/gis/crs_plane.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/import/import_crs.h"

/* How much a metre of the CRS may differ from one on the ground. A transverse Mercator projection stays within it up to
   about 900 km on both sides of its meridian. */
#define SCALE_TOLERANCE 0.01

/* Used where no latitude is known: Mercator is far from true to scale there. */
#define MIDDLE_LATITUDE_DEG 45.0

/* An area wider or taller than this has no useful middle. */
#define AREA_MAX_DEG 90.0

/* Data this near the area of use of a CRS count as inside it. */
#define AREA_MARGIN_DEG 2.0

/* How x and y of the CRS change for a metre on the ground. */
typedef struct plane_steps {
    double east[2], north[2];
} plane_steps;

static bool step_around(OGRCoordinateTransformationH transform, const double lonlat[2], plane_steps *steps)
{
    const double step_deg = 1e-4;
    const double rad = acos(-1.0) / 180.0;
    const double major_m = 6378137.0; /* WGS 84 */
    const double e2 = 0.00669437999014;
    double south[2], north[2], west[2], east[2];
    bool is_placed = rcity_crs_place(transform, lonlat[0], lonlat[1] - step_deg, south) &&
                     rcity_crs_place(transform, lonlat[0], lonlat[1] + step_deg, north) &&
                     rcity_crs_place(transform, lonlat[0] - step_deg, lonlat[1], west) &&
                     rcity_crs_place(transform, lonlat[0] + step_deg, lonlat[1], east);
    double w2 = 1.0 - e2 * sin(lonlat[1] * rad) * sin(lonlat[1] * rad);
    double meridian_m = 2.0 * step_deg * rad * major_m * (1.0 - e2) / (w2 * sqrt(w2));
    double parallel_m = 2.0 * step_deg * rad * major_m / sqrt(w2) * cos(lonlat[1] * rad);
    for (int i = 0; i < 2 && is_placed; i++) {
        steps->east[i] = (east[i] - west[i]) / parallel_m;
        steps->north[i] = (north[i] - south[i]) / meridian_m;
    }
    return is_placed;
}

static const char *name_direction(double east, double north)
{
    if (fabs(east) > fabs(north)) {
        return east > 0.0 ? "east" : "west";
    }
    return north > 0.0 ? "north" : "south";
}

static bool is_krovak(OGRSpatialReferenceH crs)
{
    const char *projection = OSRGetAttrValue(crs, "PROJECTION", 0);
    return projection != NULL && strncmp(projection, "Krovak", 6) == 0;
}

/* The reason why the steps rule out the CRS. */
static void judge_steps(const plane_steps *steps, OGRSpatialReferenceH crs, char reason[RCITY_CRS_REASON_BYTES])
{
    /* directions of the axes on the ground: the steps solved for a move along x and along y */
    double turn = steps->east[0] * steps->north[1] - steps->east[1] * steps->north[0]; /* < 0: mirrored */
    double x_east = steps->north[1] / turn;
    double x_north = -steps->east[1] / turn;
    double y_east = -steps->north[0] / turn;
    double y_north = steps->east[0] / turn;
    double east_scale = hypot(steps->east[0], steps->east[1]);
    double north_scale = hypot(steps->north[0], steps->north[1]);
    double scale = fabs(east_scale - 1.0) > fabs(north_scale - 1.0) ? east_scale : north_scale;
    reason[0] = '\0';
    if (!(turn > 0.0 && x_east > 0.0 && y_north > 0.0)) {
        snprintf(reason, RCITY_CRS_REASON_BYTES, "its x axis runs %s and its y axis %s, not east and north%s",
                 name_direction(x_east, x_north), name_direction(y_east, y_north),
                 is_krovak(crs) ? " (take EPSG:5514 in its place)" : "");
    } else if (!(fabs(scale - 1.0) < SCALE_TOLERANCE)) {
        snprintf(reason, RCITY_CRS_REASON_BYTES, "a metre of it is %.3f m on the ground", 1.0 / scale);
    }
}

rcity_status rcity_crs_judge(rcity_gdal_call *call, OGRSpatialReferenceH crs, const double lonlat[2],
                             char reason[RCITY_CRS_REASON_BYTES])
{
    OGRSpatialReferenceH degrees = NULL;
    RCITY_TRY(rcity_gdal_read_crs(call, RCITY_CRS_LONLAT, &degrees));
    OGRCoordinateTransformationH transform = OCTNewCoordinateTransformation(degrees, crs);
    OSRDestroySpatialReference(degrees);
    RCITY_CHECK(call->context, transform != NULL, RCITY_ERR_ARGUMENT,
                "there is no transformation from longitude and latitude to the CRS '%.100s' (%s); give another",
                OSRGetName(crs) != NULL ? OSRGetName(crs) : "without name",
                call->text[0] != '\0' ? call->text : "no reason given");
    plane_steps steps;
    bool is_placed = step_around(transform, lonlat, &steps);
    OCTDestroyCoordinateTransformation(transform);
    if (is_placed) {
        judge_steps(&steps, crs, reason);
    } else {
        snprintf(reason, RCITY_CRS_REASON_BYTES, "it has no coordinates");
    }
    return RCITY_OK;
}

rcity_status rcity_crs_check_plane(rcity_gdal_call *call, OGRSpatialReferenceH crs, const char *text,
                                   const double lonlat[2])
{
    static const char advice[] =
        "give one such as EPSG:32632, or import without `to-crs`, which takes the UTM zone of the data where theirs "
        "will not do";
    char reason[RCITY_CRS_REASON_BYTES];
    RCITY_TRY(rcity_crs_judge(call, crs, lonlat, reason));
    RCITY_CHECK(
        call->context, reason[0] == '\0' || rcity_crs_area_holds(crs, lonlat, AREA_MARGIN_DEG), RCITY_ERR_ARGUMENT,
        "the CRS '%.100s' cannot be the scene's: the data lie around longitude %.4f, latitude %.4f, outside the "
        "area it is made for; %s",
        text, lonlat[0], lonlat[1], advice);
    RCITY_CHECK(call->context, reason[0] == '\0', RCITY_ERR_ARGUMENT,
                "the CRS '%.100s' cannot be a scene's: at longitude %.4f, latitude %.4f %s; %s", text, lonlat[0],
                lonlat[1], reason, advice);
    return RCITY_OK;
}

static double middle_longitude(OGRSpatialReferenceH crs, double west, double east)
{
    east += east < west ? 360.0 : 0.0;
    if (east - west <= AREA_MAX_DEG) {
        return 0.5 * (west + east);
    }
    double central_deg = OSRGetNormProjParm(crs, "central_meridian", 0.0, NULL);
    return OSRGetNormProjParm(crs, "longitude_of_center", central_deg, NULL);
}

/* Latitudes where the CRS should be true to scale: the middle of its area, and those of its projection's parameters. A
   polar projection is best at its standard parallel, which is not the middle. */
static int find_latitudes(OGRSpatialReferenceH crs, double south, double north, double latitude_deg[5])
{
    static const char *const names[] = {"latitude_of_origin", "latitude_of_center", "standard_parallel_1",
                                        "standard_parallel_2"};
    int count = 0;
    if (north - south <= AREA_MAX_DEG) {
        latitude_deg[count++] = 0.5 * (south + north);
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        double found_deg = OSRGetNormProjParm(crs, names[i], 0.0, NULL);
        if (found_deg != 0.0) {
            latitude_deg[count++] = fmax(fmin(found_deg, 89.0), -89.0); /* east is not defined at a pole */
        }
    }
    if (count == 0) {
        latitude_deg[count++] = MIDDLE_LATITUDE_DEG;
    }
    return count;
}

rcity_status rcity_crs_check_somewhere(rcity_gdal_call *call, OGRSpatialReferenceH crs, const char *text)
{
    double west = -180.0, south = -90.0, east = 180.0, north = 90.0;
    if (!OSRGetAreaOfUse(crs, &west, &south, &east, &north, NULL) || west < -180.0) {
        west = -180.0, south = -90.0, east = 180.0, north = 90.0;
    }
    double latitude_deg[5];
    int count = find_latitudes(crs, south, north, latitude_deg);
    char first[RCITY_CRS_REASON_BYTES + 40] = "";
    for (int i = 0; i < count; i++) {
        double lonlat[2] = {middle_longitude(crs, west, east), latitude_deg[i]};
        char reason[RCITY_CRS_REASON_BYTES];
        RCITY_TRY(rcity_crs_judge(call, crs, lonlat, reason));
        if (reason[0] == '\0') {
            return RCITY_OK;
        }
        if (i == 0) {
            snprintf(first, sizeof first, "at latitude %.0f, for example, %s", lonlat[1], reason);
        }
    }
    return rcity_fail(call->context, RCITY_ERR_ARGUMENT,
                      "the CRS '%.100s' cannot be a scene's: %s; give `crs` one for the place, such as EPSG:32632, or "
                      "leave it out",
                      text, first);
}
