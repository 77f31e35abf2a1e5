/* A map as KMZ: the archive of a KML document, its overlay, legend and icon. */
#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "base/file.h"
#include "io/export/coverage_area.h"
#include "io/gis/map_warp.h"
#include "io/globe/kml.h"
#include "io/globe/legend.h"
#include "io/globe/png.h"
#include "io/globe/zip.h"
#include "radiocity/crs.h"
#include "radiocity/io.h"
#include "result/map_data.h"

#define SIDE_MAX_PX   4096 /* of the overlay: what viewers show without scaling it down */
#define OVERLAY_ALPHA 0xd8u
#define ICON_PX       32

/* One pixel for each cell of the warped map; transparent where there is no value. */
static rcity_status make_overlay(rcity_context *context, const rcity_map *warped, const rcity_picture_values *values,
                                 unsigned char **png, size_t *bytes)
{
    rcity_raster raster = rcity_map_raster(warped);
    rcity_band band = {.value = NULL};
    RCITY_TRY(rcity_map_get_band(warped, 0, &band));
    size_t count = (size_t)raster.column_count * (size_t)raster.row_count;
    uint32_t *pixels = NULL;
    RCITY_TRY(rcity_alloc(context, count, sizeof *pixels, "the pixels of an overlay", &pixels));
    for (size_t i = 0; i < count; i++) {
        if (!isnan(band.value[i])) {
            pixels[i] =
                OVERLAY_ALPHA << 24 | rcity_colour_pack(rcity_picture_value_colour(values, (double)band.value[i]));
        }
    }
    rcity_status status =
        rcity_png_encode(context, (int)raster.column_count, (int)raster.row_count, pixels, png, bytes);
    rcity_release(context, pixels);
    return status;
}

/* A dark disc in a white ring; its edge is blurred over one pixel. */
static rcity_status make_icon(rcity_context *context, unsigned char **png, size_t *bytes)
{
    uint32_t pixels[ICON_PX * ICON_PX];
    for (int i = 0; i < ICON_PX * ICON_PX; i++) {
        double distance = hypot(i % ICON_PX + 0.5 - 0.5 * ICON_PX, i / ICON_PX + 0.5 - 0.5 * ICON_PX);
        double cover = fmin(fmax(14.0 - distance, 0.0), 1.0);
        double dark = fmin(fmax(10.0 - distance, 0.0), 1.0);
        rcity_colour colour = rcity_colour_mix(rcity_colour_unpack(0xffffff), rcity_colour_unpack(0x26262b), dark);
        pixels[i] = (uint32_t)(255.0 * cover + 0.5) << 24 | rcity_colour_pack(colour);
    }
    return rcity_png_encode(context, ICON_PX, ICON_PX, pixels, png, bytes);
}

/* All parts of the archive, made before it is written. */
typedef struct kmz_parts {
    rcity_map *warped;
    rcity_text_block text;
    unsigned char *overlay, *legend, *icon;
    size_t overlay_bytes, legend_bytes, icon_bytes;
    rcity_zip zip;
} kmz_parts;

static void release_parts(rcity_context *context, kmz_parts *parts)
{
    rcity_zip_deinit(&parts->zip);
    rcity_release(context, parts->icon);
    rcity_release(context, parts->legend);
    rcity_release(context, parts->overlay);
    rcity_text_block_deinit(&parts->text);
    rcity_map_destroy(&parts->warped);
}

static rcity_status warp(rcity_context *context, const rcity_map *map, int band_index, rcity_map **warped)
{
    rcity_gdal_call call;
    rcity_gdal_open(context, "changing the CRS", &call);
    rcity_status status = rcity_map_warp(&call, map, band_index, RCITY_CRS_LONLAT, SIDE_MAX_PX, warped);
    rcity_gdal_close(&call);
    return status;
}

static rcity_status make_parts(rcity_context *context, rcity_kml *kml, int band_index, rcity_picture_values *values,
                               kmz_parts *parts)
{
    rcity_raster raster = rcity_map_raster(kml->map);
    RCITY_TRY(rcity_picture_measure_band(context, kml->band, raster.column_count * raster.row_count, (double)NAN,
                                         (double)NAN, values));
    RCITY_TRY(warp(context, kml->map, band_index, &parts->warped));
    RCITY_TRY(make_overlay(context, parts->warped, values, &parts->overlay, &parts->overlay_bytes));
    kml->overlay = rcity_map_raster(parts->warped);
    rcity_map_destroy(&parts->warped); /* frees its memory for the rest */
    RCITY_TRY(rcity_legend_make(context, kml->band, values, &parts->legend, &parts->legend_bytes));
    kml->has_legend = parts->legend != NULL;
    RCITY_TRY(make_icon(context, &parts->icon, &parts->icon_bytes));
    return rcity_kml_write(kml, &parts->text);
}

/* The document comes first: readers take the first .kml they find. */
static rcity_status pack(kmz_parts *parts)
{
    rcity_zip *zip = &parts->zip;
    RCITY_TRY(rcity_zip_add(zip, "doc.kml", parts->text.text, parts->text.length));
    RCITY_TRY(rcity_zip_add(zip, RCITY_KML_OVERLAY, parts->overlay, parts->overlay_bytes));
    if (parts->legend != NULL) {
        RCITY_TRY(rcity_zip_add(zip, RCITY_KML_LEGEND, parts->legend, parts->legend_bytes));
    }
    RCITY_TRY(rcity_zip_add(zip, RCITY_KML_ICON, parts->icon, parts->icon_bytes));
    return rcity_zip_finish(zip);
}

rcity_status rcity_map_save_kmz(rcity_context *context, const rcity_map *map, int band_index, int threshold_count,
                                const double *thresholds, int transmitter_count, const rcity_transmitter *transmitters,
                                const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, map);
    RCITY_NEED(context, path);
    RCITY_CHECK_FIXED_ALL(context, rcity_transmitter, transmitters, transmitter_count);
    rcity_band band = {.name = ""};
    double sorted[RCITY_AREA_THRESHOLD_MAX];
    rcity_picture_values values = {.has_any = false};
    RCITY_TRY(rcity_map_find_band(context, map, band_index, &band));
    RCITY_CHECK(context, strcmp(rcity_map_crs(map), "none") != 0, RCITY_ERR_ARGUMENT,
                "cannot write '%s': the map has no CRS, so it has no place on the globe; import the scene with `crs`",
                path);
    if (threshold_count > 0) {
        RCITY_TRY(rcity_coverage_sort(context, &band, threshold_count, thresholds, sorted));
    }
    rcity_kml kml = {.map = map,
                     .band = &band,
                     .values = &values,
                     .threshold_count = threshold_count,
                     .thresholds = sorted,
                     .transmitter_count = transmitter_count,
                     .transmitters = transmitters};
    kmz_parts parts = {.warped = NULL};
    rcity_text_block_init(context, &parts.text);
    rcity_zip_init(context, &parts.zip);
    rcity_status status;
    RCITY_TRY_DONE(make_parts(context, &kml, band_index, &values, &parts));
    RCITY_TRY_DONE(pack(&parts));
    status = rcity_file_save(context, path, parts.zip.bytes, parts.zip.count);
done:
    release_parts(context, &parts);
    return status;
}
