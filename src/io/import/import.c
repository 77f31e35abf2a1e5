/* Imports GIS data: one scene from buildings, vegetation, terrain and land cover, each step in its own file. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/abi.h"
#include "io/import/height_unit.h"
#include "io/import/import_crs.h"
#include "io/import/import_vectors.h"
#include "io/raster/terrain_paths.h"
#include "radiocity/radio.h"
#include "text/utf8.h"

/* Inputs nearer than this belong together. If they are farther, but nearer with x and y exchanged, the axes are
   swapped. */
#define NEAR_M 100e3

void rcity_import_begin_bounds(rcity_import *import, double before[4])
{
    before[0] = import->x_min_m;
    before[1] = import->y_min_m;
    before[2] = import->x_max_m;
    before[3] = import->y_max_m;
    import->x_min_m = import->y_min_m = HUGE_VAL;
    import->x_max_m = import->y_max_m = -HUGE_VAL;
}

void rcity_import_widen_bounds(rcity_import *import, const double box[4])
{
    import->x_min_m = fmin(import->x_min_m, box[0]);
    import->y_min_m = fmin(import->y_min_m, box[1]);
    import->x_max_m = fmax(import->x_max_m, box[2]);
    import->y_max_m = fmax(import->y_max_m, box[3]);
}

rcity_status rcity_import_join_bounds(rcity_import *import, const char *path, double reach_m, const double before[4])
{
    bool has_both = before[0] <= before[2] && import->x_min_m <= import->x_max_m;
    double dx = fmax(fmax(before[0] - import->x_max_m, import->x_min_m - before[2]), 0.0);
    double dy = fmax(fmax(before[1] - import->y_max_m, import->y_min_m - before[3]), 0.0);
    RCITY_CHECK(import->context, !has_both || hypot(dx, dy) <= reach_m, RCITY_ERR_ARGUMENT,
                "'%s' lies %.0f km from the inputs before it and belongs to no scene with them; is its CRS right, are "
                "its axes?",
                path, hypot(dx, dy) / 1000.0);
    rcity_import_widen_bounds(import, before);
    return RCITY_OK;
}

static rcity_status check_height(rcity_context *context, const char *option, double value_m, double most_m)
{
    RCITY_CHECK(context, isnan(value_m) || (value_m >= RCITY_HEIGHT_MIN_M && value_m <= most_m), RCITY_ERR_ARGUMENT,
                "%s is %g m, must be %g to %g m", option, value_m, RCITY_HEIGHT_MIN_M, most_m);
    return RCITY_OK;
}

static rcity_status check_area(rcity_context *context, const rcity_import_options *options)
{
    const double *area = options->terrain_area_lonlat;
    if (!rcity_terrain_has_area(options)) {
        return RCITY_OK;
    }
    RCITY_CHECK(
        context,
        area[0] >= -180.0 && area[0] < area[2] && area[2] <= 360.0 && area[2] - area[0] <= 180.0 && area[1] >= -90.0 &&
            area[1] < area[3] && area[3] <= 90.0,
        RCITY_ERR_ARGUMENT,
        "`terrain-area-lonlat` is %g,%g,%g,%g, must be west, south, east and north in degrees, each less than its "
        "opposite",
        area[0], area[1], area[2], area[3]);
    RCITY_CHECK(context, options->terrain_path_count > 0, RCITY_ERR_ARGUMENT, "`terrain-area-lonlat` needs `terrain`");
    RCITY_CHECK(context, isnan(options->terrain_margin_m), RCITY_ERR_ARGUMENT,
                "`terrain-area-lonlat` and `terrain-margin-m` exclude each other");
    return RCITY_OK;
}

static rcity_status check_options(rcity_context *context, const rcity_import_options *options)
{
    RCITY_CHECK(context, options->building_path_count > 0 || options->terrain_path_count > 0, RCITY_ERR_ARGUMENT,
                "nothing to import: give a file of buildings, or `terrain`");
    RCITY_CHECK(context, options->floor_height_m >= 1.0 && options->floor_height_m <= 20.0, RCITY_ERR_ARGUMENT,
                "the height of a floor is %g m, must be 1 to 20 m", options->floor_height_m);
    RCITY_TRY(rcity_height_unit_check(context, options->height_unit));
    RCITY_TRY(check_height(context, "the default height", options->default_height_m, RCITY_HEIGHT_MAX_M));
    RCITY_TRY(check_height(context, "the height of vegetation", options->vegetation_height_m, RCITY_VEGETATION_MAX_M));
    RCITY_TRY(check_area(context, options));
    RCITY_CHECK(context, (options->land_cover_path != NULL) == (options->land_cover_table != NULL), RCITY_ERR_ARGUMENT,
                "land cover needs both its raster (`land-cover`) and the table of its classes (`classes`)");
    return RCITY_OK;
}

