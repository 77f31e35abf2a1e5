/* Reads coefficients from JSON: each member must exist and have the right type; other members are ignored. */
#include <stdio.h>
#include <string.h>

#include "io/coefficients/coefficients_file.h"
#include "io/coefficients/json_members.h"
#include "io/coefficients/old_members.h"
#include "result/coefficients.h"

/* Since this version a file has the spans of elevation and height and the number of transmitters. */
#define SPANS_VERSION 2

/* Refuse a name that was replaced by another. */
static rcity_status check_name(const rcity_json_reader *reader, const char *where, const char *name)
{
    const char *renamed = rcity_option_new_name(name);
    RCITY_CHECK(reader->context, renamed == NULL, RCITY_ERR_FORMAT,
                "'%s': %s%.60s has a new name: %s; rename it, or let calibrate write the file again", reader->path,
                where, name, renamed);
    return RCITY_OK;
}

static rcity_status read_options(rcity_json_reader *reader, const json_t *json, rcity_notes *options)
{
    rcity_json_object object;
    RCITY_TRY(rcity_json_open(reader, json, "options", NULL, &object));
    union { /* as in rcity_json_open() */
        const json_t *seen;
        json_t *taken;
    } both = {.seen = json};
    for (void *at = json_object_iter(both.taken); at != NULL; at = json_object_iter_next(both.taken, at)) {
        const json_t *value = json_object_iter_value(at);
        const char *name = json_object_iter_key(at);
        RCITY_CHECK(reader->context, json_is_string(value), RCITY_ERR_FORMAT,
                    "'%s': options.%.60s is %s, must be a text; put it in quotes, as it is on the command line",
                    reader->path, name, rcity_json_kind(json_typeof(value)));
        RCITY_TRY(check_name(reader, "options.", name));
        RCITY_TRY(rcity_notes_add(options, name, "%s", json_string_value(value)));
    }
    return RCITY_OK;
}

/* The i-th object of a list. */
static rcity_status open_element(rcity_json_reader *reader, const json_t *list, const char *list_name, size_t index,
                                 const char *const *known, rcity_json_object *object)
{
    char where[RCITY_JSON_NAME_BYTES];
    snprintf(where, sizeof where, "%s[%zu]", list_name, index);
    return rcity_json_open(reader, json_array_get(list, index), where, known, object);
}

static rcity_status read_coefficient(const rcity_json_object *object, rcity_coefficients *coefficients)
{
    rcity_coefficient one;
    memset(&one, 0, sizeof one);
    RCITY_TRY(rcity_json_get_text(object, "name", &one.name));
    RCITY_TRY(check_name(object->reader, object->where, one.name));
    RCITY_TRY(rcity_json_get_text(object, "unit", &one.unit));
    RCITY_TRY(rcity_json_get_number(object, "value", false, &one.value));
    RCITY_TRY(rcity_json_get_number(object, "low", true, &one.low));
    RCITY_TRY(rcity_json_get_number(object, "high", true, &one.high));
    RCITY_TRY(rcity_json_get_number(object, "bound_low", true, &one.bound_low));
    RCITY_TRY(rcity_json_get_number(object, "bound_high", true, &one.bound_high));
    RCITY_TRY(rcity_json_get_truth(object, "fitted", &one.is_fitted));
    RCITY_TRY(rcity_json_get_truth(object, "at_bound", &one.is_at_bound));
    RCITY_TRY(rcity_json_get_truth(object, "known", &one.is_known));
    RCITY_CHECK(object->reader->context, !(one.low > one.high) && !(one.bound_low > one.bound_high), RCITY_ERR_FORMAT,
                "'%s': %s%s is above %s%s", object->reader->path, object->where,
                one.low > one.high ? "low" : "bound_low", object->where, one.low > one.high ? "high" : "bound_high");
    return rcity_coefficients_add(coefficients, &one);
}

static rcity_status read_coefficients(rcity_json_reader *reader, const json_t *list, rcity_coefficients *coefficients)
{
    static const char *const known[] = {"name",       "unit",   "value",    "low",   "high", "bound_low",
                                        "bound_high", "fitted", "at_bound", "known", NULL};
    for (size_t i = 0; i < json_array_size(list); i++) {
        rcity_json_object object;
        RCITY_TRY(open_element(reader, list, "coefficients", i, known, &object));
        RCITY_TRY(read_coefficient(&object, coefficients));
    }
    return RCITY_OK;
}

static rcity_status read_baselines(rcity_json_reader *reader, const json_t *json, rcity_baseline_fit *baselines)
{
    static const char *const known[] = {"constant_db", "free_space_offset_db", "log_distance_db",
                                        "log_distance_decade_db", NULL};
    rcity_json_object object;
    RCITY_TRY(rcity_json_open(reader, json, "baselines", known, &object));
    RCITY_TRY(rcity_json_get_number(&object, "constant_db", true, &baselines->constant_db));
    RCITY_TRY(rcity_json_get_number(&object, "free_space_offset_db", true, &baselines->offset_db));
    RCITY_TRY(rcity_json_get_number(&object, "log_distance_db", true, &baselines->log_db));
    return rcity_json_get_number(&object, "log_distance_decade_db", true, &baselines->log_decade_db);
}

