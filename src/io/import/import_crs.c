/* CRS during an import. */
#include "io/import/import_crs.h"

#include <assert.h>
#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/gis/crs_plane.h"
#include "io/import/vector/vector.h"
#include "io/raster/terrain_paths.h"

bool rcity_crs_is_same(OGRSpatialReferenceH left, OGRSpatialReferenceH right)
{
    const char *const options[] = {"CRITERION=EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS", NULL};
    return OSRIsSameEx(left, right, options) != 0;
}

bool rcity_crs_says_none(OGRSpatialReferenceH crs)
{
    const char *name = OSRGetName(crs);
    return (name != NULL && strncmp(name, "Undefined", 9) == 0) || OSRIsLocal(crs);
}

/* The authority's code of a CRS, if it gives the same CRS again. */
static bool find_code(rcity_gdal_call *call, OGRSpatialReferenceH crs, char code[RCITY_CRS_BYTES])
{
    const char *authority = OSRGetAuthorityName(crs, NULL);
    const char *number = OSRGetAuthorityCode(crs, NULL);
    OGRSpatialReferenceH known = NULL;
    if (authority == NULL || number == NULL) {
        return false;
    }
    int length = snprintf(code, RCITY_CRS_BYTES, "%s:%s", authority, number);
    if (length < 0 || length >= RCITY_CRS_BYTES || rcity_gdal_read_crs(call, code, &known) != RCITY_OK) {
        return false;
    }
    bool is_same = rcity_crs_is_same(crs, known);
    OSRDestroySpatialReference(known);
    return is_same;
}

/* The same by a search of all known CRS, for a CRS without a code. One with its own datum shift never matches well
   enough. */
static bool find_match(rcity_gdal_call *call, OGRSpatialReferenceH crs, char code[RCITY_CRS_BYTES])
{
    int match_count = 0;
    int *confidence = NULL;
    OGRSpatialReferenceH *matches = OSRFindMatches(crs, NULL, &match_count, &confidence);
    bool is_found = false;
    for (int i = 0; i < match_count && !is_found; i++) {
        OSRSetAxisMappingStrategy(matches[i], OAMS_TRADITIONAL_GIS_ORDER);
        is_found = confidence[i] >= 90 && find_code(call, matches[i], code);
    }
    OSRFreeSRSArray(matches);
    CPLFree(confidence);
    return is_found;
}

rcity_status rcity_crs_name(rcity_gdal_call *call, OGRSpatialReferenceH crs, char **text)
{
    OGRSpatialReferenceH plan = OSRClone(crs);
    char code[RCITY_CRS_BYTES];
    char *wkt = NULL;
    rcity_status status;
    OSRSetAxisMappingStrategy(plan, OAMS_TRADITIONAL_GIS_ORDER);
    if (OSRIsCompound(plan)) {
        OSRStripVertical(plan);
    }
    if (find_code(call, plan, code) || find_match(call, plan, code)) {
        status = rcity_copy_text(call->context, code, text);
    } else {
        const char *const options[] = {"FORMAT=WKT2_2019", NULL};
        status = OSRExportToWktEx(plan, &wkt, options) == OGRERR_NONE ? rcity_copy_text(call->context, wkt, text)
                                                                      : rcity_gdal_fail(call, "write down a CRS");
    }
    rcity_gdal_forget(call); /* errors of its search */
    CPLFree(wkt);
    OSRDestroySpatialReference(plan);
    return status;
}

rcity_status rcity_crs_open_lonlat(rcity_gdal_call *call, OGRSpatialReferenceH crs,
                                   OGRCoordinateTransformationH *transform)
{
    OGRSpatialReferenceH lonlat = NULL;
    RCITY_TRY(rcity_gdal_read_crs(call, RCITY_CRS_LONLAT, &lonlat));
    OGRCoordinateTransformationH made = OCTNewCoordinateTransformation(crs, lonlat);
    OSRDestroySpatialReference(lonlat);
    if (made == NULL) {
        return rcity_gdal_fail(call, "find a transformation to longitude and latitude");
    }
    *transform = made;
    return RCITY_OK;
}

