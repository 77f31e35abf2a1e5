/* The tables of old names in files of coefficients. */
#include "io/coefficients/old_members.h"

#include <stddef.h>
#include <string.h>

typedef struct renamed_member {
    const char *old_name, *new_name;
} renamed_member;

static const renamed_member renamed_options[] = {
    {"building-separation", "building-separation-m"},
    {"clutter-height", "clutter-height-m"},
    {"clutter-limit", "clutter-limit-db"},
    {"clutter-loss", "clutter-db-per-m"},
    {"direct-offset", "line-of-sight-offset-db"},
    {"first-wall-loss", "wall-path-db"},
    {"metre-loss", "building-db-per-m"},
    {"order", "max-corners"},
    {"orientation", "street-orientation-deg"},
    {"reference-distance", "reference-distance-m"},
    {"reference-loss", "reference-loss-db"},
    {"roof-decade", "roof-edge-db-per-decade"},
    {"roof-first", "roof-path-db"},
    {"roof-height", "roof-height-m"},
    {"roof-linear", "roof-edge-db-per-rad"},
    {"roof-square", "roof-edge-db-per-rad2"},
    {"roof-turn", "roof-edge-db"},
    {"street-decade", "corner-db-per-decade"},
    {"street-first", "corner-path-db"},
    {"street-linear", "corner-db-per-rad"},
    {"street-square", "corner-db-per-rad2"},
    {"street-turn", "corner-db"},
    {"street-width", "street-width-m"},
    {"wall-loss", "wall-db"},
};

static const renamed_member renamed_members[] = {
    {"mse_db", "rmse_db"},
};

const char *rcity_option_new_name(const char *old_name)
{
    for (size_t i = 0; i < sizeof renamed_options / sizeof renamed_options[0]; i++) {
        if (strcmp(renamed_options[i].old_name, old_name) == 0) {
            return renamed_options[i].new_name;
        }
    }
    return NULL;
}

const char *rcity_member_old_name(const char *new_name)
{
    for (size_t i = 0; i < sizeof renamed_members / sizeof renamed_members[0]; i++) {
        if (strcmp(renamed_members[i].new_name, new_name) == 0) {
            return renamed_members[i].old_name;
        }
    }
    return NULL;
}
