/* Methods in the help. */
#include "method_help.h"

#include <stdio.h>
#include <string.h>

void help_append(char *text, size_t room, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, room - used, "%s", more);
}

void help_append_method(char *text, size_t room, const rcity_method_info *info)
{
    char line[500];
    snprintf(line, sizeof line, "  %-16s %s\n", info->name, info->text);
    help_append(text, room, line);
    for (int i = 0; i < info->option_count; i++) {
        const rcity_method_option *option = &info->options[i];
        bool takes_words = option->choices != NULL;
        bool takes_numbers = !takes_words || option->maximum > option->minimum;
        snprintf(line, sizeof line, "      --%s %s%s%s (%s%s%s)\n          %s\n", option->name,
                 takes_numbers ? "NUMBER" : "", takes_numbers && takes_words ? "|" : "",
                 takes_words ? option->choices : "", option->default_value, option->unit[0] != '\0' ? ", in " : "",
                 option->unit, option->text);
        help_append(text, room, line);
    }
}

void help_append_methods(char *text, size_t room)
{
    rcity_method_info info;
    for (int i = 0; rcity_method_get(i, &info); i++) {
        help_append_method(text, room, &info);
    }
}

bool method_find(const char *name, rcity_method_info *info)
{
    for (int i = 0; rcity_method_get(i, info); i++) {
        if (strcmp(info->name, name) == 0) {
            return true;
        }
    }
    return false;
}

const char *method_option_at(int index)
{
    rcity_method_info info;
    for (int i = 0; rcity_method_get(i, &info); i++) {
        if (index < info.option_count) {
            return info.options[index].name;
        }
        index -= info.option_count;
    }
    return NULL;
}

bool method_option_exists(const char *name)
{
    for (int i = 0; method_option_at(i) != NULL; i++) {
        if (strcmp(method_option_at(i), name) == 0) {
            return true;
        }
    }
    return false;
}
