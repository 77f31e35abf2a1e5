/* Coefficients as JSON for people and programs: one line for each member and each coefficient. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "io/coefficients/coefficients_file.h"
#include "io/export/text_block.h"
#include "result/coefficients.h"

/* A number that is read back bit-identically: 15 digits where they suffice, else 17, which always do.
   rcity_number_read() is exact for 15 digits within these sizes. */
static void add_exact(rcity_text_block *block, double value)
{
    char digits[40];
    if (!isfinite(value)) {
        rcity_text_add(block, "null");
        return;
    }
    if (value == 0.0) {
        rcity_text_add(block, signbit(value) ? "-0.0" : "0");
        return;
    }
    int length = rcity_number_print(digits, sizeof digits, "%.15g", value);
    const char *text = digits;
    double read = 0.0;
    bool is_short =
        fabs(value) >= 1e-6 && fabs(value) < 1e15 && rcity_number_read(&text, digits + length, &read) && read == value;
    if (!is_short) {
        rcity_number_print(digits, sizeof digits, "%.17g", value);
    }
    rcity_text_add(block, "%s", digits);
}

static void add_member(rcity_text_block *block, const char *separator, const char *name, double value)
{
    rcity_text_add(block, "%s\"%s\": ", separator, name);
    add_exact(block, value);
}

static void add_truth(rcity_text_block *block, const char *name, bool is_true)
{
    rcity_text_add(block, ", \"%s\": %s", name, is_true ? "true" : "false");
}

/* An object: of two options with the same name the last is used, as in a request. */
static void add_options(rcity_text_block *block, const rcity_notes *options)
{
    const char *separator = "\n    ";
    rcity_text_add(block, ",\n  \"options\": {");
    for (size_t i = 0; i < options->count; i++) {
        bool comes_again = false;
        for (size_t k = i + 1; k < options->count; k++) {
            comes_again = comes_again || strcmp(options->pairs[i].key, options->pairs[k].key) == 0;
        }
        if (comes_again) {
            continue;
        }
        rcity_text_add(block, "%s", separator);
        rcity_text_add_json(block, options->pairs[i].key);
        rcity_text_add(block, ": ");
        rcity_text_add_json(block, options->pairs[i].value);
        separator = ",\n    ";
    }
    rcity_text_add(block, "\n  }");
}

static void add_coefficients(rcity_text_block *block, const rcity_coefficients *coefficients)
{
    rcity_text_add(block, ",\n  \"coefficients\": [");
    for (size_t i = 0; i < coefficients->count; i++) {
        const rcity_coefficient *one = &coefficients->list[i];
        rcity_text_add(block, "%s\n    {\"name\": ", i > 0 ? "," : "");
        rcity_text_add_json(block, one->name);
        rcity_text_add(block, ", \"unit\": ");
        rcity_text_add_json(block, one->unit);
        add_member(block, ", ", "value", one->value);
        add_member(block, ", ", "low", one->low);
        add_member(block, ", ", "high", one->high);
        add_member(block, ", ", "bound_low", one->bound_low);
        add_member(block, ", ", "bound_high", one->bound_high);
        add_truth(block, "fitted", one->is_fitted);
        add_truth(block, "at_bound", one->is_at_bound);
        add_truth(block, "known", one->is_known);
        rcity_text_add(block, "}");
    }
    rcity_text_add(block, "\n  ]");
}

static void add_baselines(rcity_text_block *block, const rcity_baseline_fit *baselines)
{
    rcity_text_add(block, ",\n  \"baselines\": {");
    add_member(block, "", "constant_db", baselines->constant_db);
    add_member(block, ", ", "free_space_offset_db", baselines->offset_db);
    add_member(block, ", ", "log_distance_db", baselines->log_db);
    add_member(block, ", ", "log_distance_decade_db", baselines->log_decade_db);
    rcity_text_add(block, "}");
}

