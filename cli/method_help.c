/* Methods in the help. */
#include "method_help.h"

#include <stdio.h>
#include <string.h>

void help_append(char *text, size_t room, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, room - used, "%s", more);
}

static void help_append_option(char *text, size_t room, const rcity_method_option *option)
{
    char line[500];
    bool takes_words = option->choices != NULL;
    bool takes_numbers = !takes_words || option->maximum > option->minimum;
    snprintf(line, sizeof line, "      --%s %s%s%s (%s%s%s)\n          %s\n", option->name,
             takes_numbers ? "NUMBER" : "", takes_numbers && takes_words ? "|" : "", takes_words ? option->choices : "",
             option->default_value, option->unit[0] != '\0' ? ", in " : "", option->unit, option->text);
    help_append(text, room, line);
}

void help_append_method(char *text, size_t room, int method_index, unsigned without)
{
    char line[500];
    rcity_method_info info;
    if (rcity_method_get(method_index, &info) != RCITY_OK) {
        return;
    }
    snprintf(line, sizeof line, "  %-16s %s\n", info.name, info.text);
    help_append(text, room, line);
    rcity_method_option option;
    for (int i = 0; rcity_method_get_option(method_index, i, &option) == RCITY_OK; i++) {
        if ((rcity_method_option_uses(method_index, i) & without) == 0) {
            help_append_option(text, room, &option);
        }
    }
}

void help_append_options(char *text, size_t room, int method_index, unsigned uses)
{
    rcity_method_option option;
    for (int i = 0; rcity_method_get_option(method_index, i, &option) == RCITY_OK; i++) {
        if ((rcity_method_option_uses(method_index, i) & uses) != 0) {
            help_append_option(text, room, &option);
        }
    }
}

void help_append_methods(char *text, size_t room)
{
    for (int i = 0; i < rcity_method_count(); i++) {
        help_append_method(text, room, i, 0);
    }
}

const char *help_describe_method(const char *before, bool for_scenes, char *text, size_t room)
{
    rcity_scene_info hills;
    memset(&hills, 0, sizeof hills);
    hills.has_terrain = true;
    hills.ground_max_m = 1.0;
    if (for_scenes) {
        snprintf(text, room, "%s; unless given %s, on hills without buildings %s", before,
                 rcity_request_default().method, rcity_method_choose(&hills));
    } else {
        snprintf(text, room, "%s; %s unless given", before, rcity_request_default().method);
    }
    return text;
}

const char *method_choose(const rcity_scene *scene)
{
    rcity_scene_info info;
    bool is_known = rcity_scene_describe(scene, &info) == RCITY_OK;
    return is_known ? rcity_method_choose(&info) : rcity_request_default().method;
}

bool method_find(const char *name, rcity_method_info *info)
{
    for (int i = 0; rcity_method_get(i, info) == RCITY_OK; i++) {
        if (strcmp(info->name, name) == 0) {
            return true;
        }
    }
    return false;
}

const char *method_option_at(int index)
{
    rcity_method_info info;
    for (int i = 0; rcity_method_get(i, &info) == RCITY_OK; i++) {
        rcity_method_option option;
        if (rcity_method_get_option(i, index, &option) == RCITY_OK) {
            return option.name;
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
