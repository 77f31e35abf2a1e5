#include "result/coefficients.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/abi.h"
#include "base/sha256.h"

#define WARNING_BYTES 512

/* No span is known. */
static void forget_spans(rcity_fit_summary *summary)
{
    summary->frequency_min_hz = summary->frequency_max_hz = (double)NAN;
    summary->distance_min_m = summary->distance_max_m = (double)NAN;
    summary->elevation_min_deg = summary->elevation_max_deg = (double)NAN;
    summary->tx_height_min_m = summary->tx_height_max_m = (double)NAN;
    summary->level_spread_db = (double)NAN;
}

rcity_status rcity_coefficients_create(rcity_context *context, const char *method, const char *fitted_on,
                                       rcity_coefficients **coefficients)
{
    rcity_coefficients *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "coefficients", &made));
    made->context = context;
    rcity_notes_init(context, &made->options);
    rcity_notes_init(context, &made->sources);
    RCITY_TRY_DONE(rcity_copy_text(context, method, &made->method));
    RCITY_TRY_DONE(rcity_copy_text(context, fitted_on, &made->fitted_on));
    made->summary.fitted_on = made->fitted_on;
    forget_spans(&made->summary);
    *coefficients = made;
    return RCITY_OK;
done:
    rcity_coefficients_destroy(&made);
    return status;
}

/* The list owns the texts of its elements, though callers see them as const. */
static void release_text(rcity_context *context, const char *text)
{
    union {
        const char *seen;
        char *owned;
    } both = {.seen = text};
    rcity_release(context, both.owned);
}

void rcity_coefficients_destroy(rcity_coefficients **coefficients)
{
    if (coefficients == NULL || *coefficients == NULL) {
        return;
    }
    rcity_coefficients *gone = *coefficients;
    rcity_context *context = gone->context;
    for (size_t i = 0; i < gone->count; i++) {
        release_text(context, gone->list[i].name);
        release_text(context, gone->list[i].unit);
    }
    for (size_t i = 0; i < gone->warning_count; i++) {
        rcity_release(context, gone->warnings[i]);
    }
    rcity_release(context, gone->warnings);
    rcity_release(context, gone->list);
    rcity_notes_deinit(&gone->options);
    rcity_notes_deinit(&gone->sources);
    rcity_release(context, gone->method);
    rcity_release(context, gone->fitted_on);
    rcity_release(context, gone);
    *coefficients = NULL;
}

rcity_status rcity_coefficients_add(rcity_coefficients *coefficients, const rcity_coefficient *coefficient)
{
    rcity_context *context = coefficients->context;
    char *name = NULL;
    char *unit = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_reserve(context, coefficients->count + 1, sizeof *coefficients->list, &coefficients->capacity,
                                 "coefficients", &coefficients->list));
    RCITY_TRY_DONE(rcity_copy_text(context, coefficient->name, &name));
    RCITY_TRY_DONE(rcity_copy_text(context, coefficient->unit, &unit));
    rcity_coefficient *added = &coefficients->list[coefficients->count++];
    *added = *coefficient;
    added->name = name;
    added->unit = unit;
    return RCITY_OK;
done:
    rcity_release(context, name);
    rcity_release(context, unit);
    return status;
}

rcity_status rcity_coefficients_warn(rcity_coefficients *coefficients, const char *format, ...)
{
    rcity_context *context = coefficients->context;
    char text[WARNING_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    RCITY_TRY(rcity_reserve(context, coefficients->warning_count + 1, sizeof *coefficients->warnings,
                            &coefficients->warning_capacity, "coefficients", &coefficients->warnings));
    RCITY_TRY(rcity_copy_text(context, text, &coefficients->warnings[coefficients->warning_count]));
    coefficients->warning_count++;
    return RCITY_OK;
}

const char *rcity_coefficients_method(const rcity_coefficients *coefficients)
{
    if (coefficients == NULL) {
        return NULL;
    }
    return coefficients->method;
}

int rcity_coefficients_count(const rcity_coefficients *coefficients)
{
    if (coefficients == NULL) {
        return 0;
    }
    return (int)coefficients->count;
}

rcity_status rcity_coefficients_get_sized(const rcity_coefficients *coefficients, int index, size_t coefficient_bytes,
                                          rcity_coefficient *coefficient)
{
    RCITY_NEED(NULL, coefficients);
    RCITY_NEED(NULL, coefficient);
    RCITY_CHECK_BYTES(NULL, rcity_coefficient, coefficient_bytes);
    if (index < 0 || (size_t)index >= coefficients->count) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_copy_struct(&coefficients->list[index], sizeof *coefficients->list, coefficient_bytes, coefficient);
    return RCITY_OK;
}

void rcity_coefficients_summary_sized(const rcity_coefficients *coefficients, size_t summary_bytes,
                                      rcity_fit_summary *summary)
{
    const rcity_fit_summary none = {.fitted_on = ""};
    if (summary != NULL) {
        rcity_copy_struct(coefficients != NULL ? &coefficients->summary : &none, sizeof none, summary_bytes, summary);
    }
}

const char *rcity_coefficients_warning(const rcity_coefficients *coefficients, int index)
{
    if (coefficients == NULL) {
        return NULL;
    }
    bool is_there = index >= 0 && (size_t)index < coefficients->warning_count;
    return is_there ? coefficients->warnings[index] : NULL;
}

char *rcity_coefficients_describe(const rcity_coefficients *coefficients, char *text, size_t room)
{
    if (coefficients == NULL || text == NULL) {
        return NULL;
    }
    rcity_sha256 hash;
    char hex[65];
    rcity_sha256_init(&hash);
    rcity_sha256_add(&hash, coefficients->method, strlen(coefficients->method) + 1);
    for (size_t i = 0; i < coefficients->options.count; i++) {
        const rcity_note *option = &coefficients->options.pairs[i];
        rcity_sha256_add(&hash, option->key, strlen(option->key) + 1);
        rcity_sha256_add(&hash, option->value, strlen(option->value) + 1);
    }
    rcity_sha256_finish(&hash, hex);
    snprintf(text, room, "%.12s, fitted on %.120s", hex,
             coefficients->fitted_on[0] != '\0' ? coefficients->fitted_on : "unnamed measurements");
    return text;
}

int rcity_coefficients_option_count(const rcity_coefficients *coefficients)
{
    if (coefficients == NULL) {
        return 0;
    }
    return (int)coefficients->options.count;
}

rcity_status rcity_coefficients_get_option(const rcity_coefficients *coefficients, int index, const char **name,
                                           const char **value)
{
    RCITY_NEED(NULL, coefficients);
    RCITY_NEED(NULL, name);
    RCITY_NEED(NULL, value);
    return rcity_notes_get(&coefficients->options, index, name, value) ? RCITY_OK : RCITY_ERR_ARGUMENT;
}