static rcity_status read_figures(const rcity_json_object *summary, const char *name, rcity_score_figures *figures)
{
    static const char *const known[] = {
        "count", "mean_db", "rmse_db", "standard_deviation_db", "median_absolute_db", "correlation", NULL};
    const json_t *json = NULL;
    rcity_json_object object;
    char where[RCITY_JSON_NAME_BYTES];
    snprintf(where, sizeof where, "summary.%s", name);
    RCITY_TRY(rcity_json_get(summary, name, JSON_OBJECT, &json));
    RCITY_TRY(rcity_json_open(summary->reader, json, where, known, &object));
    RCITY_TRY(rcity_json_get_count(&object, "count", &figures->count));
    RCITY_TRY(rcity_json_get_number(&object, "mean_db", true, &figures->mean_db));
    RCITY_TRY(rcity_json_get_number(&object, "rmse_db", true, &figures->rmse_db));
    RCITY_TRY(rcity_json_get_number(&object, "standard_deviation_db", true, &figures->standard_deviation_db));
    RCITY_TRY(rcity_json_get_number(&object, "median_absolute_db", true, &figures->median_absolute_db));
    return rcity_json_get_number(&object, "correlation", true, &figures->correlation);
}

/* What version 1 did not have. */
static rcity_status read_spans(const rcity_json_object *object, rcity_fit_summary *summary)
{
    RCITY_TRY(rcity_json_get_count(object, "transmitter_count", &summary->transmitter_count));
    RCITY_TRY(rcity_json_get_count(object, "left_out_count", &summary->left_out_count));
    RCITY_TRY(rcity_json_get_number(object, "elevation_min_deg", true, &summary->elevation_min_deg));
    RCITY_TRY(rcity_json_get_number(object, "elevation_max_deg", true, &summary->elevation_max_deg));
    RCITY_TRY(rcity_json_get_number(object, "tx_height_min_m", true, &summary->tx_height_min_m));
    return rcity_json_get_number(object, "tx_height_max_m", true, &summary->tx_height_max_m);
}

static rcity_status read_summary(const rcity_json_object *object, int64_t version, rcity_fit_summary *summary)
{
    RCITY_TRY(rcity_json_get_count(object, "point_count", &summary->point_count));
    RCITY_TRY(rcity_json_get_count(object, "outlier_count", &summary->outlier_count));
    RCITY_TRY(rcity_json_get_number(object, "frequency_min_hz", true, &summary->frequency_min_hz));
    RCITY_TRY(rcity_json_get_number(object, "frequency_max_hz", true, &summary->frequency_max_hz));
    RCITY_TRY(rcity_json_get_number(object, "distance_min_m", true, &summary->distance_min_m));
    RCITY_TRY(rcity_json_get_number(object, "distance_max_m", true, &summary->distance_max_m));
    RCITY_TRY(read_figures(object, "before", &summary->before));
    RCITY_TRY(read_figures(object, "training", &summary->training));
    RCITY_TRY(read_figures(object, "crossed", &summary->crossed));
    return version < SPANS_VERSION ? RCITY_OK : read_spans(object, summary);
}

static rcity_status read_sources(rcity_json_reader *reader, const json_t *list, rcity_notes *sources)
{
    static const char *const known[] = {"key", "value", NULL};
    for (size_t i = 0; i < json_array_size(list); i++) {
        rcity_json_object object;
        const char *key = NULL;
        const char *value = NULL;
        RCITY_TRY(open_element(reader, list, "sources", i, known, &object));
        RCITY_TRY(rcity_json_get_text(&object, "key", &key));
        RCITY_TRY(rcity_json_get_text(&object, "value", &value));
        RCITY_TRY(rcity_notes_add(sources, key, "%s", value));
    }
    return RCITY_OK;
}

static rcity_status read_warnings(rcity_json_reader *reader, const json_t *list, rcity_coefficients *coefficients)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *value = json_array_get(list, i);
        RCITY_CHECK(reader->context, json_is_string(value), RCITY_ERR_FORMAT,
                    "'%s': warnings[%zu] is %s, must be a text", reader->path, i, rcity_json_kind(json_typeof(value)));
        RCITY_TRY(rcity_coefficients_warn(coefficients, "%s", json_string_value(value)));
    }
    return RCITY_OK;
}

