/* Rasters to sample, through GDAL. */
#include "io/raster/raster_source.h"

#include <cpl_error.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "io/gis/gdal_source.h"
#include "io/import/import_crs.h"

#define GRID_TOLERANCE 0.01 /* of a pixel: largest offset of tiles of one grid */
#define RIM_POINTS     33   /* points along each side of a layer */
#define RIM_TOLERANCE  1e-6 /* of a pixel: a place between two adjacent layers must lie in one of them */

rcity_status rcity_raster_open(rcity_import *import, const char *path, GDALDatasetH *dataset)
{
    rcity_gdal_call *call = import->call;
    rcity_gdal_forget(call);
    GDALDatasetH opened = rcity_gdal_open_source(call, path, GDAL_OF_RASTER, NULL);
    if (opened == NULL) {
        RCITY_TRY(rcity_gdal_check_source(call, path, GDAL_OF_RASTER));
        struct stat found;
        const char *words = call->text[0] != '\0' ? call->text : "no reason given";
        RCITY_CHECK(import->context, stat(path, &found) == 0, RCITY_ERR_FILE,
                    "cannot open the raster '%s' (%.300s); check the path", path, words);
        return rcity_fail(import->context, RCITY_ERR_FORMAT, "'%s' is not a raster that GDAL can read (%.300s)", path,
                          words);
    }
    rcity_gdal_forget(call);
    if (GDALGetRasterCount(opened) == 0) {
        GDALClose(opened);
        return rcity_fail(import->context, RCITY_ERR_FORMAT,
                          "'%s' holds no bands of its own; name one of its subdatasets ('gdalinfo' lists them)", path);
    }
    *dataset = opened;
    return RCITY_OK;
}

/* The user names another CRS than the raster states. As with vectors, that is an error for a single input; among
   several the user may mean one that states none. */
static rcity_status settle_conflict(rcity_import *import, const char *path, OGRSpatialReferenceH stated)
{
    const rcity_import_options *options = import->options;
    OGRSpatialReferenceH said = NULL;
    char *text = NULL;
    if (options->input_crs == NULL || strcmp(options->input_crs, "none") == 0) { /* check_crs() handles "none" */
        return RCITY_OK;
    }
    RCITY_TRY(rcity_gdal_read_crs(import->call, options->input_crs, &said));
    bool is_same = rcity_crs_is_same(stated, said);
    OSRDestroySpatialReference(said);
    if (is_same) {
        return RCITY_OK;
    }
    int input_count = options->building_path_count + options->terrain_path_count +
                      (options->vegetation_path != NULL ? 1 : 0) + (options->land_cover_path != NULL ? 1 : 0);
    rcity_status status = rcity_crs_name(import->call, stated, &text);
    if (status == RCITY_OK && input_count == 1) {
        status = rcity_fail(import->context, RCITY_ERR_ARGUMENT,
                            "'%s' states its CRS, %.200s, but `crs` says %.200s; leave `crs` out (`to-crs` chooses the "
                            "scene's CRS)",
                            path, text, options->input_crs);
    } else if (status == RCITY_OK && import->crs != NULL) { /* not while the scene's CRS is being chosen: warn once */
        rcity_log(import->context, RCITY_LOG_WARNING,
                  "'%s' states its CRS, %.200s, and keeps it; `crs=%.200s` counts for inputs that state none", path,
                  text, options->input_crs);
    }
    rcity_release(import->context, text);
    return status;
}

rcity_status rcity_raster_read_crs(rcity_import *import, const char *path, GDALDatasetH dataset,
                                   OGRSpatialReferenceH *crs)
{
    const char *given = import->options->input_crs;
    OGRSpatialReferenceH stated = GDALGetSpatialRef(dataset);
    OGRSpatialReferenceH made = NULL;
    if (stated != NULL && !rcity_crs_says_none(stated)) {
        made = OSRClone(stated);
        OSRSetAxisMappingStrategy(made, OAMS_TRADITIONAL_GIS_ORDER);
        if (OSRIsCompound(made)) {
            OSRStripVertical(made);
        }
        rcity_status status = settle_conflict(import, path, made);
        if (status != RCITY_OK) {
            OSRDestroySpatialReference(made);
            return status;
        }
    } else if (given != NULL && strcmp(given, "none") != 0) {
        RCITY_TRY(rcity_gdal_read_crs(import->call, given, &made));
    }
    *crs = made;
    return RCITY_OK;
}

