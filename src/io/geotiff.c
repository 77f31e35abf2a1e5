/* Maps as cloud-optimised GeoTIFF. GDAL sees the bands in place, writes the file into memory, and the finished bytes go
   to the disk whole or not at all. Nothing that varies between runs is written. */
#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <ctype.h>
#include <gdal.h>
#include <limits.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "radiocity/io.h"
#include "result/map_data.h"

#define BLOCK_PX 512

/* What GDAL complained of while one file was made, and whether the caller stopped it. */
typedef struct gdal_complaint {
    rcity_context *context;
    rcity_status progress;
    bool is_memory;
    char text[512]; /* the first failure: later ones follow from it */
} gdal_complaint;

static void CPL_STDCALL hear_gdal(CPLErr level, CPLErrorNum number, const char *text)
{
    gdal_complaint *complaint = CPLGetErrorHandlerUserData();
    if (level == CE_Warning) {
        rcity_log(complaint->context, RCITY_LOG_WARNING, "GDAL: %s", text);
    } else if (level >= CE_Failure && complaint->text[0] == '\0') {
        complaint->is_memory = number == CPLE_OutOfMemory;
        snprintf(complaint->text, sizeof complaint->text, "%s", text);
    }
}

/* GDAL asks with how far it has come; 0 stops it. */
static int CPL_STDCALL hear_progress(double fraction, const char *text, void *user)
{
    (void)text;
    gdal_complaint *complaint = user;
    complaint->progress = rcity_progress(complaint->context, "writing GeoTIFF", 100.0 * fraction, 100.0);
    return complaint->progress == RCITY_OK;
}

static rcity_status fail_gdal(const gdal_complaint *complaint, const char *act)
{
    if (complaint->progress != RCITY_OK) {
        return complaint->progress; /* its sentence stands already */
    }
    return rcity_fail(complaint->context, complaint->is_memory ? RCITY_ERR_MEMORY : RCITY_ERR_FILE,
                      "GDAL cannot %s: %s", act, complaint->text[0] != '\0' ? complaint->text : "it does not say why");
}

/* GDAL's own memory is outside the context's account: at worst nothing compresses, so the file has the size of the
   bands and a third for the overviews, which exist a second time while they are made. */
static rcity_status check_memory(rcity_context *context, const rcity_map *map, const char *path)
{
    rcity_raster raster = rcity_map_raster(map);
    double raw_bytes = (double)raster.column_count * (double)raster.row_count * (double)sizeof(float) *
                       (double)rcity_map_band_count(map);
    double need_bytes = raw_bytes * 5.0 / 3.0;
    double used_bytes = (double)rcity_context_memory_used(context);
    double limit_bytes = (double)rcity_context_memory_limit(context);
    char need_text[32], used_text[32], limit_text[32];
    RCITY_CHECK(context, used_bytes + need_bytes <= limit_bytes, RCITY_ERR_MEMORY,
                "making '%s' may take %s beside the %s in use, the limit is %s; use a larger cell or raise --memory",
                path, rcity_format_bytes(need_bytes, need_text), rcity_format_bytes(used_bytes, used_text),
                rcity_format_bytes(limit_bytes, limit_text));
    return RCITY_OK;
}

/* A CRS from its text: known, projected, in metres. */
static rcity_status read_crs(gdal_complaint *complaint, const char *crs, OGRSpatialReferenceH reference)
{
    rcity_context *context = complaint->context;
    RCITY_CHECK(context, OSRSetFromUserInput(reference, crs) == OGRERR_NONE, RCITY_ERR_ARGUMENT,
                "the CRS '%.200s' is not known to GDAL (%s); give one such as EPSG:32632, or none", crs,
                complaint->text[0] != '\0' ? complaint->text : "no reason given");
    RCITY_CHECK(context,
                !OSRIsGeographic(reference) && !OSRIsGeocentric(reference) &&
                    fabs(OSRGetLinearUnits(reference, NULL) - 1.0) <= 1e-9,
                RCITY_ERR_ARGUMENT,
                "the CRS '%.200s' does not count in metres; give a projected one such as EPSG:32632", crs);
    complaint->text[0] = '\0'; /* what it grumbled while it guessed at the text */
    OSRSetAxisMappingStrategy(reference, OAMS_TRADITIONAL_GIS_ORDER);
    return RCITY_OK;
}

rcity_status rcity_crs_check(rcity_context *context, const char *crs)
{
    if (strcmp(crs, "none") == 0) {
        return RCITY_OK;
    }
    gdal_complaint complaint;
    memset(&complaint, 0, sizeof complaint);
    complaint.context = context;
    CPLPushErrorHandlerEx(hear_gdal, &complaint);
    OGRSpatialReferenceH reference = OSRNewSpatialReference(NULL);
    rcity_status status = read_crs(&complaint, crs, reference);
    OSRDestroySpatialReference(reference);
    CPLPopErrorHandler();
    return status;
}

