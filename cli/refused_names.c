/* The table of old options. Options of methods are also options of the program. */
#include "refused_names.h"

#include <stddef.h>
#include <string.h>

typedef struct renamed_option {
    const char *old_name, *new_name; /* with dashes */
} renamed_option;

static const renamed_option renamed[] = {
    {"--azimuth", "--azimuth-deg"},
    {"--bad", "--bad-buildings"},
    {"--blocks", "--cross-validation-blocks"},
    {"--building-separation", "--building-separation-m"},
    {"--clutter-height", "--clutter-height-m"},
    {"--clutter-limit", "--clutter-limit-db"},
    {"--clutter-loss", "--clutter-db-per-m"},
    {"--default-height", "--default-height-m"},
    {"--direct-offset", "--line-of-sight-offset-db"},
    {"--electrical-tilt", "--electrical-tilt-deg"},
    {"--fill", "--fill-voids"},
    {"--first-wall-loss", "--wall-path-db"},
    {"--fit-height", "--fit-height-m"},
    {"--fit-position", "--fit-position-m"},
    {"--floor-height", "--floor-height-m"},
    {"--gap", "--close-gaps-m"},
    {"--load", "--load-fraction"},
    {"--metre-loss", "--building-db-per-m"},
    {"--offset", "--measurements-offset-m"},
    {"--order", "--max-corners"},
    {"--orientation", "--street-orientation-deg"},
    {"--reference-distance", "--reference-distance-m"},
    {"--reference-loss", "--reference-loss-db"},
    {"--roof-decade", "--roof-edge-db-per-decade"},
    {"--roof-first", "--roof-path-db"},
    {"--roof-height", "--roof-height-m"},
    {"--roof-linear", "--roof-edge-db-per-rad"},
    {"--roof-square", "--roof-edge-db-per-rad2"},
    {"--roof-turn", "--roof-edge-db"},
    {"--scattering-after-m", "--scattering-near-m"},
    {"--street-decade", "--corner-db-per-decade"},
    {"--street-first", "--corner-path-db"},
    {"--street-linear", "--corner-db-per-rad"},
    {"--street-square", "--corner-db-per-rad2"},
    {"--street-turn", "--corner-db"},
    {"--street-width", "--street-width-m"},
    {"--synthesis", "--pattern-synthesis"},
    {"--terrain-cell", "--terrain-cell-m"},
    {"--terrain-margin", "--terrain-margin-m"},
    {"--tilt", "--tilt-deg"},
    {"--vegetation-height", "--vegetation-height-m"},
    {"--wall-loss", "--wall-db"},
};

const char *refused_option(const char *name)
{
    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++) {
        if (strcmp(renamed[i].old_name, name) == 0) {
            return renamed[i].new_name;
        }
    }
    return NULL;
}

const char *refused_method_option(const char *name)
{
    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++) {
        if (strcmp(renamed[i].old_name + 2, name) == 0) {
            return renamed[i].new_name + 2;
        }
    }
    return NULL;
}
