/* Reads rasters as maps through GDAL: files of radiocity with everything that it wrote, others with what they
   contain. */
#include <ctype.h>
#include <errno.h>
#include <gdal.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "io/gis/gdal_source.h"
#include "io/gis/ground_scale.h"
#include "io/import/import_crs.h"
#include "radiocity/io.h"
#include "result/map_data.h"

#define SHAPE_TOLERANCE 0.01    /* of a cell, over the whole raster: how far cells may be from square and upright */
#define CLASS_COUNT_MAX 1000000 /* floats could hold more classes, but no file names so many */

static const char note_prefix[] = "RADIOCITY_";

static rcity_status open_raster(rcity_gdal_call *call, const char *path, GDALDatasetH *dataset)
{
    GDALDatasetH opened = rcity_gdal_open_source(call, path, GDAL_OF_RASTER, NULL);
    if (opened == NULL) {
        RCITY_TRY(rcity_gdal_check_source(call, path, GDAL_OF_RASTER));
        struct stat found;
        RCITY_CHECK(call->context, stat(path, &found) == 0, RCITY_ERR_FILE, "cannot read '%s': %s; check the path",
                    path, strerror(errno));
        return rcity_fail(call->context, RCITY_ERR_FORMAT, "'%s' is not a raster that GDAL can read (%.300s)", path,
                          call->text[0] != '\0' ? call->text : "no reason given");
    }
    if (GDALGetRasterCount(opened) == 0) {
        GDALClose(opened);
        return rcity_fail(call->context, RCITY_ERR_FORMAT,
                          "'%s' holds no bands of its own; name one of its subdatasets ('gdalinfo' lists them)", path);
    }
    *dataset = opened;
    return RCITY_OK;
}

static rcity_status read_place(rcity_gdal_call *call, GDALDatasetH dataset, const char *path, rcity_raster *raster)
{
    double place[6];
    RCITY_CHECK(call->context, GDALGetGeoTransform(dataset, place) == CE_None, RCITY_ERR_FORMAT,
                "'%s' does not say where it lies; give it a position, for example with gdal_translate -a_ullr", path);
    int columns = GDALGetRasterXSize(dataset);
    int rows = GDALGetRasterYSize(dataset);
    double cell = place[1];
    double side = (double)(columns > rows ? columns : rows);
    RCITY_CHECK(call->context, cell > 0.0 && place[5] < 0.0, RCITY_ERR_FORMAT,
                "'%s' does not run from the north-west (cells of %g x %g); turn it with gdalwarp", path, cell,
                place[5]);
    RCITY_CHECK(call->context, (fabs(place[2]) + fabs(place[4])) * side <= SHAPE_TOLERANCE * cell, RCITY_ERR_FORMAT,
                "'%s' is turned against its axes; straighten it with gdalwarp", path);
    RCITY_CHECK(call->context, fabs(cell + place[5]) * side <= SHAPE_TOLERANCE * cell, RCITY_ERR_FORMAT,
                "'%s' has cells of %.10g x %.10g, which are not square; resample it with gdalwarp -tr", path, cell,
                -place[5]);
    *raster = (rcity_raster){columns, rows, place[0], place[3], cell};
    return RCITY_OK;
}

/* Check the memory of the whole map before anything is read. */
static rcity_status check_memory(rcity_context *context, const rcity_raster *raster, int band_count, const char *path)
{
    double need_bytes = (double)raster->column_count * (double)raster->row_count * (double)band_count * sizeof(float);
    double used_bytes = (double)rcity_context_memory_used(context);
    double limit_bytes = (double)rcity_context_memory_limit(context);
    char need_text[32], limit_text[32];
    RCITY_CHECK(context, used_bytes + need_bytes <= limit_bytes, RCITY_ERR_MEMORY,
                "the raster '%s' of %lld x %lld cells and %d bands needs %s, the limit is %s; raise `memory`", path,
                (long long)raster->column_count, (long long)raster->row_count, band_count,
                rcity_format_bytes(need_bytes, need_text), rcity_format_bytes(limit_bytes, limit_text));
    return RCITY_OK;
}

/* The CRS as text that gives the same CRS when it is read. `*text` is released with rcity_release(). */
static rcity_status read_crs(rcity_gdal_call *call, GDALDatasetH dataset, char **text)
{
    OGRSpatialReferenceH reference = GDALGetSpatialRef(dataset);
    return reference != NULL ? rcity_crs_name(call, reference, text) : rcity_copy_text(call->context, "none", text);
}