/* Is it a file of coefficients, and of a known version? */
static rcity_status read_format(const rcity_json_object *whole, int64_t *version)
{
    const rcity_json_reader *reader = whole->reader;
    const char *format = NULL;
    const char *version_text = NULL;
    RCITY_TRY(rcity_json_get_text(whole, "format", &format));
    RCITY_CHECK(reader->context, strcmp(format, RCITY_COEFFICIENTS_FORMAT) == 0, RCITY_ERR_FORMAT,
                "'%s' is no file of coefficients: format is '%.60s', must be '%s'", reader->path, format,
                RCITY_COEFFICIENTS_FORMAT);
    RCITY_TRY(rcity_json_get_count(whole, "format_version", version));
    RCITY_TRY(rcity_json_get_text(whole, "radiocity_version", &version_text));
    RCITY_CHECK(
        reader->context, *version >= 1 && *version <= RCITY_COEFFICIENTS_VERSION, RCITY_ERR_FORMAT,
        "'%s' has version %lld of the format, written by radiocity %.30s; this radiocity %s reads versions 1 to "
        "%d: take the one that wrote it, or calibrate again",
        reader->path, (long long)*version, version_text, rcity_version(), RCITY_COEFFICIENTS_VERSION);
    return RCITY_OK;
}

static rcity_status read_parts(const rcity_json_object *whole, const rcity_json_object *summary, int64_t version,
                               rcity_coefficients *coefficients)
{
    rcity_json_reader *reader = whole->reader;
    const json_t *part = NULL;
    RCITY_TRY(rcity_json_get(whole, "options", JSON_OBJECT, &part));
    RCITY_TRY(read_options(reader, part, &coefficients->options));
    RCITY_TRY(rcity_json_get(whole, "coefficients", JSON_ARRAY, &part));
    RCITY_TRY(read_coefficients(reader, part, coefficients));
    RCITY_TRY(rcity_json_get(whole, "baselines", JSON_OBJECT, &part));
    RCITY_TRY(read_baselines(reader, part, &coefficients->baselines));
    RCITY_TRY(read_summary(summary, version, &coefficients->summary));
    RCITY_TRY(rcity_json_get(whole, "sources", JSON_ARRAY, &part));
    RCITY_TRY(read_sources(reader, part, &coefficients->sources));
    RCITY_TRY(rcity_json_get(whole, "warnings", JSON_ARRAY, &part));
    return read_warnings(reader, part, coefficients);
}

static rcity_status read_whole(rcity_json_reader *reader, const json_t *json, rcity_coefficients **coefficients)
{
    static const char *const known[] = {
        "format",    "format_version", "radiocity_version", "method",   "options", "coefficients",
        "baselines", "summary",        "sources",           "warnings", NULL};
    static const char *const summary_known[] = {"fitted_on",
                                                "point_count",
                                                "outlier_count",
                                                "frequency_min_hz",
                                                "frequency_max_hz",
                                                "distance_min_m",
                                                "distance_max_m",
                                                "before",
                                                "training",
                                                "crossed",
                                                "transmitter_count",
                                                "left_out_count",
                                                "elevation_min_deg",
                                                "elevation_max_deg",
                                                "tx_height_min_m",
                                                "tx_height_max_m",
                                                NULL};
    rcity_json_object whole;
    rcity_json_object summary;
    const json_t *part = NULL;
    const char *method = NULL;
    const char *fitted_on = NULL;
    int64_t version = 0;
    rcity_coefficients *made = NULL;
    RCITY_TRY(rcity_json_open(reader, json, "", known, &whole));
    RCITY_TRY(read_format(&whole, &version));
    RCITY_TRY(rcity_json_get_text(&whole, "method", &method));
    RCITY_TRY(rcity_json_get(&whole, "summary", JSON_OBJECT, &part));
    RCITY_TRY(rcity_json_open(reader, part, "summary", summary_known, &summary));
    RCITY_TRY(rcity_json_get_text(&summary, "fitted_on", &fitted_on));
    RCITY_TRY(rcity_coefficients_create(reader->context, method, fitted_on, &made));
    rcity_status status = read_parts(&whole, &summary, version, made);
    if (status != RCITY_OK) {
        rcity_coefficients_destroy(&made);
        return status;
    }
    *coefficients = made;
    return RCITY_OK;
}

rcity_status rcity_coefficients_parse(rcity_context *context, const char *path, const char *text, size_t bytes,
                                      rcity_coefficients **coefficients)
{
    RCITY_CHECK(context, bytes <= RCITY_COEFFICIENTS_BYTES_MAX, RCITY_ERR_FORMAT,
                "'%s' has %zu bytes; a file of coefficients has at most %d", path, bytes, RCITY_COEFFICIENTS_BYTES_MAX);
    json_error_t error;
    json_t *json = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    if (json == NULL) {
        bool is_memory = json_error_code(&error) == json_error_out_of_memory;
        return is_memory ? rcity_fail(context, RCITY_ERR_MEMORY, "no memory to read '%s'", path)
                         : rcity_fail(context, RCITY_ERR_FORMAT,
                                      "'%s' is no JSON, line %d: %s; let calibrate write the file again", path,
                                      error.line, error.text);
    }
    rcity_json_reader reader = {.context = context, .path = path};
    rcity_status status = read_whole(&reader, json, coefficients);
    if (status == RCITY_OK && reader.unknown_count > 0) {
        rcity_log(context, RCITY_LOG_WARNING, "'%s': %lld %s not known here and left aside, such as %s", path,
                  (long long)reader.unknown_count, reader.unknown_count == 1 ? "member is" : "members are",
                  reader.unknown);
    }
    json_decref(json);
    return status;
}
