/* radiocity map info|diff|coverage */
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
    {"info", map_info, "say what a map holds"},
    {"diff", map_diff, "compare two maps, cell by cell"},
    {"coverage", map_coverage, "say how much of a map reaches thresholds"},
};

#define ACTION_COUNT (sizeof actions / sizeof actions[0])

int command_map(int count, char **words)
{
    bool wants_help = count > 0 && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0);
    if (count == 0 || wants_help) {
        FILE *file = wants_help ? stdout : stderr;
        fprintf(file, "Usage: radiocity map ACTION ...\n\n");
        for (size_t i = 0; i < ACTION_COUNT; i++) {
            fprintf(file, "  %-8s %s\n", actions[i].name, actions[i].text);
        }
        fprintf(file, "\n'radiocity map ACTION --help' tells more.\n\n"
                      "Example: radiocity map coverage map.tif --thresholds -95,-85,-75\n");
        return wants_help ? EXIT_FINE : EXIT_USAGE;
    }
    for (size_t i = 0; i < ACTION_COUNT; i++) {
        if (strcmp(words[0], actions[i].name) == 0) {
            return actions[i].run(count - 1, words + 1);
        }
    }
    fprintf(stderr, "radiocity: unknown action 'map %s'; 'radiocity map --help' lists them\n", words[0]);
    return EXIT_USAGE;
}
