/* The CRS of a vector layer, and swapped axes. */
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/import/import_crs.h"
#include "io/import/vector/vector.h"

/* A GeoJSON without a CRS is longitude and latitude by its standard (RFC 7946), and GDAL says so; some files contain
   plain metres nevertheless. Only the file itself shows whether it states a CRS: its "crs" member is at the beginning
   or the end. */
static bool has_crs_member(const char *path)
{
    enum { BLOCK = 65536 };
    static const char *const word = "\"crs\"";
    bool is_found = false;
    VSILFILE *file = VSIFOpenL(path, "rb");
    if (file == NULL) {
        return true; /* a text or a service: GDAL's CRS is used */
    }
    char *block = VSIMalloc(BLOCK + 1);
    for (int end = 0; end < 2 && block != NULL && !is_found; end++) {
        if (end == 1) {
            VSIFSeekL(file, 0, SEEK_END);
            vsi_l_offset bytes = VSIFTellL(file);
            VSIFSeekL(file, bytes > BLOCK ? bytes - BLOCK : 0, SEEK_SET);
        }
        size_t count = VSIFReadL(block, 1, BLOCK, file);
        block[count] = '\0';
        is_found = strstr(block, word) != NULL;
    }
    VSIFree(block);
    VSIFCloseL(file);
    return is_found;
}

/* The user names another CRS than the data state. For a single input that is an error; among several the user may mean
   one that states none. */
static rcity_status settle_conflict(rcity_vector *vector, OGRSpatialReferenceH stated, const char *given)
{
    const rcity_import_options *options = vector->import->options;
    rcity_gdal_call *call = vector->import->call;
    int input_count = options->building_path_count + options->terrain_path_count +
                      (options->vegetation_path != NULL ? 1 : 0) + (options->land_cover_path != NULL ? 1 : 0);
    char *text = NULL;
    RCITY_TRY(rcity_crs_name(call, stated, &text));
    rcity_status status = RCITY_OK;
    if (input_count == 1 || strcmp(given, "none") == 0) {
        status = rcity_fail(call->context, RCITY_ERR_ARGUMENT,
                            "'%s' states its CRS, %.200s, but `crs` says %.200s; leave `crs` out (`to-crs` chooses the "
                            "scene's CRS)",
                            vector->path, text, given);
    } else if (vector->import->crs != NULL) { /* not while the scene's CRS is being chosen: one warning is enough */
        rcity_log(call->context, RCITY_LOG_WARNING,
                  "'%s' states its CRS, %.200s, and keeps it; `crs=%.200s` counts for inputs that state none",
                  vector->path, text, given);
    }
    rcity_release(call->context, text);
    return status;
}

static rcity_status settle_given(rcity_vector *vector, OGRSpatialReferenceH stated, const char *given)
{
    OGRSpatialReferenceH said = NULL;
    if (strcmp(given, "none") != 0) {
        RCITY_TRY(rcity_gdal_read_crs(vector->import->call, given, &said));
    }
    if (stated == NULL || vector->is_crs_assumed) {
        vector->is_crs_assumed = false;
        vector->crs = said;
        return RCITY_OK;
    }
    bool is_same = said != NULL && rcity_crs_is_same(stated, said);
    if (said != NULL) {
        OSRDestroySpatialReference(said);
    }
    if (!is_same) {
        RCITY_TRY(settle_conflict(vector, stated, given));
    }
    vector->crs = OSRClone(stated);
    return RCITY_OK;
}

rcity_status rcity_vector_settle_crs(rcity_vector *vector)
{
    const char *given = vector->import->options->input_crs;
    OGRSpatialReferenceH stated = OGR_L_GetSpatialRef(vector->layer);
    if (stated != NULL && rcity_crs_says_none(stated)) {
        stated = NULL;
    }
    const char *driver = GDALGetDriverShortName(GDALGetDatasetDriver(vector->dataset));
    vector->is_crs_assumed = stated != NULL && strncmp(driver, "GeoJSON", 7) == 0 && OSRIsGeographic(stated) &&
                             !has_crs_member(vector->path);
    if (given != NULL) {
        return settle_given(vector, stated, given);
    }
    RCITY_CHECK(vector->import->context, stated != NULL, RCITY_ERR_ARGUMENT,
                "'%s' does not state its CRS; say it with `crs`, such as `crs=EPSG:32632`, or `crs=none` for plain "
                "metres",
                vector->path);
    vector->crs = OSRClone(stated); /* with its own axis order, which is that of the coordinates */
    return RCITY_OK;
}