/* Does it contain colours instead of heights: a palette, or red, green and blue? */
static bool is_picture(GDALDatasetH dataset)
{
    GDALColorInterp first = GDALGetRasterColorInterpretation(GDALGetRasterBand(dataset, 1));
    return first == GCI_PaletteIndex ||
           (GDALGetRasterCount(dataset) >= 3 && first >= GCI_RedBand && first <= GCI_YCbCr_CrBand);
}

static rcity_status check_bands(rcity_import *import, rcity_raster_use use, const rcity_raster_tile *tile)
{
    int band_count = GDALGetRasterCount(tile->dataset);
    RCITY_CHECK(import->context, use != RCITY_RASTER_TERRAIN || !is_picture(tile->dataset), RCITY_ERR_FORMAT,
                "'%s' looks like a picture (its values are colours), not like heights; give an elevation model",
                tile->path);
    RCITY_CHECK(import->context, !GDALDataTypeIsComplex(GDALGetRasterDataType(tile->band)), RCITY_ERR_FORMAT,
                "'%s' holds complex numbers; give one real value a pixel", tile->path);
    if (band_count > 1) {
        rcity_log(import->context, RCITY_LOG_WARNING, "'%s' has %d bands; the first is read", tile->path, band_count);
    }
    return RCITY_OK;
}

static rcity_status open_tile(rcity_import *import, rcity_raster_use use, const char *path, rcity_raster_tile *tile)
{
    tile->path = path;
    RCITY_TRY(rcity_raster_open(import, path, &tile->dataset));
    tile->band = GDALGetRasterBand(tile->dataset, 1);
    tile->column_count = GDALGetRasterXSize(tile->dataset);
    tile->row_count = GDALGetRasterYSize(tile->dataset);
    RCITY_TRY(check_bands(import, use, tile));
    RCITY_CHECK(import->context, GDALGetGeoTransform(tile->dataset, tile->to_place) == CE_None, RCITY_ERR_FORMAT,
                "'%s' does not say where it lies; give it a position, for example with gdal_translate -a_ullr", path);
    int is_known = FALSE;
    tile->nodata = GDALGetRasterNoDataValue(tile->band, &is_known);
    tile->has_nodata = is_known != FALSE && use == RCITY_RASTER_TERRAIN; /* "unclassified" is a land-cover class */
    int mask = GDALGetMaskFlags(tile->band);
    tile->has_mask = (mask & (GMF_ALL_VALID | GMF_NODATA)) == 0 && use == RCITY_RASTER_TERRAIN;
    tile->scale = GDALGetRasterScale(tile->band, &is_known);
    tile->offset = GDALGetRasterOffset(tile->band, &is_known);
    tile->unit_m = 1.0;
    return RCITY_OK;
}

/* The position of a tile on the grid of another, in pixels; false when it is not on that grid. */
static bool find_on_grid(const rcity_raster_tile *tile, const double to_place[6], double *column, double *row)
{
    const double *own = tile->to_place;
    bool is_upright = own[2] == 0.0 && own[4] == 0.0 && to_place[2] == 0.0 && to_place[4] == 0.0;
    if (!is_upright) {
        return false;
    }
    *column = (own[0] - to_place[0]) / to_place[1];
    *row = (own[3] - to_place[3]) / to_place[5];
    double stretch =
        fabs(own[1] / to_place[1] - 1.0) * tile->column_count + fabs(own[5] / to_place[5] - 1.0) * tile->row_count;
    return stretch <= GRID_TOLERANCE && fabs(*column - round(*column)) <= GRID_TOLERANCE &&
           fabs(*row - round(*row)) <= GRID_TOLERANCE && fabs(*column) < 1e8 && fabs(*row) < 1e8;
}

/* Add a tile to a layer if it lies on the layer's grid. */
static bool join_layer(rcity_raster_layer *layer, rcity_raster_tile *tile, OGRSpatialReferenceH crs)
{
    double column = 0.0;
    double row = 0.0;
    bool is_same = (crs == NULL) == (layer->crs == NULL) && (crs == NULL || rcity_crs_is_same(crs, layer->crs));
    if (!is_same || !find_on_grid(tile, layer->to_place, &column, &row)) {
        return false;
    }
    double west = fmin(round(column), 0.0);
    double top = fmin(round(row), 0.0);
    double east = fmax(layer->column_count, round(column) + tile->column_count);
    double bottom = fmax(layer->row_count, round(row) + tile->row_count);
    if (east - west > INT32_MAX / 2 || bottom - top > INT32_MAX / 2) {
        return false;
    }
    tile->column = (int)round(column);
    tile->row = (int)round(row);
    layer->tile_count++;
    for (int i = 0; i < layer->tile_count; i++) { /* the layer's first pixel may have moved west or north */
        layer->tiles[i].column -= (int)west;
        layer->tiles[i].row -= (int)top;
    }
    layer->to_place[0] += west * layer->to_place[1];
    layer->to_place[3] += top * layer->to_place[5];
    layer->column_count = (int)(east - west);
    layer->row_count = (int)(bottom - top);
    return true;
}

