/* Coverage outdoors and in buildings apart. */
#include "indoor_shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool indoor_is_wanted(const rcity_request *request)
{
    for (int i = 0; i < request->option_count; i++) {
        if (strcmp(request->option_name[i], "indoor") == 0) {
            return strcmp(request->option_value[i], "off") != 0;
        }
    }
    return false;
}

/* How far each cell's centre lies below the roof above it: above the ground, NAN where there is none. A receiver lower
   than that is in the building. */
static rcity_status find_roofs(rcity_context *context, const rcity_scene *scene, const rcity_map *map, double *roof_m)
{
    rcity_raster raster = rcity_map_raster(map);
    rcity_status status = RCITY_OK;
    for (int64_t cell = 0; status == RCITY_OK && cell < raster.column_count * raster.row_count; cell++) {
        double x_m = raster.west_m + ((double)(cell % raster.column_count) + 0.5) * raster.cell_m;
        double y_m = raster.north_m - ((double)(cell / raster.column_count) + 0.5) * raster.cell_m;
        rcity_cover cover;
        double ground_m = 0.0;
        roof_m[cell] = (double)NAN;
        status = rcity_scene_get_cover(context, scene, x_m, y_m, &cover);
        if (status == RCITY_OK && cover.is_covered &&
            rcity_scene_get_ground(context, scene, x_m, y_m, &ground_m) == RCITY_OK) {
            roof_m[cell] = cover.roof_m - ground_m;
        }
    }
    return status;
}

/* The chance that a level with fading reaches the threshold. */
static double reach_chance(double level, double threshold, double fade_db)
{
    return 0.5 * erfc((threshold - level) / (fade_db * sqrt(2.0)));
}

/* Count the cells in buildings of one band at one threshold, and take them from the whole. */
static void split_row(const rcity_band *band, int64_t cell_count, const double *roof_m, double fade_db,
                      coverage_row *row)
{
    rcity_coverage whole = row->coverage;
    rcity_coverage *indoor = &row->indoor;
    rcity_coverage *outdoor = &row->coverage;
    double chance = 0.0;
    *indoor = whole;
    indoor->receiver_count = indoor->covered_count = 0;
    for (int64_t cell = 0; cell < cell_count; cell++) {
        float value = band->value[cell];
        if (isnan(value) || !(roof_m[cell] > band->rx_height_m)) {
            continue;
        }
        indoor->receiver_count++;
        indoor->covered_count += (double)value >= whole.threshold;
        chance += fade_db > 0.0 ? reach_chance((double)value, whole.threshold, fade_db) : 0.0;
    }
    row->has_indoor = indoor->receiver_count > 0;
    if (!row->has_indoor) {
        return;
    }
    double cell_km2 = whole.receiver_km2 / (double)whole.receiver_count;
    outdoor->receiver_count = whole.receiver_count - indoor->receiver_count;
    outdoor->covered_count = whole.covered_count - indoor->covered_count;
    double total_chance = whole.fading_fraction * (double)whole.receiver_count;
    rcity_coverage *const parts[2] = {outdoor, indoor};
    const double chances[2] = {total_chance - chance, chance};
    for (int i = 0; i < 2; i++) {
        double count = (double)parts[i]->receiver_count;
        parts[i]->receiver_km2 = count * cell_km2;
        parts[i]->covered_km2 = (double)parts[i]->covered_count * cell_km2;
        parts[i]->covered_fraction = count > 0.0 ? (double)parts[i]->covered_count / count : (double)NAN;
        parts[i]->fading_fraction = fade_db > 0.0 && count > 0.0 ? chances[i] / count : (double)NAN;
    }
}

rcity_status indoor_split(rcity_context *context, const rcity_scene *scene, const rcity_map *map,
                          const predict_report *report, rcity_band_kind kind, int threshold_count, double fade_db,
                          coverage_table *table)
{
    rcity_raster raster = rcity_map_raster(map);
    int64_t cell_count = raster.column_count * raster.row_count;
    double *roof_m = table->count > 0 ? calloc((size_t)cell_count, sizeof *roof_m) : NULL;
    if (table->count == 0) {
        return RCITY_OK;
    }
    rcity_status status = roof_m != NULL ? find_roofs(context, scene, map, roof_m) : RCITY_ERR_MEMORY;
    int next = 0;
    for (int i = 0; status == RCITY_OK && i < report->band_count; i++) {
        for (int k = 0; report->bands[i].kind == kind && k < threshold_count; k++) {
            split_row(&report->bands[i], cell_count, roof_m, fade_db, &table->rows[next++]);
        }
    }
    free(roof_m);
    return status;
}
