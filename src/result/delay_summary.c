/* The figures of one histogram of delays. */
#include <math.h>

#include "result/delays_data.h"

/* T. S. Rappaport, Wireless Communications, 2nd ed., 2002, section 5.4.2: the bandwidth over which the correlation of
   the channel is above about 0.5 is 1 / (5 tau_rms). */
#define COHERENCE_FACTOR 5.0

static double decibel(double ratio)
{
    return 10.0 * log10(ratio);
}

static double middle_s(double first_s, double bin_s, double bin)
{
    return first_s + (bin + 0.5) * bin_s;
}

/* Mean and root mean square around it, in bins from the first entry, so that equal ones leave no rounding error: ITU-R
   P.1407-5, annex 1, sections 2.2.2 and 2.2.3, with sums for integrals. */
static double spread_bins(int64_t count, const int32_t *bins, const float *gains, double sum, double *mean)
{
    double moment = 0.0;
    double squares = 0.0;
    for (int64_t i = 0; i < count; i++) {
        moment += (double)gains[i] * ((double)bins[i] - (double)bins[0]);
    }
    double middle = moment / sum;
    for (int64_t i = 0; i < count; i++) {
        double off = (double)bins[i] - (double)bins[0] - middle;
        squares += (double)gains[i] * off * off;
    }
    *mean = (double)bins[0] + middle;
    return sqrt(squares / sum);
}

/* The delay interval, section 2.2.5 of the same: from the first to the last bin that is not below the threshold. */
static void find_interval(int64_t count, const int32_t *bins, const float *gains, double least, int32_t interval[2])
{
    int64_t first = 0;
    int64_t last = count - 1;
    while ((double)gains[first] < least) {
        first++;
    }
    while ((double)gains[last] < least) {
        last--;
    }
    interval[0] = bins[first];
    interval[1] = bins[last];
}

void rcity_delay_summary_fill(double first_s, double bin_s, int64_t count, const int32_t *bins, const float *gains,
                              double threshold_db, rcity_delay_summary *summary)
{
    const double none = (double)NAN;
    int64_t strongest = 0;
    double sum = 0.0;
    *summary = (rcity_delay_summary){.entry_count = count,
                                     .gain_db = none,
                                     .strongest_db = none,
                                     .strongest_s = none,
                                     .mean_delay_s = none,
                                     .delay_spread_s = none,
                                     .first_s = none,
                                     .last_s = none,
                                     .excess_delay_s = none,
                                     .threshold_db = threshold_db,
                                     .k_factor_db = none,
                                     .coherence_hz = none};
    for (int64_t i = 0; i < count; i++) {
        sum += (double)gains[i];
        strongest = gains[i] > gains[strongest] ? i : strongest;
    }
    if (!(sum > 0.0)) {
        return;
    }
    double others = 0.0; /* not the sum less the strongest: that has its rounding error */
    for (int64_t i = 0; i < count; i++) {
        others += i != strongest ? (double)gains[i] : 0.0;
    }
    double peak = (double)gains[strongest];
    double mean = 0.0;
    int32_t interval[2];
    summary->delay_spread_s = bin_s * spread_bins(count, bins, gains, sum, &mean);
    find_interval(count, bins, gains, peak * pow(10.0, -0.1 * threshold_db), interval);
    summary->gain_db = decibel(sum);
    summary->strongest_db = decibel(peak);
    summary->strongest_s = middle_s(first_s, bin_s, (double)bins[strongest]);
    summary->mean_delay_s = middle_s(first_s, bin_s, mean);
    summary->first_s = middle_s(first_s, bin_s, (double)interval[0]);
    summary->last_s = middle_s(first_s, bin_s, (double)interval[1]);
    summary->excess_delay_s = bin_s * ((double)interval[1] - (double)interval[0]);
    summary->k_factor_db = others > 0.0 ? decibel(peak / others) : none;
    summary->coherence_hz =
        summary->delay_spread_s > 0.0 ? 1.0 / (COHERENCE_FACTOR * summary->delay_spread_s) : (double)HUGE_VAL;
}
