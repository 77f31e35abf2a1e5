/* Covered weight: the points of a demand by the cells that they lie in. */
#include "predict_demand.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The first band of a kind; NULL when there is none. */
static const float *find_band(const rcity_map *map, rcity_band_kind kind)
{
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band;
        if (rcity_map_get_band(map, i, &band) == RCITY_OK && band.kind == kind) {
            return band.value;
        }
    }
    return NULL;
}

/* The cell of a place; -1 outside the map. */
static int64_t find_cell(const rcity_raster *raster, double x_m, double y_m)
{
    double column = floor((x_m - raster->west_m) / raster->cell_m);
    double row = floor((raster->north_m - y_m) / raster->cell_m);
    bool is_inside =
        column >= 0.0 && row >= 0.0 && column < (double)raster->column_count && row < (double)raster->row_count;
    return is_inside ? (int64_t)row * raster->column_count + (int64_t)column : -1;
}

static void add_point(const rcity_demand_point *point, float level_dbm, float margin_db, predict_demand *demand)
{
    demand->valued_weight += point->weight;
    for (int i = 0; i < demand->row_count; i++) {
        demand_row *row = &demand->rows[i];
        if ((double)level_dbm >= row->threshold_dbm) {
            row->covered_weight += point->weight;
            row->overlap_weight += (double)margin_db <= demand->handover_db ? point->weight : 0.0;
        }
    }
}

rcity_status predict_demand_find(rcity_context *context, const rcity_scene *scene, const predict_input *input,
                                 const rcity_map *map, predict_demand *demand)
{
    memset(demand, 0, sizeof *demand);
    if (input->demand_path == NULL) {
        return RCITY_OK;
    }
    rcity_demand *points = NULL;
    rcity_status status =
        rcity_demand_load(context, scene, input->demand_path, input->request.receivers.height_m[0], &points);
    if (status != RCITY_OK) {
        return status;
    }
    const float *level_dbm = find_band(map, RCITY_BAND_POWER);
    const float *margin_db = find_band(map, RCITY_BAND_DIFFERENCE);
    rcity_raster raster = rcity_map_raster(map);
    demand->is_given = true;
    demand->point_count = rcity_demand_count(points);
    demand->handover_db = input->handover_db;
    demand->row_count = input->thresholds.count;
    for (int i = 0; i < demand->row_count; i++) {
        demand->rows[i].threshold_dbm = input->thresholds.value[i];
    }
    for (int64_t i = 0; i < demand->point_count; i++) {
        rcity_demand_point point;
        if (rcity_demand_get_point(points, i, &point) != RCITY_OK) {
            continue;
        }
        int64_t cell = find_cell(&raster, point.x_m, point.y_m);
        demand->weight += point.weight;
        if (cell >= 0 && level_dbm != NULL && !isnan(level_dbm[cell])) {
            float margin = margin_db != NULL && !isnan(margin_db[cell]) ? margin_db[cell] : HUGE_VALF;
            add_point(&point, level_dbm[cell], margin, demand);
        }
    }
    rcity_demand_destroy(&points);
    return RCITY_OK;
}

void predict_demand_json(json_writer *json, const predict_demand *demand)
{
    if (!demand->is_given) {
        return;
    }
    json_begin_object(json, "demand");
    json_integer(json, "points", demand->point_count);
    json_number(json, "weight", demand->weight);
    json_number(json, "valued_weight", demand->valued_weight);
    json_number(json, "handover_db", demand->handover_db);
    json_begin_array(json, "coverage");
    for (int i = 0; i < demand->row_count; i++) {
        const demand_row *row = &demand->rows[i];
        json_begin_object(json, NULL);
        json_number(json, "threshold_dbm", row->threshold_dbm);
        json_number(json, "covered_weight", row->covered_weight);
        json_number(json, "covered_percent", 100.0 * row->covered_weight / demand->weight);
        json_number(json, "overlap_weight", row->overlap_weight);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

void predict_demand_print(const predict_demand *demand)
{
    if (!demand->is_given) {
        return;
    }
    printf("demand of %" PRId64 " points, weight %.6g, %.1f %% of it in cells with a value:\n", demand->point_count,
           demand->weight, 100.0 * demand->valued_weight / demand->weight);
    for (int i = 0; i < demand->row_count; i++) {
        const demand_row *row = &demand->rows[i];
        printf("  %6.10g dBm %8.1f %% of the weight, %.1f %% with a second server within %.6g dB\n", row->threshold_dbm,
               100.0 * row->covered_weight / demand->weight, 100.0 * row->overlap_weight / demand->weight,
               demand->handover_db);
    }
}
