/* Writes a table of places as GeoPackage or GeoJSON: made in GDAL's memory, then written whole or not at all. */
#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <math.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "io/export/place_table.h"
#include "io/gis/gdal_call.h"
#include "radiocity/crs.h"

/* The date in the file, instead of today's. */
#define FILE_DATE "2000-01-01T00:00:00.000Z"

/* GDAL holds a feature and its row of the file for a while. */
#define BYTES_A_VALUE 64.0

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path);
    size_t ending_length = strlen(ending);
    return length > ending_length && strcasecmp(path + length - ending_length, ending) == 0;
}

static rcity_status add_fields(const rcity_gdal_call *call, const rcity_place_table *table, OGRLayerH layer)
{
    for (size_t i = 0; i < table->column_count; i++) {
        OGRFieldDefnH field =
            OGR_Fld_Create(table->columns[i].name, table->columns[i].number != NULL ? OFTReal : OFTString);
        OGRErr error = OGR_L_CreateField(layer, field, FALSE);
        OGR_Fld_Destroy(field);
        if (error != OGRERR_NONE) {
            return rcity_gdal_fail(call, "add a field");
        }
    }
    return RCITY_OK;
}

static rcity_status add_place(const rcity_gdal_call *call, const rcity_place_table *table, OGRLayerH layer,
                              const double *xy, int64_t place)
{
    OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
    OGRGeometryH point = OGR_G_CreateGeometry(wkbPoint);
    OGR_G_SetPoint_2D(point, 0, xy[2 * place], xy[2 * place + 1]);
    OGR_F_SetGeometryDirectly(feature, point);
    for (size_t i = 0; i < table->column_count; i++) {
        const rcity_place_column *column = &table->columns[i];
        if (column->number != NULL && isfinite(column->number[place])) {
            OGR_F_SetFieldDouble(feature, (int)i, column->number[place]);
        } else if (column->number == NULL && column->text[column->text_from[place]] != '\0') {
            OGR_F_SetFieldString(feature, (int)i, column->text + column->text_from[place]);
        } else {
            OGR_F_SetFieldNull(feature, (int)i);
        }
    }
    OGRErr error = OGR_L_CreateFeature(layer, feature);
    OGR_F_Destroy(feature);
    return error == OGRERR_NONE ? RCITY_OK : rcity_gdal_fail(call, "add a place");
}

static rcity_status fill_dataset(rcity_gdal_call *call, const rcity_place_table *table, const double *xy,
                                 OGRSpatialReferenceH crs, bool is_geojson, GDALDatasetH dataset)
{
    char **options = NULL;
    if (is_geojson) {
        options = CSLSetNameValue(options, "RFC7946", crs != NULL ? "YES" : "NO");
        options = CSLSetNameValue(options, "COORDINATE_PRECISION", crs != NULL ? "8" : "3");
        options = CSLSetNameValue(options, "SIGNIFICANT_FIGURES", "10");
    }
    OGRLayerH layer = GDALDatasetCreateLayer(dataset, "places", crs, wkbPoint, options);
    CSLDestroy(options);
    if (layer == NULL) {
        return rcity_gdal_fail(call, "make a layer");
    }
    RCITY_TRY(add_fields(call, table, layer));
    bool is_transaction = GDALDatasetStartTransaction(dataset, FALSE) == OGRERR_NONE;
    rcity_gdal_forget(call);
    for (int64_t i = 0; i < table->count; i++) {
        if (i % 4096 == 0) {
            RCITY_TRY(rcity_progress(call->context, "write places", (double)i, (double)table->count));
        }
        RCITY_TRY(add_place(call, table, layer, xy, i));
    }
    RCITY_TRY(rcity_progress(call->context, "write places", 1.0, 1.0));
    if (is_transaction && GDALDatasetCommitTransaction(dataset) != OGRERR_NONE) {
        return rcity_gdal_fail(call, "finish the file");
    }
    return RCITY_OK;
}

