/* Maps as cloud-optimised GeoTIFF. GDAL reads the bands in place and writes the file into memory; the finished bytes
   are written to disk whole or not at all. Nothing that varies between runs is written. */
#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <stdio.h>
#include <string.h>

#include "base/abi.h"
#include "base/file.h"
#include "io/gis/map_view.h"
#include "io/gis/map_warp.h"
#include "io/output_bytes.h"
#include "radiocity/io.h"

#define BLOCK_PX 512

/* The map, already in the CRS of the file. */
static rcity_status check_memory(rcity_context *context, const rcity_map *map, const char *path)
{
    rcity_raster raster = rcity_map_raster(map);
    double need_bytes = rcity_geotiff_bytes(raster.column_count * raster.row_count, rcity_map_band_count(map), false);
    return rcity_check_output_memory(context, need_bytes, path, "use a larger cell or raise `memory`");
}

/* Write the view as COG into GDAL's memory files. */
static rcity_status make_cog(rcity_gdal_call *call, GDALDatasetH view, const char *memory_path)
{
    char threads[16];
    snprintf(threads, sizeof threads, "%d", rcity_context_thread_count(call->context));
    char **options = NULL;
    options = CSLSetNameValue(options, "COMPRESS", "DEFLATE");
    options = CSLSetNameValue(options, "PREDICTOR", "YES");
    options = CSLSetNameValue(options, "BLOCKSIZE", CPLSPrintf("%d", BLOCK_PX));
    options = CSLSetNameValue(options, "OVERVIEWS", "AUTO");
    /* Nearest neighbour: an overview shows values that the map has. A mean of dB is no power, a mean of yes and no is
       neither, and every averaging kernel skips NaN, so that buildings would shrink from level to level. */
    options = CSLSetNameValue(options, "RESAMPLING", "NEAREST");
    options = CSLSetNameValue(options, "BIGTIFF", "IF_SAFER");
    options = CSLSetNameValue(options, "NUM_THREADS", threads); /* blocks are independent: the bytes stay the same */
    GDALDriverH driver = GDALGetDriverByName("COG");
    GDALDatasetH made =
        driver != NULL ? GDALCreateCopy(driver, memory_path, view, FALSE, options, rcity_gdal_progress, call) : NULL;
    CSLDestroy(options);
    if (made == NULL) {
        return rcity_gdal_fail(call,
                               driver != NULL ? "make the GeoTIFF" : "make one: it has no COG driver (3.1 or later)");
    }
    GDALClose(made);
    return call->text[0] == '\0' ? RCITY_OK : rcity_gdal_fail(call, "finish the GeoTIFF");
}

/* Make the file in GDAL's memory and pass its bytes on. */
static rcity_status write_cog(rcity_gdal_call *call, const rcity_map *map, rcity_new_file *file)
{
    /* The address of a local variable: unique among the calls that run now. */
    char folder[64], memory_path[96];
    snprintf(folder, sizeof folder, "/vsimem/radiocity-%p", (void *)folder);
    snprintf(memory_path, sizeof memory_path, "%s/map.tif", folder);
    GDALDatasetH view = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_map_view_open(call, map, &view));
    RCITY_TRY_DONE(make_cog(call, view, memory_path));
    vsi_l_offset length = 0;
    const GByte *bytes = VSIGetMemFileBuffer(memory_path, &length, FALSE);
    if (bytes == NULL) {
        status = rcity_gdal_fail(call, "hand over the GeoTIFF");
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

void rcity_geotiff_options_init(rcity_geotiff_options *options, size_t struct_bytes)
{
    rcity_geotiff_options made = {.crs = NULL};
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

/* Warp the map to another CRS if one is requested, and write it. */
static rcity_status write_in_crs(rcity_gdal_call *call, const rcity_map *map, const char *crs, const char *path,
                                 rcity_new_file *file)
{
    rcity_map *warped = NULL;
    bool is_needed = false;
    rcity_status status = RCITY_OK;
    if (crs != NULL) {
        RCITY_TRY_DONE(rcity_map_warp_is_needed(call, map, crs, &is_needed));
    }
    if (is_needed) {
        RCITY_TRY_DONE(rcity_map_warp(call, map, -1, crs, 0, &warped));
        RCITY_TRY_DONE(check_memory(call->context, warped, path)); /* it may have grown */
    }
    status = write_cog(call, is_needed ? warped : map, file);
done:
    rcity_map_destroy(&warped);
    return status;
}

rcity_status rcity_map_save_geotiff(rcity_context *context, const rcity_map *map, const rcity_geotiff_options *options,
                                    const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, map);
    RCITY_NEED(context, path);
    rcity_geotiff_options known = rcity_geotiff_options_default();
    if (options != NULL) {
        RCITY_TAKE(context, rcity_geotiff_options, crs, options, &known);
    }
    RCITY_CHECK(context, rcity_map_band_count(map) > 0, RCITY_ERR_ARGUMENT, "cannot write '%s': the map has no bands",
                path);
    RCITY_TRY(check_memory(context, map, path));
    rcity_new_file *file = NULL;
    RCITY_TRY(rcity_new_file_open(context, path, &file));
    rcity_gdal_call call;
    rcity_gdal_open(context, "writing GeoTIFF", &call);
    rcity_status status = write_in_crs(&call, map, known.crs, path, file);
    rcity_gdal_close(&call);
    if (status != RCITY_OK) {
        rcity_new_file_discard(&file);
        return status;
    }
    return rcity_new_file_commit(&file);
}
