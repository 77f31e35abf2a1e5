/* radiocity scene make|import|export|info|draw */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "exit_status.h"

static const struct {
    const char *name;
    int (*run)(int count, char **words);
    const char *text;
} actions[] = {
    {"make", scene_make, "make a synthetic city"},
    {"import", scene_import, "turn GIS data or a wall list into a compiled scene"},
    {"export", scene_export, "write a scene's buildings or terrain for a GIS"},
    {"info", scene_info, "say what a scene holds"},
    {"draw", scene_draw, "draw a scene as a picture"},
};

#define ACTION_COUNT (sizeof actions / sizeof actions[0])

int command_scene(int count, char **words)
{
    bool wants_help = count > 0 && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0);
    if (count == 0 || wants_help) {
        FILE *file = wants_help ? stdout : stderr;
        fprintf(file, "Usage: radiocity scene ACTION ...\n\n");
        for (size_t i = 0; i < ACTION_COUNT; i++) {
            fprintf(file, "  %-8s %s\n", actions[i].name, actions[i].text);
        }
        fprintf(file, "\n'radiocity scene ACTION --help' tells more.\n\n"
                      "Example: radiocity scene make --kind core --area-km2 1 --seed 7 -o city.rcity\n");
        return wants_help ? EXIT_FINE : EXIT_USAGE;
    }
    for (size_t i = 0; i < ACTION_COUNT; i++) {
        if (strcmp(words[0], actions[i].name) == 0) {
            return actions[i].run(count - 1, words + 1);
        }
    }
    fprintf(stderr, "radiocity: unknown action 'scene %s'; 'radiocity scene --help' lists them\n", words[0]);
    return EXIT_USAGE;
}
