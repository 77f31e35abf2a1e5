/* Coverage as GeoJSON: one feature a threshold. Longitude and latitude after RFC 7946, outer rings counter-clockwise; a
   map without CRS keeps its metres, which RFC 7946 has no word for but every GIS reads. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "io/export/coverage_area.h"
#include "io/export/text_block.h"
#include "radiocity/io.h"
#include "result/map_data.h"

#define DEGREE_DECIMALS 8 /* about a millimetre */
#define METRE_DECIMALS  4

static void add_point(rcity_text_block *text, const double *xy, int decimals)
{
    rcity_text_add(text, "[");
    rcity_text_add_fixed(text, xy[0], decimals);
    rcity_text_add(text, ",");
    rcity_text_add_fixed(text, xy[1], decimals);
    rcity_text_add(text, "]");
}

/* A ring closes with its first point. */
static void add_ring(rcity_text_block *text, const rcity_outlines *outlines, size_t ring, int decimals)
{
    rcity_text_add(text, "[");
    for (size_t i = outlines->ring_first[ring]; i < outlines->ring_first[ring + 1]; i++) {
        add_point(text, outlines->xy + 2 * i, decimals);
        rcity_text_add(text, ",");
    }
    add_point(text, outlines->xy + 2 * outlines->ring_first[ring], decimals);
    rcity_text_add(text, "]");
}

static void add_geometry(rcity_text_block *text, const rcity_coverage_area *area, int decimals)
{
    const rcity_regions *regions = &area->regions;
    if (regions->ring_count == 0) {
        rcity_text_add(text, "null");
        return;
    }
    rcity_text_add(text, "{\"type\":\"MultiPolygon\",\"coordinates\":[");
    for (size_t i = 0; i < regions->ring_count; i++) {
        rcity_text_add(text, "%s", !regions->ring[i].is_outer ? "," : i > 0 ? "],\n[" : "[");
        add_ring(text, &area->outlines, i, decimals);
    }
    rcity_text_add(text, "]]}");
}

static void add_feature(rcity_text_block *text, const rcity_band *band, const rcity_coverage_area *area, int decimals)
{
    rcity_text_add(text, "{\"type\":\"Feature\",\"properties\":{\"threshold\":");
    rcity_text_add_number(text, area->threshold);
    rcity_text_add(text, ",\"unit\":");
    rcity_text_add_json(text, band->unit);
    rcity_text_add(text, ",\"area_km2\":");
    rcity_text_add_number(text, area->area_km2);
    rcity_text_add(text, ",\"fraction\":");
    rcity_text_add_number(text, area->fraction);
    rcity_text_add(text, ",\"band\":");
    rcity_text_add_json(text, band->name);
    rcity_text_add(text,
                   ",\"relation\":\"%s\",\"rx_height_m\":", rcity_band_is_loss(band) ? "at or below" : "at or above");
    rcity_text_add_number(text, band->rx_height_m);
    rcity_text_add(text, "},\n\"geometry\":");
    add_geometry(text, area, decimals);
    rcity_text_add(text, "}");
}

/* How the map was made, as a member of our own. */
static void add_notes(rcity_text_block *text, const rcity_map *map)
{
    const char *key = NULL;
    const char *value = NULL;
    rcity_text_add(text, "\"radiocity\":{");
    for (int i = 0; rcity_map_get_note(map, i, &key, &value); i++) {
        rcity_text_add(text, i > 0 ? "," : "");
        rcity_text_add_json(text, key);
        rcity_text_add(text, ":");
        rcity_text_add_json(text, value);
    }
    rcity_text_add(text, "}");
}

static rcity_status write_coverage(rcity_text_block *text, const rcity_map *map, const rcity_band *band,
                                   int threshold_count, const double *sorted)
{
    int decimals = strcmp(rcity_map_crs(map), "none") != 0 ? DEGREE_DECIMALS : METRE_DECIMALS;
    rcity_text_add(text, "{\"type\":\"FeatureCollection\",");
    add_notes(text, map);
    rcity_text_add(text, ",\n\"features\":[\n");
    for (int i = 0; i < threshold_count; i++) {
        rcity_coverage_area area;
        RCITY_TRY(rcity_coverage_area_make(text->context, map, band, sorted[i], &area));
        add_feature(text, band, &area, decimals);
        rcity_text_add(text, i + 1 < threshold_count ? ",\n" : "\n");
        rcity_coverage_area_deinit(&area);
        RCITY_TRY(text->status);
        RCITY_TRY(rcity_progress(text->context, "coverage areas", i + 1, threshold_count));
    }
    rcity_text_add(text, "]}\n");
    return text->status;
}

rcity_status rcity_map_save_coverage(rcity_context *context, const rcity_map *map, int band_index, int threshold_count,
                                     const double *thresholds, const char *path)
{
    rcity_band band = {.name = ""};
    double sorted[RCITY_AREA_THRESHOLD_MAX];
    RCITY_TRY(rcity_map_get_band(map, band_index, &band));
    RCITY_TRY(rcity_coverage_sort(context, &band, threshold_count, thresholds, sorted));
    rcity_text_block text;
    rcity_text_block_init(context, &text);
    rcity_status status = write_coverage(&text, map, &band, threshold_count, sorted);
    if (status == RCITY_OK) {
        status = rcity_file_save(context, path, text.text, text.length);
    }
    rcity_text_block_deinit(&text);
    return status;
}
