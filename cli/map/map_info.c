/* radiocity map info */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "command.h"
#include "exit_status.h"
#include "json.h"
#include "map_files.h"
#include "session.h"
#include "shown_text.h"

/* The names of the classes by their values; nothing if there are none. */
static void print_json_classes(json_writer *json, const rcity_band *band)
{
    if (band->class_count == 0) {
        return;
    }
    json_begin_object(json, "classes");
    for (int i = 0; i < band->class_count; i++) {
        char value[16];
        snprintf(value, sizeof value, "%d", i);
        if (band->class_names[i][0] != '\0') {
            json_text(json, value, band->class_names[i]);
        }
    }
    json_end_object(json);
}

static rcity_status print_json_bands(rcity_context *context, json_writer *json, const rcity_map *map)
{
    json_begin_array(json, "bands");
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band;
        rcity_band_summary summary;
        rcity_status status = rcity_map_get_band(map, i, &band);
        if (status == RCITY_OK) {
            status = rcity_map_summarize(context, map, i, &summary);
        }
        if (status != RCITY_OK) {
            return status;
        }
        json_begin_object(json, NULL);
        json_text(json, "name", band.name);
        json_text(json, "unit", band.unit);
        json_text(json, "text", band.text);
        json_text(json, "kind", rcity_band_kind_word(band.kind));
        print_json_classes(json, &band);
        json_number(json, "rx_height_m", band.rx_height_m);
        json_integer(json, "values", summary.value_count);
        json_number(json, "minimum", summary.minimum);
        json_number(json, "median", summary.median);
        json_number(json, "maximum", summary.maximum);
        json_end_object(json);
    }
    json_end_array(json);
    return RCITY_OK;
}

static rcity_status print_json(rcity_context *context, const rcity_map *map)
{
    rcity_raster raster = rcity_map_raster(map);
    json_writer json = json_writer_make(stdout);
    const char *key = NULL;
    const char *value = NULL;
    json_begin_object(&json, NULL);
    json_text(&json, "crs", rcity_map_crs(map));
    json_integer(&json, "columns", raster.column_count);
    json_integer(&json, "rows", raster.row_count);
    json_number(&json, "west", raster.west_m);
    json_number(&json, "north", raster.north_m);
    json_number(&json, "cell", raster.cell_m);
    json_text(&json, "cell_unit", map_cell_unit(map));
    rcity_status status = print_json_bands(context, &json, map);
    json_begin_object(&json, "notes");
    for (int i = 0; rcity_map_get_note(map, i, &key, &value) == RCITY_OK; i++) {
        json_text(&json, key, value);
    }
    json_end_object(&json);
    json_end_object(&json);
    json_end_line(&json);
    return status;
}

static rcity_status print_text(rcity_context *context, const rcity_map *map)
{
    rcity_raster raster = rcity_map_raster(map);
    const char *unit = shown(map_cell_unit(map));
    const char *key = NULL;
    const char *value = NULL;
    printf("CRS             %s\n", shown(rcity_map_crs(map)));
    printf("raster          %" PRId64 " x %" PRId64 " cells of %.10g %s\n", raster.column_count, raster.row_count,
           raster.cell_m, unit);
    printf("bounds          x %.10g to %.10g %s, y %.10g to %.10g %s\n", raster.west_m,
           raster.west_m + (double)raster.column_count * raster.cell_m, unit,
           raster.north_m - (double)raster.row_count * raster.cell_m, raster.north_m, unit);
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band;
        rcity_band_summary summary;
        char text[200];
        rcity_status status = rcity_map_get_band(map, i, &band);
        if (status == RCITY_OK) {
            status = rcity_map_summarize(context, map, i, &summary);
        }
        if (status != RCITY_OK) {
            return status;
        }
        printf("band %-3d        %s: ", i + 1, map_band_text(&band, text, sizeof text));
        band.unit = shown(band.unit);
        if (summary.value_count > 0) {
            printf("%.4g to %.4g%s%s, median %.4g%s%s, %" PRId64 " cells have a value\n", summary.minimum,
                   summary.maximum, band.unit[0] != '\0' ? " " : "", band.unit, summary.median,
                   band.unit[0] != '\0' ? " " : "", band.unit, summary.value_count);
        } else {
            printf("no cell has a value\n");
        }
    }
    for (int i = 0; rcity_map_get_note(map, i, &key, &value) == RCITY_OK; i++) {
        printf("%-15s %s\n", shown(key), shown(value));
    }
    return RCITY_OK;
}

int map_info(int count, char **words)
{
    bool wants_json = false;
    const cli_option table[] = {
        {"--json", OPTION_FLAG, &wants_json, NULL, "one JSON object"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "map info",
        .usage = "Usage: radiocity map info MAP.tif [--json]",
        .about =
            "Say what a map holds: bands with their values, place, and how it was made. Any raster that GDAL reads\n"
            "will do, with north up and square cells.\n\n"
            "Example: radiocity map info map.tif",
        .options = table,
        .positional_count = 1,
    };
    int result = arguments_read(&line, count, words);
    if (result == 0) {
        result = arguments_require(&line, "map", true);
    }
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    rcity_context *context = NULL;
    rcity_map *map = NULL;
    result = session_open(&context);
    if (result != 0) {
        return result;
    }
    rcity_status status = rcity_map_load_geotiff(context, line.positional[0], &map);
    if (status == RCITY_OK) {
        status = wants_json ? print_json(context, map) : print_text(context, map);
    }
    result = status == RCITY_OK ? EXIT_FINE : session_fail(context, status);
    rcity_map_destroy(&map);
    session_close(&context);
    return result;
}