/* Note the unit of the cells unless it is the metre. */
static rcity_status note_cell_unit(GDALDatasetH dataset, rcity_map *map)
{
    OGRSpatialReferenceH reference = GDALGetSpatialRef(dataset);
    if (reference == NULL) {
        return RCITY_OK;
    }
    char *name = NULL;
    if (OSRIsGeographic(reference)) {
        (void)OSRGetAngularUnits(reference, &name);
        return rcity_map_note(map, RCITY_NOTE_CELL_UNIT, "%s", name != NULL ? name : "degree");
    }
    if (fabs(OSRGetLinearUnits(reference, &name) - 1.0) > 1e-9) {
        return rcity_map_note(map, RCITY_NOTE_CELL_UNIT, "%s", name != NULL ? name : "unknown");
    }
    return RCITY_OK;
}

/* RADIOCITY_SCENE_HASH=... becomes the note scene_hash. */
static rcity_status read_notes(GDALDatasetH dataset, rcity_map *map)
{
    char **list = GDALGetMetadata(dataset, NULL);
    for (; list != NULL && *list != NULL; list++) {
        const char *equals = strchr(*list, '=');
        char key[128];
        size_t length = equals != NULL ? (size_t)(equals - *list) : 0;
        size_t prefix_length = strlen(note_prefix);
        if (length <= prefix_length || length - prefix_length >= sizeof key ||
            strncmp(*list, note_prefix, prefix_length) != 0) {
            continue;
        }
        for (size_t i = prefix_length; i <= length; i++) {
            key[i - prefix_length] = i == length ? '\0' : (char)tolower((unsigned char)(*list)[i]);
        }
        RCITY_TRY(rcity_map_note(map, key, "%s", equals + 1));
    }
    return RCITY_OK;
}

/* Split "path_loss @ 1.5 m" into name and height; the height is NAN if there is none. */
static void split_name(const char *description, char *name, size_t room, double *height_m)
{
    snprintf(name, room, "%s", description);
    *height_m = (double)NAN;
    char *at = strstr(name, " @ ");
    if (at != NULL) {
        const char *next = at + 3;
        const char *end = next + strlen(next);
        double found_m;
        if (rcity_number_read(&next, end, &found_m) && strcmp(next, " m") == 0) {
            *height_m = found_m;
            *at = '\0';
        }
    }
}

static double read_height(GDALRasterBandH band, double height_m)
{
    const char *text = GDALGetMetadataItem(band, "RX_HEIGHT_M", NULL);
    if (text != NULL) {
        double found_m;
        const char *end = text + strlen(text);
        if (rcity_number_read(&text, end, &found_m) && text == end) {
            return found_m;
        }
    }
    return height_m;
}

/* The names of classes: CLASS_COUNT of them, that of value i in CLASS_i. */
static rcity_status read_classes(rcity_gdal_call *call, GDALRasterBandH band, int number, const char *path,
                                 rcity_map *map)
{
    const char *text = GDALGetMetadataItem(band, "CLASS_COUNT", NULL);
    if (text == NULL) {
        return RCITY_OK;
    }
    const char *end = text + strlen(text);
    double count = 0.0;
    bool is_read = rcity_number_read(&text, end, &count) && text == end;
    RCITY_CHECK(call->context, is_read && count >= 1.0 && count <= CLASS_COUNT_MAX && count == floor(count),
                RCITY_ERR_FORMAT, "band %d of '%s' has %.40s classes, must be a whole number from 1 to %d", number,
                path, GDALGetMetadataItem(band, "CLASS_COUNT", NULL), CLASS_COUNT_MAX);
    const char **names = NULL;
    RCITY_TRY(rcity_alloc(call->context, (size_t)count, sizeof *names, "names of classes", &names));
    for (int i = 0; i < (int)count; i++) {
        char key[32];
        snprintf(key, sizeof key, "CLASS_%d", i);
        names[i] = GDALGetMetadataItem(band, key, NULL);
    }
    rcity_status status = rcity_map_set_classes(map, rcity_map_band_count(map) - 1, (int)count, names);
    rcity_release(call->context, names);
    return status;
}

