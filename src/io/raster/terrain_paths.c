/* Elevation rasters as the user names them: files, folders, patterns. */
#include "io/raster/terrain_paths.h"

#include <dirent.h>
#include <errno.h>
#include <gdal.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "io/gis/gdal_source.h"
#include "io/import/import_crs.h"
#include "io/raster/degree_tile.h"

#define NAMES_MAX 5 /* of missing tiles in a message */

/* What counts as a raster in a folder. Mosaics (.vrt) do not: they name files that lie there too. */
static const char *const endings[] = {".hgt", ".tif", ".tiff", ".asc", ".bil", ".dem",
                                      ".img", ".flt", ".dt0",  ".dt1", ".dt2"};

static rcity_status add_path(rcity_context *context, const char *folder, const char *name, rcity_terrain_paths *list)
{
    size_t room = strlen(folder) + strlen(name) + 2;
    RCITY_TRY(rcity_reserve(context, (size_t)list->count + 1, sizeof *list->paths, &list->capacity, "a list of rasters",
                            &list->paths));
    char *path = NULL;
    RCITY_TRY(rcity_alloc(context, room, 1, "a path", &path));
    bool has_slash = folder[0] == '\0' || folder[strlen(folder) - 1] == '/';
    snprintf(path, room, "%s%s%s", folder, has_slash ? "" : "/", name);
    list->paths[list->count++] = path;
    return RCITY_OK;
}