static rcity_status check_crs(rcity_import *import, const char *path, OGRSpatialReferenceH crs)
{
    RCITY_CHECK(import->context, crs != NULL || import->crs == NULL, RCITY_ERR_ARGUMENT,
                "'%s' does not state its CRS; say it with `crs`, such as `crs=EPSG:32632`", path);
    RCITY_CHECK(import->context, crs == NULL || import->crs != NULL, RCITY_ERR_ARGUMENT,
                "'%s' has a CRS, but the scene is to have none (plain metres); give the scene one, or take it off the "
                "raster with gdal_translate -a_srs none",
                path);
    return RCITY_OK;
}

/* Add a tile to the previous layer or to a new one. Takes ownership of `crs`. */
static rcity_status add_tile(rcity_import *import, rcity_raster_set *set, rcity_raster_tile *tile,
                             OGRSpatialReferenceH crs)
{
    if (set->layer_count > 0 && join_layer(&set->layers[set->layer_count - 1], tile, crs)) {
        OSRDestroySpatialReference(crs);
        return RCITY_OK;
    }
    rcity_raster_layer *layer = &set->layers[set->layer_count++];
    layer->tiles = tile;
    layer->tile_count = 1;
    layer->column_count = tile->column_count;
    layer->row_count = tile->row_count;
    memcpy(layer->to_place, tile->to_place, sizeof layer->to_place);
    layer->crs = crs;
    if (crs != NULL && !rcity_crs_is_same(crs, import->crs)) {
        layer->from_scene = OCTNewCoordinateTransformation(import->crs, crs);
        layer->to_scene = OCTNewCoordinateTransformation(crs, import->crs);
        RCITY_CHECK(import->context, layer->from_scene != NULL && layer->to_scene != NULL, RCITY_ERR_ARGUMENT,
                    "there is no transformation from the scene's CRS to that of '%s' (%.300s)", tile->path,
                    import->call->text[0] != '\0' ? import->call->text : "no reason given");
    }
    return RCITY_OK;
}

/* Does a raster lie wholly outside the area that terrain is limited to? Then it need not stay open. */
static bool misses_area(const rcity_import *import, const rcity_raster_tile *tile, OGRSpatialReferenceH crs)
{
    rcity_raster_layer layer;
    double box[4];
    memset(&layer, 0, sizeof layer);
    memcpy(layer.to_place, tile->to_place, sizeof layer.to_place);
    layer.column_count = tile->column_count;
    layer.row_count = tile->row_count;
    if (crs != NULL && !rcity_crs_is_same(crs, import->crs)) {
        layer.to_scene = OCTNewCoordinateTransformation(crs, import->crs);
    }
    bool is_known = (crs == NULL || layer.to_scene != NULL || rcity_crs_is_same(crs, import->crs)) &&
                    rcity_raster_bound(&layer, box);
    if (layer.to_scene != NULL) {
        OCTDestroyCoordinateTransformation(layer.to_scene);
    }
    const double *area = import->area_m;
    return is_known && (box[0] > area[2] || box[2] < area[0] || box[1] > area[3] || box[3] < area[1]);
}

