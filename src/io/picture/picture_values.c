/* Numbers to colours: round ends around nearly all of the numbers, so that a few strays do not wash out the rest. */
#include "io/picture/picture_values.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "io/picture/ticks.h"
#include "result/map_data.h"
#include "result/rank.h"

#define EDGE_SHARE  0.01 /* of the numbers that may lie beyond either end */
#define RANGE_STEPS 6.0

/* SINR has one scale for all maps, so that two plans compare: below, nothing is received; above, no modulation gains. */
#define SINR_LOW_DB  (-10.0)
#define SINR_HIGH_DB 30.0

/* The ways of method shadow, as its band `mechanism` numbers them. The colours differ in lightness, and in blue against yellow:
   also the colour-blind tell them apart. */
static const struct {
    const char *name;
    uint32_t rgb;
} mechanisms[] = {
    {"direct", 0xf0e442}, {"through walls", 0xd55e00}, {"along streets", 0x56b4e9}, {"over roofs", 0x0b4f8a}};

#define MECHANISM_COUNT ((int)(sizeof mechanisms / sizeof mechanisms[0]))

const char *rcity_picture_kind_name(const rcity_picture_values *values, int kind)
{
    assert(kind >= 0 && kind < values->kind_count && values->kind_count == MECHANISM_COUNT);
    (void)values;
    return mechanisms[kind].name;
}

static void choose_ends(double edge_low, double edge_high, double low, double high, rcity_picture_values *values)
{
    double step = edge_high > edge_low ? rcity_tick_step(edge_high - edge_low, RANGE_STEPS) : 1.0;
    values->low = isnan(low) ? rcity_tick_last(edge_low, step) : low;
    values->high = isnan(high) ? rcity_tick_first(edge_high, step) : high;
    if (values->high <= values->low) { /* all numbers alike, or all beyond the one end that is given */
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

/* Whether a band is a plain yes or no. */
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
    bool is_probability = strncmp(band->name, "coverage_probability", strlen("coverage_probability")) == 0;
    values->scale = RCITY_COLOUR_SIGNAL;
    values->is_low_strong = rcity_band_is_loss(band);
    values->is_class = strcmp(band->name, "best_server") == 0;
    values->kind_count = strcmp(band->name, "mechanism") == 0 ? MECHANISM_COUNT : 0;
    values->is_yes_no = !values->is_class && values->kind_count == 0 && !is_probability && is_yes_no(band, cell_count);
    if (values->is_yes_no || is_probability) {
        low = isnan(low) || values->is_yes_no ? 0.0 : low;
        high = isnan(high) || values->is_yes_no ? 1.0 : high;
    }
    if (strcmp(band->name, "sinr") == 0 && isnan(low) && isnan(high)) {
        low = SINR_LOW_DB;
        high = SINR_HIGH_DB;
    }
    RCITY_TRY(rcity_picture_measure_values(context, band->value, cell_count, low, high, values));
    if (values->is_class) { /* half a number beyond the first and the last, so that every one has its strip */
        values->low = 0.5;
        values->high = fmax(floor(values->maximum + 0.5), 1.0) + 0.5;
    }
    if (values->kind_count > 0) {
        values->low = -0.5;
        values->high = values->kind_count - 0.5;
    }
    return RCITY_OK;
}

rcity_colour rcity_picture_value_colour(const rcity_picture_values *values, double value)
{
    if (values->is_yes_no) {
        return rcity_colour_at(values->scale, value > 0.5 ? 0.85 : 0.12);
    }
    if (values->is_class) {
        return rcity_colour_of_class((int)floor(value + 0.5));
    }
    if (values->kind_count > 0) {
        int kind = (int)floor(fmin(fmax(value, 0.0), values->kind_count - 1.0) + 0.5);
        return rcity_colour_unpack(mechanisms[kind].rgb);
    }
    double fraction = (value - values->low) / (values->high - values->low);
    return rcity_colour_at(values->scale, values->is_low_strong ? 1.0 - fraction : fraction);
}