bool rcity_crs_place(OGRCoordinateTransformationH transform, double x, double y, double placed[2])
{
    int is_placed = FALSE;
    placed[0] = x;
    placed[1] = y;
    CPLPushErrorHandler(CPLQuietErrorHandler);
    OCTTransformEx(transform, 1, &placed[0], &placed[1], NULL, &is_placed);
    CPLPopErrorHandler();
    return is_placed && isfinite(placed[0]) && isfinite(placed[1]);
}

bool rcity_crs_area_holds(OGRSpatialReferenceH crs, const double lonlat[2], double margin_deg)
{
    double west, south, east, north;
    if (!OSRGetAreaOfUse(crs, &west, &south, &east, &north, NULL) || west < -180.0) {
        return true;
    }
    east += east < west ? 360.0 : 0.0;
    double lon_deg = lonlat[0] + 360.0 * ceil((west - margin_deg - lonlat[0]) / 360.0); /* not west of the area */
    return lon_deg <= east + margin_deg && lonlat[1] >= south - margin_deg && lonlat[1] <= north + margin_deg;
}

/* Can the CRS of an input be the scene's? Its metres must be metres on the ground: one of Web Mercator is half a metre
   in Oslo. */
static rcity_status test_plane(rcity_gdal_call *call, OGRSpatialReferenceH crs, const double lonlat[2], bool *is_fit)
{
    *is_fit = false;
    if (!OSRIsProjected(crs) || fabs(OSRGetLinearUnits(crs, NULL) - 1.0) > 1e-9) {
        return RCITY_OK;
    }
    char reason[RCITY_CRS_REASON_BYTES];
    RCITY_TRY(rcity_crs_judge(call, crs, lonlat, reason));
    *is_fit = reason[0] == '\0';
    return RCITY_OK;
}

/* An input whose CRS may become the scene's. */
typedef struct crs_candidate {
    OGRSpatialReferenceH crs;
    double lonlat[2];
} crs_candidate;

static rcity_status look_at_vector(rcity_import *import, const char *path, const char *layer, const char *layer_option,
                                   crs_candidate *candidate)
{
    rcity_vector vector;
    RCITY_TRY(rcity_vector_open(import, path, layer, layer_option, &vector));
    rcity_status status = rcity_vector_find_centre(&vector, candidate->lonlat);
    if (status == RCITY_OK) {
        candidate->crs = vector.crs;
        vector.crs = NULL;
    }
    rcity_vector_close(&vector);
    return status;
}

static rcity_status look_at_raster(rcity_import *import, const char *path, crs_candidate *candidate)
{
    char *text = NULL;
    RCITY_TRY(rcity_import_peek_raster(import, path, &text, candidate->lonlat));
    rcity_status status = RCITY_OK;
    if (text[0] == '\0') {
        status = rcity_fail(import->context, RCITY_ERR_ARGUMENT,
                            "'%s' does not state its CRS; say it with `crs`, such as `crs=EPSG:32632`", path);
    } else {
        status = rcity_gdal_read_crs(import->call, text, &candidate->crs);
    }
    rcity_release(import->context, text);
    return status;
}

/* The inputs in the order in which they are tried: buildings, terrain, vegetation. */
static rcity_status look_at_input(rcity_import *import, int index, crs_candidate *candidate)
{
    const rcity_import_options *options = import->options;
    if (index < options->building_path_count) {
        return look_at_vector(import, options->building_paths[index], options->building_layer, "layer", candidate);
    }
    index -= options->building_path_count;
    if (index < options->terrain_path_count) {
        return look_at_raster(import, options->terrain_paths[index], candidate);
    }
    return look_at_vector(import, options->vegetation_path, options->vegetation_layer, "vegetation-layer", candidate);
}

