/* The terrain of a scene as an elevation model: a GeoTIFF whose pixel centres are the nodes. */
#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "io/gis/gdal_call.h"
#include "io/output_bytes.h"
#include "radiocity/import.h"
#include "scene/shapes.h"

/* Heights from the north, as in rasters. */
static rcity_status write_heights(rcity_gdal_call *call, const rcity_terrain_grid *terrain, GDALDatasetH dataset)
{
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    float *row_m = NULL;
    rcity_status status = RCITY_OK;
    RCITY_TRY(rcity_alloc(call->context, (size_t)terrain->column_count, sizeof *row_m, "a row of terrain", &row_m));
    for (int32_t row = 0; status == RCITY_OK && row < terrain->row_count; row++) {
        const int32_t *height =
            terrain->height + (size_t)(terrain->row_count - 1 - row) * (size_t)terrain->column_count;
        for (int32_t column = 0; column < terrain->column_count; column++) {
            row_m[column] = (float)height[column] / RCITY_HEIGHT_UNITS_PER_M;
        }
        if (GDALRasterIO(band, GF_Write, 0, row, terrain->column_count, 1, row_m, terrain->column_count, 1, GDT_Float32,
                         0, 0) != CE_None) {
            status = rcity_gdal_fail(call, "take a row of terrain");
        }
    }
    rcity_release(call->context, row_m);
    GDALSetRasterUnitType(band, "m");
    GDALSetDescription(band, "elevation");
    return status;
}

static rcity_status fill_dataset(rcity_gdal_call *call, const rcity_scene *scene, GDALDatasetH dataset)
{
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    const rcity_terrain_grid *terrain = &shapes->terrain;
    double unit_m = 1.0 / shapes->units_per_m;
    double cell_m = terrain->cell * unit_m;
    double north_m = shapes->origin_y_m + (terrain->south + (double)(terrain->row_count - 1) * terrain->cell) * unit_m;
    double transform[6] = {
        shapes->origin_x_m + terrain->west * unit_m - 0.5 * cell_m, cell_m, 0.0, north_m + 0.5 * cell_m, 0.0, -cell_m};
    if (GDALSetGeoTransform(dataset, transform) != CE_None) {
        return rcity_gdal_fail(call, "place the terrain");
    }
    if (strcmp(rcity_scene_crs(scene), "none") != 0) {
        OGRSpatialReferenceH reference = NULL;
        RCITY_TRY(rcity_gdal_read_scene_crs(call, rcity_scene_crs(scene), &reference));
        CPLErr error = GDALSetSpatialRef(dataset, reference);
        OSRDestroySpatialReference(reference);
        if (error != CE_None) {
            return rcity_gdal_fail(call, "set the CRS");
        }
    }
    return write_heights(call, terrain, dataset);
}

/* Make the file in GDAL's memory. */
static rcity_status make_file(rcity_gdal_call *call, const rcity_scene *scene, const char *memory_path)
{
    const rcity_terrain_grid *terrain = &rcity_scene_shapes(scene)->terrain;
    GDALDriverH driver = GDALGetDriverByName("GTiff");
    char **options = CSLSetNameValue(NULL, "COMPRESS", "DEFLATE");
    options = CSLSetNameValue(options, "PREDICTOR", "3");
    options = CSLSetNameValue(options, "TILED", "YES");
    GDALDatasetH dataset = driver != NULL ? GDALCreate(driver, memory_path, terrain->column_count, terrain->row_count,
                                                       1, GDT_Float32, options)
                                          : NULL;
    CSLDestroy(options);
    if (dataset == NULL) {
        return rcity_gdal_fail(call, "make the GeoTIFF");
    }
    rcity_status status = fill_dataset(call, scene, dataset);
    GDALClose(dataset);
    if (status == RCITY_OK && call->text[0] != '\0') {
        status = rcity_gdal_fail(call, "finish the GeoTIFF");
    }
    return status;
}

/* Make the file and pass its bytes on. It has a folder of its own for further files that GDAL may add. */
static rcity_status save_terrain(rcity_gdal_call *call, const rcity_scene *scene, const char *path)
{
    /* The address of a local variable: unique among the calls that run now. */
    char folder[64], memory_path[96];
    snprintf(folder, sizeof folder, "/vsimem/radiocity-%p", (void *)folder);
    snprintf(memory_path, sizeof memory_path, "%s/terrain.tif", folder);
    rcity_status status = make_file(call, scene, memory_path);
    if (status == RCITY_OK) {
        vsi_l_offset length = 0;
        const GByte *bytes = VSIGetMemFileBuffer(memory_path, &length, FALSE);
        status = bytes != NULL ? rcity_file_save(call->context, path, bytes, (size_t)length)
                               : rcity_gdal_fail(call, "hand over the GeoTIFF");
    }
    VSIRmdirRecursive(folder);
    return status;
}

rcity_status rcity_scene_export_terrain(rcity_context *context, const rcity_scene *scene, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, path);
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    RCITY_CHECK(context, shapes != NULL, RCITY_ERR_STATE, "the scene is not committed yet");
    RCITY_CHECK(context, shapes->terrain.column_count > 0, RCITY_ERR_ARGUMENT,
                "cannot write '%s': the scene has no terrain", path);
    double need_bytes = rcity_terrain_bytes((int64_t)shapes->terrain.column_count * shapes->terrain.row_count);
    RCITY_TRY(rcity_check_output_memory(context, need_bytes, path, "raise `memory`"));
    rcity_gdal_call call;
    rcity_gdal_open(context, "writing terrain", &call);
    rcity_status status = save_terrain(&call, scene, path);
    rcity_gdal_close(&call);
    return status;
}