/* Distance of two places on a sphere, precise enough for kilometres. */
static double distance_m(const double from[2], const double to[2])
{
    const double rad = acos(-1.0) / 180.0;
    double dlat = sin(0.5 * rad * (to[1] - from[1]));
    double dlon = sin(0.5 * rad * (to[0] - from[0]));
    double h = dlat * dlat + cos(rad * from[1]) * cos(rad * to[1]) * dlon * dlon;
    return 2.0 * RCITY_EARTH_RADIUS_M * asin(fmin(sqrt(h), 1.0));
}

/* Buildings whose latitudes and longitudes are swapped lie in another part of the world than the terrain. */
static rcity_status check_axes(rcity_import *import)
{
    const rcity_import_options *options = import->options;
    if (import->crs == NULL || options->terrain_path_count == 0 || import->x_min_m > import->x_max_m) {
        return RCITY_OK;
    }
    double there[2];
    char *text = NULL;
    RCITY_TRY(rcity_import_peek_raster(import, options->terrain_paths[0], &text, there));
    bool is_known = text[0] != '\0';
    rcity_release(import->context, text);
    if (!is_known) {
        return RCITY_OK;
    }
    OGRCoordinateTransformationH to_lonlat = NULL;
    RCITY_TRY(rcity_crs_open_lonlat(import->call, import->crs, &to_lonlat));
    double here[2];
    bool is_placed = rcity_crs_place(to_lonlat, 0.5 * (import->x_min_m + import->x_max_m),
                                     0.5 * (import->y_min_m + import->y_max_m), here);
    OCTDestroyCoordinateTransformation(to_lonlat);
    double swapped[2] = {here[1], here[0]};
    bool is_swapped = is_placed && distance_m(here, there) > NEAR_M && distance_m(swapped, there) < NEAR_M;
    RCITY_CHECK(import->context, !is_swapped, RCITY_ERR_ARGUMENT,
                "the buildings lie around longitude %.4f, latitude %.4f, far from the terrain at %.4f, %.4f, but near "
                "it with the two swapped; longitude comes first",
                here[0], here[1], there[0], there[1]);
    return RCITY_OK;
}

/* The last part of a path, without control characters. */
static void add_name(char *text, size_t room, const char *before, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL && slash[1] != '\0' ? slash + 1 : path;
    size_t length = strlen(text);
    if (length + strlen(before) >= room) {
        return;
    }
    size_t left = room - length - strlen(before) - 1;
    size_t name_length = rcity_utf8_cut(name, left < 80 ? left : 80);
    memcpy(text + length, before, strlen(before));
    memcpy(text + length + strlen(before), name, name_length);
    text[length + strlen(before) + name_length] = '\0';
    for (char *c = text + length; *c != '\0'; c++) {
        *c = iscntrl((unsigned char)*c) ? ' ' : *c;
    }
}

static void add_text(char *text, size_t room, const char *added)
{
    size_t length = strlen(text);
    if (length + strlen(added) < room) {
        memcpy(text + length, added, strlen(added) + 1);
    }
}

static rcity_status set_source(rcity_import *import)
{
    const rcity_import_options *options = import->options;
    char source[250] = "";
    for (int i = 0; i < options->building_path_count; i++) {
        add_name(source, sizeof source, i > 0 ? ", " : "", options->building_paths[i]);
    }
    const char *ground = options->terrain_is_surface ? "surface model " : "terrain ";
    for (int i = 0; i < options->terrain_path_count; i++) {
        if (i == 0) {
            add_text(source, sizeof source, source[0] != '\0' ? "; " : "");
            add_text(source, sizeof source, ground);
        }
        add_name(source, sizeof source, i > 0 ? ", " : "", options->terrain_paths[i]);
    }
    if (options->vegetation_path != NULL) {
        add_name(source, sizeof source, "; vegetation ", options->vegetation_path);
    }
    if (options->land_cover_path != NULL) {
        add_name(source, sizeof source, "; land cover ", options->land_cover_path);
    }
    return rcity_scene_set_source(import->scene, source);
}

static bool is_about(const char *message, const char *what)
{
    static const char outline[] = "the outline of ";
    message += strncmp(message, outline, strlen(outline)) == 0 ? strlen(outline) : 0;
    return strncmp(message, what, strlen(what)) == 0;
}

