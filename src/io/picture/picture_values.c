/* Numbers to colours: round ends around nearly all of the numbers, so that a few strays do not wash out the rest. */
#include <math.h>

#include "io/picture/picture_data.h"
#include "io/picture/ticks.h"
#include "result/rank.h"

#define EDGE_SHARE  0.01 /* of the numbers that may lie beyond either end */
#define RANGE_STEPS 6.0

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

rcity_colour rcity_picture_value_colour(const rcity_picture_values *values, double value)
{
    if (values->is_yes_no) {
        return rcity_colour_at(values->scale, value > 0.5 ? 0.85 : 0.12);
    }
    double fraction = (value - values->low) / (values->high - values->low);
    return rcity_colour_at(values->scale, values->is_low_strong ? 1.0 - fraction : fraction);
}
