/* Reading options: "--name value", "--name=value", flags, positional words. */
#include "arguments.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "help.h"
#include "refused_names.h"
#include "session.h"
#include "suggestion.h"

int usage_error(const char *command, const char *format, ...)
{
    char text[900];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(stderr, "radiocity: %s (see 'radiocity %s --help')\n", text, command);
    return EXIT_USAGE;
}

static const cli_option *find_in(const cli_option *options, const char *name, size_t length)
{
    for (; options != NULL && options->name != NULL; options++) {
        if (length > 0 && strlen(options->name) == length && strncmp(options->name, name, length) == 0) {
            return options;
        }
    }
    return NULL;
}

static int unknown_option(const command_line *line, const char *name)
{
    const char *renamed = refused_option(name);
    if (renamed != NULL) {
        return usage_error(line->command, "%s has a new name: %s", name, renamed);
    }
    char like[SUGGESTION_BYTES];
    return suggestion_find(line, name, like)[0] != '\0'
               ? usage_error(line->command, "unknown option %s; did you mean %s?", name, like)
               : usage_error(line->command, "unknown option %s", name);
}

static bool read_number(const char *text, char **end, double *value)
{
    errno = 0;
    *value = strtod(text, end);
    return *end != text && isfinite(*value);
}

static bool read_bytes(const char *text, uint64_t *bytes)
{
    static const struct {
        const char *name;
        double size;
    } units[] = {{"", 1.0},
                 {"B", 1.0},
                 {"kB", 1e3},
                 {"MB", 1e6},
                 {"GB", 1e9},
                 {"TB", 1e12},
                 {"K", 1024.0},
                 {"M", 1024.0 * 1024.0},
                 {"G", 1024.0 * 1024.0 * 1024.0},
                 {"KiB", 1024.0},
                 {"MiB", 1024.0 * 1024.0},
                 {"GiB", 1024.0 * 1024.0 * 1024.0}};
    char *end;
    double number;
    if (!read_number(text, &end, &number) || number <= 0.0) {
        return false;
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(end, units[i].name) == 0 && number * units[i].size < 1e18) {
            *bytes = (uint64_t)(number * units[i].size);
            return true;
        }
    }
    return false;
}

static bool read_numbers(const char *text, number_list *list)
{
    list->count = 0;
    for (;;) {
        char *end;
        if (list->count == NUMBER_LIST_MAX || !read_number(text, &end, &list->value[list->count])) {
            return false;
        }
        list->count++;
        if (*end == '\0') {
            return true;
        }
        if (*end != ',') {
            return false;
        }
        text = end + 1;
    }
}

/* Append a place to a list. */
static bool read_place(const char *text, place_list *list)
{
    number_list numbers;
    if (list->count == PLACE_LIST_MAX || !read_numbers(text, &numbers) || numbers.count != 3) {
        return false;
    }
    memcpy(list->value[list->count++], numbers.value, sizeof list->value[0]);
    return true;
}

static bool read_text(const char *text, text_list *list)
{
    if (list->count == TEXT_LIST_MAX || text[0] == '\0') {
        return false;
    }
    list->value[list->count++] = text;
    return true;
}

static bool read_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    *seed = value;
    return *end == '\0' && end != text && errno == 0 && text[0] >= '0' && text[0] <= '9';
}

/* An option with one value that comes again would silently win or lose; lists and flags may. */
static int note_given(command_line *line, const cli_option *known)
{
    if (known->kind == OPTION_FLAG || known->kind == OPTION_PLACES || known->kind == OPTION_TEXTS) {
        return 0;
    }
    for (int i = 0; i < line->given_count; i++) {
        if (line->given[i] == known) {
            return usage_error(line->command, "%s is given twice; give it once", known->name);
        }
    }
    assert(line->given_count < GIVEN_MAX);
    line->given[line->given_count++] = known;
    return 0;
}

