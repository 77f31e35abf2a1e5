#include "result/fitted_span.h"

#include <stdio.h>
#include <string.h>

/* A tenth more or less of a frequency, a height or a distance is the same, and so is half a degree. */
#define SLACK_FACTOR  1.1
#define SLACK_DEG     0.5
#define RECEIVERS_MIN 0.2 /* share of receivers outside that is worth a warning: near a mast some always are */

typedef struct span_row {
    const char *name, *unit;
    double scale; /* from what is kept to the unit */
    bool is_angle, is_of_receivers;
} span_row;

static const span_row rows[RCITY_SPAN_COUNT] = {
    [RCITY_SPAN_FREQUENCY] = {"frequency", "MHz", 1e-6, false, false},
    [RCITY_SPAN_TX_HEIGHT] = {"transmitter height", "m", 1.0, false, false},
    [RCITY_SPAN_DISTANCE] = {"distance", "m", 1.0, false, true},
    [RCITY_SPAN_ELEVATION] = {"elevation angle", "degrees", 1.0, true, true},
};

static void get_span(const rcity_fit_summary *fitted, rcity_span_kind kind, double *low, double *high)
{
    const double lows[RCITY_SPAN_COUNT] = {fitted->frequency_min_hz, fitted->tx_height_min_m, fitted->distance_min_m,
                                           fitted->elevation_min_deg};
    const double highs[RCITY_SPAN_COUNT] = {fitted->frequency_max_hz, fitted->tx_height_max_m, fitted->distance_max_m,
                                            fitted->elevation_max_deg};
    *low = lows[kind];
    *high = highs[kind];
}

void rcity_span_open(const rcity_fit_summary *fitted, rcity_span_check *check)
{
    memset(check, 0, sizeof *check);
    check->fitted = fitted;
    for (int kind = 0; kind < RCITY_SPAN_COUNT; kind++) {
        check->tally[kind].least = HUGE_VAL;
        check->tally[kind].most = -HUGE_VAL;
    }
}

/* A bound that is NAN excludes nothing. */
static void add(rcity_span_check *check, rcity_span_kind kind, double value)
{
    rcity_span_tally *tally = &check->tally[kind];
    double low;
    double high;
    get_span(check->fitted, kind, &low, &high);
    bool is_below = rows[kind].is_angle ? value < low - SLACK_DEG : value * SLACK_FACTOR < low;
    bool is_above = rows[kind].is_angle ? value > high + SLACK_DEG : value > high * SLACK_FACTOR;
    tally->count++;
    tally->outside_count += is_below || is_above;
    tally->least = fmin(tally->least, value);
    tally->most = fmax(tally->most, value);
}

void rcity_span_add_transmitter(rcity_span_check *check, double frequency_hz, double height_m)
{
    add(check, RCITY_SPAN_FREQUENCY, frequency_hz);
    add(check, RCITY_SPAN_TX_HEIGHT, height_m);
}

void rcity_span_add_receiver(rcity_span_check *check, double distance_m, double elevation_deg)
{
    add(check, RCITY_SPAN_DISTANCE, distance_m);
    add(check, RCITY_SPAN_ELEVATION, elevation_deg);
}

static double share_outside(const rcity_span_tally *tally)
{
    return tally->count > 0 ? (double)tally->outside_count / (double)tally->count : 0.0;
}

bool rcity_span_is_left(const rcity_span_check *check, rcity_span_kind kind)
{
    double share = share_outside(&check->tally[kind]);
    return rows[kind].is_of_receivers ? share > RECEIVERS_MIN : share > 0.0;
}

const char *rcity_span_name(rcity_span_kind kind)
{
    return rows[kind].name;
}

/* "900 MHz", "2.3 to 3.1 degrees" */
static void print_span(double low, double high, const span_row *row, char *text, size_t room)
{
    char first[32];
    char last[32];
    snprintf(first, sizeof first, "%.4g", low * row->scale);
    snprintf(last, sizeof last, "%.4g", high * row->scale);
    bool is_one = strcmp(first, last) == 0;
    snprintf(text, room, "%s%s%s %s", first, is_one ? "" : " to ", is_one ? "" : last, row->unit);
}

char *rcity_span_describe(const rcity_span_check *check, rcity_span_kind kind, char text[RCITY_SPAN_TEXT_BYTES])
{
    const rcity_span_tally *tally = &check->tally[kind];
    const span_row *row = &rows[kind];
    char here[80];
    char there[80];
    char share[48] = "";
    double low;
    double high;
    get_span(check->fitted, kind, &low, &high);
    print_span(low, high, row, there, sizeof there);
    print_span(tally->least, tally->most, row, here, sizeof here);
    if (row->is_of_receivers) {
        snprintf(share, sizeof share, " (%.0f %% of the receivers lie outside)", 100.0 * share_outside(tally));
    }
    snprintf(text, RCITY_SPAN_TEXT_BYTES,
             "the coefficients were fitted at a%s %s of %s, here it is %s%s: a guess there", row->is_angle ? "n" : "",
             row->name, there, here, share);
    return text;
}