/* Make the file in GDAL's memory at `memory_path` and write it to `path`. */
static rcity_status write_file(rcity_gdal_call *call, const rcity_place_table *table, const double *xy,
                               OGRSpatialReferenceH crs, bool is_geojson, const char *memory_path, const char *path)
{
    GDALDriverH driver = GDALGetDriverByName(is_geojson ? "GeoJSON" : "GPKG");
    RCITY_CHECK(call->context, driver != NULL, RCITY_ERR_UNSUPPORTED, "this GDAL cannot write '%s'", path);
    CPLSetThreadLocalConfigOption("OGR_CURRENT_DATE", FILE_DATE);
    GDALDatasetH dataset = GDALCreate(driver, memory_path, 0, 0, 0, GDT_Unknown, NULL);
    rcity_status status = dataset != NULL ? fill_dataset(call, table, xy, crs, is_geojson, dataset)
                                          : rcity_gdal_fail(call, "make a file in memory");
    if (dataset != NULL) {
        GDALClose(dataset);
    }
    CPLSetThreadLocalConfigOption("OGR_CURRENT_DATE", NULL);
    RCITY_TRY(status);
    vsi_l_offset length = 0;
    const GByte *bytes = VSIGetMemFileBuffer(memory_path, &length, FALSE);
    if (bytes == NULL || call->text[0] != '\0') {
        return rcity_gdal_fail(call, "finish the file");
    }
    return rcity_file_save(call->context, path, bytes, (size_t)length);
}

/* The CRS of the file: longitude and latitude in GeoJSON, else that of the places; NULL in GeoJSON without one. */
static rcity_status open_crs(rcity_gdal_call *call, const rcity_place_table *table, bool is_geojson,
                             OGRSpatialReferenceH *crs)
{
    bool is_plain = strcmp(table->crs, "none") == 0;
    if (is_plain && !is_geojson) { /* a GeoPackage otherwise assumes degrees */
        *crs = OSRNewSpatialReference(NULL);
        OSRSetLocalCS(*crs, "Undefined Cartesian SRS");
        return RCITY_OK;
    }
    return is_plain ? RCITY_OK : rcity_gdal_read_crs(call, is_geojson ? RCITY_CRS_LONLAT : table->crs, crs);
}

rcity_status rcity_place_table_save(const rcity_place_table *table, const char *path)
{
    if (table == NULL) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_context *context = table->context;
    RCITY_NEED(context, path);
    bool is_geojson = ends_with(path, ".geojson");
    RCITY_CHECK(context, is_geojson || ends_with(path, ".gpkg"), RCITY_ERR_ARGUMENT,
                "'%s' must end in .gpkg or .geojson", path);
    double need_bytes = BYTES_A_VALUE * (double)table->count * (double)(table->column_count + 2);
    RCITY_TRY(rcity_check_output_memory(context, need_bytes, path, "raise `memory`"));
    rcity_gdal_call call;
    OGRSpatialReferenceH crs = NULL;
    double *xy = NULL;
    char memory_path[96];
    snprintf(memory_path, sizeof memory_path, "/vsimem/radiocity-places-%p%s", (void *)&call,
             is_geojson ? ".geojson" : ".gpkg");
    rcity_gdal_open(context, "write places", &call);
    rcity_status status;
    RCITY_TRY_DONE(open_crs(&call, table, is_geojson, &crs));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)table->count, 2 * sizeof *xy, "places", &xy));
    if (table->count > 0) {
        memcpy(xy, table->xy, 2 * (size_t)table->count * sizeof *xy);
    }
    if (is_geojson && crs != NULL) {
        RCITY_TRY_DONE(rcity_crs_transform(context, table->crs, RCITY_CRS_LONLAT, table->count, xy));
    }
    status = write_file(&call, table, xy, crs, is_geojson, memory_path, path);
done:
    VSIUnlink(memory_path);
    if (crs != NULL) {
        OSRDestroySpatialReference(crs);
    }
    rcity_release(context, xy);
    rcity_gdal_close(&call);
    return status;
}