/* The file of the shape that the message of a failed commit names; NULL if it cannot be told. */
static const char *find_culprit(const rcity_import *import)
{
    const rcity_import_options *options = import->options;
    const char *message = rcity_context_message(import->context);
    if (is_about(message, "vegetation ")) {
        return options->vegetation_path;
    }
    return is_about(message, "building ") && options->building_path_count == 1 ? options->building_paths[0] : NULL;
}

static rcity_status read_all(rcity_import *import)
{
    RCITY_TRY(rcity_import_materials(import));
    RCITY_TRY(rcity_import_buildings(import));
    RCITY_TRY(rcity_import_vegetation(import));
    RCITY_TRY(check_axes(import));
    RCITY_TRY(rcity_import_terrain(import));
    RCITY_TRY(rcity_import_land_cover(import));
    RCITY_TRY(set_source(import));
    rcity_status status = rcity_scene_commit(import->scene);
    const char *path = status != RCITY_OK ? find_culprit(import) : NULL;
    return path != NULL ? rcity_fail_prefix(import->context, status, "'%s': ", path) : status;
}

/* Warn if most of the city was left out. */
static rcity_status warn_of_loss(const rcity_import *import)
{
    rcity_scene_info info;
    RCITY_TRY(rcity_scene_describe(import->scene, &info));
    int64_t lost_count = info.repair_count[RCITY_REPAIR_DROPPED_BUILDINGS] + import->report.dropped_count;
    if (lost_count > info.building_count) {
        rcity_log(import->context, RCITY_LOG_WARNING,
                  "more than half of the buildings were left out: %lld, and %lld %s kept", (long long)lost_count,
                  (long long)info.building_count, info.building_count == 1 ? "was" : "were");
    }
    return RCITY_OK;
}

static rcity_status scene_import(rcity_context *context, const rcity_import_options *options, rcity_scene **scene,
                                 rcity_import_report *report)
{
    RCITY_TRY(check_options(context, options));
    rcity_gdal_call call;
    rcity_import import;
    char *crs_text = NULL;
    rcity_terrain_paths terrain = {NULL, 0, 0};
    rcity_status status;
    memset(&import, 0, sizeof import);
    import.context = context;
    import.call = &call;
    import.options = options;
    import.x_min_m = import.y_min_m = HUGE_VAL;
    import.x_max_m = import.y_max_m = -HUGE_VAL;
    rcity_gdal_open(context, "import", &call);
    RCITY_TRY_DONE(rcity_terrain_list_paths(&import, &terrain));
    rcity_import_options listed = *options;
    listed.terrain_path_count = terrain.count;
    listed.terrain_paths = (const char *const *)terrain.paths;
    import.options = &listed;
    RCITY_TRY_DONE(rcity_import_choose_crs(&import, &crs_text, &import.crs));
    import.crs_text = crs_text;
    rcity_scene_options scene_options = options->scene;
    scene_options.crs = import.crs != NULL ? crs_text : NULL;
    import.has_area = rcity_terrain_has_area(options);
    if (import.has_area) {
        RCITY_TRY_DONE(rcity_terrain_place_area(&import, import.area_m));
    }
    RCITY_TRY_DONE(rcity_scene_create(context, &scene_options, &import.scene));
    RCITY_TRY_DONE(read_all(&import));
    RCITY_TRY_DONE(warn_of_loss(&import));
    *scene = import.scene;
    import.scene = NULL;
    *report = import.report;
done:
    rcity_scene_destroy(&import.scene);
    if (import.crs != NULL) {
        OSRDestroySpatialReference(import.crs);
    }
    rcity_release(context, crs_text);
    rcity_terrain_paths_deinit(context, &terrain);
    rcity_gdal_close(&call);
    return status;
}

rcity_status rcity_scene_import_sized(rcity_context *context, const rcity_import_options *options, rcity_scene **scene,
                                      size_t report_bytes, rcity_import_report *report)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    rcity_import_options known_options;
    RCITY_TAKE(context, rcity_import_options, land_cover_table, options, &known_options);
    RCITY_TRY(RCITY_CHECK_FIXED(context, rcity_scene_options, &known_options.scene));
    RCITY_CHECK_BYTES(context, rcity_import_report, report_bytes);
    rcity_import_report made;
    RCITY_TRY(scene_import(context, &known_options, scene, &made));
    if (report != NULL) {
        rcity_copy_struct(&made, sizeof made, report_bytes, report);
    }
    return RCITY_OK;
}
