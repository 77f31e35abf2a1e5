/* From numbers to colours: the ends are round numbers around nearly all values, so that a few outliers do not compress
   the rest. */
#include "io/picture/picture_values.h"

#include <math.h>

#include "io/picture/ticks.h"
#include "result/map_data.h"
#include "result/rank.h"

#define EDGE_SHARE  0.01 /* share of the numbers that may lie beyond either end */
#define RANGE_STEPS 6.0

/* SINR has one scale for all maps, so that two plans can be compared: below it nothing is received, above it no
   modulation gains. */
#define SINR_LOW_DB  (-10.0)
#define SINR_HIGH_DB 30.0

/* Colours of classes differ in lightness, and the first ones in blue against yellow, so that colour-blind readers can
   distinguish them. */
static const uint32_t class_rgb[] = {0xf0e442, 0xd55e00, 0x56b4e9, 0x0b4f8a, 0xe8a0c8, 0x2a9d6f};

#define CLASS_RGB_COUNT ((int)(sizeof class_rgb / sizeof class_rgb[0]))

const char *rcity_picture_class_name(const rcity_picture_values *values, int number)
{
    bool is_named = number >= 0 && number < values->class_count && values->class_names[number][0] != '\0';
    return is_named ? values->class_names[number] : NULL;
}

static void choose_ends(double edge_low, double edge_high, double low, double high, rcity_picture_values *values)
{
    double step = edge_high > edge_low ? rcity_tick_step(edge_high - edge_low, RANGE_STEPS) : 1.0;
    values->low = isnan(low) ? rcity_tick_last(edge_low, step) : low;
    values->high = isnan(high) ? rcity_tick_first(edge_high, step) : high;
    if (values->high <= values->low) { /* all numbers are equal, or all lie beyond the one given end */
        if (isnan(high)) {
            values->high = values->low + step;
        } else {
            values->low = values->high - step;
        }
    }
}

rcity_status rcity_picture_measure_values(rcity_context *context, const float *value, int64_t value_count, double low,
                                          double high, rcity_picture_values *values)
{
    int64_t finite_count = rcity_rank_count(value, value_count);
    values->has_any = finite_count > 0;
    values->has_missing = finite_count < value_count;
    float found[4] = {0.0f, 0.0f, 1.0f, 1.0f};
    if (values->has_any) {
        int64_t edge = (int64_t)(EDGE_SHARE * (double)finite_count);
        const int64_t ranks[4] = {0, edge, finite_count - 1 - edge, finite_count - 1};
        RCITY_TRY(rcity_rank_find(context, value, value_count, 4, ranks, found));
    }
    values->minimum = (double)found[0];
    values->maximum = (double)found[3];
    choose_ends((double)found[1], (double)found[2], low, high, values);
    return RCITY_OK;
}

/* Does a band contain only yes and no? */
static bool is_yes_no(const rcity_band *band, int64_t cell_count)
{
    if (band->unit[0] != '\0') {
        return false;
    }
    for (int64_t i = 0; i < cell_count; i++) {
        float value = band->value[i];
        if (isfinite(value) && value != 0.0f && value != 1.0f) {
            return false;
        }
    }
    return true;
}

rcity_status rcity_picture_measure_band(rcity_context *context, const rcity_band *band, int64_t cell_count, double low,
                                        double high, rcity_picture_values *values)
{
    bool is_probability = band->kind == RCITY_BAND_PROBABILITY;
    values->scale = RCITY_COLOUR_SIGNAL;
    values->is_low_strong = rcity_band_is_loss(band);
    values->is_server = band->kind == RCITY_BAND_SERVER;
    values->is_class = band->kind == RCITY_BAND_CLASS && band->class_count > 0;
    values->class_count = band->class_count;
    values->class_names = band->class_names;
    values->is_yes_no =
        band->kind == RCITY_BAND_SIGHT || (band->kind == RCITY_BAND_OTHER && is_yes_no(band, cell_count));
    if (values->is_yes_no || is_probability) {
        low = isnan(low) || values->is_yes_no ? 0.0 : low;
        high = isnan(high) || values->is_yes_no ? 1.0 : high;
    }
    if (band->kind == RCITY_BAND_SINR && isnan(low) && isnan(high)) {
        low = SINR_LOW_DB;
        high = SINR_HIGH_DB;
    }
    RCITY_TRY(rcity_picture_measure_values(context, band->value, cell_count, low, high, values));
    if (values->is_server) { /* half a number beyond the first and the last, so that each has a strip of its own */
        values->low = 0.5;
        values->high = fmax(floor(values->maximum + 0.5), 1.0) + 0.5;
    }
    if (values->is_class) {
        values->low = -0.5;
        values->high = values->class_count - 0.5;
    }
    return RCITY_OK;
}

rcity_colour rcity_picture_value_colour(const rcity_picture_values *values, double value)
{
    if (values->is_yes_no) {
        return rcity_colour_at(values->scale, value > 0.5 ? 0.85 : 0.12);
    }
    if (values->is_server) {
        return rcity_colour_of_class((int)floor(value + 0.5));
    }
    if (values->is_class) {
        int number = (int)floor(fmin(fmax(value, 0.0), values->class_count - 1.0) + 0.5);
        return number < CLASS_RGB_COUNT ? rcity_colour_unpack(class_rgb[number]) : rcity_colour_of_class(number + 1);
    }
    double fraction = (value - values->low) / (values->high - values->low);
    return rcity_colour_at(values->scale, values->is_low_strong ? 1.0 - fraction : fraction);
}
