/* The difference of two bands cell by cell. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/abi.h"
#include "radiocity/plan.h"
#include "result/map_data.h"

#define PLACE_TOLERANCE 1e-3 /* of a cell, over the whole raster: files store corners with different rounding */

static rcity_status check_places(rcity_context *context, const rcity_map *first, const rcity_map *second)
{
    rcity_raster a = rcity_map_raster(first);
    rcity_raster b = rcity_map_raster(second);
    RCITY_CHECK(context, a.column_count == b.column_count && a.row_count == b.row_count, RCITY_ERR_ARGUMENT,
                "the maps differ in size: %lld x %lld and %lld x %lld cells; compare maps of the same area and cell",
                (long long)a.column_count, (long long)a.row_count, (long long)b.column_count, (long long)b.row_count);
    double longest = (double)(a.column_count > a.row_count ? a.column_count : a.row_count);
    RCITY_CHECK(context, fabs(a.cell_m - b.cell_m) * longest <= PLACE_TOLERANCE * a.cell_m, RCITY_ERR_ARGUMENT,
                "the maps differ in their cells: %.10g and %.10g; compare maps of the same cell", a.cell_m, b.cell_m);
    RCITY_CHECK(
        context,
        fabs(a.west_m - b.west_m) <= PLACE_TOLERANCE * a.cell_m &&
            fabs(a.north_m - b.north_m) <= PLACE_TOLERANCE * a.cell_m,
        RCITY_ERR_ARGUMENT,
        "the maps differ in place: their north-west corners are (%.10g, %.10g) and (%.10g, %.10g); compare maps "
        "of the same area",
        a.west_m, a.north_m, b.west_m, b.north_m);
    RCITY_CHECK(context, strcmp(rcity_map_crs(first), rcity_map_crs(second)) == 0, RCITY_ERR_ARGUMENT,
                "the maps differ in CRS: '%.100s' and '%.100s'; write both in the same", rcity_map_crs(first),
                rcity_map_crs(second));
    return RCITY_OK;
}

static rcity_status check_units(rcity_context *context, const rcity_band *first, const rcity_band *second)
{
    RCITY_CHECK(context, strcmp(first->unit, second->unit) == 0, RCITY_ERR_ARGUMENT,
                "the bands differ in unit: %s is in '%s', %s in '%s'; choose bands of the same unit", first->name,
                first->unit, second->name, second->unit);
    return RCITY_OK;
}

/* First pass: counts, mean and extremes. */
static void measure(const float *first, const float *second, const rcity_raster *raster, rcity_map_difference *made)
{
    double largest = -1.0;
    double sum = 0.0;
    made->minimum = HUGE_VAL;
    made->maximum = -HUGE_VAL;
    for (int64_t row = 0; row < raster->row_count; row++) {
        double row_sum = 0.0;
        for (int64_t column = 0; column < raster->column_count; column++) {
            int64_t i = row * raster->column_count + column;
            bool has_first = !isnan(first[i]);
            bool has_second = !isnan(second[i]);
            made->only_first_count += has_first && !has_second ? 1 : 0;
            made->only_second_count += has_second && !has_first ? 1 : 0;
            if (!has_first || !has_second) {
                continue;
            }
            double difference = (double)second[i] - (double)first[i];
            made->both_count++;
            row_sum += difference;
            made->minimum = fmin(made->minimum, difference);
            made->maximum = fmax(made->maximum, difference);
            if (fabs(difference) > largest) {
                largest = fabs(difference);
                made->largest_x_m = raster->west_m + ((double)column + 0.5) * raster->cell_m;
                made->largest_y_m = raster->north_m - ((double)row + 0.5) * raster->cell_m;
            }
        }
        sum += row_sum;
    }
    made->mean = sum / (double)made->both_count;
}

/* Second pass, with the mean known: squares around it, to avoid cancellation. */
static void measure_spread(const float *first, const float *second, const rcity_raster *raster,
                           rcity_map_difference *made)
{
    double sum = 0.0;
    for (int64_t row = 0; row < raster->row_count; row++) {
        double row_sum = 0.0;
        for (int64_t i = row * raster->column_count; i < (row + 1) * raster->column_count; i++) {
            if (!isnan(first[i]) && !isnan(second[i])) {
                double away = (double)second[i] - (double)first[i] - made->mean;
                row_sum += away * away;
            }
        }
        sum += row_sum;
    }
    double variance = sum / (double)made->both_count;
    made->standard_deviation = sqrt(variance);
    made->root_mean_square = sqrt(variance + made->mean * made->mean);
}