static rcity_status set_crs(gdal_complaint *complaint, GDALDatasetH dataset, const char *crs)
{
    if (strcmp(crs, "none") == 0) {
        return RCITY_OK;
    }
    OGRSpatialReferenceH reference = OSRNewSpatialReference(NULL);
    rcity_status status = read_crs(complaint, crs, reference);
    if (status == RCITY_OK && GDALSetSpatialRef(dataset, reference) != CE_None) {
        status = fail_gdal(complaint, "set the CRS");
    }
    OSRDestroySpatialReference(reference);
    return status;
}

/* A key as GDAL's users write them: "line-of-sight" becomes RADIOCITY_LINE_OF_SIGHT. */
static void make_metadata_key(const char *key, char *made, size_t room)
{
    snprintf(made, room, "RADIOCITY_%s", key);
    for (char *c = made; *c != '\0'; c++) {
        *c = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
    }
}

static rcity_status set_metadata(gdal_complaint *complaint, GDALDatasetH dataset, const rcity_map *map)
{
    char **list = CSLSetNameValue(NULL, "AREA_OR_POINT", "Area");
    const char *key = NULL;
    const char *value = NULL;
    for (int i = 0; rcity_map_get_note(map, i, &key, &value); i++) {
        char made[128];
        make_metadata_key(key, made, sizeof made);
        list = CSLSetNameValue(list, made, value);
    }
    CPLErr error = GDALSetMetadata(dataset, list, NULL);
    CSLDestroy(list);
    return error == CE_None ? RCITY_OK : fail_gdal(complaint, "set the metadata");
}

/* The band's name, with its receiver height where another band has the same name. */
static rcity_status make_band_name(const rcity_map *map, const rcity_band *band, char *name, size_t room)
{
    int same_count = 0;
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band other = {.name = ""};
        RCITY_TRY(rcity_map_get_band(map, i, &other));
        same_count += strcmp(other.name, band->name) == 0 ? 1 : 0;
    }
    if (same_count > 1) {
        snprintf(name, room, "%s @ %g m", band->name, band->rx_height_m);
    } else {
        snprintf(name, room, "%s", band->name);
    }
    return RCITY_OK;
}

/* Add a band that borrows the map's values. */
static rcity_status add_band(gdal_complaint *complaint, GDALDatasetH dataset, const rcity_map *map, int band_index)
{
    rcity_band band = {.name = "", .value = NULL};
    RCITY_TRY(rcity_map_get_band(map, band_index, &band));
    char name[256], height[32], pointer[64];
    RCITY_TRY(make_band_name(map, &band, name, sizeof name));
    snprintf(height, sizeof height, "%g", band.rx_height_m);
    void *value;
    memcpy(&value, &band.value, sizeof value); /* GDAL only reads, its interface cannot say so */
    int length = CPLPrintPointer(pointer, value, (int)sizeof pointer - 1);
    pointer[length] = '\0';
    char **options = CSLSetNameValue(NULL, "DATAPOINTER", pointer);
    CPLErr error = GDALAddBand(dataset, GDT_Float32, options);
    CSLDestroy(options);
    if (error != CE_None) {
        return fail_gdal(complaint, "take a band");
    }
    GDALRasterBandH added = GDALGetRasterBand(dataset, band_index + 1);
    GDALSetDescription(added, name);
    if (GDALSetRasterNoDataValue(added, (double)NAN) != CE_None || GDALSetRasterUnitType(added, band.unit) != CE_None ||
        GDALSetMetadataItem(added, "TEXT", band.text, NULL) != CE_None ||
        GDALSetMetadataItem(added, "RX_HEIGHT_M", height, NULL) != CE_None) {
        return fail_gdal(complaint, "describe a band");
    }
    return RCITY_OK;
}

