/* What `predict` prints: text for people, JSON for scripts. */
#include "predict_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "indoor_shares.h"
#include "json.h"
#include "shown_text.h"

/* The coverage of every band of a kind at every threshold. */
static rcity_status fill_coverage(rcity_context *context, const rcity_map *map, const predict_report *report,
                                  rcity_band_kind kind, const number_list *thresholds, double fade_db,
                                  coverage_table *table)
{
    table->rows = calloc((size_t)report->band_count * (size_t)thresholds->count + 1, sizeof *table->rows);
    if (table->rows == NULL) {
        return RCITY_ERR_MEMORY;
    }
    for (int i = 0; i < report->band_count; i++) {
        for (int k = 0; report->bands[i].kind == kind && k < thresholds->count; k++) {
            coverage_row *row = &table->rows[table->count++];
            row->rx_height_m = report->bands[i].rx_height_m;
            rcity_status status =
                rcity_map_get_coverage(context, map, i, thresholds->value[k], fade_db, &row->coverage);
            if (status != RCITY_OK) {
                return status;
            }
        }
    }
    return RCITY_OK;
}

static void count_servers(const rcity_map *map, const predict_world *world, predict_report *report)
{
    rcity_raster raster = rcity_map_raster(map);
    for (int i = 0; i < report->band_count; i++) {
        if (report->bands[i].kind != RCITY_BAND_SERVER) {
            continue;
        }
        for (int64_t cell = 0; cell < raster.column_count * raster.row_count; cell++) {
            float value = report->bands[i].value[cell];
            int server = isnan(value) ? 0 : (int)value;
            if (server >= 1 && server <= world->transmitter_count) {
                report->served_count[server - 1]++;
                report->served_total++;
            }
        }
        break;
    }
}

rcity_status predict_report_init(rcity_context *context, const rcity_scene *scene, const rcity_map *map,
                                 const predict_input *input, const predict_world *world, predict_report *report)
{
    size_t band_count = (size_t)rcity_map_band_count(map);
    report->bands = calloc(band_count, sizeof *report->bands);
    report->summaries = calloc(band_count, sizeof *report->summaries);
    report->served_count = calloc((size_t)world->transmitter_count, sizeof *report->served_count);
    if (report->bands == NULL || report->summaries == NULL || report->served_count == NULL) {
        return RCITY_ERR_MEMORY;
    }
    report->band_count = (int)band_count;
    for (int i = 0; i < report->band_count; i++) {
        rcity_status status = rcity_map_get_band(map, i, &report->bands[i]);
        status = status == RCITY_OK ? rcity_map_summarize(context, map, i, &report->summaries[i]) : status;
        if (status != RCITY_OK) {
            return status;
        }
    }
    count_servers(map, world, report);
    rcity_status status =
        fill_coverage(context, map, report, RCITY_BAND_POWER, &input->thresholds, input->fade_db, &report->levels);
    if (status == RCITY_OK) {
        status = fill_coverage(context, map, report, RCITY_BAND_SINR, &input->sinr_thresholds, 0.0, &report->sinr);
    }
    if (status == RCITY_OK && indoor_is_wanted(&input->request)) {
        status = indoor_split(context, scene, map, report, RCITY_BAND_POWER, input->thresholds.count, input->fade_db,
                              &report->levels);
        status = status == RCITY_OK ? indoor_split(context, scene, map, report, RCITY_BAND_SINR,
                                                   input->sinr_thresholds.count, 0.0, &report->sinr)
                                    : status;
    }
    return status;
}

void predict_report_deinit(predict_report *report)
{
    free(report->served_count);
    free(report->sinr.rows);
    free(report->levels.rows);
    free(report->summaries);
    free(report->bands);
    memset(report, 0, sizeof *report);
}

static void print_json_bands(json_writer *json, const predict_report *report)
{
    json_begin_array(json, "bands");
    for (int i = 0; i < report->band_count; i++) {
        const rcity_band_summary *summary = &report->summaries[i];
        json_begin_object(json, NULL);
        json_text(json, "name", report->bands[i].name);
        json_text(json, "unit", report->bands[i].unit);
        json_number(json, "rx_height_m", report->bands[i].rx_height_m);
        json_integer(json, "values", summary->value_count);
        json_number(json, "minimum", summary->minimum);
        json_number(json, "median", summary->median);
        json_number(json, "maximum", summary->maximum);
        json_end_object(json);
    }
    json_end_array(json);
}

