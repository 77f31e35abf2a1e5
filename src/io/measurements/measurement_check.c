/* Checks that values are what they are stated to be: powers may be given as losses, watts as dBm, and receivers have
   limits. */
#include <math.h>

#include "io/measurements/measurement_rows.h"

#include "base/order.h"

#define PILE_SHARE    0.02 /* of all values, exactly at one end: a limit of the receiver */
#define PILE_MIN      20
#define LOSS_LOW_DB   20.0  /* free space over 0.8 wavelengths */
#define LOSS_TOP_DB   300.0 /* less than a photon a day of 1 W at 1 GHz */
#define POWER_TOP_DBM 30.0  /* a watt at a receiver */
#define WATT_TOP      1e-2  /* all values above 0 and below this are no dBm */

static rcity_status check_losses(rcity_context *context, const char *name, const double *sorted, size_t count)
{
    double median = sorted[count / 2];
    RCITY_CHECK(context, !(median < 0.0), RCITY_ERR_ARGUMENT,
                "the losses of '%s' are mostly below 0 dB (median %.4g): they look like received powers; give "
                "`kind=power`, or losses with a positive sign",
                name, median);
    RCITY_CHECK(
        context, !(median < LOSS_LOW_DB), RCITY_ERR_ARGUMENT,
        "the losses of '%s' are mostly below %g dB (median %.4g), which no link has: is it the loss beyond free "
        "space, or a ratio instead of dB?",
        name, LOSS_LOW_DB, median);
    RCITY_CHECK(context, !(median > LOSS_TOP_DB), RCITY_ERR_ARGUMENT,
                "the losses of '%s' are mostly above %g dB (median %.4g), which nothing can measure: check their unit",
                name, LOSS_TOP_DB, median);
    size_t low_count = 0;
    while (low_count < count && sorted[low_count] < LOSS_LOW_DB) {
        low_count++;
    }
    if (low_count > 0) {
        rcity_log(context, RCITY_LOG_WARNING,
                  "'%s': %zu of %zu losses are below %g dB, down to %.4g; leave them out with `strongest`", name,
                  low_count, count, LOSS_LOW_DB, sorted[0]);
    }
    return RCITY_OK;
}

static rcity_status check_powers(rcity_context *context, const char *name, const double *sorted, size_t count)
{
    double median = sorted[count / 2];
    RCITY_CHECK(context, !(sorted[0] > 0.0 && sorted[count - 1] < WATT_TOP), RCITY_ERR_ARGUMENT,
                "the received powers of '%s' are all between 0 and %g: they look like watts or milliwatts; give dBm "
                "(10 log10 of milliwatts)",
                name, WATT_TOP);
    RCITY_CHECK(context, !(median > POWER_TOP_DBM), RCITY_ERR_ARGUMENT,
                "the received powers of '%s' are mostly above %g dBm (median %.4g), more than a watt: they look like "
                "losses; give `kind=loss`, or dBm instead of another unit",
                name, POWER_TOP_DBM, median);
    if (median > 0.0) {
        rcity_log(context, RCITY_LOG_WARNING,
                  "'%s': received powers are mostly above 0 dBm (median %.4g), more than a milliwatt; are they losses, "
                  "or dB over a microvolt?",
                  name, median);
    }
    return RCITY_OK;
}

/* How many values at one end are equal. */
static size_t count_equal(const double *end, size_t count, int step)
{
    size_t equal = 1;
    for (const double *at = end + step; equal < count && *at == *end; at += step) {
        equal++;
    }
    return equal;
}

/* Warn of many equal values at one end, with the option that removes them. */
static void check_pile(rcity_context *context, const char *name, double value, size_t equal, size_t count, double known,
                       bool is_weak, double offset_db)
{
    if (isnan(known) && equal >= PILE_MIN && (double)equal > PILE_SHARE * (double)count) {
        rcity_log(
            context, RCITY_LOG_WARNING,
            "'%s': %zu of %zu values are exactly %.6g, the %s of all: the receiver %s; leave them out with `%s=%.6g`",
            name, equal, count, value, is_weak ? "weakest" : "strongest",
            is_weak ? "may not measure anything weaker" : "may be saturated", is_weak ? "weakest" : "strongest",
            value - offset_db);
    }
}

rcity_status rcity_measurement_check_values(const rcity_measurements *measurements, const char *name,
                                            const rcity_measurements_options *options)
{
    rcity_context *context = measurements->context;
    size_t count = measurements->count;
    bool is_loss = measurements->kind == RCITY_MEASURED_LOSS;
    double *sorted = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *sorted, "measurements", &sorted));
    for (size_t i = 0; i < count; i++) {
        sorted[i] = measurements->list[i].value;
    }
    rcity_sort_doubles(sorted, count);
    RCITY_TRY_DONE(is_loss ? check_losses(context, name, sorted, count) : check_powers(context, name, sorted, count));
    if (count > 1 && sorted[0] == sorted[count - 1]) {
        rcity_log(context, RCITY_LOG_WARNING, "'%s': all %zu values are %.6g; a constant tells nothing about places",
                  name, count, sorted[0]);
        goto done;
    }
    check_pile(context, name, sorted[0], count_equal(sorted, count, 1), count,
               is_loss ? options->strongest : options->weakest, !is_loss, options->value_offset_db);
    check_pile(context, name, sorted[count - 1], count_equal(sorted + count - 1, count, -1), count,
               is_loss ? options->weakest : options->strongest, is_loss, options->value_offset_db);
done:
    rcity_release(context, sorted);
    return status;
}