static rcity_status choose_from_inputs(rcity_import *import, char **text)
{
    const rcity_import_options *options = import->options;
    int input_count =
        options->building_path_count + options->terrain_path_count + (options->vegetation_path != NULL ? 1 : 0);
    double first[2] = {0.0, 0.0};
    for (int i = 0; i < input_count; i++) {
        crs_candidate candidate = {NULL, {0.0, 0.0}};
        bool is_fit = false;
        RCITY_TRY(look_at_input(import, i, &candidate));
        rcity_status status = test_plane(import->call, candidate.crs, candidate.lonlat, &is_fit);
        if (status == RCITY_OK && is_fit) {
            status = rcity_crs_name(import->call, candidate.crs, text);
        }
        OSRDestroySpatialReference(candidate.crs);
        if (status != RCITY_OK || is_fit) {
            return status;
        }
        if (i == 0) {
            first[0] = candidate.lonlat[0] - 360.0 * floor((candidate.lonlat[0] + 180.0) / 360.0);
            first[1] = candidate.lonlat[1];
        }
    }
    if (options->building_path_count == 0 && rcity_terrain_has_area(options)) {
        const double *area = options->terrain_area_lonlat;
        double middle = 0.5 * (area[0] + area[2]);
        first[0] = middle - 360.0 * floor((middle + 180.0) / 360.0);
        first[1] = 0.5 * (area[1] + area[3]);
    }
    char code[RCITY_CRS_BYTES];
    RCITY_TRY(rcity_crs_choose_utm(import->context, first[0], first[1], code));
    return rcity_copy_text(import->context, code, text);
}

/* The requested CRS must be suitable where the first input lies. Swapped axes get a better message later. */
static rcity_status check_wanted(rcity_import *import, OGRSpatialReferenceH wanted)
{
    crs_candidate candidate = {NULL, {0.0, 0.0}};
    RCITY_TRY(look_at_input(import, 0, &candidate));
    OSRDestroySpatialReference(candidate.crs);
    double swapped[2] = {candidate.lonlat[1], candidate.lonlat[0]};
    bool is_swapped =
        !rcity_crs_area_holds(wanted, candidate.lonlat, 2.0) && rcity_crs_area_holds(wanted, swapped, 0.0);
    return is_swapped ? RCITY_OK
                      : rcity_crs_check_plane(import->call, wanted, import->options->scene.crs, candidate.lonlat);
}

/* Plain metres, or the CRS that the user requests; `*text` stays NULL if neither is given. */
static rcity_status take_wanted(rcity_import *import, char **text)
{
    const rcity_import_options *options = import->options;
    bool is_plain = options->input_crs != NULL && strcmp(options->input_crs, "none") == 0;
    const char *wanted = options->scene.crs;
    if (is_plain || (wanted != NULL && strcmp(wanted, "none") == 0)) {
        RCITY_CHECK(import->context, wanted == NULL || !is_plain || strcmp(wanted, "none") == 0, RCITY_ERR_ARGUMENT,
                    "coordinates without CRS (`crs=none`) cannot be transformed into %.100s (`to-crs`)", wanted);
        return rcity_copy_text(import->context, "none", text);
    }
    if (wanted == NULL) {
        return RCITY_OK;
    }
    OGRSpatialReferenceH crs = NULL;
    RCITY_TRY(rcity_gdal_read_scene_crs(import->call, wanted, &crs));
    rcity_status status = check_wanted(import, crs);
    if (status == RCITY_OK) {
        status = rcity_crs_name(import->call, crs, text);
    }
    OSRDestroySpatialReference(crs);
    return status;
}

rcity_status rcity_import_choose_crs(rcity_import *import, char **text, OGRSpatialReferenceH *crs)
{
    char *chosen = NULL;
    RCITY_TRY(take_wanted(import, &chosen));
    rcity_status status = RCITY_OK;
    if (chosen == NULL) {
        RCITY_TRY(choose_from_inputs(import, &chosen));
    }
    assert(chosen != NULL);
    if (strcmp(chosen, "none") != 0) {
        RCITY_TRY_DONE(rcity_gdal_read_scene_crs(import->call, chosen, crs));
    }
    *text = chosen;
    chosen = NULL;
done:
    rcity_release(import->context, chosen);
    return status;
}