static rcity_status fail_empty(const rcity_vector *vector)
{
    return rcity_fail(vector->import->context, RCITY_ERR_FORMAT, "the layer %s of '%s' holds no feature with geometry",
                      OGR_L_GetName(vector->layer), vector->path);
}

static rcity_status find_first_box(const rcity_vector *vector, OGREnvelope *box)
{
    bool is_found = false;
    OGR_L_ResetReading(vector->layer);
    for (OGRFeatureH feature; !is_found && (feature = OGR_L_GetNextFeature(vector->layer)) != NULL;) {
        OGRGeometryH geometry = OGR_F_GetGeometryRef(feature);
        is_found = geometry != NULL && !OGR_G_IsEmpty(geometry);
        if (is_found) {
            OGR_G_GetEnvelope(geometry, box);
        }
        OGR_F_Destroy(feature);
    }
    OGR_L_ResetReading(vector->layer);
    return is_found ? RCITY_OK : fail_empty(vector);
}

/* The box around all features, or around the first if the source would have to be read completely. */
static rcity_status find_extent(const rcity_vector *vector, OGREnvelope *box)
{
    if (OGR_L_GetExtent(vector->layer, box, vector->is_osm ? FALSE : TRUE) == OGRERR_NONE) {
        return box->MinX <= box->MaxX && box->MinY <= box->MaxY ? RCITY_OK : fail_empty(vector);
    }
    rcity_gdal_forget(vector->import->call);
    return find_first_box(vector, box);
}

/* Longitudes and latitudes must be valid. */
static rcity_status check_degrees(const rcity_vector *vector, const OGREnvelope *box)
{
    const double slack_deg = 1e-6;
    double x_far = fmax(fabs(box->MinX), fabs(box->MaxX));
    double y_far = fmax(fabs(box->MinY), fabs(box->MaxY));
    bool is_place = x_far <= 360.0 + slack_deg && y_far <= 90.0 + slack_deg;
    bool is_swapped_place = y_far <= 360.0 + slack_deg && x_far <= 90.0 + slack_deg;
    RCITY_CHECK(vector->import->context, is_place || !is_swapped_place, RCITY_ERR_ARGUMENT,
                "'%s' has latitudes up to %.6g, beyond 90 degrees: x and y seem to be swapped; longitude comes first",
                vector->path, y_far);
    RCITY_CHECK(vector->import->context, is_place, RCITY_ERR_ARGUMENT,
                "'%s' has coordinates up to (%.10g, %.10g), which are no longitudes and latitudes%s", vector->path,
                x_far, y_far,
                vector->is_crs_assumed ? "; it states no CRS: say it with `crs`, or `crs=none` for plain metres"
                                       : " as its CRS says; correct the CRS of the file");
    return RCITY_OK;
}

/* For data on both sides of the date line, the middle of the box lies on the other side of the Earth. In a CRS that the
   user names each point is transformed correctly; the easternmost, just west of the line, represents all. */
static rcity_status check_date_line(const rcity_vector *vector, OGREnvelope *box)
{
    if (box->MaxX - box->MinX <= 180.0) {
        return RCITY_OK;
    }
    RCITY_CHECK(vector->import->context, vector->import->options->scene.crs != NULL, RCITY_ERR_ARGUMENT,
                "the longitudes of '%s' run from %.6g to %.6g: the data lie on both sides of the date line, or some of "
                "them astray; say in which CRS the scene is to be with `to-crs`, such as %s",
                vector->path, box->MinX, box->MaxX, box->MinY + box->MaxY < 0.0 ? "EPSG:32760" : "EPSG:32660");
    box->MinX = box->MaxX;
    return RCITY_OK;
}

