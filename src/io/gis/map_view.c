/* A map as a GDAL dataset in memory that refers to the map's values without a copy. */
#include "io/gis/map_view.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "result/map_data.h"

static rcity_status set_crs(rcity_gdal_call *call, GDALDatasetH dataset, const char *crs)
{
    if (strcmp(crs, "none") == 0) {
        return RCITY_OK;
    }
    OGRSpatialReferenceH reference = NULL;
    RCITY_TRY(rcity_gdal_read_crs(call, crs, &reference));
    rcity_status status = RCITY_OK;
    if (GDALSetSpatialRef(dataset, reference) != CE_None) {
        status = rcity_gdal_fail(call, "set the CRS");
    }
    OSRDestroySpatialReference(reference);
    return status;
}

/* A key in GDAL's style: "line-of-sight" becomes RADIOCITY_LINE_OF_SIGHT. */
static void make_metadata_key(const char *key, char *made, size_t room)
{
    snprintf(made, room, "RADIOCITY_%s", key);
    for (char *c = made; *c != '\0'; c++) {
        *c = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
    }
}

static rcity_status set_metadata(rcity_gdal_call *call, GDALDatasetH dataset, const rcity_map *map)
{
    char **list = CSLSetNameValue(NULL, "AREA_OR_POINT", "Area");
    const char *key = NULL;
    const char *value = NULL;
    for (int i = 0; rcity_map_get_note(map, i, &key, &value) == RCITY_OK; i++) {
        char made[128];
        if (strcmp(key, RCITY_NOTE_CELL_UNIT) != 0) { /* the CRS contains it */
            make_metadata_key(key, made, sizeof made);
            list = CSLSetNameValue(list, made, value);
        }
    }
    CPLErr error = GDALSetMetadata(dataset, list, NULL);
    CSLDestroy(list);
    return error == CE_None ? RCITY_OK : rcity_gdal_fail(call, "set the metadata");
}

/* The band's name, with its receiver height if another band has the same name. */
static void make_band_name(const rcity_map *map, const rcity_band *band, char *name, size_t room)
{
    if (rcity_map_count_name(map, band->name) > 1 && isfinite(band->rx_height_m)) {
        rcity_number_print(name, room, "%s @ %g m", band->name, band->rx_height_m);
    } else {
        snprintf(name, room, "%s", band->name);
    }
}

/* Metadata items of a band: its text, kind and name, and the names of its classes, CLASS_0 and so on. */
static rcity_status describe_band(rcity_gdal_call *call, const rcity_band *band, GDALRasterBandH added)
{
    char text[32];
    char **list = CSLSetNameValue(NULL, "TEXT", band->text);
    if (isfinite(band->rx_height_m)) {
        rcity_number_print(text, sizeof text, "%g", band->rx_height_m);
        list = CSLSetNameValue(list, "RX_HEIGHT_M", text);
    }
    list = CSLSetNameValue(list, "KIND", rcity_band_kind_word(band->kind));
    if (band->class_count > 0) {
        snprintf(text, sizeof text, "%d", band->class_count);
        list = CSLSetNameValue(list, "CLASS_COUNT", text);
    }
    for (int i = 0; i < band->class_count; i++) {
        snprintf(text, sizeof text, "CLASS_%d", i);
        if (band->class_names[i][0] != '\0') {
            list = CSLAddNameValue(list, text, band->class_names[i]);
        }
    }
    CPLErr error = GDALSetMetadata(added, list, NULL);
    CSLDestroy(list);
    return error == CE_None ? RCITY_OK : rcity_gdal_fail(call, "describe a band");
}

/* Add a band that borrows the map's values. */
static rcity_status add_band(rcity_gdal_call *call, GDALDatasetH dataset, const rcity_map *map, int band_index)
{
    rcity_band band = {.name = "", .value = NULL};
    RCITY_TRY(rcity_map_get_band(map, band_index, &band));
    char name[256], pointer[64];
    make_band_name(map, &band, name, sizeof name);
    snprintf(pointer, sizeof pointer, "%p",
             (const void *)band.value); /* GDAL takes an address as text, and only reads */
    char **options = CSLSetNameValue(NULL, "DATAPOINTER", pointer);
    CPLErr error = GDALAddBand(dataset, GDT_Float32, options);
    CSLDestroy(options);
    if (error != CE_None) {
        return rcity_gdal_fail(call, "take a band");
    }
    GDALRasterBandH added = GDALGetRasterBand(dataset, band_index + 1);
    GDALSetDescription(added, name);
    if (GDALSetRasterNoDataValue(added, (double)NAN) != CE_None || GDALSetRasterUnitType(added, band.unit) != CE_None) {
        return rcity_gdal_fail(call, "describe a band");
    }
    return describe_band(call, &band, added);
}

rcity_status rcity_map_view_open(rcity_gdal_call *call, const rcity_map *map, GDALDatasetH *view)
{
    rcity_raster raster = rcity_map_raster(map);
    RCITY_CHECK(call->context, raster.column_count <= INT_MAX && raster.row_count <= INT_MAX, RCITY_ERR_ARGUMENT,
                "a GeoTIFF holds at most %d columns and rows, not %lld x %lld; use a larger cell", INT_MAX,
                (long long)raster.column_count, (long long)raster.row_count);
    GDALDriverH driver = GDALGetDriverByName("MEM");
    GDALDatasetH dataset =
        driver != NULL ? GDALCreate(driver, "", (int)raster.column_count, (int)raster.row_count, 0, GDT_Float32, NULL)
                       : NULL;
    if (dataset == NULL) {
        return rcity_gdal_fail(call, "make a dataset in memory");
    }
    rcity_status status = RCITY_OK;
    double transform[6] = {raster.west_m, raster.cell_m, 0.0, raster.north_m, 0.0, -raster.cell_m};
    if (GDALSetGeoTransform(dataset, transform) != CE_None) {
        status = rcity_gdal_fail(call, "set the position");
        goto done;
    }
    RCITY_TRY_DONE(set_crs(call, dataset, rcity_map_crs(map)));
    RCITY_TRY_DONE(set_metadata(call, dataset, map));
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        RCITY_TRY_DONE(add_band(call, dataset, map, i));
    }
    *view = dataset;
    dataset = NULL;
done:
    if (dataset != NULL) {
        GDALClose(dataset);
    }
    return status;
}
