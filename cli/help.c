/* The help of a command. */
#include "help.h"

#include <stdio.h>
#include <string.h>

#include "method_help.h"
#include "session.h"

static bool is_heading(const cli_option *option)
{
    return option->name[0] == '\0';
}

/* The rows up to the next heading or the end. */
static const cli_option *print_options(const cli_option *options)
{
    for (; options->name != NULL && !is_heading(options); options++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", options->name, options->placeholder != NULL ? " " : "",
                 options->placeholder != NULL ? options->placeholder : "");
        printf("  %-28s %s\n", left, options->text);
    }
    return options;
}

static void print_common(void)
{
    printf("\nEvery command also takes:\n");
    (void)print_options(session_options());
}

/* What `--help KEY` would print. */
static void print_topics(const command_line *line)
{
    printf("\nMore:\n");
    for (const cli_option *option = line->options; option->name != NULL; option++) {
        if (is_heading(option)) {
            printf("  --help %-21s %s\n", option->placeholder, option->text);
        }
    }
    if (line->more != NULL) {
        printf("  --help methods               the methods and their options\n"
               "  --help METHOD                the options of one of:");
        rcity_method_info info;
        for (int i = 0; rcity_method_get(i, &info) == RCITY_OK; i++) {
            printf("%s%s", i % 6 == 0 ? "\n                                 " : " ", info.name);
        }
        printf("\n");
    }
    printf("  --help all                   everything\n");
}

static void print_short(const command_line *line)
{
    printf("%s\n\n%s\n\nOptions:\n", line->usage, line->about);
    const cli_option *rest = print_options(line->options);
    if (rest->name != NULL || line->more != NULL) {
        print_topics(line);
    }
    print_common();
}

static void print_all(const command_line *line)
{
    printf("%s\n\n%s\n\nOptions:\n", line->usage, line->about);
    for (const cli_option *option = print_options(line->options); option->name != NULL;) {
        printf("\n%s:\n", option->text);
        option = print_options(option + 1);
    }
    if (line->more != NULL) {
        printf("\n%s", line->more);
    }
    print_common();
}

static bool print_group(const command_line *line, const char *key)
{
    for (const cli_option *option = line->options; option->name != NULL; option++) {
        if (is_heading(option) && strcmp(option->placeholder, key) == 0) {
            printf("%s:\n", option->text);
            (void)print_options(option + 1);
            return true;
        }
    }
    return false;
}

static bool print_method(const char *name)
{
    rcity_method_info info;
    for (int i = 0; rcity_method_get(i, &info) == RCITY_OK; i++) {
        if (strcmp(info.name, name) == 0) {
            char text[16384] = "";
            help_append_method(text, sizeof text, i, 0);
            printf("%s", text);
            return true;
        }
    }
    return false;
}

bool help_print(const command_line *line, const char *topic)
{
    if (topic != NULL && strcmp(topic, "all") == 0) {
        print_all(line);
        return true;
    }
    if (topic != NULL && line->more != NULL && strcmp(topic, "methods") == 0) {
        printf("%s", line->more);
        return true;
    }
    if (topic != NULL && (print_group(line, topic) || (line->more != NULL && print_method(topic)))) {
        return true;
    }
    print_short(line);
    return topic == NULL;
}
