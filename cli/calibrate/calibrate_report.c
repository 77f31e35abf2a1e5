/* Coefficients with their confidence, and errors before and after, as a table or as JSON. */
#include "calibrate_report.h"

#include <math.h>
#include <stdio.h>

#include "figures_json.h"
#include "fit_items.h"
#include "session.h"

#define BASIS_BYTES 100

void calibrate_report_warnings(const rcity_coefficients *coefficients)
{
    for (int i = 0; rcity_coefficients_warning(coefficients, i) != NULL; i++) {
        session_warn(rcity_coefficients_warning(coefficients, i));
    }
}

static const char *remark_of(const rcity_coefficient *coefficient)
{
    return !coefficient->is_fitted    ? "fixed"
           : coefficient->is_at_bound ? "at a bound"
           : !coefficient->is_known   ? "hardly told"
                                      : "";
}

static void print_coefficient(const rcity_coefficient *coefficient)
{
    printf("  %-24s %9.3f ", coefficient->name, coefficient->value);
    if (coefficient->is_fitted) {
        printf("%9.3f to %9.3f", coefficient->low, coefficient->high);
    } else {
        printf("%22s", "");
    }
    const char *remark = remark_of(coefficient);
    printf(remark[0] != '\0' ? " %-3s %s\n" : " %s%s\n", coefficient->unit, remark);
}

static void print_figures(const char *what, const rcity_score_figures *figures)
{
    if (figures->count > 0) {
        printf("  %-32s %8.2f %8.2f %10.2f %12.2f %8lld\n", what, figures->mean_db, figures->rmse_db,
               figures->standard_deviation_db, figures->median_absolute_db, (long long)figures->count);
    }
}

/* "transmitter (12)", "transmitter (40, in 32 groups)", "pieces of route (one transmitter)" */
static const char *describe_basis(const rcity_fit_summary *summary, char text[BASIS_BYTES])
{
    long long transmitters = summary->transmitter_count;
    if (summary->left_out_count == 0) {
        snprintf(text, BASIS_BYTES, "pieces of route (%s)",
                 transmitters == 1 ? "one transmitter" : "too few measurements without one of the transmitters");
    } else if (summary->left_out_count < transmitters) {
        snprintf(text, BASIS_BYTES, "transmitter (%lld, in %lld groups)", transmitters,
                 (long long)summary->left_out_count);
    } else {
        snprintf(text, BASIS_BYTES, "transmitter (%lld)", transmitters);
    }
    return text;
}

void calibrate_report(const rcity_coefficients *coefficients, const calibrate_input *input)
{
    rcity_fit_summary summary = rcity_coefficients_summary(coefficients);
    printf("%s calibrated on %lld measurements (%s), %lld of them outliers\n\n",
           rcity_coefficients_method(coefficients), (long long)summary.point_count, summary.fitted_on,
           (long long)summary.outlier_count);
    printf("  %-24s %9s %22s\n", "coefficient", "value", "95 % confidence");
    for (int i = 0; i < rcity_coefficients_count(coefficients); i++) {
        rcity_coefficient coefficient = coefficient_at(coefficients, i);
        print_coefficient(&coefficient);
    }
    char basis[BASIS_BYTES];
    printf("\n  intervals by %s\n", describe_basis(&summary, basis));
    if (summary.level_spread_db > 0.0) {
        printf("  levels of transmitters differ by %.1f dB (%s); a prediction does not add them\n",
               summary.level_spread_db, summary.is_level_spread_estimated ? "estimated" : "assumed");
    }
    printf("\n  %-32s %8s %8s %10s %12s %8s\n", "measured less predicted, dB", "mean", "rmse", "std. dev.",
           "median |e|", "count");
    print_figures("before", &summary.before);
    print_figures("fitted", &summary.training);
    print_figures(summary.left_out_count > 0 ? "on transmitters left out" : "on pieces of route left out",
                  &summary.crossed);
    if (input->output_path != NULL) {
        printf("\nwrote %s\n", input->output_path);
    }
}

static void json_figures(json_writer *json, const char *key, const rcity_score_figures *figures)
{
    json_begin_object(json, key);
    figures_json(json, "count", figures);
    json_end_object(json);
}

static void json_span(json_writer *json, const char *key, double low, double high)
{
    json_begin_array(json, key);
    json_number(json, NULL, low);
    json_number(json, NULL, high);
    json_end_array(json);
}

void calibrate_report_json(const rcity_coefficients *coefficients)
{
    rcity_fit_summary summary = rcity_coefficients_summary(coefficients);
    json_writer json = json_writer_make(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "method", rcity_coefficients_method(coefficients));
    json_text(&json, "fitted_on", summary.fitted_on);
    json_integer(&json, "measurements", summary.point_count);
    json_integer(&json, "outliers", summary.outlier_count);
    json_integer(&json, "transmitters", summary.transmitter_count);
    json_text(&json, "intervals_by", summary.left_out_count > 0 ? "transmitter" : "route");
    json_text(&json, "crossed_by",
              summary.crossed.count == 0   ? NULL
              : summary.left_out_count > 0 ? "transmitter"
                                           : "route");
    json_integer(&json, "left_out", summary.left_out_count);
    json_number(&json, "level_spread_db", summary.level_spread_db);
    json_boolean(&json, "is_level_spread_estimated", summary.is_level_spread_estimated);
    json_begin_object(&json, "fitted_span");
    json_span(&json, "frequency_mhz", 1e-6 * summary.frequency_min_hz, 1e-6 * summary.frequency_max_hz);
    json_span(&json, "tx_height_m", summary.tx_height_min_m, summary.tx_height_max_m);
    json_span(&json, "distance_m", summary.distance_min_m, summary.distance_max_m);
    json_span(&json, "elevation_deg", summary.elevation_min_deg, summary.elevation_max_deg);
    json_end_object(&json);
    json_begin_array(&json, "coefficients");
    for (int i = 0; i < rcity_coefficients_count(coefficients); i++) {
        rcity_coefficient coefficient = coefficient_at(coefficients, i);
        json_begin_object(&json, NULL);
        json_text(&json, "name", coefficient.name);
        json_text(&json, "unit", coefficient.unit);
        json_number(&json, "value", coefficient.value);
        json_number(&json, "low", coefficient.low);
        json_number(&json, "high", coefficient.high);
        json_boolean(&json, "is_fitted", coefficient.is_fitted);
        json_boolean(&json, "is_at_bound", coefficient.is_at_bound);
        json_boolean(&json, "is_known", coefficient.is_known);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_figures(&json, "before", &summary.before);
    json_figures(&json, "training", &summary.training);
    json_figures(&json, "crossed", &summary.crossed);
    json_begin_array(&json, "warnings");
    for (int i = 0; rcity_coefficients_warning(coefficients, i) != NULL; i++) {
        json_text(&json, NULL, rcity_coefficients_warning(coefficients, i));
    }
    json_end_array(&json);
    json_end_object(&json);
    json_end_line(&json);
}