static void add_figures(rcity_text_block *block, const char *name, const rcity_score_figures *figures)
{
    rcity_text_add(block, ",\n    \"%s\": {\"count\": %lld", name, (long long)figures->count);
    add_member(block, ", ", "mean_db", figures->mean_db);
    add_member(block, ", ", "rmse_db", figures->rmse_db);
    add_member(block, ", ", "standard_deviation_db", figures->standard_deviation_db);
    add_member(block, ", ", "median_absolute_db", figures->median_absolute_db);
    add_member(block, ", ", "correlation", figures->correlation);
    rcity_text_add(block, "}");
}

static void add_summary(rcity_text_block *block, const rcity_fit_summary *summary)
{
    rcity_text_add(block, ",\n  \"summary\": {\n    \"fitted_on\": ");
    rcity_text_add_json(block, summary->fitted_on);
    rcity_text_add(block, ",\n    \"point_count\": %lld,\n    \"outlier_count\": %lld", (long long)summary->point_count,
                   (long long)summary->outlier_count);
    add_member(block, ",\n    ", "frequency_min_hz", summary->frequency_min_hz);
    add_member(block, ",\n    ", "frequency_max_hz", summary->frequency_max_hz);
    add_member(block, ",\n    ", "distance_min_m", summary->distance_min_m);
    add_member(block, ",\n    ", "distance_max_m", summary->distance_max_m);
    add_figures(block, "before", &summary->before);
    add_figures(block, "training", &summary->training);
    add_figures(block, "crossed", &summary->crossed);
    rcity_text_add(block, ",\n    \"transmitter_count\": %lld,\n    \"left_out_count\": %lld",
                   (long long)summary->transmitter_count, (long long)summary->left_out_count);
    add_member(block, ",\n    ", "elevation_min_deg", summary->elevation_min_deg);
    add_member(block, ",\n    ", "elevation_max_deg", summary->elevation_max_deg);
    add_member(block, ",\n    ", "tx_height_min_m", summary->tx_height_min_m);
    add_member(block, ",\n    ", "tx_height_max_m", summary->tx_height_max_m);
    rcity_text_add(block, "\n  }");
}

static void add_sources(rcity_text_block *block, const rcity_notes *sources)
{
    rcity_text_add(block, ",\n  \"sources\": [");
    for (size_t i = 0; i < sources->count; i++) {
        rcity_text_add(block, "%s\n    {\"key\": ", i > 0 ? "," : "");
        rcity_text_add_json(block, sources->pairs[i].key);
        rcity_text_add(block, ", \"value\": ");
        rcity_text_add_json(block, sources->pairs[i].value);
        rcity_text_add(block, "}");
    }
    rcity_text_add(block, "\n  ]");
}

static void add_warnings(rcity_text_block *block, const rcity_coefficients *coefficients)
{
    rcity_text_add(block, ",\n  \"warnings\": [");
    for (size_t i = 0; i < coefficients->warning_count; i++) {
        rcity_text_add(block, "%s\n    ", i > 0 ? "," : "");
        rcity_text_add_json(block, coefficients->warnings[i]);
    }
    rcity_text_add(block, "\n  ]\n}\n");
}

rcity_status rcity_coefficients_save(rcity_context *context, const rcity_coefficients *coefficients, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, coefficients);
    RCITY_NEED(context, path);
    rcity_text_block block;
    rcity_text_block_init(context, &block);
    rcity_text_add(&block, "{\n  \"format\": \"%s\",\n  \"format_version\": %d,\n  \"radiocity_version\": ",
                   RCITY_COEFFICIENTS_FORMAT, RCITY_COEFFICIENTS_VERSION);
    rcity_text_add_json(&block, rcity_version());
    rcity_text_add(&block, ",\n  \"method\": ");
    rcity_text_add_json(&block, coefficients->method);
    add_options(&block, &coefficients->options);
    add_coefficients(&block, coefficients);
    add_baselines(&block, &coefficients->baselines);
    add_summary(&block, &coefficients->summary);
    add_sources(&block, &coefficients->sources);
    add_warnings(&block, coefficients);
    rcity_status status = block.status;
    if (status == RCITY_OK) {
        status = rcity_file_save(context, path, block.text, block.length);
    }
    rcity_text_block_deinit(&block);
    return status;
}