rcity_status rcity_raster_set_open(rcity_import *import, rcity_raster_use use, const char *const *paths, int path_count,
                                   rcity_raster_set *set)
{
    rcity_context *context = import->context;
    RCITY_TRY(rcity_alloc(context, (size_t)path_count, sizeof *set->tiles, "a list of rasters", &set->tiles));
    RCITY_TRY(rcity_alloc(context, (size_t)path_count, sizeof *set->layers, "a list of rasters", &set->layers));
    for (int i = 0; i < path_count; i++) {
        rcity_raster_tile *tile = &set->tiles[set->tile_count++];
        OGRSpatialReferenceH crs = NULL;
        RCITY_TRY(open_tile(import, use, paths[i], tile));
        RCITY_TRY(rcity_raster_read_crs(import, paths[i], tile->dataset, &crs));
        rcity_status status = check_crs(import, paths[i], crs);
        if (status != RCITY_OK) {
            OSRDestroySpatialReference(crs);
            return status;
        }
        if (use == RCITY_RASTER_TERRAIN && import->has_area && misses_area(import, tile, crs)) {
            OSRDestroySpatialReference(crs);
            GDALClose(tile->dataset);
            memset(tile, 0, sizeof *tile);
            set->tile_count--;
            continue;
        }
        RCITY_TRY(add_tile(import, set, tile, crs));
    }
    RCITY_CHECK(context, set->layer_count > 0, RCITY_ERR_ARGUMENT,
                "none of the rasters of the terrain, such as '%s', lies in the area (`terrain-area-lonlat`)", paths[0]);
    for (int i = 0; i < set->layer_count; i++) {
        RCITY_CHECK(context, GDALInvGeoTransform(set->layers[i].to_place, set->layers[i].to_pixel), RCITY_ERR_FORMAT,
                    "'%s' has pixels without size", set->layers[i].tiles[0].path);
    }
    return RCITY_OK;
}

void rcity_raster_set_close(rcity_context *context, rcity_raster_set *set)
{
    for (int i = 0; i < set->layer_count; i++) {
        rcity_raster_layer *layer = &set->layers[i];
        if (layer->from_scene != NULL) {
            OCTDestroyCoordinateTransformation(layer->from_scene);
        }
        if (layer->to_scene != NULL) {
            OCTDestroyCoordinateTransformation(layer->to_scene);
        }
        if (layer->crs != NULL) {
            OSRDestroySpatialReference(layer->crs);
        }
    }
    for (int i = 0; i < set->tile_count; i++) {
        if (set->tiles[i].dataset != NULL) {
            GDALClose(set->tiles[i].dataset);
        }
    }
    rcity_release(context, set->layers);
    rcity_release(context, set->tiles);
    memset(set, 0, sizeof *set);
}

static void apply(const double transform[6], double x, double y, double *moved_x, double *moved_y)
{
    *moved_x = transform[0] + transform[1] * x + transform[2] * y;
    *moved_y = transform[3] + transform[4] * x + transform[5] * y;
}

/* Longitudes of a raster may count from 0 to 360, or on from 180: use the multiple of 360 with which it lies inside,
   else one with which it lies within a pixel of the edge. */
static void locate_one(const rcity_raster_layer *layer, bool is_round, double *x, double *y)
{
    static const double turn_deg[3] = {0.0, -360.0, 360.0};
    double lon = *x;
    double lat = *y;
    apply(layer->to_pixel, lon, lat, x, y);
    for (int i = 0; i < 6 && is_round; i++) {
        double turned_x, turned_y;
        apply(layer->to_pixel, lon + turn_deg[i % 3], lat, &turned_x, &turned_y);
        if (rcity_raster_holds(layer, turned_x, turned_y, i < 3 ? 0.0 : -1.0)) {
            *x = turned_x;
            *y = turned_y;
            return;
        }
    }
}

void rcity_raster_locate(const rcity_raster_layer *layer, int count, double *x, double *y)
{
    enum { BLOCK = 256 };
    int is_placed[BLOCK];
    bool is_round = layer->crs != NULL && OSRIsGeographic(layer->crs);
    CPLPushErrorHandler(CPLQuietErrorHandler); /* places outside a projection are no error */
    for (int first = 0; first < count; first += BLOCK) {
        int block = count - first < BLOCK ? count - first : BLOCK;
        if (layer->from_scene != NULL) {
            OCTTransformEx(layer->from_scene, block, x + first, y + first, NULL, is_placed);
        }
        for (int i = first; i < first + block; i++) {
            bool has_place = layer->from_scene == NULL || is_placed[i - first];
            if (has_place && isfinite(x[i]) && isfinite(y[i])) {
                locate_one(layer, is_round, &x[i], &y[i]);
            } else {
                x[i] = y[i] = (double)NAN;
            }
        }
    }
    CPLPopErrorHandler();
}

bool rcity_raster_holds(const rcity_raster_layer *layer, double x, double y, double rim)
{
    double least = rim - RIM_TOLERANCE;
    return x >= least && y >= least && x <= layer->column_count - least && y <= layer->row_count - least;
}

