#include "fit/score/baselines.h"

#include <assert.h>
#include <math.h>

const char *rcity_baseline_name(rcity_baseline baseline)
{
    static const char *const names[RCITY_BASELINE_COUNT] = {
        [RCITY_BASELINE_CONSTANT] = "constant",
        [RCITY_BASELINE_OFFSET] = "free space + offset",
        [RCITY_BASELINE_LOG_DISTANCE] = "log-distance",
    };
    assert((int)baseline >= 0 && baseline < RCITY_BASELINE_COUNT);
    return names[baseline];
}

static double decades_of(double distance_m)
{
    return log10(fmax(distance_m, RCITY_BASELINE_DISTANCE_MIN_M));
}

static bool counts(double measured_db, double free_space_db, double distance_m)
{
    return isfinite(measured_db) && isfinite(free_space_db) && isfinite(distance_m);
}

void rcity_baselines_fit(int64_t count, const double *measured_db, const double *free_space_db,
                         const double *distance_m, rcity_baseline_fit *fit)
{
    double used = 0.0;
    double measured_sum = 0.0;
    double free_space_sum = 0.0;
    double decades_sum = 0.0;
    for (int64_t i = 0; i < count; i++) {
        if (counts(measured_db[i], free_space_db[i], distance_m[i])) {
            used += 1.0;
            measured_sum += measured_db[i];
            free_space_sum += free_space_db[i];
            decades_sum += decades_of(distance_m[i]);
        }
    }
    double measured_mean = measured_sum / used; /* NAN without points, and so is all that follows */
    double decades_mean = decades_sum / used;
    double both = 0.0;
    double square = 0.0;
    for (int64_t i = 0; i < count; i++) {
        if (counts(measured_db[i], free_space_db[i], distance_m[i])) {
            double decades = decades_of(distance_m[i]) - decades_mean;
            both += decades * (measured_db[i] - measured_mean);
            square += decades * decades;
        }
    }
    const double tiny = 1e-18 * used; /* equal distances differ by rounding only */
    fit->constant_db = measured_mean;
    fit->offset_db = measured_mean - free_space_sum / used;
    fit->log_decade_db = square > tiny ? both / square : used > 0.0 ? 0.0 : (double)NAN;
    fit->log_db = measured_mean - fit->log_decade_db * decades_mean;
}

double rcity_baseline_value_db(const rcity_baseline_fit *fit, rcity_baseline baseline, double free_space_db,
                               double distance_m)
{
    switch (baseline) {
    case RCITY_BASELINE_CONSTANT:
        return fit->constant_db;
    case RCITY_BASELINE_OFFSET:
        return free_space_db + fit->offset_db;
    case RCITY_BASELINE_LOG_DISTANCE:
        return fit->log_db + fit->log_decade_db * decades_of(distance_m);
    case RCITY_BASELINE_COUNT:
        break;
    }
    assert(false);
    return (double)NAN;
}
