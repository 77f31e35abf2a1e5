/* Loading coefficients: the file by itself, then against what the methods take. */
#include "api/coefficients.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "io/coefficients/coefficients_file.h"
#include "method/method.h"
#include "result/coefficients.h"

/* Text of an option and number of a coefficient are the same value, up to digits somebody left out. */
#define SAME_VALUE 1e-6

/* Numbers that belong to a transmitter: "level NAME" and the like. */
static bool is_of_transmitter(const char *name)
{
    static const char *const kinds[] = {"level ", "offset ", "x ", "y ", "height "};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strncmp(name, kinds[i], strlen(kinds[i])) == 0) {
            return true;
        }
    }
    return false;
}

static int find_option(const rcity_method *method, const char *name)
{
    for (int i = 0; i < method->info.option_count; i++) {
        if (strcmp(method->options[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* A coefficient that is an option has a value the option takes, and the one that stands among the options. */
static rcity_status check_coefficient(const rcity_job *job, const char *path, const rcity_coefficients *coefficients,
                                      size_t index)
{
    const rcity_coefficient *one = &coefficients->list[index];
    if (is_of_transmitter(one->name)) {
        return RCITY_OK;
    }
    int option_index = find_option(job->method, one->name);
    RCITY_CHECK(job->context, option_index >= 0, RCITY_ERR_FORMAT,
                "'%s': coefficients[%zu] is '%.60s', which method '%s' does not have; calibrate again with this "
                "radiocity",
                path, index, one->name, job->method->info.name);
    const rcity_method_option *option = &job->method->options[option_index];
    RCITY_CHECK(job->context, option->maximum > option->minimum, RCITY_ERR_FORMAT,
                "'%s': coefficients[%zu] is '%s', which takes words and no number", path, index, option->name);
    RCITY_CHECK(job->context, one->value >= option->minimum && one->value <= option->maximum, RCITY_ERR_FORMAT,
                "'%s': coefficients[%zu] '%s' is %g, must be %g to %g%s%s", path, index, option->name, one->value,
                option->minimum, option->maximum, option->unit[0] != '\0' ? " " : "", option->unit);
    double stated = job->number[option_index];
    RCITY_CHECK(job->context, !one->is_fitted || fabs(stated - one->value) <= SAME_VALUE * fmax(1.0, fabs(one->value)),
                RCITY_ERR_FORMAT,
                "'%s': coefficients[%zu] '%s' is %.10g, but the options say '%s', which is what counts; let both say "
                "the same",
                path, index, option->name, one->value, job->option[option_index]);
    return RCITY_OK;
}

rcity_status rcity_coefficients_check(rcity_context *context, const char *path, const rcity_coefficients *coefficients)
{
    rcity_job job;
    memset(&job, 0, sizeof job);
    job.context = context;
    if (rcity_method_find(context, coefficients->method, &job.method) != RCITY_OK) {
        return rcity_fail_prefix(context, RCITY_ERR_FORMAT, "'%s': ", path);
    }
    RCITY_CHECK(context, coefficients->options.count <= RCITY_METHOD_OPTION_MAX, RCITY_ERR_FORMAT,
                "'%s': there are %zu options, a method has at most %d", path, coefficients->options.count,
                RCITY_METHOD_OPTION_MAX);
    const char *names[RCITY_METHOD_OPTION_MAX];
    const char *values[RCITY_METHOD_OPTION_MAX];
    for (size_t i = 0; i < coefficients->options.count; i++) {
        names[i] = coefficients->options.pairs[i].key;
        values[i] = coefficients->options.pairs[i].value;
    }
    if (rcity_method_read_options(&job, (int)coefficients->options.count, names, values) != RCITY_OK) {
        return rcity_fail_prefix(context, RCITY_ERR_FORMAT, "'%s': options: ", path);
    }
    for (size_t i = 0; i < coefficients->count; i++) {
        RCITY_TRY(check_coefficient(&job, path, coefficients, i));
    }
    return RCITY_OK;
}

rcity_status rcity_coefficients_load(rcity_context *context, const char *path, rcity_coefficients **coefficients)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, path);
    RCITY_NEED(context, coefficients);
    char *text = NULL;
    size_t bytes = 0;
    rcity_coefficients *loaded = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_file_load(context, path, &text, &bytes));
    RCITY_TRY_DONE(rcity_coefficients_parse(context, path, text, bytes, &loaded));
    RCITY_TRY_DONE(rcity_coefficients_check(context, path, loaded));
    *coefficients = loaded;
    loaded = NULL;
done:
    rcity_coefficients_destroy(&loaded);
    rcity_release(context, text);
    return status;
}
