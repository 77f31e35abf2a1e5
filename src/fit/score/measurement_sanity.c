/* Checks for measurements that cannot determine coefficients: too few, all equal, in wrong units, of another
   transmitter. */
#include "fit/score/measurement_sanity.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/order.h"

/* Figures of the used points for the checks. */
typedef struct summary {
    int64_t measured_count; /* with a measured loss */
    int64_t count;          /* with a prediction too */
    double measured_mean_db, measured_sd_db;
    double log_distance_sd;
    double correlation; /* of loss and log distance; NAN where either is constant */
    double median_excess_db;
} summary;

/* A slot for the next warning. */
static char *next_warning(rcity_sanity_warnings *warnings)
{
    assert(warnings->count < RCITY_SANITY_WARNING_MAX);
    return warnings->sentences[warnings->count++];
}

static bool counts(const rcity_sanity_points *points, int64_t i)
{
    return isfinite(points->measured_db[i]) && isfinite(points->predicted_db[i]) && points->distance_m[i] > 0.0;
}

/* Standard deviations and the correlation, around means to avoid cancellation. */
static void find_spreads(const rcity_sanity_points *points, double log_mean, summary *found)
{
    double losses = 0.0;
    double logs = 0.0;
    double both = 0.0;
    for (int64_t i = 0; i < points->count; i++) {
        if (counts(points, i)) {
            double loss_db = points->measured_db[i] - found->measured_mean_db;
            double log_distance = log10(points->distance_m[i]) - log_mean;
            losses += loss_db * loss_db;
            logs += log_distance * log_distance;
            both += loss_db * log_distance;
        }
    }
    double n = (double)found->count;
    found->measured_sd_db = sqrt(losses / n);
    found->log_distance_sd = sqrt(logs / n);
    found->correlation = losses > 0.0 && logs > 0.0 ? both / sqrt(losses * logs) : (double)NAN;
}

static rcity_status summarise(rcity_context *context, const rcity_sanity_points *points, summary *found)
{
    double *excess_db = NULL;
    double log_sum = 0.0;
    double measured_sum_db = 0.0;
    memset(found, 0, sizeof *found);
    RCITY_TRY(
        rcity_alloc(context, (size_t)points->count + 1, sizeof *excess_db, "losses above free space", &excess_db));
    for (int64_t i = 0; i < points->count; i++) {
        found->measured_count += isfinite(points->measured_db[i]);
        if (counts(points, i)) {
            measured_sum_db += points->measured_db[i];
            log_sum += log10(points->distance_m[i]);
            excess_db[found->count++] = points->measured_db[i] - points->free_space_db[i];
        }
    }
    if (found->count > 0) {
        found->measured_mean_db = measured_sum_db / (double)found->count;
        find_spreads(points, log_sum / (double)found->count, found);
        found->median_excess_db = rcity_median(excess_db, (size_t)found->count);
    }
    rcity_release(context, excess_db);
    return RCITY_OK;
}

static rcity_status check_count(rcity_context *context, const rcity_sanity_points *points, const summary *found)
{
    int64_t each = (int64_t)RCITY_FIT_POINTS_EACH_NUMBER * points->fitted_count;
    int64_t needed = each > RCITY_FIT_POINTS_MIN ? each : RCITY_FIT_POINTS_MIN;
    if (found->count >= needed) {
        return RCITY_OK;
    }
    if (found->measured_count >= needed) {
        return rcity_fail(
            context, RCITY_ERR_ARGUMENT,
            "only %lld of %lld measurements can be predicted, too few to fit %d numbers (%lld are needed): "
            "are they in the scene, with the right coordinates?",
            (long long)found->count, (long long)found->measured_count, points->fitted_count, (long long)needed);
    }
    return rcity_fail(
        context, RCITY_ERR_ARGUMENT,
        "%lld measurements, of which %lld can be predicted, are too few to fit %d numbers: %lld are needed; average "
        "less, or fix some numbers",
        (long long)found->measured_count, (long long)found->count, points->fitted_count, (long long)needed);
}

static rcity_status check_excess(rcity_context *context, const rcity_sanity_points *points, const summary *found)
{
    double low_db = RCITY_FIT_EXCESS_MIN_DB - points->offset_max_db;
    double high_db = RCITY_FIT_EXCESS_MAX_DB + points->offset_max_db;
    RCITY_CHECK(context, found->median_excess_db >= low_db, RCITY_ERR_ARGUMENT,
                "half of the measured losses lie more than %.1f dB below those of free space (their mean is %.1f dB): "
                "check their unit and sign, the transmitter's power and its place",
                -found->median_excess_db, found->measured_mean_db);
    RCITY_CHECK(context, found->median_excess_db <= high_db, RCITY_ERR_ARGUMENT,
                "half of the measured losses lie more than %.1f dB above those of free space (their mean is %.1f dB): "
                "check their unit, the transmitter's power and its place",
                found->median_excess_db, found->measured_mean_db);
    return RCITY_OK;
}

rcity_status rcity_sanity_find(rcity_context *context, const rcity_sanity_points *points,
                               rcity_sanity_warnings *warnings)
{
    assert(points != NULL && warnings != NULL && points->count >= 0);
    summary found;
    rcity_sanity_warnings made;
    memset(&made, 0, sizeof made);
    RCITY_TRY(summarise(context, points, &found));
    RCITY_TRY(check_count(context, points, &found));
    RCITY_CHECK(context, found.measured_sd_db >= RCITY_FIT_VARIATION_MIN_DB, RCITY_ERR_ARGUMENT,
                "all %lld measured losses are the same (%.1f dB, give or take %.2g dB): nothing can be fitted to them",
                (long long)found.count, found.measured_mean_db, found.measured_sd_db);
    RCITY_TRY(check_excess(context, points, &found));
    bool varies = found.log_distance_sd >= RCITY_FIT_LOG_DISTANCE_VARIES;
    RCITY_CHECK(context, !(varies && found.correlation < RCITY_FIT_CORRELATION_REFUSED), RCITY_ERR_ARGUMENT,
                "the measured losses fall with the distance (their correlation with its logarithm is %.2f): are they "
                "powers, or is the transmitter elsewhere?",
                found.correlation);
    if (varies && found.correlation < RCITY_FIT_CORRELATION_DOUBTED) {
        snprintf(
            next_warning(&made), RCITY_SANITY_WARNING_BYTES,
            "the measured losses fall with the distance (their correlation with its logarithm is %.2f): check their "
            "sign and the transmitter's place",
            found.correlation);
    }
    double missing = 1.0 - (double)found.count / (double)found.measured_count;
    if (missing > RCITY_FIT_UNPREDICTED_MAX) {
        snprintf(
            next_warning(&made), RCITY_SANITY_WARNING_BYTES,
            "%.0f %% of the measurements have no prediction (they lie inside buildings, or where there is no terrain) "
            "and were not used: do the map and the measurements have the same coordinates?",
            100.0 * missing);
    }
    *warnings = made;
    return RCITY_OK;
}