static int store(const command_line *line, const cli_option *known, const char *value)
{
    char *end;
    double number = 0.0;
    bool is_sound = true;
    const char *expected = "";
    switch (known->kind) {
    case OPTION_FLAG:
        *(bool *)known->target = true;
        return 0;
    case OPTION_TEXT:
        *(const char **)known->target = value;
        is_sound = value[0] != '\0';
        expected = "a word";
        break;
    case OPTION_NUMBER:
        is_sound = read_number(value, &end, (double *)known->target) && *end == '\0';
        expected = strchr(value, ',') != NULL ? "a number, with a point for decimals" : "a number";
        break;
    case OPTION_COUNT:
        is_sound = read_number(value, &end, &number) && *end == '\0' && number >= 0.0 && number < 2147483648.0 &&
                   number == floor(number);
        *(int *)known->target = is_sound ? (int)number : 0;
        expected = "a whole number";
        break;
    case OPTION_SEED:
        is_sound = read_seed(value, known->target);
        expected = "a whole number from 0 to 18446744073709551615";
        break;
    case OPTION_BYTES:
        is_sound = read_bytes(value, known->target);
        expected = "a size such as 500MB or 4GB";
        break;
    case OPTION_NUMBERS:
        is_sound = read_numbers(value, known->target);
        if (!is_sound && strstr(known->placeholder, "...") == NULL) { /* the list has a fixed length */
            return usage_error(line->command, "%s takes %s, numbers separated by commas, not '%s'", known->name,
                               known->placeholder, value);
        }
        expected = "up to 64 numbers separated by commas";
        break;
    case OPTION_PLACES:
        is_sound = read_place(value, known->target);
        expected = "three numbers separated by commas, at most 64 times";
        break;
    case OPTION_TEXTS:
        is_sound = read_text(value, known->target);
        expected = "a word, at most 256 times";
        break;
    }
    return is_sound ? 0 : usage_error(line->command, "%s takes %s, not '%s'", known->name, expected, value);
}

static int read_extra(command_line *line, const char *name, const char *value)
{
    extra_options *extra = line->extra;
    if (extra == NULL || extra->accepts == NULL || strncmp(name, "--", 2) != 0 || !extra->accepts(name + 2)) {
        return unknown_option(line, name);
    }
    if (value == NULL || find_in(line->options, value, strlen(value)) != NULL ||
        find_in(session_options(), value, strlen(value)) != NULL) {
        return usage_error(line->command, "%s needs a value", name);
    }
    for (int i = 0; i < extra->count; i++) {
        if (strcmp(extra->name[i], name + 2) == 0) {
            return usage_error(line->command, "%s is given twice; give it once", name);
        }
    }
    if (extra->count == EXTRA_MAX) {
        return usage_error(line->command, "too many options; %d are allowed", EXTRA_MAX);
    }
    extra->name[extra->count] = name + 2;
    extra->value[extra->count++] = value;
    return 0;
}

/* Read one option at words[*at]; moves *at to the last word it used. */
static int read_option(command_line *line, int count, char **words, int *at)
{
    char *word = words[*at];
    char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const cli_option *found = find_in(line->options, word, length);
    found = found != NULL ? found : find_in(session_options(), word, length);
    const char *value = equals != NULL ? equals + 1 : *at + 1 < count ? words[*at + 1] : NULL;
    if (found != NULL && found->kind == OPTION_FLAG) {
        return equals == NULL ? store(line, found, NULL) : usage_error(line->command, "%s takes no value", found->name);
    }
    *at += equals == NULL;
    if (found == NULL) {
        if (equals != NULL) {
            *equals = '\0';
        }
        return read_extra(line, word, value);
    }
    if (equals == NULL && value != NULL &&
        (find_in(line->options, value, strlen(value)) != NULL ||
         find_in(session_options(), value, strlen(value)) != NULL)) {
        value = NULL; /* the next option, not a value */
    }
    if (value == NULL) {
        return usage_error(line->command, "%s needs a value: %s", found->name, found->placeholder);
    }
    int result = note_given(line, found);
    return result != 0 ? result : store(line, found, value);
}

int arguments_read(command_line *line, int count, char **words)
{
    int allowed = line->positional_count;
    line->positional_count = 0;
    for (int at = 0; at < count; at++) {
        if (strcmp(words[at], "--help") == 0 || strcmp(words[at], "-h") == 0) {
            const char *topic = at + 1 < count ? words[at + 1] : NULL;
            bool is_known = help_print(line, topic);
            bool is_word = topic != NULL && topic[0] != '-';
            if (!is_known && is_word) {
                fprintf(stderr, "radiocity: there is no help on '%s'\n", topic);
            }
            return -1;
        }
        if (words[at][0] == '-' && words[at][1] != '\0') {
            int result = read_option(line, count, words, &at);
            if (result != 0) {
                return result;
            }
        } else if (line->positional_count < allowed) {
            line->positional[line->positional_count++] = words[at];
        } else {
            return usage_error(line->command, "'%s' is an unexpected argument", words[at]);
        }
    }
    return 0;
}

int arguments_require(const command_line *line, const char *input_name, bool has_output)
{
    if (input_name != NULL && line->positional_count == 0) {
        return usage_error(line->command, "the %s is missing", input_name);
    }
    return has_output ? 0 : usage_error(line->command, "the output is missing; give -o FILE");
}