static bool has_raster_ending(const char *name)
{
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot != NULL && dot != name && i < sizeof endings / sizeof endings[0]; i++) {
        if (strcasecmp(dot, endings[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* .hgt tiles have 2 bytes a post, so that larger files are finer. */
static long long fineness(const char *path)
{
    struct stat found;
    return rcity_is_hgt(path) && stat(path, &found) == 0 ? (long long)found.st_size : 0;
}

static int compare_paths(const void *left, const void *right)
{
    const char *a = *(char *const *)left;
    const char *b = *(char *const *)right;
    long long difference = fineness(b) - fineness(a);
    return difference > 0 ? 1 : difference < 0 ? -1 : strcmp(a, b);
}

static void sort_from(rcity_terrain_paths *list, int first)
{
    if (list->count - first > 1) {
        qsort(list->paths + first, (size_t)(list->count - first), sizeof *list->paths, compare_paths);
    }
}

static rcity_status add_folder(rcity_context *context, const char *folder, rcity_terrain_paths *list)
{
    int first = list->count;
    rcity_status status = RCITY_OK;
    DIR *open = opendir(folder);
    RCITY_CHECK(context, open != NULL, RCITY_ERR_FILE, "cannot read the folder '%s': %s", folder, strerror(errno));
    for (struct dirent *entry = readdir(open); entry != NULL && status == RCITY_OK; entry = readdir(open)) {
        if (has_raster_ending(entry->d_name)) {
            status = add_path(context, folder, entry->d_name, list);
        }
    }
    closedir(open);
    RCITY_TRY(status);
    RCITY_CHECK(context, list->count > first, RCITY_ERR_FILE,
                "the folder '%s' holds no elevation rasters (.hgt, .tif, .asc, .bil, .dem, .img, ...); name the files",
                folder);
    sort_from(list, first);
    return RCITY_OK;
}

static rcity_status add_pattern(rcity_context *context, const char *pattern, rcity_terrain_paths *list)
{
    glob_t found;
    int first = list->count;
    int result = glob(pattern, 0, NULL, &found);
    RCITY_CHECK(context, result != GLOB_NOSPACE, RCITY_ERR_MEMORY, "the machine has no memory left to list '%s'",
                pattern);
    RCITY_CHECK(context, result == 0, RCITY_ERR_FILE, "no file matches '%s'; check the pattern", pattern);
    rcity_status status = RCITY_OK;
    for (size_t i = 0; i < found.gl_pathc && status == RCITY_OK; i++) {
        status = add_path(context, "", found.gl_pathv[i], list);
    }
    globfree(&found);
    RCITY_TRY(status);
    sort_from(list, first);
    return RCITY_OK;
}

/* One entry of the user's list. A folder that is itself a raster, as ArcInfo's grids are, stays what it is. */
static rcity_status add_entry(rcity_import *import, const char *path, rcity_terrain_paths *list)
{
    struct stat found;
    bool exists = stat(path, &found) == 0;
    if (exists && S_ISDIR(found.st_mode) && rcity_gdal_identify(import->call, path, GDAL_OF_RASTER) == NULL) {
        return add_folder(import->context, path, list);
    }
    if (!exists && strpbrk(path, "*?[") != NULL && strncmp(path, "/vsi", 4) != 0) {
        return add_pattern(import->context, path, list);
    }
    return add_path(import->context, "", path, list);
}

bool rcity_terrain_has_area(const rcity_import_options *options)
{
    return !isnan(options->terrain_area_lonlat[0]);
}

/* Do the insides of a tile and the area meet? Longitudes may differ by a whole turn. */
static bool meets_area(const double area[4], rcity_degree_tile tile)
{
    bool meets = false;
    for (int turn = -1; turn <= 1; turn++) {
        double west = tile.west_deg + 360.0 * turn;
        meets = meets || (west < area[2] && west + 1.0 > area[0]);
    }
    return meets && tile.south_deg < area[3] && tile.south_deg + 1.0 > area[1];
}

static bool holds_tile(const rcity_terrain_paths *list, rcity_degree_tile wanted)
{
    for (int i = 0; i < list->count; i++) {
        rcity_degree_tile tile;
        if (rcity_degree_tile_read(list->paths[i], &tile) && tile.west_deg == wanted.west_deg &&
            tile.south_deg == wanted.south_deg) {
            return true;
        }
    }
    return false;
}

/* All tiles that the area needs, where every raster is such a tile: what is missing is found before anything is read. */
static rcity_status check_tiles(const rcity_import *import, const rcity_terrain_paths *list, const char *like)
{
    const double *area = import->options->terrain_area_lonlat;
    char names[NAMES_MAX * (RCITY_DEGREE_NAME_BYTES + 2)] = "";
    int missing_count = 0;
    for (int south = (int)floor(area[1]); south < area[3]; south++) {
        for (int west = (int)floor(area[0]); west < area[2]; west++) {
            rcity_degree_tile tile = {(west + 540) % 360 - 180, south};
            char name[RCITY_DEGREE_NAME_BYTES];
            if (!holds_tile(list, tile) && missing_count++ < NAMES_MAX) {
                size_t length = strlen(names);
                snprintf(names + length, sizeof names - length, "%s%s", length > 0 ? ", " : "",
                         rcity_degree_tile_write(tile, like, name));
            }
        }
    }
    bool is_one = missing_count == 1;
    RCITY_CHECK(import->context, missing_count == 0, RCITY_ERR_ARGUMENT,
                "%d tile%s of the area %s missing: %s%s; give %s, or fill with `fill-voids`", missing_count,
                is_one ? "" : "s", is_one ? "is" : "are", names, missing_count > NAMES_MAX ? ", ..." : "",
                is_one ? "it" : "them");
    return RCITY_OK;
}

/* Leave out the tiles that do not meet the area, by their names. */
static rcity_status keep_area(rcity_import *import, rcity_terrain_paths *list)
{
    const double *area = import->options->terrain_area_lonlat;
    char like[RCITY_DEGREE_NAME_BYTES] = "";
    bool is_all_tiles = true;
    int kept_count = 0;
    for (int i = 0; i < list->count; i++) {
        rcity_degree_tile tile;
        bool is_tile = rcity_degree_tile_read(list->paths[i], &tile);
        is_all_tiles = is_all_tiles && is_tile;
        if (is_tile && like[0] == '\0') {
            rcity_degree_tile_write(tile, list->paths[i], like);
        }
        if (!is_tile || meets_area(area, tile)) {
            list->paths[kept_count++] = list->paths[i];
        } else {
            rcity_release(import->context, list->paths[i]);
        }
    }
    list->count = kept_count;
    if (is_all_tiles && (import->options->terrain_fill == RCITY_FILL_FAIL || list->count == 0)) {
        RCITY_TRY(check_tiles(import, list, like));
    }
    return RCITY_OK;
}

rcity_status rcity_terrain_list_paths(rcity_import *import, rcity_terrain_paths *list)
{
    const rcity_import_options *options = import->options;
    for (int i = 0; i < options->terrain_path_count; i++) {
        RCITY_TRY(add_entry(import, options->terrain_paths[i], list));
    }
    for (int i = 0; i < list->count; i++) {
        rcity_degree_tile tile;
        RCITY_CHECK(import->context, !rcity_is_hgt(list->paths[i]) || rcity_degree_tile_read(list->paths[i], &tile),
                    RCITY_ERR_FORMAT,
                    "'%s' does not say where it lies: a .hgt file is named by its south-west corner, such as "
                    "N44W072.hgt; give it its name back",
                    list->paths[i]);
    }
    return rcity_terrain_has_area(options) ? keep_area(import, list) : RCITY_OK;
}

void rcity_terrain_paths_deinit(rcity_context *context, rcity_terrain_paths *list)
{
    for (int i = 0; i < list->count; i++) {
        rcity_release(context, list->paths[i]);
    }
    rcity_release(context, list->paths);
    memset(list, 0, sizeof *list);
}

rcity_status rcity_terrain_place_area(rcity_import *import, double box_m[4])
{
    enum { STEPS = 32 }; /* along each side: meridians and parallels are curves in the scene */
    const double *area = import->options->terrain_area_lonlat;
    RCITY_CHECK(import->context, import->crs != NULL, RCITY_ERR_ARGUMENT,
                "the scene is to have no CRS, so longitudes and latitudes have no place in it; leave "
                "`terrain-area-lonlat` out or give `to-crs`");
    OGRSpatialReferenceH lonlat = NULL;
    RCITY_TRY(rcity_gdal_read_crs(import->call, RCITY_CRS_LONLAT, &lonlat));
    OGRCoordinateTransformationH to_scene = OCTNewCoordinateTransformation(lonlat, import->crs);
    OSRDestroySpatialReference(lonlat);
    if (to_scene == NULL) {
        return rcity_gdal_fail(import->call, "find a transformation from longitude and latitude");
    }
    box_m[0] = box_m[1] = -HUGE_VAL;
    box_m[2] = box_m[3] = HUGE_VAL;
    bool is_placed = true;
    for (int i = 0; i <= STEPS && is_placed; i++) {
        double lon = area[0] + (area[2] - area[0]) * i / STEPS;
        double lat = area[1] + (area[3] - area[1]) * i / STEPS;
        double west[2], south[2], east[2], north[2];
        is_placed = rcity_crs_place(to_scene, area[0], lat, west) && rcity_crs_place(to_scene, lon, area[1], south) &&
                    rcity_crs_place(to_scene, area[2], lat, east) && rcity_crs_place(to_scene, lon, area[3], north);
        box_m[0] = fmax(box_m[0], west[0]);
        box_m[1] = fmax(box_m[1], south[1]);
        box_m[2] = fmin(box_m[2], east[0]);
        box_m[3] = fmin(box_m[3], north[1]);
    }
    OCTDestroyCoordinateTransformation(to_scene);
    RCITY_CHECK(import->context, is_placed && box_m[0] < box_m[2] && box_m[1] < box_m[3], RCITY_ERR_ARGUMENT,
                "the area %g, %g to %g, %g has no upright box in the scene's CRS; choose a CRS for its place with "
                "`to-crs`, or a smaller area",
                area[0], area[1], area[2], area[3]);
    return RCITY_OK;
}