/* Add a band without its values. */
static rcity_status add_band(rcity_gdal_call *call, GDALRasterBandH band, int number, const char *path, rcity_map *map,
                             float **value)
{
    RCITY_CHECK(call->context, !GDALDataTypeIsComplex(GDALGetRasterDataType(band)), RCITY_ERR_FORMAT,
                "band %d of '%s' holds complex numbers; a map holds plain ones", number, path);
    char name[256];
    double height_m;
    split_name(GDALGetDescription(band), name, sizeof name, &height_m);
    if (name[0] == '\0') {
        snprintf(name, sizeof name, "band_%d", number);
    }
    const char *text = GDALGetMetadataItem(band, "TEXT", NULL);
    const char *unit = GDALGetRasterUnitType(band);
    const char *word = GDALGetMetadataItem(band, "KIND", NULL);
    rcity_band_kind kind = word != NULL ? rcity_band_kind_find(word) : rcity_band_guess_kind(name, unit);
    RCITY_TRY(rcity_map_add_band(map, kind, name, unit, text != NULL ? text : "", read_height(band, height_m), value));
    return word != NULL ? read_classes(call, band, number, path, map)
                        : rcity_map_guess_classes(map, rcity_map_band_count(map) - 1);
}

/* One row: with the file's scale and offset, NAN where its mask or its values say no data. */
static rcity_status read_row(rcity_gdal_call *call, GDALRasterBandH band, const char *path, int row, int column_count,
                             double *number, unsigned char *mask, float *value)
{
    GDALRasterBandH mask_band = GDALGetMaskBand(band);
    if (GDALRasterIO(band, GF_Read, 0, row, column_count, 1, number, column_count, 1, GDT_Float64, 0, 0) != CE_None ||
        GDALRasterIO(mask_band, GF_Read, 0, row, column_count, 1, mask, column_count, 1, GDT_Byte, 0, 0) != CE_None) {
        rcity_status status = rcity_gdal_fail(call, "read a row");
        return rcity_fail_prefix(call->context, status, "'%s': ", path);
    }
    double scale = GDALGetRasterScale(band, NULL);
    double offset = GDALGetRasterOffset(band, NULL);
    for (int i = 0; i < column_count; i++) {
        float found = mask[i] != 0 ? (float)(number[i] * scale + offset) : NAN;
        value[i] = isfinite(found) ? found : NAN;
    }
    return RCITY_OK;
}

static rcity_status read_bands(rcity_gdal_call *call, GDALDatasetH dataset, const char *path, rcity_map *map)
{
    rcity_raster raster = rcity_map_raster(map);
    int columns = (int)raster.column_count;
    int rows = (int)raster.row_count;
    int band_count = GDALGetRasterCount(dataset);
    double *number = NULL;
    unsigned char *mask = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(call->context, (size_t)columns, sizeof *number, "a row of numbers", &number));
    RCITY_TRY_DONE(rcity_alloc(call->context, (size_t)columns, 1, "a row of numbers", &mask));
    for (int b = 1; b <= band_count; b++) {
        GDALRasterBandH band = GDALGetRasterBand(dataset, b);
        float *value = NULL;
        RCITY_TRY_DONE(add_band(call, band, b, path, map, &value));
        for (int row = 0; row < rows; row++) {
            RCITY_TRY_DONE(read_row(call, band, path, row, columns, number, mask, value + (int64_t)row * columns));
            RCITY_TRY_DONE(
                rcity_progress(call->context, call->task, (double)(b - 1) * rows + row + 1, (double)band_count * rows));
        }
    }
done:
    rcity_release(call->context, mask);
    rcity_release(call->context, number);
    return status;
}

rcity_status rcity_map_load_geotiff(rcity_context *context, const char *path, rcity_map **map)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, path);
    RCITY_NEED(context, map);
    rcity_gdal_call call;
    GDALDatasetH dataset = NULL;
    char *crs = NULL;
    rcity_map *made = NULL;
    rcity_raster raster;
    rcity_status status;
    rcity_gdal_open(context, "reading a raster", &call);
    RCITY_TRY_DONE(open_raster(&call, path, &dataset));
    RCITY_TRY_DONE(read_place(&call, dataset, path, &raster));
    RCITY_TRY_DONE(check_memory(context, &raster, GDALGetRasterCount(dataset), path));
    RCITY_TRY_DONE(read_crs(&call, dataset, &crs));
    RCITY_TRY_DONE(rcity_map_create(context, &raster, crs, &made));
    RCITY_TRY_DONE(read_notes(dataset, made));
    RCITY_TRY_DONE(note_cell_unit(dataset, made));
    RCITY_TRY_DONE(rcity_map_note_ground_scale(&call, GDALGetSpatialRef(dataset), made));
    RCITY_TRY_DONE(read_bands(&call, dataset, path, made));
    *map = made;
    made = NULL;
done:
    rcity_map_destroy(&made);
    rcity_release(context, crs);
    if (dataset != NULL) {
        GDALClose(dataset);
    }
    rcity_gdal_close(&call);
    return status;
}