static rcity_status copy_notes(const rcity_map *from, const char *prefix, rcity_map *to)
{
    const char *key = NULL;
    const char *value = NULL;
    for (int i = 0; rcity_map_get_note(from, i, &key, &value) == RCITY_OK; i++) {
        char made[128];
        snprintf(made, sizeof made, "%s_%s", prefix, key);
        RCITY_TRY(rcity_map_note(to, made, "%s", value));
    }
    return RCITY_OK;
}

static rcity_status make_map(rcity_context *context, const rcity_map *first, const rcity_band *first_band,
                             const rcity_map *second, const rcity_band *second_band, rcity_map **map)
{
    rcity_raster raster = rcity_map_raster(first);
    rcity_map *made = NULL;
    float *value = NULL;
    char text[256];
    rcity_status status;
    snprintf(text, sizeof text, "%.100s of the second map less %.100s of the first", second_band->name,
             first_band->name);
    RCITY_TRY(rcity_map_create(context, &raster, rcity_map_crs(first), &made));
    RCITY_TRY_DONE(rcity_map_add_band(made, RCITY_BAND_DIFFERENCE, "difference", rcity_band_difference_unit(first_band),
                                      text, first_band->rx_height_m, &value));
    for (int64_t i = 0; i < raster.column_count * raster.row_count; i++) {
        value[i] = second_band->value[i] - first_band->value[i]; /* NAN where either is */
    }
    const char *cell_unit = rcity_map_find_note(first, RCITY_NOTE_CELL_UNIT);
    if (cell_unit != NULL) {
        RCITY_TRY_DONE(rcity_map_note(made, RCITY_NOTE_CELL_UNIT, "%s", cell_unit));
    }
    RCITY_TRY_DONE(rcity_map_note(made, "version", "%s", rcity_version()));
    RCITY_TRY_DONE(rcity_map_note(made, "first_band", "%s", first_band->name));
    RCITY_TRY_DONE(rcity_map_note(made, "second_band", "%s", second_band->name));
    RCITY_TRY_DONE(copy_notes(first, "first", made));
    RCITY_TRY_DONE(copy_notes(second, "second", made));
    *map = made;
    made = NULL;
done:
    rcity_map_destroy(&made);
    return status;
}

static rcity_status map_compare(rcity_context *context, const rcity_map *first, int first_band, const rcity_map *second,
                                int second_band, rcity_map_difference *difference, rcity_map **made)
{
    rcity_band a = {.value = NULL};
    rcity_band b = {.value = NULL};
    RCITY_TRY(rcity_map_find_band(context, first, first_band, &a));
    RCITY_TRY(rcity_map_find_band(context, second, second_band, &b));
    RCITY_TRY(check_places(context, first, second));
    RCITY_TRY(check_units(context, &a, &b));
    rcity_raster raster = rcity_map_raster(first);
    rcity_map_difference found = {.both_count = 0};
    measure(a.value, b.value, &raster, &found);
    if (found.both_count > 0) {
        measure_spread(a.value, b.value, &raster, &found);
    } else {
        found.mean = found.standard_deviation = found.root_mean_square = (double)NAN;
        found.minimum = found.maximum = found.largest_x_m = found.largest_y_m = (double)NAN;
    }
    if (made != NULL) {
        RCITY_TRY(make_map(context, first, &a, second, &b, made));
    }
    *difference = found;
    return RCITY_OK;
}

rcity_status rcity_map_compare_sized(rcity_context *context, const rcity_map *first, int first_band,
                                     const rcity_map *second, int second_band, size_t difference_bytes,
                                     rcity_map_difference *difference, rcity_map **made)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, first);
    RCITY_NEED(context, second);
    RCITY_NEED(context, difference);
    RCITY_CHECK_BYTES(context, rcity_map_difference, difference_bytes);
    rcity_map_difference found;
    RCITY_TRY(map_compare(context, first, first_band, second, second_band, &found, made));
    rcity_copy_struct(&found, sizeof found, difference_bytes, difference);
    return RCITY_OK;
}