/* Copy a tile's values for a window of the layer to pixels that have none yet. */
static rcity_status read_tile(rcity_import *import, const rcity_raster_tile *tile, rcity_raster_window window,
                              float *row_value, unsigned char *row_mask, float *value)
{
    int column_begin = tile->column > window.column ? tile->column : window.column;
    int row_begin = tile->row > window.row ? tile->row : window.row;
    int column_end = tile->column + tile->column_count;
    int row_end = tile->row + tile->row_count;
    column_end = column_end < window.column + window.column_count ? column_end : window.column + window.column_count;
    row_end = row_end < window.row + window.row_count ? row_end : window.row + window.row_count;
    int count = column_end - column_begin;
    for (int row = row_begin; row < row_end && count > 0; row++) {
        int x = column_begin - tile->column;
        int y = row - tile->row;
        CPLErr error = GDALRasterIO(tile->band, GF_Read, x, y, count, 1, row_value, count, 1, GDT_Float32, 0, 0);
        if (error == CE_None && tile->has_mask) {
            error =
                GDALRasterIO(GDALGetMaskBand(tile->band), GF_Read, x, y, count, 1, row_mask, count, 1, GDT_Byte, 0, 0);
        }
        if (error != CE_None) {
            rcity_status status = rcity_gdal_fail(import->call, "read the raster");
            return rcity_fail_prefix(import->context, status, "'%s': ", tile->path);
        }
        float *at = value + (size_t)(row - window.row) * (size_t)window.column_count + (column_begin - window.column);
        for (int i = 0; i < count; i++) {
            bool is_void = isnan(row_value[i]) || (tile->has_nodata && row_value[i] == (float)tile->nodata) ||
                           (tile->has_mask && row_mask[i] == 0);
            if (isnan(at[i]) && !is_void) {
                at[i] = (float)((tile->scale * (double)row_value[i] + tile->offset) * tile->unit_m);
            }
        }
    }
    return RCITY_OK;
}

rcity_status rcity_raster_read(rcity_import *import, const rcity_raster_layer *layer, rcity_raster_window window,
                               float *value)
{
    rcity_context *context = import->context;
    size_t cell_count = (size_t)window.column_count * (size_t)window.row_count;
    float *row_value = NULL;
    unsigned char *row_mask = NULL;
    rcity_status status;
    for (size_t cell = 0; cell < cell_count; cell++) {
        value[cell] = NAN;
    }
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)window.column_count, sizeof *row_value, "a row of a raster", &row_value));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)window.column_count, sizeof *row_mask, "a row of a raster", &row_mask));
    for (int i = 0; i < layer->tile_count; i++) {
        RCITY_TRY_DONE(read_tile(import, &layer->tiles[i], window, row_value, row_mask, value));
    }
done:
    rcity_release(context, row_mask);
    rcity_release(context, row_value);
    return status;
}

/* A pixel coordinate of a layer as a place of the scene. */
static bool place_pixel(const rcity_raster_layer *layer, double x, double y, double place[2])
{
    apply(layer->to_place, x, y, &place[0], &place[1]);
    return layer->to_scene == NULL || rcity_crs_place(layer->to_scene, place[0], place[1], place);
}

bool rcity_raster_bound(const rcity_raster_layer *layer, double box[4])
{
    box[0] = box[1] = HUGE_VAL;
    box[2] = box[3] = -HUGE_VAL;
    for (int i = 0; i < 4 * RIM_POINTS; i++) {
        double share = (double)(i / 4) / (RIM_POINTS - 1);
        double x = i % 4 == 0 ? 0.0 : i % 4 == 1 ? 1.0 : share;
        double y = i % 4 == 2 ? 0.0 : i % 4 == 3 ? 1.0 : share;
        double place[2];
        if (!place_pixel(layer, x * layer->column_count, y * layer->row_count, place)) {
            return false;
        }
        box[0] = fmin(box[0], place[0]);
        box[1] = fmin(box[1], place[1]);
        box[2] = fmax(box[2], place[0]);
        box[3] = fmax(box[3], place[1]);
    }
    return true;
}

bool rcity_raster_measure_pixel(const rcity_raster_layer *layer, double x_m, double y_m, double *side_m)
{
    double x = x_m;
    double y = y_m;
    double from[2], right[2], down[2];
    rcity_raster_locate(layer, 1, &x, &y);
    if (isnan(x) || !place_pixel(layer, x, y, from) || !place_pixel(layer, x + 1.0, y, right) ||
        !place_pixel(layer, x, y + 1.0, down)) {
        return false;
    }
    *side_m = fmin(hypot(right[0] - from[0], right[1] - from[1]), hypot(down[0] - from[0], down[1] - from[1]));
    return *side_m > 0.0;
}
