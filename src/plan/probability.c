/* The probability of reaching a threshold under fading, cell by cell, as a further band of a map. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "base/parallel.h"
#include "radiocity/plan.h"
#include "result/map_data.h"

#define PIECE_CELLS 65536

typedef struct probability_job {
    const float *value;
    double threshold, sigma_db;
    bool is_loss; /* values at or below the threshold reach it */
    float *probability;
} probability_job;

static void fill_cells(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const probability_job *job = user;
    for (int64_t i = begin; i < end; i++) {
        double value = (double)job->value[i];
        double margin_db = job->is_loss ? job->threshold - value : value - job->threshold;
        job->probability[i] = isnan(margin_db) ? NAN : (float)rcity_fade_probability(margin_db, job->sigma_db);
    }
}

rcity_status rcity_map_add_probability(rcity_map *map, int band_index, double threshold_dbm, double fade_sigma_db)
{
    RCITY_NEED(NULL, map);
    rcity_context *context = rcity_map_context(map);
    rcity_band band = {.value = NULL};
    RCITY_TRY(rcity_map_find_band(context, map, band_index, &band));
    RCITY_CHECK(context, isfinite(threshold_dbm), RCITY_ERR_ARGUMENT, "the threshold is %g, must be a number",
                threshold_dbm);
    RCITY_CHECK(context, fade_sigma_db > 0.0 && fade_sigma_db <= RCITY_FADE_SIGMA_MAX_DB, RCITY_ERR_ARGUMENT,
                "the standard deviation of fading is %g dB, must be above 0 and at most %g dB", fade_sigma_db,
                RCITY_FADE_SIGMA_MAX_DB);
    char unit[16];
    char name[80];
    char text[160];
    snprintf(unit, sizeof unit, "%s", band.unit);
    for (char *letter = unit; *letter != '\0'; letter++) {
        *letter = (char)tolower((unsigned char)*letter);
    }
    snprintf(name, sizeof name, "coverage_probability_%.10g%s%s", threshold_dbm, unit[0] != '\0' ? "_" : "", unit);
    snprintf(text, sizeof text, "Probability that it reaches %.10g %s under log-normal fading of %.10g dB",
             threshold_dbm, band.unit, fade_sigma_db);
    RCITY_CHECK(context, !rcity_map_has_name(map, name, band.rx_height_m), RCITY_ERR_ARGUMENT,
                "the map has a band %s already; give each threshold once", name);
    probability_job job = {band.value, threshold_dbm, fade_sigma_db, rcity_band_is_loss(&band), NULL};
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_PROBABILITY, name, "", text, band.rx_height_m, &job.probability));
    rcity_raster raster = rcity_map_raster(map);
    rcity_parallel(context, raster.column_count * raster.row_count, PIECE_CELLS, fill_cells, &job);
    return RCITY_OK;
}
