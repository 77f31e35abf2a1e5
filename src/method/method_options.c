/* Options of methods: text in, checked values out. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "method/method.h"

static int find_option(const rcity_method *method, const char *name)
{
    for (int i = 0; i < method->info.option_count; i++) {
        if (strcmp(method->options[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int rcity_method_option_index(const rcity_method *method, const char *name)
{
    int index = find_option(method, name);
    assert(index >= 0);
    return index;
}

/* Is the word one of the choices between the bars? */
static bool is_choice(const char *choices, const char *word)
{
    size_t length = strlen(word);
    for (const char *choice = choices; choice != NULL; choice = strchr(choice, '|')) {
        choice += *choice == '|';
        size_t choice_length = strcspn(choice, "|");
        if (length == choice_length && strncmp(choice, word, length) == 0) {
            return true;
        }
    }
    return false;
}

static rcity_status set_option(rcity_job *job, int index, const char *value)
{
    const rcity_method_option *option = &job->method->options[index];
    bool takes_words = option->choices != NULL;
    bool takes_numbers = !takes_words || option->maximum > option->minimum;
    job->option[index] = value;
    job->number[index] = (double)NAN;
    if (takes_words && is_choice(option->choices, value)) {
        return RCITY_OK;
    }
    RCITY_CHECK(job->context, takes_numbers, RCITY_ERR_ARGUMENT, "`%s` is '%s', must be one of %s", option->name, value,
                option->choices);
    const char *text = value;
    const char *end = value + strlen(value);
    double number = (double)NAN;
    bool is_number = rcity_number_read(&text, end, &number) && text == end;
    RCITY_CHECK(job->context, is_number && number >= option->minimum && number <= option->maximum, RCITY_ERR_ARGUMENT,
                "`%s` is '%s', must be %s%sa number from %g to %g%s%s", option->name, value,
                takes_words ? option->choices : "", takes_words ? " or " : "", option->minimum, option->maximum,
                option->unit[0] != '\0' ? " " : "", option->unit);
    job->number[index] = number;
    return RCITY_OK;
}

static rcity_status fail_unknown(const rcity_job *job, const char *name)
{
    const rcity_method_info *info = &job->method->info;
    char names[512] = "";
    for (int i = 0; i < info->option_count; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s`%s`", i > 0 ? ", " : "", job->method->options[i].name);
    }
    return rcity_fail(job->context, RCITY_ERR_ARGUMENT, "method '%s' has no option `%s`; it has: %s", info->name, name,
                      info->option_count > 0 ? names : "none");
}

rcity_status rcity_method_read_options(rcity_job *job, int option_count, const char *const *names,
                                       const char *const *values)
{
    for (int i = 0; i < job->method->info.option_count; i++) {
        RCITY_TRY(set_option(job, i, job->method->options[i].default_value));
    }
    for (int i = 0; i < option_count; i++) {
        int index = find_option(job->method, names[i]);
        if (index < 0) {
            return fail_unknown(job, names[i]);
        }
        RCITY_TRY(set_option(job, index, values[i]));
    }
    return RCITY_OK;
}