/* A dataset in memory that looks at the map. */
static rcity_status open_view(gdal_complaint *complaint, const rcity_map *map, GDALDatasetH *view)
{
    rcity_raster raster = rcity_map_raster(map);
    RCITY_CHECK(complaint->context, raster.column_count <= INT_MAX && raster.row_count <= INT_MAX, RCITY_ERR_ARGUMENT,
                "a GeoTIFF holds at most %d columns and rows, not %lld x %lld; use a larger cell", INT_MAX,
                (long long)raster.column_count, (long long)raster.row_count);
    GDALDriverH driver = GDALGetDriverByName("MEM");
    GDALDatasetH dataset =
        driver != NULL ? GDALCreate(driver, "", (int)raster.column_count, (int)raster.row_count, 0, GDT_Float32, NULL)
                       : NULL;
    if (dataset == NULL) {
        return fail_gdal(complaint, "make a dataset in memory");
    }
    rcity_status status = RCITY_OK;
    double transform[6] = {raster.west_m, raster.cell_m, 0.0, raster.north_m, 0.0, -raster.cell_m};
    if (GDALSetGeoTransform(dataset, transform) != CE_None) {
        status = fail_gdal(complaint, "set the position");
        goto done;
    }
    RCITY_TRY_DONE(set_crs(complaint, dataset, rcity_map_crs(map)));
    RCITY_TRY_DONE(set_metadata(complaint, dataset, map));
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        RCITY_TRY_DONE(add_band(complaint, dataset, map, i));
    }
    *view = dataset;
    dataset = NULL;
done:
    if (dataset != NULL) {
        GDALClose(dataset);
    }
    return status;
}

/* Write the view as COG into GDAL's memory files. */
static rcity_status make_cog(gdal_complaint *complaint, GDALDatasetH view, const char *memory_path)
{
    char threads[16];
    snprintf(threads, sizeof threads, "%d", rcity_context_thread_count(complaint->context));
    char **options = NULL;
    options = CSLSetNameValue(options, "COMPRESS", "DEFLATE");
    options = CSLSetNameValue(options, "PREDICTOR", "YES");
    options = CSLSetNameValue(options, "BLOCKSIZE", CPLSPrintf("%d", BLOCK_PX));
    options = CSLSetNameValue(options, "OVERVIEWS", "AUTO");
    /* Nearest: an overview shows values that the map has. A mean of dB is no power, a mean of yes and no is neither,
       and every averaging kernel skips NaN, so that buildings would melt away from level to level. */
    options = CSLSetNameValue(options, "RESAMPLING", "NEAREST");
    options = CSLSetNameValue(options, "BIGTIFF", "IF_SAFER");
    options = CSLSetNameValue(options, "NUM_THREADS", threads); /* blocks are compressed one by one: the same bytes */
    GDALDriverH driver = GDALGetDriverByName("COG");
    GDALDatasetH made =
        driver != NULL ? GDALCreateCopy(driver, memory_path, view, FALSE, options, hear_progress, complaint) : NULL;
    CSLDestroy(options);
    if (made == NULL) {
        return fail_gdal(complaint,
                         driver != NULL ? "make the GeoTIFF" : "make one: it has no COG driver (3.1 or later)");
    }
    GDALClose(made);
    return complaint->text[0] == '\0' ? RCITY_OK : fail_gdal(complaint, "finish the GeoTIFF");
}

/* Make the file in GDAL's memory and pass its bytes on. */
static rcity_status write_cog(gdal_complaint *complaint, const rcity_map *map, rcity_new_file *file)
{
    /* The address of a local variable: no other call in flight has the same. */
    char folder[64], memory_path[96];
    snprintf(folder, sizeof folder, "/vsimem/radiocity-%p", (void *)folder);
    snprintf(memory_path, sizeof memory_path, "%s/map.tif", folder);
    GDALDatasetH view = NULL;
    rcity_status status;
    RCITY_TRY_DONE(open_view(complaint, map, &view));
    RCITY_TRY_DONE(make_cog(complaint, view, memory_path));
    vsi_l_offset length = 0;
    const GByte *bytes = VSIGetMemFileBuffer(memory_path, &length, FALSE);
    if (bytes == NULL) {
        status = fail_gdal(complaint, "hand over the GeoTIFF");
        goto done;
    }
    status = rcity_new_file_write(file, bytes, (size_t)length);
done:
    if (view != NULL) {
        GDALClose(view);
    }
    VSIRmdirRecursive(folder);
    return status;
}

rcity_status rcity_map_save_geotiff(rcity_context *context, const rcity_map *map, const char *path)
{
    RCITY_CHECK(context, rcity_map_band_count(map) > 0, RCITY_ERR_ARGUMENT, "cannot write '%s': the map has no bands",
                path);
    RCITY_TRY(check_memory(context, map, path));
    rcity_new_file *file = NULL;
    RCITY_TRY(rcity_new_file_open(context, path, &file));
    gdal_complaint complaint = {.context = context, .progress = RCITY_OK};
    CPLPushErrorHandlerEx(hear_gdal, &complaint);
    GDALAllRegister();
    complaint.text[0] = '\0'; /* a driver that does not load is not our trouble */
    rcity_status status = write_cog(&complaint, map, file);
    CPLPopErrorHandler();
    if (status != RCITY_OK) {
        rcity_new_file_discard(&file);
        return status;
    }
    return rcity_new_file_commit(&file);
}
