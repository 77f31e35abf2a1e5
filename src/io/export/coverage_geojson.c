/* Coverage as GeoJSON: one feature for each threshold. Longitude and latitude after RFC 7946, outer rings
   counter-clockwise; a map without CRS keeps its metres, which RFC 7946 does not define but every GIS reads. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "io/export/coverage_area.h"
#include "io/export/geojson.h"
#include "io/export/text_block.h"
#include "radiocity/io.h"
#include "result/map_data.h"

/* A ring closes with its first point. */
static void add_ring(rcity_json_writer *json, const rcity_outlines *outlines, size_t ring, int decimals)
{
    rcity_json_begin_array(json, NULL);
    for (size_t i = outlines->ring_first[ring]; i < outlines->ring_first[ring + 1]; i++) {
        rcity_geojson_position(json, outlines->xy + 2 * i, (double)NAN, decimals);
    }
    rcity_geojson_position(json, outlines->xy + 2 * outlines->ring_first[ring], (double)NAN, decimals);
    rcity_json_end_array(json);
}

static void add_geometry(rcity_json_writer *json, const rcity_coverage_area *area, int decimals)
{
    const rcity_regions *regions = &area->regions;
    if (regions->ring_count == 0) {
        rcity_json_text(json, "geometry", NULL);
        return;
    }
    rcity_json_begin_object(json, "geometry");
    rcity_json_text(json, "type", "MultiPolygon");
    rcity_json_begin_array(json, "coordinates");
    for (size_t i = 0; i < regions->ring_count; i++) {
        if (regions->ring[i].is_outer && i > 0) {
            rcity_json_end_array(json);
            rcity_json_break_line(json);
        }
        if (regions->ring[i].is_outer) {
            rcity_json_begin_array(json, NULL);
        }
        add_ring(json, &area->outlines, i, decimals);
    }
    rcity_json_end_array(json);
    rcity_json_end_array(json);
    rcity_json_end_object(json);
}

static void add_feature(rcity_json_writer *json, const rcity_band *band, const rcity_coverage_area *area, int decimals)
{
    rcity_json_break_line(json);
    rcity_json_begin_object(json, NULL);
    rcity_json_text(json, "type", "Feature");
    rcity_json_begin_object(json, "properties");
    rcity_json_number(json, "threshold", area->threshold);
    rcity_json_text(json, "unit", band->unit);
    rcity_json_number(json, "area_km2", area->area_km2);
    rcity_json_number(json, "fraction", area->fraction);
    rcity_json_text(json, "band", band->name);
    rcity_json_text(json, "relation", rcity_band_is_loss(band) ? "at or below" : "at or above");
    rcity_json_number(json, "rx_height_m", band->rx_height_m);
    rcity_json_end_object(json);
    rcity_json_break_line(json);
    add_geometry(json, area, decimals);
    rcity_json_end_object(json);
}

/* How the map was made, as a foreign member. */
static void add_notes(rcity_json_writer *json, const rcity_map *map)
{
    const char *key = NULL;
    const char *value = NULL;
    rcity_json_begin_object(json, "radiocity");
    for (int i = 0; rcity_map_get_note(map, i, &key, &value) == RCITY_OK; i++) {
        rcity_json_text(json, key, value);
    }
    rcity_json_end_object(json);
}

static rcity_status write_coverage(rcity_text_block *text, const rcity_map *map, const rcity_band *band,
                                   int threshold_count, const double *sorted)
{
    rcity_json_writer json = rcity_text_block_json(text);
    rcity_geojson_begin(&json);
    add_notes(&json, map);
    rcity_json_break_line(&json);
    rcity_json_begin_array(&json, "features");
    for (int i = 0; i < threshold_count; i++) {
        rcity_coverage_area area;
        RCITY_TRY(rcity_coverage_area_make(text->context, map, band, sorted[i], &area));
        add_feature(&json, band, &area, rcity_geojson_decimals(rcity_map_crs(map)));
        rcity_coverage_area_deinit(&area);
        RCITY_TRY(text->status);
        RCITY_TRY(rcity_progress(text->context, "coverage areas", i + 1, threshold_count));
    }
    rcity_geojson_end(&json);
    return text->status;
}

rcity_status rcity_map_save_coverage(rcity_context *context, const rcity_map *map, int band_index, int threshold_count,
                                     const double *thresholds, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, map);
    RCITY_NEED(context, path);
    rcity_band band = {.name = ""};
    double sorted[RCITY_AREA_THRESHOLD_MAX];
    RCITY_TRY(rcity_map_find_band(context, map, band_index, &band));
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
