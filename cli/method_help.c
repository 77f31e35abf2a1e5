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

bool method_find(const char *name, rcity_method_info *info)
{
    for (int i = 0; rcity_method_get(i, info); i++) {
        if (strcmp(info->name, name) == 0) {
            return true;
        }
    }
    return false;
}
