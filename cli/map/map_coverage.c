/* radiocity map coverage */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "command.h"
#include "exit_status.h"
#include "json.h"
#include "map_files.h"
#include "outputs.h"
#include "session.h"
#include "shown_text.h"

/* The user's options. */
typedef struct coverage_run {
    const char *path, *wish, *geojson_path;
    number_list thresholds;
    double fade_db;
    bool wants_json;
    int band_index;
    rcity_coverage coverages[NUMBER_LIST_MAX];
} coverage_run;

static void print_json(const coverage_run *run, const rcity_band *band)
{
    json_writer json = json_writer_make(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "band", band->name);
    json_text(&json, "unit", band->unit);
    json_number(&json, "rx_height_m", band->rx_height_m);
    json_integer(&json, "receivers", run->coverages[0].receiver_count);
    json_number(&json, "receiver_km2", run->coverages[0].receiver_km2);
    json_begin_array(&json, "coverage");
    for (int i = 0; i < run->thresholds.count; i++) {
        const rcity_coverage *coverage = &run->coverages[i];
        json_begin_object(&json, NULL);
        json_number(&json, "threshold", coverage->threshold);
        json_integer(&json, "covered", coverage->covered_count);
        json_number(&json, "covered_km2", coverage->covered_km2);
        json_number(&json, "fraction", coverage->covered_fraction);
        json_number(&json, "fading_fraction", coverage->fading_fraction);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    json_end_line(&json);
}

static void print_text(const coverage_run *run, const rcity_map *map, const rcity_band *band)
{
    char text[200];
    printf("%s, %" PRId64 " %s with a value", map_band_text(band, text, sizeof text), run->coverages[0].receiver_count,
           run->coverages[0].receiver_count == 1 ? "cell" : "cells");
    if (isfinite(run->coverages[0].receiver_km2)) {
        printf(", %.3f km2", run->coverages[0].receiver_km2);
    } else {
        printf(", km2 unknown (cells in %s)", shown(map_cell_unit(map)));
    }
    printf("\n%14s %12s %10s%s\n", "threshold", "area", "of area", run->fade_db > 0.0 ? "   with fading" : "");
    for (int i = 0; i < run->thresholds.count; i++) {
        const rcity_coverage *coverage = &run->coverages[i];
        printf("%9.6g %-4s ", coverage->threshold, shown(band->unit));
        if (isfinite(coverage->covered_km2)) {
            printf("%8.3f km2", coverage->covered_km2);
        } else {
            printf("%12s", "-");
        }
        printf(" %8.1f %%", 100.0 * coverage->covered_fraction);
        if (run->fade_db > 0.0) {
            printf("    %8.1f %%", 100.0 * coverage->fading_fraction);
        }
        printf("\n");
    }
    if (run->geojson_path != NULL) {
        printf("%s\n", run->geojson_path);
    }
}

static int cover(rcity_context *context, coverage_run *run, rcity_map **map)
{
    rcity_band band = {.name = ""};
    rcity_status status = rcity_map_load_geotiff(context, run->path, map);
    if (status != RCITY_OK) {
        return session_fail(context, status);
    }
    int result = map_band_find("map coverage", *map, run->path, run->wish, &run->band_index);
    if (result != 0) {
        return result;
    }
    for (int i = 0; i < run->thresholds.count && status == RCITY_OK; i++) {
        status = rcity_map_get_coverage(context, *map, run->band_index, run->thresholds.value[i], run->fade_db,
                                        &run->coverages[i]);
    }
    if (status == RCITY_OK) {
        status = rcity_map_get_band(*map, run->band_index, &band);
    }
    if (status == RCITY_OK && run->geojson_path != NULL) {
        status = rcity_map_save_coverage(context, *map, run->band_index, run->thresholds.count, run->thresholds.value,
                                         run->geojson_path);
    }
    if (status != RCITY_OK) {
        return session_fail(context, status);
    }
    if (run->wants_json) {
        print_json(run, &band);
    } else {
        print_text(run, *map, &band);
    }
    return EXIT_FINE;
}

int map_coverage(int count, char **words)
{
    coverage_run run = {.path = NULL};
    const cli_option table[] = {
        {"--thresholds", OPTION_NUMBERS, &run.thresholds, "DBM[,DBM...]",
         "levels to report; of a loss, what stays below"},
        {"--fade-db", OPTION_NUMBER, &run.fade_db, "DB", "log-normal fading: its standard deviation, 0 to 50"},
        {"--band", OPTION_TEXT, &run.wish, "N|NAME",
         "number from 1, name, or name@height; received_power, else path_loss, else 1"},
        {"--geojson", OPTION_TEXT, &run.geojson_path, "FILE", "the areas as polygons"},
        {"--json", OPTION_FLAG, &run.wants_json, NULL, "one JSON object"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "map coverage",
        .usage =
            "Usage: radiocity map coverage MAP.tif --thresholds -95,-85,-75 [--fade-db DB] [--geojson FILE] [--json]",
        .about = "Say how much of a map reaches each threshold. With --fade-db also the mean probability that a level\n"
                 "holds when it fades around its mean.\n\n"
                 "Example: radiocity map coverage map.tif --thresholds -95,-85,-75 --fade-db 8 --geojson areas.geojson",
        .options = table,
        .positional_count = 1,
    };
    int result = arguments_read(&line, count, words);
    if (result == 0) {
        result = arguments_require(&line, "map", true);
    }
    if (result == 0 && run.thresholds.count == 0) {
        result = usage_error("map coverage", "the thresholds are missing; give --thresholds -95,-85");
    }
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    run.path = line.positional[0];
    rcity_context *context = NULL;
    rcity_map *map = NULL;
    result = session_open(&context);
    if (result != 0) {
        return result;
    }
    if (run.geojson_path != NULL) {
        result = output_check(context, "map coverage", run.geojson_path, run.path);
    }
    if (result == 0) {
        result = cover(context, &run, &map);
    }
    rcity_map_destroy(&map);
    session_close(&context);
    return result;
}