static void print_json_coverage(json_writer *json, const char *key, const coverage_table *table, bool is_level)
{
    json_begin_array(json, key);
    for (int i = 0; i < table->count; i++) {
        const rcity_coverage *coverage = &table->rows[i].coverage;
        json_begin_object(json, NULL);
        json_number(json, "rx_height_m", table->rows[i].rx_height_m);
        json_number(json, is_level ? "threshold_dbm" : "threshold_db", coverage->threshold);
        json_number(json, "covered_km2", coverage->covered_km2);
        json_number(json, "receiver_km2", coverage->receiver_km2);
        json_number(json, "covered_percent", 100.0 * coverage->covered_fraction);
        if (is_level) {
            json_number(json, "fading_percent", 100.0 * coverage->fading_fraction);
        }
        if (table->rows[i].has_indoor) {
            const rcity_coverage *indoor = &table->rows[i].indoor;
            json_begin_object(json, "indoor");
            json_number(json, "covered_km2", indoor->covered_km2);
            json_number(json, "receiver_km2", indoor->receiver_km2);
            json_number(json, "covered_percent", 100.0 * indoor->covered_fraction);
            if (is_level) {
                json_number(json, "fading_percent", 100.0 * indoor->fading_fraction);
            }
            json_end_object(json);
        }
        json_end_object(json);
    }
    json_end_array(json);
}

static double served_percent(const predict_report *report, int transmitter_index)
{
    double total = (double)report->served_total;
    return total > 0.0 ? 100.0 * (double)report->served_count[transmitter_index] / total : 0.0;
}

static void print_json_servers(json_writer *json, const predict_report *report, const predict_world *world)
{
    json_begin_array(json, "servers");
    for (int i = 0; i < world->transmitter_count; i++) {
        json_begin_object(json, NULL);
        json_integer(json, "number", i + 1);
        json_text(json, "name", world->transmitters[i].name);
        json_number(json, "percent", served_percent(report, i));
        json_end_object(json);
    }
    json_end_array(json);
}

static void print_json(const predict_report *report, const rcity_map *map, const predict_input *input,
                       const predict_world *world, const rcity_device *device)
{
    json_writer json = json_writer_make(stdout);
    json_begin_object(&json, NULL);
    const char *key;
    const char *value;
    for (int i = 0; rcity_map_get_note(map, i, &key, &value) == RCITY_OK; i++) {
        json_note(&json, key, value);
    }
    rcity_device_info info;
    rcity_device_describe(device, &info);
    json_text(&json, "device", info.id);
    rcity_raster raster = rcity_map_raster(map);
    json_integer(&json, "columns", raster.column_count);
    json_integer(&json, "rows", raster.row_count);
    print_json_bands(&json, report);
    if (input->thresholds.count > 0) {
        print_json_coverage(&json, "coverage", &report->levels, true);
    }
    if (predict_input_wants_sinr(input)) {
        print_json_coverage(&json, "sinr_coverage", &report->sinr, false);
    }
    if (input->sites_path != NULL) {
        print_json_servers(&json, report, world);
        predict_demand_json(&json, &report->demand);
    }
    json_end_object(&json);
    json_end_line(&json);
}

static void print_coverage_row(const rcity_coverage *coverage, const char *unit, bool has_fading)
{
    printf("  %6.10g %-3s %8.3f km2 %8.1f %%", coverage->threshold, unit, coverage->covered_km2,
           100.0 * coverage->covered_fraction);
    if (has_fading) {
        printf(" %11.1f %%", 100.0 * coverage->fading_fraction);
    }
    printf("\n");
}

/* A block for each height; where there are levels in buildings, one for outdoors and one for indoors. */
static void print_coverage(const coverage_table *table, int threshold_count, const char *what, const char *unit,
                           bool has_fading)
{
    for (int first = 0; first < table->count; first += threshold_count) {
        for (int place = 0; place < (table->rows[first].has_indoor ? 2 : 1); place++) {
            const coverage_row *rows = &table->rows[first];
            printf("%s at %.10g m, of %.3f km2 %s:\n  %10s %12s %10s%s\n", what, rows[0].rx_height_m,
                   place == 0 ? rows[0].coverage.receiver_km2 : rows[0].indoor.receiver_km2,
                   place == 0 ? "outdoors" : "indoors", "threshold", "area", "of area",
                   has_fading ? "   with fading" : "");
            for (int k = 0; k < threshold_count; k++) {
                print_coverage_row(place == 0 ? &rows[k].coverage : &rows[k].indoor, unit, has_fading);
            }
        }
    }
}

static void print_bands(const predict_report *report)
{
    for (int i = 0; i < report->band_count; i++) {
        const rcity_band *band = &report->bands[i];
        const rcity_band_summary *summary = &report->summaries[i];
        const char *gap = band->unit[0] != '\0' ? " " : "";
        if (band->kind == RCITY_BAND_SERVER) {
            continue; /* its own table tells more */
        }
        if (summary->value_count == 0) {
            printf("  %s at %.10g m: no cell has a value\n", band->name, band->rx_height_m);
        } else {
            printf("  %s at %.10g m: %.1f to %.1f%s%s, median %.1f, %" PRId64 " %s\n", band->name, band->rx_height_m,
                   summary->minimum, summary->maximum, gap, band->unit, summary->median, summary->value_count,
                   summary->value_count == 1 ? "cell" : "cells");
        }
    }
}