/* Where the box's middle lies, and where it would lie with x and y exchanged. */
static rcity_status check_plane(const rcity_vector *vector, OGRCoordinateTransformationH to_lonlat, double x, double y,
                                double lonlat[2])
{
    double swapped[2];
    bool is_placed = rcity_crs_place(to_lonlat, x, y, lonlat);
    bool is_swapped_placed = rcity_crs_place(to_lonlat, y, x, swapped);
    bool is_at_home = is_placed && rcity_crs_area_holds(vector->crs, lonlat, 2.0);
    RCITY_CHECK(vector->import->context,
                is_at_home || !is_swapped_placed || !rcity_crs_area_holds(vector->crs, swapped, 0.0),
                RCITY_ERR_ARGUMENT,
                "'%s' lies around (%.0f, %.0f), outside the area of its CRS, but inside with x and y swapped; correct "
                "the order of the axes",
                vector->path, x, y);
    RCITY_CHECK(vector->import->context, is_placed, RCITY_ERR_ARGUMENT,
                "'%s' lies around (%.10g, %.10g), which is no place in its CRS; is the CRS right?", vector->path, x, y);
    return RCITY_OK;
}

rcity_status rcity_vector_find_centre(rcity_vector *vector, double lonlat[2])
{
    rcity_gdal_call *call = vector->import->call;
    OGREnvelope box;
    RCITY_TRY(find_extent(vector, &box));
    if (OSRIsGeographic(vector->crs)) {
        RCITY_TRY(check_degrees(vector, &box));
        RCITY_TRY(check_date_line(vector, &box));
    }
    OGRCoordinateTransformationH to_lonlat = NULL;
    RCITY_TRY(rcity_crs_open_lonlat(call, vector->crs, &to_lonlat));
    double x = 0.5 * (box.MinX + box.MaxX);
    double y = 0.5 * (box.MinY + box.MaxY);
    rcity_status status = check_plane(vector, to_lonlat, x, y, lonlat);
    OCTDestroyCoordinateTransformation(to_lonlat);
    return status;
}

rcity_status rcity_vector_aim(rcity_vector *vector)
{
    rcity_import *import = vector->import;
    rcity_gdal_call *call = import->call;
    RCITY_CHECK(call->context, (vector->crs == NULL) == (import->crs == NULL), RCITY_ERR_ARGUMENT,
                "'%s' %s a CRS, but the scene %s; give all inputs one, or `crs=none` and plain metres everywhere",
                vector->path, vector->crs != NULL ? "has" : "has not", import->crs != NULL ? "has" : "has none");
    if (vector->crs == NULL) {
        return RCITY_OK;
    }
    double lonlat[2];
    RCITY_TRY(rcity_vector_find_centre(vector, lonlat));
    double swapped[2] = {lonlat[1], lonlat[0]};
    bool is_at_home = rcity_crs_area_holds(import->crs, lonlat, 2.0);
    RCITY_CHECK(call->context, is_at_home || !rcity_crs_area_holds(import->crs, swapped, 0.0), RCITY_ERR_ARGUMENT,
                "'%s' lies around longitude %.4f, latitude %.4f, outside the area of the scene's CRS %.60s, but inside "
                "with the two swapped; longitude comes first",
                vector->path, lonlat[0], lonlat[1], import->crs_text);
    if (!is_at_home) {
        rcity_log(call->context, RCITY_LOG_WARNING,
                  "'%s' lies around longitude %.4f, latitude %.4f, outside the area that the CRS %.60s is made for",
                  vector->path, lonlat[0], lonlat[1], import->crs_text);
    }
    if (rcity_crs_is_same(vector->crs, import->crs)) {
        return RCITY_OK;
    }
    vector->transform = OCTNewCoordinateTransformation(vector->crs, import->crs);
    return vector->transform != NULL ? RCITY_OK : rcity_gdal_fail(call, "bring the data into the scene's CRS");
}