static void print_servers(const predict_report *report, const predict_world *world)
{
    printf("best server, share of the area:\n");
    for (int i = 0; i < world->transmitter_count; i++) {
        const char *name = world->transmitters[i].name;
        printf("  %3d  %-24s %5.1f %%\n", i + 1, shown(name), served_percent(report, i));
    }
}

static void print_files(const predict_input *input)
{
    const char *const paths[] = {input->output_path,        input->sector_folder, input->geojson_path,
                                 input->sites_geojson_path, input->kmz_path,      input->delays.path};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        if (paths[i] != NULL) {
            printf("%s\n", paths[i]);
        }
    }
    for (int i = 0; i < input->pictures.count; i++) {
        printf("%s\n", input->pictures.value[i]);
    }
}

static void print_heading(const predict_input *input, const predict_world *world)
{
    if (input->sites_path != NULL) {
        printf("%s, %d %s", input->request.method, world->transmitter_count,
               world->transmitter_count == 1 ? "sector" : "sectors");
    } else {
        printf("%s at %.10g MHz", input->request.method, input->tx.frequency_mhz);
    }
}

void predict_report_map(const predict_report *report, const rcity_map *map, const predict_input *input,
                        const predict_world *world, const rcity_device *device)
{
    if (input->wants_json) {
        print_json(report, map, input, world, device);
        return;
    }
    rcity_raster raster = rcity_map_raster(map);
    print_heading(input, world);
    printf(", %" PRId64 " x %" PRId64 " cells of %.10g m\n", raster.column_count, raster.row_count, raster.cell_m);
    print_bands(report);
    print_coverage(&report->levels, input->thresholds.count, "coverage", "dBm", input->fade_db > 0.0);
    print_coverage(&report->sinr, input->sinr_thresholds.count, "sinr", "dB", false);
    if (input->sites_path != NULL) {
        print_servers(report, world);
        predict_demand_print(&report->demand);
    }
    print_files(input);
}

void predict_report_points(const predict_input *input, const predict_world *world, const float *loss_db)
{
    int64_t count = rcity_points_count(world->points);
    int64_t value_count = 0;
    for (int64_t i = 0; i < count * world->transmitter_count; i++) {
        value_count += !isnan(loss_db[i]);
    }
    if (input->wants_json) {
        json_writer json = json_writer_make(stdout);
        json_begin_object(&json, NULL);
        json_text(&json, "method", input->request.method);
        json_integer(&json, "points", count);
        json_integer(&json, "transmitters", world->transmitter_count);
        json_integer(&json, "values", value_count);
        json_end_object(&json);
        json_end_line(&json);
        return;
    }
    print_heading(input, world);
    printf(", %" PRId64 " %s, %" PRId64 " %s\n", count, count == 1 ? "point" : "points", value_count,
           value_count == 1 ? "value" : "values");
    print_files(input);
}

void predict_report_plan(const predict_input *input, const predict_world *world, const rcity_estimate *estimate,
                         double writing_bytes, bool fits_memory, bool is_least)
{
    bool on_surfaces = predict_input_wants_surfaces(input);
    bool is_raster = input->points_path == NULL && !on_surfaces;
    if (input->wants_json) {
        json_writer json = json_writer_make(stdout);
        json_begin_object(&json, NULL);
        json_text(&json, "method", input->request.method);
        json_integer(&json, "transmitters", world->transmitter_count);
        json_integer(&json, "columns", estimate->raster.column_count);
        json_integer(&json, "rows", estimate->raster.row_count);
        json_integer(&json, "receivers", estimate->receiver_count);
        json_integer(&json, "memory_bytes", (int64_t)estimate->memory_bytes);
        json_integer(&json, "writing_bytes", (int64_t)writing_bytes);
        json_number(&json, "seconds", estimate->seconds);
        json_boolean(&json, "is_least", is_least);
        json_boolean(&json, "fits_memory", fits_memory);
        json_end_object(&json);
        json_end_line(&json);
        return;
    }
    printf("would predict %s%" PRId64 " %s", on_surfaces ? "about " : "", estimate->receiver_count,
           on_surfaces ? "tiles of surfaces" : "receivers");
    if (is_raster) {
        printf(" (%" PRId64 " x %" PRId64 " cells, heights: %d)", estimate->raster.column_count,
               estimate->raster.row_count, input->request.receivers.height_count);
    }
    if (world->transmitter_count > 1) {
        printf(" of %d transmitters", world->transmitter_count);
    }
    printf(" by %s: %.1f MB beside the scene, %s %.2g s; writing takes up to %.1f MB more\n", input->request.method,
           (double)estimate->memory_bytes * 1e-6, is_least ? "more than" : "about", estimate->seconds,
           writing_bytes * 1e-6);
}
